// Which way a region faces, from a to b. The rules are those of docs/contacts.md, in the order of find_rule.
//
// Along (normal of a) x (normal of b), a curve turns around the direction from a to b: where a stands on b,
// seen from above, normals of a along the curve point outward and that of b points up, so that the curve runs
// clockwise, and the area that it encloses points down.
#include "object/contact_shape.h"

#include "geom/scalar.h"
#include "geom/vector.h"

#include <math.h>
#include <stdlib.h>

// A sum tells a direction when it is longer than this share of what was summed.
#define LEAST_SHARE 1e-6

static int compare_sizes(const void *left, const void *right)
{
    double a = fabs(*(const double *)left), b = fabs(*(const double *)right);
    return (a > b) - (a < b);
}

double impi_mirrored_sum(double *terms, size_t count)
{
    double positive = 0, negative = 0;
    qsort(terms, count, sizeof *terms, compare_sizes);
    for (size_t i = 0; i < count; ++i) {
        if (terms[i] > 0)
            positive += terms[i];
        else
            negative -= terms[i];
    }
    return positive - negative;
}

// Vectors that are summed up, each axis by itself.
typedef struct Terms {
    double *axes[3];
    size_t count;
    double length; // of all of them
} Terms;

static bool begin_terms(impi_Arena *arena, size_t most, Terms *terms)
{
    *terms = (Terms){0};
    for (int axis = 0; axis < 3; ++axis) {
        terms->axes[axis] = impi_arena_allocate_array(arena, most, sizeof(double));
        if (!terms->axes[axis])
            return false;
    }
    return true;
}

static void add_term(Terms *terms, imp_Vec3 term)
{
    const double values[3] = {term.x, term.y, term.z};
    for (int axis = 0; axis < 3; ++axis)
        terms->axes[axis][terms->count] = values[axis];
    terms->length += impi_length(term);
    ++terms->count;
}

// False when the terms cancel each other.
static bool sum_terms(Terms *terms, imp_Vec3 *direction)
{
    imp_Vec3 sum = {impi_mirrored_sum(terms->axes[0], terms->count),
                    impi_mirrored_sum(terms->axes[1], terms->count),
                    impi_mirrored_sum(terms->axes[2], terms->count)};
    if (!(impi_length(sum) > LEAST_SHARE * terms->length))
        return false;
    *direction = impi_unit(sum);
    return true;
}

typedef struct Region {
    const impi_ContactGraph *graph;
    const uint32_t *pairs, *nodes, *segments;
    size_t pair_count, node_count, segment_count;
    bool is_closed;  // there are curves, and all of them are closed
    bool is_pierced; // an edge goes through a face
    imp_Vec3 origin; // the first of its points
    double unit;     // how far the others are from it
} Region;

// A point of the region near to 1.
static imp_Vec3 place(const Region *region, uint32_t node)
{
    imp_Vec3 step = impi_subtract(region->graph->nodes.data[node].position, region->origin);
    return (imp_Vec3){step.x / region->unit, step.y / region->unit, step.z / region->unit};
}

static imp_Vec3 normal_difference(const Region *region, const impi_ContactFaces *pair)
{
    imp_Triangle a = impi_side_triangle(region->graph->sides[0], pair->faces[0]);
    imp_Triangle b = impi_side_triangle(region->graph->sides[1], pair->faces[1]);
    return impi_scale(impi_subtract(impi_face_normal(&a), impi_face_normal(&b)), 0.5);
}

// ---- the area of curves

static bool curve_normal(const Region *region, Terms *terms, imp_Vec3 *normal)
{
    if (!region->is_closed)
        return false;
    for (size_t i = 0; i < region->segment_count; ++i) {
        const impi_ContactSegment *segment = &region->graph->segments.data[region->segments[i]];
        add_term(terms, impi_cross(place(region, segment->from), place(region, segment->to)));
    }
    return sum_terms(terms, normal);
}

// ---- faces in one plane

