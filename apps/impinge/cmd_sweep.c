#include "arguments.h"
#include "body_places.h"
#include "file_options.h"
#include "sweep_drawing.h"
#include "sweep_output.h"
#include "sweep_queries.h"
#include "units.h"

typedef struct SweepRequest {
    imp_SweepDef def;
    SweepListing listing;
    uint32_t thread_count;
} SweepRequest;

static const char *const exclusions[][2] = {
    {"csv", "json"}, {"pairs", "face-times"}, {"to", "convex"}, {"self", "convex"}};

static CommandResult refuse_options(const Options *options)
{
    static const char *const of_queries[] = {"output", "sample"};
    for (size_t i = 0; i < sizeof of_queries / sizeof *of_queries; ++i)
        if (options_has(options, of_queries[i]))
            return command_fail("--%s is for --queries", of_queries[i]);
    return command_refuse_both(options, exclusions, sizeof exclusions / sizeof *exclusions);
}

static CommandResult parse_request(const Options *options, SweepRequest *request)
{
    const char *threads = options_value(options, "threads"), *picture = options_value(options, "picture");
    const char *separation = options_value(options, "separation"),
               *tolerance = options_value(options, "tolerance");
    bool pairs = options_has(options, "pairs"), face_times = options_has(options, "face-times");
    *request =
        (SweepRequest){.def = {.face_times = face_times, .self = options_has(options, "self")},
                       .listing = {.format = options_has(options, "json")                ? SWEEP_JSON
                                             : pairs                                     ? SWEEP_PAIRS_CSV
                                             : face_times || options_has(options, "csv") ? SWEEP_FACES_CSV
                                                                                         : SWEEP_TABLE,
                                   .without_faces = pairs,
                                   .picture_path = picture}};
    if (refuse_options(options) != COMMAND_DONE ||
        (threads && !argument_integer("threads", threads, 1, IMP_MAX_THREADS, &request->thread_count)) ||
        (separation && !argument_length("separation", separation, &request->def.separation)) ||
        (tolerance && !argument_length_above_zero("tolerance", tolerance, &request->def.tolerance)))
        return COMMAND_FAILED;
    if (picture && !command_is_picture(picture))
        return command_fail("--picture: %s does not end in .svg", picture);
    return COMMAND_DONE;
}

static CommandResult sweep_meshes(const Options *options, impi_Text *output)
{
    SweepRequest request;
    SweepScene scene;
    if (parse_request(options, &request) != COMMAND_DONE)
        return COMMAND_FAILED;
    CommandResult result = sweep_scene_load(&scene, options, request.thread_count);
    if (result == COMMAND_DONE)
        result = sweep_scene_find(&scene, &request.def);
    if (result == COMMAND_DONE && request.listing.picture_path)
        result = sweep_draw(&scene, request.listing.picture_path);
    if (result == COMMAND_DONE) {
        sweep_put(&scene, &request.listing, output);
        result = scene.report->pair_count > 0 ? COMMAND_FOUND : COMMAND_DONE;
    }
    sweep_scene_free(&scene);
    return result;
}

static CommandResult run_sweep(const Options *options, impi_Text *output)
{
    return options_has(options, "queries") ? sweep_queries(options, output) : sweep_meshes(options, output);
}

