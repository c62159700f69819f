#define _DEFAULT_SOURCE // madvise

#include "io/file_bytes.h"

#include "base/array.h"

#include <sys/mman.h>

#define LARGE_PAGE ((uintptr_t)2 << 20)
#define READ_STEP  ((size_t)1 << 20) // between two times that the watch is told how far it is

typedef IMPI_ARRAY(unsigned char) ByteArray;

// The rest of what has no size. `bytes` holds its start.
static imp_Status read_stream(impi_FileSource *source, size_t max_size, ByteArray *bytes)
{
    const imp_Allocator *allocator = &source->context->allocator;
    size_t got = 1;
    while (got > 0 && bytes->count < max_size) {
        // One byte more than fits: where the end is, is known only once there is nothing behind it.
        if (!impi_array_reserve(allocator, bytes, 1, bytes->count + 1))
            return impi_fail_out_of_memory(source->context);
        size_t room = bytes->capacity - bytes->count;
        if (room > max_size - bytes->count)
            room = max_size - bytes->count;
        imp_Status status = impi_file_source_read(source, bytes->data + bytes->count, room, &got);
        if (status != IMP_STATUS_OK)
            return status;
        bytes->count += got;
    }
    return IMP_STATUS_OK;
}

// Fresh memory costs a fault per page, which is a tenth of what reading a scene takes; large pages are few.
static void advise_large_pages(unsigned char *storage, size_t size)
{
#ifdef MADV_HUGEPAGE
    uintptr_t begin = ((uintptr_t)storage + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    uintptr_t end = ((uintptr_t)storage + size) / LARGE_PAGE * LARGE_PAGE;
    if (begin < end)
        (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
    (void)storage;
    (void)size;
#endif
}

// The rest of what has a size: all memory is taken at once.
static imp_Status read_sized(impi_FileSource *source, size_t size, ByteArray *bytes)
{
    imp_Status status = IMP_STATUS_OK;
    if (!impi_array_reserve(&source->context->allocator, bytes, 1, size))
        return impi_fail_out_of_memory(source->context);
    advise_large_pages(bytes->data, size);
    while (bytes->count < size && status == IMP_STATUS_OK) {
        size_t step = size - bytes->count < READ_STEP ? size - bytes->count : READ_STEP, got = 0;
        status = impi_file_source_read(source, bytes->data + bytes->count, step, &got);
        bytes->count += got;
        (void)impi_watch_step(&source->context->watch, got);
    }
    return status;
}

imp_Status impi_file_bytes_read(impi_FileSource *source, size_t max_size, impi_FileStartFn check,
                                impi_FileBytes *file)
{
    size_t size = source->has_size && source->size < max_size ? (size_t)source->size : max_size;
    size_t start_size = size < IMPI_FILE_START ? size : IMPI_FILE_START;
    ByteArray bytes = {0};
    imp_Status status = IMP_STATUS_OK;
    impi_watch_work(&source->context->watch, "reading", source->has_size ? size : source->limit);
    if (size > 0 && !impi_array_reserve(&source->context->allocator, &bytes, 1, start_size))
        return impi_fail_out_of_memory(source->context);
    if (size > 0)
        status = impi_file_source_read(source, bytes.data, start_size, &bytes.count);
    if (status == IMP_STATUS_OK && check)
        status = check(source->context, source->path, bytes.data, bytes.count);
    if (status == IMP_STATUS_OK && bytes.count == IMPI_FILE_START)
        status = source->has_size ? read_sized(source, size, &bytes) : read_stream(source, size, &bytes);
    if (status == IMP_STATUS_OK)
        *file = (impi_FileBytes){bytes.data, bytes.count, bytes.capacity};
    else
        impi_array_free(&source->context->allocator, &bytes, 1);
    return status;
}

imp_Status impi_file_bytes_load(imp_Context *context, const char *path, impi_FileStartFn check,
                                impi_FileBytes *file)
{
    impi_FileSource source;
    imp_Status status = impi_file_source_open(context, path, &source);
    if (status != IMP_STATUS_OK)
        return status;
    status = impi_file_bytes_read(&source, SIZE_MAX, check, file);
    impi_file_source_close(&source);
    return status;
}

void impi_file_bytes_free(imp_Context *context, impi_FileBytes *file)
{
    impi_release(&context->allocator, file->data, file->capacity);
    *file = (impi_FileBytes){0};
}
