// The top of the octree is grown first, from blocks of items, each of which is handed down to the cells of
// one level near the root by itself: an item meets a cell whatever other items do. Then these cells are
// grown, runs of them at a time, each run into a draft of its own. Drafts are joined in the order of cells,
// so that the result is that of a single walk from octant to octant.
//
// Cost: each item is compared once with the octants of each cell that it meets.
#include "shape/octree_grow.h"

#include "base/scratch_pool.h"

#include <string.h>

#define TOP_LEVEL       3 // of the cells that are grown by themselves
#define ITEMS_PER_BLOCK 2048
#define CELLS_PER_RUN   8
#define LEAST_ROOM      ((size_t)1 << 20) // of a worker: rewinding across chunks of an arena releases them

// Where an item of the top went: items of cells of the top level, in the order of blocks.
typedef struct Landing {
    uint32_t cell, item;
} Landing;

typedef struct Landings {
    IMPI_ARRAY(Landing) list;
    bool is_out_of_memory;
} Landings;

typedef struct Growth {
    const impi_OctreeGrowth *def;
    imp_Context *context;
    impi_ScratchPool arenas;
    uint32_t top_level;
    size_t cell_count;      // at the top level
    Landings *landings;     // of each block
    const uint32_t *starts; // of the items of each top cell, and the end of the last one's
    const uint32_t *items;
    _Atomic(uint8_t) *is_filled; // each top cell: some item fills it
    uint8_t *colours;            // each top cell: imp_CellColour
    impi_OctreeDraft *drafts;    // of each run
    atomic_bool is_out_of_memory;
} Growth;

// One that grows cells.
typedef struct Worker {
    Growth *growth;
    impi_Arena *arena;
    impi_OctreeDraft *draft;
    bool has_ended; // out of memory, or told to end
} Worker;

static void run_out_of_memory(Worker *worker)
{
    atomic_store_explicit(&worker->growth->is_out_of_memory, true, memory_order_relaxed);
    worker->has_ended = true;
}

// Top cells by their places: bits of x, y, z in turn, as octants are.
static uint32_t cell_number(const impi_OctreeCell *cell)
{
    uint32_t number = 0;
    for (uint32_t bit = 0; bit < cell->level; ++bit)
        for (int axis = 0; axis < 3; ++axis)
            number |= (cell->at[axis] >> bit & 1) << (3 * bit + (uint32_t)axis);
    return number;
}

static impi_OctreeCell cell_of_number(uint32_t number, uint32_t level)
{
    impi_OctreeCell cell = {level, {0, 0, 0}};
    for (uint32_t bit = 0; bit < level; ++bit)
        for (int axis = 0; axis < 3; ++axis)
            cell.at[axis] |= (number >> (3 * bit + (uint32_t)axis) & 1) << bit;
    return cell;
}

// The items of an octant, in the worker's arena, `count` of them.
static uint32_t *take_items(Worker *worker, const uint32_t *items, const uint8_t *masks, size_t item_count,
                            unsigned octant, size_t *count)
{
    uint32_t *taken = impi_arena_allocate_array(worker->arena, item_count, sizeof *taken);
    *count = 0;
    if (!taken) {
        run_out_of_memory(worker);
        return NULL;
    }
    for (size_t i = 0; i < item_count; ++i) {
        taken[*count] = items[i];
        *count += masks[i] >> octant & 1;
    }
    return taken;
}

static uint8_t *distribute(Worker *worker, const impi_OctreeCell *cell, const uint32_t *items, size_t count,
                           uint8_t *black)
{
    uint8_t *masks = impi_arena_allocate(worker->arena, count);
    *black = 0;
    if (!masks) {
        run_out_of_memory(worker);
        return NULL;
    }
    worker->growth->def->distribute(worker->growth->def->user, cell, items, count, masks, black);
    return masks;
}

// ---- the top

static void land(Worker *worker, Landings *landings, const impi_OctreeCell *cell, const uint32_t *items,
                 size_t count)
{
    const imp_Allocator *allocator = &worker->growth->context->allocator;
    if (!impi_array_reserve(allocator, &landings->list, sizeof *landings->list.data,
                            landings->list.count + count)) {
        run_out_of_memory(worker);
        return;
    }
    uint32_t number = cell_number(cell);
    for (size_t i = 0; i < count; ++i)
        landings->list.data[landings->list.count++] = (Landing){number, items[i]};
}

