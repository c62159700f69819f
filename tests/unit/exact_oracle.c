// The oracle judged in its turn: by answers known beforehand, and by a second method. By Caratheodory's
// theorem two hulls meet if and only if zero lies in a point, segment, proper triangle or proper tetrahedron
// whose corners are differences of their points; on small integers all of them can be tried.
#include "oracle/exact_oracle.h"
#include "harness.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

typedef struct Int3 {
    int64_t x, y, z;
} Int3;

static Int3 minus(Int3 a, Int3 b)
{
    return (Int3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static Int3 cross(Int3 a, Int3 b)
{
    return (Int3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static int64_t dot(Int3 a, Int3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static bool is_zero(Int3 a)
{
    return a.x == 0 && a.y == 0 && a.z == 0;
}

static bool zero_in_segment(Int3 p, Int3 q)
{
    return is_zero(cross(p, q)) && dot(p, q) <= 0;
}

// False for collinear corners, whose segments are tried anyway.
static bool zero_in_triangle(Int3 p, Int3 q, Int3 r)
{
    Int3 normal = cross(minus(q, p), minus(r, p));
    return !is_zero(normal) && dot(normal, p) == 0 && dot(normal, cross(p, q)) >= 0 &&
           dot(normal, cross(q, r)) >= 0 && dot(normal, cross(r, p)) >= 0;
}

static bool zero_in_tetrahedron(Int3 p, Int3 q, Int3 r, Int3 s)
{
    int64_t volume = dot(cross(minus(q, p), minus(r, p)), minus(s, p));
    // Each of these is the volume with one corner moved to zero; they sum up to `volume`.
    const int64_t parts[4] = {dot(cross(q, r), s), -dot(cross(p, r), s), dot(cross(p, q), s),
                              -dot(cross(p, q), r)};
    for (int i = 0; i < 4; ++i)
        if (volume > 0 ? parts[i] < 0 : parts[i] > 0)
            return false;
    return volume != 0;
}

static bool zero_in_hull(const Int3 *points, int count)
{
    for (int i = 0; i < count; ++i) {
        if (is_zero(points[i]))
            return true;
        for (int j = 0; j < i; ++j) {
            if (zero_in_segment(points[i], points[j]))
                return true;
            for (int k = 0; k < j; ++k) {
                if (zero_in_triangle(points[i], points[j], points[k]))
                    return true;
                for (int m = 0; m < k; ++m)
                    if (zero_in_tetrahedron(points[i], points[j], points[k], points[m]))
                        return true;
            }
        }
    }
    return false;
}

static bool hulls_touch(const Int3 *a, int a_count, const Int3 *b, int b_count)
{
    Int3 differences[24];
    for (int i = 0; i < a_count; ++i)
        for (int j = 0; j < b_count; ++j)
            differences[i * b_count + j] = minus(a[i], b[j]);
    return zero_in_hull(differences, a_count * b_count);
}

static Int3 random_point(uint32_t size)
{
    int64_t x = test_random_below(size), y = test_random_below(size), z = test_random_below(size);
    return (Int3){x, y, z};
}

// Stretching the axes by powers of two changes no verdict.
static imp_Vec3 stretch(Int3 point, const int *exponents)
{
    return (imp_Vec3){ldexp((double)point.x, exponents[0]), ldexp((double)point.y, exponents[1]),
                      ldexp((double)point.z, exponents[2])};
}

static void random_exponents(int *exponents)
{
    for (int axis = 0; axis < 3; ++axis)
        exponents[axis] = test_random_below(2) ? 0 : (int)test_random_below(2090) - 1074;
}

static void check_share(uint64_t touching, uint64_t count)
{
    printf("%llu of %llu touch\n", (unsigned long long)touching, (unsigned long long)count);
    CHECK(touching * 10 > count * 2 && touching * 10 < count * 8);
}

TEST(triangles_agree_with_caratheodory)
{
    uint64_t count = test_count(40000), touching = 0;
    for (uint64_t i = 0; i < count; ++i) {
        Int3 a[3], b[3];
        imp_Triangle stretched_a, stretched_b;
        int exponents[3];
        uint32_t size = 2 + test_random_below(5);
        random_exponents(exponents);
        for (int k = 0; k < 3; ++k) {
            a[k] = random_point(size);
            b[k] = random_point(size);
            stretched_a.v[k] = stretch(a[k], exponents);
            stretched_b.v[k] = stretch(b[k], exponents);
        }
        bool want = hulls_touch(a, 3, b, 3);
        touching += want;
        CHECK_INT(oracle_triangles_touch(&stretched_a, &stretched_b), want);
        CHECK_INT(oracle_triangles_touch(&stretched_b, &stretched_a), want);
    }
    check_share(touching, count);
}

TEST(segments_agree_with_caratheodory)
{
    uint64_t count = test_count(40000), touching = 0;
    for (uint64_t i = 0; i < count; ++i) {
        Int3 a[2], b[3];
        imp_Segment segment;
        imp_Triangle triangle;
        int exponents[3];
        uint32_t size = 2 + test_random_below(3);
        random_exponents(exponents);
        for (int k = 0; k < 2; ++k) {
            a[k] = random_point(size);
            segment.v[k] = stretch(a[k], exponents);
        }
        for (int k = 0; k < 3; ++k) {
            b[k] = random_point(size);
            triangle.v[k] = stretch(b[k], exponents);
        }
        bool want = hulls_touch(a, 2, b, 3);
        touching += want;
        CHECK_INT(oracle_segment_touches_triangle(&segment, &triangle), want);
    }
    check_share(touching, count);
}

TEST(boxes_agree_with_caratheodory)
{
    uint64_t count = test_count(4000), touching = 0;
    for (uint64_t i = 0; i < count; ++i) {
        Int3 a[3], corners[8], low = random_point(4), size = random_point(4);
        imp_Triangle triangle;
        int exponents[3];
        random_exponents(exponents);
        for (int k = 0; k < 3; ++k) {
            a[k] = random_point(7);
            triangle.v[k] = stretch(a[k], exponents);
        }
        for (int k = 0; k < 8; ++k) {
            Int3 corner = {low.x + (k & 1) * size.x, low.y + (k >> 1 & 1) * size.y,
                           low.z + (k >> 2) * size.z};
            corners[k] = corner;
        }
        imp_Box box = {stretch(corners[0], exponents), stretch(corners[7], exponents)};
        bool want = hulls_touch(a, 3, corners, 8);
        touching += want;
        CHECK_INT(oracle_triangle_touches_box(&triangle, &box), want);
    }
    check_share(touching, count);
}

TEST(orientation_agrees_with_small_integers)
{
    uint64_t count = test_count(20000), coplanar = 0;
    for (uint64_t i = 0; i < count; ++i) {
        Int3 p[4];
        imp_Vec3 q[4];
        int exponents[3];
        random_exponents(exponents);
        for (int k = 0; k < 4; ++k) {
            p[k] = random_point(4);
            q[k] = stretch(p[k], exponents);
        }
        Int3 normal = cross(minus(p[1], p[0]), minus(p[2], p[0]));
        int64_t volume = dot(normal, minus(p[3], p[0]));
        coplanar += volume == 0;
        CHECK_INT(oracle_orient3d(q[0], q[1], q[2], q[3]), (volume > 0) - (volume < 0));
        imp_Vec2 flat[3] = {{q[0].x, q[0].y}, {q[1].x, q[1].y}, {q[2].x, q[2].y}};
        CHECK_INT(oracle_orient2d(flat[0], flat[1], flat[2]), (normal.z > 0) - (normal.z < 0));
    }
    CHECK(coplanar * 20 > count && coplanar * 2 < count);
}

// ------------------------------------------------------------------------------------- known answers

static const imp_Triangle floor_triangle = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};

TEST(triangle_against_the_floor)
{
    static const struct {
        imp_Triangle triangle;
        bool touch;
    } cases[] = {
        {{{{1, 1, 0}, {1, 1, 1}, {2, 1, 1}}}, true},             // vertex on face
        {{{{1, 1, DBL_TRUE_MIN}, {1, 1, 1}, {2, 1, 1}}}, false}, // the least above it
        {{{{2, 2, 0}, {3, 3, 1}, {3, 3, -1}}}, true},            // vertex on the slanting edge
        {{{{3, 2, 0}, {3, 3, 1}, {3, 3, -1}}}, false},
        {{{{1, 1, -1}, {1, 1, 1}, {9, 9, 9}}}, true},    // edge through face
        {{{{4, 0, 0}, {8, 0, 0}, {6, 3, 0}}}, true},     // coplanar, at one vertex
        {{{{-1, -1, 0}, {9, -1, 0}, {-1, 9, 0}}}, true}, // coplanar, around it
        {{{{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}}, true},     // coplanar, within it
        {{{{3, 3, 0}, {5, 3, 0}, {3, 5, 0}}}, false},    // coplanar, apart, boxes overlap
        {{{{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}}, true},     // a point
        {{{{2, 3, 0}, {2, 3, 0}, {2, 3, 0}}}, false},
        {{{{-1, 5, 0}, {5, -1, 0}, {2, 2, 0}}}, true}, // a segment along the slanting edge
        {{{{-1, 6, 0}, {6, -1, 0}, {2, 3, 0}}}, false},
        {{{{1, 1, 1}, {1, 1, 3}, {1, 1, 2}}}, false}, // a segment above
        {{{{1, 1, -1}, {1, 1, 3}, {1, 1, 2}}}, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        if (!CHECK_INT(oracle_triangles_touch(&floor_triangle, &cases[i].triangle), cases[i].touch))
            printf("in case %zu\n", i);
        CHECK_INT(oracle_triangles_touch(&cases[i].triangle, &floor_triangle), cases[i].touch);
    }
}

TEST(numbers_of_all_sizes)
{
    imp_Triangle vast = {{{-DBL_MAX, -DBL_MAX, -DBL_MAX}, {DBL_MAX, DBL_MAX, DBL_MAX}, {DBL_MAX, 0, 0}}};
    imp_Triangle tiny = {{{0, 0, 0}, {DBL_TRUE_MIN, 0, 0}, {0, DBL_TRUE_MIN, 0}}};
    imp_Triangle beside = {{{0, 0, DBL_TRUE_MIN}, {0, DBL_TRUE_MIN, DBL_TRUE_MIN}, {0, DBL_TRUE_MIN, 1}}};
    imp_Segment diagonal = {{vast.v[0], vast.v[1]}};
    imp_Box octant = {{DBL_TRUE_MIN, 0, 0}, {DBL_MAX, 1e-300, 1e300}};
    CHECK(oracle_triangles_touch(&vast, &tiny));
    CHECK(!oracle_triangles_touch(&vast, &beside));
    CHECK(!oracle_triangles_touch(&tiny, &beside));
    CHECK(oracle_segment_touches_triangle(&diagonal, &tiny));
    CHECK(!oracle_segment_touches_triangle(&diagonal, &beside));
    CHECK(oracle_triangle_touches_box(&tiny, &octant));
    CHECK(!oracle_triangle_touches_box(&beside, &octant));
    CHECK(oracle_triangle_touches_box(&vast, &octant));
    CHECK_INT(oracle_orient2d((imp_Vec2){-DBL_MAX, 0}, (imp_Vec2){DBL_MAX, 0}, (imp_Vec2){0, DBL_TRUE_MIN}),
              1);
    CHECK_INT(oracle_orient3d(vast.v[0], vast.v[1], vast.v[2], (imp_Vec3){1, 1, 1}), 0);
    CHECK_INT(oracle_orient3d(vast.v[0], vast.v[1], vast.v[2], (imp_Vec3){0, 1, 1}), 0);
    CHECK_INT(oracle_orient3d(vast.v[0], vast.v[1], vast.v[2], (imp_Vec3){0, 1, 1 + DBL_EPSILON}), -1);
}
