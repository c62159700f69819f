#include "io/mesh_text.h"

#include <inttypes.h>

imp_Status impi_fail_expected(const impi_MeshBuilder *builder, const impi_TextScanner *scanner,
                              const char *what)
{
    char found[IMPI_MAX_WORD_DESCRIPTION];
    return impi_fail_at(builder->context, IMP_STATUS_BAD_FILE,
                        impi_mesh_builder_at_line(builder, scanner->line), "expected %s, found %s", what,
                        impi_scan_describe(scanner, found));
}

imp_Status impi_fail_number(const impi_MeshBuilder *builder, const impi_TextScanner *scanner,
                            impi_NumberStatus status, const char *what)
{
    if (status == IMPI_NUMBER_MISSING)
        return impi_fail_expected(builder, scanner, what);
    char found[IMPI_MAX_WORD_DESCRIPTION];
    return impi_fail_at(
        builder->context, IMP_STATUS_BAD_FILE, impi_mesh_builder_at_line(builder, scanner->line),
        "expected %s, found %s, which is not finite or too large", what, impi_scan_describe(scanner, found));
}

imp_Status impi_take_point(const impi_MeshBuilder *builder, impi_TextScanner *scanner, imp_Vec3 *point)
{
    impi_NumberStatus number = impi_scan_take_double(scanner, &point->x);
    if (number == IMPI_NUMBER_OK)
        number = impi_scan_take_double(scanner, &point->y);
    if (number == IMPI_NUMBER_OK)
        number = impi_scan_take_double(scanner, &point->z);
    if (number != IMPI_NUMBER_OK)
        return impi_fail_number(builder, scanner, number, "a coordinate");
    return IMP_STATUS_OK;
}

imp_Status impi_take_point_across_lines(const impi_MeshBuilder *builder, impi_TextScanner *scanner,
                                        imp_Vec3 *point)
{
    double *const coordinates[3] = {&point->x, &point->y, &point->z};
    for (int i = 0; i < 3; ++i) {
        impi_NumberStatus number = impi_scan_find_double(scanner, coordinates[i]);
        if (number != IMPI_NUMBER_OK)
            return impi_fail_number(builder, scanner, number, "a coordinate");
    }
    return IMP_STATUS_OK;
}

imp_Status impi_take_count(const impi_MeshBuilder *builder, impi_TextScanner *scanner, const char *what,
                           uint64_t *count)
{
    int64_t value = 0;
    impi_TextScanner before = *scanner;
    impi_NumberStatus number = impi_scan_take_integer(scanner, 0, &value);
    if (number != IMPI_NUMBER_OK)
        return impi_fail_number(builder, scanner, number, what);
    if (value < 0)
        return impi_fail_expected(builder, &before, what);
    *count = (uint64_t)value;
    return IMP_STATUS_OK;
}

imp_Status impi_fail_corner(const impi_MeshBuilder *builder, uint64_t line, int64_t index,
                            uint64_t vertex_count)
{
    return impi_fail_at(builder->context, IMP_STATUS_BAD_FILE, impi_mesh_builder_at_line(builder, line),
                        "vertex index %" PRId64 " is out of range; the file has %" PRIu64
                        " vertices, counting from 0",
                        index, vertex_count);
}

imp_Status impi_fail_corner_count(const impi_MeshBuilder *builder, impi_Place place, int64_t corner_count)
{
    return impi_fail_at(builder->context, IMP_STATUS_BAD_FILE, place,
                        "a face has %" PRId64 " vertices; it needs at least 3", corner_count);
}
