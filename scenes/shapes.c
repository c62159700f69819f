#include "scenes/shapes.h"

#include "scenes/builder.h"

#include <stdlib.h>
#include <string.h>

// Taylor polynomials on [0, pi/4], where the first term left out is below 2^-60.
static double small_sine(double x)
{
    double s = x * x;
    double sum = 1.0 / 355687428096000.0;
    sum = sum * s - 1.0 / 1307674368000.0;
    sum = sum * s + 1.0 / 6227020800.0;
    sum = sum * s - 1.0 / 39916800.0;
    sum = sum * s + 1.0 / 362880.0;
    sum = sum * s - 1.0 / 5040.0;
    sum = sum * s + 1.0 / 120.0;
    sum = sum * s - 1.0 / 6.0;
    return x + x * (s * sum);
}

static double small_cosine(double x)
{
    double s = x * x;
    double sum = 1.0 / 20922789888000.0;
    sum = sum * s - 1.0 / 87178291200.0;
    sum = sum * s + 1.0 / 479001600.0;
    sum = sum * s - 1.0 / 3628800.0;
    sum = sum * s + 1.0 / 40320.0;
    sum = sum * s - 1.0 / 720.0;
    sum = sum * s + 1.0 / 24.0;
    sum = sum * s - 1.0 / 2.0;
    return 1.0 + s * sum;
}

SceneTurn scene_turn(uint64_t step, uint32_t step_count)
{
    // Angles as fractions of an octant, in whole numbers: `octant` of them are 45 degrees.
    uint64_t octant = step_count, angle = 8 * (step % step_count);
    bool sine_is_negative = angle > 4 * octant;
    angle = sine_is_negative ? 8 * octant - angle : angle;
    bool cosine_is_negative = angle > 2 * octant;
    angle = cosine_is_negative ? 4 * octant - angle : angle;
    bool swapped = angle > octant;
    angle = swapped ? 2 * octant - angle : angle;
    double x = 0.78539816339744830962 * ((double)angle / (double)octant);
    double small = small_sine(x);
    double large = angle == octant ? small : small_cosine(x); // at 45 degrees both are one value
    double cosine = swapped ? small : large, sine = swapped ? large : small;
    return (SceneTurn){cosine_is_negative ? -cosine : cosine, sine_is_negative ? -sine : sine};
}

static uint64_t random_word(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double scene_random_unit(uint64_t *state)
{
    return (double)(random_word(state) >> 11) * 0x1p-53;
}

double scene_random_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * scene_random_unit(state);
}

imp_Vec3 scene_random_vector(uint64_t *state, double low, double high)
{
    double x = scene_random_between(state, low, high);
    double y = scene_random_between(state, low, high);
    double z = scene_random_between(state, low, high);
    return (imp_Vec3){x, y, z};
}

static double noisy_radius(double radius, double amplitude, uint64_t *seed)
{
    return radius * (1.0 + amplitude * (2.0 * scene_random_unit(seed) - 1.0));
}

// Rings of vertices from the south pole to the north pole, then the faces between them.
static void add_sphere(SceneBuilder *builder, uint32_t meridians, uint32_t bands, double radius,
                       double amplitude, uint64_t seed)
{
    uint32_t south = scene_add_vertex(builder, 0, 0, -noisy_radius(radius, amplitude, &seed));
    for (uint32_t band = 1; band < bands; ++band) {
        SceneTurn latitude = scene_turn(band, 2 * bands);
        for (uint32_t meridian = 0; meridian < meridians; ++meridian) {
            SceneTurn longitude = scene_turn(meridian, meridians);
            double r = noisy_radius(radius, amplitude, &seed);
            scene_add_vertex(builder, r * latitude.sine * longitude.cosine,
                             r * latitude.sine * longitude.sine, -r * latitude.cosine);
        }
    }
    uint32_t north = scene_add_vertex(builder, 0, 0, noisy_radius(radius, amplitude, &seed));
    uint32_t last_ring = north - meridians;
    for (uint32_t i = 0; i < meridians; ++i) {
        uint32_t j = (i + 1) % meridians;
        scene_add_triangle(builder, south, south + 1 + j, south + 1 + i);
        for (uint32_t ring = south + 1; ring < last_ring; ring += meridians)
            scene_add_quad(builder, ring + i, ring + j, ring + meridians + j, ring + meridians + i);
        scene_add_triangle(builder, north, last_ring + i, last_ring + j);
    }
}

