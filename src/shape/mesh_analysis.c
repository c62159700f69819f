// Counts are exact; area and volume are measured in mesh_measure.c.
//
// Orientation. Each component's direction is the sign of its own volume; one without a volume encloses
// nothing and has no say. A component that turns inward is a
// cavity, and fine, where the others wind around it outward: its first vertex that lies on no other
// component decides. The whole is outward when all of its components turn outward or are cavities, inward
// when that holds for the mesh with all triangles flipped.
#include "shape/mesh_analysis.h"

#include "geom/touch.h"
#include "shape/mesh_measure.h"
#include "shape/mesh_topology.h"
#include "shape/point_location.h"

#define QUERIES_PER_LOOK 16 // at who watches

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
    int8_t direction; // of its volume: 1 outward, -1 inward, 0 encloses nothing
    bool placed;      // its winding below is known
    int64_t winding;  // of the other components around it
} Component;

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
    int8_t *directions = impi_arena_allocate_array(&context->scratch, component_count, sizeof *directions);
    if (!components || !directions)
        return impi_fail_out_of_memory(context);
    imp_Status status = impi_mesh_directions(context, mesh, component_of_face, component_count, directions);
    if (status != IMP_STATUS_OK)
        return status;
    for (size_t i = 0; i < component_count; ++i)
        components[i] = (Component){.direction = directions[i]};
    bool some_outward = false, some_inward = false;
    for (size_t i = 0; i < component_count; ++i) {
        some_outward |= components[i].direction > 0;
        some_inward |= components[i].direction < 0;
    }
    if (some_outward && some_inward) {
        status = place_components(context, mesh, component_of_face, components);
        if (status != IMP_STATUS_OK)
            return status;
    }
    *orientation = !some_outward && !some_inward               ? IMP_ORIENTATION_NONE
                   : all_turn(components, component_count, 1)  ? IMP_ORIENTATION_OUTWARD
                   : all_turn(components, component_count, -1) ? IMP_ORIENTATION_INWARD
                                                               : IMP_ORIENTATION_MIXED;
    return IMP_STATUS_OK;
}

static imp_Status count_degenerate(imp_Context *context, const imp_Mesh *mesh, size_t *degenerate_count)
{
    size_t count = 0;
    impi_watch_work(&context->watch, "looking for degenerate triangles", mesh->arrays.triangle_count);
    for (size_t face = 0; face < mesh->arrays.triangle_count; ++face) {
        if (!impi_watch_item(&context->watch, face))
            return impi_watch_status(context);
        imp_Triangle triangle = impi_mesh_triangle(mesh, face);
        count += impi_triangle_is_degenerate(&triangle);
    }
    *degenerate_count = count;
    return IMP_STATUS_OK;
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
    status = count_degenerate(context, mesh, &found.degenerate_triangle_count);
    if (status == IMP_STATUS_OK)
        status = impi_mesh_area(context, mesh, &found.area);
    if (status == IMP_STATUS_OK && found.closed)
        status = impi_mesh_volume(context, mesh, &found.volume);
    if (status == IMP_STATUS_OK)
        *info = found;
    return status;
}
