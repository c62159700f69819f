// Quickhull (Barber, Dobkin & Huhdanpaa 1996) with every decision exact. Each point outside the surface is in
// the list of one face that it is strictly above. The farthest point of some list is added: the faces
// that it is strictly above are replaced by a fan from it to their border, and the points of their
// lists go to faces of the fan, or are dropped.
//
// Why no case is special. A face whose plane the new point lies in counts as hidden. So the triangles of
// one plane are all visible or all hidden, and what is visible is, seen from the new point, a disc whose
// border is a simple cycle (a ray from the point meets the visible faces at most once, and they cover all
// that it can see of the hull). A border edge lies in a visible face, which the point is strictly above: it
// is never in line with the edge, and no triangle of the fan is degenerate. A point that is above a removed
// face and still outside is above a face of the fan: the removed face and those that it is above and that
// stay hang together, so it is above both faces of some border edge e; the plane of the new face at e
// lies between the two.
//
// What may be left in the end is that vertices lie inside of facets or edges: see hull_facets.h.
//
// Points that are equal are in one list, in their order, as long as they are in any, since all tests treat
// them alike; so the first is the one that becomes a vertex.
//
// Cost: n log n for points that are spread as points usually are; every point is looked at once for each
// time its face goes. Heights steer, and only cost time when they are wrong. Before all that, a first surface
// around a few points far out, and boxes inside of it, sort out most points where most lie inside.
#include "shape/hull_surface.h"

#include "shape/bounds.h"
#include "shape/hull_inside.h"
#include "shape/hull_simplex.h"

#include <stdlib.h>

#define NO_FACE UINT32_MAX

// Who watches is asked after about so many comparisons of a point with a plane.
#define TESTS_PER_LOOK 16384

// A side of a visible face beyond which the faces are hidden.
typedef struct BorderEdge {
    uint32_t from, to;   // its points, in the direction of the visible face
    uint32_t outer_face; // the hidden one
    unsigned outer_side; // its side of the edge
} BorderEdge;

typedef struct Builder {
    impi_HullSurface *surface;
    impi_Watch *watch;
    size_t test_count;            // points against planes, since somebody was asked to watch
    size_t settled;               // points that became vertices or are of no more interest, since then
    bool is_ended;                // whoever watches said so: what was built is of no use
    IMPI_ARRAY(uint32_t) pending; // faces that may have points outside
    IMPI_ARRAY(uint32_t) visible, fan, free_faces;
    IMPI_ARRAY(BorderEdge) border;
} Builder;

static imp_Box bounds_of(const impi_HullPoints *points)
{
    imp_Vec3 first = impi_hull_point(points, 0);
    imp_Box box = {first, first};
    for (size_t i = 1; i < points->count; ++i) {
        imp_Vec3 p = impi_hull_point(points, i);
        impi_box_add(&box, &p);
    }
    return box;
}

// The filter of impi_orient3d with the extents of all points instead of those of four.
static double filter_error(const imp_Box *box)
{
    double x = box->max.x - box->min.x, y = box->max.y - box->min.y, z = box->max.z - box->min.z;
    double size = x * y * z;
    bool in_range = size >= IMPI_FILTER_MIN_VOLUME && fmax(x, fmax(y, z)) <= IMPI_FILTER_MAX_EXTENT;
    return in_range ? IMPI_ORIENT3D_ERROR * size : INFINITY;
}

// The normal is computed as in impi_orient3d, so that its filter holds for impi_hull_side.
static impi_HullFace make_face(const impi_HullSurface *surface, uint32_t a, uint32_t b, uint32_t c)
{
    imp_Vec3 base = impi_hull_point(&surface->points, a);
    imp_Vec3 pb = impi_hull_point(&surface->points, b), pc = impi_hull_point(&surface->points, c);
    double ux = pb.x - base.x, uy = pb.y - base.y, uz = pb.z - base.z;
    double vx = pc.x - base.x, vy = pc.y - base.y, vz = pc.z - base.z;
    return (impi_HullFace){.base = base,
                           .normal = {uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx},
                           .corners = {a, b, c},
                           .neighbours = {NO_FACE, NO_FACE, NO_FACE},
                           .first_outside = IMPI_NO_POINT,
                           .last_outside = IMPI_NO_POINT,
                           .farthest = IMPI_NO_POINT,
                           .first_on = IMPI_NO_POINT,
                           .mark = IMPI_HULL_UNSEEN};
}

