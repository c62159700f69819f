/// What is wrong with a box?
#ifndef IMPINGE_KIT_BOX_CHECK_H
#define IMPINGE_KIT_BOX_CHECK_H

#include <impinge/broad.h>

/// The first box that is not finite or whose min exceeds its max; their count when all are good.
size_t impi_boxes_first_bad(const imp_BoxArray *boxes);

/// The name of a number of a row, "max y".
const char *impi_box_number_name(size_t column);

#define IMPI_MAX_BOX_FAULT 100

/// Say what is wrong with a box that is bad: "min y 3 exceeds max y 2", "max z is nan".
void impi_box_describe_fault(const imp_BoxArray *boxes, size_t box, char text[IMPI_MAX_BOX_FAULT]);

#endif
