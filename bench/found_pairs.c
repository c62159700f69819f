#include "found_pairs.h"

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

void found_pairs_reserve(FoundPairs *found, size_t capacity)
{
    imp_FacePair *pairs = realloc(found->pairs, capacity * sizeof *pairs);
    if (!pairs)
        bench_fail(IMP_STATUS_OUT_OF_MEMORY);
    found->pairs = pairs;
    found->capacity = capacity;
}

void found_pairs_end_pose(FoundPairs *found, size_t count)
{
    found->count += count;
    found->ends[found->pose_count++] = found->count;
}

static int compare_pairs(const void *left, const void *right)
{
    const imp_FacePair *a = left, *b = right;
    uint64_t x = (uint64_t)a->face_a << 32 | a->face_b, y = (uint64_t)b->face_a << 32 | b->face_b;
    return (x > y) - (x < y);
}

void found_pairs_compare(FoundPairs *found, size_t pose, const imp_Report *report)
{
    size_t begin = pose ? found->ends[pose - 1] : 0, count = found->ends[pose] - begin;
    size_t next = 0, distinct = 0;
    imp_FacePair *theirs = found->pairs + begin;
    qsort(theirs, count, sizeof *theirs, compare_pairs);
    for (size_t i = 0; i < count; ++i) {
        if (i == 0 || compare_pairs(&theirs[i - 1], &theirs[i]) != 0)
            theirs[distinct++] = theirs[i];
    }
    for (size_t k = 0; k < report->face_pair_count; ++k) {
        imp_FacePair ours = {report->face_pairs[k].face_a, report->face_pairs[k].face_b};
        for (; next < distinct && compare_pairs(&theirs[next], &ours) < 0; ++next)
            ++found->invented;
        bool same = next < distinct && compare_pairs(&theirs[next], &ours) == 0;
        found->missing += !same;
        next += same;
    }
    found->invented += distinct - next;
}

const char *found_pairs_describe(FoundPairs *found)
{
    bool same = found->missing == 0 && found->invented == 0;
    snprintf(found->text, sizeof found->text, same ? "yes" : "-%zu/+%zu", found->missing, found->invented);
    found_pairs_free(found);
    found->is_compared = true;
    return found->text;
}

void found_pairs_free(FoundPairs *found)
{
    free(found->pairs);
    found->pairs = NULL;
    found->capacity = found->count = 0;
}
