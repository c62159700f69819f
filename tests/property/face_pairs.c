/// The face pairs that a world reports for two bodies against brute force with the oracle in rational
/// arithmetic: generated meshes in random, exact and extreme positions, and the sample meshes.
#include "harness.h"
#include "oracle/case_numbers.h"
#include "oracle/exact_oracle.h"
#include "posed_faces.h"
#include "sanitizers.h"
#include "scenes/shapes.h"

#include <math.h>
#include <stdio.h>

typedef enum Placement {
    PLACE_RANDOM,
    PLACE_SELF,         // the same mesh twice, at the same pose
    PLACE_SELF_SHIFTED, // the same, moved by less than a face
    PLACE_LATTICE,      // whole numbers and exact rotations: faces in common planes, edges on edges
    PLACE_VERTEX,       // one vertex on another, from outside
    PLACE_FAR,          // 10^7 times their size away from the origin
    PLACE_MIXED_SIZES,  // one 10^-6, the other 10^6
    PLACE_EXTREME,      // both about 10^150, 10^-150, 10^300 or near the smallest double
    PLACEMENT_COUNT
} Placement;

static const char *const placement_names[PLACEMENT_COUNT] = {"random", "self", "self shifted", "lattice",
                                                             "vertex", "far",  "mixed sizes",  "extreme"};

// How many of 40 cases are placed like this; a tenth is exactly degenerate.
static const unsigned placement_shares[PLACEMENT_COUNT] = {18, 3, 3, 4, 3, 3, 3, 3};
#define SHARE_SUM 40

// Under sanitizers the large meshes, which come last, would take minutes.
#define SMALL_MESHES 5u
#if defined(TEST_UNDER_SANITIZER)
#define DEFAULT_CASES 200
#define MESH_COUNT    6u
#else
#define DEFAULT_CASES 400
#define MESH_COUNT    11u
#endif

#define THREAD_KINDS 3
static const uint32_t thread_counts[THREAD_KINDS] = {1, 2, 5};

typedef struct Bench {
    imp_Context *contexts[THREAD_KINDS];
} Bench;

static Bench bench_make(void)
{
    Bench bench;
    for (int i = 0; i < THREAD_KINDS; ++i)
        bench.contexts[i] = context_with_threads(thread_counts[i]);
    return bench;
}

static void bench_destroy(Bench *bench)
{
    for (int i = 0; i < THREAD_KINDS; ++i)
        imp_context_destroy(bench->contexts[i]);
}

typedef struct PairCase {
    imp_Mesh *mesh_a, *mesh_b;
    imp_Pose pose_a, pose_b;
    Placement placement;
} PairCase;

static void pair_case_free(PairCase *pair)
{
    imp_mesh_release(pair->mesh_a);
    imp_mesh_release(pair->mesh_b);
}

static const uint32_t paper_face_counts[] = {8, 10, 24, 48, 54, 80, 120, 168, 224, 360, 528, 728, 960, 3968};
#define PAPER_COUNTS (sizeof paper_face_counts / sizeof *paper_face_counts)

// Large ones seldom: the oracle is slow.
static imp_Status make_paper_sphere(imp_Context *context, imp_Mesh **mesh)
{
    uint32_t first = test_random_below(PAPER_COUNTS);
    uint32_t second = test_random_below(PAPER_COUNTS);
    return scene_sphere_of_faces(context, paper_face_counts[first < second ? first : second], 1, mesh);
}

