/// Queries about moving features from NumPy array files (.npy): shape (queries, 8, 3), the four points at the
/// beginning, then the same at the end. Numbers are float64, or others that are doubles, as in
/// kit/npy_reader.h.
#ifndef IMPINGE_KIT_NPY_QUERIES_H
#define IMPINGE_KIT_NPY_QUERIES_H

#include "io/file_bytes.h"
#include "kit/npy_type.h"

#include <impinge/sweep.h>

typedef struct impi_NpyQueries {
    const imp_SweepQuery *queries; // in `file` where possible
    size_t count;
    impi_NpyType type; // of the numbers in the file

    void *storage;       // otherwise a copy
    size_t storage_size; // 0: none
    impi_FileBytes file; // empty when the bytes are the caller's, or not needed
} impi_NpyQueries;

/// The statuses of impi_npy_load_boxes. Whether numbers are finite is left to who uses them; an integer that
/// is no double is IMP_STATUS_BAD_NUMBER, with the index of the query.
imp_Status impi_npy_load_queries(imp_Context *context, const char *path, impi_NpyQueries *queries);

/// The same from bytes in memory, which must stay until the queries are freed. `name` stands for the file in
/// messages.
imp_Status impi_npy_read_queries(imp_Context *context, const void *bytes, size_t size, const char *name,
                                 impi_NpyQueries *queries);

void impi_npy_free_queries(imp_Context *context, impi_NpyQueries *queries);

#endif
