// impinge check and impinge demo, run as programs.
#define _XOPEN_SOURCE 700 // for program.h

#include "program.h"

#include "../posed_faces.h"
#include "io/mesh_writer.h"
#include "scenes/shapes.h"

#define MAX_BODIES  4
#define MAX_COMMAND 4000

static const char tetrahedron_obj[] = "v 0.25 0.25 0.25\nv 0.5 0.25 0.25\nv 0.25 0.5 0.25\nv 0.25 0.25 0.5\n"
                                      "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

// A box, something small inside of it, a box without its lid around the same place, and one far away.
static bool prepare_files(void)
{
    if (!prepare())
        return false;
    write_file("small.obj", tetrahedron_obj);
    write_file("open.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                           "f 1 4 3 2\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    return true;
}

static void save(imp_Context *context, imp_Status made, imp_Mesh **mesh, const char *path)
{
    CHECK_INT(made, IMP_STATUS_OK);
    CHECK_INT(imp_mesh_save(context, *mesh, path), IMP_STATUS_OK);
    imp_mesh_release(*mesh);
}

static void write_shapes(imp_Context *context)
{
    imp_Mesh *mesh = NULL;
    save(context, scene_torus(context, 16, 8, 1.0, 0.4, &mesh), &mesh, "torus.ply");
    save(context, scene_star_prism(context, 5, 0.5, 0.8, &mesh), &mesh, "star.obj");
    save(context, scene_bumpy_sphere(context, 12, 7, 0.9, 0.3, 7, &mesh), &mesh, "bumpy.off");
    save(context, scene_grid_soup(context, 60, 4, 3, &mesh), &mesh, "soup.stl");
}

static const char *const shape_files[] = {"torus.ply", "star.obj", "bumpy.off", "soup.stl"};

TEST(exit_status_tells_whether_something_touches)
{
    if (!prepare_files())
        return;
    CHECK_INT(run("check box.obj box.obj"), 1);
    CHECK_CONTAINS(run_state.out, "  touch  ");
    CHECK_INT(run("check box.obj box.obj --pose 1 '3 0 0 1 0 0 0'"), 0);
    CHECK_CONTAINS(run_state.out, "Nothing touches");
    CHECK_INT(run("check box.obj small.obj"), 1); // inside
    CHECK_INT(run("check open.obj small.obj"), 0);
    CHECK_INT(run("check box.obj box.obj --pose 1 '1 1 1 1 0 0 0'"), 1); // a corner
    CHECK_TEXT(run_state.err, "");
}

TEST(errors_are_one_line_and_status_2)
{
    if (!prepare_files())
        return;
    check_fails("check", "FILE|DIR...");
    check_fails("check box.obj", "box is the only body");
    check_fails("check box.obj missing.obj", "missing.obj");
    check_fails("check box.obj box.obj --pose 2 '0 0 0 1 0 0 0'",
                "--pose 2: there is no such body; the last one is 1");
    check_fails("check box.obj box.obj --pose -1 '0 0 0 1 0 0 0'", "--pose");
    check_fails("check box.obj box.obj --pose one '0 0 0 1 0 0 0'", "--pose");
    check_fails("check box.obj box.obj --pose 1 '0 0 0 1 0 0'", "expected 3, 7, 12 or 16 numbers, got 6");
    check_fails("check box.obj box.obj --pose 1 '0 0 0 1 0 0 0 0'", "got 8");
    check_fails("check box.obj box.obj --pose 1 '0 0 0 2 0 0 0'", "has length 2");
    check_fails("check box.obj box.obj --pose 1 '0 0 0 0 0 0 0'", "has length 0");
    check_fails("check box.obj box.obj --pose 1 '0 nan 0 1 0 0 0'", "expected a number");
    check_fails("check box.obj box.obj --pose 1 '0 inf 0 1 0 0 0'", "expected a number");
    check_fails("check box.obj box.obj --pose 1 '0 0 0 1 0 0 0' --pose 1 '0 0 0 1 0 0 0'", "twice");
    check_fails("check box.obj box.obj --pose 1", "lacks a value");
    check_fails("check box.obj box.obj --threads 0", "--threads");
    check_fails("check box.obj box.obj --threads many", "--threads");
    check_fails("check box.obj box.obj --csv --json", "exclude each other");
    check_fails("check box.obj box.obj --max 5", "--max");
    check_fails("check box.obj box.obj --csv --max 0", "--max");
    check_fails("check box.obj box.obj --method magic", "exact-boxes, posed-boxes, smith-1994");
    check_fails("check box.obj box.obj --level 3", "--level is for --method smith-1994");
    check_fails("check box.obj box.obj --method smith-1994 --level 11", "--level");
    check_fails("check box.obj box.obj -o touching.obj", ".ply");
    check_fails("check box.obj box.obj -o nowhere/touching.ply", "nowhere/touching.ply");
    check_fails("check box.obj box.obj --picture touching.png", ".svg");
    check_fails("check box.obj box.obj --frist", "'--first'");
    write_file("huge.obj", "v 1.7e308 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n");
    check_fails("check box.obj huge.obj --pose 1 '1.7e308 0 0 1 0 0 0'", "huge: ");
    CHECK(access("touching.obj", F_OK) != 0 && access("touching.png", F_OK) != 0);
}

// Lines of CSV that a brute-force search through all bodies gives, in the order of the columns.
static char *expected_csv(const PosedFaces *bodies, size_t count, size_t *line_count)
{
    char *text = malloc(MAX_OUTPUT);
    size_t length = (size_t)snprintf(text, MAX_OUTPUT, "body_a,face_a,body_b,face_b\n");
    FacePairList lists[MAX_BODIES] = {0};
    *line_count = 0;
    for (size_t a = 0; a < count; ++a) {
        size_t next[MAX_BODIES] = {0};
        for (size_t b = a + 1; b < count; ++b)
            brute_force_touching(&bodies[a], &bodies[b], library_triangles_touch, &lists[b]);
        for (size_t face = 0; face < bodies[a].count; ++face)
            for (size_t b = a + 1; b < count; ++b)
                for (; next[b] < lists[b].count && lists[b].pairs[next[b]].face_a == face; ++next[b])
                    if (length + 64 < MAX_OUTPUT && ++*line_count)
                        length += (size_t)snprintf(text + length, MAX_OUTPUT - length, "%zu,%zu,%zu,%u\n", a,
                                                   face, b, lists[b].pairs[next[b]].face_b);
        for (size_t b = 0; b < count; ++b)
            face_pair_list_free(&lists[b]);
    }
    return text;
}

static imp_Pose random_pose(double reach)
{
    double x = test_random_between(-reach, reach), y = test_random_between(-reach, reach);
    return (imp_Pose){{x, y, test_random_between(-reach, reach)}, random_rotation()};
}

TEST(csv_is_what_brute_force_finds)
{
    if (!prepare_files())
        return;
    imp_Context *context = context_with_threads(1);
    uint64_t case_count = test_count(30);
    size_t touching_count = 0;
    write_shapes(context);
    for (uint64_t i = 0; i < case_count; ++i) {
        size_t body_count = 2 + test_random_below(MAX_BODIES - 1), line_count;
        PosedFaces bodies[MAX_BODIES];
        char files[512] = "", poses[2048] = "", command[MAX_COMMAND];
        for (size_t b = 0; b < body_count; ++b) {
            const char *path = shape_files[test_random_below(sizeof shape_files / sizeof *shape_files)];
            imp_Mesh *mesh = NULL;
            imp_Pose pose = b ? random_pose(2) : (imp_Pose){0};
            CHECK_INT(imp_mesh_load(context, path, &mesh), IMP_STATUS_OK);
            bodies[b] = posed_faces_make(mesh, NULL, &pose);
            imp_mesh_release(mesh);
            snprintf(files + strlen(files), sizeof files - strlen(files), " %s", path);
            if (b)
                snprintf(poses + strlen(poses), sizeof poses - strlen(poses),
                         " --pose %zu '%.17g %.17g %.17g %.17g %.17g %.17g %.17g'", b, pose.translation.x,
                         pose.translation.y, pose.translation.z, pose.rotation.w, pose.rotation.x,
                         pose.rotation.y, pose.rotation.z);
        }
        char *expected = expected_csv(bodies, body_count, &line_count);
        snprintf(command, sizeof command, "check --csv%s%s", files, poses);
        int status = run(command);
        CHECK(line_count ? status == 1 : status < 2);
        CHECK_TEXT(run_state.out, expected);
        touching_count += line_count > 0;
        free(expected);
        for (size_t b = 0; b < body_count; ++b)
            posed_faces_free(&bodies[b]);
    }
    printf("%zu of %zu scenes touch\n", touching_count, (size_t)case_count);
    CHECK(case_count < 20 || (touching_count > case_count / 4 && touching_count < case_count));
    imp_context_destroy(context);
}

TEST(a_pose_turns_a_file_and_then_shifts_it)
{
    if (!prepare_files())
        return;
    // Half a turn about z puts the second box to the left of and in front of the origin; shifted by 2, its
    // corners reach from 1 to 2.
    CHECK_INT(run_unnamed("check box.obj box.obj --pose 1 '2 1 0 0 0 0 1' --pairs"), 1);
    CHECK_INT(run_unnamed("check box.obj box.obj --pose 1 '2.0001 1 0 0 0 0 1' --pairs"), 0);
    CHECK_INT(run("check box.obj box.obj --pose 0 '-9 0 0 1 0 0 0' --pose=1 --pairs"), 2);
    CHECK_INT(run("check box.obj box.obj --pose 0 '-9 0 0 1 0 0 0' --pose 1 '-10,0,0,1,0,0,0'"), 1);
    CHECK_INT(run("check box.obj box.obj --pose 1 '1.0000000000000002 0 0 1 0 0 0'"), 0);
}

TEST(pairs_tell_relations)
{
    if (!prepare_files())
        return;
    CHECK_INT(run_unnamed("check --pairs box.obj small.obj"), 1);
    CHECK_TEXT(run_state.out, "body_a,body_b,relation\n0,1,b_inside_a\n");
    CHECK_INT(run_unnamed("check --pairs --csv small.obj box.obj"), 1);
    CHECK_TEXT(run_state.out, "body_a,body_b,relation\n0,1,a_inside_b\n");
    CHECK_INT(run_unnamed("check --pairs box.obj box.obj small.obj --pose 1 '1 0 0 1 0 0 0'"), 1);
    CHECK_TEXT(run_state.out, "body_a,body_b,relation\n0,1,touch\n0,2,b_inside_a\n");
    CHECK_INT(run("check --csv box.obj small.obj"), 1); // inside, but no face touches
    CHECK_TEXT(run_state.out, "body_a,face_a,body_b,face_b\n");
    CHECK_TEXT(run_state.err, "");
}

TEST(an_open_container_is_remarked_on)
{
    if (!prepare_files())
        return;
    CHECK_INT(run("check open.obj small.obj"), 0);
    CHECK_CONTAINS(run_state.out, " (body 1) lies in the box of ");
    CHECK_TEXT(run_state.err, "");
    CHECK_INT(run_unnamed("check --pairs open.obj small.obj"), 0);
    CHECK_TEXT(run_state.out, "body_a,body_b,relation\n");
    CHECK_CONTAINS(run_state.err, "impinge: note: open.obj: ");
    CHECK_INT(run("check --json open.obj small.obj"), 0);
    CHECK_CONTAINS(run_state.out, "\"inner\": 1,\n      \"outer\": 0");
    CHECK_TEXT(run_state.err, "");
}

static bool has_python(void)
{
    return system("python3 -c 'import json' >.out 2>&1") == 0;
}

TEST(json_is_json_and_says_the_same)
{
    if (!prepare_files())
        return;
    CHECK_INT(run("check --json box.obj box.obj small.obj --pose 1 '1 0 0 1 0 0 0'"), 1);
    CHECK(strncmp(run_state.out, "{\n  \"schema_version\": 1,", 24) == 0);
    CHECK_CONTAINS(run_state.out, "\"relation\": \"touch\"");
    CHECK_CONTAINS(run_state.out, "\"relation\": \"b_inside_a\"");
    CHECK_CONTAINS(run_state.out, "\"pose\": [1, 0, 0, 1, 0, 0, 0]");
    CHECK_CONTAINS(run_state.out, "\"truncated\": false");
    CHECK_INT(run("check --json --pairs box.obj box.obj"), 1);
    CHECK(strstr(run_state.out, "face_pair") == NULL);
    if (!has_python()) {
        test_skip("there is no python3 to read JSON with");
        return;
    }
    CHECK_INT(run("check --csv box.obj box.obj --pose 1 '0.5 0 0 1 0 0 0'"), 1);
    CHECK_INT(system("cp .out faces.csv"), 0);
    CHECK_INT(run("check --json box.obj box.obj --pose 1 '0.5 0 0 1 0 0 0'"), 1);
    CHECK_INT(system("cp .out faces.json"), 0);
    write_file("compare.py", "import json\n"
                             "found = json.load(open('faces.json'))\n"
                             "lines = open('faces.csv').read().split()[1:]\n"
                             "assert [','.join(map(str, p)) for p in found['face_pairs']] == lines\n"
                             "assert found['face_pair_total'] == len(lines) > 0\n"
                             "assert found['pairs'][0]['face_pair_count'] == len(lines)\n");
    CHECK_INT(system("python3 compare.py"), 0);
}

TEST(first_stops_at_the_first_pair)
{
    if (!prepare_files())
        return;
    CHECK_INT(run("check --first --csv box.obj box.obj box.obj"), 1);
    CHECK_TEXT(run_state.out, "body_a,face_a,body_b,face_b\n0,0,1,0\n");
    CHECK_TEXT(run_state.err, "");
    CHECK_INT(run_unnamed("check --first --pairs box.obj box.obj box.obj"), 1);
    CHECK_TEXT(run_state.out, "body_a,body_b,relation\n0,1,touch\n");
    CHECK_INT(run("check --first box.obj box.obj box.obj"), 1);
    CHECK_CONTAINS(run_state.out, "the first pair");
    CHECK_INT(run_unnamed("check --first --pairs box.obj small.obj"), 1);
    CHECK_TEXT(run_state.out, "body_a,body_b,relation\n0,1,b_inside_a\n");
    CHECK_INT(run("check --first box.obj box.obj --pose 1 '3 0 0 1 0 0 0'"), 0);
    CHECK_CONTAINS(run_state.out, "Nothing touches");
    CHECK_INT(run("check --first --json box.obj box.obj box.obj"), 1);
    CHECK_CONTAINS(run_state.out, "\"first_only\": true");
    CHECK_CONTAINS(run_state.out, "\"face_pair_total\": null");
}

TEST(max_keeps_the_first_lines_and_says_so)
{
    if (!prepare_files())
        return;
    static char all[MAX_OUTPUT];
    CHECK_INT(run("check --csv box.obj box.obj box.obj"), 1);
    strcpy(all, run_state.out);
    CHECK_INT(run("check --csv --max 7 box.obj box.obj box.obj"), 1);
    CHECK(strncmp(all, run_state.out, strlen(run_state.out)) == 0);
    size_t line_count = 0;
    for (const char *c = run_state.out; *c; ++c)
        line_count += *c == '\n';
    CHECK_INT((int64_t)line_count, 8);
    CHECK_CONTAINS(run_state.err, "impinge: note: --max: 7 of ");
    CHECK_INT(run("check --json --max 7 box.obj box.obj box.obj"), 1);
    CHECK_CONTAINS(run_state.out, "\"truncated\": true");
    CHECK_INT(run("check --csv --max 100000 box.obj box.obj box.obj"), 1);
    CHECK_TEXT(run_state.out, all);
    CHECK_TEXT(run_state.err, "");
}

TEST(methods_and_thread_counts_agree_to_the_byte)
{
    if (!prepare_files())
        return;
    static char first[MAX_OUTPUT], first_mesh[MAX_OUTPUT], mesh[MAX_OUTPUT];
    static const char scene[] = "torus.ply star.obj bumpy.off --pose 1 '0.9 0 0 0.8 0.6 0 0' "
                                "--pose 2 '0 0.9 0.1 0.6 0 0.8 0' -o t.off";
    static const char *const formats[] = {"", "--csv", "--json", "--pairs", "--first"};
    static const char *const variants[] = {
        "--threads 1",          "--threads 2",         "--threads 5",
        "--method exact-boxes", "--method smith-1994", "--method smith-1994 --level 3 --threads 2"};
    imp_Context *context = context_with_threads(1);
    write_shapes(context);
    imp_context_destroy(context);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; ++f) {
        for (size_t v = 0; v < sizeof variants / sizeof *variants; ++v) {
            char command[MAX_COMMAND];
            snprintf(command, sizeof command, "check %s %s %s", scene, formats[f], variants[v]);
            CHECK_INT(run(command), 1);
            CHECK(read_file("t.off", mesh));
            if (v == 0) {
                strcpy(first, run_state.out);
                strcpy(first_mesh, mesh);
            }
            CHECK_TEXT(run_state.out, first);
            CHECK_TEXT(mesh, first_mesh);
        }
    }
}

