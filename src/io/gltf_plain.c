#include "io/gltf_plain.h"

#include "io/byte_order.h"
#include "io/gltf_accessor.h"
#include "io/text_buffer.h"

#include <math.h>
#include <string.h>

#define MODE_TRIANGLES 4

typedef struct Writer {
    impi_Gltf *gltf;
    imp_Status status;
    impi_Text meshes, nodes, skins, samplers, channels, accessors, views; // what stands in each array
    IMPI_ARRAY(unsigned char) binary;
    uint32_t mesh_count, skin_count, channel_count, accessor_count;
    uint32_t *float_copies, *index_copies; // of accessors that were written; IMPI_GLTF_NONE where not
    size_t vertex_total;
} Writer;

static void fail_at_accessor(Writer *writer, uint32_t accessor, size_t element, const char *what)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = writer->gltf->file_name;
    place.index = element;
    if (writer->status == IMP_STATUS_OK)
        writer->status = impi_fail_at(writer->gltf->context, IMP_STATUS_BAD_FILE, place,
                                      "accessor %u: element %zu %s", (unsigned)accessor, element, what);
}

static void separate(impi_Text *text)
{
    if (text->bytes.count > 0)
        impi_text_put(text, ",");
}

// Room for an array of 4-byte numbers; null after a failure. `*accessor` is what it will be called.
static unsigned char *add_array(Writer *writer, size_t count, unsigned width, const char *type,
                                impi_GltfComponent component, uint32_t *accessor)
{
    size_t begin = writer->binary.count, size = count * width * 4;
    *accessor = writer->accessor_count++;
    if (writer->status == IMP_STATUS_OK &&
        !impi_array_reserve(&writer->gltf->context->allocator, &writer->binary, 1, begin + size))
        writer->status = impi_fail_out_of_memory(writer->gltf->context);
    if (writer->status != IMP_STATUS_OK)
        return NULL;
    writer->binary.count += size;
    separate(&writer->views);
    impi_text_printf(&writer->views, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", begin, size);
    separate(&writer->accessors);
    impi_text_printf(&writer->accessors,
                     "{\"bufferView\":%u,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"}",
                     (unsigned)*accessor, (int)component, count, type);
    return writer->binary.data + begin;
}

static void store_float(unsigned char *bytes, double number)
{
    impi_store_float(bytes, (float)number, IMPI_HOST_IS_BIG_ENDIAN);
}

static void store_u32(unsigned char *bytes, uint32_t number)
{
    impi_store_u32(bytes, number, IMPI_HOST_IS_BIG_ENDIAN);
}

static const char *type_name(unsigned width)
{
    return width == 1 ? "SCALAR" : width == 3 ? "VEC3" : width == 4 ? "VEC4" : "MAT4";
}

// Which elements of an accessor to write: runs of `length`, one every `stride`, from `first` on, and all of
// it `times`.
typedef struct Selection {
    size_t first, length, stride, run_count, times;
} Selection;

static uint32_t write_floats(Writer *writer, uint32_t accessor, Selection selection)
{
    const impi_GltfAccessor *source = &writer->gltf->accessors[accessor];
    unsigned width = source->width;
    uint32_t copy;
    size_t count = selection.times * selection.run_count * selection.length;
    unsigned char *out = add_array(writer, count, width, type_name(width), IMPI_GLTF_FLOAT, &copy);
    for (size_t i = 0; out && i < count; ++i) {
        size_t run = i / selection.length % selection.run_count;
        size_t element = selection.first + run * selection.stride + i % selection.length;
        double numbers[IMPI_GLTF_MAX_WIDTH];
        impi_gltf_accessor_get(source, element, numbers);
        for (unsigned k = 0; k < width; ++k, out += 4) {
            if (!isfinite(numbers[k]))
                fail_at_accessor(writer, accessor, element, "is not finite");
            store_float(out, numbers[k]);
        }
    }
    return copy;
}

static uint32_t write_all_floats(Writer *writer, uint32_t accessor)
{
    uint32_t *copy = &writer->float_copies[accessor];
    size_t count = writer->gltf->accessors[accessor].count;
    if (*copy == IMPI_GLTF_NONE)
        *copy = write_floats(writer, accessor, (Selection){0, count, count, 1, 1});
    return *copy;
}

