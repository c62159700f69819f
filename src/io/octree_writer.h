/// Writers of octree files: .oct, .df and .bt.
#ifndef IMPINGE_IO_OCTREE_WRITER_H
#define IMPINGE_IO_OCTREE_WRITER_H

#include "io/atomic_file.h"
#include "shape/octree.h"

imp_Status impi_write_packed_octree(impi_AtomicFile *file, const imp_Octree *octree);
imp_Status impi_write_octree_text(impi_AtomicFile *file, const imp_Octree *octree);

/// In two steps, the first of which fails where the grid is none of OctoMap's (IMP_STATUS_BAD_SHAPE): the
/// octree as a part of OctoMap's cube, and where in it, along each axis, its own cube begins and ends.
typedef struct impi_OctoMapPart {
    imp_Octree *octree;
    uint32_t begin[3], end[3];
} impi_OctoMapPart;

imp_Status impi_octomap_place(imp_Context *context, const char *path, const imp_Octree *octree,
                              impi_OctoMapPart *part);
imp_Status impi_write_octomap(impi_AtomicFile *file, const impi_OctoMapPart *part);

#endif
