// Which rank compares which pair: each pair goes to one rank, to the holder of the larger mesh unless that is
// full, and no rank gets more than the mean by a tenth, but for a pair or two.
#include "cluster/pair_assignment.h"

#include "cluster/local_exchange.h"
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#define MAX_RANKS  12
#define MAX_MESHES 60
#define MAX_BODIES 200
#define MAX_PAIRS  1000

// What all ranks read, and what each of them gets.
typedef struct Scene {
    uint32_t rank_count, of_body[MAX_BODIES];
    impi_MeshFacts facts[MAX_MESHES];
    size_t mesh_count, body_count, starts[MAX_RANKS + 1];
    imp_IndexPair pairs[MAX_PAIRS], got[MAX_RANKS][MAX_PAIRS];
    size_t got_counts[MAX_RANKS];
} Scene;

static void assign_as_rank(impi_Exchange *exchange, void *argument)
{
    Scene *scene = argument;
    uint32_t rank = exchange->rank;
    imp_Context *context = NULL;
    impi_Cluster cluster;
    impi_Arena arena;
    if (!CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK))
        abort(); // the others would wait for ever
    impi_arena_init(&arena, &context->allocator);
    impi_cluster_begin(&cluster, exchange, context, NULL);
    impi_RankMeshes meshes = {.cluster = &cluster,
                              .arena = &arena,
                              .body_count = scene->body_count,
                              .of_body = scene->of_body,
                              .count = scene->mesh_count,
                              .facts = scene->facts};
    imp_IndexPair *own = NULL;
    size_t first = scene->starts[rank];
    CHECK_INT(impi_pairs_assign(&meshes, scene->pairs + first, scene->starts[rank + 1] - first, &own,
                                &scene->got_counts[rank]),
              IMP_STATUS_OK);
    memcpy(scene->got[rank], own, scene->got_counts[rank] * sizeof *own);
    impi_arena_destroy(&arena);
    imp_context_destroy(context);
}

static size_t face_count(const Scene *scene, uint32_t body)
{
    return scene->facts[scene->of_body[body]].triangle_count;
}

static uint64_t load_of(const Scene *scene, imp_IndexPair pair)
{
    return face_count(scene, pair.a) + face_count(scene, pair.b);
}

static uint32_t holder_of_larger(const Scene *scene, imp_IndexPair pair)
{
    bool is_a = face_count(scene, pair.a) >= face_count(scene, pair.b);
    return scene->of_body[is_a ? pair.a : pair.b] % scene->rank_count;
}

// Few large meshes, to which most pairs want, or meshes that are all alike; pairs in one stretch, as few
// pairs are, or in many.
static void draw_scene(Scene *scene)
{
    memset(scene, 0, sizeof *scene);
    bool is_uneven = test_random_below(2), in_one = test_random_below(2);
    scene->rank_count = 1 + test_random_below(MAX_RANKS);
    scene->mesh_count = 1 + test_random_below(MAX_MESHES);
    scene->body_count = 2 + test_random_below(MAX_BODIES - 1);
    for (size_t i = 0; i < scene->mesh_count; ++i)
        scene->facts[i].triangle_count =
            is_uneven && test_random_below(10) == 0 ? 2000 : 1 + test_random_below(20);
    for (size_t i = 0; i < scene->body_count; ++i)
        scene->of_body[i] = test_random_below((uint32_t)scene->mesh_count);
    size_t count = test_random_below(MAX_PAIRS + 1);
    for (size_t i = 0; i < count; ++i) {
        uint32_t a = test_random_below((uint32_t)scene->body_count - 1);
        uint32_t b = a + 1 + test_random_below((uint32_t)scene->body_count - a - 1);
        scene->pairs[i] = (imp_IndexPair){a, b};
    }
    for (uint32_t rank = 1; rank <= scene->rank_count; ++rank)
        scene->starts[rank] = in_one ? count : count * rank / scene->rank_count;
}

static int compare_pairs(const void *left, const void *right)
{
    const imp_IndexPair *a = left, *b = right;
    return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

// Every pair once, though the same two bodies may be several pairs here.
static void check_all_there(Scene *scene, size_t count)
{
    static imp_IndexPair all[MAX_RANKS * MAX_PAIRS];
    size_t total = 0;
    for (uint32_t rank = 0; rank < scene->rank_count; ++rank)
        for (size_t i = 0; i < scene->got_counts[rank]; ++i)
            all[total++] = scene->got[rank][i];
    if (!CHECK_INT((int64_t)total, (int64_t)count))
        return;
    qsort(all, total, sizeof *all, compare_pairs);
    qsort(scene->pairs, count, sizeof *scene->pairs, compare_pairs);
    CHECK(memcmp(all, scene->pairs, count * sizeof *all) == 0);
}

TEST(pairs_go_to_holders_that_are_not_full)
{
    Scene *scene = malloc(sizeof *scene);
    uint64_t count = test_count(150), with_full = 0, without_full = 0;
    if (!CHECK(scene))
        return;
    for (uint64_t n = 0; n < count && test_failed_checks() == 0; ++n) {
        test_random_restart(n);
        draw_scene(scene);
        size_t pair_count = scene->starts[scene->rank_count];
        uint64_t total = 0, largest = 0, wanted[MAX_RANKS] = {0}, most_wanted = 0;
        for (size_t i = 0; i < pair_count; ++i) {
            uint64_t load = load_of(scene, scene->pairs[i]);
            wanted[holder_of_larger(scene, scene->pairs[i])] += load;
            total += load;
            largest = load > largest ? load : largest;
        }
        CHECK(impi_local_ranks_run(scene->rank_count, IMPI_LOCAL_TOGETHER, assign_as_rank, scene));
        for (uint32_t rank = 0; rank < scene->rank_count; ++rank)
            most_wanted = wanted[rank] > most_wanted ? wanted[rank] : most_wanted;
        uint64_t mean = (total + scene->rank_count - 1) / scene->rank_count;
        bool is_full = most_wanted > mean + mean / 10;
        *(is_full ? &with_full : &without_full) += 1;
        for (uint32_t rank = 0; rank < scene->rank_count; ++rank) {
            uint64_t load = 0;
            for (size_t i = 0; i < scene->got_counts[rank]; ++i) {
                load += load_of(scene, scene->got[rank][i]);
                CHECK(is_full || holder_of_larger(scene, scene->got[rank][i]) == rank);
            }
            CHECK(load <= mean + mean / 10 + 2 * largest);
        }
        check_all_there(scene, pair_count);
    }
    CHECK(test_failed_checks() > 0 || (with_full * 5 > count && without_full * 20 > count));
    free(scene);
}
