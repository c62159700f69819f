// Voxels in NumPy array files: types, orders, shapes, and what is refused.
#include "kit/npy_voxels.h"

#include "failing_allocator.h"
#include "harness.h"
#include "kit/npy_writer.h"
#include "mesh_files.h"

#define MAX_FILE 4096

// A header as NumPy writes it, and numbers behind it.
static size_t make_array(unsigned char file[MAX_FILE], const char *type, bool fortran, const char *shape,
                         const void *numbers, size_t size)
{
    char text[128];
    size_t length = (size_t)snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }",
                                     type, fortran ? "True" : "False", shape);
    memset(file, ' ', 128);
    memcpy(file, "\x93NUMPY\1\0\x76\0", 10);
    memcpy(file + 10, text, length);
    file[127] = '\n';
    memcpy(file + 128, numbers, size);
    return 128 + size;
}

static void check_read(const char *type, bool fortran, const void *numbers, size_t size,
                       const uint8_t expected[8])
{
    unsigned char file[MAX_FILE];
    imp_Context *context = new_context();
    impi_NpyVoxels voxels = {0};
    size_t total = make_array(file, type, fortran, "(2, 2, 2)", numbers, size);
    if (CHECK_INT(impi_npy_read_voxels(context, file, total, "test", &voxels), IMP_STATUS_OK)) {
        CHECK_INT(voxels.level, 1);
        CHECK_INT(voxels.count, 8);
        CHECK(memcmp(voxels.voxels, expected, 8) == 0);
    }
    impi_npy_free_voxels(context, &voxels);
    imp_context_destroy(context);
}

TEST(bools_and_integers_are_voxels)
{
    static const uint8_t bools[8] = {1, 0, 0, 1, 1, 0, 0, 0}, turned[8] = {1, 1, 0, 0, 0, 0, 1, 0};
    static const uint8_t wide[8][4] = {{0, 0, 0, 1},         {0}, {0}, {0, 9, 0, 0},
                                       {255, 255, 255, 255}, {0}, {0}, {0}};
    check_read("|b1", false, bools, 8, bools);
    check_read("|u1", false, bools, 8, bools);
    check_read("|i1", false, bools, 8, bools);
    check_read("<i4", false, wide, 32, bools);
    check_read(">u4", false, wide, 32, bools);
    // In Fortran order the first index, x, runs fastest.
    check_read("|b1", true, bools, 8, turned);
}

static void check_refused(const char *type, const char *shape, size_t size, imp_Status status,
                          const char *part)
{
    static const uint8_t zeros[512];
    unsigned char file[MAX_FILE];
    imp_Context *context = new_context();
    impi_NpyVoxels voxels = {0};
    size_t total = make_array(file, type, false, shape, zeros, size);
    CHECK_INT(impi_npy_read_voxels(context, file, total, "test", &voxels), status);
    CHECK(!voxels.voxels);
    CHECK_CONTAINS(imp_context_get_error(context)->message, part);
    imp_context_destroy(context);
}

TEST(other_arrays_are_refused)
{
    const char *shape_expected =
        "expected an array of the shape (n, n, n), where n is a power of two from 2 to 2048";
    const imp_Status unsupported = IMP_STATUS_UNSUPPORTED, bad = IMP_STATUS_BAD_FILE;
    check_refused("|b1", "(3, 3, 3)", 27, unsupported, shape_expected);
    check_refused("|b1", "(1, 1, 1)", 1, unsupported, shape_expected);
    check_refused("|b1", "(0, 0, 0)", 0, unsupported, shape_expected);
    check_refused("|b1", "(2, 2, 4)", 16, unsupported, shape_expected);
    check_refused("|b1", "(2, 2)", 4, unsupported, shape_expected);
    check_refused("|b1", "(4096, 4096, 4096)", 8, unsupported, shape_expected);
    check_refused("<f4", "(2, 2, 2)", 32, unsupported, "'<f4', expected bool or integers");
    check_refused("<c8", "(2, 2, 2)", 64, unsupported, "expected bool or integers");
    check_refused("|b1", "(2, 2, 2)", 7, bad, "test: ");
    check_refused("|b1", "(2, 2, 2)", 9, bad, "test: ");
    check_refused("|b1", "(2048, 2048, 2048)", 8, bad, "test: ");
}

TEST(voxels_are_written_as_bools)
{
    char folder[MAX_TEST_PATH];
    imp_Context *context = new_context();
    impi_NpyVoxels voxels = {0};
    imp_Octree *octree = NULL;
    const imp_OctreeGrid grid = {{0, 0, 0}, 1, 1}, deep = {{0, 0, 0}, 1, 12};
    static const uint8_t black[8] = {1, 0, 0, 1, 1, 0, 0, 0};
    make_folder(folder);
    CHECK_INT(imp_octree_create_from_voxels(context, &grid, black, 8, &octree), IMP_STATUS_OK);
    CHECK_INT(impi_npy_save_voxels(context, octree, path_in(folder, "a.npy")), IMP_STATUS_OK);
    CHECK_INT(impi_npy_load_voxels(context, path_in(folder, "a.npy"), &voxels), IMP_STATUS_OK);
    CHECK(voxels.count == 8 && memcmp(voxels.voxels, black, 8) == 0);
    impi_npy_free_voxels(context, &voxels);
    imp_octree_release(octree);
    CHECK_INT(imp_octree_create_from_df(context, &deep, "W", 1, &octree), IMP_STATUS_OK);
    CHECK_INT(impi_npy_save_voxels(context, octree, path_in(folder, "b.npy")), IMP_STATUS_TOO_LARGE);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "level 12");
    imp_octree_release(octree);
    CHECK_INT(count_files(folder), 1);
    remove_folder(folder);
    imp_context_destroy(context);
}

TEST(out_of_memory_at_every_allocation)
{
    static const uint8_t black[8] = {1, 0, 0, 1, 1, 0, 0, 0};
    FailingAllocator memory;
    char folder[MAX_TEST_PATH];
    uint64_t n = 0;
    int failures = 0;
    make_folder(folder);
    do {
        imp_Context *context = NULL;
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        if (imp_context_create(&def, &context) == IMP_STATUS_OK) {
            impi_NpyVoxels voxels = {0};
            imp_Octree *octree = NULL;
            const imp_OctreeGrid grid = {{0, 0, 0}, 1, 1};
            imp_Status status = imp_octree_create_from_voxels(context, &grid, black, 8, &octree);
            if (status == IMP_STATUS_OK)
                status = impi_npy_save_voxels(context, octree, path_in(folder, "a.npy"));
            if (status == IMP_STATUS_OK)
                status = impi_npy_load_voxels(context, path_in(folder, "a.npy"), &voxels);
            CHECK(status == IMP_STATUS_OK || status == IMP_STATUS_OUT_OF_MEMORY);
            failures += status != IMP_STATUS_OK;
            impi_npy_free_voxels(context, &voxels);
            imp_octree_release(octree);
            imp_context_destroy(context);
        }
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(failures > 3);
    remove_folder(folder);
}
