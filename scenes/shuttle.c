// The orbiter of the space shuttle: a fuselage of ten rings of twelve vertices and a nose; wings and fin are
// grown out of runs of its quads, three engines out of its tail.
//
// Triangles: nose 12, nine bands of 24, tail 14, engines 3 * 42, wings 2 * 56, fin 48: 528.
#include "scenes/objects.h"

#include "scenes/builder.h"
#include "scenes/shapes.h"

#define TRIANGLE_COUNT 528
#define VERTEX_COUNT   (TRIANGLE_COUNT / 2 + 2)
#define RING_COUNT     10
#define RING_SIZE      12
#define HALF           (RING_SIZE / 2)
#define WING_BANDS     6
#define FIN_BANDS      3
#define MAX_LOOP       (2 * (WING_BANDS + 1))
#define ENGINE_SIDES   6

// Metres, as the orbiter's own measures are; z is counted from the tail.
typedef struct Ring {
    double z, half_width, bottom, top;
    double pod; // how far the pods of the manoeuvring engines, beside the fin, stand out
} Ring;

static const Ring rings[RING_COUNT] = {
    {0.0, 2.7, -2.3, 2.6, 0.35},   {2.6, 2.75, -2.4, 2.75, 0.75}, {5.2, 2.75, -2.5, 2.75, 0.55},
    {8.0, 2.7, -2.5, 2.7, 0.0},    {13.0, 2.7, -2.5, 2.65, 0.0},  {18.5, 2.7, -2.5, 2.65, 0.0},
    {23.5, 2.65, -2.4, 2.65, 0.0}, {27.0, 2.5, -2.3, 2.5, 0.0},   {28.7, 2.3, -2.2, 0.9, 0.0},
    {31.4, 1.6, -1.95, -0.2, 0.0},
};
static const double nose_z = 32.7, nose_y = -1.15;

// Half a cross-section from the top to the bottom, as shares of width and height. The first vertices lie so
// close to the middle that the fin fits between the two sides, the wings between the fourth and the fifth.
static const double profile_x[HALF] = {0.09, 0.6, 0.97, 1.0, 0.98, 0.62};
static const double profile_y[HALF] = {1.0, 0.93, 0.66, 0.24, 0.07, 0.0};

static const double length = 32.7;

typedef uint32_t Rings[RING_COUNT][RING_SIZE];

// From metres to a length of 2 around the middle.
static uint32_t add_point(SceneBuilder *builder, double x, double y, double z)
{
    double scale = 2 / length;
    return scene_add_vertex(builder, scale * x, scale * y, scale * z - 1);
}

static void add_rings(SceneBuilder *builder, Rings ids)
{
    for (uint32_t r = 0; r < RING_COUNT; ++r)
        for (uint32_t i = 0; i < RING_SIZE; ++i) {
            const Ring *ring = &rings[r];
            uint32_t j = i < HALF ? i : RING_SIZE - 1 - i;
            double x = ring->half_width * profile_x[j];
            double y = ring->bottom + (ring->top - ring->bottom) * profile_y[j];
            if (j == 1) {
                x += 0.5 * ring->pod;
                y += ring->pod;
            }
            ids[r][i] = add_point(builder, i < HALF ? -x : x, y, ring->z);
        }
}

// The columns of quads that wings and fin grow out of, and over how many bands from the tail.
typedef struct Root {
    uint32_t column, band_count;
} Root;

static const Root left_wing = {3, WING_BANDS}, right_wing = {RING_SIZE - 2 - 3, WING_BANDS};
static const Root fin = {RING_SIZE - 1, FIN_BANDS};

static bool is_open(uint32_t column, uint32_t band)
{
    return (column == left_wing.column && band < WING_BANDS) ||
           (column == right_wing.column && band < WING_BANDS) || (column == fin.column && band < FIN_BANDS);
}

static void add_fuselage(SceneBuilder *builder, Rings ids)
{
    for (uint32_t band = 0; band + 1 < RING_COUNT; ++band)
        for (uint32_t i = 0; i < RING_SIZE; ++i) {
            uint32_t j = (i + 1) % RING_SIZE;
            if (!is_open(i, band))
                scene_add_quad(builder, ids[band][i], ids[band][j], ids[band + 1][j], ids[band + 1][i]);
        }
    scene_add_fan(builder, ids[RING_COUNT - 1], RING_SIZE, add_point(builder, 0, nose_y, nose_z));
}

// A cross-section of a wing or the fin. `reach` is how far out it lies: |x| for wings, y for the fin.
typedef struct Section {
    double reach, trailing_z, leading_z;
    double middle, half_thickness; // across: y for wings, x for the fin
} Section;

// The double delta: a narrow strake up to the first section, then the wing proper.
static const Section wing_sections[2] = {{5.2, 0.2, 11.5, -1.75, 0.42}, {11.85, 1.0, 4.6, -1.35, 0.14}};
static const Section fin_sections[3] = {
    {4.0, -0.9, 5.9, 0, 0.22}, {6.6, -2.3, 3.1, 0, 0.18}, {10.3, -4.3, -0.8, 0, 0.1}};

// Which way the reach goes: to the left, to the right, upwards.
typedef enum Direction { TO_LEFT, TO_RIGHT, UPWARDS } Direction;

