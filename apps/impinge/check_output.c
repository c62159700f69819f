#include "check_output.h"

#include "kit/text_table.h"
#include "relations.h"

#include <stdio.h>

static size_t listed_count(const CheckScene *scene, const CheckListing *listing)
{
    return scene->found.face_pair_count < listing->max_listed ? scene->found.face_pair_count
                                                              : listing->max_listed;
}

// CSV.

static void put_face_line(impi_Text *output, const impi_FaceLine *pair)
{
    const uint32_t numbers[] = {pair->body_a, pair->face_a, pair->body_b, pair->face_b};
    for (int i = 0; i < 4; ++i) {
        impi_text_put_integer(output, numbers[i]);
        impi_text_append(output, i < 3 ? "," : "\n", 1);
    }
}

static void put_csv(const CheckScene *scene, const CheckListing *listing, impi_Text *output)
{
    impi_text_put(output, "body_a,face_a,body_b,face_b\n");
    for (size_t i = 0; i < listed_count(scene, listing); ++i)
        put_face_line(output, &scene->face_pairs[i]);
}

static void put_pairs_csv(const CheckScene *scene, impi_Text *output)
{
    impi_text_put(output, "body_a,body_b,relation\n");
    for (size_t i = 0; i < scene->found.pair_count; ++i)
        for (size_t r = 0; r < RELATION_COUNT; ++r)
            if (scene->found.pairs[i].relations & relations[r].relation)
                impi_text_printf(output, "%u,%u,%s\n", scene->found.pairs[i].body_a,
                                 scene->found.pairs[i].body_b, relations[r].name);
}

void check_remark_on_containers(const CheckScene *scene)
{
    char remark[160];
    for (size_t i = 0; i < scene->found.open_container_count; ++i) {
        const impi_OpenContainer *found = &scene->found.open_containers[i];
        snprintf(remark, sizeof remark,
                 "this surface is open, so it cannot be told whether body %u is inside body %u", found->inner,
                 found->outer);
        command_remark(scene->bodies[found->outer].name, remark);
    }
}

static void remark_on_csv(const CheckScene *scene, const CheckListing *listing)
{
    size_t listed = listed_count(scene, listing);
    char remark[160];
    check_remark_on_containers(scene);
    if (listing->format == CHECK_CSV && !listing->first_only && listed < scene->found.face_pair_count) {
        snprintf(remark, sizeof remark, "%zu of %zu face pairs are listed", listed,
                 scene->found.face_pair_count);
        command_remark("--max", remark);
    }
}

// JSON.

void check_put_json_files(impi_JsonWriter *json, const CheckScene *scene)
{
    impi_json_put_key(json, "files");
    impi_json_begin_array(json);
    for (size_t i = 0; i < scene->body_count; ++i) {
        const impi_StillBody *body = &scene->bodies[i];
        const imp_Vec3 *t = &body->pose.translation;
        const imp_Quat *r = &body->pose.rotation;
        const double pose[] = {t->x, t->y, t->z, check_body_is_placed(body) ? r->w : 1, r->x, r->y, r->z};
        impi_json_begin_object(json);
        impi_json_put_key(json, "file");
        impi_json_put_string(json, body->name);
        impi_json_put_key(json, "triangle_count");
        impi_json_put_integer(json, imp_mesh_get_triangle_count(body->mesh));
        impi_json_put_key(json, "pose");
        impi_json_begin_inline_array(json);
        for (size_t k = 0; k < sizeof pose / sizeof *pose; ++k)
            impi_json_put_double(json, pose[k]);
        impi_json_end_array(json);
        impi_json_end_object(json);
    }
    impi_json_end_array(json);
    impi_json_put_key(json, "convex");
    impi_json_put_bool(json, scene->takes_hulls);
}

