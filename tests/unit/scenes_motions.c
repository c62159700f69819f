#include "scenes/motions.h"

#include "failing_allocator.h"
#include "harness.h"
#include "mesh_hash.h"
#include "scenes/motion_papers.h"

#include <impinge/impinge.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static imp_Context *context;

static void begin(void)
{
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
}

static SceneMotion *create(const char *name)
{
    SceneMotion *motion = NULL;
    CHECK_INT(scene_motion_create(context, name, &motion), IMP_STATUS_OK);
    return motion;
}

static void check_bodies(const SceneMotion *motion)
{
    size_t count = scene_motion_body_count(motion);
    CHECK(count >= 2);
    for (size_t i = 0; i < count; ++i) {
        SceneBody body = scene_motion_body(motion, i);
        bool closed = false;
        CHECK(body.name && body.name[0]);
        CHECK_INT(imp_mesh_is_closed(context, body.mesh, &closed), IMP_STATUS_OK);
        CHECK(closed);
        for (size_t other = 0; other < i; ++other)
            CHECK(strcmp(body.name, scene_motion_body(motion, other).name) != 0);
    }
}

static void check_pose(const SceneMotion *motion, size_t body, uint32_t frame)
{
    imp_Pose pose = scene_motion_pose(motion, body, frame);
    imp_Quat q = pose.rotation;
    imp_Transform transform;
    CHECK_INT(imp_pose_transform(&pose, &transform), IMP_STATUS_OK);
    CHECK(fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 1e-14);
}

TEST(every_title_is_a_scene)
{
    begin();
    CHECK(scene_motion_title_count() >= 7);
    for (size_t i = 0; i < scene_motion_title_count(); ++i) {
        SceneTitle title = scene_motion_title(i);
        SceneMotion *motion = create(title.name);
        CHECK(strlen(title.summary) > 10);
        uint32_t frame_count = scene_motion_frame_count(motion);
        CHECK(frame_count >= 30 && frame_count <= 1000);
        CHECK(scene_motion_frame_rate(motion) > 0);
        check_bodies(motion);
        for (size_t body = 0; body < scene_motion_body_count(motion); ++body) {
            for (uint32_t frame = 0; frame < frame_count; ++frame)
                check_pose(motion, body, frame);
            check_pose(motion, body, UINT32_MAX);
        }
        scene_motion_destroy(motion);
    }
    CHECK(scene_motion_title(scene_motion_title_count()).name == NULL);
    CHECK(scene_motion_title(scene_motion_title_count()).summary == NULL);
    imp_context_destroy(context);
}

