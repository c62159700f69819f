/// Convex bodies in a closed box, tested frame by frame by Chung & Wang's method as printed, by libccd's GJK
/// and by impinge.
#ifndef IMPINGE_EXPERIMENTS_CHUNG_WANG_PLAY_H
#define IMPINGE_EXPERIMENTS_CHUNG_WANG_PLAY_H

#include "experiment.h"

#include "scenes/convex_box.h"

typedef enum ChungWangMethod {
    CHUNG_WANG_PAPER,
    CHUNG_WANG_GJK, // only where chung_wang_has_gjk
    CHUNG_WANG_OURS,
    CHUNG_WANG_METHOD_COUNT
} ChungWangMethod;

/// Is libccd there?
extern const bool chung_wang_has_gjk;

#define CHUNG_WANG_MAX_STEPS 200

/// What came out. Steps are the paper's k; those beyond the last count there.
typedef struct ChungWangTally {
    uint64_t separate, colliding;
    uint64_t separate_steps[CHUNG_WANG_MAX_STEPS + 1], colliding_steps[CHUNG_WANG_MAX_STEPS + 1];
    uint64_t recurrences; // tests of separate pairs in which support vertices came again
    uint64_t undecided, gjk_differs;
    double ns[CHUNG_WANG_METHOD_COUNT]; // processor time of all tests together
} ChungWangTally;

/// Let bodies move for some frames, as exact verdicts make them. Fails the run when the paper's method gives
/// another verdict than impinge although the bodies are not near contact.
bool chung_wang_play(ExperimentRun *run, const SceneConvexBoxDef *def, uint32_t frame_count,
                     ChungWangTally *tally);

static inline uint64_t chung_wang_tests(const ChungWangTally *tally)
{
    return tally->separate + tally->colliding;
}

/// Nanoseconds a test.
static inline double chung_wang_test_ns(const ChungWangTally *tally, ChungWangMethod method)
{
    return tally->ns[method] / (double)(chung_wang_tests(tally) + 1e-9);
}

/// Per cent of tests that ended within so many steps.
double chung_wang_separate_within(const ChungWangTally *tally, uint32_t steps);
double chung_wang_all_within(const ChungWangTally *tally, uint32_t steps);

/// The largest k, and how many tests had it.
uint32_t chung_wang_worst(const ChungWangTally *tally, uint64_t *count);

#endif
