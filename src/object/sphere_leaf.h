/// The exact end of refining: do faces of two spheres of the last level touch?
#ifndef IMPINGE_OBJECT_SPHERE_LEAF_H
#define IMPINGE_OBJECT_SPHERE_LEAF_H

#include "object/sphere_test.h"
#include "object/touch_hint.h"

/// Of two leaves with more face pairs than this the faces are left to filters that have trees over faces.
#define IMPI_MAX_LEAF_FACE_PAIRS 65536

/// Spheres of the last level, by their numbers in the trees of two bodies.
typedef struct impi_LeafPair {
    const impi_Body *a, *b;
    uint32_t leaf_a, leaf_b;
} impi_LeafPair;

/// Working memory of impi_leaves_touch, of so many bytes. It keeps posed faces: begin anew when bodies have
/// moved.
typedef struct impi_LeafScratch impi_LeafScratch;
size_t impi_leaf_scratch_size(void);
void impi_leaf_scratch_begin(impi_LeafScratch *scratch);

/// Faces of both.
size_t impi_leaves_face_count(const impi_LeafPair *pair);

/// Are there no more face pairs than IMPI_MAX_LEAF_FACE_PAIRS?
bool impi_leaves_are_small(const impi_LeafPair *pair);

/// Do faces of the two leaves share a point, within both balls? Exact, on posed vertices; touching counts.
/// For leaves that are small; `motion` is of their bodies. If so, `touching` is two faces that do.
bool impi_leaves_touch(const impi_LeafPair *pair, const impi_SphereMotion *motion, impi_LeafScratch *scratch,
                       impi_TouchHint *touching);

#endif
