// All doubles are made whole numbers by one power of two, relative to the first vertex. Corners of pieces are
// whole numbers as well, since there is room for as many halvings as are allowed. Square distances are then
// compared with squares of radii, without any rounding. Doubles serve for one purpose only: to leave out
// spheres that are clearly too far away to matter.
#include "sphere_oracle.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>

typedef struct Point {
    mpz_t v[3];
} Point;

typedef struct Ball {
    Point center;
    mpz_t radius, radius_square;
    double near_center[3], near_radius; // rounded, in units of the mesh's size
    uint64_t stamp;                     // of the piece that it was last asked about,
    bool holds;                         // and the answer
} Ball;

typedef struct Judge {
    const imp_Sphere *spheres;
    size_t sphere_count, first_leaf;
    Ball *balls;
    Point *vertices;
    const uint32_t *indices;
    size_t vertex_count, face_count;
    int scale;      // doubles are multiplied by 2 to this power
    int near_scale; // and whole numbers by 2 to minus this one, to be about 1 at most
    uint64_t stamp, piece_count;
    mpz_t a, b, c;
} Judge;

static void point_init(Point *point)
{
    for (int i = 0; i < 3; ++i)
        mpz_init(point->v[i]);
}

static void point_clear(Point *point)
{
    for (int i = 0; i < 3; ++i)
        mpz_clear(point->v[i]);
}

// ---- whole numbers of doubles

// The power of two of the lowest bit.
static int lowest_bit(double value)
{
    int exponent;
    double mantissa = frexp(value, &exponent);
    if (value == 0)
        return 1024;
    for (; mantissa != floor(mantissa); --exponent)
        mantissa *= 2;
    return exponent;
}

static int lower(int a, int b)
{
    return a < b ? a : b;
}

static int lowest_bit_of(const imp_Vec3 *point)
{
    return lower(lowest_bit(point->x), lower(lowest_bit(point->y), lowest_bit(point->z)));
}

// `scale` is large enough for a whole number.
static void set_number(mpz_t number, double value, int scale)
{
    int exponent;
    double mantissa = ldexp(frexp(value, &exponent), 53);
    exponent += scale - 53;
    mpz_set_d(number, mantissa);
    if (exponent >= 0)
        mpz_mul_2exp(number, number, (mp_bitcnt_t)exponent);
    else
        mpz_tdiv_q_2exp(number, number, (mp_bitcnt_t)-exponent);
}

static void set_point(Point *point, const imp_Vec3 *from, int scale)
{
    set_number(point->v[0], from->x, scale);
    set_number(point->v[1], from->y, scale);
    set_number(point->v[2], from->z, scale);
}

static double near_number(const Judge *judge, const mpz_t number)
{
    long exponent;
    double mantissa = mpz_get_d_2exp(&exponent, number);
    exponent -= judge->near_scale;
    return mantissa == 0 || exponent < -1000 ? 0 : ldexp(mantissa, exponent > 1000 ? 1000 : (int)exponent);
}

static void read_numbers(Judge *judge, const imp_Vec3 *vertices)
{
    int lowest = 1024;
    for (size_t i = 0; i < judge->vertex_count; ++i)
        lowest = lower(lowest, lowest_bit_of(&vertices[i]));
    for (size_t i = 0; i < judge->sphere_count; ++i)
        lowest = lower(lowest,
                       lower(lowest_bit_of(&judge->spheres[i].center), lowest_bit(judge->spheres[i].radius)));
    judge->scale = ORACLE_SPHERE_DEPTH - lowest;
    judge->vertices = malloc(judge->vertex_count * sizeof *judge->vertices);
    for (size_t i = 0; i < judge->vertex_count; ++i) {
        point_init(&judge->vertices[i]);
        set_point(&judge->vertices[i], &vertices[i], judge->scale);
    }
    judge->balls = calloc(judge->sphere_count, sizeof *judge->balls);
    for (size_t i = 0; i < judge->sphere_count; ++i) {
        Ball *ball = &judge->balls[i];
        point_init(&ball->center);
        mpz_inits(ball->radius, ball->radius_square, NULL);
        set_point(&ball->center, &judge->spheres[i].center, judge->scale);
        set_number(ball->radius, judge->spheres[i].radius, judge->scale);
        mpz_mul(ball->radius_square, ball->radius, ball->radius);
    }
}

