// Facets with all points that lie on them. Two steps: list for each facet its points, those of its edges
// included, in the order of their coordinates; then sweep over them.
//
// The sweep adds one point after the other to a triangulation of those before it, joining it to the sides of
// their hull that it is strictly outside of. The order by x, y, z is that of a linear function
// x + ey + e^2 z, e as small as need be, so the new point is outside of that hull and the one before it is a
// vertex of it, at the end of a side that the new point sees. No triangle is degenerate, and points inside
// of sides stay on the border. Both facets of an edge get the same points on it, so their triangles fit.
#include "base/radix_sort.h"
#include "geom/degenerate.h"
#include "geom/vector.h"
#include "shape/hull_facets.h"

// A point of a facet.
typedef struct Entry {
    uint32_t facet, point;
} Entry;

typedef struct Entries {
    Entry *data;
    size_t count;
} Entries;

// How the points of a facet turn: in a projection that keeps its area.
typedef struct FacetPlane {
    const impi_HullPoints *points;
    impi_Axis dropped;
    int outward; // the sign that corners in turn have in the projection
} FacetPlane;

static FacetPlane facet_plane(const impi_HullSurface *surface, const impi_HullFacets *facets, size_t facet)
{
    const impi_HullCorner *corners = facets->corners + facets->first_corners[facet];
    imp_Triangle triangle;
    for (int i = 0; i < 3; ++i)
        triangle.v[i] = impi_hull_point(&surface->points, corners[i].point);
    FacetPlane plane = {&surface->points, IMPI_AXIS_X, 0};
    impi_triangle_plane(&triangle, &plane.dropped);
    plane.outward = impi_orient2d(&triangle.v[0], &triangle.v[1], &triangle.v[2], plane.dropped);
    return plane;
}

// 1 when the points turn counter-clockwise seen from outside.
static int turn(const FacetPlane *plane, uint32_t a, uint32_t b, uint32_t c)
{
    imp_Vec3 pa = impi_hull_point(plane->points, a), pb = impi_hull_point(plane->points, b);
    imp_Vec3 pc = impi_hull_point(plane->points, c);
    return plane->outward * impi_orient2d(&pa, &pb, &pc, plane->dropped);
}

// Does a point of the polygon lie on an edge? Then tell the facet beyond it. The polygon is cut into wedges
// at its first corner, and the wedge of the point is found by bisection.
static bool lies_on_edge(const FacetPlane *plane, const impi_HullCorner *corners, size_t corner_count,
                         uint32_t point, uint32_t *facet_beyond)
{
    size_t low = 1, high = corner_count - 1; // the point is not right of low, and right of high or at the end
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (turn(plane, corners[0].point, corners[middle].point, point) >= 0)
            low = middle;
        else
            high = middle;
    }
    size_t edge = corner_count;
    if (turn(plane, corners[low].point, corners[low + 1].point, point) == 0)
        edge = low;
    else if (turn(plane, corners[0].point, corners[1].point, point) == 0)
        edge = 0;
    else if (turn(plane, corners[corner_count - 1].point, corners[0].point, point) == 0)
        edge = corner_count - 1;
    if (edge < corner_count)
        *facet_beyond = corners[edge].facet_beyond;
    return edge < corner_count;
}

static size_t count_entries(const impi_HullSurface *surface)
{
    size_t count = 0;
    for (size_t f = 0; f < surface->faces.count; ++f) {
        const impi_HullFace *face = &surface->faces.data[f];
        if (face->mark == IMPI_HULL_FREE)
            continue;
        count += 3;
        for (uint32_t p = face->first_on; p != IMPI_NO_POINT; p = surface->links[p])
            count += 2;
    }
    return count;
}

static void list_entries(const impi_HullSurface *surface, const impi_HullFacets *facets, Entries *entries)
{
    for (size_t f = 0; f < surface->faces.count; ++f) {
        const impi_HullFace *face = &surface->faces.data[f];
        if (face->mark == IMPI_HULL_FREE)
            continue;
        uint32_t facet = facets->facet_of_face[f], beyond;
        size_t first = facets->first_corners[facet], end = facets->first_corners[facet + 1];
        for (int i = 0; i < 3; ++i)
            entries->data[entries->count++] = (Entry){facet, face->corners[i]};
        if (face->first_on == IMPI_NO_POINT)
            continue;
        FacetPlane plane = facet_plane(surface, facets, facet);
        for (uint32_t p = face->first_on; p != IMPI_NO_POINT; p = surface->links[p]) {
            entries->data[entries->count++] = (Entry){facet, p};
            if (lies_on_edge(&plane, facets->corners + first, end - first, p, &beyond))
                entries->data[entries->count++] = (Entry){beyond, p};
        }
    }
}

