// What a run prints is the history of a playback.
#define _XOPEN_SOURCE 700 // for program.h

#include "program.h"

#include "playback/contacts.h"
#include "playback/face_lines.h"
#include "playback/playback.h"
#include "run_scene.h"
#include "scenes/motions.h"

#define PLAYED_FRAMES 40

// What --csv and --pairs print, written from a playback's history.
static void write_history(imp_Context *context, const impi_Motion *motion, const impi_History *history)
{
    static const imp_Relation order[] = {IMP_RELATION_TOUCH, IMP_RELATION_A_INSIDE_B,
                                         IMP_RELATION_B_INSIDE_A};
    static const char *const names[] = {"touch", "a_inside_b", "b_inside_a"};
    FILE *faces = fopen("faces.csv", "w"), *pairs = fopen("pairs.csv", "w");
    impi_FaceLine *lines = calloc(impi_history_peak(history).face_pairs + 1, sizeof *lines);
    if (!CHECK(faces && pairs && lines))
        exit(1);
    fputs("frame,body_a,face_a,body_b,face_b\n", faces);
    fputs("frame,body_a,body_b,relation,face_pairs,name_a,name_b\n", pairs);
    for (size_t f = 0; f < history->frames.count; ++f) {
        impi_PlayedFrame frame = impi_history_frame(history, f);
        CHECK_INT(impi_face_lines_list(context, &frame, lines), IMP_STATUS_OK);
        for (size_t i = 0; i < frame.face_pair_count; ++i)
            fprintf(faces, "%zu,%u,%u,%u,%u\n", f, lines[i].body_a, lines[i].face_a, lines[i].body_b,
                    lines[i].face_b);
        for (size_t i = 0; i < frame.pair_count; ++i)
            for (int r = 0; r < 3; ++r)
                if (frame.pairs[i].relations & order[r])
                    fprintf(pairs, "%zu,%u,%u,%s,%zu,%s,%s\n", f, frame.pairs[i].body_a,
                            frame.pairs[i].body_b, names[r], r == 0 ? frame.pairs[i].face_pair_count : 0,
                            impi_motion_body(motion, frame.pairs[i].body_a).name,
                            impi_motion_body(motion, frame.pairs[i].body_b).name);
    }
    fclose(faces);
    fclose(pairs);
    free(lines);
}

// The timeline has a line for each contact, below a heading and up to an empty line.
static void check_timeline(imp_Context *context, const impi_Motion *motion, const impi_History *history)
{
    impi_Contacts contacts = {0};
    size_t found = 0;
    CHECK_INT(impi_contacts_find(context, history, &contacts), IMP_STATUS_OK);
    const char *line = strstr(run_state.out, "\n   a  ");
    CHECK((line != NULL) == (contacts.count > 0));
    for (line = line ? strchr(line + 1, '\n') : NULL; line && line[1] != '\n';
         line = strchr(line + 1, '\n')) {
        char expected[256];
        unsigned from, to;
        if (!CHECK(found < contacts.count))
            break;
        const impi_Contact *contact = &contacts.contacts[found++];
        snprintf(expected, sizeof expected, "\n%4u  %s ", contact->body_a,
                 impi_motion_body(motion, contact->body_a).name);
        if (!CHECK(strncmp(line, expected, strlen(expected)) == 0))
            break;
        const char *rest = line + strlen(expected);
        snprintf(expected, sizeof expected, "%u  %s ", contact->body_b,
                 impi_motion_body(motion, contact->body_b).name);
        rest = strstr(rest, expected);
        if (!CHECK(rest && sscanf(rest + strlen(expected), "%u %u", &from, &to) == 2))
            break;
        CHECK(from == contact->first_frame && to == contact->last_frame);
    }
    CHECK_INT((int64_t)found, (int64_t)contacts.count);
    impi_contacts_free(context, &contacts);
}

TEST(the_history_of_a_playback_is_what_a_run_prints)
{
    if (!prepare())
        return;
    for (size_t i = 0; i < scene_motion_title_count(); ++i) {
        char command[512];
        const char *name = scene_motion_title(i).name;
        imp_Context *context = NULL;
        impi_Playback *playback = NULL;
        RunScene scene;
        RunSceneDef def = {.name = name, .frame_limit = PLAYED_FRAMES};
        CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
        CHECK_INT(run_scene_open(context, &def, &scene), COMMAND_DONE);
        impi_PlaybackDef playing = {.motion = scene.motion};
        CHECK_INT(impi_playback_open(context, &playing, &playback), IMP_STATUS_OK);
        for (uint32_t frame = scene.motion.frame_count; frame-- > 0;)
            CHECK_INT(impi_playback_step(playback, frame, NULL), IMP_STATUS_OK);
        write_history(context, &scene.motion, impi_playback_get_history(playback));
        snprintf(command, sizeof command, "run %s --frames %d --csv", name, PLAYED_FRAMES);
        CHECK_INT(run(command), 0);
        CHECK_INT(system("cmp .out faces.csv"), 0);
        snprintf(command, sizeof command, "run %s --frames %d --pairs", name, PLAYED_FRAMES);
        CHECK_INT(run(command), 0);
        CHECK_INT(system("cmp .out pairs.csv"), 0);
        snprintf(command, sizeof command, "run %s --frames %d", name, PLAYED_FRAMES);
        CHECK_INT(run(command), 0);
        check_timeline(context, &scene.motion, impi_playback_get_history(playback));
        impi_playback_close(playback);
        run_scene_free(&scene);
        imp_context_destroy(context);
    }
}
