#include "harness.h"
#include "playback/playback.h"
#include "playback/still_motion.h"
#include "rules_fixture.h"
#include "scenes/shapes.h"

#include <math.h>

enum { A, B, C, D, BODIES };

typedef struct Row {
    RulesFixture rules;
    imp_Mesh *ball;
    imp_Convex *solid;
    impi_StillBody bodies[BODIES];
} Row;

// Balls in a row, as meshes or as solids, whose distance is known up to some digits only.
static Row row_make(const char *rules, bool are_solids)
{
    static const char *const names[BODIES] = {"a", "b", "c", "d"};
    Row row = {.rules = rules_begin("a b c d")};
    imp_Context *context = row.rules.context;
    CHECK_INT(rules_add(&row.rules, rules), IMP_STATUS_OK);
    CHECK_INT(rules_bind(&row.rules), IMP_STATUS_OK);
    CHECK_INT(scene_sphere(context, 20, 10, 1, &row.ball), IMP_STATUS_OK);
    imp_ConvexDef def = {.points = &imp_mesh_get_vertices(row.ball)->x,
                         .point_count = imp_mesh_get_vertex_count(row.ball)};
    CHECK_INT(imp_convex_create(context, &def, &row.solid), IMP_STATUS_OK);
    for (int i = 0; i < BODIES; ++i)
        row.bodies[i] = (impi_StillBody){.name = names[i],
                                         .mesh = are_solids ? imp_convex_get_mesh(row.solid) : row.ball,
                                         .convex = are_solids ? row.solid : NULL,
                                         .pose.translation = {2.3 * i, 0.1 * i, 0.7 * i}};
    return row;
}

static void row_free(Row *row)
{
    imp_mesh_release(row->ball);
    imp_convex_release(row->solid);
    rules_end(&row->rules);
}

static impi_Playback *row_play(const Row *row, impi_PlaybackDef def, impi_PlayedFrame *frame)
{
    impi_Playback *playback = NULL;
    def.motion = impi_still_motion(row->bodies, BODIES);
    def.rules = row->rules.bound;
    def.lists_near = true;
    CHECK_INT(impi_playback_open(row->rules.context, &def, &playback), IMP_STATUS_OK);
    CHECK_INT(impi_playback_step(playback, 0, frame), IMP_STATUS_OK);
    return playback;
}

static bool is_near(const impi_PlayedFrame *frame, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < frame->near_pair_count; ++i)
        if (frame->near_pairs[i].body_a == a && frame->near_pairs[i].body_b == b)
            return true;
    return false;
}

// Is a pair that has this clearance of its own, among others that have a larger one, near exactly where it is
// when all have it?
static bool check_own_clearance(bool are_solids, double clearance)
{
    char text[256];
    impi_PlayedFrame frame = {0}, alone = {0};
    snprintf(text, sizeof text, "clearance 9\nclearance %.17g c b\nignore c d\n", clearance);
    Row row = row_make(text, are_solids);
    impi_Playback *playback = row_play(&row, (impi_PlaybackDef){.touch_depth = 0.5}, &frame);
    impi_PlaybackDef for_all = {.has_clearance = true, .clearance = clearance, .ignores_clearances = true};
    impi_Playback *other = row_play(&row, for_all, &alone);
    bool near = is_near(&frame, B, C);
    CHECK(near == is_near(&alone, B, C));
    CHECK(is_near(&frame, A, B) && is_near(&frame, A, C) && is_near(&frame, A, D) && is_near(&frame, B, D));
    CHECK(!is_near(&frame, C, D) && !is_near(&alone, C, D)); // which are ignored
    CHECK_DOUBLE(impi_playback_clearance(playback, A, C), 9);
    CHECK_DOUBLE(impi_playback_clearance(playback, C, B), clearance);
    impi_playback_close(playback);
    impi_playback_close(other);
    row_free(&row);
    return near;
}

// Below, at, between and above the bounds of the distance: of solids, what lies between is decided anew.
static void check_clearances(bool are_solids)
{
    Row row = row_make("", are_solids);
    impi_PlayedFrame frame;
    imp_Distance gap;
    impi_Playback *playback = row_play(&row, (impi_PlaybackDef){.has_clearance = true}, &frame);
    CHECK_INT(impi_playback_distance(playback, B, C, &gap), IMP_STATUS_OK);
    impi_playback_close(playback);
    row_free(&row);
    CHECK(!check_own_clearance(are_solids, nextafter(gap.lower_bound, 0)));
    check_own_clearance(are_solids, gap.lower_bound);
    check_own_clearance(are_solids, 0.5 * gap.lower_bound + 0.5 * gap.distance);
    CHECK(check_own_clearance(are_solids, gap.distance));
    CHECK(check_own_clearance(are_solids, nextafter(gap.distance, INFINITY)));
    check_own_clearance(are_solids, 0);
}

TEST(each_pair_has_its_own_clearance)
{
    check_clearances(false);
    check_clearances(true);
}

TEST(pairs_of_which_no_rule_tells_a_clearance_are_not_near)
{
    Row row = row_make("clearance 9 a b\ntouch-depth 0.25 a *\n", false);
    impi_PlayedFrame frame = {0};
    impi_Playback *playback = row_play(&row, (impi_PlaybackDef){.touch_depth = 0.5}, &frame);
    CHECK_INT((int64_t)frame.near_pair_count, 1);
    CHECK(impi_playback_clearance(playback, B, C) < 0);
    CHECK_DOUBLE(impi_playback_touch_depth(playback, D, A), 0.25);
    CHECK_DOUBLE(impi_playback_touch_depth(playback, D, C), 0.5);
    impi_playback_close(playback);
    row_free(&row);
}

TEST(rounding_lets_pass_what_it_can_have_moved)
{
    Row row = row_make("touch-depth 0.25 a *\n", false);
    const impi_BodyRounding roundings[BODIES] = {{false, 0.5}, {true, 0.125}, {false, 1}, {false, 2}};
    impi_PlayedFrame frame = {0};
    impi_Playback *playback = row_play(&row, (impi_PlaybackDef){.roundings = roundings}, &frame);
    CHECK_DOUBLE(impi_playback_touch_depth(playback, A, B), 0.5);
    CHECK_DOUBLE(impi_playback_touch_depth(playback, A, C), 0.25);
    CHECK_DOUBLE(impi_playback_touch_depth(playback, B, C), 1);
    CHECK_DOUBLE(impi_playback_touch_depth(playback, C, D), 0);
    impi_playback_close(playback);
    row_free(&row);
}
