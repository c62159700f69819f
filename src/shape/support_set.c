#include "shape/support_set.h"

#include "geom/scalar.h"
#include "geom/vector.h"
#include "shape/bounds.h"
#include "shape/spatial_order.h"
#include "shape/support_cones.h"
#include "shape/support_search.h"

#include <assert.h>
#include <math.h>

// Sizes that single precision, which cones are in, has numbers for, with room for squares.
#define MIN_SINGLE_SIZE 0x1p-40
#define MAX_SINGLE_SIZE 0x1p40

// Flat shapes are taken for this thick, relative to their length, so that they can be stretched.
#define MIN_FLATNESS 0x1p-20

static size_t blocks_for(size_t count)
{
    return (count + IMPI_SUPPORT_LANES - 1) / IMPI_SUPPORT_LANES;
}

static void fill_items(const impi_SupportDef *def, const imp_Box *box, impi_SpatialItem *items)
{
    impi_UnitFrame frame = impi_unit_frame(box);
    double scale = impi_unit_scale(&frame);
    for (size_t i = 0; i < def->id_count; ++i) {
        imp_Vec3 v = def->vertices[def->ids[i]];
        items[i] = (impi_SpatialItem){{(float)((v.x - frame.centre.x) * scale),
                                       (float)((v.y - frame.centre.y) * scale),
                                       (float)((v.z - frame.centre.z) * scale)},
                                      def->ids[i]};
    }
}

static void fill_points(const imp_Vec3 *vertices, const impi_SpatialItem *items, impi_SupportSet *set)
{
    for (size_t i = 0; i < (size_t)set->block_count * IMPI_SUPPORT_LANES; ++i) {
        uint32_t id = items[i < set->vertex_count ? i : set->vertex_count - 1].id;
        set->points[i] = vertices[id];
        set->vertices[i] = id;
    }
}

static int16_t on_grid(double stretched)
{
    return (int16_t)rint(stretched * IMPI_GRID_STEPS);
}

void impi_support_set_fill_blocks(impi_SupportSet *set)
{
    assert(set->blocks && set->points);
    for (size_t i = 0; i < (size_t)set->block_count * IMPI_SUPPORT_LANES; ++i) {
        imp_Vec3 v = impi_support_stretch(set, &set->points[i]);
        impi_GridLanes *block = &set->blocks[i / IMPI_SUPPORT_LANES];
        size_t lane = i % IMPI_SUPPORT_LANES;
        block->xy[2 * lane] = on_grid(v.x);
        block->xy[2 * lane + 1] = on_grid(v.y);
        block->z[lane] = on_grid(v.z);
    }
}

// Stretched, so that flat and thin bodies have different ones too.
static void find_corners(impi_SupportSet *set)
{
    for (unsigned octant = 0; octant < 8; ++octant) {
        double x = octant & 1 ? -1 : 1, y = octant & 2 ? -1 : 1, z = octant & 4 ? -1 : 1;
        set->corners[octant] =
            impi_support_find_precisely(set, x / set->half.x, y / set->half.y, z / set->half.z);
    }
    set->has_corners = true;
}

static imp_Box bounds_of(const imp_Vec3 *vertices, const uint32_t *ids, size_t count)
{
    imp_Box box = {vertices[ids[0]], vertices[ids[0]]};
    for (size_t i = 1; i < count; ++i)
        impi_box_add(&box, &vertices[ids[i]]);
    return box;
}

static imp_Vec3 larger_sizes(imp_Vec3 a, imp_Vec3 b)
{
    return (imp_Vec3){impi_larger(fabs(a.x), fabs(b.x)), impi_larger(fabs(a.y), fabs(b.y)),
                      impi_larger(fabs(a.z), fabs(b.z))};
}

// Each of the two vertices, the one found and the farther one, is off its position on the grid by half a step
// in each coordinate, and the direction by half a step of its grid, which counts for each of the two and
// three coordinates; the last bits of distances are lost. (1 + 2^-20) covers the rounding of factors and of
// rotations. If the vertex found is taken at its position on the grid (impi_support_rough) less would do;
// what doubles round there is counted with what they round elsewhere.
static double grid_error_of(imp_Vec3 half, double longest)
{
    double half_sum = (half.x + half.y) + half.z;
    double direction_step = IMPI_MAX_COORDINATE * longest / IMPI_DIRECTION_STEPS;
    double last_bits = direction_step * (1 << IMPI_NUMBER_BITS) / IMPI_GRID_STEPS;
    return (half_sum / IMPI_GRID_STEPS + 3 * direction_step + last_bits) * (1 + 0x1p-20);
}

