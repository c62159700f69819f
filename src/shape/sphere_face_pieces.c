// Faces are put into an order in which neighbours follow each other. A run of faces is looked at as the box
// around it, then as its halves, then face by face, then as pieces of faces, each of which begins with the
// spheres that its whole was left with (impi_CoverFront). So spheres far away are dropped for many faces at
// once, and the cost is about the number of pieces times the few spheres near each.
//
// A piece that no sphere meets makes its face bare at once. Spheres can be given so that faces would have to
// be divided into very many pieces, along the rims of balls that overlap by next to nothing; so the number of
// looks at balls is bounded, and a face that would need more is bare.
#include "shape/sphere_face_pieces.h"

#include "base/radix_sort.h"
#include "shape/spatial_order.h"

#include <string.h>

#define FACES_PER_GROUP 8   // these are looked at one by one
#define LEAST_BLOCK     256 // faces
#define MOST_BLOCKS     64  // each block begins with the root, which may have very many children
#define RECENT_SPHERES  8   // of a face: these are preferred, so that it is listed few times

// Looks at balls, for an effort of 1.
#define TESTS_A_FACE   (UINT64_C(1) << 11)
#define TESTS_A_SPHERE (UINT64_C(1) << 10)
#define TESTS_IN_ALL   (UINT64_C(1) << 21)

typedef struct Search {
    const impi_FacePiecesDef *def;
    const imp_Allocator *allocator;
    impi_Watch *watch;
    impi_SpatialItem *order;
    struct Block *blocks;
    size_t block_count;
} Search;

typedef struct Block {
    const Search *search;
    impi_CoverFront front;
    uint64_t test_limit;
    uint32_t face;
    uint32_t recent[RECENT_SPHERES];
    size_t recent_count; // of the face; the newest replace the oldest
    IMPI_ARRAY(uint64_t) keys;
    IMPI_ARRAY(impi_BareFace) bare;
    bool out_of_memory, is_bare; // the face is
} Block;

static bool is_ended(const Block *block)
{
    return block->front.is_ended || block->out_of_memory ||
           (block->is_bare && block->search->def->ends_at_first);
}

static void take_key(Block *block, uint32_t sphere, uint32_t face)
{
    if (!impi_array_reserve(block->search->allocator, &block->keys, sizeof *block->keys.data,
                            block->keys.count + 1)) {
        block->out_of_memory = true;
        return;
    }
    block->keys.data[block->keys.count++] = (uint64_t)sphere << 32 | face;
}

static void take_sphere(Block *block, uint32_t sphere)
{
    size_t known = block->recent_count < RECENT_SPHERES ? block->recent_count : RECENT_SPHERES;
    for (size_t i = 0; i < known; ++i)
        if (block->recent[i] == sphere)
            return;
    block->recent[block->recent_count++ % RECENT_SPHERES] = sphere;
    block->front.preferred_count = known < RECENT_SPHERES ? known + 1 : known;
    take_key(block, sphere, block->face);
}

static void take_bare(Block *block, const impi_CoverPiece *piece)
{
    if (!impi_array_reserve(block->search->allocator, &block->bare, sizeof *block->bare.data,
                            block->bare.count + 1)) {
        block->out_of_memory = true;
        return;
    }
    block->bare.data[block->bare.count++] = (impi_BareFace){block->face, *piece};
    block->is_bare = true;
}

static void cover_piece(Block *block, size_t begin, size_t end, const impi_CoverPiece *piece, unsigned depth)
{
    impi_CoverFront *front = &block->front;
    size_t top = front->nodes.count;
    if (front->test_count > block->test_limit) {
        take_bare(block, piece);
        return;
    }
    uint32_t sphere = impi_cover_front_narrow(front, begin, end, piece);
    size_t narrow_end = front->nodes.count;
    if (front->is_ended) // whatever it gave
        return;
    if (sphere != IMP_NO_SPHERE)
        take_sphere(block, sphere);
    else if (narrow_end == top || depth == IMPI_MAX_PIECE_DEPTH)
        take_bare(block, piece);
    else {
        impi_CoverPiece halves[2];
        impi_piece_bisect(piece, halves);
        for (unsigned i = 0; i < 2 && !block->is_bare && !is_ended(block); ++i)
            cover_piece(block, top, narrow_end, &halves[i], depth + 1);
    }
    front->nodes.count = top;
}

