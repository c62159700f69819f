/// What of a building meets what, from the boxes that its parts are made of: comparisons of coordinates and
/// nothing else. It knows nothing of triangles.
#ifndef IMPINGE_TESTS_BUILDING_TRUTH_H
#define IMPINGE_TESTS_BUILDING_TRUTH_H

#include "building.h"

#include <math.h>

typedef enum PartRelation {
    PARTS_APART,
    PARTS_CLEARANCE,
    PARTS_TOUCH,
    PARTS_OVERLAP,
    PARTS_A_INSIDE_B,
    PARTS_B_INSIDE_A
} PartRelation;

static inline const char *part_relation_word(PartRelation relation)
{
    static const char *const words[] = {"apart", "clearance", "touch", "overlap", "a_inside_b", "b_inside_a"};
    return words[relation];
}

typedef struct PartPair {
    size_t a, b; ///< a < b
    PartRelation relation;
    double distance;
    double depth;    ///< of an overlap; NaN where it is not known from construction
    bool is_rounded; ///< they stand on each other, and rounding put one a little into the other
    bool is_duplicate;
} PartPair;

/// In metres, as read from files.
typedef struct SolidBox {
    double low[3], high[3];
} SolidBox;

typedef struct Solid {
    SolidBox whole;
    SolidBox boxes[6]; ///< what it is made of
    int count;
} Solid;

static inline SolidBox solid_box(const Part *part, Corner low, Corner high)
{
    SolidBox box;
    for (int k = 0; k < 3; ++k) {
        box.low[k] = part_metres(part, low.at[k]);
        box.high[k] = part_metres(part, high.at[k]);
    }
    return box;
}

// A box less another one in it, along one axis after the other: what is left are boxes.
static inline void solid_add_around(Solid *solid, SolidBox box, const SolidBox *hole)
{
    for (int k = 0; k < 3; ++k) {
        SolidBox side = box;
        side.high[k] = hole->low[k];
        if (side.low[k] < side.high[k])
            solid->boxes[solid->count++] = side;
        side = box;
        side.low[k] = hole->high[k];
        if (side.low[k] < side.high[k])
            solid->boxes[solid->count++] = side;
        box.low[k] = hole->low[k];
        box.high[k] = hole->high[k];
    }
}

static inline Solid part_solid(const Part *part)
{
    Solid solid = {.whole = solid_box(part, part->low, part->high)};
    if (part->shape == PART_BOX || part->shape == PART_OCTAGON) {
        solid.boxes[solid.count++] = solid.whole;
    } else if (part->shape == PART_SHEETS) {
        for (int i = 0; i < 4; ++i) {
            int across = (part->axis + 1 + i / 2) % 3;
            SolidBox sheet = solid.whole;
            if (i % 2)
                sheet.low[across] = sheet.high[across];
            else
                sheet.high[across] = sheet.low[across];
            solid.boxes[solid.count++] = sheet;
        }
    } else {
        SolidBox hole = solid_box(part, part->in_low, part->in_high);
        solid_add_around(&solid, solid.whole, &hole);
    }
    return solid;
}

// ---- two boxes

/// How far apart along each axis; rounded.
static inline double boxes_gap(const SolidBox *a, const SolidBox *b, int axis)
{
    double up = b->low[axis] - a->high[axis], down = a->low[axis] - b->high[axis];
    return fmax(fmax(up, down), 0);
}

/// Is the gap at most so wide? Exactly: a rounded difference and what was rounded off are the difference.
static inline bool gap_is_within(const SolidBox *a, const SolidBox *b, int axis, double limit)
{
    bool up = b->low[axis] > a->high[axis];
    double larger = up ? b->low[axis] : a->low[axis], smaller = up ? a->high[axis] : b->high[axis];
    double gap = larger - smaller, back = gap - larger;
    double lost = (larger - (gap - back)) - (smaller + back);
    return gap < limit || (gap == limit && lost <= 0);
}

static inline double boxes_distance(const SolidBox *a, const SolidBox *b)
{
    double x = boxes_gap(a, b, 0), y = boxes_gap(a, b, 1), z = boxes_gap(a, b, 2);
    return sqrt(x * x + y * y + z * z);
}

static inline bool boxes_within(const SolidBox *a, const SolidBox *b, double limit)
{
    int gap_count = 0, axis = 0;
    for (int k = 0; k < 3; ++k)
        if (boxes_gap(a, b, k) > 0) {
            ++gap_count;
            axis = k;
        }
    if (gap_count == 1)
        return gap_is_within(a, b, axis, limit);
    double distance = boxes_distance(a, b);
    CHECK(fabs(distance - limit) > 1e-9); // or the plan must be changed
    return distance <= limit;
}

/// How wide the box is that two have in common, the least of its widths; negative where they have none.
static inline double boxes_common_width(const SolidBox *a, const SolidBox *b)
{
    double width = INFINITY;
    for (int k = 0; k < 3; ++k)
        width = fmin(width, fmin(a->high[k], b->high[k]) - fmax(a->low[k], b->low[k]));
    return width;
}

static inline bool boxes_share_inner_points(const SolidBox *a, const SolidBox *b)
{
    for (int k = 0; k < 3; ++k)
        if (!(a->low[k] < b->high[k] && b->low[k] < a->high[k]))
            return false;
    return true;
}

static inline bool box_is_within(const SolidBox *inner, const SolidBox *outer)
{
    for (int k = 0; k < 3; ++k)
        if (!(outer->low[k] < inner->low[k] && inner->high[k] < outer->high[k]))
            return false;
    return true;
}

