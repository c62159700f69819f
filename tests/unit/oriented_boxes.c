// Boxes of blocks along axes of their own: they hold their vertices, whatever their size, and are not much
// larger than need be; axes are upright on each other.
#include "shape/oriented_boxes.h"
#include "harness.h"
#include "oracle/case_numbers.h"
#include "posed_faces.h"
#include "scenes/shapes.h"
#include "shape/mesh_derived.h"

#include <gmp.h>
#include <math.h>
#include <stdio.h>

static double coordinate(const imp_Vec3 *v, int axis)
{
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

// |axis k . (vertex - centre)| <= half, in rational arithmetic.
static bool is_within_half(const impi_OrientedLanes *group, unsigned lane, int k, const imp_Vec3 *vertex)
{
    mpq_t sum, term, factor;
    mpq_inits(sum, term, factor, NULL);
    for (int axis = 0; axis < 3; ++axis) {
        mpq_set_d(term, coordinate(vertex, axis));
        mpq_set_d(factor, group->centre[axis][lane]);
        mpq_sub(term, term, factor);
        mpq_set_d(factor, group->axes[k][axis][lane]);
        mpq_mul(term, term, factor);
        mpq_add(sum, sum, term);
    }
    mpq_abs(sum, sum);
    mpq_set_d(factor, group->half[k][lane]);
    bool is_within = mpq_cmp(sum, factor) <= 0;
    mpq_clears(sum, term, factor, NULL);
    return is_within;
}

static bool has_upright_axes(const impi_OrientedLanes *group, unsigned lane)
{
    bool is_upright = true;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            double dot = 0;
            for (int axis = 0; axis < 3; ++axis)
                dot += group->axes[i][axis][lane] * group->axes[k][axis][lane];
            is_upright &= fabs(dot - (i == k)) <= 0x1p-48;
        }
    return is_upright;
}

// All boxes of a mesh.
static void check_boxes(imp_Context *context, const imp_Mesh *mesh)
{
    const impi_MeshBlocks *blocks = NULL;
    const impi_OrientedLanes *boxes = NULL;
    CHECK_INT(impi_mesh_blocks(context, mesh, &blocks), IMP_STATUS_OK);
    if (!CHECK_INT(impi_mesh_oriented_boxes(context, mesh, &boxes), IMP_STATUS_OK))
        return;
    size_t block_count = blocks->blocks.block_count;
    for (size_t i = 0; i < block_count; ++i) {
        const impi_FaceBlock *block = &blocks->blocks.blocks[i];
        const impi_OrientedLanes *group = &boxes[i / IMPI_GROUP_SIZE];
        unsigned lane = i % IMPI_GROUP_SIZE;
        CHECK(has_upright_axes(group, lane));
        for (unsigned v = 0; v < block->vertex_count; ++v)
            for (int k = 0; k < 3; ++k)
                CHECK(is_within_half(group, lane, k, &blocks->vertices[block->first_vertex + v]));
    }
    for (size_t i = block_count; i < impi_group_count(block_count) * IMPI_GROUP_SIZE; ++i)
        CHECK(isnan(boxes[i / IMPI_GROUP_SIZE].centre[0][i % IMPI_GROUP_SIZE]) &&
              isnan(boxes[i / IMPI_GROUP_SIZE].half[2][i % IMPI_GROUP_SIZE]));
}

