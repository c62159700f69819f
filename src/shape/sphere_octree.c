// Spheres around the octants that a surface meets: what Hubbard (1996) compares his method with. Quick, and
// loose.
//
// The cube around the mesh is halved along x, y and z in turn, and halves without surface are dropped. Three
// rounds of that are a level of an octree. A level of spheres takes as many rounds as keep within the branch
// factor, so that its halves are 2, 4, 8, ... of each parent: 8 and 64 children are those of an octree. A
// flat set takes rounds until there would be too many, or until the spheres are small enough.
//
// A part of the surface in an octant is in the octants above it too, so chains hold it. Each round looks at
// the faces of each octant twice.
//
// The octrees of shape/octree_build.c are of no use here: they divide all three axes at once, where 2 or 4
// children are asked for too, and on a grid, of which the local frame of spheres has none.
#include "shape/sphere_draft.h"

#include "geom/touch.h"
#include "shape/local_frame.h"
#include "shape/point_location.h"

#include <float.h>
#include <inttypes.h>

// Octants are tested for faces with this much around them, and spheres have as much around octants: more than
// rounding takes in the local frame.
#define SLACK 0x1p-46

// Where a surface passes through the corner at which octants meet, each of their spheres ends just there. A
// little more keeps the proof of coverage from cutting faces into tiny pieces around corners.
#define ROOM 0x1p-12

// Smaller sides are not halved: they would be near the slack.
#define SMALLEST_SIDE 0x1p-40

// How many faces are looked at between two looks at the watch.
#define FACES_PER_LOOK 1024

typedef struct Octant {
    imp_Box box; // in the local frame
    size_t first_face, face_count;
    uint32_t sphere; // around it, or around the one above when it has none
} Octant;

typedef struct Octants {
    IMPI_ARRAY(Octant) octants; // all of one size; in the order of the spheres above them
    IMPI_ARRAY(uint32_t) faces; // octant by octant
} Octants;

typedef struct Builder {
    imp_Context *context;
    const imp_SphereTreeDef *def;
    impi_SphereDraft *draft;
    impi_LocalFrame frame;
    const imp_Vec3 *vertices;  // in the local frame
    impi_PointLocator locator; // for solids only
    double smallest_side;
    Octants now, next;
    size_t faces_seen;
} Builder;

static void octants_free(const imp_Allocator *allocator, Octants *octants)
{
    impi_array_free(allocator, &octants->octants, sizeof *octants->octants.data);
    impi_array_free(allocator, &octants->faces, sizeof *octants->faces.data);
}

static imp_Box widen(const imp_Box *box, double by)
{
    return (imp_Box){{box->min.x - by, box->min.y - by, box->min.z - by},
                     {box->max.x + by, box->max.y + by, box->max.z + by}};
}

static double longest_side(const imp_Box *box)
{
    return impi_longest(impi_subtract(box->max, box->min));
}

static imp_Vec3 middle(const imp_Box *box)
{
    return (imp_Vec3){(box->min.x + box->max.x) / 2, (box->min.y + box->max.y) / 2,
                      (box->min.z + box->max.z) / 2};
}

// Sides are halved in turn, so that the longest one is the first of equals.
static void halve(const imp_Box *box, imp_Box halves[2])
{
    imp_Vec3 extent = impi_subtract(box->max, box->min), center = middle(box);
    halves[0] = halves[1] = *box;
    // Sides differ by the rounding of their ends only, or by a factor of two.
    if (extent.x * 1.5 > extent.y && extent.x * 1.5 > extent.z)
        halves[0].max.x = halves[1].min.x = center.x;
    else if (extent.y * 1.5 > extent.z)
        halves[0].max.y = halves[1].min.y = center.y;
    else
        halves[0].max.z = halves[1].min.z = center.z;
}

// ---- spheres

// In the mesh's frame, around the box with room to spare. The center is rounded, so the box's farthest corner
// is sought from where it went.
static imp_GivenSphere sphere_around(const Builder *builder, const imp_Box *box, uint32_t parent)
{
    imp_GivenSphere sphere = {.center = impi_from_local(&builder->frame, middle(box)), .parent = parent};
    if (builder->frame.is_point)
        return sphere;
    imp_Vec3 center = impi_to_local(&builder->frame, sphere.center);
    imp_Vec3 reach = {fmax(center.x - box->min.x, box->max.x - center.x),
                      fmax(center.y - box->min.y, box->max.y - center.y),
                      fmax(center.z - box->min.z, box->max.z - center.z)};
    double radius = impi_length(reach) * (1 + ROOM) + 2 * SLACK;
    sphere.radius = impi_length_from_local_up(&builder->frame, radius);
    return sphere;
}

