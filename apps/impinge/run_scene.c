#include "run_scene.h"

#include "kit/argument_text.h"
#include "kit/nearest_name.h"
#include "playback/scene_motion.h"
#include "scenes/motions.h"

#include <stdlib.h>
#include <string.h>

// ---- files

static CommandResult open_file(imp_Context *context, const RunSceneDef *def, RunScene *scene)
{
    double frame_rate = def->frame_rate > 0 ? def->frame_rate : RUN_DEFAULT_FRAME_RATE;
    if (imp_scene_load(context, def->name, &scene->file) != IMP_STATUS_OK)
        return command_fail_in(context);
    if (impi_scene_motion(context, scene->file, frame_rate, def->frame_limit, &scene->motion) !=
        IMP_STATUS_OK)
        return command_fail("%s: %s; choose a lower --rate, or the first ones by --frames", def->name,
                            imp_context_get_error(context)->message);
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
    const char *nearest = names ? impi_nearest_name(name, names, count) : NULL;
    free(names);
    if (nearest)
        return command_fail("there is no scene '%s', did you mean '%s'? 'impinge run --list' lists them",
                            name, nearest);
    return command_fail("there is no scene '%s'; 'impinge run --list' lists them, and the names of files end "
                        "in .gltf or .glb",
                        name);
}

static impi_MotionBody get_built_in_body(const void *source, size_t index)
{
    SceneBody body = scene_motion_body(source, index);
    return (impi_MotionBody){.name = body.name, .mesh = body.mesh, .deforms = body.deforms};
}

static imp_Status place_built_in(const impi_Motion *motion, uint32_t frame, size_t body, imp_Pose *pose,
                                 imp_Vec3 *vertices)
{
    *pose = scene_motion_pose(motion->source, body, frame);
    if (vertices)
        scene_motion_vertices(motion->source, body, frame, vertices);
    return IMP_STATUS_OK;
}

static CommandResult open_built_in(imp_Context *context, const RunSceneDef *def, RunScene *scene)
{
    bool exists = false;
    for (size_t i = 0; i < scene_motion_title_count(); ++i)
        exists = exists || strcmp(scene_motion_title(i).name, def->name) == 0;
    if (!exists)
        return refuse_name(def->name);
    if (def->frame_rate > 0)
        return command_fail("--rate is for files; the frames of built-in scenes are given");
    imp_Status status = scene_motion_create(context, def->name, &scene->built_in);
    if (status != IMP_STATUS_OK)
        return command_fail("%s: %s", def->name, imp_status_name(status));
    uint32_t frame_count = scene_motion_frame_count(scene->built_in);
    scene->motion =
        (impi_Motion){.body_count = scene_motion_body_count(scene->built_in),
                      .frame_count = frame_count < def->frame_limit ? frame_count : def->frame_limit,
                      .frame_rate = scene_motion_frame_rate(scene->built_in),
                      .source = scene->built_in,
                      .body = get_built_in_body,
                      .place = place_built_in};
    return COMMAND_DONE;
}

// ---- both

CommandResult run_scene_open(imp_Context *context, const RunSceneDef *def, RunScene *scene)
{
    *scene = (RunScene){.name = def->name, .context = context};
    return impi_file_has_extension(def->name) ? open_file(context, def, scene)
                                              : open_built_in(context, def, scene);
}

CommandResult run_scene_place(const RunScene *scene, uint32_t frame, size_t body, imp_Pose *pose,
                              imp_Vec3 *vertices)
{
    if (impi_motion_place(scene->context, &scene->motion, frame, body, pose, vertices) == IMP_STATUS_OK)
        return COMMAND_DONE;
    return command_fail("%s: %s", scene->name, imp_context_get_error(scene->context)->message);
}

void run_scene_free(RunScene *scene)
{
    imp_scene_destroy(scene->file);
    scene_motion_destroy(scene->built_in);
    *scene = (RunScene){0};
}
