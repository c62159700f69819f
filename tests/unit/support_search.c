#include "shape/support_search.h"

#include "base/cpu.h"
#include "failing_allocator.h"
#include "geom/vector.h"
#include "harness.h"
#include "shape/convex.h"

#include <math.h>
#include <stdlib.h>

#define MAX_VERTICES 3000

typedef struct Cloud {
    imp_Vec3 vertices[MAX_VERTICES];
    uint32_t ids[MAX_VERTICES];
    size_t count;
    impi_SupportSet set;
} Cloud;

static imp_Vec3 random_direction(void)
{
    return (imp_Vec3){test_random_between(-1, 1), test_random_between(-1, 1), test_random_between(-1, 1)};
}

static imp_Vec3 point_on_ellipsoid(imp_Vec3 axes)
{
    imp_Vec3 v;
    double length;
    do {
        v = random_direction();
        length = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    } while (length < 0.1);
    return (imp_Vec3){v.x / length * axes.x, v.y / length * axes.y, v.z / length * axes.z};
}

static bool lay_out(Cloud *cloud)
{
    impi_SupportDef def = {.vertices = cloud->vertices,
                           .vertex_count = cloud->count,
                           .ids = cloud->ids,
                           .id_count = cloud->count};
    return CHECK(impi_support_set_create(&impi_default_allocator, &def, &cloud->set));
}

// Vertices on an ellipsoid of some proportions, of some size, somewhere; or on a coarse lattice, where many
// are equally far.
static bool make_cloud(Cloud *cloud, size_t count)
{
    double scale = ldexp(1, (int)test_random_below(41) - 20), offset = test_random_below(3) ? 0 : 3 * scale;
    imp_Vec3 axes = {1, test_random_between(0.05, 1), test_random_between(0.05, 1)};
    bool is_lattice = test_random_below(4) == 0;
    cloud->count = count;
    for (uint32_t i = 0; i < count; ++i) {
        imp_Vec3 v = point_on_ellipsoid(axes);
        if (is_lattice)
            v = (imp_Vec3){rint(2 * v.x), rint(2 * v.y), rint(2 * v.z)};
        cloud->vertices[i] = (imp_Vec3){v.x * scale + offset, v.y * scale - offset, v.z * scale};
        cloud->ids[i] = i;
    }
    return lay_out(cloud);
}

static double distance_along(const imp_Vec3 *v, const imp_Vec3 *direction)
{
    return (v->x * direction->x + v->y * direction->y) + v->z * direction->z;
}

static double sum_of_sizes(imp_Vec3 v)
{
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

static double farthest_of_all(const Cloud *cloud, const imp_Vec3 *direction)
{
    double farthest = -INFINITY;
    for (size_t i = 0; i < cloud->count; ++i)
        farthest = fmax(farthest, distance_along(&cloud->vertices[i], direction));
    return farthest;
}

static bool is_vertex(const Cloud *cloud, uint32_t position)
{
    const imp_Vec3 *point = &cloud->set.points[position],
                   *named = &cloud->vertices[cloud->set.vertices[position]];
    return named->x == point->x && named->y == point->y && named->z == point->z;
}

// The vertex found precisely is the farthest, by the same sum of products; the one found on the grid is so up
// to the stated error, and all variants name the same one.
static void check_direction(const Cloud *cloud, imp_Vec3 direction)
{
    double farthest = farthest_of_all(cloud, &direction);
    uint32_t precise = impi_support_find_precisely(&cloud->set, direction.x, direction.y, direction.z);
    CHECK(distance_along(&cloud->set.points[precise], &direction) == farthest);
    CHECK(is_vertex(cloud, precise));
    if (!cloud->set.blocks)
        return;
    uint32_t position = impi_support_find_portable(&cloud->set, direction.x, direction.y, direction.z);
    double error = sum_of_sizes(direction) * cloud->set.grid_error + 1e-14 * fabs(farthest);
    CHECK(distance_along(&cloud->set.points[position], &direction) >= farthest - error);
    CHECK(is_vertex(cloud, position));
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx2())
        CHECK_INT(impi_support_find_avx2(&cloud->set, direction.x, direction.y, direction.z), position);
    if (impi_cpu_has_avx512())
        CHECK_INT(impi_support_find_avx512(&cloud->set, direction.x, direction.y, direction.z), position);
#endif
}

TEST(the_farthest_vertex_is_found_by_all_variants)
{
    Cloud *cloud = malloc(sizeof *cloud);
    uint64_t rounds = test_count(300);
    for (uint64_t round = 0; cloud && round < rounds; ++round) {
        size_t count = 1 + test_random_below(round % 10 == 0 ? MAX_VERTICES : 300);
        if (!make_cloud(cloud, count))
            break;
        for (int i = 0; i < 30; ++i)
            check_direction(cloud, random_direction());
        check_direction(cloud, (imp_Vec3){1, 0, 0});
        check_direction(cloud, (imp_Vec3){0, -1, 0});
        check_direction(cloud, (imp_Vec3){0, 0x1p-20, 1});
        impi_support_set_destroy(&impi_default_allocator, &cloud->set);
    }
    free(cloud);
}

