#include "shape/sphere_clusters.h"

#include <stdlib.h>
#include <string.h>
#include <stdio.h>

static double P_EXP = 2; static int ROUNDS = 30;

static float worth(float excess)
{
    return powf(excess, (float)P_EXP);
}

imp_Status impi_sphere_clusters_make(imp_Context *context, const impi_SpherePieces *pieces,
                                     const impi_DistanceGrid *grid, size_t capacity,
                                     impi_SphereClusters *clusters)
{
    impi_Arena *arena = &context->scratch;
    size_t point_capacity = pieces->point_count + IMPI_POINT_LANES;
    float *points = impi_arena_allocate_array(arena, 3 * point_capacity, sizeof *points);
    *clusters = (impi_SphereClusters){.pieces = pieces, .grid = grid, .capacity = capacity};
    clusters->balls = impi_arena_allocate_array(arena, capacity, sizeof *clusters->balls);
    clusters->owner = impi_arena_allocate_array(arena, pieces->count, sizeof *clusters->owner);
    clusters->list = impi_arena_allocate_array(arena, pieces->count, sizeof *clusters->list);
    clusters->side = impi_arena_allocate_array(arena, pieces->count, sizeof *clusters->side);
    clusters->first = impi_arena_allocate_array(arena, capacity + 1, sizeof *clusters->first);
    clusters->stamp = impi_arena_allocate_array(arena, pieces->point_count, sizeof *clusters->stamp);
    if (!points || !clusters->balls || !clusters->owner || !clusters->list || !clusters->side ||
        !clusters->first || !clusters->stamp)
        return impi_fail_out_of_memory(context);
    clusters->points = (impi_BallPoints){points, points + point_capacity, points + 2 * point_capacity, 0};
    memset(clusters->stamp, 0, pieces->point_count * sizeof *clusters->stamp);
    return IMP_STATUS_OK;
}

// ---- points of pieces

void impi_sphere_clusters_begin(impi_SphereClusters *clusters)
{
    ++clusters->stamped;
    clusters->points.count = 0;
}

static void add_piece(impi_SphereClusters *clusters, uint32_t piece)
{
    const impi_SpherePieces *pieces = clusters->pieces;
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

void impi_sphere_clusters_add(impi_SphereClusters *clusters, const uint32_t *pieces, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        add_piece(clusters, pieces[i]);
}

void impi_sphere_clusters_pad(impi_SphereClusters *clusters)
{
    impi_BallPoints *points = &clusters->points;
    while (points->count > 0 && points->count % IMPI_POINT_LANES != 0) {
        size_t at = points->count++;
        points->x[at] = points->x[at - 1];
        points->y[at] = points->y[at - 1];
        points->z[at] = points->z[at - 1];
    }
}

static uint32_t cluster_size(const impi_SphereClusters *clusters, size_t cluster)
{
    return clusters->first[cluster + 1] - clusters->first[cluster];
}

static void collect(impi_SphereClusters *clusters, size_t cluster)
{
    impi_sphere_clusters_begin(clusters);
    impi_sphere_clusters_add(clusters, clusters->list + clusters->first[cluster],
                             cluster_size(clusters, cluster));
    impi_sphere_clusters_pad(clusters);
}

typedef struct Patch {
    float middle[3], radius;
} Patch;

static Patch patch_of(const impi_BallPoints *points)
{
    const float *coordinates[3] = {points->x, points->y, points->z};
    Patch patch;
    for (int axis = 0; axis < 3; ++axis) {
        float low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < points->count; ++i) {
            low = coordinates[axis][i] < low ? coordinates[axis][i] : low;
            high = coordinates[axis][i] > high ? coordinates[axis][i] : high;
        }
        patch.middle[axis] = (low + high) / 2;
    }
    patch.radius = sqrtf(impi_farthest_squared(points, patch.middle));
    return patch;
}

static float distance_between(const float a[3], const float b[3])
{
    float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrtf(x * x + y * y + z * z);
}

