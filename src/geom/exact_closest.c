// The guess is right nearly always, and the signs that prove it are taken in integers. Where it is wrong, all
// pairs of parts are gone through: those of the closest points are among them.
//
// Where others may be as near, the direction w between the closest points is known. Only vertices that lie
// farthest along it (of a) or least far (of b) can bear closest points; along w, what they span is seen as
// two points, segments or triangles in a plane, and the closest points are those that cover each other there.
#include "geom/exact_closest.h"

#include <assert.h>

#define WORDS         IMPI_PAIR_MAX_WORDS
#define ALWAYS_INLINE IMPI_ALWAYS_INLINE

// --------------------------------------------------------------------------------------- one of them

typedef struct Search {
    const impi_GridPair *grid;
    impi_ExactLength *length;
    impi_PartPair found;
    impi_Nearness nearness;
} Search;

static bool look_at(Search *search, impi_Part a, impi_Part b)
{
    search->found = (impi_PartPair){{a, b}};
    search->nearness = impi_exact_nearness(search->grid, &search->found, search->length);
    return search->nearness != IMPI_NOT_NEAREST;
}

static bool look_at_features(Search *search, imp_Feature a, imp_Feature b)
{
    int count_a = a == IMP_FEATURE_FACE ? 1 : 3, count_b = b == IMP_FEATURE_FACE ? 1 : 3;
    for (int i = 0; i < count_a; ++i)
        for (int j = 0; j < count_b; ++j)
            if (look_at(search, (impi_Part){a, i}, (impi_Part){b, j}))
                return true;
    return false;
}

impi_PartPair impi_exact_shortest(const impi_GridPair *grid, const impi_PartPair *guess, bool *is_alone,
                                  impi_ExactLength *length)
{
    Search search = {.grid = grid, .length = length};
    bool found = look_at(&search, guess->of[0], guess->of[1]) ||
                 look_at_features(&search, IMP_FEATURE_VERTEX, IMP_FEATURE_FACE) ||
                 look_at_features(&search, IMP_FEATURE_FACE, IMP_FEATURE_VERTEX) ||
                 look_at_features(&search, IMP_FEATURE_EDGE, IMP_FEATURE_EDGE) ||
                 look_at_features(&search, IMP_FEATURE_VERTEX, IMP_FEATURE_EDGE) ||
                 look_at_features(&search, IMP_FEATURE_EDGE, IMP_FEATURE_VERTEX) ||
                 look_at_features(&search, IMP_FEATURE_VERTEX, IMP_FEATURE_VERTEX);
    assert(found); // or they touch
    (void)found;
    *is_alone = search.nearness == IMPI_ALONE_NEAREST;
    return search.found;
}

// -------------------------------------------------------------------------------------- all of them

typedef struct Ties {
    const impi_GridPair *grid;
    uint64_t direction[9 * WORDS]; // between closest points, a vector of three times the words
    bool bears[6];                 // may the vertex be one of a part that has closest points?
} Ties;

static void widen(int from, int to, uint64_t *out, const uint64_t *vector)
{
    for (int axis = 0; axis < 3; ++axis)
        for (int i = 0; i < to; ++i) {
            uint64_t sign = vector[axis * from + from - 1] >> 63 ? UINT64_MAX : 0;
            out[axis * to + i] = i < from ? vector[axis * from + i] : sign;
        }
}

static ALWAYS_INLINE void edge_between(int n, const impi_GridPair *grid, int from, int to, uint64_t *out)
{
    impi_grid_subtract(n, out, grid->vertices[to], grid->vertices[from]);
}

// From the edge to the vertex.
static void direction_to_edge(const impi_GridPair *grid, int vertex, int begin, uint64_t *out)
{
    int n = impi_grid_words(grid);
    uint64_t e[3 * WORDS], d[3 * WORDS], moment[6 * WORDS];
    edge_between(n, grid, begin, impi_next_vertex(begin), e);
    edge_between(n, grid, begin, vertex, d);
    impi_grid_cross(2 * n, n, n, moment, e, d);
    impi_grid_cross(3 * n, 2 * n, n, out, moment, e);
}

