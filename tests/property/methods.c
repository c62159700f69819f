/// All methods give the same answers, on any number of threads, as brute force does: worlds of rigid and
/// deforming bodies over many frames, a third of them on a lattice, where contact is degenerate and coplanar.
/// (worlds.c follows bodies that come and go, filters and containment.)
#include "harness.h"
#include "oracle/exact_oracle.h"
#include "posed_faces.h"
#include "sanitizers.h"
#include "scenes/shapes.h"

#include <stdio.h>

#define MAX_BODIES  40
#define FRAME_COUNT 8
#define MESH_KINDS  6

#if defined(TEST_UNDER_SANITIZER)
#define DEFAULT_WORLDS 4
#else
#define DEFAULT_WORLDS 9
#endif

// A world for each: what one method computes must not help another.
typedef struct Way {
    imp_DetectMethod method;
    uint32_t thread_count;
} Way;

// The paper's method uses one thread whatever it is given.
static const Way ways[] = {
    {IMP_METHOD_POSED_BOXES, 1}, {IMP_METHOD_POSED_BOXES, 2}, {IMP_METHOD_POSED_BOXES, 5},
    {IMP_METHOD_EXACT_BOXES, 1}, {IMP_METHOD_EXACT_BOXES, 2}, {IMP_METHOD_EXACT_BOXES, 5},
    {IMP_METHOD_AUTO, 2},        {IMP_METHOD_SMITH_1994, 1},
};
#define WAY_COUNT (sizeof ways / sizeof *ways)

typedef struct Body {
    imp_BodyId id;
    imp_Mesh *mesh;
    imp_Pose pose;
    bool moves, deforms;
    imp_Vec3 *deformed; // null while it has the shape of its mesh
    PosedFaces faces;   // of the frame at hand
} Body;

typedef struct Stage {
    imp_Context *contexts[WAY_COUNT];
    imp_World *worlds[WAY_COUNT];
    imp_Mesh *meshes[MESH_KINDS];
    Body bodies[MAX_BODIES];
    uint32_t body_count;
    bool on_lattice;
    double reach;
    uint32_t smith_level;
    imp_TouchingFaces *faces; // that touch, by brute force
    size_t face_count, face_capacity;
} Stage;

typedef struct Tally {
    uint64_t frames, body_pairs, face_pairs, candidates, lattice_face_pairs, deformed_bodies, rigid_bodies;
} Tally;

static void make_free_meshes(imp_Context *context, imp_Mesh *meshes[MESH_KINDS])
{
    CHECK_INT(scene_sphere(context, 10, 6, 1, &meshes[0]), IMP_STATUS_OK);
    CHECK_INT(scene_torus(context, 12, 7, 1, 0.3, &meshes[1]), IMP_STATUS_OK);
    CHECK_INT(scene_bumpy_sphere(context, 16, 10, 1, 0.4, 7, &meshes[2]), IMP_STATUS_OK);
    CHECK_INT(scene_soup(context, 90, 0.5, 11, &meshes[3]), IMP_STATUS_OK);
    CHECK_INT(scene_star_prism(context, 7, 0.4, 0.5, &meshes[4]), IMP_STATUS_OK);
    CHECK_INT(scene_needle(context, 5, 0x1p-20, &meshes[5]), IMP_STATUS_OK);
}

static void make_lattice_meshes(imp_Context *context, imp_Mesh *meshes[MESH_KINDS])
{
    imp_Vec3 origin = {0, 0, 0};
    CHECK_INT(scene_box(context, origin, (imp_Vec3){1, 1, 1}, &meshes[0]), IMP_STATUS_OK);
    CHECK_INT(scene_box(context, origin, (imp_Vec3){2, 1, 3}, &meshes[1]), IMP_STATUS_OK);
    CHECK_INT(scene_l_prism(context, 1, &meshes[2]), IMP_STATUS_OK);
    CHECK_INT(scene_grid_soup(context, 25, 3, 13, &meshes[3]), IMP_STATUS_OK);
    CHECK_INT(scene_grid_soup(context, 100, 6, 17, &meshes[4]), IMP_STATUS_OK);
    CHECK_INT(scene_grid_soup(context, 20, 2, 19, &meshes[5]), IMP_STATUS_OK);
}

