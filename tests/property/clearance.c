// Clearances of worlds with meshes, solids and deformed bodies, which come, go, move and are ignored, against
// all pairs of bodies and all of their faces, judged one by one: which are near, with which faces, what has
// begun and ended; with limits, on 1, 2 and 5 threads, and detects in between that notice nothing.
#define MAX_MODEL_BODIES 12
#include "distance_answers.h"
#include "harness.h"
#include "oracle/distance_oracle.h"
#include "oracle/surface_oracle.h"
#include "posed_faces.h"
#include "sanitizers.h"
#include "scenes/shapes.h"
#include "world_model.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define THREAD_KINDS 3
#define MESH_KINDS   6
#define SOLID_KINDS  3
#define ROUND_COUNT  5

static const uint32_t thread_counts[THREAD_KINDS] = {1, 2, 5};

static struct {
    uint64_t asked, near, far, touching, inside, begun, ended, face_pairs, whole, cut, lower_bound,
        at_distance, just_below, removed, ignored, with_solid, held;
} tallies;

static imp_Context *contexts[THREAD_KINDS];
static imp_Mesh *meshes[MESH_KINDS];
static imp_Convex *solids[SOLID_KINDS];

typedef struct Stage {
    imp_World *worlds[THREAD_KINDS];
    WorldModel model;
    PosedFaces faces[MAX_MODEL_BODIES];   // of living bodies, at the time
    imp_Vec3 hulls[MAX_MODEL_BODIES][16]; // posed vertices of solids
    PairList last, now;                   // what clearances listed, with no relations
    imp_TouchingFaces *near_faces;        // all of them, in the order of reports
    size_t near_count, near_capacity;
    size_t ends[MAX_LISTED_PAIRS]; // of the faces of each pair of `now`
} Stage;

// ------------------------------------------------------------------------------------------- shapes

static void make_shapes(void)
{
    imp_Context *context = contexts[0];
    imp_Mesh *surface = NULL;
    CHECK_INT(scene_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}, &meshes[0]), IMP_STATUS_OK);
    CHECK_INT(scene_sphere(context, 4, 3, 0.5, &meshes[1]), IMP_STATUS_OK);
    CHECK_INT(scene_sphere(context, 5, 3, 2, &meshes[2]), IMP_STATUS_OK);
    CHECK_INT(scene_soup(context, 7, 0.5, 3, &meshes[3]), IMP_STATUS_OK);
    CHECK_INT(scene_grid_soup(context, 6, 3, 4, &meshes[4]), IMP_STATUS_OK);
    CHECK_INT(scene_needle(context, 3, 0.05, &meshes[5]), IMP_STATUS_OK);
    for (int i = 0; i < SOLID_KINDS; ++i) {
        static const imp_Vec3 sizes[SOLID_KINDS] = {{1, 1, 1}, {2, 0.25, 0.5}, {6, 6, 6}};
        CHECK_INT(scene_box(context, (imp_Vec3){0}, sizes[i], &surface), IMP_STATUS_OK);
        CHECK_INT(imp_convex_create_from_mesh(context, surface, &solids[i]), IMP_STATUS_OK);
        imp_mesh_release(surface);
    }
}

static void release_shapes(void)
{
    for (int i = 0; i < MESH_KINDS; ++i)
        imp_mesh_release(meshes[i]);
    for (int i = 0; i < SOLID_KINDS; ++i)
        imp_convex_release(solids[i]);
}

// ------------------------------------------------------------------------------------------ changes

static imp_Pose random_pose(void)
{
    imp_Pose pose = {.rotation = {.w = 0}};
    double x = test_random_between(-4, 4), y = test_random_between(-4, 4), z = test_random_between(-4, 4);
    pose.translation = (imp_Vec3){x, y, z};
    if (test_random_below(2))
        pose.translation = (imp_Vec3){rint(x), rint(y), rint(z)};
    else
        pose.rotation = random_rotation();
    return pose;
}

