// Area spheres: trees of 8 children and 3 levels. How far spheres stick out at each level, the largest and
// the mean, sampled on each sphere with closed meshes as solids, as a part of the root's radius (regimes
// largest-L and mean-L; column pairs: how many spheres the level has); how long it takes to build a tree, to
// prove that it covers, and to prove how far its spheres stick out. Meshes come from the data beside the
// repository, or are made where they are not there; large ones are only timed, and left out with --quick.
#include "bench.h"
#include "sphere_samples.h"

#include "base/clock.h"
#include "base/scratch_call.h"
#include "scenes/shapes.h"
#include "shape/sphere_cover.h"
#include "shape/sphere_protrusion.h"

#include <impinge/impinge.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BRANCH 8
#define DEPTH  3

typedef struct Method {
    const char *name;
    imp_Status (*build)(imp_Context *context, const imp_SphereTreeDef *def, impi_SphereDraft *draft);
} Method;

static const Method methods[] = {
    {"impinge", impi_spheres_fit},
    {"impinge-octree", impi_spheres_octree},
    {"impinge-medial", impi_spheres_medial},
};

typedef struct Scene {
    const char *name, *file;
    imp_Mesh *(*make)(imp_Context *context); // null: only from the file
    bool is_timed_only;                      // and ours alone
} Scene;

static imp_Mesh *make_bumpy(imp_Context *context)
{
    imp_Mesh *mesh = NULL;
    bench_require(scene_bumpy_sphere(context, 40, 20, 1, 0.3, 1, &mesh));
    return mesh;
}

static imp_Mesh *make_million(imp_Context *context)
{
    imp_Mesh *mesh = NULL;
    bench_require(scene_torus(context, 1000, 500, 1, 0.4, &mesh));
    return mesh;
}

static const Scene scenes[] = {
    {"bunny-1500", "stanford-bunny-1500.obj", NULL, false},
    {"fandisk-1500", "fandisk-1500.obj", NULL, false},
    {"spot-1500", "spot-1500.obj", NULL, false},
    {"homer-1500", "homer-1500.obj", NULL, false},
    {"cow", "cow.obj", NULL, false},
    {"bumpy-sphere", NULL, make_bumpy, false},
    {"bunny", "stanford-bunny.obj", NULL, true},
    {"torus-1000000", NULL, make_million, true},
};

static imp_Mesh *get_mesh(imp_Context *context, const Scene *scene)
{
    const char *dir = getenv("IMPINGE_DATA");
    char path[1024];
    imp_Mesh *mesh;
    if (!scene->file)
        return scene->make(context);
    snprintf(path, sizeof path, "%s/meshes/%s", dir ? dir : BENCH_DATA_DIR, scene->file);
    if (imp_mesh_load(context, path, &mesh) == IMP_STATUS_OK)
        return mesh;
    fprintf(stderr, "impinge-bench: %s is left out: %s\n", scene->name,
            imp_context_get_error(context)->message);
    return NULL;
}

static void print_value(const Scene *scene, const char *regime, const Method *method, double value,
                        const char *unit, size_t count)
{
    bench_print(
        &(BenchLine){scene->name, regime, method->name, 1, bench_single(value), unit, count, NULL, 1});
}

// ---- how far they stick out

static void print_level(const Scene *scene, const Method *method, uint32_t level, const double *protrusions,
                        size_t count)
{
    char regime[32];
    double largest = 0, mean = 0;
    for (size_t i = 0; i < count; ++i) {
        largest = fmax(largest, protrusions[i]);
        mean += protrusions[i] / (double)count;
    }
    snprintf(regime, sizeof regime, "largest-%u", (unsigned)level);
    print_value(scene, regime, method, largest, "radii", count);
    snprintf(regime, sizeof regime, "mean-%u", (unsigned)level);
    print_value(scene, regime, method, mean, "radii", count);
}

