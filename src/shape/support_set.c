#include "shape/support_set.h"

#include "geom/scalar.h"
#include "geom/vector.h"
#include "shape/bounds.h"
#include "shape/spatial_order.h"

#include <math.h>

static size_t group_count(size_t block_count)
{
    return (block_count + IMPI_CYLINDER_LANES - 1) / IMPI_CYLINDER_LANES;
}

static void fill_items(const imp_Vec3 *vertices, const uint32_t *ids, size_t count, const imp_Box *box,
                       impi_SpatialItem *items)
{
    impi_UnitFrame frame = impi_unit_frame(box);
    double scale = ldexp(1.0, frame.exponent < -1000 ? 1000 : -frame.exponent);
    for (size_t i = 0; i < count; ++i) {
        imp_Vec3 v = vertices[ids[i]];
        items[i] = (impi_SpatialItem){{(float)((v.x - frame.centre.x) * scale),
                                       (float)((v.y - frame.centre.y) * scale),
                                       (float)((v.z - frame.centre.z) * scale)},
                                      ids[i]};
    }
}

static void fill_block(const imp_Vec3 *vertices, const impi_SpatialItem *items, size_t count,
                       impi_SupportBlock *block, uint32_t *lanes)
{
    for (size_t lane = 0; lane < IMPI_SUPPORT_LANES; ++lane) {
        uint32_t id = items[lane < count ? lane : count - 1].id;
        lanes[lane] = id;
        block->x[lane] = vertices[id].x;
        block->y[lane] = vertices[id].y;
        block->z[lane] = vertices[id].z;
    }
}

static imp_Vec3 mean_of(const impi_SupportBlock *block)
{
    imp_Vec3 mean = {0, 0, 0};
    for (unsigned i = 0; i < IMPI_SUPPORT_LANES; ++i) {
        imp_Vec3 vertex = {block->x[i], block->y[i], block->z[i]};
        mean = impi_add_scaled(mean, 1.0 / IMPI_SUPPORT_LANES, vertex);
    }
    return mean;
}

// Which way the surface faces at a point, about: that of the ellipsoid that fills the bounding box.
static imp_Vec3 axis_at(imp_Vec3 point, const imp_Box *box)
{
    imp_Vec3 centre = impi_scale(impi_add_scaled(box->min, 1, box->max), 0.5);
    imp_Vec3 half = impi_scale(impi_subtract(box->max, box->min), 0.5), from = impi_subtract(point, centre);
    imp_Vec3 axis = {from.x / (half.x * half.x), from.y / (half.y * half.y), from.z / (half.z * half.z)};
    double length = sqrt(impi_dot(axis, axis));
    return length > 0 && length < INFINITY ? impi_scale(axis, 1 / length) : (imp_Vec3){1, 0, 0};
}

static void store_lane(impi_FloatLanes *lanes, unsigned lane, imp_Vec3 v)
{
    lanes->x[lane] = (float)v.x;
    lanes->y[lane] = (float)v.y;
    lanes->z[lane] = (float)v.z;
}

static void store_cylinder(impi_SupportCylinders *cylinders, unsigned lane, imp_Vec3 centre, imp_Vec3 axis,
                           double half_height, double radius)
{
    store_lane(&cylinders->centre, lane, centre);
    store_lane(&cylinders->axis, lane, axis);
    // More than what rounding these two, the axis and the products with them can do.
    cylinders->half_height[lane] = (float)(half_height * (1 + 0x1p-18));
    cylinders->radius[lane] = (float)(radius * (1 + 0x1p-18));
}

static void fill_cylinder(const impi_SupportBlock *block, const imp_Box *box,
                          impi_SupportCylinders *cylinders, unsigned lane)
{
    imp_Vec3 mean = mean_of(block), axis = axis_at(mean, box);
    double half_height = 0, radius = 0;
    for (unsigned i = 0; i < IMPI_SUPPORT_LANES; ++i) {
        imp_Vec3 from = {block->x[i] - mean.x, block->y[i] - mean.y, block->z[i] - mean.z};
        double along = impi_dot(from, axis);
        imp_Vec3 across = impi_add_scaled(from, -along, axis);
        half_height = impi_larger(half_height, fabs(along));
        radius = impi_larger(radius, sqrt(impi_dot(across, across)));
    }
    store_cylinder(cylinders, lane, mean, axis, half_height, radius);
}

