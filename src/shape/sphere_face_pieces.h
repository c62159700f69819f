/// The faces of a mesh, divided into pieces that each lie in one chain of spheres, as far as that goes.
#ifndef IMPINGE_SHAPE_SPHERE_FACE_PIECES_H
#define IMPINGE_SHAPE_SPHERE_FACE_PIECES_H

#include "shape/sphere_chains.h"

/// A face that has a piece for which no chain was found; it may have others.
typedef struct impi_BareFace {
    uint32_t face;
    impi_CoverPiece piece;
} impi_BareFace;

typedef struct impi_FacePiecesDef {
    const imp_Mesh *mesh;
    const impi_SphereChains *chains;
    const char *work;   // what a watch hears
    bool ends_at_first; // one bare face of each block of faces is enough
    uint64_t effort;    // when it is spent, what is not yet found to be held is bare
} impi_FacePiecesDef;

typedef struct impi_FacePieces {
    uint64_t
        *keys; // sphere of the last level << 32 | face, ascending and distinct: the face has a piece there
    size_t key_count;
    impi_BareFace *bare; // each once, neighbours together, in an order that depends on mesh and spheres alone
    size_t bare_count;
} impi_FacePieces;

/// The faces of a mesh as pieces.
impi_CoverPiece impi_face_piece(const imp_Mesh *mesh, const impi_SphereChains *chains, uint32_t face);

/// Spread over the threads of the context. The result is in the context's scratch arena.
/// IMP_STATUS_OUT_OF_MEMORY, what a watch says, or OK.
imp_Status impi_face_pieces_find(imp_Context *context, const impi_FacePiecesDef *def,
                                 impi_FacePieces *pieces);

#endif
