/// Drafts of spheres as their builders leave them, for the tests of the builders.
#ifndef IMPINGE_TESTS_SPHERE_DRAFTS_H
#define IMPINGE_TESTS_SPHERE_DRAFTS_H

#include "base/scratch_call.h"
#include "failing_allocator.h"
#include "geom/vector.h"
#include "harness.h"
#include "scenes/shapes.h"
#include "shape/mesh.h"
#include "shape/sphere_draft.h"

#include <impinge/watch.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef imp_Status (*SphereBuilderFn)(imp_Context *context, const imp_SphereTreeDef *def,
                                      impi_SphereDraft *draft);

static inline imp_Status build_draft(imp_Context *context, SphereBuilderFn build,
                                     const imp_SphereTreeDef *def, impi_SphereDraft *draft)
{
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, build(context, def, draft));
}

static inline void free_draft(imp_Context *context, impi_SphereDraft *draft)
{
    impi_array_free(&context->allocator, draft, sizeof *draft->data);
}

/// How many levels there are. Spheres must be level by level in the order of their parents, have children but
/// for those of the last level, and no more of them than `branch`.
static inline size_t check_draft_order(const impi_SphereDraft *draft, size_t branch)
{
    size_t level_count = 1, child_count = 0, parent_count = 0;
    if (!CHECK(draft->count > 0) || !CHECK(draft->data[0].parent == IMP_NO_SPHERE))
        return 0;
    for (size_t i = 1; i < draft->count; ++i) {
        const imp_GivenSphere *sphere = &draft->data[i];
        bool is_first = sphere->parent != draft->data[i - 1].parent;
        CHECK(isfinite(sphere->radius) && sphere->radius >= 0);
        child_count = is_first ? 1 : child_count + 1;
        // Parents follow each other without gaps, or one of them has no children.
        if (!CHECK(sphere->parent < i) || (is_first && !CHECK_INT(sphere->parent, (int64_t)parent_count++)))
            return 0;
        CHECK(child_count <= branch);
    }
    for (size_t i = draft->count - 1; i > 0; i = draft->data[i].parent)
        ++level_count;
    // The parents are all spheres but those of the last level: the first of those is the first that is as
    // deep as the last sphere.
    for (size_t i = parent_count, level = 1; draft->count > 1; i = draft->data[i].parent, ++level)
        if (i == 0) {
            CHECK_INT((int64_t)level, (int64_t)level_count);
            break;
        }
    return level_count;
}

/// Does some sphere of the last level hold the point, and all spheres above it? Children of spheres stand
/// behind them, so one pass is enough.
static inline bool is_in_chain(const impi_SphereDraft *draft, size_t level_count, imp_Vec3 point,
                               uint8_t *depths)
{
    for (size_t i = 0; i < draft->count; ++i) {
        const imp_GivenSphere *sphere = &draft->data[i];
        uint8_t above = i == 0 ? 0 : depths[sphere->parent];
        imp_Vec3 away = impi_subtract(point, sphere->center);
        bool is_above_held = i == 0 || above > 0;
        depths[i] = is_above_held && impi_length(away) <= sphere->radius ? (uint8_t)(above + 1) : 0;
        if (depths[i] == level_count)
            return true;
    }
    return false;
}

static inline imp_Vec3 random_face_point(const imp_Mesh *mesh)
{
    imp_Triangle t = impi_mesh_triangle(mesh, test_random_below((uint32_t)mesh->arrays.triangle_count));
    double a = test_random_unit(), b = test_random_unit();
    if (a + b > 1) {
        a = 1 - a;
        b = 1 - b;
    }
    return impi_add_scaled(impi_add_scaled(t.v[0], a, impi_subtract(t.v[1], t.v[0])), b,
                           impi_subtract(t.v[2], t.v[0]));
}

/// How many of so many random points of the surface no chain holds?
static inline size_t count_uncovered(const impi_SphereDraft *draft, const imp_Mesh *mesh, size_t level_count,
                                     size_t point_count)
{
    size_t uncovered = 0;
    uint8_t *depths = calloc(draft->count, 1);
    for (size_t i = 0; i < point_count; ++i)
        uncovered += !is_in_chain(draft, level_count, random_face_point(mesh), depths);
    free(depths);
    return uncovered;
}

