/// Sums of two numbers, compared exactly.
#ifndef IMPINGE_GEOM_HALF_SUM_H
#define IMPINGE_GEOM_HALF_SUM_H

/// The sign of a + b - (c + d) / 2, for all finite doubles.
int impi_compare_half_sum(double a, double b, double c, double d);

#endif
