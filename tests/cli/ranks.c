// impinge pairs --ranks: the bytes of impinge pairs, whatever the number of ranks; and what happens when a
// rank fails.
#define _XOPEN_SOURCE 700 // for program.h

#include "program.h"

#include "box_scenes.h"
#include "npy_files.h"
#include "sanitizers.h"

#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <time.h>

#define LINE_SIZE 1024

// Open MPI is not built for the thread sanitizer, which would find its own ways of talking between threads
// wrong. Under the address sanitizer leaks are not looked for in ranks: Open MPI leaves some behind each
// time.
static bool prepare_ranks(void)
{
#if defined(TEST_UNDER_THREAD_SANITIZER)
    test_skip("Open MPI is not built for the thread sanitizer");
    return false;
#endif
    if (!prepare())
        return false;
    if (system("command -v mpirun >/dev/null && [ -x \"$(dirname \"$IMPINGE_BIN\")/impinge-mpi\" ]") != 0) {
        test_skip("there is no mpirun, or no impinge-mpi");
        return false;
    }
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    return true;
}

// ---- the same bytes

static void check_same_file(const char *a, const char *b)
{
    char line[LINE_SIZE];
    snprintf(line, sizeof line, "cmp %s %s", a, b);
    CHECK_INT(system(line), 0);
}

// What one process prints, and ranks.
static void check_same_output(const char *arguments, const char *rank_arguments, int ranks)
{
    char line[LINE_SIZE];
    static char expected[MAX_OUTPUT];
    int status = run(arguments);
    strcpy(expected, run_state.out);
    snprintf(line, sizeof line, "%s --ranks %d %s", arguments, ranks, rank_arguments);
    CHECK_INT(run(line), status);
    CHECK_TEXT(run_state.out, expected);
    CHECK_TEXT(run_state.err, "");
}

// And the same for a file, `suffix` npy or csv.
static void check_same_pairs(const char *arguments, const char *suffix, const char *rank_arguments, int ranks)
{
    char line[LINE_SIZE], written[64];
    static char expected[MAX_OUTPUT];
    snprintf(written, sizeof written, "one.%s", suffix);
    snprintf(line, sizeof line, "%s -o same.%s", arguments, suffix);
    CHECK_INT(run(line), 0);
    strcpy(expected, run_state.out);
    snprintf(line, sizeof line, "mv same.%s one.%s", suffix, suffix);
    CHECK_INT(system(line), 0);
    snprintf(line, sizeof line, "%s -o same.%s --ranks %d %s", arguments, suffix, ranks, rank_arguments);
    CHECK_INT(run(line), 0);
    CHECK_TEXT(run_state.out, expected);
    CHECK_TEXT(run_state.err, "");
    snprintf(line, sizeof line, "same.%s", suffix);
    check_same_file(written, line);
    CHECK(access("same.npy.partial", F_OK) != 0 && access("same.csv.partial", F_OK) != 0);
}

static void save_scene(const char *path, BoxKind kind, bool is_float)
{
    static BoxScene scene;
    box_scene_make_random(&scene, kind, is_float);
    save(path, is_float ? IMPI_NPY_FLOAT32 : IMPI_NPY_FLOAT64, 2, (size_t[]){scene.count, 6},
         is_float ? (const void *)scene.float_rows : (const void *)scene.rows);
}