static const OptionSpec sweep_options[] = {
    POSE_OPTION,
    TARGET_OPTIONS,
    {.name = "separation",
     .value_count = 1,
     .values = "D",
     .help = "bodies meet when they are as near as D (default 0: when they\n"
             "touch)"},
    {.name = "tolerance",
     .value_count = 1,
     .values = "T",
     .help = "of rigid paths and separations: at the time that is told, bodies\n"
             "are at most D and T apart (default: 1e-9 of what both extend\n"
             "over)"},
    {.name = "self", .help = "bodies that deform are compared with themselves, too"},
    {.name = "convex", .help = "take the convex hull of each file's vertices, as a solid"},
    UNIT_OPTIONS,
    RULE_OPTIONS,
    {.name = "csv",
     .help = "list the faces that meet first: body_a,body_b,time,certain,path,\n"
             "face_a,face_b,feature_a,feature_b,corner_a,corner_b,at_start,\n"
             "name_a,name_b; of queries: query,time"},
    {.name = "face-times", .help = "list all faces that ever meet, each pair with its own first time"},
    {.name = "pairs",
     .help = "list bodies instead: body_a,body_b,time,certain,path,face_pairs,\n"
             "at_start,name_a,name_b"},
    {.name = "json", .help = "print JSON, for programs; with --pairs without faces"},
    {.name = "picture",
     .value_count = 1,
     .values = "FILE",
     .help = "draw the bodies when they first meet (.svg)"},
    {.name = "queries",
     .value_count = 1,
     .values = "vertex-face|edge-edge",
     .help = "answer the queries of a NumPy file instead"},
    {.name = "output",
     .letter = 'o',
     .value_count = 1,
     .values = "TIMES",
     .help = "of queries: write the times (.npy), an array of float64, NaN for\n"
             "queries that never touch"},
    {.name = "sample",
     .value_count = 1,
     .values = "N",
     .help = "write N random queries to Q.npy instead, to try things on"},
    {.name = "threads", .value_count = 1, .values = "N", .help = "default: all cores that it may use"},
    BODY_FILE_OPTIONS,
    FILE_SIZE_OPTION,
    FILE_PLACE_OPTION,
};

const Command command_sweep = {
    .name = "sweep",
    .summary = "when do bodies that move first touch, with which faces?",
    .details = "Each file is a body, as for 'impinge check'. Time goes from 0, where --pose puts bodies,\n"
               "to 1, where --to-pose and --to put them; others stay. Surfaces are compared: what is\n"
               "inside of a body without touching it meets nothing.\n"
               "\n"
               "On straight paths each vertex goes straight, and the answer is exact: bodies meet if and\n"
               "only if their surfaces share a point at some time, and the time is the true first one,\n"
               "rounded down to a multiple of 2^-53. On rigid paths a body turns as a whole, the short way\n"
               "and as many --turns more, while its origin (or --pivot) goes straight; there, and with\n"
               "--separation D, no meeting is missed: before the time that is told bodies are more than D\n"
               "apart, at it at most D and a tolerance. It is certain, or conservative.\n"
               "\n"
               "With --queries, Q.npy is a NumPy array of shape (queries, 8, 3): four points at the\n"
               "beginning, then the same at the end, each on a straight way. With vertex-face they are a\n"
               "vertex and the corners of a face, with edge-edge the ends of two edges. TIMES has the\n"
               "first time of each, exactly, or NaN when they never touch.\n"
               "\n"
               "Exit status, like that of diff: 0 nothing meets, 1 something does, 2 error. With --queries\n"
               "0, or 2 after an error.\n",
    .examples = "  impinge sweep ball.obj wall.obj --to-pose 0 \"9 0 0\"      does it hit, and when?\n"
                "  impinge sweep cloth0.obj body.obj --to 0 cloth1.obj      a cloth that deforms\n"
                "  impinge sweep arm.stl box.stl --to-pose arm \"0 0 0 axis 0 0 1 90\"   turning\n"
                "  impinge sweep a.stl b.stl --to-pose 0 \"1 0 0\" --csv      which faces?\n"
                "  impinge sweep a.stl b.stl --to-pose 0 \"1 0 0\" --separation 0.1  when are they near?\n"
                "  impinge sweep cloth0.obj --to 0 cloth1.obj --self        does it pass through itself?\n"
                "  impinge sweep --queries vertex-face q.npy -o t.npy       first times of features\n"
                "  impinge sweep --queries edge-edge --sample 1000 q.npy    some to try it on\n",
    .options = {sweep_options, sizeof sweep_options / sizeof *sweep_options, 1, 0, "FILE|DIR|Q.npy..."},
    .run = run_sweep,
};
