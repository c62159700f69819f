#include "playback/playback.h"

#include "failing_allocator.h"
#include "playback/approaches.h"
#include "playback/contacts.h"
#include "playback/face_lines.h"
#include "playback/still_motion.h"
#include "playback_fixture.h"

// ---- what is refused

TEST(frames_and_arguments_that_make_no_sense)
{
    imp_Context *context = context_with_threads(1);
    Parade parade = parade_make(context);
    impi_Playback *playback = open_parade(context, &parade), *none = NULL;
    impi_PlaybackDef def = parade_def(&parade);
    impi_PlayedFrame frame = {.pair_count = 7};
    CHECK_INT(impi_playback_step(playback, PARADE_FRAMES, &frame), IMP_STATUS_BAD_INDEX);
    CHECK_TEXT(imp_context_get_error(context)->message,
               "there is no frame 21; there are 21, counting from 0");
    CHECK_INT((int64_t)imp_context_get_error(context)->index, PARADE_FRAMES);
    CHECK_INT((int64_t)frame.pair_count, 7);
    CHECK_INT(impi_playback_step(NULL, 0, &frame), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(impi_playback_open(NULL, &def, &none), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(impi_playback_open(context, NULL, &none), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(impi_playback_open(context, &def, NULL), IMP_STATUS_BAD_ARGUMENT);
    def.motion.place = NULL;
    CHECK_INT(impi_playback_open(context, &def, &none), IMP_STATUS_BAD_ARGUMENT);
    CHECK(none == NULL);
    CHECK(!impi_history_frame(impi_playback_get_history(playback), 3).is_played);
    impi_playback_close(playback);
    impi_playback_close(NULL);
    parade_free(&parade);
    imp_context_destroy(context);
}

TEST(no_bodies_and_no_frames)
{
    imp_Context *context = context_with_threads(1);
    impi_PlaybackDef def = {.motion = impi_still_motion(NULL, 0)};
    impi_Playback *playback = NULL;
    impi_PlayedFrame frame = {0};
    impi_PlayTimes times = {.total = 7};
    CHECK_INT(impi_playback_open(context, &def, &playback), IMP_STATUS_OK);
    CHECK_INT(impi_playback_step(playback, 0, &frame), IMP_STATUS_OK);
    CHECK(frame.is_played && frame.pair_count == 0);
    impi_playback_close(playback);
    def.motion.frame_count = 0;
    CHECK_INT(impi_playback_open(context, &def, &playback), IMP_STATUS_OK);
    CHECK_INT(impi_playback_step(playback, 0, &frame), IMP_STATUS_BAD_INDEX);
    CHECK_INT(impi_history_times(context, impi_playback_get_history(playback), &times), IMP_STATUS_OK);
    CHECK_DOUBLE(times.total, 0);
    impi_playback_close(playback);
    imp_context_destroy(context);
}

TEST(a_body_that_is_refused_is_named)
{
    imp_Context *context = context_with_threads(1);
    Parade parade = parade_make(context);
    impi_StillBody bodies[] = {{.name = "good.obj", .mesh = parade.post},
                               {.name = "bad.obj", .mesh = parade.post, .pose.rotation.w = 2}};
    impi_PlaybackDef def = {.motion = impi_still_motion(bodies, 2)};
    impi_Playback *playback = NULL;
    impi_PlayedFrame frame = {0};
    CHECK_INT(impi_playback_open(context, &def, &playback), IMP_STATUS_BAD_NUMBER);
    CHECK(strncmp(imp_context_get_error(context)->message, "bad.obj: ", 9) == 0);
    CHECK_INT((int64_t)imp_context_get_error(context)->index, 1);
    CHECK(playback == NULL);
    // In a motion the frame is named, too, and the others can be played.
    parade.broken_frame = 4;
    playback = open_parade(context, &parade);
    CHECK_INT(impi_playback_step(playback, 3, NULL), IMP_STATUS_OK);
    CHECK_INT(impi_playback_step(playback, 4, &frame), IMP_STATUS_BAD_NUMBER);
    CHECK_TEXT(imp_context_get_error(context)->message,
               "frame 4: the transforms of body 1 (ball) make a number that is not finite");
    CHECK(!frame.is_played);
    CHECK_INT(impi_playback_step(playback, 5, &frame), IMP_STATUS_OK);
    check_frame(impi_playback_get_motion(playback), 5, &frame);
    CHECK(!impi_history_frame(impi_playback_get_history(playback), 4).is_played);
    impi_playback_close(playback);
    parade_free(&parade);
    imp_context_destroy(context);
}

// ---- memory

// All that a player does.
static imp_Status play_parade(imp_Context *context, const Parade *parade)
{
    impi_PlaybackDef def = parade_def(parade);
    impi_Playback *playback = NULL;
    impi_PlayedFrame frame = {0};
    impi_Contacts contacts = {0};
    impi_Approaches approaches = {0};
    imp_Distance distance;
    impi_PlayTimes times;
    impi_FaceLine lines[MAX_LISTED_PAIRS];
    def.lists_near = true;
    def.has_clearance = true;
    def.clearance = 1;
    def.detect.contacts = def.judges_overlaps = true;
    imp_Status status = impi_playback_open(context, &def, &playback);
    CHECK((playback != NULL) == (status == IMP_STATUS_OK));
    for (uint32_t i = 0; status == IMP_STATUS_OK && i < PARADE_FRAMES; i += 5)
        status = impi_playback_step(playback, i, &frame);
    if (status == IMP_STATUS_OK && CHECK(frame.face_pair_count <= MAX_LISTED_PAIRS))
        status = impi_face_lines_list(context, &frame, lines);
    if (status == IMP_STATUS_OK)
        status = impi_contacts_find(context, impi_playback_get_history(playback), &contacts);
    if (status == IMP_STATUS_OK)
        status = impi_approaches_find(context, impi_playback_get_history(playback), &approaches);
    if (status == IMP_STATUS_OK)
        status = impi_playback_distance(playback, 0, 1, &distance);
    if (status == IMP_STATUS_OK)
        status = impi_history_times(context, impi_playback_get_history(playback), &times);
    impi_contacts_free(context, &contacts);
    impi_approaches_free(context, &approaches);
    impi_playback_close(playback);
    return status;
}

TEST(every_allocation_may_fail)
{
    FailingAllocator memory;
    uint64_t n = 0;
    imp_Context *maker = context_with_threads(1);
    Parade parade = parade_make(maker);
    do {
        imp_Context *context = NULL;
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        imp_Status status = imp_context_create(&def, &context);
        if (status == IMP_STATUS_OK)
            status = play_parade(context, &parade);
        // A failure that costs only speed is got over.
        CHECK(status == IMP_STATUS_OK ||
              (status == IMP_STATUS_OUT_OF_MEMORY && failing_allocator_has_failed(&memory)));
        if (context && status != IMP_STATUS_OK)
            CHECK_CONTAINS(imp_context_get_error(context)->message, "out of memory");
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 20);
    parade_free(&parade);
    imp_context_destroy(maker);
}

TEST(a_step_that_runs_out_of_memory_can_be_repeated)
{
    FailingAllocator memory;
    imp_Context *maker = context_with_threads(1), *context = NULL;
    Parade parade = parade_make(maker);
    impi_Playback *wanted = open_parade(maker, &parade);
    size_t failures = 0;
    play_all(wanted);
    failing_allocator_init(&memory, 0);
    imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
    CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
    impi_Playback *playback = open_parade(context, &parade);
    for (uint32_t i = 0; i < PARADE_FRAMES; ++i) {
        impi_PlayedFrame frame = {0}, same = impi_history_frame(impi_playback_get_history(wanted), i);
        imp_Status status;
        uint64_t n = 0;
        do {
            failing_allocator_arm(&memory, ++n);
            status = impi_playback_step(playback, i, &frame);
            CHECK(frame.is_played == (status == IMP_STATUS_OK));
            failures += status != IMP_STATUS_OK;
        } while (status == IMP_STATUS_OUT_OF_MEMORY);
        CHECK(same_frames(&frame, &same));
    }
    CHECK(failures > 5);
    failing_allocator_arm(&memory, 0);
    impi_playback_close(playback);
    imp_context_destroy(context);
    CHECK(failing_allocator_is_clean(&memory));
    impi_playback_close(wanted);
    parade_free(&parade);
    imp_context_destroy(maker);
}
