/// A building of boxes, tubes and prisms for tests, each part a file of its own, some in metres and some in
/// millimetres. Everything is laid out in whole micrometres and written as decimals, so that what meets what
/// is known from construction, whatever becomes of the decimals when they are read.
#ifndef IMPINGE_TESTS_BUILDING_H
#define IMPINGE_TESTS_BUILDING_H

#include "harness.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum PartShape {
    PART_BOX,
    PART_FRAME,   ///< a box with a hole through it: a wall with an opening, a sleeve
    PART_HOLLOW,  ///< a box with a cavity
    PART_OCTAGON, ///< a prism, as wide as its box, with four flat sides on the box
    PART_SHEETS   ///< the four sides of a box without thickness, open at both ends
} PartShape;

typedef enum PartFormat { PART_OBJ, PART_TEXT_STL, PART_BINARY_STL, PART_PLY, PART_OFF } PartFormat;

/// A corner in micrometres.
typedef struct Corner {
    int64_t at[3];
} Corner;

typedef struct Part {
    char name[64];
    PartShape shape;
    int axis;               ///< of holes, prisms and sheets
    Corner low, high;       ///< its box
    Corner in_low, in_high; ///< hole or cavity
    bool in_millimetres;
    PartFormat format;
} Part;

typedef struct Building {
    Part *parts;
    size_t count, capacity;
} Building;

#define PART_MAX_CORNERS   16
#define PART_MAX_TRIANGLES 32

typedef struct PartMesh {
    Corner corners[PART_MAX_CORNERS];
    int triangles[PART_MAX_TRIANGLES][3];
    int corner_count, triangle_count;
} PartMesh;

// ---- surfaces

static inline void part_quad(PartMesh *mesh, int a, int b, int c, int d, bool turned)
{
    int(*to)[3] = &mesh->triangles[mesh->triangle_count];
    int quad[4] = {a, turned ? d : b, c, turned ? b : d};
    for (int i = 0; i < 2; ++i) {
        to[i][0] = quad[0];
        to[i][1] = quad[1 + i];
        to[i][2] = quad[2 + i];
    }
    mesh->triangle_count += 2;
}

// The corners of a box, numbered so that the first four go round the axis on its low side, seen from the high
// side counter-clockwise, and the other four lie over them. Returns the number of the first.
static inline int part_box_corners(PartMesh *mesh, int axis, Corner low, Corner high)
{
    int first = mesh->corner_count, u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int i = 0; i < 8; ++i) {
        Corner *corner = &mesh->corners[mesh->corner_count++];
        int turn = i & 3;
        corner->at[axis] = i < 4 ? low.at[axis] : high.at[axis];
        corner->at[u] = turn == 1 || turn == 2 ? high.at[u] : low.at[u];
        corner->at[v] = turn >= 2 ? high.at[v] : low.at[v];
    }
    return first;
}

static inline void part_box_sides(PartMesh *mesh, int first, bool turned)
{
    for (int i = 0; i < 4; ++i) {
        int next = (i + 1) % 4;
        part_quad(mesh, first + i, first + next, first + next + 4, first + i + 4, turned);
    }
}

static inline void part_box_ends(PartMesh *mesh, int first, bool turned)
{
    part_quad(mesh, first, first + 3, first + 2, first + 1, turned);
    part_quad(mesh, first + 4, first + 5, first + 6, first + 7, turned);
}

static inline void part_frame(const Part *part, PartMesh *mesh)
{
    int outer = part_box_corners(mesh, part->axis, part->low, part->high);
    int inner = part_box_corners(mesh, part->axis, part->in_low, part->in_high);
    part_box_sides(mesh, outer, false);
    part_box_sides(mesh, inner, true);
    for (int i = 0; i < 4; ++i) {
        int next = (i + 1) % 4;
        part_quad(mesh, outer + i, inner + i, inner + next, outer + next, false);
        part_quad(mesh, outer + 4 + i, outer + 4 + next, inner + 4 + next, inner + 4 + i, false);
    }
}

