#include "kit/npy_reader.h"

#include "io/checksum.h"
#include "kit/box_check.h"
#include "kit/box_margin.h"
#include "kit/npy_source.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define ROW_LENGTH 6

// Where the numbers of a box are, in numbers from the first one on.
typedef struct Layout {
    unsigned axes; // 2 or 3
    size_t frame_stride, box_stride, corner_stride, axis_stride;
} Layout;

static imp_Status check_shape(const impi_NpySource *source, impi_NpyBoxes *boxes, Layout *layout)
{
    const impi_NpyHeader *header = &source->header;
    unsigned count = header->dimension_count;
    const uint64_t *end = header->shape + count;
    impi_Place place = impi_npy_place(source, header->shape_offset);
    bool has_rows = count >= 2 && (end[-1] == 6 || end[-1] == 4);
    bool has_corners = count >= 3 && end[-2] == 2 && (end[-1] == 3 || end[-1] == 2);
    unsigned before = has_rows ? count - 1 : count - 2; // dimensions that count boxes, or frames and boxes
    if ((!has_rows && !has_corners) || before > 2)
        return impi_fail_at(
            source->context, IMP_STATUS_UNSUPPORTED, place,
            "expected an array of the shape (boxes, 6) or (boxes, 2, 3), or of flat boxes (boxes, "
            "4) or (boxes, 2, 2), or with frames before the boxes");
    layout->axes = has_rows ? (unsigned)end[-1] / 2 : (unsigned)end[-1];
    boxes->is_flat = layout->axes == 2;
    boxes->has_frames = before == 2;
    boxes->frame_count = boxes->has_frames ? header->shape[0] : 1;
    boxes->box_count = header->shape[before - 1];
    // There would be no end of them, in no bytes at all.
    if (boxes->has_frames && boxes->frame_count > 0 && boxes->box_count == 0)
        return impi_fail_at(source->context, IMP_STATUS_UNSUPPORTED, place,
                            "the frames have no boxes, expected at least one");
    return IMP_STATUS_OK;
}

// Numbers of a box in rows follow each other as in corners, except in Fortran order, where the first index
// runs fastest.
static void lay_out(const impi_NpyHeader *header, const impi_NpyBoxes *boxes, Layout *layout)
{
    size_t axes = layout->axes, frames = boxes->frame_count, count = boxes->box_count;
    bool has_rows = header->shape[header->dimension_count - 1] == 2 * axes;
    if (header->fortran_order) {
        layout->frame_stride = 1;
        layout->box_stride = frames;
        layout->corner_stride = frames * count * (has_rows ? axes : 1);
        layout->axis_stride = frames * count * (has_rows ? 1 : 2);
    } else {
        layout->axis_stride = 1;
        layout->corner_stride = axes;
        layout->box_stride = 2 * axes;
        layout->frame_stride = 2 * axes * count;
    }
}

// ---- numbers

static size_t row_size(const impi_NpyBoxes *boxes)
{
    return ROW_LENGTH * (boxes->is_float ? sizeof(float) : sizeof(double));
}

// Where numbers are read from, and which boxes of the file they are.
typedef struct Numbers {
    const impi_NpySource *source;
    const unsigned char *bytes; // of the first box
    size_t first_frame, first_box;
} Numbers;

static imp_Status fail_in_box(const Numbers *numbers, const impi_NpyBoxes *boxes, size_t frame, size_t box,
                              const char *what)
{
    const impi_NpySource *source = numbers->source;
    impi_Place place = IMPI_NO_PLACE;
    frame += numbers->first_frame;
    box += numbers->first_box;
    place.file = source->name;
    place.index = box;
    if (boxes->has_frames)
        return impi_fail_at(source->context, IMP_STATUS_BAD_NUMBER, place, "frame %zu: box %zu: %s", frame,
                            box, what);
    return impi_fail_at(source->context, IMP_STATUS_BAD_NUMBER, place, "box %zu: %s", box, what);
}

