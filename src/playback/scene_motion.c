#include "playback/scene_motion.h"

#include "base/status.h"

#include <assert.h>
#include <math.h>

// How far below a frame's time the last key may lie to count as that frame: files hold times in single
// precision.
#define LAST_KEY_TOLERANCE 1e-4

static impi_MotionBody get_body(const void *source, size_t index)
{
    imp_SceneBody body = {0};
    imp_Status status = imp_scene_get_body(source, index, &body);
    assert(status == IMP_STATUS_OK); // the motion has as many bodies as the scene
    (void)status;
    return (impi_MotionBody){.name = body.name,
                             .mesh = body.mesh,
                             .triangle_count = imp_mesh_get_triangle_count(body.mesh),
                             .deforms = body.deforms};
}

static imp_Status place(const impi_Motion *motion, uint32_t frame, size_t body, imp_Pose *pose,
                        imp_Vec3 *vertices)
{
    return imp_scene_sample(motion->source, body, frame / motion->frame_rate, pose, vertices);
}

imp_Status impi_scene_motion(imp_Context *context, const imp_Scene *scene, double frame_rate,
                             uint32_t frame_limit, impi_Motion *motion)
{
    if (!scene || !(frame_rate > 0) || !isfinite(frame_rate))
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "a scene and a frame rate above 0 are expected, got a rate of %.9g", frame_rate);
    double duration = imp_scene_get_duration(scene);
    double count = fmin(floor(duration * frame_rate + LAST_KEY_TOLERANCE) + 1, frame_limit);
    if (!(count <= IMPI_MAX_FRAMES))
        return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE,
                         "%.9g seconds at %.9g frames a second are more than %d frames", duration, frame_rate,
                         IMPI_MAX_FRAMES);
    *motion = (impi_Motion){.body_count = imp_scene_get_body_count(scene),
                            .frame_count = (uint32_t)count,
                            .frame_rate = frame_rate,
                            .source = scene,
                            .body = get_body,
                            .place = place};
    return IMP_STATUS_OK;
}
