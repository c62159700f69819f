#include "rank_check.h"

#include "check_output.h"
#include "cluster/rank_world.h"
#include "cluster/same_input.h"
#include "gate.h"
#include "playback/manifest.h"
#include "playback/reported_frame.h"
#include "unit_remarks.h"

#include <stdlib.h>

typedef struct RankCheck {
    const impi_Exchange *exchange;
    imp_Context *context;
    const RankCheckDef *def;
    impi_Manifest manifest;
    CheckScene scene;      // the names of the bodies; on rank 0 in the end what was found
    impi_RankBody *placed; // the bodies as ranks get them
    impi_RankReport report;
    impi_ReportedFrame found;
} RankCheck;

// What all ranks know is said once.
static CommandResult fail_together(const RankCheck *check)
{
    return check->exchange->rank == 0 ? command_fail_in(check->context) : COMMAND_FAILED;
}

// ---- bodies

static imp_Status list_bodies(RankCheck *check, FarBody *list)
{
    size_t count = check->manifest.bodies.count;
    Bodies *bodies = &check->scene.loaded;
    for (size_t i = 0; i < count; ++i)
        list[i] = (FarBody){.path = check->manifest.bodies.data[i].path,
                            .pose = check->manifest.bodies.data[i].pose};
    imp_Status status = bodies_list_far(check->context, list, count, bodies);
    if (status != IMP_STATUS_OK)
        return status;
    for (size_t i = 0; i < count; ++i)
        check->placed[i] =
            (impi_RankBody){bodies->bodies[i].path, bodies->stills[i].name, bodies->stills[i].pose};
    check->scene.bodies = bodies->stills;
    check->scene.body_count = count;
    return IMP_STATUS_OK;
}

// Bodies get the names by which they are known in errors and in what is printed.
static imp_Status name_bodies(RankCheck *check)
{
    FarBody *list = calloc(check->manifest.bodies.count, sizeof *list);
    check->placed = calloc(check->manifest.bodies.count, sizeof *check->placed);
    imp_Status status = list && check->placed ? list_bodies(check, list) : IMP_STATUS_OUT_OF_MEMORY;
    free(list);
    return status == IMP_STATUS_OUT_OF_MEMORY ? impi_fail_out_of_memory(check->context) : status;
}

static CommandResult read_manifest(RankCheck *check)
{
    imp_Status status = impi_manifest_load(check->context, check->def->path, &check->manifest);
    if (status == IMP_STATUS_OK)
        status = name_bodies(check);
    // Who lists bodies alone finds no faces.
    status = impi_same_input(check->exchange, check->context, check->def->path, status,
                             check->manifest.check + check->def->listing.without_faces);
    return status == IMP_STATUS_OK ? COMMAND_DONE : fail_together(check);
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
    unit_remarks(&check->scene.loaded, false);
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
    imp_Status status = impi_reported_frame_make(check->context, &check->report.report,
                                                 most_triangles(&check->report), &check->found);
    if (status != IMP_STATUS_OK)
        return command_fail_in(check->context);
    impi_rank_report_free(&check->report);
    if (check_scene_take(&check->scene, &check->found.frame) != COMMAND_DONE)
        return COMMAND_FAILED;
    check_put(&check->scene, &check->def->listing, output);
    return gate_is_met(&check->scene.found, GATE_TOUCH) ? COMMAND_FOUND : COMMAND_DONE;
}

// ---- all together

static CommandResult compare(RankCheck *check, impi_Text *output)
{
    bool without_faces = check->def->listing.without_faces;
    impi_RankWorldDef def = {.bodies = check->placed,
                             .body_count = check->scene.body_count,
                             .mode = without_faces ? IMP_DETECT_BODIES : IMP_DETECT_FACES,
                             .stats = check->def->stats};
    if (impi_rank_world_detect(check->exchange, check->context, &def, &check->report) != IMP_STATUS_OK)
        return fail_together(check);
    if (check->exchange->rank > 0)
        return COMMAND_DONE;
    impi_Cluster printing;
    impi_cluster_begin(&printing, check->exchange, check->context, check->def->stats);
    impi_cluster_enter(&printing, IMP_RANK_WRITE);
    CommandResult result = put_found(check, output);
    impi_cluster_end(&printing);
    return result;
}

CommandResult rank_check_run(const impi_Exchange *exchange, imp_Context *context, const RankCheckDef *def,
                             impi_Text *output)
{
    RankCheck check = {.exchange = exchange, .context = context, .def = def, .scene = {.context = context}};
    CommandResult result = read_manifest(&check);
    if (result == COMMAND_DONE)
        result = refuse_one_body(&check);
    if (result == COMMAND_DONE)
        result = compare(&check, output);
    impi_reported_frame_free(&check.found);
    impi_rank_report_free(&check.report);
    impi_manifest_free(&check.manifest);
    free(check.placed);
    // The context is the caller's.
    check.scene.context = NULL;
    check_scene_free(&check.scene);
    return result;
}
