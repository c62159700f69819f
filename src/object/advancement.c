// Conservative advancement of two bodies: what is apart by more than the separation stays so for as long as
// it takes the fastest points to make up for the rest.
//
// 1. Where a solid begins, it is tested as one; from then on surfaces tell everything, since nothing gets
// inside
//    of a solid but through its surface.
// 2. While the bodies are far apart, beside the size of their faces: the distance of the surfaces
//    (object/mesh_distance.c), over the speed, is a step. Hints make that cheap.
// 3. Where they are near: all pairs of faces that may come near within a step of the size of faces, each with
// a
//    bound on when, that knows where the faces are, how fast, and which way (object/face_chase.c). Most are
//    past the step at once; the others are chased one by one, earliest first, up to the first that come near.
//    Then the step is done, or the answer is there.
//
// So what converges to contact are pairs of faces, fast, and bodies make steps of the size of faces.
// (Advancing bodies as a whole, as Mirtich 1996 and others do, takes a distance of whole bodies for each step
// near contact, with the speed of their fastest point in any direction.)
//
// Bounds: docs/exactness.md.
#include "object/advancement.h"

#include "base/radix_sort.h"
#include "geom/scalar.h"
#include "geom/triangle_sweep.h"
#include "geom/vector.h"
#include "object/box_distance.h"
#include "object/convex_exact.h"
#include "object/distance_search.h"
#include "object/face_chase.h"
#include "object/separating_vector.h"
#include "object/solid_touch.h"
#include "shape/bounds.h"
#include "shape/convex.h"

#include <float.h>

#define DEFAULT_TOLERANCE 1e-9
#define MAX_STEPS         20000
#define MAX_CANDIDATES    4096 // that may come near in one step
#define MAX_HITS          16   // that are asked whether they touch for sure

// How much nearer faces may come in a step where bodies are near: at first half their size; then so that
// about so many pairs of them are looked at.
#define FEW_PAIRS  256
#define MANY_PAIRS 4096

// How often the time that is looked at, for contact that is certain, is doubled.
#define MAX_PROBES 8

typedef struct Candidate {
    impi_BlockFacePair faces;
    double time; // until when they are known to be apart
} Candidate;

typedef struct Hit {
    impi_BlockFacePair faces;
    impi_ChaseResult result;
} Hit;

typedef struct Advancement {
    impi_Chase chase;
    const impi_BodyPath *paths[2];
    const impi_AdvanceAsk *ask;
    impi_Arena *arena;
    impi_Body moved[2];
    impi_SurfacePair pair;
    double time;  // they are apart before
    double reach; // how much nearer may come what is looked at in a step
    bool has_hint;
    impi_FaceHint hint;
    imp_Vec3 way, origin; // of the last search

    // One step where they are near.
    double horizon; // up to which all faces are looked at
    impi_PathMoment moments[2];
    Candidate *candidates;
    impi_NearKey *keys, *spare_keys;
    size_t candidate_count, visited_count;
    bool is_within; // two faces are, where they begin
    impi_BlockFacePair within;
    Hit hits[MAX_HITS];
    size_t hit_count;
    double earliest; // until when all faces are apart that were looked at
    double best;     // when the first faces are near
    double stuck;    // nothing is known from then on
} Advancement;

// ---- the beginning

static impi_Polytope solid_of(const impi_Body *body)
{
    return impi_convex_polytope((const imp_Convex *)body->shape, &body->transform);
}

static size_t lane_count(const impi_Body *body)
{
    return (size_t)((const imp_Convex *)body->shape)->support.block_count * IMPI_SUPPORT_LANES;
}

static size_t tree_memory(const impi_Body *body)
{
    return impi_block_tree_size(body->blocks->blocks.block_count) * sizeof(impi_BoxLanes) + IMPI_ALIGNMENT;
}

