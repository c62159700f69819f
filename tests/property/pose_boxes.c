/// Boxes of blocks posed far from the origin: what a vertex is posed to never leaves its block's box, and no
/// pair of touching faces is lost, also where meshes come closer than a pose can tell apart. Beside it, what
/// other ways of posing boxes would lose, which shows that the cases are hard.
#include "geom/pose.h"
#include "harness.h"
#include "oracle/exact_oracle.h"
#include "posed_faces.h"
#include "sanitizers.h"
#include "shape/mesh_derived.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#if defined(TEST_UNDER_SANITIZER)
#define DEFAULT_CASES 10000
#else
#define DEFAULT_CASES 50000
#endif
#define POINTS_PER_BOX 14 // eight of them corners

static double size_of(imp_Vec3 v)
{
    return fmax(fmax(fabs(v.x), fabs(v.y)), fabs(v.z));
}

static imp_Vec3 random_vector(double reach)
{
    double x = test_random_between(-1, 1), y = test_random_between(-1, 1), z = test_random_between(-1, 1);
    return (imp_Vec3){reach * x, reach * y, reach * z};
}

// By nearly a multiple of 45 degrees around an axis of the frame or a diagonal; `off` is how nearly.
static imp_Quat awkward_rotation(double off)
{
    double angle = 0x1.921fb54442d18p-1 * (test_random_below(8) + off);
    double s = sin(0.5 * angle), c = cos(0.5 * angle);
    switch (test_random_below(4)) {
    case 0:
        return (imp_Quat){c, s, 0, 0};
    case 1:
        return (imp_Quat){c, 0, s, 0};
    case 2:
        return (imp_Quat){c, 0, 0, s};
    default:
        return (imp_Quat){c, s / sqrt(3), s / sqrt(3), s / sqrt(3)};
    }
}

static imp_Quat any_rotation(void)
{
    switch (test_random_below(4)) {
    case 0:
        return (imp_Quat){0};
    case 1:
        return awkward_rotation(0);
    case 2:
        return awkward_rotation(ldexp(1, -(int)test_random_below(54)));
    default:
        return random_rotation();
    }
}

// Most about 1, some subnormal, some near the largest double.
static double random_size(void)
{
    double factor = 1 + test_random_unit();
    int range = (int)test_random_below(80);
    switch (test_random_below(8)) {
    case 0:
        return ldexp(factor, -1074 + range);
    case 1:
        return ldexp(factor, 1021 - range / 4);
    default:
        return ldexp(factor, range - 40);
    }
}

static imp_Box random_box(double size)
{
    imp_Vec3 a = random_vector(size), b = random_vector(size);
    if (test_random_below(2)) { // small beside its distance from the origin
        imp_Vec3 step = random_vector(ldexp(size, -(int)test_random_below(54)));
        b = (imp_Vec3){a.x + step.x, a.y + step.y, a.z + step.z};
    }
    if (test_random_below(4) == 0) // flat
        b.z = a.z;
    return (imp_Box){{fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)},
                     {fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)}};
}

static double between(double low, double high)
{
    return fmin(fmax(low + test_random_unit() * (high - low), low), high);
}

// Corners first, then points anywhere in the box.
static imp_Vec3 point_in(const imp_Box *box, unsigned number)
{
    if (number < 8)
        return (imp_Vec3){number & 1 ? box->max.x : box->min.x, number & 2 ? box->max.y : box->min.y,
                          number & 4 ? box->max.z : box->min.z};
    return (imp_Vec3){between(box->min.x, box->max.x), between(box->min.y, box->max.y),
                      between(box->min.z, box->max.z)};
}

static bool is_in(const imp_Box *box, imp_Vec3 p)
{
    return box->min.x <= p.x && p.x <= box->max.x && box->min.y <= p.y && p.y <= box->max.y &&
           box->min.z <= p.z && p.z <= box->max.z;
}

