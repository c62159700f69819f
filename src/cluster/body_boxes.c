#include "cluster/body_boxes.h"

#include "cluster/rank_pairs.h"
#include "object/body.h"
#include "shape/mesh.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Boxes are numbered in the order of ranks: bodies of the same holder stand together.
static void list_by_holder(const impi_RankMeshes *meshes, uint32_t *bodies, size_t *starts)
{
    uint32_t rank_count = meshes->cluster->exchange->rank_count;
    memset(starts, 0, (rank_count + (size_t)1) * sizeof *starts);
    for (size_t i = 0; i < meshes->body_count; ++i)
        ++starts[impi_mesh_holder(meshes, meshes->of_body[i]) + 1];
    for (uint32_t rank = 0; rank < rank_count; ++rank)
        starts[rank + 1] += starts[rank];
    for (uint32_t i = 0; i < meshes->body_count; ++i)
        bodies[starts[impi_mesh_holder(meshes, meshes->of_body[i])]++] = i;
    // Each start has become the next one's.
    memmove(starts + 1, starts, rank_count * sizeof *starts);
    starts[0] = 0;
}

static imp_Status make_body(const impi_RankMeshes *meshes, uint32_t number, impi_Body *body)
{
    imp_Context *context = meshes->cluster->context;
    const impi_RankBody *given = &meshes->bodies[number];
    char reason[IMP_MAX_ERROR_MESSAGE];
    imp_Status status =
        impi_body_make(context, &meshes->meshes[meshes->of_body[number]]->shape, &given->pose, body);
    if (status != IMP_STATUS_BAD_NUMBER)
        return status;
    memcpy(reason, context->error.message, sizeof reason);
    return impi_fail(context, status, number, "%s: %s", given->name, reason);
}

// Bounds end at the largest double, as vertices do.
static double clamp(double x)
{
    return fmin(fmax(x, -DBL_MAX), DBL_MAX);
}

static imp_Status bound_body(const impi_RankMeshes *meshes, uint32_t number, double *row)
{
    imp_Context *context = meshes->cluster->context;
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    impi_Body body, *const bodies[1] = {&body};
    impi_Budget budget;
    impi_budget_begin(&budget, 0, NULL);
    imp_Status status = make_body(meshes, number, &body);
    if (status != IMP_STATUS_OK)
        return status;
    status = impi_bodies_bound(context, &budget, bodies, 1);
    if (status == IMP_STATUS_OK) {
        const double bounds[6] = {clamp(body.bounds.min.x), clamp(body.bounds.min.y),
                                  clamp(body.bounds.min.z), clamp(body.bounds.max.x),
                                  clamp(body.bounds.max.y), clamp(body.bounds.max.z)};
        memcpy(row, bounds, sizeof bounds);
    }
    impi_body_release(&context->allocator, &body);
    impi_arena_rewind(&context->scratch, mark);
    return status;
}

static void bound_bodies(const impi_RankMeshes *meshes, const uint32_t *bodies, size_t count, double *rows)
{
    imp_Status status = IMP_STATUS_OK;
    for (size_t i = 0; i < count && status == IMP_STATUS_OK; ++i) {
        status = bound_body(meshes, bodies[i], rows + 6 * i);
        impi_cluster_keep(meshes->cluster, status, bodies[i]);
    }
}

// The search numbers boxes in the order of ranks.
static imp_Status take_pairs(impi_RankMeshes *meshes, const uint32_t *bodies, const imp_RankPairs *found,
                             imp_IndexPair **pairs, size_t *count)
{
    imp_IndexPair *taken = impi_rank_meshes_allocate(meshes, found->count, sizeof *taken);
    for (size_t i = 0; taken && i < found->count; ++i) {
        uint32_t a = bodies[found->pairs[i].a], b = bodies[found->pairs[i].b];
        taken[i] = (imp_IndexPair){a < b ? a : b, a < b ? b : a};
    }
    imp_Status status = impi_cluster_agree(meshes->cluster);
    if (status == IMP_STATUS_OK) {
        *pairs = taken;
        *count = found->count;
    }
    return status;
}

imp_Status impi_body_boxes_pairs(impi_RankMeshes *meshes, imp_IndexPair **pairs, size_t *count)
{
    impi_Cluster *cluster = meshes->cluster;
    const impi_Exchange *exchange = cluster->exchange;
    uint32_t *bodies = impi_rank_meshes_allocate(meshes, meshes->body_count, sizeof *bodies);
    size_t *starts = impi_cluster_allocate(cluster, exchange->rank_count + (size_t)1, sizeof *starts);
    imp_Status status = impi_cluster_agree(cluster);
    if (status != IMP_STATUS_OK)
        return status;
    list_by_holder(meshes, bodies, starts);
    size_t first = starts[exchange->rank], own_count = starts[exchange->rank + 1] - first;
    double *rows = impi_rank_meshes_allocate(meshes, own_count, 6 * sizeof *rows);
    if (rows)
        bound_bodies(meshes, bodies + first, own_count, rows);
    status = impi_cluster_agree(cluster);
    if (status != IMP_STATUS_OK)
        return status;
    imp_RankPairs found;
    imp_BoxArray boxes = {.boxes = rows, .count = own_count};
    imp_RankDef def = {.stats = cluster->stats};
    status = impi_rank_pairs_find(exchange, cluster->context, &boxes, &def, &found);
    return status == IMP_STATUS_OK ? take_pairs(meshes, bodies, &found, pairs, count) : status;
}
