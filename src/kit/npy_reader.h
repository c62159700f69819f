/// Boxes from NumPy array files (.npy, format versions 1.0, 2.0 and 3.0).
///
/// The array has the shape (boxes, 6) or (frames, boxes, 6), in C order, of float32 or float64 in either byte
/// order. Each row is min x, y, z, max x, y, z; whether the numbers make sense is not looked at.
#ifndef IMPINGE_KIT_NPY_READER_H
#define IMPINGE_KIT_NPY_READER_H

#include "io/file_bytes.h"

#include <impinge/broad.h>

typedef struct impi_NpyBoxes {
    size_t frame_count; // 1 when the array has two dimensions
    size_t box_count;   // in each frame
    bool has_frames;    // the array has three dimensions
    bool is_float;

    const void *rows;    // aligned, in the byte order of this machine: in `file` itself where possible
    void *storage;       // otherwise a copy
    size_t storage_size; // 0: none
    impi_FileBytes file; // empty when the bytes are the caller's
} impi_NpyBoxes;

/// IMP_STATUS_BAD_FILE, with the byte offset and what was expected there, for whatever is no such file, and
/// IMP_STATUS_UNSUPPORTED for arrays that are well formed but not as described above. Memory is taken only
/// after the file was found to hold what its header promises, and only for numbers that can't be used where
/// they are.
imp_Status impi_npy_load_boxes(imp_Context *context, const char *path, impi_NpyBoxes *boxes);

/// The same from bytes in memory, which must stay until the boxes are freed. `name` stands for the file in
/// messages.
imp_Status impi_npy_read_boxes(imp_Context *context, const void *bytes, size_t size, const char *name,
                               impi_NpyBoxes *boxes);

void impi_npy_free_boxes(imp_Context *context, impi_NpyBoxes *boxes);

/// The boxes of one frame.
imp_BoxArray impi_npy_frame(const impi_NpyBoxes *boxes, size_t frame);

#endif
