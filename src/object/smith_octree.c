// Smith & Kitamura 1994, section 3.3, as printed: all bodies in one octree-like subdivision of the world
// cube, to a resolution level that the caller picks; a cell is split while it holds faces of two or more
// objects; faces are sorted into cells by a triangle-box test; pairs of faces that share a voxel are
// candidates, each once. Nothing of the tree is stored: lists of faces live on a stack during recursion.
//
// Departs from the paper in three things that change no result: the world cube is taken around the bodies
// instead of being given; the triangle-box test is the exact one of geom/touch.h instead of clipping; and
// repeated pairs are removed by sorting instead of by looking each one up.
//
// No pair is lost at any level: a point that two faces share lies in some closed voxel, and both faces then
// touch that voxel and all cells above it. Cells share their midpoints, so they leave no gap.
#include "object/smith_octree.h"

#include "geom/scalar.h"
#include "geom/touch.h"
#include "geom/triangle_octants.h"

#include <stdlib.h>

typedef struct Face {
    uint32_t surface;
    impi_BlockFace face;
} Face;

typedef struct Walk {
    imp_Context *context;
    const impi_SmithSearch *search;
    const Face *faces;
    impi_SmithCandidates *candidates;
} Walk;

static imp_Box overlap_region(const imp_Box *a, const imp_Box *b)
{
    return (imp_Box){
        {impi_larger(a->min.x, b->min.x), impi_larger(a->min.y, b->min.y), impi_larger(a->min.z, b->min.z)},
        {impi_smaller(a->max.x, b->max.x), impi_smaller(a->max.y, b->max.y),
         impi_smaller(a->max.z, b->max.z)}};
}

static bool touches_region(const Walk *walk, uint32_t surface, const imp_Triangle *triangle)
{
    for (size_t i = 0; i < walk->search->pair_count; ++i) {
        const impi_SurfacePair *pair = &walk->search->pairs[i];
        if (pair->a != surface && pair->b != surface)
            continue;
        imp_Box region = overlap_region(&walk->search->surfaces[pair->a]->bounds,
                                        &walk->search->surfaces[pair->b]->bounds);
        if (impi_triangle_touches_box(triangle, &region))
            return true;
    }
    return false;
}

static size_t face_count(const impi_Surface *surface)
{
    size_t count = 0;
    for (size_t i = 0; i < surface->blocks->block_count; ++i)
        count += surface->blocks->blocks[i].face_count;
    return count;
}

// 3.3.4: the faces of each object that intersect one of its overlap regions.
static size_t list_faces(const Walk *walk, Face *faces)
{
    size_t count = 0;
    for (uint32_t surface = 0; surface < walk->search->surface_count; ++surface) {
        const impi_FaceBlocks *blocks = walk->search->surfaces[surface]->blocks;
        for (uint32_t block = 0; block < blocks->block_count; ++block) {
            for (unsigned i = 0; i < blocks->blocks[block].face_count; ++i) {
                impi_BlockFace face = impi_block_face(block, i);
                imp_Triangle triangle = impi_surface_triangle(walk->search->surfaces[surface], face);
                if (touches_region(walk, surface, &triangle))
                    faces[count++] = (Face){surface, face};
            }
        }
    }
    return count;
}