TEST(other_names_are_refused)
{
    SceneMotion *motion = NULL;
    begin();
    CHECK_INT(scene_motion_create(context, "shuttle", &motion), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(scene_motion_create(context, "", &motion), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(scene_motion_create(context, NULL, &motion), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(scene_motion_create(NULL, "shuttles", &motion), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(scene_motion_create_spheres(context, 9, &motion), IMP_STATUS_BAD_ARGUMENT);
    CHECK(motion == NULL);
    scene_motion_destroy(NULL);
    imp_context_destroy(context);
}

static void check_shape(const imp_Mesh *rest, const imp_Vec3 *vertices)
{
    imp_MeshDef def = {.vertices = (const double *)vertices,
                       .vertex_count = imp_mesh_get_vertex_count(rest),
                       .indices = imp_mesh_get_indices(rest),
                       .triangle_count = imp_mesh_get_triangle_count(rest)};
    imp_Mesh *mesh = NULL;
    imp_MeshInfo info;
    size_t pairs = 1;
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_analyse(context, mesh, &info), IMP_STATUS_OK);
    CHECK(info.closed);
    CHECK_INT(info.orientation, IMP_ORIENTATION_OUTWARD);
    CHECK_INT(imp_mesh_self_pairs(context, mesh, NULL, 0, &pairs), IMP_STATUS_OK);
    CHECK_INT(pairs, 0);
    imp_mesh_release(mesh);
}

TEST(shapes_that_change_stay_sound)
{
    size_t deforming = 0;
    begin();
    SceneMotion *motion = create("jelly");
    for (size_t i = 0; i < scene_motion_body_count(motion); ++i) {
        SceneBody body = scene_motion_body(motion, i);
        size_t size = imp_mesh_get_vertex_count(body.mesh) * sizeof(imp_Vec3);
        imp_Vec3 *vertices = malloc(size);
        deforming += body.deforms;
        scene_motion_vertices(motion, i, 0, vertices);
        CHECK(memcmp(vertices, imp_mesh_get_vertices(body.mesh), size) == 0);
        for (uint32_t frame = 0; frame < scene_motion_frame_count(motion); frame += 23) {
            scene_motion_vertices(motion, i, frame, vertices);
            check_shape(body.mesh, vertices);
        }
        CHECK(memcmp(vertices, imp_mesh_get_vertices(body.mesh), size) != 0);
        free(vertices);
    }
    CHECK_INT(deforming, 2);
    scene_motion_destroy(motion);
    imp_context_destroy(context);
}

// ---- what happens in the scenes

typedef struct Course {
    uint32_t first_boxes; // first frame in which bounding boxes of two bodies overlap
    uint32_t first_touch;
    uint32_t touch_frames, begun;
    size_t fewest_boxes; // pairs of overlapping boxes in any frame
    char pair[80];       // names of the first pair that touches
} Course;

static imp_Box grow_box(imp_Box box, imp_Vec3 v)
{
    return (imp_Box){{fmin(box.min.x, v.x), fmin(box.min.y, v.y), fmin(box.min.z, v.z)},
                     {fmax(box.max.x, v.x), fmax(box.max.y, v.y), fmax(box.max.z, v.z)}};
}

static imp_Box box_at(imp_Pose pose, const imp_Vec3 *vertices, size_t count)
{
    imp_Transform transform;
    CHECK_INT(imp_pose_transform(&pose, &transform), IMP_STATUS_OK);
    imp_Vec3 first = imp_transform_apply(&transform, vertices[0]);
    imp_Box box = {first, first};
    for (size_t i = 1; i < count; ++i)
        box = grow_box(box, imp_transform_apply(&transform, vertices[i]));
    return box;
}

// Put the bodies where they are at a frame; returns how many pairs of their boxes overlap.
static size_t place_bodies(const SceneMotion *motion, uint32_t frame, imp_World *world, const imp_BodyId *ids)
{
    size_t count = scene_motion_body_count(motion);
    double *rows = malloc(6 * count * sizeof *rows);
    uint64_t overlapping = 0;
    for (size_t i = 0; i < count; ++i) {
        SceneBody body = scene_motion_body(motion, i);
        size_t vertex_count = imp_mesh_get_vertex_count(body.mesh);
        imp_Pose pose = scene_motion_pose(motion, i, frame);
        imp_Vec3 *vertices = malloc(vertex_count * sizeof *vertices);
        scene_motion_vertices(motion, i, frame, vertices);
        CHECK_INT(imp_body_set_pose(world, ids[i], pose), IMP_STATUS_OK);
        if (body.deforms)
            CHECK_INT(imp_body_set_vertices(world, ids[i], (const double *)vertices, vertex_count),
                      IMP_STATUS_OK);
        imp_Box box = box_at(pose, vertices, vertex_count);
        memcpy(rows + 6 * i, &box, sizeof box);
        free(vertices);
    }
    CHECK_INT(imp_pairs_find(context, &(imp_BoxArray){.boxes = rows, .count = count}, NULL, 0, &overlapping),
              IMP_STATUS_OK);
    free(rows);
    return (size_t)overlapping;
}

static void note_touch(Course *course, const SceneMotion *motion, const imp_Report *report, uint32_t frame)
{
    course->begun += (uint32_t)report->begun_count;
    if (report->body_pair_count == 0)
        return;
    if (course->touch_frames++ == 0) {
        course->first_touch = frame;
        imp_BodyPair pair = report->body_pairs[0];
        strcpy(course->pair, scene_motion_body(motion, pair.body_a.slot - 1).name);
        strcat(strcat(course->pair, ", "), scene_motion_body(motion, pair.body_b.slot - 1).name);
    }
}

static Course play(const SceneMotion *motion)
{
    Course course = {.first_boxes = UINT32_MAX, .first_touch = UINT32_MAX, .fewest_boxes = SIZE_MAX};
    size_t count = scene_motion_body_count(motion);
    imp_World *world = NULL;
    imp_BodyId *ids = calloc(count, sizeof *ids);
    CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_OK);
    for (size_t i = 0; i < count; ++i)
        CHECK_INT(
            imp_world_add_body(world, &(imp_BodyDef){.mesh = scene_motion_body(motion, i).mesh}, &ids[i]),
            IMP_STATUS_OK);
    for (uint32_t frame = 0; frame < scene_motion_frame_count(motion); ++frame) {
        const imp_Report *report = NULL;
        size_t boxes = place_bodies(motion, frame, world, ids);
        if (boxes > 0 && course.first_boxes == UINT32_MAX)
            course.first_boxes = frame;
        course.fewest_boxes = boxes < course.fewest_boxes ? boxes : course.fewest_boxes;
        CHECK_INT(imp_world_detect(world, NULL, &report), IMP_STATUS_OK);
        note_touch(&course, motion, report, frame);
    }
    imp_world_destroy(world);
    free(ids);
    return course;
}

// Cycles count from 1, frames from 0.
TEST(spheres_meet_in_cycle_72)
{
    static const uint32_t counts[] = {8, 10, 24, 48, 54, 80, 120, 168, 224, 360, 528, 728, 960, 3968};
    begin();
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        SceneMotion *motion = NULL;
        CHECK_INT(scene_motion_create_spheres(context, counts[i], &motion), IMP_STATUS_OK);
        CHECK_INT(scene_motion_frame_count(motion), 72);
        CHECK_INT(imp_mesh_get_triangle_count(scene_motion_body(motion, 1).mesh), counts[i]);
        Course course = play(motion);
        CHECK_INT(course.first_touch, 71);
        scene_motion_destroy(motion);
    }
    imp_context_destroy(context);
}

TEST(close_shuttles_meet_in_the_last_cycle)
{
    begin();
    for (int only_the_two = 0; only_the_two < 2; ++only_the_two) {
        SceneMotion *motion = NULL;
        CHECK_INT(scene_motion_create_close_shuttles(context, only_the_two, &motion), IMP_STATUS_OK);
        CHECK_INT(scene_motion_body_count(motion), only_the_two ? 2 : 15);
        Course course = play(motion);
        CHECK_INT(course.first_touch, scene_motion_frame_count(motion) - 1);
        CHECK_INT(course.begun, 1);
        CHECK_TEXT(course.pair, "shuttle 0, shuttle 1");
        CHECK(only_the_two || course.fewest_boxes >= 9);
        scene_motion_destroy(motion);
    }
    imp_context_destroy(context);
}

TEST(venus_meets_the_shuttle_in_the_last_cycle)
{
    begin();
    SceneMotion *motion = create("clutter");
    Course course = play(motion);
    CHECK_INT(course.first_boxes + 1, 17);
    CHECK_INT(course.first_touch, scene_motion_frame_count(motion) - 1);
    CHECK_TEXT(course.pair, "shuttle, venus");
    CHECK_INT(course.begun, 1);
    scene_motion_destroy(motion);
    motion = create("venus");
    course = play(motion);
    CHECK_INT(course.first_touch, scene_motion_frame_count(motion) - 1);
    CHECK_TEXT(course.pair, "shuttle, venus");
    CHECK_INT(course.begun, 1);
    scene_motion_destroy(motion);
    imp_context_destroy(context);
}

TEST(scenes_to_look_at_keep_what_they_promise)
{
    begin();
    SceneMotion *motion = create("shuttles");
    Course course = play(motion);
    CHECK(course.first_touch > 0 && course.begun >= 20);
    CHECK_INT(scene_motion_body_count(motion), 15);
    scene_motion_destroy(motion);
    motion = create("jelly");
    course = play(motion);
    CHECK(course.first_touch > 0 && course.begun >= 3);
    CHECK(course.touch_frames < scene_motion_frame_count(motion) / 2);
    scene_motion_destroy(motion);
    motion = create("apart");
    course = play(motion);
    CHECK(course.first_boxes < 100);
    CHECK_INT(course.touch_frames, 0);
    scene_motion_destroy(motion);
    imp_context_destroy(context);
}

// Those that say so can be played in a loop.
TEST(shuttles_and_blobs_come_back_to_where_they_were)
{
    static const char *const names[] = {"shuttles", "jelly", "apart"};
    begin();
    for (size_t i = 0; i < 3; ++i) {
        SceneMotion *motion = create(names[i]);
        for (size_t body = 0; body < scene_motion_body_count(motion); ++body) {
            imp_Vec3 first = scene_motion_pose(motion, body, 0).translation;
            imp_Vec3 again = scene_motion_pose(motion, body, scene_motion_frame_count(motion)).translation;
            CHECK(fabs(first.x - again.x) + fabs(first.y - again.y) + fabs(first.z - again.z) < 1e-14);
        }
        scene_motion_destroy(motion);
    }
    imp_context_destroy(context);
}

TEST(the_crowd_stays_in_its_box)
{
    begin();
    SceneMotion *motion = create("crowd");
    CHECK_INT(scene_motion_body_count(motion), 300);
    for (size_t body = 0; body < scene_motion_body_count(motion); ++body)
        for (uint32_t frame = 0; frame < 100000; frame = 2 * frame + 1) {
            imp_Vec3 v = scene_motion_pose(motion, body, frame).translation;
            CHECK(fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))) <= 5 + 1e-12);
        }
    scene_motion_destroy(motion);
    imp_context_destroy(context);
}

