/// The header of a PLY file: which elements follow, and how each is laid out.
#ifndef IMPINGE_IO_PLY_HEADER_H
#define IMPINGE_IO_PLY_HEADER_H

#include "io/mesh_builder.h"
#include "io/text_scanner.h"

typedef enum impi_PlyEncoding { IMPI_PLY_TEXT, IMPI_PLY_LITTLE_ENDIAN, IMPI_PLY_BIG_ENDIAN } impi_PlyEncoding;

typedef enum impi_PlyType {
    IMPI_PLY_INT8,
    IMPI_PLY_UINT8,
    IMPI_PLY_INT16,
    IMPI_PLY_UINT16,
    IMPI_PLY_INT32,
    IMPI_PLY_UINT32,
    IMPI_PLY_FLOAT32,
    IMPI_PLY_FLOAT64,
} impi_PlyType;

/// What a property means to us.
typedef enum impi_PlyRole {
    IMPI_PLY_X,
    IMPI_PLY_Y,
    IMPI_PLY_Z,
    IMPI_PLY_CORNERS,
    IMPI_PLY_IGNORED,
} impi_PlyRole;

typedef struct impi_PlyProperty {
    impi_PlyType type; // of the value, or of each item of the list
    impi_PlyType count_type;
    bool is_list;
    impi_PlyRole role;
} impi_PlyProperty;

typedef enum impi_PlyKind { IMPI_PLY_VERTEX, IMPI_PLY_FACE, IMPI_PLY_OTHER } impi_PlyKind;

#define IMPI_MAX_PLY_NAME 32

typedef struct impi_PlyElement {
    impi_PlyKind kind;
    char name[IMPI_MAX_PLY_NAME]; // cut when longer; for messages
    uint64_t count;
    size_t first_property, property_count;
} impi_PlyElement;

typedef struct impi_PlyHeader {
    impi_PlyEncoding encoding;
    IMPI_ARRAY(impi_PlyElement) elements;
    IMPI_ARRAY(impi_PlyProperty) properties; // of all elements, one after the other
    uint64_t vertex_count, face_count;
} impi_PlyHeader;

/// Read the header; the scanner is left at the start of the line behind it. Refused: an unknown format,
/// type or statement; vertices without x, y, z; faces without a list of vertices; triangle strips; counts
/// that the rest of the file is too short for (so that what is allocated next is bounded by its size).
imp_Status impi_ply_read_header(const impi_MeshBuilder *builder, impi_TextScanner *scanner,
                                impi_PlyHeader *header);

void impi_ply_free_header(const impi_MeshBuilder *builder, impi_PlyHeader *header);

size_t impi_ply_type_size(impi_PlyType type);

/// The parts of the file behind the header, in the encoding of the same name.
imp_Status impi_ply_read_text(impi_MeshBuilder *builder, impi_TextScanner *scanner,
                              const impi_PlyHeader *header);
imp_Status impi_ply_read_binary(impi_MeshBuilder *builder, const unsigned char *start,
                                const impi_PlyHeader *header);

#endif
