#include "playback/playback.h"

#include "base/clock.h"
#include "base/context.h"
#include "playback/overlaps.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NS_PER_MS     1e6
#define NO_FRAME      UINT32_MAX
#define MAX_SLOT_NAME 32

struct impi_Playback {
    imp_Context *context;
    impi_PlaybackDef def;
    imp_World *world;
    imp_BodyId *ids;
    imp_Vec3 *vertices; // room for those of any body that deforms
    size_t most_vertices, most_triangles;
    impi_History history;
    impi_OverlapJudge *judge;             // null: nobody asked
    IMPI_ARRAY(impi_NearPair) near_pairs; // of the frame being played
    uint32_t placed_frame;                // where the bodies are; NO_FRAME: elsewhere
    bool has_targets;                     // and the bodies are where a sweep begins
    double advanced_to;                   // the time of a sweep that bodies are at; NaN: of none
    // Of the last frame played:
    const imp_Report *report;
    const bool *overlaps;
};

// ---- errors

// Say which body and frame the world's error is about.
static imp_Status refuse_body(const impi_Playback *playback, imp_Status status, uint32_t frame, size_t body)
{
    char reason[IMP_MAX_ERROR_MESSAGE];
    const char *name = impi_motion_body(&playback->def.motion, body).name;
    memcpy(reason, imp_context_get_error(playback->context)->message, sizeof reason);
    if (playback->def.motion.is_still)
        return impi_fail(playback->context, status, body, "%s: %s", name, reason);
    return impi_fail(playback->context, status, body, "frame %u: body %zu (%s): %s", frame, body, name,
                     reason);
}

static imp_Status refuse_frame(const impi_Playback *playback, imp_Status status, uint32_t frame)
{
    char reason[IMP_MAX_ERROR_MESSAGE];
    uint64_t index = imp_context_get_error(playback->context)->index;
    if (playback->def.motion.is_still)
        return status;
    memcpy(reason, imp_context_get_error(playback->context)->message, sizeof reason);
    return impi_fail(playback->context, status, index, "frame %u: %s", frame, reason);
}

// The world calls bodies by their slots.
static imp_Status refuse_sweep(const impi_Playback *playback, imp_Status status, uint32_t frame)
{
    const imp_Error *error = imp_context_get_error(playback->context);
    char slot_name[MAX_SLOT_NAME], reason[IMP_MAX_ERROR_MESSAGE];
    int length = snprintf(slot_name, sizeof slot_name, "body %" PRIu64 " ", error->index);
    if (error->index == 0 || error->index > playback->def.motion.body_count ||
        strncmp(error->message, slot_name, (size_t)length) != 0)
        return refuse_frame(playback, status, frame);
    size_t body = (size_t)error->index - 1;
    memcpy(reason, error->message, sizeof reason);
    status = impi_fail(playback->context, status, body, "%s (body %zu) %s",
                       impi_motion_body(&playback->def.motion, body).name, body, reason + length);
    return refuse_frame(playback, status, frame);
}

// ---- what holds for pairs of bodies

static impi_PairRule rule_of(const impi_Playback *playback, uint32_t body_a, uint32_t body_b)
{
    const impi_PairRules *rules = playback->def.rules;
    return rules ? impi_pair_rules_of(rules, body_a, body_b) : (impi_PairRule){.is_ignored = false};
}

static bool may_be_compared(imp_BodyId a, imp_BodyId b, void *user)
{
    return !rule_of(user, a.slot - 1, b.slot - 1).is_ignored; // see add_bodies
}

double impi_playback_clearance(const impi_Playback *playback, uint32_t body_a, uint32_t body_b)
{
    impi_PairRule rule = rule_of(playback, body_a, body_b);
    bool is_told = playback->def.has_clearance ? rule.has_own_clearance : rule.has_clearance;
    if (is_told && !playback->def.ignores_clearances)
        return rule.clearance;
    return playback->def.has_clearance ? playback->def.clearance : -1;
}

double impi_playback_touch_depth(const impi_Playback *playback, uint32_t body_a, uint32_t body_b)
{
    impi_PairRule rule = rule_of(playback, body_a, body_b);
    const impi_BodyRounding *roundings = playback->def.roundings;
    bool is_told = playback->def.has_touch_depth ? rule.has_own_touch_depth : rule.has_touch_depth;
    double depth = is_told ? rule.touch_depth : playback->def.touch_depth;
    if (!roundings || (!roundings[body_a].was_converted && !roundings[body_b].was_converted))
        return depth;
    depth = depth > roundings[body_a].depth ? depth : roundings[body_a].depth;
    return depth > roundings[body_b].depth ? depth : roundings[body_b].depth;
}

static double touch_depth_of(uint32_t body_a, uint32_t body_b, const void *playback)
{
    return impi_playback_touch_depth(playback, body_a, body_b);
}