static double lattice_step(uint32_t reach)
{
    return (double)test_random_below(2 * reach + 1) - reach;
}

// Whole numbers, sometimes halves, and one of the rotations whose matrices hold only 0, 1 and -1.
static imp_Pose lattice_pose(double reach)
{
    uint32_t most = (uint32_t)reach, kind = test_random_below(8);
    double x = lattice_step(most), y = lattice_step(most), z = lattice_step(most);
    imp_Pose pose = {.translation = {test_random_below(6) ? x : x + 0.5, y, z}};
    if (kind < 4) {
        pose.rotation = (imp_Quat){kind == 0, kind == 1, kind == 2, kind == 3};
    } else {
        double *parts[3] = {&pose.rotation.x, &pose.rotation.y, &pose.rotation.z};
        pose.rotation.w = 0.5;
        for (int i = 0; i < 3; ++i)
            *parts[i] = test_random_below(2) ? 0.5 : -0.5;
    }
    return pose;
}

static imp_Pose random_pose(const Stage *stage)
{
    if (stage->on_lattice)
        return lattice_pose(stage->reach);
    double x = test_random_between(-1, 1), y = test_random_between(-1, 1), z = test_random_between(-1, 1);
    return (imp_Pose){{stage->reach * x, stage->reach * y, stage->reach * z}, random_rotation()};
}

static void add_body(Stage *stage)
{
    Body *body = &stage->bodies[stage->body_count++];
    *body = (Body){.mesh = stage->meshes[test_random_below(MESH_KINDS)],
                   .pose = random_pose(stage),
                   .moves = test_random_below(5) > 0,
                   .deforms = test_random_below(3) == 0};
    for (size_t i = 0; i < WAY_COUNT; ++i)
        CHECK_INT(imp_world_add_body(stage->worlds[i], &(imp_BodyDef){.mesh = body->mesh, .pose = body->pose},
                                     &body->id),
                  IMP_STATUS_OK);
    CHECK_INT(body->id.slot, stage->body_count);
}

static void stage_make(Stage *stage, uint32_t body_count, bool on_lattice)
{
    uint32_t level = 1 + test_random_below(4);
    *stage = (Stage){.on_lattice = on_lattice, .smith_level = level};
    // Denser where bodies are few, so that some touch in most frames.
    stage->reach = on_lattice ? (body_count < 8 ? 1 : 3) : (body_count < 8 ? 0.9 : 2.5);
    for (size_t i = 0; i < WAY_COUNT; ++i) {
        stage->contexts[i] = context_with_threads(ways[i].thread_count);
        CHECK_INT(imp_world_create(stage->contexts[i], NULL, &stage->worlds[i]), IMP_STATUS_OK);
    }
    if (on_lattice)
        make_lattice_meshes(stage->contexts[0], stage->meshes);
    else
        make_free_meshes(stage->contexts[0], stage->meshes);
    while (stage->body_count < body_count)
        add_body(stage);
}

static void stage_destroy(Stage *stage)
{
    for (int i = 0; i < MESH_KINDS; ++i)
        imp_mesh_release(stage->meshes[i]);
    for (size_t i = 0; i < WAY_COUNT; ++i) {
        imp_world_destroy(stage->worlds[i]);
        imp_context_destroy(stage->contexts[i]);
    }
    for (uint32_t i = 0; i < stage->body_count; ++i)
        free(stage->bodies[i].deformed);
    free(stage->faces);
}

static void move_body(Stage *stage, Body *body)
{
    body->pose = random_pose(stage);
    for (size_t i = 0; i < WAY_COUNT; ++i)
        CHECK_INT(imp_body_set_pose(stage->worlds[i], body->id, body->pose), IMP_STATUS_OK);
}

