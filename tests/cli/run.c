// impinge run: its parts, and the program.
#define _XOPEN_SOURCE 700 // for program.h

#include "program.h"

#include "gltf_files.h"
#include "run_columns.h"
#include "run_scene.h"
#include "sanitizers.h"
#include "scenes/motions.h"

#include <inttypes.h>

#define MAX_COMPARED 512 // bodies in a scene that is compared with check
#if defined(TEST_UNDER_SANITIZER)
#define COMPARED_FRAMES 3  // of each scene
#define COMPARED_LIMIT  80 // play so many
#else
#define COMPARED_FRAMES 5
#define COMPARED_LIMIT  1000
#endif
#define MAX_GOLDEN_NAME   64
#define GOLDEN_FILE       GOLDEN_DIR "/runs.txt"
#define FNV_OFFSET        UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME         UINT64_C(0x100000001b3)
#define NO_PAGES_IN_BUILD "no 3-D viewer"

// ---- what is written down in tests/golden/runs.txt

typedef struct Golden {
    char scene[MAX_GOLDEN_NAME], frames[16]; // "all" or a number
    uint64_t hash;
} Golden;

static bool next_golden(FILE *file, Golden *golden)
{
    char line[256];
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        return CHECK(sscanf(line, "%63s %15s %" SCNx64, golden->scene, golden->frames, &golden->hash) == 3);
    }
    return false;
}

static bool takes_long(const Golden *golden)
{
#if defined(TEST_UNDER_SANITIZER)
    return strcmp(golden->frames, "all") == 0;
#else
    (void)golden;
    return false;
#endif
}

static uint64_t hash_file(const char *path)
{
    static unsigned char bytes[1 << 16];
    uint64_t hash = FNV_OFFSET;
    FILE *file = fopen(path, "rb");
    if (!CHECK(file != NULL))
        return 0;
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, file)) > 0;)
        for (size_t i = 0; i < count; ++i)
            hash = (hash ^ bytes[i]) * FNV_PRIME;
    fclose(file);
    return hash;
}

// The hash of what a run prints.
static uint64_t hash_run(const Golden *golden, const char *more)
{
    char command[512], limit[32] = "";
    if (strcmp(golden->frames, "all") != 0)
        snprintf(limit, sizeof limit, "--frames %s", golden->frames);
    snprintf(command, sizeof command, "run %s %s %s", golden->scene, limit, more);
    CHECK_INT(run(command), 0);
    CHECK_TEXT(run_state.err, "");
    return hash_file(".out");
}

TEST(whole_runs_print_what_they_always_did)
{
    if (!prepare())
        return;
    Golden golden;
    FILE *file = fopen(GOLDEN_FILE, "r");
    if (!CHECK(file != NULL))
        return;
    while (next_golden(file, &golden)) {
        if (takes_long(&golden))
            continue;
        for (int threads = 1; threads <= 2; ++threads) {
            uint64_t hash = hash_run(&golden, threads == 1 ? "--csv --threads 1" : "--csv --threads 2");
            if (!CHECK(hash == golden.hash))
                printf("  with %d threads. Where a change of this scene is meant, its line in "
                       "tests/golden/runs.txt is now:\n%s %s %016" PRIx64 "\n",
                       threads, golden.scene, golden.frames, hash);
        }
    }
    fclose(file);
}

TEST(every_built_in_scene_is_written_down)
{
    for (size_t i = 0; i < scene_motion_title_count(); ++i) {
        const char *name = scene_motion_title(i).name;
        Golden golden;
        bool few = false, all = false;
        FILE *file = fopen(GOLDEN_FILE, "r");
        if (!CHECK(file != NULL))
            return;
        while (next_golden(file, &golden)) {
            bool is_it = strcmp(golden.scene, name) == 0, is_all = strcmp(golden.frames, "all") == 0;
            all = all || (is_it && is_all);
            few = few || (is_it && !is_all);
        }
        fclose(file);
        if (!CHECK(few && all))
            printf("  tests/golden/runs.txt lacks '%s N 0' or '%s all 0'; add them, then see what\n"
                   "  whole_runs_print_what_they_always_did says\n",
                   name, name);
    }
}

