/// Limits on face pairs: the first ones of all, in any method and with any number of threads, whatever was
/// asked before; counts up to the body pair where the limit is passed, or of all.
#include "harness.h"
#include "posed_faces.h"
#include "reports.h"
#include "sanitizers.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <stdio.h>
#include <stdlib.h>

#define MAX_BODIES   14
#define SHAPE_COUNT  4
#define THREAD_KINDS 3

typedef struct Stage {
    imp_Context *contexts[THREAD_KINDS];
    imp_Mesh *shapes[SHAPE_COUNT];
    imp_Convex *solid;
    imp_World *worlds[THREAD_KINDS];
    imp_BodyId bodies[MAX_BODIES];
    size_t count;
} Stage;

static struct {
    uint64_t cut, whole, lower_bound, exact, in_one_pair, budget;
} tally;

static void stage_make(Stage *stage)
{
    static const uint32_t thread_counts[THREAD_KINDS] = {1, 2, 5};
    for (int i = 0; i < THREAD_KINDS; ++i)
        stage->contexts[i] = context_with_threads(thread_counts[i]);
    imp_Context *context = stage->contexts[0];
    CHECK_INT(scene_sphere(context, 12, 8, 1, &stage->shapes[0]), IMP_STATUS_OK);
    CHECK_INT(scene_soup(context, 700, 0.2, 3, &stage->shapes[1]), IMP_STATUS_OK);
    CHECK_INT(scene_grid_soup(context, 300, 3, 4, &stage->shapes[2]), IMP_STATUS_OK);
    CHECK_INT(scene_torus(context, 20, 8, 1, 0.3, &stage->shapes[3]), IMP_STATUS_OK);
    imp_ConvexDef hull = {.points = &imp_mesh_get_vertices(stage->shapes[0])->x,
                          .point_count = imp_mesh_get_vertex_count(stage->shapes[0])};
    CHECK_INT(imp_convex_create(context, &hull, &stage->solid), IMP_STATUS_OK);
}

static void stage_destroy(Stage *stage)
{
    imp_convex_release(stage->solid);
    for (int i = 0; i < SHAPE_COUNT; ++i)
        imp_mesh_release(stage->shapes[i]);
    for (int i = 0; i < THREAD_KINDS; ++i)
        imp_context_destroy(stage->contexts[i]);
}

static imp_Pose random_pose(void)
{
    return (imp_Pose){{test_random_between(-2, 2), test_random_between(-1, 1), test_random_between(-1, 1)},
                      random_rotation()};
}

static void fill_worlds(Stage *stage)
{
    stage->count = 2 + test_random_below(MAX_BODIES - 1);
    for (int w = 0; w < THREAD_KINDS; ++w)
        CHECK_INT(imp_world_create(stage->contexts[w], NULL, &stage->worlds[w]), IMP_STATUS_OK);
    for (size_t i = 0; i < stage->count; ++i) {
        imp_BodyDef def = {.pose = random_pose()};
        if (test_random_below(5) == 0)
            def.convex = stage->solid;
        else
            def.mesh = stage->shapes[test_random_below(SHAPE_COUNT)];
        for (int w = 0; w < THREAD_KINDS; ++w)
            CHECK_INT(imp_world_add_body(stage->worlds[w], &def, &stage->bodies[i]), IMP_STATUS_OK);
    }
}

static void move_one(Stage *stage)
{
    size_t i = test_random_below((uint32_t)stage->count);
    imp_Pose pose = random_pose();
    for (int w = 0; w < THREAD_KINDS; ++w)
        CHECK_INT(imp_body_set_pose(stage->worlds[w], stage->bodies[i], pose), IMP_STATUS_OK);
}

// ---- what must hold

static bool is_of_pair(const imp_TouchingFaces *faces, const imp_BodyPair *pair)
{
    return memcmp(&faces->body_a, &pair->body_a, sizeof pair->body_a) == 0 &&
           memcmp(&faces->body_b, &pair->body_b, sizeof pair->body_b) == 0;
}

// How many faces a pair has in the whole report, in which they come in the order of pairs.
static size_t count_faces(const imp_Report *all, const imp_BodyPair *pair, size_t *next)
{
    size_t first = *next;
    while (*next < all->face_pair_count && is_of_pair(&all->face_pairs[*next], pair))
        ++*next;
    return *next - first;
}

