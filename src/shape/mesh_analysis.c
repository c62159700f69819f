// Counts are exact. Area and volume are sums over the triangles, taken relative to the centre of the mesh's
// box and scaled by a power of two to unit size (so that neither a place far from the origin nor a tiny or
// huge size costs digits), with a compensated sum.
//
// Orientation. Each component's direction is the sign of its own volume; one whose volume is within the
// rounding error of its computation encloses nothing and has no say. A component that turns inward is a
// cavity, and fine, where the others wind around it outward: its first vertex that lies on no other
// component decides. The whole is outward when all of its components turn outward or are cavities, inward
// when that holds for the mesh with all triangles flipped.
#include "shape/mesh_analysis.h"

#include "geom/touch.h"
#include "geom/vector.h"
#include "shape/bounds.h"
#include "shape/mesh_topology.h"
#include "shape/point_location.h"

#include <math.h>

#define QUERIES_PER_LOOK 16 // at who watches

// A sum that carries the rounding errors of its additions along (Neumaier).
typedef struct Sum {
    double value, lost;
} Sum;

static void add(Sum *sum, double term)
{
    double value = sum->value + term;
    sum->lost += fabs(sum->value) >= fabs(term) ? (sum->value - value) + term : (term - value) + sum->value;
    sum->value = value;
}

static double total(const Sum *sum)
{
    return sum->value + sum->lost;
}

static imp_Vec3 to_unit(const impi_UnitFrame *frame, const imp_Vec3 *v)
{
    return (imp_Vec3){ldexp(v->x - frame->centre.x, -frame->exponent),
                      ldexp(v->y - frame->centre.y, -frame->exponent),
                      ldexp(v->z - frame->centre.z, -frame->exponent)};
}

typedef struct Measures {
    double twice_area;
    double six_volumes; // six times the volume of the tetrahedron from the frame's centre
    double edges;       // the squared lengths of two edges: bounds both
} Measures;

static Measures measure_triangle(const imp_Vec3 unit[3])
{
    imp_Vec3 u = impi_subtract(unit[1], unit[0]), v = impi_subtract(unit[2], unit[0]);
    imp_Vec3 normal = impi_cross(u, v);
    return (Measures){sqrt(impi_dot(normal, normal)), impi_dot(unit[0], normal),
                      impi_dot(u, u) + impi_dot(v, v)};
}

static void triangle_to_unit(const impi_UnitFrame *frame, const imp_Mesh *mesh, size_t face, imp_Vec3 unit[3])
{
    imp_Triangle triangle = impi_mesh_triangle(mesh, face);
    for (unsigned k = 0; k < 3; ++k)
        unit[k] = to_unit(frame, &triangle.v[k]);
}

// False when told to end, here and below.
static bool measure(impi_Watch *watch, const imp_Mesh *mesh, imp_MeshInfo *info)
{
    impi_UnitFrame frame = impi_unit_frame(&mesh->shape.bounds);
    Sum area = {0}, volume = {0};
    impi_watch_work(watch, "measuring triangles", mesh->arrays.triangle_count);
    for (size_t face = 0; face < mesh->arrays.triangle_count; ++face) {
        if (!impi_watch_item(watch, face))
            return false;
        imp_Vec3 unit[3];
        triangle_to_unit(&frame, mesh, face, unit);
        Measures measures = measure_triangle(unit);
        add(&area, measures.twice_area);
        add(&volume, measures.six_volumes);
    }
    info->area = ldexp(total(&area) / 2, 2 * frame.exponent);
    info->volume = info->closed ? ldexp(total(&volume) / 6, 3 * frame.exponent) : 0;
    return true;
}

static void count_edges(const impi_HalfEdges *half_edges, imp_MeshInfo *info)
{
    for (size_t begin = 0, end; begin < half_edges->count; begin = end) {
        end = impi_half_edges_run_end(half_edges, begin);
        ++info->edge_count;
        info->boundary_edge_count += end - begin == 1;
        info->non_manifold_edge_count += end - begin > 2;
    }
}

