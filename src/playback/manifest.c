#include "playback/manifest.h"

#include "base/context.h"
#include "io/file_bytes.h"
#include "playback/pose_text.h"

#include <string.h>

typedef struct Reader {
    imp_Context *context;
    impi_Manifest *manifest;
    const char *path;     // of the manifest
    size_t folder_length; // of that, with the slash
    uint64_t line;
    char *text; // room for the rest of a line, or for a path
} Reader;

static impi_Place place_of(const Reader *reader)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = reader->path;
    place.line = reader->line;
    return place;
}

#define REFUSE(reader, ...)                                                                                  \
    impi_fail_at((reader)->context, IMP_STATUS_BAD_FILE, place_of(reader), __VA_ARGS__)

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        ++at;
    return at;
}

// ---- files

// Reads the word at `*at` into the reader's text, as it is meant.
static imp_Status read_word(const Reader *reader, const char **at, const char *end)
{
    size_t length = 0;
    const char *cursor = *at;
    bool is_quoted = *cursor == '"';
    for (cursor += is_quoted; cursor < end && (is_quoted ? *cursor != '"' : !is_blank(*cursor)); ++cursor) {
        bool is_escape =
            is_quoted && *cursor == '\\' && cursor + 1 < end && (cursor[1] == '"' || cursor[1] == '\\');
        cursor += is_escape;
        reader->text[length++] = *cursor;
    }
    reader->text[length] = 0;
    if (is_quoted && cursor == end)
        return REFUSE(reader, "the quote is not closed");
    cursor += is_quoted;
    if (cursor < end && !is_blank(*cursor))
        return REFUSE(reader, "expected a blank behind the quoted file");
    if (length == 0)
        return REFUSE(reader, "the name of the file is empty");
    *at = cursor;
    return IMP_STATUS_OK;
}

// A leading "./" is dropped, as of files in a command line.
static const char *make_path(const Reader *reader)
{
    const char *file = reader->text;
    while (file[0] == '.' && file[1] == '/' && file[2])
        file += 2;
    size_t folder_length = file[0] == '/' ? 0 : reader->folder_length, size = strlen(file) + 1;
    char *path = impi_arena_allocate(&reader->manifest->paths, folder_length + size);
    if (!path)
        return NULL;
    memcpy(path, reader->path, folder_length);
    memcpy(path + folder_length, file, size);
    return path;
}

// ---- lines

static const char *find_comment(const char *at, const char *end)
{
    const char *comment = at;
    while (comment < end && !(*comment == '#' && (comment == at || is_blank(comment[-1]))))
        ++comment;
    return comment;
}

static imp_Status read_pose(const Reader *reader, const char *at, const char *end, imp_Pose *pose)
{
    impi_ParsedPose parsed = {.pose = {.rotation.w = 0}};
    size_t length = (size_t)(find_comment(at, end) - at);
    memcpy(reader->text, at, length);
    reader->text[length] = 0;
    imp_Status status = IMP_STATUS_OK;
    if (skip_blanks(at, at + length) < at + length)
        status = impi_pose_parse(reader->context, place_of(reader), NULL, reader->text, &parsed);
    if (status == IMP_STATUS_OK)
        *pose = parsed.pose;
    return status;
}

static imp_Status read_line(const Reader *reader, const char *at, const char *end)
{
    impi_Manifest *manifest = reader->manifest;
    impi_ManifestBody body;
    at = skip_blanks(at, end);
    if (at == end || *at == '#')
        return IMP_STATUS_OK;
    if (memchr(at, 0, (size_t)(end - at)))
        return REFUSE(reader, "a zero byte, which no text has");
    imp_Status status = read_word(reader, &at, end);
    if (status != IMP_STATUS_OK)
        return status;
    body.path = make_path(reader);
    if (!body.path || !impi_array_reserve(manifest->allocator, &manifest->bodies,
                                          sizeof *manifest->bodies.data, manifest->bodies.count + 1))
        return impi_fail_out_of_memory(reader->context);
    status = read_pose(reader, at, end, &body.pose);
    if (status == IMP_STATUS_OK)
        manifest->bodies.data[manifest->bodies.count++] = body;
    return status;
}

static imp_Status read_lines(Reader *reader, const char *at, const char *end)
{
    imp_Status status = IMP_STATUS_OK;
    if (end - at >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0)
        at += 3;
    while (at < end && status == IMP_STATUS_OK) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        line_end = line_end ? line_end : end;
        ++reader->line;
        status = read_line(reader, at, line_end);
        at = line_end < end ? line_end + 1 : end;
    }
    if (status != IMP_STATUS_OK || reader->manifest->bodies.count > 0)
        return status;
    reader->line = IMP_NOWHERE;
    return REFUSE(reader, "no body is in it; a line has a file and, if it is moved, its pose");
}

// ---- all of it

// FNV-1a.
static uint64_t check_of(const unsigned char *bytes, size_t size)
{
    uint64_t check = 0xcbf29ce484222325;
    for (size_t i = 0; i < size; ++i)
        check = (check ^ bytes[i]) * 0x100000001b3;
    return check;
}

imp_Status impi_manifest_load(imp_Context *context, const char *path, impi_Manifest *manifest)
{
    impi_FileBytes file;
    const char *slash = strrchr(path, '/');
    *manifest = (impi_Manifest){.allocator = &context->allocator};
    impi_arena_init(&manifest->paths, manifest->allocator);
    imp_Status status = impi_file_bytes_load(context, path, NULL, &file);
    if (status != IMP_STATUS_OK)
        return status;
    Reader reader = {.context = context,
                     .manifest = manifest,
                     .path = path,
                     .folder_length = slash ? (size_t)(slash - path) + 1 : 0,
                     .text = impi_allocate(manifest->allocator, file.size + 1)};
    manifest->check = check_of(file.data, file.size);
    if (reader.text)
        status = read_lines(&reader, (const char *)file.data, (const char *)file.data + file.size);
    else
        status = impi_fail_out_of_memory(context);
    impi_release(manifest->allocator, reader.text, file.size + 1);
    impi_file_bytes_free(context, &file);
    return status;
}

void impi_manifest_free(impi_Manifest *manifest)
{
    impi_array_free(manifest->allocator, &manifest->bodies, sizeof *manifest->bodies.data);
    impi_arena_destroy(&manifest->paths);
}
