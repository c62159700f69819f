/// What `impinge check` prints when distances are asked for.
#ifndef IMPINGE_APPS_CHECK_DISTANCE_OUTPUT_H
#define IMPINGE_APPS_CHECK_DISTANCE_OUTPUT_H

#include "check_distances.h"
#include "check_output.h"

/// `contacts` are those that overlaps were told by. The listing's format and `written` count; remarks go to
/// standard error where the format has no room for them.
void check_put_distances(const CheckScene *scene, const CheckDistances *distances,
                         const CheckContacts *contacts, const CheckListing *listing, impi_Text *output);

#endif