// Vertices wander, on the lattice by whole steps; at times the body falls flat, or takes its own shape again.
static void deform_body(Stage *stage, Body *body)
{
    size_t count = imp_mesh_get_vertex_count(body->mesh);
    uint32_t kind = test_random_below(8);
    free(body->deformed);
    body->deformed = NULL;
    if (kind > 0) {
        double stretch = stage->on_lattice ? 1 + test_random_below(2) : test_random_between(0.6, 1.3);
        body->deformed = malloc(count * sizeof *body->deformed);
        for (size_t i = 0; i < count; ++i) {
            imp_Vec3 v = imp_mesh_get_vertices(body->mesh)[i];
            double bump = test_random_between(-0.05, 0.05), step = test_random_below(6) == 0;
            v.x = stretch * v.x + (stage->on_lattice ? step : bump);
            v.z = kind == 1 ? 0 : v.z;
            body->deformed[i] = v;
        }
    }
    for (size_t i = 0; i < WAY_COUNT; ++i)
        CHECK_INT(imp_body_set_vertices(stage->worlds[i], body->id,
                                        body->deformed ? &body->deformed->x : NULL,
                                        body->deformed ? count : 0),
                  IMP_STATUS_OK);
}

static void change_bodies(Stage *stage, Tally *tally)
{
    for (uint32_t i = 0; i < stage->body_count; ++i) {
        Body *body = &stage->bodies[i];
        if (body->moves && test_random_below(3))
            move_body(stage, body);
        if (body->deforms && test_random_below(3))
            deform_body(stage, body);
        tally->deformed_bodies += body->deformed != NULL;
        tally->rigid_bodies += body->deformed == NULL;
    }
}

static void add_touching(Stage *stage, const Body *a, const Body *b, TrianglesTouchFn touch)
{
    FacePairList list = {0};
    if (!boxes_overlap(&a->faces.bounds, &b->faces.bounds))
        return;
    brute_force_touching(&a->faces, &b->faces, touch, &list);
    size_t needed = stage->face_count + list.count;
    if (needed > stage->face_capacity) {
        stage->face_capacity = 2 * needed;
        stage->faces = realloc(stage->faces, stage->face_capacity * sizeof *stage->faces);
    }
    for (size_t i = 0; i < list.count; ++i)
        stage->faces[stage->face_count++] =
            (imp_TouchingFaces){a->id, list.pairs[i].face_a, b->id, list.pairs[i].face_b};
    face_pair_list_free(&list);
}

static void find_touching(Stage *stage, TrianglesTouchFn touch)
{
    stage->face_count = 0;
    for (uint32_t i = 0; i < stage->body_count; ++i) {
        Body *body = &stage->bodies[i];
        body->faces = posed_faces_make(body->mesh, body->deformed, &body->pose);
    }
    for (uint32_t a = 0; a < stage->body_count; ++a)
        for (uint32_t b = a + 1; b < stage->body_count; ++b)
            add_touching(stage, &stage->bodies[a], &stage->bodies[b], touch);
    for (uint32_t i = 0; i < stage->body_count; ++i)
        posed_faces_free(&stage->bodies[i].faces);
}

static bool same_list(const void *a, size_t count_a, const void *b, size_t count_b, size_t size)
{
    return count_a == count_b && (count_a == 0 || memcmp(a, b, count_a * size) == 0);
}

// Candidates are a matter of the method, all else is not.
static bool same_reports(const imp_Report *a, const imp_Report *b, bool same_method)
{
    return same_list(a->body_pairs, a->body_pair_count, b->body_pairs, b->body_pair_count,
                     sizeof *a->body_pairs) &&
           same_list(a->face_pairs, a->face_pair_count, b->face_pairs, b->face_pair_count,
                     sizeof *a->face_pairs) &&
           same_list(a->begun, a->begun_count, b->begun, b->begun_count, sizeof *a->begun) &&
           same_list(a->ended, a->ended_count, b->ended, b->ended_count, sizeof *a->ended) &&
           same_list(a->open_containers, a->open_container_count, b->open_containers, b->open_container_count,
                     sizeof *a->open_containers) &&
           (!same_method || a->candidate_face_pairs == b->candidate_face_pairs);
}

