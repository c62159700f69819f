// The winding number of a closed surface around a point is the number of times that a ray from the point
// leaves through a face less the number of times it enters through one. The ray here runs along +z, and
// instead of hoping that it misses edges and vertices it starts from the point moved by (e, e^2, 0) for an
// infinitely small e > 0. No projected edge passes through the moved point, so each face is either hit in
// its inside or missed; faces that the projection flattens are missed. Neighbouring faces see the same
// moved point, so that a ray through their common edge hits as many of them as it should.
//
// The height needs no such care: a face that is hit by the moved ray and has the point itself in its plane
// has the point in its closed triangle, and points on the surface are told apart before.
//
// All signs are exact. A query costs a walk down the box tree, and some ten predicates for each face above.
#include "shape/point_location.h"

#include "geom/predicates.h"
#include "geom/touch.h"
#include "shape/mesh_topology.h"

#include <math.h>
#include <string.h>

#define POINTS_PER_BLOCK 256
#define POINTS_PER_LOOK  16 // at who watches

typedef struct Query {
    const impi_PointLocator *locator;
    imp_Vec3 point;
    uint32_t ignored_component;
    impi_Winding winding;
} Query;

// Which side of the line a -> b, seen from +z, is the moved point on? 0 only when a and b have the same
// x and y. The area of a, b, p + (e, e^2) is that of a, b, p plus e (a.y - b.y) plus e^2 (b.x - a.x).
static int side_of_moved_point(const imp_Vec3 *a, const imp_Vec3 *b, const imp_Vec3 *point)
{
    int side = impi_orient2d(a, b, point, IMPI_AXIS_Z);
    if (side != 0)
        return side;
    if (a->y != b->y)
        return a->y > b->y ? 1 : -1;
    return (b->x > a->x) - (b->x < a->x);
}

static bool lies_on(const imp_Vec3 *point, const imp_Triangle *triangle)
{
    return impi_segment_touches_triangle(&(imp_Segment){{*point, *point}}, triangle);
}

int impi_triangle_crossing(const imp_Triangle *triangle, const imp_Vec3 *point, bool *on_surface)
{
    const imp_Vec3 *a = &triangle->v[0], *b = &triangle->v[1], *c = &triangle->v[2];
    // Trees keep faces away that lie beside the ray or below the point, but not from the others of a block.
    bool is_beside = (a->x < point->x && b->x < point->x && c->x < point->x) ||
                     (a->x > point->x && b->x > point->x && c->x > point->x) ||
                     (a->y < point->y && b->y < point->y && c->y < point->y) ||
                     (a->y > point->y && b->y > point->y && c->y > point->y);
    if (is_beside)
        return 0;
    bool may_be_above = a->z >= point->z || b->z >= point->z || c->z >= point->z;
    bool may_be_below = a->z <= point->z || b->z <= point->z || c->z <= point->z;
    if (!may_be_above)
        return 0;
    int height = may_be_below ? impi_orient3d(a, b, c, point) : 0;
    if (may_be_below && height == 0 && lies_on(point, triangle)) {
        *on_surface = true;
        return 0;
    }
    int side = side_of_moved_point(a, b, point);
    if (side == 0 || side_of_moved_point(b, c, point) != side || side_of_moved_point(c, a, point) != side)
        return 0;
    bool point_is_below = !may_be_below || height == -side;
    return point_is_below ? side : 0;
}

static void add_crossing(uint32_t face, void *argument)
{
    Query *query = argument;
    const uint32_t *components = query->locator->component_of_face;
    if (query->winding.on_surface)
        return;
    if (components && components[face] == query->ignored_component)
        return;
    imp_Triangle triangle = impi_mesh_triangle(query->locator->mesh, face);
    query->winding.number += impi_triangle_crossing(&triangle, &query->point, &query->winding.on_surface);
}

impi_Winding impi_point_locator_wind(const impi_PointLocator *locator, imp_Vec3 point,
                                     uint32_t ignored_component)
{
    const impi_BoxTree *tree = &locator->tree;
    float x = impi_box_tree_coordinate(tree, point.x, 0), y = impi_box_tree_coordinate(tree, point.y, 1);
    impi_FloatBox ray = {{x, y, impi_box_tree_coordinate(tree, point.z, 2)}, {x, y, INFINITY}};
    Query query = {.locator = locator, .point = point, .ignored_component = ignored_component};
    impi_box_tree_visit(tree, &ray, 0, add_crossing, &query);
    return query.winding;
}

imp_Status impi_point_locator_build(imp_Context *context, const imp_Mesh *mesh,
                                    const uint32_t *component_of_face, impi_PointLocator *locator)
{
    *locator = (impi_PointLocator){.mesh = mesh, .component_of_face = component_of_face};
    return impi_box_tree_build(context, mesh, &locator->tree);
}

typedef struct Batch {
    impi_PointLocator locator;
    impi_Watch *watch;
    const imp_Vec3 *points;
    imp_PointLocation *locations;
} Batch;

static void locate_block(size_t begin, size_t end, size_t block, void *argument)
{
    const Batch *batch = argument;
    (void)block;
    for (size_t i = begin; i < end; ++i) {
        size_t steps = i > begin ? POINTS_PER_LOOK : 0;
        if ((i - begin) % POINTS_PER_LOOK == 0 && !impi_watch_step(batch->watch, steps))
            return;
        impi_Winding winding = impi_point_locator_wind(&batch->locator, batch->points[i], IMPI_NO_COMPONENT);
        batch->locations[i] = winding.on_surface    ? IMP_LOCATION_ON_SURFACE
                              : winding.number != 0 ? IMP_LOCATION_INSIDE
                                                    : IMP_LOCATION_OUTSIDE;
    }
}

imp_Status impi_mesh_locate_points(imp_Context *context, const imp_Mesh *mesh, const imp_Vec3 *points,
                                   size_t count, imp_PointLocation *locations)
{
    impi_watch_work(&context->watch, "checking points", count);
    for (size_t i = 0; i < count; ++i) {
        if (!impi_watch_item(&context->watch, i))
            return impi_watch_status(context);
        if (!impi_vec3_is_finite(&points[i]))
            return impi_fail(context, IMP_STATUS_BAD_NUMBER, i, "point %zu is not finite", i);
    }
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    bool closed;
    imp_Status status = impi_mesh_is_closed(context, mesh, &closed);
    impi_arena_rewind(&context->scratch, mark);
    if (status != IMP_STATUS_OK)
        return status;
    if (!closed)
        return impi_fail(context, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE, "the mesh is open: it has no inside");
    // Made aside: the caller's are left alone when a watch ends the work.
    Batch batch = {
        .watch = &context->watch,
        .points = points,
        .locations = impi_arena_allocate_array(&context->scratch, count, sizeof *locations),
    };
    if (!batch.locations)
        return impi_fail_out_of_memory(context);
    status = impi_point_locator_build(context, mesh, NULL, &batch.locator);
    if (status != IMP_STATUS_OK)
        return status;
    impi_watch_work(&context->watch, "locating points", count);
    impi_parallel_for(&context->executor, count, POINTS_PER_BLOCK, locate_block, &batch);
    status = impi_watch_status(context);
    if (status == IMP_STATUS_OK && count > 0)
        memcpy(locations, batch.locations, count * sizeof *locations);
    return status;
}
