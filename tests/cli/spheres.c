// impinge spheres, run as a program. Most trees are of octrees, because those are quick.
#define _XOPEN_SOURCE 700 // for program.h

#include "program.h"

#include <math.h>

#define CSV_HEADER                                                                                           \
    "level,index,parent,x,y,z,radius,protrusion,surface_protrusion,point_x,point_y,point_z,face\n"

static char text[MAX_OUTPUT], other_text[MAX_OUTPUT];

static const char tetrahedron_obj[] =
    "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
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

static bool same_files(const char *a, const char *b)
{
    return read_file(a, text) && read_file(b, other_text) && text[0] && strcmp(text, other_text) == 0;
}

// ---- trees

typedef struct Row {
    int level, index, parent;
    double x, y, z, radius, protrusion, surface_protrusion;
} Row;

static const char *next_row(const char *line, Row *row)
{
    const char *end = strchr(line, '\n');
    int read = sscanf(line, "%d,%d,%d,%lf,%lf,%lf,%lf,%lf,%lf", &row->level, &row->index, &row->parent,
                      &row->x, &row->y, &row->z, &row->radius, &row->protrusion, &row->surface_protrusion);
    return end && read == 9 ? end + 1 : NULL;
}

TEST(csv_is_a_table_of_the_tree)
{
    if (!prepare())
        return;
    CHECK_INT(run("spheres box.obj --method octree --depth 2 -o tree.csv"), 0);
    CHECK_TEXT(run_state.err, "");
    CHECK_CONTAINS(run_state.out, "covered, proven: all of the surface\n");
    CHECK_CONTAINS(run_state.out, "tree.csv: 65 spheres\n");
    CHECK(read_file("tree.csv", text));
    CHECK(strncmp(text, CSV_HEADER, strlen(CSV_HEADER)) == 0);
    Row row = {0}, rows[100];
    int count = 0, corner_count = 0;
    for (const char *line = text + strlen(CSV_HEADER); *line && count < 100; ++count) {
        line = next_row(line, &row);
        if (!CHECK(line != NULL))
            return;
        rows[count] = row;
        CHECK_INT(row.index, count);
        CHECK(row.parent < count && (count > 0) == (row.parent >= 0));
        CHECK_INT(row.level, count ? rows[row.parent].level + 1 : 0);
        CHECK(row.protrusion >= 0 && row.protrusion <= row.surface_protrusion);
        corner_count += row.level == 2 && hypot(hypot(row.x, row.y), row.z) <= row.radius;
    }
    CHECK_INT(count, 65);
    CHECK(corner_count > 0);
    CHECK(rows[0].radius >= sqrt(3) / 2 && rows[0].radius < 0.88);
    CHECK(rows[0].protrusion >= (sqrt(3) - 1) / 2 && rows[0].protrusion < 0.38);
}

TEST(json_reads_back_to_the_same_bytes)
{
    if (!prepare())
        return;
    CHECK_INT(run("spheres box.obj --method octree -o tree.json"), 0);
    CHECK_INT(run("spheres box.obj --method octree -o tree.csv"), 0);
    CHECK_INT(run("spheres box.obj --from tree.json -o again.json"), 0);
    CHECK_CONTAINS(run_state.out, "by octree");
    CHECK_INT(run("spheres box.obj --from tree.json -o again.csv"), 0);
    CHECK(same_files("tree.json", "again.json"));
    CHECK(same_files("tree.csv", "again.csv"));
    CHECK(read_file("tree.json", text));
    CHECK_CONTAINS(text, "\"schema_version\": 1,");
    CHECK_CONTAINS(text, "\"name\": \"box\",");
    CHECK_CONTAINS(text, "\"cover\": \"surface\",");
    CHECK_CONTAINS(text, "\"reading\": \"solid\",");
    CHECK_CONTAINS(text, "\"largest_protrusion\": ");
    CHECK_CONTAINS(text, "{\"level\": 0, \"parent\": null, \"center\": [0.5, 0.5, 0.5], \"radius\": 0.86");
}