TEST(threads_change_no_byte)
{
    if (!prepare())
        return;
    static const char *const formats[] = {"", "--csv", "--pairs", "--json"};
    Golden golden;
    FILE *file = fopen(GOLDEN_FILE, "r");
    if (!CHECK(file != NULL))
        return;
    while (next_golden(file, &golden)) {
        if (strcmp(golden.frames, "all") == 0)
            continue;
        for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
            char one[64], two[64];
            snprintf(one, sizeof one, "%s --threads 1", formats[i]);
            snprintf(two, sizeof two, "%s --threads 2", formats[i]);
            CHECK(hash_run(&golden, one) == hash_run(&golden, two));
        }
    }
    fclose(file);
}

// ---- run and check agree

static void put_pose(FILE *script, size_t body, const imp_Pose *pose)
{
    const imp_Vec3 *t = &pose->translation;
    imp_Quat r = pose->rotation;
    if (r.w == 0 && r.x == 0 && r.y == 0 && r.z == 0)
        r.w = 1;
    fprintf(script, " --pose %zu '%.17g %.17g %.17g %.17g %.17g %.17g %.17g'", body, t->x, t->y, t->z, r.w,
            r.x, r.y, r.z);
}

// A body in its shape of a frame, as a file.
static void save_body(imp_Context *context, const impi_MotionBody *body, const imp_Vec3 *deformed,
                      const char *path)
{
    imp_Mesh *shape = NULL;
    imp_MeshDef def = {.vertices = deformed ? &deformed->x : &imp_mesh_get_vertices(body->mesh)->x,
                       .vertex_count = imp_mesh_get_vertex_count(body->mesh),
                       .indices = imp_mesh_get_indices(body->mesh),
                       .triangle_count = imp_mesh_get_triangle_count(body->mesh)};
    CHECK_INT(imp_mesh_create(context, &def, &shape), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_save(context, shape, path), IMP_STATUS_OK);
    imp_mesh_release(shape);
}

// Let `impinge check` look at the bodies of a frame; leaves its lines in run_state.out.
static void check_frame(imp_Context *context, const RunScene *scene, uint32_t frame)
{
    imp_Pose poses[MAX_COMPARED];
    FILE *script = fopen("check.sh", "w");
    if (!CHECK(script != NULL))
        return;
    fputs("\"$IMPINGE_BIN\" check --csv", script);
    for (size_t i = 0; i < scene->motion.body_count; ++i) {
        impi_MotionBody body = impi_motion_body(&scene->motion, i);
        imp_Vec3 *vertices = calloc(imp_mesh_get_vertex_count(body.mesh), sizeof *vertices);
        char path[32];
        snprintf(path, sizeof path, "body-%zu.ply", i);
        CHECK_INT(run_scene_place(scene, frame, i, &poses[i], vertices), COMMAND_DONE);
        save_body(context, &body, body.deforms ? vertices : NULL, path);
        fprintf(script, " %s", path);
        free(vertices);
    }
    for (size_t i = 0; i < scene->motion.body_count; ++i)
        put_pose(script, i, &poses[i]);
    fputs(" >.out 2>.err\n", script);
    fclose(script);
    int status = system("sh check.sh");
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) < 2);
    read_file(".out", run_state.out);
}

// The lines of a frame in the CSV of a run, without their frame.
static void lines_of_frame(const char *path, uint32_t frame, char *lines)
{
    FILE *file = fopen(path, "r");
    char line[128], start[16];
    size_t length = (size_t)snprintf(lines, MAX_OUTPUT, "body_a,face_a,body_b,face_b\n");
    snprintf(start, sizeof start, "%u,", frame);
    while (CHECK(file != NULL) && fgets(line, sizeof line, file))
        if (strncmp(line, start, strlen(start)) == 0 && length + sizeof line < MAX_OUTPUT)
            length += (size_t)snprintf(lines + length, MAX_OUTPUT - length, "%s", line + strlen(start));
    if (file)
        fclose(file);
}