static void add_body(Stage *stage)
{
    imp_BodyDef def = {.pose = random_pose()};
    imp_BodyId id = {0};
    if (test_random_below(3) == 0)
        def.convex = solids[test_random_below(SOLID_KINDS)];
    else
        def.mesh = meshes[test_random_below(MESH_KINDS)];
    def.category_bits = (uint64_t)1 << test_random_below(4);
    def.ignore_bits = test_random_below(8) ? 0 : (uint64_t)1 << test_random_below(4);
    def.group = test_random_below(6) ? 0 : 1 + test_random_below(2);
    for (int i = 0; i < THREAD_KINDS; ++i)
        CHECK_INT(imp_world_add_body(stage->worlds[i], &def, &id), IMP_STATUS_OK);
    world_model_note(&stage->model, id, &def);
}

static void remove_body(Stage *stage, ModelBody *body)
{
    for (int i = 0; i < THREAD_KINDS; ++i)
        CHECK_INT(imp_world_remove_body(stage->worlds[i], body->id), IMP_STATUS_OK);
    world_model_forget(&stage->model, body);
    ++tallies.removed;
}

static void deform_body(Stage *stage, ModelBody *body)
{
    if (!body->def.mesh)
        return;
    size_t count = imp_mesh_get_vertex_count(body->def.mesh);
    if (!body->deformed)
        body->deformed = malloc(count * sizeof *body->deformed);
    for (size_t i = 0; i < count; ++i) {
        imp_Vec3 v = imp_mesh_get_vertices(body->def.mesh)[i];
        double off = test_random_between(-0.2, 0.2);
        body->deformed[i] = (imp_Vec3){v.x + off, 1.5 * v.y, v.z};
    }
    for (int i = 0; i < THREAD_KINDS; ++i)
        CHECK_INT(imp_body_set_vertices(stage->worlds[i], body->id, &body->deformed->x, count),
                  IMP_STATUS_OK);
}

static void ignore_some(Stage *stage, ModelBody *body)
{
    size_t number = (size_t)(body - stage->model.bodies), other = test_random_below(MAX_MODEL_BODIES);
    bool ignore = test_random_below(2);
    if (other == number || !stage->model.bodies[other].alive)
        return;
    stage->model.ignored[number][other] = stage->model.ignored[other][number] = ignore;
    for (int i = 0; i < THREAD_KINDS; ++i)
        CHECK_INT(imp_world_ignore_pair(stage->worlds[i], body->id, stage->model.bodies[other].id, ignore),
                  IMP_STATUS_OK);
    ++tallies.ignored;
}

static void change_body(Stage *stage, ModelBody *body)
{
    switch (test_random_below(10)) {
    case 0:
        remove_body(stage, body);
        break;
    case 1:
        deform_body(stage, body);
        break;
    case 2:
        ignore_some(stage, body);
        break;
    case 3:
    case 4:
    case 5:
        body->def.pose = random_pose();
        for (int i = 0; i < THREAD_KINDS; ++i)
            CHECK_INT(imp_body_set_pose(stage->worlds[i], body->id, body->def.pose), IMP_STATUS_OK);
        break;
    default:
        break;
    }
}

static void change(Stage *stage, size_t most)
{
    for (size_t i = 0; i < stage->model.slot_count; ++i)
        if (stage->model.bodies[i].alive)
            change_body(stage, &stage->model.bodies[i]);
    while (world_model_count(&stage->model) < most && test_random_below(5))
        add_body(stage);
}

// -------------------------------------------------------------------------------------------- truth

