/// Convex bodies in motion, with the truth about each pair of overlapping boxes.
#ifndef IMPINGE_BENCH_CONVEX_RECORD_H
#define IMPINGE_BENCH_CONVEX_RECORD_H

#include "convex_peers.h"

#include "scenes/convex_box.h"

/// Pairs of one frame in the order of the broad phase, those that are separate first.
typedef struct ConvexFrame {
    imp_Pose *poses;
    imp_Transform *transforms; // of the poses
    imp_IndexPair *pairs;
    size_t separate_count, colliding_count;
    imp_IndexPair *begun; // pairs whose boxes did not overlap in the frame before
    size_t begun_count;
} ConvexFrame;

typedef struct ConvexRecord {
    SceneConvexBox *box;
    ConvexBody *bodies; // point into the box
    size_t body_count;
    ConvexFrame *frames;
    size_t frame_count;
    size_t separate_count, colliding_count; // of all frames
    size_t quick_count;                     // separate tests of impinge within three steps
} ConvexRecord;

/// Let bodies move, or jump about: then nothing is remembered from frame to frame. Stops the program when the
/// certificate of a verdict does not hold.
ConvexRecord *convex_record_make(imp_Context *context, const SceneConvexBoxDef *def, size_t frame_count,
                                 bool is_jumpy);

void convex_record_free(ConvexRecord *record);

#endif