// Halves first: sums and widths overflow near the largest double.
static imp_Box world_cube(const impi_Surface *const *surfaces, size_t count)
{
    imp_Box box = surfaces[0]->bounds;
    for (size_t i = 1; i < count; ++i) {
        const imp_Box *b = &surfaces[i]->bounds;
        box.min = (imp_Vec3){impi_smaller(box.min.x, b->min.x), impi_smaller(box.min.y, b->min.y),
                             impi_smaller(box.min.z, b->min.z)};
        box.max = (imp_Vec3){impi_larger(box.max.x, b->max.x), impi_larger(box.max.y, b->max.y),
                             impi_larger(box.max.z, b->max.z)};
    }
    double half =
        impi_larger(impi_larger(0.5 * box.max.x - 0.5 * box.min.x, 0.5 * box.max.y - 0.5 * box.min.y),
                    0.5 * box.max.z - 0.5 * box.min.z);
    imp_Vec3 centre = {0.5 * box.min.x + 0.5 * box.max.x, 0.5 * box.min.y + 0.5 * box.max.y,
                       0.5 * box.min.z + 0.5 * box.max.z};
    // The cube may not be smaller than the box, nor reach beyond the largest double.
    imp_Box cube = {{impi_larger(impi_smaller(centre.x - half, box.min.x), -0x1.fffffffffffffp1023),
                     impi_larger(impi_smaller(centre.y - half, box.min.y), -0x1.fffffffffffffp1023),
                     impi_larger(impi_smaller(centre.z - half, box.min.z), -0x1.fffffffffffffp1023)},
                    {impi_smaller(impi_larger(centre.x + half, box.max.x), 0x1.fffffffffffffp1023),
                     impi_smaller(impi_larger(centre.y + half, box.max.y), 0x1.fffffffffffffp1023),
                     impi_smaller(impi_larger(centre.z + half, box.max.z), 0x1.fffffffffffffp1023)}};
    return cube;
}

static bool holds_two_objects(const Walk *walk, const uint32_t *items, size_t count)
{
    for (size_t i = 1; i < count; ++i) {
        if (walk->faces[items[i]].surface != walk->faces[items[0]].surface)
            return true;
    }
    return false;
}

// The number of a surface pair, or pair_count when the two are not to be compared.
static size_t find_pair(const Walk *walk, uint32_t a, uint32_t b)
{
    size_t low = 0, high = walk->search->pair_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const impi_SurfacePair *pair = &walk->search->pairs[middle];
        if (pair->a < a || (pair->a == a && pair->b < b))
            low = middle + 1;
        else
            high = middle;
    }
    bool found =
        low < walk->search->pair_count && walk->search->pairs[low].a == a && walk->search->pairs[low].b == b;
    return found ? low : walk->search->pair_count;
}

// Items of a cell are in the order of surfaces, so the first of two has the lower number.
static bool pair_voxel(const Walk *walk, const uint32_t *items, size_t count)
{
    impi_SmithCandidates *candidates = walk->candidates;
    for (size_t i = 0; i < count; ++i) {
        for (size_t k = i + 1; k < count; ++k) {
            const Face *a = &walk->faces[items[i]], *b = &walk->faces[items[k]];
            size_t pair =
                a->surface == b->surface ? walk->search->pair_count : find_pair(walk, a->surface, b->surface);
            if (pair == walk->search->pair_count)
                continue;
            if (!impi_array_reserve(&walk->context->allocator, candidates, sizeof *candidates->data,
                                    candidates->count + 1))
                return false;
            candidates->data[candidates->count++] = (impi_SmithCandidate){(uint32_t)pair, {a->face, b->face}};
        }
    }
    return true;
}

// Half of a sum of two, by halves: sums overflow near the largest double.
static double middle(double low, double high)
{
    return 0.5 * low + 0.5 * high;
}

static impi_Octants octants_of(const imp_Box *cell)
{
    impi_Octants octants = {
        .planes = {{cell->min.x, middle(cell->min.x, cell->max.x), cell->max.x},
                   {cell->min.y, middle(cell->min.y, cell->max.y), cell->max.y},
                   {cell->min.z, middle(cell->min.z, cell->max.z), cell->max.z}},
    };
    impi_octants_make(&octants);
    return octants;
}

static imp_Box child_cell(const impi_Octants *octants, unsigned octant)
{
    unsigned x = octant & 1, y = octant >> 1 & 1, z = octant >> 2 & 1;
    return (imp_Box){{octants->planes[0][x], octants->planes[1][y], octants->planes[2][z]},
                     {octants->planes[0][x + 1], octants->planes[1][y + 1], octants->planes[2][z + 1]}};
}

