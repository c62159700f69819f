/// Questions about two meshes without a world.
#ifndef IMPINGE_QUERY_H
#define IMPINGE_QUERY_H

#include <impinge/distance.h>
#include <impinge/mesh.h>
#include <impinge/relation.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Working memory for queries, and their last error. Each thread that asks needs one of its own; the meshes
/// may be shared by all of them. It keeps references to the meshes asked about last, so that asking about
/// them again costs no set-up.
typedef struct imp_Query imp_Query;

/// `allocator` may be null, which means the C library's heap. IMP_STATUS_BAD_ARGUMENT when `query` is null or
/// only one function of the allocator is given, or IMP_STATUS_OUT_OF_MEMORY; there is no error that tells
/// more.
IMP_CHECKED imp_Status imp_query_create(const imp_Allocator *allocator, imp_Query **query);

/// Null is fine.
IMP_API void imp_query_destroy(imp_Query *query);

/// As imp_context_get_error.
IMP_API const imp_Error *imp_query_get_error(const imp_Query *query);

/// Two meshes and where they are. Meshes are surfaces: one inside the other does not touch it, which
/// imp_meshes_relations tells apart from being free of it.
typedef struct imp_MeshPair {
    imp_Mesh *a, *b;
    imp_Pose pose_a; ///< all zero is the identity
    const imp_Pose *poses_b;
    size_t pose_count; ///< of b; each is a question of its own
} imp_MeshPair;

/// touch[i] tells whether a and b touch with b at poses_b[i]. A pose that is refused (IMP_STATUS_BAD_NUMBER)
/// is named by the error's index; then nothing is written.
IMP_CHECKED imp_Status imp_meshes_touch(imp_Query *query, const imp_MeshPair *meshes, bool *touch);

/// relations[i] tells what a and b have to do with each other with b at poses_b[i]: imp_Relation bits, as a
/// world of both reports them, or 0. Nothing is inside of a mesh that is open. This is what planners ask: an
/// obstacle wholly inside a link touches nothing. Refused like imp_meshes_touch.
IMP_CHECKED imp_Status imp_meshes_relations(imp_Query *query, const imp_MeshPair *meshes,
                                            uint32_t *relations);

/// All touching face pairs, sorted, pose after pose: those of pose i are pairs[ends[i-1] .. ends[i]-1], with
/// ends[-1] being 0. `*count` is the true total. If it exceeds `capacity`, nothing is written but the count,
/// and the status is IMP_STATUS_BUFFER_SHORT. `ends` holds pose_count numbers; null is fine.
IMP_CHECKED imp_Status imp_meshes_face_pairs(imp_Query *query, const imp_MeshPair *meshes,
                                             imp_FacePair *pairs, size_t capacity, size_t *ends,
                                             size_t *count);

/// results[i] tells how far apart a and b are with b at poses_b[i]. `def` may be null, which means all
/// defaults. See imp_world_distance. Where it fails nothing is written.
IMP_CHECKED imp_Status imp_meshes_distance(imp_Query *query, const imp_MeshPair *meshes,
                                           const imp_DistanceDef *def, imp_Distance *results);

#ifdef __cplusplus
}
#endif

#endif
