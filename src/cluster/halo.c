// Each rank tells all others where its boxes are: boxes around stretches of its order, those of each class of
// sizes by themselves, so that a few large boxes don't hide how little space the small ones take. Who sends
// walks down the octree with each of these, and notes which boxes reach it.
#include "cluster/halo.h"

#include "base/array.h"
#include "broad/octree_visit.h"

#include <math.h>
#include <string.h>

#define STRETCHES_PER_CLASS 64
#define STRETCH_COUNT       (IMPI_SIZE_CLASSES * STRETCHES_PER_CLASS)

typedef struct Outline {
    impi_SearchBox all; // its min is above its max when the rank has no boxes
    uint64_t count;
    impi_SearchBox stretches[STRETCH_COUNT];
} Outline;

static const impi_SearchBox no_bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void include_lane(impi_SearchBox *bounds, const impi_Lanes *lanes, size_t lane)
{
    for (int axis = 0; axis < 3; ++axis) {
        float low = lanes->min[axis][lane], high = lanes->max[axis][lane];
        bounds->min[axis] = low < bounds->min[axis] ? low : bounds->min[axis];
        bounds->max[axis] = high > bounds->max[axis] ? high : bounds->max[axis];
    }
}

// Around places [begin, end) of the order: whole blocks by their bounds.
static impi_SearchBox bound_places(const impi_Octree *octree, size_t begin, size_t end)
{
    impi_SearchBox bounds = no_bounds;
    while (begin < end) {
        size_t block = begin / IMPI_LANES;
        if (begin % IMPI_LANES == 0 && begin + IMPI_LANES <= end) {
            include_lane(&bounds, &octree->levels[1][block / IMPI_LANES], block % IMPI_LANES);
            begin += IMPI_LANES;
        } else {
            include_lane(&bounds, &octree->levels[0][block], begin % IMPI_LANES);
            ++begin;
        }
    }
    return bounds;
}

static size_t count_classes(const impi_RankSearch *search)
{
    size_t count = 0;
    for (size_t class = 0; class < IMPI_SIZE_CLASSES; ++class)
        count += search->class_starts[class + 1] > search->class_starts[class];
    return count;
}

// Stretches of empty classes go to the others.
static void outline_class(const impi_RankSearch *search, size_t class, Outline *outline)
{
    size_t begin = search->class_starts[class], count = search->class_starts[class + 1] - begin;
    size_t most = count > 0 ? STRETCH_COUNT / count_classes(search) : 0, pieces = count < most ? count : most;
    for (size_t i = 0; i < pieces; ++i)
        outline->stretches[outline->count++] =
            bound_places(&search->octree, begin + count * i / pieces, begin + count * (i + 1) / pieces);
}

static void draw_outline(const impi_RankSearch *search, Outline *outline)
{
    memset(outline, 0, sizeof *outline);
    outline->all = no_bounds;
    for (size_t class = 0; search->own_count > 0 && class < IMPI_SIZE_CLASSES; ++class)
        outline_class(search, class, outline);
    for (size_t i = 0; i < outline->count; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            const impi_SearchBox *part = &outline->stretches[i];
            outline->all.min[axis] = fminf(outline->all.min[axis], part->min[axis]);
            outline->all.max[axis] = fmaxf(outline->all.max[axis], part->max[axis]);
        }
}

// ---- who sends what

static bool bounds_overlap(const impi_SearchBox *a, const impi_SearchBox *b)
{
    bool overlap = true;
    for (int axis = 0; axis < 3; ++axis)
        overlap &= a->min[axis] <= b->max[axis] && b->min[axis] <= a->max[axis];
    return overlap;
}

typedef struct Halo {
    impi_RankSearch *search;
    const Outline *outlines; // of all ranks
    // Boxes that reach the rank that is looked at: bit i of reached[block] is place 16 block + i of the
    // order.
    uint16_t *reached;
    IMPI_ARRAY(uint32_t) sent; // boxes, rank after rank
    impi_Routes routes;
} Halo;

static void note_reached(size_t block, uint32_t lanes, void *argument)
{
    uint16_t *reached = argument;
    reached[block] = (uint16_t)(reached[block] | lanes);
}

static bool finds_pairs_of(uint32_t rank, uint32_t other)
{
    bool is_even = (rank + other) % 2 == 0;
    return rank != other && (rank < other) == is_even;
}

