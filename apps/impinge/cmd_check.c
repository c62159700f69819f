#include "arguments.h"
#include "body_places.h"
#include "check_configurations.h"
#include "check_contact_output.h"
#include "check_distance_output.h"
#include "check_drawing.h"
#include "file_options.h"
#include "gate.h"
#include "kit/argument_text.h"
#include "units.h"

#include <stdio.h>
#include <string.h>

typedef struct CheckRequest {
    imp_DetectDef detect;
    CheckDistanceDef distance;
    bool asks_contacts;
    bool asks_overlaps; // tell them from what only touches
    bool asks_near;     // for the exit status, whatever is listed
    bool has_touch_depth;
    double touch_depth;
    CheckListing listing;
    uint32_t thread_count;
    const char *mesh_path, *picture_path; // null: none
    Gate gate;
} CheckRequest;

// Lists of distances and of contacts are lists of their own, and whole; distances come from no method. Of
// many configurations bodies are told, by 'impinge run' more.
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
    {"touch-depth", "first"},
    {"fail-on", "first"},
    {"poses", "distance"},
    {"poses", "max-distance"},
    {"poses", "clearance"},
    {"poses", "contacts"},
    {"poses", "touch-depth"},
    {"poses", "fail-on"},
    {"poses", "max"},
    {"poses", "method"},
    {"poses", "output"},
    {"poses", "picture"},
};

// The library's methods by their numbers, but for the one that needs sphere trees, which no file has; null
// behind the last.
static const char *name_of_method(int number)
{
    return number < IMP_METHOD_SPHERES ? imp_method_name((imp_DetectMethod)number) : NULL;
}

// Methods read by name; what is known is what is listed where a name is wrong.
static CommandResult find_method(const char *name, imp_DetectMethod *method)
{
    char known[256] = "";
    for (int i = IMP_METHOD_AUTO + 1; name_of_method(i); ++i) {
        const char *next = name_of_method(i);
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
    return name_of_method(IMP_METHOD_AUTO + 1 + (int)index);
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
                                   .asks_clearance = clearance != NULL,
                                   .has_limit = max || clearance};
    request->asks_contacts = options_has(options, "contacts");
    request->has_touch_depth = depth;
    request->asks_overlaps = depth || request->asks_contacts || check_asks_distances(distance);
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
    *request = (CheckRequest){.thread_count = 0};
    if (threads && !argument_integer("threads", threads, 1, IMP_MAX_THREADS, &request->thread_count))
        return COMMAND_FAILED;
    if (command_refuse_both(options, exclusions, sizeof exclusions / sizeof *exclusions) != COMMAND_DONE ||
        check_listing_parse(options, &request->listing) != COMMAND_DONE ||
        parse_method(options, &request->detect) != COMMAND_DONE ||
        parse_distance(options, request) != COMMAND_DONE || parse_paths(options, request) != COMMAND_DONE ||
        gate_parse(options, GATE_NONE, &request->gate) != COMMAND_DONE)
        return COMMAND_FAILED;
    return COMMAND_DONE;
}

// Rules may ask for clearances and tell depths, as options do. Lists of another kind leave clearances to the
// exit status.
static void take_rules(const CheckScene *scene, CheckRequest *request)
{
    const impi_PairRules *rules = scene->rules;
    double clearance;
    bool is_other_list = request->asks_contacts || request->listing.without_faces ||
                         request->listing.first_only || request->detect.method != IMP_METHOD_AUTO ||
                         request->distance.asks_max;
    if (!rules)
        return;
    if (impi_pair_rules_max_clearance(rules, &clearance)) {
        request->distance.rules_tell = !is_other_list;
        if (!is_other_list)
            request->distance.asks_clearance = request->asks_overlaps = true;
        else if (request->listing.first_only || request->distance.asks_max)
            command_remark("rules", "clearances are not looked at in this list");
        else
            request->asks_near = true;
    }
    if (impi_pair_rules_has_touch_depth(rules) && !request->listing.first_only)
        request->asks_overlaps = true;
}

