// Names of bodies in everything that is printed, whatever they hold, run as a program.
#define _XOPEN_SOURCE 700 // for program.h

#include "program.h"

#include "gltf_files.h"

#include <fcntl.h>
#include <sys/ioctl.h>

// Names that would do something if they were more than text.
static const char *const hostile[] = {
    "</script><script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "\x1B[31mred\x1B[0m",
    "two\nlines\r",
    "=cmd|' /C calc'!A0",
    "a,b \"c\"",
    "\xE2\x80\xAEnwod edispu",
    "\xC2\x9B[31m \xFF latin",
    "back\\slash & <b>",
};
#define HOSTILE_COUNT (sizeof hostile / sizeof *hostile)

// No control characters but ends of lines, and no characters that turn text around.
static void check_harmless(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; ++c)
        if (!CHECK((*c >= 0x20 || *c == '\n') && *c != 0x7F))
            return;
    CHECK(strstr(text, "\xC2\x9B") == NULL && strstr(text, "\xFF") == NULL);
    CHECK(strstr(text, "\xE2\x80\xAE") == NULL);
}

static size_t count_lines(const char *text)
{
    size_t count = 0;
    for (; (text = strchr(text, '\n')) != NULL; ++text)
        ++count;
    return count;
}

// A word of a command line, as a shell reads it.
static void add_word(char *command, const char *word)
{
    char *end = command + strlen(command);
    end += sprintf(end, " '");
    for (; *word; ++word)
        end += *word == '\'' ? sprintf(end, "'\\''") : sprintf(end, "%c", *word);
    sprintf(end, "'");
}

// Python's readers know nothing of ours: what they read back are the names.
static void check_names_read_back(const char *script)
{
    write_file("names.py", script);
    CHECK_INT(system("python3 names.py"), 0);
}

static bool has_python(void)
{
    static int status = -1;
    if (status == -1)
        status = system("python3 -c 'import csv, json, xml.dom.minidom' >.python 2>&1");
    return status == 0;
}

static void check_xml(const char *file)
{
    char command[128];
    snprintf(command, sizeof command, "python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse(\"%s\")'",
             file);
    CHECK(!has_python() || system(command) == 0);
}

// Boxes with hostile file names, in a row so that each touches the next. Slashes can't be in names.
static bool prepare_boxes(char *command)
{
    if (!prepare())
        return false;
    command[0] = 0;
    FILE *names = fopen("names.txt", "wb");
    for (size_t i = 0; i < HOSTILE_COUNT; ++i) {
        char name[128];
        snprintf(name, sizeof name, "%s.obj", hostile[i]);
        for (char *c = name; *c; ++c)
            *c = *c == '/' ? '|' : *c;
        write_file(name, box_obj);
        add_word(command, name);
        sprintf(command + strlen(command), " --pose %zu '%zu 0 0 1 0 0 0'", i, i);
        name[strlen(name) - strlen(".obj")] = 0; // bodies are named so
        fwrite(name, 1, strlen(name) + 1, names);
    }
    CHECK(fclose(names) == 0);
    return true;
}

static int run_with(const char *options, const char *files)
{
    char command[4000];
    snprintf(command, sizeof command, "%s %s", options, files);
    return run(command);
}

static const char bytes_of_names[] =
    "names = open('names.txt', 'rb').read().split(b'\\0')[:-1]\n"
    "import csv, io, json\n"
    "def rows():\n"
    "    text = open('.out', 'rb').read().decode('utf-8', 'surrogateescape')\n"
    "    return list(csv.reader(io.StringIO(text, newline=''), strict=True))\n"
    "def check(found, shown=lambda name: name.decode('utf-8', 'surrogateescape')):\n"
    "    wanted = [shown(name) for name in names]\n"
    "    assert found == list(zip(wanted, wanted[1:])), (found, wanted)\n";

TEST(names_of_files_are_text_in_tables_and_messages)
{
    static const char *const questions[] = {"check", "check --first", "check --contacts", "check --distance",
                                            "check --clearance 0.5"};
    char files[2000];
    if (!prepare_boxes(files))
        return;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; ++i) {
        CHECK_INT(run_with(questions[i], files), 1);
        check_harmless(run_state.out);
        CHECK_CONTAINS(run_state.out, "\\x1b[31mred\\x1b[0m");
        CHECK_CONTAINS(run_state.out, "two\\x0alines\\x0d");
        CHECK_CONTAINS(run_state.out, "\\u202enwod edispu");
        CHECK_CONTAINS(run_state.out, "\\xc2\\x9b[31m \\xff latin");
        CHECK_CONTAINS(run_state.out, "back\\slash & <b>");
    }
    CHECK_INT(run_with("check", files), 1);
    CHECK_INT((int64_t)count_lines(run_state.out), (int64_t)(1 + HOSTILE_COUNT + 2 + HOSTILE_COUNT - 1 + 2));
    CHECK_INT(run("info '\x1B[31m.obj'"), 2);
    check_harmless(run_state.err);
    CHECK_CONTAINS(run_state.err, "impinge: \\x1b[31m.obj: ");
    CHECK_INT(run("check box.obj '\xE2\x80\xAE\n.stl'"), 2);
    check_harmless(run_state.err);
    CHECK_INT((int64_t)count_lines(run_state.err), 1);
}

