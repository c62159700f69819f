// The functions of convex.h about pairs of polytopes. Here arguments are checked and the host's
// floating-point mode is set aside; all arithmetic stands in other files, see base/float_guard.h.
#include "base/scratch_call.h"
#include "geom/pose.h"
#include "object/certificate_check.h"
#include "object/convex_distance.h"
#include "object/separating_vector.h"

#define DEFAULT_ACCURACY 1e-6

typedef struct PairTransforms {
    imp_Transform a, b;
} PairTransforms;

static imp_Status check_pair(imp_Context *context, const imp_ConvexPair *pair, const void *result)
{
    imp_Status status = impi_context_check(context);
    if (status != IMP_STATUS_OK)
        return status;
    if (!pair || !result || !pair->a || !pair->b)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "the pair, a polytope or what the result goes to is null");
    return IMP_STATUS_OK;
}

static imp_Status fail_pose(imp_Context *context, const char *name, const imp_Pose *pose)
{
    return impi_fail(context, IMP_STATUS_BAD_NUMBER, IMP_NOWHERE,
                     "%s (%g %g %g, %g %g %g %g) is not finite or its rotation is not of unit length", name,
                     pose->translation.x, pose->translation.y, pose->translation.z, pose->rotation.w,
                     pose->rotation.x, pose->rotation.y, pose->rotation.z);
}

static bool transform_pair(const imp_ConvexPair *pair, PairTransforms *transforms)
{
    return impi_pose_pair_transform(&pair->pose_a, &pair->pose_b, &transforms->a, &transforms->b);
}

// Which pose it was. A translation that is not finite is noticed by what it makes of vertices.
static imp_Status fail_numbers(imp_Context *context, const imp_ConvexPair *pair)
{
    imp_Transform ignored;
    if (impi_pose_transform(&pair->pose_a, &ignored) != IMP_STATUS_OK)
        return fail_pose(context, "pose_a", &pair->pose_a);
    if (impi_pose_transform(&pair->pose_b, &ignored) != IMP_STATUS_OK)
        return fail_pose(context, "pose_b", &pair->pose_b);
    return impi_fail(context, IMP_STATUS_BAD_NUMBER, IMP_NOWHERE,
                     "a pose moves a vertex beyond the largest double");
}

static imp_Status tell(imp_Context *context, const imp_ConvexPair *pair, imp_Status status)
{
    if (status == IMP_STATUS_OUT_OF_MEMORY)
        return impi_fail_out_of_memory(context);
    return status == IMP_STATUS_BAD_NUMBER ? fail_numbers(context, pair) : status;
}

static imp_Status test(imp_Context *context, imp_ConvexState *state, const imp_ConvexPair *pair,
                       imp_ConvexResult *result)
{
    PairTransforms transforms;
    if (!transform_pair(pair, &transforms))
        return fail_numbers(context, pair);
    imp_ConvexState unknown;
    if (!state) {
        unknown = (imp_ConvexState){.witness_count = 0};
        state = &unknown;
    }
    impi_Polytope a = impi_convex_polytope(pair->a, &transforms.a);
    impi_Polytope b = impi_convex_polytope(pair->b, &transforms.b);
    imp_Status status = impi_convex_test(&context->scratch, &a, &b, state, result);
    return tell(context, pair, status);
}

imp_Status imp_convex_test(imp_Context *context, imp_ConvexState *state, const imp_ConvexPair *pair,
                           imp_ConvexResult *result)
{
    imp_Status status = check_pair(context, pair, result);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_call_begin(context);
    return impi_call_end(context, guard, test(context, state, pair, result));
}

static imp_Status find_distance(imp_Context *context, imp_ConvexState *state, const imp_ConvexPair *pair,
                                double accuracy, imp_ConvexDistance *result)
{
    PairTransforms transforms;
    if (!transform_pair(pair, &transforms))
        return fail_numbers(context, pair);
    imp_ConvexState unknown;
    if (!state) {
        unknown = (imp_ConvexState){.witness_count = 0};
        state = &unknown;
    }
    impi_Polytope a = impi_convex_polytope(pair->a, &transforms.a);
    impi_Polytope b = impi_convex_polytope(pair->b, &transforms.b);
    imp_Status status = impi_convex_distance(&context->scratch, &a, &b, state, accuracy, result);
    return tell(context, pair, status);
}

imp_Status imp_convex_distance(imp_Context *context, imp_ConvexState *state, const imp_ConvexPair *pair,
                               const imp_DistanceDef *def, imp_ConvexDistance *result)
{
    imp_Status status = check_pair(context, pair, result);
    if (status == IMP_STATUS_OK && def)
        status = IMPI_CHECK_RESERVED(context, def);
    if (status != IMP_STATUS_OK)
        return status;
    double accuracy = def && def->relative_accuracy != 0 ? def->relative_accuracy : DEFAULT_ACCURACY;
    if (!(accuracy > 0 && accuracy < 1))
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "a relative accuracy of %g is not between 0 and 1", accuracy);
    impi_FloatGuard guard = impi_call_begin(context);
    return impi_call_end(context, guard, find_distance(context, state, pair, accuracy, result));
}

static imp_Status check_certificate(imp_Context *context, const imp_ConvexPair *pair,
                                    const imp_Certificate *certificate, bool *is_valid)
{
    PairTransforms transforms;
    if (!transform_pair(pair, &transforms))
        return fail_numbers(context, pair);
    impi_PosedPair posed = {pair->a, pair->b, &transforms.a, &transforms.b};
    return impi_certificate_check(context, &posed, certificate, is_valid);
}

imp_Status imp_certificate_check(imp_Context *context, const imp_ConvexPair *pair,
                                 const imp_Certificate *certificate, bool *is_valid)
{
    imp_Status status = check_pair(context, pair, is_valid);
    if (status != IMP_STATUS_OK)
        return status;
    if (!certificate)
        return impi_fail_null(context);
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, check_certificate(context, pair, certificate, is_valid));
}
