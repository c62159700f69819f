// The default builder, our own: level by level, pieces of the body are divided among balls that stick out
// little (sphere_clusters.c), where each piece lies in all balls of a chain up to the root. So coverage holds
// by construction: radii are computed last, from all corners that a ball has to hold, with room for rounding.
// Flat sets have no chains: what divides many spheres into levels there holds everything and is left out in
// the end. Cost: that of the clusters, and of the grid of distances.
#include "shape/mesh_topology.h"
#include "shape/sphere_clusters.h"
#include "shape/sphere_cubes.h"
#include "shape/sphere_draft.h"
#include "shape/sphere_protrusion.h"

#include <string.h>

// Pieces for each sphere of the last level. Fewer leave rough edges between clusters, which make balls
// larger; more cost time and memory, so that many spheres have fewer.
#define PIECES_OF_SPHERE      80
#define LEAST_PIECES          10000
#define MOST_PIECES           4000000
#define LEAST_PIECES_OF_LIMIT 8 // a sphere of a largest protrusion needs so many, or they are cut finer
#define FINER                 2 // times as many as they are then

// Clusters that are divided at the same time: the more, the freer are pieces to move, but cost grows with the
// square.
#define MOST_CLUSTERS 1024

// Levels of so many balls have large balls, whose excess is sampled. Not around open meshes, where what is
// far from the surface may be in the middle of a ball.
#define MOST_SAMPLED 128

// How much larger balls are taken to be while their children are made, in parts of the mean excess. More
// helps the children and makes the balls themselves stick out more.
#define ROOM 0.1F

#define PREPARING_PASSES 16 // over faces and pieces, about

// Added to radii, in the local frame: more than what rounding takes from a proof of coverage.
#define RADIUS_SLACK 0x1p-43

// A largest protrusion is aimed at, a little lower, by estimates, with finer pieces so often; then it is
// proven by measuring, and balls that exceed it are divided, so often.
#define LIMIT_TRIALS 12
#define LIMIT_FACTOR 0.95
#define LIMIT_ROUNDS 60
#define EXACT_ROUNDS 6 // of those: by estimates without the errors of the grid; then by halving

typedef struct Fit {
    imp_Context *context;
    const imp_SphereTreeDef *def;
    bool is_closed, is_flat;
    float excess_limit; // of a flat set; 0: none
    bool is_proving;    // that limit, by measuring
    bool is_halving;    // what exceeds it still, whatever estimates say
    impi_LocalFrame frame;
    impi_SpherePieces pieces;
    impi_DistanceGrid grid;
    impi_SurfaceField field; // while proving
    impi_BallSearch bound_search, sampled_search, exact_search, plain_search;
    impi_ClusterMarks marks;
    uint32_t *node_of; // of each piece: the last level's
    uint32_t *ids;     // pieces by node
    IMPI_ARRAY(impi_BallNode) nodes;
    size_t level_first[IMP_MAX_SPHERE_DEPTH + 2];
} Fit;

// ---- levels

// Pieces in the order of the nodes that have them, those of node first + i at ids[begin[i]].
static void sort_pieces(Fit *fit, size_t first, size_t count, uint32_t *begin)
{
    memset(begin, 0, (count + 1) * sizeof *begin);
    for (size_t i = 0; i < fit->pieces.count; ++i)
        ++begin[fit->node_of[i] - first + 1];
    for (size_t i = 0; i < count; ++i)
        begin[i + 1] += begin[i];
    for (size_t i = 0; i < fit->pieces.count; ++i)
        fit->ids[begin[fit->node_of[i] - first]++] = (uint32_t)i;
    memmove(begin + 1, begin, count * sizeof *begin);
    begin[0] = 0;
}

// Clusters become nodes, in the order of their parents. Empty ones are left out.
static void add_nodes(Fit *fit, const impi_SphereClusters *clusters)
{
    const impi_ClusterProblem *problem = &clusters->problem;
    for (uint32_t parent = 0; parent < problem->parent_count; ++parent)
        for (size_t i = 0; i < clusters->count; ++i) {
            if (clusters->parent[i] != parent || impi_cluster_size(clusters, i) == 0)
                continue;
            const uint32_t *list = impi_cluster_list(clusters, i);
            size_t size = impi_cluster_size(clusters, i);
            for (size_t k = 0; k < size; ++k)
                fit->node_of[list[k]] = (uint32_t)fit->nodes.count;
            fit->nodes.data[fit->nodes.count++] =
                (impi_BallNode){clusters->balls[i], problem->first_parent + parent, false};
        }
}

