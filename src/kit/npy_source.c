#include "kit/npy_source.h"

#include <string.h>

impi_Place impi_npy_place(const impi_NpySource *source, size_t offset)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = source->name;
    place.byte_offset = offset;
    return place;
}

static imp_Status open_typed(imp_Context *context, const void *bytes, size_t size, const char *name,
                             bool takes_bools, impi_NpySource *source)
{
    impi_NpySource found = {.context = context, .name = name, .bytes = bytes, .size = size};
    imp_Status status = impi_npy_parse_header(context, bytes, size, name, &found.header);
    if (status != IMP_STATUS_OK)
        return status;
    bool is_known = impi_npy_type_parse(found.header.type, &found.type, &found.swap);
    if (takes_bools && (!is_known || found.type == IMPI_NPY_FLOAT32 || found.type == IMPI_NPY_FLOAT64))
        return impi_fail_at(context, IMP_STATUS_UNSUPPORTED, impi_npy_place(&found, found.header.type_offset),
                            "the array is of type '%s', expected bool or integers of 8, 16, 32 or 64 bits",
                            found.header.type);
    if (!is_known || (!takes_bools && found.type == IMPI_NPY_BOOL))
        return impi_fail_at(context, IMP_STATUS_UNSUPPORTED, impi_npy_place(&found, found.header.type_offset),
                            "the array is of type '%s', expected float32, float64 or integers of 8, 16, 32 "
                            "or 64 bits",
                            found.header.type);
    *source = found;
    return IMP_STATUS_OK;
}

imp_Status impi_npy_source_open(imp_Context *context, const void *bytes, size_t size, const char *name,
                                impi_NpySource *source)
{
    return open_typed(context, bytes, size, name, false, source);
}

imp_Status impi_npy_source_open_bools(imp_Context *context, const void *bytes, size_t size, const char *name,
                                      impi_NpySource *source)
{
    return open_typed(context, bytes, size, name, true, source);
}

imp_Status impi_npy_source_check_size(const impi_NpySource *source)
{
    const impi_NpyHeader *header = &source->header;
    size_t held = source->size - header->data_offset, promised = impi_npy_type_size(source->type);
    bool overflow = false, is_empty = false;
    for (unsigned i = 0; i < header->dimension_count; ++i) {
        is_empty = is_empty || header->shape[i] == 0;
        overflow = __builtin_mul_overflow(promised, header->shape[i], &promised) || overflow;
    }
    if (is_empty)
        promised = 0;
    else if (overflow)
        return impi_fail_at(source->context, IMP_STATUS_BAD_FILE,
                            impi_npy_place(source, header->shape_offset),
                            "the header promises more numbers than any file can hold");
    if (promised > held)
        return impi_fail_at(source->context, IMP_STATUS_BAD_FILE, impi_npy_place(source, source->size),
                            "the file ends here, but its header promises %zu bytes of numbers and there are "
                            "%zu",
                            promised, held);
    if (promised < held)
        return impi_fail_at(source->context, IMP_STATUS_BAD_FILE,
                            impi_npy_place(source, header->data_offset + promised),
                            "expected the file to end here: its header promises %zu bytes of numbers and "
                            "there are %zu",
                            promised, held);
    return IMP_STATUS_OK;
}

bool impi_npy_source_is_native(const impi_NpySource *source)
{
    const unsigned char *numbers = source->bytes + source->header.data_offset;
    return !source->swap && !source->header.fortran_order &&
           (uintptr_t)numbers % impi_npy_type_size(source->type) == 0;
}

static imp_Status check_start(imp_Context *context, const char *path, const unsigned char *bytes, size_t size)
{
    impi_NpyHeader header;
    if (size >= IMPI_NPY_MAGIC_SIZE && memcmp(bytes, IMPI_NPY_MAGIC, IMPI_NPY_MAGIC_SIZE) == 0)
        return IMP_STATUS_OK;
    return impi_npy_parse_header(context, bytes, size, path, &header);
}

imp_Status impi_npy_load_bytes(imp_Context *context, const char *path, impi_FileBytes *file)
{
    return impi_file_bytes_load(context, path, check_start, file);
}
