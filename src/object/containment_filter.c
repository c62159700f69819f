// Filter "containment": which bodies lie inside others? Asked only where surfaces do not touch: then a
// component of one body is wholly inside or wholly outside the other, and one vertex tells which. That vertex
// is located in the world coordinates of both, exactly. Nothing is inside of a solid without touching it, so
// solids are asked only whether they are inside of meshes.
#include "geom/pose.h"
#include "object/body_contains.h"
#include "object/filter.h"
#include "object/posed_surface.h"
#include "shape/mesh_topology.h"

// A vertex of each component, in the world.
typedef struct ComponentPoints {
    imp_Vec3 *points;
    size_t count;
} ComponentPoints;

// What was found out about a body in this run. A body may be in many pairs.
typedef struct impi_InsideFacts {
    bool has_points, knows_closed, is_closed;
    ComponentPoints components;
} impi_InsideFacts;

static imp_Status find_closed(imp_Context *context, const impi_Body *body, bool *closed)
{
    imp_Mesh shape;
    if (!body->is_deformed)
        return impi_mesh_is_closed(context, impi_body_surface(body), closed);
    imp_Status status = impi_deformed_shape(context, body, &shape);
    return status == IMP_STATUS_OK ? impi_mesh_is_closed(context, &shape, closed) : status;
}

static imp_Status find_component_points(imp_Context *context, const impi_Body *body, ComponentPoints *found)
{
    const impi_ComponentVertices *components;
    imp_Mesh shape = {.arrays = impi_body_surface(body)->arrays};
    imp_Status status = IMP_STATUS_OK;
    if (!body->is_deformed) {
        status = impi_mesh_component_vertices(context, impi_body_surface(body), &components);
    } else {
        status = impi_deformed_shape(context, body, &shape);
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
        any = box_contains(&outer->bounds, &components->points[i]) &&
              impi_body_contains(outer, components->points[i]);
    return any;
}

static bool is_box_inside(const imp_Box *inner, const imp_Box *outer)
{
    return box_contains(outer, &inner->min) && box_contains(outer, &inner->max);
}

static imp_Status learn_points(imp_Context *context, const impi_Body *body)
{
    impi_InsideFacts *facts = body->inside_facts;
    if (facts->has_points)
        return IMP_STATUS_OK;
    imp_Status status = find_component_points(context, body, &facts->components);
    facts->has_points = status == IMP_STATUS_OK;
    return status;
}

static imp_Status learn_closed(imp_Context *context, const impi_Body *body)
{
    impi_InsideFacts *facts = body->inside_facts;
    if (facts->knows_closed)
        return IMP_STATUS_OK;
    imp_Status status = find_closed(context, body, &facts->is_closed);
    facts->knows_closed = status == IMP_STATUS_OK;
    return status;
}

// Is a component of `inner` inside `outer`? `*open` tells when that can't be asked: there the bodies' boxes
// decide, the exact ones, since those of the bounds stage may be larger than need be.
static imp_Status test_inside(imp_Context *context, impi_Body *inner, impi_Body *outer, bool *inside,
                              bool *open)
{
    const ComponentPoints *components = &inner->inside_facts->components;
    imp_Status status = learn_points(context, inner);
    if (status != IMP_STATUS_OK || !contains_any(&outer->bounds, components))
        return status;
    status = learn_closed(context, outer);
    if (status == IMP_STATUS_OK)
        status = impi_surface_require(context, outer);
    if (status != IMP_STATUS_OK)
        return status;
    if (outer->inside_facts->is_closed) {
        *inside = is_any_inside(outer, components);
        return IMP_STATUS_OK;
    }
    status = impi_surface_require(context, inner);
    if (status == IMP_STATUS_OK)
        *open = is_box_inside(impi_surface_exact_bounds(inner), impi_surface_exact_bounds(outer));
    return status;
}

static imp_Status test_pair(imp_Context *context, impi_PairWork *pair)
{
    bool a_inside = false, b_inside = false;
    imp_Status status = IMP_STATUS_OK;
    if (pair->b->shape->kind == IMPI_SHAPE_MESH)
        status = test_inside(context, pair->a, pair->b, &a_inside, &pair->a_in_open_b);
    if (status == IMP_STATUS_OK && pair->a->shape->kind == IMPI_SHAPE_MESH)
        status = test_inside(context, pair->b, pair->a, &b_inside, &pair->b_in_open_a);
    if (status != IMP_STATUS_OK)
        return status;
    pair->relations |= (a_inside ? (unsigned)IMP_RELATION_A_INSIDE_B : 0) |
                       (b_inside ? (unsigned)IMP_RELATION_B_INSIDE_A : 0);
    pair->answered |= IMP_QUESTION_CONTAINMENT;
    return IMP_STATUS_OK;
}

// Facts of the two bodies of a pair, which stay until the run ends.
static bool have_facts(impi_Arena *arena, impi_PairWork *pair)
{
    impi_Body *const bodies[2] = {pair->a, pair->b};
    for (int i = 0; i < 2; ++i) {
        if (bodies[i]->inside_facts)
            continue;
        bodies[i]->inside_facts = impi_arena_allocate(arena, sizeof *bodies[i]->inside_facts);
        if (!bodies[i]->inside_facts)
            return false;
        *bodies[i]->inside_facts = (impi_InsideFacts){0};
    }
    return true;
}

static imp_Status run_pairs(impi_FilterRun *run)
{
    impi_Arena *arena = &run->context->scratch;
    impi_ArenaMark mark = impi_arena_mark(arena);
    imp_Status status = IMP_STATUS_OK;
    for (size_t i = 0; i < run->count && status == IMP_STATUS_OK && !impi_budget_is_over(run->budget); ++i)
        status = have_facts(arena, impi_run_pair(run, i)) ? test_pair(run->context, impi_run_pair(run, i))
                                                          : impi_fail_out_of_memory(run->context);
    for (size_t i = 0; i < run->count; ++i)
        impi_run_pair(run, i)->a->inside_facts = impi_run_pair(run, i)->b->inside_facts = NULL;
    impi_arena_rewind(arena, mark);
    return status;
}

const impi_Filter impi_containment_filter = {
    .name = "containment", .takes_containment = {IMPI_ANY_KIND, IMPI_ANY_KIND}, .run = run_pairs};
