/// Distances of bodies as lines, for all commands that list them.
#ifndef IMPINGE_APPS_DISTANCE_LINES_H
#define IMPINGE_APPS_DISTANCE_LINES_H

#include "body_labels.h"
#include "relations.h"

#include <impinge/distance.h>

typedef struct DistanceLine {
    uint32_t body_a, body_b; // body_a < body_b
    Relation relation;       // the first that holds
    imp_Distance distance;
} DistanceLine;

/// The relation of a pair. `overlaps`: it touches, deeper than is let pass; `is_near`: a distance was asked
/// for and they are not farther apart.
Relation distance_relation(const imp_Distance *distance, bool overlaps, bool is_near);

/// Is there a point of the body, a or b? Where there is none its coordinates are left out, and where it lies
/// on no face, which is so inside of solids, its face is.
bool distance_has_point(const imp_Distance *distance, const imp_SurfacePoint *point);

/// The least part of a face that holds a point: "vertex", "edge" or "face".
const char *feature_name(imp_Feature feature);

/// Columns of CSV, without line ends. Numbers read back as the same doubles.
#define DISTANCE_COLUMNS                                                                                     \
    "body_a,body_b,distance,lower_bound,ax,ay,az,bx,by,bz,face_a,face_b,relation" PAIR_NAME_COLUMNS
void distance_put_csv(const impi_Motion *motion, const DistanceLine *line, impi_Text *output);

/// The same as the entries of an object that has been begun.
void distance_put_json(const impi_Motion *motion, const DistanceLine *line, impi_JsonWriter *json);

#endif
