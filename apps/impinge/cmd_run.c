#include "arguments.h"
#include "body_places.h"
#include "file_options.h"
#include "gate.h"
#include "kit/argument_text.h"
#include "kit/progress.h"
#include "kit/safe_text.h"
#include "kit/text_table.h"
#include "playback/playback.h"
#include "playback/scene_motion.h"
#include "rule_options.h"
#include "run_output.h"
#include "run_page.h"
#include "run_pictures.h"
#include "run_plot.h"
#include "scenes/motions.h"
#include "units.h"

#include <stdlib.h>

#define MAX_FRAME_RATE 1e6

typedef enum RunFormat { RUN_TIMELINE, RUN_FACES_CSV, RUN_PAIRS_CSV, RUN_DISTANCES_CSV, RUN_JSON } RunFormat;

typedef struct RunRequest {
    RunSceneDef scene;
    RunFormat format;
    bool with_times;
    bool is_continuous;  // look between frames, too
    bool asks_clearance; // by an option or by rules
    bool has_clearance;  // by an option
    bool rules_tell_clearances;
    double clearance;
    bool asks_overlaps; // tell them from what only touches
    bool has_touch_depth;
    double touch_depth;
    Gate gate;
    imp_ContextDef context;
    const char *plot_path, *picture_folder, *picture_frames, *page_path; // null: none
} RunRequest;

// Everything that a run makes. All zero at first, so that it can be freed at any time.
typedef struct Run {
    imp_Context *context;
    RunScene scene;
    impi_PairRules *rules; // null: none
    impi_Playback *playback;
    const impi_History *history; // of the playback
    impi_Contacts contacts;
    impi_Approaches approaches;
    impi_Meetings meetings; // between frames, where they were asked for
    uint32_t *pictured;     // frames
    size_t picture_count;
} Run;

// ---- the command line

static CommandResult parse_format(const Options *options, RunRequest *request)
{
    bool csv = options_has(options, "csv"), json = options_has(options, "json");
    if (csv && json)
        return command_fail("--csv and --json exclude each other");
    if (request->asks_clearance && options_has(options, "pairs"))
        return command_fail("--pairs and --clearance exclude each other");
    request->format = json                            ? RUN_JSON
                      : options_has(options, "pairs") ? RUN_PAIRS_CSV
                      : !csv                          ? RUN_TIMELINE
                      : request->asks_clearance       ? RUN_DISTANCES_CSV
                                                      : RUN_FACES_CSV;
    request->is_continuous = options_has(options, "continuous");
    request->with_times = options_has(options, "times");
    if (request->with_times && request->format != RUN_TIMELINE && request->format != RUN_JSON)
        return command_fail("--times is for the table and for --json");
    return COMMAND_DONE;
}

static CommandResult parse_paths(const Options *options, RunRequest *request)
{
    request->plot_path = options_value(options, "plot");
    request->picture_folder = options_value(options, "pictures");
    request->picture_frames = options_value(options, "at");
    request->page_path = options_value(options, "html");
    if (request->plot_path && !command_is_picture(request->plot_path))
        return command_fail("--plot: %s does not end in .svg", request->plot_path);
    if (request->page_path && !impi_file_ends_in(request->page_path, "html"))
        return command_fail("--html: %s does not end in .html", request->page_path);
    if (request->picture_frames && !request->picture_folder)
        return command_fail("--at chooses frames for --pictures");
    return COMMAND_DONE;
}