/// Half the length of a flat side of an octagon so wide: rounded up, so that the slanted sides are no nearer
/// to the middle than the flat ones.
static inline int64_t part_flat(int64_t half_width)
{
    return (int64_t)((double)half_width * 0.41421356237309503) + 1;
}

static inline void part_octagon(const Part *part, PartMesh *mesh)
{
    int u = (part->axis + 1) % 3, v = (part->axis + 2) % 3;
    int64_t half = (part->high.at[u] - part->low.at[u]) / 2, flat = part_flat(half);
    const int64_t round[8][2] = {{flat, -half}, {half, -flat}, {half, flat},   {flat, half},
                                 {-flat, half}, {-half, flat}, {-half, -flat}, {-flat, -half}};
    for (int i = 0; i < 16; ++i) {
        Corner *corner = &mesh->corners[mesh->corner_count++];
        corner->at[part->axis] = i < 8 ? part->low.at[part->axis] : part->high.at[part->axis];
        corner->at[u] = part->low.at[u] + half + round[i & 7][0];
        corner->at[v] = part->low.at[v] + half + round[i & 7][1];
    }
    for (int i = 0; i < 8; ++i)
        part_quad(mesh, i, (i + 1) % 8, (i + 1) % 8 + 8, i + 8, false);
    for (int i = 1; i <= 5; i += 2) {
        part_quad(mesh, 0, i + 2, i + 1, i, false);
        part_quad(mesh, 8, i + 8, i + 9, i + 10, false);
    }
}

/// Outward, and with cavities inward.
static inline void part_mesh(const Part *part, PartMesh *mesh)
{
    *mesh = (PartMesh){0};
    if (part->shape == PART_FRAME) {
        part_frame(part, mesh);
    } else if (part->shape == PART_OCTAGON) {
        part_octagon(part, mesh);
    } else {
        int first = part_box_corners(mesh, part->axis, part->low, part->high);
        part_box_sides(mesh, first, false);
        if (part->shape != PART_SHEETS)
            part_box_ends(mesh, first, false);
        if (part->shape == PART_HOLLOW) {
            first = part_box_corners(mesh, part->axis, part->in_low, part->in_high);
            part_box_sides(mesh, first, true);
            part_box_ends(mesh, first, true);
        }
    }
}

// ---- files

/// A coordinate as it stands in the file of a part: a decimal that is exactly that many micrometres.
static inline void part_decimal(const Part *part, int64_t micrometres, char *text)
{
    int64_t unit = part->in_millimetres ? 1000 : 1000000, size = llabs(micrometres);
    sprintf(text, "%s%lld.%0*lld", micrometres < 0 ? "-" : "", (long long)(size / unit),
            part->in_millimetres ? 3 : 6, (long long)(size % unit));
}

/// The metres that a reader has to make of it: the nearest double, or the nearest float in a binary STL file,
/// and where that stands for millimetres its quotient by 1000, correctly rounded.
static inline double part_metres(const Part *part, int64_t micrometres)
{
    char text[40];
    part_decimal(part, micrometres, text);
    double value = part->format == PART_BINARY_STL ? (double)strtof(text, NULL) : strtod(text, NULL);
    return part->in_millimetres ? value / 1000 : value;
}

static inline const char *part_extension(const Part *part)
{
    static const char *const extensions[] = {"obj", "stl", "stl", "ply", "off"};
    return extensions[part->format];
}

static inline void part_put_corner(FILE *file, const Part *part, Corner corner, const char *before)
{
    fputs(before, file);
    for (int k = 0; k < 3; ++k) {
        char text[40];
        part_decimal(part, corner.at[k], text);
        fprintf(file, "%s%s", k > 0 ? " " : "", text);
    }
    fputc('\n', file);
}

static inline void part_put_text_stl(FILE *file, const Part *part, const PartMesh *mesh)
{
    fprintf(file, "solid %s\n", part->name);
    for (int i = 0; i < mesh->triangle_count; ++i) {
        fputs("facet normal 0 0 0\nouter loop\n", file);
        for (int k = 0; k < 3; ++k)
            part_put_corner(file, part, mesh->corners[mesh->triangles[i][k]], "vertex ");
        fputs("endloop\nendfacet\n", file);
    }
    fprintf(file, "endsolid %s\n", part->name);
}

