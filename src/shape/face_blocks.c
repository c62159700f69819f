// Blocks of faces by halving: the faces are split along the longest axis of their centres' box, at the
// multiple of 64 nearest to the middle, until 64 or fewer are left. Blocks come out full, compact, and in
// an order in which neighbours in the list are neighbours in space.
//
// Cost: n log(n / 64) for n faces, on average over their order.
#include "shape/face_blocks.h"

#include "base/array.h"
#include "geom/scalar.h"
#include "shape/bounds.h"

#include <math.h>
#include <string.h>

// Centres steer the grouping only, so single precision in a frame of the mesh is enough.
typedef struct Item {
    float centre[3];
    uint32_t face;
} Item;

static double coordinate(const imp_Vec3 *v, int axis)
{
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

static void fill_items(const imp_Mesh *mesh, Item *items)
{
    impi_UnitFrame frame = impi_unit_frame(&mesh->bounds);
    // The smallest subnormals would need a scale beyond the largest double.
    double scale = ldexp(1.0, frame.exponent < -1000 ? 1000 : -frame.exponent);
    for (size_t face = 0; face < mesh->arrays.triangle_count; ++face) {
        imp_Triangle t = impi_mesh_triangle(mesh, face);
        for (int axis = 0; axis < 3; ++axis) {
            double u = coordinate(&t.v[0], axis), v = coordinate(&t.v[1], axis),
                   w = coordinate(&t.v[2], axis);
            double low = impi_smaller(impi_smaller(u, v), w), high = impi_larger(impi_larger(u, v), w);
            items[face].centre[axis] =
                (float)((0.5 * low + 0.5 * high - coordinate(&frame.centre, axis)) * scale);
        }
        items[face].face = (uint32_t)face;
    }
}

static int longest_axis(const Item *items, size_t count)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < count; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            float centre = items[i].centre[axis];
            low[axis] = centre < low[axis] ? centre : low[axis];
            high[axis] = centre > high[axis] ? centre : high[axis];
        }
    }
    float x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
    return x >= y ? (x >= z ? 0 : 2) : (y >= z ? 1 : 2);
}

static bool is_before(const Item *a, const Item *b, int axis)
{
    if (a->centre[axis] != b->centre[axis])
        return a->centre[axis] < b->centre[axis];
    return a->face < b->face;
}

static void swap_items(Item *a, Item *b)
{
    Item kept = *a;
    *a = *b;
    *b = kept;
}

static Item middle_of_three(const Item *a, const Item *b, const Item *c, int axis)
{
    if (is_before(b, a, axis)) {
        const Item *kept = a;
        a = b;
        b = kept;
    }
    return is_before(c, a, axis) ? *a : is_before(c, b, axis) ? *c : *b;
}

// Quickselect: afterwards the first `split` items come before all others.
static void select_first(Item *items, size_t count, size_t split, int axis)
{
    size_t low = 0, high = count;
    while (high - low > 1) {
        Item pivot = middle_of_three(&items[low], &items[low + (high - low) / 2], &items[high - 1], axis);
        size_t i = low, j = high - 1;
        for (;;) {
            while (is_before(&items[i], &pivot, axis))
                ++i;
            while (is_before(&pivot, &items[j], axis))
                --j;
            if (i >= j)
                break;
            swap_items(&items[i++], &items[j--]);
        }
        // Items before i are not after the pivot, those from `after` on are not before it; between the two
        // stands at most the pivot itself. Both ranges are shorter than the whole.
        size_t after = i == j ? i + 1 : i;
        if (split >= i && split <= after)
            return;
        if (split < i)
            high = i;
        else
            low = after;
    }
}

// Halve until blocks are left; explicit stack, at most one entry per halving of 2^32 faces.
static void order_items(Item *items, size_t count)
{
    struct {
        size_t begin, end;
    } stack[64];
    size_t depth = 0;
    stack[depth].begin = 0;
    stack[depth++].end = count;
    while (depth > 0) {
        size_t begin = stack[--depth].begin, end = stack[depth].end, length = end - begin;
        if (length <= IMPI_BLOCK_FACES)
            continue;
        size_t blocks = (length + IMPI_BLOCK_FACES - 1) / IMPI_BLOCK_FACES;
        size_t split = blocks / 2 * IMPI_BLOCK_FACES;
        select_first(items + begin, length, split, longest_axis(items + begin, length));
        stack[depth].begin = begin + split;
        stack[depth++].end = end;
        stack[depth].begin = begin;
        stack[depth++].end = begin + split;
    }
}

