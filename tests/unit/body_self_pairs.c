// Faces of one body that touch each other, against a mesh of the body's vertices.
#include "failing_allocator.h"
#include "world_fixture.h"

#include <math.h>

#define MOST 60000

static imp_FacePair pairs[MOST], wanted[MOST];

// Compare a body with a mesh of these vertices and the faces of `mesh`. Returns the number of pairs.
static size_t check_pairs(const Fixture *fixture, imp_BodyId body, const imp_Mesh *mesh,
                          const imp_Vec3 *vertices)
{
    imp_MeshDef def = {.vertices = &vertices->x,
                       .vertex_count = imp_mesh_get_vertex_count(mesh),
                       .indices = imp_mesh_get_indices(mesh),
                       .triangle_count = imp_mesh_get_triangle_count(mesh)};
    imp_Mesh *same = NULL;
    size_t count = 0, wanted_count = 0, only_counted = 0;
    CHECK_INT(imp_mesh_create(fixture->context, &def, &same), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_self_pairs(fixture->context, same, wanted, MOST, &wanted_count), IMP_STATUS_OK);
    CHECK_INT(imp_body_self_pairs(fixture->world, body, pairs, MOST, &count), IMP_STATUS_OK);
    CHECK_INT(count, wanted_count);
    CHECK(count == 0 || memcmp(pairs, wanted, count * sizeof *pairs) == 0);
    CHECK_INT(imp_body_self_pairs(fixture->world, body, NULL, 0, &only_counted), IMP_STATUS_OK);
    CHECK_INT(only_counted, count);
    if (count > 1) {
        only_counted = 0;
        CHECK_INT(imp_body_self_pairs(fixture->world, body, pairs, count - 1, &only_counted),
                  IMP_STATUS_BUFFER_SHORT);
        CHECK_INT(only_counted, count);
    }
    imp_mesh_release(same);
    return count;
}

TEST(pairs_are_those_of_the_current_vertices)
{
    Fixture fixture = fixture_make();
    imp_Mesh *ball = sphere(fixture.context, 1);
    size_t vertex_count = imp_mesh_get_vertex_count(ball), crossed = 0, clean = 0;
    imp_Vec3 *vertices = malloc(vertex_count * sizeof *vertices);
    imp_BodyId body = add(fixture.world, imp_mesh_retain(ball), 5);
    CHECK_INT(check_pairs(&fixture, body, ball, imp_mesh_get_vertices(ball)), 0);
    for (int n = 0; n < 40; ++n) {
        double torn = n % 4 == 0 ? 0 : 0.4, far = ldexp(1, 20 * (n % 3));
        for (size_t i = 0; i < vertex_count; ++i) {
            imp_Vec3 v = imp_mesh_get_vertices(ball)[i];
            vertices[i] = (imp_Vec3){far + 2 * v.x + test_random_between(-torn, torn), v.y,
                                     n % 5 == 4 ? 0 : v.z + test_random_between(-torn, torn)};
        }
        CHECK_INT(imp_body_set_vertices(fixture.world, body, &vertices->x, vertex_count), IMP_STATUS_OK);
        size_t count = check_pairs(&fixture, body, ball, vertices);
        crossed += count > 0;
        clean += count == 0;
    }
    CHECK(crossed > 10 && clean > 5);
    CHECK_INT(imp_body_set_vertices(fixture.world, body, NULL, 0), IMP_STATUS_OK);
    CHECK_INT(check_pairs(&fixture, body, ball, imp_mesh_get_vertices(ball)), 0);
    free(vertices);
    imp_mesh_release(ball);
    fixture_destroy(&fixture);
}

TEST(vertices_that_no_face_uses_change_nothing)
{
    static const double corners[][3] = {{0, 0, 0}, {1e30, 1, 1}, {1, 0, 0}, {0, 1, 0},
                                        {0, 0, 1}, {1, 0, 1},    {0, 1, 1}};
    static const uint32_t faces[] = {0, 2, 3, 4, 5, 6};
    Fixture fixture = fixture_make();
    imp_Mesh *mesh = NULL;
    imp_Vec3 vertices[7];
    imp_MeshDef def = {.vertices = &corners[0][0], .vertex_count = 7, .indices = faces, .triangle_count = 2};
    CHECK_INT(imp_mesh_create(fixture.context, &def, &mesh), IMP_STATUS_OK);
    imp_BodyId body = add(fixture.world, imp_mesh_retain(mesh), 0);
    memcpy(vertices, corners, sizeof vertices);
    CHECK_INT(check_pairs(&fixture, body, mesh, vertices), 0);
    vertices[4].z = -1; // through the other face
    CHECK_INT(imp_body_set_vertices(fixture.world, body, &vertices->x, 7), IMP_STATUS_OK);
    CHECK_INT(check_pairs(&fixture, body, mesh, vertices), 1);
    imp_mesh_release(mesh);
    fixture_destroy(&fixture);
}

