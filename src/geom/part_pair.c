#include "geom/part_pair.h"

#include <string.h>

// ------------------------------------------------------------------------------------------- order

static void sort(double *values, int count)
{
    for (int i = 1; i < count; ++i) {
        double value = values[i];
        int k = i;
        for (; k > 0 && values[k - 1] > value; --k)
            values[k] = values[k - 1];
        values[k] = value;
    }
}

static int compare(const double *a, const double *b, int count)
{
    for (int i = 0; i < count; ++i)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

// Sorted coordinates know nothing of axes, so that as much as possible is the same when those are permuted.
static bool is_first(const imp_Triangle *a, const imp_Triangle *b)
{
    double plain_a[9], plain_b[9], sorted_a[9], sorted_b[9];
    memcpy(plain_a, a, sizeof plain_a);
    memcpy(plain_b, b, sizeof plain_b);
    memcpy(sorted_a, a, sizeof sorted_a);
    memcpy(sorted_b, b, sizeof sorted_b);
    sort(sorted_a, 9);
    sort(sorted_b, 9);
    int order = compare(sorted_a, sorted_b, 9);
    return (order ? order : compare(plain_a, plain_b, 9)) <= 0;
}

// ------------------------------------------------------------------------------------------ choice

static int corner_count(imp_Feature feature)
{
    return feature == IMP_FEATURE_FACE ? 1 : 3;
}

bool impi_choose_parts(const imp_Triangle *a, const imp_Triangle *b, impi_PartsFn qualifies,
                       const void *context, impi_PartPair *chosen)
{
    static const imp_Feature kinds[5][2] = {
        {IMP_FEATURE_VERTEX, IMP_FEATURE_VERTEX}, {IMP_FEATURE_VERTEX, IMP_FEATURE_EDGE},
        {IMP_FEATURE_VERTEX, IMP_FEATURE_FACE},   {IMP_FEATURE_EDGE, IMP_FEATURE_EDGE},
        {IMP_FEATURE_EDGE, IMP_FEATURE_FACE},
    };
    for (int kind = 0; kind < 5; ++kind) {
        imp_Feature lesser = kinds[kind][0], other = kinds[kind][1];
        for (int i = 0; i < corner_count(lesser); ++i) {
            for (int j = lesser == other ? i : 0; j < corner_count(other); ++j) {
                impi_PartPair plain = {{{lesser, i}, {other, j}}}, mirrored = {{{other, j}, {lesser, i}}};
                bool has_plain = qualifies(context, &plain);
                bool has_mirrored = (lesser != other || i != j) && qualifies(context, &mirrored);
                if (!has_plain && !has_mirrored)
                    continue;
                bool take_plain = has_plain && (!has_mirrored || is_first(a, b));
                *chosen = take_plain ? plain : mirrored;
                return true;
            }
        }
    }
    return false;
}