// Each about one or two units in size.
static imp_Mesh *random_mesh(imp_Context *context)
{
    imp_Mesh *mesh = NULL;
    imp_Status status = IMP_STATUS_OK;
    uint32_t kind = test_random_below(12);
    uint32_t steps = 3 + test_random_below(14);
    uint32_t more_steps = 3 + test_random_below(14);
    uint64_t seed = test_random();
    double size = test_random_between(0.05, 0.9);
    switch (kind) {
    case 0:
    case 1:
    case 2:
        status = make_paper_sphere(context, &mesh);
        break;
    case 3:
        status = scene_torus(context, steps, more_steps, 1, 0.7 * size, &mesh);
        break;
    case 4:
        status = scene_box(context, (imp_Vec3){-size, -1, -0.5}, (imp_Vec3){size, 1, size}, &mesh);
        break;
    case 5:
        status = scene_bumpy_sphere(context, steps, more_steps, 1, size, seed, &mesh);
        break;
    case 6:
        status = scene_hollow_sphere(context, steps, more_steps, 1, size, &mesh);
        break;
    case 7:
        status = scene_needle(context, steps, 0x1p-20 * size, &mesh);
        break;
    case 8:
        status = scene_star_prism(context, steps, size, size, &mesh);
        break;
    case 9:
        status = scene_soup(context, 20 * steps, size, seed, &mesh);
        break;
    case 10:
        status = scene_soup(context, 300, 0.05, seed, &mesh);
        break;
    default:
        status = scene_l_prism(context, size, &mesh);
        break;
    }
    CHECK_INT(status, IMP_STATUS_OK);
    return mesh;
}

