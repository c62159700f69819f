/// Bodies that move during an interval: bounds, boxes of blocks and boxes of faces hold every vertex at the
/// begin, at the end, and at any time between, on the straight line from one to the other; faces that meet at
/// some time are found. Bodies that come to rest again are as if they had never moved.
#include "harness.h"
#include "object/block_pairs.h"
#include "object/face_boxes.h"
#include "object/posed_surface.h"
#include "posed_faces.h"
#include "sanitizers.h"
#include "scenes/shapes.h"

#include <math.h>
#include <stdio.h>

#define MESH_KINDS 5
#define TIMES      6 // begin, end, and others

// How often each outcome occurred.
typedef struct Tally {
    uint64_t vertices, tight, wider, deformed, still, meetings, only_between, pairs_found, pairs_not;
} Tally;

static Tally tally;

typedef struct Stage {
    imp_Context *context;
    imp_Mesh *meshes[MESH_KINDS];
} Stage;

// A body, where it goes, and its vertices (block by block) at some times.
typedef struct Mover {
    impi_Body body;
    imp_Transform end;
    size_t vertex_count;
    imp_Vec3 *vertices[TIMES];
} Mover;

static void stage_make(Stage *stage, uint32_t thread_count)
{
    *stage = (Stage){.context = context_with_threads(thread_count)};
    imp_Context *context = stage->context;
    CHECK_INT(scene_sphere(context, 12, 9, 0.7, &stage->meshes[0]), IMP_STATUS_OK);
    CHECK_INT(scene_torus(context, 20, 12, 1, 0.25, &stage->meshes[1]), IMP_STATUS_OK);
    CHECK_INT(scene_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){0.5, 0.25, 1}, &stage->meshes[2]),
              IMP_STATUS_OK);
    // More than one range of groups of blocks, so that bounds are put together.
    CHECK_INT(scene_sphere(context, 150, 90, 1, &stage->meshes[3]), IMP_STATUS_OK);
    CHECK_INT(scene_soup(context, 150, 0.2, 5, &stage->meshes[4]), IMP_STATUS_OK);
}

static void stage_destroy(Stage *stage)
{
    for (int i = 0; i < MESH_KINDS; ++i)
        imp_mesh_release(stage->meshes[i]);
    imp_context_destroy(stage->context);
}

// ---- movers

static imp_Pose random_pose(imp_Vec3 centre, double reach)
{
    double x = test_random_between(-reach, reach), y = test_random_between(-reach, reach);
    double z = test_random_between(-reach, reach);
    return (imp_Pose){{centre.x + x, centre.y + y, centre.z + z}, random_rotation()};
}

static imp_Vec3 random_centre(void)
{
    return test_random_below(3) ? (imp_Vec3){0, 0, 0} : (imp_Vec3){1e7, -3e7, 2e6};
}

static void deform(Stage *stage, impi_Body *body)
{
    const imp_Mesh *mesh = impi_body_surface(body);
    size_t count = imp_mesh_get_vertex_count(mesh);
    imp_Vec3 *vertices = malloc(count * sizeof *vertices);
    double factor = test_random_between(0.3, 2);
    for (size_t i = 0; i < count; ++i) {
        imp_Vec3 v = imp_mesh_get_vertices(mesh)[i];
        vertices[i] = (imp_Vec3){factor * v.x, v.y, v.z + 0.1 * v.x};
    }
    CHECK_INT(impi_body_deform(stage->context, body, &vertices->x, count), IMP_STATUS_OK);
    free(vertices);
    ++tally.deformed;
}

// On the line from `from` to `to`, at k / 256 of it: products are exact in long double, and one rounding of a
// number between two doubles stays between them.
static double between(double from, double to, uint32_t k)
{
    long double t = k / 256.0L;
    return (double)((1 - t) * from + t * to);
}

static void follow(Mover *mover)
{
    const imp_Vec3 *own = impi_body_vertices(&mover->body);
    const imp_Transform *end = mover->body.end ? mover->body.end : &mover->body.transform;
    uint32_t times[TIMES] = {0, 256};
    for (int time = 2; time < TIMES; ++time)
        times[time] = test_random_below(257);
    for (size_t i = 0; i < mover->vertex_count; ++i) {
        imp_Vec3 from = imp_transform_apply(&mover->body.transform, own[i]);
        imp_Vec3 to = imp_transform_apply(end, own[i]);
        mover->vertices[0][i] = from;
        mover->vertices[1][i] = to;
        for (int time = 2; time < TIMES; ++time)
            mover->vertices[time][i] =
                (imp_Vec3){between(from.x, to.x, times[time]), between(from.y, to.y, times[time]),
                           between(from.z, to.z, times[time])};
    }
}

