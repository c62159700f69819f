// Spheres around the medial axis: Hubbard, "Approximating polyhedra with spheres for time-critical collision
// detection" (1996), sections 5 and 6.
//
// The spheres of a skeleton are merged until as many are left as the root may have children. Then those that
// went into each child are merged anew, from the beginning, to be its children, and so on. Every sphere holds
// the forming points of what went into it, so children hold what their parent holds of them; what lies
// between them is mended afterwards.
#include "shape/sphere_draft.h"

#include "shape/mesh_topology.h"
#include "shape/sphere_merge.h"

// Forming points for each sphere of the last level, and the limits of their number. Above it qhull takes
// seconds.
#define POINTS_PER_SPHERE 8
#define LEAST_POINTS      512
#define MOST_POINTS       16384

// For a largest protrusion: points twice as far apart as that, on a surface as large as the local cube's.
#define CUBE_AREA 6

// Spheres that are merged to keep within a largest protrusion use this part of it: mending adds to it.
#define PROTRUSION_PART 0.75

// Rounds that bring the root's center nearer to the best place.
#define ROOT_ROUNDS 64

// More than rounding takes in the local frame.
#define SLACK 0x1p-46

typedef struct Builder {
    imp_Context *context;
    const imp_SphereTreeDef *def;
    impi_SphereDraft *draft;
    impi_SurfaceField field;
    impi_Skeleton skeleton;
    impi_SphereMerger *merger;
    IMPI_ARRAY(uint32_t) members; // spheres of the skeleton, in the order of those that they are merged into
    impi_MergedSpheres parents, children;
} Builder;

// ---- spheres

// The center is rounded; the radius makes up for that.
static imp_Status add_sphere(Builder *builder, imp_Vec3 center, double radius, uint32_t parent)
{
    impi_SphereDraft *draft = builder->draft;
    const impi_LocalFrame *frame = &builder->field.frame;
    if (!impi_array_reserve(&builder->context->allocator, draft, sizeof *draft->data, draft->count + 1))
        return impi_fail_out_of_memory(builder->context);
    imp_GivenSphere sphere = {.center = impi_from_local(frame, center), .parent = parent};
    imp_Vec3 moved = impi_subtract(impi_to_local(frame, sphere.center), center);
    sphere.radius = impi_length_from_local_up(frame, radius + impi_length(moved) + SLACK);
    draft->data[draft->count++] = sphere;
    return IMP_STATUS_OK;
}

static imp_Vec3 corner(const Builder *builder, size_t i)
{
    const impi_MeshArrays *arrays = &builder->def->mesh->arrays;
    return impi_to_local(&builder->field.frame, arrays->vertices[arrays->indices[i]]);
}

static imp_Status find_farthest(const Builder *builder, imp_Vec3 center, imp_Vec3 *farthest, double *distance)
{
    double most = 0;
    *farthest = center;
    for (size_t i = 0; i < 3 * builder->def->mesh->arrays.triangle_count; ++i) {
        imp_Vec3 point = corner(builder, i), away = impi_subtract(point, center);
        if (impi_dot(away, away) > most) {
            most = impi_dot(away, away);
            *farthest = point;
        }
        if (i % IMPI_WATCH_ITEMS == 0 && !impi_watch_goes_on(&builder->context->watch))
            return impi_watch_status(builder->context);
    }
    *distance = sqrt(most);
    return IMP_STATUS_OK;
}

// A ball around all corners, nearly the smallest: its center goes towards the farthest corner, in ever
// shorter steps (Badoiu and Clarkson 2003).
static imp_Status add_root(Builder *builder)
{
    imp_Vec3 center = {0, 0, 0}, best = center, farthest = center;
    double least = INFINITY, distance = 0;
    imp_Status status = IMP_STATUS_OK;
    impi_watch_work(&builder->context->watch, "finding the bounding sphere", ROOT_ROUNDS);
    for (int round = 0; round < ROOT_ROUNDS && status == IMP_STATUS_OK; ++round) {
        status = find_farthest(builder, center, &farthest, &distance);
        if (distance < least) {
            least = distance;
            best = center;
        }
        center = impi_add_scaled(center, 1.0 / (round + 2), impi_subtract(farthest, center));
        impi_watch_step(&builder->context->watch, 1);
    }
    return status == IMP_STATUS_OK ? add_sphere(builder, best, least, IMP_NO_SPHERE) : status;
}

// ---- levels

static bool is_flat(const imp_SphereTreeDef *def)
{
    return def->branch == 0;
}

static impi_MergeEnd merge_end(const Builder *builder)
{
    const imp_SphereTreeDef *def = builder->def;
    if (!is_flat(def))
        return (impi_MergeEnd){def->branch, INFINITY};
    if (def->count > 0)
        return (impi_MergeEnd){def->count, INFINITY};
    double protrusion = impi_length_to_local_down(&builder->field.frame, def->protrusion);
    return (impi_MergeEnd){1, PROTRUSION_PART * protrusion};
}

