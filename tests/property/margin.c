/// How near counts, through the stages: bodies, blocks and faces no farther apart than the margin, in every
/// axis, are all found, and none that is farther by more than rounding. Gaps are compared exactly; margins
/// are often a gap that some pair has, or its neighbours among doubles.
#include "harness.h"
#include "object/block_pairs.h"
#include "object/posed_surface.h"
#include "posed_faces.h"
#include "sanitizers.h"
#include "scenes/shapes.h"
#include "world/broad_stage.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#define MAX_BODIES 24
#define MESH_KINDS 5

// How often each outcome occurred.
typedef struct Tally {
    uint64_t bodies_found, bodies_not, bodies_at, bodies_beyond;
    uint64_t blocks_found, blocks_not, blocks_at, blocks_beyond, blocks_dropped;
    uint64_t faces_found, faces_not, faces_at, faces_rounded;
    uint64_t touching, far_away;
} Tally;

static Tally tally;

// ---- gaps

// The sign of (low - high) - margin, exactly.
static int compare_gap(double low, double high, double margin)
{
    double gap = low - high, back = gap + high;
    double error = (low - back) - (high - (back - gap));
    if (gap != margin)
        return gap > margin ? 1 : -1; // gap is the nearest double: the error does not reach another one
    return (error > 0) - (error < 0);
}

static double coordinate(const imp_Vec3 *v, int axis)
{
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

// How the widest gap of two boxes compares with the margin. Edges of `b` come nearer by `ulps` first.
static int compare_boxes(const imp_Box *a, const imp_Box *b, double margin, int ulps)
{
    int widest = -1;
    for (int axis = 0; axis < 3; ++axis) {
        double low = coordinate(&b->min, axis), high = coordinate(&b->max, axis);
        for (int i = 0; i < ulps; ++i) {
            low = nextafter(low, -INFINITY);
            high = nextafter(high, INFINITY);
        }
        int below = compare_gap(low, coordinate(&a->max, axis), margin);
        int above = compare_gap(coordinate(&a->min, axis), high, margin);
        widest = below > widest ? below : widest;
        widest = above > widest ? above : widest;
    }
    return widest;
}

// Is finding the pair, or not finding it, right? A margin is added with one rounding, no margin with none.
static bool is_right(const imp_Box *a, const imp_Box *b, double margin, bool found)
{
    return found ? compare_boxes(a, b, margin, margin > 0) <= 0 : compare_boxes(a, b, margin, 0) > 0;
}

static bool is_one_ulp_beyond(const imp_Box *a, const imp_Box *b, double margin)
{
    return compare_boxes(a, b, margin, 0) > 0 && compare_boxes(a, b, nextafter(margin, INFINITY), 0) <= 0;
}

static double widest_gap(const imp_Box *a, const imp_Box *b)
{
    double gap = 0;
    for (int axis = 0; axis < 3; ++axis) {
        gap = fmax(gap, coordinate(&b->min, axis) - coordinate(&a->max, axis));
        gap = fmax(gap, coordinate(&a->min, axis) - coordinate(&b->max, axis));
    }
    return gap;
}

// None, any size, or such that these two boxes are at it, just within or just beyond.
static double choose_margin(const imp_Box *a, const imp_Box *b)
{
    double gap = widest_gap(a, b);
    switch (test_random_below(6)) {
    case 0:
        return 0;
    case 1:
        return ldexp(1 + test_random_unit(), test_random_below(16) ? (int)test_random_below(60) - 50 : 1000);
    case 2:
        return nextafter(gap, INFINITY);
    case 3:
        return gap > 0 ? nextafter(gap, 0) : 0;
    default:
        return gap;
    }
}

// ---- bodies

typedef struct Stage {
    imp_Context *context;
    imp_Mesh *meshes[MESH_KINDS];
    impi_Body bodies[MAX_BODIES]; // slot s is bodies[s - 1]
    size_t count;
} Stage;

static void stage_make(Stage *stage, uint32_t thread_count)
{
    *stage = (Stage){.context = context_with_threads(thread_count)};
    imp_Context *context = stage->context;
    CHECK_INT(scene_sphere(context, 16, 11, 0.7, &stage->meshes[0]), IMP_STATUS_OK);
    CHECK_INT(scene_torus(context, 24, 16, 1, 0.25, &stage->meshes[1]), IMP_STATUS_OK);
    CHECK_INT(scene_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){0.5, 0.25, 1}, &stage->meshes[2]),
              IMP_STATUS_OK);
    CHECK_INT(scene_grid_soup(context, 200, 8, 9, &stage->meshes[3]), IMP_STATUS_OK);
    CHECK_INT(scene_soup(context, 150, 0.2, 5, &stage->meshes[4]), IMP_STATUS_OK);
}

