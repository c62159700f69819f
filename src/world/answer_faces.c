#include "world/answer_faces.h"

#include "base/radix_sort.h"
#include "world/report_lists.h"

#include <assert.h>
#include <string.h>

#define RESULTS_PER_TASK     64
#define INSERTION_SORT_LIMIT 32

typedef struct FaceJob {
    const impi_AnswerDef *def;
    impi_Answer *answer;
    impi_ObjectStage *stage;
    uint64_t *sources; // by result: the number of its list, or its first face in the last answer
    uint64_t limit;
    atomic_bool out_of_memory;
} FaceJob;

// ---- which faces

// Does the answer know all faces of the pair?
static bool is_complete(const impi_PairResult *result, bool is_spent)
{
    bool is_undecided = is_spent && (result->unanswered & IMP_QUESTION_TOUCH);
    return !is_undecided &&
           !(result->relations & IMP_RELATION_TOUCH && result->unanswered & IMP_QUESTION_FACES);
}

// The limit was passed before this one.
static void drop_faces(impi_PairResult *result)
{
    result->face_count = result->candidate_count = 0;
    if (result->relations & IMP_RELATION_TOUCH)
        result->unanswered |= IMP_QUESTION_FACES;
}

// Faces of all pairs one behind the other, and what the report says of them.
static void lay_out_faces(FaceJob *job)
{
    imp_Report *report = &job->answer->report;
    const imp_DetectDef *def = job->def->def;
    uint64_t total = 0, most = def->max_face_pairs ? def->max_face_pairs : UINT64_MAX;
    for (size_t i = 0; i < job->answer->results.count; ++i) {
        impi_PairResult *result = &job->answer->results.data[i];
        if (total > most && !def->count_all)
            drop_faces(result);
        job->sources[i] = result->first_face;
        result->first_face = total;
        total += result->face_count;
        report->candidate_face_pairs += result->candidate_count;
        report->total_is_lower_bound |= !is_complete(result, report->budget_spent);
    }
    job->limit = most < total ? most : total;
    report->face_pair_total = total;
    report->truncated = job->limit < total;
}

// ---- in order

// False when out of memory.
static bool sort_faces(FaceJob *job, impi_FaceKeys *faces)
{
    if (faces->count <= INSERTION_SORT_LIMIT) {
        impi_insertion_sort(faces->data, faces->count);
        return true;
    }
    impi_Arena *arena = impi_scratch_pool_take(&job->stage->scratch);
    uint64_t *spare = arena ? impi_arena_allocate_array(arena, faces->count, sizeof *spare) : NULL;
    if (spare) {
        const uint64_t *sorted = impi_radix_sort_packed(faces->data, spare, faces->count, 0, 64);
        if (sorted != faces->data)
            memcpy(faces->data, sorted, faces->count * sizeof *sorted);
    }
    if (arena)
        impi_scratch_pool_give_back(&job->stage->scratch, arena);
    return spare;
}

static void write_new_faces(FaceJob *job, const impi_PairResult *result, uint64_t list, size_t count)
{
    impi_FaceKeys *faces = &job->stage->faces.lists.data[list];
    imp_TouchingFaces *to = job->answer->faces.data + result->first_face;
    imp_BodyId a = impi_body_id(job->def->slots, result->slot_a);
    imp_BodyId b = impi_body_id(job->def->slots, result->slot_b);
    assert(count <= faces->count);
    if (!sort_faces(job, faces)) {
        atomic_store_explicit(&job->out_of_memory, true, memory_order_relaxed);
        return;
    }
    for (size_t i = 0; i < count; ++i)
        to[i] = (imp_TouchingFaces){a, (uint32_t)(faces->data[i] >> 32), b, (uint32_t)faces->data[i]};
}

static void write_faces(size_t begin, size_t end, size_t block, void *argument)
{
    FaceJob *job = argument;
    (void)block;
    for (size_t i = begin; i < end; ++i) {
        const impi_PairResult *result = &job->answer->results.data[i];
        if (result->face_count == 0 || result->first_face >= job->limit)
            continue;
        uint64_t room = job->limit - result->first_face;
        size_t count = (size_t)(result->face_count < room ? result->face_count : room);
        if (result->is_new)
            write_new_faces(job, result, job->sources[i], count);
        else
            memcpy(job->answer->faces.data + result->first_face, job->def->last->faces.data + job->sources[i],
                   count * sizeof(imp_TouchingFaces));
    }
}

imp_Status impi_answer_list_faces(imp_Context *context, const impi_AnswerDef *def, impi_Answer *answer,
                                  impi_ObjectStage *stage)
{
    size_t count = answer->results.count;
    FaceJob job = {.def = def, .answer = answer, .stage = stage};
    atomic_init(&job.out_of_memory, false);
    job.sources = impi_arena_allocate_array(&context->scratch, count, sizeof *job.sources);
    if (!job.sources)
        return impi_fail_out_of_memory(context);
    lay_out_faces(&job);
    if (!impi_array_reserve(&context->allocator, &answer->faces, sizeof *answer->faces.data,
                            (size_t)job.limit))
        return impi_fail_out_of_memory(context);
    impi_parallel_for(&context->executor, count, RESULTS_PER_TASK, write_faces, &job);
    if (atomic_load(&job.out_of_memory))
        return impi_fail_out_of_memory(context);
    answer->report.face_pairs = answer->faces.data;
    answer->report.face_pair_count = (size_t)job.limit;
    return IMP_STATUS_OK;
}
