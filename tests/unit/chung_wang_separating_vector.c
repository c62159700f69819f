#include "experiments/chung_wang_separating_vector.h"

#include "harness.h"
#include "scenes/convex_box.h"

#include <stdio.h>
#include <stdlib.h>

// Contact is decided by rounding in the paper's form: pairs nearer to it than this prove nothing.
#define NEAR_CONTACT 1e-9

typedef struct Counts {
    uint64_t separate, colliding, near, steps;
} Counts;

static bool is_near_contact(imp_Context *context, const imp_ConvexPair *pair)
{
    imp_ConvexDistance distance;
    CHECK_INT(imp_convex_distance(context, NULL, pair, NULL, &distance), IMP_STATUS_OK);
    return (distance.touch ? distance.depth : distance.distance) < NEAR_CONTACT;
}

// Two bodies of a box, as the library takes them and as the paper does.
typedef struct BothPairs {
    imp_ConvexPair exact;
    ChungWangPair paper;
} BothPairs;

static void compare(imp_Context *context, const BothPairs *pairs, ChungWangCache *cache,
                    const ChungWangHierarchies *hierarchies, Counts *counts)
{
    imp_ConvexResult expected;
    CHECK_INT(imp_convex_test(context, NULL, &pairs->exact, &expected), IMP_STATUS_OK);
    ChungWangAnswer answer = chung_wang_test(&pairs->paper, cache, hierarchies);
    CHECK(answer.step_count >= 1 && answer.step_count <= CHUNG_WANG_STEP_LIMIT);
    counts->steps += answer.step_count;
    if (is_near_contact(context, &pairs->exact)) {
        ++counts->near;
        return;
    }
    CHECK_INT(answer.verdict, expected.touch ? CHUNG_WANG_COLLIDING : CHUNG_WANG_SEPARATE);
    ++*(expected.touch ? &counts->colliding : &counts->separate);
}

// All pairs of overlapping boxes, frame by frame, with what was cached of them; bodies pass through each
// other.
static void fly_about(SceneConvexKind kind, uint32_t vertex_count, bool with_hierarchies)
{
    enum { BODIES = 30 };
    static ChungWangCache caches[BODIES][BODIES];
    ChungWangBody *bodies[BODIES] = {0};
    ChungWangHierarchy *hierarchies[BODIES] = {0};
    const bool nobody[BODIES] = {0};
    Counts counts = {0};
    imp_Context *context = NULL;
    SceneConvexBox *box = NULL;
    SceneConvexBoxDef def = {.kind = kind,
                             .body_count = BODIES,
                             .vertex_count = vertex_count,
                             .edge = kind == SCENE_ROD ? 3 : 5,
                             .speed = 0.05,
                             .turn = 1000,
                             .seed = test_random()};
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    if (!CHECK_INT(scene_convex_box_create(context, &def, &box), IMP_STATUS_OK))
        goto cleanup;
    for (int i = 0; i < BODIES; ++i) {
        CHECK_INT(chung_wang_body_create(context, box->bodies[i].convex, &bodies[i]), IMP_STATUS_OK);
        if (with_hierarchies)
            CHECK_INT(chung_wang_hierarchy_create(context, bodies[i], &hierarchies[i]), IMP_STATUS_OK);
        for (int j = 0; j < BODIES; ++j)
            caches[i][j] = (ChungWangCache){0};
    }
    for (int frame = 0; frame < 20; ++frame) {
        for (size_t i = 0; i < box->pair_count; ++i) {
            uint32_t a = box->pairs[i].a, b = box->pairs[i].b;
            BothPairs pairs = {{box->bodies[a].convex, box->bodies[b].convex, box->poses[a], box->poses[b]},
                               {bodies[a], bodies[b], &box->transforms[a], &box->transforms[b]}};
            ChungWangHierarchies both = {hierarchies[a], hierarchies[b]};
            compare(context, &pairs, &caches[a][b], with_hierarchies ? &both : NULL, &counts);
        }
        CHECK_INT(scene_convex_box_step(context, box, nobody), IMP_STATUS_OK);
    }
    printf("%s of %u%s: %llu separate, %llu colliding, %llu near contact, %.2f steps\n",
           scene_convex_name(kind), vertex_count, with_hierarchies ? ", hierarchical" : "",
           (unsigned long long)counts.separate, (unsigned long long)counts.colliding,
           (unsigned long long)counts.near,
           (double)counts.steps / (double)(counts.separate + counts.colliding + counts.near));
    CHECK(counts.separate > 100 && counts.colliding > 20);
    CHECK(counts.near < 10);
cleanup:
    for (int i = 0; i < BODIES; ++i) {
        chung_wang_hierarchy_destroy(hierarchies[i]);
        chung_wang_body_destroy(bodies[i]);
    }
    scene_convex_box_destroy(box);
    imp_context_destroy(context);
}