TEST(a_convex_body_has_a_clean_surface)
{
    Fixture fixture = fixture_make();
    imp_Mesh *box = cube(fixture.context, 1);
    imp_Convex *convex = NULL;
    imp_BodyId body;
    size_t count = 77;
    CHECK_INT(imp_convex_create_from_mesh(fixture.context, box, &convex), IMP_STATUS_OK);
    CHECK_INT(imp_world_add_body(fixture.world, &(imp_BodyDef){.convex = convex}, &body), IMP_STATUS_OK);
    CHECK_INT(imp_body_self_pairs(fixture.world, body, NULL, 0, &count), IMP_STATUS_OK);
    CHECK_INT(count, 0);
    imp_convex_release(convex);
    imp_mesh_release(box);
    fixture_destroy(&fixture);
}

TEST(refusals_and_a_report_that_stays)
{
    Fixture fixture = fixture_make();
    imp_BodyId body = add(fixture.world, sphere(fixture.context, 1), 0), gone = body;
    add(fixture.world, sphere(fixture.context, 1), 0.5);
    const imp_Report *report = detect(fixture.world);
    size_t face_count = report->face_pair_count, count = 77;
    imp_TouchingFaces *kept = malloc(face_count * sizeof *kept);
    memcpy(kept, report->face_pairs, face_count * sizeof *kept);
    gone.generation += 1;
    CHECK_INT(imp_body_self_pairs(NULL, body, pairs, 1, &count), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_body_self_pairs(fixture.world, body, NULL, 1, &count), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_body_self_pairs(fixture.world, body, pairs, 1, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_body_self_pairs(fixture.world, gone, pairs, 1, &count), IMP_STATUS_BAD_INDEX);
    CHECK_INT(count, 77);
    CHECK_INT(imp_body_self_pairs(fixture.world, body, pairs, 1, &count), IMP_STATUS_OK);
    CHECK(face_count > 0 && memcmp(kept, report->face_pairs, face_count * sizeof *kept) == 0);
    free(kept);
    fixture_destroy(&fixture);
}

TEST(every_allocation_may_fail)
{
    FailingAllocator memory;
    uint64_t n = 0, refusals = 0;
    failing_allocator_init(&memory, 0);
    imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
    bool failed;
    do {
        Fixture fixture = {NULL, NULL};
        CHECK_INT(imp_context_create(&def, &fixture.context), IMP_STATUS_OK);
        CHECK_INT(imp_world_create(fixture.context, NULL, &fixture.world), IMP_STATUS_OK);
        imp_Mesh *ball = sphere(fixture.context, 1);
        imp_BodyId body = add(fixture.world, imp_mesh_retain(ball), 0);
        size_t vertex_count = imp_mesh_get_vertex_count(ball), count = 77;
        imp_Vec3 *vertices = calloc(vertex_count, sizeof *vertices);
        for (size_t i = 0; i < vertex_count; ++i)
            vertices[i].x = (double)(i * i % 17);
        CHECK_INT(imp_body_set_vertices(fixture.world, body, &vertices->x, vertex_count), IMP_STATUS_OK);
        failing_allocator_arm(&memory, ++n);
        imp_Status status = imp_body_self_pairs(fixture.world, body, pairs, MOST, &count);
        failed = failing_allocator_has_failed(&memory);
        // What only spares later calls an allocation may fail in vain.
        CHECK(status == IMP_STATUS_OK || (failed && status == IMP_STATUS_OUT_OF_MEMORY));
        CHECK((count == 77) == (status != IMP_STATUS_OK));
        refusals += status != IMP_STATUS_OK;
        failing_allocator_arm(&memory, 0);
        free(vertices);
        imp_mesh_release(ball);
        fixture_destroy(&fixture);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failed);
    CHECK(refusals > 3);
}
