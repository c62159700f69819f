#include "shape/sphere_lanes.h"

#include "base/memory.h"
#include "shape/mesh_derived.h"

#include <float.h>

// A length in single precision, not less.
static float round_up(double length)
{
    float rounded = (float)length;
    return (double)rounded < length ? nextafterf(rounded, INFINITY) : rounded;
}

static void store_point(const impi_LocalFrame *frame, const imp_Vec3 *point, float to[3])
{
    imp_Vec3 local = impi_to_local(frame, *point);
    to[0] = (float)local.x;
    to[1] = (float)local.y;
    to[2] = (float)local.z;
}

// A radius or protrusion in the local frame, with room for what rounding does to the center.
static float widen(const impi_LocalFrame *frame, const imp_Vec3 *center, double length)
{
    imp_Vec3 local = impi_to_local(frame, *center);
    double room = IMPI_SPHERE_LANE_ERROR * (fabs(local.x) + fabs(local.y) + fabs(local.z));
    // What scaling rounds is less than the least float.
    return round_up(scalbn(length, frame->exponent) + room + (frame->is_point ? 0 : (double)FLT_MIN));
}

static float round_down(double length)
{
    return -round_up(-length);
}

// The same of what has to be less. None where nothing is left.
static float narrow(const impi_LocalFrame *frame, const imp_Vec3 *center, double depth)
{
    imp_Vec3 local = impi_to_local(frame, *center);
    double room = IMPI_SPHERE_LANE_ERROR * (fabs(local.x) + fabs(local.y) + fabs(local.z));
    float left = round_down(scalbn(depth, frame->exponent) - room - (double)FLT_MIN);
    return depth > 0 && left > 0 ? left : -INFINITY;
}

static void fill_node(const impi_SphereLanes *lanes, const impi_SphereLanesDef *def, size_t i)
{
    const imp_Sphere *sphere = &def->spheres[i];
    impi_SphereNode *node = &lanes->nodes[i];
    store_point(&lanes->frame, &sphere->center, node->center);
    store_point(&lanes->frame, &sphere->point, node->point);
    node->radius = widen(&lanes->frame, &sphere->center, sphere->radius);
    node->protrusion = widen(&lanes->frame, &sphere->center,
                             def->is_solid ? sphere->protrusion : sphere->surface_protrusion);
    node->depth = def->depths ? narrow(&lanes->frame, &sphere->center, def->depths[i]) : -INFINITY;
    node->first_child = sphere->first_child;
    node->child_count = sphere->child_count;
}

// ---- points

// Sums of places, to find their middle.
typedef struct Places {
    double sum[3];
    size_t count;
} Places;

static void add_place(Places *places, const imp_Vec3 *place)
{
    places->sum[0] += place->x;
    places->sum[1] += place->y;
    places->sum[2] += place->z;
    ++places->count;
}

static double square_from_middle(const Places *places, const imp_Vec3 *place)
{
    double count = (double)places->count;
    imp_Vec3 middle = {places->sum[0] / count, places->sum[1] / count, places->sum[2] / count};
    imp_Vec3 along = impi_subtract(*place, middle);
    return impi_dot(along, along);
}

// The middle of a face, in the local frame.
static imp_Vec3 middle_of_face(const impi_SphereLanesDef *def, const impi_LocalFrame *frame, uint32_t face)
{
    imp_Triangle triangle = impi_mesh_triangle(def->mesh, face);
    imp_Vec3 a = impi_to_local(frame, triangle.v[0]), b = impi_to_local(frame, triangle.v[1]),
             c = impi_to_local(frame, triangle.v[2]);
    return (imp_Vec3){((a.x + b.x) + c.x) / 3, ((a.y + b.y) + c.y) / 3, ((a.z + b.z) + c.z) / 3};
}

static void set_point(impi_SphereNode *node, const imp_Vec3 *point)
{
    node->point[0] = (float)point->x;
    node->point[1] = (float)point->y;
    node->point[2] = (float)point->z;
}

// In the middle of what a leaf has of the surface: the middle of the face that is nearest to the middle of
// all. A sphere deep inside may have its own nearest point far from there. Leaves of insides have no faces.
static void place_leaf_point(const impi_SphereLanes *lanes, const impi_SphereLanesDef *def, size_t leaf)
{
    const size_t *first = lanes->first + (leaf - lanes->first_leaf);
    Places places = {0};
    double best = INFINITY;
    for (size_t i = first[0]; i < first[1]; ++i) {
        imp_Vec3 middle = middle_of_face(def, &lanes->frame, def->faces->faces[i]);
        add_place(&places, &middle);
    }
    for (size_t i = first[0]; i < first[1]; ++i) {
        imp_Vec3 middle = middle_of_face(def, &lanes->frame, def->faces->faces[i]);
        double square = square_from_middle(&places, &middle);
        if (square < best)
            set_point(&lanes->nodes[leaf], &middle);
        best = fmin(best, square);
    }
}