// Replace the first number behind `key` at or after the `skip`-th one.
static void tamper(const char *path, const char *key, int skip, const char *number)
{
    CHECK(read_file("tree.json", text));
    char *place = strstr(text, key);
    for (int i = 0; i < skip && place; ++i)
        place = strstr(place + 1, key);
    if (!CHECK(place != NULL))
        return;
    place += strlen(key);
    const char *rest = place + strcspn(place, ",}");
    snprintf(other_text, sizeof other_text, "%.*s%s%s", (int)(place - text), text, number, rest);
    write_file(path, other_text);
}

TEST(a_tampered_tree_is_refused)
{
    static const struct {
        const char *key;
        int skip;
        const char *value, *message;
    } cases[] = {
        {"\"radius\": ", 0, "0.8", "box.obj: bad.json: face "},
        {"\"radius\": ", 3, "0.2", "box.obj: bad.json: face "},
        {"\"radius\": ", 3, "-1", "sphere 3 "},
        {"\"radius\": ", 3, "1e999", "bad.json"},
        {"\"radius\": ", 3, "\"wide\"", "sphere 3 has no \"radius\""},
        {"\"parent\": ", 3, "7", "sphere 3 comes before its parent"},
        {"\"parent\": ", 3, "0.5", "sphere 3 has no \"parent\""},
        {"\"center\": ", 3, "[1", "bad.json"},
        {"\"cover\": ", 0, "\"half\"", "no \"cover\""},
        {"\"method\": ", 0, "\"magic\"", "not one of fit, medial, octree and given"},
        {"\"method\": ", 0, "7", "not one of fit, medial, octree and given"},
        {"\"schema_version\": ", 0, "2", "version"},
    };
    if (!prepare())
        return;
    CHECK_INT(run("spheres box.obj --method octree --depth 1 -o tree.json"), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        tamper("bad.json", cases[i].key, cases[i].skip, cases[i].value);
        check_fails("spheres box.obj --from bad.json -o no.csv", cases[i].message);
    }
    CHECK(!is_there("no.csv"));
    // A radius that is larger than it must be harms nobody.
    tamper("good.json", "\"radius\": ", 3, "0.7");
    CHECK_INT(run("spheres box.obj --from good.json"), 0);
}

TEST(what_is_no_file_of_trees_is_refused_wherever_it_ends)
{
    if (!prepare())
        return;
    CHECK_INT(run("spheres box.obj --method octree --depth 1 -o tree.json"), 0);
    CHECK(read_file("tree.json", text));
    size_t length = strlen(text);
    for (size_t i = 0; i < 12; ++i) {
        memcpy(other_text, text, length);
        other_text[length * i / 12] = 0;
        write_file("cut.json", other_text);
        check_fails("spheres box.obj --from cut.json", "cut.json");
    }
    write_file("cut.json", "[1, 2, 3]");
    check_fails("spheres box.obj --from cut.json", "no file of sphere trees");
    write_file("cut.json", "{\"schema_version\": 1, \"trees\": []}");
    check_fails("spheres box.obj --from cut.json", "no tree with the name \"box\"");
    write_file("cut.json", "{\"schema_version\": 1, \"trees\": [{\"name\": \"box\"}]}");
    check_fails("spheres box.obj --from cut.json", "no \"cover\"");
    check_fails("spheres box.obj --from missing.json", "missing.json");
    check_fails("spheres box.obj --from box.obj", "box.obj");
    check_fails("spheres box.obj --from tree.json --depth 2", "--depth would make others");
}

// ---- flat formats

TEST(one_level_goes_to_planners)
{
    if (!prepare())
        return;
    CHECK_INT(run("spheres box.obj --method octree -o tree.json"), 0);
    CHECK_INT(run("spheres box.obj --from tree.json -o box.yml --level 1"), 0);
    CHECK_CONTAINS(run_state.out, "box.yml: 8 spheres\n");
    CHECK(read_file("box.yml", text));
    CHECK(strncmp(text,
                  "collision_spheres:\n  \"box\":\n    - center: [0.25, 0.25, 0.25]\n      radius: 0.43",
                  77) == 0);
    CHECK_INT(count_of(text, "- center: ["), 8);
    CHECK_INT(count_of(text, "radius: 0.4"), 8);
    CHECK_INT(run("spheres box.obj --from tree.json -o root.yaml --level 0"), 0);
    CHECK(read_file("root.yaml", text));
    CHECK_INT(count_of(text, "- center: ["), 1);
    CHECK_INT(run("spheres box.obj --from tree.json -o box.urdf --level 1"), 0);
    CHECK(read_file("box.urdf", text));
    CHECK(strncmp(text, "<?xml version=\"1.0\"?>\n<robot name=\"box\">\n  <link name=\"box\">\n", 60) == 0);
    CHECK_INT(count_of(text, "<sphere radius=\"0.4"), 8);
    CHECK_INT(count_of(text, "<origin xyz=\""), 8);
    CHECK_INT(count_of(text, "</collision>"), 8);
    CHECK_INT(count_of(text, "<joint"), 0);
    check_fails("spheres box.obj --from tree.json -o no.yml --level 4", "levels 0 to 3");
    check_fails("spheres box.obj --from tree.json -o no.json --level 1", "this one holds all");
    check_fails("spheres box.obj --from tree.json --level 1", "without -o");
    CHECK(!is_there("no.yml") && !is_there("no.json"));
    CHECK_INT(run("spheres box.obj --from tree.json -o yml.txt --format yml --level 0"), 0);
    CHECK(same_files("yml.txt", "root.yaml"));
}

