#include "base/float_guard.h"
#include "object/convex_distance.h"
#include "object/separating_vector.h"

#define DEFAULT_ACCURACY 1e-6

static imp_Status check_pair(imp_Context *context, const imp_ConvexPair *pair, const void *result)
{
    if (!context)
        return IMP_STATUS_BAD_ARGUMENT;
    if (!pair || !result || !pair->a || !pair->b || !pair->transform_a || !pair->transform_b)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "a polytope, a transform or the place for the result is null");
    return IMP_STATUS_OK;
}

static imp_Status tell(imp_Context *context, imp_Status status)
{
    if (status == IMP_STATUS_OUT_OF_MEMORY)
        return impi_fail_out_of_memory(context);
    if (status == IMP_STATUS_BAD_NUMBER)
        return impi_fail(context, IMP_STATUS_BAD_NUMBER, IMP_NOWHERE,
                         "a transform is not finite, or moves a vertex beyond the largest double");
    return status;
}

imp_Status imp_convex_test(imp_Context *context, imp_ConvexState *state, const imp_ConvexPair *pair,
                           imp_ConvexResult *result)
{
    imp_Status status = check_pair(context, pair, result);
    if (status != IMP_STATUS_OK)
        return status;
    imp_ConvexState unknown = {.witness_count = 0};
    impi_FloatGuard guard = impi_float_guard_enter();
    impi_Polytope a = impi_convex_polytope(pair->a, pair->transform_a);
    impi_Polytope b = impi_convex_polytope(pair->b, pair->transform_b);
    status = impi_convex_test(&context->scratch, &a, &b, state ? state : &unknown, result);
    impi_float_guard_leave(guard);
    return tell(context, status);
}

imp_Status imp_convex_distance(imp_Context *context, imp_ConvexState *state, const imp_ConvexPair *pair,
                               const imp_DistanceDef *def, imp_ConvexDistance *result)
{
    imp_Status status = check_pair(context, pair, result);
    if (status != IMP_STATUS_OK)
        return status;
    double accuracy = def && def->relative_accuracy != 0 ? def->relative_accuracy : DEFAULT_ACCURACY;
    if (!(accuracy > 0 && accuracy < 1))
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "a relative accuracy of %g is not between 0 and 1", accuracy);
    imp_ConvexState unknown = {.witness_count = 0};
    impi_FloatGuard guard = impi_float_guard_enter();
    impi_Polytope a = impi_convex_polytope(pair->a, pair->transform_a);
    impi_Polytope b = impi_convex_polytope(pair->b, pair->transform_b);
    status = impi_convex_distance(&context->scratch, &a, &b, state ? state : &unknown, accuracy, result);
    impi_float_guard_leave(guard);
    return tell(context, status);
}
