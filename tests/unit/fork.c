// What a forked child can do with what its parent has made. Every public function that gets a context, or
// something that works in one, is called here: tests/structure/fork_table.sh looks for their names.
#include "failing_allocator.h"
#include "forks.h"
#include "harness.h"
#include "posed_faces.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHILD_SECONDS 60 // a child that hangs is ended

// One of each.
typedef struct Everything {
    FailingAllocator memory;
    imp_Context *context;
    imp_World *world;
    imp_BodyId bodies[2];
    imp_Broad *broad;
    imp_BroadId box;
    imp_Query *query;
    imp_Cancel *cancel;
    imp_Mesh *mesh;
    imp_Convex *convex;
    imp_SphereTree *tree;
    imp_Octree *octree;
} Everything;

static void make_everything_with(Everything *all, imp_ContextDef def)
{
    failing_allocator_init(&all->memory, 0);
    imp_Allocator hooks = failing_allocator_hooks(&all->memory);
    def.allocator = hooks;
    CHECK_INT(imp_context_create(&def, &all->context), IMP_STATUS_OK);
    CHECK_INT(imp_cancel_create(all->context, &all->cancel), IMP_STATUS_OK);
    CHECK_INT(scene_box(all->context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}, &all->mesh), IMP_STATUS_OK);
    CHECK_INT(imp_convex_create_from_mesh(all->context, all->mesh, &all->convex), IMP_STATUS_OK);
    imp_SphereTreeDef tree_def = {.mesh = all->mesh, .method = IMP_SPHERES_OCTREE, .branch = 8, .depth = 1};
    CHECK_INT(imp_sphere_tree_create(all->context, &tree_def, &all->tree), IMP_STATUS_OK);
    CHECK_INT(
        imp_octree_create(all->context, &(imp_OctreeDef){.mesh = all->mesh, .grid.level = 1}, &all->octree),
        IMP_STATUS_OK);
    CHECK_INT(imp_world_create(all->context, NULL, &all->world), IMP_STATUS_OK);
    CHECK_INT(imp_world_add_body(all->world, &(imp_BodyDef){.mesh = all->mesh}, &all->bodies[0]),
              IMP_STATUS_OK);
    CHECK_INT(imp_world_add_body(all->world, &(imp_BodyDef){.convex = all->convex}, &all->bodies[1]),
              IMP_STATUS_OK);
    CHECK_INT(imp_broad_create(all->context, NULL, &all->broad), IMP_STATUS_OK);
    CHECK_INT(imp_broad_add(all->broad, &(imp_Box){{0, 0, 0}, {1, 1, 1}}, 1, 0, &all->box), IMP_STATUS_OK);
    CHECK_INT(imp_query_create(&hooks, &all->query), IMP_STATUS_OK);
}

static void make_everything(Everything *all, uint32_t thread_count)
{
    make_everything_with(all, (imp_ContextDef){.thread_count = thread_count});
}

static bool all_work(const Everything *all)
{
    const imp_Report *report = NULL;
    const imp_BroadResult *result = NULL;
    bool touch = false;
    imp_Pose pose = {0};
    imp_MeshPair pair = {.a = all->mesh, .b = all->mesh, .poses_b = &pose, .pose_count = 1};
    bool held = CHECK_INT(imp_world_detect(all->world, NULL, &report), IMP_STATUS_OK) &&
                CHECK_INT(report->body_pair_count, 1);
    held &= CHECK_INT(imp_broad_update(all->broad, &result), IMP_STATUS_OK);
    held &= CHECK_INT(imp_meshes_touch(all->query, &pair, &touch), IMP_STATUS_OK) && CHECK(touch);
    return held;
}

static void destroy_everything(const Everything *all)
{
    imp_query_destroy(all->query);
    imp_broad_destroy(all->broad);
    imp_world_destroy(all->world);
    imp_cancel_destroy(all->cancel);
    imp_convex_release(all->convex);
    imp_sphere_tree_release(all->tree);
    imp_octree_release(all->octree);
    imp_mesh_release(all->mesh);
    imp_context_destroy(all->context);
}

typedef bool (*ChildFn)(const Everything *all);