static void pose_bodies(Stage *stage)
{
    for (size_t i = 0; i < stage->model.slot_count; ++i) {
        const ModelBody *body = &stage->model.bodies[i];
        posed_faces_free(&stage->faces[i]);
        if (!body->alive)
            continue;
        const imp_Mesh *surface = body->def.mesh ? body->def.mesh : imp_convex_get_mesh(body->def.convex);
        stage->faces[i] = posed_faces_make(surface, body->deformed, &body->def.pose);
        for (size_t k = 0; body->def.convex && k < imp_mesh_get_vertex_count(surface); ++k)
            CHECK_INT(imp_pose_apply(&body->def.pose, imp_mesh_get_vertices(surface)[k], &stage->hulls[i][k]),
                      IMP_STATUS_OK);
    }
}

static OracleBody judged_body(const Stage *stage, size_t i)
{
    const imp_Convex *convex = stage->model.bodies[i].def.convex;
    return (OracleBody){stage->faces[i].triangles, convex ? stage->hulls[i] : NULL, stage->faces[i].count,
                        convex ? imp_mesh_get_vertex_count(imp_convex_get_mesh(convex)) : 0};
}

static bool compares(const Stage *stage, size_t a, size_t b)
{
    const ModelBody *first = &stage->model.bodies[a], *second = &stage->model.bodies[b];
    return first->alive && second->alive && !stage->model.ignored[a][b] &&
           !(first->def.category_bits & second->def.ignore_bits) &&
           !(second->def.category_bits & first->def.ignore_bits) &&
           !(first->def.group && first->def.group == second->def.group);
}

static void note_near_faces(Stage *stage, size_t a, size_t b, double distance)
{
    for (size_t i = 0; i < stage->faces[a].count; ++i)
        for (size_t k = 0; k < stage->faces[b].count; ++k) {
            bool within = false;
            CHECK_INT(imp_triangles_within(&stage->faces[a].triangles[i], &stage->faces[b].triangles[k],
                                           distance, &within),
                      IMP_STATUS_OK);
            if (!within)
                continue;
            if (stage->near_count == stage->near_capacity) {
                stage->near_capacity = stage->near_capacity ? 2 * stage->near_capacity : 1024;
                stage->near_faces =
                    realloc(stage->near_faces, stage->near_capacity * sizeof *stage->near_faces);
            }
            stage->near_faces[stage->near_count++] = (imp_TouchingFaces){
                stage->model.bodies[a].id, (uint32_t)i, stage->model.bodies[b].id, (uint32_t)k};
        }
}

// Solids are judged as hulls, in rational numbers.
static bool is_near(const Stage *stage, size_t a, size_t b, double distance, bool has_near_faces)
{
    if (has_near_faces || (!stage->model.bodies[a].def.convex && !stage->model.bodies[b].def.convex))
        return has_near_faces;
    OracleBody first = judged_body(stage, a), second = judged_body(stage, b);
    return !oracle_bodies_distance(&first, &second, false) || oracle_distance_compare(distance) >= 0;
}

static void find_truth(Stage *stage, double distance)
{
    stage->now.count = stage->near_count = 0;
    for (size_t a = 0; a < stage->model.slot_count; ++a)
        for (size_t b = a + 1; b < stage->model.slot_count; ++b) {
            if (!compares(stage, a, b))
                continue;
            size_t before = stage->near_count;
            note_near_faces(stage, a, b, distance);
            bool near = is_near(stage, a, b, distance, stage->near_count > before);
            tallies.held += near && stage->near_count == before;
            ++*(near ? &tallies.near : &tallies.far);
            if (!near)
                continue;
            stage->ends[stage->now.count] = stage->near_count;
            stage->now.pairs[stage->now.count++] =
                (imp_BodyPair){stage->model.bodies[a].id, stage->model.bodies[b].id, 0, 0};
        }
}

// ------------------------------------------------------------------------------------------- checks

