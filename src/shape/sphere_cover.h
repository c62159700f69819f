/// Do spheres hold all of a mesh, chain by chain? Proven, not sampled.
///
/// A chain is a sphere of the last level and its ancestors. A mesh is covered when each point of its faces,
/// and of its inside where the solid is asked for, lies in all balls of one chain.
#ifndef IMPINGE_SHAPE_SPHERE_COVER_H
#define IMPINGE_SHAPE_SPHERE_COVER_H

#include "shape/mesh.h"
#include "shape/sphere_draft.h"

/// The faces that have a piece in each sphere of the last level: those of the i-th of them are
/// faces[first[i]] up to faces[first[i + 1]], ascending.
typedef struct impi_SphereFaces {
    size_t sphere_count;
    size_t *first; // sphere_count + 1
    uint32_t *faces;
    size_t face_count, face_capacity;
} impi_SphereFaces;

void impi_sphere_faces_free(const imp_Allocator *allocator, impi_SphereFaces *faces);

/// Enlarge spheres where the proof fails, as little as is easily found, so that it succeeds.
/// IMP_STATUS_OUT_OF_MEMORY, IMP_STATUS_BAD_NUMBER beyond the largest double, what a watch says, or OK.
imp_Status impi_sphere_cover_mend(imp_Context *context, const imp_Mesh *mesh, imp_SphereCover cover,
                                  impi_SphereDraft *draft);

/// Prove it. Faces, and boxes of the inside, are divided until each piece lies in one chain.
/// IMP_STATUS_BAD_SHAPE with the index of a face that has a piece for which no chain is found, or none where
/// that is a part of the inside; IMP_STATUS_OUT_OF_MEMORY, what a watch says, or OK. What would take too many
/// pieces counts as not held: spheres that overlap by next to nothing can ask for that.
/// Memory of the result comes from the context's allocator.
imp_Status impi_sphere_cover_prove(imp_Context *context, const imp_Mesh *mesh, imp_SphereCover cover,
                                   const impi_SphereDraft *draft, impi_SphereFaces *faces);

#endif