static void sample_draft(imp_Context *context, const Scene *scene, const Method *method, const imp_Mesh *mesh,
                         const impi_SphereDraft *draft)
{
    SphereSampler *sampler = sphere_sampler_make(context, mesh);
    double *protrusions = malloc(draft->count * sizeof *protrusions);
    bench_check(protrusions != NULL, "out of memory");
    size_t first = 1;
    for (uint32_t level = 1; first < draft->count; ++level) {
        size_t end = first, parents = draft->data[first].parent;
        for (; end < draft->count && draft->data[end].parent < first; ++end)
            protrusions[end] =
                sphere_sampler_protrusion(sampler, draft->data[end].center, draft->data[end].radius) /
                draft->data[0].radius;
        bench_check(end > first && parents < first, "spheres are not level by level");
        print_level(scene, method, level, protrusions + first, end - first);
        first = end;
    }
    free(protrusions);
    sphere_sampler_free(sampler);
}

// ---- how long it takes

static void time_protrusions(imp_Context *context, const Scene *scene, const Method *method,
                             const imp_Mesh *mesh, const impi_SphereDraft *draft)
{
    imp_Sphere *spheres = calloc(draft->count, sizeof *spheres);
    bool is_closed;
    bench_check(spheres != NULL, "out of memory");
    for (size_t i = 0; i < draft->count; ++i)
        spheres[i] = (imp_Sphere){.center = draft->data[i].center, .radius = draft->data[i].radius};
    bench_require(imp_mesh_is_closed(context, mesh, &is_closed));
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    uint64_t start = impi_clock_ns();
    imp_Status status =
        impi_sphere_protrusions_measure(context, mesh, is_closed, spheres, NULL, draft->count);
    double took_s = 1e-9 * (double)(impi_clock_ns() - start);
    bench_require(impi_scratch_call_end(context, guard, status));
    print_value(scene, "protrusion", method, took_s, "s", draft->count);
    free(spheres);
}

static void time_proof(imp_Context *context, const Scene *scene, const Method *method, const imp_Mesh *mesh,
                       const impi_SphereDraft *draft)
{
    impi_SphereFaces faces = {0};
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    uint64_t start = impi_clock_ns();
    imp_Status status = impi_sphere_cover_prove(context, mesh, IMP_COVER_SURFACE, draft, &faces);
    double took_s = 1e-9 * (double)(impi_clock_ns() - start);
    bench_require(impi_scratch_call_end(context, guard, status));
    print_value(scene, "proof", method, took_s, "s", draft->count);
    impi_sphere_faces_free(&context->allocator, &faces);
}

static void measure(imp_Context *context, const Scene *scene, const Method *method, imp_Mesh *mesh)
{
    imp_SphereTreeDef def = {.mesh = mesh, .branch = BRANCH, .depth = DEPTH};
    impi_SphereDraft draft = {0};
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    uint64_t start = impi_clock_ns();
    imp_Status status = method->build(context, &def, &draft);
    double took_s = 1e-9 * (double)(impi_clock_ns() - start);
    if (status == IMP_STATUS_OK)
        status = impi_sphere_cover_mend(context, mesh, IMP_COVER_SURFACE, &draft);
    status = impi_scratch_call_end(context, guard, status);
    if (status == IMP_STATUS_UNSUPPORTED) {
        fprintf(stderr, "impinge-bench: %s is left out: %s\n", method->name,
                imp_context_get_error(context)->message);
    } else {
        bench_require(status);
        print_value(scene, "build", method, took_s, "s", draft.count);
        time_proof(context, scene, method, mesh, &draft);
        if (!scene->is_timed_only) {
            time_protrusions(context, scene, method, mesh, &draft);
            sample_draft(context, scene, method, mesh, &draft);
        }
    }
    impi_array_free(&context->allocator, &draft, sizeof *draft.data);
}

int bench_spheres(const BenchOptions *options)
{
    imp_Context *context;
    bench_require(imp_context_create(&(imp_ContextDef){.thread_count = 1}, &context));
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
        const Scene *scene = &scenes[i];
        if (!bench_wants(options, scene->name) || (options->quick && scene->is_timed_only))
            continue;
        imp_Mesh *mesh = get_mesh(context, scene);
        for (size_t k = 0; mesh && k < sizeof methods / sizeof *methods; ++k)
            if (bench_wants_system(options, methods[k].name) && (k == 0 || !scene->is_timed_only))
                measure(context, scene, &methods[k], mesh);
        imp_mesh_release(mesh);
    }
    imp_context_destroy(context);
    return 0;
}
