#include "io/gltf_meshes.h"

#ifdef IMPINGE_ASSIMP_SONAME

#include "io/assimp_nodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Where a file does not say how long a tick is.
#define DEFAULT_TICKS_PER_SECOND 25

static imp_Status fail(const impi_AssimpReader *reader, imp_Status status, const char *what)
{
    return impi_assimp_fail(reader->context, reader->file_name, status, what);
}

void *impi_assimp_allocate(impi_AssimpReader *reader, size_t count, size_t size)
{
    void *storage = impi_arena_allocate_array(&reader->scene->arena, count, size);
    if (storage)
        memset(storage, 0, count * size);
    else
        impi_fail_out_of_memory(reader->context);
    return storage;
}

// Returns 0 when the tree is too deep.
static uint32_t count_nodes(const C_STRUCT aiNode *node, int depth)
{
    uint32_t count = 1;
    if (depth > IMPI_MAX_ASSIMP_DEPTH)
        return 0;
    for (unsigned i = 0; i < node->mNumChildren; ++i) {
        uint32_t below = count_nodes(node->mChildren[i], depth + 1);
        if (below == 0)
            return 0;
        count += below;
    }
    return count;
}

static uint32_t read_number(const C_STRUCT aiString *name)
{
    char *end;
    unsigned long number = strtoul(name->data, &end, 10);
    bool is_number = name->data[0] >= '0' && name->data[0] <= '9' && *end == '\0';
    return is_number && number < IMPI_NO_NODE ? (uint32_t)number : IMPI_NO_NODE;
}

static void add_nodes(impi_AssimpReader *reader, const C_STRUCT aiNode *source, uint32_t parent)
{
    imp_Scene *scene = reader->scene;
    uint32_t index = scene->node_count++;
    impi_SceneNode *node = &scene->nodes[index];
    imp_Transform matrix = impi_assimp_matrix(&source->mTransformation);
    node->parent = parent;
    node->number = reader->names_are_numbers ? read_number(&source->mName) : IMPI_NO_NODE;
    impi_node_set_matrix(node, &matrix);
    reader->nodes[index] = reader->by_name[index] = (impi_AssimpNode){source, index};
    for (unsigned i = 0; i < source->mNumChildren; ++i)
        add_nodes(reader, source->mChildren[i], index);
}

static int compare_names(const void *a, const void *b)
{
    const impi_AssimpNode *node_a = a, *node_b = b;
    int order = strcmp(node_a->source->mName.data, node_b->source->mName.data);
    return order != 0 ? order : (node_a->index > node_b->index) - (node_a->index < node_b->index);
}

imp_Status impi_assimp_read_nodes(impi_AssimpReader *reader)
{
    const C_STRUCT aiNode *root = reader->source->mRootNode;
    uint32_t count = root ? count_nodes(root, 0) : 0;
    if (!root)
        return fail(reader, IMP_STATUS_BAD_SHAPE, "the file has no scene");
    if (count == 0)
        return fail(reader, IMP_STATUS_UNSUPPORTED, "its nodes are nested too deeply");
    reader->scene->nodes = impi_assimp_allocate(reader, count, sizeof *reader->scene->nodes);
    reader->nodes = impi_assimp_allocate(reader, count, sizeof *reader->nodes);
    reader->by_name = impi_assimp_allocate(reader, count, sizeof *reader->by_name);
    if (!reader->scene->nodes || !reader->nodes || !reader->by_name)
        return IMP_STATUS_OUT_OF_MEMORY;
    add_nodes(reader, root, IMPI_NO_NODE);
    qsort(reader->by_name, count, sizeof *reader->by_name, compare_names);
    return IMP_STATUS_OK;
}