imp_Status scene_bumpy_sphere(imp_Context *context, uint32_t meridians, uint32_t bands, double radius,
                              double amplitude, uint64_t seed, imp_Mesh **mesh)
{
    if (meridians < 3 || bands < 2 || !(amplitude >= 0 && amplitude < 1))
        return IMP_STATUS_BAD_ARGUMENT;
    SceneBuilder builder;
    size_t rings = bands - 1;
    imp_Status status = scene_builder_begin(&builder, context, meridians * rings + 2, 2 * meridians * rings);
    if (status != IMP_STATUS_OK)
        return status;
    add_sphere(&builder, meridians, bands, radius, amplitude, seed);
    return scene_builder_finish(&builder, mesh);
}

imp_Status scene_sphere(imp_Context *context, uint32_t meridians, uint32_t bands, double radius,
                        imp_Mesh **mesh)
{
    return scene_bumpy_sphere(context, meridians, bands, radius, 0, 0, mesh);
}

imp_Status scene_sphere_of_faces(imp_Context *context, uint32_t face_count, double radius, imp_Mesh **mesh)
{
    uint32_t quads = face_count / 2, best_bands = 0;
    int64_t best_distance = INT64_MAX;
    for (uint32_t bands = 2; bands <= quads / 3 + 1; ++bands) {
        int64_t distance = llabs((int64_t)(quads / (bands - 1)) - 2 * (int64_t)bands);
        if (quads % (bands - 1) == 0 && distance < best_distance) {
            best_distance = distance;
            best_bands = bands;
        }
    }
    if (face_count % 2 != 0 || best_bands == 0)
        return IMP_STATUS_BAD_ARGUMENT;
    return scene_sphere(context, quads / (best_bands - 1), best_bands, radius, mesh);
}

imp_Status scene_hollow_sphere(imp_Context *context, uint32_t meridians, uint32_t bands, double radius,
                               double cavity_radius, imp_Mesh **mesh)
{
    imp_Mesh *outer = NULL, *inner = NULL, *cavity = NULL;
    imp_Status status = scene_sphere(context, meridians, bands, radius, &outer);
    if (status == IMP_STATUS_OK)
        status = scene_sphere(context, meridians, bands, cavity_radius, &inner);
    if (status == IMP_STATUS_OK)
        status = scene_flip(context, inner, &cavity);
    if (status == IMP_STATUS_OK)
        status = scene_join(context, outer, cavity, mesh);
    imp_mesh_release(outer);
    imp_mesh_release(inner);
    imp_mesh_release(cavity);
    return status;
}

imp_Status scene_torus(imp_Context *context, uint32_t major_steps, uint32_t minor_steps, double major_radius,
                       double minor_radius, imp_Mesh **mesh)
{
    if (major_steps < 3 || minor_steps < 3)
        return IMP_STATUS_BAD_ARGUMENT;
    SceneBuilder builder;
    size_t count = (size_t)major_steps * minor_steps;
    imp_Status status = scene_builder_begin(&builder, context, count, 2 * count);
    if (status != IMP_STATUS_OK)
        return status;
    for (uint32_t i = 0; i < major_steps; ++i) {
        SceneTurn major = scene_turn(i, major_steps);
        for (uint32_t j = 0; j < minor_steps; ++j) {
            SceneTurn minor = scene_turn(j, minor_steps);
            double distance = major_radius + minor_radius * minor.cosine;
            scene_add_vertex(&builder, distance * major.cosine, distance * major.sine,
                             minor_radius * minor.sine);
        }
    }
    for (uint32_t i = 0; i < major_steps; ++i)
        for (uint32_t j = 0; j < minor_steps; ++j) {
            uint32_t here = i * minor_steps, next = (i + 1) % major_steps * minor_steps;
            uint32_t up = (j + 1) % minor_steps;
            scene_add_quad(&builder, here + j, next + j, next + up, here + up);
        }
    return scene_builder_finish(&builder, mesh);
}

