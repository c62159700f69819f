// Each animation has channels, which say what moves, and samplers, which say how:
//
//     "animations": [{"channels": [{"sampler": 0, "target": {"node": 3, "path": "rotation"}}],
//                     "samplers": [{"input": 7, "output": 8, "interpolation": "LINEAR"}]}]

#include "io/gltf_accessor.h"
#include "io/gltf_nodes.h"

#include <math.h>

// Which of `names` a member is; `absent` where there is none. IMPI_GLTF_NONE when it is none of them.
static uint32_t read_word(impi_GltfReader *reader, const impi_JsonValue *object, const char *key,
                          const char *const *names, uint32_t name_count, uint32_t absent)
{
    const impi_JsonValue *word = impi_json_member(&reader->gltf->json, object, key);
    if (!word)
        return absent;
    for (uint32_t i = 0; i < name_count; ++i)
        if (impi_json_is_text(&reader->gltf->json, word, names[i]))
            return i;
    return IMPI_GLTF_NONE;
}

static void check_times(impi_GltfReader *reader, const impi_JsonValue *sampler, uint32_t input)
{
    impi_GltfAccessor *times = &reader->gltf->accessors[input];
    if (times->are_times)
        return;
    if (times->component != IMPI_GLTF_FLOAT || times->width != 1 || !impi_gltf_is_stored(times)) {
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, sampler, "accessor %u for times holds no single floats",
                       (unsigned)input);
        return;
    }
    double last = -1, numbers[IMPI_GLTF_BLOCK];
    for (size_t first = 0, count; first < times->count && impi_gltf_goes_on(reader, 0); first += count) {
        count = impi_gltf_accessor_read_block(times, first, numbers);
        for (size_t i = 0; i < count; ++i) {
            if (isfinite(numbers[i]) && numbers[i] >= 0 && numbers[i] > last) {
                last = numbers[i];
                continue;
            }
            impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, sampler, "time %zu of accessor %u is %s", first + i,
                           (unsigned)input,
                           !isfinite(numbers[i]) ? "not finite"
                           : numbers[i] < 0      ? "negative"
                                                 : "not later than the one before");
            return;
        }
    }
    times->are_times = reader->status == IMP_STATUS_OK;
}

// Tangents may have any length.
static void check_rotations(impi_GltfReader *reader, const impi_JsonValue *sampler,
                            const impi_GltfChannel *channel)
{
    const impi_GltfAccessor *values = &reader->gltf->accessors[channel->output];
    bool is_cubic = channel->interpolation == IMPI_INTERPOLATE_CUBIC;
    double numbers[IMPI_GLTF_BLOCK];
    for (size_t first = 0, count; first < values->count && impi_gltf_goes_on(reader, 0); first += count) {
        count = impi_gltf_accessor_read_block(values, first, numbers);
        for (size_t i = 0; i < count; ++i) {
            const double *q = numbers + 4 * i;
            double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
            if (fabs(norm - 1) <= IMPI_GLTF_UNIT_TOLERANCE || (is_cubic && (first + i) % 3 != 1))
                continue;
            impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, sampler,
                           "rotation %zu of accessor %u is no quaternion of unit length", first + i,
                           (unsigned)channel->output);
            return;
        }
    }
}

// Rotations and weights may be normalized integers.
static void check_values(impi_GltfReader *reader, const impi_JsonValue *sampler,
                         const impi_GltfChannel *channel)
{
    const impi_Gltf *gltf = reader->gltf;
    const impi_GltfAccessor *values = &gltf->accessors[channel->output];
    bool is_moving = channel->path == IMPI_PATH_TRANSLATION || channel->path == IMPI_PATH_SCALE;
    unsigned width = channel->path == IMPI_PATH_WEIGHTS ? 1 : channel->width;
    size_t count = gltf->accessors[channel->input].count * channel->width / width;
    if (channel->interpolation == IMPI_INTERPOLATE_CUBIC)
        count *= 3;
    if (values->width != width || !impi_gltf_is_stored(values) ||
        (values->component != IMPI_GLTF_FLOAT && (is_moving || !values->normalized)))
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, sampler, "accessor %u for keys has a wrong type",
                       (unsigned)channel->output);
    else if (values->count != count)
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, sampler, "accessor %u has %zu elements instead of %zu",
                       (unsigned)channel->output, values->count, count);
    else if (channel->path == IMPI_PATH_ROTATION)
        check_rotations(reader, sampler, channel);
}

