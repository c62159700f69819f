#include "scenes/motion_papers.h"

#include "scenes/motion_parts.h"
#include "scenes/objects.h"
#include "scenes/shapes.h"

#include <impinge/query.h>

#include <math.h>
#include <stdlib.h>

// ---- two spheres

#define SPHERE_CYCLES 72
#define SWEPT_CYCLES  45

static const imp_Vec3 approach = {0.8, 0.36, 0.48}; // of unit length
static const double step = 0.03;                    // of each sphere, per cycle

// Sphere 0 comes from the one side, sphere 1 from the other; in the last cycle they are `distance` apart.
static ScenePath sphere_path(uint32_t sphere, uint32_t cycle_count, double distance)
{
    static const SceneSpin spins[2] = {{{0.2, 1, 0.4}, {700, 130}}, {{1, -0.3, 0.5}, {1900, -110}}};
    double side = sphere == 0 ? -1 : 1, away = side * (distance / 2 + (cycle_count - 1) * step);
    double speed = -side * step;
    return (ScenePath){.spin = spins[sphere],
                       .start = {away * approach.x, away * approach.y, away * approach.z},
                       .velocity = {speed * approach.x, speed * approach.y, speed * approach.z}};
}

static imp_Status spheres_touch(imp_Query *query, imp_Mesh *sphere, uint32_t cycle_count, double distance,
                                bool *touch)
{
    ScenePath paths[2] = {sphere_path(0, cycle_count, distance), sphere_path(1, cycle_count, distance)};
    imp_Pose poses[2];
    for (uint32_t i = 0; i < 2; ++i)
        poses[i] = scene_path_pose(&paths[i], cycle_count - 1);
    imp_MeshPair pair = {.a = sphere, .b = sphere, .pose_a = poses[0], .poses_b = &poses[1], .pose_count = 1};
    return imp_meshes_touch(query, &pair, touch);
}

// Where the spheres begin to touch, turned as they are in the last cycle, by halving. They are convex, so
// they touch at every distance below that.
static imp_Status touching_distance(imp_Mesh *sphere, uint32_t cycle_count, double *distance)
{
    imp_Query *query = NULL;
    double low = 0.5, high = 2.5;
    imp_Status status = imp_query_create(NULL, &query);
    for (int halving = 0; status == IMP_STATUS_OK && halving < 40; ++halving) {
        double middle = (low + high) / 2;
        bool touch = false;
        status = spheres_touch(query, sphere, cycle_count, middle, &touch);
        if (touch)
            low = middle;
        else
            high = middle;
    }
    imp_query_destroy(query);
    if (status == IMP_STATUS_OK)
        *distance = low;
    return status;
}

// In the last cycle they are half a cycle's way deep in each other.
static imp_Status create_spheres(imp_Context *context, uint32_t face_count, uint32_t cycle_count,
                                 SceneMotion **motion)
{
    imp_Mesh *sphere = NULL;
    SceneMotion *made = NULL;
    double distance = 0;
    imp_Status status = scene_motion_begin(context, 2, cycle_count, &made);
    if (status == IMP_STATUS_OK)
        status = scene_sphere_of_faces(context, face_count, 1, &sphere);
    if (status == IMP_STATUS_OK)
        status = touching_distance(sphere, cycle_count, &distance);
    for (uint32_t i = 0; status == IMP_STATUS_OK && i < 2; ++i) {
        ScenePath path = sphere_path(i, cycle_count, distance - step);
        scene_motion_add(made, "sphere", i, sphere, &path);
    }
    imp_mesh_release(sphere);
    return scene_motion_end(made, status, motion);
}

imp_Status scene_motion_create_spheres(imp_Context *context, uint32_t face_count, SceneMotion **motion)
{
    return create_spheres(context, face_count, SPHERE_CYCLES, motion);
}

imp_Status scene_motion_create_swept_spheres(imp_Context *context, uint32_t face_count, SceneMotion **motion)
{
    return create_spheres(context, face_count, SWEPT_CYCLES, motion);
}

// ---- many spheres

#define MANY_FACES  528
#define MOST_OTHERS 62

// Places for the others: sites of a face-centred cubic lattice, so wide that boxes of spheres which sway by
// up to SWAY overlap now and then. The paper's times say that there few do: its last cycle takes as long for
// ten spheres as for two.
#define LATTICE_HALF 2.0
#define SWAY         0.12
#define MOST_SITES   1000

typedef struct Site {
    imp_Vec3 place;
    double squared; // distance from the middle
} Site;

// From the way of the first two, which ends `reach` from the middle.
static double distance_from_way(imp_Vec3 p, double reach)
{
    double along = p.x * approach.x + p.y * approach.y + p.z * approach.z;
    along = along > reach ? reach : along < -reach ? -reach : along;
    double x = p.x - along * approach.x, y = p.y - along * approach.y, z = p.z - along * approach.z;
    return sqrt(x * x + y * y + z * z);
}

