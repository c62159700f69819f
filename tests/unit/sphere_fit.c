// Spheres fitted to pieces of a body: what they hold, how far they stick out, and meshes of all kinds.
#include "sanitizers.h"
#include "sphere_drafts.h"

#include "shape/sphere_cover.h"
#include "shape/sphere_protrusion.h"

static imp_Context *make_context(uint32_t thread_count)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = thread_count}, &context), IMP_STATUS_OK);
    return context;
}

// The draft holds the mesh as it is: nothing has to be mended.
static void check_proven(imp_Context *context, const imp_SphereTreeDef *def, const impi_SphereDraft *draft)
{
    impi_SphereFaces faces = {0};
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    imp_Status status = impi_sphere_cover_prove(context, def->mesh, IMP_COVER_SURFACE, draft, &faces);
    CHECK_INT(impi_scratch_call_end(context, guard, status), IMP_STATUS_OK);
    impi_sphere_faces_free(&context->allocator, &faces);
}

static void check_covers(imp_Context *context, imp_Mesh *mesh, uint32_t branch, uint32_t depth)
{
    imp_SphereTreeDef def = {.mesh = mesh, .branch = branch, .depth = depth};
    impi_SphereDraft draft = {0};
    if (CHECK_INT(build_draft(context, impi_spheres_fit, &def, &draft), IMP_STATUS_OK)) {
        size_t level_count = check_draft_order(&draft, branch);
        CHECK_INT((int64_t)level_count, depth + 1);
        CHECK_INT((int64_t)count_uncovered(&draft, mesh, level_count, 1000), 0);
        check_proven(context, &def, &draft);
    }
    free_draft(context, &draft);
}

// Rounder than what other tests are content with, for how well spheres fit.
static imp_Mesh *make_round_torus(imp_Context *context)
{
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_torus(context, 24, 12, 1, 0.3, &mesh), IMP_STATUS_OK);
    return mesh;
}

static void check_mesh(imp_Context *context, const double *vertices, size_t vertex_count,
                       const uint32_t *indices, size_t triangle_count)
{
    imp_Mesh *mesh = NULL;
    imp_MeshDef def = {.vertices = vertices,
                       .vertex_count = vertex_count,
                       .indices = indices,
                       .triangle_count = triangle_count};
    if (CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK))
        check_covers(context, mesh, 4, 2);
    imp_mesh_release(mesh);
}

// Fitting has no threads of its own that the thread sanitizer could watch, and takes minutes under it.
static bool skips_slow_tests(void)
{
#if defined(TEST_UNDER_THREAD_SANITIZER)
    test_skip("slow under the thread sanitizer");
    return true;
#else
    return false;
#endif
}

TEST(closed_and_open_meshes_are_covered)
{
    if (skips_slow_tests())
        return;
    imp_Context *context = make_context(1);
    imp_Mesh *meshes[4] = {make_torus(context)};
    CHECK_INT(scene_box(context, (imp_Vec3){-1, -2, -3}, (imp_Vec3){1, 1, 1}, &meshes[1]), IMP_STATUS_OK);
    CHECK_INT(scene_needle(context, 3, 1e-6, &meshes[2]), IMP_STATUS_OK);
    CHECK_INT(scene_grid_soup(context, 60, 4, 7, &meshes[3]), IMP_STATUS_OK);
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; ++i) {
        check_covers(context, meshes[i], 3, 2);
        imp_mesh_release(meshes[i]);
    }
    imp_context_destroy(context);
}

