// Whether a report is what the model says: to the byte where nothing limited it, and true as far as it goes
// where a budget did.
#include "call.h"
#include "reports.h"
#include "world_lane.h"

#include <stdio.h>
#include <string.h>

// The pairs that a detect which asks this may list.
static void list_wanted(const LaneWorld *world, const imp_DetectDef *def, PairList *wanted)
{
    uint32_t asked = def->ignore_containment ? (uint32_t)IMP_RELATION_TOUCH : ~(uint32_t)0;
    wanted->count = 0;
    for (size_t i = 0; i < world->truth.pairs.count; ++i) {
        imp_BodyPair pair = world->truth.pairs.pairs[i];
        pair.relations &= asked;
        if (pair.relations)
            wanted->pairs[wanted->count++] = pair;
    }
}

static bool is_face_of(const imp_TouchingFaces *faces, const imp_BodyPair *pair)
{
    return memcmp(&faces->body_a, &pair->body_a, sizeof pair->body_a) == 0 &&
           memcmp(&faces->body_b, &pair->body_b, sizeof pair->body_b) == 0;
}

// ---- no budget ended first

// The faces of a pair: where they begin in the truth, and how many they are.
static size_t find_faces(const LaneWorld *world, const imp_BodyPair *pair, size_t *count)
{
    const WorldTruth *truth = &world->truth;
    size_t first = 0;
    while (first < truth->face_count && !is_face_of(&truth->faces[first], pair))
        ++first;
    *count = 0;
    while (first + *count < truth->face_count && is_face_of(&truth->faces[first + *count], pair))
        ++*count;
    return first;
}

typedef struct WantedFaces {
    const imp_TouchingFaces *faces;
    size_t total;
    bool is_lower_bound;
} WantedFaces;

// Pairs are asked for their faces up to the one in which the limit is passed; the others' are unanswered.
static WantedFaces count_faces(const LaneWorld *world, const imp_DetectDef *def, PairList *wanted)
{
    uint64_t most = def->max_face_pairs && !def->count_all ? def->max_face_pairs : UINT64_MAX;
    WantedFaces found = {.faces = world->truth.faces};
    for (size_t i = 0; i < wanted->count && def->mode != IMP_DETECT_BODIES; ++i) {
        imp_BodyPair *pair = &wanted->pairs[i];
        size_t count, first = find_faces(world, pair, &count);
        if (found.total <= most) {
            if (found.total == 0 && count > 0)
                found.faces = world->truth.faces + first;
            found.total += count;
        } else if (pair->relations & IMP_RELATION_TOUCH) {
            pair->unanswered = IMP_QUESTION_FACES;
            found.is_lower_bound = true;
        }
        bool is_cut = pair->unanswered || (def->max_face_pairs && found.total > def->max_face_pairs);
        if (def->contacts && is_cut && pair->relations & IMP_RELATION_TOUCH)
            pair->unanswered |= IMP_QUESTION_CONTACTS;
    }
    return found;
}

static void check_faces(Lane *lane, const imp_DetectDef *def, const WantedFaces *wanted,
                        const imp_Report *report)
{
    size_t total = wanted->total;
    size_t kept = def->max_face_pairs && def->max_face_pairs < total ? (size_t)def->max_face_pairs : total;
    CHECK_INT((int64_t)report->face_pair_total, (int64_t)total);
    CHECK_INT(report->face_pair_count, kept);
    CHECK(report->truncated == (kept < total) && report->total_is_lower_bound == wanted->is_lower_bound);
    CHECK(report->face_pair_count == kept &&
          are_same_bytes(report->face_pairs, wanted->faces, kept * sizeof *wanted->faces));
    CHECK(def->mode == IMP_DETECT_BODIES ? report->candidate_face_pairs == 0
                                         : report->candidate_face_pairs >= total);
    lane_count(lane, OUTCOME_faces_truncated, report->truncated);
    lane_count(lane, OUTCOME_faces_uncounted, report->total_is_lower_bound);
}

