/// A search for the first related pair among very many whose boxes meet: what it finds is what a detect of
/// all pairs lists first, and it counts the pairs up to that one. Shells lie around each other, so that all
/// boxes meet and nothing touches; a few of them are as large as another one, which they touch.
#include "harness.h"
#include "posed_faces.h"
#include "reports.h"
#include "sanitizers.h"
#include "scenes/shapes.h"
#include "world/world.h"

#include <impinge/impinge.h>

#include <stdio.h>

#define MAX_BODIES 130

typedef struct Stage {
    imp_Context *contexts[2]; // with one thread, and with five
    imp_Mesh *shells[MAX_BODIES];
    imp_World *worlds[2];
    imp_BodyId bodies[MAX_BODIES];
    size_t count;
} Stage;

static struct {
    uint64_t found, nothing, passed, many, inside, ignored, touching_solids;
} tally;

static void stage_make(Stage *stage)
{
    *stage = (Stage){.contexts = {context_with_threads(1), context_with_threads(5)}};
    for (int i = 0; i < MAX_BODIES; ++i) {
        double half = 1 + 0.01 * i;
        CHECK_INT(scene_box(stage->contexts[0], (imp_Vec3){-half, -half, -half}, (imp_Vec3){half, half, half},
                            &stage->shells[i]),
                  IMP_STATUS_OK);
    }
}

static void stage_destroy(Stage *stage)
{
    for (int i = 0; i < MAX_BODIES; ++i)
        imp_mesh_release(stage->shells[i]);
    for (int i = 0; i < 2; ++i)
        imp_context_destroy(stage->contexts[i]);
}

// Sizes in any order, each once but for some.
static void choose_sizes(int *sizes, size_t count, uint32_t repeated)
{
    for (int i = 0; i < (int)count; ++i) {
        int k = (int)test_random_below((uint32_t)i + 1);
        sizes[i] = sizes[k];
        sizes[k] = i;
    }
    for (uint32_t i = 0; i < repeated; ++i)
        sizes[test_random_below((uint32_t)count)] = sizes[test_random_below((uint32_t)count)];
}

static void fill_worlds(Stage *stage)
{
    int sizes[MAX_BODIES] = {0};
    uint32_t category = test_random_below(3) ? 0 : 1;
    stage->count = test_random_below(2) ? 2 + test_random_below(20) : MAX_BODIES - test_random_below(30);
    choose_sizes(sizes, stage->count, test_random_below(3));
    for (int w = 0; w < 2; ++w)
        CHECK_INT(imp_world_create(stage->contexts[w], NULL, &stage->worlds[w]), IMP_STATUS_OK);
    for (size_t i = 0; i < stage->count; ++i) {
        imp_BodyDef def = {.mesh = stage->shells[sizes[i]],
                           .category_bits = category && test_random_below(8) == 0,
                           .ignore_bits = category && test_random_below(2),
                           .group = test_random_below(16) ? 0 : 1 + test_random_below(3)};
        for (int w = 0; w < 2; ++w)
            CHECK_INT(imp_world_add_body(stage->worlds[w], &def, &stage->bodies[i]), IMP_STATUS_OK);
        tally.ignored += def.ignore_bits && category;
    }
}

// Slots stay empty, and pairs are ignored.
static void change_worlds(Stage *stage)
{
    for (uint32_t n = test_random_below(4); n > 0 && stage->count > 2; --n) {
        size_t i = test_random_below((uint32_t)stage->count);
        for (int w = 0; w < 2; ++w)
            CHECK_INT(imp_world_remove_body(stage->worlds[w], stage->bodies[i]), IMP_STATUS_OK);
        stage->bodies[i] = stage->bodies[--stage->count];
    }
    for (uint32_t n = test_random_below(4); n > 0; --n) {
        size_t i = test_random_below((uint32_t)stage->count), k = test_random_below((uint32_t)stage->count);
        for (int w = 0; w < 2 && i != k; ++w)
            CHECK_INT(imp_world_ignore_pair(stage->worlds[w], stage->bodies[i], stage->bodies[k], true),
                      IMP_STATUS_OK);
    }
}

