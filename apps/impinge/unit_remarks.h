/// Sizes and places of bodies that look like a mixture of units.
#ifndef IMPINGE_APPS_UNIT_REMARKS_H
#define IMPINGE_APPS_UNIT_REMARKS_H

#include "bodies.h"

/// Remark on bodies whose sizes differ a hundredfold, unless units or scales were told, and on one that is
/// far away from all others.
void unit_remarks(const Bodies *bodies, bool units_are_told);

#endif
