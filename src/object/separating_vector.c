// Chung & Wang 1996: two polytopes are apart if and only if some direction S has all of b farther along it
// than all of a. Look along last frame's direction first; where that fails, reflect it at the two support
// vertices (their equation 2).
//
// Departs from the paper in what comes after. When the reflection fails too, the differences of support
// vertices found so far span a simplex, and the next direction is that of the simplex's point nearest to the
// origin (Gilbert, Johnson & Keerthi 1988), because that either parts the bodies or closes a tetrahedron
// around the origin, which proves that they touch, in a few steps. A pair that touched last time is asked
// first whether its tetrahedron still has the origin inside. Support vertices are found by looking at all
// that can be (shape/support_search.h), not by walking from neighbour to neighbour, which on rounded numbers
// proves nothing. Touching is not separate: strict inequality.
//
// Answers in double precision are given only beyond proven bounds of the error; when none is found, exact
// arithmetic (convex_exact.h) decides.
#include "object/separating_vector.h"

#include "object/convex_exact.h"
#include "object/direction_search.h"
#include "object/simplex.h"

typedef enum Answer { SEPARATE, TOUCH, UNDECIDED } Answer;

typedef struct Search {
    impi_DirectionSearch look;
    impi_Simplex simplex;
} Search;

// Look, and add what is found to the simplex unless it is the answer: a gap, or one that rounding may have
// made. TOUCH stands for no gap there.
static Answer look_and_keep(Search *search)
{
    impi_DirectionSearch *look = &search->look;
    impi_search_look(look);
    if (look->gap > look->error)
        return SEPARATE;
    if (look->gap >= -look->error)
        return UNDECIDED;
    impi_simplex_add(&search->simplex, &look->found);
    return TOUCH;
}

// Equation 2 of the paper: the direction seen in the mirror that stands at right angles to the line between
// the support vertices. For two balls it is the answer.
static bool reflect(impi_DirectionSearch *look)
{
    imp_Vec3 r = look->found.d, s = look->direction;
    double factor = -2 * look->gap / impi_dot(r, r);
    return impi_search_aim(look, s.x + factor * r.x, s.y + factor * r.y, s.z + factor * r.z);
}

// A difference from beyond the origin, which is needed should the bodies touch, costs nothing to find.
static void add_far_side(Search *search)
{
    impi_Difference difference;
    if (impi_search_far_side(&search->look, &difference))
        impi_simplex_add(&search->simplex, &difference);
}

// Last frame's direction, and its reflection.
static Answer try_separating(Search *search, const imp_ConvexState *state)
{
    if (!impi_search_aim(&search->look, state->direction.x, state->direction.y, state->direction.z))
        impi_search_aim_at_centres(&search->look);
    Answer answer = look_and_keep(search);
    if (answer != TOUCH || !reflect(&search->look))
        return answer;
    answer = look_and_keep(search);
    if (answer == TOUCH)
        add_far_side(search);
    return answer;
}

// Take over last frame's witnesses; those that name no vertex are forgotten.
static void recall_witnesses(Search *search, const imp_ConvexState *state)
{
    const impi_DirectionSearch *look = &search->look;
    for (uint32_t i = 0; i < state->witness_count && i < IMP_MAX_WITNESSES; ++i) {
        imp_VertexPair pair = state->witnesses[i];
        if (pair.vertex_a < look->a->vertex_count && pair.vertex_b < look->b->vertex_count)
            impi_search_difference(look, pair, &search->simplex.points[search->simplex.count++]);
    }
}

// Is the origin certainly inside the simplex? What is rough about it is made exact first.
static bool encloses_origin(Search *search, imp_Vec3 *direction)
{
    bool was_rough = false;
    if (!impi_simplex_reduce(&search->simplex, direction))
        return false;
    for (unsigned i = 0; i < search->simplex.count; ++i) {
        was_rough |= search->simplex.points[i].is_rough;
        impi_search_resolve(&search->look, &search->simplex.points[i]);
    }
    return !was_rough || impi_simplex_reduce(&search->simplex, direction);
}

