// The default builder, our own: level by level, pieces of the surface are divided among balls that stick out
// little (sphere_clusters.c), where each piece lies in all balls of a chain up to the root. So coverage holds
// by construction: radii are computed last, from all corners that a ball has to hold, with room for rounding.
#include "shape/mesh_topology.h"
#include "shape/sphere_clusters.h"
#include "shape/sphere_draft.h"

#include <string.h>
#include <stdio.h>
#include <stdlib.h>

// Pieces for each sphere of the last level. Fewer leave rough edges between clusters, which make balls larger;
// more cost time.
#define PIECES_OF_SPHERE 80

// Clusters that are divided at the same time: the more, the freer are pieces to move, but cost grows with the
// square.
#define MOST_CLUSTERS 1024

// Levels of so many balls have large balls, whose excess is sampled.
#define MOST_SAMPLED 128

// Added to radii, in the local frame: more than what rounding takes from a proof of coverage.
#define RADIUS_SLACK 0x1p-44

typedef struct Fit {
    imp_Context *context;
    const imp_SphereTreeDef *def;
    impi_LocalFrame frame;
    impi_SpherePieces pieces;
    impi_DistanceGrid grid;
    impi_BallSearch bound_search, sampled_search;
    impi_ClusterMarks marks;
    uint32_t *node_of; // of each piece: the last level's
    uint32_t *ids;     // pieces by node
    impi_SphereNode *nodes;
    size_t node_count, node_capacity;
    size_t level_first[IMP_MAX_SPHERE_DEPTH + 2];
} Fit;

// ---- levels

// Pieces in the order of the nodes that have them, those of node first + i at ids[begin[i]].
static void sort_pieces(Fit *fit, size_t first, size_t count, uint32_t *begin)
{
    memset(begin, 0, (count + 1) * sizeof *begin);
    for (size_t i = 0; i < fit->pieces.count; ++i)
        ++begin[fit->node_of[i] - first + 1];
    for (size_t i = 0; i < count; ++i)
        begin[i + 1] += begin[i];
    for (size_t i = 0; i < fit->pieces.count; ++i)
        fit->ids[begin[fit->node_of[i] - first]++] = (uint32_t)i;
    memmove(begin + 1, begin, count * sizeof *begin);
    begin[0] = 0;
}

// Clusters become nodes, in the order of their parents. Empty ones are left out.
static void add_nodes(Fit *fit, const impi_SphereClusters *clusters)
{
    const impi_ClusterProblem *problem = &clusters->problem;
    for (uint32_t parent = 0; parent < problem->parent_count; ++parent)
        for (size_t i = 0; i < clusters->count; ++i) {
            if (clusters->parent[i] != parent || impi_cluster_size(clusters, i) == 0)
                continue;
            const uint32_t *list = impi_cluster_list(clusters, i);
            size_t size = impi_cluster_size(clusters, i);
            for (size_t k = 0; k < size; ++k)
                fit->node_of[list[k]] = (uint32_t)fit->node_count;
            fit->nodes[fit->node_count++] = (impi_SphereNode){clusters->balls[i], problem->first_parent + parent};
        }
}

static imp_Status divide_batch(Fit *fit, const impi_ClusterProblem *problem)
{
    impi_SphereClusters clusters;
    impi_ArenaMark mark = impi_arena_mark(&fit->context->scratch);
    for (size_t i = 0; i < problem->id_count; ++i)
        fit->marks.owner[problem->ids[i]] = fit->node_of[problem->ids[i]] - problem->first_parent;
    imp_Status status = impi_sphere_clusters_make(fit->context, problem, &fit->marks, &clusters);
    if (status == IMP_STATUS_OK)
        status = impi_clusters_divide(fit->context, &clusters);
    if (status == IMP_STATUS_OK) {
        add_nodes(fit, &clusters);
        fit->marks.stamped = clusters.stamped;
    }
    impi_arena_rewind(&fit->context->scratch, mark);
    return status;
}

static imp_Status divide_level(Fit *fit, uint32_t level, size_t branch)
{
    size_t first = fit->level_first[level - 1], count = fit->level_first[level] - first;
    size_t batch = MOST_CLUSTERS / branch > 0 ? MOST_CLUSTERS / branch : 1;
    impi_ArenaMark mark = impi_arena_mark(&fit->context->scratch);
    uint32_t *begin = impi_arena_allocate_array(&fit->context->scratch, count + 1, sizeof *begin);
    if (!begin)
        return impi_fail_out_of_memory(fit->context);
    sort_pieces(fit, first, count, begin);
    imp_Status status = IMP_STATUS_OK;
    for (size_t i = 0; i < count && status == IMP_STATUS_OK; i += batch) {
        size_t end = i + batch < count ? i + batch : count;
        impi_ClusterProblem problem = {
            .pieces = &fit->pieces,
            .search = count * branch <= MOST_SAMPLED ? &fit->sampled_search : &fit->bound_search,
            .nodes = fit->nodes,
            .first_parent = (uint32_t)(first + i),
            .parent_count = (uint32_t)(end - i),
            .branch = branch,
            .is_last = level == fit->def->depth,
            .ids = fit->ids + begin[i],
            .id_count = begin[end] - begin[i],
        };
        status = divide_batch(fit, &problem);
    }
    fit->level_first[level + 1] = fit->node_count;
    impi_arena_rewind(&fit->context->scratch, mark);
    return status;
}

