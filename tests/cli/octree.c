// impinge octree, run as a program.
#define _XOPEN_SOURCE 700 // for program.h

#include "npy_files.h"
#include "program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static char text[MAX_OUTPUT], other_text[MAX_OUTPUT];

static const char sheet_obj[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static size_t count_of(const char *in, const char *part)
{
    size_t count = 0;
    for (const char *c = strstr(in, part); c; c = strstr(c + 1, part))
        ++count;
    return count;
}

// Bytes, which may be zero.
static bool same_files(const char *a, const char *b)
{
    FILE *files[2] = {fopen(a, "rb"), fopen(b, "rb")};
    size_t sizes[2] = {0, 0};
    char *const bytes[2] = {text, other_text};
    for (int i = 0; i < 2; ++i) {
        if (!CHECK(files[i] != NULL))
            return false;
        sizes[i] = fread(bytes[i], 1, MAX_OUTPUT, files[i]);
        fclose(files[i]);
    }
    return sizes[0] > 0 && sizes[0] == sizes[1] && memcmp(text, other_text, sizes[0]) == 0;
}

// ---- build and info

TEST(a_box_on_grid_lines_is_exactly_its_voxels)
{
    if (!prepare())
        return;
    static const char *const rules[] = {"outer", "inner", "centre"};
    for (int i = 0; i < 3; ++i) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "octree build box.obj --cube '-1 -1 -1 4' --level 3 --rule %s",
                 rules[i]);
        CHECK_INT(run(arguments), 0);
        CHECK_TEXT(run_state.err, "");
        CHECK_CONTAINS(run_state.out, ": 8 x 8 x 8 voxels of 0.5, ");
        CHECK_CONTAINS(run_state.out, "\ncube     from -1 -1 -1 to 3 3 3\n"
                                      "black    8 voxels, volume 1\n"
                                      "bounds   from 0 0 0 to 1 1 1\n"
                                      "\n"
                                      "level          gray         black         white\n"
                                      "    0             1             0             0\n"
                                      "    1             1             0             7\n"
                                      "    2             0             1             7\n"
                                      "    3             0             0             0\n");
    }
    CHECK_INT(run("octree build box.obj --cube '-1 -1 -1 4' --level 3 --rule touch"), 0);
    CHECK_CONTAINS(run_state.out, "black    64 voxels, volume 8\n");
    CHECK_INT(run("octree build box.obj"), 0);
    CHECK_CONTAINS(run_state.out, "box.obj, outer: 64 x 64 x 64 voxels of 0.015625, ");
    CHECK_CONTAINS(run_state.out, "volume 1\n");
}

TEST(json_tells_what_an_octree_holds)
{
    if (!prepare())
        return;
    CHECK_INT(run("octree build box.obj --cube '-1 -1 -1 4' --level 3 -o box.oct --json"), 0);
    CHECK_CONTAINS(run_state.out, "\"schema_version\": 1,");
    CHECK_CONTAINS(run_state.out, "\"file\": \"box.oct\",");
    CHECK_CONTAINS(run_state.out, "\"seconds\": ");
    CHECK_INT(run("octree info --json box.oct"), 0);
    CHECK_CONTAINS(run_state.out,
                   "\"origin\": [-1, -1, -1],\n      \"voxel\": 0.5,\n      \"end\": [3, 3, 3],\n");
    CHECK_CONTAINS(run_state.out,
                   "\"cut\": false,\n      \"condensed\": true,\n      \"black_voxel_count\": 8,\n"
                   "      \"volume\": 1,\n      \"min\": [0, 0, 0],\n"
                   "      \"min_voxel\": [2, 2, 2],\n      \"max\": [1, 1, 1],\n"
                   "      \"max_voxel\": [4, 4, 4],\n");
    CHECK_CONTAINS(run_state.out, "{\"level\": 2, \"gray\": 0, \"black\": 1, \"white\": 7},\n");
    CHECK_INT(run("octree build box.obj --cube '5 5 5 4' -o none.oct --json"), 0);
    CHECK_CONTAINS(run_state.out, "\"file\": \"none.oct\",");
    CHECK_CONTAINS(run_state.out, "\"min\": null,\n      \"min_voxel\": null,\n      \"max\": null,\n");
    CHECK_INT(run("octree build box.obj --cube '0.5 0 0 1' --level 1"), 0);
    CHECK_CONTAINS(run_state.out, "\ncut      it was made of something that goes beyond the cube\n");
    CHECK_INT(run("octree info box.oct none.oct"), 0);
    CHECK_INT(count_of(run_state.out, "level          gray"), 2);
}

