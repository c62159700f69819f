/// Long lists of triangle pairs, several at a time and on all threads of a context.
#ifndef IMPINGE_GEOM_TRIANGLE_PAIRS_H
#define IMPINGE_GEOM_TRIANGLE_PAIRS_H

#include <impinge/math.h>

/// As imp_triangle_pairs_touch, with arguments checked and the default floating-point mode.
imp_Status impi_triangle_pairs_touch(imp_Context *context, const imp_Triangle *a, const imp_Triangle *b,
                                     size_t count, bool *touch);

#endif
