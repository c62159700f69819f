// Chung & Wang 1996, complete: the search of 2.2, support vertices by local search (2.3) from the table (2.4)
// or through the hierarchy (5), the existence test of 4.2, recurrences and termination of 4.3, and what is
// cached from frame to frame.
//
// Where the paper leaves something open, or its code cannot be meant as printed:
// - w is not defined in the first step; it is r then, the only point so far. (Nothing is decided by it.)
// - r is not defined when the support vertices coincide. The bodies touch there and S parts them: separate.
// - Any line of 4.2 will do; the one in the middle between the outermost is taken.
// - Centroids are the centres of the bodies' bounding boxes, which are at hand.
// - Whether a pair of vertices came before is looked up in the list of all pairs of the search, which 4.2
//   walks through anyway, not in a table of all pairs of vertices.
// - The number of steps is bounded. When the bound is reached, nothing is said about the bodies.
//
// Cost: of order k (k + visited vertices), for k steps.
#include "chung_wang_separating_vector.h"

#include "geom/pose.h"
#include "geom/vector.h"

#include <math.h>

// Shorter projections of unit vectors are their rounding errors.
#define SHORTEST_PROJECTION 1e-14

// The middle of opposite unit vectors is what rounding leaves of it.
#define SHORTEST_MIDDLE 1e-8

typedef struct Search {
    const ChungWangPair *pair;
    const ChungWangHierarchies *hierarchies;
    imp_Vec3 s;                        // the direction looked along
    imp_Vec3 w;                        // all r lie on its side
    imp_VertexPair found;              // support vertices along s
    imp_Vec3 r[CHUNG_WANG_STEP_LIMIT]; // of unit length
    imp_VertexPair visited[CHUNG_WANG_STEP_LIMIT];
    uint32_t visited_count;
    bool was_reset; // s is w, because a pair came again
    ChungWangAnswer answer;
} Search;

static imp_Vec3 normalised(imp_Vec3 v)
{
    double length = sqrt(impi_dot(v, v));
    return length > 0 ? impi_scale(v, 1 / length) : v;
}

// ---------------------------------------------------------------------------------- support vertices

// The rotation's columns times a direction: what it is in the body's own frame.
static imp_Vec3 turned_back(const imp_Transform *t, imp_Vec3 v)
{
    return (imp_Vec3){t->rows[0][0] * v.x + t->rows[1][0] * v.y + t->rows[2][0] * v.z,
                      t->rows[0][1] * v.x + t->rows[1][1] * v.y + t->rows[2][1] * v.z,
                      t->rows[0][2] * v.x + t->rows[1][2] * v.y + t->rows[2][2] * v.z};
}

static uint32_t find_support(Search *search, const ChungWangBody *body, const ChungWangHierarchy *hierarchy,
                             uint32_t start, imp_Vec3 direction)
{
    if (!hierarchy)
        return chung_wang_climb(body, start, direction, &search->answer.visit_count);
    uint32_t visit_count = 0;
    uint32_t vertex = chung_wang_hierarchy_support(hierarchy, direction, &visit_count);
    search->answer.visit_count += visit_count;
    return vertex;
}

// The paper's m: support vertex of b minus that of a, in the world.
static imp_Vec3 look_along_s(Search *search)
{
    const ChungWangPair *pair = search->pair;
    const ChungWangHierarchies *h = search->hierarchies;
    imp_VertexPair *found = &search->found;
    found->vertex_a = find_support(search, pair->a, h ? h->a : NULL, found->vertex_a,
                                   turned_back(pair->transform_a, search->s));
    found->vertex_b = find_support(search, pair->b, h ? h->b : NULL, found->vertex_b,
                                   turned_back(pair->transform_b, impi_scale(search->s, -1)));
    imp_Vec3 a = impi_transform_apply(pair->transform_a,
                                      imp_mesh_get_vertices(pair->a->convex->mesh)[found->vertex_a]);
    imp_Vec3 b = impi_transform_apply(pair->transform_b,
                                      imp_mesh_get_vertices(pair->b->convex->mesh)[found->vertex_b]);
    return impi_subtract(b, a);
}

