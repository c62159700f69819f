// A cluster is cut across each of several directions, in the middle of its pieces; the best cut is improved
// by giving each piece to the better of both balls and fitting these, as in Lloyd's method. Cost: two fits
// for each direction.
#include "shape/sphere_clusters.h"

#include <string.h>

// Few balls of an upper level are worth more care than many of the last, which are split again and again.
#define IMPROVEMENTS      3
#define LAST_IMPROVEMENTS 2
#define LAST_DIRECTIONS   7 // along axes and diagonals of a cube

// Steps of fits, in parts of the size of what is to be held: rough while directions are compared.
#define FIRST_STEP       0.5F
#define ROUGH_LEAST_STEP 0.06F
#define LAST_ROUGH_STEP  0.12F
#define LEAST_STEP       0.02F

static const float directions[][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1}, {1, 1, 1},  {1, 1, -1},
                                      {1, -1, 1}, {-1, 1, 1}, {1, 1, 0}, {1, -1, 0}, {0, 1, 1},
                                      {0, 1, -1}, {1, 0, 1},  {-1, 0, 1}};

#define DIRECTION_COUNT (sizeof directions / sizeof *directions)

static bool fit_halves(impi_SphereClusters *clusters, size_t cluster, const impi_BallSearch *search,
                       bool is_rough, impi_Ball halves[2])
{
    const uint32_t *list = impi_cluster_list(clusters, cluster);
    size_t size = impi_cluster_size(clusters, cluster);
    float rough = clusters->problem.is_last ? LAST_ROUGH_STEP : ROUGH_LEAST_STEP;
    for (int side = 0; side < 2; ++side) {
        float middle[3];
        impi_collect_begin(clusters);
        for (size_t i = 0; i < size; ++i)
            if (clusters->side[i] == side)
                impi_collect_piece(clusters, list[i]);
        impi_ball_points_pad(&clusters->points);
        if (clusters->points.count == 0)
            return false;
        float patch = impi_points_middle(&clusters->points, middle);
        if (is_rough)
            memcpy(halves[side].center, middle, sizeof middle);
        impi_ball_fit(search, &clusters->points, (is_rough ? FIRST_STEP : FIRST_STEP / 2) * patch,
                      (is_rough ? rough : LEAST_STEP) * patch, &halves[side]);
    }
    return true;
}

// Pieces on either side of the mean, by their first corners.
static void cut_across(impi_SphereClusters *clusters, size_t cluster, const float direction[3])
{
    const impi_SpherePieces *pieces = clusters->problem.pieces;
    const uint32_t *list = impi_cluster_list(clusters, cluster);
    size_t size = impi_cluster_size(clusters, cluster);
    double mean = 0;
    for (size_t i = 0; i < size; ++i) {
        uint32_t point = impi_piece_corners(pieces, list[i])[0];
        clusters->reach[i] = direction[0] * pieces->x[point] + direction[1] * pieces->y[point] +
                             direction[2] * pieces->z[point];
        mean += (double)clusters->reach[i];
    }
    mean /= (double)size;
    for (size_t i = 0; i < size; ++i)
        clusters->side[i] = (double)clusters->reach[i] > mean;
}

static void choose_sides(impi_SphereClusters *clusters, size_t cluster, const impi_Ball halves[2])
{
    const impi_SpherePieces *pieces = clusters->problem.pieces;
    const uint32_t *list = impi_cluster_list(clusters, cluster);
    size_t size = impi_cluster_size(clusters, cluster);
    float offsets[2] = {halves[0].excess - halves[0].radius, halves[1].excess - halves[1].radius};
    for (size_t i = 0; i < size; ++i)
        clusters->side[i] = impi_piece_reach(pieces, list[i], halves[1].center) + offsets[1] <
                            impi_piece_reach(pieces, list[i], halves[0].center) + offsets[0];
}

// Where all first corners are equal, pieces are parted by number.
static bool cut_by_number(impi_SphereClusters *clusters, size_t cluster, impi_Ball halves[2])
{
    size_t size = impi_cluster_size(clusters, cluster);
    for (size_t i = 0; i < size; ++i)
        clusters->side[i] = i >= size / 2;
    return fit_halves(clusters, cluster, clusters->problem.rough_search, true, halves);
}

bool impi_cluster_split(impi_SphereClusters *clusters, size_t cluster, impi_Ball halves[2])
{
    float least = INFINITY;
    size_t best = DIRECTION_COUNT;
    int rounds = clusters->problem.is_last ? LAST_IMPROVEMENTS : IMPROVEMENTS;
    size_t direction_count = clusters->problem.is_last ? LAST_DIRECTIONS : DIRECTION_COUNT;
    for (size_t i = 0; i < direction_count; ++i) {
        impi_Ball tried[2];
        cut_across(clusters, cluster, directions[i]);
        if (fit_halves(clusters, cluster, clusters->problem.rough_search, true, tried) &&
            tried[0].excess + tried[1].excess < least) {
            least = tried[0].excess + tried[1].excess;
            best = i;
            memcpy(halves, tried, sizeof tried);
        }
    }
    if (best == DIRECTION_COUNT)
        return impi_cluster_size(clusters, cluster) > 1 && cut_by_number(clusters, cluster, halves);
    for (int i = 0; i < rounds; ++i) {
        choose_sides(clusters, cluster, halves);
        if (!fit_halves(clusters, cluster,
                        i + 1 < rounds ? clusters->problem.rough_search : clusters->problem.search, false,
                        halves)) {
            cut_across(clusters, cluster, directions[best]);
            return fit_halves(clusters, cluster, clusters->problem.rough_search, true, halves);
        }
    }
    return true;
}