TEST(open_meshes_are_sealed_or_faces)
{
    if (!prepare())
        return;
    write_file("sheet.obj", sheet_obj);
    check_fails("octree build sheet.obj", "sheet.obj: ");
    CHECK_CONTAINS(run_state.err, "open");
    CHECK_INT(run("octree build sheet.obj --rule sealed --cube '0 0 0 2' --level 1"), 0);
    CHECK_CONTAINS(run_state.out, "sheet.obj, sealed: 2 x 2 x 2");
    CHECK_CONTAINS(run_state.out, "black    4 voxels, volume 4\n");
    CHECK_INT(run("octree build sheet.obj --faces --cube '0 0 0 2' --level 1 -o faces.csv"), 0);
    CHECK_CONTAINS(run_state.out, "black    4 voxels, volume 4\n");
    CHECK_CONTAINS(run_state.out, "faces    8 in lists\n");
    CHECK_CONTAINS(run_state.out, "\nfaces.csv: 4 voxels, 8 faces in lists\n");
    CHECK(read_file("faces.csv", text));
    CHECK_TEXT(text, "x,y,z,face\n0,0,0,0\n0,0,0,1\n1,0,0,0\n1,0,0,1\n0,1,0,0\n0,1,0,1\n1,1,0,0\n1,1,0,1\n");
}

TEST(threads_make_no_difference)
{
    if (!prepare())
        return;
    CHECK_INT(run("octree build box.obj --cube '-0.1 -0.2 -0.3 1.7' --level 5 --threads 1 -o one.oct"), 0);
    CHECK_INT(run("octree build box.obj --cube '-0.1 -0.2 -0.3 1.7' --level 5 --threads 3 -o three.oct"), 0);
    CHECK(same_files("one.oct", "three.oct"));
}

// ---- convert

TEST(octrees_go_through_all_formats)
{
    if (!prepare())
        return;
    CHECK_INT(run("octree build box.obj --cube '-1 -1 -1 2' --level 3 -o a.oct"), 0);
    CHECK_CONTAINS(run_state.out, "\na.oct: 64 black voxels\n");
    CHECK_INT(run("octree convert a.oct a.df"), 0);
    CHECK_TEXT(run_state.out, "a.df: 64 black voxels\n");
    CHECK(read_file("a.df", text));
    CHECK_TEXT(text, "(WWWWWWWB\n");
    CHECK_INT(run("octree convert a.df b.oct --cube '-1 -1 -1 2' --level 3"), 0);
    CHECK(same_files("a.oct", "b.oct"));
    CHECK_INT(run("octree convert a.oct a.npy"), 0);
    CHECK_INT(run("octree convert a.npy b.oct --cube '-1 -1 -1 2'"), 0);
    CHECK(same_files("a.oct", "b.oct"));
    CHECK_INT(run("octree convert a.oct a.bt"), 0);
    CHECK_INT(run("octree convert a.bt b.oct"), 0);
    CHECK_TEXT(run_state.err, "");
    CHECK(same_files("a.oct", "b.oct"));
    CHECK_INT(run("octree convert a.oct a.obj"), 0);
    CHECK_TEXT(run_state.out, "a.obj: 98 vertices, 192 triangles\n");
    CHECK_INT(run("octree build a.obj --cube '-1 -1 -1 2' --level 3 -o b.oct"), 0);
    CHECK(same_files("a.oct", "b.oct"));
    CHECK_INT(run("octree convert a.oct a.svg --view left --size 200"), 0);
    CHECK(read_file("a.svg", text));
    CHECK_CONTAINS(text, "<svg ");
    CHECK_INT(run("octree convert a.oct A.STL"), 0);
    CHECK_INT(run("octree info a.df"), 0);
    CHECK_CONTAINS(run_state.out, "a.df: 2 x 2 x 2 voxels of 1\ncube     from 0 0 0 to 2 2 2\n");
    CHECK_INT(run("octree info a.df --cube '0 0 0 1'"), 0);
    CHECK_CONTAINS(run_state.out, "a.df: 2 x 2 x 2 voxels of 0.5\n");
}

