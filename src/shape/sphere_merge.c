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
// along a space-filling order. And where a sphere has many forming points, its candidates are judged by a
// number of them, evenly taken; what is merged then holds them all.
//
// Lists of points and of neighbours are chains through arrays. A chain of points begins with those that it
// is judged by.
#include "shape/sphere_merge.h"

#include "base/disjoint_sets.h"
#include "shape/spatial_order.h"

#include <string.h>

#define NONE UINT32_MAX

// By so many forming points of each of the two, candidates are judged.
#define MAX_JUDGES 64

// A sphere of the skeleton, or two merged. Spheres of the skeleton come first, in the order of the members.
typedef struct Node {
    imp_Vec3 center;
    double radius, cost;
    uint32_t into; // the node that it was merged into; NONE while it lives
    uint32_t first_point, point_count;
    uint32_t first_side, last_side; // its sides of links; NONE when it has none
    uint32_t result;                // its number among the results; NONE before
} Node;

// An entry of a chain: a forming point.
typedef struct Entry {
    uint32_t point, next;
} Entry;

// One side of a link: the node on the other side, which may be merged by now.
typedef struct Side {
    uint32_t other, next;
} Side;

typedef struct Candidate {
    double cost;
    uint32_t a, b;
    bool is_known; // the cost; before, it is that of the worse of the two
} Candidate;

struct impi_SphereMerger {
    imp_Context *context;
    const impi_Skeleton *skeleton;
    // Neighbours of each sphere of the skeleton: neighbours[first[i]] up to neighbours[first[i + 1]].
    size_t *first;
    uint32_t *neighbours;
    uint32_t *node_of;   // of each sphere while it is merged; otherwise NONE
    uint32_t *last_seen; // of each point and each node: the stamp of who saw it last
    uint32_t stamp;
    IMPI_ARRAY(Node) nodes;
    IMPI_ARRAY(Entry) entries;
    IMPI_ARRAY(Side) sides;
    IMPI_ARRAY(Candidate) queue; // a heap, the cheapest first
    IMPI_ARRAY(uint32_t) order;  // two for each member, for who needs them
    size_t alive_count;
};

// ---- balls

typedef struct Ball {
    imp_Vec3 center;
    double radius;
} Ball;

// The forming points of two nodes: of each so many at most.
typedef struct Walk {
    const impi_SphereMerger *merger;
    uint32_t entry, then;   // in the chain of the first, and where that of the second begins
    size_t left, then_left; // how many points of each
} Walk;

static Walk walk_points(const impi_SphereMerger *merger, uint32_t a, uint32_t b, size_t most)
{
    const Node *first = &merger->nodes.data[a], *second = &merger->nodes.data[b];
    return (Walk){merger, first->first_point, second->first_point,
                  first->point_count < most ? first->point_count : most,
                  second->point_count < most ? second->point_count : most};
}