// What is known of one component.
typedef struct Component {
    imp_Box bounds;
    impi_UnitFrame frame;
    Sum six_volumes;
    double edges;    // see Measures
    int direction;   // of its volume: 1 outward, -1 inward, 0 encloses nothing
    bool placed;     // its winding below is known
    int64_t winding; // of the other components around it
} Component;

// With u and v for two edges of a triangle in the unit frame, the roundings of its term add up to less than
// 64 * 2^-53 |u| |v|, and moving its corners to the nearest representable coordinates of the frame (the same
// for all triangles around a vertex, so that the surface stays closed) changes the volume by less than
// 8 * 2^-53 |u| |v|. Twice |u| |v| is at most `edges`.
static int direction_of(const Component *component)
{
    double volume = total(&component->six_volumes);
    double error = 64 * 0x1p-53 * component->edges;
    return fabs(volume) <= error ? 0 : volume > 0 ? 1 : -1;
}

static void bound_components(const imp_Mesh *mesh, const uint32_t *component_of_face, Component *components,
                             size_t component_count)
{
    for (size_t face = mesh->arrays.triangle_count; face-- > 0;) {
        imp_Triangle triangle = impi_mesh_triangle(mesh, face);
        components[component_of_face[face]].bounds = (imp_Box){triangle.v[0], triangle.v[0]};
    }
    for (size_t face = 0; face < mesh->arrays.triangle_count; ++face) {
        imp_Triangle triangle = impi_mesh_triangle(mesh, face);
        for (unsigned k = 0; k < 3; ++k)
            impi_box_add(&components[component_of_face[face]].bounds, &triangle.v[k]);
    }
    for (size_t i = 0; i < component_count; ++i)
        components[i].frame = impi_unit_frame(&components[i].bounds);
}

static bool direct_components(impi_Watch *watch, const imp_Mesh *mesh, const uint32_t *component_of_face,
                              Component *components, size_t component_count)
{
    bound_components(mesh, component_of_face, components, component_count);
    impi_watch_work(watch, "measuring components", mesh->arrays.triangle_count);
    for (size_t face = 0; face < mesh->arrays.triangle_count; ++face) {
        if (!impi_watch_item(watch, face))
            return false;
        Component *component = &components[component_of_face[face]];
        imp_Vec3 unit[3];
        triangle_to_unit(&component->frame, mesh, face, unit);
        Measures measures = measure_triangle(unit);
        add(&component->six_volumes, measures.six_volumes);
        component->edges += measures.edges;
    }
    for (size_t i = 0; i < component_count; ++i)
        components[i].direction = direction_of(&components[i]);
    return true;
}

// Only needed where components disagree. A component that lies all on others stays unplaced, with a
// winding of 0.
static imp_Status place_components(imp_Context *context, const imp_Mesh *mesh,
                                   const uint32_t *component_of_face, Component *components)
{
    impi_PointLocator locator;
    imp_Status status = impi_point_locator_build(context, mesh, component_of_face, &locator);
    if (status != IMP_STATUS_OK)
        return status;
    size_t asked = 0;
    impi_watch_work(&context->watch, "placing components", 3 * mesh->arrays.triangle_count);
    for (size_t i = 0; i < 3 * mesh->arrays.triangle_count; ++i) {
        if (!impi_watch_item(&context->watch, i))
            return impi_watch_status(context);
        uint32_t number = component_of_face[i / 3];
        Component *component = &components[number];
        if (component->placed)
            continue;
        if (asked++ % QUERIES_PER_LOOK == 0 && !impi_watch_goes_on(&context->watch))
            return impi_watch_status(context);
        imp_Vec3 vertex = mesh->arrays.vertices[mesh->arrays.indices[i]];
        impi_Winding winding = impi_point_locator_wind(&locator, vertex, number);
        if (!winding.on_surface) {
            component->winding = winding.number;
            component->placed = true;
        }
    }
    return IMP_STATUS_OK;
}

