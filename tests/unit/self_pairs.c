#include "shape/self_pairs.h"

#include "harness.h"
#include "kit/memory_meter.h"
#include "scenes/shapes.h"

#include <stdlib.h>
#include <string.h>

typedef struct Case {
    const char *what;
    imp_Triangle a, b;
    bool overlap;
} Case;

// clang-format off
static const Case cases[] = {
    {"apart", {{{0,0,0},{1,0,0},{0,1,0}}}, {{{0,0,1},{1,0,1},{0,1,1}}}, false},
    {"pierced", {{{0,0,0},{4,0,0},{0,4,0}}}, {{{1,1,-1},{1,1,1},{9,9,0}}}, true},
    {"no common corner, touching in a point", {{{0,0,0},{4,0,0},{0,4,0}}}, {{{1,1,0},{1,1,1},{2,1,1}}}, true},
    {"the same", {{{0,0,0},{1,0,0},{0,1,0}}}, {{{0,0,0},{1,0,0},{0,1,0}}}, true},
    {"the same, turned over", {{{0,0,0},{1,0,0},{0,1,0}}}, {{{0,1,0},{1,0,0},{0,0,0}}}, true},
    {"a common edge, folded", {{{0,0,0},{1,0,0},{0,1,0}}}, {{{1,0,0},{0,0,0},{0,0,1}}}, false},
    {"a common edge, flat, either side", {{{0,0,0},{1,0,0},{0,1,0}}}, {{{1,0,0},{0,0,0},{0,-1,0}}}, false},
    {"a common edge, flat, same side", {{{0,0,0},{1,0,0},{0,1,0}}}, {{{1,0,0},{0,0,0},{1,1,0}}}, true},
    {"a common edge, in a plane of x", {{{5,0,0},{5,1,0},{5,0,1}}}, {{{5,1,0},{5,0,0},{5,3,2}}}, true},
    {"a common corner only", {{{0,0,0},{1,0,0},{0,1,0}}}, {{{0,0,0},{-1,0,0},{0,-1,0}}}, false},
    {"a common corner only, upright", {{{0,0,0},{1,0,0},{0,1,0}}}, {{{0,0,0},{1,1,1},{2,2,1}}}, false},
    {"a common corner, and pierced", {{{0,0,0},{4,0,0},{0,4,0}}}, {{{0,0,0},{1,1,1},{1,1,-1}}}, true},
    {"a common corner, flat overlap", {{{0,0,0},{4,0,0},{0,4,0}}}, {{{0,0,0},{3,1,0},{1,3,0}}}, true},
    {"a common corner, half an edge", {{{0,0,0},{4,0,0},{0,4,0}}}, {{{0,0,0},{2,0,0},{0,-2,1}}}, true},
    {"minus zero is zero", {{{0,0,0},{1,0,0},{0,1,0}}}, {{{1,-0.0,0},{-0.0,0,-0.0},{0,-1,0}}}, false},
    // Flat triangles.
    {"a flat one on a common edge", {{{0,0,0},{1,0,0},{1,0,0}}}, {{{0,0,0},{1,0,0},{0,1,0}}}, false},
    {"a flat one, its longest side common", {{{0,0,0},{1,0,0},{3,0,0}}}, {{{0,0,0},{3,0,0},{0,1,0}}}, false},
    {"a flat one, a shorter side common", {{{0,0,0},{1,0,0},{3,0,0}}}, {{{0,0,0},{1,0,0},{0,1,0}}}, false},
    {"a flat one, beyond a shorter side", {{{0,0,0},{1,0,0},{3,0,0}}}, {{{0,0,0},{2,0,0},{0,1,0}}}, true},
    {"a flat one across", {{{1,1,-1},{1,1,0},{1,1,1}}}, {{{0,0,0},{4,0,0},{0,4,0}}}, true},
    {"a flat one from a corner inward", {{{0,0,0},{1,1,0},{1,1,0}}}, {{{0,0,0},{4,0,0},{0,4,0}}}, true},
    {"a flat one from a corner outward", {{{0,0,0},{-1,1,0},{-1,1,0}}}, {{{0,0,0},{4,0,0},{0,4,0}}}, false},
    {"a flat one through a corner", {{{-1,-1,0},{0,0,0},{0,0,1}}}, {{{0,0,0},{4,0,0},{0,4,0}}}, false},
    {"a corner that is not its own", {{{-1,0,0},{1,0,0},{1,0,0}}}, {{{0,0,0},{0,4,0},{0,0,4}}}, true},
    {"two flat ones end to end", {{{0,0,0},{1,0,0},{1,0,0}}}, {{{1,0,0},{2,0,0},{2,0,0}}}, false},
    {"two flat ones side by side", {{{0,0,0},{2,0,0},{2,0,0}}}, {{{0,0,0},{1,0,0},{1,0,0}}}, true},
    {"two flat ones, one segment", {{{0,0,0},{1,0,0},{1,0,0}}}, {{{0,0,0},{0,0,0},{1,0,0}}}, false},
    {"two flat ones, other corners inside", {{{0,0,0},{1,0,0},{3,0,0}}}, {{{0,0,0},{2,0,0},{3,0,0}}}, false},
    {"the same flat ones", {{{0,0,0},{1,0,0},{3,0,0}}}, {{{1,0,0},{3,0,0},{0,0,0}}}, true},
    {"a point on a corner", {{{0,0,0},{0,0,0},{0,0,0}}}, {{{0,0,0},{1,0,0},{0,1,0}}}, false},
    {"a point on an edge", {{{1,0,0},{1,0,0},{1,0,0}}}, {{{0,0,0},{2,0,0},{0,2,0}}}, true},
    {"a point elsewhere", {{{1,0,1},{1,0,1},{1,0,1}}}, {{{0,0,0},{2,0,0},{0,2,0}}}, false},
    {"the same points", {{{1,0,0},{1,0,0},{1,0,0}}}, {{{1,0,0},{1,0,0},{1,0,0}}}, true},
};
// clang-format on