// Does a child in which `run` says true end well, and soon?
static bool child_does_well(ChildFn run, const Everything *all)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        alarm(CHILD_SECONDS);
        bool held = run(all);
        fflush(NULL);
        _exit(held ? 0 : 1);
    }
    int status = -1;
    bool has_ended = CHECK(child > 0) && CHECK(waitpid(child, &status, 0) == child);
    return has_ended && CHECK(WIFEXITED(status)) && CHECK_INT(WEXITSTATUS(status), 0);
}

#ifdef TEST_UNDER_THREAD_SANITIZER
#define SKIP_WITHOUT_FORK()                                                                                  \
    do {                                                                                                     \
        test_skip("the thread sanitizer supports no threads in forked children");                            \
        return;                                                                                              \
    } while (0)
#else
#define SKIP_WITHOUT_FORK() (void)0
#endif

// ---- what is refused

#define REFUSED(call) held &= CHECK_INT(call, IMP_STATUS_FORKED)

static bool context_refuses(const Everything *all)
{
    bool held = true, flag = false;
    imp_Cancel *cancel = NULL;
    imp_Mesh *mesh = NULL;
    imp_Scene *scene = NULL;
    imp_Convex *convex = NULL;
    imp_SphereTree *tree = NULL;
    imp_World *world = NULL;
    imp_Broad *broad = NULL;
    imp_MeshInfo info;
    imp_PointLocation location;
    imp_InteriorPoint interior;
    imp_FacePair face_pair;
    imp_IndexPair index_pair;
    const imp_IndexPair *index_pairs = NULL;
    imp_ConvexResult result;
    imp_ConvexDistance distance;
    imp_Certificate certificate = {0};
    uint32_t neighbours[36];
    size_t count = 0;
    uint64_t total = 0;
    float row[6] = {0, 0, 0, 1, 1, 1};
    imp_BoxArray boxes = {.float_boxes = row, .count = 1};
    imp_ConvexPair pair = {.a = all->convex, .b = all->convex};
    imp_Triangle triangle = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    imp_Vec3 point = {0, 0, 0};
    imp_MeshDef mesh_def = {.vertices = &imp_mesh_get_vertices(all->mesh)->x,
                            .vertex_count = 8,
                            .indices = imp_mesh_get_indices(all->mesh),
                            .triangle_count = 12};
    imp_ConvexDef convex_def = {.points = &imp_mesh_get_vertices(all->mesh)->x, .point_count = 8};
    imp_GivenSphere sphere = {.radius = 9, .parent = IMP_NO_SPHERE};
    imp_SphereTreeDef tree_def = {.mesh = all->mesh};
    imp_GivenSpheresDef given_def = {.mesh = all->mesh, .spheres = &sphere, .count = 1};
    imp_SearchStats stats = {0};
    imp_SweepQuery query = {.end[0].x = 1};
    imp_MovingTriangle moving = {triangle, triangle};
    double time = -1;
    REFUSED(imp_context_watch(all->context, NULL));
    REFUSED(imp_cancel_create(all->context, &cancel));
    REFUSED(imp_triangle_pairs_touch(all->context, &triangle, &triangle, 1, &flag));
    REFUSED(imp_sweep_vertex_faces(all->context, &query, 1, &time));
    REFUSED(imp_sweep_edges(all->context, &query, 1, &time));
    REFUSED(imp_sweep_triangles(all->context, &moving, &moving, 1, &time));
    REFUSED(imp_pairs_find(all->context, &boxes, &index_pair, 1, &total));
    REFUSED(imp_pairs_list(all->context, &boxes, &index_pairs, &count));
    REFUSED(imp_pairs_find_between(all->context, &boxes, &boxes, &index_pair, 1, &total));
    REFUSED(imp_pairs_list_between(all->context, &boxes, &boxes, &index_pairs, &count));
    REFUSED(imp_pairs_measure(all->context, &stats));
    REFUSED(imp_mesh_create(all->context, &mesh_def, &mesh));
    REFUSED(imp_mesh_transform(all->context, all->mesh, &(imp_MeshTransformDef){0}, &mesh));
    REFUSED(imp_mesh_load(all->context, "nothing.obj", &mesh));
    REFUSED(imp_mesh_load_with(all->context, "nothing.obj", NULL, &mesh));
    REFUSED(imp_mesh_load_memory(all->context, IMP_FORMAT_OFF, "OFF", 3, "nothing", &mesh));
    REFUSED(imp_mesh_save(all->context, all->mesh, "/nowhere/mesh.obj"));
    REFUSED(imp_scene_load(all->context, "nothing.gltf", &scene));
    REFUSED(imp_scene_load_with(all->context, "nothing.gltf", NULL, &scene));
    REFUSED(imp_mesh_analyse(all->context, all->mesh, &info));
    REFUSED(imp_mesh_is_closed(all->context, all->mesh, &flag));
    REFUSED(imp_mesh_adjacency(all->context, all->mesh, neighbours));
    REFUSED(imp_mesh_locate_points(all->context, all->mesh, &point, 1, &location));
    REFUSED(imp_mesh_interior_points(all->context, all->mesh, &interior, 1, &count));
    REFUSED(imp_mesh_self_pairs(all->context, all->mesh, &face_pair, 1, &count));
    REFUSED(imp_convex_create(all->context, &convex_def, &convex));
    REFUSED(imp_convex_create_from_mesh(all->context, all->mesh, &convex));
    REFUSED(imp_sphere_tree_create(all->context, &tree_def, &tree));
    REFUSED(imp_sphere_tree_create_from_spheres(all->context, &given_def, &tree));
    REFUSED(imp_convex_test(all->context, NULL, &pair, &result));
    REFUSED(imp_convex_distance(all->context, NULL, &pair, NULL, &distance));
    REFUSED(imp_certificate_check(all->context, &pair, &certificate, &flag));
    REFUSED(imp_world_create(all->context, NULL, &world));
    REFUSED(imp_broad_create(all->context, NULL, &broad));
    held &= CHECK_INT(imp_context_get_error(all->context)->status, IMP_STATUS_FORKED);
    held &= CHECK_CONTAINS(imp_context_get_error(all->context)->message, "forked");
    held &= CHECK_INT(imp_context_get_thread_count(all->context), 0);
    return held && CHECK(!cancel && !mesh && !scene && !convex && !tree && !world && !broad && !flag &&
                         !total && !count && !index_pairs && time == -1);
}

