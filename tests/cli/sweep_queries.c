// impinge sweep --queries, run as a program.
#define _XOPEN_SOURCE 700 // for program.h

#include "program.h"

#include "npy_files.h"

#include <impinge/sweep.h>

#include <math.h>

#define MAX_TIMES 1000

// The numbers of an array of times, in the order of the file.
static size_t read_times(const char *path, const char *shape, double *times)
{
    static char bytes[MAX_OUTPUT];
    char header[128];
    FILE *file = fopen(path, "rb");
    if (!CHECK(file != NULL))
        return 0;
    size_t size = fread(bytes, 1, sizeof bytes, file), count = size / sizeof *times - 16;
    fclose(file);
    snprintf(header, sizeof header, "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }", shape);
    CHECK(strncmp(bytes + 10, header, strlen(header)) == 0);
    if (!CHECK(size % sizeof *times == 0 && size >= 128 && count <= MAX_TIMES))
        return 0;
    memcpy(times, bytes + 128, count * sizeof *times);
    return count;
}

// A vertex that falls through a face at 1/4, one that touches its edge at the end, one that stays above.
static const imp_SweepQuery falling[3] = {
    {{{0.25, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0.25, 0.25, -3}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}},
    {{{0.5, 0.5, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0.5, 0.5, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}},
    {{{0.25, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0.25, 0.25, 2}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}},
};

static bool prepare_queries(void)
{
    if (!prepare())
        return false;
    save("falling.npy", IMPI_NPY_FLOAT64, 3, (size_t[]){3, 8, 3}, falling);
    save("none.npy", IMPI_NPY_FLOAT64, 3, (size_t[]){0, 8, 3}, NULL);
    return true;
}

TEST(first_times_are_written)
{
    double times[MAX_TIMES];
    if (!prepare_queries())
        return;
    CHECK_INT(run("sweep --queries vertex-face falling.npy -o times.npy"), 0);
    CHECK_TEXT(run_state.out, "falling.npy: 3 queries (float64), 2 touch, the first at 0.25\n"
                              "times.npy: 3 times (float64), NaN for none\n");
    CHECK_TEXT(run_state.err, "");
    CHECK_INT((int64_t)read_times("times.npy", "(3,)", times), 3);
    CHECK(times[0] == 0.25 && times[1] == 1 && isnan(times[2]));
    CHECK_INT(run("sweep --queries edge-edge falling.npy"), 0);
    CHECK_TEXT(run_state.out, "falling.npy: 3 queries (float64), 1 touch, the first at 1\n"
                              "-o TIMES.npy writes them to a file, --csv lists them\n");
    CHECK_INT(run("sweep --queries vertex-face none.npy -o times.npy"), 0);
    CHECK_TEXT(run_state.out, "none.npy: 0 queries (float64), 0 touch\n"
                              "times.npy: 0 times (float64), NaN for none\n");
    CHECK_INT((int64_t)read_times("times.npy", "(0,)", times), 0);
}

TEST(lists_are_for_programs)
{
    if (!prepare_queries())
        return;
    CHECK_INT(run("sweep --queries=vertex-face falling.npy --csv"), 0);
    CHECK_TEXT(run_state.out, "query,time\n0,0.25\n1,1\n2,\n");
    CHECK_INT(run("sweep --queries vertex-face falling.npy --json -o times.npy"), 0);
    CHECK_TEXT(run_state.out, "{\n"
                              "  \"schema_version\": 1,\n"
                              "  \"file\": \"falling.npy\",\n"
                              "  \"type\": \"float64\",\n"
                              "  \"queries\": \"vertex-face\",\n"
                              "  \"query_count\": 3,\n"
                              "  \"touch_count\": 2,\n"
                              "  \"first_time\": 0.25,\n"
                              "  \"output\": \"times.npy\"\n"
                              "}\n");
    CHECK_INT(run("sweep --queries edge-edge none.npy --json"), 0);
    CHECK_CONTAINS(run_state.out, "\"first_time\": null,\n  \"output\": null\n");
}

TEST(single_precision_is_read_as_doubles)
{
    double times[MAX_TIMES];
    float singles[3 * 24];
    if (!prepare_queries())
        return;
    for (int i = 0; i < 3 * 24; ++i)
        singles[i] = (float)(&falling[i / 24].begin[0].x)[i % 24];
    save("singles.npy", IMPI_NPY_FLOAT32, 3, (size_t[]){3, 8, 3}, singles);
    CHECK_INT(run("sweep --queries vertex-face singles.npy -o times.npy"), 0);
    CHECK_CONTAINS(run_state.out, "singles.npy: 3 queries (float32), 2 touch, the first at 0.25\n");
    CHECK_INT((int64_t)read_times("times.npy", "(3,)", times), 3);
    CHECK(times[0] == 0.25 && times[1] == 1 && isnan(times[2]));
}

// The times of a sample are the library's, and threads change no byte of them.
TEST(samples_have_the_times_of_the_library)
{
    static const char *const kinds[] = {"vertex-face", "edge-edge"};
    static imp_SweepQuery queries[MAX_TIMES];
    double times[MAX_TIMES], expected[MAX_TIMES];
    imp_Context *context = NULL;
    if (!prepare_queries())
        return;
    CHECK_INT(run("sweep --queries edge-edge --sample 1000 sample.npy"), 0);
    CHECK_TEXT(run_state.out, "sample.npy: 1000 queries\n");
    FILE *file = fopen("sample.npy", "rb");
    if (!CHECK(file && fseek(file, 128, SEEK_SET) == 0 &&
               fread(queries, sizeof *queries, MAX_TIMES, file) == MAX_TIMES))
        return;
    fclose(file);
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    for (int kind = 0; kind < 2; ++kind)
        for (int threads = 1; threads <= 5; threads += 2) {
            char line[200];
            size_t touching = 0;
            snprintf(line, sizeof line, "sweep --queries %s sample.npy -o times.npy --threads %d",
                     kinds[kind], threads);
            CHECK_INT(run(line), 0);
            CHECK_INT((int64_t)read_times("times.npy", "(1000,)", times), MAX_TIMES);
            CHECK_INT(
                (kind == 0 ? imp_sweep_vertex_faces : imp_sweep_edges)(context, queries, MAX_TIMES, expected),
                IMP_STATUS_OK);
            CHECK(memcmp(times, expected, sizeof times) == 0);
            for (int i = 0; i < MAX_TIMES; ++i)
                touching += !isnan(times[i]);
            CHECK(touching > 50 && touching < 500);
        }
    imp_context_destroy(context);
}

TEST(bad_queries_are_one_line_and_status_2)
{
    imp_SweepQuery bad[3];
    if (!prepare_queries())
        return;
    memcpy(bad, falling, sizeof bad);
    bad[1].end[3].y = NAN;
    save("nan.npy", IMPI_NPY_FLOAT64, 3, (size_t[]){3, 8, 3}, bad);
    bad[1].end[3].y = 0, bad[2].begin[0].x = -INFINITY;
    save("infinite.npy", IMPI_NPY_FLOAT64, 3, (size_t[]){3, 8, 3}, bad);
    save("rows.npy", IMPI_NPY_FLOAT64, 2, (size_t[]){3, 24}, falling);
    save("parted.npy", IMPI_NPY_FLOAT64, 4, (size_t[]){3, 2, 4, 3}, falling);
    CHECK_INT(system("head -c 300 falling.npy >cut.npy"), 0);
    write_file("kept.npy", "as it was");
    check_fails("sweep --queries vertex-face nan.npy -o kept.npy",
                "impinge: nan.npy: query 1 has a coordinate that is not finite\n");
    check_fails("sweep --queries edge-edge infinite.npy -o kept.npy",
                "impinge: infinite.npy: query 2 has a coordinate that is not finite\n");
    check_fails("sweep --queries vertex-face rows.npy -o kept.npy",
                "rows.npy: expected an array of the shape (queries, 8, 3)");
    check_fails("sweep --queries vertex-face parted.npy", "expected an array of the shape (queries, 8, 3)");
    check_fails("sweep --queries vertex-face cut.npy", "cut.npy: the file ends here");
    check_fails("sweep --queries vertex-face box.obj", "box.obj: this is no NumPy array file");
    check_fails("sweep --queries vertex-face missing.npy", "missing.npy: can't open it");
    check_fails("sweep --queries vertex-face falling.npy --max-file-bytes 100", "falling.npy: ");
    check_fails("sweep --queries vertex-face falling.npy -o /nonexistent/t.npy",
                "/nonexistent/t.npy: can't be written");
    CHECK(read_file("kept.npy", run_state.out));
    CHECK_TEXT(run_state.out, "as it was");
}

TEST(bad_command_lines_about_queries_are_one_line_and_status_2)
{
    if (!prepare_queries())
        return;
    check_fails("sweep --queries vertex-face", "arguments expected");
    check_fails("sweep --queries faces falling.npy",
                "impinge: --queries: expected vertex-face or edge-edge, got \"faces\"\n");
    check_fails("sweep --queries edge-edge falling.npy none.npy", "unexpected argument 'none.npy'");
    // Before anything is read.
    check_fails("sweep --queries edge-edge missing.npy -o times.csv",
                "impinge: times.csv: times are written as .npy, and the name does not end in it\n");
    check_fails("sweep --queries edge-edge falling.npy -o ./falling.npy",
                "impinge: ./falling.npy would be written over the queries\n");
    CHECK_INT(run("sweep --queries edge-edge falling.npy"), 0);
    check_fails("sweep --queries edge-edge falling.npy --csv --json", "--csv and --json exclude each other");
    check_fails("sweep --queries edge-edge falling.npy --threads 0", "whole number");
    check_fails("sweep --queries edge-edge --sample 0 a.npy", "whole number");
    check_fails("sweep --queries edge-edge --sample 3 a.csv", "a.csv: queries are written as .npy");
    check_fails("sweep --queries edge-edge --sample 3 a.npy -o b.npy", "--output makes no sense");
    check_fails("sweep --queries edge-edge --sample 3 /nonexistent/a.npy", "can't be written");
    CHECK(access("a.npy", F_OK) != 0 && access("b.npy", F_OK) != 0 && access("times.csv", F_OK) != 0);
}
