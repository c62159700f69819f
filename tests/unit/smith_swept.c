/// Smith & Kitamura's swept faces as printed, and their parallel forms: each gives what one processor gives.
#include "harness.h"

#include "base/context.h"
#include "experiments/smith_pinning.h"
#include "experiments/smith_swept_hull.h"
#include "experiments/smith_swept_parallel.h"
#include "failing_allocator.h"
#include "geom/pose.h"
#include "geom/triangle_sweep.h"
#include "scenes/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL 4

// ---- the printed test

static imp_MovingTriangle rising(double size, double way)
{
    imp_Triangle below = {{{-size, -size, -way}, {size, -size, -way}, {0, size, -way}}}, above = below;
    for (int i = 0; i < 3; ++i)
        above.v[i].z = way;
    return (imp_MovingTriangle){below, above};
}

TEST(a_prism_has_its_faces_and_edges)
{
    imp_MovingTriangle face = rising(1, 1);
    SmithHull hull = smith_hull_make(&face);
    CHECK_INT(hull.face_count, 2 + 3 * 4); // of four points in a plane, all four triangles
    CHECK_INT(hull.edge_count, 9 + 3 * 2); // and both diagonals
    face.end = face.begin;
    hull = smith_hull_make(&face);
    CHECK_INT(hull.edge_count > 0, 1);
    face = rising(0, 1);
    hull = smith_hull_make(&face);
    CHECK_INT(hull.face_count, 0);
}

TEST(the_printed_test_misses_a_hull_inside_another)
{
    imp_MovingTriangle large = rising(10, 10), small = rising(0.1, 0.1);
    CHECK(impi_triangles_first_time(&large, &small, 1) <= 1); // they go through each other
    CHECK(!smith_swept_faces_cross(&large, &small));
    imp_MovingTriangle longer = rising(0.1, 20);
    CHECK(smith_swept_faces_cross(&large, &longer));
    CHECK(smith_swept_faces_cross(&longer, &large));
}

// ---- scenes

typedef struct Fixture {
    imp_Context *context;
    imp_Mesh *meshes[2];
    SmithSweptScene scene;
} Fixture;

static void place(SmithSweptBody *body, const imp_Mesh *mesh, double from, double to, double turned)
{
    imp_Quat end = {cos(turned), 0, sin(turned), 0};
    imp_Pose poses[2] = {{{from, 0.1, 0}, {1, 0, 0, 0}}, {{to, 0.1, 0.05}, end}};
    body->vertices = imp_mesh_get_vertices(mesh);
    body->vertex_count = imp_mesh_get_vertex_count(mesh);
    body->indices = imp_mesh_get_indices(mesh);
    body->face_count = imp_mesh_get_triangle_count(mesh);
    CHECK_INT(impi_pose_transform(&poses[0], &body->begin), IMP_STATUS_OK);
    CHECK_INT(impi_pose_transform(&poses[1], &body->end), IMP_STATUS_OK);
    body->widening = impi_turn_widening(impi_turn_height(poses[0].rotation, end, 0), 1.01, 10);
}

static void fixture_make(Fixture *fixture, SmithSweptMethod method)
{
    *fixture = (Fixture){.scene = {.cube = {{-4, -4, -4}, {4, 4, 4}}, .level = LEVEL, .method = method}};
    CHECK_INT(imp_context_create(NULL, &fixture->context), IMP_STATUS_OK);
    CHECK_INT(scene_sphere(fixture->context, 16, 9, 1, &fixture->meshes[0]), IMP_STATUS_OK);
    CHECK_INT(scene_sphere(fixture->context, 12, 8, 1, &fixture->meshes[1]), IMP_STATUS_OK);
    place(&fixture->scene.bodies[0], fixture->meshes[0], -1.2, -0.9, 0.1);
    place(&fixture->scene.bodies[1], fixture->meshes[1], 1.1, 0.8, -0.2);
}

static void fixture_free(Fixture *fixture)
{
    imp_mesh_release(fixture->meshes[0]);
    imp_mesh_release(fixture->meshes[1]);
    imp_context_destroy(fixture->context);
}

