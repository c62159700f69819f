/// Exact verdicts about candidate face pairs.
#ifndef IMPINGE_FEATURE_FACE_PAIR_H
#define IMPINGE_FEATURE_FACE_PAIR_H

#include "geom/triangle_batch.h"
#include "shape/surface.h"

/// Write those of the candidates whose triangles share a point, or are at most `margin` apart, to `found`, in
/// order, by the numbers that the faces have in their meshes; returns how many. `found` holds `count`. The
/// blocks of the candidates must be posed.
size_t impi_face_pairs_within(const impi_Surface *a, const impi_Surface *b,
                              const impi_BlockFacePair *candidates, size_t count, double margin,
                              impi_FaceKey *found);

/// The triangles of the first eight pairs; lanes beyond the end repeat the last one.
void impi_face_pairs_fill(const impi_Surface *a, const impi_Surface *b, const impi_BlockFacePair *pairs,
                          size_t count, impi_TriangleBatch *batch);

#endif
