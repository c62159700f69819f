#include "arguments.h"
#include "check_drawing.h"
#include "check_output.h"
#include "file_options.h"
#include "kit/argument_text.h"

#include <stdio.h>
#include <string.h>

typedef struct CheckRequest {
    imp_DetectDef detect;
    CheckListing listing;
    uint32_t thread_count;
    const char *mesh_path, *picture_path; // null: none
} CheckRequest;

static CommandResult parse_format(const Options *options, CheckListing *listing)
{
    bool csv = options_has(options, "csv"), json = options_has(options, "json");
    if (csv && json)
        return command_fail("--csv and --json exclude each other");
    listing->without_faces = options_has(options, "pairs");
    listing->format = json                     ? CHECK_JSON
                      : listing->without_faces ? CHECK_PAIRS_CSV
                      : csv                    ? CHECK_CSV
                                               : CHECK_TABLE;
    return COMMAND_DONE;
}

static CommandResult parse_max(const Options *options, CheckListing *listing)
{
    uint32_t max;
    const char *text = options_value(options, "max");
    listing->max_listed = listing->first_only ? 1 : SIZE_MAX;
    if (!text)
        return COMMAND_DONE;
    if (listing->without_faces || listing->format == CHECK_TABLE)
        return command_fail("--max limits the face pairs that --csv and --json list; none are listed here");
    if (!argument_integer("max", text, 1, UINT32_MAX, &max))
        return COMMAND_FAILED;
    if (max < listing->max_listed)
        listing->max_listed = max;
    return COMMAND_DONE;
}

// The library's table of methods read by name; what it knows is what is listed where a name is wrong.
static CommandResult find_method(const char *name, imp_DetectMethod *method)
{
    char known[256] = "";
    for (int i = IMP_METHOD_AUTO + 1; imp_method_name((imp_DetectMethod)i); ++i) {
        const char *next = imp_method_name((imp_DetectMethod)i);
        if (strcmp(name, next) == 0) {
            *method = (imp_DetectMethod)i;
            return COMMAND_DONE;
        }
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", next);
    }
    return command_fail("--method: expected one of %s, got \"%s\"", known, name);
}

static CommandResult parse_method(const Options *options, imp_DetectDef *detect)
{
    const char *method = options_value(options, "method"), *level = options_value(options, "level");
    if (method && find_method(method, &detect->method) != COMMAND_DONE)
        return COMMAND_FAILED;
    if (level && detect->method != IMP_METHOD_SMITH_1994)
        return command_fail("--level is for --method %s", imp_method_name(IMP_METHOD_SMITH_1994));
    if (level && !argument_integer("level", level, 1, IMP_MAX_SMITH_LEVEL, &detect->smith_level))
        return COMMAND_FAILED;
    return COMMAND_DONE;
}

static CommandResult parse_paths(const Options *options, CheckRequest *request)
{
    request->mesh_path = options_value(options, "output");
    request->picture_path = options_value(options, "picture");
    if (request->mesh_path && !impi_file_ends_in(request->mesh_path, "ply") &&
        !impi_file_ends_in(request->mesh_path, "off"))
        return command_fail("--output: %s does not end in .ply or .off, the formats with colours",
                            request->mesh_path);
    if (request->picture_path && !command_is_picture(request->picture_path))
        return command_fail("--picture: %s does not end in .svg", request->picture_path);
    if ((request->mesh_path || request->picture_path) && request->listing.first_only)
        request->listing.written = "The first pair of touching faces is coloured.";
    else if (request->mesh_path || request->picture_path)
        request->listing.written = request->mesh_path && request->picture_path
                                       ? "Touching faces are coloured in the mesh and in the picture."
                                   : request->mesh_path ? "Touching faces are coloured in the mesh."
                                                        : "Touching faces are coloured in the picture.";
    return COMMAND_DONE;
}

static CommandResult parse_request(const Options *options, CheckRequest *request)
{
    const char *threads = options_value(options, "threads");
    *request = (CheckRequest){.listing = {.first_only = options_has(options, "first")}};
    if (threads && !argument_integer("threads", threads, 1, IMP_MAX_THREADS, &request->thread_count))
        return COMMAND_FAILED;
    if (parse_format(options, &request->listing) != COMMAND_DONE ||
        parse_max(options, &request->listing) != COMMAND_DONE ||
        parse_method(options, &request->detect) != COMMAND_DONE ||
        parse_paths(options, request) != COMMAND_DONE)
        return COMMAND_FAILED;
    bool draws = request->mesh_path || request->picture_path;
    if (request->listing.first_only) {
        request->detect.mode = IMP_DETECT_FIRST;
        request->detect.max_face_pairs = 1;
    } else if (request->listing.without_faces && !draws) {
        request->detect.mode = IMP_DETECT_BODIES;
    }
    return COMMAND_DONE;
}