imp_Status scene_box(imp_Context *context, imp_Vec3 min, imp_Vec3 max, imp_Mesh **mesh)
{
    SceneBuilder builder;
    imp_Status status = scene_builder_begin(&builder, context, 8, 12);
    if (status != IMP_STATUS_OK)
        return status;
    for (unsigned i = 0; i < 8; ++i)
        scene_add_vertex(&builder, i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z);
    scene_add_quad(&builder, 0, 2, 3, 1);
    scene_add_quad(&builder, 4, 5, 7, 6);
    scene_add_quad(&builder, 0, 1, 5, 4);
    scene_add_quad(&builder, 2, 6, 7, 3);
    scene_add_quad(&builder, 0, 4, 6, 2);
    scene_add_quad(&builder, 1, 3, 7, 5);
    return scene_builder_finish(&builder, mesh);
}

// `outline` turns counter-clockwise and is seen whole from `centre`, around which the caps are fanned.
static imp_Status make_prism(imp_Context *context, const imp_Vec2 *outline, uint32_t count, imp_Vec2 centre,
                             double bottom, double top, imp_Mesh **mesh)
{
    SceneBuilder builder;
    imp_Status status = scene_builder_begin(&builder, context, 2 * (size_t)count + 2, 4 * (size_t)count);
    if (status != IMP_STATUS_OK)
        return status;
    for (uint32_t i = 0; i < count; ++i) {
        scene_add_vertex(&builder, outline[i].x, outline[i].y, bottom);
        scene_add_vertex(&builder, outline[i].x, outline[i].y, top);
    }
    uint32_t bottom_centre = scene_add_vertex(&builder, centre.x, centre.y, bottom);
    uint32_t top_centre = scene_add_vertex(&builder, centre.x, centre.y, top);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t here = 2 * i, next = 2 * ((i + 1) % count);
        scene_add_triangle(&builder, bottom_centre, next, here);
        scene_add_quad(&builder, here, next, next + 1, here + 1);
        scene_add_triangle(&builder, top_centre, here + 1, next + 1);
    }
    return scene_builder_finish(&builder, mesh);
}

imp_Status scene_l_prism(imp_Context *context, double height, imp_Mesh **mesh)
{
    static const imp_Vec2 outline[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    if (!(height > 0))
        return IMP_STATUS_BAD_ARGUMENT;
    return make_prism(context, outline, 6, (imp_Vec2){0.5, 0.5}, 0, height, mesh);
}

// An outline whose corners lie at two distances from the z axis in turn.
static imp_Status make_round_prism(imp_Context *context, uint32_t corners, const double radii[2],
                                   double height, imp_Mesh **mesh)
{
    imp_Vec2 *outline = calloc(corners, sizeof *outline);
    if (!outline)
        return IMP_STATUS_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < corners; ++i) {
        SceneTurn turn = scene_turn(i, corners);
        outline[i] = (imp_Vec2){radii[i % 2] * turn.cosine, radii[i % 2] * turn.sine};
    }
    imp_Status status = make_prism(context, outline, corners, (imp_Vec2){0, 0}, 0, height, mesh);
    free(outline);
    return status;
}

imp_Status scene_star_prism(imp_Context *context, uint32_t points, double dent_radius, double height,
                            imp_Mesh **mesh)
{
    if (points < 2 || points > UINT32_MAX / 16 || !(dent_radius > 0) || !(height > 0))
        return IMP_STATUS_BAD_ARGUMENT;
    return make_round_prism(context, 2 * points, (const double[2]){1.0, dent_radius}, height, mesh);
}

imp_Status scene_needle(imp_Context *context, uint32_t sides, double radius, imp_Mesh **mesh)
{
    if (sides < 3 || sides > UINT32_MAX / 8 || !(radius > 0))
        return IMP_STATUS_BAD_ARGUMENT;
    return make_round_prism(context, sides, (const double[2]){radius, radius}, 1.0, mesh);
}

imp_Status scene_soup(imp_Context *context, uint32_t triangle_count, double size, uint64_t seed,
                      imp_Mesh **mesh)
{
    SceneBuilder builder;
    imp_Status status = scene_builder_begin(&builder, context, 3 * (size_t)triangle_count, triangle_count);
    if (status != IMP_STATUS_OK)
        return status;
    for (uint32_t i = 0; i < triangle_count; ++i) {
        double low[3];
        for (unsigned axis = 0; axis < 3; ++axis)
            low[axis] = (1.0 - size) * scene_random_unit(&seed);
        for (unsigned k = 0; k < 3; ++k) {
            double x = low[0] + size * scene_random_unit(&seed);
            double y = low[1] + size * scene_random_unit(&seed);
            double z = low[2] + size * scene_random_unit(&seed);
            scene_add_vertex(&builder, x, y, z);
        }
        scene_add_triangle(&builder, 3 * i, 3 * i + 1, 3 * i + 2);
    }
    return scene_builder_finish(&builder, mesh);
}

