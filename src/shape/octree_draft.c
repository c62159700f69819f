#include "shape/octree_draft.h"

#include <stdatomic.h>
#include <string.h>

void impi_octree_draft_begin(impi_OctreeDraft *draft, const imp_Context *context, uint32_t level,
                             bool is_condensed)
{
    *draft =
        (impi_OctreeDraft){.allocator = &context->allocator, .level = level, .is_condensed = is_condensed};
}

void impi_octree_draft_free(impi_OctreeDraft *draft)
{
    for (uint32_t level = 0; level < draft->level; ++level)
        impi_array_free(draft->allocator, &draft->levels[level], sizeof *draft->levels[level].data);
    impi_array_free(draft->allocator, &draft->list_counts, sizeof *draft->list_counts.data);
    impi_array_free(draft->allocator, &draft->list_faces, sizeof *draft->list_faces.data);
}

uint32_t impi_octree_draft_first(const impi_OctreeDraft *draft, uint32_t level)
{
    size_t first = level + 1 < draft->level ? draft->levels[level + 1].count : draft->list_counts.count;
    return (uint32_t)first;
}

imp_CellColour impi_octree_draft_close(impi_OctreeDraft *draft, uint32_t level, uint32_t first, uint8_t gray,
                                       uint8_t black)
{
    if (gray == 0 && black == 0 && !draft->keeps_gray)
        return IMP_CELL_WHITE;
    if (gray == 0 && black == 0xFF && draft->is_condensed)
        return IMP_CELL_BLACK;
    if (!impi_array_reserve(draft->allocator, &draft->levels[level], sizeof *draft->levels[level].data,
                            draft->levels[level].count + 1)) {
        draft->is_out_of_memory = true;
        return IMP_CELL_WHITE;
    }
    draft->levels[level].data[draft->levels[level].count++] = (impi_OctreeNode){first, gray, black};
    return IMP_CELL_GRAY;
}

void impi_octree_draft_add_list(impi_OctreeDraft *draft, const uint32_t *faces, size_t count)
{
    if (!impi_array_reserve(draft->allocator, &draft->list_counts, sizeof *draft->list_counts.data,
                            draft->list_counts.count + 1) ||
        !impi_array_reserve(draft->allocator, &draft->list_faces, sizeof *draft->list_faces.data,
                            draft->list_faces.count + count)) {
        draft->is_out_of_memory = true;
        return;
    }
    draft->list_counts.data[draft->list_counts.count++] = (uint32_t)count;
    memcpy(draft->list_faces.data + draft->list_faces.count, faces, count * sizeof *faces);
    draft->list_faces.count += count;
}

static bool append_nodes(impi_OctreeDraft *draft, const impi_OctreeDraft *part, uint32_t level)
{
    size_t count = part->levels[level].count, before = draft->levels[level].count;
    uint32_t offset = impi_octree_draft_first(draft, level);
    if (count == 0)
        return true;
    if (!impi_array_reserve(draft->allocator, &draft->levels[level], sizeof *draft->levels[level].data,
                            before + count)) {
        draft->is_out_of_memory = true;
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        impi_OctreeNode node = part->levels[level].data[i];
        node.first += offset;
        draft->levels[level].data[before + i] = node;
    }
    draft->levels[level].count = before + count;
    return true;
}

static bool append_lists(impi_OctreeDraft *draft, const impi_OctreeDraft *part)
{
    size_t counts = draft->list_counts.count, faces = draft->list_faces.count;
    if (part->list_counts.count == 0)
        return true;
    if (!impi_array_reserve(draft->allocator, &draft->list_counts, sizeof *draft->list_counts.data,
                            counts + part->list_counts.count) ||
        !impi_array_reserve(draft->allocator, &draft->list_faces, sizeof *draft->list_faces.data,
                            faces + part->list_faces.count)) {
        draft->is_out_of_memory = true;
        return false;
    }
    memcpy(draft->list_counts.data + counts, part->list_counts.data,
           part->list_counts.count * sizeof *part->list_counts.data);
    memcpy(draft->list_faces.data + faces, part->list_faces.data,
           part->list_faces.count * sizeof *part->list_faces.data);
    draft->list_counts.count += part->list_counts.count;
    draft->list_faces.count += part->list_faces.count;
    return true;
}

