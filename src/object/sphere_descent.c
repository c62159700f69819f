// From Hubbard 1996, section 4: the time-critical descent. Departs from it in the order: depth first towards
// the spheres that bound the distance best, instead of level by level, because that bounds the error sooner
// and needs a stack of a few dozen pairs; of two spheres only the larger one is refined at a time.
//
// Cost: some 50 ns a step of eight sphere tests.
#include "object/sphere_descent.h"

#include "object/sphere_inside.h"
#include "shape/sphere_tree.h"

// When leaves with so many faces in all were compared, and none touched, the faces of all the bodies are
// better looked at together.
#define MOST_LEAF_FACES 8192

// Steps between two looks at the clock, which costs half a step.
#define STEPS_PER_LOOK 8

static const impi_SphereNode *node_of(const impi_Body *body, uint32_t sphere)
{
    return &body->spheres->lanes.nodes[sphere];
}

// Of each level there are the sphere that is refined and up to eight of its children.
size_t impi_descent_room(const impi_Body *a, const impi_Body *b)
{
    return (IMPI_SPHERE_LANES + 1) * (a->spheres->level_count + b->spheres->level_count);
}

// A length in b's frame as one in the world, not less.
static double world_length(const impi_SphereDescent *descent, float length)
{
    return impi_length_from_local_up(&descent->b->spheres->lanes.frame, (double)length);
}

// ---- places

static impi_SpherePlace place_of_b(const impi_SphereNode *node)
{
    return (impi_SpherePlace){{node->center[0], node->center[1], node->center[2]},
                              {node->point[0], node->point[1], node->point[2]},
                              node->radius,
                              node->reach,
                              node->protrusion,
                              node->depth};
}

static impi_SpherePlace place_of_a(const impi_SphereNode *node, const impi_SphereMotion *motion,
                                   const impi_MeetingSpheres *spheres)
{
    return (impi_SpherePlace){{spheres->center[0], spheres->center[1], spheres->center[2]},
                              {spheres->point[0], spheres->point[1], spheres->point[2]},
                              node->radius * motion->ratio,
                              node->reach * motion->ratio,
                              node->protrusion * motion->ratio,
                              node->depth * motion->ratio};
}

static float pose_axis(const impi_SphereMotion *motion, int axis, const float from[3])
{
    const float *row = motion->rows[axis];
    return ((row[0] * from[0] + row[1] * from[1]) + row[2] * from[2]) + motion->translation[axis];
}

// ---- what is known

static void note_bound(impi_SphereDescent *descent, uint32_t a, uint32_t b, float bound)
{
    if (!(bound < descent->bound))
        return;
    descent->bound = bound;
    descent->best_a = a;
    descent->best_b = b;
}

// The points of two spheres bound the distance of the bodies, whether the spheres meet or not.
static void note_points(impi_SphereDescent *descent, uint32_t a, uint32_t b)
{
    const impi_SphereNode *node_a = node_of(descent->a, a), *node_b = node_of(descent->b, b);
    float square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        float along = pose_axis(&descent->motion, axis, node_a->point) - node_b->point[axis];
        square += along * along;
    }
    note_bound(descent, a, b, sqrtf(square) * IMPI_SPHERE_SQUARE_ROOM + descent->motion.widening);
}

// ---- steps

static bool refines_a(const impi_SphereNode *a, const impi_SphereNode *b, const impi_SphereMotion *motion)
{
    if (a->child_count == 0 || b->child_count == 0)
        return a->child_count > 0;
    return a->radius * motion->ratio > b->radius;
}

// Balls that meet bound the distance, whether faces in them may touch or not.
static void note_bounds(impi_SphereDescent *descent, const impi_MeetingSpheres *parents, bool is_a,
                        uint32_t first_child, uint32_t meeting, const impi_SphereHits *hits)
{
    for (; meeting; meeting &= meeting - 1) {
        unsigned lane = (unsigned)__builtin_ctz(meeting);
        note_bound(descent, is_a ? first_child + lane : parents->a, is_a ? parents->b : first_child + lane,
                   hits->bound[lane]);
    }
}

// Put the children whose faces may touch on the stack, the one whose point is nearest last: faces are likely
// to touch there. The least bound would lead to spheres deep inside of both bodies.
static void push_children(impi_SphereDescent *descent, const impi_MeetingSpheres *parents, bool is_a,
                          uint32_t first_child, uint32_t meeting, const impi_SphereHits *hits)
{
    size_t first = descent->count, best = first;
    float nearest = INFINITY;
    for (; meeting; meeting &= meeting - 1) {
        unsigned lane = (unsigned)__builtin_ctz(meeting);
        impi_MeetingSpheres *to = &descent->stack[descent->count];
        *to = *parents;
        to->next_group = 0;
        if (is_a) {
            to->a = first_child + lane;
            for (int axis = 0; axis < 3; ++axis) {
                to->center[axis] = hits->center[axis][lane];
                to->point[axis] = hits->point[axis][lane];
            }
        } else {
            to->b = first_child + lane;
        }
        if (hits->distance[lane] < nearest) {
            nearest = hits->distance[lane];
            best = descent->count;
        }
        ++descent->count;
    }
    if (descent->count > first) {
        impi_MeetingSpheres top = descent->stack[best];
        descent->stack[best] = descent->stack[descent->count - 1];
        descent->stack[descent->count - 1] = top;
    }
}

