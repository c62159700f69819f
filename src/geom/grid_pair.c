#include "geom/grid_pair.h"

// The common cases without branches. Zeros have any exponent, so that the shift is cut.
static void load_one_word(const impi_GridNumber *numbers, impi_GridPair *pair)
{
    for (int i = 0; i < 18; ++i) {
        uint64_t size = numbers[i].bits << ((numbers[i].exponent - pair->step) & 63);
        uint64_t sign = 0 - (uint64_t)numbers[i].negative;
        pair->vertices[i / 3][i % 3] = (size ^ sign) - sign;
    }
}

static void load_two_words(const impi_GridNumber *numbers, impi_GridPair *pair)
{
    for (int i = 0; i < 18; ++i) {
        impi_Uint128 size = (impi_Uint128)numbers[i].bits << ((numbers[i].exponent - pair->step) & 127);
        impi_Uint128 sign = 0 - (impi_Uint128)numbers[i].negative, signed_size = (size ^ sign) - sign;
        pair->vertices[i / 3][2 * (i % 3)] = (uint64_t)signed_size;
        pair->vertices[i / 3][2 * (i % 3) + 1] = (uint64_t)(signed_size >> 64);
    }
}

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
    pair->triangles[0] = a;
    pair->triangles[1] = b;
    pair->words = impi_span_words(span, IMPI_PAIR_HEADROOM_BITS);
    pair->bits = span.high > span.low ? span.high - span.low : 0;
    pair->step = span.low;
    switch (pair->words) {
    case 1:
        load_one_word(&numbers[0][0], pair);
        break;
    case 2:
        load_two_words(&numbers[0][0], pair);
        break;
    default:
        for (int i = 0; i < 6; ++i)
            for (int axis = 0; axis < 3; ++axis)
                impi_integer_load(pair->words, pair->vertices[i] + axis * pair->words, numbers[i][axis],
                                  pair->step);
    }
}

void impi_grid_multiply_many(int na, int nb, uint64_t *out, const uint64_t *a, const uint64_t *b)
{
    impi_integer_multiply(na, nb, out, a, b);
}
