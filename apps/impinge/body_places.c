#include "body_places.h"

#include "playback/pose_text.h"

#include <stdio.h>
#include <string.h>

#define MAX_OPTION 64

CommandResult body_pose_parse(imp_Context *context, const OptionUse *use, imp_Pose *pose)
{
    char option[MAX_OPTION];
    impi_ParsedPose parsed;
    snprintf(option, sizeof option, "--%s %s", use->spec->name, use->values[0]);
    if (impi_pose_parse(context, IMPI_NO_PLACE, option, use->values[1], &parsed) != IMP_STATUS_OK)
        return command_fail_in(context);
    *pose = parsed.pose;
    return COMMAND_DONE;
}

static bool is_pose(const OptionUse *use)
{
    return strcmp(use->spec->name, "pose") == 0;
}

CommandResult body_places_check(imp_Context *context, const Options *options)
{
    imp_Pose pose;
    for (size_t i = 0; i < options->use_count; ++i) {
        const OptionUse *use = &options->uses[i];
        if ((is_pose(use) || strcmp(use->spec->name, "to-pose") == 0) &&
            body_pose_parse(context, use, &pose) != COMMAND_DONE)
            return COMMAND_FAILED;
    }
    return COMMAND_DONE;
}

static CommandResult place_bodies(const OptionUse *use, Bodies *bodies)
{
    imp_Pose pose;
    impi_BodyList found = {0};
    CommandResult result = body_pose_parse(bodies->context, use, &pose);
    if (result == COMMAND_DONE)
        result = bodies_find(bodies, "--pose", use->values[0], &found);
    for (size_t i = 0; i < found.count && result == COMMAND_DONE; ++i) {
        Body *body = &bodies->bodies[found.data[i]];
        if (body->is_placed)
            result = command_fail("--pose %s: %s (body %u) is given a pose twice", use->values[0],
                                  bodies->stills[found.data[i]].name, found.data[i]);
        body->is_placed = true;
        bodies->stills[found.data[i]].pose = pose;
    }
    impi_body_list_free(bodies->context, &found);
    return result;
}

CommandResult body_places_take(const Options *options, Bodies *bodies)
{
    CommandResult result = COMMAND_DONE;
    for (size_t i = 0; i < options->use_count && result == COMMAND_DONE; ++i)
        if (is_pose(&options->uses[i]))
            result = place_bodies(&options->uses[i], bodies);
    return result;
}
