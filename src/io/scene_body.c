// How bodies move and change their shape.

#include "geom/quaternion.h"
#include "io/scene.h"

#include <math.h>

// Factors that differ by less, relative to their size, are the same: files hold single precision.
#define SAME_SCALE 1e-6

static imp_Transform rotation_map(imp_Quat rotation)
{
    imp_Transform map = impi_affine_identity;
    impi_pose_transform(&(imp_Pose){{0, 0, 0}, rotation}, &map);
    return map;
}

// frame * rotation * inverse frame: the axis is taken along, and a reflection turns the other way round.
static imp_Quat conjugate(const impi_PathStep *step, imp_Quat rotation)
{
    imp_Vec3 axis = impi_affine_turn(&step->frame, (imp_Vec3){rotation.x, rotation.y, rotation.z});
    double sign = step->frame_sign;
    return (imp_Quat){rotation.w, sign * axis.x, sign * axis.y, sign * axis.z};
}

// The pose, and the stretch that comes before it.
static imp_Transform walk_path(const imp_Scene *scene, const impi_SceneBody *body, double seconds,
                               imp_Pose *pose)
{
    imp_Transform stretch = impi_affine_identity;
    *pose = (imp_Pose){{0, 0, 0}, {1, 0, 0, 0}};
    for (size_t i = 0; i < body->path_length; ++i) {
        const impi_PathStep *step = &body->path[i];
        impi_NodePlacement placement = impi_node_place(&scene->nodes[step->node], seconds);
        imp_Transform turn = rotation_map(pose->rotation);
        turn.translation = pose->translation;
        pose->translation = impi_transform_apply(&turn, impi_affine_turn(&stretch, placement.translation));
        if (step->turns_pose) {
            pose->rotation =
                impi_quat_normalise(impi_quat_multiply(pose->rotation, conjugate(step, placement.rotation)));
        } else {
            imp_Transform rotation = rotation_map(placement.rotation);
            stretch = impi_affine_multiply(&stretch, &rotation);
        }
        stretch = impi_affine_multiply(&stretch, &placement.stretch);
    }
    return stretch;
}

static void sample_target_weights(const imp_Scene *scene, const impi_SceneBody *body, double seconds,
                                  double weights[IMPI_MAX_MORPH_TARGETS])
{
    const impi_Track *track = scene->nodes[body->node].tracks[IMPI_PATH_WEIGHTS];
    if (track && track->width == body->shape.target_count)
        impi_track_sample(track, seconds, weights);
    else
        for (uint32_t i = 0; i < body->shape.target_count; ++i)
            weights[i] = body->shape.target_weights[i];
}

static imp_Vec3 displaced(const impi_BodyShape *shape, size_t vertex, const double *weights)
{
    imp_Vec3 point = shape->vertices[vertex];
    for (uint32_t i = 0; i < shape->target_count; ++i) {
        if (weights[i] == 0 || !shape->displacements[i])
            continue;
        imp_Vec3 displacement = shape->displacements[i][vertex];
        point.x += weights[i] * displacement.x;
        point.y += weights[i] * displacement.y;
        point.z += weights[i] * displacement.z;
    }
    return point;
}

static void follow_joints(const imp_Scene *scene, const impi_BodyShape *shape, double seconds,
                          const double *target_weights, imp_Vec3 *vertices)
{
    for (size_t i = 0; i < shape->vertex_count; ++i)
        vertices[i] = (imp_Vec3){0, 0, 0};
    for (size_t j = 0; j < shape->joint_count; ++j) {
        const impi_SceneJoint *joint = &shape->joints[j];
        imp_Transform map = impi_node_world_from_local(scene->nodes, joint->node, seconds);
        map = impi_affine_multiply(&map, &joint->inverse_bind);
        for (size_t i = 0; i < joint->vertex_count; ++i) {
            imp_Vec3 *vertex = &vertices[joint->vertices[i]];
            imp_Vec3 point = displaced(shape, joint->vertices[i], target_weights);
            point = impi_transform_apply(&map, point);
            vertex->x += joint->weights[i] * point.x;
            vertex->y += joint->weights[i] * point.y;
            vertex->z += joint->weights[i] * point.z;
        }
    }
}

void impi_scene_body_sample(const imp_Scene *scene, const impi_SceneBody *body, double seconds,
                            imp_Pose *pose, imp_Vec3 *vertices)
{
    const impi_BodyShape *shape = &body->shape;
    double weights[IMPI_MAX_MORPH_TARGETS];
    imp_Transform stretch = impi_affine_identity;
    if (shape->joint_count > 0)
        *pose = (imp_Pose){{0, 0, 0}, {1, 0, 0, 0}};
    else
        stretch = walk_path(scene, body, seconds, pose);
    pose->translation = impi_convert_point(&scene->conversion, pose->translation);
    if (!vertices)
        return;
    sample_target_weights(scene, body, seconds, weights);
    if (shape->joint_count > 0)
        follow_joints(scene, shape, seconds, weights, vertices);
    else
        for (size_t i = 0; i < shape->vertex_count; ++i)
            vertices[i] = impi_transform_apply(&stretch, displaced(shape, i, weights));
    for (size_t i = 0; impi_converts(&scene->conversion) && i < shape->vertex_count; ++i)
        vertices[i] = impi_convert_point(&scene->conversion, vertices[i]);
}