// What the question is about, to look at and to read.
static CommandResult put_touching(const CheckScene *scene, const CheckRequest *request, impi_Text *output)
{
    if (check_draw(scene, NULL, NULL, request->mesh_path, request->picture_path) != COMMAND_DONE)
        return COMMAND_FAILED;
    check_put(scene, &request->listing, output);
    return COMMAND_DONE;
}

static CommandResult put_contacts(const CheckScene *scene, const CheckRequest *request, impi_Text *output)
{
    CheckContacts contacts = check_contacts_of(scene, request->touch_depth);
    if (check_draw(scene, NULL, &contacts, request->mesh_path, request->picture_path) != COMMAND_DONE)
        return COMMAND_FAILED;
    check_put_contacts(scene, &contacts, &request->listing, output);
    return COMMAND_DONE;
}

static CommandResult put_distances(const CheckScene *scene, const CheckRequest *request, impi_Text *output)
{
    CheckContacts contacts = check_contacts_of(scene, request->touch_depth);
    CheckDistances distances;
    CommandResult result = check_distances_find(scene, &request->distance, &contacts, &distances);
    if (result == COMMAND_DONE)
        result = check_draw(scene, &distances, &contacts, request->mesh_path, request->picture_path);
    if (result == COMMAND_DONE)
        check_put_distances(scene, &distances, &contacts, &request->listing, output);
    check_distances_free(&distances);
    return result;
}

// Without --fail-on, all that is asked for counts.
static CommandResult take_gate(const CheckScene *scene, CheckRequest *request)
{
    bool asks_clearance = request->distance.asks_clearance || request->asks_near;
    bool any_pair = !scene->rules || impi_pair_rules_leave_any(scene->rules, scene->body_count);
    if (request->gate != GATE_NONE && !any_pair)
        return command_fail("--fail-on: rules leave no pair of bodies to compare");
    if (request->gate == GATE_CLEARANCE && !asks_clearance)
        return command_fail("--fail-on clearance: --clearance, or rules, tell how far apart bodies shall be");
    if (request->gate == GATE_OVERLAP)
        request->asks_overlaps = true;
    if (request->gate == GATE_NONE)
        request->gate = asks_clearance ? GATE_CLEARANCE : GATE_TOUCH;
    return COMMAND_DONE;
}

static void choose_mode(CheckRequest *request)
{
    bool draws = request->mesh_path || request->picture_path;
    request->detect.contacts = request->asks_overlaps;
    if (request->listing.first_only) {
        request->detect.mode = IMP_DETECT_FIRST;
        request->detect.max_face_pairs = 1;
    } else if (request->listing.without_faces && !draws && !request->asks_overlaps) {
        request->detect.mode = IMP_DETECT_BODIES;
    }
}

static CommandResult find_out(CheckScene *scene, CheckRequest *request, impi_Text *output)
{
    take_rules(scene, request);
    if (take_gate(scene, request) != COMMAND_DONE)
        return COMMAND_FAILED;
    const CheckDistanceDef *distance = &request->distance;
    bool has_limit = distance->asks_max || distance->asks_clearance || request->asks_near;
    choose_mode(request);
    impi_PlaybackDef def = {.detect = request->detect,
                            .lists_near = has_limit,
                            .has_clearance = distance->has_limit,
                            .ignores_clearances = distance->asks_max,
                            .clearance = distance->limit,
                            .judges_overlaps = request->asks_overlaps,
                            .has_touch_depth = request->has_touch_depth,
                            .touch_depth = request->touch_depth};
    CommandResult result = check_scene_detect(scene, &def);
    if (result == COMMAND_DONE)
        result = check_asks_distances(distance) ? put_distances(scene, request, output)
                 : request->asks_contacts       ? put_contacts(scene, request, output)
                                                : put_touching(scene, request, output);
    return result == COMMAND_DONE && gate_is_met(&scene->found, request->gate) ? COMMAND_FOUND : result;
}

