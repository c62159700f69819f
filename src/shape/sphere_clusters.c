// One level of spheres: pieces are divided among balls so that the balls stick out little, in sum and at
// most.
//
// First the worst ball is split until there are as many as may be. Then rounds of giving each piece to the
// ball that it makes stick out least, and fitting balls to their pieces, as in Lloyd's method; that makes
// balls alike. Then rounds that lessen the sum: pairs of balls are merged where that costs little, others are
// split where that gains more (cluster_relocation.c), and each ball gives away what others hold anyway and
// shrinks. Last, the worst balls are fitted with more care and give to others what makes them the worst. A
// piece can belong to any ball all of whose ancestors hold the piece. Cost: candidates for each cluster are
// looked for among all, hence clusters squared, and about a hundred passes over points per fit.
#include "shape/sphere_clusters.h"

#include <string.h>

// Rounds of each kind: more gain little.
#define FIRST_ALIKE_ROUNDS 6
#define ALIKE_ROUNDS       4
#define ABOVE_ROUNDS       4
#define ABOVE_SHRINKS      2
#define LAST_ROUNDS        6
#define LIMITED_ROUNDS     8
#define RELIEF_ROUNDS      3

// In the end, balls that stick out more than this times the mean are sampled: the bound that they were fitted
// by is poor where a ball reaches across gaps, as between the fingers of a hand.
#define SAMPLED_OF_MEAN 2.0F

// And what makes balls stick out more than this times the mean is given to others. Lower, it costs much of
// the mean, because the others grow.
#define RELIEF_OF_MEAN 3.0F

// Steps of fits, in parts of the size of what is to be held.
#define REFIT_STEP         0.1F
#define REFIT_LEAST_STEP   0.02F
#define SAMPLED_STEP       0.2F
#define SAMPLED_LEAST_STEP 0.01F

imp_Status impi_sphere_clusters_make(imp_Context *context, const impi_ClusterProblem *problem,
                                     const impi_ClusterMarks *marks, impi_SphereClusters *clusters)
{
    impi_Arena *arena = &context->scratch;
    size_t capacity = problem->branch * problem->parent_count;
    if (capacity > problem->id_count)
        capacity = problem->id_count > problem->parent_count ? problem->id_count : problem->parent_count;
    size_t corner_count = problem->id_count * IMPI_CUBE_CORNERS;
    size_t point_count =
        problem->pieces->point_count < corner_count ? problem->pieces->point_count : corner_count;
    size_t point_capacity = point_count + 2 * IMPI_POINT_LANES; // two clusters are padded one after the other
    float *points = impi_arena_allocate_array(arena, 3 * point_capacity, sizeof *points);
    *clusters = (impi_SphereClusters){.problem = *problem,
                                      .capacity = capacity,
                                      .owner = marks->owner,
                                      .next = marks->next,
                                      .stamp = marks->stamp,
                                      .stamped = marks->stamped};
    clusters->balls = impi_arena_allocate_array(arena, capacity, sizeof *clusters->balls);
    clusters->parent = impi_arena_allocate_array(arena, capacity, sizeof *clusters->parent);
    clusters->order = impi_arena_allocate_array(arena, capacity, sizeof *clusters->order);
    clusters->child_count =
        impi_arena_allocate_array(arena, problem->parent_count, sizeof *clusters->child_count);
    clusters->head = impi_arena_allocate_array(arena, capacity, sizeof *clusters->head);
    clusters->list = impi_arena_allocate_array(arena, problem->id_count, sizeof *clusters->list);
    clusters->reach = impi_arena_allocate_array(arena, problem->id_count, sizeof *clusters->reach);
    clusters->side = impi_arena_allocate_array(arena, problem->id_count, sizeof *clusters->side);
    clusters->first = impi_arena_allocate_array(arena, capacity + 1, sizeof *clusters->first);
    if (!points || !clusters->balls || !clusters->parent || !clusters->order || !clusters->child_count ||
        !clusters->head || !clusters->list || !clusters->reach || !clusters->side || !clusters->first)
        return impi_fail_out_of_memory(context);
    clusters->points = (impi_BallPoints){points, points + point_capacity, points + 2 * point_capacity, 0};
    return IMP_STATUS_OK;
}

// ---- points of pieces

