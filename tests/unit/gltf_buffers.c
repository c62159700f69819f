// Where the bytes of glTF files come from: chunks of .glb files, data URIs.

#include "io/gltf_scene.h"
#include "scene_fixture.h"

#define JSON    0x4E4F534Au
#define BINARY  0x004E4942u
#define UNKNOWN 0x21212121u

typedef struct Chunk {
    uint32_t kind;
    const void *bytes;
    size_t size;
} Chunk;

// A .glb file of these chunks; returns its size.
static size_t join_chunks(const Chunk *chunks, size_t count, unsigned char *bytes)
{
    size_t size = 12;
    for (size_t i = 0; i < count; ++i) {
        uint32_t header[2] = {(uint32_t)((chunks[i].size + 3) / 4 * 4), chunks[i].kind};
        memcpy(bytes + size, header, 8);
        memset(bytes + size + 8, chunks[i].kind == JSON ? ' ' : 0, header[0]);
        memcpy(bytes + size + 8, chunks[i].bytes, chunks[i].size);
        size += 8 + header[0];
    }
    memcpy(bytes, (uint32_t[]){0x46546C67, 2, (uint32_t)size}, 12);
    return size;
}

static imp_Status read_scene(imp_Context *context, const void *bytes, size_t size, imp_Scene **scene)
{
    impi_Gltf gltf;
    imp_Status status = impi_gltf_open_memory(context, "a.glb", bytes, size, &gltf);
    if (status == IMP_STATUS_OK) {
        status = impi_gltf_make_scene(&gltf, &(impi_UnitConversion){0}, scene);
        impi_gltf_close(&gltf);
    }
    return status;
}

TEST(chunks_in_odd_order)
{
    GltfFile *file = gltf_two_bodies();
    GltfText *json = gltf_json(file, "");
    const Chunk text = {JSON, json->text, json->length}, binary = {BINARY, file->binary, file->binary_size},
                unknown = {UNKNOWN, "who knows", 9}, empty = {UNKNOWN, "", 0}, other = {BINARY, "1234", 4};
    const struct {
        Chunk chunks[6];
        size_t count;
        const char *message; // null where it is read
    } cases[] = {
        {{text, binary}, 2, NULL},
        {{text, unknown, binary}, 3, NULL},
        {{text, binary, unknown}, 3, NULL},
        {{text, empty, unknown, binary, unknown, empty}, 6, NULL},
        {{text, binary, other}, 3, NULL},
        {{text, binary, text}, 3, NULL},
        {{binary, text}, 2, "the first chunk is not JSON (at byte 12)"},
        {{unknown, text, binary}, 3, "the first chunk is not JSON (at byte 12)"},
        {{binary}, 1, "the first chunk is not JSON (at byte 12)"},
        {{text}, 1, "buffer 0: it has no uri, and there is no binary chunk"},
        {{text, unknown}, 2, "buffer 0: it has no uri, and there is no binary chunk"},
        {{text, other, binary}, 3, "buffer 0: it has 4 bytes instead of "},
        {{text}, 0, "the file has no JSON chunk"},
    };
    static unsigned char bytes[4 * GLTF_ROOM];
    imp_Context *context = new_context();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        size_t size = join_chunks(cases[i].chunks, cases[i].count, bytes);
        imp_Scene *scene = NULL;
        imp_Status status = read_scene(context, bytes, size, &scene);
        if (cases[i].message) {
            CHECK_INT(status, IMP_STATUS_BAD_FILE);
            CHECK_CONTAINS(imp_context_get_error(context)->message, cases[i].message);
        } else if (CHECK_INT(status, IMP_STATUS_OK)) {
            CHECK_INT(imp_scene_get_body_count(scene), 2);
            CHECK_DOUBLE(imp_mesh_get_vertices(scene_body(scene, 0).mesh)[0].x, -4);
        }
        imp_scene_destroy(scene);
    }
    imp_context_destroy(context);
    free(json);
    free(file);
}

// 36 bytes of positions with 0, 1 and 2 more, which end in "", "==" and "=", or are left without.
TEST(data_uris_of_any_length)
{
    static const char *const beginnings[] = {"data:application/octet-stream;base64,",
                                             "data:application/gltf-buffer;base64,", "data:;base64,"};
    imp_Context *context = new_context();
    for (int more = 0; more < 3; ++more)
        for (int is_padded = 0; is_padded < 2; ++is_padded) {
            const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1.5f, 0};
            unsigned char bytes[40] = {0};
            memcpy(bytes, corners, sizeof corners);
            GltfText *digits = calloc(1, sizeof *digits), *json = calloc(1, sizeof *json);
            gltf_put_base64(digits, bytes, (size_t)(36 + more));
            while (!is_padded && digits->text[digits->length - 1] == '=')
                digits->text[--digits->length] = '\0';
            gltf_put(json,
                     "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":["
                     "{\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{\"bufferView\":0,"
                     "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],\"bufferViews\":[{\"buffer\":1,"
                     "\"byteLength\":36}],\"buffers\":[{\"byteLength\":1,\"uri\":\"data:;base64,AA\"},"
                     "{\"byteLength\":%d,\"uri\":\"%s%s\"}]}",
                     36 + more, beginnings[more], digits->text);
            imp_Scene *scene = NULL;
            if (CHECK_INT(read_scene(context, json->text, json->length, &scene), IMP_STATUS_OK))
                CHECK_DOUBLE(imp_mesh_get_vertices(scene_body(scene, 0).mesh)[2].y, 1.5);
            else
                printf("  %s\n", imp_context_get_error(context)->message);
            imp_scene_destroy(scene);
            free(digits);
            free(json);
        }
    imp_context_destroy(context);
}

// Offsets and lengths that overflow when they are added or multiplied.
TEST(overflowing_offsets)
{
    static const struct {
        const char *view, *accessor, *message;
    } cases[] = {
        {"\"byteOffset\":9223372036854775807,\"byteLength\":36", "", "bufferView 0: "},
        {"\"byteOffset\":9007199254740992,\"byteLength\":36", "",
         "bufferView 0: it goes beyond buffer 0, which has 36 bytes"},
        {"\"byteOffset\":1,\"byteLength\":9223372036854774784", "",
         "bufferView 0: it goes beyond buffer 0, which has 36 bytes"},
        {"\"byteLength\":36", "\"byteOffset\":9223372036854774784,",
         "accessor 0: it goes beyond bufferView 0"},
        {"\"byteLength\":36", "\"byteOffset\":18446744073709551616,",
         "accessor 0: byteOffset is no whole number"},
        {"\"byteLength\":36", "\"byteOffset\":37,", "accessor 0: it goes beyond bufferView 0"},
        {"\"byteLength\":36,\"byteStride\":252", "", "accessor 0: it goes beyond bufferView 0"},
        {"\"byteLength\":36,\"byteStride\":256", "",
         "bufferView 0: byteStride is no whole number from 0 to 252"},
    };
    imp_Context *context = new_context();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        GltfText *json = calloc(1, sizeof *json);
        gltf_put(json,
                 "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":["
                 "{\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{\"bufferView\":0,%s"
                 "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],\"bufferViews\":[{\"buffer\":0,%s}],"
                 "\"buffers\":[{\"byteLength\":36,\"uri\":\"data:;base64,"
                 "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}]}",
                 cases[i].accessor, cases[i].view);
        imp_Scene *scene = NULL;
        CHECK_INT(read_scene(context, json->text, json->length, &scene), IMP_STATUS_BAD_FILE);
        CHECK_CONTAINS(imp_context_get_error(context)->message, cases[i].message);
        free(json);
    }
    imp_context_destroy(context);
}
