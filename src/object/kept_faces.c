#include "object/kept_faces.h"

#include "base/radix_sort.h"

#include <string.h>

// Lists are sorted to be cut: not for a few faces too many.
#define MIN_SURPLUS 4096

void impi_face_lists_destroy(const imp_Allocator *allocator, impi_FaceLists *lists)
{
    for (size_t i = 0; i < lists->lists.count; ++i)
        impi_array_free(allocator, &lists->lists.data[i], sizeof(impi_FaceKey));
    impi_array_free(allocator, &lists->lists, sizeof *lists->lists.data);
}

size_t impi_kept_face_count(const impi_FaceLists *lists, const impi_PairWork *pair)
{
    return pair->face_list == IMPI_NO_LIST ? 0 : lists->lists.data[pair->face_list].count;
}

bool impi_faces_have_list(const impi_FilterRun *run, impi_PairWork *pair)
{
    impi_FaceLists *lists = run->faces;
    if (pair->face_list != IMPI_NO_LIST)
        return true;
    if (lists->used == IMPI_NO_LIST || !impi_array_reserve(&run->context->allocator, &lists->lists,
                                                           sizeof *lists->lists.data, lists->used + 1))
        return false;
    if (lists->used == lists->lists.count)
        lists->lists.data[lists->lists.count++] = (impi_FaceKeys){0};
    pair->face_list = (uint32_t)lists->used++;
    lists->lists.data[pair->face_list].count = 0;
    return true;
}

bool impi_faces_add(const impi_FilterRun *run, impi_PairWork *pair, const impi_FaceKey *found, size_t count)
{
    if (count == 0 || pair->face_room == 0)
        return true;
    if (!impi_faces_have_list(run, pair))
        return false;
    impi_FaceKeys *list = &run->faces->lists.data[pair->face_list];
    if (!impi_array_reserve(&run->context->allocator, list, sizeof *list->data, list->count + count))
        return false;
    memcpy(list->data + list->count, found, count * sizeof *found);
    list->count += count;
    return true;
}

// Keep the first `count` faces of a list.
static bool cut_list(imp_Context *context, impi_FaceKeys *list, size_t count)
{
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    impi_FaceKey *spare = impi_arena_allocate_array(&context->scratch, list->count, sizeof *spare);
    if (!spare)
        return false;
    const impi_FaceKey *sorted = impi_radix_sort_packed(list->data, spare, list->count, 0, 64);
    if (sorted != list->data)
        memcpy(list->data, sorted, count * sizeof *sorted);
    list->count = count;
    impi_arena_rewind(&context->scratch, mark);
    return true;
}

static bool cut_pair(const impi_FilterRun *run, impi_PairWork *pair, bool is_last)
{
    size_t count = impi_kept_face_count(run->faces, pair);
    if (count <= pair->face_room)
        return true;
    impi_FaceKeys *list = &run->faces->lists.data[pair->face_list];
    size_t room = (size_t)pair->face_room;
    if (!is_last && (count < room + MIN_SURPLUS || count / 2 < room))
        return true;
    if (room == 0) {
        list->count = 0;
        return true;
    }
    if (!cut_list(run->context, list, room))
        return false;
    pair->last_face = list->data[room - 1];
    return true;
}

bool impi_faces_cut(const impi_FilterRun *run, bool is_last)
{
    uint64_t room = run->max_faces;
    bool is_behind = false;
    if (room == IMPI_ALL_FACES)
        return true;
    for (size_t i = 0; i < run->count; ++i) {
        impi_PairWork *pair = impi_run_pair(run, i);
        pair->face_room = room;
        if (!cut_pair(run, pair, is_last))
            return false;
        pair->wants_faces &= !is_behind || run->counts_all;
        is_behind |= pair->face_count > room;
        room -= pair->face_count < room ? pair->face_count : room;
    }
    return true;
}
