// Both the last answer and the pairs at hand are in the order of slots, so that going through both at once
// finds for each pair what is known of it. A pair whose bodies have not moved keeps its answer; a pair of
// solids keeps its state in any case.
#include "world/answer.h"

#include "base/radix_sort.h"
#include "world/report_lists.h"

#include <assert.h>
#include <string.h>

void impi_answer_destroy(const imp_Allocator *allocator, impi_Answer *answer)
{
    impi_array_free(allocator, &answer->results, sizeof *answer->results.data);
    impi_array_free(allocator, &answer->states, sizeof *answer->states.data);
    impi_array_free(allocator, &answer->faces, sizeof *answer->faces.data);
    impi_array_free(allocator, &answer->body_pairs, sizeof(imp_BodyPair));
    impi_array_free(allocator, &answer->undecided, sizeof(imp_BodyPair));
    impi_array_free(allocator, &answer->begun, sizeof(imp_BodyPair));
    impi_array_free(allocator, &answer->ended, sizeof(imp_BodyPair));
    impi_array_free(allocator, &answer->contacts, sizeof(imp_BodyPair));
    impi_array_free(allocator, &answer->open_containers, sizeof *answer->open_containers.data);
}

// ---- what still holds

static uint64_t slots_of(const impi_PairResult *result)
{
    return (uint64_t)result->slot_a << 32 | result->slot_b;
}

// A result whose answer is still to be found has no answered question.
#define ALL_OPEN 0xFF

static bool holds(const impi_AnswerDef *def, const impi_PairResult *last)
{
    return def->has_moved && !def->has_moved[last->slot_a] && !def->has_moved[last->slot_b] &&
           last->unanswered == 0;
}

static bool is_solid(const impi_Body *body)
{
    return body->shape->kind == IMPI_SHAPE_CONVEX;
}

static bool reserve_pairs(const imp_Allocator *allocator, size_t count, impi_Answer *answer,
                          impi_ObjectStage *stage)
{
    answer->results.count = answer->states.count = stage->work.count = 0;
    return impi_array_reserve(allocator, &answer->results, sizeof *answer->results.data, count);
}

// The state of two solids, as the last answer had it. Bodies that come and go share slots, but a state may
// hold anything.
static bool add_state(const imp_Allocator *allocator, const impi_AnswerDef *def, const impi_PairResult *last,
                      impi_Answer *answer)
{
    if (!impi_array_reserve(allocator, &answer->states, sizeof *answer->states.data,
                            answer->states.count + 1))
        return false;
    bool is_known = last && last->state != IMPI_NO_STATE;
    answer->states.data[answer->states.count++] =
        is_known ? def->last->states.data[last->state] : (imp_ConvexState){0};
    return true;
}

static bool add_work(const imp_Allocator *allocator, const impi_AnswerDef *def, const impi_PairResult *result,
                     impi_ObjectStage *stage)
{
    if (!impi_array_reserve(allocator, &stage->work, sizeof *stage->work.data, stage->work.count + 1))
        return false;
    stage->work.data[stage->work.count++] =
        (impi_PairWork){.a = &def->bodies[result->slot_a - 1], .b = &def->bodies[result->slot_b - 1]};
    return true;
}

// One pair: `last` is what is known of its slots, or null.
static bool begin_pair(const imp_Allocator *allocator, const impi_AnswerDef *def, imp_IndexPair pair,
                       const impi_PairResult *last, impi_Answer *answer, impi_ObjectStage *stage)
{
    impi_PairResult result = {.slot_a = pair.a, .slot_b = pair.b, .unanswered = ALL_OPEN};
    bool is_kept = last && holds(def, last);
    if (is_kept)
        result = *last;
    result.state = IMPI_NO_STATE;
    if (is_kept ? last->state != IMPI_NO_STATE
                : is_solid(&def->bodies[pair.a - 1]) && is_solid(&def->bodies[pair.b - 1])) {
        result.state = (uint32_t)answer->states.count;
        if (!add_state(allocator, def, last, answer))
            return false;
    }
    answer->results.data[answer->results.count++] = result;
    return is_kept || add_work(allocator, def, &result, stage);
}

