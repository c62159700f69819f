/// The oracle of octrees judged in its turn: by other oracles where they know the answer, and by motions
/// whose result can be told.
#include "oracle/octree_oracle.h"
#include "harness.h"
#include "oracle/case_numbers.h"
#include "oracle/exact_oracle.h"
#include "oracle/octree_cases.h"

#include <impinge/impinge.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static imp_Box voxel_box(const imp_OctreeGrid *grid, const uint32_t at[3])
{
    imp_Box box;
    for (int axis = 0; axis < 3; ++axis) {
        (&box.min.x)[axis] = oracle_grid_corner(grid, axis, at[axis]);
        (&box.max.x)[axis] = oracle_grid_corner(grid, axis, at[axis] + 1);
    }
    return box;
}

static imp_Box shrunk(imp_Box box)
{
    for (int axis = 0; axis < 3; ++axis) {
        (&box.min.x)[axis] += 0x1p-20;
        (&box.max.x)[axis] -= 0x1p-20;
    }
    return box;
}

TEST(faces_touch_boxes_as_another_oracle_says)
{
    uint64_t count = test_count(40), touching = 0, apart = 0;
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    for (uint64_t i = 0; i < count; ++i) {
        OctreeCase made = octree_case_make(context, (OctreeKind)(i % OCTREE_KIND_COUNT), 2);
        OracleVoxels voxels = oracle_voxels_make(made.mesh, &made.grid, false);
        for (uint32_t v = 0; v < voxels.count; ++v) {
            uint32_t at[3] = {v / voxels.edge / voxels.edge, v / voxels.edge % voxels.edge, v % voxels.edge};
            imp_Box box = voxel_box(&made.grid, at);
            bool is_any = false;
            for (size_t face = 0; face < voxels.face_count; ++face) {
                imp_Triangle triangle;
                CHECK_INT(imp_mesh_get_triangle(made.mesh, face, &triangle), IMP_STATUS_OK);
                bool touches = oracle_triangle_touches_box(&triangle, &box);
                CHECK_INT(voxels.face_lists[v * voxels.face_count + face], touches);
                is_any |= touches;
                ++*(touches ? &touching : &apart);
            }
            CHECK_INT((voxels.facts[v] & ORACLE_TOUCHES) != 0, is_any);
        }
        oracle_voxels_free(&voxels);
        octree_case_free(&made);
    }
    printf("  %llu touching, %llu apart\n", (unsigned long long)touching, (unsigned long long)apart);
    CHECK(touching > 10 * count && apart > 10 * count);
    imp_context_destroy(context);
}

// On small whole numbers a face that enters the open box gets 2^-20 deep at least.
TEST(faces_meet_open_boxes_as_they_touch_smaller_ones)
{
    uint64_t count = test_count(40), meeting = 0, only_touching = 0;
    imp_Context *context = NULL;
    imp_OctreeGrid grid = {.origin = {-1, -1, -1}, .voxel = 1, .level = 2};
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    for (uint64_t i = 0; i < count; ++i) {
        imp_Vec3 vertices[24];
        uint32_t indices[24];
        imp_Mesh *mesh = NULL;
        for (uint32_t k = 0; k < 24; ++k) {
            vertices[k] = random_lattice_point(test_random_below(2) ? 1 : 3);
            indices[k] = k;
        }
        imp_MeshDef def = {
            .vertices = &vertices->x, .vertex_count = 24, .indices = indices, .triangle_count = 8};
        CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
        OracleVoxels voxels = oracle_voxels_make(mesh, &grid, false);
        for (uint32_t v = 0; v < voxels.count; ++v) {
            imp_Box box = shrunk(voxel_box(&grid, (uint32_t[3]){v / 16, v / 4 % 4, v % 4}));
            bool meets = false;
            for (size_t face = 0; face < 8; ++face) {
                imp_Triangle triangle;
                CHECK_INT(imp_mesh_get_triangle(mesh, face, &triangle), IMP_STATUS_OK);
                meets |= oracle_triangle_touches_box(&triangle, &box);
            }
            CHECK_INT((voxels.facts[v] & ORACLE_MEETS) != 0, meets);
            meeting += meets;
            only_touching += !meets && voxels.facts[v] & ORACLE_TOUCHES;
        }
        oracle_voxels_free(&voxels);
        imp_mesh_release(mesh);
    }
    printf("  %llu meet, %llu only touch\n", (unsigned long long)meeting, (unsigned long long)only_touching);
    CHECK(meeting > count && only_touching > count);
    imp_context_destroy(context);
}

