// Every point of a closed solid lies in its bounds, and these are divided into boxes until each box
//   - lies in all balls of one chain, since its eight corners do: its points are covered; or
//   - is outside: no face meets the closed box, which triangle_box.c tells exactly, so that all of its points
//     are on the same side of the surface, and one of its corners is outside, which the winding number tells
//     exactly. None of its points is of the solid; or
//   - can't be divided further, or has cost too much: nothing is proven.
// Boxes inherit the spheres near them, as pieces of faces do, and the faces that meet them.
#include "shape/sphere_solid_boxes.h"

#include "geom/scalar.h"
#include "geom/touch.h"

#define FACES_PER_LOOK 256 // at who watches
// Looks at balls in each of the first boxes, for an effort of 1.
#define TESTS_A_FACE   (UINT64_C(1) << 7)
#define TESTS_A_SPHERE (UINT64_C(1) << 9)
#define TESTS_A_BOX    (UINT64_C(1) << 16)
#define FACE_TESTS     32 // the exact test of a face and a box costs as much as so many looks at balls

// A double between the sides of a box.
typedef struct Cut {
    bool exists;
    double half_extent; // not of the extent, which may overflow
    double middle;
} Cut;

static Cut find_cut(double low, double high)
{
    double extent = high - low, middle = isfinite(extent) ? low + extent / 2 : low / 2 + high / 2;
    return (Cut){low < middle && middle < high, high / 2 - low / 2, middle};
}

static bool is_longer(const Cut *a, const Cut *b)
{
    return a->exists && (!b->exists || a->half_extent > b->half_extent);
}

bool impi_solid_box_bisect(const impi_SolidBox *box, impi_SolidBox halves[2])
{
    const imp_Vec3 *min = &box->box.min, *max = &box->box.max;
    Cut x = find_cut(min->x, max->x), y = find_cut(min->y, max->y), z = find_cut(min->z, max->z);
    if (box->depth == IMPI_MAX_BOX_DEPTH || !(x.exists || y.exists || z.exists))
        return false;
    halves[0] = halves[1] =
        (impi_SolidBox){.box = box->box, .depth = box->depth + 1, .is_inside = box->is_inside};
    if (is_longer(&z, &x) && is_longer(&z, &y))
        halves[0].box.max.z = halves[1].box.min.z = z.middle;
    else if (is_longer(&y, &x))
        halves[0].box.max.y = halves[1].box.min.y = y.middle;
    else
        halves[0].box.max.x = halves[1].box.min.x = x.middle;
    return true;
}

size_t impi_solid_boxes_begin(const imp_Mesh *mesh, impi_SolidBox boxes[IMPI_TOP_BOXES])
{
    size_t count = 1;
    boxes[0] = (impi_SolidBox){.box = mesh->shape.bounds};
    for (bool is_divided = true; is_divided && 2 * count <= IMPI_TOP_BOXES;) {
        is_divided = false;
        for (size_t i = 0, end = count; i < end; ++i) {
            impi_SolidBox halves[2];
            if (!impi_solid_box_bisect(&boxes[i], halves))
                continue;
            boxes[i] = halves[0];
            boxes[count++] = halves[1];
            is_divided = true;
        }
    }
    return count;
}

impi_CoverPiece impi_solid_box_piece(const impi_LocalFrame *frame, const impi_SolidBox *box)
{
    return (impi_CoverPiece){
        .min = impi_to_local(frame, box->box.min), .max = impi_to_local(frame, box->box.max), .is_box = true};
}

void impi_solid_division_begin(impi_SolidDivision *division)
{
    size_t count = division->mesh->arrays.triangle_count;
    division->faces.count = 0;
    if (!impi_array_reserve(division->allocator, &division->faces, sizeof *division->faces.data, count)) {
        division->out_of_memory = division->is_ended = true;
        return;
    }
    for (size_t i = 0; i < count; ++i)
        division->faces.data[i] = (uint32_t)i;
    division->faces.count = count;
}

void impi_solid_division_free(impi_SolidDivision *division)
{
    impi_array_free(division->allocator, &division->faces, sizeof *division->faces.data);
}

static void find_faces(impi_SolidDivision *division, size_t begin, size_t end, impi_SolidBox *box)
{
    box->begin = division->faces.count;
    if (!impi_array_reserve(division->allocator, &division->faces, sizeof *division->faces.data,
                            box->begin + (end - begin)))
        division->out_of_memory = division->is_ended = true;
    for (size_t i = begin; i < end && !division->is_ended; ++i) {
        uint32_t face = division->faces.data[i];
        imp_Triangle triangle = impi_mesh_triangle(division->mesh, face);
        if (impi_triangle_touches_box(&triangle, &box->box))
            division->faces.data[division->faces.count++] = face;
        if (++division->test_count % FACES_PER_LOOK == 0 && !impi_watch_goes_on(division->watch))
            division->is_ended = true;
    }
    box->end = division->faces.count;
}