static size_t start_memory(const impi_Body *a, const impi_Body *b)
{
    if (impi_body_is_convex(a) && impi_body_is_convex(b))
        return impi_convex_exact_memory(lane_count(a) + lane_count(b));
    if (impi_body_is_convex(a) || impi_body_is_convex(b))
        return impi_body_is_convex(a) ? impi_solid_touch_memory(a) + tree_memory(b)
                                      : impi_solid_touch_memory(b) + tree_memory(a);
    return 0;
}

static imp_Status test_solid_and_mesh(Advancement *advancement, const impi_BodyPath *solid,
                                      const impi_BodyPath *mesh, bool *touches)
{
    size_t blocks = mesh->body->blocks->blocks.block_count;
    impi_BlockTree tree;
    impi_BoxLanes *storage =
        impi_arena_allocate_array(advancement->arena, impi_block_tree_size(blocks), sizeof *storage);
    bool is_cut_short;
    if (!storage)
        return IMP_STATUS_OUT_OF_MEMORY;
    impi_block_tree_init(&tree, blocks, storage);
    impi_pose_boxes(impi_body_boxes(mesh->body), &mesh->body->transform, tree.group_counts[0],
                    tree.levels[0]);
    impi_block_tree_finish(&tree);
    return impi_solid_touches_mesh(advancement->arena, advancement->ask->budget, solid->body, &solid->start,
                                   mesh->body, &tree, touches, &is_cut_short);
}

// Do they touch where they begin, as solids?
static imp_Status test_solids(Advancement *advancement, bool *touch)
{
    const impi_BodyPath *a = advancement->paths[0], *b = advancement->paths[1];
    impi_ArenaMark mark = impi_arena_mark(advancement->arena);
    imp_Status status = IMP_STATUS_OK;
    *touch = false;
    if (impi_body_is_convex(a->body) && impi_body_is_convex(b->body)) {
        impi_Polytope solid_a = solid_of(a->body), solid_b = solid_of(b->body);
        imp_ConvexState state = {.witness_count = 0};
        imp_ConvexResult result = {.touch = false};
        status = impi_convex_test(advancement->arena, &solid_a, &solid_b, &state, &result);
        *touch = result.touch;
    } else if (impi_body_is_convex(a->body)) {
        status = test_solid_and_mesh(advancement, a, b, touch);
    } else if (impi_body_is_convex(b->body)) {
        status = test_solid_and_mesh(advancement, b, a, touch);
    }
    impi_arena_rewind(advancement->arena, mark);
    return status;
}

// ---- faces that may come near

static const impi_NearKey *sort_candidates(Advancement *advancement)
{
    for (size_t i = 0; i < advancement->candidate_count; ++i)
        advancement->keys[i] =
            impi_near_key((float)(advancement->candidates[i].time - advancement->time), (uint32_t)i);
    return impi_radix_sort_packed(advancement->keys, advancement->spare_keys, advancement->candidate_count,
                                  32, 64);
}

// What is within this distance now may be as near as the separation before the horizon; nothing else.
static double reach_until(const Advancement *advancement, double horizon)
{
    const impi_ChaseBounds *bounds = &advancement->chase.bounds;
    return ((bounds->separation + bounds->slack) + bounds->speed * (horizon - advancement->time)) *
           (1 + 0x1p-40);
}

// The earlier half stays, in its old order; the horizon is where the other one begins.
static void drop_late_half(Advancement *advancement, impi_DistanceSearch *search)
{
    const impi_NearKey *sorted = sort_candidates(advancement);
    size_t count = advancement->candidate_count, kept = 0;
    for (size_t i = count / 2; i < count; ++i)
        advancement->horizon =
            impi_smaller(advancement->candidates[impi_near_number(sorted[i])].time, advancement->horizon);
    for (size_t i = 0; i < count; ++i)
        if (advancement->candidates[i].time < advancement->horizon)
            advancement->candidates[kept++] = advancement->candidates[i];
    advancement->candidate_count = kept;
    impi_search_lower_bound(search, reach_until(advancement, advancement->horizon));
}