// Where the middle of two corners is a double.
TEST(centers_lie_as_points_do)
{
    uint64_t count = test_count(60), places[3] = {0};
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    for (uint64_t i = 0; i < count; ++i) {
        OctreeCase made = octree_case_make(context, (OctreeKind)(i % OCTREE_KIND_COUNT), 3);
        if (made.is_closed) {
            if (made.kind < OCTREE_GRID_BOXES)
                CHECK_INT(imp_octree_grid_around(made.mesh, made.grid.level, &made.grid), IMP_STATUS_OK);
            OracleVoxels voxels = oracle_voxels_make(made.mesh, &made.grid, true);
            for (uint32_t v = 0; v < voxels.count; ++v) {
                uint32_t edge = voxels.edge, at[3] = {v / edge / edge, v / edge % edge, v % edge};
                imp_Box box = voxel_box(&made.grid, at);
                imp_PointLocation location = IMP_LOCATION_OUTSIDE;
                imp_Vec3 centre;
                bool is_exact = true;
                for (int axis = 0; axis < 3; ++axis) {
                    double low = (&box.min.x)[axis], high = (&box.max.x)[axis], middle = 0.5 * (high + low);
                    is_exact &= middle - low == high - middle && low + (middle - low) == middle &&
                                middle + (high - middle) == high;
                    (&centre.x)[axis] = middle;
                }
                if (!is_exact)
                    continue;
                CHECK_INT(imp_mesh_locate_points(context, made.mesh, &centre, 1, &location), IMP_STATUS_OK);
                uint8_t facts = voxels.facts[v];
                CHECK_INT(location, facts & ORACLE_CENTRE_ON      ? IMP_LOCATION_ON_SURFACE
                                    : facts & ORACLE_CENTRE_WOUND ? IMP_LOCATION_INSIDE
                                                                  : IMP_LOCATION_OUTSIDE);
                ++places[location];
            }
            oracle_voxels_free(&voxels);
        }
        octree_case_free(&made);
    }
    printf("  %llu outside, %llu inside, %llu on the surface\n", (unsigned long long)places[0],
           (unsigned long long)places[1], (unsigned long long)places[2]);
    CHECK(places[0] > 0 && places[1] > 0);
    CHECK(count < 300 || places[2] > 0);
    imp_context_destroy(context);
}

// Whole and half steps on a grid of whole numbers.
TEST(shifted_voxels_are_where_they_should_be)
{
    static const imp_OctreeMoveRule rules[] = {IMP_MOVE_OVERLAP, IMP_MOVE_CENTRE, IMP_MOVE_TOUCH};
    imp_OctreeGrid grid = {.origin = {-3, 0, 5}, .voxel = 1, .level = 2};
    uint64_t black_count[3] = {0};
    for (int i = 0; i < 27 * 3; ++i) {
        uint8_t from[64], moved[64];
        int steps[3] = {i % 3, i / 3 % 3, i / 9 % 3}; // in halves
        imp_OctreeMoveRule rule = rules[i / 27];
        OracleMove move = {.black = from, .from = grid, .to = grid, .rule = rule};
        random_voxels(2, from);
        imp_Pose pose = {.translation = {0.5 * steps[0], 0.5 * steps[1], 0.5 * steps[2]}};
        CHECK_INT(imp_pose_transform(&pose, &move.transform), IMP_STATUS_OK);
        oracle_voxels_move(&move, moved);
        for (int v = 0; v < 64; ++v) {
            bool is_black = false;
            for (int s = 0; s < 64; ++s) {
                bool meets = from[s];
                int v_at[3] = {v / 16, v / 4 % 4, v % 4}, s_at[3] = {s / 16, s / 4 % 4, s % 4};
                for (int axis = 0; axis < 3; ++axis) {
                    int low = 2 * s_at[axis] + steps[axis], at = 2 * v_at[axis]; // both are two halves long
                    meets &= rule == IMP_MOVE_OVERLAP  ? low < at + 2 && at < low + 2
                             : rule == IMP_MOVE_CENTRE ? low <= at + 1 && at + 1 <= low + 2
                                                       : low <= at + 2 && at <= low + 2;
                }
                is_black |= meets;
            }
            CHECK_INT(moved[v], is_black);
            black_count[i / 27] += is_black;
        }
    }
    for (int i = 0; i < 3; ++i)
        CHECK(black_count[i] > 0 && black_count[i] < 27 * 64);
}

// A cube turned by 45 degrees about z.
TEST(turned_voxels_are_where_they_should_be)
{
    // The square's corners are 0, 0.1; 0.71, 0.81; 0, 1.51; -0.71, 0.81. So many halves are in each row along
    // x:
    static const int widths[8] = {0, 0, 0, 0, 2, 4, 4, 2}, centres[8] = {0, 0, 0, 0, 0, 2, 2, 0};
    uint8_t from[8] = {0}, moved[512];
    OracleMove move = {.black = from,
                       .from = {.origin = {0, 0, 0}, .voxel = 1, .level = 1},
                       .to = {.origin = {-2, -2, -2}, .voxel = 0.5, .level = 3}};
    imp_Pose pose = {.translation = {0, 0.1, 0.1},
                     .rotation = {0.92387953251128674, 0, 0, 0.38268343236508977}};
    from[0] = 1;
    CHECK_INT(imp_pose_transform(&pose, &move.transform), IMP_STATUS_OK);
    for (int rule = IMP_MOVE_OVERLAP; rule <= IMP_MOVE_TOUCH; ++rule) {
        int rows[8] = {0}, layers = rule == IMP_MOVE_CENTRE ? 2 : 3;
        move.rule = (imp_OctreeMoveRule)rule;
        CHECK(!oracle_voxels_move(&move, moved));
        for (int v = 0; v < 512; ++v) {
            CHECK(!moved[v] || (v % 8 >= 4 && v % 8 <= 6 && v / 64 >= 2 && v / 64 <= 5));
            rows[v / 8 % 8] += moved[v];
        }
        for (int y = 0; y < 8; ++y)
            CHECK_INT(rows[y], layers * (rule == IMP_MOVE_CENTRE ? centres[y] : widths[y]));
    }
    move.slack = 0.49; // what is left of a voxel is at 0.25 and 0.75, 0.01 wide
    move.rule = IMP_MOVE_OVERLAP;
    CHECK(!oracle_voxels_move(&move, moved));
    int black = 0;
    for (int v = 0; v < 512; ++v)
        black += moved[v];
    CHECK_INT(black, 2 * 4);
    move.to.origin.y = 0.25; // the first corner reaches beyond
    CHECK(oracle_voxels_move(&move, moved));
}
