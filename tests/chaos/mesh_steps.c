// Steps of mesh.h. Meshes are patterns, scaled and moved, sometimes with vertices that nobody uses and
// triangles that are there twice.
#include "call.h"
#include "patterns.h"
#include "posed_faces.h"
#include "steps.h"

#include <math.h>
#include <string.h>

#define MAX_VERTICES 128
#define MAX_FACES    128

typedef struct MeshArrays {
    double vertices[MAX_VERTICES][4]; // with a stride
    double packed[MAX_VERTICES][3];
    float floats[MAX_VERTICES][3];
    uint32_t indices[MAX_FACES][3];
    size_t vertex_count, face_count;
    bool fits_floats;
} MeshArrays;

static void choose_arrays(Lane *lane, MeshArrays *arrays)
{
    const imp_Mesh *pattern = pattern_mesh((Pattern)choose(&lane->choices, PATTERN_COUNT));
    double scale = choose(&lane->choices, 3) ? 1 : choose_between(&lane->choices, 0.1, 2);
    if (choose_rarely(&lane->choices, 16)) // of any size
        scale = ldexp(scale, (int)choose(&lane->choices, 1600) - 900);
    imp_Vec3 offset = {0, 0, 0};
    if (choose_rarely(&lane->choices, 3))
        offset = choose_point(&lane->choices, 1);
    arrays->fits_floats = scale < 1e30;
    arrays->vertex_count = imp_mesh_get_vertex_count(pattern);
    arrays->face_count = imp_mesh_get_triangle_count(pattern);
    memcpy(arrays->indices, imp_mesh_get_indices(pattern), arrays->face_count * sizeof *arrays->indices);
    if (choose_rarely(&lane->choices, 4)) {
        uint32_t repeated = choose(&lane->choices, (uint32_t)arrays->face_count);
        memcpy(arrays->indices[arrays->face_count], arrays->indices[repeated], sizeof *arrays->indices);
        ++arrays->face_count;
    }
    arrays->vertex_count += choose_rarely(&lane->choices, 6); // nobody uses it
    for (size_t i = 0; i < arrays->vertex_count; ++i) {
        imp_Vec3 v = imp_mesh_get_vertices(pattern)[i < imp_mesh_get_vertex_count(pattern) ? i : 0];
        const double xyz[4] = {scale * v.x + offset.x, scale * v.y + offset.y, scale * v.z + offset.z, 7};
        memcpy(arrays->vertices[i], xyz, sizeof xyz);
        memcpy(arrays->packed[i], xyz, 3 * sizeof *xyz);
        for (int k = 0; k < 3; ++k)
            arrays->floats[i][k] = arrays->fits_floats ? (float)xyz[k] : 0;
    }
}

static imp_MeshDef choose_def(Lane *lane, MeshArrays *arrays)
{
    imp_MeshDef def = {.vertex_count = arrays->vertex_count,
                       .indices = arrays->indices[0],
                       .triangle_count = arrays->face_count};
    switch (choose(&lane->choices, 3)) {
    case 0:
        def.vertices = arrays->packed[0];
        break;
    case 1:
        def.vertices = arrays->vertices[0];
        def.vertex_stride = sizeof arrays->vertices[0];
        break;
    default:
        def.float_vertices = arrays->floats[0];
    }
    if (!arrays->fits_floats && def.float_vertices) {
        def.float_vertices = NULL;
        def.vertices = arrays->packed[0];
    }
    return def;
}

#define DEF_FLAWS 11

