// Each face is cut to slabs of the grid along x, what is left of it along y, and what is left of that along
// z: the rest is the common part of face and closed box, of which a point is strictly inside of the box if
// and only if for each of the six walls some corner is off it. How often the surface winds around a center is
// counted along a ray in a random direction; a ray that meets an edge is drawn anew.
#include "octree_oracle.h"

#include "exact_polygon.h"
#include "harness.h"

#include <stdlib.h>

// What is needed of a face to follow rays in a direction d. With p the start of a ray, corners a, b, c, and n
// the normal (b - a) x (c - a), the line meets the face if all (d x (b - a)) . (p - a), around the face, have
// the sign of d . n, and does so ahead of p if n . (a - p) has that sign too.
typedef struct FaceRays {
    mpz_t normal[4], sides[3][4]; // their products with (p, -1)
    int sense;                    // the sign of d . n
    bool is_flat;                 // without area
} FaceRays;

typedef struct Judge {
    OracleVoxels *voxels;
    size_t vertex_count;
    const uint32_t *indices;
    const imp_Vec3 *vertices;
    int scale;
    mpz_t *coordinates;      // of vertices
    ExactSpace *walls[3][2]; // at each corner: above and below
    FaceRays *rays;
    ExactPolygon whole, cuts[3], spare;
    mpz_t a, b, c, direction[3];
} Judge;

double oracle_grid_corner(const imp_OctreeGrid *grid, int axis, uint32_t i)
{
    double step = (double)i * grid->voxel;
    return (&grid->origin.x)[axis] + step;
}

// ---- whole numbers

static void read_walls(Judge *judge, const imp_OctreeGrid *grid)
{
    uint32_t count = judge->voxels->edge + 1;
    for (int axis = 0; axis < 3; ++axis)
        for (int above = 0; above < 2; ++above) {
            judge->walls[axis][above] = malloc(count * sizeof(ExactSpace));
            for (uint32_t i = 0; i < count; ++i) {
                ExactSpace *wall = &judge->walls[axis][above][i];
                exact_space_init(wall);
                exact_set_double(judge->a, oracle_grid_corner(grid, axis, i), judge->scale);
                exact_space_along(wall, axis, above, judge->a);
            }
        }
}

static void set_scale(Judge *judge, const imp_OctreeGrid *grid)
{
    judge->scale = exact_scale_of(&judge->vertices->x, (int)(3 * judge->vertex_count));
    for (int axis = 0; axis < 3; ++axis)
        for (uint32_t i = 0; i <= judge->voxels->edge; ++i) {
            double corner = oracle_grid_corner(grid, axis, i);
            int scale = exact_scale_of(&corner, 1);
            judge->scale = scale > judge->scale ? scale : judge->scale;
        }
    ++judge->scale; // for the middle of two corners
}

static void judge_begin(Judge *judge, const imp_Mesh *mesh, const imp_OctreeGrid *grid, OracleVoxels *voxels)
{
    *judge = (Judge){.voxels = voxels,
                     .vertex_count = imp_mesh_get_vertex_count(mesh),
                     .indices = imp_mesh_get_indices(mesh),
                     .vertices = imp_mesh_get_vertices(mesh)};
    mpz_inits(judge->a, judge->b, judge->c, judge->direction[0], judge->direction[1], judge->direction[2],
              NULL);
    set_scale(judge, grid);
    read_walls(judge, grid);
    judge->coordinates = malloc(3 * judge->vertex_count * sizeof *judge->coordinates);
    for (size_t i = 0; i < 3 * judge->vertex_count; ++i) {
        mpz_init(judge->coordinates[i]);
        exact_set_double(judge->coordinates[i], (&judge->vertices->x)[i], judge->scale);
    }
    exact_polygon_init(&judge->whole);
    exact_polygon_init(&judge->spare);
    for (int i = 0; i < 3; ++i)
        exact_polygon_init(&judge->cuts[i]);
}

static void judge_end(Judge *judge)
{
    for (int axis = 0; axis < 3; ++axis)
        for (int above = 0; above < 2; ++above) {
            for (uint32_t i = 0; i <= judge->voxels->edge; ++i)
                exact_space_clear(&judge->walls[axis][above][i]);
            free(judge->walls[axis][above]);
        }
    for (size_t i = 0; i < 3 * judge->vertex_count; ++i)
        mpz_clear(judge->coordinates[i]);
    free(judge->coordinates);
    exact_polygon_clear(&judge->whole);
    exact_polygon_clear(&judge->spare);
    for (int i = 0; i < 3; ++i)
        exact_polygon_clear(&judge->cuts[i]);
    mpz_clears(judge->a, judge->b, judge->c, judge->direction[0], judge->direction[1], judge->direction[2],
               NULL);
}

