/// Public functions that compute in the context's scratch memory begin and end with these: see base/call.h.
#ifndef IMPINGE_BASE_SCRATCH_CALL_H
#define IMPINGE_BASE_SCRATCH_CALL_H

#include "base/call.h"

/// Scratch is emptied on both sides of a call: what an earlier call left is of no use, and a reset after the
/// work makes one chunk of what it needed.
static inline impi_FloatGuard impi_scratch_call_begin(imp_Context *context)
{
    impi_FloatGuard guard = impi_call_begin(context);
    impi_arena_reset(&context->scratch);
    impi_watch_begin(&context->watch);
    return guard;
}

/// For answers that lie in scratch memory, which stay until the next call. Returns the status.
static inline imp_Status impi_scratch_call_keep(imp_Context *context, impi_FloatGuard guard,
                                                imp_Status status)
{
    impi_watch_end(&context->watch);
    return impi_call_end(context, guard, status);
}

/// Returns the status.
static inline imp_Status impi_scratch_call_end(imp_Context *context, impi_FloatGuard guard, imp_Status status)
{
    impi_arena_reset(&context->scratch);
    return impi_scratch_call_keep(context, guard, status);
}

#endif
