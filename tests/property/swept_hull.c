// Swept hulls against times of impact, which are exact: faces that meet have hulls that do, always. Against
// the oracle of hulls: verdicts without widening are its own. Along rigid paths, sampled densely: what faces
// pass through lies in the widened hull, and faces that meet at a sample have hulls that do.
#include "harness.h"

#include "base/memory.h"
#include "feature/swept_hull.h"
#include "geom/pose.h"
#include "geom/quaternion.h"
#include "geom/touch.h"
#include "geom/triangle_sweep.h"
#include "geom/vector.h"
#include "oracle/convex_oracle.h"
#include "oracle/triangle_cases.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define SAMPLES 64

static impi_SweptHullScratch scratch;

static bool hulls_meet(const impi_SweptHull *a, const impi_SweptHull *b)
{
    bool forth = false, back = true;
    CHECK_INT(impi_swept_hulls_meet(&scratch, a, b, &forth), IMP_STATUS_OK);
    CHECK_INT(impi_swept_hulls_meet(&scratch, b, a, &back), IMP_STATUS_OK);
    if (a->widening == 0 && b->widening == 0)
        CHECK_INT(forth, back);
    return forth;
}

// ---- straight paths

typedef struct MovingPair {
    imp_MovingTriangle a, b;
} MovingPair;

static imp_Vec3 random_point(double reach)
{
    return (imp_Vec3){test_random_between(-reach, reach), test_random_between(-reach, reach),
                      test_random_between(-reach, reach)};
}

static imp_Triangle random_triangle(imp_Vec3 at, double size)
{
    imp_Triangle triangle;
    for (int i = 0; i < 3; ++i)
        triangle.v[i] = impi_add_scaled(at, 1, random_point(size));
    return triangle;
}

// Of any sizes, so that one is now and then inside the other.
static MovingPair anything(void)
{
    MovingPair pair;
    double size_a = pow(2, test_random_between(-4, 2)), size_b = pow(2, test_random_between(-4, 2));
    pair.a.begin = random_triangle(random_point(1), size_a);
    pair.a.end = random_triangle(random_point(1), size_a);
    pair.b.begin = random_triangle(random_point(1), size_b);
    pair.b.end = random_triangle(random_point(1), size_b);
    return pair;
}

// Contacts and near misses to the last bit, at one end or both.
static MovingPair contact_at_the_ends(void)
{
    TriangleCase begin = triangle_case_make((TriangleKind)test_random_below(TRIANGLE_KIND_COUNT));
    TriangleCase end = triangle_case_make(begin.kind);
    return (MovingPair){{begin.a, end.a}, {begin.b, end.b}};
}

static imp_Triangle lattice_triangle(uint32_t range)
{
    imp_Triangle triangle;
    for (int i = 0; i < 3; ++i)
        triangle.v[i] =
            (imp_Vec3){test_random_below(range), test_random_below(range), test_random_below(range)};
    return triangle;
}

// Small whole numbers: planes, lines and points in common.
static MovingPair on_a_lattice(void)
{
    MovingPair pair;
    pair.a.begin = lattice_triangle(4);
    pair.a.end = test_random_below(4) ? lattice_triangle(4) : pair.a.begin;
    pair.b.begin = lattice_triangle(4);
    pair.b.end = test_random_below(4) ? lattice_triangle(4) : pair.b.begin;
    for (int i = 0; i < 3; ++i) {
        double away = test_random_below(3);
        pair.b.begin.v[i].x += away;
        pair.b.end.v[i].x += away;
    }
    return pair;
}

typedef struct Tally {
    uint64_t count, meet, hulls;
} Tally;

