#include "world/object_stage.h"

#include "base/memory.h"
#include "feature/face_pair.h"

#include <string.h>

// A search for the first body pair looks at one, then at twice as many each time, up to this many in one go.
// So does one with a budget, so that what is known when it ends is known for good.
#define MAX_STEP 64

void impi_object_stage_init(impi_ObjectStage *stage, const imp_Allocator *allocator)
{
    *stage = (impi_ObjectStage){0};
    impi_scratch_pool_init(&stage->scratch, allocator);
}

void impi_object_stage_destroy(const imp_Allocator *allocator, impi_ObjectStage *stage)
{
    for (size_t i = 0; i < IMPI_FILTER_COUNT; ++i) {
        if (stage->filter_memory[i])
            impi_filters[i]->release_memory(allocator, stage->filter_memory[i]);
        impi_release(allocator, stage->filter_memory[i], impi_filters[i]->memory_size);
    }
    impi_array_free(allocator, &stage->work, sizeof *stage->work.data);
    impi_array_free(allocator, &stage->list, sizeof *stage->list.data);
    impi_face_lists_destroy(allocator, &stage->faces);
    impi_scratch_pool_destroy(&stage->scratch);
}

uint32_t impi_open_questions(const impi_PairWork *pair, const imp_DetectDef *def)
{
    bool touches = pair->relations & IMP_RELATION_TOUCH;
    uint32_t asked = IMP_QUESTION_TOUCH;
    if (touches && def->mode != IMP_DETECT_BODIES)
        asked |= IMP_QUESTION_FACES;
    if (!touches && !def->ignore_containment)
        asked |= IMP_QUESTION_CONTAINMENT;
    return asked & ~pair->answered;
}

// One detect's way through the stage.
typedef struct Stage {
    imp_Context *context;
    impi_ObjectStage *memory;
    const impi_ObjectAsk *ask;
} Stage;

static bool have_memory(const Stage *stage, uint32_t filter)
{
    size_t size = impi_filters[filter]->memory_size;
    void **memory = &stage->memory->filter_memory[filter];
    if (size == 0 || *memory)
        return true;
    *memory = impi_allocate(&stage->context->allocator, size);
    if (*memory)
        memset(*memory, 0, size);
    return *memory;
}

static imp_Status run_filter(const Stage *stage, uint32_t number)
{
    const impi_Filter *filter = impi_filters[number];
    impi_ObjectStage *memory = stage->memory;
    impi_FilterRun run = {.context = stage->context,
                          .scratch = &memory->scratch,
                          .budget = stage->ask->budget,
                          .feature = impi_face_pairs_touching,
                          .margin = stage->ask->margin,
                          .wants_faces = stage->ask->def->mode != IMP_DETECT_BODIES,
                          .smith_level = stage->ask->def->smith_level,
                          .pairs = memory->work.data,
                          .list = memory->list.data,
                          .count = memory->list.count,
                          .bodies = stage->ask->bodies,
                          .body_count = stage->ask->body_count,
                          .faces = &memory->faces};
    if (!have_memory(stage, number))
        return impi_fail_out_of_memory(stage->context);
    run.memory = memory->filter_memory[number];
    if (filter->scratch_size &&
        !impi_scratch_pool_prepare(&memory->scratch, stage->context->executor.thread_count,
                                   filter->scratch_size(&run)))
        return impi_fail_out_of_memory(stage->context);
    return filter->run(&run);
}

// The filter that has to answer a question about a pair now, or IMPI_NO_FILTER. Solids are asked whether they
// touch first, and only those that do for faces; for meshes one filter answers both.
static uint32_t filter_for(const impi_ObjectAsk *ask, imp_Question question, const impi_PairWork *pair)
{
    impi_ShapeKind a = pair->a->shape->kind, b = pair->b->shape->kind;
    uint32_t touch = ask->choice.touch.filters[a][b], faces = ask->choice.faces.filters[a][b];
    uint32_t open = impi_open_questions(pair, ask->def);
    switch (question) {
    case IMP_QUESTION_TOUCH:
        return touch != faces ? touch : IMPI_NO_FILTER;
    case IMP_QUESTION_FACES:
        return touch == faces || open == IMP_QUESTION_FACES ? faces : IMPI_NO_FILTER;
    case IMP_QUESTION_CONTAINMENT:
        return open == IMP_QUESTION_CONTAINMENT ? ask->choice.containment.filters[a][b] : IMPI_NO_FILTER;
    }
    return IMPI_NO_FILTER;
}

