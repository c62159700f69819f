// An upright box against a moved one, compared with vertices in rational arithmetic: the points p of the
// source box whose images lie in the target box are those of 12 half-spaces. These meet if and only if three
// of their planes have a common point in all of them, and in a volume if and only if four such points lie in
// no plane. Nothing here is separated along directions, which is how the library does it.
#include "geom/cube_cube.h"
#include "harness.h"
#include "oracle/case_numbers.h"

#include <gmp.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

typedef struct Case {
    imp_Transform transform;
    impi_SourceBox source;
    impi_TargetBox target;
} Case;

// ---- the truth

// n . p <= limit
typedef struct HalfSpace {
    mpq_t n[3], limit;
} HalfSpace;

typedef struct Truth {
    HalfSpace planes[12];
    mpq_t det, scratch[8], points[220][3];
    int point_count;
} Truth;

static void init_truth(Truth *truth)
{
    for (int i = 0; i < 12; ++i) {
        mpq_inits(truth->planes[i].n[0], truth->planes[i].n[1], truth->planes[i].n[2], truth->planes[i].limit,
                  NULL);
    }
    mpq_init(truth->det);
    for (int i = 0; i < 8; ++i)
        mpq_init(truth->scratch[i]);
    for (int i = 0; i < 220; ++i)
        mpq_inits(truth->points[i][0], truth->points[i][1], truth->points[i][2], NULL);
}

static void clear_truth(Truth *truth)
{
    for (int i = 0; i < 12; ++i) {
        mpq_clears(truth->planes[i].n[0], truth->planes[i].n[1], truth->planes[i].n[2],
                   truth->planes[i].limit, NULL);
    }
    mpq_clear(truth->det);
    for (int i = 0; i < 8; ++i)
        mpq_clear(truth->scratch[i]);
    for (int i = 0; i < 220; ++i)
        mpq_clears(truth->points[i][0], truth->points[i][1], truth->points[i][2], NULL);
}

static void set_half_sum(mpq_t out, const double parts[2], mpq_t scratch)
{
    mpq_set_d(out, parts[0]);
    mpq_set_d(scratch, parts[1]);
    mpq_add(out, out, scratch);
    mpq_div_2exp(out, out, 1);
}

static void set_planes(Truth *truth, const Case *c)
{
    const double t[3] = {c->transform.translation.x, c->transform.translation.y, c->transform.translation.z};
    for (int axis = 0; axis < 3; ++axis) {
        HalfSpace *source = &truth->planes[2 * axis], *target = &truth->planes[6 + 2 * axis];
        for (int i = 0; i < 3; ++i) {
            mpq_set_si(source[0].n[i], i == axis, 1);
            mpq_neg(source[1].n[i], source[0].n[i]);
            mpq_set_d(target[0].n[i], c->transform.rows[axis][i]);
            mpq_neg(target[1].n[i], target[0].n[i]);
        }
        mpq_set_d(source[0].limit, c->source.max[axis]);
        mpq_set_d(source[1].limit, -c->source.min[axis]);
        mpq_set_d(truth->scratch[0], t[axis]);
        set_half_sum(target[0].limit, c->target.max[axis], truth->scratch[1]);
        mpq_sub(target[0].limit, target[0].limit, truth->scratch[0]);
        set_half_sum(target[1].limit, c->target.min[axis], truth->scratch[1]);
        mpq_sub(target[1].limit, truth->scratch[0], target[1].limit);
    }
}

// a x b . c, or with columns exchanged by `use`.
static void triple(mpq_t out, mpq_t *a[3], mpq_t *b[3], mpq_t *c[3], mpq_t s[3])
{
    mpq_set_si(out, 0, 1);
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        mpq_mul(s[0], *a[j], *b[k]);
        mpq_mul(s[1], *a[k], *b[j]);
        mpq_sub(s[0], s[0], s[1]);
        mpq_mul(s[0], s[0], *c[i]);
        mpq_add(out, out, s[0]);
    }
}

