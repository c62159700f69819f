/// Pieces of a body divided among balls, each of which holds its pieces and sticks out little, for one level
/// of a tree of spheres.
#ifndef IMPINGE_SHAPE_SPHERE_CLUSTERS_H
#define IMPINGE_SHAPE_SPHERE_CLUSTERS_H

#include "shape/ball_fit.h"

#define IMPI_NO_NODE  UINT32_MAX
#define IMPI_NO_PIECE UINT32_MAX

/// Of a cluster without pieces: it holds nothing.
#define IMPI_EMPTY_BALL ((impi_Ball){.radius = -1})

/// A ball of the levels above. The root, number 0, holds everything.
typedef struct impi_BallNode {
    impi_Ball ball;
    uint32_t parent; // IMPI_NO_NODE: the root
    bool is_proven;  // sticks out no more than a limit, as was measured
} impi_BallNode;

/// What is divided, and below which balls.
typedef struct impi_ClusterProblem {
    const impi_SpherePieces *pieces;
    const impi_BallSearch *search, *rough_search; // the second one for what is only compared
    const impi_BallSearch *sampled_search;        // for the worst balls of the last level; null: none
    const impi_BallNode *nodes;
    uint32_t first_parent, parent_count; // among the nodes
    size_t branch;                       // clusters of a parent, at most
    const uint32_t *ids;                 // the pieces to divide, each of which a parent has
    size_t id_count;
    bool is_last; // the sum counts most; at levels above, that balls are alike
    // Balls that stick out no more than this are not split. Where it is not 0, balls are to be few, and as
    // many as there have to be.
    float excess_limit;
} impi_ClusterProblem;

/// What one problem after the other marks: for each piece of the body, and for each point. The owner of a
/// piece is at first its parent, counted from the first, and then its cluster.
typedef struct impi_ClusterMarks {
    uint32_t *owner, *next;
    uint32_t *stamp; // zero at first
    uint32_t stamped;
} impi_ClusterMarks;

/// A ball and what belongs to it. In the scratch arena of the context.
typedef struct impi_SphereClusters {
    impi_ClusterProblem problem;
    size_t count, capacity;
    impi_Ball *balls;
    uint32_t *parent;       // of each cluster, counted from the first parent
    uint32_t *child_count;  // of each parent
    uint32_t *owner;        // the cluster of each piece of the whole body
    uint32_t *list, *first; // pieces of cluster i: list[first[i]] up to list[first[i + 1]]
    uint32_t *head, *next;  // the same as chains, while pieces go from one to another
    float *reach;           // for each piece of a cluster
    uint8_t *side;          // for each piece of a cluster that is being split
    uint32_t *stamp;        // of each point: whether it is among those that are collected
    uint32_t stamped;
    impi_BallPoints points; // those of a cluster, or of two
    uint32_t *order;        // of clusters
} impi_SphereClusters;

/// Room for the clusters of a problem.
imp_Status impi_sphere_clusters_make(imp_Context *context, const impi_ClusterProblem *problem,
                                     const impi_ClusterMarks *marks, impi_SphereClusters *clusters);

static inline size_t impi_cluster_size(const impi_SphereClusters *clusters, size_t cluster)
{
    return clusters->first[cluster + 1] - clusters->first[cluster];
}

static inline const uint32_t *impi_cluster_list(const impi_SphereClusters *clusters, size_t cluster)
{
    return clusters->list + clusters->first[cluster];
}

/// Of the excesses of all clusters.
float impi_clusters_mean_excess(const impi_SphereClusters *clusters);

/// How far the corners of a piece are from a center, at most.
float impi_piece_reach(const impi_SpherePieces *pieces, uint32_t piece, const float center[3]);

/// Do all balls from a parent up to the root hold the piece?
bool impi_parent_holds(const impi_SphereClusters *clusters, uint32_t parent, uint32_t piece);

/// The different points of pieces, in clusters->points: begin, add, and pad (impi_ball_points_pad).
void impi_collect_begin(impi_SphereClusters *clusters);
void impi_collect_piece(impi_SphereClusters *clusters, uint32_t piece);
/// All of a cluster, padded.
void impi_collect_cluster(impi_SphereClusters *clusters, size_t cluster);

/// Lists of pieces from their owners.
void impi_list_pieces(impi_SphereClusters *clusters);

/// Two balls instead of one: which piece belongs to which is left in clusters->side, in the order of the
/// cluster's list. False where it can't be split.
bool impi_cluster_split(impi_SphereClusters *clusters, size_t cluster, impi_Ball halves[2]);

/// Give the second half to a cluster that is empty or new, and list all pieces anew.
void impi_cluster_split_off(impi_SphereClusters *clusters, size_t cluster, size_t other,
                            const impi_Ball halves[2]);

/// Merge and split where that makes a level better.
/// IMP_STATUS_OUT_OF_MEMORY, what a watch says, or OK.
imp_Status impi_clusters_relocate(imp_Context *context, impi_SphereClusters *clusters);

/// Merge pairs whose ball sticks out no more than the problem's limit. The same statuses.
imp_Status impi_clusters_merge(imp_Context *context, impi_SphereClusters *clusters);

/// How often dividing goes over all clusters, about.
#define IMPI_CLUSTER_ROUNDS 8

/// Divide: each parent has at least one cluster in the end. The context's watch hears of a step for each
/// cluster in each of the rounds. What a watch says, or OK.
imp_Status impi_clusters_divide(imp_Context *context, impi_SphereClusters *clusters);

#endif
