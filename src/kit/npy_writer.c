#include "kit/npy_writer.h"

#include "io/atomic_file.h"
#include "io/byte_order.h"

#include <stdio.h>
#include <string.h>

#define HEADER_MULTIPLE 64
#define PREFIX_SIZE     (IMPI_NPY_MAGIC_SIZE + 4)
#define SWAP_CHUNK      1024

// The whole header; four dimensions of 20 digits and all the rest fit. A single byte has no order.
size_t impi_npy_format_header(const impi_NpyArray *array, char header[IMPI_NPY_MAX_HEADER_SIZE])
{
    memcpy(header, IMPI_NPY_MAGIC "\1\0", IMPI_NPY_MAGIC_SIZE + 2);
    size_t length = PREFIX_SIZE;
    length +=
        (size_t)snprintf(header + length, IMPI_NPY_MAX_HEADER_SIZE - length,
                         "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                         impi_npy_type_size(array->type) == 1 ? '|' : '<', impi_npy_type_code(array->type));
    for (unsigned i = 0; i < array->dimension_count; ++i)
        length += (size_t)snprintf(header + length, IMPI_NPY_MAX_HEADER_SIZE - length, "%s%zu", i ? ", " : "",
                                   array->shape[i]);
    length += (size_t)snprintf(header + length, IMPI_NPY_MAX_HEADER_SIZE - length, "%s), }",
                               array->dimension_count == 1 ? "," : "");
    size_t padded = (length + 1 + HEADER_MULTIPLE - 1) / HEADER_MULTIPLE * HEADER_MULTIPLE;
    memset(header + length, ' ', padded - length);
    header[padded - 1] = '\n';
    header[PREFIX_SIZE - 2] = (char)((padded - PREFIX_SIZE) & 0xFF);
    header[PREFIX_SIZE - 1] = (char)((padded - PREFIX_SIZE) >> 8);
    return padded;
}

void impi_npy_make_little_endian(uint32_t *numbers, size_t count)
{
    for (size_t i = 0; IMPI_HOST_IS_BIG_ENDIAN && i < count; ++i)
        numbers[i] = impi_load_u32((const unsigned char *)(numbers + i), true);
}

static imp_Status write_swapped(impi_AtomicFile *file, const unsigned char *numbers, size_t count,
                                size_t number_size)
{
    unsigned char chunk[SWAP_CHUNK];
    imp_Status status = IMP_STATUS_OK;
    size_t per_chunk = sizeof chunk / number_size;
    for (size_t first = 0; first < count && status == IMP_STATUS_OK; first += per_chunk) {
        size_t size = (count - first < per_chunk ? count - first : per_chunk) * number_size;
        for (size_t i = 0; i < size; ++i) {
            size_t in_number = i % number_size;
            chunk[i] = numbers[first * number_size + i - in_number + (number_size - 1 - in_number)];
        }
        status = impi_atomic_file_write(file, chunk, size);
    }
    return status;
}

imp_Status impi_npy_save(imp_Context *context, const char *path, const impi_NpyArray *array)
{
    char header[IMPI_NPY_MAX_HEADER_SIZE];
    impi_AtomicFile file;
    size_t count = 1, number_size = impi_npy_type_size(array->type);
    for (unsigned i = 0; i < array->dimension_count; ++i)
        count *= array->shape[i];
    imp_Status status = impi_atomic_file_open(context, path, &file);
    if (status != IMP_STATUS_OK)
        return status;
    status = impi_atomic_file_write(&file, header, impi_npy_format_header(array, header));
    if (status == IMP_STATUS_OK && IMPI_HOST_IS_BIG_ENDIAN)
        status = write_swapped(&file, array->numbers, count, number_size);
    else if (status == IMP_STATUS_OK)
        status = impi_atomic_file_write(&file, array->numbers, count * number_size);
    if (status == IMP_STATUS_OK)
        return impi_atomic_file_commit(&file);
    impi_atomic_file_abort(&file);
    return status;
}
