// Steps of sweep.h and world_sweep.h. Answers are compared with those of a context in which nothing fails,
// and of a fresh world.
#include "call.h"
#include "steps.h"
#include "world_lane.h"

#include <math.h>
#include <string.h>

#define MAX_QUERIES_SWEPT 12

// ---- lists of features

static imp_Vec3 choose_moving_point(Lane *lane)
{
    return choose_rarely(&lane->choices, 8) ? choose_wild_point(&lane->choices)
                                            : choose_point(&lane->choices, 1.5);
}

static bool are_same_times(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (!(a[i] == b[i] || (isnan(a[i]) && isnan(b[i]))))
            return false;
    return true;
}

static void note_times(Lane *lane, const double *times, const double *wanted, size_t count)
{
    CHECK(are_same_times(times, wanted, count));
    for (size_t i = 0; i < count; ++i) {
        lane_count(lane, OUTCOME_features_meet, !isnan(times[i]));
        lane_count(lane, OUTCOME_features_miss, isnan(times[i]));
    }
}

// Flaws of lists: 1 no context, 2 no list, 3 nowhere to write to, 4 a bad number. The null of an array is not
// one where the count is 0.
static Call make_list_call(Lane *lane, Home *home, size_t count, uint32_t flaw, uint32_t bad)
{
    Call call = call_make(lane, flaw == 1 ? NULL : home, "%zu features, flaw %u", count, flaw);
    if (flaw == 4)
        call_expect(&call, IMP_STATUS_BAD_NUMBER, bad);
    else if (flaw)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE);
    call_is_watched(&call);
    return call;
}

static void sweep_points(Lane *lane)
{
    imp_SweepQuery queries[MAX_QUERIES_SWEPT];
    double times[MAX_QUERIES_SWEPT], wanted[MAX_QUERIES_SWEPT];
    Home *home = lane_home(lane);
    size_t count = choose(&lane->choices, MAX_QUERIES_SWEPT + 1);
    for (size_t i = 0; i < count; ++i)
        for (int k = 0; k < 4; ++k) {
            queries[i].begin[k] = choose_moving_point(lane);
            queries[i].end[k] = choose_moving_point(lane);
        }
    uint32_t flaw = count ? lane_flaw(lane, 4) : 0, bad = choose(&lane->choices, (uint32_t)count);
    if (flaw == 4)
        queries[bad].end[2].y = choose_bad_number(&lane->choices);
    bool of_edges = choose(&lane->choices, 2);
    Call call = make_list_call(lane, home, count, flaw, bad);
    call_output(&call, times, sizeof times);
    imp_Context *context = flaw == 1 ? NULL : home->context;
    const imp_SweepQuery *list = flaw == 2 || !count ? NULL : queries;
    double *room = flaw == 3 ? NULL : times;
    if (of_edges)
        CALL(&call, imp_sweep_edges, (context, list, count, room));
    else
        CALL(&call, imp_sweep_vertex_faces, (context, list, count, room));
    if (!call_is_done(&call))
        return;
    CHECK_INT(of_edges ? imp_sweep_edges(lane->reference, queries, count, wanted)
                       : imp_sweep_vertex_faces(lane->reference, queries, count, wanted),
              IMP_STATUS_OK);
    note_times(lane, times, wanted, count);
}

static imp_MovingTriangle choose_moving_triangle(Lane *lane)
{
    imp_MovingTriangle triangle;
    for (int i = 0; i < 3; ++i) {
        triangle.begin.v[i] = choose_moving_point(lane);
        triangle.end.v[i] = choose_moving_point(lane);
    }
    return triangle;
}

