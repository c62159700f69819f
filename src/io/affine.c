#include "io/affine.h"

#include <math.h>

const imp_Transform impi_affine_identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};

imp_Transform impi_affine_multiply(const imp_Transform *a, const imp_Transform *b)
{
    imp_Transform product;
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
            product.rows[row][column] = a->rows[row][0] * b->rows[0][column] +
                                        a->rows[row][1] * b->rows[1][column] +
                                        a->rows[row][2] * b->rows[2][column];
    product.translation = impi_transform_apply(a, b->translation);
    return product;
}

double impi_affine_determinant(const imp_Transform *map)
{
    const double(*m)[3] = map->rows;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static int exponent_of(const double *entries, int count)
{
    double largest = 0;
    int exponent = 0;
    for (int i = 0; i < count; ++i)
        largest = fmax(largest, fabs(entries[i]));
    if (largest > 0 && isfinite(largest))
        (void)frexp(largest, &exponent);
    return exponent;
}

int impi_affine_exponent(const imp_Transform *map)
{
    return exponent_of(&map->rows[0][0], 9);
}

imp_Transform impi_affine_scale(const imp_Transform *map, int exponent)
{
    imp_Transform scaled = {0};
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
            scaled.rows[row][column] = ldexp(map->rows[row][column], exponent);
    return scaled;
}

bool impi_affine_is_mirrored(const imp_Transform *map)
{
    imp_Transform scaled = *map;
    for (int row = 0; row < 3; ++row) {
        int exponent = exponent_of(map->rows[row], 3);
        for (int column = 0; column < 3; ++column)
            scaled.rows[row][column] = ldexp(map->rows[row][column], -exponent);
    }
    return impi_affine_determinant(&scaled) < 0;
}

imp_Vec3 impi_affine_turn(const imp_Transform *map, imp_Vec3 vector)
{
    imp_Transform linear = *map;
    linear.translation = (imp_Vec3){0, 0, 0};
    return impi_transform_apply(&linear, vector);
}
