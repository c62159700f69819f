// Smith & Kitamura 2.4.3: one walk over the target, cell by cell from the root on, each with a list of the
// moved cubes that its parent met, which are asked by the paper's sequence of tests. And 2.4.4: one such walk
// for each share of the cubes, at the same time, and the octrees united.
//
// Departs from the paper in that where the steps of its test are not certain, the exact one is asked.
#include "geom/cube_steps.h"
#include "shape/octree_draft.h"
#include "shape/octree_move.h"
#include "shape/octree_sets.h"

#define STEP_LEVEL 2 // cells that the watch counts

typedef struct Walk {
    impi_OctreeMotion *motion;
    const impi_StepsCube *cubes;
    uint32_t part_count;
    struct Walker *walkers;
} Walk;

// What walks: one for each share of the cubes.
typedef struct Walker {
    const Walk *walk;
    imp_CellColour root;
    impi_Arena arena; // lists of cubes
    impi_OctreeDraft draft;
    uint64_t cube_tests, exact_tests;
    bool is_out_of_memory, has_ended;
} Walker;

typedef struct CubeNumbers {
    uint32_t *cubes;
    size_t count;
} CubeNumbers;

// A cell of the target, ready for tests.
typedef struct Target {
    impi_OctreeCell cell;
    double center[3], half[3];
    impi_StepsCube steps;
} Target;

static impi_CubeRelation relate_exactly(Walker *walker, const Target *target, uint32_t cube)
{
    const impi_OctreeMotion *motion = walker->walk->motion;
    impi_SourceBox source_box;
    impi_TargetBox target_box;
    impi_CubeShadow shadows[2];
    double center[3], half[3];
    impi_octree_source_box(motion, &motion->cubes.cubes[cube], &source_box);
    impi_octree_target_box(motion, &target->cell, &target_box);
    impi_octree_source_place(motion, &motion->cubes.cubes[cube], center, half);
    impi_cube_source_shadow(&motion->motion, center, half, &shadows[0]);
    impi_cube_target_shadow(&motion->motion, target->center, target->half, &shadows[1]);
    const impi_CubePair pair = {&source_box, &target_box, &shadows[0], &shadows[1]};
    bool is_exact;
    impi_CubeRelation relation =
        impi_cube_relation(&motion->motion, &pair, impi_octree_motion_sense(motion), &is_exact);
    walker->exact_tests += is_exact;
    return relation;
}

static impi_CubeRelation relate(Walker *walker, const Target *target, uint32_t cube)
{
    const impi_OctreeMotion *motion = walker->walk->motion;
    const impi_StepsCube *source = &walker->walk->cubes[cube];
    bool is_point = motion->rule == IMP_MOVE_CENTRE && target->cell.level == motion->grid.level;
    ++walker->cube_tests;
    impi_StepsVerdict verdict = is_point ? impi_center_steps(&motion->motion, source, &target->steps)
                                         : impi_cube_steps(&motion->motion, source, &target->steps);
    return verdict == IMPI_STEPS_UNCERTAIN ? relate_exactly(walker, target, cube)
                                           : (impi_CubeRelation)verdict;
}

static imp_CellColour walk_cell(Walker *walker, const impi_OctreeCell *cell, const CubeNumbers *list);

// A cell by the cubes that its parent met.
static imp_CellColour colour_cell(Walker *walker, const impi_OctreeCell *cell, const CubeNumbers *list)
{
    const impi_OctreeMotion *motion = walker->walk->motion;
    const bool is_voxel = cell->level == motion->grid.level;
    Target target = {.cell = *cell};
    impi_octree_target_place(motion, cell, target.center, target.half);
    impi_steps_target(&motion->motion, target.center, target.half[0], &target.steps);
    CubeNumbers met = {impi_arena_allocate_array(&walker->arena, list->count, sizeof *met.cubes), 0};
    if (!met.cubes) {
        walker->is_out_of_memory = walker->has_ended = true;
        return IMP_CELL_WHITE;
    }
    for (size_t i = 0; i < list->count; ++i) {
        impi_CubeRelation relation = relate(walker, &target, list->cubes[i]);
        if (relation == IMPI_CUBES_COMPLETE || (is_voxel && relation == IMPI_CUBES_PARTIAL))
            return IMP_CELL_BLACK;
        met.cubes[met.count] = list->cubes[i];
        met.count += relation == IMPI_CUBES_PARTIAL;
    }
    return is_voxel || met.count == 0 ? IMP_CELL_WHITE : walk_cell(walker, cell, &met);
}

