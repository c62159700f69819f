// Filter "solid-distance": how far apart are a solid and a mesh, or two solids? Whether they touch is known
// already.
//
// What is apart is as far apart as the surfaces, but for rounding: a solid is the hull of its posed vertices,
// and since each of these is rounded by itself, its posed faces lie a little inside of it. The surfaces'
// distance is an upper bound, and what faces may lie inside less than that is a lower one. Where these are
// not sharp enough, the hulls themselves are measured: those of triangles of the mesh, one by one.
//
// How far inside: let T be the pose in real arithmetic, which moves the solid to a convex one whose boundary
// is the moved faces. Posed vertices are off the moved ones by at most r, so hull and faces are off by no
// more, and a point outside is nearer to the hull than to the faces by 2 r at most.
#include "geom/pose.h"
#include "object/convex_distance.h"
#include "object/convex_exact.h"
#include "object/exact_distance.h"
#include "object/surface_distance.h"
#include "shape/few_points.h"

#include <float.h>
#include <math.h>

static impi_Polytope solid_of(const impi_Body *body)
{
    return impi_convex_polytope((const imp_Convex *)body->shape, &body->transform);
}

// Each coordinate of a posed vertex is a sum of three products and the translation, in four roundings.
static double twice_rounding(const impi_Body *body)
{
    const imp_Vec3 *t = &body->transform.translation;
    double shift = fmax(fmax(fabs(t->x), fabs(t->y)), fabs(t->z));
    double size = 0.25 * shift + 0.5 * body->largest_coordinate; // a quarter of a coordinate, at most
    return impi_body_is_convex(body) ? 64 * DBL_EPSILON * size + 8 * DBL_TRUE_MIN : 0;
}

static double slack_of(const impi_PairWork *pair)
{
    return twice_rounding(pair->a) + twice_rounding(pair->b);
}

static size_t lane_count(const impi_Body *body)
{
    return impi_body_is_convex(body)
               ? (size_t)((const imp_Convex *)body->shape)->support.block_count * IMPI_SUPPORT_LANES
               : IMPI_MAX_FEW_POINTS;
}

static size_t scratch_size(const impi_FilterRun *run)
{
    size_t most = 0;
    for (size_t i = 0; i < run->count; ++i) {
        const impi_PairWork *pair = impi_run_pair(run, i);
        size_t lanes = lane_count(pair->a) + lane_count(pair->b);
        most = lanes > most ? lanes : most;
    }
    size_t surfaces = impi_surface_distances_memory(run), exact = impi_convex_exact_memory(most);
    return (surfaces > exact ? surfaces : exact) + sizeof(impi_FewPoints) + IMPI_ALIGNMENT;
}

// ---- hulls

// A solid and triangles of a mesh, each as a hull.
typedef struct HullSearch {
    const impi_FilterRun *run;
    impi_Arena *arena;
    const impi_Body *mesh;
    impi_Polytope solid, hull; // the latter of the triangle, or the block, at hand
    bool is_solid_a;
    impi_FewPoints *few;
    imp_ConvexState state;
    double upper; // the distance is not more
} HullSearch;

// Sharper than what is asked for, so that both bounds together are as sharp as that.
static double hull_accuracy(const impi_FilterRun *run)
{
    return run->distance.relative_accuracy / 4;
}

static imp_Status measure_hulls(HullSearch *search, const imp_Vec3 *points, size_t count,
                                imp_ConvexDistance *found)
{
    impi_few_points_lay_out(search->few, points, count);
    search->hull = (impi_Polytope){&search->few->set, points, count, &search->mesh->transform};
    const impi_Polytope *a = search->is_solid_a ? &search->solid : &search->hull;
    const impi_Polytope *b = search->is_solid_a ? &search->hull : &search->solid;
    search->state = (imp_ConvexState){.witness_count = 0};
    return impi_convex_distance(search->arena, a, b, &search->state, hull_accuracy(search->run), found);
}

// What a visit to triangles is for; returns whether to go on.
typedef bool (*TriangleFn)(const imp_ConvexDistance *found, uint32_t face, void *argument);

// Triangles in blocks that are no farther from the solid than `upper`.
static imp_Status visit_triangles(HullSearch *search, TriangleFn visit, void *argument)
{
    const impi_FaceBlocks *blocks = &search->mesh->blocks->blocks;
    imp_ConvexDistance found;
    for (size_t i = 0; i < blocks->block_count && !impi_budget_is_over(search->run->budget); ++i) {
        const impi_FaceBlock *block = &blocks->blocks[i];
        const imp_Vec3 *vertices = impi_body_vertices(search->mesh) + block->first_vertex;
        imp_Status status = measure_hulls(search, vertices, block->vertex_count, &found);
        if (status != IMP_STATUS_OK)
            return status;
        if (found.lower_bound > search->upper)
            continue;
        for (unsigned k = 0; k < block->face_count; ++k) {
            const imp_Vec3 corners[3] = {vertices[block->corners[0][k]], vertices[block->corners[1][k]],
                                         vertices[block->corners[2][k]]};
            status = measure_hulls(search, corners, 3, &found);
            if (status != IMP_STATUS_OK || !visit(&found, block->faces[k], argument))
                return status;
        }
    }
    return IMP_STATUS_OK;
}