// So that doubles see differences, and not where the mesh is.
static void move_to_first_vertex(Judge *judge)
{
    Point base;
    size_t most = 1;
    point_init(&base);
    for (int k = 0; k < 3; ++k)
        mpz_set(base.v[k], judge->vertices[judge->indices[0]].v[k]);
    for (int k = 0; k < 3; ++k) {
        for (size_t i = 0; i < judge->vertex_count; ++i)
            mpz_sub(judge->vertices[i].v[k], judge->vertices[i].v[k], base.v[k]);
        for (size_t i = 0; i < 3 * judge->face_count; ++i) {
            size_t size = mpz_sizeinbase(judge->vertices[judge->indices[i]].v[k], 2);
            most = size > most ? size : most;
        }
        for (size_t i = 0; i < judge->sphere_count; ++i)
            mpz_sub(judge->balls[i].center.v[k], judge->balls[i].center.v[k], base.v[k]);
    }
    judge->near_scale = (int)most;
    for (size_t i = 0; i < judge->sphere_count; ++i) {
        Ball *ball = &judge->balls[i];
        for (int k = 0; k < 3; ++k)
            ball->near_center[k] = near_number(judge, ball->center.v[k]);
        ball->near_radius = near_number(judge, ball->radius);
    }
    point_clear(&base);
}

static void judge_begin(Judge *judge, const imp_Mesh *mesh, const imp_Sphere *spheres, size_t count)
{
    *judge = (Judge){.spheres = spheres, .sphere_count = count};
    judge->vertex_count = imp_mesh_get_vertex_count(mesh);
    judge->face_count = imp_mesh_get_triangle_count(mesh);
    judge->indices = imp_mesh_get_indices(mesh);
    while (spheres[judge->first_leaf].level < spheres[count - 1].level)
        ++judge->first_leaf;
    mpz_inits(judge->a, judge->b, judge->c, NULL);
    read_numbers(judge, imp_mesh_get_vertices(mesh));
    move_to_first_vertex(judge);
}

static void judge_end(Judge *judge)
{
    for (size_t i = 0; i < judge->vertex_count; ++i)
        point_clear(&judge->vertices[i]);
    for (size_t i = 0; i < judge->sphere_count; ++i) {
        point_clear(&judge->balls[i].center);
        mpz_clears(judge->balls[i].radius, judge->balls[i].radius_square, NULL);
    }
    mpz_clears(judge->a, judge->b, judge->c, NULL);
    free(judge->vertices);
    free(judge->balls);
}

// ---- chains

static bool ball_holds_point(Judge *judge, const Ball *ball, const Point *point)
{
    mpz_set_ui(judge->a, 0);
    for (int k = 0; k < 3; ++k) {
        mpz_sub(judge->b, point->v[k], ball->center.v[k]);
        mpz_addmul(judge->a, judge->b, judge->b);
    }
    return mpz_cmp(judge->a, ball->radius_square) <= 0;
}

static bool ball_holds(Judge *judge, Ball *ball, const Point *corners, size_t count)
{
    if (ball->stamp != judge->stamp) {
        ball->stamp = judge->stamp;
        ball->holds = true;
        for (size_t i = 0; i < count && ball->holds; ++i)
            ball->holds = ball_holds_point(judge, ball, &corners[i]);
    }
    return ball->holds;
}

static bool chain_holds(Judge *judge, uint32_t leaf, const Point *corners, size_t count)
{
    for (uint32_t i = leaf; i != IMP_NO_SPHERE; i = judge->spheres[i].parent)
        if (!ball_holds(judge, &judge->balls[i], corners, count))
            return false;
    return true;
}

