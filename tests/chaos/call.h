/// Around each call of the library: the world is made hostile before it, and what must hold is checked behind
/// it.
///
///     imp_Mesh *mesh = NULL;
///     Call call = call_make(lane, home, "%zu vertices", def.vertex_count);
///     call_output(&call, &mesh, sizeof mesh);
///     if (flaw == 1)
///         call_expect(&call, IMP_STATUS_BAD_NUMBER, index);
///     CALL(&call, imp_mesh_create, (home->context, &def, &mesh));
///     if (call_is_done(&call))
///         ...
///
/// Before: the outputs are poisoned, an allocation is chosen to fail, a cancel flag to be requested, a
/// floating-point mode to be set. Behind: the status is the expected one, or an expected consequence of what
/// was done before; after a failure the outputs are untouched and the error tells the status, with a message;
/// after a success the error is the one that was there; the floating-point mode is still set. A call that
/// ended through no fault of its arguments (memory, cancel, time) is made again, at last in peace, and must
/// succeed.
#ifndef IMPINGE_TESTS_CHAOS_CALL_H
#define IMPINGE_TESTS_CHAOS_CALL_H

#include "lane.h"

#include <pthread.h>

#define MAX_OUTPUTS 4
#define ANY_INDEX   (UINT64_MAX - 1)

typedef struct CallOutput {
    void *data;
    size_t size;
    bool is_count; // written with IMP_STATUS_BUFFER_SHORT too
} CallOutput;

typedef struct Canceller {
    pthread_t thread;
    imp_Cancel *cancel;
    uint64_t delay_ns;
    bool is_running;
} Canceller;

typedef struct Call {
    Lane *lane;
    Home *home; // null: nobody keeps an error
    char text[160];
    unsigned expected;  // status bits
    uint64_t index;     // that the error has to name
    imp_Cancel *cancel; // that the call looks at
    bool has_budget;    // a watch may end it
    bool obeys_at_once; // a cancel requested before is never overlooked
    CallOutput outputs[MAX_OUTPUTS];
    int output_count;
    void (*check_failed)(void *); // called after each failure; null: none
    void *check_argument;

    Function function;
    int attempts;
    imp_Status status; // of the last one
    bool was_requested;
    uint64_t failures_before;
    uint64_t host_mode;
    Memory *armed;
    Memory *swept; // whose first allocation fails, then its second, and so on until the call gets through
    Canceller canceller;
    imp_Error error_before;
} Call;

/// `home` may be null, for functions without a context and for those whose context is null.
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
Call call_make(Lane *lane, Home *home, const char *format, ...);

/// It has to fail like this. `index` may be ANY_INDEX.
void call_expect(Call *call, imp_Status status, uint64_t index);

/// What the call writes to, and only when it succeeds.
void call_output(Call *call, void *data, size_t size);
void call_count_output(Call *call, void *count, size_t size);

/// The call obeys the watch of its context.
void call_is_watched(Call *call);

void call_before(Call *call, Function function);
void call_after(Call *call, imp_Status status);
bool call_is_to_repeat(const Call *call);

/// It returned IMP_STATUS_OK.
bool call_is_done(const Call *call);

#define CALL(call, function, arguments)                                                                      \
    do {                                                                                                     \
        (call)->attempts = 0;                                                                                \
        do {                                                                                                 \
            call_before((call), FN_##function);                                                              \
            call_after((call), function arguments);                                                          \
        } while (call_is_to_repeat(call));                                                                   \
    } while (0)

/// For functions that return something else, or nothing.
#define CALL_VALUE(call, value, function, arguments)                                                         \
    do {                                                                                                     \
        (call)->attempts = 0;                                                                                \
        call_before((call), FN_##function);                                                                  \
        (value) = function arguments;                                                                        \
        call_after((call), IMP_STATUS_OK);                                                                   \
    } while (0)

#define CALL_VOID(call, function, arguments)                                                                 \
    do {                                                                                                     \
        (call)->attempts = 0;                                                                                \
        call_before((call), FN_##function);                                                                  \
        function arguments;                                                                                  \
        call_after((call), IMP_STATUS_OK);                                                                   \
    } while (0)

#endif