// Indices are checked against the vertices of each primitive that uses them.
static uint32_t write_indices(Writer *writer, uint32_t accessor, size_t vertex_count)
{
    const impi_GltfAccessor *source = &writer->gltf->accessors[accessor];
    uint32_t *copy = &writer->index_copies[accessor];
    unsigned char *out = NULL;
    if (*copy == IMPI_GLTF_NONE)
        out = add_array(writer, source->count, 1, "SCALAR", IMPI_GLTF_UNSIGNED_INT, copy);
    for (size_t i = 0; writer->status == IMP_STATUS_OK && i < source->count; ++i) {
        double numbers[IMPI_GLTF_MAX_WIDTH];
        impi_gltf_accessor_get(source, i, numbers);
        if (numbers[0] >= (double)vertex_count)
            fail_at_accessor(writer, accessor, i, "is the index of no vertex");
        else if (out)
            store_u32(out + 4 * i, (uint32_t)numbers[0]);
    }
    return *copy;
}

// Joints of weight 0 may be any; they become joint 0. Two joints go into 4 bytes.
static void write_joint_set(Writer *writer, const impi_GltfPrimitive *primitive, uint32_t set,
                            uint32_t joint_count)
{
    uint32_t joints = primitive->joints[set], weights = primitive->weights[set], copy;
    const impi_GltfAccessor *joint_source = &writer->gltf->accessors[joints],
                            *weight_source = &writer->gltf->accessors[weights];
    unsigned char *out = add_array(writer, joint_source->count, 2, "VEC4", IMPI_GLTF_UNSIGNED_SHORT, &copy);
    for (size_t i = 0; out && i < joint_source->count; ++i, out += 8) {
        double numbers[IMPI_GLTF_MAX_WIDTH], fractions[IMPI_GLTF_MAX_WIDTH];
        impi_gltf_accessor_get(joint_source, i, numbers);
        impi_gltf_accessor_get(weight_source, i, fractions);
        uint32_t indices[4];
        for (int k = 0; k < 4; ++k) {
            indices[k] = fractions[k] != 0 ? (uint32_t)numbers[k] : 0;
            if (indices[k] >= joint_count)
                fail_at_accessor(writer, joints, i, "is the index of no joint");
            if (fractions[k] < 0)
                fail_at_accessor(writer, weights, i, "is a negative weight");
        }
        store_u32(out, indices[0] | indices[1] << 16);
        store_u32(out + 4, indices[2] | indices[3] << 16);
    }
    impi_text_printf(&writer->meshes, ",\"JOINTS_%u\":%u,\"WEIGHTS_%u\":%u", (unsigned)set, (unsigned)copy,
                     (unsigned)set, (unsigned)write_all_floats(writer, weights));
}

static void write_targets(Writer *writer, const impi_GltfPrimitive *primitive, uint32_t target_count)
{
    if (target_count == 0)
        return;
    impi_text_put(&writer->meshes, ",\"targets\":[");
    for (uint32_t i = 0; i < target_count; ++i) {
        uint32_t target = primitive->targets[i];
        impi_text_put(&writer->meshes, i > 0 ? ",{" : "{");
        if (target != IMPI_GLTF_NONE)
            impi_text_printf(&writer->meshes, "\"POSITION\":%u", (unsigned)write_all_floats(writer, target));
        impi_text_put(&writer->meshes, "}");
    }
    impi_text_put(&writer->meshes, "]");
}