static int compare_sites(const void *left, const void *right)
{
    const Site *a = left, *b = right;
    if (a->squared != b->squared)
        return a->squared < b->squared ? -1 : 1;
    if (a->place.x != b->place.x)
        return a->place.x < b->place.x ? -1 : 1;
    return a->place.y != b->place.y ? (a->place.y < b->place.y ? -1 : 1) : a->place.z < b->place.z ? -1 : 1;
}

// The nearest to the middle first.
static size_t list_sites(Site *sites, double reach)
{
    size_t count = 0;
    for (int i = -5; i <= 5; ++i)
        for (int j = -5; j <= 5; ++j)
            for (int k = -5; k <= 5; ++k) {
                imp_Vec3 p = {i * LATTICE_HALF, j * LATTICE_HALF, k * LATTICE_HALF};
                if ((i + j + k) % 2 == 0 && distance_from_way(p, reach) > 2 + 2 * SWAY)
                    sites[count++] = (Site){p, p.x * p.x + p.y * p.y + p.z * p.z};
            }
    qsort(sites, count, sizeof *sites, compare_sites);
    return count;
}

static ScenePath swaying_path(imp_Vec3 place, uint64_t *state)
{
    ScenePath path = {.start = place, .swing = scene_random_vector(state, -SWAY / 2, SWAY / 2)};
    path.swing_angle.start = (int32_t)scene_random_between(state, 0, SCENE_STEPS_PER_TURN);
    path.swing_angle.rate = (int32_t)scene_random_between(state, 300, 900);
    path.spin.axis = scene_random_vector(state, -1, 1);
    path.spin.angle.rate = (int32_t)scene_random_between(state, -150, 150);
    return path;
}

imp_Status scene_motion_create_many_spheres(imp_Context *context, uint32_t sphere_count, SceneMotion **motion)
{
    Site sites[MOST_SITES];
    imp_Mesh *sphere = NULL;
    SceneMotion *made = NULL;
    double distance = 0;
    uint64_t state = MANY_FACES;
    if (sphere_count < 2 || sphere_count - 2 > MOST_OTHERS)
        return IMP_STATUS_BAD_ARGUMENT;
    imp_Status status = scene_motion_begin(context, sphere_count, SPHERE_CYCLES, &made);
    if (status == IMP_STATUS_OK)
        status = scene_sphere_of_faces(context, MANY_FACES, 1, &sphere);
    if (status == IMP_STATUS_OK)
        status = touching_distance(sphere, SPHERE_CYCLES, &distance);
    if (status == IMP_STATUS_OK)
        list_sites(sites, distance / 2 + SPHERE_CYCLES * step);
    for (uint32_t i = 0; status == IMP_STATUS_OK && i < sphere_count; ++i) {
        ScenePath path =
            i < 2 ? sphere_path(i, SPHERE_CYCLES, distance - step) : swaying_path(sites[i - 2].place, &state);
        scene_motion_add(made, "sphere", i, sphere, &path);
    }
    imp_mesh_release(sphere);
    return scene_motion_end(made, status, motion);
}

// ---- fifteen shuttles

#define CLOSE_SHUTTLES 15

// Found by trying one seed after the other: of the first two, and of no others, faces touch in cycle 87.
#define CLOSE_SEED   746
#define CLOSE_CYCLES 87

// Each near its own place in a grid, turned any way.
static ScenePath close_path(uint32_t place, uint64_t *state)
{
    const double spacing = 1.5, speed = 0.005;
    const uint32_t column = place % 3, row = place / 3 % 3, layer = place / 9;
    ScenePath path = {0};
    imp_Vec3 near = scene_random_vector(state, -0.25, 0.25);
    path.start.x = spacing * ((double)column - 1) + near.x;
    path.start.y = spacing * ((double)row - 1) + near.y;
    path.start.z = 1.6 * spacing * ((double)layer - 0.5) + near.z;
    path.velocity = scene_random_vector(state, -speed, speed);
    path.spin.axis = scene_random_vector(state, -1, 1);
    path.spin.angle.start = (int32_t)scene_random_between(state, 0, SCENE_STEPS_PER_TURN);
    path.spin.angle.rate = (int32_t)scene_random_between(state, -60, 60);
    return path;
}

imp_Status scene_motion_create_close_shuttles(imp_Context *context, bool only_the_two, SceneMotion **motion)
{
    uint32_t count = only_the_two ? 2 : CLOSE_SHUTTLES;
    imp_Mesh *shuttle = NULL;
    SceneMotion *made = NULL;
    uint64_t state = CLOSE_SEED;
    imp_Status status = scene_motion_begin(context, count, CLOSE_CYCLES, &made);
    if (status == IMP_STATUS_OK)
        status = scene_shuttle(context, &shuttle);
    for (uint32_t i = 0; status == IMP_STATUS_OK && i < count; ++i) {
        ScenePath path = close_path(i, &state);
        scene_motion_add(made, "shuttle", i, shuttle, &path);
    }
    imp_mesh_release(shuttle);
    return scene_motion_end(made, status, motion);
}

