#include "base/context.h"

#include "base/cores.h"
#include "failing_allocator.h"
#include "harness.h"

#include <impinge/impinge.h>

#include <pthread.h>

static void run_in_order(imp_TaskFn task, void *argument, uint32_t task_count, void *user)
{
    *(uint32_t *)user += task_count;
    for (uint32_t i = 0; i < task_count; ++i)
        task(i, argument);
}

static void count_items(size_t begin, size_t end, size_t block, void *argument)
{
    size_t *blocks = argument;
    blocks[block] = end - begin;
}

// Shared out over the context, 10 blocks of 10 items.
static void check_work(imp_Context *context)
{
    size_t blocks[10] = {0};
    impi_parallel_for(&context->executor, 100, 10, count_items, blocks);
    for (int i = 0; i < 10; ++i)
        CHECK_INT(blocks[i], 10);
}

TEST(defaults_are_one_thread_and_the_heap)
{
    for (int i = 0; i < 2; ++i) {
        imp_Context *context = NULL;
        imp_ContextDef def = {0};
        CHECK_INT(imp_context_create(i == 0 ? NULL : &def, &context), IMP_STATUS_OK);
        CHECK_INT(imp_context_get_thread_count(context), 1);
        CHECK(context->pool == NULL);
        CHECK(context->executor.run != NULL);
        check_work(context);
        imp_context_destroy(context);
    }
}

TEST(new_context_has_no_error)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    const imp_Error *error = imp_context_get_error(context);
    CHECK_INT(error->status, IMP_STATUS_OK);
    CHECK_TEXT(error->message, "");
    CHECK_TEXT(error->file, "");
    CHECK(error->line == IMP_NOWHERE && error->byte_offset == IMP_NOWHERE && error->index == IMP_NOWHERE);
    imp_context_destroy(context);
}

TEST(null_context_is_harmless)
{
    imp_context_destroy(NULL);
    CHECK_INT(imp_context_get_error(NULL)->status, IMP_STATUS_BAD_ARGUMENT);
    CHECK_TEXT(imp_context_get_error(NULL)->message, "the context is null");
    CHECK_INT(imp_context_get_thread_count(NULL), 0);
}

TEST(contexts_have_the_threads_asked_for)
{
    for (uint32_t thread_count = 1; thread_count <= 5; ++thread_count) {
        imp_Context *context = NULL;
        CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = thread_count}, &context),
                  IMP_STATUS_OK);
        CHECK_INT(imp_context_get_thread_count(context), thread_count);
        check_work(context);
        imp_context_destroy(context);
    }
}

TEST(all_cores_are_those_that_we_may_use)
{
    imp_Context *context = NULL;
    uint32_t cores = impi_core_count();
    CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = IMP_ALL_CORES}, &context), IMP_STATUS_OK);
    CHECK_INT(imp_context_get_thread_count(context), cores < IMP_MAX_THREADS ? cores : IMP_MAX_THREADS);
    check_work(context);
    imp_context_destroy(context);
}

TEST(hosts_executor_is_used)
{
    imp_Context *context = NULL;
    uint32_t tasks_run = 0;
    imp_ContextDef def = {.executor = {run_in_order, 3, &tasks_run}, .thread_count = 7};
    CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
    CHECK_INT(imp_context_get_thread_count(context), 3);
    CHECK(context->pool == NULL);
    check_work(context);
    CHECK_INT(tasks_run, 10);
    imp_context_destroy(context);

    def.executor.thread_count = 0;
    CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
    CHECK_INT(imp_context_get_thread_count(context), 1);
    imp_context_destroy(context);
}

