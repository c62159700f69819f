#include "playback/playback.h"

#include "gltf_files.h"
#include "mesh_files.h"
#include "playback/approaches.h"
#include "playback/contacts.h"
#include "playback/face_lines.h"
#include "playback/scene_motion.h"
#include "playback/still_motion.h"
#include "playback_fixture.h"

// ---- one frame

TEST(one_frame_of_bodies_that_stand_still)
{
    imp_Context *context = context_with_threads(1);
    imp_Mesh *large = cube(context, 1), *small = sphere(context, 0.25);
    impi_StillBody bodies[] = {{.name = "large", .mesh = large},
                               {.name = "inside", .mesh = small},
                               {.name = "at the side", .mesh = small, .pose.translation.x = 1},
                               {.name = "large again", .mesh = large, .pose.translation = {1.5, 0.2, 0}}};
    impi_PlaybackDef def = {.motion = impi_still_motion(bodies, 4)};
    impi_Playback *playback = NULL;
    impi_PlayedFrame frame = {0};
    impi_FaceLine lines[MAX_LISTED_PAIRS];
    CHECK_INT(impi_playback_open(context, &def, &playback), IMP_STATUS_OK);
    CHECK_INT(impi_playback_step(playback, 0, &frame), IMP_STATUS_OK);
    check_frame(&def.motion, 0, &frame);
    if (CHECK_INT((int64_t)frame.pair_count, 4)) {
        CHECK_INT(frame.pairs[0].relations, IMP_RELATION_B_INSIDE_A);
        CHECK_INT(frame.pairs[1].relations, IMP_RELATION_TOUCH);
    }
    if (CHECK(frame.face_pair_count < MAX_LISTED_PAIRS)) {
        CHECK_INT(impi_face_lines_list(context, &frame, lines), IMP_STATUS_OK);
        for (size_t i = 1; i < frame.face_pair_count; ++i)
            CHECK(memcmp(&lines[i - 1], &lines[i], sizeof *lines) != 0 &&
                  (lines[i - 1].body_a < lines[i].body_a ||
                   (lines[i - 1].body_a == lines[i].body_a && lines[i - 1].face_a <= lines[i].face_a)));
    }
    impi_playback_close(playback);
    imp_mesh_release(large);
    imp_mesh_release(small);
    imp_context_destroy(context);
}

TEST(solids_and_what_is_asked_for)
{
    imp_Context *context = context_with_threads(1);
    imp_Mesh *large = cube(context, 1), *small = cube(context, 0.25);
    imp_Convex *solids[2] = {0};
    impi_StillBody bodies[2];
    impi_Playback *playback = NULL;
    impi_PlayedFrame frame = {0};
    for (int i = 0; i < 2; ++i) {
        CHECK_INT(imp_convex_create_from_mesh(context, i ? small : large, &solids[i]), IMP_STATUS_OK);
        bodies[i] = (impi_StillBody){.name = "solid", .mesh = i ? small : large, .convex = solids[i]};
    }
    impi_PlaybackDef def = {.motion = impi_still_motion(bodies, 2), .detect.mode = IMP_DETECT_BODIES};
    CHECK_INT(impi_playback_open(context, &def, &playback), IMP_STATUS_OK);
    CHECK_INT(impi_playback_step(playback, 0, &frame), IMP_STATUS_OK);
    if (CHECK_INT((int64_t)frame.pair_count, 1))
        CHECK_INT(frame.pairs[0].relations, IMP_RELATION_TOUCH); // one inside of the other shares points
    CHECK_INT((int64_t)frame.face_pair_count, 0);
    impi_playback_close(playback);
    for (int i = 0; i < 2; ++i)
        imp_convex_release(solids[i]);
    imp_mesh_release(large);
    imp_mesh_release(small);
    imp_context_destroy(context);
}

