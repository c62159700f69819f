// A world that is spread over ranks, all of them in this process, beside one world of all bodies: random
// manifests of 2 to 300 bodies, written to a folder and read by each rank, with bodies that touch exactly,
// lie in each other, or lie in open ones; 1 to 12 ranks of 1 or 2 threads.
#define _XOPEN_SOURCE 700 // mkdtemp

#include "cluster/local_exchange.h"
#include "cluster/rank_world.h"
#include "mesh_files.h"
#include "playback/manifest.h"
#include "posed_faces.h"
#include "reports.h"
#include "sanitizers.h"
#include "scenes/shapes.h"

#ifdef TEST_UNDER_SANITIZER
#define MANIFEST_COUNT 12
#else
#define MANIFEST_COUNT 40
#endif

#define MAX_RANKS  12
#define MAX_BODIES 300
#define MAX_FILES  40

typedef struct Tallies {
    uint64_t touching, inside, open, apart, travelled, several_ranks;
} Tallies;

// ---- manifests

// Boxes of whole numbers, so that faces of two of them lie in one plane; spheres, shells and open soups to be
// in each other.
static imp_Mesh *random_mesh(imp_Context *context)
{
    imp_Mesh *mesh = NULL;
    uint32_t size = 1 + test_random_below(3);
    imp_Status status = IMP_STATUS_OK;
    switch (test_random_below(7)) {
    case 0:
    case 1:
        status = scene_box(context, (imp_Vec3){0, 0, 0},
                           (imp_Vec3){size, 1 + test_random_below(2), 1 + test_random_below(2)}, &mesh);
        break;
    case 2:
        status = scene_sphere(context, 3 + test_random_below(3), 2, 0.25 * size, &mesh);
        break;
    case 3:
        status =
            scene_sphere(context, 6 + test_random_below(10), 4 + test_random_below(6), 0.5 * size, &mesh);
        break;
    case 4:
        status = scene_hollow_sphere(context, 8, 6, 1.5 * size, 1.25 * size, &mesh);
        break;
    case 5:
        status = scene_grid_soup(context, 2 + test_random_below(6), 3 + test_random_below(9), test_random(),
                                 &mesh);
        break;
    default:
        status = scene_box(context, (imp_Vec3){-2.0 * size, -2.0 * size, -2.0 * size},
                           (imp_Vec3){2.0 * size, 2.0 * size, 2.0 * size}, &mesh);
    }
    CHECK_INT(status, IMP_STATUS_OK);
    return mesh;
}

// Half of the places have whole numbers; a quarter of these are turned by quarters.
static void write_pose(FILE *manifest, double extent)
{
    uint32_t kind = test_random_below(8);
    if (kind == 0)
        return;
    for (int axis = 0; axis < 3; ++axis) {
        double x = test_random_between(-extent, extent);
        fprintf(manifest, " %.17g", kind < 5 ? (double)(int)x : x);
    }
    if (kind == 4)
        fprintf(manifest, " 0 0 1 0");
    else if (kind == 7)
        fprintf(manifest, " axis 1 2 3 %u", test_random_below(360));
}

static void write_manifest(imp_Context *context, const char *folder, const char *path)
{
    uint32_t file_count = 1 + test_random_below(MAX_FILES),
             body_count = 2 + test_random_below(test_random_below(3) ? 40 : MAX_BODIES - 1);
    double extent = 1 + test_random_below(12);
    char name[MAX_TEST_PATH + 16];
    for (uint32_t i = 0; i < file_count; ++i) {
        snprintf(name, sizeof name, "%s/%u.obj", folder, i);
        imp_Mesh *mesh = random_mesh(context);
        CHECK_INT(imp_mesh_save(context, mesh, name), IMP_STATUS_OK);
        imp_mesh_release(mesh);
    }
    FILE *manifest = fopen(path, "w");
    if (!CHECK(manifest))
        return;
    fprintf(manifest, "# %u bodies\n\n", body_count);
    for (uint32_t i = 0; i < body_count; ++i) {
        fprintf(manifest, "%u.obj", test_random_below(file_count));
        write_pose(manifest, extent);
        fputs(test_random_below(8) ? "\n" : " # a remark\r\n", manifest);
    }
    CHECK(fclose(manifest) == 0);
}

// ---- one world

static imp_World *world_of(imp_Context *context, const impi_Manifest *manifest)
{
    imp_World *world = NULL;
    CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_OK);
    for (size_t i = 0; i < manifest->bodies.count; ++i) {
        imp_Mesh *mesh = NULL;
        imp_BodyId id;
        CHECK_INT(imp_mesh_load(context, manifest->bodies.data[i].path, &mesh), IMP_STATUS_OK);
        imp_BodyDef def = {.mesh = mesh, .pose = manifest->bodies.data[i].pose};
        CHECK_INT(imp_world_add_body(world, &def, &id), IMP_STATUS_OK);
        imp_mesh_release(mesh);
    }
    return world;
}

// ---- ranks

