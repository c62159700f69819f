#include "cluster/rank_world.h"

#include "base/call.h"
#include "cluster/body_boxes.h"
#include "cluster/pair_assignment.h"
#include "cluster/report_gathering.h"

#include <assert.h>

// ---- phases

// Bodies of the pairs say which meshes are needed here.
static imp_Status fetch_meshes(impi_RankMeshes *meshes, const imp_IndexPair *pairs, size_t count,
                               impi_RankReport *report)
{
    bool *is_needed = impi_rank_meshes_allocate(meshes, meshes->count, sizeof *is_needed);
    imp_Status status = impi_cluster_agree(meshes->cluster);
    if (status != IMP_STATUS_OK)
        return status;
    for (size_t i = 0; i < meshes->count; ++i)
        is_needed[i] = false;
    for (size_t i = 0; i < count; ++i)
        is_needed[meshes->of_body[pairs[i].a]] = is_needed[meshes->of_body[pairs[i].b]] = true;
    return impi_rank_meshes_fetch(meshes, is_needed, &report->received_mesh_count);
}

static imp_Status compare(impi_RankMeshes *meshes, const imp_IndexPair *pairs, size_t count,
                          imp_DetectMode mode, impi_RankReport *report)
{
    impi_Cluster *cluster = meshes->cluster;
    impi_AssignedWorld assigned;
    impi_cluster_enter(cluster, IMP_RANK_SEARCH);
    impi_assigned_world_detect(meshes, pairs, count, mode, &assigned);
    imp_Status status = impi_cluster_agree(cluster);
    impi_cluster_enter(cluster, IMP_RANK_ORDER);
    if (status == IMP_STATUS_OK)
        status = impi_report_gather(cluster, &assigned, report);
    impi_assigned_world_destroy(&assigned);
    return status == IMP_STATUS_OK ? impi_facts_gather(meshes, report) : status;
}

static imp_Status run_phases(impi_Cluster *cluster, const impi_RankWorldDef *def, impi_Arena *arena,
                             impi_RankMeshes *meshes, impi_RankReport *report)
{
    imp_IndexPair *near, *pairs;
    size_t near_count, count;
    imp_Status status = impi_rank_meshes_load(cluster, arena, def->bodies, def->body_count, meshes);
    if (status != IMP_STATUS_OK)
        return status;
    impi_cluster_enter(cluster, IMP_RANK_SPLIT);
    status = impi_body_boxes_pairs(meshes, &near, &near_count);
    if (status != IMP_STATUS_OK)
        return status;
    impi_cluster_enter(cluster, IMP_RANK_BALANCE);
    status = impi_pairs_assign(meshes, near, near_count, &pairs, &count);
    if (status != IMP_STATUS_OK)
        return status;
    impi_cluster_enter(cluster, IMP_RANK_HALO);
    status = fetch_meshes(meshes, pairs, count, report);
    return status == IMP_STATUS_OK ? compare(meshes, pairs, count, def->mode, report) : status;
}

imp_Status impi_rank_world_detect(const impi_Exchange *exchange, imp_Context *context,
                                  const impi_RankWorldDef *def, impi_RankReport *report)
{
    impi_Cluster cluster;
    impi_Arena arena;
    impi_RankMeshes meshes = {.count = 0};
    impi_FloatGuard guard = impi_call_begin(context);
    assert(def->mode == IMP_DETECT_FACES || def->mode == IMP_DETECT_BODIES);
    *report = (impi_RankReport){.mesh_count = 0};
    impi_arena_init(&arena, &context->allocator);
    impi_arena_init(&report->arena, &context->allocator);
    impi_arena_reset(&context->scratch);
    impi_cluster_begin(&cluster, exchange, context, def->stats);
    imp_Status status = run_phases(&cluster, def, &arena, &meshes, report);
    impi_cluster_end(&cluster);
    impi_rank_meshes_release(&meshes);
    impi_arena_destroy(&arena);
    impi_arena_reset(&context->scratch);
    if (status != IMP_STATUS_OK)
        impi_rank_report_free(report);
    return impi_call_end(context, guard, status);
}

void impi_rank_report_free(impi_RankReport *report)
{
    impi_arena_destroy(&report->arena);
    *report = (impi_RankReport){.mesh_count = 0};
}
