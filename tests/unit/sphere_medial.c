// Spheres around the medial axis: what they hold, how well they fit, and meshes that are hard.
#include "sphere_drafts.h"

#include "sanitizers.h"
#include "scenes/objects.h"
#include "shape/qhull.h"

#include <string.h>

static imp_Context *make_context(void)
{
    imp_Context *context = NULL;
    if (!impi_qhull_is_there())
        test_skip("qhull is not there: install libqhull-dev");
    else
        CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    return context;
}

// Forming points are held and lie close together, so that few of 2000 random points are not held.
static void check_levels(imp_Context *context, imp_Mesh *mesh, uint32_t branch, uint32_t depth)
{
    imp_SphereTreeDef def = {.mesh = mesh, .branch = branch, .depth = depth};
    impi_SphereDraft draft = {0};
    if (CHECK_INT(build_draft(context, impi_spheres_medial, &def, &draft), IMP_STATUS_OK)) {
        size_t level_count = check_draft_order(&draft, branch);
        CHECK(level_count >= 2 && level_count <= depth + 1);
        CHECK(count_uncovered(&draft, mesh, level_count, 2000) < 100);
    }
    free_draft(context, &draft);
}

TEST(most_of_a_surface_is_held)
{
    if (skips_slow_tests())
        return;
    imp_Context *context = make_context();
    if (!context)
        return;
    imp_Mesh *mesh = make_torus(context);
    const uint32_t branches[] = {2, 3, 8, 20};
    for (size_t i = 0; i < sizeof branches / sizeof *branches; ++i)
        check_levels(context, mesh, branches[i], branches[i] > 8 ? 1 : 2);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

static imp_SphereTree *make_tree(imp_Context *context, const imp_SphereTreeDef *def)
{
    imp_SphereTree *tree = NULL;
    CHECK_INT(imp_sphere_tree_create(context, def, &tree), IMP_STATUS_OK);
    return tree;
}

static imp_SphereLevel level_of(const imp_SphereTree *tree, size_t level)
{
    imp_SphereLevel info = {0};
    CHECK_INT(imp_sphere_tree_get_level(tree, level, &info), IMP_STATUS_OK);
    return info;
}

// Open, with several parts, without area, flat, turned inside out with all points on a sphere, thin. Draft
// spheres hold less of these, but mending does not spoil them.
TEST(hard_meshes_get_smaller_spheres_level_by_level)
{
    if (skips_slow_tests())
        return;
    imp_Context *context = make_context();
    if (!context)
        return;
    imp_Mesh *meshes[6] = {NULL}, *sphere = NULL;
    const double points[12] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 5, 6, 7};
    const uint32_t indices[9] = {0, 1, 2, 3, 3, 3, 0, 1, 1}, flat[3] = {0, 1, 3};
    imp_MeshDef line = {.vertices = points, .vertex_count = 4, .indices = indices, .triangle_count = 3};
    imp_MeshDef sheet = {.vertices = points, .vertex_count = 4, .indices = flat, .triangle_count = 1};
    CHECK_INT(scene_grid_soup(context, 60, 4, 7, &meshes[0]), IMP_STATUS_OK);
    CHECK_INT(scene_soup(context, 50, 0.1, 3, &meshes[1]), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_create(context, &line, &meshes[2]), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_create(context, &sheet, &meshes[3]), IMP_STATUS_OK);
    CHECK_INT(scene_sphere(context, 24, 12, 1, &sphere), IMP_STATUS_OK);
    CHECK_INT(scene_flip(context, sphere, &meshes[4]), IMP_STATUS_OK);
    CHECK_INT(scene_needle(context, 5, 1e-4, &meshes[5]), IMP_STATUS_OK);
    for (size_t i = 0; i < 6; ++i) {
        imp_SphereTreeDef def = {.mesh = meshes[i], .method = IMP_SPHERES_MEDIAL, .branch = 8, .depth = 2};
        imp_SphereTree *tree = make_tree(context, &def);
        double first = level_of(tree, 0).mean_protrusion, last = level_of(tree, 2).mean_protrusion;
        CHECK(last < 0.5 * first + 0.02);
        imp_sphere_tree_release(tree);
        imp_mesh_release(meshes[i]);
    }
    imp_mesh_release(sphere);
    imp_context_destroy(context);
}