static CommandResult place_bodies(const Options *options, CheckScene *scene)
{
    for (size_t i = 0; i < options->use_count; ++i) {
        const OptionUse *use = &options->uses[i];
        uint32_t number;
        if (strcmp(use->spec->name, "pose") != 0)
            continue;
        if (!argument_integer("pose", use->values[0], 0, UINT32_MAX, &number))
            return COMMAND_FAILED;
        if (number >= scene->body_count)
            return command_fail("--pose %u: there is no such file; the last one is %zu, counting from 0",
                                number, scene->body_count - 1);
        if (check_body_is_placed(&scene->bodies[number]))
            return command_fail("--pose %u is given twice", number);
        if (!argument_pose("pose", use->values[1], &scene->bodies[number].pose))
            return COMMAND_FAILED;
    }
    return COMMAND_DONE;
}

static CommandResult run_check(const Options *options, impi_Text *output)
{
    CheckRequest request;
    CheckScene scene;
    if (parse_request(options, &request) != COMMAND_DONE)
        return COMMAND_FAILED;
    CommandResult result = check_scene_create(&scene, options, request.thread_count);
    if (result == COMMAND_DONE)
        result = place_bodies(options, &scene);
    if (result == COMMAND_DONE)
        result = check_scene_detect(&scene, &request.detect);
    if (result == COMMAND_DONE)
        result = check_draw(&scene, request.mesh_path, request.picture_path);
    if (result == COMMAND_DONE) {
        check_put(&scene, &request.listing, output);
        result = scene.found.pair_count ? COMMAND_FOUND : COMMAND_DONE;
    }
    check_scene_free(&scene);
    return result;
}

static const OptionSpec check_options[] = {
    {.name = "pose",
     .value_count = 2,
     .repeatable = true,
     .values = "K \"tx ty tz qw qx qy qz\"",
     .help = "turn file K, counting from 0, by the quaternion qw qx qy qz\n"
             "(of length 1), then shift it by tx ty tz"},
    {.name = "convex", .help = "take the convex hull of each file's vertices, as a solid"},
    {.name = "csv", .help = "list the touching faces: body_a,face_a,body_b,face_b"},
    {.name = "pairs", .help = "list bodies instead: body_a,body_b,relation"},
    {.name = "json", .help = "print JSON, for programs; with --pairs without faces"},
    {.name = "first", .help = "stop at the first pair"},
    {.name = "max", .value_count = 1, .values = "N", .help = "list the first N face pairs only"},
    {.name = "output",
     .letter = 'o',
     .value_count = 1,
     .values = "FILE",
     .help = "write all bodies in their places as one mesh (.ply or .off)\n"
             "with the touching faces coloured"},
    {.name = "picture",
     .value_count = 1,
     .values = "FILE",
     .help = "draw them (.svg); touching faces shine through what hides them"},
    {.name = "threads", .value_count = 1, .values = "N", .help = "default: all cores that it may use"},
    {.name = "method",
     .value_count = 1,
     .values = "NAME",
     .help = "posed-boxes (the default), exact-boxes, or smith-1994"
             ": Smith and Kitamura's\n"
             "method as printed; the answer is the same"},
    {.name = "level",
     .value_count = 1,
     .values = "N",
     .help = "resolution level of --method smith-1994, 1 to 10 (default 6)"},
    FILE_SIZE_OPTION,
    FILE_PLACE_OPTION,
};

const Command command_check = {
    .name = "check",
    .summary = "which bodies touch, with which faces, and what is inside of what",
    .details = "Each file is a body. Two bodies touch when a face of one shares a point with a face of\n"
               "the other, decided exactly. A body whose surface touches nothing can still be inside\n"
               "of another one, if that is closed. Faces are triangles and count from 0 in file order;\n"
               "polygons are fanned from their first vertex. The same file may be given twice.\n"
               "Relations are touch, a_inside_b and b_inside_a.\n"
               "\n"
               "With --convex, bodies are solids: the convex hulls of the files' vertices. They touch when\n"
               "they share a point, also one inside of the other, when no faces need touch. Faces are\n"
               "those of the hulls, which 'impinge hull' writes.\n"
               "\n"
               "Exit status, like that of diff: 0 nothing touches or is inside, 1 something does,\n"
               "2 error.\n",
    .examples = "  impinge check ring.ply star.obj                     a table\n"
                "  impinge check a.stl b.stl c.stl --pairs             which of many bodies?\n"
                "  impinge check part.obj part.obj --pose 1 \"0 0 2.5 1 0 0 0\"\n"
                "                                                      two of a kind, one 2.5 higher\n"
                "  impinge check a.stl b.stl --convex                  their hulls, as solids\n"
                "  impinge check a.obj b.obj --csv >faces.csv          which faces?\n"
                "  impinge check a.obj b.obj -o t.ply --picture t.svg  where? to look at\n"
                "  impinge check --first a.obj b.obj >/dev/null && echo free    for scripts\n",
    .options = {check_options, sizeof check_options / sizeof *check_options, 2, 0, "FILE FILE..."},
    .run = run_check,
};