static imp_Status divide_batch(Fit *fit, const impi_ClusterProblem *problem)
{
    impi_SphereClusters clusters;
    impi_ArenaMark mark = impi_arena_mark(&fit->context->scratch);
    for (size_t i = 0; i < problem->id_count; ++i)
        fit->marks.owner[problem->ids[i]] = fit->node_of[problem->ids[i]] - problem->first_parent;
    imp_Status status = impi_sphere_clusters_make(fit->context, problem, &fit->marks, &clusters);
    if (status == IMP_STATUS_OK)
        status = impi_clusters_divide(fit->context, &clusters);
    if (status == IMP_STATUS_OK)
        add_nodes(fit, &clusters);
    fit->marks.stamped = clusters.stamped;
    impi_arena_rewind(&fit->context->scratch, mark);
    return status;
}

// Balls of a level are taken as a little larger than their pieces need, though none as one that sticks out
// more than the worst: pieces are then freer to move between their children. In the end they are as large as
// what they came to hold. Those of a flat set only part the work, and hold everything.
static void make_room(Fit *fit, uint32_t level)
{
    size_t first = fit->level_first[level], end = fit->level_first[level + 1];
    float largest = 0, sum = 0;
    for (size_t i = first; i < end; ++i) {
        largest = fmaxf(largest, fit->nodes.data[i].ball.excess);
        sum += fit->nodes.data[i].ball.excess;
    }
    float room = ROOM * sum / (float)(end - first);
    for (size_t i = first; i < end; ++i) {
        impi_Ball *ball = &fit->nodes.data[i].ball;
        ball->radius = fit->is_flat ? INFINITY : ball->radius + fminf(room, largest - ball->excess);
    }
}

// Is a ball as it should be, so that the next level has it as it is?
static bool is_done(const Fit *fit, size_t node)
{
    const impi_BallNode *it = &fit->nodes.data[node];
    if (fit->is_proving)
        return it->is_proven;
    return fit->excess_limit > 0 && it->parent != IMPI_NO_NODE && it->ball.excess <= fit->excess_limit;
}

static void keep_node(Fit *fit, size_t node, const uint32_t *ids, size_t id_count)
{
    for (size_t i = 0; i < id_count; ++i)
        fit->node_of[ids[i]] = (uint32_t)fit->nodes.count;
    impi_BallNode kept = fit->nodes.data[node];
    kept.parent = (uint32_t)node;
    fit->nodes.data[fit->nodes.count++] = kept;
}

static const impi_BallSearch *choose_search(const Fit *fit, size_t count)
{
    if (fit->is_proving)
        return fit->is_halving ? &fit->plain_search : &fit->exact_search;
    return fit->is_closed && count <= MOST_SAMPLED ? &fit->sampled_search : &fit->bound_search;
}

// Children of all nodes of the level above.
static imp_Status divide_level(Fit *fit, uint32_t level, size_t branch, bool is_last)
{
    size_t first = fit->level_first[level - 1], count = fit->level_first[level] - first;
    size_t batch = fit->excess_limit > 0 || branch > MOST_CLUSTERS ? 1 : MOST_CLUSTERS / branch;
    size_t most = count * branch < fit->pieces.count ? count * branch : fit->pieces.count;
    imp_Allocator allocator = impi_arena_allocator(&fit->context->scratch);
    uint32_t *begin = impi_arena_allocate_array(&fit->context->scratch, count + 1, sizeof *begin);
    if (!begin ||
        !impi_array_reserve(&allocator, &fit->nodes, sizeof *fit->nodes.data, fit->nodes.count + most))
        return impi_fail_out_of_memory(fit->context);
    sort_pieces(fit, first, count, begin);
    imp_Status status = IMP_STATUS_OK;
    for (size_t i = 0; i < count && status == IMP_STATUS_OK; i += batch) {
        size_t end = i + batch < count ? i + batch : count;
        if (is_done(fit, first + i)) {
            keep_node(fit, first + i, fit->ids + begin[i], begin[end] - begin[i]);
            continue;
        }
        impi_ClusterProblem problem = {
            .pieces = &fit->pieces,
            .search = choose_search(fit, count * branch),
            .rough_search = fit->is_proving ? choose_search(fit, count * branch) : &fit->bound_search,
            .sampled_search = fit->is_closed ? &fit->sampled_search : NULL,
            .nodes = fit->nodes.data,
            .first_parent = (uint32_t)(first + i),
            .parent_count = (uint32_t)(end - i),
            .branch = branch,
            .is_last = is_last,
            .ids = fit->ids + begin[i],
            .id_count = begin[end] - begin[i],
            .excess_limit = fit->is_halving ? 0 : fit->excess_limit,
        };
        status = divide_batch(fit, &problem);
    }
    fit->level_first[level + 1] = fit->nodes.count;
    return status == IMP_STATUS_OK ? impi_watch_status(fit->context) : status;
}

