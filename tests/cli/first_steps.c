// What stops people who try the program for the first time, with the calls that they make: each is told in
// one line what is wrong and where, or gets what was asked for. Run as a program.
#define _XOPEN_SOURCE 700 // for program.h

#include "program.h"

#include "gltf_files.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char large_box_obj[] =
    "v 0 0 0\nv 1000 0 0\nv 1000 1000 0\nv 0 1000 0\nv 0 0 1000\nv 1000 0 1000\nv 1000 1000 1000\n"
    "v 0 1000 1000\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

// Two boxes in the same place, two of one name, one in millimetres; and what is no mesh.
static bool prepare_files(void)
{
    if (!prepare())
        return false;
    if (access("wall_3.obj", F_OK) == 0)
        return true;
    CHECK(mkdir("east", 0777) == 0 && mkdir("west", 0777) == 0);
    write_file("wall_3.obj", box_obj);
    write_file("east/duct.obj", box_obj);
    write_file("west/duct.obj", box_obj);
    write_file("large.obj", large_box_obj);
    write_file("truly_obj.stl", box_obj);
    write_file("truly_obj.ply", box_obj);
    write_file("model.xyz", "1 2 3\n");
    write_file("model", box_obj);
    return true;
}

// One line that begins with impinge: and has both parts in it; nothing on standard output.
static void check_tells(const char *arguments, const char *where, const char *what)
{
    check_fails(arguments, where);
    if (!CHECK_CONTAINS(run_state.err, what))
        printf("  impinge %s\n", arguments);
}

static void check_pairs_are(const char *arguments, const char *lines)
{
    static char wanted[4096];
    char command[1024];
    snprintf(wanted, sizeof wanted, "body_a,body_b,relation,name_a,name_b\n%s", lines);
    snprintf(command, sizeof command, "check --pairs %s", arguments);
    CHECK_INT(run(command), lines[0] ? 1 : 0);
    if (!CHECK_TEXT(run_state.out, wanted))
        printf("  impinge %s: %s\n", command, run_state.err);
}

// ---- the first call

TEST(files_without_a_command)
{
    if (!prepare_files())
        return;
    check_fails("a.ply b.obj", "impinge check a.ply");
    check_fails("box.obj wall_3.obj", "impinge check box.obj");
    check_fails("box.obj wall_3.obj --pairs", "impinge check box.obj");
}

TEST(a_pose_without_quotes)
{
    static const char *const poses[] = {"1 0 0 2", "1 0 0 2 1 0 0 0", "wall_3 0 0 2", "1 -1 0 2"};
    char command[128];
    if (!prepare_files())
        return;
    for (size_t i = 0; i < COUNT(poses); ++i) {
        snprintf(command, sizeof command, "check box.obj wall_3.obj --pose %s", poses[i]);
        check_tells(command, "--pose ", "quote");
        snprintf(command, sizeof command, "check --pose %s box.obj wall_3.obj", poses[i]);
        check_tells(command, "--pose ", "quote");
    }
    check_tells("check box.obj wall_3.obj --pose wall_3 '0 0'", "--pose wall_3", "got 2");
    check_tells("check box.obj wall_3.obj --pose wall_3 '0 0 nan'", "--pose wall_3", "'nan'");
}

TEST(names_of_files_that_tell_no_format)
{
    static const char *const formats[] = {".obj", ".stl", ".ply", ".off", ".gltf", ".glb"};
    if (!prepare_files())
        return;
    for (size_t i = 0; i < COUNT(formats); ++i) {
        check_tells("check box.obj model.xyz", "model.xyz: ", formats[i]);
        check_tells("check box.obj model", "model: ", formats[i]);
    }
    check_tells("check box.obj model.xyz", "\".xyz\"", "model.xyz");
}

TEST(what_a_file_holds_is_another_format)
{
    if (!prepare_files())
        return;
    check_tells("check box.obj truly_obj.stl", "truly_obj.stl: ", "OBJ");
    check_tells("check box.obj truly_obj.ply", "truly_obj.ply: ", "OBJ");
    check_tells("info truly_obj.ply", "truly_obj.ply: ", "OBJ");
    check_tells("check - box.obj --format stl <box.obj", "standard input: ", "OBJ");
}

