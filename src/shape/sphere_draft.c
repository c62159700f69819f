#include "shape/sphere_draft.h"

// The level of each sphere, from those of the parents before it. Returns the last one.
static uint32_t find_levels(const impi_SphereDraft *draft, uint32_t *levels)
{
    uint32_t last = 0;
    for (size_t i = 0; i < draft->count; ++i) {
        levels[i] = draft->data[i].parent == IMP_NO_SPHERE ? 0 : levels[draft->data[i].parent] + 1;
        last = levels[i] > last ? levels[i] : last;
    }
    return last;
}

imp_Status impi_sphere_draft_prune(imp_Context *context, impi_SphereDraft *draft)
{
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    uint32_t *levels = impi_arena_allocate_array(&context->scratch, draft->count, sizeof *levels);
    uint32_t *numbers = impi_arena_allocate_array(&context->scratch, draft->count, sizeof *numbers);
    if (!levels || !numbers) {
        impi_arena_rewind(&context->scratch, mark);
        return impi_fail_out_of_memory(context);
    }
    uint32_t last = find_levels(draft, levels), kept = 0;
    for (size_t i = 0; i < draft->count; ++i)
        numbers[i] = levels[i] == last;
    for (size_t i = draft->count; i-- > 1;) // children come behind their parents
        if (numbers[i])
            numbers[draft->data[i].parent] = 1;
    for (size_t i = 0; i < draft->count; ++i) {
        if (!numbers[i])
            continue;
        imp_GivenSphere sphere = draft->data[i];
        if (sphere.parent != IMP_NO_SPHERE)
            sphere.parent = numbers[sphere.parent];
        numbers[i] = kept;
        draft->data[kept++] = sphere;
    }
    draft->count = kept;
    impi_arena_rewind(&context->scratch, mark);
    return IMP_STATUS_OK;
}