TEST(size_and_place_change_nothing)
{
    if (skips_slow_tests())
        return;
    const double scales[] = {0x1p-1000, 1, 0x1p1000, 0x1p-15};
    const imp_Vec3 offsets[] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0x1p30, -0x1p30, 3}};
    imp_Context *context = make_context();
    if (!context)
        return;
    imp_Mesh *mesh = make_torus(context);
    for (size_t i = 0; i < sizeof scales / sizeof *scales; ++i) {
        imp_Mesh *placed = NULL;
        CHECK_INT(scene_place(context, mesh, scales[i], offsets[i], &placed), IMP_STATUS_OK);
        check_levels(context, placed, 8, 2);
        imp_mesh_release(placed);
    }
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(a_single_point_is_a_sphere_without_size)
{
    imp_Context *context = make_context();
    if (!context)
        return;
    check_single_point(context, impi_spheres_medial);
    imp_context_destroy(context);
}

TEST(flat_sets_have_as_many_as_asked_for)
{
    if (skips_slow_tests())
        return;
    imp_Context *context = make_context();
    if (!context)
        return;
    imp_Mesh *mesh = make_torus(context);
    const uint32_t counts[] = {1, 7, 100};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        imp_SphereTreeDef def = {.mesh = mesh, .depth = 1, .count = counts[i]};
        impi_SphereDraft draft = {0};
        CHECK_INT(build_draft(context, impi_spheres_medial, &def, &draft), IMP_STATUS_OK);
        CHECK_INT((int64_t)draft.count, 1 + counts[i]);
        CHECK_INT((int64_t)check_draft_order(&draft, counts[i]), 2);
        free_draft(context, &draft);
    }
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

// Drafts of open meshes need more mending, so that a first attempt is often not enough.
TEST(a_largest_protrusion_is_kept)
{
    if (skips_slow_tests())
        return;
    imp_Context *context = make_context();
    if (!context)
        return;
    imp_Mesh *meshes[2] = {make_torus(context), NULL};
    CHECK_INT(scene_soup(context, 50, 0.5, 3, &meshes[1]), IMP_STATUS_OK);
    const double protrusions[] = {0.3, 0.15};
    for (size_t i = 0; i < 4; ++i) {
        imp_SphereTreeDef def = {
            .mesh = meshes[i / 2], .method = IMP_SPHERES_MEDIAL, .protrusion = protrusions[i % 2]};
        imp_SphereTree *tree = make_tree(context, &def);
        imp_SphereLevel info = level_of(tree, 1);
        CHECK(info.largest_protrusion <= protrusions[i % 2] && info.count > 4 && info.count < 1000);
        imp_sphere_tree_release(tree);
    }
    imp_mesh_release(meshes[0]);
    imp_mesh_release(meshes[1]);
    imp_context_destroy(context);
}

typedef struct Attempts {
    const char *work;
    unsigned count;
} Attempts;

static void count_attempts(const imp_Progress *progress, void *user)
{
    Attempts *attempts = user;
    if (strcmp(progress->work, "merging spheres") == 0 && strcmp(attempts->work, progress->work) != 0)
        ++attempts->count;
    attempts->work = progress->work;
}

