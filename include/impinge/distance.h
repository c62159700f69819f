/// How far apart, and where: lengths with proven bounds.
#ifndef IMPINGE_DISTANCE_H
#define IMPINGE_DISTANCE_H

#include <impinge/cancel.h>
#include <impinge/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A part of a triangle.
typedef enum imp_Feature {
    IMP_FEATURE_VERTEX = 1,
    IMP_FEATURE_EDGE,
    IMP_FEATURE_FACE,
} imp_Feature;

/// A point of a triangle or of a surface made of them.
typedef struct imp_SurfacePoint {
    imp_Vec3 position;   ///< rounded: it may be off the face by an ulp of each coordinate
    uint32_t face;       ///< that it lies on; IMP_NO_FACE: none, or there is no point
    imp_Feature feature; ///< the least part of the face that holds it
    uint32_t corner;     ///< of the face, 0 to 2: the vertex, or where the edge begins that goes to the next
} imp_SurfacePoint;

/// Zero fields mean defaults.
typedef struct imp_DistanceDef {
    double relative_accuracy; ///< of the distance, above 0 and below 1; default 1e-6
    double stop_below;        ///< being at most this far apart is enough to know; 0: only the distance is
    double stop_above;        ///< being farther apart than this is enough to know; 0: only the distance is
    bool ignore_containment;  ///< do not ask which bodies lie inside closed meshes
    const imp_Cancel *cancel; ///< once it is requested, the call ends with IMP_STATUS_CANCELLED; null: none
    uint64_t reserved[4];     ///< zero
} imp_DistanceDef;

/// How far apart two bodies are. Meshes are surfaces, convex bodies are solids.
///
/// Where `has_stopped` is set the distance was not looked for any further: either distance is stop_below and
/// lower_bound is 0, or distance is infinite and lower_bound is stop_above, and they are farther apart than
/// that. There are no points then, and whether they touch is not told in the former case. Which it is
/// depends on the true distance alone: at most stop_below, or above stop_above, in real arithmetic.
typedef struct imp_Distance {
    bool touch;
    bool a_inside_b, b_inside_a; ///< a component of one lies inside the closed surface of the other
    bool has_stopped;
    bool reached_accuracy; ///< distance - lower_bound is at most relative_accuracy * distance
    double distance;       ///< proven: the true distance is not more. 0 if and only if they touch
    double lower_bound;    ///< proven: the true distance is not less
    imp_SurfacePoint a, b; ///< the closest points; touching: a point of both
} imp_Distance;

/// Are two triangles at most this far apart? Exactly: is the square of their distance, in real arithmetic on
/// these doubles, at most distance * distance? IMP_STATUS_BAD_NUMBER when a number is not finite, or the
/// distance is negative.
IMP_CHECKED imp_Status imp_triangles_within(const imp_Triangle *a, const imp_Triangle *b, double distance,
                                            bool *within);

/// How far apart are two triangles? `distance` is the least double that is not less than the true distance,
/// `lower_bound` the greatest that is not more: infinity and the largest double where it is beyond that.
/// Faces are 0. IMP_STATUS_BAD_NUMBER when a coordinate is not finite.
IMP_CHECKED imp_Status imp_triangles_distance(const imp_Triangle *a, const imp_Triangle *b,
                                              imp_Distance *result);

#ifdef __cplusplus
}
#endif

#endif
