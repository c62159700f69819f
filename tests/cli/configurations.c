// A robot and a cell of two of them as people have them: a file for each body, poses in a table, pairs that
// are joined in a file. What the command tells is what a world tells that is stepped through the same poses.
#define _XOPEN_SOURCE 700 // for program.h

#include "program.h"
#include "sanitizers.h"
#include "scenes/robots.h"

#include <impinge/io.h>

#ifdef TEST_UNDER_SANITIZER
#define CONFIGURATIONS 20
#else
#define CONFIGURATIONS 1000
#endif
#define PLAYED    20
#define SEED      5
#define MAX_TABLE ((size_t)64 << 20)

static imp_Context *make_context(void)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    return context;
}

typedef struct Cell {
    imp_Context *context;
    SceneRobots *robots;
    size_t body_count, moved_count, configuration_count;
    size_t *moved;
    imp_Pose *poses;
    char options[2000]; // of the command, for all that does not move
} Cell;

static Cell cell_make(SceneRobotsKind kind, size_t configuration_count)
{
    Cell cell = {.context = make_context(), .configuration_count = configuration_count};
    CHECK_INT(scene_robots_create(cell.context, kind, &cell.robots), IMP_STATUS_OK);
    cell.body_count = scene_robots_body_count(cell.robots);
    cell.moved = calloc(cell.body_count, sizeof *cell.moved);
    cell.moved_count = scene_robots_moved(cell.robots, cell.moved);
    cell.poses = calloc(configuration_count * cell.moved_count, sizeof *cell.poses);
    scene_robots_configurations(cell.robots, SCENE_RANDOM, SEED, configuration_count, cell.poses);
    return cell;
}

static void cell_free(Cell *cell)
{
    scene_robots_destroy(cell->robots);
    imp_context_destroy(cell->context);
    free(cell->moved);
    free(cell->poses);
}

static const char *name_of(const Cell *cell, size_t body)
{
    return scene_robots_body(cell->robots, body).name;
}

static int put_pose(char *text, const imp_Pose *pose, const char *separator)
{
    const double numbers[] = {pose->translation.x, pose->translation.y, pose->translation.z, pose->rotation.w,
                              pose->rotation.x,    pose->rotation.y,    pose->rotation.z};
    bool is_zero = numbers[3] == 0 && numbers[4] == 0 && numbers[5] == 0 && numbers[6] == 0;
    int length = 0;
    for (int i = 0; i < 7; ++i)
        length += sprintf(text + length, "%s%.17g", i ? separator : "", i == 3 && is_zero ? 1 : numbers[i]);
    return length;
}

// A file for each body, the table of poses, and the file of ignored pairs.
static void write_cell(Cell *cell, const char *folder)
{
    char path[256], *table = malloc(MAX_TABLE), *ignored = malloc(MAX_TABLE);
    int length = sprintf(table, "configuration,body,x,y,z,qw,qx,qy,qz\n"), ignored_length = 0;
    if (!CHECK(mkdir(folder, 0777) == 0))
        return;
    snprintf(cell->options, sizeof cell->options, "%s", folder);
    for (size_t i = 0; i < cell->body_count; ++i) {
        SceneRobotsBody body = scene_robots_body(cell->robots, i);
        char pose[256];
        snprintf(path, sizeof path, "%s/%s.obj", folder, body.name);
        CHECK_INT(imp_mesh_save(cell->context, body.mesh, path), IMP_STATUS_OK);
        put_pose(pose, &body.pose, " ");
        if (!body.moves)
            snprintf(cell->options + strlen(cell->options), sizeof cell->options - strlen(cell->options),
                     " --pose '%s' '%s'", body.name, pose);
        for (size_t k = 0; k < i; ++k)
            if (scene_robots_is_ignored(cell->robots, k, i))
                ignored_length += sprintf(ignored + ignored_length, "%s,%s\n", name_of(cell, k), body.name);
    }
    for (size_t c = 0; c < cell->configuration_count; ++c)
        for (size_t i = 0; i < cell->moved_count; ++i) {
            length += sprintf(table + length, "c%zu,%s,", c, name_of(cell, cell->moved[i]));
            length += put_pose(table + length, &cell->poses[c * cell->moved_count + i], ",");
            length += sprintf(table + length, "\n");
        }
    ignored[ignored_length] = 0;
    snprintf(path, sizeof path, "%s.csv", folder);
    write_file(path, table);
    snprintf(path, sizeof path, "%s.ignored", folder);
    write_file(path, ignored);
    free(table);
    free(ignored);
}

// The line of a pair, whose bodies have the numbers that the sorted files give them.
static void put_expected(const Cell *cell, const imp_BodyPair *pair, size_t configuration, const char *key,
                         char *text)
{
    size_t a = pair->body_a.slot - 1, b = pair->body_b.slot - 1, numbers[2] = {0, 0};
    bool a_first = strcmp(name_of(cell, a), name_of(cell, b)) < 0;
    size_t first = a_first ? a : b, second = a_first ? b : a;
    bool touch = pair->relations & IMP_RELATION_TOUCH, in_second = pair->relations & (a_first ? 2u : 4u);
    for (size_t i = 0; i < cell->body_count; ++i) {
        numbers[0] += strcmp(name_of(cell, i), name_of(cell, first)) < 0;
        numbers[1] += strcmp(name_of(cell, i), name_of(cell, second)) < 0;
    }
    sprintf(text, "%s%zu,%zu,%zu,%s,%s,%s", key, configuration, numbers[0], numbers[1],
            touch       ? "touch"
            : in_second ? "a_inside_b"
                        : "b_inside_a",
            name_of(cell, first), name_of(cell, second));
}

