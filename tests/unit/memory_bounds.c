// How much memory each question takes at most: the table of docs/performance.md, held by an allocator that
// counts. Each row is asked in worlds and meshes where little is asked for and very much could be stored; the
// bounds are taken from the page, so that page and library can't part.
#include "harness.h"
#include "kit/memory_meter.h"
#include "mesh_files.h"
#include "posed_faces.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE "docs/performance.md"

// What a question is about, and what it found.
typedef struct Amounts {
    double faces; // of the meshes, or points
    double bodies;
    double pairs;   // of boxes that meet
    double results; // listed in the answer
} Amounts;

// The same in bytes for each, from the table, and a constant in MiB.
typedef struct Bound {
    double constant, face, body, pair, result;
} Bound;

// ---- the page

static bool read_bound(const char *question, Bound *bound)
{
    char path[1024], line[1024];
    bool found = false;
    snprintf(path, sizeof path, "%s/%s", test_source_dir(), PAGE);
    FILE *page = fopen(path, "r");
    if (!CHECK(page))
        return false;
    size_t length = strlen(question);
    while (!found && fgets(line, sizeof line, page))
        found = strncmp(line, "| ", 2) == 0 && strncmp(line + 2, question, length) == 0 &&
                sscanf(line + 2 + length, " | %lf | %lf | %lf | %lf | %lf |", &bound->constant, &bound->face,
                       &bound->body, &bound->pair, &bound->result) == 5;
    fclose(page);
    if (!found)
        fprintf(stderr, "%s has no row \"%s\"\n", PAGE, question);
    return CHECK(found);
}

// ---- measuring

typedef struct Meter {
    impi_MemoryMeter memory;
    imp_Context *context;
    size_t before;
} Meter;

static void meter_make(Meter *meter)
{
    memset(meter, 0, sizeof *meter);
    imp_ContextDef def = {.allocator = impi_memory_meter_allocator(&meter->memory), .thread_count = 2};
    CHECK_INT(imp_context_create(&def, &meter->context), IMP_STATUS_OK);
}

// From now on.
static void meter_begin(Meter *meter)
{
    meter->before = atomic_load(&meter->memory.live);
    atomic_store(&meter->memory.peak, meter->before);
}

static void meter_check(const Meter *meter, const char *question, const Amounts *amounts)
{
    Bound bound;
    if (!read_bound(question, &bound))
        return;
    double used = (double)atomic_load(&meter->memory.peak) - (double)meter->before;
    double most = 0x1p20 * bound.constant + bound.face * amounts->faces + bound.body * amounts->bodies +
                  bound.pair * amounts->pairs + bound.result * amounts->results;
    printf("  %-44s %10.0f of %10.0f kB\n", question, used / 1000, most / 1000);
    CHECK(used <= most);
}

// ---- what is asked about

static imp_Mesh *coincident_triangles(imp_Context *context, size_t count)
{
    static const double corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    imp_Mesh *mesh = NULL;
    uint32_t *indices = malloc(3 * count * sizeof *indices);
    for (size_t i = 0; i < 3 * count; ++i)
        indices[i] = (uint32_t)(i % 3);
    imp_MeshDef def = {.vertices = corners, .vertex_count = 3, .indices = indices, .triangle_count = count};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    free(indices);
    return mesh;
}

typedef struct Crowd {
    Meter meter;
    imp_World *world;
} Crowd;

static void crowd_make(Crowd *crowd, size_t body_count, size_t triangle_count)
{
    meter_make(&crowd->meter);
    CHECK_INT(imp_world_create(crowd->meter.context, NULL, &crowd->world), IMP_STATUS_OK);
    imp_Mesh *mesh = coincident_triangles(crowd->meter.context, triangle_count);
    for (size_t i = 0; i < body_count; ++i) {
        imp_BodyId body;
        CHECK_INT(imp_world_add_body(crowd->world, &(imp_BodyDef){.mesh = mesh}, &body), IMP_STATUS_OK);
    }
    imp_mesh_release(mesh);
}