static void drop_bodies(Stage *stage)
{
    for (size_t i = 0; i < stage->count; ++i)
        impi_body_release(&stage->context->allocator, &stage->bodies[i]);
    stage->count = 0;
}

static void stage_destroy(Stage *stage)
{
    drop_bodies(stage);
    for (int i = 0; i < MESH_KINDS; ++i)
        imp_mesh_release(stage->meshes[i]);
    imp_context_destroy(stage->context);
}

// On a lattice without rotation gaps are exact and the same for many pairs.
static imp_Pose random_pose(imp_Vec3 centre, double reach, bool on_lattice)
{
    double x = test_random_between(-reach, reach), y = test_random_between(-reach, reach);
    double z = test_random_between(-reach, reach);
    if (on_lattice)
        return (imp_Pose){.translation = {centre.x + rint(8 * x) / 8, centre.y + rint(8 * y) / 8,
                                          centre.z + rint(8 * z) / 8}};
    return (imp_Pose){{centre.x + x, centre.y + y, centre.z + z}, random_rotation()};
}

static void fill_stage(Stage *stage, size_t count, double reach)
{
    bool on_lattice = test_random_below(2), is_far = test_random_below(3) == 0;
    imp_Vec3 centre = is_far ? (imp_Vec3){1e7, -3e7, 1e7 + 0.1} : (imp_Vec3){0, 0, 0};
    drop_bodies(stage);
    for (; stage->count < count; ++stage->count) {
        imp_Pose pose = random_pose(centre, reach, on_lattice);
        impi_Body *body = &stage->bodies[stage->count];
        // The box and the grid soup lie on a lattice themselves.
        imp_Mesh *mesh = stage->meshes[on_lattice ? 2 + test_random_below(2) : test_random_below(MESH_KINDS)];
        CHECK_INT(impi_body_make(stage->context, &mesh->shape, &pose, body), IMP_STATUS_OK);
        body->slot = (uint32_t)stage->count + 1;
    }
    tally.far_away += is_far;
}

static void count_bodies(const imp_Box *a, const imp_Box *b, double margin, bool found)
{
    tally.bodies_found += found;
    tally.bodies_not += !found;
    tally.bodies_at += margin > 0 && compare_boxes(a, b, margin, 0) == 0;
    tally.bodies_beyond += margin > 0 && is_one_ulp_beyond(a, b, margin);
    tally.touching += margin == 0 && found;
}

static void check_bodies(const Stage *stage, const impi_IndexPairs *pairs, double margin)
{
    size_t next = 0;
    for (uint32_t a = 1; a <= stage->count; ++a)
        for (uint32_t b = a + 1; b <= stage->count; ++b) {
            const imp_Box *box_a = &stage->bodies[a - 1].bounds, *box_b = &stage->bodies[b - 1].bounds;
            bool found = next < pairs->count && pairs->data[next].a == a && pairs->data[next].b == b;
            next += found;
            CHECK(is_right(box_a, box_b, margin, found));
            if (margin == 0)
                CHECK(found == boxes_overlap(box_a, box_b));
            count_bodies(box_a, box_b, margin, found);
        }
    CHECK_INT(next, pairs->count); // sorted, each once
}

static void list_bodies(Stage *stage, impi_Body **bodies)
{
    for (size_t i = 0; i < stage->count; ++i)
        bodies[i] = &stage->bodies[i];
}

