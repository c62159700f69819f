#include "shape/mesh.h"

#include "geom/predicates.h"
#include "shape/bounds.h"
#include "shape/mesh_derived.h"

#include <string.h>

// Faces and vertices are named by 32-bit numbers, one of which (IMP_NO_FACE) names none.
#define MAX_ITEMS ((size_t)UINT32_MAX - 1)

static imp_Status check_counts(imp_Context *context, size_t vertex_count, size_t triangle_count)
{
    if (vertex_count == 0)
        return impi_fail(context, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE, "the mesh has no vertices");
    if (triangle_count == 0)
        return impi_fail(context, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE, "the mesh has no triangles");
    if (vertex_count > MAX_ITEMS)
        return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE, "%zu vertices are more than %zu",
                         vertex_count, MAX_ITEMS);
    if (triangle_count > MAX_ITEMS)
        return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE, "%zu triangles are more than %zu",
                         triangle_count, MAX_ITEMS);
    return IMP_STATUS_OK;
}

// One pass that vectorises tells whether anything is wrong; only then is it worth finding out what.
static imp_Status check_vertices(imp_Context *context, const impi_MeshArrays *arrays)
{
    double largest = impi_largest_coordinate(&arrays->vertices->x, 3 * arrays->vertex_count);
    if (largest == largest)
        return IMP_STATUS_OK;
    for (size_t i = 0; i < arrays->vertex_count; ++i)
        if (!impi_vec3_is_finite(&arrays->vertices[i]))
            return impi_fail(context, IMP_STATUS_BAD_NUMBER, i, "vertex %zu is not finite", i);
    return IMP_STATUS_OK;
}

static imp_Status check_indices(imp_Context *context, const impi_MeshArrays *arrays)
{
    uint32_t largest = 0;
    for (size_t i = 0; i < 3 * arrays->triangle_count; ++i)
        largest = arrays->indices[i] > largest ? arrays->indices[i] : largest;
    if (largest < arrays->vertex_count)
        return IMP_STATUS_OK;
    for (size_t i = 0; i < 3 * arrays->triangle_count; ++i)
        if (arrays->indices[i] >= arrays->vertex_count)
            return impi_fail(context, IMP_STATUS_BAD_INDEX, i / 3,
                             "triangle %zu uses vertex %lu, but there are only %zu", i / 3,
                             (unsigned long)arrays->indices[i], arrays->vertex_count);
    return IMP_STATUS_OK;
}

static imp_Box bounds_of_used_vertices(const impi_MeshArrays *arrays)
{
    imp_Vec3 first = arrays->vertices[arrays->indices[0]];
    imp_Box box = {first, first};
    for (size_t i = 1; i < 3 * arrays->triangle_count; ++i)
        impi_box_add(&box, &arrays->vertices[arrays->indices[i]]);
    return box;
}

imp_Status impi_mesh_adopt(imp_Context *context, const impi_MeshArrays *arrays, const char *remark,
                           imp_Mesh **mesh)
{
    imp_Status status = check_counts(context, arrays->vertex_count, arrays->triangle_count);
    if (status == IMP_STATUS_OK)
        status = check_vertices(context, arrays);
    if (status == IMP_STATUS_OK)
        status = check_indices(context, arrays);
    if (status != IMP_STATUS_OK)
        return status;

    imp_Mesh *made = impi_allocate(&context->allocator, sizeof *made);
    if (!made)
        return impi_fail_out_of_memory(context);
    imp_Box bounds = bounds_of_used_vertices(arrays);
    *made = (imp_Mesh){.arrays = *arrays, .remark_size = remark ? strlen(remark) + 1 : 0};
    impi_shape_init(&made->shape, IMPI_SHAPE_MESH, context, &bounds);
    if (remark) {
        made->remark = impi_allocate(&context->allocator, made->remark_size);
        if (!made->remark) {
            impi_release(&context->allocator, made, sizeof *made);
            return impi_fail_out_of_memory(context);
        }
        memcpy(made->remark, remark, made->remark_size);
    }
    atomic_init(&made->closedness, IMPI_CLOSEDNESS_UNKNOWN);
    atomic_init(&made->blocks, NULL);
    atomic_init(&made->oriented_boxes, NULL);
    atomic_init(&made->component_vertices, NULL);
    atomic_init(&made->face_links, NULL);
    atomic_init(&made->face_parts, NULL);
    *mesh = made;
    return IMP_STATUS_OK;
}

static imp_Status check_def(imp_Context *context, const imp_MeshDef *def)
{
    imp_Status status = check_counts(context, def->vertex_count, def->triangle_count);
    if (status != IMP_STATUS_OK)
        return status;
    if (!def->indices)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "the mesh's indices are null");
    if (!def->vertices == !def->float_vertices)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "exactly one of vertices and float_vertices must be set");
    size_t vertex_size = 3 * (def->vertices ? sizeof(double) : sizeof(float));
    if (def->vertex_stride != 0 && def->vertex_stride < vertex_size)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "a vertex stride of %zu bytes is less than the %zu of a vertex", def->vertex_stride,
                         vertex_size);
    return IMPI_CHECK_RESERVED(context, def);
}

