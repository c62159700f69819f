#include "check_output.h"

#include "kit/text_table.h"

#include <stdio.h>

#define COUNT_COLUMNS "  face pairs  faces of a  faces of b"

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
    const impi_Motion motion = check_motion(scene);
    impi_text_put(output, "body_a,body_b,relation" PAIR_NAME_COLUMNS "\n");
    for (size_t i = 0; i < scene->found.pair_count; ++i) {
        const impi_PlayedPair *pair = &scene->found.pairs[i];
        Relation relation;
        for (uint32_t left = pair->relations; relation_take(&left, pair->overlaps, &relation);) {
            impi_text_printf(output, "%u,%u,%s", pair->body_a, pair->body_b, relation_name(relation));
            pair_put_csv_names(&motion, pair->body_a, pair->body_b, output);
            impi_text_put(output, "\n");
        }
    }
}

impi_Motion check_motion(const CheckScene *scene)
{
    return impi_still_motion(scene->bodies, scene->body_count);
}

static const char *path_of(const void *bodies, size_t body)
{
    return ((const impi_StillBody *)bodies)[body].path;
}

void check_remark_on_containers(const CheckScene *scene)
{
    const impi_Motion motion = check_motion(scene);
    for (size_t i = 0; i < scene->found.open_container_count; ++i)
        open_container_remark(&motion, &scene->found.open_containers[i],
                              path_of(scene->bodies, scene->found.open_containers[i].outer));
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

// Where the body was converted.
static void put_json_scale(impi_JsonWriter *json, const Body *body)
{
    if (body->multiplied_by > 0 || body->divided_by > 0) {
        impi_json_put_key(json, body->multiplied_by > 0 ? "multiplied_by" : "divided_by");
        impi_json_put_double(json, body->multiplied_by > 0 ? body->multiplied_by : body->divided_by);
    }
}

void check_put_json_pose(impi_JsonWriter *json, const imp_Pose *pose)
{
    const imp_Vec3 *t = &pose->translation;
    const imp_Quat *r = &pose->rotation;
    bool is_turned = r->w != 0 || r->x != 0 || r->y != 0 || r->z != 0;
    const double numbers[] = {t->x, t->y, t->z, is_turned ? r->w : 1, r->x, r->y, r->z};
    impi_json_begin_inline_array(json);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        impi_json_put_double(json, numbers[i]);
    impi_json_end_array(json);
}

void check_put_json_files(impi_JsonWriter *json, const CheckScene *scene)
{
    impi_json_put_key(json, "files");
    impi_json_begin_array(json);
    for (size_t i = 0; i < scene->body_count; ++i) {
        const impi_StillBody *body = &scene->bodies[i];
        impi_json_begin_object(json);
        impi_json_put_key(json, "name");
        impi_json_put_string(json, body->name);
        impi_json_put_key(json, "file");
        impi_json_put_string(json, path_of(scene->bodies, i));
        impi_json_put_key(json, "triangle_count");
        impi_json_put_integer(json, impi_still_triangle_count(body));
        impi_json_put_key(json, "pose");
        check_put_json_pose(json, &body->pose);
        put_json_scale(json, &scene->loaded.bodies[i]);
        impi_json_end_object(json);
    }
    impi_json_end_array(json);
    impi_json_put_key(json, "convex");
    impi_json_put_bool(json, scene->takes_hulls);
}

void check_put_json_containers(impi_JsonWriter *json, const CheckScene *scene)
{
    const impi_Motion motion = check_motion(scene);
    open_containers_put_json(&motion, scene->found.open_containers, scene->found.open_container_count, json);
}

static void put_json_pair(impi_JsonWriter *json, const impi_Motion *motion, const impi_PlayedPair *pair,
                          Relation relation, bool with_count)
{
    impi_json_begin_object(json);
    pair_put_json(motion, pair->body_a, pair->body_b, json);
    impi_json_put_key(json, "relation");
    impi_json_put_string(json, relation_name(relation));
    if (with_count && relation_has_faces(relation)) {
        impi_json_put_key(json, "face_pair_count");
        impi_json_put_integer(json, pair->face_pair_count);
    }
    impi_json_end_object(json);
}

static void put_json_pairs(impi_JsonWriter *json, const CheckScene *scene, bool with_counts)
{
    const impi_Motion motion = check_motion(scene);
    Relation relation;
    impi_json_put_key(json, "pairs");
    impi_json_begin_array(json);
    for (size_t i = 0; i < scene->found.pair_count; ++i)
        for (uint32_t left = scene->found.pairs[i].relations;
             relation_take(&left, scene->found.pairs[i].overlaps, &relation);)
            put_json_pair(json, &motion, &scene->found.pairs[i], relation, with_counts);
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

void check_begin_bodies(const impi_Motion *motion, BodyTable *bodies, impi_Text *output)
{
    body_table_begin(bodies, motion, path_of, output);
}

static void put_counts(const impi_PlayedPair *pair, impi_Text *output)
{
    impi_text_put_number(output, pair->face_pair_count, 12);
    impi_text_put_number(output, pair->touching_faces_a, 12);
    impi_text_put_number(output, pair->touching_faces_b, 12);
}

static void put_pairs(const CheckScene *scene, const PairTable *table, impi_Text *output)
{
    bool with_counts = table->rest_width > 0;
    Relation relation;
    pair_table_begin_heading(table, output);
    impi_text_put(output, with_counts ? COUNT_COLUMNS : "");
    pair_table_end_heading(table, output);
    for (size_t i = 0; i < scene->found.pair_count; ++i) {
        const impi_PlayedPair *pair = &scene->found.pairs[i];
        for (uint32_t left = pair->relations; relation_take(&left, pair->overlaps, &relation);) {
            pair_table_put(table, pair->body_a, relation, pair->body_b, output);
            if (with_counts && relation_has_faces(relation))
                put_counts(pair, output);
            impi_text_end_line(output);
        }
    }
}

void check_put_containers(const CheckScene *scene, impi_Text *output)
{
    const impi_Motion motion = check_motion(scene);
    open_containers_put(&motion, scene->found.open_containers, scene->found.open_container_count, output);
}

void check_put_hulls(const CheckScene *scene, impi_Text *output)
{
    if (scene->takes_hulls)
        impi_text_put(output, "Bodies are the convex hulls of the files; faces are those of the hulls.\n");
}

static void put_first_pair(const CheckScene *scene, impi_Text *output)
{
    const impi_FaceLine *first = &scene->face_pairs[0];
    const impi_Motion motion = check_motion(scene);
    impi_text_printf(output, "This is the first pair, with face %u of ", first->face_a);
    body_put_name(&motion, first->body_a, output);
    impi_text_printf(output, " and face %u of ", first->face_b);
    body_put_name(&motion, first->body_b, output);
    impi_text_put(output, ";\nothers were not looked for.\n");
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
        put_first_pair(scene, output);
}

static void put_table(const CheckScene *scene, const CheckListing *listing, impi_Text *output)
{
    const impi_Motion motion = check_motion(scene);
    BodyTable bodies;
    Relation relation;
    check_begin_bodies(&motion, &bodies, output);
    PairTable table = pair_table_begin(&bodies, true, listing->first_only ? 0 : sizeof COUNT_COLUMNS - 1);
    for (size_t i = 0; i < scene->found.pair_count; ++i)
        for (uint32_t left = scene->found.pairs[i].relations;
             relation_take(&left, scene->found.pairs[i].overlaps, &relation);)
            pair_table_announce(&table, scene->found.pairs[i].body_a, relation, scene->found.pairs[i].body_b);
    pair_table_fit(&table);
    body_table_put(&bodies, output);
    if (scene->found.pair_count)
        put_pairs(scene, &table, output);
    check_put_containers(scene, output);
    put_conclusion(scene, listing, output);
    if (listing->written && scene->found.face_pair_count > 0)
        impi_text_printf(output, "%s\n", listing->written);
    body_table_free(&bodies);
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
