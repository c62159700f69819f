// Steps of base.h, cancel.h and watch.h.
#include "broad_model.h"
#include "call.h"
#include "steps.h"
#include "world_lane.h"

#include <string.h>

// ---- contexts

static const uint32_t thread_counts[] = {0, 1, 2, 3, 5, IMP_ALL_CORES};

static void choose_executor(Lane *lane, Home *home, imp_ContextDef *def)
{
    home->has_executor = choose_rarely(&lane->choices, 3);
    if (!home->has_executor)
        return;
    home->executor.kind = (ExecutorKind)choose(&lane->choices, EXECUTOR_KIND_COUNT);
    def->executor = executor_hooks(&home->executor, 1 + choose(&lane->choices, 4));
}

static void spoil_context_def(Lane *lane, uint32_t flaw, imp_ContextDef *def)
{
    switch (flaw) {
    case 2:
        def->allocator = (imp_Allocator){.release = memory_hooks(NULL).release};
        break;
    case 3:
        spoil_reserved(lane, def->reserved, sizeof def->reserved);
        break;
    case 4:
        def->executor.run = NULL;
        def->thread_count = IMP_MAX_THREADS + 1;
        break;
    default:
        break;
    }
}

static void check_new_context(Lane *lane, Home *home, const imp_ContextDef *def)
{
    uint32_t count = 0, wanted = def->executor.run ? def->executor.thread_count : def->thread_count;
    const imp_Error *error = NULL;
    Call call = call_make(lane, home, "the new one");
    CALL_VALUE(&call, count, imp_context_get_thread_count, (home->context));
    CHECK(count >= 1 && (wanted == IMP_ALL_CORES || count == (wanted ? wanted : 1)));
    CALL_VALUE(&call, error, imp_context_get_error, (home->context));
    CHECK(error && error->status == IMP_STATUS_OK && error->message[0] == '\0');
}

bool step_make_context(Lane *lane)
{
    int number = 0;
    while (number < MAX_HOMES && lane->homes[number].context)
        ++number;
    if (number == MAX_HOMES)
        return false;
    Home *home = &lane->homes[number];
    *home = (Home){.memory = lane_memory(lane)};
    imp_ContextDef def = {.thread_count = thread_counts[choose(&lane->choices, 6)]};
    if (home->memory)
        def.allocator = memory_hooks(home->memory);
    if (choose_rarely(&lane->choices, 6))
        def.max_file_bytes = home->max_file_bytes = 1 + choose(&lane->choices, 3000);
    choose_executor(lane, home, &def);
    uint32_t flaw = lane_flaw(lane, 4);
    spoil_context_def(lane, flaw, &def);
    imp_Context *made = NULL;
    Call call = call_make(lane, home, "home %d, %d threads, executor %d, flaw %u", number,
                          (int)def.thread_count, home->has_executor ? (int)home->executor.kind : -1, flaw);
    if (flaw)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    call_output(&call, &made, sizeof made);
    CALL(&call, imp_context_create, (&def, flaw == 1 ? NULL : &made));
    if (!call_is_done(&call)) {
        *home = (Home){0};
        return false;
    }
    home->context = made;
    check_new_context(lane, home, &def);
    return true;
}

static size_t count_homes(const Lane *lane)
{
    size_t count = 0;
    for (int i = 0; i < MAX_HOMES; ++i)
        count += lane->homes[i].context != NULL;
    return count;
}

void end_home(Lane *lane, Home *home)
{
    for (int i = 0; i < MAX_BROADS; ++i)
        if (lane->broads[i] && lane->broads[i]->home == home)
            end_broad(lane, i);
    for (int i = 0; i < MAX_WORLDS; ++i)
        if (lane->worlds[i] && lane->worlds[i]->home == home)
            end_world(lane, i);
    Call call = call_make(lane, NULL, "home %d", (int)(home - lane->homes));
    CALL_VOID(&call, imp_context_destroy, (home->context));
    lane_count(lane, OUTCOME_host_ran_tasks, atomic_load(&home->executor.task_count) > 0);
    *home = (Home){0};
    lane_count(lane, OUTCOME_context_gone_before_shape,
               lane->meshes[0] || lane->convexes[0] || lane->trees[0] || lane->octrees[0]);
}

static void end_some_home(Lane *lane)
{
    Home *home = lane_home(lane);
    Call call = call_make(lane, NULL, "null");
    if (count_homes(lane) > 1)
        end_home(lane, home);
    else
        CALL_VOID(&call, imp_context_destroy, (NULL));
}

// ---- names and nothing