static bool is_finite(imp_Vec3 p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

// 1 to 10^15 times as far away as the size, or where the first box comes to lie at the origin.
static imp_Transform random_transform(double size, const imp_Box *first)
{
    imp_Transform transform;
    imp_Pose pose = {.rotation = any_rotation()};
    double reach = size * pow(10, test_random_below(16));
    pose.translation = random_vector(fmin(reach, 0.9 * DBL_MAX));
    CHECK_INT(impi_pose_transform(&pose, &transform), IMP_STATUS_OK);
    if (test_random_below(8) == 0) {
        imp_Vec3 none = {0, 0, 0};
        transform.translation = none;
        imp_Vec3 p = impi_transform_apply(&transform, first->min);
        if (is_finite(p))
            transform.translation = (imp_Vec3){-p.x, -p.y, -p.z};
    }
    return transform;
}

// The other usual way to pose a box: its centre is posed and its half-widths are multiplied by the absolute
// values of the matrix. In exact arithmetic it gives the same box.
static imp_Box pose_by_centre(const imp_Box *box, const imp_Transform *transform)
{
    imp_Vec3 half = {0.5 * box->max.x - 0.5 * box->min.x, 0.5 * box->max.y - 0.5 * box->min.y,
                     0.5 * box->max.z - 0.5 * box->min.z};
    imp_Vec3 centre = {box->min.x + half.x, box->min.y + half.y, box->min.z + half.z};
    imp_Vec3 posed = impi_transform_apply(transform, centre);
    double width[3];
    for (int i = 0; i < 3; ++i)
        width[i] = fabs(transform->rows[i][0]) * half.x + fabs(transform->rows[i][1]) * half.y +
                   fabs(transform->rows[i][2]) * half.z;
    return (imp_Box){{posed.x - width[0], posed.y - width[1], posed.z - width[2]},
                     {posed.x + width[0], posed.y + width[1], posed.z + width[2]}};
}

// How many posed points left their boxes, for each way to pose boxes.
typedef struct Escapes {
    uint64_t points, overflows, library, by_centre, wide;
} Escapes;

static void check_lane(const imp_Box *box, const imp_Transform *transform, const imp_Box *library,
                       Escapes *escapes)
{
    imp_Box by_centre = pose_by_centre(box, transform), hull = {0};
    for (unsigned i = 0; i < POINTS_PER_BOX; ++i) {
        imp_Vec3 posed = impi_transform_apply(transform, point_in(box, i));
        if (!is_finite(posed)) {
            ++escapes->overflows;
            return;
        }
        ++escapes->points;
        escapes->library += !is_in(library, posed);
        escapes->by_centre += !is_in(&by_centre, posed);
        if (i == 0)
            hull = (imp_Box){posed, posed};
        box_include(&hull, &posed);
    }
    // Sharp as well: not farther from the posed corners than a few roundings, unless sums overflow.
    double size = fmax(size_of(box->min), size_of(box->max)) + size_of(transform->translation);
    double slack = isfinite(4 * size) ? 0x1p-46 * size + 0x1p-1066 : INFINITY;
    escapes->wide += hull.min.x - library->min.x > slack || library->max.x - hull.max.x > slack ||
                     hull.min.y - library->min.y > slack || library->max.y - hull.max.y > slack ||
                     hull.min.z - library->min.z > slack || library->max.z - hull.max.z > slack;
}

TEST(posed_points_stay_in_posed_boxes)
{
    uint64_t count = test_count(DEFAULT_CASES);
    Escapes escapes = {0};
    for (uint64_t i = 0; i < count; ++i) {
        impi_BoxLanes from, posed;
        double size = random_size();
        for (unsigned lane = 0; lane < IMPI_GROUP_SIZE; ++lane) {
            imp_Box box = random_box(size);
            impi_box_lanes_store(&from, lane, &box);
        }
        imp_Box first = impi_box_lanes_load(&from, 0);
        imp_Transform transform = random_transform(size, &first);
        impi_pose_boxes(&from, &transform, 1, &posed);
        for (unsigned lane = 0; lane < IMPI_GROUP_SIZE; ++lane) {
            imp_Box box = impi_box_lanes_load(&from, lane), library = impi_box_lanes_load(&posed, lane);
            check_lane(&box, &transform, &library, &escapes);
        }
    }
    printf("  %llu points, %llu boxes with overflow; outside: %llu, by centre %llu\n",
           (unsigned long long)escapes.points, (unsigned long long)escapes.overflows,
           (unsigned long long)escapes.library, (unsigned long long)escapes.by_centre);
    CHECK_INT(escapes.library, 0);
    CHECK_INT(escapes.wide, 0);
    if (count >= 1000)
        CHECK(escapes.points > 90 * count && escapes.overflows > 0 && escapes.by_centre > count);
}

typedef enum Meeting {
    MEET_FLAT,   // two sheets in parallel planes, closer than the rounding of the pose
    MEET_RELIEF, // the same with steps in the sheets
    MEET_POSE,   // one mesh twice, the second moved by less than the rounding of the pose
    MEET_CORNER, // sheets that share a corner, turned so that it is the utmost point of both
    MEETING_COUNT
} Meeting;

static const char *const meeting_names[MEETING_COUNT] = {"flat", "relief", "pose", "corner"};

#define CELLS 9 // to each side of a sheet, so that it has several blocks of faces

// Squares of side 1 from the origin along x and y, two faces each, moved by `offset`. Heights are 0 or 1.
static imp_Mesh *make_sheet(imp_Context *context, const bool *heights, imp_Vec3 offset)
{
    imp_Vec3 vertices[(CELLS + 1) * (CELLS + 1)];
    uint32_t indices[CELLS * CELLS][6];
    imp_Mesh *mesh = NULL;
    for (int y = 0; y <= CELLS; ++y)
        for (int x = 0; x <= CELLS; ++x)
            vertices[y * (CELLS + 1) + x] =
                (imp_Vec3){x + offset.x, y + offset.y, heights[y * (CELLS + 1) + x] + offset.z};
    for (uint32_t i = 0; i < CELLS * CELLS; ++i) {
        uint32_t corner = i / CELLS * (CELLS + 1) + i % CELLS, above = corner + CELLS + 1;
        uint32_t faces[6] = {corner, corner + 1, above + 1, corner, above + 1, above};
        memcpy(indices[i], faces, sizeof faces);
    }
    imp_MeshDef def = {.vertices = &vertices->x,
                       .vertex_count = (CELLS + 1) * (CELLS + 1),
                       .indices = indices[0],
                       .triangle_count = (size_t)2 * CELLS * CELLS};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

typedef struct Encounter {
    imp_Mesh *meshes[2];
    imp_Pose poses[2];
    imp_Transform transforms[2];
    PosedFaces faces[2];
    FacePairList touching;
} Encounter;

// Both sheets at one pose, 10^3 to 10^13 from the origin; the second is moved by less than its rounding.
static Encounter make_encounter(imp_Context *context, Meeting meeting)
{
    Encounter encounter = {0};
    bool heights[(CELLS + 1) * (CELLS + 1)] = {0};
    imp_Vec3 none = {0, 0, 0}, offset = none;
    imp_Pose pose = {.rotation = any_rotation()};
    pose.translation = random_vector(pow(10, 3 + test_random_below(11)));
    double step = 0x1p-53 * test_random_unit() * size_of(pose.translation);
    for (int i = 0; i < (CELLS + 1) * (CELLS + 1) && (meeting == MEET_RELIEF || meeting == MEET_POSE); ++i)
        heights[i] = test_random_below(8) == 0;
    if (meeting == MEET_CORNER) {
        double angle = test_random_between(0.2, 1.3);
        pose.rotation = (imp_Quat){cos(0.5 * angle), 0, 0, sin(0.5 * angle)};
        offset = (imp_Vec3){CELLS, CELLS, 0};
    } else if (meeting != MEET_POSE) {
        offset.z = step;
    }
    encounter.poses[0] = encounter.poses[1] = pose;
    if (meeting == MEET_POSE) {
        CHECK_INT(imp_pose_apply(&pose, (imp_Vec3){0, 0, step}, &encounter.poses[1].translation),
                  IMP_STATUS_OK);
        encounter.poses[1].rotation.w = nextafter(pose.rotation.w, 0);
    }
    encounter.meshes[0] = make_sheet(context, heights, none);
    encounter.meshes[1] = make_sheet(context, heights, offset);
    for (int i = 0; i < 2; ++i) {
        CHECK_INT(imp_pose_transform(&encounter.poses[i], &encounter.transforms[i]), IMP_STATUS_OK);
        encounter.faces[i] = posed_faces_make(encounter.meshes[i], NULL, &encounter.poses[i]);
    }
    return encounter;
}

static void encounter_free(Encounter *encounter)
{
    for (int i = 0; i < 2; ++i) {
        imp_mesh_release(encounter->meshes[i]);
        posed_faces_free(&encounter->faces[i]);
    }
    face_pair_list_free(&encounter->touching);
}

// Where the second body is as the first one sees it, as trees in relative poses have it.
static imp_Transform relative_transform(const imp_Transform *a, const imp_Transform *b)
{
    imp_Transform relative;
    double way[3] = {b->translation.x - a->translation.x, b->translation.y - a->translation.y,
                     b->translation.z - a->translation.z};
    double moved[3];
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k)
            relative.rows[i][k] =
                a->rows[0][i] * b->rows[0][k] + a->rows[1][i] * b->rows[1][k] + a->rows[2][i] * b->rows[2][k];
        moved[i] = a->rows[0][i] * way[0] + a->rows[1][i] * way[1] + a->rows[2][i] * way[2];
    }
    relative.translation = (imp_Vec3){moved[0], moved[1], moved[2]};
    return relative;
}

