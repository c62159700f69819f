#include "sweep_drawing.h"

#include "kit/drawing.h"

#include <math.h>
#include <stdlib.h>

// Does each vertex go straight? Otherwise the world knows the way of the body.
static bool goes_straight(const SweepScene *scene, size_t body)
{
    const imp_Quat *from = &scene->bodies.bodies[body].pose.rotation;
    const imp_Quat *to = &scene->targets.targets[body].pose.rotation;
    imp_PathKind path = scene->targets.paths[body].path;
    bool same = from->w == to->w && from->x == to->x && from->y == to->y && from->z == to->z;
    return path == IMP_PATH_STRAIGHT ||
           (path == IMP_PATH_AUTO && (same || scene->targets.targets[body].shape != NULL));
}

static double between(double from, double to, double time)
{
    return (1 - time) * from + time * to; // finite, however far apart they are
}

// Vertices where they are at a time, for looking only: rounded, each on its way.
static imp_Status place_vertices(const SweepScene *scene, size_t body, double time, imp_Vec3 *vertices)
{
    const impi_StillBody *still = &scene->bodies.bodies[body];
    const SweepTarget *target = &scene->targets.targets[body];
    const imp_Vec3 *from = imp_mesh_get_vertices(still->mesh);
    const imp_Vec3 *to = target->shape ? imp_mesh_get_vertices(target->shape) : from;
    imp_Transform begin, end;
    imp_Status status = imp_pose_transform(&still->pose, &begin);
    if (status == IMP_STATUS_OK)
        status = imp_pose_transform(&target->pose, &end);
    for (size_t i = 0; status == IMP_STATUS_OK && i < imp_mesh_get_vertex_count(still->mesh); ++i) {
        imp_Vec3 a = imp_transform_apply(&begin, from[i]), b = imp_transform_apply(&end, to[i]);
        vertices[i] = (imp_Vec3){between(a.x, b.x, time), between(a.y, b.y, time), between(a.z, b.z, time)};
    }
    return status;
}

static imp_Status add_body(SweepScene *scene, size_t body, double time, imp_Vec3 *vertices,
                           impi_Drawing *drawing)
{
    const imp_Mesh *mesh = scene->bodies.bodies[body].mesh;
    imp_Pose pose = {.translation = {0, 0, 0}};
    bool is_straight = goes_straight(scene, body);
    imp_Status status = is_straight ? place_vertices(scene, body, time, vertices)
                                    : impi_playback_pose_at(scene->bodies.playback, time, body, &pose);
    if (status == IMP_STATUS_OK)
        impi_drawing_add(drawing, mesh, is_straight ? vertices : NULL, &pose);
    return status;
}

static void mark_faces(const imp_SweepReport *report, impi_Drawing *drawing)
{
    for (size_t i = 0; i < report->face_pair_count; ++i) {
        const imp_SweptFaces *faces = &report->face_pairs[i];
        if (faces->time > report->first_time)
            continue;
        impi_drawing_mark(drawing, faces->body_a.slot - 1, faces->face_a);
        impi_drawing_mark(drawing, faces->body_b.slot - 1, faces->face_b);
    }
}

CommandResult sweep_draw(SweepScene *scene, const char *path)
{
    imp_Context *context = scene->bodies.context;
    const impi_Motion motion = sweep_targets_motion(&scene->targets);
    double time = isnan(scene->report->first_time) ? 1 : scene->report->first_time;
    imp_Vec3 *vertices = calloc(impi_motion_most_vertices(&motion) + 1, sizeof *vertices);
    impi_DrawingRoom room = {0};
    impi_Drawing drawing;
    imp_Status status = IMP_STATUS_OK;
    for (size_t i = 0; i < motion.body_count; ++i)
        impi_drawing_room_add(&room, scene->bodies.bodies[i].mesh);
    bool has_room = impi_drawing_create(&drawing, &room) && vertices;
    drawing.picture.title = "first contact";
    for (size_t i = 0; has_room && i < motion.body_count && status == IMP_STATUS_OK; ++i)
        status = add_body(scene, i, time, vertices, &drawing);
    if (has_room && status == IMP_STATUS_OK) {
        mark_faces(scene->report, &drawing);
        status = impi_picture_save(context, &drawing.picture, path);
    }
    impi_drawing_free(&drawing);
    free(vertices);
    if (!has_room)
        return command_fail("out of memory");
    return status == IMP_STATUS_OK ? COMMAND_DONE : command_fail_in(context);
}
