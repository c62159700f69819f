// PLY, in text and binary of both byte orders. Elements other than vertex and face, and properties other
// than x, y, z and the list of a face's vertices, are stepped over. Coordinates in text are read as doubles
// even where the header calls them float.

#include "io/mesh_text.h"
#include "io/ply_header.h"
#include "io/readers.h"

imp_Status impi_read_ply(impi_MeshBuilder *builder)
{
    impi_TextScanner scanner;
    impi_PlyHeader header = {0};
    impi_mesh_text_begin(builder, &scanner);
    imp_Status status = impi_ply_read_header(builder, &scanner, &header);
    if (status == IMP_STATUS_OK)
        status = impi_mesh_text_pass(builder, &scanner);
    status = impi_mesh_text_end(builder, &scanner, status);
    if (status == IMP_STATUS_OK)
        status = impi_mesh_builder_reserve(builder, (size_t)header.vertex_count, (size_t)header.face_count);
    if (status == IMP_STATUS_OK && header.encoding == IMPI_PLY_TEXT) {
        status = impi_ply_read_text(builder, &scanner, &header);
        status = impi_mesh_text_end(builder, &scanner, status);
    } else if (status == IMP_STATUS_OK) {
        builder->place_name = "face";
        status = impi_ply_read_binary(builder, (const unsigned char *)scanner.cursor, &header);
    }
    impi_ply_free_header(builder, &header);
    return status;
}
