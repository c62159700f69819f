// The paper's program, 3.3.2, with what its figure of the system says of machines: the master sends each
// slave its objects, a slave sends its sorted list to the networked slave of its machine, that one sends what
// it has merged to the master, and the master merges those and walks along the list.
//
// What the paper leaves open, and how it is done here:
// - The master is a slave as well, and a networked one: it would only wait meanwhile.
// - All know the octree and how many objects there are; how long lists are, all tell each other.
// - What would fail for want of memory is found out before lists travel, by all together.
// - Two processors of a machine share memory in the paper; here they, too, send messages.
#include "lucchesi_messages.h"

#include "base/clock.h"
#include "base/memory.h"

#include <string.h>

typedef struct Entries {
    LucchesiEntry *data;
    size_t count;
} Entries;

typedef struct Rank {
    const impi_Exchange *exchange;
    const imp_Allocator *allocator;
    const LucchesiJob *job;
    LucchesiRankTimes *times;
    double *room_for_boxes;
    const double *boxes;         // this slave's
    LucchesiList list;           // of this slave
    uint64_t *list_counts;       // of all slaves
    Entries gathered, merged;    // of the machine; of networked slaves alone
    Entries collected, complete; // of all; of the master alone
    size_t *starts[2];           // rows sent and received
} Rank;

static size_t first_box(const Rank *rank, uint32_t slave)
{
    return rank->job->box_count * slave / rank->exchange->rank_count;
}

static size_t box_count_of(const Rank *rank, uint32_t slave)
{
    return first_box(rank, slave + 1) - first_box(rank, slave);
}

static uint32_t networked_slave(uint32_t slave)
{
    return slave - slave % LUCCHESI_PROCESSORS_PER_MACHINE;
}

static bool is_networked(const Rank *rank)
{
    return networked_slave(rank->exchange->rank) == rank->exchange->rank;
}

// Entries of all slaves of a machine.
static size_t machine_count(const Rank *rank, uint32_t networked)
{
    size_t count = 0;
    for (uint32_t slave = networked;
         slave < rank->exchange->rank_count && networked_slave(slave) == networked; ++slave)
        count += (size_t)rank->list_counts[slave];
    return count;
}

// Times of parts end where messages begin.
static void end_part(const Rank *rank, LucchesiPart part, uint64_t *since)
{
    uint64_t now = impi_thread_clock_ns();
    rank->times->part_ns[part] += now - *since;
    *since = now;
}

static bool allocate_entries(const Rank *rank, Entries *entries, size_t count)
{
    entries->count = count;
    entries->data = impi_allocate_array(rank->allocator, count, sizeof *entries->data);
    return entries->data || count == 0;
}

static void free_entries(const Rank *rank, Entries *entries)
{
    impi_release(rank->allocator, entries->data, entries->count * sizeof *entries->data);
}

// ---- messages

static void begin_mail(const Rank *rank)
{
    size_t size = (rank->exchange->rank_count + (size_t)1) * sizeof *rank->starts[0];
    memset(rank->starts[0], 0, size);
    memset(rank->starts[1], 0, size);
}

static void announce(const Rank *rank, int is_received, uint32_t other, size_t count)
{
    rank->starts[is_received][other + 1] = count;
}

static void deliver(const Rank *rank, LucchesiPart part, size_t row_size, const void *sent, void *received)
{
    uint64_t since = impi_clock_ns();
    for (int i = 0; i < 2; ++i)
        for (uint32_t other = 0; other < rank->exchange->rank_count; ++other)
            rank->starts[i][other + 1] += rank->starts[i][other];
    rank->exchange->calls->deliver(rank->exchange->user, row_size, (impi_Mail){sent, rank->starts[0]},
                                   (impi_MailBox){received, rank->starts[1]});
    rank->times->call_ns[part] += impi_clock_ns() - since;
}