static bool octrees_refuse(const Everything *all)
{
    bool held = true;
    imp_OctreeGrid grid = {{0, 0, 0}, 1, 1};
    imp_OctreeDef def = {.mesh = all->mesh, .grid = grid};
    imp_OctreeMoveDef motion = {0};
    imp_Octree *octree = NULL;
    imp_Mesh *mesh = NULL;
    imp_Vec3 point = {0, 0, 0};
    imp_CellColour colour = IMP_CELL_GRAY;
    imp_OctreeCube cube;
    uint8_t voxels[8] = {0};
    char text[16];
    size_t count = 0;
    REFUSED(imp_octree_create(all->context, &def, &octree));
    REFUSED(imp_octree_create_from_voxels(all->context, &grid, voxels, 8, &octree));
    REFUSED(imp_octree_create_from_df(all->context, &grid, "B", 1, &octree));
    REFUSED(imp_octree_locate_points(all->context, all->octree, &point, 1, &colour));
    REFUSED(imp_octree_get_voxels(all->context, all->octree, voxels, 8));
    REFUSED(imp_octree_get_df(all->context, all->octree, text, sizeof text, &count));
    REFUSED(imp_octree_get_surface(all->context, all->octree, &mesh));
    REFUSED(imp_octree_combine(all->context, IMP_OCTREE_UNION, all->octree, all->octree, &octree));
    REFUSED(imp_octree_complement(all->context, all->octree, &octree));
    REFUSED(imp_octree_get_cubes(all->context, all->octree, NULL, &cube, 1, &count));
    REFUSED(imp_octree_move(all->context, all->octree, &motion, &octree));
    REFUSED(imp_octree_save(all->context, all->octree, "/nowhere/octree.oct"));
    REFUSED(imp_octree_load(all->context, "nothing.oct", NULL, &octree));
    return held && CHECK(!octree && !mesh && !count && colour == IMP_CELL_GRAY);
}

