#include "hubbard_trees.h"

#include "experiment.h"

#include "base/scratch_call.h"
#include "shape/mesh.h"
#include "shape/sphere_draft.h"
#include "shape/sphere_protrusion.h"

#include <stdlib.h>

// What is added to a ball that is enlarged, in parts of the root's radius.
#define STEP 2e-4

// ---- measuring

static HubbardLevel summarise(const impi_SurfaceField *field, bool is_solid, const imp_Sphere *spheres,
                              size_t count)
{
    HubbardLevel level = {.sphere_count = count};
    for (size_t i = 0; i < count; ++i) {
        double paper =
            hubbard_protrusion(field, is_solid, &(HubbardBall){spheres[i].center, spheres[i].radius});
        level.mean += spheres[i].protrusion / (double)count;
        level.largest = fmax(level.largest, spheres[i].protrusion);
        level.paper_mean += paper / (double)count;
        level.paper_most = fmax(level.paper_most, paper);
    }
    return level;
}

static size_t level_end(const imp_Sphere *spheres, size_t count, size_t begin)
{
    size_t end = begin;
    while (end < count && spheres[end].level == spheres[begin].level)
        ++end;
    return end;
}

static imp_Status summarise_levels(imp_Context *context, const imp_Mesh *mesh, const imp_Sphere *spheres,
                                   size_t count, HubbardTree *tree)
{
    impi_SurfaceField field;
    bool is_closed;
    imp_Status status = imp_mesh_is_closed(context, mesh, &is_closed);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    status = impi_surface_field_build(context, mesh, is_closed, &field);
    tree->root_radius = spheres[0].radius;
    for (size_t begin = 0, end = 0; begin < count && status == IMP_STATUS_OK; begin = end) {
        end = level_end(spheres, count, begin);
        tree->levels[tree->level_count++] = summarise(&field, is_closed, spheres + begin, end - begin);
    }
    return impi_scratch_call_end(context, guard, status);
}

imp_Status hubbard_build_tree(imp_Context *context, imp_Mesh *mesh, imp_SphereMethod method, uint32_t depth,
                              HubbardTree *tree)
{
    imp_SphereTreeDef def = {.mesh = mesh, .method = method, .branch = HUBBARD_BRANCH, .depth = depth};
    imp_SphereTree *made = NULL;
    size_t count = 0;
    *tree = (HubbardTree){0};
    double begin = experiment_processor_ns();
    imp_Status status = imp_sphere_tree_create(context, &def, &made);
    tree->build_ns = experiment_processor_ns() - begin;
    const imp_Sphere *spheres = imp_sphere_tree_get_spheres(made, &count);
    if (status == IMP_STATUS_OK)
        status = summarise_levels(context, mesh, spheres, count, tree);
    imp_sphere_tree_release(made);
    return status;
}

// ---- policies

typedef struct Balls {
    HubbardBall *data; // those of a draft, in its order
    imp_Sphere *spheres;
    size_t count;
} Balls;

// Children of a sphere, or all spheres of a level, hold what `clip` holds of all faces.
static void cover_faces(const imp_Mesh *mesh, const HubbardBall *clip, HubbardBall *balls, size_t count,
                        double step)
{
    for (size_t face = 0; face < mesh->arrays.triangle_count; ++face) {
        imp_Triangle triangle = impi_mesh_triangle(mesh, face);
        hubbard_cover(&triangle, clip, balls, count, step);
    }
}

static void cover_per_level(const imp_Mesh *mesh, Balls *balls)
{
    double step = STEP * balls->data[0].radius;
    for (size_t begin = 0, end = 0; begin < balls->count; begin = end) {
        end = level_end(balls->spheres, balls->count, begin);
        cover_faces(mesh, NULL, balls->data + begin, end - begin, step);
    }
}

static void cover_per_parent(const imp_Mesh *mesh, Balls *balls)
{
    double step = STEP * balls->data[0].radius;
    cover_faces(mesh, NULL, balls->data, 1, step);
    for (size_t begin = 1, end = 1; begin < balls->count; begin = end) {
        uint32_t parent = balls->spheres[begin].parent;
        while (end < balls->count && balls->spheres[end].parent == parent)
            ++end;
        cover_faces(mesh, &balls->data[parent], balls->data + begin, end - begin, step);
    }
}

