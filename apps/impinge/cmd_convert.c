#include "command.h"
#include "file_options.h"
#include "kit/safe_text.h"
#include "picture_options.h"
#include "playback/pose_text.h"
#include "units.h"

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
    const char *out_path = options->arguments[1];
    if (picture_options_parse(options, out_path, command_is_picture(out_path), &picture) != COMMAND_DONE)
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
    PICTURE_OPTIONS,
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
