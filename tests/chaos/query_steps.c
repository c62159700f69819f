// Steps of query.h.
#include "call.h"
#include "posed_faces.h"
#include "same_distance.h"
#include "steps.h"
#include "world_lane.h"

#include <string.h>

#define MAX_QUERY_POSES 4
#define MAX_QUERY_PAIRS 4096

static void make_query(Lane *lane, Home *place)
{
    Home home = {.memory = lane_memory(lane)};
    imp_Query *query = NULL;
    imp_Allocator allocator = home.memory ? memory_hooks(home.memory) : (imp_Allocator){0};
    uint32_t flaw = lane_flaw(lane, 2);
    Call call = call_make(lane, &home, "flaw %u", flaw);
    call_output(&call, &query, sizeof query);
    if (flaw)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    if (flaw == 2)
        allocator = (imp_Allocator){.allocate = memory_hooks(NULL).allocate};
    CALL(&call, imp_query_create, (home.memory || flaw == 2 ? &allocator : NULL, flaw == 1 ? NULL : &query));
    if (!call_is_done(&call))
        return;
    home.query = query;
    *place = home;
    const imp_Error *error = NULL;
    Call ask = call_make(lane, NULL, "the new one");
    CALL_VALUE(&ask, error, imp_query_get_error, (query));
    CHECK(error && error->status == IMP_STATUS_OK);
}

void end_query(Lane *lane, int number)
{
    Call call = call_make(lane, NULL, "query %d", number);
    CALL_VOID(&call, imp_query_destroy, (lane->queries[number].query));
    lane->queries[number] = (Home){0};
}

// ---- questions

typedef struct Question {
    imp_MeshPair meshes;
    imp_Pose poses[MAX_QUERY_POSES];
    FacePairList wanted; // of all poses
    size_t ends[MAX_QUERY_POSES];
} Question;

static void choose_question(Lane *lane, Question *question)
{
    *question = (Question){.meshes = {.a = lane_mesh(lane)}};
    imp_MeshPair *meshes = &question->meshes;
    meshes->b = lane_mesh(lane);
    meshes->pose_a = choose_pose(&lane->choices, 1);
    meshes->pose_count = choose(&lane->choices, MAX_QUERY_POSES + 1);
    meshes->poses_b = question->poses;
    PosedFaces a = posed_faces_make(meshes->a, NULL, &meshes->pose_a);
    for (size_t i = 0; i < meshes->pose_count; ++i) {
        question->poses[i] = choose_pose(&lane->choices, 2);
        PosedFaces b = posed_faces_make(meshes->b, NULL, &question->poses[i]);
        brute_force_touching(&a, &b, library_triangles_touch, &question->wanted);
        question->ends[i] = question->wanted.count;
        posed_faces_free(&b);
    }
    posed_faces_free(&a);
}

