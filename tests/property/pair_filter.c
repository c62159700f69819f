// A filter of pairs excludes what imp_world_ignore_pair excludes: two worlds go through the same random
// program, one with the pairs ignored, the other with a filter that reads them from a table. All that they
// say must be the same: detects of every mode, what begins and ends, clearances; with a budget, what is
// excluded is not listed.
#include "reports.h"
#include "same_distance.h"
#include "sanitizers.h"
#include "world_fixture.h"

#ifdef TEST_UNDER_SANITIZER
#define PROGRAM_COUNT 10
#else
#define PROGRAM_COUNT 60
#endif

#define BODY_COUNT 10
#define ROUNDS     25

typedef struct Table {
    bool is_excluded[BODY_COUNT + 1][BODY_COUNT + 1]; // by slots, the lesser one first
    imp_BodyId ids[BODY_COUNT + 1];                   // by slot
} Table;

typedef struct Stage {
    imp_World *worlds[2]; // ignoring, filtering
    Table table;
    bool is_dirty; // the table has changed since the filter was set
} Stage;

typedef struct Tallies {
    uint64_t pairs, excluded, begun, ended, first, near, spent;
} Tallies;

static bool passes(imp_BodyId a, imp_BodyId b, void *user)
{
    const Table *table = user;
    CHECK(a.slot < b.slot && b.slot <= BODY_COUNT);
    CHECK(memcmp(&a, &table->ids[a.slot], sizeof a) == 0 && memcmp(&b, &table->ids[b.slot], sizeof b) == 0);
    return !table->is_excluded[a.slot][b.slot];
}

static imp_Pose random_place(void)
{
    return (imp_Pose){
        .translation = {test_random_between(-2, 2), test_random_between(-2, 2), test_random_between(-2, 2)}};
}

static void add_body(Stage *stage, imp_Mesh *const *meshes)
{
    imp_BodyDef def = {.mesh = meshes[test_random_below(2)], .pose = random_place()};
    for (int i = 0; i < 2; ++i) {
        imp_BodyId id = {0};
        CHECK_INT(imp_world_add_body(stage->worlds[i], &def, &id), IMP_STATUS_OK);
        stage->table.ids[id.slot] = id;
    }
}

static void exclude(Stage *stage, uint32_t a, uint32_t b, bool excludes)
{
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    CHECK_INT(imp_world_ignore_pair(stage->worlds[0], stage->table.ids[a], stage->table.ids[b], excludes),
              IMP_STATUS_OK);
    stage->table.is_excluded[low][high] = excludes;
    stage->is_dirty = true;
}

static void change(Stage *stage, imp_Mesh *const *meshes)
{
    uint32_t a = 1 + test_random_below(BODY_COUNT), b = 1 + test_random_below(BODY_COUNT);
    switch (test_random_below(4)) {
    case 0:
        for (int i = 0; i < 2; ++i)
            CHECK_INT(imp_world_remove_body(stage->worlds[i], stage->table.ids[a]), IMP_STATUS_OK);
        add_body(stage, meshes);
        for (uint32_t other = 1; other <= BODY_COUNT; ++other) // what is removed is forgotten
            stage->table.is_excluded[a][other] = stage->table.is_excluded[other][a] = false;
        stage->is_dirty = true;
        break;
    case 1: {
        imp_Pose pose = random_place();
        for (int i = 0; i < 2; ++i)
            CHECK_INT(imp_body_set_pose(stage->worlds[i], stage->table.ids[a], pose), IMP_STATUS_OK);
        break;
    }
    default:
        if (a != b)
            exclude(stage, a, b, test_random_below(2));
    }
    if (stage->is_dirty)
        CHECK_INT(imp_world_set_pair_filter(stage->worlds[1], passes, &stage->table), IMP_STATUS_OK);
    stage->is_dirty = false;
}

static void compare_detects(const Stage *stage, imp_DetectMode mode, Tallies *tallies)
{
    const imp_DetectDef def = {.mode = mode};
    const imp_Report *reports[2] = {NULL, NULL};
    for (int i = 0; i < 2; ++i)
        CHECK_INT(imp_world_detect(stage->worlds[i], &def, &reports[i]), IMP_STATUS_OK);
    CHECK(same_reports(reports[0], reports[1]));
    tallies->pairs += reports[1]->body_pair_count;
    tallies->begun += reports[1]->begun_count;
    tallies->ended += reports[1]->ended_count;
    tallies->first += mode == IMP_DETECT_FIRST && reports[1]->body_pair_count == 1;
}