static uint32_t add_section_point(SceneBuilder *builder, Direction direction, const Section *section,
                                  double share, bool first_side)
{
    // Sharp at both edges, thickest a third behind the leading one.
    double edge = share <= 0 || share >= 1 ? 0.25 : share < 0.65 ? 0.25 + share * 0.75 / 0.65 : 1;
    double across = section->half_thickness * edge;
    double z = section->trailing_z + (section->leading_z - section->trailing_z) * share;
    if (direction == UPWARDS)
        return add_point(builder, first_side ? -across : across, section->reach, z);
    bool is_low = first_side == (direction == TO_LEFT);
    return add_point(builder, direction == TO_LEFT ? -section->reach : section->reach,
                     section->middle + (is_low ? -across : across), z);
}

static void add_surface(SceneBuilder *builder, Rings ids, Root root, Direction direction,
                        const Section *sections, uint32_t section_count)
{
    uint32_t from[MAX_LOOP], to[MAX_LOOP], last = 2 * root.band_count + 1;
    for (uint32_t i = 0; i <= root.band_count; ++i) {
        from[i] = ids[i][(root.column + 1) % RING_SIZE];
        from[last - i] = ids[i][root.column];
    }
    for (uint32_t s = 0; s < section_count; ++s) {
        for (uint32_t i = 0; i <= root.band_count; ++i) {
            double share = rings[i].z / rings[root.band_count].z;
            to[i] = add_section_point(builder, direction, &sections[s], share, true);
            to[last - i] = add_section_point(builder, direction, &sections[s], share, false);
        }
        scene_add_band(builder, from, to, last + 1);
        for (uint32_t i = 0; i <= last; ++i)
            from[i] = to[i];
    }
    scene_add_ladder(builder, from, last + 1);
}

// A bell that one can look into. `base` turns counter-clockwise seen from behind, from the upper left on.
static void add_engine(SceneBuilder *builder, const uint32_t base[ENGINE_SIDES], double x, double y)
{
    static const double radii[3] = {0.5, 1.1, 0.95}, depths[3] = {-0.35, -2.1, -2.05};
    uint32_t loops[4][ENGINE_SIDES];
    for (uint32_t i = 0; i < ENGINE_SIDES; ++i)
        loops[0][i] = base[i];
    for (uint32_t s = 0; s < 3; ++s) {
        for (uint32_t i = 0; i < ENGINE_SIDES; ++i) {
            SceneTurn turn = scene_turn(i + 2, ENGINE_SIDES);
            loops[s + 1][i] =
                add_point(builder, x - radii[s] * turn.cosine, y + radii[s] * turn.sine, depths[s]);
        }
        scene_add_band(builder, loops[s], loops[s + 1], ENGINE_SIDES);
    }
    scene_add_fan(builder, loops[3], ENGINE_SIDES, add_point(builder, x, y, -0.6));
}

// Rungs go from the left (negative x) to the right at each vertex of the half profile; those between the top
// and the bottom have two more vertices, so that there are three columns. The upper engine takes two quads of
// the middle column, the lower ones two of each outer column.
static void add_tail(SceneBuilder *builder, const uint32_t ring[RING_SIZE])
{
    static const double inner_y[HALF] = {0, 2.1, 1.2, 0.15, -1.75, 0};
    uint32_t left[HALF], right[HALF], a[HALF] = {0}, b[HALF] = {0};
    for (uint32_t i = 0; i < HALF; ++i) {
        left[i] = ring[i];
        right[i] = ring[RING_SIZE - 1 - i];
    }
    for (uint32_t i = 1; i + 1 < HALF; ++i) {
        a[i] = add_point(builder, -0.75, inner_y[i], 0);
        b[i] = add_point(builder, 0.75, inner_y[i], 0);
    }
    scene_add_triangle(builder, left[0], a[1], left[1]);
    scene_add_quad(builder, right[0], b[1], a[1], left[0]);
    scene_add_triangle(builder, right[0], right[1], b[1]);
    scene_add_quad(builder, a[1], a[2], left[2], left[1]);
    scene_add_quad(builder, right[1], right[2], b[2], b[1]);
    scene_add_quad(builder, b[3], b[4], a[4], a[3]);
    scene_add_triangle(builder, a[4], left[5], left[4]);
    scene_add_quad(builder, b[4], right[5], left[5], a[4]);
    scene_add_triangle(builder, right[4], right[5], b[4]);
    add_engine(builder, (const uint32_t[]){b[1], b[2], b[3], a[3], a[2], a[1]}, 0, 1.15);
    add_engine(builder, (const uint32_t[]){a[2], a[3], a[4], left[4], left[3], left[2]}, -1.5, -0.8);
    add_engine(builder, (const uint32_t[]){right[2], right[3], right[4], b[4], b[3], b[2]}, 1.5, -0.8);
}

imp_Status scene_shuttle(imp_Context *context, imp_Mesh **mesh)
{
    SceneBuilder builder;
    Rings ids;
    imp_Status status = scene_builder_begin(&builder, context, VERTEX_COUNT, TRIANGLE_COUNT);
    if (status != IMP_STATUS_OK)
        return status;
    add_rings(&builder, ids);
    add_fuselage(&builder, ids);
    add_surface(&builder, ids, left_wing, TO_LEFT, wing_sections, 2);
    add_surface(&builder, ids, right_wing, TO_RIGHT, wing_sections, 2);
    add_surface(&builder, ids, fin, UPWARDS, fin_sections, 3);
    add_tail(&builder, ids[0]);
    return scene_builder_finish(&builder, mesh);
}