// Ask one question about pairs [begin, end), each of the filter that answers for it.
static imp_Status ask_question(const Stage *stage, imp_Question question, size_t begin, size_t end)
{
    impi_PairWork *pairs = stage->memory->work.data;
    size_t counts[IMPI_FILTER_COUNT] = {0};
    imp_Status status = IMP_STATUS_OK;
    for (size_t i = begin; i < end; ++i) {
        pairs[i].filter = filter_for(stage->ask, question, &pairs[i]);
        if (pairs[i].filter != IMPI_NO_FILTER)
            ++counts[pairs[i].filter];
    }
    for (uint32_t filter = 0; filter < IMPI_FILTER_COUNT && status == IMP_STATUS_OK; ++filter) {
        if (counts[filter] == 0)
            continue;
        stage->memory->list.count = 0;
        for (size_t i = begin; i < end; ++i)
            if (pairs[i].filter == filter)
                stage->memory->list.data[stage->memory->list.count++] = (uint32_t)i;
        status = run_filter(stage, filter);
    }
    return status;
}

static imp_Status ask_all(const Stage *stage, size_t begin, size_t end)
{
    imp_Status status = ask_question(stage, IMP_QUESTION_TOUCH, begin, end);
    if (status == IMP_STATUS_OK)
        status = ask_question(stage, IMP_QUESTION_FACES, begin, end);
    if (status == IMP_STATUS_OK)
        status = ask_question(stage, IMP_QUESTION_CONTAINMENT, begin, end);
    return status;
}

static bool is_found(const impi_PairWork *pairs, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; ++i)
        if (pairs[i].relations)
            return true;
    return false;
}

// How pairs are asked about: all at once, or in steps that grow.
typedef struct Steps {
    bool is_searching; // for the first pair with a relation
    bool is_timed;
    size_t first; // size of the first step
} Steps;

static Steps choose_steps(const impi_ObjectAsk *ask, size_t count)
{
    const impi_Filter *named = impi_filter_of(ask->def->method);
    Steps steps = {.is_searching = ask->def->mode == IMP_DETECT_FIRST,
                   .is_timed = ask->budget->deadline_ns != IMPI_NO_DEADLINE,
                   .first = count};
    if ((steps.is_searching || steps.is_timed) && !(named && named->takes_all_at_once))
        steps.first = 1;
    return steps;
}

// Ask about pairs [begin, end) step by step; `*done` tells that no more are to be asked about. Returns in
// `*end` how far it came.
static imp_Status ask_in_steps(const Stage *stage, const Steps *steps, size_t begin, size_t *end, bool *done)
{
    impi_Budget *budget = stage->ask->budget;
    size_t stop = *end, step = steps->first;
    for (*end = begin; *end < stop && !*done; begin = *end) {
        *end = stop - begin < step ? stop : begin + step;
        imp_Status status = ask_all(stage, begin, *end);
        if (status == IMP_STATUS_OK && impi_budget_is_cancelled(budget))
            status = impi_fail_cancelled(stage->context);
        if (status != IMP_STATUS_OK)
            return status;
        step = 2 * step < MAX_STEP ? 2 * step : MAX_STEP;
        *done = impi_budget_is_over(budget) ||
                (steps->is_searching && is_found(stage->memory->work.data, begin, *end));
    }
    return IMP_STATUS_OK;
}

static uint64_t slots_of(const impi_PairWork *pair)
{
    return (uint64_t)pair->a->slot << 32 | pair->b->slot;
}

// The first pair that the last budget did not last for, so that each has its turn, whatever moves.
static size_t find_turn(const impi_ObjectStage *memory)
{
    size_t low = 0, high = memory->work.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (slots_of(&memory->work.data[middle]) < memory->turn)
            low = middle + 1;
        else
            high = middle;
    }
    return low < memory->work.count ? low : 0;
}

imp_Status impi_object_stage(imp_Context *context, impi_ObjectStage *memory, const impi_ObjectAsk *ask)
{
    Stage stage = {context, memory, ask};
    size_t count = memory->work.count, end = count;
    Steps steps = choose_steps(ask, count);
    size_t begin = steps.is_timed && !steps.is_searching && steps.first == 1 ? find_turn(memory) : 0;
    bool done = false;
    memory->faces.used = 0;
    if (!impi_array_reserve(&context->allocator, &memory->list, sizeof *memory->list.data, count))
        return impi_fail_out_of_memory(context);
    imp_Status status = ask_in_steps(&stage, &steps, begin, &end, &done);
    if (status == IMP_STATUS_OK && !done && begin > 0) {
        end = begin;
        status = ask_in_steps(&stage, &steps, 0, &end, &done);
    }
    if (status == IMP_STATUS_OK && steps.is_timed && !steps.is_searching)
        memory->turn = end < count ? slots_of(&memory->work.data[end]) : 0;
    return status;
}
