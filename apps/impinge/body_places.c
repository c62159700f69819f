#include "body_places.h"

#include "playback/pose_text.h"

#include <stdio.h>
#include <string.h>

#define MAX_OPTION 64

static CommandResult parse_pose(imp_Context *context, const OptionUse *use, impi_ParsedPose *parsed)
{
    char option[MAX_OPTION];
    snprintf(option, sizeof option, "--pose %s", use->values[0]);
    if (impi_pose_parse(context, IMPI_NO_PLACE, option, use->values[1], parsed) != IMP_STATUS_OK)
        return command_fail_in(context);
    return COMMAND_DONE;
}

static bool is_pose(const OptionUse *use)
{
    return strcmp(use->spec->name, "pose") == 0;
}

CommandResult body_places_check(imp_Context *context, const Options *options)
{
    impi_ParsedPose parsed;
    for (size_t i = 0; i < options->use_count; ++i)
        if (is_pose(&options->uses[i]) && parse_pose(context, &options->uses[i], &parsed) != COMMAND_DONE)
            return COMMAND_FAILED;
    return COMMAND_DONE;
}

static CommandResult place_bodies(const OptionUse *use, Bodies *bodies)
{
    impi_ParsedPose parsed;
    impi_BodyList found = {0};
    CommandResult result = parse_pose(bodies->context, use, &parsed);
    if (result == COMMAND_DONE)
        result = bodies_find(bodies, "--pose", use->values[0], &found);
    for (size_t i = 0; i < found.count && result == COMMAND_DONE; ++i) {
        Body *body = &bodies->bodies[found.data[i]];
        if (body->is_placed)
            result = command_fail("--pose %s: %s (body %u) is given a pose twice", use->values[0],
                                  bodies->stills[found.data[i]].name, found.data[i]);
        body->is_placed = true;
        bodies->stills[found.data[i]].pose = parsed.pose;
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
