#include "io/file_source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// So much is asked of the system at a time: about a tenth of a millisecond from its cache.
#define READ_STEP ((size_t)1 << 20)
// How long a pipe that is silent is waited for before the watch is looked at.
#define WAIT_MS 20

static imp_Status fail(imp_Context *context, const char *name, const char *what)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = name;
    return impi_fail_at(context, IMP_STATUS_IO, place, "%s", what);
}

static imp_Status fail_with_errno(imp_Context *context, const char *name, const char *what)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = name;
    return impi_fail_at(context, IMP_STATUS_IO, place, "%s: %s", what, strerror(errno));
}

imp_Status impi_file_source_fail_large(const impi_FileSource *source, uint64_t size)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = source->name;
    return impi_fail_at(source->context, IMP_STATUS_TOO_LARGE, place,
                        "it has %" PRIu64 " bytes, and no more than %" PRIu64 " may be read", size,
                        source->limit);
}

static imp_Status fail_endless(const impi_FileSource *source)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = source->name;
    return impi_fail_at(source->context, IMP_STATUS_TOO_LARGE, place,
                        "it goes on behind %" PRIu64 " bytes, and no more than that may be read",
                        source->limit);
}

// Fill in what the system tells about an open file.
static imp_Status examine(impi_FileSource *source)
{
    struct stat info;
    if (fstat(source->descriptor, &info) != 0)
        return fail_with_errno(source->context, source->name, "can't read it");
    if (S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return fail_with_errno(source->context, source->name, "can't read it");
    }
    if (S_ISBLK(info.st_mode))
        return fail(source->context, source->name, "it is a device, not a file");
    // Files that the system makes up as they are read, as in /proc, claim to be empty.
    source->has_size = S_ISREG(info.st_mode) && info.st_size > 0;
    source->size = source->has_size ? (uint64_t)info.st_size : 0;
    source->is_device = S_ISCHR(info.st_mode) && !isatty(source->descriptor);
    source->limit = source->context->max_file_bytes;
    if (source->limit == 0)
        source->limit = source->has_size ? IMP_DEFAULT_MAX_FILE_BYTES : IMP_DEFAULT_MAX_STREAM_BYTES;
    if (source->size > source->limit || source->size > SIZE_MAX / 2)
        return impi_file_source_fail_large(source, source->size);
    return IMP_STATUS_OK;
}

imp_Status impi_file_source_adopt(imp_Context *context, const char *name, int descriptor,
                                  impi_FileSource *source)
{
    *source = (impi_FileSource){.context = context, .name = name, .descriptor = descriptor};
    imp_Status status = examine(source);
    if (status != IMP_STATUS_OK)
        impi_file_source_close(source);
    return status;
}

imp_Status impi_file_source_open(imp_Context *context, const char *path, const char *name,
                                 impi_FileSource *source)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0)
        return fail_with_errno(context, name, "can't open it");
    return impi_file_source_adopt(context, name, descriptor, source);
}

void impi_file_source_close(impi_FileSource *source)
{
    close(source->descriptor);
    source->descriptor = -1;
}

void impi_file_source_seek(impi_FileSource *source, uint64_t position)
{
    source->position = position;
}

// Somebody who watches must not wait for a pipe that says nothing.
static imp_Status wait_for_bytes(const impi_FileSource *source)
{
    struct pollfd wanted = {.fd = source->descriptor, .events = POLLIN};
    while (source->context->watch.is_active && poll(&wanted, 1, WAIT_MS) == 0) {
        impi_watch_goes_on(&source->context->watch);
        imp_Status status = impi_watch_status(source->context);
        if (status != IMP_STATUS_OK)
            return status;
    }
    return IMP_STATUS_OK;
}

// One call to the system, which may give less than it is asked for.
static imp_Status read_some(impi_FileSource *source, unsigned char *bytes, size_t size, size_t *count)
{
    ssize_t got;
    imp_Status status = source->has_size ? IMP_STATUS_OK : wait_for_bytes(source);
    if (status != IMP_STATUS_OK)
        return status;
    do
        got = source->has_size ? pread(source->descriptor, bytes, size, (off_t)source->position)
                               : read(source->descriptor, bytes, size);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return fail_with_errno(source->context, source->name, "can't read it");
    if (got > 0 && source->is_device)
        return fail(source->context, source->name, "it is a device, not a file");
    source->position += (uint64_t)got;
    *count = (size_t)got;
    return IMP_STATUS_OK;
}

static imp_Status fail_cut(const impi_FileSource *source)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = source->name;
    return impi_fail_at(source->context, IMP_STATUS_IO, place,
                        "it was cut short while it was read: it had %" PRIu64
                        " bytes, and ends behind %" PRIu64,
                        source->size, source->position);
}

imp_Status impi_file_source_read(impi_FileSource *source, void *bytes, size_t size, size_t *count)
{
    size_t done = 0, got = 1;
    if (source->has_size && size > source->size - source->position)
        size = (size_t)(source->size - source->position);
    while (done < size && got > 0) {
        size_t step = size - done < READ_STEP ? size - done : READ_STEP;
        imp_Status status = read_some(source, (unsigned char *)bytes + done, step, &got);
        if (status == IMP_STATUS_OK && !impi_watch_goes_on(&source->context->watch))
            status = impi_watch_status(source->context);
        if (status == IMP_STATUS_OK && source->has_size && got == 0)
            status = fail_cut(source);
        if (status == IMP_STATUS_OK && source->position > source->limit)
            status = fail_endless(source);
        if (status != IMP_STATUS_OK)
            return status;
        done += got;
    }
    *count = done;
    return IMP_STATUS_OK;
}
