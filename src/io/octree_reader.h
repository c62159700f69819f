/// What the readers of octree files share: a window over the file, and errors that name file and byte.
#ifndef IMPINGE_IO_OCTREE_READER_H
#define IMPINGE_IO_OCTREE_READER_H

#include "io/byte_window.h"
#include "shape/octree.h"

typedef struct impi_OctreeReader {
    imp_Context *context;
    const char *name; // of the file, for errors
    const imp_OctreeLoadDef *def;
    impi_ByteWindow window;
    const unsigned char *cursor; // the next byte
} impi_OctreeReader;

/// Take a byte. False where the file ends, or when told to end: `*status` says which.
static inline bool impi_octree_take_byte(impi_OctreeReader *reader, unsigned char *byte, imp_Status *status)
{
    *status = impi_byte_window_pass(&reader->window, &reader->cursor);
    if (*status != IMP_STATUS_OK || reader->cursor == reader->window.end)
        return false;
    *byte = *reader->cursor++;
    return true;
}

/// Where the next byte is.
static inline uint64_t impi_octree_offset(const impi_OctreeReader *reader)
{
    return impi_byte_window_offset(&reader->window, reader->cursor);
}

/// Record an error at a byte of the file.
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
imp_Status
impi_octree_refuse(const impi_OctreeReader *reader, imp_Status status, uint64_t offset, const char *format,
                   ...);

/// The grid that stands at a byte of the file, or is made of what does: can an octree have it?
imp_Status impi_octree_check_read_grid(const impi_OctreeReader *reader, uint64_t offset,
                                       const imp_OctreeGrid *grid);

/// .oct, .df and .bt. All expect the default floating-point mode.
imp_Status impi_read_packed_octree(impi_OctreeReader *reader, imp_Octree **octree);
imp_Status impi_read_octree_text(impi_OctreeReader *reader, imp_Octree **octree);
imp_Status impi_read_octomap(impi_OctreeReader *reader, imp_Octree **octree);

#endif
