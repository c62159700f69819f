/// Eight children of one sphere against a sphere of another tree: do they meet, and how far apart can the
/// bodies be then? In single precision, in the frame of the second body's tree.
#ifndef IMPINGE_OBJECT_SPHERE_TEST_H
#define IMPINGE_OBJECT_SPHERE_TEST_H

#include "shape/sphere_lanes.h"

/// What rounding may add to a square of a distance, and to its root.
#define IMPI_SPHERE_SQUARE_ROOM 1.00001f

/// What that lets balls be apart which count as meeting, over their reach.
#define IMPI_SPHERE_REACH_ROOM 0x1p-17f

/// From the frame of body a's tree to that of body b's.
typedef struct impi_SphereMotion {
    float rows[3][3], translation[3];
    float ratio;    // of lengths
    float widening; // of distances, for everything that rounding and deformation may have moved
} impi_SphereMotion;

/// A sphere in the frame of b's tree.
typedef struct impi_SpherePlace {
    float center[3], point[3], radius, reach, protrusion, depth;
} impi_SpherePlace;

/// By lane. Lanes beyond the last child hold anything.
typedef struct impi_SphereHits {
    _Alignas(64) float center[3][IMPI_SPHERE_LANES],
        point[3][IMPI_SPHERE_LANES];   // of the children, in b's frame
    float bound[IMPI_SPHERE_LANES];    // if they meet, the bodies are no farther apart than this
    float distance[IMPI_SPHERE_LANES]; // of the points
    uint32_t meeting;                  // bits of lanes whose balls meet; NaN meets everything
    uint32_t touching;                 // bits of those whose faces may touch
    uint32_t deep;                     // bits of those whose balls inside of the bodies seem to meet
} impi_SphereHits;

/// One set of functions for each instruction set; all give the same bits.
typedef struct impi_SphereTest {
    /// Children of a sphere of a against a sphere of b.
    void (*children_of_a)(const impi_SphereGroup *children, const impi_SphereMotion *motion,
                          const impi_SpherePlace *sphere, impi_SphereHits *hits);
    /// Children of a sphere of b against a sphere of a.
    void (*children_of_b)(const impi_SphereGroup *children, const impi_SphereMotion *motion,
                          const impi_SpherePlace *sphere, impi_SphereHits *hits);
} impi_SphereTest;

extern const impi_SphereTest impi_sphere_test_portable;
#if defined(__x86_64__)
extern const impi_SphereTest impi_sphere_test_avx2, impi_sphere_test_avx512;
#endif

/// The fastest that this processor runs.
const impi_SphereTest *impi_sphere_test(void);

#endif
