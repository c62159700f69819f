// Steps of octree.h: octrees of meshes, texts and arrays, moved, combined, saved and read, as the reference
// makes them; and what they tell, beside their voxels.
#include "call.h"
#include "patterns.h"
#include "steps.h"

#include <math.h>
#include <string.h>

#define MAX_LEVEL  3 // of what is made here, so that programs stay quick
#define MAX_VOXELS (1 << 3 * MAX_LEVEL)
#define MAX_TEXT   1024 // 1 + 8 + 64 + 512 letters, and some more
#define MAX_CUBES  MAX_VOXELS

static imp_OctreeInfo info_of(const imp_Octree *octree)
{
    imp_OctreeInfo info = {0};
    CHECK_INT(imp_octree_get_info(octree, &info), IMP_STATUS_OK);
    return info;
}

// Where lane octrees meet, they should often fit together.
static imp_OctreeGrid choose_grid(Lane *lane)
{
    imp_OctreeGrid grid = {{-1, -1, -1}, 0.5, 1 + choose(&lane->choices, MAX_LEVEL)};
    if (choose_rarely(&lane->choices, 4))
        grid.origin = choose_point(&lane->choices, 2);
    if (choose_rarely(&lane->choices, 4))
        grid.voxel = choose_between(&lane->choices, 0.1, 2);
    return grid;
}

// Flaws of grids; the status that they give.
static imp_Status spoil_grid(Lane *lane, imp_OctreeGrid *grid)
{
    grid->voxel = 1;
    grid->level = grid->level ? grid->level : 1;
    switch (choose(&lane->choices, 4)) {
    case 0:
        grid->level = IMP_MAX_OCTREE_LEVEL + 1;
        return IMP_STATUS_BAD_ARGUMENT;
    case 1:
        grid->origin.y = choose_bad_number(&lane->choices);
        return IMP_STATUS_BAD_NUMBER;
    case 2:
        grid->origin.x = 1e300; // where corners coincide
        return IMP_STATUS_BAD_NUMBER;
    default:
        grid->voxel = -1;
        return IMP_STATUS_BAD_NUMBER;
    }
}

static imp_Octree *lane_octree(Lane *lane)
{
    uint32_t first = choose(&lane->choices, MAX_OCTREES), i = 0;
    while (i + 1 < MAX_OCTREES && !lane->octrees[(first + i) % MAX_OCTREES])
        ++i;
    return lane->octrees[(first + i) % MAX_OCTREES];
}

static void keep(Lane *lane, imp_Octree *octree)
{
    imp_Octree **place = &lane->octrees[choose(&lane->choices, MAX_OCTREES)];
    if (*place) {
        Call call = call_make(lane, NULL, "one of the lane's");
        CALL_VOID(&call, imp_octree_release, (*place));
    }
    *place = octree;
}

// The same cells as the reference has made: both are released, or one is kept.
static void compare(Lane *lane, const Call *call, imp_Octree *made, imp_Octree *wanted)
{
    bool equal = false;
    if (call_is_done(call)) {
        imp_OctreeInfo info = info_of(made), wanted_info = info_of(wanted);
        CHECK_INT(imp_octree_equal(made, wanted, &equal), IMP_STATUS_OK);
        CHECK(equal && info.face_count == wanted_info.face_count && info.is_cut == wanted_info.is_cut);
        CHECK(memcmp(info.gray_count, wanted_info.gray_count, sizeof info.gray_count) == 0);
        if (info.grid.level <= MAX_LEVEL)
            keep(lane, made);
        else
            imp_octree_release(made);
    }
    imp_octree_release(wanted);
}

// ---- making

