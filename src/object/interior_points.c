// From the middle of a large face a ray goes through the inside to the next face of the mesh; the middle of
// that way is a candidate. The longest of a few such ways is taken whose middle is inside of the mesh, and
// which the component itself winds around. Rays are traced in plain doubles, because nothing hangs on where
// exactly they end: that the point is inside is decided exactly, and its depth is a proven bound.
//
// Costs a sort of the corners and of the faces, a tree over their boxes, and some passes over each
// component's faces; other components are looked at where they are in the way.
#include "object/interior_points.h"

#include "base/context.h"
#include "geom/scalar.h"
#include "geom/vector.h"
#include "object/point_distance.h"
#include "shape/bounds.h"
#include "shape/mesh_topology.h"
#include "shape/point_location.h"

#define FACES_TRIED 4 // the largest of a component

// One component, and the mesh that it is of.
typedef struct Component {
    const impi_PointLocator *locator;
    const imp_Mesh *mesh;
    uint32_t number;
    const uint32_t *faces;
    size_t face_count;
} Component;

typedef struct Ray {
    imp_Vec3 origin, direction; // of unit length
} Ray;

static imp_Vec3 area_of(const imp_Triangle *triangle)
{
    return impi_cross(impi_subtract(triangle->v[1], triangle->v[0]),
                      impi_subtract(triangle->v[2], triangle->v[0]));
}

static imp_Vec3 middle_of(const imp_Triangle *triangle)
{
    const imp_Vec3 *v = triangle->v;
    return impi_add_scaled(impi_add_scaled(impi_scale(v[0], 1.0 / 3), 1.0 / 3, v[1]), 1.0 / 3, v[2]);
}

// How far along the ray a triangle is met; infinite where it is not (Moeller and Trumbore 1997).
static double meet(const Ray *ray, const imp_Triangle *triangle)
{
    imp_Vec3 first = impi_subtract(triangle->v[1], triangle->v[0]);
    imp_Vec3 second = impi_subtract(triangle->v[2], triangle->v[0]);
    imp_Vec3 across = impi_cross(ray->direction, second);
    double volume = impi_dot(first, across);
    if (volume == 0)
        return INFINITY;
    imp_Vec3 from = impi_subtract(ray->origin, triangle->v[0]);
    double u = impi_dot(from, across) / volume;
    imp_Vec3 around = impi_cross(from, first);
    double v = impi_dot(ray->direction, around) / volume;
    double way = impi_dot(second, around) / volume;
    return u >= 0 && v >= 0 && u + v <= 1 && way > 0 ? way : INFINITY;
}

// The least of something over faces.
typedef struct Nearest {
    const imp_Mesh *mesh;
    const Ray *ray;
    uint32_t own_face;
    imp_Vec3 point;
    double scale, least;
} Nearest;

static void meet_face(uint32_t face, void *argument)
{
    Nearest *nearest = argument;
    imp_Triangle triangle = impi_mesh_triangle(nearest->mesh, face);
    if (face != nearest->own_face)
        nearest->least = impi_smaller(nearest->least, meet(nearest->ray, &triangle));
}

static void measure_face(uint32_t face, void *argument)
{
    Nearest *nearest = argument;
    imp_Triangle triangle = impi_mesh_triangle(nearest->mesh, face);
    double lower = impi_triangle_point_distance(&triangle, nearest->point, nearest->scale).lower;
    nearest->least = impi_smaller(nearest->least, lower);
}

static double ask_faces(const Component *component, impi_FaceFn ask, Nearest *nearest)
{
    for (size_t i = 0; i < component->face_count; ++i)
        ask(component->faces[i], nearest);
    return nearest->least;
}

// All faces of the mesh whose boxes touch this one.
static void ask_others(const Component *component, impi_FaceFn ask, const imp_Box *box, Nearest *nearest)
{
    const impi_BoxTree *tree = &component->locator->tree;
    const double min[3] = {box->min.x, box->min.y, box->min.z}, max[3] = {box->max.x, box->max.y, box->max.z};
    impi_FloatBox asked;
    for (unsigned axis = 0; axis < 3; ++axis) {
        asked.min[axis] = impi_box_tree_coordinate(tree, min[axis], axis);
        asked.max[axis] = impi_box_tree_coordinate(tree, max[axis], axis);
    }
    impi_box_tree_visit(tree, &asked, 0, ask, nearest);
}

static double next_face_along(const Component *component, const Ray *ray, uint32_t own_face)
{
    Nearest nearest = {.mesh = component->mesh, .ray = ray, .own_face = own_face, .least = INFINITY};
    double own = ask_faces(component, meet_face, &nearest);
    imp_Vec3 end = impi_add_scaled(ray->origin, own, ray->direction);
    if (!isfinite(impi_longest(end)))
        return INFINITY;
    imp_Box way = {{impi_smaller(ray->origin.x, end.x), impi_smaller(ray->origin.y, end.y),
                    impi_smaller(ray->origin.z, end.z)},
                   {impi_larger(ray->origin.x, end.x), impi_larger(ray->origin.y, end.y),
                    impi_larger(ray->origin.z, end.z)}};
    ask_others(component, meet_face, &way, &nearest);
    return nearest.least;
}

// The largest faces, largest first.
static size_t choose_faces(const Component *component, uint32_t chosen[FACES_TRIED])
{
    double areas[FACES_TRIED];
    size_t count = 0;
    for (size_t i = 0; i < component->face_count; ++i) {
        imp_Triangle triangle = impi_mesh_triangle(component->mesh, component->faces[i]);
        double area = impi_length(area_of(&triangle));
        size_t place;
        if (!(area > 0) || (count == FACES_TRIED && area <= areas[count - 1]))
            continue;
        place = count == FACES_TRIED ? count - 1 : count++;
        for (; place > 0 && areas[place - 1] < area; --place) {
            areas[place] = areas[place - 1];
            chosen[place] = chosen[place - 1];
        }
        areas[place] = area;
        chosen[place] = component->faces[i];
    }
    return count;
}

