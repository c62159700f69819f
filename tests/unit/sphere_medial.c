// Spheres around the medial axis: what they hold, how well they fit, and meshes that are hard.
#include "sphere_drafts.h"

#include "shape/qhull.h"

#include <stdio.h>

static imp_Context *make_context(void)
{
    imp_Context *context = NULL;
    if (!impi_qhull_is_there())
        test_skip("qhull is not there: install libqhull-dev");
    else
        CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    return context;
}

static imp_Mesh *torus(imp_Context *context)
{
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_torus(context, 24, 12, 1, 0.3, &mesh), IMP_STATUS_OK);
    return mesh;
}

// How many of 2000 points of the surface no chain holds. Forming points are held and lie close together.
static size_t build_and_check(imp_Context *context, imp_Mesh *mesh, uint32_t branch, uint32_t depth)
{
    imp_SphereTreeDef def = {.mesh = mesh, .branch = branch, .depth = depth};
    impi_SphereDraft draft = {0};
    size_t uncovered = SIZE_MAX;
    if (CHECK_INT(build_draft(context, impi_spheres_medial, &def, &draft), IMP_STATUS_OK)) {
        size_t level_count = check_draft_order(&draft, branch);
        CHECK(level_count >= 1 && level_count <= depth + 1);
        uncovered = count_uncovered(&draft, mesh, level_count, 2000);
    }
    free_draft(context, &draft);
    return uncovered;
}

TEST(most_of_a_surface_is_held)
{
    imp_Context *context = make_context();
    if (!context)
        return;
    imp_Mesh *mesh = torus(context);
    const uint32_t branches[] = {2, 3, 8, 30};
    for (size_t i = 0; i < sizeof branches / sizeof *branches; ++i) {
        size_t uncovered = build_and_check(context, mesh, branches[i], 2);
        printf("  %zu\n", uncovered);
    }
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(allocations_that_fail_leave_nothing_behind)
{
    imp_Context *context = make_context();
    if (!context)
        return;
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 2, 3}, &mesh), IMP_STATUS_OK);
    imp_SphereTreeDef def = {.mesh = mesh, .branch = 8, .depth = 1};
    CHECK(fail_each_allocation(impi_spheres_medial, def) > 30);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(it_can_be_cancelled_and_gives_the_same_each_time)
{
    imp_Context *context = make_context();
    if (!context)
        return;
    imp_Mesh *mesh = torus(context);
    check_cancel(impi_spheres_medial, &(imp_SphereTreeDef){.mesh = mesh, .branch = 8, .depth = 2});
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}