// However low it aims, a builder of so many points does not come near: once is enough to tell.
TEST(a_protrusion_out_of_reach_is_refused)
{
    imp_Context *context = make_context();
    if (!context)
        return;
    imp_Mesh *mesh = NULL;
    imp_SphereTree *tree = NULL;
    const double vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    imp_MeshDef mesh_def = {
        .vertices = vertices, .vertex_count = 3, .indices = (const uint32_t[]){0, 1, 2}, .triangle_count = 1};
    CHECK_INT(imp_mesh_create(context, &mesh_def, &mesh), IMP_STATUS_OK);
    imp_SphereTreeDef def = {.mesh = mesh, .method = IMP_SPHERES_MEDIAL, .protrusion = 1e-300};
    Attempts attempts = {.work = ""};
    CHECK_INT(imp_context_watch(context, &(imp_Watch){.progress = count_attempts, .user = &attempts}),
              IMP_STATUS_OK);
    CHECK_INT(imp_sphere_tree_create(context, &def, &tree), IMP_STATUS_TOO_LARGE);
    CHECK(tree == NULL && attempts.count <= 1);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

// The torus is a ring of tubes, around whose axis the spheres should be.
TEST(it_fits_better_than_an_octree)
{
    if (skips_slow_tests())
        return;
    imp_Context *context = make_context();
    if (!context)
        return;
    imp_Mesh *mesh = make_torus(context);
    imp_SphereTree *medial =
        make_tree(context, &(imp_SphereTreeDef){.mesh = mesh, .method = IMP_SPHERES_MEDIAL, .depth = 2});
    imp_SphereTree *octree =
        make_tree(context, &(imp_SphereTreeDef){.mesh = mesh, .method = IMP_SPHERES_OCTREE, .depth = 2});
    for (size_t level = 1; level <= 2; ++level) {
        imp_SphereLevel a = level_of(medial, level), b = level_of(octree, level);
        CHECK(a.mean_protrusion < 0.6 * b.mean_protrusion &&
              a.largest_protrusion < 0.8 * b.largest_protrusion);
    }
    imp_sphere_tree_release(medial);
    imp_sphere_tree_release(octree);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

// Points of the shuttle that form no sphere were merged across the air, at no cost, into a sphere of half of
// its size.
TEST(no_sphere_of_many_is_around_air)
{
    if (skips_slow_tests())
        return;
    imp_Context *context = make_context();
    if (!context)
        return;
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_shuttle(context, &mesh), IMP_STATUS_OK);
    imp_SphereTreeDef def = {.mesh = mesh, .method = IMP_SPHERES_MEDIAL, .count = 512};
    imp_SphereTree *tree = make_tree(context, &def);
    CHECK(level_of(tree, 1).largest_protrusion < 0.1 * level_of(tree, 0).largest_protrusion);
    imp_sphere_tree_release(tree);
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
    imp_SphereTreeDef def = {.mesh = mesh, .branch = 4, .depth = 1};
    CHECK(fail_each_allocation(impi_spheres_medial, def) > 30);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(it_can_be_cancelled_and_gives_the_same_each_time)
{
    imp_Context *context = make_context();
    if (!context)
        return;
    imp_Mesh *mesh = make_torus(context);
    check_cancel(impi_spheres_medial, &(imp_SphereTreeDef){.mesh = mesh, .branch = 8, .depth = 2});
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(without_qhull_the_message_names_its_package)
{
    imp_Context *context = NULL;
    if (impi_qhull_is_there()) {
        test_skip("qhull is there");
        return;
    }
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    imp_Mesh *mesh = make_torus(context);
    imp_SphereTreeDef def = {.mesh = mesh, .method = IMP_SPHERES_MEDIAL};
    imp_SphereTree *tree = NULL;
    CHECK_INT(imp_sphere_tree_create(context, &def, &tree), IMP_STATUS_UNSUPPORTED);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "install the package libqhull");
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(what_qhull_says_is_in_the_message)
{
    imp_Context *context = make_context();
    if (!context)
        return;
    double sites[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    impi_Simplices simplices = {0};
    CHECK_INT(impi_qhull_delaunay(context, sites, 3, &simplices), IMP_STATUS_BAD_SHAPE);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "qhull gave up: QH");
    impi_array_free(&context->allocator, &simplices, sizeof *simplices.data);
    imp_context_destroy(context);
}
