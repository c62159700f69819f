#include "object/body_path.h"

#include "geom/pose.h"
#include "geom/scalar.h"
#include "geom/vector.h"
#include "object/target.h"
#include "shape/bounds.h"

#include <float.h>

static const imp_Transform no_motion = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};

static size_t vertex_count(const impi_Body *body)
{
    return body->blocks->blocks.vertex_count;
}

static size_t group_count(const impi_Body *body)
{
    return impi_group_count(body->blocks->blocks.block_count);
}

// ---- boxes

#define GROUPS_AT_ONCE 8

static void join(imp_Box *box, const imp_Box *other)
{
    impi_box_add(box, &other->min);
    impi_box_add(box, &other->max);
}

static imp_Box bound_posed(const impi_Body *body, const imp_Transform *transform)
{
    impi_BoxLanes posed[GROUPS_AT_ONCE];
    const impi_BoxLanes *boxes = impi_body_boxes(body);
    size_t count = group_count(body);
    imp_Box all = {{0, 0, 0}, {0, 0, 0}};
    for (size_t i = 0; i < count; i += GROUPS_AT_ONCE) {
        size_t some = count - i < GROUPS_AT_ONCE ? count - i : GROUPS_AT_ONCE;
        impi_pose_boxes(boxes + i, transform, some, posed);
        imp_Box box = impi_bound_groups(posed, some);
        if (i == 0)
            all = box;
        join(&all, &box);
    }
    return all;
}

// A turn of this much or less is looked at in one piece.
#define PIECE_ANGLE 0.4
#define MAX_PIECES  16

