/// imp_mesh_self_pairs against brute force over all pairs. On small grids the oracle computes the common
/// part of two triangles itself: its extreme points are the basic solutions of a system of equations in
/// barycentric coordinates, found in whole numbers for all subsets of the six corners, with no case
/// distinction by shape. Elsewhere, where no corners are common, exact_oracle.h tells what touches.
#include "shape/self_pairs.h"
#include "harness.h"
#include "oracle/exact_oracle.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A point with rational coordinates: x / d, y / d, z / d, with d > 0.
typedef struct Rational3 {
    int64_t x[3], d;
} Rational3;

typedef struct Int3 {
    int64_t x[3];
} Int3;

#define EQUATIONS    5
#define MAX_EXTREMES 64

// Fraction-free elimination: after step k each entry is a minor of order k + 1, so divisions leave no rest.
// Solves columns * unknowns = (0, 0, 0, 1, 1) when the columns are independent and the equations hold.
static bool solve(int64_t m[EQUATIONS][7], int unknowns, int64_t solution[6], int64_t *denominator)
{
    int64_t previous = 1;
    for (int k = 0; k < unknowns; ++k) {
        int pivot = k;
        while (pivot < EQUATIONS && m[pivot][k] == 0)
            ++pivot;
        if (pivot == EQUATIONS)
            return false;
        for (int c = 0; c <= unknowns; ++c) {
            int64_t swapped = m[k][c];
            m[k][c] = m[pivot][c];
            m[pivot][c] = swapped;
        }
        for (int r = 0; r < EQUATIONS; ++r) {
            if (r == k)
                continue;
            for (int c = 0; c <= unknowns; ++c)
                if (c != k)
                    m[r][c] = (m[k][k] * m[r][c] - m[r][k] * m[k][c]) / previous;
            m[r][k] = 0;
        }
        previous = m[k][k];
    }
    for (int r = unknowns; r < EQUATIONS; ++r)
        if (m[r][unknowns] != 0)
            return false;
    for (int k = 0; k < unknowns; ++k)
        solution[k] = m[k][unknowns];
    *denominator = previous;
    return true;
}

// The point of A and B whose barycentric coordinates use only the corners in `subset`, if there is just one.
static bool basic_point(const Int3 a[3], const Int3 b[3], unsigned subset, Rational3 *point)
{
    int64_t m[EQUATIONS][7], solution[6], d;
    int columns[6], unknowns = 0;
    for (int corner = 0; corner < 6; ++corner)
        if (subset >> corner & 1)
            columns[unknowns++] = corner;
    if (unknowns > EQUATIONS)
        return false;
    for (int k = 0; k < unknowns; ++k) {
        bool of_a = columns[k] < 3;
        const Int3 *corner = of_a ? &a[columns[k]] : &b[columns[k] - 3];
        for (int axis = 0; axis < 3; ++axis)
            m[axis][k] = of_a ? corner->x[axis] : -corner->x[axis];
        m[3][k] = of_a;
        m[4][k] = !of_a;
    }
    for (int r = 0; r < EQUATIONS; ++r)
        m[r][unknowns] = r >= 3;
    if (!solve(m, unknowns, solution, &d))
        return false;
    int64_t sign = d < 0 ? -1 : 1;
    *point = (Rational3){{0}, sign * d};
    for (int k = 0; k < unknowns; ++k) {
        if (sign * solution[k] < 0)
            return false;
        for (int axis = 0; axis < 3 && columns[k] < 3; ++axis)
            point->x[axis] += sign * solution[k] * a[columns[k]].x[axis];
    }
    return true;
}

static bool on_segment(const Rational3 *p, const Int3 *a, const Int3 *b)
{
    int64_t edge[3], to_point[3], along = 0, length = 0;
    for (int i = 0; i < 3; ++i) {
        edge[i] = b->x[i] - a->x[i];
        to_point[i] = p->x[i] - a->x[i] * p->d;
        along += edge[i] * to_point[i];
        length += edge[i] * edge[i] * p->d;
    }
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3;
        if (edge[i] * to_point[j] != edge[j] * to_point[i])
            return false;
    }
    if (length == 0)
        return to_point[0] == 0 && to_point[1] == 0 && to_point[2] == 0;
    return along >= 0 && along <= length;
}

// On a common vertex or edge? A vertex is an edge from itself to itself here.
static bool is_allowed(const Rational3 *p, const Int3 *common, int common_count)
{
    for (int i = 0; i < common_count; ++i)
        for (int j = i; j < common_count; ++j)
            if (on_segment(p, &common[i], &common[j]))
                return true;
    return false;
}

