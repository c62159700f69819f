/// What the parts of `impinge octree` have in common: options, a context that is watched, what is written and
/// printed at the end.
#ifndef IMPINGE_APPS_OCTREE_JOB_H
#define IMPINGE_APPS_OCTREE_JOB_H

#include "kit/stopwatch.h"
#include "octree_report.h"

typedef struct OctreeJob {
    const Options *options;
    impi_Text *output;
    imp_Context *context;
    impi_Progress *progress;
    OctreeCube cube;      // the options --cube and --level
    const char *out_path; // null: nothing is written
    impi_PictureDef look;
    impi_Stopwatch watch;
} OctreeJob;

/// Take over the options that all parts share; those that one does not have are left alone. Says what is
/// wrong. End it in any case.
CommandResult octree_job_begin(OctreeJob *job, const Options *options, const char *out_path,
                               impi_Text *output);
void octree_job_end(OctreeJob *job);

/// One of the words of an option; the first one where it is not there. Says what is wrong.
CommandResult octree_job_choose(const OctreeJob *job, const char *option, const char *const *words,
                                size_t count, size_t *chosen);

/// What was made: written, and told of. `origin` says of what; `moved` may be null. Says what is wrong.
CommandResult octree_job_finish(OctreeJob *job, imp_Octree *octree, const char *origin,
                                const imp_OctreeMoveStats *moved);

#define OCTREE_OUTPUT_OPTION                                                                                 \
    {                                                                                                        \
        .name = "output", .letter = 'o', .value_count = 1, .values = "FILE",                                 \
        .help = "write it; the ending says how: .oct, .df, .bt and .npy hold\n"                              \
                "the octree, .obj .stl .ply .off its surface, .svg a picture"                                \
    }
#define OCTREE_THREADS_OPTION                                                                                \
    {                                                                                                        \
        .name = "threads", .value_count = 1, .values = "N", .help = "default: all cores that it may use"     \
    }
#define OCTREE_JSON_OPTION                                                                                   \
    {                                                                                                        \
        .name = "json", .help = "print JSON, for programs"                                                   \
    }

extern const Command command_octree_build, command_octree_info, command_octree_move, command_octree_combine,
    command_octree_convert;

#endif
