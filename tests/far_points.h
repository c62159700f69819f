/// How far points are from the faces of a mesh, and whether it winds around them: plainly, face by face, in
/// extended precision. For meshes about as large as 1.
#ifndef IMPINGE_TESTS_FAR_POINTS_H
#define IMPINGE_TESTS_FAR_POINTS_H

#include <impinge/mesh.h>

#include <math.h>

typedef struct LongVector {
    long double x, y, z;
} LongVector;

static inline LongVector long_way(imp_Vec3 from, imp_Vec3 to)
{
    return (LongVector){(long double)to.x - from.x, (long double)to.y - from.y, (long double)to.z - from.z};
}

static inline long double long_dot(LongVector a, LongVector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline LongVector long_cross(LongVector a, LongVector b)
{
    return (LongVector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline long double long_length(LongVector v)
{
    return sqrtl(long_dot(v, v));
}

static inline long double far_from_edge(imp_Vec3 point, imp_Vec3 a, imp_Vec3 b)
{
    LongVector edge = long_way(a, b), way = long_way(a, point);
    long double square = long_dot(edge, edge), t = square > 0 ? long_dot(edge, way) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return long_length((LongVector){way.x - t * edge.x, way.y - t * edge.y, way.z - t * edge.z});
}

static inline long double far_from_face(imp_Vec3 point, const imp_Triangle *face)
{
    const imp_Vec3 *v = face->v;
    long double least = fminl(fminl(far_from_edge(point, v[0], v[1]), far_from_edge(point, v[1], v[2])),
                              far_from_edge(point, v[2], v[0]));
    LongVector normal = long_cross(long_way(v[0], v[1]), long_way(v[0], v[2]));
    for (int i = 0; i < 3; ++i) {
        LongVector inward = long_cross(normal, long_way(v[i], v[(i + 1) % 3]));
        if (!(long_dot(inward, long_way(v[i], point)) > 0))
            return least;
    }
    return fminl(least, fabsl(long_dot(normal, long_way(v[0], point))) / long_length(normal));
}

static inline imp_Triangle face_of(const imp_Mesh *mesh, size_t face)
{
    const uint32_t *corners = imp_mesh_get_indices(mesh) + 3 * face;
    const imp_Vec3 *vertices = imp_mesh_get_vertices(mesh);
    return (imp_Triangle){{vertices[corners[0]], vertices[corners[1]], vertices[corners[2]]}};
}

static inline double far_from_mesh(imp_Vec3 point, const imp_Mesh *mesh)
{
    long double least = INFINITY;
    for (size_t i = 0; i < imp_mesh_get_triangle_count(mesh); ++i) {
        imp_Triangle face = face_of(mesh, i);
        least = fminl(least, far_from_face(point, &face));
    }
    return (double)least;
}

/// By the sum of the solid angles at which the faces are seen (Van Oosterom and Strackee 1983).
static inline bool mesh_winds_around(imp_Vec3 point, const imp_Mesh *mesh)
{
    long double half_angles = 0;
    for (size_t i = 0; i < imp_mesh_get_triangle_count(mesh); ++i) {
        imp_Triangle face = face_of(mesh, i);
        LongVector a = long_way(point, face.v[0]), b = long_way(point, face.v[1]),
                   c = long_way(point, face.v[2]);
        long double la = long_length(a), lb = long_length(b), lc = long_length(c);
        half_angles += atan2l(long_dot(a, long_cross(b, c)),
                              la * lb * lc + long_dot(a, b) * lc + long_dot(b, c) * la + long_dot(c, a) * lb);
    }
    return fabsl(half_angles) > 3; // a whole turn is 2 pi
}

#endif