// Flaws of a question: 4 a mesh, 5 a pose of b, 6 the pose of a; 1 .. 3 are nulls of the call.
static void spoil_question(Lane *lane, uint32_t flaw, Question *question, Call *call)
{
    imp_MeshPair *meshes = &question->meshes;
    call_expect(call, flaw >= 5 ? IMP_STATUS_BAD_NUMBER : IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    if (flaw == 4)
        *(choose(&lane->choices, 2) ? &meshes->a : &meshes->b) = NULL;
    if (flaw == 5) {
        uint32_t bad = choose(&lane->choices, (uint32_t)meshes->pose_count);
        question->poses[bad] = choose_bad_pose(&lane->choices);
        call_expect(call, IMP_STATUS_BAD_NUMBER, bad);
    }
    if (flaw == 6)
        meshes->pose_a = choose_bad_pose(&lane->choices);
}

static Call make_question_call(Lane *lane, Home *home, uint32_t flaw, Question *question)
{
    Call call = call_make(lane, flaw == 1 ? NULL : home, "%zu poses, %zu face pairs, flaw %u",
                          question->meshes.pose_count, question->wanted.count, flaw);
    if (flaw)
        spoil_question(lane, flaw, question, &call);
    return call;
}

static void ask_touch(Lane *lane, Home *home, Question *question)
{
    bool touch[MAX_QUERY_POSES];
    const imp_MeshPair *meshes = &question->meshes;
    uint32_t flaw = lane_flaw(lane, 6);
    if (meshes->pose_count == 0 && (flaw == 3 || flaw == 5))
        flaw = 0;
    Call call = make_question_call(lane, home, flaw, question);
    call_output(&call, touch, sizeof touch);
    CALL(&call, imp_meshes_touch,
         (flaw == 1 ? NULL : home->query, flaw == 2 ? NULL : meshes, flaw == 3 ? NULL : touch));
    for (size_t i = 0; call_is_done(&call) && i < meshes->pose_count; ++i) {
        bool wanted = question->ends[i] > (i ? question->ends[i - 1] : 0);
        CHECK_INT(touch[i], wanted);
        lane_count(lane, OUTCOME_query_touches, wanted);
        lane_count(lane, OUTCOME_query_apart, !wanted);
    }
}

// Compared with a world of both, made for each pose.
static void check_relations(Lane *lane, const imp_MeshPair *meshes, size_t pose, uint32_t found)
{
    imp_World *world = NULL;
    imp_BodyId ids[2];
    const imp_Report *report = NULL;
    const imp_BodyDef a = {.mesh = meshes->a, .pose = meshes->pose_a},
                      b = {.mesh = meshes->b, .pose = meshes->poses_b[pose]};
    CHECK_INT(imp_world_create(lane->reference, NULL, &world), IMP_STATUS_OK);
    CHECK_INT(imp_world_add_body(world, &a, &ids[0]), IMP_STATUS_OK);
    CHECK_INT(imp_world_add_body(world, &b, &ids[1]), IMP_STATUS_OK);
    CHECK_INT(imp_world_detect(world, NULL, &report), IMP_STATUS_OK);
    CHECK_INT(found, report->body_pair_count > 0 ? report->body_pairs[0].relations : 0);
    imp_world_destroy(world);
}

static void ask_relations(Lane *lane, Home *home, Question *question)
{
    uint32_t relations[MAX_QUERY_POSES];
    const imp_MeshPair *meshes = &question->meshes;
    uint32_t flaw = lane_flaw(lane, 6);
    if (meshes->pose_count == 0 && (flaw == 3 || flaw == 5))
        flaw = 0;
    Call call = make_question_call(lane, home, flaw, question);
    call_output(&call, relations, sizeof relations);
    CALL(&call, imp_meshes_relations,
         (flaw == 1 ? NULL : home->query, flaw == 2 ? NULL : meshes, flaw == 3 ? NULL : relations));
    for (size_t i = 0; call_is_done(&call) && i < meshes->pose_count; ++i)
        check_relations(lane, meshes, i, relations[i]);
}

static void ask_faces(Lane *lane, Home *home, Question *question)
{
    imp_FacePair pairs[MAX_QUERY_PAIRS];
    size_t ends[MAX_QUERY_POSES], count = 0, total = question->wanted.count, capacity = MAX_QUERY_PAIRS;
    const imp_MeshPair *meshes = &question->meshes;
    uint32_t flaw = lane_flaw(lane, 6);
    if (meshes->pose_count == 0 && flaw == 5)
        flaw = 0;
    if (total > 0 && choose_rarely(&lane->choices, 3))
        capacity = choose(&lane->choices, (uint32_t)total);
    bool has_ends = choose(&lane->choices, 3) != 2;
    Call call = make_question_call(lane, home, flaw, question);
    call_output(&call, pairs, sizeof pairs);
    if (has_ends)
        call_output(&call, ends, sizeof ends);
    call_count_output(&call, &count, sizeof count);
    if (!flaw && capacity < total)
        call_expect(&call, IMP_STATUS_BUFFER_SHORT, IMP_NOWHERE);
    CALL(&call, imp_meshes_face_pairs,
         (flaw == 1 ? NULL : home->query, flaw == 2 ? NULL : meshes, capacity ? pairs : NULL, capacity,
          has_ends ? ends : NULL, flaw == 3 ? NULL : &count));
    if (flaw)
        return;
    CHECK_INT(count, total);
    if (!call_is_done(&call))
        return;
    CHECK(total == 0 || memcmp(pairs, question->wanted.pairs, total * sizeof *pairs) == 0);
    if (has_ends && meshes->pose_count > 0)
        CHECK(memcmp(ends, question->ends, meshes->pose_count * sizeof *ends) == 0);
}

// Compared with a query of its own for each pose, which remembers nothing.
static void check_distances(Lane *lane, const imp_MeshPair *meshes, const imp_DistanceDef *def,
                            const imp_Distance *found)
{
    imp_DistanceDef plain = *def;
    plain.cancel = NULL;
    for (size_t i = 0; i < meshes->pose_count; ++i) {
        imp_Query *query = NULL;
        imp_Distance wanted = {.distance = -1};
        imp_MeshPair one = {meshes->a, meshes->b, meshes->pose_a, &meshes->poses_b[i], 1};
        CHECK_INT(imp_query_create(NULL, &query), IMP_STATUS_OK);
        CHECK_INT(imp_meshes_distance(query, &one, &plain, &wanted), IMP_STATUS_OK);
        CHECK(same_distance(&found[i], &wanted));
        lane_count(lane, OUTCOME_bodies_measured, !wanted.has_stopped && !wanted.touch);
        imp_query_destroy(query);
    }
}

static void ask_distance(Lane *lane, Home *home, Question *question)
{
    imp_Distance found[MAX_QUERY_POSES];
    const imp_MeshPair *meshes = &question->meshes;
    uint32_t flaw = lane_flaw(lane, 6 + DISTANCE_FLAWS);
    if (meshes->pose_count == 0 && (flaw == 3 || flaw == 5))
        flaw = 0;
    imp_DistanceDef def = choose_distance(lane, flaw > 6 ? flaw - 6 : 0);
    Call call = make_question_call(lane, home, flaw, question);
    call_output(&call, found, sizeof found);
    if (flaw > 6)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    CALL(&call, imp_meshes_distance,
         (flaw == 1 ? NULL : home->query, flaw == 2 ? NULL : meshes, &def, flaw == 3 ? NULL : found));
    if (call_is_done(&call))
        check_distances(lane, meshes, &def, found);
}

void step_query(Lane *lane)
{
    int number = (int)choose(&lane->choices, MAX_QUERIES);
    Home *home = &lane->queries[number];
    if (!home->query) {
        make_query(lane, home);
        return;
    }
    Question question;
    choose_question(lane, &question);
    if (CHECK(question.wanted.count <= MAX_QUERY_PAIRS)) {
        static void (*const questions[])(Lane *, Home *, Question *) = {ask_faces, ask_touch, ask_distance,
                                                                        ask_relations};
        questions[choose(&lane->choices, 4)](lane, home, &question);
    }
    face_pair_list_free(&question.wanted);
    if (choose_rarely(&lane->choices, 12))
        end_query(lane, number);
}
