// Programs over the whole public interface whose choices come from the bytes, with the model of tests/chaos
// beside them.

#include "tests/chaos/patterns.h"
#include "tests/chaos/program.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static Tally tally;
    if (tally.programs == 0) {
        patterns_make();
        atexit(patterns_free);
    }
    if (!program_run_bytes(bytes, size, &tally)) {
        fprintf(stderr, "broken promise: a program did what the model does not say\n");
        fflush(stdout);
        abort();
    }
    return 0;
}
