// Clearances of crowds, with more pairs than are asked about in one go, against single questions about all of
// them; on 1, 2 and 5 threads.
#include "sanitizers.h"
#include "world_fixture.h"

#define THREAD_KINDS 3

static const uint32_t thread_counts[THREAD_KINDS] = {1, 2, 5};

#ifdef TEST_UNDER_SANITIZER
#define CROWD_COUNT 92
#else
#define CROWD_COUNT 110
#endif

// More pairs than are asked about in one go, all of which are near if the distance is large enough.
typedef struct Crowd {
    imp_World *world;
    imp_BodyId ids[CROWD_COUNT];
    double distances[CROWD_COUNT][CROWD_COUNT];
} Crowd;

typedef struct Shapes {
    imp_Mesh *meshes[2];
    imp_Convex *solid;
} Shapes;

static void fill_crowd(Crowd *crowd, imp_Context *context, Shapes shapes, const imp_Pose *poses)
{
    CHECK_INT(imp_world_create(context, NULL, &crowd->world), IMP_STATUS_OK);
    for (size_t i = 0; i < CROWD_COUNT; ++i) {
        imp_BodyDef def = {.pose = poses[i]};
        if (i % 7 == 3)
            def.convex = shapes.solid;
        else
            def.mesh = shapes.meshes[i % 2];
        CHECK_INT(imp_world_add_body(crowd->world, &def, &crowd->ids[i]), IMP_STATUS_OK);
    }
}

static void measure_crowd(Crowd *crowd)
{
    for (size_t a = 0; a < CROWD_COUNT; ++a)
        for (size_t b = a + 1; b < CROWD_COUNT; ++b) {
            imp_Distance d = {.distance = -1};
            CHECK_INT(imp_world_distance(crowd->world, crowd->ids[a], crowd->ids[b], NULL, &d),
                      IMP_STATUS_OK);
            crowd->distances[a][b] = d.distance;
        }
}

static size_t check_crowd(const Crowd *crowd, imp_World *world, double distance)
{
    const imp_ClearanceReport *report = NULL;
    imp_ClearanceDef def = {.distance = distance};
    size_t next = 0;
    if (!CHECK_INT(imp_world_clearance(world, &def, &report), IMP_STATUS_OK))
        return 0;
    for (size_t a = 0; a < CROWD_COUNT; ++a)
        for (size_t b = a + 1; b < CROWD_COUNT; ++b) {
            if (crowd->distances[a][b] > distance)
                continue;
            const imp_NearBodies *pair = next < report->pair_count ? &report->pairs[next++] : NULL;
            CHECK(pair && pair->body_a.slot == crowd->ids[a].slot &&
                  pair->body_b.slot == crowd->ids[b].slot &&
                  pair->distance.distance == crowd->distances[a][b]);
        }
    CHECK_INT(report->pair_count, next);
    return next;
}

static imp_Pose random_pose(size_t number)
{
    imp_Pose pose = {.rotation = {.w = 0}};
    double x = test_random_between(-4, 4), y = test_random_between(-4, 4), z = test_random_between(-4, 4);
    pose.translation = (imp_Vec3){x, y, z};
    if (number % 2)
        pose.rotation = random_rotation();
    return pose;
}

TEST(clearances_of_crowds)
{
    static Crowd crowds[THREAD_KINDS];
    static imp_Pose poses[CROWD_COUNT];
    const size_t all = (size_t)CROWD_COUNT * (CROWD_COUNT - 1) / 2;
    imp_Context *contexts[THREAD_KINDS];
    for (int i = 0; i < THREAD_KINDS; ++i)
        contexts[i] = context_with_threads(thread_counts[i]);
    imp_Mesh *meshes[2] = {cube(contexts[0], 0.5), sphere(contexts[0], 0.5)};
    imp_Convex *solid = NULL;
    CHECK_INT(imp_convex_create_from_mesh(contexts[0], meshes[0], &solid), IMP_STATUS_OK);
    for (size_t i = 0; i < CROWD_COUNT; ++i)
        poses[i] = random_pose(i);
    for (int i = 0; i < THREAD_KINDS; ++i)
        fill_crowd(&crowds[i], contexts[i], (Shapes){{meshes[0], meshes[1]}, solid}, poses);
    measure_crowd(&crowds[0]);
    for (int i = 0; i < THREAD_KINDS; ++i) {
        CHECK_INT(check_crowd(&crowds[0], crowds[i].world, 100), all);
        size_t some = check_crowd(&crowds[0], crowds[i].world, 2.03125);
        CHECK(some > all / 20 && some < all);
        CHECK(check_crowd(&crowds[0], crowds[i].world, 0.03125) < some);
        CHECK_INT(check_crowd(&crowds[0], crowds[i].world, 100), all);
        imp_world_destroy(crowds[i].world);
    }
    imp_mesh_release(meshes[0]);
    imp_mesh_release(meshes[1]);
    imp_convex_release(solid);
    for (int i = 0; i < THREAD_KINDS; ++i)
        imp_context_destroy(contexts[i]);
}
