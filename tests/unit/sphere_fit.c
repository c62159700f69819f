// Spheres fitted to pieces of a body: what they hold, how far they stick out, and meshes of all kinds.
#include "sanitizers.h"
#include "sphere_drafts.h"

#include "shape/sphere_cover.h"
#include "shape/sphere_cubes.h"
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
    imp_Status status = impi_sphere_protrusions_measure(context, mesh, true, spheres, NULL, draft->count - 1);
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

// A box with a thin sheet beside it: the sheet takes pieces as small as the limit, and the box does not. Few
// balls that are hard to keep within a limit must not make all others smaller.
static imp_Mesh *make_box_and_sheet(imp_Context *context)
{
    double vertices[2 * 8 * 3];
    uint32_t indices[2 * 12 * 3];
    static const uint32_t faces[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1},
                                          {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
    static const double origins[2][3] = {{0, 0, 0}, {1.2, 0, 0}}, sizes[2][3] = {{1, 1, 1}, {.2, .2, .001}};
    for (unsigned i = 0; i < 16; ++i)
        for (unsigned axis = 0; axis < 3; ++axis)
            vertices[3 * i + axis] = origins[i / 8][axis] + (i >> (2 - axis) & 1 ? sizes[i / 8][axis] : 0);
    for (unsigned i = 0; i < 72; ++i)
        indices[i] = faces[i / 3 % 12][i % 3] + i / 36 * 8;
    imp_MeshDef def = {.vertices = vertices, .vertex_count = 16, .indices = indices, .triangle_count = 24};
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

TEST(a_thin_part_does_not_make_all_balls_small)
{
    if (skips_slow_tests())
        return;
    imp_Context *context = make_context(1);
    imp_Mesh *mesh = make_box_and_sheet(context);
    static const size_t most[] = {800, 2000};
    for (int i = 0; i < 2; ++i) {
        imp_SphereTreeDef def = {.mesh = mesh, .depth = 1, .protrusion = i == 0 ? 0.03 : 0.02};
        impi_SphereDraft draft = {0};
        double largest, mean;
        CHECK_INT(build_draft(context, impi_spheres_fit, &def, &draft), IMP_STATUS_OK);
        measure(context, mesh, &draft, &largest, &mean);
        CHECK(largest <= def.protrusion && mean > def.protrusion / 4);
        CHECK(draft.count > 100 && draft.count < most[i]);
        check_proven(context, &def, &draft);
        free_draft(context, &draft);
    }
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

static double sum_of_pieces(const impi_SpherePieces *pieces, bool is_volume)
{
    double sum = 0;
    for (size_t i = is_volume ? pieces->face_count : 0; i < (is_volume ? pieces->count : pieces->face_count);
         ++i) {
        const uint32_t *corners = impi_piece_corners(pieces, i);
        imp_Vec3 a = pieces->points[corners[0]];
        imp_Vec3 u = impi_subtract(pieces->points[corners[1]], a),
                 v = impi_subtract(pieces->points[corners[2]], a), normal = impi_cross(u, v);
        sum += is_volume ? impi_dot(normal, impi_subtract(pieces->points[corners[4]], a))
                         : sqrt(impi_dot(normal, normal)) / 2;
    }
    return sum;
}

// Every third piece.
static void refine_some(imp_Context *context, impi_SpherePieces *pieces)
{
    impi_SpherePieces old = *pieces;
    uint8_t *is_marked = calloc(old.count, 1);
    uint32_t *origins = NULL;
    for (size_t i = 0; i < old.count; i += 3)
        is_marked[i] = 1;
    if (CHECK_INT(impi_sphere_pieces_refine(context, is_marked, pieces, &origins), IMP_STATUS_OK)) {
        CHECK(pieces->face_count > old.face_count &&
              pieces->count - pieces->face_count > old.count - old.face_count);
        size_t kept = 0;
        for (size_t i = 0; i < pieces->count; ++i) {
            CHECK(origins[i] < old.count && (i < pieces->face_count) == (origins[i] < old.face_count));
            kept += !is_marked[origins[i]];
        }
        CHECK_INT((int64_t)kept, (int64_t)(old.count - (old.count + 2) / 3));
    }
    free(is_marked);
}

TEST(pieces_that_are_cut_finer_are_the_same_body)
{
    imp_Context *context = make_context(1);
    imp_Mesh *mesh = make_torus(context);
    impi_LocalFrame frame = impi_local_frame_make(&mesh->shape.bounds);
    impi_SpherePieces pieces;
    impi_DistanceGrid grid;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    CHECK_INT(impi_sphere_pieces_cut(context, mesh, &frame, 1000, &pieces), IMP_STATUS_OK);
    CHECK_INT(impi_distance_grid_build(context, mesh, &frame, &pieces, true, &grid), IMP_STATUS_OK);
    CHECK_INT(impi_sphere_pieces_add_cubes(context, &grid, &pieces), IMP_STATUS_OK);
    double area = sum_of_pieces(&pieces, false), volume = sum_of_pieces(&pieces, true);
    CHECK(area > 0 && volume > 0);
    for (int i = 0; i < 3; ++i)
        refine_some(context, &pieces);
    CHECK(fabs(sum_of_pieces(&pieces, false) - area) < 1e-9 * area);
    CHECK(fabs(sum_of_pieces(&pieces, true) - volume) < 1e-9 * volume);
    CHECK_INT(impi_scratch_call_end(context, guard, IMP_STATUS_OK), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(a_largest_protrusion_is_kept_by_the_inside_too)
{
    if (skips_slow_tests())
        return;
    imp_Context *context = make_context(1);
    imp_Mesh *mesh = make_torus(context);
    imp_SphereTreeDef def = {.mesh = mesh, .cover = IMP_COVER_SOLID, .depth = 1, .protrusion = 0.03};
    impi_SphereDraft draft = {0};
    double largest, mean;
    CHECK_INT(build_draft(context, impi_spheres_fit, &def, &draft), IMP_STATUS_OK);
    measure(context, mesh, &draft, &largest, &mean);
    CHECK(largest <= def.protrusion && draft.count < 600);
    check_proven(context, &def, &draft);
    free_draft(context, &draft);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

static void ignore_progress(const imp_Progress *progress, void *user)
{
    (void)progress;
    (void)user;
}

// What is told at first as the whole is about what is done in the end, so that progress moves.
TEST(steps_are_told_as_they_are_made)
{
    if (skips_slow_tests())
        return;
    imp_Context *context = make_context(1);
    imp_Mesh *mesh = make_torus(context);
    imp_SphereTreeDef defs[] = {{.mesh = mesh, .branch = 4, .depth = 3},
                                {.mesh = mesh, .depth = 1, .count = 50}};
    CHECK_INT(imp_context_watch(context, &(imp_Watch){.progress = ignore_progress}), IMP_STATUS_OK);
    for (int i = 0; i < 2; ++i) {
        impi_SphereDraft draft = {0};
        CHECK_INT(build_draft(context, impi_spheres_fit, &defs[i], &draft), IMP_STATUS_OK);
        CHECK_TEXT(context->watch.work, "fitting spheres");
        double share = (double)atomic_load(&context->watch.done) / (double)context->watch.total;
        CHECK(share > 0.7 && share < 1.3);
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
    imp_SphereTreeDef limited = {.mesh = mesh, .depth = 1, .protrusion = 0.1};
    CHECK(fail_each_allocation(impi_spheres_fit, limited) > 4);
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
