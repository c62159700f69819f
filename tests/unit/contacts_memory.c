// Contacts when memory runs out at any moment, when they are cancelled, and when they are warm.
#include "contact_fixture.h"
#include "failing_allocator.h"

#include <stdio.h>

#define BODIES 4

typedef struct Scene {
    FailingAllocator memory;
    imp_Context *context;
    imp_World *world;
    imp_BodyId ids[BODIES];
} Scene;

static void scene_make(Scene *scene, uint32_t thread_count)
{
    failing_allocator_init(&scene->memory, 0);
    imp_ContextDef def = {.allocator = failing_allocator_hooks(&scene->memory), .thread_count = thread_count};
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_context_create(&def, &scene->context), IMP_STATUS_OK);
    CHECK_INT(imp_world_create(scene->context, NULL, &scene->world), IMP_STATUS_OK);
    CHECK_INT(scene_bumpy_sphere(scene->context, 10, 8, 1, 0.2, 3, &mesh), IMP_STATUS_OK);
    for (int i = 0; i < BODIES; ++i) {
        imp_BodyDef body = {.mesh = mesh, .pose.translation = {0.9 * i, 0.1 * i, 0.05 * i}};
        CHECK_INT(imp_world_add_body(scene->world, &body, &scene->ids[i]), IMP_STATUS_OK);
    }
    imp_mesh_release(mesh);
}

static void scene_destroy(Scene *scene)
{
    imp_world_destroy(scene->world);
    imp_context_destroy(scene->context);
    CHECK(failing_allocator_is_clean(&scene->memory));
}

static void stretch(Scene *scene, int number, double factor)
{
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_body_get_mesh(scene->world, scene->ids[number], &mesh), IMP_STATUS_OK);
    size_t count = imp_mesh_get_vertex_count(mesh);
    imp_Vec3 *vertices = malloc(count * sizeof *vertices);
    for (size_t i = 0; i < count; ++i) {
        imp_Vec3 v = imp_mesh_get_vertices(mesh)[i];
        vertices[i] = (imp_Vec3){factor * v.x, v.y, v.z};
    }
    CHECK_INT(imp_body_set_vertices(scene->world, scene->ids[number], &vertices->x, count), IMP_STATUS_OK);
    free(vertices);
}

static const imp_DetectDef with_contacts = {.contacts = true};

// What contacts there are, as numbers that can be compared.
typedef struct Summary {
    size_t contacts, points;
    double depths;
} Summary;

static Summary summarise(const imp_Report *report)
{
    Summary summary = {report->contact_count, report->curve_point_count, 0};
    for (size_t i = 0; i < report->contact_count; ++i)
        summary.depths += report->contacts[i].depth;
    return summary;
}

TEST(running_out_of_memory_leaves_the_world_as_it_was)
{
    Summary wanted = {0};
    uint64_t failures = 0;
    for (uint64_t n = 1;; ++n) {
        Scene scene;
        const imp_Report *report = NULL;
        scene_make(&scene, 1);
        stretch(&scene, 1, 1.125);
        failing_allocator_arm(&scene.memory, n);
        imp_Status status = imp_world_detect(scene.world, &with_contacts, &report);
        bool has_failed = failing_allocator_has_failed(&scene.memory);
        // An arena that can't be made one chunk again stays in pieces: not every failure is one of the call.
        CHECK(status == IMP_STATUS_OUT_OF_MEMORY ? has_failed && !report : status == IMP_STATUS_OK);
        failures += status != IMP_STATUS_OK;
        failing_allocator_arm(&scene.memory, 0);
        CHECK_INT(imp_world_detect(scene.world, &with_contacts, &report), IMP_STATUS_OK);
        Summary found = summarise(report);
        if (n == 1)
            wanted = found;
        CHECK(found.contacts == wanted.contacts && found.points == wanted.points &&
              found.contacts >= BODIES - 1);
        CHECK_DOUBLE(found.depths, wanted.depths);
        scene_destroy(&scene);
        if (!has_failed)
            break;
    }
    printf("  %llu allocations\n", (unsigned long long)failures);
    CHECK(failures > 30);
}

// A motion that repeats after PERIOD frames.
#define PERIOD 12

TEST(warm_contacts_allocate_nothing)
{
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        Scene scene;
        const imp_Report *report = NULL;
        uint64_t warm = 0, contacts = 0;
        scene_make(&scene, threads);
        for (int frame = 0; frame < 6 * PERIOD; ++frame) {
            if (frame == 3 * PERIOD)
                warm = atomic_load(&scene.memory.allocations);
            for (int i = 0; i < BODIES; ++i) {
                double phase = (frame % PERIOD) * (1.0 / PERIOD);
                imp_Pose pose = {.translation = {(0.9 - 0.2 * phase) * i, 0.1 * i, 0.3 * phase * (i % 2)}};
                CHECK_INT(imp_body_set_pose(scene.world, scene.ids[i], pose), IMP_STATUS_OK);
            }
            if (frame % 2)
                stretch(&scene, 0, 1 + 0.01 * (frame % PERIOD));
            CHECK_INT(imp_world_detect(scene.world, &with_contacts, &report), IMP_STATUS_OK);
            contacts += report->contact_count;
        }
        CHECK_INT(atomic_load(&scene.memory.allocations), warm);
        CHECK(contacts > PERIOD);
        scene_destroy(&scene);
    }
}

TEST(cancelled_contacts_fail_and_leave_the_world_as_it_was)
{
    Scene scene;
    const imp_Report *report = NULL;
    imp_Cancel *cancel = NULL;
    scene_make(&scene, 1);
    CHECK_INT(imp_cancel_create(scene.context, &cancel), IMP_STATUS_OK);
    imp_cancel_request(cancel);
    imp_DetectDef def = {.contacts = true, .cancel = cancel};
    CHECK_INT(imp_world_detect(scene.world, &def, &report), IMP_STATUS_CANCELLED);
    CHECK(report == NULL);
    CHECK_INT(imp_world_detect(scene.world, &with_contacts, &report), IMP_STATUS_OK);
    CHECK(report->contact_count >= BODIES - 1);
    imp_cancel_destroy(cancel);
    scene_destroy(&scene);
}
