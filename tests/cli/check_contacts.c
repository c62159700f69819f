// impinge check --contacts, and what of it relations of distances tell, run as a program.
#define _XOPEN_SOURCE 700 // for program.h

#include "program.h"

#define COLUMNS                                                                                              \
    "body_a,body_b,depth,depth_lower_bound,nx,ny,nz,face_pairs,point_count,"                                 \
    "x0,y0,z0,x1,y1,z1,x2,y2,z2,x3,y3,z3,relation\n"

// Boxes are closed. The others are sheets: in the plane z = 0, whole and cut in two along the x axis, in the
// plane y = 0 the same, and one that stands on the first with its border; a triangle that touches the border
// of another.
static bool prepare_files(void)
{
    if (!prepare())
        return false;
    write_file("small.obj", "v 0.5 0.5 0.25\nv 0.5 0.25 0.5\nv 0.25 0.5 0.5\nv 0.5 0.5 0.75\n"
                            "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    write_file("floor.obj", "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3 4\n");
    write_file("floors.obj",
               "v -1 -1 0\nv 1 -1 0\nv 1 0 0\nv -1 0 0\nv 1 1 0\nv -1 1 0\nf 1 2 3 4\nf 4 3 5 6\n");
    write_file("wall.obj", "v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nf 1 2 3 4\n");
    write_file("walls.obj",
               "v -1 0 -1\nv 1 0 -1\nv 1 0 0\nv -1 0 0\nv 1 0 1\nv -1 0 1\nf 1 2 3 4\nf 4 3 5 6\n");
    write_file("standing.obj", "v -1 0 0\nv 1 0 0\nv 1 0 1\nv -1 0 1\nf 1 2 3 4\n");
    write_file("corner.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write_file("beside.obj", "v 0.5 -0.5 -1\nv 0.5 -0.5 1\nv 0.5 0 0\nf 1 2 3\n");
    return true;
}

// The relation at the end of the only line of a list.
static void check_relation(const char *question, const char *files, const char *relation)
{
    char command[256], end[64];
    snprintf(command, sizeof command, "check --csv %s %s", question, files);
    snprintf(end, sizeof end, ",%s\n", relation);
    CHECK_INT(run_unnamed(command), 1);
    const char *line = strchr(run_state.out, '\n');
    size_t length = line ? strlen(line) : 0;
    if (!CHECK(length > strlen(end) && strchr(line + 1, '\n') == line + length - 1 &&
               strcmp(line + length - strlen(end), end) == 0))
        printf("  %s: %s", command, run_state.out);
}

TEST(a_box_on_a_box_touches_and_is_not_deep)
{
    if (!prepare_files())
        return;
    CHECK_INT(run_unnamed("check --contacts --csv box.obj box.obj --pose 1 '1 0 0 1 0 0 0'"), 1);
    CHECK(strncmp(run_state.out, COLUMNS "0,1,0,0,1,0,0,", strlen(COLUMNS) + 14) == 0);
    CHECK_CONTAINS(run_state.out, ",4,1,");
    CHECK_CONTAINS(run_state.out, ",touch\n");
    CHECK_INT(run("check --contacts box.obj box.obj --pose 1 '1 0 0 1 0 0 0'"), 1);
    CHECK_CONTAINS(run_state.out, "  touch        1  ");
    CHECK_CONTAINS(run_state.out, "  (1 0 0)  ");
    CHECK_CONTAINS(run_state.out, "Pairs of bodies that meet: 1 of 1. Regions in which they touch: 1.\n");
    CHECK_INT(run_unnamed("check --contacts --csv box.obj box.obj --pose 1 '2 0 0 1 0 0 0'"), 0);
    CHECK_TEXT(run_state.out, COLUMNS);
}

TEST(how_deep_a_box_is_in_a_box)
{
    double depth = 0, lower = 0;
    if (!prepare_files())
        return;
    CHECK_INT(run_unnamed("check --contacts --csv box.obj box.obj --pose 1 '0.75 0.25 0.25 1 0 0 0'"), 1);
    const char *line = strchr(run_state.out, '\n');
    CHECK(line && sscanf(line, "\n0,1,%lf,%lf,", &depth, &lower) == 2);
    CHECK(lower <= 0.25 && depth >= 0.25 && depth <= 0.2526);
    CHECK_CONTAINS(run_state.out, ",overlap\n");
    CHECK_INT(run("check --contacts --json box.obj box.obj --pose 1 '0.75 0.25 0.25 1 0 0 0'"), 1);
    CHECK_CONTAINS(run_state.out, "  \"touch_depth\": 0,\n  \"pairs\": [\n");
    CHECK_CONTAINS(run_state.out, "      \"relation\": \"overlap\",\n      \"depth\": 0.25");
    CHECK_CONTAINS(run_state.out, "      \"normal_rule\": \"curve\",\n");
    CHECK_CONTAINS(run_state.out, "          \"is_closed\": true,\n          \"points\": [\n");
    if (system("python3 -c 'import json; json.load(open(\".out\"))' >.python 2>&1") != 0)
        test_skip("there is no python3 to read JSON with");
}

TEST(the_depth_that_is_let_pass)
{
    static const char boxes[] = "box.obj box.obj --pose 1 '0.75 0.25 0.25 1 0 0 0'";
    static const char *const questions[] = {"--distance", "--clearance 1", "--max-distance 1", "--contacts"};
    if (!prepare_files())
        return;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; ++i) {
        char question[64];
        check_relation(questions[i], boxes, "overlap");
        snprintf(question, sizeof question, "%s --touch-depth 0.2", questions[i]);
        check_relation(question, boxes, "overlap");
        snprintf(question, sizeof question, "%s --touch-depth 0.26", questions[i]);
        check_relation(question, boxes, "touch");
        check_relation(questions[i], "box.obj box.obj --pose 1 '1 0 0 1 0 0 0'", "touch");
        check_relation(questions[i], "box.obj box.obj --pose 1 '1 1 1 1 0 0 0'", "touch");
    }
    CHECK_INT(run("check --distance --json --touch-depth 0.26 box.obj box.obj"), 1);
    CHECK_CONTAINS(run_state.out, "  \"touch_depth\": 0.26,\n");
}

TEST(open_bodies_overlap_where_they_cross)
{
    static const char *const questions[] = {"--distance", "--contacts"};
    if (!prepare_files())
        return;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; ++i) {
        check_relation(questions[i], "floor.obj wall.obj", "overlap");
        check_relation(questions[i], "floors.obj wall.obj", "overlap"); // along edges of one,
        check_relation(questions[i], "floor.obj walls.obj", "overlap");
        check_relation(questions[i], "walls.obj floors.obj", "overlap"); // and of both
        check_relation(questions[i], "floor.obj standing.obj", "touch");
        check_relation(questions[i], "standing.obj floors.obj", "touch");
        check_relation(questions[i], "floor.obj floor.obj", "touch"); // face on face
        check_relation(questions[i], "floors.obj floor.obj", "touch");
        check_relation(questions[i], "corner.obj beside.obj", "touch");
        check_relation(questions[i], "box.obj floor.obj --pose 1 '0 0 0.5 1 0 0 0'", "overlap");
        check_relation(questions[i], "box.obj floor.obj", "touch"); // lies under it
        // However much is let pass: an open body has no depth.
        check_relation(questions[i], "floor.obj wall.obj --touch-depth 9", "overlap");
    }
    CHECK_INT(run("check --contacts floor.obj wall.obj"), 1);
    CHECK_CONTAINS(run_state.out, "                 unknown  ");
    CHECK_INT(run_unnamed("check --contacts --csv floor.obj wall.obj"), 1);
    CHECK_CONTAINS(run_state.out, "\n0,1,,,");
    CHECK_INT(run("check --contacts --json floor.obj wall.obj"), 1);
    CHECK_CONTAINS(run_state.out, "\"depth\": null,\n      \"depth_lower_bound\": null,\n");
}