// Numbers of spheres stay those of the tree.
TEST(a_table_holds_the_level_that_is_named)
{
    if (!prepare())
        return;
    CHECK_INT(run("spheres box.obj --method octree -o tree.json"), 0);
    CHECK_INT(run("spheres box.obj --from tree.json -o level.csv --level 1"), 0);
    CHECK_CONTAINS(run_state.out, "level.csv: 8 spheres\n");
    CHECK(read_file("level.csv", text));
    CHECK_INT(count_of(text, "\n1,"), 8);
    CHECK_INT(count_of(text, "\n"), 9);
    CHECK_CONTAINS(text, "\n1,1,0,");
    CHECK_CONTAINS(text, "\n1,8,0,");
    CHECK_INT(run("spheres box.obj --from tree.json -o root.csv --level 0"), 0);
    CHECK_CONTAINS(run_state.out, "root.csv: 1 sphere\n");
    check_fails("spheres box.obj --from tree.json -o no.csv --level 4", "levels 0 to 3");
    // Flat sets have nothing but their spheres.
    CHECK_INT(run("spheres box.obj --method octree --count 8 -o flat.csv"), 0);
    CHECK_CONTAINS(run_state.out, "flat.csv: 8 spheres\n");
    CHECK(read_file("flat.csv", text));
    CHECK(count_of(text, "\n1,") == 8 && count_of(text, "\n0,") == 0);
    CHECK_INT(run("spheres box.obj --method octree --count 8 -o flat.csv --level 0"), 0);
    CHECK_CONTAINS(run_state.out, "flat.csv: 1 sphere\n");
}

// Vertices lie outside of the sphere of radius sqrt(3) / 2, faces do not reach into it.
TEST(meshes_of_balls_are_around_the_spheres)
{
    if (!prepare())
        return;
    CHECK_INT(run("spheres box.obj --method octree --depth 1 --level 0 -o ball.obj"), 0);
    CHECK(read_file("ball.obj", text));
    static double v[700][3];
    unsigned count = 0, face_count = 0, f[3];
    for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        if (count < 700 && sscanf(line, "v %lf %lf %lf", &v[count][0], &v[count][1], &v[count][2]) == 3) {
            double length = 0;
            for (int i = 0; i < 3; ++i)
                length = hypot(length, v[count][i] - 0.5);
            CHECK(length > sqrt(3) / 2 && length < 1.02 * sqrt(3) / 2);
            ++count;
        }
        if (sscanf(line, "f %u %u %u", &f[0], &f[1], &f[2]) != 3)
            continue;
        double middle[3];
        for (int i = 0; i < 3; ++i)
            middle[i] = (v[f[0] - 1][i] + v[f[1] - 1][i] + v[f[2] - 1][i]) / 3 - 0.5;
        CHECK(hypot(hypot(middle[0], middle[1]), middle[2]) >= sqrt(3) / 2);
        ++face_count;
    }
    CHECK(count == 642 && face_count == 1280);
}

