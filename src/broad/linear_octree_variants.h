/// The inner loops of the linear octree, which exist once per instruction set and give the same results in
/// each: linear_octree_kernel.h compiled by linear_octree_portable.c, _avx2.c and _avx512.c.
#ifndef IMPINGE_BROAD_LINEAR_OCTREE_VARIANTS_H
#define IMPINGE_BROAD_LINEAR_OCTREE_VARIANTS_H

#include "broad/linear_octree.h"
#include "geom/octal_code.h"

/// Sizes of boxes fall into four classes, octree levels in steps of three: what is larger than an eighth, a
/// sixty-fourth, a 512th of the window, and the rest.
#define IMPI_SIZE_CLASSES 4

/// The cube of space that keys name positions in. Whatever lies outside counts to the nearest cell.
typedef struct impi_KeyWindow {
    float low[3];
    float cells_per_unit;
    unsigned level; // 2^level cells along each edge, at most 10
    float class_sizes[IMPI_SIZE_CLASSES - 1];
} impi_KeyWindow;

/// A window for `box_count` boxes, of which `sample` are some.
void impi_key_window_choose(const impi_BoxRows *sample, uint64_t box_count, impi_KeyWindow *window);

/// Key of a box: class << 3 level | Hilbert digits of the cell that its centre is in. Packed as
/// key << 32 | index of the box. Rows that hold no box form a class of their own, which sorts last.
#define IMPI_CLASS_NO_BOX IMPI_SIZE_CLASSES
#define IMPI_CLASS_BITS   3

/// An impi_HilbertTable in one row, steps[64 state + two octal digits], and in wider numbers: what is in a
/// step is the better part of the next index, and needs no conversion.
typedef struct impi_HilbertSteps {
    uint32_t steps[IMPI_HILBERT_STATES * 64];
} impi_HilbertSteps;

void impi_hilbert_steps_init(impi_HilbertSteps *hilbert);

typedef struct impi_KeyJob {
    const impi_BoxRows *rows;
    const impi_KeyWindow *window;
    const impi_HilbertSteps *hilbert;
    const uint32_t *ids; // the boxes in question, or null for all in order
    uint64_t *packed;
} impi_KeyJob;

typedef struct impi_KeySummary {
    uint32_t any_bits, all_bits; // all keys ORed, and ANDed: bits where these differ tell keys apart
} impi_KeySummary;

#define IMPI_PAIR_BUFFER 2048

typedef struct impi_PairBuffer {
    const impi_SearchWork *work;
    bool is_ended; // whoever may end the work was asked, and did
    impi_PairTaker taker;
    impi_SearchCounts counts;
    bool counts_blocks_only; // pairs of blocks are counted, and boxes not looked at
    size_t count;
    uint64_t pairs[IMPI_PAIR_BUFFER + IMPI_LANES * IMPI_LANES]; // room for one more block with itself
} impi_PairBuffer;

typedef struct impi_OctreeKernel {
    const char *name;

    /// Fill packed[begin .. end).
    impi_KeySummary (*make_keys)(const impi_KeyJob *job, size_t begin, size_t end);

    /// Copy the boxes of blocks [begin, end) into level 0 and their bounds into level 1. False when a search
    /// coordinate is not the box's own number.
    bool (*fill_blocks)(const impi_BoxRows *rows, const impi_Octree *octree, size_t begin, size_t end);

    /// Find the pairs between boxes of node `group` of level 1 and its own or those of later nodes (with a
    /// split, as it says), unless the work is ended. What does not fill the buffer stays in it.
    void (*find_pairs)(const impi_Octree *octree, size_t group, impi_PairBuffer *buffer);
} impi_OctreeKernel;

extern const impi_OctreeKernel impi_octree_kernel_portable;
#if defined(__x86_64__)
extern const impi_OctreeKernel impi_octree_kernel_avx2;
extern const impi_OctreeKernel impi_octree_kernel_avx512;
#endif

/// The fastest that this processor runs.
const impi_OctreeKernel *impi_octree_kernel(void);

/// All that this processor runs; returns how many. For tests.
size_t impi_octree_kernels(const impi_OctreeKernel *kernels[3]);

#endif
