// impinge run --clearance, run as a program.
#define _XOPEN_SOURCE 700 // for program.h

#include "program.h"

#include "gltf_files.h"

#define COLUMNS "frame,body_a,body_b,distance,lower_bound,ax,ay,az,bx,by,bz,face_a,face_b,relation\n"

// A block comes down on a floor and goes up again: 1.5, 1.0625, 0.625, 0.1875 above it, in it, and back.
static bool prepare_scene(void)
{
    if (!prepare())
        return false;
    gltf_save(gltf_two_bodies(), "two.glb");
    return true;
}

// The lines of a CSV file begin and end so, and there are no more.
static void check_lines(const char *text, const char *const (*ends)[2], size_t count)
{
    CHECK(strncmp(text, COLUMNS, strlen(COLUMNS)) == 0);
    const char *line = strchr(text, '\n') + 1;
    for (size_t i = 0; i < count; ++i) {
        size_t length = strcspn(line, "\n"), end_length = strlen(ends[i][1]);
        CHECK(strncmp(line, ends[i][0], strlen(ends[i][0])) == 0);
        if (!CHECK(length > end_length && strncmp(line + length - end_length, ends[i][1], end_length) == 0))
            return;
        line += length + 1;
    }
    CHECK_TEXT(line, "");
}

TEST(distances_are_listed_frame_by_frame)
{
    static const char *const ends[][2] = {{"2,0,1,0.625,0.625,", ",clearance"},
                                          {"3,0,1,0.1875,0.1875,", ",clearance"},
                                          {"4,0,1,0,0,", ",overlap"},
                                          {"5,0,1,0.1875,0.1875,", ",clearance"},
                                          {"6,0,1,0.625,0.625,", ",clearance"}};
    if (!prepare_scene())
        return;
    CHECK_INT(run_unnamed("run two.glb --rate 4 --clearance 0.625 --csv"), 0);
    check_lines(run_state.out, ends, 5);
    CHECK_TEXT(run_state.err, "");
    CHECK_INT(run_unnamed("run two.glb --rate 4 --clearance 0.6249999999999999 --csv"), 0);
    check_lines(run_state.out, ends + 1, 3);
    CHECK_INT(run_unnamed("run two.glb --rate 4 --clearance 0.625 --csv --frames 2"), 0);
    CHECK_TEXT(run_state.out, COLUMNS);
}

TEST(the_table_has_a_line_for_each_approach)
{
    if (!prepare_scene())
        return;
    CHECK_INT(run("run two.glb --rate 4 --clearance 1"), 0);
    CHECK_CONTAINS(run_state.out, "\n   a            b           from      to  least distance  in frame  0");
    CHECK_CONTAINS(run_state.out, "\n   0  floor     1  block       2       6               0         4  "
                                  ".......##################.......\n");
    CHECK_CONTAINS(run_state.out,
                   "The least distance is 0, of floor (body 0) and block (body 1) in frame 4.\n");
    CHECK_INT(run("run two.glb --rate 4 --clearance 1 --frames 4"), 0);
    CHECK_CONTAINS(run_state.out, "\n   0  floor     1  block       2       3          0.1875         3  ");
    CHECK_INT(run("run two.glb --rate 4 --clearance 1 --frames 2"), 0);
    CHECK_CONTAINS(run_state.out, "No two bodies are ever at most 1 apart.\n");
    CHECK(strstr(run_state.out, "least distance") == NULL);
    CHECK_INT(run("run two.glb --rate 4"), 0);
    CHECK(strstr(run_state.out, "istance") == NULL);
}

TEST(json_has_approaches_and_near_pairs)
{
    if (!prepare_scene())
        return;
    CHECK_INT(run("run two.glb --rate 4 --clearance 1 --json"), 0);
    CHECK_CONTAINS(run_state.out, "  \"clearance\": 1,\n  \"approaches\": [\n    {\n      \"body_a\": 0,\n"
                                  "      \"body_b\": 1,\n      \"name_a\": \"floor\",\n      \"name_b\": "
                                  "\"block\",\n      \"first_frame\": 2,\n      \"last_frame\": 6,\n"
                                  "      \"nearest_frame\": 4,\n      \"least_distance\": 0\n    }\n  ],\n");
    CHECK_CONTAINS(run_state.out, "      \"near_pairs\": []\n");
    CHECK_CONTAINS(run_state.out, "          \"distance\": 0.625,\n          \"lower_bound\": 0.625,\n");
    if (system("python3 -c 'import json; json.load(open(\".out\"))' >.python 2>&1") != 0)
        test_skip("there is no python3 to read JSON with");
    CHECK_INT(run("run two.glb --rate 4 --json"), 0);
    CHECK(strstr(run_state.out, "near_pairs") == NULL && strstr(run_state.out, "clearance") == NULL);
}

TEST(threads_change_no_byte)
{
    static const char *const formats[] = {"", "--csv", "--json"};
    static char first[MAX_OUTPUT];
    if (!prepare_scene())
        return;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
        for (int threads = 1; threads <= 5; threads += 2) {
            char command[256];
            snprintf(command, sizeof command, "run shuttles --frames 20 --clearance 1 %s --threads %d",
                     formats[i], threads);
            CHECK_INT(run(command), 0);
            if (threads == 1)
                strcpy(first, run_state.out);
            CHECK_TEXT(run_state.out, first);
        }
    }
}

TEST(a_plot_has_the_least_distance_and_pictures_join_points)
{
    static char text[MAX_OUTPUT];
    if (!prepare_scene())
        return;
    CHECK_INT(run("run two.glb --rate 4 --clearance 1 --plot p.svg --pictures film --at 0,3"), 0);
    CHECK_CONTAINS(run_state.out, "p.svg: contacts, time and the least distance, frame by frame\n");
    CHECK(read_file("p.svg", text));
    CHECK_CONTAINS(text, ">least distance</text>");
    CHECK_CONTAINS(text, "of pairs at most 1 apart: least 0, in frame 4</text>");
    CHECK(read_file("film/frame-0003.svg", text));
    CHECK_CONTAINS(text, "stroke-linecap");
    CHECK(read_file("film/frame-0000.svg", text));
    CHECK(strstr(text, "stroke-linecap") == NULL);
    CHECK_INT(run("run two.glb --rate 4 --clearance 1 --frames 1 --plot p.svg"), 0);
    CHECK(read_file("p.svg", text));
    CHECK_CONTAINS(text, "no pair is at most 1 apart</text>");
    CHECK_INT(run("run two.glb --rate 4 --clearance 1 --frames 0 --plot p.svg"), 0);
    CHECK_INT(run("run two.glb --rate 4 --plot p.svg"), 0);
    CHECK(read_file("p.svg", text));
    CHECK(strstr(text, "distance") == NULL);
}

TEST(errors_are_one_line_and_status_2)
{
    if (!prepare_scene())
        return;
    check_fails("run two.glb --clearance -1", "--clearance: expected a length of 0 or more, got \"-1\"");
    check_fails("run two.glb --clearance nan", "--clearance: expected a length");
    check_fails("run two.glb --clearance wide", "--clearance: expected a length");
    check_fails("run two.glb --clearance 1 --pairs", "--pairs and --clearance exclude each other");
    check_fails("run two.glb --clearance 1 --csv --times", "--times is for the table and for --json");
}
