#include "io/gltf_buffers.h"

#include "io/byte_order.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

// A .glb file is a header and chunks, all numbers little endian:
//
//     "glTF"  version  length of the file    length  kind  content, padded to 4 bytes    length ...
#define GLB_HEADER_SIZE   12
#define CHUNK_HEADER_SIZE 8
#define CHUNK_JSON        0x4E4F534Au
#define CHUNK_BINARY      0x004E4942u

static imp_Status fail_at(const impi_Gltf *gltf, imp_Status status, uint64_t offset, const char *what)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = gltf->file_name;
    place.byte_offset = offset;
    return impi_fail_at(gltf->context, status, place, "%s", what);
}

static imp_Status split_chunks(impi_Gltf *gltf, const unsigned char *bytes, size_t size, size_t *json_offset,
                               size_t *json_size)
{
    bool swap = IMPI_HOST_IS_BIG_ENDIAN;
    if (size < GLB_HEADER_SIZE)
        return fail_at(gltf, IMP_STATUS_BAD_FILE, size, "the file ends in its header");
    if (impi_load_u32(bytes + 4, swap) != 2)
        return fail_at(gltf, IMP_STATUS_UNSUPPORTED, 4, "only version 2 of glTF can be read");
    if (impi_load_u32(bytes + 8, swap) != size)
        return fail_at(gltf, IMP_STATUS_BAD_FILE, 8,
                       "the length in the header is not that of the file; it may be truncated");
    bool found_json = false;
    for (size_t at = GLB_HEADER_SIZE; at < size;) {
        if (size - at < CHUNK_HEADER_SIZE)
            return fail_at(gltf, IMP_STATUS_BAD_FILE, at, "the file ends in the header of a chunk");
        size_t length = impi_load_u32(bytes + at, swap);
        uint32_t kind = impi_load_u32(bytes + at + 4, swap);
        if (length > size - at - CHUNK_HEADER_SIZE)
            return fail_at(gltf, IMP_STATUS_BAD_FILE, at, "the chunk is longer than the file");
        size_t content = at + CHUNK_HEADER_SIZE;
        if (!found_json) {
            if (kind != CHUNK_JSON)
                return fail_at(gltf, IMP_STATUS_BAD_FILE, at, "the first chunk is not JSON");
            *json_offset = content;
            *json_size = length;
            found_json = true;
        } else if (kind == CHUNK_BINARY && !gltf->binary_chunk) {
            gltf->binary_chunk = bytes + content;
            gltf->binary_chunk_size = length;
        }
        at = content + length;
    }
    if (!found_json)
        return fail_at(gltf, IMP_STATUS_BAD_FILE, size, "the file has no JSON chunk");
    return IMP_STATUS_OK;
}

imp_Status impi_gltf_split(impi_Gltf *gltf, const unsigned char *bytes, size_t size, size_t *json_offset,
                           size_t *json_size)
{
    if (size == 0) {
        impi_Place place = IMPI_NO_PLACE;
        place.file = gltf->file_name;
        return impi_fail_at(gltf->context, IMP_STATUS_BAD_FILE, place, "the file is empty");
    }
    if (size >= 4 && memcmp(bytes, "glTF", 4) == 0)
        return split_chunks(gltf, bytes, size, json_offset, json_size);
    size_t mark_size = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; // of the byte order
    *json_offset = mark_size;
    *json_size = size - mark_size;
    return IMP_STATUS_OK;
}

// Four digits are three bytes; '=' stands for what is missing at the end. Returns false for other text.
static bool decode_base64(const char *text, size_t length, unsigned char *bytes, size_t *size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    enum { NO_DIGIT = 64 };
    unsigned char values[UCHAR_MAX + 1], all = 0;
    memset(values, NO_DIGIT, sizeof values);
    for (unsigned char i = 0; i < 64; ++i)
        values[(unsigned char)digits[i]] = i;
    while (length > 0 && text[length - 1] == '=')
        --length;
    uint32_t bits = 0;
    *size = 0;
    for (size_t i = 0; i < length; ++i) {
        unsigned char value = values[(unsigned char)text[i]];
        all |= value;
        bits = bits << 6 | (value & 63);
        if (i % 4 > 0)
            bytes[(*size)++] = (unsigned char)(bits >> (6 - 2 * (i % 4)));
    }
    return length % 4 != 1 && all < NO_DIGIT;
}

