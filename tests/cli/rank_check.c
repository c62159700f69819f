// What ranks print of a manifest beside what `impinge check` prints of the same bodies: text, exit status and
// remarks, byte for byte. Ranks are threads of this process; the other is run as a program.
#define _XOPEN_SOURCE 700 // for program.h

#include "program.h"

#include "cluster/local_exchange.h"
#include "kit/text.h"
#include "rank_check.h"
#include "sanitizers.h"
#include "scenes/shapes.h"

#define MAX_RANKS 6
#define MAX_TEXT  4000

// ---- running ranks

typedef struct Job {
    RankCheckDef def;
    CommandResult results[MAX_RANKS];
    impi_Text outputs[MAX_RANKS];
} Job;

static void run_rank(impi_Exchange *exchange, void *argument)
{
    Job *job = argument;
    uint32_t rank = exchange->rank;
    imp_Context *context = NULL;
    if (!CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = 1 + rank % 2}, &context),
                   IMP_STATUS_OK))
        abort(); // the others would wait for ever
    impi_text_begin(&job->outputs[rank]);
    job->results[rank] = rank_check_run(exchange, context, &job->def, &job->outputs[rank]);
    imp_context_destroy(context);
}

static int start_catching(void)
{
    fflush(stderr);
    int kept = dup(STDERR_FILENO);
    CHECK(freopen(".rank-err", "wb", stderr) != NULL);
    return kept;
}

static void end_catching(int kept, char *text)
{
    fflush(stderr);
    CHECK(dup2(kept, STDERR_FILENO) >= 0);
    close(kept);
    read_file(".rank-err", text);
}

static const OptionSpec listing_specs[] = {CHECK_LISTING_OPTIONS, CHECK_MAX_OPTION};
static const OptionTable listing_options = {listing_specs, sizeof listing_specs / sizeof *listing_specs, 0, 0,
                                            ""};

// As run(), for ranks: options are words with blanks between them. What is printed is in the texts.
static int run_ranks(uint32_t rank_count, const char *manifest, const char *arguments, char *out, char *err)
{
    char words[MAX_TEXT], *list[16];
    int count = 0;
    Options options;
    Job job = {.def = {.path = manifest}};
    snprintf(words, sizeof words, "%s", arguments);
    for (char *word = strtok(words, " "); word && count < 16; word = strtok(NULL, " "))
        list[count++] = word;
    CHECK_INT(options_parse(&listing_options, count, list, &options), OPTIONS_OK);
    CHECK_INT(check_listing_parse(&options, &job.def.listing), COMMAND_DONE);
    int kept = start_catching();
    CHECK(impi_local_ranks_run(rank_count, IMPI_LOCAL_TOGETHER, run_rank, &job));
    end_catching(kept, err);
    impi_Text remarks;
    impi_text_begin(&remarks);
    command_take_remarks(&remarks);
    if (job.results[0] != COMMAND_FAILED && CHECK_TEXT(err, ""))
        snprintf(err, MAX_OUTPUT, "%.*s", (int)remarks.bytes.count, remarks.bytes.data);
    impi_text_free(&remarks);
    snprintf(out, MAX_OUTPUT, "%.*s", (int)job.outputs[0].bytes.count, job.outputs[0].bytes.data);
    for (uint32_t rank = 0; rank < rank_count; ++rank) {
        if (rank > 0)
            CHECK_INT(job.results[rank], job.results[0] == COMMAND_FAILED ? COMMAND_FAILED : COMMAND_DONE);
        CHECK(rank == 0 || job.outputs[rank].bytes.count == 0);
        impi_text_free(&job.outputs[rank]);
    }
    options_free(&options);
    return (int)job.results[0];
}

// ---- the same bodies for both

typedef struct Placed {
    const char *file, *pose;
} Placed;