static imp_Status add_spheres(Builder *builder)
{
    impi_SphereDraft *draft = builder->draft;
    size_t count = builder->now.octants.count;
    if (!impi_array_reserve(&builder->context->allocator, draft, sizeof *draft->data, draft->count + count))
        return impi_fail_out_of_memory(builder->context);
    for (size_t i = 0; i < count; ++i) {
        Octant *octant = &builder->now.octants.data[i];
        draft->data[draft->count] = sphere_around(builder, &octant->box, octant->sphere);
        octant->sphere = (uint32_t)draft->count++;
    }
    return IMP_STATUS_OK;
}

// ---- rounds of halving

static bool is_inside(const Builder *builder, const imp_Box *box)
{
    imp_Vec3 center = impi_from_local(&builder->frame, middle(box));
    impi_Winding winding = impi_point_locator_wind(&builder->locator, center, IMPI_NO_COMPONENT);
    return winding.on_surface || winding.number != 0;
}

// Those faces of an octant that meet `box`, a half of it, or the inside, make one of the next round.
static imp_Status add_half(Builder *builder, const Octant *octant, const imp_Box *box)
{
    Octants *next = &builder->next;
    const imp_Allocator *allocator = &builder->context->allocator;
    const imp_Box wide = widen(box, SLACK);
    const uint32_t *indices = builder->def->mesh->arrays.indices;
    size_t first = next->faces.count;
    if (!impi_array_reserve(allocator, &next->faces, sizeof *next->faces.data, first + octant->face_count) ||
        !impi_array_reserve(allocator, &next->octants, sizeof *next->octants.data, next->octants.count + 1))
        return impi_fail_out_of_memory(builder->context);
    for (size_t i = 0; i < octant->face_count; ++i) {
        uint32_t face = builder->now.faces.data[octant->first_face + i];
        const uint32_t *corners = indices + 3 * (size_t)face;
        imp_Triangle triangle = {
            {builder->vertices[corners[0]], builder->vertices[corners[1]], builder->vertices[corners[2]]}};
        if (impi_triangle_touches_box(&triangle, &wide))
            next->faces.data[next->faces.count++] = face;
        if (builder->faces_seen++ % FACES_PER_LOOK == 0 && !impi_watch_goes_on(&builder->context->watch))
            return impi_watch_status(builder->context);
    }
    size_t face_count = next->faces.count - first;
    // What has no faces is inside as a whole or outside as a whole, and so are its halves.
    bool is_kept = face_count > 0 || (builder->def->cover == IMP_COVER_SOLID &&
                                      (octant->face_count == 0 || is_inside(builder, box)));
    if (is_kept)
        next->octants.data[next->octants.count++] = (Octant){*box, first, face_count, octant->sphere};
    return IMP_STATUS_OK;
}

// Halve all octants into builder->next, unless that gets more than so many.
static imp_Status halve_octants(Builder *builder, size_t most)
{
    imp_Status status = IMP_STATUS_OK;
    builder->next.octants.count = builder->next.faces.count = 0;
    for (size_t i = 0; i < builder->now.octants.count && builder->next.octants.count <= most; ++i) {
        const Octant *octant = &builder->now.octants.data[i];
        imp_Box halves[2];
        halve(&octant->box, halves);
        for (int half = 0; half < 2 && status == IMP_STATUS_OK; ++half)
            status = add_half(builder, octant, &halves[half]);
        if (status == IMP_STATUS_OK && !impi_watch_goes_on(&builder->context->watch))
            status = impi_watch_status(builder->context);
        if (status != IMP_STATUS_OK)
            break;
    }
    return status;
}

static void take_next(Builder *builder)
{
    Octants next = builder->next;
    builder->next = builder->now;
    builder->now = next;
    impi_watch_step(&builder->context->watch, 1);
}

static bool can_halve(const Builder *builder)
{
    return longest_side(&builder->now.octants.data[0].box) > builder->smallest_side;
}

static imp_Status build_levels(Builder *builder)
{
    const imp_SphereTreeDef *def = builder->def;
    imp_Status status = IMP_STATUS_OK;
    unsigned rounds = 0;
    while (def->branch >> (rounds + 1))
        ++rounds;
    impi_watch_work(&builder->context->watch, "spheres around octants", (uint64_t)rounds * def->depth);
    for (uint32_t level = 0; level < def->depth && status == IMP_STATUS_OK && can_halve(builder); ++level) {
        for (unsigned round = 0; round < rounds && status == IMP_STATUS_OK && can_halve(builder); ++round) {
            status = halve_octants(builder, SIZE_MAX);
            if (status == IMP_STATUS_OK)
                take_next(builder);
        }
        if (status == IMP_STATUS_OK)
            status = add_spheres(builder);
    }
    return status;
}

