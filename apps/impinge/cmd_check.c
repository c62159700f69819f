#include "arguments.h"
#include "check_contact_output.h"
#include "check_distance_output.h"
#include "check_drawing.h"
#include "file_options.h"
#include "kit/argument_text.h"

#include <stdio.h>
#include <string.h>

typedef struct CheckRequest {
    imp_DetectDef detect;
    CheckDistanceDef distance;
    bool asks_contacts;
    double touch_depth;
    CheckListing listing;
    uint32_t thread_count;
    const char *mesh_path, *picture_path; // null: none
} CheckRequest;

// Lists of distances and of contacts are lists of their own, and whole; distances come from no method.
static const char *const exclusions[][2] = {
    {"csv", "json"},
    {"max-distance", "clearance"},
    {"distance", "contacts"},
    {"max-distance", "contacts"},
    {"clearance", "contacts"},
    {"distance", "pairs"},
    {"max-distance", "pairs"},
    {"clearance", "pairs"},
    {"contacts", "pairs"},
    {"distance", "first"},
    {"max-distance", "first"},
    {"clearance", "first"},
    {"contacts", "first"},
    {"distance", "max"},
    {"max-distance", "max"},
    {"clearance", "max"},
    {"contacts", "max"},
    {"distance", "method"},
    {"max-distance", "method"},
    {"clearance", "method"},
};

static CommandResult refuse_exclusions(const Options *options)
{
    for (size_t i = 0; i < sizeof exclusions / sizeof *exclusions; ++i)
        if (options_has(options, exclusions[i][0]) && options_has(options, exclusions[i][1]))
            return command_fail("--%s and --%s exclude each other", exclusions[i][0], exclusions[i][1]);
    return COMMAND_DONE;
}