// States have their addresses once all of them stand.
static void hand_out_states(impi_Answer *answer, impi_ObjectStage *stage)
{
    size_t next = 0;
    for (size_t i = 0; i < answer->results.count; ++i) {
        const impi_PairResult *result = &answer->results.data[i];
        if (result->unanswered != ALL_OPEN)
            continue;
        if (result->state != IMPI_NO_STATE)
            stage->work.data[next].state = &answer->states.data[result->state];
        ++next;
    }
    assert(next == stage->work.count);
}

imp_Status impi_answer_begin(imp_Context *context, const impi_AnswerDef *def, impi_Answer *answer,
                             impi_ObjectStage *stage)
{
    assert(answer != def->last);
    const imp_Allocator *allocator = &context->allocator;
    const impi_PairResult *last = def->last ? def->last->results.data : NULL;
    size_t last_count = def->last ? def->last->results.count : 0, next = 0;
    if (!reserve_pairs(allocator, def->pairs->count, answer, stage))
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < def->pairs->count; ++i) {
        imp_IndexPair pair = def->pairs->data[i];
        uint64_t slots = (uint64_t)pair.a << 32 | pair.b;
        while (next < last_count && slots_of(&last[next]) < slots)
            ++next;
        bool is_known = next < last_count && slots_of(&last[next]) == slots;
        if (!begin_pair(allocator, def, pair, is_known ? &last[next] : NULL, answer, stage))
            return impi_fail_out_of_memory(context);
    }
    if (answer->states.count > 0)
        hand_out_states(answer, stage);
    return IMP_STATUS_OK;
}

// ---- what was found out

static uint64_t count_faces(const impi_FaceLists *faces, const impi_PairWork *pair)
{
    uint64_t count = 0;
    for (size_t i = 0; i < pair->list_count; ++i)
        count += faces->lists.data[pair->first_list + i].count;
    return count;
}

static void note_result(const impi_AnswerDef *def, const impi_ObjectStage *stage, const impi_PairWork *pair,
                        impi_PairResult *result)
{
    bool has_faces = def->def->mode != IMP_DETECT_BODIES;
    result->relations = (uint8_t)pair->relations;
    result->unanswered = (uint8_t)impi_open_questions(pair, def->def);
    result->a_in_open_b = pair->a_in_open_b;
    result->b_in_open_a = pair->b_in_open_a;
    result->face_count = has_faces ? count_faces(&stage->faces, pair) : 0;
    result->candidate_count = has_faces ? pair->candidate_count : 0;
}

// In mode IMP_DETECT_FIRST only the first related pair of all may stay, with its faces.
static void keep_first(impi_Answer *answer)
{
    size_t first = 0;
    while (first < answer->results.count && !answer->results.data[first].relations)
        ++first;
    for (size_t i = 0; i < answer->results.count; ++i) {
        impi_PairResult *result = &answer->results.data[i];
        if (i > first && result->relations) // left out, not undecided
            result->relations = result->unanswered = 0;
        if (i != first)
            result->face_count = 0;
        if (i > first)
            result->a_in_open_b = result->b_in_open_a = false;
    }
}

// Where the faces of a pair come from.
typedef struct FaceSource {
    const impi_PairWork *work; // null when they are those of the last answer
    uint64_t first;            // there; or of the keys to sort
} FaceSource;

typedef struct FaceJob {
    const impi_AnswerDef *def;
    const impi_FaceLists *lists;
    impi_Answer *answer;
    FaceSource *sources;    // by result
    uint64_t *keys, *spare; // of faces that are to be sorted: face_a << 32 | face_b
    uint64_t limit;
} FaceJob;

#define INSERTION_SORT_LIMIT 32

static const uint64_t *sort_faces(const FaceJob *job, const FaceSource *source)
{
    uint64_t *keys = job->keys + source->first, *spare = job->spare + source->first;
    size_t count = 0;
    for (size_t k = 0; k < source->work->list_count; ++k) {
        const impi_FacePairs *faces = &job->lists->lists.data[source->work->first_list + k];
        for (size_t i = 0; i < faces->count; ++i)
            keys[count++] = (uint64_t)faces->data[i].face_a << 32 | faces->data[i].face_b;
    }
    if (count > INSERTION_SORT_LIMIT)
        return impi_radix_sort_packed(keys, spare, count, 0, 64);
    impi_insertion_sort(keys, count);
    return keys;
}

