// Manifests: what is read, each refusal with its message, every truncation, every allocation that fails.
#define _XOPEN_SOURCE 700 // mkdtemp

#include "playback/manifest.h"

#include "failing_allocator.h"
#include "mesh_files.h"

typedef struct Fixture {
    char folder[MAX_TEST_PATH];
    imp_Context *context;
    impi_Manifest manifest;
} Fixture;

static Fixture begin(void)
{
    Fixture f = {.context = new_context()};
    make_folder(f.folder);
    return f;
}

static void end(Fixture *f)
{
    imp_context_destroy(f->context);
    remove_folder(f->folder);
}

static imp_Status load_bytes_of(Fixture *f, const void *bytes, size_t size)
{
    const char *path = path_in(f->folder, "bodies.txt");
    write_file(path, bytes, size);
    return impi_manifest_load(f->context, path, &f->manifest);
}

static imp_Status load(Fixture *f, const char *text)
{
    return load_bytes_of(f, text, strlen(text));
}

// Is the path the file in the folder?
static void check_path(const Fixture *f, size_t body, const char *file)
{
    CHECK_TEXT(f->manifest.bodies.data[body].path, path_in(f->folder, file));
}

static const char all_kinds[] = "\xEF\xBB\xBF# bodies\r\n"
                                "\n"
                                "box.obj\r\n"
                                "\t./box.obj 1 2 3 # moved\n"
                                "sub/a#b.stl 1,2,3 0 0 0 1\n"
                                "\"with blanks #1.ply\" #2 0 0\n"
                                "\"a \\\"b\\\" \\\\ \\c.obj\"\t0 0 1 axis 0 0 2 180\n"
                                "/elsewhere/x.off  # y\n"
                                "../y.off 1 0 0 0  0 1 0 0  0 0 1 0";

TEST(all_kinds_of_lines)
{
    Fixture f = begin();
    if (!CHECK_INT(load(&f, all_kinds), IMP_STATUS_OK))
        printf("  %s\n", imp_context_get_error(f.context)->message);
    const impi_ManifestBody *bodies = f.manifest.bodies.data;
    if (CHECK_INT((int64_t)f.manifest.bodies.count, 7)) {
        check_path(&f, 0, "box.obj");
        check_path(&f, 1, "box.obj");
        check_path(&f, 2, "sub/a#b.stl");
        check_path(&f, 3, "with blanks #1.ply");
        check_path(&f, 4, "a \"b\" \\ \\c.obj");
        CHECK_TEXT(bodies[5].path, "/elsewhere/x.off");
        check_path(&f, 6, "../y.off");
        CHECK(bodies[0].pose.rotation.w == 0 && bodies[0].pose.translation.x == 0); // the identity
        CHECK(bodies[1].pose.translation.x == 1 && bodies[1].pose.translation.z == 3);
        CHECK(bodies[2].pose.rotation.z == 1 && bodies[2].pose.rotation.w == 0);
        CHECK(bodies[3].pose.translation.x == 0 && bodies[3].pose.rotation.w == 0); // a comment
        CHECK(bodies[4].pose.translation.z == 1 && bodies[4].pose.rotation.z == 1);
        CHECK(bodies[6].pose.rotation.w == 1);
    }
    impi_manifest_free(&f.manifest);
    end(&f);
}

TEST(paths_without_a_folder)
{
    Fixture f = begin();
    char before[MAX_TEST_PATH];
    write_file(path_in(f.folder, "m"), "a.obj\n", 6);
    if (CHECK(getcwd(before, sizeof before) && chdir(f.folder) == 0)) {
        CHECK_INT(impi_manifest_load(f.context, "m", &f.manifest), IMP_STATUS_OK);
        CHECK_TEXT(f.manifest.bodies.data[0].path, "a.obj");
        impi_manifest_free(&f.manifest);
        CHECK(chdir(before) == 0);
    }
    end(&f);
}

