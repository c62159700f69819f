#include "geom/grid_pair.h"

void impi_grid_pair_load(const imp_Triangle *a, const imp_Triangle *b, impi_GridPair *pair)
{
    impi_GridNumber numbers[6][3];
    impi_GridSpan span = IMPI_NO_SPAN;
    for (int i = 0; i < 6; ++i) {
        imp_Vec3 v = i < 3 ? a->v[i] : b->v[i - 3];
        numbers[i][0] = impi_split_double(v.x);
        numbers[i][1] = impi_split_double(v.y);
        numbers[i][2] = impi_split_double(v.z);
        for (int axis = 0; axis < 3; ++axis)
            impi_span_add(&span, numbers[i][axis]);
    }
    int n = impi_span_words(span, IMPI_PAIR_HEADROOM_BITS);
    n = n < 2 ? 2 : n;
    pair->words = n;
    pair->step = span.low;
    for (int i = 0; i < 6; ++i)
        for (int axis = 0; axis < 3; ++axis)
            impi_integer_load(n, pair->vertices[i] + axis * n, numbers[i][axis], span.low);
}
