// Filter "smith-1994": pairs of surfaces to touching faces by the method of the paper, one subdivision for
// all bodies, one thread.
#include "object/filter.h"
#include "object/kept_faces.h"
#include "object/posed_surface.h"
#include "object/smith_octree.h"

// Candidates that are decided in one go.
#define LOT_SIZE 512

// Surfaces are numbered in the order of bodies; pairs stay sorted, as slots and numbers ascend together.
typedef struct Surfaces {
    const impi_Surface **surfaces;
    impi_SurfacePair *pairs;
} Surfaces;

static imp_Status number_surfaces(const impi_FilterRun *run, Surfaces *numbered)
{
    impi_Arena *arena = &run->context->scratch;
    size_t slots = run->body_count ? run->bodies[run->body_count - 1]->slot + (size_t)1 : 0;
    uint32_t *number_of_slot = impi_arena_allocate_array(arena, slots, sizeof *number_of_slot);
    numbered->surfaces = impi_arena_allocate_array(arena, run->body_count, sizeof *numbered->surfaces);
    numbered->pairs = impi_arena_allocate_array(arena, run->count, sizeof *numbered->pairs);
    if (!number_of_slot || !numbered->surfaces || !numbered->pairs)
        return impi_fail_out_of_memory(run->context);
    for (size_t i = 0; i < run->body_count; ++i) {
        number_of_slot[run->bodies[i]->slot] = (uint32_t)i;
        numbered->surfaces[i] = impi_surface_of(run->bodies[i]);
    }
    for (size_t i = 0; i < run->count; ++i) {
        const impi_PairWork *pair = impi_run_pair(run, i);
        numbered->pairs[i] = (impi_SurfacePair){number_of_slot[pair->a->slot], number_of_slot[pair->b->slot]};
    }
    return IMP_STATUS_OK;
}

// The touching ones among some candidates of one pair. False when out of memory.
static bool keep_touching(const impi_FilterRun *run, impi_PairWork *pair,
                          const impi_SmithCandidate *candidates, size_t count)
{
    impi_BlockFacePair lot[LOT_SIZE];
    impi_FaceKey touching[LOT_SIZE];
    for (size_t i = 0; i < count; ++i)
        lot[i] = candidates[i].faces;
    size_t found =
        run->feature(impi_surface_of(pair->a), impi_surface_of(pair->b), lot, count, run->margin, touching);
    pair->candidate_count += count;
    pair->relations |= found > 0 ? IMP_RELATION_TOUCH : 0u;
    if (!pair->wants_faces || found == 0)
        return true;
    pair->face_count += found;
    return impi_faces_add(run, pair, touching, found);
}

static bool decide_pair(const impi_FilterRun *run, impi_PairWork *pair, const impi_SmithCandidate *candidates,
                        size_t count)
{
    for (size_t done = 0; done < count; done += LOT_SIZE) {
        size_t here = count - done < LOT_SIZE ? count - done : LOT_SIZE;
        if (!pair->wants_faces && (pair->relations & IMP_RELATION_TOUCH))
            break;
        if (!keep_touching(run, pair, candidates + done, here))
            return false;
    }
    pair->answered |= IMP_QUESTION_TOUCH | (pair->wants_faces ? (unsigned)IMP_QUESTION_FACES : 0u);
    return true;
}

static imp_Status decide_candidates(const impi_FilterRun *run, const impi_SmithCandidates *candidates)
{
    size_t next = 0;
    for (size_t i = 0; i < run->count && !impi_budget_is_over(run->budget); ++i) {
        size_t first = next;
        while (next < candidates->count && candidates->data[next].pair == i)
            ++next;
        const impi_SmithCandidate *found = next > first ? &candidates->data[first] : NULL;
        if (!decide_pair(run, impi_run_pair(run, i), found, next - first))
            return impi_fail_out_of_memory(run->context);
    }
    return impi_faces_cut(run, true) ? IMP_STATUS_OK : impi_fail_out_of_memory(run->context);
}

static imp_Status run_smith(impi_FilterRun *run)
{
    Surfaces numbered = {0};
    impi_SmithCandidates candidates = {0};
    bool is_complete = false;
    impi_ArenaMark mark = impi_arena_mark(&run->context->scratch);
    imp_Status status = impi_surfaces_require(run->context, run->bodies, run->body_count, true);
    if (status == IMP_STATUS_OK)
        status = number_surfaces(run, &numbered);
    if (status == IMP_STATUS_OK) {
        impi_SmithSearch search = {numbered.surfaces, run->body_count,  numbered.pairs,
                                   run->count,        run->smith_level, run->budget};
        status = impi_smith_octree_candidates(run->context, &search, &candidates, &is_complete);
    }
    if (status == IMP_STATUS_OK && is_complete)
        status = decide_candidates(run, &candidates);
    impi_array_free(&run->context->allocator, &candidates, sizeof *candidates.data);
    impi_arena_rewind(&run->context->scratch, mark);
    return status;
}

const impi_Filter impi_smith_filter = {
    .name = "smith-1994",
    .method = IMP_METHOD_SMITH_1994,
    .takes_touch = {IMPI_KIND_BIT(IMPI_SHAPE_MESH), IMPI_KIND_BIT(IMPI_SHAPE_MESH)},
    .takes_faces = {IMPI_ANY_KIND, IMPI_ANY_KIND},
    .takes_all_at_once = true,
    .run = run_smith};