// ---- opening

static imp_Status check(imp_Context *context, const impi_PlaybackDef *def)
{
    if (!def || !def->motion.body || !def->motion.place)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "a playback needs a motion with both of its functions");
    if (def->motion.body_count >= UINT32_MAX)
        return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE, "%zu bodies are too many",
                         def->motion.body_count);
    return IMP_STATUS_OK;
}

static size_t most_deforming_vertices(const impi_Motion *motion)
{
    for (size_t i = 0; i < motion->body_count; ++i)
        if (impi_motion_body(motion, i).deforms)
            return impi_motion_most_vertices(motion);
    return 0;
}

static imp_Status allocate(impi_Playback *playback)
{
    const imp_Allocator *allocator = &playback->context->allocator;
    size_t body_count = playback->def.motion.body_count;
    playback->most_vertices = most_deforming_vertices(&playback->def.motion);
    playback->most_triangles = impi_motion_most_triangles(&playback->def.motion);
    playback->ids = impi_allocate_array(allocator, body_count, sizeof *playback->ids);
    playback->vertices = impi_allocate_array(allocator, playback->most_vertices, sizeof *playback->vertices);
    if ((body_count && !playback->ids) || (playback->most_vertices && !playback->vertices))
        return impi_fail_out_of_memory(playback->context);
    return IMP_STATUS_OK;
}

// The bodies come to the world in the poses of the first frame, so that none is refused for a place where it
// never is.
static imp_Status add_bodies(impi_Playback *playback)
{
    const impi_Motion *motion = &playback->def.motion;
    imp_WorldDef def = {.expected_body_count = (uint32_t)motion->body_count};
    imp_Status status = imp_world_create(playback->context, &def, &playback->world);
    if (status == IMP_STATUS_OK && playback->def.rules && impi_pair_rules_excludes(playback->def.rules))
        status = imp_world_set_pair_filter(playback->world, may_be_compared, playback);
    for (size_t i = 0; status == IMP_STATUS_OK && i < motion->body_count; ++i) {
        impi_MotionBody source = impi_motion_body(motion, i);
        imp_BodyDef body = {.mesh = source.convex ? NULL : source.mesh, .convex = source.convex};
        status = impi_motion_place(playback->context, motion, 0, i, &body.pose, NULL);
        if (status != IMP_STATUS_OK)
            return status;
        status = imp_world_add_body(playback->world, &body, &playback->ids[i]);
        if (status != IMP_STATUS_OK)
            return refuse_body(playback, status, 0, i);
        assert(playback->ids[i].slot == i + 1); // as impi_history_note expects
    }
    return status;
}

imp_Status impi_playback_open(imp_Context *context, const impi_PlaybackDef *def, impi_Playback **playback)
{
    if (!context || !playback)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "the context or the playback is null");
    imp_Status status = check(context, def);
    if (status != IMP_STATUS_OK)
        return status;
    impi_Playback *made = impi_allocate(&context->allocator, sizeof *made);
    if (!made)
        return impi_fail_out_of_memory(context);
    *made = (impi_Playback){.context = context, .def = *def, .placed_frame = NO_FRAME, .advanced_to = NAN};
    status = allocate(made);
    if (status == IMP_STATUS_OK)
        status = add_bodies(made);
    if (status == IMP_STATUS_OK && def->judges_overlaps)
        status = impi_overlap_judge_create(context, &made->def.motion, touch_depth_of, made, &made->judge);
    if (status == IMP_STATUS_OK)
        *playback = made;
    else
        impi_playback_close(made);
    return status;
}

void impi_playback_close(impi_Playback *playback)
{
    if (!playback)
        return;
    const imp_Allocator *allocator = &playback->context->allocator;
    impi_overlap_judge_destroy(playback->judge);
    imp_world_destroy(playback->world);
    impi_array_free(allocator, &playback->near_pairs, sizeof *playback->near_pairs.data);
    impi_history_free(allocator, &playback->history);
    impi_release(allocator, playback->ids, playback->def.motion.body_count * sizeof *playback->ids);
    impi_release(allocator, playback->vertices, playback->most_vertices * sizeof *playback->vertices);
    impi_release(allocator, playback, sizeof *playback);
}

// ---- playing

static imp_Status move_body(impi_Playback *playback, uint32_t frame, size_t body)
{
    const impi_Motion *motion = &playback->def.motion;
    impi_MotionBody source = impi_motion_body(motion, body);
    imp_Pose pose;
    imp_Status status = impi_motion_place(playback->context, motion, frame, body, &pose, playback->vertices);
    if (status != IMP_STATUS_OK)
        return status;
    status = imp_body_set_pose(playback->world, playback->ids[body], pose);
    if (status == IMP_STATUS_OK && source.deforms)
        status = imp_body_set_vertices(playback->world, playback->ids[body], &playback->vertices->x,
                                       imp_mesh_get_vertex_count(source.mesh));
    return status == IMP_STATUS_OK ? status : refuse_body(playback, status, frame, body);
}