static void crowd_destroy(Crowd *crowd)
{
    imp_world_destroy(crowd->world);
    imp_context_destroy(crowd->meter.context);
}

// All bodies are of the same mesh and lie on each other.
static void check_detect(const char *question, const imp_DetectDef *def, size_t body_count,
                         size_t triangle_count)
{
    Crowd crowd;
    const imp_Report *report = NULL;
    crowd_make(&crowd, body_count, triangle_count);
    double bodies = (double)body_count;
    Amounts amounts = {(double)triangle_count * bodies, bodies, bodies * (bodies - 1) / 2, 0};
    meter_begin(&crowd.meter);
    if (CHECK_INT(imp_world_detect(crowd.world, def, &report), IMP_STATUS_OK))
        amounts.results = (double)report->face_pair_count;
    meter_check(&crowd.meter, question, &amounts);
    crowd_destroy(&crowd);
}

// Vertices of all blocks that meet are posed: more memory for each face than where all lie on each other.
TEST(detects_of_large_meshes)
{
    for (int mode = IMP_DETECT_FACES; mode <= IMP_DETECT_BODIES; ++mode) {
        Crowd crowd;
        imp_Mesh *mesh = NULL;
        imp_DetectDef def = {.mode = (imp_DetectMode)mode, .method = IMP_METHOD_EXACT_BOXES};
        const imp_Report *report = NULL;
        crowd_make(&crowd, 0, 1);
        CHECK_INT(scene_sphere(crowd.meter.context, 300, 200, 1, &mesh), IMP_STATUS_OK);
        for (int i = 0; i < 2; ++i) {
            imp_BodyId body;
            imp_BodyDef placed = {.mesh = mesh, .pose.translation.x = 0.01 * i};
            CHECK_INT(imp_world_add_body(crowd.world, &placed, &body), IMP_STATUS_OK);
        }
        meter_begin(&crowd.meter);
        CHECK_INT(imp_world_detect(crowd.world, &def, &report), IMP_STATUS_OK);
        CHECK_INT(report->body_pair_count, 1);
        Amounts amounts = {2 * (double)imp_mesh_get_triangle_count(mesh), 2, 1,
                           (double)report->face_pair_count};
        meter_check(&crowd.meter, mode ? "detect, mode BODIES" : "detect, mode FACES", &amounts);
        imp_mesh_release(mesh);
        crowd_destroy(&crowd);
    }
}

TEST(detects_of_bodies)
{
    imp_DetectDef def = {.mode = IMP_DETECT_BODIES};
    check_detect("detect, mode BODIES", &def, 2, 200000);
    check_detect("detect, mode BODIES", &def, 600, 20);
}

TEST(detects_of_the_first_pair)
{
    imp_DetectDef def = {.mode = IMP_DETECT_FIRST};
    check_detect("detect, mode FIRST", &def, 10000, 4);
    check_detect("detect, mode FIRST", &def, 2, 1000);
    def.max_face_pairs = 10;
    check_detect("detect, mode FIRST", &def, 2, 1200);
}

TEST(detects_of_faces)
{
    imp_DetectDef def = {0};
    check_detect("detect, mode FACES", &def, 2, 800);
    check_detect("detect, mode FACES", &def, 300, 6);
}

TEST(detects_of_some_faces)
{
    imp_DetectDef def = {.max_face_pairs = 10};
    check_detect("detect, mode FACES, with `max_face_pairs`", &def, 2, 1200);
    check_detect("detect, mode FACES, with `max_face_pairs`", &def, 200, 20);
    def.count_all = true;
    check_detect("detect, mode FACES, with `max_face_pairs`", &def, 200, 20);
    def.max_face_pairs = 200000;
    check_detect("detect, mode FACES, with `max_face_pairs`", &def, 2, 1000);
}

