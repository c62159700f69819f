#include "playback/playback.h"

#include "base/clock.h"
#include "base/context.h"

#include <assert.h>
#include <string.h>

#define NS_PER_MS 1e6

struct impi_Playback {
    imp_Context *context;
    impi_Motion motion;
    imp_DetectDef detect;
    bool lists_near;
    imp_ClearanceDef clearance;
    imp_World *world;
    imp_BodyId *ids;
    imp_Vec3 *vertices; // room for those of any body that deforms
    size_t most_vertices, most_triangles;
    impi_History history;
    const imp_Report *report; // of the last frame played
};

// ---- errors

// Say which body and frame the world's error is about.
static imp_Status refuse_body(const impi_Playback *playback, imp_Status status, uint32_t frame, size_t body)
{
    char reason[IMP_MAX_ERROR_MESSAGE];
    const char *name = impi_motion_body(&playback->motion, body).name;
    memcpy(reason, imp_context_get_error(playback->context)->message, sizeof reason);
    if (playback->motion.is_still)
        return impi_fail(playback->context, status, body, "%s: %s", name, reason);
    return impi_fail(playback->context, status, body, "frame %u: body %zu (%s): %s", frame, body, name,
                     reason);
}

static imp_Status refuse_frame(const impi_Playback *playback, imp_Status status, uint32_t frame)
{
    char reason[IMP_MAX_ERROR_MESSAGE];
    uint64_t index = imp_context_get_error(playback->context)->index;
    if (playback->motion.is_still)
        return status;
    memcpy(reason, imp_context_get_error(playback->context)->message, sizeof reason);
    return impi_fail(playback->context, status, index, "frame %u: %s", frame, reason);
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
    size_t body_count = playback->motion.body_count;
    playback->most_vertices = most_deforming_vertices(&playback->motion);
    playback->most_triangles = impi_motion_most_triangles(&playback->motion);
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
    const impi_Motion *motion = &playback->motion;
    imp_WorldDef def = {.expected_body_count = (uint32_t)motion->body_count};
    imp_Status status = imp_world_create(playback->context, &def, &playback->world);
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
    *made = (impi_Playback){.context = context,
                            .motion = def->motion,
                            .detect = def->detect,
                            .lists_near = def->lists_near,
                            .clearance = def->clearance};
    status = allocate(made);
    if (status == IMP_STATUS_OK)
        status = add_bodies(made);
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
    imp_world_destroy(playback->world);
    impi_history_free(allocator, &playback->history);
    impi_release(allocator, playback->ids, playback->motion.body_count * sizeof *playback->ids);
    impi_release(allocator, playback->vertices, playback->most_vertices * sizeof *playback->vertices);
    impi_release(allocator, playback, sizeof *playback);
}

// ---- playing

static imp_Status move_body(impi_Playback *playback, uint32_t frame, size_t body)
{
    const impi_Motion *motion = &playback->motion;
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

static imp_Status play(impi_Playback *playback, uint32_t frame)
{
    impi_Findings found = {.report = NULL};
    playback->report = NULL;
    for (size_t i = 0; i < playback->motion.body_count; ++i) {
        imp_Status status = move_body(playback, frame, i);
        if (status != IMP_STATUS_OK)
            return status;
    }
    uint64_t start = impi_clock_ns();
    imp_Status status = imp_world_detect(playback->world, &playback->detect, &found.report);
    if (status == IMP_STATUS_OK && playback->lists_near)
        status = imp_world_clearance(playback->world, &playback->clearance, &found.clearance);
    found.milliseconds = (double)(impi_clock_ns() - start) / NS_PER_MS;
    if (status != IMP_STATUS_OK)
        return refuse_frame(playback, status, frame);
    if (!impi_history_note(&playback->context->allocator, &playback->history, frame, &found,
                           playback->most_triangles)) {
        status = impi_fail(playback->context, IMP_STATUS_OUT_OF_MEMORY, IMP_NOWHERE,
                           "out of memory for what touches");
        return refuse_frame(playback, status, frame);
    }
    playback->report = found.report;
    return IMP_STATUS_OK;
}

imp_Status impi_playback_step(impi_Playback *playback, uint32_t number, impi_PlayedFrame *frame)
{
    if (!playback)
        return IMP_STATUS_BAD_ARGUMENT;
    if (number >= playback->motion.frame_count)
        return impi_fail(playback->context, IMP_STATUS_BAD_INDEX, number,
                         "there is no frame %u; there are %u, counting from 0", number,
                         playback->motion.frame_count);
    if (!impi_history_frame(&playback->history, number).is_played) {
        imp_Status status = play(playback, number);
        if (status != IMP_STATUS_OK)
            return status;
    }
    if (frame)
        *frame = impi_history_frame(&playback->history, number);
    return IMP_STATUS_OK;
}

const imp_Report *impi_playback_get_report(const impi_Playback *playback)
{
    return playback->report;
}

imp_Status impi_playback_distance(impi_Playback *playback, uint32_t body_a, uint32_t body_b,
                                  imp_Distance *distance)
{
    if (!playback || !distance)
        return IMP_STATUS_BAD_ARGUMENT;
    if (body_a >= playback->motion.body_count || body_b >= playback->motion.body_count)
        return impi_fail(playback->context, IMP_STATUS_BAD_INDEX, body_a > body_b ? body_a : body_b,
                         "there is no body %u; there are %zu, counting from 0",
                         body_a > body_b ? body_a : body_b, playback->motion.body_count);
    return imp_world_distance(playback->world, playback->ids[body_a], playback->ids[body_b], NULL, distance);
}

const impi_History *impi_playback_get_history(const impi_Playback *playback)
{
    return &playback->history;
}

const impi_Motion *impi_playback_get_motion(const impi_Playback *playback)
{
    return &playback->motion;
}
