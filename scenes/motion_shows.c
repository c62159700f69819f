// Scenes to look at.
#include "scenes/motion_parts.h"
#include "scenes/objects.h"
#include "scenes/shapes.h"

#define RING_COUNT        3
#define SHUTTLES_PER_RING 5
#define LOOP_FRAMES       500
#define ONE_TURN_A_LOOP   (SCENE_STEPS_PER_TURN / LOOP_FRAMES)

// Three rings square to each other; where two of them cross, shuttles meet. Each of the five on a ring is a
// little before or behind its fifth of the circle, so that some meetings are head-on and some just graze.
// All turns are whole ones in 500 frames: the scene can be played in a loop.
static ScenePath shuttle_on_ring(uint32_t ring, uint32_t place)
{
    // The second maps x to y to z to x, the third is its inverse.
    static const imp_Quat tilts[RING_COUNT] = {{1, 0, 0, 0}, {0.5, 0.5, 0.5, 0.5}, {0.5, -0.5, -0.5, -0.5}};
    static const int32_t early[RING_COUNT][SHUTTLES_PER_RING] = {
        {0, 900, -400, 1300, -1000}, {300, -700, 1200, -200, 600}, {-500, 400, 0, -1200, 1000}};
    static const int32_t rolls[SHUTTLES_PER_RING] = {1, -2, 3, -1, 2};
    int32_t fifth = SCENE_STEPS_PER_TURN / SHUTTLES_PER_RING,
            roll = rolls[(place + ring) % SHUTTLES_PER_RING];
    ScenePath path = {.tilt = tilts[ring]};
    path.spin = (SceneSpin){{0.08, 0.05, 1}, {0, roll * ONE_TURN_A_LOOP}};
    path.heading = (imp_Quat){0, 0, 1, 0}; // nose along the ring
    path.start = (imp_Vec3){3.3 + 0.1 * (double)place, 0.06 * (double)ring, 0};
    path.orbit.axis = (imp_Vec3){0, 1, 0};
    path.orbit.angle.start = (int32_t)place * fifth + early[ring][place] + 3000 * (int32_t)ring - 2400;
    path.orbit.angle.rate = ONE_TURN_A_LOOP;
    return path;
}

imp_Status scene_motion_create_shuttles(imp_Context *context, SceneMotion **motion)
{
    imp_Mesh *shuttle = NULL;
    SceneMotion *made = NULL;
    imp_Status status = scene_motion_begin(context, RING_COUNT * SHUTTLES_PER_RING, LOOP_FRAMES, &made);
    if (status == IMP_STATUS_OK)
        status = scene_shuttle(context, &shuttle);
    for (uint32_t i = 0; status == IMP_STATUS_OK && i < RING_COUNT * SHUTTLES_PER_RING; ++i) {
        ScenePath path = shuttle_on_ring(i / SHUTTLES_PER_RING, i % SHUTTLES_PER_RING);
        scene_motion_add(made, "shuttle", i, shuttle, &path);
    }
    imp_mesh_release(shuttle);
    return scene_motion_end(made, status, motion);
}

// ---- a crowd in a box

#define CROWD_COUNT  300
#define CROWD_FRAMES 600
#define CROWD_SHAPES 6

// All about 1 across, around their origins.
static imp_Status make_crowd_shape(imp_Context *context, uint32_t kind, imp_Mesh **mesh)
{
    imp_Mesh *raw = NULL;
    imp_Status status;
    switch (kind) {
    case 0:
        return scene_sphere_of_faces(context, 48, 0.4, mesh);
    case 1:
        return scene_torus(context, 12, 8, 0.35, 0.15, mesh);
    case 2:
        return scene_bumpy_sphere(context, 10, 6, 0.45, 0.3, 5, mesh);
    case 3:
        status = scene_star_prism(context, 5, 0.45, 0.4, &raw);
        return scene_place_made(context, status, raw, 0.5, (imp_Vec3){0, 0, -0.1}, mesh);
    case 4:
        status = scene_shuttle(context, &raw);
        return scene_place_made(context, status, raw, 0.5, (imp_Vec3){0, 0, 0}, mesh);
    default:
        status = scene_chair(context, &raw);
        return scene_place_made(context, status, raw, 1, (imp_Vec3){0, -0.5, 0}, mesh);
    }
}

