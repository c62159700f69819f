// impinge pairs, run as a program.
#define _XOPEN_SOURCE 700 // for program.h

#include "program.h"

#include "npy_files.h"
#include "sanitizers.h"

#include <math.h>

#define HEADER_SIZE 128

// A line of cubes that touch face to face, and one far away.
static const double line_of_boxes[] = {
    0, 0, 0, 1, 1, 1, 1, 0, 0, 2, 1, 1, 2, 0, 0, 3, 1, 1, 50, 50, 50, 51, 51, 51,
};

// Boxes of both types, and three frames: the second box leaves both neighbours and comes back to one.
static bool prepare_boxes(void)
{
    if (!prepare())
        return false;
    float floats[24];
    double frames[3][24];
    for (int i = 0; i < 24; ++i)
        floats[i] = (float)line_of_boxes[i];
    for (int frame = 0; frame < 3; ++frame)
        memcpy(frames[frame], line_of_boxes, sizeof line_of_boxes);
    frames[1][6 + 1] += 7, frames[1][6 + 4] += 7;
    frames[2][6 + 0] += 0.5, frames[2][6 + 3] += 0.5;
    save("boxes.npy", IMPI_NPY_FLOAT64, 2, (size_t[]){4, 6}, line_of_boxes);
    save("floats.npy", IMPI_NPY_FLOAT32, 2, (size_t[]){4, 6}, floats);
    save("none.npy", IMPI_NPY_FLOAT32, 2, (size_t[]){0, 6}, NULL);
    save("motion.npy", IMPI_NPY_FLOAT64, 3, (size_t[]){3, 4, 6}, frames);
    save("no_frames.npy", IMPI_NPY_FLOAT64, 3, (size_t[]){0, 4, 6}, NULL);
    return true;
}

static void check_array(const char *path, const char *shape, const uint32_t *numbers, size_t count)
{
    static char content[MAX_OUTPUT];
    char header[HEADER_SIZE];
    FILE *file = fopen(path, "rb");
    if (!CHECK(file != NULL))
        return;
    size_t size = fread(content, 1, sizeof content, file);
    fclose(file);
    snprintf(header, sizeof header, "{'descr': '<u4', 'fortran_order': False, 'shape': %s, }", shape);
    CHECK_INT((int64_t)size, (int64_t)(HEADER_SIZE + count * sizeof *numbers));
    CHECK(strncmp(content + 10, header, strlen(header)) == 0);
    CHECK(count == 0 || memcmp(content + HEADER_SIZE, numbers, count * sizeof *numbers) == 0);
}

TEST(touching_boxes_are_pairs)
{
    if (!prepare_boxes())
        return;
    static const char *const files[] = {"boxes.npy", "floats.npy"};
    char line[200];
    for (int i = 0; i < 2; ++i) {
        snprintf(line, sizeof line, "pairs %s --count", files[i]);
        CHECK_INT(run(line), 0);
        CHECK_TEXT(run_state.out, "2\n");
        snprintf(line, sizeof line, "pairs %s -o pairs.npy --count", files[i]);
        CHECK_INT(run(line), 0);
        CHECK_TEXT(run_state.out, "2\n");
        CHECK_TEXT(run_state.err, "");
        check_array("pairs.npy", "(2, 2)", (uint32_t[]){0, 1, 1, 2}, 4);
    }
    CHECK_INT(run("pairs boxes.npy --csv"), 0);
    CHECK_TEXT(run_state.out, "box_a,box_b\n0,1\n1,2\n");
}

TEST(the_summary_says_where_pairs_go)
{
    if (!prepare_boxes())
        return;
    CHECK_INT(run("pairs boxes.npy"), 0);
    CHECK_TEXT(run_state.out, "boxes.npy: 4 boxes (float64), 2 pairs touch\n"
                              "-o PAIRS.npy writes them to a file, --csv lists them\n");
    CHECK_INT(run("pairs floats.npy --output=out.npy"), 0);
    CHECK_TEXT(run_state.out, "floats.npy: 4 boxes (float32), 2 pairs touch\n"
                              "out.npy: 2 rows (uint32) of box, box\n");
}

