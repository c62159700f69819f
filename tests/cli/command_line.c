// The program itself: command lines, info, convert.
#define _XOPEN_SOURCE 700 // for program.h

#include "program.h"
#include "sanitizers.h"

#include <impinge/base.h>

TEST(help_and_version)
{
    if (!prepare())
        return;
    CHECK_INT(run("--help"), 0);
    CHECK_CONTAINS(run_state.out, "usage: impinge COMMAND");
    CHECK_CONTAINS(run_state.out, "info");
    CHECK_CONTAINS(run_state.out, "convert");
    for (int i = 0; i < 3; ++i) {
        CHECK_INT(run((const char *[]){"--version", "-V", "version"}[i]), 0);
        CHECK(strncmp(run_state.out, "impinge ", 8) == 0);
        CHECK_CONTAINS(run_state.out, imp_version());
    }
    CHECK_INT(run("info --help"), 0);
    CHECK_CONTAINS(run_state.out, "examples:");
    CHECK_INT(run("help convert"), 0);
    CHECK_CONTAINS(run_state.out, "--pose");
    CHECK_TEXT(run_state.err, "");
}

static void check_width(const char *arguments)
{
    CHECK_INT(run(arguments), 0);
    for (const char *line = run_state.out; *line; line += strcspn(line, "\n") + 1)
        if (!CHECK(strcspn(line, "\n") <= 90))
            printf("  impinge %s: %.*s\n", arguments, (int)strcspn(line, "\n"), line);
}

// The help on a command, empty for the program, and on those that it lists, told apart by a further word.
// Returns how many these are.
static int check_widths(const char *command)
{
    char list[8192], name[32], arguments[64];
    int count = 0;
    snprintf(arguments, sizeof arguments, "%s --help", command);
    check_width(arguments);
    if (!CHECK(strlen(run_state.out) < sizeof list))
        return 0;
    memcpy(list, run_state.out, strlen(run_state.out) + 1);
    const char *line = strstr(list, "\ncommands:\n");
    if (!line)
        return 0;
    for (line += strlen("\ncommands:\n"); sscanf(line, "  %31[a-z]", name) == 1 && *line == ' '; ++count) {
        snprintf(arguments, sizeof arguments, "%s %s", command, name);
        int part_count = check_widths(arguments);
        CHECK((part_count > 0) == (strcmp(name, "octree") == 0));
        line += strcspn(line, "\n") + 1;
    }
    return count;
}

TEST(help_is_at_most_90_columns_wide)
{
    if (!prepare())
        return;
    CHECK(check_widths("") >= 8);
    CHECK_INT(check_widths("octree"), 5);
}

TEST(bad_command_lines_are_one_line_and_status_2)
{
    if (!prepare())
        return;
    check_fails("", "no command");
    check_fails("inof box.obj", "did you mean 'info'?");
    check_fails("versoin", "did you mean 'version'?");
    check_fails("frobnicate", "unknown command 'frobnicate'");
    check_fails("--frobnicate", "unknown option '--frobnicate'");
    check_fails("a.ply b.obj", "did you mean 'impinge check a.ply ...'?");
    check_fails("a.ply", "did you mean 'impinge info a.ply'?");
    check_fails("info", "FILE...");
    check_fails("info --jsn box.obj", "'--json'");
    check_fails("info --json=1 box.obj", "takes no value");
    check_fails("convert box.obj", "IN OUT");
    check_fails("convert box.obj a.ply b.ply", "unexpected argument 'b.ply'");
    check_fails("convert box.obj a.ply --pose", "lacks a value");
    check_fails("convert box.obj a.ply --pose '0 0 0 1 0 0'", "expected 3, 7, 12 or 16 numbers, got 6");
    check_fails("convert box.obj a.ply --pose '0 0 0 1 0 0 0 0'", "got 8");
    check_fails("convert box.obj a.ply --pose '0 0 nan 1 0 0 0'", "nan");
    check_fails("convert box.obj a.ply --pose '0 0 0 1 1 0 0'", "has length 1.41421356");
    check_fails("convert box.obj a.ply --pose '1 0 0 1 0 0 0' --pose '0 0 0 1 0 0 0'", "twice");
    check_fails("convert box.obj a.ply --scale 0", "expected a factor above 0");
    check_fails("convert box.obj a.ply --scale 2/1000", "as 25.4 or 1/1000");
    check_fails("convert box.obj a.ply --view left", "--view is for pictures");
    check_fails("convert box.obj a.svg --view sideways", "front");
    check_fails("convert box.obj a.svg --view '0 0 0'", "no direction");
    check_fails("convert box.obj a.svg --size 0", "whole number");
    check_fails("convert box.obj a.svg --size 100000", "whole number");
    check_fails("info 'a\nb.obj'", "a\\x0ab.obj");
    CHECK(access("a.ply", F_OK) != 0 && access("a.svg", F_OK) != 0);
}

