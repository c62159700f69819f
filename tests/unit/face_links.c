#include "shape/face_links.h"

#include "harness.h"
#include "posed_faces.h"
#include "scenes/shapes.h"

static void check_links(const imp_Mesh *mesh, const impi_FaceLinks *links)
{
    size_t listed = 0;
    CHECK_INT((int64_t)links->face_count, (int64_t)imp_mesh_get_triangle_count(mesh));
    for (uint32_t v = 0; v < links->vertex_count; ++v)
        for (size_t i = links->first_faces[v]; i < links->first_faces[v + 1]; ++i, ++listed) {
            const uint32_t *corners = impi_face_corners(links, links->faces[i]);
            CHECK(corners[0] == v || corners[1] == v || corners[2] == v);
            CHECK(i == links->first_faces[v] || links->faces[i - 1] <= links->faces[i]);
        }
    CHECK_INT((int64_t)listed, (int64_t)(3 * links->face_count));
    for (uint32_t face = 0; face < links->face_count; ++face)
        for (int k = 0; k < 3; ++k) {
            uint32_t vertex = links->vertices[impi_face_corners(links, face)[k]];
            imp_Vec3 a = imp_mesh_get_vertices(mesh)[vertex];
            imp_Vec3 b = imp_mesh_get_vertices(mesh)[imp_mesh_get_indices(mesh)[3 * face + (uint32_t)k]];
            CHECK(a.x == b.x && a.y == b.y && a.z == b.z);
        }
}

TEST(faces_are_linked_by_their_vertices)
{
    imp_Context *context = context_with_threads(1);
    imp_Mesh *mesh = NULL;
    const impi_FaceLinks *links = NULL, *again = NULL;
    CHECK_INT(scene_sphere(context, 9, 7, 1, &mesh), IMP_STATUS_OK);
    CHECK_INT(impi_mesh_face_links(context, mesh, &links), IMP_STATUS_OK);
    CHECK(links->is_closed);
    CHECK_INT((int64_t)links->vertex_count, (int64_t)imp_mesh_get_vertex_count(mesh));
    check_links(mesh, links);
    CHECK_INT(impi_mesh_face_links(context, mesh, &again), IMP_STATUS_OK);
    CHECK(again == links);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(equal_vertices_count_as_one)
{
    imp_Context *context = context_with_threads(1);
    imp_Mesh *a = NULL, *b = NULL, *both = NULL, *soup = NULL;
    const impi_FaceLinks *links = NULL;
    CHECK_INT(scene_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}, &a), IMP_STATUS_OK);
    CHECK_INT(scene_box(context, (imp_Vec3){1, 0, 0}, (imp_Vec3){2, 1, 1}, &b), IMP_STATUS_OK);
    CHECK_INT(scene_join(context, a, b, &both), IMP_STATUS_OK);
    CHECK_INT(impi_mesh_face_links(context, both, &links), IMP_STATUS_OK);
    CHECK_INT((int64_t)links->vertex_count, 12);
    CHECK(links->is_closed);
    check_links(both, links);
    CHECK_INT(scene_grid_soup(context, 60, 3, 5, &soup), IMP_STATUS_OK);
    CHECK_INT(impi_mesh_face_links(context, soup, &links), IMP_STATUS_OK);
    CHECK(!links->is_closed && links->vertex_count <= 27);
    check_links(soup, links);
    imp_mesh_release(a);
    imp_mesh_release(b);
    imp_mesh_release(both);
    imp_mesh_release(soup);
    imp_context_destroy(context);
}
