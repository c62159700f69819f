/// Where the bodies of a sweep are to be, and how they get there.
#ifndef IMPINGE_APPS_SWEEP_TARGETS_H
#define IMPINGE_APPS_SWEEP_TARGETS_H

#include "bodies.h"
#include "playback/playback.h"

#define TARGET_OPTIONS                                                                                       \
    {.name = "to",                                                                                           \
     .value_count = 2,                                                                                       \
     .repeatable = true,                                                                                     \
     .values = "K FILE",                                                                                     \
     .help = "body K ends with the vertices of FILE: as many, in the same\n"                                 \
             "faces"},                                                                                       \
        {.name = "to-pose",                                                                                  \
         .value_count = 2,                                                                                   \
         .repeatable = true,                                                                                 \
         .values = "K \"tx ty tz qw qx qy qz\"",                                                             \
         .help = "where body K ends, as --pose tells where it begins"},                                      \
        {.name = "path",                                                                                     \
         .value_count = 1,                                                                                   \
         .repeatable = true,                                                                                 \
         .values = "straight|rigid",                                                                         \
         .help = "how bodies get there: each vertex straight, or turning as a\n"                             \
                 "whole (default: straight where they do not turn, or deform);\n"                            \
                 "K=rigid tells that of body K"},                                                            \
        {.name = "turns",                                                                                    \
         .value_count = 2,                                                                                   \
         .repeatable = true,                                                                                 \
         .values = "K N",                                                                                    \
         .help = "body K turns N times more than the short way; below 0, the\n"                              \
                 "other way round"},                                                                         \
        {.name = "axis",                                                                                     \
         .value_count = 2,                                                                                   \
         .repeatable = true,                                                                                 \
         .values = "K \"x y z\"",                                                                            \
         .help = "about what body K makes its --turns where it ends as it began,\n"                          \
                 "in the world"},                                                                            \
    {                                                                                                        \
        .name = "pivot", .value_count = 2, .repeatable = true, .values = "K \"x y z\"",                      \
        .help = "on rigid paths: this point of body K, in its own frame, goes\n"                             \
                "straight (default 0 0 0)"                                                                   \
    }

typedef struct SweepTarget {
    imp_Pose pose;          // at the end
    imp_Mesh *shape;        // whose vertices the body has at the end; null: it keeps its own
    const char *shape_path; // its file
    unsigned given;         // which options have told of the body, a bit for each
} SweepTarget;

typedef struct SweepTargets {
    const Bodies *bodies;
    SweepTarget *targets; // one for each of them
    impi_BodyPath *paths;
} SweepTargets;

/// Take the options over. Bodies that they do not name stay where they are. Says what is wrong; free the
/// targets in any case.
CommandResult sweep_targets_take(const Options *options, const Bodies *bodies, SweepTargets *targets);
void sweep_targets_free(SweepTargets *targets);

/// Is the body told to go anywhere, or to change its shape?
bool sweep_target_moves(const SweepTarget *target);

/// A motion of two frames, where the bodies begin and where they end. The targets must outlive it.
impi_Motion sweep_targets_motion(const SweepTargets *targets);

#endif
