// Merging of neighbours by least cost: Hubbard (1996), sections 6.1 and 6.2.
//
// A sphere stands for its forming points, and two are merged into a sphere around the forming points of both
// (Ritter's, or the one around the center of either, where that is smaller). The cost of a merger is how far
// the merged sphere reaches out of the surface at its forming points, each along its normal: nearly the
// Hausdorff distance. A priority queue holds the candidates, which are pairs of neighbours; neighbours of
// what is merged become neighbours of the result. Entries of spheres that are gone are left in the queue and
// skipped. A merger hardly ever costs less than the spheres themselves did, so a candidate waits at the
// larger of their costs, and its own is found when its turn comes: large spheres have many neighbours.
//
// Departs from the paper: parts of a body that have no neighbours in others get some, which are next to them
// along a space-filling order. A sphere whose center is outside of a solid costs as much as it may stick out.
// Where a sphere has many forming points, its candidates are judged by a number of them, evenly taken; what
// is merged then holds them all.
//
// Lists of points and of neighbours are chains through arrays. A chain of points begins with those that it
// is judged by.
#include "shape/sphere_merge.h"

#include "base/disjoint_sets.h"
#include "shape/merge_queue.h"
#include "shape/point_ball.h"
#include "shape/spatial_order.h"

#include <string.h>

#define NONE UINT32_MAX

// By so many forming points of each of the two, candidates are judged.
#define MAX_JUDGES 64

// How often a candidate is looked at before it is merged.
#define LOOKS 2

// A sphere of the skeleton, or two merged. Spheres of the skeleton come first, in the order of the members.
typedef struct Node {
    imp_Vec3 center;
    double radius, cost;
    uint32_t into; // the node that it was merged into; NONE while it lives
    uint32_t first_point, point_count;
    uint32_t first_side, last_side; // its sides of links; NONE when it has none
    uint32_t result;                // its number among the results; NONE before
    bool is_dropped;                // no result, though it lives
} Node;

// One side of a link: the node on the other side, which may be merged by now.
typedef struct Side {
    uint32_t other, next;
} Side;

struct impi_SphereMerger {
    imp_Context *context;
    const impi_SurfaceField *field;
    const impi_Skeleton *skeleton;
    // Neighbours of each sphere of the skeleton: neighbours[first[i]] up to neighbours[first[i + 1]].
    size_t *first;
    uint32_t *neighbours;
    uint32_t *node_of;   // of each sphere while it is merged; otherwise NONE
    uint32_t *last_seen; // of each point and each node: the stamp of who saw it last
    uint32_t stamp;
    IMPI_ARRAY(Node) nodes;
    IMPI_ARRAY(impi_PointEntry) entries;
    IMPI_ARRAY(Side) sides;
    impi_MergeQueue queue;
    IMPI_ARRAY(uint32_t) order; // two for each member, for who needs them
    size_t alive_count;
};

// ---- balls

static impi_PointWalk walk_points(const impi_SphereMerger *merger, uint32_t a, uint32_t b, size_t most)
{
    const Node *first = &merger->nodes.data[a], *second = &merger->nodes.data[b];
    return (impi_PointWalk){.points = merger->skeleton->points.data,
                            .entries = merger->entries.data,
                            .entry = first->first_point,
                            .left = first->point_count < most ? first->point_count : most,
                            .then = second->first_point,
                            .then_left = second->point_count < most ? second->point_count : most};
}

// The merger of two nodes, judged by so many points of each.
static impi_PointBall merged_ball(const impi_SphereMerger *merger, uint32_t a, uint32_t b, size_t most,
                                  double *cost)
{
    impi_PointWalk walk = walk_points(merger, a, b, most);
    impi_PointBall ball =
        impi_point_ball_around(walk, merger->nodes.data[a].center, merger->nodes.data[b].center);
    *cost = impi_point_ball_reach(walk, &ball, merger->skeleton->is_solid);
    return ball;
}

