// The depth-first text of Smith & Kitamura 1994, section 2.2.1: the cells as a walk meets them, a letter
// each.
#include "shape/octree_text.h"

#include "shape/octree_draft.h"

typedef struct Reader {
    imp_Context *context;
    const char *text;
    size_t length, place;
    uint32_t deepest; // level of a cell that is not gray
    imp_Status status;
} Reader;

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_space(Reader *reader)
{
    while (reader->place < reader->length && is_space(reader->text[reader->place]))
        ++reader->place;
}

static void fail(Reader *reader, imp_Status status, const char *what)
{
    if (reader->status == IMP_STATUS_OK)
        reader->status = impi_fail(reader->context, status, reader->place,
                                   "the octree's text at byte %zu: %s", reader->place, what);
}

static imp_CellColour read_letter(Reader *reader)
{
    skip_space(reader);
    if (reader->place == reader->length) {
        fail(reader, IMP_STATUS_BAD_FILE, "it ends, but cells are missing");
        return IMP_CELL_WHITE;
    }
    switch (reader->text[reader->place]) {
    case '(':
    case 'G':
        return IMP_CELL_GRAY;
    case 'B':
        return IMP_CELL_BLACK;
    case 'W':
        return IMP_CELL_WHITE;
    default:
        fail(reader, IMP_STATUS_BAD_FILE, "expected (, G, B or W");
        return IMP_CELL_WHITE;
    }
}

// Recursion is as deep as the level of the deepest cells that octrees can have.
static imp_CellColour read_cell(Reader *reader, impi_OctreeDraft *draft, uint32_t level)
{
    imp_CellColour colour = read_letter(reader);
    if (colour == IMP_CELL_GRAY && level == IMP_MAX_OCTREE_LEVEL)
        fail(reader, IMP_STATUS_BAD_SHAPE, "there are cells below level 16");
    if (reader->status != IMP_STATUS_OK)
        return IMP_CELL_WHITE;
    ++reader->place;
    reader->deepest = level > reader->deepest ? level : reader->deepest;
    if (colour != IMP_CELL_GRAY)
        return colour;
    uint32_t first = impi_octree_draft_first(draft, level);
    uint8_t gray = 0, black = 0;
    for (unsigned octant = 0; octant < 8 && reader->status == IMP_STATUS_OK; ++octant) {
        imp_CellColour child = read_cell(reader, draft, level + 1);
        gray |= (uint8_t)((child == IMP_CELL_GRAY) << octant);
        black |= (uint8_t)((child == IMP_CELL_BLACK) << octant);
    }
    if (draft->is_out_of_memory && reader->status == IMP_STATUS_OK)
        reader->status = impi_fail_out_of_memory(reader->context);
    return impi_octree_draft_close(draft, level, first, gray, black);
}

imp_Status impi_octree_create_from_df(imp_Context *context, const imp_OctreeGrid *grid, const char *text,
                                      size_t length, imp_Octree **octree)
{
    Reader reader = {.context = context, .text = text, .length = length};
    impi_OctreeDraft draft;
    impi_octree_draft_begin(&draft, context, IMP_MAX_OCTREE_LEVEL, false);
    draft.keeps_gray = true;
    imp_CellColour root = read_cell(&reader, &draft, 0);
    skip_space(&reader);
    if (reader.place < length)
        fail(&reader, IMP_STATUS_BAD_FILE, "expected its end: all cells are there");
    imp_OctreeGrid chosen = *grid;
    if (chosen.level == 0)
        chosen.level = reader.deepest > 0 ? reader.deepest : 1;
    imp_Status status = reader.status;
    if (status == IMP_STATUS_OK && chosen.level < reader.deepest)
        status = impi_fail(context, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE,
                           "the octree's text has cells of level %u: its voxels are those of level %u",
                           (unsigned)reader.deepest, (unsigned)chosen.level);
    if (status == IMP_STATUS_OK)
        status = impi_grid_check(context, &chosen);
    if (status == IMP_STATUS_OK)
        status = impi_octree_draft_finish(context, &draft, &chosen, root, (impi_OctreeFlags){0}, octree);
    impi_octree_draft_free(&draft);
    return status;
}

// ---- writing

typedef struct Writer {
    const imp_Octree *octree;
    char *text;
    size_t capacity, length;
} Writer;

static void write_letter(Writer *writer, char letter)
{
    if (writer->length < writer->capacity)
        writer->text[writer->length] = letter;
    ++writer->length;
}

static void write_cell(Writer *writer, imp_CellColour colour, const impi_OctreeNode *node)
{
    write_letter(writer, "WB("[colour]);
    if (colour != IMP_CELL_GRAY)
        return;
    for (unsigned octant = 0; octant < 8; ++octant)
        write_cell(writer, impi_octree_child_colour(node, octant),
                   impi_octree_child(writer->octree, node, octant));
}

imp_Status impi_octree_get_df(imp_Context *context, const imp_Octree *octree, char *text, size_t capacity,
                              size_t *length)
{
    // Each gray cell has eight below it, and all but the root are below one.
    size_t total = 8 * octree->node_count + 1;
    *length = total;
    if (total > capacity)
        return impi_fail(context, IMP_STATUS_BUFFER_SHORT, IMP_NOWHERE,
                         "the octree's text has %zu letters, the buffer is for %zu", total, capacity);
    Writer writer = {octree, text, capacity, 0};
    write_cell(&writer, octree->root, octree->nodes);
    return IMP_STATUS_OK;
}