static bool world_refuses(const Everything *all)
{
    bool held = true;
    imp_BodyId id = {77, 78};
    imp_Pose pose = {.translation.x = 9}, *poses = &pose;
    void *user_data = &held;
    imp_Mesh *mesh = NULL;
    imp_Convex *convex = NULL;
    const imp_Report *report = NULL;
    const imp_ClearanceReport *clearance = NULL;
    const imp_SweepReport *sweep = NULL;
    const imp_ConfigurationsReport *configurations = NULL;
    imp_Distance distance = {.distance = -1};
    size_t count = 77;
    REFUSED(imp_world_add_body(all->world, &(imp_BodyDef){.mesh = all->mesh}, &id));
    REFUSED(imp_world_remove_body(all->world, all->bodies[0]));
    REFUSED(imp_world_set_poses(all->world, all->bodies, poses, 1));
    REFUSED(imp_world_ignore_pair(all->world, all->bodies[0], all->bodies[1], true));
    REFUSED(imp_world_detect(all->world, NULL, &report));
    REFUSED(imp_world_refine(all->world, NULL, &report));
    REFUSED(imp_world_distance(all->world, all->bodies[0], all->bodies[1], NULL, &distance));
    REFUSED(imp_world_clearance(all->world, NULL, &clearance));
    REFUSED(imp_world_sweep(all->world, NULL, &sweep));
    REFUSED(imp_world_advance(all->world, 1));
    REFUSED(imp_body_set_target(all->world, all->bodies[0], &(imp_TargetDef){.pose = pose}));
    REFUSED(imp_world_set_pair_filter(all->world, NULL, NULL));
    REFUSED(imp_world_detect_configurations(all->world, &(imp_ConfigurationsDef){0}, &configurations));
    REFUSED(imp_body_set_pose(all->world, all->bodies[0], pose));
    REFUSED(imp_body_get_pose(all->world, all->bodies[0], &pose));
    REFUSED(imp_body_self_pairs(all->world, all->bodies[0], NULL, 0, &count));
    REFUSED(imp_body_set_vertices(all->world, all->bodies[0], &imp_mesh_get_vertices(all->mesh)->x, 8));
    REFUSED(imp_body_set_filter(all->world, all->bodies[0], 1, 1));
    REFUSED(imp_body_set_user_data(all->world, all->bodies[0], NULL));
    REFUSED(imp_body_get_user_data(all->world, all->bodies[0], &user_data));
    REFUSED(imp_body_get_mesh(all->world, all->bodies[0], &mesh));
    REFUSED(imp_body_get_convex(all->world, all->bodies[1], &convex));
    held &= CHECK_INT(imp_world_get_body_count(all->world), 0);
    held &= CHECK(!imp_body_is_valid(all->world, all->bodies[0]));
    return held && CHECK(id.slot == 77 && pose.translation.x == 9 && user_data == &held && !mesh && !convex &&
                         !report && !clearance && !sweep && !configurations && distance.distance == -1);
}

static bool broad_refuses(const Everything *all)
{
    bool held = true;
    imp_BroadId id = {77, 78};
    imp_Box box = {{0, 0, 0}, {1, 1, 1}};
    float row[6] = {0, 0, 0, 1, 1, 1};
    imp_BoxArray boxes = {.float_boxes = row, .count = 1};
    const imp_BroadResult *result = NULL;
    REFUSED(imp_broad_add(all->broad, &box, 1, 0, &id));
    REFUSED(imp_broad_add_many(all->broad, &boxes, &id));
    REFUSED(imp_broad_move(all->broad, all->box, &box));
    REFUSED(imp_broad_move_many(all->broad, &all->box, &boxes));
    REFUSED(imp_broad_set_filter(all->broad, all->box, 1, 1));
    REFUSED(imp_broad_remove(all->broad, all->box));
    REFUSED(imp_broad_update(all->broad, &result));
    held &= CHECK_INT(imp_broad_get_count(all->broad), 0) && CHECK(!imp_broad_is_valid(all->broad, all->box));
    return held && CHECK(id.slot == 77 && !result);
}