// From the simplex to the nearest direction, and back with what is found there.
static Answer close_in(Search *search)
{
    while (search->look.step_count < IMPI_MAX_DOUBLE_STEPS) {
        imp_Vec3 direction;
        if (encloses_origin(search, &direction))
            return TOUCH;
        if (!impi_search_aim(&search->look, direction.x, direction.y, direction.z))
            return UNDECIDED;
        Answer answer = look_and_keep(search);
        if (answer != TOUCH)
            return answer;
    }
    return UNDECIDED;
}

// Last frame's witnesses, then its direction: bodies that met and go apart again do so along the direction
// that parted them before.
static Answer try_witnesses(Search *search, const imp_ConvexState *state)
{
    imp_Vec3 direction;
    if (encloses_origin(search, &direction))
        return TOUCH;
    impi_DirectionSearch *look = &search->look;
    bool has_direction = impi_search_aim(look, state->direction.x, state->direction.y, state->direction.z);
    if (has_direction || impi_search_aim(look, direction.x, direction.y, direction.z)) {
        Answer answer = look_and_keep(search);
        if (answer != TOUCH)
            return answer;
    }
    return close_in(search);
}

static Answer search_in_doubles(Search *search, const imp_ConvexState *state)
{
    recall_witnesses(search, state);
    if (search->simplex.count > 0)
        return try_witnesses(search, state);
    Answer answer = try_separating(search, state);
    return answer == TOUCH ? close_in(search) : answer;
}

// Results and states are written field by field, because they are read again soon, in other widths than a
// copy of the whole would leave them in.
static void begin_result(const Search *search, bool touch, imp_ConvexResult *result)
{
    result->touch = touch;
    result->used_exact = false;
    result->step_count = search->look.step_count;
    result->certificate.touch = touch;
    result->certificate.pair_count = 0;
}

static void copy_vector(const imp_Vec3 *from, imp_Vec3 *to)
{
    to->x = from->x;
    to->y = from->y;
    to->z = from->z;
}

static void prove_separate(Search *search, imp_ConvexResult *result, imp_ConvexState *state)
{
    begin_result(search, false, result);
    copy_vector(&search->look.direction, &result->certificate.direction);
    result->certificate.support = impi_search_vertices(&search->look, &search->look.found);
    copy_vector(&search->look.direction, &state->direction);
    state->witness_count = 0;
}

static void prove_touch(const Search *search, imp_ConvexResult *result, imp_ConvexState *state)
{
    begin_result(search, true, result);
    result->certificate.pair_count = state->witness_count = search->simplex.count;
    for (unsigned i = 0; i < search->simplex.count; ++i)
        result->certificate.pairs[i] = state->witnesses[i] = search->simplex.points[i].pair;
}

static imp_Status prove_exactly(impi_Arena *arena, Search *search, imp_ConvexResult *result,
                                imp_ConvexState *state)
{
    for (unsigned i = 0; i < search->simplex.count; ++i)
        impi_search_resolve(&search->look, &search->simplex.points[i]);
    imp_ConvexResult found;
    imp_Status status =
        impi_convex_decide_exact(arena, search->look.a, search->look.b, &search->simplex, &found);
    if (status != IMP_STATUS_OK)
        return status;
    found.step_count += search->look.step_count;
    *result = found;
    const imp_Certificate *certificate = &found.certificate;
    if (!found.touch)
        state->direction = certificate->direction;
    state->witness_count = found.touch ? certificate->pair_count : 0;
    for (unsigned i = 0; i < state->witness_count; ++i)
        state->witnesses[i] = certificate->pairs[i];
    return IMP_STATUS_OK;
}

imp_Status impi_convex_test(impi_Arena *arena, const impi_Polytope *a, const impi_Polytope *b,
                            imp_ConvexState *state, imp_ConvexResult *result)
{
    Search search;
    search.simplex.count = 0;
    Answer answer = UNDECIDED;
    if (impi_search_begin(&search.look, a, b))
        answer = search_in_doubles(&search, state);
    if (answer == SEPARATE)
        prove_separate(&search, result, state);
    else if (answer == TOUCH)
        prove_touch(&search, result, state);
    else
        return prove_exactly(arena, &search, result, state);
    return IMP_STATUS_OK;
}