void check_put_json_containers(impi_JsonWriter *json, const CheckScene *scene)
{
    impi_json_put_key(json, "open_containers");
    impi_json_begin_array(json);
    for (size_t i = 0; i < scene->found.open_container_count; ++i) {
        impi_json_begin_object(json);
        impi_json_put_key(json, "inner");
        impi_json_put_integer(json, scene->found.open_containers[i].inner);
        impi_json_put_key(json, "outer");
        impi_json_put_integer(json, scene->found.open_containers[i].outer);
        impi_json_end_object(json);
    }
    impi_json_end_array(json);
}

static void put_json_pair(impi_JsonWriter *json, const impi_PlayedPair *pair, size_t relation,
                          bool with_count)
{
    impi_json_begin_object(json);
    impi_json_put_key(json, "body_a");
    impi_json_put_integer(json, pair->body_a);
    impi_json_put_key(json, "body_b");
    impi_json_put_integer(json, pair->body_b);
    impi_json_put_key(json, "relation");
    impi_json_put_string(json, relations[relation].name);
    if (with_count && relations[relation].relation == IMP_RELATION_TOUCH) {
        impi_json_put_key(json, "face_pair_count");
        impi_json_put_integer(json, pair->face_pair_count);
    }
    impi_json_end_object(json);
}

static void put_json_pairs(impi_JsonWriter *json, const CheckScene *scene, bool with_counts)
{
    impi_json_put_key(json, "pairs");
    impi_json_begin_array(json);
    for (size_t i = 0; i < scene->found.pair_count; ++i)
        for (size_t r = 0; r < RELATION_COUNT; ++r)
            if (scene->found.pairs[i].relations & relations[r].relation)
                put_json_pair(json, &scene->found.pairs[i], r, with_counts);
    impi_json_end_array(json);
}

void check_put_json_pairs(impi_JsonWriter *json, const CheckScene *scene)
{
    put_json_pairs(json, scene, false);
}

static void put_json_face_pairs(impi_JsonWriter *json, const CheckScene *scene, const CheckListing *listing)
{
    size_t listed = listed_count(scene, listing);
    impi_json_put_key(json, "face_pair_total");
    if (listing->first_only)
        impi_json_put_null(json);
    else
        impi_json_put_integer(json, scene->found.face_pair_count);
    impi_json_put_key(json, "truncated");
    impi_json_put_bool(json, listed < scene->found.face_pair_count);
    impi_json_put_key(json, "face_pairs");
    impi_json_begin_array(json);
    for (size_t i = 0; i < listed; ++i) {
        impi_json_begin_inline_array(json);
        impi_json_put_integer(json, scene->face_pairs[i].body_a);
        impi_json_put_integer(json, scene->face_pairs[i].face_a);
        impi_json_put_integer(json, scene->face_pairs[i].body_b);
        impi_json_put_integer(json, scene->face_pairs[i].face_b);
        impi_json_end_array(json);
    }
    impi_json_end_array(json);
}

static void put_json(const CheckScene *scene, const CheckListing *listing, impi_Text *output)
{
    bool with_counts = !listing->without_faces && !listing->first_only;
    impi_JsonWriter json = impi_json_begin_document(output, CHECK_SCHEMA_VERSION);
    check_put_json_files(&json, scene);
    impi_json_put_key(&json, "first_only");
    impi_json_put_bool(&json, listing->first_only);
    put_json_pairs(&json, scene, with_counts);
    if (!listing->without_faces)
        put_json_face_pairs(&json, scene, listing);
    check_put_json_containers(&json, scene);
    impi_json_end_document(&json);
}

// The table.

void check_put_files(const CheckScene *scene, impi_Text *output)
{
    size_t width = 0;
    for (size_t i = 0; i < scene->body_count; ++i) {
        size_t own = impi_text_width(impi_text_path_end(scene->bodies[i].name));
        width = own > width ? own : width;
    }
    impi_text_put(output, "body  ");
    impi_text_put_left(output, "file", width);
    impi_text_put(output, "  triangles\n");
    for (size_t i = 0; i < scene->body_count; ++i) {
        impi_text_put_number(output, i, 4);
        impi_text_put(output, "  ");
        impi_text_put_left(output, impi_text_path_end(scene->bodies[i].name), width);
        impi_text_put_number(output, imp_mesh_get_triangle_count(scene->bodies[i].mesh), 11);
        impi_text_put(output, "\n");
    }
}