static void make_of_mesh(Lane *lane)
{
    Home *home = lane_home(lane);
    imp_Octree *octree = NULL, *wanted = NULL;
    imp_OctreeDef def = {.mesh = lane_mesh(lane), .rule = (imp_OctreeRule)choose(&lane->choices, 6)};
    def.grid = choose_grid(lane);
    if (choose_rarely(&lane->choices, 3))
        def.grid = (imp_OctreeGrid){.level = 1 + choose(&lane->choices, MAX_LEVEL)};
    uint32_t flaw = lane_flaw(lane, 7);
    Call call = call_make(lane, flaw == 1 ? NULL : home, "a mesh of %zu faces, rule %d, flaw %u",
                          imp_mesh_get_triangle_count(def.mesh), (int)def.rule, flaw);
    call_is_watched(&call);
    call_output(&call, &octree, sizeof octree);
    if (flaw)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    if (flaw == 4)
        spoil_reserved(lane, def.reserved, sizeof def.reserved);
    if (flaw == 5)
        def.rule = (imp_OctreeRule)77;
    if (flaw == 6)
        call_expect(&call, spoil_grid(lane, &def.grid), ANY_INDEX);
    if (flaw == 7)
        def.mesh = NULL;
    if (!flaw) {
        imp_Status status = imp_octree_create(lane->reference, &def, &wanted);
        CHECK(status == IMP_STATUS_OK || status == IMP_STATUS_BAD_SHAPE || status == IMP_STATUS_TOO_LARGE ||
              status == IMP_STATUS_BAD_NUMBER);
        call_expect(&call, status, ANY_INDEX);
    }
    CALL(&call, imp_octree_create,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : &def, flaw == 3 ? NULL : &octree));
    lane_count(lane, OUTCOME_octree_of_mesh, call_is_done(&call));
    compare(lane, &call, octree, wanted);
}

static void draw_text(Lane *lane, uint32_t level, char text[MAX_TEXT], size_t *length)
{
    bool is_gray = level > 0 && choose(&lane->choices, 3) != 0;
    text[(*length)++] = is_gray ? 'G' : choose(&lane->choices, 2) ? 'B' : 'W';
    for (int i = 0; i < 8 && is_gray; ++i)
        draw_text(lane, level - 1, text, length);
}

static void make_of_text(Lane *lane)
{
    char text[MAX_TEXT];
    size_t length = 0;
    Home *home = lane_home(lane);
    imp_Octree *octree = NULL, *wanted = NULL;
    imp_OctreeGrid grid = choose_grid(lane);
    draw_text(lane, grid.level, text, &length);
    uint32_t flaw = lane_flaw(lane, 8), bad = choose(&lane->choices, (uint32_t)length);
    Call call = call_make(lane, flaw == 1 ? NULL : home, "%zu letters, flaw %u", length, flaw);
    call_is_watched(&call);
    call_output(&call, &octree, sizeof octree);
    if (flaw)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    if (flaw >= 5)
        call_expect(&call, IMP_STATUS_BAD_FILE, flaw == 6 ? bad : flaw == 5 ? length - 1 : length);
    if (flaw == 5)
        --length;
    if (flaw == 6)
        text[bad] = 'x';
    if (flaw == 7)
        text[length++] = 'B';
    if (flaw == 8)
        call_expect(&call, spoil_grid(lane, &grid), ANY_INDEX);
    if (!flaw)
        CHECK_INT(imp_octree_create_from_df(lane->reference, &grid, text, length, &wanted), IMP_STATUS_OK);
    CALL(&call, imp_octree_create_from_df,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : &grid, flaw == 3 ? NULL : text, length,
          flaw == 4 ? NULL : &octree));
    compare(lane, &call, octree, wanted);
}

static void make_of_voxels(Lane *lane)
{
    uint8_t voxels[MAX_VOXELS], got[MAX_VOXELS];
    Home *home = lane_home(lane);
    imp_Octree *octree = NULL, *wanted = NULL;
    imp_OctreeGrid grid = choose_grid(lane);
    size_t count = (size_t)1 << 3 * grid.level;
    uint64_t bits = choose_bits(&lane->choices);
    for (size_t i = 0; i < count; ++i)
        voxels[i] = bits >> i % 61 & 1;
    uint32_t flaw = lane_flaw(lane, 6);
    Call call = call_make(lane, flaw == 1 ? NULL : home, "%zu voxels, flaw %u", count, flaw);
    call_is_watched(&call);
    call_output(&call, &octree, sizeof octree);
    if (flaw)
        call_expect(&call, flaw == 5 ? IMP_STATUS_BAD_SHAPE : IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    if (flaw == 6)
        call_expect(&call, spoil_grid(lane, &grid), ANY_INDEX);
    if (!flaw)
        CHECK_INT(imp_octree_create_from_voxels(lane->reference, &grid, voxels, count, &wanted),
                  IMP_STATUS_OK);
    CALL(&call, imp_octree_create_from_voxels,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : &grid, flaw == 3 ? NULL : voxels,
          count - (flaw == 5), flaw == 4 ? NULL : &octree));
    if (call_is_done(&call)) {
        CHECK_INT(imp_octree_get_voxels(lane->reference, octree, got, count), IMP_STATUS_OK);
        CHECK(memcmp(got, voxels, count) == 0);
    }
    compare(lane, &call, octree, wanted);
}