// Make a reach from a point hold the corners of a face.
static void stretch(const impi_SphereLanes *lanes, const impi_SphereLanesDef *def, uint32_t face,
                    const imp_Vec3 *point, float *reach)
{
    imp_Triangle triangle = impi_mesh_triangle(def->mesh, face);
    double room = IMPI_SPHERE_LANE_ERROR * (fabs(point->x) + fabs(point->y) + fabs(point->z));
    for (int i = 0; i < 3; ++i) {
        imp_Vec3 along = impi_subtract(impi_to_local(&lanes->frame, triangle.v[i]), *point);
        float needed = round_up(sqrt(impi_dot(along, along)) * (1 + IMPI_SPHERE_LANE_ERROR) + room);
        if (needed > *reach)
            *reach = needed;
    }
}

static imp_Vec3 point_of(const impi_SphereNode *node)
{
    return (imp_Vec3){(double)node->point[0], (double)node->point[1], (double)node->point[2]};
}

// Of a sphere with children: the point of a child that is nearest to the middle of these.
static void place_inner_point(const impi_SphereLanes *lanes, impi_SphereNode *node)
{
    const impi_SphereNode *children = lanes->nodes + node->first_child;
    Places places = {0};
    double best = INFINITY;
    for (uint32_t i = 0; i < node->child_count; ++i) {
        imp_Vec3 point = point_of(&children[i]);
        add_place(&places, &point);
    }
    for (uint32_t i = 0; i < node->child_count; ++i) {
        imp_Vec3 point = point_of(&children[i]);
        double square = square_from_middle(&places, &point);
        if (square < best)
            set_point(node, &point);
        best = fmin(best, square);
    }
}

// The ball around a face has its center in the middle of the box, which is near enough to the best one.
static impi_FaceBall ball_of_face(const impi_SphereLanes *lanes, const impi_SphereLanesDef *def,
                                  uint32_t face)
{
    imp_Triangle triangle = impi_mesh_triangle(def->mesh, face);
    imp_Vec3 a = impi_to_local(&lanes->frame, triangle.v[0]), b = impi_to_local(&lanes->frame, triangle.v[1]),
             c = impi_to_local(&lanes->frame, triangle.v[2]);
    impi_FaceBall ball = {.center = {(float)((fmin(fmin(a.x, b.x), c.x) + fmax(fmax(a.x, b.x), c.x)) / 2),
                                     (float)((fmin(fmin(a.y, b.y), c.y) + fmax(fmax(a.y, b.y), c.y)) / 2),
                                     (float)((fmin(fmin(a.z, b.z), c.z) + fmax(fmax(a.z, b.z), c.z)) / 2)}};
    imp_Vec3 center = {(double)ball.center[0], (double)ball.center[1], (double)ball.center[2]};
    stretch(lanes, def, face, &center, &ball.radius);
    return ball;
}

// A sphere without faces, deep inside of a body, reaches nothing.
static void find_reaches(const impi_SphereLanes *lanes, const impi_SphereLanesDef *def, impi_Watch *watch)
{
    for (size_t i = 0; i < lanes->node_count; ++i)
        lanes->nodes[i].reach = -INFINITY;
    for (size_t leaf = lanes->first_leaf; leaf < lanes->node_count && impi_watch_step(watch, 1); ++leaf) {
        const size_t *first = lanes->first + (leaf - lanes->first_leaf);
        for (size_t k = first[0]; k < first[1]; ++k)
            lanes->balls[k] = ball_of_face(lanes, def, def->faces->faces[k]);
        for (uint32_t i = (uint32_t)leaf; i != IMP_NO_SPHERE; i = def->spheres[i].parent) {
            imp_Vec3 point = point_of(&lanes->nodes[i]);
            for (size_t k = first[0]; k < first[1]; ++k)
                stretch(lanes, def, def->faces->faces[k], &point, &lanes->nodes[i].reach);
        }
    }
}

static void place_points(const impi_SphereLanes *lanes, const impi_SphereLanesDef *def, impi_Watch *watch)
{
    for (size_t i = lanes->node_count; i-- > 0 && impi_watch_step(watch, 1);) // children come behind parents
        if (i >= lanes->first_leaf)
            place_leaf_point(lanes, def, i);
        else
            place_inner_point(lanes, &lanes->nodes[i]);
}

// ---- groups

static void fill_lane(impi_SphereGroup *group, unsigned lane, const impi_SphereNode *node)
{
    for (int axis = 0; axis < 3; ++axis) {
        group->center[axis][lane] = node ? node->center[axis] : 0;
        group->point[axis][lane] = node ? node->point[axis] : 0;
    }
    group->radius[lane] = node ? node->radius : 0;
    group->reach[lane] = node ? node->reach : 0;
    group->protrusion[lane] = node ? node->protrusion : 0;
    group->depth[lane] = node ? node->depth : -INFINITY;
}

