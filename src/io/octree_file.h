/// Files of octrees, as saving and loading see them.
#ifndef IMPINGE_IO_OCTREE_FILE_H
#define IMPINGE_IO_OCTREE_FILE_H

#include "shape/octree.h"

typedef enum impi_OctreeFormat {
    IMPI_OCTREE_PACKED,      // .oct
    IMPI_OCTREE_TEXT,        // .df
    IMPI_OCTREE_OCTOMAP,     // .bt
    IMPI_OCTREE_FORMAT_COUNT // none of them
} impi_OctreeFormat;

/// By the extension of a file's name, in upper or lower case.
impi_OctreeFormat impi_octree_format(const char *path);

/// See imp_octree_save and imp_octree_load; the default floating-point mode is expected, and arguments that
/// are there.
imp_Status impi_octree_save(imp_Context *context, const imp_Octree *octree, const char *path);
imp_Status impi_octree_load(imp_Context *context, const char *path, const imp_OctreeLoadDef *def,
                            imp_Octree **octree);

/// The same from memory; `name` stands for the file in errors.
imp_Status impi_octree_read(imp_Context *context, impi_OctreeFormat format, const void *bytes, size_t size,
                            const char *name, const imp_OctreeLoadDef *def, imp_Octree **octree);

#endif