// Corners of a convex polygon around the first of them, by the side on which one sees the other.
static double polygon_area(imp_Vec3 *corners, uint32_t count, imp_Vec3 normal)
{
    imp_Vec3 area = {0, 0, 0};
    for (uint32_t i = 1; i < count; ++i) {
        imp_Vec3 moved = impi_subtract(corners[i], corners[0]);
        uint32_t k = i;
        for (; k > 1 && impi_dot(normal, impi_cross(corners[k - 1], moved)) < 0; --k)
            corners[k] = corners[k - 1];
        corners[k] = moved;
    }
    for (uint32_t i = 2; i < count; ++i)
        area = impi_add_scaled(area, 0.5, impi_cross(corners[i - 1], corners[i]));
    return impi_length(area);
}

// Of a normal and its opposite, the one whose largest coordinate is positive: the same for a and b.
static imp_Vec3 turn_up(imp_Vec3 normal)
{
    double most = impi_longest(normal);
    bool is_up = normal.x == most || normal.y == most || normal.z == most;
    return is_up ? normal : impi_scale(normal, -1);
}

static double shared_area(const Region *region, const impi_ContactFaces *pair)
{
    imp_Vec3 corners[IMPI_MAX_MEETING_CORNERS];
    imp_Triangle a = impi_side_triangle(region->graph->sides[0], pair->faces[0]);
    imp_Vec3 normal = turn_up(impi_face_normal(&a));
    for (uint32_t i = 0; i < pair->node_count; ++i) {
        imp_Vec3 corner = place(region, region->graph->pair_nodes.data[pair->first_node + i]);
        uint32_t first = i > 0 && impi_is_before(&corner, &corners[0]) ? 0 : i;
        corners[i] = corners[first];
        corners[first] = corner;
    }
    return polygon_area(corners, pair->node_count, normal);
}

static bool faces_normal(const Region *region, Terms *terms, imp_Vec3 *normal)
{
    double whole = 0;
    for (size_t i = 0; i < region->pair_count; ++i) {
        const impi_ContactFaces *pair = &region->graph->pairs[region->pairs[i]];
        if (!pair->is_flat)
            continue;
        double area = shared_area(region, pair);
        add_term(terms, impi_scale(normal_difference(region, pair), area));
        whole += area;
    }
    return terms->length > LEAST_SHARE * whole && sum_terms(terms, normal);
}

// ---- means

static bool mean_normal(const Region *region, Terms *terms, imp_Vec3 *normal)
{
    for (size_t i = 0; i < region->segment_count; ++i) {
        const impi_ContactSegment *segment = &region->graph->segments.data[region->segments[i]];
        double length = impi_length(impi_subtract(place(region, segment->to), place(region, segment->from)));
        add_term(terms, impi_scale(normal_difference(region, &region->graph->pairs[segment->pair]), length));
    }
    for (size_t i = 0; i < region->pair_count && region->segment_count == 0; ++i)
        add_term(terms, normal_difference(region, &region->graph->pairs[region->pairs[i]]));
    return sum_terms(terms, normal);
}

// ---- single points

static imp_Vec3 edge_direction(const impi_ContactSide *side, uint64_t edge)
{
    imp_Vec3 from = side->points[edge >> 32], to = side->points[(uint32_t)edge];
    return impi_unit(impi_subtract(impi_scale(to, 0.5), impi_scale(from, 0.5)));
}

// A vertex on a face, or an edge across an edge; `mean` tells the sign of the latter.
static bool point_normal(const Region *region, imp_Vec3 mean, imp_Contact *contact)
{
    const impi_ContactNode *node = &region->graph->nodes.data[region->nodes[0]];
    const impi_ContactSide *const *sides = region->graph->sides;
    if (region->node_count != 1)
        return false;
    for (int k = 0; k < 2; ++k)
        if (node->kinds[k] == IMPI_PART_FACE && node->kinds[!k] == IMPI_PART_VERTEX) {
            imp_Triangle face = impi_side_triangle(sides[k], (uint32_t)node->parts[k]);
            contact->normal = impi_scale(impi_face_normal(&face), k == 0 ? 1 : -1);
            contact->normal_rule = IMP_NORMAL_FACE;
            return true;
        }
    if (node->kinds[0] != IMPI_PART_EDGE || node->kinds[1] != IMPI_PART_EDGE)
        return false;
    imp_Vec3 square = impi_unit(
        impi_cross(edge_direction(sides[0], node->parts[0]), edge_direction(sides[1], node->parts[1])));
    double along = impi_dot(square, mean);
    if (along == 0)
        return false;
    contact->normal = along > 0 ? square : impi_scale(square, -1);
    contact->normal_rule = IMP_NORMAL_EDGES;
    return true;
}