static void fill_groups(impi_SphereLanes *lanes)
{
    size_t next = 1;
    for (unsigned lane = 0; lane < IMPI_SPHERE_LANES; ++lane)
        fill_lane(&lanes->groups[0], lane, lane == 0 ? &lanes->nodes[0] : NULL);
    for (size_t i = 0; i < lanes->node_count; ++i) {
        impi_SphereNode *node = &lanes->nodes[i];
        size_t room = IMPI_SPHERE_LANES * impi_sphere_group_count(node->child_count);
        node->first_group = (uint32_t)next;
        for (size_t child = 0; child < room; ++child)
            fill_lane(&lanes->groups[next + child / IMPI_SPHERE_LANES], child % IMPI_SPHERE_LANES,
                      child < node->child_count ? &lanes->nodes[node->first_child + child] : NULL);
        next += room / IMPI_SPHERE_LANES;
    }
}

static void measure_leaves(impi_SphereLanes *lanes)
{
    double sum = 0;
    for (size_t i = lanes->first_leaf; i < lanes->node_count; ++i)
        sum += (double)lanes->nodes[i].radius;
    lanes->mean_leaf_radius = (float)(sum / (double)(lanes->node_count - lanes->first_leaf));
}

// Where each face of the mesh stands in its blocks.
static imp_Status place_faces(imp_Context *context, const impi_SphereLanesDef *def, impi_SphereLanes *lanes)
{
    const impi_MeshBlocks *blocks;
    imp_Status status = impi_mesh_blocks(context, def->mesh, &blocks);
    if (status != IMP_STATUS_OK)
        return status;
    impi_BlockFace *places =
        impi_arena_allocate_array(&context->scratch, def->mesh->arrays.triangle_count, sizeof *places);
    if (!places)
        return impi_fail_out_of_memory(context);
    for (size_t block = 0; block < blocks->blocks.block_count; ++block)
        for (unsigned lane = 0; lane < blocks->blocks.blocks[block].face_count; ++lane)
            places[blocks->blocks.blocks[block].faces[lane]] = impi_block_face((uint32_t)block, lane);
    for (size_t i = 0; i < lanes->face_count; ++i)
        lanes->faces[i] = places[def->faces->faces[i]];
    return IMP_STATUS_OK;
}

imp_Status impi_sphere_lanes_make(imp_Context *context, const impi_SphereLanesDef *def,
                                  impi_SphereLanes *lanes)
{
    const imp_Allocator *allocator = &context->allocator;
    impi_SphereLanes made = {.frame = impi_local_frame_make(&def->mesh->shape.bounds),
                             .node_count = def->count,
                             .group_count = 1,
                             .first_leaf = def->first_leaf,
                             .first = def->faces->first,
                             .face_count = def->faces->face_count};
    for (size_t i = 0; i < def->count; ++i)
        made.group_count += impi_sphere_group_count(def->spheres[i].child_count);
    made.nodes = impi_allocate_array(allocator, made.node_count, sizeof *made.nodes);
    made.groups = impi_allocate_array(allocator, made.group_count, sizeof *made.groups);
    made.faces = impi_allocate_array(allocator, made.face_count, sizeof *made.faces);
    made.balls = impi_allocate_array(allocator, made.face_count, sizeof *made.balls);
    bool has_memory = made.nodes && made.groups && made.faces && made.balls;
    imp_Status status = has_memory ? place_faces(context, def, &made) : impi_fail_out_of_memory(context);
    if (status != IMP_STATUS_OK || !has_memory) {
        impi_sphere_lanes_free(allocator, &made);
        return status;
    }
    impi_watch_work(&context->watch, "arranging spheres", 2 * def->count);
    for (size_t i = 0; i < def->count; ++i)
        fill_node(&made, def, i);
    place_points(&made, def, &context->watch);
    find_reaches(&made, def, &context->watch);
    fill_groups(&made);
    measure_leaves(&made);
    status = impi_watch_status(context);
    if (status == IMP_STATUS_OK)
        *lanes = made;
    else
        impi_sphere_lanes_free(allocator, &made);
    return status;
}

void impi_sphere_lanes_free(const imp_Allocator *allocator, impi_SphereLanes *lanes)
{
    impi_release(allocator, lanes->nodes, lanes->node_count * sizeof *lanes->nodes);
    impi_release(allocator, lanes->groups, lanes->group_count * sizeof *lanes->groups);
    impi_release(allocator, lanes->faces, lanes->face_count * sizeof *lanes->faces);
    impi_release(allocator, lanes->balls, lanes->face_count * sizeof *lanes->balls);
    *lanes = (impi_SphereLanes){0};
}
