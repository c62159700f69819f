// Points are placed at random and then push each other away, along the surface, while they are closer than
// twice their spacing: Turk, "Generating textures on arbitrary surfaces using reaction-diffusion" (1991),
// section 3. Departs from it: points that leave their face are not rolled over its edges but put on the
// nearest point of the surface, which needs no neighbours of faces and crosses gaps of meshes that have them.
#include "shape/surface_points.h"

#include "shape/mesh_topology.h"

#include <string.h>

#define ROUNDS 12

// How much of the push is obeyed in a round.
#define PUSH 0.15

// Faces without area get points as well, if few.
#define EDGE_SHARE 0x1p-20
#define FACE_SHARE 0x1p-40

#define LEAST_RADIUS 0x1p-24

// Sheets that face away from each other do not push, and points do not change from one to the other.
#define SHEET_COSINE (-0.5)

typedef struct Relaxation {
    imp_Context *context;
    const impi_SurfaceField *field;
    impi_SurfacePoint *points;
    size_t count;
    double radius; // of repulsion, and the side of cells
    // Points by the buckets of their cells: those of bucket b are order[first[b]] up to order[first[b + 1]].
    uint32_t *first, *order;
    int32_t (*cells)[3];
    size_t bucket_count; // a power of two
    imp_Vec3 *pushes;
} Relaxation;

