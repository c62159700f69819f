#include "scenes/robot_parts.h"

#include "scenes/builder.h"
#include "scenes/shapes.h"

#define SPOOL_SIDES 24
#define SPOOL_RINGS 12
#define BLOCK_CELLS 3

#define SPOOL_VERTICES  (SPOOL_SIDES * SPOOL_RINGS + 2)
#define SPOOL_TRIANGLES (2 * SPOOL_SIDES * SPOOL_RINGS)
#define BLOCK_VERTICES  (6 * BLOCK_CELLS * BLOCK_CELLS + 2)
#define BLOCK_TRIANGLES (12 * BLOCK_CELLS * BLOCK_CELLS)

// A point by its coordinates across and along an axis. Axes are taken in a circle, which keeps faces turned
// outward.
static uint32_t add_point(SceneBuilder *builder, const SceneSolid *solid, double across, double beside,
                          double along)
{
    double offset[3];
    offset[(solid->axis + 1) % 3] = across;
    offset[(solid->axis + 2) % 3] = beside;
    offset[solid->axis] = along;
    return scene_add_vertex(builder, solid->centre.x + offset[0], solid->centre.y + offset[1],
                            solid->centre.z + offset[2]);
}

// Radius and position of a ring: bevel, flange, the waist in as many rings as are left, flange, bevel.
static void place_ring(const SceneSolid *spool, uint32_t ring, double *radius, double *along)
{
    static const double radii[4] = {0.9, 1, 1, 0.85}, depths[4] = {0, 0.03, 0.15, 0.18};
    double length = spool->high - spool->low;
    uint32_t last = SPOOL_RINGS - 1;
    if (ring < 4 || last - ring < 4) {
        uint32_t step = ring < 4 ? ring : last - ring;
        *radius = radii[step] * spool->radius;
        *along = ring < 4 ? spool->low + depths[step] * length : spool->high - depths[step] * length;
        return;
    }
    *radius = radii[3] * spool->radius;
    *along = spool->low + length * (depths[3] + (1 - 2 * depths[3]) * (ring - 3) / (SPOOL_RINGS - 7));
}

static void add_spool(SceneBuilder *builder, const SceneSolid *spool)
{
    uint32_t loops[2][SPOOL_SIDES], reversed[SPOOL_SIDES];
    for (uint32_t ring = 0; ring < SPOOL_RINGS; ++ring) {
        double radius, along;
        place_ring(spool, ring, &radius, &along);
        for (uint32_t side = 0; side < SPOOL_SIDES; ++side) {
            SceneTurn turn = scene_turn(side, SPOOL_SIDES);
            loops[ring % 2][side] =
                add_point(builder, spool, radius * turn.cosine, radius * turn.sine, along);
        }
        if (ring > 0) {
            scene_add_band(builder, loops[(ring - 1) % 2], loops[ring % 2], SPOOL_SIDES);
            continue;
        }
        for (uint32_t side = 0; side < SPOOL_SIDES; ++side)
            reversed[side] = loops[0][SPOOL_SIDES - 1 - side];
        scene_add_fan(builder, reversed, SPOOL_SIDES, add_point(builder, spool, 0, 0, spool->low));
    }
    scene_add_fan(builder, loops[(SPOOL_RINGS - 1) % 2], SPOOL_SIDES,
                  add_point(builder, spool, 0, 0, spool->high));
}

static double along_side(double centre, double half, uint32_t i)
{
    return centre + half * (2.0 * i / BLOCK_CELLS - 1);
}

typedef uint32_t BlockPoints[BLOCK_CELLS + 1][BLOCK_CELLS + 1][BLOCK_CELLS + 1];

// The side where coordinate `axis` is `position`; the two others follow in a circle.
static void add_side(SceneBuilder *builder, BlockPoints points, int axis, uint32_t position)
{
    for (uint32_t i = 0; i < BLOCK_CELLS; ++i)
        for (uint32_t k = 0; k < BLOCK_CELLS; ++k) {
            const uint32_t corners[4][2] = {{i, k}, {i + 1, k}, {i + 1, k + 1}, {i, k + 1}};
            uint32_t quad[4];
            for (int c = 0; c < 4; ++c) {
                uint32_t at[3];
                at[axis] = position;
                at[(axis + 1) % 3] = corners[c][0];
                at[(axis + 2) % 3] = corners[c][1];
                quad[position > 0 ? c : 3 - c] = points[at[0]][at[1]][at[2]];
            }
            scene_add_quad(builder, quad[0], quad[1], quad[2], quad[3]);
        }
}

static bool is_on_side(uint32_t i)
{
    return i == 0 || i == BLOCK_CELLS;
}

static void add_block(SceneBuilder *builder, const SceneSolid *block)
{
    BlockPoints points = {{{0}}};
    for (uint32_t x = 0; x <= BLOCK_CELLS; ++x)
        for (uint32_t y = 0; y <= BLOCK_CELLS; ++y)
            for (uint32_t z = 0; z <= BLOCK_CELLS; ++z)
                if (is_on_side(x) || is_on_side(y) || is_on_side(z))
                    points[x][y][z] = scene_add_vertex(builder, along_side(block->centre.x, block->half.x, x),
                                                       along_side(block->centre.y, block->half.y, y),
                                                       along_side(block->centre.z, block->half.z, z));
    for (int axis = 0; axis < 3; ++axis) {
        add_side(builder, points, axis, 0);
        add_side(builder, points, axis, BLOCK_CELLS);
    }
}

imp_Status scene_make_solids(imp_Context *context, const SceneSolid *solids, imp_Mesh **mesh)
{
    SceneBuilder builder;
    size_t vertices = 0, triangles = 0, count = 0;
    for (; count < SCENE_MAX_SOLIDS && solids[count].kind != SCENE_NO_SOLID; ++count) {
        bool is_spool = solids[count].kind == SCENE_SPOOL;
        vertices += is_spool ? SPOOL_VERTICES : BLOCK_VERTICES;
        triangles += is_spool ? SPOOL_TRIANGLES : BLOCK_TRIANGLES;
    }
    imp_Status status = scene_builder_begin(&builder, context, vertices, triangles);
    if (status != IMP_STATUS_OK)
        return status;
    for (size_t i = 0; i < count; ++i) {
        if (solids[i].kind == SCENE_SPOOL)
            add_spool(&builder, &solids[i]);
        else
            add_block(&builder, &solids[i]);
    }
    return scene_builder_finish(&builder, mesh);
}