TEST(standard_input_and_folders)
{
    if (!prepare_files())
        return;
    check_pairs_are("- wall_3.obj --format obj <box.obj", "0,1,touch,standard input,wall_3\n");
    check_tells("check - box.obj <box.obj", "--format", "standard input");
    check_tells("check - box.obj --format step <box.obj", "--format", "step");
    check_tells("check - - --format obj <box.obj", "standard input", "once");
    check_tells("check - box.obj --format obj </dev/null", "standard input", "empty");
    check_pairs_are("east west", "0,1,touch,east/duct,west/duct\n");
    check_pairs_are("'*st/duct.obj'", "0,1,touch,east/duct,west/duct\n");
    CHECK(mkdir("nothing", 0777) == 0);
    check_tells("check nothing", "nothing: ", ".obj");
    check_tells("check no_folder", "no_folder: ", "No such file");
    check_tells("check box.obj", "box", "two");
}

TEST(a_broken_file_among_others)
{
    if (!prepare_files() || !CHECK(mkdir("some", 0777) == 0))
        return;
    write_file("some/a.obj", box_obj);
    write_file("some/b.obj", box_obj);
    write_file("some/c.obj", "v 0 0 0\nv 0 0 zero\n");
    check_tells("check some", "some/c.obj:2", "'zero'");
    check_pairs_are("some --keep-going", "0,1,touch,a,b\n");
    CHECK_CONTAINS(run_state.err, "some/c.obj:2");
    CHECK_CONTAINS(run_state.err, "left out");
    check_pairs_are("some/a.obj missing.obj some/b.obj --keep-going", "0,1,touch,a,b\n");
    CHECK_CONTAINS(run_state.err, "missing.obj");
}

TEST(folders_that_give_nothing_among_others)
{
    if (!prepare_files())
        return;
    CHECK(mkdir("bare", 0777) == 0 && mkdir("mixed", 0777) == 0 && mkdir("mixed/shut", 0777) == 0);
    write_file("mixed/a.obj", box_obj);
    write_file("mixed/shut/b.obj", box_obj);
    check_tells("check bare box.obj wall_3.obj", "bare: ", ".obj");
    check_tells("check 'no*.stl' box.obj wall_3.obj", "no*.stl: ", "no file matches");
    check_pairs_are("bare box.obj 'no*.stl' wall_3.obj --keep-going", "0,1,touch,box,wall_3\n");
    CHECK_CONTAINS(run_state.err, "left out: bare: there is no file in this folder");
    CHECK_CONTAINS(run_state.err, "left out: no*.stl: no file matches this");
    check_tells("check bare --keep-going", "nothing can be read: ", "bare: ");
    check_tells("check bare box.obj --keep-going", "box is the only body", "bare: ");
    CHECK(chmod("mixed/shut", 0) == 0);
    if (access("mixed/shut", R_OK) != 0) { // root may read it
        check_tells("check mixed box.obj", "mixed/shut: ", "denied");
        check_pairs_are("mixed box.obj --keep-going", "0,1,touch,a,box\n");
        CHECK_CONTAINS(run_state.err, "left out: mixed/shut: ");
    }
    CHECK(chmod("mixed/shut", 0777) == 0);
}

TEST(a_path_that_begins_here_is_the_same_path)
{
    static char plain[MAX_OUTPUT];
    static const char *const same[] = {"box.obj ./box.obj", "././/box.obj box.obj", "'./b?x.obj' box.obj"};
    char command[128];
    if (!prepare_files() || !CHECK(mkdir("here", 0777) == 0) || !CHECK(chdir("here") == 0))
        return;
    write_file("box.obj", box_obj);
    CHECK_INT(run("check --json box.obj box.obj"), 1);
    strcpy(plain, run_state.out);
    for (size_t i = 0; i < COUNT(same); ++i) {
        snprintf(command, sizeof command, "check --json %s", same[i]);
        CHECK_INT(run(command), 1);
        CHECK_TEXT(run_state.out, plain);
    }
    CHECK_INT(run("check --json . box.obj"), 1);
    CHECK_TEXT(run_state.out, plain);
    check_tells("check ./- box.obj", "./-: ", "No such file");
    CHECK(chdir("..") == 0);
}

// ---- names

