#include "cluster/same_input.h"

#include "base/call.h"
#include "cluster/cluster.h"

static void compare_checks(impi_Cluster *cluster, const char *path, const uint64_t *checks)
{
    uint32_t rank = cluster->exchange->rank;
    impi_Place place = IMPI_NO_PLACE;
    place.file = path;
    if (checks[rank] != checks[0])
        impi_cluster_keep(cluster,
                          impi_fail_at(cluster->context, IMP_STATUS_BAD_FILE, place,
                                       "rank %u has read another file than rank 0, or has other options",
                                       rank),
                          rank);
}

imp_Status impi_same_input(const impi_Exchange *exchange, imp_Context *context, const char *path,
                           imp_Status status, uint64_t check)
{
    impi_Cluster cluster;
    impi_FloatGuard guard = impi_call_begin(context);
    impi_cluster_begin(&cluster, exchange, context, NULL);
    impi_cluster_keep(&cluster, status, exchange->rank);
    uint64_t *checks = impi_cluster_allocate(&cluster, exchange->rank_count, sizeof *checks);
    status = impi_cluster_agree(&cluster);
    if (status == IMP_STATUS_OK) {
        impi_cluster_all_gather(&cluster, &check, sizeof check, checks);
        compare_checks(&cluster, path, checks);
        status = impi_cluster_agree(&cluster);
    }
    impi_cluster_end(&cluster);
    impi_arena_reset(&context->scratch);
    return impi_call_end(context, guard, status);
}
