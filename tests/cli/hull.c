// impinge hull, run as a program.
#define _XOPEN_SOURCE 700 // for program.h

#include "program.h"

// The box, and a point inside, one in a face, one in an edge and one twice.
static void write_points(void)
{
    char text[2 * sizeof box_obj];
    snprintf(text, sizeof text, "%sv 0.5 0.5 0.5\nv 0.5 0.5 0\nv 0.25 0 0\nv 1 1 1\n", box_obj);
    write_file("points.obj", text);
}

TEST(a_hull_is_written_and_told_of)
{
    if (!prepare())
        return;
    write_points();
    CHECK_INT(run("hull points.obj hull.obj"), 0);
    CHECK_TEXT(run_state.out, "hull.obj: 8 vertices, 12 triangles, volume 1, area 6\n");
    CHECK_TEXT(run_state.err, "");
    CHECK_INT(run("info hull.obj --json"), 0);
    CHECK_CONTAINS(run_state.out, "\"vertex_count\": 8,");
    CHECK_CONTAINS(run_state.out, "\"orientation\": \"outward\",");
    CHECK_CONTAINS(run_state.out, "\"volume\": 1\n");
    CHECK_INT(run("hull --keep-coplanar points.obj kept.ply"), 0);
    CHECK_TEXT(run_state.out, "kept.ply: 10 vertices, 16 triangles, volume 1, area 6\n");
    CHECK_INT(run("info kept.ply --json"), 0);
    CHECK_CONTAINS(run_state.out, "\"closed\": true,");
}

TEST(json_is_for_programs)
{
    if (!prepare())
        return;
    write_points();
    CHECK_INT(run("hull points.obj hull.off --json"), 0);
    CHECK(strncmp(run_state.out, "{\n  \"schema_version\": 1,", 24) == 0);
    CHECK_CONTAINS(run_state.out, "\"input\": \"points.obj\",");
    CHECK_CONTAINS(run_state.out, "\"output\": \"hull.off\",");
    CHECK_CONTAINS(run_state.out, "\"point_count\": 12,");
    CHECK_CONTAINS(run_state.out, "\"vertex_count\": 8,");
    CHECK_CONTAINS(run_state.out, "\"triangle_count\": 12,");
    CHECK_CONTAINS(run_state.out, "\"volume\": 1,");
    CHECK_CONTAINS(run_state.out, "\"area\": 6\n");
}

TEST(what_has_no_hull_is_one_line_and_status_2)
{
    if (!prepare())
        return;
    write_file("triangle.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write_file("flat.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    write_file("line.obj", "v 0 0 0\nv 1 1 1\nv 2 2 2\nv 3 3 3\nf 1 2 3 4\n");
    check_fails("hull triangle.obj no.obj", "triangle.obj: a polytope needs 4 points, and there are 3");
    check_fails("hull flat.obj no.obj", "flat.obj: the 4 points lie in one plane");
    check_fails("hull line.obj no.obj", "line.obj: the 4 points lie on one line");
    check_fails("hull missing.obj no.obj", "missing.obj");
    check_fails("hull box.obj", "IN OUT");
    check_fails("hull box.obj no.gif", "no.gif");
    check_fails("hull box.obj nowhere/no.obj", "nowhere/no.obj");
    check_fails("hull box.obj no.obj --keep-coplaner", "'--keep-coplanar'");
    CHECK(access("no.obj", F_OK) != 0);
}
