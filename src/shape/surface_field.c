// A tree over flat faces, eight at a time, each level in groups of eight that are compact: faces are ordered
// into large groups first, then inside of each. Cost of a query: some ten groups, fewer with a good hint.
//
// Errors, with u = 2^-53. Corners in the local frame are rounded by u of each coordinate, which is at most 1:
// by less than 2 u. A flat face is a triangle whose corners are not quite the face's. Edges are no longer
// than 4; their rounded differences, unit vectors and products are off by less than 8 u of that each, and a
// face whose height is below FLAT is taken as its longest edge. So each corner is off by less than FLAT + 128
// u = 2^-45, and with it each distance to the face: two triangles whose corners are that near are nowhere
// farther apart. It does not matter how thin the face is. Directions of the flat frame are square to each
// other to 8 u even where they hang on a low height, since they are made so a second time; so coordinates of
// a point p in it, and the distance that they give, are off by less than 32 u (|p| + 2). Inside the flat
// frame the numbers `left`, `right` and `height` are exact by definition: the side of the slope that a point
// is on, and the place on it, err by 16 u (|p| + 4). That all is less than 2^-45 + 48 u |p| + 128 u, for
// which IMPI_SURFACE_FIELD_ERROR leaves more than twice the room. Squares that vanish belong to lengths below
// 2^-500.
#include "shape/surface_field.h"

#include "base/cpu.h"
#include "geom/scalar.h"
#include "shape/bounds.h"
#include "shape/spatial_order.h"

#include <math.h>

#define FLAT            0x1p-46
#define POINT           0x1p-200 // shorter faces are points
#define GROUP           IMPI_FLAT_LANES
#define GROUPS_PER_TASK 256

// ---- faces laid flat

// The corners of a face with the longest edge first.
typedef struct Corners {
    unsigned a, b, c;
} Corners;

static Corners order_corners(const imp_Vec3 local[3])
{
    double longest = -1;
    Corners corners = {0, 1, 2};
    for (unsigned i = 0; i < 3; ++i) {
        imp_Vec3 edge = impi_subtract(local[(i + 1) % 3], local[i]);
        double square = impi_dot(edge, edge);
        if (square > longest) {
            longest = square;
            corners = (Corners){i, (i + 1) % 3, (i + 2) % 3};
        }
    }
    return corners;
}

static void localize(const impi_SurfaceField *field, uint32_t face, imp_Vec3 local[3])
{
    imp_Triangle triangle = impi_mesh_triangle(field->mesh, face);
    for (unsigned i = 0; i < 3; ++i)
        local[i] = impi_to_local(&field->frame, triangle.v[i]);
}

static imp_Vec3 any_square_to(imp_Vec3 unit)
{
    double x = fabs(unit.x), y = fabs(unit.y), z = fabs(unit.z);
    imp_Vec3 axis = {x <= y && x <= z, y < x && y <= z, z < x && z < y};
    return impi_unit(impi_cross(unit, axis));
}

typedef struct FlatFace {
    imp_Vec3 origin, along, across;
    double left, right, height;
} FlatFace;

static FlatFace flatten(const imp_Vec3 local[3])
{
    Corners corners = order_corners(local);
    FlatFace flat = {.origin = local[corners.a], .along = {1, 0, 0}, .across = {0, 1, 0}};
    imp_Vec3 edge = impi_subtract(local[corners.b], flat.origin);
    imp_Vec3 third = impi_subtract(local[corners.c], flat.origin);
    double length = impi_length(edge);
    if (length < POINT)
        return flat;
    flat.along = impi_unit(edge);
    flat.left = impi_smaller(impi_larger(impi_dot(third, flat.along), 0), length);
    flat.right = length - flat.left;
    flat.origin = impi_add_scaled(flat.origin, flat.left, flat.along);
    imp_Vec3 up = impi_add_scaled(third, -impi_dot(third, flat.along), flat.along);
    up = impi_add_scaled(up, -impi_dot(up, flat.along), flat.along);
    double height = impi_length(up);
    flat.height = height < FLAT ? 0 : height;
    flat.across = height < FLAT ? any_square_to(flat.along) : impi_unit(up);
    return flat;
}

