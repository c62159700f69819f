// Squares of distances between boxes, as each instruction set finds them: the same bits, none too large, no
// near face lost.
#include "object/box_distance.h"
#include "base/cpu.h"
#include "harness.h"
#include "posed_faces.h"

#include <math.h>
#include <stdio.h>

static int list_paths(const impi_BoxDistance *paths[3])
{
    int count = 0;
    paths[count++] = &impi_box_distance_portable;
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx2())
        paths[count++] = &impi_box_distance_avx2;
    if (impi_cpu_has_avx512())
        paths[count++] = &impi_box_distance_avx512;
#endif
    return count;
}

static double random_coordinate(bool on_lattice)
{
    return on_lattice ? (double)test_random_below(8) - 4 : test_random_between(-4, 4);
}

static void random_lanes(impi_BoxLanes *lanes, unsigned count, bool on_lattice)
{
    for (int axis = 0; axis < 3; ++axis)
        for (unsigned i = 0; i < IMPI_GROUP_SIZE; ++i) {
            double low = random_coordinate(on_lattice), width = fabs(random_coordinate(on_lattice)) / 4;
            lanes->min[axis][i] = i < count ? low : (double)NAN;
            lanes->max[axis][i] = i < count ? low + width : (double)NAN;
        }
}

static long double square_of(const double *low_a, const double *high_a, const double *low_b,
                             const double *high_b)
{
    long double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        long double gap = low_a[axis] > high_b[axis]   ? (long double)low_a[axis] - high_b[axis]
                          : low_b[axis] > high_a[axis] ? (long double)low_b[axis] - high_a[axis]
                                                       : 0;
        square += gap * gap;
    }
    return square;
}

static bool is_about(double square, long double wanted)
{
    return fabsl(square - wanted) <= 8 * 0x1p-53L * wanted;
}

static void check_group(const impi_BoxLanes *a, const impi_BoxLanes *b, unsigned count_a, unsigned count_b,
                        double squares[IMPI_GROUP_SIZE][IMPI_GROUP_SIZE])
{
    for (unsigned i = 0; i < IMPI_GROUP_SIZE; ++i)
        for (unsigned k = 0; k < IMPI_GROUP_SIZE; ++k) {
            if (i >= count_a || k >= count_b) {
                CHECK(squares[i][k] == INFINITY);
                continue;
            }
            const double low_a[3] = {a->min[0][i], a->min[1][i], a->min[2][i]};
            const double high_a[3] = {a->max[0][i], a->max[1][i], a->max[2][i]};
            const double low_b[3] = {b->min[0][k], b->min[1][k], b->min[2][k]};
            const double high_b[3] = {b->max[0][k], b->max[1][k], b->max[2][k]};
            CHECK(is_about(squares[i][k], square_of(low_a, high_a, low_b, high_b)));
        }
}

TEST(squares_of_groups)
{
    const impi_BoxDistance *paths[3];
    int path_count = list_paths(paths);
    for (uint64_t n = test_count(2000); n > 0; --n) {
        impi_BoxLanes a, b;
        double first[IMPI_GROUP_SIZE][IMPI_GROUP_SIZE], other[IMPI_GROUP_SIZE][IMPI_GROUP_SIZE];
        double points[IMPI_GROUP_SIZE], other_points[IMPI_GROUP_SIZE];
        bool on_lattice = n % 2;
        unsigned count_a = 1 + test_random_below(IMPI_GROUP_SIZE),
                 count_b = 1 + test_random_below(IMPI_GROUP_SIZE);
        random_lanes(&a, count_a, on_lattice);
        random_lanes(&b, count_b, on_lattice);
        const double at[3] = {b.min[0][0], b.min[1][0], b.min[2][0]};
        imp_Vec3 point = {at[0], at[1], at[2]};
        paths[0]->group_squares(&a, &b, first);
        paths[0]->point_squares(&a, point, points);
        check_group(&a, &b, count_a, count_b, first);
        for (unsigned i = 0; i < IMPI_GROUP_SIZE; ++i) {
            const double low[3] = {a.min[0][i], a.min[1][i], a.min[2][i]};
            const double high[3] = {a.max[0][i], a.max[1][i], a.max[2][i]};
            CHECK(i < count_a ? is_about(points[i], square_of(low, high, at, at)) : points[i] == INFINITY);
        }
        for (int i = 1; i < path_count; ++i) {
            paths[i]->group_squares(&a, &b, other);
            paths[i]->point_squares(&a, point, other_points);
            CHECK(memcmp(first, other, sizeof first) == 0 &&
                  memcmp(points, other_points, sizeof points) == 0);
        }
    }
}

