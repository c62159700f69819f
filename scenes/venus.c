// A woman's head on a plinth: 36 rings of 24 vertices around the y axis, closer together where the face is;
// nose, eyes, mouth, cheeks and hair raise or lower the surface, ears and a knot of hair grow out of it.
//
// Triangles: 48 for each ring (1728), and twice the edges around what grows, for each loop of it: ears of two
// or three quads (6 or 8 edges each), a knot of 4 x 4 or 4 x 5 quads (16 or 18 edges) in two or three loops.
// 1728 + 2 * 12 + 2 * 32 = 1816, 1728 + 2 * 16 + 3 * 36 = 1868.
#include "scenes/objects.h"

#include "scenes/builder.h"
#include "scenes/path.h"
#include "scenes/shapes.h"

#include <math.h>

#define RING_COUNT 36
#define COLUMNS    24
#define BACK       (COLUMNS / 2)

// Half axes of a ring: to the sides, to the front, to the back.
typedef struct Ring {
    double y, side, front, back;
} Ring;

static const Ring rings[RING_COUNT] = {
    // plinth
    {0.000, 0.170, 0.170, 0.170},
    {0.045, 0.170, 0.170, 0.170},
    {0.058, 0.125, 0.125, 0.125},
    {0.095, 0.095, 0.098, 0.100},
    // breast and neck
    {0.118, 0.135, 0.122, 0.120},
    {0.145, 0.190, 0.150, 0.145},
    {0.182, 0.226, 0.162, 0.158},
    {0.218, 0.228, 0.156, 0.160},
    {0.248, 0.192, 0.135, 0.150},
    {0.280, 0.138, 0.108, 0.130},
    {0.320, 0.098, 0.088, 0.110},
    {0.365, 0.088, 0.082, 0.104},
    {0.400, 0.088, 0.086, 0.108},
    // head
    {0.420, 0.092, 0.104, 0.116},
    {0.429, 0.098, 0.142, 0.124},
    {0.441, 0.108, 0.163, 0.136},
    {0.460, 0.122, 0.172, 0.152},
    {0.482, 0.135, 0.175, 0.166},
    {0.503, 0.145, 0.178, 0.178},
    {0.516, 0.150, 0.180, 0.184},
    {0.526, 0.154, 0.181, 0.189},
    {0.536, 0.157, 0.182, 0.193},
    {0.550, 0.161, 0.183, 0.198},
    {0.568, 0.165, 0.185, 0.203},
    {0.582, 0.168, 0.186, 0.206},
    {0.600, 0.171, 0.187, 0.209},
    {0.630, 0.174, 0.189, 0.213},
    {0.660, 0.176, 0.190, 0.216},
    {0.683, 0.178, 0.191, 0.218},
    {0.703, 0.179, 0.192, 0.219},
    {0.727, 0.180, 0.193, 0.220},
    {0.770, 0.182, 0.194, 0.220},
    {0.830, 0.178, 0.188, 0.211},
    {0.890, 0.158, 0.168, 0.188},
    {0.945, 0.117, 0.129, 0.143},
    {0.984, 0.060, 0.070, 0.077},
};

// Angles of the columns from the front to the back, in hundredths of a degree.
static const int64_t angles[BACK + 1] = {0,    650,  1350,  2150,  3100,  4200, 5500,
                                         7000, 8800, 10800, 13000, 15400, 18000};

// What raises (or lowers) the face, on both sides alike: fullest at (x, y), nothing beyond the radii.
typedef struct Feature {
    double x, y, radius_x, radius_y, height;
} Feature;

static const Feature features[] = {
    {0.000, 0.455, 0.060, 0.032, 0.014},  // chin
    {0.000, 0.482, 0.060, 0.020, -0.008}, // below the lips
    {0.000, 0.508, 0.047, 0.018, 0.016},  // lower lip
    {0.000, 0.526, 0.060, 0.011, -0.010}, // mouth
    {0.000, 0.543, 0.052, 0.017, 0.015},  // upper lip
    {0.088, 0.610, 0.070, 0.070, 0.012},  // cheeks
    {0.068, 0.694, 0.058, 0.036, -0.024}, // sockets of the eyes
    {0.068, 0.692, 0.038, 0.022, 0.017},  // eyes
    {0.070, 0.740, 0.075, 0.030, 0.004},  // brows
};

// 1 in the middle, 0 from 1 on, smooth.
static double fading(double square)
{
    return square < 1 ? (1 - square) * (1 - square) : 0;
}

