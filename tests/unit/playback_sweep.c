#include "playback/meetings.h"

#include "failing_allocator.h"
#include "playback_fixture.h"

#include <math.h>

static impi_Meetings play_and_sweep(imp_Context *context, impi_Playback *playback)
{
    impi_Meetings meetings = {0};
    const imp_SweepReport *report;
    uint32_t frame_count = impi_playback_get_motion(playback)->frame_count;
    for (uint32_t frame = 0; frame < frame_count; ++frame) {
        CHECK_INT(impi_playback_step(playback, frame, NULL), IMP_STATUS_OK);
        if (frame + 1 < frame_count &&
            CHECK_INT(impi_playback_sweep(playback, frame, NULL, &report), IMP_STATUS_OK))
            CHECK_INT(impi_meetings_note(context, &meetings, frame, report), IMP_STATUS_OK);
    }
    return meetings;
}

static bool touch_in(const impi_History *history, size_t frame, uint32_t body_a, uint32_t body_b)
{
    impi_PlayedFrame played = impi_history_frame(history, frame);
    const impi_PlayedPair *pair = impi_frame_find_pair(&played, body_a, body_b);
    return pair && (pair->relations & IMP_RELATION_TOUCH);
}

static const impi_Meeting *find_meeting(const impi_Meetings *meetings, uint32_t frame, uint32_t body_a,
                                        uint32_t body_b)
{
    for (size_t i = 0; i < meetings->list.count; ++i) {
        const impi_Meeting *meeting = &meetings->list.data[i];
        if (meeting->frame == frame && meeting->body_a == body_a && meeting->body_b == body_b)
            return meeting;
    }
    return NULL;
}

// Whatever begins to touch from one frame to the next meets between them, and what meets did not touch
// before.
TEST(meetings_are_where_contacts_begin)
{
    imp_Context *context = context_with_threads(2);
    Parade parade = parade_make(context);
    impi_Playback *playback = open_parade(context, &parade);
    impi_Meetings meetings = play_and_sweep(context, playback);
    const impi_History *history = impi_playback_get_history(playback);
    size_t begun = 0;
    for (uint32_t frame = 0; frame + 1 < PARADE_FRAMES; ++frame)
        for (uint32_t a = 0; a < PARADE_BODIES; ++a)
            for (uint32_t b = a + 1; b < PARADE_BODIES; ++b)
                if (!touch_in(history, frame, a, b) && touch_in(history, frame + 1, a, b)) {
                    const impi_Meeting *meeting = find_meeting(&meetings, frame, a, b);
                    CHECK(meeting && meeting->time > 0 && meeting->time <= 1 && meeting->is_certain &&
                          meeting->path == IMP_PATH_STRAIGHT && meeting->face_pair_count > 0 &&
                          impi_meeting_is_seen(meeting, history));
                    ++begun;
                }
    CHECK(begun >= 2);
    for (size_t i = 0; i < meetings.list.count; ++i) {
        const impi_Meeting *meeting = &meetings.list.data[i];
        CHECK(!touch_in(history, meeting->frame, meeting->body_a, meeting->body_b));
        CHECK(impi_meeting_is_seen(meeting, history) ==
              touch_in(history, meeting->frame + 1, meeting->body_a, meeting->body_b));
    }
    impi_meetings_free(context, &meetings);
    impi_playback_close(playback);
    parade_free(&parade);
    imp_context_destroy(context);
}

// The parade, of which only its first and last frames are looked at.
static imp_Status place_ends(const impi_Motion *motion, uint32_t frame, size_t body, imp_Pose *pose,
                             imp_Vec3 *vertices)
{
    return parade_place(motion, frame * (PARADE_FRAMES - 1), body, pose, vertices);
}

