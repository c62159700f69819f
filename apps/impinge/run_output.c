#include "run_output.h"

#include "distance_lines.h"
#include "playback/face_lines.h"

#include <stdlib.h>

#define SCHEMA_VERSION 1

// ---- CSV

// The columns that lists have where contacts between frames are in them; lines of frames are at their time.
#define TIME_COLUMNS ",time,certain"

static void put_time(const RunResult *run, const impi_Meeting *meeting, impi_Text *output)
{
    if (!run->meetings)
        return;
    impi_text_put(output, ",");
    impi_text_put_double(output, meeting ? meeting->time : 0);
    impi_text_put(output, !meeting || meeting->is_certain ? ",1" : ",0");
}

static void put_line(const RunResult *run, uint32_t frame, const impi_FaceLine *line,
                     const impi_Meeting *meeting, impi_Text *output)
{
    const uint32_t numbers[] = {frame, line->body_a, line->face_a, line->body_b, line->face_b};
    for (int i = 0; i < 5; ++i) {
        impi_text_put_integer(output, numbers[i]);
        impi_text_append(output, ",", i < 4);
    }
    put_time(run, meeting, output);
    impi_text_append(output, "\n", 1);
}

// The next meeting that begins at a frame; null: there is none left. `*next` counts those that were taken.
static const impi_Meeting *take_meeting(const RunResult *run, size_t frame, size_t *next)
{
    if (!run->meetings || *next >= run->meetings->list.count ||
        run->meetings->list.data[*next].frame != frame)
        return NULL;
    return &run->meetings->list.data[(*next)++];
}

static void put_meeting_faces(const RunResult *run, const impi_Meeting *meeting, impi_Text *output)
{
    for (size_t i = 0; i < meeting->face_pair_count; ++i) {
        const imp_FacePair *faces = &run->meetings->face_pairs.data[meeting->first_face_pair + i];
        const impi_FaceLine line = {meeting->body_a, faces->face_a, meeting->body_b, faces->face_b};
        put_line(run, meeting->frame, &line, meeting, output);
    }
}

bool run_put_faces_csv(const RunResult *run, impi_Text *output)
{
    const impi_History *history = run->history;
    impi_FaceLine *lines = calloc(impi_history_peak(history).face_pairs + 1, sizeof *lines);
    bool has_room = lines != NULL;
    size_t next = 0;
    impi_text_put(output, "frame,body_a,face_a,body_b,face_b");
    impi_text_put(output, run->meetings ? TIME_COLUMNS "\n" : "\n");
    for (size_t f = 0; f < history->frames.count && has_room; ++f) {
        impi_PlayedFrame frame = impi_history_frame(history, f);
        has_room = impi_face_lines_list(run->scene->context, &frame, lines) == IMP_STATUS_OK;
        for (size_t i = 0; i < frame.face_pair_count && has_room; ++i)
            put_line(run, (uint32_t)f, &lines[i], NULL, output);
        for (const impi_Meeting *meeting; has_room && (meeting = take_meeting(run, f, &next)) != NULL;)
            put_meeting_faces(run, meeting, output);
    }
    free(lines);
    return has_room;
}

// How many pairs of faces a relation is about.
static size_t faces_of_relation(const impi_PlayedPair *pair, Relation relation)
{
    return relation_has_faces(relation) ? pair->face_pair_count : 0;
}

static void put_pair_line(const RunResult *run, size_t frame, const impi_PlayedPair *pair, Relation relation,
                          const impi_Meeting *meeting, impi_Text *output)
{
    impi_text_printf(output, "%zu,%u,%u,%s,%zu", frame, pair->body_a, pair->body_b, relation_name(relation),
                     faces_of_relation(pair, relation));
    put_time(run, meeting, output);
    pair_put_csv_names(&run->scene->motion, pair->body_a, pair->body_b, output);
    impi_text_put(output, "\n");
}

