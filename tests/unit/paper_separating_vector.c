#include "object/paper_separating_vector.h"

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

static void compare(imp_Context *context, const imp_ConvexPair *pair, impi_PaperCache *cache,
                    const impi_PaperHierarchies *hierarchies, Counts *counts)
{
    imp_ConvexResult expected;
    CHECK_INT(imp_convex_test(context, NULL, pair, &expected), IMP_STATUS_OK);
    impi_PaperResult result = impi_paper_test(pair, cache, hierarchies);
    CHECK(result.step_count >= 1 && result.step_count <= IMPI_PAPER_MAX_STEPS);
    counts->steps += result.step_count;
    if (is_near_contact(context, pair)) {
        ++counts->near;
        return;
    }
    CHECK_INT(result.verdict, expected.touch ? IMPI_PAPER_COLLIDING : IMPI_PAPER_SEPARATE);
    ++*(expected.touch ? &counts->colliding : &counts->separate);
}

// All pairs of overlapping boxes, frame by frame, with what was cached of them; bodies pass through each
// other.
static void fly_about(SceneConvexKind kind, uint32_t vertex_count, bool with_hierarchies)
{
    enum { BODIES = 30 };
    static impi_PaperCache caches[BODIES][BODIES];
    impi_Hierarchy *hierarchies[BODIES] = {0};
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
        if (with_hierarchies)
            CHECK_INT(impi_hierarchy_create(context, box->bodies[i].convex, &hierarchies[i]), IMP_STATUS_OK);
        for (int j = 0; j < BODIES; ++j)
            caches[i][j] = (impi_PaperCache){0};
    }
    for (int frame = 0; frame < 20; ++frame) {
        for (size_t i = 0; i < box->pair_count; ++i) {
            uint32_t a = box->pairs[i].a, b = box->pairs[i].b;
            imp_ConvexPair pair = {box->bodies[a].convex, box->bodies[b].convex, &box->transforms[a],
                                   &box->transforms[b]};
            impi_PaperHierarchies both = {hierarchies[a], hierarchies[b]};
            compare(context, &pair, &caches[a][b], with_hierarchies ? &both : NULL, &counts);
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
    for (int i = 0; i < BODIES; ++i)
        impi_hierarchy_destroy(hierarchies[i]);
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

static imp_Convex *make_cube(imp_Context *context)
{
    static const double corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
    imp_Convex *cube = NULL;
    CHECK_INT(imp_convex_create(context, &(imp_ConvexDef){.points = corners, .point_count = 8}, &cube),
              IMP_STATUS_OK);
    return cube;
}

static impi_PaperResult test_cubes(const imp_Convex *cube, imp_Vec3 shift)
{
    const imp_Transform still = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
    imp_Transform moved = still;
    moved.translation = shift;
    return impi_paper_test(&(imp_ConvexPair){cube, cube, &still, &moved}, NULL, NULL);
}

TEST(aligned_cubes)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    imp_Convex *cube = make_cube(context);
    for (int x = -5; x <= 5; ++x)
        for (int y = -5; y <= 5; ++y)
            for (int z = -5; z <= 5; ++z) {
                int farthest = abs(x) > abs(y) ? abs(x) : abs(y);
                farthest = abs(z) > farthest ? abs(z) : farthest;
                impi_PaperVerdict verdict = test_cubes(cube, (imp_Vec3){x / 4.0, y / 4.0, z / 4.0}).verdict;
                if (farthest < 4)
                    CHECK_INT(verdict, IMPI_PAPER_COLLIDING);
                else if (farthest > 4)
                    CHECK_INT(verdict, IMPI_PAPER_SEPARATE);
                else
                    CHECK(verdict != IMPI_PAPER_UNDECIDED);
            }
    CHECK_INT(test_cubes(cube, (imp_Vec3){1, 0, 0}).verdict, IMPI_PAPER_SEPARATE); // touching is separate
    CHECK_INT(test_cubes(cube, (imp_Vec3){1, 1, 1}).verdict, IMPI_PAPER_SEPARATE);
    imp_convex_release(cube);
    imp_context_destroy(context);
}

TEST(what_is_cached_answers_the_same_question_in_one_step)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    imp_Convex *cube = make_cube(context);
    const imp_Transform still = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
    imp_Transform moved = still;
    moved.translation = (imp_Vec3){0.9, 0.9, 1.01};
    imp_ConvexPair pair = {cube, cube, &still, &moved};
    impi_PaperCache cache = {0};
    CHECK(impi_paper_test(&pair, &cache, NULL).step_count > 1);
    CHECK(cache.is_known);
    CHECK_INT(impi_paper_test(&pair, &cache, NULL).step_count, 1);
    moved.translation.z = 0.5; // a collision leaves the cache as it is
    impi_PaperCache before = cache;
    CHECK_INT(impi_paper_test(&pair, &cache, NULL).verdict, IMPI_PAPER_COLLIDING);
    CHECK(cache.direction.z == before.direction.z && cache.vertex_a == before.vertex_a);
    imp_convex_release(cube);
    imp_context_destroy(context);
}
