/// How deep regions of contact are.
#ifndef IMPINGE_OBJECT_CONTACT_DEPTH_H
#define IMPINGE_OBJECT_CONTACT_DEPTH_H

#include "object/pair_contacts.h"

/// Set the depths of all contacts, with proven bounds; unknown ones where a body is open.
/// IMP_STATUS_OUT_OF_MEMORY, IMP_STATUS_OUT_OF_TIME when the budget is over, or OK; no error is recorded.
imp_Status impi_contact_depths_find(const impi_ContactGraph *graph, impi_Budget *budget,
                                    impi_ContactLists *lists);

#endif
