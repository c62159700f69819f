// A child of fork: what it inherits can be looked at and given back there. Left out where sanitizers can't
// follow (forks.h).
#include "broad_model.h"
#include "call.h"
#include "forks.h"
#include "steps.h"
#include "world_lane.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILD_SECONDS 30
#define CHILD_STEPS   30

static void (*const child_steps[])(Lane *lane) = {step_world, step_world,  step_broad,
                                                  step_mesh,  step_convex, step_query,
                                                  step_pairs, step_large,  step_spheres};

// Everything in a context of the parent is refused, but its end.
static void ask_inherited(Lane *lane, const Home *home)
{
    imp_Mesh *mesh = NULL;
    imp_World *world = NULL;
    bool closed = false;
    size_t count = 7;
    imp_Context *context = home->context;
    CHECK_INT(imp_context_get_thread_count(context), 0);
    CHECK_INT(imp_context_get_error(context)->status, IMP_STATUS_FORKED);
    CHECK_INT(imp_context_watch(context, NULL), IMP_STATUS_FORKED);
    CHECK_INT(imp_mesh_load(context, "nothing.obj", &mesh), IMP_STATUS_FORKED);
    CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_FORKED);
    CHECK_INT(imp_mesh_is_closed(context, lane->shelf->meshes[0], &closed), IMP_STATUS_FORKED);
    CHECK_INT(imp_mesh_self_pairs(context, lane->shelf->meshes[0], NULL, 0, &count), IMP_STATUS_FORKED);
    CHECK(!mesh && !world && !closed && count == 7);
}

static void ask_inherited_parts(Lane *lane)
{
    const imp_Report *report = NULL;
    const imp_BroadResult *result = NULL;
    bool touch = false;
    imp_MeshPair pair = {.a = lane->shelf->meshes[0], .b = lane->shelf->meshes[0]};
    for (int i = 0; i < MAX_WORLDS; ++i)
        if (lane->worlds[i]) {
            CHECK_INT(imp_world_detect(lane->worlds[i]->world, NULL, &report), IMP_STATUS_FORKED);
            CHECK_INT(imp_world_get_body_count(lane->worlds[i]->world), 0);
        }
    for (int i = 0; i < MAX_BROADS; ++i)
        if (lane->broads[i])
            CHECK_INT(imp_broad_update(lane->broads[i]->broad, &result), IMP_STATUS_FORKED);
    for (int i = 0; i < MAX_QUERIES; ++i)
        if (lane->queries[i].query)
            CHECK_INT(imp_meshes_touch(lane->queries[i].query, &pair, &touch), IMP_STATUS_FORKED);
    CHECK(!report && !result);
}

// Shapes are as anywhere, and contexts of the child's own too.
static void live_as_child(Lane *lane)
{
    imp_Triangle triangle;
    bool touch = false;
    CHECK_INT(imp_mesh_get_triangle(lane->shelf->meshes[0], 0, &triangle), IMP_STATUS_OK);
    CHECK_INT(imp_triangles_touch(&triangle, &triangle, &touch), IMP_STATUS_OK);
    CHECK(touch);
    ask_inherited_parts(lane);
    for (int i = 0; i < MAX_QUERIES; ++i)
        if (lane->queries[i].query)
            end_query(lane, i);
    for (int i = 0; i < MAX_HOMES; ++i)
        if (lane->homes[i].context) {
            ask_inherited(lane, &lane->homes[i]);
            end_home(lane, &lane->homes[i]);
        }
    imp_context_destroy(lane->reference);
    CHECK_INT(imp_context_create(NULL, &lane->reference), IMP_STATUS_OK);
    while (!step_make_context(lane)) {
    }
    for (int i = 0; i < CHILD_STEPS; ++i)
        child_steps[choose(&lane->choices, sizeof child_steps / sizeof *child_steps)](lane);
    end_lane(lane);
    for (size_t i = 0; i < lane->memory_count; ++i)
        CHECK(failing_allocator_is_clean(&lane->memories[i]->counted));
}

void step_fork(Lane *lane)
{
    int status = 0, failed = test_failed_checks();
    if (!can_fork())
        return;
    trace_add(&lane->trace, "fork");
    pid_t child = fork();
    if (child == 0) {
        alarm(CHILD_SECONDS);
        live_as_child(lane);
        if (test_failed_checks() != failed)
            trace_print(&lane->trace);
        fflush(stdout);
        _exit(test_failed_checks() != failed);
    }
    if (CHECK(child > 0) && CHECK(waitpid(child, &status, 0) == child))
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