// Bodies whose insides meet touch, unless one is inside of the other. Where that may be, faces have to tell.
static bool insides_prove_touch(impi_SphereDescent *descent, uint32_t a, uint32_t b)
{
    if (descent->may_hold || !impi_insides_meet(descent->a, descent->b, &descent->motion, a, b))
        return false;
    descent->may_hold = !impi_bodies_stick_out(descent->a, descent->b, &descent->motion);
    if (descent->may_hold)
        return false;
    descent->verdict = IMPI_DESCENT_TOUCH;
    descent->best_a = a;
    descent->best_b = b;
    return true;
}

static bool is_any_deep(impi_SphereDescent *descent, const impi_MeetingSpheres *parents, bool is_a,
                        uint32_t first_child, uint32_t deep)
{
    for (; deep; deep &= deep - 1) {
        uint32_t child = first_child + (uint32_t)__builtin_ctz(deep);
        if (insides_prove_touch(descent, is_a ? child : parents->a, is_a ? parents->b : child))
            return true;
    }
    return false;
}

// Lanes of spheres that were compared.
static void take_hits(impi_SphereDescent *descent, const impi_MeetingSpheres *parents, bool is_a,
                      uint32_t first_child, uint32_t lanes, const impi_SphereHits *hits)
{
    if ((hits->deep & lanes) && is_any_deep(descent, parents, is_a, first_child, hits->deep & lanes))
        return;
    note_bounds(descent, parents, is_a, first_child, hits->meeting & lanes, hits);
    descent->may_be_inside |= (hits->meeting & ~hits->touching & lanes) != 0;
    push_children(descent, parents, is_a, first_child, hits->touching & lanes, hits);
}

// The roots are like children of a sphere around everything.
static void push_roots(impi_SphereDescent *descent, const impi_SphereTest *test)
{
    impi_SpherePlace place = place_of_b(node_of(descent->b, 0));
    impi_MeetingSpheres nothing = {0};
    impi_SphereHits hits;
    test->children_of_a(&descent->a->spheres->lanes.groups[0], &descent->motion, &place, &hits);
    take_hits(descent, &nothing, true, 0, 1, &hits);
}

// Wanted by the first step that looks at spheres, or at the balls of faces.
static void find_motion(impi_SphereDescent *descent)
{
    if (!descent->has_motion)
        impi_sphere_motion_find(descent->a, descent->b, &descent->motion);
    descent->has_motion = true;
}

// What was best the last time these bodies were compared is tried first.
static void begin(impi_SphereDescent *descent, const impi_SphereTest *test)
{
    uint32_t best_a = descent->best_a, best_b = descent->best_b;
    find_motion(descent);
    descent->bound = INFINITY;
    descent->is_begun = true;
    bool has_best = best_a < descent->a->spheres->count && best_b < descent->b->spheres->count;
    if (has_best && insides_prove_touch(descent, best_a, best_b))
        return;
    push_roots(descent, test);
    note_points(descent, 0, 0);
    if (has_best)
        note_points(descent, best_a, best_b);
}

static void refine_top(impi_SphereDescent *descent, const impi_SphereTest *test)
{
    impi_MeetingSpheres *top = &descent->stack[descent->count - 1];
    const impi_SphereNode *a = node_of(descent->a, top->a), *b = node_of(descent->b, top->b);
    bool is_a = refines_a(a, b, &descent->motion);
    const impi_SphereNode *parent = is_a ? a : b;
    const impi_SphereLanes *lanes = is_a ? &descent->a->spheres->lanes : &descent->b->spheres->lanes;
    const impi_SphereGroup *group = &lanes->groups[parent->first_group + top->next_group];
    uint32_t first = parent->first_child + IMPI_SPHERE_LANES * top->next_group;
    uint32_t left = parent->child_count - IMPI_SPHERE_LANES * top->next_group;
    impi_SpherePlace place = is_a ? place_of_b(b) : place_of_a(a, &descent->motion, top);
    impi_SphereHits hits;
    if (is_a)
        test->children_of_a(group, &descent->motion, &place, &hits);
    else
        test->children_of_b(group, &descent->motion, &place, &hits);
    impi_MeetingSpheres parents = *top;
    if (left > IMPI_SPHERE_LANES)
        ++top->next_group;
    else
        --descent->count;
    uint32_t lanes_used = left < IMPI_SPHERE_LANES ? (1u << left) - 1 : (1u << IMPI_SPHERE_LANES) - 1;
    take_hits(descent, &parents, is_a, first, lanes_used, &hits);
}

// Solids touch what is inside of them, and where roundings of posed faces leave gaps: neither is for faces to
// tell.
static bool is_solid(const impi_Body *body)
{
    return impi_body_is_convex(body);
}

static bool is_hollow_solid(const impi_Body *body)
{
    return is_solid(body) && body->spheres->cover != IMP_COVER_SOLID;
}

