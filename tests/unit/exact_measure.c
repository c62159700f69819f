#include "geom/exact_measure.h"

#include "geom/power_scale.h"
#include "harness.h"

#include <stdlib.h>

TEST(integers_are_rounded_with_their_exponent)
{
    static const struct {
        uint64_t words[3];
        double value;
        int exponent;
    } cases[] = {{{0, 0, 0}, 0, 0},
                 {{1, 0, 0}, 0x1p63, -63},
                 {{UINT64_MAX, UINT64_MAX, UINT64_MAX}, -0x1p63, -63},
                 {{0, 1, 0}, 0x1p63, 1},
                 {{5, 0, 1}, 0x1p63, 65},
                 {{0, 0, 1ull << 62}, 0x1p63, 127},
                 {{0, 0, 3ull << 62}, -0x1p63, 127}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        impi_WideNumber rounded = impi_integer_round(3, cases[i].words);
        CHECK_DOUBLE(rounded.value, cases[i].value);
        CHECK(rounded.value == 0 || rounded.exponent == cases[i].exponent);
    }
}

TEST(scaling_rounds_to_its_side)
{
    CHECK_DOUBLE(impi_power_scale_up(3, 10), 3072);
    CHECK_DOUBLE(impi_power_scale_down(3, 10), 3072);
    CHECK_DOUBLE(impi_power_scale_up(3, -1075), 0x1p-1073);
    CHECK_DOUBLE(impi_power_scale_down(3, -1075), 0x1p-1074);
    CHECK_DOUBLE(impi_power_scale_up(1, -5000), 0x1p-1074);
    CHECK_DOUBLE(impi_power_scale_down(1, -5000), 0);
    CHECK_DOUBLE(impi_power_scale_up(1, 1024), INFINITY);
    CHECK_DOUBLE(impi_power_scale_down(1, 5000), DBL_MAX);
    CHECK_DOUBLE(impi_power_scale_up(0, -5000), 0);
}

TEST(areas_of_mixed_sizes)
{
    static const double sizes[] = {0x1p-1074, 0x1p-500, 1, 3, 0x1p500, 0x1p1023};
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 6; ++k) {
            imp_Triangle triangle = {{{0, 0, 0}, {0, sizes[i], 0}, {0, 0, sizes[k]}}};
            impi_WideNumber area = impi_exact_twice_area(&triangle);
            int a, b, c;
            double want = frexp(sizes[i], &a) * frexp(sizes[k], &b), got = frexp(area.value, &c);
            int d;
            CHECK_DOUBLE(got, frexp(want, &d));
            CHECK_INT(c + area.exponent, a + b + d);
        }
    imp_Triangle line = {{{0, 0, 0}, {1, 2, 3}, {2, 4, 6}}};
    CHECK_DOUBLE(impi_exact_twice_area(&line).value, 0);
}

// A tetrahedron, from its faces turned outward, wherever it is.
static impi_WideNumber volume_of(const imp_Vec3 corners[4])
{
    static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    impi_GridSpan span = IMPI_NO_SPAN;
    for (int i = 0; i < 4; ++i) {
        impi_span_add(&span, impi_split_double(corners[i].x));
        impi_span_add(&span, impi_split_double(corners[i].y));
        impi_span_add(&span, impi_split_double(corners[i].z));
    }
    impi_VolumeSum sum;
    impi_volume_sum_begin(&sum, span);
    for (int i = 0; i < 4; ++i) {
        imp_Triangle face = {{corners[faces[i][0]], corners[faces[i][1]], corners[faces[i][2]]}};
        impi_volume_sum_add(&sum, &face);
    }
    return impi_volume_sum_round(&sum);
}

TEST(volumes_do_not_depend_on_the_place)
{
    static const double places[] = {0, 1, -0x1p52, 0x1p40, 0x1p52},
                        heights[] = {1, 0x1p-100, 0x1p-1000, 0x1p900};
    for (int i = 0; i < 5; ++i)
        for (int k = 0; k < 4; ++k) {
            double p = places[i], h = heights[k];
            imp_Vec3 corners[4] = {{p, p, 0}, {p + 1, p, 0}, {p, p + 1, 0}, {p, p, h}};
            impi_WideNumber six = volume_of(corners);
            CHECK_DOUBLE(ldexp(six.value, six.exponent), h);
            imp_Vec3 first = corners[0];
            corners[0] = corners[1];
            corners[1] = first;
            six = volume_of(corners);
            CHECK_DOUBLE(ldexp(six.value, six.exponent), -h);
        }
}
