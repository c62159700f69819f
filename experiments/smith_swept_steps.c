// Smith & Kitamura 1994, chapter 4, steps 1 to 3, for two bodies: boxes and their overlap, faces that touch
// it, and octree-like subdivision of the world cube (3.3.5), in which a cell is split while it holds faces of
// both, down to voxels of a level. As the producer of 4.4.2 hands over each pair as soon as it is found,
// pairs met before are looked up in a table, as in the paper; src/object/smith_octree.c sorts them out at the
// end.
//
// As printed, the three steps look at faces where they are at one instant, although what is compared
// afterwards is what faces sweep. The conservative method differs in that: it looks at boxes of swept faces,
// widened, so that what meets anywhere on the way shares a voxel.
#include "smith_swept_steps.h"

#include "base/memory.h"
#include "geom/pose.h"
#include "geom/scalar.h"
#include "geom/touch.h"
#include "geom/triangle_octants.h"
#include "smith_swept_hull.h"

#include <stdlib.h>
#include <string.h>

#define NO_PAIR         UINT64_MAX
#define FIRST_TABLE     1024 // a power of two, as all sizes of the table
#define HASH_MULTIPLIER 0x9E3779B97F4A7C15u

void smith_swept_init(SmithSweptSearch *search, const imp_Allocator *allocator)
{
    *search = (SmithSweptSearch){.allocator = *allocator};
}

void smith_swept_free(SmithSweptSearch *search)
{
    for (int body = 0; body < 2; ++body) {
        impi_array_free(&search->allocator, &search->begin[body], sizeof(imp_Vec3));
        impi_array_free(&search->allocator, &search->end[body], sizeof(imp_Vec3));
    }
    impi_array_free(&search->allocator, &search->items, sizeof *search->items.data);
    impi_array_free(&search->allocator, &search->masks, sizeof *search->masks.data);
    impi_array_free(&search->allocator, &search->face_boxes, sizeof *search->face_boxes.data);
    impi_array_free(&search->allocator, &search->seen, sizeof *search->seen.data);
}

// ---- step 1

static void add_to_box(imp_Box *box, const imp_Vec3 *p)
{
    box->min = (imp_Vec3){impi_smaller(p->x, box->min.x), impi_smaller(p->y, box->min.y),
                          impi_smaller(p->z, box->min.z)};
    box->max = (imp_Vec3){impi_larger(p->x, box->max.x), impi_larger(p->y, box->max.y),
                          impi_larger(p->z, box->max.z)};
}

static bool is_swept(const SmithSweptScene *scene)
{
    return scene->method == SMITH_SWEPT_CONSERVATIVE;
}

static bool compares_boxes(const SmithSweptScene *scene)
{
    return is_swept(scene) || scene->cell_test == SMITH_CELL_BOXES;
}

// Where faces are when steps 1 to 3 look at them.
static const imp_Vec3 *instant(const SmithSweptSearch *search, int body)
{
    return search->scene.method == SMITH_SWEPT_AHEAD ? search->begin[body].data : search->end[body].data;
}

static bool pose_body(SmithSweptSearch *search, int number)
{
    const SmithSweptBody *body = &search->scene.bodies[number];
    const imp_Allocator *allocator = &search->allocator;
    if (!impi_array_reserve(allocator, &search->begin[number], sizeof(imp_Vec3), body->vertex_count) ||
        !impi_array_reserve(allocator, &search->end[number], sizeof(imp_Vec3), body->vertex_count))
        return false;
    impi_transform_apply_many(&body->begin, body->vertices, body->vertex_count, search->begin[number].data);
    impi_transform_apply_many(&body->end, body->vertices, body->vertex_count, search->end[number].data);
    imp_Vec3 first = instant(search, number)[0];
    imp_Box box = {first, first};
    for (size_t i = 0; i < body->vertex_count; ++i) {
        add_to_box(&box, &instant(search, number)[i]);
        if (is_swept(&search->scene))
            add_to_box(&box, &search->begin[number].data[i]);
    }
    if (is_swept(&search->scene)) {
        impi_SweptHull corners = {{box.min, box.max, box.min, box.max, box.min, box.max}, body->widening};
        box = impi_swept_hull_box(&corners);
    }
    search->boxes[number] = box;
    return true;
}

