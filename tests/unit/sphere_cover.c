/// The proof that spheres hold a mesh, and its mending, on cases small enough to be thought through.
#include "shape/sphere_cover.h"
#include "sphere_drafts.h"

#include <impinge/impinge.h>

#include <float.h>

static imp_Context *make_context(uint32_t thread_count)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = thread_count}, &context), IMP_STATUS_OK);
    return context;
}

static imp_Status prove(imp_Context *context, const imp_Mesh *mesh, imp_SphereCover cover,
                        const impi_SphereDraft *draft, impi_SphereFaces *faces)
{
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, impi_sphere_cover_prove(context, mesh, cover, draft, faces));
}

static imp_Status mend(imp_Context *context, const imp_Mesh *mesh, imp_SphereCover cover,
                       impi_SphereDraft *draft)
{
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, impi_sphere_cover_mend(context, mesh, cover, draft));
}

// What the proof says; the lists of faces are looked at, and forgotten.
static imp_Status say(imp_Context *context, const imp_Mesh *mesh, imp_SphereCover cover,
                      const impi_SphereDraft *draft)
{
    impi_SphereFaces faces = {0};
    imp_Status status = prove(context, mesh, cover, draft, &faces);
    if (status == IMP_STATUS_OK) {
        CHECK_INT((int64_t)faces.first[faces.sphere_count], (int64_t)faces.face_count);
        for (size_t i = 0; i < faces.sphere_count; ++i)
            for (size_t k = faces.first[i] + 1; k < faces.first[i + 1]; ++k)
                CHECK(faces.faces[k - 1] < faces.faces[k]);
    } else
        CHECK(!faces.first && !faces.faces);
    impi_sphere_faces_free(&context->allocator, &faces);
    return status;
}

static imp_Mesh *make_mesh(imp_Context *context, const imp_Vec3 *vertices, size_t vertex_count)
{
    uint32_t indices[64];
    imp_Mesh *mesh = NULL;
    for (uint32_t i = 0; i < vertex_count; ++i)
        indices[i] = i;
    imp_MeshDef def = {.vertices = &vertices[0].x,
                       .vertex_count = vertex_count,
                       .indices = indices,
                       .triangle_count = vertex_count / 3};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

static imp_Mesh *make_triangle(imp_Context *context)
{
    return make_mesh(context, (imp_Vec3[]){{0, 0, 0}, {4, 0, 0}, {0, 3, 0}}, 3);
}

static imp_Mesh *make_box(imp_Context *context)
{
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_box(context, (imp_Vec3){-1, -1, -1}, (imp_Vec3){1, 1, 1}, &mesh), IMP_STATUS_OK);
    return mesh;
}

// Of an array that is not freed.
#define DRAFT(spheres) ((impi_SphereDraft){spheres, sizeof(spheres) / sizeof *(spheres), 0})

