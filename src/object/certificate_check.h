/// Does a certificate prove its verdict?
#ifndef IMPINGE_OBJECT_CERTIFICATE_CHECK_H
#define IMPINGE_OBJECT_CERTIFICATE_CHECK_H

#include "base/context.h"

#include <impinge/convex.h>

/// imp_certificate_check without its checks of null arguments, in the default floating-point mode, with an
/// empty scratch.
imp_Status impi_certificate_check(imp_Context *context, const imp_ConvexPair *pair,
                                  const imp_Certificate *certificate, bool *is_valid);

#endif
