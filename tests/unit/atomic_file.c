#define _XOPEN_SOURCE 700 // mkdtemp, symlink

#include "io/atomic_file.h"

#include "failing_allocator.h"
#include "harness.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/impinge-atomic-XXXXXX";
static char path[64], link_path[64];

static imp_Context *prepare(void)
{
    imp_Context *context = NULL;
    strcpy(strchr(folder, '-') + 1, "atomic-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/file", folder);
    snprintf(link_path, sizeof link_path, "%s/link", folder);
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    return context;
}

// Everything but `.` and `..`
static int count_entries(void)
{
    int count = -2;
    DIR *entries = opendir(folder);
    while (readdir(entries))
        ++count;
    closedir(entries);
    return count;
}

static void finish(imp_Context *context)
{
    imp_context_destroy(context);
    unlink(path);
    unlink(link_path);
    CHECK(rmdir(folder) == 0);
}

static void check_content(const char *expected)
{
    char text[64] = {0};
    FILE *file = fopen(path, "rb");
    if (!CHECK(file != NULL))
        return;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    CHECK_TEXT(text, expected);
}

TEST(a_file_appears_when_it_is_committed)
{
    imp_Context *context = prepare();
    impi_AtomicFile file;
    CHECK_INT(impi_atomic_file_open(context, path, &file), IMP_STATUS_OK);
    CHECK_INT(impi_atomic_file_write(&file, "half ", 5), IMP_STATUS_OK);
    CHECK(access(path, F_OK) != 0);
    CHECK_INT(impi_atomic_file_write(&file, "and half", 8), IMP_STATUS_OK);
    CHECK_INT(impi_atomic_file_commit(&file), IMP_STATUS_OK);
    check_content("half and half");
    CHECK_INT(count_entries(), 1);
    finish(context);
}

TEST(an_aborted_file_leaves_the_old_one)
{
    imp_Context *context = prepare();
    impi_AtomicFile file;
    CHECK_INT(impi_atomic_file_save(context, path, "old", 3), IMP_STATUS_OK);
    CHECK_INT(impi_atomic_file_open(context, path, &file), IMP_STATUS_OK);
    CHECK_INT(impi_atomic_file_write(&file, "new", 3), IMP_STATUS_OK);
    impi_atomic_file_abort(&file);
    check_content("old");
    CHECK_INT(count_entries(), 1);
    finish(context);
}

TEST(more_than_the_buffer_holds_is_written_in_order)
{
    imp_Context *context = prepare();
    impi_AtomicFile file;
    static char piece[100000];
    struct stat info;
    CHECK_INT(impi_atomic_file_open(context, path, &file), IMP_STATUS_OK);
    for (int i = 0; i < 5; ++i) {
        memset(piece, 'a' + i, sizeof piece);
        CHECK_INT(impi_atomic_file_write(&file, piece, i % 2 ? sizeof piece : 30000), IMP_STATUS_OK);
    }
    CHECK_INT(impi_atomic_file_commit(&file), IMP_STATUS_OK);
    CHECK(stat(path, &info) == 0 && info.st_size == 290000);
    FILE *written = fopen(path, "rb");
    int last = 0, steps = 0;
    for (int c; written && (c = fgetc(written)) != EOF; last = c)
        steps += c != last;
    CHECK_INT(steps, 5);
    CHECK_INT(last, 'e');
    if (written)
        fclose(written);
    finish(context);
}

TEST(links_and_modes_stay)
{
    imp_Context *context = prepare();
    struct stat info;
    CHECK_INT(impi_atomic_file_save(context, path, "old", 3), IMP_STATUS_OK);
    CHECK(chmod(path, 0640) == 0 && symlink("file", link_path) == 0);
    CHECK_INT(impi_atomic_file_save(context, link_path, "new", 3), IMP_STATUS_OK);
    check_content("new");
    CHECK(lstat(link_path, &info) == 0 && S_ISLNK(info.st_mode));
    CHECK(stat(path, &info) == 0 && (info.st_mode & 0777) == 0640);
    finish(context);
}

TEST(devices_are_written_to_and_stay)
{
    imp_Context *context = prepare();
    struct stat info;
    CHECK_INT(impi_atomic_file_save(context, "/dev/null", "x", 1), IMP_STATUS_OK);
    CHECK(stat("/dev/null", &info) == 0 && S_ISCHR(info.st_mode));
    if (access("/dev/full", W_OK) == 0) {
        CHECK_INT(impi_atomic_file_save(context, "/dev/full", "x", 1), IMP_STATUS_IO);
        CHECK_CONTAINS(imp_context_get_error(context)->message, "/dev/full: writing failed");
    }
    finish(context);
}

TEST(what_cant_be_written_is_an_error)
{
    imp_Context *context = prepare();
    CHECK_INT(impi_atomic_file_save(context, folder, "x", 1), IMP_STATUS_IO);
    CHECK_CONTAINS(imp_context_get_error(context)->message, folder);
    snprintf(link_path, sizeof link_path, "%s/none/file", folder);
    CHECK_INT(impi_atomic_file_save(context, link_path, "x", 1), IMP_STATUS_IO);
    CHECK_INT(impi_atomic_file_save(context, "", "x", 1), IMP_STATUS_IO);
    CHECK_INT(count_entries(), 0);
    finish(context);
}

TEST(out_of_memory_leaves_nothing_behind)
{
    finish(prepare());
    CHECK(mkdir(folder, 0700) == 0);
    FailingAllocator memory;
    uint64_t n = 0;
    do {
        imp_Context *context = NULL;
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        if (imp_context_create(&def, &context) == IMP_STATUS_OK) {
            imp_Status status = impi_atomic_file_save(context, path, "x", 1);
            bool failed = failing_allocator_has_failed(&memory);
            CHECK_INT(status, failed ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
            CHECK_INT(count_entries(), failed ? 0 : 1);
            imp_context_destroy(context);
        }
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    finish(NULL);
}
