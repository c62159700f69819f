#include "playback/motion.h"

#include "base/status.h"

imp_Status impi_motion_place(imp_Context *context, const impi_Motion *motion, uint32_t frame, size_t body,
                             imp_Pose *pose, imp_Vec3 *vertices)
{
    impi_MotionBody placed = impi_motion_body(motion, body);
    imp_Status status = motion->place(motion, frame, body, pose, placed.deforms ? vertices : NULL);
    if (status == IMP_STATUS_OK)
        return status;
    if (status == IMP_STATUS_BAD_NUMBER)
        return impi_fail(context, status, body,
                         "frame %u: the transforms of body %zu (%s) make a number that is not finite", frame,
                         body, placed.name);
    return impi_fail(context, status, body, "frame %u: body %zu (%s): %s", frame, body, placed.name,
                     imp_status_name(status));
}

size_t impi_motion_most_vertices(const impi_Motion *motion)
{
    size_t most = 0;
    for (size_t i = 0; i < motion->body_count; ++i) {
        size_t count = imp_mesh_get_vertex_count(impi_motion_body(motion, i).mesh);
        most = count > most ? count : most;
    }
    return most;
}

size_t impi_motion_most_triangles(const impi_Motion *motion)
{
    size_t most = 0;
    for (size_t i = 0; i < motion->body_count; ++i) {
        size_t count = imp_mesh_get_triangle_count(impi_motion_body(motion, i).mesh);
        most = count > most ? count : most;
    }
    return most;
}