TEST(sizes_of_all_kinds_are_searched)
{
    static const double sizes[] = {0x1p-400, 0x1p-200, 0x1p200, 0x1p400};
    Cloud *cloud = malloc(sizeof *cloud);
    for (unsigned i = 0; cloud && i < sizeof sizes / sizeof *sizes; ++i) {
        cloud->count = 500;
        for (uint32_t k = 0; k < cloud->count; ++k) {
            imp_Vec3 v = point_on_ellipsoid((imp_Vec3){sizes[i], sizes[i], sizes[i] / 2});
            cloud->vertices[k] = v;
            cloud->ids[k] = k;
        }
        if (!lay_out(cloud))
            break;
        for (int k = 0; k < 50; ++k)
            check_direction(cloud, random_direction());
        impi_support_set_destroy(&impi_default_allocator, &cloud->set);
    }
    free(cloud);
}

TEST(ids_may_leave_vertices_out)
{
    imp_Vec3 vertices[] = {{0, 0, 0}, {9, 9, 9}, {1, 0, 0.5}, {0, 1, 0}, {-9, 0, 0}};
    uint32_t ids[] = {0, 2, 3};
    impi_SupportDef def = {.vertices = vertices, .vertex_count = 5, .ids = ids, .id_count = 3};
    impi_SupportSet set;
    if (!CHECK(impi_support_set_create(&impi_default_allocator, &def, &set)))
        return;
    CHECK_INT(set.vertices[impi_support_search()(&set, 1, 0.5, 0)], 2);
    CHECK_INT(set.vertices[impi_support_search()(&set, 0.5, 1, 0)], 3);
    CHECK_INT(set.vertices[impi_support_search()(&set, -1, -1, 0)], 0);
    impi_support_set_destroy(&impi_default_allocator, &set);
}

// The hull of a cloud, whose faces tell which blocks to look at.
static imp_Convex *hull_of(imp_Context *context, Cloud *cloud, bool keep_coplanar)
{
    imp_ConvexDef def = {
        .points = &cloud->vertices[0].x, .point_count = cloud->count, .keep_coplanar = keep_coplanar};
    imp_Convex *convex = NULL;
    imp_Status status = imp_convex_create(context, &def, &convex);
    CHECK(status == IMP_STATUS_OK || status == IMP_STATUS_BAD_SHAPE);
    return convex;
}

// A cloud with the hull's own vertices, to compare with.
static void take_hull(const imp_Convex *convex, Cloud *cloud)
{
    impi_support_set_destroy(&impi_default_allocator, &cloud->set);
    cloud->count = imp_mesh_get_vertex_count(convex->mesh);
    for (size_t i = 0; i < cloud->count; ++i)
        cloud->vertices[i] = imp_mesh_get_vertices(convex->mesh)[i];
    cloud->set = convex->support;
}

TEST(cones_leave_no_farthest_vertex_out)
{
    Cloud *cloud = malloc(sizeof *cloud);
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    uint64_t rounds = test_count(200), with_cones = 0;
    for (uint64_t round = 0; cloud && context && round < rounds; ++round) {
        if (!make_cloud(cloud, 60 + test_random_below(round % 10 == 0 ? MAX_VERTICES - 60 : 500)))
            break;
        imp_Convex *convex = hull_of(context, cloud, round % 2);
        if (!convex) {
            impi_support_set_destroy(&impi_default_allocator, &cloud->set);
            continue;
        }
        take_hull(convex, cloud);
        with_cones += cloud->set.cones != NULL;
        for (int i = 0; i < 100; ++i)
            check_direction(cloud, random_direction());
        const imp_Vec3 *v =
            cloud->vertices; // straight out of faces and edges, where vertices are equally far
        for (int i = 0; i < 20; ++i) {
            const uint32_t *corners =
                imp_mesh_get_indices(convex->mesh) +
                (size_t)3 * test_random_below((uint32_t)imp_mesh_get_triangle_count(convex->mesh));
            imp_Vec3 ab = impi_subtract(v[corners[1]], v[corners[0]]);
            imp_Vec3 normal = impi_cross(ab, impi_subtract(v[corners[2]], v[corners[0]]));
            double length = sqrt(impi_dot(normal, normal));
            if (length > 0)
                check_direction(cloud, impi_scale(normal, 1 / length));
        }
        imp_convex_release(convex);
    }
    CHECK(with_cones > rounds / 2);
    imp_context_destroy(context);
    free(cloud);
}

TEST(running_out_of_memory_leaves_nothing_behind)
{
    imp_Vec3 vertices[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    uint32_t ids[] = {0, 1, 2, 3};
    FailingAllocator memory;
    uint64_t n = 0;
    do {
        failing_allocator_init(&memory, ++n);
        imp_Allocator hooks = failing_allocator_hooks(&memory);
        impi_SupportSet set;
        impi_SupportDef def = {.vertices = vertices, .vertex_count = 4, .ids = ids, .id_count = 4};
        bool made = impi_support_set_create(&hooks, &def, &set);
        CHECK(made != failing_allocator_has_failed(&memory));
        if (made)
            impi_support_set_destroy(&hooks, &set);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
}