TEST(solids_that_hold_others_overlap)
{
    if (!prepare_files())
        return;
    check_relation("--distance --convex", "box.obj small.obj", "overlap"); // no faces touch
    check_relation("--distance --convex", "box.obj box.obj --pose 1 '1 0 0 1 0 0 0'", "touch");
    check_relation("--distance --convex", "box.obj box.obj --pose 1 '0.75 0.25 0.25 1 0 0 0'", "overlap");
    CHECK_INT(run_unnamed("check --contacts --convex --csv box.obj small.obj"), 1);
    CHECK_TEXT(run_state.out, COLUMNS);
    CHECK_INT(run("check --contacts --convex box.obj small.obj"), 1);
    CHECK_CONTAINS(run_state.out, "convex hulls");
    CHECK_CONTAINS(run_state.out, "Pairs of bodies that meet: 1 of 1. Regions in which they touch: 0.\n");
}

TEST(relations_of_several_pairs_do_not_mix)
{
    if (!prepare_files())
        return;
    CHECK_INT(run_unnamed("check --distance --csv box.obj box.obj box.obj box.obj --pose 1 '1 0 0 1 0 0 0' "
                          "--pose 2 '0.5 0.5 0.5 1 0 0 0' --pose 3 '9 0 0 1 0 0 0'"),
              1);
    const char *line = run_state.out;
    static const char *const ends[] = {"relation", "touch", "overlap", "apart", "overlap", "apart", "apart"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
        size_t length = strcspn(line, "\n"), end_length = strlen(ends[i]);
        if (!CHECK(length > end_length && strncmp(line + length - end_length, ends[i], end_length) == 0))
            return;
        line += length + 1;
    }
    CHECK_TEXT(line, "");
}

