/// Triangle meshes: immutable, validated, shared by reference counting.
#ifndef IMPINGE_MESH_H
#define IMPINGE_MESH_H

#include <impinge/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A surface of triangles. Immutable after creation, so any number of threads, worlds and contexts may
/// use it at once.
typedef struct imp_Mesh imp_Mesh;

/// Arrays are copied. Set exactly one of `vertices` and `float_vertices`.
typedef struct imp_MeshDef {
    const double *vertices;      ///< x, y, z of each vertex
    const float *float_vertices; ///< the same in single precision
    size_t vertex_count;
    size_t vertex_stride;    ///< bytes from one vertex to the next; 0: 3 numbers, tightly packed
    const uint32_t *indices; ///< three vertices per triangle, counting from 0
    size_t triangle_count;
    uint64_t reserved[4]; ///< zero
} imp_MeshDef;

/// Make a mesh with one reference. Refused, with the index in the error: coordinates that are not finite
/// (IMP_STATUS_BAD_NUMBER, the vertex), indices out of range (IMP_STATUS_BAD_INDEX, the triangle), more
/// than 2^32 - 2 vertices or triangles (IMP_STATUS_TOO_LARGE), no vertex or no triangle
/// (IMP_STATUS_BAD_SHAPE). Degenerate and repeated triangles are kept: face i of the mesh is face i of
/// `indices`.
IMP_CHECKED imp_Status imp_mesh_create(imp_Context *context, const imp_MeshDef *def, imp_Mesh **mesh);

/// Where the vertices of a mesh go: into another unit first (one correctly rounded product or quotient for
/// each coordinate), then to a pose. Zero fields leave them.
typedef struct imp_MeshTransformDef {
    double multiply_by;   ///< positive and finite; 0: no product
    double divide_by;     ///< positive and finite; 0: no quotient. At most one of both is set
    imp_Pose pose;        ///< by the formula of docs/exactness.md, to the bit; all zero is the identity
    uint64_t reserved[4]; ///< zero
} imp_MeshTransformDef;

/// A new mesh with the same faces, without the remark. Refused: factors as by imp_mesh_load_with
/// (IMP_STATUS_BAD_ARGUMENT); a pose as by imp_pose_transform, and, with the index of the vertex, coordinates
/// that become too large (IMP_STATUS_BAD_NUMBER). The context's watch can end it.
IMP_CHECKED imp_Status imp_mesh_transform(imp_Context *context, const imp_Mesh *mesh,
                                          const imp_MeshTransformDef *def, imp_Mesh **result);

/// One more reference; returns `mesh`. Any thread.
IMP_API imp_Mesh *imp_mesh_retain(imp_Mesh *mesh);

/// One reference less; the last one frees it, through the allocator of the context that made it (which
/// must still work; the context itself may be gone). Any thread. Null is fine.
IMP_API void imp_mesh_release(imp_Mesh *mesh);

IMP_API size_t imp_mesh_get_vertex_count(const imp_Mesh *mesh);
IMP_API size_t imp_mesh_get_triangle_count(const imp_Mesh *mesh);
IMP_API const imp_Vec3 *imp_mesh_get_vertices(const imp_Mesh *mesh); ///< owned by the mesh
IMP_API const uint32_t *imp_mesh_get_indices(const imp_Mesh *mesh); ///< three per triangle; owned by the mesh
IMP_API imp_Box imp_mesh_get_bounds(const imp_Mesh *mesh);          ///< of the vertices that triangles use

/// Vertices of a triangle. IMP_STATUS_BAD_INDEX when there is no such triangle.
IMP_CHECKED imp_Status imp_mesh_get_triangle(const imp_Mesh *mesh, size_t face, imp_Triangle *triangle);

/// What the file's reader has to remark ("12 polygons are not convex ..."), one line, or null.
IMP_API const char *imp_mesh_get_remark(const imp_Mesh *mesh);

typedef enum imp_Orientation {
    IMP_ORIENTATION_NONE,    ///< open, or closed around no volume: there is no inside
    IMP_ORIENTATION_OUTWARD, ///< every component turns counter-clockwise seen from outside (cavities inward)
    IMP_ORIENTATION_INWARD,  ///< the whole closed mesh is inside out
    IMP_ORIENTATION_MIXED,   ///< closed, but components disagree
} imp_Orientation;

