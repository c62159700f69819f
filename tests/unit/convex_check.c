// Which meshes are taken for polytopes, and what is said of the others.
#include "harness.h"
#include "scenes/shapes.h"

#include <impinge/convex.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static imp_Context *make_context(void)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    return context;
}

static imp_Mesh *make_mesh(imp_Context *context, const imp_Vec3 *vertices, size_t vertex_count,
                           const uint32_t *indices, size_t triangle_count)
{
    imp_Mesh *mesh = NULL;
    imp_MeshDef def = {.vertices = &vertices->x,
                       .vertex_count = vertex_count,
                       .indices = indices,
                       .triangle_count = triangle_count};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

// Releases the mesh.
static void check_taken(imp_Context *context, imp_Mesh *mesh)
{
    imp_Convex *convex = NULL;
    if (!CHECK_INT(imp_convex_create_from_mesh(context, mesh, &convex), IMP_STATUS_OK))
        printf("  %s\n", imp_context_get_error(context)->message);
    CHECK(imp_convex_get_mesh(convex) == mesh);
    imp_convex_release(convex);
    imp_mesh_release(mesh);
}

// Releases the mesh.
static void check_refused(imp_Context *context, imp_Mesh *mesh, uint64_t face, const char *message)
{
    imp_Convex *untouched = (imp_Convex *)&face, *convex = untouched;
    CHECK_INT(imp_convex_create_from_mesh(context, mesh, &convex), IMP_STATUS_BAD_SHAPE);
    CHECK(convex == untouched);
    CHECK_TEXT(imp_context_get_error(context)->message, message);
    CHECK_INT((int64_t)imp_context_get_error(context)->index, (int64_t)face);
    imp_mesh_release(mesh);
}

TEST(convex_meshes_are_taken)
{
    imp_Context *context = make_context();
    imp_Mesh *mesh = NULL;
    scene_box(context, (imp_Vec3){-1, -2, -3}, (imp_Vec3){1, 2, 3}, &mesh);
    check_taken(context, mesh);
    scene_box(context, (imp_Vec3){1e300, 0, 0}, (imp_Vec3){1.7e308, 1e-320, 1e-300}, &mesh);
    check_taken(context, mesh);
    scene_needle(context, 7, 1e-9, &mesh);
    check_taken(context, mesh);
    imp_context_destroy(context);
}

TEST(corners_need_not_be_shared_by_number)
{
    imp_Context *context = make_context();
    imp_Mesh *box = NULL;
    scene_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}, &box);
    imp_Vec3 vertices[36];
    uint32_t indices[36];
    for (uint32_t i = 0; i < 36; ++i) {
        vertices[i] = imp_mesh_get_vertices(box)[imp_mesh_get_indices(box)[i]];
        indices[i] = i;
    }
    check_taken(context, make_mesh(context, vertices, 36, indices, 12));
    // A last face is missing: the first edge that lacks it is named as its face does.
    check_refused(context, make_mesh(context, vertices, 36, indices, 11), 4,
                  "edge 13-14 of face 4 has no neighbour");
    imp_mesh_release(box);
    imp_context_destroy(context);
}

TEST(vertices_may_lie_inside_of_facets_and_edges)
{
    imp_Context *context = make_context();
    imp_Mesh *mesh = NULL;
    imp_Vec3 points[27];
    imp_Convex *convex = NULL;
    for (int i = 0; i < 27; ++i)
        points[i] = (imp_Vec3){i % 3, i / 3 % 3, i / 9};
    imp_ConvexDef def = {.points = &points->x, .point_count = 27, .keep_coplanar = true};
    if (CHECK_INT(imp_convex_create(context, &def, &convex), IMP_STATUS_OK)) {
        mesh = imp_mesh_retain(imp_convex_get_mesh(convex));
        CHECK_INT((int64_t)imp_mesh_get_vertex_count(mesh), 26);
        imp_convex_release(convex);
        check_taken(context, mesh);
    }
    imp_context_destroy(context);
}

TEST(concave_edges_are_named)
{
    imp_Context *context = make_context();
    imp_Mesh *mesh = NULL;
    scene_l_prism(context, 1, &mesh);
    imp_Convex *convex = NULL;
    CHECK_INT(imp_convex_create_from_mesh(context, mesh, &convex), IMP_STATUS_BAD_SHAPE);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "is concave");
    imp_mesh_release(mesh);
    scene_star_prism(context, 5, 0.4, 1, &mesh);
    CHECK_INT(imp_convex_create_from_mesh(context, mesh, &convex), IMP_STATUS_BAD_SHAPE);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "is concave");
    imp_mesh_release(mesh);
    // A tetrahedron with a dent in its first face.
    const imp_Vec3 vertices[5] = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {0, 0, 3}, {0.5, 0.5, 0.5}};
    const uint32_t indices[18] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 4, 2, 3, 4, 3, 1, 4};
    check_refused(context, make_mesh(context, vertices, 5, indices, 6), 3,
                  "edge 4-1 between faces 3 and 5 is concave");
    imp_context_destroy(context);
}

