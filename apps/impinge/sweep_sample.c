#include "sweep_sample.h"

#include "kit/npy_writer.h"
#include "scenes/shapes.h"

#include <stdlib.h>

#define SEED   1
#define POINTS 8
#define AXES   3

CommandResult sweep_sample_save(const char *path, uint32_t count)
{
    imp_Context *context = command_create_context(&(imp_ContextDef){.thread_count = 1});
    size_t number_count = (size_t)count * POINTS * AXES;
    double *numbers = calloc(number_count, sizeof *numbers);
    CommandResult result = COMMAND_DONE;
    uint64_t state = SEED;
    if (!context || !numbers) {
        result = context ? command_fail("out of memory for %u queries", count) : COMMAND_FAILED;
        goto cleanup;
    }
    for (size_t i = 0; i < number_count; ++i)
        numbers[i] = scene_random_unit(&state);
    const impi_NpyArray array = {IMPI_NPY_FLOAT64, 3, {count, POINTS, AXES}, numbers};
    if (impi_npy_save(context, path, &array) != IMP_STATUS_OK)
        result = command_fail_in(context);
cleanup:
    free(numbers);
    imp_context_destroy(context);
    return result;
}
