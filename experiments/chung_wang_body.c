#include "chung_wang_body.h"

#include "chung_wang_neighbours.h"

#include "base/memory.h"
#include "geom/vector.h"
#include "shape/mesh_topology.h"

#include <math.h>

// ---- the table

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

imp_Vec3 chung_wang_table_direction(int band, int meridian)
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

static void fill_table(ChungWangBody *body, const uint32_t *ids, size_t count)
{
    const imp_Vec3 *vertices = imp_mesh_get_vertices(body->convex->mesh);
    for (int band = 0; band < CHUNG_WANG_BANDS; ++band)
        for (int meridian = 0; meridian < CHUNG_WANG_MERIDIANS; ++meridian)
            body->table[band][meridian] =
                find_support(vertices, ids, count, chung_wang_table_direction(band, meridian));
}

uint32_t chung_wang_start(const ChungWangBody *body, imp_Vec3 direction)
{
    const double pi = 3.14159265358979323846;
    double from_axis = atan2(hypot(direction.x, direction.y), direction.z) / pi;
    double around = atan2(direction.y, direction.x) / (2 * pi);
    int band = (int)(from_axis * CHUNG_WANG_BANDS);
    int meridian = (int)((around < 0 ? around + 1 : around) * CHUNG_WANG_MERIDIANS);
    band = band < CHUNG_WANG_BANDS ? band : CHUNG_WANG_BANDS - 1;
    meridian = meridian < CHUNG_WANG_MERIDIANS ? meridian : CHUNG_WANG_MERIDIANS - 1;
    return body->table[band][meridian];
}

// ---- neighbours

uint32_t chung_wang_climb(const ChungWangBody *body, uint32_t start, imp_Vec3 direction,
                          uint64_t *visit_count)
{
    const imp_Vec3 *vertices = imp_mesh_get_vertices(body->convex->mesh);
    const uint32_t *firsts = body->first_neighbours;
    uint32_t best = start;
    double farthest = impi_dot(vertices[start], direction);
    for (uint32_t at = start;; at = best) {
        for (uint32_t i = firsts[at]; i < firsts[at + 1]; ++i) {
            double far = impi_dot(vertices[body->neighbours[i]], direction);
            if (far > farthest) {
                farthest = far;
                best = body->neighbours[i];
            }
        }
        *visit_count += firsts[at + 1] - firsts[at];
        if (best == at)
            return best;
    }
}

static imp_Status fill(imp_Context *context, ChungWangBody *body)
{
    const imp_Mesh *mesh = body->convex->mesh;
    size_t triangle_count = imp_mesh_get_triangle_count(mesh), vertex_count = imp_mesh_get_vertex_count(mesh);
    impi_Corners corners = {0};
    imp_Status status = impi_corners_find(context, mesh, &corners);
    if (status != IMP_STATUS_OK)
        return status;
    uint32_t *ids = impi_arena_allocate_array(&context->scratch, corners.distinct_count, sizeof *ids);
    uint32_t *indices = impi_arena_allocate_array(&context->scratch, 3 * triangle_count, sizeof *indices);
    body->first_neighbours =
        impi_allocate_array(&body->allocator, vertex_count + 1, sizeof *body->first_neighbours);
    body->neighbours = impi_allocate_array(&body->allocator, 3 * triangle_count, sizeof *body->neighbours);
    if (!ids || !indices || !body->first_neighbours || !body->neighbours)
        return impi_fail_out_of_memory(context);
    impi_corners_list_vertices(mesh, &corners, ids);
    for (size_t i = 0; i < 3 * triangle_count; ++i)
        indices[i] = ids[corners.numbers[i]];
    fill_table(body, ids, corners.distinct_count);
    return chung_wang_list_neighbours(context, indices, triangle_count, vertex_count, body->first_neighbours,
                                      body->neighbours);
}

imp_Status chung_wang_body_create(imp_Context *context, imp_Convex *convex, ChungWangBody **body)
{
    ChungWangBody *made = impi_allocate(&context->allocator, sizeof *made);
    if (!made)
        return impi_fail_out_of_memory(context);
    *made = (ChungWangBody){.convex = imp_convex_retain(convex), .allocator = context->allocator};
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    imp_Status status = fill(context, made);
    impi_arena_rewind(&context->scratch, mark);
    if (status == IMP_STATUS_OK)
        *body = made;
    else
        chung_wang_body_destroy(made);
    return status;
}

void chung_wang_body_destroy(ChungWangBody *body)
{
    if (!body)
        return;
    imp_Allocator allocator = body->allocator;
    const imp_Mesh *mesh = body->convex->mesh;
    impi_release(&allocator, body->first_neighbours,
                 (imp_mesh_get_vertex_count(mesh) + 1) * sizeof *body->first_neighbours);
    impi_release(&allocator, body->neighbours,
                 3 * imp_mesh_get_triangle_count(mesh) * sizeof *body->neighbours);
    imp_convex_release(body->convex);
    impi_release(&allocator, body, sizeof *body);
}