static imp_Status begin(Fit *fit)
{
    imp_Allocator allocator = impi_arena_allocator(&fit->context->scratch);
    imp_Vec3 center = impi_smallest_ball_center(&fit->context->watch, &fit->pieces);
    memset(fit->node_of, 0, fit->pieces.count * sizeof *fit->node_of);
    fit->nodes.count = 0;
    if (!impi_array_reserve(&allocator, &fit->nodes, sizeof *fit->nodes.data, 1))
        return impi_fail_out_of_memory(fit->context);
    fit->nodes.data[fit->nodes.count++] =
        (impi_BallNode){{.center = {(float)center.x, (float)center.y, (float)center.z}, .radius = INFINITY},
                        IMPI_NO_NODE,
                        false};
    fit->level_first[1] = 1;
    return IMP_STATUS_OK;
}

// So many clusters are to be made.
static void tell_work(const Fit *fit, const char *work, double cluster_count)
{
    impi_watch_work(&fit->context->watch, work, (uint64_t)(IMPI_CLUSTER_ROUNDS * cluster_count));
}

static imp_Status divide_levels(Fit *fit)
{
    double branch = fit->def->branch;
    tell_work(fit, "fitting spheres", branch * (pow(branch, fit->def->depth) - 1) / (branch - 1));
    imp_Status status = begin(fit);
    for (uint32_t level = 1; level <= fit->def->depth && status == IMP_STATUS_OK; ++level) {
        status = divide_level(fit, level, fit->def->branch, level == fit->def->depth);
        if (level + 1 == fit->def->depth)
            make_room(fit, level);
    }
    return status;
}

// ---- flat sets

// Only the root and the last level remain.
static void flatten(Fit *fit, uint32_t level)
{
    uint32_t first = (uint32_t)fit->level_first[level];
    for (size_t i = first; i < fit->level_first[level + 1]; ++i)
        fit->nodes.data[i - first + 1] =
            (impi_BallNode){fit->nodes.data[i].ball, 0, fit->nodes.data[i].is_proven};
    for (size_t i = 0; i < fit->pieces.count; ++i)
        fit->node_of[i] = fit->node_of[i] - first + 1;
    fit->nodes.count = fit->level_first[level + 1] - first + 1;
}

// As many levels as keep the clusters of each few.
static imp_Status divide_count(Fit *fit)
{
    uint32_t level_count = 1;
    size_t rest = fit->def->count;
    while (pow((double)rest, 1.0 / level_count) > MOST_CLUSTERS)
        ++level_count;
    double branch = pow((double)rest, 1.0 / level_count);
    tell_work(fit, "fitting spheres", (double)rest);
    imp_Status status = begin(fit);
    for (uint32_t level = 1; level <= level_count && status == IMP_STATUS_OK; ++level) {
        size_t next = level < level_count ? (size_t)branch : rest;
        status = divide_level(fit, level, next, level == level_count);
        rest /= next;
        make_room(fit, level);
    }
    if (status == IMP_STATUS_OK)
        flatten(fit, level_count);
    return status;
}

static imp_Status fail_too_many(imp_Context *context)
{
    return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE,
                     "spheres that protrude no more than this would be more than %u",
                     (unsigned)IMP_MAX_SPHERE_COUNT);
}

