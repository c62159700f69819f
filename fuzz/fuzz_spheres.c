// Whatever the bytes are, they are sphere trees, of which each covers a small mesh, provably, or is refused,
// or an error that names the file.

#include "fuzz_file.h"

#include "kit/sphere_file.h"

#include <impinge/impinge.h>

#include <string.h>

#define FUZZ_NAME   "fuzz.json"
#define MOST_TIME   (uint64_t)200000 // microseconds for a proof: spheres may make it long
#define MOST_LISTED 64

static imp_Mesh *make_mesh(imp_Context *context)
{
    static const double vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const uint32_t indices[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    imp_MeshDef def = {.vertices = vertices, .vertex_count = 4, .indices = indices, .triangle_count = 4};
    imp_Mesh *mesh = NULL;
    fuzz_demand(imp_mesh_create(context, &def, &mesh) == IMP_STATUS_OK, "a tetrahedron is a mesh");
    return mesh;
}

// The root holds the corners of what it covers.
static void check_root(const imp_SphereTree *tree)
{
    size_t count;
    const imp_Sphere *root = imp_sphere_tree_get_spheres(tree, &count);
    const imp_Vec3 *corners = imp_mesh_get_vertices(imp_sphere_tree_get_mesh(tree));
    for (int i = 0; i < 4; ++i) {
        double x = corners[i].x - root->center.x, y = corners[i].y - root->center.y;
        double z = corners[i].z - root->center.z;
        fuzz_demand(x * x + y * y + z * z <= root->radius * root->radius * (1 + 1e-12),
                    "the root holds all corners");
    }
}

static void prove(imp_Context *context, imp_Mesh *mesh, const impi_ReadSpheres *read)
{
    imp_GivenSpheresDef def = {
        .mesh = mesh, .cover = read->cover, .spheres = read->spheres.data, .count = read->spheres.count};
    imp_SphereTree *tree = NULL;
    imp_Status status = imp_sphere_tree_create_from_spheres(context, &def, &tree);
    fuzz_demand((status == IMP_STATUS_OK) == (tree != NULL), "a tree comes with success");
    if (tree)
        check_root(tree);
    imp_sphere_tree_release(tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    imp_Context *context;
    impi_SphereFile file;
    if (imp_context_create(NULL, &context) != IMP_STATUS_OK)
        return 0;
    imp_Status status = impi_sphere_file_parse(context, (const char *)bytes, size, FUZZ_NAME, &file);
    if (status == IMP_STATUS_OK) {
        imp_Mesh *mesh = make_mesh(context);
        imp_Watch watch = {.budget_us = MOST_TIME};
        fuzz_demand(imp_context_watch(context, &watch) == IMP_STATUS_OK, "a budget is a watch");
        for (size_t i = 0; i < file.trees.count && i < MOST_LISTED; ++i)
            prove(context, mesh, &file.trees.data[i]);
        imp_mesh_release(mesh);
        impi_sphere_file_free(&file);
    } else {
        const imp_Error *error = imp_context_get_error(context);
        fuzz_demand(error->status == status, "the error is the status's");
        fuzz_demand(strstr(error->message, FUZZ_NAME) == error->message, "the error names the file");
    }
    imp_context_destroy(context);
    return 0;
}
