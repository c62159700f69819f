#include "scenes/path.h"

#include "geom/quaternion.h"
#include "geom/vector.h"
#include "scenes/shapes.h"

#include <assert.h>
#include <math.h>

static int64_t phase_at(ScenePhase phase, uint32_t frame)
{
    return phase.start + (int64_t)phase.rate * frame;
}

// scene_turn counts steps from 0 upwards.
static SceneTurn turn_by(int64_t steps, int64_t steps_per_turn)
{
    int64_t within = steps % steps_per_turn;
    return scene_turn((uint64_t)(within < 0 ? within + steps_per_turn : within), (uint32_t)steps_per_turn);
}

double scene_phase_sine(ScenePhase phase, uint32_t frame)
{
    return turn_by(phase_at(phase, frame), SCENE_STEPS_PER_TURN).sine;
}

static bool is_none(imp_Quat q)
{
    return q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0;
}

imp_Quat scene_turn_around(imp_Vec3 axis, int64_t steps)
{
    SceneTurn half = turn_by(steps, 2 * SCENE_STEPS_PER_TURN);
    double s = half.sine / sqrt(impi_dot(axis, axis));
    return impi_quat_normalise((imp_Quat){half.cosine, s * axis.x, s * axis.y, s * axis.z});
}

imp_Quat scene_turn_after(imp_Quat a, imp_Quat b)
{
    if (is_none(a))
        return is_none(b) ? (imp_Quat){1, 0, 0, 0} : b;
    if (is_none(b))
        return a;
    return impi_quat_normalise(impi_quat_multiply(a, b));
}

static imp_Quat spin_at(SceneSpin spin, uint32_t frame)
{
    bool has_axis = spin.axis.x != 0 || spin.axis.y != 0 || spin.axis.z != 0;
    return has_axis ? scene_turn_around(spin.axis, phase_at(spin.angle, frame)) : (imp_Quat){1, 0, 0, 0};
}

// As far along a line that is folded at both ends as x would be along a straight one.
static double thrown_back(double x, double low, double high)
{
    if (!(low < high))
        return x;
    double laps = (x - low) / (2 * (high - low));
    double lap = laps - floor(laps);
    return low + 2 * (high - low) * (lap < 0.5 ? lap : 1 - lap);
}

static double along_axis(double start, double velocity, double low, double high, double swing, uint32_t frame)
{
    return thrown_back(start + velocity * (double)frame, low, high) + swing;
}

static imp_Vec3 turned(imp_Quat rotation, imp_Vec3 point)
{
    imp_Transform transform = {0};
    imp_Status status = imp_pose_transform(&(imp_Pose){.rotation = rotation}, &transform);
    assert(status == IMP_STATUS_OK); // rotations of paths are products of unit quaternions
    (void)status;
    return imp_transform_apply(&transform, point);
}

imp_Pose scene_path_pose(const ScenePath *path, uint32_t frame)
{
    double sine = scene_phase_sine(path->swing_angle, frame);
    imp_Vec3 place = {
        along_axis(path->start.x, path->velocity.x, path->low.x, path->high.x, path->swing.x * sine, frame),
        along_axis(path->start.y, path->velocity.y, path->low.y, path->high.y, path->swing.y * sine, frame),
        along_axis(path->start.z, path->velocity.z, path->low.z, path->high.z, path->swing.z * sine, frame),
    };
    imp_Quat around = scene_turn_after(path->tilt, spin_at(path->orbit, frame));
    imp_Quat own = scene_turn_after(path->heading, spin_at(path->spin, frame));
    return (imp_Pose){.translation = turned(around, place), .rotation = scene_turn_after(around, own)};
}