static bool query_refuses(const Everything *all)
{
    bool held = true, touch = false;
    size_t count = 77;
    uint32_t relations = 77;
    imp_FacePair pair;
    imp_Distance distance = {.distance = -1};
    imp_Pose pose = {0};
    imp_MeshPair meshes = {.a = all->mesh, .b = all->mesh, .poses_b = &pose, .pose_count = 1};
    REFUSED(imp_meshes_touch(all->query, &meshes, &touch));
    REFUSED(imp_meshes_relations(all->query, &meshes, &relations));
    REFUSED(imp_meshes_face_pairs(all->query, &meshes, &pair, 1, NULL, &count));
    REFUSED(imp_meshes_distance(all->query, &meshes, NULL, &distance));
    held &= CHECK_INT(imp_query_get_error(all->query)->status, IMP_STATUS_FORKED);
    return held && CHECK(!touch && count == 77 && distance.distance == -1);
}

static bool everything_refuses(const Everything *all)
{
    uint64_t allocations = atomic_load(&all->memory.allocations);
    bool held = context_refuses(all);
    held &= octrees_refuse(all);
    held &= world_refuses(all);
    held &= broad_refuses(all);
    held &= query_refuses(all);
    return held && CHECK_INT(atomic_load(&all->memory.allocations), allocations);
}

static bool everything_can_be_destroyed(const Everything *all)
{
    destroy_everything(all);
    return CHECK(failing_allocator_is_clean(&all->memory));
}

// ---- what works

// Meshes, polytopes, trees and octrees are nobody's, and a cancel flag is a flag.
static bool new_context_takes_the_mesh(const Everything *all)
{
    Everything fresh = *all;
    bool held = true, closed = false;
    imp_Context *context = NULL;
    imp_ConvexResult result = {0};
    imp_ConvexPair pair = {.a = all->convex, .b = all->convex};
    held &= CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = 3}, &context), IMP_STATUS_OK);
    held &= CHECK_INT(imp_mesh_is_closed(context, all->mesh, &closed), IMP_STATUS_OK) && CHECK(closed);
    held &= CHECK_INT(imp_convex_test(context, NULL, &pair, &result), IMP_STATUS_OK) && CHECK(result.touch);
    imp_GivenSphere sphere = {.radius = 9, .parent = IMP_NO_SPHERE};
    imp_GivenSpheresDef given = {.mesh = imp_sphere_tree_get_mesh(all->tree), .spheres = &sphere, .count = 1};
    imp_SphereTree *tree = NULL;
    held &= CHECK_INT(imp_sphere_tree_create_from_spheres(context, &given, &tree), IMP_STATUS_OK);
    imp_sphere_tree_release(tree);
    imp_Octree *octree = NULL;
    held &= CHECK_INT(imp_octree_complement(context, all->octree, &octree), IMP_STATUS_OK);
    imp_octree_release(octree);
    imp_cancel_request(all->cancel);
    held &= CHECK(imp_cancel_is_requested(all->cancel));
    imp_context_destroy(context);
    make_everything(&fresh, 2);
    held &= all_work(&fresh);
    destroy_everything(&fresh);
    return held && CHECK(failing_allocator_is_clean(&fresh.memory)) && everything_can_be_destroyed(all);
}

// A context of the child is inherited by its own child.
static bool grandchildren_are_refused_too(const Everything *all)
{
    Everything fresh;
    (void)all;
    make_everything(&fresh, 2);
    bool held = (!can_fork() || child_does_well(everything_refuses, &fresh)) && all_work(&fresh);
    destroy_everything(&fresh);
    return held;
}

TEST(children_can_destroy_what_they_inherit_and_use_what_is_immutable)
{
    SKIP_WITHOUT_FORK();
    static const ChildFn children[] = {everything_refuses, everything_can_be_destroyed,
                                       new_context_takes_the_mesh, grandchildren_are_refused_too};
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        Everything all;
        make_everything(&all, threads);
        CHECK(all_work(&all));
        for (size_t i = 0; i < sizeof children / sizeof *children && can_fork(); ++i) {
            CHECK(child_does_well(children[i], &all));
            CHECK(all_work(&all)); // the parent goes on
        }
        destroy_everything(&all);
        CHECK(failing_allocator_is_clean(&all.memory));
    }
}

// ---- forks in the middle of a call

// An executor that forks once, before it runs tasks.
typedef struct ForkingExecutor {
    Everything all;
    bool has_forked, did_child_well;
} ForkingExecutor;

