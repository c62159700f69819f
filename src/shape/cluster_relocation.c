// Where a pair of balls can be merged into one that sticks out little more than they did together, a ball is
// free to split another, whose halves stick out less in sum. Parents have a limited number of clusters: the
// place that a merge makes free below its parent serves a cluster of another parent where one of this
// parent's clusters, or the new half itself, fits below the first.
//
//      below Q                  between             below P
//      a + b become b,          c moves from        s becomes s + t,
//      the place of a is free   below P to Q        t has the place of c
//
// or through several parents in between. Cost: a split for each cluster, a fit for each pair that may be
// merged.
#include "shape/sphere_clusters.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

// At the last level the sum of the excesses counts; what sticks out more than this times the mean counts
// more, so that it is split first and merges don't make such balls: the largest excess is held as well as the
// sum.
#define CAP_OF_MEAN       3.0F
#define BEYOND_CAP_WEIGHT 10.0F

// At levels above, balls should be alike, so that none has more below it than its children can do well: a
// high power of the excess counts.
#define ALIKE_POWER 8.0F

// At most this part of the clusters in one go, since neighbours should be fitted in between.
#define MOST_MOVED_PART 4

#define MERGE_STEP       0.25F
#define MERGE_LEAST_STEP 0.02F

typedef struct Merge {
    float cost;
    uint32_t from, into; // equal: an empty cluster, whose place is free anyway
    impi_Ball ball;
} Merge;

typedef struct Split {
    float gain;
    uint32_t cluster;
} Split;

#define NO_CLUSTER UINT32_MAX

typedef struct Relocation {
    impi_SphereClusters *clusters;
    float mean, cap; // excesses
    Merge *merges;
    Split *splits;
    uint8_t *is_held;                 // of each cluster by each parent
    uint8_t *is_touched;              // of each cluster: no longer what was looked at
    uint32_t *children, *child_first; // clusters by parent
    uint32_t *via, *queue;            // see find_ways
} Relocation;

static float cost_of(const Relocation *relocation, float excess)
{
    if (!relocation->clusters->problem.is_last)
        return powf(excess / relocation->mean, ALIKE_POWER);
    float beyond = excess - relocation->cap;
    return beyond > 0 ? excess + BEYOND_CAP_WEIGHT * beyond * beyond / relocation->cap : excess;
}

// ---- what is possible

// Do all balls from a parent upwards hold the collected points?
static bool holds_points(const impi_SphereClusters *clusters, uint32_t parent)
{
    const impi_BallNode *nodes = clusters->problem.nodes;
    uint32_t node = clusters->problem.first_parent + parent;
    for (; nodes[node].parent != IMPI_NO_NODE; node = nodes[node].parent) {
        const impi_Ball *ball = &nodes[node].ball;
        if (impi_farthest_squared(&clusters->points, ball->center) > ball->radius * ball->radius)
            return false;
    }
    return true;
}

static void find_holders(Relocation *relocation)
{
    impi_SphereClusters *clusters = relocation->clusters;
    size_t parent_count = clusters->problem.parent_count;
    for (size_t i = 0; i < clusters->count; ++i) {
        impi_collect_cluster(clusters, i);
        for (uint32_t parent = 0; parent < parent_count; ++parent)
            relocation->is_held[i * parent_count + parent] =
                clusters->parent[i] == parent || holds_points(clusters, parent);
    }
}

static bool is_held(const Relocation *relocation, size_t cluster, uint32_t parent)
{
    return relocation->is_held[cluster * relocation->clusters->problem.parent_count + parent];
}

