// Which bodies lie inside others? Asked only where surfaces do not touch: then a component of one body is
// wholly inside or wholly outside the other, and one vertex tells which. That vertex is located in the
// world coordinates of both, exactly. Nothing is inside of a solid without touching it, so solids are asked
// only whether they are inside of meshes.
#include "geom/pose.h"
#include "shape/mesh_topology.h"
#include "shape/point_location.h"
#include "world/detection.h"
#include "world/surfaces.h"

#include <math.h>
#include <string.h>

typedef struct RayQuery {
    impi_Body *body;
    imp_Vec3 point;
    int64_t winding;
    bool on_surface;
} RayQuery;

static bool add_block_crossings(uint32_t number, const imp_Box *box, void *argument)
{
    RayQuery *query = argument;
    const impi_FaceBlock *block = &query->body->tree->blocks.blocks[number];
    (void)box;
    if (!impi_block_is_posed(query->body, number))
        impi_block_pose(query->body, number);
    for (unsigned i = 0; i < block->face_count; ++i) {
        imp_Triangle triangle = impi_surface_triangle(&query->body->surface, impi_block_face(number, i));
        query->winding += impi_triangle_crossing(&triangle, &query->point, &query->on_surface);
    }
    return true;
}

static bool is_inside(impi_Body *body, imp_Vec3 point)
{
    RayQuery query = {.body = body, .point = point};
    imp_Box ray = {point, {point.x, point.y, INFINITY}};
    impi_block_tree_visit(&body->surface.tree, &ray, add_block_crossings, &query);
    return query.winding != 0;
}

// A deformed body is looked at anew: vertices that were equal in its mesh may have parted, or met. Its
// vertices are put back into the mesh's order, in the scratch arena.
static imp_Status deformed_shape(imp_Context *context, const impi_Body *body, imp_Mesh *shape)
{
    const impi_FaceBlocks *blocks = &body->tree->blocks;
    size_t count = body->mesh->arrays.vertex_count;
    imp_Vec3 *vertices = impi_arena_allocate_array(&context->scratch, count, sizeof *vertices);
    if (!vertices)
        return impi_fail_out_of_memory(context);
    memcpy(vertices, body->mesh->arrays.vertices, count * sizeof *vertices);
    for (size_t i = 0; i < blocks->vertex_count; ++i)
        vertices[blocks->vertices[i]] = body->deformed.vertices[i];
    *shape = (imp_Mesh){.arrays = body->mesh->arrays};
    shape->shape.allocator = body->mesh->shape.allocator;
    shape->arrays.vertices = vertices;
    return IMP_STATUS_OK;
}

// A vertex of each component, in the world.
typedef struct ComponentPoints {
    imp_Vec3 *points;
    size_t count;
} ComponentPoints;

// What was found out about a body in this detect. A body may be in many pairs.
typedef struct BodyFacts {
    bool has_points, knows_closed, closed;
    ComponentPoints components;
} BodyFacts;

static imp_Status find_closed(imp_Context *context, const impi_Body *body, bool *closed)
{
    imp_Mesh shape;
    if (!body->is_deformed)
        return impi_mesh_is_closed(context, body->mesh, closed);
    imp_Status status = deformed_shape(context, body, &shape);
    return status == IMP_STATUS_OK ? impi_mesh_is_closed(context, &shape, closed) : status;
}

static imp_Status find_component_points(imp_Context *context, const impi_Body *body, ComponentPoints *found)
{
    const impi_ComponentVertices *components;
    imp_Mesh shape = {.arrays = body->mesh->arrays};
    imp_Status status = IMP_STATUS_OK;
    if (!body->is_deformed) {
        status = impi_mesh_component_vertices(context, body->mesh, &components);
    } else {
        status = deformed_shape(context, body, &shape);
        if (status == IMP_STATUS_OK)
            status = impi_component_vertices_find(context, &shape, &components);
    }
    if (status != IMP_STATUS_OK)
        return status;
    found->count = components->count;
    found->points = impi_arena_allocate_array(&context->scratch, components->count, sizeof *found->points);
    if (!found->points)
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < components->count; ++i)
        found->points[i] =
            impi_transform_apply(&body->transform, shape.arrays.vertices[components->vertices[i]]);
    return IMP_STATUS_OK;
}

static bool box_contains(const imp_Box *box, const imp_Vec3 *point)
{
    return box->min.x <= point->x && point->x <= box->max.x && box->min.y <= point->y &&
           point->y <= box->max.y && box->min.z <= point->z && point->z <= box->max.z;
}

