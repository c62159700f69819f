// One question for all. Zero is in the hull of
//     D0 = f0 - v,  D1 = f1 - v,  D2 = f2 - v
// if and only if the vertex v is on the face. Segments a and b meet if and only if zero is in the
// parallelogram a_i - b_j, which is a point, a segment or a plane figure and in each case the union of two
// such triangles.
//
// For fixed t, with c_ij = D_i x D_j and n = c_01 + c_12 + c_20, which is normal to the triangle, zero is in
// it if and only if
//     n is not zero, det(D0, D1, D2) = 0, and each c_ij is a multiple >= 0 of n (its barycentric
//     coordinates), or n is zero, and zero is between two of the D: c_ij = 0 and D_i . D_j <= 0.
// The D are linear in t, so all these are polynomials, and the set of times of contact is closed. Its least
// element is 0 or a time at which one of the signs changes: a root of the determinant, or, where that is zero
// at all times, of one of the others.
//
// Each axis may be scaled by itself, which changes no verdict (of a product D_i . D_j the sign counts only
// where all summands have the same one): so each becomes whole with no more bits than it needs.
#include "sweep_oracle.h"

#include "exact_oracle.h"
#include "integer_polynomial.h"

#include <stdlib.h>
#include <string.h>

#define AXES      3
#define QUADRATIC 2

typedef Polynomial Vector[AXES];

// Kept from call to call, so that GMP seldom has to allocate.
static struct {
    bool ready;
    mpz_t point[8][AXES];
    Vector difference[3]; // D
    Vector cross[3];      // c_12, c_20, c_01: number i is the one without D_i
    Polynomial dot[3];    // likewise
    Vector normal;
    Polynomial determinant;
    mpz_t product;
    RealNumber end;
} work;

static void prepare(void)
{
    if (work.ready)
        return;
    work.ready = true;
    mpz_init(work.product);
    real_init(&work.end);
    for (int i = 0; i < 8; ++i)
        for (int axis = 0; axis < AXES; ++axis)
            mpz_init(work.point[i][axis]);
    polynomial_init(&work.determinant);
    for (int axis = 0; axis < AXES; ++axis) {
        polynomial_init(&work.normal[axis]);
        polynomial_init(&work.dot[axis]);
        for (int i = 0; i < 3; ++i) {
            polynomial_init(&work.difference[i][axis]);
            polynomial_init(&work.cross[i][axis]);
        }
    }
}

// ---------------------------------------------------------------------------------------------- polynomials

// sum (or, with a sign of -1, less) the product of two linear polynomials
static void add_product(Polynomial *sum, const Polynomial *p, const Polynomial *q, int sign)
{
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            (sign > 0 ? mpz_addmul : mpz_submul)(sum->coefficient[i + j], p->coefficient[i],
                                                 q->coefficient[j]);
}

static void clear(Polynomial *p)
{
    for (int i = 0; i <= POLYNOMIAL_MOST; ++i)
        mpz_set_ui(p->coefficient[i], 0);
    p->degree = -1;
}

static void make_crosses(void)
{
    for (int i = 0; i < 3; ++i) {
        const Polynomial *p = work.difference[(i + 1) % 3], *q = work.difference[(i + 2) % 3];
        clear(&work.dot[i]);
        for (int axis = 0; axis < AXES; ++axis) {
            int next = (axis + 1) % AXES, last = (axis + 2) % AXES;
            clear(&work.cross[i][axis]);
            add_product(&work.cross[i][axis], &p[next], &q[last], 1);
            add_product(&work.cross[i][axis], &p[last], &q[next], -1);
            polynomial_trim(&work.cross[i][axis], QUADRATIC);
            add_product(&work.dot[i], &p[axis], &q[axis], 1);
        }
        polynomial_trim(&work.dot[i], QUADRATIC);
    }
}

static void make_normal(void)
{
    for (int axis = 0; axis < AXES; ++axis) {
        Polynomial *normal = &work.normal[axis];
        clear(normal);
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k <= QUADRATIC; ++k)
                mpz_add(normal->coefficient[k], normal->coefficient[k], work.cross[i][axis].coefficient[k]);
        polynomial_trim(normal, QUADRATIC);
    }
}

