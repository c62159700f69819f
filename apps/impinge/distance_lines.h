/// Distances of bodies as lines: the kinds of pairs, and how programs and people read them. For all commands
/// that list distances.
#ifndef IMPINGE_APPS_DISTANCE_LINES_H
#define IMPINGE_APPS_DISTANCE_LINES_H

#include "kit/json_writer.h"

#include <impinge/distance.h>

/// What two bodies have to do with each other: one for each pair, the first that holds.
typedef enum DistanceKind {
    DISTANCE_OVERLAP,     // touching, deeper than is let pass
    DISTANCE_TOUCH,       // not deeper
    DISTANCE_BOTH_INSIDE, // bodies of several parts can each hold a part of the other
    DISTANCE_A_INSIDE_B,
    DISTANCE_B_INSIDE_A,
    DISTANCE_CLEARANCE, // apart, but not farther than was asked for
    DISTANCE_APART,
    DISTANCE_KIND_COUNT,
} DistanceKind;

typedef struct DistanceLine {
    uint32_t body_a, body_b; // body_a < body_b
    DistanceKind kind;
    imp_Distance distance;
} DistanceLine;

/// The kind of a pair. `overlaps`: it touches, deeper than is let pass; `is_near`: a distance was asked for
/// and they are not farther apart.
DistanceKind distance_kind(const imp_Distance *distance, bool overlaps, bool is_near);

/// "a_inside_b", as programs read it, and "is inside", as people do.
const char *distance_kind_name(DistanceKind kind);
const char *distance_kind_words(DistanceKind kind);

/// Is there a point of the body, a or b? Where there is none its coordinates are left out, and where it lies
/// on no face, which is so inside of solids, its face is.
bool distance_has_point(const imp_Distance *distance, const imp_SurfacePoint *point);

/// Columns of CSV, without line ends. Numbers read back as the same doubles.
#define DISTANCE_COLUMNS "body_a,body_b,distance,lower_bound,ax,ay,az,bx,by,bz,face_a,face_b,relation"
void distance_put_csv(const DistanceLine *line, impi_Text *output);

/// The same as the entries of an object that has been begun.
void distance_put_json(const DistanceLine *line, impi_JsonWriter *json);

#endif
