#include "base/context.h"

#include "base/cores.h"

const char *imp_version(void)
{
    return IMP_VERSION;
}

static uint32_t all_cores(void)
{
    uint32_t count = impi_core_count();
    return count > IMP_MAX_THREADS ? IMP_MAX_THREADS : count;
}

// Replace the fields that are zero by what they stand for. False when it can't be meant.
static bool complete_def(imp_ContextDef *def)
{
    if (!def->allocator.allocate != !def->allocator.release)
        return false;
    if (IMPI_CHECK_RESERVED(NULL, def) != IMP_STATUS_OK)
        return false;
    if (!def->allocator.allocate)
        def->allocator = impi_default_allocator;

    uint32_t *thread_count = def->executor.run ? &def->executor.thread_count : &def->thread_count;
    if (*thread_count == 0)
        *thread_count = 1;
    if (*thread_count == IMP_ALL_CORES)
        *thread_count = all_cores();
    return *thread_count <= IMP_MAX_THREADS;
}

imp_Status imp_context_create(const imp_ContextDef *def, imp_Context **context)
{
    imp_ContextDef complete = def ? *def : (imp_ContextDef){0};
    if (!context || !complete_def(&complete))
        return IMP_STATUS_BAD_ARGUMENT;
    if (!impi_fork_count_begin())
        return IMP_STATUS_OUT_OF_MEMORY;

    imp_Context *made = impi_allocate(&complete.allocator, sizeof *made);
    if (!made)
        return IMP_STATUS_OUT_OF_MEMORY;
    *made = (imp_Context){
        .allocator = complete.allocator,
        .executor = complete.executor,
        .fork_count = impi_fork_count(),
        .max_file_bytes = complete.max_file_bytes,
        .allow_outside_files = complete.allow_outside_files,
        .error = {.line = IMP_NOWHERE, .byte_offset = IMP_NOWHERE, .index = IMP_NOWHERE},
    };
    impi_arena_init(&made->scratch, &made->allocator);
    if (!made->executor.run) {
        if (complete.thread_count > 1) {
            made->pool = impi_pool_create(&made->allocator, complete.thread_count);
            if (!made->pool) {
                imp_context_destroy(made);
                return IMP_STATUS_OUT_OF_MEMORY;
            }
        }
        made->executor = (imp_Executor){impi_pool_run, complete.thread_count, made->pool};
    }
    *context = made;
    return IMP_STATUS_OK;
}

void imp_context_destroy(imp_Context *context)
{
    if (!context || impi_context_is_lost(context))
        return;
    if (impi_context_check(context) == IMP_STATUS_FORKED)
        impi_pool_abandon(context->pool);
    else
        impi_pool_destroy(context->pool);
    impi_arena_destroy(&context->scratch);
    imp_Allocator allocator = context->allocator;
    impi_release(&allocator, context, sizeof *context);
}

const imp_Error *imp_context_get_error(const imp_Context *context)
{
    static const imp_Error no_context = {
        .status = IMP_STATUS_BAD_ARGUMENT,
        .message = "the context is null",
        .line = IMP_NOWHERE,
        .byte_offset = IMP_NOWHERE,
        .index = IMP_NOWHERE,
    };
    static const imp_Error forked = {
        .status = IMP_STATUS_FORKED,
        .message = "the context was made before this process was forked: it can only be destroyed here",
        .line = IMP_NOWHERE,
        .byte_offset = IMP_NOWHERE,
        .index = IMP_NOWHERE,
    };
    imp_Status status = impi_context_check(context);
    return status == IMP_STATUS_OK ? &context->error : status == IMP_STATUS_FORKED ? &forked : &no_context;
}

uint32_t imp_context_get_thread_count(const imp_Context *context)
{
    return impi_context_check(context) == IMP_STATUS_OK ? context->executor.thread_count : 0;
}
