#include "run_scene.h"

#include "body_places.h"
#include "kit/argument_text.h"
#include "kit/nearest_name.h"
#include "playback/scene_motion.h"
#include "scenes/motions.h"
#include "unit_remarks.h"
#include "units.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// ---- files

static CommandResult open_file(imp_Context *context, const RunSceneDef *def, RunScene *scene)
{
    double frame_rate = def->frame_rate > 0 ? def->frame_rate : RUN_DEFAULT_FRAME_RATE;
    imp_LoadDef load = {0};
    if (units_scale_scene(def->options, &load) != COMMAND_DONE)
        return COMMAND_FAILED;
    if (imp_scene_load_with(context, def->name, &load, &scene->file) != IMP_STATUS_OK)
        return command_fail_in(context);
    if (impi_scene_motion(context, scene->file, frame_rate, def->frame_limit, &scene->motion) !=
        IMP_STATUS_OK)
        return command_fail("%s: %s; choose a lower --rate, or the first ones by --frames", def->name,
                            imp_context_get_error(context)->message);
    if (imp_scene_get_remark(scene->file))
        command_remark(def->name, imp_scene_get_remark(scene->file));
    if (load.multiply_by > 0 || load.divide_by > 0) {
        scene->roundings = units_scene_roundings(context, &scene->motion);
        return scene->roundings ? COMMAND_DONE : COMMAND_FAILED;
    }
    return COMMAND_DONE;
}

// ---- built-in scenes

static CommandResult refuse_name(const char *name)
{
    struct stat info;
    if (strcmp(name, "-") == 0 || (stat(name, &info) == 0 && S_ISDIR(info.st_mode)))
        return command_fail("%s: files stand still without --poses; 'impinge check' compares them", name);
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
    return (impi_MotionBody){.name = body.name,
                             .mesh = body.mesh,
                             .triangle_count = imp_mesh_get_triangle_count(body.mesh),
                             .deforms = body.deforms};
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
    if (options_has(def->options, "unit"))
        return command_fail("--unit is for files; built-in scenes have no unit");
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

// ---- bodies and poses

static CommandResult load_bodies(RunScene *scene, const Options *options)
{
    BodiesDef def;
    if (bodies_parse(options, &def) != COMMAND_DONE ||
        body_places_check(scene->context, options) != COMMAND_DONE ||
        bodies_load(scene->context, options->arguments, options->argument_count, &def, &scene->bodies) !=
            COMMAND_DONE ||
        units_convert(options, &scene->bodies) != COMMAND_DONE ||
        body_places_take(options, &scene->bodies) != COMMAND_DONE)
        return COMMAND_FAILED;
    scene->roundings = units_roundings(&scene->bodies);
    unit_remarks(&scene->bodies, options_has(options, "unit") || options_has(options, "scale"));
    return scene->roundings ? COMMAND_DONE : COMMAND_FAILED;
}

static CommandResult open_poses(imp_Context *context, const RunSceneDef *def, RunScene *scene)
{
    if (def->frame_rate > 0)
        return command_fail("--rate is for scenes; the frames of --poses are those of its file");
    scene->name = def->poses_path;
    if (load_bodies(scene, def->options) != COMMAND_DONE)
        return COMMAND_FAILED;
    if (bodies_load_poses(&scene->bodies, def->poses_path, &scene->poses) != COMMAND_DONE)
        return COMMAND_FAILED;
    scene->posed = (impi_PosedBodies){scene->bodies.stills, scene->bodies.count, scene->poses};
    if (impi_pose_motion(context, &scene->posed, &scene->motion) != IMP_STATUS_OK)
        return command_fail("%s: %s", def->poses_path, imp_context_get_error(context)->message);
    if (scene->motion.frame_count > def->frame_limit)
        scene->motion.frame_count = def->frame_limit;
    return COMMAND_DONE;
}

const impi_BodyNames *run_scene_names(RunScene *scene)
{
    size_t count = scene->motion.body_count;
    if (scene->bodies.names || scene->own_names)
        return scene->bodies.names ? scene->bodies.names : scene->own_names;
    const char **names = calloc(count + 1, sizeof *names);
    for (size_t i = 0; names && i < count; ++i)
        names[i] = impi_motion_body(&scene->motion, i).name;
    if (!names || impi_body_names_adopt(scene->context, names, count, &scene->own_names) != IMP_STATUS_OK)
        command_fail("out of memory");
    free(names);
    return scene->own_names;
}

// ---- all

// Options that only bodies of files have.
static CommandResult refuse_pose_options(const Options *options)
{
    static const char *const names[] = {"pose", "scale", "join", "solids", "format", "keep-going"};
    if (options->argument_count > 1)
        return command_fail("files stand still without --poses; 'impinge check' compares them");
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (options_has(options, names[i]))
            return command_fail("--%s is for bodies that --poses moves", names[i]);
    return COMMAND_DONE;
}

CommandResult run_scene_open(imp_Context *context, const RunSceneDef *def, RunScene *scene)
{
    static const Options none;
    RunSceneDef complete = *def;
    if (!def->options)
        complete.options = &none;
    *scene = (RunScene){.name = def->name, .context = context};
    if (def->poses_path)
        return open_poses(context, &complete, scene);
    if (refuse_pose_options(complete.options) != COMMAND_DONE)
        return COMMAND_FAILED;
    return impi_file_has_extension(def->name) ? open_file(context, &complete, scene)
                                              : open_built_in(context, &complete, scene);
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
    impi_pose_table_destroy(scene->context, scene->poses);
    bodies_free(&scene->bodies);
    free(scene->roundings);
    impi_body_names_destroy(scene->own_names);
    *scene = (RunScene){0};
}