TEST(bodies)
{
    Meter meter;
    imp_World *world = NULL;
    imp_BodyId body;
    meter_make(&meter);
    CHECK_INT(imp_world_create(meter.context, NULL, &world), IMP_STATUS_OK);
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_sphere(meter.context, 200, 100, 1, &mesh), IMP_STATUS_OK);
    meter_begin(&meter);
    for (int i = 0; i < 1000; ++i)
        CHECK_INT(imp_world_add_body(world, &(imp_BodyDef){.mesh = mesh, .pose.translation.x = 3 * i}, &body),
                  IMP_STATUS_OK);
    Amounts amounts = {(double)imp_mesh_get_triangle_count(mesh), 1000, 0, 0};
    meter_check(&meter, "bodies of a mesh", &amounts);
    imp_mesh_release(mesh);
    imp_world_destroy(world);
    imp_context_destroy(meter.context);
}

TEST(queries)
{
    size_t count = 0, triangles = 1200;
    Meter meter;
    imp_Query *query = NULL;
    imp_Pose pose = {{0, 0, 0}, {1, 0, 0, 0}};
    bool touch = false;
    meter_make(&meter);
    imp_Allocator allocator = impi_memory_meter_allocator(&meter.memory);
    imp_Mesh *mesh = coincident_triangles(meter.context, triangles);
    imp_MeshPair meshes = {.a = mesh, .b = mesh, .poses_b = &pose, .pose_count = 1};
    Amounts amounts = {2 * (double)triangles, 2, 1, 0};
    meter_begin(&meter);
    CHECK_INT(imp_query_create(&allocator, &query), IMP_STATUS_OK);
    CHECK_INT(imp_meshes_touch(query, &meshes, &touch), IMP_STATUS_OK);
    CHECK(touch);
    meter_check(&meter, "`imp_meshes_touch`", &amounts);
    imp_Distance distance;
    CHECK_INT(imp_meshes_distance(query, &meshes, NULL, &distance), IMP_STATUS_OK);
    CHECK(distance.touch);
    meter_check(&meter, "`imp_meshes_distance`", &amounts);
    CHECK_INT(imp_meshes_face_pairs(query, &meshes, NULL, 0, NULL, &count), IMP_STATUS_BUFFER_SHORT);
    CHECK_INT(count, triangles * triangles);
    meter_check(&meter, "`imp_meshes_face_pairs`", &amounts);
    imp_query_destroy(query);
    imp_mesh_release(mesh);
    imp_context_destroy(meter.context);
}

// A distance keeps nothing of the pairs of faces that it looks at: all of these touch.
TEST(distances)
{
    Crowd crowd;
    const size_t triangles = 3000;
    imp_Distance found;
    crowd_make(&crowd, 2, triangles);
    Amounts amounts = {2 * (double)triangles, 2, 1, 0};
    meter_begin(&crowd.meter);
    CHECK_INT(imp_world_distance(crowd.world, (imp_BodyId){1, 1}, (imp_BodyId){2, 1}, NULL, &found),
              IMP_STATUS_OK);
    CHECK(found.touch);
    meter_check(&crowd.meter, "`imp_world_distance`", &amounts);
    crowd_destroy(&crowd);
}

static void check_clearance(size_t body_count, size_t triangle_count, const imp_ClearanceDef *def)
{
    Crowd crowd;
    const imp_ClearanceReport *report = NULL;
    double bodies = (double)body_count;
    crowd_make(&crowd, body_count, triangle_count);
    Amounts amounts = {(double)triangle_count * bodies, bodies, bodies * (bodies - 1) / 2, 0};
    meter_begin(&crowd.meter);
    if (CHECK_INT(imp_world_clearance(crowd.world, def, &report), IMP_STATUS_OK)) {
        CHECK(report->pair_count == body_count * (body_count - 1) / 2);
        amounts.results = (double)report->face_pair_count;
    }
    meter_check(&crowd.meter, "`imp_world_clearance`", &amounts);
    crowd_destroy(&crowd);
}

