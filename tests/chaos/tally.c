#include "tally.h"

#include "harness.h"

#include <inttypes.h>
#include <stdio.h>

// From how many programs on each function must have returned each of its statuses, and each outcome have
// occurred as often as it must.
#define PROGRAMS_FOR_STATUSES 2500
#define PROGRAMS_FOR_OUTCOMES 200

static const struct {
    const char *name;
    unsigned must, may;
} functions[FUNCTION_COUNT] = {
#define CHAOS_FUNCTION_ROW(name, must, may) {#name, must, may},
    CHAOS_FUNCTIONS(CHAOS_FUNCTION_ROW)
#undef CHAOS_FUNCTION_ROW
};

static const struct {
    const char *name;
    uint64_t programs;
} outcomes[OUTCOME_COUNT] = {
#define CHAOS_OUTCOME_ROW(name, programs) {#name, programs},
    CHAOS_OUTCOMES(CHAOS_OUTCOME_ROW)
#undef CHAOS_OUTCOME_ROW
};

const char *function_name(Function function)
{
    return functions[function].name;
}

bool function_may_return(Function function, imp_Status status)
{
    return (functions[function].must | functions[function].may) >> status & 1;
}

void tally_add(Tally *sum, const Tally *part)
{
    for (int i = 0; i < FUNCTION_COUNT; ++i)
        for (int k = 0; k < STATUS_COUNT; ++k)
            sum->statuses[i][k] += part->statuses[i][k];
    for (int i = 0; i < OUTCOME_COUNT; ++i)
        sum->outcomes[i] += part->outcomes[i];
    sum->programs += part->programs;
    sum->calls += part->calls;
}

void tally_print(const Tally *tally)
{
    printf("  %" PRIu64 " programs, %" PRIu64 " calls\n", tally->programs, tally->calls);
    for (int k = 0; k < STATUS_COUNT; ++k) {
        uint64_t sum = 0;
        for (int i = 0; i < FUNCTION_COUNT; ++i)
            sum += tally->statuses[i][k];
        printf("  %s: %" PRIu64 "\n", imp_status_name((imp_Status)k), sum);
    }
    for (int i = 0; i < OUTCOME_COUNT; ++i)
        printf("%s %s %" PRIu64, i % 5 ? "," : i ? "\n " : " ", outcomes[i].name, tally->outcomes[i]);
    printf("\n");
}

void tally_check(const Tally *tally)
{
    for (int i = 0; i < FUNCTION_COUNT && tally->programs >= PROGRAMS_FOR_STATUSES; ++i)
        for (int k = 0; k < STATUS_COUNT; ++k)
            if ((functions[i].must >> k & 1) && !CHECK(tally->statuses[i][k] > 0))
                printf("  %s never returned \"%s\" in %" PRIu64 " programs\n", functions[i].name,
                       imp_status_name((imp_Status)k), tally->programs);
    for (int i = 0; i < OUTCOME_COUNT && tally->programs >= PROGRAMS_FOR_OUTCOMES; ++i)
        if (!CHECK(tally->outcomes[i] >= tally->programs / outcomes[i].programs))
            printf("  %s occurred %" PRIu64 " times in %" PRIu64 " programs\n", outcomes[i].name,
                   tally->outcomes[i], tally->programs);
}
