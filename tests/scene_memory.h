/// Loading a scene while each of its allocations fails in turn.
#ifndef IMPINGE_TESTS_SCENE_MEMORY_H
#define IMPINGE_TESTS_SCENE_MEMORY_H

#include "failing_allocator.h"
#include "harness.h"

#include <impinge/scene.h>

/// The file must be fine. Returns how many allocations there are.
static inline uint64_t scene_fail_each_allocation(const char *path, const imp_LoadDef *def)
{
    FailingAllocator memory;
    uint64_t n = 0;
    do {
        failing_allocator_init(&memory, ++n);
        imp_ContextDef context_def = {.allocator = failing_allocator_hooks(&memory)};
        imp_Context *context = NULL;
        imp_Scene *scene = NULL;
        imp_Status status = imp_context_create(&context_def, &context);
        if (status == IMP_STATUS_OK)
            status = imp_scene_load_with(context, path, def, &scene);
        CHECK_INT(status, failing_allocator_has_failed(&memory) ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
        CHECK((scene != NULL) == (status == IMP_STATUS_OK));
        imp_scene_destroy(scene);
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    return n - 1;
}

#endif