TEST(names_that_fit_no_body_or_two)
{
    static const char rows[] = "configuration,body,x,y,z\n0,east/duct,0,0,1\n1,duct,0,0,1\n";
    if (!prepare_files())
        return;
    check_tells("check box.obj wall_3.obj --pose wal_3 '0 0 2'", "'wal_3'", "'wall_3'");
    check_tells("check box.obj wall_3.obj --pose 2 '0 0 2'", "--pose", "2");
    check_tells("check east west --pose duct '0 0 2'", "'duct'", "east/duct");
    check_tells("check east west --pose duct '0 0 2'", "--pose", "west/duct");
    check_pairs_are("east west --pose west/duct '0 0 2'", "");
    write_file("two.rules", "# a comment\n\nignore duct box\n");
    check_tells("check box.obj east west --rules two.rules", "two.rules:3", "'duct'");
    write_file("two.csv", rows);
    check_tells("check east west --poses two.csv", "two.csv:3", "'duct'");
    check_tells("check box.obj wall_3.obj --scale wall_4 2", "--scale", "'wall_4'");
    check_tells("check box.obj wall_3.obj --unit m --unit wall_4=mm", "--unit", "'wall_4'");
}

// ---- rules

TEST(rules_that_are_wrong_are_told_by_file_line_and_name)
{
    static const struct {
        const char *text, *where, *what;
    } wrong[] = {
        {"# near\n\nclearence 0.1\n", "r.rules:3", "'clearence'"},
        {"clearance nan\n", "r.rules:1", "'nan'"},
        {"clearance -1\n", "r.rules:1", "'-1'"},
        {"clearance 1e999\n", "r.rules:1", "'1e999'"},
        {"group *duct*\ntouch-depth deep\n", "r.rules:2", "'deep'"},
        {"ignore box\n", "r.rules:1", "ignore"},
        {"ignore box wall_3 duct\n", "r.rules:1", "ignore"},
        {"clearance 0.1 box\n", "r.rules:1", "clearance"},
        {"between\n", "r.rules:1", "between"},
        // These contradict each other.
        {"between box wall_3\nignore box wall_3\n", "r.rules:2", "wall_3"},
        {"clearance 0.1 box wall_3\nclearance 0.2 wall_3 box\n", "r.rules:2", "wall_3"},
        {"ignore box wall_3\nclearance 0.1 box wall_3\n", "r.rules:1", "wall_3"},
    };
    if (!prepare_files())
        return;
    for (size_t i = 0; i < COUNT(wrong); ++i) {
        write_file("r.rules", wrong[i].text);
        check_tells("check box.obj wall_3.obj east/duct.obj --rules r.rules", wrong[i].where, wrong[i].what);
    }
    check_tells("check box.obj wall_3.obj --rules no.rules", "no.rules: ", "No such file");
    check_tells("check box.obj wall_3.obj --ignore box,wall_3 --between box wall_3", "--ignore box,wall_3",
                "--between box wall_3");
}

TEST(rules_that_do_nothing_are_remarked_on)
{
    static const char touching[] = "0,1,touch,box,wall_3\n";
    if (!prepare_files())
        return;
    check_pairs_are("box.obj wall_3.obj --ignore box,wall_4", touching);
    CHECK_CONTAINS(run_state.err, "'wall_4'");
    check_pairs_are("box.obj wall_3.obj --group 'duct*'", touching);
    CHECK_CONTAINS(run_state.err, "'duct*'");
    write_file("no.rules", "ignore box wall_3\n\nignore wall_3 box\nignore 'duct*' pipe\n");
    check_pairs_are("box.obj wall_3.obj --rules no.rules", "");
    CHECK_CONTAINS(run_state.err, "no.rules:3");
    CHECK_CONTAINS(run_state.err, "no.rules:1");
    CHECK_CONTAINS(run_state.err, "no.rules:4");
    CHECK_CONTAINS(run_state.err, "pipe");
    check_pairs_are("box.obj wall_3.obj --ignore 0,1 --ignore box,wall_3", "");
    check_pairs_are("box.obj wall_3.obj --ignore box,wall_3 --ignore box,wall_3", "");
    CHECK_CONTAINS(run_state.err, "twice");
}

TEST(rules_choose_and_later_ones_win)
{
    static const char files[] = "box.obj wall_3.obj east west ";
    char command[256];
    static const struct {
        const char *options, *lines;
    } cases[] = {
        {"--between 'wall*' '*duct'", "1,2,touch,wall_3,east/duct\n1,3,touch,wall_3,west/duct\n"},
        {"--group '*duct' --ignore 'box,*'", "1,2,touch,wall_3,east/duct\n1,3,touch,wall_3,west/duct\n"},
        {"--ignore '*,*duct'", "0,1,touch,box,wall_3\n"},
        {"--ignore '*,*'", ""},
    };
    if (!prepare_files())
        return;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        snprintf(command, sizeof command, "%s%s", files, cases[i].options);
        check_pairs_are(command, cases[i].lines);
    }
    write_file("later.rules",
               "clearance 0.25\r\nclearance 0.75 box * # near the box\nclearance 0.5 wall_3 box\n");
    CHECK_INT(run("check box.obj wall_3.obj east/duct.obj --pose 1 '1.6 0 0' --pose 2 '-1.7 0 0' --csv "
                  "--rules later.rules"),
              1);
    CHECK_CONTAINS(run_state.out, ",clearance,box,duct\n");
    CHECK(strstr(run_state.out, "wall_3") == NULL);
}

