/// What the readers of text formats share: coordinates, counts and errors that name the line.
#ifndef IMPINGE_IO_MESH_TEXT_H
#define IMPINGE_IO_MESH_TEXT_H

#include "io/mesh_builder.h"
#include "io/text_scanner.h"

/// Begin with the first line of the builder's window, behind a byte-order mark.
void impi_mesh_text_begin(const impi_MeshBuilder *builder, impi_TextScanner *scanner);

/// For impi_mesh_text_pass.
imp_Status impi_mesh_text_move(impi_MeshBuilder *builder, impi_TextScanner *scanner);

/// A record, or the header, ends at the scanner's cursor: have the window moved on where that is due.
static inline imp_Status impi_mesh_text_pass(impi_MeshBuilder *builder, impi_TextScanner *scanner)
{
    if ((const unsigned char *)scanner->cursor < builder->window.stop)
        return IMP_STATUS_OK;
    return impi_mesh_text_move(builder, scanner);
}

/// The text seems to end, but the file goes on: have it read again through a wider window. What is no text at
/// all, because it holds zero bytes, is refused instead.
imp_Status impi_mesh_text_fail_short(impi_MeshBuilder *builder, const impi_TextScanner *scanner);

/// The status of what was read, unless it failed at the end of a window that is not the last.
imp_Status impi_mesh_text_end(impi_MeshBuilder *builder, const impi_TextScanner *scanner, imp_Status status);

/// Note how many bytes follow what belongs to the mesh, but for blanks and comments.
imp_Status impi_mesh_text_ignore_rest(impi_MeshBuilder *builder, impi_TextScanner *scanner);

/// How many bytes of the file follow.
static inline uint64_t impi_mesh_text_left(const impi_MeshBuilder *builder, const impi_TextScanner *scanner)
{
    return builder->window.total - impi_byte_window_offset(&builder->window, scanner->cursor);
}

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