// How far a place is from the body: from its surface, and negative inside of a solid.
static double distance_of(const impi_SphereMerger *merger, imp_Vec3 place)
{
    double distance;
    const impi_SurfaceField *field = merger->field;
    (void)impi_surface_point_near(field, place, &distance);
    bool is_inside = merger->skeleton->is_solid &&
                     impi_surface_field_is_inside(field, impi_from_local(&field->frame, place));
    return is_inside ? -distance : distance;
}

// No point of the ball is farther from the body than this: on the way to its center one meets the body, or
// the center is outside.
static double protrusion_bound(const impi_SphereMerger *merger, const impi_PointBall *ball)
{
    return ball->radius + distance_of(merger, ball->center);
}

// Between points that turn away from each other, a ball around nothing would cost nothing.
static double cost_outside(const impi_SphereMerger *merger, const impi_PointBall *ball)
{
    double distance = merger->skeleton->is_solid ? distance_of(merger, ball->center) : 0;
    return distance > 0 ? ball->radius + distance : 0;
}

// ---- nodes

static uint32_t living_node(impi_SphereMerger *merger, uint32_t node)
{
    Node *nodes = merger->nodes.data;
    while (nodes[node].into != NONE) {
        uint32_t into = nodes[node].into;
        if (nodes[into].into != NONE)
            nodes[node].into = nodes[into].into;
        node = into;
    }
    return node;
}

static void add_side(impi_SphereMerger *merger, uint32_t from, uint32_t to)
{
    Node *node = &merger->nodes.data[from];
    merger->sides.data[merger->sides.count] = (Side){to, node->first_side};
    node->first_side = (uint32_t)merger->sides.count++;
    if (node->last_side == NONE)
        node->last_side = node->first_side;
}

// Take from two chains in turn, as often as they are long.
static uint32_t next_of_both(const impi_PointEntry *entries, const Node *a, const Node *b, uint32_t at[2],
                             uint64_t taken[2])
{
    bool from_b = at[0] == NONE || (at[1] != NONE && taken[1] * a->point_count < taken[0] * b->point_count);
    uint32_t entry = at[from_b];
    at[from_b] = entries[entry].next;
    ++taken[from_b];
    return entry;
}

// Both chains as one, with each point once.
static void join_points(impi_SphereMerger *merger, const Node *a, const Node *b, Node *joined)
{
    impi_PointEntry *entries = merger->entries.data;
    uint32_t stamp = ++merger->stamp, last = NONE, at[2] = {a->first_point, b->first_point};
    uint64_t taken[2] = {0, 0};
    while (at[0] != NONE || at[1] != NONE) {
        uint32_t entry = next_of_both(entries, a, b, at, taken);
        uint32_t *seen = &merger->last_seen[entries[entry].point];
        if (*seen == stamp)
            continue;
        *seen = stamp;
        if (last == NONE)
            joined->first_point = entry;
        else
            entries[last].next = entry;
        last = entry;
        ++joined->point_count;
    }
    entries[last].next = NONE;
}

// Both chains as one, with each living node once and without the node itself.
static void join_sides(impi_SphereMerger *merger, const Node *a, const Node *b, uint32_t self, Node *joined)
{
    Side *sides = merger->sides.data;
    uint32_t stamp = ++merger->stamp, last = NONE, begin = a->first_side;
    uint32_t *node_seen = merger->last_seen + merger->skeleton->points.count;
    if (begin == NONE)
        begin = b->first_side;
    else
        sides[a->last_side].next = b->first_side;
    node_seen[self] = stamp;
    for (uint32_t at = begin; at != NONE; at = sides[at].next) {
        uint32_t other = sides[at].other = living_node(merger, sides[at].other);
        if (node_seen[other] == stamp)
            continue;
        node_seen[other] = stamp;
        if (last == NONE)
            joined->first_side = at;
        else
            sides[last].next = at;
        last = at;
    }
    if (last != NONE)
        sides[last].next = NONE;
    joined->last_side = last;
}

