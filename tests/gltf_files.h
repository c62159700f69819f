/// Writes small glTF files for tests: piece by piece, or whole scenes by name.
///
///     GltfFile *file = gltf_new();
///     int mesh = gltf_box(file, 0, 0, 0, 1, 1, 1);
///     int node = gltf_node(file, true, "\"name\":\"box\",\"mesh\":%d", mesh);
///     gltf_animate(file, node, "translation", "LINEAR", 2, (float[]){0, 1}, 3, (float[]){0, 0, 0, 5, 0, 0});
///     gltf_save(file, path); // and frees it
#ifndef IMPINGE_TESTS_GLTF_FILES_H
#define IMPINGE_TESTS_GLTF_FILES_H

#include "harness.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GLTF_ROOM 65536

typedef struct GltfText {
    char text[GLTF_ROOM];
    size_t length;
    int count; // of items
} GltfText;

/// Every array of the file, as far as it is written.
typedef struct GltfFile {
    GltfText nodes, roots, meshes, skins, accessors, views, channels, samplers;
    GltfText extra; ///< further members of the file, each with a comma before it
    unsigned char binary[GLTF_ROOM];
    size_t binary_size;
} GltfFile;

static inline GltfFile *gltf_new(void)
{
    return calloc(1, sizeof(GltfFile));
}

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static inline void
gltf_put(GltfText *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->text + text->length, GLTF_ROOM - text->length, format, arguments);
    va_end(arguments);
    if (CHECK(length >= 0 && (size_t)length < GLTF_ROOM - text->length))
        text->length += (size_t)length;
}

// A comma where items are there already; returns the number of the item that follows.
static inline int gltf_next(GltfText *text)
{
    gltf_put(text, "%s", text->count > 0 ? "," : "");
    return text->count++;
}

/// Bytes as an accessor. `component` and `type` are glTF's.
static inline int gltf_array(GltfFile *file, const void *bytes, size_t size, int component, int count,
                             const char *type)
{
    while (file->binary_size % 4 != 0)
        ++file->binary_size;
    if (!CHECK(size <= GLTF_ROOM - file->binary_size))
        return 0;
    memcpy(file->binary + file->binary_size, bytes, size);
    int view = gltf_next(&file->views);
    gltf_put(&file->views, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", file->binary_size, size);
    file->binary_size += size;
    int accessor = gltf_next(&file->accessors);
    gltf_put(&file->accessors, "{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"}", view,
             component, count, type);
    return accessor;
}

/// `count` elements of `width` floats.
static inline int gltf_floats(GltfFile *file, int count, int width, const float *numbers)
{
    const char *type = width == 1 ? "SCALAR" : width == 3 ? "VEC3" : width == 4 ? "VEC4" : "MAT4";
    return gltf_array(file, numbers, (size_t)count * (size_t)width * sizeof *numbers, 5126, count, type);
}

static inline int gltf_shorts(GltfFile *file, int count, const uint16_t *numbers)
{
    return gltf_array(file, numbers, (size_t)count * sizeof *numbers, 5123, count, "SCALAR");
}

/// A mesh of one primitive. `more` goes behind its indices: ",\"targets\":[...]", or behind the primitives
/// after a closing "}]"; may be empty.
static inline int gltf_mesh(GltfFile *file, int position, int indices, const char *attributes,
                            const char *more)
{
    int mesh = gltf_next(&file->meshes);
    gltf_put(&file->meshes, "{\"primitives\":[{\"attributes\":{\"POSITION\":%d%s},\"indices\":%d%s}]}",
             position, attributes, indices, more);
    return mesh;
}

static const uint16_t gltf_box_indices[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                              1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};

/// The eight corners of a box, x fastest around the floor, then around the ceiling.
static inline void gltf_box_corners(float x0, float y0, float z0, float x1, float y1, float z1,
                                    float corners[24])
{
    const float all[24] = {x0, y0, z0, x1, y0, z0, x1, y1, z0, x0, y1, z0,
                           x0, y0, z1, x1, y0, z1, x1, y1, z1, x0, y1, z1};
    memcpy(corners, all, sizeof all);
}

/// A closed box of 12 triangles; returns the mesh.
static inline int gltf_box(GltfFile *file, float x0, float y0, float z0, float x1, float y1, float z1)
{
    float corners[24];
    gltf_box_corners(x0, y0, z0, x1, y1, z1, corners);
    int position = gltf_floats(file, 8, 3, corners);
    return gltf_mesh(file, position, gltf_shorts(file, 36, gltf_box_indices), "", "");
}