TEST(bad_definitions_are_refused_and_the_output_left_alone)
{
    FailingAllocator memory;
    failing_allocator_init(&memory, 0);
    imp_Allocator hooks = failing_allocator_hooks(&memory);
    uint32_t tasks_run = 0;
    const imp_ContextDef bad[] = {
        {.allocator = {.allocate = hooks.allocate, .user = &memory}},
        {.allocator = {.release = hooks.release, .user = &memory}},
        {.allocator = hooks, .thread_count = IMP_MAX_THREADS + 1},
        {.allocator = hooks, .thread_count = IMP_ALL_CORES - 1},
        {.allocator = hooks, .executor = {run_in_order, IMP_MAX_THREADS + 1, &tasks_run}},
        {.allocator = hooks, .reserved = {0, 7}},
    };
    imp_Context *untouched = (imp_Context *)&memory;
    static const char *const messages[] = {
        "imp_ContextDef.allocator has 'allocate' and no 'release': set both or neither",
        "imp_ContextDef.allocator has 'release' and no 'allocate': set both or neither",
        "imp_ContextDef.thread_count is 1025: at most 1024 are possible",
        "imp_ContextDef.thread_count is 4294967294: at most 1024 are possible",
        "imp_ContextDef.executor.thread_count is 1025: at most 1024 are possible",
        "imp_ContextDef.reserved[1] is 7, not zero: zero the whole struct first",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        imp_Context *context = untouched;
        CHECK_INT(imp_context_create(&bad[i], &context), IMP_STATUS_BAD_ARGUMENT);
        CHECK(context == untouched);
        CHECK_INT(imp_context_get_error(NULL)->status, IMP_STATUS_BAD_ARGUMENT);
        CHECK_TEXT(imp_context_get_error(NULL)->message, messages[i]);
        CHECK(imp_context_get_error(NULL)->index == IMP_NOWHERE);
    }
    CHECK_INT(imp_context_create(&(imp_ContextDef){.allocator = hooks}, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_TEXT(imp_context_get_error(NULL)->message, "no room for the context is given");
    CHECK_INT(memory.allocations, 0);
}

static void *find_no_failure(void *unused)
{
    CHECK_TEXT(imp_context_get_error(NULL)->message, "the context is null");
    return unused;
}

TEST(why_a_context_was_not_made_is_told_to_the_thread_that_wanted_it)
{
    pthread_t other;
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = 5000}, &context), IMP_STATUS_BAD_ARGUMENT);
    CHECK_CONTAINS(imp_context_get_error(NULL)->message, "thread_count is 5000");
    CHECK(pthread_create(&other, NULL, find_no_failure, NULL) == 0 && pthread_join(other, NULL) == 0);
    CHECK_CONTAINS(imp_context_get_error(NULL)->message, "thread_count is 5000");
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    CHECK_TEXT(imp_context_get_error(NULL)->message, "the context is null");
    imp_context_destroy(context);
}

// The library makes contexts for itself, too.
TEST(why_a_context_was_not_made_is_told_until_the_caller_makes_one)
{
    imp_Context *context = NULL, *other = NULL;
    imp_World *world = NULL;
    imp_Query *query = NULL;
    const imp_ConfigurationsReport *report = NULL;
    const imp_Allocator half = {.allocate = impi_default_allocator.allocate};
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_OK);
    CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = 5000}, &other), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(
        imp_world_detect_configurations(world, &(imp_ConfigurationsDef){.configuration_count = 1}, &report),
        IMP_STATUS_OK);
    CHECK_CONTAINS(imp_context_get_error(NULL)->message, "thread_count is 5000");
    CHECK_INT(imp_query_create(NULL, &query), IMP_STATUS_OK);
    CHECK_CONTAINS(imp_context_get_error(NULL)->message, "thread_count is 5000");
    imp_query_destroy(query);
    CHECK_INT(imp_query_create(&half, &query), IMP_STATUS_BAD_ARGUMENT);
    CHECK_CONTAINS(imp_context_get_error(NULL)->message, "thread_count is 5000");
    imp_world_destroy(world);
    imp_context_destroy(context);
}

static void check_every_failing_allocation(uint32_t thread_count)
{
    FailingAllocator memory;
    uint64_t n = 0;
    do {
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory), .thread_count = thread_count};
        imp_Context *context = NULL;
        imp_Status status = imp_context_create(&def, &context);
        if (failing_allocator_has_failed(&memory)) {
            CHECK_INT(status, IMP_STATUS_OUT_OF_MEMORY);
            CHECK(context == NULL);
            CHECK_INT(imp_context_get_error(NULL)->status, IMP_STATUS_OUT_OF_MEMORY);
            CHECK_TEXT(imp_context_get_error(NULL)->message, "out of memory");
        } else {
            CHECK_INT(status, IMP_STATUS_OK);
            bool got_scratch = impi_arena_allocate(&context->scratch, 100000) != NULL;
            CHECK_INT(got_scratch, !failing_allocator_has_failed(&memory));
        }
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 1);
}

TEST(every_failing_allocation_is_a_status_and_leaks_nothing)
{
    check_every_failing_allocation(1);
    check_every_failing_allocation(3);
}
