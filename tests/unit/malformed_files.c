// Files that are not as they should be: each gets a status and a message, never a crash, and no memory that
// their size does not warrant.

#include "failing_allocator.h"
#include "mesh_files.h"

#include <sys/stat.h>
#include <sys/wait.h>

#define HEADER(format)                                                                                       \
    "ply\nformat " format " 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"   \
    "element face 2\nproperty list uchar int vertex_indices\nend_header\n"

typedef struct Sample {
    const char *name;
    imp_FileFormat format;
    unsigned char bytes[512];
    size_t size;
} Sample;

enum { SAMPLE_COUNT = 7 };

static void put(Sample *sample, const void *bytes, size_t size)
{
    memcpy(sample->bytes + sample->size, bytes, size);
    sample->size += size;
}

static Sample make_text(const char *name, imp_FileFormat format, const char *text)
{
    Sample sample = {.name = name, .format = format};
    put(&sample, text, strlen(text));
    return sample;
}

static void put_swapped(Sample *sample, const void *word, bool swap)
{
    unsigned char bytes[4];
    memcpy(bytes, word, 4);
    for (int i = 0; i < 4; ++i)
        put(sample, &bytes[swap ? 3 - i : i], 1);
}

static Sample make_binary_ply(bool swap)
{
    static const float points[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    static const uint32_t faces[] = {0, 1, 2, 0, 2, 3};
    Sample sample = make_text(swap ? "big.ply" : "little.ply", IMP_FORMAT_PLY,
                              swap ? HEADER("binary_big_endian") : HEADER("binary_little_endian"));
    for (int i = 0; i < 12; ++i)
        put_swapped(&sample, &points[i], swap);
    for (int i = 0; i < 6; ++i) {
        if (i % 3 == 0)
            put(&sample, "\003", 1);
        put_swapped(&sample, &faces[i], swap);
    }
    return sample;
}

static Sample make_binary_stl(void)
{
    static const float points[12] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
    Sample sample = {.name = "binary.stl", .format = IMP_FORMAT_STL};
    char header[81];
    uint32_t count = 2;
    snprintf(header, sizeof header, "%-80s", "solid but binary");
    put(&sample, header, 80);
    put(&sample, &count, 4);
    for (int i = 0; i < 2; ++i) {
        put(&sample, points, sizeof points);
        put(&sample, "\0\0", 2);
    }
    return sample;
}

static void make_samples(Sample samples[SAMPLE_COUNT])
{
    samples[0] =
        make_text("a.obj", IMP_FORMAT_OBJ, "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/1 2//2 -2\nf 1 2 3 4\n");
    samples[1] =
        make_text("a.stl", IMP_FORMAT_STL,
                  "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
                  "endloop\nendfacet\nendsolid a\n");
    samples[2] = make_binary_stl();
    samples[3] =
        make_text("a.ply", IMP_FORMAT_PLY, HEADER("ascii") "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n");
    samples[4] = make_binary_ply(false);
    samples[5] = make_binary_ply(true);
    samples[6] =
        make_text("a.off", IMP_FORMAT_OFF, "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n");
}

// Returns whether the bytes are a mesh. Otherwise the status and the message must be right.
static bool try_bytes(const Sample *sample, const void *bytes, size_t size)
{
    imp_Context *context = new_context();
    imp_Mesh *mesh = NULL;
    imp_Status status = imp_mesh_load_memory(context, sample->format, bytes, size, sample->name, &mesh);
    if (status == IMP_STATUS_OK) {
        imp_mesh_release(mesh);
    } else {
        const char *message = imp_context_get_error(context)->message;
        CHECK(mesh == NULL);
        CHECK(status == IMP_STATUS_BAD_FILE || status == IMP_STATUS_UNSUPPORTED);
        CHECK(strncmp(message, sample->name, strlen(sample->name)) == 0);
        CHECK(strlen(message) > strlen(sample->name) + 8 && !strchr(message, '\n'));
    }
    imp_context_destroy(context);
    return status == IMP_STATUS_OK;
}

TEST(truncation_at_every_byte)
{
    Sample samples[SAMPLE_COUNT];
    make_samples(samples);
    for (int s = 0; s < SAMPLE_COUNT; ++s) {
        int accepted = 0;
        for (size_t size = 0; size < samples[s].size; ++size) {
            // A copy of its own, so that the address sanitizer sees each byte that is read beyond the end.
            unsigned char *copy = malloc(size + 1);
            memcpy(copy, samples[s].bytes, size);
            accepted += try_bytes(&samples[s], copy, size);
            free(copy);
        }
        CHECK(try_bytes(&samples[s], samples[s].bytes, samples[s].size));
        // Shorter files can be whole only where the format can't tell, or lacks nothing but a name or line
        // end.
        CHECK(accepted <= (samples[s].format == IMP_FORMAT_OBJ ? 8 : 3));
    }
}

TEST(every_byte_changed)
{
    static const unsigned char values[] = {0, '\n', ' ', '-', '9', 'x', 0x7F, 0x80, 0xFF};
    Sample samples[SAMPLE_COUNT];
    int accepted = 0, refused = 0;
    make_samples(samples);
    for (int s = 0; s < SAMPLE_COUNT; ++s)
        for (size_t at = 0; at < samples[s].size; ++at)
            for (size_t v = 0; v < sizeof values; ++v) {
                Sample changed = samples[s];
                changed.bytes[at] = values[v];
                if (try_bytes(&changed, changed.bytes, changed.size))
                    ++accepted;
                else
                    ++refused;
            }
    CHECK(accepted > 500 && refused > 2000);
}

TEST(memory_is_bounded_by_the_size_of_the_file)
{
    static const struct {
        imp_FileFormat format;
        const char *text;
    } promises[] = {
        {IMP_FORMAT_OFF, "OFF\n4294967294 4294967294 0\n0 0 0\n"},
        {IMP_FORMAT_OFF, "OFF\n2147483647 1 0\n0 0 0\n"},
        {IMP_FORMAT_OFF, "OFF\n3 1 0\n0 0 0\n0 0 0\n0 0 0\n4294967295 0 1 2\n"},
        {IMP_FORMAT_PLY, "ply\nformat ascii 1.0\nelement vertex 9223372036854775807\nproperty float x\n"
                         "property float y\nproperty float z\nelement face 1\n"
                         "property list uchar int vertex_index\nend_header\n"},
        {IMP_FORMAT_PLY, "ply\nformat binary_big_endian 1.0\nelement vertex 4294967296\nproperty char x\n"
                         "property char y\nproperty char z\nelement face 4294967295\n"
                         "property list uint char vertex_index\nend_header\n"},
    };
    for (size_t i = 0; i < sizeof promises / sizeof *promises; ++i) {
        FailingAllocator memory;
        failing_allocator_init(&memory, 0);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        imp_Context *context = NULL;
        imp_Mesh *mesh = NULL;
        CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
        CHECK_INT(imp_mesh_load_memory(context, promises[i].format, promises[i].text,
                                       strlen(promises[i].text), "test", &mesh),
                  IMP_STATUS_BAD_FILE);
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    }
}

static void expect_io_error(const char *path, const char *part)
{
    imp_Context *context = new_context();
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_mesh_load(context, path, &mesh), IMP_STATUS_IO);
    CHECK_CONTAINS(imp_context_get_error(context)->message, part);
    CHECK_TEXT(imp_context_get_error(context)->file, path);
    imp_context_destroy(context);
}

