/// Where to cut keys that are spread over all ranks, so that so many of them lie below each cut.
#ifndef IMPINGE_CLUSTER_KEY_CUTS_H
#define IMPINGE_CLUSTER_KEY_CUTS_H

#include "cluster/cluster.h"

/// No two keys of all ranks are the same.
typedef struct impi_SpreadKeys {
    const uint64_t *keys;    // of this rank, in any order
    const uint32_t *weights; // of each; null: 1
    size_t count;
    unsigned bit_count; // keys are below 2^bit_count, and not UINT64_MAX
} impi_SpreadKeys;

/// cuts[i] becomes a number such that the keys of all ranks that are below it weigh targets[i], or as much as
/// can be without weighing more. Targets ascend, as cuts do, and are the same on all ranks. The status is the
/// same on all ranks: IMP_STATUS_OUT_OF_MEMORY when one of them is short of it, or a failure kept before.
imp_Status impi_key_cuts_find(impi_Cluster *cluster, const impi_SpreadKeys *keys, const uint64_t *targets,
                              size_t cut_count, uint64_t *cuts);

/// Which stretch between cuts holds the key: the number of cuts that are not above it. Cuts ascend. Without
/// branches, since nobody can foretell where a key lies.
static inline size_t impi_key_stretch(const uint64_t *cuts, size_t cut_count, uint64_t key)
{
    const uint64_t *first = cuts;
    if (cut_count == 0)
        return 0;
    for (size_t count = cut_count; count > 1;) {
        size_t half = count / 2;
        first += first[half - 1] <= key ? half : 0;
        count -= half;
    }
    return (size_t)(first - cuts) + (*first <= key);
}

#endif