TEST(no_boxes_have_no_pairs)
{
    if (!prepare_boxes())
        return;
    CHECK_INT(run("pairs none.npy --count"), 0);
    CHECK_TEXT(run_state.out, "0\n");
    CHECK_INT(run("pairs none.npy -o none_pairs.npy --stats"), 0);
    check_array("none_pairs.npy", "(0, 2)", NULL, 0);
    CHECK_INT(run("pairs no_frames.npy -o none_pairs.npy"), 0);
    check_array("none_pairs.npy", "(0, 3)", NULL, 0);
    CHECK_INT(run("pairs no_frames.npy --csv"), 0);
    CHECK_TEXT(run_state.out, "frame,pairs,begun,ended\n");
}

TEST(frames_tell_what_begins_and_ends)
{
    if (!prepare_boxes())
        return;
    CHECK_INT(run("pairs motion.npy"), 0);
    CHECK_TEXT(run_state.out, "     frame        pairs        begun        ended\n"
                              "         0            2            2            0\n"
                              "         1            0            0            2\n"
                              "         2            1            1            0\n");
    CHECK_INT(run("pairs motion.npy --csv"), 0);
    CHECK_TEXT(run_state.out, "frame,pairs,begun,ended\n0,2,2,0\n1,0,0,2\n2,1,1,0\n");
    CHECK_INT(run("pairs motion.npy --count"), 0);
    CHECK_TEXT(run_state.out, "2\n0\n1\n");
    CHECK_INT(run("pairs motion.npy -o motion_pairs.npy --json"), 0);
    CHECK_CONTAINS(run_state.out, "\"ended_count\": 2");
    check_array("motion_pairs.npy", "(3, 3)", (uint32_t[]){0, 0, 1, 0, 1, 2, 2, 1, 2}, 9);
}

TEST(figures_and_answers_stay_apart)
{
    if (!prepare_boxes())
        return;
    CHECK_INT(run("pairs boxes.npy --count --stats"), 0);
    CHECK_TEXT(run_state.out, "2\n");
    CHECK_CONTAINS(run_state.err, "levels     2, of 1 1 blocks\n");
    CHECK_INT(run("pairs boxes.npy --stats --threads 1"), 0);
    CHECK_CONTAINS(run_state.out, "threads    1\n");
    CHECK_CONTAINS(run_state.out, "occupancy  25.0 %");
    CHECK_CONTAINS(run_state.out, "search ");
    CHECK_CONTAINS(run_state.out, "memory ");
    CHECK_TEXT(run_state.err, "");
    CHECK_INT(run("pairs motion.npy --stats"), 0);
    CHECK_CONTAINS(run_state.out, " searches\n");
    CHECK_CONTAINS(run_state.out, "levels     2, of 1 1 blocks\n");
    CHECK_INT(run("pairs boxes.npy --json --stats"), 0);
    CHECK_CONTAINS(run_state.out, "\"pair_count\": 2,");
    CHECK_CONTAINS(run_state.out, "\"block_counts\": [1, 1],");
    if (system("python3 -c 'import json' >.checked 2>&1") == 0)
        CHECK_INT(system("python3 -m json.tool <.out >.checked"), 0);
}

TEST(files_are_written_by_their_suffix)
{
    if (!prepare_boxes())
        return;
    static char content[MAX_OUTPUT];
    CHECK_INT(run("pairs boxes.npy -o pairs.csv"), 0);
    CHECK_TEXT(run_state.out, "boxes.npy: 4 boxes (float64), 2 pairs touch\npairs.csv: 2 rows of box, box\n");
    CHECK(read_file("pairs.csv", content));
    CHECK_TEXT(content, "box_a,box_b\n0,1\n1,2\n");
    CHECK_INT(run("pairs motion.npy -o motion.CSV --count"), 0);
    CHECK(read_file("motion.CSV", content));
    CHECK_TEXT(content, "frame,box_a,box_b\n0,0,1\n0,1,2\n2,1,2\n");
    CHECK_INT(run("pairs no_frames.npy -o none.csv"), 0);
    CHECK(read_file("none.csv", content));
    CHECK_TEXT(content, "frame,box_a,box_b\n");
    // Before anything is read.
    check_fails("pairs missing.npy -o pairs.json",
                "impinge: pairs.json: pairs are written as .npy or .csv, and the name ends in neither\n");
    check_fails("pairs boxes.npy -o ./boxes.npy", "./boxes.npy would be written over the boxes");
    check_fails("pairs boxes.npy -o pairs", "pairs: pairs are written as .npy or .csv");
    check_fails("pairs --sample 3 sample.csv", "sample.csv: boxes are written as .npy");
    CHECK(access("pairs.json", F_OK) != 0 && access("pairs", F_OK) != 0 && access("sample.csv", F_OK) != 0);
}

