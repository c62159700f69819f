// The medial axis by Voronoi diagrams: Hubbard, "Approximating polyhedra with spheres for time-critical
// collision detection" (1996), section 5.
//
// Of points on the surface, Voronoi vertices inside of the body lie near its medial axis; each is the center
// of an empty sphere through its forming points. Two rules add points and start again: a sphere that sticks
// out of the surface gets a point where it does, and so does the surface that lies between two neighbours
// (there a gap or a thin wall had too few points, and the diagram bridges it).
//
// Departs from the paper: it looks for surface in whole faces of Voronoi cells, here the edges between
// vertices that are kept are looked at. Open meshes have no inside, so none of their vertices are kept.
// Points of no kept vertex, which are all of an open mesh, are spheres of their own without size, linked to
// the spheres of their neighbours.
#include "shape/skeleton.h"

#include "shape/qhull.h"

#include <string.h>

#define MAX_ROUNDS 5

// In parts of the points' spacing: how far a sphere may stick out, and how near to the surface a way between
// neighbours may lead.
#define TOLERANCE     0.25
#define LEAST_PASSAGE 0x1p-10
#define MAX_STRIDES   64

// Points may become so many times as many.
#define MAX_GROWTH 3

// Corners of a cube far around the body: with these, sites are never in one plane, and no cell near the body
// is unbounded. No two are equally far away, so that they are not on one sphere.
#define FAR_COUNT 8
#define FAR_AWAY  8.0

typedef struct Finder {
    imp_Context *context;
    const impi_SurfaceField *field;
    impi_Skeleton *skeleton;
    double spacing;
    size_t first_count;       // of points, before any were added
    impi_Simplices simplices; // of all points and the far corners
    IMPI_ARRAY(double) sites;
    IMPI_ARRAY(uint32_t) sphere_of; // each simplex: its sphere, or NO_SPHERE
    IMPI_ARRAY(double) clearances;  // how far the centers of spheres are from the surface
    IMPI_ARRAY(impi_SurfacePoint) added;
} Finder;

#define NO_SPHERE UINT32_MAX

// ---- the diagram

static void put_far_corners(double *sites)
{
    for (int i = 0; i < FAR_COUNT; ++i) {
        double size = FAR_AWAY + i * 0.25;
        sites[3 * i] = i & 1 ? size : -size;
        sites[3 * i + 1] = i & 2 ? size : -size;
        sites[3 * i + 2] = i & 4 ? size : -size;
    }
}

static imp_Status find_diagram(Finder *finder)
{
    const impi_SurfacePoints *points = &finder->skeleton->points;
    imp_Context *context = finder->context;
    size_t count = points->count + FAR_COUNT;
    if (!impi_watch_goes_on(&context->watch))
        return impi_watch_status(context);
    if (!impi_array_reserve(&context->allocator, &finder->sites, sizeof *finder->sites.data, 3 * count))
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < points->count; ++i)
        memcpy(finder->sites.data + 3 * i, &points->data[i].position, 3 * sizeof *finder->sites.data);
    put_far_corners(finder->sites.data + 3 * points->count);
    return impi_qhull_delaunay(context, finder->sites.data, count, &finder->simplices);
}

// The sphere through the four sites. False when they are so nearly in one plane that it can't be told.
static bool find_sphere(const impi_SurfacePoints *points, const impi_Simplex *simplex,
                        impi_SkeletonSphere *sphere)
{
    imp_Vec3 origin = points->data[simplex->sites[0]].position, edges[3];
    double halves[3], least = INFINITY, most = 0;
    for (int i = 0; i < 3; ++i) {
        edges[i] = impi_subtract(points->data[simplex->sites[i + 1]].position, origin);
        halves[i] = impi_dot(edges[i], edges[i]) / 2;
    }
    imp_Vec3 bc = impi_cross(edges[1], edges[2]), ca = impi_cross(edges[2], edges[0]);
    imp_Vec3 ab = impi_cross(edges[0], edges[1]);
    imp_Vec3 sum = impi_scale(bc, halves[0]);
    sum = impi_add_scaled(impi_add_scaled(sum, halves[1], ca), halves[2], ab);
    sphere->center = impi_add_scaled(origin, 1 / impi_dot(edges[0], bc), sum);
    for (int i = 0; i < 4; ++i) {
        sphere->points[i] = simplex->sites[i];
        imp_Vec3 away = impi_subtract(points->data[simplex->sites[i]].position, sphere->center);
        double distance = sqrt(impi_dot(away, away));
        least = fmin(least, distance);
        most = fmax(most, distance);
    }
    sphere->radius = most;
    sphere->point_count = 4;
    return isfinite(most) && most - least <= 0x1p-20 * most;
}

