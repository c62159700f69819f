// Depth of regions, by subdivision of the surfaces that lie inside.
//
// A triangle of one surface with centre c and radius r has no point inside of the other body that is farther
// from its surface than
//   dist(c) + r                  since distance changes no faster than the point moves,
//   r - dist(c) if c is outside  since the way from c into the inside crosses the surface,
//   max dist(corner, T)          for any face T of the other, since distance from a convex set is convex.
// A centre inside gives a lower bound, for the regions that bound its piece. Triangles are taken largest
// bound first, and divided until the bound of each is within 1 % of what is known to be reached, or within
// some ulps. Those that a curve cuts are cut along it, so that what is left is inside or outside. Large ones
// that lie close to the other surface are cut along the edges of its faces, since over one face the third
// bound is sharp whatever the size of the triangle. Others are halved.
//
// Points of the subdivision are rounded, so that they are off the surface by up to `off`, which bounds allow
// for: a point that is inside and farther than that from the other's surface has a point of the surface
// beside it that is inside too.
#include "object/contact_depth.h"

#include "base/disjoint_sets.h"
#include "geom/scalar.h"
#include "geom/vector.h"
#include "object/contact_cells.h"
#include "object/contact_split.h"
#include "object/point_distance.h"
#include "object/posed_surface.h"

#include <math.h>

#define ACCURACY 1.01

// Beyond this, sums of coordinates may overflow.
#define MAX_COORDINATE 0x1p1000

// How far points of divided triangles are off the surface, as a share of the largest coordinate. Let u be
// 2^-53. In a division, a coordinate of one end is weighted by 1 - share, which rounds twice, that of the
// other by share, which rounds once, and their sum rounds: at most 3 u, on top of what the ends are off. That
// the share itself is rounded only moves the point along the edge. A centre adds less than 3.2 u: u / 2 since
// 1 / 3 is rounded, u for products and 5 / 3 u for sums. After MAX_DIVISIONS a centre is off by at most
// sqrt(3) * (48 * 3 + 3.2) u, which is below 255 u. ROUNDING is 256 u.
#define MAX_DIVISIONS 48
#define ROUNDING      0x1p-45

// In multiples of that. A curve that reaches less far than CUT_MARGIN into a triangle does not cut it: what
// it cuts off is on the wrong side by less than SIDE_MARGIN. Those that do can be cut along, since LEAST_CUT
// is less. What is not as wide as a NEEDLE is not cut along curves, which are never off it by
// CUT_MARGIN. Depths are not told apart by less than FLOOR.
#define CUT_MARGIN  2
#define LEAST_CUT   1
#define NEEDLE      8
#define SIDE_MARGIN 8
#define FLOOR       16

#define MAX_CURVES 8 // that a triangle is cut along; with more it is halved first

#define MAX_PIECES      (1 << 17)
#define PIECES_PER_LOOK 16 // at the budget
#define NO_TOUCHED      UINT32_MAX

