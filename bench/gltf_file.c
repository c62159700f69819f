// A .glb file is a header, a chunk of JSON and a chunk of binary data. The data is written first, into
// memory, and each piece leaves its buffer view and accessor in the JSON.
#include "gltf_file.h"

#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_COUNT 25
#define SECONDS   2.0

typedef struct Document {
    char *views_text, *accessors_text, *data;
    size_t views_size, accessors_size, data_size;
    FILE *views, *accessors, *binary; // streams into these
    int piece_count;
} Document;

static void document_open(Document *document)
{
    *document = (Document){0};
    document->views = open_memstream(&document->views_text, &document->views_size);
    document->accessors = open_memstream(&document->accessors_text, &document->accessors_size);
    document->binary = open_memstream(&document->data, &document->data_size);
    bench_check(document->views && document->accessors && document->binary, "out of memory");
}

// Append an array of 4-byte numbers; returns its accessor. `limits` is text for accessors that need it.
static int add_array(Document *document, const void *numbers, size_t count, int width, bool is_float,
                     const char *limits)
{
    static const char *const types[] = {"", "SCALAR", "", "VEC3", "VEC4"};
    size_t size = count * (size_t)width * 4;
    const char *comma = document->piece_count ? "," : "";
    fprintf(document->views, "%s{\"buffer\":0,\"byteOffset\":%ld,\"byteLength\":%zu}", comma,
            ftell(document->binary), size);
    fprintf(document->accessors, "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"%s}",
            comma, document->piece_count, is_float ? 5126 : 5125, count, types[width], limits);
    fwrite(numbers, 1, size, document->binary);
    return document->piece_count++;
}

static float *new_floats(size_t count)
{
    float *numbers = malloc(count * sizeof *numbers);
    bench_check(numbers != NULL, "out of memory");
    return numbers;
}

// The mesh, scaled and shifted: what morph targets and copies are made of.
static int add_positions(Document *document, const imp_Mesh *mesh, double scale, double shift)
{
    size_t count = imp_mesh_get_vertex_count(mesh);
    const imp_Vec3 *vertices = imp_mesh_get_vertices(mesh);
    float *numbers = new_floats(3 * count);
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < count; ++i) {
        numbers[3 * i] = (float)(scale * vertices[i].x + shift);
        numbers[3 * i + 1] = (float)(scale * vertices[i].y);
        numbers[3 * i + 2] = (float)(scale * vertices[i].z);
        for (size_t k = 0; k < 3; ++k) {
            low[k] = fminf(low[k], numbers[3 * i + k]);
            high[k] = fmaxf(high[k], numbers[3 * i + k]);
        }
    }
    char limits[200];
    snprintf(limits, sizeof limits, ",\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]", (double)low[0],
             (double)low[1], (double)low[2], (double)high[0], (double)high[1], (double)high[2]);
    int accessor = add_array(document, numbers, count, 3, true, limits);
    free(numbers);
    return accessor;
}

static int add_indices(Document *document, const imp_Mesh *mesh)
{
    return add_array(document, imp_mesh_get_indices(mesh), 3 * imp_mesh_get_triangle_count(mesh), 1, false,
                     "");
}

static int add_times(Document *document)
{
    float times[KEY_COUNT];
    char limits[64];
    for (int i = 0; i < KEY_COUNT; ++i)
        times[i] = (float)(SECONDS * i / (KEY_COUNT - 1));
    snprintf(limits, sizeof limits, ",\"min\":[0],\"max\":[%.9g]", (double)times[KEY_COUNT - 1]);
    return add_array(document, times, KEY_COUNT, 1, true, limits);
}

// `width` numbers for each key that go from 0 to 1 and, every second one, back.
static int add_ramps(Document *document, size_t width, bool is_scalar)
{
    float numbers[4 * KEY_COUNT];
    for (size_t i = 0; i < width * KEY_COUNT; ++i) {
        float part = (float)(i / width) / (KEY_COUNT - 1);
        numbers[i] = i % 2 ? 1 - part : part;
    }
    return is_scalar ? add_array(document, numbers, width * KEY_COUNT, 1, true, "")
                     : add_array(document, numbers, KEY_COUNT, (int)width, true, "");
}

// Quaternions of unit length: a turn about x, and back.
static int add_rotations(Document *document)
{
    float numbers[4 * KEY_COUNT];
    for (size_t i = 0; i < KEY_COUNT; ++i) {
        const float turn[4] = {i % 2 ? 0.6f : 0, 0, 0, i % 2 ? 0.8f : 1};
        memcpy(numbers + 4 * i, turn, sizeof turn);
    }
    return add_array(document, numbers, KEY_COUNT, 4, true, "");
}