// Lists of pieces from their owners.
static void list_pieces(impi_SphereClusters *clusters)
{
    memset(clusters->first, 0, (clusters->count + 1) * sizeof *clusters->first);
    for (size_t i = 0; i < clusters->pieces->count; ++i)
        ++clusters->first[clusters->owner[i] + 1];
    for (size_t i = 0; i < clusters->count; ++i)
        clusters->first[i + 1] += clusters->first[i];
    for (size_t i = 0; i < clusters->pieces->count; ++i)
        clusters->list[clusters->first[clusters->owner[i]]++] = (uint32_t)i;
    for (size_t i = clusters->count; i > 0; --i)
        clusters->first[i] = clusters->first[i - 1];
    clusters->first[0] = 0;
}

// ---- splitting

static float piece_reach(const impi_SpherePieces *pieces, uint32_t piece, const float center[3])
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

static bool fit_sides(impi_SphereClusters *clusters, const uint32_t *list, size_t count, bool quick,
                      impi_Ball balls[2])
{
    for (int side = 0; side < 2; ++side) {
        impi_sphere_clusters_begin(clusters);
        for (size_t i = 0; i < count; ++i)
            if (clusters->side[i] == side)
                add_piece(clusters, list[i]);
        impi_sphere_clusters_pad(clusters);
        if (clusters->points.count == 0)
            return false;
        Patch patch = patch_of(&clusters->points);
        if (quick)
            memcpy(balls[side].center, patch.middle, sizeof patch.middle);
        impi_ball_fit(clusters->grid, &clusters->points, patch.radius * 0.5F, patch.radius * (quick ? 0.06F : 0.02F),
                      &balls[side]);
    }
    return true;
}

static const float directions[][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},  {1, 1, 1},  {1, 1, -1}, {1, -1, 1}, {-1, 1, 1},
                                      {1, 1, 0}, {1, -1, 0}, {0, 1, 1}, {0, 1, -1}, {1, 0, 1}, {-1, 0, 1}};
#define DIRECTION_COUNT (sizeof directions / sizeof *directions)

static void divide_sides(impi_SphereClusters *clusters, const uint32_t *list, size_t count, const float *direction)
{
    const impi_SpherePieces *pieces = clusters->pieces;
    double sum = 0;
    for (int pass = 0; pass < 2; ++pass)
        for (size_t i = 0; i < count; ++i) {
            uint32_t point = impi_piece_corners(pieces, list[i])[0];
            float at = direction[0] * pieces->x[point] + direction[1] * pieces->y[point] +
                       direction[2] * pieces->z[point];
            if (pass == 0)
                sum += at;
            else
                clusters->side[i] = (double)at * (double)count > sum;
        }
}

static void choose_sides(impi_SphereClusters *clusters, const uint32_t *list, size_t count, const impi_Ball balls[2])
{
    for (size_t i = 0; i < count; ++i) {
        float a = piece_reach(clusters->pieces, list[i], balls[0].center) + balls[0].distance;
        float b = piece_reach(clusters->pieces, list[i], balls[1].center) + balls[1].distance;
        clusters->side[i] = b < a;
    }
}

// Leaves sides in clusters->side.
static bool split(impi_SphereClusters *clusters, const uint32_t *list, size_t count, impi_Ball balls[2])
{
    float best = INFINITY;
    int best_direction = -1;
    for (size_t i = 0; i < DIRECTION_COUNT; ++i) {
        impi_Ball tried[2];
        divide_sides(clusters, list, count, directions[i]);
        if (!fit_sides(clusters, list, count, true, tried))
            continue;
        float cost = worth(tried[0].excess) + worth(tried[1].excess);
        if (cost < best) {
            best = cost;
            best_direction = (int)i;
            memcpy(balls, tried, sizeof tried);
        }
    }
    if (best_direction < 0)
        return false;
    divide_sides(clusters, list, count, directions[best_direction]);
    for (int i = 0; i < 3; ++i) {
        choose_sides(clusters, list, count, balls);
        if (!fit_sides(clusters, list, count, false, balls))
            return false;
    }
    return true;
}

static size_t find_worst(const impi_SphereClusters *clusters)
{
    size_t worst = clusters->count;
    float most = -INFINITY;
    for (size_t i = 0; i < clusters->count; ++i)
        if (clusters->balls[i].excess > most && cluster_size(clusters, i) > 1) {
            most = clusters->balls[i].excess;
            worst = i;
        }
    return worst;
}

// ---- rounds

