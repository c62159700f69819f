// .oct (see packed_octree.h) and .df: both are walks in depth-first order.
#include "io/byte_order.h"
#include "io/checksum.h"
#include "io/octree_writer.h"
#include "io/packed_octree.h"
#include "shape/octree_view.h"

#define SWAP  IMPI_HOST_IS_BIG_ENDIAN
#define BLOCK 4096 // bytes that are written at a time

// Bytes on their way into the file.
typedef struct Output {
    impi_AtomicFile *file;
    imp_Status status;
    size_t count;
    unsigned char bytes[BLOCK];
    uint32_t checksum;
    uint64_t cell_count;
    size_t gray_count;
} Output;

static void flush(Output *output)
{
    output->checksum = impi_checksum(output->checksum, output->bytes, output->count);
    if (output->status == IMP_STATUS_OK)
        output->status = impi_atomic_file_write(output->file, output->bytes, output->count);
    output->count = 0;
}

static void put_byte(Output *output, unsigned char byte)
{
    output->bytes[output->count++] = byte;
    if (output->count == BLOCK)
        flush(output);
}

// 2 bits for each cell; the block's last byte may be incomplete, and is never more than that.
static void put_packed(Output *output, imp_CellColour colour)
{
    static const unsigned char bits[] = {[IMP_CELL_WHITE] = 0, [IMP_CELL_BLACK] = 1, [IMP_CELL_GRAY] = 2};
    unsigned place = (unsigned)(output->cell_count++ % 4);
    if (place == 0 && output->count == BLOCK)
        flush(output);
    if (place == 0)
        output->bytes[output->count++] = 0;
    output->bytes[output->count - 1] |= (unsigned char)(bits[colour] << 2 * place);
}

static void put_letter(Output *output, imp_CellColour colour)
{
    static const char letters[] = {[IMP_CELL_WHITE] = 'W', [IMP_CELL_BLACK] = 'B', [IMP_CELL_GRAY] = '('};
    put_byte(output, (unsigned char)letters[colour]);
}

static void put_cells(Output *output, const impi_OctreeView *view,
                      void (*put)(Output *output, imp_CellColour colour))
{
    put(output, view->colour);
    if (view->colour != IMP_CELL_GRAY || output->status != IMP_STATUS_OK)
        return;
    imp_Context *context = output->file->context;
    if (!impi_watch_item(&context->watch, output->gray_count++)) {
        output->status = impi_watch_status(context);
        return;
    }
    for (unsigned octant = 0; octant < 8; ++octant) {
        impi_OctreeView child = impi_octree_view_child(view, octant);
        put_cells(output, &child, put);
    }
}

static void begin(Output *output, impi_AtomicFile *file, const imp_Octree *octree)
{
    *output = (Output){.file = file};
    impi_watch_work(&file->context->watch, "writing", 1 + (uint64_t)octree->node_count);
}

static imp_Status write_header(impi_AtomicFile *file, const imp_Octree *octree)
{
    const imp_OctreeGrid *grid = &octree->grid;
    unsigned char header[IMPI_OCT_HEADER_SIZE] = {0};
    uint64_t cell_count = 1 + 8 * (uint64_t)octree->node_count;
    memcpy(header, impi_oct_magic, sizeof impi_oct_magic);
    impi_store_u32(header + IMPI_OCT_VERSION_AT, IMPI_OCT_VERSION, SWAP);
    impi_store_u32(header + IMPI_OCT_LEVEL_AT, grid->level, SWAP);
    impi_store_double(header + IMPI_OCT_ORIGIN_AT, grid->origin.x, SWAP);
    impi_store_double(header + IMPI_OCT_ORIGIN_AT + 8, grid->origin.y, SWAP);
    impi_store_double(header + IMPI_OCT_ORIGIN_AT + 16, grid->origin.z, SWAP);
    impi_store_double(header + IMPI_OCT_VOXEL_AT, grid->voxel, SWAP);
    impi_store_u32(header + IMPI_OCT_COUNT_AT, (uint32_t)cell_count, SWAP);
    impi_store_u32(header + IMPI_OCT_COUNT_AT + 4, (uint32_t)(cell_count >> 32), SWAP);
    impi_store_u32(header + IMPI_OCT_FLAGS_AT, octree->is_cut ? IMPI_OCT_FLAG_CUT : 0, SWAP);
    impi_store_u32(header + IMPI_OCT_CHECKSUM_AT, impi_checksum(0, header, IMPI_OCT_CHECKSUM_AT), SWAP);
    return impi_atomic_file_write(file, header, sizeof header);
}

imp_Status impi_write_packed_octree(impi_AtomicFile *file, const imp_Octree *octree)
{
    Output output;
    impi_OctreeView root = impi_octree_view(octree);
    imp_Status status = write_header(file, octree);
    if (status != IMP_STATUS_OK)
        return status;
    begin(&output, file, octree);
    put_cells(&output, &root, put_packed);
    flush(&output);
    unsigned char end[IMPI_OCT_END_SIZE];
    impi_store_u32(end, output.checksum, SWAP);
    return output.status == IMP_STATUS_OK ? impi_atomic_file_write(file, end, sizeof end) : output.status;
}

imp_Status impi_write_octree_text(impi_AtomicFile *file, const imp_Octree *octree)
{
    Output output;
    impi_OctreeView root = impi_octree_view(octree);
    begin(&output, file, octree);
    put_cells(&output, &root, put_letter);
    put_byte(&output, '\n');
    flush(&output);
    return output.status;
}
