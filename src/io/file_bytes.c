#define _DEFAULT_SOURCE // madvise

#include "io/file_bytes.h"

#include "base/array.h"

#include <string.h>
#include <sys/mman.h>

// Fresh memory costs a fault per page: ten times as much as copying a file into it. Where there is much to
// read, it goes into large pages, if the system has them.
#define LARGE_PAGE ((uintptr_t)2 << 20)
#define LARGE_FILE ((size_t)8 << 20)

#define READ_STEP ((size_t)1 << 20) // between two times that the watch is told how far it is

// What has no size: memory grows with it. `bytes` has room for its start.
static imp_Status read_stream(impi_FileSource *source, size_t max_size, impi_FileStartFn check,
                              impi_FileBytes *file)
{
    IMPI_ARRAY(unsigned char) bytes = {0};
    const imp_Allocator *allocator = &source->context->allocator;
    size_t got = 1, room = IMPI_FILE_START;
    imp_Status status = IMP_STATUS_OK;
    while (got > 0 && bytes.count < max_size && status == IMP_STATUS_OK) {
        // Where the end is, is known only once there is nothing behind it: there is always room for more.
        if (!impi_array_reserve(allocator, &bytes, 1, bytes.count + room)) {
            status = impi_fail_out_of_memory(source->context);
            break;
        }
        room = bytes.count > 0 ? bytes.capacity - bytes.count : IMPI_FILE_START;
        room = room < max_size - bytes.count ? room : max_size - bytes.count;
        status = impi_file_source_read(source, bytes.data + bytes.count, room, &got);
        if (status == IMP_STATUS_OK && bytes.count == 0 && check)
            status = check(source->context, source->name, bytes.data, got);
        bytes.count += got;
        room = 1;
    }
    if (status == IMP_STATUS_OK)
        *file = (impi_FileBytes){bytes.data, bytes.count, bytes.data, bytes.capacity};
    else
        impi_array_free(allocator, &bytes, 1);
    return status;
}

// Room for the content of a file that has a size.
static imp_Status allocate(imp_Context *context, size_t size, impi_FileBytes *file)
{
    bool is_large = size >= LARGE_FILE;
    *file = (impi_FileBytes){.capacity = is_large ? size + 2 * LARGE_PAGE : size};
    file->storage = impi_allocate(&context->allocator, file->capacity);
    file->data = file->storage;
    if (!file->storage)
        return impi_fail_out_of_memory(context);
    if (is_large) {
        size_t aside = (LARGE_PAGE - (uintptr_t)file->storage % LARGE_PAGE) % LARGE_PAGE;
        file->data += aside;
#ifdef MADV_HUGEPAGE
        (void)madvise(file->data, (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
#endif
    }
    return IMP_STATUS_OK;
}

// What has a size. All memory is taken at once, but not before the start was found good.
static imp_Status read_sized(impi_FileSource *source, size_t size, impi_FileStartFn check,
                             impi_FileBytes *file)
{
    unsigned char start[4096];
    size_t got = 0;
    imp_Status status = IMP_STATUS_OK;
    if (check) {
        status = impi_file_source_read(source, start, size < sizeof start ? size : sizeof start, &got);
        if (status == IMP_STATUS_OK)
            status = check(source->context, source->name, start, got);
        impi_file_source_seek(source, 0);
    }
    if (status == IMP_STATUS_OK)
        status = allocate(source->context, size, file);
    if (status != IMP_STATUS_OK)
        return status;
    while (file->size < size && status == IMP_STATUS_OK) {
        size_t step = size - file->size < READ_STEP ? size - file->size : READ_STEP;
        status = impi_file_source_read(source, file->data + file->size, step, &got);
        file->size += status == IMP_STATUS_OK ? got : 0;
        (void)impi_watch_step(&source->context->watch, got);
    }
    if (status != IMP_STATUS_OK)
        impi_file_bytes_free(source->context, file);
    return status;
}

imp_Status impi_file_bytes_read(impi_FileSource *source, size_t max_size, impi_FileStartFn check,
                                impi_FileBytes *file)
{
    size_t size = source->has_size && source->size < max_size ? (size_t)source->size : max_size;
    impi_watch_work(&source->context->watch, "reading", source->has_size ? size : source->limit);
    *file = (impi_FileBytes){0};
    if (size == 0)
        return IMP_STATUS_OK;
    return source->has_size ? read_sized(source, size, check, file) : read_stream(source, size, check, file);
}

imp_Status impi_file_bytes_load(imp_Context *context, const char *path, impi_FileStartFn check,
                                impi_FileBytes *file)
{
    impi_FileSource source;
    imp_Status status = impi_file_source_open(context, path, path, &source);
    if (status != IMP_STATUS_OK)
        return status;
    status = impi_file_bytes_read(&source, SIZE_MAX, check, file);
    impi_file_source_close(&source);
    return status;
}

void impi_file_bytes_free(imp_Context *context, impi_FileBytes *file)
{
    impi_release(&context->allocator, file->storage, file->capacity);
    *file = (impi_FileBytes){0};
}
