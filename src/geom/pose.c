#include "geom/pose.h"

#include "geom/predicates.h"
#include "geom/quaternion.h"

#include <math.h>

#define MAX_NORM_ERROR 1e-6

// Two numbers side by side, of two poses, in one register: pairs of bodies are posed all the time.
typedef double Two __attribute__((vector_size(16)));

typedef struct TwoRotations {
    Two w, x, y, z;
} TwoRotations;

static bool is_zero(const TwoRotations *q, int i)
{
    return q->w[i] == 0 && q->x[i] == 0 && q->y[i] == 0 && q->z[i] == 0;
}

// False when a rotation is not of unit length.
static bool divide_by_norms(TwoRotations *q, Two squares)
{
    for (int i = 0; i < 2; ++i)
        if (is_zero(q, i)) {
            q->w[i] = squares[i] = 1;
            q->x[i] = q->y[i] = q->z[i] = 0; // not -0
        }
    Two norms = {sqrt(squares[0]), sqrt(squares[1])};
    if (!(fabs(norms[0] - 1) <= MAX_NORM_ERROR && fabs(norms[1] - 1) <= MAX_NORM_ERROR))
        return false;
    q->w /= norms;
    q->x /= norms;
    q->y /= norms;
    q->z /= norms;
    return true;
}

// 1 and the number after it have the root 1; most rotations that were normalised have one of these squares,
// so that there is nothing to divide by.
static bool has_root_1(double square)
{
    return square >= 1 && square <= 1 + 0x1p-52;
}

typedef struct TwoMatrices {
    Two rows[3][3];
} TwoMatrices;

static inline TwoMatrices matrices_of(TwoRotations q)
{
    Two xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    Two wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (TwoMatrices){{
        {1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
        {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
        {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)},
    }};
}

static inline imp_Transform transform_of(const TwoMatrices *matrices, int i, imp_Vec3 translation)
{
    const Two(*rows)[3] = matrices->rows;
    return (imp_Transform){
        {
            {rows[0][0][i], rows[0][1][i], rows[0][2][i]},
            {rows[1][0][i], rows[1][1][i], rows[1][2][i]},
            {rows[2][0][i], rows[2][1][i], rows[2][2][i]},
        },
        translation,
    };
}

bool impi_pose_pair_transform(const imp_Pose *a, const imp_Pose *b, imp_Transform *transform_a,
                              imp_Transform *transform_b)
{
    TwoRotations q = {{a->rotation.w, b->rotation.w},
                      {a->rotation.x, b->rotation.x},
                      {a->rotation.y, b->rotation.y},
                      {a->rotation.z, b->rotation.z}};
    Two squares = ((q.w * q.w + q.x * q.x) + q.y * q.y) + q.z * q.z;
    if (!(has_root_1(squares[0]) && has_root_1(squares[1])) && !divide_by_norms(&q, squares))
        return false;
    TwoMatrices matrices = matrices_of(q);
    *transform_a = transform_of(&matrices, 0, a->translation);
    *transform_b = transform_of(&matrices, 1, b->translation);
    return true;
}

imp_Status impi_pose_transform(const imp_Pose *pose, imp_Transform *transform)
{
    imp_Transform same;
    bool is_good =
        impi_vec3_is_finite(&pose->translation) && impi_pose_pair_transform(pose, pose, transform, &same);
    return is_good ? IMP_STATUS_OK : IMP_STATUS_BAD_NUMBER;
}

static imp_Quat rotation_of(const imp_Pose *pose)
{
    const imp_Quat *q = &pose->rotation;
    bool is_none = q->w == 0 && q->x == 0 && q->y == 0 && q->z == 0;
    return is_none ? (imp_Quat){1, 0, 0, 0} : *q;
}

imp_Status impi_pose_compose(const imp_Pose *outer, const imp_Pose *inner, imp_Pose *result)
{
    imp_Transform transform, checked;
    if (impi_pose_transform(outer, &transform) != IMP_STATUS_OK ||
        impi_pose_transform(inner, &checked) != IMP_STATUS_OK)
        return IMP_STATUS_BAD_NUMBER;
    imp_Vec3 translation = impi_pose_vertex(&transform, &inner->translation);
    if (!impi_vec3_is_finite(&translation))
        return IMP_STATUS_BAD_NUMBER;
    *result = (imp_Pose){translation,
                         impi_quat_normalise(impi_quat_multiply(rotation_of(outer), rotation_of(inner)))};
    return IMP_STATUS_OK;
}

// Zeros are taken from zero, which leaves no -0.
imp_Status impi_pose_inverse(const imp_Pose *pose, imp_Pose *inverse)
{
    imp_Quat q = rotation_of(pose);
    imp_Pose turned = {.rotation = {q.w, 0 - q.x, 0 - q.y, 0 - q.z}};
    imp_Transform transform;
    if (!impi_vec3_is_finite(&pose->translation) || impi_pose_transform(&turned, &transform) != IMP_STATUS_OK)
        return IMP_STATUS_BAD_NUMBER;
    imp_Vec3 moved = impi_pose_vertex(&transform, &pose->translation);
    if (!impi_vec3_is_finite(&moved))
        return IMP_STATUS_BAD_NUMBER;
    *inverse = (imp_Pose){{0 - moved.x, 0 - moved.y, 0 - moved.z}, impi_quat_normalise(turned.rotation)};
    return IMP_STATUS_OK;
}

imp_Vec3 impi_transform_apply(const imp_Transform *transform, imp_Vec3 point)
{
    return impi_pose_vertex(transform, &point);
}

void impi_transform_apply_many(const imp_Transform *transform, const imp_Vec3 *points, size_t count,
                               imp_Vec3 *restrict posed)
{
    imp_Transform local = *transform;
    for (size_t i = 0; i < count; ++i)
        posed[i] = impi_pose_vertex(&local, &points[i]);
}