static imp_Status begin_hulls(const impi_FilterRun *run, impi_Arena *arena, impi_PairWork *pair,
                              HullSearch *search)
{
    bool is_solid_a = impi_body_is_convex(pair->a);
    *search = (HullSearch){.run = run,
                           .arena = arena,
                           .mesh = is_solid_a ? pair->b : pair->a,
                           .solid = solid_of(is_solid_a ? pair->a : pair->b),
                           .is_solid_a = is_solid_a,
                           .upper = pair->distance->answer.distance};
    search->few = impi_arena_allocate(arena, sizeof *search->few);
    return search->few ? IMP_STATUS_OK : IMP_STATUS_OUT_OF_MEMORY;
}

// ---- touching

// The first triangle of the mesh that shares a point with the solid.
typedef struct FirstTouch {
    const HullSearch *search;
    uint32_t face;
    imp_Vec3 corners[3]; // in the mesh's frame
    imp_Vec3 point;
} FirstTouch;

static bool note_touch(const imp_ConvexDistance *found, uint32_t face, void *argument)
{
    FirstTouch *first = argument;
    if (found->touch && face < first->face) {
        first->face = face;
        first->point = found->point_a;
        for (int k = 0; k < 3; ++k)
            first->corners[k] = first->search->hull.vertices[k];
    }
    return true;
}

// The first corner of a face that a solid holds. The surfaces do not touch, so all of them are inside, unless
// the face is within a rounding of the solid's.
static imp_Status find_held_corner(impi_Arena *arena, impi_FewPoints *few, const impi_Polytope *solid,
                                   const imp_Vec3 *corners, const imp_Transform *transform,
                                   imp_SurfacePoint *point)
{
    static const impi_Simplex knows_nothing;
    imp_Status status = IMP_STATUS_OK;
    bool is_held = false;
    for (uint32_t k = 0; k < 3 && !is_held && status == IMP_STATUS_OK; ++k) {
        impi_few_points_lay_out(few, &corners[k], 1);
        impi_Polytope corner = {&few->set, &corners[k], 1, transform};
        status = impi_exact_within(arena, solid, &corner, &knows_nothing, 0, &is_held);
        if (is_held) {
            point->position = impi_transform_apply(transform, corners[k]);
            point->feature = IMP_FEATURE_VERTEX;
            point->corner = k;
        }
    }
    return status;
}

// A corner of the first face of one solid that the other one holds.
static imp_Status find_held_solid(impi_Arena *arena, const impi_Body *outer, const impi_Body *inner,
                                  imp_SurfacePoint *point)
{
    const imp_Mesh *surface = impi_body_surface(inner);
    const imp_Vec3 *vertices = imp_mesh_get_vertices(surface);
    const uint32_t *indices = imp_mesh_get_indices(surface);
    const imp_Vec3 corners[3] = {vertices[indices[0]], vertices[indices[1]], vertices[indices[2]]};
    impi_Polytope solid = solid_of(outer);
    impi_FewPoints *few = impi_arena_allocate(arena, sizeof *few);
    if (!few)
        return IMP_STATUS_OUT_OF_MEMORY;
    imp_Status status = find_held_corner(arena, few, &solid, corners, &inner->transform, point);
    if (point->feature)
        point->face = 0;
    return status;
}

static imp_Status find_common_point_of_solids(const impi_FilterRun *run, impi_Arena *arena,
                                              const impi_PairWork *pair, imp_Distance *answer)
{
    impi_ArenaMark mark = impi_arena_mark(arena);
    imp_Status status = find_held_solid(arena, pair->b, pair->a, &answer->a);
    impi_arena_rewind(arena, mark);
    answer->b.position = answer->a.position;
    if (status != IMP_STATUS_OK || answer->a.feature)
        return status;
    status = find_held_solid(arena, pair->a, pair->b, &answer->b);
    impi_arena_rewind(arena, mark);
    answer->a.position = answer->b.position;
    if (status != IMP_STATUS_OK || answer->b.feature)
        return status;
    impi_Polytope a = solid_of(pair->a), b = solid_of(pair->b);
    imp_ConvexState state = {.witness_count = 0};
    imp_ConvexDistance found;
    status = impi_convex_distance(arena, &a, &b, &state, run->distance.relative_accuracy, &found);
    if (status == IMP_STATUS_OK)
        answer->a.position = answer->b.position = found.point_a;
    return status;
}

