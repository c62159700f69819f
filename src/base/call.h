/// Public functions that compute, or change what lives in a context, begin and end with these, in a source
/// file that has no arithmetic of its own (base/float_guard.h).
#ifndef IMPINGE_BASE_CALL_H
#define IMPINGE_BASE_CALL_H

#include "base/context.h"
#include "base/float_guard.h"

static inline imp_Status impi_fail_null(imp_Context *context)
{
    return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "an argument is null");
}

/// impi_context_check, and then: are the other arguments there?
static inline imp_Status impi_call_check(imp_Context *context, bool has_arguments)
{
    imp_Status status = impi_context_check(context);
    return status == IMP_STATUS_OK && !has_arguments ? impi_fail_null(context) : status;
}

/// Calls may be made of others.
static inline impi_FloatGuard impi_call_begin(imp_Context *context)
{
    // Nothing that the call writes comes before this, so that a forked child which sees any of it sees this
    // too.
    atomic_fetch_add_explicit(&context->call_depth, 1, memory_order_acquire);
    return impi_float_guard_enter();
}

/// Returns the status.
static inline imp_Status impi_call_end(imp_Context *context, impi_FloatGuard guard, imp_Status status)
{
    impi_float_guard_leave(guard);
    unsigned depth = atomic_load_explicit(&context->call_depth, memory_order_relaxed);
    atomic_store_explicit(&context->call_depth, depth - 1, memory_order_release);
    return status;
}

#endif
