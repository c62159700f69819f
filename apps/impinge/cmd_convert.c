#include "arguments.h"
#include "command.h"
#include "file_options.h"
#include "kit/picture.h"
#include "kit/safe_text.h"
#include "playback/pose_text.h"
#include "units.h"

#include <string.h>

// Where its vertices go, as the options say.
static CommandResult parse_transform(imp_Context *context, const Options *options,
                                     imp_MeshTransformDef *transform)
{
    const char *pose = options_value(options, "pose"), *scale = options_value(options, "scale");
    impi_ParsedPose parsed = {0};
    *transform = (imp_MeshTransformDef){0};
    if (pose && impi_pose_parse(context, IMPI_NO_PLACE, "--pose", pose, &parsed) != IMP_STATUS_OK)
        return command_fail_in(context);
    transform->pose = parsed.pose;
    return scale ? units_parse_factor("--scale", scale, &transform->multiply_by, &transform->divide_by)
                 : COMMAND_DONE;
}

// Put a mesh in its place. False after saying why not.
static bool transform_mesh(imp_Context *context, const char *path, const imp_MeshTransformDef *transform,
                           imp_Mesh **mesh)
{
    imp_Mesh *moved = NULL;
    if (imp_mesh_transform(context, *mesh, transform, &moved) != IMP_STATUS_OK) {
        command_fail("%s: %s", path, imp_context_get_error(context)->message);
        return false;
    }
    imp_mesh_release(*mesh);
    *mesh = moved;
    return true;
}

static CommandResult draw(imp_Context *context, const imp_Mesh *mesh, const impi_PictureDef *look,
                          const char *path)
{
    impi_PictureMesh shape = {.vertices = imp_mesh_get_vertices(mesh),
                              .indices = imp_mesh_get_indices(mesh),
                              .triangle_count = imp_mesh_get_triangle_count(mesh)};
    impi_PictureDef picture = *look;
    picture.meshes = &shape;
    picture.mesh_count = 1;
    if (impi_picture_save(context, &picture, path) != IMP_STATUS_OK)
        return command_fail_in(context);
    return COMMAND_DONE;
}

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

static CommandResult check_for_picture(const Options *options, const char *out_path)
{
    static const char *const picture_options[] = {"view", "up", "size"};
    for (size_t i = 0; i < sizeof picture_options / sizeof *picture_options; ++i)
        if (options_has(options, picture_options[i]) && !command_is_picture(out_path))
            return command_fail("--%s is for pictures, and %s is none: its name does not end in .svg",
                                picture_options[i], out_path);
    return COMMAND_DONE;
}

static CommandResult convert(imp_Context *context, const Options *options, impi_PictureDef *picture,
                             const imp_MeshTransformDef *transform, impi_Text *output)
{
    const char *in_path = options->arguments[0], *out_path = options->arguments[1];
    CommandResult result = COMMAND_DONE;
    imp_Mesh *mesh = command_load_mesh(context, in_path);
    if (!mesh)
        return COMMAND_FAILED;
    if ((options_has(options, "pose") || options_has(options, "scale")) &&
        !transform_mesh(context, in_path, transform, &mesh)) {
        imp_mesh_release(mesh);
        return COMMAND_FAILED;
    }
    picture->title = in_path;
    if (command_is_picture(out_path))
        result = draw(context, mesh, picture, out_path);
    else if (imp_mesh_save(context, mesh, out_path) != IMP_STATUS_OK)
        result = command_fail_in(context);
    if (result == COMMAND_DONE) {
        impi_text_put_shown(output, out_path);
        impi_text_printf(output, ": %zu vertices, %zu triangles\n", imp_mesh_get_vertex_count(mesh),
                         imp_mesh_get_triangle_count(mesh));
    }
    imp_mesh_release(mesh);
    return result;
}

static CommandResult run_convert(const Options *options, impi_Text *output)
{
    imp_MeshTransformDef transform;
    impi_PictureDef picture = {0};
    const char *size_text = options_value(options, "size");
    if (check_for_picture(options, options->arguments[1]) != COMMAND_DONE)
        return COMMAND_FAILED;
    if (size_text && !argument_integer("size", size_text, 16, IMPI_MAX_PICTURE_SIZE, &picture.size))
        return COMMAND_FAILED;
    if (!parse_view(options, &picture))
        return COMMAND_FAILED;
    imp_Context *context = file_options_create_context(options, 0);
    if (!context)
        return COMMAND_FAILED;
    CommandResult result = parse_transform(context, options, &transform);
    if (result == COMMAND_DONE)
        result = convert(context, options, &picture, &transform, output);
    imp_context_destroy(context);
    return result;
}

static const OptionSpec convert_options[] = {
    {.name = "pose",
     .value_count = 1,
     .values = "\"tx ty tz qw qx qy qz\"",
     .help = "turn by the quaternion qw qx qy qz, then shift by tx ty tz; also\n"
             "\"tx ty tz\" alone, \"tx ty tz axis x y z DEGREES\", or a matrix\n"
             "of 3x4 or 4x4 numbers by rows"},
    {.name = "scale",
     .value_count = 1,
     .values = "FACTOR",
     .help = "multiply coordinates, before that; FACTOR may be a quotient, as\n"
             "1/1000 for millimetres that become metres"},
    {.name = "view",
     .value_count = 1,
     .values = "\"x y z\"|SIDE",
     .help = "for pictures: look from the direction x y z, or from a side:\n"
             "front, back, left, right, top, bottom; auto, the default,\n"
             "picks a three-quarter view that shows much"},
    {.name = "up",
     .value_count = 1,
     .values = "y|z|\"x y z\"",
     .help = "for pictures: what points upwards (default y)"},
    {.name = "size",
     .value_count = 1,
     .values = "PIXELS",
     .help = "for pictures: length of the longer side (default 800)"},
    FILE_SIZE_OPTION,
    FILE_PLACE_OPTION,
};

const Command command_convert = {
    .name = "convert",
    .summary = "write a mesh in another format or pose, or draw it",
    .details = "The ending of OUT decides: .obj, .stl, .ply and .off are meshes, .svg is a picture.\n"
               "Faces keep their order. Coordinates are written so that they read back identical,\n"
               "except to STL, which holds single precision. OUT appears whole or not at all.\n",
    .examples = "  impinge convert scan.stl scan.ply\n"
                "  impinge convert bunny.obj bunny.svg                       a picture of it\n"
                "  impinge convert bunny.obj side.svg --view left\n"
                "  impinge convert part.stl part.svg --up z --view \"2 -3 1\"\n"
                "  impinge convert cow.obj moved.obj --pose \"10 0 0\"          ten units along x\n"
                "  impinge convert part.stl part.obj --scale 1/1000            from millimetres to metres\n",
    .options = {convert_options, sizeof convert_options / sizeof *convert_options, 2, 2, "IN OUT"},
    .run = run_convert,
};
