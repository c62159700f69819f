#include "check_configurations.h"

#include "kit/progress.h"

#include <stdio.h>
#include <stdlib.h>

#define MAX_REMARK 160

static bool may_be_compared(imp_BodyId a, imp_BodyId b, void *rules)
{
    return !impi_pair_rules_of(rules, a.slot - 1, b.slot - 1).is_ignored;
}

// The bodies in a world, body i in slot i + 1.
static imp_Status make_world(const CheckScene *scene, imp_BodyId *ids, imp_World **world)
{
    imp_WorldDef def = {.expected_body_count = (uint32_t)scene->body_count};
    imp_Status status = imp_world_create(scene->context, &def, world);
    if (status == IMP_STATUS_OK && scene->rules && impi_pair_rules_excludes(scene->rules))
        status = imp_world_set_pair_filter(*world, may_be_compared, scene->rules);
    for (size_t i = 0; i < scene->body_count && status == IMP_STATUS_OK; ++i) {
        const impi_StillBody *still = &scene->bodies[i];
        imp_BodyDef body = {
            .mesh = still->convex ? NULL : still->mesh, .convex = still->convex, .pose = still->pose};
        status = imp_world_add_body(*world, &body, &ids[i]);
    }
    return status;
}

static size_t count_free(const imp_ConfigurationsReport *report)
{
    size_t count = 0;
    for (size_t i = 0; i < report->configuration_count; ++i)
        count += report->ends[i] == (i > 0 ? report->ends[i - 1] : 0);
    return count;
}

static imp_Status detect(const CheckScene *scene, const impi_PoseTable *table, bool first_only,
                         imp_World *world, const imp_BodyId *ids, imp_BodyId *moving,
                         const imp_ConfigurationsReport **report)
{
    for (size_t i = 0; i < table->moving_count; ++i)
        moving[i] = ids[table->moving[i]];
    imp_ConfigurationsDef def = {.bodies = moving,
                                 .body_count = table->moving_count,
                                 .poses = table->poses,
                                 .configuration_count = table->configuration_count,
                                 .first_only = first_only};
    impi_Progress *progress = impi_progress_begin();
    command_show_progress(scene->context, progress);
    imp_Status status = imp_world_detect_configurations(world, &def, report);
    command_show_progress(scene->context, NULL);
    impi_progress_end(progress);
    return status;
}

// What is inside of an open surface is not told, and here nothing says so later.
static imp_Status remark_on_open(const CheckScene *scene)
{
    size_t open_count = 0, first = 0;
    char remark[MAX_REMARK];
    for (size_t i = 0; i < scene->body_count; ++i) {
        bool closed = true;
        imp_Status status = scene->bodies[i].convex
                                ? IMP_STATUS_OK
                                : imp_mesh_is_closed(scene->context, scene->bodies[i].mesh, &closed);
        if (status != IMP_STATUS_OK)
            return status;
        if (!closed && open_count++ == 0)
            first = i;
    }
    snprintf(remark, sizeof remark,
             "bodies whose surface is open: %zu; whether others are inside of them is not told", open_count);
    if (open_count > 0)
        command_remark(scene->bodies[first].path, remark);
    return IMP_STATUS_OK;
}

CommandResult check_configurations(const CheckScene *scene, const char *poses_path,
                                   const CheckListing *listing, impi_Text *output)
{
    imp_BodyId *ids = calloc(scene->body_count + 1, sizeof *ids);
    imp_BodyId *moving = calloc(scene->body_count + 1, sizeof *moving);
    imp_World *world = NULL;
    impi_PoseTable *table = NULL;
    CheckConfigurations found = {0};
    CommandResult result = COMMAND_DONE;
    if (!ids || !moving) {
        result = command_fail("out of memory");
        goto cleanup;
    }
    double clearance;
    if (scene->rules && (impi_pair_rules_max_clearance(scene->rules, &clearance) ||
                         impi_pair_rules_has_touch_depth(scene->rules)))
        command_remark("rules", "clearances and touch depths are not looked at in lists of configurations; "
                                "'impinge run' does");
    result = bodies_load_poses(&scene->loaded, poses_path, &table);
    if (result != COMMAND_DONE)
        goto cleanup;
    imp_Status status = remark_on_open(scene);
    if (status == IMP_STATUS_OK)
        status = make_world(scene, ids, &world);
    if (status == IMP_STATUS_OK)
        status = detect(scene, table, listing->first_only, world, ids, moving, &found.report);
    if (status != IMP_STATUS_OK) {
        result = command_fail_in(scene->context);
        goto cleanup;
    }
    found.table = table;
    found.free_count = count_free(found.report);
    check_put_configurations(scene, &found, listing, output);
    result = found.report->pair_count > 0 ? COMMAND_FOUND : COMMAND_DONE;
cleanup:
    impi_pose_table_destroy(scene->context, table);
    imp_world_destroy(world);
    free(moving);
    free(ids);
    return result;
}