// The largest of all that is asked for; less than 0 where none is.
static double largest_clearance(const impi_Playback *playback)
{
    double largest = playback->def.has_clearance ? playback->def.clearance : -1;
    double of_rules;
    if (!playback->def.rules || playback->def.ignores_clearances ||
        !impi_pair_rules_max_clearance(playback->def.rules, &of_rules))
        return largest;
    return largest > of_rules ? largest : of_rules;
}

// Is a pair that is near by the largest clearance near by its own? Where bounds leave that open the world
// decides it.
static imp_Status is_too_near(impi_Playback *playback, const imp_NearBodies *pair, bool *is_near)
{
    double own = impi_playback_clearance(playback, pair->body_a.slot - 1, pair->body_b.slot - 1);
    *is_near = own >= 0 && pair->distance.distance <= own;
    if (*is_near || own <= 0 || pair->distance.lower_bound > own)
        return IMP_STATUS_OK;
    const imp_DistanceDef def = {.stop_above = own, .ignore_containment = true};
    imp_Distance distance = {.has_stopped = true};
    imp_Status status = imp_world_distance(playback->world, pair->body_a, pair->body_b, &def, &distance);
    *is_near = !distance.has_stopped;
    return status;
}

static imp_Status list_near(impi_Playback *playback, impi_Findings *found)
{
    const imp_ClearanceReport *report = NULL;
    const imp_ClearanceDef def = {.distance = largest_clearance(playback)};
    playback->near_pairs.count = 0;
    if (def.distance < 0)
        return IMP_STATUS_OK;
    imp_Status status = imp_world_clearance(playback->world, &def, &report);
    if (status != IMP_STATUS_OK)
        return status;
    if (!impi_array_reserve(&playback->context->allocator, &playback->near_pairs,
                            sizeof *playback->near_pairs.data, report->pair_count))
        return impi_fail_out_of_memory(playback->context);
    for (size_t i = 0; i < report->pair_count && status == IMP_STATUS_OK; ++i) {
        const imp_NearBodies *pair = &report->pairs[i];
        bool is_near = false;
        status = is_too_near(playback, pair, &is_near);
        if (is_near)
            playback->near_pairs.data[playback->near_pairs.count++] =
                (impi_NearPair){pair->body_a.slot - 1, pair->body_b.slot - 1, pair->distance};
    }
    found->near_pairs = playback->near_pairs.data;
    found->near_pair_count = playback->near_pairs.count;
    return status;
}

static imp_Status find_out(impi_Playback *playback, uint32_t frame, impi_Findings *found)
{
    uint64_t start = impi_clock_ns();
    imp_Status status = imp_world_detect(playback->world, &playback->def.detect, &found->report);
    if (status == IMP_STATUS_OK && playback->def.lists_near)
        status = list_near(playback, found);
    if (status == IMP_STATUS_OK && playback->judge)
        status = impi_overlaps_judge(playback->judge, frame, found->report, &found->overlaps);
    found->milliseconds = (double)(impi_clock_ns() - start) / NS_PER_MS;
    return status;
}

static imp_Status place_bodies(impi_Playback *playback, uint32_t frame)
{
    imp_Status status = IMP_STATUS_OK;
    playback->placed_frame = NO_FRAME;
    playback->advanced_to = NAN;
    playback->has_targets = false;
    for (size_t i = 0; i < playback->def.motion.body_count && status == IMP_STATUS_OK; ++i)
        status = move_body(playback, frame, i);
    if (status == IMP_STATUS_OK)
        playback->placed_frame = frame;
    return status;
}

static imp_Status play(impi_Playback *playback, uint32_t frame)
{
    impi_Findings found = {.report = NULL};
    playback->report = NULL;
    playback->overlaps = NULL;
    imp_Status status = place_bodies(playback, frame);
    if (status != IMP_STATUS_OK)
        return status;
    status = find_out(playback, frame, &found);
    if (status != IMP_STATUS_OK)
        return refuse_frame(playback, status, frame);
    if (!impi_history_note(&playback->context->allocator, &playback->history, frame, &found,
                           playback->most_triangles)) {
        status = impi_fail(playback->context, IMP_STATUS_OUT_OF_MEMORY, IMP_NOWHERE,
                           "out of memory for what touches");
        return refuse_frame(playback, status, frame);
    }
    playback->report = found.report;
    playback->overlaps = found.overlaps;
    return IMP_STATUS_OK;
}