// ---- looking

static void ask_grid(Lane *lane)
{
    imp_OctreeGrid grid, wanted;
    const imp_Mesh *mesh = lane_mesh(lane);
    uint32_t level = 1 + choose(&lane->choices, IMP_MAX_OCTREE_LEVEL), flaw = lane_flaw(lane, 3);
    imp_Status status = imp_octree_grid_around(mesh, level, &wanted);
    Call call = call_make(lane, NULL, "level %u, flaw %u", level, flaw);
    call_output(&call, &grid, sizeof grid);
    call_expect(&call, flaw ? IMP_STATUS_BAD_ARGUMENT : status, ANY_INDEX);
    CALL(&call, imp_octree_grid_around,
         (flaw == 1 ? NULL : mesh, flaw == 3 ? 0 : level, flaw == 2 ? NULL : &grid));
    if (call_is_done(&call))
        CHECK(memcmp(&grid.origin, &wanted.origin, sizeof grid.origin) == 0 && grid.voxel == wanted.voxel);
}

static void ask_info(Lane *lane, imp_Octree *octree)
{
    imp_OctreeInfo info;
    imp_Octree *same = NULL;
    uint32_t flaw = octree ? lane_flaw(lane, 2) : 1;
    Call call = call_make(lane, NULL, "flaw %u", flaw);
    call_output(&call, &info, sizeof info);
    if (flaw)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    CALL(&call, imp_octree_get_info, (flaw == 1 ? NULL : octree, flaw == 2 ? NULL : &info));
    Call count = call_make(lane, NULL, "%s", octree ? "one of the lane's" : "null");
    CALL_VALUE(&count, same, imp_octree_retain, (octree));
    CHECK(same == octree);
    CALL_VOID(&count, imp_octree_release, (octree));
}