static void add_outside(impi_HullSurface *surface, impi_HullFace *face, uint32_t point, double height)
{
    surface->links[point] = IMPI_NO_POINT;
    if (face->first_outside == IMPI_NO_POINT)
        face->first_outside = point;
    else
        surface->links[face->last_outside] = point;
    face->last_outside = point;
    if (face->farthest == IMPI_NO_POINT || height > face->farthest_height) {
        face->farthest = point;
        face->farthest_height = height;
    }
}

// Work was done: so many tests. Points settled are the steps that whoever watches sees.
static bool goes_on(Builder *builder, size_t test_count)
{
    builder->test_count += test_count;
    if (builder->test_count < TESTS_PER_LOOK || builder->is_ended)
        return !builder->is_ended;
    builder->is_ended = !impi_watch_step(builder->watch, builder->settled);
    builder->test_count = builder->settled = 0;
    return !builder->is_ended;
}

// Give a point to the first of `faces` that it is above, or note in whose plane it lies, or drop it. False
// for a point that is settled.
static bool assign_point(impi_HullSurface *surface, const uint32_t *faces, size_t face_count, uint32_t point)
{
    imp_Vec3 p = impi_hull_point(&surface->points, point);
    uint32_t coplanar = NO_FACE;
    for (size_t i = 0; i < face_count; ++i) {
        impi_HullFace *face = &surface->faces.data[faces[i]];
        double height;
        int side = impi_hull_side(surface, face, &p, &height);
        if (side > 0) {
            add_outside(surface, face, point, height);
            return true;
        }
        if (side == 0)
            coplanar = faces[i];
    }
    if (coplanar != NO_FACE && surface->keeps_coplanar) {
        surface->links[point] = surface->faces.data[coplanar].first_on;
        surface->faces.data[coplanar].first_on = point;
    }
    return false;
}

// To the faces of the fan. Points of the list `first_on` are settled already, though they may come back.
static void assign_list(Builder *builder, uint32_t first, uint32_t left_out)
{
    impi_HullSurface *surface = builder->surface;
    size_t face_count = builder->fan.count;
    for (uint32_t point = first, next; point != IMPI_NO_POINT && goes_on(builder, face_count); point = next) {
        next = surface->links[point];
        if (point == left_out || !assign_point(surface, builder->fan.data, face_count, point))
            ++builder->settled;
    }
}

