/// Numbers for random test cases, and ways to bring a finished case to another scale.
/// Cases draw their random numbers in separate statements or declarators, never two in one list of arguments:
/// so a seed gives the same cases with every compiler.
#ifndef IMPINGE_TESTS_CASE_NUMBERS_H
#define IMPINGE_TESTS_CASE_NUMBERS_H

#include <impinge/math.h>

double random_signed_unit(void);    ///< [-1, 1)
double random_of_any_size(void);    ///< either sign, exponents spread evenly from about 1e-300 to 1e+300
double random_integer(double most); ///< -most, ..., most; most < 2^53
double random_range(void);          ///< how far a lattice reaches: from 2 to 2^42
double one_ulp_off(double value);   ///< the next double above or below; never infinite

imp_Vec3 random_vector(double most);        ///< each coordinate from [-most, most)
imp_Vec3 random_lattice_point(double most); ///< each coordinate a random_integer
imp_Vec3 random_lattice_step(double most);  ///< the same, but not zero
imp_Vec3 sum(imp_Vec3 a, imp_Vec3 b);
imp_Vec3 along(imp_Vec3 start, double factor, imp_Vec3 step); ///< start + factor * step

/// Three whole weights that sum up to 64, each at least `least`.
#define WEIGHT_SUM 64
void random_weights(int least, double weights[3]);

typedef enum Scaling {
    SCALING_NONE,
    SCALING_POWER_OF_TWO, ///< one for all coordinates
    SCALING_AXES,         ///< a power of two for each axis: mixed magnitudes in one case
    SCALING_SUBNORMAL,    ///< the last bit becomes 2^-1074
    SCALING_POWER_OF_TEN, ///< rounds: exact contacts become nearly exact
    SCALING_COUNT
} Scaling;

extern const char *const scaling_names[SCALING_COUNT];

/// Most cases keep their scale, the others share the rest.
Scaling random_scaling(void);

/// Scale `count` coordinates in the order x, y, z, x, y, ... False when that has moved a point off its exact
/// place. A scaling that would overflow or lose bits is left out, all but the power of ten.
bool scale_coordinates(double *coordinates, int count, Scaling scaling);

/// Turn about half of the zeros to -0.
void flip_zeros(double *coordinates, int count);

#endif
