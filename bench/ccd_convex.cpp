// libccd's GJK and MPR. It leaves support vertices to its user, so they are found here in the best way there
// is for it: by climbing over neighbours, from the last vertex or from one that a table gives for the
// direction, whichever is farther. GJK starts in the direction in which the last test ended.
#include "convex_peers.h"

#include <ccd/ccd.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace
{

// Cells of the table: a grid on each face of a cube around the origin.
const int GRID = 4;

struct Table {
    uint32_t vertices[6 * GRID * GRID];
};

struct Shape {
    std::vector<imp_Vec3> vertices;
    std::vector<uint32_t> first_neighbours, neighbours;
};

struct Body {
    Shape shape;
    Table table;
    imp_Transform transform;
};

// One body of a pair.
struct Side {
    const Body *body;
    uint32_t last;
    bool has_last;
};

struct Pair {
    Side a, b;
    imp_Vec3 direction;
    bool has_direction;
};

struct State {
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
};

// libccd hands the two sides over as if they were bodies; the direction belongs to the pair.
thread_local imp_Vec3 last_direction;

double dot(imp_Vec3 a, imp_Vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

int grid_cell(double value, double longest)
{
    int cell = int((value / longest + 1) * (GRID / 2));
    return cell < GRID ? cell : GRID - 1;
}

int table_cell(imp_Vec3 d)
{
    double x = std::fabs(d.x), y = std::fabs(d.y), z = std::fabs(d.z);
    if (x >= y && x >= z)
        return ((d.x < 0) * GRID + grid_cell(d.y, x)) * GRID + grid_cell(d.z, x);
    if (y >= z)
        return ((2 + (d.y < 0)) * GRID + grid_cell(d.x, y)) * GRID + grid_cell(d.z, y);
    return ((4 + (d.z < 0)) * GRID + grid_cell(d.x, z)) * GRID + grid_cell(d.y, z);
}

imp_Vec3 cell_middle(int cell)
{
    double u = (cell / GRID % GRID + 0.5) / (GRID / 2) - 1, v = (cell % GRID + 0.5) / (GRID / 2) - 1;
    double w = cell / (GRID * GRID) % 2 ? -1 : 1;
    int axis = cell / (2 * GRID * GRID);
    return axis == 0 ? imp_Vec3{w, u, v} : axis == 1 ? imp_Vec3{u, w, v} : imp_Vec3{u, v, w};
}

Table make_table(const Shape &shape)
{
    Table table;
    for (int cell = 0; cell < 6 * GRID * GRID; ++cell) {
        imp_Vec3 d = cell_middle(cell);
        uint32_t best = 0;
        for (uint32_t v = 1; v < shape.vertices.size(); ++v)
            best = dot(shape.vertices[v], d) > dot(shape.vertices[best], d) ? v : best;
        table.vertices[cell] = best;
    }
    return table;
}

uint32_t climb(const Shape &shape, uint32_t vertex, double far, imp_Vec3 d)
{
    for (;;) {
        uint32_t best = vertex;
        for (uint32_t i = shape.first_neighbours[vertex]; i < shape.first_neighbours[vertex + 1]; ++i) {
            double value = dot(shape.vertices[shape.neighbours[i]], d);
            if (value > far) {
                far = value;
                best = shape.neighbours[i];
            }
        }
        if (best == vertex)
            return best;
        vertex = best;
    }
}

void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out)
{
    Side *side = static_cast<Side *>(const_cast<void *>(object));
    const Body &body = *side->body;
    const imp_Transform &t = body.transform;
    const double *s = direction->v;
    imp_Vec3 d = {t.rows[0][0] * s[0] + t.rows[1][0] * s[1] + t.rows[2][0] * s[2],
                  t.rows[0][1] * s[0] + t.rows[1][1] * s[1] + t.rows[2][1] * s[2],
                  t.rows[0][2] * s[0] + t.rows[1][2] * s[1] + t.rows[2][2] * s[2]};
    uint32_t start = body.table.vertices[table_cell(d)];
    double far = dot(body.shape.vertices[start], d);
    if (side->has_last) {
        double last_far = dot(body.shape.vertices[side->last], d);
        start = last_far > far ? side->last : start;
        far = last_far > far ? last_far : far;
    }
    side->last = climb(body.shape, start, far, d);
    side->has_last = true;
    imp_Vec3 v = body.shape.vertices[side->last];
    for (int i = 0; i < 3; ++i)
        out->v[i] = t.rows[i][0] * v.x + t.rows[i][1] * v.y + t.rows[i][2] * v.z;
    out->v[0] += t.translation.x;
    out->v[1] += t.translation.y;
    out->v[2] += t.translation.z;
}

void support_first(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out)
{
    last_direction = {direction->v[0], direction->v[1], direction->v[2]};
    support(object, direction, out);
}

void first_direction(const void *, const void *, ccd_vec3_t *direction)
{
    ccdVec3Set(direction, last_direction.x, last_direction.y, last_direction.z);
}

void centre(const void *object, ccd_vec3_t *out)
{
    const imp_Vec3 &t = static_cast<const Side *>(object)->body->transform.translation;
    ccdVec3Set(out, t.x, t.y, t.z);
}

// Each edge of the surface has two triangles, which use it in opposite directions.
Shape make_shape(const ConvexBody &body)
{
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    for (size_t i = 0; i < 3 * body.triangle_count; ++i)
        edges.push_back({body.indices[i], body.indices[i % 3 == 2 ? i - 2 : i + 1]});
    std::sort(edges.begin(), edges.end());
    Shape shape = {{body.vertices, body.vertices + body.vertex_count}, {}, {}};
    for (const auto &edge : edges) {
        shape.first_neighbours.resize(edge.first + 1, uint32_t(shape.neighbours.size()));
        shape.neighbours.push_back(edge.second);
    }
    shape.first_neighbours.push_back(uint32_t(shape.neighbours.size()));
    return shape;
}

void *open_bodies(const ConvexBody *bodies, size_t count)
{
    State *state = new State;
    state->bodies.reserve(count);
    for (size_t i = 0; i < count; ++i) {
        Shape shape = make_shape(bodies[i]);
        Table table = make_table(shape);
        state->bodies.push_back({std::move(shape), table, {}});
    }
    state->pairs.resize(count * count);
    for (size_t a = 0; a < count; ++a)
        for (size_t b = 0; b < count; ++b)
            state->pairs[a * count + b] = {
                {&state->bodies[a], 0, false}, {&state->bodies[b], 0, false}, {}, false};
    return state;
}

void close_bodies(void *state)
{
    delete static_cast<State *>(state);
}

void pose(void *argument, const imp_Pose *, const imp_Transform *transforms)
{
    State *state = static_cast<State *>(argument);
    for (size_t i = 0; i < state->bodies.size(); ++i)
        state->bodies[i].transform = transforms[i];
}

void forget(void *argument, imp_IndexPair pair)
{
    State *state = static_cast<State *>(argument);
    Pair &kept = state->pairs[convex_pair_slot(pair, state->bodies.size())];
    kept.a.has_last = kept.b.has_last = kept.has_direction = false;
}

// More than any test needs: libccd's own default is without end.
const unsigned long MAX_ITERATIONS = 500;

ccd_t settings()
{
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.first_dir = first_direction;
    ccd.support1 = support_first;
    ccd.support2 = support;
    ccd.center1 = ccd.center2 = centre;
    ccd.max_iterations = MAX_ITERATIONS;
    ccd.mpr_tolerance = 1e-9;
    return ccd;
}

void test_gjk(void *argument, const imp_IndexPair *pairs, size_t count, bool *touch)
{
    State *state = static_cast<State *>(argument);
    ccd_t ccd = settings();
    for (size_t i = 0; i < count; ++i) {
        Pair &pair = state->pairs[convex_pair_slot(pairs[i], state->bodies.size())];
        const imp_Vec3 &a = pair.a.body->transform.translation, &b = pair.b.body->transform.translation;
        last_direction = pair.has_direction ? pair.direction : imp_Vec3{b.x - a.x, b.y - a.y, b.z - a.z};
        touch[i] = ccdGJKIntersect(&pair.a, &pair.b, &ccd) != 0;
        pair.has_direction = !touch[i];
        pair.direction = last_direction;
    }
}

void test_mpr(void *argument, const imp_IndexPair *pairs, size_t count, bool *touch)
{
    State *state = static_cast<State *>(argument);
    ccd_t ccd = settings();
    ccd.support1 = support;
    for (size_t i = 0; i < count; ++i) {
        Pair &pair = state->pairs[convex_pair_slot(pairs[i], state->bodies.size())];
        touch[i] = ccdMPRIntersect(&pair.a, &pair.b, &ccd) != 0;
    }
}

} // namespace

extern "C" const ConvexPeer ccd_gjk_convex = {"libccd-gjk", open_bodies, close_bodies,
                                              pose,         forget,      test_gjk};
extern "C" const ConvexPeer ccd_mpr_convex = {"libccd-mpr", open_bodies, close_bodies,
                                              pose,         forget,      test_mpr};
