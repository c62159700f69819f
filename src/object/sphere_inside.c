// Two closed surfaces, each in one piece, touch where their insides have a point x in common and each has a
// point outside of the other. For if they did not touch, each would lie on one side of the other as a whole,
// and that is outside. The way from x straight on to where both have ended meets one of them first: there it
// is still inside of the other one, so that this surface is not outside of the other. What counts as inside,
// of surfaces that cross themselves, makes no difference, as long as it changes at the surface only.
//
// Trees know balls inside of such surfaces alone. Rounding and deformation move surfaces by no more than
// distances are widened by, so a ball that is smaller by as much stays inside; and what is outside by more
// stays outside.
#include "object/sphere_inside.h"

#include "shape/sphere_tree.h"

#define MOST_POINTS 16 // of each body that are tried

static const impi_SphereNode *node_of(const impi_Body *body, uint32_t sphere)
{
    return &body->spheres->lanes.nodes[sphere];
}

static void pose(const impi_SphereMotion *motion, const float from[3], float to[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        const float *row = motion->rows[axis];
        to[axis] = ((row[0] * from[0] + row[1] * from[1]) + row[2] * from[2]) + motion->translation[axis];
    }
}

static float square_between(const float a[3], const float b[3])
{
    float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return (x * x + y * y) + z * z;
}

bool impi_insides_meet(const impi_Body *a, const impi_Body *b, const impi_SphereMotion *motion,
                       uint32_t sphere_a, uint32_t sphere_b)
{
    const impi_SphereNode *node_a = node_of(a, sphere_a), *node_b = node_of(b, sphere_b);
    float depth_a = node_a->depth * motion->ratio - motion->widening;
    float depth_b = node_b->depth - motion->widening, center[3];
    if (!(depth_a > 0 && depth_b > 0))
        return false;
    pose(motion, node_a->center, center);
    float depth = depth_a + depth_b;
    return square_between(center, node_b->center) * IMPI_SPHERE_SQUARE_ROOM < depth * depth;
}

// Is a point of the body with these spheres outside of a ball? A point inside of a body will do: straight on
// there is one of its surface.
static bool is_any_outside(const impi_SphereLanes *lanes, const impi_SphereMotion *motion,
                           const float center[3], float radius)
{
    const impi_SphereNode *root = &lanes->nodes[0];
    uint32_t step = root->child_count / MOST_POINTS + 1;
    for (uint32_t i = 0; i < root->child_count; i += step) {
        const float *point = lanes->nodes[root->first_child + i].point;
        float posed[3] = {point[0], point[1], point[2]};
        if (motion)
            pose(motion, point, posed);
        if (square_between(posed, center) > (radius * radius) * IMPI_SPHERE_SQUARE_ROOM)
            return true;
    }
    return false;
}

// The ball of a root holds all of the surface.
bool impi_bodies_stick_out(const impi_Body *a, const impi_Body *b, const impi_SphereMotion *motion)
{
    const impi_SphereNode *root_a = node_of(a, 0), *root_b = node_of(b, 0);
    float widening = 2 * motion->widening, center[3];
    pose(motion, root_a->center, center);
    return is_any_outside(&a->spheres->lanes, motion, root_b->center, root_b->radius + widening) &&
           is_any_outside(&b->spheres->lanes, NULL, center, root_a->radius * motion->ratio + widening);
}
