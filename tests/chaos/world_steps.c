// Steps of world.h.
#include "call.h"
#include "steps.h"
#include "world_lane.h"

#include <string.h>

#define MAX_LIVING 7
#define REACH      1.5

// ---- the model

ModelBody *lane_world_choose(Lane *lane, LaneWorld *world, imp_BodyId *id)
{
    ModelBody *body = &world->model.bodies[choose(&lane->choices, MAX_LIVING + 1)];
    if (body->alive && !choose_rarely(&lane->choices, 10)) {
        *id = body->id;
        return body;
    }
    // Gone, never there, or of a generation to come.
    *id = body->alive ? (imp_BodyId){body->id.slot, body->id.generation + 1} : body->id;
    return NULL;
}

void lane_world_touch(LaneWorld *world)
{
    world->is_truth_fresh = false;
    if (world->refining == READY_TO_REFINE)
        world->refining = CHANGED_SINCE;
}

// Which question a detect asks.
static imp_DetectDef choose_detect(Lane *lane)
{
    imp_DetectDef def = {.mode = (imp_DetectMode)choose(&lane->choices, 3)};
    def.method = (imp_DetectMethod)choose(&lane->choices, 5);
    def.order = (imp_RefineOrder)choose(&lane->choices, 2);
    def.smith_level = 1 + choose(&lane->choices, 4);
    def.ignore_containment = choose_rarely(&lane->choices, 4);
    def.count_all = choose_rarely(&lane->choices, 3);
    if (choose_rarely(&lane->choices, 4))
        def.max_face_pairs = 1 + choose(&lane->choices, 1u << choose(&lane->choices, 7));
    def.contacts = def.mode == IMP_DETECT_FACES && choose_rarely(&lane->choices, 3);
    return def;
}

static void make_world(Lane *lane, LaneWorld **place)
{
    LaneWorld *made = calloc(1, sizeof *made);
    imp_World *world = NULL;
    made->home = lane_home(lane);
    imp_WorldDef def = {.expected_body_count = choose(&lane->choices, 20)};
    uint32_t flaw = lane_flaw(lane, 3);
    Call call = call_make(lane, flaw == 1 ? NULL : made->home, "flaw %u", flaw);
    call_output(&call, &world, sizeof world);
    if (flaw)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    if (flaw == 3)
        spoil_reserved(lane, def.reserved, sizeof def.reserved);
    CALL(&call, imp_world_create,
         (flaw == 1 ? NULL : made->home->context, def.expected_body_count || flaw ? &def : NULL,
          flaw == 2 ? NULL : &world));
    made->world = world;
    made->usual = choose_detect(lane);
    if (call_is_done(&call))
        *place = made;
    else
        free(made);
}

void end_world(Lane *lane, int number)
{
    LaneWorld *world = lane->worlds[number];
    Call call = call_make(lane, NULL, "world %d", number);
    CALL_VOID(&call, imp_world_destroy, (world->world));
    for (uint32_t slot = 1; slot <= world->model.slot_count; ++slot) {
        free(world->model.bodies[slot - 1].deformed);
        lane_world_forget_target(world, slot);
    }
    world_truth_free(&world->truth);
    free(world);
    lane->worlds[number] = NULL;
}

// ---- bodies come and go

#define BODY_FLAWS 8

