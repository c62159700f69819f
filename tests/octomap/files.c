// Files of OctoMaps, with OctoMap's own library on the other side.
#include "mesh_files.h"
#include "octomap_peer.h"

#include <math.h>

#define MAX_LEVEL 4
#define MAX_EDGE  (1 << MAX_LEVEL)
#define BORDER    2 // voxels around the cube that are looked at as well

static char folder[MAX_TEST_PATH];

static void clean_up(void)
{
    remove_folder(folder);
}

static const char *map_path(void)
{
    if (!folder[0]) {
        make_folder(folder);
        atexit(clean_up);
    }
    return path_in(folder, "map.bt");
}

static double draw_voxel(void)
{
    static const double voxels[] = {0.1, 1, 0.05, 1.0 / 3, 1e-5};
    return voxels[test_random_below(5)];
}

TEST(octomap_reads_what_we_write)
{
    imp_Context *context = new_context();
    int count = (int)test_count(100), occupied = 0, free_count = 0, unknown = 0;
    for (int i = 0; i < count; ++i) {
        static uint8_t voxels[MAX_EDGE * MAX_EDGE * MAX_EDGE];
        imp_OctreeGrid grid = {.voxel = draw_voxel(), .level = 1 + test_random_below(MAX_LEVEL)};
        int n = 1 << grid.level, begin[3];
        double share = test_random_unit();
        for (int axis = 0; axis < 3; ++axis)
            begin[axis] = (int)test_random_below(100) - 50;
        grid.origin = (imp_Vec3){begin[0] * grid.voxel, begin[1] * grid.voxel, begin[2] * grid.voxel};
        for (int k = 0; k < n * n * n; ++k) // in pairs, so that cells of several sizes occur
            voxels[k] = k / n / n % 2 ? voxels[k - n * n] : test_random_unit() < share;
        imp_Octree *octree = NULL;
        CHECK_INT(imp_octree_create_from_voxels(context, &grid, voxels, (size_t)(n * n * n), &octree),
                  IMP_STATUS_OK);
        CHECK_INT(imp_octree_save(context, octree, map_path()), IMP_STATUS_OK);
        imp_octree_release(octree);
        OctoMapPeer *map = octomap_peer_read(map_path());
        if (!CHECK(map != NULL))
            break;
        CHECK_DOUBLE(octomap_peer_voxel(map), grid.voxel);
        for (int x = -BORDER; x < n + BORDER; ++x)
            for (int y = -BORDER; y < n + BORDER; ++y)
                for (int z = -BORDER; z < n + BORDER; ++z) {
                    bool is_inside = x >= 0 && y >= 0 && z >= 0 && x < n && y < n && z < n;
                    PeerCell expected = !is_inside                    ? PEER_UNKNOWN
                                        : voxels[(x * n + y) * n + z] ? PEER_OCCUPIED
                                                                      : PEER_FREE;
                    const int at[3] = {begin[0] + x, begin[1] + y, begin[2] + z};
                    CHECK_INT(octomap_peer_get(map, at), expected);
                    occupied += expected == PEER_OCCUPIED;
                    free_count += expected == PEER_FREE;
                    unknown += expected == PEER_UNKNOWN;
                }
        octomap_peer_destroy(map);
    }
    CHECK(occupied > 10 * count && free_count > 10 * count && unknown > 10 * count);
    imp_context_destroy(context);
}

static imp_CellColour colour_at(const imp_Octree *octree, const int at[3])
{
    imp_OctreeInfo info;
    imp_CellColour colour = IMP_CELL_WHITE;
    CHECK_INT(imp_octree_get_info(octree, &info), IMP_STATUS_OK);
    const double *origin = &info.grid.origin.x;
    uint32_t cell[3];
    for (int axis = 0; axis < 3; ++axis) {
        double place = at[axis] - round(origin[axis] / info.grid.voxel);
        if (place < 0 || place >= (double)(1u << info.grid.level))
            return IMP_CELL_WHITE;
        cell[axis] = (uint32_t)place;
    }
    CHECK_INT(imp_octree_get_colour(octree, info.grid.level, cell[0], cell[1], cell[2], &colour),
              IMP_STATUS_OK);
    return colour;
}

TEST(we_read_what_octomap_writes)
{
    imp_Context *context = new_context();
    int count = (int)test_count(100), black = 0, white = 0;
    for (int i = 0; i < count; ++i) {
        double voxel = draw_voxel(), share = test_random_unit();
        OctoMapPeer *map = octomap_peer_create(voxel);
        int begin[3], size[3];
        for (int axis = 0; axis < 3; ++axis) {
            begin[axis] = (int)test_random_below(200) - 100;
            size[axis] = 1 + (int)test_random_below(8);
        }
        for (int k = 0; k < size[0] * size[1] * size[2]; ++k) {
            const int at[3] = {begin[0] + k % size[0], begin[1] + k / size[0] % size[1],
                               begin[2] + k / size[0] / size[1]};
            PeerCell cell = test_random_below(5) == 0    ? PEER_UNKNOWN
                            : test_random_unit() < share ? PEER_OCCUPIED
                                                         : PEER_FREE;
            octomap_peer_set(map, at, k == 0 ? PEER_OCCUPIED : cell);
        }
        CHECK(octomap_peer_write(map, map_path()));
        imp_Octree *octree = NULL;
        uint64_t unknown_count = 0;
        imp_OctreeLoadDef def = {.unknown_count = &unknown_count};
        if (!CHECK_INT(imp_octree_load(context, map_path(), &def, &octree), IMP_STATUS_OK)) {
            printf("  %s\n", imp_context_get_error(context)->message);
            break;
        }
        uint64_t known = 0, occupied = 0;
        for (int k = 0; k < 12 * 12 * 12; ++k) {
            const int at[3] = {begin[0] - BORDER + k % 12, begin[1] - BORDER + k / 12 % 12,
                               begin[2] - BORDER + k / 144};
            PeerCell cell = octomap_peer_get(map, at);
            CHECK_INT(colour_at(octree, at), cell == PEER_OCCUPIED ? IMP_CELL_BLACK : IMP_CELL_WHITE);
            known += cell != PEER_UNKNOWN;
            occupied += cell == PEER_OCCUPIED;
        }
        imp_OctreeInfo info;
        CHECK_INT(imp_octree_get_info(octree, &info), IMP_STATUS_OK);
        CHECK_INT(info.black_voxel_count, occupied);
        CHECK_INT(unknown_count, ((uint64_t)1 << 3 * info.grid.level) - known);
        CHECK(fabs(info.grid.voxel - voxel) <= 1e-5 * voxel); // it writes six digits
        black += (int)occupied;
        white += (int)(known - occupied);
        imp_octree_release(octree);
        octomap_peer_destroy(map);
    }
    CHECK(black > 5 * count && white > 5 * count);
    imp_context_destroy(context);
}