static void write_u32(FILE *file, size_t number)
{
    const unsigned char bytes[4] = {number & 255, number >> 8 & 255, number >> 16 & 255, number >> 24 & 255};
    fwrite(bytes, 1, sizeof bytes, file);
}

// `body` is the JSON of nodes, meshes and animations. Lengths of chunks are multiples of four.
static bool document_save(Document *document, const char *body, const char *path)
{
    char *json;
    size_t json_size;
    FILE *text = open_memstream(&json, &json_size), *file = fopen(path, "wb");
    bool is_open = fclose(document->views) == 0 && fclose(document->accessors) == 0 &&
                   fclose(document->binary) == 0 && text && file;
    if (is_open) {
        fprintf(text,
                "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,%s,\"buffers\":[{\"byteLength\":%zu}],"
                "\"bufferViews\":[%s],\"accessors\":[%s]}",
                body, document->data_size, document->views_text, document->accessors_text);
        while (ftell(text) % 4 != 0)
            fputc(' ', text);
        fclose(text);
        fwrite("glTF", 1, 4, file);
        write_u32(file, 2);
        write_u32(file, 12 + 8 + json_size + 8 + document->data_size);
        write_u32(file, json_size);
        fwrite("JSON", 1, 4, file);
        fwrite(json, 1, json_size, file);
        write_u32(file, document->data_size);
        fwrite("BIN", 1, 4, file);
        fwrite(document->data, 1, document->data_size, file);
        free(json);
    }
    free(document->views_text);
    free(document->accessors_text);
    free(document->data);
    return is_open && fclose(file) == 0;
}

bool gltf_write_morph(const imp_Mesh *mesh, const char *path)
{
    Document document;
    char body[1024], targets[256] = "";
    document_open(&document);
    int positions = add_positions(&document, mesh, 1, 0), indices = add_indices(&document, mesh);
    for (int i = 0; i < GLTF_TARGET_COUNT; ++i) {
        size_t length = strlen(targets);
        snprintf(targets + length, sizeof targets - length, "%s{\"POSITION\":%d}", i ? "," : "",
                 add_positions(&document, mesh, 0.1 * (i + 1), 0.5 * i));
    }
    int times = add_times(&document), weights = add_ramps(&document, GLTF_TARGET_COUNT, true);
    snprintf(body, sizeof body,
             "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{"
             "\"attributes\":{\"POSITION\":%d},\"indices\":%d,\"targets\":[%s]}]}],"
             "\"animations\":[{\"samplers\":[{\"input\":%d,\"output\":%d}],"
             "\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"weights\"}}]}]",
             positions, indices, targets, times, weights);
    return document_save(&document, body, path);
}

bool gltf_write_nodes(const imp_Mesh *mesh, const char *path)
{
    Document document;
    char body[4096], roots[64] = "", nodes[128] = "", meshes[512] = "", channels[1024] = "";
    document_open(&document);
    int times = add_times(&document), moves = add_ramps(&document, 3, false);
    int turns = add_rotations(&document);
    for (int i = 0; i < GLTF_NODE_COUNT; ++i) {
        const char *comma = i ? "," : "";
        int positions = add_positions(&document, mesh, 1, 0.1 * i), indices = add_indices(&document, mesh);
        snprintf(roots + strlen(roots), sizeof roots - strlen(roots), "%s%d", comma, i);
        snprintf(nodes + strlen(nodes), sizeof nodes - strlen(nodes), "%s{\"mesh\":%d}", comma, i);
        snprintf(meshes + strlen(meshes), sizeof meshes - strlen(meshes),
                 "%s{\"primitives\":[{\"attributes\":{\"POSITION\":%d},\"indices\":%d}]}", comma, positions,
                 indices);
        snprintf(channels + strlen(channels), sizeof channels - strlen(channels),
                 "%s{\"sampler\":0,\"target\":{\"node\":%d,\"path\":\"translation\"}},"
                 "{\"sampler\":1,\"target\":{\"node\":%d,\"path\":\"rotation\"}}",
                 comma, i, i);
    }
    snprintf(body, sizeof body,
             "\"scenes\":[{\"nodes\":[%s]}],\"nodes\":[%s],\"meshes\":[%s],\"animations\":[{\"samplers\":["
             "{\"input\":%d,\"output\":%d},{\"input\":%d,\"output\":%d}],\"channels\":[%s]}]",
             roots, nodes, meshes, times, moves, times, turns, channels);
    return document_save(&document, body, path);
}