static const unsigned orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

static imp_Triangle reordered(const imp_Triangle *t, const unsigned order[3])
{
    return (imp_Triangle){{t->v[order[0]], t->v[order[1]], t->v[order[2]]}};
}

TEST(pairs_by_hand)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        bool held = true;
        for (int j = 0; j < 36; ++j) {
            imp_Triangle a = reordered(&cases[i].a, orders[j / 6]), b = reordered(&cases[i].b, orders[j % 6]);
            held &= impi_triangles_overlap(&a, &b) == cases[i].overlap;
            held &= impi_triangles_overlap(&b, &a) == cases[i].overlap;
        }
        test_check(held, cases[i].what, __FILE__, __LINE__);
    }
}

TEST(a_short_buffer_is_left_alone)
{
    imp_Context *context;
    imp_Mesh *soup = NULL, *box = NULL;
    imp_FacePair pairs[2000], again[2000], short_buffer[3] = {{7, 7}, {7, 7}, {7, 7}};
    size_t count = 0, same = 0;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    scene_soup(context, 60, 0.7, 3, &soup);
    CHECK_INT(imp_mesh_self_pairs(context, soup, NULL, 0, &count), IMP_STATUS_OK);
    CHECK(count > 3 && count < 2000);
    CHECK_INT(imp_mesh_self_pairs(context, soup, short_buffer, 0, &same), IMP_STATUS_BUFFER_SHORT);
    CHECK_INT(same, count);
    CHECK_INT(imp_mesh_self_pairs(context, soup, short_buffer, 3, &same), IMP_STATUS_BUFFER_SHORT);
    CHECK_INT(same, count);
    CHECK_INT(short_buffer[0].face_a, 7);
    CHECK_INT(imp_mesh_self_pairs(context, soup, pairs, count, &same), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_self_pairs(context, soup, again, 2000, &same), IMP_STATUS_OK);
    CHECK_INT(same, count);
    CHECK(memcmp(pairs, again, count * sizeof *pairs) == 0);
    for (size_t i = 0; i < count; ++i) {
        CHECK(pairs[i].face_a < pairs[i].face_b);
        CHECK(i == 0 || pairs[i - 1].face_a < pairs[i].face_a ||
              (pairs[i - 1].face_a == pairs[i].face_a && pairs[i - 1].face_b < pairs[i].face_b));
    }
    scene_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}, &box);
    CHECK_INT(imp_mesh_self_pairs(context, box, NULL, 0, &count), IMP_STATUS_OK);
    CHECK_INT(count, 0);
    imp_mesh_release(soup);
    imp_mesh_release(box);
    imp_context_destroy(context);
}

