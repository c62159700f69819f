/// The inside of imp_World.
#ifndef IMPINGE_WORLD_WORLD_H
#define IMPINGE_WORLD_WORLD_H

#include "base/slot_table.h"
#include "world/answer.h"
#include "world/body_sweep.h"
#include "world/broad_stage.h"
#include "world/clearance.h"
#include "world/configurations.h"
#include "world/object_stage.h"

/// What has become of the body in a slot since it was last looked at.
typedef enum impi_Change {
    IMPI_CHANGE_BOUNDS = 1, // its box is not up to date; the slot is in imp_World.unbounded
    IMPI_CHANGE_ANSWER = 2, // what the last answer says of its pairs does not hold
} impi_Change;

/// Faces that were closest when the distance of two bodies was asked for. Any content is safe.
typedef struct impi_DistanceHint {
    uint32_t slot_a, slot_b; // 0: none
    impi_FaceHint hint;
} impi_DistanceHint;

#define IMPI_DISTANCE_HINTS 256 // a pair has its place by its slots, and shares it with others

struct imp_World {
    imp_Context *context;
    impi_SlotTable slots;
    IMPI_ARRAY(impi_Body) bodies; // slot s is bodies.data[s - 1]
    IMPI_ARRAY(void *) user_data; // likewise
    impi_IgnoredPairs ignored_pairs;
    impi_CallerFilter pair_filter;

    IMPI_ARRAY(uint8_t) changes;    // impi_Change bits by slot, from slot 0 on
    IMPI_ARRAY(uint32_t) unbounded; // slots, each once
    bool has_changed;               // anything at all, since the last answer

    impi_BroadStage broad;
    impi_ObjectStage object;
    impi_Answer answers[2]; // the last one, and the one in the making
    impi_Answer first;      // of a search for the first pair, which leaves the others alone
    unsigned current;       // which of the answers is the last one
    bool has_answer;
    imp_DetectDef answered; // how the last answer was asked for
    double report_ns;       // what a pair or a face in a report took lately

    impi_Clearance clearance;
    impi_Configurations configurations;
    impi_Sweep sweep;
    impi_DistanceHint hints[IMPI_DISTANCE_HINTS]; // of distances that were asked for
};

/// Null when the id names no living body.
impi_Body *impi_world_find_body(const imp_World *world, imp_BodyId id);

/// See imp_world_*, with arguments checked for null and the default floating-point mode.
imp_Status impi_world_add_body(imp_World *world, const imp_BodyDef *def, imp_BodyId *id);
imp_Status impi_world_set_pose(imp_World *world, impi_Body *body, const imp_Pose *pose);
imp_Status impi_world_set_poses(imp_World *world, const imp_BodyId *ids, const imp_Pose *poses, size_t count);
imp_Status impi_world_set_vertices(imp_World *world, impi_Body *body, const double *vertices, size_t count);
imp_Status impi_world_set_filter(imp_World *world, const impi_Body *body, impi_PairFilter filter);
void impi_world_remove_body(imp_World *world, imp_BodyId id);
void impi_world_destroy(imp_World *world);
imp_Status impi_world_ignore_pair(imp_World *world, imp_BodyId a, imp_BodyId b, bool ignore);
imp_Status impi_world_detect(imp_World *world, const imp_DetectDef *def, const imp_Report **report);

imp_Status impi_world_refine(imp_World *world, const imp_RefineDef *def, const imp_Report **report);

imp_Status impi_world_distance(imp_World *world, impi_Body *a, impi_Body *b, const imp_DistanceDef *def,
                               imp_Distance *result);

imp_Status impi_world_clearance(imp_World *world, const imp_ClearanceDef *def,
                                const imp_ClearanceReport **report);

imp_Status impi_world_sweep(imp_World *world, const imp_SweepDef *def, const imp_SweepReport **report);
imp_Status impi_world_advance(imp_World *world, double t);

imp_Status impi_world_detect_configurations(imp_World *world, const imp_ConfigurationsDef *def,
                                            const imp_ConfigurationsReport **report);

/// Bring the bounds of bodies that have changed up to date, and the boxes of all to this margin. Uses the
/// context's scratch arena. IMP_STATUS_OUT_OF_MEMORY, IMP_STATUS_CANCELLED or OK.
imp_Status impi_world_update_bounds(imp_World *world, double margin, impi_Budget *budget);

/// What is asked of the broad stage.
impi_BroadAsk impi_world_broad_ask(const imp_World *world, double margin, impi_Budget *budget);

/// Make room for `count` more bodies.
bool impi_world_reserve(imp_World *world, size_t count);

/// Do two poses have the same numbers? Zeros may differ in sign.
bool impi_is_same_pose(const imp_Pose *a, const imp_Pose *b);

/// Is a pair of slots, the lesser one first, named in imp_world_ignore_pair?
bool impi_world_ignores(const imp_World *world, uint32_t slot_a, uint32_t slot_b);

/// IMP_STATUS_BAD_INDEX.
imp_Status impi_world_fail_no_body(const imp_World *world, imp_BodyId id);

#endif