static void check_faces(const Stage *stage, const imp_ClearanceDef *def, const imp_ClearanceReport *report)
{
    uint64_t limit = def->max_face_pairs ? def->max_face_pairs : UINT64_MAX, counted = 0;
    size_t kept = limit < stage->near_count ? (size_t)limit : stage->near_count;
    bool is_lower_bound = false;
    if (!def->face_pairs) {
        CHECK(report->face_pair_count == 0 && report->face_pair_total == 0 && !report->truncated &&
              !report->total_is_lower_bound);
        return;
    }
    for (size_t i = 0; i < stage->now.count; ++i) {
        bool is_cut = !def->count_all && counted > limit;
        is_lower_bound |= is_cut;
        counted = is_cut ? counted : stage->ends[i];
    }
    CHECK_INT(report->face_pair_count, kept);
    CHECK(report->face_pair_count == kept &&
          are_same_bytes(report->face_pairs, stage->near_faces, kept * sizeof *stage->near_faces));
    CHECK(report->truncated == (kept < stage->near_count));
    CHECK_INT(report->face_pair_total, counted);
    CHECK(report->total_is_lower_bound == is_lower_bound);
    tallies.face_pairs += kept;
    tallies.cut += report->truncated;
    tallies.whole += !report->truncated;
    tallies.lower_bound += is_lower_bound;
}

static void check_pairs(const Stage *stage, imp_World *world, const imp_ClearanceDef *def,
                        const imp_ClearanceReport *report)
{
    imp_DistanceDef alone = {.relative_accuracy = def->relative_accuracy,
                             .ignore_containment = def->ignore_containment};
    if (!CHECK_INT(report->pair_count, stage->now.count))
        return;
    for (size_t i = 0; i < report->pair_count; ++i) {
        const imp_NearBodies *pair = &report->pairs[i];
        const imp_BodyPair *wanted = &stage->now.pairs[i];
        imp_Distance distance = {.distance = -1};
        CHECK(memcmp(&pair->body_a, &wanted->body_a, sizeof pair->body_a) == 0 &&
              memcmp(&pair->body_b, &wanted->body_b, sizeof pair->body_b) == 0);
        CHECK(pair->distance.distance <= def->distance);
        CHECK_INT(imp_world_distance(world, pair->body_a, pair->body_b, &alone, &distance), IMP_STATUS_OK);
        distance.distance = fmin(distance.distance, def->distance); // sharper, of solids
        if (!CHECK(same_distance(&distance, &pair->distance))) {
            print_distance("listed", &pair->distance);
            print_distance("alone", &distance);
        }
        tallies.touching += distance.touch;
        tallies.inside += distance.a_inside_b || distance.b_inside_a;
    }
}

static void check_changes(const Stage *stage, const imp_ClearanceReport *report)
{
    static PairList begun, ended;
    list_missing(&stage->now, &stage->last, &begun);
    list_missing(&stage->last, &stage->now, &ended);
    CHECK(is_list(report->begun, report->begun_count, &begun));
    CHECK(is_list(report->ended, report->ended_count, &ended));
    tallies.begun += begun.count;
    tallies.ended += ended.count;
}

static bool same_clearances(const imp_ClearanceReport *a, const imp_ClearanceReport *b)
{
    bool is_same = a->pair_count == b->pair_count && a->face_pair_count == b->face_pair_count &&
                   a->face_pair_total == b->face_pair_total && a->truncated == b->truncated &&
                   a->total_is_lower_bound == b->total_is_lower_bound && a->begun_count == b->begun_count &&
                   a->ended_count == b->ended_count && a->candidate_body_pairs == b->candidate_body_pairs;
    for (size_t i = 0; is_same && i < a->pair_count; ++i)
        is_same = same_distance(&a->pairs[i].distance, &b->pairs[i].distance);
    return is_same;
}

// Detects before and after a clearance say the same, and nothing begins or ends between them.
static const imp_Report *detect_again(imp_World *world, const imp_Report *before, size_t count)
{
    const imp_Report *report = NULL;
    CHECK(before->body_pair_count == count); // a clearance leaves it alone
    CHECK_INT(imp_world_detect(world, NULL, &report), IMP_STATUS_OK);
    CHECK(report->begun_count == 0 && report->ended_count == 0);
    CHECK_INT(report->body_pair_count, count);
    return report;
}

