#include "octree_parts.h"

#include <stdlib.h>

OctreeText octree_text(imp_Context *context, const imp_Octree *octree)
{
    OctreeText text = {0};
    imp_Status status = imp_octree_get_df(context, octree, NULL, 0, &text.length);
    bench_check(status == IMP_STATUS_BUFFER_SHORT, "an octree without cells");
    text.data = malloc(text.length);
    bench_check(text.data != NULL, "out of memory");
    bench_require(imp_octree_get_df(context, octree, text.data, text.length, &text.length));
    return text;
}

// Of a walk through one of the texts, beside the other one.
typedef struct Cursor {
    const char *next;
    char inside; // of a black or white cell that the other one divides; 0: not in one
} Cursor;

static char read_colour(Cursor *cursor)
{
    return cursor->inside ? cursor->inside : *cursor->next++;
}

static void compare(Cursor *a, Cursor *b, uint32_t level, OctreeDifference *difference)
{
    char in_a = read_colour(a), in_b = read_colour(b), around_a = a->inside, around_b = b->inside;
    if (in_a != '(' && in_b != '(') {
        uint64_t voxels = UINT64_C(1) << 3 * level;
        difference->missing += in_a == 'B' && in_b == 'W' ? voxels : 0;
        difference->extra += in_a == 'W' && in_b == 'B' ? voxels : 0;
        return;
    }
    a->inside = in_a == '(' ? 0 : in_a;
    b->inside = in_b == '(' ? 0 : in_b;
    for (int octant = 0; octant < 8; ++octant)
        compare(a, b, level - 1, difference);
    a->inside = around_a;
    b->inside = around_b;
}

OctreeDifference octree_texts_compare(const char *ours, const char *other, uint32_t level)
{
    Cursor a = {ours, 0}, b = {other, 0};
    OctreeDifference difference = {0, 0};
    compare(&a, &b, level, &difference);
    return difference;
}
