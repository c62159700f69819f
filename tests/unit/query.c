#include "failing_allocator.h"
#include "harness.h"
#include "posed_faces.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>

#define POSES     12
#define MOST      20000
#define UNTOUCHED 77

typedef struct Fixture {
    imp_Context *context;
    imp_Mesh *bumpy, *torus; // several blocks of faces each
    imp_Query *query;
} Fixture;

static Fixture fixture_make(void)
{
    Fixture fixture = {.context = context_with_threads(1)};
    CHECK_INT(scene_bumpy_sphere(fixture.context, 16, 10, 1, 0.3, 5, &fixture.bumpy), IMP_STATUS_OK);
    CHECK_INT(scene_torus(fixture.context, 14, 9, 1, 0.3, &fixture.torus), IMP_STATUS_OK);
    CHECK_INT(imp_query_create(NULL, &fixture.query), IMP_STATUS_OK);
    return fixture;
}

static void fixture_destroy(Fixture *fixture)
{
    imp_query_destroy(fixture->query);
    imp_mesh_release(fixture->bumpy);
    imp_mesh_release(fixture->torus);
    imp_context_destroy(fixture->context);
}

// From deep inside to far away: some touch, some do not.
static void fill_poses(imp_Pose poses[POSES])
{
    for (int i = 0; i < POSES; ++i)
        poses[i] = (imp_Pose){{0.25 * i, 0.1, 0.05 * i}, random_rotation()};
}

// What a world of the two says; returns how many pairs are in `pairs`.
static size_t ask_world(imp_Context *context, const imp_MeshPair *meshes, size_t pose,
                        imp_FacePair pairs[MOST])
{
    imp_World *world = NULL;
    imp_BodyId ids[2];
    const imp_Report *report = NULL;
    CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_OK);
    imp_BodyDef defs[2] = {{.mesh = meshes->a, .pose = meshes->pose_a},
                           {.mesh = meshes->b, .pose = meshes->poses_b[pose]}};
    for (int i = 0; i < 2; ++i)
        CHECK_INT(imp_world_add_body(world, &defs[i], &ids[i]), IMP_STATUS_OK);
    CHECK_INT(imp_world_detect(world, NULL, &report), IMP_STATUS_OK);
    size_t count = report->face_pair_count;
    CHECK(count <= MOST);
    for (size_t i = 0; i < count; ++i)
        pairs[i] = (imp_FacePair){report->face_pairs[i].face_a, report->face_pairs[i].face_b};
    imp_world_destroy(world);
    return count;
}