static imp_Status fail_no_double(const Numbers *numbers, const impi_NpyBoxes *boxes, size_t frame, size_t box,
                                 size_t column, const char *digits)
{
    char what[IMPI_MAX_BOX_FAULT];
    snprintf(what, sizeof what, "%s %s is no double", impi_box_number_name(column), digits);
    return fail_in_box(numbers, boxes, frame, box, what);
}

// A row of six, with zeros for an axis that flat boxes lack.
static imp_Status copy_box(const Numbers *numbers, const impi_NpyBoxes *boxes, const Layout *layout,
                           size_t frame, size_t box)
{
    const impi_NpySource *source = numbers->source;
    size_t first = frame * layout->frame_stride + box * layout->box_stride;
    size_t size = impi_npy_type_size(boxes->type), row = (frame * boxes->box_count + box) * ROW_LENGTH;
    for (size_t column = 0; column < ROW_LENGTH; ++column) {
        bool is_there = column % 3 < layout->axes;
        size_t step = column / 3 * layout->corner_stride + column % 3 * layout->axis_stride;
        const unsigned char *bytes = numbers->bytes + (is_there ? size * (first + step) : 0);
        double number = 0;
        if (is_there && !impi_npy_load_double(boxes->type, bytes, source->swap, &number)) {
            char digits[IMPI_NPY_MAX_DIGITS];
            impi_npy_format_integer(boxes->type, bytes, source->swap, digits);
            return fail_no_double(numbers, boxes, frame, box, column, digits);
        }
        if (boxes->is_float)
            ((float *)boxes->storage)[row + column] = (float)number;
        else
            ((double *)boxes->storage)[row + column] = number;
    }
    return IMP_STATUS_OK;
}

static imp_Status allocate_rows(imp_Context *context, impi_NpyBoxes *boxes)
{
    boxes->storage_size = boxes->frame_count * boxes->box_count * row_size(boxes);
    boxes->storage = impi_allocate(&context->allocator, boxes->storage_size);
    if (!boxes->storage)
        return impi_fail_out_of_memory(context);
    boxes->rows = boxes->storage;
    return IMP_STATUS_OK;
}

// Are the numbers rows as they are?
static bool has_native_rows(const Numbers *numbers, const impi_NpyBoxes *boxes)
{
    const impi_NpySource *source = numbers->source;
    return (boxes->type == IMPI_NPY_FLOAT32 || boxes->type == IMPI_NPY_FLOAT64) && !boxes->is_flat &&
           !source->swap && !source->header.fortran_order &&
           (uintptr_t)numbers->bytes % impi_npy_type_size(boxes->type) == 0;
}

// The numbers where they are when they can be used there, else a copy.
static imp_Status place_rows(const Numbers *numbers, const Layout *layout, impi_NpyBoxes *boxes)
{
    boxes->rows = numbers->bytes;
    if (boxes->frame_count == 0 || boxes->box_count == 0 || has_native_rows(numbers, boxes))
        return IMP_STATUS_OK;
    imp_Status status = allocate_rows(numbers->source->context, boxes);
    for (size_t frame = 0; frame < boxes->frame_count && status == IMP_STATUS_OK; ++frame)
        for (size_t box = 0; box < boxes->box_count && status == IMP_STATUS_OK; ++box)
            status = copy_box(numbers, boxes, layout, frame, box);
    return status;
}

static imp_Status check_boxes(const Numbers *numbers, const impi_NpyBoxes *boxes)
{
    for (size_t frame = 0; frame < boxes->frame_count; ++frame) {
        imp_BoxArray rows = impi_npy_frame(boxes, frame);
        size_t bad = impi_boxes_first_bad(&rows);
        if (bad < rows.count) {
            char fault[IMPI_MAX_BOX_FAULT];
            impi_box_describe_fault(&rows, bad, fault);
            return fail_in_box(numbers, boxes, frame, bad, fault);
        }
    }
    return IMP_STATUS_OK;
}

