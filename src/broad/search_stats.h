/// How the searches of a context are measured (imp_pairs_measure). Where its stats are null, nothing is.
#ifndef IMPINGE_BROAD_SEARCH_STATS_H
#define IMPINGE_BROAD_SEARCH_STATS_H

#include "base/clock.h"
#include "broad/linear_octree.h"

#include <impinge/broad.h>

#include <assert.h>

static_assert(IMPI_OCTREE_MAX_LEVELS == IMP_MAX_SEARCH_LEVELS, "there is a count for each level");
static_assert(IMPI_LANES == IMP_SEARCH_BLOCK_SIZE, "a block is what is looked at at once");

static inline uint64_t impi_search_stats_begin(const imp_SearchStats *stats)
{
    return stats ? impi_clock_ns() : 0;
}

/// Time since *start belongs to this stage; the next one starts now.
static inline void impi_search_stats_stage(imp_SearchStats *stats, imp_SearchStage stage, uint64_t *start)
{
    if (!stats)
        return;
    uint64_t now = impi_clock_ns();
    stats->stage_ns[stage] += now - *start;
    *start = now;
}

static inline void impi_search_stats_count(imp_SearchStats *stats, const impi_Octree *octree, bool sorted,
                                           uint64_t block_pairs)
{
    if (!stats)
        return;
    ++stats->search_count;
    stats->sort_count += sorted;
    stats->block_pairs += block_pairs;
    stats->level_count = octree->level_count;
    for (unsigned level = 0; level < octree->level_count; ++level)
        stats->block_counts[level] = octree->node_counts[level];
}

#endif
