#include "run_output.h"

#include "kit/json_writer.h"
#include "relations.h"

#include <stdio.h>
#include <stdlib.h>

#define SCHEMA_VERSION 1
#define MAX_REMARK     160

// ---- CSV

typedef struct FaceLine {
    uint32_t frame, body_a, face_a, body_b, face_b;
} FaceLine;

static int compare_lines(const void *left, const void *right)
{
    const FaceLine *a = left, *b = right;
    if (a->face_a != b->face_a)
        return a->face_a > b->face_a ? 1 : -1;
    if (a->body_b != b->body_b)
        return a->body_b > b->body_b ? 1 : -1;
    return (a->face_b > b->face_b) - (a->face_b < b->face_b);
}

static void put_line(impi_Text *output, const FaceLine *line)
{
    const uint32_t numbers[] = {line->frame, line->body_a, line->face_a, line->body_b, line->face_b};
    for (int i = 0; i < 5; ++i) {
        impi_text_put_integer(output, numbers[i]);
        impi_text_append(output, i < 4 ? "," : "\n", 1);
    }
}

// The pairs of one body a in one frame are sorted by body b, then faces. Columns want face a first.
static void put_faces_of_body(const RunHistory *history, uint32_t frame, const RunPair *pairs,
                              size_t pair_count, FaceLine *lines, impi_Text *output)
{
    size_t count = 0;
    for (size_t i = 0; i < pair_count; ++i) {
        for (size_t k = 0; k < pairs[i].face_pair_count; ++k) {
            const imp_FacePair *faces = &history->face_pairs[pairs[i].first_face_pair + k];
            lines[count++] =
                (FaceLine){frame, pairs[i].body_a, faces->face_a, pairs[i].body_b, faces->face_b};
        }
    }
    if (pair_count > 1)
        qsort(lines, count, sizeof *lines, compare_lines);
    for (size_t i = 0; i < count; ++i)
        put_line(output, &lines[i]);
}

bool run_put_faces_csv(const RunResult *run, impi_Text *output)
{
    const RunHistory *history = run->history;
    size_t most = 0;
    for (size_t f = 0; f < history->frame_count; ++f) {
        size_t count = run_history_face_pairs(history, f);
        most = count > most ? count : most;
    }
    FaceLine *lines = calloc(most + 1, sizeof *lines);
    if (!lines)
        return false;
    impi_text_put(output, "frame,body_a,face_a,body_b,face_b\n");
    for (size_t f = 0; f < history->frame_count; ++f) {
        const RunPair *pair = history->pairs + history->frames[f].first_pair;
        const RunPair *end = pair + history->frames[f].pair_count;
        for (const RunPair *next; pair < end; pair = next) {
            for (next = pair; next < end && next->body_a == pair->body_a;)
                ++next;
            put_faces_of_body(history, (uint32_t)f, pair, (size_t)(next - pair), lines, output);
        }
    }
    free(lines);
    return true;
}

// How many pairs of faces a relation is about.
static size_t faces_of_relation(const RunPair *pair, imp_Relation relation)
{
    return relation == IMP_RELATION_TOUCH ? pair->face_pair_count : 0;
}

void run_put_pairs_csv(const RunResult *run, impi_Text *output)
{
    const RunHistory *history = run->history;
    impi_text_put(output, "frame,body_a,body_b,relation,face_pairs\n");
    for (size_t f = 0; f < history->frame_count; ++f) {
        for (size_t i = 0; i < history->frames[f].pair_count; ++i) {
            const RunPair *pair = &history->pairs[history->frames[f].first_pair + i];
            for (size_t r = 0; r < RELATION_COUNT; ++r)
                if (pair->relations & relations[r].relation)
                    impi_text_printf(output, "%zu,%u,%u,%s,%zu\n", f, pair->body_a, pair->body_b,
                                     relations[r].name, faces_of_relation(pair, relations[r].relation));
        }
    }
}

void run_remark_on_containers(const RunResult *run)
{
    for (size_t i = 0; i < run->history->open_container_count; ++i) {
        const RunOpenContainer *found = &run->history->open_containers[i];
        char remark[MAX_REMARK];
        snprintf(remark, sizeof remark,
                 "the surface of body %u is open, so it cannot be told whether body %u is inside",
                 found->outer, found->inner);
        command_remark(run->scene->name, remark);
    }
}

// ---- JSON

static void put_json_integer(impi_JsonWriter *json, const char *key, uint64_t number)
{
    impi_json_put_key(json, key);
    impi_json_put_integer(json, number);
}

