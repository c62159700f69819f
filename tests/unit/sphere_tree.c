// The interface of spheres.h: what is refused, what trees tell, who owns what. That trees cover, and how
// close they are, is tested where that is decided.
#include "failing_allocator.h"
#include "harness.h"
#include "sanitizers.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static imp_Context *make_context(uint32_t thread_count)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = thread_count}, &context), IMP_STATUS_OK);
    return context;
}

static imp_Mesh *make_box(imp_Context *context)
{
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}, &mesh), IMP_STATUS_OK);
    return mesh;
}

// ---- what is refused

static void check_refused(imp_Context *context, imp_SphereTreeDef def, imp_Status expected, const char *part)
{
    imp_SphereTree *tree = NULL;
    CHECK_INT(imp_sphere_tree_create(context, &def, &tree), expected);
    CHECK(!tree);
    CHECK_CONTAINS(imp_context_get_error(context)->message, part);
}

TEST(wrong_defs_are_refused)
{
    imp_Context *context = make_context(1);
    imp_Mesh *box = make_box(context), *open = NULL;
    CHECK_INT(scene_soup(context, 1, 0.5, 1, &open), IMP_STATUS_OK);
    const imp_Status argument = IMP_STATUS_BAD_ARGUMENT, number = IMP_STATUS_BAD_NUMBER,
                     shape = IMP_STATUS_BAD_SHAPE, large = IMP_STATUS_TOO_LARGE;
    const struct {
        imp_SphereTreeDef def;
        imp_Status expected;
        const char *part;
    } cases[] = {
        {{.mesh = box, .branch = 1}, argument, "1 children"},
        {{.mesh = box, .branch = IMP_MAX_SPHERE_BRANCH + 1}, argument, "1025 children"},
        {{.mesh = box, .depth = IMP_MAX_SPHERE_DEPTH + 1}, argument, "21 levels"},
        {{.mesh = box, .branch = 2, .count = 3}, argument, "only one"},
        {{.mesh = box, .depth = 2, .protrusion = 3}, argument, "only one"},
        {{.mesh = box, .count = 2, .protrusion = 3}, argument, "only one"},
        {{.mesh = box, .method = (imp_SphereMethod)3}, argument, "unknown method"},
        {{.mesh = box, .method = (imp_SphereMethod)-1}, argument, "unknown method"},
        {{.mesh = box, .cover = (imp_SphereCover)2}, argument, "unknown cover"},
        {{.mesh = box, .protrusion = -1}, number, "negative"},
        {{.mesh = box, .protrusion = NAN}, number, "not finite"},
        {{.mesh = box, .protrusion = INFINITY}, number, "not finite"},
        {{.mesh = box, .branch = 8, .depth = 8}, large, "could take more"},
        {{.mesh = box, .branch = 1024, .depth = 20}, large, "could take more"},
        {{.mesh = box, .count = IMP_MAX_SPHERE_COUNT}, large, "4194304 spheres"},
        {{.mesh = box, .count = UINT32_MAX}, large, "4294967295 spheres"},
        {{.mesh = open, .cover = IMP_COVER_SOLID}, shape, "no inside"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        check_refused(context, cases[i].def, cases[i].expected, cases[i].part);
    imp_mesh_release(box);
    imp_mesh_release(open);
    imp_context_destroy(context);
}

TEST(null_is_refused)
{
    imp_Context *context = make_context(1);
    imp_Mesh *box = make_box(context);
    imp_SphereTreeDef def = {.mesh = box, .method = IMP_SPHERES_OCTREE}, no_mesh = {0};
    imp_GivenSphere root = {.radius = 9, .parent = IMP_NO_SPHERE};
    imp_GivenSpheresDef given = {.mesh = box, .spheres = &root, .count = 1};
    imp_GivenSpheresDef nothing = {.mesh = box, .count = 1}, none = {.mesh = box};
    imp_SphereTree *tree = NULL;
    imp_SphereLevel info = {.count = 77};
    size_t count = 77;
    CHECK_INT(imp_sphere_tree_create(NULL, &def, &tree), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_sphere_tree_create(context, NULL, &tree), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_sphere_tree_create(context, &no_mesh, &tree), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_sphere_tree_create(context, &def, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_sphere_tree_create_from_spheres(NULL, &given, &tree), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_sphere_tree_create_from_spheres(context, NULL, &tree), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_sphere_tree_create_from_spheres(context, &nothing, &tree), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_sphere_tree_create_from_spheres(context, &none, &tree), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_sphere_tree_create_from_spheres(context, &given, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK(!tree);
    CHECK(!imp_sphere_tree_retain(NULL) && !imp_sphere_tree_get_mesh(NULL) &&
          !imp_sphere_tree_is_solid(NULL));
    CHECK(!imp_sphere_tree_get_spheres(NULL, &count) && count == 0);
    CHECK_INT(imp_sphere_tree_get_cover(NULL), IMP_COVER_SURFACE);
    CHECK_INT(imp_sphere_tree_get_level_count(NULL), 0);
    CHECK_INT(imp_sphere_tree_get_level(NULL, 0, &info), IMP_STATUS_BAD_ARGUMENT);
    imp_sphere_tree_release(NULL);
    CHECK_INT(imp_sphere_tree_create_from_spheres(context, &given, &tree), IMP_STATUS_OK);
    CHECK_INT(imp_sphere_tree_get_level(tree, 0, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_sphere_tree_get_level(tree, 1, &info), IMP_STATUS_BAD_INDEX);
    CHECK_INT(info.count, 77);
    CHECK(imp_sphere_tree_get_spheres(tree, NULL) != NULL);
    imp_sphere_tree_release(tree);
    imp_mesh_release(box);
    imp_context_destroy(context);
}

// ---- what a tree tells

// Whatever a tree is, its parts fit together.
static void check_tree(const imp_SphereTree *tree)
{
    size_t count, level_count = imp_sphere_tree_get_level_count(tree), first = 0;
    const imp_Sphere *spheres = imp_sphere_tree_get_spheres(tree, &count);
    for (size_t level = 0; level < level_count; ++level) {
        imp_SphereLevel info;
        double largest = 0, largest_surface = 0;
        CHECK_INT(imp_sphere_tree_get_level(tree, level, &info), IMP_STATUS_OK);
        CHECK_INT(info.first, first);
        for (size_t i = first; i < first + info.count; ++i) {
            CHECK_INT(spheres[i].level, level);
            largest = fmax(largest, spheres[i].protrusion);
            largest_surface = fmax(largest_surface, spheres[i].surface_protrusion);
        }
        CHECK_DOUBLE(info.largest_protrusion, largest);
        CHECK_DOUBLE(info.largest_surface_protrusion, largest_surface);
        CHECK(info.mean_protrusion <= largest && info.mean_surface_protrusion <= largest_surface);
        first += info.count;
    }
    CHECK_INT(first, count);
    CHECK_INT(spheres[0].parent, IMP_NO_SPHERE);
    for (size_t i = 0; i < count; ++i) {
        CHECK(spheres[i].radius >= 0 && spheres[i].protrusion <= spheres[i].surface_protrusion);
        CHECK((spheres[i].child_count == 0) == (spheres[i].level + 1 == level_count));
        for (uint32_t k = 0; k < spheres[i].child_count; ++k)
            CHECK_INT(spheres[spheres[i].first_child + k].parent, i);
    }
}

TEST(trees_tell_what_they_hold)
{
    imp_Context *context = make_context(1);
    imp_Mesh *box = make_box(context);
    imp_SphereTree *tree = NULL;
    size_t count;
    imp_SphereTreeDef def = {.mesh = box, .method = IMP_SPHERES_OCTREE, .depth = 2};
    CHECK_INT(imp_sphere_tree_create(context, &def, &tree), IMP_STATUS_OK);
    CHECK(imp_sphere_tree_get_mesh(tree) == box);
    CHECK(imp_sphere_tree_is_solid(tree));
    CHECK_INT(imp_sphere_tree_get_cover(tree), IMP_COVER_SURFACE);
    CHECK_INT(imp_sphere_tree_get_level_count(tree), 3);
    check_tree(tree);
    imp_sphere_tree_release(tree);
    def.cover = IMP_COVER_SOLID;
    CHECK_INT(imp_sphere_tree_create(context, &def, &tree), IMP_STATUS_OK);
    CHECK_INT(imp_sphere_tree_get_cover(tree), IMP_COVER_SOLID);
    check_tree(tree);
    imp_sphere_tree_release(tree);
    def = (imp_SphereTreeDef){.mesh = box, .method = IMP_SPHERES_OCTREE, .count = 10};
    CHECK_INT(imp_sphere_tree_create(context, &def, &tree), IMP_STATUS_OK);
    CHECK_INT(imp_sphere_tree_get_level_count(tree), 2);
    imp_sphere_tree_get_spheres(tree, &count);
    CHECK(count > 1 && count <= 11);
    check_tree(tree);
    imp_sphere_tree_release(tree);
    imp_mesh_release(box);
    imp_context_destroy(context);
}

// Means are bounds, too: no less than those of the bounds of spheres, which the smallest doubles would round
// to nothing.
TEST(means_are_rounded_up)
{
    static const double scales[] = {1, 1e-3, 1e-320};
    imp_Context *context = make_context(1);
    imp_Mesh *torus = NULL;
    CHECK_INT(scene_torus(context, 12, 8, 1, 0.3, &torus), IMP_STATUS_OK);
    for (size_t i = 0; i < sizeof scales / sizeof *scales; ++i) {
        imp_Mesh *mesh = NULL;
        imp_SphereTree *tree = NULL;
        CHECK_INT(scene_place(context, torus, scales[i], (imp_Vec3){0, 0, 0}, &mesh), IMP_STATUS_OK);
        imp_SphereTreeDef def = {.mesh = mesh, .method = IMP_SPHERES_OCTREE};
        CHECK_INT(imp_sphere_tree_create(context, &def, &tree), IMP_STATUS_OK);
        const imp_Sphere *spheres = imp_sphere_tree_get_spheres(tree, NULL);
        for (size_t level = 1; level <= 3; ++level) {
            imp_SphereLevel info = {0};
            long double sum = 0, surface_sum = 0;
            CHECK_INT(imp_sphere_tree_get_level(tree, level, &info), IMP_STATUS_OK);
            for (uint32_t k = 0; k < info.count; ++k) {
                sum += spheres[info.first + k].protrusion;
                surface_sum += spheres[info.first + k].surface_protrusion;
            }
            CHECK((long double)info.mean_protrusion * info.count >= sum * (1 - 0x1p-54L));
            CHECK((long double)info.mean_surface_protrusion * info.count >= surface_sum * (1 - 0x1p-54L));
            CHECK((long double)info.mean_protrusion * info.count <= sum * (1 + 1e-12L) || scales[i] < 1e-300);
        }
        imp_sphere_tree_release(tree);
        imp_mesh_release(mesh);
    }
    imp_mesh_release(torus);
    imp_context_destroy(context);
}

TEST(a_tree_outlives_its_context_and_keeps_its_mesh)
{
    FailingAllocator memory;
    failing_allocator_init(&memory, 0);
    imp_Context *context = NULL;
    imp_ContextDef context_def = {.allocator = failing_allocator_hooks(&memory)};
    CHECK_INT(imp_context_create(&context_def, &context), IMP_STATUS_OK);
    imp_Mesh *box = make_box(context);
    imp_SphereTree *tree = NULL;
    imp_SphereTreeDef def = {.mesh = box, .method = IMP_SPHERES_OCTREE, .depth = 1};
    CHECK_INT(imp_sphere_tree_create(context, &def, &tree), IMP_STATUS_OK);
    imp_mesh_release(box);
    imp_context_destroy(context);
    CHECK(imp_sphere_tree_retain(tree) == tree);
    imp_sphere_tree_release(tree);
    CHECK_INT(imp_mesh_get_triangle_count(imp_sphere_tree_get_mesh(tree)), 12);
    check_tree(tree);
    imp_sphere_tree_release(tree);
    CHECK(failing_allocator_is_clean(&memory));
}

// ---- spheres that are given

#define GIVEN_COUNT 7

// A root, two below it, and two below each, all of which hold the whole box.
static const imp_GivenSphere wide[GIVEN_COUNT] = {{{0.5, 0.5, 0.5}, 1, IMP_NO_SPHERE},
                                                  {{0.5, 0.5, 0.5}, 2, 0},
                                                  {{0, 0, 0}, 3, 0},
                                                  {{0.5, 0.5, 0.5}, 4, 1},
                                                  {{1, 1, 1}, 5, 1},
                                                  {{0.5, 0.5, 0}, 6, 2},
                                                  {{0.5, 0, 0.5}, 7, 2}};

static void check_given(imp_Context *context, imp_Mesh *mesh, const imp_GivenSphere *spheres, size_t count,
                        imp_Status expected, uint64_t index)
{
    imp_SphereTree *tree = NULL;
    imp_GivenSpheresDef def = {.mesh = mesh, .spheres = spheres, .count = count};
    CHECK_INT(imp_sphere_tree_create_from_spheres(context, &def, &tree), expected);
    CHECK((tree != NULL) == (expected == IMP_STATUS_OK));
    if (expected != IMP_STATUS_OK && index != IMP_NOWHERE)
        CHECK_INT(imp_context_get_error(context)->index, index);
    for (size_t i = 0; i < count && tree; ++i) {
        const imp_Sphere *kept = &imp_sphere_tree_get_spheres(tree, NULL)[i];
        CHECK(kept->radius == spheres[i].radius && kept->parent == spheres[i].parent &&
              memcmp(&kept->center, &spheres[i].center, sizeof kept->center) == 0);
    }
    if (tree)
        check_tree(tree);
    imp_sphere_tree_release(tree);
}

TEST(given_spheres_keep_their_numbers_or_are_refused)
{
    imp_Context *context = make_context(1);
    imp_Mesh *box = make_box(context);
    imp_GivenSphere given[GIVEN_COUNT];
#define CHANGED(change, expected, index)                                                                     \
    memcpy(given, wide, sizeof given), change, check_given(context, box, given, GIVEN_COUNT, expected, index)
    check_given(context, box, wide, GIVEN_COUNT, IMP_STATUS_OK, 0);
    check_given(context, box, wide, 3, IMP_STATUS_OK, 0);
    check_given(context, box, wide, 1, IMP_STATUS_OK, 0);
    CHANGED(given[4].center.x = NAN, IMP_STATUS_BAD_NUMBER, 4);
    CHANGED(given[0].center.z = INFINITY, IMP_STATUS_BAD_NUMBER, 0);
    CHANGED(given[6].radius = -1e-300, IMP_STATUS_BAD_NUMBER, 6);
    CHANGED(given[6].radius = INFINITY, IMP_STATUS_BAD_NUMBER, 6);
    CHANGED(given[0].parent = 0, IMP_STATUS_BAD_ARGUMENT, 0);
    CHANGED(given[1].parent = IMP_NO_SPHERE, IMP_STATUS_BAD_ARGUMENT, 1);
    CHANGED(given[2].parent = 2, IMP_STATUS_BAD_ARGUMENT, 2);
    CHANGED(given[5].parent = 6, IMP_STATUS_BAD_ARGUMENT, 5);
    CHANGED(given[4].parent = 2, IMP_STATUS_OK, 0);
    CHANGED((given[3].parent = 2, given[4].parent = 1), IMP_STATUS_BAD_ARGUMENT, 4);
    // Sphere 2 ends before the last level.
    check_given(context, box, wide, 5, IMP_STATUS_BAD_ARGUMENT, 2);
    // Nothing is covered by a root that does not hold it, however wide the others are.
    CHANGED(given[0].radius = 0.5, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE);
    CHECK(imp_context_get_error(context)->index < 12);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "face");
    // Below a sphere that holds nothing, others may hold nothing too: there is another chain.
    CHANGED((given[1].radius = 0, given[3].radius = 0, given[4].radius = 0), IMP_STATUS_OK, 0);
    CHANGED((given[1].radius = 0, given[5].radius = 0, given[6].radius = 0), IMP_STATUS_BAD_SHAPE,
            IMP_NOWHERE);
    imp_mesh_release(box);
    imp_context_destroy(context);
}

// How many have a sphere that is their parent's.
static size_t check_descent(imp_Context *context, imp_Mesh *mesh, uint32_t branch, uint32_t depth)
{
    imp_SphereTree *tree = NULL, *again = NULL;
    size_t count, copy_count = 0;
    CHECK_INT(imp_sphere_tree_create(
                  context, &(imp_SphereTreeDef){.mesh = mesh, .branch = branch, .depth = depth}, &tree),
              IMP_STATUS_OK);
    const imp_Sphere *spheres = imp_sphere_tree_get_spheres(tree, &count);
    imp_GivenSphere *given = calloc(count + 1, sizeof *given);
    for (size_t i = 0; i < count; ++i) {
        given[i] = (imp_GivenSphere){spheres[i].center, spheres[i].radius, spheres[i].parent};
        CHECK(spheres[i].protrusion <= spheres[i].surface_protrusion);
        if (i == 0)
            continue;
        const imp_Sphere *parent = &spheres[spheres[i].parent];
        CHECK(spheres[i].protrusion <= parent->protrusion);
        copy_count += memcmp(&spheres[i].center, &parent->center, sizeof parent->center) == 0;
    }
    // What is copied covers as well.
    imp_GivenSpheresDef def = {.mesh = mesh, .spheres = given, .count = count};
    CHECK_INT(imp_sphere_tree_create_from_spheres(context, &def, &again), IMP_STATUS_OK);
    free(given);
    imp_sphere_tree_release(again);
    imp_sphere_tree_release(tree);
    return copy_count;
}

TEST(no_sphere_sticks_out_farther_than_its_parent)
{
    if (skips_slow_tests())
        return;
    imp_Context *context = make_context(1);
    imp_Mesh *meshes[2] = {NULL};
    size_t copy_count = 0;
    CHECK_INT(scene_box(context, (imp_Vec3){-1, -2, -3}, (imp_Vec3){1, 1, 1}, &meshes[0]), IMP_STATUS_OK);
    CHECK_INT(scene_grid_soup(context, 60, 4, 7, &meshes[1]), IMP_STATUS_OK);
    for (size_t i = 0; i < 2; ++i) {
        copy_count += check_descent(context, meshes[i], 2, 6);
        imp_mesh_release(meshes[i]);
    }
    CHECK(copy_count > 0); // or it would show nothing
    imp_context_destroy(context);
}

TEST(chains_are_limited_in_depth)
{
    imp_Context *context = make_context(1);
    imp_Mesh *box = make_box(context);
    imp_GivenSphere chain[IMP_MAX_SPHERE_DEPTH + 2];
    for (uint32_t i = 0; i < IMP_MAX_SPHERE_DEPTH + 2; ++i)
        chain[i] = (imp_GivenSphere){{0.5, 0.5, 0.5}, 1, i ? i - 1 : IMP_NO_SPHERE};
    check_given(context, box, chain, IMP_MAX_SPHERE_DEPTH + 1, IMP_STATUS_OK, 0);
    check_given(context, box, chain, IMP_MAX_SPHERE_DEPTH + 2, IMP_STATUS_BAD_ARGUMENT,
                IMP_MAX_SPHERE_DEPTH + 1);
    imp_mesh_release(box);
    imp_context_destroy(context);
}

// Its own spheres, given back, are the same tree to the bit.
TEST(a_tree_given_back_is_the_same)
{
    imp_Context *one = make_context(1), *five = make_context(5);
    imp_Mesh *mesh = NULL;
    imp_SphereTree *tree = NULL, *again = NULL;
    imp_GivenSphere given[128];
    size_t count, again_count;
    CHECK_INT(scene_torus(one, 12, 8, 1, 0.3, &mesh), IMP_STATUS_OK);
    imp_SphereTreeDef def = {.mesh = mesh, .method = IMP_SPHERES_OCTREE, .depth = 2};
    CHECK_INT(imp_sphere_tree_create(one, &def, &tree), IMP_STATUS_OK);
    const imp_Sphere *spheres = imp_sphere_tree_get_spheres(tree, &count);
    CHECK(count > 20 && count <= 128);
    for (size_t i = 0; i < count && count <= 128; ++i)
        given[i] = (imp_GivenSphere){spheres[i].center, spheres[i].radius, spheres[i].parent};
    imp_GivenSpheresDef given_def = {.mesh = mesh, .spheres = given, .count = count};
    CHECK_INT(imp_sphere_tree_create_from_spheres(five, &given_def, &again), IMP_STATUS_OK);
    const imp_Sphere *same = imp_sphere_tree_get_spheres(again, &again_count);
    CHECK_INT(again_count, count);
    for (size_t i = 0; i < count; ++i)
        CHECK(memcmp(&spheres[i], &same[i], offsetof(imp_Sphere, face) + sizeof(uint32_t)) == 0);
    imp_sphere_tree_release(tree);
    imp_sphere_tree_release(again);
    imp_mesh_release(mesh);
    imp_context_destroy(one);
    imp_context_destroy(five);
}

// ---- memory, and watches

// A tree made, given back and released where the n-th allocation fails. False when out of memory.
static bool make_and_give(imp_Context *context, imp_Mesh *mesh, imp_SphereMethod method)
{
    imp_SphereTree *tree = NULL, *again = NULL;
    imp_GivenSpheresDef given = {.mesh = mesh, .spheres = wide, .count = GIVEN_COUNT};
    imp_SphereTreeDef def = {.mesh = mesh, .method = method, .branch = 2, .depth = 1};
    imp_Status status = imp_sphere_tree_create(context, &def, &tree);
    if (status == IMP_STATUS_OK)
        status = imp_sphere_tree_create_from_spheres(context, &given, &again);
    CHECK(status == IMP_STATUS_OK || status == IMP_STATUS_OUT_OF_MEMORY);
    imp_sphere_tree_release(tree);
    imp_sphere_tree_release(again);
    return status == IMP_STATUS_OK;
}

static void fail_each_allocation(imp_SphereMethod method)
{
    FailingAllocator memory;
    imp_Context *keeper = make_context(1);
    imp_Mesh *box = make_box(keeper);
    uint64_t n = 0;
    do {
        imp_Context *context = NULL;
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        bool is_made = imp_context_create(&def, &context) == IMP_STATUS_OK;
        is_made = is_made && make_and_give(context, box, method);
        // Scratch memory that can't be joined at the end of a call is no failure.
        CHECK(is_made || failing_allocator_has_failed(&memory));
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 10);
    imp_mesh_release(box);
    imp_context_destroy(keeper);
}

TEST(each_allocation_may_fail)
{
    fail_each_allocation(IMP_SPHERES_OCTREE);
#if !defined(TEST_UNDER_THREAD_SANITIZER) // which takes a minute, and has no threads to watch
    fail_each_allocation(IMP_SPHERES_FIT);
#endif
}

TEST(a_watch_ends_it)
{
    imp_Context *context = make_context(2);
    imp_Mesh *box = make_box(context);
    imp_Cancel *cancel = NULL;
    imp_SphereTree *tree = NULL;
    imp_SphereTreeDef def = {.mesh = box};
    imp_GivenSpheresDef given = {.mesh = box, .spheres = wide, .count = GIVEN_COUNT};
    CHECK_INT(imp_cancel_create(context, &cancel), IMP_STATUS_OK);
    imp_cancel_request(cancel);
    CHECK_INT(imp_context_watch(context, &(imp_Watch){.cancel = cancel}), IMP_STATUS_OK);
    for (int method = IMP_SPHERES_FIT; method <= IMP_SPHERES_OCTREE; method += 2) {
        def.method = (imp_SphereMethod)method;
        CHECK_INT(imp_sphere_tree_create(context, &def, &tree), IMP_STATUS_CANCELLED);
    }
    CHECK_INT(imp_sphere_tree_create_from_spheres(context, &given, &tree), IMP_STATUS_CANCELLED);
    CHECK(!tree);
    CHECK_INT(imp_context_watch(context, NULL), IMP_STATUS_OK);
    imp_cancel_destroy(cancel);
    imp_mesh_release(box);
    imp_context_destroy(context);
}
