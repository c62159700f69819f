/// Watching long calls: how far they are, and ending them.
#ifndef IMPINGE_WATCH_H
#define IMPINGE_WATCH_H

#include <impinge/cancel.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How far a call is. It may go through several kinds of work, each from 0 to 1.
typedef struct imp_Progress {
    const char *work; ///< "reading", "searching for pairs", ...; a constant
    double done;      ///< 0 to 1, of this work; never less than the last time
} imp_Progress;

/// Called by the thread that made the watched call, while it works, every fiftieth of a second or so; never
/// by a call that is shorter, and less often where the caller's own executor leaves that thread without
/// tasks. It may request the watch's cancel flag; it must not use the context, nor leave by a jump. It runs
/// in the default floating-point mode.
typedef void (*imp_ProgressFn)(const imp_Progress *progress, void *user);

/// Zero fields mean: no limit, nobody to tell.
typedef struct imp_Watch {
    const imp_Cancel *cancel; ///< once it is requested, a call ends soon with IMP_STATUS_CANCELLED
    uint64_t budget_us;       ///< for each call, in microseconds; one that is seen to take longer ends soon
                              ///< with IMP_STATUS_OUT_OF_TIME
    imp_ProgressFn progress;
    void *user;           ///< handed to `progress`
    uint64_t reserved[4]; ///< zero
} imp_Watch;

/// From now on watch the long calls of a context: loading meshes and scenes, imp_mesh_analyse,
/// imp_mesh_is_closed, imp_mesh_adjacency, imp_mesh_locate_points, imp_mesh_interior_points,
/// imp_mesh_self_pairs, imp_convex_create, imp_convex_create_from_mesh, imp_pairs_find, imp_pairs_list,
/// imp_sweep_vertex_faces, imp_sweep_edges, imp_sweep_triangles, imp_world_detect_configurations, what makes
/// sphere trees, and what makes, saves and loads octrees. Their answers are of use as a whole only, so that
/// one which is ended fails and changes nothing. The watch is copied; its cancel flag must live as long as it
/// watches. Null ends that.
/// imp_world_detect has a budget and a cancel flag of its own, because half of its answer is an answer.
/// IMP_STATUS_BAD_ARGUMENT when a reserved field is not zero, or from inside of a progress function.
IMP_CHECKED imp_Status imp_context_watch(imp_Context *context, const imp_Watch *watch);

#ifdef __cplusplus
}
#endif

#endif
