#include "base/list_changes.h"

#include "harness.h"

#define MAX_ITEMS 12

typedef struct Lists {
    int before[MAX_ITEMS], after[MAX_ITEMS];
    size_t before_count, after_count;
    int ended[MAX_ITEMS], begun[MAX_ITEMS];
    size_t ended_count, begun_count;
    size_t room;     // for items of both kinds
    size_t refusals; // of items for which there was none
} Lists;

static int compare(size_t i, size_t k, const void *argument)
{
    const Lists *lists = argument;
    return lists->before[i] - lists->after[k];
}

static bool has_room(Lists *lists)
{
    bool has_room = lists->ended_count + lists->begun_count < lists->room;
    lists->refusals += !has_room;
    return has_room;
}

static bool end_item(size_t i, void *argument)
{
    Lists *lists = argument;
    if (!has_room(lists))
        return false;
    lists->ended[lists->ended_count++] = lists->before[i];
    return true;
}

static bool begin_item(size_t k, void *argument)
{
    Lists *lists = argument;
    if (!has_room(lists))
        return false;
    lists->begun[lists->begun_count++] = lists->after[k];
    return true;
}

static bool walk(Lists *lists)
{
    lists->ended_count = lists->begun_count = lists->refusals = 0;
    bool done =
        impi_list_changes(lists->before_count, lists->after_count, compare, end_item, begin_item, lists);
    CHECK_INT(lists->refusals, !done); // nobody is asked again after that
    return done;
}

static bool is_in(const int *list, size_t count, int item)
{
    for (size_t i = 0; i < count; ++i)
        if (list[i] == item)
            return true;
    return false;
}

// `found` is what of `list` is not in `other`, in order; or the begin of that.
static size_t check_missing(const int *list, size_t count, const int *other, size_t other_count,
                            const int *found, size_t found_count)
{
    size_t missing = 0;
    for (size_t i = 0; i < count; ++i)
        if (!is_in(other, other_count, list[i])) {
            if (missing < found_count)
                CHECK_INT(found[missing], list[i]);
            ++missing;
        }
    CHECK(found_count <= missing);
    return missing;
}

static size_t random_list(int *list)
{
    size_t count = 0;
    uint32_t odds = 1 + test_random_below(4);
    for (int item = 0; item < MAX_ITEMS; ++item)
        if (test_random_below(4) < odds - 1)
            list[count++] = item;
    return count;
}

TEST(empty_lists_have_no_changes)
{
    Lists lists = {.room = 0};
    CHECK(walk(&lists));
    CHECK_INT(lists.ended_count + lists.begun_count, 0);
}

TEST(all_begins_or_all_ends)
{
    Lists lists = {.before = {1, 2, 3}, .before_count = 3, .room = MAX_ITEMS};
    CHECK(walk(&lists));
    CHECK_INT(lists.ended_count, 3);
    CHECK_INT(lists.begun_count, 0);
    lists = (Lists){.after = {1, 2, 3}, .after_count = 3, .room = MAX_ITEMS};
    CHECK(walk(&lists));
    CHECK_INT(lists.ended_count, 0);
    CHECK_INT(lists.begun_count, 3);
}

TEST(the_same_lists_have_no_changes)
{
    Lists lists = {.before = {1, 5, 9}, .after = {1, 5, 9}, .before_count = 3, .after_count = 3};
    CHECK(walk(&lists));
    CHECK_INT(lists.ended_count + lists.begun_count, 0);
}

// A callback that has no room ends the walk, whether items of both lists are left or of one.
TEST(callbacks_end_the_walk)
{
    Lists lists = {.before = {1, 3, 5}, .after = {2, 3, 7, 8}, .before_count = 3, .after_count = 4};
    static const size_t ended[] = {0, 1, 1, 2, 2, 2}, begun[] = {0, 0, 1, 1, 2, 3};
    for (lists.room = 0; lists.room <= 5; ++lists.room) {
        CHECK(walk(&lists) == (lists.room == 5));
        CHECK_INT(lists.ended_count, ended[lists.room]);
        CHECK_INT(lists.begun_count, begun[lists.room]);
    }
}

TEST(random_lists_against_brute_force)
{
    uint64_t stopped = 0, equal = 0, changed = 0;
    uint64_t count = test_count(20000);
    for (uint64_t i = 0; i < count; ++i) {
        Lists lists = {.room = test_random_below(3) ? 2 * MAX_ITEMS : test_random_below(4)};
        lists.before_count = random_list(lists.before);
        lists.after_count = random_list(lists.after);
        bool done = walk(&lists);
        size_t missing = check_missing(lists.before, lists.before_count, lists.after, lists.after_count,
                                       lists.ended, lists.ended_count) +
                         check_missing(lists.after, lists.after_count, lists.before, lists.before_count,
                                       lists.begun, lists.begun_count);
        CHECK(done == (missing <= lists.room));
        CHECK_INT(lists.ended_count + lists.begun_count, missing < lists.room ? missing : lists.room);
        stopped += !done;
        equal += missing == 0;
        changed += missing > 0 && done;
    }
    if (count >= 1000)
        CHECK(stopped > count / 10 && equal > count / 100 && changed > count / 4);
}
