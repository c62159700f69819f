// Faces of a mesh that share more than their common vertices and edges.
//
// The rule. A and B are closed point sets. A vertex is common when it is a corner of both, an edge is common
// when both its ends are. The pair is reported when
//   - A and B have the same three corners (duplicates, degenerate ones too), or
//   - some point of both lies neither on a common vertex nor on a common edge.
// A degenerate triangle is the segment or point that it covers; all its sides are edges of it, the longest,
// which may pass through the third corner, too. So a flat triangle that fills a T-junction is no overlap
// with the faces on either side of it, but those overlap each other.
//
// How it is decided. A triangle is cut into simplices whose corners are independent: itself, or the one or
// two segments between neighbouring corners of a flat one, or a point. For two such simplices with
//   - no corner in common: do they touch?
//   - one corner v in common: the common part is convex, so if it has a second point it reaches from v, in
//     the direction of that point, to where the first of the two simplices ends, which is on the side that
//     lies opposite v. Hence: does the opposite side of one touch the other?
//   - all corners of one in common: a common vertex or edge, nothing more.
//   - two triangles with an edge in common: are they coplanar, with their third corners on the same side?
// A flat triangle whose longest side is a common edge lies in that edge and is settled before it is cut.
//
// Candidates are the pairs of faces whose boxes touch, from a box tree: n log n plus their number.
#include "shape/self_pairs.h"

#include "base/array.h"
#include "base/radix_sort.h"
#include "geom/predicates.h"
#include "geom/touch.h"
#include "geom/vector.h"
#include "shape/box_tree.h"

#include <stdatomic.h>
#include <string.h>

#define FACES_PER_BLOCK 512

// One to three corners, no two equal, not collinear.
typedef struct Simplex {
    unsigned corner_count;
    imp_Vec3 corners[3];
} Simplex;

// What a triangle consists of.
typedef struct Pieces {
    unsigned count;
    Simplex simplices[2];
    bool flat;
    imp_Vec3 ends[2]; // of a flat one: its longest side
} Pieces;

// For points on one line this is their order along it.
static void put_in_order(imp_Vec3 *a, imp_Vec3 *b)
{
    if (impi_is_before(b, a)) {
        imp_Vec3 first = *b;
        *b = *a;
        *a = first;
    }
}

static imp_Triangle sorted_corners(const imp_Triangle *triangle)
{
    imp_Triangle sorted = *triangle;
    put_in_order(&sorted.v[0], &sorted.v[1]);
    put_in_order(&sorted.v[1], &sorted.v[2]);
    put_in_order(&sorted.v[0], &sorted.v[1]);
    return sorted;
}

static void cut_flat_triangle(const imp_Triangle *triangle, Pieces *pieces)
{
    imp_Triangle sorted = sorted_corners(triangle);
    const imp_Vec3 *v = sorted.v;
    *pieces = (Pieces){.flat = true, .ends = {v[0], v[2]}};
    for (unsigned i = 0; i < 2; ++i)
        if (!impi_is_equal(&v[i], &v[i + 1]))
            pieces->simplices[pieces->count++] = (Simplex){2, {v[i], v[i + 1]}};
    if (pieces->count == 0)
        pieces->simplices[pieces->count++] = (Simplex){1, {v[0]}};
}

static void cut_triangle(const imp_Triangle *triangle, Pieces *pieces)
{
    if (impi_triangle_is_degenerate(triangle))
        cut_flat_triangle(triangle, pieces);
    else
        *pieces = (Pieces){.count = 1, .simplices = {{3, {triangle->v[0], triangle->v[1], triangle->v[2]}}}};
}

static bool is_corner(const imp_Vec3 *point, const Simplex *simplex)
{
    for (unsigned i = 0; i < simplex->corner_count; ++i)
        if (impi_is_equal(point, &simplex->corners[i]))
            return true;
    return false;
}

static bool is_corner_of_any(const imp_Vec3 *point, const Pieces *pieces)
{
    for (unsigned i = 0; i < pieces->count; ++i)
        if (is_corner(point, &pieces->simplices[i]))
            return true;
    return false;
}

// Move the corners that are in `other` too to the front and return their number.
static unsigned bring_common_first(Simplex *simplex, const Simplex *other)
{
    unsigned common = 0;
    for (unsigned i = 0; i < simplex->corner_count; ++i)
        if (is_corner(&simplex->corners[i], other)) {
            imp_Vec3 corner = simplex->corners[i];
            simplex->corners[i] = simplex->corners[common];
            simplex->corners[common++] = corner;
        }
    return common;
}

// Repeats its last corner, so that a segment or a point becomes a degenerate triangle.
static imp_Triangle as_triangle(const Simplex *simplex)
{
    const imp_Vec3 *c = simplex->corners;
    unsigned last = simplex->corner_count - 1;
    return (imp_Triangle){{c[0], c[last < 1 ? last : 1], c[last]}};
}

// The side opposite corner 0 of a segment or triangle: all corners but that one.
static imp_Segment opposite_side(const Simplex *simplex)
{
    return (imp_Segment){{simplex->corners[1], simplex->corners[simplex->corner_count - 1]}};
}