// A rule for all and one for some, as a project keeps them, asked about the parts that the second is for.
TEST(a_rule_for_some_refines_one_for_all)
{
    if (!prepare_files())
        return;
    write_file("project.rules", "clearance 0.02\nclearance 0.05 wall* box\n");
    CHECK_INT(run("check box.obj wall_3.obj --pose 1 '0 0 1.03' --rules project.rules --csv"), 1);
    CHECK_CONTAINS(run_state.out, ",clearance,box,wall_3\n");
}

// ---- tables of poses

#define POSE_COLUMNS "configuration,body,x,y,z,qw,qx,qy,qz\n"

TEST(tables_of_poses_that_are_wrong_are_told_by_file_line_and_name)
{
    static const struct {
        const char *text, *where, *what;
    } wrong[] = {
        {POSE_COLUMNS "0,wall_4,0,0,2,1,0,0,0\n", "p.csv:2", "'wall_4'"},
        {POSE_COLUMNS "0,box,0,0,2,1,0,0,0\n0,2,0,0,2,1,0,0,0\n", "p.csv:3", "2"},
        {POSE_COLUMNS "0,wall_3,0,0,2,1,0,0\n", "p.csv:2", "8"},
        {POSE_COLUMNS "0,wall_3,0,0,2,1,0,0,0\n1,wall_3,0,0,2,1,0,0,0,0\n", "p.csv:3", "10"},
        {POSE_COLUMNS "0,wall_3,0,nan,2,1,0,0,0\n", "p.csv:2", "'nan'"},
        {POSE_COLUMNS "0,wall_3,0,nan,2,1,0,0,0\n", "wall_3", "y"},
        {POSE_COLUMNS "0,wall_3,0,0,inf,1,0,0,0\n", "p.csv:2", "'inf'"},
        {POSE_COLUMNS "0,wall_3,0,0,up,1,0,0,0\n", "p.csv:2", "'up'"},
        {POSE_COLUMNS "0,wall_3,0,0,2,2,0,0,0\n", "p.csv:2", "wall_3"},
        {POSE_COLUMNS "0,wall_3,0,0,2,0,0,0,0\n", "p.csv:2", "wall_3"},
        {POSE_COLUMNS "0,wall_3,0,0,2,1,0,0,0\n0,wall_3,0,0,3,1,0,0,0\n", "p.csv:3", "'wall_3'"},
        {POSE_COLUMNS, "p.csv:", "rows"},
        {"", "p.csv:1", "empty"},
        {"configuration,body,x,y\n0,box,1,2\n", "p.csv:1", "'z'"},
        {"body,x,y,z\nbox,1,2,3\n", "p.csv:1", "'configuration'"},
        {"configuration,body,x,y,z,colour\n0,box,1,2,3,4\n", "p.csv:1", "'colour'"},
        {"time,body,x,y,z\n1,box,1,2,3\n0.5,box,1,0,0\n", "p.csv:3", "0.5"},
    };
    if (!prepare_files())
        return;
    for (size_t i = 0; i < COUNT(wrong); ++i) {
        write_file("p.csv", wrong[i].text);
        check_tells("check box.obj wall_3.obj --poses p.csv", wrong[i].where, wrong[i].what);
        check_tells("run box.obj wall_3.obj --poses p.csv", wrong[i].where, wrong[i].what);
    }
    check_tells("check box.obj wall_3.obj --poses no.csv", "no.csv: ", "No such file");
}

TEST(configurations_are_answered_by_name)
{
    if (!prepare_files())
        return;
    write_file("p.csv", POSE_COLUMNS "rest,wall_3,0,0,2,1,0,0,0\n\"bent, far\",wall_3,0,0,0.5,1,0,0,0\n"
                                     "on,wall_3,0,0,1,0.7071,0,0,0.7071\n");
    CHECK_INT(run("check box.obj wall_3.obj --poses p.csv --csv"), 1);
    CHECK_TEXT(run_state.out, "configuration,body_a,body_b,relation,name_a,name_b\n"
                              "\"bent, far\",0,1,touch,box,wall_3\non,0,1,touch,box,wall_3\n");
    CHECK_INT(run("check box.obj wall_3.obj --poses p.csv --csv --ignore 0,1"), 0);
    CHECK_TEXT(run_state.out, "configuration,body_a,body_b,relation,name_a,name_b\n");
    CHECK_INT(run("check box.obj wall_3.obj --poses p.csv"), 1);
    CHECK_CONTAINS(run_state.out, "bent, far");
}