static void look_at_straight(MovingPair (*make)(void), Tally *tally)
{
    MovingPair pair = make();
    impi_SweptHull a = impi_swept_hull(&pair.a.begin, &pair.a.end, 0);
    impi_SweptHull b = impi_swept_hull(&pair.b.begin, &pair.b.end, 0);
    bool faces = impi_triangles_first_time(&pair.a, &pair.b, 1) <= 1, hulls = hulls_meet(&a, &b);
    CHECK_INT(hulls, oracle_hulls_touch(a.points, 6, b.points, 6));
    CHECK(hulls || !faces);
    imp_Box box_a = impi_swept_hull_box(&a), box_b = impi_swept_hull_box(&b);
    if (hulls)
        CHECK(box_a.min.x <= box_b.max.x && box_b.min.x <= box_a.max.x && box_a.min.y <= box_b.max.y &&
              box_b.min.y <= box_a.max.y && box_a.min.z <= box_b.max.z && box_b.min.z <= box_a.max.z);
    a.widening = b.widening = test_random_unit() * 0x1p-20;
    CHECK(hulls_meet(&a, &b) || !hulls);
    ++tally->count;
    tally->meet += faces;
    tally->hulls += hulls;
}

TEST(faces_that_meet_on_straight_paths_have_hulls_that_do)
{
    static const struct {
        const char *name;
        MovingPair (*make)(void);
        double least_meet, most_meet, least_apart;
        uint64_t share; // of the count: numbers of very different sizes take milliseconds
    } kinds[] = {{"anything", anything, 0.1, 0.8, 0.1, 1},
                 {"contact at the ends", contact_at_the_ends, 0.2, 0.99, 0.005, 20},
                 {"on a lattice", on_a_lattice, 0.2, 0.9, 0.05, 1}};
    impi_swept_hull_scratch_init(&scratch, &impi_default_allocator);
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; ++kind) {
        Tally tally = {0};
        uint64_t count = test_count(2000) / kinds[kind].share;
        for (uint64_t i = 0; i < count && test_failed_checks() == 0; ++i)
            look_at_straight(kinds[kind].make, &tally);
        printf("  %s: %" PRIu64 " of %" PRIu64 " meet, %" PRIu64 " hulls do\n", kinds[kind].name, tally.meet,
               tally.count, tally.hulls);
        if (count < 100) // too few for shares to mean anything
            continue;
        CHECK((double)tally.meet >= kinds[kind].least_meet * (double)count);
        CHECK((double)tally.meet <= kinds[kind].most_meet * (double)count);
        CHECK((double)(tally.count - tally.hulls) >= kinds[kind].least_apart * (double)count);
    }
    impi_swept_hull_scratch_destroy(&scratch);
}

// ---- rigid paths

// A face that turns about a pivot, which moves along a line.
typedef struct RigidFace {
    imp_Triangle face; // in the body's frame
    imp_Vec3 pivot;    // there too
    imp_Vec3 from, to; // where the pivot is
    imp_Quat begin;    // the rotation
    imp_Vec3 axis;     // and about what it goes on, of unit length
    double angle;      // up to pi, or up to pi and whole turns
    int32_t turns;
} RigidFace;

static RigidFace random_face(void)
{
    RigidFace face = {.face = random_triangle(random_point(0.5), pow(2, test_random_between(-2, 1))),
                      .pivot = random_point(test_random_below(2) ? 1 : 0),
                      .from = random_point(0.5),
                      .to = random_point(0.5),
                      .axis = impi_unit(random_point(1))};
    imp_Vec3 first = impi_unit(random_point(1));
    double half = test_random_between(0, 3);
    face.begin = (imp_Quat){cos(half), first.x * sin(half), first.y * sin(half), first.z * sin(half)};
    face.turns = test_random_below(8) ? 0 : (int32_t)test_random_below(5) - 2;
    face.angle =
        test_random_between(0, test_random_below(2) ? 3.14159 : 0.1) + face.turns * 2 * 3.14159265358979;
    return face;
}

static imp_Quat rotation_at(const RigidFace *face, double t)
{
    double half = t * face->angle / 2, s = sin(half);
    imp_Quat more = {cos(half), face->axis.x * s, face->axis.y * s, face->axis.z * s};
    return impi_quat_normalise(impi_quat_multiply(more, face->begin));
}