TEST(bodies_that_are_near_are_told_with_their_distance)
{
    imp_Context *context = context_with_threads(1);
    imp_Mesh *unit = cube(context, 0.5);
    impi_StillBody bodies[] = {{.name = "first", .mesh = unit},
                               {.name = "near", .mesh = unit, .pose.translation.x = 1.25},
                               {.name = "far", .mesh = unit, .pose.translation.y = 9},
                               {.name = "at the corner", .mesh = unit, .pose.translation = {-1, -1, -1}}};
    impi_PlaybackDef def = {
        .motion = impi_still_motion(bodies, 4), .lists_near = true, .has_clearance = true, .clearance = 0.25};
    impi_Playback *playback = NULL;
    impi_PlayedFrame frame = {0};
    imp_Distance far;
    CHECK_INT(impi_playback_open(context, &def, &playback), IMP_STATUS_OK);
    CHECK_INT(impi_playback_step(playback, 0, &frame), IMP_STATUS_OK);
    if (CHECK_INT((int64_t)frame.near_pair_count, 2)) {
        CHECK(frame.near_pairs[0].body_a == 0 && frame.near_pairs[0].body_b == 1);
        CHECK(frame.near_pairs[0].distance.distance == 0.25);
        CHECK(frame.near_pairs[1].body_a == 0 && frame.near_pairs[1].body_b == 3);
        CHECK(frame.near_pairs[1].distance.distance == 0 && frame.near_pairs[1].distance.touch);
    }
    CHECK_INT((int64_t)frame.pair_count, 1);
    CHECK_INT(impi_playback_distance(playback, 2, 0, &far), IMP_STATUS_OK);
    CHECK(far.distance == 8 && far.a.position.y == 8.5 && far.b.position.y == 0.5);
    CHECK_INT(impi_playback_distance(playback, 0, 4, &far), IMP_STATUS_BAD_INDEX);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "no body 4");
    CHECK_INT(impi_playback_distance(playback, 1, 1, &far), IMP_STATUS_BAD_ARGUMENT);
    impi_playback_close(playback);
    imp_mesh_release(unit);
    imp_context_destroy(context);
}

TEST(open_containers_are_told_once)
{
    static const char open_box[] = "v -9 -9 -9\nv 9 -9 -9\nv 0 9 -9\nv 0 0 9\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    imp_Context *context = context_with_threads(1);
    imp_Mesh *open = load_text(context, IMP_FORMAT_OBJ, open_box), *ball = sphere(context, 0.5);
    impi_StillBody bodies[] = {{.name = "open", .mesh = open},
                               {.name = "one", .mesh = ball},
                               {.name = "other", .mesh = open, .pose.translation.z = 100},
                               {.name = "two", .mesh = ball, .pose.translation.z = 100}};
    impi_PlaybackDef def = {.motion = impi_still_motion(bodies, 4)};
    impi_Playback *playback = NULL;
    impi_PlayedFrame frame = {0};
    def.motion.frame_count = 3; // all alike
    CHECK_INT(impi_playback_open(context, &def, &playback), IMP_STATUS_OK);
    for (uint32_t i = 0; i < 3; ++i) {
        CHECK_INT(impi_playback_step(playback, i, &frame), IMP_STATUS_OK);
        CHECK_INT((int64_t)frame.open_container_count, 2);
    }
    const impi_History *history = impi_playback_get_history(playback);
    if (CHECK_INT((int64_t)history->open_containers.count, 2)) {
        CHECK(history->open_containers.data[0].inner == 1 && history->open_containers.data[0].outer == 0);
        CHECK(history->open_containers.data[1].inner == 3 && history->open_containers.data[1].outer == 2);
    }
    impi_playback_close(playback);
    imp_mesh_release(open);
    imp_mesh_release(ball);
    imp_context_destroy(context);
}

// ---- many frames

static void check_contact(const impi_Contact *got, impi_Contact want)
{
    CHECK_INT(got->body_a, want.body_a);
    CHECK_INT(got->body_b, want.body_b);
    CHECK_INT(got->relation, want.relation);
    CHECK_INT(got->overlaps, want.overlaps);
    CHECK_INT(got->first_frame, want.first_frame);
    CHECK_INT(got->last_frame, want.last_frame);
    CHECK_INT((int64_t)got->most_face_pairs, (int64_t)want.most_face_pairs);
}

