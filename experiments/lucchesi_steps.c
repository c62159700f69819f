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
#include "lucchesi_steps.h"

#include <math.h>
#include <stdlib.h>

static const uint32_t powers[LUCCHESI_MAX_LEVEL + 1] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
};

// ---- the octree

void lucchesi_choose_root(const double *boxes, size_t count, LucchesiRoot *root)
{
    double max[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int axis = 0; axis < 3; ++axis) {
        root->origin[axis] = INFINITY;
        for (size_t i = 0; i < count; ++i) {
            root->origin[axis] = fmin(root->origin[axis], boxes[6 * i + (size_t)axis]);
            max[axis] = fmax(max[axis], boxes[6 * i + 3 + (size_t)axis]);
        }
    }
    // Borders of the smallest octants are numbers of their own, also around a single point.
    double edge = 1e-300;
    for (int axis = 0; axis < 3; ++axis)
        edge = fmax(edge, 0x1p-40 * fmax(fabs(root->origin[axis]), fabs(max[axis])));
    for (int axis = 0; axis < 3; ++axis) {
        edge = fmax(edge, max[axis] - root->origin[axis]);
        while (root->origin[axis] + edge < max[axis])
            edge *= 1 + 1e-15;
    }
    for (int level = 0; level <= LUCCHESI_MAX_LEVEL; ++level)
        root->edges[level] = ldexp(edge, -level);
}

// Octants that are neighbours share the very same border, on every level: halving an edge is exact, so both
// compute origin + the same number.
static double border(const LucchesiRoot *root, int axis, uint32_t cell, unsigned level)
{
    return root->origin[axis] + root->edges[level] * cell;
}

static bool touches_octant(const LucchesiRoot *root, const double *box, const uint32_t cell[3],
                           unsigned level)
{
    for (int axis = 0; axis < 3; ++axis)
        if (box[axis] > border(root, axis, cell[axis] + 1, level) ||
            box[axis + 3] < border(root, axis, cell[axis], level))
            return false;
    return true;
}

static unsigned deepest_level(const LucchesiRoot *root, const double *box)
{
    double side = fmax(box[3] - box[0], fmax(box[4] - box[1], box[5] - box[2]));
    unsigned level = 1;
    while (level < LUCCHESI_MAX_LEVEL && root->edges[level + 1] >= side)
        ++level;
    return level;
}

typedef struct Search {
    const LucchesiRoot *root;
    const imp_Allocator *allocator;
    const double *box;
    unsigned deepest;
    uint32_t object;
    LucchesiList *list;
    bool out_of_memory;
} Search;

// All octants inside of this one that the object touches.
static void search_octree(Search *search, const uint32_t cell[3], unsigned level, uint32_t code)
{
    for (uint32_t octant = 0; octant < 8; ++octant) {
        uint32_t child[3] = {2 * cell[0] + (octant & 1), 2 * cell[1] + (octant >> 1 & 1),
                             2 * cell[2] + (octant >> 2)};
        if (!touches_octant(search->root, search->box, child, level + 1))
            continue;
        uint32_t child_code = code + (octant + 1) * powers[LUCCHESI_MAX_LEVEL - level - 1];
        if (level + 1 < search->deepest) {
            search_octree(search, child, level + 1, child_code);
            continue;
        }
        LucchesiList *list = search->list;
        if (list->count == list->capacity &&
            !impi_array_reserve(search->allocator, list, sizeof *list->data, list->count + 1)) {
            search->out_of_memory = true;
            return;
        }
        list->data[list->count++] = (LucchesiEntry){child_code, search->object};
    }
}

bool lucchesi_encode(const imp_Allocator *allocator, const LucchesiRoot *root, const double *boxes,
                     uint32_t first_object, size_t count, LucchesiList *list)
{
    Search search = {.root = root, .allocator = allocator, .list = list};
    for (size_t i = 0; i < count && !search.out_of_memory; ++i) {
        search.box = boxes + 6 * i;
        search.deepest = deepest_level(root, search.box);
        search.object = first_object + (uint32_t)i;
        search_octree(&search, (uint32_t[]){0, 0, 0}, 0, 0);
    }
    return !search.out_of_memory;
}

