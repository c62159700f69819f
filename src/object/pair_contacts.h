/// Contacts of one pair of bodies that touch: regions, curves, points, normals and depths.
#ifndef IMPINGE_OBJECT_PAIR_CONTACTS_H
#define IMPINGE_OBJECT_PAIR_CONTACTS_H

#include "object/contact_graph.h"

/// Lists of one pair; positions in them count from 0.
typedef struct impi_ContactLists {
    IMPI_ARRAY(imp_Contact) contacts;
    IMPI_ARRAY(imp_TouchingFaces) faces;
    IMPI_ARRAY(imp_Polyline) polylines;
    IMPI_ARRAY(imp_Vec3) points;
} impi_ContactLists;

void impi_contact_lists_free(const imp_Allocator *allocator, impi_ContactLists *lists);

/// Find the contacts of two bodies, with `count` touching face pairs, sorted, which are all there are. The
/// lists are written from their begin. Scratch comes from the arena. IMP_STATUS_OUT_OF_MEMORY,
/// IMP_STATUS_OUT_OF_TIME when the budget is over, or OK; no error is recorded.
imp_Status impi_pair_contacts_find(const imp_Allocator *allocator, impi_Arena *arena, impi_Budget *budget,
                                   const impi_ContactSide *a, const impi_ContactSide *b,
                                   const imp_TouchingFaces *faces, size_t count, impi_ContactLists *lists);

#endif
