/// Two spheres of Smith & Kitamura's chapter 4 on their way, step by step, and which of their faces truly
/// meet.
#ifndef IMPINGE_EXPERIMENTS_SMITH_SWEPT_PLAY_H
#define IMPINGE_EXPERIMENTS_SMITH_SWEPT_PLAY_H

#include "experiment.h"

#include "scenes/motions.h"
#include "smith_swept_steps.h"

#define SWEPT_STEPS           4
#define SWEPT_MAX_REPETITIONS 16
#define SWEPT_LEVEL           6

/// For tables and files: "static", "printed", "ahead", "conservative".
extern const char *const swept_method_names[SMITH_SWEPT_METHOD_COUNT];

typedef struct SweptSpheres {
    SceneMotion *motion;
    uint32_t face_count, cycle_count;
    imp_Box cube;
} SweptSpheres;

/// Fails the run, and returns false, when out of memory.
bool swept_spheres_make(ExperimentRun *run, uint32_t face_count, SweptSpheres *spheres);
void swept_spheres_free(SweptSpheres *spheres);

/// Both spheres on their way from one cycle to another; those count from 1.
SmithSweptScene swept_spheres_scene(const SweptSpheres *spheres, uint32_t from, uint32_t to,
                                    SmithSweptMethod method);

/// What a cycle came to. Times are medians of processor time.
typedef struct SweptCycle {
    double step_ns[SWEPT_STEPS], ns;
    size_t tested, colliding;
} SweptCycle;

/// Run the four steps; what collides goes to `found`, sorted. False when out of memory, said.
bool swept_play(ExperimentRun *run, SmithSweptSearch *search, const SmithSweptScene *scene,
                size_t repetitions, SweptCycle *cycle, SmithFacePairs *found);

/// All pairs of faces that meet on straight paths from where vertices begin to where they end, exactly, by
/// comparing each with each. After swept_play by the conservative method, on its search.
bool swept_truth(ExperimentRun *run, const SmithSweptSearch *search, SmithFacePairs *meeting);

/// How many of `pairs` are not in `others`. Both are sorted.
size_t swept_count_missing(const SmithFacePairs *pairs, const SmithFacePairs *others);

#endif