// ---- faces and boxes

static void load_face(Judge *judge, size_t face)
{
    judge->whole.count = 0;
    for (int k = 0; k < 3; ++k) {
        mpz_t *corner = judge->coordinates + 3 * (size_t)judge->indices[3 * face + (size_t)k];
        exact_polygon_add(&judge->whole, corner[0], corner[1], corner[2]);
    }
}

static void note_face(Judge *judge, size_t face, const uint32_t at[3])
{
    uint32_t edge = judge->voxels->edge;
    size_t voxel = ((size_t)at[0] * edge + at[1]) * edge + at[2];
    bool is_inside = true;
    for (int axis = 0; axis < 3; ++axis)
        is_inside = is_inside && exact_polygon_enters(&judge->cuts[2], &judge->walls[axis][1][at[axis]]) &&
                    exact_polygon_enters(&judge->cuts[2], &judge->walls[axis][0][at[axis] + 1]);
    judge->voxels->facts[voxel] |= (uint8_t)(ORACLE_TOUCHES | (is_inside ? ORACLE_MEETS : 0));
    judge->voxels->face_lists[voxel * judge->voxels->face_count + face] = 1;
}

// What is left of a face along the axes below `axis` lies in slabs of this one.
static void cut_face(Judge *judge, size_t face, int axis, const ExactPolygon *rest, uint32_t at[3])
{
    for (at[axis] = 0; at[axis] < judge->voxels->edge; ++at[axis]) {
        exact_polygon_cut(rest, &judge->walls[axis][1][at[axis]], &judge->spare);
        if (judge->spare.count == 0)
            return; // slabs further up are above all of it
        exact_polygon_cut(&judge->spare, &judge->walls[axis][0][at[axis] + 1], &judge->cuts[axis]);
        if (judge->cuts[axis].count == 0)
            continue;
        if (axis == 2)
            note_face(judge, face, at);
        else
            cut_face(judge, face, axis + 1, &judge->cuts[axis], at);
    }
}

static void find_cut(Judge *judge)
{
    uint32_t edge = judge->voxels->edge;
    for (size_t face = 0; face < judge->voxels->face_count; ++face) {
        load_face(judge, face);
        for (int k = 0; k < 3; ++k)
            for (int axis = 0; axis < 3; ++axis)
                judge->voxels->is_cut |=
                    exact_side(&judge->walls[axis][1][0], &judge->whole.corners[k]) < 0 ||
                    exact_side(&judge->walls[axis][0][edge], &judge->whole.corners[k]) < 0;
    }
}

bool oracle_triangle_enters_box(const imp_Triangle *triangle, const imp_Box *box)
{
    static bool is_ready; // kept from call to call, so that GMP seldom has to allocate
    static ExactPolygon polygons[2];
    static ExactSpace spaces[6];
    static mpz_t p[3];
    int scale = exact_scale_of(&triangle->v[0].x, 9), box_scale = exact_scale_of(&box->min.x, 6);
    scale = box_scale > scale ? box_scale : scale;
    for (int i = 0; i < 6 && !is_ready; ++i) {
        exact_space_init(&spaces[i]);
        if (i < 3)
            mpz_init(p[i]);
        if (i < 2)
            exact_polygon_init(&polygons[i]);
    }
    is_ready = true;
    polygons[0].count = 0;
    for (int k = 0; k < 3; ++k) {
        for (int axis = 0; axis < 3; ++axis)
            exact_set_double(p[axis], (&triangle->v[k].x)[axis], scale);
        exact_polygon_add(&polygons[0], p[0], p[1], p[2]);
    }
    for (int i = 0; i < 6; ++i) {
        exact_set_double(p[0], i % 2 ? (&box->min.x)[i / 2] : (&box->max.x)[i / 2], scale);
        exact_space_along(&spaces[i], i / 2, i % 2, p[0]);
        exact_polygon_cut(&polygons[i % 2], &spaces[i], &polygons[1 - i % 2]);
    }
    bool enters = true;
    for (int i = 0; i < 6 && enters; ++i)
        enters = exact_polygon_enters(&polygons[0], &spaces[i]);
    return enters;
}

// ---- rays

static void set_cross(mpz_t *product, mpz_t *u, mpz_t *v)
{
    for (int k = 0; k < 3; ++k) {
        mpz_mul(product[k], u[(k + 1) % 3], v[(k + 2) % 3]);
        mpz_submul(product[k], u[(k + 2) % 3], v[(k + 1) % 3]);
    }
}

static void set_dot(mpz_t product, mpz_t *u, mpz_t *v)
{
    mpz_set_ui(product, 0);
    for (int k = 0; k < 3; ++k)
        mpz_addmul(product, u[k], v[k]);
}

