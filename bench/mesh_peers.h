/// Peers that are given triangles where they stand, build what they need once, and are then asked for all
/// pairs that touch.
#ifndef IMPINGE_BENCH_MESH_PEERS_H
#define IMPINGE_BENCH_MESH_PEERS_H

#include <impinge/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct MeshPeer {
    const char *name;
    void *(*create)(const imp_Triangle *a, size_t a_count, const imp_Triangle *b, size_t b_count);
    void (*destroy)(void *state);
    /// Returns how many pairs; `pairs` gets at most `capacity`, unsorted and perhaps repeated.
    size_t (*collide)(void *state, imp_FacePair *pairs, size_t capacity);
} MeshPeer;

extern const MeshPeer
    cgal_mesh_peer; ///< a tree of boxes over b, asked for each triangle of a; exact predicates
extern const MeshPeer embree_mesh_peer; ///< rtcCollide of two scenes, then imp_triangles_touch
extern const MeshPeer ode_mesh_peer;    ///< its trimesh collider; at most 65,535 contacts

#ifdef __cplusplus
}
#endif

#endif