// Nothing beyond the horizon is of interest any more.
static void lower_horizon(Advancement *advancement, impi_DistanceSearch *search, double horizon)
{
    if (horizon < advancement->horizon) {
        advancement->horizon = horizon;
        impi_search_lower_bound(search, reach_until(advancement, horizon));
    }
}

static void chase_candidate(Advancement *advancement, const Candidate *candidate)
{
    double limit = impi_smaller(advancement->best, advancement->horizon);
    if (candidate->time >= limit)
        return;
    impi_ChaseResult result = impi_chase_run(&advancement->chase, candidate->faces, candidate->time, limit);
    if (result.verdict == IMPI_CHASE_STUCK)
        advancement->stuck = impi_smaller(result.time, advancement->stuck);
    if (result.verdict != IMPI_CHASE_NEAR)
        return;
    advancement->best = result.time;
    advancement->hits[advancement->hit_count++ % MAX_HITS] = (Hit){candidate->faces, result};
}

// What may be the first of all is chased at once: if that leads to contact, less is left to be looked at.
static void add_candidate(Advancement *advancement, impi_DistanceSearch *search, const Candidate *candidate)
{
    if (candidate->time < advancement->earliest) {
        advancement->earliest = candidate->time;
        chase_candidate(advancement, candidate);
        lower_horizon(advancement, search, advancement->best);
        return;
    }
    if (advancement->candidate_count == MAX_CANDIDATES)
        drop_late_half(advancement, search);
    if (candidate->time < advancement->horizon)
        advancement->candidates[advancement->candidate_count++] = *candidate;
}

static void visit_near(impi_DistanceSearch *search, const impi_TriangleBatch *triangles,
                       const impi_BlockFacePair *faces, int count, const impi_BatchDistance *found,
                       void *argument)
{
    Advancement *advancement = argument;
    const impi_Chase *chase = &advancement->chase;
    (void)triangles;
    advancement->visited_count += (size_t)count;
    for (int lane = 0; lane < count && !impi_search_is_over(search); ++lane) {
        if (found->lower[lane] > impi_search_bound(search))
            continue;
        if (found->lower[lane] <= chase->bounds.separation && advancement->time == 0 &&
            impi_chase_is_within(chase, faces[lane], 0)) {
            advancement->within = faces[lane];
            advancement->is_within = true;
            atomic_store_explicit(&search->is_over, true, memory_order_relaxed);
            return;
        }
        imp_Vec3 way = {found->way[0][lane], found->way[1][lane], found->way[2][lane]};
        impi_MovingFaces moving;
        impi_chase_faces_at(chase, &advancement->moments[0], &advancement->moments[1], faces[lane], &moving);
        double closing, step = impi_chase_step(chase, &moving, way, &closing);
        Candidate candidate = {faces[lane], advancement->time + step};
        if (candidate.time < advancement->horizon)
            add_candidate(advancement, search, &candidate);
    }
}

static imp_Status find_candidates(Advancement *advancement)
{
    double least = reach_until(advancement, advancement->horizon);
    impi_SurfaceAsk ask = {.stop_above = least, .budget = advancement->ask->budget};
    impi_NearVisit visit = {visit_near, advancement};
    advancement->candidate_count = advancement->visited_count = 0;
    for (int i = 0; i < 2; ++i)
        advancement->moments[i] = impi_body_path_moment(advancement->paths[i], advancement->time);
    return impi_visit_near_faces(advancement->arena, &advancement->pair, &ask, advancement->way,
                                 advancement->origin, &visit);
}

static void chase_candidates(Advancement *advancement)
{
    const impi_NearKey *sorted = sort_candidates(advancement);
    for (size_t i = 0; i < advancement->candidate_count && !impi_budget_is_over(advancement->ask->budget);
         ++i)
        chase_candidate(advancement, &advancement->candidates[impi_near_number(sorted[i])]);
}

// ---- answers

static uint32_t face_number(const impi_Body *body, impi_BlockFace face)
{
    return body->blocks->blocks.blocks[face / IMPI_BLOCK_FACES].faces[face % IMPI_BLOCK_FACES];
}