TEST(checks_tell_texts_apart)
{
    static const char *const texts[] = {"a.obj\n", "a.obj", "b.obj\n", "a.obj 0 0 1\n", "a.obj 0 0 2\n"};
    Fixture f = begin();
    uint64_t checks[5];
    for (size_t i = 0; i < 5; ++i) {
        CHECK_INT(load(&f, texts[i]), IMP_STATUS_OK);
        checks[i] = f.manifest.check;
        impi_manifest_free(&f.manifest);
        for (size_t k = 0; k < i; ++k)
            CHECK(checks[i] != checks[k]);
    }
    CHECK_INT(load(&f, texts[0]), IMP_STATUS_OK);
    CHECK(f.manifest.check == checks[0]);
    impi_manifest_free(&f.manifest);
    end(&f);
}

static void check_refused(Fixture *f, const void *bytes, size_t size, const char *message)
{
    char wanted[4 * MAX_TEST_PATH];
    CHECK_INT(load_bytes_of(f, bytes, size), IMP_STATUS_BAD_FILE);
    snprintf(wanted, sizeof wanted, "%s%s", path_in(f->folder, "bodies.txt"), message);
    CHECK_TEXT(imp_context_get_error(f->context)->message, wanted);
    impi_manifest_free(&f->manifest);
}

TEST(what_is_wrong_is_told_with_its_line)
{
    static const struct {
        const char *text, *message;
    } refused[] = {
        {"", ": no body is in it; a line has a file and, if it is moved, its pose"},
        {"\n# a.obj\n", ": no body is in it; a line has a file and, if it is moved, its pose"},
        {"a.obj\n\"b.obj\n", ":2: the quote is not closed"},
        {"\"b.obj\\\"", ":1: the quote is not closed"},
        {"a.obj\n\n\"b.obj\"1 2 3\n", ":3: expected a blank behind the quoted file"},
        {"\"\" 1 2 3", ":1: the name of the file is empty"},
        {"a.obj 1\n", ":1: expected 3, 7, 12 or 16 numbers, got 1"},
        {"a.obj 1 2 3 4\n", ":1: expected 3, 7, 12 or 16 numbers, got 4"},
        {"a.obj\na.obj 1 2 x\n", ":2: expected a number, got 'x'"},
        {"a b.obj\n", ":1: expected a number, got 'b.obj'"},
        {"a.obj 1 2 3#4\n", ":1: expected a number, got '3#4'"},
        {"a.obj 1 2 1e999\n", ":1: the number 1e999 is too large"},
        {"a.obj 0 0 0 1 1 0 0\n", ":1: the rotation qw qx qy qz has length 1.41421356, expected 1"},
    };
    static const char zero[] = "a.obj\nb\0.obj\n";
    Fixture f = begin();
    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i)
        check_refused(&f, refused[i].text, strlen(refused[i].text), refused[i].message);
    check_refused(&f, zero, sizeof zero - 1, ":2: a zero byte, which no text has");
    CHECK_INT(impi_manifest_load(f.context, path_in(f.folder, "nothing"), &f.manifest), IMP_STATUS_IO);
    impi_manifest_free(&f.manifest);
    end(&f);
}

TEST(every_truncation_is_read_or_refused)
{
    Fixture f = begin();
    uint64_t read = 0;
    for (size_t size = 0; size < sizeof all_kinds; ++size) {
        imp_Status status = load_bytes_of(&f, all_kinds, size);
        CHECK(status == IMP_STATUS_OK || status == IMP_STATUS_BAD_FILE);
        read += status == IMP_STATUS_OK;
        impi_manifest_free(&f.manifest);
    }
    CHECK(read > 50 && read < sizeof all_kinds - 50);
    end(&f);
}

TEST(every_allocation_may_fail)
{
    FailingAllocator memory;
    Fixture f = begin();
    const char *path = path_in(f.folder, "bodies.txt");
    write_file(path, all_kinds, sizeof all_kinds - 1);
    uint64_t n = 0;
    do {
        imp_Context *context = NULL;
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        if (imp_context_create(&def, &context) == IMP_STATUS_OK) {
            imp_Status status = impi_manifest_load(context, path, &f.manifest);
            CHECK_INT(status,
                      failing_allocator_has_failed(&memory) ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
            impi_manifest_free(&f.manifest);
            imp_context_destroy(context);
        }
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 5);
    end(&f);
}