static void put_pair(const impi_PlayedPair *pair, size_t relation, bool with_counts, impi_Text *output)
{
    impi_text_put_number(output, pair->body_a, 4);
    impi_text_put(output, "  ");
    impi_text_put_left(output, relations[relation].words, 9);
    impi_text_put_number(output, pair->body_b, 6);
    if (with_counts && relations[relation].relation == IMP_RELATION_TOUCH) {
        impi_text_put_number(output, pair->face_pair_count, 12);
        impi_text_put_number(output, pair->touching_faces_a, 12);
        impi_text_put_number(output, pair->touching_faces_b, 12);
    }
    impi_text_put(output, "\n");
}

static void put_pairs(const CheckScene *scene, bool with_counts, impi_Text *output)
{
    impi_text_printf(output, "\n   a  relation      b%s\n",
                     with_counts ? "  face pairs  faces of a  faces of b" : "");
    for (size_t i = 0; i < scene->found.pair_count; ++i)
        for (size_t r = 0; r < RELATION_COUNT; ++r)
            if (scene->found.pairs[i].relations & relations[r].relation)
                put_pair(&scene->found.pairs[i], r, with_counts, output);
}

void check_put_containers(const CheckScene *scene, impi_Text *output)
{
    if (scene->found.open_container_count)
        impi_text_put(output, "\n");
    for (size_t i = 0; i < scene->found.open_container_count; ++i)
        impi_text_printf(output,
                         "Body %u lies in the box of body %u, whose surface is open: it has no inside.\n",
                         scene->found.open_containers[i].inner, scene->found.open_containers[i].outer);
}

void check_put_hulls(const CheckScene *scene, impi_Text *output)
{
    if (scene->takes_hulls)
        impi_text_put(output, "Bodies are the convex hulls of the files; faces are those of the hulls.\n");
}

static void put_conclusion(const CheckScene *scene, const CheckListing *listing, impi_Text *output)
{
    size_t n = scene->body_count;
    impi_text_put(output, "\n");
    check_put_hulls(scene, output);
    if (scene->found.pair_count == 0)
        impi_text_put(output, "Nothing touches, and nothing is inside of anything.\n");
    else if (!listing->first_only)
        impi_text_printf(output, "Pairs of bodies that meet: %zu of %zu. Pairs of faces that touch: %zu.\n",
                         scene->found.pair_count, n * (n - 1) / 2, scene->found.face_pair_count);
    else if (scene->found.face_pair_count == 0)
        impi_text_put(output, "This is the first pair; others were not looked for.\n");
    else
        impi_text_printf(output,
                         "This is the first pair, with face %u of body %u and face %u of body %u; others\n"
                         "were not looked for.\n",
                         scene->face_pairs[0].face_a, scene->face_pairs[0].body_a,
                         scene->face_pairs[0].face_b, scene->face_pairs[0].body_b);
}

static void put_table(const CheckScene *scene, const CheckListing *listing, impi_Text *output)
{
    check_put_files(scene, output);
    if (scene->found.pair_count)
        put_pairs(scene, !listing->first_only, output);
    check_put_containers(scene, output);
    put_conclusion(scene, listing, output);
    if (listing->written && scene->found.face_pair_count > 0)
        impi_text_printf(output, "%s\n", listing->written);
}

void check_put(const CheckScene *scene, const CheckListing *listing, impi_Text *output)
{
    switch (listing->format) {
    case CHECK_TABLE:
        put_table(scene, listing, output);
        break;
    case CHECK_CSV:
        put_csv(scene, listing, output);
        remark_on_csv(scene, listing);
        break;
    case CHECK_PAIRS_CSV:
        put_pairs_csv(scene, output);
        remark_on_csv(scene, listing);
        break;
    case CHECK_JSON:
        put_json(scene, listing, output);
        break;
    }
}
