// Stage "broad": boxes of bodies to pairs of bodies.
#include "world/detection.h"

static bool may_touch(const imp_World *world, const impi_Body *a, uint32_t slot_a, const impi_Body *b,
                      uint32_t slot_b)
{
    return !(a->category_bits & b->ignore_bits) && !(b->category_bits & a->ignore_bits) &&
           impi_boxes_meet(&a->surface.bounds, &b->surface.bounds) &&
           !impi_world_is_pair_ignored(world, slot_a, slot_b);
}

imp_Status impi_detect_broad(imp_World *world)
{
    impi_Detection *detection = world->detection;
    detection->pairs.count = 0;
    for (uint32_t a = 0; a < world->bodies.count; ++a) {
        if (!world->bodies.data[a].alive)
            continue;
        for (uint32_t b = a + 1; b < world->bodies.count; ++b) {
            if (!world->bodies.data[b].alive ||
                !may_touch(world, &world->bodies.data[a], a + 1, &world->bodies.data[b], b + 1))
                continue;
            if (!impi_array_reserve(&world->context->allocator, &detection->pairs,
                                    sizeof *detection->pairs.data, detection->pairs.count + 1))
                return impi_fail_out_of_memory(world->context);
            impi_PairWork *pair = &detection->pairs.data[detection->pairs.count++];
            *pair = (impi_PairWork){.slot_a = a + 1, .slot_b = b + 1};
        }
    }
    return IMP_STATUS_OK;
}