bool smith_swept_boxes(SmithSweptSearch *search, const SmithSweptScene *scene)
{
    search->scene = *scene;
    return pose_body(search, 0) && pose_body(search, 1);
}

// ---- step 2

static imp_Triangle triangle_of(const imp_Vec3 *vertices, const uint32_t *corners)
{
    return (imp_Triangle){{vertices[corners[0]], vertices[corners[1]], vertices[corners[2]]}};
}

imp_MovingTriangle smith_swept_face(const SmithSweptSearch *search, int body, uint32_t face)
{
    const uint32_t *corners = search->scene.bodies[body].indices + 3 * (size_t)face;
    return (imp_MovingTriangle){triangle_of(search->begin[body].data, corners),
                                triangle_of(search->end[body].data, corners)};
}

static impi_SweptHull hull_of(const SmithSweptSearch *search, int body, uint32_t face)
{
    imp_MovingTriangle moving = smith_swept_face(search, body, face);
    return impi_swept_hull(&moving.begin, &moving.end, search->scene.bodies[body].widening);
}

static bool boxes_meet(const imp_Box *a, const imp_Box *b)
{
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
           a->min.z <= b->max.z && b->min.z <= a->max.z;
}

// Items are numbers of faces, those of the second body after those of the first.
static imp_Triangle triangle_of_item(const SmithSweptSearch *search, uint32_t item)
{
    size_t first_count = search->scene.bodies[0].face_count;
    int body = item >= first_count;
    size_t face = body ? item - first_count : item;
    return triangle_of(instant(search, body), search->scene.bodies[body].indices + 3 * face);
}

static bool item_touches(const SmithSweptSearch *search, uint32_t item, const imp_Box *cell)
{
    if (compares_boxes(&search->scene))
        return boxes_meet(&search->face_boxes.data[item], cell);
    imp_Triangle triangle = triangle_of_item(search, item);
    return impi_triangle_touches_box(&triangle, cell);
}

static imp_Box overlap_of(const imp_Box *a, const imp_Box *b)
{
    return (imp_Box){
        {impi_larger(a->min.x, b->min.x), impi_larger(a->min.y, b->min.y), impi_larger(a->min.z, b->min.z)},
        {impi_smaller(a->max.x, b->max.x), impi_smaller(a->max.y, b->max.y),
         impi_smaller(a->max.z, b->max.z)}};
}

static imp_Box box_of_face(const SmithSweptSearch *search, int body, uint32_t face)
{
    if (is_swept(&search->scene)) {
        impi_SweptHull hull = hull_of(search, body, face);
        return impi_swept_hull_box(&hull);
    }
    const uint32_t *corners = search->scene.bodies[body].indices + 3 * (size_t)face;
    const imp_Vec3 *vertices = instant(search, body);
    imp_Box box = {vertices[corners[0]], vertices[corners[0]]};
    add_to_box(&box, &vertices[corners[1]]);
    add_to_box(&box, &vertices[corners[2]]);
    return box;
}

static void box_faces(SmithSweptSearch *search)
{
    uint32_t item = 0;
    for (int body = 0; body < 2; ++body)
        for (uint32_t face = 0; face < search->scene.bodies[body].face_count; ++face)
            search->face_boxes.data[item++] = box_of_face(search, body, face);
}

bool smith_swept_faces(SmithSweptSearch *search)
{
    const SmithSweptScene *scene = &search->scene;
    size_t total = scene->bodies[0].face_count + scene->bodies[1].face_count;
    search->items.count = 0;
    if (!boxes_meet(&search->boxes[0], &search->boxes[1]))
        return true;
    if (!impi_array_reserve(&search->allocator, &search->items, sizeof *search->items.data, total) ||
        !impi_array_reserve(&search->allocator, &search->face_boxes, sizeof *search->face_boxes.data, total))
        return false;
    if (compares_boxes(scene))
        box_faces(search);
    imp_Box overlap = overlap_of(&search->boxes[0], &search->boxes[1]);
    for (uint32_t item = 0; item < total; ++item)
        if (item_touches(search, item, &overlap))
            search->items.data[search->items.count++] = item;
    return true;
}

