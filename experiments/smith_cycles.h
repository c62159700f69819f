/// Motions of Smith & Kitamura's experiments, played cycle by cycle through two detectors: theirs as printed,
/// and the one impinge uses by itself.
#ifndef IMPINGE_EXPERIMENTS_SMITH_CYCLES_H
#define IMPINGE_EXPERIMENTS_SMITH_CYCLES_H

#include "experiment.h"

#include "scenes/motions.h"

typedef enum SmithMethod { SMITH_PAPER, SMITH_OURS, SMITH_METHOD_COUNT } SmithMethod;

/// For tables and files: "paper", "impinge".
extern const char *const smith_method_names[SMITH_METHOD_COUNT];

#define SMITH_MAX_CYCLES      128
#define SMITH_MAX_REPETITIONS 32
#define SMITH_PAPER_LEVEL     6

/// Medians. A cycle is setting all poses and detecting.
typedef struct SmithCycle {
    double ns[SMITH_METHOD_COUNT];
    uint64_t tested[SMITH_METHOD_COUNT]; // face pairs that were compared
    size_t face_pairs;                   // that touch
    size_t box_pairs;                    // bodies whose bounding boxes overlap
} SmithCycle;

typedef struct SmithCourse {
    SmithCycle cycles[SMITH_MAX_CYCLES]; // [0] is cycle 1
    uint32_t cycle_count;
    double world_edge; // of the cube that the paper's method divides
} SmithCourse;

typedef enum SmithExtent { SMITH_ALL_CYCLES, SMITH_LAST_CYCLE } SmithExtent;

/// Play a motion `repetitions` times; with SMITH_LAST_CYCLE all cycles are looked at, but only the last is
/// timed. Fails the run, and returns false, when the methods disagree in a cycle, when faces touch before the
/// last cycle or do not then, or when brute force (on bodies of up to 1000 faces) finds other pairs in it.
bool smith_play(ExperimentRun *run, const char *name, const SceneMotion *motion, size_t repetitions,
                SmithExtent extent, SmithCourse *course);

/// How often to repeat.
size_t smith_repetitions(const ExperimentRun *run);

static inline const SmithCycle *smith_last(const SmithCourse *course)
{
    return &course->cycles[course->cycle_count - 1];
}

/// Of the cycles before the last, in which nothing touches: their median, the longest, and how many of them
/// take more than `share` of the last one's time.
typedef struct SmithBefore {
    double median_ns, longest_ns;
    uint32_t count, above;
} SmithBefore;

SmithBefore smith_before(const SmithCourse *course, SmithMethod method, double share);

/// Is `above` rare? Holds below a fifth of the cycles, in part below half.
Verdict smith_rarity(const SmithBefore *before);

/// One line per cycle and method: LABEL,cycle,method,microseconds,touching,tested,boxes.
void smith_put_csv(impi_Text *csv, const char *label, const SmithCourse *course);

/// A gnuplot data block $NAME of cycle and microseconds.
void smith_put_block(impi_Text *script, const char *name, SmithMethod method, const SmithCourse *course);

/// The part of each page that says how times were taken.
void smith_put_method(ExperimentRun *run);

#endif