TEST(each_frame_is_what_a_world_of_its_own_finds)
{
    imp_Context *context = context_with_threads(2);
    Parade parade = parade_make(context);
    impi_Playback *playback = open_parade(context, &parade);
    impi_PlayedFrame frame = {0};
    impi_Peak peak;
    impi_PlayTimes times = {0};
    size_t most = 0, empty = 0;
    for (uint32_t i = 0; i < PARADE_FRAMES; ++i) {
        CHECK_INT(impi_playback_step(playback, i, &frame), IMP_STATUS_OK);
        check_frame(impi_playback_get_motion(playback), i, &frame);
        most = frame.face_pair_count > most ? frame.face_pair_count : most;
        empty += frame.pair_count == 0;
    }
    CHECK(most > 0 && empty > 0);
    peak = impi_history_peak(impi_playback_get_history(playback));
    CHECK_INT((int64_t)peak.face_pairs, (int64_t)most);
    CHECK_INT(impi_history_times(context, impi_playback_get_history(playback), &times), IMP_STATUS_OK);
    CHECK(times.median > 0 && times.median <= times.most && times.most <= times.total);
    impi_playback_close(playback);
    parade_free(&parade);
    imp_context_destroy(context);
}

TEST(contacts_of_a_parade)
{
    imp_Context *context = context_with_threads(1);
    Parade parade = parade_make(context);
    impi_Playback *playback = open_parade(context, &parade);
    impi_Contacts contacts = {0};
    bool lung_touches = false;
    CHECK_INT(impi_contacts_find(context, impi_playback_get_history(playback), &contacts), IMP_STATUS_OK);
    CHECK_INT((int64_t)contacts.count, 0);
    play_all(playback);
    CHECK_INT(impi_contacts_find(context, impi_playback_get_history(playback), &contacts), IMP_STATUS_OK);
    // The ball touches the post, is inside of it, and touches it on its way out.
    if (CHECK(contacts.count >= 4)) {
        CHECK(contacts.contacts[0].relation == IMP_RELATION_TOUCH &&
              contacts.contacts[1].relation == IMP_RELATION_B_INSIDE_A &&
              contacts.contacts[2].relation == IMP_RELATION_TOUCH);
        CHECK_INT(contacts.contacts[1].first_frame, contacts.contacts[0].last_frame + 1);
        CHECK_INT(contacts.contacts[2].first_frame, contacts.contacts[1].last_frame + 1);
    }
    for (size_t i = 0; i < contacts.count; ++i)
        lung_touches =
            lung_touches || (contacts.contacts[i].body_a == POST && contacts.contacts[i].body_b == LUNG);
    CHECK(lung_touches); // which it does not in the shape of its mesh
    impi_contacts_free(context, &contacts);
    impi_playback_close(playback);
    parade_free(&parade);
    imp_context_destroy(context);
}

TEST(any_order_of_frames_gives_the_same_history)
{
    imp_Context *context = context_with_threads(1);
    Parade parade = parade_make(context);
    impi_Playback *forwards = open_parade(context, &parade), *backwards = open_parade(context, &parade);
    impi_Contacts contacts[2] = {0};
    play_all(forwards);
    for (uint32_t i = PARADE_FRAMES; i-- > 0;) {
        impi_PlayedFrame frame, again;
        CHECK_INT(impi_playback_step(backwards, 5 * i % PARADE_FRAMES, NULL), IMP_STATUS_OK);
        CHECK_INT(impi_playback_step(backwards, i, &frame), IMP_STATUS_OK);
        CHECK_INT(impi_playback_step(backwards, i, &again), IMP_STATUS_OK);
        CHECK(same_frames(&frame, &again) && frame.milliseconds == again.milliseconds);
    }
    for (uint32_t i = 0; i < PARADE_FRAMES; ++i) {
        impi_PlayedFrame a = impi_history_frame(impi_playback_get_history(forwards), i);
        impi_PlayedFrame b = impi_history_frame(impi_playback_get_history(backwards), i);
        CHECK(same_frames(&a, &b));
    }
    CHECK_INT(impi_contacts_find(context, impi_playback_get_history(forwards), &contacts[0]), IMP_STATUS_OK);
    CHECK_INT(impi_contacts_find(context, impi_playback_get_history(backwards), &contacts[1]), IMP_STATUS_OK);
    if (CHECK_INT((int64_t)contacts[0].count, (int64_t)contacts[1].count))
        for (size_t i = 0; i < contacts[0].count; ++i)
            check_contact(&contacts[1].contacts[i], contacts[0].contacts[i]);
    for (int i = 0; i < 2; ++i)
        impi_contacts_free(context, &contacts[i]);
    impi_playback_close(forwards);
    impi_playback_close(backwards);
    parade_free(&parade);
    imp_context_destroy(context);
}