// ---- step 3

static size_t slot_of(const SmithSweptSearch *search, uint64_t key)
{
    size_t mask = search->seen.count - 1, slot = (size_t)((key * HASH_MULTIPLIER) >> 32) & mask;
    while (search->seen.data[slot] != NO_PAIR && search->seen.data[slot] != key)
        slot = (slot + 1) & mask;
    return slot;
}

// At most half of the table is in use, so that there is always an end to a search.
static bool grow_table(SmithSweptSearch *search)
{
    size_t size = search->seen.count ? 2 * search->seen.count : FIRST_TABLE;
    IMPI_ARRAY(uint64_t) old = {search->seen.data, search->seen.count, search->seen.capacity};
    search->seen.data = NULL;
    search->seen.count = search->seen.capacity = 0;
    bool done = impi_array_reserve(&search->allocator, &search->seen, sizeof *search->seen.data, size);
    if (done) {
        search->seen.count = size;
        memset(search->seen.data, 0xFF, size * sizeof *search->seen.data);
        for (size_t i = 0; i < old.count; ++i)
            if (old.data[i] != NO_PAIR)
                search->seen.data[slot_of(search, old.data[i])] = old.data[i];
    }
    impi_array_free(&search->allocator, &old, sizeof *old.data);
    return done;
}

static bool take_pair(SmithSweptSearch *search, SmithFacePair pair)
{
    uint64_t key = (uint64_t)pair.a << 32 | pair.b;
    if (2 * search->seen_count >= search->seen.count && !grow_table(search))
        return false;
    size_t slot = slot_of(search, key);
    if (search->seen.data[slot] == key)
        return true;
    search->seen.data[slot] = key;
    ++search->seen_count;
    return search->take(pair, search->argument);
}

// Items of a cell on the stack, in order: the first body's come first.
typedef struct Cell {
    imp_Box box;
    size_t first, count;
} Cell;

static size_t first_of_second_body(const SmithSweptSearch *search, const Cell *cell)
{
    size_t i = 0;
    while (i < cell->count && search->items.data[cell->first + i] < search->scene.bodies[0].face_count)
        ++i;
    return i;
}

static bool pair_voxel(SmithSweptSearch *search, const Cell *cell, size_t second)
{
    uint32_t first_count = (uint32_t)search->scene.bodies[0].face_count;
    const uint32_t *items = search->items.data + cell->first;
    for (size_t i = 0; i < second; ++i)
        for (size_t k = second; k < cell->count; ++k)
            if (!take_pair(search, (SmithFacePair){items[i], items[k] - first_count}))
                return false;
    return true;
}

static impi_Octants octants_of(const imp_Box *cell)
{
    imp_Vec3 middle = {0.5 * cell->min.x + 0.5 * cell->max.x, 0.5 * cell->min.y + 0.5 * cell->max.y,
                       0.5 * cell->min.z + 0.5 * cell->max.z};
    return (impi_Octants){.planes = {{cell->min.x, middle.x, cell->max.x},
                                     {cell->min.y, middle.y, cell->max.y},
                                     {cell->min.z, middle.z, cell->max.z}}};
}

static imp_Box child_box(const impi_Octants *octants, unsigned octant)
{
    unsigned x = octant & 1, y = octant >> 1 & 1, z = octant >> 2 & 1;
    return (imp_Box){{octants->planes[0][x], octants->planes[1][y], octants->planes[2][z]},
                     {octants->planes[0][x + 1], octants->planes[1][y + 1], octants->planes[2][z + 1]}};
}

