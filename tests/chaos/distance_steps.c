// Steps of distances and clearances of worlds. Answers are compared with those of a fresh world.
#include "call.h"
#include "same_distance.h"
#include "steps.h"
#include "world_lane.h"

static double choose_length(Lane *lane)
{
    return choose(&lane->choices, 3) ? choose_between(&lane->choices, 0, 2) : choose(&lane->choices, 4);
}

imp_DistanceDef choose_distance(Lane *lane, uint32_t flaw)
{
    imp_DistanceDef def = {.ignore_containment = choose_rarely(&lane->choices, 4)};
    if (choose_rarely(&lane->choices, 3))
        def.relative_accuracy = choose(&lane->choices, 2) ? 1e-3 : 1e-12;
    if (choose_rarely(&lane->choices, 3))
        *(choose(&lane->choices, 2) ? &def.stop_below : &def.stop_above) = choose_length(lane);
    double bad = choose(&lane->choices, 2) ? -1 : choose_bad_number(&lane->choices);
    if (flaw == 1)
        def.relative_accuracy = choose(&lane->choices, 2) ? 1 : bad;
    if (flaw == 2)
        *(choose(&lane->choices, 2) ? &def.stop_below : &def.stop_above) = bad;
    if (flaw == 3)
        spoil_reserved(lane, def.reserved, sizeof def.reserved);
    return def;
}

imp_World *lane_world_make_fresh(Lane *lane, const LaneWorld *world)
{
    return world_model_build(&world->model, lane->reference, lane_mesh(lane));
}

// -------------------------------------------------------------------------------------------- distances

static void check_distance(Lane *lane, const LaneWorld *world, const ModelBody *a, const ModelBody *b,
                           const imp_DistanceDef *def, const imp_Distance *found)
{
    imp_World *fresh = lane_world_make_fresh(lane, world);
    imp_Distance wanted = {.distance = -1};
    imp_DistanceDef plain = *def;
    plain.cancel = NULL;
    CHECK_INT(imp_world_distance(fresh, a->id, b->id, &plain, &wanted), IMP_STATUS_OK);
    if (!CHECK(same_distance(found, &wanted))) {
        print_distance("found", found);
        print_distance("fresh", &wanted);
    }
    CHECK(found->lower_bound <= found->distance &&
          (found->has_stopped || found->touch == (found->distance == 0)));
    lane_count(lane, OUTCOME_bodies_measured, !found->has_stopped && !found->touch);
    lane_count(lane, OUTCOME_measure_stopped, found->has_stopped);
    imp_world_destroy(fresh);
}

// Flaws: 1 no world, 2 nowhere to write to, 3 a body and itself, then those of the def.
void lane_world_distance(Lane *lane, LaneWorld *world)
{
    imp_BodyId id_a, id_b;
    ModelBody *a = lane_world_choose(lane, world, &id_a), *b = lane_world_choose(lane, world, &id_b);
    uint32_t flaw = a && b ? lane_flaw(lane, 3 + DISTANCE_FLAWS) : 0;
    imp_DistanceDef def = choose_distance(lane, flaw > 3 ? flaw - 3 : 0);
    imp_Distance found;
    if (flaw == 3) {
        b = a;
        id_b = id_a;
    }
    def.cancel = choose_rarely(&lane->choices, 3) ? lane_cancel(lane) : NULL;
    Call call =
        call_make(lane, flaw == 1 ? NULL : world->home, "bodies %u and %u, below %g, above %g, flaw %u",
                  id_a.slot, id_b.slot, def.stop_below, def.stop_above, flaw);
    call_output(&call, &found, sizeof found);
    if (flaw || (a && a == b))
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    else if (!a || !b)
        call_expect(&call, IMP_STATUS_BAD_INDEX, ANY_INDEX);
    else
        call.cancel = (imp_Cancel *)def.cancel;
    call.obeys_at_once = true;
    CALL(&call, imp_world_distance,
         (flaw == 1 ? NULL : world->world, id_a, id_b, &def, flaw == 2 ? NULL : &found));
    if (call_is_done(&call) && a && b)
        check_distance(lane, world, a, b, &def, &found);
}

// ------------------------------------------------------------------------------------------- clearances