static uint64_t hash_motion(const SceneMotion *motion)
{
    uint64_t hash = HASH_BEGIN;
    for (size_t i = 0; i < scene_motion_body_count(motion); ++i) {
        SceneBody body = scene_motion_body(motion, i);
        size_t size = imp_mesh_get_vertex_count(body.mesh) * sizeof(imp_Vec3);
        imp_Vec3 *vertices = malloc(size);
        hash = hash_bytes(hash, imp_mesh_get_vertices(body.mesh), size);
        for (uint32_t frame = 0; frame < scene_motion_frame_count(motion); ++frame) {
            imp_Pose pose = scene_motion_pose(motion, i, frame);
            hash = hash_bytes(hash, &pose, sizeof pose);
            if (body.deforms && frame % 50 == 7) {
                scene_motion_vertices(motion, i, frame, vertices);
                hash = hash_bytes(hash, vertices, size);
            }
        }
        free(vertices);
    }
    return hash;
}

// Recorded once; a compiler or machine that gives other bits is found out here.
TEST(scenes_are_the_same_bits)
{
    static const struct {
        const char *name;
        int64_t hash;
    } recorded[] = {
        {"shuttles", -8488398612176917615}, {"spheres", 3044207641953696742},
        {"clutter", -7221733666234548916},  {"venus", 4023365952399307124},
        {"crowd", -7757394723659817356},    {"jelly", 6015054285195066133},
        {"apart", 5484904722424040013},
    };
    begin();
    CHECK_INT(scene_motion_title_count(), sizeof recorded / sizeof *recorded);
    for (size_t i = 0; i < sizeof recorded / sizeof *recorded; ++i) {
        SceneMotion *motion = create(recorded[i].name);
        CHECK_INT((int64_t)hash_motion(motion), recorded[i].hash);
        scene_motion_destroy(motion);
    }
    imp_context_destroy(context);
}

TEST(every_allocation_may_fail)
{
    for (size_t i = 0; i < scene_motion_title_count(); ++i) {
        FailingAllocator memory;
        uint64_t n = 0;
        do {
            imp_Context *failing = NULL;
            SceneMotion *motion = NULL;
            failing_allocator_init(&memory, ++n);
            imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
            imp_Status status = imp_context_create(&def, &failing);
            if (status == IMP_STATUS_OK)
                status = scene_motion_create(failing, scene_motion_title(i).name, &motion);
            // A failure that costs only speed is got over.
            CHECK(status == IMP_STATUS_OK ||
                  (status == IMP_STATUS_OUT_OF_MEMORY && failing_allocator_has_failed(&memory)));
            CHECK((motion != NULL) == (status == IMP_STATUS_OK));
            scene_motion_destroy(motion);
            imp_context_destroy(failing);
            CHECK(failing_allocator_is_clean(&memory));
        } while (failing_allocator_has_failed(&memory));
        CHECK(n > 3);
    }
}