// Numbers that sort as the doubles do; zeros are equal.
static uint64_t sort_key(double number)
{
    uint64_t bits;
    number += 0.0;
    memcpy(&bits, &number, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

typedef struct Sorter {
    impi_Watch *watch;
    impi_KeyedArrays items, spare; // payloads are entries
} Sorter;

// False when told to end, here and below.
static bool sort_by(Sorter *sorter, size_t count, unsigned bit_count)
{
    impi_KeyedArrays sorted =
        impi_radix_sort_keyed_watched(sorter->watch, sorter->items, sorter->spare, count, 0, bit_count);
    if (!sorted.keys)
        return false;
    if (sorted.keys != sorter->items.keys) {
        sorter->spare = sorter->items;
        sorter->items = sorted;
    }
    return true;
}

static bool sort_by_coordinate(const impi_HullSurface *surface, const Entries *entries, Sorter *sorter,
                               unsigned coordinate)
{
    for (size_t i = 0; i < entries->count; ++i) {
        imp_Vec3 p = impi_hull_point(&surface->points, entries->data[sorter->items.payloads[i]].point);
        sorter->items.keys[i] = sort_key(coordinate == 0 ? p.x : coordinate == 1 ? p.y : p.z);
    }
    return sort_by(sorter, entries->count, 64);
}

static bool are_equal(const impi_HullSurface *surface, uint32_t a, uint32_t b)
{
    imp_Vec3 pa = impi_hull_point(&surface->points, a), pb = impi_hull_point(&surface->points, b);
    return impi_is_equal(&pa, &pb);
}

// Replace each point by the first of those equal to it. Items are sorted by coordinates.
static void unite_equal_points(const impi_HullSurface *surface, Entries *entries, const uint32_t *sorted)
{
    for (size_t begin = 0, end; begin < entries->count; begin = end) {
        uint32_t first = entries->data[sorted[begin]].point;
        uint32_t lowest = first;
        for (end = begin + 1; end < entries->count; ++end) {
            uint32_t point = entries->data[sorted[end]].point;
            if (point != first && !are_equal(surface, first, point))
                break;
            lowest = point < lowest ? point : lowest;
        }
        for (size_t i = begin; i < end; ++i)
            entries->data[sorted[i]].point = lowest;
    }
}

// Sort entries by facet, then by coordinates, and leave one of each kind.
static imp_Status sort_entries(imp_Context *context, const impi_HullSurface *surface, Entries *entries)
{
    impi_Arena *arena = &context->scratch;
    Sorter sorter = {&context->watch,
                     {impi_arena_allocate_array(arena, entries->count, sizeof(uint64_t)),
                      impi_arena_allocate_array(arena, entries->count, sizeof(uint32_t))},
                     {impi_arena_allocate_array(arena, entries->count, sizeof(uint64_t)),
                      impi_arena_allocate_array(arena, entries->count, sizeof(uint32_t))}};
    Entry *sorted = impi_arena_allocate_array(arena, entries->count, sizeof *sorted);
    if (!sorter.items.keys || !sorter.items.payloads || !sorter.spare.keys || !sorter.spare.payloads ||
        !sorted)
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < entries->count; ++i)
        sorter.items.payloads[i] = (uint32_t)i;
    impi_watch_work(&context->watch, "sorting points", 4 * entries->count);
    for (unsigned coordinate = 3; coordinate-- > 0;)
        if (!sort_by_coordinate(surface, entries, &sorter, coordinate))
            return impi_watch_status(context);
    unite_equal_points(surface, entries, sorter.items.payloads);
    for (size_t i = 0; i < entries->count; ++i)
        sorter.items.keys[i] = entries->data[sorter.items.payloads[i]].facet;
    if (!sort_by(&sorter, entries->count, 32))
        return impi_watch_status(context);
    size_t kept = 0;
    for (size_t i = 0; i < entries->count; ++i) {
        Entry entry = entries->data[sorter.items.payloads[i]];
        if (kept == 0 || entry.facet != sorted[kept - 1].facet || entry.point != sorted[kept - 1].point)
            sorted[kept++] = entry;
    }
    *entries = (Entries){sorted, kept};
    return IMP_STATUS_OK;
}

// The hull of the points swept so far, as a cycle: positions of points in the facet's entries.
typedef struct Sweep {
    impi_Watch *watch;
    FacetPlane plane;
    const Entry *points;
    uint32_t *next, *previous; // counter-clockwise
    impi_HullTriangles *triangles;
} Sweep;

static int turn_at(const Sweep *sweep, uint32_t a, uint32_t b, uint32_t c)
{
    return turn(&sweep->plane, sweep->points[a].point, sweep->points[b].point, sweep->points[c].point);
}

static void join(Sweep *sweep, uint32_t a, uint32_t b)
{
    sweep->next[a] = b;
    sweep->previous[b] = a;
}

static void add_triangle(Sweep *sweep, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *corners = sweep->triangles->corners + 3 * sweep->triangles->count++;
    corners[0] = sweep->points[a].point;
    corners[1] = sweep->points[b].point;
    corners[2] = sweep->points[c].point;
}

// The first points may lie on one line; the next one makes triangles with all of it. Returns which that is.
static uint32_t begin_sweep(Sweep *sweep)
{
    uint32_t apex = 2;
    while (turn_at(sweep, 0, 1, apex) == 0)
        ++apex;
    bool left = turn_at(sweep, 0, 1, apex) > 0;
    for (uint32_t i = 0; i + 1 < apex; ++i) {
        add_triangle(sweep, left ? i : i + 1, left ? i + 1 : i, apex);
        join(sweep, left ? i : i + 1, left ? i + 1 : i);
    }
    join(sweep, left ? apex - 1 : 0, apex);
    join(sweep, apex, left ? 0 : apex - 1);
    return apex;
}

static bool sweep_facet(Sweep *sweep, size_t point_count)
{
    for (uint32_t p = begin_sweep(sweep) + 1; p < point_count; ++p) {
        if (!impi_watch_item(sweep->watch, p))
            return false;
        uint32_t ahead = p - 1, behind = ahead;
        for (; turn_at(sweep, ahead, sweep->next[ahead], p) < 0; ahead = sweep->next[ahead])
            add_triangle(sweep, ahead, p, sweep->next[ahead]);
        for (; turn_at(sweep, sweep->previous[behind], behind, p) < 0; behind = sweep->previous[behind])
            add_triangle(sweep, sweep->previous[behind], p, behind);
        join(sweep, behind, p);
        join(sweep, p, ahead);
    }
    return impi_watch_step(sweep->watch, point_count % IMPI_WATCH_ITEMS);
}

imp_Status impi_hull_cover(imp_Context *context, const impi_HullSurface *surface,
                           const impi_HullFacets *facets, impi_HullTriangles *triangles)
{
    impi_Arena *arena = &context->scratch;
    size_t most = count_entries(surface);
    if (most > UINT32_MAX)
        return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE, "too many points on the hull");
    Entries entries = {.data = impi_arena_allocate_array(arena, most, sizeof *entries.data)};
    if (!entries.data)
        return impi_fail_out_of_memory(context);
    list_entries(surface, facets, &entries);
    imp_Status status = sort_entries(context, surface, &entries);
    if (status != IMP_STATUS_OK)
        return status;
    // A plane set of n points has fewer than 2n triangles.
    *triangles = (impi_HullTriangles){
        .corners = impi_arena_allocate_array(arena, 2 * entries.count, 3 * sizeof *triangles->corners)};
    Sweep sweep = {.watch = &context->watch,
                   .next = impi_arena_allocate_array(arena, entries.count, sizeof *sweep.next),
                   .previous = impi_arena_allocate_array(arena, entries.count, sizeof *sweep.previous),
                   .triangles = triangles};
    if (!triangles->corners || !sweep.next || !sweep.previous)
        return impi_fail_out_of_memory(context);
    impi_watch_work(&context->watch, "covering facets", entries.count);
    for (size_t begin = 0, end; begin < entries.count; begin = end) {
        uint32_t facet = entries.data[begin].facet;
        for (end = begin + 1; end < entries.count && entries.data[end].facet == facet;)
            ++end;
        sweep.plane = facet_plane(surface, facets, facet);
        sweep.points = entries.data + begin;
        if (!sweep_facet(&sweep, end - begin))
            return impi_watch_status(context);
    }
    return IMP_STATUS_OK;
}
