// impinge run --continuous, run as a program.
#define _XOPEN_SOURCE 700 // for program.h

#include "program.h"

#include "gltf_files.h"

#define FACES_COLUMNS "frame,body_a,face_a,body_b,face_b,time,certain\n"
#define PAIRS_COLUMNS "frame,body_a,body_b,relation,face_pairs,time,certain,name_a,name_b\n"
#define BULLET        "run wall.obj bullet.obj --poses shot.csv "

// A bullet is on one side of a thin wall in one frame and on the other in the next, and comes back into it.
static bool prepare_shot(void)
{
    if (!prepare())
        return false;
    write_file("wall.obj", "v 0 -5 -5\nv 0 5 -5\nv 0 5 5\nv 0 -5 5\nf 1 2 3\nf 1 3 4\n");
    write_file("bullet.obj", "v 0 0 0\nv -1 1 0\nv -1 0 1\nv -1 -1 -1\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n");
    write_file("shot.csv", "time,body,x,y,z\n0,bullet,-6,1,2\n1,bullet,-2,1,2\n2,bullet,6,1,2\n"
                           "3,bullet,9,1,2\n4,bullet,0.5,1,2\n");
    gltf_save(gltf_two_bodies(), "two.glb");
    return true;
}

TEST(what_passes_through_a_wall_between_frames_is_found)
{
    if (!prepare_shot())
        return;
    CHECK_INT(run(BULLET "--frames 4"), 0);
    CHECK_CONTAINS(run_state.out, "Frames: 4; bodies meet in 0 of them.\n"
                                  "Nothing touches, and nothing is inside of anything.\n");
    CHECK_INT(run(BULLET "--frames 4 --continuous"), 0);
    CHECK_TEXT(run_state.out, "body  name    triangles\n"
                              "   0  wall            2\n"
                              "   1  bullet          4\n"
                              "\n"
                              "   a           b             meet at  contact       next frame  0"
                              "                                  3\n"
                              "   0  wall     1  bullet      1.2500  certain            apart  "
                              ".........#########..................\n"
                              "\n"
                              "Frames: 4; bodies meet in 0 of them.\n"
                              "In no frame anything touches, or is inside of anything.\n"
                              "Contacts that begin between frames: 1; gone in the next frame: 1.\n");
    CHECK_TEXT(run_state.err, "");
}

TEST(what_stays_has_the_time_at_which_it_begins)
{
    if (!prepare_shot())
        return;
    CHECK_INT(run(BULLET "--continuous"), 0);
    CHECK_CONTAINS(run_state.out, "\n   0  wall  touch        1  bullet       4       4 ");
    CHECK_CONTAINS(run_state.out, "\n   0  wall     1  bullet      1.2500  certain            apart  ");
    CHECK_CONTAINS(run_state.out, "\n   0  wall     1  bullet      3.9412  certain            touch  ");
    CHECK_CONTAINS(run_state.out, "\nContacts that begin between frames: 2; gone in the next frame: 1.\n");
    // A block comes down on a floor, from 0.1875 above it to 0.25 below, and goes up again.
    CHECK_INT(run("run two.glb --rate 4 --continuous --pairs"), 0);
    CHECK(strncmp(run_state.out, PAIRS_COLUMNS, strlen(PAIRS_COLUMNS)) == 0);
    CHECK_CONTAINS(run_state.out, "\n3,0,1,touch,");
    CHECK_CONTAINS(run_state.out, ",0.4285714285714285,1,floor,block\n4,0,1,touch,");
    CHECK_CONTAINS(run_state.out, ",0,1,floor,block\n");
}

TEST(lists_have_times)
{
    if (!prepare_shot())
        return;
    CHECK_INT(run(BULLET "--frames 4 --continuous --csv"), 0);
    CHECK_TEXT(run_state.out, FACES_COLUMNS "1,0,1,1,0,0.25,1\n1,0,1,1,1,0.25,1\n1,0,1,1,2,0.25,1\n");
    CHECK_INT(run(BULLET "--continuous --pairs"), 0);
    CHECK_CONTAINS(run_state.out, PAIRS_COLUMNS "1,0,1,touch,3,0.25,1,wall,bullet\n3,0,1,touch,");
    CHECK_CONTAINS(run_state.out, ",0.9411764705882353,1,wall,bullet\n4,0,1,touch,");
    CHECK_CONTAINS(run_state.out, ",0,1,wall,bullet\n");
    CHECK_INT(run(BULLET "--frames 4 --continuous --json"), 0);
    CHECK_CONTAINS(run_state.out, "  \"contacts\": [],\n"
                                  "  \"meetings\": [\n"
                                  "    {\n"
                                  "      \"body_a\": 0,\n"
                                  "      \"body_b\": 1,\n"
                                  "      \"name_a\": \"wall\",\n"
                                  "      \"name_b\": \"bullet\",\n"
                                  "      \"frame\": 1,\n"
                                  "      \"time\": 0.25,\n"
                                  "      \"certain\": true,\n"
                                  "      \"path\": \"straight\",\n"
                                  "      \"in_next_frame\": false,\n"
                                  "      \"face_pair_count\": 3\n"
                                  "    }\n"
                                  "  ],\n");
    CHECK_INT(run(BULLET "--frames 4 --json"), 0);
    CHECK(strstr(run_state.out, "meetings") == NULL);
    // Distances are of frames.
    CHECK_INT(run(BULLET "--frames 4 --continuous --clearance 3 --csv"), 0);
    CHECK_CONTAINS(run_state.err, "note: --continuous: contacts between frames are not in this list");
    CHECK(strstr(run_state.out, ",time,") == NULL);
}

TEST(the_gate_counts_what_passes)
{
    if (!prepare_shot())
        return;
    CHECK_INT(run(BULLET "--frames 4 --fail-on touch"), 0);
    CHECK_INT(run(BULLET "--frames 4 --continuous --fail-on touch"), 1);
    CHECK_INT(run(BULLET "--frames 4 --continuous --fail-on clearance --clearance 1"), 1);
    CHECK_INT(run(BULLET "--frames 4 --continuous --fail-on overlap"), 0);
    CHECK_INT(run(BULLET "--frames 4 --continuous --fail-on touch --between wall wall"), 2);
    CHECK_INT(run(BULLET "--frames 2 --continuous --fail-on touch"), 0);
    CHECK_INT(run(BULLET "--frames 1 --continuous --fail-on touch"), 0);
    CHECK_INT(run(BULLET "--frames 0 --continuous --fail-on touch"), 0);
}

// Two blobs that wobble: what begins to touch from frame to frame has a meeting, for any number of threads.
TEST(deforming_bodies_meet_between_frames)
{
    static char kept[MAX_OUTPUT];
    if (!prepare())
        return;
    CHECK_INT(run("run jelly --frames 200 --continuous --threads 1"), 0);
    CHECK_CONTAINS(run_state.out, "\n   0  blob 0     1  blob 1     68.9513  certain            touch  ");
    CHECK_CONTAINS(run_state.out, "\n   0  blob 0     1  blob 1    194.2931  certain            touch  ");
    CHECK_CONTAINS(run_state.out, "\nContacts that begin between frames: 2; gone in the next frame: 0.\n");
    strcpy(kept, run_state.out);
    CHECK_INT(run("run jelly --frames 200 --continuous --threads 5"), 0);
    CHECK_TEXT(run_state.out, kept);
}