// False when a face with an area is parallel to the direction.
static bool aim_at_face(Judge *judge, size_t face, mpz_t edges[3][3])
{
    FaceRays *rays = &judge->rays[face];
    for (int k = 0; k < 3; ++k)
        for (int axis = 0; axis < 3; ++axis)
            mpz_sub(edges[k][axis],
                    judge->coordinates[3 * judge->indices[3 * face + (size_t)((k + 1) % 3)] + (uint32_t)axis],
                    judge->coordinates[3 * judge->indices[3 * face + (size_t)k] + (uint32_t)axis]);
    set_cross(rays->normal, edges[0], edges[1]);
    set_dot(rays->normal[3], rays->normal, judge->coordinates + 3 * (size_t)judge->indices[3 * face]);
    rays->is_flat =
        mpz_sgn(rays->normal[0]) == 0 && mpz_sgn(rays->normal[1]) == 0 && mpz_sgn(rays->normal[2]) == 0;
    for (int k = 0; k < 3; ++k) {
        set_cross(rays->sides[k], judge->direction, edges[k]);
        set_dot(rays->sides[k][3], rays->sides[k],
                judge->coordinates + 3 * (size_t)judge->indices[3 * face + (size_t)k]);
    }
    set_dot(judge->a, judge->direction, rays->normal);
    rays->sense = mpz_sgn(judge->a);
    return rays->is_flat || rays->sense != 0;
}

static void aim(Judge *judge)
{
    mpz_t edges[3][3];
    for (int k = 0; k < 9; ++k)
        mpz_init(edges[k / 3][k % 3]);
    bool is_generic = false;
    while (!is_generic) {
        for (int k = 0; k < 3; ++k)
            mpz_set_si(judge->direction[k], (long)test_random_below(1u << 30) - (1 << 29));
        is_generic = true;
        for (size_t face = 0; face < judge->voxels->face_count && is_generic; ++face)
            is_generic = aim_at_face(judge, face, edges);
    }
    for (int k = 0; k < 9; ++k)
        mpz_clear(edges[k / 3][k % 3]);
}

// The sign of form . p - its last number.
static int sign_at(Judge *judge, mpz_t *form, mpz_t *p)
{
    set_dot(judge->a, form, p);
    return mpz_cmp(judge->a, form[3]);
}

typedef enum Passage { PASSES_BY, PASSES_THROUGH, PASSES_EDGE, STARTS_ON } Passage;

static Passage pass_face(Judge *judge, const FaceRays *rays, mpz_t *p)
{
    bool meets_edge = false;
    for (int k = 0; k < 3; ++k) {
        int side = sign_at(judge, (mpz_t *)rays->sides[k], p);
        if (side == -rays->sense)
            return PASSES_BY;
        meets_edge |= side == 0;
    }
    int height = sign_at(judge, (mpz_t *)rays->normal, p);
    if (height == 0)
        return STARTS_ON;
    if (height == rays->sense)
        return PASSES_BY; // it lies behind
    return meets_edge ? PASSES_EDGE : PASSES_THROUGH;
}

// A face without area is a segment or a point, which is cut down to the center.
static bool flat_face_holds(Judge *judge, size_t face, mpz_t *p)
{
    ExactSpace space;
    load_face(judge, face);
    exact_space_init(&space);
    for (int axis = 0; axis < 3 && judge->whole.count > 0; ++axis) {
        exact_space_along(&space, axis, true, p[axis]);
        exact_polygon_cut(&judge->whole, &space, &judge->spare);
        exact_space_along(&space, axis, false, p[axis]);
        exact_polygon_cut(&judge->spare, &space, &judge->whole);
    }
    exact_space_clear(&space);
    return judge->whole.count > 0;
}

static uint8_t judge_center(Judge *judge, mpz_t *p)
{
    long winding = 0;
    for (size_t face = 0; face < judge->voxels->face_count; ++face)
        if (judge->rays[face].is_flat && flat_face_holds(judge, face, p))
            return ORACLE_CENTRE_ON;
    bool is_generic = true;
    for (size_t face = 0; face < judge->voxels->face_count; ++face) {
        if (judge->rays[face].is_flat)
            continue;
        Passage passage = pass_face(judge, &judge->rays[face], p);
        if (passage == STARTS_ON)
            return ORACLE_CENTRE_ON; // whatever else the ray meets
        is_generic &= passage != PASSES_EDGE;
        winding += passage == PASSES_THROUGH ? judge->rays[face].sense : 0;
    }
    if (!is_generic) {
        aim(judge);
        return judge_center(judge, p);
    }
    return winding != 0 ? ORACLE_CENTRE_WOUND : 0;
}

