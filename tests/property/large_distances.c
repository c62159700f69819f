// Distances of bodies of thousands of faces against all of their face pairs, measured one by one by
// imp_triangles_distance: smooth, nested, scattered and parallel surfaces, the latter with thousands of pairs
// that are equally near; posed, deformed, far from the origin, and at sizes near the ends of the range.
#include "distance_answers.h"
#include "harness.h"
#include "posed_faces.h"
#include "sanitizers.h"
#include "scenes/shapes.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define THREAD_KINDS 3

static const uint32_t thread_counts[THREAD_KINDS] = {1, 2, 5};

typedef enum Kind {
    SPHERES,  ///< side by side
    NESTED,   ///< one in the other, a little larger one
    TORI,     ///< one through the other
    SOUPS,    ///< scattered triangles
    PLATES,   ///< parallel grids: all is equally near
    CORNERS,  ///< lattice triangles in boxes side by side: many are equally near
    CROSSING, ///< they touch
    KIND_COUNT
} Kind;

static const char *const kind_names[KIND_COUNT] = {"spheres", "nested",  "tori",    "soups",
                                                   "plates",  "corners", "crossing"};

static struct {
    uint64_t touching, apart, tied, most_tied;
} tallies;

// ------------------------------------------------------------------------------------------- bodies

// A square grid in the plane z = 0, `steps` cells wide.
static imp_Mesh *make_plate(imp_Context *context, uint32_t steps)
{
    uint32_t side = steps + 1, count = 0;
    imp_Vec3 *vertices = malloc(side * side * sizeof *vertices);
    uint32_t *indices = malloc((size_t)6 * steps * steps * sizeof *indices);
    imp_Mesh *mesh = NULL;
    for (uint32_t i = 0; i < side * side; ++i)
        vertices[i] = (imp_Vec3){i % side, i / side, 0};
    for (uint32_t y = 0; y < steps; ++y)
        for (uint32_t x = 0; x < steps; ++x) {
            uint32_t corner = y * side + x;
            const uint32_t cell[6] = {corner, corner + 1,        corner + side + 1,
                                      corner, corner + side + 1, corner + side};
            for (int k = 0; k < 6; ++k)
                indices[count++] = cell[k];
        }
    imp_MeshDef def = {.vertices = &vertices->x,
                       .vertex_count = (size_t)side * side,
                       .indices = indices,
                       .triangle_count = count / 3};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    free(vertices);
    free(indices);
    return mesh;
}

typedef struct Pair {
    imp_Mesh *meshes[2];
    imp_Pose poses[2];
    imp_Vec3 *deformed; // of b, or null
} Pair;

static void make_pair(imp_Context *context, Kind kind, uint32_t fineness, Pair *pair)
{
    imp_Status status = IMP_STATUS_OK;
    double shift = test_random_between(2.1, 3);
    for (int i = 0; i < 2; ++i) {
        imp_Mesh **mesh = &pair->meshes[i];
        pair->poses[i] = (imp_Pose){.rotation = random_rotation()};
        if (kind == SPHERES || kind == CROSSING)
            status = scene_bumpy_sphere(context, 2 * fineness, fineness, 1, 0.05, test_random(), mesh);
        else if (kind == NESTED)
            status = scene_sphere(context, 2 * fineness, fineness, i ? 1.05 : 1, mesh);
        else if (kind == TORI)
            status = scene_torus(context, 2 * fineness, fineness, 1, 0.3, mesh);
        else if (kind == SOUPS)
            status = scene_soup(context, fineness * fineness, 0.05, test_random(), mesh);
        else if (kind == PLATES)
            *mesh = make_plate(context, fineness / 2 + test_random_below(5));
        else
            status = scene_grid_soup(context, 4 * fineness, 4, test_random(), mesh);
        CHECK_INT(status, IMP_STATUS_OK);
    }
    imp_Vec3 shifts[KIND_COUNT] = {
        [SPHERES] = {shift, 0.1, 0.2}, [TORI] = {1, 0, 0},    [SOUPS] = {shift, 0, 0},
        [PLATES] = {0.5, 1, 0.75},     [CORNERS] = {5, 1, 0}, [CROSSING] = {1.5, 0, 0}};
    pair->poses[1].translation = shifts[kind];
    if (kind == PLATES || kind == CORNERS)
        pair->poses[0].rotation = pair->poses[1].rotation = (imp_Quat){0};
    if (kind == TORI) // one stands on the other's middle
        pair->poses[0].rotation = (imp_Quat){0}, pair->poses[1].rotation = (imp_Quat){0.8, 0.6, 0, 0};
}

