/// Where a body is at each frame, as a closed form of the frame's number.
///
/// Only +, -, *, /, sqrt and floor are used, so that the same bits come out on every machine.
#ifndef IMPINGE_SCENES_PATH_H
#define IMPINGE_SCENES_PATH_H

#include <impinge/math.h>

/// Angles are whole numbers of these: hundredths of a degree.
#define SCENE_STEPS_PER_TURN 36000

/// An angle that grows with the frame.
typedef struct ScenePhase {
    int32_t start, rate; // at frame 0, and per frame
} ScenePhase;

/// Around an axis of any length through the origin. All zero is none.
typedef struct SceneSpin {
    imp_Vec3 axis;
    ScenePhase angle;
} SceneSpin;

/// All zero: at rest in the origin.
typedef struct ScenePath {
    SceneSpin spin;   // first, about the body's own origin
    imp_Quat heading; // then a fixed turn; all zero is none

    imp_Vec3 start, velocity; // then it is moved along a line,
    imp_Vec3 low, high;       // thrown back at these sides for each axis on which they differ,
    imp_Vec3 swing;           // and this times the sine of an angle is added,
    ScenePhase swing_angle;

    SceneSpin orbit; // then all that goes around the world's origin
    imp_Quat tilt;   // and is turned in a fixed way; all zero is none
} ScenePath;

/// Of unit length to within rounding; any frame.
imp_Pose scene_path_pose(const ScenePath *path, uint32_t frame);

/// Sine of a phase at a frame.
double scene_phase_sine(ScenePhase phase, uint32_t frame);

/// First b, then a; of unit length to within rounding. All zero counts as no turn.
imp_Quat scene_turn_after(imp_Quat a, imp_Quat b);

/// A turn of `steps` around an axis of any length but 0.
imp_Quat scene_turn_around(imp_Vec3 axis, int64_t steps);

#endif