static imp_Status push(impi_SphereMerger *merger, impi_MergeCandidate candidate)
{
    bool is_pushed = impi_merge_queue_push(&merger->context->allocator, &merger->queue, candidate);
    return is_pushed ? IMP_STATUS_OK : impi_fail_out_of_memory(merger->context);
}

static imp_Status add_candidate(impi_SphereMerger *merger, uint32_t a, uint32_t b)
{
    double cost_a = merger->nodes.data[a].cost, cost_b = merger->nodes.data[b].cost;
    return push(merger, (impi_MergeCandidate){.cost = cost_a > cost_b ? cost_a : cost_b, .a = a, .b = b});
}

// Room for it was made beforehand.
static imp_Status merge_nodes(impi_SphereMerger *merger, uint32_t a, uint32_t b)
{
    imp_Status status = IMP_STATUS_OK;
    uint32_t made = (uint32_t)merger->nodes.count++;
    Node *nodes = merger->nodes.data, *node = &nodes[made];
    *node = (Node){.into = NONE, .first_side = NONE, .last_side = NONE, .result = NONE};
    impi_PointBall ball = merged_ball(merger, a, b, SIZE_MAX, &node->cost);
    node->center = ball.center;
    node->radius = ball.radius;
    nodes[a].into = nodes[b].into = made;
    join_points(merger, &nodes[a], &nodes[b], node);
    join_sides(merger, &nodes[a], &nodes[b], made, node);
    --merger->alive_count;
    for (uint32_t side = node->first_side; side != NONE && status == IMP_STATUS_OK;
         side = merger->sides.data[side].next)
        status = add_candidate(merger, made, merger->sides.data[side].other);
    return status;
}

// ---- the spheres that are to be merged

static imp_Status reserve_room(impi_SphereMerger *merger, size_t member_count, size_t side_count)
{
    const imp_Allocator *allocator = &merger->context->allocator;
    bool has_room =
        impi_array_reserve(allocator, &merger->nodes, sizeof(Node), 2 * member_count) &&
        impi_array_reserve(allocator, &merger->entries, sizeof(impi_PointEntry), 4 * member_count) &&
        impi_array_reserve(allocator, &merger->sides, sizeof(Side), side_count) &&
        impi_array_reserve(allocator, &merger->order, sizeof(uint32_t), 2 * member_count);
    return has_room ? IMP_STATUS_OK : impi_fail_out_of_memory(merger->context);
}

static void add_node(impi_SphereMerger *merger, uint32_t member)
{
    const impi_SkeletonSphere *sphere = &merger->skeleton->spheres.data[member];
    uint32_t first = (uint32_t)merger->entries.count;
    for (uint32_t i = 0; i < sphere->point_count; ++i) {
        uint32_t next = i + 1 < sphere->point_count ? first + i + 1 : NONE;
        merger->entries.data[merger->entries.count++] = (impi_PointEntry){sphere->points[i], next};
    }
    merger->node_of[member] = (uint32_t)merger->nodes.count;
    merger->nodes.data[merger->nodes.count++] = (Node){
        .center = sphere->center,
        .radius = sphere->radius,
        .into = NONE,
        .first_point = first,
        .point_count = sphere->point_count,
        .first_side = NONE,
        .last_side = NONE,
        .result = NONE,
    };
}

static imp_Status add_members(impi_SphereMerger *merger, const uint32_t *members, size_t count)
{
    size_t side_count = 2 * count; // for those that parts get
    for (size_t i = 0; i < count; ++i)
        side_count += merger->first[members[i] + 1] - merger->first[members[i]];
    merger->nodes.count = merger->entries.count = merger->sides.count = merger->queue.count = 0;
    imp_Status status = reserve_room(merger, count, side_count);
    for (size_t i = 0; i < count && status == IMP_STATUS_OK; ++i)
        add_node(merger, members[i]);
    merger->alive_count = merger->nodes.count;
    return status;
}

