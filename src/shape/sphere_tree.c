// A builder drafts spheres, holes are mended, coverage is proven, and what the spheres are worth is measured:
// each step is a file of its own. Nothing of a draft is believed.
#include "shape/sphere_tree.h"

#include "shape/mesh_topology.h"
#include "shape/sphere_protrusion.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#define DEFAULT_BRANCH 8
#define DEFAULT_DEPTH  3

// How a largest protrusion is aimed at: so often, each time by what was missed and a little more, but not
// much lower at once.
#define MAX_ATTEMPTS 6
#define AIM_LOWER    0.95
#define LEAST_AIM    0.5

void impi_sphere_tree_destroy(imp_SphereTree *tree)
{
    imp_Allocator allocator = tree->shape.allocator;
    impi_release(&allocator, tree->spheres, tree->count * sizeof *tree->spheres);
    impi_sphere_lanes_free(&allocator, &tree->lanes);
    impi_sphere_faces_free(&allocator, &tree->faces);
    imp_mesh_release(tree->mesh);
    impi_release(&allocator, tree, sizeof *tree);
}

// ---- what is asked for

static imp_Status check_kind(imp_Context *context, const imp_SphereTreeDef *def)
{
    bool has_count = def->count > 0, has_protrusion = def->protrusion != 0;
    bool has_levels = def->branch > 0 || def->depth > 0;
    if (has_count + has_protrusion + has_levels > 1)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "of a count, a largest protrusion and levels only one can be asked for");
    if (!isfinite(def->protrusion) || def->protrusion < 0)
        return impi_fail(context, IMP_STATUS_BAD_NUMBER, IMP_NOWHERE,
                         "a largest protrusion of %g is negative or not finite", def->protrusion);
    if (def->method < IMP_SPHERES_FIT || def->method > IMP_SPHERES_OCTREE)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "unknown method %d for spheres",
                         (int)def->method);
    return IMP_STATUS_OK;
}

static imp_Status check_levels(imp_Context *context, const imp_SphereTreeDef *def)
{
    uint64_t level_size = 1, count = 1;
    if (def->branch < 2 || def->branch > IMP_MAX_SPHERE_BRANCH)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "%" PRIu32 " children of a sphere are not from 2 to %u", def->branch,
                         (unsigned)IMP_MAX_SPHERE_BRANCH);
    if (def->depth > IMP_MAX_SPHERE_DEPTH)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "%" PRIu32 " levels of spheres are more than %u", def->depth,
                         (unsigned)IMP_MAX_SPHERE_DEPTH);
    for (uint32_t level = 0; level < def->depth && count <= IMP_MAX_SPHERE_COUNT; ++level)
        count += level_size *= def->branch;
    if (count > IMP_MAX_SPHERE_COUNT)
        return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE,
                         "%" PRIu32 " levels of %" PRIu32 " children each could take more than %u spheres",
                         def->depth, def->branch, (unsigned)IMP_MAX_SPHERE_COUNT);
    return IMP_STATUS_OK;
}

static imp_Status check_cover(imp_Context *context, const imp_Mesh *mesh, imp_SphereCover cover)
{
    bool is_closed;
    if (cover != IMP_COVER_SURFACE && cover != IMP_COVER_SOLID)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "unknown cover %d of spheres",
                         (int)cover);
    if (mesh->arrays.triangle_count == 0)
        return impi_fail(context, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE,
                         "a mesh without faces has nothing to cover with spheres");
    imp_Status status = impi_mesh_is_closed(context, mesh, &is_closed);
    if (status == IMP_STATUS_OK && cover == IMP_COVER_SOLID && !is_closed)
        status = impi_fail(context, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE,
                           "an open mesh has no inside to cover with spheres");
    return status;
}

