#include "run_page.h"

#include "kit/json_writer.h"
#include "kit/safe_text.h"
#include "run_page_data.h"
#include "run_page_template.h"

#include <string.h>

#define HEADER_VERSION 1

// Browsers hold text of about half a gigabyte, and base64 takes a third more than what it stands for.
#define MAX_NUMBER_BYTES ((uint64_t)256 << 20)

static void describe_meshes(impi_JsonWriter *json, const PageLayout *layout)
{
    impi_json_put_key(json, "meshes");
    impi_json_begin_array(json);
    for (size_t i = 0; i < layout->mesh_count; ++i) {
        impi_json_begin_object(json);
        impi_json_put_key(json, "vertices");
        impi_json_put_integer(json, imp_mesh_get_vertex_count(layout->meshes[i]));
        impi_json_put_key(json, "triangles");
        impi_json_put_integer(json, imp_mesh_get_triangle_count(layout->meshes[i]));
        impi_json_end_object(json);
    }
    impi_json_end_array(json);
}

// Browsers make nothing of most control characters, but would turn text around as names tell them to.
static void put_shown_string(impi_JsonWriter *json, const char *text)
{
    impi_Text shown;
    if (impi_text_begin_shown(&shown, text))
        impi_json_put_string(json, shown.bytes.data);
    else
        json->text->out_of_memory = true;
    impi_text_free(&shown);
}

static void describe_bodies(impi_JsonWriter *json, const RunScene *scene, const PageLayout *layout)
{
    impi_json_put_key(json, "bodies");
    impi_json_begin_array(json);
    for (size_t i = 0; i < scene->motion.body_count; ++i) {
        impi_json_begin_object(json);
        impi_json_put_key(json, "name");
        put_shown_string(json, impi_motion_body(&scene->motion, i).name);
        impi_json_put_key(json, "mesh");
        impi_json_put_integer(json, layout->bodies[i].mesh);
        impi_json_put_key(json, "deforms");
        impi_json_put_bool(json, impi_motion_body(&scene->motion, i).deforms);
        impi_json_end_object(json);
    }
    impi_json_end_array(json);
}

static void describe(const RunScene *scene, const PageLayout *layout, impi_Text *text)
{
    impi_JsonWriter json = impi_json_begin_document(text, HEADER_VERSION);
    impi_json_put_key(&json, "scene");
    put_shown_string(&json, scene->name);
    impi_json_put_key(&json, "up"); // glTF is made for y; so are the scenes made by code
    impi_json_put_string(&json, "y");
    impi_json_put_key(&json, "frame_count");
    impi_json_put_integer(&json, scene->motion.frame_count);
    impi_json_put_key(&json, "frame_rate");
    impi_json_put_double(&json, scene->motion.frame_rate);
    impi_json_put_key(&json, "centre");
    impi_json_begin_inline_array(&json);
    impi_json_put_double(&json, layout->centre.x);
    impi_json_put_double(&json, layout->centre.y);
    impi_json_put_double(&json, layout->centre.z);
    impi_json_end_array(&json);
    impi_json_put_key(&json, "scale");
    impi_json_put_double(&json, layout->scale);
    describe_meshes(&json, layout);
    describe_bodies(&json, scene, layout);
    impi_json_end_document(&json);
}

// Names may hold anything, also what would end the element of the page that they stand in.
static void put_header(impi_PageStream *stream, const impi_Text *header)
{
    const char *bytes = header->bytes.data;
    for (size_t from = 0, i = 0; i <= header->bytes.count; ++i) {
        if (i < header->bytes.count && bytes[i] != '<')
            continue;
        impi_page_put_text(stream, bytes + from, i - from);
        if (i < header->bytes.count)
            impi_page_put_text(stream, "\\u003c", 6);
        from = i + 1;
    }
}

static void put_string(impi_PageStream *stream, const char *string)
{
    impi_page_put_text(stream, string, strlen(string));
}

static CommandResult write_page(impi_PageStream *stream, const RunScene *scene, const impi_History *history,
                                const PageLayout *layout, const impi_Text *header)
{
    PageTemplate page = page_template();
    impi_page_put_text(stream, page.head, page.head_size);
    put_string(stream, "<script type=\"application/json\" id=\"header\">");
    put_header(stream, header);
    put_string(stream, "</script>\n<script type=\"text/plain\" id=\"numbers\">");
    CommandResult result = page_put_data(stream, scene, history, layout);
    impi_page_end_numbers(stream);
    put_string(stream, "</script>\n");
    impi_page_put_text(stream, page.tail, page.tail_size);
    return result;
}

static CommandResult save(imp_Context *context, const RunScene *scene, const impi_History *history,
                          const PageLayout *layout, const impi_Text *header, const char *path)
{
    impi_PageStream stream;
    if (header->out_of_memory)
        return command_fail("out of memory");
    if (impi_page_stream_open(context, path, &stream) != IMP_STATUS_OK)
        return command_fail_in(context);
    CommandResult result = write_page(&stream, scene, history, layout, header);
    if (result == COMMAND_DONE && stream.status == IMP_STATUS_OK && stream.number_bytes > MAX_NUMBER_BYTES)
        result = command_fail("--html: the page would hold %.0f MiB, more than browsers take; play fewer "
                              "frames with --frames",
                              (double)stream.number_bytes / (1 << 20));
    bool keep = result == COMMAND_DONE;
    if (impi_page_stream_close(&stream, keep) != IMP_STATUS_OK && keep)
        result = command_fail_in(context);
    return result;
}

CommandResult run_page_save(const RunScene *scene, const impi_History *history, const char *path)
{
    if (page_template().left_out)
        return command_fail("--html: this build has no 3-D viewer: %s; mend that and build again",
                            page_template().left_out);
    imp_Context *context = command_create_context(&(imp_ContextDef){.thread_count = 1});
    if (!context)
        return COMMAND_FAILED;
    PageLayout layout;
    impi_Text header;
    impi_text_begin(&header);
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
