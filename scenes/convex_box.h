/// Convex bodies that fly about in a closed box, as in Chung & Wang 1996, section 6.
///
/// The paper gives the motion: a share of the radius and an angle per frame, both reversed when bodies
/// collide. It does not give the walls: here they throw back the centres.
#ifndef IMPINGE_SCENES_CONVEX_BOX_H
#define IMPINGE_SCENES_CONVEX_BOX_H

#include "scenes/convex_shapes.h"

#include <impinge/broad.h>
#include <impinge/convex.h>

typedef struct SceneConvexBoxDef {
    SceneConvexKind kind;
    bool is_mixed; ///< kinds take turns instead
    uint32_t body_count, vertex_count;
    double edge;   ///< of the box, which reaches from the origin to (edge, edge, edge)
    double speed;  ///< distance per frame; the radius of a body is 1
    uint32_t turn; ///< hundredths of a degree per frame
    uint64_t seed;
} SceneConvexBoxDef;

typedef struct SceneConvexBody {
    imp_Convex *convex; // each body has one of its own
    imp_Vec3 velocity, axis;
    imp_Quat start;
    int64_t angle, turn; // hundredths of a degree
} SceneConvexBody;

typedef struct SceneConvexBox {
    SceneConvexBoxDef def;
    SceneConvexBody *bodies;
    imp_Pose *poses; // of this frame,
    imp_Transform *transforms;
    imp_Box *boxes;       // and the tightest boxes in it
    imp_IndexPair *pairs; // those of overlapping boxes, sorted
    size_t pair_count, pair_capacity;
    uint64_t random;
} SceneConvexBox;

/// The edge of a box in which bodies stand as close as they can without being stuck in each other at the
/// start: they turn back at once when they collide, so that about one in twenty tests finds a collision,
/// nearly always a new one.
double scene_convex_box_edge(SceneConvexKind kind, uint32_t body_count);

/// Bodies stand on a grid at first, turned at random.
imp_Status scene_convex_box_create(imp_Context *context, const SceneConvexBoxDef *def, SceneConvexBox **box);

/// Null is fine.
void scene_convex_box_destroy(SceneConvexBox *box);

/// The next frame. Bodies for which `is_colliding` holds are reversed first.
imp_Status scene_convex_box_step(imp_Context *context, SceneConvexBox *box, const bool *is_colliding);

/// All bodies anywhere in the box, in any attitude.
imp_Status scene_convex_box_shuffle(imp_Context *context, SceneConvexBox *box);

#endif