// Readers of YAML 1.1 take numbers without a point, or with an exponent without a sign, for text.
TEST(yaml_has_numbers_that_are_numbers)
{
    if (!prepare())
        return;
    write_file("tiny.obj", "v 0 0 0\nv 1e-20 0 0\nv 0 1e-20 0\nf 1 2 3\n");
    write_file("huge.obj", "v 0 0 0\nv 1e30 0 0\nv 0 2 0\nf 1 2 3\n");
    write_file("dot.obj", "v 3 4 1e-9\nf 1 1 1\n");
    CHECK_INT(run("spheres tiny.obj huge.obj dot.obj --method octree --depth 1 -o all.yml"), 0);
    CHECK(read_file("all.yml", text));
    CHECK_CONTAINS(text, "e-21");
    CHECK_CONTAINS(text, "e+29");
    CHECK_CONTAINS(text, "- center: [3.0, 4.0, 1.0e-9]\n      radius: 0.0\n");
    for (const char *number = strpbrk(text, "0123456789"); number;
         number = strpbrk(number + strspn(number, "0123456789.eE+-"), "0123456789")) {
        size_t length = strspn(number, "0123456789.eE+-");
        CHECK(memchr(number, '.', length) != NULL);
    }
    CHECK_INT(count_of(text, "e2") + count_of(text, "e3"), 0);
}

TEST(meshes_and_pictures_are_to_look_at)
{
    if (!prepare())
        return;
    static const char *const endings[] = {"obj", "stl", "ply", "off"};
    char line[256];
    CHECK_INT(run("spheres box.obj --method octree -o tree.json"), 0);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
        snprintf(line, sizeof line, "spheres box.obj --from tree.json --level 1 -o balls.%s", endings[i]);
        CHECK_INT(run(line), 0);
        snprintf(line, sizeof line, "info --json balls.%s", endings[i]);
        CHECK_INT(run(line), 0);
        CHECK_CONTAINS(run_state.out, "\"component_count\": 8,");
        CHECK_CONTAINS(run_state.out, "\"triangle_count\": 10240,");
        CHECK_CONTAINS(run_state.out, "\"orientation\": \"outward\"");
    }
    CHECK_INT(run("spheres box.obj --from tree.json -o levels.svg"), 0);
    CHECK_CONTAINS(run_state.out, "levels.svg: 361 spheres\n");
    CHECK(read_file("levels.svg", text));
    CHECK(strncmp(text, "<svg ", 5) == 0);
    CHECK_CONTAINS(text, "width=\"200"); // five things, 400 pixels each
    CHECK_INT(run("spheres box.obj --from tree.json -o level.svg --level 1 --up z --view front --size 300"),
              0);
    CHECK(read_file("level.svg", text));
    CHECK_CONTAINS(text, "width=\"300");
    // Straight from above, where up is no direction to the right of anything.
    CHECK_INT(run("spheres box.obj --from tree.json -o top.svg --view top --size 64"), 0);
    check_fails("spheres box.obj --from tree.json -o no.csv --view front", "--view is for pictures");
    check_fails("spheres box.obj --from tree.json --size 20", "--size is for pictures");
    CHECK(!is_there("no.csv"));
}

// ---- several meshes

static void write_links(void)
{
    mkdir("links", 0777);
    mkdir("links/left", 0777);
    write_file("links/arm.obj", box_obj);
    write_file("links/hand.obj", tetrahedron_obj);
    write_file("links/left/arm.obj", sheet_obj);
}

TEST(several_meshes_have_a_set_each)
{
    if (!prepare())
        return;
    write_links();
    CHECK_INT(run("spheres links --method octree --depth 1 -o robot.yml"), 0);
    CHECK(read_file("robot.yml", text));
    CHECK_INT(count_of(text, "  \"links/arm\":\n"), 1);
    CHECK_INT(count_of(text, "  \"hand\":\n"), 1);
    CHECK_INT(count_of(text, "  \"left/arm\":\n"), 1);
    CHECK_INT(run("spheres links/arm.obj links/hand.obj --method octree --depth 1 -o robot.urdf"), 0);
    CHECK(read_file("robot.urdf", text));
    CHECK_INT(count_of(text, "  <link name=\"arm\">"), 1);
    CHECK_INT(count_of(text, "  <link name=\"hand\">"), 1);
    CHECK_INT(count_of(text, "<joint name=\"hand_joint\" type=\"fixed\">"), 1);
    CHECK_INT(run("spheres links/arm.obj links/hand.obj --method octree --depth 1 -o robot.json"), 0);
    CHECK_INT(run("spheres links/hand.obj links/arm.obj --from robot.json -o turned.json"), 0);
    CHECK_INT(run("spheres links/arm.obj links/hand.obj --from turned.json -o again.json"), 0);
    CHECK(same_files("robot.json", "again.json"));
    // Of several trees, the one with the name of the mesh is meant.
    CHECK_INT(run("spheres links/hand.obj --from robot.json"), 0);
    check_fails("spheres box.obj --from robot.json", "robot.json: there is no tree with the name \"box\"");
}

