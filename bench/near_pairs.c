#include "near_pairs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void near_pairs_add(NearPairs *list, NearPair pair)
{
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 1000;
        list->pairs = realloc(list->pairs, list->capacity * sizeof *list->pairs);
        if (!list->pairs)
            exit(1);
    }
    if (pair.a > pair.b) {
        uint32_t first = pair.b;
        pair.b = pair.a;
        pair.a = first;
    }
    list->pairs[list->count++] = pair;
}

void near_pairs_free(NearPairs *list)
{
    free(list->pairs);
    *list = (NearPairs){0};
}

static int compare_pairs(const void *left, const void *right)
{
    const NearPair *p = left, *q = right;
    if (p->frame != q->frame)
        return p->frame < q->frame ? -1 : 1;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

static void sort(NearPairs *list)
{
    if (list->count)
        qsort(list->pairs, list->count, sizeof *list->pairs, compare_pairs);
}

bool near_pairs_differ(double distance, double expected)
{
    return !(fabs(distance - expected) <= 1e-6 * expected);
}

void near_pairs_compare(NearPairs *list, NearPairs *expected, char *text, size_t size)
{
    size_t i = 0, k = 0, missing = 0, invented = 0;
    sort(list);
    sort(expected);
    while (i < list->count || k < expected->count) {
        int order = i == list->count       ? 1
                    : k == expected->count ? -1
                                           : compare_pairs(&list->pairs[i], &expected->pairs[k]);
        bool differs = order != 0 || near_pairs_differ(list->pairs[i].distance, expected->pairs[k].distance);
        invented += order <= 0 && differs;
        missing += order >= 0 && differs;
        i += order <= 0;
        k += order >= 0;
    }
    snprintf(text, size, missing || invented ? "-%zu/+%zu" : "yes", missing, invented);
}