TEST(an_open_body_is_named_in_remarks)
{
    if (!prepare())
        return;
    write_file("\x1B[5m.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                              "f 1 4 3 2\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    write_file("small\n.obj", "v 0.5 0.5 0.25\nv 0.5 0.25 0.5\nv 0.25 0.5 0.5\nv 0.5 0.5 0.75\n"
                              "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    CHECK_INT(run("check --pairs 'small\n.obj' '\x1B[5m.obj'"), 0);
    check_harmless(run_state.err);
    CHECK_INT((int64_t)count_lines(run_state.err), 1);
    CHECK_CONTAINS(run_state.err, "impinge: note: \\x1b[5m.obj: the surface of \\x1b[5m");
    CHECK_CONTAINS(run_state.err, " (body 1) is open, so it cannot be told whether small\\x0a");
    CHECK_CONTAINS(run_state.err, " (body 0) is inside\n");
    CHECK_INT(run("check 'small\n.obj' '\x1B[5m.obj'"), 0);
    check_harmless(run_state.out);
    CHECK_CONTAINS(run_state.out, " (body 0) lies in the box of \\x1b[5m");
}

TEST(csv_and_json_of_files_read_back_as_the_names)
{
    static const char *const lists[] = {"check --pairs", "check --contacts --csv",
                                        "check --clearance 0 --csv", "check --max-distance 0 --csv"};
    static const char *const objects[] = {"check --json", "check --contacts --json",
                                          "check --clearance 0 --json"};
    static char script[4000];
    char files[2000];
    if (!prepare_boxes(files))
        return;
    if (!has_python()) {
        test_skip("there is no python3 to read CSV with");
        return;
    }
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
        CHECK_INT(run_with(lists[i], files), 1);
        snprintf(script, sizeof script, "%scheck([tuple(row[-2:]) for row in rows()[1:]])\n", bytes_of_names);
        check_names_read_back(script);
    }
    for (size_t i = 0; i < sizeof objects / sizeof *objects; ++i) {
        CHECK_INT(run_with(objects[i], files), 1);
        check_harmless(run_state.out);
        snprintf(script, sizeof script,
                 "%sfound = json.load(open('.out', encoding='utf-8'))\n"
                 "shown = lambda name: name.decode('utf-8', 'replace')\n"
                 "pairs = found.get('pairs', found.get('distances'))\n"
                 "check([(p['name_a'], p['name_b']) for p in pairs], shown)\n"
                 "assert [f['file'] for f in found['files']] == [shown(name) + '.obj' for name in names]\n"
                 "assert [f['name'] for f in found['files']] == [shown(name) for name in names]\n",
                 bytes_of_names);
        check_names_read_back(script);
    }
}

TEST(pictures_of_hostile_files_are_xml)
{
    static char picture[MAX_OUTPUT];
    if (!prepare())
        return;
    for (size_t i = 0; i < HOSTILE_COUNT; ++i) {
        char name[128], command[512] = "convert";
        snprintf(name, sizeof name, "%s.obj", hostile[i]);
        for (char *c = name; *c; ++c)
            *c = *c == '/' ? '|' : *c;
        write_file(name, box_obj);
        add_word(command, name);
        strcat(command, " p.svg");
        CHECK_INT(run(command), 0);
        CHECK(read_file("p.svg", picture));
        check_harmless(picture);
        CHECK(strstr(picture, "<script") == NULL && strstr(picture, "<img") == NULL);
        check_xml("p.svg");
    }
}

// ---- scenes

// A name as a string of JSON; other bytes than ASCII as they are.
static void quote(const char *name, char *quoted)
{
    for (; *name; ++name) {
        if (*name == '"' || *name == '\\')
            quoted += sprintf(quoted, "\\%c", *name);
        else if ((unsigned char)*name < 0x20)
            quoted += sprintf(quoted, "\\u%04x", *name);
        else
            *quoted++ = *name;
    }
    *quoted = 0;
}

// Boxes in a row again, as nodes of a scene whose own name is as bad.
static bool prepare_scene(const char *path)
{
    if (!prepare())
        return false;
    GltfFile *file = gltf_new();
    FILE *names = fopen("names.txt", "wb");
    for (size_t i = 0; i < HOSTILE_COUNT; ++i) {
        char quoted[256];
        float x = (float)i;
        quote(hostile[i], quoted);
        gltf_node(file, true, "\"name\":\"%s\",\"mesh\":%d", quoted, gltf_box(file, x, 0, 0, x + 1, 1, 1));
        fwrite(hostile[i], 1, strlen(hostile[i]) + 1, names);
    }
    CHECK(fclose(names) == 0);
    gltf_save(file, path);
    return true;
}

#define SCENE "<script>\x1B[31m&.gltf"

TEST(names_of_nodes_are_text_in_tables)
{
    if (!prepare_scene(SCENE))
        return;
    CHECK_INT(run("run '" SCENE "' --clearance 0.5"), 0);
    check_harmless(run_state.out);
    CHECK_CONTAINS(run_state.out, "   3  two\\x0alines\\x0d  ");
    CHECK_CONTAINS(run_state.out, "\\x1b[31mred\\x1b[0m");
    CHECK_CONTAINS(run_state.out, "</script><script>alert(1)</script>");
    CHECK_INT(run("run '" SCENE "' --rate 0"), 2);
    check_harmless(run_state.err);
}

TEST(csv_and_json_of_scenes_read_back_as_the_names)
{
    static char script[4000];
    if (!prepare_scene(SCENE))
        return;
    if (!has_python()) {
        test_skip("there is no python3 to read CSV with");
        return;
    }
    snprintf(script, sizeof script, "%scheck([tuple(row[-2:]) for row in rows()[1:]])\n", bytes_of_names);
    CHECK_INT(run("run '" SCENE "' --pairs"), 0);
    check_names_read_back(script);
    CHECK_INT(run("run '" SCENE "' --clearance 0 --csv"), 0);
    check_names_read_back(script);
    CHECK_INT(run("run '" SCENE "' --clearance 0 --json"), 0);
    check_harmless(run_state.out);
    snprintf(script, sizeof script,
             "%sfound = json.load(open('.out', encoding='utf-8'))\n"
             "shown = lambda name: name.decode('utf-8', 'replace')\n"
             "frame = found['frames'][0]\n"
             "for pairs in found['contacts'], found['approaches'], frame['pairs'], frame['near_pairs']:\n"
             "    check([(p['name_a'], p['name_b']) for p in pairs], shown)\n"
             "assert [b['name'] for b in found['bodies']] == [shown(name) for name in names]\n",
             bytes_of_names);
    check_names_read_back(script);
}

TEST(plots_and_pictures_of_hostile_scenes_are_xml)
{
    static char text[MAX_OUTPUT];
    static const char *const files[] = {"plot.svg", "film/frame-0000.svg"};
    if (!prepare_scene(SCENE))
        return;
    CHECK_INT(run("run '" SCENE "' --plot plot.svg --pictures film --at 0"), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        CHECK(read_file(files[i], text));
        check_harmless(text);
        CHECK(strstr(text, "<script") == NULL);
        CHECK_CONTAINS(text, "&lt;script&gt;\\x1b[31m&amp;.gltf");
        check_xml(files[i]);
    }
}

// ---- terminals

// What the program writes to a terminal of so many columns; false where the system lends none.
static bool run_on_terminal(const char *environment, const char *arguments, unsigned short columns)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
        test_skip("this system lends no terminals");
        return false;
    }
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    struct winsize size = {.ws_row = 24, .ws_col = columns};
    CHECK(terminal >= 0 && ioctl(terminal, TIOCSWINSZ, &size) == 0);
    char line[4096];
    snprintf(line, sizeof line, "%s \"$IMPINGE_BIN\" %s >%s 2>.err", environment, arguments, ptsname(master));
    // Short output: the terminal holds it until it is read.
    CHECK(system(line) != -1);
    fcntl(master, F_SETFL, O_NONBLOCK);
    ssize_t used = 0, got;
    while ((got = read(master, run_state.out + used, (size_t)(MAX_OUTPUT - 1 - used))) > 0)
        used += got;
    run_state.out[used] = 0;
    close(terminal);
    close(master);
    return true;
}

