/// A moved box against an upright one (geom/cube_cube.h) beside an oracle that computes their common part in
/// whole numbers of any length: boxes anywhere, boxes that share a corner, an edge or a side exactly or off
/// by an ulp, flat ones; by turns that leave axes to axes, near them, and any.
#include "geom/cube_cube.h"
#include "harness.h"
#include "oracle/case_numbers.h"
#include "oracle/octree_oracle.h"
#include "sanitizers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#if defined(TEST_UNDER_SANITIZER)
#define DEFAULT_PAIRS 4000
#else
#define DEFAULT_PAIRS 20000
#endif

typedef enum Turn { TURN_NONE, TURN_OF_CUBE, TURN_EIGHTH, TURN_FINE, TURN_ANY, TURN_COUNT } Turn;

static const char *const turn_names[TURN_COUNT] = {"none", "of a cube", "eighth", "fine", "any"};

static imp_Quat unit_quat(double w, double x, double y, double z)
{
    double length = sqrt(w * w + x * x + y * y + z * z);
    return (imp_Quat){w / length, x / length, y / length, z / length};
}

static imp_Quat random_quat(Turn turn)
{
    imp_Vec3 axis = random_vector(1), whole = random_lattice_step(1);
    double w = random_integer(1), size = pow(10, -1 - (int)test_random_below(17));
    switch (turn) {
    case TURN_OF_CUBE: // or a third turn about a diagonal, a half turn about one of a side, ...
        return unit_quat(w, whole.x, whole.y, whole.z);
    case TURN_EIGHTH:
        return unit_quat(0.92387953251128674, test_random_below(2) ? 0.38268343236508977 : 0, 0,
                         test_random_below(2) ? 0.38268343236508977 : 0);
    case TURN_FINE:
        return unit_quat(1, size * axis.x, size * axis.y, size * axis.z);
    case TURN_ANY:
        return unit_quat(random_signed_unit(), axis.x, axis.y, axis.z + 2);
    default:
        return (imp_Quat){0};
    }
}

// ---- cases

// Corners on a lattice or anywhere.
static void random_source(OracleBoxes *boxes, double scale)
{
    bool is_whole = test_random_below(2);
    for (int axis = 0; axis < 3; ++axis) {
        double low = is_whole ? random_integer(4) : 4 * random_signed_unit();
        double edge = is_whole ? 1 + test_random_below(4) : 0.1 + 3 * test_random_unit();
        boxes->source[0][axis] = scale * low;
        boxes->source[1][axis] = scale * low + scale * edge;
    }
}

static imp_Vec3 random_point_of_source(const OracleBoxes *boxes, int bound_count)
{
    imp_Vec3 point;
    uint32_t first = test_random_below(3);
    for (int i = 0; i < 3; ++i) {
        uint32_t axis = (first + (uint32_t)i) % 3;
        double unit = test_random_unit(), low = boxes->source[0][axis], high = boxes->source[1][axis];
        (&point.x)[axis] =
            i < bound_count ? boxes->source[test_random_below(2)][axis] : low + unit * (high - low);
    }
    return point;
}

// A box with a corner, or a point of an edge or a side, at a moved point of the source, as far as rounding
// lets it, or an ulp beside.
static void put_target(OracleBoxes *boxes, double scale)
{
    imp_Vec3 point = random_point_of_source(boxes, (int)test_random_below(4));
    imp_Vec3 at = imp_transform_apply(&boxes->transform, point);
    uint32_t bound_count = test_random_below(4), is_small = test_random_below(4) == 0,
             is_flat = test_random_below(6) == 0, exact = test_random_below(2);
    for (uint32_t axis = 0; axis < 3; ++axis) {
        double edge =
            scale * (test_random_below(2) ? 1 + test_random_below(3) : 0.01 + 3 * test_random_unit());
        edge *= is_small ? 0.01 : 1;
        double place = (&at.x)[axis], before = axis < bound_count ? 0 : test_random_unit();
        if (!exact && test_random_below(3) == 0)
            place = one_ulp_off(place);
        double low = place - before * edge, high = place + (1 - before) * edge;
        if (axis < bound_count && test_random_below(2)) {
            low = place - edge;
            high = place;
        }
        if (is_flat && test_random_below(2))
            high = low;
        boxes->target[0][axis][0] = boxes->target[0][axis][1] = low;
        boxes->target[1][axis][0] = boxes->target[1][axis][1] = high > low || is_flat ? high : low + edge;
        if (test_random_below(4) == 0) // the middle of two numbers
            boxes->target[1][axis][1] += 0.7 * edge;
    }
}