TEST(a_picture_has_the_curves)
{
    static char picture[MAX_OUTPUT];
    if (!prepare_files())
        return;
    CHECK_INT(run("check --contacts box.obj box.obj --pose 1 '0.75 0.25 0.25 1 0 0 0' --picture c.svg"), 1);
    CHECK_CONTAINS(run_state.out, "the picture has the curves in which they meet.\n");
    CHECK(read_file("c.svg", picture));
    const char *lines = strstr(picture, "stroke-linecap=\"round\"");
    CHECK(lines && strstr(lines, "z\"/>"));      // a closed curve
    CHECK(lines && strstr(lines, "h0") == NULL); // and no dots
    CHECK_INT(run("check --contacts corner.obj beside.obj --picture c.svg -o c.ply"), 1);
    CHECK(read_file("c.svg", picture));
    CHECK_CONTAINS(picture, "h0"); // a point
}

TEST(methods_and_threads_change_no_byte)
{
    static const char *const variants[] = {"--threads 1", "--threads 3", "--method exact-boxes"};
    static char first[MAX_OUTPUT];
    if (!prepare_files())
        return;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; ++i) {
        char command[256];
        snprintf(command, sizeof command,
                 "check --contacts --json box.obj box.obj floor.obj --pose 1 '0.5 0.25 0.25 0.8 0.6 0 0' %s",
                 variants[i]);
        CHECK_INT(run(command), 1);
        if (i == 0)
            strcpy(first, run_state.out);
        CHECK_TEXT(run_state.out, first);
    }
}

TEST(errors_are_one_line_and_name_both_options)
{
    if (!prepare_files())
        return;
    check_fails("check --contacts --pairs box.obj box.obj", "--contacts and --pairs exclude each other");
    check_fails("check --contacts --first box.obj box.obj", "--contacts and --first exclude each other");
    check_fails("check --contacts --csv --max 3 box.obj box.obj", "--contacts and --max exclude each other");
    check_fails("check --contacts --distance box.obj box.obj",
                "--distance and --contacts exclude each other");
    check_fails("check --contacts --clearance 1 box.obj box.obj", "--clearance and --contacts exclude");
    check_fails("check --contacts --max-distance 1 box.obj box.obj", "--max-distance and --contacts exclude");
    check_fails("check --contacts --touch-depth -1 box.obj box.obj", "--touch-depth: expected a length");
}
