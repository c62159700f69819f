#include "world/object_stage.h"

#include "base/memory.h"
#include "feature/face_pair.h"
#include "feature/time_of_impact.h"

#include <string.h>

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
    impi_estimates_free(allocator, &stage->estimates);
    for (size_t i = 0; i < stage->contacts.count; ++i)
        impi_contact_lists_free(allocator, &stage->contacts.data[i]);
    impi_array_free(allocator, &stage->contacts, sizeof *stage->contacts.data);
    impi_scratch_pool_destroy(&stage->scratch);
}

uint32_t impi_open_questions(uint32_t relations, uint32_t answered, const imp_DetectDef *def)
{
    bool touches = relations & IMP_RELATION_TOUCH;
    uint32_t asked = IMP_QUESTION_TOUCH;
    if (touches && def->mode != IMP_DETECT_BODIES)
        asked |= IMP_QUESTION_FACES;
    if (!touches && !def->ignore_containment)
        asked |= IMP_QUESTION_CONTAINMENT;
    return asked & ~answered;
}

// One detect's way through the stage.
typedef struct Stage {
    imp_Context *context;
    impi_ObjectStage *memory;
    const impi_ObjectAsk *ask;
    uint64_t max_faces;
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
    impi_FilterRun run = {
        .context = stage->context,
        .scratch = &memory->scratch,
        .budget = stage->ask->budget,
        .feature = impi_face_pairs_within,
        .moving_feature = {impi_moving_faces_touch, impi_moving_faces_first_time, impi_moving_faces_times},
        .margin = stage->ask->margin,
        .distance = stage->ask->distance ? *stage->ask->distance : (impi_DistanceAsk){0},
        .sweep = stage->ask->sweep ? *stage->ask->sweep : (impi_SweepAsk){0},
        .max_faces = stage->max_faces,
        .counts_all = stage->ask->def->count_all,
        .smith_level = stage->ask->def->smith_level,
        .order = stage->ask->def->order,
        .asks_containment = !stage->ask->def->ignore_containment,
        .pairs = memory->work.data,
        .list = memory->list.data,
        .count = memory->list.count,
        .bodies = stage->ask->bodies,
        .body_count = stage->ask->body_count,
        .faces = &memory->faces,
        .estimates = &memory->estimates};
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
// touch first, and only those that do for faces; for meshes one filter answers both, or only the first where
// nobody wants faces. The distance of meshes tells whether they touch; so does a sweep.
static uint32_t filter_for(const impi_ObjectAsk *ask, imp_Question question, const impi_PairWork *pair)
{
    impi_ShapeKind a = pair->a->shape->kind, b = pair->b->shape->kind;
    uint32_t touch = ask->choice.touch.filters[a][b], faces = ask->choice.faces.filters[a][b];
    uint32_t open = impi_open_questions(pair->relations, pair->answered, ask->def);
    bool is_touch_open = open & IMP_QUESTION_TOUCH;
    switch (question) {
    case IMP_QUESTION_TOUCH:
        return is_touch_open && touch != faces ? touch : IMPI_NO_FILTER;
    case IMP_QUESTION_FACES:
        return (is_touch_open && touch == faces) || (open == IMP_QUESTION_FACES && pair->wants_faces)
                   ? faces
                   : IMPI_NO_FILTER;
    case IMP_QUESTION_DISTANCE:
        return touch != faces && is_touch_open ? IMPI_NO_FILTER : ask->choice.distance.filters[a][b];
    case IMP_QUESTION_CONTAINMENT:
        return open == IMP_QUESTION_CONTAINMENT ? ask->choice.containment.filters[a][b] : IMPI_NO_FILTER;
    case IMP_QUESTION_SWEEP:
        if (touch != faces && is_touch_open)
            return IMPI_NO_FILTER;
        return (pair->sweep->is_exact ? ask->choice.sweep : ask->choice.advance).filters[a][b];
    case IMP_QUESTION_CONTACTS: // asked once all faces stand, see world/answer_contacts.c
        break;
    }
    return IMPI_NO_FILTER;
}

// Ask one question about all pairs, each of the filter that answers for it.
static imp_Status ask_question(const Stage *stage, imp_Question question)
{
    impi_PairWork *pairs = stage->memory->work.data;
    size_t pair_count = stage->memory->work.count, counts[IMPI_FILTER_COUNT] = {0};
    imp_Status status = IMP_STATUS_OK;
    for (size_t i = 0; i < pair_count; ++i) {
        pairs[i].filter = filter_for(stage->ask, question, &pairs[i]);
        if (pairs[i].filter != IMPI_NO_FILTER)
            ++counts[pairs[i].filter];
    }
    for (uint32_t filter = 0; filter < IMPI_FILTER_COUNT && status == IMP_STATUS_OK; ++filter) {
        if (counts[filter] == 0)
            continue;
        stage->memory->list.count = 0;
        for (size_t i = 0; i < pair_count; ++i)
            if (pairs[i].filter == filter)
                stage->memory->list.data[stage->memory->list.count++] = (uint32_t)i;
        status = run_filter(stage, filter);
    }
    return status;
}

imp_Status impi_object_stage(imp_Context *context, impi_ObjectStage *memory, const impi_ObjectAsk *ask,
                             uint64_t max_faces)
{
    Stage stage = {context, memory, ask, max_faces};
    if (!impi_array_reserve(&context->allocator, &memory->list, sizeof *memory->list.data,
                            memory->work.count))
        return impi_fail_out_of_memory(context);
    imp_Status status = ask_question(&stage, IMP_QUESTION_TOUCH);
    if (status == IMP_STATUS_OK)
        status = ask_question(&stage, ask->distance ? IMP_QUESTION_DISTANCE
                                      : ask->sweep  ? IMP_QUESTION_SWEEP
                                                    : IMP_QUESTION_FACES);
    if (status == IMP_STATUS_OK)
        status = ask_question(&stage, IMP_QUESTION_CONTAINMENT);
    return status;
}

static uint32_t refining_filter(const impi_ObjectAsk *ask, const impi_PairWork *pair)
{
    return ask->choice.budget.filters[pair->a->shape->kind][pair->b->shape->kind];
}

// Where another method is asked for by name, or the first pair alone, spheres have no part.
bool impi_object_stage_refines(const impi_ObjectAsk *ask, const impi_PairWork *pair)
{
    bool is_wanted = ask->def->method == IMP_METHOD_SPHERES ||
                     (ask->def->method == IMP_METHOD_AUTO && impi_budget_is_limited(ask->budget));
    return is_wanted && ask->def->mode != IMP_DETECT_FIRST && impi_sphere_refine_takes(pair) &&
           refining_filter(ask, pair) != IMPI_NO_FILTER;
}

imp_Status impi_object_stage_refine(imp_Context *context, impi_ObjectStage *memory, const impi_ObjectAsk *ask)
{
    Stage stage = {context, memory, ask, 0};
    if (!impi_array_reserve(&context->allocator, &memory->list, sizeof *memory->list.data,
                            memory->work.count))
        return impi_fail_out_of_memory(context);
    memory->list.count = memory->work.count;
    for (size_t i = 0; i < memory->work.count; ++i)
        memory->list.data[i] = (uint32_t)i;
    return memory->work.count > 0 ? run_filter(&stage, refining_filter(ask, &memory->work.data[0]))
                                  : IMP_STATUS_OK;
}