static int compare_lines(const void *left, const void *right)
{
    return strcmp(left, right);
}

#define MAX_LINE  128
#define MAX_LINES 20000

// Lines of the output but the first, sorted.
static size_t take_lines(char (*lines)[MAX_LINE])
{
    size_t count = 0;
    char *line = strchr(run_state.out, '\n'), *rest = NULL;
    for (line = line ? strtok_r(line, "\n", &rest) : NULL; line && count < MAX_LINES;
         line = strtok_r(NULL, "\n", &rest))
        snprintf(lines[count++], MAX_LINE, "%s", line);
    qsort(lines, count, sizeof *lines, compare_lines);
    return count;
}

// What a world tells, stepped from one to the next.
static size_t step_world(const Cell *cell, const char *key, size_t configuration_count,
                         char (*lines)[MAX_LINE], size_t *free_count)
{
    imp_World *world = NULL;
    imp_BodyId *ids = calloc(cell->body_count, sizeof *ids), *moved = calloc(cell->body_count, sizeof *moved);
    const imp_DetectDef bodies = {.mode = IMP_DETECT_BODIES};
    size_t count = 0;
    CHECK_INT(imp_world_create(cell->context, NULL, &world), IMP_STATUS_OK);
    CHECK_INT(scene_robots_add_bodies(cell->robots, world, ids), IMP_STATUS_OK);
    for (size_t i = 0; i < cell->moved_count; ++i)
        moved[i] = ids[cell->moved[i]];
    *free_count = 0;
    for (size_t c = 0; c < configuration_count; ++c) {
        const imp_Report *report = NULL;
        CHECK_INT(imp_world_set_poses(world, moved, cell->poses + c * cell->moved_count, cell->moved_count),
                  IMP_STATUS_OK);
        CHECK_INT(imp_world_detect(world, &bodies, &report), IMP_STATUS_OK);
        *free_count += report->body_pair_count == 0;
        for (size_t i = 0; i < report->body_pair_count && CHECK(count < MAX_LINES); ++i)
            put_expected(cell, &report->body_pairs[i], c, key, lines[count++]);
    }
    qsort(lines, count, sizeof *lines, compare_lines);
    imp_world_destroy(world);
    free(ids);
    free(moved);
    return count;
}

static void check_lines(char (*expected)[MAX_LINE], size_t expected_count, char (*got)[MAX_LINE],
                        size_t count)
{
    if (!CHECK_INT((int64_t)count, (int64_t)expected_count))
        return;
    for (size_t i = 0; i < count; ++i)
        if (!CHECK_TEXT(got[i], expected[i]))
            return;
}

// The columns that a run has besides are cut out: "0,1,touch,12,a,b" is "0,1,touch,a,b".
static void drop_face_pairs(char (*lines)[MAX_LINE], size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        char *from = lines[i];
        for (int commas = 0; commas < 4; ++from)
            commas += *from == ',';
        char *past = strchr(from, ',') + 1;
        memmove(from, past, strlen(past) + 1);
    }
    qsort(lines, count, sizeof *lines, compare_lines);
}

static void check_cell(SceneRobotsKind kind, const char *folder)
{
    static char expected[MAX_LINES][MAX_LINE], got[MAX_LINES][MAX_LINE];
    char command[3000];
    size_t free_count = 0;
    Cell cell = cell_make(kind, CONFIGURATIONS);
    write_cell(&cell, folder);
    size_t expected_count = step_world(&cell, "c", CONFIGURATIONS, expected, &free_count);
    CHECK(free_count > CONFIGURATIONS / 10 && free_count < CONFIGURATIONS * 9 / 10);
    for (int threads = 1; threads <= 2; ++threads) {
        snprintf(command, sizeof command,
                 "check %s --ignore-file %s.ignored --poses %s.csv --pairs --threads %d", cell.options,
                 folder, folder, threads);
        CHECK_INT(run(command), 1);
        CHECK_TEXT(run_state.err, "");
        check_lines(expected, expected_count, got, take_lines(got));
    }
    snprintf(command, sizeof command, "check %s --ignore-file %s.ignored --poses %s.csv", cell.options,
             folder, folder);
    CHECK_INT(run(command), 1);
    snprintf(command, sizeof command, "Configurations: %d; bodies meet in %zu of them. Free: %zu.\n",
             CONFIGURATIONS, CONFIGURATIONS - free_count, free_count);
    CHECK_CONTAINS(run_state.out, command);
    // The same as a motion, frame by frame.
    expected_count = step_world(&cell, "", PLAYED, expected, &free_count);
    snprintf(command, sizeof command, "run %s --ignore-file %s.ignored --poses %s.csv --pairs --frames %d",
             cell.options, folder, folder, PLAYED);
    CHECK_INT(run(command), 0);
    size_t count = take_lines(got);
    drop_face_pairs(got, count);
    check_lines(expected, expected_count, got, count);
    cell_free(&cell);
}

TEST(a_robot_of_files_and_a_table)
{
    if (prepare())
        check_cell(SCENE_ROBOT, "robot");
}

TEST(a_cell_of_two_robots)
{
    if (prepare())
        check_cell(SCENE_CELL, "cell");
}