static void spoil_def(Lane *lane, uint32_t flaw, MeshArrays *arrays, imp_MeshDef *def, Call *call)
{
    uint32_t vertex = choose(&lane->choices, (uint32_t)arrays->vertex_count);
    uint32_t face = choose(&lane->choices, (uint32_t)arrays->face_count);
    call_expect(call, IMP_STATUS_BAD_ARGUMENT, flaw <= 3 ? ANY_INDEX : IMP_NOWHERE);
    switch (flaw) {
    case 4:
        arrays->packed[vertex][1] = arrays->vertices[vertex][1] = choose_bad_number(&lane->choices);
        arrays->floats[vertex][1] = (float)arrays->packed[vertex][1];
        call_expect(call, IMP_STATUS_BAD_NUMBER, vertex);
        break;
    case 5:
        arrays->indices[face][2] = (uint32_t)arrays->vertex_count + choose(&lane->choices, 1000);
        call_expect(call, IMP_STATUS_BAD_INDEX, face);
        break;
    case 6:
        *(choose(&lane->choices, 2) ? &def->vertex_count : &def->triangle_count) = 0;
        call_expect(call, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE);
        break;
    case 7:
        *(choose(&lane->choices, 2) ? &def->vertex_count : &def->triangle_count) = UINT32_MAX;
        call_expect(call, IMP_STATUS_TOO_LARGE, IMP_NOWHERE);
        break;
    case 8:
        def->vertices = arrays->packed[0];
        def->float_vertices = choose(&lane->choices, 2) ? arrays->floats[0] : NULL;
        if (!def->float_vertices)
            def->vertices = NULL;
        break;
    case 9:
        def->vertex_stride = 11;
        break;
    case 10:
        spoil_reserved(lane, def->reserved, sizeof def->reserved);
        call->index = ANY_INDEX;
        break;
    case 11:
        def->indices = NULL;
        break;
    default:
        break;
    }
}

static void check_new_mesh(Lane *lane, const imp_MeshDef *def, const MeshArrays *arrays, const imp_Mesh *mesh)
{
    size_t vertex_count = 0, face_count = 0;
    const imp_Vec3 *vertices = NULL;
    const uint32_t *indices = NULL;
    imp_Box bounds = {{0, 0, 0}, {0, 0, 0}}, wanted;
    const char *remark = "";
    Call call = call_make(lane, NULL, "the new one");
    CALL_VALUE(&call, vertex_count, imp_mesh_get_vertex_count, (mesh));
    CALL_VALUE(&call, face_count, imp_mesh_get_triangle_count, (mesh));
    CALL_VALUE(&call, vertices, imp_mesh_get_vertices, (mesh));
    CALL_VALUE(&call, indices, imp_mesh_get_indices, (mesh));
    CALL_VALUE(&call, bounds, imp_mesh_get_bounds, (mesh));
    CALL_VALUE(&call, remark, imp_mesh_get_remark, (mesh));
    if (!CHECK(vertex_count == arrays->vertex_count && face_count == arrays->face_count && !remark))
        return;
    CHECK(memcmp(indices, arrays->indices, face_count * sizeof *arrays->indices) == 0);
    for (size_t i = 0; i < vertex_count; ++i)
        for (int k = 0; k < 3; ++k)
            CHECK((&vertices[i].x)[k] ==
                  (def->float_vertices ? (double)arrays->floats[i][k] : arrays->packed[i][k]));
    wanted = (imp_Box){vertices[indices[0]], vertices[indices[0]]};
    for (size_t i = 0; i < 3 * face_count; ++i)
        box_include(&wanted, &vertices[indices[i]]);
    CHECK(memcmp(&bounds, &wanted, sizeof bounds) == 0);
}

static void make_mesh(Lane *lane)
{
    MeshArrays arrays;
    Home *home = lane_home(lane);
    imp_Mesh *mesh = NULL;
    choose_arrays(lane, &arrays);
    imp_MeshDef def = choose_def(lane, &arrays);
    uint32_t flaw = lane_flaw(lane, DEF_FLAWS);
    Call call = call_make(lane, flaw == 1 ? NULL : home, "%zu vertices, %zu faces, flaw %u", def.vertex_count,
                          def.triangle_count, flaw);
    call_output(&call, &mesh, sizeof mesh);
    if (flaw)
        spoil_def(lane, flaw, &arrays, &def, &call);
    CALL(&call, imp_mesh_create,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : &def, flaw == 3 ? NULL : &mesh));
    if (!call_is_done(&call))
        return;
    check_new_mesh(lane, &def, &arrays, mesh);
    lane_keep_mesh(lane, mesh);
}

