/// Does a posed polytope touch a triangle of world coordinates? As a test of two hulls that knows nothing:
/// what models of worlds compare with.
#ifndef IMPINGE_TESTS_SOLID_TRIANGLE_H
#define IMPINGE_TESTS_SOLID_TRIANGLE_H

#include "harness.h"
#include "object/separating_vector.h"

static inline bool solid_touches_triangle(imp_Context *context, const imp_Convex *solid,
                                          const imp_Transform *transform, const imp_Triangle *triangle)
{
    static const uint32_t ids[3] = {0, 1, 2};
    const imp_Transform no_pose = {.rows = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    impi_SupportSet set;
    imp_ConvexState state = {.witness_count = 0};
    imp_ConvexResult result = {.touch = false};
    impi_SupportDef def = {.vertices = triangle->v, .vertex_count = 3, .ids = ids, .id_count = 3};
    if (!CHECK(impi_support_set_create(&context->allocator, &def, &set)))
        return false;
    impi_Polytope body = impi_convex_polytope(solid, transform);
    impi_Polytope hull = {&set, triangle->v, 3, &no_pose};
    CHECK_INT(impi_convex_test(&context->scratch, &body, &hull, &state, &result), IMP_STATUS_OK);
    impi_support_set_destroy(&context->allocator, &set);
    return result.touch;
}

#endif