// Compare some frames of a scene; returns in how many of them faces touch.
static size_t compare_with_check(const char *name)
{
    static char expected[MAX_OUTPUT];
    char command[512];
    size_t touching = 0;
    imp_Context *context = NULL;
    RunScene scene;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    RunSceneDef def = {.name = name, .frame_limit = COMPARED_LIMIT};
    if (CHECK_INT(run_scene_open(context, &def, &scene), COMMAND_DONE) && scene.motion.body_count >= 2 &&
        scene.motion.body_count <= MAX_COMPARED) {
        snprintf(command, sizeof command, "run %s --csv --frames %d", name, COMPARED_LIMIT);
        CHECK_INT(run(command), 0);
        CHECK_INT(system("cp .out run.csv"), 0);
        for (uint32_t i = 0; i < COMPARED_FRAMES; ++i) {
            uint32_t frame = (uint32_t)((uint64_t)i * (scene.motion.frame_count - 1) / (COMPARED_FRAMES - 1));
            lines_of_frame("run.csv", frame, expected);
            check_frame(context, &scene, frame);
            CHECK_TEXT(run_state.out, expected);
            touching += strchr(expected, '\n')[1] != 0;
        }
    }
    run_scene_free(&scene);
    imp_context_destroy(context);
    return touching;
}

TEST(frames_are_what_check_finds)
{
    if (!prepare())
        return;
    size_t touching = 0;
    for (size_t i = 0; i < scene_motion_title_count(); ++i)
        touching += compare_with_check(scene_motion_title(i).name);
    printf("faces touch in %zu of the frames that were compared\n", touching);
    CHECK(touching > scene_motion_title_count() / 2);
}

// ---- columns

TEST(columns_share_out_all_frames)
{
    for (size_t frames = 1; frames < 40; ++frames) {
        for (size_t columns = 1; columns < 40; ++columns) {
            CHECK_INT((int64_t)run_frames_of_column(0, columns, frames).first, 0);
            CHECK_INT((int64_t)run_frames_of_column(columns - 1, columns, frames).last, (int64_t)frames - 1);
            for (size_t i = 0; i + 1 < columns; ++i) {
                RunFrameSpan one = run_frames_of_column(i, columns, frames);
                RunFrameSpan next = run_frames_of_column(i + 1, columns, frames);
                CHECK(one.first <= one.last && next.first <= one.last + 1 && next.first >= one.first);
            }
        }
    }
}

// ---- the program

TEST(a_timeline_tells_who_meets_whom)
{
    if (!prepare())
        return;
    CHECK_INT(run("run shuttles"), 0);
    CHECK_TEXT(run_state.err, "");
    CHECK_CONTAINS(run_state.out, "body  name");
    CHECK_CONTAINS(run_state.out, "  touch  ");
    CHECK_CONTAINS(run_state.out, "Pairs of bodies that meet: ");
    CHECK(strstr(run_state.out, " ms") == NULL);
    CHECK_INT(run("run shuttles --times"), 0);
    CHECK_CONTAINS(run_state.out, "Time per frame: median ");
    CHECK_INT(run("run shuttles --json --times --frames 2"), 0);
    CHECK_CONTAINS(run_state.out, "\"milliseconds\": ");
    CHECK_INT(run("run shuttles --json --frames 2"), 0);
    CHECK(strstr(run_state.out, "milliseconds") == NULL);
}

TEST(bodies_that_never_meet)
{
    if (!prepare())
        return;
    CHECK_INT(run("run apart"), 0);
    CHECK_CONTAINS(run_state.out, "bodies meet in 0 of them.\n");
    CHECK_CONTAINS(run_state.out, "Nothing touches, and nothing is inside of anything.\n");
    CHECK_INT(run("run apart --csv"), 0);
    CHECK_TEXT(run_state.out, "frame,body_a,face_a,body_b,face_b\n");
    CHECK_INT(run_unnamed("run apart --pairs"), 0);
    CHECK_TEXT(run_state.out, "frame,body_a,body_b,relation,face_pairs\n");
    CHECK_INT(run("run apart --pictures none"), 0);
    CHECK_CONTAINS(run_state.out, "none: frames drawn: 0 ");
    CHECK_INT(rmdir("none"), 0);
}

TEST(no_frames_and_one_frame)
{
    if (!prepare())
        return;
    CHECK_INT(run("run shuttles --frames 0 --plot empty.svg"), 0);
    CHECK_CONTAINS(run_state.out, "No frames were played");
    CHECK_INT(run("run shuttles --frames 0 --csv"), 0);
    CHECK_TEXT(run_state.out, "frame,body_a,face_a,body_b,face_b\n");
    CHECK_INT(run("run shuttles --frames 0 --json"), 0);
    CHECK_CONTAINS(run_state.out, "\"frame_count\": 0,");
    CHECK_CONTAINS(run_state.out, "\"frames\": []\n");
    CHECK_INT(run("run shuttles --frames 1 --plot one.svg"), 0);
    CHECK_CONTAINS(run_state.out, "Frames: 1;");
    CHECK_INT(run("run shuttles --frames 1 --json"), 0);
    CHECK_CONTAINS(run_state.out, "\"frame_count\": 1,");
    CHECK_TEXT(run_state.err, "");
}