TEST(flat_thin_and_parted_meshes_are_covered)
{
    if (skips_slow_tests())
        return;
    imp_Context *context = make_context(1);
    const double sheet[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    const double line[] = {0, 0, 0, 1, 2, 3, 2, 4, 6};
    const double parts[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1e9, 1e9, 1e9, 1e9 + 1, 1e9, 1e9, 1e9, 1e9 + 1, 1e9};
    check_mesh(context, sheet, 4, (const uint32_t[]){0, 1, 2, 0, 2, 3}, 2);
    check_mesh(context, line, 3, (const uint32_t[]){0, 1, 2}, 1);
    check_mesh(context, parts, 6, (const uint32_t[]){0, 1, 2, 3, 4, 5}, 2);
    imp_context_destroy(context);
}

TEST(size_and_place_change_nothing)
{
    if (skips_slow_tests())
        return;
    const double scales[] = {1e-300, 1e-10, 1e300};
    imp_Context *context = make_context(1);
    imp_Mesh *torus = make_torus(context), *placed = NULL;
    for (size_t i = 0; i < sizeof scales / sizeof *scales; ++i) {
        CHECK_INT(scene_place(context, torus, scales[i], (imp_Vec3){0, 0, 0}, &placed), IMP_STATUS_OK);
        check_covers(context, placed, 2, 2);
        imp_mesh_release(placed);
    }
    CHECK_INT(scene_place(context, torus, 1e-4, (imp_Vec3){1e9, -1e9, 3}, &placed), IMP_STATUS_OK);
    check_covers(context, placed, 2, 2);
    imp_mesh_release(placed);
    imp_mesh_release(torus);
    imp_context_destroy(context);
}

TEST(a_single_point_is_a_sphere_without_size)
{
    imp_Context *context = make_context(1);
    check_single_point(context, impi_spheres_fit);
    imp_context_destroy(context);
}

static void measure(imp_Context *context, imp_Mesh *mesh, const impi_SphereDraft *draft, double *largest,
                    double *mean)
{
    imp_Sphere *spheres = calloc(draft->count, sizeof *spheres);
    *largest = *mean = 0;
    for (size_t i = 1; i < draft->count; ++i)
        spheres[i - 1] = (imp_Sphere){.center = draft->data[i].center, .radius = draft->data[i].radius};
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    imp_Status status = impi_sphere_protrusions_measure(context, mesh, true, spheres, draft->count - 1);
    CHECK_INT(impi_scratch_call_end(context, guard, status), IMP_STATUS_OK);
    for (size_t i = 0; i + 1 < draft->count; ++i) {
        *largest = fmax(*largest, spheres[i].protrusion);
        *mean += spheres[i].protrusion / (double)(draft->count - 1);
    }
    free(spheres);
}

TEST(balls_of_a_torus_lie_along_its_tube)
{
    if (skips_slow_tests())
        return;
    // So many balls around the middle of the tube, each as large as its own stretch needs it to be, stick out
    // sqrt(0.3^2 + (pi / 32)^2) - 0.3 = 0.016.
    imp_Context *context = make_context(1);
    imp_Mesh *mesh = make_round_torus(context);
    imp_SphereTreeDef def = {.mesh = mesh, .depth = 1, .count = 32};
    impi_SphereDraft draft = {0};
    double largest, mean;
    CHECK_INT(build_draft(context, impi_spheres_fit, &def, &draft), IMP_STATUS_OK);
    CHECK_INT((int64_t)check_draft_order(&draft, 32), 2);
    check_proven(context, &def, &draft);
    measure(context, mesh, &draft, &largest, &mean);
    CHECK(mean < 0.04 && largest < 0.09);
    free_draft(context, &draft);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(a_largest_protrusion_is_kept)
{
    if (skips_slow_tests())
        return;
    imp_Context *context = make_context(1);
    imp_Mesh *mesh = make_round_torus(context);
    size_t count_before = 0;
    for (double protrusion = 0.1; protrusion > 0.04; protrusion /= 2) {
        imp_SphereTreeDef def = {.mesh = mesh, .depth = 1, .protrusion = protrusion};
        impi_SphereDraft draft = {0};
        double largest, mean;
        CHECK_INT(build_draft(context, impi_spheres_fit, &def, &draft), IMP_STATUS_OK);
        measure(context, mesh, &draft, &largest, &mean);
        CHECK(largest <= protrusion && largest > protrusion / 2);
        CHECK(draft.count > count_before && draft.count < 200);
        count_before = draft.count;
        check_proven(context, &def, &draft);
        free_draft(context, &draft);
    }
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(a_protrusion_that_takes_too_many_spheres_is_refused)
{
    imp_Context *context = make_context(1);
    imp_Mesh *mesh = NULL;
    const double vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    imp_MeshDef mesh_def = {
        .vertices = vertices, .vertex_count = 3, .indices = (const uint32_t[]){0, 1, 2}, .triangle_count = 1};
    CHECK_INT(imp_mesh_create(context, &mesh_def, &mesh), IMP_STATUS_OK);
    imp_SphereTreeDef def = {.mesh = mesh, .depth = 1, .protrusion = 1e-9};
    impi_SphereDraft draft = {0};
    CHECK_INT(build_draft(context, impi_spheres_fit, &def, &draft), IMP_STATUS_TOO_LARGE);
    free_draft(context, &draft);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(the_inside_is_held)
{
    if (skips_slow_tests())
        return;
    imp_Context *context = make_context(1);
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_box(context, (imp_Vec3){-1, -1, -1}, (imp_Vec3){1, 1, 1}, &mesh), IMP_STATUS_OK);
    imp_SphereTreeDef def = {.mesh = mesh, .cover = IMP_COVER_SOLID, .depth = 1, .count = 20};
    impi_SphereDraft draft = {0};
    CHECK_INT(build_draft(context, impi_spheres_fit, &def, &draft), IMP_STATUS_OK);
    uint8_t *depths = calloc(draft.count, 1);
    for (int i = 0; i < 1000; ++i) {
        double x = test_random_between(-0.9, 0.9), y = test_random_between(-0.9, 0.9);
        CHECK(is_in_chain(&draft, 2, (imp_Vec3){x, y, test_random_between(-0.9, 0.9)}, depths));
    }
    free(depths);
    free_draft(context, &draft);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(threads_change_nothing)
{
    const uint32_t thread_counts[] = {1, 2, 5};
    impi_SphereDraft drafts[3] = {{0}};
    imp_Context *contexts[3];
    for (size_t i = 0; i < 3; ++i) {
        contexts[i] = make_context(thread_counts[i]);
        imp_Mesh *mesh = make_torus(contexts[i]);
        imp_SphereTreeDef def = {.mesh = mesh, .branch = 3, .depth = 2};
        CHECK_INT(build_draft(contexts[i], impi_spheres_fit, &def, &drafts[i]), IMP_STATUS_OK);
        CHECK(drafts_are_equal(&drafts[0], &drafts[i]));
        imp_mesh_release(mesh);
    }
    for (size_t i = 0; i < 3; ++i) {
        free_draft(contexts[i], &drafts[i]);
        imp_context_destroy(contexts[i]);
    }
}

TEST(allocations_that_fail_leave_nothing_behind)
{
    if (skips_slow_tests())
        return;
    imp_Context *context = make_context(1);
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_box(context, (imp_Vec3){-1, -1, -1}, (imp_Vec3){1, 1, 1}, &mesh), IMP_STATUS_OK);
    imp_SphereTreeDef def = {.mesh = mesh, .cover = IMP_COVER_SOLID, .branch = 2, .depth = 1};
    CHECK(fail_each_allocation(impi_spheres_fit, def) > 5);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(it_can_be_cancelled)
{
    imp_Context *context = make_context(1);
    imp_Mesh *mesh = make_torus(context);
    check_cancel(impi_spheres_fit, &(imp_SphereTreeDef){.mesh = mesh, .branch = 4, .depth = 1});
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}
