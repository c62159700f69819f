// imp_Broad beside imp_pairs_find, frame by frame, while boxes move, jump, grow, come and go; and the lists
// of begun and ended pairs beside what follows from the pairs of two frames.
#include "harness.h"

#include <impinge/broad.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BOXES 600
#define FRAMES    50
#define MAX_PAIRS ((size_t)MAX_BOXES * (MAX_BOXES - 1) / 2)

typedef struct Member {
    imp_BroadId id;
    double center[3], half, speed[3];
    uint64_t category_bits, ignore_bits;
} Member;

typedef struct Motion {
    imp_Context *context;
    imp_Broad *broad;
    bool is_float, has_filters;
    double world;
    size_t count;
    Member members[MAX_BOXES];
    uint32_t born[MAX_BOXES * FRAMES + 1]; // frame in which a slot was last given away
    uint32_t frame;
    imp_IndexPair *want, *before, *found;
    size_t want_count, before_count;
} Motion;

static double rounded(const Motion *motion, double x)
{
    volatile float narrow = (float)x; // gcc 12 at -O3 leaves out roundings to and fro
    return motion->is_float ? (double)narrow : x;
}

static imp_Box box_of(const Motion *motion, const Member *member)
{
    double low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = rounded(motion, member->center[k] - member->half);
        high[k] = rounded(motion, member->center[k] + member->half);
    }
    return (imp_Box){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

static void place_anywhere(const Motion *motion, Member *member)
{
    for (int k = 0; k < 3; ++k) {
        member->center[k] = test_random_between(0, motion->world);
        member->speed[k] = test_random_between(-0.05, 0.05);
    }
    member->half = test_random_below(20) ? test_random_between(0.1, 0.6) : test_random_between(1, 5);
}

static void add_member(Motion *motion)
{
    if (motion->count == MAX_BOXES)
        return;
    Member *member = &motion->members[motion->count++];
    place_anywhere(motion, member);
    member->category_bits = (uint64_t)1 << test_random_below(3);
    member->ignore_bits = motion->has_filters ? test_random_below(8) : 0;
    imp_Box box = box_of(motion, member);
    CHECK_INT(imp_broad_add(motion->broad, &box, member->category_bits, member->ignore_bits, &member->id),
              IMP_STATUS_OK);
    motion->born[member->id.slot] = motion->frame;
}

static void remove_member(Motion *motion)
{
    if (motion->count == 0)
        return;
    size_t i = test_random_below((uint32_t)motion->count);
    imp_BroadId id = motion->members[i].id;
    CHECK_INT(imp_broad_remove(motion->broad, id), IMP_STATUS_OK);
    CHECK(!imp_broad_is_valid(motion->broad, id));
    CHECK_INT(imp_broad_remove(motion->broad, id), IMP_STATUS_BAD_INDEX);
    motion->members[i] = motion->members[--motion->count];
}

// One in a hundred jumps, one in a hundred changes its size.
static void move_members(Motion *motion)
{
    for (size_t i = 0; i < motion->count; ++i) {
        Member *member = &motion->members[i];
        if (test_random_below(100) == 0)
            place_anywhere(motion, member);
        if (test_random_below(100) == 0)
            member->half *= test_random_between(0.5, 2);
        for (int k = 0; k < 3; ++k)
            member->center[k] += member->speed[k];
        imp_Box box = box_of(motion, member);
        if (!CHECK_INT(imp_broad_move(motion->broad, member->id, &box), IMP_STATUS_OK))
            return;
    }
}

static int compare_pairs(const void *a, const void *b)
{
    const imp_IndexPair *p = a, *q = b;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

// Through imp_pairs_find on the same boxes, in slots.
static void find_want(Motion *motion)
{
    static double rows[MAX_BOXES][6];
    uint64_t count;
    for (size_t i = 0; i < motion->count; ++i) {
        imp_Box box = box_of(motion, &motion->members[i]);
        memcpy(rows[i], &box, sizeof rows[i]);
    }
    imp_BoxArray boxes = {NULL, rows[0], motion->count};
    CHECK_INT(imp_pairs_find(motion->context, &boxes, motion->found, MAX_PAIRS, &count), IMP_STATUS_OK);
    motion->want_count = 0;
    for (uint64_t i = 0; i < count; ++i) {
        const Member *p = &motion->members[motion->found[i].a], *q = &motion->members[motion->found[i].b];
        if ((p->category_bits & q->ignore_bits) || (q->category_bits & p->ignore_bits))
            continue;
        bool in_order = p->id.slot < q->id.slot;
        motion->want[motion->want_count++] =
            (imp_IndexPair){in_order ? p->id.slot : q->id.slot, in_order ? q->id.slot : p->id.slot};
    }
    qsort(motion->want, motion->want_count, sizeof *motion->want, compare_pairs);
}

static bool has_pair(const imp_IndexPair *pairs, size_t count, imp_IndexPair pair)
{
    return count > 0 && bsearch(&pair, pairs, count, sizeof *pairs, compare_pairs);
}

static bool is_reborn(const Motion *motion, imp_IndexPair pair)
{
    return motion->born[pair.a] == motion->frame || motion->born[pair.b] == motion->frame;
}

// Pairs of one list that the other has not, or that belong to other boxes now.
static size_t list_changes(const Motion *motion, const imp_IndexPair *pairs, size_t count,
                           const imp_IndexPair *others, size_t other_count, imp_IndexPair *changes)
{
    size_t change_count = 0;
    for (size_t i = 0; i < count; ++i)
        if (!has_pair(others, other_count, pairs[i]) || is_reborn(motion, pairs[i]))
            changes[change_count++] = pairs[i];
    return change_count;
}

static bool are_equal(const imp_IndexPair *got, size_t got_count, const imp_IndexPair *want,
                      size_t want_count)
{
    return CHECK_INT((int64_t)got_count, (int64_t)want_count) &&
           (want_count == 0 || CHECK(memcmp(got, want, want_count * sizeof *got) == 0));
}

static bool check_frame(Motion *motion, size_t *change_count)
{
    const imp_BroadResult *result;
    if (!CHECK_INT(imp_broad_update(motion->broad, &result), IMP_STATUS_OK))
        return false;
    find_want(motion);
    bool fine = are_equal(result->pairs, result->pair_count, motion->want, motion->want_count);
    size_t begun = list_changes(motion, motion->want, motion->want_count, motion->before,
                                motion->before_count, motion->found);
    fine = fine && are_equal(result->begun, result->begun_count, motion->found, begun);
    size_t ended = list_changes(motion, motion->before, motion->before_count, motion->want,
                                motion->want_count, motion->found);
    fine = fine && are_equal(result->ended, result->ended_count, motion->found, ended);
    fine = fine && CHECK_INT((int64_t)imp_broad_get_count(motion->broad), (int64_t)motion->count);
    *change_count += begun + ended;
    imp_IndexPair *spare = motion->before;
    motion->before = motion->want;
    motion->before_count = motion->want_count;
    motion->want = spare;
    return fine;
}

static bool run_sequence(Motion *motion, uint64_t number, size_t *change_count)
{
    imp_BroadDef def = {.precision = motion->is_float ? IMP_BROAD_FLOAT : IMP_BROAD_DOUBLE,
                        .expected_count = number % 3 * 100};
    bool fine = CHECK_INT(imp_broad_create(motion->context, &def, &motion->broad), IMP_STATUS_OK);
    motion->count = motion->before_count = 0;
    motion->frame = 1;
    memset(motion->born, 0, sizeof motion->born);
    uint32_t start = test_random_below(MAX_BOXES);
    motion->world = test_random_between(0.8, 2.5) * cbrt((double)start + 1);
    for (uint32_t i = 0; i < start; ++i)
        add_member(motion);
    for (; fine && motion->frame <= FRAMES; ++motion->frame) {
        fine = check_frame(motion, change_count);
        ++motion->frame;
        // In some sequences few come and go, in some very many at once.
        uint32_t visits = number % 4 == 0 ? test_random_below(300) : test_random_below(4);
        for (uint32_t i = 0; i < visits; ++i) {
            if (test_random() & 1)
                add_member(motion);
            else
                remove_member(motion);
        }
        move_members(motion);
        --motion->frame;
        for (size_t slot = 0; slot < sizeof motion->born / sizeof motion->born[0]; ++slot)
            motion->born[slot] = motion->born[slot] == motion->frame + 1 ? motion->frame + 1 : 0;
    }
    imp_broad_destroy(motion->broad);
    return fine;
}

TEST(every_frame_agrees_with_a_search_from_scratch)
{
    static const uint32_t thread_counts[3] = {1, 2, 5};
    static Motion motion;
    size_t change_count = 0;
    imp_IndexPair *pairs = malloc(3 * MAX_PAIRS * sizeof *pairs);
    bool fine = CHECK(pairs);
    for (uint64_t i = 0; fine && i < test_count(24); ++i) {
        motion.want = pairs;
        motion.before = pairs + MAX_PAIRS;
        motion.found = pairs + 2 * MAX_PAIRS;
        motion.is_float = i & 1;
        motion.has_filters = i / 2 & 1;
        imp_ContextDef def = {.thread_count = thread_counts[i % 3]};
        fine = CHECK_INT(imp_context_create(&def, &motion.context), IMP_STATUS_OK) &&
               run_sequence(&motion, i, &change_count);
        imp_context_destroy(motion.context);
    }
    CHECK(change_count > 1000);
    free(pairs);
}