static void fill(Growth *growth, const impi_OctreeCell *cell)
{
    uint32_t cells = 1u << 3 * (growth->top_level - cell->level), first = cell_number(cell) * cells;
    for (uint32_t i = 0; i < cells; ++i)
        atomic_store_explicit(&growth->is_filled[first + i], 1, memory_order_relaxed);
}

// Recursion is as deep as the top level.
static void hand_down(Worker *worker, Landings *landings, const impi_OctreeCell *cell, const uint32_t *items,
                      size_t count)
{
    Growth *growth = worker->growth;
    if (cell->level == growth->top_level) {
        land(worker, landings, cell, items, count);
        return;
    }
    impi_ArenaMark mark = impi_arena_mark(worker->arena);
    uint8_t black;
    uint8_t *masks = distribute(worker, cell, items, count, &black);
    for (unsigned octant = 0; octant < 8 && !worker->has_ended; ++octant) {
        impi_ArenaMark child_mark = impi_arena_mark(worker->arena);
        impi_OctreeCell child = impi_octree_child_cell(cell, octant);
        size_t child_count;
        if (black >> octant & 1) {
            fill(growth, &child);
            continue;
        }
        const uint32_t *child_items = take_items(worker, items, masks, count, octant, &child_count);
        if (child_items && child_count > 0)
            hand_down(worker, landings, &child, child_items, child_count);
        impi_arena_rewind(worker->arena, child_mark);
    }
    impi_arena_rewind(worker->arena, mark);
}

static bool begin_worker(Growth *growth, Worker *worker)
{
    *worker = (Worker){.growth = growth, .arena = impi_scratch_pool_take(&growth->arenas)};
    if (!worker->arena)
        run_out_of_memory(worker);
    return worker->arena != NULL;
}

static void hand_down_block(size_t begin, size_t end, size_t block, void *argument)
{
    Growth *growth = argument;
    Worker worker;
    if (!impi_watch_step(&growth->context->watch, 0) || !begin_worker(growth, &worker))
        return;
    impi_OctreeCell root = IMPI_ROOT_CELL;
    hand_down(&worker, &growth->landings[block], &root, growth->def->items + begin, end - begin);
    impi_scratch_pool_give_back(&growth->arenas, worker.arena);
    impi_watch_step(&growth->context->watch, 1);
}

// Items by cell, in their order: what all blocks together have landed.
static bool collect(Growth *growth, size_t block_count)
{
    impi_Arena *arena = &growth->context->scratch;
    size_t total = 0;
    for (size_t b = 0; b < block_count; ++b)
        total += growth->landings[b].list.count;
    uint32_t *starts = impi_arena_allocate_array(arena, growth->cell_count + 2, sizeof *starts);
    uint32_t *items = impi_arena_allocate_array(arena, total, sizeof *items);
    if (!starts || !items)
        return false;
    memset(starts, 0, (growth->cell_count + 2) * sizeof *starts);
    for (size_t b = 0; b < block_count; ++b)
        for (size_t i = 0; i < growth->landings[b].list.count; ++i)
            ++starts[growth->landings[b].list.data[i].cell + 2];
    for (size_t c = 2; c < growth->cell_count + 2; ++c)
        starts[c] += starts[c - 1];
    // starts[c + 1] moves from the beginning of cell c to its end, which is the beginning of the next one.
    for (size_t b = 0; b < block_count; ++b)
        for (size_t i = 0; i < growth->landings[b].list.count; ++i) {
            Landing landing = growth->landings[b].list.data[i];
            items[starts[landing.cell + 1]++] = landing.item;
        }
    growth->starts = starts;
    growth->items = items;
    return true;
}

static imp_Status grow_top(Growth *growth)
{
    imp_Context *context = growth->context;
    size_t block_count = impi_block_count(growth->def->item_count, ITEMS_PER_BLOCK);
    growth->landings = impi_arena_allocate_array(&context->scratch, block_count, sizeof *growth->landings);
    growth->is_filled = impi_arena_allocate_array(&context->scratch, growth->cell_count, 1);
    growth->colours = impi_arena_allocate_array(&context->scratch, growth->cell_count, 1);
    if (!growth->landings || !growth->is_filled || !growth->colours)
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < block_count; ++i)
        growth->landings[i] = (Landings){0};
    for (size_t i = 0; i < growth->cell_count; ++i)
        atomic_init(&growth->is_filled[i], 0);
    impi_watch_work(&context->watch, growth->def->work, block_count + growth->cell_count);
    impi_parallel_for(&context->executor, growth->def->item_count, ITEMS_PER_BLOCK, hand_down_block, growth);
    imp_Status status = impi_watch_status(context);
    if (status == IMP_STATUS_OK && (growth->is_out_of_memory || !collect(growth, block_count)))
        status = impi_fail_out_of_memory(context);
    for (size_t i = 0; i < block_count; ++i)
        impi_array_free(&context->allocator, &growth->landings[i].list,
                        sizeof *growth->landings[i].list.data);
    return status;
}