// Ways to bound the blocks of both bodies, none with inflation. The first is the library's, the others lose
// pairs.
typedef enum Way { WAY_LIBRARY, WAY_BY_CENTRE, WAY_RELATIVE, WAY_COUNT } Way;

static imp_Box pose_block(const impi_MeshBlocks *tree, size_t block, const imp_Transform *transform, Way way)
{
    const impi_BoxLanes *from = &tree->boxes[block / IMPI_GROUP_SIZE];
    unsigned lane = block % IMPI_GROUP_SIZE;
    impi_BoxLanes posed;
    if (way == WAY_BY_CENTRE) {
        imp_Box box = impi_box_lanes_load(from, lane);
        return pose_by_centre(&box, transform);
    }
    impi_pose_boxes(from, transform, 1, &posed);
    return impi_box_lanes_load(&posed, lane);
}

// For each face the box of its block.
static void bound_faces(const impi_MeshBlocks *tree, const imp_Transform *transform, Way way,
                        imp_Box boxes[2 * CELLS * CELLS])
{
    for (size_t block = 0; block < tree->blocks.block_count; ++block) {
        imp_Box box =
            transform ? pose_block(tree, block, transform, way)
                      : impi_box_lanes_load(&tree->boxes[block / IMPI_GROUP_SIZE], block % IMPI_GROUP_SIZE);
        for (unsigned i = 0; i < tree->blocks.blocks[block].face_count; ++i)
            boxes[tree->blocks.blocks[block].faces[i]] = box;
    }
}