// A voxel, its colour and its faces, and a point inside of it.
static void ask_voxel(Lane *lane, const imp_Octree *octree, const imp_OctreeInfo *info, const uint8_t *voxels)
{
    uint32_t n = 1u << info->grid.level, at[3], flaw = lane_flaw(lane, 3);
    imp_CellColour colour = IMP_CELL_GRAY;
    const uint32_t *faces = NULL;
    size_t count = 77;
    for (int axis = 0; axis < 3; ++axis)
        at[axis] = choose(&lane->choices, n);
    imp_CellColour expected =
        voxels[((size_t)at[0] * n + at[1]) * n + at[2]] ? IMP_CELL_BLACK : IMP_CELL_WHITE;
    if (flaw == 3)
        at[choose(&lane->choices, 3)] += n;
    Call call = call_make(lane, NULL, "voxel %u %u %u, flaw %u", at[0], at[1], at[2], flaw);
    call_output(&call, &colour, sizeof colour);
    if (flaw)
        call_expect(&call, flaw == 3 ? IMP_STATUS_BAD_INDEX : IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    CALL(&call, imp_octree_get_colour,
         (flaw == 1 ? NULL : octree, info->grid.level, at[0], at[1], at[2], flaw == 2 ? NULL : &colour));
    if (call_is_done(&call))
        CHECK_INT(colour, expected);
    call = call_make(lane, NULL, "voxel %u %u %u, flaw %u", at[0], at[1], at[2], flaw);
    call_output(&call, &faces, sizeof faces);
    call_output(&call, &count, sizeof count);
    if (flaw)
        call_expect(&call, flaw == 3 ? IMP_STATUS_BAD_INDEX : IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    CALL(&call, imp_octree_get_faces,
         (flaw == 1 ? NULL : octree, at[0], at[1], at[2], &faces, flaw == 2 ? NULL : &count));
    if (call_is_done(&call))
        CHECK((count > 0) == (info->has_faces && expected == IMP_CELL_BLACK));
}

static void ask_points(Lane *lane, const imp_Octree *octree, const imp_OctreeInfo *info)
{
    enum { COUNT = 3 };
    Home *home = lane_home(lane);
    imp_Vec3 points[COUNT];
    imp_CellColour colours[COUNT], wanted[COUNT];
    uint32_t flaw = lane_flaw(lane, 4), bad = choose(&lane->choices, COUNT);
    for (int i = 0; i < COUNT; ++i)
        points[i] = choose_point(&lane->choices, 3 + fabs(info->grid.origin.x));
    CHECK_INT(imp_octree_locate_points(lane->reference, octree, points, COUNT, wanted), IMP_STATUS_OK);
    if (flaw == 4)
        points[bad].z = choose_bad_number(&lane->choices);
    Call call = call_make(lane, flaw == 1 ? NULL : home, "flaw %u", flaw);
    call_output(&call, colours, sizeof colours);
    if (flaw)
        call_expect(&call, flaw == 4 ? IMP_STATUS_BAD_NUMBER : IMP_STATUS_BAD_ARGUMENT,
                    flaw == 4 ? bad : ANY_INDEX);
    CALL(&call, imp_octree_locate_points,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : octree, points, COUNT,
          flaw == 3 ? NULL : colours));
    if (call_is_done(&call))
        CHECK(memcmp(colours, wanted, sizeof colours) == 0);
}

static void ask_text(Lane *lane, const imp_Octree *octree)
{
    char text[8 * MAX_VOXELS];
    Home *home = lane_home(lane);
    size_t length = 0;
    uint32_t flaw = lane_flaw(lane, 4);
    Call call = call_make(lane, flaw == 1 ? NULL : home, "flaw %u", flaw);
    call_count_output(&call, &length, sizeof length);
    if (flaw)
        call_expect(&call, flaw == 4 ? IMP_STATUS_BUFFER_SHORT : IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    CALL(&call, imp_octree_get_df,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : octree, flaw == 3 ? NULL : text,
          flaw == 4 ? 0 : sizeof text, &length));
    if (call_is_done(&call)) {
        imp_OctreeInfo info = info_of(octree);
        imp_Octree *back = NULL;
        bool equal = false;
        CHECK_INT(imp_octree_create_from_df(lane->reference, &info.grid, text, length, &back), IMP_STATUS_OK);
        CHECK_INT(imp_octree_equal(octree, back, &equal), IMP_STATUS_OK);
        CHECK(equal);
        imp_octree_release(back);
    }
}

static void look(Lane *lane)
{
    uint8_t voxels[MAX_VOXELS];
    Home *home = lane_home(lane);
    imp_Octree *octree = lane_octree(lane);
    ask_grid(lane);
    ask_info(lane, octree);
    if (!octree)
        return;
    imp_OctreeInfo info = info_of(octree);
    size_t count = (size_t)1 << 3 * info.grid.level;
    uint32_t flaw = lane_flaw(lane, 4);
    Call call = call_make(lane, flaw == 1 ? NULL : home, "%zu voxels, flaw %u", count, flaw);
    call_output(&call, voxels, count);
    if (flaw)
        call_expect(&call, flaw == 4 ? IMP_STATUS_BAD_SHAPE : IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    CALL(&call, imp_octree_get_voxels,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : octree, flaw == 3 ? NULL : voxels,
          count - (flaw == 4)));
    if (call_is_done(&call))
        ask_voxel(lane, octree, &info, voxels);
    ask_points(lane, octree, &info);
    ask_text(lane, octree);
}

// ---- cubes and surfaces

static void ask_cubes(Lane *lane)
{
    imp_OctreeCube cubes[MAX_CUBES], wanted[MAX_CUBES];
    Home *home = lane_home(lane);
    imp_Octree *octree = lane_octree(lane);
    imp_OctreeCubesDef def = {.compact = choose(&lane->choices, 2), .starts = choose(&lane->choices, 3)};
    size_t count = 0, wanted_count = 0;
    uint32_t flaw = lane_flaw(lane, 5);
    if (!octree)
        return;
    CHECK_INT(imp_octree_get_cubes(lane->reference, octree, &def, wanted, MAX_CUBES, &wanted_count),
              IMP_STATUS_OK);
    if (flaw == 5 && wanted_count == 0)
        flaw = 0;
    Call call = call_make(lane, flaw == 1 ? NULL : home, "compact %d, flaw %u", def.compact, flaw);
    call_is_watched(&call);
    call_count_output(&call, &count, sizeof count);
    if (flaw)
        call_expect(&call, flaw == 5 ? IMP_STATUS_BUFFER_SHORT : IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    if (flaw == 3)
        spoil_reserved(lane, def.reserved, sizeof def.reserved);
    CALL(&call, imp_octree_get_cubes,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : octree, &def, cubes,
          flaw == 5 ? wanted_count - 1 : MAX_CUBES, flaw == 4 ? NULL : &count));
    if (call_is_done(&call))
        CHECK(count == wanted_count && memcmp(cubes, wanted, count * sizeof *cubes) == 0);
}

static void make_surface(Lane *lane)
{
    Home *home = lane_home(lane);
    imp_Octree *octree = lane_octree(lane);
    imp_Mesh *mesh = NULL, *wanted = NULL;
    uint32_t flaw = lane_flaw(lane, 3);
    if (!octree)
        return;
    imp_Status status = imp_octree_get_surface(lane->reference, octree, &wanted);
    Call call = call_make(lane, flaw == 1 ? NULL : home, "flaw %u", flaw);
    call_is_watched(&call);
    call_output(&call, &mesh, sizeof mesh);
    call_expect(&call, flaw ? IMP_STATUS_BAD_ARGUMENT : status, ANY_INDEX);
    CALL(&call, imp_octree_get_surface,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : octree, flaw == 3 ? NULL : &mesh));
    if (call_is_done(&call)) {
        CHECK(same_mesh(mesh, wanted));
        imp_mesh_release(mesh);
    }
    imp_mesh_release(wanted);
}