// ---- from nodes to spheres

static imp_Status give_spheres(Fit *fit, impi_SphereDraft *draft)
{
    imp_Vec3 *centers = impi_arena_allocate_array(&fit->context->scratch, fit->node_count, sizeof *centers);
    double *squared = impi_arena_allocate_array(&fit->context->scratch, fit->node_count, sizeof *squared);
    if (!centers || !squared ||
        !impi_array_reserve(&fit->context->allocator, draft, sizeof *draft->data, fit->node_count))
        return impi_fail_out_of_memory(fit->context);
    for (size_t i = 0; i < fit->node_count; ++i) {
        const float *center = fit->nodes[i].ball.center;
        imp_Vec3 local = {(double)center[0], (double)center[1], (double)center[2]};
        imp_GivenSphere *sphere = &draft->data[draft->count++];
        *sphere = (imp_GivenSphere){impi_from_local(&fit->frame, local), 0, fit->nodes[i].parent};
        centers[i] = impi_to_local(&fit->frame, sphere->center);
        squared[i] = 0;
    }
    for (size_t i = 0; i < fit->pieces.count; ++i) {
        const uint32_t *corners = impi_piece_corners(&fit->pieces, i);
        size_t corner_count = impi_piece_corner_count(&fit->pieces, i);
        for (uint32_t node = fit->node_of[i]; node != IMPI_NO_NODE; node = fit->nodes[node].parent)
            for (size_t k = 0; k < corner_count; ++k) {
                imp_Vec3 way = impi_subtract(fit->pieces.points[corners[k]], centers[node]);
                squared[node] = fmax(squared[node], impi_dot(way, way));
            }
    }
    for (size_t i = 0; i < fit->node_count; ++i) {
        double radius = fit->frame.is_point ? 0 : sqrt(squared[i]) + RADIUS_SLACK;
        draft->data[i].radius = impi_length_from_local_up(&fit->frame, radius);
    }
    return IMP_STATUS_OK;
}

static imp_Status prepare(Fit *fit, size_t leaf_count)
{
    impi_Arena *arena = &fit->context->scratch;
    const imp_Mesh *mesh = fit->def->mesh;
    bool is_closed;
    imp_Status status = impi_mesh_is_closed(fit->context, mesh, &is_closed);
    if (status == IMP_STATUS_OK)
        status = impi_sphere_pieces_cut(fit->context, mesh, &fit->frame, (getenv("PIECES") ? (size_t)atoi(getenv("PIECES")) : PIECES_OF_SPHERE) * leaf_count, &fit->pieces);
    if (status == IMP_STATUS_OK)
        status = impi_distance_grid_build(fit->context, mesh, &fit->frame, &fit->pieces, is_closed, &fit->grid);
    if (status != IMP_STATUS_OK)
        return status;
    impi_ball_search_make(&fit->grid, false, &fit->bound_search);
    impi_ball_search_make(&fit->grid, true, &fit->sampled_search);
    fit->marks.owner = impi_arena_allocate_array(arena, fit->pieces.count, sizeof(uint32_t));
    fit->marks.next = impi_arena_allocate_array(arena, fit->pieces.count, sizeof(uint32_t));
    fit->marks.stamp = impi_arena_allocate_array(arena, fit->pieces.point_count, sizeof(uint32_t));
    fit->node_of = impi_arena_allocate_array(arena, fit->pieces.count, sizeof(uint32_t));
    fit->ids = impi_arena_allocate_array(arena, fit->pieces.count, sizeof(uint32_t));
    fit->node_capacity = 1;
    if (fit->def->count)
        fit->node_capacity += fit->def->count;
    else
        for (size_t i = 0, size = 1; i < fit->def->depth; ++i)
            fit->node_capacity += size *= fit->def->branch;
    fit->nodes = impi_arena_allocate_array(arena, fit->node_capacity, sizeof *fit->nodes);
    if (!fit->marks.owner || !fit->marks.next || !fit->marks.stamp || !fit->node_of || !fit->ids || !fit->nodes)
        return impi_fail_out_of_memory(fit->context);
    memset(fit->marks.stamp, 0, fit->pieces.point_count * sizeof(uint32_t));
    memset(fit->node_of, 0, fit->pieces.count * sizeof(uint32_t));
    return IMP_STATUS_OK;
}

imp_Status impi_spheres_fit(imp_Context *context, const imp_SphereTreeDef *def, impi_SphereDraft *draft)
{
    Fit fit = {.context = context, .def = def, .frame = impi_local_frame_make(&def->mesh->shape.bounds)};
    size_t leaves = def->count, branch = def->count ? def->count : def->branch;
    if (!leaves) {
        leaves = 1;
        for (uint32_t i = 0; i < def->depth; ++i)
            leaves *= def->branch;
    }
    imp_Status status = prepare(&fit, leaves);
    if (status != IMP_STATUS_OK)
        return status;
    imp_Vec3 center = impi_smallest_ball_center(&fit.pieces);
    fit.nodes[0] = (impi_SphereNode){{.center = {(float)center.x, (float)center.y, (float)center.z}}, IMPI_NO_NODE};
    fit.node_count = 1;
    fit.level_first[1] = 1;
    for (uint32_t level = 1; level <= def->depth && status == IMP_STATUS_OK; ++level)
        status = divide_level(&fit, level, branch);
    return status == IMP_STATUS_OK ? give_spheres(&fit, draft) : status;
}