// Both bodies times a power of two, or far from the origin.
static void place_pair(Pair *pair, imp_Context *context)
{
    static const int exponents[] = {0, 0, 0, 60, -60, 900, -900};
    int exponent = exponents[test_random_below(sizeof exponents / sizeof *exponents)];
    double scale = ldexp(1, exponent), off = test_random_below(4) ? 0 : 0x1p24 * scale;
    for (int i = 0; i < 2; ++i) {
        imp_Mesh *plain = pair->meshes[i];
        imp_Vec3 *t = &pair->poses[i].translation;
        CHECK_INT(scene_place(context, plain, scale, (imp_Vec3){0}, &pair->meshes[i]), IMP_STATUS_OK);
        *t = (imp_Vec3){t->x * scale + off, t->y * scale - off, t->z * scale};
        imp_mesh_release(plain);
    }
    pair->deformed = NULL;
    if (test_random_below(3))
        return;
    size_t count = imp_mesh_get_vertex_count(pair->meshes[1]);
    pair->deformed = malloc(count * sizeof *pair->deformed);
    for (size_t i = 0; i < count; ++i) {
        imp_Vec3 v = imp_mesh_get_vertices(pair->meshes[1])[i];
        pair->deformed[i] = (imp_Vec3){1.0625 * v.x, v.y, 1.03125 * v.z};
    }
}

// -------------------------------------------------------------------------------------------- truth

typedef struct Nearest {
    imp_Distance distance;
    uint32_t low, high;
    uint64_t count;
} Nearest;

// Boxes whose distance is not clearly more.
static bool may_be_nearer(const imp_Box *a, const imp_Box *b, double most)
{
    const double low_a[3] = {a->min.x, a->min.y, a->min.z}, high_a[3] = {a->max.x, a->max.y, a->max.z};
    const double low_b[3] = {b->min.x, b->min.y, b->min.z}, high_b[3] = {b->max.x, b->max.y, b->max.z};
    long double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double gap = low_a[axis] > high_b[axis]   ? low_a[axis] - high_b[axis]
                     : low_b[axis] > high_a[axis] ? low_b[axis] - high_a[axis]
                                                  : 0;
        if (gap > most * (1 + 1e-9))
            return false;
        square += (long double)gap * gap;
    }
    return square <= (long double)most * most * (1 + 1e-9L);
}

static int compare_nearness(const Nearest *a, const Nearest *b)
{
    const imp_Distance *one = &a->distance, *other = &b->distance;
    if (one->distance != other->distance)
        return one->distance < other->distance ? -1 : 1;
    return (one->lower_bound > other->lower_bound) - (one->lower_bound < other->lower_bound);
}

static Nearest find_nearest(const PosedFaces *a, const PosedFaces *b)
{
    Nearest best = {.distance = {.distance = INFINITY, .lower_bound = INFINITY}};
    for (size_t i = 0; i < a->count; ++i) {
        if (!may_be_nearer(&a->boxes[i], &b->bounds, best.distance.distance))
            continue;
        for (size_t k = 0; k < b->count; ++k) {
            Nearest next = {.low = (uint32_t)(i < k ? i : k), .high = (uint32_t)(i < k ? k : i), .count = 1};
            if (!may_be_nearer(&a->boxes[i], &b->boxes[k], best.distance.distance))
                continue;
            CHECK_INT(imp_triangles_distance(&a->triangles[i], &b->triangles[k], &next.distance),
                      IMP_STATUS_OK);
            int order = compare_nearness(&next, &best);
            if (order == 0) {
                next.count += best.count++;
                order = next.low != best.low    ? (next.low < best.low ? -1 : 1)
                        : next.high < best.high ? -1
                                                : 1;
            }
            if (order < 0)
                best = next;
        }
    }
    return best;
}

// ------------------------------------------------------------------------------------------- trials

static imp_Distance ask(imp_Context *context, const Pair *pair, bool with_history)
{
    CaseWorld asked = {NULL, {0}, {0}};
    imp_Distance distance;
    CHECK_INT(imp_world_create(context, NULL, &asked.world), IMP_STATUS_OK);
    for (int i = 0; i < 2; ++i) {
        imp_BodyDef def = {.mesh = pair->meshes[i], .pose = pair->poses[i]};
        CHECK_INT(imp_world_add_body(asked.world, &def, i ? &asked.b : &asked.a), IMP_STATUS_OK);
    }
    if (pair->deformed)
        CHECK_INT(imp_body_set_vertices(asked.world, asked.b, &pair->deformed->x,
                                        imp_mesh_get_vertex_count(pair->meshes[1])),
                  IMP_STATUS_OK);
    for (int i = 0; with_history && i < 3; ++i) {
        imp_Pose pose = pair->poses[1];
        pose.translation.x *= 1 + 0.001 * i;
        pose.rotation = i == 2 ? random_rotation() : pose.rotation;
        CHECK_INT(imp_body_set_pose(asked.world, asked.b, pose), IMP_STATUS_OK);
        case_world_ask(&asked, NULL);
    }
    CHECK_INT(imp_body_set_pose(asked.world, asked.b, pair->poses[1]), IMP_STATUS_OK);
    distance = case_world_ask(&asked, NULL);
    imp_world_destroy(asked.world);
    return distance;
}

