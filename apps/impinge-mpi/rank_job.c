#include "rank_job.h"

#include <stdlib.h>

static char error_line[2 * IMP_MAX_ERROR_MESSAGE];

void rank_errors_catch(void)
{
    command_catch_errors(error_line, sizeof error_line);
}

const char *rank_errors_line(void)
{
    return error_line;
}

CommandResult rank_errors_agree(CommandResult own)
{
    int rank, rank_count, first;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
    first = own == COMMAND_FAILED ? rank : rank_count;
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == rank_count)
        return own;
    MPI_Bcast(error_line, sizeof error_line, MPI_CHAR, first, MPI_COMM_WORLD);
    return COMMAND_FAILED;
}

// ---- begin and end

static CommandResult create_context(RankJob *job, const imp_ContextDef *def)
{
    imp_ContextDef complete = *def;
    if (complete.thread_count == 0)
        complete.thread_count = job->share.thread_count;
    job->context = command_create_context(&complete);
    return job->context ? COMMAND_DONE : COMMAND_FAILED;
}

CommandResult rank_job_begin(RankJob *job, const imp_ContextDef *def)
{
    *job = (RankJob){.share = impi_machine_share(MPI_COMM_WORLD)};
    if (rank_errors_agree(create_context(job, def)) != COMMAND_DONE)
        return COMMAND_FAILED;
    if (!impi_mpi_exchange_begin(MPI_COMM_WORLD, &job->mpi))
        return command_fail("%s", imp_status_name(IMP_STATUS_OUT_OF_MEMORY));
    rank_job_resume(job, IMP_RANK_READ);
    return COMMAND_DONE;
}

void rank_job_end(RankJob *job)
{
    if (job->cluster.exchange)
        impi_mpi_exchange_end(&job->mpi);
    imp_context_destroy(job->context);
}

void rank_job_pause(RankJob *job)
{
    impi_cluster_end(&job->cluster);
}

void rank_job_resume(RankJob *job, imp_RankPart part)
{
    impi_cluster_begin(&job->cluster, &job->mpi.exchange, job->context, &job->stats);
    impi_cluster_enter(&job->cluster, part);
}

// ---- failures

void rank_job_keep(RankJob *job, imp_Status status, uint64_t order)
{
    impi_cluster_keep(&job->cluster, status, order);
}

void rank_job_keep_result(RankJob *job, CommandResult result)
{
    if (result == COMMAND_FAILED && job->cluster.status == IMP_STATUS_OK)
        rank_job_keep(job, impi_fail(job->context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "%s", error_line),
                      rank_job_rank(job));
}

CommandResult rank_job_fail(RankJob *job)
{
    error_line[0] = 0; // a rank's own, which all of them replace by the one that is told
    return command_fail_in(job->context);
}

CommandResult rank_job_agree(RankJob *job)
{
    return impi_cluster_agree(&job->cluster) == IMP_STATUS_OK ? COMMAND_DONE : rank_job_fail(job);
}

void *rank_job_allocate(RankJob *job, size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory && job->cluster.status == IMP_STATUS_OK)
        rank_job_keep(job, impi_fail_out_of_memory(job->context), IMPI_CLUSTER_NO_ORDER);
    return memory;
}

uint64_t rank_share_start(uint64_t count, uint32_t rank, uint32_t rank_count)
{
    return count / rank_count * rank + count % rank_count * rank / rank_count;
}