static bool take_draft(const impi_SphereDraft *draft, Balls *balls)
{
    *balls = (Balls){.data = malloc(draft->count * sizeof *balls->data),
                     .spheres = calloc(draft->count, sizeof *balls->spheres),
                     .count = draft->count};
    for (size_t i = 0; balls->data && balls->spheres && i < draft->count; ++i) {
        const imp_GivenSphere *from = &draft->data[i];
        balls->data[i] = (HubbardBall){from->center, from->radius};
        balls->spheres[i].parent = from->parent;
        balls->spheres[i].level = i == 0 ? 0 : balls->spheres[from->parent].level + 1;
    }
    return balls->data && balls->spheres;
}

// The library's draft, before it mends it.
static imp_Status draft_balls(imp_Context *context, imp_Mesh *mesh, uint32_t depth, Balls *balls)
{
    imp_SphereTreeDef def = {.mesh = mesh, .branch = HUBBARD_BRANCH, .depth = depth};
    impi_SphereDraft draft = {0};
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    imp_Status status = impi_spheres_medial(context, &def, &draft);
    if (status == IMP_STATUS_OK && !take_draft(&draft, balls))
        status = impi_fail_out_of_memory(context);
    impi_array_free(&context->allocator, &draft, sizeof *draft.data);
    return impi_scratch_call_end(context, guard, status);
}

static imp_Status measure_balls(imp_Context *context, const imp_Mesh *mesh, Balls *balls)
{
    bool is_closed;
    imp_Status status = imp_mesh_is_closed(context, mesh, &is_closed);
    if (status != IMP_STATUS_OK)
        return status;
    for (size_t i = 0; i < balls->count; ++i) {
        balls->spheres[i].center = balls->data[i].center;
        balls->spheres[i].radius = balls->data[i].radius;
    }
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    status = impi_sphere_protrusions_measure(context, mesh, is_closed, balls->spheres, NULL, balls->count);
    return impi_scratch_call_end(context, guard, status);
}

static imp_Status enlarge_draft(imp_Context *context, imp_Mesh *mesh, HubbardPolicy policy, uint32_t depth,
                                HubbardTree *tree)
{
    Balls balls = {0};
    imp_Status status = draft_balls(context, mesh, depth, &balls);
    if (status == IMP_STATUS_OK && policy == HUBBARD_PER_LEVEL)
        cover_per_level(mesh, &balls);
    else if (status == IMP_STATUS_OK)
        cover_per_parent(mesh, &balls);
    if (status == IMP_STATUS_OK)
        status = measure_balls(context, mesh, &balls);
    if (status == IMP_STATUS_OK)
        status = summarise_levels(context, mesh, balls.spheres, balls.count, tree);
    free(balls.data);
    free(balls.spheres);
    return status;
}

// A flat set for each level.
static imp_Status merge_levels(imp_Context *context, imp_Mesh *mesh, uint32_t depth, HubbardTree *tree)
{
    imp_Status status = IMP_STATUS_OK;
    uint32_t count = 1;
    for (uint32_t level = 1; level <= depth && status == IMP_STATUS_OK; ++level) {
        imp_SphereTree *set = NULL;
        HubbardTree levels = {0};
        size_t sphere_count = 0;
        count *= HUBBARD_BRANCH;
        imp_SphereTreeDef def = {.mesh = mesh, .method = IMP_SPHERES_MEDIAL, .count = count};
        status = imp_sphere_tree_create(context, &def, &set);
        const imp_Sphere *spheres = imp_sphere_tree_get_spheres(set, &sphere_count);
        if (status == IMP_STATUS_OK)
            status = summarise_levels(context, mesh, spheres, sphere_count, &levels);
        tree->levels[0] = levels.levels[0];
        tree->levels[level] = levels.levels[1];
        tree->level_count = level + 1;
        imp_sphere_tree_release(set);
    }
    return status;
}

imp_Status hubbard_apply_policy(imp_Context *context, imp_Mesh *mesh, HubbardPolicy policy, uint32_t depth,
                                HubbardTree *tree)
{
    *tree = (HubbardTree){0};
    switch (policy) {
    case HUBBARD_CHAINS:
        return hubbard_build_tree(context, mesh, IMP_SPHERES_MEDIAL, depth, tree);
    case HUBBARD_DAG:
        return merge_levels(context, mesh, depth, tree);
    default:
        return enlarge_draft(context, mesh, policy, depth, tree);
    }
}
