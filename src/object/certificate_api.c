// The public face of the check: arguments checked, the host's floating-point mode set aside. The arithmetic
// stands in another file, see base/float_guard.h.
#include "base/scratch_call.h"
#include "object/certificate_check.h"

static bool has_null(const imp_ConvexPair *pair)
{
    return !pair || !pair->a || !pair->b || !pair->transform_a || !pair->transform_b;
}

imp_Status imp_certificate_check(imp_Context *context, const imp_ConvexPair *pair,
                                 const imp_Certificate *certificate, bool *is_valid)
{
    if (!context || has_null(pair) || !certificate || !is_valid)
        return impi_fail_null(context);
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard,
                                 impi_certificate_check(context, pair, certificate, is_valid));
}