// Set off, or with no pose to go to, stay.
static void set_off(Stage *stage, Mover *mover, const imp_Pose *begin, const imp_Pose *end)
{
    imp_Transform transform;
    CHECK_INT(impi_body_check_pose(stage->context, &mover->body, begin, &transform), IMP_STATUS_OK);
    if (end)
        CHECK_INT(impi_body_check_pose(stage->context, &mover->body, end, &mover->end), IMP_STATUS_OK);
    mover->body.end = end ? &mover->end : NULL;
    impi_body_move(&mover->body, begin, &transform);
    follow(mover);
}

static void mover_make(Stage *stage, imp_Mesh *mesh, imp_Vec3 centre, Mover *mover)
{
    imp_Pose pose = random_pose(centre, 1.5);
    CHECK_INT(impi_body_make(stage->context, &mesh->shape, &pose, &mover->body), IMP_STATUS_OK);
    if (test_random_below(3) == 0)
        deform(stage, &mover->body);
    mover->vertex_count = mover->body.blocks->blocks.vertex_count;
    for (int time = 0; time < TIMES; ++time)
        mover->vertices[time] = malloc(mover->vertex_count * sizeof *mover->vertices[time]);
}

static void mover_destroy(Stage *stage, Mover *mover)
{
    for (int time = 0; time < TIMES; ++time)
        free(mover->vertices[time]);
    impi_body_release(&stage->context->allocator, &mover->body);
}

// ---- boxes

static bool is_in(const imp_Box *box, const imp_Vec3 *p)
{
    return box->min.x <= p->x && p->x <= box->max.x && box->min.y <= p->y && p->y <= box->max.y &&
           box->min.z <= p->z && p->z <= box->max.z;
}

static bool is_box_in(const imp_Box *box, const imp_Box *inner)
{
    return is_in(box, &inner->min) && is_in(box, &inner->max);
}

static bool holds(const imp_Box *box, const Mover *mover, size_t first, size_t count)
{
    bool held = true;
    for (int time = 0; time < TIMES; ++time)
        for (size_t i = first; i < first + count; ++i)
            held &= is_in(box, &mover->vertices[time][i]);
    return held;
}

// Around vertices [first, first + count) at the begin and at the end.
static imp_Box box_around(const Mover *mover, size_t first, size_t count)
{
    imp_Box box = {mover->vertices[0][first], mover->vertices[0][first]};
    for (size_t i = first; i < first + count; ++i) {
        box_include(&box, &mover->vertices[0][i]);
        box_include(&box, &mover->vertices[1][i]);
    }
    return box;
}