// ---- units, places, poses

TEST(poses_in_other_words_are_the_same_pose)
{
    static const struct {
        const char *pose, *json;
    } poses[] = {
        {"0 0 2", "\"pose\": [0, 0, 2, 1, 0, 0, 0]"},
        {"0 0 2 axis 0 0 1 90", "\"pose\": [0, 0, 2, 0.7071067811865476, 0, 0, 0.7071067811865476]"},
        {"0 0 2 axis 0 0 7 90", "\"pose\": [0, 0, 2, 0.7071067811865476, 0, 0, 0.7071067811865476]"},
        {"0 0 2 0.7071 0.7071 0 0", "\"pose\": [0, 0, 2, 0.7071067811865476, 0.7071067811865476, 0, 0]"},
        {"1 0 0 5 0 1 0 6 0 0 1 7", "\"pose\": [5, 6, 7, 1, 0, 0, 0]"},
        {"1 0 0 5 0 1 0 6 0 0 1 7 0 0 0 1", "\"pose\": [5, 6, 7, 1, 0, 0, 0]"},
    };
    char command[256];
    if (!prepare_files())
        return;
    for (size_t i = 0; i < COUNT(poses); ++i) {
        snprintf(command, sizeof command, "check box.obj wall_3.obj --json --pose wall_3 '%s'",
                 poses[i].pose);
        CHECK_INT(run(command), 0);
        CHECK_CONTAINS(run_state.out, poses[i].json);
    }
    check_tells("check box.obj wall_3.obj --pose 1 '0 0 2 axis 0 0 0 90'", "--pose 1", "axis");
    check_tells("check box.obj wall_3.obj --pose 1 '2 0 0 5 0 1 0 6 0 0 1 7'", "--pose 1", "rotation");
    check_tells("check box.obj wall_3.obj --pose 1 '-1 0 0 5 0 1 0 6 0 0 1 7'", "--pose 1", "mirrors");
    check_tells("check box.obj wall_3.obj --pose 1 '0 0 2 1 1 0 0'", "--pose 1", "length");
    check_tells("check box.obj wall_3.obj --pose 1 '0 0 2' --pose wall_3 '0 0 3'", "--pose", "twice");
}

// A cube of a metre beside one in millimetres, which lies on it or in another place when units are told.
TEST(millimetres_and_metres)
{
    static const char on_top[] = "--pose large '0 0 1' ";
    static const char *const units[] = {"--unit m --unit large=mm", "--unit m --unit 'lar*=mm'",
                                        "--unit m --unit 1=mm",     "--scale large 1/1000",
                                        "--scale 1 0.001",          "--scale '*ge' 1/1000"};
    char command[256];
    if (!prepare_files())
        return;
    for (size_t i = 0; i < COUNT(units); ++i) {
        snprintf(command, sizeof command, "box.obj large.obj %s --touch-depth 0 %s", on_top, units[i]);
        check_pairs_are(command, "0,1,touch,box,large\n");
        CHECK_TEXT(run_state.err, "");
        snprintf(command, sizeof command, "box.obj large.obj --touch-depth 0 %s", units[i]);
        check_pairs_are(command, "0,1,overlap,box,large\n");
        snprintf(command, sizeof command, "box.obj large.obj --pose large '0 0 2' %s", units[i]);
        check_pairs_are(command, "");
    }
    check_tells("check box.obj large.obj --unit km", "--unit", "km");
    check_tells("check box.obj large.obj --unit large=mm", "--unit", "--unit m");
    check_tells("check box.obj large.obj --unit m --unit cm", "--unit cm", "m");
    check_tells("check box.obj large.obj --unit m --unit large=mm --unit large=cm", "--unit large=cm", "mm");
    check_tells("check box.obj large.obj --unit m --unit large=mm --scale large 2", "large", "--scale");
    check_tells("check box.obj large.obj --scale large 1/0", "--scale large", "1/0");
    check_tells("check box.obj large.obj --scale large nan", "--scale large", "nan");
    check_tells("check box.obj large.obj --scale large -1", "--scale large", "-1");
}

