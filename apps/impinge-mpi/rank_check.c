#include "rank_check.h"

#include "arguments.h"
#include "check_output.h"
#include "cluster/rank_world.h"
#include "cluster/same_input.h"
#include "file_options.h"
#include "gate.h"
#include "playback/manifest.h"
#include "playback/reported_frame.h"
#include "unit_remarks.h"

#include <stdlib.h>

static const OptionSpec specs[] = {
    CHECK_LISTING_OPTIONS,
    CHECK_MAX_OPTION,
    {.name = "threads",
     .value_count = 1,
     .values = "N",
     .help = "of each rank; default: the cores of its machine, divided among\n"
             "the ranks on it"},
    FILE_SIZE_OPTION,
    FILE_PLACE_OPTION,
};

const OptionTable rank_check_options = {specs, sizeof specs / sizeof *specs, 1, 1, "MANIFEST"};

static const char *const exclusions[][2] = {{"csv", "json"}};

typedef struct RankCheck {
    const impi_Exchange *exchange;
    const Options *options;
    CheckListing listing;
    impi_Manifest manifest;
    FarBody *bodies;       // of the manifest
    CheckScene scene;      // the names of the bodies; on rank 0 in the end what was found
    impi_RankBody *placed; // the bodies as ranks get them
    impi_RankReport report;
    impi_ReportedFrame found;
} RankCheck;

// What all ranks know is said once.
static CommandResult fail_together(const RankCheck *check)
{
    return check->exchange->rank == 0 ? command_fail_in(check->scene.context) : COMMAND_FAILED;
}

// All fail where one does, which has said why.
static CommandResult agree(const RankCheck *check, CommandResult own)
{
    const impi_Exchange *exchange = check->exchange;
    uint64_t any_failed = own == COMMAND_FAILED;
    exchange->calls->all_reduce(exchange->user, &any_failed, 1, IMPI_REDUCE_MAX);
    return any_failed ? COMMAND_FAILED : own;
}

// ---- options

static CommandResult begin(RankCheck *check, uint32_t thread_count)
{
    const char *threads = options_value(check->options, "threads");
    if ((threads && !argument_integer("threads", threads, 1, IMP_MAX_THREADS, &thread_count)) ||
        command_refuse_both(check->options, exclusions, sizeof exclusions / sizeof *exclusions) !=
            COMMAND_DONE ||
        check_listing_parse(check->options, &check->listing) != COMMAND_DONE)
        return COMMAND_FAILED;
    check->scene.context = file_options_create_context(check->options, thread_count);
    return check->scene.context ? COMMAND_DONE : COMMAND_FAILED;
}

// ---- bodies

static CommandResult load_manifest(RankCheck *check)
{
    const char *path = check->options->arguments[0];
    imp_Status status = impi_manifest_load(check->scene.context, path, &check->manifest);
    // Who lists bodies alone finds no faces.
    status = impi_same_input(check->exchange, check->scene.context, path, status,
                             check->manifest.check + check->listing.without_faces);
    return status == IMP_STATUS_OK ? COMMAND_DONE : fail_together(check);
}

// Bodies get the names by which they are known in errors and in what is printed.
static CommandResult name_bodies(RankCheck *check)
{
    size_t count = check->manifest.bodies.count;
    Bodies *bodies = &check->scene.loaded;
    check->bodies = calloc(count, sizeof *check->bodies);
    check->placed = calloc(count, sizeof *check->placed);
    if (!check->bodies || !check->placed)
        return command_fail("out of memory");
    for (size_t i = 0; i < count; ++i)
        check->bodies[i] = (FarBody){.path = check->manifest.bodies.data[i].path,
                                     .pose = check->manifest.bodies.data[i].pose};
    if (bodies_list_far(check->scene.context, check->bodies, count, bodies) != COMMAND_DONE)
        return COMMAND_FAILED;
    for (size_t i = 0; i < count; ++i)
        check->placed[i] =
            (impi_RankBody){bodies->bodies[i].path, bodies->stills[i].name, bodies->stills[i].pose};
    check->scene.bodies = bodies->stills;
    check->scene.body_count = count;
    return COMMAND_DONE;
}

static CommandResult refuse_one_body(const RankCheck *check)
{
    if (check->scene.body_count > 1)
        return COMMAND_DONE;
    return check->exchange->rank > 0
               ? COMMAND_FAILED
               : command_fail("%s is the only body; at least two are compared", check->scene.bodies[0].name);
}

// ---- what was found

static void take_meshes(RankCheck *check)
{
    const impi_RankReport *report = &check->report;
    impi_StillBody *stills = check->scene.loaded.stills;
    uint32_t next = 0;
    for (size_t i = 0; i < check->scene.body_count; ++i) {
        uint32_t mesh = report->mesh_of_body[i];
        const impi_MeshFacts *facts = &report->meshes[mesh];
        stills[i].far_mesh = (impi_FarMesh){facts->triangle_count, facts->bounds};
        if (mesh < next) // told already
            continue;
        ++next;
        if (facts->remark)
            command_remark(stills[i].path, facts->remark);
    }
    unit_remarks(check->options, &check->scene.loaded);
}

static size_t most_triangles(const impi_RankReport *report)
{
    size_t most = 0;
    for (size_t i = 0; i < report->mesh_count; ++i)
        most = report->meshes[i].triangle_count > most ? report->meshes[i].triangle_count : most;
    return most;
}

static CommandResult put_found(RankCheck *check, impi_Text *output)
{
    take_meshes(check);
    imp_Status status = impi_reported_frame_make(check->scene.context, &check->report.report,
                                                 most_triangles(&check->report), &check->found);
    if (status != IMP_STATUS_OK)
        return command_fail_in(check->scene.context);
    impi_rank_report_free(&check->report);
    if (check_scene_take(&check->scene, &check->found.frame) != COMMAND_DONE)
        return COMMAND_FAILED;
    check_put(&check->scene, &check->listing, output);
    return gate_is_met(&check->scene.found, GATE_TOUCH) ? COMMAND_FOUND : COMMAND_DONE;
}

// ---- all together

static CommandResult compare(RankCheck *check, impi_Text *output)
{
    impi_RankWorldDef def = {.bodies = check->placed,
                             .body_count = check->scene.body_count,
                             .mode = check->listing.without_faces ? IMP_DETECT_BODIES : IMP_DETECT_FACES};
    if (impi_rank_world_detect(check->exchange, check->scene.context, &def, &check->report) != IMP_STATUS_OK)
        return fail_together(check);
    return check->exchange->rank == 0 ? put_found(check, output) : COMMAND_DONE;
}

static CommandResult run(RankCheck *check, uint32_t thread_count, impi_Text *output)
{
    if (agree(check, begin(check, thread_count)) != COMMAND_DONE || load_manifest(check) != COMMAND_DONE ||
        agree(check, name_bodies(check)) != COMMAND_DONE || refuse_one_body(check) != COMMAND_DONE)
        return COMMAND_FAILED;
    return compare(check, output);
}

CommandResult rank_check_run(const impi_Exchange *exchange, uint32_t thread_count, const Options *options,
                             impi_Text *output)
{
    RankCheck check = {.exchange = exchange, .options = options};
    CommandResult result = run(&check, thread_count, output);
    impi_reported_frame_free(&check.found);
    impi_rank_report_free(&check.report);
    if (check.manifest.allocator)
        impi_manifest_free(&check.manifest);
    free(check.placed);
    free(check.bodies);
    // The last, because its context is that of all others.
    check_scene_free(&check.scene);
    return result;
}
