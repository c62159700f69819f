// A chair: a seat of three by three cells, legs grown out of the four corners below, posts out of the two
// corners behind above, and a bent back between the upper halves of the posts.
//
// Triangles: seat 50 (its hollow a fan of 4), legs 4 * 10, posts 2 * 16, back 3 * 8: 146.
#include "scenes/objects.h"

#include "scenes/builder.h"

#define TRIANGLE_COUNT 146
#define VERTEX_COUNT   (TRIANGLE_COUNT / 2) // the opening under the back makes it a surface with one handle
#define GRID           4
#define PERIMETER      (4 * (GRID - 1))

typedef struct Plate {
    uint32_t ids[GRID][GRID]; // [along x][along z]
} Plate;

static const double seat_top = 0.5, seat_bottom = 0.455, leg = 0.055;
static const double half_width = 0.24, half_depth = 0.23;

// From one edge of the seat to the other, with cells as wide as a leg at both.
static double grid_line(uint32_t i, double half)
{
    const double lines[GRID] = {-half, leg - half, half - leg, half};
    return lines[i];
}

static Plate add_plate(SceneBuilder *builder, double y)
{
    Plate plate;
    for (uint32_t i = 0; i < GRID; ++i)
        for (uint32_t k = 0; k < GRID; ++k)
            plate.ids[i][k] =
                scene_add_vertex(builder, grid_line(i, half_width), y, grid_line(k, half_depth));
    return plate;
}

// Counter-clockwise seen from above.
static void cell_loop(const Plate *plate, uint32_t i, uint32_t k, uint32_t loop[4])
{
    loop[0] = plate->ids[i][k];
    loop[1] = plate->ids[i][k + 1];
    loop[2] = plate->ids[i + 1][k + 1];
    loop[3] = plate->ids[i + 1][k];
}

static void perimeter_loop(const Plate *plate, uint32_t loop[PERIMETER])
{
    for (uint32_t i = 0; i + 1 < GRID; ++i) {
        loop[i] = plate->ids[0][i];
        loop[GRID - 1 + i] = plate->ids[i][GRID - 1];
        loop[2 * (GRID - 1) + i] = plate->ids[GRID - 1][GRID - 1 - i];
        loop[3 * (GRID - 1) + i] = plate->ids[GRID - 1 - i][0];
    }
}

// A square around (x, z), in the order of cell_loop.
static void add_square(SceneBuilder *builder, double x, double y, double z, double half, uint32_t loop[4])
{
    loop[0] = scene_add_vertex(builder, x - half, y, z - half);
    loop[1] = scene_add_vertex(builder, x - half, y, z + half);
    loop[2] = scene_add_vertex(builder, x + half, y, z + half);
    loop[3] = scene_add_vertex(builder, x + half, y, z - half);
}

static void reverse(uint32_t loop[4])
{
    uint32_t second = loop[1];
    loop[1] = loop[3];
    loop[3] = second;
}

static void add_leg(SceneBuilder *builder, const Plate *bottom, uint32_t i, uint32_t k)
{
    uint32_t from[4], to[4];
    double splay = 0.02;
    double x = i == 0 ? leg / 2 - half_width - splay : half_width - leg / 2 + splay;
    double z = k == 0 ? leg / 2 - half_depth - splay : half_depth - leg / 2 + splay;
    cell_loop(bottom, i, k, from);
    add_square(builder, x, 0, z, 0.35 * leg, to);
    reverse(from);
    reverse(to);
    scene_add_band(builder, from, to, 4);
    scene_add_ladder(builder, to, 4);
}

static bool is_corner(uint32_t i)
{
    return i != 1;
}

static void add_seat(SceneBuilder *builder, const Plate *bottom, const Plate *top)
{
    uint32_t below[PERIMETER], above[PERIMETER], loop[4];
    perimeter_loop(bottom, below);
    perimeter_loop(top, above);
    scene_add_band(builder, below, above, PERIMETER);
    for (uint32_t i = 0; i + 1 < GRID; ++i)
        for (uint32_t k = 0; k + 1 < GRID; ++k) {
            bool has_post = is_corner(i) && k == 0, is_middle = i == 1 && k == 1;
            cell_loop(top, i, k, loop);
            if (is_middle)
                scene_add_fan(builder, loop, 4, scene_add_vertex(builder, 0, seat_top - 0.02, 0));
            else if (!has_post)
                scene_add_ladder(builder, loop, 4);
            if (is_corner(i) && is_corner(k)) {
                add_leg(builder, bottom, i, k);
                continue;
            }
            cell_loop(bottom, i, k, loop);
            reverse(loop);
            scene_add_ladder(builder, loop, 4);
        }
}

// The post's side between corners `open` and `open` + 1 is left out of its upper half, for the back. Its
// corners there: lower and upper front, lower and upper rear.
typedef struct PostSide {
    uint32_t low_front, high_front, low_rear, high_rear;
} PostSide;

static PostSide add_post(SceneBuilder *builder, const Plate *top, uint32_t i, uint32_t open)
{
    uint32_t foot[4], middle[4], end[4];
    double x = i == 0 ? leg / 2 - half_width : half_width - leg / 2, z = leg / 2 - half_depth;
    cell_loop(top, i, 0, foot);
    add_square(builder, x, 0.68, z - 0.025, 0.45 * leg, middle);
    add_square(builder, x, 1, z - 0.085, 0.35 * leg, end);
    scene_add_band(builder, foot, middle, 4);
    for (uint32_t a = 0; a < 4; ++a) {
        uint32_t b = (a + 1) % 4;
        if (a != open)
            scene_add_quad(builder, middle[a], middle[b], end[b], end[a]);
    }
    scene_add_ladder(builder, end, 4);
    bool front_first = open == 2; // corners 1 and 2 are in front
    uint32_t front = front_first ? open : open + 1, rear = front_first ? open + 1 : open;
    return (PostSide){middle[front], end[front], middle[rear], end[rear]};
}

static void add_back(SceneBuilder *builder, PostSide left, PostSide right)
{
    uint32_t from[4] = {left.low_front, left.low_rear, left.high_rear, left.high_front}, to[4];
    const uint32_t end[4] = {right.low_front, right.low_rear, right.high_rear, right.high_front};
    for (int side = -1; side <= 1; side += 2) {
        double x = side * 0.07, low_z = -0.275, high_z = -0.335, half = 0.012;
        to[0] = scene_add_vertex(builder, x, 0.68, low_z + half);
        to[1] = scene_add_vertex(builder, x, 0.68, low_z - half);
        to[2] = scene_add_vertex(builder, x, 0.99, high_z - half);
        to[3] = scene_add_vertex(builder, x, 0.99, high_z + half);
        scene_add_band(builder, from, to, 4);
        for (uint32_t i = 0; i < 4; ++i)
            from[i] = to[i];
    }
    scene_add_band(builder, from, end, 4);
}

imp_Status scene_chair(imp_Context *context, imp_Mesh **mesh)
{
    SceneBuilder builder;
    imp_Status status = scene_builder_begin(&builder, context, VERTEX_COUNT, TRIANGLE_COUNT);
    if (status != IMP_STATUS_OK)
        return status;
    Plate bottom = add_plate(&builder, seat_bottom), top = add_plate(&builder, seat_top);
    add_seat(&builder, &bottom, &top);
    PostSide left = add_post(&builder, &top, 0, 2), right = add_post(&builder, &top, 2, 0);
    add_back(&builder, left, right);
    return scene_builder_finish(&builder, mesh);
}
