#include "call.h"

#include "base/float_guard.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define POISON            0xA5
#define MAX_ATTEMPTS      200
#define MOST_SWEEPS       150
#define MAX_CANCEL_DELAY  200000 // ns
#define MOST_TRACED       3      // attempts
#define ALL_FROM_THERE_ON 1000000000

// ---- what a call is

Call call_make(Lane *lane, Home *home, const char *format, ...)
{
    Call call = {.lane = lane, .home = home, .expected = STATUS_BIT(OK), .index = ANY_INDEX};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(call.text, sizeof call.text, format, arguments);
    va_end(arguments);
    return call;
}

void call_expect(Call *call, imp_Status status, uint64_t index)
{
    call->expected = 1u << status;
    call->index = index;
}

void call_output(Call *call, void *data, size_t size)
{
    if (CHECK(call->output_count < MAX_OUTPUTS))
        call->outputs[call->output_count++] = (CallOutput){data, size, false};
}

void call_count_output(Call *call, void *count, size_t size)
{
    call_output(call, count, size);
    call->outputs[call->output_count - 1].is_count = true;
}

void call_is_watched(Call *call)
{
    if (!call->home)
        return;
    call->cancel = call->home->watch_cancel;
    call->has_budget = call->home->watch_budget_us != 0;
}

bool call_is_done(const Call *call)
{
    return call->status == IMP_STATUS_OK;
}

static const imp_Error *error_of(const Call *call)
{
    return call->home->query ? imp_query_get_error(call->home->query)
                             : imp_context_get_error(call->home->context);
}

static bool keeps_error(const Call *call)
{
    return call->home && (call->home->query || call->home->context);
}

// ---- the host's floating-point mode

#if defined(__x86_64__)
#define MODE_FLAGS IMPI_MXCSR_STICKY_BITS
static const uint64_t host_modes[] = {0x1F80, 0x3F80, 0x5F80, 0x7F80, 0x9F80,
                                      0x1FC0, 0x9FC0, 0xDFC0}; // rounding, flush to zero, zero subnormals
#elif defined(__aarch64__)
#define MODE_FLAGS 0u
static const uint64_t host_modes[] = {0, 1u << 22, 2u << 22, 3u << 22, 1u << 24, 1u << 24 | 1u << 22};
#else
#define MODE_FLAGS 0u
static const uint64_t host_modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
#endif
#define HOST_MODE_COUNT (sizeof host_modes / sizeof *host_modes)

// ---- making it hostile

static void *cancel_later(void *argument)
{
    const Canceller *canceller = argument;
    nanosleep(&(struct timespec){.tv_nsec = (long)canceller->delay_ns}, NULL);
    imp_cancel_request(canceller->cancel);
    return NULL;
}

static void start_canceller(Call *call)
{
    call->canceller = (Canceller){.cancel = call->cancel};
    call->canceller.delay_ns = choose(&call->lane->choices, MAX_CANCEL_DELAY);
    call->canceller.is_running = call->lane->is_timed && pthread_create(&call->canceller.thread, NULL,
                                                                        cancel_later, &call->canceller) == 0;
}

static void arm(Call *call, Memory *memory, MemoryEvent event, uint64_t run)
{
    Choices *choices = &call->lane->choices;
    uint64_t n = 1 + choose(choices, 1u << choose(choices, 7));
    call->armed = memory;
    if (memory)
        memory_arm(memory, event, n, run, call->cancel);
}

static void choose_cancel(Call *call)
{
    Home *home = call->home;
    switch (choose(&call->lane->choices, 8)) {
    case 3:
        imp_cancel_request(call->cancel);
        break;
    case 4:
        arm(call, home->memory, MEMORY_CANCELS, 1);
        break;
    case 5:
        home->executor.cancel = call->cancel;
        atomic_store(&home->executor.waiting, choose(&call->lane->choices, 20));
        break;
    case 6:
        start_canceller(call);
        break;
    case 7:
        if (choose_rarely(&call->lane->choices, 40))
            arm(call, home->memory, MEMORY_DAWDLES, 1);
        break;
    default:
        break;
    }
}

