// Triangles that share an edge and a plane belong to one facet. A facet is a convex polygon, so its border is
// a simple cycle of sides, and each vertex on it begins exactly one of them. Counting for each vertex the
// sides that begin there and lie on a border thus counts the facets that meet there: 0 inside of a facet, 2
// inside of an edge of the hull, 3 or more at its extreme points.
#include "shape/hull_facets.h"

#define NO_FACET UINT32_MAX

static bool is_face(const impi_HullSurface *surface, size_t face)
{
    return surface->faces.data[face].mark != IMPI_HULL_FREE;
}

static unsigned side_from(const impi_HullFace *face, uint32_t point)
{
    return face->corners[0] == point ? 0 : face->corners[1] == point ? 1 : 2;
}

static bool are_coplanar(const impi_HullSurface *surface, const impi_HullFace *face, unsigned side)
{
    const impi_HullFace *other = &surface->faces.data[face->neighbours[side]];
    // The other face runs along the side in the opposite direction: the corner after its start is the one
    // before ours, and the third lies across.
    unsigned start = side_from(other, face->corners[(side + 1) % 3]);
    imp_Vec3 across = impi_hull_point(&surface->points, other->corners[(start + 2) % 3]);
    double height;
    return impi_hull_side(surface, face, &across, &height) == 0;
}

// Number facets in the order of their first faces. `stack` has room for all faces. False when told to end.
static bool number_facets(impi_Watch *watch, const impi_HullSurface *surface, uint32_t *facet_of_face,
                          uint32_t *stack, size_t *facet_count)
{
    uint32_t count = 0;
    for (size_t first = 0; first < surface->faces.count; ++first)
        facet_of_face[first] = NO_FACET;
    impi_watch_work(watch, "finding facets", surface->faces.count);
    for (size_t first = 0; first < surface->faces.count; ++first) {
        if (!impi_watch_item(watch, first))
            return false;
        if (!is_face(surface, first) || facet_of_face[first] != NO_FACET)
            continue;
        size_t stacked = 0;
        stack[stacked++] = (uint32_t)first;
        facet_of_face[first] = count;
        while (stacked > 0) {
            const impi_HullFace *face = &surface->faces.data[stack[--stacked]];
            for (unsigned side = 0; side < 3; ++side) {
                uint32_t other = face->neighbours[side];
                if (facet_of_face[other] == NO_FACET && are_coplanar(surface, face, side)) {
                    facet_of_face[other] = count;
                    stack[stacked++] = other;
                }
            }
        }
        ++count;
    }
    *facet_count = count;
    return true;
}

static bool is_border(const impi_HullSurface *surface, const impi_HullFacets *facets, size_t face,
                      unsigned side)
{
    uint32_t other = surface->faces.data[face].neighbours[side];
    return facets->facet_of_face[face] != facets->facet_of_face[other];
}

// Let the links of vertices say how many facets meet there, see above.
static void count_meeting_facets(impi_HullSurface *surface, const impi_HullFacets *facets)
{
    for (size_t face = 0; face < surface->faces.count; ++face)
        for (unsigned side = 0; is_face(surface, face) && side < 3; ++side)
            surface->links[surface->faces.data[face].corners[side]] = 0;
    for (size_t face = 0; face < surface->faces.count; ++face)
        for (unsigned side = 0; is_face(surface, face) && side < 3; ++side)
            surface->links[surface->faces.data[face].corners[side]] += is_border(surface, facets, face, side);
}

// From a side on the border of a facet to the one that begins where it ends: turn about that point, through
// the faces of the facet.
static void go_to_next_border(const impi_HullSurface *surface, const impi_HullFacets *facets, uint32_t *face,
                              unsigned *side)
{
    uint32_t point = surface->faces.data[*face].corners[(*side + 1) % 3];
    *side = (*side + 1) % 3;
    while (!is_border(surface, facets, *face, *side)) {
        *face = surface->faces.data[*face].neighbours[*side];
        *side = side_from(&surface->faces.data[*face], point);
    }
}