static inline void part_put_little_endian(FILE *file, uint32_t bits, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        fputc((int)(bits >> (8 * i) & 255), file);
}

static inline void part_put_binary_stl(FILE *file, const Part *part, const PartMesh *mesh)
{
    for (int i = 0; i < 80; ++i)
        fputc(' ', file);
    part_put_little_endian(file, (uint32_t)mesh->triangle_count, 4);
    for (int i = 0; i < mesh->triangle_count; ++i) {
        for (int k = 0; k < 12; ++k) { // the first three are the normal, which nobody needs
            char text[40] = "0";
            if (k >= 3)
                part_decimal(part, mesh->corners[mesh->triangles[i][k / 3 - 1]].at[k % 3], text);
            float value = strtof(text, NULL);
            uint32_t bits;
            memcpy(&bits, &value, sizeof bits);
            part_put_little_endian(file, bits, 4);
        }
        part_put_little_endian(file, 0, 2);
    }
}

static inline void part_put_indexed(FILE *file, const Part *part, const PartMesh *mesh)
{
    bool is_obj = part->format == PART_OBJ;
    if (part->format == PART_PLY)
        fprintf(file,
                "ply\nformat ascii 1.0\nelement vertex %d\nproperty double x\nproperty double y\n"
                "property double z\nelement face %d\nproperty list uchar int vertex_indices\nend_header\n",
                mesh->corner_count, mesh->triangle_count);
    else if (part->format == PART_OFF)
        fprintf(file, "OFF\n%d %d 0\n", mesh->corner_count, mesh->triangle_count);
    for (int i = 0; i < mesh->corner_count; ++i)
        part_put_corner(file, part, mesh->corners[i], is_obj ? "v " : "");
    for (int i = 0; i < mesh->triangle_count; ++i) {
        const int *at = mesh->triangles[i];
        fprintf(file, "%s %d %d %d\n", is_obj ? "f" : "3", at[0] + is_obj, at[1] + is_obj, at[2] + is_obj);
    }
}

static inline bool part_write(const Part *part, const char *folder)
{
    char path[256];
    PartMesh mesh;
    part_mesh(part, &mesh);
    snprintf(path, sizeof path, "%s/%s.%s", folder, part->name, part_extension(part));
    FILE *file = fopen(path, "wb");
    if (!CHECK(file != NULL))
        return false;
    if (part->format == PART_TEXT_STL)
        part_put_text_stl(file, part, &mesh);
    else if (part->format == PART_BINARY_STL)
        part_put_binary_stl(file, part, &mesh);
    else
        part_put_indexed(file, part, &mesh);
    return CHECK(fclose(file) == 0);
}

// ---- the plan

#define BAY_WIDTH     INT64_C(6450000) // of a room's share of the floor, along x
#define BAY_LENGTH    INT64_C(5300000)
#define STOREY_HEIGHT INT64_C(3050000)
#define ROOM_HEIGHT   INT64_C(2800000) // the rest is the slab
#define BAY_PARTS     30

/// Where the bay begins that parts are added to, and its name.
typedef struct Bay {
    Building *building;
    Corner origin; ///< on top of its slab
    char name[40];
} Bay;

// Binary STL has single precision, which is for what is exact in it: whole and half millimetres.
static inline bool part_is_exact_in_float(const Part *part)
{
    const Corner *corners[] = {&part->low, &part->high, &part->in_low, &part->in_high};
    if (part->shape == PART_OCTAGON)
        return false;
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k)
            if (corners[i]->at[k] % 500 != 0)
                return false;
    return true;
}