// With defaults filled in.
static imp_Status complete_def(imp_Context *context, imp_SphereTreeDef *def)
{
    imp_Status status = IMPI_CHECK_RESERVED(context, def);
    if (status == IMP_STATUS_OK)
        status = check_kind(context, def);
    if (status != IMP_STATUS_OK)
        return status;
    if (def->count > 0 || def->protrusion > 0) {
        def->depth = 1;
        if (def->count > IMP_MAX_SPHERE_COUNT - 1)
            return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE,
                             "%" PRIu32 " spheres are more than %u", def->count,
                             (unsigned)IMP_MAX_SPHERE_COUNT - 1);
    } else {
        def->branch = def->branch ? def->branch : DEFAULT_BRANCH;
        def->depth = def->depth ? def->depth : DEFAULT_DEPTH;
        status = check_levels(context, def);
    }
    return status == IMP_STATUS_OK ? check_cover(context, def->mesh, def->cover) : status;
}

// ---- spheres that are given

static imp_Status check_sphere(imp_Context *context, const imp_GivenSphere *spheres, size_t i)
{
    const imp_GivenSphere *sphere = &spheres[i];
    const imp_Vec3 *center = &sphere->center;
    if (!isfinite(center->x) || !isfinite(center->y) || !isfinite(center->z) || !isfinite(sphere->radius) ||
        sphere->radius < 0)
        return impi_fail(context, IMP_STATUS_BAD_NUMBER, i,
                         "sphere %zu (%g %g %g, radius %g) is not finite or has a negative radius", i,
                         center->x, center->y, center->z, sphere->radius);
    bool has_parent = sphere->parent != IMP_NO_SPHERE;
    if (has_parent != (i > 0) || (has_parent && sphere->parent >= i))
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, i,
                         has_parent ? "sphere %zu comes before its parent" : "sphere %zu has no parent", i);
    if (i > 1 && sphere->parent < spheres[i - 1].parent)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, i,
                         "sphere %zu is not in the order of the parents of spheres", i);
    return IMP_STATUS_OK;
}

static imp_Status check_given(imp_Context *context, const imp_GivenSpheresDef *def)
{
    imp_Status status = IMPI_CHECK_RESERVED(context, def);
    if (status == IMP_STATUS_OK && (def->count == 0 || def->count > IMP_MAX_SPHERE_COUNT))
        status = impi_fail(context, def->count ? IMP_STATUS_TOO_LARGE : IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                           "%zu spheres are not from 1 to %u", def->count, (unsigned)IMP_MAX_SPHERE_COUNT);
    for (size_t i = 0; i < def->count && status == IMP_STATUS_OK; ++i)
        status = check_sphere(context, def->spheres, i);
    return status == IMP_STATUS_OK ? check_cover(context, def->mesh, def->cover) : status;
}

// ---- from a draft to a tree

// Parents, levels and children of the spheres of a draft. Levels follow each other, since parents ascend.
static imp_Status link_spheres(imp_Context *context, const impi_SphereDraft *draft, imp_SphereTree *tree)
{
    for (size_t i = 0; i < draft->count; ++i) {
        const imp_GivenSphere *from = &draft->data[i];
        imp_Sphere *sphere = &tree->spheres[i];
        *sphere = (imp_Sphere){.center = from->center, .radius = from->radius, .parent = from->parent};
        if (from->parent != IMP_NO_SPHERE) {
            imp_Sphere *parent = &tree->spheres[from->parent];
            sphere->level = parent->level + 1;
            if (parent->child_count++ == 0)
                parent->first_child = (uint32_t)i;
        }
        if (sphere->level > IMP_MAX_SPHERE_DEPTH)
            return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, i, "sphere %zu is more than %u levels deep", i,
                             (unsigned)IMP_MAX_SPHERE_DEPTH);
        if (sphere->level == tree->level_count)
            tree->level_first[tree->level_count++] = i;
    }
    tree->level_first[tree->level_count] = draft->count;
    for (size_t i = 0; i < tree->level_first[tree->level_count - 1]; ++i)
        if (tree->spheres[i].child_count == 0)
            return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, i,
                             "sphere %zu has no children, though it is not of the last level", i);
    return IMP_STATUS_OK;
}

