// An icosahedron whose faces are cut into four, up to three times, with new vertices on the sphere.
#include "sphere_balls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CUTS      3
#define MAX_VERTICES  642
#define MAX_TRIANGLES 1280
#define MANY_FACES    ((size_t)1 << 19) // no more cuts where balls would have more in all
#define ROUNDING      1e-6              // more than formats of single precision take away

// Around the origin, of radius 1.
typedef struct Ball {
    imp_Vec3 vertices[MAX_VERTICES];
    uint32_t triangles[MAX_TRIANGLES][3];
    size_t vertex_count, triangle_count;
} Ball;

static imp_Vec3 unit(imp_Vec3 v)
{
    double length = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    return (imp_Vec3){v.x / length, v.y / length, v.z / length};
}

static void begin_icosahedron(Ball *ball)
{
    static const uint32_t triangles[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                              {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                              {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                              {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    const double golden = (1 + sqrt(5)) / 2;
    // Corners of three golden rectangles.
    for (int i = 0; i < 12; ++i) {
        double one = i % 2 ? 1 : -1, long_side = i % 4 < 2 ? golden : -golden;
        imp_Vec3 corners[] = {{one, long_side, 0}, {0, one, long_side}, {long_side, 0, one}};
        ball->vertices[i] = unit(corners[i / 4]);
    }
    memcpy(ball->triangles, triangles, sizeof triangles);
    ball->vertex_count = 12;
    ball->triangle_count = 20;
}

static bool is_same(imp_Vec3 a, imp_Vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// The vertex in the middle of an edge, which its other face may have made.
static uint32_t middle_of(Ball *ball, size_t first_new, uint32_t a, uint32_t b)
{
    imp_Vec3 p = ball->vertices[a], q = ball->vertices[b];
    imp_Vec3 middle = unit((imp_Vec3){p.x + q.x, p.y + q.y, p.z + q.z});
    size_t i = first_new;
    while (i < ball->vertex_count && !is_same(ball->vertices[i], middle))
        ++i;
    if (i == ball->vertex_count)
        ball->vertices[ball->vertex_count++] = middle;
    return (uint32_t)i;
}

static void cut_faces(Ball *ball)
{
    size_t first_new = ball->vertex_count, count = ball->triangle_count;
    for (size_t t = 0; t < count; ++t) {
        uint32_t *face = ball->triangles[t], a = face[0], b = face[1], c = face[2];
        uint32_t ab = middle_of(ball, first_new, a, b), bc = middle_of(ball, first_new, b, c),
                 ca = middle_of(ball, first_new, c, a);
        const uint32_t parts[4][3] = {{ab, bc, ca}, {a, ab, ca}, {b, bc, ab}, {c, ca, bc}};
        memcpy(face, parts[0], sizeof parts[0]);
        memcpy(ball->triangles[ball->triangle_count], parts[1], 3 * sizeof parts[0]);
        ball->triangle_count += 3;
    }
}

static void make_ball(Ball *ball, size_t ball_count)
{
    begin_icosahedron(ball);
    for (int i = 0; i < MAX_CUTS && 4 * ball->triangle_count * ball_count <= MANY_FACES; ++i)
        cut_faces(ball);
}

// How far its faces are from the middle, at least.
static double inner_radius(const Ball *ball)
{
    double least = 1;
    for (size_t t = 0; t < ball->triangle_count; ++t) {
        imp_Vec3 a = ball->vertices[ball->triangles[t][0]], b = ball->vertices[ball->triangles[t][1]],
                 c = ball->vertices[ball->triangles[t][2]];
        imp_Vec3 u = {b.x - a.x, b.y - a.y, b.z - a.z}, v = {c.x - a.x, c.y - a.y, c.z - a.z};
        imp_Vec3 normal =
            unit((imp_Vec3){u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x});
        least = fmin(least, fabs(a.x * normal.x + a.y * normal.y + a.z * normal.z));
    }
    return least;
}

static void place_ball(const Ball *ball, const imp_Sphere *sphere, double scale, SphereBalls *balls)
{
    size_t first = balls->vertex_count;
    double radius = scale * sphere->radius;
    for (size_t i = 0; i < ball->vertex_count; ++i) {
        imp_Vec3 v = ball->vertices[i], center = sphere->center;
        balls->vertices[balls->vertex_count++] =
            (imp_Vec3){center.x + radius * v.x, center.y + radius * v.y, center.z + radius * v.z};
    }
    for (size_t t = 0; t < ball->triangle_count; ++t, ++balls->triangle_count)
        for (size_t k = 0; k < 3; ++k)
            balls->indices[3 * balls->triangle_count + k] = (uint32_t)first + ball->triangles[t][k];
}

bool sphere_balls_create(const imp_Sphere *spheres, size_t count, bool is_around, SphereBalls *balls)
{
    *balls = (SphereBalls){0};
    Ball *ball = malloc(sizeof *ball);
    if (!ball)
        return false;
    make_ball(ball, count);
    double scale = is_around ? (1 + ROUNDING) / inner_radius(ball) : 1;
    balls->ball_triangle_count = ball->triangle_count;
    balls->vertices = calloc(count * ball->vertex_count, sizeof *balls->vertices);
    balls->indices = calloc(count * ball->triangle_count, 3 * sizeof *balls->indices);
    bool has_room = balls->vertices && balls->indices;
    for (size_t i = 0; i < count && has_room; ++i)
        place_ball(ball, &spheres[i], scale, balls);
    free(ball);
    return has_room;
}

void sphere_balls_free(SphereBalls *balls)
{
    free(balls->vertices);
    free(balls->indices);
    *balls = (SphereBalls){0};
}