void run_put_pairs_csv(const RunResult *run, impi_Text *output)
{
    const impi_History *history = run->history;
    size_t next = 0;
    impi_text_put(output, "frame,body_a,body_b,relation,face_pairs");
    impi_text_put(output, run->meetings ? TIME_COLUMNS PAIR_NAME_COLUMNS "\n" : PAIR_NAME_COLUMNS "\n");
    for (size_t f = 0; f < history->frames.count; ++f) {
        impi_PlayedFrame frame = impi_history_frame(history, f);
        for (size_t i = 0; i < frame.pair_count; ++i) {
            const impi_PlayedPair *pair = &frame.pairs[i];
            Relation relation;
            for (uint32_t left = pair->relations; relation_take(&left, pair->overlaps, &relation);)
                put_pair_line(run, f, pair, relation, NULL, output);
        }
        for (const impi_Meeting *meeting; (meeting = take_meeting(run, f, &next)) != NULL;) {
            const impi_PlayedPair pair = {.body_a = meeting->body_a,
                                          .body_b = meeting->body_b,
                                          .face_pair_count = meeting->face_pair_count};
            put_pair_line(run, f, &pair, RELATION_TOUCH, meeting, output);
        }
    }
}

static DistanceLine line_of(const impi_PlayedFrame *frame, const impi_NearPair *near)
{
    const impi_PlayedPair *pair = impi_frame_find_pair(frame, near->body_a, near->body_b);
    bool overlaps = pair && pair->overlaps;
    return (DistanceLine){near->body_a, near->body_b, distance_relation(&near->distance, overlaps, true),
                          near->distance};
}

void run_put_distances_csv(const RunResult *run, impi_Text *output)
{
    impi_text_put(output, "frame," DISTANCE_COLUMNS "\n");
    for (size_t f = 0; f < run->history->frames.count; ++f) {
        impi_PlayedFrame frame = impi_history_frame(run->history, f);
        for (size_t i = 0; i < frame.near_pair_count; ++i) {
            DistanceLine line = line_of(&frame, &frame.near_pairs[i]);
            impi_text_printf(output, "%zu,", f);
            distance_put_csv(&run->scene->motion, &line, output);
            impi_text_put(output, "\n");
        }
    }
}

void run_remark_on_containers(const RunResult *run)
{
    for (size_t i = 0; i < run->history->open_containers.count; ++i)
        open_container_remark(&run->scene->motion, &run->history->open_containers.data[i], run->scene->name);
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
    for (size_t i = 0; i < scene->motion.body_count; ++i) {
        impi_json_begin_object(json);
        impi_json_put_key(json, "name");
        impi_json_put_string(json, impi_motion_body(&scene->motion, i).name);
        put_json_integer(json, "triangle_count",
                         imp_mesh_get_triangle_count(impi_motion_body(&scene->motion, i).mesh));
        impi_json_put_key(json, "deforms");
        impi_json_put_bool(json, impi_motion_body(&scene->motion, i).deforms);
        impi_json_end_object(json);
    }
    impi_json_end_array(json);
}

static void put_json_relation(impi_JsonWriter *json, const RunResult *run, uint32_t body_a, uint32_t body_b,
                              Relation relation)
{
    pair_put_json(&run->scene->motion, body_a, body_b, json);
    impi_json_put_key(json, "relation");
    impi_json_put_string(json, relation_name(relation));
}

static void put_json_pair(impi_JsonWriter *json, const RunResult *run, const impi_PlayedPair *pair,
                          Relation relation)
{
    impi_json_begin_object(json);
    put_json_relation(json, run, pair->body_a, pair->body_b, relation);
    if (relation_has_faces(relation)) {
        put_json_integer(json, "face_pair_count", pair->face_pair_count);
        put_json_integer(json, "face_count_a", pair->touching_faces_a);
        put_json_integer(json, "face_count_b", pair->touching_faces_b);
    }
    impi_json_end_object(json);
}

static void put_json_near(impi_JsonWriter *json, const RunResult *run, const impi_PlayedFrame *frame)
{
    impi_json_put_key(json, "near_pairs");
    impi_json_begin_array(json);
    for (size_t i = 0; i < frame->near_pair_count; ++i) {
        DistanceLine line = line_of(frame, &frame->near_pairs[i]);
        impi_json_begin_object(json);
        distance_put_json(&run->scene->motion, &line, json);
        impi_json_end_object(json);
    }
    impi_json_end_array(json);
}