static void store_vector(double lanes[3][GROUP], unsigned lane, imp_Vec3 v)
{
    lanes[0][lane] = v.x;
    lanes[1][lane] = v.y;
    lanes[2][lane] = v.z;
}

static void store_flat(impi_FlatFaces *faces, unsigned lane, const FlatFace *flat)
{
    store_vector(faces->origin, lane, flat->origin);
    store_vector(faces->along, lane, flat->along);
    store_vector(faces->across, lane, flat->across);
    store_vector(faces->normal, lane, impi_cross(flat->along, flat->across));
    faces->left[lane] = flat->left;
    faces->right[lane] = flat->right;
    faces->height[lane] = flat->height;
}

// ---- the tree

// Groups of eight faces; slots of the last one beyond the last face repeat that.
static size_t group_count(const impi_SurfaceField *field)
{
    return (field->mesh->arrays.triangle_count + GROUP - 1) / GROUP;
}

static void fill_group(const impi_SurfaceField *field, size_t number)
{
    imp_Box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (unsigned lane = 0; lane < GROUP; ++lane) {
        imp_Vec3 local[3];
        localize(field, field->faces[number * GROUP + lane], local);
        FlatFace flat = flatten(local);
        store_flat(&field->flat[number], lane, &flat);
        for (unsigned i = 0; i < 3; ++i)
            impi_box_add(&box, &local[i]);
    }
    impi_box_lanes_store(&field->tree.levels[0][number / IMPI_GROUP_SIZE], number % IMPI_GROUP_SIZE, &box);
}

typedef struct Filling {
    const impi_SurfaceField *field;
    impi_Watch *watch;
} Filling;

static void fill_groups(size_t begin, size_t end, size_t block, void *argument)
{
    const Filling *filling = argument;
    (void)block;
    if (!impi_watch_step(filling->watch, end - begin))
        return;
    for (size_t number = begin; number < end; ++number)
        fill_group(filling->field, number);
}

static void fill_items(const impi_SurfaceField *field, impi_SpatialItem *items)
{
    for (size_t face = 0; face < field->mesh->arrays.triangle_count; ++face) {
        imp_Vec3 local[3];
        localize(field, (uint32_t)face, local);
        imp_Box box = {local[0], local[0]};
        impi_box_add(&box, &local[1]);
        impi_box_add(&box, &local[2]);
        items[face] = (impi_SpatialItem){{(float)(0.5 * (box.min.x + box.max.x)),
                                          (float)(0.5 * (box.min.y + box.max.y)),
                                          (float)(0.5 * (box.min.z + box.max.z))},
                                         (uint32_t)face};
    }
}

// Eight parts of each part, beginning with the whole.
static bool order_items(impi_Watch *watch, impi_SpatialItem *items, size_t count)
{
    size_t size = GROUP, levels = 1;
    for (; size * IMPI_GROUP_SIZE < count; size *= IMPI_GROUP_SIZE)
        ++levels;
    impi_watch_work(watch, "sorting faces", levels * count);
    for (; size >= GROUP; size /= IMPI_GROUP_SIZE) {
        for (size_t begin = 0; begin < count; begin += size * IMPI_GROUP_SIZE) {
            size_t length = size * IMPI_GROUP_SIZE < count - begin ? size * IMPI_GROUP_SIZE : count - begin;
            if (!impi_spatial_order(watch, items + begin, length, size))
                return false;
        }
    }
    return true;
}

static imp_Status order_faces(imp_Context *context, impi_SurfaceField *field)
{
    size_t count = field->mesh->arrays.triangle_count, slots = group_count(field) * GROUP;
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    impi_SpatialItem *items = impi_arena_allocate_array(&context->scratch, count, sizeof *items);
    if (!items)
        return impi_fail_out_of_memory(context);
    fill_items(field, items);
    bool is_ordered = order_items(&context->watch, items, count);
    for (size_t slot = 0; slot < slots && is_ordered; ++slot)
        field->faces[slot] = items[slot < count ? slot : count - 1].id;
    impi_arena_rewind(&context->scratch, mark);
    return impi_watch_status(context);
}