// True when all worlds say what brute force says.
static bool check_frame(Stage *stage, Tally *tally)
{
    const imp_Report *reports[WAY_COUNT];
    bool same = true;
    for (size_t i = 0; i < WAY_COUNT; ++i) {
        imp_DetectDef def = {.method = ways[i].method, .smith_level = stage->smith_level};
        if (!CHECK_INT(imp_world_detect(stage->worlds[i], &def, &reports[i]), IMP_STATUS_OK))
            return false;
        bool is_repeated = i > 0 && ways[i].method == ways[i - 1].method;
        bool agrees = same_reports(reports[0], reports[i], false) &&
                      (!is_repeated || same_reports(reports[i - 1], reports[i], true)) &&
                      same_list(reports[i]->face_pairs, reports[i]->face_pair_count, stage->faces,
                                stage->face_count, sizeof *stage->faces);
        if (!agrees)
            printf("  method %d on %u threads: %zu face pairs, brute force has %zu\n", (int)ways[i].method,
                   (unsigned)ways[i].thread_count, reports[i]->face_pair_count, stage->face_count);
        same &= agrees;
    }
    ++tally->frames;
    tally->body_pairs += reports[0]->body_pair_count;
    tally->face_pairs += stage->face_count;
    tally->candidates += reports[0]->candidate_face_pairs;
    tally->lattice_face_pairs += stage->on_lattice ? stage->face_count : 0;
    return same;
}

// In the last frame the oracle takes the place of the library's own triangle test.
static bool run_world(uint32_t body_count, bool on_lattice, Tally *tally)
{
    Stage stage;
    bool same = true;
    stage_make(&stage, body_count, on_lattice);
    for (int frame = 0; same && frame < FRAME_COUNT; ++frame) {
        change_bodies(&stage, tally);
        find_touching(&stage, frame == FRAME_COUNT - 1 ? oracle_triangles_touch : library_triangles_touch);
        same = CHECK(check_frame(&stage, tally));
        if (!same)
            printf("  frame %d of a world of %u bodies%s\n", frame, (unsigned)body_count,
                   on_lattice ? " on a lattice" : "");
    }
    stage_destroy(&stage);
    return same;
}

TEST(all_methods_equal_brute_force_frame_by_frame)
{
    uint64_t count = test_count(DEFAULT_WORLDS);
    Tally tally = {0};
    for (uint64_t i = 0; i < count; ++i) {
        // Small worlds more often, because large ones take much longer; not on lattices, or their faces would
        // be few beside all others.
        bool on_lattice = i % 3 == 0;
        uint32_t one = test_random_below(MAX_BODIES - 1), other = test_random_below(MAX_BODIES - 1);
        uint32_t body_count = i % 8 == 7 ? MAX_BODIES : 2 + ((one < other) != on_lattice ? one : other);
        if (!run_world(body_count, on_lattice, &tally))
            printf("  world %llu\n", (unsigned long long)i);
    }
    printf("  %llu frames: %llu body pairs, %llu face pairs (%llu on lattices) among %llu candidates\n",
           (unsigned long long)tally.frames, (unsigned long long)tally.body_pairs,
           (unsigned long long)tally.face_pairs, (unsigned long long)tally.lattice_face_pairs,
           (unsigned long long)tally.candidates);
    printf("  %llu times a body was deformed, %llu times not\n", (unsigned long long)tally.deformed_bodies,
           (unsigned long long)tally.rigid_bodies);
    if (count >= DEFAULT_WORLDS) {
        CHECK(tally.body_pairs > 5 * tally.frames && tally.face_pairs > 50 * tally.frames);
        CHECK(5 * tally.lattice_face_pairs > tally.face_pairs && tally.candidates > tally.face_pairs);
        CHECK(5 * tally.deformed_bodies > tally.rigid_bodies && tally.rigid_bodies > tally.deformed_bodies);
    }
}
