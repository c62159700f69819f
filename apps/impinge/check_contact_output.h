/// What `impinge check --contacts` prints.
#ifndef IMPINGE_APPS_CHECK_CONTACT_OUTPUT_H
#define IMPINGE_APPS_CHECK_CONTACT_OUTPUT_H

#include "check_contacts.h"
#include "check_output.h"

/// The listing's format and `written` count; remarks go to standard error where the format has no room for
/// them.
void check_put_contacts(const CheckScene *scene, const CheckContacts *contacts, const CheckListing *listing,
                        impi_Text *output);

#endif
