/// Boxes from NumPy array files (.npy, format versions 1.0, 2.0 and 3.0).
///
/// | shape                       | box                                                  |
/// | (boxes, 6), (boxes, 2, 3)   | min x, y, z, max x, y, z                             |
/// | (boxes, 4), (boxes, 2, 2)   | min x, y, max x, y: flat, with a z of 0              |
/// | (frames, ...) of each       | the same boxes, frame after frame                    |
///
/// Whether there are frames follows from what the shape ends in: 6, 4, or behind a 2 in 3 or 2. Numbers are
/// float32, float64 or integers of 8 to 64 bits that are doubles, in either byte order, in C or Fortran
/// order. Boxes are finite, and no min exceeds its max.
#ifndef IMPINGE_KIT_NPY_READER_H
#define IMPINGE_KIT_NPY_READER_H

#include "io/file_bytes.h"
#include "kit/npy_header.h"
#include "kit/npy_type.h"

#include <impinge/broad.h>

typedef struct impi_NpyBoxes {
    size_t frame_count; // 1 when the array has no frames
    size_t box_count;   // in each frame
    bool has_frames;
    bool is_flat;      // boxes of two dimensions
    impi_NpyType type; // of the numbers in the file
    bool is_float;     // rows are floats; else doubles

    const void *rows;    // six numbers each, aligned, as this machine keeps them: in `file` where possible
    void *storage;       // otherwise a copy
    size_t storage_size; // 0: none
    impi_FileBytes file; // empty when the bytes are the caller's, or not needed
} impi_NpyBoxes;

/// IMP_STATUS_BAD_FILE, with the byte offset and what was expected there, for whatever is no such file, and
/// IMP_STATUS_UNSUPPORTED for arrays that are well formed but not as described above. IMP_STATUS_BAD_NUMBER
/// with the index of a box and what is wrong with it, "frame 2: box 17: max z is nan"; counting is from 0.
/// Memory is taken only after the file was found to hold what its header promises, and only for numbers that
/// can't be used where they are: at most six times the size of the file.
imp_Status impi_npy_load_boxes(imp_Context *context, const char *path, impi_NpyBoxes *boxes);

/// The same from bytes in memory, which must stay until the boxes are freed. `name` stands for the file in
/// messages.
imp_Status impi_npy_read_boxes(imp_Context *context, const void *bytes, size_t size, const char *name,
                               impi_NpyBoxes *boxes);

void impi_npy_free_boxes(imp_Context *context, impi_NpyBoxes *boxes);

/// From now on boxes overlap that are at most `margin` apart along each axis (kit/box_margin.h); not
/// negative, and once at most. IMP_STATUS_OUT_OF_MEMORY leaves the boxes as they are.
imp_Status impi_npy_apply_margin(imp_Context *context, impi_NpyBoxes *boxes, double margin);

/// A file of boxes of which parts are read, by processes that each need some of them.
typedef struct impi_NpyBoxFile {
    impi_FileSource source;
    impi_NpyHeader header;
    bool swap;         // bytes of a number are in the other order than this machine's
    impi_NpyBoxes all; // what is in it, without rows
    uint32_t checksum; // of the header
    uint64_t time_ns;  // when it was modified last
} impi_NpyBoxFile;

/// Look at its header and its size, with the statuses of impi_npy_load_boxes. The file must be a regular one
/// (IMP_STATUS_UNSUPPORTED); `path` must stay. Close it with impi_npy_box_file_close.
imp_Status impi_npy_box_file_open(imp_Context *context, const char *path, impi_NpyBoxFile *file);
void impi_npy_box_file_close(impi_NpyBoxFile *file);

/// Some boxes of a frame.
typedef struct impi_NpyPart {
    size_t frame, first, count;
} impi_NpyPart;

/// Read a part, as boxes without frames. Numbers of boxes and frames in errors are those in the whole file;
/// the index is that of the box in its frame. Only integers that are no doubles are found here:
/// impi_npy_part_check finds the rest. Of an array in Fortran order all is read each time, because its boxes
/// are spread over the whole file.
imp_Status impi_npy_part_read(impi_NpyBoxFile *file, const impi_NpyPart *part, impi_NpyBoxes *boxes);
imp_Status impi_npy_part_check(impi_NpyBoxFile *file, const impi_NpyPart *part, const impi_NpyBoxes *boxes);

/// The boxes of one frame.
imp_BoxArray impi_npy_frame(const impi_NpyBoxes *boxes, size_t frame);

#endif