static CommandResult parse_request(const Options *options, RunRequest *request)
{
    const char *threads = options_value(options, "threads"), *frames = options_value(options, "frames");
    const char *rate = options_value(options, "rate"), *clearance = options_value(options, "clearance");
    *request = (RunRequest){.scene = {.frame_limit = UINT32_MAX}};
    if (options->argument_count == 0)
        return command_fail("run: a scene is expected, a file or a name that 'impinge run --list' tells");
    request->scene.name = options->arguments[0];
    request->scene.options = options;
    request->scene.poses_path = options_value(options, "poses");
    if (threads && !argument_integer("threads", threads, 1, IMP_MAX_THREADS, &request->context.thread_count))
        return COMMAND_FAILED;
    if (frames && !argument_integer("frames", frames, 0, IMPI_MAX_FRAMES, &request->scene.frame_limit))
        return COMMAND_FAILED;
    if (file_options_parse(options, &request->context) != COMMAND_DONE)
        return COMMAND_FAILED;
    if (rate && !argument_numbers("rate", rate, 1, &request->scene.frame_rate))
        return COMMAND_FAILED;
    if (rate && !(request->scene.frame_rate > 0 && request->scene.frame_rate <= MAX_FRAME_RATE))
        return command_fail("--rate: expected a number above 0 and at most %.0f, got \"%s\"", MAX_FRAME_RATE,
                            rate);
    const char *depth = options_value(options, "touch-depth");
    request->asks_clearance = request->has_clearance = clearance != NULL;
    if (depth && !argument_length("touch-depth", depth, &request->touch_depth))
        return COMMAND_FAILED;
    if (gate_parse(options, GATE_NONE, &request->gate) != COMMAND_DONE)
        return COMMAND_FAILED;
    request->has_touch_depth = depth;
    request->asks_overlaps = depth || clearance || request->gate == GATE_OVERLAP;
    if (clearance && !argument_length("clearance", clearance, &request->clearance))
        return COMMAND_FAILED;
    return parse_format(options, request) == COMMAND_DONE ? parse_paths(options, request) : COMMAND_FAILED;
}

static CommandResult list_scenes(const Options *options, impi_Text *output)
{
    if (options->argument_count || options->use_count > 1)
        return command_fail("--list lists the built-in scenes and plays none, so it stands alone");
    size_t count = scene_motion_title_count(), width = 0;
    for (size_t i = 0; i < count; ++i) {
        size_t own = impi_text_width(scene_motion_title(i).name);
        width = own > width ? own : width;
    }
    for (size_t i = 0; i < count; ++i) {
        SceneTitle title = scene_motion_title(i);
        impi_text_put_left(output, title.name, width);
        impi_text_printf(output, "  %s\n", title.summary);
    }
    return COMMAND_DONE;
}

static const char *scene_choice(size_t index)
{
    return scene_motion_title(index).name;
}

// ---- the run

// Frames to draw: those asked for, or those in which bodies meet for the first time.
static CommandResult choose_pictures(Run *run, const RunRequest *request)
{
    if (!request->picture_folder)
        return COMMAND_DONE;
    if (!request->picture_frames) {
        run->pictured = calloc(run->contacts.body_pair_count + 1, sizeof *run->pictured);
        if (!run->pictured)
            return command_fail("out of memory");
        run->picture_count = impi_contacts_first_frames(&run->contacts, run->pictured);
        return COMMAND_DONE;
    }
    if (run->scene.motion.frame_count == 0)
        return command_fail("--at: no frames are played");
    return argument_integers("at", request->picture_frames, 0, run->scene.motion.frame_count - 1,
                             &run->pictured, &run->picture_count)
               ? COMMAND_DONE
               : COMMAND_FAILED;
}

static imp_Status play_frame(Run *run, uint32_t frame, bool is_continuous)
{
    const imp_SweepReport *swept;
    imp_Status status = impi_playback_step(run->playback, frame, NULL);
    if (status != IMP_STATUS_OK || !is_continuous || frame + 1 >= run->scene.motion.frame_count)
        return status;
    status = impi_playback_sweep(run->playback, frame, NULL, &swept);
    return status == IMP_STATUS_OK ? impi_meetings_note(run->context, &run->meetings, frame, swept) : status;
}

static imp_Status play_frames(Run *run, bool is_continuous)
{
    uint32_t frame_count = run->scene.motion.frame_count;
    imp_Status status = IMP_STATUS_OK;
    impi_Progress *progress = impi_progress_begin();
    for (uint32_t frame = 0; status == IMP_STATUS_OK && frame < frame_count; ++frame) {
        impi_progress_set(progress, "frames", frame, frame_count);
        status = play_frame(run, frame, is_continuous);
    }
    impi_progress_end(progress);
    return status;
}

