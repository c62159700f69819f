// Distances of two bodies of a world: the object stage, asked about one pair.
#include "world/distance.h"

#include "world/world.h"

#include <float.h>
#include <math.h>

#define DEFAULT_ACCURACY 1e-6

double impi_choose_accuracy(double accuracy)
{
    return accuracy > 0 ? accuracy : DEFAULT_ACCURACY;
}

static imp_Status fail_range(imp_Context *context, const char *what, double value)
{
    return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "%s of %g is out of range", what, value);
}

imp_Status impi_check_accuracy(imp_Context *context, double accuracy)
{
    return accuracy >= 0 && accuracy < 1 ? IMP_STATUS_OK // 0 is the default
                                         : fail_range(context, "a relative accuracy", accuracy);
}

imp_Status impi_check_length(imp_Context *context, const char *what, double length)
{
    return length >= 0 && length <= DBL_MAX ? IMP_STATUS_OK : fail_range(context, what, length);
}

imp_Status impi_check_distance_def(imp_Context *context, const imp_DistanceDef *def)
{
    imp_Status status = impi_check_accuracy(context, def->relative_accuracy);
    if (status == IMP_STATUS_OK)
        status = impi_check_length(context, "a stop_below", def->stop_below);
    if (status == IMP_STATUS_OK)
        status = impi_check_length(context, "a stop_above", def->stop_above);
    return status == IMP_STATUS_OK ? IMPI_CHECK_RESERVED(context, def) : status;
}

static impi_DistanceHint *hint_place(imp_World *world, uint32_t slot_a, uint32_t slot_b)
{
    return &world->hints[(slot_a * 31u + slot_b) % IMPI_DISTANCE_HINTS];
}

static void read_hint(imp_World *world, const impi_PairWork *pair)
{
    const impi_DistanceHint *hint = hint_place(world, pair->a->slot, pair->b->slot);
    pair->distance->has_hint = hint->slot_a == pair->a->slot && hint->slot_b == pair->b->slot;
    pair->distance->hint = hint->hint;
}

static void write_hint(imp_World *world, const impi_PairWork *pair)
{
    if (pair->distance->has_hint)
        *hint_place(world, pair->a->slot, pair->b->slot) =
            (impi_DistanceHint){pair->a->slot, pair->b->slot, pair->distance->hint};
}

static imp_Status ask_stage(imp_World *world, impi_PairWork *pair, const imp_DistanceDef *def,
                            impi_Budget *budget)
{
    const imp_DetectDef detect = {.mode = IMP_DETECT_BODIES, .ignore_containment = def->ignore_containment};
    const impi_DistanceAsk distance = {.relative_accuracy = impi_choose_accuracy(def->relative_accuracy),
                                       .stop_below = def->stop_below,
                                       .stop_above =
                                           def->stop_above > 0 ? def->stop_above : (double)INFINITY};
    impi_ObjectAsk ask = {.def = &detect, .budget = budget, .distance = &distance};
    impi_ObjectStage *stage = &world->object;
    impi_filters_choose(IMP_METHOD_AUTO, &ask.choice);
    if (!impi_array_reserve(&world->context->allocator, &stage->work, sizeof *stage->work.data, 1))
        return impi_fail_out_of_memory(world->context);
    stage->work.count = 1;
    stage->work.data[0] = *pair;
    imp_Status status = impi_object_stage(world->context, stage, &ask, IMPI_ALL_FACES);
    *pair = stage->work.data[0];
    stage->work.count = 0;
    if (status == IMP_STATUS_OK && impi_budget_is_cancelled(budget))
        status = impi_fail_cancelled(world->context);
    return status;
}

static void mirror(imp_Distance *distance)
{
    imp_SurfacePoint point = distance->a;
    bool inside = distance->a_inside_b;
    distance->a = distance->b;
    distance->b = point;
    distance->a_inside_b = distance->b_inside_a;
    distance->b_inside_a = inside;
}

imp_Status impi_world_distance(imp_World *world, impi_Body *a, impi_Body *b, const imp_DistanceDef *def,
                               imp_Distance *result)
{
    imp_Context *context = world->context;
    bool is_swapped = a->slot > b->slot;
    imp_ConvexState state = {.witness_count = 0};
    impi_PairDistance distance = {.has_hint = false};
    impi_PairWork pair = {
        .a = is_swapped ? b : a, .b = is_swapped ? a : b, .state = &state, .distance = &distance};
    impi_Budget budget;
    imp_Status status = impi_check_distance_def(context, def);
    if (status == IMP_STATUS_OK && a == b)
        status = impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                           "the distance of a body from itself is asked for");
    if (status != IMP_STATUS_OK)
        return status;
    impi_budget_begin(&budget, 0, def->cancel);
    impi_arena_reset(&context->scratch);
    read_hint(world, &pair);
    status = impi_world_update_bounds(world, world->broad.margin, &budget);
    if (status == IMP_STATUS_OK)
        status = ask_stage(world, &pair, def, &budget);
    if (status != IMP_STATUS_OK)
        return status;
    write_hint(world, &pair);
    *result = distance.answer;
    result->a_inside_b = pair.relations & IMP_RELATION_A_INSIDE_B;
    result->b_inside_a = pair.relations & IMP_RELATION_B_INSIDE_A;
    if (is_swapped)
        mirror(result);
    return IMP_STATUS_OK;
}
