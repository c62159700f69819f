#include "input_files.h"

#include "kit/argument_text.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// "./a.obj" is a.obj, but "./-" is not standard input.
static const char *skip_own_folder(const char *path)
{
    const char *rest = path;
    while (rest[0] == '.' && rest[1] == '/')
        rest += 1 + strspn(rest + 1, "/");
    return *rest == 0 || strcmp(rest, "-") == 0 ? path : rest;
}

// False when out of memory.
static bool add_path(InputFiles *files, const char *path)
{
    path = skip_own_folder(path);
    if (files->count == files->capacity) {
        size_t capacity = files->capacity ? 2 * files->capacity : 16;
        char **grown = realloc(files->paths, capacity * sizeof *grown);
        if (!grown)
            return false;
        files->paths = grown;
        files->capacity = capacity;
    }
    files->paths[files->count] = strdup(path);
    return files->paths[files->count] && ++files->count;
}

void input_files_free(InputFiles *files)
{
    for (size_t i = 0; i < files->count; ++i)
        free(files->paths[i]);
    free(files->paths);
    *files = (InputFiles){0};
}

CommandResult input_files_leave_out(InputFiles *files, const char *reason)
{
    if (!files->keeps_going)
        return command_fail("%s", reason);
    command_remark("left out", reason);
    if (files->left_out_count++ == 0)
        snprintf(files->first_left_out, sizeof files->first_left_out, "%s", reason);
    return COMMAND_DONE;
}

static CommandResult leave_out(InputFiles *files, const char *path, const char *what)
{
    char reason[MAX_REASON];
    snprintf(reason, sizeof reason, "%s: %s", path, what);
    return input_files_leave_out(files, reason);
}

static int compare_paths(const void *left, const void *right)
{
    char *const *a = left, *const *b = right;
    return strcmp(*a, *b);
}

// ---- folders

static char *join_path(const char *folder, const char *name)
{
    size_t length = strlen(folder);
    bool has_slash = length > 0 && folder[length - 1] == '/';
    char *path = malloc(length + strlen(name) + 2);
    if (path)
        sprintf(path, "%s%s%s", folder, has_slash ? "" : "/", name);
    return path;
}

static CommandResult list_folder(const char *folder, InputFiles *files);

// A link to a folder may lead back into it; a link to a file is one.
static CommandResult list_entry(const char *path, InputFiles *files)
{
    struct stat info, target;
    if (lstat(path, &info) != 0)
        return COMMAND_DONE; // it has gone meanwhile
    if (S_ISDIR(info.st_mode))
        return list_folder(path, files);
    bool is_file = S_ISREG(info.st_mode) ||
                   (S_ISLNK(info.st_mode) && stat(path, &target) == 0 && S_ISREG(target.st_mode));
    if (is_file && impi_file_is_native(path) && !add_path(files, path))
        return command_fail("out of memory");
    return COMMAND_DONE;
}

// The next entry that is not hidden. Null at the end, with errno 0, and where the folder can't be read.
static const struct dirent *next_entry(DIR *entries)
{
    const struct dirent *entry;
    do {
        errno = 0;
        entry = readdir(entries);
    } while (entry && entry->d_name[0] == '.');
    return entry;
}

static CommandResult list_folder(const char *folder, InputFiles *files)
{
    CommandResult result = COMMAND_DONE;
    DIR *entries = opendir(folder);
    if (!entries)
        return leave_out(files, folder, strerror(errno));
    const struct dirent *entry;
    while (result == COMMAND_DONE && (entry = next_entry(entries))) {
        char *path = join_path(folder, entry->d_name);
        result = path ? list_entry(path, files) : command_fail("out of memory");
        free(path);
    }
    if (result == COMMAND_DONE && errno)
        result = leave_out(files, folder, strerror(errno));
    closedir(entries);
    return result;
}

static CommandResult add_folder(const char *folder, InputFiles *files)
{
    size_t first = files->count, left_out_count = files->left_out_count;
    if (list_folder(folder, files) != COMMAND_DONE)
        return COMMAND_FAILED;
    if (files->count == first)
        return files->left_out_count > left_out_count
                   ? COMMAND_DONE // what could not be read is told, and may have held some
                   : leave_out(files, folder,
                               "there is no file in this folder that ends in " IMPI_OUR_EXTENSIONS);
    qsort(files->paths + first, files->count - first, sizeof *files->paths, compare_paths);
    return COMMAND_DONE;
}

// ---- patterns

// Sorted by glob itself, in the order of bytes, because no locale is set.
static CommandResult add_matches(const char *pattern, InputFiles *files)
{
    glob_t found;
    CommandResult result = COMMAND_DONE;
    int status = glob(pattern, 0, NULL, &found);
    if (status == GLOB_NOMATCH)
        return leave_out(files, pattern, "no file matches this");
    if (status == GLOB_NOSPACE)
        return command_fail("out of memory");
    if (status != 0)
        return leave_out(files, pattern, "can't be read");
    for (size_t i = 0; i < found.gl_pathc && result == COMMAND_DONE; ++i) {
        struct stat info;
        if (stat(found.gl_pathv[i], &info) == 0 && S_ISDIR(info.st_mode))
            result = add_folder(found.gl_pathv[i], files);
        else if (!add_path(files, found.gl_pathv[i]))
            result = command_fail("out of memory");
    }
    globfree(&found);
    return result;
}

CommandResult input_files_list(const char *const *arguments, size_t count, bool keeps_going,
                               InputFiles *files)
{
    *files = (InputFiles){.keeps_going = keeps_going};
    bool has_input = false;
    for (size_t i = 0; i < count; ++i) {
        const char *argument = arguments[i];
        struct stat info;
        bool is_input = strcmp(argument, "-") == 0, exists = !is_input && stat(argument, &info) == 0;
        CommandResult result = COMMAND_DONE;
        if (is_input && has_input)
            return command_fail("%s can be read once only", STANDARD_INPUT_NAME);
        has_input = has_input || is_input;
        if (exists && S_ISDIR(info.st_mode))
            result = add_folder(argument, files);
        else if (!is_input && !exists && strpbrk(argument, "*?["))
            result = add_matches(argument, files);
        else if (!add_path(files, argument))
            result = command_fail("out of memory");
        if (result != COMMAND_DONE)
            return result;
    }
    return COMMAND_DONE;
}
