/// A small test harness: tests register themselves, a failed check prints file, line and values and the
/// test goes on, the program exits 1 when any check failed.
///
///     TEST(boxes_that_share_a_corner_overlap)
///     {
///         CHECK(box_overlaps(a, b));
///         CHECK_INT(pair_count(world), 3);
///     }
///
/// Every test program takes `--seed N`, `--count N` (how many random cases; programs choose a default
/// that fits `make test`), `--seconds N` (how long, for programs that go by the clock) and `--only NAME`. The
/// seed in use is printed.
#ifndef IMPINGE_TESTS_HARNESS_H
#define IMPINGE_TESTS_HARNESS_H

#include <stdbool.h>
#include <stdint.h>

typedef void (*TestFn)(void);

void test_register(const char *name, TestFn run);

/// Run what is registered, as the command line asks; returns the exit status. harness_main.c calls it, in a
/// file of its own so that programs with a main of their own can use the checks.
int test_main(int argc, char **argv);

#define TEST(name)                                                                                           \
    static void test_##name(void);                                                                           \
    __attribute__((constructor)) static void register_##name(void)                                           \
    {                                                                                                        \
        test_register(#name, test_##name);                                                                   \
    }                                                                                                        \
    static void test_##name(void)

/// Each returns whether it held, so that a test can stop when going on makes no sense. Any thread.
#define CHECK(condition)        test_check((condition), #condition, __FILE__, __LINE__)
#define CHECK_INT(got, want)    test_check_int((got), (want), #got, __FILE__, __LINE__)
#define CHECK_DOUBLE(got, want) test_check_double((got), (want), #got, __FILE__, __LINE__)
#define CHECK_TEXT(got, want)   test_check_text((got), (want), #got, __FILE__, __LINE__)
/// `part` occurs in `text`.
#define CHECK_CONTAINS(text, part) test_check_contains((text), (part), #text, __FILE__, __LINE__)

bool test_check(bool held, const char *expression, const char *file, int line);
bool test_check_int(int64_t got, int64_t want, const char *expression, const char *file, int line);
/// Equal as bits, except that all NaN are alike.
bool test_check_double(double got, double want, const char *expression, const char *file, int line);
bool test_check_text(const char *got, const char *want, const char *expression, const char *file, int line);
bool test_check_contains(const char *text, const char *part, const char *expression, const char *file,
                         int line);

/// Say why the running test is left out. It counts as skipped unless it failed before.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void test_skip(const char *format, ...);

/// `--count` from the command line, or the default given here.
uint64_t test_count(uint64_t default_count);

/// `--seconds`, or the default given here.
double test_seconds(double default_seconds);

uint64_t test_seed(void);

/// How many checks of the running test have failed so far. Any thread.
int test_failed_checks(void);

/// The folder of sample data beside the project, or null where there is none (then say what is skipped).
const char *test_data_dir(void);

/// The root of the project's source.
const char *test_source_dir(void);

/// Random numbers (splitmix64), started anew for each test from the seed and the test's name.
uint64_t test_random(void);
/// Start anew with another sequence for each number: what case NUMBER is then does not depend on how much
/// the cases before it drew, which may depend on the clock.
void test_random_restart(uint64_t number);
uint32_t test_random_below(uint32_t limit);
double test_random_unit(void); ///< [0, 1)
double test_random_between(double low, double high);

#endif