// Flaws: 1 .. 4 a null, 5 a factor, 6 the pose, 7 a factor that makes every coordinate but 0 too large.
static void transform_mesh(Lane *lane)
{
    Home *home = lane_home(lane);
    const imp_Mesh *mesh = lane_mesh(lane);
    imp_Mesh *made = NULL;
    uint32_t flaw = lane_flaw(lane, 7);
    imp_MeshTransformDef def = {.pose = choose_pose(&lane->choices, 4)};
    if (choose(&lane->choices, 2))
        *(choose(&lane->choices, 2) ? &def.multiply_by : &def.divide_by) = 3;
    Call call = call_make(lane, flaw == 1 ? NULL : home, "flaw %u", flaw);
    call_is_watched(&call);
    call_output(&call, &made, sizeof made);
    if (flaw == 5)
        def.divide_by = -1;
    if (flaw == 6)
        def.pose = choose_bad_pose(&lane->choices);
    if (flaw == 7)
        def = (imp_MeshTransformDef){.divide_by = 0x1p-1074};
    if (flaw)
        call_expect(&call, flaw >= 6 ? IMP_STATUS_BAD_NUMBER : IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    CALL(&call, imp_mesh_transform,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : mesh, flaw == 3 ? NULL : &def,
          flaw == 4 ? NULL : &made));
    if (!call_is_done(&call))
        return;
    size_t vertex_count = imp_mesh_get_vertex_count(mesh), face_count = imp_mesh_get_triangle_count(mesh);
    CHECK(imp_mesh_get_vertex_count(made) == vertex_count);
    CHECK(memcmp(imp_mesh_get_indices(made), imp_mesh_get_indices(mesh), 12 * face_count) == 0);
    for (size_t i = 0; i < vertex_count; ++i) {
        imp_Vec3 v = imp_mesh_get_vertices(mesh)[i], posed;
        if (def.multiply_by != 0)
            v = (imp_Vec3){v.x * 3, v.y * 3, v.z * 3};
        if (def.divide_by != 0)
            v = (imp_Vec3){v.x / 3, v.y / 3, v.z / 3};
        CHECK_INT(imp_pose_apply(&def.pose, v, &posed), IMP_STATUS_OK);
        CHECK(memcmp(&posed, &imp_mesh_get_vertices(made)[i], sizeof posed) == 0);
    }
    imp_mesh_release(made);
}

// ---- references

static void pass_on_mesh(Lane *lane)
{
    imp_Mesh *mesh = lane_mesh(lane), *same = NULL;
    Call call = call_make(lane, NULL, "one more");
    CALL_VALUE(&call, same, imp_mesh_retain, (mesh));
    CHECK(same == mesh);
    if (choose_rarely(&lane->choices, 3))
        lane_keep_mesh(lane, mesh);
    else
        CALL_VOID(&call, imp_mesh_release, (mesh));
    CALL_VOID(&call, imp_mesh_release, (NULL));
}