// One holds the other, or a part of it, without the surfaces touching.
static imp_Status find_common_point(const impi_FilterRun *run, impi_Arena *arena, impi_PairWork *pair,
                                    imp_Distance *answer)
{
    answer->a.face = answer->b.face = IMP_NO_FACE;
    if (impi_body_is_convex(pair->a) && impi_body_is_convex(pair->b))
        return find_common_point_of_solids(run, arena, pair, answer);
    HullSearch search;
    FirstTouch first = {.search = &search, .face = IMP_NO_FACE};
    imp_Status status = begin_hulls(run, arena, pair, &search);
    search.upper = 0;
    if (status == IMP_STATUS_OK)
        status = visit_triangles(&search, note_touch, &first);
    if (status != IMP_STATUS_OK || first.face == IMP_NO_FACE) // the budget ended first
        return status;
    imp_SurfacePoint point = {.position = first.point, .face = first.face, .feature = IMP_FEATURE_FACE};
    status =
        find_held_corner(arena, search.few, &search.solid, first.corners, &search.mesh->transform, &point);
    *(search.is_solid_a ? &answer->b : &answer->a) = point;
    (search.is_solid_a ? &answer->a : &answer->b)->position = point.position;
    return status;
}

static imp_Status answer_touching(const impi_FilterRun *run, impi_Arena *arena, impi_PairWork *pair)
{
    impi_SurfaceDistance found;
    imp_Status status = impi_surface_distance(run, arena, pair, 0, &found);
    if (status != IMP_STATUS_OK || found.verdict == IMPI_SURFACES_CUT_SHORT)
        return status;
    if (found.verdict == IMPI_SURFACES_TOUCH)
        pair->distance->answer = found.distance;
    else
        pair->distance->answer = (imp_Distance){.distance = 0};
    if (found.verdict != IMPI_SURFACES_TOUCH)
        status = find_common_point(run, arena, pair, &pair->distance->answer);
    pair->distance->answer.touch = pair->distance->answer.reached_accuracy = true;
    if (!impi_budget_is_over(run->budget))
        pair->answered |= IMP_QUESTION_DISTANCE;
    return status;
}

// ---- apart

static void take_bounds(imp_Distance *answer, const imp_ConvexDistance *found, double accuracy)
{
    double upper = found->reached_accuracy ? found->distance * (1 + 2 * accuracy) : (double)INFINITY;
    answer->distance = upper < answer->distance ? upper : answer->distance;
    answer->lower_bound = found->lower_bound < answer->lower_bound ? found->lower_bound : answer->lower_bound;
}

typedef struct Bounds {
    imp_Distance *answer;
    double accuracy;
} Bounds;

static bool note_bounds(const imp_ConvexDistance *found, uint32_t face, void *argument)
{
    const Bounds *bounds = argument;
    (void)face;
    take_bounds(bounds->answer, found, bounds->accuracy);
    return true;
}

// The hulls' own bounds in place of those of surfaces.
static imp_Status measure_as_hulls(const impi_FilterRun *run, impi_Arena *arena, impi_PairWork *pair)
{
    imp_Distance *answer = &pair->distance->answer;
    double accuracy = hull_accuracy(run);
    answer->lower_bound = answer->distance;
    if (impi_body_is_convex(pair->a) && impi_body_is_convex(pair->b)) {
        impi_Polytope a = solid_of(pair->a), b = solid_of(pair->b);
        imp_ConvexState state = {.witness_count = 0};
        imp_ConvexDistance found;
        imp_Status status = impi_convex_distance(arena, &a, &b, &state, accuracy, &found);
        if (status == IMP_STATUS_OK)
            take_bounds(answer, &found, accuracy);
        return status;
    }
    HullSearch search;
    Bounds bounds = {answer, accuracy};
    imp_Status status = begin_hulls(run, arena, pair, &search);
    return status == IMP_STATUS_OK ? visit_triangles(&search, note_bounds, &bounds) : status;
}

// ---- at most so far?

typedef struct Within {
    const HullSearch *search;
    double distance;
    bool is_within;
    imp_Status status;
} Within;

static bool note_within(const imp_ConvexDistance *found, uint32_t face, void *argument)
{
    static const impi_Simplex knows_nothing;
    Within *within = argument;
    (void)face;
    if (found->lower_bound <= within->distance)
        within->status =
            impi_exact_within(within->search->arena, &within->search->solid, &within->search->hull,
                              &knows_nothing, within->distance, &within->is_within);
    return within->status == IMP_STATUS_OK && !within->is_within;
}

