#include "shape/block_tree.h"

#include "base/cpu.h"
#include "geom/scalar.h"

#include <float.h>
#include <math.h>

size_t impi_block_tree_size(size_t block_count)
{
    size_t total = 0, groups = impi_group_count(block_count);
    for (; groups > 1; groups = impi_group_count(groups))
        total += groups;
    return total + 1;
}

void impi_block_tree_init(impi_BlockTree *tree, size_t block_count, impi_BoxLanes *storage)
{
    size_t groups = impi_group_count(block_count);
    *tree = (impi_BlockTree){0};
    for (;; groups = impi_group_count(groups)) {
        tree->levels[tree->level_count] = storage;
        tree->group_counts[tree->level_count++] = groups;
        storage += groups;
        if (groups <= 1)
            return;
    }
}

// NaN meets nothing.
static const imp_Box empty_box = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};

void impi_box_lanes_store(impi_BoxLanes *group, unsigned lane, const imp_Box *box)
{
    group->min[0][lane] = box->min.x;
    group->min[1][lane] = box->min.y;
    group->min[2][lane] = box->min.z;
    group->max[0][lane] = box->max.x;
    group->max[1][lane] = box->max.y;
    group->max[2][lane] = box->max.z;
}

static imp_Box bound_vertices(const imp_Vec3 *vertices, unsigned count)
{
    imp_Box box = {vertices[0], vertices[0]};
    for (unsigned i = 1; i < count; ++i) {
        imp_Vec3 v = vertices[i];
        box.min = (imp_Vec3){impi_smaller(box.min.x, v.x), impi_smaller(box.min.y, v.y),
                             impi_smaller(box.min.z, v.z)};
        box.max =
            (imp_Vec3){impi_larger(box.max.x, v.x), impi_larger(box.max.y, v.y), impi_larger(box.max.z, v.z)};
    }
    return box;
}

void impi_bound_blocks(const impi_FaceBlocks *blocks, const imp_Vec3 *gathered, impi_BoxLanes *groups)
{
    for (size_t number = 0; number < impi_group_count(blocks->block_count) * IMPI_GROUP_SIZE; ++number) {
        imp_Box box = empty_box;
        if (number < blocks->block_count) {
            const impi_FaceBlock *block = &blocks->blocks[number];
            box = bound_vertices(gathered + block->first_vertex, block->vertex_count);
        }
        impi_box_lanes_store(&groups[number / IMPI_GROUP_SIZE], number % IMPI_GROUP_SIZE, &box);
    }
}

void impi_gather_blocks(const impi_FaceBlocks *blocks, const imp_Vec3 *vertices, imp_Vec3 *gathered,
                        impi_BoxLanes *groups)
{
    for (size_t i = 0; i < blocks->vertex_count; ++i)
        gathered[i] = vertices[blocks->vertices[i]];
    impi_bound_blocks(blocks, gathered, groups);
}

// What is beyond the largest double ends there.
static double move_back(double x, double drift)
{
    double moved = x - drift;
    return moved > DBL_MAX ? DBL_MAX : moved < -DBL_MAX ? -DBL_MAX : moved;
}

imp_Box impi_box_around_way(const imp_Box *begin, const imp_Box *end, imp_Vec3 drift)
{
    return (imp_Box){{impi_smaller(move_back(end->min.x, drift.x), begin->min.x),
                      impi_smaller(move_back(end->min.y, drift.y), begin->min.y),
                      impi_smaller(move_back(end->min.z, drift.z), begin->min.z)},
                     {impi_larger(move_back(end->max.x, drift.x), begin->max.x),
                      impi_larger(move_back(end->max.y, drift.y), begin->max.y),
                      impi_larger(move_back(end->max.z, drift.z), begin->max.z)}};
}

void impi_boxes_around_ways(const impi_BoxLanes *begin, const impi_BoxLanes *end, imp_Vec3 drift,
                            size_t count, impi_BoxLanes *to)
{
    const double moved[3] = {drift.x, drift.y, drift.z};
    for (size_t group = 0; group < count; ++group)
        for (int axis = 0; axis < 3; ++axis)
            for (unsigned lane = 0; lane < IMPI_GROUP_SIZE; ++lane) {
                double low = move_back(end[group].min[axis][lane], moved[axis]);
                double high = move_back(end[group].max[axis][lane], moved[axis]);
                to[group].min[axis][lane] = impi_smaller(low, begin[group].min[axis][lane]);
                to[group].max[axis][lane] = impi_larger(high, begin[group].max[axis][lane]);
            }
}

