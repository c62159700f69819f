// The part of area sweep about single features: when does a moving vertex first touch a moving face, and a
// moving edge another one? Queries are those of two bunnies, of all pairs of faces whose boxes over the
// motion meet, and public ones with known answers; beside a plain solver of the cubic that is not exact.
#include "bunny.h"
#include "crowd_curve.h"
#include "plain_sweep.h"
#include "sweep_parts.h"

#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_QUERIES 100000
#define PATH_BYTES  1200

typedef struct Queries {
    imp_Context *contexts[2]; // of one thread and of two
    bool are_edges;
    size_t count;
    imp_SweepQuery *queries;
    double *times, *plain;
    bool *is_hit; // what is known beforehand
} Queries;

static imp_Status sweep(imp_Context *context, const Queries *queries, size_t first, size_t count)
{
    return queries->are_edges
               ? imp_sweep_edges(context, queries->queries + first, count, queries->times + first)
               : imp_sweep_vertex_faces(context, queries->queries + first, count, queries->times + first);
}

static uint64_t count_hits(const double *times, size_t count)
{
    uint64_t hits = 0;
    for (size_t i = 0; i < count; ++i)
        hits += times[i] <= 1;
    return hits;
}

static uint64_t run_one_thread(void *state)
{
    Queries *queries = state;
    bench_require(sweep(queries->contexts[0], queries, 0, queries->count));
    return count_hits(queries->times, queries->count);
}

static uint64_t run_two_threads(void *state)
{
    Queries *queries = state;
    bench_require(sweep(queries->contexts[1], queries, 0, queries->count));
    return count_hits(queries->times, queries->count);
}

static uint64_t run_plain(void *state)
{
    Queries *queries = state;
    for (size_t i = 0; i < queries->count; ++i)
        queries->plain[i] = queries->are_edges ? plain_sweep_edges(&queries->queries[i])
                                               : plain_sweep_vertex_face(&queries->queries[i]);
    return count_hits(queries->plain, queries->count);
}

static const char *check_plain(void *state)
{
    static char text[64];
    const Queries *queries = state;
    size_t missing = 0, invented = 0;
    for (size_t i = 0; i < queries->count; ++i) {
        missing += queries->times[i] <= 1 && !(queries->plain[i] <= 1);
        invented += queries->plain[i] <= 1 && !(queries->times[i] <= 1);
    }
    snprintf(text, sizeof text, "-%zu/+%zu", missing, invented);
    return missing || invented ? text : "yes";
}

static const char *check_known(void *state)
{
    const Queries *queries = state;
    for (size_t i = 0; queries->is_hit && i < queries->count; ++i)
        bench_check((queries->times[i] <= 1) == queries->is_hit[i], "a public query is answered wrong");
    return "yes";
}

static void measure(const BenchOptions *options, const char *scene, Queries *queries)
{
    BenchSystem systems[] = {
        {.name = "impinge", .threads = 1, .run = run_one_thread, .state = queries, .check = check_known},
        {.name = "impinge", .threads = 2, .run = run_two_threads, .state = queries, .check = check_known},
        {.name = "plain-cubic", .threads = 1, .run = run_plain, .state = queries, .check = check_plain},
    };
    BenchScene description = {scene, queries->are_edges ? "edge-edge" : "vertex-face", "ns",
                              (double)queries->count, options->quick ? 5 : 31};
    bench_measure(options, &description, systems, sizeof systems / sizeof systems[0]);
}

// The longest that one query takes, each by itself; of several rounds the least, since others use the machine
// too.
static void measure_worst(const char *scene, Queries *queries)
{
    uint64_t worst = 0;
    for (size_t i = 0; i < queries->count; ++i) {
        uint64_t least = UINT64_MAX;
        for (int round = 0; round < 5; ++round) {
            uint64_t start = crowd_processor_ns();
            bench_require(sweep(queries->contexts[0], queries, i, 1));
            uint64_t took = crowd_processor_ns() - start;
            least = took < least ? took : least;
        }
        worst = least > worst ? least : worst;
    }
    bench_print(&(BenchLine){scene, queries->are_edges ? "edge-edge-worst" : "vertex-face-worst", "impinge",
                             1, bench_single((double)worst), "ns", count_hits(queries->times, queries->count),
                             NULL, 1});
}