static void ask_triangle(Lane *lane)
{
    imp_Mesh *mesh = lane_mesh(lane);
    size_t count = imp_mesh_get_triangle_count(mesh), face = choose(&lane->choices, (uint32_t)count);
    imp_Triangle triangle;
    uint32_t flaw = lane_flaw(lane, 3);
    Call call = call_make(lane, NULL, "face %zu of %zu, flaw %u", face, count, flaw);
    call_output(&call, &triangle, sizeof triangle);
    if (flaw)
        call_expect(&call, flaw == 3 ? IMP_STATUS_BAD_INDEX : IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    CALL(&call, imp_mesh_get_triangle,
         (flaw == 1 ? NULL : mesh, flaw == 3 ? count + face : face, flaw == 2 ? NULL : &triangle));
    for (size_t k = 0; call_is_done(&call) && k < 3; ++k)
        CHECK(memcmp(&triangle.v[k], &imp_mesh_get_vertices(mesh)[imp_mesh_get_indices(mesh)[3 * face + k]],
                     sizeof(imp_Vec3)) == 0);
}

// ---- what is asked about a mesh

// A call of a context, a mesh and room for the answer: flaws 1 .. 3 make one of them null.
static Call make_mesh_call(Lane *lane, Home *home, const imp_Mesh *mesh, uint32_t flaw)
{
    Call call = call_make(lane, flaw == 1 ? NULL : home, "mesh of %zu faces, flaw %u",
                          imp_mesh_get_triangle_count(mesh), flaw);
    if (flaw)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    return call;
}

static size_t count_unused(const imp_Mesh *mesh)
{
    size_t unused = 0;
    for (size_t i = 0; i < imp_mesh_get_vertex_count(mesh); ++i) {
        bool is_used = false;
        for (size_t k = 0; k < 3 * imp_mesh_get_triangle_count(mesh) && !is_used; ++k)
            is_used = imp_mesh_get_indices(mesh)[k] == i;
        unused += !is_used;
    }
    return unused;
}

static void analyse(Lane *lane)
{
    Home *home = lane_home(lane);
    const imp_Mesh *mesh = lane_mesh(lane);
    imp_MeshInfo info;
    bool closed = false;
    uint32_t flaw = lane_flaw(lane, 3);
    Call call = make_mesh_call(lane, home, mesh, flaw);
    imp_Context *context = flaw == 1 ? NULL : home->context;
    call_output(&call, &info, sizeof info);
    call_is_watched(&call);
    CALL(&call, imp_mesh_analyse, (context, flaw == 2 ? NULL : mesh, flaw == 3 ? NULL : &info));
    bool is_analysed = call_is_done(&call);
    call = make_mesh_call(lane, home, mesh, flaw);
    call_output(&call, &closed, sizeof closed);
    call_is_watched(&call);
    CALL(&call, imp_mesh_is_closed, (context, flaw == 2 ? NULL : mesh, flaw == 3 ? NULL : &closed));
    if (!is_analysed || !call_is_done(&call))
        return;
    CHECK(info.closed == closed && info.triangle_count == imp_mesh_get_triangle_count(mesh));
    CHECK(closed ? info.boundary_edge_count == 0 : info.orientation == IMP_ORIENTATION_NONE);
    CHECK(closed || info.volume == 0);
    CHECK(info.component_count >= 1 && info.component_count <= info.triangle_count);
    CHECK_INT(info.unused_vertex_count, count_unused(mesh));
    imp_Box bounds = imp_mesh_get_bounds(mesh);
    CHECK(memcmp(&bounds, &info.bounds, sizeof bounds) == 0);
}

// Who has a neighbour is a neighbour of it.
static void ask_neighbours(Lane *lane)
{
    Home *home = lane_home(lane);
    const imp_Mesh *mesh = lane_mesh(lane);
    size_t count = imp_mesh_get_triangle_count(mesh);
    uint32_t flaw = lane_flaw(lane, 3), *neighbours = malloc(3 * count * sizeof *neighbours);
    Call call = make_mesh_call(lane, home, mesh, flaw);
    call_output(&call, neighbours, 3 * count * sizeof *neighbours);
    call_is_watched(&call);
    CALL(&call, imp_mesh_adjacency,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : mesh, flaw == 3 ? NULL : neighbours));
    for (size_t i = 0; call_is_done(&call) && i < 3 * count; ++i) {
        if (neighbours[i] == IMP_NO_FACE || !CHECK(neighbours[i] < count))
            continue;
        const uint32_t *back = neighbours + (size_t)3 * neighbours[i];
        CHECK(back[0] == i / 3 || back[1] == i / 3 || back[2] == i / 3);
    }
    free(neighbours);
}

#define MAX_POINTS 12

static bool is_on_surface(const imp_Mesh *mesh, imp_Vec3 point)
{
    bool on_surface = false;
    for (size_t i = 0; i < imp_mesh_get_triangle_count(mesh) && !on_surface; ++i) {
        imp_Triangle triangle;
        CHECK_INT(imp_mesh_get_triangle(mesh, i, &triangle), IMP_STATUS_OK);
        CHECK_INT(imp_segment_touches_triangle(&(imp_Segment){{point, point}}, &triangle, &on_surface),
                  IMP_STATUS_OK);
    }
    return on_surface;
}

