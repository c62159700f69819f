#define _DEFAULT_SOURCE // realpath, syscall

#include "io/sibling_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__linux__) && defined(SYS_openat2)
#include <linux/openat2.h>
#define HAS_OPENAT2 1
#endif

// A pipe without a writer must not keep us waiting before it is known to be one.
#define FLAGS       (O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
#define MAX_RETRIES 8

// The folder of a file, with its last slash, or "./". False when it is longer than any path.
static bool take_folder(const char *file_name, char folder[PATH_MAX])
{
    const char *slash = strrchr(file_name, '/');
    size_t length = slash ? (size_t)(slash - file_name) + 1 : 0;
    if (length >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(folder, file_name, length);
    folder[length] = '\0';
    if (length == 0)
        strcpy(folder, "./");
    return true;
}

static bool join(const char *folder, const char *name, char path[PATH_MAX])
{
    size_t folder_length = *name == '/' ? 0 : strlen(folder), name_length = strlen(name);
    if (folder_length + name_length >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(path, folder, folder_length);
    memcpy(path + folder_length, name, name_length + 1);
    return true;
}

static int open_anywhere(const char *folder, const char *name)
{
    char path[PATH_MAX];
    return join(folder, name, path) ? open(path, FLAGS) : -1;
}

// -1 with the errno EXDEV when it leads out.
static int open_by_real_path(const char *folder, const char *name)
{
    char path[PATH_MAX], real_folder[PATH_MAX], real_path[PATH_MAX];
    if (!join(folder, name, path) || !realpath(folder, real_folder) || !realpath(path, real_path))
        return -1;
    size_t length = strlen(real_folder);
    bool is_root = length == 1;
    if (strncmp(real_path, real_folder, length) != 0 || (!is_root && real_path[length] != '/')) {
        errno = EXDEV;
        return -1;
    }
    return open(real_path, FLAGS | O_NOFOLLOW);
}

#ifdef HAS_OPENAT2

// The system itself keeps the way from leading out, whatever others do to the links on it meanwhile.
static int open_beneath(const char *folder, const char *name)
{
    struct open_how how = {.flags = FLAGS, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    int folder_descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder_descriptor < 0)
        return -1;
    long descriptor = -1;
    for (int i = 0; i < MAX_RETRIES; ++i) {
        descriptor = syscall(SYS_openat2, folder_descriptor, name, &how, sizeof how);
        if (descriptor >= 0 || errno != EAGAIN)
            break;
    }
    int reason = errno;
    close(folder_descriptor);
    errno = reason;
    return (int)descriptor;
}

#else

static int open_beneath(const char *folder, const char *name)
{
    (void)folder;
    (void)name;
    errno = ENOSYS;
    return -1;
}

#endif

// Kernels before 5.6 have no openat2, and sandboxes may forbid it with either errno.
static int open_inside(const char *folder, const char *name)
{
    int descriptor = *name == '/' ? -1 : open_beneath(folder, name);
    if (*name == '/')
        errno = EXDEV;
    if (descriptor < 0 && (errno == ENOSYS || errno == EPERM))
        descriptor = open_by_real_path(folder, name);
    return descriptor;
}

int impi_sibling_open(const char *file_name, const char *name, bool allow_outside, impi_SiblingResult *result)
{
    char folder[PATH_MAX];
    struct stat info;
    int descriptor = -1;
    if (take_folder(file_name, folder))
        descriptor = allow_outside ? open_anywhere(folder, name) : open_inside(folder, name);
    if (descriptor < 0) {
        *result = errno == EXDEV && !allow_outside ? IMPI_SIBLING_OUTSIDE : IMPI_SIBLING_MISSING;
    } else if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
        *result = IMPI_SIBLING_NO_FILE;
        close(descriptor);
        descriptor = -1;
    } else {
        *result = IMPI_SIBLING_OPEN;
    }
    return descriptor;
}