static const float gltf_tetrahedron_corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint16_t gltf_tetrahedron_indices[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

/// A closed tetrahedron at the origin, a unit along each axis; returns the mesh.
static inline int gltf_tetrahedron(GltfFile *file)
{
    int position = gltf_floats(file, 4, 3, gltf_tetrahedron_corners);
    return gltf_mesh(file, position, gltf_shorts(file, 12, gltf_tetrahedron_indices), "", "");
}

/// A node with these members; returns its number.
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static inline int
gltf_node(GltfFile *file, bool is_root, const char *format, ...)
{
    char members[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(members, sizeof members, format, arguments);
    va_end(arguments);
    int node = gltf_next(&file->nodes);
    gltf_put(&file->nodes, "{%s}", members);
    if (is_root) {
        gltf_next(&file->roots);
        gltf_put(&file->roots, "%d", node);
    }
    return node;
}

/// A channel of the file's animation. Keys have `width` numbers, three times as many for CUBICSPLINE; weights
/// are single numbers in the file.
static inline void gltf_animate(GltfFile *file, int node, const char *path, const char *interpolation,
                                int key_count, const float *times, int width, const float *values)
{
    int factor = strcmp(interpolation, "CUBICSPLINE") == 0 ? 3 : 1;
    int input = gltf_floats(file, key_count, 1, times);
    bool are_weights = strcmp(path, "weights") == 0;
    int output =
        gltf_floats(file, factor * key_count * (are_weights ? width : 1), are_weights ? 1 : width, values);
    int sampler = gltf_next(&file->samplers);
    gltf_put(&file->samplers, "{\"input\":%d,\"output\":%d,\"interpolation\":\"%s\"}", input, output,
             interpolation);
    gltf_next(&file->channels);
    gltf_put(&file->channels, "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", sampler, node,
             path);
}

// A member that is an array, unless it is empty.
static inline void gltf_put_array(GltfText *json, const char *key, const GltfText *items)
{
    if (items->count > 0)
        gltf_put(json, ",\"%s\":[%s]", key, items->text);
}

static inline void gltf_put_base64(GltfText *json, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        unsigned bits = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                        (left > 2 ? (unsigned)bytes[i + 2] : 0);
        gltf_put(json, "%c%c%c%c", digits[bits >> 18], digits[bits >> 12 & 63],
                 left > 1 ? digits[bits >> 6 & 63] : '=', left > 2 ? digits[bits & 63] : '=');
    }
}

/// The file's JSON, to be freed. `uri`: where its buffer is; null puts it into the text, empty into a binary
/// chunk.
static inline GltfText *gltf_json(const GltfFile *file, const char *uri)
{
    GltfText *json = calloc(1, sizeof *json);
    gltf_put(json, "{\"asset\":{\"version\":\"2.0\"}");
    if (file->roots.count > 0)
        gltf_put(json, ",\"scene\":0,\"scenes\":[{\"nodes\":[%s]}]", file->roots.text);
    gltf_put_array(json, "nodes", &file->nodes);
    gltf_put_array(json, "meshes", &file->meshes);
    gltf_put_array(json, "skins", &file->skins);
    if (file->channels.count > 0)
        gltf_put(json, ",\"animations\":[{\"channels\":[%s],\"samplers\":[%s]}]", file->channels.text,
                 file->samplers.text);
    gltf_put_array(json, "accessors", &file->accessors);
    gltf_put_array(json, "bufferViews", &file->views);
    gltf_put(json, "%s,\"buffers\":[{\"byteLength\":%zu", file->extra.text, file->binary_size);
    if (!uri) {
        gltf_put(json, ",\"uri\":\"data:application/octet-stream;base64,");
        gltf_put_base64(json, file->binary, file->binary_size);
        gltf_put(json, "\"");
    } else if (*uri) {
        gltf_put(json, ",\"uri\":\"%s\"", uri);
    }
    gltf_put(json, "}]}");
    return json;
}

static inline void gltf_write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, 1, size, file) == size);
    CHECK(file && fclose(file) == 0);
}