// Faces 0 to 3; each has the corner that it lacks below it, see impi_hull_simplex.
static bool begin_with_simplex(Builder *builder, const uint32_t simplex[4])
{
    static const unsigned corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const uint32_t neighbours[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    impi_HullSurface *surface = builder->surface;
    if (!impi_array_reserve(surface->allocator, &surface->faces, sizeof *surface->faces.data, 4))
        return false;
    for (unsigned f = 0; f < 4; ++f) {
        const unsigned *c = corners[f];
        impi_HullFace face = make_face(surface, simplex[c[0]], simplex[c[1]], simplex[c[2]]);
        memcpy(face.neighbours, neighbours[f], sizeof face.neighbours);
        surface->faces.data[surface->faces.count++] = face;
    }
    return true;
}

static unsigned side_of_neighbour(const impi_HullFace *face, uint32_t neighbour)
{
    // Two faces have one edge in common, since three points do not make two triangles of a hull.
    return face->neighbours[0] == neighbour ? 0 : face->neighbours[1] == neighbour ? 1 : 2;
}

// Mark what `point` sees of the surface, beginning with a face that it is above, and list the border.
static bool find_visible(Builder *builder, uint32_t point, uint32_t first_face)
{
    impi_HullSurface *surface = builder->surface;
    impi_HullFace *faces = surface->faces.data;
    imp_Vec3 p = impi_hull_point(&surface->points, point);
    builder->visible.count = builder->border.count = 0;
    if (!impi_array_reserve(surface->allocator, &builder->visible, sizeof *builder->visible.data, 1))
        return false;
    builder->visible.data[builder->visible.count++] = first_face;
    faces[first_face].mark = IMPI_HULL_VISIBLE;
    for (size_t i = 0; i < builder->visible.count; ++i) {
        if (!impi_array_reserve(surface->allocator, &builder->visible, sizeof *builder->visible.data,
                                builder->visible.count + 3) ||
            !impi_array_reserve(surface->allocator, &builder->border, sizeof *builder->border.data,
                                builder->border.count + 3))
            return false;
        uint32_t face = builder->visible.data[i];
        for (unsigned side = 0; side < 3; ++side) {
            uint32_t other = faces[face].neighbours[side];
            if (faces[other].mark == IMPI_HULL_UNSEEN) {
                double height;
                bool above = impi_hull_side(surface, &faces[other], &p, &height) > 0;
                faces[other].mark = above ? IMPI_HULL_VISIBLE : IMPI_HULL_HIDDEN;
                if (above)
                    builder->visible.data[builder->visible.count++] = other;
            }
            if (faces[other].mark == IMPI_HULL_HIDDEN)
                builder->border.data[builder->border.count++] =
                    (BorderEdge){faces[face].corners[side], faces[face].corners[(side + 1) % 3], other,
                                 side_of_neighbour(&faces[other], face)};
        }
    }
    return true;
}

static bool reserve_fan(Builder *builder)
{
    impi_HullSurface *surface = builder->surface;
    size_t count = builder->border.count;
    size_t reused = count < builder->free_faces.count ? count : builder->free_faces.count;
    return impi_array_reserve(surface->allocator, &builder->fan, sizeof *builder->fan.data, count) &&
           impi_array_reserve(surface->allocator, &surface->faces, sizeof *surface->faces.data,
                              surface->faces.count + (count - reused)) &&
           impi_array_reserve(surface->allocator, &builder->pending, sizeof *builder->pending.data,
                              builder->pending.count + count) &&
           impi_array_reserve(surface->allocator, &builder->free_faces, sizeof *builder->free_faces.data,
                              builder->free_faces.count + builder->visible.count);
}

// A face (from, to, point) for each border edge; links of border points name the face that begins there.
static void make_fan(Builder *builder, uint32_t point)
{
    impi_HullSurface *surface = builder->surface;
    builder->fan.count = 0;
    for (size_t i = 0; i < builder->border.count; ++i) {
        const BorderEdge *edge = &builder->border.data[i];
        uint32_t face = builder->free_faces.count > 0 ? builder->free_faces.data[--builder->free_faces.count]
                                                      : (uint32_t)surface->faces.count++;
        surface->faces.data[face] = make_face(surface, edge->from, edge->to, point);
        surface->faces.data[face].neighbours[0] = edge->outer_face;
        surface->faces.data[edge->outer_face].neighbours[edge->outer_side] = face;
        surface->faces.data[edge->outer_face].mark = IMPI_HULL_UNSEEN;
        surface->links[edge->from] = face;
        builder->fan.data[builder->fan.count++] = face;
    }
    for (size_t i = 0; i < builder->fan.count; ++i) {
        uint32_t face = builder->fan.data[i], next = surface->links[builder->border.data[i].to];
        surface->faces.data[face].neighbours[1] = next;
        surface->faces.data[next].neighbours[2] = face;
    }
}

static void empty_visible_faces(Builder *builder, uint32_t point)
{
    impi_HullSurface *surface = builder->surface;
    const uint32_t *fan = builder->fan.data;
    for (size_t i = 0; i < builder->visible.count; ++i) {
        impi_HullFace *face = &surface->faces.data[builder->visible.data[i]];
        assign_list(builder, face->first_outside, point);
        assign_list(builder, face->first_on, IMPI_NO_POINT);
        face->mark = IMPI_HULL_FREE;
        builder->free_faces.data[builder->free_faces.count++] = builder->visible.data[i];
    }
    for (size_t i = 0; i < builder->fan.count; ++i)
        if (surface->faces.data[fan[i]].farthest != IMPI_NO_POINT)
            builder->pending.data[builder->pending.count++] = fan[i];
}

// False when out of memory or ended, here and below.
static bool add_point(Builder *builder, uint32_t point, uint32_t seen_face)
{
    if (!find_visible(builder, point, seen_face) || !reserve_fan(builder))
        return false;
    make_fan(builder, point);
    empty_visible_faces(builder, point);
    return goes_on(builder, 3 * builder->visible.count);
}

static uint32_t find_face_below(const impi_HullSurface *surface, uint32_t point)
{
    imp_Vec3 p = impi_hull_point(&surface->points, point);
    double height;
    for (size_t f = 0; f < surface->faces.count; ++f)
        if (surface->faces.data[f].mark != IMPI_HULL_FREE &&
            impi_hull_side(surface, &surface->faces.data[f], &p, &height) > 0)
            return (uint32_t)f;
    return NO_FACE;
}

// Points that are far out come first, while no point is in a list: where most points lie inside, most lie
// inside of the hull of these, and are never put into a list. `vertices` gets the points added.
static bool add_seeds(Builder *builder, const imp_Box *box, uint32_t *vertices, size_t *vertex_count)
{
    uint32_t seeds[IMPI_HULL_MAX_SEEDS];
    size_t count = impi_hull_seeds(builder->watch, &builder->surface->points, box, seeds);
    for (size_t i = 0; i < count; ++i) {
        uint32_t face = find_face_below(builder->surface, seeds[i]);
        if (face == NO_FACE)
            continue;
        if (!add_point(builder, seeds[i], face))
            return false;
        vertices[(*vertex_count)++] = seeds[i];
    }
    return true;
}

static int compare_points(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// Assign all points but these vertices.
static bool assign_all(Builder *builder, const imp_Box *box, const uint32_t *vertices, size_t vertex_count)
{
    impi_HullSurface *surface = builder->surface;
    size_t face_count = 0, next_vertex = 0;
    if (!impi_array_reserve(surface->allocator, &builder->pending, sizeof *builder->pending.data,
                            surface->faces.count))
        return false;
    uint32_t *faces = builder->pending.data;
    for (size_t f = 0; f < surface->faces.count; ++f)
        if (surface->faces.data[f].mark != IMPI_HULL_FREE)
            faces[face_count++] = (uint32_t)f;
    impi_InsideBoxes inside;
    impi_inside_boxes_find(surface, box, &inside);
    for (size_t i = 0; i < surface->points.count; ++i) {
        imp_Vec3 p = impi_hull_point(&surface->points, i);
        bool is_vertex = next_vertex < vertex_count && vertices[next_vertex] == i;
        bool is_inside = !is_vertex && impi_inside_boxes_hold(&inside, &p);
        next_vertex += is_vertex;
        if (is_vertex || is_inside || !assign_point(surface, faces, face_count, (uint32_t)i))
            ++builder->settled;
        if (!goes_on(builder, is_vertex || is_inside ? IMPI_INSIDE_BOXES : face_count))
            return false;
    }
    builder->pending.count = face_count;
    return true;
}

static bool begin(Builder *builder, const uint32_t simplex[4], const imp_Box *box)
{
    uint32_t vertices[4 + IMPI_HULL_MAX_SEEDS];
    size_t vertex_count = 4;
    memcpy(vertices, simplex, 4 * sizeof *vertices);
    if (!begin_with_simplex(builder, simplex) || !add_seeds(builder, box, vertices, &vertex_count))
        return false;
    qsort(vertices, vertex_count, sizeof *vertices, compare_points);
    impi_watch_work(builder->watch, "growing the hull", builder->surface->points.count);
    builder->settled = 0;
    return assign_all(builder, box, vertices, vertex_count);
}

static bool grow(Builder *builder)
{
    impi_HullSurface *surface = builder->surface;
    while (builder->pending.count > 0) {
        uint32_t face = builder->pending.data[--builder->pending.count];
        // A face can have gone since it was noted, and another one can have its slot, which is noted too.
        const impi_HullFace *data = &surface->faces.data[face];
        if (data->mark != IMPI_HULL_FREE && data->farthest != IMPI_NO_POINT &&
            !add_point(builder, data->farthest, face))
            return false;
    }
    return true;
}

imp_Status impi_hull_surface_build(imp_Context *context, const impi_HullPoints *points,
                                   const uint32_t simplex[4], bool keep_coplanar, impi_HullSurface *surface)
{
    imp_Box box = bounds_of(points);
    *surface = (impi_HullSurface){.allocator = &context->allocator,
                                  .points = *points,
                                  .keeps_coplanar = keep_coplanar,
                                  .filter_error = filter_error(&box)};
    surface->links = impi_arena_allocate_array(&context->scratch, points->count, sizeof *surface->links);
    Builder builder = {.surface = surface, .watch = &context->watch};
    bool done = surface->links && begin(&builder, simplex, &box) && grow(&builder);
    impi_array_free(surface->allocator, &builder.pending, sizeof *builder.pending.data);
    impi_array_free(surface->allocator, &builder.visible, sizeof *builder.visible.data);
    impi_array_free(surface->allocator, &builder.fan, sizeof *builder.fan.data);
    impi_array_free(surface->allocator, &builder.free_faces, sizeof *builder.free_faces.data);
    impi_array_free(surface->allocator, &builder.border, sizeof *builder.border.data);
    if (builder.is_ended)
        return impi_watch_status(context);
    return done ? IMP_STATUS_OK : impi_fail_out_of_memory(context);
}

void impi_hull_surface_free(impi_HullSurface *surface)
{
    impi_array_free(surface->allocator, &surface->faces, sizeof *surface->faces.data);
}