// The best partner by a bound: both around the partner's center.
static void find_partner(Relocation *relocation, uint32_t from, Merge *merge)
{
    impi_SphereClusters *clusters = relocation->clusters;
    const impi_Ball *own = &clusters->balls[from];
    float middle[3];
    *merge = (Merge){impi_cluster_size(clusters, from) > 0 ? INFINITY : -INFINITY, from, from, *own};
    impi_collect_cluster(clusters, from);
    if (clusters->points.count == 0 || clusters->child_count[clusters->parent[from]] == 1)
        return;
    float patch = impi_points_middle(&clusters->points, middle);
    for (uint32_t into = 0; into < clusters->count; ++into) {
        const impi_Ball *ball = &clusters->balls[into];
        float x = middle[0] - ball->center[0], y = middle[1] - ball->center[1],
              z = middle[2] - ball->center[2];
        float offset = ball->excess - ball->radius, reach = sqrtf(x * x + y * y + z * z) - patch + offset;
        if (into == from || reach > 2 * own->excess || impi_cluster_size(clusters, into) == 0 ||
            !is_held(relocation, from, clusters->parent[into]))
            continue;
        float excess = sqrtf(impi_farthest_squared(&clusters->points, ball->center)) + offset;
        float cost = fmaxf(excess, ball->excess) - ball->excess;
        if (cost < merge->cost) {
            merge->cost = cost;
            merge->into = into;
        }
    }
}

static void find_merge(Relocation *relocation, uint32_t from, Merge *merge)
{
    impi_SphereClusters *clusters = relocation->clusters;
    float middle[3];
    find_partner(relocation, from, merge);
    if (merge->into == from)
        return;
    const uint32_t *list = impi_cluster_list(clusters, merge->into);
    size_t size = impi_cluster_size(clusters, merge->into);
    for (size_t i = 0; i < size; ++i)
        impi_collect_piece(clusters, list[i]);
    impi_ball_points_pad(&clusters->points);
    float patch = impi_points_middle(&clusters->points, middle);
    merge->ball = clusters->balls[merge->into];
    impi_ball_fit(clusters->problem.search, &clusters->points, MERGE_STEP * patch, MERGE_LEAST_STEP * patch,
                  &merge->ball);
    merge->cost = cost_of(relocation, merge->ball.excess) -
                  cost_of(relocation, clusters->balls[from].excess) -
                  cost_of(relocation, clusters->balls[merge->into].excess);
}

static void find_split(Relocation *relocation, uint32_t cluster, Split *split)
{
    impi_SphereClusters *clusters = relocation->clusters;
    impi_Ball halves[2];
    *split = (Split){-INFINITY, cluster};
    if (impi_cluster_size(clusters, cluster) > 1 && impi_cluster_split(clusters, cluster, halves))
        split->gain = cost_of(relocation, clusters->balls[cluster].excess) -
                      cost_of(relocation, halves[0].excess) - cost_of(relocation, halves[1].excess);
}

static int compare_merges(const void *a, const void *b)
{
    const Merge *x = a, *y = b;
    return x->cost != y->cost ? (x->cost < y->cost ? -1 : 1) : x->from < y->from ? -1 : x->from > y->from;
}

static int compare_splits(const void *a, const void *b)
{
    const Split *x = a, *y = b;
    return x->gain != y->gain        ? (x->gain > y->gain ? -1 : 1)
           : x->cluster < y->cluster ? -1
                                     : x->cluster > y->cluster;
}

// ---- doing it

// Which parents can take over a cluster of a parent, or of one that can, and so on: via[p] is the cluster
// that parent p would take. Clusters that were touched stay.
static void find_ways(Relocation *relocation, uint32_t parent)
{
    const impi_SphereClusters *clusters = relocation->clusters;
    uint32_t parent_count = clusters->problem.parent_count, queued = 1;
    uint32_t *via = relocation->via, *queue = relocation->queue;
    for (uint32_t i = 0; i < parent_count; ++i)
        via[i] = NO_CLUSTER;
    queue[0] = parent;
    for (uint32_t at = 0; at < queued; ++at)
        for (uint32_t i = relocation->child_first[queue[at]]; i < relocation->child_first[queue[at] + 1];
             ++i) {
            uint32_t cluster = relocation->children[i];
            if (relocation->is_touched[cluster] || impi_cluster_size(clusters, cluster) == 0)
                continue;
            for (uint32_t other = 0; other < parent_count; ++other)
                if (via[other] == NO_CLUSTER && other != parent && is_held(relocation, cluster, other)) {
                    via[other] = cluster;
                    queue[queued++] = other;
                }
        }
}

