// What impinge info remarks.
#define _XOPEN_SOURCE 700 // for program.h

#include "program.h"

// A triangle with edges of these lengths along x and y, given `times` times.
static void write_triangle(const char *name, const char *x, const char *y, int times)
{
    char text[256];
    size_t length = (size_t)snprintf(text, sizeof text, "v 0 0 0\nv %s 0 0\nv 0 %s 0\n", x, y);
    for (int i = 0; i < times; ++i)
        length += (size_t)snprintf(text + length, sizeof text - length, i % 2 ? "f 3 1 2\n" : "f 1 2 3\n");
    write_file(name, text);
}

TEST(doubled_faces_are_remarked)
{
    if (!prepare())
        return;
    write_triangle("once.obj", "1", "1", 1);
    write_triangle("twice.obj", "1", "1", 2);
    write_triangle("often.obj", "1", "1", 4);
    CHECK_INT(run("info once.obj twice.obj often.obj"), 0);
    CHECK_CONTAINS(run_state.out,
                   "\n\nnote: twice.obj: 1 face is doubled: an earlier face has the same corners\n"
                   "note: often.obj: 3 faces are doubled: an earlier face has the same corners\n");
    CHECK(!strstr(run_state.out, "note: once.obj"));
    CHECK_INT(run("info --json once.obj twice.obj"), 0);
    CHECK_CONTAINS(run_state.out, "\"remarks\": [],");
    CHECK_CONTAINS(run_state.out, "\"1 face is doubled: an earlier face has the same corners\"");
}

TEST(sizes_that_look_like_another_unit_are_remarked)
{
    if (!prepare())
        return;
    write_triangle("a.obj", "2400", "1", 1);
    write_triangle("b.obj", "0.0002", "0.0004", 1);
    write_triangle("c.obj", "1000", "1", 1);
    write_triangle("d.obj", "0.001", "0.0005", 1);
    write_triangle("e.obj", "0", "0", 1); // a point has no size
    write_triangle("f.obj", "1e308", "1", 2);
    CHECK_INT(run("info a.obj b.obj c.obj d.obj e.obj f.obj"), 0);
    CHECK_CONTAINS(run_state.out,
                   "note: a.obj: its box is 2400 long; if that is in millimetres, it is 2.4 m\n"
                   "note: b.obj: its box is 0.0004 long; if that is in metres, it is 0.4 mm\n"
                   "note: f.obj: 1 face is doubled: an earlier face has the same corners\n"
                   "note: f.obj: its box is 1e+308 long; if that is in millimetres, it is 1e+305 "
                   "m\n");
    CHECK_INT(run("info --json a.obj"), 0);
    CHECK_CONTAINS(run_state.out, "\"its box is 2400 long; if that is in millimetres, it is 2.4 m\"");
    CHECK_INT(run("info a.obj --self"), 0);
    CHECK_CONTAINS(run_state.out, "note: a.obj: its box is 2400 long");
}
