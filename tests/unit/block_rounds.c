// Surfaces of which so many blocks meet that these are looked at in several rounds: nothing is lost between
// two rounds, and nothing is found twice.
#include "object/block_pairs.h"
#include "object/posed_surface.h"
#include "world/world.h"
#include "world_fixture.h"

#include <stdlib.h>

#define SOUP_FACES 300000

// More block pairs than one round takes (block_filter.c).
#define MANY_BLOCK_PAIRS (3 * 65536 / 2)

static int compare(const void *left, const void *right)
{
    return compare_face_pairs(left, right);
}

static void put_face_box(const imp_Mesh *mesh, size_t face, double *row)
{
    imp_Triangle triangle;
    CHECK_INT(imp_mesh_get_triangle(mesh, face, &triangle), IMP_STATUS_OK);
    imp_Box box = {triangle.v[0], triangle.v[0]};
    box_include(&box, &triangle.v[1]);
    box_include(&box, &triangle.v[2]);
    memcpy(row, &box, sizeof box);
}

// The touching faces of two meshes at rest by another way: all pairs of boxes of faces.
static void find_by_boxes(imp_Context *context, const imp_Mesh *a, const imp_Mesh *b, FacePairList *list)
{
    size_t count_a = imp_mesh_get_triangle_count(a), count_b = imp_mesh_get_triangle_count(b), found = 0;
    double *rows = malloc((count_a + count_b) * 6 * sizeof *rows);
    const imp_IndexPair *pairs = NULL;
    for (size_t i = 0; i < count_a + count_b; ++i)
        put_face_box(i < count_a ? a : b, i < count_a ? i : i - count_a, rows + 6 * i);
    imp_BoxArray boxes = {.boxes = rows, .count = count_a + count_b};
    CHECK_INT(imp_pairs_list(context, &boxes, &pairs, &found), IMP_STATUS_OK);
    for (size_t i = 0; i < found; ++i) {
        imp_Triangle one, other;
        bool touch = false;
        if (pairs[i].a >= count_a || pairs[i].b < count_a)
            continue;
        uint32_t face_b = pairs[i].b - (uint32_t)count_a;
        CHECK(imp_mesh_get_triangle(a, pairs[i].a, &one) == IMP_STATUS_OK &&
              imp_mesh_get_triangle(b, face_b, &other) == IMP_STATUS_OK &&
              imp_triangles_touch(&one, &other, &touch) == IMP_STATUS_OK);
        if (touch)
            face_pair_list_add(list, (imp_FacePair){pairs[i].a, face_b});
    }
    if (list->count > 0)
        qsort(list->pairs, list->count, sizeof *list->pairs, compare);
    free(rows);
}

static size_t count_block_pairs(const imp_World *world)
{
    impi_BlockPairs pairs = {0};
    impi_BlockSearch search = {impi_surface_of(&world->bodies.data[0]),
                               impi_surface_of(&world->bodies.data[1]), 0, 0};
    CHECK(impi_block_pairs_find(&world->context->allocator, &search, SIZE_MAX, &pairs));
    size_t count = pairs.count;
    impi_array_free(&world->context->allocator, &pairs, sizeof *pairs.data);
    return count;
}

static void check_faces(const imp_Report *report, const FacePairList *wanted, size_t count)
{
    size_t wrong = 0;
    if (!CHECK_INT(report->face_pair_count, count))
        return;
    for (size_t i = 0; i < count; ++i)
        wrong += report->face_pairs[i].face_a != wanted->pairs[i].face_a ||
                 report->face_pairs[i].face_b != wanted->pairs[i].face_b;
    CHECK_INT(wrong, 0);
}

TEST(two_soups_of_many_blocks)
{
    imp_Context *context = context_with_threads(2);
    imp_World *world = NULL;
    imp_Mesh *soups[2] = {NULL, NULL};
    FacePairList wanted = {0};
    const imp_Report *report = NULL;
    CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_OK);
    for (int i = 0; i < 2; ++i) {
        imp_BodyId body;
        CHECK_INT(scene_soup(context, SOUP_FACES, 0.03, 7 + (uint64_t)i, &soups[i]), IMP_STATUS_OK);
        CHECK_INT(imp_world_add_body(world, &(imp_BodyDef){.mesh = soups[i]}, &body), IMP_STATUS_OK);
    }
    find_by_boxes(context, soups[0], soups[1], &wanted);
    CHECK(wanted.count > 100);
    imp_DetectDef defs[] = {{.ignore_containment = true},
                            {.ignore_containment = true, .max_face_pairs = 50, .count_all = true},
                            {.ignore_containment = true, .method = IMP_METHOD_EXACT_BOXES},
                            {.ignore_containment = true, .budget_us = 86400000000u}};
    for (size_t i = 0; i < sizeof defs / sizeof *defs; ++i) {
        CHECK_INT(imp_world_detect(world, &defs[i], &report), IMP_STATUS_OK);
        CHECK_INT(report->face_pair_total, wanted.count);
        check_faces(report, &wanted, defs[i].max_face_pairs ? (size_t)defs[i].max_face_pairs : wanted.count);
    }
    CHECK(count_block_pairs(world) > MANY_BLOCK_PAIRS);
    imp_DetectDef bodies = {.mode = IMP_DETECT_BODIES};
    CHECK_INT(imp_world_detect(world, &bodies, &report), IMP_STATUS_OK);
    CHECK(report->body_pair_count == 1 && report->body_pairs[0].relations == IMP_RELATION_TOUCH);
    face_pair_list_free(&wanted);
    imp_mesh_release(soups[0]);
    imp_mesh_release(soups[1]);
    imp_world_destroy(world);
    imp_context_destroy(context);
}

// Shells so near to each other that hundreds of blocks meet, but no faces: all rounds are needed to tell.
TEST(near_shells_are_told_apart_in_several_rounds)
{
    Fixture fixture = fixture_make();
    imp_Mesh *shells[2] = {NULL, NULL};
    for (int i = 0; i < 2; ++i)
        CHECK_INT(scene_sphere(fixture.context, 160, 80, i ? 0.999 : 1, &shells[i]), IMP_STATUS_OK);
    add(fixture.world, shells[0], 0);
    imp_BodyId inner = add(fixture.world, shells[1], 0);
    imp_Pose poses[] = {{.translation = {0, 0, 0}}, {.translation = {0, 0, 0.003}}};
    for (int i = 0; i < 2; ++i)
        for (int mode = IMP_DETECT_BODIES; mode <= IMP_DETECT_FIRST; ++mode) {
            const imp_Report *report = NULL;
            imp_DetectDef def = {.mode = (imp_DetectMode)mode};
            CHECK_INT(imp_body_set_pose(fixture.world, inner, poses[i]), IMP_STATUS_OK);
            CHECK_INT(imp_world_detect(fixture.world, &def, &report), IMP_STATUS_OK);
            if (CHECK_INT(report->body_pair_count, 1))
                CHECK_INT(report->body_pairs[0].relations, i ? IMP_RELATION_TOUCH : IMP_RELATION_B_INSIDE_A);
        }
    CHECK(count_block_pairs(fixture.world) > 1000);
    fixture_destroy(&fixture);
}