static bool non_collinear(const Rational3 *p, const Rational3 *q, const Rational3 *r)
{
    int64_t u[3], v[3];
    for (int i = 0; i < 3; ++i) {
        u[i] = q->x[i] * p->d - p->x[i] * q->d;
        v[i] = r->x[i] * p->d - p->x[i] * r->d;
    }
    return u[0] * v[1] != u[1] * v[0] || u[1] * v[2] != u[2] * v[1] || u[2] * v[0] != u[0] * v[2];
}

static Rational3 middle(const Rational3 *p, const Rational3 *q)
{
    Rational3 m = {{0}, 2 * p->d * q->d};
    for (int i = 0; i < 3; ++i)
        m.x[i] = p->x[i] * q->d + q->x[i] * p->d;
    return m;
}

// A convex set lies in common vertices and edges when it has no area and its extreme points and the points
// half-way between them do: with any two vertices the edge between them is common as well.
static bool shares_more(const Rational3 *extremes, int count, const Int3 *common, int common_count)
{
    for (int i = 0; i < count; ++i)
        for (int j = i; j < count; ++j) {
            Rational3 half = middle(&extremes[i], &extremes[j]);
            if (!is_allowed(&half, common, common_count))
                return true;
            for (int k = j + 1; k < count; ++k)
                if (non_collinear(&extremes[i], &extremes[j], &extremes[k]))
                    return true;
        }
    return false;
}

static int compare_int3(const void *a, const void *b)
{
    const Int3 *u = a, *v = b;
    for (int i = 0; i < 3; ++i)
        if (u->x[i] != v->x[i])
            return u->x[i] < v->x[i] ? -1 : 1;
    return 0;
}

static bool same_corners(const Int3 a[3], const Int3 b[3])
{
    Int3 sorted_a[3], sorted_b[3];
    memcpy(sorted_a, a, sizeof sorted_a);
    memcpy(sorted_b, b, sizeof sorted_b);
    qsort(sorted_a, 3, sizeof *sorted_a, compare_int3);
    qsort(sorted_b, 3, sizeof *sorted_b, compare_int3);
    return memcmp(sorted_a, sorted_b, sizeof sorted_a) == 0;
}

static void to_int3(const imp_Triangle *t, Int3 corners[3])
{
    for (int k = 0; k < 3; ++k)
        corners[k] = (Int3){{(int64_t)t->v[k].x, (int64_t)t->v[k].y, (int64_t)t->v[k].z}};
}

// How many corners are common, and whether the triangles overlap.
static bool oracle_overlap(const imp_Triangle *ta, const imp_Triangle *tb, int *common_count)
{
    Int3 a[3], b[3], common[3];
    Rational3 extremes[MAX_EXTREMES];
    int extreme_count = 0;
    *common_count = 0;
    to_int3(ta, a);
    to_int3(tb, b);
    for (int i = 0; i < 3; ++i) {
        bool in_b = false, counted = false;
        for (int j = 0; j < 3; ++j)
            in_b |= compare_int3(&a[i], &b[j]) == 0;
        for (int j = 0; j < i; ++j)
            counted |= compare_int3(&a[i], &a[j]) == 0;
        if (in_b && !counted)
            common[(*common_count)++] = a[i];
    }
    if (same_corners(a, b))
        return true;
    for (unsigned subset = 1; subset < 64; ++subset)
        extreme_count += basic_point(a, b, subset, &extremes[extreme_count]);
    return shares_more(extremes, extreme_count, common, *common_count);
}

static imp_FacePair *self_pairs(const imp_Mesh *mesh, uint32_t threads, size_t *count)
{
    imp_Context *context;
    CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = threads}, &context), IMP_STATUS_OK);
    *count = 0;
    CHECK_INT(imp_mesh_self_pairs(context, mesh, NULL, 0, count), IMP_STATUS_OK);
    imp_FacePair *pairs = malloc((*count + 1) * sizeof *pairs);
    CHECK_INT(imp_mesh_self_pairs(context, mesh, pairs, *count, count), IMP_STATUS_OK);
    imp_context_destroy(context);
    return pairs;
}

// Each pair is in `pairs` if and only if the oracle says so, which is asked in their order.
typedef bool (*OracleFn)(const imp_Triangle *a, const imp_Triangle *b);

