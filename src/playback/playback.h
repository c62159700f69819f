/// A motion played through a world, one call per frame: what touches in it, and the history so far.
///
/// A playback belongs to one caller at a time, like the context it was opened in. Nothing is printed and
/// nothing ends the program: errors are statuses, with the context's message.
#ifndef IMPINGE_PLAYBACK_PLAYBACK_H
#define IMPINGE_PLAYBACK_PLAYBACK_H

#include "playback/history.h"
#include "playback/motion.h"
#include "playback/pair_rules.h"

#include <impinge/world_sweep.h>

typedef struct impi_Playback impi_Playback;

/// How much rounding can have moved the surface of a body.
typedef struct impi_BodyRounding {
    bool was_converted; // pairs of two bodies that were not are not let off
    double depth;       // that is let pass in pairs with it
} impi_BodyRounding;

/// How a body gets from one frame to the next, see imp_TargetDef. All zero is the default.
typedef struct impi_BodyPath {
    imp_PathKind path;
    imp_Vec3 pivot, axis;
    int32_t turns;
} impi_BodyPath;

typedef struct impi_PlaybackDef {
    impi_Motion motion;          // copied; what it stands for must outlive the playback
    imp_DetectDef detect;        // zero fields mean defaults
    const impi_PairRules *rules; // null: none. Pairs that they ignore are not compared
    bool lists_near;             // find out which bodies are near, too: nearer than they shall be
    bool has_clearance;          // so far apart pairs shall be that no rule names, whatever rules say of all
    bool ignores_clearances;     // of rules: that one is for all pairs
    double clearance;
    bool judges_overlaps; // tell what overlaps from what only touches; detect.contacts must be set
    bool has_touch_depth; // so deep pairs may touch that no rule names, whatever rules say of all
    double touch_depth;   // 0 unless it has one
    const impi_BodyRounding *roundings; // of the bodies, whatever rules tell; null: none
    const impi_BodyPath *paths;         // of the bodies, for sweeps; null: the default for all
} impi_PlaybackDef;

/// Put the bodies into a world, in their poses of frame 0. A body that the world refuses is named by the
/// error, its number being the index.
imp_Status impi_playback_open(imp_Context *context, const impi_PlaybackDef *def, impi_Playback **playback);

/// Null is fine.
void impi_playback_close(impi_Playback *playback);

/// Go to a frame, in any order, find out what touches there and note it. A frame that was played before is
/// only looked up, because it gives the same each time. `*frame` is valid until the next step; null is fine.
/// IMP_STATUS_BAD_INDEX when there is no such frame. Whatever fails, the history is as it was, and playing
/// can go on.
imp_Status impi_playback_step(impi_Playback *playback, uint32_t number, impi_PlayedFrame *frame);

/// Find out when bodies first meet on their way from a frame to the next. Nothing is noted. `*report` is the
/// world's, valid until the next sweep; `def` may be null. IMP_STATUS_BAD_INDEX when there is no next frame.
imp_Status impi_playback_sweep(impi_Playback *playback, uint32_t frame, const imp_SweepDef *def,
                               const imp_SweepReport **report);

/// Right after a sweep: where a body is at a time of it, for bodies that keep their shape on their way. The
/// first call moves all of them there, so that `time` must be the same (otherwise IMP_STATUS_BAD_ARGUMENT)
/// until the next sweep.
imp_Status impi_playback_pose_at(impi_Playback *playback, double time, size_t body, imp_Pose *pose);

/// What the world told about the last frame that a step has played, with all that the history does not keep.
/// Valid until the next step; null before the first.
const imp_Report *impi_playback_get_report(const impi_Playback *playback);

/// Which of that report's contacts are overlaps, where they were to be judged; otherwise null.
const bool *impi_playback_get_overlaps(const impi_Playback *playback);

/// How far apart two bodies shall be; less than 0: that was not asked for. And how deep they may reach into
/// each other to touch only.
double impi_playback_clearance(const impi_Playback *playback, uint32_t body_a, uint32_t body_b);
double impi_playback_touch_depth(const impi_Playback *playback, uint32_t body_a, uint32_t body_b);

/// How far apart two bodies are where the last step that played a frame has put them.
imp_Status impi_playback_distance(impi_Playback *playback, uint32_t body_a, uint32_t body_b,
                                  imp_Distance *distance);

/// Owned by the playback; grows with each step.
const impi_History *impi_playback_get_history(const impi_Playback *playback);

const impi_Motion *impi_playback_get_motion(const impi_Playback *playback);

#endif
