#include "body_labels.h"

#include "command.h"
#include "kit/safe_text.h"
#include "relations.h"

void body_put_name(const impi_Motion *motion, size_t body, impi_Text *output)
{
    impi_text_put_shown(output, impi_motion_body(motion, body).name);
    impi_text_printf(output, " (body %zu)", body);
}

void label_put_csv(const char *name, impi_Text *output)
{
    if (!command_style().is_terminal) {
        impi_text_put_csv_field(output, name);
        return;
    }
    impi_Text shown;
    if (impi_text_begin_shown(&shown, name))
        impi_text_put_csv_field(output, shown.bytes.data);
    else
        output->out_of_memory = true;
    impi_text_free(&shown);
}

void pair_put_csv_names(const impi_Motion *motion, uint32_t body_a, uint32_t body_b, impi_Text *output)
{
    impi_text_put(output, ",");
    label_put_csv(impi_motion_body(motion, body_a).name, output);
    impi_text_put(output, ",");
    label_put_csv(impi_motion_body(motion, body_b).name, output);
}

static void put_json_name(const impi_Motion *motion, const char *key, uint32_t body, impi_JsonWriter *json)
{
    impi_json_put_key(json, key);
    impi_json_put_string(json, impi_motion_body(motion, body).name);
}

void pair_put_json(const impi_Motion *motion, uint32_t body_a, uint32_t body_b, impi_JsonWriter *json)
{
    impi_json_put_key(json, "body_a");
    impi_json_put_integer(json, body_a);
    impi_json_put_key(json, "body_b");
    impi_json_put_integer(json, body_b);
    put_json_name(motion, "name_a", body_a, json);
    put_json_name(motion, "name_b", body_b, json);
}

void meeting_put_json(double time, bool is_certain, imp_PathKind path, impi_JsonWriter *json)
{
    impi_json_put_key(json, "time");
    impi_json_put_double(json, time);
    impi_json_put_key(json, "certain");
    impi_json_put_bool(json, is_certain);
    impi_json_put_key(json, "path");
    impi_json_put_string(json, path_name(path));
}

void open_containers_put(const impi_Motion *motion, const impi_OpenContainer *found, size_t count,
                         impi_Text *output)
{
    if (count)
        impi_text_put(output, "\n");
    for (size_t i = 0; i < count; ++i) {
        body_put_name(motion, found[i].inner, output);
        impi_text_put(output, motion->is_still ? " lies in" : " gets into");
        impi_text_put(output, " the box of ");
        body_put_name(motion, found[i].outer, output);
        impi_text_put(output, ", whose surface is open: it has no inside.\n");
    }
}

void open_container_remark(const impi_Motion *motion, const impi_OpenContainer *found, const char *file)
{
    impi_Text remark;
    impi_text_begin(&remark);
    impi_text_put(&remark, "the surface of ");
    body_put_name(motion, found->outer, &remark);
    impi_text_put(&remark, " is open, so it cannot be told whether ");
    body_put_name(motion, found->inner, &remark);
    impi_text_put(&remark, " is inside");
    impi_text_append(&remark, "", 1);
    if (!remark.out_of_memory)
        command_remark(file, remark.bytes.data);
    impi_text_free(&remark);
}

void open_containers_put_json(const impi_Motion *motion, const impi_OpenContainer *found, size_t count,
                              impi_JsonWriter *json)
{
    impi_json_put_key(json, "open_containers");
    impi_json_begin_array(json);
    for (size_t i = 0; i < count; ++i) {
        impi_json_begin_object(json);
        impi_json_put_key(json, "inner");
        impi_json_put_integer(json, found[i].inner);
        impi_json_put_key(json, "outer");
        impi_json_put_integer(json, found[i].outer);
        put_json_name(motion, "name_inner", found[i].inner, json);
        put_json_name(motion, "name_outer", found[i].outer, json);
        impi_json_end_object(json);
    }
    impi_json_end_array(json);
}