imp_Status impi_npy_read_boxes(imp_Context *context, const void *bytes, size_t size, const char *name,
                               impi_NpyBoxes *boxes)
{
    impi_NpySource source;
    Layout layout = {0};
    imp_Status status = impi_npy_source_open(context, bytes, size, name, &source);
    if (status != IMP_STATUS_OK)
        return status;
    impi_NpyBoxes found = {.type = source.type, .is_float = impi_npy_type_fits_float(source.type)};
    status = check_shape(&source, &found, &layout);
    if (status == IMP_STATUS_OK)
        status = impi_npy_source_check_size(&source);
    if (status != IMP_STATUS_OK)
        return status;
    lay_out(&source.header, &found, &layout);
    Numbers numbers = {&source, source.bytes + source.header.data_offset, 0, 0};
    status = place_rows(&numbers, &layout, &found);
    if (status == IMP_STATUS_OK)
        status = check_boxes(&numbers, &found);
    if (status == IMP_STATUS_OK)
        *boxes = found;
    else
        impi_npy_free_boxes(context, &found);
    return status;
}

imp_Status impi_npy_load_boxes(imp_Context *context, const char *path, impi_NpyBoxes *boxes)
{
    impi_FileBytes file;
    imp_Status status = impi_npy_load_bytes(context, path, &file);
    if (status != IMP_STATUS_OK)
        return status;
    status = impi_npy_read_boxes(context, file.data, file.size, path, boxes);
    if (status == IMP_STATUS_OK && !boxes->storage)
        boxes->file = file;
    else
        impi_file_bytes_free(context, &file);
    return status;
}

void impi_npy_free_boxes(imp_Context *context, impi_NpyBoxes *boxes)
{
    impi_release(&context->allocator, boxes->storage, boxes->storage_size);
    impi_file_bytes_free(context, &boxes->file);
    *boxes = (impi_NpyBoxes){0};
}

imp_Status impi_npy_apply_margin(imp_Context *context, impi_NpyBoxes *boxes, double margin)
{
    size_t count = boxes->frame_count * boxes->box_count;
    if (margin == 0 || count == 0)
        return IMP_STATUS_OK;
    if (!boxes->storage) {
        impi_NpyBoxes copy = *boxes;
        imp_Status status = allocate_rows(context, &copy);
        if (status != IMP_STATUS_OK)
            return status;
        memcpy(copy.storage, boxes->rows, copy.storage_size);
        impi_file_bytes_free(context, &copy.file);
        *boxes = copy;
    }
    if (boxes->is_float)
        impi_float_boxes_apply_margin(boxes->storage, count, margin);
    else
        impi_boxes_apply_margin(boxes->storage, count, margin);
    return IMP_STATUS_OK;
}

imp_BoxArray impi_npy_frame(const impi_NpyBoxes *boxes, size_t frame)
{
    size_t first = frame * boxes->box_count * ROW_LENGTH;
    if (!boxes->rows) // there are none
        return (imp_BoxArray){.count = 0};
    if (boxes->is_float)
        return (imp_BoxArray){.float_boxes = (const float *)boxes->rows + first, .count = boxes->box_count};
    return (imp_BoxArray){.boxes = (const double *)boxes->rows + first, .count = boxes->box_count};
}

// ---- parts

// Longer ones are none that NumPy would read.
#define MAX_HEADER ((size_t)1 << 20)

static imp_Status read_header(impi_NpyBoxFile *file)
{
    imp_Context *context = file->source.context;
    impi_NpySource source;
    Layout layout;
    impi_FileBytes start = {0};
    imp_Status status = impi_file_bytes_read(&file->source, MAX_HEADER, NULL, &start);
    if (status != IMP_STATUS_OK)
        return status;
    status = impi_npy_source_open(context, start.data, start.size, file->source.name, &source);
    if (status == IMP_STATUS_OK) {
        source.size = (size_t)file->source.size;
        file->all = (impi_NpyBoxes){.type = source.type, .is_float = impi_npy_type_fits_float(source.type)};
        file->header = source.header;
        file->swap = source.swap;
        file->checksum = impi_checksum(0, start.data, source.header.data_offset);
        status = check_shape(&source, &file->all, &layout);
    }
    if (status == IMP_STATUS_OK)
        status = impi_npy_source_check_size(&source);
    impi_file_bytes_free(context, &start);
    return status;
}

