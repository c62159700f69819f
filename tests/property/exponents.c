// Questions about triangles, meshes and convex bodies, asked at sizes from 2^-1000 to 2^1000: the answers are
// those at size 1. Each test here holds a row of the table in docs/exactness.md; exponents_worlds.c has the
// others.
#include "scaled_answers.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <stdlib.h>
#include <string.h>

static imp_Context *make_context(void)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    return context;
}

static uint64_t scene_count(void)
{
    return test_count(20);
}

// ---------------------------------------------------------------------------------------- triangles

#define POINTS 12
#define ROUNDS 40

typedef struct Points {
    imp_Vec3 points[ROUNDS][POINTS];
} Points;

static imp_Triangle triangle_at(const imp_Vec3 *points, int exponent)
{
    return (imp_Triangle){{scaled_point(points[0], exponent), scaled_point(points[1], exponent),
                           scaled_point(points[2], exponent)}};
}

static void ask_signs(const imp_Vec3 *p, int exponent, ScaledAnswers *answers)
{
    imp_Vec3 q[4];
    int sign = 0;
    for (int i = 0; i < 4; ++i)
        q[i] = scaled_point(p[i], exponent);
    CHECK_INT(imp_orient3d(q[0], q[1], q[2], q[3], &sign), IMP_STATUS_OK);
    answer_number(answers, "orient3d", (uint64_t)sign);
    imp_Vec2 a = {q[0].x, q[0].y}, b = {q[1].x, q[1].y}, c = {q[2].x, q[2].y};
    CHECK_INT(imp_orient2d(a, b, c, &sign), IMP_STATUS_OK);
    answer_number(answers, "orient2d", (uint64_t)sign);
}

static void ask_touch(const imp_Vec3 *p, int exponent, ScaledAnswers *answers)
{
    imp_Triangle a = triangle_at(p, exponent), b = triangle_at(p + 3, exponent);
    imp_Segment segment = {{b.v[0], b.v[1]}};
    imp_Vec3 low = scaled_point(p[6], exponent), high = scaled_point(p[7], exponent);
    imp_Box box = {{fmin(low.x, high.x), fmin(low.y, high.y), fmin(low.z, high.z)},
                   {fmax(low.x, high.x), fmax(low.y, high.y), fmax(low.z, high.z)}};
    bool touch = false;
    CHECK_INT(imp_triangles_touch(&a, &b, &touch), IMP_STATUS_OK);
    answer_number(answers, "triangles", touch);
    imp_Distance distance = {0};
    CHECK_INT(imp_triangles_distance(&a, &b, &distance), IMP_STATUS_OK);
    answer_number(answers, "features", 16 * (uint64_t)distance.a.feature + (uint64_t)distance.b.feature);
    answer_number(answers, "corners", 4 * distance.a.corner + distance.b.corner);
    answer_value(answers, "distance", distance.distance, 1, 0);
    answer_value(answers, "lower bound", distance.lower_bound, 1, 0);
    answer_point(answers, "point of a", distance.a.position);
    answer_point(answers, "point of b", distance.b.position);
    CHECK_INT(imp_triangles_within(&a, &b, distance.distance, &touch), IMP_STATUS_OK);
    answer_number(answers, "within", touch);
    CHECK_INT(imp_segment_touches_triangle(&segment, &a, &touch), IMP_STATUS_OK);
    answer_number(answers, "segment", touch);
    CHECK_INT(imp_triangle_touches_box(&a, &box, &touch), IMP_STATUS_OK);
    answer_number(answers, "box", touch);
}

// Eight points are four in motion, twelve are two triangles in motion.
static void ask_times(imp_Context *context, const imp_Vec3 *p, int exponent, ScaledAnswers *answers)
{
    imp_SweepQuery query;
    imp_MovingTriangle a = {triangle_at(p, exponent), triangle_at(p + 3, exponent)};
    imp_MovingTriangle b = {triangle_at(p + 6, exponent), triangle_at(p + 9, exponent)};
    double time = -1;
    for (int i = 0; i < 4; ++i) {
        query.begin[i] = scaled_point(p[i], exponent);
        query.end[i] = scaled_point(p[4 + i], exponent);
    }
    CHECK_INT(imp_sweep_vertex_faces(context, &query, 1, &time), IMP_STATUS_OK);
    answer_time(answers, "vertex and face", time, 0);
    CHECK_INT(imp_sweep_edges(context, &query, 1, &time), IMP_STATUS_OK);
    answer_time(answers, "edges", time, 0);
    CHECK_INT(imp_sweep_triangles(context, &a, &b, 1, &time), IMP_STATUS_OK);
    answer_time(answers, "moving triangles", time, 0);
}

