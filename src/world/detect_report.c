// The end of the pipeline: faces sorted within each body pair, and the lists of the report.
#include "base/radix_sort.h"
#include "world/detection.h"

#include <string.h>

// Where each pair's faces go, in the order of pairs.
static size_t place_faces(impi_Detection *detection)
{
    size_t total = 0;
    for (size_t i = 0; i < detection->pairs.count; ++i) {
        impi_PairWork *pair = &detection->pairs.data[i];
        pair->first_face = total;
        pair->face_count = 0;
        for (size_t k = 0; k < pair->item_count; ++k)
            pair->face_count += detection->item_faces.data[pair->first_item + k].count;
        total += pair->face_count;
    }
    return total;
}

#define INSERTION_SORT_LIMIT 32

static void insertion_sort(uint64_t *keys, size_t count)
{
    for (size_t i = 1; i < count; ++i) {
        uint64_t key = keys[i];
        size_t place = i;
        for (; place > 0 && keys[place - 1] > key; --place)
            keys[place] = keys[place - 1];
        keys[place] = key;
    }
}

static void sort_pair_faces(impi_Detection *detection, const impi_PairWork *pair)
{
    uint64_t *keys = detection->face_keys.data + pair->first_face;
    size_t count = 0;
    for (size_t k = 0; k < pair->item_count; ++k) {
        const impi_FacePairs *faces = &detection->item_faces.data[pair->first_item + k];
        for (size_t i = 0; i < faces->count; ++i)
            keys[count++] = (uint64_t)faces->data[i].face_a << 32 | faces->data[i].face_b;
    }
    if (count <= INSERTION_SORT_LIMIT) {
        insertion_sort(keys, count);
    } else {
        uint64_t *spare = detection->face_keys_spare.data + pair->first_face;
        const uint64_t *sorted = impi_radix_sort_packed(keys, spare, count, 0, 64);
        if (sorted != keys)
            memcpy(keys, sorted, count * sizeof *keys);
    }
}

static void sort_faces(size_t begin, size_t end, size_t block, void *argument)
{
    impi_Detection *detection = argument;
    (void)block;
    for (size_t i = begin; i < end; ++i)
        sort_pair_faces(detection, &detection->pairs.data[i]);
}

static void write_pair_faces(const imp_World *world, const impi_PairWork *pair, uint64_t limit)
{
    impi_Detection *detection = world->detection;
    imp_BodyId a = impi_world_id_of(world, pair->slot_a), b = impi_world_id_of(world, pair->slot_b);
    for (size_t i = 0; i < pair->face_count && pair->first_face + i < limit; ++i) {
        uint64_t key = detection->face_keys.data[pair->first_face + i];
        detection->faces.data[pair->first_face + i] =
            (imp_TouchingFaces){a, (uint32_t)(key >> 32), b, (uint32_t)key};
    }
}

static imp_Status report_faces(imp_World *world, const imp_DetectDef *def, imp_Report *report)
{
    const imp_Allocator *allocator = &world->context->allocator;
    impi_Detection *detection = world->detection;
    size_t total = place_faces(detection);
    size_t kept = def->max_face_pairs && def->max_face_pairs < total ? (size_t)def->max_face_pairs : total;
    if (!impi_array_reserve(allocator, &detection->face_keys, sizeof *detection->face_keys.data, total) ||
        !impi_array_reserve(allocator, &detection->face_keys_spare, sizeof *detection->face_keys_spare.data,
                            total) ||
        !impi_array_reserve(allocator, &detection->faces, sizeof *detection->faces.data, kept))
        return impi_fail_out_of_memory(world->context);
    impi_parallel_for(&world->context->executor, detection->pairs.count, 16, sort_faces, detection);
    for (size_t i = 0; i < detection->pairs.count; ++i)
        write_pair_faces(world, &detection->pairs.data[i], kept);
    report->face_pairs = detection->faces.data;
    report->face_pair_count = kept;
    report->face_pair_total = total;
    report->truncated = kept < total;
    report->candidate_face_pairs = atomic_load(&detection->candidate_count);
    return IMP_STATUS_OK;
}

static bool add_body_pair(const imp_Allocator *allocator, impi_BodyPairs *list, const imp_BodyPair *pair)
{
    if (!impi_array_reserve(allocator, list, sizeof *list->data, list->count + 1))
        return false;
    list->data[list->count++] = *pair;
    return true;
}