static imp_Status decide_exactly(const impi_FilterRun *run, impi_Arena *arena, impi_PairWork *pair,
                                 double distance, bool *is_within)
{
    static const impi_Simplex knows_nothing;
    if (impi_body_is_convex(pair->a) && impi_body_is_convex(pair->b)) {
        impi_Polytope a = solid_of(pair->a), b = solid_of(pair->b);
        return impi_exact_within(arena, &a, &b, &knows_nothing, distance, is_within);
    }
    HullSearch search;
    Within within = {&search, distance, false, IMP_STATUS_OK};
    imp_Status status = begin_hulls(run, arena, pair, &search);
    search.upper = distance;
    if (status == IMP_STATUS_OK)
        status = visit_triangles(&search, note_within, &within);
    *is_within = within.is_within;
    return status == IMP_STATUS_OK ? within.status : status;
}

// Are they at most that far apart? By the answer's bounds, where they tell.
static imp_Status decide_within(const impi_FilterRun *run, impi_Arena *arena, impi_PairWork *pair,
                                double distance, bool *is_within)
{
    const imp_Distance *answer = &pair->distance->answer;
    *is_within = answer->distance <= distance;
    return *is_within || answer->lower_bound > distance
               ? IMP_STATUS_OK
               : decide_exactly(run, arena, pair, distance, is_within);
}

static bool is_sharp(const impi_FilterRun *run, const imp_Distance *answer)
{
    return answer->distance - answer->lower_bound <= run->distance.relative_accuracy * answer->distance;
}

// Where the search may stop, having the pair's bounds. What is not too far is not told to be.
static imp_Status stop_where_asked(const impi_FilterRun *run, impi_Arena *arena, impi_PairWork *pair)
{
    const impi_DistanceAsk *ask = &run->distance;
    imp_Distance *answer = &pair->distance->answer;
    bool is_near = false, is_not_far = true;
    imp_Status status = IMP_STATUS_OK;
    if (ask->stop_below > 0)
        status = decide_within(run, arena, pair, ask->stop_below, &is_near);
    if (status == IMP_STATUS_OK && !is_near)
        status = decide_within(run, arena, pair, ask->stop_above, &is_not_far);
    if (status != IMP_STATUS_OK || impi_budget_is_over(run->budget))
        return status;
    if (is_near)
        impi_answer_near(pair, ask->stop_below);
    else if (!is_not_far)
        impi_answer_far(pair, ask->stop_above);
    else
        answer->distance = fmin(answer->distance, ask->stop_above);
    pair->answered |= IMP_QUESTION_DISTANCE;
    return IMP_STATUS_OK;
}

static imp_Status answer_apart(const impi_FilterRun *run, impi_Arena *arena, impi_PairWork *pair)
{
    impi_SurfaceDistance found;
    imp_Distance *answer = &pair->distance->answer;
    const double slack = slack_of(pair), stop_above = run->distance.stop_above;
    imp_Status status =
        impi_surface_distance(run, arena, pair, (stop_above + slack) * (1 + DBL_EPSILON), &found);
    if (status != IMP_STATUS_OK || found.verdict == IMPI_SURFACES_CUT_SHORT)
        return status;
    if (found.verdict == IMPI_SURFACES_FAR)
        impi_answer_far(pair, stop_above);
    if (found.verdict == IMPI_SURFACES_NEAR)
        impi_answer_near(pair, run->distance.stop_below);
    if (pair->answered & IMP_QUESTION_DISTANCE)
        return IMP_STATUS_OK;
    *answer = found.distance;
    answer->lower_bound = fmax(answer->lower_bound * (1 - DBL_EPSILON) - slack, 0);
    if (!is_sharp(run, answer))
        status = measure_as_hulls(run, arena, pair);
    if (status != IMP_STATUS_OK || impi_budget_is_over(run->budget))
        return status;
    answer->reached_accuracy = is_sharp(run, answer);
    return stop_where_asked(run, arena, pair);
}

static imp_Status measure_pair(const impi_FilterRun *run, impi_Arena *arena, impi_PairWork *pair)
{
    impi_ArenaMark mark = impi_arena_mark(arena);
    imp_Status status = IMP_STATUS_OK;
    if (!(pair->relations & IMP_RELATION_TOUCH))
        status = answer_apart(run, arena, pair);
    else if (run->distance.stop_below > 0)
        impi_answer_near(pair, run->distance.stop_below);
    else
        status = answer_touching(run, arena, pair);
    impi_arena_rewind(arena, mark);
    return status;
}

static imp_Status run_pairs(impi_FilterRun *run)
{
    return impi_surface_distances_run(run, measure_pair);
}

const impi_Filter impi_solid_distance_filter = {
    .name = "solid-distance",
    .takes_distance = {IMPI_KIND_BIT(IMPI_SHAPE_CONVEX), IMPI_ANY_KIND},
    .scratch_size = scratch_size,
    .run = run_pairs};
