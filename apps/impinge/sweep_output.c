#include "sweep_output.h"

#include "check_output.h"
#include "distance_lines.h"
#include "kit/safe_text.h"
#include "kit/text_table.h"

#include <stdio.h>

#define SCHEMA_VERSION 1
#define MAX_NUMBER     32
#define TABLE_COLUMNS  "    first time  contact       path      face of a  face of b  face pairs"

static uint32_t number_of(imp_BodyId body)
{
    return body.slot - 1;
}

// The pair of faces that is told first of two bodies: of those that touch at their first time. Null: none.
static const imp_SweptFaces *first_faces(const imp_SweepReport *report, const imp_SweptBodies *pair)
{
    for (size_t i = 0; i < pair->face_pair_count; ++i)
        if (report->face_pairs[pair->first_face_pair + i].time <= pair->time)
            return &report->face_pairs[pair->first_face_pair + i];
    return NULL;
}

// ---- CSV

static void put_csv_pair(const imp_SweptBodies *pair, double time, impi_Text *output)
{
    impi_text_printf(output, "%u,%u,", number_of(pair->body_a), number_of(pair->body_b));
    impi_text_put_double(output, time);
    impi_text_printf(output, ",%d,%s,", pair->is_certain, path_name(pair->path));
}

static void put_csv_corner(imp_Feature feature, uint32_t corner, impi_Text *output)
{
    if (feature != IMP_FEATURE_FACE)
        impi_text_put_integer(output, corner);
    impi_text_put(output, ",");
}

static void put_csv_faces(const imp_SweptBodies *pair, const imp_SweptFaces *faces, const impi_Motion *motion,
                          impi_Text *output)
{
    put_csv_pair(pair, faces ? faces->time : pair->time, output);
    if (faces) {
        impi_text_printf(output, "%u,%u,%s,%s,", faces->face_a, faces->face_b, feature_name(faces->feature_a),
                         feature_name(faces->feature_b));
        put_csv_corner(faces->feature_a, faces->corner_a, output);
        put_csv_corner(faces->feature_b, faces->corner_b, output);
    } else {
        impi_text_put(output, ",,,,,,");
    }
    impi_text_printf(output, "%d", pair->touched_at_start);
    pair_put_csv_names(motion, number_of(pair->body_a), number_of(pair->body_b), output);
    impi_text_put(output, "\n");
}

// Solids can touch at the start without faces that do: their line has none.
static void put_faces_csv(const SweepScene *scene, impi_Text *output)
{
    const impi_Motion motion = check_motion(&scene->bodies);
    impi_text_put(output,
                  "body_a,body_b,time,certain,path,face_a,face_b,feature_a,feature_b,corner_a,corner_b,"
                  "at_start" PAIR_NAME_COLUMNS "\n");
    for (size_t i = 0; i < scene->report->pair_count; ++i) {
        const imp_SweptBodies *pair = &scene->report->pairs[i];
        if (pair->face_pair_count == 0)
            put_csv_faces(pair, NULL, &motion, output);
        for (size_t k = 0; k < pair->face_pair_count; ++k)
            put_csv_faces(pair, &scene->report->face_pairs[pair->first_face_pair + k], &motion, output);
    }
}

static void put_pairs_csv(const SweepScene *scene, impi_Text *output)
{
    const impi_Motion motion = check_motion(&scene->bodies);
    impi_text_put(output, "body_a,body_b,time,certain,path,face_pairs,at_start" PAIR_NAME_COLUMNS "\n");
    for (size_t i = 0; i < scene->report->pair_count; ++i) {
        const imp_SweptBodies *pair = &scene->report->pairs[i];
        put_csv_pair(pair, pair->time, output);
        impi_text_printf(output, "%zu,%d", pair->face_pair_count, pair->touched_at_start);
        pair_put_csv_names(&motion, number_of(pair->body_a), number_of(pair->body_b), output);
        impi_text_put(output, "\n");
    }
}

// ---- JSON