// One search is asked several times, as worlds do.
static void run_broad(Stage *stage)
{
    impi_Body *bodies[MAX_BODIES];
    impi_BroadStage broad;
    impi_Budget budget;
    const impi_IgnoredPairs ignored = {0};
    impi_budget_begin(&budget, 0, NULL);
    impi_broad_stage_init(&broad, &stage->context->allocator);
    CHECK(impi_box_table_reserve(&broad.boxes, stage->count));
    for (size_t i = 0; i < stage->count; ++i)
        impi_box_table_add(&broad.boxes, (uint32_t)i + 1, (impi_PairFilter){0, 0, 0});
    list_bodies(stage, bodies);
    CHECK_INT(impi_bodies_bound(stage->context, &budget, bodies, stage->count), IMP_STATUS_OK);
    for (int i = 0; i < 4; ++i) {
        uint32_t a = test_random_below((uint32_t)stage->count), b = test_random_below((uint32_t)stage->count);
        double margin = choose_margin(&stage->bodies[a].bounds, &stage->bodies[b].bounds);
        impi_BroadAsk ask = {
            .bodies = stage->bodies, .margin = margin, .ignored = &ignored, .budget = &budget};
        impi_arena_reset(&stage->context->scratch);
        CHECK_INT(impi_bounds_stage(stage->context, &ask, bodies, stage->count, &broad.boxes), IMP_STATUS_OK);
        if (CHECK_INT(impi_broad_stage(stage->context, &broad, &ask), IMP_STATUS_OK))
            check_bodies(stage, &broad.pairs, margin);
    }
    impi_broad_stage_destroy(&stage->context->allocator, &broad);
}

// ---- blocks

static imp_Box tree_box(const impi_Surface *surface, size_t block)
{
    return impi_box_lanes_load(&surface->tree.levels[0][block / IMPI_GROUP_SIZE], block % IMPI_GROUP_SIZE);
}

static imp_Box exact_box(const impi_Surface *surface, size_t block)
{
    return surface->boxes[block];
}

typedef imp_Box (*BlockBoxFn)(const impi_Surface *surface, size_t block);

// Are the pairs, which are sorted, those of all blocks whose boxes are within the margin?
static void check_blocks(const impi_Surface *a, const impi_Surface *b, BlockBoxFn box_of, double margin,
                         const impi_BlockPairs *pairs)
{
    size_t next = 0;
    for (uint32_t i = 0; i < a->blocks->block_count; ++i)
        for (uint32_t k = 0; k < b->blocks->block_count; ++k) {
            imp_Box box_a = box_of(a, i), box_b = box_of(b, k);
            bool found =
                next < pairs->count && pairs->data[next].block_a == i && pairs->data[next].block_b == k;
            next += found;
            CHECK(is_right(&box_a, &box_b, margin, found));
            tally.blocks_found += found;
            tally.blocks_not += !found;
            tally.blocks_at += margin > 0 && compare_boxes(&box_a, &box_b, margin, 0) == 0;
            tally.blocks_beyond += margin > 0 && is_one_ulp_beyond(&box_a, &box_b, margin);
        }
    CHECK_INT(next, pairs->count);
}

static void pose_all_blocks(impi_Body *body)
{
    for (uint32_t i = 0; i < body->blocks->blocks.block_count; ++i)
        impi_block_pose(body, i);
}

// ---- faces

typedef struct FaceBox {
    imp_Box box;
    bool exists;
} FaceBox;

static FaceBox face_box(const impi_Surface *surface, impi_BlockFace face)
{
    FaceBox result = {.exists = face % IMPI_BLOCK_FACES < impi_block_of(surface, face)->face_count};
    if (!result.exists)
        return result;
    imp_Triangle triangle = impi_surface_triangle(surface, face);
    result.box = (imp_Box){triangle.v[0], triangle.v[0]};
    box_include(&result.box, &triangle.v[1]);
    box_include(&result.box, &triangle.v[2]);
    return result;
}

typedef struct FoundFaces {
    bool *found; // face_a * face_count_b + face_b
    size_t face_count_b;
    uint64_t twice;
} FoundFaces;

static bool note_faces(const impi_BlockFacePair *candidates, size_t count, void *argument)
{
    FoundFaces *faces = argument;
    for (size_t i = 0; i < count; ++i) {
        bool *found = &faces->found[candidates[i].a * faces->face_count_b + candidates[i].b];
        faces->twice += *found;
        *found = true;
    }
    return true;
}