static void ask_triangles(imp_Context *context, const void *scene, int exponent, ScaledAnswers *answers)
{
    const Points *points = scene;
    imp_Triangle a[ROUNDS], b[ROUNDS];
    bool touch[ROUNDS] = {false};
    for (int i = 0; i < ROUNDS; ++i) {
        ask_signs(points->points[i], exponent, answers);
        ask_touch(points->points[i], exponent, answers);
        ask_times(context, points->points[i], exponent, answers);
        a[i] = triangle_at(points->points[i], exponent);
        b[i] = triangle_at(points->points[i] + 3, exponent);
    }
    CHECK_INT(imp_triangle_pairs_touch(context, a, b, ROUNDS, touch), IMP_STATUS_OK);
    for (int i = 0; i < ROUNDS; ++i)
        answer_number(answers, "pairs of triangles", touch[i]);
}

TEST(triangles_at_all_sizes)
{
    imp_Context *context = make_context();
    static Points points;
    for (uint64_t n = 0; n < scene_count(); ++n) {
        for (int i = 0; i < ROUNDS; ++i)
            for (int k = 0; k < POINTS; ++k)
                points.points[i][k] = random_place();
        ask_at_all_sizes(context, &points, ask_triangles);
    }
    imp_context_destroy(context);
}

// ------------------------------------------------------------------------------------------- meshes

// Boxes and a sphere, some of them across each other or inside out, in one mesh.
typedef struct Soup {
    imp_Vec3 vertices[400], points[30];
    uint32_t indices[1200];
    size_t vertex_count, triangle_count;
} Soup;

static void append(Soup *soup, const imp_Mesh *mesh, imp_Vec3 shift, bool turned)
{
    const imp_Vec3 *vertices = imp_mesh_get_vertices(mesh);
    const uint32_t *indices = imp_mesh_get_indices(mesh);
    size_t vertex_count = imp_mesh_get_vertex_count(mesh), count = imp_mesh_get_triangle_count(mesh);
    for (size_t i = 0; i < 3 * count; ++i)
        soup->indices[3 * soup->triangle_count + (turned ? 3 * count - 1 - i : i)] =
            indices[i] + (uint32_t)soup->vertex_count;
    for (size_t i = 0; i < vertex_count; ++i)
        soup->vertices[soup->vertex_count++] = sum_of(vertices[i], shift);
    soup->triangle_count += count;
}

static void make_soup(imp_Context *context, Soup *soup)
{
    soup->vertex_count = soup->triangle_count = 0;
    for (uint32_t i = 1 + test_random_below(4); i > 0; --i) {
        imp_Mesh *box = NULL;
        imp_Vec3 sides = {1 + test_random_below(3), 1 + test_random_below(3),
                          ldexp(1, -(int)test_random_below(12))};
        scene_box(context, (imp_Vec3){0, 0, 0}, sides, &box);
        append(soup, box, random_place(), test_random_below(4) == 0);
        imp_mesh_release(box);
    }
    if (test_random_below(3) == 0)
        soup->triangle_count -= 1; // open
    for (size_t i = 0; i < 30; ++i)
        soup->points[i] = random_place();
}