static void sweep_triangles(Lane *lane)
{
    imp_MovingTriangle a[MAX_QUERIES_SWEPT], b[MAX_QUERIES_SWEPT];
    double times[MAX_QUERIES_SWEPT], wanted[MAX_QUERIES_SWEPT];
    Home *home = lane_home(lane);
    size_t count = choose(&lane->choices, MAX_QUERIES_SWEPT + 1);
    for (size_t i = 0; i < count; ++i) {
        a[i] = choose_moving_triangle(lane);
        b[i] = choose_moving_triangle(lane);
    }
    uint32_t flaw = count ? lane_flaw(lane, 4) : 0, bad = choose(&lane->choices, (uint32_t)count);
    if (flaw == 4)
        b[bad].begin.v[1].z = choose_bad_number(&lane->choices);
    Call call = make_list_call(lane, home, count, flaw, bad);
    call_output(&call, times, sizeof times);
    CALL(&call, imp_sweep_triangles,
         (flaw == 1 ? NULL : home->context, a, flaw == 2 ? NULL : b, count, flaw == 3 ? NULL : times));
    if (!call_is_done(&call))
        return;
    CHECK_INT(imp_sweep_triangles(lane->reference, a, b, count, wanted), IMP_STATUS_OK);
    note_times(lane, times, wanted, count);
}

void step_sweep(Lane *lane)
{
    if (choose(&lane->choices, 3))
        sweep_points(lane);
    else
        sweep_triangles(lane);
}

// ---- targets

static LaneTarget *target_of(LaneWorld *world, const ModelBody *body)
{
    return &world->targets[body->id.slot - 1];
}

void lane_world_forget_target(LaneWorld *world, uint32_t slot)
{
    LaneTarget *target = &world->targets[slot - 1];
    free(target->vertices);
    *target = (LaneTarget){.is_set = false};
}

static bool is_same_rotation(const imp_Pose *a, const imp_Pose *b)
{
    imp_Transform first, second;
    CHECK_INT(imp_pose_transform(a, &first), IMP_STATUS_OK);
    CHECK_INT(imp_pose_transform(b, &second), IMP_STATUS_OK);
    for (int i = 0; i < 9; ++i)
        if (first.rows[i / 3][i % 3] != second.rows[i / 3][i % 3])
            return false;
    return true;
}

static bool is_turning(LaneWorld *world, const ModelBody *body)
{
    const LaneTarget *target = target_of(world, body);
    return target->is_set &&
           (target->def.turns != 0 || !is_same_rotation(&body->def.pose, &target->def.pose));
}

static bool is_rigid(LaneWorld *world, const ModelBody *body)
{
    const LaneTarget *target = target_of(world, body);
    return is_turning(world, body) && target->def.path != IMP_PATH_STRAIGHT && !target->vertices;
}

// Flaws: 1 no world, 2 the pose, 3 the path, 4 reserved, 5 too few vertices, 6 a bad vertex, 7 the pivot, 8
// turns on a straight path, 9 vertices on a rigid one.
#define TARGET_FLAWS 9

static imp_Status spoil_target(Lane *lane, const ModelBody *body, uint32_t flaw, imp_TargetDef *def,
                               imp_Vec3 *vertices)
{
    const imp_Mesh *mesh = body->def.mesh;
    bool needs_vertices = flaw == 5 || flaw == 6 || flaw == 9;
    if (needs_vertices && mesh && !def->vertices) {
        def->vertices = &vertices->x;
        def->vertex_count = imp_mesh_get_vertex_count(mesh);
        def->turns = 0;
        def->path = IMP_PATH_AUTO;
    }
    if (needs_vertices && !mesh) {
        def->vertices = &vertices->x;
        def->vertex_count = 1;
        return IMP_STATUS_BAD_SHAPE;
    }
    switch (flaw) {
    case 2:
        def->pose = choose_bad_pose(&lane->choices);
        return IMP_STATUS_BAD_NUMBER;
    case 3:
        def->path = (imp_PathKind)(3 + choose(&lane->choices, 9));
        return IMP_STATUS_BAD_ARGUMENT;
    case 4:
        spoil_reserved(lane, def->reserved, sizeof def->reserved);
        return IMP_STATUS_BAD_ARGUMENT;
    case 5:
        --def->vertex_count;
        return IMP_STATUS_BAD_ARGUMENT;
    case 6:
        vertices[choose(&lane->choices, (uint32_t)def->vertex_count)].z = choose_bad_number(&lane->choices);
        return IMP_STATUS_BAD_NUMBER;
    case 7:
        def->pivot.y = choose_bad_number(&lane->choices);
        return IMP_STATUS_BAD_NUMBER;
    case 8:
        def->path = IMP_PATH_STRAIGHT;
        def->turns = 1;
        return IMP_STATUS_BAD_ARGUMENT;
    default:
        def->path = IMP_PATH_RIGID;
        return IMP_STATUS_BAD_ARGUMENT;
    }
}