static void write_faces(size_t begin, size_t end, size_t block, void *argument)
{
    const FaceJob *job = argument;
    (void)block;
    for (size_t i = begin; i < end; ++i) {
        const impi_PairResult *result = &job->answer->results.data[i];
        const FaceSource *source = &job->sources[i];
        if (result->face_count == 0 || result->first_face >= job->limit)
            continue;
        imp_TouchingFaces *to = job->answer->faces.data + result->first_face;
        uint64_t room = job->limit - result->first_face;
        size_t count = (size_t)(result->face_count < room ? result->face_count : room);
        if (!source->work) {
            memcpy(to, job->def->last->faces.data + source->first, count * sizeof *to);
            continue;
        }
        const uint64_t *keys = sort_faces(job, source);
        imp_BodyId a = impi_body_id(job->def->slots, result->slot_a);
        imp_BodyId b = impi_body_id(job->def->slots, result->slot_b);
        for (size_t k = 0; k < count; ++k)
            to[k] = (imp_TouchingFaces){a, (uint32_t)(keys[k] >> 32), b, (uint32_t)keys[k]};
    }
}

// Faces of all pairs one behind the other. Returns how many have to be sorted.
static uint64_t lay_out_faces(FaceJob *job, uint64_t *total)
{
    uint64_t key_count = 0;
    *total = 0;
    for (size_t i = 0; i < job->answer->results.count; ++i) {
        impi_PairResult *result = &job->answer->results.data[i];
        job->sources[i].first = job->sources[i].work ? key_count : result->first_face;
        key_count += job->sources[i].work ? result->face_count : 0;
        result->first_face = *total;
        *total += result->face_count;
    }
    return key_count;
}

static imp_Status finish_faces(imp_Context *context, FaceJob *job)
{
    impi_Answer *answer = job->answer;
    uint64_t total, most = job->def->def->max_face_pairs;
    size_t key_count = (size_t)lay_out_faces(job, &total);
    job->limit = most && most < total ? most : total;
    job->keys = impi_arena_allocate_array(&context->scratch, key_count, sizeof *job->keys);
    job->spare = impi_arena_allocate_array(&context->scratch, key_count, sizeof *job->spare);
    if (!job->keys || !job->spare ||
        !impi_array_reserve(&context->allocator, &answer->faces, sizeof *answer->faces.data,
                            (size_t)job->limit))
        return impi_fail_out_of_memory(context);
    impi_parallel_for(&context->executor, answer->results.count, 64, write_faces, job);
    answer->report.face_pairs = answer->faces.data;
    answer->report.face_pair_count = (size_t)job->limit;
    answer->report.face_pair_total = total;
    answer->report.truncated = job->limit < total;
    return IMP_STATUS_OK;
}

// Results of the work, and which work belongs to which result.
static void note_results(const impi_AnswerDef *def, const impi_ObjectStage *stage, impi_Answer *answer,
                         FaceSource *sources)
{
    size_t next = 0;
    for (size_t i = 0; i < answer->results.count; ++i) {
        impi_PairResult *result = &answer->results.data[i];
        sources[i].work = result->unanswered == ALL_OPEN ? &stage->work.data[next++] : NULL;
        if (sources[i].work)
            note_result(def, stage, sources[i].work, result);
        answer->report.candidate_face_pairs += result->candidate_count;
    }
}

imp_Status impi_answer_finish(imp_Context *context, const impi_AnswerDef *def, impi_Answer *answer,
                              const impi_ObjectStage *stage, bool is_spent)
{
    FaceJob job = {.def = def, .lists = &stage->faces, .answer = answer};
    job.sources = impi_arena_allocate_array(&context->scratch, answer->results.count, sizeof *job.sources);
    if (!job.sources)
        return impi_fail_out_of_memory(context);
    answer->report = (imp_Report){.budget_spent = is_spent, .candidate_body_pairs = answer->results.count};
    note_results(def, stage, answer, job.sources);
    if (def->def->mode == IMP_DETECT_FIRST)
        keep_first(answer);
    if (def->def->mode != IMP_DETECT_BODIES) {
        imp_Status status = finish_faces(context, &job);
        if (status != IMP_STATUS_OK)
            return status;
    }
    return impi_report_lists(&context->allocator, def, answer) ? IMP_STATUS_OK
                                                               : impi_fail_out_of_memory(context);
}