static bool are_same_boxes(const imp_Box *a, const imp_Box *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static imp_Box tree_box(const impi_Surface *surface, size_t block)
{
    return impi_box_lanes_load(&surface->tree.levels[0][block / IMPI_GROUP_SIZE], block % IMPI_GROUP_SIZE);
}

static void check_bounds(Stage *stage, Mover *mover)
{
    impi_Budget budget;
    impi_Body *body = &mover->body;
    imp_Box around = box_around(mover, 0, mover->vertex_count);
    impi_arena_reset(&stage->context->scratch);
    impi_budget_begin(&budget, 0, NULL);
    CHECK_INT(impi_bodies_bound(stage->context, &budget, &body, 1), IMP_STATUS_OK);
    CHECK(holds(&body->bounds, mover, 0, mover->vertex_count));
    tally.vertices += mover->vertex_count;
    tally.wider += !are_same_boxes(&body->bounds, &around);
}

// Both kinds of trees, and the tight boxes of blocks.
static void check_blocks(Stage *stage, Mover *mover, bool exact)
{
    impi_Body *body = &mover->body;
    CHECK_INT(impi_surfaces_require(stage->context, &body, 1, exact), IMP_STATUS_OK);
    const impi_Surface *surface = impi_surface_of(body);
    CHECK((surface->end_vertices != NULL) == (body->end != NULL));
    for (uint32_t number = 0; number < surface->blocks->block_count; ++number) {
        const impi_FaceBlock *block = &surface->blocks->blocks[number];
        imp_Box box = tree_box(surface, number);
        imp_Box around = box_around(mover, block->first_vertex, block->vertex_count);
        CHECK(holds(&box, mover, block->first_vertex, block->vertex_count));
        CHECK(is_box_in(&surface->bounds, &box));
        CHECK(impi_block_is_posed(body, number) || !exact);
        impi_block_pose(body, number);
        CHECK(impi_block_is_posed(body, number));
        CHECK(are_same_boxes(&surface->boxes[number], &around));
        if (exact)
            CHECK(are_same_boxes(&box, &around));
        tally.tight += exact;
    }
}

static float to_frame(double x, double origin, double scale)
{
    return (float)((x - origin) * scale);
}

static bool lane_holds(const impi_FaceBoxes *boxes, unsigned lane, const impi_BoxFrame *frame, imp_Vec3 v)
{
    const double at[3] = {v.x, v.y, v.z};
    const double origin[3] = {frame->origin.x, frame->origin.y, frame->origin.z};
    for (int axis = 0; axis < 3; ++axis) {
        float x = to_frame(at[axis], origin[axis], frame->scale);
        if (!(boxes->min[axis][lane] <= x && x <= boxes->max[axis][lane] && boxes->whole[axis] <= x &&
              x <= boxes->whole[3 + axis]))
            return false;
    }
    return true;
}

// With a margin also whatever is that near to a vertex.
static void check_face_boxes(const Mover *mover, uint32_t number, const impi_BoxFrame *frame, double margin)
{
    const impi_Surface *surface = impi_surface_of(&mover->body);
    const impi_FaceBlock *block = &surface->blocks->blocks[number];
    impi_FaceBoxes boxes;
    impi_face_boxes_fill(&boxes, surface, number, frame, margin);
    for (unsigned face = 0; face < IMPI_BLOCK_FACES; ++face) {
        if (face >= block->face_count) {
            CHECK(isnan(boxes.min[0][face]) && isnan(boxes.max[2][face]));
            continue;
        }
        for (int time = 0; time < TIMES; ++time)
            for (int corner = 0; corner < 3; ++corner) {
                imp_Vec3 v = mover->vertices[time][block->first_vertex + block->corners[corner][face]];
                imp_Vec3 near = {v.x + margin, v.y - margin, v.z + margin};
                CHECK(lane_holds(&boxes, face, frame, v) && lane_holds(&boxes, face, frame, near));
            }
    }
}

static void check_all_boxes(Stage *stage, Mover *mover, imp_Vec3 centre)
{
    static const double margins[] = {0, 0.1, 1e-9};
    check_bounds(stage, mover);
    check_blocks(stage, mover, test_random_below(2));
    impi_BoxFrame frame = {{centre.x + test_random_unit(), centre.y, centre.z - test_random_unit()},
                           test_random_between(0.1, 3)};
    for (int i = 0; i < 4; ++i)
        check_face_boxes(mover, test_random_below((uint32_t)mover->body.blocks->blocks.block_count), &frame,
                         margins[test_random_below(3)]);
}

// ---- tests

#if defined(TEST_UNDER_SANITIZER)
#define DEFAULT_CASES 60
#else
#define DEFAULT_CASES 300
#endif

TEST(boxes_hold_vertices_all_the_way)
{
    uint64_t count = test_count(DEFAULT_CASES);
    Stage stage;
    tally = (Tally){0};
    stage_make(&stage, 2);
    for (uint64_t i = 0; i < count; ++i) {
        Mover mover;
        imp_Vec3 centre = random_centre();
        mover_make(&stage, stage.meshes[i % MESH_KINDS], centre, &mover);
        // One body goes several ways, and rests between.
        for (int way = 0; way < 3; ++way) {
            imp_Pose begin = random_pose(centre, 1.5), end = random_pose(centre, 1.5);
            bool is_still = test_random_below(4) == 0;
            set_off(&stage, &mover, &begin, is_still ? NULL : &end);
            check_all_boxes(&stage, &mover, centre);
            tally.still += is_still;
        }
        mover_destroy(&stage, &mover);
    }
    stage_destroy(&stage);
    printf("  vertices %llu, tight blocks %llu, bounds wider than need be %llu, deformed %llu, still %llu\n",
           (unsigned long long)tally.vertices, (unsigned long long)tally.tight,
           (unsigned long long)tally.wider, (unsigned long long)tally.deformed,
           (unsigned long long)tally.still);
    if (count >= 50)
        CHECK(tally.vertices > 100 * count && tally.tight > count && tally.wider > count &&
              tally.deformed > count / 6 && tally.still > count / 4);
}

static void check_same_surfaces(const impi_Body *a, const impi_Body *b, const impi_BoxFrame *frame)
{
    const impi_Surface *left = impi_surface_of(a), *right = impi_surface_of(b);
    CHECK(!left->end_vertices && !right->end_vertices);
    CHECK(are_same_boxes(&a->bounds, &b->bounds) && are_same_boxes(&left->bounds, &right->bounds));
    CHECK(memcmp(left->vertices, right->vertices, left->blocks->vertex_count * sizeof *left->vertices) == 0);
    CHECK(memcmp(left->boxes, right->boxes, left->blocks->block_count * sizeof *left->boxes) == 0);
    for (uint32_t number = 0; number < left->blocks->block_count; ++number) {
        imp_Box box = tree_box(left, number), other = tree_box(right, number);
        impi_FaceBoxes faces, other_faces;
        impi_face_boxes_fill(&faces, left, number, frame, 0);
        impi_face_boxes_fill(&other_faces, right, number, frame, 0);
        CHECK(are_same_boxes(&box, &other));
        CHECK(memcmp(faces.min, other_faces.min, sizeof faces.min) == 0 &&
              memcmp(faces.max, other_faces.max, sizeof faces.max) == 0 &&
              memcmp(faces.whole, other_faces.whole, sizeof faces.whole) == 0);
    }
}

static void prepare(Stage *stage, impi_Body *body, bool exact)
{
    impi_Budget budget;
    impi_arena_reset(&stage->context->scratch);
    impi_budget_begin(&budget, 0, NULL);
    CHECK_INT(impi_bodies_bound(stage->context, &budget, &body, 1), IMP_STATUS_OK);
    CHECK_INT(impi_surfaces_require(stage->context, &body, 1, exact), IMP_STATUS_OK);
    for (uint32_t i = 0; i < body->blocks->blocks.block_count; ++i)
        impi_block_pose(body, i);
}

TEST(at_rest_again_is_as_never_moved)
{
    uint64_t count = test_count(DEFAULT_CASES / 2);
    Stage stage;
    tally = (Tally){0};
    stage_make(&stage, 1);
    for (uint64_t i = 0; i < count; ++i) {
        Mover mover;
        impi_Body plain;
        imp_Vec3 centre = random_centre();
        imp_Pose begin = random_pose(centre, 1.5), end = random_pose(centre, 1.5);
        imp_Mesh *mesh = stage.meshes[i % MESH_KINDS];
        bool exact = test_random_below(2);
        impi_BoxFrame frame = {centre, 1.5};
        mover_make(&stage, mesh, centre, &mover);
        CHECK_INT(impi_body_deform(stage.context, &mover.body, NULL, 0), IMP_STATUS_OK);
        set_off(&stage, &mover, &begin, &end);
        prepare(&stage, &mover.body, exact);
        set_off(&stage, &mover, &begin, NULL);
        prepare(&stage, &mover.body, exact);
        CHECK_INT(impi_body_make(stage.context, &mesh->shape, &begin, &plain), IMP_STATUS_OK);
        prepare(&stage, &plain, exact);
        check_same_surfaces(&mover.body, &plain, &frame);
        impi_body_release(&stage.context->allocator, &plain);
        mover_destroy(&stage, &mover);
    }
    stage_destroy(&stage);
}

// ---- pairs

typedef struct FoundFaces {
    bool *found; // face_a * face_count_b + face_b
    size_t face_count_b;
} FoundFaces;

static bool note_faces(const impi_BlockFacePair *candidates, size_t count, void *argument)
{
    const FoundFaces *faces = argument;
    for (size_t i = 0; i < count; ++i)
        faces->found[candidates[i].a * faces->face_count_b + candidates[i].b] = true;
    return true;
}

static void find_faces(Stage *stage, const impi_Surface *a, const impi_Surface *b, FoundFaces *faces)
{
    const imp_Allocator *allocator = &stage->context->allocator;
    impi_BlockPairsScratch *scratch = aligned_alloc(64, (impi_block_pairs_scratch_size() + 63) / 64 * 64);
    impi_BlockPairs pairs = {0};
    impi_BlockSearch search = {a, b, 0, 0};
    CHECK(impi_block_pairs_find(allocator, &search, SIZE_MAX, &pairs));
    pairs.count = impi_block_pairs_keep_meeting(a, b, 0, pairs.data, pairs.count);
    for (size_t done = 0; done < pairs.count; done += IMPI_MAX_BLOCK_PAIRS) {
        size_t left = pairs.count - done;
        impi_BlockPairRun run = {a, b, 0, pairs.data + done,
                                 left < IMPI_MAX_BLOCK_PAIRS ? left : IMPI_MAX_BLOCK_PAIRS};
        impi_block_pairs_find_faces(&run, scratch, note_faces, faces);
    }
    impi_array_free(allocator, &pairs, sizeof *pairs.data);
    free(scratch);
}

static imp_Box face_box(const Mover *mover, impi_BlockFace face, int time)
{
    const impi_FaceBlock *block = impi_block_of(impi_surface_of(&mover->body), face);
    const imp_Vec3 *vertices = mover->vertices[time] + block->first_vertex;
    unsigned lane = face % IMPI_BLOCK_FACES;
    imp_Box box = {vertices[block->corners[0][lane]], vertices[block->corners[0][lane]]};
    box_include(&box, &vertices[block->corners[1][lane]]);
    box_include(&box, &vertices[block->corners[2][lane]]);
    return box;
}

static bool face_exists(const Mover *mover, impi_BlockFace face)
{
    return face % IMPI_BLOCK_FACES < impi_block_of(impi_surface_of(&mover->body), face)->face_count;
}

// Times are the same for both movers only at the begin and the end; but boxes hold all times of each.
static void check_pairs(Stage *stage, const Mover *a, const Mover *b)
{
    const impi_Surface *left = impi_surface_of(&a->body), *right = impi_surface_of(&b->body);
    size_t count_a = left->blocks->block_count * IMPI_BLOCK_FACES,
           count_b = right->blocks->block_count * IMPI_BLOCK_FACES;
    FoundFaces faces = {calloc(count_a * count_b, sizeof(bool)), count_b};
    find_faces(stage, left, right, &faces);
    for (uint32_t i = 0; i < count_a; ++i)
        for (uint32_t k = 0; k < count_b; ++k) {
            bool found = faces.found[i * count_b + k], meets_at_ends = false, meets_between = false;
            if (!face_exists(a, i) || !face_exists(b, k))
                continue;
            for (int time = 0; time < TIMES; ++time) {
                imp_Box box_a = face_box(a, i, time), box_b = face_box(b, k, time);
                if (boxes_overlap(&box_a, &box_b))
                    *(time < 2 ? &meets_at_ends : &meets_between) = true;
            }
            CHECK(found || !(meets_at_ends || meets_between));
            tally.meetings += meets_at_ends || meets_between;
            tally.only_between += meets_between && !meets_at_ends;
            tally.pairs_found += found;
            tally.pairs_not += !found;
        }
    free(faces.found);
}

TEST(faces_that_meet_on_their_way_are_found)
{
    uint64_t count = test_count(DEFAULT_CASES / 4);
    Stage stage;
    tally = (Tally){0};
    stage_make(&stage, 1);
    for (uint64_t i = 0; i < count; ++i) {
        static const int kinds[] = {0, 2, 4};
        Mover movers[2];
        imp_Vec3 centre = random_centre();
        bool exact = test_random_below(2);
        for (int k = 0; k < 2; ++k) {
            imp_Pose begin = random_pose(centre, 1), end = random_pose(centre, 1);
            end.rotation = begin.rotation;
            mover_make(&stage, stage.meshes[kinds[test_random_below(3)]], centre, &movers[k]);
            set_off(&stage, &movers[k], &begin, k == 0 || test_random_below(2) ? &end : NULL);
            prepare(&stage, &movers[k].body, exact);
        }
        check_pairs(&stage, &movers[0], &movers[1]);
        mover_destroy(&stage, &movers[0]);
        mover_destroy(&stage, &movers[1]);
    }
    stage_destroy(&stage);
    printf("  face boxes meet %llu, of them only between begin and end %llu; found %llu, not %llu\n",
           (unsigned long long)tally.meetings, (unsigned long long)tally.only_between,
           (unsigned long long)tally.pairs_found, (unsigned long long)tally.pairs_not);
    if (count >= 50)
        CHECK(tally.meetings > 10 * count && tally.only_between > count &&
              tally.pairs_found > tally.meetings && tally.pairs_not > 100 * count);
}