static size_t widest_line(const char *text)
{
    size_t widest = 0;
    for (size_t length; *text; text += length + (text[length] != 0)) {
        length = strcspn(text, "\r\n");
        widest = length > widest ? length : widest;
    }
    return widest;
}

#define LONG_A "external_wall_of_the_north_stairs_level_12"
#define LONG_B "ventilation_duct_with_insulation_section_004"

TEST(terminals_get_colours_and_short_names)
{
    if (!prepare())
        return;
    write_file(LONG_A ".obj", box_obj);
    write_file(LONG_B ".obj", box_obj);
    if (!run_on_terminal("TERM=xterm NO_COLOR=", "check " LONG_A ".obj " LONG_B ".obj", 80))
        return;
    CHECK_CONTAINS(run_state.out, "\033[33mtouch\033[0m  ");
    CHECK_CONTAINS(run_state.out, "\033[2mbody  name ");
    run_on_terminal("TERM=xterm NO_COLOR=1", "check " LONG_A ".obj " LONG_B ".obj", 80);
    CHECK(strchr(run_state.out, '\033') == NULL);
    CHECK_CONTAINS(run_state.out, "...");
    CHECK(widest_line(run_state.out) <= 80);
    run_on_terminal("TERM=dumb", "check " LONG_A ".obj " LONG_B ".obj", 200);
    CHECK(strchr(run_state.out, '\033') == NULL);
    CHECK_CONTAINS(run_state.out, "   1  " LONG_B "  ");
    run_on_terminal("TERM=xterm", "check --distance box.obj " LONG_B ".obj --pose 1 '0.5 0.5 0.5 1 0 0 0'",
                    80);
    CHECK_CONTAINS(run_state.out, "\033[31m");
    // In a pipe names are whole, and nothing is coloured.
    CHECK_INT(run("check " LONG_A ".obj " LONG_B ".obj"), 1);
    CHECK_CONTAINS(run_state.out, "   0  " LONG_A "  touch        1  " LONG_B "  ");
    CHECK(strchr(run_state.out, '\033') == NULL);
}

