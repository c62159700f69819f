// Readers of mesh files beside assimp's, on one sphere of about half a million triangles in each format; and
// of scene files, glTF with a million vertices in all: as morph targets of one sphere, or as four spheres
// that move.
//
// The unit is nanoseconds per byte of the file: 5 is 200 MB/s. `pairs` is the number of triangles read.
// assimp is asked for no post-processing, and its scene is thrown away as it comes. With --memory each reader
// runs in a process of its own, and its peak is given as a multiple of the mesh's own arrays.
#include "bench.h"
#include "gltf_file.h"
#include "io/assimp_library.h"

#include <impinge/impinge.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__has_include)
#if __has_include(<assimp/scene.h>)
#include <assimp/mesh.h>
#include <assimp/scene.h>
#define HAS_ASSIMP_HEADERS 1
#endif
#endif

#define ROWS    500
#define COLUMNS 500

typedef struct File {
    char path[256];
    const char *scene;
    uint64_t (*read)(void *file); // by impinge; returns how many triangles
    imp_Context *context;
    const impi_AssimpLibrary *assimp;
} File;

static imp_Mesh *make_sphere(imp_Context *context)
{
    const double pi = 3.14159265358979323846;
    size_t vertex_count = (size_t)(ROWS + 1) * COLUMNS, triangle_count = (size_t)2 * ROWS * COLUMNS, n = 0;
    double *vertices = malloc(3 * vertex_count * sizeof *vertices);
    uint32_t *indices = malloc(3 * triangle_count * sizeof *indices);
    imp_Mesh *mesh = NULL;
    if (vertices && indices) {
        for (uint32_t row = 0; row <= ROWS; ++row)
            for (uint32_t column = 0; column < COLUMNS; ++column) {
                double *vertex = vertices + 3 * ((size_t)row * COLUMNS + column);
                double theta = pi * row / ROWS, phi = 2 * pi * column / COLUMNS;
                vertex[0] = sin(theta) * cos(phi);
                vertex[1] = sin(theta) * sin(phi);
                vertex[2] = cos(theta);
                if (row == ROWS)
                    continue;
                uint32_t a = row * COLUMNS + column, b = row * COLUMNS + (column + 1) % COLUMNS;
                const uint32_t corners[6] = {a, a + COLUMNS, b, b, a + COLUMNS, b + COLUMNS};
                memcpy(indices + n, corners, sizeof corners);
                n += 6;
            }
        imp_MeshDef def = {.vertices = vertices,
                           .vertex_count = vertex_count,
                           .indices = indices,
                           .triangle_count = triangle_count};
        bench_require(imp_mesh_create(context, &def, &mesh));
    }
    free(vertices);
    free(indices);
    return mesh;
}

// The formats that imp_mesh_save does not write.
static bool write_text_ply(const imp_Mesh *mesh, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    const imp_Vec3 *vertices = imp_mesh_get_vertices(mesh);
    const uint32_t *indices = imp_mesh_get_indices(mesh);
    fprintf(file,
            "ply\nformat ascii 1.0\nelement vertex %zu\nproperty double x\nproperty double y\n"
            "property double z\nelement face %zu\nproperty list uchar int vertex_indices\nend_header\n",
            imp_mesh_get_vertex_count(mesh), imp_mesh_get_triangle_count(mesh));
    for (size_t i = 0; i < imp_mesh_get_vertex_count(mesh); ++i)
        fprintf(file, "%.9g %.9g %.9g\n", vertices[i].x, vertices[i].y, vertices[i].z);
    for (size_t i = 0; i < imp_mesh_get_triangle_count(mesh); ++i, indices += 3)
        fprintf(file, "3 %u %u %u\n", indices[0], indices[1], indices[2]);
    return fclose(file) == 0;
}

static bool write_text_stl(const imp_Mesh *mesh, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file, "solid sphere\n");
    for (size_t i = 0; i < imp_mesh_get_triangle_count(mesh); ++i) {
        imp_Triangle triangle;
        bench_require(imp_mesh_get_triangle(mesh, i, &triangle));
        fprintf(file, "facet normal 0 0 1\n outer loop\n");
        for (int k = 0; k < 3; ++k)
            fprintf(file, "  vertex %.9g %.9g %.9g\n", triangle.v[k].x, triangle.v[k].y, triangle.v[k].z);
        fprintf(file, " endloop\nendfacet\n");
    }
    fprintf(file, "endsolid sphere\n");
    return fclose(file) == 0;
}

static uint64_t read_mesh(void *state)
{
    File *file = state;
    imp_Mesh *mesh = NULL;
    if (imp_mesh_load(file->context, file->path, &mesh) != IMP_STATUS_OK)
        return 0;
    uint64_t count = imp_mesh_get_triangle_count(mesh);
    imp_mesh_release(mesh);
    return count;
}

static uint64_t read_scene(void *state)
{
    File *file = state;
    imp_Scene *scene = NULL;
    uint64_t count = 0;
    if (imp_scene_load(file->context, file->path, &scene) != IMP_STATUS_OK)
        return 0;
    for (size_t i = 0; i < imp_scene_get_body_count(scene); ++i) {
        imp_SceneBody body;
        bench_require(imp_scene_get_body(scene, i, &body));
        count += imp_mesh_get_triangle_count(body.mesh);
    }
    imp_scene_destroy(scene);
    return count;
}