TEST(a_file_for_each_mesh)
{
    if (!prepare())
        return;
    write_links();
    mkdir("out", 0777);
    check_fails("spheres links --method octree -o all.csv", "there are 3: write {}");
    CHECK(!is_there("all.csv"));
    CHECK_INT(run("spheres links --method octree --depth 1 -o 'out/spheres-{}.csv'"), 0);
    CHECK_CONTAINS(run_state.out, "out/spheres-hand.csv: ");
    CHECK(is_there("out/spheres-links_arm.csv") && is_there("out/spheres-hand.csv") &&
          is_there("out/spheres-left_arm.csv"));
    CHECK_INT(run("spheres links --method octree --depth 1 -o out --format csv"), 0);
    CHECK(same_files("out/hand.csv", "out/spheres-hand.csv"));
    CHECK_INT(run("spheres links/hand.obj --method octree --depth 1 -o out/ --format yaml"), 0);
    CHECK(is_there("out/hand.yaml"));
    check_fails("spheres links -o out", "out is a folder: --format");
    check_fails("spheres links --method octree -o nowhere/ --format csv", "nowhere/");
    check_fails("spheres links --format csv", "no -o");
    check_fails("spheres links/hand.obj links/hand.obj", "links/hand.obj is there twice");
    // Nothing is written over a mesh.
    check_fails("spheres links/hand.obj --method octree -o links/hand.obj", "would be written over the mesh");
    check_fails("spheres links/arm.obj links/hand.obj --method octree -o 'links/{}.obj'", "written over");
    write_file("a_b.obj", box_obj);
    mkdir("a", 0777);
    mkdir("c", 0777);
    write_file("a/b.obj", box_obj);
    write_file("c/b.obj", box_obj);
    check_fails("spheres a_b.obj a/b.obj c/b.obj --method octree -o 'out/{}.csv'", "would be written twice");
}

// What is wrong with files is said before spheres are made, which takes long: these would take minutes.
TEST(bad_paths_are_found_before_spheres_are_made)
{
    if (!prepare())
        return;
    write_links();
    write_file("broken.obj", "v 0 0\nf 1 2 3\n");
    mkdir("folder.csv", 0777);
    check_fails("spheres box.obj --count 4000000 -o nowhere/tree.csv",
                "nowhere/tree.csv can't be written: its folder is not there");
    write_file("csv.obj", box_obj);
    check_fails("spheres csv.obj --count 4000000 -o 'folder.{}' --format csv",
                "folder.csv can't be written: it is a folder");
    check_fails("spheres links/hand.obj --count 4000000 -o box.obj/x.csv", "box.obj/x.csv");
    check_fails("spheres box.obj broken.obj --count 4000000", "broken.obj");
    check_fails("spheres box.obj --count 4000000 -o a.yml --level 2",
                "--level 2: the spheres have levels 0 to 1");
    check_fails("spheres box.obj --branch 8 --depth 7 -o a.yml --level 8", "levels 0 to 7");
    check_fails("spheres box.obj --branch 1000 --depth 2 -o a.csv --level 3", "levels 0 to 2");
    CHECK(!is_there("a.yml") && !is_there("a.csv"));
    remove("broken.obj"); // other tests take all meshes
}

TEST(nothing_is_written_over_what_is_read)
{
    if (!prepare())
        return;
    CHECK_INT(run("spheres box.obj --method octree --depth 1 -o tree.json"), 0);
    CHECK(read_file("tree.json", other_text));
    check_fails("spheres box.obj --from tree.json -o tree.json",
                "written over the file that spheres are taken from");
    CHECK_INT(symlink("tree.json", "link.json"), 0);
    check_fails("spheres box.obj --from tree.json -o link.json",
                "written over the file that spheres are taken from");
    check_fails("spheres box.obj --from link.json -o ./tree.json",
                "written over the file that spheres are taken from");
    check_fails("spheres box.obj --method octree -o ./box.obj", "would be written over the mesh");
    CHECK(read_file("tree.json", text));
    CHECK_TEXT(text, other_text);
    remove("link.json");
}

