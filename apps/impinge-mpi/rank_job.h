/// A command on the ranks of a job: its exchange, its context, what it takes, and how it fails.
///
/// All ranks do the same calls in the same order. What fails on one of them is kept, and told to all where
/// they agree; then all give up. Nothing is printed but by rank 0, at the very end.
#ifndef IMPINGE_APPS_RANK_JOB_H
#define IMPINGE_APPS_RANK_JOB_H

#include "cluster/cluster.h"
#include "command.h"
#include "mpi/mpi_exchange.h"
#include "mpi/mpi_machine.h"

typedef struct RankJob {
    impi_MpiExchange mpi;
    impi_Cluster cluster; // for what is done besides the calls of the library
    imp_RankStats stats;
    imp_Context *context;
    impi_MachineShare share;
} RankJob;

/// Errors of command_fail are kept from now on.
void rank_errors_catch(void);

/// The one that was kept, which all ranks have after they have agreed.
const char *rank_errors_line(void);

/// Before there is a job: has any rank failed? Then all have, with the error of the first of them.
CommandResult rank_errors_agree(CommandResult own);

/// All ranks begin together, on their share of the machine's cores where the def has no number of threads.
/// All fail if one does; end it in any case.
CommandResult rank_job_begin(RankJob *job, const imp_ContextDef *def);
void rank_job_end(RankJob *job);

/// Keep a failure, if it is one, of which the context has the error; `order` as for impi_cluster_keep. Or one
/// of which command_fail was told.
void rank_job_keep(RankJob *job, imp_Status status, uint64_t order);
void rank_job_keep_result(RankJob *job, CommandResult result);

/// COMMAND_FAILED on all ranks, with the same error, when one of them has kept a failure.
CommandResult rank_job_agree(RankJob *job);

/// After a call of the cluster that failed, with the same error on all ranks. Always COMMAND_FAILED.
CommandResult rank_job_fail(RankJob *job);

/// Memory, zeroed, to be freed; null when there is none, and that is kept.
void *rank_job_allocate(RankJob *job, size_t count, size_t size);

/// Around calls of the library that measure for themselves, and add to job->stats.
void rank_job_pause(RankJob *job);
void rank_job_resume(RankJob *job, imp_RankPart part);

static inline uint32_t rank_job_rank(const RankJob *job)
{
    return job->mpi.exchange.rank;
}

static inline uint32_t rank_job_rank_count(const RankJob *job)
{
    return job->mpi.exchange.rank_count;
}

/// Where the share of a rank in so many things begins, and that of the one before it ends.
uint64_t rank_share_start(uint64_t count, uint32_t rank, uint32_t rank_count);

#endif