static CommandResult run_check(const Options *options, impi_Text *output)
{
    CheckRequest request;
    CheckScene scene;
    if (parse_request(options, &request) != COMMAND_DONE)
        return COMMAND_FAILED;
    CommandResult result = check_scene_load(&scene, options, request.thread_count);
    if (result == COMMAND_DONE)
        result = options_has(options, "poses")
                     ? check_configurations(&scene, options_value(options, "poses"), &request.listing, output)
                     : find_out(&scene, &request, output);
    check_scene_free(&scene);
    return result;
}

static const OptionSpec check_options[] = {
    POSE_OPTION,
    {.name = "poses",
     .value_count = 1,
     .values = "FILE",
     .help = "many configurations in one go: a CSV file of poses, with the\n"
             "columns configuration (or time), body, x, y, z and, to turn\n"
             "them, qw, qx, qy, qz"},
    UNIT_OPTIONS,
    RULE_OPTIONS,
    {.name = "convex", .help = "take the convex hull of each file's vertices, as a solid"},
    CHECK_LISTING_OPTIONS,
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
    GATE_OPTION,
    {.name = "first", .help = "stop at the first pair"},
    CHECK_MAX_OPTION,
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
     .help = "posed-boxes (the default), exact-boxes, or smith-1994: Smith and\n"
             "Kitamura's method as printed; the answer is the same"},
    {.name = "level",
     .value_count = 1,
     .values = "N",
     .help = "resolution level of --method smith-1994, 1 to 10 (default 6)"},
    BODY_FILE_OPTIONS,
    FILE_SIZE_OPTION,
    FILE_PLACE_OPTION,
};

const Command command_check = {
    .name = "check",
    .summary = "which bodies touch, with which faces, how far apart they are",
    .details = "Each file is a body; of glTF files each node, of a folder each file in it and below; '-'\n"
               "is standard input. A body is named by its file, without folder and extension, or its\n"
               "node; where a body is given, by K, A or B, its number (counting from 0), its name, or a\n"
               "pattern as 'duct*' will do. Two bodies touch when a face of one shares a point with a\n"
               "face of the other, decided exactly. A body whose surface touches nothing can still be\n"
               "inside of another one, if that is closed. Faces are triangles and count from 0 in file\n"
               "order; polygons are fanned from their first vertex. The same file may be given twice.\n"
               "Relations are touch, a_inside_b and b_inside_a; with --touch-depth also overlap.\n"
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
               "With --poses bodies are compared in each configuration of a file; the list is of bodies,\n"
               "and --first tells only the first pair of each. 'impinge run --poses' tells faces and\n"
               "distances of configurations.\n"
               "\n"
               "Exit status, like that of diff: 0 nothing touches, is inside, or is nearer than\n"
               "--clearance asks, 1 something does (or what --fail-on says), 2 error.\n",
    .examples = "  impinge check ring.ply star.obj                     a table\n"
                "  impinge check a.stl b.stl c.stl --pairs             which of many bodies?\n"
                "  impinge check part.obj part.obj --pose 1 \"0 0 2.5\"  two of a kind, one 2.5 higher\n"
                "  impinge check parts --between 'duct*' 'wall*'       a folder, some pairs of it\n"
                "  impinge check plant.glb --rules plant.rules         nodes of a scene, by rules\n"
                "  impinge check cell.glb part.stl --unit mm           metres and millimetres\n"
                "  impinge check arm/*.stl --ignore 0,1 --poses p.csv  a robot in many configurations\n"
                "  impinge check a.stl b.stl --convex                  their hulls, as solids\n"
                "  impinge check a.obj b.obj --csv >faces.csv          which faces?\n"
                "  impinge check a.stl b.stl c.stl --distance          how far apart?\n"
                "  impinge check a.stl b.stl c.stl --clearance 50      is there room between them?\n"
                "  impinge check parts --touch-depth 0.1 --fail-on overlap     for tests of a project\n"
                "  impinge check a.stl b.stl --contacts                where, which way, how deep?\n"
                "  impinge check a.obj b.obj -o t.ply --picture t.svg  where? to look at\n"
                "  impinge check --first a.obj b.obj >/dev/null && echo free    for scripts\n",
    .options = {check_options, sizeof check_options / sizeof *check_options, 1, 0, "FILE|DIR..."},
    .run = run_check,
};