// The largest coordinate of the two boxes, and of the margin, in the frame that both are rounded in: around
// the middle of what the surfaces' bounds have in common.
static double local_size(const impi_Surface *a, const impi_Surface *b, const imp_Box *box_a,
                         const imp_Box *box_b, double margin, int axis)
{
    double middle = 0.5 * fmax(coordinate(&a->bounds.min, axis), coordinate(&b->bounds.min, axis)) +
                    0.5 * fmin(coordinate(&a->bounds.max, axis), coordinate(&b->bounds.max, axis));
    double size =
        fmax(fabs(coordinate(&box_a->min, axis) - middle), fabs(coordinate(&box_a->max, axis) - middle));
    size = fmax(size, fabs(coordinate(&box_b->min, axis) - middle));
    size = fmax(size, fabs(coordinate(&box_b->max, axis) - middle));
    return size + margin;
}

// Two numbers are rounded to float, each by at most half an ulp of the largest: 2^-24 of it, so 2^-23 in all.
// Before that they went through a sum, a difference and a product in double precision, at the scale of the
// world.
static bool is_near_enough(const impi_Surface *a, const impi_Surface *b, const imp_Box *box_a,
                           const imp_Box *box_b, double margin)
{
    for (int axis = 0; axis < 3; ++axis) {
        double gap = fmax(coordinate(&box_b->min, axis) - coordinate(&box_a->max, axis),
                          coordinate(&box_a->min, axis) - coordinate(&box_b->max, axis));
        double world = fabs(coordinate(&box_a->min, axis)) + fabs(coordinate(&box_b->min, axis)) + margin;
        double slack = 0x1p-23 * local_size(a, b, box_a, box_b, margin, axis) + 0x1p-49 * world;
        if (gap > margin + slack)
            return false;
    }
    return true;
}

static void check_face_pair(const impi_Surface *a, const impi_Surface *b, const imp_Box *box_a,
                            const imp_Box *box_b, double margin, bool found)
{
    int order = compare_boxes(box_a, box_b, margin, 0);
    CHECK(found ? is_near_enough(a, b, box_a, box_b, margin) : order > 0);
    tally.faces_found += found;
    tally.faces_not += !found;
    tally.faces_at += margin > 0 && order == 0;
    tally.faces_rounded += found && order > 0;
}

static void check_faces(const impi_Surface *a, const impi_Surface *b, double margin,
                        const impi_BlockPairs *pairs)
{
    size_t count_a = a->blocks->block_count * IMPI_BLOCK_FACES,
           count_b = b->blocks->block_count * IMPI_BLOCK_FACES;
    impi_BlockPairsScratch *scratch = aligned_alloc(64, (impi_block_pairs_scratch_size() + 63) / 64 * 64);
    FoundFaces faces = {calloc(count_a * count_b, sizeof(bool)), count_b, 0};
    for (size_t done = 0; done < pairs->count; done += IMPI_MAX_BLOCK_PAIRS) {
        size_t left = pairs->count - done;
        impi_BlockPairRun run = {a, b, margin, pairs->data + done,
                                 left < IMPI_MAX_BLOCK_PAIRS ? left : IMPI_MAX_BLOCK_PAIRS};
        impi_block_pairs_find_faces(&run, scratch, note_faces, &faces);
    }
    CHECK_INT(faces.twice, 0);
    for (uint32_t i = 0; i < count_a; ++i) {
        FaceBox face_a = face_box(a, i);
        for (uint32_t k = 0; k < count_b; ++k) {
            FaceBox face_b = face_box(b, k);
            bool found = faces.found[i * count_b + k];
            if (face_a.exists && face_b.exists)
                check_face_pair(a, b, &face_a.box, &face_b.box, margin, found);
            else
                CHECK(!found);
        }
    }
    free(faces.found);
    free(scratch);
}

static double margin_of_blocks(const impi_Surface *a, const impi_Surface *b)
{
    uint32_t i = test_random_below((uint32_t)a->blocks->block_count);
    uint32_t k = test_random_below((uint32_t)b->blocks->block_count);
    BlockBoxFn box_of = test_random_below(2) ? tree_box : exact_box;
    imp_Box box_a = box_of(a, i), box_b = box_of(b, k);
    if (test_random_below(2)) {
        uint32_t last_a = impi_block_of(a, impi_block_face(i, 0))->face_count;
        uint32_t last_b = impi_block_of(b, impi_block_face(k, 0))->face_count;
        box_a = face_box(a, impi_block_face(i, test_random_below(last_a))).box;
        box_b = face_box(b, impi_block_face(k, test_random_below(last_b))).box;
    }
    return choose_margin(&box_a, &box_b);
}