// Returns how many corners were written, beginning with the lowest point.
static size_t list_corners(const impi_HullSurface *surface, const impi_HullFacets *facets,
                           uint32_t first_face, unsigned first_side, impi_HullCorner *corners,
                           impi_HullCorner *spare)
{
    size_t count = 0, lowest = 0;
    uint32_t face = first_face;
    unsigned side = first_side;
    do {
        uint32_t point = surface->faces.data[face].corners[side];
        if (surface->links[point] >= 3) {
            uint32_t other = surface->faces.data[face].neighbours[side];
            spare[count] = (impi_HullCorner){point, facets->facet_of_face[other]};
            lowest = point < spare[lowest].point ? count : lowest;
            ++count;
        }
        go_to_next_border(surface, facets, &face, &side);
    } while (face != first_face || side != first_side);
    for (size_t i = 0; i < count; ++i)
        corners[i] = spare[(lowest + i) % count];
    return count;
}

// `starts` has room for one number per facet, `spare` for as many corners as a polygon can have.
static void list_polygons(const impi_HullSurface *surface, impi_HullFacets *facets, size_t *starts,
                          impi_HullCorner *spare)
{
    for (size_t face = 0; face < surface->faces.count; ++face)
        for (unsigned side = 0; is_face(surface, face) && side < 3; ++side)
            if (is_border(surface, facets, face, side))
                starts[facets->facet_of_face[face]] = 3 * face + side;
    size_t corner_count = 0;
    for (size_t i = 0; i < facets->count; ++i) {
        facets->first_corners[i] = corner_count;
        corner_count += list_corners(surface, facets, (uint32_t)(starts[i] / 3), (unsigned)(starts[i] % 3),
                                     facets->corners + corner_count, spare);
    }
    facets->first_corners[facets->count] = corner_count;
}

imp_Status impi_hull_facets_find(imp_Context *context, impi_HullSurface *surface, impi_HullFacets *facets)
{
    impi_Arena *arena = &context->scratch;
    size_t face_count = surface->faces.count;
    facets->facet_of_face = impi_arena_allocate_array(arena, face_count, sizeof *facets->facet_of_face);
    facets->corners = impi_arena_allocate_array(arena, 3 * face_count, sizeof *facets->corners);
    uint32_t *stack = impi_arena_allocate_array(arena, face_count, sizeof *stack);
    impi_HullCorner *spare = impi_arena_allocate_array(arena, 3 * face_count, sizeof *spare);
    if (!facets->facet_of_face || !facets->corners || !stack || !spare)
        return impi_fail_out_of_memory(context);
    if (!number_facets(&context->watch, surface, facets->facet_of_face, stack, &facets->count))
        return impi_watch_status(context);
    facets->first_corners =
        impi_arena_allocate_array(arena, facets->count + 1, sizeof *facets->first_corners);
    size_t *starts = impi_arena_allocate_array(arena, facets->count, sizeof *starts);
    if (!facets->first_corners || !starts)
        return impi_fail_out_of_memory(context);
    count_meeting_facets(surface, facets);
    if (!impi_watch_goes_on(&context->watch))
        return impi_watch_status(context);
    list_polygons(surface, facets, starts, spare);
    return IMP_STATUS_OK;
}

imp_Status impi_hull_fans(imp_Context *context, const impi_HullFacets *facets, impi_HullTriangles *triangles)
{
    // A polygon of n corners is n - 2 triangles.
    size_t count = facets->first_corners[facets->count] - 2 * facets->count;
    uint32_t *next = impi_arena_allocate_array(&context->scratch, count, 3 * sizeof *next);
    if (!next)
        return impi_fail_out_of_memory(context);
    *triangles = (impi_HullTriangles){next, count};
    for (size_t i = 0; i < facets->count; ++i) {
        size_t first = facets->first_corners[i];
        for (size_t c = first + 1; c + 1 < facets->first_corners[i + 1]; ++c) {
            *next++ = facets->corners[first].point;
            *next++ = facets->corners[c].point;
            *next++ = facets->corners[c + 1].point;
        }
    }
    return IMP_STATUS_OK;
}
