// Whatever the bytes are, the reader of NumPy arrays gives either rows that can all be read or an error that
// names the file, and allocates no more than the numbers in the file take.

#include "kit/npy_reader.h"

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

// Touch every byte, so that the address sanitizer sees what is out of bounds.
static unsigned read_all(const impi_NpyBoxes *boxes)
{
    unsigned sum = 0;
    for (size_t frame = 0; frame < boxes->frame_count; ++frame) {
        imp_BoxArray rows = impi_npy_frame(boxes, frame);
        size_t number_size = rows.boxes ? sizeof(double) : sizeof(float);
        const unsigned char *bytes =
            rows.boxes ? (const unsigned char *)rows.boxes : (const unsigned char *)rows.float_boxes;
        demand((uintptr_t)bytes % number_size == 0 || rows.count == 0, "rows are aligned");
        for (size_t i = 0; i < 6 * rows.count * number_size; ++i)
            sum += bytes[i];
    }
    return sum;
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
    demand(largest_allocation <= size, "memory is bounded by the size of the input");
    if (status == IMP_STATUS_OK) {
        static volatile unsigned sink;
        sink += read_all(&boxes);
        impi_npy_free_boxes(context, &boxes);
    } else {
        const imp_Error *error = imp_context_get_error(context);
        demand(boxes.box_count == 77, "a failure leaves the output alone");
        demand(error->status == status && strstr(error->message, FUZZ_NAME), "the error names the file");
        demand(error->byte_offset <= size, "the error lies in the file");
    }
    imp_context_destroy(context);
    return 0;
}
