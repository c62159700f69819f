#include "sweep_scene.h"

static void remark_on_rest(const SweepTargets *targets)
{
    for (size_t i = 0; i < targets->bodies->count; ++i)
        if (sweep_target_moves(&targets->targets[i]))
            return;
    command_remark("sweep", "no body moves; --to-pose tells where one ends, --to its shape there");
}

static void remark_on_rules(const impi_PairRules *rules)
{
    double clearance;
    if (rules && impi_pair_rules_max_clearance(rules, &clearance))
        command_remark("rules", "clearances are not looked at here; --separation is for all pairs");
    if (rules && impi_pair_rules_has_touch_depth(rules))
        command_remark("rules", "touch depths are not looked at here");
}

CommandResult sweep_scene_load(SweepScene *scene, const Options *options, uint32_t thread_count)
{
    *scene = (SweepScene){.report = NULL};
    if (check_scene_load(&scene->bodies, options, thread_count) != COMMAND_DONE ||
        sweep_targets_take(options, &scene->bodies.loaded, &scene->targets) != COMMAND_DONE)
        return COMMAND_FAILED;
    remark_on_rest(&scene->targets);
    remark_on_rules(scene->bodies.rules);
    return COMMAND_DONE;
}

CommandResult sweep_scene_find(SweepScene *scene, const imp_SweepDef *def)
{
    CheckScene *bodies = &scene->bodies;
    impi_PlaybackDef playback = {.motion = sweep_targets_motion(&scene->targets),
                                 .rules = bodies->rules,
                                 .paths = scene->targets.paths};
    impi_Progress *progress = impi_progress_begin();
    command_show_progress(bodies->context, progress);
    impi_progress_set(progress, "sweeping", 0, 0);
    imp_Status status = impi_playback_open(bodies->context, &playback, &bodies->playback);
    if (status == IMP_STATUS_OK)
        status = impi_playback_sweep(bodies->playback, 0, def, &scene->report);
    command_show_progress(bodies->context, NULL);
    impi_progress_end(progress);
    scene->def = *def;
    return status == IMP_STATUS_OK ? COMMAND_DONE : command_fail_in(bodies->context);
}

void sweep_scene_free(SweepScene *scene)
{
    sweep_targets_free(&scene->targets);
    check_scene_free(&scene->bodies);
}