// Writes text into a pipe once; who opens it again finds it empty, for some seconds.
static pid_t feed_pipe(const char *path, const char *letters)
{
    pid_t child = fork();
    if (child != 0)
        return child;
    int pipe = open(path, O_WRONLY);
    bool is_written = write(pipe, letters, strlen(letters)) == (ssize_t)strlen(letters);
    close(pipe);
    for (int i = 0; i < 1000 && is_written; ++i) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        pipe = open(path, O_WRONLY | O_NONBLOCK);
        if (pipe >= 0)
            close(pipe);
    }
    _exit(0);
}

// The edge of voxels is that of the cube over a power of two that only the text tells.
TEST(text_is_read_from_pipes_too)
{
    if (!prepare())
        return;
    CHECK(mkfifo("pipe.df", 0600) == 0);
    pid_t child = feed_pipe("pipe.df", "(BWW(WWWWWWWBWWWW");
    CHECK_INT(run("octree info pipe.df --cube '1 2 3 1'"), 0);
    CHECK_CONTAINS(run_state.out, "pipe.df: 4 x 4 x 4 voxels of 0.25\ncube     from 1 2 3 to 2 3 4\n");
    CHECK_CONTAINS(run_state.out, "black    9 voxels, volume 0.140625\n");
    kill(child, SIGKILL);
    CHECK(waitpid(child, NULL, 0) == child);
}

TEST(arrays_are_indexed_by_x_y_z)
{
    if (!prepare())
        return;
    uint8_t voxels[64] = {0};
    int32_t numbers[8] = {0, -5, 0, 0, 0, 0, 0, 0}; // x 0, y 0, z 1
    voxels[3 * 16 + 0 * 4 + 1] = 1;                 // x 3, y 0, z 1
    save("bools.npy", IMPI_NPY_BOOL, 3, (size_t[]){4, 4, 4}, voxels);
    save("numbers.npy", IMPI_NPY_INT32, 3, (size_t[]){2, 2, 2}, numbers);
    CHECK_INT(run("octree info bools.npy"), 0);
    CHECK_CONTAINS(run_state.out, "black    1 voxel, volume 1\nbounds   from 3 0 1 to 4 1 2\n");
    CHECK_INT(run("octree info numbers.npy --cube '10 20 30 1'"), 0);
    CHECK_CONTAINS(run_state.out,
                   "black    1 voxel, volume 0.125\nbounds   from 10 20 30.5 to 10.5 20.5 31\n");
    CHECK_INT(run("octree convert bools.npy again.npy"), 0);
    CHECK(same_files("bools.npy", "again.npy"));
}

