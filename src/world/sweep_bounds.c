// Stage "bounds" of a sweep: boxes around the ways of bodies, less what most of them have in common.
#include "base/radix_sort.h"
#include "geom/scalar.h"
#include "geom/vector.h"
#include "object/body_path.h"
#include "object/swept_surface.h"
#include "object/target.h"
#include "world/world.h"

#include <string.h>

#define BODIES_PER_TASK 16

// ---- what has changed

static bool is_same_filter(impi_PairFilter a, impi_PairFilter b)
{
    return a.category_bits == b.category_bits && a.ignore_bits == b.ignore_bits && a.group == b.group;
}

static bool take_body(const imp_World *world, impi_Sweep *sweep, uint32_t slot)
{
    impi_SweptBody *known = &sweep->bodies.data[slot - 1];
    impi_BoxTable *boxes = &sweep->broad.boxes;
    impi_PairFilter filter = impi_box_table_get_filter(&world->broad.boxes, slot);
    uint32_t generation = impi_slot_generation(&world->slots, slot);
    if (known->generation == generation && is_same_filter(filter, impi_box_table_get_filter(boxes, slot)))
        return true;
    if (!impi_box_table_reserve_filter(boxes, filter))
        return false;
    if (known->generation == generation) {
        impi_box_table_set_filter(boxes, slot, filter);
        return true;
    }
    if (known->generation != 0)
        impi_box_table_remove(boxes, slot);
    impi_box_table_add(boxes, slot, filter);
    *known = (impi_SweptBody){.generation = generation};
    return true;
}

// Bodies that have come, gone or changed their filter since the last sweep. False when out of memory.
static bool take_bodies(const imp_World *world, impi_Sweep *sweep)
{
    const imp_Allocator *allocator = &world->context->allocator;
    size_t count = world->bodies.count;
    if (!impi_array_reserve(allocator, &sweep->bodies, sizeof *sweep->bodies.data, count) ||
        !impi_box_table_reserve(&sweep->broad.boxes, count))
        return false;
    while (sweep->bodies.count < count)
        sweep->bodies.data[sweep->bodies.count++] = (impi_SweptBody){0};
    for (uint32_t slot = 1; slot <= count; ++slot) {
        impi_SweptBody *known = &sweep->bodies.data[slot - 1];
        if (impi_slot_table_is_used(&world->slots, slot)) {
            if (!take_body(world, sweep, slot))
                return false;
        } else if (known->generation != 0) {
            impi_box_table_remove(&sweep->broad.boxes, slot);
            known->generation = 0;
        }
    }
    return true;
}

// ---- bounds

typedef struct BoundsJob {
    impi_Body **bodies;
    size_t count;
    impi_SweptBody *known;
} BoundsJob;

static void bound_bodies(size_t begin, size_t end, size_t block, void *argument)
{
    const BoundsJob *job = argument;
    (void)block;
    for (size_t i = begin; i < end; ++i) {
        const impi_Body *body = job->bodies[i];
        imp_Box *ends = job->known[body->slot - 1].ends;
        if (impi_body_path(body) == IMP_PATH_STRAIGHT) {
            impi_body_bound_ends(body, ends);
        } else {
            impi_BodyPath path;
            impi_body_path_to_target(body, &path);
            impi_body_path_bound_ends(&path, ends);
        }
    }
}

static bool has_changed(const impi_SweptBody *known, const impi_Body *body)
{
    const impi_Target *target = impi_body_target(body);
    return known->motion != body->motion || known->change != (target ? target->change : 0);
}

static void note_seen(impi_SweptBody *known, const impi_Body *body)
{
    const impi_Target *target = impi_body_target(body);
    known->motion = body->motion;
    known->change = target ? target->change : 0;
}