TEST(bad_files_are_one_line_and_status_2)
{
    if (!prepare())
        return;
    write_file("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n");
    check_fails("info missing.obj", "missing.obj");
    check_fails("info box.obj missing.obj", "missing.obj");
    check_fails("info .", "impinge: ");
    check_fails("info bad.obj", "bad.obj:4:");
    check_fails("convert bad.obj a.ply", "bad.obj:4:");
    check_fails("convert box.obj a.unknown", "a.unknown");
    check_fails("convert box.obj nowhere/a.ply", "nowhere/a.ply");
    check_fails("convert box.obj nowhere/a.svg", "nowhere/a.svg");
}

TEST(info_tells_what_a_box_is)
{
    if (!prepare())
        return;
    CHECK_INT(run("info box.obj"), 0);
    CHECK_CONTAINS(run_state.out, "closed");
    CHECK_CONTAINS(run_state.out, "outward");
    CHECK_TEXT(run_state.err, "");
    CHECK_INT(run("info --json box.obj"), 0);
    CHECK(strncmp(run_state.out, "{\n  \"schema_version\": 1,", 24) == 0);
    CHECK_CONTAINS(run_state.out, "\"vertex_count\": 8,");
    CHECK_CONTAINS(run_state.out, "\"triangle_count\": 12,");
    CHECK_CONTAINS(run_state.out, "\"edge_count\": 18,");
    CHECK_CONTAINS(run_state.out, "\"closed\": true,");
    CHECK_CONTAINS(run_state.out, "\"min\": [0, 0, 0],");
    CHECK_CONTAINS(run_state.out, "\"area\": 6,");
    CHECK_CONTAINS(run_state.out, "\"volume\": 1\n");
}

