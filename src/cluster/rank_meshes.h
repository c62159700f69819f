/// The meshes of bodies that are spread over ranks: each is read by one rank, its holder, and travels to
/// others where they need it.
#ifndef IMPINGE_CLUSTER_RANK_MESHES_H
#define IMPINGE_CLUSTER_RANK_MESHES_H

#include "cluster/cluster.h"
#include "cluster/rank_world.h"

typedef struct impi_RankMeshes {
    impi_Cluster *cluster;
    impi_Arena *arena; // of what stays
    const impi_RankBody *bodies;
    size_t body_count;
    uint32_t *of_body;    // the mesh of each body
    uint32_t *first_body; // the first body of each mesh, in whose order they are numbered
    size_t count;
    imp_Mesh **meshes;     // null where this rank does not have it
    impi_MeshFacts *facts; // of all; remarks of those that this rank has read
} impi_RankMeshes;

/// Which rank reads a mesh.
static inline uint32_t impi_mesh_holder(const impi_RankMeshes *meshes, uint32_t mesh)
{
    return mesh % meshes->cluster->exchange->rank_count;
}

/// Number the meshes, read those that this rank holds, and learn about all others. Calls public functions:
/// what is in scratch memory is lost. Release them in any case. The status is the same on all ranks.
imp_Status impi_rank_meshes_load(impi_Cluster *cluster, impi_Arena *arena, const impi_RankBody *bodies,
                                 size_t body_count, impi_RankMeshes *meshes);
void impi_rank_meshes_release(impi_RankMeshes *meshes);

/// Get those meshes that are needed and not here. Calls public functions. The status is the same on all
/// ranks.
imp_Status impi_rank_meshes_fetch(impi_RankMeshes *meshes, const bool *is_needed, size_t *received_count);

/// Room that stays as long as the meshes; when there is none, null, and that is kept as a failure.
static inline void *impi_rank_meshes_allocate(impi_RankMeshes *meshes, size_t count, size_t size)
{
    return impi_cluster_allocate_in(meshes->cluster, meshes->arena, count, size);
}

#endif
