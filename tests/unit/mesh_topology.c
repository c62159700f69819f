#include "shape/mesh_topology.h"

#include "harness.h"
#include "scenes/shapes.h"

#include <stdlib.h>
#include <string.h>

static imp_Context *make_context(void)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    return context;
}

static imp_Mesh *make_mesh(imp_Context *context, const double *xyz, size_t vertex_count,
                           const uint32_t *indices, size_t triangle_count)
{
    imp_MeshDef def = {
        .vertices = xyz, .vertex_count = vertex_count, .indices = indices, .triangle_count = triangle_count};
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

// The same triangles with three vertices of their own each, and zeros of random sign.
static imp_Mesh *exploded(imp_Context *context, const imp_Mesh *mesh)
{
    size_t count = 3 * imp_mesh_get_triangle_count(mesh);
    imp_Vec3 *vertices = malloc(count * sizeof *vertices);
    uint32_t *indices = malloc(count * sizeof *indices);
    for (size_t i = 0; i < count; ++i) {
        vertices[i] = imp_mesh_get_vertices(mesh)[imp_mesh_get_indices(mesh)[i]];
        indices[i] = (uint32_t)i;
        for (int axis = 0; axis < 3; ++axis)
            if ((&vertices[i].x)[axis] == 0)
                (&vertices[i].x)[axis] = test_random() & 1 ? 0.0 : -0.0;
    }
    imp_Mesh *made = make_mesh(context, &vertices->x, count, indices, count / 3);
    free(vertices);
    free(indices);
    return made;
}

static bool is_closed(imp_Context *context, const imp_Mesh *mesh)
{
    bool closed = false;
    CHECK_INT(imp_mesh_is_closed(context, mesh, &closed), IMP_STATUS_OK);
    return closed;
}

TEST(equal_coordinates_are_one_corner)
{
    imp_Context *context = make_context();
    imp_Mesh *sphere = NULL;
    scene_sphere(context, 8, 6, 1, &sphere);
    imp_Mesh *mesh = exploded(context, sphere);
    impi_Corners a, b;
    impi_arena_reset(&context->scratch);
    CHECK_INT(impi_corners_find(context, sphere, &a), IMP_STATUS_OK);
    CHECK_INT(impi_corners_find(context, mesh, &b), IMP_STATUS_OK);
    CHECK_INT(a.distinct_count, imp_mesh_get_vertex_count(sphere));
    CHECK_INT(b.distinct_count, a.distinct_count);
    CHECK_INT(b.unused_count, 0);
    for (size_t i = 0; i < 3 * a.triangle_count; ++i)
        for (size_t j = 0; j < i; ++j)
            CHECK((a.numbers[i] == a.numbers[j]) == (b.numbers[i] == b.numbers[j]));
    CHECK(is_closed(context, mesh));
    imp_mesh_release(sphere);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(neighbouring_doubles_are_two_corners)
{
    imp_Context *context = make_context();
    const double xyz[] = {0, 0, 0, 0x1p-1074, 0, 0, 1, 0x1.0000000000001p0, 0, 1, 1, 0, 5, 5, 5};
    const uint32_t indices[] = {0, 1, 2, 1, 2, 3};
    imp_Mesh *mesh = make_mesh(context, xyz, 5, indices, 2);
    impi_Corners corners;
    CHECK_INT(impi_corners_find(context, mesh, &corners), IMP_STATUS_OK);
    CHECK_INT(corners.distinct_count, 4);
    CHECK_INT(corners.unused_count, 1);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(half_edges_are_sorted)
{
    imp_Context *context = make_context();
    imp_Mesh *mesh = NULL;
    scene_grid_soup(context, 500, 3, test_random(), &mesh);
    impi_Corners corners;
    impi_HalfEdges edges;
    CHECK_INT(impi_corners_find(context, mesh, &corners), IMP_STATUS_OK);
    CHECK_INT(impi_half_edges_sort(context, &corners, &edges), IMP_STATUS_OK);
    CHECK(edges.count > 1000 && edges.count < 1500);
    for (size_t i = 0; i < edges.count; ++i) {
        const impi_HalfEdge *e = &edges.data[i];
        CHECK(e->low < e->high);
        uint32_t from = corners.numbers[3 * e->face + e->side];
        uint32_t to = corners.numbers[3 * e->face + (e->side + 1) % 3];
        CHECK(e->ascending ? from == e->low && to == e->high : from == e->high && to == e->low);
        if (i == 0)
            continue;
        const impi_HalfEdge *d = &edges.data[i - 1];
        CHECK(d->low != e->low     ? d->low < e->low
              : d->high != e->high ? d->high < e->high
              : d->face != e->face ? d->face < e->face
                                   : d->side < e->side);
    }
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(closed_means_balanced_edges)
{
    imp_Context *context = make_context();
    imp_Mesh *box = NULL, *torus = NULL, *both = NULL, *flipped = NULL, *mixed = NULL, *soup = NULL;
    scene_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}, &box);
    scene_torus(context, 5, 4, 2, 1, &torus);
    scene_join(context, box, torus, &both);
    scene_flip(context, box, &flipped);
    scene_join(context, flipped, torus, &mixed);
    scene_soup(context, 10, 0.5, 1, &soup);
    CHECK(is_closed(context, box));
    CHECK(is_closed(context, torus));
    CHECK(is_closed(context, both));
    CHECK(is_closed(context, flipped));
    CHECK(is_closed(context, mixed));
    CHECK(!is_closed(context, soup));
    for (size_t missing = 0; missing < 12; ++missing) {
        uint32_t indices[36];
        memcpy(indices, imp_mesh_get_indices(box), sizeof indices);
        memmove(indices + 3 * missing, indices + 3 * missing + 3, (11 - missing) * 3 * sizeof *indices);
        imp_Mesh *open = make_mesh(context, &imp_mesh_get_vertices(box)->x, 8, indices, 11);
        CHECK(!is_closed(context, open));
        imp_mesh_release(open);

        memcpy(indices, imp_mesh_get_indices(box), sizeof indices);
        indices[3 * missing] = imp_mesh_get_indices(box)[3 * missing + 1];
        indices[3 * missing + 1] = imp_mesh_get_indices(box)[3 * missing];
        imp_Mesh *turned = make_mesh(context, &imp_mesh_get_vertices(box)->x, 8, indices, 12);
        CHECK(!is_closed(context, turned));
        imp_mesh_release(turned);
    }
    imp_Mesh *meshes[] = {box, torus, both, flipped, mixed, soup};
    for (int i = 0; i < 6; ++i)
        imp_mesh_release(meshes[i]);
    imp_context_destroy(context);
}

static void ask_closedness(uint32_t task, void *argument)
{
    imp_Context *context = NULL;
    bool closed = false;
    (void)task;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    imp_Status status = imp_mesh_is_closed(context, argument, &closed);
    if (status != IMP_STATUS_OK || !closed)
        abort();
    imp_context_destroy(context);
}

TEST(closedness_can_be_asked_by_several_threads_at_once)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = 4}, &context), IMP_STATUS_OK);
    for (int i = 0; i < 20; ++i) {
        imp_Mesh *mesh = NULL;
        scene_sphere(context, 12, 8, 1, &mesh);
        context->executor.run(ask_closedness, mesh, 8, context->executor.user);
        CHECK(is_closed(context, mesh));
        imp_mesh_release(mesh);
    }
    imp_context_destroy(context);
}

