// Filter "mesh-distance": how far apart are two meshes? They are surfaces, so that touching is being 0 apart.
#include "object/surface_distance.h"

static void note_measured(const impi_FilterRun *run, impi_PairWork *pair, const imp_Distance *found)
{
    imp_Distance *answer = &pair->distance->answer;
    *answer = *found;
    answer->touch = found->distance == 0;
    answer->reached_accuracy =
        answer->distance - answer->lower_bound <= run->distance.relative_accuracy * answer->distance;
    pair->relations |= answer->touch ? IMP_RELATION_TOUCH : 0u;
    pair->answered |= IMP_QUESTION_DISTANCE | IMP_QUESTION_TOUCH;
}

static imp_Status measure_pair(const impi_FilterRun *run, impi_Arena *arena, impi_PairWork *pair)
{
    impi_SurfaceDistance found;
    imp_Status status = impi_surface_distance(run, arena, pair, run->distance.stop_above, &found);
    if (status != IMP_STATUS_OK)
        return status;
    switch (found.verdict) {
    case IMPI_SURFACES_MEASURED:
    case IMPI_SURFACES_TOUCH:
        note_measured(run, pair, &found.distance);
        break;
    case IMPI_SURFACES_NEAR:
        impi_answer_near(pair, run->distance.stop_below);
        break;
    case IMPI_SURFACES_FAR:
        impi_answer_far(pair, run->distance.stop_above);
        break;
    case IMPI_SURFACES_CUT_SHORT:
        break;
    }
    return IMP_STATUS_OK;
}

static imp_Status run_pairs(impi_FilterRun *run)
{
    return impi_surface_distances_run(run, measure_pair);
}

const impi_Filter impi_mesh_distance_filter = {
    .name = "mesh-distance",
    .takes_distance = {IMPI_KIND_BIT(IMPI_SHAPE_MESH), IMPI_KIND_BIT(IMPI_SHAPE_MESH)},
    .scratch_size = impi_surface_distances_memory,
    .run = run_pairs};
