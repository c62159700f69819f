#include "picture_options.h"

#include "arguments.h"

#include <string.h>

static bool is_zero(imp_Vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

static bool parse_direction(const char *option, const char *text, imp_Vec3 *direction)
{
    double n[3];
    if (!argument_numbers(option, text, 3, n))
        return false;
    *direction = (imp_Vec3){n[0], n[1], n[2]};
    if (is_zero(*direction))
        command_fail("--%s: \"%s\" is no direction", option, text);
    return !is_zero(*direction);
}

static bool parse_view(const Options *options, impi_PictureDef *picture)
{
    const char *up = options_value(options, "up"), *view = options_value(options, "view");
    if (up && strcmp(up, "z") == 0)
        picture->up = (imp_Vec3){0, 0, 1};
    else if (up && strcmp(up, "y") != 0 && !parse_direction("up", up, &picture->up))
        return false;
    if (!view || strcmp(view, "auto") == 0 || impi_picture_view_named(view, picture->up, &picture->view))
        return true;
    if (strspn(view, "0123456789+-.eE, \t") != strlen(view)) {
        command_fail("--view: expected \"x y z\", auto, front, back, left, right, top or bottom, got \"%s\"",
                     view);
        return false;
    }
    return parse_direction("view", view, &picture->view);
}

CommandResult picture_options_parse(const Options *options, const char *out_path, bool is_picture,
                                    impi_PictureDef *picture)
{
    static const char *const names[] = {"view", "up", "size"};
    const char *size = options_value(options, "size");
    for (size_t i = 0; i < sizeof names / sizeof *names && !is_picture; ++i)
        if (options_has(options, names[i]))
            return out_path
                       ? command_fail("--%s is for pictures, and %s is none: its name does not end in .svg",
                                      names[i], out_path)
                       : command_fail("--%s is for pictures, and none is asked for", names[i]);
    if (size && !argument_integer("size", size, 16, IMPI_MAX_PICTURE_SIZE, &picture->size))
        return COMMAND_FAILED;
    return parse_view(options, picture) ? COMMAND_DONE : COMMAND_FAILED;
}