// All octants of a cell for each of its items.
static void find_octants(SmithSweptSearch *search, const Cell *cell, impi_Octants *octants)
{
    impi_octants_make(octants);
    for (size_t first = 0; first < cell->count; first += IMPI_OCTANT_LANES) {
        imp_Triangle triangles[IMPI_OCTANT_LANES];
        size_t left = cell->count - first, taken = left < IMPI_OCTANT_LANES ? left : IMPI_OCTANT_LANES;
        for (size_t i = 0; i < taken; ++i)
            triangles[i] = triangle_of_item(search, search->items.data[cell->first + first + i]);
        impi_triangles_octants(triangles, taken, octants, search->masks.data + cell->first + first);
    }
    search->cell_tests += cell->count;
}

// Items of an octant go on top of the stack.
static void take_items(SmithSweptSearch *search, const Cell *cell, unsigned octant, bool has_masks,
                       Cell *child)
{
    uint32_t *items = search->items.data;
    for (size_t i = cell->first; i < cell->first + cell->count; ++i) {
        bool touches =
            has_masks ? search->masks.data[i] >> octant & 1 : item_touches(search, items[i], &child->box);
        if (touches)
            items[child->first + child->count++] = items[i];
    }
    search->cell_tests += has_masks ? 0 : cell->count;
    search->items.count = child->first + child->count;
}

static bool has_room(SmithSweptSearch *search, const Cell *cell)
{
    size_t needed = search->items.count + cell->count;
    return impi_array_reserve(&search->allocator, &search->items, sizeof *search->items.data, needed) &&
           impi_array_reserve(&search->allocator, &search->masks, sizeof *search->masks.data, needed);
}

// As deep as the level.
static bool subdivide(SmithSweptSearch *search, const Cell *cell, uint32_t level)
{
    size_t second = first_of_second_body(search, cell);
    if (second == 0 || second == cell->count)
        return true;
    if (level == search->scene.level)
        return pair_voxel(search, cell, second);
    impi_Octants octants = octants_of(&cell->box);
    bool has_masks = search->scene.cell_test == SMITH_CELL_OCTANTS && !is_swept(&search->scene);
    if (!has_room(search, cell))
        return false;
    if (has_masks)
        find_octants(search, cell, &octants);
    for (unsigned octant = 0; octant < 8; ++octant) {
        Cell child = {child_box(&octants, octant), search->items.count, 0};
        if (!has_room(search, cell))
            return false;
        take_items(search, cell, octant, has_masks, &child);
        bool done = subdivide(search, &child, level + 1);
        search->items.count = child.first;
        if (!done)
            return false;
    }
    return true;
}

bool smith_swept_subdivide(SmithSweptSearch *search, SmithTakePairFn take, void *argument)
{
    Cell world = {search->scene.cube, 0, search->items.count};
    search->take = take;
    search->argument = argument;
    search->seen_count = 0;
    search->cell_tests = 0;
    if (search->seen.count)
        memset(search->seen.data, 0xFF, search->seen.count * sizeof *search->seen.data);
    return subdivide(search, &world, 0);
}

// ---- step 4

imp_Status smith_swept_test(const SmithSweptSearch *search, impi_SweptHullScratch *scratch,
                            SmithFacePair pair, bool *collide)
{
    if (is_swept(&search->scene)) {
        size_t item_b = search->scene.bodies[0].face_count + pair.b;
        *collide = boxes_meet(&search->face_boxes.data[pair.a], &search->face_boxes.data[item_b]);
        if (!*collide)
            return IMP_STATUS_OK;
        impi_SweptHull hull_a = hull_of(search, 0, pair.a), hull_b = hull_of(search, 1, pair.b);
        return impi_swept_hulls_meet(scratch, &hull_a, &hull_b, collide);
    }
    imp_MovingTriangle a = smith_swept_face(search, 0, pair.a), b = smith_swept_face(search, 1, pair.b);
    *collide = search->scene.method == SMITH_SWEPT_STATIC ? impi_triangles_touch(&a.end, &b.end)
                                                          : smith_swept_faces_cross(&a, &b);
    return IMP_STATUS_OK;
}

static int compare_pairs(const void *left, const void *right)
{
    const SmithFacePair *a = left, *b = right;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

void smith_face_pairs_sort(SmithFacePairs *pairs)
{
    if (pairs->count > 1)
        qsort(pairs->data, pairs->count, sizeof *pairs->data, compare_pairs);
}
