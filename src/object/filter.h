/// What an object filter is: it takes pairs of bodies whose boxes meet and answers a question about each.
///
/// The table of them is world/filters.c: a new filter is a file in object/ and a row there.
#ifndef IMPINGE_OBJECT_FILTER_H
#define IMPINGE_OBJECT_FILTER_H

#include "base/array.h"
#include "base/budget.h"
#include "base/scratch_pool.h"
#include "object/body.h"
#include "object/touch_hint.h"
#include "shape/moving_surface.h"
#include "shape/surface.h"

#include <impinge/world.h>

struct impi_FaceLists;
struct impi_Estimates;

/// What is asked, and found out, of how far apart two bodies are.
typedef struct impi_DistanceAsk {
    double relative_accuracy;
    double stop_below, stop_above; // see imp_DistanceDef; the latter may be infinite
} impi_DistanceAsk;

typedef struct impi_PairDistance {
    imp_Distance answer;
    bool has_hint; // from when it was asked before
    impi_FaceHint hint;
} impi_PairDistance;

/// What is asked, and found out, of when two bodies first touch on their ways.
typedef struct impi_SweepAsk {
    bool face_times;              // all face pairs that touch at some time, not only those that do so first
    double separation, tolerance; // see imp_SweepDef
} impi_SweepAsk;

typedef IMPI_ARRAY(impi_FaceTime) impi_FaceTimes;

typedef struct impi_PairSweep {
    bool is_exact; // both ways are straight and there is no separation
    double time;   // infinite: never
    bool touched_at_start;
    bool is_certain;
    impi_FaceTimes *faces; // what touches, sorted by faces; a list that is empty at first
} impi_PairSweep;

/// A pair of bodies whose boxes meet, and what filters find out about it. Only in sweeps both may be the
/// same.
typedef struct impi_PairWork {
    impi_Body *a, *b;
    imp_ConvexState *state;        // of two solids: what is kept from detect to detect; else null
    uint32_t relations;            // imp_Relation bits that are known to hold
    uint32_t answered;             // imp_Question bits
    uint32_t filter;               // that is asked at the moment: for the stage that hands pairs out
    bool a_in_open_b, b_in_open_a; // containment that could not be asked for
    bool wants_faces;              // all of them, not only whether there are any
    uint32_t face_list;            // touching faces that are kept, see object/kept_faces.h
    uint64_t face_room;            // how many of them may be kept
    impi_FaceKey last_face;        // none beyond this one will be kept
    uint64_t face_count;           // touching faces that were found, kept or not
    uint64_t candidate_count;      // face pairs that were tested
    impi_PairDistance *distance;   // null where nobody asks for it
    impi_PairSweep *sweep;         // likewise
    impi_TouchHint *hint;          // where one thread asks about the same bodies many times; else null
    uint32_t estimate;             // of a pair that the filter leaves undecided; or IMPI_NO_ESTIMATE
    size_t number;                 // by which whoever asks knows it
} impi_PairWork;

#define IMPI_ALL_FACES UINT64_MAX

/// Candidate faces to verdicts, the next stage: those that touch, or are no farther apart than the margin, by
/// their numbers, to `found`, which holds `count`; returns how many. See feature/face_pair.h.
typedef size_t (*impi_FeatureFn)(const impi_Surface *a, const impi_Surface *b,
                                 const impi_BlockFacePair *candidates, size_t count, double margin,
                                 impi_FaceKey *found);

/// The same for surfaces on their way, see feature/time_of_impact.h.
typedef struct impi_MovingFeature {
    bool (*touch)(const impi_MovingSurface *a, const impi_MovingSurface *b,
                  const impi_BlockFacePair *candidates, size_t count, impi_FaceKey *keys);
    double (*first_time)(const impi_MovingSurface *a, const impi_MovingSurface *b,
                         const impi_BlockFacePair *candidates, size_t count, double until);
    size_t (*times)(const impi_MovingSurface *a, const impi_MovingSurface *b, impi_BlockFacePair *candidates,
                    size_t count, double until, impi_FaceKey *keys, impi_FaceTime *found);
} impi_MovingFeature;