static void refit(impi_SphereClusters *clusters, size_t cluster, float step, float least)
{
    collect(clusters, cluster);
    if (clusters->points.count == 0)
        return;
    Patch patch = patch_of(&clusters->points);
    impi_ball_fit(clusters->grid, &clusters->points, patch.radius * step, patch.radius * least,
                  &clusters->balls[cluster]);
}

static void assign(impi_SphereClusters *clusters, float *reach, float *patches)
{
    const impi_SpherePieces *pieces = clusters->pieces;
    (void)patches;
    for (size_t j = 0; j < clusters->count; ++j) {
        const uint32_t *list = clusters->list + clusters->first[j];
        size_t size = cluster_size(clusters, j);
        if (size == 0)
            continue;
        collect(clusters, j);
        Patch patch = patch_of(&clusters->points);
        const impi_Ball *own = &clusters->balls[j];
        for (size_t i = 0; i < size; ++i) {
            reach[i] = piece_reach(pieces, list[i], own->center) + own->distance;
            clusters->owner[list[i]] = (uint32_t)j;
        }
        for (size_t k = 0; k < clusters->count; ++k) {
            const impi_Ball *ball = &clusters->balls[k];
            if (k == j || distance_between(patch.middle, ball->center) + ball->distance - patch.radius > own->excess)
                continue;
            for (size_t i = 0; i < size; ++i) {
                float r = piece_reach(pieces, list[i], ball->center) + ball->distance;
                if (r < reach[i]) {
                    reach[i] = r;
                    clusters->owner[list[i]] = (uint32_t)k;
                }
            }
        }
    }
    list_pieces(clusters);
}

static void report(const impi_SphereClusters *c, const char *what)
{
    double sum = 0, most = 0;
    for (size_t i = 0; i < c->count; ++i) { sum += c->balls[i].excess; most = fmax(most, c->balls[i].excess); }
    if (getenv("VERBOSE")) fprintf(stderr, "%s: count %zu largest %.4f mean %.5f\n", what, c->count, most, sum / (double)c->count);
}

typedef struct Merge { float cost; uint32_t a, b; impi_Ball ball; } Merge;

static void find_merges(impi_SphereClusters *clusters, Merge *merges)
{
    for (size_t j = 0; j < clusters->count; ++j) {
        const impi_Ball *own = &clusters->balls[j];
        merges[j] = (Merge){INFINITY, (uint32_t)j, (uint32_t)j, *own};
        collect(clusters, j);
        impi_BallPoints points = clusters->points;
        if (points.count == 0)
            continue;
        Patch patch = patch_of(&points);
        for (size_t k = 0; k < clusters->count; ++k) {
            const impi_Ball *ball = &clusters->balls[k];
            if (k == j || distance_between(patch.middle, ball->center) + ball->distance - patch.radius > 2*own->excess)
                continue;
            // both around the other's center: an upper bound
            impi_Ball at = impi_ball_at(clusters->grid, &points, ball->center);
            float e = fmaxf(at.excess, ball->excess);
            float cost = worth(e) - worth(own->excess) - worth(ball->excess);
            if (cost < merges[j].cost) {
                merges[j].cost = cost;
                merges[j].b = (uint32_t)k;
            }
        }
        if (merges[j].a == merges[j].b)
            continue;
        size_t k = merges[j].b;
        impi_sphere_clusters_begin(clusters);
        impi_sphere_clusters_add(clusters, clusters->list + clusters->first[j], cluster_size(clusters, j));
        impi_sphere_clusters_add(clusters, clusters->list + clusters->first[k], cluster_size(clusters, k));
        impi_sphere_clusters_pad(clusters);
        patch = patch_of(&clusters->points);
        impi_Ball ball = clusters->balls[k];
        impi_ball_fit(clusters->grid, &clusters->points, patch.radius * 0.25F, patch.radius * 0.02F, &ball);
        merges[j].ball = ball;
        merges[j].cost = worth(ball.excess) - worth(own->excess) - worth(clusters->balls[k].excess);
    }
}

static int compare_merges(const void *a, const void *b)
{
    const Merge *x = a, *y = b;
    return x->cost != y->cost ? (x->cost < y->cost ? -1 : 1) : (x->a < y->a ? -1 : x->a > y->a);
}