// The common point of three planes, by Cramer's rule. False when there is no single one.
static bool meet(Truth *truth, const int which[3], mpq_t point[3])
{
    mpq_t *columns[4][3]; // of coefficients, then limits
    for (int row = 0; row < 3; ++row) {
        HalfSpace *plane = &truth->planes[which[row]];
        for (int i = 0; i < 3; ++i)
            columns[i][row] = &plane->n[i];
        columns[3][row] = &plane->limit;
    }
    triple(truth->det, columns[0], columns[1], columns[2], truth->scratch);
    if (mpq_sgn(truth->det) == 0)
        return false;
    for (int i = 0; i < 3; ++i) {
        mpq_t **used[3];
        for (int k = 0; k < 3; ++k)
            used[k] = columns[k == i ? 3 : k];
        triple(point[i], used[0], used[1], used[2], truth->scratch);
        mpq_div(point[i], point[i], truth->det);
    }
    return true;
}

static bool is_inside(Truth *truth, mpq_t point[3])
{
    for (int plane = 0; plane < 12; ++plane) {
        mpq_set_si(truth->scratch[0], 0, 1);
        for (int i = 0; i < 3; ++i) {
            mpq_mul(truth->scratch[1], truth->planes[plane].n[i], point[i]);
            mpq_add(truth->scratch[0], truth->scratch[0], truth->scratch[1]);
        }
        if (mpq_cmp(truth->scratch[0], truth->planes[plane].limit) > 0)
            return false;
    }
    return true;
}

static void find_points(Truth *truth)
{
    truth->point_count = 0;
    for (int a = 0; a < 12; ++a)
        for (int b = a + 1; b < 12; ++b)
            for (int c = b + 1; c < 12; ++c) {
                mpq_t *point = truth->points[truth->point_count];
                if (meet(truth, (const int[3]){a, b, c}, point) && is_inside(truth, point))
                    ++truth->point_count;
            }
}

// Differences to the first point, in place; is their rank 3?
static bool have_volume(Truth *truth)
{
    mpq_t *s = truth->scratch;
    for (int p = 1; p < truth->point_count; ++p)
        for (int i = 0; i < 3; ++i)
            mpq_sub(truth->points[p][i], truth->points[p][i], truth->points[0][i]);
    int rank = 0;
    for (int column = 0; column < 3; ++column) {
        int pivot = 1 + rank;
        while (pivot < truth->point_count && mpq_sgn(truth->points[pivot][column]) == 0)
            ++pivot;
        if (pivot >= truth->point_count)
            return false; // three columns have to have a pivot
        for (int i = 0; i < 3; ++i)
            mpq_swap(truth->points[pivot][i], truth->points[1 + rank][i]);
        mpq_t *row = truth->points[1 + rank];
        for (int p = 2 + rank; p < truth->point_count; ++p) {
            mpq_div(s[0], truth->points[p][column], row[column]);
            for (int i = 0; i < 3; ++i) {
                mpq_mul(s[1], s[0], row[i]);
                mpq_sub(truth->points[p][i], truth->points[p][i], s[1]);
            }
        }
        ++rank;
    }
    return rank == 3;
}

// Do all corners of the target come from points of the source?
static bool is_complete(Truth *truth)
{
    for (int corner = 0; corner < 8; ++corner) {
        const int which[3] = {6 + (corner & 1), 8 + (corner >> 1 & 1), 10 + (corner >> 2 & 1)};
        mpq_t *point = truth->points[219];
        if (!meet(truth, which, point) || !is_inside(truth, point))
            return false;
    }
    return true;
}

static impi_CubeRelation find_truth(const Case *c, impi_CubeSense sense)
{
    Truth truth;
    init_truth(&truth);
    set_planes(&truth, c);
    find_points(&truth);
    bool is_met = truth.point_count > 0 && (sense == IMPI_CUBES_CLOSED || have_volume(&truth));
    impi_CubeRelation relation = !is_met               ? IMPI_CUBES_APART
                                 : is_complete(&truth) ? IMPI_CUBES_COMPLETE
                                                       : IMPI_CUBES_PARTIAL;
    clear_truth(&truth);
    return relation;
}

// ---- cases

typedef enum Kind {
    TURNED,      // any rotation
    ABOUT_AXIS,  // one axis stays
    NEARLY_TURN, // of the 24 of a cube, as quaternions give them
    SHORT,       // a rotation with few bits, so that contacts are exact
    SKEW,        // no rotation at all: small integers
    KIND_COUNT,
} Kind;

static double determinant(const imp_Transform *m)
{
    double det = 0;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        det += m->rows[0][i] * (m->rows[1][j] * m->rows[2][k] - m->rows[1][k] * m->rows[2][j]);
    }
    return det;
}

