#include "io/gltf_scene.h"

#include "io/gltf_accessor.h"
#include "io/gltf_body.h"

#include <stdio.h>

#define MAX_MADE_UP_NAME 32
#define KEYS_PER_LOOK    1024 // at the watch

static void *allocate(const impi_Gltf *gltf, imp_Scene *scene, size_t count, size_t size)
{
    void *storage = impi_arena_allocate_array(&scene->arena, count, size);
    if (!storage)
        impi_fail_out_of_memory(gltf->context);
    return storage;
}

// ---- nodes

static void place_node(const impi_GltfNode *source, impi_SceneNode *node)
{
    if (source->has_matrix) {
        impi_node_set_matrix(node, &source->matrix);
        return;
    }
    node->translation = source->translation;
    node->rotation = source->rotation;
    impi_node_set_scale(node, source->scale);
}

static imp_Status read_nodes(const impi_Gltf *gltf, imp_Scene *scene)
{
    scene->nodes = allocate(gltf, scene, gltf->scene_node_count, sizeof *scene->nodes);
    if (!scene->nodes)
        return IMP_STATUS_OUT_OF_MEMORY;
    scene->node_count = gltf->scene_node_count;
    for (uint32_t i = 0; i < scene->node_count; ++i) {
        const impi_GltfNode *source = &gltf->nodes[gltf->scene_nodes[i]];
        uint32_t parent = source->parent;
        scene->nodes[i] = (impi_SceneNode){
            .parent = parent == IMPI_GLTF_NONE ? IMPI_NO_NODE : gltf->nodes[parent].scene_index};
        place_node(source, &scene->nodes[i]);
    }
    return IMP_STATUS_OK;
}

// ---- tracks

// Of a cubic spline, a key is three times its numbers: the tangents before it, its values, the tangents
// behind it. Weights are an element each.
static imp_Status read_spline(imp_Context *context, const impi_Track *track, const impi_GltfAccessor *values)
{
    size_t width = track->width, length = width / values->width;
    for (size_t key = 0; key < track->key_count; ++key) {
        double *tangents = track->tangents + 2 * key * width;
        impi_gltf_accessor_read(values, 3 * key * length, length, tangents);
        impi_gltf_accessor_read(values, (3 * key + 1) * length, length, track->values + key * width);
        impi_gltf_accessor_read(values, (3 * key + 2) * length, length, tangents + width);
        if (key % KEYS_PER_LOOK == 0 && !impi_watch_goes_on(&context->watch))
            return impi_watch_status(context);
    }
    return IMP_STATUS_OK;
}

static imp_Status read_track(const impi_Gltf *gltf, const impi_GltfChannel *channel, imp_Scene *scene)
{
    const impi_GltfAccessor *times = &gltf->accessors[channel->input],
                            *values = &gltf->accessors[channel->output];
    size_t number_count = times->count * channel->width;
    bool is_cubic = channel->interpolation == IMPI_INTERPOLATE_CUBIC;
    impi_Track *track = allocate(gltf, scene, 1, sizeof *track);
    if (!track)
        return IMP_STATUS_OUT_OF_MEMORY;
    *track = (impi_Track){.interpolation = channel->interpolation,
                          .is_rotation = channel->path == IMPI_PATH_ROTATION,
                          .width = channel->width,
                          .key_count = times->count,
                          .times = allocate(gltf, scene, times->count, sizeof *track->times),
                          .values = allocate(gltf, scene, number_count, sizeof *track->values)};
    if (is_cubic)
        track->tangents = allocate(gltf, scene, 2 * number_count, sizeof *track->tangents);
    if (!track->times || !track->values || (is_cubic && !track->tangents))
        return IMP_STATUS_OUT_OF_MEMORY;
    imp_Status status = impi_gltf_accessor_read_all(gltf->context, times, track->times);
    if (status == IMP_STATUS_OK && is_cubic)
        status = read_spline(gltf->context, track, values);
    else if (status == IMP_STATUS_OK)
        status = impi_gltf_accessor_read_all(gltf->context, values, track->values);
    if (status != IMP_STATUS_OK)
        return status;
    scene->nodes[gltf->nodes[channel->node].scene_index].tracks[channel->path] = track;
    // The last key counts also where it changes nothing.
    if (track->times[track->key_count - 1] > scene->duration)
        scene->duration = track->times[track->key_count - 1];
    return IMP_STATUS_OK;
}

static imp_Status read_tracks(const impi_Gltf *gltf, imp_Scene *scene)
{
    imp_Status status = IMP_STATUS_OK;
    for (uint32_t i = 0; i < gltf->channel_count && status == IMP_STATUS_OK; ++i)
        if (gltf->channels[i].plays)
            status = read_track(gltf, &gltf->channels[i], scene);
    for (uint32_t i = 0; i < scene->node_count; ++i)
        impi_node_settle(&scene->nodes[i]);
    return status;
}