// ------------------------------------------------------------------- is there a separating plane (4.2)?

// Directions in a plane, all within half a turn: from `first` counter-clockwise to `last`.
typedef struct Wedge {
    enum { WEDGE_EMPTY, WEDGE_LINE, WEDGE_SOME } kind; // a line: two opposite directions, the side is open
    imp_Vec2 first, last;
} Wedge;

static double cross2(imp_Vec2 a, imp_Vec2 b)
{
    return a.x * b.y - a.y * b.x;
}

static imp_Vec2 opposite(imp_Vec2 v)
{
    return (imp_Vec2){-v.x, -v.y};
}

// False when the directions fit into no half turn any more.
static bool wedge_add(Wedge *wedge, imp_Vec2 p)
{
    double from_first = cross2(wedge->first, p), from_last = cross2(wedge->last, p);
    bool is_opposite = wedge->first.x * p.x + wedge->first.y * p.y < 0;
    if (wedge->kind == WEDGE_EMPTY) {
        *wedge = (Wedge){WEDGE_SOME, p, p};
    } else if (wedge->kind == WEDGE_LINE) {
        if (from_first > 0)
            *wedge = (Wedge){WEDGE_SOME, wedge->first, opposite(wedge->first)};
        else if (from_first < 0)
            *wedge = (Wedge){WEDGE_SOME, opposite(wedge->first), wedge->first};
    } else if (from_first == 0 && from_last == 0 && is_opposite && cross2(wedge->first, wedge->last) == 0) {
        bool is_ray = wedge->first.x * wedge->last.x + wedge->first.y * wedge->last.y > 0;
        wedge->kind = is_ray ? WEDGE_LINE : WEDGE_SOME;
    } else if (from_first >= 0 && from_last > 0) {
        wedge->last = p;
    } else if (from_first < 0 && from_last <= 0) {
        wedge->first = p;
    } else if (from_first < 0) {
        return false;
    }
    return true;
}

// The direction in the middle, at no more than a quarter turn from all others.
static imp_Vec2 wedge_middle(const Wedge *wedge)
{
    imp_Vec2 a = wedge->first, b = wedge->last, left = {-a.y, a.x};
    if (wedge->kind == WEDGE_EMPTY)
        return (imp_Vec2){1, 0};
    if (wedge->kind == WEDGE_LINE)
        return left;
    double scale_a = 1 / hypot(a.x, a.y), scale_b = 1 / hypot(b.x, b.y);
    imp_Vec2 middle = {a.x * scale_a + b.x * scale_b, a.y * scale_a + b.y * scale_b};
    return hypot(middle.x, middle.y) > SHORTEST_PROJECTION ? middle : left;
}

// Two unit vectors that make a right-handed frame with a third.
static void make_frame(imp_Vec3 unit, imp_Vec3 *x, imp_Vec3 *y)
{
    imp_Vec3 any = fabs(unit.x) < 0.6 ? (imp_Vec3){1, 0, 0} : (imp_Vec3){0, 1, 0};
    *x = normalised(impi_cross(unit, any));
    *y = impi_cross(unit, *x);
}

// A new w perpendicular to the newest r, such that no r lies behind its plane. False when there is none.
static bool find_separating_plane(Search *search)
{
    imp_Vec3 newest = search->r[search->visited_count - 1], x, y;
    Wedge wedge = {.kind = WEDGE_EMPTY};
    make_frame(newest, &x, &y);
    for (uint32_t i = 0; i + 1 < search->visited_count; ++i) {
        imp_Vec2 p = {impi_dot(search->r[i], x), impi_dot(search->r[i], y)};
        if (hypot(p.x, p.y) > SHORTEST_PROJECTION && !wedge_add(&wedge, p))
            return false;
    }
    imp_Vec2 middle = wedge_middle(&wedge);
    search->w = normalised(impi_add_scaled(impi_scale(x, middle.x), middle.y, y));
    return true;
}

