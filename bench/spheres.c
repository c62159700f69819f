// Area spheres: sphere trees of 8 children and 3 levels, one thread. For each level the largest and the mean
// protrusion over the root's radius, of a closed mesh as a solid, measured by 2,000 samples on each sphere,
// independently of what the library proves; the time that a tree takes, proof and certified protrusions
// included, and these two alone, which is what a tree of given spheres takes. Column pairs: spheres. Systems
// are the methods.
//
// Scenes are the sample meshes where they are there, and a torus and a bumpy sphere; the full bunny and a
// million faces for time, not with --quick.
#include "bench.h"
#include "bunny.h"
#include "sphere_samples.h"

#include "base/clock.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *name;
    imp_SphereMethod method;
} methods[] = {{"impinge", IMP_SPHERES_FIT},
               {"impinge-medial", IMP_SPHERES_MEDIAL},
               {"impinge-octree", IMP_SPHERES_OCTREE}};

#define METHOD_COUNT (sizeof methods / sizeof *methods)

static void print(const char *scene, const char *regime, const char *system, double value, const char *unit,
                  size_t sphere_count)
{
    bench_print(
        &(BenchLine){scene, regime, system, 1, bench_single(value), unit, (uint64_t)sphere_count, NULL, 1});
}

static void print_level(const char *scene, const char *system, const imp_SphereTree *tree, size_t level,
                        SphereSampler *sampler)
{
    imp_SphereLevel info;
    char regime[64];
    const imp_Sphere *spheres = imp_sphere_tree_get_spheres(tree, NULL);
    bench_require(imp_sphere_tree_get_level(tree, level, &info));
    double largest = 0, sum = 0;
    for (uint32_t i = info.first; i < info.first + info.count; ++i) {
        double protrusion = sphere_sampler_protrusion(sampler, spheres[i].center, spheres[i].radius);
        bench_check(protrusion <= (imp_sphere_tree_is_solid(tree) ? spheres[i].protrusion
                                                                  : spheres[i].surface_protrusion) *
                                          (1 + 1e-9) +
                                      1e-12 * spheres[0].radius,
                    "a sample sticks out more than was proven");
        largest = fmax(largest, protrusion);
        sum += protrusion;
    }
    snprintf(regime, sizeof regime, "level-%zu-largest-sampled", level);
    print(scene, regime, system, largest / spheres[0].radius, "radius", info.count);
    snprintf(regime, sizeof regime, "level-%zu-mean-sampled", level);
    print(scene, regime, system, sum / info.count / spheres[0].radius, "radius", info.count);
}

// A tree of the same spheres: nothing but the proof, protrusions and what detection needs.
static void print_proof_time(imp_Context *context, const char *scene, const char *system,
                             const imp_SphereTree *tree)
{
    size_t count;
    const imp_Sphere *spheres = imp_sphere_tree_get_spheres(tree, &count);
    imp_GivenSphere *given = malloc(count * sizeof *given);
    imp_SphereTree *again;
    bench_check(given != NULL, "out of memory");
    for (size_t i = 0; i < count; ++i)
        given[i] = (imp_GivenSphere){spheres[i].center, spheres[i].radius, spheres[i].parent};
    uint64_t start = impi_clock_ns();
    imp_GivenSpheresDef def = {.mesh = imp_sphere_tree_get_mesh(tree), .spheres = given, .count = count};
    bench_require(imp_sphere_tree_create_from_spheres(context, &def, &again));
    print(scene, "proof-and-protrusion", system, 1e-9 * (double)(impi_clock_ns() - start), "s", count);
    imp_sphere_tree_release(again);
    free(given);
}

static void measure_method(imp_Context *context, const char *scene, imp_Mesh *mesh, size_t method,
                           SphereSampler *sampler)
{
    imp_SphereTreeDef def = {.mesh = mesh, .method = methods[method].method};
    imp_SphereTree *tree;
    size_t count;
    uint64_t start = impi_clock_ns();
    imp_Status status = imp_sphere_tree_create(context, &def, &tree);
    if (status == IMP_STATUS_UNSUPPORTED) {
        fprintf(stderr, "impinge-bench: %s is left out: %s\n", methods[method].name,
                imp_context_get_error(context)->message);
        return;
    }
    bench_require(status);
    double took_s = 1e-9 * (double)(impi_clock_ns() - start);
    imp_sphere_tree_get_spheres(tree, &count);
    print(scene, "build", methods[method].name, took_s, "s", count);
    print_proof_time(context, scene, methods[method].name, tree);
    for (size_t level = 1; sampler && level < imp_sphere_tree_get_level_count(tree); ++level)
        print_level(scene, methods[method].name, tree, level, sampler);
    imp_sphere_tree_release(tree);
}

// Releases the mesh.
static void measure(const BenchOptions *options, imp_Context *context, const char *scene, imp_Mesh *mesh,
                    bool is_sampled)
{
    if (!mesh)
        return;
    SphereSampler *sampler = is_sampled ? sphere_sampler_make(context, mesh) : NULL;
    for (size_t i = 0; i < METHOD_COUNT; ++i)
        if (bench_wants_system(options, methods[i].name) &&
            (is_sampled || methods[i].method == IMP_SPHERES_FIT))
            measure_method(context, scene, mesh, i, sampler);
    if (sampler)
        sphere_sampler_free(sampler);
    imp_mesh_release(mesh);
}

static void measure_generated(const BenchOptions *options, imp_Context *context)
{
    imp_Mesh *mesh;
    if (bench_wants(options, "torus-1024")) {
        bench_require(scene_torus(context, 32, 16, 0.8, 0.3, &mesh));
        measure(options, context, "torus-1024", mesh, true);
    }
    if (bench_wants(options, "bumpy-1024")) {
        bench_require(scene_bumpy_sphere(context, 32, 17, 1, 0.2, 3, &mesh));
        measure(options, context, "bumpy-1024", mesh, true);
    }
}

static void measure_large(const BenchOptions *options, imp_Context *context)
{
    imp_Mesh *mesh;
    if (bench_wants(options, "bunny-69451"))
        measure(options, context, "bunny-69451", bench_load_bunny(context), false);
    if (bench_wants(options, "bumpy-million")) {
        bench_require(scene_bumpy_sphere(context, 1000, 501, 1, 0.2, 3, &mesh));
        measure(options, context, "bumpy-million", mesh, false);
    }
}

int bench_spheres(const BenchOptions *options)
{
    static const char *const names[] = {"stanford-bunny-1500", "fandisk-1500", "spot-1500", "homer-1500"};
    imp_Context *context;
    bench_require(imp_context_create(NULL, &context));
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (bench_wants(options, names[i]))
            measure(options, context, names[i], bench_load_mesh(context, names[i]), true);
    measure_generated(options, context);
    if (!options->quick)
        measure_large(options, context);
    imp_context_destroy(context);
    return 0;
}
