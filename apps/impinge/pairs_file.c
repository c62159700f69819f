#include "pairs_file.h"

#include "kit/argument_text.h"
#include "kit/npy_writer.h"

CommandResult pairs_file_check(const char *path)
{
    if (impi_file_ends_in(path, "npy") || impi_file_ends_in(path, "csv"))
        return COMMAND_DONE;
    return command_fail("%s: pairs are written as .npy or .csv, and the name ends in neither", path);
}

void pairs_put_row(impi_Text *text, const uint32_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        impi_text_put_integer(text, numbers[i]);
        impi_text_put(text, i + 1 < count ? "," : "\n");
    }
}

void pairs_put_heading(bool has_frames, impi_Text *text)
{
    impi_text_put(text, has_frames ? "frame,box_a,box_b\n" : "box_a,box_b\n");
}

void pairs_put_rows(const PairsRun *run, impi_Text *text)
{
    pairs_put_heading(run->has_frames, text);
    for (size_t i = 0; run->has_frames && i < run->row_count; i += MAX_PAIR_COLUMNS)
        pairs_put_row(text, run->rows + i, MAX_PAIR_COLUMNS);
    for (size_t i = 0; !run->has_frames && i < run->frames[0].pair_count; ++i)
        pairs_put_row(text, (uint32_t[]){run->pairs[i].a, run->pairs[i].b}, 2);
}

static imp_Status save_csv(const PairsRun *run, const char *path)
{
    impi_Text text;
    impi_text_begin(&text);
    pairs_put_rows(run, &text);
    imp_Status status = impi_text_save(run->context, &text, path);
    impi_text_free(&text);
    return status;
}

static imp_Status save_array(const PairsRun *run, const char *path)
{
    impi_NpyArray array = {IMPI_NPY_UINT32, 2, {(size_t)pairs_run_total(run), 2}, run->pairs};
    if (run->has_frames) {
        array.shape[1] = MAX_PAIR_COLUMNS;
        array.numbers = run->rows;
    }
    return impi_npy_save(run->context, path, &array);
}

CommandResult pairs_file_save(const PairsRun *run, const char *path)
{
    imp_Status status = impi_file_ends_in(path, "csv") ? save_csv(run, path) : save_array(run, path);
    return status == IMP_STATUS_OK ? COMMAND_DONE : command_fail_in(run->context);
}
