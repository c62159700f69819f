#include "io/node_motion.h"

#include "geom/vector.h"

#include <math.h>

#define SAME_SCALE 1e-6

static imp_Vec3 column(const imp_Transform *map, int index)
{
    return (imp_Vec3){map->rows[0][index], map->rows[1][index], map->rows[2][index]};
}

// The quaternion of the rotation with these columns (Shepperd: divide by the largest of the four numbers).
static imp_Quat quaternion(const imp_Vec3 c[3])
{
    double m[3][3] = {{c[0].x, c[1].x, c[2].x}, {c[0].y, c[1].y, c[2].y}, {c[0].z, c[1].z, c[2].z}};
    double squares[4] = {1 + m[0][0] + m[1][1] + m[2][2], 1 + m[0][0] - m[1][1] - m[2][2],
                         1 - m[0][0] + m[1][1] - m[2][2], 1 - m[0][0] - m[1][1] + m[2][2]};
    int largest = 0;
    for (int i = 1; i < 4; ++i)
        if (squares[i] > squares[largest])
            largest = i;
    double twice = sqrt(squares[largest]), f = 0.5 / twice;
    double wx = f * (m[2][1] - m[1][2]), wy = f * (m[0][2] - m[2][0]), wz = f * (m[1][0] - m[0][1]);
    double xy = f * (m[0][1] + m[1][0]), xz = f * (m[0][2] + m[2][0]), yz = f * (m[1][2] + m[2][1]);
    switch (largest) {
    case 0:
        return (imp_Quat){twice / 2, wx, wy, wz};
    case 1:
        return (imp_Quat){wx, twice / 2, xy, xz};
    case 2:
        return (imp_Quat){wy, xy, twice / 2, yz};
    default:
        return (imp_Quat){wz, xz, yz, twice / 2};
    }
}

// What of the unit vector `v` is perpendicular to the unit vector `axis`, with unit length; any such vector
// when that is next to nothing.
static imp_Vec3 perpendicular(imp_Vec3 v, imp_Vec3 axis)
{
    imp_Vec3 rest = impi_add_scaled(v, -impi_dot(v, axis), axis);
    if (!(impi_length(rest) > 1e-12)) {
        imp_Vec3 other = fabs(axis.x) < 0.5 ? (imp_Vec3){1, 0, 0} : (imp_Vec3){0, 1, 0};
        rest = impi_cross(axis, other);
    }
    return impi_unit(rest);
}

void impi_node_set_matrix(impi_SceneNode *node, const imp_Transform *matrix)
{
    // What is multiplied below is of ordinary size, so that sums of large numbers stay finite.
    int exponent = impi_affine_exponent(matrix);
    imp_Transform linear = impi_affine_scale(matrix, -exponent);
    imp_Vec3 axes[3] = {impi_unit(column(matrix, 0)), impi_unit(column(matrix, 1))};
    if (!(impi_longest(axes[0]) > 0))
        axes[0] = (imp_Vec3){1, 0, 0};
    axes[1] = perpendicular(axes[1], axes[0]);
    axes[2] = impi_cross(axes[0], axes[1]);
    node->translation = matrix->translation;
    node->rotation = quaternion(axes);
    // By the rotation as it will be applied, so that the product is the matrix again.
    imp_Transform rotation = impi_affine_identity, inverse = impi_affine_identity;
    impi_pose_transform(&(imp_Pose){{0, 0, 0}, node->rotation}, &rotation);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            inverse.rows[i][j] = rotation.rows[j][i];
    imp_Transform stretch = impi_affine_multiply(&inverse, &linear);
    node->stretch = impi_affine_scale(&stretch, exponent);
}

static imp_Transform diagonal(double x, double y, double z)
{
    return (imp_Transform){{{x, 0, 0}, {0, y, 0}, {0, 0, z}}, {0, 0, 0}};
}

void impi_node_set_scale(impi_SceneNode *node, imp_Vec3 scale)
{
    node->stretch = diagonal(scale.x, scale.y, scale.z);
}

impi_NodePlacement impi_node_place(const impi_SceneNode *node, double seconds)
{
    impi_NodePlacement placement = {node->translation, node->rotation, node->stretch};
    double v[4];
    if (node->tracks[IMPI_PATH_TRANSLATION]) {
        impi_track_sample(node->tracks[IMPI_PATH_TRANSLATION], seconds, v);
        placement.translation = (imp_Vec3){v[0], v[1], v[2]};
    }
    if (node->tracks[IMPI_PATH_ROTATION]) {
        impi_track_sample(node->tracks[IMPI_PATH_ROTATION], seconds, v);
        placement.rotation = (imp_Quat){v[3], v[0], v[1], v[2]};
    }
    if (node->tracks[IMPI_PATH_SCALE]) {
        impi_track_sample(node->tracks[IMPI_PATH_SCALE], seconds, v);
        placement.stretch = diagonal(v[0], v[1], v[2]);
    }
    return placement;
}

void impi_node_settle(impi_SceneNode *node)
{
    impi_NodePlacement start = impi_node_place(node, 0);
    impi_Track **tracks = node->tracks;
    if (tracks[IMPI_PATH_TRANSLATION] && impi_track_is_constant(tracks[IMPI_PATH_TRANSLATION], 0)) {
        node->translation = start.translation;
        tracks[IMPI_PATH_TRANSLATION] = NULL;
    }
    if (tracks[IMPI_PATH_ROTATION] && impi_track_is_constant(tracks[IMPI_PATH_ROTATION], 0)) {
        node->rotation = start.rotation;
        tracks[IMPI_PATH_ROTATION] = NULL;
    }
    if (tracks[IMPI_PATH_SCALE] && impi_track_is_constant(tracks[IMPI_PATH_SCALE], SAME_SCALE)) {
        node->stretch = start.stretch;
        tracks[IMPI_PATH_SCALE] = NULL;
    }
}

imp_Transform impi_node_world_from_local(const impi_SceneNode *nodes, uint32_t node, double seconds)
{
    imp_Transform world = impi_affine_identity;
    for (; node != IMPI_NO_NODE; node = nodes[node].parent) {
        impi_NodePlacement placement = impi_node_place(&nodes[node], seconds);
        imp_Transform turn = impi_affine_identity;
        impi_pose_transform(&(imp_Pose){placement.translation, placement.rotation}, &turn);
        imp_Transform local = impi_affine_multiply(&turn, &placement.stretch);
        world = impi_affine_multiply(&local, &world);
    }
    return world;
}

bool impi_node_moves(const impi_SceneNode *nodes, uint32_t node)
{
    for (; node != IMPI_NO_NODE; node = nodes[node].parent)
        for (int path = 0; path < IMPI_PATH_WEIGHTS; ++path)
            if (nodes[node].tracks[path])
                return true;
    return false;
}
