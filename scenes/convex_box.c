#include "scenes/convex_box.h"

#include "scenes/path.h"
#include "scenes/shapes.h"

#include <math.h>
#include <stdlib.h>

double scene_convex_box_edge(SceneConvexKind kind, uint32_t body_count)
{
    static const double edges_for_100[SCENE_CONVEX_KIND_COUNT] = {
        [SCENE_ELLIPSOID] = 10, [SCENE_ROD] = 7, [SCENE_PLATE] = 10};
    return edges_for_100[kind] * cbrt(body_count / 100.0);
}

// Uniform over the ball, then scaled to its surface.
static imp_Vec3 random_direction(uint64_t *random)
{
    imp_Vec3 v;
    double squared;
    do {
        v = scene_random_vector(random, -1, 1);
        squared = v.x * v.x + v.y * v.y + v.z * v.z;
    } while (squared > 1 || squared < 0.01);
    double scale = 1 / sqrt(squared);
    return (imp_Vec3){scale * v.x, scale * v.y, scale * v.z};
}

static imp_Quat random_attitude(uint64_t *random)
{
    imp_Vec3 axis = random_direction(random);
    return scene_turn_around(axis, (int64_t)(scene_random_unit(random) * SCENE_STEPS_PER_TURN));
}

static imp_Status create_hull(imp_Context *context, SceneConvexKind kind, uint32_t count, uint64_t seed,
                              imp_Convex **convex)
{
    imp_Vec3 *points = malloc(count * sizeof *points);
    if (!points)
        return IMP_STATUS_OUT_OF_MEMORY;
    scene_convex_points(kind, count, seed, points);
    imp_Status status =
        imp_convex_create(context, &(imp_ConvexDef){.points = &points->x, .point_count = count}, convex);
    free(points);
    return status;
}

static imp_Status place_body(imp_Context *context, SceneConvexBox *box, uint32_t index, uint32_t per_edge)
{
    const SceneConvexBoxDef *def = &box->def;
    SceneConvexBody *body = &box->bodies[index];
    double cell = def->edge / per_edge;
    uint32_t column = index % per_edge, row = index / per_edge % per_edge,
             layer = index / (per_edge * per_edge);
    SceneConvexKind kind = def->is_mixed ? (SceneConvexKind)(index % SCENE_CONVEX_KIND_COUNT) : def->kind;
    imp_Vec3 direction = random_direction(&box->random);
    body->velocity = (imp_Vec3){def->speed * direction.x, def->speed * direction.y, def->speed * direction.z};
    body->axis = random_direction(&box->random);
    body->start = random_attitude(&box->random);
    body->turn = def->turn;
    box->poses[index].translation =
        (imp_Vec3){cell * (column + 0.5), cell * (row + 0.5), cell * (layer + 0.5)};
    return create_hull(context, kind, def->vertex_count, def->seed * 1000003 + index, &body->convex);
}

static imp_Box posed_bounds(const imp_Convex *convex, const imp_Transform *transform)
{
    const imp_Mesh *mesh = imp_convex_get_mesh(convex);
    const imp_Vec3 *vertices = imp_mesh_get_vertices(mesh);
    imp_Box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < imp_mesh_get_vertex_count(mesh); ++i) {
        imp_Vec3 v = imp_transform_apply(transform, vertices[i]);
        box.min = (imp_Vec3){fmin(box.min.x, v.x), fmin(box.min.y, v.y), fmin(box.min.z, v.z)};
        box.max = (imp_Vec3){fmax(box.max.x, v.x), fmax(box.max.y, v.y), fmax(box.max.z, v.z)};
    }
    return box;
}

static imp_Status find_pairs(imp_Context *context, SceneConvexBox *box)
{
    imp_BoxArray boxes = {.boxes = &box->boxes->min.x, .count = box->def.body_count};
    uint64_t count;
    imp_Status status = imp_pairs_find(context, &boxes, box->pairs, box->pair_capacity, &count);
    if (status == IMP_STATUS_OK)
        box->pair_count = count;
    return status;
}