static imp_Mesh *soup_of(imp_Context *context, imp_Vec3 (*point)(double), double size, size_t face_count)
{
    static imp_Vec3 vertices[600];
    static uint32_t indices[600];
    imp_Mesh *mesh = NULL;
    for (size_t i = 0; i < 3 * face_count; ++i) {
        vertices[i] = point(size);
        indices[i] = (uint32_t)i;
    }
    imp_MeshDef def = {.vertices = &vertices->x,
                       .vertex_count = 3 * face_count,
                       .indices = indices,
                       .triangle_count = face_count};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

static imp_Vec3 any_size(double size)
{
    (void)size;
    double x = random_of_any_size(), y = random_of_any_size(), z = random_of_any_size();
    return (imp_Vec3){x, y, z};
}

static imp_Vec3 one_point(double size)
{
    return (imp_Vec3){size, -size, 0.3 * size};
}

// Small beside where it is.
static imp_Vec3 far_away(double size)
{
    imp_Vec3 off = random_vector(0x1p-40);
    return (imp_Vec3){size * (1 + off.x), size * (0.7 + off.y), size * (-0.1 + off.z)};
}

static imp_Vec3 on_a_line(double size)
{
    double t = random_signed_unit();
    return (imp_Vec3){size * t, 0.5 * size * t, -0.25 * size * t};
}

static imp_Vec3 subnormal(double size)
{
    imp_Vec3 v = random_lattice_point(size);
    return (imp_Vec3){ldexp(v.x, -1074), ldexp(v.y, -1074), ldexp(v.z, -1074)};
}

TEST(vertices_are_inside)
{
    static const double sizes[] = {1, 1e-3, 1e7, 1e-300, 1e300, 1.7e308, 1e-310};
    imp_Context *context = context_with_threads(1);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        imp_Vec3 (*const points[])(double) = {random_vector, one_point, far_away, on_a_line};
        for (size_t k = 0; k < sizeof points / sizeof *points; ++k) {
            imp_Mesh *mesh = soup_of(context, points[k], sizes[i] * 0.9, 1 + test_random_below(150));
            int failed = test_failed_checks();
            check_boxes(context, mesh);
            if (test_failed_checks() > failed)
                printf("  size %g, points %zu\n", sizes[i], k);
            imp_mesh_release(mesh);
        }
    }
    for (int i = 0; i < 10; ++i) {
        imp_Mesh *mesh = soup_of(context, i % 2 ? any_size : subnormal, 1000, 1 + test_random_below(60));
        check_boxes(context, mesh);
        imp_mesh_release(mesh);
    }
    imp_context_destroy(context);
}

// Patches of a fine sphere are flat: one of the halves is far less than the others.
TEST(patches_of_smooth_surfaces_are_flat)
{
    imp_Context *context = context_with_threads(1);
    imp_Mesh *mesh = NULL;
    const impi_MeshBlocks *blocks = NULL;
    const impi_OrientedLanes *boxes = NULL;
    size_t flat = 0;
    CHECK_INT(scene_sphere(context, 96, 48, 1, &mesh), IMP_STATUS_OK);
    check_boxes(context, mesh);
    CHECK_INT(impi_mesh_blocks(context, mesh, &blocks), IMP_STATUS_OK);
    CHECK_INT(impi_mesh_oriented_boxes(context, mesh, &boxes), IMP_STATUS_OK);
    for (size_t i = 0; i < blocks->blocks.block_count; ++i) {
        const impi_OrientedLanes *group = &boxes[i / IMPI_GROUP_SIZE];
        double low = INFINITY, high = 0;
        for (int k = 0; k < 3; ++k) {
            low = fmin(low, group->half[k][i % IMPI_GROUP_SIZE]);
            high = fmax(high, group->half[k][i % IMPI_GROUP_SIZE]);
        }
        flat += 4 * low < high;
    }
    CHECK(10 * flat > 9 * blocks->blocks.block_count);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(copies_of_plain_boxes_hold_them)
{
    for (uint64_t n = test_count(2000); n > 0; --n) {
        impi_BoxLanes from;
        impi_OrientedLanes to;
        for (int axis = 0; axis < 3; ++axis)
            for (unsigned lane = 0; lane < IMPI_GROUP_SIZE; ++lane) {
                double a = n % 2 ? random_signed_unit() : random_of_any_size();
                double b = n % 2 ? random_signed_unit() : random_of_any_size();
                from.min[axis][lane] = lane < 7 ? fmin(a, b) : (double)NAN;
                from.max[axis][lane] = lane < 7 ? fmax(a, b) : (double)NAN;
            }
        impi_oriented_boxes_copy(&from, 1, &to);
        for (unsigned lane = 0; lane < 7; ++lane) {
            imp_Vec3 low = {from.min[0][lane], from.min[1][lane], from.min[2][lane]};
            imp_Vec3 high = {from.max[0][lane], from.max[1][lane], from.max[2][lane]};
            for (int k = 0; k < 3; ++k)
                CHECK(is_within_half(&to, lane, k, &low) && is_within_half(&to, lane, k, &high));
        }
        CHECK(isnan(to.half[0][7]) && isnan(to.centre[0][7]));
    }
}