static double along(const imp_Vec3 *v, int axis)
{
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

static void set_along(imp_Vec3 *v, int axis, double value)
{
    *(axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z) = value;
}

// All that a full turn sweeps: circles about the axis. Along each coordinate a circle's half width is its
// radius times the sine of the angle between the axis and the coordinate's.
static imp_Box bound_circles(const impi_BodyPath *path)
{
    imp_Box box;
    for (int k = 0; k < 3; ++k) {
        double u = along(&path->rigid.axis, k), square = 1 - u * u;
        double half = path->radius * sqrt(impi_larger(square, 0) + 0x1p-50);
        double low = impi_smaller(u * path->low, u * path->high);
        double high = impi_larger(u * path->low, u * path->high);
        double from = along(&path->rigid.pivot_from, k), way = along(&path->rigid.pivot_way, k);
        double size = (fabs(from) + fabs(way)) + (path->radius + impi_larger(fabs(low), fabs(high)));
        double slack = path->rounding + 0x1p-48 * size;
        set_along(&box.min, k, impi_smaller(from, from + way) + (low - half) - slack);
        set_along(&box.max, k, impi_larger(from, from + way) + (high + half) + slack);
    }
    return box;
}

// Between two times a vertex is off the straight way between where it is at both by r (1 - cos(a / 2)) at
// most, a being the angle of that piece, and 1 - cos x is at most x x / 2.
static imp_Box bound_arc(const impi_BodyPath *path, size_t pieces)
{
    double angle = 2 * path->rigid.half_angle / (double)pieces;
    double sagitta = path->radius * angle * angle / 8 * (1 + 0x1p-48);
    imp_Box box = path->start;
    for (size_t i = 1; i <= pieces; ++i) {
        impi_PathMoment moment = impi_body_path_moment(path, (double)i / (double)pieces);
        imp_Box posed = bound_posed(path->body, &moment.transform);
        join(&box, &posed);
    }
    // Posed boxes hold vertices as they are computed; those of the path, and of times between, are off twice.
    double size = impi_larger(impi_longest(box.min), impi_longest(box.max));
    return impi_box_widen(&box, (sagitta + 2 * path->rounding) + 0x1p-50 * size);
}

imp_Box impi_body_path_box(const impi_BodyPath *path)
{
    if (path->kind != IMPI_PATH_RIGID)
        return path->kind == IMPI_PATH_REST ? path->start : path->ends;
    double pieces = ceil(2 * path->rigid.half_angle / PIECE_ANGLE);
    if (pieces > MAX_PIECES)
        return bound_circles(path);
    return bound_arc(path, pieces < 1 ? 1 : (size_t)pieces);
}

// A cube around all turns, which goes with the pivot.
static imp_Box cube_around(const impi_BodyPath *path, imp_Vec3 pivot)
{
    double height = impi_larger(fabs(path->low), fabs(path->high));
    double reach = impi_length((imp_Vec3){path->radius, height, 0}) * (1 + 0x1p-48) + path->rounding +
                   0x1p-48 * impi_longest(pivot);
    return (imp_Box){{pivot.x - reach, pivot.y - reach, pivot.z - reach},
                     {pivot.x + reach, pivot.y + reach, pivot.z + reach}};
}

static double girth(const imp_Box *box)
{
    return ((box->max.x - box->min.x) + (box->max.y - box->min.y)) + (box->max.z - box->min.z);
}

void impi_body_path_bound_ends(const impi_BodyPath *path, imp_Box ends[2])
{
    ends[0] = ends[1] = impi_body_path_box(path);
    if (path->kind != IMPI_PATH_RIGID)
        return;
    imp_Vec3 from = path->rigid.pivot_from, way = path->rigid.pivot_way;
    imp_Box begin = cube_around(path, from),
            end = cube_around(path, (imp_Vec3){from.x + way.x, from.y + way.y, from.z + way.z});
    if (girth(&begin) < girth(&ends[0])) {
        ends[0] = begin;
        ends[1] = end;
    }
}

// ---- making paths

void impi_body_path_rest(const impi_Body *body, impi_BodyPath *path)
{
    *path =
        (impi_BodyPath){.body = body, .kind = IMPI_PATH_REST, .start = bound_posed(body, &body->transform)};
}

// What velocities are off by: sums and products are rounded a few times at the sizes of the pivot's way and
// of arms times the rate, and arms are off by the rounding of the vertex and of the pivot.
static void set_rigid_bounds(impi_BodyPath *path, double largest)
{
    const impi_RigidPath *rigid = &path->rigid;
    double rate = 2 * rigid->half_angle, arm = largest + impi_longest(rigid->pivot);
    path->drift = rigid->pivot_way;
    path->stray = rate * path->radius * (1 + 0x1p-50);
    path->bend = impi_rigid_path_bend(rigid, path->radius);
    path->rounding = impi_rigid_path_rounding(rigid, largest);
    path->speed_rounding =
        0x1p-46 * (impi_longest(rigid->pivot_way) + rate * arm) + 2 * rate * path->rounding + 0x1p-1060;
}

void impi_body_path_rigid(const impi_Body *body, const impi_RigidPath *rigid, impi_BodyPath *path)
{
    *path = (impi_BodyPath){
        .body = body, .kind = IMPI_PATH_RIGID, .rigid = *rigid, .start = bound_posed(body, &body->transform)};
    // The axis in the body's frame: radii are the same there. What does not turn has none, and may be
    // measured about any.
    static const imp_Vec3 any_axis = {1, 0, 0};
    const double(*rows)[3] = body->transform.rows;
    const imp_Vec3 *u = rigid->half_angle > 0 ? &rigid->axis : &any_axis;
    imp_Vec3 axis = {rows[0][0] * u->x + rows[1][0] * u->y + rows[2][0] * u->z,
                     rows[0][1] * u->x + rows[1][1] * u->y + rows[2][1] * u->z,
                     rows[0][2] * u->x + rows[1][2] * u->y + rows[2][2] * u->z};
    const imp_Vec3 *vertices = impi_body_vertices(body);
    double square = 0, low = INFINITY, high = -INFINITY;
    double scale = impi_unit_power(body->largest_coordinate + impi_longest(rigid->pivot));
    for (size_t i = 0; i < vertex_count(body); ++i) {
        imp_Vec3 arm = impi_scale(impi_subtract(vertices[i], rigid->pivot), scale);
        imp_Vec3 across = impi_cross(axis, arm);
        double height = impi_dot(axis, arm);
        square = impi_larger(impi_dot(across, across), square);
        low = impi_smaller(height, low);
        high = impi_larger(height, high);
    }
    double slack = 0x1p-44 * (body->largest_coordinate + impi_longest(rigid->pivot)) + 0x1p-1060;
    path->radius = sqrt(square) / scale + slack;
    path->low = low / scale - slack;
    path->high = high / scale + slack;
    set_rigid_bounds(path, body->largest_coordinate);
}

typedef struct VertexEnds {
    imp_Vec3 from, to;
} VertexEnds;

static const imp_Vec3 *end_vertices(const impi_BodyPath *path)
{
    return path->end_vertices ? path->end_vertices : impi_body_vertices(path->body);
}

static VertexEnds pose_ends(const impi_BodyPath *path, size_t vertex)
{
    return (VertexEnds){impi_pose_vertex(&path->body->transform, &impi_body_vertices(path->body)[vertex]),
                        impi_pose_vertex(&path->end, &end_vertices(path)[vertex])};
}

void impi_body_path_straight(const impi_Body *body, const imp_Transform *end, const imp_Vec3 *vertices,
                             impi_BodyPath *path)
{
    *path = (impi_BodyPath){.body = body, .kind = IMPI_PATH_STRAIGHT, .end = *end, .end_vertices = vertices};
    VertexEnds first = pose_ends(path, 0);
    imp_Vec3 way = impi_subtract(first.to, first.from);
    imp_Box ways = {way, way}, start = {first.from, first.from}, ends = start;
    for (size_t i = 0; i < vertex_count(body); ++i) {
        VertexEnds vertex = pose_ends(path, i);
        way = impi_subtract(vertex.to, vertex.from);
        impi_box_add(&ways, &way);
        impi_box_add(&start, &vertex.from);
        impi_box_add(&ends, &vertex.to);
    }
    join(&ends, &start);
    path->drift = impi_add_scaled(impi_scale(ways.min, 0.5), 0.5, ways.max);
    double stray = 0, size = impi_larger(impi_longest(ends.min), impi_longest(ends.max));
    if (!impi_is_equal(&ways.min, &ways.max))
        for (size_t i = 0; i < vertex_count(body); ++i) {
            VertexEnds vertex = pose_ends(path, i);
            way = impi_subtract(impi_subtract(vertex.to, vertex.from), path->drift);
            stray = impi_larger(impi_length(way), stray);
        }
    // Ways are rounded at the size of coordinates. A vertex at a time is rounded three times more; whoever
    // keeps it in the body's frame, and poses it again, is off by some 130 roundings at the size of what is
    // posed.
    double posed = body->largest_coordinate + impi_longest(body->transform.translation);
    path->stray = stray + 0x1p-50 * size;
    path->speed_rounding = 0x1p-50 * size;
    path->rounding = 0x1p-45 * (size + posed) + 0x1p-1060;
    path->start = start;
    path->ends = impi_box_widen(&ends, 2 * path->rounding);
}

// ---- along the path

static imp_Vec3 vertex_at(const VertexEnds *vertex, double time)
{
    if (time == 1)
        return vertex->to;
    return impi_add_scaled(vertex->from, time, impi_subtract(vertex->to, vertex->from));
}

size_t impi_body_path_memory(const impi_BodyPath *path)
{
    return path->kind == IMPI_PATH_STRAIGHT
               ? vertex_count(path->body) * sizeof(imp_Vec3) +
                     group_count(path->body) * sizeof(impi_BoxLanes) + 2 * IMPI_ALIGNMENT
               : 0;
}

bool impi_body_path_begin(const impi_BodyPath *path, impi_Arena *arena, impi_Body *moved)
{
    *moved = *path->body;
    moved->posed = NULL;
    moved->inside_facts = NULL;
    moved->contact_side = NULL;
    moved->end = NULL;
    if (path->kind != IMPI_PATH_STRAIGHT)
        return true;
    moved->is_deformed = true;
    moved->transform = no_motion;
    moved->deformed.vertices =
        impi_arena_allocate_array(arena, vertex_count(moved), sizeof *moved->deformed.vertices);
    moved->deformed.boxes =
        impi_arena_allocate_array(arena, group_count(moved), sizeof *moved->deformed.boxes);
    moved->largest_coordinate = impi_larger(impi_longest(path->ends.min), impi_longest(path->ends.max));
    return moved->deformed.vertices && moved->deformed.boxes;
}

static void place_vertices(const impi_BodyPath *path, double time, impi_Deformation *to)
{
    const impi_FaceBlocks *blocks = &path->body->blocks->blocks;
    const imp_Box nothing = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    for (size_t i = 0; i < impi_group_count(blocks->block_count) * IMPI_GROUP_SIZE; ++i) {
        imp_Box box = nothing;
        if (i < blocks->block_count) {
            size_t first = blocks->blocks[i].first_vertex;
            for (size_t k = first; k < first + blocks->blocks[i].vertex_count; ++k) {
                VertexEnds vertex = pose_ends(path, k);
                to->vertices[k] = vertex_at(&vertex, time);
                if (k == first)
                    box = (imp_Box){to->vertices[k], to->vertices[k]};
                impi_box_add(&box, &to->vertices[k]);
            }
        }
        impi_box_lanes_store(&to->boxes[i / IMPI_GROUP_SIZE], i % IMPI_GROUP_SIZE, &box);
    }
}

void impi_body_path_place(const impi_BodyPath *path, double time, impi_Body *moved)
{
    if (path->kind == IMPI_PATH_STRAIGHT)
        place_vertices(path, time, &moved->deformed);
    if (path->kind == IMPI_PATH_RIGID)
        moved->transform = impi_body_path_moment(path, time).transform;
}

impi_PathMoment impi_body_path_moment(const impi_BodyPath *path, double time)
{
    impi_PathMoment moment = {.transform = path->body->transform, .time = time};
    if (path->kind == IMPI_PATH_RIGID) {
        imp_Pose pose = impi_rigid_path_pose(&path->rigid, time);
        imp_Status status = impi_pose_transform(&pose, &moment.transform);
        (void)status; // poses of a path are good
        moment.pivot = impi_rigid_path_pivot(&path->rigid, time);
    }
    return moment;
}

void impi_body_path_face(const impi_BodyPath *path, const impi_PathMoment *moment, uint32_t block_face,
                         impi_MovingPoint corners[3])
{
    const impi_FaceBlock *block = &path->body->blocks->blocks.blocks[block_face / IMPI_BLOCK_FACES];
    for (int i = 0; i < 3; ++i) {
        size_t vertex = block->first_vertex + block->corners[i][block_face % IMPI_BLOCK_FACES];
        VertexEnds ends;
        switch (path->kind) {
        case IMPI_PATH_STRAIGHT:
            ends = pose_ends(path, vertex);
            corners[i] =
                (impi_MovingPoint){vertex_at(&ends, moment->time), impi_subtract(ends.to, ends.from)};
            break;
        case IMPI_PATH_RIGID:
            corners[i].position =
                impi_pose_vertex(&moment->transform, &impi_body_vertices(path->body)[vertex]);
            corners[i].velocity = impi_rigid_path_velocity(&path->rigid, moment->pivot, corners[i].position);
            break;
        default:
            corners[i].position =
                impi_pose_vertex(&moment->transform, &impi_body_vertices(path->body)[vertex]);
            corners[i].velocity = (imp_Vec3){0, 0, 0};
            break;
        }
    }
}

void impi_body_path_to_target(const impi_Body *body, impi_BodyPath *path)
{
    const impi_Target *target = impi_body_target(body);
    impi_RigidPath rigid;
    if (!target)
        impi_body_path_rest(body, path);
    else if (impi_body_path(body) == IMP_PATH_RIGID &&
             impi_target_rigid_path(body, target, &rigid) == IMP_STATUS_OK)
        impi_body_path_rigid(body, &rigid, path);
    else
        impi_body_path_straight(body, &target->transform, target->deforms ? target->shape.vertices : NULL,
                                path);
}
