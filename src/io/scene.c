#include "io/scene.h"

#include "base/scratch_call.h"
#include "io/scene_loader.h"

#include <math.h>
#include <string.h>

imp_Scene *impi_scene_new(const imp_Allocator *allocator)
{
    imp_Scene *scene = impi_allocate(allocator, sizeof *scene);
    if (!scene)
        return NULL;
    *scene = (imp_Scene){.allocator = *allocator};
    impi_arena_init(&scene->arena, &scene->allocator);
    return scene;
}

void imp_scene_destroy(imp_Scene *scene)
{
    if (!scene)
        return;
    for (size_t i = 0; i < scene->body_count; ++i)
        imp_mesh_release(scene->bodies[i].mesh);
    impi_arena_destroy(&scene->arena);
    imp_Allocator allocator = scene->allocator;
    impi_release(&allocator, scene, sizeof *scene);
}

char *impi_scene_copy_text(imp_Scene *scene, const char *text, size_t length)
{
    char *copy = impi_arena_allocate(&scene->arena, length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

bool impi_scene_set_remark(imp_Scene *scene, impi_Text *text)
{
    size_t length = text->bytes.count;
    if (length > 0 && !text->out_of_memory)
        scene->remark = impi_scene_copy_text(scene, text->bytes.data, length);
    bool is_set = !text->out_of_memory && (length == 0 || scene->remark);
    impi_text_free(text);
    return is_set;
}

imp_Status imp_scene_load(imp_Context *context, const char *path, imp_Scene **scene)
{
    return imp_scene_load_with(context, path, NULL, scene);
}

imp_Status imp_scene_load_with(imp_Context *context, const char *path, const imp_LoadDef *def,
                               imp_Scene **scene)
{
    impi_FileLoad load;
    imp_Status status = impi_context_check(context);
    if (status != IMP_STATUS_OK)
        return status;
    if (!path || !scene)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "to load a scene takes a context, a path and room for the scene");
    status = impi_file_load_init(context, path, def, &load);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, impi_scene_load(context, &load, scene));
}

size_t imp_scene_get_body_count(const imp_Scene *scene)
{
    return scene ? scene->body_count : 0;
}

imp_Status imp_scene_get_body(const imp_Scene *scene, size_t index, imp_SceneBody *body)
{
    if (!scene || !body)
        return IMP_STATUS_BAD_ARGUMENT;
    if (index >= scene->body_count)
        return IMP_STATUS_BAD_INDEX;
    const impi_SceneBody *found = &scene->bodies[index];
    *body = (imp_SceneBody){found->name, found->mesh, found->deforms};
    return IMP_STATUS_OK;
}

double imp_scene_get_duration(const imp_Scene *scene)
{
    return scene ? scene->duration : 0;
}

const char *imp_scene_get_remark(const imp_Scene *scene)
{
    return scene ? scene->remark : NULL;
}

static bool is_finite(imp_Vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool all_finite(const imp_Pose *pose, const imp_Vec3 *vertices, size_t count)
{
    const imp_Quat *q = &pose->rotation;
    bool finite =
        is_finite(pose->translation) && isfinite(q->w) && isfinite(q->x) && isfinite(q->y) && isfinite(q->z);
    for (size_t i = 0; vertices && i < count; ++i)
        finite = finite && is_finite(vertices[i]);
    return finite;
}

imp_Status imp_scene_sample(const imp_Scene *scene, size_t body, double seconds, imp_Pose *pose,
                            imp_Vec3 *vertices)
{
    if (!scene || !pose)
        return IMP_STATUS_BAD_ARGUMENT;
    if (body >= scene->body_count)
        return IMP_STATUS_BAD_INDEX;
    if (!isfinite(seconds))
        return IMP_STATUS_BAD_NUMBER;
    const impi_SceneBody *found = &scene->bodies[body];
    size_t count = imp_mesh_get_vertex_count(found->mesh);
    imp_Pose result;
    impi_FloatGuard guard = impi_float_guard_enter();
    impi_scene_body_sample(scene, found, seconds, &result, found->deforms ? vertices : NULL);
    impi_float_guard_leave(guard);
    if (!all_finite(&result, found->deforms ? vertices : NULL, count))
        return IMP_STATUS_BAD_NUMBER;
    if (vertices && !found->deforms)
        memcpy(vertices, imp_mesh_get_vertices(found->mesh), count * sizeof *vertices);
    *pose = result;
    return IMP_STATUS_OK;
}
