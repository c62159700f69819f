// imp_certificate_check on certificates made by hand and at random. Where coordinates are small whole
// numbers, what it should say is computed in plain integers and by the oracle.
#include "failing_allocator.h"
#include "harness.h"
#include "object/certificate_check.h"
#include "oracle/case_numbers.h"
#include "oracle/convex_oracle.h"

#include <impinge/convex.h>

#include <fenv.h>
#include <math.h>
#include <string.h>

static imp_Context *make_context(void)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(&(imp_ContextDef){0}, &context), IMP_STATUS_OK);
    return context;
}

#define UNUSED_VERTEX 8

// Vertex i is at the origin but for `size` along the axes whose bit is set in i. Vertex 8 belongs to no face.
static imp_Convex *make_cube(imp_Context *context, imp_Vec3 size)
{
    static const uint32_t indices[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                         2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    imp_Vec3 vertices[9];
    for (uint32_t i = 0; i < 8; ++i)
        vertices[i] = (imp_Vec3){i & 1 ? size.x : 0, i & 2 ? size.y : 0, i & 4 ? size.z : 0};
    vertices[UNUSED_VERTEX] = (imp_Vec3){size.x / 2, size.y / 2, size.z / 2};
    imp_MeshDef def = {.vertices = &vertices->x, .vertex_count = 9, .indices = indices, .triangle_count = 12};
    imp_Mesh *mesh = NULL;
    imp_Convex *cube = NULL;
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    CHECK_INT(imp_convex_create_from_mesh(context, mesh, &cube), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    return cube;
}

static bool holds(imp_Context *context, const imp_ConvexPair *pair, const imp_Certificate *certificate)
{
    bool is_valid = false;
    CHECK_INT(imp_certificate_check(context, pair, certificate, &is_valid), IMP_STATUS_OK);
    return is_valid;
}

// ---------------------------------------------------------------------------------- against integers

#define MAX_VERTICES 16
#define RANGE        3

typedef struct Int3 {
    int64_t x, y, z;
} Int3;

typedef struct LatticeBody {
    imp_Convex *convex;
    uint32_t count;
    imp_Vec3 points[MAX_VERTICES];
} LatticeBody;

static LatticeBody make_lattice_body(imp_Context *context, imp_Vec3 centre, double range)
{
    LatticeBody body = {0};
    imp_Vec3 points[8];
    do {
        uint32_t count = 4 + test_random_below(5);
        for (uint32_t i = 0; i < count; ++i)
            points[i] = sum(centre, random_lattice_point(range));
        imp_ConvexDef def = {.points = &points->x, .point_count = count};
        if (imp_convex_create(context, &def, &body.convex) != IMP_STATUS_OK)
            body.convex = NULL;
    } while (!body.convex);
    const imp_Mesh *mesh = imp_convex_get_mesh(body.convex);
    body.count = (uint32_t)imp_mesh_get_vertex_count(mesh);
    memcpy(body.points, imp_mesh_get_vertices(mesh), body.count * sizeof *body.points);
    return body;
}

// Small ranges bring many coincidences; `spread` tells how far apart the bodies may be.
static void make_neighbours(imp_Context *context, double spread, LatticeBody *a, LatticeBody *b)
{
    double range = 1 + test_random_below(RANGE);
    *a = make_lattice_body(context, (imp_Vec3){0, 0, 0}, range);
    imp_Vec3 centre = random_lattice_point(spread);
    *b = make_lattice_body(context, centre, range);
}

static Int3 subtract(Int3 a, Int3 b)
{
    return (Int3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static Int3 cross(Int3 a, Int3 b)
{
    return (Int3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static int64_t dot(Int3 a, Int3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Int3 to_int3(imp_Vec3 v)
{
    return (Int3){(int64_t)v.x, (int64_t)v.y, (int64_t)v.z};
}

static Int3 difference(const LatticeBody *a, const LatticeBody *b, imp_VertexPair pair)
{
    return subtract(to_int3(b->points[pair.vertex_b]), to_int3(a->points[pair.vertex_a]));
}

static imp_VertexPair random_vertices(const LatticeBody *a, const LatticeBody *b)
{
    uint32_t vertex_a = test_random_below(a->count), vertex_b = test_random_below(b->count);
    return (imp_VertexPair){vertex_a, vertex_b};
}

static bool touches_by_oracle(const LatticeBody *a, const LatticeBody *b, const imp_Certificate *certificate)
{
    imp_Vec3 origin = {0, 0, 0}, d[IMP_MAX_WITNESSES];
    for (uint32_t i = 0; i < certificate->pair_count; ++i) {
        Int3 whole = difference(a, b, certificate->pairs[i]);
        d[i] = (imp_Vec3){(double)whole.x, (double)whole.y, (double)whole.z};
    }
    return oracle_hulls_touch(&origin, 1, d, certificate->pair_count);
}

static Int3 direction_of(const LatticeBody *a, const LatticeBody *b, const imp_Certificate *certificate)
{
    Int3 d0, d1, d2;
    if (certificate->pair_count == 0)
        return to_int3(certificate->direction);
    d0 = difference(a, b, certificate->pairs[0]);
    if (certificate->pair_count == 1)
        return d0;
    d1 = subtract(difference(a, b, certificate->pairs[1]), d0);
    if (certificate->pair_count == 2)
        return cross(cross(d1, d0), d1);
    d2 = subtract(difference(a, b, certificate->pairs[2]), d0);
    Int3 normal = cross(d1, d2);
    return dot(normal, d0) < 0 ? subtract((Int3){0, 0, 0}, normal) : normal;
}

static uint32_t farthest(const LatticeBody *body, Int3 direction)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < body->count; ++i)
        if (dot(direction, to_int3(body->points[i])) > dot(direction, to_int3(body->points[best])))
            best = i;
    return best;
}

static bool separates_in_integers(const LatticeBody *a, const LatticeBody *b,
                                  const imp_Certificate *certificate)
{
    Int3 w = direction_of(a, b, certificate), back = subtract((Int3){0, 0, 0}, w);
    imp_VertexPair ends = {farthest(a, w), farthest(b, back)};
    return dot(w, difference(a, b, ends)) > 0;
}

// Any vertices will do as supports.
static imp_Certificate random_separation(const LatticeBody *a, const LatticeBody *b)
{
    imp_Certificate certificate = {.pair_count = test_random_below(4)};
    certificate.direction = random_lattice_step(RANGE);
    for (uint32_t i = 0; i < certificate.pair_count; ++i)
        certificate.pairs[i] = random_vertices(a, b);
    certificate.support = random_vertices(a, b);
    return certificate;
}

// Scaling the axes each by a power of two changes no touching certificate; a common one changes none at all.
static imp_Transform random_stretch(bool is_uniform)
{
    imp_Transform transform = {0};
    for (int axis = 0; axis < 3; ++axis) {
        double factor = ldexp(1, (int)test_random_below(2000) - 1000);
        transform.rows[axis][axis] = is_uniform && axis > 0 ? transform.rows[0][0] : factor;
    }
    return transform;
}

static uint64_t tally[5][2]; // by pair_count and verdict

static void compare(imp_Context *context, const LatticeBody *a, const LatticeBody *b,
                    const imp_Certificate *certificate, bool want)
{
    imp_Transform stretch = random_stretch(!certificate->touch);
    imp_ConvexPair plain = {.a = a->convex, .b = b->convex};
    impi_PosedPair stretched = {a->convex, b->convex, &stretch, &stretch};
    bool is_valid = !want;
    CHECK_INT(holds(context, &plain, certificate), want);
    CHECK_INT(impi_certificate_check(context, &stretched, certificate, &is_valid), IMP_STATUS_OK);
    impi_arena_reset(&context->scratch);
    CHECK_INT(is_valid, want);
    ++tally[certificate->pair_count][want];
}

static void check_tally(int first, int last)
{
    for (int count = first; count <= last; ++count)
        CHECK(tally[count][0] > 5 && tally[count][1] > 5);
    memset(tally, 0, sizeof tally);
}

TEST(touching_certificates_agree_with_the_oracle)
{
    imp_Context *context = make_context();
    for (uint64_t i = 0; i < test_count(200); ++i) {
        LatticeBody a, b;
        make_neighbours(context, 1, &a, &b);
        for (int k = 0; k < 50; ++k) {
            imp_Certificate certificate = {.touch = true, .pair_count = 1 + test_random_below(4)};
            for (uint32_t j = 0; j < certificate.pair_count; ++j)
                certificate.pairs[j] = random_vertices(&a, &b);
            compare(context, &a, &b, &certificate, touches_by_oracle(&a, &b, &certificate));
        }
        imp_convex_release(a.convex);
        imp_convex_release(b.convex);
    }
    check_tally(1, 4);
    imp_context_destroy(context);
}

TEST(separating_certificates_agree_with_integers)
{
    imp_Context *context = make_context();
    for (uint64_t i = 0; i < test_count(200); ++i) {
        LatticeBody a, b;
        make_neighbours(context, 2 * RANGE, &a, &b);
        for (int k = 0; k < 50; ++k) {
            imp_Certificate certificate = random_separation(&a, &b);
            compare(context, &a, &b, &certificate, separates_in_integers(&a, &b, &certificate));
        }
        imp_convex_release(a.convex);
        imp_convex_release(b.convex);
    }
    check_tally(0, 3);
    imp_context_destroy(context);
}

// ------------------------------------------------------------------------------------------ by hand

typedef struct Cubes {
    imp_Context *context;
    imp_Convex *cube;
    imp_ConvexPair pair;
} Cubes;

// Two unit cubes, the second one moved.
static void cubes_init(Cubes *cubes, imp_Vec3 translation)
{
    cubes->context = make_context();
    cubes->cube = make_cube(cubes->context, (imp_Vec3){1, 1, 1});
    cubes->pair = (imp_ConvexPair){.a = cubes->cube, .b = cubes->cube, .pose_b.translation = translation};
}

static void cubes_destroy(Cubes *cubes)
{
    imp_convex_release(cubes->cube);
    imp_context_destroy(cubes->context);
}

static const imp_Certificate along_x = {.direction = {1, 0, 0}, .support = {1, 0}};

TEST(one_ulp_makes_the_difference)
{
    static const imp_Certificate corner = {.touch = true, .pair_count = 1, .pairs = {{1, 0}}};
    Cubes cubes;
    cubes_init(&cubes, (imp_Vec3){1, 0, 0});
    CHECK(holds(cubes.context, &cubes.pair, &corner));
    CHECK(!holds(cubes.context, &cubes.pair, &along_x));
    cubes.pair.pose_b.translation.x = nextafter(1, 2);
    CHECK(!holds(cubes.context, &cubes.pair, &corner));
    CHECK(holds(cubes.context, &cubes.pair, &along_x));
    cubes_destroy(&cubes);
}

// A direction so nearly along x that doubles can't tell where the corner at y = 1 lies.
TEST(directions_beyond_doubles_decide)
{
    imp_Certificate certificate = {.direction = {1e300, 1e-300, 0}, .support = {1, 0}};
    Cubes cubes;
    cubes_init(&cubes, (imp_Vec3){1, 1, 0});
    CHECK(!holds(cubes.context, &cubes.pair, &certificate));
    cubes.pair.pose_b.translation.y = nextafter(1, 2);
    CHECK(holds(cubes.context, &cubes.pair, &certificate));
    certificate.direction.y = -1e-300;
    CHECK(!holds(cubes.context, &cubes.pair, &certificate));
    cubes_destroy(&cubes);
}

TEST(magnitudes_may_differ_by_600_decades)
{
    imp_Context *context = make_context();
    imp_Convex *thin = make_cube(context, (imp_Vec3){1e-300, 1, 1e300});
    imp_ConvexPair pair = {.a = thin, .b = thin};
    imp_Certificate plane = {.pair_count = 3, .direction = {1, 0, 0}, .support = {1, 0}};
    plane.pairs[0] = (imp_VertexPair){1, 0};
    plane.pairs[1] = (imp_VertexPair){1, 2};
    plane.pairs[2] = (imp_VertexPair){1, 4};
    imp_Certificate edge = {.pair_count = 2, .direction = {1, 0, 0}, .support = {1, 0}};
    edge.pairs[0] = (imp_VertexPair){1, 0};
    edge.pairs[1] = (imp_VertexPair){1, 4};
    pair.pose_b.translation.x = 1e-300;
    CHECK(!holds(context, &pair, &plane));
    CHECK(!holds(context, &pair, &edge));
    pair.pose_b.translation.x = nextafter(1e-300, 1);
    CHECK(holds(context, &pair, &plane));
    CHECK(holds(context, &pair, &edge));
    imp_convex_release(thin);
    imp_context_destroy(context);
}

TEST(malformed_certificates_are_invalid)
{
    static const double bad[] = {0, NAN, INFINITY, -INFINITY};
    Cubes cubes;
    cubes_init(&cubes, (imp_Vec3){3, 0, 0});
    CHECK(holds(cubes.context, &cubes.pair, &along_x));
    for (int i = 0; i < 4; ++i) {
        imp_Certificate certificate = along_x;
        certificate.direction.x = bad[i];
        CHECK(!holds(cubes.context, &cubes.pair, &certificate));
    }
    static const uint32_t missing[] = {UNUSED_VERTEX, 9, UINT32_MAX};
    for (int i = 0; i < 3; ++i) {
        imp_Certificate certificate = along_x;
        certificate.support.vertex_a = missing[i];
        CHECK(!holds(cubes.context, &cubes.pair, &certificate));
        certificate = along_x;
        certificate.support.vertex_b = missing[i];
        CHECK(!holds(cubes.context, &cubes.pair, &certificate));
        certificate = along_x;
        certificate.pair_count = 1;
        certificate.pairs[0] = (imp_VertexPair){1, missing[i]};
        CHECK(!holds(cubes.context, &cubes.pair, &certificate));
    }
    imp_Certificate counted = along_x;
    for (counted.pair_count = 4; counted.pair_count < 7; ++counted.pair_count)
        CHECK(!holds(cubes.context, &cubes.pair, &counted));
    cubes_destroy(&cubes);
}

TEST(malformed_touching_certificates_are_invalid)
{
    imp_Certificate certificate = {.touch = true, .pair_count = 1};
    Cubes cubes;
    cubes_init(&cubes, (imp_Vec3){0, 0, 0});
    CHECK(holds(cubes.context, &cubes.pair, &certificate));
    static const uint32_t counts[] = {0, 5, UINT32_MAX};
    for (int i = 0; i < 3; ++i) {
        certificate.pair_count = counts[i];
        CHECK(!holds(cubes.context, &cubes.pair, &certificate));
    }
    // The unused vertex is at the same point in both.
    certificate = (imp_Certificate){.touch = true, .pair_count = 1};
    certificate.pairs[0] = (imp_VertexPair){UNUSED_VERTEX, UNUSED_VERTEX};
    CHECK(!holds(cubes.context, &cubes.pair, &certificate));
    cubes_destroy(&cubes);
}

TEST(bad_arguments_are_refused)
{
    Cubes cubes;
    cubes_init(&cubes, (imp_Vec3){3, 0, 0});
    bool is_valid = true;
    imp_ConvexPair lacking[2] = {cubes.pair, cubes.pair};
    lacking[0].a = NULL;
    lacking[1].b = NULL;
    for (int i = 0; i < 2; ++i)
        CHECK_INT(imp_certificate_check(cubes.context, &lacking[i], &along_x, &is_valid),
                  IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_certificate_check(NULL, &cubes.pair, &along_x, &is_valid), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_certificate_check(cubes.context, NULL, &along_x, &is_valid), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_certificate_check(cubes.context, &cubes.pair, NULL, &is_valid), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_certificate_check(cubes.context, &cubes.pair, &along_x, NULL), IMP_STATUS_BAD_ARGUMENT);
    cubes.pair.pose_b.translation.y = INFINITY;
    CHECK_INT(imp_certificate_check(cubes.context, &cubes.pair, &along_x, &is_valid), IMP_STATUS_BAD_NUMBER);
    CHECK(is_valid);
    cubes_destroy(&cubes);
}

// The moved cube begins at 1 when rounded to nearest, and beyond 1 when rounded upward.
TEST(rounding_mode_of_the_host_does_not_matter)
{
    imp_Certificate corner = {.touch = true, .pair_count = 1, .pairs = {{1, 1}}};
    Cubes cubes;
    cubes_init(&cubes, (imp_Vec3){1, 0, 0});
    imp_Convex *tiny = make_cube(cubes.context, (imp_Vec3){0x1p-60, 1, 1});
    cubes.pair.b = tiny;
    CHECK_INT(fesetround(FE_UPWARD), 0);
    bool is_valid = holds(cubes.context, &cubes.pair, &corner);
    CHECK_INT(fegetround(), FE_UPWARD);
    CHECK_INT(fesetround(FE_TONEAREST), 0);
    CHECK(is_valid);
    imp_convex_release(tiny);
    cubes_destroy(&cubes);
}

TEST(running_out_of_memory_is_a_status)
{
    FailingAllocator memory;
    failing_allocator_init(&memory, 0);
    imp_Context *context = NULL;
    imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
    if (!CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK))
        return;
    imp_Convex *cube = make_cube(context, (imp_Vec3){1, 1, 1});
    imp_ConvexPair pair = {.a = cube, .b = cube, .pose_b.translation = {2, 0, 0}};
    uint64_t n = 0;
    bool is_valid;
    imp_Status status;
    do {
        is_valid = false;
        failing_allocator_arm(&memory, ++n);
        status = imp_certificate_check(context, &pair, &along_x, &is_valid);
        CHECK(status == IMP_STATUS_OK ? is_valid : status == IMP_STATUS_OUT_OF_MEMORY && !is_valid);
    } while (failing_allocator_has_failed(&memory) && n < 100);
    CHECK(n < 100);
    failing_allocator_arm(&memory, 0);
    imp_convex_release(cube);
    imp_context_destroy(context);
    CHECK(failing_allocator_is_clean(&memory));
}