TEST(unknown_cells_of_maps_are_told_of)
{
    if (!prepare())
        return;
    // One occupied octant of the root, one that is free, six of which nothing is known.
    write_file("map.bt", "# Octomap OcTree binary file\nid OcTree\nsize 3\nres 0.5\ndata\n\x06.");
    FILE *file = fopen("map.bt", "r+b");
    if (!CHECK(file != NULL))
        return;
    fseek(file, -1, SEEK_END);
    fputc(0, file);
    fclose(file);
    CHECK_INT(run("octree info map.bt"), 0);
    CHECK_CONTAINS(run_state.out, "65536 x 65536 x 65536 voxels of 0.5\n");
    CHECK_CONTAINS(run_state.out, "unknown  211106232532992 voxels, taken as white\n");
    CHECK_INT(run("octree info map.bt --unknown black --json"), 0);
    CHECK_CONTAINS(run_state.out, "\"unknown_voxel_count\": 211106232532992,\n");
    CHECK_CONTAINS(run_state.out, "{\"level\": 1, \"gray\": 0, \"black\": 7, \"white\": 1},\n");
    CHECK_INT(run("octree convert map.bt map.oct --unknown black --json"), 0);
    CHECK_CONTAINS(run_state.out, "\"file\": \"map.oct\",\n");
    CHECK_CONTAINS(run_state.out, "\"unknown_voxel_count\": 211106232532992,\n");
    CHECK_TEXT(run_state.err, "impinge: note: map.bt: nothing is known of 211106232532992 voxels, which are "
                              "taken as black\n");
    // Known are two cells of the root's eight, one of them black.
    CHECK_INT(run("octree combine complement map.bt -o map.oct"), 0);
    CHECK_TEXT(run_state.err, "impinge: note: map.bt: nothing is known of 211106232532992 voxels, which are "
                              "taken as white\n");
    CHECK_INT(run("octree combine union map.bt map.bt --unknown black"), 0);
    CHECK_INT(count_of(run_state.err, "note: map.bt: nothing is known of 211106232532992 voxels"), 2);
    CHECK_INT(run("octree move map.bt --pose '0 0 0' --level 2"), 0);
    CHECK_TEXT(run_state.err, "impinge: note: map.bt: nothing is known of 211106232532992 voxels, which are "
                              "taken as white\n");
    check_fails("octree convert map.bt map.npy", "map.npy: an octree of level 16 has too many voxels");
    check_fails("octree info map.bt --unknown grey", "--unknown: expected white or black, got \"grey\"");
}

// ---- combine

TEST(octrees_are_combined)
{
    if (!prepare())
        return;
    write_file("a.df", "(BBWWWWWW");
    write_file("b.df", "(WBBWWWWW");
    write_file("c.df", "(WWWWWWWB");
    CHECK_INT(run("octree combine union a.df b.df c.df -o result.df"), 0);
    CHECK_CONTAINS(run_state.out, "union: 2 x 2 x 2 voxels of 1, ");
    CHECK(read_file("result.df", text));
    CHECK_TEXT(text, "(BBBWWWWB\n");
    CHECK_INT(run("octree combine intersection a.df b.df -o result.df"), 0);
    CHECK(read_file("result.df", text));
    CHECK_TEXT(text, "(WBWWWWWW\n");
    CHECK_INT(run("octree combine difference a.df b.df -o result.df"), 0);
    CHECK(read_file("result.df", text));
    CHECK_TEXT(text, "(BWWWWWWW\n");
    CHECK_INT(run("octree combine complement a.df -o result.df"), 0);
    CHECK(read_file("result.df", text));
    CHECK_TEXT(text, "(WWBBBBBB\n");
    write_file("d.df", "((BWWWWWWWWWWWWWW");
    check_fails("octree combine union a.df d.df", "d.df: the octrees have different grids");
    check_fails("octree combine sum a.df b.df",
                "expected union, intersection, difference or complement, got 'sum'");
    check_fails("octree combine union a.df", "union is of two octrees or more");
    check_fails("octree combine complement a.df b.df", "complement is of one octree, not of 2");
}

