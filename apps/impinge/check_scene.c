#include "check_scene.h"

#include "body_places.h"
#include "file_options.h"
#include "kit/argument_text.h"
#include "kit/progress.h"
#include "unit_remarks.h"
#include "units.h"

#include <stdlib.h>

static CommandResult prepare_bodies(CheckScene *scene, const Options *options)
{
    Bodies *bodies = &scene->loaded;
    if (units_convert(options, bodies) != COMMAND_DONE || body_places_take(options, bodies) != COMMAND_DONE)
        return COMMAND_FAILED;
    scene->roundings = units_roundings(bodies);
    if (!scene->roundings)
        return COMMAND_FAILED;
    unit_remarks(bodies, options_has(options, "unit") || options_has(options, "scale"));
    scene->takes_hulls = options_has(options, "convex");
    if (scene->takes_hulls && bodies_take_hulls(bodies) != COMMAND_DONE)
        return COMMAND_FAILED;
    scene->bodies = bodies->stills;
    scene->body_count = bodies->count;
    if (bodies->count < 2 && options_has(options, "self")) // of `sweep`
        return COMMAND_DONE;
    if (bodies->count < 2 && bodies->files.left_out_count > 0)
        return command_fail("%s is the only body that can be read; left out: %s", bodies->stills[0].name,
                            bodies->files.first_left_out);
    if (bodies->count < 2)
        return command_fail("%s is the only body; at least two are compared%s", bodies->stills[0].name,
                            options_has(options, "join") ? " (--join joins what is in a file)"
                            : impi_file_ends_in(bodies->stills[0].path, "stl")
                                ? " (--solids takes those of an STL file apart)"
                                : "");
    if (rule_options_take(scene->context, options, bodies->names, &scene->rules) != COMMAND_DONE)
        return COMMAND_FAILED;
    if (scene->rules && !impi_pair_rules_leave_any(scene->rules, bodies->count))
        command_remark("rules", "no pair of bodies is left to compare");
    return COMMAND_DONE;
}

CommandResult check_scene_load(CheckScene *scene, const Options *options, uint32_t thread_count)
{
    BodiesDef def;
    *scene = (CheckScene){0};
    if (bodies_parse(options, &def) != COMMAND_DONE)
        return COMMAND_FAILED;
    scene->context = file_options_create_context(options, thread_count);
    if (!scene->context || body_places_check(scene->context, options) != COMMAND_DONE)
        return COMMAND_FAILED;
    CommandResult result =
        bodies_load(scene->context, options->arguments, options->argument_count, &def, &scene->loaded);
    return result == COMMAND_DONE ? prepare_bodies(scene, options) : result;
}

void check_scene_free(CheckScene *scene)
{
    impi_playback_close(scene->playback);
    impi_pair_rules_destroy(scene->rules);
    bodies_free(&scene->loaded);
    imp_context_destroy(scene->context);
    free(scene->roundings);
    free(scene->face_pairs);
    *scene = (CheckScene){0};
}

static imp_Status play(CheckScene *scene, const impi_PlaybackDef *def)
{
    impi_PlaybackDef complete = *def;
    complete.motion = impi_still_motion(scene->bodies, scene->body_count);
    complete.rules = scene->rules;
    complete.roundings = scene->roundings;
    imp_Status status = impi_playback_open(scene->context, &complete, &scene->playback);
    return status == IMP_STATUS_OK ? impi_playback_step(scene->playback, 0, &scene->found) : status;
}

// False when out of memory.
static bool list_face_pairs(CheckScene *scene)
{
    scene->face_pairs = calloc(scene->found.face_pair_count + 1, sizeof *scene->face_pairs);
    return scene->face_pairs &&
           impi_face_lines_list(scene->context, &scene->found, scene->face_pairs) == IMP_STATUS_OK;
}

CommandResult check_scene_take(CheckScene *scene, const impi_PlayedFrame *found)
{
    scene->found = *found;
    return list_face_pairs(scene) ? COMMAND_DONE : command_fail("out of memory");
}

CommandResult check_scene_detect(CheckScene *scene, const impi_PlaybackDef *def)
{
    impi_Progress *progress = impi_progress_begin();
    command_show_progress(scene->context, progress);
    impi_progress_set(progress, "comparing", 0, 0);
    imp_Status status = play(scene, def);
    bool is_listed = status == IMP_STATUS_OK && list_face_pairs(scene);
    command_show_progress(scene->context, NULL);
    impi_progress_end(progress);
    if (status != IMP_STATUS_OK)
        return command_fail_in(scene->context);
    return is_listed ? COMMAND_DONE : command_fail("out of memory");
}
