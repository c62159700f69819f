// Parts of NumPy files of boxes, as processes read them that each need some.
#include "harness.h"

#include "base/context.h"
#include "kit/npy_reader.h"
#include "kit/npy_writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FRAMES 3
#define BOXES  5

static char path[64];

static void remove_file(void)
{
    unlink(path);
}

static imp_Context *begin(void)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    if (!path[0]) {
        strcpy(path, "/tmp/impinge-parts-XXXXXX");
        int descriptor = mkstemp(path);
        CHECK(descriptor >= 0 && close(descriptor) == 0);
        atexit(remove_file);
    }
    return context;
}

static void fill(double rows[FRAMES][BOXES][6])
{
    for (int i = 0; i < FRAMES * BOXES * 6; ++i)
        rows[i / (BOXES * 6)][i / 6 % BOXES][i % 6] = i;
}

static void write_rows(imp_Context *context, double rows[FRAMES][BOXES][6])
{
    CHECK_INT(impi_npy_save(context, path, &(impi_NpyArray){IMPI_NPY_FLOAT64, 3, {FRAMES, BOXES, 6}, rows}),
              IMP_STATUS_OK);
}

TEST(every_part_is_that_of_the_whole)
{
    static double rows[FRAMES][BOXES][6];
    imp_Context *context = begin();
    impi_NpyBoxFile file;
    fill(rows);
    write_rows(context, rows);
    CHECK_INT(impi_npy_box_file_open(context, path, &file), IMP_STATUS_OK);
    CHECK_INT((int64_t)file.all.frame_count, FRAMES);
    CHECK_INT((int64_t)file.all.box_count, BOXES);
    for (size_t frame = 0; frame < FRAMES; ++frame)
        for (size_t first = 0; first <= BOXES; ++first)
            for (size_t count = 0; first + count <= BOXES; ++count) {
                impi_NpyPart part = {frame, first, count};
                impi_NpyBoxes boxes;
                CHECK_INT(impi_npy_part_read(&file, &part, &boxes), IMP_STATUS_OK);
                CHECK_INT(impi_npy_part_check(&file, &part, &boxes), IMP_STATUS_OK);
                imp_BoxArray array = impi_npy_frame(&boxes, 0);
                CHECK_INT((int64_t)array.count, (int64_t)count);
                CHECK(count == 0 || memcmp(array.boxes, rows[frame][first], count * sizeof rows[0][0]) == 0);
                impi_npy_free_boxes(context, &boxes);
            }
    impi_npy_box_file_close(&file);
    imp_context_destroy(context);
}

TEST(errors_name_boxes_of_the_whole_file)
{
    static double rows[FRAMES][BOXES][6];
    imp_Context *context = begin();
    impi_NpyBoxFile file;
    impi_NpyBoxes boxes;
    fill(rows);
    rows[2][3][5] = NAN;
    write_rows(context, rows);
    CHECK_INT(impi_npy_box_file_open(context, path, &file), IMP_STATUS_OK);
    impi_NpyPart part = {2, 1, 4};
    CHECK_INT(impi_npy_part_read(&file, &part, &boxes), IMP_STATUS_OK);
    CHECK_INT(impi_npy_part_check(&file, &part, &boxes), IMP_STATUS_BAD_NUMBER);
    CHECK_CONTAINS(imp_context_get_error(context)->message, ": frame 2: box 3: max z is nan");
    CHECK_INT((int64_t)imp_context_get_error(context)->index, 3);
    impi_npy_free_boxes(context, &boxes);
    impi_npy_box_file_close(&file);
    CHECK_INT(impi_npy_box_file_open(context, "/dev/null", &file), IMP_STATUS_UNSUPPORTED);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "/dev/null: it is no regular file");
    CHECK_INT(truncate(path, 300), 0);
    CHECK_INT(impi_npy_box_file_open(context, path, &file), IMP_STATUS_BAD_FILE);
    imp_context_destroy(context);
}