static void check_against(const imp_Mesh *mesh, OracleFn oracle)
{
    static const uint32_t thread_counts[] = {1, 2, 5};
    size_t count, next = 0, face_count = imp_mesh_get_triangle_count(mesh);
    imp_FacePair *pairs = self_pairs(mesh, thread_counts[test_random_below(3)], &count);
    for (uint32_t i = 0; i < face_count; ++i)
        for (uint32_t j = i + 1; j < face_count; ++j) {
            imp_Triangle a, b;
            CHECK_INT(imp_mesh_get_triangle(mesh, i, &a), IMP_STATUS_OK);
            CHECK_INT(imp_mesh_get_triangle(mesh, j, &b), IMP_STATUS_OK);
            bool found = next < count && pairs[next].face_a == i && pairs[next].face_b == j;
            next += found;
            CHECK_INT(found, oracle(&a, &b));
        }
    CHECK_INT(next, count);
    free(pairs);
}

static uint64_t tally[4][2]; // by the number of common corners, and by verdict

static bool grid_oracle(const imp_Triangle *a, const imp_Triangle *b)
{
    int common;
    bool overlap = oracle_overlap(a, b, &common);
    ++tally[common][overlap];
    return overlap;
}

TEST(grid_soups_agree_with_barycentric_coordinates)
{
    uint64_t count = test_count(60000), done = 0;
    const uint32_t faces = 30;
    imp_Context *context;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    memset(tally, 0, sizeof tally);
    for (; done < count; done += faces * (faces - 1) / 2) {
        imp_Mesh *mesh = NULL;
        CHECK_INT(scene_grid_soup(context, faces, 2 + test_random_below(3), test_random(), &mesh),
                  IMP_STATUS_OK);
        check_against(mesh, grid_oracle);
        imp_mesh_release(mesh);
    }
    imp_context_destroy(context);
    for (int common = 0; common < 4; ++common) {
        printf("%d common: %llu no, %llu yes\n", common, (unsigned long long)tally[common][0],
               (unsigned long long)tally[common][1]);
        CHECK(tally[common][1] > done / 1000);
        CHECK(common == 3 || tally[common][0] > done / 100);
    }
}

static uint64_t touching, separate;

static bool touch_oracle(const imp_Triangle *a, const imp_Triangle *b)
{
    bool touch = oracle_triangles_touch(a, b);
    ++*(touch ? &touching : &separate);
    return touch;
}

TEST(soups_agree_with_the_exact_oracle)
{
    uint64_t count = test_count(60000) / 2, done = 0;
    const uint32_t faces = 60;
    imp_Context *context;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    touching = separate = 0;
    for (; done < count; done += faces * (faces - 1) / 2) {
        static const double scales[] = {1, 1e-300, 1e-315, 1e307, 2};
        imp_Mesh *mesh = NULL, *placed = NULL;
        double scale = scales[test_random_below(5)];
        imp_Vec3 offset = {scale == 2 ? 6e5 : 0, scale == 2 ? -4e6 : 0, 0};
        scene_soup(context, faces, 0.5, test_random(), &mesh);
        scene_place(context, mesh, scale, offset, &placed);
        check_against(placed, touch_oracle);
        imp_mesh_release(mesh);
        imp_mesh_release(placed);
    }
    imp_context_destroy(context);
    CHECK(touching > done / 100);
    CHECK(separate > done / 10);
}

// Against the pair test on all pairs, which the tests above have compared with oracles.
TEST(no_pair_is_lost_by_the_search)
{
    imp_Context *context;
    imp_Mesh *sphere = NULL, *moved = NULL, *mesh = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    scene_bumpy_sphere(context, 24, 14, 1, 0.5, test_random(), &sphere);
    scene_place(context, sphere, 0.5, (imp_Vec3){0.5, 0.3, 0.1}, &moved);
    scene_join(context, sphere, moved, &mesh);
    check_against(mesh, impi_triangles_overlap);
    size_t count;
    free(self_pairs(mesh, 2, &count));
    CHECK(count > 20);
    free(self_pairs(sphere, 2, &count));
    CHECK_INT(count, 0);
    imp_mesh_release(sphere);
    imp_mesh_release(moved);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(sample_meshes_lose_no_pair)
{
    static const char *const names[] = {"suzanne", "spot-1500"};
    const char *dir = test_data_dir();
    if (!dir) {
        test_skip("there is no folder of sample data");
        return;
    }
    imp_Context *context;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    for (int i = 0; i < 2; ++i) {
        char path[1024];
        imp_Mesh *mesh = NULL;
        snprintf(path, sizeof path, "%s/meshes/%s.obj", dir, names[i]);
        if (!CHECK_INT(imp_mesh_load(context, path, &mesh), IMP_STATUS_OK))
            continue;
        check_against(mesh, impi_triangles_overlap);
        imp_mesh_release(mesh);
    }
    imp_context_destroy(context);
}