static imp_TargetDef choose_target(Lane *lane, const ModelBody *body, imp_Vec3 *vertices)
{
    imp_TargetDef def = {.pose = choose_pose(&lane->choices, 1.5)};
    if (choose_rarely(&lane->choices, 2))
        def.pose.rotation = body->def.pose.rotation;
    else
        def.path = choose_rarely(&lane->choices, 12) ? IMP_PATH_AUTO : IMP_PATH_STRAIGHT;
    if (choose_rarely(&lane->choices, 20)) {
        def.path = IMP_PATH_RIGID;
        def.turns = (int32_t)choose(&lane->choices, 3);
        def.axis = (imp_Vec3){0.5, 0, 1};
    }
    if (body->def.mesh && def.path != IMP_PATH_RIGID && choose_rarely(&lane->choices, 3)) {
        def.vertices = &vertices->x;
        def.vertex_count = imp_mesh_get_vertex_count(body->def.mesh);
    }
    return def;
}

static imp_Vec3 *choose_end_vertices(Lane *lane, const ModelBody *body)
{
    const imp_Mesh *mesh = body->def.mesh ? body->def.mesh : imp_convex_get_mesh(body->def.convex);
    size_t count = imp_mesh_get_vertex_count(mesh);
    imp_Vec3 *vertices = malloc(count * sizeof *vertices);
    double wide = choose_between(&lane->choices, -1, 1.5), shift = choose_between(&lane->choices, -0.5, 0.5);
    for (size_t i = 0; i < count; ++i) {
        imp_Vec3 v = imp_mesh_get_vertices(mesh)[i];
        vertices[i] = (imp_Vec3){wide * v.x, v.y + shift, v.z};
    }
    return vertices;
}

void lane_world_set_target(Lane *lane, LaneWorld *world)
{
    imp_BodyId id;
    ModelBody *body = lane_world_choose(lane, world, &id);
    uint32_t flaw = lane_flaw(lane, body ? TARGET_FLAWS : 1);
    Call call =
        call_make(lane, flaw == 1 ? NULL : world->home, "body %u.%u, flaw %u", id.slot, id.generation, flaw);
    imp_Vec3 *vertices = body ? choose_end_vertices(lane, body) : NULL;
    imp_TargetDef def = body ? choose_target(lane, body, vertices) : (imp_TargetDef){0};
    bool takes_away = !flaw && choose_rarely(&lane->choices, 6);
    if (flaw == 1)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    else if (!body)
        call_expect(&call, IMP_STATUS_BAD_INDEX, id.slot);
    else if (flaw)
        call_expect(&call, spoil_target(lane, body, flaw, &def, vertices), ANY_INDEX);
    CALL(&call, imp_body_set_target, (flaw == 1 ? NULL : world->world, id, takes_away ? NULL : &def));
    if (call_is_done(&call) && body) {
        lane_world_forget_target(world, id.slot);
        if (!takes_away) {
            *target_of(world, body) =
                (LaneTarget){.is_set = true, .def = def, .vertices = def.vertices ? vertices : NULL};
            vertices = def.vertices ? NULL : vertices;
        }
    }
    free(vertices);
}

// ---- sweeps

