#include "octree_cases.h"

#include "case_numbers.h"
#include "harness.h"
#include "octree_oracle.h"
#include "scenes/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const octree_kind_names[OCTREE_KIND_COUNT] = {
    "sphere",      "bumpy", "cavity",     "torus",       "components", "pierced",   "inside out", "flat",
    "empty faces", "open",  "grid boxes", "grid solids", "grid flat",  "grid soup", "one ulp off"};
const char *const octree_place_names[OCTREE_PLACE_COUNT] = {"plain", "far", "1e-300", "1e+300"};

#define MAX_VERTICES 400
#define MAX_FACES    400

typedef struct Draft {
    imp_Vec3 vertices[MAX_VERTICES];
    uint32_t indices[3 * MAX_FACES], vertex_count, face_count;
} Draft;

// ---- parts

static uint32_t add_vertex(Draft *draft, imp_Vec3 vertex)
{
    if (draft->vertex_count == MAX_VERTICES)
        abort();
    draft->vertices[draft->vertex_count] = vertex;
    return draft->vertex_count++;
}

static void add_face(Draft *draft, uint32_t a, uint32_t b, uint32_t c)
{
    if (draft->face_count == MAX_FACES)
        abort();
    memcpy(&draft->indices[3 * draft->face_count++], (uint32_t[3]){a, b, c}, 3 * sizeof a);
}

static void add_mesh(Draft *draft, imp_Mesh *mesh, double scale, imp_Vec3 offset, bool is_flipped)
{
    uint32_t first = draft->vertex_count;
    const imp_Vec3 *vertices = imp_mesh_get_vertices(mesh);
    const uint32_t *indices = imp_mesh_get_indices(mesh);
    for (size_t i = 0; i < imp_mesh_get_vertex_count(mesh); ++i)
        add_vertex(draft, along(offset, scale, vertices[i]));
    for (size_t i = 0; i < imp_mesh_get_triangle_count(mesh); ++i)
        add_face(draft, first + indices[3 * i], first + indices[3 * i + (is_flipped ? 2 : 1)],
                 first + indices[3 * i + (is_flipped ? 1 : 2)]);
    imp_mesh_release(mesh);
}

// Turned outward or inward, as it comes.
static void add_tetrahedron(Draft *draft, const imp_Vec3 corners[4])
{
    uint32_t v[4];
    for (int i = 0; i < 4; ++i)
        v[i] = add_vertex(draft, corners[i]);
    add_face(draft, v[0], v[1], v[2]);
    add_face(draft, v[0], v[2], v[3]);
    add_face(draft, v[0], v[3], v[1]);
    add_face(draft, v[1], v[3], v[2]);
}

static void add_both_sides(Draft *draft, const imp_Vec3 corners[3])
{
    uint32_t a = add_vertex(draft, corners[0]), b = add_vertex(draft, corners[1]),
             c = add_vertex(draft, corners[2]);
    add_face(draft, a, b, c);
    add_face(draft, c, b, a);
}

static void add_shape(imp_Context *context, Draft *draft, double scale, imp_Vec3 offset)
{
    imp_Mesh *mesh = NULL;
    uint32_t steps = 3 + test_random_below(4), bands = 2 + test_random_below(3),
             choice = test_random_below(4);
    imp_Status status = choice == 0   ? scene_sphere(context, steps, bands, 1, &mesh)
                        : choice == 1 ? scene_torus(context, steps, 3, 0.8, 0.3, &mesh)
                        : choice == 2 ? scene_star_prism(context, steps, 0.5, 0.7, &mesh)
                                      : scene_l_prism(context, 0.6, &mesh);
    CHECK_INT(status, IMP_STATUS_OK);
    add_mesh(draft, mesh, scale, offset, test_random_below(4) == 0);
}

// Faces that are a point, a segment there and back, or one with a corner on it, from corners that exist or
// not.
static void add_empty_faces(Draft *draft)
{
    for (uint32_t i = 0; i < 6; ++i) {
        uint32_t a = test_random_below(draft->vertex_count), b = test_random_below(draft->vertex_count);
        imp_Vec3 p = draft->vertices[a], q = draft->vertices[b];
        if (i % 3 == 0)
            add_face(draft, a, a, a);
        else if (i % 3 == 1)
            add_face(draft, a, b, a);
        else
            add_both_sides(draft,
                           (imp_Vec3[3]){p, q, {0.5 * (p.x + q.x), 0.5 * (p.y + q.y), 0.5 * (p.z + q.z)}});
    }
}

// ---- meshes of size one, anywhere