// Do all components turn in `direction`, or the other way inside of others that do?
static bool all_turn(const Component *components, size_t component_count, int direction)
{
    for (size_t i = 0; i < component_count; ++i)
        if (components[i].direction == -direction && components[i].winding * direction <= 0)
            return false;
    return true;
}

static imp_Status orient(imp_Context *context, const imp_Mesh *mesh, const uint32_t *component_of_face,
                         size_t component_count, imp_Orientation *orientation)
{
    Component *components = impi_arena_allocate_array(&context->scratch, component_count, sizeof *components);
    if (!components)
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < component_count; ++i)
        components[i] = (Component){0};
    if (!direct_components(&context->watch, mesh, component_of_face, components, component_count))
        return impi_watch_status(context);
    bool some_outward = false, some_inward = false;
    for (size_t i = 0; i < component_count; ++i) {
        some_outward |= components[i].direction > 0;
        some_inward |= components[i].direction < 0;
    }
    if (some_outward && some_inward) {
        imp_Status status = place_components(context, mesh, component_of_face, components);
        if (status != IMP_STATUS_OK)
            return status;
    }
    *orientation = !some_outward && !some_inward               ? IMP_ORIENTATION_NONE
                   : all_turn(components, component_count, 1)  ? IMP_ORIENTATION_OUTWARD
                   : all_turn(components, component_count, -1) ? IMP_ORIENTATION_INWARD
                                                               : IMP_ORIENTATION_MIXED;
    return IMP_STATUS_OK;
}

static bool count_degenerate(impi_Watch *watch, const imp_Mesh *mesh, size_t *degenerate_count)
{
    size_t count = 0;
    impi_watch_work(watch, "looking for degenerate triangles", mesh->arrays.triangle_count);
    for (size_t face = 0; face < mesh->arrays.triangle_count; ++face) {
        if (!impi_watch_item(watch, face))
            return false;
        imp_Triangle triangle = impi_mesh_triangle(mesh, face);
        count += impi_triangle_is_degenerate(&triangle);
    }
    *degenerate_count = count;
    return true;
}

static imp_Status analyse_topology(imp_Context *context, const imp_Mesh *mesh, imp_MeshInfo *info,
                                   uint32_t **component_of_face)
{
    impi_Corners corners = {0};
    imp_Status status = impi_corners_find(context, mesh, &corners);
    if (status == IMP_STATUS_OK)
        status = impi_components_find(context, &corners, component_of_face, &info->component_count);
    if (status == IMP_STATUS_OK)
        status = impi_duplicates_count(context, &corners, &info->duplicate_triangle_count);
    impi_HalfEdges half_edges = {0};
    if (status == IMP_STATUS_OK)
        status = impi_half_edges_sort(context, &corners, &half_edges);
    if (status != IMP_STATUS_OK)
        return status;
    info->distinct_vertex_count = corners.distinct_count;
    info->unused_vertex_count = corners.unused_count;
    count_edges(&half_edges, info);
    info->closed = impi_half_edges_are_closed(&half_edges);
    return IMP_STATUS_OK;
}

imp_Status impi_mesh_analyse(imp_Context *context, const imp_Mesh *mesh, imp_MeshInfo *info)
{
    imp_MeshInfo found = {.vertex_count = mesh->arrays.vertex_count,
                          .triangle_count = mesh->arrays.triangle_count,
                          .bounds = mesh->shape.bounds};
    uint32_t *component_of_face;
    imp_Status status = analyse_topology(context, mesh, &found, &component_of_face);
    if (status == IMP_STATUS_OK && found.closed)
        status = orient(context, mesh, component_of_face, found.component_count, &found.orientation);
    if (status != IMP_STATUS_OK)
        return status;
    impi_mesh_keep_closedness(mesh, found.closed);
    if (!count_degenerate(&context->watch, mesh, &found.degenerate_triangle_count) ||
        !measure(&context->watch, mesh, &found))
        return impi_watch_status(context);
    *info = found;
    return IMP_STATUS_OK;
}
