// Stages "object" and "feature" by the method of the paper: one subdivision for all bodies, one thread.
#include "feature/face_pair.h"
#include "object/smith_octree.h"
#include "world/detection.h"

// Surfaces are numbered by slots, with gaps left out; pairs stay sorted, as slots and numbers ascend
// together.
static imp_Status gather(imp_World *world, const impi_Surface ***surfaces, size_t *surface_count,
                         impi_SurfacePair **pairs)
{
    impi_Arena *arena = &world->context->scratch;
    const impi_Detection *detection = world->detection;
    size_t slots = world->bodies.count, count = 0;
    uint32_t *number_of_slot = impi_arena_allocate_array(arena, slots, sizeof *number_of_slot);
    *surfaces = impi_arena_allocate_array(arena, slots, sizeof(const impi_Surface *));
    *pairs = impi_arena_allocate_array(arena, detection->pairs.count, sizeof **pairs);
    if (!number_of_slot || !*surfaces || !*pairs)
        return impi_fail_out_of_memory(world->context);
    for (size_t i = 0; i < slots; ++i) {
        number_of_slot[i] = (uint32_t)count;
        impi_Body *body = &world->bodies.data[i];
        if (!body->alive)
            continue;
        for (uint32_t block = 0; block < body->tree->blocks.block_count; ++block) {
            if (!impi_block_is_posed(body, block))
                impi_block_pose(body, block);
        }
        (*surfaces)[count++] = &body->surface;
    }
    for (size_t i = 0; i < detection->pairs.count; ++i) {
        const impi_PairWork *pair = &detection->pairs.data[i];
        (*pairs)[i] = (impi_SurfacePair){number_of_slot[pair->slot_a - 1], number_of_slot[pair->slot_b - 1]};
    }
    *surface_count = count;
    return IMP_STATUS_OK;
}

// The touching ones among the candidates of one pair, as its only item.
static bool keep_touching(imp_World *world, size_t number, const impi_SmithCandidate *candidates,
                          size_t count)
{
    impi_Detection *detection = world->detection;
    impi_PairWork *pair = &detection->pairs.data[number];
    impi_FacePairs *faces = &detection->item_faces.data[number];
    const imp_Allocator *allocator = &world->context->allocator;
    impi_BlockFacePair *lot = impi_arena_allocate_array(&world->context->scratch, count, sizeof *lot);
    faces->count = 0;
    if (!lot || !impi_array_reserve(allocator, faces, sizeof *faces->data, count))
        return false;
    for (size_t i = 0; i < count; ++i)
        lot[i] = candidates[i].faces;
    faces->count =
        impi_face_pairs_touching(&world->bodies.data[pair->slot_a - 1].surface,
                                 &world->bodies.data[pair->slot_b - 1].surface, lot, count, faces->data);
    pair->first_item = number;
    pair->item_count = 1;
    if (faces->count > 0)
        pair->relations = IMP_RELATION_TOUCH;
    return true;
}

static imp_Status decide_candidates(imp_World *world, const impi_SmithCandidates *candidates)
{
    size_t next = 0;
    for (size_t i = 0; i < world->detection->pairs.count; ++i) {
        size_t first = next;
        while (next < candidates->count && candidates->data[next].pair == i)
            ++next;
        if (!keep_touching(world, i, candidates->data + first, next - first))
            return impi_fail_out_of_memory(world->context);
    }
    atomic_store(&world->detection->candidate_count, candidates->count);
    return IMP_STATUS_OK;
}

imp_Status impi_detect_faces_smith(imp_World *world, const imp_DetectDef *def)
{
    const imp_Allocator *allocator = &world->context->allocator;
    impi_Detection *detection = world->detection;
    const impi_Surface **surfaces;
    size_t surface_count = 0;
    impi_SurfacePair *pairs;
    impi_SmithCandidates candidates = {0};
    if (!impi_detection_reserve_items(allocator, detection, detection->pairs.count))
        return impi_fail_out_of_memory(world->context);
    imp_Status status = gather(world, &surfaces, &surface_count, &pairs);
    if (status == IMP_STATUS_OK)
        status = impi_smith_octree_candidates(world->context, surfaces, surface_count, pairs,
                                              detection->pairs.count, def->smith_level, &candidates);
    if (status == IMP_STATUS_OK)
        status = decide_candidates(world, &candidates);
    impi_array_free(allocator, &candidates, sizeof *candidates.data);
    return status;
}