TEST(sizes_and_places_that_look_wrong_are_remarked_on)
{
    if (!prepare_files())
        return;
    check_pairs_are("box.obj large.obj", "0,1,touch,box,large\n");
    CHECK_CONTAINS(run_state.err, "large");
    CHECK_CONTAINS(run_state.err, "box");
    CHECK_CONTAINS(run_state.err, "--unit");
    check_pairs_are("box.obj wall_3.obj --pose 1 '1e6 0 0'", "");
    CHECK_CONTAINS(run_state.err, "note: ");
    CHECK_CONTAINS(run_state.err, "away");
    check_pairs_are("box.obj wall_3.obj --pose 1 '3 0 0'", "");
    CHECK_TEXT(run_state.err, "");
}

TEST(info_remarks_on_doubled_faces_and_sizes)
{
    char text[2048];
    if (!prepare_files())
        return;
    CHECK_INT(run("info box.obj"), 0);
    CHECK(strstr(run_state.out, "note: ") == NULL);
    snprintf(text, sizeof text, "%sf 1 4 3 2\n", box_obj);
    write_file("doubled.obj", text);
    CHECK_INT(run("info box.obj doubled.obj"), 0);
    CHECK_CONTAINS(run_state.out, "note: doubled.obj: 2 faces");
    write_file("millimetres.obj", "v 0 0 0\nv 2400 0 0\nv 0 2400 0\nf 1 2 3\n");
    CHECK_INT(run("info millimetres.obj"), 0);
    CHECK_CONTAINS(run_state.out, "note: millimetres.obj: ");
    CHECK_CONTAINS(run_state.out, "2.4 m");
}

// ---- scenes and solids

static void write_scene(void)
{
    GltfFile *file = gltf_new();
    int box = gltf_box(file, 0, 0, 0, 1, 1, 1);
    gltf_node(file, true, "\"name\":\"left\",\"mesh\":%d", box);
    gltf_node(file, true, "\"name\":\"right\",\"mesh\":%d,\"translation\":[1,0,0]", box);
    gltf_node(file, true, "\"name\":\"far\",\"mesh\":%d,\"translation\":[9,0,0]", box);
    gltf_save(file, "scene.gltf");
}

TEST(nodes_and_solids_are_bodies)
{
    if (!prepare_files())
        return;
    write_scene();
    check_pairs_are("scene.gltf", "0,1,touch,left,right\n");
    check_pairs_are("scene.gltf --pose right '0 0 5'", "");
    check_pairs_are("scene.gltf --join wall_3.obj", "0,1,touch,scene,wall_3\n");
    check_tells("check scene.gltf --join", "scene", "two");
    // glTF is in metres, whatever the others are in.
    check_pairs_are("scene.gltf large.obj --unit mm --pose large '10000 0 0'",
                    "0,1,touch,left,right\n2,3,touch,far,large\n");
    write_file("solids.stl", "solid one\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                             "vertex 0 1 0\nendloop\nendfacet\nendsolid one\nsolid two\nfacet normal 0 0 0\n"
                             "outer loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\n"
                             "endsolid two\n");
    check_pairs_are("solids.stl --solids", "0,1,touch,one,two\n");
    check_tells("check solids.stl", "solids", "two");
}

// ---- gates

