/// Rows put in the order of the ranks that they go to.
#ifndef IMPINGE_CLUSTER_MAILING_H
#define IMPINGE_CLUSTER_MAILING_H

#include "cluster/cluster.h"

/// Which row goes where. In scratch memory.
typedef struct impi_Mailing {
    size_t count;
    uint32_t *ranks;   // that each row goes to
    size_t *positions; // for each block of rows and each rank: where the block's rows for it go
    char **next;       // the same while rows are packed: where the next one goes
    const impi_Routes *routes;
} impi_Mailing;

/// Rows with keys between two cuts go to one rank: those below cuts[0] to the first. Keys are below
/// 2^bit_count, and none is UINT64_MAX; cuts have room for one that is, behind them. Sets the counts of
/// `routes`. Keeps a failure when memory is short.
void impi_mailing_make(impi_Cluster *cluster, const uint64_t *keys, size_t count, unsigned bit_count,
                       uint64_t *cuts, const impi_Routes *routes, impi_Mailing *mailing);

/// Copy the rows, `row_size` bytes each, to where they go: those for each rank stand together in `packed`, in
/// the order that they had; those for this rank go to `received` at once, where its routes want them.
void impi_mailing_pack(const impi_Cluster *cluster, const impi_Mailing *mailing, size_t row_size,
                       const void *rows, void *packed, void *received);

#endif
