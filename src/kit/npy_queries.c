#include "kit/npy_queries.h"

#include "kit/npy_source.h"

#include <assert.h>

#define POINTS 8
#define AXES   3
#define LENGTH (POINTS * AXES)

// Queries are used as they lie in a file.
static_assert(sizeof(imp_SweepQuery) == LENGTH * sizeof(double), "a query has numbers alone");

static imp_Status check_shape(const impi_NpySource *source)
{
    const impi_NpyHeader *header = &source->header;
    if (header->dimension_count == 3 && header->shape[1] == POINTS && header->shape[2] == AXES)
        return IMP_STATUS_OK;
    return impi_fail_at(source->context, IMP_STATUS_UNSUPPORTED, impi_npy_place(source, header->shape_offset),
                        "expected an array of the shape (queries, 8, 3): four points at the beginning, then "
                        "the same at the end");
}

static imp_Status fail_no_double(const impi_NpySource *source, size_t query, const unsigned char *number)
{
    impi_Place place = IMPI_NO_PLACE;
    char digits[IMPI_NPY_MAX_DIGITS];
    place.file = source->name;
    place.index = query;
    impi_npy_format_integer(source->type, number, source->swap, digits);
    return impi_fail_at(source->context, IMP_STATUS_BAD_NUMBER, place, "query %zu: %s is no double", query,
                        digits);
}

// In C order the numbers of a query follow each other; in Fortran order the first index runs fastest.
static imp_Status copy_query(const impi_NpySource *source, size_t count, size_t query, double *numbers)
{
    const unsigned char *bytes = source->bytes + source->header.data_offset;
    size_t size = impi_npy_type_size(source->type);
    for (size_t i = 0; i < LENGTH; ++i) {
        size_t point = i / AXES, axis = i % AXES;
        size_t at =
            source->header.fortran_order ? query + count * (point + POINTS * axis) : LENGTH * query + i;
        if (!impi_npy_load_double(source->type, bytes + at * size, source->swap, &numbers[i]))
            return fail_no_double(source, query, bytes + at * size);
    }
    return IMP_STATUS_OK;
}

static imp_Status copy_queries(const impi_NpySource *source, impi_NpyQueries *queries)
{
    imp_Context *context = source->context;
    imp_Status status = IMP_STATUS_OK;
    queries->storage_size = queries->count * sizeof(imp_SweepQuery);
    queries->storage = impi_allocate(&context->allocator, queries->storage_size);
    if (!queries->storage)
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < queries->count && status == IMP_STATUS_OK; ++i)
        status = copy_query(source, queries->count, i, (double *)queries->storage + i * LENGTH);
    queries->queries = queries->storage;
    return status;
}

imp_Status impi_npy_read_queries(imp_Context *context, const void *bytes, size_t size, const char *name,
                                 impi_NpyQueries *queries)
{
    impi_NpySource source;
    imp_Status status = impi_npy_source_open(context, bytes, size, name, &source);
    if (status == IMP_STATUS_OK)
        status = check_shape(&source);
    if (status == IMP_STATUS_OK)
        status = impi_npy_source_check_size(&source);
    if (status != IMP_STATUS_OK)
        return status;
    impi_NpyQueries found = {.count = source.header.shape[0], .type = source.type};
    if (source.type == IMPI_NPY_FLOAT64 && impi_npy_source_is_native(&source))
        found.queries = (const void *)(source.bytes + source.header.data_offset);
    else if (found.count > 0)
        status = copy_queries(&source, &found);
    if (status == IMP_STATUS_OK)
        *queries = found;
    else
        impi_npy_free_queries(context, &found);
    return status;
}

imp_Status impi_npy_load_queries(imp_Context *context, const char *path, impi_NpyQueries *queries)
{
    impi_FileBytes file;
    imp_Status status = impi_npy_load_bytes(context, path, &file);
    if (status != IMP_STATUS_OK)
        return status;
    status = impi_npy_read_queries(context, file.data, file.size, path, queries);
    if (status == IMP_STATUS_OK && !queries->storage)
        queries->file = file;
    else
        impi_file_bytes_free(context, &file);
    return status;
}

void impi_npy_free_queries(imp_Context *context, impi_NpyQueries *queries)
{
    impi_release(&context->allocator, queries->storage, queries->storage_size);
    impi_file_bytes_free(context, &queries->file);
    *queries = (impi_NpyQueries){0};
}