float impi_piece_reach(const impi_SpherePieces *pieces, uint32_t piece, const float center[3])
{
    const uint32_t *corners = impi_piece_corners(pieces, piece);
    size_t corner_count = impi_piece_corner_count(pieces, piece);
    float most = 0;
    for (size_t i = 0; i < corner_count; ++i) {
        float x = pieces->x[corners[i]] - center[0], y = pieces->y[corners[i]] - center[1];
        float z = pieces->z[corners[i]] - center[2], squared = x * x + y * y + z * z;
        most = squared > most ? squared : most;
    }
    return sqrtf(most);
}

bool impi_parent_holds(const impi_SphereClusters *clusters, uint32_t parent, uint32_t piece)
{
    const impi_BallNode *nodes = clusters->problem.nodes;
    uint32_t node = clusters->problem.first_parent + parent;
    for (; nodes[node].parent != IMPI_NO_NODE; node = nodes[node].parent)
        if (impi_piece_reach(clusters->problem.pieces, piece, nodes[node].ball.center) >
            nodes[node].ball.radius)
            return false;
    return true;
}

void impi_collect_begin(impi_SphereClusters *clusters)
{
    ++clusters->stamped;
    clusters->points.count = 0;
}

void impi_collect_piece(impi_SphereClusters *clusters, uint32_t piece)
{
    const impi_SpherePieces *pieces = clusters->problem.pieces;
    const uint32_t *corners = impi_piece_corners(pieces, piece);
    size_t corner_count = impi_piece_corner_count(pieces, piece);
    for (size_t i = 0; i < corner_count; ++i) {
        uint32_t point = corners[i];
        if (clusters->stamp[point] == clusters->stamped)
            continue;
        clusters->stamp[point] = clusters->stamped;
        size_t at = clusters->points.count++;
        clusters->points.x[at] = pieces->x[point];
        clusters->points.y[at] = pieces->y[point];
        clusters->points.z[at] = pieces->z[point];
    }
}

void impi_collect_cluster(impi_SphereClusters *clusters, size_t cluster)
{
    const uint32_t *list = impi_cluster_list(clusters, cluster);
    size_t size = impi_cluster_size(clusters, cluster);
    impi_collect_begin(clusters);
    for (size_t i = 0; i < size; ++i)
        impi_collect_piece(clusters, list[i]);
    impi_ball_points_pad(&clusters->points);
}

void impi_list_pieces(impi_SphereClusters *clusters)
{
    const impi_ClusterProblem *problem = &clusters->problem;
    memset(clusters->first, 0, (clusters->count + 1) * sizeof *clusters->first);
    for (size_t i = 0; i < problem->id_count; ++i)
        ++clusters->first[clusters->owner[problem->ids[i]] + 1];
    for (size_t i = 0; i < clusters->count; ++i)
        clusters->first[i + 1] += clusters->first[i];
    for (size_t i = 0; i < problem->id_count; ++i)
        clusters->list[clusters->first[clusters->owner[problem->ids[i]]]++] = problem->ids[i];
    memmove(clusters->first + 1, clusters->first, clusters->count * sizeof *clusters->first);
    clusters->first[0] = 0;
}

static void refit(impi_SphereClusters *clusters, size_t cluster, float step)
{
    float middle[3];
    impi_collect_cluster(clusters, cluster);
    if (clusters->points.count == 0)
        return;
    float size = impi_points_middle(&clusters->points, middle);
    impi_ball_fit(clusters->problem.search, &clusters->points, step * size, REFIT_LEAST_STEP * size,
                  &clusters->balls[cluster]);
}

// ---- making balls alike

static float distance_between(const float a[3], const float b[3])
{
    float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrtf(x * x + y * y + z * z);
}

float impi_clusters_mean_excess(const impi_SphereClusters *clusters)
{
    float sum = 0;
    for (size_t i = 0; i < clusters->count; ++i)
        sum += clusters->balls[i].excess;
    return sum / (float)clusters->count;
}

// Give pieces of cluster `from` to cluster `to` where that makes it stick out less than their own one.
static void offer_pieces(impi_SphereClusters *clusters, size_t from, size_t to)
{
    const uint32_t *list = impi_cluster_list(clusters, from);
    size_t size = impi_cluster_size(clusters, from);
    const impi_Ball *ball = &clusters->balls[to];
    float offset = ball->excess - ball->radius;
    bool is_sibling = clusters->parent[from] == clusters->parent[to];
    for (size_t i = 0; i < size; ++i) {
        float reach = impi_piece_reach(clusters->problem.pieces, list[i], ball->center) + offset;
        if (reach < clusters->reach[i] &&
            (is_sibling || impi_parent_holds(clusters, clusters->parent[to], list[i]))) {
            clusters->reach[i] = reach;
            clusters->owner[list[i]] = (uint32_t)to;
        }
    }
}