// Is the ball clearly farther from the first corner than any point of the piece is? Corners of a piece are
// within a power of two of each other on each axis.
static bool is_clearly_away(const Ball *ball, const double corner[3], double size)
{
    double x = corner[0] - ball->near_center[0], y = corner[1] - ball->near_center[1],
           z = corner[2] - ball->near_center[2];
    return sqrt(x * x + y * y + z * z) > (ball->near_radius + 2 * size) * (1 + 0x1p-30) + 0x1p-40;
}

// Those of the leaves that may hold a part of the piece, into `near`; true when one holds all of it.
static bool look_at_leaves(Judge *judge, const uint32_t *leaves, size_t leaf_count, const Point *corners,
                           size_t corner_count, uint32_t *near, size_t *near_count)
{
    double first[3], size = 0;
    ++judge->stamp;
    ++judge->piece_count;
    for (int k = 0; k < 3; ++k)
        first[k] = near_number(judge, corners[0].v[k]);
    for (size_t i = 1; i < corner_count; ++i)
        for (int k = 0; k < 3; ++k)
            size = fmax(size, fabs(near_number(judge, corners[i].v[k]) - first[k]));
    *near_count = 0;
    for (size_t i = 0; i < leaf_count; ++i) {
        if (is_clearly_away(&judge->balls[leaves[i]], first, size))
            continue;
        if (chain_holds(judge, leaves[i], corners, corner_count))
            return true;
        near[(*near_count)++] = leaves[i];
    }
    return false;
}

static uint32_t *all_leaves(const Judge *judge, size_t *count)
{
    *count = judge->sphere_count - judge->first_leaf;
    uint32_t *leaves = malloc(*count * sizeof *leaves);
    for (size_t i = 0; i < *count; ++i)
        leaves[i] = (uint32_t)(judge->first_leaf + i);
    return leaves;
}

// ---- faces

static void set_middle(Point *middle, const Point *a, const Point *b)
{
    for (int k = 0; k < 3; ++k) {
        mpz_add(middle->v[k], a->v[k], b->v[k]);
        mpz_divexact_ui(middle->v[k], middle->v[k], 2);
    }
}

static bool judge_triangle(Judge *judge, const uint32_t *leaves, size_t leaf_count, const Point corners[3],
                           int depth)
{
    size_t near_count;
    uint32_t *near = malloc((leaf_count + 1) * sizeof *near);
    bool is_held = look_at_leaves(judge, leaves, leaf_count, corners, 3, near, &near_count);
    if (!is_held && near_count > 0 && depth < ORACLE_SPHERE_DEPTH) {
        // Corner i lies opposite to middle i.
        Point middles[3];
        for (int i = 0; i < 3; ++i) {
            point_init(&middles[i]);
            set_middle(&middles[i], &corners[(i + 1) % 3], &corners[(i + 2) % 3]);
        }
        is_held = judge_triangle(judge, near, near_count, middles, depth + 1);
        for (int i = 0; i < 3 && is_held; ++i) {
            Point part[3] = {corners[i], middles[(i + 1) % 3], middles[(i + 2) % 3]};
            is_held = judge_triangle(judge, near, near_count, part, depth + 1);
        }
        for (int i = 0; i < 3; ++i)
            point_clear(&middles[i]);
    }
    free(near);
    return is_held;
}

static bool judge_faces(Judge *judge, uint32_t *bare)
{
    size_t leaf_count;
    uint32_t *leaves = all_leaves(judge, &leaf_count);
    bool is_held = true;
    for (size_t i = 0; i < judge->face_count && is_held; ++i) {
        const uint32_t *index = judge->indices + 3 * i;
        Point corners[3] = {judge->vertices[index[0]], judge->vertices[index[1]], judge->vertices[index[2]]};
        is_held = judge_triangle(judge, leaves, leaf_count, corners, 0);
        *bare = (uint32_t)i;
    }
    free(leaves);
    return is_held;
}