// Mostly the memory of the context; at times that of shapes, which hold what is derived from them. Other
// lanes rely on that of the shelf.
static Memory *memory_to_fail(Call *call)
{
    Lane *lane = call->lane;
    if (lane->is_alone && choose_rarely(&lane->choices, 5))
        return &lane->shelf->memory;
    if (call->home && call->home->memory)
        return call->home->memory;
    return lane->memory_count ? lane->memories[choose(&lane->choices, (uint32_t)lane->memory_count)] : NULL;
}

// Nobody watches any more whether it takes too long.
static void lift_budget(Call *call)
{
    if (!call->has_budget || call->attempts == 0 || call->status != IMP_STATUS_OUT_OF_TIME)
        return;
    CHECK_INT(imp_context_watch(call->home->context, NULL), IMP_STATUS_OK);
    call->home->watch_cancel = call->cancel = NULL;
    call->home->watch_budget_us = 0;
    call->has_budget = false;
}

static void make_hostile(Call *call)
{
    Choices *choices = &call->lane->choices;
    bool is_valid = call->expected & STATUS_BIT(OK);
    if (call->attempts == 0)
        call->swept = NULL;
    if (call->swept && call->attempts < MOST_SWEEPS) {
        call->armed = call->swept;
        memory_arm(call->armed, MEMORY_FAILS, (uint64_t)call->attempts + 1, 1, NULL);
    }
    if (call->attempts > 0)
        return;
    if (call->cancel)
        choose_cancel(call);
    if (!call->armed && is_valid && function_may_return(call->function, IMP_STATUS_OUT_OF_MEMORY) &&
        choose_rarely(choices, 4)) {
        Memory *memory = memory_to_fail(call);
        uint32_t kind = choose(choices, 5);
        if (kind == 4 && memory) {
            call->armed = call->swept = memory;
            memory_arm(memory, MEMORY_FAILS, 1, 1, NULL);
        } else {
            arm(call, memory, MEMORY_FAILS, kind < 2 ? 1 : ALL_FROM_THERE_ON);
        }
    }
}

void call_before(Call *call, Function function)
{
    Lane *lane = call->lane;
    call->function = function;
    if (call->attempts == 0)
        trace_add(&lane->trace, "%s: %s", function_name(function), call->text);
    for (int i = 0; i < call->output_count; ++i)
        memset(call->outputs[i].data, POISON, call->outputs[i].size);
    if (keeps_error(call))
        call->error_before = *error_of(call);
    lift_budget(call);
    make_hostile(call);
    call->was_requested = call->cancel && imp_cancel_is_requested(call->cancel);
    call->failures_before = atomic_load(lane->failure_count);
    call->host_mode = IMPI_FLOAT_MODE_DEFAULT;
    if (choose_rarely(&lane->choices, 4))
        call->host_mode = host_modes[choose(&lane->choices, HOST_MODE_COUNT)];
    impi_float_mode_set(call->host_mode);
}

// ---- what must hold

static bool is_untouched(const CallOutput *output)
{
    const unsigned char *bytes = output->data;
    for (size_t i = 0; i < output->size; ++i)
        if (bytes[i] != POISON)
            return false;
    return true;
}

static void check_failure(const Call *call)
{
    for (int i = 0; i < call->output_count; ++i)
        if (!(call->outputs[i].is_count && call->status == IMP_STATUS_BUFFER_SHORT))
            CHECK(is_untouched(&call->outputs[i]));
    if (call->check_failed)
        call->check_failed(call->check_argument);
    if (!keeps_error(call))
        return;
    const imp_Error *error = error_of(call);
    CHECK_INT(error->status, call->status);
    CHECK(error->message[0] != '\0' && !strchr(error->message, '\n'));
    CHECK(memchr(error->message, '\0', sizeof error->message) != NULL);
    if (call->index != ANY_INDEX && (call->expected >> call->status & 1))
        CHECK_INT((int64_t)error->index, (int64_t)call->index);
}