static void list_children(Relocation *relocation)
{
    const impi_SphereClusters *clusters = relocation->clusters;
    uint32_t *first = relocation->child_first, parent_count = clusters->problem.parent_count;
    memset(first, 0, (parent_count + 1) * sizeof *first);
    for (uint32_t i = 0; i < clusters->count; ++i)
        ++first[clusters->parent[i] + 1];
    for (uint32_t i = 0; i < parent_count; ++i)
        first[i + 1] += first[i];
    for (uint32_t i = 0; i < clusters->count; ++i)
        relocation->children[first[clusters->parent[i]]++] = i;
    memmove(first + 1, first, parent_count * sizeof *first);
    first[0] = 0;
}

// Does the way to a place use a cluster?
static bool way_uses(const Relocation *relocation, uint32_t parent, uint32_t place, uint32_t cluster)
{
    while (place != parent && relocation->via[place] != cluster)
        place = relocation->clusters->parent[relocation->via[place]];
    return place != parent;
}

// Clusters on the way move over, so that a place is free below the parent.
static void clear_way(Relocation *relocation, uint32_t parent, uint32_t place)
{
    while (place != parent) {
        uint32_t cluster = relocation->via[place], from = relocation->clusters->parent[cluster];
        relocation->clusters->parent[cluster] = place;
        relocation->is_touched[cluster] = 1;
        place = from;
    }
}

// The first cluster is empty then.
static void merge_into(Relocation *relocation, const Merge *merge)
{
    impi_SphereClusters *clusters = relocation->clusters;
    const uint32_t *list = impi_cluster_list(clusters, merge->from);
    size_t size = impi_cluster_size(clusters, merge->from);
    for (size_t i = 0; i < size; ++i)
        clusters->owner[list[i]] = merge->into;
    clusters->balls[merge->into] = merge->ball;
    if (merge->from != merge->into)
        clusters->balls[merge->from] = IMPI_EMPTY_BALL;
    relocation->is_touched[merge->from] = relocation->is_touched[merge->into] = 1;
}

// The second half of a cluster becomes that of an empty one.
static void fill_with_half(Relocation *relocation, uint32_t cluster, uint32_t empty,
                           const impi_Ball halves[2])
{
    impi_SphereClusters *clusters = relocation->clusters;
    const uint32_t *list = impi_cluster_list(clusters, cluster);
    size_t size = impi_cluster_size(clusters, cluster);
    for (size_t i = 0; i < size; ++i)
        if (clusters->side[i])
            clusters->owner[list[i]] = empty;
    clusters->balls[cluster] = halves[0];
    clusters->balls[empty] = halves[1];
}

// Find the cheapest merge whose place the split can have, and do both.
static bool relocate_for(Relocation *relocation, const Split *split)
{
    impi_SphereClusters *clusters = relocation->clusters;
    uint32_t parent = clusters->parent[split->cluster];
    impi_Ball halves[2];
    relocation->is_touched[split->cluster] = 1; // it does not move over
    find_ways(relocation, parent);
    for (size_t i = 0; i < clusters->count && relocation->merges[i].cost < split->gain; ++i) {
        const Merge *merge = &relocation->merges[i];
        uint32_t place = clusters->parent[merge->from];
        if (relocation->is_touched[merge->from] || relocation->is_touched[merge->into] ||
            (place != parent && relocation->via[place] == NO_CLUSTER) ||
            way_uses(relocation, parent, place, merge->from) ||
            way_uses(relocation, parent, place, merge->into))
            continue;
        if (!impi_cluster_split(clusters, split->cluster, halves))
            return false;
        merge_into(relocation, merge);
        fill_with_half(relocation, split->cluster, merge->from, halves);
        clear_way(relocation, parent, place);
        clusters->parent[merge->from] = parent;
        list_children(relocation);
        return true;
    }
    return false;
}