static void make_determinant(void)
{
    clear(&work.determinant);
    for (int axis = 0; axis < AXES; ++axis)
        for (int i = 0; i < 2; ++i)
            for (int k = 0; k <= QUADRATIC; ++k)
                mpz_addmul(work.determinant.coefficient[i + k], work.difference[0][axis].coefficient[i],
                           work.cross[0][axis].coefficient[k]);
    polynomial_trim(&work.determinant, POLYNOMIAL_MOST);
}

// D_number = point[a] - point[b]
static void set_difference(int number, int a, int b)
{
    for (int axis = 0; axis < AXES; ++axis) {
        Polynomial *p = &work.difference[number][axis];
        mpz_sub(p->coefficient[0], work.point[a][axis], work.point[b][axis]);
        mpz_sub(p->coefficient[1], work.point[a + 4][axis], work.point[b + 4][axis]);
        mpz_sub(p->coefficient[1], p->coefficient[1], p->coefficient[0]);
        polynomial_trim(p, 1);
    }
}

// Is one axis enough to tell that zero is never in the triangle: is it on one side at both ends, and so
// always?
static bool is_aside(void)
{
    for (int axis = 0; axis < AXES; ++axis) {
        int below = 0, above = 0;
        for (int i = 0; i < 3; ++i) {
            const Polynomial *p = &work.difference[i][axis];
            mpz_add(work.product, p->coefficient[0], p->coefficient[1]);
            int start = mpz_sgn(p->coefficient[0]), end = mpz_sgn(work.product);
            below += (start < 0) + (end < 0);
            above += (start > 0) + (end > 0);
        }
        if (below == 6 || above == 6)
            return true;
    }
    return false;
}

// ---------------------------------------------------------------------------------------- contact at a time

static bool is_zero(const Vector vector, RealNumber *t)
{
    for (int axis = 0; axis < AXES; ++axis)
        if (polynomial_sign(&vector[axis], t) != 0)
            return false;
    return true;
}

// The normal is not zero along this axis: signs along it tell those of the barycentric coordinates.
static bool zero_in_proper_triangle(RealNumber *t, int axis, int normal_sign)
{
    for (int i = 0; i < 3; ++i)
        if (polynomial_sign(&work.cross[i][axis], t) == -normal_sign)
            return false;
    return true;
}

static bool zero_between_two(RealNumber *t)
{
    for (int i = 0; i < 3; ++i)
        if (is_zero(work.cross[i], t) && polynomial_sign(&work.dot[i], t) <= 0)
            return true;
    return false;
}

static bool zero_in_triangle(RealNumber *t)
{
    if (polynomial_sign(&work.determinant, t) != 0)
        return false;
    for (int axis = 0; axis < AXES; ++axis) {
        int sign = polynomial_sign(&work.normal[axis], t);
        if (sign != 0)
            return zero_in_proper_triangle(t, axis, sign);
    }
    return zero_between_two(t);
}

// ------------------------------------------------------------------------------------------- the first time

#define NEVER 2.0

// A root of one of the polynomials: is there contact? The context is the earliest time so far.
static bool try_root(RealNumber *root, void *context)
{
    double *first = context;
    double time = real_round_down(root);
    if (time >= *first) // later ones need no test
        return true;
    if (!zero_in_triangle(root))
        return false;
    *first = time;
    return true;
}

static void try_roots(const Polynomial *p, double *first)
{
    if (p->degree > 0)
        (void)polynomial_find_root(p, try_root, first);
}

static void try_roots_of_all(double *first)
{
    for (int i = 0; i < 3; ++i) {
        try_roots(&work.dot[i], first);
        try_roots(&work.normal[i], first);
        for (int axis = 0; axis < AXES; ++axis)
            try_roots(&work.cross[i][axis], first);
    }
}

static bool touches_at(unsigned long end)
{
    real_set_whole(&work.end, end);
    return zero_in_triangle(&work.end);
}

// When zero is first in the triangle of differences; NEVER if it is not.
static double first_time(void)
{
    if (is_aside())
        return NEVER;
    make_crosses();
    make_normal();
    make_determinant();
    if (touches_at(0))
        return 0;
    double first = touches_at(1) ? 1 : NEVER;
    if (work.determinant.degree >= 0)
        try_roots(&work.determinant, &first);
    else
        try_roots_of_all(&first);
    return first;
}

// -------------------------------------------------------------------------------------------------- reading

// Bits of a finite double: value = mantissa * 2^exponent, with an odd mantissa or one of zero.
typedef struct Binary {
    int64_t mantissa;
    int exponent;
} Binary;

