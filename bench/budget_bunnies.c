// The part of area budget about pairs of bunnies with sphere trees (8 children, 3 levels), each pair two
// hundredths of the root's radius deep in each other, in other poses each time: how large the error is after
// 2.5 us a pair, and how long it takes until all pairs are decided. What a sphere test takes with its stack
// is measured from the roots down to where faces would be compared first: what begins a pair is in it, faces
// are not. In processor time.
#include "budget_parts.h"
#include "bunny.h"

#include "object/sphere_descent.h"
#include "scenes/shapes.h"
#include "shape/sphere_tree.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>

#define PAIR_COUNT 100
#define POSE_COUNT 1000 // of which a round takes 100
#define DEPTH      0.02
#define US_A_PAIR  2.5
#define SPACING    8.0 // between pairs, over the radius

typedef struct Bunnies {
    imp_SphereTree *tree;
    double radius;              // of the root
    imp_Pose poses[POSE_COUNT]; // of the second one; the first one is at the origin
    imp_Context *context;
    imp_World *world;
    imp_BodyId bodies[2 * PAIR_COUNT];
} Bunnies;

static imp_Quat random_rotation(uint64_t *random)
{
    imp_Quat q = {scene_random_unit(random) - 0.5, scene_random_unit(random) - 0.5,
                  scene_random_unit(random) - 0.5, scene_random_unit(random) - 0.5};
    double norm = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (imp_Quat){q.w / norm, q.x / norm, q.y / norm, q.z / norm};
}

static imp_Vec3 random_direction(uint64_t *random)
{
    imp_Vec3 d = {scene_random_unit(random) - 0.5, scene_random_unit(random) - 0.5,
                  scene_random_unit(random) - 0.5};
    double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    return (imp_Vec3){d.x / length, d.y / length, d.z / length};
}

static imp_Vec3 moved(imp_Vec3 from, imp_Vec3 direction, double by)
{
    return (imp_Vec3){from.x + by * direction.x, from.y + by * direction.y, from.z + by * direction.z};
}

// Brought together along a line until they nearly touch, and a little farther.
static imp_Pose approach(Bunnies *bunnies, imp_BodyId body, imp_BodyId other, uint64_t *random)
{
    imp_Vec3 direction = random_direction(random),
             center = imp_sphere_tree_get_spheres(bunnies->tree, NULL)->center;
    imp_Pose pose = {.rotation = random_rotation(random)};
    imp_Distance distance = {.distance = INFINITY};
    imp_Vec3 posed;
    bench_require(imp_pose_apply(&pose, center, &posed)); // the line goes through the middles of both
    pose.translation = moved((imp_Vec3){center.x - posed.x, center.y - posed.y, center.z - posed.z},
                             direction, 3 * bunnies->radius);
    while (distance.distance > 1e-3 * bunnies->radius) {
        bench_require(imp_body_set_pose(bunnies->world, body, pose));
        bench_require(imp_world_distance(bunnies->world, other, body, NULL, &distance));
        pose.translation = moved(pose.translation, direction, -distance.distance);
    }
    pose.translation = moved(pose.translation, direction, -DEPTH * bunnies->radius);
    return pose;
}

static void make_poses(Bunnies *bunnies)
{
    uint64_t random = 11;
    for (size_t i = 0; i < POSE_COUNT; ++i)
        bunnies->poses[i] = approach(bunnies, bunnies->bodies[1], bunnies->bodies[0], &random);
}

static void make_world(Bunnies *bunnies)
{
    bench_require(imp_context_create(NULL, &bunnies->context));
    bench_require(imp_world_create(bunnies->context, NULL, &bunnies->world));
    for (size_t i = 0; i < 2 * (size_t)PAIR_COUNT; ++i) {
        imp_BodyDef def = {.mesh = imp_sphere_tree_get_mesh(bunnies->tree), .spheres = bunnies->tree};
        def.pose.translation.x = SPACING * bunnies->radius * (double)(i / 2);
        bench_require(imp_world_add_body(bunnies->world, &def, &bunnies->bodies[i]));
    }
}

static void show(Bunnies *bunnies, size_t round)
{
    for (size_t i = 0; i < PAIR_COUNT; ++i) {
        imp_Pose pose = bunnies->poses[(round * PAIR_COUNT + i) % POSE_COUNT];
        pose.translation.x += SPACING * bunnies->radius * (double)i;
        bench_require(imp_body_set_pose(bunnies->world, bunnies->bodies[2 * i + 1], pose));
    }
}

// Times of detects in other poses each time, the sum of steps, and that of errors in rounds that nobody
// disturbed.
typedef struct Rounds {
    uint64_t *times;
    size_t count, undisturbed_count;
    double error;
    uint64_t steps;
} Rounds;

static void run_rounds(Bunnies *bunnies, const imp_DetectDef *def, Rounds *rounds)
{
    rounds->error = 0;
    rounds->steps = rounds->undisturbed_count = 0;
    for (size_t i = 0; i < rounds->count; ++i) {
        const imp_Report *report = NULL;
        show(bunnies, i);
        long interruptions = crowd_interruption_count();
        uint64_t start = crowd_processor_ns();
        bench_require(imp_world_detect(bunnies->world, def, &report));
        rounds->times[i] = crowd_processor_ns() - start;
        bool was_disturbed = crowd_interruption_count() != interruptions;
        rounds->undisturbed_count += !was_disturbed;
        rounds->steps += report->step_count;
        bench_check(report->candidate_body_pairs == PAIR_COUNT, "pairs of bunnies are not alone");
        for (size_t k = 0; k < report->undecided_count && !was_disturbed; ++k)
            rounds->error += report->estimates[k].error;
    }
}

