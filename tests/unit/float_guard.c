#include "base/float_guard.h"

#include "base/memory.h"
#include "base/tasks.h"
#include "harness.h"

#include <fenv.h>
#include <float.h>

// Through volatile, so that the sums are made at run time, in the mode of that moment.
static bool rounds_to_nearest(void)
{
    volatile double one = 1.0, little = DBL_EPSILON / 8;
    volatile double more = one + little, less = one - little;
    return more == 1.0 && less == 1.0;
}

static bool keeps_subnormals(void)
{
    volatile double smallest_normal = DBL_MIN, half = 0.5, subnormal = 0x1p-1074;
    volatile double made = smallest_normal * half, read = subnormal * 4.0;
    return made != 0.0 && read != 0.0;
}

static bool is_default_arithmetic(void)
{
    return rounds_to_nearest() && keeps_subnormals() && impi_float_mode_is_default(impi_float_mode_get());
}

static void check_guarded_from(uint64_t host_mode)
{
    uint64_t before = impi_float_mode_get();
    impi_float_mode_set(host_mode);
    impi_FloatGuard guard = impi_float_guard_enter();
    bool is_default_inside = is_default_arithmetic();
    impi_FloatGuard inner = impi_float_guard_enter();
    impi_float_guard_leave(inner);
    bool is_default_after_inner = is_default_arithmetic();
    impi_float_guard_leave(guard);
    uint64_t after = impi_float_mode_get();
    impi_float_mode_set(before);
    CHECK(is_default_inside);
    CHECK(is_default_after_inner);
    CHECK_INT(after, host_mode);
}

TEST(default_mode_stays)
{
    impi_FloatGuard guard = impi_float_guard_enter();
    CHECK(is_default_arithmetic());
    impi_float_guard_leave(guard);
    CHECK(is_default_arithmetic());
}

TEST(rounding_modes_are_set_aside_and_restored)
{
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};
    for (int i = 0; i < 4; ++i) {
        fesetround(modes[i]);
        bool is_nearest_outside = rounds_to_nearest();
        impi_FloatGuard guard = impi_float_guard_enter();
        bool is_default_inside = is_default_arithmetic();
        impi_float_guard_leave(guard);
        int mode_after = fegetround();
        bool is_nearest_after = rounds_to_nearest();
        fesetround(FE_TONEAREST);
        CHECK_INT(is_nearest_outside, modes[i] == FE_TONEAREST);
        CHECK(is_default_inside);
        CHECK_INT(mode_after, modes[i]);
        CHECK_INT(is_nearest_after, is_nearest_outside);
    }
}

#if defined(__x86_64__)

#define FLUSH_TO_ZERO      0x8000u
#define DENORMALS_ARE_ZERO 0x0040u
#define ROUND_UP           0x4000u
#define INEXACT_RAISED     0x0020u

TEST(lost_subnormals_are_set_aside_and_restored)
{
    uint64_t before = impi_float_mode_get();
    impi_float_mode_set(before | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO);
    bool keeps_outside = keeps_subnormals();
    impi_float_mode_set(before);
    CHECK(!keeps_outside); // else this test would test nothing

    check_guarded_from(IMPI_MXCSR_DEFAULT | FLUSH_TO_ZERO);
    check_guarded_from(IMPI_MXCSR_DEFAULT | DENORMALS_ARE_ZERO);
    check_guarded_from(IMPI_MXCSR_DEFAULT | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO);
    check_guarded_from(IMPI_MXCSR_DEFAULT | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO | ROUND_UP);
}

TEST(raised_flags_of_the_host_are_restored)
{
    check_guarded_from(IMPI_MXCSR_DEFAULT | ROUND_UP | INEXACT_RAISED);
}

TEST(unmasked_exceptions_do_not_trap_inside)
{
    // Inexact results trap in this mode: the sums inside would end the program.
    check_guarded_from(IMPI_MXCSR_DEFAULT & ~0x1000u);
}

#elif defined(__aarch64__)

#define FLUSH_TO_ZERO ((uint64_t)1 << 24)
#define ROUND_UP      ((uint64_t)1 << 22)

TEST(lost_subnormals_are_set_aside_and_restored)
{
    check_guarded_from(FLUSH_TO_ZERO);
    check_guarded_from(FLUSH_TO_ZERO | ROUND_UP);
}

#endif

static void note_arithmetic(size_t begin, size_t end, size_t block, void *argument)
{
    bool *is_default = argument;
    (void)block;
    for (size_t i = begin; i < end; ++i)
        is_default[i] = is_default_arithmetic();
}

static void check_tasks_started_from_upward_rounding(uint32_t thread_count)
{
    enum { COUNT = 1000 };
    bool is_default[COUNT] = {false};
    // Threads inherit the mode of the thread that starts them.
    fesetround(FE_UPWARD);
    impi_Pool *pool = impi_pool_create(&impi_default_allocator, thread_count, NULL);
    if (pool) {
        imp_Executor executor = {impi_pool_run, thread_count, pool};
        impi_parallel_for(&executor, COUNT, 1, note_arithmetic, is_default);
    }
    bool is_nearest_after = rounds_to_nearest();
    fesetround(FE_TONEAREST);
    CHECK(pool != NULL);
    CHECK(!is_nearest_after);
    for (int i = 0; i < COUNT; ++i)
        CHECK(is_default[i]);
    impi_pool_destroy(pool);
}

TEST(tasks_run_in_the_default_mode_whatever_their_threads_are_in)
{
    check_tasks_started_from_upward_rounding(1);
    check_tasks_started_from_upward_rounding(3);
}