static double clamped(double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

// The ridge rises from between the brows to the tip and is cut off below it, and widens on its way.
static double nose(double x, double y)
{
    const double top = 0.735, tip = 0.592, base = 0.566;
    if (y >= top || y <= base)
        return 0;
    double down = (top - y) / (top - tip), rise = down < 1 ? down : clamped((y - base) / (tip - base));
    double width = 0.024 + 0.022 * clamped(down);
    return (0.012 + 0.042 * clamped(down)) * rise * fading(x * x / (width * width));
}

static double relief(double x, double y)
{
    double height = nose(x, y);
    for (size_t i = 0; i < sizeof features / sizeof *features; ++i) {
        const Feature *f = &features[i];
        double dx = ((x < 0 ? -x : x) - f->x) / f->radius_x, dy = (y - f->y) / f->radius_y;
        height += f->height * fading(dx * dx + dy * dy);
    }
    return height;
}

// How thick the hair lies on column `half` (from the front to the back) of a ring: none below the hairline,
// which falls from the parting over the forehead past the ears to the nape. Strands run back from the
// parting.
static double hair(const Ring *ring, uint32_t half)
{
    static const double hairline[BACK + 1] = {0.815, 0.808, 0.795, 0.776, 0.750, 0.716, 0.680,
                                              0.655, 0.640, 0.560, 0.470, 0.420, 0.405};
    double above = ring->y - hairline[half], inner = clamped(above / 0.03);
    double strands =
        scene_turn(9000 * half + (uint64_t)(4 * SCENE_STEPS_PER_TURN * ring->y), SCENE_STEPS_PER_TURN).sine;
    double parting = half == 0 ? -0.010 : 0;
    return 0.026 * clamped(above / 0.012) + inner * (parting + 0.007 * strands);
}

typedef struct Head {
    uint32_t ids[RING_COUNT][COLUMNS];
    uint32_t lifted[RING_COUNT][COLUMNS]; // the same, on top of what has grown
} Head;

// A patch of quads that something grows out of.
typedef struct Patch {
    uint32_t ring, ring_count, column, column_count;
} Patch;

static void add_rings(SceneBuilder *builder, Head *head)
{
    for (uint32_t r = 0; r < RING_COUNT; ++r)
        for (uint32_t c = 0; c < COLUMNS; ++c) {
            const Ring *ring = &rings[r];
            uint32_t half = c <= BACK ? c : COLUMNS - c;
            SceneTurn turn = scene_turn((uint64_t)angles[half], SCENE_STEPS_PER_TURN);
            double sine = c <= BACK ? turn.sine : -turn.sine;
            double thickness = hair(ring, half);
            double x = (ring->side + thickness) * sine;
            double z = ((turn.cosine > 0 ? ring->front : ring->back) + thickness) * turn.cosine;
            if (turn.cosine > 0)
                z += relief(x, ring->y);
            head->ids[r][c] = head->lifted[r][c] = scene_add_vertex(builder, x, ring->y, z);
        }
}

static bool is_inside(const Patch *patch, uint32_t ring, uint32_t column)
{
    return ring - patch->ring < patch->ring_count && column - patch->column < patch->column_count;
}

static void add_quads(SceneBuilder *builder, const Head *head, const Patch *patches, uint32_t patch_count)
{
    for (uint32_t r = 0; r + 1 < RING_COUNT; ++r)
        for (uint32_t c = 0; c < COLUMNS; ++c) {
            bool grows = false;
            for (uint32_t p = 0; p < patch_count; ++p)
                grows = grows || is_inside(&patches[p], r, c);
            const uint32_t(*ids)[COLUMNS] = grows ? head->lifted : head->ids;
            uint32_t d = (c + 1) % COLUMNS;
            if (c < BACK) // the diagonals of the two sides mirror each other
                scene_add_quad(builder, ids[r][d], ids[r + 1][d], ids[r + 1][c], ids[r][c]);
            else
                scene_add_quad(builder, ids[r][c], ids[r][d], ids[r + 1][d], ids[r + 1][c]);
        }
}

#define MAX_PERIMETER 32

typedef struct Corner {
    uint32_t ring, column;
} Corner;

// Counter-clockwise seen from outside; returns how many.
static uint32_t perimeter_of(const Patch *patch, Corner corners[MAX_PERIMETER])
{
    uint32_t count = 0, top = patch->ring + patch->ring_count, right = patch->column + patch->column_count;
    for (uint32_t c = patch->column; c < right; ++c)
        corners[count++] = (Corner){patch->ring, c};
    for (uint32_t r = patch->ring; r < top; ++r)
        corners[count++] = (Corner){r, right};
    for (uint32_t c = right; c > patch->column; --c)
        corners[count++] = (Corner){top, c};
    for (uint32_t r = top; r > patch->ring; --r)
        corners[count++] = (Corner){r, patch->column};
    return count;
}

// Another loop around a patch, at `places`; the patch now ends in it.
static void grow(SceneBuilder *builder, Head *head, const Patch *patch, const imp_Vec3 *places)
{
    Corner corners[MAX_PERIMETER];
    uint32_t from[MAX_PERIMETER], to[MAX_PERIMETER], count = perimeter_of(patch, corners);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t *id = &head->lifted[corners[i].ring][corners[i].column];
        from[i] = *id;
        *id = to[i] = scene_add_vertex(builder, places[i].x, places[i].y, places[i].z);
    }
    scene_add_band(builder, from, to, count);
}