TEST(bars_take_the_width_that_is_left)
{
    static const unsigned short widths[] = {60, 80, 132, 250};
    if (!prepare())
        return;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; ++i) {
        if (!run_on_terminal("TERM=dumb", "run jelly --frames 100", widths[i]))
            return;
        if (widths[i] >= 100)
            CHECK_INT((int64_t)widest_line(run_state.out), widths[i]);
        CHECK_CONTAINS(run_state.out, "...####");
    }
}

TEST(csv_on_a_terminal_does_nothing_to_it)
{
    char files[2000], command[2100];
    if (!prepare_boxes(files))
        return;
    snprintf(command, sizeof command, "check --pairs %s", files);
    if (!run_on_terminal("TERM=xterm", command, 80))
        return;
    CHECK_CONTAINS(run_state.out, "0,1,touch,");
    CHECK_CONTAINS(run_state.out, "\\x1b[31mred");
    CHECK(strchr(run_state.out, '\033') == NULL);
    CHECK(strstr(run_state.out, "\xC2\x9B") == NULL);
}

// ---- many bodies

TEST(of_many_bodies_those_that_meet_are_listed)
{
    char command[4000] = "check";
    if (!prepare())
        return;
    for (int i = 0; i < 21; ++i)
        sprintf(command + strlen(command), " box.obj --pose %d '%d 0 0 1 0 0 0'", i, i < 2 ? i : 2 * i);
    CHECK_INT(run(command), 1);
    CHECK_CONTAINS(run_state.out, "\n   1  box");
    CHECK(strstr(run_state.out, "\n   2  box") == NULL);
    CHECK_CONTAINS(run_state.out, "Other bodies, which are not in the lines below: 19.\n");
    strcat(command, " --pairs");
    CHECK_INT(run_unnamed(command), 1);
    CHECK_TEXT(run_state.out, "body_a,body_b,relation\n0,1,touch\n");
    strcpy(command, "check");
    for (int i = 0; i < 21; ++i)
        sprintf(command + strlen(command), " box.obj --pose %d '%d 0 0 1 0 0 0'", i, 2 * i);
    CHECK_INT(run(command), 0);
    CHECK_TEXT(run_state.out, "Bodies: 21.\n\nNothing touches, and nothing is inside of anything.\n");
}