static void write_primitive(Writer *writer, const impi_GltfNode *node, const impi_GltfPrimitive *primitive)
{
    const impi_Gltf *gltf = writer->gltf;
    impi_Text *text = &writer->meshes;
    size_t vertex_count = gltf->accessors[primitive->position].count;
    writer->vertex_total += vertex_count;
    impi_text_printf(text, "{\"mode\":%u,\"attributes\":{\"POSITION\":%u", (unsigned)primitive->mode,
                     (unsigned)write_all_floats(writer, primitive->position));
    for (uint32_t set = 0; node->skin != IMPI_GLTF_NONE && set < primitive->joint_set_count; ++set)
        write_joint_set(writer, primitive, set, gltf->skins[node->skin].joint_count);
    impi_text_put(text, "}");
    write_targets(writer, primitive, gltf->meshes[node->mesh].target_count);
    if (primitive->indices != IMPI_GLTF_NONE) {
        writer->vertex_total += gltf->accessors[primitive->indices].count;
        impi_text_printf(text, ",\"indices\":%u",
                         (unsigned)write_indices(writer, primitive->indices, vertex_count));
    }
    impi_text_put(text, "}");
    if (writer->vertex_total > IMPI_MAX_SCENE_VERTICES && writer->status == IMP_STATUS_OK) {
        impi_Place place = IMPI_NO_PLACE;
        place.file = gltf->file_name;
        writer->status = impi_fail_at(gltf->context, IMP_STATUS_TOO_LARGE, place,
                                      "its bodies have more than %zu vertices and corners together",
                                      IMPI_MAX_SCENE_VERTICES);
    }
}

static void put_numbers(impi_Text *text, const char *key, const double *numbers, size_t count)
{
    impi_text_printf(text, ",\"%s\":[", key);
    for (size_t i = 0; i < count; ++i) {
        impi_text_put(text, i > 0 ? "," : "");
        impi_text_put_double(text, numbers[i]);
    }
    impi_text_put(text, "]");
}

static bool has_triangles(const impi_GltfMesh *mesh)
{
    for (uint32_t i = 0; i < mesh->primitive_count; ++i)
        if (mesh->primitives[i].mode >= MODE_TRIANGLES)
            return true;
    return false;
}

static void write_mesh(Writer *writer, const impi_GltfNode *node)
{
    const impi_GltfMesh *mesh = &writer->gltf->meshes[node->mesh];
    impi_Text *text = &writer->meshes;
    bool is_first = true;
    separate(text);
    impi_text_put(text, "{\"primitives\":[");
    for (uint32_t i = 0; i < mesh->primitive_count && writer->status == IMP_STATUS_OK; ++i) {
        if (mesh->primitives[i].mode < MODE_TRIANGLES)
            continue;
        impi_text_put(text, is_first ? "" : ",");
        write_primitive(writer, node, &mesh->primitives[i]);
        is_first = false;
    }
    impi_text_put(text, "]");
    const double *weights = node->weights ? node->weights : mesh->weights;
    if (weights && mesh->target_count > 0)
        put_numbers(text, "weights", weights, mesh->target_count);
    impi_text_put(text, "}");
}

static uint32_t write_inverse_binds(Writer *writer, const impi_GltfSkin *skin)
{
    if (skin->inverse_binds != IMPI_GLTF_NONE)
        return write_all_floats(writer, skin->inverse_binds);
    uint32_t copy;
    unsigned char *out = add_array(writer, skin->joint_count, 16, "MAT4", IMPI_GLTF_FLOAT, &copy);
    for (size_t i = 0; out && i < 16 * (size_t)skin->joint_count; ++i)
        store_float(out + 4 * i, i % 16 % 5 == 0 ? 1 : 0);
    return copy;
}

static void put_indices(impi_Text *text, const uint32_t *indices, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
        impi_text_printf(text, i > 0 ? ",%u" : "%u", (unsigned)indices[i]);
}

static void write_skin(Writer *writer, const impi_GltfSkin *skin)
{
    separate(&writer->skins);
    impi_text_printf(&writer->skins, "{\"inverseBindMatrices\":%u,\"joints\":[",
                     (unsigned)write_inverse_binds(writer, skin));
    put_indices(&writer->skins, skin->joints, skin->joint_count);
    impi_text_put(&writer->skins, "]}");
}