// One processor, all pairs of faces: what the method would find if step 3 left nothing out.
static void brute_force(const Fixture *fixture, SmithSweptResult *result)
{
    SmithSweptSearch search;
    impi_SweptHullScratch scratch;
    smith_swept_init(&search, &impi_default_allocator);
    impi_swept_hull_scratch_init(&scratch, &impi_default_allocator);
    CHECK(smith_swept_boxes(&search, &fixture->scene) && smith_swept_faces(&search));
    for (uint32_t a = 0; a < fixture->scene.bodies[0].face_count; ++a)
        for (uint32_t b = 0; b < fixture->scene.bodies[1].face_count; ++b) {
            bool collide = false;
            CHECK_INT(smith_swept_test(&search, &scratch, (SmithFacePair){a, b}, &collide), IMP_STATUS_OK);
            SmithFacePairs *all = &result->colliding;
            if (collide &&
                CHECK(impi_array_reserve(&impi_default_allocator, all, sizeof *all->data, all->count + 1)))
                all->data[all->count++] = (SmithFacePair){a, b};
        }
    impi_swept_hull_scratch_destroy(&scratch);
    smith_swept_free(&search);
}

static void run(const Fixture *fixture, const SmithSweptDef *def, SmithSweptResult *result)
{
    SmithSweptSearch search;
    smith_swept_init(&search, &impi_default_allocator);
    CHECK_INT(smith_swept_run(&search, &fixture->scene, def, result), IMP_STATUS_OK);
    smith_swept_free(&search);
}

static bool is_same(const SmithSweptResult *a, const SmithSweptResult *b)
{
    return a->colliding.count == b->colliding.count && a->tested == b->tested &&
           memcmp(a->colliding.data, b->colliding.data, a->colliding.count * sizeof(SmithFacePair)) == 0;
}

static const SmithSweptDef serial = {.form = SMITH_FORM_SERIAL, .processor_count = 1};

TEST(swept_boxes_and_hulls_lose_nothing)
{
    Fixture fixture;
    SmithSweptResult all = {.tested = 0}, found = {.tested = 0};
    fixture_make(&fixture, SMITH_SWEPT_CONSERVATIVE);
    brute_force(&fixture, &all);
    run(&fixture, &serial, &found);
    CHECK(found.colliding.count > 20);
    CHECK(found.tested < fixture.scene.bodies[0].face_count * fixture.scene.bodies[1].face_count / 4);
    all.tested = found.tested;
    CHECK(is_same(&all, &found));
    smith_swept_result_free(&impi_default_allocator, &all);
    smith_swept_result_free(&impi_default_allocator, &found);
    fixture_free(&fixture);
}

TEST(the_static_method_finds_what_touches_at_the_end)
{
    Fixture fixture;
    SmithSweptResult all = {.tested = 0}, found = {.tested = 0};
    fixture_make(&fixture, SMITH_SWEPT_STATIC);
    brute_force(&fixture, &all);
    run(&fixture, &serial, &found);
    CHECK(found.colliding.count > 10);
    all.tested = found.tested;
    CHECK(is_same(&all, &found));
    smith_swept_result_free(&impi_default_allocator, &all);
    smith_swept_result_free(&impi_default_allocator, &found);
    fixture_free(&fixture);
}

// ---- parallel forms

// Tasks one after the other, in an order of its own.
static void run_backwards(imp_TaskFn task, void *argument, uint32_t task_count, void *user)
{
    (void)user;
    while (task_count-- > 0)
        task(task_count, argument);
}

