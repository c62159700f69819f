// Samples lie on a spiral of Fibonacci around each sphere. Which of them are inside is asked of
// imp_mesh_locate_points; distances are computed here, through a tree of boxes over the faces, and only as
// far as they can exceed what was found before. Everything is relative to the first vertex, in plain doubles.
#include "sphere_samples.h"

#include "bench.h"

#include <impinge/impinge.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE_COUNT 2000
#define LEAF_SIZE    4

typedef struct Node {
    double low[3], high[3];
    size_t begin, end; // faces in order
    size_t right;      // the left child follows; 0: a leaf
} Node;

struct SphereSampler {
    imp_Context *context;
    const imp_Mesh *mesh;
    const imp_Vec3 *vertices;
    const uint32_t *indices;
    bool is_closed;
    uint32_t *order;
    Node *nodes;
    size_t node_count;
    imp_Vec3 samples[SAMPLE_COUNT];
    imp_PointLocation locations[SAMPLE_COUNT];
};

static imp_Vec3 minus(imp_Vec3 a, imp_Vec3 b)
{
    return (imp_Vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double dot(imp_Vec3 a, imp_Vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double segment_squared(imp_Vec3 p, imp_Vec3 a, imp_Vec3 b)
{
    imp_Vec3 edge = minus(b, a), to = minus(p, a);
    double length = dot(edge, edge), t = length > 0 ? fmin(fmax(dot(to, edge) / length, 0), 1) : 0;
    imp_Vec3 rest = {to.x - t * edge.x, to.y - t * edge.y, to.z - t * edge.z};
    return dot(rest, rest);
}

static double face_squared(const SphereSampler *sampler, uint32_t face, imp_Vec3 p)
{
    const uint32_t *corner = sampler->indices + 3 * (size_t)face;
    imp_Vec3 a = sampler->vertices[corner[0]], b = sampler->vertices[corner[1]];
    imp_Vec3 c = sampler->vertices[corner[2]], u = minus(b, a), v = minus(c, a), w = minus(p, a);
    imp_Vec3 n = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    imp_Vec3 wv = {w.y * v.z - w.z * v.y, w.z * v.x - w.x * v.z, w.x * v.y - w.y * v.x};
    imp_Vec3 uw = {u.y * w.z - u.z * w.y, u.z * w.x - u.x * w.z, u.x * w.y - u.y * w.x};
    double nn = dot(n, n), s = dot(wv, n), t = dot(uw, n);
    if (nn > 0 && s >= 0 && t >= 0 && s + t <= nn)
        return dot(w, n) * dot(w, n) / nn;
    return fmin(segment_squared(p, a, b), fmin(segment_squared(p, b, c), segment_squared(p, c, a)));
}

static double box_squared(const Node *node, imp_Vec3 p)
{
    const double at[3] = {p.x, p.y, p.z};
    double squared = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double away = fmax(fmax(node->low[axis] - at[axis], at[axis] - node->high[axis]), 0);
        squared += away * away;
    }
    return squared;
}

// The least squared distance from the node's faces, below `least`; once it is not above `enough`, any such.
static double nearest(const SphereSampler *sampler, size_t index, imp_Vec3 p, double least, double enough)
{
    const Node *node = &sampler->nodes[index];
    if (node->right == 0) {
        for (size_t i = node->begin; i < node->end && least > enough; ++i)
            least = fmin(least, face_squared(sampler, sampler->order[i], p));
        return least;
    }
    size_t first = index + 1, second = node->right;
    double to_first = box_squared(&sampler->nodes[first], p);
    double to_second = box_squared(&sampler->nodes[second], p);
    if (to_second < to_first) {
        size_t swapped = first;
        double distance = to_first;
        first = second;
        second = swapped;
        to_first = to_second;
        to_second = distance;
    }
    if (to_first < least && least > enough)
        least = nearest(sampler, first, p, least, enough);
    if (to_second < least && least > enough)
        least = nearest(sampler, second, p, least, enough);
    return least;
}

static double coordinate(imp_Vec3 p, int axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static double middle_of(const SphereSampler *sampler, uint32_t face, int axis)
{
    double sum = 0;
    for (size_t i = 0; i < 3; ++i)
        sum += coordinate(sampler->vertices[sampler->indices[3 * (size_t)face + i]], axis);
    return sum / 3;
}

static void bound(const SphereSampler *sampler, Node *node)
{
    for (int axis = 0; axis < 3; ++axis) {
        node->low[axis] = INFINITY;
        node->high[axis] = -INFINITY;
        for (size_t i = node->begin; i < node->end; ++i)
            for (size_t k = 0; k < 3; ++k) {
                uint32_t vertex = sampler->indices[3 * (size_t)sampler->order[i] + k];
                double at = coordinate(sampler->vertices[vertex], axis);
                node->low[axis] = fmin(node->low[axis], at);
                node->high[axis] = fmax(node->high[axis], at);
            }
    }
}

// Faces are parted at the mean of their middles along the longest axis, or by number where that parts none.
static void grow(SphereSampler *sampler, size_t begin, size_t end)
{
    Node *node = &sampler->nodes[sampler->node_count++];
    *node = (Node){.begin = begin, .end = end};
    bound(sampler, node);
    if (end - begin <= LEAF_SIZE)
        return;
    int axis = 0;
    for (int i = 1; i < 3; ++i)
        if (node->high[i] - node->low[i] > node->high[axis] - node->low[axis])
            axis = i;
    double mean = 0;
    for (size_t i = begin; i < end; ++i)
        mean += middle_of(sampler, sampler->order[i], axis) / (double)(end - begin);
    size_t parting = begin;
    for (size_t i = begin; i < end; ++i)
        if (middle_of(sampler, sampler->order[i], axis) < mean) {
            uint32_t face = sampler->order[i];
            sampler->order[i] = sampler->order[parting];
            sampler->order[parting++] = face;
        }
    if (parting == begin || parting == end)
        parting = begin + (end - begin) / 2;
    grow(sampler, begin, parting);
    node->right = sampler->node_count;
    grow(sampler, parting, end);
}

SphereSampler *sphere_sampler_make(imp_Context *context, const imp_Mesh *mesh)
{
    SphereSampler *sampler = calloc(1, sizeof *sampler);
    size_t face_count = imp_mesh_get_triangle_count(mesh);
    bench_check(sampler != NULL, "out of memory");
    *sampler = (SphereSampler){.context = context, .mesh = mesh};
    sampler->vertices = imp_mesh_get_vertices(mesh);
    sampler->indices = imp_mesh_get_indices(mesh);
    bench_require(imp_mesh_is_closed(context, mesh, &sampler->is_closed));
    sampler->order = malloc(face_count * sizeof *sampler->order);
    sampler->nodes = malloc(2 * face_count * sizeof *sampler->nodes);
    bench_check(sampler->order && sampler->nodes, "out of memory");
    for (size_t i = 0; i < face_count; ++i)
        sampler->order[i] = (uint32_t)i;
    grow(sampler, 0, face_count);
    return sampler;
}

void sphere_sampler_free(SphereSampler *sampler)
{
    free(sampler->order);
    free(sampler->nodes);
    free(sampler);
}

double sphere_sampler_protrusion(SphereSampler *sampler, imp_Vec3 center, double radius)
{
    const double golden_angle = 2.39996322972865332;
    double most = 0;
    for (int i = 0; i < SAMPLE_COUNT; ++i) {
        double z = 1 - (2 * i + 1.0) / SAMPLE_COUNT, flat = sqrt(1 - z * z), turn = golden_angle * i;
        sampler->samples[i] = (imp_Vec3){center.x + radius * flat * cos(turn),
                                         center.y + radius * flat * sin(turn), center.z + radius * z};
    }
    if (sampler->is_closed)
        bench_require(imp_mesh_locate_points(sampler->context, sampler->mesh, sampler->samples, SAMPLE_COUNT,
                                             sampler->locations));
    for (int i = 0; i < SAMPLE_COUNT; ++i)
        if (!sampler->is_closed || sampler->locations[i] == IMP_LOCATION_OUTSIDE)
            most = fmax(most, nearest(sampler, 0, sampler->samples[i], INFINITY, most));
    return sqrt(most);
}