static void judge_centers(Judge *judge, const imp_OctreeGrid *grid)
{
    uint32_t edge = judge->voxels->edge;
    mpz_t p[3];
    mpz_inits(p[0], p[1], p[2], NULL);
    judge->rays = malloc(judge->voxels->face_count * sizeof *judge->rays);
    for (size_t face = 0; face < judge->voxels->face_count; ++face)
        for (int k = 0; k < 16; ++k)
            mpz_init(k < 4 ? judge->rays[face].normal[k] : judge->rays[face].sides[k / 4 - 1][k % 4]);
    aim(judge);
    for (size_t voxel = 0; voxel < judge->voxels->count; ++voxel) {
        size_t at[3] = {voxel / edge / edge, voxel / edge % edge, voxel % edge};
        for (int axis = 0; axis < 3; ++axis) {
            exact_set_double(p[axis], oracle_grid_corner(grid, axis, (uint32_t)at[axis]), judge->scale);
            exact_set_double(judge->b, oracle_grid_corner(grid, axis, (uint32_t)at[axis] + 1), judge->scale);
            mpz_add(p[axis], p[axis], judge->b);
            mpz_divexact_ui(p[axis], p[axis], 2);
        }
        judge->voxels->facts[voxel] |= judge_center(judge, p);
    }
    for (size_t face = 0; face < judge->voxels->face_count; ++face)
        for (int k = 0; k < 16; ++k)
            mpz_clear(k < 4 ? judge->rays[face].normal[k] : judge->rays[face].sides[k / 4 - 1][k % 4]);
    free(judge->rays);
    mpz_clears(p[0], p[1], p[2], NULL);
}

// ---- voxels

OracleVoxels oracle_voxels_make(const imp_Mesh *mesh, const imp_OctreeGrid *grid, bool is_closed)
{
    OracleVoxels voxels = {.edge = 1u << grid->level, .face_count = imp_mesh_get_triangle_count(mesh)};
    Judge judge;
    uint32_t at[3];
    voxels.count = (size_t)1 << 3 * grid->level;
    voxels.facts = calloc(voxels.count, 1);
    voxels.face_lists = calloc(voxels.count, voxels.face_count);
    judge_begin(&judge, mesh, grid, &voxels);
    for (size_t face = 0; face < voxels.face_count; ++face) {
        load_face(&judge, face);
        cut_face(&judge, face, 0, &judge.whole, at);
    }
    find_cut(&judge);
    if (is_closed)
        judge_centers(&judge, grid);
    judge_end(&judge);
    return voxels;
}

void oracle_voxels_free(OracleVoxels *voxels)
{
    free(voxels->facts);
    free(voxels->face_lists);
}

static bool is_outside(const OracleVoxels *voxels, const uint8_t *black, int x, int y, int z)
{
    int edge = (int)voxels->edge;
    return x < 0 || y < 0 || z < 0 || x == edge || y == edge || z == edge ||
           !black[(x * edge + y) * edge + z];
}

// Everything is black at first but what nothing touches beside the outside, until that grows no more.
static void flood(const OracleVoxels *voxels, uint8_t *black)
{
    int edge = (int)voxels->edge;
    bool has_grown = true;
    for (size_t i = 0; i < voxels->count; ++i)
        black[i] = 1;
    while (has_grown) {
        has_grown = false;
        for (int i = 0; i < (int)voxels->count; ++i) {
            int x = i / edge / edge, y = i / edge % edge, z = i % edge;
            if (!black[i] || voxels->facts[i] & ORACLE_TOUCHES)
                continue;
            if (is_outside(voxels, black, x - 1, y, z) || is_outside(voxels, black, x + 1, y, z) ||
                is_outside(voxels, black, x, y - 1, z) || is_outside(voxels, black, x, y + 1, z) ||
                is_outside(voxels, black, x, y, z - 1) || is_outside(voxels, black, x, y, z + 1)) {
                black[i] = 0;
                has_grown = true;
            }
        }
    }
}

void oracle_voxels_colour(const OracleVoxels *voxels, imp_OctreeRule rule, uint8_t *black)
{
    if (rule == IMP_OCTREE_SEALED) {
        flood(voxels, black);
        return;
    }
    for (size_t i = 0; i < voxels->count; ++i) {
        uint8_t facts = voxels->facts[i];
        bool is_gray = facts & ORACLE_MEETS, winds = facts & ORACLE_CENTRE_WOUND;
        black[i] = rule == IMP_OCTREE_OUTER    ? is_gray || winds
                   : rule == IMP_OCTREE_INNER  ? !is_gray && winds
                   : rule == IMP_OCTREE_CENTRE ? winds || facts & ORACLE_CENTRE_ON
                   : rule == IMP_OCTREE_TOUCH  ? winds || facts & ORACLE_TOUCHES
                                               : (facts & ORACLE_TOUCHES) != 0;
    }
}