// ---- inside

static bool is_inside(const Finder *finder, imp_Vec3 place)
{
    return impi_surface_field_is_inside(finder->field, impi_from_local(&finder->field->frame, place));
}

static bool is_among_points(const Finder *finder, const impi_Simplex *simplex)
{
    for (int i = 0; i < 4; ++i)
        if (simplex->sites[i] >= finder->skeleton->points.count)
            return false;
    return true;
}

static imp_Status keep_inside(Finder *finder)
{
    imp_Context *context = finder->context;
    impi_Skeleton *skeleton = finder->skeleton;
    size_t count = finder->simplices.count;
    skeleton->spheres.count = finder->clearances.count = 0;
    if (!impi_array_reserve(&context->allocator, &skeleton->spheres, sizeof *skeleton->spheres.data,
                            count + skeleton->points.count) ||
        !impi_array_reserve(&context->allocator, &finder->clearances, sizeof *finder->clearances.data,
                            count) ||
        !impi_array_reserve(&context->allocator, &finder->sphere_of, sizeof *finder->sphere_of.data, count))
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < count; ++i) {
        const impi_Simplex *simplex = &finder->simplices.data[i];
        impi_SkeletonSphere sphere;
        finder->sphere_of.data[i] = NO_SPHERE;
        if (skeleton->is_solid && is_among_points(finder, simplex) &&
            find_sphere(&skeleton->points, simplex, &sphere) && is_inside(finder, sphere.center)) {
            finder->sphere_of.data[i] = (uint32_t)skeleton->spheres.count;
            skeleton->spheres.data[skeleton->spheres.count++] = sphere;
        }
        if (i % 64 == 0 && !impi_watch_goes_on(&context->watch))
            return impi_watch_status(context);
    }
    return IMP_STATUS_OK;
}

// ---- more points

static imp_Status add_point(Finder *finder, const impi_SurfacePoint *point)
{
    if (!impi_array_reserve(&finder->context->allocator, &finder->added, sizeof *finder->added.data,
                            finder->added.count + 1))
        return impi_fail_out_of_memory(finder->context);
    finder->added.data[finder->added.count++] = *point;
    return IMP_STATUS_OK;
}

static imp_Status add_link(Finder *finder, uint32_t a, uint32_t b)
{
    impi_Skeleton *skeleton = finder->skeleton;
    if (!impi_array_reserve(&finder->context->allocator, &skeleton->links, sizeof *skeleton->links.data,
                            skeleton->links.count + 1))
        return impi_fail_out_of_memory(finder->context);
    skeleton->links.data[skeleton->links.count++] = (impi_SkeletonLink){a, b};
    return IMP_STATUS_OK;
}

static imp_Status measure_clearances(Finder *finder)
{
    imp_Context *context = finder->context;
    for (size_t i = 0; i < finder->skeleton->spheres.count; ++i) {
        double *clearance = &finder->clearances.data[finder->clearances.count++];
        (void)impi_surface_point_near(finder->field, finder->skeleton->spheres.data[i].center, clearance);
        if (i % 64 == 0 && !impi_watch_goes_on(&context->watch))
            return impi_watch_status(context);
    }
    return IMP_STATUS_OK;
}

static double excess(const Finder *finder, uint32_t sphere)
{
    return finder->skeleton->spheres.data[sphere].radius - finder->clearances.data[sphere];
}

// Does it stick out too far, and farther than its neighbours? They would ask for a point at the same place.
static bool needs_point(const Finder *finder, size_t simplex)
{
    uint32_t sphere = finder->sphere_of.data[simplex];
    double most = TOLERANCE * finder->spacing;
    if (sphere == NO_SPHERE || excess(finder, sphere) <= most)
        return false;
    for (int i = 0; i < 4; ++i) {
        uint32_t neighbour = finder->simplices.data[simplex].neighbours[i];
        uint32_t other = neighbour == IMPI_NO_SIMPLEX ? NO_SPHERE : finder->sphere_of.data[neighbour];
        double difference = other == NO_SPHERE ? -1 : excess(finder, other) - excess(finder, sphere);
        if (difference > 0 || (difference == 0 && other < sphere))
            return false;
    }
    return true;
}

static imp_Status check_spheres(Finder *finder)
{
    imp_Status status = measure_clearances(finder);
    for (size_t i = 0; i < finder->simplices.count && status == IMP_STATUS_OK; ++i) {
        double distance;
        if (!needs_point(finder, i))
            continue;
        imp_Vec3 center = finder->skeleton->spheres.data[finder->sphere_of.data[i]].center;
        impi_SurfacePoint nearest = impi_surface_point_near(finder->field, center, &distance);
        status = add_point(finder, &nearest);
    }
    return status;
}