static void find_direction(const impi_GridPair *grid, const impi_PartPair *parts, uint64_t *out)
{
    int n = impi_grid_words(grid), a = impi_part_begin(parts->of[0], 0), b = impi_part_begin(parts->of[1], 1);
    imp_Feature feature_a = parts->of[0].feature, feature_b = parts->of[1].feature;
    uint64_t e[3 * WORDS], f[3 * WORDS], normal[6 * WORDS];
    if (feature_a == IMP_FEATURE_VERTEX && feature_b == IMP_FEATURE_VERTEX) {
        edge_between(n, grid, a, b, e);
        widen(n, 3 * n, out, e);
        return;
    }
    if (feature_a == IMP_FEATURE_VERTEX && feature_b == IMP_FEATURE_EDGE) {
        direction_to_edge(grid, a, b, out);
        return;
    }
    if (feature_a == IMP_FEATURE_EDGE && feature_b == IMP_FEATURE_VERTEX) {
        direction_to_edge(grid, b, a, out);
        return;
    }
    bool is_face_b = feature_b == IMP_FEATURE_FACE;
    int second = feature_a == IMP_FEATURE_FACE ? 1 : is_face_b ? 4 : b;
    edge_between(n, grid, is_face_b ? b : a, impi_next_vertex(is_face_b ? b : a), e);
    edge_between(n, grid, second, impi_next_vertex(second), f);
    impi_grid_cross(2 * n, n, n, normal, e, f);
    widen(2 * n, 3 * n, out, normal);
}

// A vertex bears closest points if it lies as far along the direction as those that are known to.
static void find_bearers(Ties *ties, const impi_PartPair *parts)
{
    int n = impi_grid_words(ties->grid);
    uint64_t e[3 * WORDS];
    for (int i = 0; i < 6; ++i) {
        edge_between(n, ties->grid, impi_part_begin(parts->of[i / 3], i / 3), i, e);
        ties->bears[i] = impi_grid_dot_sign(4 * n, 3 * n, n, ties->direction, e) == 0;
    }
}

// On which side of the line from..to a point is, seen along the direction.
static ALWAYS_INLINE int seen_side(int n, const Ties *ties, int from, int to, int point)
{
    uint64_t e[3 * WORDS], d[3 * WORDS], moment[6 * WORDS];
    edge_between(n, ties->grid, from, to, e);
    edge_between(n, ties->grid, from, point, d);
    impi_grid_cross(2 * n, n, n, moment, e, d);
    return impi_grid_dot_sign(5 * n, 2 * n, 3 * n, moment, ties->direction);
}

static ALWAYS_INLINE bool covers_vertex(int n, const Ties *ties, int a, int b)
{
    uint64_t d[3 * WORDS], moment[12 * WORDS];
    edge_between(n, ties->grid, a, b, d);
    impi_grid_cross(4 * n, n, 3 * n, moment, d, ties->direction);
    uint64_t any = 0;
    for (int i = 0; i < 12 * n; ++i)
        any |= moment[i];
    return any == 0;
}

// The edge is at right angles to the direction, so that lengths along it are seen as they are.
static ALWAYS_INLINE bool covers_inside_edge(int n, const Ties *ties, int vertex, int begin)
{
    int end = impi_next_vertex(begin);
    uint64_t e[3 * WORDS], d[3 * WORDS];
    edge_between(n, ties->grid, begin, end, e);
    edge_between(n, ties->grid, begin, vertex, d);
    if (impi_grid_dot_sign(2 * n, n, n, e, d) <= 0)
        return false;
    edge_between(n, ties->grid, vertex, end, d);
    return impi_grid_dot_sign(2 * n, n, n, e, d) > 0 && seen_side(n, ties, begin, end, vertex) == 0;
}

