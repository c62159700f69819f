/// A body cut into pieces small enough that each can lie in one ball: parts of faces, and for solids cubes
/// as well. A ball that holds all corners of a piece holds the piece.
#ifndef IMPINGE_SHAPE_SPHERE_PIECES_H
#define IMPINGE_SHAPE_SPHERE_PIECES_H

#include "base/context.h"
#include "shape/local_frame.h"
#include "shape/mesh.h"

#define IMPI_FACE_CORNERS 3
#define IMPI_CUBE_CORNERS 8

/// In the scratch arena of the context. All in the local frame.
typedef struct impi_SpherePieces {
    size_t point_count;
    imp_Vec3 *points;  // no two are equal
    float *x, *y, *z;  // of the points, rounded
    size_t face_count; // pieces of faces, which come first
    size_t count;      // with the cubes
    uint32_t *corners; // three points of each piece of a face, then eight of each cube
    uint32_t *faces;   // of the mesh: which each of the first face_count pieces is a part of
} impi_SpherePieces;

static inline const uint32_t *impi_piece_corners(const impi_SpherePieces *pieces, size_t piece)
{
    size_t cubes = piece > pieces->face_count ? piece - pieces->face_count : 0;
    size_t faces = piece - cubes;
    return pieces->corners + IMPI_FACE_CORNERS * faces + IMPI_CUBE_CORNERS * cubes;
}

static inline size_t impi_piece_corner_count(const impi_SpherePieces *pieces, size_t piece)
{
    return piece < pieces->face_count ? IMPI_FACE_CORNERS : IMPI_CUBE_CORNERS;
}

/// Cut the faces of a mesh into about so many pieces: fewer where a few suffice, more where there are more
/// faces. IMP_STATUS_OUT_OF_MEMORY, what a watch says, or OK.
imp_Status impi_sphere_pieces_cut(imp_Context *context, const imp_Mesh *mesh, const impi_LocalFrame *frame,
                                  size_t wanted_count, impi_SpherePieces *pieces);

/// Cut the pieces that are marked to half their size. `*origins` tells of which of the pieces before each one
/// is a part. The same statuses.
imp_Status impi_sphere_pieces_refine(imp_Context *context, const uint8_t *is_marked,
                                     impi_SpherePieces *pieces, uint32_t **origins);

#endif
