// Steps of imp_world_refine: it goes on with what the last detect asked, unless the world was changed since.
#include "call.h"
#include "world_lane.h"

#define REFINE_FLAWS 3

void lane_world_refine(Lane *lane, LaneWorld *world)
{
    const imp_Report *report = NULL;
    if (world->refining == CHANGED_SINCE) { // perhaps to what it was
        lane_world_detect(lane, world);
        return;
    }
    imp_RefineDef def = {0};
    bool has_def = choose(&lane->choices, 4) != 3;
    uint32_t flaw = lane_flaw(lane, REFINE_FLAWS);
    if (choose(&lane->choices, 2))
        def.budget_steps = 1 + choose(&lane->choices, 1u << choose(&lane->choices, 8));
    if (choose_rarely(&lane->choices, 6))
        def.budget_us = 1 + choose(&lane->choices, 1u << choose(&lane->choices, 10));
    if (choose_rarely(&lane->choices, 3))
        def.cancel = lane_cancel(lane);
    if (flaw == 3)
        spoil_reserved(lane, def.reserved, sizeof def.reserved);
    Call call = call_make(lane, flaw == 1 ? NULL : world->home, "%d us, %d steps, cancel %d, flaw %u",
                          (int)def.budget_us, (int)def.budget_steps, def.cancel != NULL, flaw);
    call_output(&call, &report, sizeof report);
    if (flaw || world->refining != READY_TO_REFINE)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    else if (has_def)
        call.cancel = (imp_Cancel *)def.cancel;
    call.obeys_at_once = true;
    CALL(&call, imp_world_refine,
         (flaw == 1 ? NULL : world->world, has_def || flaw ? &def : NULL, flaw == 2 ? NULL : &report));
    if (!call_is_done(&call))
        return;
    imp_DetectDef again = world->last;
    again.budget_us = has_def ? def.budget_us : 0;
    again.budget_steps = has_def ? def.budget_steps : 0;
    again.cancel = NULL;
    lane_world_check(lane, world, &again, report);
    lane_count(lane, OUTCOME_refined, true);
}
