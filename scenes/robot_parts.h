/// What robots and their surroundings are made of.
#ifndef IMPINGE_SCENES_ROBOT_PARTS_H
#define IMPINGE_SCENES_ROBOT_PARTS_H

#include <impinge/mesh.h>

/// Closed solids that may overlap, which makes a mesh of several components as drawings of machines have
/// them.
typedef enum SceneSolidKind {
    SCENE_NO_SOLID, // ends a list
    SCENE_SPOOL,    // a cylinder with a flange at both ends, around an axis through `centre`
    SCENE_BLOCK,    // a box with three by three quads on each side
} SceneSolidKind;

typedef struct SceneSolid {
    SceneSolidKind kind;
    int axis; // of a spool: 0 is x, 1 is y, 2 is z
    imp_Vec3 centre;
    double radius, low, high; // of a spool, the latter along its axis, seen from the centre
    imp_Vec3 half;            // of a block: half its sizes
} SceneSolid;

#define SCENE_MAX_SOLIDS 4

/// One mesh of up to SCENE_MAX_SOLIDS of them.
imp_Status scene_make_solids(imp_Context *context, const SceneSolid *solids, imp_Mesh **mesh);

#endif