// Neighbours, and the sets of members that hang together by them.
static imp_Status link_members(impi_SphereMerger *merger, const uint32_t *members, size_t count,
                               uint32_t *sets)
{
    imp_Status status = IMP_STATUS_OK;
    impi_sets_begin(sets, 0, count);
    for (size_t i = 0; i < count; ++i) {
        for (size_t k = merger->first[members[i]]; k < merger->first[members[i] + 1]; ++k) {
            uint32_t other = merger->node_of[merger->neighbours[k]];
            if (other == NONE)
                continue;
            add_side(merger, (uint32_t)i, other);
            impi_sets_unite(sets, (uint32_t)i, other);
            if (i < other)
                status = add_candidate(merger, (uint32_t)i, other);
            if (status != IMP_STATUS_OK)
                return status;
        }
        if (i % 64 == 0 && !impi_watch_goes_on(&merger->context->watch))
            return impi_watch_status(merger->context);
    }
    return IMP_STATUS_OK;
}

// So that everything hangs together.
static imp_Status link_parts(impi_SphereMerger *merger, size_t count, uint32_t *sets)
{
    imp_Context *context = merger->context;
    imp_Status status = IMP_STATUS_OK;
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    impi_SpatialItem *items = impi_arena_allocate_array(&context->scratch, count, sizeof *items);
    if (!items)
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < count; ++i) {
        imp_Vec3 center = merger->nodes.data[i].center;
        items[i] = (impi_SpatialItem){{(float)center.x, (float)center.y, (float)center.z}, (uint32_t)i};
    }
    impi_spatial_order(NULL, items, count, 1);
    for (size_t i = 1; i < count && status == IMP_STATUS_OK; ++i) {
        uint32_t a = items[i - 1].id, b = items[i].id;
        if (impi_set_of(sets, a) == impi_set_of(sets, b))
            continue;
        add_side(merger, a, b);
        add_side(merger, b, a);
        status = add_candidate(merger, a, b);
    }
    impi_arena_rewind(&context->scratch, mark);
    return status;
}

static bool is_one_part(size_t count, uint32_t *sets)
{
    for (size_t i = 0; i < count; ++i)
        if (impi_set_of(sets, (uint32_t)i) != 0)
            return false;
    return true;
}

static imp_Status add_candidates(impi_SphereMerger *merger, const uint32_t *members, size_t count)
{
    uint32_t *sets = merger->order.data;
    imp_Status status = link_members(merger, members, count, sets);
    return status == IMP_STATUS_OK && !is_one_part(count, sets) ? link_parts(merger, count, sets) : status;
}

// ---- merging

// Would the merger stick out too far? Most that do are told by few points.
static bool is_too_far_out(const impi_SphereMerger *merger, const impi_MergeCandidate *candidate,
                           double protrusion)
{
    const size_t judges[2] = {MAX_JUDGES, SIZE_MAX};
    double cost;
    for (int i = 0; i < 2 && !isinf(protrusion); ++i) {
        impi_PointBall ball = merged_ball(merger, candidate->a, candidate->b, judges[i], &cost);
        if (protrusion_bound(merger, &ball) > protrusion)
            return true;
    }
    return false;
}

// Find out what a candidate costs and put it back, unless it would stick out too far. What takes longer is
// found out at a second look, which few live to see.
static imp_Status judge(impi_SphereMerger *merger, impi_MergeCandidate candidate, double protrusion)
{
    if (candidate.look_count == 0 && is_too_far_out(merger, &candidate, protrusion))
        return IMP_STATUS_OK;
    impi_PointBall ball = merged_ball(merger, candidate.a, candidate.b, MAX_JUDGES, &candidate.cost);
    if (candidate.look_count++ > 0)
        candidate.cost = fmax(candidate.cost, cost_outside(merger, &ball));
    return push(merger, candidate);
}

