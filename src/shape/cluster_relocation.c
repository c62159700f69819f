// Where a pair of balls can be merged into one that sticks out little more than they did together, a ball is
// free to split another, whose halves stick out less in sum. Parents have a limited number of clusters: the
// place that a merge makes free below its parent serves a cluster of another parent where one of this parent's
// clusters, or the new half itself, fits below the first.
//
//        merged        moves over       split
//      a + b -> a        c                s -> s + t
//      place free below Q;  Q holds c;   t takes the place of c below P
//
// Cost: a split for each cluster, a fit for each pair that may be merged.
#include "shape/sphere_clusters.h"

#include <stdlib.h>
#include <string.h>

// No merged ball sticks out more than this times the mean: the largest excess is held as well as the sum.
#define CAP_OF_MEAN 2.2F

// What sticks out more than that counts so many times, so that it is split first.
#define BEYOND_CAP_WEIGHT 4.0F

// At most this part of the clusters in one go, since neighbours should be fitted in between.
#define MOST_MOVED_PART 8

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

typedef struct Relocation {
    impi_SphereClusters *clusters;
    float cap;
    Merge *merges;
    Split *splits;
    uint8_t *is_held;    // of each cluster by each parent
    uint8_t *is_touched; // of each cluster: no longer what was looked at
} Relocation;

static float cost_of(const Relocation *relocation, float excess)
{
    float beyond = excess - relocation->cap;
    return beyond > 0 ? excess + BEYOND_CAP_WEIGHT * beyond : excess;
}

// ---- what is possible

// Do all balls from a parent upwards hold the collected points?
static bool holds_points(const impi_SphereClusters *clusters, uint32_t parent)
{
    const impi_SphereNode *nodes = clusters->problem.nodes;
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
        float x = middle[0] - ball->center[0], y = middle[1] - ball->center[1], z = middle[2] - ball->center[2];
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
    if (merge->ball.excess > relocation->cap)
        merge->cost = INFINITY;
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
    return x->gain != y->gain ? (x->gain > y->gain ? -1 : 1)
                              : x->cluster < y->cluster ? -1 : x->cluster > y->cluster;
}

// ---- doing it

// A cluster below `parent` that may move below `place`, other than the three that take part; the number of
// clusters where there is none.
static uint32_t find_mover(const Relocation *relocation, uint32_t parent, uint32_t place, const Merge *merge)
{
    const impi_SphereClusters *clusters = relocation->clusters;
    uint32_t i = 0;
    while (i < clusters->count &&
           (clusters->parent[i] != parent || relocation->is_touched[i] || i == merge->from ||
            i == merge->into || !is_held(relocation, i, place)))
        ++i;
    return i;
}

static void carry_out(Relocation *relocation, const Merge *merge, uint32_t split, const impi_Ball halves[2])
{
    impi_SphereClusters *clusters = relocation->clusters;
    const uint32_t *merged = impi_cluster_list(clusters, merge->from);
    const uint32_t *list = impi_cluster_list(clusters, split);
    size_t merged_size = impi_cluster_size(clusters, merge->from), size = impi_cluster_size(clusters, split);
    for (size_t i = 0; i < merged_size; ++i)
        clusters->owner[merged[i]] = merge->into;
    for (size_t i = 0; i < size; ++i)
        if (clusters->side[i])
            clusters->owner[list[i]] = merge->from;
    clusters->balls[merge->into] = merge->ball; // of an empty cluster: set anew below
    clusters->balls[split] = halves[0];
    clusters->balls[merge->from] = halves[1];
    relocation->is_touched[merge->from] = relocation->is_touched[merge->into] = 1;
}

// Find the cheapest merge whose place the split can have, and do both.
static bool relocate_for(Relocation *relocation, const Split *split)
{
    impi_SphereClusters *clusters = relocation->clusters;
    uint32_t parent = clusters->parent[split->cluster];
    for (size_t i = 0; i < clusters->count && relocation->merges[i].cost < split->gain; ++i) {
        const Merge *merge = &relocation->merges[i];
        uint32_t place = clusters->parent[merge->from], mover = (uint32_t)clusters->count;
        impi_Ball halves[2];
        if (relocation->is_touched[merge->from] || relocation->is_touched[merge->into] || split->cluster == merge->from ||
            split->cluster == merge->into)
            continue;
        if (place != parent) {
            mover = find_mover(relocation, parent, place, merge);
            if (mover == clusters->count)
                continue;
        }
        if (!impi_cluster_split(clusters, split->cluster, halves))
            return false;
        carry_out(relocation, merge, split->cluster, halves);
        if (mover == split->cluster) {
            // It is held as a whole: the new half stays where the place is free.
        } else if (mover < clusters->count) {
            clusters->parent[mover] = place;
            clusters->parent[merge->from] = parent;
            relocation->is_touched[mover] = 1;
        }
        return true;
    }
    return false;
}

static imp_Status relocation_make(imp_Context *context, impi_SphereClusters *clusters, Relocation *relocation)
{
    impi_Arena *arena = &context->scratch;
    size_t count = clusters->count;
    float sum = 0;
    for (size_t i = 0; i < count; ++i)
        sum += clusters->balls[i].excess;
    *relocation = (Relocation){.clusters = clusters, .cap = CAP_OF_MEAN * sum / (float)count};
    if (getenv("CAP")) relocation->cap = (float)atof(getenv(clusters->problem.search->is_sampled ? "CAPU" : "CAP")) * sum / (float)count;
    relocation->merges = impi_arena_allocate_array(arena, count, sizeof *relocation->merges);
    relocation->splits = impi_arena_allocate_array(arena, count, sizeof *relocation->splits);
    relocation->is_held = impi_arena_allocate_array(arena, count, clusters->problem.parent_count);
    relocation->is_touched = impi_arena_allocate_array(arena, count, 1);
    if (!relocation->merges || !relocation->splits || !relocation->is_held || !relocation->is_touched)
        return impi_fail_out_of_memory(context);
    memset(relocation->is_touched, 0, count);
    return IMP_STATUS_OK;
}

imp_Status impi_clusters_relocate(imp_Context *context, impi_SphereClusters *clusters, size_t *moved)
{
    Relocation relocation;
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    size_t most = clusters->count / MOST_MOVED_PART + 1;
    *moved = 0;
    imp_Status status = relocation_make(context, clusters, &relocation);
    if (status == IMP_STATUS_OK) {
        find_holders(&relocation);
        for (uint32_t i = 0; i < clusters->count; ++i) {
            find_merge(&relocation, i, &relocation.merges[i]);
            find_split(&relocation, i, &relocation.splits[i]);
        }
        qsort(relocation.merges, clusters->count, sizeof *relocation.merges, compare_merges);
        qsort(relocation.splits, clusters->count, sizeof *relocation.splits, compare_splits);
        for (size_t i = 0; i < clusters->count && *moved < most; ++i)
            if (!relocation.is_touched[relocation.splits[i].cluster] &&
                relocate_for(&relocation, &relocation.splits[i])) {
                relocation.is_touched[relocation.splits[i].cluster] = 1;
                ++*moved;
            }
        impi_list_pieces(clusters);
    }
    impi_arena_rewind(&context->scratch, mark);
    return status;
}