static void random_faces(impi_FaceBoxes *boxes, unsigned count, bool on_lattice)
{
    for (int axis = 0; axis < 3; ++axis) {
        boxes->whole[axis] = INFINITY;
        boxes->whole[3 + axis] = -INFINITY;
        for (unsigned i = 0; i < IMPI_BLOCK_FACES; ++i) {
            float low = (float)random_coordinate(on_lattice);
            float high = low + (float)fabs(random_coordinate(on_lattice)) / 4;
            boxes->min[axis][i] = i < count ? low : NAN;
            boxes->max[axis][i] = i < count ? high : NAN;
            if (i < count) {
                boxes->whole[axis] = fminf(boxes->whole[axis], low);
                boxes->whole[3 + axis] = fmaxf(boxes->whole[3 + axis], high);
            }
        }
    }
}

static long double face_square(const impi_FaceBoxes *a, const impi_FaceBoxes *b, unsigned i, unsigned k)
{
    const double low_a[3] = {a->min[0][i], a->min[1][i], a->min[2][i]};
    const double high_a[3] = {a->max[0][i], a->max[1][i], a->max[2][i]};
    const double low_b[3] = {b->min[0][k], b->min[1][k], b->min[2][k]};
    const double high_b[3] = {b->max[0][k], b->max[1][k], b->max[2][k]};
    return square_of(low_a, high_a, low_b, high_b);
}

// Squares are rounded in single precision: some that are this little larger may count as near, and none that
// are this little smaller may be missing.
#define FLOAT_SLACK (8 * 0x1p-24L)

TEST(no_near_face_is_lost)
{
    const impi_BoxDistance *paths[3];
    int path_count = list_paths(paths);
    uint64_t near_count = 0, far_count = 0, masked_count = 0;
    for (uint64_t n = test_count(300); n > 0; --n) {
        impi_FaceBoxes a, b;
        uint64_t mask[IMPI_BLOCK_FACES], first[IMPI_BLOCK_FACES], other[IMPI_BLOCK_FACES];
        bool on_lattice = n % 2, is_masked = n % 3 == 0;
        unsigned count_a = 1 + test_random_below(IMPI_BLOCK_FACES),
                 count_b = 1 + test_random_below(IMPI_BLOCK_FACES);
        float limit = test_random_below(4) ? (float)test_random_between(0, 20) : (float)test_random_below(10);
        random_faces(&a, count_a, on_lattice);
        random_faces(&b, count_b, on_lattice);
        for (int i = 0; i < IMPI_BLOCK_FACES; ++i)
            first[i] = mask[i] = is_masked ? test_random() : UINT64_MAX;
        size_t count = paths[0]->near_faces(&a, &b, limit, first), bits = 0;
        for (unsigned i = 0; i < IMPI_BLOCK_FACES; ++i)
            for (unsigned k = 0; k < IMPI_BLOCK_FACES; ++k) {
                bool is_near = first[i] >> k & 1, was_set = mask[i] >> k & 1;
                bits += is_near;
                masked_count += !was_set;
                CHECK(!is_near || (was_set && i < count_a && k < count_b));
                if (i >= count_a || k >= count_b || !was_set)
                    continue;
                long double square = face_square(&a, &b, i, k);
                ++*(is_near ? &near_count : &far_count);
                CHECK(is_near ? square <= limit * (1 + FLOAT_SLACK) : square > limit * (1 - FLOAT_SLACK));
                if (on_lattice && limit == rintf(limit)) // all of it is exact
                    CHECK(is_near == (square <= limit));
            }
        CHECK_INT(count, bits);
        for (int i = 1; i < path_count; ++i) {
            memcpy(other, mask, sizeof other);
            CHECK_INT(paths[i]->near_faces(&a, &b, limit, other), count);
            CHECK(memcmp(first, other, sizeof first) == 0);
        }
    }
    printf("%llu near, %llu far\n", (unsigned long long)near_count, (unsigned long long)far_count);
    CHECK(10 * near_count > far_count && 10 * far_count > near_count && masked_count > 0);
}

