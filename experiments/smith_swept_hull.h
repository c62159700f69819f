/// Swept faces as printed in Smith & Kitamura 1994, section 4.2: hulls with faces and edges, compared edge
/// against face. For experiments; feature/swept_hull.h is what the library has.
#ifndef IMPINGE_EXPERIMENTS_SMITH_SWEPT_HULL_H
#define IMPINGE_EXPERIMENTS_SMITH_SWEPT_HULL_H

#include <impinge/sweep.h>

#define SMITH_HULL_POINTS    6
#define SMITH_HULL_MAX_FACES 20
#define SMITH_HULL_MAX_EDGES 15

/// The faces of a hull as triangles between its points; where more than three points lie in a face, all
/// triangles between them.
typedef struct SmithHull {
    imp_Vec3 points[SMITH_HULL_POINTS]; // at the beginning, then at the end
    uint8_t faces[SMITH_HULL_MAX_FACES][3];
    uint8_t edges[SMITH_HULL_MAX_EDGES][2];
    unsigned face_count, edge_count; // 0 where all points lie on a line
} SmithHull;

/// Coordinates are finite.
SmithHull smith_hull_make(const imp_MovingTriangle *face);

/// Does an edge of one go through a face of the other? Touching counts. That is all that the paper tests.
bool smith_hulls_cross(const SmithHull *a, const SmithHull *b);

/// The same of two faces, with hulls that are made for it, as the paper makes them.
bool smith_swept_faces_cross(const imp_MovingTriangle *a, const imp_MovingTriangle *b);

#endif
