/// What ranks have found about their pairs, gathered on rank 0 as one report.
#ifndef IMPINGE_CLUSTER_REPORT_GATHERING_H
#define IMPINGE_CLUSTER_REPORT_GATHERING_H

#include "cluster/assigned_world.h"

/// The lists of a report, on rank 0 sorted as by a world that has all bodies. Everything lies in the arena of
/// `gathered`. The status is the same on all ranks.
imp_Status impi_report_gather(impi_Cluster *cluster, const impi_AssignedWorld *assigned,
                              impi_RankReport *gathered);

/// What is known of all meshes, with the remarks of all ranks. Likewise.
imp_Status impi_facts_gather(const impi_RankMeshes *meshes, impi_RankReport *gathered);

#endif