static imp_Transform transform_at(const RigidFace *face, double t)
{
    imp_Transform transform;
    imp_Pose pose = {{0, 0, 0}, rotation_at(face, t)};
    CHECK_INT(impi_pose_transform(&pose, &transform), IMP_STATUS_OK);
    imp_Vec3 turned = impi_pose_vertex(&transform, &face->pivot);
    imp_Vec3 at = impi_add_scaled(impi_scale(face->from, 1 - t), t, face->to);
    transform.translation = impi_subtract(at, turned);
    return transform;
}

static imp_Triangle face_at(const RigidFace *face, double t)
{
    imp_Transform transform = transform_at(face, t);
    imp_Triangle triangle;
    for (int i = 0; i < 3; ++i)
        triangle.v[i] = impi_pose_vertex(&transform, &face->face.v[i]);
    return triangle;
}

static double sum_of_sizes(imp_Vec3 v)
{
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

static impi_SweptHull rigid_hull(const RigidFace *face)
{
    imp_Triangle begin = face_at(face, 0), end = face_at(face, 1);
    double radius = 0, size = 0;
    for (int i = 0; i < 3; ++i) {
        radius = fmax(radius, impi_length(impi_subtract(face->face.v[i], face->pivot)) * (1 + 1e-15));
        size = fmax(size, sum_of_sizes(face->face.v[i]));
    }
    size += sum_of_sizes(face->pivot) + sum_of_sizes(face->from) + sum_of_sizes(face->to);
    double height = impi_turn_height(rotation_at(face, 0), rotation_at(face, 1), face->turns);
    return impi_swept_hull(&begin, &end, impi_turn_widening(height, radius, size));
}

// A face at an instant as a hull of its own, of which one point is looked at.
static impi_SweptHull single_point(imp_Vec3 p)
{
    return (impi_SweptHull){{p, p, p, p, p, p}, 0};
}

static void look_at_rigid(uint64_t *meet, uint64_t *apart, uint64_t *left_hull)
{
    RigidFace faces[2] = {random_face(), random_face()};
    impi_SweptHull hulls[2] = {rigid_hull(&faces[0]), rigid_hull(&faces[1])}, straight = hulls[0];
    imp_Box box = impi_swept_hull_box(&hulls[0]);
    bool hulls_do = hulls_meet(&hulls[0], &hulls[1]), faces_do = false, is_out = false;
    straight.widening = 1e-9; // far more than rounding
    for (int i = 0; i <= SAMPLES; ++i) {
        imp_Triangle a = face_at(&faces[0], (double)i / SAMPLES), b = face_at(&faces[1], (double)i / SAMPLES);
        faces_do |= impi_triangles_touch(&a, &b);
        for (int k = 0; k < 3; ++k) {
            impi_SweptHull point = single_point(a.v[k]);
            CHECK(hulls_meet(&hulls[0], &point));
            is_out |= !hulls_meet(&straight, &point);
            CHECK(a.v[k].x >= box.min.x && a.v[k].x <= box.max.x && a.v[k].y >= box.min.y &&
                  a.v[k].y <= box.max.y && a.v[k].z >= box.min.z && a.v[k].z <= box.max.z);
        }
    }
    CHECK(hulls_do || !faces_do);
    *meet += faces_do;
    *apart += !hulls_do;
    *left_hull += is_out;
}

TEST(faces_on_rigid_paths_stay_in_widened_hulls)
{
    uint64_t count = test_count(400), meet = 0, apart = 0, left_hull = 0;
    impi_swept_hull_scratch_init(&scratch, &impi_default_allocator);
    for (uint64_t i = 0; i < count && test_failed_checks() == 0; ++i)
        look_at_rigid(&meet, &apart, &left_hull);
    impi_swept_hull_scratch_destroy(&scratch);
    printf("  %" PRIu64 " of %" PRIu64 " meet, %" PRIu64 " hulls are apart, %" PRIu64
           " leave the straight hull\n",
           meet, count, apart, left_hull);
    CHECK((double)meet > 0.1 * (double)count);
    CHECK((double)apart > 0.05 * (double)count);
    CHECK((double)left_hull > 0.5 * (double)count);
}