// A triangle of a surface.
typedef struct Piece {
    imp_Triangle triangle;
    imp_Vec3 centre;
    double upper;        // no point of it inside is deeper
    uint32_t touched;    // of touched faces, while curves may cut it; or NO_TOUCHED:
    uint32_t set;        // the piece of surface that it lies in, all of it inside unless it is touched
    uint32_t cut_count;  // what may cut it, as pairs of the touched face
    size_t first_cut;    // in Depths.cuts
    uint32_t division;   // how many led to it
    impi_BlockFace hint; // a face that is near
    bool is_near;        // the other's surface is, for its size
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
    int first; // side that is looked at first; where the bodies are tells, not which of them is a
    IMPI_ARRAY(Piece) store;
    IMPI_ARRAY(uint32_t) heap; // of pieces, largest bound first
    IMPI_ARRAY(uint32_t) cuts;
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

// No curve cuts it, so that it is all in one piece of surface. Which one, and whether that is inside, may
// still be unknown.
static bool is_uncut(const Piece *piece)
{
    return piece->touched == NO_TOUCHED || piece->cut_count == 0;
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
    if (is_uncut(piece)) {
        for_set(depths, piece->one, piece->set, visit, value, flag);
        return;
    }
    const uint32_t *face_pairs = pieces->face_pairs + pieces->touched.data[piece->touched].first_pair;
    for (uint32_t i = 0; i < piece->cut_count; ++i) {
        const impi_ContactFaces *pair = &graph->pairs[face_pairs[depths->cuts.data[piece->first_cut + i]]];
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
    return impi_larger(ACCURACY * depths->lower[region], depths->lower[region] + depths->least);
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

static void note_raised(Depths *depths, uint32_t region, double lower, bool *raises)
{
    *raises |= lower > depths->lower[region];
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
        most = impi_larger(most, impi_length(impi_subtract(piece->triangle.v[i], piece->centre)));
    return most * (1 + 0x1p-48);
}

// No point of the piece is farther from a face of the other than its corners are.
static double convex_bound(const Depths *depths, const Piece *piece, const imp_Triangle *face)
{
    double most = 0;
    for (int i = 0; i < 3; ++i)
        most =
            impi_larger(most, impi_triangle_point_distance(face, piece->triangle.v[i], depths->scale).upper);
    return most;
}

// The regions of what its centre lies in.
static void for_located(Depths *depths, const Piece *piece, RegionFn visit, double value, bool *flag)
{
    if (depths->graph->region_count == 1)
        visit(depths, 0, value, flag);
    else
        for_set(depths, piece->one, piece->set, visit, value, flag);
}

static bool is_open(Depths *depths, const Piece *piece)
{
    bool open = false;
    for_regions(depths, piece, note_open, piece->upper, &open);
    return open;
}

// May what a pair has in common cut the piece, or cover it? Degenerate faces always may.
static bool may_meet(const Depths *depths, const Piece *piece, uint32_t cut, impi_Axis dropped)
{
    const impi_InsidePieces *pieces = &depths->pieces[piece->one];
    const impi_TouchedFace *touched = &pieces->touched.data[piece->touched];
    double margin = CUT_MARGIN * depths->off;
    imp_Vec3 ends[2];
    imp_Triangle flat;
    if (impi_segment_in_face(pieces, touched, cut, ends))
        return impi_may_be_cut(&piece->triangle, ends, dropped, margin);
    return !impi_flat_over_face(pieces, touched, cut, &flat) ||
           impi_may_overlap(&piece->triangle, &flat, dropped, margin);
}

// What of the parent's cuts may cut a part of it. False when out of memory.
static bool list_cuts(Depths *depths, Piece *piece)
{
    const impi_InsidePieces *pieces = &depths->pieces[piece->one];
    const impi_TouchedFace *touched = &pieces->touched.data[piece->touched];
    imp_Triangle face = impi_side_triangle(impi_pieces_side(pieces), touched->face);
    impi_Axis dropped = impi_widest_view(impi_face_normal(&face));
    size_t from = piece->first_cut, count = depths->cuts.count;
    if (!impi_array_reserve(&depths->allocator, &depths->cuts, sizeof *depths->cuts.data,
                            count + piece->cut_count))
        return false;
    for (uint32_t i = 0; i < piece->cut_count; ++i) {
        uint32_t cut = depths->cuts.data[from + i];
        if (may_meet(depths, piece, cut, dropped))
            depths->cuts.data[depths->cuts.count++] = cut;
    }
    piece->first_cut = count;
    piece->cut_count = (uint32_t)(depths->cuts.count - count);
    return true;
}

// The piece of surface that the centre lies in.
static void locate(const Depths *depths, Piece *piece)
{
    const impi_InsidePieces *pieces = &depths->pieces[piece->one];
    if (depths->graph->region_count > 1)
        piece->set = impi_piece_of_point(pieces, &pieces->touched.data[piece->touched], piece->centre);
}

// Farther from the other's box than rounding reaches.
static bool is_beyond_box(const Depths *depths, const Piece *piece)
{
    const imp_Box *box = &impi_pieces_other(&depths->pieces[piece->one])->body->bounds;
    imp_Vec3 below = impi_subtract(box->min, piece->centre), above = impi_subtract(piece->centre, box->max);
    return impi_larger(impi_larger(impi_larger(below.x, below.y), below.z),
                       impi_larger(impi_larger(above.x, above.y), above.z)) > SIDE_MARGIN * depths->off;
}

// A piece that nothing cuts is wholly inside, or wholly outside: then nothing of it counts. Its centre tells
// which, unless it is so near to the other's surface that rounding may have moved it across. False when it is
// outside.
static bool settle_side(const Depths *depths, Piece *piece, double distance)
{
    if (piece->touched == NO_TOUCHED || !(distance > SIDE_MARGIN * depths->off))
        return true;
    piece->touched = NO_TOUCHED;
    return impi_pieces_contain(&depths->pieces[piece->one], piece->centre);
}

// Along an edge of the other, a long piece may be wider than its centre is far from one face, and lie close
// to the other one all over. That one is the nearest to the corner that is farthest from the first.
static void bound_by_farthest_corner(Depths *depths, Piece *piece)
{
    const impi_Surface *surface = impi_surface_of(impi_pieces_other(&depths->pieces[piece->one])->body);
    imp_Triangle face = impi_surface_triangle(surface, piece->hint);
    imp_Vec3 corner = piece->triangle.v[0];
    double most = 0;
    for (int i = 0; i < 3; ++i) {
        double distance = impi_triangle_point_distance(&face, piece->triangle.v[i], depths->scale).upper;
        if (distance > most) {
            most = distance;
            corner = piece->triangle.v[i];
        }
    }
    impi_PointDistance nearest = impi_surface_point_distance(surface, corner, depths->scale, piece->hint);
    face = impi_surface_triangle(surface, nearest.face);
    ++depths->evaluated;
    double upper = convex_bound(depths, piece, &face) + depths->off;
    if (upper < piece->upper) {
        piece->upper = upper;
        piece->hint = nearest.face;
    }
}

// With the distance of its centre. False when nothing of it is inside.
static bool measure(Depths *depths, Piece *piece)
{
    const impi_InsidePieces *pieces = &depths->pieces[piece->one];
    const impi_Surface *surface = impi_surface_of(impi_pieces_other(pieces)->body);
    impi_PointDistance distance =
        impi_surface_point_distance(surface, piece->centre, depths->scale, piece->hint);
    double radius = radius_of(piece) + depths->off;
    imp_Triangle face = impi_surface_triangle(surface, distance.face);
    piece->is_near = 2 * distance.upper < radius;
    piece->hint = distance.face;
    piece->upper = impi_smaller(distance.upper + radius, convex_bound(depths, piece, &face) + depths->off);
    ++depths->evaluated;
    if (!is_open(depths, piece))
        return true;
    double lower = distance.lower - SIDE_MARGIN * depths->off;
    bool uncut = is_uncut(piece), raises = false;
    if (uncut && !settle_side(depths, piece, distance.lower))
        return false;
    // What tells the depth is inside itself, whatever was found of the whole that it is a part of: a curve
    // that reaches less than CUT_MARGIN into that may still cut off a sharp corner far from its tip.
    if (uncut)
        for_located(depths, piece, note_raised, lower, &raises);
    if ((!uncut || raises) && !impi_pieces_contain(pieces, piece->centre)) {
        double left = radius - distance.lower;
        piece->upper = impi_smaller(piece->upper, impi_larger(left, 0) + depths->off);
        return left >= 0;
    }
    if (!uncut)
        locate(depths, piece);
    for_located(depths, piece, raise_lower, lower, NULL);
    if (uncut && piece->is_near && is_open(depths, piece))
        bound_by_farthest_corner(depths, piece);
    if (!uncut && distance.lower > radius)
        piece->touched = NO_TOUCHED;
    return true;
}

// Is the distance from one face of the other enough to settle it?
static bool is_settled_by(Depths *depths, Piece *piece, const imp_Triangle *face)
{
    piece->upper = convex_bound(depths, piece, face) + depths->off;
    return !is_open(depths, piece);
}

// Do faces that cut it, or lie on it, settle it? The first one, and where there are few all in its plane.
static bool is_settled_by_cuts(Depths *depths, Piece *piece)
{
    const impi_InsidePieces *pieces = &depths->pieces[piece->one];
    const impi_TouchedFace *touched = &pieces->touched.data[piece->touched];
    const uint32_t *cuts = depths->cuts.data + piece->first_cut;
    const impi_ContactFaces *first = &depths->graph->pairs[pieces->face_pairs[touched->first_pair + cuts[0]]];
    imp_Triangle face = impi_side_triangle(impi_pieces_other(pieces), first->faces[!piece->one]);
    bool settled = is_settled_by(depths, piece, &face);
    for (uint32_t i = 1; i < piece->cut_count && piece->cut_count <= MAX_CURVES && !settled; ++i)
        settled = impi_flat_over_face(pieces, touched, cuts[i], &face) && is_settled_by(depths, piece, &face);
    return settled;
}

// First faces that cut it, then the one that was near to the whole of which it is a part: often that is
// enough, and nothing is to be searched for. False when nothing of it is inside.
static bool bound_piece(Depths *depths, Piece *piece)
{
    const impi_InsidePieces *pieces = &depths->pieces[piece->one];
    const impi_ContactSide *other = impi_pieces_other(pieces);
    const imp_Vec3 *v = piece->triangle.v;
    imp_Triangle face;
    piece->centre = impi_add_scaled(impi_add_scaled(impi_scale(v[0], 1.0 / 3), 1.0 / 3, v[1]), 1.0 / 3, v[2]);
    if (is_uncut(piece) && piece->touched != NO_TOUCHED) {
        if (is_beyond_box(depths, piece))
            return false;
        locate(depths, piece);
    }
    if (!is_uncut(piece) && is_settled_by_cuts(depths, piece))
        return true;
    if (piece->hint != IMPI_NO_BLOCK_FACE) {
        face = impi_surface_triangle(impi_surface_of(other->body), piece->hint);
        if (is_settled_by(depths, piece, &face))
            return true;
    }
    return measure(depths, piece);
}

// A piece that counts for no open region is done with; its bound holds. False when out of memory.
static bool add_piece(Depths *depths, Piece *piece)
{
    if (piece->touched != NO_TOUCHED && !list_cuts(depths, piece))
        return false;
    if (!bound_piece(depths, piece))
        return true;
    if (!is_open(depths, piece)) {
        for_regions(depths, piece, raise_upper, piece->upper, NULL);
        return true;
    }
    if (!impi_array_reserve(&depths->allocator, &depths->store, sizeof *depths->store.data,
                            depths->store.count + 1) ||
        !impi_array_reserve(&depths->allocator, &depths->heap, sizeof *depths->heap.data,
                            depths->heap.count + 1))
        return false;
    depths->heap.data[depths->heap.count] = (uint32_t)depths->store.count;
    depths->store.data[depths->store.count++] = *piece;
    sift_up(depths, depths->heap.count++);
    return true;
}

// Along a curve, where few of them cut it: what is left then is inside, outside, or on faces in its plane,
// along the edges of which it is cut after that.
static int cut_along_curve(const Depths *depths, const Piece *piece, imp_Triangle parts[IMPI_MAX_PARTS])
{
    const impi_InsidePieces *pieces = &depths->pieces[piece->one];
    int count = 0;
    if (is_uncut(piece) || piece->cut_count > MAX_CURVES)
        return 0;
    const impi_TouchedFace *touched = &pieces->touched.data[piece->touched];
    imp_Triangle face = impi_side_triangle(impi_pieces_side(pieces), touched->face);
    imp_Vec3 ends[2], normal = impi_face_normal(&face);
    for (uint32_t i = 0; i < piece->cut_count && count == 0; ++i)
        if (impi_segment_in_face(pieces, touched, depths->cuts.data[piece->first_cut + i], ends))
            count = impi_triangle_cut_along(&piece->triangle, ends, normal, LEAST_CUT * depths->off, parts);
    for (uint32_t i = 0; i < piece->cut_count && count == 0; ++i)
        if (impi_flat_over_face(pieces, touched, depths->cuts.data[piece->first_cut + i], &face))
            count = impi_triangle_cut(&piece->triangle, &face, LEAST_CUT * depths->off, parts);
    return count;
}

static int cut_over_face(const Depths *depths, const Piece *piece, imp_Triangle parts[IMPI_MAX_PARTS])
{
    const impi_ContactSide *other = impi_pieces_other(&depths->pieces[piece->one]);
    if (!piece->is_near)
        return 0;
    imp_Triangle face = impi_surface_triangle(impi_surface_of(other->body), piece->hint);
    return impi_triangle_cut(&piece->triangle, &face, LEAST_CUT * depths->off, parts);
}

static bool divide(Depths *depths, const Piece *piece)
{
    imp_Triangle parts[IMPI_MAX_PARTS];
    int count = cut_along_curve(depths, piece, parts);
    if (count == 0)
        count = cut_over_face(depths, piece, parts);
    if (count == 0 && impi_triangle_width(&piece->triangle) < NEEDLE * depths->off)
        count = impi_triangle_cut_across(&piece->triangle, parts);
    if (count == 0) {
        impi_triangle_halve(&piece->triangle, parts);
        count = 2;
    }
    for (int i = 0; i < count; ++i) {
        Piece part = *piece;
        part.triangle = parts[i];
        ++part.division;
        if (!add_piece(depths, &part))
            return false;
    }
    return true;
}

// ---- the search

static imp_Status look_at_budget(const Depths *depths, size_t count)
{
    return count % PIECES_PER_LOOK == 0 && impi_budget_is_over(depths->budget) ? IMP_STATUS_OUT_OF_TIME
                                                                               : IMP_STATUS_OK;
}

static Piece piece_of(const Depths *depths, int one, uint32_t face)
{
    return (Piece){.triangle = impi_side_triangle(depths->graph->sides[one], face),
                   .touched = NO_TOUCHED,
                   .hint = IMPI_NO_BLOCK_FACE,
                   .one = one};
}

// Every `stride`-th face, or the others. What was near to the last one is near to the next, often so near
// that nothing is to be searched for.
static imp_Status add_inside_faces(Depths *depths, int one, size_t stride, bool others)
{
    const impi_InsidePieces *pieces = &depths->pieces[one];
    imp_Status status = IMP_STATUS_OK;
    impi_BlockFace hint = IMPI_NO_BLOCK_FACE;
    for (size_t i = 0; i < pieces->inside.count && status == IMP_STATUS_OK; ++i) {
        if ((i % stride != 0) != others)
            continue;
        Piece piece = piece_of(depths, one, pieces->inside.data[i].face);
        piece.set = impi_piece_of_face(pieces, &pieces->inside.data[i]);
        piece.hint = hint;
        if (!add_piece(depths, &piece))
            return IMP_STATUS_OUT_OF_MEMORY;
        hint = piece.hint;
        status = look_at_budget(depths, i);
    }
    return status;
}

// A sample first: it tells how deep it may be, and so spares the search for most of the others.
static imp_Status add_all_inside_faces(Depths *depths)
{
    imp_Status status = IMP_STATUS_OK;
    for (int turn = 0; turn < 4 && status == IMP_STATUS_OK; ++turn) {
        int one = (depths->first + turn) % 2;
        size_t stride = 1 + (size_t)sqrt((double)depths->pieces[one].inside.count);
        status = add_inside_faces(depths, one, stride, turn >= 2);
    }
    return status;
}

// All pairs of a touched face but those that share a single point with it. False when out of memory.
static bool begin_cuts(Depths *depths, Piece *piece)
{
    const impi_InsidePieces *pieces = &depths->pieces[piece->one];
    const impi_TouchedFace *touched = &pieces->touched.data[piece->touched];
    piece->first_cut = depths->cuts.count;
    if (!impi_array_reserve(&depths->allocator, &depths->cuts, sizeof *depths->cuts.data,
                            depths->cuts.count + touched->pair_count))
        return false;
    for (uint32_t i = 0; i < touched->pair_count; ++i)
        if (depths->graph->pairs[pieces->face_pairs[touched->first_pair + i]].node_count > 1)
            depths->cuts.data[depths->cuts.count++] = i;
    piece->cut_count = (uint32_t)(depths->cuts.count - piece->first_cut);
    return true;
}

static imp_Status add_touched_faces(Depths *depths, int one)
{
    const impi_InsidePieces *pieces = &depths->pieces[one];
    imp_Status status = IMP_STATUS_OK;
    impi_BlockFace hint = IMPI_NO_BLOCK_FACE;
    for (size_t i = 0; i < pieces->touched.count && status == IMP_STATUS_OK; ++i) {
        Piece piece = piece_of(depths, one, pieces->touched.data[i].face);
        piece.touched = (uint32_t)i;
        piece.hint = hint;
        if (!begin_cuts(depths, &piece) || !add_piece(depths, &piece))
            return IMP_STATUS_OUT_OF_MEMORY;
        hint = piece.hint;
        status = look_at_budget(depths, i);
    }
    return status;
}

static imp_Status search(Depths *depths)
{
    imp_Status status = add_all_inside_faces(depths);
    for (int turn = 0; turn < 2 && status == IMP_STATUS_OK; ++turn)
        status = add_touched_faces(depths, (depths->first + turn) % 2);
    depths->allowed = depths->evaluated + MAX_PIECES;
    for (size_t i = 0; depths->heap.count > 0 && status == IMP_STATUS_OK; ++i) {
        Piece piece = depths->store.data[pop(depths)];
        bool is_enough = depths->evaluated >= depths->allowed || piece.division >= MAX_DIVISIONS;
        if (is_enough || !is_open(depths, &piece))
            for_regions(depths, &piece, raise_upper, piece.upper, NULL);
        else if (!divide(depths, &piece))
            return IMP_STATUS_OUT_OF_MEMORY;
        status = look_at_budget(depths, i);
    }
    return status;
}

// ---- all of it

static double largest_coordinate(const impi_ContactGraph *graph)
{
    const imp_Box *a = &graph->sides[0]->body->bounds, *b = &graph->sides[1]->body->bounds;
    return impi_larger(impi_larger(impi_longest(a->min), impi_longest(a->max)),
                       impi_larger(impi_longest(b->min), impi_longest(b->max)));
}

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
    depths->first = impi_is_before(&b->min, &a->min) ||
                    (impi_is_equal(&b->min, &a->min) && impi_is_before(&b->max, &a->max));
    depths->scale = impi_distance_scale(a, b);
    depths->off = ROUNDING * largest_coordinate(graph);
    depths->least = FLOOR * depths->off;
    return true;
}

static void note_depths(const Depths *depths, impi_ContactLists *lists)
{
    for (uint32_t i = 0; i < depths->graph->region_count; ++i) {
        imp_Contact *contact = &lists->contacts.data[i];
        contact->depth_is_known = true;
        contact->depth_lower_bound = depths->lower[i];
        contact->depth = depths->is_deep[i] ? impi_larger(depths->upper[i], depths->least) : 0;
        contact->depth_reached_accuracy = contact->depth <= target_of(depths, i);
    }
}

imp_Status impi_contact_depths_find(const impi_ContactGraph *graph, impi_Budget *budget,
                                    impi_ContactLists *lists)
{
    Depths depths = {.graph = graph, .budget = budget, .allocator = impi_arena_allocator(graph->arena)};
    imp_Status status = IMP_STATUS_OK;
    if (!graph->sides[0]->links->is_closed || !graph->sides[1]->links->is_closed ||
        !(largest_coordinate(graph) <= MAX_COORDINATE))
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
