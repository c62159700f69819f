#include "shape/convex.h"

#include "shape/convex_check.h"
#include "shape/convex_neighbours.h"
#include "shape/hull.h"
#include "shape/mesh_topology.h"

#include <math.h>

// Cosines of pi/16, 3 pi/16, 5 pi/16 and 7 pi/16: the middles of cells are at odd multiples of pi/16.
static const double odd_cosines[4] = {0.98078528040323044913, 0.83146961230254523708, 0.55557023301960222474,
                                      0.19509032201612826785};

// Cosine of (2 step + 1) pi/16, for steps up to 15.
static double middle_cosine(int step)
{
    int half = step < 8 ? step : 15 - step;
    return half < 4 ? odd_cosines[half] : -odd_cosines[7 - half];
}

// A sine is the cosine a quarter of a turn, four steps, earlier.
static double middle_sine(int step)
{
    return middle_cosine((step + 12) % 16);
}

imp_Vec3 impi_table_direction(int band, int meridian)
{
    double radius = middle_sine(band);
    return (imp_Vec3){radius * middle_cosine(meridian), radius * middle_sine(meridian), middle_cosine(band)};
}

// Directions are a quarter as long as they could be, so that no sum of products overflows.
static uint32_t find_support(const imp_Vec3 *vertices, const uint32_t *ids, size_t count, imp_Vec3 direction)
{
    double x = 0.25 * direction.x, y = 0.25 * direction.y, z = 0.25 * direction.z;
    uint32_t best = ids[0];
    double largest = -INFINITY;
    for (size_t i = 0; i < count; ++i) {
        const imp_Vec3 *v = &vertices[ids[i]];
        double along = (x * v->x + y * v->y) + z * v->z;
        best = along > largest ? ids[i] : best;
        largest = along > largest ? along : largest;
    }
    return best;
}

static void fill_table(imp_Convex *convex, const uint32_t *ids, size_t count)
{
    for (int band = 0; band < IMPI_TABLE_BANDS; ++band)
        for (int meridian = 0; meridian < IMPI_TABLE_MERIDIANS; ++meridian)
            convex->table[band][meridian] =
                find_support(convex->mesh->arrays.vertices, ids, count, impi_table_direction(band, meridian));
}

// For each distinct vertex the first of the mesh's vertices that it is; ascending.
static void list_distinct(const imp_Mesh *mesh, const impi_Corners *corners, uint32_t *ids)
{
    for (size_t i = 0; i < corners->distinct_count; ++i)
        ids[i] = UINT32_MAX;
    for (size_t i = 0; i < 3 * corners->triangle_count; ++i) {
        uint32_t vertex = mesh->arrays.indices[i];
        uint32_t *id = &ids[corners->numbers[i]];
        *id = vertex < *id ? vertex : *id;
    }
}

static size_t neighbour_count(const imp_Convex *convex)
{
    return 3 * convex->mesh->arrays.triangle_count;
}

void impi_convex_destroy(imp_Convex *convex)
{
    imp_Allocator allocator = convex->shape.allocator;
    size_t first_count = convex->mesh->arrays.vertex_count + 1;
    impi_support_set_destroy(&allocator, &convex->support);
    impi_release(&allocator, convex->first_neighbours, first_count * sizeof *convex->first_neighbours);
    impi_release(&allocator, convex->neighbours, neighbour_count(convex) * sizeof *convex->neighbours);
    imp_mesh_release(convex->mesh);
    impi_release(&allocator, convex, sizeof *convex);
}