TEST(trees_of_one_name_are_refused)
{
    if (!prepare())
        return;
    static const char tree[] = "{\"name\": \"box\", \"cover\": \"surface\", \"spheres\": "
                               "[{\"center\": [0.5, 0.5, 0.5], \"radius\": 2, \"parent\": null}]}";
    snprintf(text, sizeof text, "{\"schema_version\": 1, \"trees\": [%s]}", tree);
    write_file("one.json", text);
    CHECK_INT(run("spheres box.obj --from one.json"), 0);
    CHECK_CONTAINS(run_state.out, "by given");
    snprintf(text, sizeof text, "{\"schema_version\": 1, \"trees\": [%s, %s]}", tree, tree);
    write_file("two.json", text);
    check_fails("spheres box.obj --from two.json", "two trees with the name \"box\"");
}

// In JSON and YAML all bytes that are no characters would become the same one.
TEST(names_that_are_no_text_are_refused)
{
    if (!prepare())
        return;
    static const char *const names[] = {"x\xff.obj", "x\xfe.obj", "x\xef\xbf\xbf.obj"};
    for (size_t i = 0; i < 3; ++i) {
        char line[100];
        write_file(names[i], box_obj);
        snprintf(line, sizeof line, "spheres '%s' --method octree --depth 1 -o no.json", names[i]);
        check_fails(line, "no characters of UTF-8");
        snprintf(line, sizeof line, "spheres '%s' --method octree --depth 1 -o name.csv", names[i]);
        CHECK_INT(run(line), 0);
    }
    check_fails("spheres x*.obj --method octree --depth 1 -o no.yml", "no characters of UTF-8");
    check_fails("spheres x*.obj --method octree --depth 1 -o no.urdf", "no characters of UTF-8");
    CHECK(!is_there("no.json") && !is_there("no.yml") && !is_there("no.urdf"));
    for (size_t i = 0; i < 3; ++i)
        remove(names[i]);
}

// When the second of two files can't be written, the first is gone too.
TEST(after_a_failure_there_is_nothing)
{
    if (!prepare())
        return;
    write_links();
    mkdir("half", 0777);
    mkdir("half/hand.csv", 0777);
    check_fails("spheres links/arm.obj links/hand.obj --method octree -o 'half/{}.csv'", "half/hand.csv");
    CHECK(!is_there("half/arm.csv"));
    check_fails("spheres box.obj --method octree -o nowhere/tree.csv", "nowhere/tree.csv");
    check_fails("spheres box.obj --method octree -o nowhere/tree.obj", "nowhere/tree.obj");
    check_fails("spheres box.obj --method octree -o nowhere/tree.svg", "nowhere/tree.svg");
    check_fails("spheres box.obj --method octree -o /dev/full --format csv", "/dev/full");
    write_file("kept.csv", "old\n");
    check_fails("spheres links/missing.obj -o kept.csv", "missing.obj");
    CHECK(read_file("kept.csv", text));
    CHECK_TEXT(text, "old\n");
}

TEST(hostile_names_stay_names)
{
    if (!prepare())
        return;
    write_file("a\"<&>'{}: - #\\b.obj", box_obj);
    write_file("two\nlines\x1b[31m.obj", box_obj);
    write_file("-o.obj", box_obj);
    CHECK_INT(run("spheres --method octree --depth 1 -o h.yml -- *.obj"), 0);
    CHECK(!strchr(run_state.out, '\x1b'));
    CHECK(read_file("h.yml", text));
    CHECK_CONTAINS(text, "  \"a\\\"<&>'{}: - #\\\\b\":\n");
    CHECK_CONTAINS(text, "  \"two\\u000alines\\u001b[31m\":\n");
    CHECK_CONTAINS(text, "  \"-o\":\n");
    CHECK_INT(run("spheres --method octree --depth 1 -o h.urdf -- *.obj"), 0);
    CHECK(read_file("h.urdf", text));
    CHECK_CONTAINS(text, "<link name=\"a&quot;&lt;&amp;&gt;");
    CHECK(!strchr(text, '\x1b'));
    CHECK_INT(run("spheres --method octree --depth 1 -o h.json -- *.obj"), 0);
    CHECK_INT(run("spheres --from h.json -o again.json -- *.obj"), 0);
    CHECK(same_files("h.json", "again.json"));
    CHECK_INT(run("spheres --csv --method octree --depth 1 -- a*.obj"), 0);
    CHECK_CONTAINS(run_state.out, "\n\"a\"\"<&>'{}: - #\\b\",octree,");
    remove("a\"<&>'{}: - #\\b.obj");
    remove("two\nlines\x1b[31m.obj");
    remove("-o.obj");
}

