// Filter "advancement": when do bodies first come near, on rigid paths or with a separation? Each pair by
// conservative advancement (object/advancement.h), which misses nothing.
//
// Cost: a pass over the vertices of each body for its path; then a few searches for the closest faces of each
// pair.
#include "base/context.h"
#include "object/advancement.h"
#include "object/pair_tasks.h"

#include <math.h>

#define PATHS_PER_TASK 4
#define NO_PATH        UINT32_MAX

// Paths of the bodies of a run, each once.
typedef struct Memory {
    IMPI_ARRAY(impi_BodyPath) paths;
    IMPI_ARRAY(const impi_Body *) bodies; // whose paths they are
    IMPI_ARRAY(uint32_t) path_of;         // by slot
} Memory;

static void release_memory(const imp_Allocator *allocator, void *argument)
{
    Memory *memory = argument;
    impi_array_free(allocator, &memory->paths, sizeof *memory->paths.data);
    impi_array_free(allocator, &memory->bodies, sizeof *memory->bodies.data);
    impi_array_free(allocator, &memory->path_of, sizeof *memory->path_of.data);
}

// ---- paths

static bool reserve_paths(const impi_FilterRun *run, Memory *memory)
{
    const imp_Allocator *allocator = &run->context->allocator;
    uint32_t last_slot = 0;
    for (size_t i = 0; i < run->count; ++i) {
        uint32_t slot = impi_run_pair(run, i)->b->slot; // the larger one of both
        last_slot = slot > last_slot ? slot : last_slot;
    }
    if (!impi_array_reserve(allocator, &memory->paths, sizeof *memory->paths.data, 2 * run->count) ||
        !impi_array_reserve(allocator, &memory->bodies, sizeof *memory->bodies.data, 2 * run->count) ||
        !impi_array_reserve(allocator, &memory->path_of, sizeof *memory->path_of.data, (size_t)last_slot + 1))
        return false;
    for (size_t i = 0; i <= last_slot; ++i)
        memory->path_of.data[i] = NO_PATH;
    return true;
}

static void note_body(Memory *memory, const impi_Body *body)
{
    uint32_t *number = &memory->path_of.data[body->slot];
    if (*number != NO_PATH)
        return;
    *number = (uint32_t)memory->bodies.count;
    memory->bodies.data[memory->bodies.count++] = body;
}

static void make_paths(size_t begin, size_t end, size_t block, void *argument)
{
    Memory *memory = argument;
    (void)block;
    for (size_t i = begin; i < end; ++i)
        impi_body_path_to_target(memory->bodies.data[i], &memory->paths.data[i]);
}

static const impi_BodyPath *path_of(const Memory *memory, const impi_Body *body)
{
    return &memory->paths.data[memory->path_of.data[body->slot]];
}

// ---- pairs

static bool keep_faces(const imp_Allocator *allocator, const impi_Advance *found, impi_FaceTimes *faces)
{
    if (found->face_a == IMP_NO_FACE || found->face_b == IMP_NO_FACE)
        return true;
    if (!impi_array_reserve(allocator, faces, sizeof *faces->data, 1))
        return false;
    faces->data[0] = (impi_FaceTime){impi_face_key(found->face_a, found->face_b), found->time, found->parts.a,
                                     found->parts.b};
    faces->count = 1;
    return true;
}

static imp_Status answer_pair(const impi_FilterRun *run, impi_Arena *arena, impi_PairWork *pair)
{
    const Memory *memory = run->memory;
    const impi_AdvanceAsk ask = {run->sweep.separation, run->sweep.tolerance, 1, run->budget};
    impi_Advance found;
    imp_Status status =
        impi_advance(run->context, arena, path_of(memory, pair->a), path_of(memory, pair->b), &ask, &found);
    if (status != IMP_STATUS_OK || found.verdict == IMPI_ADVANCE_CUT_SHORT)
        return status;
    pair->answered |= IMP_QUESTION_SWEEP;
    if (found.verdict == IMPI_ADVANCE_APART)
        return IMP_STATUS_OK;
    pair->sweep->time = found.time;
    pair->sweep->is_certain = found.is_certain;
    pair->sweep->touched_at_start = found.is_certain && found.certain_time == 0;
    return keep_faces(&run->context->allocator, &found, pair->sweep->faces) ? IMP_STATUS_OK
                                                                            : IMP_STATUS_OUT_OF_MEMORY;
}

// What threads need: made before they begin.
static imp_Status prepare_pairs(const impi_FilterRun *run, const Memory *memory)
{
    size_t room = 0;
    for (size_t i = 0; i < run->count; ++i) {
        const impi_PairWork *pair = impi_run_pair(run, i);
        const impi_BodyPath *a = path_of(memory, pair->a), *b = path_of(memory, pair->b);
        size_t needed = impi_advance_memory(a, b);
        imp_Status status = impi_advance_prepare(run->context, a, b);
        if (status != IMP_STATUS_OK)
            return status;
        room = needed > room ? needed : room;
    }
    return impi_scratch_pool_prepare(run->scratch, run->context->executor.thread_count, room)
               ? IMP_STATUS_OK
               : impi_fail_out_of_memory(run->context);
}

static imp_Status run_advancement(impi_FilterRun *run)
{
    Memory *memory = run->memory;
    if (!reserve_paths(run, memory))
        return impi_fail_out_of_memory(run->context);
    memory->bodies.count = 0;
    for (size_t i = 0; i < run->count; ++i) {
        note_body(memory, impi_run_pair(run, i)->a);
        note_body(memory, impi_run_pair(run, i)->b);
    }
    impi_parallel_for(&run->context->executor, memory->bodies.count, PATHS_PER_TASK, make_paths, memory);
    imp_Status status = prepare_pairs(run, memory);
    return status == IMP_STATUS_OK ? impi_pair_tasks_run(run, 1, answer_pair) : status;
}

const impi_Filter impi_advancement_filter = {.name = "advancement",
                                             .takes_advance = {IMPI_ANY_KIND, IMPI_ANY_KIND},
                                             .memory_size = sizeof(Memory),
                                             .release_memory = release_memory,
                                             .run = run_advancement};
