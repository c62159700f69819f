// Halving, with quickselect. Cost: n log(n / block size) for n items, on average over their order.
#include "shape/spatial_order.h"

#include <math.h>

static int longest_axis(const impi_SpatialItem *items, size_t count)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < count; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            float centre = items[i].centre[axis];
            low[axis] = centre < low[axis] ? centre : low[axis];
            high[axis] = centre > high[axis] ? centre : high[axis];
        }
    }
    float x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
    return x >= y ? (x >= z ? 0 : 2) : (y >= z ? 1 : 2);
}

static bool is_before(const impi_SpatialItem *a, const impi_SpatialItem *b, int axis)
{
    if (a->centre[axis] != b->centre[axis])
        return a->centre[axis] < b->centre[axis];
    return a->id < b->id;
}

static void swap_items(impi_SpatialItem *a, impi_SpatialItem *b)
{
    impi_SpatialItem kept = *a;
    *a = *b;
    *b = kept;
}

static impi_SpatialItem middle_of_three(const impi_SpatialItem *a, const impi_SpatialItem *b,
                                        const impi_SpatialItem *c, int axis)
{
    if (is_before(b, a, axis)) {
        const impi_SpatialItem *kept = a;
        a = b;
        b = kept;
    }
    return is_before(c, a, axis) ? *a : is_before(c, b, axis) ? *c : *b;
}

// Quickselect: afterwards the first `split` items come before all others.
static void select_first(impi_SpatialItem *items, size_t count, size_t split, int axis)
{
    size_t low = 0, high = count;
    while (high - low > 1) {
        impi_SpatialItem pivot =
            middle_of_three(&items[low], &items[low + (high - low) / 2], &items[high - 1], axis);
        size_t i = low, j = high - 1;
        for (;;) {
            while (is_before(&items[i], &pivot, axis))
                ++i;
            while (is_before(&pivot, &items[j], axis))
                --j;
            if (i >= j)
                break;
            swap_items(&items[i++], &items[j--]);
        }
        // impi_SpatialItems before i are not after the pivot, those from `after` on are not before it;
        // between the two stands at most the pivot itself. Both ranges are shorter than the whole.
        size_t after = i == j ? i + 1 : i;
        if (split >= i && split <= after)
            return;
        if (split < i)
            high = i;
        else
            low = after;
    }
}

// Halve until blocks are left; explicit stack, at most one entry per halving of 2^32 items.
bool impi_spatial_order(impi_Watch *watch, impi_SpatialItem *items, size_t count, size_t block_size)
{
    struct {
        size_t begin, end;
    } stack[64];
    size_t depth = 0;
    stack[depth].begin = 0;
    stack[depth++].end = count;
    while (depth > 0) {
        size_t begin = stack[--depth].begin, end = stack[depth].end, length = end - begin;
        bool is_block = length <= block_size;
        if (watch && !impi_watch_step(watch, is_block ? length : 0))
            return false;
        if (is_block)
            continue;
        size_t blocks = (length + block_size - 1) / block_size;
        size_t split = blocks / 2 * block_size;
        select_first(items + begin, length, split, longest_axis(items + begin, length));
        stack[depth].begin = begin + split;
        stack[depth++].end = end;
        stack[depth].begin = begin;
        stack[depth++].end = begin + split;
    }
    return true;
}