// ---- making others

static void ask_equal(Lane *lane, const imp_Octree *a, const imp_Octree *b)
{
    bool equal = false, again = false;
    uint32_t flaw = lane_flaw(lane, 3);
    CHECK_INT(imp_octree_equal(a, b, &again), IMP_STATUS_OK);
    Call call = call_make(lane, NULL, "flaw %u", flaw);
    call_output(&call, &equal, sizeof equal);
    if (flaw)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    CALL(&call, imp_octree_equal, (flaw == 1 ? NULL : a, flaw == 2 ? NULL : b, flaw == 3 ? NULL : &equal));
    CHECK(!call_is_done(&call) || equal == again);
}

static void combine(Lane *lane)
{
    Home *home = lane_home(lane);
    imp_Octree *a = lane_octree(lane), *b = lane_octree(lane), *octree = NULL, *wanted = NULL;
    imp_OctreeOperation operation = (imp_OctreeOperation)choose(&lane->choices, 3);
    if (!a)
        return;
    ask_equal(lane, a, b);
    uint32_t flaw = lane_flaw(lane, 5);
    imp_Status status = imp_octree_combine(lane->reference, operation, a, b, &wanted);
    Call call = call_make(lane, flaw == 1 ? NULL : home, "operation %d, flaw %u", (int)operation, flaw);
    call_is_watched(&call);
    call_output(&call, &octree, sizeof octree);
    call_expect(&call, flaw ? IMP_STATUS_BAD_ARGUMENT : status, ANY_INDEX);
    CALL(&call, imp_octree_combine,
         (flaw == 1 ? NULL : home->context, flaw == 5 ? (imp_OctreeOperation)-1 : operation,
          flaw == 2 ? NULL : a, flaw == 3 ? NULL : b, flaw == 4 ? NULL : &octree));
    lane_count(lane, OUTCOME_octrees_combined, call_is_done(&call));
    compare(lane, &call, octree, wanted);
}