// splitmix64, in [0, 1).
static double random_unit(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static imp_Triangle local_triangle(const impi_SurfaceField *field, size_t face)
{
    imp_Triangle t = impi_mesh_triangle(field->mesh, face);
    for (int i = 0; i < 3; ++i)
        t.v[i] = impi_to_local(&field->frame, t.v[i]);
    return t;
}

// Twice the area along it.
static imp_Vec3 area_vector(const imp_Triangle *t)
{
    return impi_cross(impi_subtract(t->v[1], t->v[0]), impi_subtract(t->v[2], t->v[0]));
}

static double face_weight(const imp_Triangle *t)
{
    double edge = impi_longest(impi_subtract(t->v[1], t->v[0]));
    edge = fmax(edge, impi_longest(impi_subtract(t->v[2], t->v[0])));
    return impi_length(area_vector(t)) / 2 + EDGE_SHARE * edge * edge + FACE_SHARE;
}

// ---- at random

static size_t find_face(const double *sums, size_t count, double target)
{
    size_t low = 0, high = count - 1;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (sums[mid] > target)
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

static impi_SurfacePoint random_point(const impi_SurfaceField *field, size_t face, uint64_t *state)
{
    imp_Triangle t = local_triangle(field, face);
    double a = random_unit(state), b = random_unit(state);
    bool is_beyond = a + b > 1; // in the other half of the parallelogram
    if (is_beyond) {
        a = 1 - a;
        b = 1 - b;
    }
    imp_Vec3 on_edge = impi_add_scaled(t.v[0], a, impi_subtract(t.v[1], t.v[0]));
    return (impi_SurfacePoint){.position = impi_add_scaled(on_edge, b, impi_subtract(t.v[2], t.v[0])),
                               .normal = impi_unit(area_vector(&t))};
}

// Faces from which the surface can be reached, one for each part of it that hangs together; none of them
// when they are more than `most`.
static imp_Status find_parts(imp_Context *context, const imp_Mesh *mesh, size_t most, uint32_t *faces,
                             size_t *count)
{
    impi_Corners corners;
    uint32_t *component_of_face = NULL;
    size_t component_count = 0;
    imp_Status status = impi_corners_find(context, mesh, &corners);
    if (status == IMP_STATUS_OK)
        status = impi_components_find(context, &corners, &component_of_face, &component_count);
    *count = 0;
    for (size_t i = 0; i < mesh->arrays.triangle_count && status == IMP_STATUS_OK && component_count <= most;
         ++i)
        if (component_of_face[i] == *count)
            faces[(*count)++] = (uint32_t)i;
    return status;
}

// Sums of the weights of faces.
static imp_Status sum_weights(imp_Context *context, const impi_SurfaceField *field, double *sums)
{
    double sum = 0;
    for (size_t i = 0; i < field->mesh->arrays.triangle_count; ++i) {
        imp_Triangle t = local_triangle(field, i);
        sums[i] = sum += face_weight(&t);
        if (!impi_watch_item(&context->watch, i))
            return impi_watch_status(context);
    }
    return IMP_STATUS_OK;
}

// One for each part, at most half of them, and the others anywhere.
static imp_Status place_points(imp_Context *context, const impi_SurfaceField *field, size_t count,
                               impi_SurfacePoints *points, double *area)
{
    size_t face_count = field->mesh->arrays.triangle_count, part_count = 0;
    uint64_t state = 1996;
    double *sums = impi_arena_allocate_array(&context->scratch, face_count, sizeof *sums);
    uint32_t *parts = impi_arena_allocate_array(&context->scratch, count / 2, sizeof *parts);
    if (!sums || !parts || !impi_array_reserve(&context->allocator, points, sizeof *points->data, count))
        return impi_fail_out_of_memory(context);
    imp_Status status = sum_weights(context, field, sums);
    if (status == IMP_STATUS_OK)
        status = find_parts(context, field->mesh, count / 2, parts, &part_count);
    if (status != IMP_STATUS_OK)
        return status;
    *area = sums[face_count - 1];
    for (points->count = 0; points->count < part_count; ++points->count)
        points->data[points->count] = random_point(field, parts[points->count], &state);
    for (; points->count < count; ++points->count) {
        // Spread over the sum rather than anywhere in it: no face gets far too many or too few.
        double place = (double)(points->count - part_count) + random_unit(&state);
        double target = place / (double)(count - part_count) * *area;
        points->data[points->count] = random_point(field, find_face(sums, face_count, target), &state);
    }
    return IMP_STATUS_OK;
}

// ---- relaxed

static size_t bucket_of(const Relaxation *r, const int32_t cell[3])
{
    uint64_t hash = (uint32_t)cell[0] * 0x9E3779B97F4A7C15u;
    hash = (hash ^ (uint32_t)cell[1]) * 0xBF58476D1CE4E5B9u;
    hash = (hash ^ (uint32_t)cell[2]) * 0x94D049BB133111EBu;
    return (size_t)(hash >> 32) & (r->bucket_count - 1);
}

static void sort_into_buckets(Relaxation *r)
{
    memset(r->first, 0, (r->bucket_count + 1) * sizeof *r->first);
    for (size_t i = 0; i < r->count; ++i) {
        imp_Vec3 p = r->points[i].position;
        r->cells[i][0] = (int32_t)floor(p.x / r->radius);
        r->cells[i][1] = (int32_t)floor(p.y / r->radius);
        r->cells[i][2] = (int32_t)floor(p.z / r->radius);
        ++r->first[bucket_of(r, r->cells[i]) + 1];
    }
    for (size_t b = 0; b < r->bucket_count; ++b)
        r->first[b + 1] += r->first[b];
    // From behind, each bucket's end moves to its begin.
    for (size_t i = r->count; i-- > 0;)
        r->order[--r->first[bucket_of(r, r->cells[i]) + 1]] = (uint32_t)i;
    memmove(r->first, r->first + 1, r->bucket_count * sizeof *r->first);
    r->first[r->bucket_count] = (uint32_t)r->count;
}

static void add_push(const Relaxation *r, size_t i, size_t j, imp_Vec3 *push)
{
    const impi_SurfacePoint *a = &r->points[i], *b = &r->points[j];
    imp_Vec3 away = impi_subtract(a->position, b->position);
    double distance = sqrt(impi_dot(away, away));
    if (i == j || distance >= r->radius || distance == 0 || impi_dot(a->normal, b->normal) < SHEET_COSINE)
        return;
    *push = impi_add_scaled(*push, (r->radius - distance) / distance, away);
}

static imp_Vec3 find_push(const Relaxation *r, size_t i)
{
    imp_Vec3 push = {0, 0, 0};
    for (int n = 0; n < 27; ++n) {
        int32_t cell[3] = {r->cells[i][0] + n % 3 - 1, r->cells[i][1] + n / 3 % 3 - 1,
                           r->cells[i][2] + n / 9 - 1};
        size_t bucket = bucket_of(r, cell);
        for (uint32_t k = r->first[bucket]; k < r->first[bucket + 1]; ++k)
            if (memcmp(r->cells[r->order[k]], cell, sizeof cell) == 0)
                add_push(r, i, r->order[k], &push);
    }
    const imp_Vec3 *normal = &r->points[i].normal;
    push = impi_scale(impi_add_scaled(push, -impi_dot(push, *normal), *normal), PUSH);
    double length = impi_length(push), most = r->radius / 4;
    return length > most ? impi_scale(push, most / length) : push;
}

static imp_Status relax_once(Relaxation *r)
{
    sort_into_buckets(r);
    for (size_t i = 0; i < r->count; ++i) {
        if (i % 64 == 0 && !impi_watch_goes_on(&r->context->watch))
            return impi_watch_status(r->context);
        r->pushes[i] = find_push(r, i);
    }
    for (size_t i = 0; i < r->count; ++i) {
        double distance;
        imp_Vec3 place = impi_add_scaled(r->points[i].position, 1, r->pushes[i]);
        impi_SurfacePoint moved = impi_surface_point_near(r->field, place, &distance);
        if (impi_dot(moved.normal, r->points[i].normal) >= SHEET_COSINE)
            r->points[i] = moved;
        if (i % 64 == 0 && !impi_watch_goes_on(&r->context->watch))
            return impi_watch_status(r->context);
    }
    return IMP_STATUS_OK;
}

static imp_Status relax(imp_Context *context, const impi_SurfaceField *field, impi_SurfacePoints *points,
                        double spacing)
{
    imp_Status status = IMP_STATUS_OK;
    impi_Arena *arena = &context->scratch;
    Relaxation r = {.context = context,
                    .field = field,
                    .points = points->data,
                    .count = points->count,
                    .radius = fmax(2 * spacing, LEAST_RADIUS),
                    .bucket_count = 1};
    while (r.bucket_count < r.count)
        r.bucket_count *= 2;
    r.first = impi_arena_allocate_array(arena, r.bucket_count + 1, sizeof *r.first);
    r.order = impi_arena_allocate_array(arena, r.count, sizeof *r.order);
    r.cells = impi_arena_allocate_array(arena, r.count, sizeof *r.cells);
    r.pushes = impi_arena_allocate_array(arena, r.count, sizeof *r.pushes);
    if (!r.first || !r.order || !r.cells || !r.pushes)
        return impi_fail_out_of_memory(context);
    for (int round = 0; round < ROUNDS && status == IMP_STATUS_OK; ++round) {
        status = relax_once(&r);
        impi_watch_step(&context->watch, 1);
    }
    return status;
}

imp_Status impi_surface_points_spread(imp_Context *context, const impi_SurfaceField *field, size_t count,
                                      impi_SurfacePoints *points, double *spacing)
{
    double area = 0;
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    imp_Status status = place_points(context, field, count, points, &area);
    impi_watch_work(&context->watch, "spreading points", ROUNDS);
    if (status == IMP_STATUS_OK) {
        *spacing = sqrt(area / (double)count);
        status = relax(context, field, points, *spacing);
    }
    impi_arena_rewind(&context->scratch, mark);
    return status;
}

impi_SurfacePoint impi_surface_point_near(const impi_SurfaceField *field, imp_Vec3 place, double *distance)
{
    impi_NearestPoint nearest = impi_surface_field_nearest(field, place, IMPI_NO_SLOT, -1);
    imp_Triangle t = local_triangle(field, field->faces[nearest.slot]);
    *distance = nearest.distance;
    return (impi_SurfacePoint){.position = nearest.point, .normal = impi_unit(area_vector(&t))};
}