static bool nothing_is_freed(const Everything *all)
{
    size_t live = atomic_load(&all->memory.live_blocks);
    imp_broad_destroy(all->broad);
    imp_world_destroy(all->world);
    imp_context_destroy(all->context);
    return CHECK_INT(atomic_load(&all->memory.live_blocks), live) && everything_refuses(all);
}

static void fork_and_run(imp_TaskFn task, void *argument, uint32_t task_count, void *user)
{
    ForkingExecutor *executor = user;
    if (!executor->has_forked) {
        executor->has_forked = true;
        executor->did_child_well = child_does_well(nothing_is_freed, &executor->all);
    }
    for (uint32_t i = 0; i < task_count; ++i)
        task(i, argument);
}

TEST(what_a_call_was_changing_is_left_alone)
{
    SKIP_WITHOUT_FORK();
    ForkingExecutor executor = {.has_forked = true};
    imp_Mesh *soup = NULL;
    imp_BodyId id;
    const imp_Report *report = NULL;
    make_everything_with(&executor.all, (imp_ContextDef){.executor = {fork_and_run, 4, &executor}});
    CHECK_INT(scene_soup(executor.all.context, 3000, 0.2, 3, &soup), IMP_STATUS_OK);
    CHECK_INT(imp_world_add_body(executor.all.world, &(imp_BodyDef){.mesh = soup}, &id), IMP_STATUS_OK);
    executor.has_forked = false;
    CHECK_INT(imp_world_detect(executor.all.world, NULL, &report), IMP_STATUS_OK);
    CHECK(executor.has_forked && executor.did_child_well);
    imp_mesh_release(soup);
    destroy_everything(&executor.all);
    CHECK(failing_allocator_is_clean(&executor.all.memory));
}

// ---- forks while a call goes on in another thread

#ifndef TEST_UNDER_SANITIZER // which may leave their own allocator locked in children

typedef struct Busy {
    Everything all;
    imp_Mesh *large;
    atomic_bool is_over;
} Busy;

static void *work_on(void *argument)
{
    Busy *busy = argument;
    for (size_t i = 0; !atomic_load(&busy->is_over); ++i) {
        size_t count = 0;
        imp_BodyId id;
        const imp_Report *report = NULL;
        CHECK_INT(imp_mesh_self_pairs(busy->all.context, busy->large, NULL, 0, &count), IMP_STATUS_OK);
        CHECK_INT(imp_world_add_body(busy->all.world, &(imp_BodyDef){.mesh = busy->large}, &id),
                  IMP_STATUS_OK);
        CHECK_INT(imp_world_detect(busy->all.world, NULL, &report), IMP_STATUS_OK);
        CHECK_INT(imp_world_remove_body(busy->all.world, id), IMP_STATUS_OK);
    }
    return NULL;
}

static bool child_goes_its_own_way(const Everything *all)
{
    const imp_Report *report = NULL;
    bool closed = false;
    imp_Context *context = NULL;
    bool held = CHECK_INT(imp_world_detect(all->world, NULL, &report), IMP_STATUS_FORKED);
    destroy_everything(&(Everything){.world = all->world, .broad = all->broad, .context = all->context});
    held &= CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = 2}, &context), IMP_STATUS_OK);
    held &= CHECK_INT(imp_mesh_is_closed(context, all->mesh, &closed), IMP_STATUS_OK) && CHECK(closed);
    imp_context_destroy(context);
    return held && CHECK_INT(atomic_load(&all->memory.mistakes), 0);
}

TEST(a_fork_in_the_middle_of_a_call_hurts_nobody)
{
    Busy busy = {0};
    pthread_t thread;
    make_everything(&busy.all, 3);
    CHECK_INT(scene_soup(busy.all.context, 3000, 0.2, 3, &busy.large), IMP_STATUS_OK);
    CHECK_INT(pthread_create(&thread, NULL, work_on, &busy), 0);
    for (uint64_t i = 0; i < test_count(60); ++i) {
        nanosleep(&(struct timespec){.tv_nsec = test_random_below(3000000)}, NULL);
        if (!CHECK(child_does_well(child_goes_its_own_way, &busy.all)))
            break;
    }
    atomic_store(&busy.is_over, true);
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK(all_work(&busy.all));
    imp_mesh_release(busy.large);
    destroy_everything(&busy.all);
    CHECK(failing_allocator_is_clean(&busy.all.memory));
}

#endif
