// impinge check --distance, --max-distance and --clearance, run as a program.
#define _XOPEN_SOURCE 700 // for program.h

#include "program.h"

#include "../posed_faces.h"
#include "scenes/shapes.h"

#include <math.h>

#define COLUMNS "body_a,body_b,distance,lower_bound,ax,ay,az,bx,by,bz,face_a,face_b,relation\n"

// A box from 0 to 1, and spikes whose tips, the first of their vertices, point at it:
// at a face, half an edge away from it; at the edge from 1 1 0 to 1 1 1, by 3 and 4; at the corner 1 1 1, by
// 1 and 1, which has no distance in doubles. A small one fits into the box, a hollow cube is around all of
// them.
static bool prepare_files(void)
{
    if (!prepare())
        return false;
    write_file("face.obj", "v 1.5 0.25 0.5\nv 3 0 0\nv 3 1 0\nv 3 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    write_file("edge.obj", "v 4 5 0.5\nv 9 9 0\nv 8 9 0\nv 8 9 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    write_file("corner.obj", "v 2 1 2\nv 9 1 9\nv 9 2 9\nv 8 1 9\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    write_file("small.obj", "v 0.5 0.5 0.25\nv 0.5 0.25 0.5\nv 0.25 0.5 0.5\nv 0.5 0.5 0.75\n"
                            "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    write_file("open.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                           "f 1 4 3 2\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    return true;
}

TEST(distances_are_known_and_read_back)
{
    if (!prepare_files())
        return;
    CHECK_INT(run_unnamed("check --distance --csv box.obj face.obj"), 0);
    CHECK_TEXT(run_state.out, COLUMNS "0,1,0.5,0.5,1,0.25,0.5,1.5,0.25,0.5,7,0,apart\n");
    CHECK_INT(run_unnamed("check --distance --csv edge.obj box.obj"), 0);
    CHECK_TEXT(run_state.out, COLUMNS "0,1,5,5,4,5,0.5,1,1,0.5,0,6,apart\n");
    CHECK_INT(run_unnamed("check --distance --csv box.obj corner.obj"), 0);
    CHECK_TEXT(run_state.out, COLUMNS "0,1,1.4142135623730951,1.414213562373095,1,1,1,2,1,2,2,0,apart\n");
    CHECK_TEXT(run_state.err, "");
}

TEST(all_pairs_are_listed_and_those_that_touch_are_0_apart)
{
    if (!prepare_files())
        return;
    CHECK_INT(run_unnamed("check --distance --csv box.obj face.obj edge.obj --pose 1 '-0.5 0 0 1 0 0 0'"), 1);
    const char *touching =
        COLUMNS "0,1,0,0,1,0.25,0.5,1,0.25,0.5,7,0,touch\n0,2,5,5,1,1,0.5,4,5,0.5,6,0,apart\n";
    CHECK(strncmp(run_state.out, touching, strlen(touching)) == 0);
    CHECK_CONTAINS(run_state.out, "\n1,2,");
    CHECK_INT(run("check --distance box.obj face.obj edge.obj"), 0);
    CHECK_CONTAINS(run_state.out, "             0.5          7          0  (1 0.25 0.5)"
                                  "  (1.5 0.25 0.5)\n");
    CHECK_CONTAINS(run_state.out,
                   "Pairs of bodies: 3. The nearest are box (body 0) and face (body 1), 0.5 apart.\n");
}

TEST(a_limit_is_exact)
{
    if (!prepare_files())
        return;
    CHECK_INT(run_unnamed("check --distance --max-distance 0.5 --csv box.obj face.obj edge.obj"), 0);
    CHECK_TEXT(run_state.out, COLUMNS "0,1,0.5,0.5,1,0.25,0.5,1.5,0.25,0.5,7,0,clearance\n");
    CHECK_INT(run_unnamed("check --max-distance 0.49999999999999994 --csv box.obj face.obj edge.obj"), 0);
    CHECK_TEXT(run_state.out, COLUMNS);
    CHECK_INT(run_unnamed("check --max-distance 0 --csv box.obj box.obj --pose 1 '1 1 1 1 0 0 0'"), 1);
    CHECK_CONTAINS(run_state.out, "\n0,1,0,0,1,1,1,1,1,1,");
    // Between two doubles lies no distance, but the true one of these is there.
    CHECK_INT(run_unnamed("check --clearance 1.4142135623730951 --csv box.obj corner.obj"), 1);
    CHECK_CONTAINS(run_state.out, "\n0,1,1.4142135623730951,1.414213562373095,");
    CHECK_INT(run_unnamed("check --clearance 1.414213562373095 --csv box.obj corner.obj"), 0);
    CHECK_TEXT(run_state.out, COLUMNS);
}

TEST(a_clearance_finds_what_is_nearer)
{
    if (!prepare_files())
        return;
    CHECK_INT(run_unnamed("check --clearance 0.5 --csv box.obj face.obj edge.obj"), 1);
    CHECK_TEXT(run_state.out, COLUMNS "0,1,0.5,0.5,1,0.25,0.5,1.5,0.25,0.5,7,0,clearance\n");
    CHECK_INT(run_unnamed("check --clearance 0.25 --csv box.obj face.obj edge.obj"), 0);
    CHECK_TEXT(run_state.out, COLUMNS);
    CHECK_INT(run("check --clearance 0.25 box.obj face.obj edge.obj"), 0);
    CHECK_CONTAINS(run_state.out, "Pairs of bodies at most 0.25 apart: 0 of 3.\n");
    // With --distance all are listed, and the relation tells.
    CHECK_INT(run_unnamed("check --distance --clearance 0.5 --csv box.obj face.obj edge.obj"), 1);
    CHECK_CONTAINS(run_state.out, ",7,0,clearance\n0,2,5,5,1,1,0.5,4,5,0.5,6,0,apart\n1,2,");
    CHECK_INT(run_unnamed("check --distance --clearance 0.25 --csv box.obj face.obj edge.obj"), 0);
    CHECK_CONTAINS(run_state.out, ",7,0,apart\n");
}

TEST(what_is_inside_is_found_however_far_from_the_surface)
{
    if (!prepare_files())
        return;
    CHECK_INT(run_unnamed("check --distance --csv box.obj small.obj"), 1);
    CHECK_CONTAINS(run_state.out, "\n0,1,0.25,0.25,");
    CHECK_CONTAINS(run_state.out, ",b_inside_a\n");
    CHECK_INT(run_unnamed("check --clearance 0.1 --csv small.obj box.obj"), 1);
    CHECK_CONTAINS(run_state.out, "\n0,1,0.25,0.25,");
    CHECK_CONTAINS(run_state.out, ",a_inside_b\n");
    CHECK_INT(run("check --clearance 0.1 small.obj box.obj"), 1);
    CHECK_CONTAINS(run_state.out, "at most 0.1 apart: 0 of 1.\n");
    CHECK_CONTAINS(run_state.out,
                   "Pairs of which one is inside of the other, farther from its surface: 1.\n");
    // A plain limit is about distances alone; the exit status tells of it all the same.
    CHECK_INT(run_unnamed("check --max-distance 0.1 --csv small.obj box.obj"), 1);
    CHECK_TEXT(run_state.out, COLUMNS);
    CHECK_INT(run("check --max-distance 0.1 small.obj box.obj"), 1);
    CHECK_CONTAINS(run_state.out, "farther from its surface: 1.\n");
    // An open box has no inside.
    CHECK_INT(run_unnamed("check --clearance 0.1 --csv small.obj open.obj"), 0);
    CHECK_TEXT(run_state.out, COLUMNS);
    CHECK_CONTAINS(run_state.err, "impinge: note: open.obj: ");
    CHECK_INT(run("check --clearance 0.1 --json small.obj open.obj"), 0);
    CHECK_CONTAINS(run_state.out, "\"inner\": 0,\n      \"outer\": 1");
    CHECK_TEXT(run_state.err, "");
}

TEST(solids_that_hold_others_are_0_apart)
{
    if (!prepare_files())
        return;
    CHECK_INT(run_unnamed("check --distance --convex --csv box.obj small.obj"), 1);
    CHECK_TEXT(run_state.out, COLUMNS "0,1,0,0,0.5,0.5,0.25,0.5,0.5,0.25,,0,overlap\n"); // no face of the box
    CHECK_INT(run("check --distance --convex --json box.obj small.obj"), 1);
    CHECK_CONTAINS(run_state.out, "\"face\": null");
    CHECK_INT(run("check --distance --convex box.obj small.obj"), 1);
    CHECK_CONTAINS(run_state.out, "convex hulls");
    CHECK_INT(run_unnamed("check --clearance 0.4999 --convex --csv box.obj face.obj"), 0);
    CHECK_INT(run_unnamed("check --clearance 0.5 --convex --csv box.obj face.obj"), 1);
    CHECK_CONTAINS(run_state.out, "\n0,1,0.5,");
    CHECK_CONTAINS(run_state.out, ",clearance\n");
}

static const char face_json[] = "  \"distances\": [\n"
                                "    {\n"
                                "      \"body_a\": 0,\n"
                                "      \"body_b\": 1,\n"
                                "      \"name_a\": \"box\",\n"
                                "      \"name_b\": \"face\",\n"
                                "      \"relation\": \"clearance\",\n"
                                "      \"distance\": 0.5,\n"
                                "      \"lower_bound\": 0.5,\n"
                                "      \"reached_accuracy\": true,\n"
                                "      \"a\": {\n"
                                "        \"point\": [1, 0.25, 0.5],\n"
                                "        \"face\": 7,\n"
                                "        \"feature\": \"face\"\n"
                                "      },\n"
                                "      \"b\": {\n"
                                "        \"point\": [1.5, 0.25, 0.5],\n"
                                "        \"face\": 0,\n"
                                "        \"feature\": \"vertex\",\n"
                                "        \"corner\": 0\n"
                                "      }\n"
                                "    }\n"
                                "  ],\n"
                                "  \"open_containers\": []\n"
                                "}\n";

TEST(json_says_the_same)
{
    if (!prepare_files())
        return;
    CHECK_INT(run("check --clearance 0.5 --json box.obj face.obj"), 1);
    CHECK(strncmp(run_state.out, "{\n  \"schema_version\": 1,\n  \"files\": [", 36) == 0);
    CHECK_CONTAINS(run_state.out, "  \"convex\": false,\n  \"max_distance\": null,\n  \"clearance\": 0.5,\n"
                                  "  \"touch_depth\": 0,\n");
    CHECK_CONTAINS(run_state.out, face_json);
    CHECK_INT(run("check --max-distance 9 --json box.obj edge.obj"), 0);
    CHECK_CONTAINS(run_state.out, "  \"max_distance\": 9,\n  \"clearance\": null,\n");
    CHECK_CONTAINS(run_state.out, "\"face\": 6,\n        \"feature\": \"edge\",\n        \"corner\": 1\n");
    if (system("python3 -c 'import json; json.load(open(\".out\"))' >.python 2>&1") != 0)
        test_skip("there is no python3 to read JSON with");
}

// Distances beyond the largest double are infinite, and are not read back as something else.
TEST(beyond_the_largest_double)
{
    if (!prepare_files())
        return;
    write_file("left.obj", "v -1.7e308 0 0\nv -1.7e308 1 0\nv -1.7e308 0 1\nf 1 2 3\n");
    write_file("right.obj", "v 1.7e308 0 0\nv 1.7e308 1 0\nv 1.7e308 0 1\nf 1 2 3\n");
    CHECK_INT(run_unnamed("check --distance --csv left.obj right.obj"), 0);
    CHECK_CONTAINS(run_state.out, "\n0,1,inf,1.7976931348623157e308,");
    CHECK_INT(run("check --distance --json left.obj right.obj"), 0);
    CHECK_CONTAINS(run_state.out, "\"distance\": null,\n      \"lower_bound\": 1.7976931348623157e308,");
    CHECK_INT(run_unnamed("check --clearance 1e308 --csv left.obj right.obj"), 0);
    CHECK_TEXT(run_state.out, COLUMNS);
}

// The least distance over all pairs of faces, with the bounds that go with it.
static imp_Distance least_distance(const PosedFaces *a, const PosedFaces *b)
{
    imp_Distance least = {.distance = INFINITY}, found;
    for (size_t i = 0; i < a->count; ++i) {
        for (size_t k = 0; k < b->count; ++k) {
            CHECK_INT(imp_triangles_distance(&a->triangles[i], &b->triangles[k], &found), IMP_STATUS_OK);
            // Of those that round to the same the nearest has the least lower bound.
            if (found.distance < least.distance ||
                (found.distance == least.distance && found.lower_bound < least.lower_bound))
                least = found;
        }
    }
    return least;
}

TEST(distances_are_what_brute_force_finds)
{
    if (!prepare_files())
        return;
    imp_Context *context = context_with_threads(1);
    uint64_t case_count = test_count(30);
    size_t touching_count = 0;
    imp_Mesh *star = NULL, *box = NULL;
    CHECK_INT(scene_star_prism(context, 5, 0.5, 0.8, &star), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_save(context, star, "star.ply"), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_load(context, "box.obj", &box), IMP_STATUS_OK);
    for (uint64_t i = 0; i < case_count; ++i) {
        imp_Pose pose = {{test_random_between(-2, 2), test_random_between(-2, 2), test_random_between(-2, 2)},
                         random_rotation()};
        const imp_Vec3 *t = &pose.translation;
        const imp_Quat *r = &pose.rotation;
        PosedFaces a = posed_faces_make(box, NULL, &(imp_Pose){0}), b = posed_faces_make(star, NULL, &pose);
        imp_Distance wanted = least_distance(&a, &b);
        char command[512];
        double distance = -1, lower = -1;
        snprintf(
            command, sizeof command,
            "check --distance --csv box.obj star.ply --pose 1 '%.17g %.17g %.17g %.17g %.17g %.17g %.17g'",
            t->x, t->y, t->z, r->w, r->x, r->y, r->z);
        CHECK(run_unnamed(command) < 2);
        CHECK(sscanf(run_state.out, COLUMNS "0,1,%lf,%lf,", &distance, &lower) == 2);
        CHECK(distance == wanted.distance && lower == wanted.lower_bound);
        touching_count += distance == 0;
        posed_faces_free(&a);
        posed_faces_free(&b);
    }
    printf("%zu of %zu scenes touch\n", touching_count, (size_t)case_count);
    CHECK(case_count < 20 || (touching_count > 0 && touching_count < case_count));
    imp_mesh_release(star);
    imp_mesh_release(box);
    imp_context_destroy(context);
}

TEST(errors_are_one_line_and_name_what_is_wrong)
{
    static const char *const excluded[] = {"--pairs", "--first", "--max 3", "--method exact-boxes"};
    static const char *const questions[] = {"--distance", "--max-distance 1", "--clearance 1"};
    static const char *const lengths[] = {"max-distance", "clearance", "touch-depth"};
    static const char *const bad[] = {"-1", "nan", "inf", "-1e-300", "1e999", "much", "1mm", "1 2", ""};
    if (!prepare_files())
        return;
    for (size_t i = 0; i < sizeof excluded / sizeof *excluded; ++i) {
        for (size_t k = 0; k < sizeof questions / sizeof *questions; ++k) {
            char command[128], message[128];
            snprintf(command, sizeof command, "check --csv box.obj box.obj %s %s", questions[k], excluded[i]);
            snprintf(message, sizeof message, "%.*s and %.*s exclude each other",
                     (int)strcspn(questions[k], " "), questions[k], (int)strcspn(excluded[i], " "),
                     excluded[i]);
            check_fails(command, message);
        }
    }
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
        for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
            char command[128], message[128];
            snprintf(command, sizeof command, "check box.obj box.obj --distance --%s '%s'", lengths[i],
                     bad[k]);
            snprintf(message, sizeof message, "--%s: expected a length of 0 or more, got \"%s\"", lengths[i],
                     bad[k]);
            check_fails(command, message);
        }
    }
    check_fails("check box.obj box.obj --max-distance 1 --clearance 1", "exclude each other");
    check_fails("check box.obj box.obj --distance --csv --json", "--csv and --json exclude each other");
    check_fails("check box.obj box.obj --clearance", "lacks a value");
    check_fails("check box.obj missing.obj --distance", "missing.obj");
    CHECK_INT(run("check box.obj box.obj --clearance -0"), 1); // is 0
}