TEST(neighbours_share_an_edge)
{
    imp_Context *context = make_context();
    imp_Mesh *torus = NULL;
    scene_torus(context, 6, 5, 2, 1, &torus);
    imp_Mesh *mesh = exploded(context, torus);
    uint32_t neighbours[3 * 60], same[3 * 60];
    CHECK_INT(imp_mesh_adjacency(context, torus, neighbours), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_adjacency(context, mesh, same), IMP_STATUS_OK);
    CHECK(memcmp(neighbours, same, sizeof same) == 0);
    const uint32_t *indices = imp_mesh_get_indices(torus);
    for (uint32_t i = 0; i < 3 * 60; ++i) {
        uint32_t from = indices[i], to = indices[i / 3 * 3 + (i % 3 + 1) % 3], found = 0;
        if (!CHECK(neighbours[i] < 60))
            continue;
        for (uint32_t side = 0; side < 3; ++side) {
            const uint32_t *other = indices + 3 * neighbours[i];
            found += other[side] == to && other[(side + 1) % 3] == from;
        }
        CHECK_INT(found, 1);
    }
    imp_mesh_release(torus);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(boundaries_and_non_manifold_edges_have_no_neighbour)
{
    imp_Context *context = make_context();
    // Three faces on the edge 0-1; one on the edge 3-1 and a flat one that has it twice; two on 0-2.
    const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, -1, 0, 0};
    const uint32_t indices[] = {0, 1, 2, 1, 0, 3, 0, 1, 4, 2, 0, 5, 3, 3, 1, 4, 5, 4};
    imp_Mesh *mesh = make_mesh(context, xyz, 6, indices, 6);
    uint32_t neighbours[18];
    CHECK_INT(imp_mesh_adjacency(context, mesh, neighbours), IMP_STATUS_OK);
    for (int i = 0; i < 18; ++i)
        CHECK_INT(neighbours[i], i == 2 ? 3 : i == 9 ? 0 : IMP_NO_FACE);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(components_hang_together_through_vertices)
{
    imp_Context *context = make_context();
    // Two triangles that share the vertex 2, one of its own, and one that joins later ones to the first.
    const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 0, 0, 5, 1, 0, 9, 0, 0, 9, 1, 0, 9, 2, 0, 0, 3, 3};
    const uint32_t indices[] = {0, 1, 2, 5, 6, 7, 3, 4, 4, 2, 8, 3};
    imp_Mesh *mesh = make_mesh(context, xyz, 9, indices, 4);
    impi_Corners corners;
    uint32_t *components;
    size_t count;
    CHECK_INT(impi_corners_find(context, mesh, &corners), IMP_STATUS_OK);
    CHECK_INT(impi_components_find(context, &corners, &components, &count), IMP_STATUS_OK);
    CHECK_INT(count, 2);
    CHECK_INT(components[0], 0);
    CHECK_INT(components[1], 1);
    CHECK_INT(components[2], 0);
    CHECK_INT(components[3], 0);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(duplicates_are_counted_in_any_order_of_corners)
{
    imp_Context *context = make_context();
    const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, -0.0, 0, -0.0, 3, 3, 3};
    const uint32_t indices[] = {0, 1, 2, 2, 3, 1, 1, 0, 2, 0, 1, 4, 0, 0, 1, 1, 0, 1, 1, 0, 3};
    imp_Mesh *mesh = make_mesh(context, xyz, 5, indices, 7);
    impi_Corners corners;
    size_t count;
    CHECK_INT(impi_corners_find(context, mesh, &corners), IMP_STATUS_OK);
    CHECK_INT(impi_duplicates_count(context, &corners, &count), IMP_STATUS_OK);
    CHECK_INT(count, 3); // faces 1 and 2 repeat face 0, face 6 repeats face 4
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}