TEST(contacts_join_frames_that_follow_each_other)
{
    impi_PlayedPair pairs[] = {
        {0, 2, IMP_RELATION_TOUCH, false, 2, 2, 0, 3},                                // frame 0
        {0, 1, IMP_RELATION_TOUCH, false, 1, 1, 0, 1},                                // frame 1
        {0, 2, IMP_RELATION_TOUCH, true, 2, 2, 0, 5},                                 // 1
        {0, 1, IMP_RELATION_B_INSIDE_A, false, 0, 0, 0, 0},                           // 2
        {0, 1, IMP_RELATION_B_INSIDE_A | IMP_RELATION_A_INSIDE_B, false, 0, 0, 0, 0}, // 3
        {0, 2, IMP_RELATION_TOUCH, false, 2, 2, 0, 4},                                // 3
    };
    impi_FrameRecord frames[] = {{.is_played = true, .pair_count = 1},
                                 {.is_played = true, .first_pair = 1, .pair_count = 2},
                                 {.is_played = true, .first_pair = 3, .pair_count = 1},
                                 {.is_played = true, .first_pair = 4, .pair_count = 2},
                                 {.is_played = true}};
    impi_History history = {.frames = {frames, 5, 5}, .pairs = {pairs, 6, 6}};
    impi_Contacts contacts;
    uint32_t first[2];
    imp_Context *context = context_with_threads(1);
    if (!CHECK_INT(impi_contacts_find(context, &history, &contacts), IMP_STATUS_OK))
        return;
    if (CHECK_INT((int64_t)contacts.count, 5)) {
        check_contact(&contacts.contacts[0], (impi_Contact){0, 1, IMP_RELATION_TOUCH, false, 1, 1, 1});
        check_contact(&contacts.contacts[1], (impi_Contact){0, 1, IMP_RELATION_B_INSIDE_A, false, 2, 3, 0});
        check_contact(&contacts.contacts[2], (impi_Contact){0, 1, IMP_RELATION_A_INSIDE_B, false, 3, 3, 0});
        check_contact(&contacts.contacts[3], (impi_Contact){0, 2, IMP_RELATION_TOUCH, true, 0, 1, 5});
        check_contact(&contacts.contacts[4], (impi_Contact){0, 2, IMP_RELATION_TOUCH, false, 3, 3, 4});
    }
    CHECK_INT((int64_t)contacts.body_pair_count, 2);
    CHECK_INT((int64_t)impi_contacts_first_frames(&contacts, first), 2);
    CHECK(first[0] == 0 && first[1] == 1);
    impi_contacts_free(context, &contacts);
    imp_context_destroy(context);
}

static impi_NearPair near_pair(uint32_t body_a, uint32_t body_b, double distance)
{
    return (impi_NearPair){body_a, body_b, {.distance = distance}};
}

static void check_approach(const impi_Approach *got, const impi_Approach *wanted)
{
    CHECK(got->body_a == wanted->body_a && got->body_b == wanted->body_b);
    CHECK(got->first_frame == wanted->first_frame && got->last_frame == wanted->last_frame);
    CHECK(got->nearest_frame == wanted->nearest_frame && got->nearest.distance == wanted->nearest.distance);
}