static const impi_SurfacePoint *next_point(Walk *walk)
{
    if (walk->left == 0) {
        walk->entry = walk->then;
        walk->left = walk->then_left;
        walk->then_left = 0;
    }
    if (walk->left == 0)
        return NULL;
    const Entry *entry = &walk->merger->entries.data[walk->entry];
    walk->entry = entry->next;
    --walk->left;
    return &walk->merger->skeleton->points.data[entry->point];
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double square_distance(imp_Vec3 a, imp_Vec3 b)
{
    imp_Vec3 away = impi_subtract(a, b);
    return impi_dot(away, away);
}

// The two of the points extreme along the axes that are farthest apart, as a diameter to begin with.
static Ball ball_of_extremes(Walk walk)
{
    const impi_SurfacePoint *point = next_point(&walk);
    imp_Vec3 low[3] = {point->position, point->position, point->position};
    imp_Vec3 high[3] = {point->position, point->position, point->position};
    int widest = 0;
    while ((point = next_point(&walk))) {
        const imp_Vec3 p = point->position;
        low[0] = p.x < low[0].x ? p : low[0];
        low[1] = p.y < low[1].y ? p : low[1];
        low[2] = p.z < low[2].z ? p : low[2];
        high[0] = p.x > high[0].x ? p : high[0];
        high[1] = p.y > high[1].y ? p : high[1];
        high[2] = p.z > high[2].z ? p : high[2];
    }
    for (int axis = 1; axis < 3; ++axis)
        if (square_distance(low[axis], high[axis]) > square_distance(low[widest], high[widest]))
            widest = axis;
    imp_Vec3 center = impi_scale(impi_add_scaled(low[widest], 1, high[widest]), 0.5);
    return (Ball){center, sqrt(square_distance(low[widest], center))};
}

// Ritter (1990): each point that is outside moves the ball until it just holds that point as well.
static Ball grow_ball(Walk walk, Ball ball)
{
    const impi_SurfacePoint *point;
    while ((point = next_point(&walk))) {
        double distance = sqrt(square_distance(point->position, ball.center));
        if (distance > ball.radius) {
            double radius = (ball.radius + distance) / 2;
            imp_Vec3 outward = impi_subtract(point->position, ball.center);
            ball.center = impi_add_scaled(ball.center, (distance - radius) / distance, outward);
            ball.radius = radius;
        }
    }
    return ball;
}

// With the center as it is.
static Ball tighten_ball(Walk walk, imp_Vec3 center)
{
    const impi_SurfacePoint *point;
    double farthest = 0;
    while ((point = next_point(&walk)))
        farthest = larger(farthest, square_distance(point->position, center));
    return (Ball){center, sqrt(farthest)};
}

// Around the points of two nodes; one of these centers may be the best.
static Ball ball_around(Walk walk, imp_Vec3 center_a, imp_Vec3 center_b)
{
    Ball best = tighten_ball(walk, grow_ball(walk, ball_of_extremes(walk)).center);
    Ball around_a = tighten_ball(walk, center_a), around_b = tighten_ball(walk, center_b);
    best = around_a.radius < best.radius ? around_a : best;
    return around_b.radius < best.radius ? around_b : best;
}

// From a point in the ball along its normal, as far as the ball reaches; of an open surface, to both sides.
static double reach_at(const Ball *ball, const impi_SurfacePoint *point, bool is_solid)
{
    imp_Vec3 to_center = impi_subtract(ball->center, point->position);
    double height = impi_dot(to_center, point->normal);
    double inside = height * height + ball->radius * ball->radius - impi_dot(to_center, to_center);
    return (is_solid ? height : fabs(height)) + sqrt(larger(inside, 0));
}

static double cost_of(Walk walk, const Ball *ball)
{
    const impi_SurfacePoint *point;
    double cost = 0;
    while ((point = next_point(&walk)))
        cost = larger(cost, reach_at(ball, point, walk.merger->skeleton->is_solid));
    return cost;
}

// The merger of two nodes, judged by so many points of each.
static Ball merged_ball(const impi_SphereMerger *merger, uint32_t a, uint32_t b, size_t most, double *cost)
{
    Walk walk = walk_points(merger, a, b, most);
    Ball ball = ball_around(walk, merger->nodes.data[a].center, merger->nodes.data[b].center);
    *cost = cost_of(walk, &ball);
    return ball;
}

// ---- the queue

static bool is_cheaper(const Candidate *a, const Candidate *b)
{
    if (a->cost != b->cost)
        return a->cost < b->cost;
    return a->a != b->a ? a->a < b->a : a->b < b->b;
}

static imp_Status push(impi_SphereMerger *merger, Candidate candidate)
{
    imp_Context *context = merger->context;
    size_t at = merger->queue.count;
    if (!impi_array_reserve(&context->allocator, &merger->queue, sizeof *merger->queue.data, at + 1))
        return impi_fail_out_of_memory(context);
    Candidate *heap = merger->queue.data;
    for (++merger->queue.count; at > 0 && is_cheaper(&candidate, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = candidate;
    return IMP_STATUS_OK;
}

static imp_Status add_candidate(impi_SphereMerger *merger, uint32_t a, uint32_t b)
{
    double cost_a = merger->nodes.data[a].cost, cost_b = merger->nodes.data[b].cost;
    return push(merger, (Candidate){.cost = larger(cost_a, cost_b), .a = a, .b = b});
}

// The queue is not empty.
static Candidate pop(impi_SphereMerger *merger)
{
    Candidate *heap = merger->queue.data, cheapest = heap[0];
    size_t count = --merger->queue.count, at = 0;
    Candidate last = heap[count];
    for (size_t child = 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && is_cheaper(&heap[child + 1], &heap[child]);
        if (!is_cheaper(&heap[child], &last))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return cheapest;
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
static uint32_t next_of_both(const Entry *entries, const Node *a, const Node *b, uint32_t at[2],
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
    Entry *entries = merger->entries.data;
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

// Room for it was made beforehand.
static imp_Status merge_nodes(impi_SphereMerger *merger, uint32_t a, uint32_t b)
{
    imp_Status status = IMP_STATUS_OK;
    uint32_t made = (uint32_t)merger->nodes.count++;
    Node *nodes = merger->nodes.data, *node = &nodes[made];
    *node = (Node){.into = NONE, .first_side = NONE, .last_side = NONE, .result = NONE};
    Ball ball = merged_ball(merger, a, b, SIZE_MAX, &node->cost);
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
    bool has_room = impi_array_reserve(allocator, &merger->nodes, sizeof(Node), 2 * member_count) &&
                    impi_array_reserve(allocator, &merger->entries, sizeof(Entry), 4 * member_count) &&
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
        merger->entries.data[merger->entries.count++] = (Entry){sphere->points[i], next};
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

static imp_Status merge_until(impi_SphereMerger *merger, impi_MergeEnd end)
{
    imp_Status status = IMP_STATUS_OK;
    while (merger->alive_count > end.count && merger->queue.count > 0 && status == IMP_STATUS_OK) {
        Candidate candidate = pop(merger);
        if (merger->nodes.data[candidate.a].into != NONE || merger->nodes.data[candidate.b].into != NONE)
            continue;
        if (candidate.cost > end.cost)
            break;
        if (!candidate.is_known) {
            merged_ball(merger, candidate.a, candidate.b, MAX_JUDGES, &candidate.cost);
            candidate.is_known = true;
            status = push(merger, candidate);
            continue;
        }
        status = merge_nodes(merger, candidate.a, candidate.b);
        if (status == IMP_STATUS_OK && !impi_watch_step(&merger->context->watch, 1))
            status = impi_watch_status(merger->context);
    }
    return status;
}

// Sort the members by the nodes that they became, in the order of first members.
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
        if (node->result == NONE) {
            node->result = (uint32_t)merged->count;
            merged->data[merged->count++] =
                (impi_MergedSphere){.center = node->center, .radius = node->radius};
        }
        place_of[i] = node->result;
        ++merged->data[place_of[i]].member_count;
    }
    for (size_t i = first; i < merged->count; ++i) {
        merged->data[i].first_member = at;
        at += merged->data[i].member_count;
        merged->data[i].member_count = 0;
    }
    for (size_t i = 0; i < count; ++i) {
        impi_MergedSphere *sphere = &merged->data[place_of[i]];
        sorted[sphere->first_member + sphere->member_count++] = members[i];
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

imp_Status impi_sphere_merger_create(imp_Context *context, const impi_Skeleton *skeleton,
                                     impi_SphereMerger **merger)
{
    const imp_Allocator *allocator = &context->allocator;
    size_t sphere_count = skeleton->spheres.count, link_count = skeleton->links.count;
    impi_SphereMerger *made = impi_allocate(allocator, sizeof *made);
    if (!made)
        return impi_fail_out_of_memory(context);
    *made = (impi_SphereMerger){.context = context, .skeleton = skeleton};
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
    impi_array_free(allocator, &merger->entries, sizeof(Entry));
    impi_array_free(allocator, &merger->sides, sizeof(Side));
    impi_array_free(allocator, &merger->queue, sizeof(Candidate));
    impi_array_free(allocator, &merger->order, sizeof(uint32_t));
    impi_release(allocator, merger, sizeof *merger);
}