static bool leaves_touch(impi_SphereDescent *descent, const impi_LeafPair *leaves, impi_LeafScratch *scratch)
{
    impi_TouchHint faces;
    if (!impi_leaves_touch(leaves, &descent->motion, scratch, &faces))
        return false;
    descent->last_touch = (impi_LastTouch){faces, leaves->leaf_a, leaves->leaf_b};
    descent->verdict = IMPI_DESCENT_TOUCH;
    return true;
}

static void compare_leaves(impi_SphereDescent *descent, impi_LeafScratch *scratch)
{
    const impi_MeetingSpheres *top = &descent->stack[descent->count - 1];
    impi_LeafPair leaves = {descent->a, descent->b, top->a, top->b};
    bool is_small = impi_leaves_are_small(&leaves);
    bool are_touching = is_small && leaves_touch(descent, &leaves, scratch);
    if (!are_touching && (!is_small || is_solid(descent->a) || is_solid(descent->b)))
        descent->verdict = IMPI_DESCENT_PASSED;
    else if (!are_touching)
        --descent->count;
    descent->may_be_inside = true;
    descent->leaf_face_count += impi_leaves_face_count(&leaves);
    if (descent->leaf_face_count >= MOST_LEAF_FACES && descent->verdict == IMPI_DESCENT_OPEN)
        descent->verdict = IMPI_DESCENT_PASSED;
}

static void compare_last_faces(impi_SphereDescent *descent)
{
    impi_HintVerdict verdict = impi_hint_try(&descent->last_touch.faces, descent->a, descent->b);
    descent->has_tried_faces = true;
    descent->has_tried_leaves = verdict != IMPI_HINT_NEAR;
    if (verdict == IMPI_HINT_TOUCHES)
        descent->verdict = IMPI_DESCENT_TOUCH;
}

static void compare_last_leaves(impi_SphereDescent *descent, impi_LeafScratch *scratch)
{
    const impi_LastTouch *last = &descent->last_touch;
    descent->has_tried_leaves = true;
    find_motion(descent);
    leaves_touch(descent, &(impi_LeafPair){descent->a, descent->b, last->leaf_a, last->leaf_b}, scratch);
}

// What can be compared next.
typedef enum Step {
    STEP_LAST_FACES,
    STEP_LAST_LEAVES,
    STEP_ROOTS,
    STEP_SPHERES,
    STEP_LEAVES,
} Step;

// Faces that touched the last time cost little more than a step down the trees, and many of them touch again.
// Of the others, many have a neighbour that does, but that takes as long as two other pairs do to be parted.
static Step next_step(const impi_SphereDescent *descent, const impi_DescentTurn *turn)
{
    if (descent->last_touch.faces.is_set && !descent->has_tried_faces)
        return STEP_LAST_FACES;
    if (impi_descent_may_touch_again(descent) && !turn->ends_at_faces)
        return STEP_LAST_LEAVES;
    if (!descent->is_begun)
        return STEP_ROOTS;
    const impi_MeetingSpheres *top = &descent->stack[descent->count - 1];
    bool are_leaves =
        node_of(descent->a, top->a)->child_count == 0 && node_of(descent->b, top->b)->child_count == 0;
    return are_leaves ? STEP_LEAVES : STEP_SPHERES;
}

static void take_step(impi_SphereDescent *descent, Step step, const impi_SphereTest *test,
                      impi_LeafScratch *scratch)
{
    switch (step) {
    case STEP_LAST_FACES:
        compare_last_faces(descent);
        break;
    case STEP_LAST_LEAVES:
        compare_last_leaves(descent, scratch);
        break;
    case STEP_ROOTS:
        begin(descent, test);
        break;
    case STEP_SPHERES:
        refine_top(descent, test);
        break;
    case STEP_LEAVES:
        compare_leaves(descent, scratch);
        break;
    }
    if (descent->verdict == IMPI_DESCENT_OPEN && descent->is_begun && descent->count == 0) {
        bool has_solid = is_solid(descent->a) || is_solid(descent->b);
        bool is_known = !is_hollow_solid(descent->a) && !is_hollow_solid(descent->b) &&
                        !(has_solid && descent->may_be_inside);
        descent->verdict = is_known ? IMPI_DESCENT_APART : IMPI_DESCENT_PASSED;
    }
}

size_t impi_descent_go_on(impi_SphereDescent *descent, const impi_DescentTurn *turn, impi_Budget *budget,
                          impi_LeafScratch *scratch)
{
    const impi_SphereTest *test = impi_sphere_test();
    size_t steps = 0;
    for (; steps < turn->most_steps && descent->verdict == IMPI_DESCENT_OPEN; ++steps) {
        Step step = next_step(descent, turn);
        if (step == STEP_LEAVES && turn->ends_at_faces)
            break;
        bool is_long = step == STEP_LEAVES || step == STEP_LAST_LEAVES;
        if ((is_long || steps % STEPS_PER_LOOK == 0) && impi_budget_is_over(budget))
            break;
        take_step(descent, step, test, scratch);
    }
    double error = world_length(descent, descent->bound);
    if (descent->is_begun && error < descent->error)
        descent->error = error;
    return steps;
}