TEST(approaches_join_frames_that_follow_each_other)
{
    impi_NearPair near[] = {near_pair(0, 2, 0.5),  near_pair(0, 1, 0.75), near_pair(0, 2, 0.25),
                            near_pair(0, 2, 0.25), near_pair(0, 2, 0.5),  near_pair(1, 2, 0)};
    impi_FrameRecord frames[] = {{.is_played = true, .near_pair_count = 1},
                                 {.is_played = true, .first_near_pair = 1, .near_pair_count = 2},
                                 {.is_played = true, .first_near_pair = 3, .near_pair_count = 1},
                                 {.is_played = false},
                                 {.is_played = true, .first_near_pair = 4, .near_pair_count = 2}};
    impi_History history = {.frames = {frames, 5, 5}, .near_pairs = {near, 6, 6}};
    impi_Approaches found = {0};
    size_t frame = 9;
    imp_Context *context = context_with_threads(1);
    CHECK_INT(impi_approaches_find(context, &history, &found), IMP_STATUS_OK);
    if (CHECK_INT((int64_t)found.count, 4)) {
        check_approach(&found.approaches[0], &(impi_Approach){0, 1, 1, 1, 1, {.distance = 0.75}});
        check_approach(&found.approaches[1], &(impi_Approach){0, 2, 0, 2, 1, {.distance = 0.25}});
        check_approach(&found.approaches[2], &(impi_Approach){0, 2, 4, 4, 4, {.distance = 0.5}});
        check_approach(&found.approaches[3], &(impi_Approach){1, 2, 4, 4, 4, {.distance = 0}});
    }
    CHECK(impi_history_nearest(&history, &frame) == &near[5] && frame == 4);
    impi_approaches_free(context, &found);
    CHECK(impi_history_nearest(&(impi_History){0}, &frame) == NULL);
    CHECK_INT(impi_approaches_find(context, &(impi_History){0}, &found), IMP_STATUS_OK);
    CHECK_INT((int64_t)found.count, 0);
    impi_approaches_free(context, &found);
    imp_context_destroy(context);
}

TEST(playbacks_of_one_context_do_not_mix)
{
    imp_Context *context = context_with_threads(1);
    Parade parade = parade_make(context);
    impi_Playback *alone = open_parade(context, &parade);
    play_all(alone);
    impi_Playback *first = open_parade(context, &parade), *second = open_parade(context, &parade);
    for (uint32_t i = 0; i < PARADE_FRAMES; ++i) {
        impi_PlayedFrame a, b, wanted = impi_history_frame(impi_playback_get_history(alone), i);
        CHECK_INT(impi_playback_step(first, i, &a), IMP_STATUS_OK);
        CHECK_INT(impi_playback_step(second, i, &b), IMP_STATUS_OK);
        CHECK(same_frames(&a, &wanted) && same_frames(&b, &wanted));
    }
    impi_playback_close(first);
    impi_playback_close(alone);
    CHECK_INT(impi_playback_step(second, 0, NULL), IMP_STATUS_OK);
    impi_playback_close(second);
    parade_free(&parade);
    imp_context_destroy(context);
}

// ---- scenes from files

TEST(a_scene_from_a_file)
{
    char folder[MAX_TEST_PATH];
    imp_Context *context = context_with_threads(1);
    imp_Scene *scene = NULL;
    impi_Motion motion;
    make_folder(folder);
    gltf_save(gltf_two_bodies(), path_in(folder, "two.glb"));
    imp_Status status = imp_scene_load(context, path_in(folder, "two.glb"), &scene);
    remove_folder(folder);
    if (status == IMP_STATUS_UNSUPPORTED) {
        test_skip("scene files can't be read here");
        imp_context_destroy(context);
        return;
    }
    CHECK_INT(status, IMP_STATUS_OK);
    CHECK_INT(impi_scene_motion(context, scene, 0, UINT32_MAX, &motion), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(impi_scene_motion(context, scene, 1e9, UINT32_MAX, &motion), IMP_STATUS_TOO_LARGE);
    CHECK_TEXT(imp_context_get_error(context)->message,
               "2 seconds at 1e+09 frames a second are more than 10000000 frames");
    CHECK_INT(impi_scene_motion(context, scene, 1e9, 5, &motion), IMP_STATUS_OK);
    CHECK_INT(motion.frame_count, 5);
    CHECK_INT(impi_scene_motion(context, scene, 8, UINT32_MAX, &motion), IMP_STATUS_OK);
    CHECK_INT(motion.frame_count, 17);
    CHECK_TEXT(impi_motion_body(&motion, 1).name, "block");
    impi_PlaybackDef def = {.motion = motion};
    impi_Playback *playback = NULL;
    impi_PlayedFrame frame = {0};
    size_t touching = 0;
    CHECK_INT(impi_playback_open(context, &def, &playback), IMP_STATUS_OK);
    for (uint32_t i = 0; i < 17; ++i) {
        CHECK_INT(impi_playback_step(playback, i, &frame), IMP_STATUS_OK);
        check_frame(&motion, i, &frame);
        touching += frame.pair_count;
    }
    CHECK(touching > 0 && touching < 17); // the block comes down to the floor and leaves it
    impi_playback_close(playback);
    imp_scene_destroy(scene);
    imp_context_destroy(context);
}