static bool share_more_than_a_corner(const Simplex *a, const Simplex *b)
{
    imp_Triangle triangle_a = as_triangle(a), triangle_b = as_triangle(b);
    imp_Segment side_a = opposite_side(a), side_b = opposite_side(b);
    return impi_segment_touches_triangle(&side_a, &triangle_b) ||
           impi_segment_touches_triangle(&side_b, &triangle_a);
}

// Corners 0 and 1 of both are the common edge, in any order.
static bool share_more_than_an_edge(const Simplex *a, const Simplex *b)
{
    const imp_Vec3 *u = &a->corners[0], *w = &a->corners[1], *p = &a->corners[2], *q = &b->corners[2];
    if (impi_orient3d(u, w, p, q) != 0)
        return false;
    for (impi_Axis axis = IMPI_AXIS_X; axis <= IMPI_AXIS_Z; ++axis) {
        int side = impi_orient2d(u, w, p, axis);
        if (side != 0)
            return side == impi_orient2d(u, w, q, axis);
    }
    return false; // a triangle that is not flat has an area in one of the projections
}

static bool simplices_overlap(Simplex a, Simplex b)
{
    unsigned common = bring_common_first(&a, &b);
    bring_common_first(&b, &a);
    if (common == 0) {
        imp_Triangle triangle_a = as_triangle(&a), triangle_b = as_triangle(&b);
        return impi_triangles_touch(&triangle_a, &triangle_b);
    }
    if (common == 3)
        return true;
    if (common == a.corner_count || common == b.corner_count)
        return false;
    return common == 1 ? share_more_than_a_corner(&a, &b) : share_more_than_an_edge(&a, &b);
}

static bool lies_in_common_edge(const Pieces *flat, const Pieces *other)
{
    return flat->flat && is_corner_of_any(&flat->ends[0], other) && is_corner_of_any(&flat->ends[1], other);
}

static bool have_same_corners(const imp_Triangle *a, const imp_Triangle *b)
{
    imp_Triangle sorted_a = sorted_corners(a), sorted_b = sorted_corners(b);
    return impi_is_equal(&sorted_a.v[0], &sorted_b.v[0]) && impi_is_equal(&sorted_a.v[1], &sorted_b.v[1]) &&
           impi_is_equal(&sorted_a.v[2], &sorted_b.v[2]);
}

bool impi_triangles_overlap(const imp_Triangle *a, const imp_Triangle *b)
{
    Pieces pieces_a, pieces_b;
    cut_triangle(a, &pieces_a);
    cut_triangle(b, &pieces_b);
    if ((pieces_a.flat || pieces_b.flat) && have_same_corners(a, b))
        return true;
    if (lies_in_common_edge(&pieces_a, &pieces_b) || lies_in_common_edge(&pieces_b, &pieces_a))
        return false;
    for (unsigned i = 0; i < pieces_a.count; ++i)
        for (unsigned j = 0; j < pieces_b.count; ++j)
            if (simplices_overlap(pieces_a.simplices[i], pieces_b.simplices[j]))
                return true;
    return false;
}

// A block tells the others how many pairs it has after each so many.
#define PAIRS_PER_NOTE 1024

// Who watches is asked after each so many tests, and after each so many faces.
#define TESTS_PER_LOOK 2048
#define FACES_PER_LOOK 16

typedef struct Search {
    const imp_Mesh *mesh;
    const imp_Allocator *allocator;
    impi_Watch *watch;
    impi_BoxTree tree;
    struct Found *found; // per block
    size_t capacity;     // more pairs than this are only counted
    atomic_size_t noted; // pairs that blocks have told of
    atomic_bool is_full; // there are more than the capacity: nobody keeps any
} Search;

// What one block of faces gives.
typedef struct Found {
    Search *search;
    uint32_t face;              // whose partners are being looked for
    size_t count;               // of all pairs
    IMPI_ARRAY(uint64_t) pairs; // the lower face in the upper half, so that they sort as numbers
    size_t noted, test_count;
    bool out_of_memory, is_ended;
} Found;

static void forget_pairs(Found *found)
{
    impi_array_free(found->search->allocator, &found->pairs, sizeof *found->pairs.data);
}

// Tell of the pairs found since the last time.
static void note_pairs(Found *found)
{
    Search *search = found->search;
    size_t fresh = found->count - found->noted;
    found->noted = found->count;
    if (atomic_fetch_add_explicit(&search->noted, fresh, memory_order_relaxed) + fresh > search->capacity)
        atomic_store_explicit(&search->is_full, true, memory_order_relaxed);
    if (atomic_load_explicit(&search->is_full, memory_order_relaxed))
        forget_pairs(found);
}