// The farthest that a point of a's surface inside of b is from b's surface. On each side of a the distance
// from each pair of b's sides can be as large as possible at once, as they lie along different axes.
static inline double box_depth_one_way(const SolidBox *a, const SolidBox *b)
{
    double deepest = 0;
    for (int side = 0; side < 6; ++side) {
        double depth = INFINITY;
        for (int k = 0; k < 3; ++k) {
            double low = a->low[k], high = a->high[k];
            if (side / 2 == k)
                low = high = side % 2 ? high : low;
            double middle = b->low[k] + (b->high[k] - b->low[k]) / 2;
            double at = fmin(fmax(middle, low), high);
            depth = fmin(depth, fmin(at - b->low[k], b->high[k] - at));
        }
        deepest = fmax(deepest, depth);
    }
    return deepest;
}

static inline double boxes_depth(const SolidBox *a, const SolidBox *b)
{
    return fmax(box_depth_one_way(a, b), box_depth_one_way(b, a));
}

// ---- two parts

/// What stands on each other may reach into each other by this, when units were converted.
#define BUILDING_ROUNDING 1e-11

static inline bool part_is_duplicate(const Part *a, const Part *b)
{
    return memcmp(&a->low, &b->low, sizeof a->low) == 0 && memcmp(&a->high, &b->high, sizeof a->high) == 0;
}

// An octagon is taken for its box. That is right where the other one has its place beside a flat side.
static inline void check_flat_side(const Part *octagon, const Part *other)
{
    int beside = 0;
    for (int i = 1; i <= 2; ++i) {
        int across = (octagon->axis + i) % 3;
        int64_t middle = (octagon->low.at[across] + octagon->high.at[across]) / 2;
        int64_t flat = part_flat((octagon->high.at[across] - octagon->low.at[across]) / 2);
        beside += other->low.at[across] <= middle + flat && other->high.at[across] >= middle - flat;
    }
    CHECK(beside > 0);
}

static inline double overlap_depth(const Part *a, const Part *b, const Solid *in_a, const Solid *in_b)
{
    bool plain_a = a->shape == PART_BOX || a->shape == PART_OCTAGON;
    bool plain_b = b->shape == PART_BOX || b->shape == PART_OCTAGON;
    return plain_a && plain_b ? boxes_depth(&in_a->whole, &in_b->whole) : NAN;
}

static inline PartPair parts_compare(const Building *building, const Solid *solids, size_t i, size_t j,
                                     double clearance)
{
    const Part *a = &building->parts[i], *b = &building->parts[j];
    PartPair pair = {.a = i, .b = j, .distance = INFINITY, .depth = NAN};
    double common = -INFINITY;
    bool within = false;
    for (int p = 0; p < solids[i].count; ++p)
        for (int q = 0; q < solids[j].count; ++q) {
            const SolidBox *of_a = &solids[i].boxes[p], *of_b = &solids[j].boxes[q];
            pair.distance = fmin(pair.distance, boxes_distance(of_a, of_b));
            within = within || boxes_within(of_a, of_b, clearance);
            if (boxes_share_inner_points(of_a, of_b))
                common = fmax(common, a->shape == PART_SHEETS || b->shape == PART_SHEETS
                                          ? INFINITY
                                          : boxes_common_width(of_a, of_b));
        }
    if (common > BUILDING_ROUNDING) {
        bool a_in_b = b->shape == PART_BOX && box_is_within(&solids[i].whole, &solids[j].whole);
        bool b_in_a = a->shape == PART_BOX && box_is_within(&solids[j].whole, &solids[i].whole);
        pair.is_duplicate = part_is_duplicate(a, b);
        pair.relation = a_in_b && !pair.is_duplicate   ? PARTS_A_INSIDE_B
                        : b_in_a && !pair.is_duplicate ? PARTS_B_INSIDE_A
                                                       : PARTS_OVERLAP;
        pair.depth = overlap_depth(a, b, &solids[i], &solids[j]);
        for (int k = 0; k < 3 && pair.relation != PARTS_OVERLAP; ++k) {
            double low = fabs(solids[i].whole.low[k] - solids[j].whole.low[k]);
            double high = fabs(solids[i].whole.high[k] - solids[j].whole.high[k]);
            pair.distance = fmin(k == 0 ? INFINITY : pair.distance, fmin(low, high));
        }
    } else if (pair.distance == 0) {
        CHECK(common < 0 || a->in_millimetres || b->in_millimetres);
        pair.relation = PARTS_TOUCH;
        pair.is_rounded = common > 0;
    } else if (within) {
        pair.relation = PARTS_CLEARANCE;
    }
    return pair;
}

/// All pairs that are not apart, sorted; free it.
static inline PartPair *building_truth(const Building *building, double clearance, size_t *count)
{
    Solid *solids = malloc(building->count * sizeof *solids);
    size_t capacity = 64 * building->count;
    PartPair *pairs = malloc(capacity * sizeof *pairs);
    *count = 0;
    if (!solids || !pairs)
        abort();
    for (size_t i = 0; i < building->count; ++i)
        solids[i] = part_solid(&building->parts[i]);
    for (size_t i = 0; i < building->count; ++i)
        for (size_t j = i + 1; j < building->count; ++j) {
            if (boxes_distance(&solids[i].whole, &solids[j].whole) > 2 * clearance)
                continue;
            PartPair pair = parts_compare(building, solids, i, j, clearance);
            if (pair.relation == PARTS_APART)
                continue;
            const Part *a = &building->parts[i], *b = &building->parts[j];
            if (a->shape == PART_OCTAGON)
                check_flat_side(a, b);
            if (b->shape == PART_OCTAGON)
                check_flat_side(b, a);
            if (CHECK(*count < capacity))
                pairs[(*count)++] = pair;
        }
    free(solids);
    return pairs;
}

#endif