// Of files that have a cube and others that have none, --cube and --level are for the others.
TEST(files_without_a_cube_get_that_of_others)
{
    if (!prepare())
        return;
    CHECK_INT(run("octree build box.obj --cube '-2 -2 -2 4' --level 3 -o box.oct"), 0);
    CHECK_INT(run("octree convert box.oct box.npy"), 0);
    CHECK_INT(run("octree convert box.oct box.df"), 0);
    CHECK_INT(run("octree combine difference box.oct box.npy --cube '-2 -2 -2 4'"), 0);
    CHECK_CONTAINS(run_state.out, "black    0 voxels, volume 0\n");
    CHECK_INT(run("octree combine intersection box.npy box.oct box.df --cube '-2 -2 -2 4' --level 3"), 0);
    CHECK_CONTAINS(run_state.out, "black    8 voxels, volume 1\n");
    CHECK_INT(run("octree info box.df box.npy box.oct --cube '-2 -2 -2 4' --level 3"), 0);
    CHECK_INT(count_of(run_state.out, ": 8 x 8 x 8 voxels of 0.5\ncube     from -2 -2 -2 to 2 2 2\n"), 3);
    check_fails("octree combine union box.oct box.npy --level 3", "--level is for files that do not tell it");
    check_fails("octree combine union box.oct box.oct --cube '0 0 0 1'",
                "box.oct: --cube is for files that do not tell it");
    check_fails("octree convert box.oct out.df --cube '0 0 0 1'",
                "box.oct: --cube is for files that do not tell it");
    CHECK(!is_there("out.df"));
}

// ---- move

TEST(octrees_are_moved)
{
    if (!prepare())
        return;
    CHECK_INT(run("octree build box.obj --cube '-2 -2 -2 4' --level 3 -o box.oct"), 0);
    CHECK_INT(run("octree move box.oct --pose '0.5 0 -1' -o moved.oct --json"), 0);
    CHECK_CONTAINS(run_state.out, "\"min\": [0.5, 0, -1],\n");
    CHECK_CONTAINS(run_state.out, "\"max\": [1.5, 1, 0],\n");
    CHECK_CONTAINS(run_state.out, "\"cut\": false,\n");
    CHECK_CONTAINS(run_state.out, "\"source_cubes\": 1,\n");
    CHECK_INT(run("octree move box.oct --pose '0.25 0 0'"), 0);
    CHECK_CONTAINS(run_state.out, "black    12 voxels, volume 1.5\n");
    CHECK_CONTAINS(run_state.out, "\nmoved    1 cube, ");
    CHECK_INT(run("octree move box.oct --pose '1.5 0 0'"), 0);
    CHECK_CONTAINS(run_state.out, "black    4 voxels, volume 0.5\n");
    CHECK_CONTAINS(run_state.out, "\ncut      it was made of something that goes beyond the cube\n");
    CHECK_INT(run("octree move box.oct --pose '0 0 0 axis 0 0 1 90' --slack 1e-9"), 0);
    CHECK_CONTAINS(run_state.out, "black    8 voxels, volume 1\nbounds   from -1 0 0 to 0 1 1\n");
    CHECK_INT(run("octree move box.oct --pose '0 0 0' --rule touch"), 0);
    CHECK_CONTAINS(run_state.out, "black    64 voxels, volume 8\n");
    CHECK_INT(run("octree move box.oct --pose '0 0 0' --level 4"), 0);
    CHECK_CONTAINS(run_state.out, "16 x 16 x 16 voxels of 0.25, ");
    CHECK_CONTAINS(run_state.out, "black    64 voxels, volume 1\n");
    CHECK_INT(run("octree move box.oct --pose '0 0 0' --cube '0 0 0 1'"), 0);
    CHECK_CONTAINS(run_state.out, "black    512 voxels, volume 1\n");
}

