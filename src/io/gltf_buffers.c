#include "io/gltf_buffers.h"

#include "io/byte_order.h"
#include "io/sibling_file.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

// A .glb file is a header and chunks, all numbers little endian:
//
//     "glTF"  version  length of the file    length  kind  content, padded to 4 bytes    length ...
#define GLB_HEADER_SIZE   12
#define CHUNK_HEADER_SIZE 8
#define CHUNK_JSON        0x4E4F534Au
#define CHUNK_BINARY      0x004E4942u

#define DIGITS_PER_LOOK ((size_t)1 << 16) // at the watch

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
static bool decode_base64(impi_GltfReader *reader, const char *text, size_t length, unsigned char *bytes,
                          size_t *size)
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
    for (size_t i = 0; i < length && (i % DIGITS_PER_LOOK || impi_gltf_goes_on(reader, 0)); ++i) {
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
    if (bytes && !decode_base64(reader, data, length, bytes, &buffer->size))
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, uri, "the data URI is not in base64");
    buffer->bytes = bytes;
}

// How long the scheme of a URI is, as "http" in http://...; 0 for a path.
static size_t scheme_length(const char *text)
{
    size_t length = 0;
    bool is_letter;
    do {
        char c = text[length];
        is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                    (length > 0 && ((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'));
        length += is_letter;
    } while (is_letter);
    return text[length] == ':' ? length : 0;
}

// In place: %20 is a blank. False when it stands for a zero byte, which no name of a file holds.
static bool decode_percents(char *text)
{
    char *out = text;
    for (; *text; ++text) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *high = text[0] == '%' && text[1] ? strchr(digits, text[1]) : NULL;
        const char *low = high && text[2] ? strchr(digits, text[2]) : NULL;
        if (!low) {
            *out++ = *text;
            continue;
        }
        *out = (char)((high - digits) % 16 << 4 | (low - digits) % 16);
        if (!*out++)
            return false;
        text += 2;
    }
    *out = '\0';
    return true;
}

// Does it name a file? Afterwards it is a path.
static bool check_file_uri(impi_GltfReader *reader, const impi_JsonValue *uri, char *text)
{
    size_t scheme = scheme_length(text);
    if (!*text)
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, uri, "its uri is empty");
    else if (scheme > 0)
        impi_gltf_fail(reader, IMP_STATUS_UNSUPPORTED, uri,
                       "its uri has the scheme '%.*s'; only paths and data URIs can be read",
                       (int)(scheme < 32 ? scheme : 32), text);
    else if (!reader->may_open_files)
        impi_gltf_fail(reader, IMP_STATUS_UNSUPPORTED, uri,
                       "it is in a file, and a scene in memory has none");
    else if (!decode_percents(text))
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, uri, "its uri holds a zero byte");
    return reader->status == IMP_STATUS_OK;
}

// All files of a scene together have to stay within the limit.
static void read_source(impi_GltfReader *reader, const impi_JsonValue *uri, impi_FileSource *source,
                        uint64_t size, impi_GltfBuffer *buffer)
{
    impi_Gltf *gltf = reader->gltf;
    if (source->size < size) {
        buffer->size = (size_t)source->size; // too short, which is told of all buffers alike
    } else if (size > source->limit - gltf->bytes_read) {
        uint64_t all = gltf->bytes_read + size;
        impi_gltf_fail(
            reader, IMP_STATUS_TOO_LARGE, uri,
            "with its %llu bytes the files of the scene have %llu, and no more than %llu may be read",
            (unsigned long long)size, (unsigned long long)all, (unsigned long long)source->limit);
    } else {
        reader->status = impi_file_bytes_read(source, (size_t)size, NULL, &buffer->file);
        buffer->bytes = buffer->file.data;
        buffer->size = buffer->file.size;
        gltf->bytes_read += size;
    }
}

static void read_file_uri(impi_GltfReader *reader, const impi_JsonValue *uri, char *text, uint64_t size,
                          impi_GltfBuffer *buffer)
{
    impi_Gltf *gltf = reader->gltf;
    impi_SiblingResult result;
    if (!check_file_uri(reader, uri, text))
        return;
    int descriptor = impi_sibling_open(gltf->path, text, gltf->context->allow_outside_files, &result);
    switch (result) {
    case IMPI_SIBLING_OUTSIDE:
        impi_gltf_fail(reader, IMP_STATUS_UNSUPPORTED, uri,
                       "only files in the folder of this one or below are allowed, not '%.100s'", text);
        break;
    case IMPI_SIBLING_MISSING:
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, uri, "can't read '%.100s': %s", text, strerror(errno));
        break;
    case IMPI_SIBLING_NO_FILE:
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, uri, "'%.100s' is no file", text);
        break;
    case IMPI_SIBLING_OPEN: {
        impi_FileSource source;
        reader->status = impi_file_source_adopt(gltf->context, text, descriptor, &source);
        if (reader->status != IMP_STATUS_OK)
            break;
        read_source(reader, uri, &source, size, buffer);
        impi_file_source_close(&source);
    }
    }
}

static void read_uri(impi_GltfReader *reader, const impi_JsonValue *uri, uint64_t size,
                     impi_GltfBuffer *buffer)
{
    char *text = impi_gltf_allocate(reader, (size_t)uri->length + 1, 1);
    if (!text)
        return;
    impi_json_copy_text(&reader->gltf->json, uri, text);
    if (strncmp(text, "data:", 5) == 0)
        read_data_uri(reader, uri, text, buffer);
    else
        read_file_uri(reader, uri, text, size, buffer);
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
        read_uri(reader, uri, size, buffer);
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