// ---- what is told, and what is refused

TEST(programs_read_the_report)
{
    if (!prepare())
        return;
    write_file("sheet.obj", sheet_obj);
    CHECK_INT(run("spheres box.obj sheet.obj --method octree --depth 1 --json"), 0);
    CHECK(strncmp(run_state.out, "{\n  \"schema_version\": 1,", 24) == 0);
    CHECK_INT(count_of(run_state.out, "\"coverage\": \"proven\""), 2);
    CHECK_INT(count_of(run_state.out, "\"reading\": \"solid\""), 1);
    CHECK_INT(count_of(run_state.out, "\"reading\": \"surface\""), 1);
    CHECK_INT(count_of(run_state.out, "\"seconds\": "), 2);
    CHECK_INT(count_of(run_state.out, "\"largest_surface_protrusion\": "), 4);
    CHECK_INT(run("spheres box.obj sheet.obj --method octree --depth 1 --csv"), 0);
    CHECK(strncmp(run_state.out, "name,method,cover,reading,root_radius,seconds,level,spheres,", 60) == 0);
    CHECK_INT(count_of(run_state.out, "\nbox,octree,surface,solid,"), 2);
    CHECK_INT(count_of(run_state.out, "\nsheet,octree,surface,surface,"), 2);
    CHECK_INT(run("spheres box.obj sheet.obj --method octree --depth 1"), 0);
    CHECK_INT(count_of(run_state.out, "protrusion, of a surface"), 2);
    CHECK_INT(count_of(run_state.out, "protrusion, of a solid"), 1);
    CHECK_CONTAINS(run_state.out, "Protrusions are proven upper bounds");
    check_fails("spheres box.obj --json --csv", "--json and --csv");
}

TEST(the_inside_is_covered_where_there_is_one)
{
    if (!prepare())
        return;
    write_file("sheet.obj", sheet_obj);
    CHECK_INT(run("spheres box.obj --method octree --cover solid --depth 2 -o solid.json"), 0);
    CHECK_CONTAINS(run_state.out, "covered, proven: all of the surface and of the inside\n");
    CHECK(read_file("solid.json", text));
    CHECK_CONTAINS(text, "\"cover\": \"solid\",");
    CHECK_INT(run("spheres box.obj --from solid.json -o again.json"), 0);
    CHECK(same_files("solid.json", "again.json"));
    check_fails("spheres sheet.obj --cover solid", "sheet.obj: an open mesh has no inside");
}

TEST(a_single_point_is_a_sphere_of_radius_0)
{
    if (!prepare())
        return;
    write_file("point.obj", "v 1 2 3\nf 1 1 1\n");
    CHECK_INT(run("spheres point.obj -o point.csv"), 0);
    CHECK(read_file("point.csv", text));
    Row row = {.radius = -1};
    CHECK(next_row(text + strlen(CSV_HEADER), &row) != NULL);
    CHECK(row.x == 1 && row.y == 2 && row.z == 3 && row.radius == 0 && row.surface_protrusion < 1e-300);
    CHECK_INT(run("spheres point.obj -o point.svg"), 0);
    CHECK_INT(run("spheres point.obj -o point.ply"), 0);
}