// Rules may ask for clearances and tell depths, as options do.
static CommandResult take_rules(Run *run, const Options *options, RunRequest *request)
{
    const impi_BodyNames *names = run_scene_names(&run->scene);
    double clearance = 0;
    if (!names || rule_options_take(run->context, options, names, &run->rules) != COMMAND_DONE)
        return COMMAND_FAILED;
    bool has_clearance = run->rules && impi_pair_rules_max_clearance(run->rules, &clearance);
    if (has_clearance && request->format == RUN_PAIRS_CSV && request->gate != GATE_CLEARANCE)
        command_remark("rules", "clearances are not looked at in this list");
    else if (has_clearance)
        request->asks_clearance = request->asks_overlaps = request->rules_tell_clearances = true;
    if (request->asks_clearance && request->format == RUN_FACES_CSV)
        request->format = RUN_DISTANCES_CSV;
    if (run->rules && impi_pair_rules_has_touch_depth(run->rules))
        request->asks_overlaps = true;
    if (request->gate != GATE_NONE && run->rules &&
        !impi_pair_rules_leave_any(run->rules, run->scene.motion.body_count))
        return command_fail("--fail-on: rules leave no pair of bodies to compare");
    if (request->gate == GATE_CLEARANCE && !request->asks_clearance)
        return command_fail("--fail-on clearance: --clearance, or rules, tell how far apart bodies shall be");
    return COMMAND_DONE;
}

static CommandResult play(Run *run, const Options *options, RunRequest *request)
{
    run->context = command_create_context(&request->context);
    if (!run->context)
        return COMMAND_FAILED;
    if (run_scene_open(run->context, &request->scene, &run->scene) != COMMAND_DONE)
        return COMMAND_FAILED;
    if (take_rules(run, options, request) != COMMAND_DONE)
        return COMMAND_FAILED;
    impi_PlaybackDef def = {.motion = run->scene.motion,
                            .detect.contacts = request->asks_overlaps,
                            .rules = run->rules,
                            .lists_near = request->asks_clearance,
                            .has_clearance = request->has_clearance,
                            .clearance = request->clearance,
                            .judges_overlaps = request->asks_overlaps,
                            .has_touch_depth = request->has_touch_depth,
                            .touch_depth = request->touch_depth,
                            .roundings = run->scene.roundings};
    imp_Status status = impi_playback_open(run->context, &def, &run->playback);
    if (status == IMP_STATUS_OK)
        status = play_frames(run, request->is_continuous);
    if (status != IMP_STATUS_OK)
        return command_fail("%s: %s%s", run->scene.name, imp_context_get_error(run->context)->message,
                            status == IMP_STATUS_OUT_OF_MEMORY ? "; --frames plays less" : "");
    run->history = impi_playback_get_history(run->playback);
    status = impi_contacts_find(run->context, run->history, &run->contacts);
    if (status == IMP_STATUS_OK)
        status = impi_approaches_find(run->context, run->history, &run->approaches);
    return status == IMP_STATUS_OK ? COMMAND_DONE : command_fail_in(run->context);
}

static CommandResult save_files(Run *run, const RunRequest *request)
{
    CommandResult result = choose_pictures(run, request);
    if (result == COMMAND_DONE && request->plot_path)
        result = run_plot_save(&run->scene, run->history, run->context,
                               request->has_clearance ? &request->clearance : NULL, request->plot_path);
    if (result == COMMAND_DONE && request->picture_folder)
        result = run_pictures_save(&run->scene, run->history, run->context, request->picture_folder,
                                   run->pictured, run->picture_count);
    if (result == COMMAND_DONE && request->page_path)
        result = run_page_save(&run->scene, run->history, request->page_path);
    return result;
}