// ---- the inside

typedef struct Box {
    Point min, max;
} Box;

// The greatest and the least of the values of corners minus center along a direction, against how far the box
// reaches along it: is the direction one that parts the two? Everything is doubled, for the box's middle.
static bool parts(Judge *judge, Point direction, Point triangle[3], Point *half)
{
    int above = 0, below = 0;
    mpz_set_ui(judge->c, 0); // the box reaches as far as this
    for (int k = 0; k < 3; ++k) {
        mpz_mul(judge->b, direction.v[k], half->v[k]);
        mpz_abs(judge->b, judge->b);
        mpz_add(judge->c, judge->c, judge->b);
    }
    for (int i = 0; i < 3; ++i) {
        mpz_set_ui(judge->a, 0);
        for (int k = 0; k < 3; ++k)
            mpz_addmul(judge->a, direction.v[k], triangle[i].v[k]);
        above += mpz_cmp(judge->a, judge->c) > 0;
        mpz_neg(judge->a, judge->a);
        below += mpz_cmp(judge->a, judge->c) > 0;
    }
    return above == 3 || below == 3;
}

static void set_cross(Judge *judge, Point *product, const Point *u, const Point *v)
{
    for (int k = 0; k < 3; ++k) {
        mpz_mul(judge->a, u->v[(k + 1) % 3], v->v[(k + 2) % 3]);
        mpz_submul(judge->a, u->v[(k + 2) % 3], v->v[(k + 1) % 3]);
        mpz_set(product->v[k], judge->a);
    }
}

// Convex polytopes are apart if and only if one of thirteen directions parts them: the axes, the normal, and
// the products of axes and edges. Directions that vanish part nothing.
static bool face_meets_box(Judge *judge, size_t face, const Box *box)
{
    Point triangle[3], edges[3], half, axis, direction;
    point_init(&half);
    point_init(&axis);
    point_init(&direction);
    for (int i = 0; i < 3; ++i) {
        const Point *vertex = &judge->vertices[judge->indices[3 * face + i]];
        point_init(&triangle[i]);
        point_init(&edges[i]);
        for (int k = 0; k < 3; ++k) {
            mpz_mul_ui(triangle[i].v[k], vertex->v[k], 2);
            mpz_sub(triangle[i].v[k], triangle[i].v[k], box->min.v[k]);
            mpz_sub(triangle[i].v[k], triangle[i].v[k], box->max.v[k]);
            mpz_sub(half.v[k], box->max.v[k], box->min.v[k]);
        }
    }
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            mpz_sub(edges[i].v[k], triangle[(i + 1) % 3].v[k], triangle[i].v[k]);
    bool are_apart = false;
    for (int k = 0; k < 3 && !are_apart; ++k) {
        for (int j = 0; j < 3; ++j)
            mpz_set_ui(axis.v[j], j == k);
        are_apart = parts(judge, axis, triangle, &half);
        for (int i = 0; i < 3 && !are_apart; ++i) {
            set_cross(judge, &direction, &axis, &edges[i]);
            are_apart = parts(judge, direction, triangle, &half);
        }
    }
    if (!are_apart) {
        set_cross(judge, &direction, &edges[0], &edges[1]);
        are_apart = parts(judge, direction, triangle, &half);
    }
    for (int i = 0; i < 3; ++i) {
        point_clear(&triangle[i]);
        point_clear(&edges[i]);
    }
    point_clear(&half);
    point_clear(&axis);
    point_clear(&direction);
    return !are_apart;
}

// The sign of the determinant.
static int turn(Judge *judge, const Point *u, const Point *v, const Point *w)
{
    Point product;
    point_init(&product);
    set_cross(judge, &product, u, v);
    mpz_set_ui(judge->b, 0);
    for (int k = 0; k < 3; ++k)
        mpz_addmul(judge->b, product.v[k], w->v[k]);
    point_clear(&product);
    return mpz_sgn(judge->b);
}

