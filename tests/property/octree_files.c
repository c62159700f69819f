/// Random octrees written to files of each format and read back, beside arrays of their voxels; files that
/// are cut short or of which a bit is turned.
#include "harness.h"
#include "mesh_files.h"
#include "octree_arrays.h"
#include "oracle/case_numbers.h"
#include "oracle/octree_cases.h"
#include "oracle/octree_oracle.h"
#include "sanitizers.h"

#include <inttypes.h>

#if defined(TEST_UNDER_SANITIZER)
#define DEFAULT_CASES 60
#else
#define DEFAULT_CASES 240
#endif
#define MAX_VOXELS 4096

static char folder[MAX_TEST_PATH];

static void clean_up(void)
{
    remove_folder(folder);
}

static const char *file_of(const char *name)
{
    if (!folder[0]) {
        if (access("/dev/shm", W_OK) == 0)
            setenv("TMPDIR", "/dev/shm", 0); // whole files wait for disks, some hundred times here
        make_folder(folder);
        atexit(clean_up);
    }
    return path_in(folder, name);
}

// Gray cells above cells of one colour, here and there.
static void split_cells(CellArrays *cells, uint32_t l, size_t i)
{
    if (l == cells->level || (cells->colours[l][i] != IMP_CELL_GRAY && test_random_below(4) != 0))
        return;
    cells->colours[l][i] = IMP_CELL_GRAY;
    for (unsigned octant = 0; octant < 8; ++octant)
        split_cells(cells, l + 1, child_index(l, i, octant));
}

static imp_Octree *octree_of_cells(imp_Context *context, const imp_OctreeGrid *grid, const CellArrays *cells)
{
    imp_Octree *octree = NULL;
    char *text = malloc(2 * voxel_count_of(grid->level));
    size_t length = cell_arrays_write(cells, 0, 0, text);
    CHECK_INT(imp_octree_create_from_df(context, grid, text, length, &octree), IMP_STATUS_OK);
    free(text);
    return octree;
}

static uint8_t *read_bytes(const char *path, size_t *size)
{
    uint8_t *bytes = malloc(1 << 20);
    FILE *file = fopen(path, "rb");
    *size = file ? fread(bytes, 1, 1 << 20, file) : 0;
    CHECK(file && *size > 0 && *size < 1 << 20);
    if (file)
        fclose(file);
    return bytes;
}

// ---- as they are

TEST(packed_cells_and_text_come_back)
{
    uint64_t count = test_count(DEFAULT_CASES);
    imp_Context *context = new_context();
    for (uint64_t i = 0; i < count && test_failed_checks() < 20; ++i) {
        uint8_t black[MAX_VOXELS];
        test_random_restart(i);
        uint32_t place = test_random_below(8), level = 1 + test_random_below(4);
        imp_OctreeGrid grid =
            random_octree_grid(level, (OctreePlace)(place < OCTREE_PLACE_COUNT ? place : 0));
        random_voxels(level, black);
        CellArrays cells = cell_arrays_make(black, level, true);
        if (test_random_below(2))
            split_cells(&cells, 0, 0);
        imp_Octree *octree = octree_of_cells(context, &grid, &cells);
        for (int format = 0; format < 2; ++format) {
            imp_OctreeLoadDef def = {.grid = grid};
            imp_Octree *again = NULL;
            const char *path = file_of(format ? "a.df" : "a.oct");
            CHECK_INT(imp_octree_save(context, octree, path), IMP_STATUS_OK);
            if (CHECK_INT(imp_octree_load(context, path, format ? &def : NULL, &again), IMP_STATUS_OK))
                check_cells(context, again, &grid, &cells);
            imp_octree_release(again);
        }
        imp_octree_release(octree);
        cell_arrays_free(&cells);
    }
    imp_context_destroy(context);
}

// ---- maps

// Of a voxel of the map, by its number from 0, 0, 0 on.
static bool is_black_in(const imp_Octree *octree, const imp_OctreeInfo *info, const int at[3])
{
    uint32_t cell[3];
    imp_CellColour colour = IMP_CELL_WHITE;
    for (int axis = 0; axis < 3; ++axis) {
        double place = at[axis] - round((&info->grid.origin.x)[axis] / info->grid.voxel);
        if (place < 0 || place >= (double)(1u << info->grid.level))
            return false;
        cell[axis] = (uint32_t)place;
    }
    CHECK_INT(imp_octree_get_colour(octree, info->grid.level, cell[0], cell[1], cell[2], &colour),
              IMP_STATUS_OK);
    return colour == IMP_CELL_BLACK;
}