// How many touching faces are in blocks whose boxes do not meet.
static uint64_t count_lost(imp_Context *context, const Encounter *encounter, Way way)
{
    imp_Box boxes[2][2 * CELLS * CELLS];
    const impi_MeshBlocks *trees[2] = {NULL, NULL};
    imp_Transform relative = relative_transform(&encounter->transforms[0], &encounter->transforms[1]);
    uint64_t lost = 0;
    for (int i = 0; i < 2; ++i) {
        CHECK_INT(impi_mesh_blocks(context, encounter->meshes[i], &trees[i]), IMP_STATUS_OK);
        CHECK(trees[i]->blocks.block_count > 1);
    }
    bound_faces(trees[0], way == WAY_RELATIVE ? NULL : &encounter->transforms[0], way, boxes[0]);
    bound_faces(trees[1], way == WAY_RELATIVE ? &relative : &encounter->transforms[1], way, boxes[1]);
    for (size_t i = 0; i < encounter->touching.count; ++i) {
        const imp_FacePair *pair = &encounter->touching.pairs[i];
        lost += !boxes_overlap(&boxes[0][pair->face_a], &boxes[1][pair->face_b]);
    }
    return lost;
}

// What a world of the two says; the second body has the shape of its mesh, or is deformed into it.
static bool agrees(imp_Context *context, const Encounter *encounter, imp_DetectMethod method, bool deformed)
{
    imp_World *world = NULL;
    const imp_Report *report = NULL;
    imp_BodyId ids[2];
    const imp_Mesh *shape = encounter->meshes[1];
    CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_OK);
    for (int i = 0; i < 2; ++i) {
        imp_BodyDef def = {.mesh = encounter->meshes[deformed ? 0 : i], .pose = encounter->poses[i]};
        CHECK_INT(imp_world_add_body(world, &def, &ids[i]), IMP_STATUS_OK);
    }
    if (deformed)
        CHECK_INT(imp_body_set_vertices(world, ids[1], &imp_mesh_get_vertices(shape)->x,
                                        imp_mesh_get_vertex_count(shape)),
                  IMP_STATUS_OK);
    bool same =
        CHECK_INT(imp_world_detect(world, &(imp_DetectDef){.method = method, .smith_level = 3}, &report),
                  IMP_STATUS_OK) &&
        report->face_pair_count == encounter->touching.count;
    for (size_t i = 0; same && i < encounter->touching.count; ++i)
        same = report->face_pairs[i].face_a == encounter->touching.pairs[i].face_a &&
               report->face_pairs[i].face_b == encounter->touching.pairs[i].face_b;
    imp_world_destroy(world);
    return same;
}