// One coordinate of the posed boxes of a group. Products and sums are those of impi_transform_apply, in the
// same order, with the smaller and the larger product in place of a point's own. Rounding is monotone, so
// each step keeps the order, and what a point inside is posed to lies between the two results with no
// inflation at all.
static void pose_axis(const impi_BoxLanes *from, const double row[3], double translation, double *min,
                      double *max)
{
    for (unsigned lane = 0; lane < IMPI_GROUP_SIZE; ++lane) {
        double x0 = row[0] * from->min[0][lane], x1 = row[0] * from->max[0][lane];
        double y0 = row[1] * from->min[1][lane], y1 = row[1] * from->max[1][lane];
        double z0 = row[2] * from->min[2][lane], z1 = row[2] * from->max[2][lane];
        double low = ((impi_smaller(x0, x1) + impi_smaller(y0, y1)) + impi_smaller(z0, z1)) + translation;
        double high = ((impi_larger(x0, x1) + impi_larger(y0, y1)) + impi_larger(z0, z1)) + translation;
        // Beyond the largest double the sums are infinite or NaN. Posed vertices never are, so boxes end at
        // the largest double, which keeps what is computed from them finite too. An empty box stays NaN.
        bool is_empty = from->min[0][lane] != from->min[0][lane];
        min[lane] = (is_empty | (fabs(low) <= DBL_MAX)) ? low : -DBL_MAX;
        max[lane] = (is_empty | (fabs(high) <= DBL_MAX)) ? high : DBL_MAX;
    }
}

void impi_pose_boxes(const impi_BoxLanes *from, const imp_Transform *transform, size_t count,
                     impi_BoxLanes *to)
{
    const double translation[3] = {transform->translation.x, transform->translation.y,
                                   transform->translation.z};
    for (size_t group = 0; group < count; ++group) {
        for (int axis = 0; axis < 3; ++axis)
            pose_axis(&from[group], transform->rows[axis], translation[axis], to[group].min[axis],
                      to[group].max[axis]);
    }
}

// Empty lanes come last, and comparisons with NaN keep what stands on the left.
static imp_Box bound_group(const impi_BoxLanes *group)
{
    imp_Box box = impi_box_lanes_load(group, 0);
    for (unsigned lane = 1; lane < IMPI_GROUP_SIZE; ++lane) {
        imp_Box next = impi_box_lanes_load(group, lane);
        box.min = (imp_Vec3){impi_smaller(next.min.x, box.min.x), impi_smaller(next.min.y, box.min.y),
                             impi_smaller(next.min.z, box.min.z)};
        box.max = (imp_Vec3){impi_larger(next.max.x, box.max.x), impi_larger(next.max.y, box.max.y),
                             impi_larger(next.max.z, box.max.z)};
    }
    return box;
}

static imp_Box join(const imp_Box *a, const imp_Box *b)
{
    return (imp_Box){
        {impi_smaller(a->min.x, b->min.x), impi_smaller(a->min.y, b->min.y),
         impi_smaller(a->min.z, b->min.z)},
        {impi_larger(a->max.x, b->max.x), impi_larger(a->max.y, b->max.y), impi_larger(a->max.z, b->max.z)}};
}

void impi_join_boxes(const impi_BoxLanes *other, size_t count, impi_BoxLanes *to)
{
    for (size_t group = 0; group < count; ++group) {
        for (unsigned lane = 0; lane < IMPI_GROUP_SIZE; ++lane) {
            imp_Box a = impi_box_lanes_load(&to[group], lane), b = impi_box_lanes_load(&other[group], lane);
            imp_Box joined = join(&a, &b);
            impi_box_lanes_store(&to[group], lane, &joined);
        }
    }
}

imp_Box impi_bound_groups(const impi_BoxLanes *groups, size_t count)
{
    imp_Box box = bound_group(&groups[0]);
    for (size_t group = 1; group < count; ++group) {
        imp_Box next = bound_group(&groups[group]);
        box = join(&box, &next);
    }
    return box;
}

imp_Box impi_block_tree_finish(impi_BlockTree *tree)
{
    for (unsigned level = 1; level < tree->level_count; ++level) {
        size_t children = tree->group_counts[level - 1];
        for (size_t i = 0; i < tree->group_counts[level] * IMPI_GROUP_SIZE; ++i) {
            imp_Box box = i < children ? bound_group(&tree->levels[level - 1][i]) : empty_box;
            impi_box_lanes_store(&tree->levels[level][i / IMPI_GROUP_SIZE], i % IMPI_GROUP_SIZE, &box);
        }
    }
    return bound_group(&tree->levels[tree->level_count - 1][0]);
}

typedef bool (*VisitFn)(const impi_BlockTree *tree, const imp_Box *box, impi_BlockFoundFn found,
                        void *argument);

static VisitFn choose_visit(void)
{
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx512())
        return impi_block_tree_visit_avx512;
    if (impi_cpu_has_avx2())
        return impi_block_tree_visit_avx2;
#endif
    return impi_block_tree_visit_portable;
}

bool impi_block_tree_visit(const impi_BlockTree *tree, const imp_Box *box, impi_BlockFoundFn found,
                           void *argument)
{
    return choose_visit()(tree, box, found, argument);
}
