/// What comes near: all pairs of bodies that are at most so far apart, decided exactly.
#ifndef IMPINGE_CLEARANCE_H
#define IMPINGE_CLEARANCE_H

#include <impinge/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Zero fields mean defaults.
typedef struct imp_ClearanceDef {
    double distance;          ///< how near counts, in the world's unit; 0: touching
    double relative_accuracy; ///< see imp_DistanceDef
    bool face_pairs;          ///< list all pairs of faces that are that near, too
    bool count_all;           ///< count them all, also those beyond max_face_pairs
    bool ignore_containment;  ///< do not ask which bodies lie inside closed meshes
    uint64_t max_face_pairs;  ///< keep only the first in sorted order; 0 is no limit
    const imp_Cancel *cancel; ///< null: none
    uint64_t reserved[4];     ///< zero
} imp_ClearanceDef;

typedef struct imp_NearBodies {
    imp_BodyId body_a, body_b; ///< slot of a < slot of b
    imp_Distance distance;     ///< its distance is not above that of the def
} imp_NearBodies;

/// Owned by the world, valid until its next clearance or its end. Lists are sorted by slots, then faces.
typedef struct imp_ClearanceReport {
    const imp_NearBodies *pairs;
    size_t pair_count;
    const imp_TouchingFaces *face_pairs; ///< that are near; all those that touch are among them
    size_t face_pair_count;
    uint64_t face_pair_total;  ///< what face_pair_count would be without max_face_pairs, or less (see below)
    bool truncated;            ///< face pairs beyond max_face_pairs were left out
    bool total_is_lower_bound; ///< some pairs' faces were not all counted, for max_face_pairs
    const imp_BodyPair *begun; ///< body pairs that the last clearance did not list
    size_t begun_count;
    const imp_BodyPair *ended; ///< body pairs of the last clearance that are not listed any more
    size_t ended_count;
    uint64_t candidate_body_pairs; ///< whose boxes are that near
} imp_ClearanceReport;

/// Find all pairs of bodies at most `def->distance` apart: those, and only those, whose squared distance in
/// real arithmetic on the posed doubles is at most its square. Pairs that categories, groups or
/// imp_world_ignore_pair exclude are left out, as in a detect. `def` may be null, which means all defaults.
/// What the last clearance found out about bodies that are at rest since is kept, if it was asked the same.
///
/// Face pairs, where they are asked for, are decided in the same way. With max_face_pairs they are looked for
/// in order, up to the body pair in which the limit is passed, unless all are to be counted.
///
/// Relations of begun and ended pairs are 0. The report of imp_world_detect and what it compares with stay as
/// they are. IMP_STATUS_BAD_ARGUMENT when a number of the def is out of its range.
IMP_CHECKED imp_Status imp_world_clearance(imp_World *world, const imp_ClearanceDef *def,
                                           const imp_ClearanceReport **report);

#ifdef __cplusplus
}
#endif

#endif