TEST(clearances)
{
    check_clearance(200, 20, &(imp_ClearanceDef){.distance = 0.5});
    check_clearance(20, 100, &(imp_ClearanceDef){.distance = 0.5, .face_pairs = true});
    check_clearance(12, 400, &(imp_ClearanceDef){.face_pairs = true, .max_face_pairs = 10});
}

// All bodies lie on each other. In each configuration those that move are `apart` from all others, or, if
// that is 0, on them still.
static void check_configurations(size_t body_count, size_t triangle_count, size_t moved_count, double apart)
{
    enum { COUNT = 70 };
    Crowd crowd;
    const imp_ConfigurationsReport *report = NULL;
    double bodies = (double)body_count;
    imp_BodyId *moved = calloc(moved_count, sizeof *moved);
    imp_Pose *poses = calloc(COUNT * moved_count, sizeof *poses);
    crowd_make(&crowd, body_count, triangle_count);
    for (size_t i = 0; i < moved_count; ++i)
        moved[i] = (imp_BodyId){(uint32_t)i + 1, 1};
    for (size_t i = 0; i < COUNT * moved_count; ++i)
        poses[i].translation.x =
            1e-3 * (double)i / (double)(COUNT * moved_count) + apart * (double)(1 + i % moved_count);
    imp_ConfigurationsDef def = {
        .bodies = moved, .body_count = moved_count, .poses = poses, .configuration_count = COUNT};
    size_t near_count = apart > 0 ? body_count - moved_count : body_count;
    size_t pair_count = near_count * (near_count - 1) / 2;
    Amounts amounts = {(double)triangle_count * bodies, bodies, (double)pair_count, 0};
    meter_begin(&crowd.meter);
    if (CHECK_INT(imp_world_detect_configurations(crowd.world, &def, &report), IMP_STATUS_OK)) {
        CHECK_INT(report->pair_count, COUNT * pair_count);
        amounts.results = (double)report->pair_count;
    }
    meter_check(&crowd.meter, "`imp_world_detect_configurations`", &amounts);
    crowd_destroy(&crowd);
    free(moved);
    free(poses);
}

TEST(configurations)
{
    check_configurations(12, 1000, 7, 0);
    check_configurations(2, 100000, 1, 0);
    check_configurations(100, 4, 100, 0);
    check_configurations(200, 20, 3, 0);
    check_configurations(3000, 1, 2999, 10);
    check_configurations(3000, 1, 2998, 10);
}

// ---- meshes and boxes

TEST(meshes)
{
    Meter meter;
    imp_Mesh *mesh = NULL;
    imp_MeshInfo info;
    meter_make(&meter);
    meter_begin(&meter);
    CHECK_INT(scene_sphere(meter.context, 300, 200, 1, &mesh), IMP_STATUS_OK);
    Amounts amounts = {(double)imp_mesh_get_triangle_count(mesh), 0, 0, 0};
    meter_check(&meter, "`imp_mesh_create`", &amounts);
    meter_begin(&meter);
    CHECK_INT(imp_mesh_analyse(meter.context, mesh, &info), IMP_STATUS_OK);
    meter_check(&meter, "`imp_mesh_analyse`", &amounts);
    imp_mesh_release(mesh);
    imp_context_destroy(meter.context);
}

TEST(self_intersections)
{
    Meter meter;
    size_t count = 0, triangles = 3000;
    meter_make(&meter);
    imp_Mesh *mesh = coincident_triangles(meter.context, triangles);
    Amounts amounts = {(double)triangles, 0, 0, 0};
    meter_begin(&meter);
    CHECK_INT(imp_mesh_self_pairs(meter.context, mesh, NULL, 0, &count), IMP_STATUS_OK);
    CHECK_INT(count, triangles * (triangles - 1) / 2);
    meter_check(&meter, "`imp_mesh_self_pairs`, counting", &amounts);
    imp_FacePair *pairs = malloc(count * sizeof *pairs);
    CHECK_INT(imp_mesh_self_pairs(meter.context, mesh, pairs, count, &count), IMP_STATUS_OK);
    amounts.results = (double)count;
    meter_check(&meter, "`imp_mesh_self_pairs`", &amounts);
    free(pairs);
    imp_mesh_release(mesh);
    imp_context_destroy(meter.context);
}