// ---- cells

static imp_CellColour grow_cell(Worker *worker, const impi_OctreeCell *cell, const uint32_t *items,
                                size_t count);

static imp_CellColour colour_voxel(Worker *worker, const impi_OctreeCell *cell, const uint32_t *items,
                                   size_t count)
{
    const impi_OctreeGrowth *def = worker->growth->def;
    if (def->is_black_voxel && !def->is_black_voxel(def->user, cell, items, count))
        return IMP_CELL_WHITE;
    if (def->keeps_lists)
        impi_octree_draft_add_list(worker->draft, items, count);
    return IMP_CELL_BLACK;
}

// A cell that items may meet.
static imp_CellColour colour_cell(Worker *worker, const impi_OctreeCell *cell, const uint32_t *items,
                                  size_t count)
{
    const impi_OctreeGrowth *def = worker->growth->def;
    if (count == 0)
        return def->is_black_without_items && def->is_black_without_items(def->user, cell) ? IMP_CELL_BLACK
                                                                                           : IMP_CELL_WHITE;
    if (def->grow_tile && cell->level == def->tile_level) {
        bool goes_on = true;
        imp_CellColour colour = def->grow_tile(def->user, cell, items, count, worker->draft, &goes_on);
        worker->has_ended |= !goes_on;
        return colour;
    }
    return cell->level == def->grid.level ? colour_voxel(worker, cell, items, count)
                                          : grow_cell(worker, cell, items, count);
}

// Recursion is as deep as the level of voxels.
static imp_CellColour grow_cell(Worker *worker, const impi_OctreeCell *cell, const uint32_t *items,
                                size_t count)
{
    impi_OctreeDraft *draft = worker->draft;
    impi_ArenaMark mark = impi_arena_mark(worker->arena);
    uint32_t first = impi_octree_draft_first(draft, cell->level);
    uint8_t gray = 0, black;
    if (!impi_watch_goes_on(&worker->growth->context->watch))
        worker->has_ended = true;
    uint8_t *masks = worker->has_ended ? NULL : distribute(worker, cell, items, count, &black);
    if (!masks)
        return IMP_CELL_WHITE;
    const uint8_t filled = black;
    for (unsigned octant = 0; octant < 8 && !worker->has_ended; ++octant) {
        if (filled >> octant & 1)
            continue;
        impi_ArenaMark child_mark = impi_arena_mark(worker->arena);
        impi_OctreeCell child = impi_octree_child_cell(cell, octant);
        size_t child_count;
        const uint32_t *child_items = take_items(worker, items, masks, count, octant, &child_count);
        if (!child_items)
            break;
        imp_CellColour colour = colour_cell(worker, &child, child_items, child_count);
        gray |= (uint8_t)((colour == IMP_CELL_GRAY) << octant);
        black |= (uint8_t)((colour == IMP_CELL_BLACK) << octant);
        impi_arena_rewind(worker->arena, child_mark);
    }
    impi_arena_rewind(worker->arena, mark);
    return impi_octree_draft_close(draft, cell->level, first, gray, black);
}

static void grow_run(size_t begin, size_t end, size_t run, void *argument)
{
    Growth *growth = argument;
    Worker worker;
    if (!begin_worker(growth, &worker))
        return;
    worker.draft = &growth->drafts[run];
    for (size_t c = begin; c < end && !worker.has_ended; ++c) {
        uint32_t first = growth->starts[c], count = growth->starts[c + 1] - first;
        impi_OctreeCell cell = cell_of_number((uint32_t)c, growth->top_level);
        bool is_filled = atomic_load_explicit(&growth->is_filled[c], memory_order_relaxed);
        growth->colours[c] =
            (uint8_t)(is_filled ? IMP_CELL_BLACK : colour_cell(&worker, &cell, growth->items + first, count));
        if (worker.draft->is_out_of_memory)
            run_out_of_memory(&worker);
        if (!impi_watch_step(&growth->context->watch, 1))
            break;
    }
    impi_scratch_pool_give_back(&growth->arenas, worker.arena);
}