static bool same_pairs(const imp_FacePair *a, const imp_FacePair *b, size_t count)
{
    return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

// All poses in one call, each compared with a world of its own. Returns how many of them touch.
static size_t check_against_worlds(imp_Context *context, imp_Query *query, const imp_MeshPair *meshes)
{
    static imp_FacePair pairs[MOST], wanted[MOST];
    size_t ends[POSES] = {0}, count = 0, begin = 0, touching = 0;
    bool touch[POSES];
    CHECK_INT(imp_meshes_face_pairs(query, meshes, pairs, MOST, ends, &count), IMP_STATUS_OK);
    CHECK_INT(imp_meshes_touch(query, meshes, touch), IMP_STATUS_OK);
    CHECK_INT(count, meshes->pose_count > 0 ? ends[meshes->pose_count - 1] : 0);
    for (size_t i = 0; i < meshes->pose_count; ++i) {
        size_t wanted_count = ask_world(context, meshes, i, wanted);
        if (CHECK_INT(ends[i] - begin, (int64_t)wanted_count))
            CHECK(same_pairs(pairs + begin, wanted, wanted_count));
        CHECK_INT(touch[i], wanted_count > 0);
        touching += touch[i];
        begin = ends[i];
    }
    return touching;
}

TEST(queries_agree_with_worlds)
{
    Fixture fixture = fixture_make();
    imp_Pose poses[POSES];
    fill_poses(poses);
    imp_MeshPair meshes = {fixture.bumpy, fixture.torus, {{0.1, 0.2, 0.3}, random_rotation()}, poses, POSES};
    size_t touching = check_against_worlds(fixture.context, fixture.query, &meshes);
    CHECK(touching > 2 && touching < POSES);
    // The same mesh on both sides, at the same place too.
    meshes.b = fixture.bumpy;
    poses[0] = meshes.pose_a;
    touching = check_against_worlds(fixture.context, fixture.query, &meshes);
    CHECK(touching > 2 && touching < POSES);
    meshes.a = meshes.b = fixture.torus;
    check_against_worlds(fixture.context, fixture.query, &meshes);
    // No pose, and one.
    meshes.pose_count = 0;
    check_against_worlds(fixture.context, fixture.query, &meshes);
    meshes.pose_count = 1;
    check_against_worlds(fixture.context, fixture.query, &meshes);
    fixture_destroy(&fixture);
}

// Whatever a query was asked before: sides change places, one stays and the other goes.
TEST(meshes_change_sides)
{
    Fixture fixture = fixture_make();
    imp_Mesh *box = NULL;
    imp_Pose poses[POSES];
    fill_poses(poses);
    CHECK_INT(scene_box(fixture.context, (imp_Vec3){-1, -1, -1}, (imp_Vec3){1, 1, 1}, &box), IMP_STATUS_OK);
    imp_Mesh *all[3] = {fixture.bumpy, fixture.torus, box};
    for (int i = 0; i < 60; ++i) {
        imp_Mesh *a = all[test_random_below(3)], *b = all[test_random_below(3)];
        imp_MeshPair meshes = {a, b, {{0, 0, 0}, random_rotation()}, &poses[test_random_below(POSES - 2)], 2};
        check_against_worlds(fixture.context, fixture.query, &meshes);
    }
    imp_mesh_release(box);
    fixture_destroy(&fixture);
}

TEST(swapped_meshes_give_mirrored_pairs)
{
    static imp_FacePair pairs[MOST], mirrored[MOST];
    Fixture fixture = fixture_make();
    imp_Pose pose_a = {{0.1, 0, 0}, random_rotation()}, pose_b = {{0.7, 0.2, 0.1}, random_rotation()};
    imp_MeshPair there = {fixture.bumpy, fixture.torus, pose_a, &pose_b, 1};
    imp_MeshPair back = {fixture.torus, fixture.bumpy, pose_b, &pose_a, 1};
    size_t count = 0, mirrored_count = 0;
    CHECK_INT(imp_meshes_face_pairs(fixture.query, &there, pairs, MOST, NULL, &count), IMP_STATUS_OK);
    CHECK_INT(imp_meshes_face_pairs(fixture.query, &back, mirrored, MOST, NULL, &mirrored_count),
              IMP_STATUS_OK);
    CHECK(count > 20);
    CHECK_INT(mirrored_count, (int64_t)count);
    for (size_t i = 1; i < mirrored_count; ++i)
        CHECK(compare_face_pairs(&mirrored[i - 1], &mirrored[i]) < 0);
    for (size_t i = 0; i < mirrored_count; ++i)
        mirrored[i] = (imp_FacePair){mirrored[i].face_b, mirrored[i].face_a};
    qsort(mirrored, mirrored_count, sizeof *mirrored, compare_face_pairs);
    CHECK(same_pairs(pairs, mirrored, count));
    fixture_destroy(&fixture);
}

TEST(a_mesh_inside_another_does_not_touch_it)
{
    Fixture fixture = fixture_make();
    imp_Mesh *small = NULL;
    imp_Pose pose = {0};
    bool touch = true;
    size_t count = UNTOUCHED;
    CHECK_INT(scene_sphere(fixture.context, 6, 4, 0.1, &small), IMP_STATUS_OK);
    imp_MeshPair meshes = {.a = fixture.bumpy, .b = small, .poses_b = &pose, .pose_count = 1};
    CHECK_INT(imp_meshes_touch(fixture.query, &meshes, &touch), IMP_STATUS_OK);
    CHECK(!touch);
    CHECK_INT(imp_meshes_face_pairs(fixture.query, &meshes, NULL, 0, NULL, &count), IMP_STATUS_OK);
    CHECK_INT(count, 0);
    // Planners have to know all the same.
    uint32_t relations = 0;
    imp_MeshPair swapped = {.a = small, .b = fixture.bumpy, .poses_b = &pose, .pose_count = 1};
    CHECK_INT(imp_meshes_relations(fixture.query, &meshes, &relations), IMP_STATUS_OK);
    CHECK_INT(relations, IMP_RELATION_B_INSIDE_A);
    CHECK_INT(imp_meshes_relations(fixture.query, &swapped, &relations), IMP_STATUS_OK);
    CHECK_INT(relations, IMP_RELATION_A_INSIDE_B);
    imp_mesh_release(small);
    fixture_destroy(&fixture);
}

TEST(a_short_buffer_gets_the_true_count_only)
{
    static imp_FacePair pairs[MOST];
    Fixture fixture = fixture_make();
    imp_Pose poses[POSES];
    size_t ends[POSES] = {UNTOUCHED}, count = 0, true_count = 0;
    fill_poses(poses);
    imp_MeshPair meshes = {.a = fixture.bumpy, .b = fixture.torus, .poses_b = poses, .pose_count = POSES};
    CHECK_INT(imp_meshes_face_pairs(fixture.query, &meshes, pairs, MOST, NULL, &true_count), IMP_STATUS_OK);
    CHECK(true_count > 20);
    memset(pairs, 0xEE, sizeof pairs);
    const size_t capacities[] = {0, 1, true_count - 1};
    for (int i = 0; i < 3; ++i) {
        count = 0;
        CHECK_INT(imp_meshes_face_pairs(fixture.query, &meshes, capacities[i] ? pairs : NULL, capacities[i],
                                        ends, &count),
                  IMP_STATUS_BUFFER_SHORT);
        CHECK_INT(count, (int64_t)true_count);
        CHECK(ends[0] == UNTOUCHED && pairs[0].face_a == 0xEEEEEEEE);
        CHECK_INT(imp_query_get_error(fixture.query)->status, IMP_STATUS_BUFFER_SHORT);
    }
    CHECK_INT(imp_meshes_face_pairs(fixture.query, &meshes, pairs, true_count, ends, &count), IMP_STATUS_OK);
    CHECK(count == true_count && pairs[true_count].face_a == 0xEEEEEEEE && ends[POSES - 1] == count);
    fixture_destroy(&fixture);
}

TEST(null_arguments_are_refused)
{
    Fixture fixture = fixture_make();
    imp_Pose pose = {0};
    imp_FacePair pair;
    bool touch = true;
    size_t count = UNTOUCHED;
    const imp_MeshPair whole = {.a = fixture.bumpy, .b = fixture.torus, .poses_b = &pose, .pose_count = 1};
    imp_MeshPair wrong[3] = {whole, whole, whole};
    wrong[0].a = NULL;
    wrong[1].b = NULL;
    wrong[2].poses_b = NULL;
    CHECK_INT(imp_query_create(NULL, NULL), IMP_STATUS_BAD_ARGUMENT);
    imp_query_destroy(NULL);
    CHECK(imp_query_get_error(NULL) != NULL);
    CHECK_INT(imp_meshes_touch(NULL, &whole, &touch), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_meshes_touch(fixture.query, NULL, &touch), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_meshes_touch(fixture.query, &whole, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_query_get_error(fixture.query)->status, IMP_STATUS_BAD_ARGUMENT);
    uint32_t relations = UNTOUCHED;
    CHECK_INT(imp_meshes_relations(NULL, &whole, &relations), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_meshes_relations(fixture.query, NULL, &relations), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_meshes_relations(fixture.query, &whole, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(relations, UNTOUCHED);
    CHECK_INT(imp_meshes_face_pairs(NULL, &whole, &pair, 1, NULL, &count), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_meshes_face_pairs(fixture.query, NULL, &pair, 1, NULL, &count), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_meshes_face_pairs(fixture.query, &whole, NULL, 1, NULL, &count), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_meshes_face_pairs(fixture.query, &whole, &pair, 1, NULL, NULL), IMP_STATUS_BAD_ARGUMENT);
    for (int i = 0; i < 3; ++i) {
        CHECK_INT(imp_meshes_touch(fixture.query, &wrong[i], &touch), IMP_STATUS_BAD_ARGUMENT);
        CHECK_INT(imp_meshes_face_pairs(fixture.query, &wrong[i], &pair, 1, NULL, &count),
                  IMP_STATUS_BAD_ARGUMENT);
    }
    CHECK(touch && count == UNTOUCHED);
    // Nothing is written for no poses, so nothing has to be there.
    imp_MeshPair nowhere = {.a = fixture.bumpy, .b = fixture.torus};
    CHECK_INT(imp_meshes_touch(fixture.query, &nowhere, NULL), IMP_STATUS_OK);
    CHECK_INT(imp_meshes_relations(fixture.query, &nowhere, NULL), IMP_STATUS_OK);
    CHECK_INT(imp_meshes_face_pairs(fixture.query, &nowhere, NULL, 0, NULL, &count), IMP_STATUS_OK);
    CHECK_INT(count, 0);
    fixture_destroy(&fixture);
}

TEST(a_bad_pose_is_named_and_nothing_is_written)
{
    static imp_FacePair pairs[MOST];
    const imp_Pose bad[3] = {
        {.translation = {NAN, 0, 0}}, {.translation = {0, INFINITY, 0}}, {.rotation = {1, 1, 0, 0}}};
    Fixture fixture = fixture_make();
    for (int i = 0; i < 3; ++i) {
        imp_Pose poses[POSES];
        bool touch[POSES];
        size_t ends[POSES] = {UNTOUCHED}, count = UNTOUCHED, place = test_random_below(POSES);
        imp_MeshPair meshes = {.a = fixture.bumpy, .b = fixture.torus, .poses_b = poses, .pose_count = POSES};
        fill_poses(poses);
        poses[place] = bad[i];
        memset(touch, 1, sizeof touch);
        memset(pairs, 0xEE, sizeof pairs);
        CHECK_INT(imp_meshes_touch(fixture.query, &meshes, touch), IMP_STATUS_BAD_NUMBER);
        CHECK(imp_query_get_error(fixture.query)->index == place && touch[POSES - 1]);
        uint32_t relations[POSES] = {UNTOUCHED};
        CHECK_INT(imp_meshes_relations(fixture.query, &meshes, relations), IMP_STATUS_BAD_NUMBER);
        CHECK(imp_query_get_error(fixture.query)->index == place && relations[0] == UNTOUCHED);
        CHECK_INT(imp_meshes_face_pairs(fixture.query, &meshes, pairs, MOST, ends, &count),
                  IMP_STATUS_BAD_NUMBER);
        CHECK(imp_query_get_error(fixture.query)->index == place);
        CHECK(count == UNTOUCHED && ends[0] == UNTOUCHED && pairs[0].face_a == 0xEEEEEEEE);
        // The pose of a is not one of the numbered ones.
        meshes.pose_a = bad[i];
        fill_poses(poses);
        CHECK_INT(imp_meshes_touch(fixture.query, &meshes, touch), IMP_STATUS_BAD_NUMBER);
        CHECK(imp_query_get_error(fixture.query)->index == IMP_NOWHERE && touch[POSES - 1]);
        // A refusal leaves the query as good as before.
        meshes.pose_a = (imp_Pose){0};
        check_against_worlds(fixture.context, fixture.query, &meshes);
    }
    fixture_destroy(&fixture);
}

// A mesh so large that only some poses keep its vertices finite.
TEST(a_pose_beyond_the_largest_double_is_refused)
{
    Fixture fixture = fixture_make();
    imp_Mesh *large = NULL;
    bool touch[3] = {false, false, true};
    imp_Pose poses[3] = {
        {.translation.x = 0x1p1022}, {.translation.y = -0x1p1023}, {.translation.z = 0x1.8p1023}};
    CHECK_INT(scene_box(fixture.context, (imp_Vec3){-0x1p1022, -0x1p1022, -0x1p1022},
                        (imp_Vec3){0x1p1022, 0x1p1022, 0x1p1022}, &large),
              IMP_STATUS_OK);
    imp_MeshPair meshes = {.a = large, .b = large, .poses_b = poses, .pose_count = 3};
    CHECK_INT(imp_meshes_touch(fixture.query, &meshes, touch), IMP_STATUS_BAD_NUMBER);
    CHECK(imp_query_get_error(fixture.query)->index == 2 && !touch[0]);
    meshes.pose_count = 2;
    CHECK_INT(imp_meshes_touch(fixture.query, &meshes, touch), IMP_STATUS_OK);
    CHECK(touch[0] && touch[1]);
    imp_mesh_release(large);
    fixture_destroy(&fixture);
}

// A query keeps what it was asked about alive, and lets go of it.
TEST(meshes_may_be_released_while_a_query_knows_them)
{
    FailingAllocator memory;
    imp_Context *context = NULL;
    imp_Mesh *a = NULL, *b = NULL;
    imp_Query *query = NULL;
    imp_Pose pose = {0};
    bool touch = false;
    failing_allocator_init(&memory, 0);
    imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
    CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
    CHECK_INT(imp_query_create(NULL, &query), IMP_STATUS_OK);
    for (int i = 0; i < 20; ++i) {
        CHECK_INT(scene_sphere(context, 6, 4, 1, &a), IMP_STATUS_OK);
        CHECK_INT(scene_sphere(context, 5, 3, 1, &b), IMP_STATUS_OK);
        imp_MeshPair meshes = {.a = a, .b = i % 2 ? a : b, .poses_b = &pose, .pose_count = 1};
        CHECK_INT(imp_meshes_touch(query, &meshes, &touch), IMP_STATUS_OK);
        CHECK(touch);
        imp_mesh_release(a);
        imp_mesh_release(b);
    }
    imp_query_destroy(query);
    imp_context_destroy(context);
    CHECK(failing_allocator_is_clean(&memory));
}

// Ask this and that; stops at the first failure.
static imp_Status ask_all(imp_Query *query, const imp_MeshPair *meshes, size_t *count)
{
    static imp_FacePair pairs[MOST];
    bool touch[POSES];
    size_t ends[POSES];
    imp_MeshPair swapped = {.a = meshes->b, .b = meshes->a, .poses_b = meshes->poses_b, .pose_count = 2};
    imp_Status status = imp_meshes_touch(query, meshes, touch);
    uint32_t relations[POSES];
    if (status == IMP_STATUS_OK)
        status = imp_meshes_relations(query, meshes, relations);
    if (status == IMP_STATUS_OK)
        status = imp_meshes_face_pairs(query, &swapped, pairs, MOST, ends, count);
    if (status == IMP_STATUS_OK)
        status = imp_meshes_face_pairs(query, meshes, pairs, MOST, ends, count);
    return status;
}

TEST(a_query_runs_out_of_memory)
{
    uint64_t n = 0, refusals = 0;
    FailingAllocator memory;
    imp_Pose poses[POSES];
    size_t wanted = 0;
    bool failed;
    fill_poses(poses);
    do {
        Fixture fixture = fixture_make();
        imp_MeshPair meshes = {.a = fixture.bumpy, .b = fixture.torus, .poses_b = poses, .pose_count = POSES};
        size_t count = UNTOUCHED;
        CHECK_INT(ask_all(fixture.query, &meshes, &wanted), IMP_STATUS_OK);
        failing_allocator_init(&memory, ++n);
        imp_Allocator hooks = failing_allocator_hooks(&memory);
        imp_Query *query = NULL;
        imp_Status status = imp_query_create(&hooks, &query);
        CHECK((status == IMP_STATUS_OK) == (query != NULL));
        failed = true;
        if (status == IMP_STATUS_OK) {
            status = ask_all(query, &meshes, &count);
            CHECK(status == IMP_STATUS_OK || imp_query_get_error(query)->status == IMP_STATUS_OUT_OF_MEMORY);
            failed = failing_allocator_has_failed(&memory);
            // With memory again, the same query answers.
            failing_allocator_arm(&memory, 0);
            CHECK_INT(ask_all(query, &meshes, &count), IMP_STATUS_OK);
            CHECK_INT(count, (int64_t)wanted);
        }
        CHECK(status == IMP_STATUS_OK || (failed && status == IMP_STATUS_OUT_OF_MEMORY));
        refusals += status != IMP_STATUS_OK;
        imp_query_destroy(query);
        CHECK(failing_allocator_is_clean(&memory));
        fixture_destroy(&fixture);
    } while (failed);
    printf("  %llu allocations, %llu of them needed\n", (unsigned long long)n - 1,
           (unsigned long long)refusals);
    CHECK(refusals > 15);
}

TEST(a_warm_query_allocates_nothing)
{
    FailingAllocator memory;
    Fixture fixture = fixture_make();
    imp_Pose poses[POSES];
    size_t count = 0;
    imp_Query *query = NULL;
    static imp_FacePair pairs[MOST];
    size_t ends[POSES];
    bool touch[POSES];
    fill_poses(poses);
    failing_allocator_init(&memory, 0);
    imp_Allocator hooks = failing_allocator_hooks(&memory);
    CHECK_INT(imp_query_create(&hooks, &query), IMP_STATUS_OK);
    imp_MeshPair meshes = {.a = fixture.bumpy, .b = fixture.torus, .poses_b = poses, .pose_count = POSES};
    uint64_t warm = 0;
    for (int i = 0; i < 10; ++i) {
        if (i == 2)
            warm = atomic_load(&memory.allocations);
        CHECK_INT(imp_meshes_face_pairs(query, &meshes, pairs, MOST, ends, &count), IMP_STATUS_OK);
        CHECK_INT(imp_meshes_touch(query, &meshes, touch), IMP_STATUS_OK);
        CHECK(count > 20);
    }
    CHECK(warm > 0);
    CHECK_INT(atomic_load(&memory.allocations), (int64_t)warm);
    imp_query_destroy(query);
    CHECK(failing_allocator_is_clean(&memory));
    fixture_destroy(&fixture);
}

#define THREADS 4

typedef struct Asker {
    const imp_MeshPair *meshes;
    imp_FacePair *pairs;
    size_t ends[POSES], count;
    bool touch[POSES];
    imp_Status status;
} Asker;

// From scratch, so that what is derived from the meshes is derived by several threads at once.
static void *ask_on_thread(void *argument)
{
    Asker *asker = argument;
    imp_Query *query = NULL;
    asker->status = imp_query_create(NULL, &query);
    for (int i = 0; asker->status == IMP_STATUS_OK && i < 5; ++i) {
        asker->status =
            imp_meshes_face_pairs(query, asker->meshes, asker->pairs, MOST, asker->ends, &asker->count);
        if (asker->status == IMP_STATUS_OK)
            asker->status = imp_meshes_touch(query, asker->meshes, asker->touch);
    }
    imp_query_destroy(query);
    return NULL;
}

TEST(threads_share_meshes_each_with_its_own_query)
{
    static imp_FacePair pairs[THREADS][MOST];
    Fixture fixture = fixture_make();
    imp_Pose poses[POSES];
    pthread_t threads[THREADS];
    Asker askers[THREADS];
    fill_poses(poses);
    imp_MeshPair meshes = {.a = fixture.bumpy, .b = fixture.torus, .poses_b = poses, .pose_count = POSES};
    for (int i = 0; i < THREADS; ++i) {
        askers[i] = (Asker){.meshes = &meshes, .pairs = pairs[i]};
        CHECK_INT(pthread_create(&threads[i], NULL, ask_on_thread, &askers[i]), 0);
    }
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; ++i) {
        CHECK_INT(askers[i].status, IMP_STATUS_OK);
        CHECK_INT(askers[i].count, (int64_t)askers[0].count);
        CHECK(same_pairs(pairs[i], pairs[0], askers[0].count));
        CHECK(memcmp(askers[i].ends, askers[0].ends, sizeof askers[i].ends) == 0);
        CHECK(memcmp(askers[i].touch, askers[0].touch, sizeof askers[i].touch) == 0);
    }
    CHECK(askers[0].count > 20);
    CHECK(check_against_worlds(fixture.context, fixture.query, &meshes) > 2);
    fixture_destroy(&fixture);
}
