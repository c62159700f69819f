/// The inside of imp_Context.
#ifndef IMPINGE_BASE_CONTEXT_H
#define IMPINGE_BASE_CONTEXT_H

#include "base/arena.h"
#include "base/fork.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/tasks.h"
#include "base/watch.h"

#include <impinge/base.h>

struct imp_Context {
    imp_Allocator allocator;
    imp_Executor executor;                // complete: `run` is never null and thread_count at least 1
    impi_Pool *pool;                      // null when the caller brought an executor or one thread is enough
    impi_Arena scratch;                   // emptied by each public call that uses it
    struct imp_SearchStats *search_stats; // see imp_pairs_measure; null: not wanted
    impi_Watch watch;                     // see imp_context_watch
    uint32_t fork_count;                  // when it was made, see base/fork.h
    atomic_uint call_depth;               // calls that go on and change what lives in it (base/call.h)
    uint64_t max_file_bytes;              // as in imp_ContextDef: 0 is the default
    bool allow_outside_files;
    imp_Error error;
};

/// As imp_context_create, with why it failed in `error`, which may be null, and not where that keeps it: for
/// contexts that nobody outside of the library asked for.
imp_Status impi_context_make(const imp_ContextDef *def, imp_Error *error, imp_Context **context);

/// Every public call that gets a context, or something that works in one, asks this first:
/// IMP_STATUS_BAD_ARGUMENT for null, IMP_STATUS_FORKED in a child of the process that made it, or OK.
static inline imp_Status impi_context_check(const imp_Context *context)
{
    if (!context)
        return IMP_STATUS_BAD_ARGUMENT;
    return context->fork_count == impi_fork_count() ? IMP_STATUS_OK : IMP_STATUS_FORKED;
}

/// Was the process forked while a call changed what was made in the context? Then nobody knows what can be
/// freed, and nothing is.
static inline bool impi_context_is_lost(const imp_Context *context)
{
    return impi_context_check(context) == IMP_STATUS_FORKED &&
           atomic_load_explicit(&context->call_depth, memory_order_relaxed) > 0;
}

#endif