static void write_placement(impi_Text *text, const impi_GltfNode *node)
{
    const imp_Transform *m = &node->matrix;
    const double matrix[16] = {m->rows[0][0],    m->rows[1][0],    m->rows[2][0],    0,
                               m->rows[0][1],    m->rows[1][1],    m->rows[2][1],    0,
                               m->rows[0][2],    m->rows[1][2],    m->rows[2][2],    0,
                               m->translation.x, m->translation.y, m->translation.z, 1};
    const double rotation[4] = {node->rotation.x, node->rotation.y, node->rotation.z, node->rotation.w};
    if (node->has_matrix) {
        put_numbers(text, "matrix", matrix, 16);
        return;
    }
    put_numbers(text, "translation", &node->translation.x, 3);
    put_numbers(text, "rotation", rotation, 4);
    put_numbers(text, "scale", &node->scale.x, 3);
}

static void write_node(Writer *writer, uint32_t index)
{
    const impi_GltfNode *node = &writer->gltf->nodes[index];
    impi_Text *text = &writer->nodes;
    separate(text);
    impi_text_printf(text, "{\"name\":\"%u\"", (unsigned)index);
    if (node->in_scene) {
        write_placement(text, node);
        if (node->child_count > 0) {
            impi_text_put(text, ",\"children\":[");
            put_indices(text, node->children, node->child_count);
            impi_text_put(text, "]");
        }
        if (node->mesh != IMPI_GLTF_NONE && has_triangles(&writer->gltf->meshes[node->mesh])) {
            write_mesh(writer, node);
            impi_text_printf(text, ",\"mesh\":%u", (unsigned)writer->mesh_count++);
            if (node->skin != IMPI_GLTF_NONE) {
                write_skin(writer, &writer->gltf->skins[node->skin]);
                impi_text_printf(text, ",\"skin\":%u", (unsigned)writer->skin_count++);
            }
        }
    }
    impi_text_put(text, "}");
}

static void write_channel(Writer *writer, const impi_GltfChannel *channel)
{
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    const impi_Gltf *gltf = writer->gltf;
    size_t key_count = gltf->accessors[channel->input].count;
    // A key is several elements when it holds weights, and three times as many when it holds tangents too.
    size_t length = channel->width / gltf->accessors[channel->output].width;
    bool is_cubic = channel->interpolation == IMPI_INTERPOLATE_CUBIC;
    size_t times = key_count == 1 ? 2 : 1;
    Selection values = {is_cubic ? length : 0, length, is_cubic ? 3 * length : length, key_count, times};
    uint32_t input = times == 1 ? write_all_floats(writer, channel->input)
                                : write_floats(writer, channel->input, (Selection){0, 1, 1, 1, 2});
    uint32_t output = write_floats(writer, channel->output, values);
    separate(&writer->samplers);
    impi_text_printf(&writer->samplers, "{\"input\":%u,\"output\":%u}", (unsigned)input, (unsigned)output);
    separate(&writer->channels);
    impi_text_printf(&writer->channels, "{\"sampler\":%u,\"target\":{\"node\":%u,\"path\":\"%s\"}}",
                     (unsigned)writer->channel_count++, (unsigned)channel->node, paths[channel->path]);
}

static void put_array(impi_Text *json, const char *key, impi_Text *items)
{
    if (items->out_of_memory)
        json->out_of_memory = true;
    if (items->bytes.count == 0)
        return;
    impi_text_printf(json, ",\"%s\":[", key);
    impi_text_append(json, items->bytes.data, items->bytes.count);
    impi_text_put(json, "]");
}

static void put_document(Writer *writer, impi_Text *json)
{
    impi_text_printf(json, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"buffers\":[{\"byteLength\":%zu}]",
                     writer->binary.count);
    impi_text_put(json, ",\"scenes\":[{\"nodes\":[");
    put_indices(json, writer->gltf->roots, writer->gltf->root_count);
    impi_text_put(json, "]}]");
    put_array(json, "nodes", &writer->nodes);
    put_array(json, "meshes", &writer->meshes);
    put_array(json, "skins", &writer->skins);
    put_array(json, "accessors", &writer->accessors);
    put_array(json, "bufferViews", &writer->views);
    if (writer->channel_count > 0) {
        impi_text_put(json, ",\"animations\":[{\"channels\":[");
        impi_text_append(json, writer->channels.bytes.data, writer->channels.bytes.count);
        impi_text_put(json, "]");
        put_array(json, "samplers", &writer->samplers);
        impi_text_put(json, "}]");
    }
    impi_text_put(json, "}");
    if (writer->channels.out_of_memory)
        json->out_of_memory = true;
    while (json->bytes.count % 4 != 0 && !json->out_of_memory)
        impi_text_put(json, " ");
}

