// Whatever the bytes are, they are spheres that hold a small mesh, level by level, or an error. Coordinates
// are small whole numbers times a power of two, so that spheres and faces meet often.

#include "fuzz_file.h"

#include <impinge/impinge.h>

#include <math.h>
#include <string.h>

#define MOST_VERTICES 16
#define MOST_FACES    16
#define MOST_SPHERES  64

typedef struct Bytes {
    const uint8_t *data;
    size_t left;
} Bytes;

static uint8_t take_byte(Bytes *bytes)
{
    if (bytes->left == 0)
        return 0;
    --bytes->left;
    return *bytes->data++;
}

static double take_number(Bytes *bytes, int exponent)
{
    int high = take_byte(bytes), low = take_byte(bytes);
    return ldexp((int16_t)(high << 8 | low), exponent);
}

static imp_Vec3 take_point(Bytes *bytes, int exponent)
{
    double x = take_number(bytes, exponent), y = take_number(bytes, exponent),
           z = take_number(bytes, exponent);
    return (imp_Vec3){x, y, z};
}

static imp_Status make_mesh(imp_Context *context, Bytes *bytes, int exponent, imp_Mesh **mesh)
{
    imp_Vec3 vertices[MOST_VERTICES];
    uint32_t indices[3 * MOST_FACES];
    imp_MeshDef def = {.vertices = &vertices[0].x,
                       .vertex_count = 3 + take_byte(bytes) % (MOST_VERTICES - 2),
                       .indices = indices,
                       .triangle_count = 1 + take_byte(bytes) % MOST_FACES};
    for (size_t i = 0; i < def.vertex_count; ++i)
        vertices[i] = take_point(bytes, exponent);
    for (size_t i = 0; i < 3 * def.triangle_count; ++i)
        indices[i] = take_byte(bytes) % def.vertex_count;
    return imp_mesh_create(context, &def, mesh);
}

// A vertex that faces use lies in all balls of a chain, but for rounding.
static int is_vertex_held(const imp_Sphere *spheres, size_t count, imp_Vec3 vertex, double size)
{
    unsigned char held[MOST_SPHERES];
    for (size_t i = 0; i < count; ++i) {
        imp_Vec3 center = spheres[i].center;
        double x = (vertex.x - center.x) / size, y = (vertex.y - center.y) / size,
               z = (vertex.z - center.z) / size;
        held[i] = (i == 0 || held[spheres[i].parent]) &&
                  sqrt(x * x + y * y + z * z) <= spheres[i].radius / size * (1 + 1e-12);
        if (held[i] && spheres[i].level == spheres[count - 1].level)
            return 1;
    }
    return 0;
}

static void look_at_all(const imp_SphereTree *tree, int exponent)
{
    size_t count;
    const imp_Sphere *spheres = imp_sphere_tree_get_spheres(tree, &count);
    const imp_Mesh *mesh = imp_sphere_tree_get_mesh(tree);
    for (size_t i = 0; i < imp_mesh_get_triangle_count(mesh); ++i) {
        imp_Triangle triangle;
        fuzz_demand(imp_mesh_get_triangle(mesh, i, &triangle) == IMP_STATUS_OK, "faces can be had");
        for (int k = 0; k < 3; ++k)
            fuzz_demand(is_vertex_held(spheres, count, triangle.v[k], ldexp(1, exponent)),
                        "chains hold vertices");
    }
    for (size_t i = 0; i < count; ++i)
        fuzz_demand(spheres[i].protrusion >= 0 && spheres[i].protrusion <= spheres[i].surface_protrusion,
                    "protrusions are lengths");
}

static void make_tree(imp_Context *context, Bytes *bytes)
{
    static const int exponents[] = {0, -6, -1000, 1000};
    imp_GivenSphere spheres[MOST_SPHERES];
    imp_Mesh *mesh = NULL;
    imp_SphereTree *tree = NULL;
    int exponent = exponents[take_byte(bytes) % 4];
    imp_GivenSpheresDef def = {.cover = take_byte(bytes) % 2 ? IMP_COVER_SOLID : IMP_COVER_SURFACE,
                               .spheres = spheres};
    if (make_mesh(context, bytes, exponent, &mesh) != IMP_STATUS_OK)
        return;
    def.mesh = mesh;
    do {
        uint8_t parent = take_byte(bytes);
        imp_Vec3 center = take_point(bytes, exponent);
        double radius = take_number(bytes, exponent) * 4;
        spheres[def.count] = (imp_GivenSphere){center, def.count > 0 ? radius : fabs(radius),
                                               def.count ? parent : IMP_NO_SPHERE};
    } while (++def.count < MOST_SPHERES && bytes->left > 0);
    imp_Status status = imp_sphere_tree_create_from_spheres(context, &def, &tree);
    if (status == IMP_STATUS_OK)
        look_at_all(tree, exponent);
    else
        fuzz_demand(!tree && imp_context_get_error(context)->message[0] != 0, "an error is told");
    imp_sphere_tree_release(tree);
    imp_mesh_release(mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    imp_Context *context = NULL;
    if (imp_context_create(&(imp_ContextDef){.thread_count = 1}, &context) != IMP_STATUS_OK)
        return 0;
    make_tree(context, &(Bytes){data, size});
    imp_context_destroy(context);
    return 0;
}