static Queries make_queries(size_t capacity)
{
    Queries queries = {.queries = malloc(capacity * sizeof *queries.queries),
                       .times = malloc(capacity * sizeof *queries.times),
                       .plain = malloc(capacity * sizeof *queries.plain)};
    bench_check(queries.queries && queries.times && queries.plain, "out of memory");
    for (uint32_t i = 0; i < 2; ++i)
        bench_require(imp_context_create(&(imp_ContextDef){.thread_count = i + 1}, &queries.contexts[i]));
    return queries;
}

static void free_queries(Queries *queries)
{
    imp_context_destroy(queries->contexts[0]);
    imp_context_destroy(queries->contexts[1]);
    free(queries->queries);
    free(queries->times);
    free(queries->plain);
    free(queries->is_hit);
}

// Faces of a mesh that goes from one pose to another, and the boxes around them.
typedef struct MovingFaces {
    imp_MovingTriangle *faces;
    double *boxes;
    size_t count;
} MovingFaces;

static MovingFaces move_faces(const imp_Mesh *mesh, imp_Pose from, imp_Pose to)
{
    MovingFaces moving = {.count = imp_mesh_get_triangle_count(mesh)};
    moving.faces = malloc(moving.count * sizeof *moving.faces);
    moving.boxes = malloc(6 * moving.count * sizeof *moving.boxes);
    bench_check(moving.faces && moving.boxes, "out of memory");
    for (size_t i = 0; i < moving.count; ++i) {
        imp_Triangle triangle;
        double *box = moving.boxes + 6 * i;
        bench_require(imp_mesh_get_triangle(mesh, i, &triangle));
        for (int axis = 0; axis < 3; ++axis) {
            box[axis] = INFINITY;
            box[3 + axis] = -INFINITY;
        }
        for (int k = 0; k < 6; ++k) {
            imp_Vec3 *posed = k < 3 ? &moving.faces[i].begin.v[k] : &moving.faces[i].end.v[k - 3];
            bench_require(imp_pose_apply(k < 3 ? &from : &to, triangle.v[k % 3], posed));
            for (int axis = 0; axis < 3; ++axis) {
                box[axis] = fmin(box[axis], (&posed->x)[axis]);
                box[3 + axis] = fmax(box[3 + axis], (&posed->x)[axis]);
            }
        }
    }
    return moving;
}

static imp_SweepQuery pick_query(const imp_MovingTriangle *a, const imp_MovingTriangle *b, bool are_edges,
                                 uint64_t *random)
{
    imp_SweepQuery query;
    int i = (int)(3 * scene_random_unit(random)), k = (int)(3 * scene_random_unit(random));
    for (int end = 0; end < 2; ++end) {
        const imp_Vec3 *va = end ? a->end.v : a->begin.v, *vb = end ? b->end.v : b->begin.v;
        imp_Vec3 *to = end ? query.end : query.begin;
        to[0] = va[i];
        to[1] = are_edges ? va[(i + 1) % 3] : vb[0];
        to[2] = are_edges ? vb[k] : vb[1];
        to[3] = are_edges ? vb[(k + 1) % 3] : vb[2];
    }
    return query;
}