static bool is_small_enough(const Builder *builder)
{
    imp_GivenSphere sphere = sphere_around(builder, &builder->now.octants.data[0].box, IMP_NO_SPHERE);
    return sphere.radius <= builder->def->protrusion / 2;
}

// Every octant holds a point of the body, so that no point of its sphere is farther from the body than the
// sphere's diameter.
static imp_Status build_flat(Builder *builder)
{
    const imp_SphereTreeDef *def = builder->def;
    imp_Status status = IMP_STATUS_OK;
    size_t most = def->count > 0 ? def->count : IMP_MAX_SPHERE_COUNT - 1;
    bool is_full = false;
    impi_watch_work(&builder->context->watch, "spheres around octants", 1);
    while (status == IMP_STATUS_OK && !is_full && can_halve(builder) &&
           (def->count > 0 || !is_small_enough(builder))) {
        status = halve_octants(builder, most);
        is_full = builder->next.octants.count > most;
        if (status == IMP_STATUS_OK && !is_full)
            take_next(builder);
    }
    if (status == IMP_STATUS_OK && def->count == 0 && !is_small_enough(builder))
        return impi_fail(builder->context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE,
                         "spheres around octants that protrude by no more than %g would be more than %zu",
                         def->protrusion, most);
    return status == IMP_STATUS_OK ? add_spheres(builder) : status;
}

// ---- the whole mesh

static imp_Status place_vertices(Builder *builder)
{
    const imp_Mesh *mesh = builder->def->mesh;
    size_t count = mesh->arrays.vertex_count;
    imp_Vec3 *vertices = impi_arena_allocate_array(&builder->context->scratch, count, sizeof *vertices);
    if (!vertices)
        return impi_fail_out_of_memory(builder->context);
    for (size_t i = 0; i < count; ++i)
        vertices[i] = impi_to_local(&builder->frame, mesh->arrays.vertices[i]);
    builder->vertices = vertices;
    return IMP_STATUS_OK;
}

// How far apart doubles are where the mesh is, in the local frame: centers cannot be placed more finely.
static double grid_spacing(const Builder *builder)
{
    const imp_Box *bounds = &builder->def->mesh->shape.bounds;
    double largest = fmax(impi_longest(bounds->min), impi_longest(bounds->max));
    double spacing = scalbn(scalbn(largest, builder->frame.exponent), -DBL_MANT_DIG + 1);
    return fmax(spacing, scalbn(DBL_TRUE_MIN, builder->frame.exponent));
}

static imp_Status add_cube(Builder *builder)
{
    const imp_Allocator *allocator = &builder->context->allocator;
    const imp_Mesh *mesh = builder->def->mesh;
    size_t face_count = mesh->arrays.triangle_count;
    Octants *now = &builder->now;
    if (!impi_array_reserve(allocator, &now->octants, sizeof *now->octants.data, 1) ||
        !impi_array_reserve(allocator, &now->faces, sizeof *now->faces.data, face_count))
        return impi_fail_out_of_memory(builder->context);
    for (size_t i = 0; i < face_count; ++i)
        now->faces.data[i] = (uint32_t)i;
    now->faces.count = face_count;
    imp_Vec3 low = impi_to_local(&builder->frame, mesh->shape.bounds.min);
    imp_Vec3 high = impi_to_local(&builder->frame, mesh->shape.bounds.max);
    double half = fmax(impi_longest(low), impi_longest(high));
    imp_Box cube = {{-half, -half, -half}, {half, half, half}};
    now->octants.data[now->octants.count++] =
        (Octant){.box = cube, .face_count = face_count, .sphere = IMP_NO_SPHERE};
    return add_spheres(builder);
}

imp_Status impi_spheres_octree(imp_Context *context, const imp_SphereTreeDef *def, impi_SphereDraft *draft)
{
    Builder builder = {.context = context, .def = def, .draft = draft};
    builder.frame = impi_local_frame_make(&def->mesh->shape.bounds);
    builder.smallest_side = fmax(SMALLEST_SIDE, 8 * grid_spacing(&builder));
    imp_Status status = place_vertices(&builder);
    if (status == IMP_STATUS_OK && def->cover == IMP_COVER_SOLID)
        status = impi_point_locator_build(context, def->mesh, NULL, &builder.locator);
    if (status == IMP_STATUS_OK)
        status = add_cube(&builder);
    if (status == IMP_STATUS_OK && !builder.frame.is_point)
        status = def->branch == 0 ? build_flat(&builder) : build_levels(&builder);
    octants_free(&context->allocator, &builder.now);
    octants_free(&context->allocator, &builder.next);
    return status;
}
