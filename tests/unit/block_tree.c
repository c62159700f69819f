#include "shape/block_tree.h"

#include "base/cpu.h"
#include "geom/pose.h"
#include "harness.h"
#include "posed_faces.h"
#include "scenes/shapes.h"
#include "shape/mesh_derived.h"

#include <float.h>
#include <math.h>

static imp_Vec3 random_point(double scale)
{
    imp_Vec3 point;
    point.x = scale * test_random_between(-1, 1);
    point.y = scale * test_random_between(-1, 1);
    point.z = scale * test_random_between(-1, 1);
    return point;
}

static imp_Transform random_transform(double reach)
{
    imp_Transform transform;
    imp_Pose pose = {random_point(reach), random_rotation()};
    CHECK_INT(impi_pose_transform(&pose, &transform), IMP_STATUS_OK);
    return transform;
}

static imp_Vec3 corner(const imp_Box *box, int number)
{
    return (imp_Vec3){number & 1 ? box->max.x : box->min.x, number & 2 ? box->max.y : box->min.y,
                      number & 4 ? box->max.z : box->min.z};
}

static bool is_in(const imp_Box *box, const imp_Vec3 *point)
{
    return box_is_inside(&(imp_Box){*point, *point}, box);
}

// How many corners of a posed box lie outside of the box that is to hold them. Corners that the pose moves
// beyond the largest double do not count.
static int corners_outside(const imp_Box *box, const imp_Transform *transform)
{
    impi_BoxLanes from, to;
    int outside = 0;
    for (unsigned lane = 0; lane < IMPI_GROUP_SIZE; ++lane)
        impi_box_lanes_store(&from, lane, box);
    impi_pose_boxes(&from, transform, 1, &to);
    for (unsigned lane = 0; lane < IMPI_GROUP_SIZE; ++lane) {
        imp_Box posed = impi_box_lanes_load(&to, lane);
        for (int i = 0; i < 8; ++i) {
            imp_Vec3 point = impi_transform_apply(transform, corner(box, i));
            bool finite = isfinite(point.x) && isfinite(point.y) && isfinite(point.z);
            outside += finite && !is_in(&posed, &point);
        }
        CHECK(fabs(posed.min.x) <= DBL_MAX && fabs(posed.max.z) <= DBL_MAX);
    }
    return outside;
}

// At all sizes, with translations far larger and far smaller. Rounding is monotone and the steps are those of
// impi_transform_apply, so no inflation is needed.
TEST(posed_boxes_hold_what_they_should)
{
    static const double scales[] = {1, 1e-6, 1e150, 1e-150, 0x1p-1060, 1.7e308, 0x1p-1022};
    uint64_t count = test_count(20000);
    for (uint64_t i = 0; i < count; ++i) {
        double scale = scales[i % 7], far = i % 2 ? 1e7 : i % 3 ? 1 : 1e-7;
        imp_Vec3 first = random_point(scale), second = random_point(scale);
        imp_Box box = {first, first};
        box_include(&box, &second);
        imp_Transform transform = random_transform(scale > 1e300 ? scale / 8 : far * scale);
        CHECK_INT(corners_outside(&box, &transform), 0);
    }
}

TEST(empty_lanes_stay_empty)
{
    impi_BoxLanes from, to;
    imp_Box empty = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    imp_Box all = {{-DBL_MAX, -DBL_MAX, -DBL_MAX}, {DBL_MAX, DBL_MAX, DBL_MAX}};
    for (unsigned lane = 0; lane < IMPI_GROUP_SIZE; ++lane)
        impi_box_lanes_store(&from, lane, lane % 3 ? &empty : &all);
    imp_Transform transform = random_transform(1e308);
    impi_pose_boxes(&from, &transform, 1, &to);
    for (unsigned lane = 0; lane < IMPI_GROUP_SIZE; ++lane) {
        imp_Box posed = impi_box_lanes_load(&to, lane);
        CHECK(impi_boxes_meet(&posed, &all) == (lane % 3 == 0));
    }
}

