// Whatever the bytes are, the reader of NumPy arrays gives either boxes, all finite and none inverted, with a
// margin as well, or an error that names the file, and allocates no more than six times the size of the file:
// a byte may become a float, and flat boxes get an axis. The readers of queries and of voxels give these or
// an error, too; a byte may become a double there, and no more than a voxel here.

#include "kit/npy_queries.h"
#include "kit/npy_reader.h"
#include "kit/npy_voxels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUZZ_NAME "fuzz.npy"

static size_t largest_allocation;

static void *allocate(size_t size, void *user)
{
    (void)user;
    void *storage = NULL;
    if (size > largest_allocation)
        largest_allocation = size;
    return posix_memalign(&storage, 64, size) == 0 ? storage : NULL;
}

static void release(void *storage, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(storage);
}

static void demand(bool held, const char *what)
{
    if (held)
        return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

// Every number is looked at, so that the address sanitizer sees what is out of bounds.
static void check_boxes(const impi_NpyBoxes *boxes)
{
    for (size_t frame = 0; frame < boxes->frame_count; ++frame) {
        imp_BoxArray rows = impi_npy_frame(boxes, frame);
        size_t number_size = boxes->is_float ? sizeof(float) : sizeof(double);
        uintptr_t address = boxes->is_float ? (uintptr_t)rows.float_boxes : (uintptr_t)rows.boxes;
        demand(rows.count == 0 || address % number_size == 0, "rows are aligned");
        for (size_t i = 0; i < rows.count; ++i)
            for (size_t k = 6 * i; k < 6 * i + 3; ++k) {
                double low = boxes->is_float ? (double)rows.float_boxes[k] : rows.boxes[k];
                double high = boxes->is_float ? (double)rows.float_boxes[k + 3] : rows.boxes[k + 3];
                demand(isfinite(low) && isfinite(high) && low <= high, "boxes are good");
            }
    }
}

static void read_queries(imp_Context *context, const uint8_t *bytes, size_t size)
{
    impi_NpyQueries queries = {.count = 77};
    double sum = 0;
    largest_allocation = 0;
    imp_Status status = impi_npy_read_queries(context, bytes, size, FUZZ_NAME, &queries);
    demand(largest_allocation <= 8 * size, "memory for queries is bounded by the size of the input");
    if (status != IMP_STATUS_OK) {
        demand(queries.count == 77, "a failure leaves the queries alone");
        demand(strstr(imp_context_get_error(context)->message, FUZZ_NAME), "the error names the file");
        return;
    }
    for (size_t i = 0; i < queries.count; ++i)
        for (int k = 0; k < 4; ++k)
            sum += queries.queries[i].begin[k].x + queries.queries[i].end[k].z;
    demand(isnan(sum) || sum == sum, "every query can be read");
    impi_npy_free_queries(context, &queries);
}

static void read_voxels(imp_Context *context, const uint8_t *bytes, size_t size)
{
    impi_NpyVoxels voxels = {.count = 77};
    largest_allocation = 0;
    imp_Status status = impi_npy_read_voxels(context, bytes, size, FUZZ_NAME, &voxels);
    demand(largest_allocation <= size, "memory for voxels is bounded by the size of the input");
    if (status != IMP_STATUS_OK) {
        const imp_Error *error = imp_context_get_error(context);
        demand(voxels.count == 77 && !voxels.voxels, "a failure leaves the voxels alone");
        demand(error->status == status && strstr(error->message, FUZZ_NAME), "the error names the file");
        demand(error->byte_offset <= size, "the error lies in the file");
        return;
    }
    demand(voxels.level > 0 && voxels.count == (size_t)1 << 3 * voxels.level, "voxels are a cube");
    for (size_t i = 0; i < voxels.count; ++i)
        demand(voxels.voxels[i] <= 1, "voxels are black or white");
    impi_npy_free_voxels(context, &voxels);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    imp_Context *context;
    impi_NpyBoxes boxes = {.box_count = 77};
    imp_ContextDef def = {.allocator = {allocate, release, NULL}};
    if (imp_context_create(&def, &context) != IMP_STATUS_OK)
        return 0;
    largest_allocation = 0;
    imp_Status status = impi_npy_read_boxes(context, bytes, size, FUZZ_NAME, &boxes);
    demand(largest_allocation <= 6 * size, "memory is bounded by the size of the input");
    if (status == IMP_STATUS_OK) {
        check_boxes(&boxes);
        demand(impi_npy_apply_margin(context, &boxes, 0.1) == IMP_STATUS_OK, "a margin is no problem");
        check_boxes(&boxes);
        impi_npy_free_boxes(context, &boxes);
    } else {
        const imp_Error *error = imp_context_get_error(context);
        demand(boxes.box_count == 77, "a failure leaves the output alone");
        demand(error->status == status && strstr(error->message, FUZZ_NAME), "the error names the file");
        demand(status == IMP_STATUS_BAD_NUMBER ? error->index < size && strstr(error->message, "box ")
                                               : error->byte_offset <= size,
               "the error lies in the file");
    }
    read_queries(context, bytes, size);
    read_voxels(context, bytes, size);
    imp_context_destroy(context);
    return 0;
}
