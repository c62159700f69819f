// Files are read through a window that moves; from memory, everything is there at once. Both give the same
// mesh and remark, or the same error, whatever stands where the window ends.
#include "mesh_files.h"

#include <inttypes.h>
#include <stdarg.h>

#define ROOM        ((size_t)4 << 20)
#define WINDOW_SIZE ((size_t)256 << 10) // of the first window: what is longer is of interest

typedef struct Bytes {
    char *data;
    size_t size;
} Bytes;

static void put(Bytes *bytes, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(Bytes *bytes, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bytes->size += (size_t)vsnprintf(bytes->data + bytes->size, ROOM - bytes->size, format, arguments);
    va_end(arguments);
}

static void put_run(Bytes *bytes, char c, size_t count)
{
    memset(bytes->data + bytes->size, c, count);
    bytes->size += count;
}

static void put_raw(Bytes *bytes, const void *raw, size_t size)
{
    memcpy(bytes->data + bytes->size, raw, size);
    bytes->size += size;
}

static size_t some_length(void)
{
    static const size_t lengths[] = {1, 100, 30000, 33000, 60000, 250000, 263000, 600000};
    return lengths[test_random_below(8)] + test_random_below(100);
}

// What may stand between two lines of most text formats.
static void put_something(Bytes *bytes, char comment)
{
    if (bytes->size > ROOM / 2)
        return;
    switch (test_random_below(4)) {
    case 0:
        put_run(bytes, ' ', some_length());
        break;
    case 1:
        put_run(bytes, '\n', some_length());
        break;
    default:
        if (comment) {
            put(bytes, "%c ", comment);
            put_run(bytes, 'x', some_length());
            put(bytes, "\n");
        }
    }
}

static void make_obj(Bytes *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        put(bytes, "v %u.%u 2 -%u.5e-3\n", i % 7, i, i);
        if (test_random_below(count) == 0)
            put_something(bytes, '#');
    }
    for (uint32_t i = 2; i < count; ++i) {
        put(bytes, i % 3 ? "f %u %u %u\n" : "f %u/1 \\\n%u//2 %u\n", i - 1, i, i + 1);
        if (test_random_below(2 * count) == 0) {
            put(bytes, "f");
            for (uint32_t k = 0; k < 50000; ++k)
                put(bytes, " %u", 1 + k % count);
            put(bytes, "\n");
        }
    }
}

static void make_off(Bytes *bytes, uint32_t count)
{
    put(bytes, "OFF\n");
    put_something(bytes, '#');
    put(bytes, "%u %u 0\n", count, count - 2);
    for (uint32_t i = 0; i < count; ++i) {
        put(bytes, "%u.%u 2\n-%u.5e-3\n", i % 7, i, i);
        if (test_random_below(count) == 0)
            put_something(bytes, '#');
    }
    for (uint32_t i = 2; i < count; ++i)
        put(bytes, "3 %u %u %u\n", i - 2, i - 1, i);
    if (test_random_below(2) == 0)
        put_something(bytes, '#');
    if (test_random_below(2) == 0)
        put(bytes, "more\n");
}

static void make_stl(Bytes *bytes, uint32_t count)
{
    put(bytes, "solid ");
    if (test_random_below(3) == 0)
        put_run(bytes, 'n', some_length());
    put(bytes, "\n");
    for (uint32_t i = 0; i < count / 3; ++i) {
        put(bytes,
            "facet normal 0 0 1\nouter loop\nvertex %u 0 0\nvertex 1 %u.25 0\nvertex 0 0 "
            "1\nendloop\nendfacet\n",
            i, i);
        if (test_random_below(count) == 0)
            put_something(bytes, 0);
    }
    put(bytes, "endsolid\n");
}

static void make_ply(Bytes *bytes, uint32_t count, bool is_text)
{
    put(bytes, "ply\nformat %s 1.0\n", is_text ? "ascii" : "binary_little_endian");
    if (test_random_below(3) == 0) {
        put(bytes, "comment ");
        put_run(bytes, 'x', some_length());
        put(bytes, "\n");
    }
    put(bytes,
        "element vertex %u\nproperty float x\nproperty float y\nproperty float z\nelement face %u\n"
        "property list uint uint vertex_indices\nend_header\n",
        count, count - 2);
    for (uint32_t i = 0; i < count; ++i) {
        float point[3] = {(float)i, 0.5f, -(float)i};
        if (is_text)
            put(bytes, "%u 0.5 -%u ", i, i);
        else
            put_raw(bytes, point, sizeof point);
    }
    for (uint32_t i = 2; i < count; ++i) {
        uint32_t corner_count = test_random_below(count) ? 3 : 70000;
        if (is_text)
            put(bytes, "%u", corner_count);
        else
            put_raw(bytes, &corner_count, 4);
        for (uint32_t k = 0; k < corner_count; ++k) {
            uint32_t corner = (i + k) % count;
            if (is_text)
                put(bytes, " %u", corner);
            else
                put_raw(bytes, &corner, 4);
        }
        if (is_text)
            put(bytes, "\n");
    }
    if (test_random_below(2) == 0)
        put_run(bytes, 'x', some_length());
}

