// Depth of regions, by subdivision of the surfaces that lie inside.
//
// A triangle of one surface with centre c and radius r has no point inside of the other body that is farther
// from its surface than
//   dist(c) + r                  since distance changes no faster than the point moves,
//   r - dist(c) if c is outside  since the way from c into the inside crosses the surface,
//   max dist(corner, T)          for any face T of the other, since distance from a convex set is convex.
// The last one is what makes large faces that lie close to each other cheap. A centre inside gives a lower
// bound, for the regions that bound its piece. Triangles are taken largest bound first, and halved across
// their longest edge until the bound of each is within 1 % of what is known to be reached, or within some
// ulps.
//
// Points of the subdivision are rounded, so that they are off the surface by up to `off`, which bounds allow
// for: a point that is inside and farther than that from the other's surface has a point of the surface
// beside it that is inside too.
#include "object/contact_depth.h"

#include "base/disjoint_sets.h"
#include "geom/scalar.h"
#include "geom/vector.h"
#include "object/contact_cells.h"
#include "object/point_distance.h"
#include "object/posed_surface.h"

#include <math.h>

#define ACCURACY        1.01
#define ROUNDING        0x1p-46 // of the largest coordinate: a hundred halvings, each off by half an ulp
#define FLOOR           16      // times that: depths are not told apart any more
#define MAX_PIECES      (1 << 17)
#define PIECES_PER_LOOK 16 // at the budget
#define NO_TOUCHED      UINT32_MAX

// A triangle of a surface.
typedef struct Piece {
    imp_Vec3 v[3], centre;
    double upper;        // no point of it inside is deeper
    uint32_t touched;    // of touched faces, where it may lie in several pieces of surface; or NO_TOUCHED:
    uint32_t set;        // the piece of surface that it lies in, all of it inside
    impi_BlockFace hint; // a face that is near
    int one;             // whose surface
} Piece;

typedef struct Depths {
    const impi_ContactGraph *graph;
    impi_Budget *budget;
    imp_Allocator allocator;
    impi_InsidePieces pieces[2];
    bool *is_deep;
    double *lower, *upper; // by region
    double scale, off, least;
    IMPI_ARRAY(Piece) store;
    IMPI_ARRAY(uint32_t) heap; // of pieces, largest bound first
    size_t evaluated, allowed;
} Depths;

// ---- the heap

// Ties are broken by where they are, which does not hang on which body is a.
static bool comes_first(const Depths *depths, uint32_t one, uint32_t other)
{
    const Piece *a = &depths->store.data[one], *b = &depths->store.data[other];
    if (a->upper != b->upper)
        return a->upper > b->upper;
    if (!impi_is_equal(&a->centre, &b->centre))
        return impi_is_before(&a->centre, &b->centre);
    return one < other;
}

