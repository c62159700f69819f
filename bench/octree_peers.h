/// Peers that are asked for each cell of a subdivision whether faces meet it.
#ifndef IMPINGE_BENCH_OCTREE_PEERS_H
#define IMPINGE_BENCH_OCTREE_PEERS_H

#include <impinge/octree.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OctreePeer {
    const char *name;
    /// Takes the mesh over in the peer's own form; not timed.
    void *(*create)(const imp_Mesh *mesh);
    void (*destroy)(void *state);
    /// IMP_OCTREE_OUTER or IMP_OCTREE_FACES: depth-first text as imp_octree_get_df gives it, kept by the
    /// state. `*list_face_count`: how many faces are in lists of voxels, for IMP_OCTREE_FACES.
    size_t (*build)(void *state, const imp_OctreeGrid *grid, imp_OctreeRule rule, const char **text,
                    size_t *list_face_count);
} OctreePeer;

/// A tree of boxes over the faces, built each time; where no face meets a cell, CGAL::Side_of_triangle_mesh
/// is asked for its center. Closed cells alone, exact predicates.
extern const OctreePeer cgal_octree_peer;

#ifdef __cplusplus
}
#endif

#endif