// How many spheres it takes at least, about: sums of excesses hardly depend on how many balls share them.
static double estimate_count(const Fit *fit, uint32_t level)
{
    double count = 0;
    for (size_t i = fit->level_first[level]; i < fit->level_first[level + 1]; ++i)
        count += fmax(1, (double)(fit->nodes.data[i].ball.excess / fit->excess_limit));
    return count;
}

// Levels until none changes anything: what exceeds the limit then is a single piece. `*needed` is how many
// pieces the spheres should have: where there are fewer, the pieces are too large, and the work is broken
// off.
static imp_Status divide_to_limit(Fit *fit, double *needed)
{
    imp_Status status = begin(fit);
    uint32_t level = 0;
    size_t count = 0, count_before = 0;
    tell_work(fit, "fitting spheres", MOST_CLUSTERS);
    while (status == IMP_STATUS_OK && level < IMP_MAX_SPHERE_DEPTH && (level < 2 || count > count_before)) {
        status = divide_level(fit, ++level, MOST_CLUSTERS, true);
        double estimate = status == IMP_STATUS_OK ? estimate_count(fit, level) : 0;
        if (estimate >= IMP_MAX_SPHERE_COUNT)
            status = fail_too_many(fit->context);
        *needed = estimate * LEAST_PIECES_OF_LIMIT;
        if (*needed > (double)fit->pieces.count)
            break;
        count_before = count;
        count = fit->nodes.count - fit->level_first[level];
        make_room(fit, level);
        tell_work(fit, "dividing spheres", estimate - (double)count);
    }
    if (status == IMP_STATUS_OK)
        flatten(fit, level);
    return status;
}

// ---- from nodes to spheres

static imp_Status give_spheres(Fit *fit, impi_SphereDraft *draft)
{
    size_t count = fit->nodes.count;
    imp_Vec3 *centers = impi_arena_allocate_array(&fit->context->scratch, count, sizeof *centers);
    double *squared = impi_arena_allocate_array(&fit->context->scratch, count, sizeof *squared);
    draft->count = 0;
    if (!centers || !squared ||
        !impi_array_reserve(&fit->context->allocator, draft, sizeof *draft->data, count))
        return impi_fail_out_of_memory(fit->context);
    for (size_t i = 0; i < count; ++i) {
        const float *center = fit->nodes.data[i].ball.center;
        imp_Vec3 local = {(double)center[0], (double)center[1], (double)center[2]};
        imp_GivenSphere *sphere = &draft->data[draft->count++];
        *sphere = (imp_GivenSphere){impi_from_local(&fit->frame, local), 0, fit->nodes.data[i].parent};
        centers[i] = impi_to_local(&fit->frame, sphere->center);
        squared[i] = 0;
    }
    for (size_t i = 0; i < fit->pieces.count; ++i) {
        const uint32_t *corners = impi_piece_corners(&fit->pieces, i);
        size_t corner_count = impi_piece_corner_count(&fit->pieces, i);
        for (uint32_t node = fit->node_of[i]; node != IMPI_NO_NODE; node = fit->nodes.data[node].parent)
            for (size_t k = 0; k < corner_count; ++k) {
                imp_Vec3 way = impi_subtract(fit->pieces.points[corners[k]], centers[node]);
                squared[node] = fmax(squared[node], impi_dot(way, way));
            }
    }
    for (size_t i = 0; i < count; ++i) {
        double radius = fit->frame.is_point ? 0 : sqrt(squared[i]) + RADIUS_SLACK;
        draft->data[i].radius = impi_length_from_local_up(&fit->frame, radius);
    }
    return IMP_STATUS_OK;
}

// ---- together

// What is known of each piece and of each point.
static imp_Status make_marks(Fit *fit)
{
    impi_Arena *arena = &fit->context->scratch;
    size_t count = fit->pieces.count, point_count = fit->pieces.point_count;
    fit->marks = (impi_ClusterMarks){
        .owner = impi_arena_allocate_array(arena, count, sizeof *fit->marks.owner),
        .next = impi_arena_allocate_array(arena, count, sizeof *fit->marks.next),
        .stamp = impi_arena_allocate_array(arena, point_count, sizeof *fit->marks.stamp),
    };
    fit->node_of = impi_arena_allocate_array(arena, count, sizeof *fit->node_of);
    fit->ids = impi_arena_allocate_array(arena, count, sizeof *fit->ids);
    if (!fit->marks.owner || !fit->marks.next || !fit->marks.stamp || !fit->node_of || !fit->ids)
        return impi_fail_out_of_memory(fit->context);
    memset(fit->marks.stamp, 0, point_count * sizeof *fit->marks.stamp);
    return IMP_STATUS_OK;
}