// Header and chunks; see gltf_buffers.c.
static imp_Status join(Writer *writer, impi_Text *json, impi_PlainGltf *plain)
{
    const impi_Gltf *gltf = writer->gltf;
    put_document(writer, json);
    if (json->out_of_memory)
        return impi_fail_out_of_memory(gltf->context);
    size_t json_size = json->bytes.count, binary_size = writer->binary.count;
    size_t size = 12 + 8 + json_size + 8 + binary_size;
    if (size > UINT32_MAX) {
        impi_Place place = IMPI_NO_PLACE;
        place.file = gltf->file_name;
        return impi_fail_at(gltf->context, IMP_STATUS_TOO_LARGE, place, "it holds more than 4 GiB");
    }
    unsigned char *bytes = impi_allocate(&gltf->context->allocator, size), *at = bytes;
    if (!bytes)
        return impi_fail_out_of_memory(gltf->context);
    const uint32_t header[] = {0x46546C67, 2, (uint32_t)size, (uint32_t)json_size, 0x4E4F534A};
    const uint32_t binary_header[] = {(uint32_t)binary_size, 0x004E4942};
    for (int i = 0; i < 5; ++i, at += 4)
        store_u32(at, header[i]);
    memcpy(at, json->bytes.data, json_size);
    at += json_size;
    store_u32(at, binary_header[0]);
    store_u32(at + 4, binary_header[1]);
    memcpy(at + 8, writer->binary.data, binary_size);
    *plain = (impi_PlainGltf){bytes, size};
    return IMP_STATUS_OK;
}

static void write_scene(Writer *writer)
{
    impi_Gltf *gltf = writer->gltf;
    size_t size = gltf->accessor_count * sizeof(uint32_t);
    writer->float_copies = impi_arena_allocate(&gltf->arena, size);
    writer->index_copies = impi_arena_allocate(&gltf->arena, size);
    if (!writer->float_copies || !writer->index_copies) {
        writer->status = impi_fail_out_of_memory(gltf->context);
        return;
    }
    memset(writer->float_copies, 0xFF, size);
    memset(writer->index_copies, 0xFF, size);
    for (uint32_t i = 0; i < gltf->node_count && writer->status == IMP_STATUS_OK; ++i)
        write_node(writer, i);
    for (uint32_t i = 0; i < gltf->channel_count && writer->status == IMP_STATUS_OK; ++i)
        if (gltf->channels[i].plays)
            write_channel(writer, &gltf->channels[i]);
    if (writer->status == IMP_STATUS_OK && writer->mesh_count == 0) {
        impi_Place place = IMPI_NO_PLACE;
        place.file = gltf->file_name;
        writer->status =
            impi_fail_at(gltf->context, IMP_STATUS_BAD_SHAPE, place, "the scene has no triangles");
    }
}

imp_Status impi_gltf_write_plain(impi_Gltf *gltf, impi_PlainGltf *plain)
{
    const imp_Allocator *allocator = &gltf->context->allocator;
    Writer writer = {.gltf = gltf};
    impi_Text json, *const texts[] = {&writer.meshes,   &writer.nodes,     &writer.skins, &writer.samplers,
                                      &writer.channels, &writer.accessors, &writer.views, &json};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        impi_text_init(texts[i], allocator);
    write_scene(&writer);
    imp_Status status = writer.status;
    if (status == IMP_STATUS_OK)
        status = join(&writer, &json, plain);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        impi_text_free(texts[i]);
    impi_array_free(allocator, &writer.binary, 1);
    return status;
}

void impi_gltf_free_plain(const impi_Gltf *gltf, impi_PlainGltf *plain)
{
    impi_release(&gltf->context->allocator, plain->bytes, plain->size);
    *plain = (impi_PlainGltf){0};
}