static void check_same(const Placed *bodies, size_t count, const char *options)
{
    static char out[MAX_OUTPUT], err[MAX_OUTPUT];
    char line[MAX_TEXT], manifest[MAX_TEXT] = "# bodies\n";
    int length = snprintf(line, sizeof line, "check %s", options), used = (int)strlen(manifest);
    for (size_t i = 0; i < count; ++i) {
        length += snprintf(line + length, sizeof line - (size_t)length, " %s", bodies[i].file);
        used += snprintf(manifest + used, sizeof manifest - (size_t)used, "%s %s\n", bodies[i].file,
                         bodies[i].pose);
    }
    for (size_t i = 0; i < count; ++i)
        if (*bodies[i].pose)
            length += snprintf(line + length, sizeof line - (size_t)length, " --pose %d '%s'", (int)i,
                               bodies[i].pose);
    write_file("bodies.txt", manifest);
    int status = run(line);
    for (uint32_t rank_count = 1; rank_count <= MAX_RANKS; ++rank_count) {
        CHECK_INT(run_ranks(rank_count, "bodies.txt", options, out, err), status);
        CHECK_TEXT(out, run_state.out);
        CHECK_TEXT(err, run_state.err);
    }
}

static bool save(const char *path, imp_Status made, imp_Mesh **mesh, imp_Context *context)
{
    bool fine =
        CHECK_INT(made, IMP_STATUS_OK) && CHECK_INT(imp_mesh_save(context, *mesh, path), IMP_STATUS_OK);
    imp_mesh_release(*mesh);
    return fine;
}

static bool prepare_files(void)
{
    imp_Context *context = NULL;
    imp_Mesh *mesh = NULL;
    if (!prepare() || !CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK))
        return false;
    bool fine = save("torus.ply", scene_torus(context, 16, 8, 1.0, 0.4, &mesh), &mesh, context) &&
                save("star.off", scene_star_prism(context, 5, 0.5, 0.8, &mesh), &mesh, context) &&
                save("ball.stl", scene_sphere(context, 8, 5, 0.2, &mesh), &mesh, context) &&
                save("large.obj", scene_sphere(context, 12, 9, 3, &mesh), &mesh, context) &&
                save("dust.obj", scene_sphere(context, 4, 3, 1e-4, &mesh), &mesh, context);
    imp_context_destroy(context);
    // Without its lid; and a polygon that is not convex, of which its reader has to say something.
    write_file("open.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                           "f 1 4 3 2\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    write_file("dent.obj", "v 0 0 0\nv 2 0 0\nv 1 0.5 0\nv 1 2 0\nf 1 2 3 4\n");
    return fine;
}

static const char *const listings[] = {
    "", "--pairs", "--csv", "--json", "--json --pairs", "--csv --max 3", "--json --max 2"};

static void check_all_listings(const Placed *bodies, size_t count)
{
    for (size_t i = 0; i < sizeof listings / sizeof *listings; ++i)
        check_same(bodies, count, listings[i]);
}

TEST(what_touches_is_told_alike)
{
    static const Placed bodies[] = {{"torus.ply", ""},
                                    {"box.obj", "1 0 0"},
                                    {"box.obj", "2 0 0"}, // shares a face with the one before
                                    {"star.off", "0.5 0 0 0.6 0.8 0 0"},
                                    {"ball.stl", "1.5 0.5 0.5"}, // in a box
                                    {"open.obj", "0 5 0"},
                                    {"ball.stl", "0.5 5.5 0.5"}, // in the box without a lid
                                    {"dent.obj", "0 0 9 axis 0 0 1 30"},
                                    {"large.obj", "1,1,1"},
                                    {"dent.obj", "0 0 0.25"}};
    if (prepare_files())
        check_all_listings(bodies, sizeof bodies / sizeof *bodies);
}

TEST(nothing_touches)
{
    static const Placed bodies[] = {{"box.obj", ""}, {"box.obj", "3 0 0"}, {"./torus.ply", "0 0 7"}};
    if (prepare_files())
        check_all_listings(bodies, sizeof bodies / sizeof *bodies);
}