static bool list_body_pairs(const imp_World *world, size_t limit, impi_BodyPairs *list)
{
    const impi_Detection *detection = world->detection;
    list->count = 0;
    for (size_t i = 0; i < detection->pairs.count && list->count < limit; ++i) {
        const impi_PairWork *pair = &detection->pairs.data[i];
        imp_BodyPair found = {impi_world_id_of(world, pair->slot_a), impi_world_id_of(world, pair->slot_b),
                              pair->relations};
        if (pair->relations && !add_body_pair(&world->context->allocator, list, &found))
            return false;
    }
    return true;
}

static bool add_open_container(const imp_World *world, uint32_t inner, uint32_t outer)
{
    impi_Detection *detection = world->detection;
    if (!impi_array_reserve(&world->context->allocator, &detection->open_containers,
                            sizeof *detection->open_containers.data, detection->open_containers.count + 1))
        return false;
    detection->open_containers.data[detection->open_containers.count++] =
        (imp_OpenContainer){impi_world_id_of(world, inner), impi_world_id_of(world, outer)};
    return true;
}

static bool list_open_containers(const imp_World *world)
{
    impi_Detection *detection = world->detection;
    detection->open_containers.count = 0;
    for (size_t i = 0; i < detection->pairs.count; ++i) {
        const impi_PairWork *pair = &detection->pairs.data[i];
        if (pair->a_in_open_b && !add_open_container(world, pair->slot_a, pair->slot_b))
            return false;
        if (pair->b_in_open_a && !add_open_container(world, pair->slot_b, pair->slot_a))
            return false;
    }
    return true;
}

// Slots order the pairs; generations tell whether it is still the same bodies.
static int compare_slots(const imp_BodyPair *a, const imp_BodyPair *b)
{
    if (a->body_a.slot != b->body_a.slot)
        return a->body_a.slot < b->body_a.slot ? -1 : 1;
    return (a->body_b.slot > b->body_b.slot) - (a->body_b.slot < b->body_b.slot);
}

static bool are_same_bodies(const imp_BodyPair *a, const imp_BodyPair *b)
{
    return a->body_a.generation == b->body_a.generation && a->body_b.generation == b->body_b.generation;
}

static bool compare_with_last(const imp_Allocator *allocator, const impi_BodyPairs *last,
                              const impi_BodyPairs *now, impi_BodyPairs *begun, impi_BodyPairs *ended)
{
    bool done = true;
    size_t i = 0, k = 0;
    begun->count = ended->count = 0;
    while (done && (i < last->count || k < now->count)) {
        int order = i == last->count  ? 1
                    : k == now->count ? -1
                                      : compare_slots(&last->data[i], &now->data[k]);
        bool same = order == 0 && are_same_bodies(&last->data[i], &now->data[k]);
        if (order <= 0 && !same)
            done = add_body_pair(allocator, ended, &last->data[i]);
        if (done && order >= 0 && !same)
            done = add_body_pair(allocator, begun, &now->data[k]);
        i += order <= 0;
        k += order >= 0;
    }
    return done;
}

imp_Status impi_detect_report(imp_World *world, const imp_DetectDef *def)
{
    const imp_Allocator *allocator = &world->context->allocator;
    impi_Detection *detection = world->detection;
    bool is_first = def->mode == IMP_DETECT_FIRST;
    impi_BodyPairs *last = &detection->body_pairs[detection->current];
    impi_BodyPairs *now = is_first ? &detection->first_pair : &detection->body_pairs[detection->current ^ 1];
    imp_Report report = {0};
    if (!list_body_pairs(world, is_first ? 1 : SIZE_MAX, now) || !list_open_containers(world))
        return impi_fail_out_of_memory(world->context);
    if (def->mode != IMP_DETECT_BODIES) {
        imp_Status status = report_faces(world, def, &report);
        if (status != IMP_STATUS_OK)
            return status;
    }
    if (!is_first) {
        if (!compare_with_last(allocator, last, now, &detection->begun, &detection->ended))
            return impi_fail_out_of_memory(world->context);
        detection->current ^= 1;
        report.begun = detection->begun.data;
        report.begun_count = detection->begun.count;
        report.ended = detection->ended.data;
        report.ended_count = detection->ended.count;
    }
    report.body_pairs = now->data;
    report.body_pair_count = now->count;
    report.open_containers = detection->open_containers.data;
    report.open_container_count = detection->open_containers.count;
    detection->report = report;
    return IMP_STATUS_OK;
}
