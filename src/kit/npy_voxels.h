/// Voxels in NumPy array files (.npy): an array of the shape (n, n, n), n a power of two, of bools or
/// integers, of which those that are not 0 are black.
#ifndef IMPINGE_KIT_NPY_VOXELS_H
#define IMPINGE_KIT_NPY_VOXELS_H

#include "base/context.h"

#include <impinge/octree.h>

/// Arrays of more voxels, n = 2^11, would take more than 8 GiB.
#define IMPI_MAX_NPY_LEVEL 11

typedef struct impi_NpyVoxels {
    uint32_t level;  // n = 2^level
    size_t count;    // n^3
    uint8_t *voxels; // as imp_octree_create_from_voxels takes them
} impi_NpyVoxels;

/// Statuses as of impi_npy_load_boxes (npy_reader.h); IMP_STATUS_UNSUPPORTED for other shapes.
imp_Status impi_npy_load_voxels(imp_Context *context, const char *path, impi_NpyVoxels *voxels);

/// The same from bytes in memory; `name` stands for the file in messages.
imp_Status impi_npy_read_voxels(imp_Context *context, const void *bytes, size_t size, const char *name,
                                impi_NpyVoxels *voxels);

void impi_npy_free_voxels(imp_Context *context, impi_NpyVoxels *voxels);

/// Write an octree's voxels as bools. IMP_STATUS_TOO_LARGE above IMPI_MAX_NPY_LEVEL.
imp_Status impi_npy_save_voxels(imp_Context *context, const imp_Octree *octree, const char *path);

#endif