static void fill_no_cylinder(impi_SupportCylinders *cylinders, unsigned lane)
{
    static const imp_Vec3 nothing = {NAN, NAN, NAN};
    store_cylinder(cylinders, lane, nothing, nothing, (double)NAN, (double)NAN);
}

// Sizes that single precision has numbers for, with room for squares and roundings.
static bool is_in_single_range(const impi_SupportSet *set)
{
    double size = (set->largest.x + set->largest.y) + set->largest.z;
    return size > 0x1p-40 && size < 0x1p40;
}

static void fill_blocks(const imp_Vec3 *vertices, const impi_SpatialItem *items, size_t count,
                        const imp_Box *box, impi_SupportSet *set)
{
    bool has_cylinders = is_in_single_range(set);
    for (size_t number = 0; number < group_count(set->block_count) * IMPI_CYLINDER_LANES; ++number) {
        impi_SupportCylinders *cylinders = &set->cylinders[number / IMPI_CYLINDER_LANES];
        unsigned lane = number % IMPI_CYLINDER_LANES;
        size_t begin = number * IMPI_SUPPORT_LANES;
        if (number < set->block_count)
            fill_block(vertices, items + begin, count - begin, &set->blocks[number], set->vertices + begin);
        if (number < set->block_count && has_cylinders)
            fill_cylinder(&set->blocks[number], box, cylinders, lane);
        else
            fill_no_cylinder(cylinders, lane);
    }
}

static imp_Box bounds_of(const imp_Vec3 *vertices, const uint32_t *ids, size_t count)
{
    imp_Box box = {vertices[ids[0]], vertices[ids[0]]};
    for (size_t i = 1; i < count; ++i)
        impi_box_add(&box, &vertices[ids[i]]);
    return box;
}

bool impi_support_set_create(const imp_Allocator *allocator, const imp_Vec3 *vertices, const uint32_t *ids,
                             size_t count, impi_SupportSet *set)
{
    impi_SupportSet made = {.block_count = (count + IMPI_SUPPORT_LANES - 1) / IMPI_SUPPORT_LANES,
                            .vertex_count = count};
    imp_Box box = bounds_of(vertices, ids, count);
    made.centre = (imp_Vec3){0.5 * box.min.x + 0.5 * box.max.x, 0.5 * box.min.y + 0.5 * box.max.y,
                             0.5 * box.min.z + 0.5 * box.max.z};
    made.largest = (imp_Vec3){impi_larger(fabs(box.min.x), fabs(box.max.x)),
                              impi_larger(fabs(box.min.y), fabs(box.max.y)),
                              impi_larger(fabs(box.min.z), fabs(box.max.z))};
    // Along the axis and at the centre, each at most 5 * 2^-24 of the size: products of three rounded
    // factors.
    made.slack = (float)((made.largest.x + made.largest.y + made.largest.z) * 0x1p-20);
    made.blocks = impi_allocate_array(allocator, made.block_count, sizeof *made.blocks);
    made.cylinders = impi_allocate_array(allocator, group_count(made.block_count), sizeof *made.cylinders);
    made.vertices =
        impi_allocate_array(allocator, made.block_count, IMPI_SUPPORT_LANES * sizeof *made.vertices);
    impi_SpatialItem *items = impi_allocate_array(allocator, count, sizeof *items);
    bool done = made.blocks && made.cylinders && made.vertices && items;
    if (done) {
        fill_items(vertices, ids, count, &box, items);
        impi_spatial_order(items, count, IMPI_SUPPORT_LANES);
        fill_blocks(vertices, items, count, &box, &made);
        *set = made;
    } else {
        impi_support_set_destroy(allocator, &made);
    }
    impi_release(allocator, items, count * sizeof *items);
    return done;
}

void impi_support_set_destroy(const imp_Allocator *allocator, impi_SupportSet *set)
{
    size_t cylinder_count = group_count(set->block_count);
    impi_release(allocator, set->blocks, set->block_count * sizeof *set->blocks);
    impi_release(allocator, set->cylinders, cylinder_count * sizeof *set->cylinders);
    impi_release(allocator, set->vertices, set->block_count * IMPI_SUPPORT_LANES * sizeof *set->vertices);
    *set = (impi_SupportSet){0};
}
