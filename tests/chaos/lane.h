/// The objects of one thread of a program: contexts and what was made in them, shapes that are shared with
/// the other lanes, and what the model knows about each.
#ifndef IMPINGE_TESTS_CHAOS_LANE_H
#define IMPINGE_TESTS_CHAOS_LANE_H

#include "choices.h"
#include "executor.h"
#include "memory.h"
#include "mesh_files.h"
#include "tally.h"
#include "trace.h"

#include <impinge/impinge.h>

#define MAX_HOMES    3
#define MAX_MEMORIES 12
#define MAX_MESHES   8
#define MAX_CONVEXES 6
#define MAX_TREES    4
#define MAX_OCTREES  4
#define MAX_SCENES   3
#define MAX_CANCELS  3
#define MAX_BROADS   2
#define MAX_WORLDS   2
#define MAX_QUERIES  2
#define MAX_SHARED   6

/// Whose memory and whose error a call works with: a context or a query.
typedef struct Home {
    imp_Context *context;
    imp_Query *query;
    Memory *memory; // null: the C library's heap
    Executor executor;
    bool has_executor;
    imp_Cancel *watch_cancel; // of imp_context_watch
    uint64_t watch_budget_us;
    uint64_t max_file_bytes; // 0: the default
    imp_SearchStats stats;
    bool is_measured;
} Home;

/// What all lanes of a program share. Made before they start, given back after they have ended.
typedef struct Shelf {
    Memory memory;
    imp_Mesh *meshes[MAX_SHARED];
    imp_Convex *convexes[MAX_SHARED];
    imp_Scene *scene;
} Shelf;

typedef struct LaneBroad LaneBroad; // broad_model.h
typedef struct LaneWorld LaneWorld; // world_lane.h
typedef struct FileBytes FileBytes; // file_steps.c

typedef struct Lane {
    Choices choices;
    Trace trace;
    Tally tally;
    Shelf *shelf;
    atomic_uint_fast64_t *failure_count; // of allocations, in all lanes
    bool is_timed;                       // cancels may come from other threads, whenever these get to run
    bool is_alone;                       // no other lane runs
    char folder[MAX_TEST_PATH];          // empty until somebody needs it
    FileBytes *file;                     // null until somebody needs it

    imp_Context *reference; // for answers to compare with: the default one, in which nothing fails
    Memory *memories[MAX_MEMORIES];
    size_t memory_count;
    Home homes[MAX_HOMES];
    Home queries[MAX_QUERIES];
    imp_Mesh *meshes[MAX_MESHES];
    imp_Convex *convexes[MAX_CONVEXES];
    imp_SphereTree *trees[MAX_TREES];
    imp_Octree *octrees[MAX_OCTREES];
    imp_Scene *scenes[MAX_SCENES];
    imp_Cancel *cancels[MAX_CANCELS];
    LaneBroad *broads[MAX_BROADS];
    LaneWorld *worlds[MAX_WORLDS];
} Lane;

/// Does something within it go wrong in this call? 0: nothing, else which of `kinds` flaws, from 1 on.
uint32_t lane_flaw(Lane *lane, uint32_t kinds);

/// Make one of the reserved fields of a def, `size` bytes in all, something else than zero.
void spoil_reserved(Lane *lane, uint64_t *reserved, size_t size);

/// A context, which there always is.
Home *lane_home(Lane *lane);

/// A memory for a new context or query, null for the C library's heap.
Memory *lane_memory(Lane *lane);

/// One of the lane's own or a shared one; owned by the lane or the shelf.
imp_Mesh *lane_mesh(Lane *lane);
imp_Convex *lane_convex(Lane *lane);
/// Null when there is none, of these.
imp_SphereTree *lane_tree(Lane *lane);
imp_Cancel *lane_cancel(Lane *lane);

/// Take over a reference; something else has to go when there is no room.
void lane_keep_mesh(Lane *lane, imp_Mesh *mesh);
void lane_keep_convex(Lane *lane, imp_Convex *convex);
void lane_keep_tree(Lane *lane, imp_SphereTree *tree);

/// A file in a folder of the lane's own, in a buffer that the next call reuses.
const char *lane_path(Lane *lane, const char *name);

void lane_count(Lane *lane, Outcome outcome, bool occurred);

#endif