// Strides need not keep numbers aligned, hence the copies.
static void copy_vertices(const imp_MeshDef *def, imp_Vec3 *vertices)
{
    if (def->vertices) {
        size_t stride = def->vertex_stride ? def->vertex_stride : 3 * sizeof(double);
        for (size_t i = 0; i < def->vertex_count; ++i) {
            double xyz[3];
            memcpy(xyz, (const char *)def->vertices + i * stride, sizeof xyz);
            vertices[i] = (imp_Vec3){xyz[0], xyz[1], xyz[2]};
        }
    } else {
        size_t stride = def->vertex_stride ? def->vertex_stride : 3 * sizeof(float);
        for (size_t i = 0; i < def->vertex_count; ++i) {
            float xyz[3];
            memcpy(xyz, (const char *)def->float_vertices + i * stride, sizeof xyz);
            vertices[i] = (imp_Vec3){xyz[0], xyz[1], xyz[2]};
        }
    }
}

imp_Status impi_mesh_create(imp_Context *context, const imp_MeshDef *def, imp_Mesh **mesh)
{
    imp_Status status = check_def(context, def);
    if (status != IMP_STATUS_OK)
        return status;
    impi_MeshArrays arrays;
    status = impi_mesh_arrays_allocate(context, def->vertex_count, def->triangle_count, &arrays);
    if (status != IMP_STATUS_OK)
        return status;
    copy_vertices(def, arrays.vertices);
    memcpy(arrays.indices, def->indices, arrays.index_capacity * sizeof *arrays.indices);
    status = impi_mesh_adopt(context, &arrays, NULL, mesh);
    if (status != IMP_STATUS_OK)
        impi_mesh_arrays_release(&context->allocator, &arrays);
    return status;
}

imp_Status impi_mesh_arrays_allocate(imp_Context *context, size_t vertex_count, size_t triangle_count,
                                     impi_MeshArrays *arrays)
{
    const imp_Allocator *allocator = &context->allocator;
    impi_MeshArrays made = {.vertex_count = vertex_count,
                            .vertex_capacity = vertex_count,
                            .triangle_count = triangle_count,
                            .index_capacity = 3 * triangle_count};
    made.vertices = impi_allocate_array(allocator, made.vertex_capacity, sizeof *made.vertices);
    made.indices = impi_allocate_array(allocator, made.index_capacity, sizeof *made.indices);
    if (!made.vertices || !made.indices) {
        impi_mesh_arrays_release(allocator, &made);
        impi_fail_out_of_memory(context);
        return IMP_STATUS_OUT_OF_MEMORY;
    }
    *arrays = made;
    return IMP_STATUS_OK;
}

void impi_mesh_arrays_release(const imp_Allocator *allocator, const impi_MeshArrays *arrays)
{
    impi_release(allocator, arrays->vertices, arrays->vertex_capacity * sizeof *arrays->vertices);
    impi_release(allocator, arrays->indices, arrays->index_capacity * sizeof *arrays->indices);
}

imp_Mesh *imp_mesh_retain(imp_Mesh *mesh)
{
    return (imp_Mesh *)impi_shape_retain((impi_Shape *)mesh);
}

void imp_mesh_release(imp_Mesh *mesh)
{
    impi_shape_release((impi_Shape *)mesh);
}

void impi_mesh_destroy(imp_Mesh *mesh)
{
    imp_Allocator allocator = mesh->shape.allocator;
    impi_mesh_arrays_release(&allocator, &mesh->arrays);
    impi_release(&allocator, mesh->remark, mesh->remark_size);
    impi_mesh_free_derived(mesh);
    impi_release(&allocator, mesh, sizeof *mesh);
}

size_t imp_mesh_get_vertex_count(const imp_Mesh *mesh)
{
    return mesh ? mesh->arrays.vertex_count : 0;
}

size_t imp_mesh_get_triangle_count(const imp_Mesh *mesh)
{
    return mesh ? mesh->arrays.triangle_count : 0;
}

const imp_Vec3 *imp_mesh_get_vertices(const imp_Mesh *mesh)
{
    return mesh ? mesh->arrays.vertices : NULL;
}

const uint32_t *imp_mesh_get_indices(const imp_Mesh *mesh)
{
    return mesh ? mesh->arrays.indices : NULL;
}

imp_Box imp_mesh_get_bounds(const imp_Mesh *mesh)
{
    return mesh ? mesh->shape.bounds : (imp_Box){0};
}

const char *imp_mesh_get_remark(const imp_Mesh *mesh)
{
    return mesh ? mesh->remark : NULL;
}

imp_Status imp_mesh_get_triangle(const imp_Mesh *mesh, size_t face, imp_Triangle *triangle)
{
    if (!mesh || !triangle)
        return IMP_STATUS_BAD_ARGUMENT;
    if (face >= mesh->arrays.triangle_count)
        return IMP_STATUS_BAD_INDEX;
    *triangle = impi_mesh_triangle(mesh, face);
    return IMP_STATUS_OK;
}
