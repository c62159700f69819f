// Two triangles that do not touch at the start first do so with a vertex of one in the other or with two
// edges (geom/triangle_sweep.h). For the first time of two surfaces it is enough to look at each vertex and
// each edge once, with the face that owns it: where a vertex of a face meets another face, so does that
// vertex of the face that owns it, at the same time.
#include "feature/time_of_impact.h"

#include "feature/face_pair.h"
#include "geom/scalar.h"
#include "geom/touch.h"
#include "geom/triangle_distance.h"
#include "geom/triangle_sweep.h"
#include "geom/triangle_sweep_batch.h"

#include <math.h>

#define VERTEX_PARTS 0x07u
#define EDGE_PARTS   0x38u

// What two faces of one surface have in common.
typedef struct Sharing {
    unsigned vertices_a, vertices_b; // bits of corners that are corners of the other, too
    bool edges[3][3];                // edges that share a vertex
} Sharing;

// ---- faces of one surface

static uint32_t corner_number(const impi_MovingSurface *surface, const size_t corners[3], int corner)
{
    return surface->blocks->vertices[corners[corner % 3]];
}

static Sharing find_sharing(const impi_MovingSurface *surface, const impi_BlockFacePair *pair)
{
    Sharing sharing = {0};
    size_t a[3], b[3];
    bool is_same[3][3];
    impi_moving_corners(surface, pair->a, a);
    impi_moving_corners(surface, pair->b, b);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            is_same[i][k] = corner_number(surface, a, i) == corner_number(surface, b, k);
            sharing.vertices_a |= (unsigned)is_same[i][k] << i;
            sharing.vertices_b |= (unsigned)is_same[i][k] << k;
        }
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            sharing.edges[i][k] = is_same[i][k] || is_same[i][(k + 1) % 3] || is_same[(i + 1) % 3][k] ||
                                  is_same[(i + 1) % 3][(k + 1) % 3];
    return sharing;
}

static imp_Segment edge_of(const imp_Triangle *triangle, int edge)
{
    return (imp_Segment){{triangle->v[edge], triangle->v[(edge + 1) % 3]}};
}

static bool edge_is_free(unsigned shared_vertices, int edge)
{
    return !(shared_vertices >> edge & 1) && !(shared_vertices >> ((edge + 1) % 3) & 1);
}

static bool point_touches(const imp_Vec3 *point, const imp_Triangle *triangle)
{
    imp_Segment segment = {{*point, *point}};
    return impi_segment_touches_triangle(&segment, triangle);
}

static bool edges_touch(const imp_Triangle *a, int edge_a, const imp_Triangle *b, int edge_b)
{
    imp_Segment segment = edge_of(a, edge_a);
    imp_Triangle other = {{b->v[edge_b], b->v[(edge_b + 1) % 3], b->v[edge_b]}};
    return impi_segment_touches_triangle(&segment, &other);
}

// Does anything of one touch anything of the other with which it has no vertex in common?
static bool neighbours_touch(const imp_Triangle *a, const imp_Triangle *b, const Sharing *sharing)
{
    for (int i = 0; i < 3; ++i) {
        imp_Segment edge_a = edge_of(a, i), edge_b = edge_of(b, i);
        if ((!(sharing->vertices_a >> i & 1) && point_touches(&a->v[i], b)) ||
            (!(sharing->vertices_b >> i & 1) && point_touches(&b->v[i], a)) ||
            (edge_is_free(sharing->vertices_a, i) && impi_segment_touches_triangle(&edge_a, b)) ||
            (edge_is_free(sharing->vertices_b, i) && impi_segment_touches_triangle(&edge_b, a)))
            return true;
        for (int k = 0; k < 3; ++k)
            if (!sharing->edges[i][k] && edges_touch(a, i, b, k))
                return true;
    }
    return false;
}

static void keep_earlier(impi_Impact *first, impi_Impact other)
{
    if (other.time < first->time)
        *first = other;
}

// As impi_triangles_impact, in the same order, less what shares a vertex.
static impi_Impact neighbours_impact(const imp_MovingTriangle *a, const imp_MovingTriangle *b,
                                     const Sharing *sharing, unsigned parts_a, unsigned parts_b, double until)
{
    impi_Impact first = impi_triangles_impact(a, b, parts_a & VERTEX_PARTS & ~sharing->vertices_a,
                                              parts_b & VERTEX_PARTS & ~sharing->vertices_b, until);
    for (int i = 0; i < 3; ++i) {
        unsigned free_edges = 0;
        for (int k = 0; k < 3; ++k)
            free_edges |= sharing->edges[i][k] ? 0 : 8u << k;
        if ((parts_a & 8u << i) && (parts_b & free_edges))
            keep_earlier(&first, impi_triangles_impact(a, b, 8u << i, parts_b & free_edges,
                                                       impi_smaller(first.time, until)));
    }
    return first;
}

