/// What two triangles that touch have in common: the corners of it, each named by the least part of either
/// triangle that it lies on.
///
/// The common part of two triangles is convex: a point, a segment or, in one plane, a polygon. Each corner of
/// it is where a vertex, an edge or a face of one meets such a part of the other in a single point. These
/// names come from exact signs, so that neighbours in a mesh agree about them: a corner on an edge has the
/// same name in both faces of that edge.
#ifndef IMPINGE_GEOM_TRIANGLE_MEETING_H
#define IMPINGE_GEOM_TRIANGLE_MEETING_H

#include <impinge/math.h>

typedef enum impi_PartKind {
    IMPI_PART_VERTEX = 1,
    IMPI_PART_EDGE,
    IMPI_PART_FACE,
} impi_PartKind;

/// A part of a triangle without its ends: a vertex, an edge from this corner to the next, or the face.
typedef struct impi_Part {
    uint8_t kind;   // impi_PartKind
    uint8_t corner; // 0 for the face
} impi_Part;

typedef struct impi_MeetingCorner {
    impi_Part a, b;
    int8_t direction; // 1: the common segment begins here along (normal of a) x (normal of b), -1: it ends
                      // here, 0: the signs do not tell
} impi_MeetingCorner;

/// Triangles that are segments or points have parts that overlap, and so one corner may have several names.
#define IMPI_MAX_MEETING_CORNERS 42

typedef struct impi_Meeting {
    uint32_t count; // at least 1 for triangles that touch
    bool is_flat;   // both lie in one plane, and none is degenerate
    bool is_degenerate;
    impi_MeetingCorner corners[IMPI_MAX_MEETING_CORNERS];
} impi_Meeting;

/// For finite coordinates, in the default floating-point mode (base/float_guard.h).
void impi_triangles_meet(const imp_Triangle *a, const imp_Triangle *b, impi_Meeting *meeting);

/// Where a corner is: a vertex as it stands, otherwise off by IMPI_CROSSING_ERROR at most
/// (geom/exact_crossing.h).
imp_Vec3 impi_meeting_point(const imp_Triangle *a, const imp_Triangle *b, const impi_MeetingCorner *corner);

#endif
