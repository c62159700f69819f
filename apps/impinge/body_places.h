/// Where bodies are put: the option --pose.
#ifndef IMPINGE_APPS_BODY_PLACES_H
#define IMPINGE_APPS_BODY_PLACES_H

#include "bodies.h"

#define POSE_OPTION                                                                                          \
    {                                                                                                        \
        .name = "pose", .value_count = 2, .repeatable = true, .values = "K \"tx ty tz qw qx qy qz\"",        \
        .help = "turn body K by the quaternion qw qx qy qz, then shift it by\n"                              \
                "tx ty tz; also \"tx ty tz\" alone, \"tx ty tz axis x y z DEGREES\",\n"                      \
                "or a matrix of 3x4 or 4x4 numbers by rows"                                                  \
    }

/// The pose of an option that has a body and a pose. Says what is wrong.
CommandResult body_pose_parse(imp_Context *context, const OptionUse *use, imp_Pose *pose);

/// Look at the poses, also of --to-pose, before anything is read, because one that lacks its quotes makes
/// files of its numbers. Says what is wrong.
CommandResult body_places_check(imp_Context *context, const Options *options);

/// Put the bodies where the options say. Says what is wrong.
CommandResult body_places_take(const Options *options, Bodies *bodies);

#endif
