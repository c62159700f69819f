// One fuzzer per format, made from this file: FUZZ_FORMAT and FUZZ_NAME say which.
//
// Whatever the bytes are, a reader gives either a mesh that keeps the promises of imp_mesh_create or an error
// that names the file, and allocates no more than the size of the input warrants.

#include <impinge/impinge.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The densest input is a face of an OBJ file: each corner beyond the third takes two bytes and gives a
// triangle of 12, in an array that may have doubled.
#define MAX_BYTES_PER_INPUT_BYTE  64
#define MAX_BYTES_FOR_SMALL_INPUT 65536

static size_t largest_allocation;

static void *allocate(size_t size, void *user)
{
    (void)user;
    void *storage = NULL;
    if (size > largest_allocation)
        largest_allocation = size;
    return posix_memalign(&storage, 64, size) == 0 ? storage : NULL;
}

static void release(void *storage, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(storage);
}

static void demand(bool held, const char *what)
{
    if (held)
        return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

static void check_mesh(const imp_Mesh *mesh)
{
    size_t vertex_count = imp_mesh_get_vertex_count(mesh), triangle_count = imp_mesh_get_triangle_count(mesh);
    const imp_Vec3 *vertices = imp_mesh_get_vertices(mesh);
    const uint32_t *indices = imp_mesh_get_indices(mesh);
    demand(vertex_count > 0 && triangle_count > 0, "a mesh has vertices and triangles");
    for (size_t i = 0; i < vertex_count; ++i)
        demand(isfinite(vertices[i].x) && isfinite(vertices[i].y) && isfinite(vertices[i].z),
               "coordinates are finite");
    for (size_t i = 0; i < 3 * triangle_count; ++i)
        demand(indices[i] < vertex_count, "indices are in range");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    imp_Context *context;
    imp_Mesh *mesh = NULL;
    imp_ContextDef def = {.allocator = {allocate, release, NULL}};
    if (imp_context_create(&def, &context) != IMP_STATUS_OK)
        return 0;
    largest_allocation = 0;
    imp_Status status = imp_mesh_load_memory(context, FUZZ_FORMAT, bytes, size, FUZZ_NAME, &mesh);
    demand(largest_allocation <= MAX_BYTES_FOR_SMALL_INPUT + size * MAX_BYTES_PER_INPUT_BYTE,
           "memory is bounded by the size of the input");
    if (status == IMP_STATUS_OK) {
        check_mesh(mesh);
        imp_mesh_release(mesh);
    } else {
        const imp_Error *error = imp_context_get_error(context);
        demand(mesh == NULL, "a failure leaves the output alone");
        demand(error->status == status && strstr(error->message, FUZZ_NAME), "the error names the file");
    }
    imp_context_destroy(context);
    return 0;
}
