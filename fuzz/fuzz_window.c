// A file that is read through a window gives what the same bytes give in memory. The first byte chooses the
// format: OBJ, STL, PLY or OFF.

#include "fuzz_file.h"

#include <impinge/impinge.h>

#include <string.h>

typedef struct Outcome {
    imp_Context *context;
    imp_Mesh *mesh;
    imp_Status status;
} Outcome;

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_mesh(const imp_Mesh *a, const imp_Mesh *b)
{
    size_t vertex_count = imp_mesh_get_vertex_count(a), triangle_count = imp_mesh_get_triangle_count(a);
    return imp_mesh_get_vertex_count(b) == vertex_count && imp_mesh_get_triangle_count(b) == triangle_count &&
           memcmp(imp_mesh_get_vertices(a), imp_mesh_get_vertices(b), vertex_count * sizeof(imp_Vec3)) == 0 &&
           memcmp(imp_mesh_get_indices(a), imp_mesh_get_indices(b), 3 * triangle_count * sizeof(uint32_t)) ==
               0 &&
           same_text(imp_mesh_get_remark(a), imp_mesh_get_remark(b));
}

// Only a file is refused for zero bytes in a line that does not end.
static void compare(const Outcome *file, const Outcome *memory)
{
    const char *message = imp_context_get_error(file->context)->message;
    if (file->status != IMP_STATUS_OK && strstr(message, "it is no text: "))
        return;
    fuzz_demand(file->status == memory->status, "the same status");
    fuzz_demand(same_text(message, imp_context_get_error(memory->context)->message), "the same message");
    fuzz_demand(file->status != IMP_STATUS_OK || same_mesh(file->mesh, memory->mesh), "the same mesh");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const extensions[] = {"obj", "stl", "ply", "off"};
    Outcome file = {0}, memory = {0};
    char path[FUZZ_MAX_PATH];
    if (size == 0 || !fuzz_write_file(path, extensions[*bytes % 4], bytes + 1, size - 1))
        return 0;
    if (imp_context_create(NULL, &file.context) != IMP_STATUS_OK ||
        imp_context_create(NULL, &memory.context) != IMP_STATUS_OK)
        abort();
    file.status = imp_mesh_load(file.context, path, &file.mesh);
    memory.status =
        imp_mesh_load_memory(memory.context, IMP_FORMAT_BY_NAME, bytes + 1, size - 1, path, &memory.mesh);
    compare(&file, &memory);
    imp_mesh_release(file.mesh);
    imp_mesh_release(memory.mesh);
    imp_context_destroy(file.context);
    imp_context_destroy(memory.context);
    unlink(path);
    return 0;
}