static imp_Mesh *place_mesh(imp_Context *context, imp_Mesh *mesh, double scale, imp_Vec3 offset)
{
    imp_Mesh *placed = NULL;
    CHECK_INT(scene_place(context, mesh, scale, offset, &placed), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    return placed;
}

// With all coordinates rounded to multiples of 2^-20, so that small sums of them are exact.
static imp_Mesh *snap_mesh(imp_Context *context, imp_Mesh *mesh)
{
    size_t count = imp_mesh_get_vertex_count(mesh);
    imp_Vec3 *vertices = malloc(count * sizeof *vertices);
    imp_Mesh *snapped = NULL;
    for (size_t i = 0; i < count; ++i) {
        const imp_Vec3 *v = &imp_mesh_get_vertices(mesh)[i];
        vertices[i] = (imp_Vec3){ldexp(rint(ldexp(v->x, 20)), -20), ldexp(rint(ldexp(v->y, 20)), -20),
                                 ldexp(rint(ldexp(v->z, 20)), -20)};
    }
    imp_MeshDef def = {.vertices = &vertices->x,
                       .vertex_count = count,
                       .indices = imp_mesh_get_indices(mesh),
                       .triangle_count = imp_mesh_get_triangle_count(mesh)};
    CHECK_INT(imp_mesh_create(context, &def, &snapped), IMP_STATUS_OK);
    free(vertices);
    imp_mesh_release(mesh);
    return snapped;
}

static imp_Vec3 difference(imp_Vec3 a, imp_Vec3 b)
{
    return (imp_Vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

// The corner of a random face.
static imp_Vec3 random_corner(const imp_Mesh *mesh, imp_Triangle *triangle)
{
    uint32_t face = test_random_below((uint32_t)imp_mesh_get_triangle_count(mesh));
    CHECK_INT(imp_mesh_get_triangle(mesh, face, triangle), IMP_STATUS_OK);
    return triangle->v[0];
}

// The vertex that lies farthest along x, or least far.
static imp_Vec3 extreme_vertex(const imp_Mesh *mesh, double direction)
{
    const imp_Vec3 *vertices = imp_mesh_get_vertices(mesh);
    imp_Vec3 best = vertices[imp_mesh_get_indices(mesh)[0]];
    for (size_t i = 0; i < 3 * imp_mesh_get_triangle_count(mesh); ++i) {
        imp_Vec3 v = vertices[imp_mesh_get_indices(mesh)[i]];
        if (direction * v.x > direction * best.x)
            best = v;
    }
    return best;
}

// One of the twelve rotations whose matrices hold only 0, 1 and -1, without any rounding.
static imp_Quat exact_rotation(void)
{
    uint32_t kind = test_random_below(4);
    if (test_random_below(2))
        return (imp_Quat){kind == 0, kind == 1, kind == 2, kind == 3};
    double signs[4];
    for (int i = 0; i < 4; ++i)
        signs[i] = test_random_below(2) ? 0.5 : -0.5;
    return (imp_Quat){signs[0], signs[1], signs[2], signs[3]};
}

static imp_Mesh *lattice_mesh(imp_Context *context)
{
    imp_Mesh *mesh = NULL;
    imp_Status status;
    uint64_t seed = test_random();
    imp_Vec3 most = {1 + test_random_below(3), 1 + test_random_below(3), 1 + test_random_below(3)};
    switch (test_random_below(4)) {
    case 0:
        status = scene_box(context, (imp_Vec3){0, 0, 0}, most, &mesh);
        break;
    case 1:
        status = scene_l_prism(context, most.x, &mesh);
        break;
    case 2:
        status = scene_grid_soup(context, 60, 3, seed, &mesh);
        break;
    default:
        status = scene_grid_soup(context, 200, 5, seed, &mesh);
        break;
    }
    CHECK_INT(status, IMP_STATUS_OK);
    return mesh;
}

static imp_Pose random_pose(double reach)
{
    imp_Vec3 translation = random_vector(reach);
    return (imp_Pose){translation, random_rotation()};
}

static void place_self(PairCase *pair)
{
    pair->mesh_b = imp_mesh_retain(pair->mesh_a);
    if (test_random_below(2))
        pair->pose_a = pair->pose_b = random_pose(3);
}

static void place_self_shifted(PairCase *pair)
{
    imp_Triangle triangle;
    pair->mesh_b = imp_mesh_retain(pair->mesh_a);
    random_corner(pair->mesh_a, &triangle);
    imp_Vec3 edge = difference(triangle.v[1], triangle.v[0]),
             other = difference(triangle.v[2], triangle.v[0]);
    double u = test_random_below(3) ? 0.25 : 0;
    double v = test_random_below(2) ? 0.5 : 0x1p-30;
    pair->pose_b.translation =
        (imp_Vec3){u * edge.x + v * other.x, u * edge.y + v * other.y, u * edge.z + v * other.z};
}

static void place_on_lattice(imp_Context *context, PairCase *pair)
{
    imp_mesh_release(pair->mesh_a);
    pair->mesh_a = lattice_mesh(context);
    pair->mesh_b = test_random_below(4) ? lattice_mesh(context) : imp_mesh_retain(pair->mesh_a);
    pair->pose_a.rotation = exact_rotation();
    pair->pose_b.rotation = exact_rotation();
    pair->pose_b.translation = random_lattice_point(2);
    if (test_random_below(4) == 0)
        pair->pose_b.translation.x += 0.5;
}

static void place_vertex(imp_Context *context, PairCase *pair)
{
    pair->mesh_a = snap_mesh(context, pair->mesh_a);
    pair->mesh_b = snap_mesh(context, random_mesh(context));
    pair->pose_b.translation = difference(extreme_vertex(pair->mesh_a, 1), extreme_vertex(pair->mesh_b, -1));
}

static void place_far(imp_Context *context, PairCase *pair)
{
    imp_Vec3 far_away = random_vector(1);
    far_away = (imp_Vec3){1e7 * far_away.x, 1e7 * far_away.y, 1e7};
    pair->mesh_b = random_mesh(context);
    pair->pose_a = random_pose(0.6);
    pair->pose_b = random_pose(0.6);
    pair->pose_a.translation = sum(pair->pose_a.translation, far_away);
    pair->pose_b.translation = sum(pair->pose_b.translation, far_away);
}

// The small one sits around a corner or the middle of a face of the large one.
static void place_mixed(imp_Context *context, PairCase *pair)
{
    imp_Triangle triangle;
    pair->mesh_b = place_mesh(context, random_mesh(context), 1e6, (imp_Vec3){0, 0, 0});
    pair->mesh_a = place_mesh(context, pair->mesh_a, 1e-6, (imp_Vec3){0, 0, 0});
    imp_Vec3 place = random_corner(pair->mesh_b, &triangle);
    if (test_random_below(2)) {
        place = (imp_Vec3){triangle.v[0].x / 3 + triangle.v[1].x / 3 + triangle.v[2].x / 3,
                           triangle.v[0].y / 3 + triangle.v[1].y / 3 + triangle.v[2].y / 3,
                           triangle.v[0].z / 3 + triangle.v[1].z / 3 + triangle.v[2].z / 3};
    }
    pair->pose_a.translation = place;
    pair->pose_a.rotation = random_rotation();
}

static void place_extreme(imp_Context *context, PairCase *pair)
{
    static const double scales[] = {1e150, 1e-150, 1e300, 1e-300, 0x1p-1060, 3e307};
    double scale = scales[test_random_below(6)];
    imp_Vec3 none = {0, 0, 0};
    pair->mesh_a = place_mesh(context, pair->mesh_a, scale, none);
    pair->mesh_b = place_mesh(context, random_mesh(context), scale, none);
    pair->pose_b = random_pose(0.7 * scale);
    if (test_random_below(6) == 0) // far beyond each other's precision
        pair->mesh_b = place_mesh(context, pair->mesh_b, scale > 1 ? 0x1p-600 : 0x1p600, none);
}

static PairCase random_pair(imp_Context *context, Placement placement)
{
    PairCase pair = {.mesh_a = random_mesh(context), .placement = placement};
    switch (placement) {
    case PLACE_SELF:
        place_self(&pair);
        break;
    case PLACE_SELF_SHIFTED:
        place_self_shifted(&pair);
        break;
    case PLACE_LATTICE:
        place_on_lattice(context, &pair);
        break;
    case PLACE_VERTEX:
        place_vertex(context, &pair);
        break;
    case PLACE_FAR:
        place_far(context, &pair);
        break;
    case PLACE_MIXED_SIZES:
        place_mixed(context, &pair);
        break;
    case PLACE_EXTREME:
        place_extreme(context, &pair);
        break;
    default:
        pair.mesh_b = random_mesh(context);
        pair.pose_a = random_pose(0.8);
        pair.pose_b = random_pose(0.8);
    }
    return pair;
}

static Placement random_placement(void)
{
    uint32_t share = test_random_below(SHARE_SUM);
    unsigned placement = 0;
    for (; share >= placement_shares[placement]; ++placement)
        share -= placement_shares[placement];
    return (Placement)placement;
}

static bool same_face_pairs(const imp_Report *report, const FacePairList *wanted, bool swapped)
{
    if (report->face_pair_count != wanted->count || report->face_pair_total != wanted->count)
        return false;
    for (size_t i = 0; i < wanted->count; ++i) {
        const imp_TouchingFaces *got = &report->face_pairs[i];
        const imp_FacePair *want = &wanted->pairs[i];
        if (got->body_a.slot != 1 || got->body_b.slot != 2 ||
            got->face_a != (swapped ? want->face_b : want->face_a) ||
            got->face_b != (swapped ? want->face_a : want->face_b))
            return false;
    }
    return true;
}

static imp_World *world_of_pair(imp_Context *context, const PairCase *pair, bool swapped)
{
    imp_World *world = NULL;
    imp_BodyId ids[2];
    imp_BodyDef defs[2] = {{.mesh = pair->mesh_a, .pose = pair->pose_a},
                           {.mesh = pair->mesh_b, .pose = pair->pose_b}};
    CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_OK);
    for (int i = 0; i < 2; ++i)
        CHECK_INT(imp_world_add_body(world, &defs[swapped ? 1 - i : i], &ids[i]), IMP_STATUS_OK);
    return world;
}

// Compare one detect with the list that is wanted.
static bool agrees(imp_Context *context, const PairCase *pair, const FacePairList *wanted, bool swapped,
                   const imp_DetectDef *def)
{
    const imp_Report *report = NULL;
    imp_World *world = world_of_pair(context, pair, swapped);
    bool same = CHECK_INT(imp_world_detect(world, def, &report), IMP_STATUS_OK) &&
                same_face_pairs(report, wanted, swapped) &&
                (report->body_pair_count > 0 && report->body_pairs[0].relations & IMP_RELATION_TOUCH) ==
                    (wanted->count > 0);
    if (!same && report)
        printf("  %s: %zu and %zu faces, method %d level %u, %u threads%s: %zu pairs, the oracle has %zu\n",
               placement_names[pair->placement], imp_mesh_get_triangle_count(pair->mesh_a),
               imp_mesh_get_triangle_count(pair->mesh_b), (int)def->method, (unsigned)def->smith_level,
               (unsigned)imp_context_get_thread_count(context), swapped ? ", swapped" : "",
               report->face_pair_count, wanted->count);
    imp_world_destroy(world);
    return same;
}

// Mirrored: pairs in the order of the second body's faces.
static int compare_by_second(const void *left, const void *right)
{
    const imp_FacePair *a = left, *b = right;
    return compare_face_pairs(&(imp_FacePair){a->face_b, a->face_a}, &(imp_FacePair){b->face_b, b->face_a});
}

static bool check_pair(const Bench *bench, const PairCase *pair, FacePairList *wanted)
{
    static const imp_DetectMethod methods[THREAD_KINDS] = {IMP_METHOD_AUTO, IMP_METHOD_EXACT_BOXES,
                                                           IMP_METHOD_POSED_BOXES};
    imp_DetectDef by_auto = {0};
    bool same = true;
    for (int i = 0; i < THREAD_KINDS; ++i)
        same &=
            CHECK(agrees(bench->contexts[i], pair, wanted, false, &(imp_DetectDef){.method = methods[i]}));
    if (imp_mesh_get_triangle_count(pair->mesh_a) + imp_mesh_get_triangle_count(pair->mesh_b) < 1500) {
        uint32_t level = test_random_below(6);
        imp_DetectDef by_paper = {.method = IMP_METHOD_SMITH_1994, .smith_level = level};
        same &= CHECK(agrees(bench->contexts[0], pair, wanted, false, &by_paper));
    }
    if (wanted->count > 0)
        qsort(wanted->pairs, wanted->count, sizeof *wanted->pairs, compare_by_second);
    same &= CHECK(agrees(bench->contexts[0], pair, wanted, true, &by_auto));
    return same;
}

static FacePairList wanted_pairs(const PairCase *pair, TrianglesTouchFn touch)
{
    FacePairList wanted = {0};
    PosedFaces a = posed_faces_make(pair->mesh_a, NULL, &pair->pose_a);
    PosedFaces b = posed_faces_make(pair->mesh_b, NULL, &pair->pose_b);
    brute_force_touching(&a, &b, touch, &wanted);
    posed_faces_free(&a);
    posed_faces_free(&b);
    return wanted;
}

TEST(face_pairs_equal_the_oracle)
{
    uint64_t count = test_count(DEFAULT_CASES), cases[PLACEMENT_COUNT] = {0}, touching[PLACEMENT_COUNT] = {0};
    uint64_t face_pairs = 0, touching_cases = 0;
    Bench bench = bench_make();
    for (uint64_t i = 0; i < count; ++i) {
        PairCase pair = random_pair(bench.contexts[0], random_placement());
        FacePairList wanted = wanted_pairs(&pair, oracle_triangles_touch);
        ++cases[pair.placement];
        touching[pair.placement] += wanted.count > 0;
        touching_cases += wanted.count > 0;
        face_pairs += wanted.count;
        if (!check_pair(&bench, &pair, &wanted))
            printf("  case %llu\n", (unsigned long long)i);
        face_pair_list_free(&wanted);
        pair_case_free(&pair);
    }
    for (int i = 0; i < PLACEMENT_COUNT; ++i) {
        printf("  %-12s %llu of %llu pairs touch\n", placement_names[i], (unsigned long long)touching[i],
               (unsigned long long)cases[i]);
        if (count >= DEFAULT_CASES)
            CHECK(cases[i] > 0 && 4 * touching[i] >= cases[i]);
    }
    printf("  %llu touching face pairs\n", (unsigned long long)face_pairs);
    if (count >= DEFAULT_CASES) {
        CHECK_INT(touching[PLACE_SELF], cases[PLACE_SELF]);
        CHECK_INT(touching[PLACE_VERTEX], cases[PLACE_VERTEX]);
        CHECK(touching_cases < count);
        CHECK(face_pairs > 20 * count);
    }
    bench_destroy(&bench);
}

// A paper's sphere at the identity against itself, and against another of its series.
TEST(all_face_counts_of_the_papers)
{
    Bench bench = bench_make();
    for (size_t i = 0; i < PAPER_COUNTS; ++i) {
        PairCase pair = {.placement = PLACE_RANDOM};
        pair.pose_b.translation = (imp_Vec3){1.25, 0.5, 0.25};
        CHECK_INT(scene_sphere_of_faces(bench.contexts[0], paper_face_counts[i], 1, &pair.mesh_a),
                  IMP_STATUS_OK);
        CHECK_INT(scene_sphere_of_faces(bench.contexts[0], paper_face_counts[PAPER_COUNTS - 1 - i], 1,
                                        &pair.mesh_b),
                  IMP_STATUS_OK);
        FacePairList wanted = wanted_pairs(&pair, oracle_triangles_touch);
        CHECK(wanted.count > 0);
        check_pair(&bench, &pair, &wanted);
        face_pair_list_free(&wanted);
        pair_case_free(&pair);
    }
    bench_destroy(&bench);
}

static const char *const mesh_names[] = {
    "suzanne", "fandisk-1500", "homer-1500", "spot-1500", "stanford-bunny-1500", "cow",
    "fandisk", "homer",        "spot",       "teapot",    "stanford-bunny"};
#define MESH_POSES 3

// Centred at the origin and of unit size, so that any two meet.
static imp_Mesh *load_sample(imp_Context *context, const char *name)
{
    char path[512];
    imp_Mesh *mesh = NULL;
    snprintf(path, sizeof path, "%s/meshes/%s.obj", test_data_dir(), name);
    if (!CHECK_INT(imp_mesh_load(context, path, &mesh), IMP_STATUS_OK)) {
        printf("  %s\n", imp_context_get_error(context)->message);
        return NULL;
    }
    imp_Box box = imp_mesh_get_bounds(mesh);
    imp_Vec3 size = difference(box.max, box.min);
    double scale = 1 / fmax(fmax(size.x, size.y), size.z);
    return place_mesh(context, mesh, scale,
                      (imp_Vec3){-scale * (box.min.x + 0.5 * size.x), -scale * (box.min.y + 0.5 * size.y),
                                 -scale * (box.min.z + 0.5 * size.z)});
}

static imp_Pose sample_pose(int number)
{
    if (number == 0)
        return (imp_Pose){0};
    if (number == 1)
        return (imp_Pose){.translation = {0.25, 0, 0}};
    return random_pose(0.4);
}

static void check_samples(const Bench *bench, imp_Mesh *mesh_a, imp_Mesh *mesh_b, bool is_small,
                          uint64_t *face_pairs, uint64_t *touching)
{
    for (int i = 0; i < MESH_POSES; ++i) {
        PairCase pair = {.mesh_a = mesh_a,
                         .mesh_b = mesh_b,
                         .pose_b = sample_pose(i),
                         .placement = i == 0 ? PLACE_SELF : PLACE_RANDOM};
        FacePairList wanted = wanted_pairs(&pair, library_triangles_touch);
        if (is_small && i == 2) {
            FacePairList exact = wanted_pairs(&pair, oracle_triangles_touch);
            CHECK_INT(wanted.count, exact.count);
            CHECK(exact.count == 0 ||
                  memcmp(wanted.pairs, exact.pairs, exact.count * sizeof *exact.pairs) == 0);
            face_pair_list_free(&exact);
        }
        *face_pairs += wanted.count;
        *touching += wanted.count > 0;
        check_pair(bench, &pair, &wanted);
        face_pair_list_free(&wanted);
    }
}

TEST(sample_meshes_against_each_other)
{
    imp_Mesh *meshes[MESH_COUNT] = {0};
    uint64_t face_pairs = 0, touching = 0;
    if (!test_data_dir()) {
        test_skip("no sample meshes beside the project");
        return;
    }
    Bench bench = bench_make();
    for (size_t i = 0; i < MESH_COUNT; ++i)
        meshes[i] = load_sample(bench.contexts[0], mesh_names[i]);
    for (size_t a = 0; a < MESH_COUNT; ++a)
        for (size_t b = a; b < MESH_COUNT && meshes[a]; ++b)
            if (meshes[b])
                check_samples(&bench, meshes[a], meshes[b], b < SMALL_MESHES, &face_pairs, &touching);
    printf("  %llu of %u poses touch, %llu face pairs\n", (unsigned long long)touching,
           MESH_COUNT * (MESH_COUNT + 1) / 2 * MESH_POSES, (unsigned long long)face_pairs);
    CHECK(touching > MESH_COUNT * (MESH_COUNT + 1) / 2 * MESH_POSES / 2);
    CHECK(face_pairs > 1000 * MESH_COUNT * MESH_COUNT);
    for (size_t i = 0; i < MESH_COUNT; ++i)
        imp_mesh_release(meshes[i]);
    bench_destroy(&bench);
}