// Units and formats go round, so that each kind of part comes in each. A third is in millimetres.
static inline void part_choose_file(Part *part, size_t turn)
{
    static const struct {
        bool in_millimetres;
        PartFormat format;
    } files[] = {{false, PART_OBJ},       {true, PART_OBJ},       {false, PART_TEXT_STL},
                 {true, PART_BINARY_STL}, {false, PART_PLY},      {false, PART_OFF},
                 {true, PART_TEXT_STL},   {false, PART_TEXT_STL}, {false, PART_OBJ}};
    part->in_millimetres = files[turn % 9].in_millimetres;
    part->format = files[turn % 9].format;
    if (part->format == PART_BINARY_STL && !part_is_exact_in_float(part))
        part->format = PART_TEXT_STL;
}

// Names tell the unit, as those of a project would: "A0_12_wall" in metres, "A0_12_wall_mm" in millimetres.
static inline void part_set_name(Part *part, const char *bay, const char *kind)
{
    snprintf(part->name, sizeof part->name, "%s_%s%s", bay, kind, part->in_millimetres ? "_mm" : "");
}

static inline Part *building_add(Building *building)
{
    if (building->count == building->capacity) {
        size_t capacity = building->capacity ? 2 * building->capacity : 256;
        Part *parts = realloc(building->parts, capacity * sizeof *parts);
        if (!parts)
            abort();
        building->parts = parts;
        building->capacity = capacity;
    }
    Part *part = &building->parts[building->count++];
    *part = (Part){0};
    return part;
}

/// A part by its box in the bay, in micrometres from the bay's corner.
static inline Part *bay_add(const Bay *bay, const char *kind, PartShape shape, int axis, const int64_t box[6])
{
    size_t turn = bay->building->count;
    Part *part = building_add(bay->building);
    part->shape = shape;
    part->axis = axis;
    for (int k = 0; k < 3; ++k) {
        part->low.at[k] = bay->origin.at[k] + box[k];
        part->high.at[k] = bay->origin.at[k] + box[k + 3];
    }
    part_choose_file(part, turn + turn / BAY_PARTS);
    part_set_name(part, bay->name, kind);
    return part;
}

#define BOX(...) ((const int64_t[6]){__VA_ARGS__})

/// The same with a hole along its axis, or with a cavity, by the corners of that.
static inline Part *bay_add_with_hole(const Bay *bay, const char *kind, PartShape shape, int axis,
                                      const int64_t box[6], const int64_t hole[6])
{
    Part *part = bay_add(bay, kind, shape, axis, box);
    for (int k = 0; k < 3; ++k) {
        part->in_low.at[k] = bay->origin.at[k] + hole[k];
        part->in_high.at[k] = bay->origin.at[k] + hole[k + 3];
    }
    if (part->format == PART_BINARY_STL && !part_is_exact_in_float(part))
        part->format = PART_TEXT_STL;
    return part;
}

/// The same part once more, in the unit that is asked for.
static inline void bay_duplicate(const Bay *bay, const char *kind, size_t original, bool in_millimetres)
{
    Part *copy = building_add(bay->building);
    *copy = bay->building->parts[original];
    copy->in_millimetres = in_millimetres;
    if (copy->format == PART_BINARY_STL)
        copy->format = PART_TEXT_STL;
    part_set_name(copy, bay->name, kind);
}

// What carries: slabs and walls side by side, walls and columns on the slab and under the next one.
static inline void bay_add_structure(const Bay *bay)
{
    bay_add(bay, "slab", PART_BOX, 2, BOX(0, 0, ROOM_HEIGHT - STOREY_HEIGHT, BAY_WIDTH, BAY_LENGTH, 0));
    bay_add(bay, "wall_long", PART_BOX, 1, BOX(0, 300000, 0, BAY_WIDTH, 540000, ROOM_HEIGHT));
    // From this long wall to that of the next bay: it stands on two slabs.
    bay_add(bay, "wall_cross", PART_BOX, 0,
            BOX(3000000, 540000, 0, 3115000, BAY_LENGTH + 300000, ROOM_HEIGHT));
    // Three that meet along edges alone.
    bay_add(bay, "column_a", PART_BOX, 2, BOX(3500000, 4000000, 0, 3900000, 4400000, ROOM_HEIGHT));
    bay_add(bay, "column_b", PART_BOX, 2, BOX(3900000, 4400000, 0, 4250500, 4750500, ROOM_HEIGHT));
    bay_add(bay, "wall_corner", PART_BOX, 1, BOX(3900000, 3885000, 0, 5115000, 4000000, 2400000));
}