// Text of which only the vertices and faces stay, the rest passes by.
static char *long_text(size_t line_count, size_t *size)
{
    const char *const line =
        "# This is a remark that nobody needs, like all of those before and behind it.\n";
    char *text = malloc(line_count * strlen(line) + 64);
    *size = (size_t)sprintf(text, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    for (size_t i = 0; i < line_count; ++i) {
        memcpy(text + *size, line, strlen(line));
        *size += strlen(line);
    }
    return text;
}

TEST(files)
{
    Meter meter;
    imp_Mesh *mesh = NULL;
    size_t size;
    char *text = long_text(200000, &size), folder[MAX_TEST_PATH];
    make_folder(folder);
    FILE *file = fopen(path_in(folder, "long.obj"), "wb");
    CHECK(file && fwrite(text, 1, size, file) == size && fclose(file) == 0);
    meter_make(&meter);
    meter_begin(&meter);
    CHECK_INT(imp_mesh_load(meter.context, path_in(folder, "long.obj"), &mesh), IMP_STATUS_OK);
    meter_check(&meter, "`imp_mesh_load`, not glTF", &(Amounts){1, 0, 0, 0});
    imp_mesh_release(mesh);
    imp_context_destroy(meter.context);
    remove_folder(folder);
    free(text);
}

TEST(hulls)
{
    Meter meter;
    imp_Mesh *sphere = NULL;
    imp_Convex *hull = NULL;
    meter_make(&meter);
    CHECK_INT(scene_sphere(meter.context, 200, 100, 1, &sphere), IMP_STATUS_OK);
    imp_ConvexDef def = {.points = &imp_mesh_get_vertices(sphere)->x,
                         .point_count = imp_mesh_get_vertex_count(sphere)};
    Amounts amounts = {(double)def.point_count, 0, 0, 0};
    meter_begin(&meter);
    CHECK_INT(imp_convex_create(meter.context, &def, &hull), IMP_STATUS_OK);
    meter_check(&meter, "`imp_convex_create`", &amounts);
    imp_convex_release(hull);
    imp_mesh_release(sphere);
    imp_context_destroy(meter.context);
}

static void check_boxes(const char *question, size_t box_count, double spread, bool lists)
{
    Meter meter;
    uint64_t count = 0;
    float *rows = malloc(6 * box_count * sizeof *rows);
    for (size_t i = 0; i < box_count; ++i)
        for (size_t k = 0; k < 3; ++k) {
            rows[6 * i + k] = (float)test_random_between(0, spread);
            rows[6 * i + 3 + k] = rows[6 * i + k] + 1;
        }
    imp_BoxArray boxes = {.float_boxes = rows, .count = box_count};
    meter_make(&meter);
    CHECK_INT(imp_pairs_find(meter.context, &boxes, NULL, 0, &count), IMP_STATUS_OK);
    imp_context_destroy(meter.context);
    imp_IndexPair *pairs = malloc((size_t)count * sizeof *pairs);
    meter_make(&meter);
    meter_begin(&meter);
    CHECK_INT(imp_pairs_find(meter.context, &boxes, lists ? pairs : NULL, lists ? (size_t)count : 0, &count),
              IMP_STATUS_OK);
    Amounts amounts = {0, (double)box_count, (double)count, 0};
    meter_check(&meter, question, &amounts);
    imp_context_destroy(meter.context);
    free(rows);
    free(pairs);
}

TEST(pairs_of_boxes)
{
    check_boxes("`imp_pairs_find`, counting", 200000, 50, false);
    check_boxes("`imp_pairs_find`, counting", 3000, 0, false);
    check_boxes("`imp_pairs_find`", 200000, 50, true);
    check_boxes("`imp_pairs_find`", 3000, 0, true);
}
