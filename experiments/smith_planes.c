#include "smith_planes.h"

#include "geom/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Player {
    ExperimentRun *run;
    size_t body_count, vertex_count; // all bodies have as many vertices
    imp_Convex **convexes;
    imp_Pose *poses;
    imp_Transform *transforms; // of the poses
    imp_Vec3 *vertices;        // of all bodies, posed
    imp_Vec3 *normals;         // of the planes, from the first body to the second; zero where there is none
} Player;

static bool player_create(Player *player, ExperimentRun *run, const SceneMotion *motion)
{
    size_t count = scene_motion_body_count(motion);
    const imp_Mesh *mesh = scene_motion_body(motion, 0).mesh;
    *player = (Player){.run = run, .body_count = count, .vertex_count = imp_mesh_get_vertex_count(mesh)};
    player->convexes = calloc(count, sizeof *player->convexes);
    player->poses = calloc(count, sizeof *player->poses);
    player->transforms = calloc(count, sizeof *player->transforms);
    player->vertices = calloc(count * player->vertex_count, sizeof *player->vertices);
    player->normals = calloc(count * count, sizeof *player->normals);
    if (!player->convexes || !player->poses || !player->transforms || !player->vertices || !player->normals)
        return false;
    for (size_t i = 0; i < count; ++i) {
        mesh = scene_motion_body(motion, i).mesh;
        imp_ConvexDef def = {.points = &imp_mesh_get_vertices(mesh)->x, .point_count = player->vertex_count};
        if (imp_mesh_get_vertex_count(mesh) != player->vertex_count ||
            imp_convex_create(run->context, &def, &player->convexes[i]) != IMP_STATUS_OK)
            return false;
    }
    return true;
}

static void player_free(Player *player)
{
    for (size_t i = 0; player->convexes && i < player->body_count; ++i)
        imp_convex_release(player->convexes[i]);
    free(player->convexes);
    free(player->poses);
    free(player->transforms);
    free(player->vertices);
    free(player->normals);
}

// Is there a plane with this normal between the two bodies? Looks at all vertices.
static bool separates(const Player *player, imp_Vec3 normal, size_t a, size_t b)
{
    const imp_Vec3 *vertices_a = player->vertices + a * player->vertex_count;
    const imp_Vec3 *vertices_b = player->vertices + b * player->vertex_count;
    double farthest = -INFINITY, nearest = INFINITY;
    for (size_t i = 0; i < player->vertex_count; ++i) {
        farthest = fmax(farthest, impi_dot(normal, vertices_a[i]));
        nearest = fmin(nearest, impi_dot(normal, vertices_b[i]));
    }
    return farthest < nearest;
}

// The plane between the closest points. True when there is none: the bodies touch.
static bool look_for_plane(Player *player, size_t a, size_t b)
{
    imp_ConvexPair pair = {player->convexes[a], player->convexes[b], player->poses[a], player->poses[b]};
    imp_ConvexDistance distance = {0};
    if (imp_convex_distance(player->run->context, NULL, &pair, NULL, &distance) != IMP_STATUS_OK)
        experiment_fail(player->run, "%s", imp_context_get_error(player->run->context)->message);
    player->normals[a * player->body_count + b] = distance.touch ? (imp_Vec3){0} : distance.normal;
    return distance.touch;
}

static void pose_bodies(Player *player, const SceneMotion *motion)
{
    for (size_t i = 0; i < player->body_count; ++i) {
        const imp_Vec3 *vertices = imp_mesh_get_vertices(scene_motion_body(motion, i).mesh);
        for (size_t k = 0; k < player->vertex_count; ++k)
            player->vertices[i * player->vertex_count + k] =
                imp_transform_apply(&player->transforms[i], vertices[k]);
    }
}

static void test_pairs(Player *player, SmithPlanesCycle *cycle)
{
    for (size_t a = 0; a < player->body_count; ++a)
        for (size_t b = a + 1; b < player->body_count; ++b) {
            if (separates(player, player->normals[a * player->body_count + b], a, b))
                continue;
            ++cycle->looked_for;
            cycle->touching += look_for_plane(player, a, b);
        }
}

bool smith_planes_play(ExperimentRun *run, const SceneMotion *motion, size_t repetitions,
                       SmithPlanesCourse *course)
{
    static double times[SMITH_MAX_CYCLES][SMITH_MAX_REPETITIONS];
    Player player;
    memset(course, 0, sizeof *course);
    course->cycle_count = scene_motion_frame_count(motion);
    if (!player_create(&player, run, motion))
        experiment_fail(run, "no bodies for separating planes");
    for (size_t r = 0; r < repetitions && !run->has_failed; ++r) {
        memset(player.normals, 0, player.body_count * player.body_count * sizeof *player.normals);
        for (uint32_t i = 0; i < course->cycle_count; ++i) {
            SmithPlanesCycle cycle = {0};
            for (size_t body = 0; body < player.body_count; ++body) {
                player.poses[body] = scene_motion_pose(motion, body, i);
                player.transforms[body] = scene_motion_transform(motion, body, i);
            }
            double start = experiment_processor_ns();
            pose_bodies(&player, motion);
            test_pairs(&player, &cycle);
            times[i][r] = experiment_processor_ns() - start;
            course->cycles[i] = cycle;
        }
    }
    for (uint32_t i = 0; i < course->cycle_count && !run->has_failed; ++i)
        course->cycles[i].ns = experiment_median(times[i], repetitions);
    player_free(&player);
    return !run->has_failed;
}
