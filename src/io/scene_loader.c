#include "io/scene_loader.h"

#include "io/assimp_scene.h"
#include "io/text_buffer.h"

#include <string.h>

static void separate(impi_Text *text)
{
    if (text->bytes.count > 0)
        impi_text_put(text, "; ");
}

static void write_remark(impi_Text *text, const impi_AssimpImport *import, const imp_Scene *scene,
                         size_t unheld_count)
{
    const impi_Gltf *gltf = &import->gltf;
    if (import->is_gltf && gltf->scene_count > 1)
        impi_text_printf(text, "only one of the %u scenes in the file is read", (unsigned)gltf->scene_count);
    if (import->is_gltf && gltf->overridden_count > 0) {
        separate(text);
        impi_text_printf(text, "%u animation %s does not play, because a later one moves the same",
                         (unsigned)gltf->overridden_count,
                         gltf->overridden_count == 1 ? "channel" : "channels");
    }
    if (import->is_gltf && gltf->unplayed_count > 0) {
        separate(text);
        impi_text_printf(text, "%u animation %s moves nothing that is known", (unsigned)gltf->unplayed_count,
                         gltf->unplayed_count == 1 ? "channel" : "channels");
    }
    if (unheld_count > 0) {
        separate(text);
        impi_text_printf(text, "%zu vertices of skins have no joint and follow their node", unheld_count);
    }
    for (size_t i = 0; i < scene->body_count; ++i) {
        const char *mesh_remark = imp_mesh_get_remark(scene->bodies[i].mesh);
        if (!mesh_remark)
            continue;
        separate(text);
        impi_text_printf(text, "%s: %s", scene->bodies[i].name, mesh_remark);
        break;
    }
}

static imp_Status set_remark(imp_Context *context, imp_Scene *scene, const impi_AssimpImport *import,
                             size_t unheld_count)
{
    impi_Text text;
    imp_Status status = IMP_STATUS_OK;
    impi_text_init(&text, &context->allocator);
    write_remark(&text, import, scene, unheld_count);
    if (text.bytes.count > 0) {
        scene->remark = impi_arena_allocate(&scene->arena, text.bytes.count + 1);
        if (scene->remark) {
            memcpy(scene->remark, text.bytes.data, text.bytes.count);
            scene->remark[text.bytes.count] = '\0';
        }
    }
    if (text.out_of_memory || (text.bytes.count > 0 && !scene->remark))
        status = impi_fail_out_of_memory(context);
    impi_text_free(&text);
    return status;
}

imp_Status impi_scene_load(imp_Context *context, const char *path, imp_Scene **scene)
{
    impi_AssimpImport import;
    imp_Status status = impi_assimp_import(context, path, &import);
    if (status != IMP_STATUS_OK)
        return status;
    size_t unheld_count = 0;
    imp_Scene *result = impi_scene_new(&context->allocator);
    if (result) {
        status = impi_assimp_read_scene(context, path, &import, result, &unheld_count);
        if (status == IMP_STATUS_OK)
            status = set_remark(context, result, &import, unheld_count);
    } else {
        status = impi_fail_out_of_memory(context);
    }
    impi_assimp_release(&import);
    if (status == IMP_STATUS_OK)
        *scene = result;
    else
        imp_scene_destroy(result);
    return status;
}