static void centre_normal(const Region *region, imp_Contact *contact)
{
    const imp_Box *a = &region->graph->sides[0]->body->bounds, *b = &region->graph->sides[1]->body->bounds;
    imp_Vec3 from = {a->min.x / 2 + a->max.x / 2, a->min.y / 2 + a->max.y / 2, a->min.z / 2 + a->max.z / 2};
    imp_Vec3 to = {b->min.x / 2 + b->max.x / 2, b->min.y / 2 + b->max.y / 2, b->min.z / 2 + b->max.z / 2};
    imp_Vec3 step = impi_subtract(impi_scale(to, 0.5), impi_scale(from, 0.5));
    bool is_any = !(impi_length(step) > 0);
    contact->normal = is_any ? (imp_Vec3){0, 0, 1} : impi_unit(step);
    contact->normal_rule = is_any ? IMP_NORMAL_ANY : IMP_NORMAL_CENTRES;
}

// ---- all of it

static Region take_region(const impi_ContactGraph *graph, const impi_ContactLists *lists, uint32_t number,
                          const imp_Contact *contact)
{
    const size_t *pairs = graph->region_pairs.firsts + number, *nodes = graph->region_nodes.firsts + number;
    const size_t *segments = graph->region_segments.firsts + number;
    Region region = {.graph = graph,
                     .pairs = graph->region_pairs.items + pairs[0],
                     .nodes = graph->region_nodes.items + nodes[0],
                     .segments = graph->region_segments.items + segments[0],
                     .pair_count = pairs[1] - pairs[0],
                     .node_count = nodes[1] - nodes[0],
                     .segment_count = segments[1] - segments[0],
                     .is_closed = contact->polyline_count > 0,
                     .origin = contact->points[0],
                     .unit = 1};
    for (size_t i = 0; i < contact->polyline_count; ++i)
        region.is_closed &= lists->polylines.data[contact->first_polyline + i].is_closed;
    for (size_t i = 0; i < region.node_count; ++i)
        region.is_pierced |= impi_node_is_piercing(&graph->nodes.data[region.nodes[i]]);
    if (contact->point_count > 1)
        region.unit = impi_length(impi_subtract(contact->points[1], contact->points[0]));
    return region;
}

// The first rule that tells.
static void find_rule(const Region *region, Terms *terms, imp_Contact *contact)
{
    imp_Vec3 curve = {0, 0, 0}, faces = {0, 0, 0}, mean = {0, 0, 0};
    bool has_faces = faces_normal(region, &terms[0], &faces);
    bool has_curve = curve_normal(region, &terms[1], &curve);
    bool has_mean = mean_normal(region, &terms[2], &mean);
    bool is_face_on_face = has_faces && !(region->is_pierced && has_curve);
    if (is_face_on_face || has_curve) {
        contact->normal = is_face_on_face ? faces : curve;
        contact->normal_rule = is_face_on_face ? IMP_NORMAL_FACES : IMP_NORMAL_CURVE;
        return;
    }
    if (point_normal(region, mean, contact))
        return;
    if (has_mean) {
        contact->normal = mean;
        contact->normal_rule = IMP_NORMAL_MEAN;
        return;
    }
    centre_normal(region, contact);
}

bool impi_contact_normal_find(const impi_ContactGraph *graph, const impi_ContactLists *lists, uint32_t number,
                              imp_Contact *contact)
{
    Region region = take_region(graph, lists, number, contact);
    impi_ArenaMark mark = impi_arena_mark(graph->arena);
    size_t most = region.pair_count > region.segment_count ? region.pair_count : region.segment_count;
    Terms terms[3];
    bool has_memory = true;
    for (int i = 0; i < 3 && has_memory; ++i)
        has_memory = begin_terms(graph->arena, most, &terms[i]);
    if (has_memory)
        find_rule(&region, terms, contact);
    impi_arena_rewind(graph->arena, mark);
    return has_memory;
}
