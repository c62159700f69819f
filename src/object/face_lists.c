#include "object/filter.h"

bool impi_face_lists_add(const imp_Allocator *allocator, impi_FaceLists *lists, size_t count)
{
    size_t needed = lists->used + count;
    if (!impi_array_reserve(allocator, &lists->lists, sizeof *lists->lists.data, needed))
        return false;
    for (; lists->lists.count < needed; ++lists->lists.count)
        lists->lists.data[lists->lists.count] = (impi_FacePairs){0};
    for (; lists->used < needed; ++lists->used)
        lists->lists.data[lists->used].count = 0;
    return true;
}

void impi_face_lists_destroy(const imp_Allocator *allocator, impi_FaceLists *lists)
{
    for (size_t i = 0; i < lists->lists.count; ++i)
        impi_array_free(allocator, &lists->lists.data[i], sizeof *lists->lists.data[i].data);
    impi_array_free(allocator, &lists->lists, sizeof *lists->lists.data);
}