static void read_data_uri(impi_GltfReader *reader, const impi_JsonValue *uri, const char *text,
                          impi_GltfBuffer *buffer)
{
    const char *data = strstr(text, ";base64,");
    if (!data) {
        impi_gltf_fail(reader, IMP_STATUS_UNSUPPORTED, uri, "the data URI is not in base64");
        return;
    }
    data += strlen(";base64,");
    size_t length = strlen(data);
    unsigned char *bytes = impi_gltf_allocate(reader, length, 1);
    if (bytes && !decode_base64(data, length, bytes, &buffer->size))
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, uri, "the data URI is not in base64");
    buffer->bytes = bytes;
}

// In place: %20 is a blank.
static void decode_percents(char *text)
{
    char *out = text;
    for (; *text; ++text) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *high = text[0] == '%' && text[1] ? strchr(digits, text[1]) : NULL;
        const char *low = high && text[2] ? strchr(digits, text[2]) : NULL;
        if (low && (high - digits) % 16 + (low - digits) % 16 > 0) {
            *out++ = (char)((high - digits) % 16 << 4 | (low - digits) % 16);
            text += 2;
        } else {
            *out++ = *text;
        }
    }
    *out = '\0';
}

static void read_file_uri(impi_GltfReader *reader, const impi_JsonValue *uri, char *text,
                          impi_GltfBuffer *buffer)
{
    if (!reader->may_open_files || strchr(text, ':') || text[0] == '/') {
        impi_gltf_fail(reader, IMP_STATUS_UNSUPPORTED, uri,
                       "only files beside this one can be read, not '%s'", text);
        return;
    }
    decode_percents(text);
    const char *file_name = reader->gltf->file_name, *slash = strrchr(file_name, '/');
    size_t folder_length = slash ? (size_t)(slash - file_name) + 1 : 0;
    char *path = impi_gltf_allocate(reader, folder_length + strlen(text) + 1, 1);
    if (!path)
        return;
    memcpy(path, file_name, folder_length);
    memcpy(path + folder_length, text, strlen(text) + 1);
    // Devices and pipes may never end.
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, uri, "'%s' is no file", text);
        return;
    }
    if (impi_file_bytes_load(reader->gltf->context, path, NULL, &buffer->file) == IMP_STATUS_OK) {
        buffer->bytes = buffer->file.data;
        buffer->size = buffer->file.size;
    } else if (imp_context_get_error(reader->gltf->context)->status == IMP_STATUS_OUT_OF_MEMORY) {
        reader->status = IMP_STATUS_OUT_OF_MEMORY;
    } else {
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, uri, "can't read '%s'", text);
    }
}

static void read_buffer(impi_GltfReader *reader, const impi_JsonValue *object)
{
    impi_Gltf *gltf = reader->gltf;
    impi_GltfBuffer *buffer = &gltf->buffers[reader->number];
    const impi_JsonValue *uri = impi_json_member(&gltf->json, object, "uri");
    uint64_t size = impi_gltf_integer(reader, object, "byteLength", SIZE_MAX / 2, 0);
    if (uri && uri->type != IMPI_JSON_STRING) {
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, uri, "uri is no string");
    } else if (uri) {
        char *text = impi_gltf_allocate(reader, (size_t)uri->length + 1, 1);
        if (!text)
            return;
        impi_json_copy_text(&gltf->json, uri, text);
        if (strncmp(text, "data:", 5) == 0)
            read_data_uri(reader, uri, text, buffer);
        else
            read_file_uri(reader, uri, text, buffer);
    } else if (reader->number == 0 && gltf->binary_chunk) {
        buffer->bytes = gltf->binary_chunk;
        buffer->size = gltf->binary_chunk_size;
    } else {
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, object, "it has no uri, and there is no binary chunk");
    }
    if (buffer->size < size)
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, object, "it has %zu bytes instead of %llu", buffer->size,
                       (unsigned long long)size);
    buffer->size = (size_t)size;
}

void impi_gltf_read_buffers(impi_GltfReader *reader)
{
    impi_Gltf *gltf = reader->gltf;
    gltf->buffers = impi_gltf_make_items(reader, "buffers", sizeof *gltf->buffers, &gltf->buffer_count);
    impi_gltf_read_items(reader, "buffers", "buffer", read_buffer);
}

void impi_gltf_close_buffers(impi_Gltf *gltf)
{
    for (uint32_t i = 0; i < gltf->buffer_count; ++i)
        impi_file_bytes_free(gltf->context, &gltf->buffers[i].file);
    gltf->buffer_count = 0;
}