// How many candidates come up to a pair, that one included; all for null.
static uint64_t count_candidates(const imp_World *world, const imp_BodyPair *last)
{
    const impi_Answer *answer = &world->answers[world->current];
    uint64_t count = 0;
    for (size_t i = 0; i < answer->results.count; ++i) {
        const impi_PairResult *result = &answer->results.data[i];
        count += !last || result->slot_a < last->body_a.slot ||
                 (result->slot_a == last->body_a.slot && result->slot_b <= last->body_b.slot);
    }
    return count;
}

static void check_first(const imp_World *world, const imp_Report *all, const imp_Report *first)
{
    size_t faces = 0;
    CHECK(!first->truncated && !first->total_is_lower_bound && !first->budget_spent);
    CHECK_INT(first->body_pair_count, all->body_pair_count > 0);
    CHECK_INT(first->candidate_body_pairs,
              count_candidates(world, all->body_pair_count > 0 ? all->body_pairs : NULL));
    tally.nothing += all->body_pair_count == 0;
    if (all->body_pair_count == 0)
        return;
    CHECK(memcmp(first->body_pairs, all->body_pairs, sizeof *all->body_pairs) == 0);
    while (faces < all->face_pair_count &&
           all->face_pairs[faces].body_a.slot == first->body_pairs[0].body_a.slot &&
           all->face_pairs[faces].body_b.slot == first->body_pairs[0].body_b.slot)
        ++faces;
    CHECK(first->face_pair_count == faces && first->face_pair_total == faces);
    CHECK(are_same_bytes(first->face_pairs, all->face_pairs, faces * sizeof *all->face_pairs));
    tally.found += faces > 0;
    tally.inside += faces == 0;
}

static void run_stage(Stage *stage)
{
    imp_DetectDef all = {.ignore_containment = test_random_below(4) > 0}, first = all;
    first.mode = IMP_DETECT_FIRST;
    first.method = (imp_DetectMethod)test_random_below(3);
    first.budget_us = test_random_below(4) ? 0 : 86400000000u; // a day
    fill_worlds(stage);
    for (int frame = 0; frame < 3; ++frame) {
        const imp_Report *reports[2] = {NULL, NULL}, *wanted = NULL;
        bool is_first_asked_first = test_random_below(2); // before anything is kept from other detects
        for (int w = 0; w < 2 && is_first_asked_first; ++w)
            CHECK_INT(imp_world_detect(stage->worlds[w], &first, &reports[w]), IMP_STATUS_OK);
        CHECK_INT(imp_world_detect(stage->worlds[0], &all, &wanted), IMP_STATUS_OK);
        for (int w = 0; w < 2 && !is_first_asked_first; ++w)
            CHECK_INT(imp_world_detect(stage->worlds[w], &first, &reports[w]), IMP_STATUS_OK);
        check_first(stage->worlds[0], wanted, reports[0]);
        CHECK(same_reports(reports[0], reports[1]));
        tally.passed += stage->worlds[0]->first.passed_count > 0;
        tally.many += wanted->candidate_body_pairs > 6 * stage->count;
        change_worlds(stage);
    }
    for (int w = 0; w < 2; ++w)
        imp_world_destroy(stage->worlds[w]);
}

#if defined(TEST_UNDER_SANITIZER)
#define DEFAULT_CASES 30
#else
#define DEFAULT_CASES 100
#endif

TEST(the_first_of_very_many_pairs)
{
    uint64_t count = test_count(DEFAULT_CASES);
    Stage stage;
    stage_make(&stage);
    for (uint64_t i = 0; i < count; ++i)
        run_stage(&stage);
    stage_destroy(&stage);
    printf("  touching %llu, inside %llu, nothing %llu; many pairs %llu, in several windows %llu\n",
           (unsigned long long)tally.found, (unsigned long long)tally.inside,
           (unsigned long long)tally.nothing, (unsigned long long)tally.many,
           (unsigned long long)tally.passed);
    if (count >= 30)
        CHECK(tally.found > count / 2 && tally.inside > count / 30 && tally.nothing > count / 4 &&
              tally.many > count / 2 && tally.passed > count / 50 && tally.ignored > count / 4);
}
