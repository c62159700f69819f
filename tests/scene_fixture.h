/// Loading scenes that a test has written, and where their vertices are.
#ifndef IMPINGE_TESTS_SCENE_FIXTURE_H
#define IMPINGE_TESTS_SCENE_FIXTURE_H

#include "gltf_files.h"
#include "mesh_files.h"

#include <math.h>

typedef struct SceneFixture {
    char folder[MAX_TEST_PATH];
    imp_Context *context;
    imp_Scene *scene;
} SceneFixture;

/// A scene that must be fine, from a file that is freed. `scene` is null when it is not.
static inline SceneFixture scene_load(GltfFile *file, const char *name)
{
    SceneFixture fixture = {.context = new_context()};
    make_folder(fixture.folder);
    gltf_save(file, path_in(fixture.folder, name));
    imp_Status status = imp_scene_load(fixture.context, path_in(fixture.folder, name), &fixture.scene);
    if (!CHECK_INT(status, IMP_STATUS_OK))
        printf("  %s\n", imp_context_get_error(fixture.context)->message);
    return fixture;
}

static inline void scene_close(SceneFixture *fixture)
{
    imp_scene_destroy(fixture->scene);
    imp_context_destroy(fixture->context);
    remove_folder(fixture->folder);
}

static inline imp_SceneBody scene_body(const imp_Scene *scene, size_t index)
{
    imp_SceneBody body = {0};
    CHECK_INT(imp_scene_get_body(scene, index, &body), IMP_STATUS_OK);
    return body;
}

#define MAX_SCENE_VERTICES 256

/// Vertices of a body at a time, in the world.
static inline void scene_world_vertices(const imp_Scene *scene, size_t body, double seconds,
                                        imp_Vec3 world[MAX_SCENE_VERTICES])
{
    imp_Vec3 local[MAX_SCENE_VERTICES];
    imp_Pose pose;
    imp_Transform transform;
    size_t count = imp_mesh_get_vertex_count(scene_body(scene, body).mesh);
    if (!CHECK(count <= MAX_SCENE_VERTICES) ||
        !CHECK_INT(imp_scene_sample(scene, body, seconds, &pose, local), IMP_STATUS_OK) ||
        !CHECK_INT(imp_pose_transform(&pose, &transform), IMP_STATUS_OK))
        return;
    for (size_t i = 0; i < count; ++i)
        world[i] = imp_transform_apply(&transform, local[i]);
}

/// Equal to a millionth of `size`: files hold single precision.
static inline bool scene_near(imp_Vec3 a, imp_Vec3 b, double size)
{
    double tolerance = 1e-6 * size;
    return fabs(a.x - b.x) <= tolerance && fabs(a.y - b.y) <= tolerance && fabs(a.z - b.z) <= tolerance;
}

static inline bool same_point(imp_Vec3 a, imp_Vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

#endif