// Pieces that make their balls stick out less than `least` stay where they are.
static void give_to_best(imp_Context *context, impi_SphereClusters *clusters, float least)
{
    for (size_t from = 0; from < clusters->count && impi_watch_goes_on(&context->watch); ++from) {
        const uint32_t *list = impi_cluster_list(clusters, from);
        size_t size = impi_cluster_size(clusters, from);
        const impi_Ball *own = &clusters->balls[from];
        float middle[3];
        if (size == 0 || own->excess < least)
            continue;
        impi_collect_cluster(clusters, from);
        float patch = impi_points_middle(&clusters->points, middle);
        for (size_t i = 0; i < size; ++i) {
            float reach =
                impi_piece_reach(clusters->problem.pieces, list[i], own->center) + own->excess - own->radius;
            clusters->reach[i] = reach < least ? -INFINITY : reach;
        }
        for (size_t to = 0; to < clusters->count; ++to) {
            const impi_Ball *ball = &clusters->balls[to];
            if (to != from && impi_cluster_size(clusters, to) > 0 &&
                distance_between(middle, ball->center) - patch + ball->excess - ball->radius < own->excess)
                offer_pieces(clusters, from, to);
        }
    }
    impi_list_pieces(clusters);
}

// ---- giving away

// Pieces of a cluster that another ball holds anyway go there; those that stay are collected. Clusters are
// chains here, since what a cluster was given counts when its turn comes. A ball that sticks out more than
// the limit is given nothing, or its halves would go back to it; but for the first level, where there may be
// too few clusters to keep the limit, and others divide it.
static void give_away(impi_SphereClusters *clusters, uint32_t from)
{
    const impi_SpherePieces *pieces = clusters->problem.pieces;
    uint32_t *next = clusters->next, *head = clusters->head;
    float limit = clusters->problem.excess_limit, middle[3];
    impi_collect_begin(clusters);
    for (uint32_t piece = head[from]; piece != IMPI_NO_PIECE; piece = next[piece])
        impi_collect_piece(clusters, piece);
    impi_ball_points_pad(&clusters->points);
    float patch = impi_points_middle(&clusters->points, middle);
    for (uint32_t to = 0; to < clusters->count; ++to) {
        const impi_Ball *ball = &clusters->balls[to];
        bool is_sibling = clusters->parent[from] == clusters->parent[to];
        if (to == from || (limit > 0 && clusters->problem.first_parent > 0 && ball->excess > limit) ||
            distance_between(middle, ball->center) - patch > ball->radius)
            continue;
        for (uint32_t *link = &head[from]; *link != IMPI_NO_PIECE;) {
            uint32_t piece = *link;
            if (impi_piece_reach(pieces, piece, ball->center) <= ball->radius &&
                (is_sibling || impi_parent_holds(clusters, clusters->parent[to], piece))) {
                *link = next[piece];
                next[piece] = head[to];
                head[to] = piece;
                clusters->owner[piece] = to;
            } else {
                link = &next[piece];
            }
        }
    }
    impi_collect_begin(clusters);
    for (uint32_t piece = head[from]; piece != IMPI_NO_PIECE; piece = next[piece])
        impi_collect_piece(clusters, piece);
    impi_ball_points_pad(&clusters->points);
}

static void chain_pieces(impi_SphereClusters *clusters)
{
    for (uint32_t i = 0; i < clusters->count; ++i) {
        const uint32_t *list = impi_cluster_list(clusters, i);
        size_t size = impi_cluster_size(clusters, i);
        clusters->head[i] = IMPI_NO_PIECE;
        for (size_t k = size; k-- > 0;) {
            clusters->next[list[k]] = clusters->head[i];
            clusters->head[i] = list[k];
        }
    }
}

static void sort_by_excess(impi_SphereClusters *clusters)
{
    uint32_t *order = clusters->order;
    const impi_Ball *balls = clusters->balls;
    for (size_t gap = clusters->count / 2 + 1, was = 0; was != 1;
         was = gap, gap = gap > 2 ? gap * 5 / 11 : 1) {
        if (was == 0)
            for (size_t i = 0; i < clusters->count; ++i)
                order[i] = (uint32_t)i;
        for (size_t i = gap; i < clusters->count; ++i) {
            uint32_t moved = order[i];
            size_t at = i;
            for (; at >= gap &&
                   (balls[order[at - gap]].excess > balls[moved].excess ||
                    (balls[order[at - gap]].excess == balls[moved].excess && order[at - gap] > moved));
                 at -= gap)
                order[at] = order[at - gap];
            order[at] = moved;
        }
    }
}