imp_Transform impi_scene_body_stretch(const imp_Scene *scene, const impi_SceneBody *body)
{
    imp_Pose pose;
    return walk_path(scene, body, 0, &pose);
}

bool impi_scene_body_is_mirrored(const imp_Scene *scene, const impi_SceneBody *body)
{
    if (body->shape.joint_count > 0)
        return false;
    imp_Transform stretch = impi_scene_body_stretch(scene, body);
    return impi_affine_is_mirrored(&stretch);
}

// Is a stretch the same in all directions? Then `frame` becomes what it is without its factor.
static bool is_uniform(const imp_Transform *stretch, imp_Transform *frame)
{
    // However large or small it is, its determinant is not: its factor is of no interest here.
    const imp_Transform scaled = impi_affine_scale(stretch, -impi_affine_exponent(stretch));
    double size = cbrt(fabs(impi_affine_determinant(&scaled)));
    if (!(size > 0) || !isfinite(size))
        return false;
    const double(*m)[3] = scaled.rows;
    // A plain scale keeps its axes exactly.
    if (fabs(m[0][0]) == fabs(m[1][1]) && fabs(m[0][0]) == fabs(m[2][2]))
        size = fabs(m[0][0]);
    *frame = impi_affine_identity;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            frame->rows[i][j] = m[i][j] / size;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            double product = frame->rows[0][i] * frame->rows[0][j] + frame->rows[1][i] * frame->rows[1][j] +
                             frame->rows[2][i] * frame->rows[2][j];
            if (!(fabs(product - (i == j ? 1 : 0)) <= SAME_SCALE))
                return false;
        }
    return true;
}

static bool keys_are_uniform(const impi_Track *scale)
{
    for (size_t i = 0; i < scale->key_count; ++i) {
        const double *v = scale->values + 3 * i;
        if (!(fabs(v[1] - v[0]) <= SAME_SCALE * fabs(v[0]) && fabs(v[2] - v[0]) <= SAME_SCALE * fabs(v[0])))
            return false;
    }
    for (size_t i = 0; scale->tangents && i < 2 * scale->key_count; ++i) {
        const double *v = scale->tangents + 3 * i;
        if (v[1] != v[0] || v[2] != v[0])
            return false;
    }
    return true;
}

static bool allocate_path(imp_Scene *scene, impi_SceneBody *body)
{
    for (uint32_t n = body->node; n != IMPI_NO_NODE; n = scene->nodes[n].parent)
        ++body->path_length;
    body->path = impi_arena_allocate_array(&scene->arena, body->path_length, sizeof *body->path);
    if (!body->path)
        return false;
    size_t at = body->path_length;
    for (uint32_t n = body->node; n != IMPI_NO_NODE; n = scene->nodes[n].parent)
        body->path[--at] = (impi_PathStep){.node = n};
    return true;
}

// Returns whether the stretch at the end of the path changes in time.
static bool plan_path(const imp_Scene *scene, impi_SceneBody *body)
{
    bool is_uniform_so_far = true, stretch_changes = false;
    imp_Transform frame = impi_affine_identity;
    for (size_t i = 0; i < body->path_length; ++i) {
        impi_PathStep *step = &body->path[i];
        const impi_SceneNode *node = &scene->nodes[step->node];
        const impi_Track *scale = node->tracks[IMPI_PATH_SCALE];
        imp_Transform node_frame = impi_affine_identity;
        step->turns_pose = is_uniform_so_far;
        step->frame = frame;
        step->frame_sign = impi_affine_is_mirrored(&frame) ? -1 : 1;
        stretch_changes = stretch_changes || scale || (!step->turns_pose && node->tracks[IMPI_PATH_ROTATION]);
        is_uniform_so_far =
            is_uniform_so_far && (scale ? keys_are_uniform(scale) : is_uniform(&node->stretch, &node_frame));
        frame = impi_affine_multiply(&frame, &node_frame);
    }
    return stretch_changes;
}

bool impi_scene_body_plan(imp_Scene *scene, impi_SceneBody *body)
{
    if (!allocate_path(scene, body))
        return false;
    bool stretch_changes = plan_path(scene, body);
    const impi_Track *weights = scene->nodes[body->node].tracks[IMPI_PATH_WEIGHTS];
    body->deforms = weights && body->shape.target_count > 0 && !impi_track_is_constant(weights, 0);
    if (body->shape.joint_count == 0)
        body->deforms = body->deforms || stretch_changes;
    for (size_t i = 0; i < body->shape.joint_count; ++i)
        body->deforms = body->deforms || impi_node_moves(scene->nodes, body->shape.joints[i].node);
    return true;
}
