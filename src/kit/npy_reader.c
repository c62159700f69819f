#include "kit/npy_reader.h"

#include "io/byte_order.h"
#include "kit/npy_header.h"

#include <string.h>

#define ROW_LENGTH 6

typedef struct Source {
    imp_Context *context;
    const char *name;
    const unsigned char *bytes;
    size_t size;
} Source;

static impi_Place place_at(const Source *source, size_t offset)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = source->name;
    place.byte_offset = offset;
    return place;
}

static imp_Status check_layout(const Source *source, const impi_NpyHeader *header)
{
    bool is_known = strlen(header->type) == 3 && (header->type[0] == '<' || header->type[0] == '>') &&
                    header->type[1] == 'f' && (header->type[2] == '4' || header->type[2] == '8');
    if (!is_known)
        return impi_fail_at(source->context, IMP_STATUS_UNSUPPORTED, place_at(source, header->type_offset),
                            "the array is of type '%s', expected float32 or float64 ('<f4', '<f8', '>f4' or "
                            "'>f8')",
                            header->type);
    if (header->fortran_order)
        return impi_fail_at(source->context, IMP_STATUS_UNSUPPORTED, place_at(source, header->order_offset),
                            "the array is in Fortran order, expected C order (numpy.ascontiguousarray)");
    return IMP_STATUS_OK;
}

static imp_Status check_shape(const Source *source, const impi_NpyHeader *header, impi_NpyBoxes *boxes)
{
    unsigned dimensions = header->dimension_count;
    impi_Place place = place_at(source, header->shape_offset);
    if (dimensions < 2 || header->shape[dimensions - 1] != ROW_LENGTH)
        return impi_fail_at(source->context, IMP_STATUS_UNSUPPORTED, place,
                            "expected an array of the shape (boxes, 6) or (frames, boxes, 6)");
    boxes->has_frames = dimensions == 3;
    boxes->frame_count = boxes->has_frames ? header->shape[0] : 1;
    boxes->box_count = header->shape[dimensions - 2];
    // There would be no end of them, in no bytes at all.
    if (boxes->has_frames && boxes->frame_count > 0 && boxes->box_count == 0)
        return impi_fail_at(source->context, IMP_STATUS_UNSUPPORTED, place,
                            "the frames have no boxes, expected at least one");
    return IMP_STATUS_OK;
}

// The header must promise exactly what the file holds.
static imp_Status check_size(const Source *source, const impi_NpyHeader *header, const impi_NpyBoxes *boxes,
                             size_t *number_count)
{
    size_t number_size = boxes->is_float ? sizeof(float) : sizeof(double);
    size_t held = source->size - header->data_offset, count, promised;
    bool overflow = __builtin_mul_overflow(boxes->frame_count, boxes->box_count, &count) ||
                    __builtin_mul_overflow(count, ROW_LENGTH, &count) ||
                    __builtin_mul_overflow(count, number_size, &promised);
    if (overflow)
        return impi_fail_at(source->context, IMP_STATUS_BAD_FILE, place_at(source, header->shape_offset),
                            "the header promises more numbers than any file can hold");
    if (promised > held)
        return impi_fail_at(source->context, IMP_STATUS_BAD_FILE, place_at(source, source->size),
                            "the file ends here, but its header promises %zu bytes of numbers and there are "
                            "%zu",
                            promised, held);
    if (promised < held)
        return impi_fail_at(source->context, IMP_STATUS_BAD_FILE,
                            place_at(source, header->data_offset + promised),
                            "expected the file to end here: its header promises %zu bytes of numbers and "
                            "there are %zu",
                            promised, held);
    *number_count = count;
    return IMP_STATUS_OK;
}

static void copy_numbers(const unsigned char *from, void *to, size_t count, bool is_float, bool swap)
{
    for (size_t i = 0; is_float && i < count; ++i)
        ((float *)to)[i] = impi_load_float(from + i * sizeof(float), swap);
    for (size_t i = 0; !is_float && i < count; ++i)
        ((double *)to)[i] = impi_load_double(from + i * sizeof(double), swap);
}

// The numbers where they are when they can be used there, else a copy.
static imp_Status place_rows(const Source *source, const impi_NpyHeader *header, size_t count,
                             impi_NpyBoxes *boxes)
{
    const unsigned char *numbers = source->bytes + header->data_offset;
    size_t number_size = boxes->is_float ? sizeof(float) : sizeof(double);
    bool swap = (header->type[0] == '>') != IMPI_HOST_IS_BIG_ENDIAN;
    boxes->rows = numbers;
    if (count == 0 || (!swap && (uintptr_t)numbers % number_size == 0))
        return IMP_STATUS_OK;
    boxes->storage_size = count * number_size;
    boxes->storage = impi_allocate(&source->context->allocator, boxes->storage_size);
    if (!boxes->storage)
        return impi_fail_out_of_memory(source->context);
    copy_numbers(numbers, boxes->storage, count, boxes->is_float, swap);
    boxes->rows = boxes->storage;
    return IMP_STATUS_OK;
}

// Header and numbers together: everything but memory.
static imp_Status check_header(const Source *source, const impi_NpyHeader *header, impi_NpyBoxes *boxes,
                               size_t *number_count)
{
    imp_Status status = check_layout(source, header);
    boxes->is_float = header->type[2] == '4';
    if (status == IMP_STATUS_OK)
        status = check_shape(source, header, boxes);
    if (status == IMP_STATUS_OK)
        status = check_size(source, header, boxes, number_count);
    return status;
}

imp_Status impi_npy_read_boxes(imp_Context *context, const void *bytes, size_t size, const char *name,
                               impi_NpyBoxes *boxes)
{
    Source source = {context, name, bytes, size};
    impi_NpyHeader header;
    impi_NpyBoxes found = {0};
    size_t number_count = 0;
    imp_Status status = impi_npy_parse_header(context, bytes, size, name, &header);
    if (status == IMP_STATUS_OK)
        status = check_header(&source, &header, &found, &number_count);
    if (status == IMP_STATUS_OK)
        status = place_rows(&source, &header, number_count, &found);
    if (status == IMP_STATUS_OK)
        *boxes = found;
    return status;
}

// A file of another kind is refused before the rest of it is read.
static imp_Status check_start(imp_Context *context, const char *path, const unsigned char *bytes, size_t size)
{
    impi_NpyHeader header;
    if (size >= IMPI_NPY_MAGIC_SIZE && memcmp(bytes, IMPI_NPY_MAGIC, IMPI_NPY_MAGIC_SIZE) == 0)
        return IMP_STATUS_OK;
    return impi_npy_parse_header(context, bytes, size, path, &header);
}

imp_Status impi_npy_load_boxes(imp_Context *context, const char *path, impi_NpyBoxes *boxes)
{
    impi_FileBytes file;
    imp_Status status = impi_file_bytes_load(context, path, check_start, &file);
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

imp_BoxArray impi_npy_frame(const impi_NpyBoxes *boxes, size_t frame)
{
    size_t first = frame * boxes->box_count * ROW_LENGTH;
    if (boxes->is_float)
        return (imp_BoxArray){.float_boxes = (const float *)boxes->rows + first, .count = boxes->box_count};
    return (imp_BoxArray){.boxes = (const double *)boxes->rows + first, .count = boxes->box_count};
}