impi_CoverPiece impi_face_piece(const imp_Mesh *mesh, const impi_SphereChains *chains, uint32_t face)
{
    const uint32_t *corners = mesh->arrays.indices + 3 * (size_t)face;
    const imp_Vec3 *vertices = chains->vertices;
    return impi_triangle_piece(vertices[corners[0]], vertices[corners[1]], vertices[corners[2]]);
}

static impi_CoverPiece face_piece(const Search *search, uint32_t face)
{
    return impi_face_piece(search->def->mesh, search->def->chains, face);
}

static impi_CoverPiece group_box(const Search *search, size_t first, size_t end)
{
    impi_CoverPiece box = face_piece(search, search->order[first].id);
    for (size_t i = first; i < end; ++i) {
        impi_CoverPiece face = face_piece(search, search->order[i].id);
        impi_piece_join(&box, &face);
    }
    return box;
}

static void cover_faces(Block *block, size_t begin, size_t end, size_t first, size_t last)
{
    for (size_t i = first; i < last && !is_ended(block); ++i) {
        block->face = block->search->order[i].id;
        block->recent_count = block->front.preferred_count = 0;
        block->is_bare = false;
        impi_CoverPiece piece = face_piece(block->search, block->face);
        cover_piece(block, begin, end, &piece, 0);
        if (!impi_watch_step(block->search->watch, 1))
            block->front.is_ended = true;
    }
}

// The faces at [first, last) of the order, with the front at [begin, end).
static void cover_group(Block *block, size_t begin, size_t end, size_t first, size_t last)
{
    size_t top = block->front.nodes.count, count = last - first;
    impi_CoverPiece box = group_box(block->search, first, last);
    block->front.preferred_count = 0;
    uint32_t sphere = impi_cover_front_narrow(&block->front, begin, end, &box);
    size_t narrow_end = block->front.nodes.count;
    if (block->front.is_ended)
        return;
    if (sphere != IMP_NO_SPHERE) {
        for (size_t i = first; i < last; ++i)
            take_key(block, sphere, block->search->order[i].id);
        if (!impi_watch_step(block->search->watch, count))
            block->front.is_ended = true;
    } else if (count > FACES_PER_GROUP && block->front.test_count <= block->test_limit) {
        size_t middle = first + impi_block_count(count / 2, FACES_PER_GROUP) * FACES_PER_GROUP;
        cover_group(block, top, narrow_end, first, middle);
        if (!is_ended(block))
            cover_group(block, top, narrow_end, middle, last);
    } else
        cover_faces(block, top, narrow_end, first, last);
    block->front.nodes.count = top;
}

// Of a block of so many faces. What is not for the faces themselves is shared by the blocks evenly.
static uint64_t test_limit(const Search *search, size_t face_count)
{
    uint64_t shared = TESTS_IN_ALL + TESTS_A_SPHERE * search->def->chains->count;
    return search->def->effort * (TESTS_A_FACE * face_count + shared / search->block_count);
}

static void cover_block(size_t begin, size_t end, size_t number, void *argument)
{
    Search *search = argument;
    Block *block = &search->blocks[number];
    *block = (Block){
        .search = search,
        .front = {.chains = search->def->chains, .allocator = search->allocator, .watch = search->watch},
        .test_limit = test_limit(search, end - begin)};
    block->front.preferred = block->recent;
    impi_cover_front_begin(&block->front);
    if (!block->front.is_ended)
        cover_group(block, 0, 1, begin, end);
    impi_cover_front_free(&block->front);
}

// ---- joining what blocks found