static Binary read_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int biased = (int)(bits >> 52 & 0x7FF);
    int64_t mantissa = (int64_t)(bits & ((UINT64_C(1) << 52) - 1));
    if (biased == 0x7FF)
        abort(); // not finite: a mistake in the test
    if (biased == 0)
        biased = 1; // subnormal
    else
        mantissa |= INT64_C(1) << 52;
    if (mantissa == 0)
        return (Binary){0, 0};
    int zeros = __builtin_ctzll((unsigned long long)mantissa);
    mantissa >>= zeros;
    return (Binary){bits >> 63 ? -mantissa : mantissa, biased - 1075 + zeros};
}

static void load_axis(int axis, const double values[8])
{
    Binary binary[8];
    int lowest = INT32_MAX;
    for (int i = 0; i < 8; ++i) {
        binary[i] = read_double(values[i]);
        if (binary[i].mantissa != 0 && binary[i].exponent < lowest)
            lowest = binary[i].exponent;
    }
    for (int i = 0; i < 8; ++i) {
        mpz_set_si(work.point[i][axis], binary[i].mantissa);
        if (binary[i].mantissa != 0)
            mpz_mul_2exp(work.point[i][axis], work.point[i][axis],
                         (mp_bitcnt_t)(binary[i].exponent - lowest));
    }
}

static void load_points(const imp_Vec3 points[8])
{
    double x[8], y[8], z[8];
    for (int i = 0; i < 8; ++i) {
        x[i] = points[i].x;
        y[i] = points[i].y;
        z[i] = points[i].z;
    }
    prepare();
    load_axis(0, x);
    load_axis(1, y);
    load_axis(2, z);
}

// -------------------------------------------------------------------------------------------------- queries

static bool report(double first, double *time)
{
    if (first > 1)
        return false;
    *time = first;
    return true;
}

bool oracle_sweep_vertex_face(const imp_Vec3 points[8], double *time)
{
    load_points(points);
    for (int i = 0; i < 3; ++i)
        set_difference(i, i + 1, 0);
    return report(first_time(), time);
}

bool oracle_sweep_edge_edge(const imp_Vec3 points[8], double *time)
{
    double first = NEVER;
    load_points(points);
    for (int half = 0; half < 2 && first > 0; ++half) {
        set_difference(0, half, 2 + half); // a0 - b0, then a1 - b1
        set_difference(1, 0, 3);           // a0 - b1
        set_difference(2, 1, 2);           // a1 - b0
        double time_of_half = first_time();
        first = time_of_half < first ? time_of_half : first;
    }
    return report(first, time);
}

static void try_vertex_faces(const imp_Triangle a[2], const imp_Triangle b[2], double *first)
{
    for (int i = 0; i < 3; ++i) {
        imp_Vec3 points[8];
        double time;
        for (int end = 0; end < 2; ++end) {
            points[4 * end] = a[end].v[i];
            memcpy(&points[4 * end + 1], b[end].v, sizeof b[end].v);
        }
        if (oracle_sweep_vertex_face(points, &time) && time < *first)
            *first = time;
    }
}

static void try_edges(const imp_Triangle a[2], const imp_Triangle b[2], double *first)
{
    for (int i = 0; i < 9; ++i) {
        imp_Vec3 points[8];
        double time;
        for (int end = 0; end < 2; ++end) {
            points[4 * end] = a[end].v[i / 3];
            points[4 * end + 1] = a[end].v[(i / 3 + 1) % 3];
            points[4 * end + 2] = b[end].v[i % 3];
            points[4 * end + 3] = b[end].v[(i % 3 + 1) % 3];
        }
        if (oracle_sweep_edge_edge(points, &time) && time < *first)
            *first = time;
    }
}

// Triangles that share a point, but no vertex of one is on the other and no two edges meet: then an edge goes
// right through the inside of the other triangle, and does so a little earlier as well. So such a contact is
// the first only at t = 0.
bool oracle_sweep_triangles(const imp_Triangle ends_a[2], const imp_Triangle ends_b[2], double *time)
{
    double first = oracle_triangles_touch(&ends_a[0], &ends_b[0]) ? 0 : NEVER;
    if (first > 0) {
        try_vertex_faces(ends_a, ends_b, &first);
        try_vertex_faces(ends_b, ends_a, &first);
        try_edges(ends_a, ends_b, &first);
    }
    return report(first, time);
}