static void check_locations(Lane *lane, const imp_Mesh *mesh, const imp_Vec3 *points, size_t count,
                            const imp_PointLocation *locations)
{
    imp_Box bounds = imp_mesh_get_bounds(mesh);
    for (size_t i = 0; i < count; ++i) {
        imp_PointLocation again;
        bool on_surface = is_on_surface(mesh, points[i]);
        CHECK((locations[i] == IMP_LOCATION_ON_SURFACE) == on_surface);
        if (!box_is_inside(&(imp_Box){points[i], points[i]}, &bounds))
            CHECK_INT(locations[i], IMP_LOCATION_OUTSIDE);
        CHECK_INT(imp_mesh_locate_points(lane->reference, mesh, &points[i], 1, &again), IMP_STATUS_OK);
        CHECK_INT(locations[i], again);
        lane_count(lane, OUTCOME_point_inside, locations[i] == IMP_LOCATION_INSIDE);
    }
}

static void locate(Lane *lane)
{
    imp_Vec3 points[MAX_POINTS];
    imp_PointLocation locations[MAX_POINTS];
    Home *home = lane_home(lane);
    const imp_Mesh *mesh = lane_mesh(lane);
    size_t count = choose(&lane->choices, MAX_POINTS + 1);
    bool closed = false;
    for (size_t i = 0; i < count; ++i)
        points[i] = choose_point(&lane->choices, 1);
    uint32_t flaw = lane_flaw(lane, count ? 4 : 2);
    Call call = make_mesh_call(lane, home, mesh, flaw);
    call_output(&call, locations, sizeof locations);
    call_is_watched(&call);
    CHECK_INT(imp_mesh_is_closed(lane->reference, mesh, &closed), IMP_STATUS_OK);
    if (flaw == 4) {
        uint32_t bad = choose(&lane->choices, (uint32_t)count);
        points[bad].x = choose_bad_number(&lane->choices);
        call_expect(&call, IMP_STATUS_BAD_NUMBER, bad);
    } else if (!flaw && !closed) {
        call_expect(&call, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE);
    }
    CALL(&call, imp_mesh_locate_points,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : mesh, points, count,
          flaw == 3 ? NULL : locations));
    if (call_is_done(&call))
        check_locations(lane, mesh, points, count, locations);
}

#define MAX_INTERIOR_POINTS 64

// How deep they are is left to unit/interior_points.
static void check_interior(Lane *lane, const imp_Mesh *mesh, const imp_InteriorPoint *points, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        imp_PointLocation location = IMP_LOCATION_OUTSIDE;
        CHECK(points[i].depth >= 0);
        CHECK_INT(imp_mesh_locate_points(lane->reference, mesh, &points[i].position, 1, &location),
                  IMP_STATUS_OK);
        CHECK_INT(location, IMP_LOCATION_INSIDE);
    }
}

static void find_interior(Lane *lane)
{
    imp_InteriorPoint points[MAX_INTERIOR_POINTS], all[MAX_INTERIOR_POINTS];
    Home *home = lane_home(lane);
    const imp_Mesh *mesh = lane_mesh(lane);
    size_t count = 0, total = 0, capacity = choose(&lane->choices, 4) ? MAX_INTERIOR_POINTS : 0;
    imp_Status wanted = imp_mesh_interior_points(lane->reference, mesh, all, MAX_INTERIOR_POINTS, &total);
    uint32_t flaw = lane_flaw(lane, 4);
    Call call = make_mesh_call(lane, home, mesh, flaw);
    call_is_watched(&call);
    call_output(&call, points, sizeof points);
    call_count_output(&call, &count, sizeof count);
    if (flaw == 4)
        capacity = MAX_INTERIOR_POINTS;
    if (!flaw && wanted == IMP_STATUS_BAD_SHAPE)
        call_expect(&call, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE);
    else if (!flaw && total > capacity)
        call_expect(&call, IMP_STATUS_BUFFER_SHORT, IMP_NOWHERE);
    CALL(&call, imp_mesh_interior_points,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : mesh,
          flaw == 4 || capacity == 0 ? NULL : points, capacity, flaw == 3 ? NULL : &count));
    if (!call_is_done(&call) || flaw || capacity < total)
        return;
    CHECK_INT(count, total);
    check_interior(lane, mesh, points, total);
    CHECK(total == 0 || memcmp(points, all, total * sizeof *points) == 0);
}

#define MAX_SMALL_SELF_PAIRS 4096