uint32_t impi_assimp_find_node(const impi_AssimpReader *reader, const C_STRUCT aiString *name)
{
    uint32_t low = 0, high = reader->scene->node_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(reader->by_name[middle].source->mName.data, name->data) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < reader->scene->node_count && strcmp(reader->by_name[low].source->mName.data, name->data) == 0)
        return reader->by_name[low].index;
    return IMPI_NO_NODE;
}

static impi_Track *add_track(impi_AssimpReader *reader, size_t key_count, unsigned width)
{
    impi_Track *track = impi_assimp_allocate(reader, 1, sizeof *track);
    double *times = impi_assimp_allocate(reader, key_count, sizeof *times);
    double *values = impi_assimp_allocate(reader, key_count * width, sizeof *values);
    if (!track || !times || !values)
        return NULL;
    *track = (impi_Track){.key_count = key_count, .width = width, .times = times, .values = values};
    return track;
}

static imp_Status check_track(impi_AssimpReader *reader, const impi_Track *track)
{
    for (size_t i = 0; i < track->key_count; ++i) {
        if (!isfinite(track->times[i]) || (i > 0 && track->times[i] < track->times[i - 1]))
            return fail(reader, IMP_STATUS_BAD_FILE, "the times of an animation do not ascend");
        const double *values = track->values + i * track->width;
        double size = 0;
        for (unsigned k = 0; k < track->width; ++k)
            size += fabs(values[k]);
        if (!isfinite(size))
            return fail(reader, IMP_STATUS_BAD_FILE, "a key of an animation is not finite");
        if (track->is_rotation && size == 0)
            return fail(reader, IMP_STATUS_BAD_FILE, "a rotation of an animation is zero");
    }
    return IMP_STATUS_OK;
}

static double ticks_per_second(const C_STRUCT aiAnimation *animation)
{
    return animation->mTicksPerSecond > 0 ? animation->mTicksPerSecond : DEFAULT_TICKS_PER_SECOND;
}

// A single key is the place of what does not move.
static imp_Status read_vectors(impi_AssimpReader *reader, const C_STRUCT aiVectorKey *keys, unsigned count,
                               double ticks, impi_Track **result)
{
    impi_Track *track = add_track(reader, count, 3);
    if (!track)
        return IMP_STATUS_OUT_OF_MEMORY;
    for (unsigned i = 0; i < count; ++i) {
        track->times[i] = keys[i].mTime / ticks;
        track->values[3 * i] = (double)keys[i].mValue.x;
        track->values[3 * i + 1] = (double)keys[i].mValue.y;
        track->values[3 * i + 2] = (double)keys[i].mValue.z;
    }
    imp_Status status = check_track(reader, track);
    if (status == IMP_STATUS_OK)
        *result = track;
    return status;
}

static imp_Status read_rotations(impi_AssimpReader *reader, const C_STRUCT aiNodeAnim *channel, double ticks,
                                 impi_Track **result)
{
    impi_Track *track = add_track(reader, channel->mNumRotationKeys, 4);
    if (!track)
        return IMP_STATUS_OUT_OF_MEMORY;
    track->is_rotation = true;
    for (unsigned i = 0; i < channel->mNumRotationKeys; ++i) {
        const C_STRUCT aiQuatKey *key = &channel->mRotationKeys[i];
        track->times[i] = key->mTime / ticks;
        track->values[4 * i] = (double)key->mValue.x;
        track->values[4 * i + 1] = (double)key->mValue.y;
        track->values[4 * i + 2] = (double)key->mValue.z;
        track->values[4 * i + 3] = (double)key->mValue.w;
    }
    imp_Status status = check_track(reader, track);
    if (status == IMP_STATUS_OK)
        *result = track;
    return status;
}

// assimp makes up single keys for what does not move, so one key never replaces several.
static void set_track(impi_SceneNode *node, impi_MotionPath path, impi_Track *track)
{
    if (track && (track->key_count > 1 || !node->tracks[path]))
        node->tracks[path] = track;
}

