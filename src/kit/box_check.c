#include "kit/box_check.h"

#include "io/decimal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_FLOAT_DIGITS 9
#define MAX_NUMBER       (IMPI_MAX_DECIMAL_LENGTH + 1)

// NaN fails every comparison.
static bool is_float_box(const float *row)
{
    bool good = true;
    for (int axis = 0; axis < 3; ++axis)
        good &= (row[axis] >= -FLT_MAX) & (row[axis] <= row[axis + 3]) & (row[axis + 3] <= FLT_MAX);
    return good;
}

static bool is_double_box(const double *row)
{
    bool good = true;
    for (int axis = 0; axis < 3; ++axis)
        good &= (row[axis] >= -DBL_MAX) & (row[axis] <= row[axis + 3]) & (row[axis + 3] <= DBL_MAX);
    return good;
}

size_t impi_boxes_first_bad(const imp_BoxArray *boxes)
{
    size_t box = 0;
    if (boxes->float_boxes)
        while (box < boxes->count && is_float_box(boxes->float_boxes + 6 * box))
            ++box;
    else
        while (box < boxes->count && is_double_box(boxes->boxes + 6 * box))
            ++box;
    return box;
}

const char *impi_box_number_name(size_t column)
{
    static const char *const names[6] = {"min x", "min y", "min z", "max x", "max y", "max z"};
    return names[column];
}

static double number_at(const imp_BoxArray *boxes, size_t index)
{
    return boxes->float_boxes ? (double)boxes->float_boxes[index] : boxes->boxes[index];
}

// The fewest digits that read back as the same number of its type.
static void format_number(const imp_BoxArray *boxes, size_t index, char text[MAX_NUMBER])
{
    double number = number_at(boxes, index);
    if (!isfinite(number)) {
        snprintf(text, MAX_NUMBER, "%s", isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
    } else if (boxes->float_boxes) {
        int digits = 1;
        do
            snprintf(text, MAX_NUMBER, "%.*g", digits, number);
        while (digits++ < MAX_FLOAT_DIGITS && strtof(text, NULL) != boxes->float_boxes[index]);
    } else {
        text[impi_decimal_format(number, text)] = 0;
    }
}

void impi_box_describe_fault(const imp_BoxArray *boxes, size_t box, char text[IMPI_MAX_BOX_FAULT])
{
    char low[MAX_NUMBER], high[MAX_NUMBER];
    for (size_t k = 0; k < 6; ++k) {
        if (isfinite(number_at(boxes, 6 * box + k)))
            continue;
        format_number(boxes, 6 * box + k, low);
        snprintf(text, IMPI_MAX_BOX_FAULT, "%s is %s", impi_box_number_name(k), low);
        return;
    }
    size_t axis = 0;
    while (axis < 2 && number_at(boxes, 6 * box + axis) <= number_at(boxes, 6 * box + axis + 3))
        ++axis;
    format_number(boxes, 6 * box + axis, low);
    format_number(boxes, 6 * box + axis + 3, high);
    snprintf(text, IMPI_MAX_BOX_FAULT, "%s %s exceeds %s %s", impi_box_number_name(axis), low,
             impi_box_number_name(axis + 3), high);
}