static void ask_names(Lane *lane)
{
    Call call = call_make(lane, NULL, "names");
    const char *name = NULL;
    imp_Status status = (imp_Status)choose(&lane->choices, STATUS_COUNT + 3);
    CALL_VALUE(&call, name, imp_version, ());
    CHECK_TEXT(name ? name : "", IMP_VERSION);
    CALL_VALUE(&call, name, imp_status_name, (status));
    CHECK(name && *name);
    int method = (int)choose(&lane->choices, 6);
    CALL_VALUE(&call, name, imp_method_name, ((imp_DetectMethod)method));
    CHECK((name != NULL) == (method >= IMP_METHOD_EXACT_BOXES && method <= IMP_METHOD_SPHERES));
}

static void ask_null_context(Lane *lane)
{
    Call call = call_make(lane, NULL, "null");
    const imp_Error *error = NULL;
    uint32_t count = 1;
    CALL_VALUE(&call, error, imp_context_get_error, (NULL));
    CHECK(error && error->status != IMP_STATUS_OK && error->message[0]);
    CALL_VALUE(&call, count, imp_context_get_thread_count, (NULL));
    CHECK_INT(count, 0);
}

// ---- cancel flags

static void make_cancel(Lane *lane, imp_Cancel **place)
{
    Home *home = lane_home(lane);
    imp_Cancel *made = NULL;
    uint32_t flaw = lane_flaw(lane, 2);
    Call call = call_make(lane, flaw == 1 ? NULL : home, "flaw %u", flaw);
    if (flaw)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    call_output(&call, &made, sizeof made);
    CALL(&call, imp_cancel_create, (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : &made));
    if (call_is_done(&call))
        *place = made;
}

static void end_cancel(Lane *lane, imp_Cancel **place)
{
    for (int i = 0; i < MAX_HOMES; ++i) {
        Home *home = &lane->homes[i];
        if (*place && home->watch_cancel == *place) {
            Call call = call_make(lane, home, "nobody");
            CALL(&call, imp_context_watch, (home->context, NULL));
            home->watch_cancel = NULL;
            home->watch_budget_us = 0;
        }
    }
    Call call = call_make(lane, NULL, "%s", *place ? "one" : "null");
    CALL_VOID(&call, imp_cancel_destroy, (*place));
    *place = NULL;
}

static void use_cancel(Lane *lane)
{
    imp_Cancel **place = &lane->cancels[choose(&lane->choices, MAX_CANCELS)];
    bool is_requested = false;
    if (!*place && choose(&lane->choices, 8) != 7) {
        make_cancel(lane, place);
        return;
    }
    Call call = call_make(lane, NULL, "%s", *place ? "one" : "null");
    CALL_VOID(&call, imp_cancel_request, (*place));
    CALL_VALUE(&call, is_requested, imp_cancel_is_requested, (*place));
    CHECK(is_requested == (*place != NULL));
    CALL_VOID(&call, imp_cancel_reset, (*place));
    CALL_VALUE(&call, is_requested, imp_cancel_is_requested, (*place));
    CHECK(!is_requested);
    if (choose_rarely(&lane->choices, 6))
        end_cancel(lane, place);
}

// ---- watches

// Requests the end at once, where there is a flag.
static void hear_progress(const imp_Progress *progress, void *user)
{
    CHECK(progress && progress->work && progress->done >= 0 && progress->done <= 1);
    imp_cancel_request(user);
}

static void watch_context(Lane *lane)
{
    Home *home = lane_home(lane);
    imp_Cancel *cancel = lane_cancel(lane);
    imp_Watch watch = {.cancel = cancel};
    if (choose_rarely(&lane->choices, 3))
        watch.budget_us = 1 + choose(&lane->choices, 1u << choose(&lane->choices, 12));
    if (choose_rarely(&lane->choices, 2)) {
        watch.progress = hear_progress;
        watch.user = cancel;
    }
    bool ends = choose_rarely(&lane->choices, 2);
    uint32_t flaw = lane_flaw(lane, 2);
    Call call = call_make(lane, flaw == 1 ? NULL : home, "cancel %d, %d us, ends %d, flaw %u", cancel != NULL,
                          (int)watch.budget_us, ends, flaw);
    if (flaw)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    if (flaw == 2)
        spoil_reserved(lane, watch.reserved, sizeof watch.reserved);
    CALL(&call, imp_context_watch, (flaw == 1 ? NULL : home->context, ends && flaw != 2 ? NULL : &watch));
    if (!call_is_done(&call))
        return;
    home->watch_cancel = ends ? NULL : cancel;
    home->watch_budget_us = ends ? 0 : watch.budget_us;
}

// ---- the step

void step_base(Lane *lane)
{
    switch (choose(&lane->choices, 8)) {
    case 0:
        ask_names(lane);
        break;
    case 1:
        ask_null_context(lane);
        break;
    case 2:
        end_some_home(lane);
        break;
    case 3:
        watch_context(lane);
        break;
    case 4:
    case 5:
    case 6:
        use_cancel(lane);
        break;
    default:
        step_make_context(lane);
    }
}
