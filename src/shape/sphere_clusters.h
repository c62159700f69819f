/// Pieces of a body divided among balls, each of which holds its pieces and sticks out little.
#ifndef IMPINGE_SHAPE_SPHERE_CLUSTERS_H
#define IMPINGE_SHAPE_SPHERE_CLUSTERS_H

#include "shape/ball_fit.h"

/// In the scratch arena of the context.
typedef struct impi_SphereClusters {
    const impi_SpherePieces *pieces;
    const impi_DistanceGrid *grid;
    size_t count, capacity;
    impi_Ball *balls;
    uint32_t *owner;        // the cluster of each piece
    uint32_t *list, *first; // pieces of cluster i: list[first[i]] up to list[first[i + 1]]
    uint32_t *stamp;        // of each point: whether it is among those that are collected
    uint32_t stamped;
    impi_BallPoints points; // those of a cluster, or of two
    uint8_t *side;          // of the pieces of a cluster that is being split
} impi_SphereClusters;

/// Room for so many clusters.
imp_Status impi_sphere_clusters_make(imp_Context *context, const impi_SpherePieces *pieces,
                                     const impi_DistanceGrid *grid, size_t capacity,
                                     impi_SphereClusters *clusters);

/// Divide all pieces among `count` balls, or fewer where there are fewer pieces.
/// IMP_STATUS_OUT_OF_MEMORY, what a watch says, or OK.
imp_Status impi_sphere_clusters_divide(imp_Context *context, impi_SphereClusters *clusters, size_t count);

/// The different points of pieces, padded, in clusters->points.
void impi_sphere_clusters_begin(impi_SphereClusters *clusters);
void impi_sphere_clusters_add(impi_SphereClusters *clusters, const uint32_t *pieces, size_t count);
void impi_sphere_clusters_pad(impi_SphereClusters *clusters);

#endif