// What may have ended a call that was fine.
static bool is_excused(const Call *call)
{
    switch (call->status) {
    case IMP_STATUS_OUT_OF_MEMORY:
        return atomic_load(call->lane->failure_count) > call->failures_before;
    case IMP_STATUS_CANCELLED:
        return call->cancel && imp_cancel_is_requested(call->cancel);
    case IMP_STATUS_OUT_OF_TIME:
        return call->has_budget;
    default:
        return false;
    }
}

static void make_peaceful(Call *call)
{
    if (call->armed)
        memory_disarm(call->armed);
    call->armed = NULL;
    if (call->home)
        call->home->executor.cancel = NULL;
    if (call->canceller.is_running)
        pthread_join(call->canceller.thread, NULL);
    call->canceller.is_running = false;
}

static void count_call(Call *call)
{
    Lane *lane = call->lane;
    bool has_failed = atomic_load(lane->failure_count) > call->failures_before;
    ++lane->tally.statuses[call->function][call->status];
    ++lane->tally.calls;
    lane_count(lane, OUTCOME_foreign_float_mode, call->host_mode != IMPI_FLOAT_MODE_DEFAULT);
    lane_count(lane, OUTCOME_allocation_failed, call->status == IMP_STATUS_OUT_OF_MEMORY);
    lane_count(lane, OUTCOME_cancelled_inside, call->status == IMP_STATUS_CANCELLED && !call->was_requested);
    lane_count(lane, OUTCOME_watch_ended_call,
               call->function != FN_imp_world_detect &&
                   (call->status == IMP_STATUS_CANCELLED || call->status == IMP_STATUS_OUT_OF_TIME));
    lane_count(lane, OUTCOME_allocation_failed_in_vain, has_failed && call->status == IMP_STATUS_OK);
}

void call_after(Call *call, imp_Status status)
{
    uint64_t mode = impi_float_mode_get();
    impi_float_mode_set(IMPI_FLOAT_MODE_DEFAULT);
    CHECK_INT((int64_t)(mode & ~(uint64_t)MODE_FLAGS), (int64_t)(call->host_mode & ~(uint64_t)MODE_FLAGS));
    make_peaceful(call);
    call->status = status;
    ++call->attempts;
    if (!CHECK((int)status >= 0 && (int)status < STATUS_COUNT))
        return;
    if (call->attempts <= MOST_TRACED || status == IMP_STATUS_OK)
        trace_append(&call->lane->trace, call->attempts == 1 ? " -> %s" : ", %s", imp_status_name(status));
    count_call(call);
    bool is_expected = call->expected >> status & 1;
    if (!CHECK(is_expected || is_excused(call)) || !CHECK(function_may_return(call->function, status)))
        printf("  %s: %s (%s)\n", function_name(call->function), imp_status_name(status),
               keeps_error(call) ? error_of(call)->message : "no error is kept");
    if (status != IMP_STATUS_OK)
        check_failure(call);
    else if (keeps_error(call) && !CHECK(memcmp(&call->error_before, error_of(call), sizeof(imp_Error)) == 0))
        printf("  an error after success: %s\n", error_of(call)->message);
    if (call->obeys_at_once && call->was_requested && (call->expected & STATUS_BIT(OK)))
        CHECK_INT(status, IMP_STATUS_CANCELLED);
    if (call->cancel)
        imp_cancel_reset(call->cancel);
}

bool call_is_to_repeat(const Call *call)
{
    bool is_passing = call->status == IMP_STATUS_OUT_OF_MEMORY || call->status == IMP_STATUS_CANCELLED ||
                      call->status == IMP_STATUS_OUT_OF_TIME;
    return is_passing && !(call->expected >> call->status & 1) && call->attempts < MAX_ATTEMPTS;
}