static void try_forms(const Fixture *fixture, const imp_Executor *executor, const SmithSweptResult *expected)
{
    static const uint32_t processors[] = {1, 2, 5, 24}, queues[] = {0, 1, 3};
    for (int form = SMITH_FORM_SPMD; form < SMITH_FORM_COUNT; ++form)
        for (size_t p = 0; p < sizeof processors / sizeof *processors; ++p)
            for (size_t q = 0; q < sizeof queues / sizeof *queues; ++q) {
                SmithSweptDef def = {.executor = executor,
                                     .form = (SmithForm)form,
                                     .processor_count = processors[p],
                                     .is_pinned = q == 0,
                                     .queue_capacity = queues[q]};
                SmithSweptResult result = {.tested = 0};
                run(fixture, &def, &result);
                CHECK(is_same(&result, expected));
                CHECK(result.largest_share * processors[p] >= result.tested);
                smith_swept_result_free(&impi_default_allocator, &result);
            }
}

static void try_method(SmithSweptMethod method)
{
    static const imp_Executor backwards = {run_backwards, 1, NULL};
    static const uint32_t threads[] = {1, 2, 5};
    Fixture fixture;
    SmithSweptResult expected = {.tested = 0};
    fixture_make(&fixture, method);
    run(&fixture, &serial, &expected);
    CHECK(expected.colliding.count > 10);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; ++i) {
        imp_Context *context = NULL;
        CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = threads[i]}, &context), IMP_STATUS_OK);
        try_forms(&fixture, &context->executor, &expected);
        imp_context_destroy(context);
    }
    try_forms(&fixture, &backwards, &expected);
    try_forms(&fixture, NULL, &expected);
    smith_swept_result_free(&impi_default_allocator, &expected);
    fixture_free(&fixture);
}

TEST(every_form_gives_the_serial_bytes_as_printed)
{
    try_method(SMITH_SWEPT_PRINTED);
}

TEST(every_form_gives_the_serial_bytes_of_the_conservative_method)
{
    try_method(SMITH_SWEPT_CONSERVATIVE);
}

TEST(bodies_that_are_far_apart_have_no_pairs)
{
    Fixture fixture;
    fixture_make(&fixture, SMITH_SWEPT_CONSERVATIVE);
    place(&fixture.scene.bodies[1], fixture.meshes[1], 3, 2.9, 0);
    for (int form = 0; form < SMITH_FORM_COUNT; ++form) {
        SmithSweptResult result = {.tested = 0};
        run(&fixture, &(SmithSweptDef){.form = (SmithForm)form, .processor_count = 3}, &result);
        CHECK_INT(result.colliding.count, 0);
        CHECK_INT(result.tested, 0);
        smith_swept_result_free(&impi_default_allocator, &result);
    }
    fixture_free(&fixture);
}

TEST(every_allocation_of_a_run_may_fail)
{
    Fixture fixture;
    fixture_make(&fixture, SMITH_SWEPT_CONSERVATIVE);
    for (int form = 0; form < SMITH_FORM_COUNT; ++form) {
        FailingAllocator memory;
        uint64_t n = 0;
        do {
            failing_allocator_init(&memory, ++n);
            imp_Allocator hooks = failing_allocator_hooks(&memory);
            SmithSweptSearch search;
            SmithSweptResult result = {.tested = 0};
            smith_swept_init(&search, &hooks);
            SmithSweptDef def = {.form = (SmithForm)form, .processor_count = 2};
            imp_Status status = smith_swept_run(&search, &fixture.scene, &def, &result);
            CHECK_INT(status,
                      failing_allocator_has_failed(&memory) ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
            smith_swept_result_free(&hooks, &result);
            smith_swept_free(&search);
            CHECK(failing_allocator_is_clean(&memory));
        } while (failing_allocator_has_failed(&memory));
        CHECK(n > 10);
    }
    fixture_free(&fixture);
}

TEST(a_pinned_thread_is_let_go_again)
{
    SmithPin first, second;
    smith_pin_begin(7, &first);
    if (!first.is_pinned) {
        test_skip("the system pins no threads");
        return;
    }
    smith_pin_begin(0, &second); // the one processor that is left
    CHECK(second.is_pinned);
    smith_pin_end(&second);
    smith_pin_end(&first);
    SmithPin again;
    smith_pin_begin(0, &again);
    CHECK(memcmp(first.allowed, again.allowed, sizeof first.allowed) == 0);
    smith_pin_end(&again);
}