TEST(bad_input_is_one_line_and_status_2)
{
    if (!prepare())
        return;
    write_file("empty.obj", "");
    write_file("vertex.obj", "v 1 2 3\n");
    static const char *const cases[][2] = {
        {"missing.obj", "missing.obj"},
        {"empty.obj", "empty.obj"},
        {"vertex.obj", "vertex.obj"},
        {"box.obj --branch 1", "--branch: expected a whole number from 2 to 1024"},
        {"box.obj --branch 5000", "--branch: expected a whole number from 2 to 1024"},
        {"box.obj --branch many", "--branch"},
        {"box.obj --depth 0", "--depth: expected a whole number from 1 to 20"},
        {"box.obj --depth 21", "--depth: expected a whole number from 1 to 20"},
        {"box.obj --branch 1024 --depth 20", "could take more than"},
        {"box.obj --count 0", "--count: expected a whole number from 1 to"},
        {"box.obj --count -3", "--count"},
        {"box.obj --count 5000000", "--count"},
        {"box.obj --count 8 --branch 8", "--count makes a flat set of spheres, and --branch is for levels"},
        {"box.obj --protrusion 1 --depth 2", "--protrusion makes a flat set"},
        {"box.obj --count 8 --protrusion 1", "--count and --protrusion"},
        {"box.obj --protrusion -1", "--protrusion: expected a length above 0, got \"-1\""},
        {"box.obj --protrusion nan", "--protrusion: expected a length above 0, got \"nan\""},
        {"box.obj --protrusion inf", "--protrusion: expected a length above 0, got \"inf\""},
        {"box.obj --protrusion 1e999", "--protrusion: expected a length above 0, got \"1e999\""},
        {"box.obj --protrusion 0", "--protrusion: expected a length above 0"},
        {"box.obj --method magic", "--method: expected fit, medial or octree, got \"magic\""},
        {"box.obj --cover half", "--cover: expected surface or solid, got \"half\""},
        {"box.obj --threads 0", "--threads"},
        {"box.obj -o out.txt", "out.txt: the ending stands for no format of spheres"},
        {"box.obj -o bare", "bare: the ending stands for no format of spheres"},
        {"box.obj -o ''", "the ending stands for no format of spheres"},
        {"box.obj -o out.txt --format gif", "--format: expected csv, json"},
        {"box.obj -o out.txt --format obj", "--format obj: the name of a mesh ends in its format"},
        {"box.obj --levle 3", "'--level'"},
        {"", "FILE"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char line[256];
        snprintf(line, sizeof line, "spheres %s", cases[i][0]);
        check_fails(line, cases[i][1]);
    }
    CHECK(!is_there("out.txt") && !is_there("bare"));
    CHECK_INT(run("spheres box.obj --method octree --depth 1 -o plain.txt --format csv"), 0);
    CHECK(is_there("plain.txt"));
}

// It is a matter of the build.
TEST(the_medial_method_works_or_names_what_it_needs)
{
    if (!prepare())
        return;
    if (run("spheres box.obj --method medial --depth 1 -o medial.csv") == 0) {
        CHECK_CONTAINS(run_state.out, "by medial");
        return;
    }
    check_fails("spheres box.obj --method medial --depth 1 -o medial.csv", "libqhull");
    CHECK(!is_there("medial.csv"));
}

TEST(any_number_of_threads_gives_the_same_bytes)
{
    if (!prepare())
        return;
    static const char *const methods[] = {"fit", "octree"};
    char line[256];
    for (size_t m = 0; m < 2; ++m) {
        for (int threads = 1; threads <= 5; threads += threads == 1 ? 1 : 3) {
            snprintf(line, sizeof line,
                     "spheres box.obj --method %s --depth 1 --threads %d -o threads-%d.json", methods[m],
                     threads, threads);
            CHECK_INT(run(line), 0);
        }
        CHECK(same_files("threads-1.json", "threads-2.json"));
        CHECK(same_files("threads-1.json", "threads-5.json"));
    }
}

TEST(fitted_spheres_are_the_default)
{
    if (!prepare())
        return;
    CHECK_INT(run("spheres box.obj --count 20 -o flat.csv"), 0);
    CHECK_CONTAINS(run_state.out, "by fit");
    CHECK(read_file("flat.csv", text));
    CHECK(count_of(text, "\n1,") <= 20 && count_of(text, "\n1,") > 1 && count_of(text, "\n2,") == 0);
    CHECK_INT(run("spheres box.obj --protrusion 0.2 -o flat.csv"), 0);
    CHECK(read_file("flat.csv", text));
    Row row;
    size_t count = 0;
    for (const char *line = strchr(text, '\n') + 1; *line; ++count) {
        line = next_row(line, &row);
        if (!CHECK(line != NULL))
            return;
        CHECK(row.level == 0 || row.protrusion <= 0.2);
    }
    CHECK(count > 1);
}
