/// What the searches of a context did, for whoever sets imp_Context.search_stats (`impinge pairs --stats`).
/// Where it is null nothing is measured.
#ifndef IMPINGE_BROAD_SEARCH_STATS_H
#define IMPINGE_BROAD_SEARCH_STATS_H

#include "base/clock.h"
#include "broad/linear_octree.h"

typedef enum impi_SearchStage {
    IMPI_STAGE_SORT,   // codes of boxes, and their order
    IMPI_STAGE_FILL,   // boxes and bounds into that order
    IMPI_STAGE_SEARCH, // pairs, in no order yet
    IMPI_STAGE_COUNT,
} impi_SearchStage;

/// Sums over all searches; zero it to begin anew.
typedef struct impi_SearchStats {
    uint64_t stage_ns[IMPI_STAGE_COUNT];
    uint64_t search_count, sort_count; // an update that older candidates serve does not search
    uint64_t block_pairs;              // blocks whose bounds overlapped
    unsigned level_count;              // of the last search, as are the node counts
    size_t node_counts[IMPI_OCTREE_MAX_LEVELS];
} impi_SearchStats;

static inline uint64_t impi_search_stats_begin(const impi_SearchStats *stats)
{
    return stats ? impi_clock_ns() : 0;
}

/// Time since *start belongs to this stage; the next one starts now.
static inline void impi_search_stats_stage(impi_SearchStats *stats, impi_SearchStage stage, uint64_t *start)
{
    if (!stats)
        return;
    uint64_t now = impi_clock_ns();
    stats->stage_ns[stage] += now - *start;
    *start = now;
}

static inline void impi_search_stats_count(impi_SearchStats *stats, const impi_Octree *octree, bool sorted,
                                           uint64_t block_pairs)
{
    if (!stats)
        return;
    ++stats->search_count;
    stats->sort_count += sorted;
    stats->block_pairs += block_pairs;
    stats->level_count = octree->level_count;
    for (unsigned level = 0; level < octree->level_count; ++level)
        stats->node_counts[level] = octree->node_counts[level];
}

#endif