static bool is_same(const Judge *judge, uint32_t i, uint32_t j)
{
    const Point *a = &judge->vertices[i], *b = &judge->vertices[j];
    return mpz_cmp(a->v[0], b->v[0]) == 0 && mpz_cmp(a->v[1], b->v[1]) == 0 && mpz_cmp(a->v[2], b->v[2]) == 0;
}

// How often the surface winds around a point that is not on it, by a ray in some direction. False when the
// ray meets an edge: then another direction is needed.
static bool wind(Judge *judge, const Point *from, const Point *direction, long *number)
{
    Point corners[3];
    bool is_clear = true;
    *number = 0;
    for (int i = 0; i < 3; ++i)
        point_init(&corners[i]);
    for (size_t face = 0; face < judge->face_count && is_clear; ++face) {
        int sides[3], sum = 0, zeros = 0;
        const uint32_t *index = judge->indices + 3 * face;
        if (is_same(judge, index[0], index[1]) || is_same(judge, index[1], index[2]))
            continue; // no area
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k)
                mpz_sub(corners[i].v[k], judge->vertices[index[i]].v[k], from->v[k]);
        for (int i = 0; i < 3; ++i) {
            sides[i] = turn(judge, direction, &corners[i], &corners[(i + 1) % 3]);
            sum += sides[i];
            zeros += sides[i] == 0;
        }
        if (zeros > 0 && abs(sum) == 3 - zeros)
            is_clear = false;
        else if (abs(sum) == 3 && turn(judge, &corners[0], &corners[1], &corners[2]) == sides[0])
            *number += sides[0];
    }
    for (int i = 0; i < 3; ++i)
        point_clear(&corners[i]);
    return is_clear;
}

static bool is_outside(Judge *judge, const Point *point)
{
    Point direction;
    long number = 0, step = 0;
    point_init(&direction);
    do {
        ++step;
        mpz_set_si(direction.v[0], 7919 * step * step + 13);
        mpz_set_si(direction.v[1], 104729 - 31 * step);
        mpz_set_si(direction.v[2], 1299709 + 17 * step * step * step);
    } while (!wind(judge, point, &direction, &number));
    point_clear(&direction);
    return number == 0;
}

static void set_corners(Point corners[8], const Box *box)
{
    for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 3; ++k)
            mpz_init_set(corners[i].v[k], i >> k & 1 ? box->max.v[k] : box->min.v[k]);
}

typedef struct Lists {
    const uint32_t *leaves;
    size_t leaf_count;
    const uint32_t *faces;
    size_t face_count;
    bool is_inside;
} Lists;

static bool judge_box(Judge *judge, Lists lists, const Box *box, int depth);

static bool judge_octants(Judge *judge, Lists lists, const Box *box, int depth)
{
    Point middle;
    bool is_held = true;
    point_init(&middle);
    set_middle(&middle, &box->min, &box->max);
    for (int i = 0; i < 8 && is_held; ++i) {
        Box part;
        for (int k = 0; k < 3; ++k) {
            mpz_init_set(part.min.v[k], i >> k & 1 ? middle.v[k] : box->min.v[k]);
            mpz_init_set(part.max.v[k], i >> k & 1 ? box->max.v[k] : middle.v[k]);
        }
        is_held = judge_box(judge, lists, &part, depth + 1);
        point_clear(&part.min);
        point_clear(&part.max);
    }
    point_clear(&middle);
    return is_held;
}