static void check_lists(const imp_ClearanceReport *report, const imp_ClearanceReport *wanted)
{
    CHECK_INT(report->pair_count, wanted->pair_count);
    CHECK_INT(report->face_pair_count, wanted->face_pair_count);
    CHECK(report->face_pair_total == wanted->face_pair_total && report->truncated == wanted->truncated &&
          report->total_is_lower_bound == wanted->total_is_lower_bound &&
          report->candidate_body_pairs == wanted->candidate_body_pairs);
    for (size_t i = 0; i < report->pair_count && i < wanted->pair_count; ++i)
        CHECK(report->pairs[i].body_a.slot == wanted->pairs[i].body_a.slot &&
              report->pairs[i].body_b.slot == wanted->pairs[i].body_b.slot &&
              same_distance(&report->pairs[i].distance, &wanted->pairs[i].distance));
    CHECK(report->face_pair_count == wanted->face_pair_count &&
          are_same_bytes(report->face_pairs, wanted->face_pairs,
                         report->face_pair_count * sizeof *report->face_pairs));
}

static void check_changes(Lane *lane, LaneWorld *world, const imp_ClearanceReport *report)
{
    static _Thread_local PairList now, begun, ended;
    now.count = 0;
    for (size_t i = 0; i < report->pair_count; ++i)
        now.pairs[now.count++] = (imp_BodyPair){report->pairs[i].body_a, report->pairs[i].body_b, 0, 0};
    list_missing(&now, &world->near, &begun);
    list_missing(&world->near, &now, &ended);
    CHECK(is_list(report->begun, report->begun_count, &begun));
    CHECK(is_list(report->ended, report->ended_count, &ended));
    lane_count(lane, OUTCOME_near_begun, begun.count > 0);
    lane_count(lane, OUTCOME_near_ended, ended.count > 0);
    world->near = now;
}

static void check_clearance(Lane *lane, LaneWorld *world, const imp_ClearanceDef *def,
                            const imp_ClearanceReport *report)
{
    imp_World *fresh = lane_world_make_fresh(lane, world);
    imp_ClearanceDef plain = *def;
    const imp_ClearanceReport *wanted = NULL;
    plain.cancel = NULL;
    if (CHECK_INT(imp_world_clearance(fresh, &plain, &wanted), IMP_STATUS_OK))
        check_lists(report, wanted);
    imp_world_destroy(fresh);
    check_changes(lane, world, report);
    lane_count(lane, OUTCOME_bodies_near, report->pair_count > 0);
    lane_count(lane, OUTCOME_near_faces_truncated, report->truncated);
}

// Flaws: 1 no world, 2 nowhere to write to, 3 the distance, 4 the accuracy, 5 reserved.
void lane_world_clearance(Lane *lane, LaneWorld *world)
{
    const imp_ClearanceReport *report = NULL;
    uint32_t flaw = lane_flaw(lane, 5);
    bool has_def = flaw || choose(&lane->choices, 6) != 5;
    imp_ClearanceDef def = {.distance = has_def ? choose_length(lane) : 0};
    if (has_def) {
        def.face_pairs = choose(&lane->choices, 2);
        def.count_all = choose(&lane->choices, 2);
        def.ignore_containment = choose_rarely(&lane->choices, 4);
        def.max_face_pairs = choose(&lane->choices, 2) ? 1 + choose(&lane->choices, 100) : 0;
        def.cancel = choose_rarely(&lane->choices, 3) ? lane_cancel(lane) : NULL;
    }
    if (flaw == 3)
        def.distance = choose(&lane->choices, 2) ? -1 : choose_bad_number(&lane->choices);
    if (flaw == 4)
        def.relative_accuracy = choose(&lane->choices, 2) ? 1 : choose_bad_number(&lane->choices);
    if (flaw == 5)
        spoil_reserved(lane, def.reserved, sizeof def.reserved);
    Call call = call_make(
        lane, flaw == 1 ? NULL : world->home, "%zu bodies, distance %g, faces %d, most %d, flaw %u",
        world_model_count(&world->model), def.distance, def.face_pairs, (int)def.max_face_pairs, flaw);
    call_output(&call, &report, sizeof report);
    if (flaw)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    else
        call.cancel = (imp_Cancel *)def.cancel;
    call.obeys_at_once = true;
    CALL(&call, imp_world_clearance,
         (flaw == 1 ? NULL : world->world, has_def ? &def : NULL, flaw == 2 ? NULL : &report));
    if (call_is_done(&call))
        check_clearance(lane, world, &def, report);
}
