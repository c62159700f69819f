#include "shape/convex.h"

#include "shape/convex_check.h"
#include "shape/hull.h"
#include "shape/mesh_topology.h"

void impi_convex_destroy(imp_Convex *convex)
{
    imp_Allocator allocator = convex->shape.allocator;
    impi_support_set_destroy(&allocator, &convex->support);
    imp_mesh_release(convex->mesh);
    impi_release(&allocator, convex, sizeof *convex);
}

static imp_Status derive(imp_Context *context, const impi_Corners *corners, imp_Convex *convex)
{
    const impi_MeshArrays *arrays = &convex->mesh->arrays;
    size_t corner_count = 3 * arrays->triangle_count;
    uint32_t *ids = impi_arena_allocate_array(&context->scratch, corners->distinct_count, sizeof *ids);
    uint32_t *indices = impi_arena_allocate_array(&context->scratch, corner_count, sizeof *indices);
    if (!ids || !indices)
        return impi_fail_out_of_memory(context);
    impi_watch_work(&context->watch, "laying out vertices",
                    corners->distinct_count + 2 * arrays->triangle_count);
    if (!impi_watch_goes_on(&context->watch))
        return impi_watch_status(context);
    impi_corners_list_vertices(convex->mesh, corners, ids);
    for (size_t i = 0; i < corner_count; ++i)
        indices[i] = ids[corners->numbers[i]];
    impi_SupportDef def = {.vertices = arrays->vertices,
                           .vertex_count = arrays->vertex_count,
                           .ids = ids,
                           .id_count = corners->distinct_count,
                           .triangles = indices,
                           .triangle_count = arrays->triangle_count,
                           .watch = &context->watch};
    if (!impi_support_set_create(&convex->shape.allocator, &def, &convex->support)) {
        imp_Status status = impi_watch_status(context);
        return status == IMP_STATUS_OK ? impi_fail_out_of_memory(context) : status;
    }
    convex->vertices = arrays->vertices;
    convex->vertex_count = corners->distinct_count == arrays->vertex_count ? arrays->vertex_count : 0;
    return IMP_STATUS_OK;
}

// Takes over a reference to the mesh, also when it fails.
static imp_Status wrap(imp_Context *context, imp_Mesh *mesh, const impi_Corners *corners, imp_Convex **convex)
{
    imp_Convex *made = impi_allocate(&context->allocator, sizeof *made);
    if (!made) {
        imp_mesh_release(mesh);
        return impi_fail_out_of_memory(context);
    }
    *made = (imp_Convex){.mesh = mesh};
    impi_shape_init(&made->shape, IMPI_SHAPE_CONVEX, context, &mesh->shape.bounds);
    imp_Status status = derive(context, corners, made);
    if (status == IMP_STATUS_OK) {
        impi_mesh_keep_closedness(mesh, true);
        *convex = made;
    } else {
        impi_convex_destroy(made);
    }
    return status;
}

static imp_Status check_size(imp_Context *context, const imp_Mesh *mesh)
{
    size_t most = UINT32_MAX / 3;
    if (mesh->arrays.triangle_count > most)
        return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE, "%zu triangles are more than %zu",
                         mesh->arrays.triangle_count, most);
    return IMP_STATUS_OK;
}

imp_Status impi_convex_create(imp_Context *context, const imp_ConvexDef *def, imp_Convex **convex)
{
    impi_MeshArrays arrays;
    imp_Mesh *mesh = NULL;
    imp_Status status = impi_hull_find(context, def, &arrays);
    if (status != IMP_STATUS_OK)
        return status;
    status = impi_mesh_adopt(context, &arrays, NULL, &mesh);
    if (status != IMP_STATUS_OK) {
        impi_mesh_arrays_release(&context->allocator, &arrays);
        return status;
    }
    impi_Corners corners = {0};
    status = check_size(context, mesh);
    if (status == IMP_STATUS_OK)
        status = impi_corners_find(context, mesh, &corners);
    if (status == IMP_STATUS_OK)
        return wrap(context, mesh, &corners, convex);
    imp_mesh_release(mesh);
    return status;
}

imp_Status impi_convex_create_from_mesh(imp_Context *context, imp_Mesh *mesh, imp_Convex **convex)
{
    impi_Corners corners = {0};
    imp_Status status = check_size(context, mesh);
    if (status == IMP_STATUS_OK)
        status = impi_corners_find(context, mesh, &corners);
    if (status == IMP_STATUS_OK)
        status = impi_convex_check(context, mesh, &corners);
    if (status == IMP_STATUS_OK)
        status = wrap(context, imp_mesh_retain(mesh), &corners, convex);
    return status;
}

imp_Convex *imp_convex_retain(imp_Convex *convex)
{
    return (imp_Convex *)impi_shape_retain((impi_Shape *)convex);
}

void imp_convex_release(imp_Convex *convex)
{
    impi_shape_release((impi_Shape *)convex);
}

imp_Mesh *imp_convex_get_mesh(const imp_Convex *convex)
{
    return convex ? convex->mesh : NULL;
}
