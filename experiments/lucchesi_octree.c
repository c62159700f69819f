// The slaves and the master of lucchesi_steps.h on threads of one process, which share memory as the
// processors of one of the paper's machines do.
#include "lucchesi_octree.h"

#include "base/clock.h"
#include "base/context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Slave {
    size_t begin, end; // its objects
    LucchesiList list;
    double encode_ns, sort_ns;
    bool out_of_memory;
} Slave;

typedef struct Machine {
    LucchesiList list;
    double merge_ns;
    bool out_of_memory;
} Machine;

typedef struct Job {
    const imp_Allocator *allocator;
    LucchesiMerge merge;
    const double *boxes;
    size_t count;
    LucchesiRoot root;
    Slave *slaves;
    uint32_t slave_count;
    Machine *machines;
    uint32_t machine_count;
} Job;

// ---- slaves and machines

static void slave_task(size_t begin, size_t end, size_t block, void *argument)
{
    (void)begin, (void)end;
    Job *job = argument;
    Slave *slave = &job->slaves[block];
    double start = (double)impi_thread_clock_ns();
    slave->out_of_memory = !lucchesi_encode(job->allocator, &job->root, job->boxes + 6 * slave->begin,
                                            (uint32_t)slave->begin, slave->end - slave->begin, &slave->list);
    double middle = (double)impi_thread_clock_ns();
    lucchesi_sort(&slave->list);
    slave->encode_ns = middle - start;
    slave->sort_ns = (double)impi_thread_clock_ns() - middle;
}

// Sorted lists into one; empties them. A list that is alone is handed on as it is.
static bool merge_lists(const Job *job, LucchesiList **lists, size_t list_count, LucchesiList *merged)
{
    if (list_count == 1) {
        *merged = *lists[0];
        *lists[0] = (LucchesiList){0};
        return true;
    }
    size_t total = 0;
    LucchesiRun *runs = calloc(list_count, sizeof *runs);
    for (size_t i = 0; i < list_count; ++i)
        total += lists[i]->count;
    if (!runs || !impi_array_reserve(job->allocator, merged, sizeof *merged->data, total)) {
        free(runs);
        return false;
    }
    for (size_t i = 0; i < list_count; ++i) // an empty list has no data
        runs[i] =
            (LucchesiRun){lists[i]->data, lists[i]->count > 0 ? lists[i]->data + lists[i]->count : NULL};
    lucchesi_merge_runs(job->merge, runs, list_count, merged->data);
    merged->count = total;
    for (size_t i = 0; i < list_count; ++i)
        impi_array_free(job->allocator, lists[i], sizeof *lists[i]->data);
    free(runs);
    return true;
}

static void machine_task(size_t begin, size_t end, size_t block, void *argument)
{
    (void)begin, (void)end;
    Job *job = argument;
    Machine *machine = &job->machines[block];
    LucchesiList *lists[LUCCHESI_PROCESSORS_PER_MACHINE];
    size_t list_count = 0;
    double start = (double)impi_thread_clock_ns();
    for (size_t i = LUCCHESI_PROCESSORS_PER_MACHINE * block;
         i < job->slave_count && list_count < LUCCHESI_PROCESSORS_PER_MACHINE; ++i)
        lists[list_count++] = &job->slaves[i].list;
    machine->out_of_memory = !merge_lists(job, lists, list_count, &machine->list);
    machine->merge_ns = (double)impi_thread_clock_ns() - start;
}

// ---- the master

static bool merge_machines(Job *job, LucchesiList *merged)
{
    LucchesiList **lists = calloc(job->machine_count, sizeof *lists);
    if (!lists)
        return false;
    for (uint32_t i = 0; i < job->machine_count; ++i)
        lists[i] = &job->machines[i].list;
    bool done = merge_lists(job, lists, job->machine_count, merged);
    free(lists);
    return done;
}

// ---- the whole

static bool run_slaves(imp_Context *context, Job *job)
{
    for (uint32_t i = 0; i < job->slave_count; ++i) {
        job->slaves[i].begin = job->count * i / job->slave_count;
        job->slaves[i].end = job->count * (i + 1) / job->slave_count;
    }
    impi_parallel_for(&context->executor, job->slave_count, 1, slave_task, job);
    impi_parallel_for(&context->executor, job->machine_count, 1, machine_task, job);
    bool done = true;
    for (uint32_t i = 0; i < job->slave_count; ++i)
        done = done && !job->slaves[i].out_of_memory;
    for (uint32_t i = 0; i < job->machine_count; ++i)
        done = done && !job->machines[i].out_of_memory;
    return done;
}