static size_t node_count(const impi_OctreeDraft *draft)
{
    size_t count = 0;
    for (uint32_t level = 0; level < draft->level; ++level)
        count += draft->levels[level].count;
    return count;
}

bool impi_octree_draft_append(impi_OctreeDraft *draft, const impi_OctreeDraft *part)
{
    if (node_count(draft) + node_count(part) >= UINT32_MAX ||
        draft->list_faces.count + part->list_faces.count >= UINT32_MAX)
        return false;
    // From above, so that offsets count what the next level had before.
    for (uint32_t level = 0; level < draft->level; ++level)
        if (!append_nodes(draft, part, level))
            return false;
    return append_lists(draft, part);
}

// All levels in one array, with places in it in place of those in the next level.
static void place_nodes(const impi_OctreeDraft *draft, imp_Octree *octree)
{
    size_t place = 0;
    for (uint32_t level = 0; level < draft->level; ++level) {
        size_t count = draft->levels[level].count;
        bool has_nodes_below = level + 1 < draft->level;
        octree->level_first[level] = place;
        for (size_t i = 0; i < count; ++i) {
            impi_OctreeNode node = draft->levels[level].data[i];
            node.first += has_nodes_below ? (uint32_t)(place + count) : 0;
            octree->nodes[place + i] = node;
        }
        place += count;
    }
    for (uint32_t level = draft->level; level <= IMP_MAX_OCTREE_LEVEL; ++level)
        octree->level_first[level] = place;
}

static void place_lists(const impi_OctreeDraft *draft, imp_Octree *octree)
{
    uint32_t start = 0;
    for (size_t i = 0; i < draft->list_counts.count; ++i) {
        octree->list_starts[i] = start;
        start += draft->list_counts.data[i];
    }
    octree->list_starts[draft->list_counts.count] = start;
    if (draft->list_faces.count > 0)
        memcpy(octree->list_faces, draft->list_faces.data,
               draft->list_faces.count * sizeof *draft->list_faces.data);
}

static imp_Box cube_of(const imp_OctreeGrid *grid)
{
    uint32_t end = 1u << grid->level;
    return (imp_Box){
        grid->origin,
        {impi_grid_corner(grid, 0, end), impi_grid_corner(grid, 1, end), impi_grid_corner(grid, 2, end)}};
}

imp_Status impi_octree_draft_finish(imp_Context *context, const impi_OctreeDraft *draft,
                                    const imp_OctreeGrid *grid, imp_CellColour root, impi_OctreeFlags flags,
                                    imp_Octree **octree)
{
    const imp_Allocator *allocator = &context->allocator;
    size_t count = node_count(draft);
    if (draft->is_out_of_memory)
        return impi_fail_out_of_memory(context);
    if (count >= UINT32_MAX || draft->list_faces.count >= UINT32_MAX)
        return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE,
                         "an octree of more than 2^32 - 2 gray cells or faces in lists");
    imp_Octree *made = impi_allocate(allocator, sizeof *made);
    if (!made)
        return impi_fail_out_of_memory(context);
    *made = (imp_Octree){.grid = *grid, .is_cut = flags.is_cut, .root = root, .node_count = count};
    imp_Box bounds = cube_of(grid);
    impi_shape_init(&made->shape, IMPI_SHAPE_OCTREE, context, &bounds);
    made->nodes = impi_allocate_array(allocator, count, sizeof *made->nodes);
    bool is_complete = made->nodes != NULL || count == 0;
    if (is_complete && flags.has_lists) {
        made->black_list_count = draft->list_counts.count;
        made->list_face_count = draft->list_faces.count;
        made->list_starts =
            impi_allocate_array(allocator, made->black_list_count + 1, sizeof *made->list_starts);
        made->list_faces = impi_allocate_array(allocator, made->list_face_count, sizeof *made->list_faces);
        is_complete = made->list_starts && (made->list_faces || made->list_face_count == 0);
    }
    if (!is_complete) {
        impi_shape_release(&made->shape);
        return impi_fail_out_of_memory(context);
    }
    place_nodes(draft, made);
    if (flags.has_lists)
        place_lists(draft, made);
    *octree = made;
    return IMP_STATUS_OK;
}