static void spoil_body(Lane *lane, uint32_t flaw, imp_BodyDef *def, Call *call)
{
    call_expect(call, flaw == 7 ? IMP_STATUS_BAD_NUMBER : IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    switch (flaw) {
    case 4:
        def->mesh = NULL;
        def->convex = NULL;
        break;
    case 5:
        def->mesh = lane_mesh(lane);
        def->convex = lane_convex(lane);
        break;
    case 6:
        spoil_reserved(lane, def->reserved, sizeof def->reserved);
        break;
    case 8:
        def->importance = choose(&lane->choices, 2) ? -1 : choose_bad_number(&lane->choices);
        break;
    case 7:
        def->pose = choose_bad_pose(&lane->choices);
        break;
    default:
        break;
    }
}

// A tree that there is, to a body of its mesh.
static void give_spheres(Lane *lane, imp_BodyDef *def)
{
    imp_SphereTree *tree = choose(&lane->choices, 2) ? lane_tree(lane) : NULL;
    if (choose_rarely(&lane->choices, 3))
        def->importance = choose(&lane->choices, 10);
    if (!tree || def->convex)
        return;
    def->mesh = imp_sphere_tree_get_mesh(tree);
    def->spheres = tree;
}

static void note_body(LaneWorld *world, imp_BodyId id, const imp_BodyDef *def)
{
    imp_BodyDef kept = *def;
    kept.user_data = NULL;
    world_model_note(&world->model, id, &kept);
    if (id.slot >= 1 && id.slot <= MAX_MODEL_BODIES)
        world->user_data[id.slot - 1] = def->user_data;
    world->has_spheres |= def->spheres != NULL;
    lane_world_touch(world);
}

static void add_body(Lane *lane, LaneWorld *world)
{
    imp_BodyId id;
    imp_BodyDef def = {.pose = choose_pose(&lane->choices, REACH)};
    def.category_bits = (uint64_t)1 << choose(&lane->choices, 3);
    def.ignore_bits = choose_rarely(&lane->choices, 6) ? choose(&lane->choices, 8) : 0;
    def.group = choose_rarely(&lane->choices, 5) ? 1 + choose(&lane->choices, 2) : 0;
    def.user_data = &lane->homes[choose(&lane->choices, MAX_HOMES)];
    if (choose_rarely(&lane->choices, 3))
        def.convex = lane_convex(lane);
    else
        def.mesh = lane_mesh(lane);
    give_spheres(lane, &def);
    uint32_t flaw = lane_flaw(lane, BODY_FLAWS);
    Call call =
        call_make(lane, flaw == 1 ? NULL : world->home, "%s of %zu faces at %g %g %g, group %u, flaw %u",
                  def.mesh ? "mesh" : "solid",
                  imp_mesh_get_triangle_count(def.mesh ? def.mesh : imp_convex_get_mesh(def.convex)),
                  def.pose.translation.x, def.pose.translation.y, def.pose.translation.z, def.group, flaw);
    call_output(&call, &id, sizeof id);
    if (flaw)
        spoil_body(lane, flaw, &def, &call);
    CALL(&call, imp_world_add_body,
         (flaw == 1 ? NULL : world->world, flaw == 2 ? NULL : &def, flaw == 3 ? NULL : &id));
    if (call_is_done(&call))
        note_body(world, id, &def);
}

// For calls about one body: flaw 1 is a null world; a body that is not there is known already.
static Call make_body_call(Lane *lane, LaneWorld *world, imp_BodyId id, bool is_there, uint32_t flaw)
{
    Call call =
        call_make(lane, flaw == 1 ? NULL : world->home, "body %u.%u, flaw %u", id.slot, id.generation, flaw);
    if (flaw == 1)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    else if (!is_there)
        call_expect(&call, IMP_STATUS_BAD_INDEX, id.slot);
    return call;
}

static void remove_body(Lane *lane, LaneWorld *world)
{
    imp_BodyId id;
    ModelBody *body = lane_world_choose(lane, world, &id);
    uint32_t flaw = lane_flaw(lane, 1);
    bool is_valid = false;
    Call call = make_body_call(lane, world, id, body != NULL, flaw);
    Call ask = call_make(lane, world->home, "body %u.%u", id.slot, id.generation);
    CALL_VALUE(&ask, is_valid, imp_body_is_valid, (world->world, id));
    CHECK(is_valid == (body != NULL));
    CALL(&call, imp_world_remove_body, (flaw ? NULL : world->world, id));
    if (!call_is_done(&call) || !body)
        return;
    lane_world_forget_target(world, id.slot);
    world_model_forget(&world->model, body);
    lane_world_touch(world);
}

static void count_bodies(Lane *lane, LaneWorld *world)
{
    size_t count = 0;
    bool is_null = choose_rarely(&lane->choices, 8);
    Call call = call_make(lane, NULL, "%s", is_null ? "null" : "one");
    CALL_VALUE(&call, count, imp_world_get_body_count, (is_null ? NULL : world->world));
    CHECK_INT(count, is_null ? 0 : world_model_count(&world->model));
}

// ---- motion

static void set_pose(Lane *lane, LaneWorld *world)
{
    imp_BodyId id;
    ModelBody *body = lane_world_choose(lane, world, &id);
    uint32_t flaw = lane_flaw(lane, 2);
    imp_Pose pose = choose_pose(&lane->choices, REACH);
    if (body && choose_rarely(&lane->choices, 6))
        pose = body->def.pose;
    Call call = make_body_call(lane, world, id, body != NULL, flaw);
    if (flaw == 2) {
        pose = choose_bad_pose(&lane->choices);
        if (body)
            call_expect(&call, IMP_STATUS_BAD_NUMBER, ANY_INDEX);
    }
    CALL(&call, imp_body_set_pose, (flaw == 1 ? NULL : world->world, id, pose));
    if (!call_is_done(&call) || !body)
        return;
    body->def.pose = pose;
    lane_world_touch(world);
}

static void get_pose(Lane *lane, LaneWorld *world)
{
    imp_BodyId id;
    imp_Pose pose;
    ModelBody *body = lane_world_choose(lane, world, &id);
    uint32_t flaw = lane_flaw(lane, 2);
    Call call = make_body_call(lane, world, id, body != NULL, flaw);
    if (flaw == 2)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    call_output(&call, &pose, sizeof pose);
    CALL(&call, imp_body_get_pose, (flaw == 1 ? NULL : world->world, id, flaw == 2 ? NULL : &pose));
    if (call_is_done(&call) && body)
        CHECK(memcmp(&pose, &body->def.pose, sizeof pose) == 0);
}

#define MAX_POSES 6

static void set_poses(Lane *lane, LaneWorld *world)
{
    imp_BodyId ids[MAX_POSES];
    imp_Pose poses[MAX_POSES];
    size_t count = 0, wanted = choose(&lane->choices, MAX_POSES + 1);
    for (size_t i = 0; i < wanted; ++i) {
        if (lane_world_choose(lane, world, &ids[count]))
            poses[count++] = choose_pose(&lane->choices, REACH);
    }
    uint32_t flaw = lane_flaw(lane, count ? 4 : 1);
    uint32_t bad = choose(&lane->choices, (uint32_t)count);
    Call call = call_make(lane, flaw == 1 ? NULL : world->home, "%zu bodies, flaw %u", count, flaw);
    if (flaw == 1 || flaw == 2)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    if (flaw == 3) {
        ids[bad].generation += 1;
        call_expect(&call, IMP_STATUS_BAD_INDEX, bad);
    }
    if (flaw == 4) {
        poses[bad] = choose_bad_pose(&lane->choices);
        call_expect(&call, IMP_STATUS_BAD_NUMBER, bad);
    }
    CALL(&call, imp_world_set_poses, (flaw == 1 ? NULL : world->world, ids, flaw == 2 ? NULL : poses, count));
    for (size_t i = 0; call_is_done(&call) && i < count; ++i)
        world->model.bodies[ids[i].slot - 1].def.pose = poses[i];
    lane_world_touch(world);
}

// ---- deformation

static imp_Vec3 *choose_vertices(Lane *lane, const imp_Mesh *mesh, size_t count)
{
    imp_Vec3 *vertices = malloc(count * sizeof *vertices);
    double wide = choose_between(&lane->choices, 0.5, 1.5);
    double flat = choose_rarely(&lane->choices, 3) ? 0 : choose_between(&lane->choices, 0.3, 1.5);
    double torn = choose_rarely(&lane->choices, 4) ? 0.1 : 0;
    for (size_t i = 0; i < count; ++i) {
        imp_Vec3 v = imp_mesh_get_vertices(mesh)[i];
        double bump = torn > 0 ? choose_between(&lane->choices, -torn, torn) : 0;
        vertices[i] = (imp_Vec3){wide * v.x + bump, wide * v.y, flat * v.z};
    }
    return vertices;
}

#define VERTEX_FLAWS  4
#define MAX_OWN_PAIRS 16384 // of faces of any body

static void deform(Lane *lane, LaneWorld *world)
{
    imp_BodyId id;
    ModelBody *body = lane_world_choose(lane, world, &id);
    uint32_t flaw = lane_flaw(lane, VERTEX_FLAWS);
    Call call = make_body_call(lane, world, id, body != NULL, flaw);
    const imp_Mesh *mesh = body && body->def.mesh ? body->def.mesh : lane->shelf->meshes[0];
    size_t count = imp_mesh_get_vertex_count(mesh), given = count;
    imp_Vec3 *vertices = choose_vertices(lane, mesh, count);
    bool restores = !flaw && choose_rarely(&lane->choices, body && body->deformed ? 2 : 8);
    if (body && body->def.convex && flaw != 1)
        call_expect(&call, IMP_STATUS_BAD_SHAPE, ANY_INDEX);
    else if (body && (flaw == 2 || flaw == 3))
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    if (flaw == 2)
        --given;
    if (flaw == 4) {
        uint32_t bad = choose(&lane->choices, (uint32_t)count);
        vertices[bad].x = choose_bad_number(&lane->choices);
        if (body && body->def.mesh)
            call_expect(&call, IMP_STATUS_BAD_NUMBER, bad);
    }
    CALL(&call, imp_body_set_vertices,
         (flaw == 1 ? NULL : world->world, id, flaw == 3 || restores ? NULL : &vertices->x,
          restores ? 0 : given));
    if (call_is_done(&call) && body) {
        free(body->deformed);
        body->deformed = restores ? NULL : vertices;
        vertices = restores ? vertices : NULL;
        lane_world_touch(world);
        lane_count(lane, OUTCOME_body_deformed, !restores);
    }
    free(vertices);
}

// Compared with the mesh that the model's vertices make.
static void check_own_pairs(Lane *lane, const ModelBody *body, const imp_FacePair *pairs, size_t count)
{
    imp_FacePair wanted[MAX_OWN_PAIRS];
    const imp_Mesh *mesh = body->def.mesh ? body->def.mesh : imp_convex_get_mesh(body->def.convex);
    const imp_Vec3 *vertices = body->deformed ? body->deformed : imp_mesh_get_vertices(mesh);
    imp_MeshDef def = {.vertices = &vertices->x,
                       .vertex_count = imp_mesh_get_vertex_count(mesh),
                       .indices = imp_mesh_get_indices(mesh),
                       .triangle_count = imp_mesh_get_triangle_count(mesh)};
    imp_Mesh *same = NULL;
    size_t wanted_count = 0;
    CHECK_INT(imp_mesh_create(lane->reference, &def, &same), IMP_STATUS_OK);
    if (CHECK_INT(imp_mesh_self_pairs(lane->reference, same, wanted, MAX_OWN_PAIRS, &wanted_count),
                  IMP_STATUS_OK) &&
        CHECK_INT(count, wanted_count))
        CHECK(count == 0 || memcmp(pairs, wanted, count * sizeof *pairs) == 0);
    imp_mesh_release(same);
}

static void find_own_pairs(Lane *lane, LaneWorld *world)
{
    imp_FacePair pairs[MAX_OWN_PAIRS];
    imp_BodyId id;
    size_t count = 0;
    ModelBody *body = lane_world_choose(lane, world, &id);
    uint32_t flaw = lane_flaw(lane, 3);
    Call call = make_body_call(lane, world, id, body != NULL, flaw);
    call_is_watched(&call);
    if (flaw > 1)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    call_output(&call, pairs, sizeof pairs);
    call_output(&call, &count, sizeof count);
    CALL(&call, imp_body_self_pairs,
         (flaw == 1 ? NULL : world->world, id, flaw == 2 ? NULL : pairs, MAX_OWN_PAIRS,
          flaw == 3 ? NULL : &count));
    if (call_is_done(&call) && body)
        check_own_pairs(lane, body, pairs, count);
}

// ---- filters and what belongs to a body

static void set_filter(Lane *lane, LaneWorld *world)
{
    imp_BodyId id;
    ModelBody *body = lane_world_choose(lane, world, &id);
    uint32_t flaw = lane_flaw(lane, 1);
    uint64_t category = choose(&lane->choices, 8);
    uint64_t ignore = choose_rarely(&lane->choices, 3) ? choose(&lane->choices, 8) : 0;
    Call call = make_body_call(lane, world, id, body != NULL, flaw);
    CALL(&call, imp_body_set_filter, (flaw ? NULL : world->world, id, category, ignore));
    if (!call_is_done(&call) || !body)
        return;
    body->def.category_bits = category;
    body->def.ignore_bits = ignore;
    lane_world_touch(world);
}

static void ignore_pair(Lane *lane, LaneWorld *world)
{
    imp_BodyId a, b;
    ModelBody *first = lane_world_choose(lane, world, &a), *second = lane_world_choose(lane, world, &b);
    uint32_t flaw = lane_flaw(lane, 1);
    bool ignore = choose(&lane->choices, 2);
    Call call = call_make(lane, flaw ? NULL : world->home, "bodies %u and %u, %d, flaw %u", a.slot, b.slot,
                          ignore, flaw);
    if (flaw)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    else if (!first || !second)
        call_expect(&call, IMP_STATUS_BAD_INDEX, first ? b.slot : a.slot);
    else if (first == second)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    CALL(&call, imp_world_ignore_pair, (flaw ? NULL : world->world, a, b, ignore));
    if (!call_is_done(&call) || !first || !second)
        return;
    world->model.ignored[a.slot - 1][b.slot - 1] = world->model.ignored[b.slot - 1][a.slot - 1] = ignore;
    lane_world_touch(world);
}

static void use_user_data(Lane *lane, LaneWorld *world)
{
    imp_BodyId id;
    void *data = NULL;
    ModelBody *body = lane_world_choose(lane, world, &id);
    uint32_t flaw = lane_flaw(lane, 2);
    if (choose(&lane->choices, 2)) {
        void *given = &lane->queries[choose(&lane->choices, MAX_QUERIES)];
        flaw = flaw == 2 ? 1 : flaw;
        Call call = make_body_call(lane, world, id, body != NULL, flaw);
        CALL(&call, imp_body_set_user_data, (flaw ? NULL : world->world, id, given));
        if (call_is_done(&call) && body)
            world->user_data[id.slot - 1] = given;
        return;
    }
    Call call = make_body_call(lane, world, id, body != NULL, flaw);
    if (flaw == 2)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    call_output(&call, &data, sizeof data);
    CALL(&call, imp_body_get_user_data, (flaw == 1 ? NULL : world->world, id, flaw == 2 ? NULL : &data));
    if (call_is_done(&call) && body)
        CHECK(data == world->user_data[id.slot - 1]);
}

static void get_shape(Lane *lane, LaneWorld *world)
{
    imp_BodyId id;
    imp_Mesh *mesh = NULL;
    imp_Convex *convex = NULL;
    ModelBody *body = lane_world_choose(lane, world, &id);
    uint32_t flaw = lane_flaw(lane, 2);
    Call call = make_body_call(lane, world, id, body != NULL, flaw);
    if (flaw == 2)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    if (choose(&lane->choices, 2)) {
        call_output(&call, &mesh, sizeof mesh);
        CALL(&call, imp_body_get_mesh, (flaw == 1 ? NULL : world->world, id, flaw == 2 ? NULL : &mesh));
        if (call_is_done(&call) && body)
            CHECK(mesh == (body->def.mesh ? body->def.mesh : imp_convex_get_mesh(body->def.convex)));
    } else {
        call_output(&call, &convex, sizeof convex);
        CALL(&call, imp_body_get_convex, (flaw == 1 ? NULL : world->world, id, flaw == 2 ? NULL : &convex));
        if (call_is_done(&call) && body)
            CHECK(convex == body->def.convex);
    }
}

// ---- detects

// How long it may take is no part of the question.
static void limit_detect(Lane *lane, imp_DetectDef *def)
{
    if (choose_rarely(&lane->choices, 6))
        def->budget_us = 1 + choose(&lane->choices, 1u << choose(&lane->choices, 10));
    if (choose_rarely(&lane->choices, 6))
        def->budget_steps = 1 + choose(&lane->choices, 1u << choose(&lane->choices, 8));
    if (choose_rarely(&lane->choices, 3))
        def->cancel = lane_cancel(lane);
}

#define DETECT_FLAWS 7

static void spoil_detect(Lane *lane, uint32_t flaw, imp_DetectDef *def)
{
    switch (flaw) {
    case 3:
        def->mode = (imp_DetectMode)(3 + choose(&lane->choices, 9));
        break;
    case 4:
        def->method = (imp_DetectMethod)(5 + choose(&lane->choices, 9));
        break;
    case 5:
        def->smith_level = IMP_MAX_SMITH_LEVEL + 1 + choose(&lane->choices, 9);
        break;
    case 6:
        spoil_reserved(lane, def->reserved, sizeof def->reserved);
        break;
    case 7:
        def->mode = choose(&lane->choices, 2) ? IMP_DETECT_BODIES : IMP_DETECT_FIRST;
        def->contacts = true;
        break;
    default:
        break;
    }
}

void lane_world_detect(Lane *lane, LaneWorld *world)
{
    const imp_Report *report = NULL;
    bool has_def = choose(&lane->choices, 6) != 5;
    uint32_t flaw = lane_flaw(lane, DETECT_FLAWS);
    imp_DetectDef def = has_def || flaw ? world->usual : (imp_DetectDef){0};
    if (has_def && choose_rarely(&lane->choices, 4))
        def = choose_detect(lane);
    if (has_def)
        limit_detect(lane, &def);
    spoil_detect(lane, flaw, &def);
    Call call = call_make(
        lane, flaw == 1 ? NULL : world->home,
        "%zu bodies, mode %d, method %d, level %u, most %d, all %d, contacts %d, %d us, %d steps, cancel %d, "
        "flaw %u",
        world_model_count(&world->model), (int)def.mode, (int)def.method, def.smith_level,
        (int)def.max_face_pairs, def.count_all, def.contacts, (int)def.budget_us, (int)def.budget_steps,
        def.cancel != NULL, flaw);
    call_output(&call, &report, sizeof report);
    if (flaw)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    else
        call.cancel = (imp_Cancel *)def.cancel;
    call.obeys_at_once = true;
    CALL(&call, imp_world_detect,
         (flaw == 1 ? NULL : world->world, has_def || flaw ? &def : NULL, flaw == 2 ? NULL : &report));
    if (call_is_done(&call)) {
        lane_world_check(lane, world, &def, report);
        if (def.mode != IMP_DETECT_FIRST) {
            world->last = def;
            world->refining = READY_TO_REFINE;
        }
    }
    lane_count(lane, OUTCOME_detect_recovered, call_is_done(&call) && call.attempts > 1);
}

// ---- the step

typedef void (*WorldStep)(Lane *lane, LaneWorld *world);

static const WorldStep world_steps[] = {lane_world_detect,
                                        set_pose,
                                        add_body,
                                        lane_world_detect,
                                        set_poses,
                                        deform,
                                        set_filter,
                                        find_own_pairs,
                                        lane_world_detect,
                                        ignore_pair,
                                        get_pose,
                                        get_shape,
                                        use_user_data,
                                        count_bodies,
                                        set_pose,
                                        set_pose,
                                        remove_body,
                                        add_body,
                                        add_body,
                                        add_body,
                                        deform,
                                        lane_world_detect,
                                        lane_world_detect,
                                        lane_world_refine,
                                        lane_world_refine,
                                        lane_world_distance,
                                        lane_world_clearance,
                                        lane_world_set_pair_filter,
                                        lane_world_configurations,
                                        lane_world_set_target,
                                        lane_world_set_target,
                                        lane_world_set_target,
                                        lane_world_sweep,
                                        lane_world_sweep,
                                        lane_world_advance};

void step_world(Lane *lane)
{
    int number = (int)choose(&lane->choices, MAX_WORLDS);
    LaneWorld *world = lane->worlds[number];
    if (!world) {
        make_world(lane, &lane->worlds[number]);
        return;
    }
    if (choose_rarely(&lane->choices, 60)) {
        end_world(lane, number);
        return;
    }
    WorldStep step = world_steps[choose(&lane->choices, sizeof world_steps / sizeof *world_steps)];
    size_t count = world_model_count(&world->model);
    if (step == add_body && count >= MAX_LIVING)
        step = remove_body;
    if (count < 3 && choose(&lane->choices, 4) < 3)
        step = add_body;
    step(lane, world);
}
