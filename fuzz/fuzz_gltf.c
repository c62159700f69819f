// Whatever the bytes are, the reader of glTF files gives either a scene whose triangles have vertices and
// whose bodies can be sampled at any time, or an error that names the file.

#include "io/gltf_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUZZ_NAME "fuzz.gltf"

static void demand(bool held, const char *what)
{
    if (held)
        return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

static void check_body(const imp_Scene *scene, size_t index)
{
    imp_SceneBody body;
    demand(imp_scene_get_body(scene, index, &body) == IMP_STATUS_OK, "there are as many bodies as it says");
    size_t count = imp_mesh_get_vertex_count(body.mesh);
    demand(body.name && count > 0 && imp_mesh_get_triangle_count(body.mesh) > 0, "bodies have triangles");
    for (size_t i = 0; i < 3 * imp_mesh_get_triangle_count(body.mesh); ++i)
        demand(imp_mesh_get_indices(body.mesh)[i] < count, "corners are vertices");
    imp_Vec3 *vertices = malloc(count * sizeof *vertices);
    for (int i = 0; vertices && i <= 3; ++i) {
        imp_Pose pose;
        imp_Status status =
            imp_scene_sample(scene, index, imp_scene_get_duration(scene) * i / 3, &pose, vertices);
        demand(status == IMP_STATUS_OK || status == IMP_STATUS_BAD_NUMBER, "bodies can be sampled");
        demand(status != IMP_STATUS_OK || isfinite(vertices[0].x + vertices[count - 1].z),
               "samples are finite");
    }
    free(vertices);
}

static void check_scene(imp_Scene *scene)
{
    demand(imp_scene_get_body_count(scene) > 0, "scenes have bodies");
    demand(isfinite(imp_scene_get_duration(scene)), "scenes end");
    for (size_t i = 0; i < imp_scene_get_body_count(scene); ++i)
        check_body(scene, i);
    imp_scene_destroy(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    imp_Context *context;
    impi_Gltf gltf;
    if (imp_context_create(NULL, &context) != IMP_STATUS_OK)
        return 0;
    imp_Status status = impi_gltf_open_memory(context, FUZZ_NAME, bytes, size, &gltf);
    if (status == IMP_STATUS_OK) {
        imp_Scene *scene;
        status = impi_gltf_make_scene(&gltf, &(impi_UnitConversion){0}, &scene);
        impi_gltf_close(&gltf);
        if (status == IMP_STATUS_OK)
            check_scene(scene);
    }
    const imp_Error *error = imp_context_get_error(context);
    if (status != IMP_STATUS_OK)
        demand(error->status == status && strstr(error->message, FUZZ_NAME), "the error names the file");
    imp_context_destroy(context);
    return 0;
}