static imp_Status merge_until(impi_SphereMerger *merger, impi_MergeEnd end)
{
    imp_Status status = IMP_STATUS_OK;
    while (merger->alive_count > end.count && merger->queue.count > 0 && status == IMP_STATUS_OK) {
        impi_MergeCandidate candidate = impi_merge_queue_pop(&merger->queue);
        bool is_judged = candidate.look_count == LOOKS;
        if (merger->nodes.data[candidate.a].into != NONE || merger->nodes.data[candidate.b].into != NONE)
            continue;
        if (is_judged)
            status = merge_nodes(merger, candidate.a, candidate.b);
        else
            status = judge(merger, candidate, end.protrusion);
        if (status == IMP_STATUS_OK && !impi_watch_step(&merger->context->watch, is_judged))
            status = impi_watch_status(merger->context);
    }
    return status;
}

// ---- spheres that others make useless

// What is left between spheres that may not grow any more often has points that all form others as well.
// Such spheres are dropped, those of few points first.
static void drop_useless(impi_SphereMerger *merger)
{
    uint32_t *uses = merger->last_seen; // of each point
    size_t most = 0;
    memset(uses, 0, merger->skeleton->points.count * sizeof *uses);
    for (size_t i = 0; i < merger->nodes.count; ++i) {
        const Node *node = &merger->nodes.data[i];
        if (node->into != NONE)
            continue;
        most = node->point_count > most ? node->point_count : most;
        for (uint32_t at = node->first_point; at != NONE; at = merger->entries.data[at].next)
            ++uses[merger->entries.data[at].point];
    }
    for (size_t size = 1; size <= most; size *= 2)
        for (size_t i = 0; i < merger->nodes.count; ++i) {
            Node *node = &merger->nodes.data[i];
            bool is_useless = node->into == NONE && !node->is_dropped && node->point_count < 2 * size;
            for (uint32_t at = node->first_point; at != NONE && is_useless;
                 at = merger->entries.data[at].next)
                is_useless = uses[merger->entries.data[at].point] > 1;
            for (uint32_t at = node->first_point; at != NONE && is_useless;
                 at = merger->entries.data[at].next)
                --uses[merger->entries.data[at].point];
            node->is_dropped |= is_useless;
        }
    memset(uses, 0, merger->skeleton->points.count * sizeof *uses);
}

// Sort the members by the nodes that they became, in the order of first members; those of dropped nodes go
// to the end.
static imp_Status list_merged(impi_SphereMerger *merger, uint32_t *members, size_t count,
                              impi_MergedSpheres *merged)
{
    const imp_Allocator *allocator = &merger->context->allocator;
    uint32_t *place_of = merger->order.data, *sorted = merger->order.data + count, at = 0;
    size_t first = merged->count;
    if (!impi_array_reserve(allocator, merged, sizeof *merged->data, first + merger->alive_count))
        return impi_fail_out_of_memory(merger->context);
    for (size_t i = 0; i < count; ++i) {
        Node *node = &merger->nodes.data[living_node(merger, (uint32_t)i)];
        if (node->result == NONE && !node->is_dropped) {
            node->result = (uint32_t)merged->count;
            merged->data[merged->count++] =
                (impi_MergedSphere){.center = node->center, .radius = node->radius};
        }
        place_of[i] = node->result;
        if (!node->is_dropped)
            ++merged->data[place_of[i]].member_count;
    }
    for (size_t i = first; i < merged->count; ++i) {
        merged->data[i].first_member = at;
        at += merged->data[i].member_count;
        merged->data[i].member_count = 0;
    }
    for (size_t i = 0; i < count; ++i) {
        impi_MergedSphere *sphere = place_of[i] == NONE ? NULL : &merged->data[place_of[i]];
        sorted[sphere ? sphere->first_member + sphere->member_count++ : at++] = members[i];
    }
    memcpy(members, sorted, count * sizeof *members);
    return IMP_STATUS_OK;
}