static ScenePath crowd_path(uint64_t *state)
{
    const double wall = 5, speed = 0.04;
    ScenePath path = {.low = {-wall, -wall, -wall}, .high = {wall, wall, wall}};
    path.start = scene_random_vector(state, -wall, wall);
    path.velocity = scene_random_vector(state, -speed, speed);
    path.spin.axis = scene_random_vector(state, 0.1, 1);
    path.spin.angle.start = (int32_t)scene_random_between(state, 0, SCENE_STEPS_PER_TURN);
    path.spin.angle.rate = (int32_t)scene_random_between(state, -200, 200);
    return path;
}

imp_Status scene_motion_create_crowd(imp_Context *context, SceneMotion **motion)
{
    static const char *const names[CROWD_SHAPES] = {"ball", "ring", "stone", "star", "shuttle", "chair"};
    imp_Mesh *shapes[CROWD_SHAPES] = {0};
    SceneMotion *made = NULL;
    uint64_t state = 300;
    imp_Status status = scene_motion_begin(context, CROWD_COUNT, CROWD_FRAMES, &made);
    for (uint32_t i = 0; status == IMP_STATUS_OK && i < CROWD_SHAPES; ++i)
        status = make_crowd_shape(context, i, &shapes[i]);
    for (uint32_t i = 0; status == IMP_STATUS_OK && i < CROWD_COUNT; ++i) {
        ScenePath path = crowd_path(&state);
        scene_motion_add(made, names[i % CROWD_SHAPES], i / CROWD_SHAPES, shapes[i % CROWD_SHAPES], &path);
    }
    for (uint32_t i = 0; i < CROWD_SHAPES; ++i)
        imp_mesh_release(shapes[i]);
    return scene_motion_end(made, status, motion);
}

// ---- blobs

// One bump takes 125 frames: they are flattest when they are nearest. The lumps keep another time, and come
// back to where they were after 500.
imp_Status scene_motion_create_jelly(imp_Context *context, SceneMotion **motion)
{
    const int32_t bump_rate = 4 * ONE_TURN_A_LOOP;
    imp_Mesh *blob = NULL;
    SceneMotion *made = NULL;
    imp_Status status = scene_motion_begin(context, 2, LOOP_FRAMES, &made);
    if (status == IMP_STATUS_OK)
        status = scene_sphere(context, 32, 20, 1, &blob);
    for (uint32_t i = 0; status == IMP_STATUS_OK && i < 2; ++i) {
        double side = i == 0 ? -1 : 1;
        ScenePath path = {.start = {1.05 * side, 0.08 * side, 0}, .swing = {0.42 * side, 0, 0}};
        path.swing_angle.rate = bump_rate;
        SceneMotionBody *body = scene_motion_add(made, "blob", i, blob, &path);
        body->wobble = (SceneWobble){.ripple = 0.22,
                                     .ripple_rate = (i == 0 ? 7 : 9) * ONE_TURN_A_LOOP,
                                     .squash = 0.25,
                                     .squash_rate = bump_rate};
    }
    imp_mesh_release(blob);
    return scene_motion_end(made, status, motion);
}

// ---- a ball and a ring

imp_Status scene_motion_create_apart(imp_Context *context, SceneMotion **motion)
{
    imp_Mesh *ring = NULL, *ball = NULL;
    SceneMotion *made = NULL;
    imp_Status status = scene_motion_begin(context, 2, LOOP_FRAMES, &made);
    if (status == IMP_STATUS_OK)
        status = scene_torus(context, 32, 16, 1, 0.3, &ring);
    if (status == IMP_STATUS_OK)
        status = scene_sphere_of_faces(context, 528, 0.5, &ball);
    if (status == IMP_STATUS_OK) {
        ScenePath around = {.spin = {{0, 0, 1}, {0, ONE_TURN_A_LOOP}}};
        ScenePath through = {.spin = {{1, 2, 0}, {0, 2 * ONE_TURN_A_LOOP}}, .swing = {0, 0, 1.6}};
        through.swing_angle.rate = 2 * ONE_TURN_A_LOOP;
        scene_motion_add(made, "ring", SCENE_NO_NUMBER, ring, &around);
        scene_motion_add(made, "ball", SCENE_NO_NUMBER, ball, &through);
    }
    imp_mesh_release(ring);
    imp_mesh_release(ball);
    return scene_motion_end(made, status, motion);
}