// ---- Venus and others

// The papers' objects in sizes that go together, around their middles.
static imp_Status make_venus(imp_Context *context, uint32_t face_count, imp_Mesh **mesh)
{
    imp_Mesh *raw = NULL;
    imp_Status status = scene_venus(context, face_count, &raw);
    return scene_place_made(context, status, raw, 1.8, (imp_Vec3){0, -0.9, 0}, mesh);
}

static imp_Status make_chair(imp_Context *context, imp_Mesh **mesh)
{
    imp_Mesh *raw = NULL;
    imp_Status status = scene_chair(context, &raw);
    return scene_place_made(context, status, raw, 1.5, (imp_Vec3){0, -0.75, 0}, mesh);
}

typedef struct Part {
    const char *name;
    imp_Mesh *mesh;
    ScenePath path;
} Part;

// Hands the meshes' references over to the motion, or gives them back.
static imp_Status finish_parts(imp_Context *context, imp_Status status, Part *parts, uint32_t count,
                               uint32_t frame_count, SceneMotion **motion)
{
    SceneMotion *made = NULL;
    if (status == IMP_STATUS_OK)
        status = scene_motion_begin(context, count, frame_count, &made);
    for (uint32_t i = 0; i < count; ++i) {
        if (status == IMP_STATUS_OK)
            scene_motion_add(made, parts[i].name, SCENE_NO_NUMBER, parts[i].mesh, &parts[i].path);
        imp_mesh_release(parts[i].mesh);
    }
    return scene_motion_end(made, status, motion);
}

// Nose to the left, where Venus comes from, aiming at her neck.
static ScenePath towards_venus(imp_Vec3 start, imp_Vec3 velocity)
{
    return (ScenePath){.spin = {{0, 0.1, 1}, {0, 25}},
                       .heading = scene_turn_around((imp_Vec3){0, 1, 0}, -SCENE_STEPS_PER_TURN / 4),
                       .start = start,
                       .velocity = velocity};
}

#define CLUTTER_CYCLES 38

imp_Status scene_motion_create_clutter(imp_Context *context, SceneMotion **motion)
{
    Part parts[4] = {
        {"sphere",
         NULL,
         {.spin = {{0, 1, 0.2}, {0, 40}}, .start = {0.1, 1.6, -0.3}, .velocity = {0.002, 0, 0}}},
        {"shuttle", NULL, towards_venus((imp_Vec3){0.72, -0.2, 0.05}, (imp_Vec3){-0.007, 0, 0})},
        {"chair",
         NULL,
         {.spin = {{0, 1, 0}, {3000, 20}}, .start = {0.6, -0.1, -2}, .velocity = {0, 0, 0.001}}},
        {"venus", NULL, {.spin = {{0, 1, 0.1}, {0, 30}}, .start = {-0.9, 0, 0}, .velocity = {0.006, 0, 0}}},
    };
    imp_Status status = scene_sphere_of_faces(context, 120, 0.45, &parts[0].mesh);
    if (status == IMP_STATUS_OK)
        status = scene_shuttle(context, &parts[1].mesh);
    if (status == IMP_STATUS_OK)
        status = make_chair(context, &parts[2].mesh);
    if (status == IMP_STATUS_OK)
        status = make_venus(context, 1816, &parts[3].mesh);
    return finish_parts(context, status, parts, 4, CLUTTER_CYCLES, motion);
}

#define VENUS_CYCLES 79

imp_Status scene_motion_create_venus(imp_Context *context, SceneMotion **motion)
{
    Part parts[3] = {
        {"shuttle", NULL, towards_venus((imp_Vec3){1.36, 0.35, 0.1}, (imp_Vec3){-0.012, -0.002, 0})},
        {"venus", NULL, {.spin = {{0, 1, 0}, {4500, -40}}, .start = {-1.3, 0, 0}, .velocity = {0.006, 0, 0}}},
        {"chair",
         NULL,
         {.spin = {{0, 1, 0}, {-4000, 15}}, .start = {0.4, -0.15, -1.9}, .velocity = {0.001, 0, 0}}},
    };
    imp_Status status = scene_shuttle(context, &parts[0].mesh);
    if (status == IMP_STATUS_OK)
        status = make_venus(context, 1868, &parts[1].mesh);
    if (status == IMP_STATUS_OK)
        status = make_chair(context, &parts[2].mesh);
    return finish_parts(context, status, parts, 3, VENUS_CYCLES, motion);
}