// Fewer than the boxes above, for these take longer; the oracle judges some of them.
#define CASES_PER_ENCOUNTER 100
#define ORACLE_EVERY        16

TEST(no_touching_faces_are_lost_far_from_the_origin)
{
    uint64_t count = test_count(DEFAULT_CASES) / CASES_PER_ENCOUNTER;
    uint64_t touching[MEETING_COUNT] = {0}, lost[MEETING_COUNT][WAY_COUNT] = {{0}};
    imp_Context *context = context_with_threads(2);
    for (uint64_t i = 0; i < count; ++i) {
        Meeting meeting = (Meeting)(i % MEETING_COUNT);
        Encounter encounter = make_encounter(context, meeting);
        bool by_oracle = i / MEETING_COUNT % ORACLE_EVERY == 0;
        brute_force_touching(&encounter.faces[0], &encounter.faces[1],
                             by_oracle ? oracle_triangles_touch : library_triangles_touch,
                             &encounter.touching);
        touching[meeting] += encounter.touching.count;
        for (int way = 0; way < WAY_COUNT; ++way)
            lost[meeting][way] += count_lost(context, &encounter, (Way)way);
        for (int method = IMP_METHOD_AUTO; method <= IMP_METHOD_SMITH_1994; ++method)
            CHECK(agrees(context, &encounter, (imp_DetectMethod)method, i % 3 == 0));
        encounter_free(&encounter);
    }
    uint64_t sums[WAY_COUNT] = {0};
    for (int i = 0; i < MEETING_COUNT; ++i) {
        printf("  %-6s %8llu touching face pairs; lost: %llu, by centre %llu, in relative poses %llu\n",
               meeting_names[i], (unsigned long long)touching[i], (unsigned long long)lost[i][WAY_LIBRARY],
               (unsigned long long)lost[i][WAY_BY_CENTRE], (unsigned long long)lost[i][WAY_RELATIVE]);
        for (int way = 0; way < WAY_COUNT; ++way)
            sums[way] += lost[i][way];
        CHECK(count < 2 * MEETING_COUNT || touching[i] > 0);
    }
    CHECK_INT(sums[WAY_LIBRARY], 0);
    if (count >= 100)
        CHECK(sums[WAY_BY_CENTRE] > 0 && sums[WAY_RELATIVE] > 0);
    imp_context_destroy(context);
}
