// .oct: see packed_octree.h. The header is checked as a whole, and against the size of the file, before any
// cell is read.
#include "io/byte_order.h"
#include "io/checksum.h"
#include "io/octree_reader.h"
#include "io/packed_octree.h"
#include "shape/octree_stack.h"

#include <inttypes.h>

#define SWAP           IMPI_HOST_IS_BIG_ENDIAN
#define CELLS_PER_BYTE 4

typedef struct Header {
    imp_OctreeGrid grid;
    uint64_t cell_count;
    bool is_cut;
} Header;

static uint64_t cell_bytes(uint64_t cell_count)
{
    return cell_count / CELLS_PER_BYTE + (cell_count % CELLS_PER_BYTE != 0);
}

static imp_Status check_beginning(const impi_OctreeReader *reader)
{
    const unsigned char *bytes = reader->cursor;
    size_t size = (size_t)(reader->window.end - bytes);
    if (size < sizeof impi_oct_magic || memcmp(bytes, impi_oct_magic, sizeof impi_oct_magic) != 0)
        return impi_octree_refuse(reader, IMP_STATUS_BAD_FILE, 0, "it does not begin as .oct files do");
    if (size < IMPI_OCT_VERSION_AT + 4)
        return impi_octree_refuse(reader, IMP_STATUS_BAD_FILE, size, "the file ends within its header");
    uint32_t version = impi_load_u32(bytes + IMPI_OCT_VERSION_AT, SWAP);
    if (version != IMPI_OCT_VERSION)
        return impi_octree_refuse(reader, IMP_STATUS_UNSUPPORTED, IMPI_OCT_VERSION_AT,
                                  "octrees of version %" PRIu32 " can't be read; those of version %d can",
                                  version, IMPI_OCT_VERSION);
    if (size < IMPI_OCT_HEADER_SIZE)
        return impi_octree_refuse(reader, IMP_STATUS_BAD_FILE, size, "the file ends within its header");
    if (impi_load_u32(bytes + IMPI_OCT_CHECKSUM_AT, SWAP) != impi_checksum(0, bytes, IMPI_OCT_CHECKSUM_AT))
        return impi_octree_refuse(reader, IMP_STATUS_BAD_FILE, IMPI_OCT_CHECKSUM_AT,
                                  "the checksum of the header is wrong: the file is damaged");
    return IMP_STATUS_OK;
}

static imp_Status check_size(const impi_OctreeReader *reader, const Header *header)
{
    uint64_t size = reader->window.total;
    // No more than this fits into any file, so that the sum is none that overflows.
    uint64_t most = (uint64_t)1 << 60;
    uint64_t expected = IMPI_OCT_HEADER_SIZE + cell_bytes(header->cell_count) + IMPI_OCT_END_SIZE;
    if (header->cell_count == 0 || header->cell_count > most || expected != size)
        return impi_octree_refuse(reader, IMP_STATUS_BAD_FILE, IMPI_OCT_COUNT_AT,
                                  "the header promises %" PRIu64 " cells; the file has %" PRIu64 " bytes",
                                  header->cell_count, size);
    return IMP_STATUS_OK;
}

static imp_Status read_header(impi_OctreeReader *reader, Header *header)
{
    imp_Status status = check_beginning(reader);
    if (status != IMP_STATUS_OK)
        return status;
    const unsigned char *bytes = reader->cursor;
    uint32_t flags = impi_load_u32(bytes + IMPI_OCT_FLAGS_AT, SWAP);
    *header = (Header){.grid = {{impi_load_double(bytes + IMPI_OCT_ORIGIN_AT, SWAP),
                                 impi_load_double(bytes + IMPI_OCT_ORIGIN_AT + 8, SWAP),
                                 impi_load_double(bytes + IMPI_OCT_ORIGIN_AT + 16, SWAP)},
                                impi_load_double(bytes + IMPI_OCT_VOXEL_AT, SWAP),
                                impi_load_u32(bytes + IMPI_OCT_LEVEL_AT, SWAP)},
                       .cell_count = impi_load_u64(bytes + IMPI_OCT_COUNT_AT, SWAP),
                       .is_cut = (flags & IMPI_OCT_FLAG_CUT) != 0};
    if (flags & ~IMPI_OCT_FLAG_CUT)
        return impi_octree_refuse(reader, IMP_STATUS_BAD_FILE, IMPI_OCT_FLAGS_AT,
                                  "the header has flags that nothing is known of");
    status = impi_octree_check_read_grid(reader, IMPI_OCT_LEVEL_AT, &header->grid);
    if (status == IMP_STATUS_OK)
        status = check_size(reader, header);
    reader->cursor += IMPI_OCT_HEADER_SIZE;
    return status;
}