TEST(a_picture_joins_the_closest_points)
{
    static char picture[MAX_OUTPUT];
    if (!prepare_files())
        return;
    CHECK_INT(run("check box.obj face.obj edge.obj --distance --picture near.svg -o near.ply"), 0);
    CHECK_CONTAINS(run_state.out, "the picture joins the points.\n");
    CHECK(read_file("near.svg", picture));
    CHECK_CONTAINS(picture, "<title>closest points</title>");
    const char *lines = strstr(picture, "stroke-linecap=\"round\"");
    size_t begun = 0;
    for (const char *c = lines ? strstr(lines, " d=\"") : NULL; c && *c != '/'; ++c)
        begun += *c == 'M';
    CHECK_INT((int64_t)begun, 3); // a line for each pair
    CHECK_INT(run("info --json near.ply"), 0);
    CHECK_CONTAINS(run_state.out, "\"triangle_count\": 20,");
    CHECK_INT(run("check box.obj face.obj --clearance 0.1 --picture none.svg"), 0);
    CHECK(read_file("none.svg", picture));
    CHECK(strstr(picture, "stroke-linecap") == NULL);
}

TEST(threads_change_no_byte)
{
    static const char *const questions[] = {"--distance", "--distance --csv", "--clearance 6 --json",
                                            "--distance --convex --csv"};
    static char first[MAX_OUTPUT];
    if (!prepare_files())
        return;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; ++i) {
        for (int threads = 1; threads <= 5; threads += 2) {
            char command[256];
            snprintf(command, sizeof command,
                     "check box.obj face.obj edge.obj corner.obj small.obj %s --threads %d", questions[i],
                     threads);
            CHECK_INT(run(command), 1);
            if (threads == 1)
                strcpy(first, run_state.out);
            CHECK_TEXT(run_state.out, first);
        }
    }
}