static void check_self_pairs(Lane *lane, const imp_Mesh *mesh, const imp_FacePair *pairs, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        imp_Triangle a, b;
        bool touch = false;
        CHECK(pairs[i].face_a < pairs[i].face_b &&
              (i == 0 || compare_face_pairs(&pairs[i - 1], &pairs[i]) < 0));
        CHECK_INT(imp_mesh_get_triangle(mesh, pairs[i].face_a, &a), IMP_STATUS_OK);
        CHECK_INT(imp_mesh_get_triangle(mesh, pairs[i].face_b, &b), IMP_STATUS_OK);
        CHECK_INT(imp_triangles_touch(&a, &b, &touch), IMP_STATUS_OK);
        CHECK(touch);
    }
    lane_count(lane, OUTCOME_self_pair_found, count > 0);
}

// With room for all, for too few, and only counted.
static void find_self_pairs(Lane *lane)
{
    imp_FacePair pairs[MAX_SMALL_SELF_PAIRS], all[MAX_SMALL_SELF_PAIRS];
    Home *home = lane_home(lane);
    const imp_Mesh *mesh = lane_mesh(lane);
    size_t count = 0, total = 0, capacity = MAX_SMALL_SELF_PAIRS;
    if (!CHECK_INT(imp_mesh_self_pairs(lane->reference, mesh, all, MAX_SMALL_SELF_PAIRS, &total),
                   IMP_STATUS_OK))
        return;
    uint32_t flaw = lane_flaw(lane, 4), room = choose(&lane->choices, 4);
    if (room > 0 && total > 0)
        capacity = room == 1 ? 0 : room == 2 ? total - 1 : total;
    Call call = make_mesh_call(lane, home, mesh, flaw);
    call_is_watched(&call);
    call_output(&call, pairs, sizeof pairs);
    call_count_output(&call, &count, sizeof count);
    if (!flaw && capacity < total && capacity > 0)
        call_expect(&call, IMP_STATUS_BUFFER_SHORT, IMP_NOWHERE);
    if (flaw == 4)
        capacity = MAX_SMALL_SELF_PAIRS;
    CALL(&call, imp_mesh_self_pairs,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : mesh,
          flaw == 4 || capacity == 0 ? NULL : pairs, capacity, flaw == 3 ? NULL : &count));
    if (flaw)
        return;
    CHECK_INT(count, total);
    if (call_is_done(&call) && capacity >= total) {
        check_self_pairs(lane, mesh, pairs, total);
        CHECK(total == 0 || memcmp(pairs, all, total * sizeof *pairs) == 0);
    }
}

void end_shapes(Lane *lane)
{
    Call call = call_make(lane, NULL, "the lane ends");
    for (int i = 0; i < MAX_MESHES; ++i)
        if (lane->meshes[i])
            CALL_VOID(&call, imp_mesh_release, (lane->meshes[i]));
    for (int i = 0; i < MAX_CONVEXES; ++i)
        if (lane->convexes[i])
            CALL_VOID(&call, imp_convex_release, (lane->convexes[i]));
    for (int i = 0; i < MAX_TREES; ++i)
        if (lane->trees[i])
            CALL_VOID(&call, imp_sphere_tree_release, (lane->trees[i]));
    for (int i = 0; i < MAX_OCTREES; ++i)
        if (lane->octrees[i])
            CALL_VOID(&call, imp_octree_release, (lane->octrees[i]));
    for (int i = 0; i < MAX_SCENES; ++i)
        if (lane->scenes[i])
            CALL_VOID(&call, imp_scene_destroy, (lane->scenes[i]));
    for (int i = 0; i < MAX_CANCELS; ++i)
        if (lane->cancels[i])
            CALL_VOID(&call, imp_cancel_destroy, (lane->cancels[i]));
}

void step_mesh(Lane *lane)
{
    switch (choose(&lane->choices, 11)) {
    case 10:
        transform_mesh(lane);
        break;
    case 3:
        pass_on_mesh(lane);
        break;
    case 4:
        ask_triangle(lane);
        break;
    case 5:
        analyse(lane);
        break;
    case 6:
        ask_neighbours(lane);
        break;
    case 7:
        locate(lane);
        break;
    case 8:
        find_self_pairs(lane);
        break;
    case 9:
        find_interior(lane);
        break;
    default:
        make_mesh(lane);
    }
}
