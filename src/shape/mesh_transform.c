#include "shape/mesh_transform.h"

#include "geom/pose.h"
#include "geom/predicates.h"
#include "geom/unit_conversion.h"

#include <string.h>

#define VERTICES_PER_LOOK ((size_t)1 << 16) // at the watch

static imp_Status check_def(imp_Context *context, const imp_MeshTransformDef *def,
                            const impi_UnitConversion *conversion, imp_Transform *transform)
{
    imp_Status status = IMPI_CHECK_RESERVED(context, def);
    if (status == IMP_STATUS_OK)
        status = impi_unit_conversion_check(context, conversion);
    if (status == IMP_STATUS_OK && impi_pose_transform(&def->pose, transform) != IMP_STATUS_OK)
        status = impi_fail(context, IMP_STATUS_BAD_NUMBER, IMP_NOWHERE,
                           "the pose is not finite, or its rotation is not of unit length");
    return status;
}

// The watch is asked once for many vertices.
static imp_Status pose_vertices(imp_Context *context, const imp_Transform *transform, imp_Vec3 *vertices,
                                size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (i % VERTICES_PER_LOOK == 0 && !impi_watch_goes_on(&context->watch))
            return impi_watch_status(context);
        vertices[i] = impi_pose_vertex(transform, &vertices[i]);
        if (!impi_vec3_is_finite(&vertices[i]))
            return impi_fail(context, IMP_STATUS_BAD_NUMBER, i,
                             "the pose moves vertex %zu beyond the largest double", i);
    }
    return IMP_STATUS_OK;
}

imp_Status impi_mesh_transform(imp_Context *context, const imp_Mesh *mesh, const imp_MeshTransformDef *def,
                               imp_Mesh **result)
{
    const impi_UnitConversion conversion = {def->multiply_by, def->divide_by};
    imp_Transform transform;
    imp_Status status = check_def(context, def, &conversion, &transform);
    if (status != IMP_STATUS_OK)
        return status;
    impi_MeshArrays arrays;
    const impi_MeshArrays *from = &mesh->arrays;
    status = impi_mesh_arrays_allocate(context, from->vertex_count, from->triangle_count, &arrays);
    if (status != IMP_STATUS_OK)
        return status;
    memcpy(arrays.vertices, from->vertices, from->vertex_count * sizeof *arrays.vertices);
    memcpy(arrays.indices, from->indices, arrays.index_capacity * sizeof *arrays.indices);
    status = impi_convert_vertices(context, &conversion, NULL, arrays.vertices, arrays.vertex_count);
    if (status == IMP_STATUS_OK)
        status = pose_vertices(context, &transform, arrays.vertices, arrays.vertex_count);
    if (status == IMP_STATUS_OK)
        status = impi_mesh_adopt(context, &arrays, NULL, result);
    if (status != IMP_STATUS_OK)
        impi_mesh_arrays_release(&context->allocator, &arrays);
    return status;
}