static void find_octants(const Walk *walk, const impi_Octants *octants, const uint32_t *items, size_t count,
                         uint8_t *masks)
{
    for (size_t first = 0; first < count; first += IMPI_OCTANT_LANES) {
        imp_Triangle triangles[IMPI_OCTANT_LANES];
        size_t left = count - first, taken = left < IMPI_OCTANT_LANES ? left : IMPI_OCTANT_LANES;
        for (size_t i = 0; i < taken; ++i) {
            const Face *face = &walk->faces[items[first + i]];
            triangles[i] = impi_surface_triangle(walk->search->surfaces[face->surface], face->face);
        }
        impi_triangles_octants(triangles, taken, octants, masks + first);
    }
}

// 3.3.5. Recursion is as deep as the level, at most IMP_MAX_SMITH_LEVEL.
static bool subdivide(const Walk *walk, const imp_Box *cell, uint32_t level, const uint32_t *items,
                      size_t count)
{
    if (!holds_two_objects(walk, items, count))
        return true;
    if (level == walk->search->level)
        return pair_voxel(walk, items, count);
    impi_Arena *arena = &walk->context->scratch;
    impi_ArenaMark mark = impi_arena_mark(arena);
    impi_Octants octants = octants_of(cell);
    uint8_t *masks = impi_arena_allocate(arena, count);
    uint32_t *child_items = impi_arena_allocate_array(arena, count, sizeof *child_items);
    bool done = masks && child_items;
    if (done)
        find_octants(walk, &octants, items, count, masks);
    for (unsigned octant = 0; octant < 8 && done && !impi_budget_is_over(walk->search->budget); ++octant) {
        imp_Box child = child_cell(&octants, octant);
        size_t child_count = 0;
        for (size_t i = 0; i < count; ++i) {
            child_items[child_count] = items[i];
            child_count += masks[i] >> octant & 1;
        }
        done = subdivide(walk, &child, level + 1, child_items, child_count);
    }
    impi_arena_rewind(arena, mark);
    return done;
}

static int compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_candidates(const void *left, const void *right)
{
    const impi_SmithCandidate *a = left, *b = right;
    int order = compare_numbers(a->pair, b->pair);
    if (order == 0)
        order = compare_numbers(a->faces.a, b->faces.a);
    return order ? order : compare_numbers(a->faces.b, b->faces.b);
}

// A pair of faces is a candidate once, however many voxels the two share.
static void remove_repeated(impi_SmithCandidates *candidates)
{
    size_t kept = 0;
    if (candidates->count == 0)
        return;
    qsort(candidates->data, candidates->count, sizeof *candidates->data, compare_candidates);
    for (size_t i = 1; i < candidates->count; ++i) {
        if (compare_candidates(&candidates->data[kept], &candidates->data[i]) != 0)
            candidates->data[++kept] = candidates->data[i];
    }
    candidates->count = kept + 1;
}

imp_Status impi_smith_octree_candidates(imp_Context *context, const impi_SmithSearch *search,
                                        impi_SmithCandidates *candidates, bool *is_complete)
{
    Walk walk = {context, search, NULL, candidates};
    size_t total = 0;
    *is_complete = true;
    if (search->pair_count == 0)
        return IMP_STATUS_OK;
    for (size_t i = 0; i < search->surface_count; ++i)
        total += face_count(search->surfaces[i]);
    Face *faces = impi_arena_allocate_array(&context->scratch, total, sizeof *faces);
    uint32_t *items = impi_arena_allocate_array(&context->scratch, total, sizeof *items);
    if (!faces || !items)
        return impi_fail_out_of_memory(context);
    walk.faces = faces;
    size_t count = list_faces(&walk, faces);
    for (size_t i = 0; i < count; ++i)
        items[i] = (uint32_t)i;
    imp_Box cube = world_cube(search->surfaces, search->surface_count);
    if (!subdivide(&walk, &cube, 0, items, count))
        return impi_fail_out_of_memory(context);
    *is_complete = !impi_budget_is_over(search->budget);
    remove_repeated(candidates);
    return IMP_STATUS_OK;
}
