/// A world, what the model knows about it, and whether a report is what the model says.
#ifndef IMPINGE_TESTS_CHAOS_WORLD_LANE_H
#define IMPINGE_TESTS_CHAOS_WORLD_LANE_H

#include "lane.h"
#include "world_truth.h"

/// Where a body is to be, if it has a target.
typedef struct LaneTarget {
    bool is_set;
    imp_TargetDef def;
    imp_Vec3 *vertices; // what the def's are, if it has any
} LaneTarget;

struct LaneWorld {
    imp_World *world;
    Home *home;
    WorldModel model;
    void *user_data[MAX_MODEL_BODIES];
    LaneTarget targets[MAX_MODEL_BODIES];
    imp_DetectDef usual; // what is asked most of the time, so that answers are kept
    PairList contacts;   // what the next detect compares with
    PairList near;       // what the next clearance compares with, without relations
    WorldTruth truth;
    bool is_truth_fresh;
    bool has_spheres;   // a body has, or had
    imp_DetectDef last; // what the last detect asked, but for those of the first pair
    enum { NOTHING_TO_REFINE, READY_TO_REFINE, CHANGED_SINCE } refining;
};

/// A living body, or null; `id` is then one that names nothing.
ModelBody *lane_world_choose(Lane *lane, LaneWorld *world, imp_BodyId *id);

/// Something has changed in the model.
void lane_world_touch(LaneWorld *world);

/// Compare a report, and note what is left to the next detect.
void lane_world_check(Lane *lane, LaneWorld *world, const imp_DetectDef *def, const imp_Report *report);

/// A detect with right or wrong arguments.
void lane_world_detect(Lane *lane, LaneWorld *world);

/// Going on with it (refine_steps.c).
void lane_world_refine(Lane *lane, LaneWorld *world);

/// Another world with the same bodies under the same ids.
imp_World *lane_world_make_fresh(Lane *lane, const LaneWorld *world);

/// Likewise (configuration_steps.c).
void lane_world_set_pair_filter(Lane *lane, LaneWorld *world);
void lane_world_configurations(Lane *lane, LaneWorld *world);

/// Likewise (distance_steps.c).
void lane_world_distance(Lane *lane, LaneWorld *world);
void lane_world_clearance(Lane *lane, LaneWorld *world);

/// Likewise (sweep_steps.c).
void lane_world_set_target(Lane *lane, LaneWorld *world);
void lane_world_sweep(Lane *lane, LaneWorld *world);
void lane_world_advance(Lane *lane, LaneWorld *world);

/// The body in a slot is gone.
void lane_world_forget_target(LaneWorld *world, uint32_t slot);

/// A def for distances, and what may be wrong with it: flaws from 1 to DISTANCE_FLAWS, 0 for none.
#define DISTANCE_FLAWS 3
imp_DistanceDef choose_distance(Lane *lane, uint32_t flaw);

#endif
