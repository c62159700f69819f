/// Public functions that compute in the context's scratch memory begin and end with these, in a source file
/// that has no arithmetic of its own (base/float_guard.h).
#ifndef IMPINGE_BASE_SCRATCH_CALL_H
#define IMPINGE_BASE_SCRATCH_CALL_H

#include "base/context.h"
#include "base/float_guard.h"

/// The context may be the argument that is null.
static inline imp_Status impi_fail_null(imp_Context *context)
{
    return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "an argument is null");
}

/// Scratch is emptied on both sides of a call: what an earlier call left is of no use, and a reset after the
/// work makes one chunk of what it needed.
static inline impi_FloatGuard impi_scratch_call_begin(imp_Context *context)
{
    impi_arena_reset(&context->scratch);
    impi_watch_begin(&context->watch);
    return impi_float_guard_enter();
}

/// For answers that lie in scratch memory, which stay until the next call. Returns the status.
static inline imp_Status impi_scratch_call_keep(imp_Context *context, impi_FloatGuard guard,
                                                imp_Status status)
{
    impi_watch_end(&context->watch);
    impi_float_guard_leave(guard);
    return status;
}

/// Returns the status.
static inline imp_Status impi_scratch_call_end(imp_Context *context, impi_FloatGuard guard, imp_Status status)
{
    impi_scratch_call_keep(context, guard, status);
    impi_arena_reset(&context->scratch);
    return status;
}

#endif
