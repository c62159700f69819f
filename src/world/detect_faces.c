// Stages "object" and "feature": pairs of bodies to touching faces.
//
// Body pairs give lists of block pairs, on all threads; these are cut into items of bounded size, so that one
// large body pair is spread over the threads just as many small ones are; each item gives the faces that
// touch, which are joined in the order of the items.
#include "feature/face_pair.h"
#include "world/detection.h"

#define PAIRS_PER_LIST 32

typedef struct FaceJob {
    imp_World *world;
    const imp_DetectDef *def;
    size_t begin, end; // body pairs
} FaceJob;

static const impi_Surface *surface_of(const imp_World *world, uint32_t slot)
{
    return &world->bodies.data[slot - 1].surface;
}

static bool is_out_of_memory(const impi_Detection *detection)
{
    return atomic_load_explicit(&detection->out_of_memory, memory_order_relaxed);
}

static void note_out_of_memory(impi_Detection *detection)
{
    atomic_store_explicit(&detection->out_of_memory, true, memory_order_relaxed);
}

// The block pairs of PAIRS_PER_LIST body pairs, one after the other in one list; first_item and item_count
// hold each pair's share of the list until the items are cut.
static void find_block_pairs(size_t begin, size_t end, size_t list, void *argument)
{
    FaceJob *job = argument;
    impi_Detection *detection = job->world->detection;
    impi_BlockPairs *block_pairs = &detection->block_pairs.data[list];
    block_pairs->count = 0;
    for (size_t i = begin; i < end; ++i) {
        impi_PairWork *pair = &detection->pairs.data[job->begin + i];
        pair->first_item = block_pairs->count;
        if (!pair->wants_faces)
            continue;
        if (!impi_block_pairs_find(&job->world->context->allocator, surface_of(job->world, pair->slot_a),
                                   surface_of(job->world, pair->slot_b), block_pairs)) {
            note_out_of_memory(detection);
            return;
        }
        pair->item_count = block_pairs->count - pair->first_item;
    }
}

static bool reserve_lists(const imp_Allocator *allocator, impi_Detection *detection, size_t count)
{
    if (!impi_array_reserve(allocator, &detection->block_pairs, sizeof *detection->block_pairs.data, count))
        return false;
    for (; detection->block_pairs.count < count; ++detection->block_pairs.count)
        detection->block_pairs.data[detection->block_pairs.count] = (impi_BlockPairs){0};
    return true;
}

bool impi_detection_reserve_items(const imp_Allocator *allocator, impi_Detection *detection, size_t count)
{
    if (!impi_array_reserve(allocator, &detection->item_faces, sizeof *detection->item_faces.data, count))
        return false;
    for (; detection->item_faces.count < count; ++detection->item_faces.count)
        detection->item_faces.data[detection->item_faces.count] = (impi_FacePairs){0};
    return true;
}

// Note the blocks of pairs [begin, end) that are not posed yet, each once, as posed. True unless memory ran
// out.
static bool list_needed_blocks(const FaceJob *job)
{
    const imp_Allocator *allocator = &job->world->context->allocator;
    impi_Detection *detection = job->world->detection;
    impi_BlockRefs *needed = &detection->needed_blocks;
    needed->count = 0;
    for (size_t i = job->begin; i < job->end; ++i) {
        const impi_PairWork *pair = &detection->pairs.data[i];
        const impi_BlockPairs *list = &detection->block_pairs.data[(i - job->begin) / PAIRS_PER_LIST];
        impi_Body *a = &job->world->bodies.data[pair->slot_a - 1],
                  *b = &job->world->bodies.data[pair->slot_b - 1];
        if (!impi_array_reserve(allocator, needed, sizeof *needed->data,
                                needed->count + 2 * pair->item_count))
            return false;
        for (size_t k = pair->first_item; k < pair->first_item + pair->item_count; ++k) {
            needed->data[needed->count] = (impi_BlockRef){a, list->data[k].block_a};
            needed->count += !impi_block_is_posed(a, list->data[k].block_a);
            a->posed_at[list->data[k].block_a] = a->motion;
            needed->data[needed->count] = (impi_BlockRef){b, list->data[k].block_b};
            needed->count += !impi_block_is_posed(b, list->data[k].block_b);
            b->posed_at[list->data[k].block_b] = b->motion;
        }
    }
    return true;
}

// Blocks were listed by boxes that may be larger than need be; now that they are posed, the exact ones tell.
static void keep_meeting(size_t begin, size_t end, size_t list, void *argument)
{
    FaceJob *job = argument;
    impi_Detection *detection = job->world->detection;
    for (size_t i = begin; i < end; ++i) {
        impi_PairWork *pair = &detection->pairs.data[job->begin + i];
        pair->item_count = impi_block_pairs_keep_meeting(
            surface_of(job->world, pair->slot_a), surface_of(job->world, pair->slot_b),
            detection->block_pairs.data[list].data + pair->first_item, pair->item_count);
    }
}