static void invert(Lane *lane)
{
    Home *home = lane_home(lane);
    imp_Octree *from = lane_octree(lane), *octree = NULL, *wanted = NULL;
    uint32_t flaw = lane_flaw(lane, 3);
    if (!from)
        return;
    CHECK_INT(imp_octree_complement(lane->reference, from, &wanted), IMP_STATUS_OK);
    Call call = call_make(lane, flaw == 1 ? NULL : home, "flaw %u", flaw);
    call_is_watched(&call);
    call_output(&call, &octree, sizeof octree);
    if (flaw)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    CALL(&call, imp_octree_complement,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : from, flaw == 3 ? NULL : &octree));
    compare(lane, &call, octree, wanted);
}

static void spoil_motion(Lane *lane, uint32_t flaw, imp_OctreeMoveDef *def, Call *call)
{
    call_expect(call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    switch (flaw) {
    case 5:
        spoil_reserved(lane, def->reserved, sizeof def->reserved);
        break;
    case 6:
        def->pose = choose_bad_pose(&lane->choices);
        call_expect(call, IMP_STATUS_BAD_NUMBER, ANY_INDEX);
        break;
    case 7:
        def->slack = choose(&lane->choices, 2) ? 0.5 : -1;
        call_expect(call, IMP_STATUS_BAD_NUMBER, ANY_INDEX);
        break;
    case 8:
        call_expect(call, spoil_grid(lane, &def->grid), ANY_INDEX);
        break;
    case 9:
        def->rule = (imp_OctreeMoveRule)77;
        break;
    case 10:
        def->method = (imp_OctreeMoveMethod)77;
        break;
    default:
        break;
    }
}

static void move(Lane *lane)
{
    Home *home = lane_home(lane);
    imp_Octree *from = lane_octree(lane), *octree = NULL, *wanted = NULL;
    imp_OctreeMoveStats stats;
    imp_OctreeMoveDef def = {.pose = choose_pose(&lane->choices, 2),
                             .rule = (imp_OctreeMoveRule)choose(&lane->choices, 3),
                             .method = (imp_OctreeMoveMethod)choose(&lane->choices, 3),
                             .compact = choose(&lane->choices, 2)};
    uint32_t flaw = lane_flaw(lane, 10);
    if (!from)
        return;
    if (choose(&lane->choices, 2))
        def.grid = choose_grid(lane);
    if (choose_rarely(&lane->choices, 4))
        def.slack = choose_between(&lane->choices, 0, 0.4);
    if (choose(&lane->choices, 2))
        def.stats = &stats;
    imp_OctreeMoveDef plain = def;
    plain.method = IMP_MOVE_BEST;
    plain.stats = NULL;
    CHECK_INT(imp_octree_move(lane->reference, from, &plain, &wanted), IMP_STATUS_OK);
    Call call = call_make(lane, flaw == 1 ? NULL : home, "rule %d, method %d, compact %d, flaw %u",
                          (int)def.rule, (int)def.method, def.compact, flaw);
    call_is_watched(&call);
    call_output(&call, &octree, sizeof octree);
    if (flaw)
        spoil_motion(lane, flaw, &def, &call);
    CALL(&call, imp_octree_move,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : from, flaw == 3 ? NULL : &def,
          flaw == 4 ? NULL : &octree));
    lane_count(lane, OUTCOME_octree_moved, call_is_done(&call) && info_of(octree).black_voxel_count > 0);
    compare(lane, &call, octree, wanted);
}

// ---- files

static const char *const extensions[] = {"oct", "df", "bt"};