// The smallest balls give first: they can vanish, and then serve elsewhere.
static imp_Status shrink_all(imp_Context *context, impi_SphereClusters *clusters)
{
    sort_by_excess(clusters);
    chain_pieces(clusters);
    for (size_t i = 0; i < clusters->count && impi_watch_goes_on(&context->watch); ++i) {
        uint32_t cluster = clusters->order[i];
        impi_Ball *ball = &clusters->balls[cluster];
        float middle[3];
        if (clusters->head[cluster] == IMPI_NO_PIECE)
            continue;
        give_away(clusters, cluster);
        if (clusters->points.count == 0) {
            *ball = IMPI_EMPTY_BALL;
            continue;
        }
        float size = impi_points_middle(&clusters->points, middle);
        impi_ball_fit(clusters->problem.search, &clusters->points, 2 * REFIT_STEP * size,
                      REFIT_LEAST_STEP * size, ball);
    }
    impi_list_pieces(clusters);
    return impi_watch_status(context);
}

// ---- clusters that are not there yet

void impi_cluster_split_off(impi_SphereClusters *clusters, size_t cluster, size_t other,
                            const impi_Ball halves[2])
{
    const uint32_t *list = impi_cluster_list(clusters, cluster);
    size_t size = impi_cluster_size(clusters, cluster);
    for (size_t i = 0; i < size; ++i)
        if (clusters->side[i])
            clusters->owner[list[i]] = (uint32_t)other;
    clusters->balls[cluster] = halves[0];
    clusters->balls[other] = halves[1];
    impi_list_pieces(clusters);
}

// The ball that sticks out most among those of a parent, or of all parents that may have more clusters; the
// number of clusters where there is none to split.
static size_t find_worst(const impi_SphereClusters *clusters, uint32_t parent)
{
    size_t worst = clusters->count;
    float most = clusters->problem.excess_limit;
    for (size_t i = 0; i < clusters->count; ++i) {
        bool fits = parent == IMPI_NO_NODE
                        ? clusters->child_count[clusters->parent[i]] < clusters->problem.branch
                        : clusters->parent[i] == parent;
        if (fits && clusters->balls[i].excess > most && impi_cluster_size(clusters, i) > 1) {
            most = clusters->balls[i].excess;
            worst = i;
        }
    }
    return worst;
}

static void refill_empty(impi_SphereClusters *clusters)
{
    for (size_t i = 0; i < clusters->count; ++i) {
        impi_Ball halves[2];
        if (impi_cluster_size(clusters, i) > 0)
            continue;
        size_t worst = find_worst(clusters, clusters->parent[i]);
        if (worst < clusters->count && impi_cluster_split(clusters, worst, halves))
            impi_cluster_split_off(clusters, worst, i, halves);
    }
}

// One cluster for each parent.
static void begin(impi_SphereClusters *clusters)
{
    const impi_ClusterProblem *problem = &clusters->problem;
    clusters->count = problem->parent_count;
    for (size_t i = 0; i < clusters->count; ++i) {
        clusters->parent[i] = (uint32_t)i;
        clusters->child_count[i] = 1;
    }
    impi_list_pieces(clusters);
    for (size_t i = 0; i < clusters->count; ++i) {
        clusters->balls[i] = problem->nodes[problem->first_parent + i].ball;
        refit(clusters, i, 5 * REFIT_STEP);
    }
}

static imp_Status split_worst(imp_Context *context, impi_SphereClusters *clusters)
{
    while (clusters->count < clusters->capacity && impi_watch_step(&context->watch, 1)) {
        size_t worst = find_worst(clusters, IMPI_NO_NODE);
        impi_Ball halves[2];
        if (worst == clusters->count)
            break;
        if (!impi_cluster_split(clusters, worst, halves)) {
            clusters->balls[worst].excess = 0; // can't be split: not to be found again
            continue;
        }
        clusters->parent[clusters->count] = clusters->parent[worst];
        ++clusters->child_count[clusters->parent[worst]];
        impi_cluster_split_off(clusters, worst, clusters->count++, halves);
    }
    return impi_watch_status(context);
}