// Colours of the faces of a PLY file as the program writes them: 13 bytes of corners and 3 of colour each, at
// the end of the file.
static void count_colours(const char *path, size_t face_count, const bool *expected_to_stand_out)
{
    FILE *file = fopen(path, "rb");
    unsigned char record[16], neutral[2][3] = {0};
    if (!CHECK(file != NULL))
        return;
    CHECK(fseek(file, -(long)(face_count * sizeof record), SEEK_END) == 0);
    for (size_t i = 0; i < face_count; ++i) {
        size_t body = i >= face_count / 2;
        CHECK(fread(record, sizeof record, 1, file) == 1);
        CHECK_INT(record[0], 3);
        if (!expected_to_stand_out[i] && neutral[body][0] == 0)
            memcpy(neutral[body], record + 13, 3);
        bool stands_out = record[13] > 200 && record[15] < 60; // red or orange
        CHECK_INT(stands_out, expected_to_stand_out[i]);
        CHECK(stands_out || memcmp(record + 13, neutral[body], 3) == 0);
    }
    CHECK(memcmp(neutral[0], neutral[1], 3) != 0);
    fclose(file);
}

TEST(touching_faces_are_coloured_in_a_mesh_of_all_bodies)
{
    if (!prepare_files())
        return;
    // Two boxes whose right and left sides meet in part: all faces but the opposite sides touch.
    bool stands_out[24] = {false};
    CHECK_INT(run("check --csv box.obj box.obj --pose 1 '1 0.5 0.25 1 0 0 0' -o touching.ply"), 1);
    for (char *line = strchr(run_state.out, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
        unsigned body_a, face_a, body_b, face_b;
        if (!CHECK(sscanf(line + 1, "%u,%u,%u,%u", &body_a, &face_a, &body_b, &face_b) == 4))
            return;
        CHECK(body_a == 0 && body_b == 1 && face_a < 12 && face_b < 12);
        stands_out[face_a % 12] = stands_out[12 + face_b % 12] = true;
    }
    count_colours("touching.ply", 24, stands_out);
    CHECK_INT(run("info --json touching.ply"), 0);
    CHECK_CONTAINS(run_state.out, "\"triangle_count\": 24,");
    CHECK_CONTAINS(run_state.out, "\"min\": [0, 0, 0],");
    CHECK_CONTAINS(run_state.out, "\"max\": [2, 1.5, 1.25],");
    CHECK_INT(run_unnamed("check --pairs box.obj box.obj --pose 1 '1 0.5 0.25 1 0 0 0' -o again.ply"), 1);
    CHECK_INT(system("cmp touching.ply again.ply"), 0);
}

TEST(a_picture_shows_where)
{
    if (!prepare_files())
        return;
    static char picture[MAX_OUTPUT];
    CHECK_INT(run("check box.obj box.obj --pose 1 '0.5 0.5 0.25 1 0 0 0' --picture touching.svg"), 1);
    CHECK_CONTAINS(run_state.out, "picture");
    CHECK(read_file("touching.svg", picture));
    CHECK(strncmp(picture, "<svg ", 5) == 0);
    CHECK_CONTAINS(picture, "</svg>\n");
    if (has_python())
        CHECK_INT(system("python3 -c 'import xml.dom.minidom as m; m.parse(\"touching.svg\")'"), 0);
}

TEST(remarks_of_readers_come_once_per_file)
{
    if (!prepare_files())
        return;
    write_file("dart.obj", "v 0 0 0\nv 2 0 0\nv 0.5 0.5 0\nv 0 2 0\nf 2 3 4 1\n");
    CHECK_INT(run("check --csv dart.obj dart.obj"), 1);
    CHECK(strncmp(run_state.err, "impinge: note: dart.obj: ", 25) == 0);
    const char *line_end = strchr(run_state.err, '\n');
    CHECK(line_end && line_end[1] == 0);
}

TEST(the_demonstration_checks_what_it_makes)
{
    if (!prepare_files())
        return;
    static char table[MAX_OUTPUT];
    CHECK_INT(run("demo 'de mo'"), 0);
    strcpy(table, run_state.out);
    CHECK_CONTAINS(table, "'de mo/ring.ply' 'de mo/star.obj' --pose 1 ");
    CHECK_CONTAINS(table, "  touch  ");
    CHECK(access("de mo/touching.ply", F_OK) == 0 && access("de mo/touching.svg", F_OK) == 0);
    // The first command it shows prints the table that it shows.
    char *command = strstr(table, "\n  "), *end = command ? strchr(command + 1, '\n') : NULL;
    if (!CHECK(end != NULL))
        return;
    *end = 0;
    char line[MAX_COMMAND];
    snprintf(line, sizeof line, "%s >.out 2>.err", command + 3);
    int status = system(line);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    CHECK(read_file(".out", run_state.out));
    CHECK(strncmp(end + 2, run_state.out, strlen(run_state.out)) == 0);
    check_fails("demo nowhere/demo", "nowhere/demo: ");
    check_fails("demo box.obj", "box.obj/");
}

// What the hulls say, written as files, is what --convex says, but for what lies inside.
TEST(hulls_are_solids)
{
    static char listed[MAX_OUTPUT];
    if (!prepare_files())
        return;
    imp_Context *context = context_with_threads(1);
    write_shapes(context);
    imp_context_destroy(context);
    CHECK_INT(run_unnamed("check --convex --pairs box.obj small.obj"), 1);
    CHECK_TEXT(run_state.out, "body_a,body_b,relation\n0,1,touch\n");
    CHECK_INT(run("check --convex --csv box.obj small.obj"), 1);
    CHECK_TEXT(run_state.out, "body_a,face_a,body_b,face_b\n");
    CHECK_INT(run("check --convex open.obj small.obj"), 1); // its hull is closed
    CHECK_CONTAINS(run_state.out, "convex hulls");
    CHECK_INT(run("check torus.ply small.obj --pose 1 '-0.3 -0.3 -0.3 1 0 0 0'"), 0);
    CHECK_INT(run("check --convex torus.ply small.obj --pose 1 '-0.3 -0.3 -0.3 1 0 0 0'"), 1);
    CHECK_INT(run("check --convex torus.ply star.obj --pose 1 '0.3 0.2 0.1 0 0.6 0.8 0' --csv"), 1);
    strcpy(listed, run_state.out);
    CHECK(run("hull torus.ply torus-hull.ply") == 0 && run("hull star.obj star-hull.ply") == 0);
    CHECK_INT(run("check torus-hull.ply star-hull.ply --pose 1 '0.3 0.2 0.1 0 0.6 0.8 0' --csv"), 1);
    CHECK_TEXT(run_state.out, listed);
    CHECK_INT(run("check --convex --json torus.ply torus.ply star.obj --pairs"), 1);
    CHECK_CONTAINS(run_state.out, "\"convex\": true");
    CHECK_INT(run("check --convex --first torus.ply star.obj -o hulls.ply --picture hulls.svg"), 1);
    CHECK(access("hulls.ply", F_OK) == 0 && access("hulls.svg", F_OK) == 0);
}

TEST(what_has_no_hull_is_named)
{
    if (!prepare_files())
        return;
    write_file("flat.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    CHECK_INT(run("check box.obj flat.obj"), 1);
    check_fails("check --convex box.obj flat.obj", "impinge: flat.obj: ");
    check_fails("check --convex box.obj missing.obj", "missing.obj: ");
}

TEST(help_teaches_with_examples)
{
    if (!prepare_files())
        return;
    CHECK_INT(run("check --help"), 0);
    CHECK_CONTAINS(run_state.out, "examples:");
    CHECK_CONTAINS(run_state.out, "Exit status");
    CHECK_CONTAINS(run_state.out, "--pose K");
    CHECK_CONTAINS(run_state.out, "--convex");
    CHECK_INT(run("demo --help"), 0);
}