static imp_Status find_seams(imp_Context *context, imp_SphereTree *tree)
{
    impi_Corners corners;
    imp_Status status = impi_corners_find(context, tree->mesh, &corners);
    if (status == IMP_STATUS_OK)
        tree->has_seams = corners.distinct_count + corners.unused_count < tree->mesh->arrays.vertex_count;
    return status;
}

// A sphere that sticks out farther than its parent is of no use: it becomes a copy of the parent, which holds
// what the sphere has to hold, as was proven of both.
static void copy_better_parents(imp_SphereTree *tree)
{
    for (size_t i = 1; i < tree->count; ++i) {
        imp_Sphere *sphere = &tree->spheres[i];
        const imp_Sphere *parent = &tree->spheres[sphere->parent];
        if (sphere->protrusion <= parent->protrusion)
            continue;
        sphere->center = parent->center;
        sphere->radius = parent->radius;
        sphere->protrusion = parent->protrusion;
        sphere->surface_protrusion = parent->surface_protrusion;
        sphere->point = parent->point;
        sphere->face = parent->face;
    }
}

static imp_Status fill_tree(imp_Context *context, const impi_SphereDraft *draft, bool is_given,
                            imp_SphereTree *tree)
{
    imp_Status status = impi_mesh_is_closed(context, tree->mesh, &tree->is_solid);
    if (status == IMP_STATUS_OK)
        status = find_seams(context, tree);
    if (status != IMP_STATUS_OK)
        return status;
    tree->spheres = impi_allocate_array(&tree->shape.allocator, draft->count, sizeof *tree->spheres);
    if (!tree->spheres)
        return impi_fail_out_of_memory(context);
    tree->count = draft->count;
    status = link_spheres(context, draft, tree);
    if (status == IMP_STATUS_OK)
        status = impi_sphere_cover_prove(context, tree->mesh, tree->cover, draft, &tree->faces);
    if (status == IMP_STATUS_OK)
        status =
            impi_sphere_protrusions_measure(context, tree->mesh, tree->is_solid, tree->spheres, tree->count);
    if (status != IMP_STATUS_OK)
        return status;
    if (!is_given)
        copy_better_parents(tree);
    impi_SphereLanesDef lanes = {.mesh = tree->mesh,
                                 .spheres = tree->spheres,
                                 .count = tree->count,
                                 .first_leaf = tree->level_first[tree->level_count - 1],
                                 .is_solid = tree->is_solid,
                                 .faces = &tree->faces};
    return impi_sphere_lanes_make(context, &lanes, &tree->lanes);
}

static imp_Status make_tree(imp_Context *context, imp_Mesh *mesh, imp_SphereCover cover,
                            const impi_SphereDraft *draft, bool is_given, imp_SphereTree **tree)
{
    imp_SphereTree *made = impi_allocate(&context->allocator, sizeof *made);
    if (!made)
        return impi_fail_out_of_memory(context);
    *made = (imp_SphereTree){.mesh = imp_mesh_retain(mesh), .cover = cover};
    impi_shape_init(&made->shape, IMPI_SHAPE_SPHERE_TREE, context, &mesh->shape.bounds);
    imp_Status status = fill_tree(context, draft, is_given, made);
    if (status == IMP_STATUS_OK)
        *tree = made;
    else
        impi_sphere_tree_destroy(made);
    return status;
}

// Of a def that is complete.
static imp_Status build_tree(imp_Context *context, const imp_SphereTreeDef *def, imp_SphereTree **tree)
{
    static imp_Status (*const builders[])(imp_Context *, const imp_SphereTreeDef *, impi_SphereDraft *) = {
        [IMP_SPHERES_FIT] = impi_spheres_fit,
        [IMP_SPHERES_MEDIAL] = impi_spheres_medial,
        [IMP_SPHERES_OCTREE] = impi_spheres_octree,
    };
    impi_SphereDraft draft = {0};
    imp_Status status = builders[def->method](context, def, &draft);
    if (status == IMP_STATUS_OK)
        status = impi_sphere_draft_prune(context, &draft);
    if (status == IMP_STATUS_OK)
        status = impi_sphere_cover_mend(context, def->mesh, def->cover, &draft);
    if (status == IMP_STATUS_OK)
        status = make_tree(context, def->mesh, def->cover, &draft, false, tree);
    impi_array_free(&context->allocator, &draft, sizeof *draft.data);
    return status;
}