// Each touching pair that was answered has its faces in regions, each once.
static void check_contacts(Lane *lane, const imp_DetectDef *def, const imp_Report *report)
{
    size_t faces = 0, wanted = 0;
    for (size_t i = 0; i < report->contact_count; ++i) {
        const imp_Contact *contact = &report->contacts[i];
        CHECK_INT((int64_t)contact->first_face, (int64_t)faces);
        faces += contact->face_count;
        CHECK(contact->face_count > 0 && contact->point_count > 0 && contact->normal_rule != 0);
        CHECK(contact->depth_lower_bound <= contact->depth);
        lane_count(lane, OUTCOME_contact_deep, contact->depth_lower_bound > 0);
        lane_count(lane, OUTCOME_contact_open, !contact->depth_is_known);
    }
    CHECK_INT((int64_t)faces, (int64_t)report->contact_face_count);
    for (size_t i = 0, k = 0; i < report->body_pair_count && def->contacts; ++i) {
        const imp_BodyPair *pair = &report->body_pairs[i];
        for (; k < report->face_pair_count &&
               memcmp(&report->face_pairs[k].body_a, &pair->body_a, sizeof pair->body_a) == 0 &&
               memcmp(&report->face_pairs[k].body_b, &pair->body_b, sizeof pair->body_b) == 0;
             ++k)
            wanted += !(pair->unanswered & IMP_QUESTION_CONTACTS);
    }
    CHECK_INT((int64_t)faces, (int64_t)wanted);
}

static void check_open_containers(const LaneWorld *world, const imp_DetectDef *def, const imp_Report *report)
{
    const WorldTruth *truth = &world->truth;
    size_t wanted = def->ignore_containment ? 0 : truth->open_container_count;
    if (def->mode == IMP_DETECT_FIRST) {
        CHECK(report->open_container_count <= wanted);
        return;
    }
    CHECK_INT(report->open_container_count, wanted);
    CHECK(report->open_container_count == wanted &&
          are_same_bytes(report->open_containers, truth->open_containers,
                         wanted * sizeof *report->open_containers));
}

static void check_complete(Lane *lane, LaneWorld *world, const imp_DetectDef *def, PairList *wanted,
                           const imp_Report *report)
{
    if (def->mode == IMP_DETECT_FIRST && wanted->count > 1)
        wanted->count = 1;
    WantedFaces faces = count_faces(world, def, wanted);
    CHECK_INT(report->undecided_count, 0);
    if (!CHECK(is_list(report->body_pairs, report->body_pair_count, wanted)))
        printf("  %zu body pairs, wanted %zu\n", report->body_pair_count, wanted->count);
    check_faces(lane, def, &faces, report);
    check_open_containers(world, def, report);
    lane_count(lane, OUTCOME_detect_first_found, def->mode == IMP_DETECT_FIRST && wanted->count > 0);
}

// ---- a budget ended first

static bool is_true_face(const LaneWorld *world, const imp_TouchingFaces *faces)
{
    for (size_t i = 0; i < world->truth.face_count; ++i)
        if (memcmp(faces, &world->truth.faces[i], sizeof *faces) == 0)
            return true;
    return false;
}

static bool lists_pair(const imp_BodyPair *pairs, size_t count, const imp_BodyPair *pair)
{
    for (size_t i = 0; i < count; ++i)
        if (memcmp(&pairs[i].body_a, &pair->body_a, sizeof pair->body_a) == 0 &&
            memcmp(&pairs[i].body_b, &pair->body_b, sizeof pair->body_b) == 0)
            return true;
    return false;
}

static void check_partial(LaneWorld *world, const imp_DetectDef *def, const PairList *wanted,
                          const imp_Report *report)
{
    CHECK(def->budget_us != 0 || def->budget_steps != 0);
    for (size_t i = 0; i < report->body_pair_count; ++i) {
        const imp_BodyPair *pair = &report->body_pairs[i], *known = find_pair(wanted, pair);
        if (!CHECK(known && pair->relations && !(pair->relations & ~known->relations)))
            continue;
        CHECK(pair->unanswered || pair->relations == known->relations);
    }
    for (size_t i = 0; i < report->undecided_count; ++i)
        CHECK(report->undecided[i].relations == 0 && report->undecided[i].unanswered != 0);
    for (size_t i = 0; i < report->face_pair_count; ++i)
        CHECK(is_true_face(world, &report->face_pairs[i]));
    CHECK(report->face_pair_count <= report->face_pair_total &&
          report->face_pair_total <= world->truth.face_count);
    CHECK(def->mode != IMP_DETECT_FIRST || report->body_pair_count <= 1);
    if (def->mode == IMP_DETECT_FIRST && report->body_pair_count > 0)
        return;
    for (size_t i = 0; i < wanted->count; ++i)
        CHECK(lists_pair(report->body_pairs, report->body_pair_count, &wanted->pairs[i]) ||
              lists_pair(report->undecided, report->undecided_count, &wanted->pairs[i]));
}

// ---- what begins and ends

