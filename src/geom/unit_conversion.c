#include "geom/unit_conversion.h"

#include "geom/predicates.h"

#include <math.h>

#define VERTICES_PER_LOOK ((size_t)1 << 16) // at the watch

static imp_Status check_factor(imp_Context *context, const char *name, double factor)
{
    if (factor >= 0 && isfinite(factor))
        return IMP_STATUS_OK;
    return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                     "%s is %g, which is no factor: it must be positive and finite, or 0 for none", name,
                     factor);
}

imp_Status impi_unit_conversion_check(imp_Context *context, const impi_UnitConversion *conversion)
{
    imp_Status status = check_factor(context, "multiply_by", conversion->multiply_by);
    if (status == IMP_STATUS_OK)
        status = check_factor(context, "divide_by", conversion->divide_by);
    if (status == IMP_STATUS_OK && conversion->multiply_by != 0 && conversion->divide_by != 0)
        status = impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                           "multiply_by and divide_by are both set: only one of them may be");
    return status;
}

// Both branches are kept apart, because a product by 1/1000 is not a quotient by 1000.
imp_Vec3 impi_convert_point(const impi_UnitConversion *conversion, imp_Vec3 point)
{
    double factor = conversion->multiply_by, divisor = conversion->divide_by;
    if (divisor != 0)
        return (imp_Vec3){point.x / divisor, point.y / divisor, point.z / divisor};
    return factor != 0 ? (imp_Vec3){point.x * factor, point.y * factor, point.z * factor} : point;
}

static imp_Status fail_overflow(imp_Context *context, const char *file, size_t vertex)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = file;
    place.index = vertex;
    return impi_fail_at(context, IMP_STATUS_BAD_NUMBER, place,
                        "a coordinate of vertex %zu is beyond the largest double in the other unit", vertex);
}

imp_Status impi_convert_vertices(imp_Context *context, const impi_UnitConversion *conversion,
                                 const char *file, imp_Vec3 *vertices, size_t count)
{
    if (!impi_converts(conversion))
        return IMP_STATUS_OK;
    for (size_t i = 0; i < count; ++i) {
        if (i % VERTICES_PER_LOOK == 0 && !impi_watch_goes_on(&context->watch))
            return impi_watch_status(context);
        vertices[i] = impi_convert_point(conversion, vertices[i]);
        if (!impi_vec3_is_finite(&vertices[i]))
            return fail_overflow(context, file, i);
    }
    return IMP_STATUS_OK;
}
