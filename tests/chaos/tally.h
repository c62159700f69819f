/// How often each function returned each status, and how often each kind of answer occurred: proof that the
/// programs reach what they are to test.
#ifndef IMPINGE_TESTS_CHAOS_TALLY_H
#define IMPINGE_TESTS_CHAOS_TALLY_H

#include "functions.h"

// Each must occur at least once in so many programs.
#define CHAOS_OUTCOMES(O)                                                                                    \
    O(bodies_touch, 2)                                                                                       \
    O(body_inside, 10)                                                                                       \
    O(open_container, 50)                                                                                    \
    O(solid_touches_mesh, 20)                                                                                \
    O(solids_touch, 20)                                                                                      \
    O(contact_deep, 20)                                                                                      \
    O(contact_open, 40)                                                                                      \
    O(pair_begun, 5)                                                                                         \
    O(pair_ended, 12)                                                                                        \
    O(faces_truncated, 20)                                                                                   \
    O(faces_uncounted, 40)                                                                                   \
    O(detect_first_found, 10)                                                                                \
    O(detect_again_unchanged, 5)                                                                             \
    O(fresh_world_agrees, 5)                                                                                 \
    O(budget_spent, 50)                                                                                      \
    O(budget_lasted, 50)                                                                                     \
    O(refined, 30)                                                                                           \
    O(cancelled_inside, 200)                                                                                 \
    O(watch_ended_call, 60)                                                                                  \
    O(detect_recovered, 50)                                                                                  \
    O(body_deformed, 10)                                                                                     \
    O(box_pairs_found, 5)                                                                                    \
    O(broad_begun, 8)                                                                                        \
    O(broad_ended, 20)                                                                                       \
    O(convex_touches, 10)                                                                                    \
    O(convex_apart, 10)                                                                                      \
    O(convex_judged, 10)                                                                                     \
    O(tree_covers, 10)                                                                                       \
    O(tree_refused, 10)                                                                                      \
    O(octree_of_mesh, 10)                                                                                    \
    O(octrees_combined, 10)                                                                                  \
    O(octree_moved, 20)                                                                                      \
    O(octree_file_refused, 20)                                                                               \
    O(certificate_refuted, 50)                                                                               \
    O(distance_measured, 10)                                                                                 \
    O(bodies_measured, 10)                                                                                   \
    O(measure_stopped, 60)                                                                                   \
    O(bodies_near, 10)                                                                                       \
    O(near_begun, 10)                                                                                        \
    O(near_ended, 30)                                                                                        \
    O(near_faces_truncated, 60)                                                                              \
    O(configuration_free, 20)                                                                                \
    O(configuration_related, 20)                                                                             \
    O(features_meet, 10)                                                                                     \
    O(features_miss, 10)                                                                                     \
    O(sweep_at_start, 20)                                                                                    \
    O(sweep_on_the_way, 20)                                                                                  \
    O(advanced, 40)                                                                                          \
    O(self_pair_found, 30)                                                                                   \
    O(point_inside, 10)                                                                                      \
    O(file_intact, 5)                                                                                        \
    O(file_damaged_refused, 5)                                                                               \
    O(file_damaged_read, 20)                                                                                 \
    O(scene_deforms, 20)                                                                                     \
    O(query_touches, 10)                                                                                     \
    O(query_apart, 10)                                                                                       \
    O(kernel_judged, 2)                                                                                      \
    O(foreign_float_mode, 1)                                                                                 \
    O(allocation_failed, 1)                                                                                  \
    O(allocation_failed_in_vain, 50)                                                                         \
    O(host_ran_tasks, 20)                                                                                    \
    O(shared_between_lanes, 10)                                                                              \
    O(context_gone_before_shape, 5)

typedef enum Outcome {
#define CHAOS_OUTCOME_NAME(name, programs) OUTCOME_##name,
    CHAOS_OUTCOMES(CHAOS_OUTCOME_NAME)
#undef CHAOS_OUTCOME_NAME
        OUTCOME_COUNT,
} Outcome;

typedef struct Tally {
    uint64_t statuses[FUNCTION_COUNT][STATUS_COUNT];
    uint64_t outcomes[OUTCOME_COUNT];
    uint64_t programs, calls;
} Tally;

const char *function_name(Function function);

/// May the function return it at all?
bool function_may_return(Function function, imp_Status status);

void tally_add(Tally *sum, const Tally *part);
void tally_print(const Tally *tally);

/// Check that nothing is missing that must have occurred in so many programs.
void tally_check(const Tally *tally);

#endif
