// The body of impi_sphere_test_*, compiled once per instruction set; TABLE is its name. Plain loops over
// lanes, which the compiler turns into vectors.
#include "object/sphere_test.h"

#include <math.h>
#include <string.h>

// Children whose places stand in `hits`; their radii and protrusions are `scale` times what the group has.
static inline void judge(const impi_SphereGroup *children, float scale, const impi_SphereMotion *motion,
                         const impi_SpherePlace *sphere, impi_SphereHits *restrict hits)
{
    uint32_t apart[IMPI_SPHERE_LANES], far[IMPI_SPHERE_LANES], deep[IMPI_SPHERE_LANES];
    for (unsigned i = 0; i < IMPI_SPHERE_LANES; ++i) {
        float x = hits->center[0][i] - sphere->center[0];
        float y = hits->center[1][i] - sphere->center[1];
        float z = hits->center[2][i] - sphere->center[2];
        float square = (x * x + y * y) + z * z;
        float reach = (children->radius[i] * scale + sphere->radius) + motion->widening;
        float u = hits->point[0][i] - sphere->point[0];
        float v = hits->point[1][i] - sphere->point[1];
        float w = hits->point[2][i] - sphere->point[2];
        float distance = sqrtf((u * u + v * v) + w * w) * IMPI_SPHERE_SQUARE_ROOM;
        float protrusion = children->protrusion[i] * scale + sphere->protrusion;
        float reach_square = (reach * reach) * IMPI_SPHERE_SQUARE_ROOM;
        // Balls that meet may be apart by what they were widened, and what deforms bodies moves them as well.
        float most = protrusion + (motion->widening + reach * IMPI_SPHERE_REACH_ROOM);
        hits->bound[i] = (distance < most ? distance : most) + motion->widening;
        hits->distance[i] = distance;
        apart[i] = square > reach_square;
        float faces_reach = (children->reach[i] * scale + sphere->reach) + motion->widening;
        float depth = children->depth[i] * scale + sphere->depth;
        deep[i] = depth > motion->widening && square < depth * depth;
        // The distance has its room already, on the wrong side.
        far[i] = distance > faces_reach * (IMPI_SPHERE_SQUARE_ROOM * IMPI_SPHERE_SQUARE_ROOM);
    }
    uint32_t meeting = 0, touching = 0, meeting_inside = 0;
    for (unsigned i = 0; i < IMPI_SPHERE_LANES; ++i) {
        meeting |= (apart[i] ^ 1u) << i;
        touching |= (far[i] ^ 1u) << i;
        meeting_inside |= deep[i] << i;
    }
    hits->meeting = meeting;
    hits->touching = meeting & touching;
    hits->deep = meeting_inside;
}

// One loop over the lanes for all axes: of a loop over axes around it the compiler makes vectors of axes.
static inline void pose_lanes(const float from[3][IMPI_SPHERE_LANES], const impi_SphereMotion *motion,
                              float (*restrict to)[IMPI_SPHERE_LANES])
{
    const impi_SphereMotion m = *motion;
    for (unsigned i = 0; i < IMPI_SPHERE_LANES; ++i) {
        float x = from[0][i], y = from[1][i], z = from[2][i];
        to[0][i] = ((m.rows[0][0] * x + m.rows[0][1] * y) + m.rows[0][2] * z) + m.translation[0];
        to[1][i] = ((m.rows[1][0] * x + m.rows[1][1] * y) + m.rows[1][2] * z) + m.translation[1];
        to[2][i] = ((m.rows[2][0] * x + m.rows[2][1] * y) + m.rows[2][2] * z) + m.translation[2];
    }
}

static void children_of_a(const impi_SphereGroup *children, const impi_SphereMotion *motion,
                          const impi_SpherePlace *sphere, impi_SphereHits *hits)
{
    pose_lanes(children->center, motion, hits->center);
    pose_lanes(children->point, motion, hits->point);
    judge(children, motion->ratio, motion, sphere, hits);
}

static void children_of_b(const impi_SphereGroup *children, const impi_SphereMotion *motion,
                          const impi_SpherePlace *sphere, impi_SphereHits *hits)
{
    memcpy(hits->center, children->center, sizeof hits->center);
    memcpy(hits->point, children->point, sizeof hits->point);
    judge(children, 1, motion, sphere, hits);
}

const impi_SphereTest TABLE = {children_of_a, children_of_b};
