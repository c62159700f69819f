// Faces are sorted along a Morton curve through the centres of their boxes; each eight neighbours in that
// order make a group, each eight groups a group of the next level. No pointers: child c of group g on one
// level is group 8 g + c of the level below.
//
// A uniform grid would answer a little faster on even meshes, but needs a memory bound on large faces and
// collapses where all the detail sits in one corner.
#include "shape/box_tree.h"

#include "base/radix_sort.h"
#include "shape/bounds.h"

#include <math.h>

#define WIDTH         IMPI_BOX_TREE_WIDTH
#define BITS_PER_AXIS 16

static void choose_frame(const imp_Box *bounds, impi_BoxTree *tree)
{
    impi_UnitFrame frame = impi_unit_frame(bounds);
    tree->origin[0] = frame.centre.x;
    tree->origin[1] = frame.centre.y;
    tree->origin[2] = frame.centre.z;
    tree->scale = impi_unit_scale(&frame);
}

impi_FloatBox impi_box_tree_face_box(const impi_BoxTree *tree, const imp_Mesh *mesh, uint32_t face)
{
    imp_Triangle triangle = impi_mesh_triangle(mesh, face);
    imp_Box box = {triangle.v[0], triangle.v[0]};
    impi_box_add(&box, &triangle.v[1]);
    impi_box_add(&box, &triangle.v[2]);
    return (impi_FloatBox){
        {impi_box_tree_coordinate(tree, box.min.x, 0), impi_box_tree_coordinate(tree, box.min.y, 1),
         impi_box_tree_coordinate(tree, box.min.z, 2)},
        {impi_box_tree_coordinate(tree, box.max.x, 0), impi_box_tree_coordinate(tree, box.max.y, 1),
         impi_box_tree_coordinate(tree, box.max.z, 2)},
    };
}

// Bit i of the 16 moves to bit 3 i.
static uint64_t spread_bits(uint64_t bits)
{
    bits = (bits | bits << 32) & 0x001F00000000FFFFu;
    bits = (bits | bits << 16) & 0x001F0000FF0000FFu;
    bits = (bits | bits << 8) & 0x100F00F00F00F00Fu;
    bits = (bits | bits << 4) & 0x10C30C30C30C30C3u;
    return (bits | bits << 2) & 0x1249249249249249u;
}

// Coordinates of faces lie in [-1, 1]; the order steers speed only, so rounding does not matter.
static uint64_t morton_key(const impi_FloatBox *box)
{
    uint64_t key = 0;
    for (unsigned axis = 0; axis < 3; ++axis) {
        const float cells = 1u << (BITS_PER_AXIS - 1);
        float centre = 0.5f * (box->min[axis] + box->max[axis]);
        float cell = (centre + 1.0f) * cells;
        uint64_t clamped = cell <= 0 ? 0 : cell >= 2 * cells - 1 ? (uint64_t)(2 * cells - 1) : (uint64_t)cell;
        key |= spread_bits(clamped) << axis;
    }
    return key;
}

// NaN touches nothing.
static void set_empty(impi_BoxGroup *group, size_t lane)
{
    for (unsigned axis = 0; axis < 3; ++axis)
        group->min[axis][lane] = group->max[axis][lane] = NAN;
}

static void set_box(impi_BoxGroup *group, size_t lane, const impi_FloatBox *box)
{
    for (unsigned axis = 0; axis < 3; ++axis) {
        group->min[axis][lane] = box->min[axis];
        group->max[axis][lane] = box->max[axis];
    }
}

static impi_FloatBox group_box(const impi_BoxGroup *group)
{
    impi_FloatBox box;
    for (unsigned axis = 0; axis < 3; ++axis) {
        box.min[axis] = group->min[axis][0];
        box.max[axis] = group->max[axis][0];
        for (unsigned lane = 1; lane < WIDTH; ++lane) {
            if (group->min[axis][lane] < box.min[axis])
                box.min[axis] = group->min[axis][lane];
            if (group->max[axis][lane] > box.max[axis])
                box.max[axis] = group->max[axis][lane];
        }
    }
    return box;
}

static bool allocate_levels(impi_Arena *arena, impi_BoxTree *tree)
{
    size_t items = tree->face_count;
    do {
        size_t groups = (items + WIDTH - 1) / WIDTH;
        impi_BoxGroup *level = impi_arena_allocate_array(arena, groups, sizeof *level);
        if (!level)
            return false;
        tree->levels[tree->level_count] = level;
        tree->group_counts[tree->level_count++] = groups;
        items = groups;
    } while (items > 1);
    return true;
}

// False when told to end.
static bool fill_levels(impi_Watch *watch, const imp_Mesh *mesh, impi_BoxTree *tree)
{
    size_t items = tree->face_count;
    for (unsigned level = 0; level < tree->level_count; ++level) {
        for (size_t i = 0; i < tree->group_counts[level] * WIDTH; ++i) {
            if (!impi_watch_item(watch, i))
                return false;
            impi_BoxGroup *group = &tree->levels[level][i / WIDTH];
            if (i >= items) {
                set_empty(group, i % WIDTH);
                continue;
            }
            impi_FloatBox box = level == 0 ? impi_box_tree_face_box(tree, mesh, tree->faces[i])
                                           : group_box(&tree->levels[level - 1][i]);
            set_box(group, i % WIDTH, &box);
        }
        items = tree->group_counts[level];
    }
    return true;
}