static OracleBoxes random_boxes(Turn turn)
{
    static const double scales[] = {1, 1, 1, 1e-300, 1e300, 0x1p40};
    OracleBoxes boxes;
    double scale = scales[test_random_below(6)];
    imp_Pose pose = {.rotation = random_quat(turn)};
    uint32_t choice = test_random_below(4);
    imp_Vec3 way = choice == 0   ? (imp_Vec3){0}
                   : choice == 1 ? random_lattice_point(8)
                   : choice == 2 ? random_vector(8)
                                 : random_vector(1e6);
    pose.translation = (imp_Vec3){scale * way.x, scale * way.y, scale * way.z};
    CHECK_INT(imp_pose_transform(&pose, &boxes.transform), IMP_STATUS_OK);
    random_source(&boxes, scale);
    put_target(&boxes, scale);
    return boxes;
}

// ---- verdicts

typedef struct Tally {
    uint64_t meetings[TURN_COUNT][4]; // apart, only points in common, volume, held
    uint64_t exact, flat;
} Tally;

static const char *const meeting_names[4] = {"apart", "touching", "overlapping", "held"};

static impi_CubeRelation relation_of(const OracleMeeting *meeting, bool is_common)
{
    return !is_common ? IMPI_CUBES_APART : meeting->holds ? IMPI_CUBES_COMPLETE : IMPI_CUBES_PARTIAL;
}

static void check_pair(const OracleBoxes *boxes, Turn turn, Tally *tally)
{
    impi_SourceBox source;
    impi_TargetBox target;
    bool is_flat = false;
    for (int axis = 0; axis < 3; ++axis) {
        source.min[axis] = boxes->source[0][axis];
        source.max[axis] = boxes->source[1][axis];
        for (int i = 0; i < 2; ++i) {
            target.min[axis][i] = boxes->target[0][axis][i];
            target.max[axis][i] = boxes->target[1][axis][i];
        }
        is_flat |= target.min[axis][0] == target.max[axis][0] && target.min[axis][1] == target.max[axis][1];
    }
    OracleMeeting meeting = oracle_boxes_meet(boxes);
    int failed = test_failed_checks();
    CHECK_INT(impi_cube_cube(&boxes->transform, &source, &target, IMPI_CUBES_CLOSED),
              relation_of(&meeting, meeting.has_point));
    if (!is_flat)
        CHECK_INT(impi_cube_cube(&boxes->transform, &source, &target, IMPI_CUBES_OPEN),
                  relation_of(&meeting, meeting.has_volume));
    if (test_failed_checks() > failed && test_failed_checks() < 20) {
        printf("  turn: %s\n", turn_names[turn]);
        for (int axis = 0; axis < 3; ++axis)
            printf("  %a %a %a + %a; [%a, %a]; [(%a, %a), (%a, %a)]\n", boxes->transform.rows[axis][0],
                   boxes->transform.rows[axis][1], boxes->transform.rows[axis][2],
                   (&boxes->transform.translation.x)[axis], source.min[axis], source.max[axis],
                   target.min[axis][0], target.min[axis][1], target.max[axis][0], target.max[axis][1]);
    }
    tally->flat += is_flat;
    ++tally->meetings[turn][meeting.holds ? 3 : meeting.has_volume ? 2 : meeting.has_point];
}

TEST(moved_boxes_meet_upright_ones_as_the_oracle_says)
{
    uint64_t count = test_count(DEFAULT_PAIRS), sums[4] = {0};
    Tally tally = {0};
    for (uint64_t i = 0; i < count && test_failed_checks() < 20; ++i) {
        test_random_restart(i);
        Turn turn = (Turn)(i % TURN_COUNT);
        OracleBoxes boxes = random_boxes(turn);
        check_pair(&boxes, turn, &tally);
    }
    for (int turn = 0; turn < TURN_COUNT; ++turn) {
        printf("  %-10s", turn_names[turn]);
        for (int i = 0; i < 4; ++i) {
            printf(" %8" PRIu64 " %s", tally.meetings[turn][i], meeting_names[i]);
            sums[i] += tally.meetings[turn][i];
        }
        printf("\n");
    }
    for (int i = 0; i < 4; ++i)
        CHECK(sums[i] > count / 40);
    CHECK(tally.flat > count / 20 && tally.flat < count / 2);
}