static void save(Lane *lane)
{
    Home *home = lane_home(lane);
    imp_Octree *octree = lane_octree(lane), *back = NULL;
    uint32_t format = choose(&lane->choices, 3), flaw = lane_flaw(lane, 5);
    char path[MAX_TEST_PATH + 64];
    if (!octree)
        return;
    snprintf(path, sizeof path, "%s/octree.%s", lane_path(lane, flaw == 5 ? "nowhere" : "."),
             flaw == 4 ? "xyz" : extensions[format]);
    imp_Status status = flaw ? IMP_STATUS_OK : imp_octree_save(lane->reference, octree, path);
    Call call = call_make(lane, flaw == 1 ? NULL : home, "octree.%s, flaw %u", extensions[format], flaw);
    call_is_watched(&call);
    CHECK(status == IMP_STATUS_OK || (format == 2 && status == IMP_STATUS_BAD_SHAPE));
    call_expect(&call, status, ANY_INDEX);
    if (flaw)
        call_expect(&call,
                    flaw == 5   ? IMP_STATUS_IO
                    : flaw == 4 ? IMP_STATUS_UNSUPPORTED
                                : IMP_STATUS_BAD_ARGUMENT,
                    ANY_INDEX);
    if (flaw == 5 && format == 2) // where it can't lie in a map, that is found first
        call.expected |= STATUS_BIT(BAD_SHAPE);
    CALL(&call, imp_octree_save,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : octree, flaw == 3 ? NULL : path));
    if (call_is_done(&call)) {
        imp_OctreeLoadDef def = {.grid = info_of(octree).grid};
        CHECK_INT(imp_octree_load(lane->reference, path, &def, &back), IMP_STATUS_OK);
        CHECK_INT(info_of(back).black_voxel_count, info_of(octree).black_voxel_count);
        imp_octree_release(back);
    }
}

// A file of the reference's, now and then with a byte that was changed, or cut.
static void damage(Lane *lane, const char *path)
{
    size_t size = 0;
    char *bytes = read_file(path, &size);
    if (!CHECK(bytes != NULL))
        return;
    if (choose(&lane->choices, 2))
        size = choose(&lane->choices, (uint32_t)size);
    else
        bytes[choose(&lane->choices, (uint32_t)size)] = (char)choose(&lane->choices, 256);
    write_file(path, bytes, size);
    free(bytes);
}

static void load(Lane *lane)
{
    Home *home = lane_home(lane);
    imp_Octree *from = lane_octree(lane), *octree = NULL, *wanted = NULL;
    uint32_t format = choose(&lane->choices, 3), flaw = lane_flaw(lane, 6);
    char path[MAX_TEST_PATH + 64];
    size_t size = 0;
    imp_OctreeLoadDef def = {.unknown_is_black = choose(&lane->choices, 2)};
    snprintf(path, sizeof path, "%s.%s", lane_path(lane, "read"), extensions[format]);
    if (!from || imp_octree_save(lane->reference, from, path) != IMP_STATUS_OK)
        return;
    bool is_damaged = choose_rarely(&lane->choices, 2);
    if (is_damaged)
        damage(lane, path);
    free(read_file(path, &size));
    imp_Status status = imp_octree_load(lane->reference, path, &def, &wanted);
    CHECK(is_damaged || status == IMP_STATUS_OK);
    Call call = call_make(lane, flaw == 1 ? NULL : home, "read.%s, %zu bytes, damaged %d, flaw %u",
                          extensions[format], size, is_damaged, flaw);
    call_is_watched(&call);
    call_output(&call, &octree, sizeof octree);
    call_expect(&call, status, ANY_INDEX);
    if (home->max_file_bytes && size > home->max_file_bytes)
        call_expect(&call, IMP_STATUS_TOO_LARGE, ANY_INDEX);
    if (flaw)
        call_expect(&call,
                    flaw == 6   ? IMP_STATUS_IO
                    : flaw == 5 ? IMP_STATUS_UNSUPPORTED
                                : IMP_STATUS_BAD_ARGUMENT,
                    ANY_INDEX);
    if (flaw == 4)
        spoil_reserved(lane, def.reserved, sizeof def.reserved);
    if (flaw == 5)
        strcpy(path, "read.xyz");
    if (flaw == 6)
        snprintf(path, sizeof path, "%s.%s", lane_path(lane, "missing"), extensions[format]);
    CALL(&call, imp_octree_load,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : path, &def, flaw == 3 ? NULL : &octree));
    lane_count(lane, OUTCOME_octree_file_refused, !flaw && !wanted);
    compare(lane, &call, octree, wanted);
}

void step_octrees(Lane *lane)
{
    static void (*const steps[])(Lane * lane) = {
        make_of_mesh, make_of_text, make_of_voxels, look, ask_cubes, make_surface, combine,
        invert,       move,         save,           load, look,      combine,      make_of_mesh};
    steps[choose(&lane->choices, sizeof steps / sizeof *steps)](lane);
}
