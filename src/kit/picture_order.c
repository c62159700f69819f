// A topological sort of the relation "hides somewhere", which is taken from the pixels of the depth buffer
// rather than from geometry: what can't be seen in any pixel does not matter. Cost: the pixels that the
// polygons cover, and a sort by depth.
#include "kit/picture_order.h"

#include <stdlib.h>
#include <string.h>

bool impi_find_hidings(impi_Arena *arena, const impi_Raster *raster, const impi_Polygon *polygons,
                       uint32_t count, impi_Hidings *hidings)
{
    // Two walks over the pixels: the first counts, the second writes.
    uint32_t *seen_by = impi_arena_allocate_array(arena, count, sizeof *seen_by);
    hidings->first = impi_arena_allocate_array(arena, (size_t)count + 1, sizeof *hidings->first);
    hidings->front = NULL;
    if (!seen_by || !hidings->first)
        return false;
    for (int walk = 0; walk < 2; ++walk) {
        size_t total = 0;
        memset(seen_by, 0xFF, count * sizeof *seen_by);
        for (uint32_t p = 0; p < count; ++p) {
            hidings->first[p] = total;
            seen_by[p] = p; // nothing hides itself
            impi_Spans spans = impi_spans_begin(&polygons[p], raster);
            while (impi_spans_next(&spans)) {
                const uint32_t *owner = raster->owner + (size_t)spans.y * (size_t)raster->width;
                for (int32_t x = spans.begin; x < spans.end; ++x) {
                    if (seen_by[owner[x]] == p)
                        continue;
                    seen_by[owner[x]] = p;
                    if (hidings->front)
                        hidings->front[total] = owner[x];
                    ++total;
                }
            }
        }
        hidings->first[count] = total;
        if (walk == 0)
            hidings->front = impi_arena_allocate_array(arena, total, sizeof *hidings->front);
        if (!hidings->front)
            return false;
    }
    return true;
}

bool impi_is_behind(const impi_Hidings *hidings, uint32_t a, uint32_t b)
{
    for (size_t i = hidings->first[a]; i < hidings->first[a + 1]; ++i)
        if (hidings->front[i] == b)
            return true;
    return false;
}

typedef struct FarthestFirst {
    double depth;
    uint32_t polygon;
} FarthestFirst;

static int compare_depth(const void *left, const void *right)
{
    const FarthestFirst *a = left, *b = right;
    if (a->depth != b->depth)
        return a->depth < b->depth ? -1 : 1;
    return a->polygon < b->polygon ? -1 : a->polygon > b->polygon;
}

typedef struct Sorter {
    const impi_OrderDef *def;
    uint32_t *waits_for;  // per polygon: how many of those behind it are not painted yet
    uint32_t *next_ready; // per polygon: the next in the list of its style
    uint32_t *ready;      // per style: the list of those that wait for nothing
    bool *painted;
    FarthestFirst *by_depth;
    uint32_t ready_count, passed_by_depth;
} Sorter;

static bool allocate_sorter(impi_Arena *arena, const impi_OrderDef *def, Sorter *sorter)
{
    *sorter = (Sorter){.def = def};
    sorter->waits_for = impi_arena_allocate_array(arena, def->count, sizeof *sorter->waits_for);
    sorter->next_ready = impi_arena_allocate_array(arena, def->count, sizeof *sorter->next_ready);
    sorter->ready = impi_arena_allocate_array(arena, def->style_count, sizeof *sorter->ready);
    sorter->painted = impi_arena_allocate_array(arena, def->count, sizeof *sorter->painted);
    sorter->by_depth = impi_arena_allocate_array(arena, def->count, sizeof *sorter->by_depth);
    return sorter->waits_for && sorter->next_ready && sorter->ready && sorter->painted && sorter->by_depth;
}

static void put_ready(Sorter *sorter, uint32_t polygon)
{
    uint32_t *list = &sorter->ready[sorter->def->styles[polygon]];
    sorter->next_ready[polygon] = *list;
    *list = polygon;
    ++sorter->ready_count;
}

static void start_sorter(Sorter *sorter)
{
    const impi_OrderDef *def = sorter->def;
    memset(sorter->waits_for, 0, def->count * sizeof *sorter->waits_for);
    memset(sorter->painted, 0, def->count * sizeof *sorter->painted);
    memset(sorter->ready, 0xFF, def->style_count * sizeof *sorter->ready);
    for (size_t i = 0; i < def->hidings->first[def->count]; ++i)
        ++sorter->waits_for[def->hidings->front[i]];
    for (uint32_t p = 0; p < def->count; ++p) {
        sorter->by_depth[p] = (FarthestFirst){def->polygons[p].depth_min, p};
        if (sorter->waits_for[p] == 0)
            put_ready(sorter, p);
    }
    qsort(sorter->by_depth, def->count, sizeof *sorter->by_depth, compare_depth);
}

static uint32_t take_ready(Sorter *sorter, uint32_t *style)
{
    while (sorter->ready[*style] == IMPI_NOBODY)
        *style = (*style + 1) % sorter->def->style_count;
    uint32_t polygon = sorter->ready[*style];
    sorter->ready[*style] = sorter->next_ready[polygon];
    --sorter->ready_count;
    return polygon;
}

static uint32_t take_farthest(Sorter *sorter)
{
    while (sorter->painted[sorter->by_depth[sorter->passed_by_depth].polygon])
        ++sorter->passed_by_depth;
    return sorter->by_depth[sorter->passed_by_depth].polygon;
}

bool impi_paint_order(impi_Arena *arena, const impi_OrderDef *def, uint32_t *order)
{
    Sorter sorter;
    if (!allocate_sorter(arena, def, &sorter))
        return false;
    start_sorter(&sorter);
    uint32_t style = 0;
    for (uint32_t i = 0; i < def->count; ++i) {
        uint32_t polygon = sorter.ready_count ? take_ready(&sorter, &style) : take_farthest(&sorter);
        order[i] = polygon;
        sorter.painted[polygon] = true;
        for (size_t k = def->hidings->first[polygon]; k < def->hidings->first[polygon + 1]; ++k) {
            uint32_t front = def->hidings->front[k];
            if (!sorter.painted[front] && --sorter.waits_for[front] == 0)
                put_ready(&sorter, front);
        }
    }
    return true;
}

bool impi_paint_breaks(impi_Arena *arena, const impi_OrderDef *def, const uint32_t *order,
                       uint32_t order_count, bool *breaks)
{
    // Per polygon: the last path of which it hides a part.
    uint32_t *hides = impi_arena_allocate_array(arena, def->count, sizeof *hides);
    if (!hides)
        return false;
    memset(hides, 0xFF, def->count * sizeof *hides);
    for (uint32_t i = 0, path = 0; i < order_count; ++i) {
        uint32_t polygon = order[i];
        breaks[i] = i == 0 || def->styles[polygon] != def->styles[order[i - 1]] || hides[polygon] == path;
        path += breaks[i];
        for (size_t k = def->hidings->first[polygon]; k < def->hidings->first[polygon + 1]; ++k)
            hides[def->hidings->front[k]] = path;
    }
    return true;
}
