/// The inside of imp_Mesh, and how the readers of files make one without a second copy of its arrays.
#ifndef IMPINGE_SHAPE_MESH_H
#define IMPINGE_SHAPE_MESH_H

#include "shape/shape.h"

/// What is known of a mesh's closedness. Found out on first use: it costs a sort of the edges, which would
/// double the time that a reader takes.
typedef enum impi_Closedness {
    IMPI_CLOSEDNESS_UNKNOWN,
    IMPI_CLOSEDNESS_OPEN,
    IMPI_CLOSEDNESS_CLOSED
} impi_Closedness;

/// Vertices and triangles with the sizes they were allocated with.
typedef struct impi_MeshArrays {
    imp_Vec3 *vertices;
    size_t vertex_count, vertex_capacity; // both in vertices
    uint32_t *indices;
    size_t triangle_count, index_capacity; // the capacity in single indices, three per triangle
} impi_MeshArrays;

struct imp_Mesh {
    impi_Shape shape; // bounds are of the vertices that triangles use
    impi_MeshArrays arrays;
    char *remark; // null when there is none
    size_t remark_size;
    // What is found out on first use and kept. Threads that miss it at the same time each find out, and
    // one of the results, which are equal, stays.
    atomic_int closedness;
    _Atomic(struct impi_MeshBlocks *) blocks;
    _Atomic(struct impi_OrientedLanes *) oriented_boxes;
    _Atomic(struct impi_ComponentVertices *) component_vertices;
    _Atomic(struct impi_FaceLinks *) face_links;
    _Atomic(uint8_t *) face_parts;
};

/// Make a mesh of arrays that were allocated with impi_allocate from the context's allocator (as by
/// impi_array_reserve: the capacities are what was allocated). On success the mesh owns them; on failure
/// the caller keeps them. Checked, and refused, like the arrays of imp_mesh_create: readers that can name a
/// line or byte offset check earlier. `remark` may be null; it is copied. Expects the default floating-point
/// mode (base/float_guard.h).
imp_Status impi_mesh_adopt(imp_Context *context, const impi_MeshArrays *arrays, const char *remark,
                           imp_Mesh **mesh);

/// imp_mesh_create without its checks of null arguments, in the default floating-point mode, as adopting.
imp_Status impi_mesh_create(imp_Context *context, const imp_MeshDef *def, imp_Mesh **mesh);

/// When the last reference goes.
void impi_mesh_destroy(imp_Mesh *mesh);

/// Arrays of so many vertices and triangles, with nothing in them, for a mesh to adopt. On failure there is
/// nothing to release.
imp_Status impi_mesh_arrays_allocate(imp_Context *context, size_t vertex_count, size_t triangle_count,
                                     impi_MeshArrays *arrays);

/// For arrays that no mesh has adopted.
void impi_mesh_arrays_release(const imp_Allocator *allocator, const impi_MeshArrays *arrays);

static inline imp_Triangle impi_mesh_triangle(const imp_Mesh *mesh, size_t face)
{
    const uint32_t *corners = mesh->arrays.indices + 3 * face;
    const imp_Vec3 *vertices = mesh->arrays.vertices;
    return (imp_Triangle){{vertices[corners[0]], vertices[corners[1]], vertices[corners[2]]}};
}

#endif
