// Stage "broad": boxes of bodies to pairs of bodies, by the linear octree.
#include "broad/pairs_find.h"
#include "world/detection.h"

#include <string.h>

// Boxes of living bodies as rows of six numbers, and the slots that they belong to.
typedef struct BodyBoxes {
    double *rows;
    uint32_t *slots; // ascending
    size_t count;
} BodyBoxes;

static bool gather_boxes(imp_World *world, BodyBoxes *boxes)
{
    impi_Arena *arena = &world->context->scratch;
    boxes->rows = impi_arena_allocate_array(arena, world->body_count, 6 * sizeof *boxes->rows);
    boxes->slots = impi_arena_allocate_array(arena, world->body_count, sizeof *boxes->slots);
    if (!boxes->rows || !boxes->slots)
        return false;
    for (size_t i = 0; i < world->bodies.count; ++i) {
        const impi_Body *body = &world->bodies.data[i];
        if (!body->alive)
            continue;
        const imp_Box *box = &body->surface.bounds;
        const double row[6] = {box->min.x, box->min.y, box->min.z, box->max.x, box->max.y, box->max.z};
        memcpy(boxes->rows + 6 * boxes->count, row, sizeof row);
        boxes->slots[boxes->count++] = (uint32_t)i + 1;
    }
    return true;
}

static bool may_touch(const imp_World *world, uint32_t slot_a, uint32_t slot_b)
{
    const impi_Body *a = &world->bodies.data[slot_a - 1], *b = &world->bodies.data[slot_b - 1];
    return !(a->category_bits & b->ignore_bits) && !(b->category_bits & a->ignore_bits) &&
           !impi_world_is_pair_ignored(world, slot_a, slot_b);
}

imp_Status impi_detect_broad(imp_World *world)
{
    impi_Detection *detection = world->detection;
    BodyBoxes boxes = {0};
    const imp_IndexPair *found;
    size_t count;
    if (!gather_boxes(world, &boxes))
        return impi_fail_out_of_memory(world->context);
    imp_BoxArray rows = {.boxes = boxes.rows, .count = boxes.count};
    imp_Status status = impi_pairs_find(world->context, &rows, &world->context->scratch, &found, &count);
    if (status != IMP_STATUS_OK)
        return status;
    if (!impi_array_reserve(&world->context->allocator, &detection->pairs, sizeof *detection->pairs.data,
                            count))
        return impi_fail_out_of_memory(world->context);
    detection->pairs.count = 0;
    for (size_t i = 0; i < count; ++i) {
        uint32_t slot_a = boxes.slots[found[i].a], slot_b = boxes.slots[found[i].b];
        if (!may_touch(world, slot_a, slot_b))
            continue;
        impi_PairWork *pair = &detection->pairs.data[detection->pairs.count++];
        *pair = (impi_PairWork){.slot_a = slot_a, .slot_b = slot_b, .wants_faces = true};
    }
    return IMP_STATUS_OK;
}
