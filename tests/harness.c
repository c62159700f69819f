#include "harness.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_TESTS            512
#define MAX_PRINTED_FAILURES 20 // per test; all are counted

static struct {
    struct {
        const char *name;
        TestFn run;
    } tests[MAX_TESTS];
    int test_count;
    uint64_t seed, count, test_seed, random_state;
    double seconds;
    const char *only;
    atomic_int failed_checks; // in the running test
    bool skipped;
} harness = {.seed = 20261115};

void test_register(const char *name, TestFn run)
{
    if (harness.test_count == MAX_TESTS) {
        fprintf(stderr, "more than %d tests in one program\n", MAX_TESTS);
        exit(2);
    }
    harness.tests[harness.test_count].name = name;
    harness.tests[harness.test_count++].run = run;
}

static bool report(bool held, const char *file, int line, const char *format, ...)
{
    if (held)
        return true;
    if (atomic_fetch_add(&harness.failed_checks, 1) < MAX_PRINTED_FAILURES) {
        va_list arguments;
        va_start(arguments, format);
        printf("%s:%d: ", file, line);
        vprintf(format, arguments);
        printf("\n");
        va_end(arguments);
    }
    return false;
}

bool test_check(bool held, const char *expression, const char *file, int line)
{
    return report(held, file, line, "failed: %s", expression);
}

bool test_check_int(int64_t got, int64_t want, const char *expression, const char *file, int line)
{
    return report(got == want, file, line, "%s is %" PRId64 ", expected %" PRId64, expression, got, want);
}

bool test_check_double(double got, double want, const char *expression, const char *file, int line)
{
    bool same = memcmp(&got, &want, sizeof got) == 0 || (isnan(got) && isnan(want));
    return report(same, file, line, "%s is %.17g (%a), expected %.17g (%a)", expression, got, got, want,
                  want);
}

bool test_check_text(const char *got, const char *want, const char *expression, const char *file, int line)
{
    return report(strcmp(got, want) == 0, file, line, "%s is \"%s\", expected \"%s\"", expression, got, want);
}

bool test_check_contains(const char *text, const char *part, const char *expression, const char *file,
                         int line)
{
    return report(strstr(text, part) != NULL, file, line, "%s is \"%s\", expected it to contain \"%s\"",
                  expression, text, part);
}

void test_skip(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("skipped: ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    harness.skipped = true;
}

uint64_t test_count(uint64_t default_count)
{
    return harness.count ? harness.count : default_count;
}

uint64_t test_seed(void)
{
    return harness.seed;
}

double test_seconds(double default_seconds)
{
    return harness.seconds > 0 ? harness.seconds : default_seconds;
}

int test_failed_checks(void)
{
    return atomic_load(&harness.failed_checks);
}

const char *test_source_dir(void)
{
    return TEST_SOURCE_DIR;
}

const char *test_data_dir(void)
{
    const char *dir = getenv("IMPINGE_DATA");
    struct stat info;
    if (!dir)
        dir = TEST_DATA_DIR;
    return stat(dir, &info) == 0 && S_ISDIR(info.st_mode) ? dir : NULL;
}

uint64_t test_random(void)
{
    uint64_t z = harness.random_state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

uint32_t test_random_below(uint32_t limit)
{
    return (uint32_t)(((test_random() >> 32) * limit) >> 32);
}

void test_random_restart(uint64_t number)
{
    harness.random_state = harness.test_seed ^ number * 0xD1342543DE82EF95u;
    (void)test_random();
}

double test_random_unit(void)
{
    return (double)(test_random() >> 11) * 0x1p-53;
}

double test_random_between(double low, double high)
{
    return low + (high - low) * test_random_unit();
}

static void parse_arguments(int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc) {
            fprintf(stderr, "usage: %s [--seed N] [--count N] [--seconds N] [--only NAME]\n", argv[0]);
            exit(2);
        } else if (strcmp(argv[i], "--seed") == 0) {
            harness.seed = strtoull(argv[i + 1], NULL, 0);
        } else if (strcmp(argv[i], "--count") == 0) {
            harness.count = strtoull(argv[i + 1], NULL, 0);
        } else if (strcmp(argv[i], "--seconds") == 0) {
            harness.seconds = strtod(argv[i + 1], NULL);
        } else if (strcmp(argv[i], "--only") == 0) {
            harness.only = argv[i + 1];
        } else {
            fprintf(stderr, "%s: unknown option %s\n", argv[0], argv[i]);
            exit(2);
        }
    }
}

static uint64_t hash_name(const char *name)
{
    uint64_t hash = 14695981039346656037u;
    while (*name)
        hash = (hash ^ (unsigned char)*name++) * 1099511628211u;
    return hash;
}

int test_main(int argc, char **argv)
{
    int passed = 0, failed = 0, skipped = 0;
    parse_arguments(argc, argv);
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("seed %" PRIu64 "\n", harness.seed);
    for (int i = 0; i < harness.test_count; ++i) {
        const char *name = harness.tests[i].name;
        if (harness.only && strcmp(harness.only, name) != 0)
            continue;
        harness.failed_checks = 0;
        harness.skipped = false;
        harness.random_state = harness.test_seed = harness.seed ^ hash_name(name);
        harness.tests[i].run();
        const char *verdict = harness.failed_checks ? "FAILED" : harness.skipped ? "skipped" : "ok";
        if (harness.failed_checks)
            ++failed;
        else if (harness.skipped)
            ++skipped;
        else
            ++passed;
        printf("%-7s %s", verdict, name);
        if (harness.failed_checks)
            printf(" (%d failed checks)", test_failed_checks());
        printf("\n");
    }
    printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
    if (passed + failed + skipped == 0)
        printf("no test ran\n");
    return failed != 0 || passed + failed + skipped == 0;
}
