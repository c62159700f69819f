// The body of impi_surface_field_nearest_*, compiled once per instruction set; NEAREST is its name.
// Loops over eight lanes without branches, which the compiler turns into vectors.
//
// Nearest first down the tree; what is not nearer than the best so far is left out. A point beside the third
// corner's height has its nearest point on the same side: brought to the height level, any point of the other
// side comes nearer. So a face is one right-angled triangle with the corners (0, 0), (width, 0) and (0,
// height), seen from a point with x >= 0, which is below it, inside of it, or beyond its slope.
#include "geom/scalar.h"
#include "shape/surface_field.h"

#define KERNEL static inline __attribute__((always_inline))
#define LANES  IMPI_FLAT_LANES

typedef struct Flat {
    double x, y, square; // the nearest point, with the sign of x left out, and its distance squared
} Flat;

KERNEL double along_axis(const double axis[3][LANES], imp_Vec3 way, int lane)
{
    return (axis[0][lane] * way.x + axis[1][lane] * way.y) + axis[2][lane] * way.z;
}

KERNEL imp_Vec3 way_to(const impi_FlatFaces *faces, imp_Vec3 point, int lane)
{
    return (imp_Vec3){point.x - faces->origin[0][lane], point.y - faces->origin[1][lane],
                      point.z - faces->origin[2][lane]};
}

// Without width or height a face has no inside, which is why nothing counts as inside on the slope.
KERNEL Flat measure_face(const impi_FlatFaces *faces, imp_Vec3 point, int lane)
{
    imp_Vec3 way = way_to(faces, point, lane);
    double along = along_axis(faces->along, way, lane), y = along_axis(faces->across, way, lane);
    double z = along_axis(faces->normal, way, lane);
    double x = fabs(along), height = faces->height[lane];
    double left = faces->left[lane], right = faces->right[lane], width = along < 0 ? left : right;
    double beyond = (x * height + y * width) - width * height;
    double share = ((width - x) * width + y * height) / (width * width + height * height);
    share = impi_smaller(impi_larger(share, 0.0), 1.0);
    double slope_x = width - share * width, slope_y = share * height, base_x = impi_smaller(x, width);
    double near_x = y < 0 ? base_x : beyond < 0 ? x : slope_x;
    double near_y = y < 0 ? 0 : beyond < 0 ? y : slope_y;
    double off_x = x - near_x, off_y = y - near_y;
    return (Flat){near_x, near_y, (off_x * off_x + off_y * off_y) + z * z};
}

KERNEL void measure_faces(const impi_FlatFaces *faces, imp_Vec3 point, double squares[LANES])
{
    for (int lane = 0; lane < LANES; ++lane)
        squares[lane] = measure_face(faces, point, lane).square;
}

// NaN, which is near nothing, for lanes without a box: the order in which numbers are compared keeps it.
KERNEL void measure_boxes(const impi_BoxLanes *boxes, imp_Vec3 point, double squares[LANES])
{
    for (int lane = 0; lane < LANES; ++lane) {
        double x =
            impi_larger(0.0, impi_larger(boxes->min[0][lane] - point.x, point.x - boxes->max[0][lane]));
        double y =
            impi_larger(0.0, impi_larger(boxes->min[1][lane] - point.y, point.y - boxes->max[1][lane]));
        double z =
            impi_larger(0.0, impi_larger(boxes->min[2][lane] - point.z, point.z - boxes->max[2][lane]));
        squares[lane] = (x * x + y * y) + z * z;
    }
}

// Eight faces, or above level 0 a group of the tree's level below.
typedef struct Node {
    double square;
    uint32_t number;
    unsigned level;
} Node;

typedef struct Search {
    const impi_SurfaceField *field;
    imp_Vec3 point;
    double square;
    uint32_t slot;
    // Each level leaves at most seven nodes behind while the eighth is looked at.
    Node nodes[IMPI_BLOCK_TREE_LEVELS * (LANES - 1) + 2];
    unsigned node_count;
} Search;

KERNEL void look_at_faces(Search *search, uint32_t number)
{
    _Alignas(64) double squares[LANES];
    measure_faces(&search->field->flat[number], search->point, squares);
    for (unsigned lane = 0; lane < LANES; ++lane) {
        if (squares[lane] < search->square) {
            search->square = squares[lane];
            search->slot = number * LANES + lane;
        }
    }
}

// The nearest comes last, to be looked at next.
KERNEL void look_at_boxes(Search *search, Node node)
{
    _Alignas(64) double squares[LANES];
    unsigned first = search->node_count;
    measure_boxes(&search->field->tree.levels[node.level - 1][node.number], search->point, squares);
    for (unsigned lane = 0; lane < LANES; ++lane) {
        if (!(squares[lane] < search->square))
            continue;
        unsigned i = search->node_count++;
        for (; i > first && search->nodes[i - 1].square < squares[lane]; --i)
            search->nodes[i] = search->nodes[i - 1];
        search->nodes[i] = (Node){squares[lane], node.number * LANES + lane, node.level - 1};
    }
}

KERNEL impi_NearestPoint describe(const Search *search)
{
    const impi_FlatFaces *faces = &search->field->flat[search->slot / LANES];
    int lane = (int)(search->slot % LANES);
    Flat flat = measure_face(faces, search->point, lane);
    double x = along_axis(faces->along, way_to(faces, search->point, lane), lane) < 0 ? -flat.x : flat.x;
    return (impi_NearestPoint){
        .distance = sqrt(flat.square),
        .point = {faces->origin[0][lane] + (faces->along[0][lane] * x + faces->across[0][lane] * flat.y),
                  faces->origin[1][lane] + (faces->along[1][lane] * x + faces->across[1][lane] * flat.y),
                  faces->origin[2][lane] + (faces->along[2][lane] * x + faces->across[2][lane] * flat.y)},
        .slot = search->slot,
        .x = x,
        .y = flat.y,
    };
}

impi_NearestPoint NEAREST(const impi_SurfaceField *field, imp_Vec3 point, uint32_t hint, double enough)
{
    Search search;
    search.field = field;
    search.point = point;
    search.square = INFINITY;
    search.slot = 0;
    search.nodes[0] = (Node){0, 0, field->tree.level_count};
    search.node_count = 1;
    double enough_square = enough < 0 ? -1 : enough * enough;
    uint32_t hinted = hint == IMPI_NO_SLOT ? IMPI_NO_SLOT : hint / LANES;
    if (hint != IMPI_NO_SLOT)
        look_at_faces(&search, hinted);
    while (search.node_count > 0 && search.square > enough_square) {
        Node node = search.nodes[--search.node_count];
        if (node.square >= search.square)
            continue;
        if (node.level > 0)
            look_at_boxes(&search, node);
        else if (node.number != hinted)
            look_at_faces(&search, node.number);
    }
    return describe(&search);
}
