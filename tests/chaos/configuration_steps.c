// Steps of configurations and of the filter of pairs. Answers are compared with those of a fresh world that
// is stepped through the configurations.
#include "call.h"
#include "steps.h"
#include "world_lane.h"

#define MAX_MOVED          6
#define MAX_CONFIGURATIONS 40 // more than one task takes
#define REACH              3.0

void lane_world_set_pair_filter(Lane *lane, LaneWorld *world)
{
    uint32_t flaw = lane_flaw(lane, 1);
    bool is_filtered = choose(&lane->choices, 2);
    Call call = call_make(lane, flaw ? NULL : world->home, "%d, flaw %u", is_filtered, flaw);
    if (flaw)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    CALL(&call, imp_world_set_pair_filter,
         (flaw ? NULL : world->world, is_filtered ? world_model_passes : NULL, world));
    if (!call_is_done(&call))
        return;
    world->model.is_filtered = is_filtered;
    lane_world_touch(world);
}

static void check_configurations(Lane *lane, LaneWorld *world, const imp_ConfigurationsDef *def,
                                 const imp_ConfigurationsReport *report)
{
    imp_World *fresh = lane_world_make_fresh(lane, world);
    const imp_DetectDef detect = {.mode = def->first_only ? IMP_DETECT_FIRST : IMP_DETECT_BODIES,
                                  .ignore_containment = def->ignore_containment};
    size_t begin = 0;
    CHECK_INT(report->configuration_count, def->configuration_count);
    for (size_t i = 0; i < def->configuration_count; begin = report->ends[i++]) {
        const imp_Report *wanted = NULL;
        const imp_Pose *poses = def->body_count ? def->poses + i * def->body_count : NULL;
        CHECK_INT(imp_world_set_poses(fresh, def->bodies, poses, def->body_count), IMP_STATUS_OK);
        if (!CHECK_INT(imp_world_detect(fresh, &detect, &wanted), IMP_STATUS_OK))
            break;
        const imp_BodyPair *pairs = report->pair_count ? report->pairs + begin : NULL;
        CHECK(
            report->ends[i] - begin == wanted->body_pair_count &&
            are_same_bytes(pairs, wanted->body_pairs, wanted->body_pair_count * sizeof *wanted->body_pairs));
        lane_count(lane, OUTCOME_configuration_free, wanted->body_pair_count == 0);
        lane_count(lane, OUTCOME_configuration_related, wanted->body_pair_count > 0);
    }
    CHECK_INT(report->pair_count, begin);
    imp_world_destroy(fresh);
}

// Some bodies, each once.
static size_t choose_bodies(Lane *lane, LaneWorld *world, imp_BodyId *ids)
{
    bool is_taken[MAX_MODEL_BODIES] = {false};
    size_t count = 0, wanted = choose(&lane->choices, MAX_MOVED + 1);
    for (size_t i = 0; i < wanted; ++i) {
        imp_BodyId id;
        if (!lane_world_choose(lane, world, &id) || is_taken[id.slot - 1])
            continue;
        is_taken[id.slot - 1] = true;
        ids[count++] = id;
    }
    return count;
}

// Flaws: 1 no world, 2 nowhere to write to, 3 no def, 4 reserved; with bodies: 5 a body that is not there, 6
// a body twice, 7 a pose.
void lane_world_configurations(Lane *lane, LaneWorld *world)
{
    static _Thread_local imp_Pose poses[MAX_MOVED * MAX_CONFIGURATIONS];
    const imp_ConfigurationsReport *report = NULL;
    imp_BodyId ids[MAX_MOVED];
    size_t moved = choose_bodies(lane, world, ids), count = choose(&lane->choices, MAX_CONFIGURATIONS + 1);
    uint32_t flaw = lane_flaw(lane, moved < 2 || count == 0 ? 4 : 7), bad = 0;
    imp_ConfigurationsDef def = {.bodies = ids,
                                 .body_count = moved,
                                 .poses = poses,
                                 .configuration_count = count,
                                 .first_only = choose(&lane->choices, 2),
                                 .ignore_containment = choose_rarely(&lane->choices, 4)};
    for (size_t i = 0; i < moved * count; ++i)
        poses[i] = i >= moved && choose_rarely(&lane->choices, 3) ? poses[i - moved]
                                                                  : choose_pose(&lane->choices, REACH);
    Call call =
        call_make(lane, flaw == 1 ? NULL : world->home, "%zu of %zu bodies, %zu times, first %d, flaw %u",
                  moved, world_model_count(&world->model), count, def.first_only, flaw);
    call_output(&call, &report, sizeof report);
    call_is_watched(&call);
    if (!flaw && !call.cancel && choose_rarely(&lane->choices, 3))
        def.cancel = call.cancel = lane_cancel(lane);
    if (flaw == 4)
        spoil_reserved(lane, def.reserved, sizeof def.reserved);
    if (flaw >= 1 && flaw <= 4)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    if (flaw == 5) {
        bad = choose(&lane->choices, (uint32_t)moved);
        ids[bad].generation += 1;
        call_expect(&call, IMP_STATUS_BAD_INDEX, bad);
    }
    if (flaw == 6) {
        ids[moved - 1] = ids[0];
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, moved - 1);
    }
    if (flaw == 7) {
        bad = choose(&lane->choices, (uint32_t)(moved * count));
        poses[bad] = choose_bad_pose(&lane->choices);
        call_expect(&call, IMP_STATUS_BAD_NUMBER, bad);
    }
    CALL(&call, imp_world_detect_configurations,
         (flaw == 1 ? NULL : world->world, flaw == 3 ? NULL : &def, flaw == 2 ? NULL : &report));
    if (call_is_done(&call))
        check_configurations(lane, world, &def, report);
}