TEST(gates_for_tests_of_projects)
{
    static const struct {
        const char *arguments;
        int status;
    } cases[] = {
        {"--pose 1 '0 0 1' --fail-on touch", 1},
        {"--pose 1 '0 0 1' --fail-on overlap", 0},
        {"--pose 1 '0 0 0.5' --fail-on overlap", 1},
        {"--pose 1 '0 0 0.5' --fail-on touch", 1},
        {"--pose 1 '0 0 0.99' --touch-depth 0.02 --fail-on overlap", 0},
        {"--pose 1 '0 0 0.99' --touch-depth 0.005 --fail-on overlap", 1},
        {"--pose 1 '0 0 1.5' --clearance 1 --fail-on clearance", 1},
        {"--pose 1 '0 0 1.5' --clearance 1 --fail-on touch", 0},
        {"--pose 1 '0 0 1' --clearance 1 --fail-on clearance", 1},
        {"--pose 1 '0 0 3' --clearance 1 --fail-on clearance", 0},
    };
    char command[256];
    if (!prepare_files())
        return;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        snprintf(command, sizeof command, "check box.obj wall_3.obj %s", cases[i].arguments);
        if (!CHECK_INT(run(command), cases[i].status))
            printf("  %s: %s\n", command, run_state.err);
    }
    check_tells("check box.obj wall_3.obj --fail-on collision", "--fail-on", "collision");
    check_tells("check box.obj wall_3.obj --fail-on clearance", "--fail-on clearance", "--clearance");
    write_file("fall.csv", "time,body,x,y,z\n0,wall_3,0,0,2\n1,wall_3,0,0,1\n");
    CHECK_INT(run("run box.obj wall_3.obj --poses fall.csv --fail-on touch"), 1);
    CHECK_INT(run("run box.obj wall_3.obj --poses fall.csv --fail-on overlap"), 0);
    CHECK_INT(run("run box.obj wall_3.obj --poses fall.csv"), 0);
    write_file("fall.csv", "time,body,x,y,z\n0,wall_3,0,0,2\n1,wall_3,0,0,0.5\n");
    CHECK_INT(run("run box.obj wall_3.obj --poses fall.csv --fail-on overlap"), 1);
    write_file("far.obj", box_obj); // a pair must be left to compare
    CHECK_INT(run("run box.obj wall_3.obj far.obj --poses fall.csv --pose far '0 0 90' --fail-on overlap "
                  "--ignore box,wall_3"),
              0);
}

// ---- names that are more than text elsewhere

#define ESCAPES "\x1B[31mred\ny"

static void check_no_control(const char *text)
{
    for (; *text; ++text)
        if (!CHECK((unsigned char)*text >= 0x20 || *text == '\n'))
            return;
}

TEST(hostile_names_in_rules_tables_and_pages)
{
    static char page[MAX_OUTPUT];
    if (!prepare_files() || !CHECK(mkdir("bad", 0777) == 0))
        return;
    write_file("bad/=1,\"2\".obj", box_obj);
    write_file("bad/" ESCAPES ".obj", box_obj);
    write_file("bad/<script>b.obj", box_obj);
    check_pairs_are("bad", "0,1,touch,\"" ESCAPES "\",<script>b\n"
                           "0,2,touch,\"" ESCAPES "\",\"=1,\"\"2\"\"\"\n"
                           "1,2,touch,<script>b,\"=1,\"\"2\"\"\"\n");
    CHECK_INT(run("check bad"), 1);
    check_no_control(run_state.out);
    CHECK_CONTAINS(run_state.out, "\\x1b[31mred\\x0ay");
    CHECK_INT(run("check bad --json"), 1);
    check_no_control(run_state.out);
    CHECK_CONTAINS(run_state.out, "\"=1,\\\"2\\\"\"");
    // In messages, as names that are not there.
    check_tells("check bad --pose '\x1B[5m' '0 0 1'", "--pose", "\\x1b[5m");
    check_no_control(run_state.err);
    write_file("bad.rules", "ignore \x1B]0;title\x07 <script>b\nignored\x1B[5m\n");
    check_tells("check bad --rules bad.rules", "bad.rules:2", "\\x1b[5m");
    check_no_control(run_state.err);
    write_file("bad.csv", "configuration,body,x,y,z\n0,\x1B[5m,0,0,0\n");
    check_tells("check bad --poses bad.csv", "bad.csv:2", "\\x1b[5m");
    check_no_control(run_state.err);
    // As names of configurations too.
    write_file("bad.csv", "configuration,body,x,y,z\n\"\x1B[31m,\n\"\"</script>\",<script>b,0,0,0\n");
    CHECK_INT(run("check bad --poses bad.csv"), 1);
    check_no_control(run_state.out);
    CHECK_INT(run("check bad --poses bad.csv --json"), 1);
    check_no_control(run_state.out);
    CHECK_INT(run("check bad --poses bad.csv --csv"), 1);
    CHECK_CONTAINS(run_state.out, "\n\"\x1B[31m,\n\"\"</script>\",0,1,touch,");
    write_file("bad.csv", "time,body,x,y,z\n0,<script>b,0,0,0\n1,<script>b,0,0,1\n");
    CHECK_INT(run("run bad --poses bad.csv"), 0);
    check_no_control(run_state.out);
    if (run("run bad --poses bad.csv --html bad.html") != 0) { // a build without npm has no pages
        CHECK_CONTAINS(run_state.err, "no 3-D viewer");
        return;
    }
    check_no_control(run_state.out);
    CHECK(read_file("bad.html", page));
    CHECK(strstr(page, "<script>b") == NULL);
    CHECK(strchr(page, '\x1B') == NULL);
}

// ---- not yet so

