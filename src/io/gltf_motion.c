#include "io/gltf_motion.h"

#include "io/gltf_accessor.h"

#include <math.h>

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

// The numbers of a key that stand in one or several elements; `part` counts: before, value, behind.
static void read_key_part(const impi_GltfChannel *channel, const impi_GltfAccessor *values, size_t key,
                          size_t part, double *out)
{
    size_t element_count = channel->width / values->width;
    size_t first = (3 * key + part) * element_count;
    for (size_t i = 0; i < element_count; ++i) {
        double numbers[IMPI_GLTF_MAX_WIDTH];
        impi_gltf_accessor_get(values, first + i, numbers);
        for (unsigned k = 0; k < values->width; ++k)
            *out++ = numbers[k];
    }
}

static imp_Status read_tangents(const impi_Gltf *gltf, const impi_GltfChannel *channel, imp_Scene *scene,
                                impi_Track *track)
{
    size_t key_count = gltf->accessors[channel->input].count, width = channel->width;
    track->tangents =
        impi_arena_allocate_array(&scene->arena, 2 * key_count * width, sizeof *track->tangents);
    if (!track->tangents)
        return impi_fail_out_of_memory(gltf->context);
    for (size_t key = 0; key < key_count; ++key)
        for (size_t side = 0; side < 2; ++side)
            read_key_part(channel, &gltf->accessors[channel->output], key, 2 * side,
                          track->tangents + (2 * key + side) * width);
    for (size_t i = 0; i < 2 * key_count * width; ++i)
        if (!isfinite(track->tangents[i])) {
            impi_Place place = IMPI_NO_PLACE;
            place.file = gltf->file_name;
            return impi_fail_at(gltf->context, IMP_STATUS_BAD_FILE, place,
                                "accessor %u: a tangent is not finite", (unsigned)channel->output);
        }
    return IMP_STATUS_OK;
}

static imp_Status refine_track(const impi_Gltf *gltf, const impi_GltfChannel *channel, imp_Scene *scene,
                               impi_Track *track)
{
    // A single key was written twice.
    track->key_count = gltf->accessors[channel->input].count;
    for (size_t i = 0; i < track->key_count; ++i) {
        double numbers[IMPI_GLTF_MAX_WIDTH];
        impi_gltf_accessor_get(&gltf->accessors[channel->input], i, numbers);
        track->times[i] = numbers[0];
    }
    track->interpolation = channel->interpolation;
    if (track->interpolation == IMPI_INTERPOLATE_CUBIC)
        return read_tangents(gltf, channel, scene, track);
    return IMP_STATUS_OK;
}

imp_Status impi_gltf_refine_scene(const impi_Gltf *gltf, imp_Scene *scene)
{
    size_t size = gltf->node_count * sizeof(impi_SceneNode *);
    impi_SceneNode **by_number = impi_allocate(&gltf->context->allocator, size);
    if (!by_number)
        return impi_fail_out_of_memory(gltf->context);
    for (uint32_t i = 0; i < gltf->node_count; ++i)
        by_number[i] = NULL;
    for (uint32_t i = 0; i < scene->node_count; ++i) {
        impi_SceneNode *node = &scene->nodes[i];
        if (node->number >= gltf->node_count)
            continue;
        by_number[node->number] = node;
        place_node(&gltf->nodes[node->number], node);
    }
    imp_Status status = IMP_STATUS_OK;
    for (uint32_t i = 0; i < gltf->channel_count && status == IMP_STATUS_OK; ++i) {
        const impi_GltfChannel *channel = &gltf->channels[i];
        impi_SceneNode *node = by_number[channel->node];
        impi_Track *track = node ? node->tracks[channel->path] : NULL;
        if (channel->plays && track && track->width == channel->width)
            status = refine_track(gltf, channel, scene, track);
    }
    impi_release(&gltf->context->allocator, by_number, size);
    return status;
}