typedef struct Run {
    const char *path;
    const imp_Report *wanted;
    size_t body_count;
    uint32_t thread_count;
    imp_DetectMode mode;
    size_t received[MAX_RANKS];
} Run;

static void check_report(const Run *run, const imp_Report *got)
{
    const imp_Report *want = run->wanted;
    if (CHECK_INT(got->body_pair_count, want->body_pair_count))
        CHECK(are_same_bytes(got->body_pairs, want->body_pairs,
                             want->body_pair_count * sizeof *want->body_pairs));
    if (CHECK_INT(got->face_pair_count, want->face_pair_count))
        CHECK(are_same_bytes(got->face_pairs, want->face_pairs,
                             want->face_pair_count * sizeof *want->face_pairs));
    if (CHECK_INT(got->open_container_count, want->open_container_count))
        CHECK(are_same_bytes(got->open_containers, want->open_containers,
                             want->open_container_count * sizeof *want->open_containers));
}

static void check_as_rank(impi_Exchange *exchange, void *argument)
{
    Run *run = argument;
    imp_Context *context = context_with_threads(run->thread_count);
    impi_Manifest manifest;
    impi_RankReport report;
    impi_RankBody bodies[MAX_BODIES];
    if (!CHECK_INT(impi_manifest_load(context, run->path, &manifest), IMP_STATUS_OK))
        abort(); // the others would wait for ever
    for (size_t i = 0; i < manifest.bodies.count; ++i)
        bodies[i] = (impi_RankBody){manifest.bodies.data[i].path, "body", manifest.bodies.data[i].pose};
    impi_RankWorldDef def = {.bodies = bodies, .body_count = manifest.bodies.count, .mode = run->mode};
    if (!CHECK_INT(impi_rank_world_detect(exchange, context, &def, &report), IMP_STATUS_OK))
        printf("  rank %u: %s\n", exchange->rank, imp_context_get_error(context)->message);
    run->received[exchange->rank] = report.received_mesh_count;
    if (exchange->rank == 0)
        check_report(run, &report.report);
    else
        CHECK(report.report.body_pair_count == 0 && report.mesh_count == 0);
    impi_rank_report_free(&report);
    impi_manifest_free(&manifest);
    imp_context_destroy(context);
}

static void compare(imp_Context *context, const char *path, Tallies *tallies)
{
    impi_Manifest manifest;
    Run run = {.path = path, .thread_count = 1 + test_random_below(2)};
    uint32_t rank_count = 1 + test_random_below(MAX_RANKS);
    if (!CHECK_INT(impi_manifest_load(context, path, &manifest), IMP_STATUS_OK))
        return;
    imp_World *world = world_of(context, &manifest);
    imp_DetectDef def = {.mode = run.mode = test_random_below(4) ? IMP_DETECT_FACES : IMP_DETECT_BODIES};
    CHECK_INT(imp_world_detect(world, &def, &run.wanted), IMP_STATUS_OK);
    CHECK(impi_local_ranks_run(rank_count, IMPI_LOCAL_TOGETHER, check_as_rank, &run));
    for (size_t i = 0; i < run.wanted->body_pair_count; ++i) {
        bool touches = run.wanted->body_pairs[i].relations & IMP_RELATION_TOUCH;
        ++*(touches ? &tallies->touching : &tallies->inside);
    }
    tallies->open += run.wanted->open_container_count;
    tallies->apart += run.wanted->candidate_body_pairs - run.wanted->body_pair_count;
    for (uint32_t i = 0; i < rank_count; ++i)
        tallies->travelled += run.received[i];
    tallies->several_ranks += rank_count > 1;
    imp_world_destroy(world);
    impi_manifest_free(&manifest);
}

TEST(ranks_find_what_one_world_finds)
{
    char folder[MAX_TEST_PATH], path[MAX_TEST_PATH + 16];
    Tallies tallies = {0};
    uint64_t count = test_count(MANIFEST_COUNT);
    make_folder(folder);
    snprintf(path, sizeof path, "%s/bodies.txt", folder);
    for (uint64_t i = 0; i < count; ++i) {
        imp_Context *context = context_with_threads(1);
        int failed = test_failed_checks();
        test_random_restart(i);
        write_manifest(context, folder, path);
        compare(context, path, &tallies);
        imp_context_destroy(context);
        if (test_failed_checks() > failed)
            printf("  manifest %d\n", (int)i);
    }
    remove_folder(folder);
    printf(
        "manifests %d: pairs that touch %d, inside %d, in the box of an open one %d, apart with boxes that "
        "meet %d, meshes that travelled %d\n",
        (int)count, (int)tallies.touching, (int)tallies.inside, (int)tallies.open, (int)tallies.apart,
        (int)tallies.travelled);
    if (count >= MANIFEST_COUNT)
        CHECK(tallies.touching > 20 * count && tallies.inside > 2 * count && tallies.open > count &&
              tallies.apart > 5 * count && tallies.travelled > 10 * count &&
              2 * tallies.several_ranks > count);
}
