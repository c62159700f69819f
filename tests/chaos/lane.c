#include "lane.h"

#include "call.h"

#include <stdlib.h>

uint32_t lane_flaw(Lane *lane, uint32_t kinds)
{
    return choose_rarely(&lane->choices, 5) ? 1 + choose(&lane->choices, kinds) : 0;
}

void spoil_reserved(Lane *lane, uint64_t *reserved, size_t size)
{
    reserved[choose(&lane->choices, (uint32_t)(size / sizeof *reserved))] = 1;
}

Home *lane_home(Lane *lane)
{
    uint32_t first = choose(&lane->choices, MAX_HOMES);
    for (uint32_t i = 0; i < MAX_HOMES; ++i)
        if (lane->homes[(first + i) % MAX_HOMES].context)
            return &lane->homes[(first + i) % MAX_HOMES];
    abort(); // the first step of a lane makes one, and the last one is never destroyed
}

Memory *lane_memory(Lane *lane)
{
    if (choose_rarely(&lane->choices, 8))
        return NULL;
    if (lane->memory_count == MAX_MEMORIES)
        return lane->memories[choose(&lane->choices, MAX_MEMORIES)];
    Memory *memory = malloc(sizeof *memory);
    if (!memory)
        abort();
    memory_init(memory, lane->failure_count);
    return lane->memories[lane->memory_count++] = memory;
}

imp_Mesh *lane_mesh(Lane *lane)
{
    imp_Mesh *mesh = NULL;
    if (!choose_rarely(&lane->choices, 3))
        mesh = lane->meshes[choose(&lane->choices, MAX_MESHES)];
    lane_count(lane, OUTCOME_shared_between_lanes, !mesh && !lane->is_alone);
    return mesh ? mesh : lane->shelf->meshes[choose(&lane->choices, MAX_SHARED)];
}

imp_Convex *lane_convex(Lane *lane)
{
    imp_Convex *convex = NULL;
    if (!choose_rarely(&lane->choices, 3))
        convex = lane->convexes[choose(&lane->choices, MAX_CONVEXES)];
    lane_count(lane, OUTCOME_shared_between_lanes, !convex && !lane->is_alone);
    return convex ? convex : lane->shelf->convexes[choose(&lane->choices, MAX_SHARED)];
}

imp_SphereTree *lane_tree(Lane *lane)
{
    uint32_t first = choose(&lane->choices, MAX_TREES), i = 0;
    while (i + 1 < MAX_TREES && !lane->trees[(first + i) % MAX_TREES])
        ++i;
    return lane->trees[(first + i) % MAX_TREES];
}

imp_Cancel *lane_cancel(Lane *lane)
{
    uint32_t first = choose(&lane->choices, MAX_CANCELS), i = 0;
    while (i + 1 < MAX_CANCELS && !lane->cancels[(first + i) % MAX_CANCELS])
        ++i;
    return lane->cancels[(first + i) % MAX_CANCELS];
}

void lane_keep_mesh(Lane *lane, imp_Mesh *mesh)
{
    imp_Mesh **place = &lane->meshes[choose(&lane->choices, MAX_MESHES)];
    if (*place) {
        Call call = call_make(lane, NULL, "one of the lane's");
        CALL_VOID(&call, imp_mesh_release, (*place));
    }
    *place = mesh;
}

void lane_keep_convex(Lane *lane, imp_Convex *convex)
{
    imp_Convex **place = &lane->convexes[choose(&lane->choices, MAX_CONVEXES)];
    if (*place) {
        Call call = call_make(lane, NULL, "one of the lane's");
        CALL_VOID(&call, imp_convex_release, (*place));
    }
    *place = convex;
}

void lane_keep_tree(Lane *lane, imp_SphereTree *tree)
{
    imp_SphereTree **place = &lane->trees[choose(&lane->choices, MAX_TREES)];
    if (*place) {
        Call call = call_make(lane, NULL, "one of the lane's");
        CALL_VOID(&call, imp_sphere_tree_release, (*place));
    }
    *place = tree;
}

const char *lane_path(Lane *lane, const char *name)
{
    static _Thread_local char path[MAX_TEST_PATH + 256];
    if (!lane->folder[0])
        make_folder(lane->folder);
    snprintf(path, sizeof path, "%s/%s", lane->folder, name);
    return path;
}

void lane_count(Lane *lane, Outcome outcome, bool occurred)
{
    lane->tally.outcomes[outcome] += occurred;
}