#ifdef HAS_ASSIMP_HEADERS
static uint64_t count_faces(const struct aiScene *scene)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < scene->mNumMeshes; ++i)
        count += scene->mMeshes[i]->mNumFaces;
    return count;
}
#else
static uint64_t count_faces(const struct aiScene *scene)
{
    (void)scene;
    return 0;
}
#endif

static uint64_t run_assimp(void *state)
{
    File *file = state;
    const struct aiScene *scene = file->assimp->import_file(file->path, 0);
    if (!scene)
        return 0;
    uint64_t count = count_faces(scene);
    file->assimp->release_import(scene);
    return count;
}

static void measure_time(File *file, const BenchOptions *options)
{
    struct stat info;
    char agrees[32] = "yes";
    if (stat(file->path, &info) != 0)
        return;
    bool has_assimp = file->assimp && bench_wants_system(options, "assimp");
    int64_t difference = has_assimp ? (int64_t)run_assimp(file) - (int64_t)file->read(file) : 0;
    if (difference)
        snprintf(agrees, sizeof agrees, "%+lld", (long long)difference);
    BenchSystem systems[] = {
        {.name = "impinge", .threads = 1, .run = file->read, .state = file},
        {.name = "assimp", .threads = 1, .run = run_assimp, .state = file, .agrees = agrees}};
    BenchScene scene = {file->scene, "read", "ns/byte", (double)info.st_size, options->quick ? 3 : 9};
    bench_measure(options, &scene, systems, has_assimp ? 2 : 1);
}

typedef struct MemoryCase {
    File *file;
    const char *system;
    uint64_t (*run)(void *file);
    double mesh_bytes;
} MemoryCase;

// In a process of its own, whose memory before the work is taken off.
static void measure_memory(void *argument)
{
    const MemoryCase *one = argument;
    double before = bench_peak_mib();
    uint64_t count = one->run(one->file);
    double mib = bench_peak_mib() - before;
    BenchLine line = {one->file->scene, "read", one->system, 1, bench_single(mib), "mib", count, "yes", 1};
    bench_print(&line);
    line.unit = "meshes";
    line.value = bench_single(mib * 1048576 / one->mesh_bytes);
    bench_print(&line);
}

typedef struct Format {
    const char *scene, *file_name;
    bool (*write)(const imp_Mesh *mesh, const char *path); // null: imp_mesh_save
    bool own_vertices;                                     // each triangle brings its own three
    size_t body_count;                                     // of a scene; 0 for a mesh
    size_t shape_count;                                    // of each body: itself and its morph targets
} Format;

static const Format formats[] = {
    {"obj", "sphere.obj", NULL, false, 0, 1},
    {"stl-binary", "sphere-binary.stl", NULL, true, 0, 1},
    {"stl-text", "sphere-text.stl", write_text_stl, true, 0, 1},
    {"ply-binary", "sphere-binary.ply", NULL, false, 0, 1},
    {"ply-text", "sphere-text.ply", write_text_ply, false, 0, 1},
    {"off", "sphere.off", NULL, false, 0, 1},
    {"gltf-morph", "sphere-morph.glb", gltf_write_morph, false, 1, 1 + GLTF_TARGET_COUNT},
    {"gltf-nodes", "sphere-nodes.glb", gltf_write_nodes, false, GLTF_NODE_COUNT, 1},
};

static void bench_format(const Format *format, const char *folder, File *file, const imp_Mesh *sphere,
                         const BenchOptions *options)
{
    size_t body_count = format->body_count ? format->body_count : 1;
    size_t triangle_count = body_count * imp_mesh_get_triangle_count(sphere);
    size_t vertex_count = format->own_vertices
                              ? 3 * triangle_count
                              : body_count * format->shape_count * imp_mesh_get_vertex_count(sphere);
    file->scene = format->scene;
    file->read = format->body_count ? read_scene : read_mesh;
    snprintf(file->path, sizeof file->path, "%s/%s", folder, format->file_name);
    bool written = format->write ? format->write(sphere, file->path)
                                 : imp_mesh_save(file->context, sphere, file->path) == IMP_STATUS_OK;
    bench_check(written, "the file can't be written");
    if (options->memory) {
        double mesh_bytes = (double)(vertex_count * sizeof(imp_Vec3) + 3 * triangle_count * sizeof(uint32_t));
        if (bench_wants_system(options, "impinge"))
            bench_run_apart(measure_memory, &(MemoryCase){file, "impinge", file->read, mesh_bytes});
        if (file->assimp && bench_wants_system(options, "assimp"))
            bench_run_apart(measure_memory, &(MemoryCase){file, "assimp", run_assimp, mesh_bytes});
    } else {
        bench_check(file->read(file) == triangle_count, "a reader loses triangles");
        measure_time(file, options);
    }
    unlink(file->path);
}

int bench_io(const BenchOptions *options)
{
    const char *parent = getenv("TMPDIR");
    char folder[200];
    impi_AssimpLibrary assimp;
    File file = {.assimp = impi_assimp_library_open(&assimp) ? &assimp : NULL};
    if (!file.assimp)
        fprintf(stderr, "impinge-bench: assimp is left out: install libassimp-dev\n");
    snprintf(folder, sizeof folder, "%s/impinge-bench-XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(folder) || imp_context_create(NULL, &file.context) != IMP_STATUS_OK)
        return 1;
    imp_Mesh *sphere = make_sphere(file.context);
    bench_check(sphere != NULL, "no sphere");
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
        if (bench_wants(options, formats[i].scene))
            bench_format(&formats[i], folder, &file, sphere, options);
    imp_mesh_release(sphere);
    imp_context_destroy(file.context);
    rmdir(folder);
    return 0;
}