static imp_Status check_frame(const impi_Playback *playback, uint64_t number)
{
    if (number < playback->def.motion.frame_count)
        return IMP_STATUS_OK;
    return impi_fail(playback->context, IMP_STATUS_BAD_INDEX, number,
                     "there is no frame %" PRIu64 "; there are %u, counting from 0", number,
                     playback->def.motion.frame_count);
}

imp_Status impi_playback_step(impi_Playback *playback, uint32_t number, impi_PlayedFrame *frame)
{
    if (!playback)
        return IMP_STATUS_BAD_ARGUMENT;
    if (check_frame(playback, number) != IMP_STATUS_OK)
        return IMP_STATUS_BAD_INDEX;
    if (!impi_history_frame(&playback->history, number).is_played) {
        imp_Status status = play(playback, number);
        if (status != IMP_STATUS_OK)
            return status;
    }
    if (frame)
        *frame = impi_history_frame(&playback->history, number);
    return IMP_STATUS_OK;
}

// ---- sweeping

static imp_Status set_target(impi_Playback *playback, uint32_t frame, size_t body)
{
    const impi_Motion *motion = &playback->def.motion;
    impi_MotionBody source = impi_motion_body(motion, body);
    impi_BodyPath path =
        playback->def.paths ? playback->def.paths[body] : (impi_BodyPath){.path = IMP_PATH_AUTO};
    imp_TargetDef target = {.path = path.path, .pivot = path.pivot, .axis = path.axis, .turns = path.turns};
    imp_Status status =
        impi_motion_place(playback->context, motion, frame, body, &target.pose, playback->vertices);
    if (status != IMP_STATUS_OK)
        return status;
    if (source.deforms) {
        target.vertices = &playback->vertices->x;
        target.vertex_count = imp_mesh_get_vertex_count(source.mesh);
    }
    status = imp_body_set_target(playback->world, playback->ids[body], &target);
    return status == IMP_STATUS_OK ? status : refuse_body(playback, status, frame, body);
}

imp_Status impi_playback_sweep(impi_Playback *playback, uint32_t frame, const imp_SweepDef *def,
                               const imp_SweepReport **report)
{
    imp_Status status = IMP_STATUS_OK;
    if (!playback || !report)
        return IMP_STATUS_BAD_ARGUMENT;
    if (check_frame(playback, (uint64_t)frame + 1) != IMP_STATUS_OK)
        return IMP_STATUS_BAD_INDEX;
    playback->has_targets = false;
    if (playback->placed_frame != frame)
        status = place_bodies(playback, frame);
    for (size_t i = 0; i < playback->def.motion.body_count && status == IMP_STATUS_OK; ++i)
        status = set_target(playback, frame + 1, i);
    if (status != IMP_STATUS_OK)
        return status;
    status = imp_world_sweep(playback->world, def, report);
    playback->has_targets = status == IMP_STATUS_OK;
    return status == IMP_STATUS_OK ? status : refuse_sweep(playback, status, frame);
}

imp_Status impi_playback_pose_at(impi_Playback *playback, double time, size_t body, imp_Pose *pose)
{
    if (!playback || !pose || body >= playback->def.motion.body_count)
        return IMP_STATUS_BAD_ARGUMENT;
    if (playback->has_targets) {
        imp_Status status = imp_world_advance(playback->world, time);
        if (status != IMP_STATUS_OK)
            return status;
        playback->has_targets = false;
        playback->placed_frame = NO_FRAME;
        playback->advanced_to = time;
    }
    if (playback->advanced_to != time)
        return impi_fail(playback->context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "the bodies are on no way that was swept, or have been moved on");
    return imp_body_get_pose(playback->world, playback->ids[body], pose);
}

const imp_Report *impi_playback_get_report(const impi_Playback *playback)
{
    return playback->report;
}

const bool *impi_playback_get_overlaps(const impi_Playback *playback)
{
    return playback->overlaps;
}

imp_Status impi_playback_distance(impi_Playback *playback, uint32_t body_a, uint32_t body_b,
                                  imp_Distance *distance)
{
    if (!playback || !distance)
        return IMP_STATUS_BAD_ARGUMENT;
    if (body_a >= playback->def.motion.body_count || body_b >= playback->def.motion.body_count)
        return impi_fail(playback->context, IMP_STATUS_BAD_INDEX, body_a > body_b ? body_a : body_b,
                         "there is no body %u; there are %zu, counting from 0",
                         body_a > body_b ? body_a : body_b, playback->def.motion.body_count);
    return imp_world_distance(playback->world, playback->ids[body_a], playback->ids[body_b], NULL, distance);
}

const impi_History *impi_playback_get_history(const impi_Playback *playback)
{
    return &playback->history;
}

const impi_Motion *impi_playback_get_motion(const impi_Playback *playback)
{
    return &playback->def.motion;
}