// Outwards and back, wider above than below.
static void add_ear(SceneBuilder *builder, Head *head, const Patch *patch)
{
    Corner corners[MAX_PERIMETER];
    imp_Vec3 places[MAX_PERIMETER] = {0};
    uint32_t count = perimeter_of(patch, corners);
    double low = rings[patch->ring].y, high = rings[patch->ring + patch->ring_count].y;
    for (uint32_t i = 0; i < count; ++i) {
        imp_Vec3 v = builder->vertices[head->ids[corners[i].ring][corners[i].column]];
        double up = (v.y - low) / (high - low);
        v.x += (v.x > 0 ? 1 : -1) * (0.012 + 0.008 * up);
        v.y += 0.012 * (up - 0.3);
        v.z -= 0.008 + 0.014 * up;
        places[i] = v;
    }
    grow(builder, head, patch, places);
}

// On a ball behind the head, at `polar` from its rearmost point, in the direction of (u, v).
static imp_Vec3 on_knot(const Patch *patch, double u, double v, int64_t polar)
{
    const double radius = 0.080, z = -0.295;
    double y = (rings[patch->ring].y + rings[patch->ring + patch->ring_count].y) / 2;
    SceneTurn turn = scene_turn((uint64_t)polar, SCENE_STEPS_PER_TURN);
    double length = sqrt(u * u + v * v), out = length > 0 ? radius * turn.sine / length : 0;
    return (imp_Vec3){out * u, y + out * v, z - radius * turn.cosine};
}

// Shares of a patch from -1 to 1: u towards x, which is where columns go down behind the head.
static void patch_shares(const Patch *patch, Corner corner, double *u, double *v)
{
    *u = 1 - 2 * (double)(corner.column - patch->column) / patch->column_count;
    *v = 2 * (double)(corner.ring - patch->ring) / patch->ring_count - 1;
}

static void add_knot(SceneBuilder *builder, Head *head, const Patch *patch, uint32_t loop_count)
{
    const int64_t first = 14400, last = 7500;
    Corner corners[MAX_PERIMETER];
    imp_Vec3 places[MAX_PERIMETER] = {0};
    double u, v;
    uint32_t count = perimeter_of(patch, corners);
    for (uint32_t loop = 0; loop < loop_count; ++loop) {
        int64_t polar = first + (last - first) * loop / (loop_count - 1);
        for (uint32_t i = 0; i < count; ++i) {
            patch_shares(patch, corners[i], &u, &v);
            places[i] = on_knot(patch, u, v, polar);
        }
        grow(builder, head, patch, places);
    }
    for (uint32_t r = patch->ring + 1; r < patch->ring + patch->ring_count; ++r)
        for (uint32_t c = patch->column + 1; c < patch->column + patch->column_count; ++c) {
            patch_shares(patch, (Corner){r, c}, &u, &v);
            double most = fmax(fabs(u), fabs(v));
            builder->vertices[head->ids[r][c]] = on_knot(patch, u, v, (int64_t)((double)last * most));
        }
}

imp_Status scene_venus(imp_Context *context, uint32_t face_count, imp_Mesh **mesh)
{
    bool is_fine = face_count == 1868;
    if (face_count != 1816 && !is_fine)
        return IMP_STATUS_BAD_ARGUMENT;
    const Patch patches[] = {
        {24, is_fine ? 3 : 2, 8, 1},
        {24, is_fine ? 3 : 2, COLUMNS - 9, 1},
        {25, is_fine ? 5 : 4, BACK - 2, 4},
    };
    SceneBuilder builder;
    Head head;
    imp_Status status = scene_builder_begin(&builder, context, face_count / 2 + 2, face_count);
    if (status != IMP_STATUS_OK)
        return status;
    add_rings(&builder, &head);
    add_ear(&builder, &head, &patches[0]);
    add_ear(&builder, &head, &patches[1]);
    add_knot(&builder, &head, &patches[2], is_fine ? 3 : 2);
    add_quads(&builder, &head, patches, 3);
    uint32_t bottom[COLUMNS];
    for (uint32_t c = 0; c < COLUMNS; ++c)
        bottom[c] = head.ids[0][COLUMNS - 1 - c];
    scene_add_fan(&builder, bottom, COLUMNS, scene_add_vertex(&builder, 0, 0, 0));
    scene_add_fan(&builder, head.ids[RING_COUNT - 1], COLUMNS, scene_add_vertex(&builder, 0, 1, 0));
    return scene_builder_finish(&builder, mesh);
}
