/// Growable arrays.
#ifndef IMPINGE_BASE_ARRAY_H
#define IMPINGE_BASE_ARRAY_H

#include <impinge/base.h>

/// A growable array is three fields of a struct, made by this macro and grown by impi_array_reserve:
///     IMPI_ARRAY(uint32_t) ids = {0};
///     if (!impi_array_reserve(allocator, &ids, sizeof *ids.data, ids.count + 1)) ...
///     ids.data[ids.count++] = 7;
///     impi_array_free(allocator, &ids, sizeof *ids.data);
#define IMPI_ARRAY(type)                                                                                     \
    struct {                                                                                                 \
        type *data;                                                                                          \
        size_t count, capacity;                                                                              \
    }

/// Make room for `needed` elements in all, at least doubling when it grows. False when out of memory,
/// with the array as it was. `array` points to an IMPI_ARRAY.
bool impi_array_reserve(const imp_Allocator *allocator, void *array, size_t element_size, size_t needed);

/// Leaves an empty array, which can be used again.
void impi_array_free(const imp_Allocator *allocator, void *array, size_t element_size);

#endif
