// impinge sweep and run --continuous of bodies that turn or keep a distance, run as a program.
#define _XOPEN_SOURCE 700 // for program.h

#include "program.h"

#include <math.h>

#define NEAR 1e-6

// A blade from the origin along x, which turns about z, and a peg whose edge is at 45 degrees.
static bool prepare_blade(void)
{
    if (!prepare())
        return false;
    write_file("blade.obj", "v 0 0 -1\nv 3 0 0\nv 0 0 1\nf 1 2 3\n");
    write_file("peg.obj", "v 1.4142135623730951 1.4142135623730951 0\nv 1 2 .2\nv 1 2 -.2\nv .8 2.2 0\n"
                          "f 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n");
    write_file("wall.obj", "v 0 -5 -5\nv 0 5 -5\nv 0 5 5\nv 0 -5 5\nf 1 2 3\nf 1 3 4\n");
    return true;
}

// The only line of --pairs is about these bodies' path and time.
static void check_meeting(const char *arguments, double time, const char *path)
{
    double told = -1;
    char told_path[32] = "";
    CHECK_INT(run(arguments), 1);
    const char *line = strchr(run_state.out, '\n');
    if (CHECK(line && sscanf(line, "\n0,1,%lf,%*d,%31[a-z],", &told, told_path) == 2)) {
        CHECK(fabs(told - time) < NEAR);
        CHECK_TEXT(told_path, path);
        CHECK(strchr(line + 1, '\n')[1] == 0);
    }
}

TEST(bodies_turn_as_a_whole)
{
    if (!prepare_blade())
        return;
    check_meeting("sweep blade.obj peg.obj --to-pose 0 '0 0 0 axis 0 0 1 90' --pairs", 0.5, "rigid");
    check_meeting("sweep blade.obj peg.obj --to-pose 0 '0 0 0 axis 0 0 1 60' --pairs", 0.75, "rigid");
    check_meeting("sweep blade.obj peg.obj --to-pose 0 '0 0 0 axis 0 0 1 90' --path straight --pairs", 0.5,
                  "straight");
    check_meeting("sweep blade.obj peg.obj --to-pose 0 '0 0 0 axis 0 0 1 90' --path 0=rigid --pairs", 0.5,
                  "rigid");
    CHECK_INT(run("sweep blade.obj peg.obj --to-pose 0 '0 0 0 axis 0 0 1 90' --csv"), 1);
    CHECK_CONTAINS(run_state.out, ",face,vertex,,0,0,blade,peg\n");
    CHECK_INT(run("sweep blade.obj peg.obj --to-pose 0 '0 0 0 axis 0 0 1 40' --pairs"), 0);
    CHECK_INT(run("sweep blade.obj peg.obj --to-pose 0 '0 0 0 axis 0 0 1 90'"), 1);
    CHECK_CONTAINS(run_state.out, "  rigid  ");
    CHECK_INT(run("sweep blade.obj peg.obj --to-pose 0 '0 0 0 axis 0 0 1 90' --picture turned.svg"), 1);
    CHECK_CONTAINS(run_state.out, "turned.svg: the bodies at that time");
}

TEST(bodies_turn_several_times)
{
    if (!prepare_blade())
        return;
    check_meeting("sweep blade.obj peg.obj --to-pose 0 '0 0 0 axis 0 0 1 90' --turns 0 1 --pairs", 0.1,
                  "rigid");
    check_meeting("sweep blade.obj peg.obj --turns 0 1 --axis 0 '0 0 2' --pairs", 0.125, "rigid");
    check_meeting("sweep blade.obj peg.obj --turns 0 1 --axis 0 '0 0 -2' --pairs", 0.805508629, "rigid");
    check_meeting("sweep blade.obj peg.obj --to-pose 0 '0 0 0 axis 0 0 1 90' --pivot 0 '0 0 5' --pairs", 0.5,
                  "rigid");
    check_fails("sweep blade.obj peg.obj --turns 0 1", "impinge: blade (body 0) makes 1 whole turns: ");
    check_fails("sweep blade.obj peg.obj --to 0 blade.obj --turns 0 1 --axis 0 '0 0 1'", "impinge: blade: ");
    // The other way round it ends before the peg.
    CHECK_INT(run("sweep blade.obj peg.obj --to-pose 0 '0 0 0 axis 0 0 1 90' --turns 0 -1 --pairs"), 0);
}

TEST(bodies_meet_at_a_distance)
{
    if (!prepare_blade())
        return;
    check_meeting("sweep box.obj wall.obj --pose 0 '-3 0 0' --to-pose 0 '5 0 0' --separation 0.5 --pairs",
                  0.1875, "straight");
    CHECK_INT(run("sweep box.obj wall.obj --pose 0 '-3 0 0' --to-pose 0 '-1.75 0 0' --separation 0.5"), 0);
    CHECK_CONTAINS(run_state.out, "Nothing gets as near as 0.5 on its way.\n");
}

TEST(what_turns_through_something_between_frames_is_found)
{
    if (!prepare_blade())
        return;
    write_file("turn.csv", "time,body,x,y,z,qw,qx,qy,qz\n0,blade,0,0,0,1,0,0,0\n"
                           "1,blade,0,0,0,0.7071067811865476,0,0,0.7071067811865476\n");
    CHECK_INT(run("run blade.obj peg.obj --poses turn.csv --fail-on touch"), 0);
    CHECK_INT(run("run blade.obj peg.obj --poses turn.csv --fail-on touch --continuous"), 1);
    CHECK_CONTAINS(run_state.out, "\nContacts that begin between frames: 1; gone in the next frame: 1.\n");
}