bool impi_support_set_frame(impi_SupportSet *set, const imp_Box *box)
{
    imp_Vec3 centre = impi_add_scaled(impi_scale(box->min, 0.5), 0.5, box->max);
    imp_Vec3 half = larger_sizes(impi_subtract(box->min, centre), impi_subtract(box->max, centre));
    imp_Vec3 largest = larger_sizes(box->min, box->max);
    double longest = impi_larger(impi_larger(half.x, half.y), half.z), least = longest * MIN_FLATNESS;
    set->centre = centre;
    set->half =
        (imp_Vec3){impi_larger(half.x, least), impi_larger(half.y, least), impi_larger(half.z, least)};
    set->size = (largest.x + largest.y) + largest.z;
    set->steps = impi_scale(set->half, IMPI_DIRECTION_STEPS / (IMPI_MAX_COORDINATE * longest));
    bool is_single = longest > MIN_SINGLE_SIZE && longest < MAX_SINGLE_SIZE;
    set->find = is_single ? impi_support_search() : NULL;
    set->grid_error = is_single ? grid_error_of(set->half, longest) : 0;
    return is_single;
}

// One piece of memory, so that a search need not look for its parts far apart.
static bool allocate(const imp_Allocator *allocator, bool has_faces, bool is_single, impi_SupportSet *set)
{
    bool has_cones = is_single && has_faces && set->block_count > IMPI_MAX_BLOCKS_WITHOUT_CONES;
    size_t cone_size = has_cones ? blocks_for(set->block_count) * sizeof *set->cones : 0;
    size_t block_size = is_single ? set->block_count * sizeof *set->blocks : 0;
    size_t point_count = (size_t)set->block_count * IMPI_SUPPORT_LANES;
    size_t number_size = point_count * sizeof *set->vertices, point_size = point_count * sizeof *set->points;
    set->storage_size = cone_size + block_size + number_size + point_size;
    char *storage = impi_allocate(allocator, set->storage_size);
    if (!storage)
        return false;
    set->storage = storage;
    set->cones = has_cones ? (impi_SupportCones *)storage : NULL;
    set->blocks = is_single ? (impi_GridLanes *)(storage + cone_size) : NULL;
    set->vertices = (uint32_t *)(storage + cone_size + block_size);
    set->points = (imp_Vec3 *)(storage + cone_size + block_size + number_size);
    return true;
}

bool impi_support_set_create(const imp_Allocator *allocator, const impi_SupportDef *def, impi_SupportSet *set)
{
    assert(def->id_count > 0 && def->id_count <= def->vertex_count);
    imp_Box box = bounds_of(def->vertices, def->ids, def->id_count);
    impi_SupportSet made = {.block_count = (uint32_t)blocks_for(def->id_count),
                            .vertex_count = (uint32_t)def->id_count};
    bool is_single = impi_support_set_frame(&made, &box);
    impi_SpatialItem *items = impi_allocate_array(allocator, def->id_count, sizeof *items);
    bool done = items && allocate(allocator, def->triangles, is_single, &made);
    if (done)
        fill_items(def, &box, items);
    done = done && impi_spatial_order(def->watch, items, def->id_count, IMPI_SUPPORT_LANES);
    if (done) {
        fill_points(def->vertices, items, &made);
        if (made.blocks) {
            impi_support_set_fill_blocks(&made);
            find_corners(&made);
        }
        if (made.cones)
            done = impi_support_cones_fill(allocator, def, &made);
    }
    impi_release(allocator, items, def->id_count * sizeof *items);
    if (done)
        *set = made;
    else
        impi_support_set_destroy(allocator, &made);
    return done;
}

void impi_support_set_destroy(const imp_Allocator *allocator, impi_SupportSet *set)
{
    impi_release(allocator, set->storage, set->storage_size);
    *set = (impi_SupportSet){0};
}