static void set_targets(LaneWorld *world, imp_World *fresh)
{
    for (size_t i = 0; i < world->model.slot_count; ++i) {
        const ModelBody *body = &world->model.bodies[i];
        const LaneTarget *target = &world->targets[i];
        if (body->alive && target->is_set)
            CHECK_INT(imp_body_set_target(fresh, body->id, &target->def), IMP_STATUS_OK);
    }
}

static bool is_same_pair(const imp_SweptBodies *a, const imp_SweptBodies *b)
{
    return a->body_a.slot == b->body_a.slot && a->body_b.slot == b->body_b.slot && a->time == b->time &&
           a->is_certain == b->is_certain && a->touched_at_start == b->touched_at_start &&
           a->path == b->path && a->first_face_pair == b->first_face_pair &&
           a->face_pair_count == b->face_pair_count;
}

static bool is_same_faces(const imp_SweptFaces *a, const imp_SweptFaces *b)
{
    return a->body_a.slot == b->body_a.slot && a->body_b.slot == b->body_b.slot && a->face_a == b->face_a &&
           a->face_b == b->face_b && a->time == b->time && a->feature_a == b->feature_a &&
           a->feature_b == b->feature_b && a->corner_a == b->corner_a && a->corner_b == b->corner_b;
}

static void compare_sweeps(Lane *lane, const imp_SweepReport *report, const imp_SweepReport *wanted)
{
    CHECK_INT(report->pair_count, wanted->pair_count);
    CHECK_INT(report->face_pair_count, wanted->face_pair_count);
    CHECK_INT(report->candidate_body_pairs, wanted->candidate_body_pairs);
    CHECK_DOUBLE(report->first_time, wanted->first_time);
    for (size_t i = 0; i < report->pair_count && i < wanted->pair_count; ++i) {
        CHECK(is_same_pair(&report->pairs[i], &wanted->pairs[i]));
        lane_count(lane, OUTCOME_sweep_at_start, report->pairs[i].touched_at_start);
        lane_count(lane, OUTCOME_sweep_on_the_way, report->pairs[i].time > 0);
    }
    for (size_t i = 0; i < report->face_pair_count && i < wanted->face_pair_count; ++i)
        CHECK(is_same_faces(&report->face_pairs[i], &wanted->face_pairs[i]));
}

static void check_sweep(Lane *lane, LaneWorld *world, const imp_SweepDef *def, const imp_SweepReport *report)
{
    imp_World *fresh = lane_world_make_fresh(lane, world);
    imp_SweepDef plain = *def;
    const imp_SweepReport *wanted = NULL;
    plain.cancel = NULL;
    set_targets(world, fresh);
    if (CHECK_INT(imp_world_sweep(fresh, &plain, &wanted), IMP_STATUS_OK))
        compare_sweeps(lane, report, wanted);
    imp_world_destroy(fresh);
}

// Flaws: 1 no world, 2 nowhere to write to, 3 a length, 4 reserved.
void lane_world_sweep(Lane *lane, LaneWorld *world)
{
    const imp_SweepReport *report = NULL;
    uint32_t flaw = lane_flaw(lane, 4);
    bool has_def = flaw || choose(&lane->choices, 3) != 2;
    imp_SweepDef def = {.face_times = has_def && choose_rarely(&lane->choices, 3),
                        .self = has_def && choose_rarely(&lane->choices, 3)};
    if (has_def && choose_rarely(&lane->choices, 3))
        def.cancel = lane_cancel(lane);
    if (flaw == 3)
        *(choose(&lane->choices, 2) ? &def.separation : &def.tolerance) =
            choose(&lane->choices, 2) ? -1 : choose_bad_number(&lane->choices);
    if (flaw == 4)
        spoil_reserved(lane, def.reserved, sizeof def.reserved);
    else if (has_def && flaw != 3 && choose_rarely(&lane->choices, 6))
        def.separation = choose_between(&lane->choices, 0.1, 1);
    Call call = call_make(lane, flaw == 1 ? NULL : world->home, "%zu bodies, all times %d, self %d, flaw %u",
                          world_model_count(&world->model), def.face_times, def.self, flaw);
    call_output(&call, &report, sizeof report);
    if (flaw)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    else
        call.cancel = (imp_Cancel *)def.cancel;
    call.obeys_at_once = true;
    CALL(&call, imp_world_sweep,
         (flaw == 1 ? NULL : world->world, has_def ? &def : NULL, flaw == 2 ? NULL : &report));
    if (call_is_done(&call))
        check_sweep(lane, world, &def, report);
}

