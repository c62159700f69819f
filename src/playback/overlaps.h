/// Bodies that touch: do they overlap, or do they only touch?
#ifndef IMPINGE_PLAYBACK_OVERLAPS_H
#define IMPINGE_PLAYBACK_OVERLAPS_H

#include "playback/motion.h"

#include <impinge/world.h>

/// How deep two bodies may reach into each other and still only touch. body_a < body_b.
typedef double (*impi_TouchDepthFn)(uint32_t body_a, uint32_t body_b, const void *user);

typedef struct impi_OverlapJudge impi_OverlapJudge;

/// The motion must outlive the judge.
imp_Status impi_overlap_judge_create(imp_Context *context, const impi_Motion *motion,
                                     impi_TouchDepthFn touch_depth, const void *user,
                                     impi_OverlapJudge **judge);

/// Null is fine.
void impi_overlap_judge_destroy(impi_OverlapJudge *judge);

/// Judge the contacts of a frame: (*overlaps)[i] is about report->contacts[i], and valid until the next call;
/// never null.
/// Bodies of the report have the slots 1, 2, ... in the order of the motion.
///
/// Two bodies overlap in a contact that is deeper than their touch depth, by the upper bound. Where the depth
/// is unknown because a body is open, they do where the surfaces cross: along a curve that they share each of
/// them has faces on both sides of the other. And they do in all their contacts when, without any of them
/// being deep, one holds a point from deep inside of the other, as a part does that is there twice.
imp_Status impi_overlaps_judge(impi_OverlapJudge *judge, uint32_t frame, const imp_Report *report,
                               const bool **overlaps);

/// Do two touching bodies overlap in any contact? Solids of which one holds the other without their faces
/// touching do, and have none. Pairs are asked about in ascending order: `*next` is 0 at first, and counts
/// the contacts that have been passed.
bool impi_bodies_overlap(const imp_Report *report, const bool *overlaps, uint32_t body_a, uint32_t body_b,
                         size_t *next);

#endif