static bool cut_items(const FaceJob *job)
{
    const imp_Allocator *allocator = &job->world->context->allocator;
    impi_Detection *detection = job->world->detection;
    detection->items.count = 0;
    for (size_t i = job->begin; i < job->end; ++i) {
        impi_PairWork *pair = &detection->pairs.data[i];
        size_t first = pair->first_item, count = pair->item_count;
        pair->first_item = detection->items.count;
        pair->item_count = impi_block_count(count, IMPI_MAX_BLOCK_PAIRS);
        if (!impi_array_reserve(allocator, &detection->items, sizeof *detection->items.data,
                                detection->items.count + pair->item_count))
            return false;
        for (size_t done = 0; done < count; done += IMPI_MAX_BLOCK_PAIRS) {
            size_t left = count - done;
            detection->items.data[detection->items.count++] =
                (impi_WorkItem){(uint32_t)i, (uint32_t)((i - job->begin) / PAIRS_PER_LIST), first + done,
                                left < IMPI_MAX_BLOCK_PAIRS ? left : IMPI_MAX_BLOCK_PAIRS};
        }
    }
    return impi_detection_reserve_items(allocator, detection, detection->items.count);
}

typedef struct ItemRun {
    const FaceJob *job;
    impi_PairWork *pair;
    impi_FacePairs *faces;
    const impi_Surface *a, *b;
} ItemRun;

// Candidates to verdicts. Where only the bodies are asked for, one touching pair is enough.
static bool keep_touching(const impi_BlockFacePair *candidates, size_t count, void *argument)
{
    ItemRun *run = argument;
    impi_Detection *detection = run->job->world->detection;
    impi_FacePairs *faces = run->faces;
    if (!impi_array_reserve(&run->job->world->context->allocator, faces, sizeof *faces->data,
                            faces->count + count)) {
        note_out_of_memory(detection);
        return false;
    }
    size_t touching = impi_face_pairs_touching(run->a, run->b, candidates, count, faces->data + faces->count);
    faces->count += touching;
    atomic_fetch_add_explicit(&detection->candidate_count, count, memory_order_relaxed);
    if (touching > 0)
        atomic_store_explicit(&run->pair->touches, true, memory_order_relaxed);
    return run->job->def->mode != IMP_DETECT_BODIES || touching == 0;
}

static void run_item(const FaceJob *job, size_t number, impi_BlockPairsScratch *scratch)
{
    impi_Detection *detection = job->world->detection;
    const impi_WorkItem *item = &detection->items.data[number];
    impi_PairWork *pair = &detection->pairs.data[item->pair];
    ItemRun run = {job, pair, &detection->item_faces.data[number], surface_of(job->world, pair->slot_a),
                   surface_of(job->world, pair->slot_b)};
    run.faces->count = 0;
    if (job->def->mode == IMP_DETECT_BODIES && atomic_load_explicit(&pair->touches, memory_order_relaxed))
        return;
    impi_block_pairs_find_faces(run.a, run.b, detection->block_pairs.data[item->list].data + item->first,
                                item->count, scratch, keep_touching, &run);
}

static void run_items(size_t begin, size_t end, size_t block, void *argument)
{
    FaceJob *job = argument;
    impi_Detection *detection = job->world->detection;
    (void)block;
    if (is_out_of_memory(detection))
        return;
    impi_Scratch *scratch = impi_scratch_pool_take(&detection->scratch);
    if (!scratch) {
        note_out_of_memory(detection);
        return;
    }
    for (size_t i = begin; i < end; ++i)
        run_item(job, i, scratch->memory);
    impi_scratch_pool_give_back(&detection->scratch, scratch);
}

imp_Status impi_detect_faces(imp_World *world, const imp_DetectDef *def, size_t begin, size_t end)
{
    const imp_Executor *executor = &world->context->executor;
    impi_Detection *detection = world->detection;
    FaceJob job = {world, def, begin, end};
    size_t lists = impi_block_count(end - begin, PAIRS_PER_LIST);
    if (!reserve_lists(&world->context->allocator, detection, lists))
        return impi_fail_out_of_memory(world->context);
    impi_parallel_for(executor, end - begin, PAIRS_PER_LIST, find_block_pairs, &job);
    if (is_out_of_memory(detection))
        return impi_fail_out_of_memory(world->context);
    bool listed = list_needed_blocks(&job);
    impi_blocks_pose(executor, &detection->needed_blocks);
    if (!listed)
        return impi_fail_out_of_memory(world->context);
    impi_parallel_for(executor, end - begin, PAIRS_PER_LIST, keep_meeting, &job);
    if (!cut_items(&job))
        return impi_fail_out_of_memory(world->context);
    impi_parallel_for(executor, detection->items.count, 1, run_items, &job);
    if (is_out_of_memory(detection))
        return impi_fail_out_of_memory(world->context);
    for (size_t i = begin; i < end; ++i) {
        if (atomic_load_explicit(&detection->pairs.data[i].touches, memory_order_relaxed))
            detection->pairs.data[i].relations = IMP_RELATION_TOUCH;
    }
    return IMP_STATUS_OK;
}