// ---- one pair

// Two surfaces, and what is asked of them.
typedef struct Ask {
    const impi_MovingSurface *a, *b;
    bool is_self;
    double until;
} Ask;

static Ask ask_of(const impi_MovingSurface *a, const impi_MovingSurface *b, double until)
{
    return (Ask){a, b, a == b, until};
}

// Of one surface, the face of the lesser number is the first.
static impi_BlockFacePair in_order(const Ask *ask, const impi_BlockFacePair *pair)
{
    bool is_swapped =
        ask->is_self && impi_moving_face_number(ask->a, pair->a) > impi_moving_face_number(ask->b, pair->b);
    return is_swapped ? (impi_BlockFacePair){pair->b, pair->a} : *pair;
}

static impi_Impact find_impact(const Ask *ask, const impi_BlockFacePair *pair, unsigned parts_a,
                               unsigned parts_b, double until)
{
    imp_MovingTriangle a = impi_moving_triangle(ask->a, pair->a), b = impi_moving_triangle(ask->b, pair->b);
    if (ask->is_self) {
        Sharing sharing = find_sharing(ask->a, pair);
        if (sharing.vertices_a)
            return neighbours_impact(&a, &b, &sharing, parts_a, parts_b, until);
    }
    return impi_triangles_impact(&a, &b, parts_a, parts_b, until);
}

// ---- at the start

static impi_Surface at_start(const impi_MovingSurface *surface)
{
    return (impi_Surface){.blocks = surface->blocks, .vertices = surface->vertices[0]};
}

static impi_FaceKey key_of(const Ask *ask, const impi_BlockFacePair *pair)
{
    return impi_face_key(impi_moving_face_number(ask->a, pair->a), impi_moving_face_number(ask->b, pair->b));
}

static bool touch_at_start(const Ask *ask, const impi_BlockFacePair *pair)
{
    imp_MovingTriangle a = impi_moving_triangle(ask->a, pair->a), b = impi_moving_triangle(ask->b, pair->b);
    Sharing sharing = find_sharing(ask->a, pair);
    return sharing.vertices_a ? neighbours_touch(&a.begin, &b.begin, &sharing)
                              : impi_triangles_touch(&a.begin, &b.begin);
}

// Keys of those that touch, in the order of the candidates; returns how many. Faces of one surface are mostly
// neighbours, and are looked at one by one.
static size_t find_touching(const Ask *ask, const impi_BlockFacePair *candidates, size_t count,
                            impi_FaceKey *keys)
{
    size_t found = 0;
    if (!ask->is_self) {
        impi_Surface a = at_start(ask->a), b = at_start(ask->b);
        return impi_face_pairs_within(&a, &b, candidates, count, 0, keys);
    }
    for (size_t i = 0; i < count; ++i)
        if (touch_at_start(ask, &candidates[i]))
            keys[found++] = key_of(ask, &candidates[i]);
    return found;
}

bool impi_moving_faces_touch(const impi_MovingSurface *a, const impi_MovingSurface *b,
                             const impi_BlockFacePair *candidates, size_t count, impi_FaceKey *keys)
{
    const Ask ask = ask_of(a, b, 0);
    return find_touching(&ask, candidates, count, keys) > 0;
}

// ---- on the way

// Bits of those, eight at most, that may touch: a direction parts the others all the way.
static uint32_t find_open(const Ask *ask, const impi_BlockFacePair *pairs, size_t count)
{
    impi_TriangleSweepBatch batch;
    for (int lane = 0; lane < IMPI_TRIANGLE_SWEEP_LANES; ++lane) {
        const impi_BlockFacePair *pair = &pairs[(size_t)lane < count ? (size_t)lane : count - 1];
        imp_MovingTriangle a = impi_moving_triangle(ask->a, pair->a),
                           b = impi_moving_triangle(ask->b, pair->b);
        impi_triangle_sweep_set(batch.a, lane, &a);
        impi_triangle_sweep_set(batch.b, lane, &b);
    }
    return ~impi_triangles_apart()(&batch) & ((1u << count) - 1);
}

static double farthest(double begin_min, double begin_max, double end_min, double end_max)
{
    return impi_larger(fabs(end_max - begin_min), fabs(end_min - begin_max));
}

// No vertex goes farther than this: from one corner of the bounds to another.
static double longest_way(const impi_MovingSurface *surface)
{
    const imp_Box *begin = &surface->end_bounds[0], *end = &surface->end_bounds[1];
    if (surface->is_at_rest)
        return 0;
    return farthest(begin->min.x, begin->max.x, end->min.x, end->max.x) +
           farthest(begin->min.y, begin->max.y, end->min.y, end->max.y) +
           farthest(begin->min.z, begin->max.z, end->min.z, end->max.z);
}