static bool judge_box(Judge *judge, Lists lists, const Box *box, int depth)
{
    Point corners[8];
    uint32_t *near = malloc((lists.leaf_count + 1) * sizeof *near);
    uint32_t *faces = malloc((lists.face_count + 1) * sizeof *faces);
    Lists below = {.leaves = near, .faces = faces, .is_inside = lists.is_inside};
    set_corners(corners, box);
    bool is_held = look_at_leaves(judge, lists.leaves, lists.leaf_count, corners, 8, near, &below.leaf_count);
    for (size_t i = 0; i < lists.face_count && !is_held; ++i)
        if (face_meets_box(judge, lists.faces[i], box))
            faces[below.face_count++] = lists.faces[i];
    if (!is_held && !lists.is_inside && below.face_count == 0) {
        is_held = is_outside(judge, &corners[0]);
        below.is_inside = !is_held;
    }
    if (!is_held && below.leaf_count > 0 && depth < ORACLE_SPHERE_DEPTH)
        is_held = judge_octants(judge, below, box, depth);
    for (int i = 0; i < 8; ++i)
        point_clear(&corners[i]);
    free(near);
    free(faces);
    return is_held;
}

static void set_bounds(const Judge *judge, Box *box)
{
    point_init(&box->min);
    point_init(&box->max);
    for (int k = 0; k < 3; ++k)
        for (size_t i = 0; i < 3 * judge->face_count; ++i) {
            const Point *vertex = &judge->vertices[judge->indices[i]];
            if (i == 0 || mpz_cmp(vertex->v[k], box->min.v[k]) < 0)
                mpz_set(box->min.v[k], vertex->v[k]);
            if (i == 0 || mpz_cmp(vertex->v[k], box->max.v[k]) > 0)
                mpz_set(box->max.v[k], vertex->v[k]);
        }
}

static bool judge_inside(Judge *judge)
{
    Box box;
    size_t leaf_count;
    uint32_t *leaves = all_leaves(judge, &leaf_count);
    uint32_t *faces = malloc(judge->face_count * sizeof *faces);
    for (size_t i = 0; i < judge->face_count; ++i)
        faces[i] = (uint32_t)i;
    set_bounds(judge, &box);
    Lists all = {leaves, leaf_count, faces, judge->face_count, false};
    bool is_held = judge_box(judge, all, &box, 0);
    point_clear(&box.min);
    point_clear(&box.max);
    free(leaves);
    free(faces);
    return is_held;
}

OracleSpheres oracle_spheres_judge(const imp_Mesh *mesh, imp_SphereCover cover, const imp_Sphere *spheres,
                                   size_t count)
{
    Judge judge;
    OracleSpheres verdict = {.face = IMP_NO_FACE};
    uint32_t bare = IMP_NO_FACE;
    judge_begin(&judge, mesh, spheres, count);
    verdict.is_covered = judge_faces(&judge, &bare);
    if (!verdict.is_covered)
        verdict.face = bare;
    else if (cover == IMP_COVER_SOLID)
        verdict.is_covered = judge_inside(&judge);
    verdict.piece_count = judge.piece_count;
    judge_end(&judge);
    return verdict;
}

// With everything multiplied by the sum of the weights, to be whole.
bool oracle_spheres_hold(const imp_Mesh *mesh, const imp_Sphere *spheres, size_t count, uint32_t face,
                         const uint32_t weights[3])
{
    Judge judge;
    Point point;
    bool is_held = false;
    unsigned long sum = (unsigned long)weights[0] + weights[1] + weights[2];
    judge_begin(&judge, mesh, spheres, count);
    point_init(&point);
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i)
            mpz_addmul_ui(point.v[k], judge.vertices[judge.indices[3 * (size_t)face + i]].v[k], weights[i]);
    for (size_t i = 0; i < count; ++i) {
        Ball *ball = &judge.balls[i];
        for (int k = 0; k < 3; ++k)
            mpz_mul_ui(ball->center.v[k], ball->center.v[k], sum);
        mpz_mul_ui(ball->radius_square, ball->radius_square, sum);
        mpz_mul_ui(ball->radius_square, ball->radius_square, sum);
    }
    ++judge.stamp;
    for (size_t i = judge.first_leaf; i < count && !is_held; ++i)
        is_held = chain_holds(&judge, (uint32_t)i, &point, 1);
    point_clear(&point);
    judge_end(&judge);
    return is_held;
}
