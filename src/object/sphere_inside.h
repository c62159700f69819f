/// Do surfaces touch because the insides of two bodies have a point in common? Without a look at faces.
#ifndef IMPINGE_OBJECT_SPHERE_INSIDE_H
#define IMPINGE_OBJECT_SPHERE_INSIDE_H

#include "object/sphere_motion.h"

/// Do the balls inside of the bodies meet which two of their spheres have around their centers? Proven.
bool impi_insides_meet(const impi_Body *a, const impi_Body *b, const impi_SphereMotion *motion,
                       uint32_t sphere_a, uint32_t sphere_b);

/// Does each body have points outside of the other? Proven; false where the points that are tried don't tell.
/// If so, and their insides meet, their surfaces touch.
bool impi_bodies_stick_out(const impi_Body *a, const impi_Body *b, const impi_SphereMotion *motion);

#endif