// Keep, in order, those that are nearer to each other than `reach` at the start, as far as one of two bounds
// tells; returns how many.
static size_t keep_near(const Ask *ask, impi_BlockFacePair *pairs, size_t count, double reach, bool exactly)
{
    const impi_TriangleDistance *distance = impi_triangle_distance();
    impi_Surface a = at_start(ask->a), b = at_start(ask->b);
    size_t kept = 0;
    for (size_t done = 0; done < count; done += IMPI_BATCH_LANES) {
        size_t lanes = count - done < IMPI_BATCH_LANES ? count - done : IMPI_BATCH_LANES;
        impi_TriangleBatch batch;
        impi_BatchDistance measured;
        impi_face_pairs_fill(&a, &b, pairs + done, lanes, &batch);
        if (exactly)
            distance->measure(&batch, &measured);
        else
            distance->bound(&batch, measured.lower);
        for (size_t lane = 0; lane < lanes; ++lane) {
            pairs[kept] = pairs[done + lane];
            kept += !(measured.lower[lane] > reach);
        }
    }
    return kept;
}

// Keep those that may touch before 2^-53, which is rounded to 0: the others are farther apart at the start
// than both can go until then. Roundings of the sums are far less than what the sums are too large by.
static size_t keep_near_start(const Ask *ask, impi_BlockFacePair *pairs, size_t count)
{
    double reach = 0x1p-52 * (longest_way(ask->a) + longest_way(ask->b));
    count = keep_near(ask, pairs, count, reach, false);
    return keep_near(ask, pairs, count, reach, true);
}

double impi_moving_faces_first_time(const impi_MovingSurface *a, const impi_MovingSurface *b,
                                    const impi_BlockFacePair *candidates, size_t count, double until)
{
    const Ask ask = ask_of(a, b, until);
    double first = INFINITY;
    for (size_t done = 0; done < count && first > 0; done += IMPI_TRIANGLE_SWEEP_LANES) {
        size_t lanes = count - done < IMPI_TRIANGLE_SWEEP_LANES ? count - done : IMPI_TRIANGLE_SWEEP_LANES;
        uint32_t open = find_open(&ask, candidates + done, lanes);
        for (; open && first > 0; open &= open - 1) {
            const impi_BlockFacePair *pair = &candidates[done + (unsigned)__builtin_ctz(open)];
            impi_Impact impact =
                find_impact(&ask, pair, a->parts[pair->a], b->parts[pair->b], impi_smaller(first, until));
            first = impi_smaller(impact.time, first);
        }
    }
    return first;
}

// Those of the candidates that touch until then, where none does so at the start.
static size_t find_later(const Ask *ask, impi_BlockFacePair *candidates, size_t count, impi_FaceTime *found)
{
    size_t found_count = 0;
    if (ask->until == 0)
        count = keep_near_start(ask, candidates, count);
    for (size_t done = 0; done < count; done += IMPI_TRIANGLE_SWEEP_LANES) {
        size_t lanes = count - done < IMPI_TRIANGLE_SWEEP_LANES ? count - done : IMPI_TRIANGLE_SWEEP_LANES;
        uint32_t open = find_open(ask, candidates + done, lanes);
        for (; open; open &= open - 1) {
            impi_BlockFacePair pair = in_order(ask, &candidates[done + (unsigned)__builtin_ctz(open)]);
            impi_Impact impact = find_impact(ask, &pair, IMPI_ALL_PARTS, IMPI_ALL_PARTS, ask->until);
            if (impact.time <= ask->until)
                found[found_count++] =
                    (impi_FaceTime){key_of(ask, &pair), impact.time, impact.part_a, impact.part_b};
        }
    }
    return found_count;
}

size_t impi_moving_faces_times(const impi_MovingSurface *a, const impi_MovingSurface *b,
                               impi_BlockFacePair *candidates, size_t count, double until, impi_FaceKey *keys,
                               impi_FaceTime *found)
{
    const Ask ask = ask_of(a, b, until);
    size_t touching = find_touching(&ask, candidates, count, keys), next = 0, open = 0;
    for (size_t i = 0; i < count; ++i) {
        impi_BlockFacePair pair = in_order(&ask, &candidates[i]);
        if (next < touching && keys[next] == key_of(&ask, &candidates[i]))
            found[next++] = (impi_FaceTime){key_of(&ask, &pair), 0, IMPI_WHOLE_FACE, IMPI_WHOLE_FACE};
        else
            candidates[open++] = candidates[i];
    }
    return next + find_later(&ask, candidates, open, found + next);
}