static double depth_of(const Component *component, imp_Vec3 p)
{
    const imp_Box *bounds = &component->mesh->shape.bounds;
    Nearest nearest = {.mesh = component->mesh,
                       .own_face = IMP_NO_FACE,
                       .point = p,
                       .scale = impi_distance_scale(bounds, bounds),
                       .least = INFINITY};
    double reach = ask_faces(component, measure_face, &nearest);
    imp_Box around = impi_box_widen(&(imp_Box){p, p}, reach);
    ask_others(component, measure_face, &around, &nearest);
    return nearest.least;
}

// Inside of the mesh, and would it be outside, or less so, without this component?
static bool is_inside(const Component *component, imp_Vec3 point)
{
    impi_Winding all = impi_point_locator_wind(component->locator, point, IMPI_NO_COMPONENT);
    if (all.on_surface || all.number == 0)
        return false;
    return impi_point_locator_wind(component->locator, point, component->number).number != all.number;
}

// False where none is found.
static bool find_point(const Component *component, imp_InteriorPoint *point)
{
    uint32_t faces[FACES_TRIED];
    size_t face_count = choose_faces(component, faces);
    double longest = 0;
    for (size_t i = 0; i < face_count; ++i) {
        imp_Triangle triangle = impi_mesh_triangle(component->mesh, faces[i]);
        for (int side = -1; side <= 1; side += 2) {
            Ray ray = {middle_of(&triangle), impi_scale(impi_unit(area_of(&triangle)), side)};
            double way = next_face_along(component, &ray, faces[i]);
            imp_Vec3 middle = impi_add_scaled(ray.origin, 0.5 * way, ray.direction);
            if (!(way > longest) || !isfinite(way) || !isfinite(impi_longest(middle)))
                continue;
            if (!is_inside(component, middle))
                continue;
            longest = way;
            point->position = middle;
        }
    }
    if (longest > 0)
        point->depth = depth_of(component, point->position);
    return longest > 0;
}

// Faces component by component. `ends[i]` is where those of component i end.
static bool sort_faces(imp_Context *context, const uint32_t *component_of_face, size_t face_count,
                       size_t component_count, uint32_t **faces, size_t **ends)
{
    *faces = impi_arena_allocate_array(&context->scratch, face_count, sizeof **faces);
    *ends = impi_arena_allocate_array(&context->scratch, component_count + 1, sizeof **ends);
    if (!*faces || !*ends)
        return false;
    for (size_t i = 0; i <= component_count; ++i)
        (*ends)[i] = 0;
    for (size_t i = 0; i < face_count; ++i)
        ++(*ends)[component_of_face[i] + 1];
    for (size_t i = 0; i < component_count; ++i)
        (*ends)[i + 1] += (*ends)[i];
    for (size_t i = 0; i < face_count; ++i) // moves each beginning to the end
        (*faces)[(*ends)[component_of_face[i]]++] = (uint32_t)i;
    return true;
}

// The points of all components into an array in scratch memory.
static imp_Status list_points(imp_Context *context, const imp_Mesh *mesh, imp_InteriorPoint **list,
                              size_t *count)
{
    impi_Corners corners;
    uint32_t *component_of_face = NULL, *faces = NULL;
    size_t component_count = 0, *ends = NULL;
    impi_PointLocator locator;
    imp_Status status = impi_corners_find(context, mesh, &corners);
    if (status == IMP_STATUS_OK)
        status = impi_components_find(context, &corners, &component_of_face, &component_count);
    if (status == IMP_STATUS_OK)
        status = impi_point_locator_build(context, mesh, component_of_face, &locator);
    if (status != IMP_STATUS_OK)
        return status;
    *list = impi_arena_allocate_array(&context->scratch, component_count, sizeof **list);
    if (!*list ||
        !sort_faces(context, component_of_face, mesh->arrays.triangle_count, component_count, &faces, &ends))
        return impi_fail_out_of_memory(context);
    *count = 0;
    for (size_t i = 0, begin = 0; i < component_count; begin = ends[i++]) {
        Component component = {&locator, mesh, (uint32_t)i, faces + begin, ends[i] - begin};
        *count += find_point(&component, *list + *count);
        if (!impi_watch_goes_on(&context->watch))
            return impi_watch_status(context);
    }
    return IMP_STATUS_OK;
}

imp_Status impi_mesh_interior_points(imp_Context *context, const imp_Mesh *mesh, imp_InteriorPoint *points,
                                     size_t capacity, size_t *count)
{
    bool closed = false;
    imp_InteriorPoint *list = NULL;
    size_t found = 0;
    imp_Status status = impi_mesh_is_closed(context, mesh, &closed);
    if (status == IMP_STATUS_OK && !closed)
        return impi_fail(context, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE, "the mesh is open: it has no inside");
    if (status == IMP_STATUS_OK)
        status = list_points(context, mesh, &list, &found);
    if (status != IMP_STATUS_OK)
        return status;
    *count = found;
    if (found > capacity)
        return impi_fail(context, IMP_STATUS_BUFFER_SHORT, IMP_NOWHERE,
                         "there are %zu interior points, and room for %zu", found, capacity);
    for (size_t i = 0; i < found; ++i)
        points[i] = list[i];
    return IMP_STATUS_OK;
}
