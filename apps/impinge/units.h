/// Units of length: in which bodies are, and bringing them into one.
#ifndef IMPINGE_APPS_UNITS_H
#define IMPINGE_APPS_UNITS_H

#include "bodies.h"
#include "playback/playback.h"

#define UNIT_OPTIONS                                                                                         \
    {.name = "unit",                                                                                         \
     .value_count = 1,                                                                                       \
     .repeatable = true,                                                                                     \
     .values = "mm|cm|m|in|ft",                                                                              \
     .help = "the unit of all files and of what is asked\n"                                                  \
             "and told; glTF, which is in metres, is converted to it.\n"                                     \
             "K=mm tells that of body K, which is converted"},                                               \
    {                                                                                                        \
        .name = "scale", .value_count = 2, .repeatable = true, .values = "K FACTOR",                         \
        .help = "multiply the coordinates of body K; FACTOR may be a\n"                                      \
                "quotient, as 1/1000 or 1/25.4"                                                              \
    }

/// A factor as people write it, "25.4" or "1/25.4": one of both numbers, the other 0. Says what is wrong.
CommandResult units_parse_factor(const char *option, const char *text, double *multiply_by,
                                 double *divide_by);

/// Convert the bodies as the options tell: each coordinate by one correctly rounded product or quotient.
/// Says what is wrong.
CommandResult units_convert(const Options *options, Bodies *bodies);

/// The scale of a scene, which is in metres, by the unit of all; none where that is not told. Says what is
/// wrong, also that units of single bodies are of no use there.
CommandResult units_scale_scene(const Options *options, imp_LoadDef *load);

/// How deep each body must reach into another one to be more than rounding, where one of the two was
/// converted: 8 units in the last place of its largest coordinate, and as much more as depths are known to.
/// The last place is that of single precision where it comes from a file that holds no more. To be freed;
/// null after saying that memory is out.
impi_BodyRounding *units_roundings(const Bodies *bodies);

/// The same for the bodies of a scene file that was converted, wherever its motion takes them. To be freed;
/// null after saying why.
impi_BodyRounding *units_scene_roundings(imp_Context *context, const impi_Motion *motion);

#endif