TEST(any_number_of_ranks_writes_the_same_bytes)
{
    if (!prepare_ranks())
        return;
    static const struct {
        BoxKind kind;
        bool is_float;
        int ranks;
        const char *suffix;
    } cases[] = {
        {BOXES_CUBES, true, 1, "npy"},       {BOXES_SIZES_1E9, false, 2, "npy"},
        {BOXES_CLUSTERS, true, 3, "csv"},    {BOXES_IDENTICAL, false, 4, "npy"},
        {BOXES_ONE_LARGE, true, 8, "npy"},   {BOXES_LINE, false, 3, "npy"},
        {BOXES_CORNER_GRID, true, 4, "csv"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        save_scene("scene.npy", cases[i].kind, cases[i].is_float);
        check_same_pairs("pairs scene.npy", cases[i].suffix, "--threads 2", cases[i].ranks);
    }
}

TEST(ranks_may_have_no_boxes)
{
    if (!prepare_ranks())
        return;
    static const double few[] = {0, 0, 0, 1, 1, 1, 1, 0, 0, 2, 1, 1};
    save("none.npy", IMPI_NPY_FLOAT32, 2, (size_t[]){0, 6}, NULL);
    save("few.npy", IMPI_NPY_FLOAT64, 2, (size_t[]){2, 6}, few);
    check_same_pairs("pairs none.npy", "npy", "", 3);
    check_same_pairs("pairs few.npy", "csv", "", 4);
    check_same_output("pairs none.npy few.npy --csv", "", 2);
    check_same_output("pairs few.npy none.npy --json", "", 2);
}

// The same rows from the other end of the bytes, and in the other order of dimensions.
static void save_turned(const char *path, const double (*rows)[6], size_t count, bool swap, bool fortran)
{
    char header[128];
    FILE *file = fopen(path, "wb");
    if (!CHECK(file != NULL))
        return;
    memcpy(header, "\x93NUMPY\1\0\x76\0", 10);
    int length = 10 + snprintf(header + 10, sizeof header - 10,
                               "{'descr': '%cf8', 'fortran_order': %s, 'shape': (%zu, 6), }",
                               swap ? '>' : '<', fortran ? "True" : "False", count);
    memset(header + length, ' ', sizeof header - (size_t)length);
    header[127] = '\n';
    fwrite(header, 1, sizeof header, file);
    for (size_t i = 0; i < 6 * count; ++i) {
        unsigned char bytes[8], turned[8];
        memcpy(bytes, fortran ? &rows[i % count][i / count] : &rows[i / 6][i % 6], sizeof bytes);
        for (int k = 0; k < 8; ++k)
            turned[k] = bytes[swap ? 7 - k : k];
        fwrite(turned, 1, sizeof turned, file);
    }
    CHECK(fclose(file) == 0);
}

TEST(all_layouts_are_read_in_parts)
{
    if (!prepare_ranks())
        return;
    static BoxScene scene;
    static int16_t flat[40][2][2];
    box_scene_make_random(&scene, BOXES_CUBES, false);
    save_turned("big.npy", (const double(*)[6])scene.rows, scene.count, true, false);
    save_turned("fortran.npy", (const double(*)[6])scene.rows, scene.count, false, true);
    for (int i = 0; i < 40; ++i)
        for (int k = 0; k < 2; ++k)
            flat[i][0][k] = (int16_t)(3 * i + k), flat[i][1][k] = (int16_t)(flat[i][0][k] + 3);
    save("flat.npy", IMPI_NPY_INT16, 3, (size_t[]){40, 2, 2}, flat);
    check_same_pairs("pairs big.npy", "npy", "", 3);
    check_same_output("pairs fortran.npy --csv", "", 2);
    check_same_output("pairs flat.npy --csv", "", 3);
}

TEST(two_files_and_margins)
{
    if (!prepare_ranks())
        return;
    save_scene("floats.npy", BOXES_CUBES, true);
    save_scene("doubles.npy", BOXES_CUBES, false);
    check_same_pairs("pairs floats.npy doubles.npy --margin 0.125", "npy", "", 3);
    check_same_output("pairs floats.npy --margin 0.3 --csv", "", 2);
    check_same_output("pairs doubles.npy floats.npy --count", "", 4);
}

TEST(frames_are_taken_in_runs_or_shared)
{
    if (!prepare_ranks())
        return;
    CHECK_INT(run("pairs --sample 300 --frames 7 motion.npy"), 0);
    check_same_pairs("pairs motion.npy", "npy", "", 3);
    check_same_pairs("pairs motion.npy motion.npy --margin 0.1", "csv", "--memory 1", 3);
    check_same_output("pairs motion.npy --csv", "--memory 1", 4);
    check_same_output("pairs motion.npy --json", "", 8);
}

TEST(figures_tell_of_ranks)
{
    if (!prepare_ranks())
        return;
    CHECK_INT(run("pairs --sample 3000 boxes.npy"), 0);
    CHECK_INT(run("pairs boxes.npy --ranks 2 --count --stats"), 0);
    CHECK_TEXT(run_state.out, "1407\n");
    CHECK_CONTAINS(run_state.err, "ranks      2, of ");
    CHECK_CONTAINS(run_state.err, "\nhalo ");
    CHECK_INT(run("pairs boxes.npy --ranks 2 --json --stats"), 0);
    CHECK_CONTAINS(run_state.out, "\"rank_count\": 2");
    CHECK_CONTAINS(run_state.out, "\"halo_share\": ");
}

// ---- failures

static void write_earlier(void)
{
    write_file("target.npy", "as it was");
}

static void check_as_it_was(void)
{
    static char content[MAX_OUTPUT];
    CHECK(read_file("target.npy", content));
    CHECK_TEXT(content, "as it was");
    CHECK(access("target.npy.partial", F_OK) != 0);
}

// One process and ranks say the same.
static void check_same_failure(const char *arguments, int ranks)
{
    char line[LINE_SIZE];
    static char expected[MAX_OUTPUT];
    CHECK_INT(run(arguments), 2);
    strcpy(expected, run_state.err);
    snprintf(line, sizeof line, "%s --ranks %d", arguments, ranks);
    check_fails(line, "");
    CHECK_TEXT(run_state.err, expected);
    check_as_it_was();
}

TEST(an_error_is_that_of_one_process)
{
    if (!prepare_ranks())
        return;
    static BoxScene scene;
    box_scene_make_random(&scene, BOXES_CUBES, false);
    write_earlier();
    scene.rows[scene.count - 1][4] = NAN;
    save("bad.npy", IMPI_NPY_FLOAT64, 2, (size_t[]){scene.count, 6}, scene.rows);
    check_same_failure("pairs bad.npy -o target.npy", 4);
    CHECK_INT(system("head -c 1000 bad.npy >short.npy"), 0);
    check_same_failure("pairs short.npy -o target.npy", 3);
    check_same_failure("pairs missing.npy -o target.npy", 2);
    check_same_failure("pairs bad.npy -o nowhere/target.npy", 2);
    check_fails("pairs bad.npy --hostfile hosts", "--hostfile is for --ranks");
    check_fails("pairs bad.npy --ranks 0", "--ranks: expected a whole number");
    check_fails("pairs bad.npy --ranks 2 --hostfile nowhere", "nowhere: can't open it");
}

TEST(a_target_is_whole_or_as_it_was)
{
    if (!prepare_ranks())
        return;
    // Two million pairs, which are 16 MiB.
    static float same[2000][6];
    for (int i = 0; i < 2000; ++i)
        memcpy(same[i], (float[]){0, 0, 0, 1, 1, 1}, sizeof same[i]);
    save("identical.npy", IMPI_NPY_FLOAT32, 2, (size_t[]){2000, 6}, same);
    write_earlier();
    write_file("target.npy.partial", "left by another run");
    check_fails("pairs identical.npy -o nowhere/target.npy --ranks 2",
                "nowhere/target.npy: can't be written");
    // No room: files of 16384 blocks of 512 bytes at most. Open MPI itself has some of half that size.
    CHECK_INT(
        system(
            "(ulimit -f 16384; \"$IMPINGE_BIN\" pairs identical.npy -o target.npy --ranks 2) >.out 2>.err"),
        2 << 8);
    read_file(".err", run_state.err);
    CHECK_CONTAINS(run_state.err, "impinge: target.npy: writing failed: ");
    check_as_it_was();
    write_file("target.npy.partial", "left by another run");
    CHECK_INT(run("pairs identical.npy -o target.npy --ranks 2"), 0);
    CHECK_INT(run("pairs identical.npy -o one.npy"), 0);
    check_same_file("target.npy", "one.npy");
    CHECK(access("target.npy.partial", F_OK) != 0);
    // What has no places to write at.
    CHECK_INT(run("pairs identical.npy -o one.csv"), 0);
    CHECK_INT(system("mkfifo pipe.csv && (cat pipe.csv >through.csv &) && "
                     "\"$IMPINGE_BIN\" pairs identical.npy -o pipe.csv --ranks 3 >.out && sleep 0.2"),
              0);
    check_same_file("one.csv", "through.csv");
}

static int run_mpirun(const char *arguments)
{
    char line[2 * LINE_SIZE];
    snprintf(
        line, sizeof line,
        "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
        "RANKS=\"$(dirname \"$IMPINGE_BIN\")/impinge-mpi\"; mpirun --quiet --bind-to none --oversubscribe "
        "%s >.out 2>.err </dev/null",
        arguments);
    int status = system(line);
    read_file(".out", run_state.out);
    read_file(".err", run_state.err);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ranks_that_differ_are_told)
{
    if (!prepare_ranks())
        return;
    CHECK_INT(system("mkdir -p a b"), 0);
    CHECK_INT(run("pairs --sample 100 a/boxes.npy"), 0);
    CHECK_INT(run("pairs --sample 101 b/boxes.npy"), 0);
    CHECK_INT(
        run_mpirun("-n 2 --wdir a \"$RANKS\" pairs boxes.npy : -n 1 --wdir b \"$RANKS\" pairs boxes.npy"), 2);
    CHECK_TEXT(run_state.out, "");
    CHECK_CONTAINS(run_state.err,
                   "impinge: boxes.npy: rank 2 sees another file than rank 0: their size differs\n");
    CHECK_INT(run_mpirun("-n 1 \"$RANKS\" pairs a/boxes.npy : -n 1 \"$RANKS\" pairs b/boxes.npy"), 2);
    CHECK_CONTAINS(run_state.err, "impinge: rank 1 has other arguments than rank 0\n");
    CHECK_INT(run_mpirun("-n 2 \"$RANKS\" pairs a/boxes.npy --count"), 0);
    CHECK_TEXT(run_state.err, "");
    CHECK_INT(run_mpirun("-n 2 \"$RANKS\" pears"), 2);
    CHECK_CONTAINS(run_state.err, "impinge: unknown command 'pears'");
}

// ---- a rank that is lost

// The number of a process that runs the program in the test's folder; 0: none does.
static pid_t find_rank(void)
{
    DIR *folder = opendir("/proc");
    char path[300], where[300], name[64];
    pid_t found = 0;
    for (struct dirent *entry; folder && !found && (entry = readdir(folder)) != NULL;) {
        snprintf(path, sizeof path, "/proc/%s/comm", entry->d_name);
        FILE *file = entry->d_name[0] >= '0' && entry->d_name[0] <= '9' ? fopen(path, "r") : NULL;
        if (!file)
            continue;
        bool is_rank = fgets(name, sizeof name, file) && strcmp(name, "impinge-mpi\n") == 0;
        fclose(file);
        snprintf(path, sizeof path, "/proc/%s/cwd", entry->d_name);
        ssize_t length = is_rank ? readlink(path, where, sizeof where - 1) : -1;
        if (length > 0 && (where[length] = 0, strcmp(where, run_state.folder) == 0))
            found = (pid_t)strtol(entry->d_name, NULL, 10);
    }
    if (folder)
        closedir(folder);
    return found;
}

static void wait_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

TEST(a_killed_rank_ends_all)
{
    if (!prepare_ranks())
        return;
    // Long enough to be met at work: several seconds.
    CHECK_INT(run("pairs --sample 4000000 many.npy"), 0);
    write_earlier();
    int ended = 0, status = 0;
    pid_t rank = 0, program = fork();
    if (program == 0) {
        execl("/bin/sh", "sh", "-c",
              "exec \"$IMPINGE_BIN\" pairs many.npy --margin 0.8 -o target.npy --ranks 2 --threads 1 >.out "
              "2>.err",
              (char *)NULL);
        _exit(127);
    }
    for (int i = 0; i < 3000 && rank == 0; ++i) {
        rank = find_rank();
        wait_ms(5);
    }
    wait_ms(300);
    if (CHECK(rank > 0))
        CHECK_INT(kill(rank, SIGKILL), 0);
    for (int i = 0; i < 1000 && ended == 0; ++i) {
        wait_ms(10);
        ended = waitpid(program, &status, WNOHANG);
    }
    CHECK_INT(ended, program);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 2);
    CHECK_INT(find_rank(), 0);
    read_file(".out", run_state.out);
    read_file(".err", run_state.err);
    CHECK_TEXT(run_state.out, "");
    CHECK_TEXT(run_state.err, "impinge: a rank was lost: it was ended by signal 9\n");
    static char content[MAX_OUTPUT];
    CHECK(read_file("target.npy", content));
    CHECK_TEXT(content, "as it was");
}

TEST(what_is_missing_is_named)
{
    if (!prepare_ranks())
        return;
    CHECK_INT(run("pairs --sample 10 boxes.npy"), 0);
    CHECK_INT(system("PATH=/nowhere \"$IMPINGE_BIN\" pairs boxes.npy --ranks 2 >.out 2>.err"), 2 << 8);
    read_file(".err", run_state.err);
    CHECK_CONTAINS(run_state.err, "openmpi-bin");
    // Without impinge-mpi beside it or in PATH.
    CHECK_INT(system("cp \"$IMPINGE_BIN\" alone && ./alone pairs boxes.npy --ranks 2 >.out 2>.err"), 2 << 8);
    read_file(".err", run_state.err);
    CHECK_CONTAINS(run_state.err, "libopenmpi-dev");
}
