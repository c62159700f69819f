#include "io/file_bytes.h"

#include "base/array.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static imp_Status fail_with_errno(imp_Context *context, const char *path, const char *what)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = path;
    return impi_fail_at(context, IMP_STATUS_IO, place, "%s: %s", what, strerror(errno));
}

static ssize_t read_retrying(int descriptor, void *buffer, size_t size)
{
    ssize_t got;
    do
        got = read(descriptor, buffer, size);
    while (got < 0 && errno == EINTR);
    return got;
}

static imp_Status read_whole(imp_Context *context, int descriptor, const char *path, impi_FileBytes *file)
{
    enum { STEP = 1 << 16 };
    IMPI_ARRAY(unsigned char) bytes = {0};
    imp_Status status = IMP_STATUS_OK;
    for (;;) {
        if (!impi_array_reserve(&context->allocator, &bytes, 1, bytes.count + STEP)) {
            status = impi_fail_out_of_memory(context);
            break;
        }
        ssize_t got = read_retrying(descriptor, bytes.data + bytes.count, bytes.capacity - bytes.count);
        if (got < 0)
            status = fail_with_errno(context, path, "can't read it");
        if (got <= 0)
            break;
        bytes.count += (size_t)got;
    }
    if (status == IMP_STATUS_OK)
        *file = (impi_FileBytes){.data = bytes.data, .size = bytes.count, .capacity = bytes.capacity};
    else
        impi_array_free(&context->allocator, &bytes, 1);
    return status;
}

static imp_Status map_whole(imp_Context *context, int descriptor, const char *path, size_t size,
                            impi_FileBytes *file)
{
    void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (data == MAP_FAILED) {
        if (errno == ENOMEM)
            return impi_fail_out_of_memory(context);
        return fail_with_errno(context, path, "can't map it into memory");
    }
    posix_madvise(data, size, POSIX_MADV_SEQUENTIAL);
    *file = (impi_FileBytes){.data = data, .size = size};
    return IMP_STATUS_OK;
}

imp_Status impi_file_bytes_open(imp_Context *context, const char *path, impi_FileBytes *file)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return fail_with_errno(context, path, "can't open it");
    struct stat info;
    imp_Status status;
    if (fstat(descriptor, &info) != 0) {
        status = fail_with_errno(context, path, "can't read it");
    } else if (S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        status = fail_with_errno(context, path, "can't read it");
    } else if (S_ISREG(info.st_mode) && info.st_size > 0) {
        status = map_whole(context, descriptor, path, (size_t)info.st_size, file);
    } else {
        // Files that the system makes up as they are read, as in /proc, claim to be empty too.
        status = read_whole(context, descriptor, path, file);
    }
    close(descriptor);
    return status;
}

void impi_file_bytes_close(imp_Context *context, impi_FileBytes *file)
{
    if (file->capacity)
        impi_release(&context->allocator, (void *)file->data, file->capacity);
    else if (file->size > file->forgotten)
        munmap((void *)(file->data + file->forgotten), file->size - file->forgotten);
    *file = (impi_FileBytes){0};
}

void impi_file_bytes_forget(impi_FileBytes *file, size_t offset)
{
    long page_size = sysconf(_SC_PAGESIZE);
    if (file->capacity || page_size <= 0)
        return;
    offset -= offset % (size_t)page_size;
    if (offset > file->forgotten &&
        munmap((void *)(file->data + file->forgotten), offset - file->forgotten) == 0)
        file->forgotten = offset;
}
