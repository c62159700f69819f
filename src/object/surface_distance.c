#include "object/surface_distance.h"

#include <math.h>

// What a search needs of the bodies is made before tasks ask for it.
static imp_Status prepare(const impi_FilterRun *run)
{
    imp_Status status = IMP_STATUS_OK;
    for (size_t i = 0; i < run->count && status == IMP_STATUS_OK; ++i) {
        const impi_PairWork *pair = impi_run_pair(run, i);
        const impi_OrientedLanes *boxes;
        status = impi_mesh_oriented_boxes(run->context, impi_body_surface(pair->a), &boxes);
        if (status == IMP_STATUS_OK)
            status = impi_mesh_oriented_boxes(run->context, impi_body_surface(pair->b), &boxes);
    }
    return status;
}

imp_Status impi_surface_distances_run(const impi_FilterRun *run, impi_PairFn measure)
{
    imp_Status status = prepare(run);
    return status == IMP_STATUS_OK ? impi_pair_tasks_run(run, 1, measure) : status;
}

// Threads are for pairs; a single one may have them all.
static const imp_Executor *executor_of(const impi_FilterRun *run)
{
    return run->count == 1 ? &run->context->executor : NULL;
}

size_t impi_surface_distances_memory(const impi_FilterRun *run)
{
    size_t most = 0;
    for (size_t i = 0; i < run->count; ++i) {
        const impi_PairWork *pair = impi_run_pair(run, i);
        size_t size = impi_mesh_distance_memory(pair->a, pair->b, executor_of(run));
        most = size > most ? size : most;
    }
    return most;
}

imp_Status impi_surface_distance(const impi_FilterRun *run, impi_Arena *arena, impi_PairWork *pair,
                                 double stop_above, impi_SurfaceDistance *result)
{
    impi_PairDistance *distance = pair->distance;
    impi_SurfacePair surfaces = {.a = pair->a, .b = pair->b};
    impi_SurfaceAsk ask = {.stop_below = run->distance.stop_below,
                           .stop_above = stop_above,
                           .hint = distance->has_hint ? &distance->hint : NULL,
                           .budget = run->budget};
    imp_Status status = impi_mesh_oriented_boxes(run->context, impi_body_surface(pair->a), &surfaces.boxes_a);
    if (status == IMP_STATUS_OK)
        status = impi_mesh_oriented_boxes(run->context, impi_body_surface(pair->b), &surfaces.boxes_b);
    if (status == IMP_STATUS_OK)
        status = impi_mesh_distance(arena, executor_of(run), &surfaces, &ask, result);
    if (status == IMP_STATUS_OK &&
        (result->verdict == IMPI_SURFACES_MEASURED || result->verdict == IMPI_SURFACES_TOUCH)) {
        distance->has_hint = true;
        distance->hint = result->hint;
    }
    return status;
}

static const imp_SurfacePoint no_point = {.face = IMP_NO_FACE};

void impi_answer_near(impi_PairWork *pair, double stop_below)
{
    pair->distance->answer =
        (imp_Distance){.has_stopped = true, .distance = stop_below, .a = no_point, .b = no_point};
    pair->answered |= IMP_QUESTION_DISTANCE;
}

void impi_answer_far(impi_PairWork *pair, double stop_above)
{
    pair->distance->answer = (imp_Distance){
        .has_stopped = true, .distance = INFINITY, .lower_bound = stop_above, .a = no_point, .b = no_point};
    pair->answered |= IMP_QUESTION_DISTANCE | IMP_QUESTION_TOUCH;
}
