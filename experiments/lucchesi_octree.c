// Lucchesi, Egbert & Harris, "A Parallel Linear Octree Collision Detection Algorithm", 3.3: slaves give each
// object the octal codes of the octants that it touches and sort them; the master merges the lists; codes
// that begin alike name octants on one path through the octree, and follow each other in the list.
//
// What the paper leaves open, and how it is done here:
// - How deep an object is searched for: to the smallest octants that are not smaller than it (but at most 9
//   levels), so that it touches 8 of them at most, unless it ends on a border. Objects of different sizes get
//   codes of different lengths. Octants are closed, as boxes are, so that nothing that touches is lost.
// - How k lists are merged: by looking at the heads of all of them for the smallest code, as the names in the
//   printed program suggest, or with a heap. Two processors share a machine, which merges their lists first.
// - The printed inner loop begins at the object itself; it has to begin at the next one.
// - A shared octant is only a candidate: the boxes are compared there and then.
// - Pairs that share several octants are found several times. They are sorted, and repetitions dropped.
// - The number of objects need not be a multiple of k.
#include "lucchesi_octree.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PROCESSORS_PER_MACHINE 2

static const uint32_t powers[LUCCHESI_MAX_LEVEL + 1] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
};

// An octal code has a digit from 1 to 8 for each level, then zeros, so that the order of the numbers is a
// pre-order walk of the octree: 123000000 stands before 123400000.
typedef struct Entry {
    uint32_t code, object;
} Entry;

typedef IMPI_ARRAY(Entry) EntryList;

typedef struct Slave {
    size_t begin, end; // its objects
    EntryList list;
    double encode_ns, sort_ns;
    bool out_of_memory;
} Slave;

typedef struct Machine {
    EntryList list;
    double merge_ns;
    bool out_of_memory;
} Machine;

typedef struct Job {
    const imp_Allocator *allocator;
    LucchesiMerge merge;
    const double *boxes;
    size_t count;
    double origin[3];
    double edges[LUCCHESI_MAX_LEVEL + 1]; // of the octants of each level; level 0 is the root
    Slave *slaves;
    uint32_t slave_count;
    Machine *machines;
    uint32_t machine_count;
} Job;

static double thread_time_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// ---- the octree

static void choose_root(Job *job)
{
    double max[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int axis = 0; axis < 3; ++axis) {
        job->origin[axis] = INFINITY;
        for (size_t i = 0; i < job->count; ++i) {
            job->origin[axis] = fmin(job->origin[axis], job->boxes[6 * i + (size_t)axis]);
            max[axis] = fmax(max[axis], job->boxes[6 * i + 3 + (size_t)axis]);
        }
    }
    double edge = 1e-300;
    for (int axis = 0; axis < 3; ++axis) {
        edge = fmax(edge, max[axis] - job->origin[axis]);
        while (job->origin[axis] + edge < max[axis])
            edge *= 1 + 1e-15;
    }
    for (int level = 0; level <= LUCCHESI_MAX_LEVEL; ++level)
        job->edges[level] = ldexp(edge, -level);
}

// Octants that are neighbours share the very same border, on every level: halving an edge is exact, so both
// compute origin + the same number.
static double border(const Job *job, int axis, uint32_t cell, unsigned level)
{
    return job->origin[axis] + job->edges[level] * cell;
}

static bool touches_octant(const Job *job, const double *box, const uint32_t cell[3], unsigned level)
{
    for (int axis = 0; axis < 3; ++axis)
        if (box[axis] > border(job, axis, cell[axis] + 1, level) ||
            box[axis + 3] < border(job, axis, cell[axis], level))
            return false;
    return true;
}

static unsigned deepest_level(const Job *job, const double *box)
{
    double side = fmax(box[3] - box[0], fmax(box[4] - box[1], box[5] - box[2]));
    unsigned level = 1;
    while (level < LUCCHESI_MAX_LEVEL && job->edges[level + 1] >= side)
        ++level;
    return level;
}

typedef struct Search {
    const Job *job;
    const double *box;
    unsigned deepest;
    uint32_t object;
    Slave *slave;
} Search;