static imp_Status join_keys(imp_Context *context, const Search *search, impi_FacePieces *pieces)
{
    size_t total = 0, filled = 0, distinct = 0;
    for (size_t i = 0; i < search->block_count; ++i)
        total += search->blocks[i].keys.count;
    uint64_t *keys = impi_arena_allocate_array(&context->scratch, total, sizeof *keys);
    uint64_t *spare = impi_arena_allocate_array(&context->scratch, total, sizeof *spare);
    if (!keys || !spare)
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < search->block_count; ++i) {
        const Block *block = &search->blocks[i];
        if (block->keys.count > 0)
            memcpy(keys + filled, block->keys.data, block->keys.count * sizeof *keys);
        filled += block->keys.count;
    }
    impi_watch_work(&context->watch, "sorting faces", total ? total : 1);
    keys = impi_radix_sort_packed_watched(&context->watch, keys, spare, total, 0, 64);
    if (!keys)
        return impi_watch_status(context);
    for (size_t i = 0; i < total; ++i)
        if (i == 0 || keys[i] != keys[i - 1])
            keys[distinct++] = keys[i];
    pieces->keys = keys;
    pieces->key_count = distinct;
    return IMP_STATUS_OK;
}

static imp_Status join_bare(imp_Context *context, const Search *search, impi_FacePieces *pieces)
{
    size_t total = 0;
    for (size_t i = 0; i < search->block_count; ++i)
        total += search->blocks[i].bare.count;
    pieces->bare = impi_arena_allocate_array(&context->scratch, total, sizeof *pieces->bare);
    if (!pieces->bare)
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < search->block_count; ++i) {
        const Block *block = &search->blocks[i];
        if (block->bare.count > 0)
            memcpy(pieces->bare + pieces->bare_count, block->bare.data,
                   block->bare.count * sizeof *pieces->bare);
        pieces->bare_count += block->bare.count;
    }
    return IMP_STATUS_OK;
}

static imp_Status deliver(imp_Context *context, const Search *search, impi_FacePieces *pieces)
{
    imp_Status status = impi_watch_status(context);
    for (size_t i = 0; i < search->block_count && status == IMP_STATUS_OK; ++i)
        if (search->blocks[i].out_of_memory || search->blocks[i].front.out_of_memory)
            status = impi_fail_out_of_memory(context);
    *pieces = (impi_FacePieces){0};
    if (status == IMP_STATUS_OK)
        status = join_keys(context, search, pieces);
    return status == IMP_STATUS_OK ? join_bare(context, search, pieces) : status;
}

static imp_Status put_in_order(imp_Context *context, Search *search)
{
    size_t count = search->def->mesh->arrays.triangle_count;
    search->order = impi_arena_allocate_array(&context->scratch, count, sizeof *search->order);
    if (!search->order)
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < count; ++i) {
        impi_CoverPiece face = face_piece(search, (uint32_t)i);
        search->order[i] = (impi_SpatialItem){{(float)((face.min.x + face.max.x) / 2),
                                               (float)((face.min.y + face.max.y) / 2),
                                               (float)((face.min.z + face.max.z) / 2)},
                                              (uint32_t)i};
    }
    impi_watch_work(&context->watch, "sorting faces", count);
    return impi_spatial_order(&context->watch, search->order, count, FACES_PER_GROUP)
               ? IMP_STATUS_OK
               : impi_watch_status(context);
}

imp_Status impi_face_pieces_find(imp_Context *context, const impi_FacePiecesDef *def, impi_FacePieces *pieces)
{
    Search search = {.def = def, .allocator = &context->allocator, .watch = &context->watch};
    size_t count = def->mesh->arrays.triangle_count;
    size_t block_size = impi_block_count(count, MOST_BLOCKS);
    block_size = impi_block_count(block_size > LEAST_BLOCK ? block_size : LEAST_BLOCK, FACES_PER_GROUP) *
                 FACES_PER_GROUP;
    imp_Status status = put_in_order(context, &search);
    if (status != IMP_STATUS_OK)
        return status;
    search.block_count = impi_block_count(count, block_size);
    search.blocks = impi_arena_allocate_array(&context->scratch, search.block_count, sizeof *search.blocks);
    if (!search.blocks)
        return impi_fail_out_of_memory(context);
    impi_watch_work(&context->watch, def->work, count);
    impi_parallel_for(&context->executor, count, block_size, cover_block, &search);
    status = deliver(context, &search, pieces);
    for (size_t i = 0; i < search.block_count; ++i) {
        impi_array_free(&context->allocator, &search.blocks[i].keys, sizeof(uint64_t));
        impi_array_free(&context->allocator, &search.blocks[i].bare, sizeof(impi_BareFace));
    }
    return status;
}
