/// The motions of the papers' experiments, with the parameters that these vary.
///
/// Papers count cycles from 1: frame 0 is cycle 1. Where a paper gives no start and no speed, those here are
/// chosen so that what it says happens in the cycle in which it says so.
#ifndef IMPINGE_SCENES_MOTION_PAPERS_H
#define IMPINGE_SCENES_MOTION_PAPERS_H

#include "scenes/motions.h"

/// Smith & Kitamura, Figs 3.6 and 3.7: two spheres of radius 1 move towards each other, both turning. They
/// touch in cycle 72, which is the last. Counts of faces: those that scene_sphere_of_faces takes.
imp_Status scene_motion_create_spheres(imp_Context *context, uint32_t face_count, SceneMotion **motion);

/// Smith & Kitamura, Figs 4.2 and 4.3: the same, but they touch in cycle 45, which is the last.
imp_Status scene_motion_create_swept_spheres(imp_Context *context, uint32_t face_count, SceneMotion **motion);

/// Smith & Kitamura, Fig 3.9: `sphere_count` spheres of 528 faces, at most 64. The first two move as above;
/// around them the others sway and turn, closely enough for boxes to overlap now and then, and touch nothing.
imp_Status scene_motion_create_many_spheres(imp_Context *context, uint32_t sphere_count,
                                            SceneMotion **motion);

/// Smith & Kitamura, Fig 3.8: fifteen shuttles move about closely, many of their boxes overlapping in each
/// cycle; the first two touch in the last cycle, no others ever. Or only these two, on the same paths.
imp_Status scene_motion_create_close_shuttles(imp_Context *context, bool only_the_two, SceneMotion **motion);

/// Smith & Kitamura, Figs 3.10 and 3.11: a sphere of 120 faces, a shuttle, a chair, a Venus head of 1816. The
/// boxes of Venus and shuttle first overlap in cycle 17, and they touch in the last one; the others move
/// slightly and touch nothing.
imp_Status scene_motion_create_clutter(imp_Context *context, SceneMotion **motion);

/// Kitamura and others, Figs 16 and 17: a shuttle, a Venus head of 1868 faces and a chair. Venus and shuttle
/// touch in the last cycle.
imp_Status scene_motion_create_venus(imp_Context *context, SceneMotion **motion);

#endif