typedef struct Visited {
    bool *blocks;
    uint32_t last;
    size_t count, stop_after;
    bool in_order;
} Visited;

static bool note_block(uint32_t block, const imp_Box *box, void *argument)
{
    Visited *visited = argument;
    (void)box;
    visited->in_order &= visited->count == 0 || block > visited->last;
    visited->last = block;
    visited->blocks[block] = true;
    return ++visited->count != visited->stop_after;
}

typedef bool (*VisitFn)(const impi_BlockTree *tree, const imp_Box *box, impi_BlockFoundFn found,
                        void *argument);

static void check_variant(VisitFn visit, const impi_MeshBlocks *tree, const impi_BlockTree *levels,
                          const imp_Box *box)
{
    size_t count = tree->blocks.block_count, met = 0;
    Visited visited = {.blocks = calloc(count, sizeof(bool)), .in_order = true};
    CHECK(visit(levels, box, note_block, &visited));
    for (size_t i = 0; i < count; ++i) {
        imp_Box block = impi_box_lanes_load(&tree->boxes[i / IMPI_GROUP_SIZE], i % IMPI_GROUP_SIZE);
        met += boxes_overlap(&block, box);
        CHECK(visited.blocks[i] == boxes_overlap(&block, box));
    }
    CHECK(visited.count == met && visited.in_order);
    if (met > 1) {
        visited.count = 0;
        visited.stop_after = met / 2;
        CHECK(!visit(levels, box, note_block, &visited));
        CHECK_INT(visited.count, met / 2);
    }
    free(visited.blocks);
}

static void check_visit(const impi_MeshBlocks *tree, const impi_BlockTree *levels, const imp_Box *box)
{
    check_variant(impi_block_tree_visit, tree, levels, box);
    check_variant(impi_block_tree_visit_portable, tree, levels, box);
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx2())
        check_variant(impi_block_tree_visit_avx2, tree, levels, box);
    if (impi_cpu_has_avx512())
        check_variant(impi_block_tree_visit_avx512, tree, levels, box);
#endif
}

// One block, a full group, one more, a full level, one more.
TEST(visits_find_the_blocks_that_meet_a_box)
{
    static const uint32_t block_counts[] = {1, 2, 8, 9, 63, 64, 65, 520};
    imp_Context *context = context_with_threads(1);
    for (size_t i = 0; i < sizeof block_counts / sizeof *block_counts; ++i) {
        imp_Mesh *mesh = NULL;
        const impi_MeshBlocks *tree = NULL;
        impi_BlockTree levels;
        CHECK_INT(scene_soup(context, IMPI_BLOCK_FACES * block_counts[i], 0.02, i, &mesh), IMP_STATUS_OK);
        CHECK_INT(impi_mesh_blocks(context, mesh, &tree), IMP_STATUS_OK);
        size_t groups = impi_block_tree_size(block_counts[i]);
        impi_BoxLanes *storage = aligned_alloc(64, groups * sizeof *storage);
        impi_block_tree_init(&levels, block_counts[i], storage);
        memcpy(levels.levels[0], tree->boxes, impi_group_count(block_counts[i]) * sizeof *storage);
        imp_Box bounds = impi_block_tree_finish(&levels), wanted = imp_mesh_get_bounds(mesh);
        CHECK(memcmp(&bounds, &wanted, sizeof bounds) == 0);
        check_visit(tree, &levels, &bounds);
        for (int k = 0; k < 50; ++k) {
            imp_Vec3 first = random_point(1), second = random_point(1);
            imp_Box box = {first, first};
            box_include(&box, &second);
            check_visit(tree, &levels, &box);
        }
        check_visit(tree, &levels, &(imp_Box){bounds.max, bounds.max});
        free(storage);
        imp_mesh_release(mesh);
    }
    imp_context_destroy(context);
}
