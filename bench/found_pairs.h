/// Face pairs that a peer found in a scene, pose by pose, and how they differ from ours.
#ifndef IMPINGE_BENCH_FOUND_PAIRS_H
#define IMPINGE_BENCH_FOUND_PAIRS_H

#include <impinge/world.h>

#define FOUND_PAIRS_MAX_POSES 200

typedef struct FoundPairs {
    imp_FacePair *pairs;
    size_t capacity, count;
    size_t ends[FOUND_PAIRS_MAX_POSES]; ///< where those of each pose end
    size_t pose_count;
    size_t missing, invented;
    bool is_compared; ///< no pairs are kept any more
    char text[48];
} FoundPairs;

/// Make room for this many in all. Stops the program when there is none.
void found_pairs_reserve(FoundPairs *found, size_t capacity);

/// `count` more stand behind the others: all of the next pose.
void found_pairs_end_pose(FoundPairs *found, size_t count);

/// Count what differs from our report of that pose. Pairs that are repeated count once.
void found_pairs_compare(FoundPairs *found, size_t pose, const imp_Report *report);

/// "yes" or "-10/+17", and nothing is kept from now on.
const char *found_pairs_describe(FoundPairs *found);

void found_pairs_free(FoundPairs *found);

#endif
