// Two fuzzers are made from this file: FUZZ_EXTENSION says of which files, FUZZ_DEF how they are loaded.
//
// Whatever a scene file holds, loading it gives a scene that can be played through a world, or an error that
// names the file.

#include "fuzz_file.h"

#include <impinge/impinge.h>

#include <math.h>
#include <string.h>

// Small limits: what takes long finds nothing.
#define MAX_BODIES    8
#define MAX_TRIANGLES 2000
#define FRAMES        3

typedef struct Player {
    imp_Context *context;
    imp_World *world;
    const imp_Scene *scene;
    size_t body_count;
    imp_BodyId ids[MAX_BODIES];
} Player;

// False when it is too much to be played here.
static bool add_bodies(Player *player)
{
    size_t triangle_count = 0;
    player->body_count = imp_scene_get_body_count(player->scene);
    fuzz_demand(player->body_count > 0, "scenes have bodies");
    if (player->body_count > MAX_BODIES)
        return false;
    for (size_t i = 0; i < player->body_count; ++i) {
        imp_SceneBody body;
        fuzz_demand(imp_scene_get_body(player->scene, i, &body) == IMP_STATUS_OK,
                    "as many bodies as it says");
        triangle_count += imp_mesh_get_triangle_count(body.mesh);
        if (triangle_count > MAX_TRIANGLES)
            return false;
        imp_Status status =
            imp_world_add_body(player->world, &(imp_BodyDef){.mesh = body.mesh}, &player->ids[i]);
        fuzz_demand(status == IMP_STATUS_OK, "bodies of scenes are bodies of worlds");
    }
    return true;
}

// False when a coordinate is beyond what doubles hold, which the scene or the world must say.
static bool place_body(const Player *player, size_t index, double seconds)
{
    imp_SceneBody body;
    imp_Pose pose;
    if (imp_scene_get_body(player->scene, index, &body) != IMP_STATUS_OK)
        return false;
    size_t count = imp_mesh_get_vertex_count(body.mesh);
    imp_Vec3 *vertices = malloc(count * sizeof *vertices);
    if (!vertices)
        return false;
    imp_Status status = imp_scene_sample(player->scene, index, seconds, &pose, vertices);
    fuzz_demand(status == IMP_STATUS_OK || status == IMP_STATUS_BAD_NUMBER, "bodies can be sampled");
    if (status == IMP_STATUS_OK && body.deforms) {
        for (size_t i = 0; i < count; ++i)
            fuzz_demand(isfinite(vertices[i].x) && isfinite(vertices[i].y) && isfinite(vertices[i].z),
                        "samples are finite");
        status = imp_body_set_vertices(player->world, player->ids[index], &vertices->x, count);
        fuzz_demand(status == IMP_STATUS_OK, "samples are shapes");
    }
    free(vertices);
    if (status == IMP_STATUS_OK) {
        status = imp_body_set_pose(player->world, player->ids[index], pose);
        fuzz_demand(status == IMP_STATUS_OK || status == IMP_STATUS_BAD_NUMBER, "samples are poses");
    }
    return status == IMP_STATUS_OK;
}

static void play(Player *player)
{
    double duration = imp_scene_get_duration(player->scene);
    fuzz_demand(isfinite(duration) && duration >= 0, "scenes end");
    for (int frame = -1; frame <= FRAMES; ++frame) {
        double seconds = duration / FRAMES * frame;
        bool is_placed = true;
        for (size_t i = 0; i < player->body_count && is_placed; ++i)
            is_placed = place_body(player, i, seconds);
        if (!is_placed)
            continue;
        const imp_Report *report = NULL;
        imp_DetectDef def = {.max_face_pairs = 1000};
        imp_Status status = imp_world_detect(player->world, &def, &report);
        fuzz_demand(status == IMP_STATUS_OK || status == IMP_STATUS_BAD_NUMBER, "worlds can be asked");
        for (size_t i = 0; status == IMP_STATUS_OK && i < report->body_pair_count; ++i)
            fuzz_demand(report->body_pairs[i].relations != 0 || report->body_pairs[i].unanswered != 0,
                        "pairs are related");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    Player player = {0};
    imp_Scene *scene = NULL;
    char path[FUZZ_MAX_PATH];
    imp_ContextDef def = {.max_file_bytes = 1 << 20};
    if (!fuzz_write_file(path, FUZZ_EXTENSION, bytes, size) ||
        imp_context_create(&def, &player.context) != IMP_STATUS_OK)
        return 0;
    imp_Status status = imp_scene_load_with(player.context, path, &(imp_LoadDef){FUZZ_DEF}, &scene);
    const imp_Error *error = imp_context_get_error(player.context);
    fuzz_demand((status == IMP_STATUS_OK) == (scene != NULL), "a scene or an error");
    if (status != IMP_STATUS_OK)
        fuzz_demand(error->status == status &&
                        (strstr(error->message, path) || status == IMP_STATUS_OUT_OF_MEMORY),
                    "the error names the file");
    player.scene = scene;
    if (scene && imp_world_create(player.context, NULL, &player.world) == IMP_STATUS_OK &&
        add_bodies(&player))
        play(&player);
    imp_world_destroy(player.world);
    imp_scene_destroy(scene);
    imp_context_destroy(player.context);
    unlink(path);
    return 0;
}
