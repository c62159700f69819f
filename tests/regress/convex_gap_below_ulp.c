// Bodies apart by less than an ulp of their coordinates had a distance of 0 and a lower bound of 0, said to
// be accurate: as if they touched.
#include "harness.h"

#include <impinge/convex.h>

#include <math.h>

#define PLACE 1e7
#define ULP   0x1p-29

static imp_Convex *make_tetrahedron(imp_Context *context, const int lattice[4][3])
{
    double points[12];
    imp_Convex *convex = NULL;
    for (int i = 0; i < 12; ++i)
        points[i] = PLACE + ULP * lattice[i / 3][i % 3];
    CHECK_INT(imp_convex_create(context, &(imp_ConvexDef){.points = points, .point_count = 4}, &convex),
              IMP_STATUS_OK);
    return convex;
}

// A face in the plane x + 2y + 3z = 0 of the lattice, and a vertex above it where that is 1.
TEST(a_gap_of_a_part_of_an_ulp)
{
    static const int below[4][3] = {{0, 0, 0}, {2, -1, 0}, {3, 0, -1}, {-1, -1, -1}};
    static const int above[4][3] = {{1, 0, 0}, {2, 1, 1}, {1, 2, 2}, {3, 3, 1}};
    imp_Context *context = NULL;
    imp_ConvexDistance d = {0};
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    imp_Convex *a = make_tetrahedron(context, below), *b = make_tetrahedron(context, above);
    imp_ConvexPair pair = {.a = a, .b = b};
    CHECK_INT(imp_convex_distance(context, NULL, &pair, NULL, &d), IMP_STATUS_OK);
    double gap = ULP / sqrt(14);
    CHECK(!d.touch && d.reached_accuracy && fabs(d.distance - gap) < 1e-14 * gap);
    CHECK(d.lower_bound > 0.999999 * gap && d.lower_bound <= gap);
    CHECK(fabs(d.normal.x * sqrt(14) - 1) < 1e-14 && fabs(d.normal.z * sqrt(14) - 3) < 1e-14);
    imp_convex_release(a);
    imp_convex_release(b);
    imp_context_destroy(context);
}