TEST(verdicts_are_those_of_the_exact_test_away_from_contact)
{
    for (int kind = 0; kind < SCENE_CONVEX_KIND_COUNT; ++kind) {
        fly_about((SceneConvexKind)kind, 4, false);
        fly_about((SceneConvexKind)kind, 10, false);
        fly_about((SceneConvexKind)kind, 200, false);
        fly_about((SceneConvexKind)kind, 200, true);
    }
}

// ---- cubes, where everything is parallel and products are often zero

static ChungWangBody *make_cube(imp_Context *context)
{
    static const double corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
    imp_Convex *convex = NULL;
    ChungWangBody *cube = NULL;
    CHECK_INT(imp_convex_create(context, &(imp_ConvexDef){.points = corners, .point_count = 8}, &convex),
              IMP_STATUS_OK);
    CHECK_INT(chung_wang_body_create(context, convex, &cube), IMP_STATUS_OK);
    imp_convex_release(convex);
    return cube;
}

static ChungWangAnswer test_cubes(const ChungWangBody *cube, imp_Vec3 shift)
{
    const imp_Transform still = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
    imp_Transform moved = still;
    moved.translation = shift;
    return chung_wang_test(&(ChungWangPair){cube, cube, &still, &moved}, NULL, NULL);
}

TEST(aligned_cubes)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    ChungWangBody *cube = make_cube(context);
    for (int x = -5; x <= 5; ++x)
        for (int y = -5; y <= 5; ++y)
            for (int z = -5; z <= 5; ++z) {
                int farthest = abs(x) > abs(y) ? abs(x) : abs(y);
                farthest = abs(z) > farthest ? abs(z) : farthest;
                ChungWangVerdict verdict = test_cubes(cube, (imp_Vec3){x / 4.0, y / 4.0, z / 4.0}).verdict;
                if (farthest < 4)
                    CHECK_INT(verdict, CHUNG_WANG_COLLIDING);
                else if (farthest > 4)
                    CHECK_INT(verdict, CHUNG_WANG_SEPARATE);
                else
                    CHECK(verdict != CHUNG_WANG_UNDECIDED);
            }
    CHECK_INT(test_cubes(cube, (imp_Vec3){1, 0, 0}).verdict, CHUNG_WANG_SEPARATE); // touching is separate
    CHECK_INT(test_cubes(cube, (imp_Vec3){1, 1, 1}).verdict, CHUNG_WANG_SEPARATE);
    chung_wang_body_destroy(cube);
    imp_context_destroy(context);
}

TEST(what_is_cached_answers_the_same_question_in_one_step)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    ChungWangBody *cube = make_cube(context);
    const imp_Transform still = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
    imp_Transform moved = still;
    moved.translation = (imp_Vec3){0.9, 0.9, 1.01};
    ChungWangPair pair = {cube, cube, &still, &moved};
    ChungWangCache cache = {0};
    CHECK(chung_wang_test(&pair, &cache, NULL).step_count > 1);
    CHECK(cache.is_known);
    CHECK_INT(chung_wang_test(&pair, &cache, NULL).step_count, 1);
    moved.translation.z = 0.5; // a collision leaves the cache as it is
    ChungWangCache before = cache;
    CHECK_INT(chung_wang_test(&pair, &cache, NULL).verdict, CHUNG_WANG_COLLIDING);
    CHECK(cache.direction.z == before.direction.z && cache.vertex_a == before.vertex_a);
    chung_wang_body_destroy(cube);
    imp_context_destroy(context);
}