TEST(what_passes_between_two_frames_is_found)
{
    imp_Context *context = context_with_threads(1);
    Parade parade = parade_make(context);
    impi_PlaybackDef def = parade_def(&parade);
    impi_Playback *playback = NULL;
    def.motion.frame_count = 2;
    def.motion.place = place_ends;
    CHECK_INT(impi_playback_open(context, &def, &playback), IMP_STATUS_OK);
    impi_Meetings meetings = play_and_sweep(context, playback);
    const impi_History *history = impi_playback_get_history(playback);
    CHECK_INT((int64_t)history->pairs.count, 0);
    if (CHECK_INT((int64_t)meetings.list.count, 1)) {
        const impi_Meeting *meeting = &meetings.list.data[0];
        const imp_SweepReport *report;
        imp_Pose pose;
        CHECK(meeting->body_a == POST && meeting->body_b == BALL && meeting->frame == 0);
        CHECK(fabs(meeting->time - 0.22) < 0.01); // from x = -2.5 to 2.5, the ball reaches the post at -1.4
        CHECK(!impi_meeting_is_seen(meeting, history));
        CHECK_INT(impi_playback_pose_at(playback, meeting->time, BALL, &pose), IMP_STATUS_BAD_ARGUMENT);
        CHECK_INT(impi_playback_sweep(playback, 0, NULL, &report), IMP_STATUS_OK);
        CHECK(report->first_time == meeting->time);
        CHECK_INT(impi_playback_pose_at(playback, meeting->time, BALL, &pose), IMP_STATUS_OK);
        CHECK(pose.translation.x == -2.5 + meeting->time * 5);
        CHECK_INT(impi_playback_pose_at(playback, meeting->time, POST, &pose), IMP_STATUS_OK);
        CHECK(pose.translation.x == 0);
        CHECK_INT(impi_playback_pose_at(playback, 1, POST, &pose), IMP_STATUS_BAD_ARGUMENT);
    }
    impi_meetings_free(context, &meetings);
    impi_playback_close(playback);
    parade_free(&parade);
    imp_context_destroy(context);
}

TEST(sweeps_go_from_any_frame)
{
    imp_Context *context = context_with_threads(1);
    Parade parade = parade_make(context);
    impi_Playback *playback = open_parade(context, &parade);
    const imp_SweepReport *report = NULL;
    imp_Pose pose;
    double times[2];
    for (int i = 0; i < 2; ++i) {
        CHECK_INT(impi_playback_sweep(playback, 4, NULL, &report), IMP_STATUS_OK);
        times[i] = report->first_time;
        CHECK_INT(impi_playback_pose_at(playback, 0.5, BALL, &pose), IMP_STATUS_OK);
        CHECK(pose.translation.x == -1.375);
    }
    CHECK(times[0] == times[1] && times[0] > 0);
    CHECK_INT(impi_playback_sweep(playback, PARADE_FRAMES - 1, NULL, &report), IMP_STATUS_BAD_INDEX);
    CHECK_INT(impi_playback_sweep(playback, UINT32_MAX, NULL, &report), IMP_STATUS_BAD_INDEX);
    CHECK_INT(impi_playback_sweep(playback, 0, NULL, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(impi_playback_pose_at(playback, 0, PARADE_BODIES, &pose), IMP_STATUS_BAD_ARGUMENT);
    parade.broken_frame = 3;
    CHECK_INT(impi_playback_sweep(playback, 2, NULL, &report), IMP_STATUS_BAD_NUMBER);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "frame 3");
    CHECK_INT((int64_t)impi_playback_get_history(playback)->frames.count, 0);
    impi_playback_close(playback);
    parade_free(&parade);
    imp_context_destroy(context);
}

TEST(sweeps_that_find_no_memory_can_go_on)
{
    FailingAllocator memory;
    failing_allocator_init(&memory, 0);
    imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
    Parade parade = parade_make(context);
    impi_Playback *playback = open_parade(context, &parade);
    impi_Meetings meetings = {0};
    imp_Status status;
    int n = 0;
    do {
        const imp_SweepReport *report;
        failing_allocator_arm(&memory, ++n);
        status = impi_playback_sweep(playback, 4, NULL, &report);
        if (status == IMP_STATUS_OK)
            status = impi_meetings_note(context, &meetings, 4, report);
        CHECK(status == IMP_STATUS_OK || status == IMP_STATUS_OUT_OF_MEMORY);
        CHECK(meetings.list.count == (status == IMP_STATUS_OK));
    } while (status != IMP_STATUS_OK);
    CHECK(n > 3);
    failing_allocator_arm(&memory, 0);
    impi_meetings_free(context, &meetings);
    impi_playback_close(playback);
    parade_free(&parade);
    imp_context_destroy(context);
    CHECK(failing_allocator_is_clean(&memory));
}
