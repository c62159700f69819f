/// How far apart the bodies of a check are.
#ifndef IMPINGE_APPS_CHECK_DISTANCES_H
#define IMPINGE_APPS_CHECK_DISTANCES_H

#include "check_contacts.h"
#include "distance_lines.h"

/// What is asked. Limits are distances that were given; a pair that is exactly so far apart counts.
typedef struct CheckDistanceDef {
    bool asks_distance;  // list all pairs
    bool asks_max;       // list those that are not farther apart than the limit
    bool asks_clearance; // the same, and those of which one is inside the other; such pairs are found
    bool has_limit;      // otherwise rules alone tell clearances
    bool rules_tell;     // some of them, or all
    double limit;        // of those two, of which at most one is asked for
} CheckDistanceDef;

static inline bool check_asks_distances(const CheckDistanceDef *def)
{
    return def->asks_distance || def->asks_max || def->asks_clearance;
}

typedef struct CheckDistances {
    CheckDistanceDef def;
    DistanceLine *lines; // sorted by bodies
    size_t count;
} CheckDistances;

/// Find them, in a scene that has been detected with this def, and with its contacts. Says what went wrong;
/// free them in any case.
CommandResult check_distances_find(const CheckScene *scene, const CheckDistanceDef *def,
                                   const CheckContacts *contacts, CheckDistances *distances);

/// Is something found, as the exit status tells it: does a pair touch, is one inside the other, or is it
/// nearer than the clearance that was asked for?
bool check_distances_found(const CheckScene *scene, const CheckDistances *distances);

void check_distances_free(CheckDistances *distances);

#endif