// What follows from the poses.
static imp_Status take_stock(imp_Context *context, SceneConvexBox *box)
{
    for (uint32_t i = 0; i < box->def.body_count; ++i) {
        imp_Status status = imp_pose_transform(&box->poses[i], &box->transforms[i]);
        if (status != IMP_STATUS_OK)
            return status;
        box->boxes[i] = posed_bounds(box->bodies[i].convex, &box->transforms[i]);
    }
    return find_pairs(context, box);
}

imp_Status scene_convex_box_create(imp_Context *context, const SceneConvexBoxDef *def, SceneConvexBox **made)
{
    imp_Status status = IMP_STATUS_OUT_OF_MEMORY;
    size_t count = def->body_count;
    SceneConvexBox *box = calloc(1, sizeof *box);
    if (!box)
        return status;
    box->def = *def;
    box->random = def->seed;
    box->pair_capacity = count * (count - 1) / 2;
    box->bodies = calloc(count, sizeof *box->bodies);
    box->poses = calloc(count, sizeof *box->poses);
    box->transforms = calloc(count, sizeof *box->transforms);
    box->boxes = calloc(count, sizeof *box->boxes);
    box->pairs = calloc(box->pair_capacity, sizeof *box->pairs);
    if (!box->bodies || !box->poses || !box->transforms || !box->boxes || !box->pairs)
        goto cleanup;
    uint32_t per_edge = (uint32_t)ceil(cbrt((double)count));
    status = IMP_STATUS_OK;
    for (uint32_t i = 0; i < count && status == IMP_STATUS_OK; ++i) {
        status = place_body(context, box, i, per_edge);
        box->poses[i].rotation = box->bodies[i].start;
    }
    if (status == IMP_STATUS_OK)
        status = take_stock(context, box);
cleanup:
    if (status == IMP_STATUS_OK)
        *made = box;
    else
        scene_convex_box_destroy(box);
    return status;
}

void scene_convex_box_destroy(SceneConvexBox *box)
{
    if (!box)
        return;
    for (uint32_t i = 0; box->bodies && i < box->def.body_count; ++i)
        imp_convex_release(box->bodies[i].convex);
    free(box->bodies);
    free(box->poses);
    free(box->transforms);
    free(box->boxes);
    free(box->pairs);
    free(box);
}

static void move_along(double *position, double *velocity, double edge)
{
    *position += *velocity;
    if (*position < 0 || *position > edge) {
        *position = *position < 0 ? -*position : 2 * edge - *position;
        *velocity = -*velocity;
    }
}

static void reverse(SceneConvexBody *body)
{
    body->velocity = (imp_Vec3){-body->velocity.x, -body->velocity.y, -body->velocity.z};
    body->turn = -body->turn;
}

imp_Status scene_convex_box_step(imp_Context *context, SceneConvexBox *box, const bool *is_colliding)
{
    double edge = box->def.edge;
    for (uint32_t i = 0; i < box->def.body_count; ++i) {
        SceneConvexBody *body = &box->bodies[i];
        imp_Vec3 *position = &box->poses[i].translation;
        if (is_colliding[i])
            reverse(body);
        body->angle += body->turn;
        move_along(&position->x, &body->velocity.x, edge);
        move_along(&position->y, &body->velocity.y, edge);
        move_along(&position->z, &body->velocity.z, edge);
        box->poses[i].rotation = scene_turn_after(scene_turn_around(body->axis, body->angle), body->start);
    }
    return take_stock(context, box);
}

imp_Status scene_convex_box_shuffle(imp_Context *context, SceneConvexBox *box)
{
    for (uint32_t i = 0; i < box->def.body_count; ++i) {
        box->poses[i].translation = scene_random_vector(&box->random, 0, box->def.edge);
        box->poses[i].rotation = random_attitude(&box->random);
    }
    return take_stock(context, box);
}