imp_Status impi_npy_box_file_open(imp_Context *context, const char *path, impi_NpyBoxFile *file)
{
    struct stat info;
    impi_Place place = IMPI_NO_PLACE;
    place.file = path;
    imp_Status status = impi_file_source_open(context, path, path, &file->source);
    if (status != IMP_STATUS_OK)
        return status;
    bool is_regular = fstat(file->source.descriptor, &info) == 0 && S_ISREG(info.st_mode);
    if (!is_regular)
        status = impi_fail_at(context, IMP_STATUS_UNSUPPORTED, place,
                              "it is no regular file, of which several processes could read parts");
    else
        file->time_ns = (uint64_t)info.st_mtim.tv_sec * 1000000000 + (uint64_t)info.st_mtim.tv_nsec;
    if (status == IMP_STATUS_OK)
        status = read_header(file);
    if (status != IMP_STATUS_OK)
        impi_npy_box_file_close(file);
    return status;
}

void impi_npy_box_file_close(impi_NpyBoxFile *file)
{
    impi_file_source_close(&file->source);
}

static impi_NpySource source_of(impi_NpyBoxFile *file)
{
    return (impi_NpySource){.context = file->source.context,
                            .name = file->source.name,
                            .header = file->header,
                            .type = file->all.type,
                            .swap = file->swap};
}

imp_Status impi_npy_part_read(impi_NpyBoxFile *file, const impi_NpyPart *part, impi_NpyBoxes *boxes)
{
    impi_NpySource source = source_of(file);
    impi_NpyBoxes found = file->all;
    impi_FileBytes bytes = {0};
    Layout layout = {.axes = found.is_flat ? 2 : 3};
    lay_out(&file->header, &found, &layout);
    found.frame_count = 1;
    found.box_count = part->count;
    found.has_frames = false;
    size_t number_size = impi_npy_type_size(found.type);
    size_t skipped = number_size * (part->frame * layout.frame_stride + part->first * layout.box_stride);
    size_t wanted = number_size * part->count * layout.box_stride;
    if (part->count == 0) {
        *boxes = found;
        return IMP_STATUS_OK;
    }
    bool is_whole = file->header.fortran_order;
    impi_file_source_seek(&file->source, file->header.data_offset + (is_whole ? 0 : skipped));
    if (is_whole)
        wanted = (size_t)file->source.size - file->header.data_offset;
    imp_Status status = impi_file_bytes_read(&file->source, wanted, NULL, &bytes);
    if (status != IMP_STATUS_OK)
        return status;
    Numbers numbers = {&source, bytes.data + (is_whole ? skipped : 0), part->frame, part->first};
    status = place_rows(&numbers, &layout, &found);
    if (status != IMP_STATUS_OK)
        impi_npy_free_boxes(source.context, &found);
    if (status == IMP_STATUS_OK && !found.storage)
        found.file = bytes;
    else
        impi_file_bytes_free(source.context, &bytes);
    if (status == IMP_STATUS_OK)
        *boxes = found;
    return status;
}

imp_Status impi_npy_part_check(impi_NpyBoxFile *file, const impi_NpyPart *part, const impi_NpyBoxes *boxes)
{
    impi_NpySource source = source_of(file);
    Numbers numbers = {&source, NULL, part->frame, part->first};
    impi_NpyBoxes named = *boxes;
    named.has_frames = file->all.has_frames; // so that errors name the frame
    return check_boxes(&numbers, &named);
}