static void put_json_targets(impi_JsonWriter *json, const SweepScene *scene)
{
    impi_json_put_key(json, "targets");
    impi_json_begin_array(json);
    for (size_t i = 0; i < scene->bodies.body_count; ++i) {
        const SweepTarget *target = &scene->targets.targets[i];
        if (!sweep_target_moves(target))
            continue;
        impi_json_begin_object(json);
        impi_json_put_key(json, "body");
        impi_json_put_integer(json, i);
        impi_json_put_key(json, "file");
        if (target->shape)
            impi_json_put_string(json, target->shape_path);
        else
            impi_json_put_null(json);
        impi_json_put_key(json, "pose");
        check_put_json_pose(json, &target->pose);
        impi_json_end_object(json);
    }
    impi_json_end_array(json);
}

static void put_json_pairs(impi_JsonWriter *json, const SweepScene *scene)
{
    const impi_Motion motion = check_motion(&scene->bodies);
    impi_json_put_key(json, "pairs");
    impi_json_begin_array(json);
    for (size_t i = 0; i < scene->report->pair_count; ++i) {
        const imp_SweptBodies *pair = &scene->report->pairs[i];
        impi_json_begin_object(json);
        pair_put_json(&motion, number_of(pair->body_a), number_of(pair->body_b), json);
        meeting_put_json(pair->time, pair->is_certain, pair->path, json);
        impi_json_put_key(json, "at_start");
        impi_json_put_bool(json, pair->touched_at_start);
        impi_json_put_key(json, "face_pair_count");
        impi_json_put_integer(json, pair->face_pair_count);
        impi_json_end_object(json);
    }
    impi_json_end_array(json);
}

// What of a face meets; a whole face has no corner.
static void put_json_feature(impi_JsonWriter *json, const char *feature_key, imp_Feature feature,
                             const char *corner_key, uint32_t corner)
{
    impi_json_put_key(json, feature_key);
    impi_json_put_string(json, feature_name(feature));
    impi_json_put_key(json, corner_key);
    if (feature != IMP_FEATURE_FACE)
        impi_json_put_integer(json, corner);
    else
        impi_json_put_null(json);
}

static void put_json_face_pairs(impi_JsonWriter *json, const SweepScene *scene)
{
    impi_json_put_key(json, "face_pairs");
    impi_json_begin_array(json);
    for (size_t i = 0; i < scene->report->face_pair_count; ++i) {
        const imp_SweptFaces *faces = &scene->report->face_pairs[i];
        const struct {
            const char *key;
            uint32_t number;
        } numbers[] = {{"body_a", number_of(faces->body_a)},
                       {"face_a", faces->face_a},
                       {"body_b", number_of(faces->body_b)},
                       {"face_b", faces->face_b}};
        impi_json_begin_inline_object(json);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) {
            impi_json_put_key(json, numbers[k].key);
            impi_json_put_integer(json, numbers[k].number);
        }
        impi_json_put_key(json, "time");
        impi_json_put_double(json, faces->time);
        put_json_feature(json, "feature_a", faces->feature_a, "corner_a", faces->corner_a);
        put_json_feature(json, "feature_b", faces->feature_b, "corner_b", faces->corner_b);
        impi_json_end_object(json);
    }
    impi_json_end_array(json);
}

static void put_json(const SweepScene *scene, const SweepListing *listing, impi_Text *output)
{
    impi_JsonWriter json = impi_json_begin_document(output, SCHEMA_VERSION);
    check_put_json_files(&json, &scene->bodies);
    put_json_targets(&json, scene);
    impi_json_put_key(&json, "separation");
    impi_json_put_double(&json, scene->def.separation);
    impi_json_put_key(&json, "tolerance");
    if (scene->def.tolerance > 0)
        impi_json_put_double(&json, scene->def.tolerance);
    else
        impi_json_put_null(&json);
    impi_json_put_key(&json, "first_time");
    impi_json_put_double(&json, scene->report->first_time);
    put_json_pairs(&json, scene);
    impi_json_put_key(&json, "face_times");
    impi_json_put_bool(&json, scene->def.face_times);
    if (!listing->without_faces)
        put_json_face_pairs(&json, scene);
    impi_json_end_document(&json);
}

