/// Coordinates in another unit: one correctly rounded product or quotient for each.
#ifndef IMPINGE_GEOM_UNIT_CONVERSION_H
#define IMPINGE_GEOM_UNIT_CONVERSION_H

#include "base/context.h"

#include <impinge/math.h>

/// At most one of both is not 0. All zero leaves coordinates as they are.
typedef struct impi_UnitConversion {
    double multiply_by, divide_by;
} impi_UnitConversion;

static inline bool impi_converts(const impi_UnitConversion *conversion)
{
    return conversion->multiply_by != 0 || conversion->divide_by != 0;
}

/// IMP_STATUS_BAD_ARGUMENT when both are set, or one is negative or not finite; or OK.
imp_Status impi_unit_conversion_check(imp_Context *context, const impi_UnitConversion *conversion);

/// Default floating-point mode expected. What it gives may not be finite.
imp_Vec3 impi_convert_point(const impi_UnitConversion *conversion, imp_Vec3 point);

/// In place. IMP_STATUS_BAD_NUMBER, with the index, when a coordinate becomes too large; `file` is where the
/// vertices come from, or null. The context's watch can end it. On failure the vertices are void.
imp_Status impi_convert_vertices(imp_Context *context, const impi_UnitConversion *conversion,
                                 const char *file, imp_Vec3 *vertices, size_t count);

#endif