static void take_pair(Found *found, uint32_t other)
{
    Search *search = found->search;
    if (++found->count - found->noted >= PAIRS_PER_NOTE)
        note_pairs(found);
    if (atomic_load_explicit(&search->is_full, memory_order_relaxed))
        return;
    if (!impi_array_reserve(search->allocator, &found->pairs, sizeof *found->pairs.data,
                            found->pairs.count + 1)) {
        found->out_of_memory = true;
        return;
    }
    uint64_t low = found->face < other ? found->face : other,
             high = found->face < other ? other : found->face;
    found->pairs.data[found->pairs.count++] = low << 32 | high;
}

static void test_pair(uint32_t other, void *argument)
{
    Found *found = argument;
    const Search *search = found->search;
    if (++found->test_count % TESTS_PER_LOOK == 0 && !impi_watch_goes_on(search->watch))
        found->is_ended = true;
    if (found->out_of_memory || found->is_ended)
        return;
    imp_Triangle a = impi_mesh_triangle(search->mesh, found->face);
    imp_Triangle b = impi_mesh_triangle(search->mesh, other);
    if (impi_triangles_overlap(&a, &b))
        take_pair(found, other);
}

static void search_block(size_t begin, size_t end, size_t block, void *argument)
{
    const Search *search = argument;
    Found *found = &search->found[block];
    for (size_t position = begin; position < end && !found->out_of_memory && !found->is_ended; ++position) {
        size_t steps = position > begin ? FACES_PER_LOOK : 0;
        if ((position - begin) % FACES_PER_LOOK == 0 && !impi_watch_step(search->watch, steps))
            break;
        found->face = search->tree.faces[position];
        impi_FloatBox box = impi_box_tree_face_box(&search->tree, search->mesh, found->face);
        impi_box_tree_visit(&search->tree, &box, position + 1, test_pair, found);
    }
    note_pairs(found);
}

static imp_Status join_sorted(imp_Context *context, const Search *search, size_t block_count, size_t total,
                              imp_FacePair *pairs)
{
    uint64_t *joined = impi_arena_allocate_array(&context->scratch, total, sizeof *joined);
    uint64_t *spare = impi_arena_allocate_array(&context->scratch, total, sizeof *spare);
    if (!joined || !spare)
        return impi_fail_out_of_memory(context);
    size_t filled = 0;
    for (size_t block = 0; block < block_count; ++block) {
        const Found *found = &search->found[block];
        if (found->pairs.count)
            memcpy(joined + filled, found->pairs.data, found->pairs.count * sizeof *joined);
        filled += found->pairs.count;
    }
    impi_watch_work(&context->watch, "sorting pairs", total);
    const uint64_t *sorted = impi_radix_sort_packed_watched(&context->watch, joined, spare, total, 0, 64);
    if (!sorted)
        return impi_watch_status(context);
    for (size_t i = 0; i < total; ++i)
        pairs[i] = (imp_FacePair){(uint32_t)(sorted[i] >> 32), (uint32_t)sorted[i]};
    return IMP_STATUS_OK;
}

static imp_Status deliver(imp_Context *context, const Search *search, size_t block_count, imp_FacePair *pairs,
                          size_t *count)
{
    size_t total = 0;
    imp_Status status = impi_watch_status(context);
    for (size_t block = 0; block < block_count && status == IMP_STATUS_OK; ++block) {
        if (search->found[block].out_of_memory)
            status = impi_fail_out_of_memory(context);
        total += search->found[block].count;
    }
    bool is_short = total > search->capacity && (pairs || search->capacity > 0);
    if (status == IMP_STATUS_OK && total > 0 && total <= search->capacity)
        status = join_sorted(context, search, block_count, total, pairs);
    if (status == IMP_STATUS_OK)
        *count = total;
    if (status == IMP_STATUS_OK && is_short)
        status = impi_fail(context, IMP_STATUS_BUFFER_SHORT, IMP_NOWHERE,
                           "%zu pairs of faces do not fit in a buffer for %zu", total, search->capacity);
    return status;
}

imp_Status impi_mesh_self_pairs(imp_Context *context, const imp_Mesh *mesh, imp_FacePair *pairs,
                                size_t capacity, size_t *count)
{
    size_t face_count = mesh->arrays.triangle_count;
    size_t block_count = impi_block_count(face_count, FACES_PER_BLOCK);
    Search search = {.mesh = mesh,
                     .allocator = &context->allocator,
                     .watch = &context->watch,
                     .capacity = capacity,
                     .is_full = capacity == 0};
    imp_Status status = impi_box_tree_build(context, mesh, &search.tree);
    if (status != IMP_STATUS_OK)
        return status;
    search.found = impi_arena_allocate_array(&context->scratch, block_count, sizeof *search.found);
    if (!search.found)
        return impi_fail_out_of_memory(context);
    for (size_t block = 0; block < block_count; ++block)
        search.found[block] = (Found){.search = &search};
    impi_watch_work(&context->watch, "testing faces", face_count);
    impi_parallel_for(&context->executor, face_count, FACES_PER_BLOCK, search_block, &search);
    status = deliver(context, &search, block_count, pairs, count);
    for (size_t block = 0; block < block_count; ++block)
        forget_pairs(&search.found[block]);
    return status;
}