static const Hit *last_hit(const Advancement *advancement)
{
    return &advancement->hits[(advancement->hit_count - 1) % MAX_HITS];
}

static bool probe(const Advancement *advancement, double time)
{
    size_t count = advancement->hit_count < MAX_HITS ? advancement->hit_count : MAX_HITS;
    for (size_t i = 0; i < count; ++i)
        if (impi_chase_is_within(&advancement->chase, advancement->hits[i].faces, time))
            return true;
    return false;
}

// Contact is looked for where faces that go on as they do have it, and a little later.
static void look_for_certainty(const Advancement *advancement, impi_Advance *result)
{
    const impi_ChaseResult *first = &last_hit(advancement)->result;
    const impi_ChaseBounds *bounds = &advancement->chase.bounds;
    double wait = ((first->distance - bounds->separation) + bounds->slack) / first->closing,
           time = first->time;
    wait = impi_larger(2 * wait, 0x1p-52);
    result->is_certain = probe(advancement, time);
    for (int i = 0; i < MAX_PROBES && !result->is_certain && wait < 1 && time < 1; ++i, wait *= 2) {
        time = impi_smaller(first->time + wait, 1);
        result->is_certain = probe(advancement, time);
    }
    result->certain_time = time;
}

static void answer_meeting(const Advancement *advancement, impi_Advance *result)
{
    const Hit *hit = last_hit(advancement);
    result->verdict = IMPI_ADVANCE_MEET;
    result->time = hit->result.time;
    result->face_a = face_number(advancement->paths[0]->body, hit->faces.a);
    result->face_b = face_number(advancement->paths[1]->body, hit->faces.b);
    result->parts = impi_chase_near_parts(&advancement->chase, hit->faces, result->time);
    look_for_certainty(advancement, result);
}

static void answer_start(impi_Advance *result)
{
    result->verdict = IMPI_ADVANCE_MEET;
    result->time = result->certain_time = 0;
    result->is_certain = true;
}

// Ends if it is told what to answer.
typedef enum Progress {
    GOES_ON,
    ENDS,
} Progress;

static Progress move_on(Advancement *advancement, double time, impi_Advance *result)
{
    bool moves = time > advancement->time;
    advancement->time = impi_smaller(time, advancement->ask->end);
    result->time = advancement->time;
    if (advancement->time == advancement->ask->end) {
        result->verdict = IMPI_ADVANCE_APART;
        return ENDS;
    }
    return moves ? GOES_ON : ENDS; // the verdict is open
}

// ---- steps

static imp_Status step_near(Advancement *advancement, impi_Advance *result, Progress *progress)
{
    const impi_ChaseBounds *bounds = &advancement->chase.bounds;
    double wanted = advancement->time + advancement->reach / bounds->speed;
    advancement->horizon = impi_smaller(wanted, advancement->ask->end);
    advancement->earliest = advancement->best = advancement->stuck = INFINITY;
    advancement->hit_count = 0;
    imp_Status status = find_candidates(advancement);
    *progress = ENDS;
    if (status != IMP_STATUS_OK)
        return status;
    if (advancement->is_within) {
        answer_start(result);
        result->face_a = face_number(advancement->paths[0]->body, advancement->within.a);
        result->face_b = face_number(advancement->paths[1]->body, advancement->within.b);
        return IMP_STATUS_OK;
    }
    chase_candidates(advancement);
    if (impi_budget_is_over(advancement->ask->budget)) {
        result->verdict = IMPI_ADVANCE_CUT_SHORT;
        return IMP_STATUS_OK;
    }
    if (advancement->stuck < advancement->best) {
        result->time = impi_smaller(advancement->stuck, advancement->horizon);
        return IMP_STATUS_OK;
    }
    if (advancement->best < INFINITY) {
        answer_meeting(advancement, result);
        return IMP_STATUS_OK;
    }
    if (advancement->visited_count < FEW_PAIRS)
        advancement->reach *= 2;
    else if (advancement->visited_count > MANY_PAIRS)
        advancement->reach *= 0.5;
    *progress = move_on(advancement, advancement->horizon, result);
    return IMP_STATUS_OK;
}