static imp_Status read_channel(impi_AssimpReader *reader, const C_STRUCT aiNodeAnim *channel, double ticks)
{
    uint32_t index = impi_assimp_find_node(reader, &channel->mNodeName);
    impi_Track *translation = NULL, *rotation = NULL, *scale = NULL;
    imp_Status status = IMP_STATUS_OK;
    if (index == IMPI_NO_NODE)
        return IMP_STATUS_OK;
    if (channel->mNumPositionKeys > 0)
        status = read_vectors(reader, channel->mPositionKeys, channel->mNumPositionKeys, ticks, &translation);
    if (status == IMP_STATUS_OK && channel->mNumRotationKeys > 0)
        status = read_rotations(reader, channel, ticks, &rotation);
    if (status == IMP_STATUS_OK && channel->mNumScalingKeys > 0)
        status = read_vectors(reader, channel->mScalingKeys, channel->mNumScalingKeys, ticks, &scale);
    if (status != IMP_STATUS_OK)
        return status;
    impi_SceneNode *node = &reader->scene->nodes[index];
    set_track(node, IMPI_PATH_TRANSLATION, translation);
    set_track(node, IMPI_PATH_ROTATION, rotation);
    set_track(node, IMPI_PATH_SCALE, scale);
    return IMP_STATUS_OK;
}

static imp_Status read_weights(impi_AssimpReader *reader, const C_STRUCT aiMeshMorphAnim *channel,
                               double ticks)
{
    uint32_t index = impi_assimp_find_node(reader, &channel->mName);
    unsigned width = 0;
    for (unsigned i = 0; i < channel->mNumKeys; ++i)
        for (unsigned k = 0; k < channel->mKeys[i].mNumValuesAndWeights; ++k)
            if (channel->mKeys[i].mValues[k] >= width)
                width = channel->mKeys[i].mValues[k] + 1;
    if (index == IMPI_NO_NODE || width == 0)
        return IMP_STATUS_OK;
    if (width > IMPI_MAX_MORPH_TARGETS)
        return fail(reader, IMP_STATUS_UNSUPPORTED, "an animation has too many morph targets");
    impi_Track *track = add_track(reader, channel->mNumKeys, width);
    if (!track)
        return IMP_STATUS_OUT_OF_MEMORY;
    for (unsigned i = 0; i < channel->mNumKeys; ++i) {
        const C_STRUCT aiMeshMorphKey *key = &channel->mKeys[i];
        track->times[i] = key->mTime / ticks;
        for (unsigned k = 0; k < key->mNumValuesAndWeights; ++k)
            track->values[(size_t)i * width + key->mValues[k]] = key->mWeights[k];
    }
    set_track(&reader->scene->nodes[index], IMPI_PATH_WEIGHTS, track);
    return check_track(reader, track);
}

imp_Status impi_assimp_read_tracks(impi_AssimpReader *reader)
{
    imp_Status status = IMP_STATUS_OK;
    for (unsigned a = 0; a < reader->source->mNumAnimations; ++a) {
        const C_STRUCT aiAnimation *animation = reader->source->mAnimations[a];
        double ticks = ticks_per_second(animation);
        for (unsigned i = 0; i < animation->mNumChannels && status == IMP_STATUS_OK; ++i)
            status = read_channel(reader, animation->mChannels[i], ticks);
        for (unsigned i = 0; i < animation->mNumMorphMeshChannels && status == IMP_STATUS_OK; ++i)
            status = read_weights(reader, animation->mMorphMeshChannels[i], ticks);
    }
    // For glTF, places of what does not move are better known from the file itself.
    for (uint32_t i = 0; i < reader->scene->node_count && reader->names_are_numbers; ++i)
        for (int path = 0; path < IMPI_PATH_COUNT; ++path) {
            impi_Track **track = &reader->scene->nodes[i].tracks[path];
            if (*track && (*track)->key_count == 1)
                *track = NULL;
        }
    return status;
}

#endif