/// A .glb file in memory, to be freed.
static inline unsigned char *gltf_binary(const GltfFile *file, size_t *size)
{
    GltfText *json = gltf_json(file, "");
    while (json->length % 4 != 0)
        gltf_put(json, " ");
    uint32_t binary_size = (uint32_t)((file->binary_size + 3) / 4 * 4), json_size = (uint32_t)json->length;
    *size = 28 + json->length + binary_size;
    const uint32_t header[] = {0x46546C67, 2, (uint32_t)*size, json_size, 0x4E4F534A};
    const uint32_t binary_header[] = {binary_size, 0x004E4942};
    unsigned char *bytes = malloc(*size);
    memcpy(bytes, header, 20);
    memcpy(bytes + 20, json->text, json_size);
    memcpy(bytes + 20 + json_size, binary_header, 8);
    memcpy(bytes + 28 + json_size, file->binary, binary_size);
    free(json);
    return bytes;
}

/// Write and free it: as .glb where the path ends so, else as .gltf with the buffer inside.
static inline void gltf_save(GltfFile *file, const char *path)
{
    size_t length = strlen(path);
    if (length > 4 && strcmp(path + length - 4, ".glb") == 0) {
        size_t size;
        unsigned char *bytes = gltf_binary(file, &size);
        gltf_write_bytes(path, bytes, size);
        free(bytes);
    } else {
        GltfText *json = gltf_json(file, NULL);
        gltf_write_bytes(path, json->text, json->length);
        free(json);
    }
    free(file);
}

/// The same with `old` in its JSON, which must be there, replaced.
static inline void gltf_save_changed(GltfFile *file, const char *path, const char *old,
                                     const char *replacement)
{
    GltfText *json = gltf_json(file, NULL);
    char *at = strstr(json->text, old);
    if (CHECK(at != NULL)) {
        FILE *stream = fopen(path, "wb");
        if (CHECK(stream != NULL)) {
            fprintf(stream, "%.*s%s%s", (int)(at - json->text), json->text, replacement, at + strlen(old));
            fclose(stream);
        }
    } else {
        printf("  there is no %s\n", old);
    }
    free(json);
    free(file);
}

/// Two rigid bodies in 2 seconds: "floor", a box from (-4, -1, -4) to (4, 0, 4) that stays, and "block", a
/// cube of side 1 around its origin, which comes down from y = 2 to y = 0.25 at 1 s (they touch from y = 0.5
/// on) and goes up to y = 2 again. The file has 12 triangles per body.
static inline GltfFile *gltf_two_bodies(void)
{
    GltfFile *file = gltf_new();
    int floor = gltf_box(file, -4, -1, -4, 4, 0, 4);
    int block = gltf_box(file, -0.5f, -0.5f, -0.5f, 0.5f, 0.5f, 0.5f);
    gltf_node(file, true, "\"name\":\"floor\",\"mesh\":%d", floor);
    int node = gltf_node(file, true, "\"name\":\"block\",\"mesh\":%d", block);
    gltf_animate(file, node, "translation", "LINEAR", 3, (float[]){0, 1, 2}, 3,
                 (float[]){0, 2, 0, 0, 0.25f, 0, 0, 2, 0});
    return file;
}

