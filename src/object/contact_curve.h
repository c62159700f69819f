/// The curves of regions as polylines.
#ifndef IMPINGE_OBJECT_CONTACT_CURVE_H
#define IMPINGE_OBJECT_CONTACT_CURVE_H

#include "object/pair_contacts.h"

/// Chain the segments of all regions and list the polylines; sets the contacts' first_polyline and
/// polyline_count. Where an even number of segments meet in each node, as for closed bodies in general
/// position, all of them are closed. False when out of memory.
bool impi_contact_curves_list(const imp_Allocator *allocator, const impi_ContactGraph *graph,
                              impi_ContactLists *lists);

#endif
