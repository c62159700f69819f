#include "run_page.h"

#include "base/memory.h"
#include "json_writer.h"
#include "run_page_data.h"
#include "run_page_template.h"

#include <string.h>

#define HEADER_VERSION 1

// Browsers hold text of about half a gigabyte, and base64 takes a third more than what it stands for.
#define MAX_NUMBER_BYTES ((uint64_t)256 << 20)

static void describe_meshes(JsonWriter *json, const PageLayout *layout)
{
    json_key(json, "meshes");
    json_begin_array(json);
    for (size_t i = 0; i < layout->mesh_count; ++i) {
        json_begin_object(json);
        json_key(json, "vertices");
        json_integer(json, imp_mesh_get_vertex_count(layout->meshes[i]));
        json_key(json, "triangles");
        json_integer(json, imp_mesh_get_triangle_count(layout->meshes[i]));
        json_end_object(json);
    }
    json_end_array(json);
}

static void describe_bodies(JsonWriter *json, const RunScene *scene, const PageLayout *layout)
{
    json_key(json, "bodies");
    json_begin_array(json);
    for (size_t i = 0; i < scene->body_count; ++i) {
        json_begin_object(json);
        json_key(json, "name");
        json_string(json, scene->bodies[i].name);
        json_key(json, "mesh");
        json_integer(json, layout->bodies[i].mesh);
        json_key(json, "deforms");
        json_bool(json, scene->bodies[i].deforms);
        json_end_object(json);
    }
    json_end_array(json);
}

static void describe(const RunScene *scene, const PageLayout *layout, impi_Text *text)
{
    JsonWriter json = json_begin(text, HEADER_VERSION);
    json_key(&json, "scene");
    json_string(&json, scene->name);
    json_key(&json, "up"); // glTF is made for y; so are the scenes made by code
    json_string(&json, "y");
    json_key(&json, "frame_count");
    json_integer(&json, scene->frame_count);
    json_key(&json, "frame_rate");
    json_double(&json, scene->frame_rate);
    json_key(&json, "centre");
    json_begin_inline_array(&json);
    json_double(&json, layout->centre.x);
    json_double(&json, layout->centre.y);
    json_double(&json, layout->centre.z);
    json_end_array(&json);
    json_key(&json, "scale");
    json_double(&json, layout->scale);
    describe_meshes(&json, layout);
    describe_bodies(&json, scene, layout);
    json_end(&json);
}

// Names may hold anything, also what would end the element of the page that they stand in.
static void put_header(PageStream *stream, const impi_Text *header)
{
    const char *bytes = header->bytes.data;
    for (size_t from = 0, i = 0; i <= header->bytes.count; ++i) {
        if (i < header->bytes.count && bytes[i] != '<')
            continue;
        page_put_text(stream, bytes + from, i - from);
        if (i < header->bytes.count)
            page_put_text(stream, "\\u003c", 6);
        from = i + 1;
    }
}

static void put_string(PageStream *stream, const char *string)
{
    page_put_text(stream, string, strlen(string));
}

static CommandResult write_page(PageStream *stream, const RunScene *scene, const RunHistory *history,
                                const PageLayout *layout, const impi_Text *header)
{
    PageTemplate page = page_template();
    page_put_text(stream, page.head, page.head_size);
    put_string(stream, "<script type=\"application/json\" id=\"header\">");
    put_header(stream, header);
    put_string(stream, "</script>\n<script type=\"text/plain\" id=\"numbers\">");
    CommandResult result = page_put_data(stream, scene, history, layout);
    page_end_numbers(stream);
    put_string(stream, "</script>\n");
    page_put_text(stream, page.tail, page.tail_size);
    return result;
}

static CommandResult save(imp_Context *context, const RunScene *scene, const RunHistory *history,
                          const PageLayout *layout, const impi_Text *header, const char *path)
{
    PageStream stream;
    if (header->out_of_memory)
        return command_fail("out of memory");
    if (page_stream_open(context, path, &stream) != IMP_STATUS_OK)
        return command_fail_in(context);
    CommandResult result = write_page(&stream, scene, history, layout, header);
    if (result == COMMAND_DONE && stream.status == IMP_STATUS_OK && stream.number_bytes > MAX_NUMBER_BYTES)
        result = command_fail("--html: the page would hold %.0f MiB, more than browsers take; play fewer "
                              "frames with --frames",
                              (double)stream.number_bytes / (1 << 20));
    bool keep = result == COMMAND_DONE;
    if (page_stream_close(&stream, keep) != IMP_STATUS_OK && keep)
        result = command_fail_in(context);
    return result;
}

CommandResult run_page_save(const RunScene *scene, const RunHistory *history, const char *path)
{
    if (!page_template().head)
        return command_fail("--html: this build has no 3-D viewer, because npm or its registry was missing "
                            "when it was made; install npm and build again");
    imp_Context *context = command_create_context(1);
    if (!context)
        return COMMAND_FAILED;
    PageLayout layout;
    impi_Text header;
    impi_text_init(&header, &impi_default_allocator);
    CommandResult result = page_layout_create(scene, &layout);
    if (result == COMMAND_DONE) {
        describe(scene, &layout, &header);
        result = save(context, scene, history, &layout, &header, path);
    }
    page_layout_free(&layout);
    impi_text_free(&header);
    imp_context_destroy(context);
    return result;
}