static bool list_reached(Halo *halo, size_t block_count)
{
    imp_Allocator allocator = impi_arena_allocator(&halo->search->cluster->context->scratch);
    const uint32_t *order = halo->search->octree.order;
    size_t count = halo->sent.count;
    for (size_t block = 0; block < block_count; ++block)
        count += (size_t)__builtin_popcount(halo->reached[block]);
    if (!impi_array_reserve(&allocator, &halo->sent, sizeof *halo->sent.data, count))
        return false;
    for (size_t block = 0; block < block_count; ++block)
        for (uint32_t lanes = halo->reached[block]; lanes; lanes &= lanes - 1)
            halo->sent.data[halo->sent.count++] = order[block * IMPI_LANES + (size_t)__builtin_ctz(lanes)];
    return true;
}

static bool list_for_rank(Halo *halo, const Outline *own, const Outline *other)
{
    const impi_Octree *octree = &halo->search->octree;
    size_t block_count = octree->node_counts[0];
    if (!bounds_overlap(&own->all, &other->all))
        return true;
    memset(halo->reached, 0, block_count * sizeof *halo->reached);
    for (size_t i = 0; i < other->count; ++i)
        if (bounds_overlap(&own->all, &other->stretches[i]))
            impi_octree_find_lanes(octree, &other->stretches[i], note_reached, halo->reached);
    return list_reached(halo, block_count);
}

static void list_sent(Halo *halo)
{
    impi_Cluster *cluster = halo->search->cluster;
    uint32_t rank = cluster->exchange->rank, rank_count = cluster->exchange->rank_count;
    bool is_done = true;
    for (uint32_t other = 0; other < rank_count && is_done; ++other) {
        if (halo->search->own_count > 0 && finds_pairs_of(other, rank))
            is_done = list_for_rank(halo, &halo->outlines[rank], &halo->outlines[other]);
        halo->routes.sent_starts[other + 1] = halo->sent.count;
    }
    if (!is_done)
        impi_cluster_keep(cluster, impi_fail_out_of_memory(cluster->context), IMPI_CLUSTER_NO_ORDER);
}

// ---- travel

static void pack_sent(const Halo *halo, char *rows, uint32_t *ids)
{
    const impi_RankBoxes *boxes = &halo->search->boxes;
    size_t row_size = halo->search->grid->row_size;
    for (size_t i = 0; i < halo->sent.count; ++i) {
        size_t box = halo->sent.data[i];
        memcpy(rows + i * row_size, (const char *)boxes->rows + box * row_size, row_size);
        ids[i] = boxes->ids[box];
    }
}

static imp_Status send_boxes(Halo *halo)
{
    impi_RankSearch *search = halo->search;
    impi_Cluster *cluster = search->cluster;
    size_t row_size = search->grid->row_size, own_count = search->own_count;
    imp_Status status = impi_cluster_post(cluster, &halo->routes);
    if (status != IMP_STATUS_OK)
        return status;
    size_t received = impi_routes_received(cluster, &halo->routes);
    char *rows = impi_cluster_allocate(cluster, halo->sent.count, row_size);
    uint32_t *ids = impi_cluster_allocate(cluster, halo->sent.count, sizeof *ids);
    impi_rank_search_make_room(search, received);
    status = impi_cluster_agree(cluster);
    if (status != IMP_STATUS_OK)
        return status;
    pack_sent(halo, rows, ids);
    impi_cluster_deliver(cluster, row_size, rows, (char *)search->boxes.room + own_count * row_size,
                         &halo->routes);
    impi_cluster_deliver(cluster, sizeof *ids, ids, search->boxes.ids + own_count, &halo->routes);
    impi_rank_search_add_halo(search, received);
    return IMP_STATUS_OK;
}

imp_Status impi_halo_exchange(impi_RankSearch *search)
{
    impi_Cluster *cluster = search->cluster;
    size_t block_count = search->own_count ? search->octree.node_counts[0] : 0;
    Halo halo = {.search = search, .routes = impi_cluster_routes(cluster)};
    Outline *own = impi_cluster_allocate(cluster, 1, sizeof *own);
    Outline *outlines = impi_cluster_allocate(cluster, cluster->exchange->rank_count, sizeof *outlines);
    halo.reached = impi_cluster_allocate(cluster, block_count, sizeof *halo.reached);
    imp_Status status = impi_cluster_agree(cluster);
    if (status != IMP_STATUS_OK)
        return status;
    draw_outline(search, own);
    impi_cluster_all_gather(cluster, own, sizeof *own, outlines);
    halo.outlines = outlines;
    list_sent(&halo);
    return send_boxes(&halo);
}
