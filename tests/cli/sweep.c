// impinge sweep of meshes, run as a program.
#define _XOPEN_SOURCE 700 // for program.h

#include "program.h"

#define FACES_HEADER                                                                                         \
    "body_a,body_b,time,certain,path,face_a,face_b,feature_a,feature_b,corner_a,corner_b,at_start,name_a,"   \
    "name_b\n"
#define PAIRS_HEADER "body_a,body_b,time,certain,path,face_pairs,at_start,name_a,name_b\n"

static const char wall_obj[] = "v 0 -5 -5\nv 0 5 -5\nv 0 5 5\nv 0 -5 5\nf 1 2 3\nf 1 3 4\n";
// A spike along x whose tip is at the origin, and the same with the tip at x = 4.
static const char spike_obj[] = "v 0 0 0\nv -1 1 0\nv -1 0 1\nv -1 -1 -1\nf 1 2 3\nf 1 3 4\nf 1 4 2\n";
static const char long_spike_obj[] = "v 4 0 0\nv -1 1 0\nv -1 0 1\nv -1 -1 -1\nf 1 2 3\nf 1 3 4\nf 1 4 2\n";

static bool prepare_bodies(void)
{
    if (!prepare())
        return false;
    write_file("wall.obj", wall_obj);
    write_file("spike.obj", spike_obj);
    write_file("long.obj", long_spike_obj);
    return true;
}

static int count_lines(const char *text)
{
    int count = 0;
    for (; *text; ++text)
        count += *text == '\n';
    return count;
}

// A spike flies through a wall: it touches neither at the start nor at the end.
TEST(a_body_that_passes_is_found)
{
    if (!prepare_bodies())
        return;
    CHECK_INT(run("check spike.obj wall.obj --pose spike '-2 1 2'"), 0);
    CHECK_INT(run("check spike.obj wall.obj --pose spike '6 1 2'"), 0);
    CHECK_INT(run("sweep spike.obj wall.obj --pose spike '-2 1 2' --to-pose spike '6 1 2'"), 1);
    CHECK_TEXT(
        run_state.out,
        "body  name   triangles  file\n"
        "   0  spike          3  spike.obj\n"
        "   1  wall           2  wall.obj\n"
        "\n"
        "   a            b          first time  contact       path      face of a  face of b  face pairs\n"
        "   0  spike     1  wall          0.25  certain       straight          0          1           3\n"
        "\n"
        "Pairs of bodies that meet on their way: 1 of 1. The first time is 0.25.\n");
    CHECK_TEXT(run_state.err, "");
}

TEST(a_body_that_stays_away_is_not)
{
    if (!prepare_bodies())
        return;
    CHECK_INT(run("sweep spike.obj wall.obj --pose 0 '-2 1 2' --to-pose 0 '-0.001 1 2'"), 0);
    CHECK_CONTAINS(run_state.out, "\nNothing touches on its way.\n");
    CHECK_INT(run("sweep spike.obj wall.obj --pose 0 '-2 9 2' --to-pose 0 '6 9 2' --csv"), 0);
    CHECK_TEXT(run_state.out, FACES_HEADER);
    CHECK_INT(run("sweep spike.obj wall.obj --pose 0 '-2 9 2' --to-pose 0 '6 9 2' --json"), 0);
    CHECK_CONTAINS(run_state.out, "\"first_time\": null,\n  \"pairs\": [],\n");
    // Touching counts, at the very end too.
    CHECK_INT(run("sweep spike.obj wall.obj --pose 0 '-2 1 2' --to-pose 0 '0 1 2' --pairs"), 1);
    CHECK_TEXT(run_state.out, PAIRS_HEADER "0,1,1,1,straight,3,0,spike,wall\n");
}

TEST(faces_are_listed_with_what_of_them_meets)
{
    if (!prepare_bodies())
        return;
    CHECK_INT(run("sweep spike.obj wall.obj --pose spike '-2 1 2' --to-pose spike '6 1 2' --csv"), 1);
    CHECK_TEXT(run_state.out, FACES_HEADER "0,1,0.25,1,straight,0,1,vertex,face,0,,0,spike,wall\n"
                                           "0,1,0.25,1,straight,1,1,vertex,face,0,,0,spike,wall\n"
                                           "0,1,0.25,1,straight,2,1,vertex,face,0,,0,spike,wall\n");
    // Each pair of faces with a time of its own: the other face of the wall is met later.
    CHECK_INT(run("sweep spike.obj wall.obj --pose spike '-2 1.5 2' --to-pose spike '6 1.5 2' --face-times"),
              1);
    CHECK(strncmp(run_state.out, FACES_HEADER, strlen(FACES_HEADER)) == 0);
    CHECK_INT(count_lines(run_state.out), 1 + 5); // one face of the spike never reaches it
    CHECK_CONTAINS(run_state.out, "\n0,1,0.25,1,straight,0,1,vertex,face,0,,0,spike,wall\n");
    CHECK_CONTAINS(run_state.out, "\n0,1,0.3125,1,straight,0,0,edge,edge,");
    CHECK_INT(run("sweep spike.obj wall.obj --pose spike '-2 1 2' --to-pose spike '6 1 2' --pairs --csv"), 1);
    CHECK_TEXT(run_state.out, PAIRS_HEADER "0,1,0.25,1,straight,3,0,spike,wall\n");
}

