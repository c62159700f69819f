// The paper's master and slaves on local ranks beside brute force: random scenes of all kinds, 1 to 40 ranks,
// lists merged by heads and by a heap.
#include "experiments/lucchesi_messages.h"
#include "base/memory.h"
#include "box_scenes.h"
#include "cluster/local_exchange.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RANKS 40
#define MAX_PAIRS 100000 // each is found in several octants

typedef struct Run {
    LucchesiJob job;
    double *boxes;
    bool fine[MAX_RANKS];
    LucchesiRankTimes times[MAX_RANKS];
    LucchesiFound found; // by the master
} Run;

static void find_as_rank(impi_Exchange *exchange, void *argument)
{
    Run *run = argument;
    LucchesiFound nothing;
    uint32_t rank = exchange->rank;
    run->fine[rank] =
        lucchesi_messages_find(exchange, &impi_default_allocator, &run->job, rank == 0 ? run->boxes : NULL,
                               &run->times[rank], rank == 0 ? &run->found : &nothing);
}

static bool check_run(Run *run, const BoxScene *scene, const PairList *want)
{
    uint32_t rank_count = 1 + test_random_below(test_random_below(4) ? 8 : MAX_RANKS);
    memset(run, 0, sizeof *run);
    run->boxes = malloc((scene->count + 1) * 6 * sizeof *run->boxes);
    if (!CHECK(run->boxes))
        return false;
    for (size_t i = 0; i < scene->count; ++i)
        for (size_t k = 0; k < 6; ++k)
            run->boxes[6 * i + k] = scene->is_float ? (double)scene->float_rows[i][k] : scene->rows[i][k];
    run->job.box_count = scene->count;
    run->job.merge = test_random_below(2) ? LUCCHESI_MERGE_HEADS : LUCCHESI_MERGE_HEAP;
    lucchesi_choose_root(run->boxes, scene->count, &run->job.root);
    bool fine =
        CHECK(impi_local_ranks_run(rank_count, (impi_LocalTurns)test_random_below(2), find_as_rank, run));
    for (uint32_t rank = 0; fine && rank < rank_count; ++rank)
        fine = CHECK(run->fine[rank]);
    size_t count = run->found.found.pairs.count;
    fine = fine && CHECK_INT((int64_t)count, (int64_t)want->count) &&
           CHECK(count == 0 ||
                 memcmp(run->found.found.pairs.data, want->pairs, count * sizeof *want->pairs) == 0);
    if (!fine)
        printf("kind %d, %zu boxes, %u ranks\n", scene->kind, scene->count, rank_count);
    impi_array_free(&impi_default_allocator, &run->found.found.pairs, sizeof(imp_IndexPair));
    free(run->boxes);
    return fine;
}

// The paper's octree has at most nine levels in which boxes of unlike sizes, or far apart, fall into one
// octant: such scenes would take it long.
static bool is_for_the_paper(BoxKind kind)
{
    return kind == BOXES_CUBES || kind == BOXES_POINTS || kind == BOXES_IDENTICAL || kind == BOXES_LINE ||
           kind == BOXES_CORNER_GRID || kind == BOXES_SIGNED_ZEROS || kind == BOXES_CLUSTERS;
}

TEST(master_and_slaves_find_what_brute_force_finds)
{
    size_t capacity = (size_t)BOX_SCENE_MAX * (BOX_SCENE_MAX - 1) / 2;
    uint64_t scene_count = test_count(60), looked_at = 0, with_pairs = 0;
    BoxScene *scene = malloc(sizeof *scene);
    Run *run = malloc(sizeof *run);
    PairList want = {malloc(capacity * sizeof(imp_IndexPair)), 0};
    bool fine = CHECK(scene && run && want.pairs);
    for (uint64_t i = 0; fine && i < scene_count; ++i) {
        if (!is_for_the_paper((BoxKind)(i % BOX_KIND_COUNT)))
            continue;
        test_random_restart(i);
        box_scene_make_random(scene, (BoxKind)(i % BOX_KIND_COUNT), i / BOX_KIND_COUNT & 1);
        box_scene_brute_force(scene, &want);
        if (want.count > MAX_PAIRS)
            continue;
        fine = check_run(run, scene, &want);
        with_pairs += want.count > 0;
        ++looked_at;
    }
    printf("scenes %d, with pairs %d\n", (int)looked_at, (int)with_pairs);
    if (fine && scene_count >= 60) {
        CHECK(looked_at * 4 > scene_count);
        CHECK(with_pairs * 2 > looked_at);
    }
    free(want.pairs);
    free(run);
    free(scene);
}