static void read_sampler(impi_GltfReader *reader, const impi_JsonValue *sampler, impi_GltfChannel *channel)
{
    static const char *const names[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    const impi_Gltf *gltf = reader->gltf;
    uint32_t kind = read_word(reader, sampler, "interpolation", names, 3, IMPI_INTERPOLATE_LINEAR);
    channel->input = impi_gltf_needed_index(reader, sampler, "input", "accessor", gltf->accessor_count);
    channel->output = impi_gltf_needed_index(reader, sampler, "output", "accessor", gltf->accessor_count);
    if (kind == IMPI_GLTF_NONE)
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, sampler, "its interpolation is none of glTF's");
    if (reader->status != IMP_STATUS_OK)
        return;
    channel->interpolation = (impi_Interpolation)kind;
    check_times(reader, sampler, channel->input);
    check_values(reader, sampler, channel);
}

// Where each item of an array stands, so that it can be had by number; null after a failure.
static const impi_JsonValue **list_items(impi_GltfReader *reader, const impi_JsonValue *array, uint32_t count)
{
    const impi_JsonValue **items = impi_gltf_allocate(reader, count, sizeof *items);
    for (uint32_t i = 0; items && i < count; ++i)
        items[i] = i == 0 ? array + 1 : impi_json_next(&reader->gltf->json, items[i - 1]);
    return items;
}

// Returns false for a channel that moves nothing here: without a node, or with a path that is none of glTF's
// own.
static bool read_target(impi_GltfReader *reader, const impi_JsonValue *object, impi_GltfChannel *channel)
{
    static const char *const names[] = {"translation", "rotation", "scale", "weights"};
    static const unsigned widths[] = {3, 4, 3};
    const impi_Gltf *gltf = reader->gltf;
    const impi_JsonValue *target = impi_json_member(&gltf->json, object, "target");
    channel->node = impi_gltf_index(reader, target, "node", "node", gltf->node_count);
    uint32_t path = read_word(reader, target, "path", names, 4, IMPI_GLTF_NONE);
    if (reader->status != IMP_STATUS_OK || channel->node == IMPI_GLTF_NONE || path == IMPI_GLTF_NONE) {
        ++reader->gltf->unplayed_count;
        return false;
    }
    const impi_GltfNode *node = &gltf->nodes[channel->node];
    channel->path = (impi_MotionPath)path;
    if (path == IMPI_PATH_WEIGHTS)
        channel->width = node->mesh == IMPI_GLTF_NONE ? 0 : gltf->meshes[node->mesh].target_count;
    else
        channel->width = widths[path];
    if (channel->width == 0)
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, object,
                       "it moves the morph targets of node %u, which has none", (unsigned)channel->node);
    else if (node->has_matrix && path != IMPI_PATH_WEIGHTS)
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, object, "it moves node %u, which has a matrix",
                       (unsigned)channel->node);
    return true;
}

static void read_animation(impi_GltfReader *reader, const impi_JsonValue *object)
{
    impi_Gltf *gltf = reader->gltf;
    uint32_t sampler_count, count;
    const impi_JsonValue *samplers = impi_gltf_array(reader, object, "samplers", &sampler_count);
    const impi_JsonValue *channels = impi_gltf_array(reader, object, "channels", &count);
    const impi_JsonValue **sampler_items = list_items(reader, samplers, sampler_count);
    const impi_JsonValue **items = list_items(reader, channels, count);
    for (uint32_t i = 0; items && i < count && reader->status == IMP_STATUS_OK; ++i) {
        impi_GltfChannel channel = {0};
        uint32_t sampler = impi_gltf_needed_index(reader, items[i], "sampler", "sampler", sampler_count);
        if (!read_target(reader, items[i], &channel) || reader->status != IMP_STATUS_OK)
            continue;
        read_sampler(reader, sampler_items[sampler], &channel);
        gltf->channels[gltf->channel_count++] = channel;
    }
}

static void count_channels(impi_GltfReader *reader, const impi_JsonValue *object)
{
    uint32_t count;
    impi_gltf_array(reader, object, "channels", &count);
    reader->gltf->channel_count += count;
}

// All animations play at once. Where several channels move the same, the last does.
static void choose_channels(impi_GltfReader *reader)
{
    impi_Gltf *gltf = reader->gltf;
    bool *is_taken = impi_gltf_allocate(reader, gltf->node_count, 4 * sizeof *is_taken);
    for (uint32_t i = gltf->channel_count; is_taken && i-- > 0;) {
        impi_GltfChannel *channel = &gltf->channels[i];
        bool *taken = &is_taken[4 * channel->node + channel->path];
        channel->plays = !*taken && gltf->nodes[channel->node].scene_index != IMPI_GLTF_NONE;
        gltf->overridden_count += *taken;
        *taken = true;
    }
}

void impi_gltf_read_animations(impi_GltfReader *reader)
{
    impi_Gltf *gltf = reader->gltf;
    impi_gltf_read_items(reader, "animations", "animation", count_channels);
    gltf->channels = impi_gltf_allocate(reader, gltf->channel_count, sizeof *gltf->channels);
    gltf->channel_count = 0;
    impi_gltf_read_items(reader, "animations", "animation", read_animation);
    choose_channels(reader);
}