static imp_Status make_alike(imp_Context *context, impi_SphereClusters *clusters, int rounds)
{
    for (int i = 0; i < rounds && impi_watch_goes_on(&context->watch); ++i) {
        give_to_best(context, clusters, -INFINITY);
        for (size_t k = 0; k < clusters->count && impi_watch_goes_on(&context->watch); ++k)
            refit(clusters, k, REFIT_STEP);
        refill_empty(clusters);
    }
    return impi_watch_status(context);
}

static imp_Status end_round(imp_Context *context, const impi_SphereClusters *clusters, imp_Status status)
{
    (void)impi_watch_step(&context->watch, clusters->count);
    return status;
}

// Balls that are alike, and then merged and split by what that gains.
static imp_Status divide_above(imp_Context *context, impi_SphereClusters *clusters)
{
    imp_Status status = make_alike(context, clusters, FIRST_ALIKE_ROUNDS);
    for (int i = 0; i < ABOVE_ROUNDS && status == IMP_STATUS_OK; ++i) {
        status = impi_clusters_relocate(context, clusters);
        if (status == IMP_STATUS_OK)
            status = make_alike(context, clusters, ALIKE_ROUNDS);
        status = end_round(context, clusters, status);
    }
    for (int i = 0; i < ABOVE_SHRINKS && status == IMP_STATUS_OK; ++i)
        status = end_round(context, clusters, shrink_all(context, clusters));
    return status;
}

// As refit, and where the ball sticks out more than `least` after that, by samples, from the same center.
static void refit_worst(impi_SphereClusters *clusters, size_t cluster, float least)
{
    impi_Ball sampled = clusters->balls[cluster], *ball = &clusters->balls[cluster];
    float middle[3];
    refit(clusters, cluster, REFIT_STEP);
    if (ball->excess <= least || clusters->points.count == 0 || !clusters->problem.sampled_search)
        return;
    float size = impi_points_middle(&clusters->points, middle);
    impi_ball_fit(clusters->problem.sampled_search, &clusters->points, SAMPLED_STEP * size,
                  SAMPLED_LEAST_STEP * size, &sampled);
    if (sampled.excess < ball->excess)
        *ball = sampled;
}

static void refit_all_worst(imp_Context *context, impi_SphereClusters *clusters)
{
    float least = SAMPLED_OF_MEAN * impi_clusters_mean_excess(clusters);
    for (size_t i = 0; i < clusters->count && impi_watch_goes_on(&context->watch); ++i)
        refit_worst(clusters, i, least);
    refill_empty(clusters);
}

// The sum hardly falls when the worst balls stick out less, so that rounds that lessen it leave them alone.
static imp_Status relieve_worst(imp_Context *context, impi_SphereClusters *clusters)
{
    refit_all_worst(context, clusters);
    for (int i = 0; i < RELIEF_ROUNDS && impi_watch_goes_on(&context->watch); ++i) {
        give_to_best(context, clusters, RELIEF_OF_MEAN * impi_clusters_mean_excess(clusters));
        refit_all_worst(context, clusters);
    }
    return impi_watch_status(context);
}

static imp_Status divide_last(imp_Context *context, impi_SphereClusters *clusters)
{
    imp_Status status = make_alike(context, clusters, ALIKE_ROUNDS);
    for (int i = 0; i < LAST_ROUNDS && status == IMP_STATUS_OK; ++i) {
        status = shrink_all(context, clusters);
        if (status == IMP_STATUS_OK)
            status = impi_clusters_relocate(context, clusters);
        status = end_round(context, clusters, status);
    }
    return status == IMP_STATUS_OK ? end_round(context, clusters, relieve_worst(context, clusters)) : status;
}

// Few balls within a limit.
static imp_Status divide_limited(imp_Context *context, impi_SphereClusters *clusters)
{
    imp_Status status = IMP_STATUS_OK;
    for (int i = 0; i < LIMITED_ROUNDS && status == IMP_STATUS_OK; ++i) {
        status = shrink_all(context, clusters);
        if (status == IMP_STATUS_OK)
            status = impi_clusters_merge(context, clusters);
        status = end_round(context, clusters, status);
    }
    return status;
}

imp_Status impi_clusters_divide(imp_Context *context, impi_SphereClusters *clusters)
{
    begin(clusters);
    imp_Status status = split_worst(context, clusters);
    if (status == IMP_STATUS_OK && clusters->problem.excess_limit > 0)
        return divide_limited(context, clusters);
    if (status == IMP_STATUS_OK)
        status = clusters->problem.is_last ? divide_last(context, clusters) : divide_above(context, clusters);
    if (status == IMP_STATUS_OK)
        refill_empty(clusters);
    return status;
}
