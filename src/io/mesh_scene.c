#include "io/mesh_scene.h"

#include "io/text_buffer.h"
#include "shape/mesh.h"

#include <stdio.h>
#include <string.h>

#define MAX_MADE_UP_NAME 32
#define SOLIDS_PER_LOOK  64 // at the watch

static imp_Status name_body(imp_Context *context, imp_Scene *scene, impi_SceneBody *body, const char *name,
                            size_t length)
{
    body->name = impi_scene_copy_text(scene, name, length);
    return body->name ? IMP_STATUS_OK : impi_fail_out_of_memory(context);
}

// Room for bodies, of which the scene has none yet.
static imp_Status allocate_bodies(imp_Context *context, imp_Scene *scene, size_t count)
{
    scene->bodies = impi_arena_allocate_array(&scene->arena, count, sizeof *scene->bodies);
    return scene->bodies ? IMP_STATUS_OK : impi_fail_out_of_memory(context);
}

static imp_Status add_whole(impi_MeshBuilder *builder, const impi_FileLoad *load, imp_Scene *scene)
{
    size_t length;
    const char *name = impi_file_load_body_name(load, &length);
    imp_Status status = allocate_bodies(builder->context, scene, 1);
    if (status != IMP_STATUS_OK)
        return status;
    impi_SceneBody *body = &scene->bodies[0];
    *body = (impi_SceneBody){.node = IMPI_NO_NODE};
    status = name_body(builder->context, scene, body, name, length);
    if (status == IMP_STATUS_OK)
        status = impi_mesh_builder_finish(builder, &body->mesh);
    scene->body_count = status == IMP_STATUS_OK;
    return status;
}

// A solid without the rest of the file: its vertices and corners stand together.
static imp_Status cut_mesh(const impi_MeshBuilder *builder, const impi_Solid *solid, const impi_Solid *next,
                           imp_Mesh **mesh)
{
    size_t vertex_count = next->first_vertex - solid->first_vertex,
           index_count = next->first_index - solid->first_index;
    impi_MeshArrays arrays;
    imp_Status status = impi_mesh_arrays_allocate(builder->context, vertex_count, index_count / 3, &arrays);
    if (status != IMP_STATUS_OK)
        return status;
    memcpy(arrays.vertices, builder->vertices.data + solid->first_vertex,
           vertex_count * sizeof *arrays.vertices);
    for (size_t i = 0; i < index_count; ++i)
        arrays.indices[i] = builder->indices.data[solid->first_index + i] - (uint32_t)solid->first_vertex;
    status = impi_mesh_adopt(builder->context, &arrays, NULL, mesh);
    if (status != IMP_STATUS_OK)
        impi_mesh_arrays_release(&builder->context->allocator, &arrays);
    return status;
}

static imp_Status name_solid(const impi_MeshBuilder *builder, size_t number, imp_Scene *scene,
                             impi_SceneBody *body)
{
    const impi_Solid *solid = &builder->solids.data[number];
    if (solid->name_length > 0)
        return name_body(builder->context, scene, body, builder->solid_names.data + solid->name_begin,
                         solid->name_length);
    char name[MAX_MADE_UP_NAME];
    snprintf(name, sizeof name, "solid %zu", number);
    return name_body(builder->context, scene, body, name, strlen(name));
}

static imp_Status add_solids(impi_MeshBuilder *builder, imp_Scene *scene)
{
    size_t count = builder->solids.count;
    const impi_Solid end = {.first_vertex = builder->vertices.count, .first_index = builder->indices.count};
    imp_Status status = impi_mesh_builder_settle(builder);
    if (status == IMP_STATUS_OK)
        status = allocate_bodies(builder->context, scene, count);
    for (size_t i = 0; i < count && status == IMP_STATUS_OK; ++i) {
        const impi_Solid *solid = &builder->solids.data[i], *next = i + 1 < count ? solid + 1 : &end;
        if (i % SOLIDS_PER_LOOK == 0 && !impi_watch_goes_on(&builder->context->watch))
            return impi_watch_status(builder->context);
        if (next->first_index == solid->first_index)
            continue;
        impi_SceneBody *body = &scene->bodies[scene->body_count];
        *body = (impi_SceneBody){.node = IMPI_NO_NODE};
        status = name_solid(builder, i, scene, body);
        if (status == IMP_STATUS_OK)
            status = cut_mesh(builder, solid, next, &body->mesh);
        scene->body_count += status == IMP_STATUS_OK;
    }
    return status;
}

static imp_Status set_remark(const impi_MeshBuilder *builder, imp_Scene *scene, size_t empty_count)
{
    char remark[IMPI_MAX_MESH_REMARK];
    impi_Text text;
    impi_text_init(&text, &builder->context->allocator);
    if (impi_mesh_builder_remark(builder, remark))
        impi_text_put(&text, remark);
    if (empty_count > 0)
        impi_text_printf(&text, "%s%zu %s no triangles and %s left out", text.bytes.count > 0 ? "; " : "",
                         empty_count, empty_count == 1 ? "solid has" : "solids have",
                         empty_count == 1 ? "is" : "are");
    bool is_set = impi_scene_set_remark(scene, &text);
    return is_set ? IMP_STATUS_OK : impi_fail_out_of_memory(builder->context);
}

imp_Status impi_mesh_scene_make(impi_MeshBuilder *builder, const impi_FileLoad *load, imp_Scene **scene)
{
    bool has_solids = builder->solids.count > 1;
    imp_Scene *result = impi_scene_new(&builder->context->allocator);
    if (!result)
        return impi_fail_out_of_memory(builder->context);
    imp_Status status = has_solids ? add_solids(builder, result) : add_whole(builder, load, result);
    if (status == IMP_STATUS_OK)
        status = set_remark(builder, result, has_solids ? builder->solids.count - result->body_count : 0);
    if (status == IMP_STATUS_OK)
        *scene = result;
    else
        imp_scene_destroy(result);
    return status;
}
