#include "playback/still_motion.h"

size_t impi_still_triangle_count(const impi_StillBody *body)
{
    return body->mesh ? imp_mesh_get_triangle_count(body->mesh) : body->far_mesh.triangle_count;
}

imp_Box impi_still_bounds(const impi_StillBody *body)
{
    return body->mesh ? imp_mesh_get_bounds(body->mesh) : body->far_mesh.bounds;
}

static impi_MotionBody get_body(const void *source, size_t index)
{
    const impi_StillBody *body = (const impi_StillBody *)source + index;
    return (impi_MotionBody){.name = body->name,
                             .mesh = body->mesh,
                             .triangle_count = impi_still_triangle_count(body),
                             .convex = body->convex};
}

static imp_Status place(const impi_Motion *motion, uint32_t frame, size_t body, imp_Pose *pose,
                        imp_Vec3 *vertices)
{
    (void)frame;
    (void)vertices;
    *pose = ((const impi_StillBody *)motion->source)[body].pose;
    return IMP_STATUS_OK;
}

impi_Motion impi_still_motion(const impi_StillBody *bodies, size_t count)
{
    return (impi_Motion){.body_count = count,
                         .frame_count = 1,
                         .frame_rate = 1,
                         .is_still = true,
                         .source = bodies,
                         .body = get_body,
                         .place = place};
}
