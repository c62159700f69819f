/// The inside of imp_Context.
#ifndef IMPINGE_BASE_CONTEXT_H
#define IMPINGE_BASE_CONTEXT_H

#include "base/arena.h"
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
    uint64_t max_file_bytes;              // as in imp_ContextDef: 0 is the default
    bool allow_outside_files;
    imp_Error error;
};

#endif