// Those that have a surface are likely to be asked for it again.
static imp_Status bound_changed(imp_World *world, impi_Sweep *sweep)
{
    imp_Context *context = world->context;
    size_t count = world->bodies.count, with = 0;
    BoundsJob job = {impi_arena_allocate_array(&context->scratch, count, sizeof(impi_Body *)), 0,
                     sweep->bodies.data};
    impi_Body **surfaced = impi_arena_allocate_array(&context->scratch, count, sizeof(impi_Body *));
    if (!job.bodies || !surfaced)
        return impi_fail_out_of_memory(context);
    for (uint32_t slot = 1; slot <= count; ++slot) {
        impi_Body *body = &world->bodies.data[slot - 1];
        if (!impi_slot_table_is_used(&world->slots, slot) ||
            !has_changed(&sweep->bodies.data[slot - 1], body))
            continue;
        if (body->swept && impi_body_path(body) == IMP_PATH_STRAIGHT)
            surfaced[with++] = body;
        else
            job.bodies[job.count++] = body;
    }
    imp_Status status = impi_swept_surfaces_require(context, surfaced, with);
    if (status != IMP_STATUS_OK)
        return status;
    impi_parallel_for(&context->executor, job.count, BODIES_PER_TASK, bound_bodies, &job);
    for (size_t i = 0; i < job.count; ++i)
        note_seen(&sweep->bodies.data[job.bodies[i]->slot - 1], job.bodies[i]);
    for (size_t i = 0; i < with; ++i) {
        impi_SweptBody *known = &sweep->bodies.data[surfaced[i]->slot - 1];
        memcpy(known->ends, impi_moving_surface_of(surfaced[i])->end_bounds, sizeof known->ends);
        note_seen(known, surfaced[i]);
    }
    return IMP_STATUS_OK;
}

// ---- what all have in common

// Numbers in the order of doubles, NaN aside.
static uint64_t ordered_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static double from_ordered_bits(uint64_t bits)
{
    double x;
    bits = bits >> 63 ? bits & ~((uint64_t)1 << 63) : ~bits;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// The drift in the middle, axis by axis: that of a fleet, whatever a few others do. False when out of memory.
static bool find_common_drift(imp_World *world, const impi_Sweep *sweep, imp_Vec3 *drift)
{
    size_t count = 0, room = sweep->bodies.count;
    double *axes[3] = {&drift->x, &drift->y, &drift->z};
    uint64_t *keys[3];
    uint64_t *spare = impi_arena_allocate_array(&world->context->scratch, room, sizeof *spare);
    for (int axis = 0; axis < 3; ++axis)
        keys[axis] = impi_arena_allocate_array(&world->context->scratch, room, sizeof **keys);
    if (!spare || !keys[0] || !keys[1] || !keys[2])
        return false;
    for (size_t i = 0; i < room; ++i) {
        const impi_SweptBody *body = &sweep->bodies.data[i];
        if (body->generation == 0)
            continue;
        imp_Vec3 own = impi_drift_between(&body->ends[0], &body->ends[1]);
        keys[0][count] = ordered_bits(own.x);
        keys[1][count] = ordered_bits(own.y);
        keys[2][count++] = ordered_bits(own.z);
    }
    for (int axis = 0; axis < 3; ++axis)
        *axes[axis] =
            count > 0 ? from_ordered_bits(impi_radix_sort_packed(keys[axis], spare, count, 0, 64)[count / 2])
                      : 0;
    return true;
}

imp_Box impi_sweep_widen(const imp_Box *box, double separation)
{
    if (separation == 0)
        return *box;
    double by = 0.5 * separation + 0x1p-50 * impi_larger(impi_longest(box->min), impi_longest(box->max));
    return (imp_Box){{box->min.x - by, box->min.y - by, box->min.z - by},
                     {box->max.x + by, box->max.y + by, box->max.z + by}};
}

imp_Status impi_sweep_bound(imp_World *world, impi_Sweep *sweep, double separation)
{
    imp_Vec3 drift;
    if (!take_bodies(world, sweep))
        return impi_fail_out_of_memory(world->context);
    imp_Status status = bound_changed(world, sweep);
    if (status != IMP_STATUS_OK)
        return status;
    if (!find_common_drift(world, sweep, &drift))
        return impi_fail_out_of_memory(world->context);
    for (uint32_t slot = 1; slot <= sweep->bodies.count; ++slot) {
        const impi_SweptBody *body = &sweep->bodies.data[slot - 1];
        if (body->generation == 0)
            continue;
        imp_Box way = impi_box_around_way(&body->ends[0], &body->ends[1], drift);
        way = impi_sweep_widen(&way, separation);
        const double row[6] = {way.min.x, way.min.y, way.min.z, way.max.x, way.max.y, way.max.z};
        impi_box_table_set(&sweep->broad.boxes, slot, (impi_BoxSource){.double_rows = row}, 0);
    }
    return IMP_STATUS_OK;
}
