#include "rank_figures.h"

#include <inttypes.h>
#include <stdlib.h>

#define NS_PER_MS 1e6

static const char *const part_names[IMP_RANK_PART_COUNT] = {"read",   "split", "balance", "halo",
                                                            "search", "order", "write"};

CommandResult rank_figures_gather(RankJob *job, RankFigures *figures)
{
    *figures = (RankFigures){.rank_count = rank_job_rank_count(job),
                             .thread_count = imp_context_get_thread_count(job->context)};
    impi_cluster_end(&job->cluster);
    figures->ranks = rank_job_allocate(job, figures->rank_count, sizeof *figures->ranks);
    if (rank_job_agree(job) != COMMAND_DONE)
        return COMMAND_FAILED;
    imp_RankStats own = job->stats;
    impi_cluster_all_gather(&job->cluster, &own, sizeof own, figures->ranks);
    return COMMAND_DONE;
}

void rank_figures_free(RankFigures *figures)
{
    free(figures->ranks);
}

// ---- of all ranks

typedef struct PartFigures {
    double slowest_ms, mean_ms, fastest_ms; // of work between calls of the exchange
    double mean_exchange_ms;
    uint64_t bytes, messages;
} PartFigures;

static PartFigures figures_of(const RankFigures *figures, int part)
{
    PartFigures found = {0};
    for (uint32_t i = 0; i < figures->rank_count; ++i) {
        const imp_RankStats *rank = &figures->ranks[i];
        double ms = (double)rank->work_ns[part] / NS_PER_MS;
        found.slowest_ms = ms > found.slowest_ms ? ms : found.slowest_ms;
        found.fastest_ms = i == 0 || ms < found.fastest_ms ? ms : found.fastest_ms;
        found.mean_ms += ms / figures->rank_count;
        found.mean_exchange_ms += (double)rank->exchange_ns[part] / NS_PER_MS / figures->rank_count;
        found.bytes += rank->bytes[part];
        found.messages += rank->messages[part];
    }
    return found;
}

// Boxes of others for each own one.
static double halo_share(const RankFigures *figures)
{
    uint64_t own = 0, halo = 0;
    for (uint32_t i = 0; i < figures->rank_count; ++i) {
        own += figures->ranks[i].box_count;
        halo += figures->ranks[i].halo_count;
    }
    return own ? (double)halo / (double)own : 0;
}

// The slowest search by the mean of all.
static double imbalance(const RankFigures *figures)
{
    PartFigures search = figures_of(figures, IMP_RANK_SEARCH);
    return search.mean_ms > 0 ? search.slowest_ms / search.mean_ms : 1;
}

void rank_figures_put(const RankFigures *figures, impi_Text *output)
{
    impi_text_printf(output, "ranks      %u, of %u threads each\n", figures->rank_count,
                     figures->thread_count);
    impi_text_printf(output, "%-10s %12s %12s %12s %12s %14s %10s\n", "part", "slowest ms", "mean ms",
                     "fastest ms", "exchange ms", "bytes", "messages");
    for (int part = 0; part < IMP_RANK_PART_COUNT; ++part) {
        PartFigures found = figures_of(figures, part);
        impi_text_printf(output, "%-10s %12.3f %12.3f %12.3f %12.3f %14" PRIu64 " %10" PRIu64 "\n",
                         part_names[part], found.slowest_ms, found.mean_ms, found.fastest_ms,
                         found.mean_exchange_ms, found.bytes, found.messages);
    }
    impi_text_printf(output, "halo       %.1f %% as many boxes of others as of their own\n",
                     100 * halo_share(figures));
    impi_text_printf(output, "imbalance  %.2f, the slowest search by the mean\n", imbalance(figures));
}

static void put_json_part(const RankFigures *figures, int part, impi_JsonWriter *json)
{
    PartFigures found = figures_of(figures, part);
    const struct {
        const char *key;
        double value;
    } times[] = {{"slowest_ms", found.slowest_ms},
                 {"mean_ms", found.mean_ms},
                 {"fastest_ms", found.fastest_ms},
                 {"mean_exchange_ms", found.mean_exchange_ms}};
    impi_json_begin_object(json);
    impi_json_put_key(json, "part");
    impi_json_put_string(json, part_names[part]);
    for (size_t i = 0; i < sizeof times / sizeof *times; ++i) {
        impi_json_put_key(json, times[i].key);
        impi_json_put_double(json, times[i].value);
    }
    impi_json_put_key(json, "bytes");
    impi_json_put_integer(json, found.bytes);
    impi_json_put_key(json, "messages");
    impi_json_put_integer(json, found.messages);
    impi_json_end_object(json);
}

void rank_figures_put_json(const RankFigures *figures, impi_JsonWriter *json)
{
    impi_json_put_key(json, "stats");
    impi_json_begin_object(json);
    impi_json_put_key(json, "rank_count");
    impi_json_put_integer(json, figures->rank_count);
    impi_json_put_key(json, "thread_count");
    impi_json_put_integer(json, figures->thread_count);
    impi_json_put_key(json, "parts");
    impi_json_begin_array(json);
    for (int part = 0; part < IMP_RANK_PART_COUNT; ++part)
        put_json_part(figures, part, json);
    impi_json_end_array(json);
    impi_json_put_key(json, "halo_share");
    impi_json_put_double(json, halo_share(figures));
    impi_json_put_key(json, "imbalance");
    impi_json_put_double(json, imbalance(figures));
    impi_json_end_object(json);
}