static imp_Status prepare(Fit *fit, double wanted_count)
{
    const imp_Mesh *mesh = fit->def->mesh;
    size_t wanted = (size_t)fmin(fmax(wanted_count, LEAST_PIECES), MOST_PIECES);
    imp_Status status = impi_sphere_pieces_cut(fit->context, mesh, &fit->frame, wanted, &fit->pieces);
    if (status == IMP_STATUS_OK)
        status = impi_distance_grid_build(fit->context, mesh, &fit->frame, &fit->pieces, fit->is_closed,
                                          &fit->grid);
    if (status == IMP_STATUS_OK && fit->def->cover == IMP_COVER_SOLID)
        status = impi_sphere_pieces_add_cubes(fit->context, &fit->grid, &fit->pieces);
    if (status != IMP_STATUS_OK)
        return status;
    impi_ball_search_make(&fit->grid, false, &fit->bound_search);
    impi_ball_search_make(&fit->grid, true, &fit->sampled_search);
    if (fit->def->protrusion > 0)
        fit->bound_search.radius_part = fit->sampled_search.radius_part = (float)IMPI_PROTRUSION_ACCURACY;
    return make_marks(fit);
}

// Measure the spheres that were not measured yet. How many exceed the limit?
static imp_Status measure_new(Fit *fit, const impi_SphereDraft *draft, size_t *over_count)
{
    imp_Context *context = fit->context;
    size_t count = 0;
    imp_Sphere *spheres = impi_arena_allocate_array(&context->scratch, draft->count, sizeof *spheres);
    if (!spheres)
        return impi_fail_out_of_memory(context);
    for (size_t i = 1; i < draft->count; ++i)
        if (!fit->nodes.data[i].is_proven)
            spheres[count++] = (imp_Sphere){.center = draft->data[i].center, .radius = draft->data[i].radius};
    *over_count = 0;
    if (count == 0)
        return IMP_STATUS_OK;
    imp_Status status =
        impi_sphere_protrusions_measure(context, fit->def->mesh, fit->is_closed, spheres, NULL, count);
    if (status != IMP_STATUS_OK)
        return status;
    for (size_t i = draft->count; i-- > 1;)
        if (!fit->nodes.data[i].is_proven) {
            fit->nodes.data[i].is_proven = spheres[--count].protrusion <= fit->def->protrusion;
            *over_count += !fit->nodes.data[i].is_proven;
        }
    return IMP_STATUS_OK;
}

// Balls that exceed the limit and have few pieces get more, from the same parts of the surface.
static imp_Status cut_finer(Fit *fit)
{
    impi_Arena *arena = &fit->context->scratch;
    uint32_t *sizes = impi_arena_allocate_array(arena, fit->nodes.count, sizeof *sizes), *origins;
    uint8_t *is_marked = impi_arena_allocate_array(arena, fit->pieces.count, sizeof *is_marked);
    const uint32_t *node_of = fit->node_of;
    bool is_any = false;
    if (!sizes || !is_marked)
        return impi_fail_out_of_memory(fit->context);
    memset(sizes, 0, fit->nodes.count * sizeof *sizes);
    for (size_t i = 0; i < fit->pieces.count; ++i)
        ++sizes[node_of[i]];
    for (size_t i = 0; i < fit->pieces.count; ++i) {
        is_marked[i] = !fit->nodes.data[node_of[i]].is_proven && sizes[node_of[i]] < LEAST_PIECES_OF_LIMIT;
        is_any = is_any || is_marked[i];
    }
    if (!is_any)
        return IMP_STATUS_OK;
    imp_Status status = impi_sphere_pieces_refine(fit->context, is_marked, &fit->pieces, &origins);
    if (status == IMP_STATUS_OK)
        status = fit->pieces.count <= MOST_PIECES ? make_marks(fit) : fail_too_many(fit->context);
    for (size_t i = 0; i < fit->pieces.count && status == IMP_STATUS_OK; ++i)
        fit->node_of[i] = node_of[origins[i]];
    return status;
}

