#include "playback/overlaps.h"

#include "harness.h"
#include "playback/playback.h"
#include "playback/still_motion.h"
#include "scenes/shapes.h"

static imp_Context *make_context(void)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    return context;
}

static imp_Mesh *make_box(imp_Context *context, imp_Vec3 min, imp_Vec3 max)
{
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_box(context, min, max, &mesh), IMP_STATUS_OK);
    return mesh;
}

// Do two bodies that touch overlap?
static bool overlap(imp_Context *context, const impi_StillBody bodies[2], double touch_depth)
{
    impi_PlaybackDef def = {.motion = impi_still_motion(bodies, 2),
                            .detect.contacts = true,
                            .judges_overlaps = true,
                            .touch_depth = touch_depth};
    impi_Playback *playback = NULL;
    impi_PlayedFrame frame = {0};
    CHECK_INT(impi_playback_open(context, &def, &playback), IMP_STATUS_OK);
    CHECK_INT(impi_playback_step(playback, 0, &frame), IMP_STATUS_OK);
    CHECK_INT(frame.pair_count, 1);
    bool overlaps = frame.pair_count == 1 && frame.pairs[0].overlaps;
    // All contacts of one pair that are no deeper than touching say the same, and none is without a verdict.
    const imp_Report *report = impi_playback_get_report(playback);
    bool any = false;
    for (size_t i = 0; i < report->contact_count; ++i)
        any = any || impi_playback_get_overlaps(playback)[i];
    CHECK(any == overlaps);
    impi_playback_close(playback);
    return overlaps;
}

static bool boxes_overlap(imp_Vec3 shift, double touch_depth)
{
    imp_Context *context = make_context();
    imp_Mesh *box = make_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){4, 2, 1});
    const impi_StillBody bodies[2] = {{.name = "a", .mesh = box},
                                      {.name = "b", .mesh = box, .pose.translation = shift}};
    bool overlaps = overlap(context, bodies, touch_depth);
    imp_mesh_release(box);
    imp_context_destroy(context);
    return overlaps;
}

TEST(standing_on_each_other_is_touching)
{
    CHECK(!boxes_overlap((imp_Vec3){0, 0, 1}, 0));
    CHECK(!boxes_overlap((imp_Vec3){1, 1, -1}, 0));
    CHECK(!boxes_overlap((imp_Vec3){4, 2, 1}, 0));
    CHECK(boxes_overlap((imp_Vec3){0, 0, 0.999}, 0));
    CHECK(!boxes_overlap((imp_Vec3){0, 0, 0.999}, 0.01));
    CHECK(boxes_overlap((imp_Vec3){1, 1, 0.5}, 0.01));
}

TEST(a_part_that_is_there_twice_overlaps)
{
    CHECK(boxes_overlap((imp_Vec3){0, 0, 0}, 0));
    CHECK(boxes_overlap((imp_Vec3){0, 0, 0}, 0.01));
    // A little beside itself: its surface is nowhere deep in it.
    CHECK(boxes_overlap((imp_Vec3){1e-9, -1e-9, 1e-9}, 1e-6));
    CHECK(boxes_overlap((imp_Vec3){1e-9, 0, 0}, 0));
    // Half of it is not deeper than that.
    CHECK(!boxes_overlap((imp_Vec3){0, 0, 0}, 0.6));
}

TEST(a_hollow_part_that_is_there_twice_overlaps)
{
    imp_Context *context = make_context();
    imp_Mesh *hollow = NULL;
    CHECK_INT(scene_hollow_sphere(context, 16, 8, 2, 1.5, &hollow), IMP_STATUS_OK);
    const impi_StillBody bodies[2] = {{.name = "one", .mesh = hollow}, {.name = "again", .mesh = hollow}};
    CHECK(overlap(context, bodies, 0));
    CHECK(overlap(context, bodies, 0.01));
    imp_mesh_release(hollow);
    imp_context_destroy(context);
}

// A solid that holds another one shares no face with it: there are no contacts at all.
TEST(a_solid_in_a_solid_overlaps)
{
    imp_Context *context = make_context();
    imp_Mesh *box = make_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){4, 4, 4});
    imp_Mesh *small = make_box(context, (imp_Vec3){1, 1, 1}, (imp_Vec3){2, 2, 2});
    imp_Convex *outer = NULL, *inner = NULL;
    CHECK_INT(imp_convex_create_from_mesh(context, box, &outer), IMP_STATUS_OK);
    CHECK_INT(imp_convex_create_from_mesh(context, small, &inner), IMP_STATUS_OK);
    const impi_StillBody bodies[2] = {{.name = "outer", .mesh = imp_convex_get_mesh(outer), .convex = outer},
                                      {.name = "inner", .mesh = imp_convex_get_mesh(inner), .convex = inner}};
    impi_PlaybackDef def = {
        .motion = impi_still_motion(bodies, 2), .detect.contacts = true, .judges_overlaps = true};
    impi_Playback *playback = NULL;
    impi_PlayedFrame frame = {0};
    CHECK_INT(impi_playback_open(context, &def, &playback), IMP_STATUS_OK);
    CHECK_INT(impi_playback_step(playback, 0, &frame), IMP_STATUS_OK);
    CHECK(frame.pair_count == 1 && frame.pairs[0].overlaps);
    impi_playback_close(playback);
    imp_convex_release(outer);
    imp_convex_release(inner);
    imp_mesh_release(box);
    imp_mesh_release(small);
    imp_context_destroy(context);
}

// A plug that fills a hole touches its walls all around.
TEST(what_fills_a_hollow_touches)
{
    imp_Context *context = make_context();
    imp_Mesh *hollow = NULL, *plug = NULL;
    CHECK_INT(scene_hollow_sphere(context, 16, 8, 2, 1, &hollow), IMP_STATUS_OK);
    CHECK_INT(scene_sphere(context, 16, 8, 1, &plug), IMP_STATUS_OK);
    const impi_StillBody bodies[2] = {{.name = "hollow", .mesh = hollow}, {.name = "plug", .mesh = plug}};
    CHECK(!overlap(context, bodies, 0));
    imp_mesh_release(hollow);
    imp_mesh_release(plug);
    imp_context_destroy(context);
}

TEST(open_sheets_overlap_where_they_cross)
{
    static const double flat[] = {0, 0, 0, 2, 0, 0, 0, 2, 0},
                        upright[] = {0.5, 0.5, -1, 0.5, 0.5, 1, 0.6, 0.2, 0};
    static const uint32_t indices[] = {0, 1, 2};
    imp_Context *context = make_context();
    imp_Mesh *a = NULL, *b = NULL;
    imp_MeshDef def = {.vertices = flat, .vertex_count = 3, .indices = indices, .triangle_count = 1};
    CHECK_INT(imp_mesh_create(context, &def, &a), IMP_STATUS_OK);
    def.vertices = upright;
    CHECK_INT(imp_mesh_create(context, &def, &b), IMP_STATUS_OK);
    impi_StillBody bodies[2] = {{.name = "flat", .mesh = a}, {.name = "upright", .mesh = b}};
    CHECK(overlap(context, bodies, 0));
    bodies[1].pose.translation.z = 1; // stands on it
    CHECK(!overlap(context, bodies, 0));
    imp_mesh_release(a);
    imp_mesh_release(b);
    imp_context_destroy(context);
}
