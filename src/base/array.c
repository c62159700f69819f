#include "base/array.h"

#include "base/memory.h"

#include <string.h>

#define SMALLEST_CAPACITY 16

// An IMPI_ARRAY of any element type. It is copied in and out as bytes, because its data field is a pointer
// to another type than ours.
typedef IMPI_ARRAY(void) AnyArray;

bool impi_array_reserve(const imp_Allocator *allocator, void *array, size_t element_size, size_t needed)
{
    AnyArray old;
    memcpy(&old, array, sizeof old);
    if (needed <= old.capacity)
        return true;
    AnyArray grown = {.count = old.count, .capacity = needed};
    // What is allocated is less than half of what a size_t counts, so doubling does not overflow.
    if (grown.capacity < 2 * old.capacity)
        grown.capacity = 2 * old.capacity;
    if (grown.capacity < SMALLEST_CAPACITY)
        grown.capacity = SMALLEST_CAPACITY;
    grown.data = impi_allocate_array(allocator, grown.capacity, element_size);
    if (!grown.data)
        return false;
    if (old.count != 0)
        memcpy(grown.data, old.data, old.count * element_size);
    impi_release(allocator, old.data, old.capacity * element_size);
    memcpy(array, &grown, sizeof grown);
    return true;
}

void impi_array_free(const imp_Allocator *allocator, void *array, size_t element_size)
{
    AnyArray old;
    memcpy(&old, array, sizeof old);
    impi_release(allocator, old.data, old.capacity * element_size);
    memcpy(array, &(AnyArray){0}, sizeof old);
}
