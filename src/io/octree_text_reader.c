// .df, the depth-first text: see imp_octree_create_from_df.
#include "io/octree_reader.h"
#include "io/text_scanner.h"
#include "shape/octree_stack.h"

static bool read_letter(unsigned char letter, imp_CellColour *colour)
{
    *colour = letter == 'W' ? IMP_CELL_WHITE : letter == 'B' ? IMP_CELL_BLACK : IMP_CELL_GRAY;
    return letter == 'W' || letter == 'B' || letter == '(' || letter == 'G';
}

static imp_Status take_letter(const impi_OctreeReader *reader, impi_OctreeStack *stack, unsigned char letter)
{
    imp_CellColour colour;
    uint64_t offset = impi_octree_offset(reader) - 1;
    const char found[2] = {(char)letter, '\0'};
    if (!read_letter(letter, &colour))
        return impi_octree_refuse(reader, IMP_STATUS_BAD_FILE, offset,
                                  "expected '(' or 'G' for a gray cell, 'B' for a black or 'W' for a white "
                                  "one, found '%s'",
                                  letter ? found : "\\x00"); // which would end the message
    if (stack->is_complete)
        return impi_octree_refuse(reader, IMP_STATUS_BAD_FILE, offset,
                                  "the octree is complete, and the text goes on");
    if (!impi_octree_stack_put(stack, colour))
        return impi_octree_refuse(reader, IMP_STATUS_BAD_SHAPE, offset, "a cell of level %u is gray",
                                  (unsigned)stack->max_level);
    return stack->draft.is_out_of_memory ? impi_fail_out_of_memory(reader->context) : IMP_STATUS_OK;
}

static imp_Status read_letters(impi_OctreeReader *reader, impi_OctreeStack *stack)
{
    imp_Status status;
    unsigned char letter;
    while (impi_octree_take_byte(reader, &letter, &status)) {
        if (letter == '\n' || impi_is_blank((char)letter))
            continue;
        status = take_letter(reader, stack, letter);
        if (status != IMP_STATUS_OK)
            return status;
    }
    if (status == IMP_STATUS_OK && !stack->is_complete)
        status = impi_octree_refuse(reader, IMP_STATUS_BAD_FILE, impi_octree_offset(reader),
                                    "the text ends before the octree is complete");
    return status;
}

imp_Status impi_read_octree_text(impi_OctreeReader *reader, imp_Octree **octree)
{
    imp_OctreeGrid grid = reader->def->grid;
    impi_OctreeStack stack;
    if (grid.voxel == 0)
        grid = (imp_OctreeGrid){{0, 0, 0}, 1, grid.level};
    bool has_level = grid.level > 0;
    impi_octree_stack_begin(&stack, reader->context, has_level ? grid.level : IMP_MAX_OCTREE_LEVEL);
    imp_Status status = read_letters(reader, &stack);
    if (!has_level)
        grid.level = stack.deepest > 0 ? stack.deepest : 1;
    if (status == IMP_STATUS_OK && !has_level)
        status = impi_grid_check(reader->context, &grid);
    if (status == IMP_STATUS_OK)
        status = impi_octree_stack_finish(reader->context, &stack, &grid, false, octree);
    impi_octree_stack_free(&stack);
    return status;
}