// ---- all together

typedef struct Joining {
    const Growth *growth;
    impi_OctreeDraft *draft;
    uint32_t next_gray; // of the nodes at the top level
} Joining;

static imp_CellColour join_cell(Joining *joining, const impi_OctreeCell *cell)
{
    const Growth *growth = joining->growth;
    if (cell->level == growth->top_level) {
        imp_CellColour colour = (imp_CellColour)growth->colours[cell_number(cell)];
        joining->next_gray += colour == IMP_CELL_GRAY;
        return colour;
    }
    bool is_above_top = cell->level + 1 == growth->top_level;
    uint32_t first = is_above_top ? joining->next_gray : impi_octree_draft_first(joining->draft, cell->level);
    uint8_t gray = 0, black = 0;
    for (unsigned octant = 0; octant < 8; ++octant) {
        impi_OctreeCell child = impi_octree_child_cell(cell, octant);
        imp_CellColour colour = join_cell(joining, &child);
        gray |= (uint8_t)((colour == IMP_CELL_GRAY) << octant);
        black |= (uint8_t)((colour == IMP_CELL_BLACK) << octant);
    }
    return impi_octree_draft_close(joining->draft, cell->level, first, gray, black);
}

static imp_Status join(Growth *growth, size_t run_count, bool is_cut, imp_Octree **octree)
{
    imp_Context *context = growth->context;
    impi_OctreeDraft *draft = &growth->drafts[0];
    for (size_t run = 1; run < run_count; ++run) {
        if (!impi_octree_draft_append(draft, &growth->drafts[run]))
            return draft->is_out_of_memory
                       ? impi_fail_out_of_memory(context)
                       : impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE,
                                   "an octree of more than 2^32 - 2 gray cells or faces in lists");
        impi_octree_draft_free(&growth->drafts[run]);
    }
    Joining joining = {growth, draft, 0};
    impi_OctreeCell root = IMPI_ROOT_CELL;
    imp_CellColour colour = join_cell(&joining, &root);
    return impi_octree_draft_finish(context, draft, &growth->def->grid, colour,
                                    (impi_OctreeFlags){is_cut, growth->def->keeps_lists}, octree);
}

static imp_Status grow(Growth *growth, bool is_cut, imp_Octree **octree)
{
    imp_Context *context = growth->context;
    imp_Status status = grow_top(growth);
    if (status != IMP_STATUS_OK)
        return status;
    // On one thread a single run needs no joining.
    size_t cells_per_run = context->executor.thread_count > 1 ? CELLS_PER_RUN : growth->cell_count;
    size_t run_count = impi_block_count(growth->cell_count, cells_per_run);
    growth->drafts = impi_arena_allocate_array(&context->scratch, run_count, sizeof *growth->drafts);
    if (!growth->drafts)
        return impi_fail_out_of_memory(context);
    for (size_t run = 0; run < run_count; ++run)
        impi_octree_draft_begin(&growth->drafts[run], context, growth->def->grid.level,
                                growth->def->is_condensed);
    impi_parallel_for(&context->executor, growth->cell_count, cells_per_run, grow_run, growth);
    status = impi_watch_status(context);
    if (status == IMP_STATUS_OK && growth->is_out_of_memory)
        status = impi_fail_out_of_memory(context);
    if (status == IMP_STATUS_OK)
        status = join(growth, run_count, is_cut, octree);
    for (size_t run = 0; run < run_count; ++run)
        impi_octree_draft_free(&growth->drafts[run]);
    return status;
}

imp_Status impi_octree_grow(imp_Context *context, const impi_OctreeGrowth *def, bool is_cut,
                            imp_Octree **octree)
{
    uint32_t lowest = def->grow_tile ? def->tile_level : def->grid.level - 1;
    Growth growth = {.def = def, .context = context, .top_level = lowest < TOP_LEVEL ? lowest : TOP_LEVEL};
    growth.cell_count = (size_t)1 << 3 * growth.top_level;
    impi_scratch_pool_init(&growth.arenas, &context->allocator);
    bool has_room = impi_scratch_pool_prepare(&growth.arenas, context->executor.thread_count, LEAST_ROOM);
    imp_Status status = has_room ? grow(&growth, is_cut, octree) : impi_fail_out_of_memory(context);
    impi_scratch_pool_destroy(&growth.arenas);
    return status;
}