// Sizes and places that look like a mixture of units are remarked on.
TEST(remarks_are_told_alike)
{
    static const Placed bodies[] = {{"large.obj", ""}, {"dust.obj", "1e6 0 0"}, {"dent.obj", "0 0 1"}};
    if (prepare_files())
        check_all_listings(bodies, sizeof bodies / sizeof *bodies);
}

TEST(failures_are_told_alike)
{
    static const Placed far_away[] = {
        {"box.obj", ""}, {"torus.ply", "1 2 3"}, {"huge.obj", "0 1.7e308 0"}, {"huge.obj", "1.7e308 0 0"}};
    static const Placed missing[] = {{"box.obj", ""}, {"b.obj", ""}, {"a.obj", ""}, {"b.obj", ""}};
    static const Placed bad[] = {{"box.obj", ""}, {"bad.obj", ""}, {"worse.off", ""}};
    static const Placed alone[] = {{"box.obj", ""}};
    if (!prepare_files())
        return;
    write_file("bad.obj", "v 0 0 0\nv 1 0 x\n");
    write_file("worse.off", "OFF\n");
    write_file("huge.obj", "v 1e308 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    check_same(far_away, 4, "");
    CHECK_CONTAINS(run_state.err, "beyond the largest double");
    check_same(missing, 4, "--csv");
    CHECK_CONTAINS(run_state.err, "b.obj");
    check_same(bad, 3, "--json");
    CHECK_CONTAINS(run_state.err, "bad.obj:2");
    check_same(alone, 1, "");
    CHECK_CONTAINS(run_state.err, "is the only body");
}

TEST(a_manifest_that_cannot_be_read)
{
    static char out[MAX_OUTPUT], err[MAX_OUTPUT];
    if (!prepare_files())
        return;
    write_file("bodies.txt", "box.obj\nbox.obj 1 2\n");
    CHECK_INT(run_ranks(4, "bodies.txt", "", out, err), COMMAND_FAILED);
    CHECK_TEXT(out, "");
    CHECK_TEXT(err, "impinge: bodies.txt:2: expected 3, 7, 12 or 16 numbers, got 2\n");
    CHECK_INT(run_ranks(4, "nothing.txt", "", out, err), COMMAND_FAILED);
    CHECK_CONTAINS(err, "nothing.txt");
    CHECK(strchr(err, '\n') && strchr(err, '\n')[1] == 0);
}

// ---- on MPI

static bool has_mpi_program(char *path, size_t size)
{
#if defined(TEST_UNDER_THREAD_SANITIZER)
    test_skip("Open MPI is not built for the thread sanitizer");
    return false;
#endif
    const char *program = getenv("IMPINGE_BIN"), *slash = strrchr(program, '/');
    snprintf(path, size, "%.*simpinge-mpi", slash ? (int)(slash - program) + 1 : 0, program);
    bool is_there = access(path, X_OK) == 0 && system("mpirun --version >.out 2>.err") == 0;
    if (!is_there)
        test_skip("no impinge-mpi beside the program, or no mpirun");
    return is_there;
}

TEST(mpirun_prints_the_same)
{
    static char want[MAX_OUTPUT], out[MAX_OUTPUT];
    char path[MAX_TEXT / 2], line[MAX_TEXT];
    if (!prepare_files() || !has_mpi_program(path, sizeof path))
        return;
    write_file("bodies.txt",
               "torus.ply\nbox.obj 1 0 0\nbox.obj 2 0 0\nball.stl 1.5 0.5 0.5\nlarge.obj 1 1 1\n");
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1); // Open MPI leaves some behind
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    CHECK_INT(run("check torus.ply box.obj box.obj ball.stl large.obj --pose 1 '1 0 0' --pose 2 '2 0 0' "
                  "--pose 3 '1.5 0.5 0.5' --pose 4 '1 1 1'"),
              1);
    strcpy(want, run_state.out);
    snprintf(line, sizeof line,
             "mpirun -q --oversubscribe --bind-to none -n 3 '%s' check bodies.txt >.mpi-out 2>.mpi-err",
             path);
    int status = system(line);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    read_file(".mpi-out", out);
    CHECK_TEXT(out, want);
}
