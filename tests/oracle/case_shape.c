#include "case_shape.h"

#include "harness.h"

static bool make_solid(imp_Context *context, const CaseBody *body, CaseShape *shape)
{
    imp_ConvexDef def = {.points = &body->vertices->x, .point_count = body->vertex_count};
    imp_Status status = imp_convex_create(context, &def, &shape->convex);
    if (status == IMP_STATUS_BAD_SHAPE)
        return false;
    CHECK_INT(status, IMP_STATUS_OK);
    shape->mesh = imp_convex_get_mesh(shape->convex);
    return true;
}

static void make_surface(imp_Context *context, const CaseBody *body, CaseShape *shape)
{
    static imp_Vec3 others[CASE_MAX_VERTICES];
    for (size_t i = 0; i < body->vertex_count; ++i)
        others[i] = (imp_Vec3){0.5 * body->vertices[i].y, body->vertices[i].x, 0.25 * body->vertices[i].z};
    imp_MeshDef def = {.vertices = body->is_deformed ? &others->x : &body->vertices->x,
                       .vertex_count = body->vertex_count,
                       .indices = body->indices,
                       .triangle_count = body->face_count};
    CHECK_INT(imp_mesh_create(context, &def, &shape->mesh), IMP_STATUS_OK);
}

bool case_shape_make(imp_Context *context, const CaseBody *body, CaseShape *shape)
{
    shape->convex = NULL;
    shape->body = body;
    if (!body->is_solid)
        make_surface(context, body, shape);
    else if (!make_solid(context, body, shape))
        return false;
    const imp_Vec3 *from = body->is_solid ? imp_mesh_get_vertices(shape->mesh) : body->vertices;
    const uint32_t *indices = imp_mesh_get_indices(shape->mesh);
    shape->vertex_count = imp_mesh_get_vertex_count(shape->mesh);
    shape->face_count = imp_mesh_get_triangle_count(shape->mesh);
    for (size_t i = 0; i < shape->vertex_count; ++i)
        CHECK_INT(imp_pose_apply(&body->pose, from[i], &shape->corners[i]), IMP_STATUS_OK);
    for (size_t i = 0; i < 3 * shape->face_count; ++i)
        shape->triangles[i / 3].v[i % 3] = shape->corners[indices[i]];
    return true;
}

void case_shape_release(CaseShape *shape)
{
    if (shape->convex)
        imp_convex_release(shape->convex);
    else
        imp_mesh_release(shape->mesh);
}

OracleBody case_shape_judged(const CaseShape *shape)
{
    return (OracleBody){shape->triangles, shape->convex ? shape->corners : NULL, shape->face_count,
                        shape->vertex_count};
}
