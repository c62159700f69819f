// Frames that look along a way: boxes around blocks of posed bodies hold their posed vertices, in extended
// precision, and points in single precision lie where they should.
#include "object/distance_frame.h"
#include "harness.h"
#include "oracle/case_numbers.h"
#include "oracle/exact_oracle.h"
#include "posed_faces.h"
#include "scenes/shapes.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#define LEVEL_GROUPS 64

// What impi_distance_frame_map does, without rounding worth speaking of.
static void map_precisely(const impi_DistanceFrame *frame, imp_Vec3 point, long double mapped[3])
{
    const long double offset[3] = {((long double)point.x - frame->origin.x) * frame->scale,
                                   ((long double)point.y - frame->origin.y) * frame->scale,
                                   ((long double)point.z - frame->origin.z) * frame->scale};
    for (int i = 0; i < 3; ++i)
        mapped[i] =
            frame->rows[i][0] * offset[0] + frame->rows[i][1] * offset[1] + frame->rows[i][2] * offset[2];
}

static void check_body(imp_Context *context, const impi_DistanceFrame *frame, const impi_Body *body)
{
    static impi_BoxLanes storage[LEVEL_GROUPS];
    impi_BlockTree tree;
    imp_Transform to_frame = impi_distance_frame_transform(frame, &body->transform);
    const impi_OrientedLanes *oriented = NULL;
    const impi_FaceBlocks *blocks = &body->blocks->blocks;
    CHECK_INT(impi_mesh_oriented_boxes(context, impi_body_surface(body), &oriented), IMP_STATUS_OK);
    if (!CHECK(impi_block_tree_size(blocks->block_count) <= LEVEL_GROUPS))
        return;
    impi_block_tree_init(&tree, blocks->block_count, storage);
    impi_distance_frame_boxes(&to_frame, oriented, &tree);
    for (size_t i = 0; i < blocks->block_count; ++i) {
        const impi_FaceBlock *block = &blocks->blocks[i];
        const impi_BoxLanes *group = &tree.levels[0][i / IMPI_GROUP_SIZE];
        for (unsigned v = 0; v < block->vertex_count; ++v) {
            imp_Vec3 vertex = impi_body_vertices(body)[block->first_vertex + v];
            imp_Vec3 posed = imp_transform_apply(&body->transform, vertex);
            imp_Vec3 rounded = imp_transform_apply(&to_frame, vertex);
            const double near[3] = {rounded.x, rounded.y, rounded.z};
            long double mapped[3];
            map_precisely(frame, posed, mapped);
            for (int axis = 0; axis < 3; ++axis) {
                CHECK(group->min[axis][i % IMPI_GROUP_SIZE] <= mapped[axis] &&
                      mapped[axis] <= group->max[axis][i % IMPI_GROUP_SIZE]);
                CHECK(fabsl(mapped[axis] - near[axis]) <= IMPI_FRAME_ERROR);
                CHECK(fabsl(mapped[axis]) < 4);
            }
        }
    }
}

static void check_points(const impi_DistanceFrame *frame, const impi_Body *body)
{
    static impi_FramePoints points;
    const impi_FaceBlock *block = &body->blocks->blocks.blocks[0];
    const imp_Vec3 *vertices = impi_body_vertices(body) + block->first_vertex;
    imp_Transform to_frame = impi_distance_frame_transform(frame, &body->transform);
    impi_distance_frame_points(&to_frame, vertices, block->vertex_count, &points);
    for (unsigned v = 0; v < block->vertex_count; ++v) {
        long double mapped[3];
        map_precisely(frame, imp_transform_apply(&body->transform, vertices[v]), mapped);
        for (int axis = 0; axis < 3; ++axis) {
            float x = points.points[axis][v];
            CHECK(fabsl(x - mapped[axis]) <= 0x1p-24L * fabsl(mapped[axis]) + 2 * IMPI_FRAME_ERROR);
            CHECK(points.whole[axis] <= x && x <= points.whole[3 + axis]);
        }
    }
}

static void check_frame(const impi_DistanceFrame *frame)
{
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            double dot = 0;
            for (int axis = 0; axis < 3; ++axis)
                dot += frame->rows[i][axis] * frame->rows[k][axis];
            CHECK(fabs(dot - (i == k)) <= 0x1p-50);
        }
}

// Sizes of the two bodies and how far they are from the origin, as exponents.
typedef struct Sizes {
    int a, b, shift;
} Sizes;

static impi_Body make_body(imp_Context *context, int exponent, double reach)
{
    imp_Mesh *plain = NULL, *mesh = NULL;
    impi_Body body;
    imp_Pose pose = {.rotation = random_rotation()};
    CHECK_INT(scene_bumpy_sphere(context, 16, 12, 1, 0.3, test_random(), &plain), IMP_STATUS_OK);
    CHECK_INT(scene_place(context, plain, ldexp(1, exponent), (imp_Vec3){0}, &mesh), IMP_STATUS_OK);
    pose.translation = random_vector(reach);
    CHECK_INT(impi_body_make(context, &mesh->shape, &pose, &body), IMP_STATUS_OK);
    imp_mesh_release(plain);
    imp_mesh_release(mesh);
    return body;
}

TEST(boxes_hold_posed_vertices)
{
    static const Sizes sizes[] = {{0, 0, 1},       {0, 0, 24},         {-20, 20, 20},         {20, -20, 30},
                                  {900, 900, 900}, {-900, -900, -898}, {-1040, -1040, -1038}, {1000, 3, 1010},
                                  {-1000, 0, 0},   {0, -1060, -5},     {1018, 1018, 1020}};
    imp_Context *context = context_with_threads(1);
    for (uint64_t n = 0; n < test_count(60); ++n) {
        const Sizes *size = &sizes[n % (sizeof sizes / sizeof *sizes)];
        impi_Body a = make_body(context, size->a, ldexp(1, size->shift));
        impi_Body b = make_body(context, size->b, ldexp(1, size->shift));
        int exponent = impi_distance_frame_exponent(&a, &b);
        imp_Vec3 way = n % 5 == 0 ? (imp_Vec3){0} : n % 5 == 1 ? (imp_Vec3){0, 0, -1} : random_vector(1);
        imp_Vec3 origin = n % 2 ? a.transform.translation : b.transform.translation;
        impi_DistanceFrame frame = impi_distance_frame(way, origin, exponent);
        check_frame(&frame);
        check_body(context, &frame, &a);
        check_body(context, &frame, &b);
        check_points(&frame, &a);
        impi_body_release(&context->allocator, &a);
        impi_body_release(&context->allocator, &b);
    }
    imp_context_destroy(context);
}
