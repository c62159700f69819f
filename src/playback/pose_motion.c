#include "playback/pose_motion.h"

#include "base/status.h"
#include "playback/scene_motion.h"

#include <math.h>

static impi_MotionBody get_body(const void *source, size_t index)
{
    const impi_PosedBodies *posed = source;
    impi_Motion still = impi_still_motion(posed->bodies, posed->count);
    return impi_motion_body(&still, index);
}

static imp_Status place(const impi_Motion *motion, uint32_t frame, size_t body, imp_Pose *pose,
                        imp_Vec3 *vertices)
{
    const impi_PosedBodies *posed = motion->source;
    const imp_Pose *found = impi_pose_table_find(posed->table, frame, body);
    (void)vertices;
    *pose = found ? *found : posed->bodies[body].pose;
    return IMP_STATUS_OK;
}

// One over the mean step of times, where that is a number to count with.
static double rate_of(const impi_PoseTable *table)
{
    size_t steps = table->configuration_count - 1;
    if (!table->times || steps == 0)
        return 1;
    double rate = (double)steps / (table->times[steps] - table->times[0]);
    return isfinite(rate) && rate > 0 ? rate : 1;
}

imp_Status impi_pose_motion(imp_Context *context, const impi_PosedBodies *posed, impi_Motion *motion)
{
    size_t count = posed->table->configuration_count;
    if (count > IMPI_MAX_FRAMES)
        return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE,
                         "%zu configurations are more than %d frames", count, IMPI_MAX_FRAMES);
    *motion = (impi_Motion){.body_count = posed->count,
                            .frame_count = (uint32_t)count,
                            .frame_rate = rate_of(posed->table),
                            .source = posed,
                            .body = get_body,
                            .place = place};
    return IMP_STATUS_OK;
}
