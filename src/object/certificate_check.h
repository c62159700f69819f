/// Does a certificate prove its verdict?
#ifndef IMPINGE_OBJECT_CERTIFICATE_CHECK_H
#define IMPINGE_OBJECT_CERTIFICATE_CHECK_H

#include "base/context.h"

#include <impinge/convex.h>

/// Two polytopes and where they are.
typedef struct impi_PosedPair {
    const imp_Convex *a, *b;
    const imp_Transform *transform_a, *transform_b;
} impi_PosedPair;

/// See imp_certificate_check. In the default floating-point mode, with an empty scratch.
imp_Status impi_certificate_check(imp_Context *context, const impi_PosedPair *pair,
                                  const imp_Certificate *certificate, bool *is_valid);

#endif