static void sum_up(const Job *job, LucchesiTimes *times)
{
    double slowest_machine = 0;
    for (uint32_t m = 0; m < job->machine_count; ++m) {
        double slowest_slave = 0;
        for (uint32_t i = LUCCHESI_PROCESSORS_PER_MACHINE * m;
             i < job->slave_count && i < LUCCHESI_PROCESSORS_PER_MACHINE * (m + 1); ++i) {
            const Slave *slave = &job->slaves[i];
            slowest_slave = fmax(slowest_slave, slave->encode_ns + slave->sort_ns);
            times->part_ns[LUCCHESI_ENCODE] = fmax(times->part_ns[LUCCHESI_ENCODE], slave->encode_ns);
            times->part_ns[LUCCHESI_SORT] = fmax(times->part_ns[LUCCHESI_SORT], slave->sort_ns);
        }
        slowest_machine = fmax(slowest_machine, slowest_slave + job->machines[m].merge_ns);
        times->part_ns[LUCCHESI_MACHINE_MERGE] =
            fmax(times->part_ns[LUCCHESI_MACHINE_MERGE], job->machines[m].merge_ns);
    }
    times->modelled_ns =
        slowest_machine + times->part_ns[LUCCHESI_MASTER_MERGE] + times->part_ns[LUCCHESI_WALK];
}

static bool run_all(imp_Context *context, Job *job, LucchesiResult *result)
{
    LucchesiList merged = {0};
    LucchesiPairs found = {0};
    LucchesiTimes *times = &result->times;
    uint64_t wall_start = impi_clock_ns();
    bool done = run_slaves(context, job);
    double start = (double)impi_thread_clock_ns();
    done = done && merge_machines(job, &merged);
    double merged_at = (double)impi_thread_clock_ns();
    done = done && lucchesi_walk(job->allocator, job->boxes, &merged, &found);
    double walked_at = (double)impi_thread_clock_ns();
    times->measured_ns = (double)(impi_clock_ns() - wall_start);
    size_t kept = lucchesi_remove_repeated(found.pairs.data, found.pairs.count);
    times->part_ns[LUCCHESI_MASTER_MERGE] = merged_at - start;
    times->part_ns[LUCCHESI_WALK] = walked_at - merged_at;
    times->part_ns[LUCCHESI_DISTINCT] = (double)impi_thread_clock_ns() - walked_at;
    sum_up(job, times);
    result->code_count = merged.count;
    result->candidate_count = found.candidate_count;
    result->pair_count = kept;
    result->pairs = done ? malloc((kept + 1) * sizeof *result->pairs) : NULL;
    if (result->pairs && kept > 0)
        memcpy(result->pairs, found.pairs.data, kept * sizeof *result->pairs);
    impi_array_free(job->allocator, &merged, sizeof *merged.data);
    impi_array_free(job->allocator, &found.pairs, sizeof *found.pairs.data);
    return result->pairs != NULL;
}

bool lucchesi_find_pairs(imp_Context *context, const double *boxes, size_t count, uint32_t slave_count,
                         LucchesiMerge merge, LucchesiResult *result)
{
    Job job = {.allocator = &context->allocator,
               .boxes = boxes,
               .count = count,
               .merge = merge,
               .slave_count = slave_count};
    job.machine_count = (slave_count + LUCCHESI_PROCESSORS_PER_MACHINE - 1) / LUCCHESI_PROCESSORS_PER_MACHINE;
    job.slaves = calloc(slave_count, sizeof *job.slaves);
    job.machines = calloc(job.machine_count, sizeof *job.machines);
    *result = (LucchesiResult){0};
    lucchesi_choose_root(boxes, count, &job.root);
    bool done = job.slaves && job.machines && run_all(context, &job, result);
    for (uint32_t i = 0; job.slaves && i < slave_count; ++i)
        impi_array_free(job.allocator, &job.slaves[i].list, sizeof *job.slaves[i].list.data);
    for (uint32_t i = 0; job.machines && i < job.machine_count; ++i)
        impi_array_free(job.allocator, &job.machines[i].list, sizeof *job.machines[i].list.data);
    free(job.slaves);
    free(job.machines);
    return done;
}