// A detect of a world that never heard of clearances says the same.
static void compare_with_fresh(const Stage *stage)
{
    const imp_Report *report = NULL, *fresh_report = NULL;
    imp_World *fresh = world_model_build(&stage->model, contexts[0], meshes[0]);
    CHECK_INT(imp_world_detect(stage->worlds[0], NULL, &report), IMP_STATUS_OK);
    CHECK_INT(imp_world_detect(fresh, NULL, &fresh_report), IMP_STATUS_OK);
    CHECK(report_equals_fresh(report, fresh_report));
    imp_world_destroy(fresh);
}

static size_t count_touching(const imp_Report *report)
{
    size_t count = 0;
    for (size_t i = 0; i < report->body_pair_count; ++i)
        count += !!(report->body_pairs[i].relations & IMP_RELATION_TOUCH);
    return count;
}

static void ask(Stage *stage, const imp_ClearanceDef *def)
{
    const imp_ClearanceReport *reports[THREAD_KINDS] = {NULL};
    find_truth(stage, def->distance);
    for (int i = 0; i < THREAD_KINDS; ++i) {
        const imp_Report *detected = NULL;
        bool detects = test_random_below(2);
        if (detects)
            CHECK_INT(imp_world_detect(stage->worlds[i], NULL, &detected), IMP_STATUS_OK);
        size_t count = detected ? detected->body_pair_count : 0;
        if (!CHECK_INT(imp_world_clearance(stage->worlds[i], def, &reports[i]), IMP_STATUS_OK))
            return;
        if (detects) {
            const imp_Report *again = detect_again(stage->worlds[i], detected, count);
            CHECK(def->distance > 0 || count_touching(again) == stage->now.count);
        }
        check_faces(stage, def, reports[i]);
        check_changes(stage, reports[i]);
        CHECK(reports[i]->candidate_body_pairs >= reports[i]->pair_count);
    }
    check_pairs(stage, stage->worlds[0], def, reports[0]);
    CHECK(same_clearances(reports[0], reports[1]) && same_clearances(reports[0], reports[2]));
    if (test_random_below(4) == 0)
        compare_with_fresh(stage);
    stage->last = stage->now;
    ++tallies.asked;
}

// -------------------------------------------------------------------------------------------- worlds

static const ModelBody *random_living(const Stage *stage)
{
    size_t count = world_model_count(&stage->model);
    size_t left = count > 0 ? test_random_below((uint32_t)count) : 0;
    for (size_t i = 0; i < stage->model.slot_count; ++i)
        if (stage->model.bodies[i].alive && left-- == 0)
            return &stage->model.bodies[i];
    return NULL;
}

// That of two of the bodies, or the double before or behind it.
static double distance_of_some(Stage *stage)
{
    const ModelBody *first = random_living(stage), *second = random_living(stage);
    imp_Distance distance = {.distance = 0};
    if (first == second)
        return 0.5;
    CHECK_INT(imp_world_distance(stage->worlds[0], first->id, second->id, NULL, &distance), IMP_STATUS_OK);
    switch (test_random_below(3)) {
    case 0:
        ++tallies.at_distance;
        return distance.distance;
    case 1:
        return distance.lower_bound;
    default:
        ++tallies.just_below;
        return distance.distance > 0 ? nextafter(distance.distance, 0) : 0;
    }
}

static double random_distance(Stage *stage)
{
    switch (test_random_below(8)) {
    case 0:
        return 0;
    case 1:
        return test_random_between(0, 0.1);
    case 2:
        return test_random_between(0, 1);
    case 3:
        return test_random_below(2) ? 1 : 0.5;
    case 4:
        return test_random_below(3) ? test_random_between(2, 10) : test_random_below(2) ? 1e300 : DBL_MAX;
    default:
        return distance_of_some(stage);
    }
}