static void random_oriented(impi_OrientedLanes *lanes, unsigned count)
{
    for (unsigned i = 0; i < IMPI_GROUP_SIZE; ++i) {
        imp_Transform transform;
        imp_Pose pose = {.rotation = random_rotation()};
        CHECK_INT(imp_pose_transform(&pose, &transform), IMP_STATUS_OK);
        for (int k = 0; k < 3; ++k) {
            double centre = random_coordinate(false), half = fabs(random_coordinate(false));
            lanes->centre[k][i] = i < count ? centre : (double)NAN;
            lanes->half[k][i] = i < count ? half : (double)NAN;
            for (int axis = 0; axis < 3; ++axis)
                lanes->axes[k][axis][i] = i < count ? transform.rows[k][axis] : (double)NAN;
        }
    }
}

// Corners of oriented boxes, moved by a transform, in extended precision.
static bool holds_corners(const impi_OrientedLanes *from, unsigned lane, const imp_Transform *transform,
                          const impi_BoxLanes *to)
{
    const double shift[3] = {transform->translation.x, transform->translation.y, transform->translation.z};
    bool holds = true;
    for (unsigned corner = 0; corner < 8; ++corner) {
        long double point[3];
        for (int axis = 0; axis < 3; ++axis) {
            point[axis] = from->centre[axis][lane];
            for (int k = 0; k < 3; ++k)
                point[axis] +=
                    (corner >> k & 1 ? 1 : -1) * (long double)from->half[k][lane] * from->axes[k][axis][lane];
        }
        for (int row = 0; row < 3; ++row) {
            long double moved = shift[row];
            for (int axis = 0; axis < 3; ++axis)
                moved += transform->rows[row][axis] * point[axis];
            holds &= to->min[row][lane] <= moved && moved <= to->max[row][lane];
        }
    }
    return holds;
}

TEST(posed_boxes_hold_the_corners)
{
    const impi_BoxDistance *paths[3];
    int path_count = list_paths(paths);
    for (uint64_t n = test_count(1000); n > 0; --n) {
        impi_OrientedLanes from;
        impi_BoxLanes first, other;
        imp_Transform transform;
        imp_Pose pose = {{random_coordinate(false), 1, -2}, random_rotation()};
        unsigned count = 1 + test_random_below(IMPI_GROUP_SIZE);
        CHECK_INT(imp_pose_transform(&pose, &transform), IMP_STATUS_OK);
        for (int i = 0; i < 9; ++i)
            transform.rows[i / 3][i % 3] *= 0.25;
        random_oriented(&from, count);
        paths[0]->pose_boxes(&from, &transform, 0x1p-44, 1, &first);
        for (unsigned i = 0; i < IMPI_GROUP_SIZE; ++i) {
            if (i < count)
                CHECK(holds_corners(&from, i, &transform, &first));
            else
                CHECK(isnan(first.min[0][i]) && isnan(first.max[2][i]));
        }
        for (int i = 1; i < path_count; ++i) {
            paths[i]->pose_boxes(&from, &transform, 0x1p-44, 1, &other);
            for (int axis = 0; axis < 3; ++axis)
                for (unsigned lane = 0; lane < count; ++lane)
                    CHECK(first.min[axis][lane] == other.min[axis][lane] &&
                          first.max[axis][lane] == other.max[axis][lane]);
        }
    }
}