// One bunny stays, the other one comes nearer by a fifth of its width and turns a little.
static void measure_bunnies(const BenchOptions *options, const imp_Mesh *bunny)
{
    imp_Box bounds = imp_mesh_get_bounds(bunny);
    double width = bounds.max.x - bounds.min.x;
    imp_Pose from = {.translation = {0.75 * width, 0, 0}}, to = {.translation = {0.55 * width, 0, 0}};
    to.rotation = (imp_Quat){cos(0.05), 0, sin(0.05), 0};
    MovingFaces a = move_faces(bunny, (imp_Pose){0}, (imp_Pose){0}), b = move_faces(bunny, from, to);
    Queries queries = make_queries(MAX_QUERIES);
    const imp_IndexPair *pairs;
    size_t pair_count;
    uint64_t random = 17;
    imp_BoxArray boxes_a = {.boxes = a.boxes, .count = a.count};
    imp_BoxArray boxes_b = {.boxes = b.boxes, .count = b.count};
    for (int kind = 0; kind < 2; ++kind) {
        bench_require(imp_pairs_list_between(queries.contexts[0], &boxes_a, &boxes_b, &pairs, &pair_count));
        queries.are_edges = kind == 1;
        queries.count = pair_count < MAX_QUERIES ? pair_count : MAX_QUERIES;
        for (size_t i = 0; i < queries.count; ++i) {
            imp_IndexPair pair = pairs[(size_t)(scene_random_unit(&random) * (double)pair_count)];
            queries.queries[i] = pick_query(&a.faces[pair.a], &b.faces[pair.b], queries.are_edges, &random);
        }
        measure(options, "bunny-queries", &queries);
    }
    free_queries(&queries);
    free(a.faces);
    free(a.boxes);
    free(b.faces);
    free(b.boxes);
}

// Eight lines of "numerator,denominator" three times and the answer. Both numbers are whole and the
// denominator is a power of two, so that the quotient of two doubles is the coordinate.
static bool read_query(FILE *file, imp_SweepQuery *query, bool *is_hit)
{
    imp_Vec3 points[8];
    int hit = 0;
    for (int i = 0; i < 8; ++i) {
        double n[6];
        if (fscanf(file, "%lf,%lf,%lf,%lf,%lf,%lf,%d", &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &hit) != 7)
            return false;
        points[i] = (imp_Vec3){n[0] / n[1], n[2] / n[3], n[4] / n[5]};
    }
    memcpy(query, points, sizeof points);
    *is_hit = hit;
    return true;
}

static void read_public_queries(const char *dir, bool are_edges, Queries *queries)
{
    static const char *const folders[] = {"erleben-cube-cliff-edges", "erleben-sliding-spike",
                                          "erleben-spike-wedge", "erleben-spikes", "unit-tests"};
    queries->are_edges = are_edges;
    queries->count = 0;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; ++i)
        for (int number = 0; number < 100; ++number) {
            char path[PATH_BYTES];
            snprintf(path, sizeof path, "%s/ccd/%s/%s/data_0_%d.csv", dir, folders[i],
                     are_edges ? "edge-edge" : "vertex-face", number);
            FILE *file = fopen(path, "r");
            if (!file)
                continue;
            while (queries->count < MAX_QUERIES &&
                   read_query(file, &queries->queries[queries->count], &queries->is_hit[queries->count]))
                ++queries->count;
            fclose(file);
        }
}

static void measure_public(const BenchOptions *options)
{
    const char *dir = getenv("IMPINGE_DATA");
    Queries queries = make_queries(MAX_QUERIES);
    queries.is_hit = calloc(MAX_QUERIES, sizeof *queries.is_hit);
    bench_check(queries.is_hit, "out of memory");
    for (int kind = 0; kind < 2; ++kind) {
        read_public_queries(dir ? dir : BENCH_DATA_DIR, kind == 1, &queries);
        if (queries.count == 0) {
            fprintf(stderr, "impinge-bench: public-queries are left out: there is no folder ccd of them\n");
            break;
        }
        measure(options, "public-queries", &queries);
        if (bench_wants_system(options, "impinge"))
            measure_worst("public-queries", &queries);
    }
    free_queries(&queries);
}

void sweep_queries(const BenchOptions *options)
{
    imp_Context *context = NULL;
    imp_Mesh *bunny = NULL;
    bench_require(imp_context_create(NULL, &context));
    if (bench_wants(options, "bunny-queries") && (bunny = bench_load_bunny(context)))
        measure_bunnies(options, bunny);
    imp_mesh_release(bunny);
    imp_context_destroy(context);
    if (bench_wants(options, "public-queries"))
        measure_public(options);
}