static imp_Status derive(imp_Context *context, const impi_Corners *corners, imp_Convex *convex)
{
    const impi_MeshArrays *arrays = &convex->mesh->arrays;
    uint32_t *ids = impi_arena_allocate_array(&context->scratch, corners->distinct_count, sizeof *ids);
    uint32_t *indices =
        impi_arena_allocate_array(&context->scratch, neighbour_count(convex), sizeof *indices);
    convex->first_neighbours = impi_allocate_array(&convex->shape.allocator, arrays->vertex_count + 1,
                                                   sizeof *convex->first_neighbours);
    convex->neighbours =
        impi_allocate_array(&convex->shape.allocator, neighbour_count(convex), sizeof *convex->neighbours);
    if (!ids || !indices || !convex->first_neighbours || !convex->neighbours)
        return impi_fail_out_of_memory(context);
    list_distinct(convex->mesh, corners, ids);
    for (size_t i = 0; i < neighbour_count(convex); ++i)
        indices[i] = ids[corners->numbers[i]];
    imp_Status status = impi_neighbours_list(context, indices, arrays->triangle_count, arrays->vertex_count,
                                             convex->first_neighbours, convex->neighbours);
    if (status != IMP_STATUS_OK)
        return status;
    fill_table(convex, ids, corners->distinct_count);
    impi_SupportDef def = {arrays->vertices, arrays->vertex_count,  ids, corners->distinct_count,
                           indices,          arrays->triangle_count};
    if (!impi_support_set_create(&convex->shape.allocator, &def, &convex->support))
        return impi_fail_out_of_memory(context);
    convex->vertices = arrays->vertices;
    convex->vertex_count = corners->distinct_count == arrays->vertex_count ? arrays->vertex_count : 0;
    return IMP_STATUS_OK;
}

// Takes over a reference to the mesh, also when it fails.
static imp_Status wrap(imp_Context *context, imp_Mesh *mesh, const impi_Corners *corners, imp_Convex **convex)
{
    imp_Convex *made = impi_allocate(&context->allocator, sizeof *made);
    if (!made) {
        imp_mesh_release(mesh);
        return impi_fail_out_of_memory(context);
    }
    *made = (imp_Convex){.mesh = mesh};
    impi_shape_init(&made->shape, IMPI_SHAPE_CONVEX, context, &mesh->shape.bounds);
    imp_Status status = derive(context, corners, made);
    if (status == IMP_STATUS_OK) {
        impi_mesh_keep_closedness(mesh, true);
        *convex = made;
    } else {
        impi_convex_destroy(made);
    }
    return status;
}

static imp_Status check_size(imp_Context *context, const imp_Mesh *mesh)
{
    size_t most = UINT32_MAX / 3;
    if (mesh->arrays.triangle_count > most)
        return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE, "%zu triangles are more than %zu",
                         mesh->arrays.triangle_count, most);
    return IMP_STATUS_OK;
}

imp_Status impi_convex_create(imp_Context *context, const imp_ConvexDef *def, imp_Convex **convex)
{
    impi_MeshArrays arrays;
    imp_Mesh *mesh = NULL;
    imp_Status status = impi_hull_find(context, def, &arrays);
    if (status != IMP_STATUS_OK)
        return status;
    status = impi_mesh_adopt(context, &arrays, NULL, &mesh);
    if (status != IMP_STATUS_OK) {
        impi_mesh_arrays_release(&context->allocator, &arrays);
        return status;
    }
    impi_Corners corners = {0};
    status = check_size(context, mesh);
    if (status == IMP_STATUS_OK)
        status = impi_corners_find(context, mesh, &corners);
    if (status == IMP_STATUS_OK)
        return wrap(context, mesh, &corners, convex);
    imp_mesh_release(mesh);
    return status;
}

imp_Status impi_convex_create_from_mesh(imp_Context *context, imp_Mesh *mesh, imp_Convex **convex)
{
    impi_Corners corners = {0};
    imp_Status status = check_size(context, mesh);
    if (status == IMP_STATUS_OK)
        status = impi_corners_find(context, mesh, &corners);
    if (status == IMP_STATUS_OK)
        status = impi_convex_check(context, mesh, &corners);
    if (status == IMP_STATUS_OK)
        status = wrap(context, imp_mesh_retain(mesh), &corners, convex);
    return status;
}

imp_Convex *imp_convex_retain(imp_Convex *convex)
{
    return (imp_Convex *)impi_shape_retain((impi_Shape *)convex);
}

void imp_convex_release(imp_Convex *convex)
{
    impi_shape_release((impi_Shape *)convex);
}

imp_Mesh *imp_convex_get_mesh(const imp_Convex *convex)
{
    return convex ? convex->mesh : NULL;
}
