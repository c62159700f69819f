/// What is new and what is gone between two ascending lists.
///
/// A template: the two functions are known where it is used, so that the compiler builds them in.
#ifndef IMPINGE_BASE_LIST_CHANGES_H
#define IMPINGE_BASE_LIST_CHANGES_H

#include <stdbool.h>
#include <stddef.h>

/// How items `i` of the list before and `k` of the list after are ordered: negative, 0 or positive.
typedef int (*impi_CompareItemsFn)(size_t i, size_t k, const void *lists);

/// An item that is only in one of the lists. False ends the walk.
typedef bool (*impi_ItemFn)(size_t index, void *lists);

/// Each list has no item twice. `ended` gets those that are in the list before alone, `begun` those in the
/// list after alone, both in order. Returns whether all were taken.
static inline bool impi_list_changes(size_t before_count, size_t after_count, impi_CompareItemsFn compare,
                                     impi_ItemFn ended, impi_ItemFn begun, void *lists)
{
    size_t i = 0, k = 0;
    bool fits = true;
    while (fits && i < before_count && k < after_count) {
        int order = compare(i, k, lists);
        if (order < 0)
            fits = ended(i, lists);
        else if (order > 0)
            fits = begun(k, lists);
        i += order <= 0;
        k += order >= 0;
    }
    for (; fits && i < before_count; ++i)
        fits = ended(i, lists);
    for (; fits && k < after_count; ++k)
        fits = begun(k, lists);
    return fits;
}

#endif