TEST(what_is_no_closed_surface_is_refused)
{
    imp_Context *context = make_context();
    const imp_Vec3 vertices[5] = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {0, 0, 3}, {1, 0, 0}};
    const uint32_t open[9] = {0, 2, 1, 0, 1, 3, 1, 2, 3};
    check_refused(context, make_mesh(context, vertices, 4, open, 3), 0,
                  "edge 0-2 of face 0 has no neighbour");
    const uint32_t turned[12] = {0, 2, 1, 0, 1, 3, 1, 3, 2, 0, 3, 2};
    check_refused(context, make_mesh(context, vertices, 4, turned, 4), 0,
                  "faces 0 and 2 are turned to different sides at edge 2-1");
    const uint32_t doubled[24] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2, 0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    check_refused(context, make_mesh(context, vertices, 4, doubled, 8), 0,
                  "edge 1-0 is in 4 faces, 0 and 1 among them");
    const uint32_t degenerate[15] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2, 0, 4, 1};
    check_refused(context, make_mesh(context, vertices, 5, degenerate, 5), 4, "face 4 has no area");
    const uint32_t two_sided[6] = {0, 1, 2, 0, 2, 1};
    check_refused(context, make_mesh(context, vertices, 3, two_sided, 2), 0,
                  "faces 0 and 1 lie on each other at edge 0-1");
    imp_context_destroy(context);
}

TEST(what_is_turned_inward_or_in_pieces_is_refused)
{
    imp_Context *context = make_context();
    imp_Mesh *box = NULL, *other = NULL, *mesh = NULL;
    scene_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}, &box);
    scene_box(context, (imp_Vec3){2, 0, 0}, (imp_Vec3){3, 1, 1}, &other);
    scene_flip(context, box, &mesh);
    check_refused(context, mesh, 0, "the mesh is turned inward: every edge is concave or flat");
    scene_join(context, box, other, &mesh);
    check_refused(context, mesh, 12, "the mesh has 2 components: faces 0 and 12 do not hang together");
    imp_mesh_release(box);
    imp_mesh_release(other);
    imp_context_destroy(context);
}

// Two poles and a ring of 7 points that is joined in steps of 2 or 3, which goes around twice or thrice. It
// is a sphere to topology, and convex at every edge.
TEST(surfaces_that_go_around_more_than_once_are_refused)
{
    imp_Context *context = make_context();
    for (uint32_t step = 1; step <= 3; ++step) {
        imp_Vec3 vertices[9] = {[7] = {0, 0, 1}, [8] = {0, 0, -1}};
        uint32_t indices[42];
        for (uint32_t i = 0; i < 7; ++i) {
            SceneTurn turn = scene_turn(i, 7);
            vertices[i] = (imp_Vec3){turn.cosine, turn.sine, 0};
            uint32_t next = (i + step) % 7;
            memcpy(indices + 6 * i, (uint32_t[6]){i, next, 7, next, i, 8}, 6 * sizeof *indices);
        }
        imp_Mesh *mesh = make_mesh(context, vertices, 9, indices, 14);
        if (step == 1)
            check_taken(context, mesh);
        else
            check_refused(context, mesh, 2,
                          step == 2 ? "the mesh goes around more than once: vertex 2 lies outside of face 2"
                                    : "the mesh goes around more than once: vertex 3 lies outside of face 2");
    }
    imp_context_destroy(context);
}

// A box whose sides are fans from their middles and the middles of edges are vertices, around another one
// without: they share corners but no edge, and every vertex lies on the hull.
TEST(two_boxes_on_each_other_are_refused)
{
    imp_Context *context = make_context();
    imp_Mesh *plain = NULL;
    scene_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){2, 2, 2}, &plain);
    imp_Vec3 points[27];
    for (int i = 0; i < 27; ++i)
        points[i] = (imp_Vec3){i % 3, i / 3 % 3, i / 9};
    // Each side: a middle and the eight points around it, counter-clockwise seen from outside.
    static const uint32_t sides[6][9] = {
        {4, 0, 3, 6, 7, 8, 5, 2, 1},      {22, 18, 19, 20, 23, 26, 25, 24, 21},
        {10, 0, 1, 2, 11, 20, 19, 18, 9}, {16, 6, 15, 24, 25, 26, 17, 8, 7},
        {12, 0, 9, 18, 21, 24, 15, 6, 3}, {14, 2, 5, 8, 17, 26, 23, 20, 11},
    };
    uint32_t indices[6 * 8 * 3];
    for (size_t s = 0; s < 6; ++s)
        for (size_t i = 0; i < 8; ++i) {
            uint32_t triangle[3] = {sides[s][0], sides[s][1 + i], sides[s][1 + (i + 1) % 8]};
            memcpy(indices + 3 * (8 * s + i), triangle, sizeof triangle);
        }
    imp_Mesh *fine = make_mesh(context, points, 27, indices, 48), *both = NULL;
    imp_Convex *convex = NULL;
    scene_join(context, plain, fine, &both);
    check_taken(context, fine);
    CHECK_INT(imp_convex_create_from_mesh(context, both, &convex), IMP_STATUS_BAD_SHAPE);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "goes around more than once: face ");
    imp_mesh_release(both);
    imp_mesh_release(plain);
    imp_context_destroy(context);
}