static void put_files(const Run *run, const RunRequest *request, impi_Text *output)
{
    if (request->plot_path || request->picture_folder || request->page_path)
        impi_text_put(output, "\n");
    if (request->plot_path) {
        impi_text_put_shown(output, request->plot_path);
        impi_text_printf(output, ": %s, frame by frame\n",
                         request->asks_clearance ? "contacts, time and the least distance"
                                                 : "contacts and time");
    }
    if (request->picture_folder) {
        impi_text_put_shown(output, request->picture_folder);
        impi_text_printf(output, ": frames drawn: %zu%s\n", run->picture_count,
                         request->picture_frames ? "" : " (those in which bodies meet for the first time)");
    }
    if (request->page_path) {
        impi_text_put_shown(output, request->page_path);
        impi_text_put(output, ": the run in 3-D; open it in a browser\n");
    }
}

static CommandResult put_run(const Run *run, const RunRequest *request, impi_Text *output)
{
    RunResult result = {.scene = &run->scene,
                        .history = run->history,
                        .contacts = &run->contacts,
                        .asks_clearance = request->asks_clearance,
                        .has_clearance = request->has_clearance && !request->rules_tell_clearances,
                        .clearance = request->clearance,
                        .approaches = &run->approaches,
                        .meetings = request->is_continuous ? &run->meetings : NULL,
                        .with_times = request->with_times};
    bool has_room = true;
    switch (request->format) {
    case RUN_TIMELINE:
        has_room = run_put_timeline(&result, output);
        put_files(run, request, output);
        break;
    case RUN_FACES_CSV:
        has_room = run_put_faces_csv(&result, output);
        run_remark_on_containers(&result);
        break;
    case RUN_PAIRS_CSV:
        run_put_pairs_csv(&result, output);
        run_remark_on_containers(&result);
        break;
    case RUN_DISTANCES_CSV:
        run_put_distances_csv(&result, output);
        if (request->is_continuous)
            command_remark("--continuous", "contacts between frames are not in this list; --json has them");
        run_remark_on_containers(&result);
        break;
    case RUN_JSON:
        run_put_json(&result, output);
        break;
    }
    return has_room ? COMMAND_DONE : command_fail("out of memory");
}

// What meets between frames touches; how deep, nobody has looked.
static bool fails(const Run *run, Gate gate)
{
    if (run->meetings.list.count > 0 && (gate == GATE_TOUCH || gate == GATE_CLEARANCE))
        return true;
    for (size_t f = 0; f < run->history->frames.count; ++f) {
        impi_PlayedFrame frame = impi_history_frame(run->history, f);
        if (gate_is_met(&frame, gate))
            return true;
    }
    return false;
}

static CommandResult run_run(const Options *options, impi_Text *output)
{
    RunRequest request;
    Run run = {0};
    if (options_has(options, "list"))
        return list_scenes(options, output);
    if (parse_request(options, &request) != COMMAND_DONE)
        return COMMAND_FAILED;
    CommandResult result = play(&run, options, &request);
    if (result == COMMAND_DONE)
        result = save_files(&run, &request);
    if (result == COMMAND_DONE)
        result = put_run(&run, &request, output);
    if (result == COMMAND_DONE && fails(&run, request.gate))
        result = COMMAND_FOUND;
    free(run.pictured);
    impi_contacts_free(run.context, &run.contacts);
    impi_approaches_free(run.context, &run.approaches);
    impi_meetings_free(run.context, &run.meetings);
    impi_playback_close(run.playback);
    impi_pair_rules_destroy(run.rules);
    run_scene_free(&run.scene);
    imp_context_destroy(run.context);
    return result;
}