// Cells of one byte, `count` of them, that stand in front of the cursor.
static imp_Status take_cells(const impi_OctreeReader *reader, impi_OctreeStack *stack, unsigned char byte,
                             unsigned count)
{
    static const imp_CellColour colours[] = {IMP_CELL_WHITE, IMP_CELL_BLACK, IMP_CELL_GRAY};
    uint64_t offset = impi_octree_offset(reader) - 1;
    for (unsigned i = 0; i < count; ++i, byte >>= 2) {
        unsigned cell = byte & 3u;
        if (stack->is_complete)
            return impi_octree_refuse(reader, IMP_STATUS_BAD_FILE, offset,
                                      "the octree is complete before the last cell");
        if (cell == 3)
            return impi_octree_refuse(reader, IMP_STATUS_BAD_FILE, offset,
                                      "a cell is neither white, black nor gray");
        if (!impi_octree_stack_put(stack, colours[cell]))
            return impi_octree_refuse(reader, IMP_STATUS_BAD_FILE, offset, "a voxel of level %u is gray",
                                      (unsigned)stack->max_level);
    }
    if (byte != 0)
        return impi_octree_refuse(reader, IMP_STATUS_BAD_FILE, offset, "bits behind the last cell are not 0");
    return stack->draft.is_out_of_memory ? impi_fail_out_of_memory(reader->context) : IMP_STATUS_OK;
}

// The size of the file was checked, so that no byte is missing.
static imp_Status read_cells(impi_OctreeReader *reader, const Header *header, impi_OctreeStack *stack)
{
    uint32_t checksum = 0;
    unsigned char byte = 0;
    imp_Status status = IMP_STATUS_OK;
    for (uint64_t left = header->cell_count; left > 0 && status == IMP_STATUS_OK;) {
        if (!impi_octree_take_byte(reader, &byte, &status))
            break;
        unsigned count = left < CELLS_PER_BYTE ? (unsigned)left : CELLS_PER_BYTE;
        checksum = impi_checksum(checksum, &byte, 1);
        status = take_cells(reader, stack, byte, count);
        left -= count;
    }
    unsigned char end[IMPI_OCT_END_SIZE] = {0};
    uint64_t offset = impi_octree_offset(reader);
    for (size_t i = 0; i < sizeof end && status == IMP_STATUS_OK; ++i)
        (void)impi_octree_take_byte(reader, &end[i], &status);
    if (status == IMP_STATUS_OK && impi_load_u32(end, SWAP) != checksum)
        status = impi_octree_refuse(reader, IMP_STATUS_BAD_FILE, offset,
                                    "the checksum of the cells is wrong: the file is damaged");
    if (status == IMP_STATUS_OK && !stack->is_complete)
        status = impi_octree_refuse(reader, IMP_STATUS_BAD_FILE, offset,
                                    "the cells end before the octree is complete");
    return status;
}

imp_Status impi_read_packed_octree(impi_OctreeReader *reader, imp_Octree **octree)
{
    Header header;
    imp_Status status = read_header(reader, &header);
    if (status != IMP_STATUS_OK)
        return status;
    impi_OctreeStack stack;
    impi_octree_stack_begin(&stack, reader->context, header.grid.level);
    status = read_cells(reader, &header, &stack);
    if (status == IMP_STATUS_OK)
        status = impi_octree_stack_finish(reader->context, &stack, &header.grid, header.is_cut, octree);
    impi_octree_stack_free(&stack);
    return status;
}