TEST(methods_make_no_difference)
{
    if (!prepare())
        return;
    static const char *const variants[] = {"--method best", "--method paper", "--method partial --threads 3",
                                           "--compact"};
    CHECK_INT(run("octree build box.obj --cube '-2 -2 -2 4' --level 4 --rule touch -o box.oct"), 0);
    for (int i = 0; i < 4; ++i) {
        char arguments[256];
        snprintf(arguments, sizeof arguments,
                 "octree move box.oct --pose '0.1 0.2 -0.1 axis 1 2 3 33' -o %s.oct %s", i ? "next" : "first",
                 variants[i]);
        CHECK_INT(run(arguments), 0);
        CHECK(i == 0 || same_files("first.oct", "next.oct"));
    }
    CHECK_INT(run("octree move box.oct --pose '0.1 0.2 -0.1' --method translate -o next.oct"), 0);
    CHECK_INT(run("octree move box.oct --pose '0.1 0.2 -0.1' --method paper -o first.oct"), 0);
    CHECK(same_files("first.oct", "next.oct"));
    check_fails("octree move box.oct --pose '0 0 0 axis 0 0 1 3' --method translate", "box.oct: ");
}

TEST(wrong_motions_are_refused)
{
    if (!prepare())
        return;
    CHECK_INT(run("octree build box.obj -o box.oct"), 0);
    check_fails("octree move box.oct -o x.oct", "--pose is missing");
    check_fails("octree move box.oct --pose nonsense", "--pose");
    check_fails("octree move box.oct --pose '0 0 0' --rule some",
                "--rule: expected overlap, centre or touch, got \"some\"");
    check_fails("octree move box.oct --pose '0 0 0' --method fast",
                "--method: expected best, paper, partial or translate, got \"fast\"");
    check_fails("octree move box.oct --pose '0 0 0' --slack 0.5", "slack");
    check_fails("octree move box.oct --pose '0 0 0' --slack -1", "--slack");
    check_fails("octree move box.oct --pose '0 0 0' --level 17",
                "--level: expected a whole number from 1 to 16");
    CHECK(!is_there("x.oct"));
}

// ---- what is refused

TEST(wrong_command_lines_are_refused)
{
    if (!prepare())
        return;
    write_file("a.df", "(BBWWWWWW");
    check_fails("octree", "octree: a command is missing; 'impinge octree --help' lists them");
    check_fails("octree bild box.obj", "unknown command 'octree bild', did you mean 'octree build'?");
    check_fails("octree qqqqq", "unknown command 'octree qqqqq'; 'impinge octree --help' lists them");
    check_fails("octree build", "octree build: arguments expected: MESH; see 'impinge octree build --help'");
    check_fails("octree build box.obj --rules outer", "(did you mean '--rule'?)");
    check_fails("octree build box.obj --rule outest",
                "--rule: expected outer, inner, centre, touch or sealed, got \"outest\"");
    check_fails("octree build box.obj --rule inner --faces", "--rule and --faces exclude each other");
    check_fails("octree build box.obj --level 0", "--level: expected a whole number from 1 to 16, got \"0\"");
    check_fails("octree build box.obj --cube '0 0 0'", "--cube: expected 4 numbers");
    check_fails("octree build box.obj --cube '0 0 0 0'", "--cube: expected an edge above 0");
    check_fails("octree build box.obj --cube '1e20 0 0 1'", "box.obj: corners 0 and 1");
    check_fails("octree build box.obj --cube '0 0 0 1e-322'",
                "a cube with an edge of 9.8813129168249309e-323 can't be divided into 64 voxels along it");
    check_fails("octree convert a.df small.oct --cube '0 0 0 5e-324'", "can't be divided into 2 voxels");
    CHECK_INT(run("octree convert a.df small.oct --cube '0 0 0 1e-323'"), 0);
    check_fails("octree move small.oct --pose '0 0 0' --level 2", "can't be divided into 4 voxels along it");
    check_fails("octree move a.df --pose '0 0 0' --cube '0 0 0 5e-324'", "can't be divided into 2 voxels");
    write_file("mesh.obj", box_obj);
    check_fails("octree build mesh.obj -o ./mesh.obj",
                "./mesh.obj would be written over the mesh that the octree is made of");
    CHECK(read_file("mesh.obj", text));
    CHECK_TEXT(text, box_obj);
    remove("mesh.obj");
    check_fails("octree build box.obj -o box.xyz", "box.xyz: the ending stands for nothing that octrees are");
    check_fails("octree build box.obj -o box.oct --view left", "--view is for pictures");
    check_fails("octree build box.obj -o box.csv", "box.csv: .csv is for lists of faces");
    check_fails("octree build none.obj", "none.obj: can't open it");
    check_fails("octree info nowhere.oct", "nowhere.oct: can't open it");
    check_fails("octree info box.obj", "'impinge octree build' makes one of a mesh");
    check_fails("octree info a.df --cube '0 0 0 -1'", "--cube: expected an edge above 0");
    check_fails("octree convert a.df wrong.bt --cube '0.1 0 0 2'",
                "wrong.bt: voxels of OctoMaps lie at multiples");
    check_fails("octree convert a.df a.oct --threads 2", "unknown option '--threads'");
    write_file("cut.df", "(BBWW");
    check_fails("octree info cut.df", "cut.df: the text ends before the octree is complete (at byte 5)");
    write_file("white.df", "W");
    check_fails("octree convert white.df white.svg", "white.svg: nothing in the octree is black");
    CHECK_INT(run("octree convert a.df a.oct"), 0);
    check_fails("octree info a.oct --cube '0 0 0 1'", "a.oct: --cube is for files that do not tell it");
    check_fails("octree info a.oct --level 3", "a.oct: --level is for files that do not tell it");
    check_fails("octree info a.oct --max-file-bytes 10", "no more than 10 may be read");
    CHECK(!is_there("box.xyz") && !is_there("box.csv") && !is_there("wrong.bt") && !is_there("white.svg"));
}

