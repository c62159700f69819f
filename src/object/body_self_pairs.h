/// Which faces of one body share more than they should?
#ifndef IMPINGE_OBJECT_BODY_SELF_PAIRS_H
#define IMPINGE_OBJECT_BODY_SELF_PAIRS_H

#include "object/body.h"

/// See imp_body_self_pairs. Uses the context's scratch arena, and expects the default floating-point mode.
imp_Status impi_body_self_pairs(imp_Context *context, const impi_Body *body, imp_FacePair *pairs,
                                size_t capacity, size_t *count);

#endif