static void put_json_frame(impi_JsonWriter *json, const RunResult *run, size_t number)
{
    impi_PlayedFrame frame = impi_history_frame(run->history, number);
    impi_json_begin_object(json);
    put_json_integer(json, "frame", number);
    if (run->scene->poses) {
        impi_json_put_key(json, run->scene->poses->times ? "time" : "configuration");
        impi_json_put_string(json, run->scene->poses->labels[number]);
    }
    put_json_integer(json, "face_pair_count", frame.face_pair_count);
    if (run->with_times) {
        impi_json_put_key(json, "milliseconds");
        impi_json_put_double(json, frame.milliseconds);
    }
    impi_json_put_key(json, "pairs");
    impi_json_begin_array(json);
    for (size_t i = 0; i < frame.pair_count; ++i) {
        const impi_PlayedPair *pair = &frame.pairs[i];
        Relation relation;
        for (uint32_t left = pair->relations; relation_take(&left, pair->overlaps, &relation);)
            put_json_pair(json, run, pair, relation);
    }
    impi_json_end_array(json);
    if (run->asks_clearance)
        put_json_near(json, run, &frame);
    impi_json_end_object(json);
}

static void put_json_approaches(impi_JsonWriter *json, const RunResult *run)
{
    impi_json_put_key(json, "clearance");
    if (run->has_clearance)
        impi_json_put_double(json, run->clearance);
    else
        impi_json_put_null(json);
    impi_json_put_key(json, "approaches");
    impi_json_begin_array(json);
    for (size_t i = 0; i < run->approaches->count; ++i) {
        const impi_Approach *approach = &run->approaches->approaches[i];
        impi_json_begin_object(json);
        pair_put_json(&run->scene->motion, approach->body_a, approach->body_b, json);
        put_json_integer(json, "first_frame", approach->first_frame);
        put_json_integer(json, "last_frame", approach->last_frame);
        put_json_integer(json, "nearest_frame", approach->nearest_frame);
        impi_json_put_key(json, "least_distance");
        impi_json_put_double(json, approach->nearest.distance);
        impi_json_end_object(json);
    }
    impi_json_end_array(json);
}

static void put_json_contacts(impi_JsonWriter *json, const RunResult *run)
{
    const impi_Contacts *contacts = run->contacts;
    impi_json_put_key(json, "contacts");
    impi_json_begin_array(json);
    for (size_t i = 0; i < contacts->count; ++i) {
        const impi_Contact *contact = &contacts->contacts[i];
        impi_json_begin_object(json);
        put_json_relation(json, run, contact->body_a, contact->body_b,
                          relation_of(contact->relation, contact->overlaps));
        put_json_integer(json, "first_frame", contact->first_frame);
        put_json_integer(json, "last_frame", contact->last_frame);
        if (contact->relation == IMP_RELATION_TOUCH)
            put_json_integer(json, "most_face_pairs", contact->most_face_pairs);
        impi_json_end_object(json);
    }
    impi_json_end_array(json);
}

static void put_json_meetings(impi_JsonWriter *json, const RunResult *run)
{
    impi_json_put_key(json, "meetings");
    impi_json_begin_array(json);
    for (size_t i = 0; i < run->meetings->list.count; ++i) {
        const impi_Meeting *meeting = &run->meetings->list.data[i];
        impi_json_begin_object(json);
        pair_put_json(&run->scene->motion, meeting->body_a, meeting->body_b, json);
        put_json_integer(json, "frame", meeting->frame);
        meeting_put_json(meeting->time, meeting->is_certain, meeting->path, json);
        impi_json_put_key(json, "in_next_frame");
        impi_json_put_bool(json, impi_meeting_is_seen(meeting, run->history));
        put_json_integer(json, "face_pair_count", meeting->face_pair_count);
        impi_json_end_object(json);
    }
    impi_json_end_array(json);
}

void run_put_json(const RunResult *run, impi_Text *output)
{
    const impi_History *history = run->history;
    impi_JsonWriter json = impi_json_begin_document(output, SCHEMA_VERSION);
    impi_json_put_key(&json, "scene");
    impi_json_put_string(&json, run->scene->name);
    put_json_integer(&json, "frame_count", history->frames.count);
    impi_json_put_key(&json, "frame_rate");
    if (run->scene->poses) // whose frames are where its rows put them
        impi_json_put_null(&json);
    else
        impi_json_put_double(&json, run->scene->motion.frame_rate);
    put_json_bodies(&json, run->scene);
    put_json_contacts(&json, run);
    if (run->meetings)
        put_json_meetings(&json, run);
    if (run->asks_clearance)
        put_json_approaches(&json, run);
    open_containers_put_json(&run->scene->motion, history->open_containers.data,
                             history->open_containers.count, &json);
    impi_json_put_key(&json, "frames");
    impi_json_begin_array(&json);
    for (size_t i = 0; i < history->frames.count; ++i)
        put_json_frame(&json, run, i);
    impi_json_end_array(&json);
    impi_json_end_document(&json);
}