imp_Status scene_grid_soup(imp_Context *context, uint32_t triangle_count, uint32_t grid, uint64_t seed,
                           imp_Mesh **mesh)
{
    SceneBuilder builder;
    imp_Status status = scene_builder_begin(&builder, context, 3 * (size_t)triangle_count, triangle_count);
    if (status != IMP_STATUS_OK)
        return status;
    if (grid == 0)
        grid = 1;
    for (uint32_t i = 0; i < triangle_count; ++i) {
        for (unsigned k = 0; k < 3; ++k) {
            double x = (double)(random_word(&seed) % grid);
            double y = (double)(random_word(&seed) % grid);
            double z = (double)(random_word(&seed) % grid);
            scene_add_vertex(&builder, x, y, z);
        }
        scene_add_triangle(&builder, 3 * i, 3 * i + 1, 3 * i + 2);
    }
    return scene_builder_finish(&builder, mesh);
}

static void add_mesh(SceneBuilder *builder, const imp_Mesh *mesh)
{
    const imp_Vec3 *vertices = imp_mesh_get_vertices(mesh);
    const uint32_t *indices = imp_mesh_get_indices(mesh);
    uint32_t first = (uint32_t)builder->vertex_count;
    memcpy(builder->vertices + first, vertices, imp_mesh_get_vertex_count(mesh) * sizeof *vertices);
    builder->vertex_count += imp_mesh_get_vertex_count(mesh);
    for (size_t i = 0; i < imp_mesh_get_triangle_count(mesh); ++i, indices += 3)
        scene_add_triangle(builder, first + indices[0], first + indices[1], first + indices[2]);
}

imp_Status scene_join(imp_Context *context, const imp_Mesh *a, const imp_Mesh *b, imp_Mesh **mesh)
{
    SceneBuilder builder;
    size_t vertex_count = imp_mesh_get_vertex_count(a) + imp_mesh_get_vertex_count(b);
    if (vertex_count > UINT32_MAX)
        return IMP_STATUS_TOO_LARGE;
    imp_Status status = scene_builder_begin(&builder, context, vertex_count,
                                            imp_mesh_get_triangle_count(a) + imp_mesh_get_triangle_count(b));
    if (status != IMP_STATUS_OK)
        return status;
    add_mesh(&builder, a);
    add_mesh(&builder, b);
    return scene_builder_finish(&builder, mesh);
}

static imp_Status copy_mesh(imp_Context *context, SceneBuilder *builder, const imp_Mesh *mesh)
{
    imp_Status status = scene_builder_begin(builder, context, imp_mesh_get_vertex_count(mesh),
                                            imp_mesh_get_triangle_count(mesh));
    if (status == IMP_STATUS_OK)
        add_mesh(builder, mesh);
    return status;
}

imp_Status scene_flip(imp_Context *context, const imp_Mesh *mesh, imp_Mesh **flipped)
{
    SceneBuilder builder;
    imp_Status status = copy_mesh(context, &builder, mesh);
    if (status != IMP_STATUS_OK)
        return status;
    for (size_t i = 0; i < builder.triangle_count; ++i) {
        uint32_t *corners = builder.indices + 3 * i;
        uint32_t last = corners[2];
        corners[2] = corners[1];
        corners[1] = last;
    }
    return scene_builder_finish(&builder, flipped);
}

imp_Status scene_place(imp_Context *context, const imp_Mesh *mesh, double scale, imp_Vec3 offset,
                       imp_Mesh **placed)
{
    SceneBuilder builder;
    imp_Status status = copy_mesh(context, &builder, mesh);
    if (status != IMP_STATUS_OK)
        return status;
    for (size_t i = 0; i < builder.vertex_count; ++i) {
        imp_Vec3 *v = &builder.vertices[i];
        *v = (imp_Vec3){v->x * scale + offset.x, v->y * scale + offset.y, v->z * scale + offset.z};
    }
    return scene_builder_finish(&builder, placed);
}