static bool all_are_fine(const Rank *rank, LucchesiPart part, bool is_fine)
{
    uint64_t failed = !is_fine, since = impi_clock_ns();
    rank->exchange->calls->all_reduce(rank->exchange->user, &failed, 1, IMPI_REDUCE_MAX);
    rank->times->call_ns[part] += impi_clock_ns() - since;
    return !failed;
}

// ---- slaves

// The master's own are where they belong, as is all that a rank would send itself.
static void share_boxes(Rank *rank, const double *boxes)
{
    uint32_t own = rank->exchange->rank;
    begin_mail(rank);
    announce(rank, 1, 0, box_count_of(rank, own));
    for (uint32_t slave = 0; own == 0 && slave < rank->exchange->rank_count; ++slave)
        announce(rank, 0, slave, box_count_of(rank, slave));
    deliver(rank, LUCCHESI_ENCODE, 6 * sizeof *boxes, boxes, rank->room_for_boxes);
    rank->boxes = own == 0 ? boxes : rank->room_for_boxes;
}

static bool make_list(Rank *rank)
{
    uint64_t since = impi_thread_clock_ns();
    uint32_t own = rank->exchange->rank;
    bool is_fine = lucchesi_encode(rank->allocator, &rank->job->root, rank->boxes,
                                   (uint32_t)first_box(rank, own), box_count_of(rank, own), &rank->list);
    end_part(rank, LUCCHESI_ENCODE, &since);
    lucchesi_sort(&rank->list);
    end_part(rank, LUCCHESI_SORT, &since);
    return is_fine;
}

// Room for what will come, which all know then.
static bool make_room(Rank *rank)
{
    uint64_t own = rank->list.count, since = impi_clock_ns();
    size_t all = 0;
    bool is_fine = true;
    rank->exchange->calls->all_gather(rank->exchange->user, &own, sizeof own, rank->list_counts);
    rank->times->call_ns[LUCCHESI_SORT] += impi_clock_ns() - since;
    for (uint32_t slave = 0; slave < rank->exchange->rank_count; ++slave)
        all += (size_t)rank->list_counts[slave];
    if (is_networked(rank)) {
        size_t count = machine_count(rank, rank->exchange->rank);
        is_fine =
            allocate_entries(rank, &rank->gathered, count) && allocate_entries(rank, &rank->merged, count);
    }
    if (rank->exchange->rank == 0)
        is_fine = is_fine && allocate_entries(rank, &rank->collected, all) &&
                  allocate_entries(rank, &rank->complete, all);
    return is_fine;
}

static void merge(const Rank *rank, LucchesiRun *runs, size_t run_count, LucchesiPart part, const Entries *to)
{
    uint64_t since = impi_thread_clock_ns();
    lucchesi_merge_runs(rank->job->merge, runs, run_count, to->data);
    end_part(rank, part, &since);
}

static void merge_machine(Rank *rank)
{
    LucchesiRun runs[LUCCHESI_PROCESSORS_PER_MACHINE];
    uint32_t own = rank->exchange->rank, networked = networked_slave(own);
    size_t run_count = 0, begin = 0;
    begin_mail(rank);
    announce(rank, 0, networked, rank->list.count);
    for (uint32_t slave = own;
         is_networked(rank) && slave < rank->exchange->rank_count && networked_slave(slave) == networked;
         ++slave) {
        size_t count = (size_t)rank->list_counts[slave];
        announce(rank, 1, slave, count);
        if (count > 0) {
            const LucchesiEntry *list = slave == own ? rank->list.data : rank->gathered.data + begin;
            runs[run_count++] = (LucchesiRun){list, list + count};
        }
        begin += count;
    }
    deliver(rank, LUCCHESI_SORT, sizeof(LucchesiEntry), rank->list.data, rank->gathered.data);
    if (is_networked(rank))
        merge(rank, runs, run_count, LUCCHESI_MACHINE_MERGE, &rank->merged);
}

// ---- the master