static void put_json_bodies(impi_JsonWriter *json, const RunScene *scene)
{
    impi_json_put_key(json, "bodies");
    impi_json_begin_array(json);
    for (size_t i = 0; i < scene->body_count; ++i) {
        impi_json_begin_object(json);
        impi_json_put_key(json, "name");
        impi_json_put_string(json, scene->bodies[i].name);
        put_json_integer(json, "triangle_count", imp_mesh_get_triangle_count(scene->bodies[i].mesh));
        impi_json_put_key(json, "deforms");
        impi_json_put_bool(json, scene->bodies[i].deforms);
        impi_json_end_object(json);
    }
    impi_json_end_array(json);
}

static void put_json_relation(impi_JsonWriter *json, uint32_t body_a, uint32_t body_b, imp_Relation relation)
{
    put_json_integer(json, "body_a", body_a);
    put_json_integer(json, "body_b", body_b);
    impi_json_put_key(json, "relation");
    impi_json_put_string(json, relation_words(relation)->name);
}

static void put_json_pair(impi_JsonWriter *json, const RunPair *pair, imp_Relation relation)
{
    impi_json_begin_object(json);
    put_json_relation(json, pair->body_a, pair->body_b, relation);
    if (relation == IMP_RELATION_TOUCH) {
        put_json_integer(json, "face_pair_count", pair->face_pair_count);
        put_json_integer(json, "face_count_a", pair->touching_faces_a);
        put_json_integer(json, "face_count_b", pair->touching_faces_b);
    }
    impi_json_end_object(json);
}

static void put_json_frame(impi_JsonWriter *json, const RunResult *run, size_t number)
{
    const RunFrame *frame = &run->history->frames[number];
    impi_json_begin_object(json);
    put_json_integer(json, "frame", number);
    put_json_integer(json, "face_pair_count", run_history_face_pairs(run->history, number));
    if (run->with_times) {
        impi_json_put_key(json, "milliseconds");
        impi_json_put_double(json, frame->milliseconds);
    }
    impi_json_put_key(json, "pairs");
    impi_json_begin_array(json);
    for (size_t i = 0; i < frame->pair_count; ++i) {
        const RunPair *pair = &run->history->pairs[frame->first_pair + i];
        for (size_t r = 0; r < RELATION_COUNT; ++r)
            if (pair->relations & relations[r].relation)
                put_json_pair(json, pair, relations[r].relation);
    }
    impi_json_end_array(json);
    impi_json_end_object(json);
}

static void put_json_contacts(impi_JsonWriter *json, const RunContacts *contacts)
{
    impi_json_put_key(json, "contacts");
    impi_json_begin_array(json);
    for (size_t i = 0; i < contacts->count; ++i) {
        const RunContact *contact = &contacts->contacts[i];
        impi_json_begin_object(json);
        put_json_relation(json, contact->body_a, contact->body_b, contact->relation);
        put_json_integer(json, "first_frame", contact->first_frame);
        put_json_integer(json, "last_frame", contact->last_frame);
        if (contact->relation == IMP_RELATION_TOUCH)
            put_json_integer(json, "most_face_pairs", contact->most_face_pairs);
        impi_json_end_object(json);
    }
    impi_json_end_array(json);
}

void run_put_json(const RunResult *run, impi_Text *output)
{
    const RunHistory *history = run->history;
    impi_JsonWriter json = impi_json_begin_document(output, SCHEMA_VERSION);
    impi_json_put_key(&json, "scene");
    impi_json_put_string(&json, run->scene->name);
    put_json_integer(&json, "frame_count", history->frame_count);
    impi_json_put_key(&json, "frame_rate");
    impi_json_put_double(&json, run->scene->frame_rate);
    put_json_bodies(&json, run->scene);
    put_json_contacts(&json, run->contacts);
    impi_json_put_key(&json, "open_containers");
    impi_json_begin_array(&json);
    for (size_t i = 0; i < history->open_container_count; ++i) {
        impi_json_begin_object(&json);
        put_json_integer(&json, "inner", history->open_containers[i].inner);
        put_json_integer(&json, "outer", history->open_containers[i].outer);
        impi_json_end_object(&json);
    }
    impi_json_end_array(&json);
    impi_json_put_key(&json, "frames");
    impi_json_begin_array(&json);
    for (size_t i = 0; i < history->frame_count; ++i)
        put_json_frame(&json, run, i);
    impi_json_end_array(&json);
    impi_json_end_document(&json);
}