static void draft_free_mesh(imp_Context *context, OctreeKind kind, Draft *draft)
{
    imp_Mesh *mesh = NULL;
    uint32_t steps = 4 + test_random_below(5), bands = 3 + test_random_below(3);
    imp_Status status = IMP_STATUS_OK;
    if (kind == OCTREE_SPHERE || kind == OCTREE_INSIDE_OUT || kind == OCTREE_EMPTY_FACES)
        status = scene_sphere(context, steps, bands, 1, &mesh);
    else if (kind == OCTREE_BUMPY)
        status = scene_bumpy_sphere(context, steps, bands, 1, 0.7, test_random(), &mesh);
    else if (kind == OCTREE_CAVITY)
        status = scene_hollow_sphere(context, steps, bands, 1, test_random_between(0.2, 0.6), &mesh);
    else if (kind == OCTREE_TORUS)
        status = scene_torus(context, steps, bands, 0.7, test_random_between(0.1, 0.4), &mesh);
    else if (kind == OCTREE_OPEN)
        status = scene_soup(context, 1 + test_random_below(30), test_random_between(0.05, 1), test_random(),
                            &mesh);
    CHECK_INT(status, IMP_STATUS_OK);
    if (mesh)
        add_mesh(draft, mesh, 1, (imp_Vec3){0}, kind == OCTREE_INSIDE_OUT);
    uint32_t parts = 2 + test_random_below(3);
    for (uint32_t i = 0; i < parts && (kind == OCTREE_COMPONENTS || kind == OCTREE_PIERCED); ++i) {
        double scale = test_random_between(0.2, kind == OCTREE_PIERCED ? 1.2 : 0.5);
        add_shape(context, draft, scale, random_vector(kind == OCTREE_PIERCED ? 0.4 : 1));
    }
    for (uint32_t i = 0; i < parts && kind == OCTREE_FLAT; ++i) {
        imp_Vec3 a = random_vector(1), b = random_vector(1), c = random_vector(1);
        add_both_sides(draft, (imp_Vec3[3]){a, b, c});
    }
    if (kind == OCTREE_EMPTY_FACES)
        add_empty_faces(draft);
}

static double scale_of(OctreePlace place)
{
    return place == PLACE_TINY ? 1e-300 : place == PLACE_HUGE ? 1e300 : 1;
}

static void place_draft(Draft *draft, OctreePlace place)
{
    double scale = scale_of(place) * test_random_between(0.5, 3);
    imp_Vec3 offset = random_vector(place == PLACE_FAR ? pow(10, 2 + test_random_below(10)) : 2 * scale);
    for (uint32_t i = 0; i < draft->vertex_count; ++i)
        draft->vertices[i] = along(offset, scale, draft->vertices[i]);
}

// Around a draft, with voxels of any size, or smaller, so that it is cut.
static imp_OctreeGrid fit_grid(const Draft *draft, uint32_t level)
{
    imp_Vec3 low = draft->vertices[0], high = low;
    for (uint32_t i = 1; i < draft->vertex_count; ++i) {
        const imp_Vec3 *v = &draft->vertices[i];
        low = (imp_Vec3){fmin(low.x, v->x), fmin(low.y, v->y), fmin(low.z, v->z)};
        high = (imp_Vec3){fmax(high.x, v->x), fmax(high.y, v->y), fmax(high.z, v->z)};
    }
    double extent = fmax(fmax(high.x - low.x, high.y - low.y), high.z - low.z);
    double size = extent * (test_random_below(3) ? test_random_between(1, 1.5) : test_random_between(0.3, 1));
    imp_OctreeGrid grid = {.level = level, .voxel = ldexp(size, -(int)level)};
    for (int axis = 0; axis < 3; ++axis)
        (&grid.origin.x)[axis] = (&low.x)[axis] - test_random_unit() * (size - extent);
    return grid;
}

// ---- meshes on the corners of a grid

// One step beyond the cube at most, and now and then in the middle of two corners.
static imp_Vec3 grid_point(const imp_OctreeGrid *grid)
{
    imp_Vec3 point;
    for (int axis = 0; axis < 3; ++axis) {
        double i = (double)test_random_below((1u << grid->level) + 3) - 1, step = i * grid->voxel;
        double next = (i + 1) * grid->voxel, origin = (&grid->origin.x)[axis];
        double corner = origin + step, other = origin + next;
        (&point.x)[axis] = test_random_below(8) ? corner : corner + 0.5 * (other - corner);
    }
    return point;
}

static void draft_grid_boxes(imp_Context *context, const imp_OctreeGrid *grid, bool is_flat, Draft *draft)
{
    uint32_t count = 1 + test_random_below(3);
    for (uint32_t i = 0; i < count; ++i) {
        imp_Vec3 low = grid_point(grid), high = grid_point(grid);
        uint32_t flat_axis = test_random_below(3);
        imp_Mesh *mesh = NULL;
        for (uint32_t axis = 0; axis < 3; ++axis) {
            double a = (&low.x)[axis], b = (&high.x)[axis];
            (&low.x)[axis] = fmin(a, b);
            (&high.x)[axis] = is_flat && axis == flat_axis ? fmin(a, b) : fmax(a, b);
        }
        CHECK_INT(scene_box(context, (imp_Vec3){0}, (imp_Vec3){1, 1, 1}, &mesh), IMP_STATUS_OK);
        uint32_t first = draft->vertex_count;
        add_mesh(draft, mesh, 1, (imp_Vec3){0}, test_random_below(4) == 0);
        for (uint32_t k = first; k < draft->vertex_count; ++k)
            for (int axis = 0; axis < 3; ++axis) {
                double *value = &(&draft->vertices[k].x)[axis];
                *value = *value == 0 ? (&low.x)[axis] : (&high.x)[axis];
            }
    }
}