static void run_blocks(Stage *stage, bool exact)
{
    impi_Body *bodies[2] = {&stage->bodies[0], &stage->bodies[1]};
    impi_BlockPairs pairs = {0};
    CHECK_INT(impi_surfaces_require(stage->context, bodies, 2, exact), IMP_STATUS_OK);
    pose_all_blocks(bodies[0]);
    pose_all_blocks(bodies[1]);
    const impi_Surface *a = impi_surface_of(bodies[0]), *b = impi_surface_of(bodies[1]);
    double margin = margin_of_blocks(a, b);
    impi_BlockSearch search = {a, b, margin, 0};
    bool found = true;
    while (found && search.next_block < a->blocks->block_count)
        found = CHECK(
            impi_block_pairs_find(&stage->context->allocator, &search, 1 + search.next_block % 20, &pairs));
    check_blocks(a, b, tree_box, margin, &pairs);
    size_t before = pairs.count;
    pairs.count = impi_block_pairs_keep_meeting(a, b, margin, pairs.data, pairs.count);
    tally.blocks_dropped += before - pairs.count;
    check_blocks(a, b, exact_box, margin, &pairs);
    check_faces(a, b, margin, &pairs);
    impi_array_free(&stage->context->allocator, &pairs, sizeof *pairs.data);
}

// ---- tests

#if defined(TEST_UNDER_SANITIZER)
#define DEFAULT_CASES 150
#else
#define DEFAULT_CASES 600
#endif

TEST(bodies_within_the_margin_are_found)
{
    uint64_t count = test_count(DEFAULT_CASES);
    Stage stage;
    tally = (Tally){0};
    stage_make(&stage, 2);
    for (uint64_t i = 0; i < count; ++i) {
        fill_stage(&stage, 2 + test_random_below(MAX_BODIES - 1), 4);
        run_broad(&stage);
    }
    stage_destroy(&stage);
    printf(
        "  found %llu, not %llu, exactly at the margin %llu, an ulp beyond %llu, touching %llu, far %llu\n",
        (unsigned long long)tally.bodies_found, (unsigned long long)tally.bodies_not,
        (unsigned long long)tally.bodies_at, (unsigned long long)tally.bodies_beyond,
        (unsigned long long)tally.touching, (unsigned long long)tally.far_away);
    if (count >= 50)
        CHECK(tally.bodies_found > 50 * count && tally.bodies_not > 50 * count && tally.bodies_at > count &&
              tally.bodies_beyond > count / 2 && tally.touching > count && tally.far_away > count / 5);
}

TEST(blocks_and_faces_within_the_margin_are_found)
{
    uint64_t count = test_count(DEFAULT_CASES);
    Stage stage;
    tally = (Tally){0};
    stage_make(&stage, 1);
    for (uint64_t i = 0; i < count; ++i) {
        fill_stage(&stage, 2, 1 + test_random_unit());
        run_blocks(&stage, test_random_below(2));
    }
    stage_destroy(&stage);
    printf("  blocks found %llu, not %llu, at the margin %llu, an ulp beyond %llu, dropped %llu\n",
           (unsigned long long)tally.blocks_found, (unsigned long long)tally.blocks_not,
           (unsigned long long)tally.blocks_at, (unsigned long long)tally.blocks_beyond,
           (unsigned long long)tally.blocks_dropped);
    printf("  faces found %llu, not %llu, at the margin %llu, found by rounding %llu\n",
           (unsigned long long)tally.faces_found, (unsigned long long)tally.faces_not,
           (unsigned long long)tally.faces_at, (unsigned long long)tally.faces_rounded);
    if (count < 50)
        return;
    CHECK(tally.blocks_found > 4 * count && tally.blocks_not > 4 * count && tally.blocks_at > count / 4 &&
          tally.blocks_beyond > count / 10 && tally.blocks_dropped > count / 20);
    CHECK(tally.faces_found > 100 * count && tally.faces_not > 100 * count && tally.faces_at > count &&
          tally.faces_rounded > count / 10);
}