static imp_Status fill_tree(imp_Context *context, impi_SurfaceField *field)
{
    static const imp_Box empty = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    size_t groups = group_count(field);
    for (size_t number = groups; number % IMPI_GROUP_SIZE != 0; ++number)
        impi_box_lanes_store(&field->tree.levels[0][number / IMPI_GROUP_SIZE], number % IMPI_GROUP_SIZE,
                             &empty);
    impi_watch_work(&context->watch, "measuring faces", groups);
    Filling filling = {field, &context->watch};
    impi_parallel_for(&context->executor, groups, GROUPS_PER_TASK, fill_groups, &filling);
    imp_Status status = impi_watch_status(context);
    if (status == IMP_STATUS_OK)
        impi_block_tree_finish(&field->tree);
    return status;
}

imp_Status impi_surface_field_build(imp_Context *context, const imp_Mesh *mesh, bool is_solid,
                                    impi_SurfaceField *field)
{
    impi_Arena *arena = &context->scratch;
    *field = (impi_SurfaceField){.mesh = mesh, .frame = impi_local_frame_make(&mesh->shape.bounds)};
    size_t groups = group_count(field);
    if (groups > (size_t)1 << (3 * IMPI_BLOCK_TREE_LEVELS))
        return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE,
                         "%zu triangles are too many to measure distances from", mesh->arrays.triangle_count);
    field->faces = impi_arena_allocate_array(arena, groups * GROUP, sizeof *field->faces);
    field->flat = impi_arena_allocate_array(arena, groups, sizeof *field->flat);
    impi_BoxLanes *boxes = impi_arena_allocate_array(arena, impi_block_tree_size(groups), sizeof *boxes);
    if (!field->faces || !field->flat || !boxes)
        return impi_fail_out_of_memory(context);
    impi_block_tree_init(&field->tree, groups, boxes);
    imp_Status status = order_faces(context, field);
    if (status == IMP_STATUS_OK)
        status = fill_tree(context, field);
    if (status == IMP_STATUS_OK && is_solid)
        status = impi_point_locator_build(context, mesh, NULL, &field->inside);
    return status;
}

// ---- queries

impi_NearestPoint impi_surface_field_nearest(const impi_SurfaceField *field, imp_Vec3 point, uint32_t hint,
                                             double enough)
{
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx512())
        return impi_surface_field_nearest_avx512(field, point, hint, enough);
    if (impi_cpu_has_avx2())
        return impi_surface_field_nearest_avx2(field, point, hint, enough);
#endif
    return impi_surface_field_nearest_portable(field, point, hint, enough);
}

static double between(double low, double value, double high)
{
    return impi_smaller(impi_larger(value, low), high);
}

// As weights of the corners, so that it lies on the face whatever the flat face is.
imp_Vec3 impi_surface_field_point(const impi_SurfaceField *field, const impi_NearestPoint *nearest)
{
    const impi_FlatFaces *faces = &field->flat[nearest->slot / GROUP];
    unsigned lane = nearest->slot % GROUP;
    double height = faces->height[lane], left = faces->left[lane], length = left + faces->right[lane];
    double third = height > 0 ? between(0, nearest->y / height, 1) : 0, rest = 1 - third;
    double second = length > 0 ? between(0, (nearest->x + left * rest) / length, rest) : 0;
    double first = rest - second;
    imp_Vec3 local[3];
    uint32_t face = field->faces[nearest->slot];
    localize(field, face, local);
    Corners corners = order_corners(local);
    imp_Triangle triangle = impi_mesh_triangle(field->mesh, face);
    const imp_Vec3 *a = &triangle.v[corners.a], *b = &triangle.v[corners.b], *c = &triangle.v[corners.c];
    return (imp_Vec3){(first * a->x + second * b->x) + third * c->x,
                      (first * a->y + second * b->y) + third * c->y,
                      (first * a->z + second * b->z) + third * c->z};
}