// Balls that exceed the limit, as was measured, are divided until none does: where the grid of distances
// errs, a few balls have to be smaller, and not all.
static imp_Status prove_limit(Fit *fit, impi_SphereDraft *draft)
{
    imp_Status status = impi_surface_field_build(fit->context, fit->def->mesh, fit->is_closed, &fit->field);
    fit->is_proving = true;
    impi_ball_search_make(&fit->grid, false, &fit->exact_search);
    impi_ball_search_make(NULL, false, &fit->plain_search);
    fit->exact_search.field = &fit->field;
    fit->exact_search.radius_part = fit->bound_search.radius_part;
    for (int round = 0; round < LIMIT_ROUNDS && status == IMP_STATUS_OK; ++round) {
        size_t over_count = 0;
        impi_ArenaMark mark = impi_arena_mark(&fit->context->scratch);
        status = give_spheres(fit, draft);
        if (status == IMP_STATUS_OK)
            status = measure_new(fit, draft, &over_count);
        impi_arena_rewind(&fit->context->scratch, mark);
        if (status != IMP_STATUS_OK || over_count == 0)
            return status;
        if (fit->nodes.count + over_count > IMP_MAX_SPHERE_COUNT)
            break;
        fit->is_halving = round >= EXACT_ROUNDS;
        fit->level_first[2] = fit->nodes.count;
        tell_work(fit, "dividing spheres that protrude", 2 * (double)over_count);
        status = cut_finer(fit);
        if (status == IMP_STATUS_OK)
            status = divide_level(fit, 2, fit->is_halving ? 2 : MOST_CLUSTERS, true);
        if (status == IMP_STATUS_OK)
            flatten(fit, 2);
    }
    return status == IMP_STATUS_OK ? fail_too_many(fit->context) : status;
}

// A flat set whose balls exceed nothing.
static imp_Status fit_to_limit(Fit *fit, impi_SphereDraft *draft)
{
    double pieces = LEAST_PIECES;
    impi_ArenaMark mark = impi_arena_mark(&fit->context->scratch);
    fit->excess_limit = (float)(LIMIT_FACTOR * impi_length_to_local_down(&fit->frame, fit->def->protrusion));
    for (int trial = 0; trial < LIMIT_TRIALS; ++trial) {
        double needed = 0;
        imp_Status status = prepare(fit, pieces);
        if (status == IMP_STATUS_OK)
            status = divide_to_limit(fit, &needed);
        if (status == IMP_STATUS_OK && needed <= (double)fit->pieces.count)
            status = prove_limit(fit, draft);
        if (status != IMP_STATUS_OK || fit->is_proving)
            return status;
        if (pieces >= MOST_PIECES)
            break;
        pieces = FINER * needed;
        impi_arena_rewind(&fit->context->scratch, mark);
        fit->nodes.data = NULL;
        fit->nodes.count = fit->nodes.capacity = 0;
    }
    return fail_too_many(fit->context);
}

imp_Status impi_spheres_fit(imp_Context *context, const imp_SphereTreeDef *def, impi_SphereDraft *draft)
{
    Fit fit = {.context = context,
               .def = def,
               .is_flat = def->count > 0 || def->protrusion > 0,
               .frame = impi_local_frame_make(&def->mesh->shape.bounds)};
    imp_Status status = impi_mesh_is_closed(context, def->mesh, &fit.is_closed);
    if (status != IMP_STATUS_OK)
        return status;
    impi_watch_work(&context->watch, "preparing to fit spheres",
                    PREPARING_PASSES * (uint64_t)def->mesh->arrays.triangle_count);
    if (def->protrusion > 0 && !fit.frame.is_point)
        return fit_to_limit(&fit, draft);
    double last_count = def->count > 0 ? def->count : pow(def->branch, def->depth);
    status = prepare(&fit, PIECES_OF_SPHERE * last_count);
    if (status == IMP_STATUS_OK && fit.frame.is_point)
        status = begin(&fit); // the root is all there is
    else if (status == IMP_STATUS_OK)
        status = fit.is_flat ? divide_count(&fit) : divide_levels(&fit);
    return status == IMP_STATUS_OK ? give_spheres(&fit, draft) : status;
}