static void draft_on_grid(imp_Context *context, OctreeKind kind, const imp_OctreeGrid *grid, Draft *draft)
{
    uint32_t count = 1 + test_random_below(4);
    if (kind == OCTREE_ONE_ULP_OFF)
        kind = test_random_below(2) ? OCTREE_GRID_BOXES : OCTREE_GRID_SOLIDS;
    if (kind == OCTREE_GRID_BOXES || kind == OCTREE_GRID_FLAT)
        draft_grid_boxes(context, grid, kind == OCTREE_GRID_FLAT, draft);
    for (uint32_t i = 0; i < count && kind == OCTREE_GRID_SOLIDS; ++i) {
        imp_Vec3 corners[4];
        for (int k = 0; k < 4; ++k)
            corners[k] = grid_point(grid);
        add_tetrahedron(draft, corners);
    }
    for (uint32_t i = 0; i < 5 * count && kind == OCTREE_GRID_SOUP; ++i) {
        imp_Vec3 a = grid_point(grid), b = grid_point(grid), c = grid_point(grid);
        uint32_t v[3] = {add_vertex(draft, a), add_vertex(draft, b), add_vertex(draft, c)};
        add_face(draft, v[0], v[1], v[2]);
    }
}

imp_OctreeGrid random_octree_grid(uint32_t level, OctreePlace place)
{
    static const double sizes[] = {1, 2, 0.5, 0.1, 0.3, 1.0 / 3, 0.7};
    imp_OctreeGrid grid = {.level = level, .voxel = scale_of(place) * sizes[test_random_below(7)]};
    double most = place == PLACE_FAR ? pow(10, 2 + test_random_below(10)) : 16;
    imp_Vec3 offset = test_random_below(2) ? random_lattice_point(most) : random_vector(most);
    for (int axis = 0; axis < 3; ++axis)
        (&grid.origin.x)[axis] = (&offset.x)[axis] * grid.voxel;
    return grid;
}

// ---- cases

OctreeCase octree_case_make(imp_Context *context, OctreeKind kind, uint32_t most_level)
{
    uint32_t place = test_random_below(8), level = 1 + test_random_below(most_level);
    OctreeCase made = {.kind = kind,
                       .place = place < OCTREE_PLACE_COUNT ? (OctreePlace)place : PLACE_PLAIN,
                       .is_closed = kind != OCTREE_OPEN && kind != OCTREE_GRID_SOUP};
    Draft *draft = calloc(1, sizeof *draft);
    if (kind < OCTREE_GRID_BOXES) {
        draft_free_mesh(context, kind, draft);
        place_draft(draft, made.place);
        made.grid = fit_grid(draft, level);
        made.is_grid_around = test_random_below(2);
    } else {
        made.grid = random_octree_grid(level, made.place);
        draft_on_grid(context, kind, &made.grid, draft);
    }
    for (uint32_t i = 0; i < draft->vertex_count && kind == OCTREE_ONE_ULP_OFF; ++i)
        if (test_random_below(2)) {
            double *value = &(&draft->vertices[i].x)[test_random_below(3)];
            *value = one_ulp_off(*value);
        }
    flip_zeros(&draft->vertices->x, (int)(3 * draft->vertex_count));
    imp_MeshDef def = {.vertices = &draft->vertices->x,
                       .vertex_count = draft->vertex_count,
                       .indices = draft->indices,
                       .triangle_count = draft->face_count};
    CHECK_INT(imp_mesh_create(context, &def, &made.mesh), IMP_STATUS_OK);
    if (made.is_grid_around)
        CHECK_INT(imp_octree_grid_around(made.mesh, level, &made.grid), IMP_STATUS_OK);
    free(draft);
    return made;
}

void octree_case_free(OctreeCase *octree_case)
{
    imp_mesh_release(octree_case->mesh);
}

void random_voxels(uint32_t level, uint8_t *voxels)
{
    uint32_t edge = 1u << level, choice = test_random_below(8), count = 1 + test_random_below(6);
    size_t total = (size_t)edge * edge * edge;
    for (size_t i = 0; i < total; ++i)
        voxels[i] = choice == 0 ? 0 : choice == 1 ? 1 : choice == 2 && test_random_below(2);
    for (uint32_t block = 0; block < count && choice > 2; ++block) {
        uint32_t low[3], high[3], black = test_random_below(4) != 0;
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = test_random_below(edge);
            high[axis] = low[axis] + 1 + test_random_below(edge - low[axis]);
        }
        for (uint32_t x = low[0]; x < high[0]; ++x)
            for (uint32_t y = low[1]; y < high[1]; ++y)
                for (uint32_t z = low[2]; z < high[2]; ++z)
                    voxels[((size_t)x * edge + y) * edge + z] = (uint8_t)black;
    }
}
