/// Where bodies touch, which way and how deep: what a detect with imp_DetectDef.contacts tells besides.
/// docs/contacts.md says what is proven, what is approximate, and what each rule is for.
#ifndef IMPINGE_CONTACT_H
#define IMPINGE_CONTACT_H

#include <impinge/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Names a body of a world. All zero names none. Slots are used again, ids are not.
typedef struct imp_BodyId {
    uint32_t slot;       ///< counts from 1
    uint32_t generation; ///< how often the slot was given away
} imp_BodyId;

/// How the normal of a contact was found. Faces are taken to be turned outward.
typedef enum imp_NormalRule {
    IMP_NORMAL_CURVE = 1, ///< from the area that its closed curves enclose
    IMP_NORMAL_FACES,     ///< face on face: from the faces that lie in one plane, by the area they share
    IMP_NORMAL_FACE,      ///< a vertex touches a face: that of the face
    IMP_NORMAL_EDGES,     ///< an edge touches an edge: square to both
    IMP_NORMAL_MEAN,      ///< the mean of the normals of the faces that touch, a's less b's
    IMP_NORMAL_CENTRES,   ///< from the middle of a's box to that of b's, where nothing else tells
    IMP_NORMAL_ANY,       ///< along z: both boxes have the same middle
} imp_NormalRule;

#define IMP_MAX_CONTACT_POINTS 4

/// A region of touching faces that hangs together: two face pairs are of one region when what they have in
/// common does, or through others. Decided exactly.
typedef struct imp_Contact {
    imp_BodyId body_a, body_b;             ///< slot of a < slot of b
    size_t first_face, face_count;         ///< its face pairs, in imp_Report.contact_faces
    size_t first_polyline, polyline_count; ///< its curves, in imp_Report.polylines; none where it is a point
    imp_Vec3 points[IMP_MAX_CONTACT_POINTS]; ///< that span it
    uint32_t point_count;                    ///< 1 to 4
    imp_NormalRule normal_rule;
    imp_Vec3 normal; ///< from a to b, of unit length

    /// How far the farthest point of one body's surface inside of the other, bounded by this region, is from
    /// the other's surface; the larger of both ways. Not the shortest way out. Both bodies must be closed,
    /// and no coordinate beyond 2^1000: otherwise depth_is_known is false, and the depths are 0.
    bool depth_is_known;
    bool depth_reached_accuracy; ///< depth is at most 1 % or 2^-41 of the largest coordinate above the bound
    /// Proven: not more, but for tips too thin to tell (docs/contacts.md). 0 where no point of one is inside
    /// of the other.
    double depth;
    double depth_lower_bound; ///< proven: not less
} imp_Contact;

/// A part of a curve in which two surfaces meet, along (normal of a's face) x (normal of b's face).
typedef struct imp_Polyline {
    size_t first_point, point_count; ///< in imp_Report.curve_points, at least two
    bool is_closed;                  ///< it goes on from the last point to the first
} imp_Polyline;

#ifdef __cplusplus
}
#endif

#endif