static imp_Mesh *make_pile(imp_Context *context, uint32_t copies)
{
    imp_Mesh *mesh = NULL;
    const double xyz[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    uint32_t *indices = malloc(3 * copies * sizeof *indices);
    for (uint32_t i = 0; i < 3 * copies; ++i)
        indices[i] = i % 3;
    imp_MeshDef def = {.vertices = xyz, .vertex_count = 3, .indices = indices, .triangle_count = copies};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    free(indices);
    return mesh;
}

// What is kept of faces while they are looked at, boxes above all; scratch memory is had in larger pieces.
#define BYTES_PER_FACE ((size_t)256)

TEST(counting_needs_no_memory_for_pairs)
{
    enum { COPIES = 1500, PAIRS = COPIES * (COPIES - 1) / 2, CAPACITY = 1000 };
    static imp_FacePair pairs[CAPACITY];
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        impi_MemoryMeter meter = {0};
        imp_Context *context;
        imp_ContextDef def = {.allocator = impi_memory_meter_allocator(&meter), .thread_count = threads};
        CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
        imp_Mesh *mesh = make_pile(context, COPIES);
        size_t count = 0, before = atomic_load(&meter.live);
        CHECK_INT(imp_mesh_self_pairs(context, mesh, NULL, 0, &count), IMP_STATUS_OK);
        CHECK_INT(count, PAIRS);
        CHECK(atomic_load(&meter.peak) - before < BYTES_PER_FACE * COPIES);
        // Too short a buffer: no more is kept than has room in it, give or take what threads have at hand.
        CHECK_INT(imp_mesh_self_pairs(context, mesh, pairs, CAPACITY, &count), IMP_STATUS_BUFFER_SHORT);
        CHECK_INT(count, PAIRS);
        CHECK(atomic_load(&meter.peak) - before <
              BYTES_PER_FACE * COPIES + 4 * sizeof *pairs * (CAPACITY + threads * 1024));
        imp_mesh_release(mesh);
        imp_context_destroy(context);
        CHECK_INT(atomic_load(&meter.live), 0);
    }
}

TEST(every_pair_of_a_pile_of_duplicates_is_found)
{
    enum { COPIES = 1100, PAIRS = COPIES * (COPIES - 1) / 2 };
    static imp_FacePair pairs[PAIRS];
    imp_Context *context;
    size_t count = 0;
    CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = 3}, &context), IMP_STATUS_OK);
    imp_Mesh *mesh = make_pile(context, COPIES);
    CHECK_INT(imp_mesh_self_pairs(context, mesh, pairs, PAIRS, &count), IMP_STATUS_OK);
    CHECK_INT(count, PAIRS);
    size_t i = 0;
    bool complete = true;
    for (uint32_t a = 0; a < COPIES; ++a)
        for (uint32_t b = a + 1; b < COPIES; ++b, ++i)
            complete &= pairs[i].face_a == a && pairs[i].face_b == b;
    CHECK(complete);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}
