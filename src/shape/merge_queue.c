#include "shape/merge_queue.h"

static bool is_cheaper(const impi_MergeCandidate *a, const impi_MergeCandidate *b)
{
    if (a->cost != b->cost)
        return a->cost < b->cost;
    return a->a != b->a ? a->a < b->a : a->b < b->b;
}

bool impi_merge_queue_push(const imp_Allocator *allocator, impi_MergeQueue *queue,
                           impi_MergeCandidate candidate)
{
    size_t at = queue->count;
    if (!impi_array_reserve(allocator, queue, sizeof *queue->data, at + 1))
        return false;
    impi_MergeCandidate *heap = queue->data;
    for (++queue->count; at > 0 && is_cheaper(&candidate, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = candidate;
    return true;
}

impi_MergeCandidate impi_merge_queue_pop(impi_MergeQueue *queue)
{
    impi_MergeCandidate *heap = queue->data, cheapest = heap[0];
    size_t count = --queue->count, at = 0;
    impi_MergeCandidate last = heap[count];
    for (size_t child = 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && is_cheaper(&heap[child + 1], &heap[child]);
        if (!is_cheaper(&heap[child], &last))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return cheapest;
}