// Faces in the order of the curve; null when told to end. The arrays have room for all faces, `arrays[0]`'s
// are the ones that are read.
static const uint32_t *sort_faces(impi_Watch *watch, const imp_Mesh *mesh, const impi_BoxTree *tree,
                                  const impi_KeyedArrays arrays[2])
{
    impi_watch_work(watch, "sorting faces", 2 * tree->face_count);
    for (size_t i = 0; i < tree->face_count; ++i) {
        if (!impi_watch_item(watch, i))
            return NULL;
        impi_FloatBox box = impi_box_tree_face_box(tree, mesh, (uint32_t)i);
        arrays[0].payloads[i] = (uint32_t)i;
        arrays[0].keys[i] = morton_key(&box);
    }
    return impi_radix_sort_keyed_watched(watch, arrays[0], arrays[1], tree->face_count, 0, 3 * BITS_PER_AXIS)
        .payloads;
}

imp_Status impi_box_tree_build(imp_Context *context, const imp_Mesh *mesh, impi_BoxTree *tree)
{
    impi_Arena *arena = &context->scratch;
    size_t count = mesh->arrays.triangle_count;
    impi_BoxTree made = {.face_count = count};
    uint32_t *faces = impi_arena_allocate_array(arena, count, sizeof *faces);
    uint32_t *spare_faces = impi_arena_allocate_array(arena, count, sizeof *spare_faces);
    if (!faces || !spare_faces || !allocate_levels(arena, &made))
        return impi_fail_out_of_memory(context);
    impi_ArenaMark mark = impi_arena_mark(arena);
    uint64_t *keys = impi_arena_allocate_array(arena, count, sizeof *keys);
    uint64_t *spare_keys = impi_arena_allocate_array(arena, count, sizeof *spare_keys);
    if (!keys || !spare_keys)
        return impi_fail_out_of_memory(context);
    choose_frame(&mesh->shape.bounds, &made);
    made.faces = sort_faces(&context->watch, mesh, &made,
                            (impi_KeyedArrays[]){{keys, faces}, {spare_keys, spare_faces}});
    impi_arena_rewind(arena, mark);
    impi_watch_work(&context->watch, "boxes around faces", WIDTH * made.group_counts[0]);
    if (!made.faces || !fill_levels(&context->watch, mesh, &made))
        return impi_watch_status(context);
    *tree = made;
    return IMP_STATUS_OK;
}

static unsigned touching_lanes(const impi_BoxGroup *group, const impi_FloatBox *box)
{
    int32_t touches[WIDTH];
    for (unsigned lane = 0; lane < WIDTH; ++lane)
        touches[lane] = (group->min[0][lane] <= box->max[0]) & (group->max[0][lane] >= box->min[0]) &
                        (group->min[1][lane] <= box->max[1]) & (group->max[1][lane] >= box->min[1]) &
                        (group->min[2][lane] <= box->max[2]) & (group->max[2][lane] >= box->min[2]);
    unsigned lanes = 0;
    for (unsigned lane = 0; lane < WIDTH; ++lane)
        lanes |= (unsigned)touches[lane] << lane;
    return lanes;
}

// The lanes of a group that hold faces at `first_position` or behind. `lane_faces` is how many faces a
// lane of this level stands for.
static unsigned lanes_behind(size_t group, size_t lane_faces, size_t first_position)
{
    size_t first_lane = first_position / lane_faces;
    if (first_lane <= group * WIDTH)
        return ~0u;
    return first_lane - group * WIDTH >= WIDTH ? 0 : ~0u << (first_lane - group * WIDTH);
}

void impi_box_tree_visit(const impi_BoxTree *tree, const impi_FloatBox *box, size_t first_position,
                         impi_FaceFn visit, void *argument)
{
    // One group per level is being worked on; what is left of it are its remaining lanes.
    size_t groups[IMPI_BOX_TREE_MAX_LEVELS] = {0};
    unsigned lanes[IMPI_BOX_TREE_MAX_LEVELS];
    unsigned top = tree->level_count - 1, level = top;
    size_t lane_faces = (size_t)1 << (3 * top);
    lanes[top] = touching_lanes(&tree->levels[top][0], box) & lanes_behind(0, lane_faces, first_position);
    for (;;) {
        if (lanes[level] == 0) {
            if (level == top)
                return;
            ++level;
            lane_faces *= WIDTH;
            continue;
        }
        size_t child = groups[level] * WIDTH + (unsigned)__builtin_ctz(lanes[level]);
        lanes[level] &= lanes[level] - 1;
        if (level == 0) {
            visit(tree->faces[child], argument);
            continue;
        }
        --level;
        lane_faces /= WIDTH;
        groups[level] = child;
        lanes[level] = touching_lanes(&tree->levels[level][child], box) &
                       lanes_behind(child, lane_faces, first_position);
    }
}
