/// Random programs over the whole public interface, with arguments that are right and wrong, memory that runs
/// out, cancels, shapes that threads share and floating-point modes that hosts set; and a model beside them
/// that knows what must hold. docs/internals/layout.md#chaos tells how it is built.
///
/// Program i has the seed of the command line plus i; a failure names the seed, and `--seed N --count 1` runs
/// that program again. It goes on for `--seconds`, or for `--count` programs.
#include "base/clock.h"
#include "harness.h"
#include "patterns.h"
#include "program.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define DEFAULT_SECONDS     20
#define MOST_SECONDS_OF_ONE 120

static uint64_t running_seed;

// Whatever ends the process, say which program it was.
static void tell_seed(void)
{
    printf("the program of seed %" PRIu64 " was running\n", running_seed);
    program_print_traces();
    fflush(stdout);
}

static void die(int signal_number)
{
    signal(signal_number, SIG_DFL);
    tell_seed();
    raise(signal_number);
}

#if defined(__GNUC__)
// Where sanitizers are, they tell of a death here.
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
#endif

static void expect_death(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM, SIGTERM};
#if defined(__GNUC__)
    if (__sanitizer_set_death_callback) {
        __sanitizer_set_death_callback(tell_seed);
        signal(SIGALRM, die);
        return;
    }
#endif
    for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i)
        signal(signals[i], die);
}

TEST(programs_do_what_the_model_says)
{
    static Tally tally;
    uint64_t count = test_count(UINT64_MAX), start = impi_clock_ns();
    double seconds = count == UINT64_MAX ? test_seconds(DEFAULT_SECONDS) : 1e9;
    expect_death();
    patterns_make();
    for (uint64_t i = 0; i < count && 1e-9 * (double)(impi_clock_ns() - start) < seconds; ++i) {
        running_seed = test_seed() + i;
        alarm(MOST_SECONDS_OF_ONE);
        if (!program_run_seed(running_seed, &tally)) {
            printf("  the program of seed %" PRIu64 " failed: --seed %" PRIu64 " --count 1 runs it again\n",
                   running_seed, running_seed);
            break;
        }
    }
    alarm(0);
    patterns_free();
    tally_print(&tally);
    if (count == UINT64_MAX)
        tally_check(&tally);
}