// The third of the line of boxes alone, twice; and in other places in other frames.
static void save_others(void)
{
    static const int16_t others[2][4] = {{2, 0, 3, 1}, {2, 0, 3, 1}};
    float corners[2][2][3] = {{{2, 0, 0}, {3, 1, 1}}, {{2, 0, 0}, {3, 1, 1}}}, frames[3][1][2][3];
    for (int i = 0; i < 3; ++i) {
        memcpy(frames[i][0], corners[0], sizeof corners[0]);
        frames[i][0][0][0] -= (float)i;
    }
    save("others.npy", IMPI_NPY_FLOAT32, 3, (size_t[]){2, 2, 3}, corners);
    save("moving.npy", IMPI_NPY_FLOAT32, 4, (size_t[]){3, 1, 2, 3}, frames);
    save("flat.npy", IMPI_NPY_INT16, 2, (size_t[]){2, 4}, others);
}

TEST(two_files_have_pairs_between_them)
{
    if (!prepare_boxes())
        return;
    save_others();
    CHECK_INT(run("pairs boxes.npy others.npy"), 0);
    CHECK_TEXT(run_state.out, "boxes.npy: 4 boxes (float64), others.npy: 2 boxes (float32), 4 pairs touch\n"
                              "-o PAIRS.npy writes them to a file, --csv lists them\n");
    CHECK_INT(run("pairs boxes.npy others.npy --count"), 0);
    CHECK_TEXT(run_state.out, "4\n");
    CHECK_INT(run("pairs boxes.npy others.npy --csv"), 0);
    CHECK_TEXT(run_state.out, "box_a,box_b\n1,0\n1,1\n2,0\n2,1\n");
    CHECK_INT(run("pairs others.npy boxes.npy -o between.npy --stats"), 0);
    check_array("between.npy", "(4, 2)", (uint32_t[]){0, 1, 0, 2, 1, 1, 1, 2}, 8);
    CHECK_INT(run("pairs boxes.npy others.npy --json"), 0);
    CHECK_CONTAINS(run_state.out, "\"others\": {");
    CHECK_CONTAINS(run_state.out, "\"box_count\": 2");
    CHECK_INT(run("pairs none.npy boxes.npy --count"), 0);
    CHECK_TEXT(run_state.out, "0\n");
    check_fails("pairs boxes.npy flat.npy", "impinge: boxes.npy has boxes of 3 dimensions, flat.npy of 2\n");
}

TEST(two_files_in_motion)
{
    if (!prepare_boxes())
        return;
    save_others();
    CHECK_INT(run("pairs motion.npy moving.npy --csv"), 0);
    CHECK_TEXT(run_state.out, "frame,pairs,begun,ended\n0,2,2,0\n1,2,1,1\n2,3,1,0\n");
    CHECK_INT(run("pairs motion.npy moving.npy -o between.npy --threads 2"), 0);
    check_array("between.npy", "(7, 3)",
                (uint32_t[]){0, 1, 0, 0, 2, 0, 1, 0, 0, 1, 2, 0, 2, 0, 0, 2, 1, 0, 2, 2, 0}, 21);
    CHECK_INT(run("pairs moving.npy motion.npy -o between.npy"), 0);
    check_array("between.npy", "(7, 3)",
                (uint32_t[]){0, 0, 1, 0, 0, 2, 1, 0, 0, 1, 0, 2, 2, 0, 0, 2, 0, 1, 2, 0, 2}, 21);
    check_fails(
        "pairs motion.npy boxes.npy",
        "impinge: motion.npy has frames, boxes.npy has none; expected frames in both or in neither\n");
    check_fails("pairs no_frames.npy motion.npy",
                "impinge: no_frames.npy has 0 frames, motion.npy has 3; expected the same number in both\n");
}