imp_Status impi_sphere_merger_merge(impi_SphereMerger *merger, uint32_t *members, size_t member_count,
                                    impi_MergeEnd end, impi_MergedSpheres *merged)
{
    imp_Status status = add_members(merger, members, member_count);
    if (status == IMP_STATUS_OK && member_count > end.count)
        status = add_candidates(merger, members, member_count);
    if (status == IMP_STATUS_OK)
        status = merge_until(merger, end);
    if (status == IMP_STATUS_OK && !isinf(end.protrusion))
        drop_useless(merger);
    for (size_t i = 0; i < member_count; ++i)
        merger->node_of[members[i]] = NONE;
    return status == IMP_STATUS_OK ? list_merged(merger, members, member_count, merged) : status;
}

// ---- making and freeing it

static void sort_links(impi_SphereMerger *merger)
{
    const impi_Skeleton *skeleton = merger->skeleton;
    size_t count = skeleton->spheres.count;
    memset(merger->first, 0, (count + 1) * sizeof *merger->first);
    for (size_t i = 0; i < skeleton->links.count; ++i) {
        ++merger->first[skeleton->links.data[i].a];
        ++merger->first[skeleton->links.data[i].b];
    }
    for (size_t i = 1; i <= count; ++i)
        merger->first[i] += merger->first[i - 1];
    // From behind, each sphere's end moves to its begin.
    for (size_t i = skeleton->links.count; i-- > 0;) {
        impi_SkeletonLink link = skeleton->links.data[i];
        merger->neighbours[--merger->first[link.a]] = link.b;
        merger->neighbours[--merger->first[link.b]] = link.a;
    }
}

imp_Status impi_sphere_merger_create(imp_Context *context, const impi_SurfaceField *field,
                                     const impi_Skeleton *skeleton, impi_SphereMerger **merger)
{
    const imp_Allocator *allocator = &context->allocator;
    size_t sphere_count = skeleton->spheres.count, link_count = skeleton->links.count;
    impi_SphereMerger *made = impi_allocate(allocator, sizeof *made);
    if (!made)
        return impi_fail_out_of_memory(context);
    *made = (impi_SphereMerger){.context = context, .field = field, .skeleton = skeleton};
    made->first = impi_allocate_array(allocator, sphere_count + 1, sizeof *made->first);
    made->neighbours = impi_allocate_array(allocator, 2 * link_count + 1, sizeof *made->neighbours);
    made->node_of = impi_allocate_array(allocator, sphere_count, sizeof *made->node_of);
    made->last_seen =
        impi_allocate_array(allocator, skeleton->points.count + 2 * sphere_count, sizeof *made->last_seen);
    if (!made->first || !made->neighbours || !made->node_of || !made->last_seen) {
        impi_sphere_merger_destroy(context, made);
        return impi_fail_out_of_memory(context);
    }
    memset(made->node_of, 0xFF, sphere_count * sizeof *made->node_of);
    memset(made->last_seen, 0, (skeleton->points.count + 2 * sphere_count) * sizeof *made->last_seen);
    sort_links(made);
    *merger = made;
    return IMP_STATUS_OK;
}

void impi_sphere_merger_destroy(imp_Context *context, impi_SphereMerger *merger)
{
    if (!merger)
        return;
    const imp_Allocator *allocator = &context->allocator;
    size_t sphere_count = merger->skeleton->spheres.count;
    impi_release(allocator, merger->first, (sphere_count + 1) * sizeof *merger->first);
    impi_release(allocator, merger->neighbours,
                 (2 * merger->skeleton->links.count + 1) * sizeof *merger->neighbours);
    impi_release(allocator, merger->node_of, sphere_count * sizeof *merger->node_of);
    impi_release(allocator, merger->last_seen,
                 (merger->skeleton->points.count + 2 * sphere_count) * sizeof *merger->last_seen);
    impi_array_free(allocator, &merger->nodes, sizeof(Node));
    impi_array_free(allocator, &merger->entries, sizeof(impi_PointEntry));
    impi_array_free(allocator, &merger->sides, sizeof(Side));
    impi_array_free(allocator, &merger->queue, sizeof(impi_MergeCandidate));
    impi_array_free(allocator, &merger->order, sizeof(uint32_t));
    impi_release(allocator, merger, sizeof *merger);
}
