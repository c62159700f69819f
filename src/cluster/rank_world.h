/// A world whose bodies are spread over many ranks: which of them touch, with which faces.
#ifndef IMPINGE_CLUSTER_RANK_WORLD_H
#define IMPINGE_CLUSTER_RANK_WORLD_H

#include "base/arena.h"
#include "cluster/exchange.h"

#include <impinge/io.h>
#include <impinge/ranks.h>
#include <impinge/world.h>

/// A mesh of a file, and where it is.
typedef struct impi_RankBody {
    const char *path; // bodies of the same path share their mesh
    const char *name; // what is wrong with the place of a body begins with it
    imp_Pose pose;
} impi_RankBody;

typedef struct impi_RankWorldDef {
    const impi_RankBody *bodies; // all of them, the same on all ranks
    size_t body_count;
    imp_DetectMode mode;  // the same on all ranks: faces or bodies
    imp_RankStats *stats; // of this rank; null: nobody wants them
} impi_RankWorldDef;

/// What is known of a mesh where it is not.
typedef struct impi_MeshFacts {
    size_t vertex_count, triangle_count;
    imp_Box bounds;
    const char *remark; // see imp_mesh_get_remark
} impi_MeshFacts;

/// Everything but `received_mesh_count` is on rank 0 only, and empty elsewhere.
typedef struct impi_RankReport {
    imp_Report report; // the lists of bodies, faces and open containers; slots are those of a world to
                       // which all bodies were added, in their order
    const impi_MeshFacts *meshes; // in the order of the first bodies that have them
    size_t mesh_count;
    const uint32_t *mesh_of_body; // by body
    size_t received_mesh_count;   // meshes that other ranks have read and this one needed
    impi_Arena arena;             // all that is above
} impi_RankReport;

/// What a world of all bodies would report. All ranks call this together. Each mesh is read by one rank, and
/// travels to others where they need it, once. The status is the same on all ranks, as is the error in their
/// contexts: that of the first file that can't be read; otherwise that of the first body that a world
/// refuses, with its number as the index.
imp_Status impi_rank_world_detect(const impi_Exchange *exchange, imp_Context *context,
                                  const impi_RankWorldDef *def, impi_RankReport *report);

/// Only what impi_rank_world_detect has filled, in the context that it got.
void impi_rank_report_free(impi_RankReport *report);

#endif
