/// Where the method of Smith & Kitamura found no candidate faces at all, it added 0 to a null pointer, which
/// C leaves undefined and clang's sanitizer refuses.
#include "world_fixture.h"

TEST(two_bodies_without_candidates_are_well_defined)
{
    Fixture fixture = fixture_make();
    const imp_Report *report = NULL;
    imp_DetectDef def = {.method = IMP_METHOD_SMITH_1994, .smith_level = 4};
    add(fixture.world, cube(fixture.context, 4), 0);
    add(fixture.world, cube(fixture.context, 0.25), 0.5);
    if (CHECK_INT(imp_world_detect(fixture.world, &def, &report), IMP_STATUS_OK)) {
        CHECK_INT(report->candidate_face_pairs, 0);
        CHECK(report->body_pair_count == 1 && report->body_pairs[0].relations == IMP_RELATION_B_INSIDE_A);
    }
    fixture_destroy(&fixture);
}