static imp_Status measure_surfaces(Advancement *advancement, impi_SurfaceDistance *found)
{
    const impi_ChaseBounds *bounds = &advancement->chase.bounds;
    impi_SurfaceAsk ask = {.stop_below = bounds->separation + bounds->slack + advancement->reach,
                           .stop_above = reach_until(advancement, advancement->ask->end),
                           .hint = advancement->has_hint ? &advancement->hint : NULL,
                           .budget = advancement->ask->budget};
    for (int i = 0; i < 2; ++i)
        impi_body_path_place(advancement->paths[i], advancement->time, &advancement->moved[i]);
    imp_Status status = impi_mesh_distance(advancement->arena, NULL, &advancement->pair, &ask, found);
    if (status != IMP_STATUS_OK)
        return status;
    advancement->way = found->way;
    advancement->origin = found->origin;
    if (found->verdict == IMPI_SURFACES_MEASURED) {
        advancement->has_hint = true;
        advancement->hint = found->hint;
    }
    return IMP_STATUS_OK;
}

static imp_Status step(Advancement *advancement, impi_Advance *result, Progress *progress)
{
    const impi_ChaseBounds *bounds = &advancement->chase.bounds;
    impi_SurfaceDistance found;
    imp_Status status = measure_surfaces(advancement, &found);
    *progress = ENDS;
    if (status != IMP_STATUS_OK)
        return status;
    if (found.verdict == IMPI_SURFACES_CUT_SHORT) {
        result->verdict = IMPI_ADVANCE_CUT_SHORT;
        return IMP_STATUS_OK;
    }
    if (found.verdict == IMPI_SURFACES_FAR) {
        *progress = move_on(advancement, advancement->ask->end, result);
        return IMP_STATUS_OK;
    }
    double gap = found.distance.lower_bound - bounds->separation - bounds->slack;
    if (found.verdict != IMPI_SURFACES_MEASURED || !(gap > advancement->reach))
        return step_near(advancement, result, progress);
    *progress = move_on(advancement, advancement->time + gap / bounds->speed * (1 - 0x1p-46), result);
    return IMP_STATUS_OK;
}

// ---- the whole

imp_Status impi_advance_prepare(imp_Context *context, const impi_BodyPath *a, const impi_BodyPath *b)
{
    const impi_OrientedLanes *boxes;
    imp_Status status = impi_mesh_oriented_boxes(context, impi_body_surface(a->body), &boxes);
    return status == IMP_STATUS_OK ? impi_mesh_oriented_boxes(context, impi_body_surface(b->body), &boxes)
                                   : status;
}

size_t impi_advance_memory(const impi_BodyPath *a, const impi_BodyPath *b)
{
    size_t search = impi_mesh_distance_memory(a->body, b->body, NULL), start = start_memory(a->body, b->body);
    // A body on a straight path is deformed while it moves, and may not be before.
    size_t lanes = (impi_group_count(a->body->blocks->blocks.block_count) +
                    impi_group_count(b->body->blocks->blocks.block_count)) *
                   sizeof(impi_OrientedLanes);
    return (search + lanes > start ? search + lanes : start) + impi_body_path_memory(a) +
           impi_body_path_memory(b) + MAX_CANDIDATES * (sizeof(Candidate) + 2 * sizeof(impi_NearKey)) +
           4 * IMPI_ALIGNMENT;
}

static double extent_of(const impi_BodyPath *a, const impi_BodyPath *b)
{
    imp_Box box = a->start;
    impi_box_add(&box, &b->start.min);
    impi_box_add(&box, &b->start.max);
    return impi_longest((imp_Vec3){box.max.x - box.min.x, box.max.y - box.min.y, box.max.z - box.min.z});
}