// Keep w on the side of all r, with the newest among them.
static bool update_w(Search *search)
{
    uint32_t count = search->visited_count;
    imp_Vec3 newest = search->r[count - 1];
    if (count == 1) {
        search->w = newest;
        return true;
    }
    imp_Vec3 middle = impi_add_scaled(newest, 1, search->r[0]);
    if (count == 2 && impi_dot(middle, middle) > SHORTEST_MIDDLE * SHORTEST_MIDDLE) {
        search->w = normalised(middle);
        return true;
    }
    return (count > 2 && impi_dot(search->w, newest) >= 0) || find_separating_plane(search);
}

// --------------------------------------------------------------------------------------- the search

static void begin(Search *search, const ChungWangCache *cache)
{
    // cppcheck-suppress ctuuninitvar; what is not set yet is not read
    const ChungWangPair *pair = search->pair;
    if (cache && cache->is_known) {
        search->s = cache->direction;
        search->found = (imp_VertexPair){cache->vertex_a, cache->vertex_b};
        return;
    }
    imp_Vec3 a = impi_transform_apply(pair->transform_a, pair->a->convex->support.centre);
    imp_Vec3 b = impi_transform_apply(pair->transform_b, pair->b->convex->support.centre);
    imp_Vec3 s = normalised(impi_subtract(b, a));
    search->s = impi_dot(s, s) > 0 ? s : (imp_Vec3){1, 0, 0};
    search->found = (imp_VertexPair){
        chung_wang_start(pair->a, turned_back(pair->transform_a, search->s)),
        chung_wang_start(pair->b, turned_back(pair->transform_b, impi_scale(search->s, -1)))};
}

static bool is_same_pair(imp_VertexPair a, imp_VertexPair b)
{
    return a.vertex_a == b.vertex_a && a.vertex_b == b.vertex_b;
}

static bool was_visited(const Search *search)
{
    for (uint32_t i = 0; i < search->visited_count; ++i)
        if (is_same_pair(search->visited[i], search->found))
            return true;
    return false;
}

// One step; undecided means that there is another one.
static ChungWangVerdict take_step(Search *search)
{
    imp_VertexPair last = search->found;
    bool is_first = search->answer.step_count++ == 0;
    imp_Vec3 m = look_along_s(search);
    imp_Vec3 r = normalised(m);
    double along_s = impi_dot(search->s, r);
    if (along_s >= 0) // lemma 1; also where m is zero
        return CHUNG_WANG_SEPARATE;
    if (was_visited(search)) {
        // Lemmas 3 and 4: without rounding the product above would have been positive.
        if ((!is_first && is_same_pair(last, search->found)) || search->was_reset)
            return CHUNG_WANG_SEPARATE;
        search->answer.has_recurred = true;
        search->was_reset = true;
        search->s = search->w;
        return CHUNG_WANG_UNDECIDED;
    }
    search->r[search->visited_count] = r;
    search->visited[search->visited_count++] = search->found;
    if (!update_w(search))
        return CHUNG_WANG_COLLIDING;
    search->was_reset = false;
    search->s = normalised(impi_add_scaled(search->s, -2 * along_s, r)); // equation 2
    return CHUNG_WANG_UNDECIDED;
}

ChungWangAnswer chung_wang_test(const ChungWangPair *pair, ChungWangCache *cache,
                                const ChungWangHierarchies *hierarchies)
{
    Search search;
    search.pair = pair;
    search.hierarchies = hierarchies;
    search.visited_count = 0;
    search.was_reset = false;
    search.answer = (ChungWangAnswer){.verdict = CHUNG_WANG_UNDECIDED};
    begin(&search, cache);
    while (search.answer.verdict == CHUNG_WANG_UNDECIDED && search.answer.step_count < CHUNG_WANG_STEP_LIMIT)
        search.answer.verdict = take_step(&search);
    if (cache && search.answer.verdict == CHUNG_WANG_SEPARATE)
        *cache = (ChungWangCache){true, search.s, search.found.vertex_a, search.found.vertex_b};
    return search.answer;
}