TEST(arrays_that_are_no_cubes_are_refused)
{
    if (!prepare())
        return;
    static const struct {
        size_t shape[4];
        unsigned dimension_count;
    } cases[] = {{{3, 3, 3}, 3},    {{2, 2, 4}, 3}, {{2, 2}, 2},
                 {{2, 2, 2, 1}, 4}, {{1, 1, 1}, 3}, {{0, 0, 0}, 3}};
    const double zeros[32] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        save("wrong.npy", IMPI_NPY_UINT8, cases[i].dimension_count, cases[i].shape, zeros);
        check_fails("octree info wrong.npy", "wrong.npy: expected an array of the shape (n, n, n)");
    }
    save("wrong.npy", IMPI_NPY_FLOAT64, 3, (size_t[]){2, 2, 2}, zeros);
    check_fails("octree info wrong.npy", "the array is of type '<f8', expected bool or integers");
    save("right.npy", IMPI_NPY_UINT8, 3, (size_t[]){2, 2, 2}, zeros);
    CHECK_INT(run("octree info right.npy"), 0);
    check_fails("octree info right.npy --level 1", "right.npy: --level is for files that do not tell it");
}

TEST(help_comes_at_each_word)
{
    if (!prepare())
        return;
    static const char *const spellings[] = {"octree --help", "octree -h", "octree help", "help octree"};
    for (int i = 0; i < 4; ++i) {
        CHECK_INT(run(spellings[i]), 0);
        CHECK_CONTAINS(run_state.out, "usage: impinge octree COMMAND [ARGUMENTS]\n");
        CHECK_CONTAINS(run_state.out, "  combine     unite, intersect, subtract\n");
    }
    CHECK_INT(run("help octree move"), 0);
    strcpy(text, run_state.out);
    CHECK_INT(run("octree move --help"), 0);
    CHECK_TEXT(text, run_state.out);
    CHECK_CONTAINS(text, "usage: impinge octree move FILE [OPTIONS]\n");
    check_fails("help octree mov", "did you mean 'octree move'?");
}