static imp_Quat unit_quaternion(double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0))
        return (imp_Quat){1, 0, 0, 0};
    return (imp_Quat){q[0] / length, q[1] / length, q[2] / length, q[3] / length};
}

static void make_matrix(Kind kind, imp_Transform *transform)
{
    double q[4];
    imp_Pose pose = {{0, 0, 0}, {0, 0, 0, 0}};
    for (int i = 0; i < 4; ++i)
        q[i] = kind == NEARLY_TURN ? random_integer(1) : random_signed_unit();
    if (kind == ABOUT_AXIS) {
        int kept = 1 + (int)test_random_below(3);
        for (int i = 1; i < 4; ++i)
            q[i] = i == kept ? q[i] : 0;
    }
    pose.rotation = unit_quaternion(q);
    CHECK_INT(imp_pose_transform(&pose, transform), IMP_STATUS_OK);
    for (int i = 0; i < 3 && kind == SHORT; ++i)
        for (int j = 0; j < 3; ++j)
            transform->rows[i][j] = rint(transform->rows[i][j] * 0x1p24) * 0x1p-24;
    do {
        for (int i = 0; i < 3 && kind == SKEW; ++i)
            for (int j = 0; j < 3; ++j)
                transform->rows[i][j] = random_integer(2);
    } while (determinant(transform) == 0);
}

static double image(const imp_Transform *m, const double p[3], int axis)
{
    return (m->rows[axis][0] * p[0] + m->rows[axis][1] * p[1]) + m->rows[axis][2] * p[2];
}

// Boxes of lattice points; a point on the source's boundary goes near one of the target, or just there.
static void make_contact(Case *c)
{
    double p[3], t[3];
    uint32_t face = test_random_below(3), at_end = test_random_below(8);
    for (int axis = 0; axis < 3; ++axis) {
        c->source.min[axis] = random_integer(20);
        c->source.max[axis] = c->source.min[axis] + 1 + test_random_below(8);
        bool is_end = axis == (int)face || test_random_below(2);
        p[axis] = is_end && (at_end >> axis & 1) ? c->source.max[axis]
                  : is_end                       ? c->source.min[axis]
                                                 : (c->source.min[axis] + c->source.max[axis]) / 2;
        t[axis] = random_integer(50);
    }
    c->transform.translation = (imp_Vec3){t[0], t[1], t[2]};
    double widest = test_random_below(4) ? 6 : 1;
    bool is_point = test_random_below(6) == 0;
    for (int axis = 0; axis < 3; ++axis) {
        double x = image(&c->transform, p, axis) + t[axis], width = 1 + test_random_below((uint32_t)widest);
        if (test_random_below(4) == 0)
            x = one_ulp_off(x);
        uint32_t place = test_random_below(3);
        double low = place == 0 ? x : place == 1 ? x - width : x - width / 2;
        double high = is_point ? low : low + width;
        bool is_middle = test_random_below(2); // said as the middle of two numbers
        double aside = is_middle ? random_integer(3) : 0;
        c->target.min[axis][0] = low - aside;
        c->target.min[axis][1] = low + aside;
        c->target.max[axis][0] = high + aside;
        c->target.max[axis][1] = high - aside;
    }
}

// All coordinates times a power of two, matrices stay.
static void scale_case(Case *c, int exponent)
{
    double *t = &c->transform.translation.x;
    for (int axis = 0; axis < 3; ++axis) {
        t[axis] = scalbn(t[axis], exponent);
        c->source.min[axis] = scalbn(c->source.min[axis], exponent);
        c->source.max[axis] = scalbn(c->source.max[axis], exponent);
        for (int part = 0; part < 2; ++part) {
            c->target.min[axis][part] = scalbn(c->target.min[axis][part], exponent);
            c->target.max[axis][part] = scalbn(c->target.max[axis][part], exponent);
        }
    }
}

// Numbers of any size, each on its own.
static void make_wild(Case *c)
{
    double *t = &c->transform.translation.x;
    for (int axis = 0; axis < 3; ++axis) {
        t[axis] = test_random_below(2) ? random_of_any_size() : 0;
        double a = random_of_any_size(), b = test_random_below(3) ? -a : random_of_any_size();
        c->source.min[axis] = fmin(a, b);
        c->source.max[axis] = fmax(a, b);
        a = random_of_any_size();
        b = test_random_below(3) ? -a : random_of_any_size();
        for (int part = 0; part < 2; ++part) {
            c->target.min[axis][part] = fmin(a, b);
            c->target.max[axis][part] = fmax(a, b);
        }
    }
}

