// min - margin rounded up, compared with whole numbers of 128 bits.
#include "kit/box_margin.h"

#include "harness.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

__extension__ typedef __int128 Wide;

#define UNIT_EXPONENT (-40)

// In units of 2^-40; what is tested are multiples of it below 2^80.
static Wide in_units(double x)
{
    int exponent;
    double fraction = frexp(x, &exponent);
    Wide digits = (Wide)ldexp(fraction, 53);
    int shift = exponent - 53 - UNIT_EXPONENT;
    return shift >= 0 ? digits * ((Wide)1 << shift) : digits / ((Wide)1 << -shift);
}

// Multiples of 2^-40 with up to 24 or 53 digits, of all sizes.
static double random_number(int digits)
{
    int used = 1 + (int)test_random_below((uint32_t)digits);
    double whole = (double)(test_random() >> (64 - used));
    return ldexp(whole, UNIT_EXPONENT + (int)test_random_below(27));
}

static double margin_of_double(double min, double margin)
{
    double row[6] = {min, min, min, min, min, min};
    impi_boxes_apply_margin(row, 1, margin);
    CHECK(row[0] == row[1] && row[1] == row[2] && row[3] == min && row[5] == min);
    return row[0];
}

static float margin_of_float(float min, double margin)
{
    float row[6] = {min, min, min, min, min, min};
    impi_float_boxes_apply_margin(row, 1, margin);
    CHECK(row[0] == row[1] && row[1] == row[2] && row[3] == min && row[5] == min);
    return row[0];
}

TEST(doubles_are_rounded_up)
{
    uint64_t inexact = 0, count = test_count(200000);
    for (uint64_t i = 0; i < count; ++i) {
        double min = test_random_below(2) ? random_number(53) : -random_number(53),
               margin = random_number(53);
        double found = margin_of_double(min, margin);
        Wide exact = in_units(min) - in_units(margin);
        bool is_exact = in_units(found) == exact;
        inexact += !is_exact;
        if (!CHECK(is_exact || (in_units(found) > exact && in_units(nextafter(found, -INFINITY)) < exact))) {
            printf("%a - %a became %a\n", min, margin, found);
            break;
        }
    }
    CHECK(count < 1000 || (inexact * 10 > count && inexact * 10 < 9 * count));
}

TEST(floats_are_rounded_up)
{
    uint64_t inexact = 0, count = test_count(200000);
    for (uint64_t i = 0; i < count; ++i) {
        double size = random_number(24), margin = random_number(53);
        float min = (float)(test_random_below(2) ? size : -size), found = margin_of_float(min, margin);
        Wide exact = in_units((double)min) - in_units(margin);
        bool is_exact = in_units((double)found) == exact;
        inexact += !is_exact;
        if (!CHECK(is_exact || (in_units((double)found) > exact &&
                                in_units((double)nextafterf(found, -INFINITY)) < exact))) {
            printf("%a - %a became %a\n", (double)min, margin, (double)found);
            break;
        }
    }
    CHECK(count < 1000 || (inexact * 10 > count && inexact * 10 < 9 * count));
}

TEST(margins_end_where_numbers_end)
{
    CHECK(margin_of_double(-DBL_MAX, DBL_MAX) == -DBL_MAX);
    CHECK(margin_of_double(DBL_MAX, DBL_MAX) == 0);
    CHECK(margin_of_double(-DBL_MAX, 5e-324) == -DBL_MAX);
    CHECK(margin_of_double(DBL_MAX, 5e-324) == DBL_MAX);
    CHECK(margin_of_double(0, 5e-324) == -5e-324);
    CHECK(margin_of_double(1, 5e-324) == 1);
    CHECK(margin_of_double(-1, 5e-324) == -1);
    CHECK(margin_of_float(-FLT_MAX, 1e300) == -FLT_MAX);
    CHECK(margin_of_float(FLT_MAX, 1e300) == -FLT_MAX);
    CHECK(margin_of_float(0, 5e-324) == 0);
    CHECK(margin_of_float(0, 1e-45) == 0); // below the least float, 1.4e-45
    CHECK(margin_of_float(0, 0x1p-149) == -0x1p-149F);
    CHECK(margin_of_float(1, 1e-30) == 1);
}
