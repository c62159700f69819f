// Spheres around octants: what they hold, how many there are, and meshes of all sizes and places.
#include "sphere_drafts.h"

static imp_Context *make_context(void)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    return context;
}

// Scale the mesh and move it.
static imp_Mesh *placed(imp_Context *context, imp_Mesh *mesh, double scale, imp_Vec3 offset)
{
    imp_Mesh *there = NULL;
    CHECK_INT(scene_place(context, mesh, scale, offset, &there), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    return there;
}

static void check_levels(imp_Context *context, imp_Mesh *mesh, uint32_t branch, uint32_t depth)
{
    imp_SphereTreeDef def = {.mesh = mesh, .branch = branch, .depth = depth};
    impi_SphereDraft draft = {0};
    if (CHECK_INT(build_draft(context, impi_spheres_octree, &def, &draft), IMP_STATUS_OK)) {
        size_t level_count = check_draft_order(&draft, branch);
        CHECK_INT((int64_t)level_count, depth + 1);
        CHECK_INT((int64_t)count_uncovered(&draft, mesh, level_count, 2000), 0);
    }
    free_draft(context, &draft);
}

TEST(chains_hold_the_surface)
{
    imp_Context *context = make_context();
    imp_Mesh *mesh = make_torus(context), *soup = NULL;
    CHECK_INT(scene_grid_soup(context, 60, 4, 7, &soup), IMP_STATUS_OK);
    const uint32_t branches[] = {2, 3, 7, 8, 9, 64, 100};
    for (size_t i = 0; i < sizeof branches / sizeof *branches; ++i) {
        check_levels(context, mesh, branches[i], branches[i] < 64 ? 3 : 2);
        check_levels(context, soup, branches[i], branches[i] < 64 ? 3 : 2);
    }
    imp_mesh_release(mesh);
    imp_mesh_release(soup);
    imp_context_destroy(context);
}

TEST(size_and_place_change_nothing)
{
    const double scales[] = {0x1p-1000, 0x1p-40, 0x1p40, 0x1p1000};
    imp_Context *context = make_context();
    for (size_t i = 0; i < sizeof scales / sizeof *scales; ++i) {
        imp_Mesh *mesh = placed(context, make_torus(context), scales[i], (imp_Vec3){0});
        check_levels(context, mesh, 8, 3);
        imp_mesh_release(mesh);
    }
    // Doubles are 2^-23 apart there: a few hundred of them across the torus, then only a few.
    imp_Mesh *far_away = placed(context, make_torus(context), 0x1p-15, (imp_Vec3){0x1p30, -0x1p30, 3});
    check_levels(context, far_away, 8, 2);
    imp_mesh_release(far_away);
    far_away = placed(context, make_torus(context), 0x1p-21, (imp_Vec3){0x1p30, -0x1p30, 0x1p29});
    impi_SphereDraft draft = {0};
    imp_SphereTreeDef def = {.mesh = far_away, .branch = 8, .depth = 5};
    CHECK_INT(build_draft(context, impi_spheres_octree, &def, &draft), IMP_STATUS_OK);
    size_t level_count = check_draft_order(&draft, 8);
    CHECK(level_count >= 1 && level_count < 6);
    CHECK_INT((int64_t)count_uncovered(&draft, far_away, level_count, 1000), 0);
    free_draft(context, &draft);
    imp_mesh_release(far_away);
    imp_context_destroy(context);
}

TEST(a_box_fills_all_octants)
{
    imp_Context *context = make_context();
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_box(context, (imp_Vec3){-1, -1, -1}, (imp_Vec3){1, 1, 1}, &mesh), IMP_STATUS_OK);
    for (int solid = 0; solid < 2; ++solid) {
        imp_SphereTreeDef def = {.mesh = mesh, .cover = (imp_SphereCover)solid, .branch = 8, .depth = 3};
        impi_SphereDraft draft = {0};
        CHECK_INT(build_draft(context, impi_spheres_octree, &def, &draft), IMP_STATUS_OK);
        // Of 8 octants along each side, those within two of the middle are inside: neighbours of the wall
        // touch nothing of it. Without the inside, 8^3 - 6^3 are left.
        CHECK_INT((int64_t)draft.count, 1 + 8 + (solid ? 64 : 64 - 8) + (solid ? 512 : 512 - 216));
        CHECK(fabs(draft.data[0].radius - sqrt(3)) < 1e-3);
        CHECK(fabs(draft.data[1].radius - sqrt(3) / 2) < 1e-3);
        free_draft(context, &draft);
    }
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(octants_inside_are_held_and_those_in_a_cavity_are_not)
{
    imp_Context *context = make_context();
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_hollow_sphere(context, 32, 16, 1, 0.6, &mesh), IMP_STATUS_OK);
    imp_SphereTreeDef def = {.mesh = mesh, .cover = IMP_COVER_SOLID, .branch = 8, .depth = 5};
    impi_SphereDraft draft = {0};
    CHECK_INT(build_draft(context, impi_spheres_octree, &def, &draft), IMP_STATUS_OK);
    size_t level_count = check_draft_order(&draft, 8), held = 0;
    uint8_t *depths = calloc(draft.count, 1);
    for (int i = 0; i < 1000; ++i) {
        double size = test_random_between(0, 0.95), x = test_random_between(-1, 1);
        double y = test_random_between(-1, 1), z = test_random_between(-1, 1);
        imp_Vec3 point = impi_scale(impi_unit((imp_Vec3){x, y, z}), size);
        bool is_held = is_in_chain(&draft, level_count, point, depths);
        if (size > 0.6)
            CHECK(is_held);
        else if (size < 0.4)
            CHECK(!is_held);
        held += is_held;
    }
    CHECK(held > 200 && held < 800);
    free(depths);
    free_draft(context, &draft);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(flat_sets_take_as_many_as_fit)
{
    imp_Context *context = make_context();
    imp_Mesh *mesh = make_torus(context);
    const uint32_t counts[] = {1, 2, 10, 100, 1000, 5000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        imp_SphereTreeDef def = {.mesh = mesh, .depth = 1, .count = counts[i]};
        impi_SphereDraft draft = {0};
        CHECK_INT(build_draft(context, impi_spheres_octree, &def, &draft), IMP_STATUS_OK);
        CHECK_INT((int64_t)check_draft_order(&draft, counts[i]), 2);
        // A round of halving doubles them at most.
        CHECK(draft.count - 1 <= counts[i] && draft.count - 1 > counts[i] / 4);
        CHECK_INT((int64_t)count_uncovered(&draft, mesh, 2, 1000), 0);
        free_draft(context, &draft);
    }
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(a_largest_protrusion_bounds_the_spheres)
{
    imp_Context *context = make_context();
    imp_Mesh *mesh = make_torus(context);
    imp_SphereTreeDef def = {.mesh = mesh, .depth = 1, .protrusion = 0.2};
    impi_SphereDraft draft = {0};
    CHECK_INT(build_draft(context, impi_spheres_octree, &def, &draft), IMP_STATUS_OK);
    for (size_t i = 1; i < draft.count; ++i)
        CHECK(draft.data[i].radius <= 0.1 && draft.data[i].radius > 0.05);
    CHECK_INT((int64_t)count_uncovered(&draft, mesh, 2, 1000), 0);
    free_draft(context, &draft);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(spheres_that_would_be_too_many_are_refused)
{
    imp_Context *context = make_context();
    imp_Mesh *mesh = NULL;
    // The first is too large for so small spheres. The second is two points: few octants, but none so small.
    const double vertices[2][9] = {{0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 0, 1, 1, 1}};
    const uint32_t indices[2][6] = {{0, 1, 2}, {0, 0, 0, 2, 2, 2}};
    const double protrusions[2] = {1e-4, 1e-20};
    const size_t triangle_counts[2] = {1, 2};
    for (int i = 0; i < 2; ++i) {
        imp_MeshDef mesh_def = {.vertices = vertices[i],
                                .vertex_count = 3,
                                .indices = indices[i],
                                .triangle_count = triangle_counts[i]};
        CHECK_INT(imp_mesh_create(context, &mesh_def, &mesh), IMP_STATUS_OK);
        imp_SphereTreeDef def = {.mesh = mesh, .depth = 1, .protrusion = protrusions[i]};
        impi_SphereDraft draft = {0};
        CHECK_INT(build_draft(context, impi_spheres_octree, &def, &draft), IMP_STATUS_TOO_LARGE);
        free_draft(context, &draft);
        imp_mesh_release(mesh);
    }
    imp_context_destroy(context);
}

TEST(a_single_point_is_a_sphere_without_size)
{
    imp_Context *context = make_context();
    check_single_point(context, impi_spheres_octree);
    imp_context_destroy(context);
}

TEST(allocations_that_fail_leave_nothing_behind)
{
    imp_Context *context = make_context();
    imp_Mesh *mesh = make_torus(context);
    imp_SphereTreeDef def = {.mesh = mesh, .cover = IMP_COVER_SOLID, .branch = 8, .depth = 2};
    CHECK(fail_each_allocation(impi_spheres_octree, def) > 10);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(it_can_be_cancelled_and_gives_the_same_each_time)
{
    imp_Context *context = make_context();
    imp_Mesh *mesh = make_torus(context);
    check_cancel(impi_spheres_octree, &(imp_SphereTreeDef){.mesh = mesh, .branch = 8, .depth = 3});
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}