TEST(info_has_a_column_for_each_file)
{
    if (!prepare())
        return;
    write_file("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    CHECK_INT(run("info box.obj open.obj"), 0);
    CHECK_CONTAINS(run_state.out, "box.obj  open.obj\n");
    CHECK_CONTAINS(run_state.out, "closed      open\n");
    CHECK_CONTAINS(run_state.out, "outward         -\n");
}

TEST(info_finds_faces_that_pierce_each_other)
{
    if (!prepare())
        return;
    write_file("cross.obj", "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 -1\nv 1 1 1\nv 2 2 1\nf 1 2 3\nf 4 5 6\n");
    CHECK_INT(run("info --self cross.obj"), 0);
    CHECK_CONTAINS(run_state.out, "cross.obj: 1 intersecting pairs of faces\nface_a,face_b\n0,1\n");
    CHECK_INT(run("info --self --json cross.obj box.obj"), 0);
    CHECK_CONTAINS(run_state.out, "\"self_pair_count\": 1,");
    CHECK_CONTAINS(run_state.out, "[0, 1]");
    CHECK_CONTAINS(run_state.out, "\"self_pair_count\": 0,");
}

TEST(json_is_json)
{
    if (!prepare())
        return;
    if (system("python3 -c 'import json' >.out 2>&1") != 0) {
        test_skip("there is no python3 to read JSON with");
        return;
    }
    write_file("we\"ird\\.obj", box_obj);
    CHECK_INT(run("info --json --self box.obj 'we\"ird\\.obj'"), 0);
    CHECK_INT(system("python3 -m json.tool <.out >.checked"), 0);
}

TEST(conversion_round_trips_are_identical)
{
    if (!prepare())
        return;
    static char first[MAX_OUTPUT], again[MAX_OUTPUT];
    write_file("tilted.obj", "v 0.1 0.2 1e-300\nv 1 0 -0.30000000000000004\nv 1 1e22 0\nf 1 2 3\nf 3 2 1\n");
    CHECK_INT(run("convert tilted.obj first.obj"), 0);
    CHECK_INT(run("convert first.obj a.ply"), 0);
    CHECK_INT(run("convert a.ply b.off"), 0);
    CHECK_INT(run("convert b.off again.obj"), 0);
    CHECK_CONTAINS(run_state.out, "again.obj: 3 vertices, 2 triangles\n");
    CHECK(read_file("first.obj", first) && read_file("again.obj", again));
    CHECK_TEXT(again, first);
    CHECK_INT(run("convert box.obj box.stl"), 0);
    CHECK_INT(run("info --json box.stl"), 0);
    CHECK_CONTAINS(run_state.out, "\"distinct_vertex_count\": 8,");
    CHECK_CONTAINS(run_state.out, "\"closed\": true,");
}

TEST(a_pose_turns_and_then_shifts)
{
    if (!prepare())
        return;
    CHECK_INT(run("convert box.obj moved.ply --pose '10 -20 30 0 0 0 1'"), 0); // half a turn about z
    CHECK_INT(run("info --json moved.ply"), 0);
    CHECK_CONTAINS(run_state.out, "\"min\": [9, -21, 30],");
    CHECK_CONTAINS(run_state.out, "\"max\": [10, -20, 31],");
    write_file("huge.obj", "v 1.7e308 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n");
    check_fails("convert huge.obj far.ply --pose '1.7e308 0 0 1 0 0 0'", "the pose moves vertex 0");
    CHECK(access("far.ply", F_OK) != 0);
}

TEST(pictures_are_well_formed)
{
    if (!prepare())
        return;
    static char picture[MAX_OUTPUT], again[MAX_OUTPUT];
    write_file("a&b<c>.obj", box_obj);
    CHECK_INT(run("convert 'a&b<c>.obj' box.SVG --view '1 2 3' --size 200"), 0);
    CHECK(read_file("box.SVG", picture));
    CHECK(strncmp(picture, "<svg xmlns=\"http://www.w3.org/2000/svg\"", 39) == 0);
    CHECK_CONTAINS(picture, "<title>a&amp;b&lt;c&gt;.obj</title>");
    CHECK_CONTAINS(picture, "</svg>\n");
    CHECK_INT(run("convert 'a&b<c>.obj' again.svg --view '1 2 3' --size 200"), 0);
    CHECK(read_file("again.svg", again));
    CHECK_TEXT(again, picture);
    static const char *const views[] = {"front", "back", "left", "right", "top", "bottom", "auto"};
    for (size_t i = 0; i < sizeof views / sizeof *views; ++i) {
        char line[100];
        snprintf(line, sizeof line, "convert box.obj view.svg --up z --size 64 --view %s", views[i]);
        CHECK_INT(run(line), 0);
    }
    if (system("python3 -c 'import xml.dom.minidom' >.out 2>&1") == 0)
        CHECK_INT(system("python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse(\"box.SVG\")'"), 0);
}

// As on a full disk: not a byte can be written. What the program says goes through a pipe.
static void check_full_disk(const char *target)
{
    static char content[MAX_OUTPUT];
    char line[256];
    write_file(target, "as it was");
    snprintf(line, sizeof line, "(ulimit -f 0; \"$IMPINGE_BIN\" convert box.obj %s; echo status $?) 2>&1",
             target);
    FILE *pipe = popen(line, "r");
    if (!CHECK(pipe != NULL))
        return;
    content[fread(content, 1, sizeof content - 1, pipe)] = 0;
    pclose(pipe);
    snprintf(line, sizeof line, "impinge: %s: writing failed: ", target);
    CHECK(strncmp(content, line, strlen(line)) == 0);
    CHECK_CONTAINS(content, "\nstatus 2\n");
    CHECK(read_file(target, content));
    CHECK_TEXT(content, "as it was");
}

TEST(a_failed_write_leaves_what_was_there)
{
    if (!prepare())
        return;
#if defined(TEST_UNDER_SANITIZER)
    test_skip("sanitizers end the program at the limit on file sizes");
    return;
#endif
    static const char *const targets[] = {"kept.svg", "kept.ply", "kept.obj", "kept.stl", "kept.off"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; ++i)
        check_full_disk(targets[i]);
    CHECK(system("ls | grep -q '[.]tmp$'") != 0);
}

TEST(a_full_standard_output_is_an_error)
{
    if (!prepare())
        return;
    if (access("/dev/full", W_OK) != 0) {
        test_skip("there is no /dev/full");
        return;
    }
    int status = system("\"$IMPINGE_BIN\" info box.obj >/dev/full 2>.err");
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 2);
    read_file(".err", run_state.err);
    CHECK_CONTAINS(run_state.err, "impinge: standard output: ");
}