TEST(a_sphere_around_the_corners_is_enough)
{
    imp_Context *context = make_context(1);
    imp_Mesh *mesh = make_triangle(context);
    imp_GivenSphere spheres[] = {{{2, 1.5, 0}, 2.5 * (1 + 0x1p-40), IMP_NO_SPHERE}};
    impi_SphereDraft draft = DRAFT(spheres);
    CHECK_INT(say(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_OK);
    spheres[0].radius = 2.5; // touches: there is no room for rounding
    CHECK_INT(say(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_BAD_SHAPE);
    spheres[0].radius = 2.4;
    CHECK_INT(say(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_BAD_SHAPE);
    CHECK_INT((int64_t)imp_context_get_error(context)->index, 0);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "face 0 is not covered");
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

// A child that holds all of it is of no use when its parent does not, and two chains are not one.
TEST(all_spheres_of_a_chain_count)
{
    imp_Context *context = make_context(1);
    imp_Mesh *mesh = make_triangle(context);
    imp_GivenSphere spheres[] = {
        {{2, 1.5, 0}, 3, IMP_NO_SPHERE}, {{1, 1, 0}, 2.4, 0}, {{4, 0, 0}, 2.4, 0}, {{1, 1, 0}, 3, 1},
        {{3.5, 0.5, 0}, 2, 2},
    };
    impi_SphereDraft draft = DRAFT(spheres);
    impi_SphereFaces faces = {0};
    CHECK_INT(prove(context, mesh, IMP_COVER_SURFACE, &draft, &faces), IMP_STATUS_OK);
    CHECK_INT((int64_t)faces.sphere_count, 2);
    CHECK_INT((int64_t)faces.face_count, 2); // the face has a piece in both
    CHECK(faces.face_count == 2 && faces.faces[0] == 0 && faces.faces[1] == 0 && faces.first[1] == 1);
    impi_sphere_faces_free(&context->allocator, &faces);
    spheres[1].radius = 1.5; // the root and the last level hold it still
    CHECK_INT(say(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_BAD_SHAPE);
    spheres[1].radius = 2.4;
    spheres[3].parent = 2; // the order of parents is the caller's to check
    CHECK_INT(say(context, mesh, IMP_COVER_SURFACE,
                  &(impi_SphereDraft){(imp_GivenSphere[]){{{2, 1.5, 0}, 3, IMP_NO_SPHERE},
                                                          {{1, 1, 0}, 2.4, 0},
                                                          {{4, 0, 0}, 2.4, 0},
                                                          {{3.5, 0.5, 0}, 2, 1},
                                                          {{1, 1, 0}, 3, 2}},
                                      5, 0}),
              IMP_STATUS_BAD_SHAPE);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(the_lowest_bare_face_is_named)
{
    imp_Context *context = make_context(1);
    imp_Mesh *mesh =
        make_mesh(context, (imp_Vec3[]){{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {9, 0, 0}, {9, 1, 0}, {8, 0, 0}}, 6);
    imp_GivenSphere spheres[] = {{{0, 0, 0}, 20, IMP_NO_SPHERE}, {{0, 0, 0}, 2, 0}, {{5, 0, 0}, 1, 0}};
    impi_SphereDraft draft = DRAFT(spheres);
    CHECK_INT(say(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_BAD_SHAPE);
    CHECK_INT((int64_t)imp_context_get_error(context)->index, 1);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

// The surface of a box in 26 balls that leave its middle free.
TEST(the_inside_counts_where_it_is_asked_for)
{
    imp_Context *context = make_context(1);
    imp_Mesh *mesh = make_box(context);
    imp_GivenSphere spheres[28] = {{{0, 0, 0}, 2, IMP_NO_SPHERE}};
    impi_SphereDraft draft = {spheres, 1, 0};
    for (int i = 0; i < 27; ++i)
        if (i != 13)
            spheres[draft.count++] = (imp_GivenSphere){{i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1}, 0.9, 0};
    CHECK_INT(say(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_OK);
    CHECK_INT(say(context, mesh, IMP_COVER_SOLID, &draft), IMP_STATUS_BAD_SHAPE);
    CHECK_INT((int64_t)imp_context_get_error(context)->index, (int64_t)IMP_NOWHERE);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "the inside is not covered");
    spheres[draft.count++] = (imp_GivenSphere){{0, 0, 0}, 0.5, 0};
    CHECK_INT(say(context, mesh, IMP_COVER_SOLID, &draft), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(a_cavity_need_not_be_held)
{
    imp_Context *context = make_context(1);
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_hollow_sphere(context, 12, 8, 1, 0.8, &mesh), IMP_STATUS_OK);
    imp_SphereTreeDef def = {
        .mesh = mesh, .method = IMP_SPHERES_OCTREE, .cover = IMP_COVER_SOLID, .depth = 4, .branch = 8};
    impi_SphereDraft draft = {0};
    CHECK_INT(build_draft(context, impi_spheres_octree, &def, &draft), IMP_STATUS_OK);
    CHECK_INT(mend(context, mesh, IMP_COVER_SOLID, &draft), IMP_STATUS_OK);
    CHECK_INT(say(context, mesh, IMP_COVER_SOLID, &draft), IMP_STATUS_OK);
    bool is_middle_free = true;
    for (size_t i = 0; i < draft.count; ++i) // those that are parents stand in front
        is_middle_free &= i < draft.data[draft.count - 1].parent + 1 ||
                          impi_length(draft.data[i].center) > draft.data[i].radius;
    CHECK(is_middle_free);
    free_draft(context, &draft);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(a_single_point_is_in_a_sphere_of_no_size)
{
    imp_Context *context = make_context(1);
    imp_Vec3 point = {0.1, 1e17, -3};
    imp_Mesh *mesh = make_mesh(context, (imp_Vec3[]){point, point, point}, 3);
    imp_GivenSphere spheres[] = {{point, 0, IMP_NO_SPHERE}, {point, 0, 0}};
    impi_SphereDraft draft = DRAFT(spheres);
    CHECK_INT(say(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_OK);
    spheres[1].center.x = 1;
    CHECK_INT(say(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_BAD_SHAPE);
    CHECK_INT(mend(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_OK);
    CHECK_INT(say(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_OK);
    CHECK(spheres[0].radius == 0 && spheres[1].radius > 0.9 && spheres[1].radius < 0.91);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

// Centers so far away that nothing of the mesh can be told apart from there.
TEST(spheres_far_away_hold_all_or_nothing)
{
    const double sizes[] = {1e-300, 1, 1e150};
    imp_Context *context = make_context(1);
    for (size_t i = 0; i < 3; ++i) {
        imp_Mesh *unit = make_triangle(context), *mesh = NULL;
        CHECK_INT(scene_place(context, unit, sizes[i], (imp_Vec3){0, 0, 0}, &mesh), IMP_STATUS_OK);
        imp_GivenSphere spheres[] = {{{1e300, 0, 0}, 1.1e300, IMP_NO_SPHERE}};
        impi_SphereDraft draft = DRAFT(spheres);
        CHECK_INT(say(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_OK);
        spheres[0].radius = 0.99e300;
        CHECK_INT(say(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_BAD_SHAPE);
        CHECK_INT(mend(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_OK);
        CHECK_INT(say(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_OK);
        spheres[0] = (imp_GivenSphere){{1.5e308, 1.5e308, 0}, 1e300, IMP_NO_SPHERE};
        CHECK_INT(say(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_BAD_SHAPE);
        CHECK_INT(mend(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_BAD_NUMBER);
        imp_mesh_release(unit);
        imp_mesh_release(mesh);
    }
    imp_context_destroy(context);
}

TEST(radii_beyond_the_largest_double_are_refused)
{
    imp_Context *context = make_context(1);
    imp_Mesh *mesh =
        make_mesh(context, (imp_Vec3[]){{-DBL_MAX, 0, 0}, {DBL_MAX, 0, 0}, {DBL_MAX, DBL_MAX, DBL_MAX}}, 3);
    imp_GivenSphere spheres[] = {{{0, 0, 0}, 1, IMP_NO_SPHERE}};
    impi_SphereDraft draft = DRAFT(spheres);
    CHECK_INT(say(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_BAD_SHAPE);
    CHECK_INT(mend(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_BAD_NUMBER);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

// ---- mending

TEST(nothing_is_mended_where_nothing_is_missing)
{
    imp_Context *context = make_context(1);
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_torus(context, 24, 12, 1, 0.3, &mesh), IMP_STATUS_OK);
    imp_SphereTreeDef def = {.mesh = mesh, .branch = 8, .depth = 3};
    impi_SphereDraft draft = {0}, kept = {0};
    CHECK_INT(build_draft(context, impi_spheres_octree, &def, &draft), IMP_STATUS_OK);
    CHECK_INT(build_draft(context, impi_spheres_octree, &def, &kept), IMP_STATUS_OK);
    CHECK_INT(mend(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_OK);
    CHECK(drafts_are_equal(&draft, &kept));
    free_draft(context, &draft);
    free_draft(context, &kept);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

// Every sphere is as large again as it was shrunk, or not much more: none takes over what is its neighbours'.
TEST(no_sphere_grows_much_more_than_necessary)
{
    imp_Context *context = make_context(1);
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_torus(context, 48, 24, 1, 0.3, &mesh), IMP_STATUS_OK);
    for (int cover = IMP_COVER_SURFACE; cover <= IMP_COVER_SOLID; ++cover) {
        imp_SphereTreeDef def = {.mesh = mesh, .cover = (imp_SphereCover)cover, .branch = 8, .depth = 3};
        impi_SphereDraft draft = {0}, kept = {0};
        CHECK_INT(build_draft(context, impi_spheres_octree, &def, &draft), IMP_STATUS_OK);
        CHECK_INT(build_draft(context, impi_spheres_octree, &def, &kept), IMP_STATUS_OK);
        for (size_t i = 0; i < draft.count; ++i)
            draft.data[i].radius *= 0.6;
        CHECK_INT(say(context, mesh, def.cover, &draft), IMP_STATUS_BAD_SHAPE);
        CHECK_INT(mend(context, mesh, def.cover, &draft), IMP_STATUS_OK);
        CHECK_INT(say(context, mesh, def.cover, &draft), IMP_STATUS_OK);
        size_t large_count = 0;
        for (size_t i = 0; i < draft.count; ++i) {
            large_count += draft.data[i].radius > 1.2 * kept.data[i].radius;
            CHECK(draft.data[i].radius < 2 * kept.data[i].radius);
        }
        CHECK(large_count <= draft.count / 20);
        free_draft(context, &draft);
        free_draft(context, &kept);
    }
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(spheres_of_no_size_are_mended)
{
    imp_Context *context = make_context(1);
    imp_Mesh *mesh = make_box(context);
    for (int cover = IMP_COVER_SURFACE; cover <= IMP_COVER_SOLID; ++cover) {
        imp_GivenSphere spheres[] = {
            {{0, 0, 0}, 0, IMP_NO_SPHERE}, {{1, 0, 0}, 0, 0}, {{-1, 0, 0}, 0, 0}, {{50, 0, 0}, 0, 0}};
        impi_SphereDraft draft = DRAFT(spheres);
        CHECK_INT(say(context, mesh, (imp_SphereCover)cover, &draft), IMP_STATUS_BAD_SHAPE);
        CHECK_INT(mend(context, mesh, (imp_SphereCover)cover, &draft), IMP_STATUS_OK);
        CHECK_INT(say(context, mesh, (imp_SphereCover)cover, &draft), IMP_STATUS_OK);
        CHECK(spheres[0].radius < 1.8 && spheres[1].radius < 2 && spheres[2].radius < 2);
        CHECK(spheres[3].radius == 0); // of no use
    }
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

// ---- what holds for all of it

TEST(threads_change_nothing)
{
    impi_SphereDraft drafts[3] = {0};
    impi_SphereFaces faces[3] = {0};
    imp_Context *contexts[3];
    for (int i = 0; i < 3; ++i) {
        imp_Mesh *mesh = NULL;
        contexts[i] = make_context((uint32_t[]){1, 2, 5}[i]);
        CHECK_INT(scene_bumpy_sphere(contexts[i], 60, 40, 1, 0.3, 5, &mesh), IMP_STATUS_OK);
        imp_SphereTreeDef def = {.mesh = mesh, .cover = IMP_COVER_SOLID, .branch = 8, .depth = 3};
        CHECK_INT(build_draft(contexts[i], impi_spheres_octree, &def, &drafts[i]), IMP_STATUS_OK);
        for (size_t k = 1; k < drafts[i].count; ++k)
            drafts[i].data[k].radius *= 0.9;
        CHECK_INT(mend(contexts[i], mesh, IMP_COVER_SOLID, &drafts[i]), IMP_STATUS_OK);
        CHECK_INT(prove(contexts[i], mesh, IMP_COVER_SOLID, &drafts[i], &faces[i]), IMP_STATUS_OK);
        CHECK(drafts_are_equal(&drafts[0], &drafts[i]));
        CHECK(faces[i].face_count == faces[0].face_count &&
              memcmp(faces[i].faces, faces[0].faces, faces[0].face_count * sizeof *faces[0].faces) == 0 &&
              memcmp(faces[i].first, faces[0].first, faces[0].sphere_count * sizeof *faces[0].first) == 0);
        imp_mesh_release(mesh);
    }
    for (int i = 0; i < 3; ++i) {
        impi_sphere_faces_free(&contexts[i]->allocator, &faces[i]);
        free_draft(contexts[i], &drafts[i]);
        imp_context_destroy(contexts[i]);
    }
}

// Balls in a row whose rims overlap by next to nothing, many times over: it ends, and nothing is claimed.
TEST(spheres_that_hardly_overlap_do_not_take_forever)
{
    enum { SIDE = 40 };
    imp_Context *context = make_context(1);
    imp_Mesh *mesh = make_mesh(context, (imp_Vec3[]){{0, 0, 0}, {SIDE, 0, 0}, {0, SIDE, 0}}, 3);
    imp_GivenSphere *spheres = malloc((2 * SIDE * SIDE + 1) * sizeof *spheres);
    impi_SphereDraft draft = {spheres, 1, 0};
    spheres[0] = (imp_GivenSphere){{0, 0, 0}, 2 * SIDE, IMP_NO_SPHERE};
    for (int i = 0; i < SIDE * SIDE; ++i)
        spheres[draft.count++] =
            (imp_GivenSphere){{i % SIDE + 0.5, (double)(i / SIDE) + 0.5, 0}, sqrt(0.5) * (1 + 0x1p-20), 0};
    CHECK_INT(say(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_OK);
    for (size_t i = 1; i < draft.count; ++i)
        spheres[i].radius = sqrt(0.5) * (1 - 0x1p-30);
    CHECK_INT(say(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_BAD_SHAPE);
    CHECK_INT(mend(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_OK);
    CHECK_INT(say(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_OK);
    free(spheres);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

static imp_Status mend_and_prove(imp_Context *context, const imp_SphereTreeDef *def, impi_SphereDraft *draft)
{
    impi_SphereFaces faces = {0};
    imp_Status status = impi_spheres_octree(context, def, draft);
    for (size_t i = 1; i < draft->count; ++i)
        draft->data[i].radius *= 0.8;
    if (status == IMP_STATUS_OK)
        status = impi_sphere_cover_mend(context, def->mesh, def->cover, draft);
    if (status == IMP_STATUS_OK)
        status = impi_sphere_cover_prove(context, def->mesh, def->cover, draft, &faces);
    impi_sphere_faces_free(&context->allocator, &faces);
    return status;
}

TEST(out_of_memory_and_cancelled)
{
    imp_Context *context = make_context(1);
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_torus(context, 8, 5, 1, 0.3, &mesh), IMP_STATUS_OK);
    imp_SphereTreeDef def = {.mesh = mesh, .cover = IMP_COVER_SOLID, .branch = 4, .depth = 2};
    CHECK(fail_each_allocation(mend_and_prove, def) > 30);
    check_cancel(mend_and_prove, &def);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

// Two balls that are nearly half-spaces and overlap in a narrow strip: few spheres, very many pieces. Their
// curvature keeps the narrowest strip that covers at some 2^-18.
TEST(narrow_strips_are_divided_or_refused)
{
    imp_Context *context = make_context(1);
    imp_Mesh *mesh = make_triangle(context);
    const double widths[] = {0x1p-10, 0x1p-17, 0x1p-20};
    for (size_t i = 0; i < 3; ++i) {
        imp_GivenSphere spheres[] = {{{2, 1.5, 0}, 4, IMP_NO_SPHERE},
                                     {{-999999, 0, 0}, 1000000.3 + widths[i], 0},
                                     {{1000001.3, 0, 0}, 1000000 + widths[i], 0}};
        impi_SphereDraft draft = DRAFT(spheres);
        CHECK_INT(say(context, mesh, IMP_COVER_SURFACE, &draft),
                  i < 2 ? IMP_STATUS_OK : IMP_STATUS_BAD_SHAPE);
        CHECK_INT(mend(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_OK);
        CHECK_INT(say(context, mesh, IMP_COVER_SURFACE, &draft), IMP_STATUS_OK);
    }
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}
