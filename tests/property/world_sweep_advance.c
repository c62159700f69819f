// Worlds that are advanced on their straight ways to a time that is not later than the one at which bodies
// first touch: a detect finds contact only where bodies are nearer to each other than vertices are rounded
// by, and at that time they are that near. How near they are is measured on bodies of their own, whose
// vertices are put between both ends of their ways by the test.
#include "harness.h"
#include "sanitizers.h"
#include "sweep_scenes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

// What vertices of an advanced body are off by, for coordinates of size 1: a turn back into the frame of the
// body, what is between both ends, and the pose, at some roundings each. More than twice as much, for two.
#define ROUNDING 0x1p-46

#if defined(TEST_UNDER_SANITIZER)
#define DEFAULT_SCENES 15
#else
#define DEFAULT_SCENES 100
#endif

static struct {
    uint64_t pairs, earlier, contacts_before, at_first, contacts_at, refused;
} tallies;

// ---- bodies as they are at a time

static imp_Vec3 between(imp_Vec3 from, imp_Vec3 to, double t)
{
    return (imp_Vec3){from.x + t * (to.x - from.x), from.y + t * (to.y - from.y),
                      from.z + t * (to.z - from.z)};
}

static imp_BodyId add_frozen(imp_World *world, const Actor *actor, double t)
{
    imp_Vec3 *corners = malloc(3 * actor->face_count * sizeof *corners);
    uint32_t *indices = malloc(3 * actor->face_count * sizeof *indices);
    imp_Mesh *mesh = NULL;
    imp_BodyId id = {0};
    for (size_t i = 0; i < 3 * actor->face_count; ++i) {
        const imp_MovingTriangle *face = &actor->faces[i / 3];
        corners[i] = between(face->begin.v[i % 3], face->end.v[i % 3], t);
        indices[i] = (uint32_t)i;
    }
    imp_MeshDef def = {.vertices = &corners->x,
                       .vertex_count = 3 * actor->face_count,
                       .indices = indices,
                       .triangle_count = actor->face_count};
    CHECK_INT(imp_mesh_create(contexts[0], &def, &mesh), IMP_STATUS_OK);
    CHECK_INT(imp_world_add_body(world, &(imp_BodyDef){.mesh = mesh}, &id), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    free(corners);
    free(indices);
    return id;
}

static imp_World *make_frozen(const Scene *scene, double t, imp_BodyId ids[MAX_BODIES])
{
    imp_World *world = NULL;
    CHECK_INT(imp_world_create(contexts[0], NULL, &world), IMP_STATUS_OK);
    for (size_t i = 0; i < scene->count; ++i)
        ids[i] = add_frozen(world, &scene->actors[i], t);
    return world;
}

static double surface_distance(imp_World *world, imp_BodyId a, imp_BodyId b)
{
    imp_Distance result = {.distance = NAN};
    CHECK_INT(imp_world_distance(world, a, b, &(imp_DistanceDef){.ignore_containment = true}, &result),
              IMP_STATUS_OK);
    return result.distance;
}

// The largest coordinate that plays a part.
static double largest_size(const Scene *scene)
{
    double size = 0;
    for (size_t i = 0; i < scene->count; ++i)
        for (size_t k = 0; k < scene->actors[i].face_count; ++k) {
            const double *coordinates = (const double *)&scene->actors[i].faces[k];
            for (int c = 0; c < 18; ++c)
                size = fmax(size, fabs(coordinates[c]));
        }
    return size;
}

// ---- one scene

// When bodies number i and k first touch; 2: never.
static double time_of(const imp_SweepReport *report, const Scene *scene, size_t i, size_t k)
{
    for (size_t n = 0; n < report->pair_count; ++n)
        if (report->pairs[n].body_a.slot == scene->actors[i].id.slot &&
            report->pairs[n].body_b.slot == scene->actors[k].id.slot)
            return report->pairs[n].time;
    return 2;
}

static bool touch(const imp_Report *report, const Scene *scene, size_t i, size_t k)
{
    for (size_t n = 0; n < report->body_pair_count; ++n)
        if (report->body_pairs[n].body_a.slot == scene->actors[i].id.slot &&
            report->body_pairs[n].body_b.slot == scene->actors[k].id.slot)
            return report->body_pairs[n].relations & IMP_RELATION_TOUCH;
    return false;
}

// A solid that turns on a straight path is none in between.
static bool can_advance(const Scene *scene)
{
    for (size_t i = 0; i < scene->count; ++i)
        if (scene->actors[i].convex && scene->actors[i].has_target &&
            scene->actors[i].target.path == IMP_PATH_STRAIGHT)
            return false;
    return true;
}

static void check_pair(double time, double first, bool is_contact, double distance, double rounding)
{
    ++tallies.pairs;
    if (time < first) {
        ++tallies.earlier;
        tallies.contacts_before += is_contact;
        if (!CHECK(!is_contact || distance <= rounding))
            printf("  contact at %.17g, before %.17g, of bodies that are %g apart\n", time, first, distance);
    } else if (time == first) {
        ++tallies.at_first;
        tallies.contacts_at += is_contact;
        if (!CHECK(distance <= rounding))
            printf("  bodies are %g apart at %.17g, when they first touch\n", distance, time);
    }
}

static void check_time(Scene *scene, const imp_SweepReport *swept, double time)
{
    const imp_Report *detected = NULL;
    imp_World *world = scene->worlds[1];
    imp_BodyId frozen_ids[MAX_BODIES];
    double rounding = ROUNDING * largest_size(scene);
    for (size_t i = 0; i < scene->count; ++i)
        show_actor(world, &scene->actors[i]);
    imp_Status status = imp_world_advance(world, time);
    if (time > 0 && time < 1 && !can_advance(scene)) {
        CHECK_INT(status, IMP_STATUS_BAD_SHAPE);
        ++tallies.refused;
        return;
    }
    CHECK_INT(status, IMP_STATUS_OK);
    CHECK_INT(imp_world_detect(world, &(imp_DetectDef){.mode = IMP_DETECT_BODIES}, &detected), IMP_STATUS_OK);
    imp_World *frozen = make_frozen(scene, time, frozen_ids);
    for (size_t i = 0; i < scene->count; ++i)
        for (size_t k = i + 1; k < scene->count; ++k) {
            double first = time_of(swept, scene, i, k);
            if (first > 0 && time <= first) {
                double distance = surface_distance(frozen, frozen_ids[i], frozen_ids[k]);
                check_pair(time, first, touch(detected, scene, i, k), distance, rounding);
                if (time == first)
                    CHECK(surface_distance(world, scene->actors[i].id, scene->actors[k].id) <= rounding);
            }
        }
    imp_world_destroy(frozen);
}

// Any time, each of those at which bodies first touch, and just before it.
static void check_scene(Scene *scene)
{
    const imp_SweepReport *swept = NULL;
    CHECK_INT(imp_world_sweep(scene->worlds[0], NULL, &swept), IMP_STATUS_OK);
    check_time(scene, swept, test_random_unit());
    check_time(scene, swept, 1);
    for (size_t n = 0; n < swept->pair_count && n < 4; ++n) {
        double time = swept->pairs[n].time;
        if (time == 0)
            continue;
        check_time(scene, swept, time);
        check_time(scene, swept, time - ldexp(time, -(int)(1 + test_random_below(52))));
    }
}

TEST(what_is_advanced_touches_when_it_is_said_to)
{
    uint64_t count = test_count(DEFAULT_SCENES);
    make_shapes();
    for (uint64_t i = 0; i < count; ++i) {
        Scene scene;
        scene_make(&scene);
        check_scene(&scene);
        scene_destroy(&scene);
    }
    release_shapes();
    printf("%" PRIu64 " pairs: %" PRIu64 " before they touch, of which %" PRIu64
           " do so by rounding; %" PRIu64 " when they first touch, of which %" PRIu64
           " are found to; %" PRIu64 " times with a solid that turns\n",
           tallies.pairs, tallies.earlier, tallies.contacts_before, tallies.at_first, tallies.contacts_at,
           tallies.refused);
    CHECK(2 * tallies.earlier > tallies.pairs && 20 * tallies.contacts_before < tallies.earlier);
    CHECK(tallies.at_first > 0 && tallies.contacts_at < tallies.at_first);
    if (tallies.pairs > 1000) // what is rare takes many scenes
        CHECK(60 * tallies.at_first > tallies.pairs && 20 * tallies.contacts_at > tallies.at_first &&
              tallies.refused > 0);
}