TEST(missing_files_and_folders)
{
    static const char *const names[] = {"x.obj", "x.stl", "x.ply", "x.off"};
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    for (int i = 0; i < 4; ++i) {
        expect_io_error(path_in(folder, names[i]), "can't open it: No such file or directory");
        CHECK(mkdir(path_in(folder, names[i]), 0777) == 0);
        expect_io_error(path_in(folder, names[i]), "can't read it: Is a directory");
    }
    remove_folder(folder);
}

// The superuser may read everything, so the check runs as nobody, in a process of its own.
TEST(unreadable_files)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    chmod(folder, 0755);
    write_file(path_in(folder, "a.obj"), "v 0 0 0\n", 8);
    chmod(path_in(folder, "a.obj"), 0);
    pid_t child = fork();
    if (child == 0) {
        imp_Context *context = NULL;
        imp_Mesh *mesh = NULL;
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(2);
        bool right = imp_context_create(NULL, &context) == IMP_STATUS_OK &&
                     imp_mesh_load(context, path_in(folder, "a.obj"), &mesh) == IMP_STATUS_IO &&
                     strstr(imp_context_get_error(context)->message, "Permission denied");
        _exit(right ? 0 : 1);
    }
    int result = 0;
    CHECK(child > 0 && waitpid(child, &result, 0) == child);
    if (WIFEXITED(result) && WEXITSTATUS(result) == 2)
        test_skip("there is no user without rights here");
    else
        CHECK(WIFEXITED(result) && WEXITSTATUS(result) == 0);
    remove_folder(folder);
}

