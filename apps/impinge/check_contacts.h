/// Regions in which bodies of a check touch.
#ifndef IMPINGE_APPS_CHECK_CONTACTS_H
#define IMPINGE_APPS_CHECK_CONTACTS_H

#include "check_scene.h"
#include "playback/overlaps.h"

typedef struct CheckContacts {
    const imp_Report *report; // of the scene, with its contacts
    double touch_depth;       // for pairs of which no rule, and no rounding, tells more
    const bool *overlaps;     // one for each contact
} CheckContacts;

/// Those of a scene that has been detected with overlaps.
static inline CheckContacts check_contacts_of(const CheckScene *scene, double touch_depth)
{
    return (CheckContacts){impi_playback_get_report(scene->playback), touch_depth,
                           impi_playback_get_overlaps(scene->playback)};
}

#endif