/// A bar from x = 0 to 2, one unit wide, in two joints: vertices with x <= 1 follow node 1 at the origin,
/// those at x = 2 follow node 2 at (1, 0, 0), which turns about z by 90 degrees in 1 second. In the scene:
/// node 0 is the body "bar".
static inline GltfFile *gltf_skinned_bar(void)
{
    GltfFile *file = gltf_new();
    float corners[36];
    uint16_t indices[60];
    int index_count = 0;
    for (int ring = 0; ring < 3; ++ring)
        for (int k = 0; k < 4; ++k) {
            corners[12 * ring + 3 * k] = (float)ring;
            corners[12 * ring + 3 * k + 1] = k == 1 || k == 2 ? 0.5f : -0.5f;
            corners[12 * ring + 3 * k + 2] = k >= 2 ? 0.5f : -0.5f;
        }
    for (int ring = 0; ring < 2; ++ring)
        for (int k = 0; k < 4; ++k) {
            int a = 4 * ring + k, b = 4 * ring + (k + 1) % 4;
            const int quad[6] = {a, b, b + 4, a, b + 4, a + 4};
            for (int i = 0; i < 6; ++i)
                indices[index_count++] = (uint16_t)quad[i];
        }
    const uint16_t ends[12] = {0, 2, 1, 0, 3, 2, 8, 9, 10, 8, 10, 11};
    memcpy(indices + index_count, ends, sizeof ends);
    unsigned char joints[48] = {0};
    float weights[48] = {0};
    for (int i = 0; i < 12; ++i) {
        joints[4 * i] = i >= 8;
        weights[4 * i] = 1;
    }
    const float inverse_binds[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0,  0, 0, 1,
                                     1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1};
    int position = gltf_floats(file, 12, 3, corners);
    int index_accessor = gltf_shorts(file, 60, indices);
    int joint_accessor = gltf_array(file, joints, sizeof joints, 5121, 12, "VEC4");
    int weight_accessor = gltf_floats(file, 12, 4, weights);
    char attributes[64];
    snprintf(attributes, sizeof attributes, ",\"JOINTS_0\":%d,\"WEIGHTS_0\":%d", joint_accessor,
             weight_accessor);
    int mesh = gltf_mesh(file, position, index_accessor, attributes, "");
    gltf_next(&file->skins);
    gltf_put(&file->skins, "{\"joints\":[1,2],\"inverseBindMatrices\":%d}",
             gltf_floats(file, 2, 16, inverse_binds));
    gltf_node(file, true, "\"name\":\"bar\",\"mesh\":%d,\"skin\":0,\"translation\":[7,7,7]", mesh);
    gltf_node(file, true, "\"children\":[2]");
    int upper = gltf_node(file, false, "\"translation\":[1,0,0]");
    gltf_animate(file, upper, "rotation", "LINEAR", 2, (float[]){0, 1}, 4,
                 (float[]){0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f});
    return file;
}

/// A unit cube "dough" at (3, 0, 0) whose first target lifts its ceiling (z = 1) by 1 and whose second moves
/// everything by (0.5, 0, 0). Weights go from (0, 0) at 0 s over (1, 0) at 1 s to (1, 1) at 2 s.
static inline GltfFile *gltf_morphing_box(void)
{
    GltfFile *file = gltf_new();
    float corners[24], lift[24] = {0}, push[24] = {0};
    gltf_box_corners(0, 0, 0, 1, 1, 1, corners);
    for (int i = 0; i < 8; ++i) {
        lift[3 * i + 2] = i >= 4 ? 1.0f : 0.0f;
        push[3 * i] = 0.5f;
    }
    int position = gltf_floats(file, 8, 3, corners);
    int indices = gltf_shorts(file, 36, gltf_box_indices);
    int lift_accessor = gltf_floats(file, 8, 3, lift), push_accessor = gltf_floats(file, 8, 3, push);
    char targets[96];
    snprintf(targets, sizeof targets, ",\"targets\":[{\"POSITION\":%d},{\"POSITION\":%d}]", lift_accessor,
             push_accessor);
    int mesh = gltf_mesh(file, position, indices, "", targets);
    int node = gltf_node(file, true, "\"name\":\"dough\",\"mesh\":%d,\"translation\":[3,0,0]", mesh);
    gltf_animate(file, node, "weights", "LINEAR", 3, (float[]){0, 1, 2}, 2, (float[]){0, 0, 1, 0, 1, 1});
    return file;
}

/// Two bodies in a file that must be refused, for programs that read files: without its buffer, ...
static inline void gltf_write_without_buffer(const char *path)
{
    GltfFile *file = gltf_two_bodies();
    GltfText *json = gltf_json(file, "not-there.bin");
    gltf_write_bytes(path, json->text, json->length);
    free(json);
    free(file);
}

/// ... with nodes in a circle, ...
static inline void gltf_write_circle(const char *path)
{
    GltfFile *file = gltf_two_bodies();
    gltf_node(file, false, "\"children\":[3]");
    gltf_node(file, false, "\"children\":[2]");
    gltf_save(file, path);
}

/// ... with an infinite number in an animation.
static inline void gltf_write_not_finite(const char *path)
{
    const uint32_t bits[] = {0, 0, 0, 0x7F800000, 0, 0}; // an infinite number
    float keys[6];
    GltfFile *file = gltf_two_bodies();
    memcpy(keys, bits, sizeof keys);
    gltf_animate(file, 0, "translation", "LINEAR", 2, (float[]){0, 1}, 3, keys);
    gltf_save(file, path);
}

#endif
