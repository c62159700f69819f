// imp_segment_touches_triangle against the exact oracle, on the edges of the triangle pairs of every kind.
// Two triangles touch if and only if an edge of one touches the other, so the edges must also agree with
// the verdict on the triangles.
#include "harness.h"
#include "oracle/exact_oracle.h"
#include "oracle/triangle_cases.h"

#include <inttypes.h>
#include <stdio.h>

static struct {
    uint64_t touching[TRIANGLE_KIND_COUNT], apart[TRIANGLE_KIND_COUNT];
    uint64_t points_touching, points_apart;
} tallies;

static void print_segment(const imp_Segment *segment, const TriangleCase *pair)
{
    static int printed;
    if (++printed > 20)
        return;
    for (int i = 0; i < 2; ++i)
        printf("  segment %d {%a, %a, %a}\n", i, segment->v[i].x, segment->v[i].y, segment->v[i].z);
    triangle_case_print(pair);
}

static bool try_segment(const imp_Segment *segment, const imp_Triangle *triangle, const TriangleCase *pair)
{
    bool want = oracle_segment_touches_triangle(segment, triangle), touch = !want, backwards = !want;
    imp_Segment reversed = {{segment->v[1], segment->v[0]}};
    imp_Triangle turned = {{triangle->v[1], triangle->v[2], triangle->v[0]}};
    CHECK_INT(imp_segment_touches_triangle(segment, triangle, &touch), IMP_STATUS_OK);
    CHECK_INT(imp_segment_touches_triangle(&reversed, &turned, &backwards), IMP_STATUS_OK);
    if (!CHECK(touch == want) || !CHECK(backwards == want))
        print_segment(segment, pair);
    return want;
}

static bool try_edges(const imp_Triangle *a, const imp_Triangle *b, const TriangleCase *pair)
{
    bool any = false;
    for (int k = 0; k < 3; ++k) {
        imp_Segment edge = {{a->v[k], a->v[(k + 1) % 3]}};
        bool touch = try_segment(&edge, b, pair);
        ++*(touch ? &tallies.touching[pair->kind] : &tallies.apart[pair->kind]);
        any = any || touch;
    }
    return any;
}

static void try_pair(const TriangleCase *pair)
{
    bool a_edges = try_edges(&pair->a, &pair->b, pair), b_edges = try_edges(&pair->b, &pair->a, pair);
    if (!CHECK((a_edges || b_edges) == oracle_triangles_touch(&pair->a, &pair->b)))
        triangle_case_print(pair);
    imp_Segment point = {{pair->a.v[0], pair->a.v[0]}};
    ++*(try_segment(&point, &pair->b, pair) ? &tallies.points_touching : &tallies.points_apart);
}

static void report(void)
{
    printf("%-22s %10s %10s\n", "kind", "touch", "apart");
    for (int kind = 0; kind < TRIANGLE_KIND_COUNT; ++kind)
        printf("%-22s %10" PRIu64 " %10" PRIu64 "\n", triangle_kinds[kind].name, tallies.touching[kind],
               tallies.apart[kind]);
    printf("%-22s %10" PRIu64 " %10" PRIu64 "\n", "point", tallies.points_touching, tallies.points_apart);
}

TEST(segments_agree_with_the_oracle)
{
    uint64_t total = test_count(16000);
    for (uint64_t i = 0; i < total; ++i) {
        TriangleCase pair = triangle_case_make((TriangleKind)(i % TRIANGLE_KIND_COUNT));
        try_pair(&pair);
    }
    report();
    for (int kind = 0; kind < TRIANGLE_KIND_COUNT; ++kind) {
        // At least one edge touches where the triangles must, at least one stays apart where they may.
        uint64_t count = tallies.touching[kind] + tallies.apart[kind];
        CHECK((double)tallies.touching[kind] >= 0.1 * triangle_kinds[kind].least_touching * (double)count);
        CHECK(triangle_kinds[kind].most_touching == 1 || tallies.apart[kind] * 20 > count);
    }
    CHECK(tallies.points_touching * 20 > total && tallies.points_apart * 20 > total);
}
