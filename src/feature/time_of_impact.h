/// When do faces of two moving surfaces first touch? Exact verdicts about candidate face pairs, as
/// feature/face_pair.h has them for surfaces that stand.
///
/// The surfaces may be one and the same: then only what has no vertex of the mesh in common is compared,
/// vertices with faces, edges with edges and, at the start, edges with faces. The blocks of candidates must
/// be posed.
#ifndef IMPINGE_FEATURE_TIME_OF_IMPACT_H
#define IMPINGE_FEATURE_TIME_OF_IMPACT_H

#include "shape/moving_surface.h"

/// Do any of them touch at time 0? `keys` is working memory for `count`.
bool impi_moving_faces_touch(const impi_MovingSurface *a, const impi_MovingSurface *b,
                             const impi_BlockFacePair *candidates, size_t count, impi_FaceKey *keys);

/// The first time, `until` at most, of all vertices and edges that the candidates own, where none of them
/// touches at time 0; infinite when there is none. Asked about all face pairs of two surfaces, it finds the
/// first time at which these touch.
double impi_moving_faces_first_time(const impi_MovingSurface *a, const impi_MovingSurface *b,
                                    const impi_BlockFacePair *candidates, size_t count, double until);

/// Write those of the candidates that touch until then, each with its own first time and what meets, to
/// `found`, in no order; returns how many. `found` and `keys` hold `count`; candidates are overwritten. Of
/// faces that touch at time 0 what meets is IMPI_WHOLE_FACE twice.
size_t impi_moving_faces_times(const impi_MovingSurface *a, const impi_MovingSurface *b,
                               impi_BlockFacePair *candidates, size_t count, double until, impi_FaceKey *keys,
                               impi_FaceTime *found);

#endif