// Of a body whose faces are about alike and cover a sphere, or a cube.
static double face_size(const impi_BodyPath *path)
{
    imp_Vec3 width = impi_subtract(path->start.max, path->start.min);
    double faces = (double)imp_mesh_get_triangle_count(impi_body_surface(path->body));
    return 2 * impi_longest(width) / sqrt(faces);
}

static imp_Status begin(Advancement *advancement, imp_Context *context)
{
    impi_Arena *arena = advancement->arena;
    const impi_BodyPath *a = advancement->paths[0], *b = advancement->paths[1];
    impi_Chase *chase = &advancement->chase;
    *chase = impi_chase_make(a, b, advancement->ask->separation);
    double asked = advancement->ask->tolerance;
    asked = asked > 0 ? asked : DEFAULT_TOLERANCE * extent_of(a, b);
    chase->tolerance = impi_larger(asked, 16 * chase->bounds.slack);
    advancement->reach = impi_larger(0.5 * impi_smaller(face_size(a), face_size(b)), 2 * chase->tolerance);
    advancement->candidates = impi_arena_allocate_array(arena, MAX_CANDIDATES, sizeof(Candidate));
    advancement->keys = impi_arena_allocate_array(arena, MAX_CANDIDATES, sizeof(impi_NearKey));
    advancement->spare_keys = impi_arena_allocate_array(arena, MAX_CANDIDATES, sizeof(impi_NearKey));
    if (!advancement->candidates || !advancement->keys || !advancement->spare_keys ||
        !impi_body_path_begin(a, arena, &advancement->moved[0]) ||
        !impi_body_path_begin(b, arena, &advancement->moved[1]))
        return IMP_STATUS_OUT_OF_MEMORY;
    advancement->pair = (impi_SurfacePair){.a = &advancement->moved[0], .b = &advancement->moved[1]};
    imp_Status status =
        impi_mesh_oriented_boxes(context, impi_body_surface(a->body), &advancement->pair.boxes_a);
    if (status == IMP_STATUS_OK)
        status = impi_mesh_oriented_boxes(context, impi_body_surface(b->body), &advancement->pair.boxes_b);
    return status;
}

static imp_Status run(Advancement *advancement, impi_Advance *result)
{
    const impi_Chase *chase = &advancement->chase;
    bool starts = false;
    imp_Status status = test_solids(advancement, &starts);
    if (status != IMP_STATUS_OK)
        return status;
    if (starts) {
        answer_start(result);
        return IMP_STATUS_OK;
    }
    if (!impi_chase_is_bounded(chase))
        return IMP_STATUS_OK;
    Progress progress = GOES_ON;
    while (progress == GOES_ON && status == IMP_STATUS_OK && result->step_count < MAX_STEPS) {
        ++result->step_count;
        if (impi_budget_is_over(advancement->ask->budget)) {
            result->verdict = IMPI_ADVANCE_CUT_SHORT;
            return IMP_STATUS_OK;
        }
        status = step(advancement, result, &progress);
    }
    return status;
}

imp_Status impi_advance(imp_Context *context, impi_Arena *arena, const impi_BodyPath *a,
                        const impi_BodyPath *b, const impi_AdvanceAsk *ask, impi_Advance *result)
{
    impi_ArenaMark mark = impi_arena_mark(arena);
    Advancement advancement = {.paths = {a, b}, .ask = ask, .arena = arena};
    impi_Advance found = {.verdict = IMPI_ADVANCE_OPEN,
                          .face_a = IMP_NO_FACE,
                          .face_b = IMP_NO_FACE,
                          .parts = {IMPI_WHOLE_FACE, IMPI_WHOLE_FACE}};
    imp_Status status = begin(&advancement, context);
    found.tolerance = advancement.chase.tolerance;
    if (status == IMP_STATUS_OK)
        status = run(&advancement, &found);
    impi_arena_rewind(arena, mark);
    if (status == IMP_STATUS_OK)
        *result = found;
    return status;
}