static bool contains_any(const imp_Box *box, const ComponentPoints *components)
{
    bool any = false;
    for (size_t i = 0; i < components->count && !any; ++i)
        any = box_contains(box, &components->points[i]);
    return any;
}

static bool is_any_inside(impi_Body *outer, const ComponentPoints *components)
{
    bool any = false;
    for (size_t i = 0; i < components->count && !any; ++i)
        any = box_contains(&outer->surface.bounds, &components->points[i]) &&
              is_inside(outer, components->points[i]);
    return any;
}

static bool is_box_inside(const imp_Box *inner, const imp_Box *outer)
{
    return box_contains(outer, &inner->min) && box_contains(outer, &inner->max);
}

typedef struct Subject {
    impi_Body *body;
    BodyFacts *facts;
} Subject;

static imp_Status learn_points(imp_Context *context, Subject subject)
{
    if (subject.facts->has_points)
        return IMP_STATUS_OK;
    imp_Status status = find_component_points(context, subject.body, &subject.facts->components);
    subject.facts->has_points = status == IMP_STATUS_OK;
    return status;
}

static imp_Status learn_closed(imp_Context *context, Subject subject)
{
    if (subject.facts->knows_closed)
        return IMP_STATUS_OK;
    imp_Status status = find_closed(context, subject.body, &subject.facts->closed);
    subject.facts->knows_closed = status == IMP_STATUS_OK;
    return status;
}

// Is a component of `inner` inside `outer`? `*open` tells when that can't be asked: there the bodies' boxes
// decide, the exact ones, since those of the surfaces may be larger than need be.
static imp_Status test_inside(imp_Context *context, Subject inner, Subject outer, bool *inside, bool *open)
{
    const ComponentPoints *components = &inner.facts->components;
    imp_Status status = learn_points(context, inner);
    if (status != IMP_STATUS_OK || !contains_any(&outer.body->surface.bounds, components))
        return status;
    status = learn_closed(context, outer);
    if (status != IMP_STATUS_OK)
        return status;
    if (outer.facts->closed) {
        *inside = is_any_inside(outer.body, components);
    } else {
        imp_Box inner_bounds = impi_body_exact_bounds(inner.body),
                outer_bounds = impi_body_exact_bounds(outer.body);
        *open = is_box_inside(&inner_bounds, &outer_bounds);
    }
    return IMP_STATUS_OK;
}

static imp_Status test_pair(imp_World *world, BodyFacts *facts, impi_PairWork *pair)
{
    Subject a = {&world->bodies.data[pair->slot_a - 1], &facts[pair->slot_a - 1]};
    Subject b = {&world->bodies.data[pair->slot_b - 1], &facts[pair->slot_b - 1]};
    bool a_inside = false, b_inside = false;
    imp_Status status = IMP_STATUS_OK;
    if (!impi_body_is_solid(b.body))
        status = test_inside(world->context, a, b, &a_inside, &pair->a_in_open_b);
    if (status == IMP_STATUS_OK && !impi_body_is_solid(a.body))
        status = test_inside(world->context, b, a, &b_inside, &pair->b_in_open_a);
    pair->relations |= (a_inside ? (unsigned)IMP_RELATION_A_INSIDE_B : 0) |
                       (b_inside ? (unsigned)IMP_RELATION_B_INSIDE_A : 0);
    return status;
}

imp_Status impi_detect_containment(imp_World *world, const imp_DetectDef *def, size_t begin, size_t end)
{
    impi_Arena *arena = &world->context->scratch;
    imp_Status status = IMP_STATUS_OK;
    if (def->ignore_containment || begin == end)
        return IMP_STATUS_OK;
    impi_ArenaMark mark = impi_arena_mark(arena);
    BodyFacts *facts = impi_arena_allocate_array(arena, world->bodies.count, sizeof *facts);
    if (!facts)
        return impi_fail_out_of_memory(world->context);
    memset(facts, 0, world->bodies.count * sizeof *facts);
    for (size_t i = begin; i < end && status == IMP_STATUS_OK; ++i) {
        impi_PairWork *pair = &world->detection->pairs.data[i];
        if (!(pair->relations & IMP_RELATION_TOUCH))
            status = test_pair(world, facts, pair);
    }
    impi_arena_rewind(arena, mark);
    return status;
}