static void compare_clearances(const Stage *stage, Tallies *tallies)
{
    const imp_ClearanceDef def = {.distance = 0.2, .face_pairs = true};
    const imp_ClearanceReport *reports[2] = {NULL, NULL};
    for (int i = 0; i < 2; ++i)
        CHECK_INT(imp_world_clearance(stage->worlds[i], &def, &reports[i]), IMP_STATUS_OK);
    const imp_ClearanceReport *a = reports[0], *b = reports[1];
    CHECK(a->candidate_body_pairs == b->candidate_body_pairs && a->face_pair_total == b->face_pair_total);
    CHECK(a->begun_count == b->begun_count && a->ended_count == b->ended_count);
    if (!CHECK_INT(a->pair_count, b->pair_count))
        return;
    for (size_t i = 0; i < a->pair_count; ++i)
        CHECK(memcmp(&a->pairs[i].body_a, &b->pairs[i].body_a, sizeof a->pairs[i].body_a) == 0 &&
              memcmp(&a->pairs[i].body_b, &b->pairs[i].body_b, sizeof a->pairs[i].body_b) == 0 &&
              same_distance(&a->pairs[i].distance, &b->pairs[i].distance));
    tallies->near += b->pair_count;
}

static void check_pairs_pass(const Stage *stage, const imp_BodyPair *pairs, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        CHECK(!stage->table.is_excluded[pairs[i].body_a.slot][pairs[i].body_b.slot]);
}

// How far it comes depends on the clock, so only one world is asked, and then both, so that they are alike.
static void check_budget(const Stage *stage, Tallies *tallies)
{
    const imp_DetectDef def = {.budget_us = 1};
    const imp_Report *report = NULL;
    CHECK_INT(imp_world_detect(stage->worlds[1], &def, &report), IMP_STATUS_OK);
    check_pairs_pass(stage, report->body_pairs, report->body_pair_count);
    check_pairs_pass(stage, report->undecided, report->undecided_count);
    tallies->spent += report->budget_spent;
    CHECK_INT(imp_world_detect(stage->worlds[0], NULL, &report), IMP_STATUS_OK);
    CHECK_INT(imp_world_detect(stage->worlds[1], NULL, &report), IMP_STATUS_OK);
}

static void run_program(imp_Context *const contexts[2], Tallies *tallies)
{
    Stage stage = {.is_dirty = false};
    imp_Mesh *meshes[2] = {sphere(contexts[0], 1), cube(contexts[0], 0.6)};
    for (int i = 0; i < 2; ++i)
        CHECK_INT(imp_world_create(contexts[i], NULL, &stage.worlds[i]), IMP_STATUS_OK);
    CHECK_INT(imp_world_set_pair_filter(stage.worlds[1], passes, &stage.table), IMP_STATUS_OK);
    for (int i = 0; i < BODY_COUNT; ++i)
        add_body(&stage, meshes);
    for (int round = 0; round < ROUNDS; ++round) {
        for (uint32_t i = test_random_below(4); i > 0; --i)
            change(&stage, meshes);
        switch (test_random_below(8)) {
        case 0:
            compare_clearances(&stage, tallies);
            break;
        case 1:
            check_budget(&stage, tallies);
            break;
        default:
            compare_detects(&stage, (imp_DetectMode)test_random_below(3), tallies);
        }
    }
    for (uint32_t a = 1; a <= BODY_COUNT; ++a)
        for (uint32_t b = a + 1; b <= BODY_COUNT; ++b)
            tallies->excluded += stage.table.is_excluded[a][b];
    for (int i = 0; i < 2; ++i)
        imp_world_destroy(stage.worlds[i]);
    imp_mesh_release(meshes[0]);
    imp_mesh_release(meshes[1]);
}

TEST(a_filter_excludes_what_ignoring_does)
{
    Tallies tallies = {0};
    uint64_t count = test_count(PROGRAM_COUNT);
    for (uint64_t i = 0; i < count; ++i) {
        imp_Context *contexts[2] = {context_with_threads(1), context_with_threads(i % 2 ? 1 : 3)};
        run_program(contexts, &tallies);
        imp_context_destroy(contexts[0]);
        imp_context_destroy(contexts[1]);
    }
    CHECK(tallies.pairs > 20 * count && tallies.excluded > count && tallies.begun > count &&
          tallies.ended > count && tallies.first > count && tallies.near > count && tallies.spent > 0);
}

// Pairs that were listed end when a filter comes, and begin again when it goes.
TEST(what_a_filter_excludes_ends)
{
    Fixture fixture = fixture_make();
    Table table = {.ids = {{0, 0}}};
    table.ids[1] = add(fixture.world, sphere(fixture.context, 1), 0);
    table.ids[2] = add(fixture.world, sphere(fixture.context, 1), 1);
    CHECK_INT(detect(fixture.world)->body_pair_count, 1);
    table.is_excluded[1][2] = true;
    CHECK_INT(imp_world_set_pair_filter(fixture.world, passes, &table), IMP_STATUS_OK);
    const imp_Report *report = detect(fixture.world);
    CHECK(report->body_pair_count == 0 && report->ended_count == 1 && report->candidate_body_pairs == 0);
    CHECK_INT(imp_world_set_pair_filter(fixture.world, NULL, NULL), IMP_STATUS_OK);
    report = detect(fixture.world);
    CHECK(report->body_pair_count == 1 && report->begun_count == 1);
    CHECK_INT(imp_world_set_pair_filter(NULL, passes, &table), IMP_STATUS_BAD_ARGUMENT);
    fixture_destroy(&fixture);
}