static imp_Status relocation_make(imp_Context *context, impi_SphereClusters *clusters, Relocation *relocation)
{
    impi_Arena *arena = &context->scratch;
    size_t count = clusters->count;
    float mean = fmaxf(impi_clusters_mean_excess(clusters), FLT_MIN);
    *relocation = (Relocation){.clusters = clusters, .mean = mean, .cap = CAP_OF_MEAN * mean};
    size_t parent_count = clusters->problem.parent_count;
    relocation->merges = impi_arena_allocate_array(arena, count, sizeof *relocation->merges);
    relocation->splits = impi_arena_allocate_array(arena, count, sizeof *relocation->splits);
    relocation->is_held = impi_arena_allocate_array(arena, count, parent_count);
    relocation->is_touched = impi_arena_allocate_array(arena, count, 1);
    relocation->children = impi_arena_allocate_array(arena, count, sizeof *relocation->children);
    relocation->child_first =
        impi_arena_allocate_array(arena, parent_count + 1, sizeof *relocation->child_first);
    relocation->via = impi_arena_allocate_array(arena, parent_count, sizeof *relocation->via);
    relocation->queue = impi_arena_allocate_array(arena, parent_count, sizeof *relocation->queue);
    if (!relocation->merges || !relocation->splits || !relocation->is_held || !relocation->is_touched ||
        !relocation->children || !relocation->child_first || !relocation->via || !relocation->queue)
        return impi_fail_out_of_memory(context);
    memset(relocation->is_touched, 0, count);
    return IMP_STATUS_OK;
}

static imp_Status find_merges(imp_Context *context, Relocation *relocation)
{
    size_t count = relocation->clusters->count;
    find_holders(relocation);
    for (uint32_t i = 0; i < count; ++i) {
        if (!impi_watch_goes_on(&context->watch))
            return impi_watch_status(context);
        find_merge(relocation, i, &relocation->merges[i]);
    }
    qsort(relocation->merges, count, sizeof *relocation->merges, compare_merges);
    return IMP_STATUS_OK;
}

static imp_Status find_splits(imp_Context *context, Relocation *relocation)
{
    size_t count = relocation->clusters->count;
    for (uint32_t i = 0; i < count; ++i) {
        if (!impi_watch_goes_on(&context->watch))
            return impi_watch_status(context);
        find_split(relocation, i, &relocation->splits[i]);
    }
    qsort(relocation->splits, count, sizeof *relocation->splits, compare_splits);
    return IMP_STATUS_OK;
}

imp_Status impi_clusters_relocate(imp_Context *context, impi_SphereClusters *clusters)
{
    Relocation relocation;
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    size_t most = clusters->count / MOST_MOVED_PART + 1, moved = 0;
    imp_Status status = relocation_make(context, clusters, &relocation);
    if (status == IMP_STATUS_OK)
        status = find_merges(context, &relocation);
    if (status == IMP_STATUS_OK)
        status = find_splits(context, &relocation);
    if (status == IMP_STATUS_OK) {
        list_children(&relocation);
        for (size_t i = 0; i < clusters->count && moved < most; ++i)
            if (!relocation.is_touched[relocation.splits[i].cluster])
                moved += relocate_for(&relocation, &relocation.splits[i]);
        impi_list_pieces(clusters);
    }
    impi_arena_rewind(&context->scratch, mark);
    return status;
}

imp_Status impi_clusters_merge(imp_Context *context, impi_SphereClusters *clusters)
{
    Relocation relocation;
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    imp_Status status = relocation_make(context, clusters, &relocation);
    if (status == IMP_STATUS_OK)
        status = find_merges(context, &relocation);
    for (size_t i = 0; i < clusters->count && status == IMP_STATUS_OK; ++i) {
        const Merge *merge = &relocation.merges[i];
        if (merge->from == merge->into || relocation.is_touched[merge->from] ||
            relocation.is_touched[merge->into] || merge->ball.excess > clusters->problem.excess_limit)
            continue;
        merge_into(&relocation, merge);
    }
    if (status == IMP_STATUS_OK)
        impi_list_pieces(clusters);
    impi_arena_rewind(&context->scratch, mark);
    return status;
}