static const char *make_file(Bytes *bytes, int kind, uint32_t count)
{
    bytes->size = 0;
    if (kind != 4 && test_random_below(4) == 0)
        put(bytes, "\xEF\xBB\xBF");
    switch (kind) {
    case 0:
        make_obj(bytes, count);
        return "a.obj";
    case 1:
        make_off(bytes, count);
        return "a.off";
    case 2:
        make_stl(bytes, count);
        return "a.stl";
    default:
        make_ply(bytes, count, kind == 3);
        return "a.ply";
    }
}

static void spoil(Bytes *bytes)
{
    static const char letters[] = "x9 \n-.#\\/f\"";
    switch (test_random_below(3)) {
    case 0:
        bytes->size = test_random() % bytes->size;
        break;
    case 1:
        bytes->data[test_random() % bytes->size] = letters[test_random_below(sizeof letters - 1)];
        break;
    default: {
        size_t at = test_random() % bytes->size, length = some_length();
        if (bytes->size + length <= ROOM) {
            memmove(bytes->data + at + length, bytes->data + at, bytes->size - at);
            memset(bytes->data + at, letters[test_random_below(sizeof letters - 1)], length);
            bytes->size += length;
        }
    }
    }
}

typedef struct Outcome {
    imp_Status status;
    imp_Mesh *mesh;
    char message[IMP_MAX_ERROR_MESSAGE];
} Outcome;

static bool same_outcome(const Outcome *a, const Outcome *b)
{
    if (a->status != b->status || strcmp(a->message, b->message) != 0)
        return false;
    if (a->status != IMP_STATUS_OK)
        return true;
    const char *remark_a = imp_mesh_get_remark(a->mesh), *remark_b = imp_mesh_get_remark(b->mesh);
    return same_mesh(a->mesh, b->mesh) && !remark_a == !remark_b &&
           (!remark_a || strcmp(remark_a, remark_b) == 0);
}

static void keep_message(Outcome *outcome, const imp_Context *context)
{
    memcpy(outcome->message, imp_context_get_error(context)->message, sizeof outcome->message);
}

TEST(files_are_read_as_memory_is)
{
    char folder[MAX_TEST_PATH], path[MAX_TEST_PATH + 32];
    Bytes bytes = {malloc(ROOM), 0};
    int read = 0, refused = 0, wide = 0;
    make_folder(folder);
    for (uint64_t n = test_count(150); n > 0 && bytes.data; --n) {
        const char *name = make_file(&bytes, (int)(n % 5), 4000 + test_random_below(12000));
        if (test_random_below(3) > 0)
            spoil(&bytes);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        write_file(path, bytes.data, bytes.size);
        imp_Context *context = new_context(), *other = new_context();
        Outcome from_file = {.mesh = NULL}, from_memory = {.mesh = NULL};
        from_file.status = imp_mesh_load(context, path, &from_file.mesh);
        from_memory.status =
            imp_mesh_load_memory(other, IMP_FORMAT_BY_NAME, bytes.data, bytes.size, path, &from_memory.mesh);
        keep_message(&from_file, context);
        keep_message(&from_memory, other);
        if (!CHECK(same_outcome(&from_file, &from_memory)))
            printf("  %s, %" PRIu64 " to go: '%s' and '%s'\n", name, n, from_file.message,
                   from_memory.message);
        read += from_file.status == IMP_STATUS_OK;
        refused += from_file.status != IMP_STATUS_OK;
        wide += bytes.size > WINDOW_SIZE;
        imp_mesh_release(from_file.mesh);
        imp_mesh_release(from_memory.mesh);
        imp_context_destroy(context);
        imp_context_destroy(other);
    }
    CHECK(read > 30 && refused > 30 && wide > 100);
    free(bytes.data);
    remove_folder(folder);
}
