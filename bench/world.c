// Area world: detects in worlds where bodies rest, where few of them move, and where many small ones do; all
// touching face pairs (column pairs: of the last frame), milliseconds a frame, poses included. In the end
// each world is compared with one that is made anew.
#include "bench.h"

#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <stdlib.h>
#include <string.h>

#define FRAME_COUNT 10

typedef struct WorldScene {
    const char *name, *regime;
    size_t body_count, moving_count; // bodies that move in each frame
    uint32_t face_count;             // of each: spheres, or boxes for 12
    double edge;                     // of the cube that they are in
} WorldScene;

static const WorldScene scenes[] = {{"rest-1000", "rest", 1000, 0, 960, 24},
                                    {"rest-1000", "one-moves", 1000, 1, 960, 24},
                                    {"part-100k", "1%-moving", 100000, 1000, 12, 190},
                                    {"all-100k", "moving", 100000, 100000, 12, 190}};

// A scene in a world of its own.
typedef struct Setting {
    const WorldScene *scene;
    imp_Context *context;
    imp_World *world;
    imp_Mesh *mesh;
    imp_BodyId *bodies;
    imp_Pose *poses;
    imp_BodyId *moved; // of the frame at hand, and where to
    imp_Pose *moved_to;
    uint64_t random;
    const imp_Report *report;
} Setting;

static imp_Pose random_pose(const WorldScene *scene, uint64_t *random)
{
    SceneTurn turn = scene_turn((uint64_t)scene_random_between(random, 0, 4096), 4096);
    return (imp_Pose){scene_random_vector(random, 0, scene->edge), {turn.cosine, 0, turn.sine, 0}};
}

// A twentieth of its size in any direction.
static void move(imp_Pose *pose, uint64_t *random)
{
    imp_Vec3 step = scene_random_vector(random, -0.05, 0.05);
    pose->translation.x += step.x;
    pose->translation.y += step.y;
    pose->translation.z += step.z;
}

static void fill_world(const Setting *setting, imp_World *world, imp_BodyId *bodies)
{
    for (size_t i = 0; i < setting->scene->body_count; ++i)
        bench_require(imp_world_add_body(
            world, &(imp_BodyDef){.mesh = setting->mesh, .pose = setting->poses[i]}, &bodies[i]));
}

static void setting_make(const WorldScene *scene, uint32_t threads, Setting *setting)
{
    imp_WorldDef def = {.expected_body_count = (uint32_t)scene->body_count};
    *setting = (Setting){.scene = scene, .random = 11};
    bench_require(imp_context_create(&(imp_ContextDef){.thread_count = threads}, &setting->context));
    bench_require(imp_world_create(setting->context, &def, &setting->world));
    bench_require(scene->face_count == 12
                      ? scene_box(setting->context, (imp_Vec3){-0.5, -0.5, -0.5}, (imp_Vec3){0.5, 0.5, 0.5},
                                  &setting->mesh)
                      : scene_sphere_of_faces(setting->context, scene->face_count, 1, &setting->mesh));
    setting->bodies = malloc(scene->body_count * sizeof *setting->bodies);
    setting->poses = malloc(scene->body_count * sizeof *setting->poses);
    setting->moved = malloc((scene->moving_count + 1) * sizeof *setting->moved);
    setting->moved_to = malloc((scene->moving_count + 1) * sizeof *setting->moved_to);
    bench_check(setting->bodies && setting->poses && setting->moved && setting->moved_to, "out of memory");
    for (size_t i = 0; i < scene->body_count; ++i)
        setting->poses[i] = random_pose(scene, &setting->random);
    fill_world(setting, setting->world, setting->bodies);
}

static void setting_free(Setting *setting)
{
    imp_world_destroy(setting->world);
    imp_mesh_release(setting->mesh);
    imp_context_destroy(setting->context);
    free(setting->bodies);
    free(setting->poses);
    free(setting->moved);
    free(setting->moved_to);
}

static uint64_t run_frames(void *state)
{
    Setting *setting = state;
    const WorldScene *scene = setting->scene;
    for (int frame = 0; frame < FRAME_COUNT; ++frame) {
        for (size_t i = 0; i < scene->moving_count; ++i) {
            size_t body = scene->moving_count == scene->body_count
                              ? i
                              : (size_t)(scene_random_unit(&setting->random) * (double)scene->body_count);
            move(&setting->poses[body], &setting->random);
            setting->moved[i] = setting->bodies[body];
            setting->moved_to[i] = setting->poses[body];
        }
        bench_require(
            imp_world_set_poses(setting->world, setting->moved, setting->moved_to, scene->moving_count));
        bench_require(imp_world_detect(setting->world, NULL, &setting->report));
    }
    return setting->report->face_pair_count;
}

static bool same_lists(const void *a, size_t count_a, const void *b, size_t count_b, size_t size)
{
    return count_a == count_b && (count_a == 0 || memcmp(a, b, count_a * size) == 0);
}

static void check_against_fresh(const Setting *setting)
{
    imp_World *fresh = NULL;
    const imp_Report *report = setting->report, *wanted = NULL;
    imp_BodyId *bodies = malloc(setting->scene->body_count * sizeof *bodies);
    bench_check(bodies != NULL, "out of memory");
    bench_require(imp_world_create(setting->context, NULL, &fresh));
    fill_world(setting, fresh, bodies);
    bench_require(imp_world_detect(fresh, NULL, &wanted));
    bench_check(same_lists(report->body_pairs, report->body_pair_count, wanted->body_pairs,
                           wanted->body_pair_count, sizeof *report->body_pairs) &&
                    same_lists(report->face_pairs, report->face_pair_count, wanted->face_pairs,
                               wanted->face_pair_count, sizeof *report->face_pairs),
                "a world that has moved differs from one that is made anew");
    imp_world_destroy(fresh);
    free(bodies);
}

int bench_world(const BenchOptions *options)
{
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
        static Setting settings[2];
        BenchSystem systems[2];
        BenchScene scene = {scenes[i].name, scenes[i].regime, "ms", 1e6 * FRAME_COUNT,
                            options->quick ? 5 : 21};
        if (!bench_wants(options, scenes[i].name))
            continue;
        for (int k = 0; k < 2; ++k) {
            setting_make(&scenes[i], (uint32_t)k + 1, &settings[k]);
            systems[k] =
                (BenchSystem){.name = "impinge", .threads = k + 1, .run = run_frames, .state = &settings[k]};
        }
        bench_measure(options, &scene, systems, 2);
        for (int k = 0; k < 2; ++k) {
            check_against_fresh(&settings[k]);
            setting_free(&settings[k]);
        }
    }
    return 0;
}
