/// Hashes of bits (FNV-1a), for tests that something comes out the same everywhere.
#ifndef IMPINGE_TESTS_MESH_HASH_H
#define IMPINGE_TESTS_MESH_HASH_H

#include <impinge/mesh.h>

#define HASH_BEGIN 14695981039346656037u

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    return hash;
}

/// Vertices as bytes, then indices as numbers.
static inline uint64_t hash_mesh(const imp_Mesh *mesh)
{
    uint64_t hash = hash_bytes(HASH_BEGIN, imp_mesh_get_vertices(mesh),
                               imp_mesh_get_vertex_count(mesh) * sizeof(imp_Vec3));
    for (size_t i = 0; i < 3 * imp_mesh_get_triangle_count(mesh); ++i)
        hash = (hash ^ imp_mesh_get_indices(mesh)[i]) * 1099511628211u;
    return hash;
}

#endif