static void check_limited(const imp_Report *all, const imp_DetectDef *def, const imp_Report *got)
{
    uint64_t limit = def->max_face_pairs, counted = 0;
    size_t next = 0, kept = limit < all->face_pair_count ? (size_t)limit : all->face_pair_count;
    bool is_lower_bound = false;
    CHECK_INT(got->face_pair_count, kept);
    CHECK(are_same_bytes(got->face_pairs, all->face_pairs, kept * sizeof *all->face_pairs));
    CHECK(got->truncated == (kept < all->face_pair_count));
    if (!CHECK_INT(got->body_pair_count, all->body_pair_count))
        return;
    for (size_t i = 0; i < all->body_pair_count; ++i) {
        imp_BodyPair wanted = all->body_pairs[i];
        size_t faces = count_faces(all, &wanted, &next);
        bool is_cut = !def->count_all && counted > limit && (wanted.relations & IMP_RELATION_TOUCH);
        wanted.unanswered = is_cut ? IMP_QUESTION_FACES : 0;
        is_lower_bound |= is_cut;
        counted += is_cut ? 0 : faces;
        tally.in_one_pair += got->truncated && i == 0 && faces > limit;
        CHECK(memcmp(&got->body_pairs[i], &wanted, sizeof wanted) == 0);
    }
    CHECK_INT(got->face_pair_total, counted);
    CHECK(got->total_is_lower_bound == is_lower_bound);
    CHECK(!got->budget_spent && got->undecided_count == 0);
    tally.cut += got->truncated;
    tally.whole += !got->truncated;
    tally.lower_bound += is_lower_bound;
    tally.exact += got->truncated && !is_lower_bound;
}

static uint64_t random_limit(uint64_t total)
{
    switch (test_random_below(4)) {
    case 0:
        return 1 + test_random_below(10);
    case 1:
        return total > 1 ? total - test_random_below(2) : 1;
    case 2:
        return UINT64_MAX >> test_random_below(64);
    default:
        return 1 + test_random_below((uint32_t)total + 1);
    }
}

// Faces that are all, kept aside because the next detect replaces them.
static imp_Report copy_report(const imp_Report *report, imp_TouchingFaces *faces, imp_BodyPair *pairs)
{
    imp_Report copy = *report;
    if (report->face_pair_count > 0)
        memcpy(faces, report->face_pairs, report->face_pair_count * sizeof *faces);
    if (report->body_pair_count > 0)
        memcpy(pairs, report->body_pairs, report->body_pair_count * sizeof *pairs);
    copy.face_pairs = faces;
    copy.body_pairs = pairs;
    return copy;
}

static void run_frame(Stage *stage)
{
    const imp_Report *found = NULL;
    if (!CHECK_INT(imp_world_detect(stage->worlds[0], NULL, &found), IMP_STATUS_OK))
        return;
    imp_TouchingFaces *faces = malloc((found->face_pair_count + 1) * sizeof *faces);
    imp_BodyPair *pairs = malloc((found->body_pair_count + 1) * sizeof *pairs);
    imp_Report all = copy_report(found, faces, pairs);
    imp_DetectDef def = {.max_face_pairs = random_limit(all.face_pair_total),
                         .count_all = test_random_below(3) == 0,
                         .method = (imp_DetectMethod)test_random_below(4),
                         .smith_level = 3,
                         .budget_us = test_random_below(3) ? 0 : 86400000000u}; // a day
    tally.budget += def.budget_us > 0;
    for (int w = 0; w < THREAD_KINDS; ++w)
        if (CHECK_INT(imp_world_detect(stage->worlds[w], &def, &found), IMP_STATUS_OK))
            check_limited(&all, &def, found);
    free(faces);
    free(pairs);
}

#if defined(TEST_UNDER_SANITIZER)
#define DEFAULT_CASES 8
#else
#define DEFAULT_CASES 16
#endif

TEST(limits_keep_the_first_and_count_what_they_say)
{
    uint64_t count = test_count(DEFAULT_CASES);
    Stage stage;
    stage_make(&stage);
    for (uint64_t i = 0; i < count; ++i) {
        fill_worlds(&stage);
        for (int frame = 0; frame < 4; ++frame) {
            run_frame(&stage);
            move_one(&stage);
        }
        for (int w = 0; w < THREAD_KINDS; ++w)
            imp_world_destroy(stage.worlds[w]);
    }
    stage_destroy(&stage);
    printf("  cut %llu (in the first pair %llu), whole %llu; lower bounds %llu, exact totals %llu\n",
           (unsigned long long)tally.cut, (unsigned long long)tally.in_one_pair,
           (unsigned long long)tally.whole, (unsigned long long)tally.lower_bound,
           (unsigned long long)tally.exact);
    if (count >= 8)
        CHECK(tally.cut > count && tally.whole > count && tally.lower_bound > count &&
              tally.exact > count / 2 && tally.in_one_pair > count / 4 && tally.budget > count);
}