// ---- the table

static void put_line(const SweepScene *scene, const PairTable *table, const imp_SweptBodies *pair,
                     impi_Text *output)
{
    const imp_SweptFaces *faces = first_faces(scene->report, pair);
    char time[MAX_NUMBER];
    snprintf(time, sizeof time, "%.9g", pair->time);
    pair_table_put(table, number_of(pair->body_a), RELATION_TOUCH, number_of(pair->body_b), output);
    impi_text_put_right(output, time, 14);
    impi_text_put_spaces(output, 2);
    impi_text_put_left(output,
                       pair->touched_at_start ? "at the start"
                       : pair->is_certain     ? "certain"
                                              : "conservative",
                       14);
    impi_text_put_left(output, path_name(pair->path), 8);
    if (faces) {
        impi_text_put_number(output, faces->face_a, 11);
        impi_text_put_number(output, faces->face_b, 11);
        impi_text_put_number(output, pair->face_pair_count, 12);
    }
    impi_text_end_line(output);
}

static void put_conclusion(const SweepScene *scene, impi_Text *output)
{
    size_t n = scene->bodies.body_count, own_count = 0;
    const imp_SweepReport *report = scene->report;
    for (size_t i = 0; i < report->pair_count; ++i)
        own_count += report->pairs[i].body_a.slot == report->pairs[i].body_b.slot;
    impi_text_put(output, "\n");
    check_put_hulls(&scene->bodies, output);
    if (report->pair_count == 0 && scene->def.separation > 0) {
        impi_text_put(output, "Nothing gets as near as ");
        impi_text_put_double(output, scene->def.separation);
        impi_text_put(output, " on its way.\n");
        return;
    }
    if (report->pair_count == 0) {
        impi_text_put(output, "Nothing touches on its way.\n");
        return;
    }
    impi_text_printf(output, "Pairs of bodies that meet on their way: %zu of %zu",
                     report->pair_count - own_count, n * (n - 1) / 2);
    if (own_count)
        impi_text_printf(output, "; bodies that meet themselves: %zu", own_count);
    impi_text_put(output, ". The first time is ");
    impi_text_put_double(output, report->first_time);
    impi_text_put(output, ".\n");
}

static void put_table(const SweepScene *scene, const SweepListing *listing, impi_Text *output)
{
    const impi_Motion motion = check_motion(&scene->bodies);
    const imp_SweepReport *report = scene->report;
    BodyTable bodies;
    check_begin_bodies(&motion, &bodies, output);
    PairTable table = pair_table_begin(&bodies, false, sizeof TABLE_COLUMNS - 1);
    for (size_t i = 0; i < report->pair_count; ++i)
        pair_table_announce(&table, number_of(report->pairs[i].body_a), RELATION_TOUCH,
                            number_of(report->pairs[i].body_b));
    pair_table_fit(&table);
    body_table_put(&bodies, output);
    if (report->pair_count) {
        pair_table_begin_heading(&table, output);
        impi_text_put(output, TABLE_COLUMNS);
        pair_table_end_heading(&table, output);
    }
    for (size_t i = 0; i < report->pair_count; ++i)
        put_line(scene, &table, &report->pairs[i], output);
    put_conclusion(scene, output);
    if (listing->picture_path) {
        impi_text_put_shown(output, listing->picture_path);
        impi_text_put(output, report->pair_count ? ": the bodies at that time, with the faces that meet\n"
                                                 : ": the bodies at the end\n");
    }
    body_table_free(&bodies);
}

void sweep_put(const SweepScene *scene, const SweepListing *listing, impi_Text *output)
{
    switch (listing->format) {
    case SWEEP_TABLE:
        put_table(scene, listing, output);
        break;
    case SWEEP_FACES_CSV:
        put_faces_csv(scene, output);
        break;
    case SWEEP_PAIRS_CSV:
        put_pairs_csv(scene, output);
        break;
    case SWEEP_JSON:
        put_json(scene, listing, output);
        break;
    }
}
