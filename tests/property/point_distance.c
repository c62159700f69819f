// Distances of points from triangles and posed surfaces: the true one, in rational arithmetic, lies between
// the bounds, which are close.
#include "object/point_distance.h"

#include "harness.h"
#include "object/posed_surface.h"
#include "oracle/distance_oracle.h"
#include "oracle/triangle_cases.h"
#include "posed_faces.h"
#include "scenes/shapes.h"

#include <math.h>

static imp_Box box_of(const imp_Triangle *triangle, imp_Vec3 point)
{
    imp_Box box = {point, point};
    for (int i = 0; i < 3; ++i)
        box_include(&box, &triangle->v[i]);
    return box;
}

// Is the distance of the point and the triangle within the bounds? Its sign against either.
static bool is_within(const imp_Triangle *triangle, imp_Vec3 point, impi_PointDistance found)
{
    if (!oracle_distance_find(&point, 1, triangle->v, 3))
        return found.lower == 0;
    return oracle_distance_compare(found.lower) <= 0 && oracle_distance_compare(found.upper) >= 0;
}

// At scales from 2^-900 to 2^1000.
TEST(triangles_of_every_kind_have_true_bounds)
{
    uint64_t count = test_count(20000), near = 0, close = 0, tested = 0;
    for (uint64_t n = 0; n < count; ++n) {
        TriangleCase pair = triangle_case_make((TriangleKind)(n % TRIANGLE_KIND_COUNT));
        imp_Vec3 point = pair.b.v[n % 3];
        imp_Box box = box_of(&pair.a, point);
        double largest =
            fmax(fmax(fabs(box.min.x), fabs(box.max.x)),
                 fmax(fmax(fabs(box.min.y), fabs(box.max.y)), fmax(fabs(box.min.z), fabs(box.max.z))));
        if (!(largest < 0x1p1000 && largest > 0x1p-900))
            continue;
        impi_PointDistance found =
            impi_triangle_point_distance(&pair.a, point, impi_distance_scale(&box, &box));
        if (!CHECK(is_within(&pair.a, point, found)))
            triangle_case_print(&pair);
        ++tested;
        near += found.lower == 0;
        close += found.upper - found.lower <= 1e-12 * largest;
    }
    CHECK(tested > count / 2 && near > count / 50 && close > tested / 10 * 9);
}

typedef struct Posed {
    imp_Context *context;
    impi_Body body;
    PosedFaces faces;
} Posed;

static void posed_make(Posed *posed, uint64_t seed)
{
    imp_Mesh *mesh = NULL;
    imp_Pose pose = {.translation = {3, -2, 1}, .rotation = {0.8, 0, 0.6, 0}};
    posed->context = context_with_threads(1);
    CHECK_INT(scene_bumpy_sphere(posed->context, 20, 12, 1, 0.3, seed, &mesh), IMP_STATUS_OK);
    posed->faces = posed_faces_make(mesh, NULL, &pose);
    CHECK_INT(impi_body_make(posed->context, (impi_Shape *)mesh, &pose, &posed->body), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    impi_Body *body = &posed->body;
    CHECK_INT(impi_surfaces_require(posed->context, &body, 1, true), IMP_STATUS_OK);
}

static void posed_destroy(Posed *posed)
{
    impi_body_release(&posed->context->allocator, &posed->body);
    posed_faces_free(&posed->faces);
    imp_context_destroy(posed->context);
}

TEST(surfaces_have_true_bounds_whatever_the_hint)
{
    Posed posed;
    uint64_t count = test_count(20000) / 200, inside = 0;
    posed_make(&posed, 7);
    const impi_Surface *surface = impi_surface_of(&posed.body);
    double scale = impi_distance_scale(&posed.faces.bounds, &posed.faces.bounds);
    for (uint64_t n = 0; n < count; ++n) {
        double reach = n % 2 ? 0.5 : 2;
        double x = test_random_between(-reach, reach), y = test_random_between(-reach, reach);
        double z = test_random_between(-reach, reach);
        imp_Vec3 point = {3 + x, y - 2, 1 + z};
        if (n % 5 == 0) // on the surface, up to rounding
            point = posed.faces.triangles[test_random_below((uint32_t)posed.faces.count)].v[0];
        impi_PointDistance found = impi_surface_point_distance(surface, point, scale, IMPI_NO_BLOCK_FACE);
        imp_Triangle nearest = impi_surface_triangle(surface, found.face);
        CHECK(!oracle_distance_find(&point, 1, nearest.v, 3) || oracle_distance_compare(found.upper) >= 0);
        for (size_t i = 0; i < posed.faces.count; ++i)
            CHECK(oracle_distance_find(&point, 1, posed.faces.triangles[i].v, 3)
                      ? oracle_distance_compare(found.lower) <= 0
                      : found.lower == 0);
        CHECK(found.upper - found.lower < 1e-13);
        impi_PointDistance hinted = impi_surface_point_distance(surface, point, scale, impi_block_face(0, 1));
        CHECK(hinted.face == found.face && hinted.upper == found.upper);
        inside += reach < 1;
    }
    CHECK(inside > 0);
    posed_destroy(&posed);
}