TEST(json_is_for_programs)
{
    if (!prepare_bodies())
        return;
    CHECK_INT(run("sweep spike.obj wall.obj --pose spike '-2 1 2' --to-pose spike '6 1 2' --json"), 1);
    CHECK_CONTAINS(run_state.out, "{\n  \"schema_version\": 1,\n  \"files\": [\n");
    CHECK_CONTAINS(run_state.out, "  \"targets\": [\n    {\n      \"body\": 0,\n      \"file\": null,\n"
                                  "      \"pose\": [6, 1, 2, 1, 0, 0, 0]\n    }\n  ],\n");
    CHECK_CONTAINS(run_state.out, "  \"separation\": 0,\n  \"tolerance\": null,\n  \"first_time\": 0.25,\n");
    CHECK_CONTAINS(run_state.out,
                   "      \"time\": 0.25,\n      \"certain\": true,\n      \"path\": "
                   "\"straight\",\n      \"at_start\": false,\n      \"face_pair_count\": 3\n");
    CHECK_CONTAINS(
        run_state.out,
        "    {\"body_a\": 0, \"face_a\": 0, \"body_b\": 1, \"face_b\": 1, \"time\": "
        "0.25, \"feature_a\": \"vertex\", \"corner_a\": 0, \"feature_b\": \"face\", \"corner_b\": null},\n");
    if (system("python3 -c 'import json' >.checked 2>&1") == 0)
        CHECK_INT(system("python3 -m json.tool <.out >.checked"), 0);
    CHECK_INT(run("sweep spike.obj wall.obj --pose 0 '-2 1 2' --to-pose 0 '6 1 2' --json --pairs"), 1);
    CHECK(strstr(run_state.out, "\"face_pairs\"") == NULL);
    CHECK_INT(run("sweep spike.obj wall.obj --pose 0 '-2 1 2' --to 0 long.obj --json --face-times"), 1);
    CHECK_CONTAINS(run_state.out, "\"file\": \"long.obj\",\n");
    CHECK_CONTAINS(run_state.out, "\"face_times\": true,\n");
}

TEST(bodies_deform_on_their_way)
{
    if (!prepare_bodies())
        return;
    // The tip goes from -2 to 2.
    CHECK_INT(run("sweep spike.obj wall.obj --pose 0 '-2 1 2' --to 0 long.obj --pairs"), 1);
    CHECK_TEXT(run_state.out, PAIRS_HEADER "0,1,0.5,1,straight,3,0,spike,wall\n");
    // From -2 to 6: shape and place.
    CHECK_INT(
        run("sweep spike.obj wall.obj --pose 0 '-2 1 2' --to spike long.obj --to-pose 0 '2 1 2' --pairs"), 1);
    CHECK_TEXT(run_state.out, PAIRS_HEADER "0,1,0.25,1,straight,3,0,spike,wall\n");
    // In the unit of the body.
    CHECK_INT(run("sweep spike.obj wall.obj --scale 0 2 --pose 0 '-2 1 2' --to 0 long.obj --pairs"), 1);
    CHECK_TEXT(run_state.out, PAIRS_HEADER "0,1,0.25,1,straight,3,0,spike,wall\n");
    check_fails("sweep spike.obj wall.obj --to 0 wall.obj",
                "impinge: --to 0: wall.obj has 4 vertices and 2 faces, spike (body 0) has 4 and 3\n");
    write_file("other.obj", "v 0 0 0\nv -1 1 0\nv -1 0 1\nv -1 -1 -1\nf 1 2 3\nf 1 4 3\nf 1 4 2\n");
    check_fails("sweep spike.obj wall.obj --to 0 other.obj",
                "impinge: --to 0: face 1 of other.obj has other vertices than that of spike (body 0)\n");
    check_fails("sweep spike.obj wall.obj --to 0 missing.obj", "missing.obj: can't open it");
}

