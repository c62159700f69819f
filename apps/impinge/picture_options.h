/// The options of commands that draw pictures: from where, which way up, how large.
#ifndef IMPINGE_APPS_PICTURE_OPTIONS_H
#define IMPINGE_APPS_PICTURE_OPTIONS_H

#include "command.h"
#include "kit/picture.h"

/// In the table of a command.
#define PICTURE_OPTIONS                                                                                      \
    {.name = "view",                                                                                         \
     .value_count = 1,                                                                                       \
     .values = "\"x y z\"|SIDE",                                                                             \
     .help = "for pictures: look from the direction x y z, or from a side:\n"                                \
             "front, back, left, right, top, bottom; auto, the default,\n"                                   \
             "picks a three-quarter view that shows much"},                                                  \
        {.name = "up",                                                                                       \
         .value_count = 1,                                                                                   \
         .values = "y|z|\"x y z\"",                                                                          \
         .help = "for pictures: what points upwards (default y)"},                                           \
    {                                                                                                        \
        .name = "size", .value_count = 1, .values = "PIXELS",                                                \
        .help = "for pictures: length of the longer side (default 800, or 400\n"                             \
                "for each of several things side by side)"                                                   \
    }

/// Take them over into a picture. They are refused where `out_path`, null for none, is no picture. Says what
/// is wrong.
CommandResult picture_options_parse(const Options *options, const char *out_path, bool is_picture,
                                    impi_PictureDef *picture);

#endif