static imp_Status add_level(Builder *builder, uint32_t first_parent)
{
    imp_Status status = IMP_STATUS_OK;
    impi_MergedSpheres *parents = &builder->parents, *children = &builder->children;
    children->count = 0;
    for (size_t i = 0; i < parents->count && status == IMP_STATUS_OK; ++i) {
        uint32_t *members = builder->members.data + parents->data[i].first_member;
        size_t first = children->count;
        status = impi_sphere_merger_merge(builder->merger, members, parents->data[i].member_count,
                                          merge_end(builder), children);
        for (size_t k = first; k < children->count && status == IMP_STATUS_OK; ++k) {
            impi_MergedSphere *child = &children->data[k];
            child->first_member += parents->data[i].first_member;
            status = add_sphere(builder, child->center, child->radius, first_parent + (uint32_t)i);
        }
    }
    impi_MergedSpheres made = *children;
    *children = *parents;
    *parents = made;
    return status;
}

static imp_Status begin_levels(Builder *builder)
{
    const imp_Allocator *allocator = &builder->context->allocator;
    size_t count = builder->skeleton.spheres.count;
    if (!impi_array_reserve(allocator, &builder->members, sizeof *builder->members.data, count) ||
        !impi_array_reserve(allocator, &builder->parents, sizeof *builder->parents.data, 1))
        return impi_fail_out_of_memory(builder->context);
    for (size_t i = 0; i < count; ++i)
        builder->members.data[i] = (uint32_t)i;
    builder->parents.data[0] = (impi_MergedSphere){.member_count = (uint32_t)count};
    builder->parents.count = 1;
    return impi_sphere_merger_create(builder->context, &builder->field, &builder->skeleton, &builder->merger);
}

static imp_Status build_levels(Builder *builder)
{
    imp_Status status = begin_levels(builder);
    uint32_t first_parent = 0;
    size_t member_count = builder->skeleton.spheres.count;
    impi_watch_work(&builder->context->watch, "merging spheres",
                    (uint64_t)member_count * builder->def->depth);
    for (uint32_t level = 0; level < builder->def->depth && status == IMP_STATUS_OK; ++level) {
        if (level > 0 && builder->parents.count == member_count)
            break; // nothing is left that could be told apart
        uint32_t first_child = (uint32_t)builder->draft->count;
        status = add_level(builder, first_parent);
        first_parent = first_child;
    }
    return status;
}

// ---- all of it

static size_t choose_point_count(const Builder *builder)
{
    const imp_SphereTreeDef *def = builder->def;
    double spheres = is_flat(def) ? def->count : pow(def->branch, def->depth);
    if (def->protrusion > 0) {
        double spacing = 2 * impi_length_to_local_down(&builder->field.frame, def->protrusion);
        spheres = CUBE_AREA / (spacing * spacing) / POINTS_PER_SPHERE;
    }
    return (size_t)fmin(fmax(POINTS_PER_SPHERE * spheres, LEAST_POINTS), MOST_POINTS);
}

static imp_Status build(Builder *builder)
{
    imp_Context *context = builder->context;
    imp_Mesh *mesh = builder->def->mesh;
    bool is_solid;
    imp_Status status = impi_mesh_is_closed(context, mesh, &is_solid);
    if (status == IMP_STATUS_OK)
        status = impi_surface_field_build(context, mesh, is_solid, &builder->field);
    if (status == IMP_STATUS_OK)
        status = add_root(builder);
    if (status == IMP_STATUS_OK)
        status = impi_skeleton_find(context, &builder->field, is_solid, choose_point_count(builder),
                                    &builder->skeleton);
    return status == IMP_STATUS_OK ? build_levels(builder) : status;
}

static imp_Status add_point(Builder *builder)
{
    builder->field.frame = impi_local_frame_make(&builder->def->mesh->shape.bounds);
    imp_Status status = add_sphere(builder, (imp_Vec3){0, 0, 0}, 0, IMP_NO_SPHERE);
    if (status == IMP_STATUS_OK)
        builder->draft->data[0].radius = 0;
    return status;
}

imp_Status impi_spheres_medial(imp_Context *context, const imp_SphereTreeDef *def, impi_SphereDraft *draft)
{
    const imp_Allocator *allocator = &context->allocator;
    Builder builder = {.context = context, .def = def, .draft = draft};
    bool is_point = impi_is_equal(&def->mesh->shape.bounds.min, &def->mesh->shape.bounds.max);
    imp_Status status = is_point ? add_point(&builder) : build(&builder);
    impi_sphere_merger_destroy(context, builder.merger);
    impi_skeleton_free(allocator, &builder.skeleton);
    impi_array_free(allocator, &builder.members, sizeof *builder.members.data);
    impi_array_free(allocator, &builder.parents, sizeof *builder.parents.data);
    impi_array_free(allocator, &builder.children, sizeof *builder.children.data);
    return status;
}