// Of two faces one falls through the other.
TEST(a_body_can_meet_itself)
{
    if (!prepare_bodies())
        return;
    write_file("flat.obj", "v 0 0 0\nv 0 1 0\nv 1 0 0\nv .1 .1 1\nv .3 .1 1\nv .1 .3 1\nf 1 2 3\nf 4 5 6\n");
    write_file("fallen.obj",
               "v 0 0 0\nv 0 1 0\nv 1 0 0\nv .1 .1 -3\nv .3 .1 -3\nv .1 .3 -3\nf 1 2 3\nf 4 5 6\n");
    CHECK_INT(run("sweep flat.obj --to 0 fallen.obj --self --pairs"), 1);
    CHECK_TEXT(run_state.out, PAIRS_HEADER "0,0,0.25,1,straight,1,0,flat,flat\n");
    CHECK_INT(run("sweep flat.obj box.obj --pose box '9 0 0' --to flat fallen.obj"), 0);
    CHECK_INT(run("sweep flat.obj --to 0 fallen.obj --self"), 1);
    CHECK_CONTAINS(run_state.out, "Pairs of bodies that meet on their way: 0 of 0; bodies that meet "
                                  "themselves: 1. The first time is 0.25.\n");
    check_fails("sweep flat.obj --to 0 fallen.obj", "flat is the only body");
}