static imp_Mesh *soup_at(imp_Context *context, const Soup *soup, int exponent)
{
    imp_Vec3 vertices[400];
    imp_Mesh *mesh = NULL;
    for (size_t i = 0; i < soup->vertex_count; ++i)
        vertices[i] = scaled_point(soup->vertices[i], exponent);
    imp_MeshDef def = {.vertices = &vertices->x,
                       .vertex_count = soup->vertex_count,
                       .indices = soup->indices,
                       .triangle_count = soup->triangle_count};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

static void ask_analysis(imp_Context *context, const imp_Mesh *mesh, ScaledAnswers *answers)
{
    imp_MeshInfo info = {0};
    bool closed = false;
    CHECK_INT(imp_mesh_analyse(context, mesh, &info), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_is_closed(context, mesh, &closed), IMP_STATUS_OK);
    const size_t counts[] = {info.vertex_count,
                             info.triangle_count,
                             info.distinct_vertex_count,
                             info.unused_vertex_count,
                             info.edge_count,
                             info.boundary_edge_count,
                             info.non_manifold_edge_count,
                             info.component_count,
                             info.degenerate_triangle_count,
                             info.duplicate_triangle_count,
                             info.closed,
                             (size_t)info.orientation,
                             closed};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
        answer_number(answers, "analysis", counts[i]);
    answer_point(answers, "bounds", info.bounds.min);
    answer_point(answers, "bounds", info.bounds.max);
    answer_value(answers, "area", info.area, 2, 1e-12);
    answer_value(answers, "volume", info.volume, 3, 1e-10);
}

static void ask_mesh(imp_Context *context, const void *scene, int exponent, ScaledAnswers *answers)
{
    const Soup *soup = scene;
    imp_Mesh *mesh = soup_at(context, soup, exponent);
    uint32_t neighbours[1200];
    ask_analysis(context, mesh, answers);
    CHECK_INT(imp_mesh_adjacency(context, mesh, neighbours), IMP_STATUS_OK);
    for (size_t i = 0; i < 3 * soup->triangle_count; ++i)
        answer_number(answers, "adjacency", neighbours[i]);
    imp_Vec3 points[30];
    imp_PointLocation locations[30] = {0};
    for (size_t i = 0; i < 30; ++i)
        points[i] = scaled_point(soup->points[i], exponent);
    answer_number(answers, "located", imp_mesh_locate_points(context, mesh, points, 30, locations));
    for (size_t i = 0; i < 30; ++i)
        answer_number(answers, "location", (uint64_t)locations[i]);
    static imp_FacePair pairs[10000];
    size_t count = 0;
    CHECK_INT(imp_mesh_self_pairs(context, mesh, pairs, 10000, &count), IMP_STATUS_OK);
    answer_number(answers, "self pairs", count);
    for (size_t i = 0; i < count; ++i)
        answer_number(answers, "self pair", (uint64_t)pairs[i].face_a << 32 | pairs[i].face_b);
    imp_mesh_release(mesh);
}

TEST(meshes_at_all_sizes)
{
    imp_Context *context = make_context();
    static Soup soup;
    for (uint64_t n = 0; n < scene_count(); ++n) {
        make_soup(context, &soup);
        ask_at_all_sizes(context, &soup, ask_mesh);
    }
    imp_context_destroy(context);
}

// Text keeps every bit; binary STL has single precision and says so.
static void ask_files(imp_Context *context, const void *scene, int exponent, ScaledAnswers *answers)
{
    static const char *const paths[] = {"exponents.obj", "exponents.ply", "exponents.off"};
    imp_Mesh *mesh = soup_at(context, scene, exponent);
    size_t count = imp_mesh_get_vertex_count(mesh);
    for (int i = 0; i < 3; ++i) {
        imp_Mesh *read = NULL;
        CHECK_INT(imp_mesh_save(context, mesh, paths[i]), IMP_STATUS_OK);
        CHECK_INT(imp_mesh_load(context, paths[i], &read), IMP_STATUS_OK);
        CHECK(imp_mesh_get_vertex_count(read) == count);
        for (size_t k = 0; k < count; ++k)
            answer_point(answers, paths[i], imp_mesh_get_vertices(read)[k]);
        answer_number(answers, "remark", imp_mesh_get_remark(read) != NULL);
        imp_mesh_release(read);
        remove(paths[i]);
    }
    imp_Status status = imp_mesh_save(context, mesh, "exponents.stl");
    CHECK_INT(status, exponent > 128 ? IMP_STATUS_BAD_NUMBER : IMP_STATUS_OK);
    remove("exponents.stl");
    imp_mesh_release(mesh);
}

TEST(mesh_files_at_all_sizes)
{
    imp_Context *context = make_context();
    static Soup soup;
    make_soup(context, &soup);
    ask_at_all_sizes(context, &soup, ask_files);
    imp_context_destroy(context);
}

// -------------------------------------------------------------------------------------------- poses

typedef struct Poses {
    imp_Pose poses[ROUNDS];
    imp_Vec3 points[ROUNDS];
} Poses;

static void ask_poses(imp_Context *context, const void *scene, int exponent, ScaledAnswers *answers)
{
    const Poses *poses = scene;
    (void)context;
    for (int i = 0; i < ROUNDS; ++i) {
        imp_Pose pose = poses->poses[i];
        imp_Vec3 posed = {0, 0, 0};
        pose.translation = scaled_point(pose.translation, exponent);
        CHECK_INT(imp_pose_apply(&pose, scaled_point(poses->points[i], exponent), &posed), IMP_STATUS_OK);
        answer_point(answers, "posed", posed);
    }
}

TEST(poses_at_all_sizes)
{
    static Poses poses;
    for (int i = 0; i < ROUNDS; ++i) {
        poses.poses[i] = (imp_Pose){random_place(), random_rotation()};
        poses.points[i] = random_place();
    }
    ask_at_all_sizes(NULL, &poses, ask_poses);
}

// ---------------------------------------------------------------------------------- convex bodies

#define HULL_POINTS 24

typedef struct Hulls {
    imp_Vec3 a[HULL_POINTS], b[HULL_POINTS];
    imp_Pose pose_a, pose_b;
} Hulls;

static imp_Convex *hull_at(imp_Context *context, const imp_Vec3 *points, int exponent)
{
    imp_Vec3 scaled[HULL_POINTS];
    imp_Convex *convex = NULL;
    for (int i = 0; i < HULL_POINTS; ++i)
        scaled[i] = scaled_point(points[i], exponent);
    imp_ConvexDef def = {.points = &scaled->x, .point_count = HULL_POINTS};
    CHECK_INT(imp_convex_create(context, &def, &convex), IMP_STATUS_OK);
    return convex;
}

static void ask_hull(imp_Context *context, const imp_Convex *convex, ScaledAnswers *answers)
{
    imp_Mesh *mesh = imp_convex_get_mesh(convex);
    imp_Convex *again = NULL;
    answer_number(answers, "vertices", imp_mesh_get_vertex_count(mesh));
    for (size_t i = 0; i < imp_mesh_get_vertex_count(mesh); ++i)
        answer_point(answers, "vertex", imp_mesh_get_vertices(mesh)[i]);
    answer_number(answers, "faces", imp_mesh_get_triangle_count(mesh));
    for (size_t i = 0; i < 3 * imp_mesh_get_triangle_count(mesh); ++i)
        answer_number(answers, "corner", imp_mesh_get_indices(mesh)[i]);
    CHECK_INT(imp_convex_create_from_mesh(context, mesh, &again), IMP_STATUS_OK);
    imp_convex_release(again);
}

static void ask_convex_pair(imp_Context *context, const imp_ConvexPair *pair, ScaledAnswers *answers)
{
    imp_ConvexResult result = {0};
    imp_ConvexDistance d = {0};
    bool is_valid = false;
    CHECK_INT(imp_convex_test(context, NULL, pair, &result), IMP_STATUS_OK);
    answer_number(answers, "touch", result.touch);
    CHECK_INT(imp_certificate_check(context, pair, &result.certificate, &is_valid), IMP_STATUS_OK);
    CHECK(is_valid);
    CHECK_INT(imp_convex_distance(context, NULL, pair, NULL, &d), IMP_STATUS_OK);
    answer_number(answers, "distance's touch", d.touch);
    answer_number(answers, "reached", d.reached_accuracy);
    answer_value(answers, "distance", d.distance, 1, 2e-6);
    answer_value(answers, "lower bound", d.lower_bound, 1, 2e-6);
    answer_value(answers, "depth", d.depth, 1, 4e-6);
    CHECK(fabs(hypot(hypot(d.normal.x, d.normal.y), d.normal.z) - 1) < 1e-15);
}

static void ask_convex(imp_Context *context, const void *scene, int exponent, ScaledAnswers *answers)
{
    const Hulls *hulls = scene;
    imp_Convex *a = hull_at(context, hulls->a, exponent), *b = hull_at(context, hulls->b, exponent);
    ask_hull(context, a, answers);
    imp_ConvexPair pair = {a, b, hulls->pose_a, hulls->pose_b};
    pair.pose_a.translation = scaled_point(pair.pose_a.translation, exponent);
    pair.pose_b.translation = scaled_point(pair.pose_b.translation, exponent);
    ask_convex_pair(context, &pair, answers);
    imp_convex_release(a);
    imp_convex_release(b);
}

TEST(convex_bodies_at_all_sizes)
{
    imp_Context *context = make_context();
    static Hulls hulls;
    for (uint64_t n = 0; n < 2 * scene_count(); ++n) {
        for (int i = 0; i < HULL_POINTS; ++i) {
            hulls.a[i] = random_place();
            hulls.b[i] = random_place();
        }
        hulls.pose_a = hulls.pose_b = (imp_Pose){0};
        hulls.pose_b.translation = sum_of(random_place(), random_place());
        if (test_random_below(2))
            hulls.pose_b.rotation = random_rotation();
        ask_at_all_sizes(context, &hulls, ask_convex);
    }
    imp_context_destroy(context);
}
