#include "io/assimp_scene.h"

#ifdef IMPINGE_ASSIMP_SONAME

#include "io/assimp_body.h"
#include "io/gltf_motion.h"

#include <stdio.h>
#include <string.h>

#define MAX_MADE_UP_NAME 32

// The node's name in the file; what assimp calls it is a number for glTF.
static char *copy_name(impi_AssimpReader *reader, const impi_AssimpImport *import, uint32_t index)
{
    char made_up[MAX_MADE_UP_NAME];
    uint32_t number = reader->scene->nodes[index].number;
    const impi_JsonValue *name = NULL;
    if (import->is_gltf && number < import->gltf.node_count) {
        name = import->gltf.nodes[number].name;
        snprintf(made_up, sizeof made_up, "node %u", (unsigned)number);
    } else {
        snprintf(made_up, sizeof made_up, "node %u", (unsigned)index);
    }
    if (name) {
        char *copy = impi_assimp_allocate(reader, (size_t)name->length + 1, 1);
        if (copy)
            impi_json_copy_text(&import->gltf.json, name, copy);
        return copy;
    }
    const char *text = reader->nodes[index].source->mName.data;
    if (import->is_gltf || !*text)
        text = made_up;
    char *copy = impi_assimp_allocate(reader, strlen(text) + 1, 1);
    if (copy)
        memcpy(copy, text, strlen(text) + 1);
    return copy;
}

static imp_Status read_bodies(impi_AssimpReader *reader, const impi_AssimpImport *import)
{
    imp_Scene *scene = reader->scene;
    size_t count = 0;
    for (uint32_t i = 0; i < scene->node_count; ++i)
        count += impi_assimp_is_body(reader, reader->nodes[i].source);
    if (count == 0)
        return impi_assimp_fail(reader->context, reader->file_name, IMP_STATUS_BAD_SHAPE,
                                "the scene has no triangles");
    scene->bodies = impi_assimp_allocate(reader, count, sizeof *scene->bodies);
    if (!scene->bodies)
        return IMP_STATUS_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < scene->node_count; ++i) {
        if (!impi_assimp_is_body(reader, reader->nodes[i].source))
            continue;
        impi_SceneBody *body = &scene->bodies[scene->body_count++];
        body->node = i;
        body->name = copy_name(reader, import, i);
        if (!body->name)
            return IMP_STATUS_OUT_OF_MEMORY;
        imp_Status status = impi_assimp_read_body(reader, body);
        if (status != IMP_STATUS_OK)
            return status;
    }
    return IMP_STATUS_OK;
}

// The last key counts also where it changes nothing.
static void settle_nodes(imp_Scene *scene)
{
    for (uint32_t i = 0; i < scene->node_count; ++i) {
        for (int path = 0; path < IMPI_PATH_COUNT; ++path) {
            const impi_Track *track = scene->nodes[i].tracks[path];
            if (track && track->times[track->key_count - 1] > scene->duration)
                scene->duration = track->times[track->key_count - 1];
        }
        impi_node_settle(&scene->nodes[i]);
    }
}

imp_Status impi_assimp_read_scene(imp_Context *context, const char *file_name,
                                  const impi_AssimpImport *import, imp_Scene *scene, size_t *unheld_count)
{
    impi_AssimpReader reader = {.context = context,
                                .file_name = file_name,
                                .source = import->scene,
                                .names_are_numbers = import->is_gltf,
                                .scene = scene};
    imp_Status status = impi_assimp_read_nodes(&reader);
    if (status == IMP_STATUS_OK)
        status = impi_assimp_read_tracks(&reader);
    if (status == IMP_STATUS_OK && import->is_gltf)
        status = impi_gltf_refine_scene(&import->gltf, scene);
    if (status != IMP_STATUS_OK)
        return status;
    settle_nodes(scene);
    status = read_bodies(&reader, import);
    *unheld_count = reader.unheld_count;
    return status;
}

#else

imp_Status impi_assimp_read_scene(imp_Context *context, const char *file_name,
                                  const impi_AssimpImport *import, imp_Scene *scene, size_t *unheld_count)
{
    (void)context;
    (void)file_name;
    (void)import;
    (void)scene;
    (void)unheld_count;
    return IMP_STATUS_UNSUPPORTED;
}

#endif
