#include "broad/box_rows.h"

#include <float.h>
#include <math.h>

// Enough that the middle of the sample lies among most boxes, few enough to be sorted in a microsecond.
#define SAMPLE_COUNT 64

// How many samples may lie beyond either side of what counts as the bulk.
#define OUTLIER_COUNT 8

bool impi_box_rows_is_box(const impi_BoxRows *rows, size_t index)
{
    for (int axis = 0; axis < 3; ++axis) {
        double low, high;
        if (rows->float_rows) {
            low = (double)rows->float_rows[6 * index + (size_t)axis];
            high = (double)rows->float_rows[6 * index + 3 + (size_t)axis];
        } else {
            low = rows->double_rows[6 * index + (size_t)axis];
            high = rows->double_rows[6 * index + 3 + (size_t)axis];
        }
        if (!(low >= -DBL_MAX && low <= high && high <= DBL_MAX))
            return false;
    }
    return true;
}

typedef struct Sample {
    size_t count;
    double centers[3][SAMPLE_COUNT]; // ascending on each axis
    bool all_floats;
} Sample;

static void insert_sorted(double *values, size_t count, double value)
{
    for (; count > 0 && values[count - 1] > value; --count)
        values[count] = values[count - 1];
    values[count] = value;
}

static void take_sample(const impi_BoxRows *rows, Sample *sample)
{
    sample->count = 0;
    sample->all_floats = true;
    size_t wanted = rows->count < SAMPLE_COUNT ? rows->count : SAMPLE_COUNT;
    for (size_t i = 0; i < wanted; ++i) {
        size_t index = (size_t)((double)i * ((double)rows->count / (double)wanted));
        const double *row = rows->double_rows + 6 * index;
        if (!impi_box_rows_is_box(rows, index))
            continue;
        for (int k = 0; k < 6; ++k)
            sample->all_floats &= impi_is_float(row[k]);
        for (int axis = 0; axis < 3; ++axis)
            insert_sorted(sample->centers[axis], sample->count, row[axis] * 0.5 + row[axis + 3] * 0.5);
        ++sample->count;
    }
}

void impi_box_rows_choose_map(impi_BoxRows *rows)
{
    *rows = (impi_BoxRows){rows->float_rows, rows->double_rows, rows->count, {0, 0, 0}, 1};
    Sample sample;
    if (rows->float_rows)
        return;
    take_sample(rows, &sample);
    if (sample.all_floats || sample.count == 0)
        return;
    size_t skipped = sample.count > 4 * OUTLIER_COUNT ? OUTLIER_COUNT : 0;
    double bulk = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double *centers = sample.centers[axis];
        rows->origin[axis] = centers[sample.count / 2];
        bulk = fmax(bulk, centers[sample.count - 1 - skipped] * 0.5 - centers[skipped] * 0.5);
    }
    int exponent;
    frexp(bulk, &exponent);
    rows->scale = bulk > 0 ? ldexp(1, exponent < -1000 ? 1000 : -exponent) : 1;
}