// Does the way from one center to the other lead through the surface? It goes in strides as long as the
// surface is away. Where a center is next to the surface itself, nobody knows.
static bool is_way_blocked(const Finder *finder, uint32_t a, uint32_t b, impi_SurfacePoint *where)
{
    double least = LEAST_PASSAGE * finder->spacing;
    double clearance = finder->clearances.data[a], end_clearance = finder->clearances.data[b];
    imp_Vec3 begin = finder->skeleton->spheres.data[a].center;
    imp_Vec3 way = impi_subtract(finder->skeleton->spheres.data[b].center, begin);
    double length = impi_length(way), gone = 0;
    if (clearance <= least || end_clearance <= least)
        return false;
    for (int stride = 0; stride < MAX_STRIDES && gone + clearance + end_clearance < length; ++stride) {
        gone += clearance;
        *where =
            impi_surface_point_near(finder->field, impi_add_scaled(begin, gone / length, way), &clearance);
        if (clearance <= least)
            return true;
    }
    return false;
}

// Link the spheres of simplices that share a face, but for those with surface between them, which gets a
// point.
static imp_Status link_spheres(Finder *finder)
{
    imp_Context *context = finder->context;
    imp_Status status = IMP_STATUS_OK;
    finder->skeleton->links.count = 0;
    for (size_t i = 0; i < 4 * finder->simplices.count && status == IMP_STATUS_OK; ++i) {
        uint32_t other = finder->simplices.data[i / 4].neighbours[i % 4];
        if (other == IMPI_NO_SIMPLEX || other < i / 4)
            continue; // none, or seen from there
        uint32_t a = finder->sphere_of.data[i / 4], b = finder->sphere_of.data[other];
        impi_SurfacePoint where;
        if (a == NO_SPHERE || b == NO_SPHERE)
            continue;
        if (is_way_blocked(finder, a, b, &where))
            status = add_point(finder, &where);
        else
            status = add_link(finder, a, b);
        if (i % 64 == 0 && status == IMP_STATUS_OK && !impi_watch_goes_on(&context->watch))
            status = impi_watch_status(context);
    }
    return status;
}

// The points that were asked for, as far as there is room: evenly taken from all. Several spheres may ask for
// one place; qhull leaves sites out that coincide.
static imp_Status take_added(Finder *finder)
{
    impi_SurfacePoints *points = &finder->skeleton->points;
    size_t room = MAX_GROWTH * finder->first_count - points->count, asked = finder->added.count;
    size_t count = asked < room ? asked : room;
    if (!impi_array_reserve(&finder->context->allocator, points, sizeof *points->data, points->count + count))
        return impi_fail_out_of_memory(finder->context);
    for (size_t i = 0; i < count; ++i)
        points->data[points->count++] = finder->added.data[i * asked / count];
    finder->added.count = 0;
    return IMP_STATUS_OK;
}

// ---- points that form nothing yet

#define LEFT_OUT (NO_SPHERE - 1)

// A sphere for each point, and for those that form none a new one. What qhull left out has a point next to it
// that stands for it.
static void add_small_spheres(Finder *finder, uint32_t *sphere_of_point)
{
    impi_Skeleton *skeleton = finder->skeleton;
    size_t point_count = skeleton->points.count;
    for (size_t i = 0; i < point_count; ++i)
        sphere_of_point[i] = LEFT_OUT;
    for (size_t i = 0; i < 4 * finder->simplices.count; ++i)
        if (finder->simplices.data[i / 4].sites[i % 4] < point_count)
            sphere_of_point[finder->simplices.data[i / 4].sites[i % 4]] = NO_SPHERE;
    for (size_t i = 0; i < skeleton->spheres.count; ++i)
        for (uint32_t k = 0; k < skeleton->spheres.data[i].point_count; ++k)
            sphere_of_point[skeleton->spheres.data[i].points[k]] = (uint32_t)i;
    for (size_t i = 0; i < skeleton->points.count; ++i)
        if (sphere_of_point[i] == NO_SPHERE) {
            sphere_of_point[i] = (uint32_t)skeleton->spheres.count;
            skeleton->spheres.data[skeleton->spheres.count++] = (impi_SkeletonSphere){
                .center = skeleton->points.data[i].position, .points = {(uint32_t)i}, .point_count = 1};
        }
}