TEST(what_touches_at_the_start_is_told_as_such)
{
    if (!prepare_bodies())
        return;
    CHECK_INT(run("sweep box.obj wall.obj --to-pose 0 '6 0 0' --pairs"), 1);
    CHECK_CONTAINS(run_state.out, "\n0,1,0,1,straight,");
    CHECK_CONTAINS(run_state.out, ",1,box,wall\n");
    CHECK_INT(run("sweep box.obj wall.obj --to-pose 0 '6 0 0'"), 1);
    CHECK_CONTAINS(run_state.out, "             0  at the start  straight ");
    // A solid in a solid has no faces that touch; a mesh in a mesh touches nothing.
    write_file("small.obj",
               "v .4 .4 .4\nv .6 .4 .4\nv .4 .6 .4\nv .4 .4 .6\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    CHECK_INT(run("sweep box.obj small.obj --convex --to-pose 0 '0.1 0 0' --csv"), 1);
    CHECK_TEXT(run_state.out, FACES_HEADER "0,1,0,1,straight,,,,,,,1,box,small\n");
    CHECK_INT(run("sweep box.obj small.obj --to-pose 0 '0.1 0 0'"), 0);
    CHECK_INT(run("sweep box.obj small.obj"), 0);
    CHECK_CONTAINS(run_state.err, "impinge: note: sweep: no body moves; --to-pose tells where one ends");
}

TEST(rules_and_names_are_those_of_check)
{
    if (!prepare_bodies())
        return;
    CHECK_INT(
        run("sweep spike.obj wall.obj box.obj --pose spike '-2 .5 .5' --to-pose spike '6 .5 .5' --pairs"), 1);
    CHECK_INT(count_lines(run_state.out), 1 + 3);
    CHECK_INT(run("sweep spike.obj wall.obj box.obj --pose 0 '-2 .5 .5' --to-pose 0 '6 .5 .5' --pairs "
                  "--ignore wall,spike --between '*' spike"),
              1);
    CHECK_INT(count_lines(run_state.out), 1 + 1);
    CHECK_CONTAINS(run_state.out, "\n0,2,0.25,1,straight,");
    write_file("near.rules", "clearance 1\n");
    CHECK_INT(run("sweep spike.obj box.obj --pose 0 '-2 9 .5' --to-pose 0 '6 9 .5' --rules near.rules"), 0);
    CHECK_CONTAINS(run_state.err, "note: rules: clearances are not looked at here; --separation is for all");
    CHECK_INT(run("sweep spike.obj box.obj --to-pose '*' '6 9 .5' --pairs"), 1);
    check_fails("sweep spike.obj box.obj --to-pose spkie '6 9 .5'", "did you mean 'spike'?");
    check_fails("sweep spike.obj box.obj --to-pose 2 '6 9 .5'", "--to-pose 2: there is no such body");
}

TEST(threads_and_names_change_no_byte)
{
    static char kept[MAX_OUTPUT];
    if (!prepare_bodies())
        return;
    CHECK_INT(run("demo demo"), 0);
    CHECK_INT(run("sweep demo/ring.ply demo/star.obj --pose 1 '0 0 3' --to-pose 1 '0.1 0.2 -3' --face-times "
                  "--threads 1"),
              1);
    CHECK(count_lines(run_state.out) > 1000);
    strcpy(kept, run_state.out);
    for (int threads = 2; threads <= 5; threads += 3) {
        char line[200];
        snprintf(
            line, sizeof line,
            "sweep demo/ring.ply demo/star.obj --pose star '0 0 3' --to-pose star '0.1 0.2 -3' --face-times "
            "--threads %d",
            threads);
        CHECK_INT(run(line), 1);
        CHECK(strcmp(kept, run_state.out) == 0);
    }
}

TEST(pictures_are_of_the_first_contact)
{
    static char content[MAX_OUTPUT];
    if (!prepare_bodies())
        return;
    CHECK_INT(run("sweep spike.obj wall.obj --pose 0 '-2 1 2' --to-pose 0 '6 1 2' --picture first.svg"), 1);
    CHECK_CONTAINS(run_state.out, "\nfirst.svg: the bodies at that time, with the faces that meet\n");
    CHECK(read_file("first.svg", content));
    CHECK_CONTAINS(content, "<title>first contact</title>");
    CHECK_INT(run("sweep spike.obj wall.obj --pose 0 '-2 1 2' --to 0 long.obj --picture deformed.svg"), 1);
    CHECK_INT(run("sweep spike.obj wall.obj --pose 0 '-2 1 2' --to-pose 0 '-3 1 2' --picture end.svg"), 0);
    CHECK_CONTAINS(run_state.out, "\nend.svg: the bodies at the end\n");
    check_fails("sweep spike.obj wall.obj --picture first.png", "--picture: first.png does not end in .svg");
    check_fails("sweep spike.obj wall.obj --picture /nonexistent/a.svg", "can't be written");
}

TEST(bad_command_lines_about_meshes_are_one_line_and_status_2)
{
    if (!prepare_bodies())
        return;
    check_fails("sweep", "arguments expected: FILE|DIR|Q.npy...");
    check_fails("sweep box.obj", "box is the only body");
    check_fails("sweep box.obj wall.obj --csv --json", "--csv and --json exclude each other");
    check_fails("sweep box.obj wall.obj --pairs --face-times", "--pairs and --face-times exclude each other");
    check_fails("sweep box.obj wall.obj --convex --to 0 box.obj", "--to and --convex exclude each other");
    check_fails("sweep box.obj wall.obj -o t.npy", "--output is for --queries");
    check_fails("sweep box.obj wall.obj --sample 3", "--sample is for --queries");
    check_fails("sweep --queries edge-edge q.npy --to-pose 0 '1 0 0'",
                "--queries and --to-pose exclude each");
    check_fails("sweep box.obj wall.obj --separation -1", "--separation: expected a length of 0 or more");
    check_fails("sweep box.obj wall.obj --tolerance 0", "--tolerance: expected a length above 0");
    check_fails("sweep box.obj wall.obj --threads 0", "whole number");
    check_fails("sweep box.obj wall.obj --to-pose 0 '1 0 nan'", "--to-pose 0: ");
    check_fails("sweep box.obj wall.obj --to-pose 0 1 0 0", "--to-pose 0: expected 3, 7, 12 or 16 numbers");
    check_fails("sweep box.obj wall.obj --to-pose 0 '1 0 0' --to-pose box '1 0 0'",
                "impinge: --to-pose box: box (body 0) is told it twice\n");
    check_fails("sweep box.obj wall.obj --path curved",
                "impinge: --path: expected straight or rigid, or K=straight or K=rigid, got \"curved\"\n");
    check_fails("sweep box.obj wall.obj --path 7=rigid", "--path 7: there is no such body");
    check_fails("sweep box.obj wall.obj --turns 0 many",
                "impinge: --turns: expected a whole number from -65536 to 65536, got \"many\"\n");
    check_fails("sweep box.obj wall.obj --turns 0 -65537", "from -65536 to 65536, got \"-65537\"");
    check_fails("sweep box.obj wall.obj --turns 0 -1 --path 0=straight",
                "impinge: --turns: box (body 0) goes straight, and does not turn\n");
    check_fails("sweep box.obj wall.obj --pivot 0 '1 2'", "--pivot: expected 3 numbers");
    check_fails("sweep box.obj wall.obj --axis 0 'z'", "--axis: expected a number at \"z\"");
    check_fails("sweep box.obj wall.obj --axis 0 '0 0 1' --path 0=straight",
                "impinge: --axis: box (body 0) goes straight, and does not turn\n");
    check_fails("sweep box.obj missing.obj", "missing.obj: can't open it");
}
