#include "scenes/robots.h"

#include "failing_allocator.h"
#include "harness.h"
#include "mesh_hash.h"
#include "posed_faces.h"

#define MAX_BODIES 32
#define MAX_JOINTS 16

static SceneRobots *make(imp_Context *context, SceneRobotsKind kind)
{
    SceneRobots *robots = NULL;
    CHECK_INT(scene_robots_create(context, kind, &robots), IMP_STATUS_OK);
    return robots;
}

TEST(bodies_are_sound)
{
    imp_Context *context = context_with_threads(1);
    for (SceneRobotsKind kind = SCENE_ROBOT; kind <= SCENE_CELL; ++kind) {
        SceneRobots *robots = make(context, kind);
        size_t moved[MAX_BODIES], moves = 0, triangles = 0;
        CHECK_INT(scene_robots_body_count(robots), kind == SCENE_ROBOT ? 12 : 25);
        CHECK_INT(scene_robots_moved(robots, moved), kind == SCENE_ROBOT ? 6 : 18);
        CHECK_INT(scene_robots_joint_count(robots), kind == SCENE_ROBOT ? 6 : 12);
        for (size_t i = 0; i < scene_robots_body_count(robots); ++i) {
            SceneRobotsBody body = scene_robots_body(robots, i);
            imp_MeshInfo info;
            CHECK_INT(imp_mesh_analyse(context, body.mesh, &info), IMP_STATUS_OK);
            CHECK(info.closed && info.orientation == IMP_ORIENTATION_OUTWARD &&
                  info.degenerate_triangle_count == 0 && info.unused_vertex_count == 0);
            CHECK(info.triangle_count >= 100 && info.triangle_count <= 5000 && body.name[0]);
            triangles += info.triangle_count;
            CHECK(!body.moves || moved[moves] == i);
            moves += body.moves;
        }
        CHECK(triangles > 10000);
        scene_robots_destroy(robots);
    }
    imp_context_destroy(context);
}

// Joined bodies touch, but for rounding; with all joints at 0 nothing else does.
TEST(what_is_joined_touches)
{
    imp_Context *context = context_with_threads(1);
    for (SceneRobotsKind kind = SCENE_ROBOT; kind <= SCENE_CELL; ++kind) {
        SceneRobots *robots = make(context, kind);
        imp_World *world = NULL;
        imp_BodyId ids[MAX_BODIES];
        const imp_Report *report = NULL;
        const imp_ClearanceReport *near = NULL;
        const imp_DetectDef def = {.mode = IMP_DETECT_BODIES};
        size_t joined = 0, count = scene_robots_body_count(robots);
        CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_OK);
        CHECK_INT(scene_robots_add_bodies(robots, world, ids), IMP_STATUS_OK);
        CHECK_INT(imp_world_detect(world, &def, &report), IMP_STATUS_OK);
        CHECK_INT(report->body_pair_count, 0);
        for (size_t a = 0; a < count; ++a)
            for (size_t b = a + 1; b < count; ++b) {
                CHECK(scene_robots_is_ignored(robots, a, b) == scene_robots_is_ignored(robots, b, a));
                if (!scene_robots_is_ignored(robots, a, b))
                    continue;
                CHECK_INT(imp_world_ignore_pair(world, ids[a], ids[b], false), IMP_STATUS_OK);
                ++joined;
            }
        CHECK_INT(imp_world_clearance(world, &(imp_ClearanceDef){.distance = 1e-9}, &near), IMP_STATUS_OK);
        CHECK_INT(joined, count - 1);
        CHECK_INT(near->pair_count, joined);
        imp_world_destroy(world);
        scene_robots_destroy(robots);
    }
    imp_context_destroy(context);
}

TEST(configurations_are_the_same_bits)
{
    static const int64_t hashes[2][2] = {{-3626552563256610729, -7231162098166847425},
                                         {582700314146724667, -2772119724854247867}};
    imp_Context *context = context_with_threads(1);
    for (SceneRobotsKind kind = SCENE_ROBOT; kind <= SCENE_CELL; ++kind) {
        SceneRobots *robots = make(context, kind);
        size_t moved[MAX_BODIES], count = scene_robots_moved(robots, moved);
        imp_Pose *few = calloc(150 * count, sizeof *few), *many = calloc(300 * count, sizeof *many);
        for (SceneRobotsWay way = SCENE_RANDOM; way <= SCENE_PATH; ++way) {
            scene_robots_configurations(robots, way, 5, 150, few);
            scene_robots_configurations(robots, way, 5, 300, many);
            CHECK(memcmp(few, many, 150 * count * sizeof *few) == 0);
            CHECK(memcmp(many, many + 150 * count, 150 * count * sizeof *many) != 0);
            CHECK_INT((int64_t)hash_bytes(HASH_BEGIN, many, 300 * count * sizeof *many), hashes[kind][way]);
        }
        free(few);
        free(many);
        scene_robots_destroy(robots);
    }
    imp_context_destroy(context);
}

// The last link of the arm at joints of 0 stands above its base.
TEST(joints_turn_what_comes_behind_them)
{
    imp_Context *context = context_with_threads(1);
    SceneRobots *robots = make(context, SCENE_ROBOT);
    int32_t angles[MAX_JOINTS] = {0};
    imp_Pose straight[MAX_BODIES], turned[MAX_BODIES];
    size_t joints = scene_robots_joint_count(robots);
    scene_robots_poses(robots, angles, straight);
    for (size_t joint = 0; joint < joints; ++joint) {
        angles[joint] = 3000;
        scene_robots_poses(robots, angles, turned);
        for (size_t link = 0; link < joints; ++link)
            CHECK((memcmp(&straight[link], &turned[link], sizeof *turned) == 0) == (link < joint));
        angles[joint] = 0;
    }
    CHECK(straight[joints - 1].translation.z > 1 && straight[joints - 1].translation.x == 0);
    scene_robots_destroy(robots);
    imp_context_destroy(context);
}

TEST(every_allocation_may_fail)
{
    FailingAllocator memory;
    uint64_t n = 0;
    do {
        imp_Context *context = NULL;
        SceneRobots *robots = NULL;
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        imp_Status status = imp_context_create(&def, &context);
        if (status == IMP_STATUS_OK)
            status = scene_robots_create(context, SCENE_ROBOT, &robots);
        CHECK_INT(status, failing_allocator_has_failed(&memory) ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
        CHECK((robots != NULL) == (status == IMP_STATUS_OK));
        scene_robots_destroy(robots);
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 20);
}