// What goes through walls.
static inline void bay_add_ducts(const Bay *bay)
{
    // Without an opening: through the long wall, 0.24 thick, and the cross wall, 0.115 thick.
    bay_add(bay, "duct", PART_BOX, 1, BOX(1000000, 100000, 2100000, 1400000, 900000, 2350000));
    bay_add(bay, "duct_round", PART_OCTAGON, 0, BOX(2500000, 1500000, 2200000, 3600000, 1800000, 2500000));
    bay_add(bay, "duct_open", PART_SHEETS, 1, BOX(1800000, 50000, 2100000, 2200000, 950000, 2400000));
    // Ends in the long wall, 0.07 deep.
    bay_add(bay, "duct_end", PART_BOX, 1, BOX(4600000, 470000, 2100000, 5000000, 1300000, 2300000));
    // With a sleeve, which fills its opening: the duct is 20 mm away from it all round.
    bay_add_with_hole(bay, "wall_sleeve", PART_FRAME, 1, BOX(200000, 2000000, 0, 2600000, 2200000, 2700000),
                      BOX(900000, 2000000, 1900000, 1500000, 2200000, 2400000));
    bay_add_with_hole(bay, "sleeve", PART_FRAME, 1, BOX(900000, 1950000, 1900000, 1500000, 2250000, 2400000),
                      BOX(910000, 1950000, 1910000, 1490000, 2250000, 2390000));
    bay_add(bay, "duct_sleeved", PART_BOX, 1, BOX(930000, 1700000, 1930000, 1470000, 2600000, 2370000));
    // With an opening, on whose lower side the duct lies, 31 mm away from the others.
    bay_add_with_hole(bay, "wall_opening", PART_FRAME, 1, BOX(200000, 3200000, 0, 2600000, 3364800, 2700000),
                      BOX(700000, 3200000, 1850100, 1300000, 3364800, 2300100));
    bay_add(bay, "duct_lying", PART_BOX, 1, BOX(731000, 3000000, 1850100, 1269000, 3700000, 2269100));
}

#define BUILDING_CLEARANCE "0.05"

// Pipes in a row, 49.9 mm, 50 mm and 50.1 mm apart.
static inline void bay_add_pipes(const Bay *bay)
{
    static const int64_t gaps[] = {49900, 50000, 50100, 0};
    int64_t x = 5300000;
    for (int i = 0; i < 4; ++i) {
        char kind[16];
        snprintf(kind, sizeof kind, "pipe_%d", i);
        bay_add(bay, kind, PART_OCTAGON, 1, BOX(x, 1500000, 2500000, x + 110000, 3700000, 2610000));
        x += 110000 + gaps[i];
    }
}