static bool is_good(const Case *c)
{
    for (int axis = 0; axis < 3; ++axis)
        if (!(c->source.min[axis] < c->source.max[axis]) ||
            !(c->target.min[axis][0] / 2 + c->target.min[axis][1] / 2 <=
              c->target.max[axis][0] / 2 + c->target.max[axis][1] / 2))
            return false;
    return true;
}

// Then only the closed sense makes sense.
static bool is_flat_target(const Case *c)
{
    bool is_flat = false;
    for (int axis = 0; axis < 3; ++axis)
        is_flat |= c->target.min[axis][0] / 2 + c->target.min[axis][1] / 2 >=
                   c->target.max[axis][0] / 2 + c->target.max[axis][1] / 2;
    return is_flat;
}

static void print_case(const Case *c)
{
    for (int i = 0; i < 3; ++i)
        printf("row %a %a %a, t %a\n", c->transform.rows[i][0], c->transform.rows[i][1],
               c->transform.rows[i][2], (&c->transform.translation.x)[i]);
    for (int i = 0; i < 3; ++i)
        printf("source %a %a target (%a %a)/2 (%a %a)/2\n", c->source.min[i], c->source.max[i],
               c->target.min[i][0], c->target.min[i][1], c->target.max[i][0], c->target.max[i][1]);
}

typedef struct Counts {
    uint64_t relations[3], touching, all;
} Counts;

static bool check_case(const Case *c, Counts *counts)
{
    impi_CubeRelation truths[2];
    bool is_flat = is_flat_target(c);
    for (int sense = is_flat; sense < 2; ++sense) {
        truths[sense] = find_truth(c, (impi_CubeSense)sense);
        impi_CubeRelation got = impi_cube_cube(&c->transform, &c->source, &c->target, (impi_CubeSense)sense);
        if (!CHECK_INT(got, truths[sense])) {
            printf("sense %d\n", sense);
            print_case(c);
            return false;
        }
    }
    ++counts->relations[truths[1]];
    counts->touching += !is_flat && truths[0] != truths[1];
    ++counts->all;
    return true;
}

TEST(relations_are_those_of_rational_arithmetic)
{
    Counts counts[KIND_COUNT] = {{{0}, 0, 0}};
    uint64_t count = test_count(2000);
    for (uint64_t i = 0; i < count; ++i) {
        Case c;
        Kind kind = (Kind)(i % KIND_COUNT);
        make_matrix(kind, &c.transform);
        make_contact(&c);
        uint32_t scaling = test_random_below(4);
        if (scaling == 0)
            scale_case(&c, (int)test_random_below(2000) - 1000);
        if (is_good(&c) && !check_case(&c, &counts[kind]))
            return;
    }
    for (int kind = 0; kind < KIND_COUNT; ++kind) {
        const Counts *k = &counts[kind];
        printf("  kind %d: %" PRIu64 " apart, %" PRIu64 " partial, %" PRIu64 " complete; %" PRIu64
               " only touch\n",
               kind, k->relations[0], k->relations[1], k->relations[2], k->touching);
        CHECK(k->relations[0] * 20 > k->all);
        CHECK(k->relations[1] * 20 > k->all);
        CHECK(k->relations[2] * 100 > k->all);
        CHECK(kind == TURNED || k->touching * 50 > k->all); // rotations leave nothing at exact places
    }
}

TEST(numbers_of_any_size)
{
    Counts counts = {{0}, 0, 0};
    uint64_t count = test_count(2000) / 10;
    for (uint64_t i = 0; i < count; ++i) {
        Case c;
        make_matrix((Kind)(i % KIND_COUNT), &c.transform);
        make_wild(&c);
        if (i % 3 == 0) // and in the matrix: where nothing is left of a rotation
            c.transform.rows[i / 3 % 3][i / 9 % 3] = random_of_any_size();
        if (!(fabs(determinant(&c.transform)) > 0x1p-100) || !is_good(&c))
            continue;
        if (!check_case(&c, &counts))
            return;
    }
    printf("  %" PRIu64 " apart, %" PRIu64 " partial, %" PRIu64 " complete\n", counts.relations[0],
           counts.relations[1], counts.relations[2]);
    CHECK(counts.relations[0] * 50 > counts.all);
    CHECK(counts.relations[1] * 20 > counts.all);
}