TEST(the_list_names_all_scenes)
{
    if (!prepare())
        return;
    CHECK_INT(run("run --list"), 0);
    for (size_t i = 0; i < scene_motion_title_count(); ++i) {
        CHECK_CONTAINS(run_state.out, scene_motion_title(i).name);
        CHECK_CONTAINS(run_state.out, scene_motion_title(i).summary);
    }
    check_fails("run --list shuttles", "--list");
    check_fails("run --list --csv", "--list");
}

TEST(bad_command_lines_are_one_line_and_status_2)
{
    if (!prepare())
        return;
    check_fails("run", "--list");
    check_fails("run shuttels", "did you mean 'shuttles'?");
    check_fails("run zzzzzzzzzzzz", "--list");
    check_fails("run ''", "--list");
    check_fails("run shuttles apart", "files stand still without --poses");
    check_fails("run shuttles --frames -1", "--frames");
    check_fails("run shuttles --frames many", "--frames");
    check_fails("run shuttles --rate 60", "--rate is for files");
    check_fails("run missing.glb --rate 0", "--rate");
    check_fails("run missing.glb --rate -3", "--rate");
    check_fails("run missing.glb --rate nan", "--rate");
    check_fails("run missing.glb --rate 1e300", "--rate");
    check_fails("run shuttles --csv --json", "exclude each other");
    check_fails("run shuttles --csv --times", "--times");
    check_fails("run shuttles --pairs --times", "--times");
    check_fails("run shuttles --threads 0", "--threads");
    check_fails("run shuttles --at 3", "--pictures");
    check_fails("run shuttles --frames 2 --pictures p --at 2", "from 0 to 1");
    check_fails("run shuttles --frames 2 --pictures p --at 0,x", "--at");
    check_fails("run shuttles --frames 2 --pictures p --at ,", "--at");
    check_fails("run shuttles --frames 0 --pictures p --at 0", "--at: no frames");
    check_fails("run shuttles --plot p.png", ".svg");
    check_fails("run shuttles --html p.svg", ".html");
    CHECK(access("p", F_OK) != 0 && access("p.png", F_OK) != 0 && access("p.svg", F_OK) != 0);
}

TEST(what_cannot_be_written_is_an_error)
{
    if (!prepare())
        return;
    check_fails("run apart --plot nowhere/p.svg", "nowhere/p.svg");
    check_fails("run apart --pictures nowhere/p --at 0", "nowhere/p");
    check_fails("run apart --pictures box.obj --at 0", "box.obj/");
    check_fails("run apart --html nowhere/p.html", "impinge: ");
}

static void check_svg(const char *path)
{
    static char picture[MAX_OUTPUT];
    char command[256];
    if (!CHECK(read_file(path, picture)))
        return;
    CHECK(strncmp(picture, "<svg ", 5) == 0);
    snprintf(command, sizeof command, "tail -c 7 %s | cmp - end.txt", path);
    write_file("end.txt", "</svg>\n");
    CHECK_INT(system(command), 0);
    if (system("python3 -c 'import xml.dom.minidom' >.checked 2>&1") != 0)
        return;
    snprintf(command, sizeof command, "python3 -c 'import xml.dom.minidom as m; m.parse(\"%s\")'", path);
    CHECK_INT(system(command), 0);
}

TEST(plots_and_pictures_are_well_formed)
{
    if (!prepare())
        return;
    CHECK_INT(run("run shuttles --frames 3 --plot plot.svg --pictures film --at 2,0"), 0);
    CHECK_CONTAINS(run_state.out, "plot.svg: ");
    CHECK_CONTAINS(run_state.out, "film: frames drawn: 2\n");
    check_svg("plot.svg");
    check_svg("film/frame-0000.svg");
    check_svg("film/frame-0002.svg");
    CHECK(access("film/frame-0001.svg", F_OK) != 0);
    CHECK_INT(run("run shuttles --frames 0 --plot empty.svg"), 0);
    check_svg("empty.svg");
    CHECK_INT(run("run shuttles --frames 3 --pictures again --at 0,2 --threads 2 --csv"), 0);
    CHECK_INT(system("cmp film/frame-0000.svg again/frame-0000.svg"), 0);
    CHECK_INT(system("cmp film/frame-0002.svg again/frame-0002.svg"), 0);
}