// ---- lists

static int compare_entries(const void *a, const void *b)
{
    const LucchesiEntry *left = a, *right = b;
    if (left->code != right->code)
        return left->code < right->code ? -1 : 1;
    return (left->object > right->object) - (left->object < right->object);
}

void lucchesi_sort(const LucchesiList *list)
{
    if (list->count > 0)
        qsort(list->data, list->count, sizeof *list->data, compare_entries);
}

static bool run_is_before(const LucchesiRun *a, const LucchesiRun *b)
{
    return compare_entries(a->head, b->head) < 0;
}

static void merge_by_heads(LucchesiRun *runs, size_t run_count, LucchesiEntry *merged)
{
    for (;;) {
        size_t smallest = run_count;
        for (size_t i = 0; i < run_count; ++i)
            if (runs[i].head < runs[i].end &&
                (smallest == run_count || run_is_before(&runs[i], &runs[smallest])))
                smallest = i;
        if (smallest == run_count)
            return;
        *merged++ = *runs[smallest].head++;
    }
}

static void sift_down(LucchesiRun *heap, size_t count, size_t parent)
{
    for (size_t child; (child = 2 * parent + 1) < count; parent = child) {
        if (child + 1 < count && run_is_before(&heap[child + 1], &heap[child]))
            ++child;
        if (!run_is_before(&heap[child], &heap[parent]))
            return;
        LucchesiRun kept = heap[parent];
        heap[parent] = heap[child];
        heap[child] = kept;
    }
}

static void merge_by_heap(LucchesiRun *runs, size_t run_count, LucchesiEntry *merged)
{
    size_t count = 0;
    for (size_t i = 0; i < run_count; ++i)
        if (runs[i].head < runs[i].end)
            runs[count++] = runs[i];
    for (size_t parent = count / 2; parent-- > 0;)
        sift_down(runs, count, parent);
    while (count > 0) {
        *merged++ = *runs[0].head++;
        if (runs[0].head == runs[0].end)
            runs[0] = runs[--count];
        sift_down(runs, count, 0);
    }
}

void lucchesi_merge_runs(LucchesiMerge merge, LucchesiRun *runs, size_t run_count, LucchesiEntry *merged)
{
    if (merge == LUCCHESI_MERGE_HEAP)
        merge_by_heap(runs, run_count, merged);
    else
        merge_by_heads(runs, run_count, merged);
}

// ---- the walk

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
bool lucchesi_walk(const imp_Allocator *allocator, const double *boxes, const LucchesiList *list,
                   LucchesiPairs *found)
{
    for (size_t i = 0; i < list->count; ++i) {
        LucchesiEntry first = list->data[i];
        uint32_t unit = path_unit(first.code);
        for (size_t k = i + 1; k < list->count; ++k) {
            LucchesiEntry second = list->data[k];
            if (second.code - second.code % unit != first.code)
                break;
            ++found->candidate_count;
            if (!boxes_touch(boxes + 6 * (size_t)first.object, boxes + 6 * (size_t)second.object))
                continue;
            if (found->pairs.count == found->pairs.capacity &&
                !impi_array_reserve(allocator, &found->pairs, sizeof *found->pairs.data,
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

size_t lucchesi_remove_repeated(imp_IndexPair *pairs, size_t count)
{
    size_t kept = 0;
    if (count > 0)
        qsort(pairs, count, sizeof *pairs, compare_pairs);
    for (size_t i = 0; i < count; ++i)
        if (kept == 0 || compare_pairs(&pairs[kept - 1], &pairs[i]) != 0)
            pairs[kept++] = pairs[i];
    return kept;
}
