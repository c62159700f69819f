// Files that several processes write together.
#define _XOPEN_SOURCE 700 // mkdtemp

#include "harness.h"

#include "kit/partial_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static bool prepare(void)
{
    strcpy(folder, "/tmp/impinge-partial-XXXXXX");
    return CHECK(mkdtemp(folder) != NULL) && CHECK(chdir(folder) == 0);
}

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(name, "wb");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void check_text(const char *name, const char *expected)
{
    char text[100] = "";
    FILE *file = fopen(name, "rb");
    if (!CHECK(file != NULL))
        return;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    CHECK_TEXT(text, expected);
}

static void clean(void)
{
    static const char *const names[] = {"link", "target", "target.partial"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        unlink(names[i]);
    CHECK(chdir("/") == 0 && rmdir(folder) == 0);
}

TEST(two_writers_make_one_file)
{
    imp_Context *context = NULL;
    impi_PartialFile first, second;
    if (!prepare())
        return;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    write_text("target", "as it was");
    write_text("target.partial", "left by another run, and longer than what comes");
    CHECK(symlink("target", "link") == 0);
    CHECK_INT(impi_partial_file_begin(context, "link", &first), IMP_STATUS_OK);
    CHECK_INT(impi_partial_file_begin(context, "link", &second), IMP_STATUS_OK);
    CHECK_INT(impi_partial_file_create(&first, 8), IMP_STATUS_OK);
    CHECK_INT(impi_partial_file_open(&second), IMP_STATUS_OK);
    CHECK_INT(impi_partial_file_write(&second, 4, "5678", 4), IMP_STATUS_OK);
    CHECK_INT(impi_partial_file_write(&first, 0, "1234", 4), IMP_STATUS_OK);
    CHECK_INT(impi_partial_file_sync(&first), IMP_STATUS_OK);
    CHECK_INT(impi_partial_file_sync(&second), IMP_STATUS_OK);
    check_text("target", "as it was");
    CHECK_INT(impi_partial_file_commit(&first), IMP_STATUS_OK);
    check_text("link", "12345678");
    struct stat info;
    CHECK(lstat("link", &info) == 0 && S_ISLNK(info.st_mode));
    CHECK(access("target.partial", F_OK) != 0);
    impi_partial_file_end(&first);
    impi_partial_file_end(&second);
    imp_context_destroy(context);
    clean();
}

TEST(what_fails_leaves_nothing_behind)
{
    imp_Context *context = NULL;
    impi_PartialFile file;
    if (!prepare())
        return;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    write_text("target", "as it was");
    CHECK_INT(impi_partial_file_begin(context, "target", &file), IMP_STATUS_OK);
    CHECK_INT(impi_partial_file_create(&file, (uint64_t)1 << 62), IMP_STATUS_IO);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "target: writing failed: ");
    impi_partial_file_remove(&file);
    impi_partial_file_end(&file);
    check_text("target", "as it was");
    CHECK(access("target.partial", F_OK) != 0);
    CHECK_INT(impi_partial_file_begin(context, "nowhere/target", &file), IMP_STATUS_OK);
    CHECK_INT(impi_partial_file_create(&file, 8), IMP_STATUS_IO);
    CHECK_INT(impi_partial_file_open(&file), IMP_STATUS_IO);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "nowhere/target: can't be written: ");
    impi_partial_file_end(&file);
    CHECK(impi_partial_file_is_stream("/dev/null") && !impi_partial_file_is_stream("target"));
    imp_context_destroy(context);
    clean();
}