static double largest_protrusion(const imp_SphereTree *tree)
{
    double largest = 0;
    for (size_t i = tree->level_first[tree->level_count - 1]; i < tree->count; ++i)
        largest = fmax(largest, tree->spheres[i].protrusion);
    return largest;
}

// Builders aim at a largest protrusion, and mending adds to what they reach. Aim lower until it is kept, or
// until all attempts that are left would not aim as much lower as was missed: what keeps a builder so far
// from its aim, as the most points that it spreads, is no reason to do all of its work again.
static imp_Status build_within(imp_Context *context, const imp_SphereTreeDef *def, imp_SphereTree **tree)
{
    imp_SphereTreeDef aimed = *def;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; ++attempt) {
        imp_SphereTree *made = NULL;
        impi_ArenaMark mark = impi_arena_mark(&context->scratch);
        imp_Status status = build_tree(context, &aimed, &made);
        impi_arena_rewind(&context->scratch, mark);
        if (status != IMP_STATUS_OK)
            return status;
        assert(made);
        double reached = largest_protrusion(made);
        if (reached <= def->protrusion) {
            *tree = made;
            return IMP_STATUS_OK;
        }
        impi_sphere_tree_destroy(made);
        if (ldexp(reached, attempt + 1 - MAX_ATTEMPTS) > def->protrusion)
            break;
        aimed.protrusion *= fmax(AIM_LOWER * (def->protrusion / reached), LEAST_AIM);
    }
    return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE,
                     "no flat set of spheres was found that protrude by no more than %g", def->protrusion);
}

imp_Status impi_sphere_tree_create(imp_Context *context, const imp_SphereTreeDef *def, imp_SphereTree **tree)
{
    imp_SphereTreeDef complete = *def;
    imp_Status status = complete_def(context, &complete);
    if (status != IMP_STATUS_OK)
        return status;
    return complete.protrusion > 0 ? build_within(context, &complete, tree)
                                   : build_tree(context, &complete, tree);
}

imp_Status impi_sphere_tree_create_from_spheres(imp_Context *context, const imp_GivenSpheresDef *def,
                                                imp_SphereTree **tree)
{
    impi_SphereDraft draft = {0};
    imp_Status status = check_given(context, def);
    if (status == IMP_STATUS_OK &&
        !impi_array_reserve(&context->allocator, &draft, sizeof *draft.data, def->count))
        status = impi_fail_out_of_memory(context);
    if (status == IMP_STATUS_OK) {
        memcpy(draft.data, def->spheres, def->count * sizeof *draft.data);
        draft.count = def->count;
        status = make_tree(context, def->mesh, def->cover, &draft, true, tree);
    }
    impi_array_free(&context->allocator, &draft, sizeof *draft.data);
    return status;
}

// ---- what it holds

imp_SphereTree *imp_sphere_tree_retain(imp_SphereTree *tree)
{
    return (imp_SphereTree *)impi_shape_retain((impi_Shape *)tree);
}

void imp_sphere_tree_release(imp_SphereTree *tree)
{
    impi_shape_release((impi_Shape *)tree);
}

imp_Mesh *imp_sphere_tree_get_mesh(const imp_SphereTree *tree)
{
    return tree ? tree->mesh : NULL;
}

imp_SphereCover imp_sphere_tree_get_cover(const imp_SphereTree *tree)
{
    return tree ? tree->cover : IMP_COVER_SURFACE;
}

bool imp_sphere_tree_is_solid(const imp_SphereTree *tree)
{
    return tree && tree->is_solid;
}

const imp_Sphere *imp_sphere_tree_get_spheres(const imp_SphereTree *tree, size_t *count)
{
    if (count)
        *count = tree ? tree->count : 0;
    return tree ? tree->spheres : NULL;
}

size_t imp_sphere_tree_get_level_count(const imp_SphereTree *tree)
{
    return tree ? tree->level_count : 0;
}