static void check_map(const imp_Octree *octree, const imp_OctreeGrid *grid, const int begin[3],
                      const uint8_t *black, uint64_t *black_count)
{
    int n = 1 << grid->level, wrong = 0;
    uint64_t total = 0;
    imp_OctreeInfo info;
    CHECK_INT(imp_octree_get_info(octree, &info), IMP_STATUS_OK);
    CHECK_DOUBLE(info.grid.voxel, grid->voxel);
    for (int v = 0; v < n * n * n; ++v) {
        const int at[3] = {begin[0] + v / n / n, begin[1] + v / n % n, begin[2] + v % n};
        wrong += is_black_in(octree, &info, at) != black[v];
        total += black[v];
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(info.black_voxel_count, total);
    *black_count += total;
}

TEST(maps_hold_the_same_voxels)
{
    static const double sizes[] = {1, 0.5, 0.05, 0.1, 0x1p-30, 1024, 1e-3};
    uint64_t count = test_count(DEFAULT_CASES), black_count = 0, far = 0;
    imp_Context *context = new_context();
    for (uint64_t i = 0; i < count && test_failed_checks() < 20; ++i) {
        uint8_t black[MAX_VOXELS];
        int begin[3];
        test_random_restart(i);
        imp_OctreeGrid grid = {.voxel = sizes[test_random_below(7)], .level = 1 + test_random_below(4)};
        int n = 1 << grid.level, ends[2] = {-32768, 32768 - n};
        for (int axis = 0; axis < 3; ++axis) {
            uint32_t choice = test_random_below(4);
            begin[axis] = choice == 0 ? ends[test_random_below(2)] : (int)test_random_below(200) - 100;
            begin[axis] = choice == 3 ? begin[axis] / n * n : begin[axis];
            (&grid.origin.x)[axis] = begin[axis] * grid.voxel;
            far += choice == 0;
        }
        random_voxels(grid.level, black);
        CellArrays cells = cell_arrays_make(black, grid.level, true);
        imp_Octree *octree = octree_of_cells(context, &grid, &cells), *again = NULL;
        uint64_t unknown = 77;
        imp_OctreeLoadDef def = {.unknown_count = &unknown};
        CHECK_INT(imp_octree_save(context, octree, file_of("a.bt")), IMP_STATUS_OK);
        if (CHECK_INT(imp_octree_load(context, file_of("a.bt"), &def, &again), IMP_STATUS_OK)) {
            imp_OctreeInfo info;
            check_map(again, &grid, begin, black, &black_count);
            CHECK_INT(imp_octree_get_info(again, &info), IMP_STATUS_OK);
            CHECK_INT(unknown, ((uint64_t)1 << 3 * info.grid.level) - voxel_count_of(grid.level));
            imp_octree_release(again);
        }
        int axis = (int)test_random_below(3);
        imp_OctreeGrid off = grid;
        (&off.origin.x)[axis] = begin[axis] == ends[0]   ? (ends[0] - 1) * grid.voxel
                                : begin[axis] == ends[1] ? (ends[1] + 1) * grid.voxel
                                                         : (begin[axis] + 0.5) * grid.voxel;
        imp_Octree *elsewhere = octree_of_cells(context, &off, &cells);
        CHECK_INT(imp_octree_save(context, elsewhere, file_of("b.bt")), IMP_STATUS_BAD_SHAPE);
        imp_octree_release(elsewhere);
        imp_octree_release(octree);
        cell_arrays_free(&cells);
    }
    CHECK(black_count > 100 * count && far > count / 4);
    imp_context_destroy(context);
}

// ---- damage

TEST(damaged_files_are_refused)
{
    static const char *const names[] = {"a.oct", "a.df", "a.bt"};
    uint64_t count = test_count(DEFAULT_CASES) / 4, cut = 0, turned = 0;
    imp_Context *context = new_context();
    for (uint64_t i = 0; i < count && test_failed_checks() < 20; ++i) {
        uint8_t black[MAX_VOXELS];
        imp_OctreeGrid grid = {.voxel = 1, .level = 1 + test_random_below(2)};
        const char *name = names[i % 3];
        size_t size;
        random_voxels(grid.level, black);
        black[0] = 1;
        black[1] = 0;
        CellArrays cells = cell_arrays_make(black, grid.level, true);
        imp_Octree *octree = octree_of_cells(context, &grid, &cells), *none = NULL;
        CHECK_INT(imp_octree_save(context, octree, file_of(name)), IMP_STATUS_OK);
        uint8_t *bytes = read_bytes(file_of(name), &size);
        for (size_t end = 0; end < size; ++end) {
            bool is_whole = i % 3 == 1 && end + 1 == size && bytes[end] == '\n';
            write_file(file_of(name), bytes, end);
            CHECK_INT(imp_octree_load(context, file_of(name), NULL, &none),
                      is_whole ? IMP_STATUS_OK : IMP_STATUS_BAD_FILE);
            imp_octree_release(none);
            none = NULL;
            ++cut;
        }
        for (size_t bit = 0; bit < 8 * size && i % 3 == 0; ++bit) { // the others have no checksum
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            write_file(file_of(name), bytes, size);
            imp_Status status = imp_octree_load(context, file_of(name), NULL, &none);
            CHECK(status == IMP_STATUS_BAD_FILE || status == IMP_STATUS_UNSUPPORTED);
            CHECK(none == NULL);
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            ++turned;
        }
        imp_octree_release(octree);
        cell_arrays_free(&cells);
        free(bytes);
    }
    printf("  %" PRIu64 " cut short, %" PRIu64 " with a bit turned\n", cut, turned);
    CHECK(cut > 10 * count && turned > 100 * count);
    imp_context_destroy(context);
}