// By themselves, pictures are of the frames in which bodies meet for the first time.
TEST(pictures_show_first_meetings)
{
    if (!prepare())
        return;
    static char timeline[MAX_OUTPUT];
    unsigned most = UINT32_MAX, body_a, body_b, first;
    char path[64];
    CHECK_INT(run("run spheres --pictures meetings"), 0);
    strcpy(timeline, run_state.out);
    for (char *line = strstr(timeline, "relation"); line; line = strchr(line + 1, '\n'))
        if (sscanf(line, "%u sphere %*u touch %u sphere %*u %u", &body_a, &body_b, &first) == 3 &&
            first < most) {
            most = first;
            snprintf(path, sizeof path, "meetings/frame-%04u.svg", first);
            check_svg(path);
        }
    CHECK(most != UINT32_MAX);
}

static bool has_python(void)
{
    return system("python3 -c 'import json' >.checked 2>&1") == 0;
}

TEST(json_says_what_csv_says)
{
    if (!prepare())
        return;
    if (!has_python()) {
        test_skip("there is no python3 to read JSON with");
        return;
    }
    CHECK_INT(run("run shuttles --pairs"), 0);
    CHECK_INT(system("cp .out pairs.csv"), 0);
    CHECK_INT(run("run shuttles --json"), 0);
    CHECK_INT(system("cp .out run.json"), 0);
    write_file("compare.py",
               "import json\n"
               "run = json.load(open('run.json'))\n"
               "assert run['schema_version'] == 1 and run['scene'] == 'shuttles'\n"
               "lines = [line.split(',') for line in open('pairs.csv').read().splitlines()[1:]]\n"
               "found = [[str(f['frame']), str(p['body_a']), str(p['body_b']), p['relation'],\n"
               "          str(p.get('face_pair_count', 0)), p['name_a'], p['name_b']] for f in run['frames'] "
               "for p in f['pairs']]\n"
               "assert found == lines and lines\n"
               "spread = sorted((n, c['body_a'], c['body_b'], c['relation']) for c in run['contacts']\n"
               "                for n in range(c['first_frame'], c['last_frame'] + 1))\n"
               "assert spread == sorted((int(l[0]), int(l[1]), int(l[2]), l[3]) for l in lines)\n"
               "assert len(run['frames']) == run['frame_count']\n");
    CHECK_INT(system("python3 compare.py"), 0);
}

TEST(a_page_is_the_same_for_any_number_of_threads)
{
    if (!prepare())
        return;
    if (run("run apart --frames 1 --html one.html") != 0 && strstr(run_state.err, NO_PAGES_IN_BUILD)) {
        test_skip("this build has no 3-D viewer");
        return;
    }
    CHECK_INT(run("run shuttles --frames 5 --html one.html --threads 1"), 0);
    CHECK_INT(run("run shuttles --frames 5 --html two.html --threads 2"), 0);
    CHECK_CONTAINS(run_state.out, "two.html: ");
    CHECK_INT(system("cmp one.html two.html"), 0);
}

// ---- files

TEST(broken_files_are_one_line_and_status_2)
{
    if (!prepare())
        return;
    static const char *const broken[] = {
        "",
        "{",
        "not a scene",
        "[]",
        "{\"asset\":{\"version\":\"2.0\"}}",
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"uri\":\"nowhere.bin\",\"byteLength\":36}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,"
        "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0}],"
        "\"scenes\":[{\"nodes\":[0]}],\"scene\":0}"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; ++i) {
        write_file("broken.gltf", broken[i]);
        write_file("broken.glb", broken[i]);
        check_fails("run broken.gltf", "broken.gltf");
        check_fails("run broken.glb --csv", "broken.glb");
    }
    gltf_write_without_buffer("broken.gltf");
    check_fails("run broken.gltf", "broken.gltf");
    gltf_write_circle("broken.gltf");
    check_fails("run broken.gltf", "broken.gltf");
    gltf_write_not_finite("broken.gltf");
    check_fails("run broken.gltf --json", "broken.gltf");
    check_fails("run missing.gltf", "missing.gltf");
    check_fails("run .", "impinge: ");
    check_fails("run box.txt", "box.txt");
}