// Small spheres are linked along the edges of simplices.
static imp_Status link_small_spheres(Finder *finder, const uint32_t *sphere_of_point, size_t first_small)
{
    static const int edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    imp_Status status = IMP_STATUS_OK;
    size_t point_count = finder->skeleton->points.count;
    for (size_t i = 0; i < 6 * finder->simplices.count && status == IMP_STATUS_OK; ++i) {
        const impi_Simplex *simplex = &finder->simplices.data[i / 6];
        uint32_t p = simplex->sites[edges[i % 6][0]], q = simplex->sites[edges[i % 6][1]];
        if (p >= point_count || q >= point_count)
            continue;
        uint32_t a = sphere_of_point[p], b = sphere_of_point[q];
        if (a >= first_small || b >= first_small)
            status = add_link(finder, a, b);
    }
    return status;
}

static imp_Status complete_skeleton(Finder *finder)
{
    impi_Arena *arena = &finder->context->scratch;
    size_t first_small = finder->skeleton->spheres.count, point_count = finder->skeleton->points.count;
    impi_ArenaMark mark = impi_arena_mark(arena);
    uint32_t *sphere_of_point = impi_arena_allocate_array(arena, point_count, sizeof *sphere_of_point);
    if (!sphere_of_point)
        return impi_fail_out_of_memory(finder->context);
    add_small_spheres(finder, sphere_of_point);
    imp_Status status = link_small_spheres(finder, sphere_of_point, first_small);
    impi_arena_rewind(arena, mark);
    return status;
}

// A closed mesh may be turned inside out: then its volume is negative.
static void turn_outward(const Finder *finder)
{
    impi_SurfacePoints *points = &finder->skeleton->points;
    double volume = 0;
    for (size_t i = 0; i < finder->first_count; ++i)
        volume += impi_dot(points->data[i].position, points->data[i].normal);
    for (size_t i = 0; i < points->count && volume < 0; ++i)
        points->data[i].normal = impi_scale(points->data[i].normal, -1);
}

// ---- all of it

static imp_Status find_round(Finder *finder)
{
    imp_Status status = find_diagram(finder);
    if (status == IMP_STATUS_OK)
        status = keep_inside(finder);
    if (status == IMP_STATUS_OK)
        status = check_spheres(finder);
    if (status == IMP_STATUS_OK)
        status = link_spheres(finder);
    return status;
}

// Points are added until nobody asks for more.
static imp_Status find_rounds(Finder *finder)
{
    imp_Status status = IMP_STATUS_OK;
    bool goes_on = true;
    impi_watch_work(&finder->context->watch, "finding the medial axis", MAX_ROUNDS);
    for (int round = 0; status == IMP_STATUS_OK && goes_on; ++round) {
        size_t count = finder->skeleton->points.count;
        status = find_round(finder);
        if (status == IMP_STATUS_OK && round + 1 < MAX_ROUNDS)
            status = take_added(finder);
        goes_on = finder->skeleton->points.count > count;
        impi_watch_step(&finder->context->watch, 1);
    }
    return status;
}

imp_Status impi_skeleton_find(imp_Context *context, const impi_SurfaceField *field, bool is_solid,
                              size_t point_count, impi_Skeleton *skeleton)
{
    Finder finder = {.context = context, .field = field, .skeleton = skeleton, .first_count = point_count};
    skeleton->is_solid = is_solid;
    imp_Status status =
        impi_surface_points_spread(context, field, point_count, &skeleton->points, &finder.spacing);
    if (status == IMP_STATUS_OK)
        status = find_rounds(&finder);
    if (status == IMP_STATUS_OK)
        status = complete_skeleton(&finder);
    if (status == IMP_STATUS_OK && is_solid)
        turn_outward(&finder);
    impi_array_free(&context->allocator, &finder.simplices, sizeof *finder.simplices.data);
    impi_array_free(&context->allocator, &finder.sites, sizeof *finder.sites.data);
    impi_array_free(&context->allocator, &finder.sphere_of, sizeof *finder.sphere_of.data);
    impi_array_free(&context->allocator, &finder.clearances, sizeof *finder.clearances.data);
    impi_array_free(&context->allocator, &finder.added, sizeof *finder.added.data);
    return status;
}

void impi_skeleton_free(const imp_Allocator *allocator, impi_Skeleton *skeleton)
{
    impi_array_free(allocator, &skeleton->points, sizeof *skeleton->points.data);
    impi_array_free(allocator, &skeleton->spheres, sizeof *skeleton->spheres.data);
    impi_array_free(allocator, &skeleton->links, sizeof *skeleton->links.data);
}