static inline bool drafts_are_equal(const impi_SphereDraft *a, const impi_SphereDraft *b)
{
    bool equal = a->count == b->count;
    for (size_t i = 0; i < a->count && equal; ++i)
        equal = memcmp(&a->data[i].center, &b->data[i].center, sizeof a->data[i].center) == 0 &&
                a->data[i].radius == b->data[i].radius && a->data[i].parent == b->data[i].parent;
    return equal;
}

static inline imp_Mesh *make_torus(imp_Context *context)
{
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_torus(context, 16, 8, 1, 0.3, &mesh), IMP_STATUS_OK);
    return mesh;
}

/// A mesh of a single point has one sphere without size.
static inline void check_single_point(imp_Context *context, SphereBuilderFn build)
{
    const double point[3] = {1e300, -3, 1e-300};
    const uint32_t corners[3] = {0, 0, 0};
    imp_Mesh *mesh = NULL;
    imp_MeshDef mesh_def = {.vertices = point, .vertex_count = 1, .indices = corners, .triangle_count = 1};
    CHECK_INT(imp_mesh_create(context, &mesh_def, &mesh), IMP_STATUS_OK);
    imp_SphereTreeDef def = {.mesh = mesh, .branch = 8, .depth = 3};
    impi_SphereDraft draft = {0};
    CHECK_INT(build_draft(context, build, &def, &draft), IMP_STATUS_OK);
    CHECK_INT((int64_t)draft.count, 1);
    CHECK(draft.data[0].radius == 0 && memcmp(&draft.data[0].center, point, sizeof point) == 0);
    free_draft(context, &draft);
    imp_mesh_release(mesh);
}

/// Fail each allocation in turn. Returns how many there are.
static inline uint64_t fail_each_allocation(SphereBuilderFn build, imp_SphereTreeDef def)
{
    FailingAllocator memory;
    uint64_t n = 0, done_without = 0;
    do {
        imp_Context *context = NULL;
        impi_SphereDraft draft = {0};
        failing_allocator_init(&memory, ++n);
        imp_ContextDef context_def = {.allocator = failing_allocator_hooks(&memory), .thread_count = 1};
        if (imp_context_create(&context_def, &context) == IMP_STATUS_OK) {
            imp_Status status = build_draft(context, build, &def, &draft);
            // The very last allocation makes one chunk of the scratch memory: a call can do without it.
            CHECK(status == IMP_STATUS_OK ||
                  (status == IMP_STATUS_OUT_OF_MEMORY && failing_allocator_has_failed(&memory)));
            done_without += status == IMP_STATUS_OK && failing_allocator_has_failed(&memory);
            free_draft(context, &draft);
        }
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(done_without <= 1);
    return n;
}

/// A cancel that is requested before the call ends it; afterwards the builder gives the same as ever.
static inline void check_cancel(SphereBuilderFn build, const imp_SphereTreeDef *def)
{
    imp_Context *context = NULL;
    imp_Cancel *cancel = NULL;
    impi_SphereDraft draft = {0}, again = {0};
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    CHECK_INT(imp_cancel_create(context, &cancel), IMP_STATUS_OK);
    CHECK_INT(imp_context_watch(context, &(imp_Watch){.cancel = cancel}), IMP_STATUS_OK);
    imp_cancel_request(cancel);
    CHECK_INT(build_draft(context, build, def, &draft), IMP_STATUS_CANCELLED);
    imp_cancel_reset(cancel);
    draft.count = 0;
    CHECK_INT(build_draft(context, build, def, &draft), IMP_STATUS_OK);
    CHECK_INT(build_draft(context, build, def, &again), IMP_STATUS_OK);
    CHECK(drafts_are_equal(&draft, &again));
    free_draft(context, &draft);
    free_draft(context, &again);
    imp_cancel_destroy(cancel);
    imp_context_destroy(context);
}

#endif