static imp_ClearanceDef random_def(Stage *stage)
{
    imp_ClearanceDef def = {.distance = random_distance(stage)};
    def.face_pairs = test_random_below(2);
    def.count_all = test_random_below(2);
    def.ignore_containment = test_random_below(4) == 0;
    def.relative_accuracy = test_random_below(2) ? 0 : 1e-12;
    def.max_face_pairs = test_random_below(2) ? 0 : 1 + test_random_below(test_random_below(2) ? 10 : 600);
    return def;
}

static void run_world(Stage *stage)
{
    size_t most = 1 + test_random_below(MAX_MODEL_BODIES);
    for (int i = 0; i < THREAD_KINDS; ++i)
        CHECK_INT(imp_world_create(contexts[i], NULL, &stage->worlds[i]), IMP_STATUS_OK);
    for (int round = 0; round < ROUND_COUNT; ++round) {
        change(stage, most);
        pose_bodies(stage);
        for (int i = 0; i < 2; ++i) {
            imp_ClearanceDef def = random_def(stage);
            int failed = test_failed_checks();
            ask(stage, &def);
            if (test_failed_checks() > failed)
                printf("  distance %a, faces %d, all %d, at most %" PRIu64 "\n", def.distance, def.face_pairs,
                       def.count_all, def.max_face_pairs);
        }
    }
    for (size_t i = 0; i < MAX_MODEL_BODIES; ++i) {
        posed_faces_free(&stage->faces[i]);
        world_model_forget(&stage->model, &stage->model.bodies[i]);
    }
    for (int i = 0; i < THREAD_KINDS; ++i)
        imp_world_destroy(stage->worlds[i]);
    free(stage->near_faces);
}

static void check_shares(void)
{
    CHECK(10 * tallies.near > tallies.far && 10 * tallies.far > tallies.near);
    CHECK(10 * tallies.touching > tallies.near);
    CHECK(tallies.inside + tallies.held > 0);
    CHECK(tallies.begun > tallies.asked && tallies.ended > tallies.asked);
    CHECK(10 * tallies.cut > tallies.whole && 50 * tallies.lower_bound > tallies.whole);
    CHECK(20 * tallies.at_distance > tallies.asked && 20 * tallies.just_below > tallies.asked);
    CHECK(tallies.removed > 0 && tallies.ignored > 0);
}

#define ENOUGH_FOR_SHARES 20

#ifdef TEST_UNDER_SANITIZER
#define DEFAULT_COUNT 8
#else
#define DEFAULT_COUNT 40
#endif

TEST(clearances_list_what_is_near)
{
    static Stage stage;
    uint64_t total = test_count(DEFAULT_COUNT);
    for (int i = 0; i < THREAD_KINDS; ++i)
        contexts[i] = context_with_threads(thread_counts[i]);
    make_shapes();
    for (uint64_t i = 0; i < total; ++i) {
        stage = (Stage){.near_count = 0};
        run_world(&stage);
    }
    printf("%" PRIu64 " asked, %" PRIu64 " near, %" PRIu64 " far, %" PRIu64 " touching, %" PRIu64
           " inside, %" PRIu64 " near without near faces, %" PRIu64 " begun, %" PRIu64 " ended, %" PRIu64
           " face pairs, %" PRIu64 " cut, %" PRIu64 " lower bounds\n",
           tallies.asked, tallies.near, tallies.far, tallies.touching, tallies.inside, tallies.held,
           tallies.begun, tallies.ended, tallies.face_pairs, tallies.cut, tallies.lower_bound);
    if (total >= ENOUGH_FOR_SHARES)
        check_shares();
    release_shapes();
    for (int i = 0; i < THREAD_KINDS; ++i)
        imp_context_destroy(contexts[i]);
}