static CommandResult parse_format(const Options *options, CheckListing *listing)
{
    bool csv = options_has(options, "csv"), json = options_has(options, "json");
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

static const char *method_choice(size_t index)
{
    return imp_method_name((imp_DetectMethod)(IMP_METHOD_AUTO + 1 + index));
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

static CommandResult parse_distance(const Options *options, CheckRequest *request)
{
    CheckDistanceDef *distance = &request->distance;
    const char *max = options_value(options, "max-distance"),
               *clearance = options_value(options, "clearance");
    const char *depth = options_value(options, "touch-depth");
    *distance = (CheckDistanceDef){.asks_distance = options_has(options, "distance"),
                                   .asks_max = max != NULL,
                                   .asks_clearance = clearance != NULL};
    request->asks_contacts = options_has(options, "contacts");
    if (depth && !check_asks_distances(distance) && !request->asks_contacts)
        return command_fail("--touch-depth is for --distance, --clearance and --contacts");
    if ((max && !argument_length("max-distance", max, &distance->limit)) ||
        (clearance && !argument_length("clearance", clearance, &distance->limit)) ||
        (depth && !argument_length("touch-depth", depth, &request->touch_depth)))
        return COMMAND_FAILED;
    return COMMAND_DONE;
}

// A line about what can be looked at; null when nothing can.
static const char *describe_files(const CheckRequest *request)
{
    bool mesh = request->mesh_path, picture = request->picture_path;
    if (!mesh && !picture)
        return NULL;
    if (check_asks_distances(&request->distance))
        return !picture ? "Faces of closest points are coloured in the mesh."
               : mesh   ? "Faces of closest points are coloured in the mesh; the picture joins the points."
                        : "The picture joins the closest points.";
    if (request->asks_contacts && picture)
        return "Touching faces are coloured; the picture has the curves in which they meet.";
    if (request->listing.first_only)
        return "The first pair of touching faces is coloured.";
    return mesh && picture ? "Touching faces are coloured in the mesh and in the picture."
           : mesh          ? "Touching faces are coloured in the mesh."
                           : "Touching faces are coloured in the picture.";
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
    request->listing.written = describe_files(request);
    return COMMAND_DONE;
}

static CommandResult parse_request(const Options *options, CheckRequest *request)
{
    const char *threads = options_value(options, "threads");
    *request = (CheckRequest){.listing = {.first_only = options_has(options, "first")}};
    if (threads && !argument_integer("threads", threads, 1, IMP_MAX_THREADS, &request->thread_count))
        return COMMAND_FAILED;
    if (refuse_exclusions(options) != COMMAND_DONE ||
        parse_format(options, &request->listing) != COMMAND_DONE ||
        parse_max(options, &request->listing) != COMMAND_DONE ||
        parse_method(options, &request->detect) != COMMAND_DONE ||
        parse_distance(options, request) != COMMAND_DONE || parse_paths(options, request) != COMMAND_DONE)
        return COMMAND_FAILED;
    bool draws = request->mesh_path || request->picture_path;
    if (request->listing.first_only) {
        request->detect.mode = IMP_DETECT_FIRST;
        request->detect.max_face_pairs = 1;
    } else if (request->listing.without_faces && !draws) {
        request->detect.mode = IMP_DETECT_BODIES;
    }
    request->detect.contacts = request->asks_contacts || check_asks_distances(&request->distance);
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

// What the question is about, to look at and to read.
static CommandResult put_touching(const CheckScene *scene, const CheckRequest *request, impi_Text *output)
{
    if (check_draw(scene, NULL, NULL, request->mesh_path, request->picture_path) != COMMAND_DONE)
        return COMMAND_FAILED;
    check_put(scene, &request->listing, output);
    return scene->found.pair_count ? COMMAND_FOUND : COMMAND_DONE;
}

static CommandResult put_contacts(const CheckScene *scene, const CheckRequest *request, impi_Text *output)
{
    CheckContacts contacts;
    CommandResult result = check_contacts_judge(scene, request->touch_depth, &contacts);
    if (result == COMMAND_DONE)
        result = check_draw(scene, NULL, &contacts, request->mesh_path, request->picture_path);
    if (result == COMMAND_DONE) {
        check_put_contacts(scene, &contacts, &request->listing, output);
        result = scene->found.pair_count ? COMMAND_FOUND : COMMAND_DONE;
    }
    check_contacts_free(&contacts);
    return result;
}

static CommandResult put_distances(const CheckScene *scene, const CheckRequest *request, impi_Text *output)
{
    CheckContacts contacts;
    CheckDistances distances = {.count = 0};
    CommandResult result = check_contacts_judge(scene, request->touch_depth, &contacts);
    if (result == COMMAND_DONE)
        result = check_distances_find(scene, &request->distance, &contacts, &distances);
    if (result == COMMAND_DONE)
        result = check_draw(scene, &distances, &contacts, request->mesh_path, request->picture_path);
    if (result == COMMAND_DONE) {
        check_put_distances(scene, &distances, &contacts, &request->listing, output);
        result = check_distances_found(scene, &distances) ? COMMAND_FOUND : COMMAND_DONE;
    }
    check_distances_free(&distances);
    check_contacts_free(&contacts);
    return result;
}

static CommandResult run_check(const Options *options, impi_Text *output)
{
    CheckRequest request;
    CheckScene scene;
    if (parse_request(options, &request) != COMMAND_DONE)
        return COMMAND_FAILED;
    const CheckDistanceDef *distance = &request.distance;
    const imp_ClearanceDef clearance = {.distance = distance->limit};
    bool has_limit = distance->asks_max || distance->asks_clearance;
    CommandResult result = check_scene_create(&scene, options, request.thread_count);
    if (result == COMMAND_DONE)
        result = place_bodies(options, &scene);
    if (result == COMMAND_DONE)
        result = check_scene_detect(&scene, &request.detect, has_limit ? &clearance : NULL);
    if (result == COMMAND_DONE)
        result = check_asks_distances(distance) ? put_distances(&scene, &request, output)
                 : request.asks_contacts        ? put_contacts(&scene, &request, output)
                                                : put_touching(&scene, &request, output);
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
    {.name = "pairs", .help = "list bodies instead: body_a,body_b,relation,name_a,name_b"},
    {.name = "json", .help = "print JSON, for programs; with --pairs without faces"},
    {.name = "distance",
     .help = "list how far apart all pairs of bodies are, with --csv:\n"
             "body_a,body_b,distance,lower_bound,ax,ay,az,bx,by,bz,\n"
             "face_a,face_b,relation,name_a,name_b"},
    {.name = "max-distance", .value_count = 1, .values = "D", .help = "only those at most D apart"},
    {.name = "clearance",
     .value_count = 1,
     .values = "D",
     .help = "is anything nearer? List pairs at most D apart, and those of\n"
             "which one is inside of the other; with --distance, all"},
    {.name = "contacts",
     .help = "list where bodies touch, region by region: which way, how deep\n"
             "(at least and at most), and points that span it"},
    {.name = "touch-depth",
     .value_count = 1,
     .values = "T",
     .help = "what reaches into each other by at most T touches, what\n"
             "reaches deeper overlaps (default 0)"},
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
     .choice = method_choice,
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
    .summary = "which bodies touch, with which faces, how far apart they are, what is inside of what",
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
               "With --distance, --max-distance or --clearance the list is of distances, with proven\n"
               "bounds: the true one is at least lower_bound and at most distance. It is 0 exactly when\n"
               "two bodies touch. Points and faces are where they are nearest. Relations are overlap,\n"
               "touch, a_inside_b, b_inside_a, clearance (at most the distance that was given apart) and\n"
               "apart.\n"
               "\n"
               "With --contacts the list is of regions in which bodies touch: the relation, overlap or\n"
               "touch, how deep one reaches into the other, if both are closed, the direction from a to\n"
               "b, and up to four points.\n"
               "\n"
               "Exit status, like that of diff: 0 nothing touches, is inside, or is nearer than\n"
               "--clearance asks, 1 something does, 2 error.\n",
    .examples = "  impinge check ring.ply star.obj                     a table\n"
                "  impinge check a.stl b.stl c.stl --pairs             which of many bodies?\n"
                "  impinge check part.obj part.obj --pose 1 \"0 0 2.5 1 0 0 0\"\n"
                "                                                      two of a kind, one 2.5 higher\n"
                "  impinge check a.stl b.stl --convex                  their hulls, as solids\n"
                "  impinge check a.obj b.obj --csv >faces.csv          which faces?\n"
                "  impinge check a.stl b.stl c.stl --distance          how far apart?\n"
                "  impinge check a.stl b.stl c.stl --clearance 50      is there room between them?\n"
                "  impinge check a.stl b.stl --contacts                where, which way, how deep?\n"
                "  impinge check a.obj b.obj -o t.ply --picture t.svg  where? to look at\n"
                "  impinge check --first a.obj b.obj >/dev/null && echo free    for scripts\n",
    .options = {check_options, sizeof check_options / sizeof *check_options, 2, 0, "FILE FILE..."},
    .run = run_check,
};