// Returns how many lists there are.
static size_t collect_lists(Rank *rank, LucchesiRun *runs)
{
    bool is_master = rank->exchange->rank == 0;
    size_t run_count = 0, begin = 0;
    begin_mail(rank);
    announce(rank, 0, 0, rank->merged.count);
    for (uint32_t slave = 0; is_master && slave < rank->exchange->rank_count;
         slave += LUCCHESI_PROCESSORS_PER_MACHINE) {
        size_t count = machine_count(rank, slave);
        const LucchesiEntry *list = slave == 0 ? rank->merged.data : rank->collected.data + begin;
        announce(rank, 1, slave, count);
        if (count > 0)
            runs[run_count++] = (LucchesiRun){list, list + count};
        begin += count;
    }
    deliver(rank, LUCCHESI_MACHINE_MERGE, sizeof(LucchesiEntry), rank->merged.data, rank->collected.data);
    return run_count;
}

static bool find_pairs(const Rank *rank, const double *boxes, LucchesiRun *runs, size_t run_count,
                       LucchesiFound *result)
{
    LucchesiList list = {rank->complete.data, rank->complete.count, rank->complete.count};
    merge(rank, runs, run_count, LUCCHESI_MASTER_MERGE, &rank->complete);
    uint64_t since = impi_thread_clock_ns();
    bool is_fine = lucchesi_walk(rank->allocator, boxes, &list, &result->found);
    end_part(rank, LUCCHESI_WALK, &since);
    result->found.pairs.count = lucchesi_remove_repeated(result->found.pairs.data, result->found.pairs.count);
    end_part(rank, LUCCHESI_DISTINCT, &since);
    result->code_count = list.count;
    return is_fine;
}

// ---- the whole

// With no room for these, nothing can be said: so all agree on it first.
typedef struct Room {
    size_t size;
    void *storage;
    LucchesiRun *runs;
} Room;

static bool open_rank(Rank *rank, Room *room)
{
    size_t rank_count = rank->exchange->rank_count, own = box_count_of(rank, rank->exchange->rank);
    size_t starts = (rank_count + 1) * sizeof *rank->starts[0],
           lists = rank_count * sizeof *rank->list_counts, runs = rank_count * sizeof *room->runs;
    room->size = 2 * starts + lists + runs + 6 * own * sizeof *rank->boxes;
    room->storage = impi_allocate(rank->allocator, room->size);
    char *next = room->storage;
    if (!all_are_fine(rank, LUCCHESI_ENCODE, next))
        return false;
    rank->starts[0] = (void *)next;
    rank->starts[1] = (void *)(next + starts);
    rank->list_counts = (void *)(next + 2 * starts);
    room->runs = (void *)(next + 2 * starts + lists);
    rank->room_for_boxes = (void *)(next + 2 * starts + lists + runs);
    return true;
}

static bool run(Rank *rank, const double *boxes, LucchesiRun *runs, LucchesiFound *result)
{
    share_boxes(rank, boxes);
    bool is_fine = make_list(rank);
    if (!all_are_fine(rank, LUCCHESI_SORT, make_room(rank) && is_fine))
        return false;
    merge_machine(rank);
    size_t run_count = collect_lists(rank, runs);
    return rank->exchange->rank != 0 || find_pairs(rank, boxes, runs, run_count, result);
}

bool lucchesi_messages_find(const impi_Exchange *exchange, const imp_Allocator *allocator,
                            const LucchesiJob *job, const double *boxes, LucchesiRankTimes *times,
                            LucchesiFound *result)
{
    Rank rank = {.exchange = exchange, .allocator = allocator, .job = job, .times = times};
    Room room;
    *result = (LucchesiFound){0};
    bool is_fine = open_rank(&rank, &room) && run(&rank, boxes, room.runs, result);
    impi_array_free(allocator, &rank.list, sizeof *rank.list.data);
    free_entries(&rank, &rank.gathered);
    free_entries(&rank, &rank.merged);
    free_entries(&rank, &rank.collected);
    free_entries(&rank, &rank.complete);
    impi_release(allocator, room.storage, room.size);
    return is_fine;
}
