/// The sequence of tests of Smith & Kitamura 2.4.2, from coarse to fine, for a moved cube and an upright one:
/// spheres, corners of each in the other, edges of the smaller one, points of edges on faces.
///
/// Its steps are taken in doubles and say whether they are certain. Where they are not, impi_cube_relation is
/// asked. The verdicts are the same. For matrices of poses.
#ifndef IMPINGE_GEOM_CUBE_STEPS_H
#define IMPINGE_GEOM_CUBE_STEPS_H

#include "geom/cube_cube.h"

/// A cube in its own frame, where it is upright, and in that of the other.
typedef struct impi_StepsCube {
    double low[3], high[3];
    double edge;
    double inner, outer;             // radii of its spheres
    double center[3], corners[8][3]; // in the other's frame
} impi_StepsCube;

/// By center and half edge in the motion's frame, equal along all axes.
void impi_steps_source(const impi_CubeMotion *motion, const double center[3], double half,
                       impi_StepsCube *cube);
void impi_steps_target(const impi_CubeMotion *motion, const double center[3], double half,
                       impi_StepsCube *cube);

typedef enum impi_StepsVerdict {
    IMPI_STEPS_APART = IMPI_CUBES_APART,
    IMPI_STEPS_PARTIAL = IMPI_CUBES_PARTIAL,
    IMPI_STEPS_COMPLETE = IMPI_CUBES_COMPLETE,
    IMPI_STEPS_UNCERTAIN,
} impi_StepsVerdict;

/// Certain in both senses of being apart.
impi_StepsVerdict impi_cube_steps(const impi_CubeMotion *motion, const impi_StepsCube *source,
                                  const impi_StepsCube *target);

/// Is the target's center in the source?
impi_StepsVerdict impi_center_steps(const impi_CubeMotion *motion, const impi_StepsCube *source,
                                    const impi_StepsCube *target);

#endif
