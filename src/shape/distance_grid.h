/// How far points are from a body, nearly: a grid that knows the nearest face of each of its vertices.
#ifndef IMPINGE_SHAPE_DISTANCE_GRID_H
#define IMPINGE_SHAPE_DISTANCE_GRID_H

#include "shape/sphere_pieces.h"

/// A face as points ask for it: one corner, the two edges that leave it and the third one, the normal, and
/// products of edges.
typedef struct impi_GridFace {
    float corner[3], u[3], v[3], third[3], normal[3];
    float uu, uv, vv, determinant;               // which is 0 where the face is degenerate
    float inverse_uu, inverse_vv, inverse_third; // of the squared lengths of edges; of 0 it is 0
} impi_GridFace;

/// In the scratch arena of the context, in the local frame.
typedef struct impi_DistanceGrid {
    bool is_solid;
    float origin[3], cell_size;
    size_t size[3];    // vertices along each axis, at least 2
    float *distance;   // of each vertex, x first; negative inside of a solid
    uint32_t *nearest; // the face that is nearest to each vertex, or almost
    const impi_GridFace *faces;
} impi_DistanceGrid;

/// IMP_STATUS_OUT_OF_MEMORY, what a watch says, or OK.
imp_Status impi_distance_grid_build(imp_Context *context, const imp_Mesh *mesh, const impi_LocalFrame *frame,
                                    const impi_SpherePieces *pieces, bool is_solid, impi_DistanceGrid *grid);

/// Signed: negative inside of a solid. Computed from the faces that are nearest to the corners of the
/// point's cell, so it is hardly ever too large by more than a small part of a cell, and never too small
/// but for rounding.
float impi_distance_grid_at(const impi_DistanceGrid *grid, const float point[3]);

#endif
