#include "playback/approaches.h"

#include "base/context.h"

#include <stdlib.h>

static int compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_bodies(const impi_Approach *a, const impi_Approach *b)
{
    int order = compare_numbers(a->body_a, b->body_a);
    return order ? order : compare_numbers(a->body_b, b->body_b);
}

static int compare(const void *left, const void *right)
{
    const impi_Approach *a = left, *b = right;
    int order = compare_bodies(a, b);
    return order ? order : compare_numbers(a->first_frame, b->first_frame);
}

// One approach for each pair and frame.
static void list_frames(const impi_History *history, impi_Approaches *found)
{
    for (size_t f = 0; f < history->frames.count; ++f) {
        impi_PlayedFrame frame = impi_history_frame(history, f);
        for (size_t i = 0; i < frame.near_pair_count; ++i) {
            const impi_NearPair *pair = &frame.near_pairs[i];
            found->approaches[found->count++] = (impi_Approach){pair->body_a, pair->body_b, (uint32_t)f,
                                                                (uint32_t)f,  (uint32_t)f,  pair->distance};
        }
    }
}

// Join those that follow each other.
static void join_frames(impi_Approaches *found)
{
    size_t kept = 0;
    for (size_t i = 0; i < found->count; ++i) {
        impi_Approach *last = kept ? &found->approaches[kept - 1] : NULL;
        const impi_Approach *next = &found->approaches[i];
        if (!last || compare_bodies(last, next) != 0 || last->last_frame + 1 != next->first_frame) {
            found->approaches[kept++] = *next;
            continue;
        }
        last->last_frame = next->last_frame;
        if (next->nearest.distance < last->nearest.distance) {
            last->nearest = next->nearest;
            last->nearest_frame = next->nearest_frame;
        }
    }
    found->count = kept;
}

imp_Status impi_approaches_find(imp_Context *context, const impi_History *history,
                                impi_Approaches *approaches)
{
    impi_Approaches found = {.capacity = history->near_pairs.count};
    found.approaches = impi_allocate_array(&context->allocator, found.capacity, sizeof *found.approaches);
    if (found.capacity && !found.approaches)
        return impi_fail_out_of_memory(context);
    list_frames(history, &found);
    if (found.count)
        qsort(found.approaches, found.count, sizeof *found.approaches, compare);
    join_frames(&found);
    *approaches = found;
    return IMP_STATUS_OK;
}

void impi_approaches_free(imp_Context *context, impi_Approaches *approaches)
{
    if (approaches->approaches)
        impi_release(&context->allocator, approaches->approaches,
                     approaches->capacity * sizeof *approaches->approaches);
    *approaches = (impi_Approaches){0};
}