static impi_SphereDescent new_descent(Bunnies *bunnies, size_t pair, impi_MeetingSpheres *stack)
{
    const impi_Body *bodies = bunnies->world->bodies.data;
    return (impi_SphereDescent){.a = &bodies[bunnies->bodies[2 * pair].slot - 1],
                                .b = &bodies[bunnies->bodies[2 * pair + 1].slot - 1],
                                .error = INFINITY,
                                .best_a = IMP_NO_SPHERE,
                                .best_b = IMP_NO_SPHERE,
                                .stack = stack};
}

typedef struct Descents {
    impi_SphereDescent descents[PAIR_COUNT];
    impi_Budget budget; // without a limit
    impi_LeafScratch *unused;
} Descents;

// All pairs go on, but for faces. Returns how many steps they take.
static size_t go_on(Descents *all, size_t most_steps)
{
    impi_DescentTurn turn = {.most_steps = most_steps, .ends_at_faces = true};
    size_t steps = 0;
    for (size_t pair = 0; pair < PAIR_COUNT; ++pair)
        steps += impi_descent_go_on(&all->descents[pair], &turn, &all->budget, all->unused);
    return steps;
}

// Nanoseconds a pair to begin, and a sphere test from there on, of which a step does eight.
static void time_tests(Bunnies *bunnies, const Rounds *rounds, double *begin_ns, double *test_ns)
{
    static Descents all;
    const impi_Body *body = &bunnies->world->bodies.data[bunnies->bodies[0].slot - 1];
    size_t room = impi_descent_room(body, body), steps = 0;
    impi_MeetingSpheres *stacks = malloc(PAIR_COUNT * room * sizeof *stacks);
    uint64_t *begin_times = malloc(rounds->count * sizeof *begin_times);
    all.unused = malloc(impi_leaf_scratch_size());
    bench_check(stacks && begin_times && all.unused, "out of memory");
    impi_budget_begin(&all.budget, 0, NULL);
    for (size_t i = 0; i < rounds->count; ++i) {
        show(bunnies, i);
        for (size_t pair = 0; pair < PAIR_COUNT; ++pair)
            all.descents[pair] = new_descent(bunnies, pair, stacks + pair * room);
        uint64_t start = crowd_processor_ns();
        go_on(&all, 1);
        uint64_t begun = crowd_processor_ns();
        steps += go_on(&all, SIZE_MAX);
        rounds->times[i] = crowd_processor_ns() - begun;
        begin_times[i] = begun - start;
    }
    *begin_ns = bench_spread(begin_times, rounds->count).median / PAIR_COUNT;
    *test_ns = bench_spread(rounds->times, rounds->count).median * (double)rounds->count /
               (double)(IMPI_SPHERE_LANES * steps);
    free(all.unused);
    free(begin_times);
    free(stacks);
}

static void print(const char *regime, BenchSpread value, const char *unit, size_t runs)
{
    bench_print(
        &(BenchLine){"bunny-pairs", regime, "impinge-spheres", 1, value, unit, PAIR_COUNT, NULL, (int)runs});
}

static void measure(Bunnies *bunnies, size_t count)
{
    Rounds rounds = {.times = malloc(count * sizeof *rounds.times), .count = count};
    bench_check(rounds.times != NULL, "out of memory");
    imp_DetectDef all = {.mode = IMP_DETECT_BODIES, .ignore_containment = true, .method = IMP_METHOD_SPHERES};
    imp_DetectDef none = {.mode = IMP_DETECT_BODIES, .ignore_containment = true, .budget_us = 1};
    run_rounds(bunnies, &all, &rounds); // warm
    run_rounds(bunnies, &none, &rounds);
    double floor_us = 1e-3 * bench_spread(rounds.times, count).median;
    print("floor", bench_single(floor_us), "us", count);
    run_rounds(bunnies, &all, &rounds);
    BenchSpread full = bench_spread(rounds.times, count);
    double steps = (double)rounds.steps / (double)count;
    print("all-decided", (BenchSpread){1e-3 * full.median, 1e-3 * full.low, 1e-3 * full.high}, "us", count);
    print("steps", bench_single(steps / PAIR_COUNT), "steps", count);
    double begin_ns, test_ns;
    time_tests(bunnies, &rounds, &begin_ns, &test_ns);
    print("begin-pair", bench_single(begin_ns), "ns", count);
    print("sphere-test", bench_single(test_ns), "ns", count);
    imp_DetectDef some = none;
    some.budget_us = (uint64_t)(floor_us + US_A_PAIR * PAIR_COUNT);
    run_rounds(bunnies, &some, &rounds);
    if (rounds.undisturbed_count > 0)
        print("error-after-2.5us",
              bench_single(rounds.error / (double)(rounds.undisturbed_count * PAIR_COUNT) / bunnies->radius),
              "radius", rounds.undisturbed_count);
    free(rounds.times);
}

void budget_bunnies(const BenchOptions *options, imp_Context *context)
{
    static Bunnies bunnies;
    imp_Mesh *mesh = bench_load_mesh(context, "stanford-bunny-1500");
    if (!mesh)
        return;
    bench_require(imp_sphere_tree_create(context, &(imp_SphereTreeDef){.mesh = mesh}, &bunnies.tree));
    bunnies.radius = imp_sphere_tree_get_spheres(bunnies.tree, NULL)[0].radius;
    make_world(&bunnies);
    make_poses(&bunnies);
    measure(&bunnies, options->quick ? 50 : 500);
    imp_world_destroy(bunnies.world);
    imp_context_destroy(bunnies.context);
    imp_sphere_tree_release(bunnies.tree);
    imp_mesh_release(mesh);
}
