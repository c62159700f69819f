#include "shape/face_blocks.h"

#include "failing_allocator.h"
#include "harness.h"
#include "posed_faces.h"
#include "scenes/shapes.h"

#include <math.h>

static impi_FaceBlocks build(imp_Context *context, const imp_Mesh *mesh)
{
    impi_FaceBlocks blocks = {0};
    CHECK_INT(impi_face_blocks_build(context, mesh, &blocks), IMP_STATUS_OK);
    return blocks;
}

static imp_Mesh *mesh_of(imp_Context *context, const imp_Vec3 *vertices, size_t vertex_count,
                         const uint32_t *indices, size_t triangle_count)
{
    imp_Mesh *mesh = NULL;
    imp_MeshDef def = {.vertices = &vertices->x,
                       .vertex_count = vertex_count,
                       .indices = indices,
                       .triangle_count = triangle_count};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

// Corners name the face's vertices; the block's vertices are distinct and all in use.
static bool check_block(const impi_FaceBlocks *blocks, const impi_FaceBlock *block, const uint32_t *indices,
                        unsigned char *seen)
{
    const uint32_t *vertices = blocks->vertices + block->first_vertex;
    bool used[3 * IMPI_BLOCK_FACES] = {0}, right = true;
    right &= CHECK(block->vertex_count <= 3 * IMPI_BLOCK_FACES &&
                   block->first_vertex + block->vertex_count <= blocks->vertex_count);
    for (unsigned i = 0; i < block->face_count && right; ++i) {
        uint32_t face = block->faces[i];
        seen[face]++;
        for (unsigned k = 0; k < 3; ++k) {
            right &= CHECK(block->corners[k][i] < block->vertex_count);
            used[block->corners[k][i]] = true;
            right &= CHECK(vertices[block->corners[k][i]] == indices[3 * (size_t)face + k]);
        }
    }
    for (unsigned i = 0; i < block->vertex_count && right; ++i) {
        right &= CHECK(used[i]);
        for (unsigned k = 0; k < i; ++k)
            right &= CHECK(vertices[i] != vertices[k]);
    }
    return right;
}

static void check_blocks(const impi_FaceBlocks *blocks, const uint32_t *indices, size_t triangle_count)
{
    unsigned char *seen = calloc(triangle_count, 1);
    size_t missed = 0;
    CHECK_INT(blocks->block_count, (triangle_count + IMPI_BLOCK_FACES - 1) / IMPI_BLOCK_FACES);
    for (size_t i = 0; i < blocks->block_count; ++i) {
        size_t left = triangle_count - i * IMPI_BLOCK_FACES;
        CHECK_INT(blocks->blocks[i].face_count, left < IMPI_BLOCK_FACES ? left : IMPI_BLOCK_FACES);
        if (!check_block(blocks, &blocks->blocks[i], indices, seen))
            break;
    }
    for (size_t i = 0; i < triangle_count; ++i)
        missed += seen[i] != 1;
    CHECK_INT(missed, 0);
    free(seen);
}

static void check_mesh(imp_Context *context, imp_Mesh *mesh)
{
    const uint32_t *indices = imp_mesh_get_indices(mesh);
    size_t count = imp_mesh_get_triangle_count(mesh);
    impi_FaceBlocks blocks = build(context, mesh);
    impi_FaceBlocks again = build(context, mesh);
    check_blocks(&blocks, indices, count);
    CHECK(blocks.vertex_count == again.vertex_count &&
          memcmp(blocks.vertices, again.vertices, blocks.vertex_count * sizeof *blocks.vertices) == 0 &&
          memcmp(blocks.blocks, again.blocks, blocks.block_count * sizeof *blocks.blocks) == 0);
    impi_face_blocks_free(&context->allocator, &blocks);
    impi_face_blocks_free(&context->allocator, &again);
    imp_mesh_release(mesh);
}

TEST(each_face_is_in_one_block)
{
    imp_Context *context = context_with_threads(1);
    imp_Mesh *mesh = NULL;
    for (uint32_t count = 1; count <= 300; count += count < 130 ? 1 : 37) {
        CHECK_INT(scene_soup(context, count, 0.2, count, &mesh), IMP_STATUS_OK);
        check_mesh(context, mesh);
    }
    CHECK_INT(scene_sphere_of_faces(context, 3968, 1, &mesh), IMP_STATUS_OK);
    check_mesh(context, mesh);
    CHECK_INT(scene_grid_soup(context, 5000, 4, 1, &mesh), IMP_STATUS_OK);
    check_mesh(context, mesh);
    CHECK_INT(scene_sphere(context, 250, 201, 1, &mesh), IMP_STATUS_OK); // 100,000 faces
    check_mesh(context, mesh);
    imp_context_destroy(context);
}

static void check_scaled_sphere(imp_Context *context, double scale, imp_Vec3 offset)
{
    imp_Mesh *mesh = NULL, *placed = NULL;
    CHECK_INT(scene_sphere_of_faces(context, 960, 1, &mesh), IMP_STATUS_OK);
    CHECK_INT(scene_place(context, mesh, scale, offset, &placed), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    check_mesh(context, placed);
}

TEST(extreme_sizes)
{
    imp_Context *context = context_with_threads(1);
    const double scales[] = {1e307, 1.7e308, 1e-300, 0x1p-1070, 0x1p-1074};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; ++i)
        check_scaled_sphere(context, scales[i], (imp_Vec3){0, 0, 0});
    check_scaled_sphere(context, 1e-6, (imp_Vec3){1e308, 0, -1e308});
    imp_context_destroy(context);
}

// Faces in orders that are bad for a careless selection: all alike, ascending, descending, up and down, and
// alternating.
TEST(orders_of_faces)
{
    enum { COUNT = 100000 };
    imp_Context *context = context_with_threads(1);
    imp_Vec3 *vertices = malloc(3 * (size_t)COUNT * sizeof *vertices);
    uint32_t *indices = malloc(3 * (size_t)COUNT * sizeof *indices);
    for (int order = 0; order < 5; ++order) {
        for (uint32_t i = 0; i < COUNT; ++i) {
            const double xs[5] = {7, i, COUNT - i, i < COUNT / 2 ? i : COUNT - i, i % 2 ? i : COUNT - i};
            for (uint32_t k = 0; k < 3; ++k) {
                vertices[3 * i + k] = (imp_Vec3){xs[order], 0, 0};
                indices[3 * i + k] = 3 * i + k;
            }
        }
        imp_Mesh *mesh = mesh_of(context, vertices, 3 * (size_t)COUNT, indices, COUNT);
        impi_FaceBlocks blocks = build(context, mesh);
        check_blocks(&blocks, indices, COUNT);
        // Along x the blocks are in order, each where the one before ends.
        double last = -INFINITY;
        for (size_t i = 0; i < blocks.block_count; ++i) {
            double low = INFINITY, high = -INFINITY;
            for (unsigned k = 0; k < blocks.blocks[i].face_count; ++k) {
                double x = vertices[3 * (size_t)blocks.blocks[i].faces[k]].x;
                low = fmin(low, x);
                high = fmax(high, x);
            }
            CHECK(last <= low);
            last = high;
        }
        impi_face_blocks_free(&context->allocator, &blocks);
        imp_mesh_release(mesh);
    }
    free(vertices);
    free(indices);
    imp_context_destroy(context);
}

TEST(one_vertex_for_all_corners)
{
    imp_Context *context = context_with_threads(1);
    const imp_Vec3 vertices[2] = {{5, 5, 5}, {1, 2, 3}};
    uint32_t indices[3 * 130];
    for (int i = 0; i < 3 * 130; ++i)
        indices[i] = 1;
    imp_Mesh *mesh = mesh_of(context, vertices, 2, indices, 130);
    impi_FaceBlocks blocks = build(context, mesh);
    check_blocks(&blocks, indices, 130);
    CHECK_INT(blocks.vertex_count, 3);
    impi_face_blocks_free(&context->allocator, &blocks);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(building_runs_out_of_memory)
{
    uint64_t n = 0;
    FailingAllocator memory;
    do {
        failing_allocator_init(&memory, 0);
        imp_Context *context = NULL;
        imp_Mesh *mesh = NULL;
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
        CHECK_INT(scene_sphere_of_faces(context, 960, 1, &mesh), IMP_STATUS_OK);
        failing_allocator_arm(&memory, ++n);
        impi_FaceBlocks blocks = {0};
        imp_Status status = impi_face_blocks_build(context, mesh, &blocks);
        CHECK_INT(status, failing_allocator_has_failed(&memory) ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
        CHECK(status == IMP_STATUS_OK || blocks.blocks == NULL);
        impi_face_blocks_free(&context->allocator, &blocks);
        imp_mesh_release(mesh);
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 3);
}