// Recursion is as deep as the level of voxels.
static imp_CellColour walk_cell(Walker *walker, const impi_OctreeCell *cell, const CubeNumbers *list)
{
    impi_Watch *watch = &walker->walk->motion->context->watch;
    uint32_t first = impi_octree_draft_first(&walker->draft, cell->level);
    uint8_t gray = 0, black = 0;
    walker->has_ended |= !impi_watch_step(watch, cell->level <= STEP_LEVEL);
    for (unsigned octant = 0; octant < 8 && !walker->has_ended; ++octant) {
        impi_ArenaMark mark = impi_arena_mark(&walker->arena);
        impi_OctreeCell child = impi_octree_child_cell(cell, octant);
        imp_CellColour colour = colour_cell(walker, &child, list);
        gray |= (uint8_t)((colour == IMP_CELL_GRAY) << octant);
        black |= (uint8_t)((colour == IMP_CELL_BLACK) << octant);
        impi_arena_rewind(&walker->arena, mark);
    }
    return impi_octree_draft_close(&walker->draft, cell->level, first, gray, black);
}

// Cubes i, i + N, i + 2 N and so on.
static bool list_share(Walker *walker, uint32_t part, CubeNumbers *list)
{
    const size_t count = walker->walk->motion->cubes.count;
    *list = (CubeNumbers){impi_arena_allocate_array(&walker->arena, count, sizeof *list->cubes), 0};
    for (size_t i = part; i < count && list->cubes; i += walker->walk->part_count)
        list->cubes[list->count++] = (uint32_t)i;
    return list->cubes != NULL;
}

static void walk_part(size_t begin, size_t end, size_t part, void *argument)
{
    (void)begin;
    (void)end;
    Walk *walk = argument;
    Walker *walker = &walk->walkers[part];
    CubeNumbers list;
    impi_OctreeCell root = IMPI_ROOT_CELL;
    if (list_share(walker, (uint32_t)part, &list))
        walker->root = colour_cell(walker, &root, &list);
    else
        walker->is_out_of_memory = true;
}

static bool prepare(Walk *walk)
{
    const impi_OctreeMotion *motion = walk->motion;
    impi_Arena *arena = &motion->context->scratch;
    impi_StepsCube *cubes = impi_arena_allocate_array(arena, motion->cubes.count, sizeof *cubes);
    walk->cubes = cubes;
    walk->walkers = impi_arena_allocate_array(arena, walk->part_count, sizeof *walk->walkers);
    if (!cubes || !walk->walkers)
        return false;
    for (size_t i = 0; i < motion->cubes.count; ++i) {
        double center[3], half[3];
        impi_octree_source_place(motion, &motion->cubes.cubes[i], center, half);
        impi_steps_source(&motion->motion, center, half[0], &cubes[i]);
    }
    for (uint32_t part = 0; part < walk->part_count; ++part) {
        Walker *walker = &walk->walkers[part];
        *walker = (Walker){.walk = walk};
        impi_arena_init(&walker->arena, &motion->context->allocator);
        impi_octree_draft_begin(&walker->draft, motion->context, motion->grid.level, true);
    }
    return true;
}

// Unites what was made so far with a walker's part; `*octree` is null at first.
static imp_Status unite(imp_Context *context, const Walker *walker, imp_Octree **octree)
{
    const impi_OctreeMotion *motion = walker->walk->motion;
    imp_Octree *part, *before = *octree;
    if (walker->is_out_of_memory)
        return impi_fail_out_of_memory(context);
    imp_Status status = impi_octree_draft_finish(context, &walker->draft, &motion->grid, walker->root,
                                                 (impi_OctreeFlags){.is_cut = motion->is_cut}, &part);
    if (status != IMP_STATUS_OK || !before) {
        *octree = status == IMP_STATUS_OK ? part : before;
        return status;
    }
    imp_Octree *both;
    status = impi_octree_combine(context, IMP_OCTREE_UNION, before, part, &both);
    impi_shape_release(&part->shape);
    if (status != IMP_STATUS_OK)
        return status;
    impi_shape_release(&before->shape);
    *octree = both;
    return IMP_STATUS_OK;
}

imp_Status impi_octree_walk(impi_OctreeMotion *motion, uint32_t part_count, imp_Octree **result)
{
    imp_Context *context = motion->context;
    Walk walk = {.motion = motion, .part_count = part_count};
    if (!prepare(&walk))
        return impi_fail_out_of_memory(context);
    impi_watch_work(&context->watch, "moving an octree", part_count * (uint64_t)(1 + 8 + 64));
    impi_parallel_for(&context->executor, part_count, 1, walk_part, &walk);
    imp_Status status = impi_watch_status(context);
    imp_Octree *octree = NULL;
    for (uint32_t part = 0; part < part_count; ++part) {
        Walker *walker = &walk.walkers[part];
        if (status == IMP_STATUS_OK)
            status = unite(context, walker, &octree);
        motion->cube_tests += walker->cube_tests;
        motion->exact_tests += walker->exact_tests;
        impi_octree_draft_free(&walker->draft);
        impi_arena_destroy(&walker->arena);
    }
    if (status == IMP_STATUS_OK)
        *result = octree;
    else if (octree)
        impi_shape_release(&octree->shape);
    return status;
}