static const OptionSpec run_options[] = {
    {.name = "list", .help = "list the built-in scenes"},
    {.name = "frames", .value_count = 1, .values = "N", .help = "play the first N frames only"},
    {.name = "rate",
     .value_count = 1,
     .values = "R",
     .help = "of files: frames a second (default 30); frame k is at k / R s"},
    {.name = "csv", .help = "list touching faces: frame,body_a,face_a,body_b,face_b"},
    {.name = "pairs",
     .help = "list bodies instead: frame,body_a,body_b,relation,face_pairs,\n"
             "name_a,name_b"},
    {.name = "json", .help = "print JSON, for programs: contacts, and bodies frame by frame"},
    {.name = "continuous",
     .help = "find contacts between frames, too: bodies go straight from one\n"
             "frame to the next, turning on their way where they turn. Lists\n"
             "have two more columns, time (from 0 to 1 behind the frame) and\n"
             "certain"},
    {.name = "clearance",
     .value_count = 1,
     .values = "D",
     .help = "tell distances too, of bodies at most D apart; with --csv alone:\n"
             "frame,body_a,body_b,distance,lower_bound,ax,ay,az,bx,by,bz,\n"
             "face_a,face_b,relation,name_a,name_b"},
    {.name = "touch-depth",
     .value_count = 1,
     .values = "T",
     .help = "what reaches into each other by at most T touches, what\n"
             "reaches deeper overlaps; without it or --clearance, all touches"},
    GATE_OPTION,
    {.name = "poses",
     .value_count = 1,
     .values = "FILE",
     .help = "the motion of the bodies of files: CSV with the columns time\n"
             "(or configuration), body, x, y, z and, to turn them, qw, qx,\n"
             "qy, qz; a frame for each time"},
    POSE_OPTION,
    UNIT_OPTIONS,
    RULE_OPTIONS,
    {.name = "times", .help = "tell times too, in the table or in JSON; they are never the same"},
    {.name = "plot",
     .value_count = 1,
     .values = "FILE",
     .help = "plot contacts and time per frame (.svg); with --clearance also\n"
             "the least distance"},
    {.name = "pictures",
     .value_count = 1,
     .values = "DIR",
     .help = "draw frames into DIR as frame-0012.svg, touching faces coloured:\n"
             "those in which two bodies meet for the first time"},
    {.name = "at", .value_count = 1, .values = "K,K,...", .help = "draw these frames instead"},
    {.name = "html",
     .value_count = 1,
     .values = "FILE",
     .help = "write a page to play the run in 3-D; it needs nothing else"},
    {.name = "threads", .value_count = 1, .values = "N", .help = "default: all cores that it may use"},
    BODY_FILE_OPTIONS,
    FILE_SIZE_OPTION,
    FILE_PLACE_OPTION,
};

const Command command_run = {
    .name = "run",
    .summary = "play a scene in motion: which bodies touch, from when to when",
    .details = "SCENE is a file in glTF (.gltf, .glb) or the name of a built-in scene. With --poses,\n"
               "bodies of any files are moved by a table of poses instead. In each frame all bodies are\n"
               "put in their places, in their shapes where they deform, and checked as 'impinge check'\n"
               "does. The table has a line for each contact: two bodies, what they have to do with each\n"
               "other, the first and the last frame, and the most pairs of faces that touch in one of\n"
               "them. With --clearance there is also one for each time that two bodies are near each\n"
               "other, with their least distance. Bodies and frames count from 0; where a body is given,\n"
               "its number, its name or a pattern will do. What touches in all frames is kept in memory\n"
               "until the end.\n"
               "\n"
               "Frames are looked at by themselves. With --continuous so is the way from each to the\n"
               "next, and the table has a line for each time that two bodies begin to touch on it: when,\n"
               "and whether they still do in the next frame.\n"
               "\n"
               "Exit status: 0, or with --fail-on 1 where that is found in any frame; 2 error.\n",
    .examples = "  impinge run --list                                  which scenes are there?\n"
                "  impinge run shuttles                                a table\n"
                "  impinge run robot.glb --rate 60 --csv >faces.csv    which faces, when?\n"
                "  impinge run shuttles --plot p.svg --html p.html     to look at\n"
                "  impinge run apart --clearance 0.5                   who comes near whom?\n"
                "  impinge run arm/*.stl --poses motion.csv --fail-on touch    a motion from a planner\n"
                "  impinge run bullet.glb --continuous                 what passes through what?\n"
                "  impinge run cell.glb --rules cell.rules --fail-on overlap   for tests of a project\n"
                "  impinge run shuttles --pictures film --at 0,20,40   three frames, drawn\n",
    .options = {run_options, sizeof run_options / sizeof *run_options, 0, 0, "SCENE|FILE|DIR..."},
    .argument_choice = scene_choice,
    .run = run_run,
};
