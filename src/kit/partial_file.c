#define _XOPEN_SOURCE 700 // realpath

#include "kit/partial_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".partial"

static imp_Status fail(const impi_PartialFile *file, const char *what, int error)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = file->path;
    return impi_fail_at(file->context, IMP_STATUS_IO, place, "%s: %s", what, strerror(error));
}

bool impi_partial_file_is_stream(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

imp_Status impi_partial_file_begin(imp_Context *context, const char *path, impi_PartialFile *file)
{
    char *resolved = realpath(path, NULL); // null when there is no such file yet
    const char *target = resolved ? resolved : path;
    const imp_Allocator *allocator = &context->allocator;
    *file = (impi_PartialFile){.context = context, .path = path, .descriptor = -1};
    file->path_capacity = strlen(target) + sizeof SUFFIX;
    file->target_path = impi_allocate(allocator, file->path_capacity);
    file->partial_path = impi_allocate(allocator, file->path_capacity);
    bool complete = file->target_path && file->partial_path;
    if (complete) {
        strcpy(file->target_path, target);
        snprintf(file->partial_path, file->path_capacity, "%s" SUFFIX, target);
    }
    free(resolved);
    return complete ? IMP_STATUS_OK : impi_fail_out_of_memory(context);
}

static void close_descriptor(impi_PartialFile *file)
{
    if (file->descriptor >= 0)
        close(file->descriptor);
    file->descriptor = -1;
}

void impi_partial_file_end(impi_PartialFile *file)
{
    const imp_Allocator *allocator = &file->context->allocator;
    close_descriptor(file);
    impi_release(allocator, file->target_path, file->path_capacity);
    impi_release(allocator, file->partial_path, file->path_capacity);
    file->target_path = file->partial_path = NULL;
}

imp_Status impi_partial_file_create(impi_PartialFile *file, uint64_t size)
{
    struct stat replaced;
    bool exists = stat(file->target_path, &replaced) == 0;
    if (exists && access(file->target_path, W_OK) != 0)
        return fail(file, "can't be written", errno); // a folder alone would allow it
    if (unlink(file->partial_path) != 0 && errno != ENOENT)
        return fail(file, "can't be written", errno);
    // The mode that any new file gets: the system takes its mask off.
    file->descriptor = open(file->partial_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file->descriptor < 0)
        return fail(file, "can't be written", errno);
    if (exists)
        (void)fchmod(file->descriptor, replaced.st_mode & 0777); // as it was, where the system allows it
    int error = posix_fallocate(file->descriptor, 0, (off_t)size);
    return error ? fail(file, "writing failed", error) : IMP_STATUS_OK;
}

imp_Status impi_partial_file_open(impi_PartialFile *file)
{
    file->descriptor = open(file->partial_path, O_WRONLY | O_CLOEXEC);
    return file->descriptor >= 0 ? IMP_STATUS_OK : fail(file, "can't be written", errno);
}

imp_Status impi_partial_file_write(impi_PartialFile *file, uint64_t offset, const void *bytes, size_t size)
{
    const char *left = bytes;
    while (size > 0) {
        ssize_t written = pwrite(file->descriptor, left, size, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return fail(file, "writing failed", errno);
        left += written;
        offset += (uint64_t)written;
        size -= (size_t)written;
    }
    return IMP_STATUS_OK;
}

imp_Status impi_partial_file_sync(impi_PartialFile *file)
{
    int error = fsync(file->descriptor) == 0 ? 0 : errno;
    // Some file systems tell only now that there is no room.
    if (close(file->descriptor) != 0 && !error)
        error = errno;
    file->descriptor = -1;
    return error ? fail(file, "writing failed", error) : IMP_STATUS_OK;
}

imp_Status impi_partial_file_commit(impi_PartialFile *file)
{
    if (rename(file->partial_path, file->target_path) == 0)
        return IMP_STATUS_OK;
    return fail(file, "can't be replaced", errno);
}

void impi_partial_file_remove(impi_PartialFile *file)
{
    close_descriptor(file);
    if (file->partial_path)
        unlink(file->partial_path);
}