static ALWAYS_INLINE bool covers_inside_face(int n, const Ties *ties, int vertex, int side)
{
    int first = 3 * side, turn = seen_side(n, ties, first, first + 1, vertex);
    return turn != 0 && seen_side(n, ties, first + 1, first + 2, vertex) == turn &&
           seen_side(n, ties, first + 2, first, vertex) == turn;
}

static ALWAYS_INLINE bool crosses(int n, const Ties *ties, int a, int b)
{
    int end_a = impi_next_vertex(a), end_b = impi_next_vertex(b);
    return seen_side(n, ties, a, end_a, b) * seen_side(n, ties, a, end_a, end_b) < 0 &&
           seen_side(n, ties, b, end_b, a) * seen_side(n, ties, b, end_b, end_a) < 0;
}

static bool bears_part(const Ties *ties, impi_Part part, int side)
{
    int begin = impi_part_begin(part, side), next = impi_next_vertex(begin);
    bool bears = ties->bears[begin] && (part.feature == IMP_FEATURE_VERTEX || ties->bears[next]);
    return bears && (part.feature != IMP_FEATURE_FACE || ties->bears[impi_next_vertex(next)]);
}

static ALWAYS_INLINE bool have_closest_points(int n, const void *context, const impi_PartPair *parts)
{
    const Ties *ties = context;
    imp_Feature feature_a = parts->of[0].feature, feature_b = parts->of[1].feature;
    int a = impi_part_begin(parts->of[0], 0), b = impi_part_begin(parts->of[1], 1);
    if (!bears_part(ties, parts->of[0], 0) || !bears_part(ties, parts->of[1], 1))
        return false;
    if (feature_a == IMP_FEATURE_VERTEX)
        return feature_b == IMP_FEATURE_VERTEX ? covers_vertex(n, ties, a, b)
               : feature_b == IMP_FEATURE_EDGE ? covers_inside_edge(n, ties, a, b)
                                               : covers_inside_face(n, ties, a, 1);
    if (feature_b == IMP_FEATURE_VERTEX)
        return feature_a == IMP_FEATURE_EDGE ? covers_inside_edge(n, ties, b, a)
                                             : covers_inside_face(n, ties, b, 0);
    return feature_a == IMP_FEATURE_EDGE && feature_b == IMP_FEATURE_EDGE && crosses(n, ties, a, b);
}

static bool have_closest_points_of_one_word(const void *context, const impi_PartPair *parts)
{
    return have_closest_points(1, context, parts);
}

static bool have_closest_points_of_two_words(const void *context, const impi_PartPair *parts)
{
    return have_closest_points(2, context, parts);
}

static bool have_closest_points_of_many_words(const void *context, const impi_PartPair *parts)
{
    return have_closest_points(impi_grid_words(((const Ties *)context)->grid), context, parts);
}

impi_PartPair impi_exact_closest(const impi_GridPair *grid, const impi_PartPair *guess,
                                 impi_ExactLength *length)
{
    bool is_alone;
    impi_PartPair parts = impi_exact_shortest(grid, guess, &is_alone, length), chosen;
    if (is_alone)
        return parts;
    Ties ties;
    ties.grid = grid;
    find_direction(ties.grid, &parts, ties.direction);
    find_bearers(&ties, &parts);
    impi_PartsFn qualifies = grid->words == 1   ? have_closest_points_of_one_word
                             : grid->words == 2 ? have_closest_points_of_two_words
                                                : have_closest_points_of_many_words;
    bool found = impi_choose_parts(grid->triangles[0], grid->triangles[1], qualifies, &ties, &chosen);
    assert(found);
    (void)found;
    impi_Nearness nearness = impi_exact_nearness(ties.grid, &chosen, length);
    assert(nearness != IMPI_NOT_NEAREST);
    (void)nearness;
    return chosen;
}
