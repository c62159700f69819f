/// An upright box, the target, against a box that was moved, the source: a parallelepiped of the points M p +
/// t with p in [min, max]. All numbers are doubles, taken as real numbers, and nothing is rounded on the way
/// to a verdict.
///
/// Two such boxes are apart if and only if they are seen apart along one of 15 directions: three axes, three
/// normals of the moved box's faces, and nine cross products of an axis and an edge of it (Gottschalk, Lin &
/// Manocha 1996). Directions depend on the motion alone, so they are made once; positions along them are made
/// once for each box. A filter in doubles decides nearly all pairs, integers the rest (geom/cube_exact.h).
///
/// The filter computes in a frame of its own: coordinates less a base near the boxes, times a power of two,
/// so that it works far from the origin and at all scales. Derivation of its bound in docs/exactness.md.
#ifndef IMPINGE_GEOM_CUBE_CUBE_H
#define IMPINGE_GEOM_CUBE_CUBE_H

#include <impinge/math.h>

#include <stdint.h>

/// Three axes, three normals of faces, at most nine cross products, and room to make whole registers of it.
#define IMPI_CUBE_DIRECTIONS 16
#define IMPI_FACE_DIRECTIONS 6 // axes and normals

typedef struct impi_SourceBox {
    double min[3], max[3]; // before the motion; min < max
} impi_SourceBox;

/// Coordinates are (a[0] + a[1]) / 2, so that midpoints of corners are exact. min <= max, and
/// min < max where volumes in common are asked for.
typedef struct impi_TargetBox {
    double min[3][2], max[3][2];
} impi_TargetBox;

/// What being apart means.
typedef enum impi_CubeSense {
    IMPI_CUBES_OPEN,   // they have no volume in common
    IMPI_CUBES_CLOSED, // they share no point
} impi_CubeSense;

typedef enum impi_CubeRelation {
    IMPI_CUBES_APART,
    IMPI_CUBES_PARTIAL,
    IMPI_CUBES_COMPLETE, // the target lies in the closed source
} impi_CubeRelation;

/// Where the filter computes: at (coordinate - base) * 2^-exponent.
typedef struct impi_CubeFrame {
    double source_base[3], target_base[3];
    int exponent;
    double reach; // in the frame: no coordinate of any box is larger
    double slop;  // in the frame: those that boxes are given with may be so far off, besides rounding
    /// Coordinates of all boxes, of their centers, and half their edges are integers times 2^step, in the
    /// frame, and exact; IMPI_NO_STEP when nothing is known of that.
    int step;
} impi_CubeFrame;

#define IMPI_NO_STEP INT32_MIN

/// The exponent of a frame in which coordinates are at most 1 that are at most `largest` outside of it.
int impi_cube_frame_exponent(double largest);

/// A number in a frame.
double impi_cube_frame_local(const impi_CubeFrame *frame, double base, double x);

/// A motion made ready. Directions 0 to 2 are axes, 3 to 5 normals of faces, then cross products. Those that
/// are null or parallel to an axis are left out; normals parallel to an axis are that axis.
typedef struct impi_CubeMotion {
    imp_Transform transform; // regular
    impi_CubeFrame frame;
    int count;                              // of directions
    uint8_t names[IMPI_CUBE_DIRECTIONS];    // as integers count them: 0 to 14 (geom/cube_exact.h)
    double target[IMPI_CUBE_DIRECTIONS][3]; // the direction
    double source[IMPI_CUBE_DIRECTIONS][3]; // its products with the edges of the source
    double offset[IMPI_CUBE_DIRECTIONS];    // where the source's base goes
    double target_size[IMPI_CUBE_DIRECTIONS], source_size[IMPI_CUBE_DIRECTIONS]; // sums of sizes
    /// Positions along a direction are off by so much, for two boxes together. 0: they are exact. Infinite:
    /// nothing is known.
    double error[IMPI_CUBE_DIRECTIONS];
    double largest_error;
    double base[3];       // where the source's base goes, in the frame
    double inverse[3][3]; // of the matrix
} impi_CubeMotion;

void impi_cube_motion_init(impi_CubeMotion *motion, const imp_Transform *transform,
                           const impi_CubeFrame *frame);

/// A box along all directions of a motion. Widths are halved.
typedef struct impi_CubeShadow {
    double middle[IMPI_CUBE_DIRECTIONS], half[IMPI_CUBE_DIRECTIONS];
} impi_CubeShadow;

/// Of boxes by their centers and half their edges, in the frame.
void impi_cube_source_shadow(const impi_CubeMotion *motion, const double center[3], const double half[3],
                             impi_CubeShadow *shadow);
void impi_cube_target_shadow(const impi_CubeMotion *motion, const double center[3], const double half[3],
                             impi_CubeShadow *shadow);

/// A pair of boxes with their shadows.
typedef struct impi_CubePair {
    const impi_SourceBox *source;
    const impi_TargetBox *target;
    const impi_CubeShadow *source_shadow, *target_shadow;
} impi_CubePair;

/// `*is_exact` says whether integers were asked.
bool impi_cube_are_apart(const impi_CubeMotion *motion, const impi_CubePair *pair, impi_CubeSense sense,
                         bool *is_exact);
impi_CubeRelation impi_cube_relation(const impi_CubeMotion *motion, const impi_CubePair *pair,
                                     impi_CubeSense sense, bool *is_exact);

/// The same for boxes that stand alone: a frame, a motion and shadows are made for them.
impi_CubeRelation impi_cube_cube(const imp_Transform *transform, const impi_SourceBox *source,
                                 const impi_TargetBox *target, impi_CubeSense sense);

#endif