// All octants inside of this one that the object touches.
static void search_octree(Search *search, const uint32_t cell[3], unsigned level, uint32_t code)
{
    for (uint32_t octant = 0; octant < 8; ++octant) {
        uint32_t child[3] = {2 * cell[0] + (octant & 1), 2 * cell[1] + (octant >> 1 & 1),
                             2 * cell[2] + (octant >> 2)};
        if (!touches_octant(search->job, search->box, child, level + 1))
            continue;
        uint32_t child_code = code + (octant + 1) * powers[LUCCHESI_MAX_LEVEL - level - 1];
        if (level + 1 < search->deepest) {
            search_octree(search, child, level + 1, child_code);
            continue;
        }
        EntryList *list = &search->slave->list;
        if (list->count == list->capacity &&
            !impi_array_reserve(search->job->allocator, list, sizeof *list->data, list->count + 1)) {
            search->slave->out_of_memory = true;
            return;
        }
        list->data[list->count++] = (Entry){child_code, search->object};
    }
}

// ---- slaves and machines

static int compare_entries(const void *a, const void *b)
{
    const Entry *left = a, *right = b;
    if (left->code != right->code)
        return left->code < right->code ? -1 : 1;
    return (left->object > right->object) - (left->object < right->object);
}

static void slave_task(size_t begin, size_t end, size_t block, void *argument)
{
    (void)begin, (void)end;
    Job *job = argument;
    Slave *slave = &job->slaves[block];
    double start = thread_time_ns();
    for (size_t i = slave->begin; i < slave->end && !slave->out_of_memory; ++i) {
        const double *box = job->boxes + 6 * i;
        Search search = {job, box, deepest_level(job, box), (uint32_t)i, slave};
        search_octree(&search, (uint32_t[]){0, 0, 0}, 0, 0);
    }
    double middle = thread_time_ns();
    if (slave->list.count > 0)
        qsort(slave->list.data, slave->list.count, sizeof *slave->list.data, compare_entries);
    slave->encode_ns = middle - start;
    slave->sort_ns = thread_time_ns() - middle;
}

// A sorted list that is being merged with others: its head is the first entry not yet taken.
typedef struct Run {
    const Entry *head, *end;
} Run;

static bool run_is_before(const Run *a, const Run *b)
{
    return compare_entries(a->head, b->head) < 0;
}

static void merge_by_heads(Run *runs, size_t run_count, EntryList *merged, size_t total)
{
    while (merged->count < total) {
        size_t smallest = run_count;
        for (size_t i = 0; i < run_count; ++i)
            if (runs[i].head < runs[i].end &&
                (smallest == run_count || run_is_before(&runs[i], &runs[smallest])))
                smallest = i;
        merged->data[merged->count++] = *runs[smallest].head++;
    }
}

static void sift_down(Run *heap, size_t count, size_t parent)
{
    for (size_t child; (child = 2 * parent + 1) < count; parent = child) {
        if (child + 1 < count && run_is_before(&heap[child + 1], &heap[child]))
            ++child;
        if (!run_is_before(&heap[child], &heap[parent]))
            return;
        Run kept = heap[parent];
        heap[parent] = heap[child];
        heap[child] = kept;
    }
}

static void merge_by_heap(Run *runs, size_t run_count, EntryList *merged)
{
    size_t count = 0;
    for (size_t i = 0; i < run_count; ++i)
        if (runs[i].head < runs[i].end)
            runs[count++] = runs[i];
    for (size_t parent = count / 2; parent-- > 0;)
        sift_down(runs, count, parent);
    while (count > 0) {
        merged->data[merged->count++] = *runs[0].head++;
        if (runs[0].head == runs[0].end)
            runs[0] = runs[--count];
        sift_down(runs, count, 0);
    }
}

// Sorted lists into one; empties them. A list that is alone is handed on as it is.
static bool merge_lists(const Job *job, EntryList **lists, size_t list_count, EntryList *merged)
{
    if (list_count == 1) {
        *merged = *lists[0];
        *lists[0] = (EntryList){0};
        return true;
    }
    size_t total = 0;
    Run *runs = calloc(list_count, sizeof *runs);
    for (size_t i = 0; i < list_count; ++i)
        total += lists[i]->count;
    if (!runs || !impi_array_reserve(job->allocator, merged, sizeof *merged->data, total)) {
        free(runs);
        return false;
    }
    for (size_t i = 0; i < list_count; ++i) // an empty list has no data
        runs[i] = (Run){lists[i]->data, lists[i]->count > 0 ? lists[i]->data + lists[i]->count : NULL};
    if (job->merge == LUCCHESI_MERGE_HEAP)
        merge_by_heap(runs, list_count, merged);
    else
        merge_by_heads(runs, list_count, merged, total);
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
    EntryList *lists[PROCESSORS_PER_MACHINE];
    size_t list_count = 0;
    double start = thread_time_ns();
    for (size_t i = PROCESSORS_PER_MACHINE * block;
         i < job->slave_count && list_count < PROCESSORS_PER_MACHINE; ++i)
        lists[list_count++] = &job->slaves[i].list;
    machine->out_of_memory = !merge_lists(job, lists, list_count, &machine->list);
    machine->merge_ns = thread_time_ns() - start;
}

