#include "shape/support_search.h"

#include "base/cpu.h"
#include "failing_allocator.h"
#include "harness.h"

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
    return CHECK(
        impi_support_set_create(&impi_default_allocator, cloud->vertices, cloud->ids, count, &cloud->set));
}

static double distance_along(const imp_Vec3 *v, const imp_Vec3 *direction)
{
    return (v->x * direction->x + v->y * direction->y) + v->z * direction->z;
}

static double farthest_of_all(const Cloud *cloud, const imp_Vec3 *direction)
{
    double farthest = -INFINITY;
    for (size_t i = 0; i < cloud->count; ++i)
        farthest = fmax(farthest, distance_along(&cloud->vertices[i], direction));
    return farthest;
}

// The vertex found is the farthest, by the same sum of products, and all variants name the same place.
static void check_direction(const Cloud *cloud, imp_Vec3 direction)
{
    uint32_t place = impi_support_find_portable(&cloud->set, direction.x, direction.y, direction.z);
    imp_Vec3 vertex = impi_support_vertex(&cloud->set, place);
    CHECK_DOUBLE(distance_along(&vertex, &direction), farthest_of_all(cloud, &direction));
    const imp_Vec3 *named = &cloud->vertices[cloud->set.vertices[place]];
    CHECK(named->x == vertex.x && named->y == vertex.y && named->z == vertex.z);
#if defined(__x86_64__)
    if (impi_cpu_has_avx2())
        CHECK_INT(impi_support_find_avx2(&cloud->set, direction.x, direction.y, direction.z), place);
    if (impi_cpu_has_avx512())
        CHECK_INT(impi_support_find_avx512(&cloud->set, direction.x, direction.y, direction.z), place);
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
        check_direction(cloud, (imp_Vec3){0, 0x1p-20, 0x1p20});
        impi_support_set_destroy(&impi_default_allocator, &cloud->set);
    }
    free(cloud);
}

TEST(sizes_without_single_precision_are_searched_whole)
{
    static const double sizes[] = {0x1p-300, 0x1p-60, 0x1p60, 0x1p300};
    Cloud *cloud = malloc(sizeof *cloud);
    for (unsigned i = 0; cloud && i < sizeof sizes / sizeof *sizes; ++i) {
        cloud->count = 500;
        for (uint32_t k = 0; k < cloud->count; ++k) {
            imp_Vec3 v = point_on_ellipsoid((imp_Vec3){sizes[i], sizes[i], sizes[i] / 2});
            cloud->vertices[k] = v;
            cloud->ids[k] = k;
        }
        if (!CHECK(impi_support_set_create(&impi_default_allocator, cloud->vertices, cloud->ids, cloud->count,
                                           &cloud->set)))
            break;
        for (int k = 0; k < 50; ++k)
            check_direction(cloud, random_direction());
        impi_support_set_destroy(&impi_default_allocator, &cloud->set);
    }
    free(cloud);
}

TEST(ids_may_leave_vertices_out)
{
    imp_Vec3 vertices[] = {{0, 0, 0}, {9, 9, 9}, {1, 0, 0}, {0, 1, 0}, {-9, 0, 0}};
    uint32_t ids[] = {0, 2, 3};
    impi_SupportSet set;
    if (!CHECK(impi_support_set_create(&impi_default_allocator, vertices, ids, 3, &set)))
        return;
    CHECK_INT(set.vertices[impi_support_search()(&set, 1, 0.5, 0)], 2);
    CHECK_INT(set.vertices[impi_support_search()(&set, 0.5, 1, 0)], 3);
    CHECK_INT(set.vertices[impi_support_search()(&set, -1, -1, 0)], 0);
    impi_support_set_destroy(&impi_default_allocator, &set);
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
        bool made = impi_support_set_create(&hooks, vertices, ids, 4, &set);
        CHECK(made != failing_allocator_has_failed(&memory));
        if (made)
            impi_support_set_destroy(&hooks, &set);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
}
