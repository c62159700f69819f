#include "base/context.h"

#include "base/cores.h"

#include <inttypes.h>

const char *imp_version(void)
{
    return IMP_VERSION;
}

static uint32_t all_cores(void)
{
    uint32_t count = impi_core_count();
    return count > IMP_MAX_THREADS ? IMP_MAX_THREADS : count;
}

#define REFUSE(error, ...) impi_fail_into(error, IMP_STATUS_BAD_ARGUMENT, __VA_ARGS__)

static imp_Status check_def(const imp_ContextDef *def, imp_Error *error)
{
    if (!def->allocator.allocate != !def->allocator.release)
        return REFUSE(error, "imp_ContextDef.allocator has '%s' and no '%s': set both or neither",
                      def->allocator.allocate ? "allocate" : "release",
                      def->allocator.allocate ? "release" : "allocate");
    for (size_t i = 0; i < sizeof def->reserved / sizeof *def->reserved; ++i)
        if (def->reserved[i] != 0)
            return REFUSE(
                error, "imp_ContextDef.reserved[%zu] is %" PRIu64 ", not zero: zero the whole struct first",
                i, def->reserved[i]);
    uint32_t thread_count = def->executor.run ? def->executor.thread_count : def->thread_count;
    if (thread_count > IMP_MAX_THREADS && thread_count != IMP_ALL_CORES)
        return REFUSE(error, "imp_ContextDef.%sthread_count is %" PRIu32 ": at most %d are possible",
                      def->executor.run ? "executor." : "", thread_count, IMP_MAX_THREADS);
    return IMP_STATUS_OK;
}

// Replace the fields that are zero by what they stand for.
static void complete_def(imp_ContextDef *def)
{
    if (!def->allocator.allocate)
        def->allocator = impi_default_allocator;
    uint32_t *thread_count = def->executor.run ? &def->executor.thread_count : &def->thread_count;
    if (*thread_count == 0)
        *thread_count = 1;
    if (*thread_count == IMP_ALL_CORES)
        *thread_count = all_cores();
}

static imp_Status fail_out_of_memory(imp_Error *error)
{
    return impi_fail_into(error, IMP_STATUS_OUT_OF_MEMORY, "out of memory");
}

static imp_Status make_pool(imp_Context *context, uint32_t thread_count, imp_Error *error)
{
    uint32_t refused;
    context->pool = impi_pool_create(&context->allocator, thread_count, &refused);
    if (context->pool)
        return IMP_STATUS_OK;
    if (refused == 0)
        return fail_out_of_memory(error);
    return impi_fail_into(error, IMP_STATUS_OUT_OF_MEMORY,
                          "the system refused to start thread %" PRIu32 " of %" PRIu32, refused,
                          thread_count);
}

imp_Status impi_context_make(const imp_ContextDef *def, imp_Error *error, imp_Context **context)
{
    imp_ContextDef complete = def ? *def : (imp_ContextDef){0};
    if (!context)
        return REFUSE(error, "no room for the context is given");
    imp_Status status = check_def(&complete, error);
    if (status != IMP_STATUS_OK)
        return status;
    complete_def(&complete);
    imp_Context *made = impi_fork_count_begin() ? impi_allocate(&complete.allocator, sizeof *made) : NULL;
    if (!made)
        return fail_out_of_memory(error);
    *made = (imp_Context){
        .allocator = complete.allocator,
        .executor = complete.executor,
        .fork_count = impi_fork_count(),
        .max_file_bytes = complete.max_file_bytes,
        .allow_outside_files = complete.allow_outside_files,
        .error = {.line = IMP_NOWHERE, .byte_offset = IMP_NOWHERE, .index = IMP_NOWHERE},
    };
    impi_arena_init(&made->scratch, &made->allocator);
    if (!made->executor.run && complete.thread_count > 1)
        status = make_pool(made, complete.thread_count, error);
    if (status != IMP_STATUS_OK) {
        imp_context_destroy(made);
        return status;
    }
    if (!made->executor.run)
        made->executor = (imp_Executor){impi_pool_run, complete.thread_count, made->pool};
    *context = made;
    return IMP_STATUS_OK;
}

// Why the last context that this thread wanted was not made. There is no context to keep it in.
static _Thread_local imp_Error create_error;

imp_Status imp_context_create(const imp_ContextDef *def, imp_Context **context)
{
    create_error.status = IMP_STATUS_OK;
    return impi_context_make(def, &create_error, context);
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
    if (!context)
        return create_error.status == IMP_STATUS_OK ? &no_context : &create_error;
    imp_Status status = impi_context_check(context);
    return status == IMP_STATUS_OK ? &context->error : &forked;
}

uint32_t imp_context_get_thread_count(const imp_Context *context)
{
    return impi_context_check(context) == IMP_STATUS_OK ? context->executor.thread_count : 0;
}
