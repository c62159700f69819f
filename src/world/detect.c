// The pipeline: bounds, broad, solids, object and feature, containment, report. See docs/pipeline.md.
#include "world/detection.h"

#define DEFAULT_SMITH_LEVEL 6

// A search for the first body pair looks at one, then at twice as many each time, up to this many in one go.
#define MAX_FIRST_STEP 64

static imp_Status check_def(imp_Context *context, const imp_DetectDef *def)
{
    if (def->mode < IMP_DETECT_FACES || def->mode > IMP_DETECT_FIRST)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "unknown detect mode %d",
                         (int)def->mode);
    if (def->method < IMP_METHOD_AUTO || def->method > IMP_METHOD_SMITH_1994)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "unknown detect method %d",
                         (int)def->method);
    if (def->smith_level > IMP_MAX_SMITH_LEVEL)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "paper level %u exceeds %u",
                         (unsigned)def->smith_level, (unsigned)IMP_MAX_SMITH_LEVEL);
    return IMP_STATUS_OK;
}

static imp_Status prepare(imp_World *world)
{
    const imp_Allocator *allocator = &world->context->allocator;
    if (!world->detection) {
        impi_Detection *made = impi_allocate(allocator, sizeof *made);
        if (!made)
            return impi_fail_out_of_memory(world->context);
        *made = (impi_Detection){0};
        impi_scratch_pool_init(&made->scratch, allocator, impi_block_pairs_scratch_size());
        world->detection = made;
    }
    impi_Detection *detection = world->detection;
    size_t arena_size = impi_solids_arena_size(world);
    detection->has_solids = arena_size > 0;
    atomic_store(&detection->out_of_memory, false);
    atomic_store(&detection->candidate_count, 0);
    if (!impi_scratch_pool_prepare(&detection->scratch, world->context->executor.thread_count, arena_size))
        return impi_fail_out_of_memory(world->context);
    return IMP_STATUS_OK;
}

static bool found_in(const impi_Detection *detection, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; ++i) {
        if (detection->pairs.data[i].relations)
            return true;
    }
    return false;
}

// Only the first related pair of all may stay, with its faces.
static void keep_first(impi_Detection *detection, size_t begin, size_t end)
{
    size_t first = begin;
    while (first < end && !detection->pairs.data[first].relations)
        ++first;
    for (size_t i = 0; i < detection->pairs.count; ++i) {
        impi_PairWork *pair = &detection->pairs.data[i];
        if (i != first) {
            pair->relations = 0;
            pair->item_count = 0;
        }
        if (i > first)
            pair->a_in_open_b = pair->b_in_open_a = false;
    }
}

// Items belong to the step at hand, so pairs of earlier steps, in which nothing was found, let go of them.
static imp_Status detect_first(imp_World *world, const imp_DetectDef *def)
{
    impi_Detection *detection = world->detection;
    size_t begin = 0, end = 0, step = 1;
    do {
        begin = end;
        end = begin + step < detection->pairs.count ? begin + step : detection->pairs.count;
        step = 2 * step < MAX_FIRST_STEP ? 2 * step : MAX_FIRST_STEP;
        imp_Status status = impi_detect_solids(world, def, begin, end);
        if (status == IMP_STATUS_OK)
            status = impi_detect_faces(world, def, begin, end);
        if (status == IMP_STATUS_OK)
            status = impi_detect_containment(world, def, begin, end);
        if (status != IMP_STATUS_OK)
            return status;
    } while (end < detection->pairs.count && !found_in(detection, begin, end));
    keep_first(detection, begin, end);
    return IMP_STATUS_OK;
}

static imp_Status detect_pairs(imp_World *world, const imp_DetectDef *def)
{
    size_t count = world->detection->pairs.count;
    bool is_paper = def->method == IMP_METHOD_SMITH_1994;
    if (def->mode == IMP_DETECT_FIRST && !is_paper)
        return detect_first(world, def);
    imp_Status status = impi_detect_solids(world, def, 0, count);
    if (status == IMP_STATUS_OK)
        status = is_paper ? impi_detect_faces_smith(world, def) : impi_detect_faces(world, def, 0, count);
    if (status == IMP_STATUS_OK)
        status = impi_detect_containment(world, def, 0, count);
    if (status == IMP_STATUS_OK && def->mode == IMP_DETECT_FIRST)
        keep_first(world->detection, 0, count);
    return status;
}

imp_Status impi_world_detect(imp_World *world, const imp_DetectDef *def, const imp_Report **report)
{
    imp_DetectDef chosen = *def;
    if (chosen.smith_level == 0)
        chosen.smith_level = DEFAULT_SMITH_LEVEL;
    imp_Status status = check_def(world->context, &chosen);
    if (status == IMP_STATUS_OK)
        status = prepare(world);
    impi_arena_reset(&world->context->scratch);
    if (status == IMP_STATUS_OK)
        status = impi_surfaces_update(world, chosen.method == IMP_METHOD_EXACT_BOXES ||
                                                 chosen.method == IMP_METHOD_SMITH_1994);
    if (status == IMP_STATUS_OK)
        status = impi_detect_broad(world);
    if (status == IMP_STATUS_OK && world->detection->has_solids)
        status = impi_solids_prepare(world);
    if (status == IMP_STATUS_OK)
        status = detect_pairs(world, &chosen);
    if (status == IMP_STATUS_OK)
        status = impi_detect_report(world, &chosen);
    if (status == IMP_STATUS_OK)
        *report = &world->detection->report;
    return status;
}

static void free_lists(const imp_Allocator *allocator, impi_Detection *detection)
{
    for (size_t i = 0; i < detection->block_pairs.count; ++i)
        impi_array_free(allocator, &detection->block_pairs.data[i], sizeof(impi_BlockPair));
    for (size_t i = 0; i < detection->item_faces.count; ++i)
        impi_array_free(allocator, &detection->item_faces.data[i], sizeof(imp_FacePair));
}

void impi_detection_destroy(const imp_Allocator *allocator, impi_Detection *detection)
{
    if (!detection)
        return;
    free_lists(allocator, detection);
    impi_array_free(allocator, &detection->pairs, sizeof *detection->pairs.data);
    impi_array_free(allocator, &detection->block_pairs, sizeof *detection->block_pairs.data);
    impi_array_free(allocator, &detection->needed_blocks, sizeof *detection->needed_blocks.data);
    impi_array_free(allocator, &detection->items, sizeof *detection->items.data);
    impi_array_free(allocator, &detection->item_faces, sizeof *detection->item_faces.data);
    impi_array_free(allocator, &detection->face_keys, sizeof *detection->face_keys.data);
    impi_array_free(allocator, &detection->face_keys_spare, sizeof *detection->face_keys_spare.data);
    for (int i = 0; i < 2; ++i)
        impi_array_free(allocator, &detection->body_pairs[i], sizeof(imp_BodyPair));
    impi_array_free(allocator, &detection->first_pair, sizeof(imp_BodyPair));
    impi_array_free(allocator, &detection->begun, sizeof(imp_BodyPair));
    impi_array_free(allocator, &detection->ended, sizeof(imp_BodyPair));
    impi_array_free(allocator, &detection->faces, sizeof *detection->faces.data);
    impi_array_free(allocator, &detection->open_containers, sizeof *detection->open_containers.data);
    impi_scratch_pool_destroy(&detection->scratch);
    impi_pair_states_destroy(allocator, &detection->states);
    impi_release(allocator, detection, sizeof *detection);
}