static size_t relocate(impi_SphereClusters *clusters, Merge *merges, uint8_t *touched, size_t most)
{
    find_merges(clusters, merges);
    qsort(merges, clusters->count, sizeof *merges, compare_merges);
    memset(touched, 0, clusters->count);
    size_t done = 0, at = 0;
    int failed = 0;
    while (done < most && failed < 4) {
        while (at < clusters->count && (touched[merges[at].a] || touched[merges[at].b] || merges[at].a == merges[at].b))
            ++at;
        if (at == clusters->count)
            break;
        const Merge *merge = &merges[at];
        size_t worst = clusters->count;
        float e = -INFINITY;
        for (size_t i = 0; i < clusters->count; ++i)
            if (!touched[i] && i != merge->a && i != merge->b && clusters->balls[i].excess > e && cluster_size(clusters, i) > 1) {
                e = clusters->balls[i].excess;
                worst = i;
            }
        if (worst == clusters->count)
            break;
        impi_Ball halves[2];
        const uint32_t *list = clusters->list + clusters->first[worst];
        size_t size = cluster_size(clusters, worst);
        touched[worst] = 1;
        if (!split(clusters, list, size, halves)) { ++failed; continue; }
        float gain = worth(e) - worth(halves[0].excess) - worth(halves[1].excess);
        if (gain <= merge->cost) {
            ++failed;
            continue;
        }
        touched[merge->a] = touched[merge->b] = 1;
        clusters->balls[merge->a] = merge->ball;
        clusters->balls[worst] = halves[0];
        clusters->balls[merge->b] = halves[1];
        for (uint32_t i = clusters->first[merge->b]; i < clusters->first[merge->b + 1]; ++i)
            clusters->owner[clusters->list[i]] = merge->a;
        for (size_t i = 0; i < size; ++i)
            if (clusters->side[i])
                clusters->owner[list[i]] = merge->b;
        ++done;
    }
    list_pieces(clusters);
    return done;
}

imp_Status impi_sphere_clusters_divide(imp_Context *context, impi_SphereClusters *clusters, size_t count)
{
    const impi_SpherePieces *pieces = clusters->pieces;
    if (getenv("P_EXP")) P_EXP = atof(getenv("P_EXP"));
    if (getenv("ROUNDS")) ROUNDS = atoi(getenv("ROUNDS"));
    float *reach = impi_arena_allocate_array(&context->scratch, pieces->count, sizeof *reach);
    Merge *merges = impi_arena_allocate_array(&context->scratch, count, sizeof *merges);
    uint8_t *touched = impi_arena_allocate_array(&context->scratch, count, sizeof *touched);
    if (!reach || !merges || !touched)
        return impi_fail_out_of_memory(context);
    memset(clusters->owner, 0, pieces->count * sizeof *clusters->owner);
    clusters->count = 1;
    list_pieces(clusters);
    memset(&clusters->balls[0], 0, sizeof *clusters->balls);
    refit(clusters, 0, 0.5F, 0.01F);
    while (clusters->count < count) {
        size_t worst = find_worst(clusters);
        impi_Ball halves[2];
        if (worst == clusters->count)
            break;
        uint32_t *list = clusters->list + clusters->first[worst];
        uint32_t size = cluster_size(clusters, worst);
        if (!split(clusters, list, size, halves)) {
            clusters->balls[worst].excess = -1;
            continue;
        }
        for (uint32_t i = 0; i < size; ++i)
            if (clusters->side[i])
                clusters->owner[list[i]] = (uint32_t)clusters->count;
        clusters->balls[worst] = halves[0];
        clusters->balls[clusters->count++] = halves[1];
        list_pieces(clusters);
    }
    report(clusters, "split");
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < 3; ++i) {
            assign(clusters, reach, NULL);
            for (size_t j = 0; j < clusters->count; ++j)
                refit(clusters, j, 0.1F, 0.02F);
        }
        report(clusters, "lloyd");
        if (round < ROUNDS - 3) {
        size_t n = relocate(clusters, merges, touched, clusters->count / 8);
        if (getenv("VERBOSE")) fprintf(stderr, "relocated %zu\n", n);
        report(clusters, "relocated");
        }
    }
    return IMP_STATUS_OK;
}