// What stands about: one in the other, on each other, twice in the same place.
static inline void bay_add_contents(const Bay *bay)
{
    Building *building = bay->building;
    // In the shaft, not in its walls, and 40 mm from one of them.
    bay_add_with_hole(bay, "shaft", PART_HOLLOW, 2, BOX(3600000, 2000000, 100000, 5000000, 3400000, 2700000),
                      BOX(3700000, 2100000, 200000, 4900000, 3300000, 2600000));
    bay_add(bay, "lift", PART_BOX, 2, BOX(3740000, 2300000, 600000, 4700000, 3100000, 2300000));
    bay_add(bay, "tank", PART_BOX, 2, BOX(400000, 4000000, 0, 1600000, 4900000, 1100000));
    bay_add(bay, "float", PART_BOX, 2, BOX(500000, 4203300, 600000, 1500000, 4703300, 800000));
    // On each other, at tenths of millimetres.
    bay_add(bay, "crate_a", PART_BOX, 2, BOX(1900000, 4100000, 0, 2500100, 4700000, 333300));
    bay_add(bay, "crate_b", PART_BOX, 2, BOX(1950000, 4130300, 333300, 2400700, 4600000, 700900));
    // 3 mm deep in the slab.
    bay_add(bay, "bracket", PART_BOX, 2, BOX(5500000, 4200000, -3000, 5700000, 4400000, 250000));
    size_t cabinet = building->count;
    bay_add(bay, "cabinet", PART_BOX, 2, BOX(5300000, 700000, 0, 5800000, 1100100, 1800000));
    bay_duplicate(bay, "cabinet_again", cabinet, building->parts[cabinet].in_millimetres);
    size_t rack = building->count;
    bay_add(bay, "rack", PART_BOX, 2, BOX(200000, 1100000, 0, 700700, 1500000, 1900300));
    bay_duplicate(bay, "rack_again", rack, !building->parts[rack].in_millimetres);
}

static inline void bay_add_all(const Bay *bay)
{
    bay_add_structure(bay);
    bay_add_ducts(bay);
    bay_add_pipes(bay);
    bay_add_contents(bay);
}

/// Bays of a block: along x, along y, and storeys, with a roof over the last.
static inline void building_add_block(Building *building, char block, Corner corner, const int bays[3])
{
    for (int z = 0; z <= bays[2]; ++z)
        for (int y = 0; y < bays[1]; ++y)
            for (int x = 0; x < bays[0]; ++x) {
                Bay bay = {.building = building, .origin = corner};
                bay.origin.at[0] += x * BAY_WIDTH;
                bay.origin.at[1] += y * BAY_LENGTH;
                bay.origin.at[2] += z * STOREY_HEIGHT;
                snprintf(bay.name, sizeof bay.name, "%c%d_%d%d", block, z, x, y);
                if (z < bays[2])
                    bay_add_all(&bay);
                else
                    bay_add(&bay, "roof", PART_BOX, 2,
                            BOX(0, 0, ROOM_HEIGHT - STOREY_HEIGHT, BAY_WIDTH, BAY_LENGTH, 0));
            }
}

// Posts side by side on a plinth, 30 mm and more apart, all in single precision.
static inline void building_add_posts(Building *building, char block, int row, Corner corner)
{
    Bay bay = {.building = building, .origin = corner};
    snprintf(bay.name, sizeof bay.name, "%cp%d", block, row);
    for (int i = 0; i < 8; ++i) {
        int64_t x = i * INT64_C(130000) + i * i * INT64_C(1100);
        char kind[16];
        snprintf(kind, sizeof kind, i < 7 ? "post_%d" : "plinth", i);
        Part *part = i < 7 ? bay_add(&bay, kind, PART_BOX, 2, BOX(x, 0, 150000, x + 100000, 100000, 2400000))
                           : bay_add(&bay, kind, PART_BOX, 2, BOX(-100000, -100000, 0, x, 200000, 150000));
        part->in_millimetres = false;
        part->format = PART_BINARY_STL;
        part_set_name(part, bay.name, kind);
    }
}

/// Two blocks, one of them 500 m away, and posts beside them: 4 x 2 bays on 4 storeys are 2,000 parts in all.
static inline void building_add_all(Building *building, const int bays[3])
{
    static const Corner corners[] = {{{115000, 2300000, 50000}}, {{500115000, 512300000, 12050000}}};
    for (int i = 0; i < 2; ++i) {
        building_add_block(building, (char)('A' + i), corners[i], bays);
        for (int row = 0; row < 4; ++row) {
            Corner corner = corners[i];
            corner.at[0] -= 3300000;
            corner.at[1] += row * INT64_C(1150000);
            building_add_posts(building, (char)('A' + i), row, corner);
        }
    }
}

static inline bool building_write(const Building *building, const char *folder)
{
    for (size_t i = 0; i < building->count; ++i)
        if (!part_write(&building->parts[i], folder))
            return false;
    return true;
}

#endif