// Contacts that could not be decided stay, and are neither begun nor ended.
static void check_changes(Lane *lane, LaneWorld *world, const imp_DetectDef *def, const imp_Report *report)
{
    PairList now, begun, ended;
    PairList *contacts = &world->contacts;
    if (def->mode == IMP_DETECT_FIRST) {
        CHECK(report->begun_count == 0 && report->ended_count == 0);
        return;
    }
    now.count = begun.count = ended.count = 0;
    for (size_t i = 0; i < report->body_pair_count; ++i) {
        now.pairs[now.count++] = report->body_pairs[i];
        if (!find_pair(contacts, &report->body_pairs[i]))
            begun.pairs[begun.count++] = report->body_pairs[i];
    }
    for (size_t i = 0; i < contacts->count; ++i) {
        const imp_BodyPair *pair = &contacts->pairs[i];
        if (find_pair(&now, pair))
            continue;
        bool is_open = lists_pair(report->undecided, report->undecided_count, pair);
        PairList *list = is_open ? &now : &ended;
        list->pairs[list->count++] = *pair;
    }
    qsort(now.pairs, now.count, sizeof *now.pairs, compare_body_pairs);
    CHECK(is_list(report->begun, report->begun_count, &begun));
    CHECK(is_list(report->ended, report->ended_count, &ended));
    lane_count(lane, OUTCOME_pair_begun, begun.count > 0);
    lane_count(lane, OUTCOME_pair_ended, ended.count > 0);
    *contacts = now;
}

// ---- all of it

static void count_truth(Lane *lane, const LaneWorld *world)
{
    for (size_t i = 0; i < world->truth.pairs.count; ++i) {
        const imp_BodyPair *pair = &world->truth.pairs.pairs[i];
        const ModelBody *a = &world->model.bodies[pair->body_a.slot - 1];
        const ModelBody *b = &world->model.bodies[pair->body_b.slot - 1];
        bool touch = pair->relations & IMP_RELATION_TOUCH;
        lane_count(lane, OUTCOME_bodies_touch, touch);
        lane_count(lane, OUTCOME_body_inside, !touch);
        lane_count(lane, OUTCOME_solids_touch, touch && a->def.convex && b->def.convex);
        lane_count(lane, OUTCOME_solid_touches_mesh, touch && !a->def.convex != !b->def.convex);
    }
    lane_count(lane, OUTCOME_open_container, world->truth.open_container_count > 0);
}

// A new world of the same bodies would give the same bytes.
static void compare_with_fresh_world(Lane *lane, const LaneWorld *world, const imp_DetectDef *def,
                                     const imp_Report *report)
{
    imp_DetectDef same = *def;
    const imp_Report *fresh_report = NULL;
    same.cancel = NULL;
    same.budget_us = same.budget_steps = 0;
    imp_World *fresh = world_model_build(&world->model, lane->reference, lane->shelf->meshes[0]);
    imp_Report known = *report;
    bool done = CHECK_INT(imp_world_detect(fresh, &same, &fresh_report), IMP_STATUS_OK);
    if (done && world->has_spheres) // which spare some candidates, budget or not
        known.candidate_face_pairs = fresh_report->candidate_face_pairs;
    if (done)
        CHECK(report_equals_fresh(&known, fresh_report));
    imp_world_destroy(fresh);
    lane_count(lane, OUTCOME_fresh_world_agrees, true);
}

void lane_world_check(Lane *lane, LaneWorld *world, const imp_DetectDef *def, const imp_Report *report)
{
    PairList wanted;
    if (!world->is_truth_fresh)
        world_truth_find(lane->reference, &world->model, &world->truth);
    lane_count(lane, OUTCOME_detect_again_unchanged, world->is_truth_fresh);
    world->is_truth_fresh = true;
    list_wanted(world, def, &wanted);
    CHECK(report->body_pair_count + report->undecided_count <= report->candidate_body_pairs);
    if (report->budget_spent)
        check_partial(world, def, &wanted, report);
    else
        check_complete(lane, world, def, &wanted, report);
    check_contacts(lane, def, report);
    check_changes(lane, world, def, report);
    count_truth(lane, world);
    lane_count(lane, OUTCOME_budget_spent, report->budget_spent);
    lane_count(lane, OUTCOME_budget_lasted, (def->budget_us || def->budget_steps) && !report->budget_spent);
    if (!report->budget_spent && choose_rarely(&lane->choices, 6))
        compare_with_fresh_world(lane, world, def, report);
}
