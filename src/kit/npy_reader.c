#include "kit/npy_reader.h"

#include "kit/box_check.h"
#include "kit/box_margin.h"
#include "kit/npy_source.h"

#include <stdio.h>
#include <string.h>

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

static imp_Status fail_in_box(const impi_NpySource *source, const impi_NpyBoxes *boxes, size_t frame,
                              size_t box, const char *what)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = source->name;
    place.index = box;
    if (boxes->has_frames)
        return impi_fail_at(source->context, IMP_STATUS_BAD_NUMBER, place, "frame %zu: box %zu: %s", frame,
                            box, what);
    return impi_fail_at(source->context, IMP_STATUS_BAD_NUMBER, place, "box %zu: %s", box, what);
}

static imp_Status fail_no_double(const impi_NpySource *source, const impi_NpyBoxes *boxes, size_t frame,
                                 size_t box, size_t column, const char *digits)
{
    char what[IMPI_MAX_BOX_FAULT];
    snprintf(what, sizeof what, "%s %s is no double", impi_box_number_name(column), digits);
    return fail_in_box(source, boxes, frame, box, what);
}

// A row of six, with zeros for an axis that flat boxes lack.
static imp_Status copy_box(const impi_NpySource *source, const impi_NpyBoxes *boxes, const Layout *layout,
                           size_t frame, size_t box)
{
    size_t first = frame * layout->frame_stride + box * layout->box_stride;
    size_t size = impi_npy_type_size(boxes->type), row = (frame * boxes->box_count + box) * ROW_LENGTH;
    const unsigned char *numbers = source->bytes + source->header.data_offset;
    for (size_t column = 0; column < ROW_LENGTH; ++column) {
        bool is_there = column % 3 < layout->axes;
        size_t step = column / 3 * layout->corner_stride + column % 3 * layout->axis_stride;
        const unsigned char *bytes = numbers + (is_there ? size * (first + step) : 0);
        double number = 0;
        if (is_there && !impi_npy_load_double(boxes->type, bytes, source->swap, &number)) {
            char digits[IMPI_NPY_MAX_DIGITS];
            impi_npy_format_integer(boxes->type, bytes, source->swap, digits);
            return fail_no_double(source, boxes, frame, box, column, digits);
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

// The numbers where they are when they can be used there, else a copy.
static imp_Status place_rows(const impi_NpySource *source, const Layout *layout, impi_NpyBoxes *boxes)
{
    const unsigned char *numbers = source->bytes + source->header.data_offset;
    bool is_native = (boxes->type == IMPI_NPY_FLOAT32 || boxes->type == IMPI_NPY_FLOAT64) &&
                     impi_npy_source_is_native(source);
    boxes->rows = numbers;
    if (boxes->frame_count == 0 || boxes->box_count == 0 || (is_native && !boxes->is_flat))
        return IMP_STATUS_OK;
    imp_Status status = allocate_rows(source->context, boxes);
    for (size_t frame = 0; frame < boxes->frame_count && status == IMP_STATUS_OK; ++frame)
        for (size_t box = 0; box < boxes->box_count && status == IMP_STATUS_OK; ++box)
            status = copy_box(source, boxes, layout, frame, box);
    return status;
}

static imp_Status check_boxes(const impi_NpySource *source, const impi_NpyBoxes *boxes)
{
    for (size_t frame = 0; frame < boxes->frame_count; ++frame) {
        imp_BoxArray rows = impi_npy_frame(boxes, frame);
        size_t bad = impi_boxes_first_bad(&rows);
        if (bad < rows.count) {
            char fault[IMPI_MAX_BOX_FAULT];
            impi_box_describe_fault(&rows, bad, fault);
            return fail_in_box(source, boxes, frame, bad, fault);
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
    status = place_rows(&source, &layout, &found);
    if (status == IMP_STATUS_OK)
        status = check_boxes(&source, &found);
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