/// Vertices count as one wherever their coordinates are equal (-0 equals +0), so that a mesh whose
/// triangles each bring their own three vertices can be closed.
typedef struct imp_MeshInfo {
    size_t vertex_count, triangle_count;
    size_t distinct_vertex_count;     ///< coordinates that differ, among vertices that triangles use
    size_t unused_vertex_count;       ///< vertices that no triangle uses
    size_t edge_count;                ///< distinct undirected edges of non-zero length
    size_t boundary_edge_count;       ///< edges used by one triangle
    size_t non_manifold_edge_count;   ///< edges used by more than two triangles
    size_t component_count;           ///< sets of triangles connected through vertices
    size_t degenerate_triangle_count; ///< exactly collinear or coinciding vertices
    size_t duplicate_triangle_count;  ///< triangles whose three corners another, earlier triangle has too
    bool closed;                      ///< every edge is used equally often in both directions
    imp_Orientation orientation;
    imp_Box bounds;
    double area;
    double volume; ///< enclosed, positive when oriented outward; 0 for open meshes
} imp_MeshInfo;

/// Costs a sort of the edges; the result is not kept. Counts and orientation are exact. The area is right to
/// 1e-12 of it, the volume to 1e-10, mostly to the last digit, for all finite coordinates; where the true one
/// is beyond the largest double it is infinite, and below the least it is 0.
IMP_CHECKED imp_Status imp_mesh_analyse(imp_Context *context, const imp_Mesh *mesh, imp_MeshInfo *info);

/// Closedness alone. The first call for a mesh sorts its edges, in whatever context; later ones, in any
/// context and thread, only look up what it found.
IMP_CHECKED imp_Status imp_mesh_is_closed(imp_Context *context, const imp_Mesh *mesh, bool *closed);

#define IMP_NO_FACE UINT32_MAX

/// For each triangle the neighbours over its edges 0-1, 1-2 and 2-0 (vertices equal by coordinates):
/// neighbours[3 * face + edge] is IMP_NO_FACE where the edge is a boundary or not manifold.
/// `neighbours` holds 3 * triangle_count numbers.
IMP_CHECKED imp_Status imp_mesh_adjacency(imp_Context *context, const imp_Mesh *mesh, uint32_t *neighbours);

typedef enum imp_PointLocation {
    IMP_LOCATION_OUTSIDE,
    IMP_LOCATION_INSIDE, ///< the surface winds around it; in a cavity (a component turned inward) it does not
    IMP_LOCATION_ON_SURFACE,
} imp_PointLocation;

/// Where points lie, exactly. IMP_STATUS_BAD_SHAPE when the mesh is open (it has no inside),
/// IMP_STATUS_BAD_NUMBER with the index when a point is not finite.
IMP_CHECKED imp_Status imp_mesh_locate_points(imp_Context *context, const imp_Mesh *mesh,
                                              const imp_Vec3 *points, size_t count,
                                              imp_PointLocation *locations);

typedef struct imp_InteriorPoint {
    imp_Vec3 position;
    double depth; ///< proven: no point of the surface is nearer
} imp_InteriorPoint;

/// A point well inside of a closed mesh and of each of its components, in the order of their first triangles;
/// not the deepest one. Components that have no inside of their own, as cavities and what is flat, have none,
/// nor have those for which it is not easily found. The context's watch can end it. `*count` is the true
/// total; if it exceeds `capacity`, nothing is written and the status is IMP_STATUS_BUFFER_SHORT.
/// IMP_STATUS_BAD_SHAPE when the mesh is open.
IMP_CHECKED imp_Status imp_mesh_interior_points(imp_Context *context, const imp_Mesh *mesh,
                                                imp_InteriorPoint *points, size_t capacity, size_t *count);

typedef struct imp_FacePair {
    uint32_t face_a, face_b;
} imp_FacePair;

/// The pairs of faces of one mesh, face_a < face_b, sorted, that share more than their common vertices
/// and edges: duplicates, overlaps and pierced faces. `*count` is the true total. If it exceeds `capacity`,
/// no pair is written and the status is IMP_STATUS_BUFFER_SHORT; with a capacity of 0 and null `pairs`, pairs
/// are only counted, which needs no memory for them, and the status is IMP_STATUS_OK.
IMP_CHECKED imp_Status imp_mesh_self_pairs(imp_Context *context, const imp_Mesh *mesh, imp_FacePair *pairs,
                                           size_t capacity, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
