/// Regions in which bodies of a check touch: do they overlap, or do they only touch?
#ifndef IMPINGE_APPS_CHECK_CONTACTS_H
#define IMPINGE_APPS_CHECK_CONTACTS_H

#include "check_scene.h"

typedef struct CheckContacts {
    const imp_Report *report; // of the scene, with its contacts
    double touch_depth;
    bool *overlaps; // one for each contact
} CheckContacts;

/// Judge the contacts of a scene that has been detected with them. What reaches into each other deeper than
/// `touch_depth`, by the upper bound, overlaps. Where the depth is unknown because a body is open, it
/// overlaps where the surfaces cross: along a curve that they share each of them has faces on both sides of
/// the other. Says what went wrong; free them in any case.
CommandResult check_contacts_judge(const CheckScene *scene, double touch_depth, CheckContacts *contacts);

void check_contacts_free(CheckContacts *contacts);

/// Do two touching bodies overlap in any contact? Solids of which one holds the other without their faces
/// touching do, and have none. Pairs are asked about in ascending order: `*next` is 0 at first, and counts
/// the contacts that have been passed.
bool check_bodies_overlap(const CheckContacts *contacts, uint32_t body_a, uint32_t body_b, size_t *next);

#endif
