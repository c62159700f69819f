// Normals are those of the polytope stretched to fill a cube, as the grid does with its coordinates, so that
// flat and thin bodies have normals all around as round ones have. The direction is stretched the other way
// by the search, which leaves the farthest vertex the farthest.
//
// A cone holds the normals of all faces at the vertices of a block, and so every direction in which one of
// them is the farthest. It is widened by more than what rounding does to normals, axes and directions; where
// a normal can't be relied on, because its face is nearly a line, it is as wide as can be.
#include "shape/support_cones.h"

#include "geom/scalar.h"
#include "geom/vector.h"

#include <assert.h>
#include <math.h>

// By how much cones are widened: an angle of 2^-10, or where the angle is near zero, 2^-19 of the squared
// cosine. Single precision is off by 15 * 2^-24 of that, normals by less than 2^-12.
#define SINE_OF_MARGIN   0x1p-10
#define COSINE_OF_MARGIN (1 - 0x1p-20)

// The height of a face over its longest edge, in a cube of side 2, from which on its normal can be relied on:
// corners, edges and the product of edges are off by 2^-49 or less altogether.
#define MIN_HEIGHT 0x1p-36

typedef struct Cone {
    imp_Vec3 sum;  // of normals
    double cosine; // of the widest normal, once the axis is known
    bool is_open;  // holds every direction
} Cone;

typedef struct Builder {
    const impi_SupportDef *def;
    const impi_SupportSet *set;
    uint32_t *block_of; // by the number of a vertex
    Cone *cones;
} Builder;

// False when it can't be relied on.
static bool normal_of(const Builder *builder, size_t triangle, imp_Vec3 *normal)
{
    const uint32_t *corners = builder->def->triangles + 3 * triangle;
    imp_Vec3 a = impi_support_stretch(builder->set, &builder->def->vertices[corners[0]]);
    imp_Vec3 ab = impi_subtract(impi_support_stretch(builder->set, &builder->def->vertices[corners[1]]), a);
    imp_Vec3 ac = impi_subtract(impi_support_stretch(builder->set, &builder->def->vertices[corners[2]]), a);
    imp_Vec3 cross = impi_cross(ab, ac);
    double area = sqrt(impi_dot(cross, cross)),
           longest = sqrt(impi_larger(impi_dot(ab, ab), impi_dot(ac, ac)));
    if (!(area > MIN_HEIGHT * longest))
        return false;
    *normal = impi_scale(cross, 1 / area);
    return true;
}

static Cone *cone_of(const Builder *builder, size_t triangle, unsigned corner)
{
    return &builder->cones[builder->block_of[builder->def->triangles[3 * triangle + corner]]];
}

static bool goes_on(const Builder *builder, size_t triangle)
{
    return !builder->def->watch || impi_watch_item(builder->def->watch, triangle);
}

// False when told to end, here and below.
static bool add_normals(const Builder *builder)
{
    for (size_t triangle = 0; triangle < builder->def->triangle_count; ++triangle) {
        if (!goes_on(builder, triangle))
            return false;
        imp_Vec3 normal = {0, 0, 0};
        bool is_reliable = normal_of(builder, triangle, &normal);
        for (unsigned corner = 0; corner < 3; ++corner) {
            Cone *cone = cone_of(builder, triangle, corner);
            cone->sum = impi_add_scaled(cone->sum, 1, normal);
            cone->is_open |= !is_reliable;
        }
    }
    return true;
}

static void find_axes(const Builder *builder)
{
    for (size_t number = 0; number < builder->set->block_count; ++number) {
        Cone *cone = &builder->cones[number];
        double length = sqrt(impi_dot(cone->sum, cone->sum));
        cone->is_open |= !(length > 0x1p-10);
        cone->sum = cone->is_open ? (imp_Vec3){1, 0, 0} : impi_scale(cone->sum, 1 / length);
        cone->cosine = 1;
    }
}

static bool widen(const Builder *builder)
{
    for (size_t triangle = 0; triangle < builder->def->triangle_count; ++triangle) {
        if (!goes_on(builder, triangle))
            return false;
        imp_Vec3 normal;
        if (!normal_of(builder, triangle, &normal))
            continue;
        for (unsigned corner = 0; corner < 3; ++corner) {
            Cone *cone = cone_of(builder, triangle, corner);
            cone->cosine = impi_smaller(impi_dot(normal, cone->sum), cone->cosine);
        }
    }
    return true;
}

// The square of the cosine of the angle plus the margin; cones that go around half or more are as good as
// open.
static float limit_of(const Cone *cone)
{
    double sine = sqrt(impi_larger(1 - cone->cosine * cone->cosine, 0));
    double cosine = cone->cosine * COSINE_OF_MARGIN - sine * SINE_OF_MARGIN;
    return cone->is_open || cosine <= 0 ? -INFINITY : (float)(cosine * cosine);
}

static void store_cone(impi_SupportCones *group, unsigned lane, const Cone *cone)
{
    group->axes.x[lane] = (float)cone->sum.x;
    group->axes.y[lane] = (float)cone->sum.y;
    group->axes.z[lane] = (float)cone->sum.z;
    group->limits[lane] = limit_of(cone);
}

static void store_cones(const Builder *builder)
{
    size_t block_count = builder->set->block_count;
    for (size_t number = 0; number < block_count || number % IMPI_SUPPORT_LANES; ++number) {
        impi_SupportCones *group = &builder->set->cones[number / IMPI_SUPPORT_LANES];
        unsigned lane = number % IMPI_SUPPORT_LANES;
        store_cone(group, lane, &builder->cones[number < block_count ? number : 0]);
        if (number >= block_count)
            group->limits[lane] = INFINITY; // no block: never looked at
    }
}

bool impi_support_cones_fill(const imp_Allocator *allocator, const impi_SupportDef *def, impi_SupportSet *set)
{
    assert(set->cones && set->points && def->triangles);
    Builder builder = {.def = def, .set = set};
    builder.block_of = impi_allocate_array(allocator, def->vertex_count, sizeof *builder.block_of);
    builder.cones = impi_allocate_array(allocator, set->block_count, sizeof *builder.cones);
    bool done = builder.block_of && builder.cones;
    if (done) {
        for (size_t number = 0; number < set->block_count; ++number)
            builder.cones[number] = (Cone){{0, 0, 0}, 1, false};
        for (size_t position = 0; position < set->vertex_count; ++position)
            builder.block_of[set->vertices[position]] = (uint32_t)(position / IMPI_SUPPORT_LANES);
        done = add_normals(&builder);
    }
    if (done) {
        find_axes(&builder);
        done = widen(&builder);
    }
    if (done)
        store_cones(&builder);
    impi_release(allocator, builder.block_of, def->vertex_count * sizeof *builder.block_of);
    impi_release(allocator, builder.cones, set->block_count * sizeof *builder.cones);
    return done;
}
