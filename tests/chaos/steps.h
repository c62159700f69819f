/// The steps that programs are made of: each chooses one call of a header, or a few that belong together,
/// makes it with arguments that are right or wrong, and compares the answer with the model.
#ifndef IMPINGE_TESTS_CHAOS_STEPS_H
#define IMPINGE_TESTS_CHAOS_STEPS_H

#include "lane.h"

/// Make a context in the first place that is free. False when there is none.
bool step_make_context(Lane *lane);

void step_base(Lane *lane);
void step_math(Lane *lane);
void step_sweep(Lane *lane);
void step_mesh(Lane *lane);
void step_files(Lane *lane);
void step_scene(Lane *lane);
void step_convex(Lane *lane);
void step_spheres(Lane *lane);
void step_octrees(Lane *lane);
void step_pairs(Lane *lane);
void step_broad(Lane *lane);
void step_world(Lane *lane);
void step_query(Lane *lane);
void step_large(Lane *lane);
void step_fork(Lane *lane);

/// End what a lane has, one after the other.
void end_broad(Lane *lane, int number);
void end_world(Lane *lane, int number);
void end_query(Lane *lane, int number);
void end_home(Lane *lane, Home *home); // and all that works in it
void end_shapes(Lane *lane);
void end_lane(Lane *lane); // all of it

#endif
