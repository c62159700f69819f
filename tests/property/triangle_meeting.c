// Corners of what two triangles have in common: there are some if and only if the triangles touch, each lies
// on both triangles within the stated bound, and swapped triangles have the same corners, mirrored.
#include "geom/triangle_meeting.h"

#include "geom/exact_crossing.h"
#include "harness.h"
#include "oracle/distance_oracle.h"
#include "oracle/exact_oracle.h"
#include "oracle/triangle_cases.h"

#include <math.h>
#include <string.h>

// Twice the length of an error of IMPI_CROSSING_ERROR in each coordinate.
static double bound_of(const imp_Triangle *a, const imp_Triangle *b)
{
    double most = 0;
    for (int i = 0; i < 3; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            double one = fabs((&a->v[i].x)[axis]), other = fabs((&b->v[i].x)[axis]);
            most = fmax(most, fmax(one, other));
        }
    return 2 * IMPI_CROSSING_ERROR * most + 0x1p-1070;
}

static bool lies_near(imp_Vec3 point, const imp_Triangle *triangle, double bound)
{
    return !oracle_distance_find(&point, 1, triangle->v, 3) || oracle_distance_compare(bound) >= 0;
}

static bool is_same_point(imp_Vec3 a, imp_Vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool has_mirrored(const impi_Meeting *meeting, const impi_MeetingCorner *corner)
{
    for (uint32_t i = 0; i < meeting->count; ++i) {
        const impi_MeetingCorner *other = &meeting->corners[i];
        if (memcmp(&other->a, &corner->b, sizeof other->a) == 0 &&
            memcmp(&other->b, &corner->a, sizeof other->b) == 0 && other->direction == -corner->direction)
            return true;
    }
    return false;
}

static void check_corners(const TriangleCase *pair, const impi_Meeting *meeting)
{
    const imp_Triangle *a = &pair->a, *b = &pair->b;
    double bound = bound_of(a, b);
    impi_Meeting mirrored;
    impi_triangles_meet(b, a, &mirrored);
    CHECK_INT(mirrored.count, meeting->count);
    for (uint32_t i = 0; i < meeting->count; ++i) {
        imp_Vec3 point = impi_meeting_point(a, b, &meeting->corners[i]);
        CHECK(lies_near(point, a, bound) && lies_near(point, b, bound));
        CHECK(has_mirrored(&mirrored, &meeting->corners[i]));
    }
    for (uint32_t i = 0; i < meeting->count && i < mirrored.count; ++i) {
        impi_MeetingCorner swapped = {meeting->corners[i].b, meeting->corners[i].a, 0};
        CHECK(is_same_point(impi_meeting_point(a, b, &meeting->corners[i]),
                            impi_meeting_point(b, a, &swapped)));
    }
}

TEST(corners_are_those_of_what_is_common)
{
    uint64_t count = test_count(6000), touching = 0, flat = 0, segments = 0, polygons = 0;
    for (uint64_t n = 0; n < count; ++n) {
        TriangleCase pair = triangle_case_make((TriangleKind)(n % TRIANGLE_KIND_COUNT));
        impi_Meeting meeting;
        impi_triangles_meet(&pair.a, &pair.b, &meeting);
        bool touch = oracle_triangles_touch(&pair.a, &pair.b);
        if (!CHECK_INT(meeting.count > 0, touch))
            triangle_case_print(&pair);
        check_corners(&pair, &meeting);
        // Proper triangles have a point, a segment or a polygon of at most six corners in common.
        if (!meeting.is_degenerate)
            CHECK(meeting.count <= (meeting.is_flat ? 6u : 2u));
        touching += touch;
        flat += meeting.is_flat && touch;
        segments += !meeting.is_flat && meeting.count == 2;
        polygons += meeting.is_flat && meeting.count > 2;
    }
    CHECK(touching > count / 4 && segments > count / 10 && flat > count / 40 && polygons > count / 100);
}

TEST(directions_follow_the_normals)
{
    uint64_t count = test_count(6000), told = 0;
    for (uint64_t n = 0; n < count; ++n) {
        TriangleCase pair = triangle_case_make(n % 2 ? KIND_GENERIC_NEAR : KIND_EDGE_THROUGH_FACE);
        impi_Meeting meeting;
        impi_triangles_meet(&pair.a, &pair.b, &meeting);
        if (meeting.count != 2 || !meeting.corners[0].direction || pair.scaling != SCALING_NONE)
            continue;
        CHECK_INT(meeting.corners[1].direction ? meeting.corners[1].direction : -meeting.corners[0].direction,
                  -meeting.corners[0].direction);
        imp_Vec3 p = impi_meeting_point(&pair.a, &pair.b, &meeting.corners[0]);
        imp_Vec3 q = impi_meeting_point(&pair.a, &pair.b, &meeting.corners[1]);
        long double normals[2][3],
            step[3] = {(long double)q.x - p.x, (long double)q.y - p.y, (long double)q.z - p.z};
        for (int side = 0; side < 2; ++side) {
            const imp_Vec3 *v = side ? pair.b.v : pair.a.v;
            long double u[3] = {v[1].x - v[0].x, v[1].y - v[0].y, v[1].z - v[0].z};
            long double w[3] = {v[2].x - v[0].x, v[2].y - v[0].y, v[2].z - v[0].z};
            for (int k = 0; k < 3; ++k)
                normals[side][k] = u[(k + 1) % 3] * w[(k + 2) % 3] - u[(k + 2) % 3] * w[(k + 1) % 3];
        }
        long double along = 0, size = 0, length = 0;
        for (int k = 0; k < 3; ++k) {
            long double d = normals[0][(k + 1) % 3] * normals[1][(k + 2) % 3] -
                            normals[0][(k + 2) % 3] * normals[1][(k + 1) % 3];
            along += d * step[k];
            size += d * d;
            length += step[k] * step[k];
        }
        if (fabsl(along) < 1e-6L * sqrtl(size * length))
            continue;
        CHECK_INT(along > 0 ? 1 : -1, meeting.corners[0].direction);
        ++told;
    }
    CHECK(told > count / 10);
}