TEST(empty_files_and_pipes)
{
    static const char *const names[] = {"x.obj", "x.stl", "x.ply", "x.off"};
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    imp_Mesh *mesh = NULL;
    for (int i = 0; i < 4; ++i) {
        write_file(path_in(folder, names[i]), "", 0);
        CHECK_INT(imp_mesh_load(context, path_in(folder, names[i]), &mesh), IMP_STATUS_BAD_FILE);
        CHECK_CONTAINS(imp_context_get_error(context)->message, ": the file is empty");
    }
    // What is no regular file is read to its end.
    CHECK(mkfifo(path_in(folder, "pipe.obj"), 0600) == 0);
    pid_t child = fork();
    if (child == 0) {
        FILE *pipe = fopen(path_in(folder, "pipe.obj"), "w");
        if (pipe) {
            fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", pipe);
            fclose(pipe);
        }
        _exit(0);
    }
    CHECK_INT(imp_mesh_load(context, path_in(folder, "pipe.obj"), &mesh), IMP_STATUS_OK);
    CHECK(mesh && imp_mesh_get_triangle_count(mesh) == 1);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    waitpid(child, NULL, 0);
    remove_folder(folder);
}

TEST(bad_arguments)
{
    imp_Context *context = new_context();
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_mesh_load(NULL, "a.obj", &mesh), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_mesh_load(context, NULL, &mesh), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_mesh_load(context, "a.obj", NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_mesh_load_memory(context, IMP_FORMAT_OBJ, NULL, 1, "a", &mesh), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_mesh_load_memory(context, IMP_FORMAT_OBJ, "v", 1, NULL, &mesh), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_mesh_load_memory(context, (imp_FileFormat)77, "v", 1, "a", &mesh), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_mesh_load_memory(context, IMP_FORMAT_OBJ, NULL, 0, "a", &mesh), IMP_STATUS_BAD_FILE);
    CHECK(mesh == NULL);
    imp_context_destroy(context);
}

static imp_Status load_and_save(const imp_ContextDef *def, const Sample *sample, const char *path)
{
    imp_Context *context = NULL;
    imp_Mesh *mesh = NULL;
    imp_Status status = imp_context_create(def, &context);
    if (status == IMP_STATUS_OK)
        status = imp_mesh_load_memory(context, sample->format, sample->bytes, sample->size, "test", &mesh);
    if (status == IMP_STATUS_OK)
        status = imp_mesh_save(context, mesh, path);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    return status;
}

TEST(every_allocation_may_fail)
{
    Sample samples[SAMPLE_COUNT + 1];
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    make_samples(samples);
    // Faces before their vertices, polygons among them, take paths of their own.
    samples[SAMPLE_COUNT] = make_text("late.obj", IMP_FORMAT_OBJ,
                                      "f 1 2 3 4\nf 1 2 \\\n3 4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4\n"
                                      "v 0 0 0\nv 1 0 0\nv .2 .2 0\nv 0 1 0\n");
    for (int s = 0; s <= SAMPLE_COUNT; ++s) {
        uint64_t n = 0;
        FailingAllocator memory;
        do {
            failing_allocator_init(&memory, ++n);
            imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
            imp_Status status = load_and_save(&def, &samples[s], path_in(folder, samples[s].name));
            CHECK_INT(status,
                      failing_allocator_has_failed(&memory) ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
            CHECK(failing_allocator_is_clean(&memory));
            CHECK_INT(count_files(folder), failing_allocator_has_failed(&memory) ? s : s + 1);
        } while (failing_allocator_has_failed(&memory));
        CHECK(n > 6);
    }
    remove_folder(folder);
}