// Where a vertex stands in the list of the block that used it last.
typedef struct VertexPlace {
    uint32_t block; // plus one; zero is none
    uint8_t position;
} VertexPlace;

static bool fill_block(const imp_Allocator *allocator, const uint32_t *indices, VertexPlace *places,
                       impi_FaceBlocks *blocks, uint32_t number)
{
    impi_FaceBlock *block = &blocks->blocks[number];
    IMPI_ARRAY(uint32_t) list = {blocks->vertices, blocks->vertex_count, blocks->vertex_capacity};
    if (!impi_array_reserve(allocator, &list, sizeof *list.data, list.count + (size_t)3 * IMPI_BLOCK_FACES))
        return false;
    block->first_vertex = (uint32_t)list.count;
    for (unsigned i = 0; i < block->face_count; ++i) {
        for (unsigned k = 0; k < 3; ++k) {
            uint32_t vertex = indices[3 * (size_t)block->faces[i] + k];
            if (places[vertex].block != number + 1) {
                places[vertex].block = number + 1;
                places[vertex].position = (uint8_t)(list.count - block->first_vertex);
                list.data[list.count++] = vertex;
            }
            block->corners[k][i] = places[vertex].position;
        }
    }
    block->vertex_count = (uint16_t)(list.count - block->first_vertex);
    blocks->vertices = list.data;
    blocks->vertex_count = list.count;
    blocks->vertex_capacity = list.capacity;
    return true;
}

static bool fill_blocks(const imp_Allocator *allocator, const Item *items, const uint32_t *indices,
                        size_t count, VertexPlace *places, impi_FaceBlocks *blocks)
{
    for (size_t number = 0; number < blocks->block_count; ++number) {
        impi_FaceBlock *block = &blocks->blocks[number];
        size_t begin = number * IMPI_BLOCK_FACES;
        size_t length = count - begin < IMPI_BLOCK_FACES ? count - begin : IMPI_BLOCK_FACES;
        memset(block, 0, sizeof *block);
        block->face_count = (uint16_t)length;
        for (size_t i = 0; i < length; ++i)
            block->faces[i] = items[begin + i].face;
        if (!fill_block(allocator, indices, places, blocks, (uint32_t)number))
            return false;
    }
    return true;
}

imp_Status impi_face_blocks_build(imp_Context *context, const imp_Mesh *mesh, impi_FaceBlocks *blocks)
{
    const imp_Allocator *allocator = &mesh->allocator;
    size_t vertex_count = mesh->arrays.vertex_count, triangle_count = mesh->arrays.triangle_count;
    if (triangle_count > UINT32_MAX / 3)
        return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE,
                         "%zu triangles are more than a body can have (%u)", triangle_count, UINT32_MAX / 3);
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    impi_FaceBlocks made = {0};
    made.block_count = (triangle_count + IMPI_BLOCK_FACES - 1) / IMPI_BLOCK_FACES;
    Item *items = impi_arena_allocate_array(&context->scratch, triangle_count, sizeof *items);
    VertexPlace *places = impi_arena_allocate_array(&context->scratch, vertex_count, sizeof *places);
    made.blocks = impi_allocate_array(allocator, made.block_count, sizeof *made.blocks);
    bool done = items && places && made.blocks;
    if (done) {
        fill_items(mesh, items);
        order_items(items, triangle_count);
        memset(places, 0, vertex_count * sizeof *places);
        done = fill_blocks(allocator, items, mesh->arrays.indices, triangle_count, places, &made);
    }
    impi_arena_rewind(&context->scratch, mark);
    if (!done) {
        impi_face_blocks_free(allocator, &made);
        return impi_fail_out_of_memory(context);
    }
    *blocks = made;
    return IMP_STATUS_OK;
}

void impi_face_blocks_free(const imp_Allocator *allocator, impi_FaceBlocks *blocks)
{
    impi_release(allocator, blocks->blocks, blocks->block_count * sizeof *blocks->blocks);
    impi_release(allocator, blocks->vertices, blocks->vertex_capacity * sizeof *blocks->vertices);
    *blocks = (impi_FaceBlocks){0};
}
