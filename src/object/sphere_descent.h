/// Two sphere trees, compared from their roots down: what is known so far, and going on from there.
#ifndef IMPINGE_OBJECT_SPHERE_DESCENT_H
#define IMPINGE_OBJECT_SPHERE_DESCENT_H

#include "base/budget.h"
#include "object/sphere_leaf.h"
#include "object/sphere_motion.h"

/// Two spheres that meet, whose children have not all been compared yet.
typedef struct impi_MeetingSpheres {
    uint32_t a, b;
    uint32_t next_group; // of the children of the one that is refined
    float center[3];     // of a's, in b's frame
    float point[3];      // likewise
} impi_MeetingSpheres;

typedef enum impi_DescentVerdict {
    IMPI_DESCENT_OPEN,
    IMPI_DESCENT_TOUCH,  // faces touch, whether it is known which or not
    IMPI_DESCENT_APART,  // no faces do, nor has a convex body a face of the other inside
    IMPI_DESCENT_PASSED, // leaves have too many faces to be compared here, or faces don't tell
} impi_DescentVerdict;

/// Where faces of two bodies were found to touch: the first thing to try when they have moved.
typedef struct impi_LastTouch {
    impi_TouchHint faces;
    uint32_t leaf_a, leaf_b;
} impi_LastTouch;

/// Depth first: each sphere on the stack is followed by some of its children that meet, the most promising on
/// top. So the stack is short, whatever trees there are, and what is on it is all that can touch.
typedef struct impi_SphereDescent {
    const impi_Body *a, *b;
    impi_SphereMotion motion;
    double error;                           // the bodies are no farther apart, in the world
    float bound;                            // the least that was found, in b's frame
    uint32_t best_a, best_b;                // the spheres that it is of
    impi_LastTouch last_touch;              // of these bodies, as they were the last time or are now
    bool has_tried_faces, has_tried_leaves; // of the last touch
    bool has_motion, is_begun;
    bool may_hold;          // points of the one were looked for outside of the other, in vain
    bool may_be_inside;     // balls meet that have no faces to touch there, or whose faces do not
    size_t leaf_face_count; // of all leaves that were compared
    impi_DescentVerdict verdict;
    impi_MeetingSpheres *stack; // with room for impi_descent_room, while steps are done
    size_t count;
} impi_SphereDescent;

/// How long the stack can get.
size_t impi_descent_room(const impi_Body *a, const impi_Body *b);

/// Faces that touched the last time are near each other, and their neighbours are to be compared next.
static inline bool impi_descent_may_touch_again(const impi_SphereDescent *descent)
{
    return descent->last_touch.faces.is_set && descent->has_tried_faces && !descent->has_tried_leaves;
}

/// A turn of a pair.
typedef struct impi_DescentTurn {
    size_t most_steps;
    bool ends_at_faces; // leave the faces of leaves, which take much longer than spheres, to a later turn
} impi_DescentTurn;

/// Do some steps, fewer when it is decided or the budget is over; returns how many. A step compares
/// eight children of a sphere with another sphere, the faces of two leaves, or the two faces that touched the
/// last time; beginning is a step too.
/// `scratch` is of impi_leaf_scratch_size.
size_t impi_descent_go_on(impi_SphereDescent *descent, const impi_DescentTurn *turn, impi_Budget *budget,
                          impi_LeafScratch *scratch);

#endif
