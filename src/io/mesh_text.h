/// What the readers of text formats share: coordinates, counts and errors that name the line.
#ifndef IMPINGE_IO_MESH_TEXT_H
#define IMPINGE_IO_MESH_TEXT_H

#include "io/mesh_builder.h"
#include "io/text_scanner.h"

/// Fail with "expected WHAT, found ..." at the cursor.
imp_Status impi_fail_expected(const impi_MeshBuilder *builder, const impi_TextScanner *scanner,
                              const char *what);

/// Fail as `status`, which is not IMPI_NUMBER_OK, deserves.
imp_Status impi_fail_number(const impi_MeshBuilder *builder, const impi_TextScanner *scanner,
                            impi_NumberStatus status, const char *what);

/// Take x, y and z. All on one line, or wherever the next words are.
imp_Status impi_take_point(const impi_MeshBuilder *builder, impi_TextScanner *scanner, imp_Vec3 *point);
imp_Status impi_take_point_across_lines(const impi_MeshBuilder *builder, impi_TextScanner *scanner,
                                        imp_Vec3 *point);

/// Take a number that counts something and is not negative, on this line.
imp_Status impi_take_count(const impi_MeshBuilder *builder, impi_TextScanner *scanner, const char *what,
                           uint64_t *count);

/// Fail because `index` names none of `vertex_count` vertices, counting from 0.
imp_Status impi_fail_corner(const impi_MeshBuilder *builder, uint64_t line, int64_t index,
                            uint64_t vertex_count);

/// Fail because a face has fewer than three corners.
imp_Status impi_fail_corner_count(const impi_MeshBuilder *builder, impi_Place place, int64_t corner_count);

#endif
