#define _XOPEN_SOURCE 700 // realpath

#include "io/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BUFFER_SIZE       ((size_t)1 << 16)
#define MAX_NAME_ATTEMPTS 100
#define SUFFIX_CAPACITY   40 // ".PID-NUMBER.tmp"

static imp_Status fail_with_errno(imp_Context *context, const char *path, const char *what)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = path;
    return impi_fail_at(context, IMP_STATUS_IO, place, "%s: %s", what, strerror(errno));
}

static void release_memory(impi_AtomicFile *file)
{
    const imp_Allocator *allocator = &file->context->allocator;
    impi_release(allocator, file->target_path, file->path_capacity);
    impi_release(allocator, file->temporary_path, file->path_capacity);
    impi_release(allocator, file->buffer, BUFFER_SIZE);
}

// The temporary file lies in the folder of what is replaced, which need not be that of a link to it.
static imp_Status allocate_paths(impi_AtomicFile *file)
{
    const imp_Allocator *allocator = &file->context->allocator;
    char *resolved = realpath(file->path, NULL); // null when there is no such file yet
    const char *target = resolved ? resolved : file->path;
    file->path_capacity = strlen(target) + SUFFIX_CAPACITY;
    file->target_path = impi_allocate(allocator, file->path_capacity);
    file->temporary_path = impi_allocate(allocator, file->path_capacity);
    file->buffer = impi_allocate(allocator, BUFFER_SIZE);
    bool complete = file->target_path && file->temporary_path && file->buffer;
    if (complete)
        strcpy(file->target_path, target);
    free(resolved);
    return complete ? IMP_STATUS_OK : impi_fail_out_of_memory(file->context);
}

static imp_Status open_temporary(impi_AtomicFile *file, const struct stat *replaced)
{
    file->descriptor = -1;
    for (int attempt = 0; file->descriptor < 0 && attempt < MAX_NAME_ATTEMPTS; ++attempt) {
        snprintf(file->temporary_path, file->path_capacity, "%s.%ld-%d.tmp", file->target_path,
                 (long)getpid(), attempt);
        // The mode that any new file gets: the system takes its mask off.
        file->descriptor = open(file->temporary_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file->descriptor < 0 && errno != EEXIST)
            break;
    }
    if (file->descriptor < 0)
        return fail_with_errno(file->context, file->path, "can't be written");
    if (replaced)
        (void)fchmod(file->descriptor, replaced->st_mode & 0777); // as it was, where the system allows it
    return IMP_STATUS_OK;
}

static imp_Status open_direct(impi_AtomicFile *file)
{
    file->direct = true;
    file->descriptor = open(file->path, O_WRONLY | O_CLOEXEC);
    return file->descriptor >= 0 ? IMP_STATUS_OK
                                 : fail_with_errno(file->context, file->path, "can't be written");
}

imp_Status impi_atomic_file_open(imp_Context *context, const char *path, impi_AtomicFile *file)
{
    struct stat info;
    *file = (impi_AtomicFile){.context = context, .path = path};
    bool exists = stat(path, &info) == 0;
    imp_Status status = allocate_paths(file);
    if (status == IMP_STATUS_OK && exists && !S_ISREG(info.st_mode))
        status = open_direct(file);
    else if (status == IMP_STATUS_OK && exists && access(path, W_OK) != 0)
        status = fail_with_errno(context, path, "can't be written"); // a folder alone would allow it
    else if (status == IMP_STATUS_OK)
        status = open_temporary(file, exists ? &info : NULL);
    if (status != IMP_STATUS_OK)
        release_memory(file);
    return status;
}

// As write, but a pipe that nobody reads from any more is an error (EPIPE), not the end of the host: the
// signal that goes with it is taken back before anybody sees it, unless one was waiting already.
static ssize_t write_to_pipe(int descriptor, const char *bytes, size_t size)
{
    sigset_t pipe_signal, earlier, waiting;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigemptyset(&waiting);
    sigpending(&waiting);
    if (sigismember(&waiting, SIGPIPE) || pthread_sigmask(SIG_BLOCK, &pipe_signal, &earlier) != 0)
        return write(descriptor, bytes, size);
    ssize_t written = write(descriptor, bytes, size);
    int reason = errno;
    if (written < 0 && reason == EPIPE)
        while (sigtimedwait(&pipe_signal, NULL, &(struct timespec){0}) < 0 && errno == EINTR)
            ;
    pthread_sigmask(SIG_SETMASK, &earlier, NULL);
    errno = reason;
    return written;
}

static imp_Status write_through(impi_AtomicFile *file, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = file->direct ? write_to_pipe(file->descriptor, bytes, size)
                                       : write(file->descriptor, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return fail_with_errno(file->context, file->path, "writing failed");
        bytes += written;
        size -= (size_t)written;
    }
    return IMP_STATUS_OK;
}

static imp_Status flush_buffer(impi_AtomicFile *file)
{
    size_t size = file->buffered;
    file->buffered = 0;
    return write_through(file, file->buffer, size);
}

imp_Status impi_atomic_file_write(impi_AtomicFile *file, const void *bytes, size_t size)
{
    if (size > BUFFER_SIZE - file->buffered) {
        imp_Status status = flush_buffer(file);
        if (status != IMP_STATUS_OK)
            return status;
    }
    if (size > BUFFER_SIZE)
        return write_through(file, bytes, size);
    if (size > 0)
        memcpy(file->buffer + file->buffered, bytes, size);
    file->buffered += size;
    return IMP_STATUS_OK;
}

imp_Status impi_atomic_file_commit(impi_AtomicFile *file)
{
    imp_Status status = flush_buffer(file);
    // Some file systems tell only now that there is no room.
    if (close(file->descriptor) != 0 && status == IMP_STATUS_OK)
        status = fail_with_errno(file->context, file->path, "writing failed");
    if (!file->direct) {
        if (status == IMP_STATUS_OK && rename(file->temporary_path, file->target_path) != 0)
            status = fail_with_errno(file->context, file->path, "can't be replaced");
        if (status != IMP_STATUS_OK)
            unlink(file->temporary_path);
    }
    release_memory(file);
    return status;
}

void impi_atomic_file_abort(impi_AtomicFile *file)
{
    close(file->descriptor);
    if (!file->direct)
        unlink(file->temporary_path);
    release_memory(file);
}

imp_Status impi_atomic_file_save(imp_Context *context, const char *path, const void *bytes, size_t size)
{
    impi_AtomicFile file;
    imp_Status status = impi_atomic_file_open(context, path, &file);
    if (status != IMP_STATUS_OK)
        return status;
    status = impi_atomic_file_write(&file, bytes, size);
    if (status == IMP_STATUS_OK)
        return impi_atomic_file_commit(&file);
    impi_atomic_file_abort(&file);
    return status;
}
