#include "run_scene.h"

#include "io/file_format.h"
#include "scenes/motions.h"

#include <impinge/scene.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static CommandResult make_room(RunScene *scene, size_t body_count)
{
    scene->bodies = calloc(body_count + 1, sizeof *scene->bodies);
    if (!scene->bodies)
        return command_fail("out of memory");
    scene->body_count = body_count;
    return COMMAND_DONE;
}

// ---- files

// How far below a frame's time the last key may lie to count as that frame: files hold times in single
// precision.
#define LAST_KEY_TOLERANCE 1e-4

static CommandResult count_frames(const RunSceneDef *def, RunScene *scene)
{
    double duration = imp_scene_get_duration(scene->file);
    double count = floor(duration * scene->frame_rate + LAST_KEY_TOLERANCE) + 1;
    if (count > def->frame_limit)
        count = def->frame_limit;
    if (!(count <= RUN_MAX_FRAMES))
        return command_fail(
            "%s: %.9g seconds at %.9g frames a second are more than %d frames; choose a lower "
            "--rate, or the first ones by --frames",
            def->name, duration, scene->frame_rate, RUN_MAX_FRAMES);
    scene->frame_count = (uint32_t)count;
    return COMMAND_DONE;
}

static CommandResult open_file(imp_Context *context, const RunSceneDef *def, RunScene *scene)
{
    scene->frame_rate = def->frame_rate > 0 ? def->frame_rate : RUN_DEFAULT_FRAME_RATE;
    if (imp_scene_load(context, def->name, &scene->file) != IMP_STATUS_OK)
        return command_fail_in(context);
    if (count_frames(def, scene) != COMMAND_DONE ||
        make_room(scene, imp_scene_get_body_count(scene->file)) != COMMAND_DONE)
        return COMMAND_FAILED;
    for (size_t i = 0; i < scene->body_count; ++i) {
        imp_SceneBody body = {0};
        if (imp_scene_get_body(scene->file, i, &body) != IMP_STATUS_OK)
            return command_fail_in(context);
        scene->bodies[i] = (RunBody){body.name, body.mesh, body.deforms};
    }
    if (imp_scene_get_remark(scene->file))
        command_remark(def->name, imp_scene_get_remark(scene->file));
    return COMMAND_DONE;
}

// ---- built-in scenes

static CommandResult refuse_name(const char *name)
{
    size_t count = scene_motion_title_count();
    const char **names = calloc(count + 1, sizeof *names);
    for (size_t i = 0; names && i < count; ++i)
        names[i] = scene_motion_title(i).name;
    const char *nearest = names ? nearest_name(name, names, count) : NULL;
    free(names);
    if (nearest)
        return command_fail("there is no scene '%s', did you mean '%s'? 'impinge run --list' lists them",
                            name, nearest);
    return command_fail("there is no scene '%s'; 'impinge run --list' lists them, and the names of files end "
                        "in .gltf or .glb",
                        name);
}

static CommandResult open_motion(imp_Context *context, const RunSceneDef *def, RunScene *scene)
{
    bool exists = false;
    for (size_t i = 0; i < scene_motion_title_count(); ++i)
        exists = exists || strcmp(scene_motion_title(i).name, def->name) == 0;
    if (!exists)
        return refuse_name(def->name);
    if (def->frame_rate > 0)
        return command_fail("--rate is for files; the frames of built-in scenes are given");
    imp_Status status = scene_motion_create(context, def->name, &scene->motion);
    if (status != IMP_STATUS_OK)
        return command_fail("%s: %s", def->name, imp_status_name(status));
    uint32_t frame_count = scene_motion_frame_count(scene->motion);
    scene->frame_count = frame_count < def->frame_limit ? frame_count : def->frame_limit;
    scene->frame_rate = scene_motion_frame_rate(scene->motion);
    if (make_room(scene, scene_motion_body_count(scene->motion)) != COMMAND_DONE)
        return COMMAND_FAILED;
    for (size_t i = 0; i < scene->body_count; ++i) {
        SceneBody body = scene_motion_body(scene->motion, i);
        scene->bodies[i] = (RunBody){body.name, body.mesh, body.deforms};
    }
    return COMMAND_DONE;
}

// ---- both

CommandResult run_scene_open(imp_Context *context, const RunSceneDef *def, RunScene *scene)
{
    *scene = (RunScene){.name = def->name};
    return *impi_file_extension(def->name) ? open_file(context, def, scene)
                                           : open_motion(context, def, scene);
}

CommandResult run_scene_place(const RunScene *scene, uint32_t frame, size_t body, imp_Pose *pose,
                              imp_Vec3 *vertices)
{
    bool deforms = scene->bodies[body].deforms;
    if (scene->motion) {
        *pose = scene_motion_pose(scene->motion, body, frame);
        if (deforms && vertices)
            scene_motion_vertices(scene->motion, body, frame, vertices);
        return COMMAND_DONE;
    }
    imp_Status status =
        imp_scene_sample(scene->file, body, frame / scene->frame_rate, pose, deforms ? vertices : NULL);
    return status == IMP_STATUS_OK
               ? COMMAND_DONE
               : command_fail("%s: frame %u: body %zu (%s) is placed beyond the largest number", scene->name,
                              frame, body, scene->bodies[body].name);
}

void run_scene_free(RunScene *scene)
{
    imp_scene_destroy(scene->file);
    scene_motion_destroy(scene->motion);
    free(scene->bodies);
    *scene = (RunScene){0};
}