// Scenes as files. False where the program is not there.
static bool prepare_scenes(void)
{
    if (!prepare())
        return false;
    gltf_save(gltf_two_bodies(), "two.glb");
    GltfFile *skinned = gltf_skinned_bar();
    gltf_node(skinned, true, "\"name\":\"post\",\"mesh\":%d",
              gltf_box(skinned, 0.9f, 0.6f, -0.2f, 1.4f, 1.5f, 0.2f));
    gltf_save(skinned, "skinned.gltf");
    GltfFile *morphing = gltf_morphing_box();
    gltf_node(morphing, true, "\"name\":\"lid\",\"mesh\":%d", gltf_box(morphing, 3, 0, 1.5f, 4, 1, 1.8f));
    gltf_save(morphing, "morphing.glb");
    return true;
}

TEST(a_file_is_sampled_at_the_rate)
{
    if (!prepare_scenes())
        return;
    // The block touches the floor while 2 - 1.75 t <= 0.5, and for as long after 1 s.
    CHECK_INT(run("run two.glb"), 0);
    CHECK_TEXT(run_state.err, "");
    CHECK_CONTAINS(run_state.out, "   0  floor         12\n   1  block         12\n");
    CHECK_CONTAINS(run_state.out, "\n   0  floor  touch        1  block      26      34 ");
    CHECK_CONTAINS(run_state.out, "Frames: 61;");
    CHECK_INT(run_unnamed("run two.glb --rate 1 --pairs"), 0);
    CHECK_CONTAINS(run_state.out, "face_pairs\n1,0,1,touch,");
    CHECK_INT(run("run two.glb --rate 0.25 --json"), 0);
    CHECK_CONTAINS(run_state.out, "\"frame_count\": 1,");
    CHECK_CONTAINS(run_state.out, "\"frame_rate\": 0.25,");
    CHECK_INT(run("run two.glb --rate 100 --frames 150"), 0);
    CHECK_CONTAINS(run_state.out, "\n   0  floor  touch        1  block      86     114 ");
    CHECK_CONTAINS(run_state.out, "Frames: 150;");
}

TEST(frames_of_files_are_what_check_finds)
{
    if (!prepare_scenes())
        return;
    CHECK(compare_with_check("two.glb") > 0);
    CHECK(compare_with_check("skinned.gltf") > 0);
    CHECK(compare_with_check("morphing.glb") > 0);
}

TEST(a_file_without_motion_has_one_frame)
{
    if (!prepare_scenes())
        return;
    GltfFile *file = gltf_new();
    int box = gltf_box(file, 0, 0, 0, 1, 1, 1), small = gltf_box(file, 0.4f, 0.4f, 0.4f, 0.6f, 0.6f, 0.6f);
    gltf_node(file, true, "\"name\":\"two\\nlines\",\"mesh\":%d", box);
    gltf_node(file, true, "\"name\":\"small\",\"mesh\":%d", small);
    gltf_save(file, "still.gltf");
    CHECK_INT(run("run still.gltf"), 0);
    CHECK_CONTAINS(run_state.out, "   0  two\\x0alines");
    CHECK_CONTAINS(run_state.out, "  b_inside_a     1  small       0       0 ");
    CHECK_CONTAINS(run_state.out, "Frames: 1;");
    CHECK_INT(run("run still.gltf --pairs"), 0);
    CHECK_TEXT(run_state.out, "frame,body_a,body_b,relation,face_pairs,name_a,name_b\n"
                              "0,0,1,b_inside_a,0,\"two\nlines\",small\n");
}

TEST(too_many_frames_are_refused_before_any_is_played)
{
    if (!prepare_scenes())
        return;
    GltfFile *file = gltf_two_bodies();
    gltf_animate(file, 0, "translation", "LINEAR", 2, (float[]){0, 1e9f}, 3, (float[]){0, 0, 0, 0, 1, 0});
    gltf_save(file, "long.glb");
    check_fails("run long.glb", "--rate");
    CHECK_INT(run("run long.glb --frames 3"), 0);
    CHECK_CONTAINS(run_state.out, "Frames: 3;");
    CHECK_INT(run("run long.glb --rate 1e-8"), 0);
    CHECK_CONTAINS(run_state.out, "Frames: 11;");
}