TEST(a_number_that_is_the_name_of_another_body)
{
    if (!prepare_files() || !CHECK(mkdir("links", 0777) == 0))
        return;
    write_file("links/0.obj", box_obj);
    write_file("links/1.obj", box_obj);
    check_tells("check links/1.obj links/0.obj box.obj --pose 1 '0 0 5'", "--pose", "'1'");
}

TEST(what_was_left_out_is_told_when_one_is_left)
{
    if (!prepare_files())
        return;
    write_file("bad.obj", "v 0 0 zero\n");
    CHECK_INT(run("check bad.obj box.obj --keep-going"), 2);
    CHECK_CONTAINS(run_state.err, "bad.obj:1");
}

TEST(configurations_with_rules_that_they_do_not_look_at)
{
    if (!prepare_files())
        return;
    write_file("deep.csv", "configuration,body,x,y,z\n0,wall_3,0,0,0.5\n");
    write_file("deep.rules", "touch-depth 0.1\n");
    CHECK_INT(run("check box.obj wall_3.obj --poses deep.csv --rules deep.rules --csv"), 1);
    CHECK(strstr(run_state.out, ",overlap,") != NULL || strstr(run_state.err, "note: ") != NULL);
}

// ---- gates and rules, as a review tried them

TEST(a_solid_in_a_solid_is_an_overlap_also_alone)
{
    if (!prepare())
        return;
    write_file("inner.obj", "v 0.4 0.4 0.4\nv 0.6 0.4 0.4\nv 0.4 0.6 0.4\nv 0.4 0.4 0.6\n"
                            "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
    CHECK_INT(run("check box.obj inner.obj --convex --fail-on overlap --pairs"), 1);
    CHECK_CONTAINS(run_state.out, "0,1,overlap,box,inner");
}

TEST(gates_need_something_to_compare)
{
    if (!prepare())
        return;
    check_fails("check box.obj box.obj --group 'box*' --fail-on overlap", "no pair of bodies to compare");
    check_fails("run jelly --frames 1 --group '*' --fail-on touch", "no pair of bodies to compare");
    CHECK_INT(run("check box.obj box.obj --group 'box*'"), 0);
    CHECK_CONTAINS(run_state.err, "no pair of bodies is left to compare");
}

TEST(clearances_of_rules_count_whatever_is_listed)
{
    if (!prepare())
        return;
    write_file("wide.rules", "clearance 3\n");
    CHECK_INT(run("check box.obj box.obj --pose 1 '0 0 3' --rules wide.rules --pairs"), 1);
    CHECK_TEXT(run_state.out, "body_a,body_b,relation,name_a,name_b\n");
    CHECK_INT(run("check box.obj box.obj --pose 1 '0 0 3' --rules wide.rules --pairs --fail-on clearance"),
              1);
    CHECK_INT(run("check box.obj box.obj --pose 1 '0 0 3' --rules wide.rules --pairs --fail-on touch"), 0);
    // An option takes the place of what rules say of all, not of what they say of these.
    CHECK_INT(run("check box.obj box.obj --pose 1 '0 0 3' --rules wide.rules --clearance 1"), 0);
    write_file("own.rules", "clearance 3 0 1\n");
    CHECK_INT(run("check box.obj box.obj --pose 1 '0 0 3' --rules own.rules --clearance 1"), 1);
    CHECK_CONTAINS(run_state.out, "nearer than they shall be: 1 of 1");
}

TEST(names_with_a_hash)
{
    if (!prepare())
        return;
    write_file("bolt #1.obj", box_obj);
    write_file("bolt #2.obj", box_obj);
    CHECK_INT(run("check 'bolt #1.obj' 'bolt #2.obj' --ignore 'bolt #1,bolt #2' --pairs"), 0);
    CHECK_TEXT(run_state.out, "body_a,body_b,relation,name_a,name_b\n");
}

TEST(open_surfaces_are_told_of_configurations_too)
{
    if (!prepare())
        return;
    write_file("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write_file("one.csv", "configuration,body,x,y,z\nhome,box,0,0,5\n");
    CHECK_INT(run("check box.obj open.obj --poses one.csv --csv"), 0);
    CHECK_CONTAINS(run_state.err, "open.obj: bodies whose surface is open: 1");
    CHECK_INT(run("run box.obj open.obj --poses one.csv --json"), 0);
    CHECK_CONTAINS(run_state.out, "\"configuration\": \"home\"");
    CHECK_CONTAINS(run_state.out, "\"frame_rate\": null");
}