// ---- on the way

// As world_sweep.h says.
static double between(double from, double to, double t)
{
    double x = from + t * (to - from), low = fmin(from, to), high = fmax(from, to);
    return fmin(fmax(x, low), high);
}

static imp_Vec3 point_between(imp_Vec3 from, imp_Vec3 to, double t)
{
    return (imp_Vec3){between(from.x, to.x, t), between(from.y, to.y, t), between(from.z, to.z, t)};
}

static void advance_body(ModelBody *body, const LaneTarget *target, double t)
{
    imp_Vec3 from = body->def.pose.translation, to = target->def.pose.translation;
    if (target->vertices && t > 0) {
        size_t count = imp_mesh_get_vertex_count(body->def.mesh);
        const imp_Vec3 *own = body->deformed ? body->deformed : imp_mesh_get_vertices(body->def.mesh);
        imp_Vec3 *vertices = malloc(count * sizeof *vertices);
        for (size_t i = 0; i < count; ++i)
            vertices[i] = t == 1 ? target->vertices[i] : point_between(own[i], target->vertices[i], t);
        free(body->deformed);
        body->deformed = vertices;
    }
    if (t == 1)
        body->def.pose = target->def.pose;
    else if (t > 0)
        body->def.pose.translation = point_between(from, to, t);
}

// What the world must say to a time between 0 and 1. Of bodies that turn the model does not know where they
// are then.
static imp_Status judge_advance(LaneWorld *world, bool *is_known)
{
    imp_Status status = IMP_STATUS_OK;
    *is_known = true;
    for (size_t i = 0; i < world->model.slot_count; ++i) {
        const ModelBody *body = &world->model.bodies[i];
        if (!body->alive || !is_turning(world, body))
            continue;
        *is_known = false;
        if (body->def.convex && !is_rigid(world, body))
            status = IMP_STATUS_BAD_SHAPE;
    }
    return status;
}

// Flaws: 1 no world, 2 the time.
void lane_world_advance(Lane *lane, LaneWorld *world)
{
    uint32_t flaw = lane_flaw(lane, 2);
    double t = choose_between(&lane->choices, 0, 1);
    bool is_known;
    imp_Status expected = judge_advance(world, &is_known);
    if (choose_rarely(&lane->choices, 3) || (expected == IMP_STATUS_OK && !is_known))
        t = choose(&lane->choices, 2);
    if (flaw == 2)
        t = choose(&lane->choices, 2) ? choose_bad_number(&lane->choices) : 1 + 0x1p-52;
    Call call = call_make(lane, flaw == 1 ? NULL : world->home, "to %g, flaw %u", t, flaw);
    if (flaw)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    else if (expected != IMP_STATUS_OK && t > 0 && t < 1)
        call_expect(&call, expected, ANY_INDEX);
    CALL(&call, imp_world_advance, (flaw == 1 ? NULL : world->world, t));
    if (!call_is_done(&call))
        return;
    for (uint32_t slot = 1; slot <= world->model.slot_count; ++slot) {
        ModelBody *body = &world->model.bodies[slot - 1];
        if (body->alive && target_of(world, body)->is_set)
            advance_body(body, target_of(world, body), t);
        lane_world_forget_target(world, slot);
    }
    lane_world_touch(world);
    lane_count(lane, OUTCOME_advanced, t > 0 && t < 1);
}
