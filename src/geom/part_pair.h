/// Parts of two triangles: where closest or common points lie, and which of several is told.
#ifndef IMPINGE_GEOM_PART_PAIR_H
#define IMPINGE_GEOM_PART_PAIR_H

#include <impinge/distance.h>

/// A vertex, an edge without its ends or a face without its border. Edges begin at their corner and go to the
/// next one; faces have corner 0.
typedef struct impi_Part {
    imp_Feature feature;
    int corner;
} impi_Part;

typedef struct impi_PartPair {
    impi_Part of[2]; // of a and of b
} impi_PartPair;

/// Vertices of both triangles have numbers: 0 to 2 those of a, 3 to 5 those of b. This is the vertex at which
/// a part of a (side 0) or b (side 1) begins.
static inline int impi_part_begin(impi_Part part, int side)
{
    return 3 * side + part.corner;
}

/// The next vertex of the same triangle.
static inline int impi_next_vertex(int vertex)
{
    return vertex % 3 == 2 ? vertex - 2 : vertex + 1;
}

typedef bool (*impi_PartsFn)(const void *context, const impi_PartPair *parts);

/// Of the pairs of parts that qualify, the one that is told. Two vertices come first, then a vertex and an
/// edge, a vertex and a face, two edges, an edge and a face; after that the lower corner of the lesser part,
/// then that of the other. So far a and b are alike. Of two pairs that are each other's mirror image, the one
/// that has the lesser part, or the lower corner, on the triangle whose coordinates, sorted, come first;
/// where those are the same, on the one whose coordinates, as they stand, come first.
/// False where none qualifies. Faces against faces are never asked for.
bool impi_choose_parts(const imp_Triangle *a, const imp_Triangle *b, impi_PartsFn qualifies,
                       const void *context, impi_PartPair *chosen);

#endif