TEST(a_margin_is_exact_at_its_border)
{
    if (!prepare_boxes())
        return;
    // Rounded, 0.4F - 0.3F <= 0.1F and 0.8 - 0.3 <= 0.5; in exact arithmetic on these numbers neither holds.
    float floats[2][4] = {{0, 0, 0.1F, 1}, {0.4F, 0, 0.5F, 1}};
    double doubles[2][2][2] = {{{0, 0}, {0.5, 1}}, {{0.8, 0}, {0.9, 1}}};
    int8_t integers[2][4] = {{-5, -5, -1, -1}, {1, 1, 2, 2}};
    save("near_floats.npy", IMPI_NPY_FLOAT32, 2, (size_t[]){2, 4}, floats);
    save("near_doubles.npy", IMPI_NPY_FLOAT64, 3, (size_t[]){2, 2, 2}, doubles);
    save("near_integers.npy", IMPI_NPY_INT8, 2, (size_t[]){2, 4}, integers);
    static const struct {
        const char *line, *count;
    } cases[] = {
        {"pairs near_floats.npy --margin 0.3 --count", "0\n"},
        {"pairs near_floats.npy --margin 0.30000000447034836 --count", "1\n"},
        {"pairs near_floats.npy --margin 0.3000000044703483 --count", "0\n"},
        {"pairs near_doubles.npy --margin 0.3 --count", "0\n"},
        {"pairs near_doubles.npy --margin 0.30000000000000004 --count", "1\n"},
        {"pairs near_integers.npy --margin 2 --count", "1\n"},
        {"pairs near_integers.npy --margin 1.9999999999999998 --count", "0\n"},
        {"pairs near_integers.npy --margin 0 --count", "0\n"},
        {"pairs near_integers.npy near_integers.npy --margin 2 --count", "4\n"},
        {"pairs boxes.npy --margin 1.7e308 --count", "6\n"},
        {"pairs motion.npy --margin 6 --count", "3\n3\n3\n"},
        {"pairs motion.npy --margin 5.9999999999999991 --count", "3\n1\n3\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        CHECK_INT(run(cases[i].line), 0);
        CHECK_TEXT(run_state.out, cases[i].count);
    }
    CHECK_INT(run("pairs near_integers.npy --margin 2"), 0);
    CHECK_CONTAINS(run_state.out, "near_integers.npy: 2 boxes (int8), 1 pairs at most 2 apart\n");
    CHECK_INT(run("pairs near_integers.npy --margin 2.5 --json"), 0);
    CHECK_CONTAINS(run_state.out, "\"margin\": 2.5");
}

TEST(threads_do_not_change_a_byte)
{
    if (!prepare_boxes())
        return;
    CHECK_INT(run("pairs --sample 20000 sample.npy"), 0);
    CHECK_INT(run("pairs --sample 3000 moving.npy --frames 6"), 0);
    CHECK_TEXT(run_state.out, "moving.npy: 3000 boxes in 6 frames\n");
    static const char *const threads[] = {"1", "2", "5"};
    for (int i = 0; i < 3; ++i) {
        char line[200];
        snprintf(line, sizeof line, "pairs sample.npy -o sample%s.npy --threads %s --count", threads[i],
                 threads[i]);
        CHECK_INT(run(line), 0);
        CHECK(atoi(run_state.out) > 5000);
        snprintf(line, sizeof line, "pairs moving.npy -o moving%s.npy --threads %s", threads[i], threads[i]);
        CHECK_INT(run(line), 0);
    }
    CHECK_INT(system("cmp sample1.npy sample2.npy && cmp sample1.npy sample5.npy"), 0);
    CHECK_INT(system("cmp moving1.npy moving2.npy && cmp moving1.npy moving5.npy"), 0);
}

TEST(bad_files_are_one_line_and_status_2)
{
    if (!prepare_boxes())
        return;
    double bad[24];
    memcpy(bad, line_of_boxes, sizeof bad);
    bad[13] = 9; // its min exceeds its max
    save("inverted.npy", IMPI_NPY_FLOAT64, 2, (size_t[]){4, 6}, bad);
    save("inverted_frame.npy", IMPI_NPY_FLOAT64, 3, (size_t[]){2, 2, 6}, bad);
    bad[15] = NAN, bad[13] = 0;
    save("nan.npy", IMPI_NPY_FLOAT64, 2, (size_t[]){4, 6}, bad);
    float huge[6] = {0, 0, -INFINITY, 1, 1, 1}, narrow[6] = {0.1F, 0, 0, 0.05F, 1, 1};
    save("infinite.npy", IMPI_NPY_FLOAT32, 2, (size_t[]){1, 6}, huge);
    save("narrow.npy", IMPI_NPY_FLOAT32, 2, (size_t[]){1, 6}, narrow);
    int64_t wide[2][4] = {{0, 0, INT64_C(1) << 62, 1}, {0, 0, 1, INT64_C(9007199254740993)}};
    save("wide.npy", IMPI_NPY_INT64, 2, (size_t[]){2, 4}, wide);
    uint16_t halves[6] = {0};
    save("halves.npy", IMPI_NPY_UINT16, 2, (size_t[]){1, 6}, halves);
    CHECK_INT(system("sed 's/<u2/<f2/' halves.npy >half_floats.npy"), 0);
    save("points.npy", IMPI_NPY_FLOAT32, 2, (size_t[]){2, 3}, bad);
    CHECK_INT(system("head -c 200 boxes.npy >cut.npy"), 0);
    check_fails("pairs inverted.npy", "impinge: inverted.npy: box 2: min y 9 exceeds max y 1\n");
    check_fails("pairs inverted.npy --csv", "inverted.npy: box 2: min y 9 exceeds max y 1\n");
    check_fails("pairs inverted.npy --margin 20", "inverted.npy: box 2: min y 9 exceeds max y 1\n");
    check_fails("pairs boxes.npy inverted.npy", "impinge: inverted.npy: box 2: min y 9 exceeds max y 1\n");
    check_fails("pairs inverted_frame.npy", "inverted_frame.npy: frame 1: box 0: min y 9 exceeds max y 1\n");
    check_fails("pairs nan.npy", "nan.npy: box 2: max x is nan\n");
    check_fails("pairs infinite.npy", "infinite.npy: box 0: min z is -inf\n");
    check_fails("pairs narrow.npy", "narrow.npy: box 0: min x 0.1 exceeds max x 0.05\n");
    check_fails("pairs wide.npy", "wide.npy: box 1: max y 9007199254740993 is no double\n");
    check_fails("pairs half_floats.npy", "half_floats.npy: the array is of type '<f2', expected float32, ");
    check_fails("pairs points.npy", "points.npy: expected an array of the shape (boxes, 6)");
    check_fails("pairs cut.npy", "cut.npy: the file ends here");
    check_fails("pairs box.obj", "box.obj: this is no NumPy array file");
    check_fails("pairs missing.npy", "missing.npy: can't open it");
    check_fails("pairs .", "Is a directory");
    check_fails("pairs boxes.npy -o /nonexistent/pairs.npy", "/nonexistent/pairs.npy: can't be written");
}

TEST(bad_command_lines_are_one_line_and_status_2)
{
    if (!prepare_boxes())
        return;
    check_fails("pairs", "BOXES.npy");
    check_fails("pairs boxes.npy floats.npy none.npy", "unexpected argument 'none.npy'");
    check_fails("pairs boxes.npy --margin -1", "--margin: expected a length of 0 or more");
    check_fails("pairs boxes.npy --margin nan", "--margin: expected a length of 0 or more");
    check_fails("pairs boxes.npy --margin 1e999", "--margin: expected a length of 0 or more");
    check_fails("pairs --sample 3 a.npy --margin 1", "--margin makes no sense");
    check_fails("pairs --sample 3 a.npy b.npy", "unexpected argument 'b.npy'");
    check_fails("pairs boxes.npy --csv --json", "--csv and --json exclude each other");
    check_fails("pairs boxes.npy --count --json", "--count and --json exclude each other");
    check_fails("pairs boxes.npy --threads 0", "whole number");
    check_fails("pairs boxes.npy --frames 3", "--frames is for --sample");
    check_fails("pairs --sample 0 a.npy", "whole number");
    check_fails("pairs --sample 3 a.npy --count", "--count makes no sense");
    check_fails("pairs --sample 3 /nonexistent/a.npy", "can't be written");
    CHECK(access("a.npy", F_OK) != 0);
}

TEST(a_failed_write_leaves_what_was_there)
{
    if (!prepare_boxes())
        return;
#ifdef TEST_UNDER_SANITIZER
    test_skip("under the thread sanitizer the limit on file sizes ends the program");
    return;
#endif
    static char content[MAX_OUTPUT];
    write_file("kept.npy", "as it was");
    FILE *pipe =
        popen("(ulimit -f 0; \"$IMPINGE_BIN\" pairs boxes.npy -o kept.npy; echo status $?) 2>&1", "r");
    if (!CHECK(pipe != NULL))
        return;
    content[fread(content, 1, sizeof content - 1, pipe)] = 0;
    pclose(pipe);
    CHECK(strncmp(content, "impinge: kept.npy: writing failed: ", 35) == 0);
    CHECK_CONTAINS(content, "\nstatus 2\n");
    CHECK(read_file("kept.npy", content));
    CHECK_TEXT(content, "as it was");
}