// ---- bodies

// The name in the file, or one by the node's number.
static char *copy_name(const impi_Gltf *gltf, uint32_t number, imp_Scene *scene)
{
    const impi_JsonValue *name = gltf->nodes[number].name;
    char *copy = allocate(gltf, scene, name ? (size_t)name->length + 1 : MAX_MADE_UP_NAME, 1);
    if (copy && name)
        impi_json_copy_text(&gltf->json, name, copy);
    else if (copy)
        snprintf(copy, MAX_MADE_UP_NAME, "node %u", (unsigned)number);
    return copy;
}

static bool is_body(const impi_Gltf *gltf, uint32_t number)
{
    uint32_t mesh = gltf->nodes[number].mesh;
    return mesh != IMPI_GLTF_NONE && gltf->meshes[mesh].has_triangles;
}

static imp_Status read_bodies(impi_Gltf *gltf, const impi_UnitConversion *conversion, imp_Scene *scene,
                              size_t *unheld_count)
{
    size_t count = 0;
    impi_GltfInstances instances;
    for (uint32_t i = 0; i < scene->node_count; ++i)
        count += is_body(gltf, gltf->scene_nodes[i]);
    scene->bodies = allocate(gltf, scene, count, sizeof *scene->bodies);
    if (!scene->bodies)
        return IMP_STATUS_OUT_OF_MEMORY;
    if (!impi_gltf_instances_make(gltf, count, &instances))
        return impi_fail_out_of_memory(gltf->context);
    for (uint32_t i = 0; i < scene->node_count; ++i) {
        uint32_t number = gltf->scene_nodes[i];
        if (!is_body(gltf, number))
            continue;
        impi_SceneBody *body = &scene->bodies[scene->body_count++];
        *body = (impi_SceneBody){.node = i, .name = copy_name(gltf, number, scene)};
        if (!body->name)
            return IMP_STATUS_OUT_OF_MEMORY;
        imp_Status status =
            impi_gltf_read_body(&(impi_GltfBodyDef){gltf, &gltf->nodes[number], conversion, &instances},
                                scene, body, unheld_count);
        if (status != IMP_STATUS_OK)
            return status;
    }
    return IMP_STATUS_OK;
}

// ---- the remark

static void separate(impi_Text *text)
{
    if (text->bytes.count > 0)
        impi_text_put(text, "; ");
}

static void write_remark(impi_Text *text, const impi_Gltf *gltf, size_t unheld_count)
{
    if (gltf->scene_count > 1)
        impi_text_printf(text, "only one of the %u scenes in the file is read", (unsigned)gltf->scene_count);
    if (gltf->overridden_count > 0) {
        separate(text);
        impi_text_printf(text, "%u animation %s does not play, because a later one moves the same",
                         (unsigned)gltf->overridden_count,
                         gltf->overridden_count == 1 ? "channel" : "channels");
    }
    if (gltf->unplayed_count > 0) {
        separate(text);
        impi_text_printf(text, "%u animation %s moves nothing that is known", (unsigned)gltf->unplayed_count,
                         gltf->unplayed_count == 1 ? "channel" : "channels");
    }
    if (unheld_count > 0) {
        separate(text);
        impi_text_printf(text, "%zu vertices of skins have no joint and follow their node", unheld_count);
    }
}

static imp_Status set_remark(const impi_Gltf *gltf, imp_Scene *scene, size_t unheld_count)
{
    impi_Text text;
    impi_text_init(&text, &gltf->context->allocator);
    write_remark(&text, gltf, unheld_count);
    return impi_scene_set_remark(scene, &text) ? IMP_STATUS_OK : impi_fail_out_of_memory(gltf->context);
}

imp_Status impi_gltf_make_scene(impi_Gltf *gltf, const impi_UnitConversion *conversion, imp_Scene **scene)
{
    size_t unheld_count = 0;
    imp_Scene *result = impi_scene_new(&gltf->context->allocator);
    if (!result)
        return impi_fail_out_of_memory(gltf->context);
    impi_watch_work(&gltf->context->watch, "making bodies", gltf->number_count);
    imp_Status status = read_nodes(gltf, result);
    if (status == IMP_STATUS_OK)
        status = read_tracks(gltf, result);
    if (status == IMP_STATUS_OK)
        status = read_bodies(gltf, conversion, result, &unheld_count);
    if (status == IMP_STATUS_OK)
        status = set_remark(gltf, result, unheld_count);
    result->conversion = *conversion; // not earlier: meshes are made in the unit of the file, and converted
    if (status == IMP_STATUS_OK)
        *scene = result;
    else
        imp_scene_destroy(result);
    return status;
}