static void check_pair(imp_Context *const *contexts, const Pair *pair)
{
    PosedFaces a = posed_faces_make(pair->meshes[0], NULL, &pair->poses[0]);
    PosedFaces b = posed_faces_make(pair->meshes[1], pair->deformed, &pair->poses[1]);
    Nearest truth = find_nearest(&a, &b);
    imp_Distance cold = ask(contexts[0], pair, false), warm = ask(contexts[0], pair, true);
    uint32_t low = cold.a.face < cold.b.face ? cold.a.face : cold.b.face;
    uint32_t high = cold.a.face < cold.b.face ? cold.b.face : cold.a.face;
    bool held = CHECK(cold.distance == truth.distance.distance &&
                      cold.lower_bound == truth.distance.lower_bound && !cold.has_stopped) &&
                CHECK(cold.touch == (truth.distance.distance == 0)) &&
                CHECK(low == truth.low && high == truth.high) && CHECK(same_distance(&cold, &warm));
    if (!held) {
        print_distance("brute force", &truth.distance);
        print_distance("cold", &cold);
        print_distance("warm", &warm);
        printf("  faces %u and %u, of %" PRIu64 "\n", truth.low, truth.high, truth.count);
    }
    for (int i = 1; i < THREAD_KINDS; ++i) {
        imp_Distance shared = ask(contexts[i], pair, i == 2);
        if (!CHECK(same_distance(&cold, &shared)))
            print_distance("on several threads", &shared);
    }
    ++*(cold.touch ? &tallies.touching : &tallies.apart);
    tallies.tied += truth.count > 1;
    tallies.most_tied = truth.count > tallies.most_tied ? truth.count : tallies.most_tied;
    posed_faces_free(&a);
    posed_faces_free(&b);
}

#ifdef TEST_UNDER_SANITIZER
#define DEFAULT_COUNT 7
#define MOST_FINE     4
#else
#define DEFAULT_COUNT 14
#define MOST_FINE     12
#endif

// Surfaces that are near each other everywhere have enough block pairs for all threads.
static void check_shared(imp_Context *const *contexts, Kind kind, uint32_t fineness)
{
    Pair pair = {.deformed = NULL};
    make_pair(contexts[0], kind, fineness, &pair);
    imp_Distance alone = ask(contexts[0], &pair, false);
    CHECK(alone.distance > 0 && isfinite(alone.distance));
    for (int i = 1; i < THREAD_KINDS; ++i)
        for (int k = 0; k < 3; ++k) {
            imp_Distance shared = ask(contexts[i], &pair, k == 2);
            if (!CHECK(same_distance(&alone, &shared))) {
                print_distance("alone", &alone);
                print_distance("shared", &shared);
            }
        }
    imp_mesh_release(pair.meshes[0]);
    imp_mesh_release(pair.meshes[1]);
}

TEST(threads_share_a_search)
{
    imp_Context *contexts[THREAD_KINDS];
    for (int i = 0; i < THREAD_KINDS; ++i)
        contexts[i] = context_with_threads(thread_counts[i]);
    check_shared(contexts, NESTED, 24 + MOST_FINE);
    check_shared(contexts, PLATES, 40 + MOST_FINE);
    check_shared(contexts, CORNERS, 240 + MOST_FINE);
    for (int i = 0; i < THREAD_KINDS; ++i)
        imp_context_destroy(contexts[i]);
}

TEST(distances_of_large_bodies)
{
    uint64_t total = test_count(DEFAULT_COUNT);
    imp_Context *contexts[THREAD_KINDS];
    for (int i = 0; i < THREAD_KINDS; ++i)
        contexts[i] = context_with_threads(thread_counts[i]);
    for (uint64_t i = 0; i < total; ++i) {
        Pair pair;
        Kind kind = (Kind)(i % KIND_COUNT);
        int failed = test_failed_checks();
        make_pair(contexts[0], kind, 8 + test_random_below(MOST_FINE), &pair);
        place_pair(&pair, contexts[0]);
        check_pair(contexts, &pair);
        if (test_failed_checks() > failed)
            printf("  case %" PRIu64 ", %s%s\n", i, kind_names[kind], pair.deformed ? ", deformed" : "");
        imp_mesh_release(pair.meshes[0]);
        imp_mesh_release(pair.meshes[1]);
        free(pair.deformed);
    }
    printf("%" PRIu64 " touch, %" PRIu64 " apart, %" PRIu64 " with several nearest, %" PRIu64 " at most\n",
           tallies.touching, tallies.apart, tallies.tied, tallies.most_tied);
    if (total >= KIND_COUNT)
        CHECK(8 * tallies.touching > total && 2 * tallies.apart > total && 4 * tallies.tied > total &&
              tallies.most_tied > 100);
    for (int i = 0; i < THREAD_KINDS; ++i)
        imp_context_destroy(contexts[i]);
}
