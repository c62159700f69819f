// A child of fork: what it inherits can be looked at and given back there. ThreadSanitizer knows no forks of
// programs with threads, so that they are left out under it.
#include "call.h"
#include "sanitizers.h"
#include "steps.h"

#if defined(TEST_UNDER_THREAD_SANITIZER)

void step_fork(Lane *lane)
{
    (void)lane;
}

#else

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILD_SECONDS 30

// Shapes as anywhere, and contexts whose work needs no thread but the caller's.
static void live_as_child(Lane *lane)
{
    imp_Triangle triangle;
    bool touch = false;
    CHECK_INT(imp_mesh_get_triangle(lane->shelf->meshes[0], 0, &triangle), IMP_STATUS_OK);
    CHECK_INT(imp_triangles_touch(&triangle, &triangle, &touch), IMP_STATUS_OK);
    CHECK(touch);
    for (int i = 0; i < MAX_QUERIES; ++i)
        if (lane->queries[i].query)
            end_query(lane, i);
    for (int i = 0; i < MAX_HOMES; ++i)
        if (lane->homes[i].context && imp_context_get_thread_count(lane->homes[i].context) == 1)
            end_home(lane, &lane->homes[i]);
    end_shapes(lane);
    imp_context_destroy(lane->reference);
}

void step_fork(Lane *lane)
{
    int status = 0, failed = test_failed_checks();
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

#endif