/// What a filter reads and writes: all it gets.
typedef struct impi_FilterRun {
    imp_Context *context;      // allocator, threads, scratch arena, last error
    impi_ScratchPool *scratch; // an arena per task, with what the filter's scratch_size told
    impi_Budget *budget;
    impi_FeatureFn feature;
    impi_MovingFeature moving_feature;
    double margin; // how near counts
    impi_DistanceAsk distance;
    impi_SweepAsk sweep;
    uint64_t max_faces;    // to be kept, of all pairs together; IMPI_ALL_FACES is no limit
    bool counts_all;       // faces beyond those are counted; otherwise they are not looked for
    uint32_t smith_level;  // of smith-1994
    imp_RefineOrder order; // of sphere-refine
    bool asks_containment; // of bodies that do not touch
    impi_PairWork *pairs;
    const uint32_t *list;     // which of the pairs, ascending
    size_t count;             // how many of them
    impi_Body *const *bodies; // all there are, for filters that take all at once; else null
    size_t body_count;
    struct impi_FaceLists *faces;
    struct impi_Estimates *estimates;
    void *memory; // the filter's own, kept from run to run; all zero at first
} impi_FilterRun;

static inline impi_PairWork *impi_run_pair(const impi_FilterRun *run, size_t i)
{
    return &run->pairs[run->list[i]];
}

#define IMPI_KIND_BIT(kind) (1u << (kind))
#define IMPI_ANY_KIND       ((1u << IMPI_SHAPE_KIND_COUNT) - 1)

/// Kinds of shapes, as bits, in either order; 0 takes none.
typedef struct impi_KindPair {
    uint32_t one, other;
} impi_KindPair;

typedef struct impi_Filter {
    const char *name;
    imp_DetectMethod method; // that asks for it by name; IMP_METHOD_AUTO: none does
    impi_KindPair takes_touch, takes_faces, takes_containment, takes_distance, takes_sweep,
        takes_advance; // which bodies it answers each question for; the last one is of sweeps that aren't
                       // exact
    impi_KindPair
        takes_budget;       // of which bodies with sphere trees it refines what is known, while there is time
    bool takes_all_at_once; // answers depend on which pairs come together
    size_t memory_size;
    void (*release_memory)(const imp_Allocator *allocator, void *memory);
    size_t (*scratch_size)(const impi_FilterRun *run); // of a task; null: none

    /// Answer, for every pair of the run that the budget lasts for: add to relations, answered and the rest.
    /// A pair whose question is not fully answered keeps its bit in `answered` unset; what is written of it
    /// is true. IMP_STATUS_OUT_OF_MEMORY or OK.
    imp_Status (*run)(impi_FilterRun *run);
} impi_Filter;

extern const impi_Filter impi_posed_boxes_filter;       // block_filter.c
extern const impi_Filter impi_exact_boxes_filter;       // block_filter.c
extern const impi_Filter impi_smith_filter;             // smith_filter.c
extern const impi_Filter impi_separating_vector_filter; // convex_filter.c
extern const impi_Filter impi_convex_mesh_filter;       // convex_mesh_filter.c
extern const impi_Filter impi_containment_filter;       // containment_filter.c
extern const impi_Filter impi_mesh_distance_filter;     // mesh_distance_filter.c
extern const impi_Filter impi_solid_distance_filter;    // solid_distance_filter.c
extern const impi_Filter impi_sphere_refine_filter;     // sphere_refine.c
extern const impi_Filter impi_time_of_impact_filter;    // sweep_filter.c
extern const impi_Filter impi_advancement_filter;       // advancement_filter.c

/// Do both bodies have spheres that are worth looking at?
bool impi_sphere_refine_takes(const impi_PairWork *pair);

#endif