bool impi_solid_box_is_outside(impi_SolidDivision *division, size_t begin, size_t end, impi_SolidBox *box)
{
    if (box->is_inside) {
        box->begin = box->end = division->faces.count;
        return false;
    }
    find_faces(division, begin, end, box);
    if (division->is_ended)
        return true;
    if (box->begin == box->end) {
        if (impi_point_locator_wind(division->locator, box->box.min, IMPI_NO_COMPONENT).number == 0)
            return true;
        box->is_inside = true;
    }
    return false;
}

// ---- the search

typedef struct Search {
    const impi_SolidBoxesDef *def;
    const imp_Allocator *allocator;
    impi_Watch *watch;
    impi_SolidBox tops[IMPI_TOP_BOXES];
    struct Block *blocks;
} Search;

typedef struct Block {
    const Search *search;
    impi_CoverFront front;
    impi_SolidDivision division;
    uint64_t test_limit;
    bool is_bare;
    imp_Box part;
} Block;

static bool is_ended(const Block *block)
{
    return block->is_bare || block->front.is_ended || block->division.is_ended;
}

static void take_bare(Block *block, const impi_SolidBox *box)
{
    block->is_bare = true;
    block->part = box->box;
}

// With the front and the faces at these places of their stacks.
static void cover_box(Block *block, size_t front_begin, size_t front_end, size_t faces_begin,
                      size_t faces_end, impi_SolidBox *box)
{
    size_t front_top = block->front.nodes.count, faces_top = block->division.faces.count;
    impi_CoverPiece piece = impi_solid_box_piece(&block->search->def->chains->frame, box);
    if (block->front.test_count + FACE_TESTS * block->division.test_count > block->test_limit) {
        take_bare(block, box);
        return;
    }
    uint32_t sphere = impi_cover_front_narrow(&block->front, front_begin, front_end, &piece);
    size_t narrow_end = block->front.nodes.count;
    bool is_settled = sphere != IMP_NO_SPHERE || block->front.is_ended ||
                      impi_solid_box_is_outside(&block->division, faces_begin, faces_end, box);
    impi_SolidBox halves[2];
    if (!is_settled && (narrow_end == front_top || !impi_solid_box_bisect(box, halves)))
        take_bare(block, box);
    else if (!is_settled)
        for (unsigned i = 0; i < 2 && !is_ended(block); ++i)
            cover_box(block, front_top, narrow_end, box->begin, box->end, &halves[i]);
    block->front.nodes.count = front_top;
    block->division.faces.count = faces_top;
}

static void cover_block(size_t begin, size_t end, size_t number, void *argument)
{
    Search *search = argument;
    (void)begin;
    (void)end;
    Block *block = &search->blocks[number];
    *block = (Block){
        .search = search,
        .front = {.chains = search->def->chains, .allocator = search->allocator, .watch = search->watch},
        .division = {.mesh = search->def->mesh,
                     .locator = search->def->locator,
                     .allocator = search->allocator,
                     .watch = search->watch}};
    block->test_limit = search->def->effort * (TESTS_A_BOX + TESTS_A_SPHERE * search->def->chains->count +
                                               TESTS_A_FACE * search->def->mesh->arrays.triangle_count);
    impi_SolidBox box = search->tops[number];
    impi_cover_front_begin(&block->front);
    impi_solid_division_begin(&block->division);
    if (!is_ended(block))
        cover_box(block, 0, 1, 0, block->division.faces.count, &box);
    if (!impi_watch_step(search->watch, 1))
        block->division.is_ended = true;
    impi_solid_division_free(&block->division);
    impi_cover_front_free(&block->front);
}

imp_Status impi_solid_boxes_find(imp_Context *context, const impi_SolidBoxesDef *def, impi_BareBox *bare,
                                 size_t *bare_count)
{
    Search search = {.def = def, .allocator = &context->allocator, .watch = &context->watch};
    size_t count = impi_solid_boxes_begin(def->mesh, search.tops);
    search.blocks = impi_arena_allocate_array(&context->scratch, count, sizeof *search.blocks);
    if (!search.blocks)
        return impi_fail_out_of_memory(context);
    impi_watch_work(&context->watch, def->work, count);
    impi_parallel_for(&context->executor, count, 1, cover_block, &search);
    imp_Status status = impi_watch_status(context);
    *bare_count = 0;
    for (size_t i = 0; i < count && status == IMP_STATUS_OK; ++i) {
        const Block *block = &search.blocks[i];
        if (block->front.out_of_memory || block->division.out_of_memory)
            status = impi_fail_out_of_memory(context);
        else if (block->is_bare)
            bare[(*bare_count)++] = (impi_BareBox){search.tops[i], block->part};
    }
    return status;
}
