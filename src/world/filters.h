/// The table of object filters, and who picks from it.
#ifndef IMPINGE_WORLD_FILTERS_H
#define IMPINGE_WORLD_FILTERS_H

#include "object/filter.h"

#define IMPI_FILTER_COUNT 11
#define IMPI_NO_FILTER    UINT32_MAX

/// In the order of preference.
extern const impi_Filter *const impi_filters[IMPI_FILTER_COUNT];

/// Numbers of filters by the kinds of the two shapes; IMPI_NO_FILTER where none answers.
typedef struct impi_FiltersByKind {
    uint32_t filters[IMPI_SHAPE_KIND_COUNT][IMPI_SHAPE_KIND_COUNT];
} impi_FiltersByKind;

/// Which filter answers which question.
typedef struct impi_FilterChoice {
    impi_FiltersByKind touch, faces, containment, distance, sweep, advance, budget;
} impi_FilterChoice;

/// The filter that a method names answers what it can; where it can't, or for IMP_METHOD_AUTO, the first of
/// the table that can.
void impi_filters_choose(imp_DetectMethod method, impi_FilterChoice *choice);

/// The filter that a method names, or null.
const impi_Filter *impi_filter_of(imp_DetectMethod method);

#endif
