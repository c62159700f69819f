#include "pairs_sample.h"

#include "kit/npy_writer.h"
#include "scenes/shapes.h"

#include <stdlib.h>

#define SEED       1
#define CUBE_SIDE  1.0F
#define MAX_STEP   (51.0F / 1024)
#define ROW_LENGTH 6

// The smallest whole number whose cube is at least 8 n: twice the cube root, the same on every machine.
static uint32_t world_edge(uint32_t box_count)
{
    uint64_t edge = 1;
    while (edge * edge * edge < 8 * (uint64_t)box_count)
        ++edge;
    return (uint32_t)edge;
}

// Multiples of 1/1024, so that sums of them are exact.
static float random_multiple(uint64_t *state, float range)
{
    return (float)(int)(scene_random_unit(state) * (double)range * 1024) / 1024;
}

static void place_cubes(float *rows, uint32_t box_count, uint32_t frame_count)
{
    uint64_t state = SEED;
    float range = (float)world_edge(box_count);
    size_t frame_length = (size_t)box_count * ROW_LENGTH;
    for (size_t i = 0; i < box_count; ++i)
        for (size_t axis = 0; axis < 3; ++axis) {
            float place = random_multiple(&state, range);
            float step = random_multiple(&state, 2 * MAX_STEP) - MAX_STEP;
            for (size_t frame = 0; frame < frame_count; ++frame) {
                float *row = rows + frame * frame_length + i * ROW_LENGTH;
                row[axis] = place + (float)frame * step;
                row[axis + 3] = row[axis] + CUBE_SIDE;
            }
        }
}

CommandResult pairs_sample_save(const char *path, uint32_t box_count, uint32_t frame_count)
{
    uint32_t frames = frame_count ? frame_count : 1;
    imp_Context *context = command_create_context(&(imp_ContextDef){.thread_count = 1});
    float *rows = calloc((size_t)box_count * frames, ROW_LENGTH * sizeof *rows);
    CommandResult result = COMMAND_DONE;
    if (!context || !rows) {
        result = context ? command_fail("out of memory for %u boxes in %u frames", box_count, frames)
                         : COMMAND_FAILED;
        goto cleanup;
    }
    place_cubes(rows, box_count, frames);
    impi_NpyArray array = {IMPI_NPY_FLOAT32, 2, {box_count, ROW_LENGTH, 0}, rows};
    if (frame_count)
        array = (impi_NpyArray){IMPI_NPY_FLOAT32, 3, {frames, box_count, ROW_LENGTH}, rows};
    if (impi_npy_save(context, path, &array) != IMP_STATUS_OK)
        result = command_fail_in(context);
cleanup:
    free(rows);
    imp_context_destroy(context);
    return result;
}