static void sift_up(Depths *depths, size_t i)
{
    uint32_t *heap = depths->heap.data, item = heap[i];
    for (; i > 0 && comes_first(depths, item, heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = item;
}

static uint32_t pop(Depths *depths)
{
    uint32_t *heap = depths->heap.data, first = heap[0], item = heap[--depths->heap.count];
    size_t i = 0, count = depths->heap.count;
    for (size_t child = 1; child < count; child = 2 * i + 1) {
        child += child + 1 < count && comes_first(depths, heap[child + 1], heap[child]);
        if (!comes_first(depths, heap[child], item))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = item;
    return first;
}

// ---- regions of a piece

typedef void (*RegionFn)(Depths *depths, uint32_t region, double value, bool *flag);

static void for_set(Depths *depths, int one, uint32_t set, RegionFn visit, double value, bool *flag)
{
    const impi_InsidePieces *pieces = &depths->pieces[one];
    for (size_t i = impi_piece_bounds(pieces, set);
         i < pieces->bounds.count && pieces->bounds.data[i] >> 32 == set; ++i)
        if (depths->is_deep[(uint32_t)pieces->bounds.data[i]])
            visit(depths, (uint32_t)pieces->bounds.data[i], value, flag);
}

// Regions that a piece may count for.
static void for_regions(Depths *depths, const Piece *piece, RegionFn visit, double value, bool *flag)
{
    const impi_ContactGraph *graph = depths->graph;
    const impi_InsidePieces *pieces = &depths->pieces[piece->one];
    if (graph->region_count == 1) {
        if (depths->is_deep[0])
            visit(depths, 0, value, flag);
        return;
    }
    if (piece->touched == NO_TOUCHED) {
        for_set(depths, piece->one, piece->set, visit, value, flag);
        return;
    }
    const impi_TouchedFace *touched = &pieces->touched.data[piece->touched];
    for (uint32_t i = 0; i < touched->pair_count; ++i) {
        const impi_ContactFaces *pair = &graph->pairs[pieces->face_pairs[touched->first_pair + i]];
        for (uint32_t k = 0; k < pair->node_count; ++k)
            for (int side = -1; side <= 1; side += 2) {
                uint32_t node = graph->pair_nodes.data[pair->first_node + k];
                uint32_t set = impi_set_of(pieces->sets.data, impi_node_element(node, side));
                for_set(depths, piece->one, set, visit, value, flag);
            }
    }
}

static double target_of(const Depths *depths, uint32_t region)
{
    return impi_larger(ACCURACY * depths->lower[region], depths->least);
}

static void note_open(Depths *depths, uint32_t region, double upper, bool *is_open)
{
    *is_open |= upper > target_of(depths, region);
}

static void raise_upper(Depths *depths, uint32_t region, double upper, bool *ignored)
{
    (void)ignored;
    depths->upper[region] = impi_larger(depths->upper[region], upper);
}

static void raise_lower(Depths *depths, uint32_t region, double lower, bool *ignored)
{
    (void)ignored;
    depths->lower[region] = impi_larger(depths->lower[region], lower);
}

// ---- pieces

static double radius_of(const Piece *piece)
{
    double most = 0;
    for (int i = 0; i < 3; ++i)
        most = impi_larger(most, impi_length(impi_subtract(piece->v[i], piece->centre)));
    return most * (1 + 0x1p-48);
}

// No point of the piece is farther from a face of the other than its corners are.
static double convex_bound(const Depths *depths, const Piece *piece, const imp_Triangle *face)
{
    double most = 0;
    for (int i = 0; i < 3; ++i)
        most = impi_larger(most, impi_triangle_point_distance(face, piece->v[i], depths->scale).upper);
    return most;
}

static void locate(Depths *depths, Piece *piece)
{
    const impi_InsidePieces *pieces = &depths->pieces[piece->one];
    if (piece->touched == NO_TOUCHED)
        return;
    piece->set = 0;
    if (depths->graph->region_count > 1)
        piece->set = impi_piece_of_point(pieces, &pieces->touched.data[piece->touched], piece->centre);
}

static void raise_from(Depths *depths, const Piece *piece, double lower)
{
    if (depths->graph->region_count == 1)
        raise_lower(depths, 0, lower, NULL);
    else
        for_set(depths, piece->one, piece->set, raise_lower, lower, NULL);
}

// Bound a piece. False when nothing of it is inside.
static bool bound_piece(Depths *depths, Piece *piece)
{
    const impi_InsidePieces *pieces = &depths->pieces[piece->one];
    const impi_Surface *surface = impi_surface_of(impi_pieces_other(pieces)->body);
    piece->centre =
        impi_scale(impi_add_scaled(impi_add_scaled(piece->v[0], 1, piece->v[1]), 1, piece->v[2]), 1.0 / 3);
    double radius = radius_of(piece) + depths->off;
    impi_PointDistance distance =
        impi_surface_point_distance(surface, piece->centre, depths->scale, piece->hint);
    imp_Triangle face = impi_surface_triangle(surface, distance.face);
    bool is_open = false;
    piece->hint = distance.face;
    double convex = convex_bound(depths, piece, &face) + depths->off;
    piece->upper = impi_smaller(distance.upper + radius, convex);
    ++depths->evaluated;
    for_regions(depths, piece, note_open, piece->upper, &is_open);
    if (!is_open)
        return true;
    bool inside = piece->touched == NO_TOUCHED || impi_pieces_contain(pieces, piece->centre);
    if (!inside && distance.lower > radius)
        return false;
    if (!inside) {
        piece->upper = impi_smaller(piece->upper, impi_larger(radius - distance.lower, 0) + depths->off);
        return true;
    }
    locate(depths, piece);
    raise_from(depths, piece, distance.lower - depths->off);
    if (distance.lower > radius)
        piece->touched = NO_TOUCHED;
    return true;
}

// A piece that counts for no open region is done with; its bound holds.
static bool add_piece(Depths *depths, const Piece *piece)
{
    bool is_open = false;
    Piece bounded = *piece;
    if (!bound_piece(depths, &bounded))
        return true;
    for_regions(depths, &bounded, note_open, bounded.upper, &is_open);
    if (!is_open) {
        for_regions(depths, &bounded, raise_upper, bounded.upper, NULL);
        return true;
    }
    if (!impi_array_reserve(&depths->allocator, &depths->store, sizeof *depths->store.data,
                            depths->store.count + 1) ||
        !impi_array_reserve(&depths->allocator, &depths->heap, sizeof *depths->heap.data,
                            depths->heap.count + 1))
        return false;
    depths->heap.data[depths->heap.count] = (uint32_t)depths->store.count;
    depths->store.data[depths->store.count++] = bounded;
    sift_up(depths, depths->heap.count++);
    return true;
}

// Across its longest edge.
static bool halve(Depths *depths, const Piece *piece)
{
    int longest = 0;
    double lengths[3];
    for (int i = 0; i < 3; ++i) {
        lengths[i] = impi_length(impi_subtract(piece->v[(i + 1) % 3], piece->v[i]));
        longest = lengths[i] > lengths[longest] ? i : longest;
    }
    int from = longest, to = (longest + 1) % 3;
    imp_Vec3 middle = impi_add_scaled(impi_scale(piece->v[from], 0.5), 0.5, piece->v[to]);
    Piece half = *piece;
    half.v[to] = middle;
    if (!add_piece(depths, &half))
        return false;
    half = *piece;
    half.v[from] = middle;
    return add_piece(depths, &half);
}

// ---- the search

static imp_Status look_at_budget(const Depths *depths, size_t count)
{
    return count % PIECES_PER_LOOK == 0 && impi_budget_is_over(depths->budget) ? IMP_STATUS_OUT_OF_TIME
                                                                               : IMP_STATUS_OK;
}

static Piece piece_of(const Depths *depths, int one, uint32_t face, uint32_t touched, uint32_t set)
{
    imp_Triangle triangle = impi_side_triangle(depths->graph->sides[one], face);
    return (Piece){.v = {triangle.v[0], triangle.v[1], triangle.v[2]},
                   .touched = touched,
                   .set = set,
                   .hint = IMPI_NO_BLOCK_FACE,
                   .one = one};
}

static imp_Status add_inside_faces(Depths *depths, int one)
{
    const impi_InsidePieces *pieces = &depths->pieces[one];
    imp_Status status = IMP_STATUS_OK;
    for (size_t i = 0; i < pieces->inside.count && status == IMP_STATUS_OK; ++i) {
        uint32_t set = impi_piece_of_face(pieces, &pieces->inside.data[i]);
        Piece piece = piece_of(depths, one, pieces->inside.data[i].face, NO_TOUCHED, set);
        if (!add_piece(depths, &piece))
            return IMP_STATUS_OUT_OF_MEMORY;
        status = look_at_budget(depths, i);
    }
    return status;
}

static imp_Status add_touched_faces(Depths *depths, int one)
{
    const impi_InsidePieces *pieces = &depths->pieces[one];
    imp_Status status = IMP_STATUS_OK;
    for (size_t i = 0; i < pieces->touched.count && status == IMP_STATUS_OK; ++i) {
        Piece piece = piece_of(depths, one, pieces->touched.data[i].face, (uint32_t)i, 0);
        if (!add_piece(depths, &piece))
            return IMP_STATUS_OUT_OF_MEMORY;
        status = look_at_budget(depths, i);
    }
    return status;
}

static imp_Status search(Depths *depths)
{
    imp_Status status = IMP_STATUS_OK;
    for (int one = 0; one < 2 && status == IMP_STATUS_OK; ++one)
        status = add_inside_faces(depths, one);
    for (int one = 0; one < 2 && status == IMP_STATUS_OK; ++one)
        status = add_touched_faces(depths, one);
    depths->allowed = depths->evaluated + MAX_PIECES;
    for (size_t i = 0; depths->heap.count > 0 && status == IMP_STATUS_OK; ++i) {
        bool is_open = false;
        Piece piece = depths->store.data[pop(depths)];
        for_regions(depths, &piece, note_open, piece.upper, &is_open);
        if (!is_open || depths->evaluated >= depths->allowed)
            for_regions(depths, &piece, raise_upper, piece.upper, NULL);
        else if (!halve(depths, &piece))
            return IMP_STATUS_OUT_OF_MEMORY;
        status = look_at_budget(depths, i);
    }
    return status;
}

// ---- all of it

static bool begin_depths(Depths *depths)
{
    const impi_ContactGraph *graph = depths->graph;
    const imp_Box *a = &graph->sides[0]->body->bounds, *b = &graph->sides[1]->body->bounds;
    size_t count = graph->region_count;
    depths->is_deep = impi_arena_allocate_array(graph->arena, count, sizeof *depths->is_deep);
    depths->lower = impi_arena_allocate_array(graph->arena, count, sizeof *depths->lower);
    depths->upper = impi_arena_allocate_array(graph->arena, count, sizeof *depths->upper);
    if (!depths->is_deep || !depths->lower || !depths->upper)
        return false;
    for (size_t i = 0; i < count; ++i) {
        depths->is_deep[i] = false;
        depths->lower[i] = depths->upper[i] = 0;
    }
    double largest = impi_larger(impi_larger(impi_longest(a->min), impi_longest(a->max)),
                                 impi_larger(impi_longest(b->min), impi_longest(b->max)));
    depths->scale = impi_distance_scale(a, b);
    depths->off = ROUNDING * largest;
    depths->least = FLOOR * depths->off;
    return true;
}

static void note_depths(const Depths *depths, impi_ContactLists *lists)
{
    for (uint32_t i = 0; i < depths->graph->region_count; ++i) {
        imp_Contact *contact = &lists->contacts.data[i];
        contact->depth_is_known = true;
        contact->depth_lower_bound = depths->lower[i];
        contact->depth = impi_larger(depths->upper[i], depths->lower[i]);
        contact->depth_reached_accuracy = contact->depth <= target_of(depths, i);
    }
}

imp_Status impi_contact_depths_find(const impi_ContactGraph *graph, impi_Budget *budget,
                                    impi_ContactLists *lists)
{
    Depths depths = {.graph = graph, .budget = budget, .allocator = impi_arena_allocator(graph->arena)};
    imp_Status status = IMP_STATUS_OK;
    if (!graph->sides[0]->links->is_closed || !graph->sides[1]->links->is_closed)
        return IMP_STATUS_OK;
    if (!begin_depths(&depths))
        return IMP_STATUS_OUT_OF_MEMORY;
    for (int one = 0; one < 2 && status == IMP_STATUS_OK; ++one)
        status = impi_inside_pieces_find(graph, one, budget, depths.is_deep, &depths.pieces[one]);
    if (status == IMP_STATUS_OK)
        status = search(&depths);
    if (status == IMP_STATUS_OK)
        note_depths(&depths, lists);
    return status;
}