// ---- the master

typedef struct PairList {
    IMPI_ARRAY(imp_IndexPair) pairs;
    uint64_t candidate_count;
} PairList;

static bool boxes_touch(const double *a, const double *b)
{
    return a[0] <= b[3] && b[0] <= a[3] && a[1] <= b[4] && b[1] <= a[4] && a[2] <= b[5] && b[2] <= a[5];
}

// What a code is cut to with this is the code's own path: 100 for a code of 7 digits.
static uint32_t path_unit(uint32_t code)
{
    unsigned zeros = 0;
    while (zeros < LUCCHESI_MAX_LEVEL && code % powers[zeros + 1] == 0)
        ++zeros;
    return powers[zeros];
}

// Octants of one object are never on one path, so no object meets itself.
static bool walk(const Job *job, const EntryList *list, PairList *found)
{
    for (size_t i = 0; i < list->count; ++i) {
        Entry first = list->data[i];
        uint32_t unit = path_unit(first.code);
        for (size_t k = i + 1; k < list->count; ++k) {
            Entry second = list->data[k];
            if (second.code - second.code % unit != first.code)
                break;
            ++found->candidate_count;
            if (!boxes_touch(job->boxes + 6 * (size_t)first.object, job->boxes + 6 * (size_t)second.object))
                continue;
            if (found->pairs.count == found->pairs.capacity &&
                !impi_array_reserve(job->allocator, &found->pairs, sizeof *found->pairs.data,
                                    found->pairs.count + 1))
                return false;
            bool ascending = first.object < second.object;
            found->pairs.data[found->pairs.count++] = (imp_IndexPair){
                ascending ? first.object : second.object, ascending ? second.object : first.object};
        }
    }
    return true;
}

static int compare_pairs(const void *a, const void *b)
{
    const imp_IndexPair *left = a, *right = b;
    if (left->a != right->a)
        return left->a < right->a ? -1 : 1;
    return (left->b > right->b) - (left->b < right->b);
}

static size_t remove_repeated(imp_IndexPair *pairs, size_t count)
{
    size_t kept = 0;
    if (count > 0)
        qsort(pairs, count, sizeof *pairs, compare_pairs);
    for (size_t i = 0; i < count; ++i)
        if (kept == 0 || compare_pairs(&pairs[kept - 1], &pairs[i]) != 0)
            pairs[kept++] = pairs[i];
    return kept;
}

static bool merge_machines(Job *job, EntryList *merged)
{
    EntryList **lists = calloc(job->machine_count, sizeof *lists);
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
        for (uint32_t i = PROCESSORS_PER_MACHINE * m;
             i < job->slave_count && i < PROCESSORS_PER_MACHINE * (m + 1); ++i) {
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
    EntryList merged = {0};
    PairList found = {0};
    LucchesiTimes *times = &result->times;
    uint64_t wall_start = impi_clock_ns();
    bool done = run_slaves(context, job);
    double start = thread_time_ns();
    done = done && merge_machines(job, &merged);
    double merged_at = thread_time_ns();
    done = done && walk(job, &merged, &found);
    double walked_at = thread_time_ns();
    times->measured_ns = (double)(impi_clock_ns() - wall_start);
    size_t kept = remove_repeated(found.pairs.data, found.pairs.count);
    times->part_ns[LUCCHESI_MASTER_MERGE] = merged_at - start;
    times->part_ns[LUCCHESI_WALK] = walked_at - merged_at;
    times->part_ns[LUCCHESI_DISTINCT] = thread_time_ns() - walked_at;
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
    job.machine_count = (slave_count + PROCESSORS_PER_MACHINE - 1) / PROCESSORS_PER_MACHINE;
    job.slaves = calloc(slave_count, sizeof *job.slaves);
    job.machines = calloc(job.machine_count, sizeof *job.machines);
    *result = (LucchesiResult){0};
    choose_root(&job);
    bool done = job.slaves && job.machines && run_all(context, &job, result);
    for (uint32_t i = 0; job.slaves && i < slave_count; ++i)
        impi_array_free(job.allocator, &job.slaves[i].list, sizeof *job.slaves[i].list.data);
    for (uint32_t i = 0; job.machines && i < job.machine_count; ++i)
        impi_array_free(job.allocator, &job.machines[i].list, sizeof *job.machines[i].list.data);
    free(job.slaves);
    free(job.machines);
    return done;
}
