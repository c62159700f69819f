#include "body_labels.h"
#include "body_table.h"
#include "kit/text_table.h"
#include "run_columns.h"
#include "run_output.h"

#include <stdio.h>

#define LEAST_BAR_WIDTH 20
#define MAX_NUMBER      32

#define CONTACT_COLUMNS  "    from      to  most face pairs  "
#define APPROACH_COLUMNS "    from      to  least distance  in frame  "
#define MEETING_COLUMNS  "     meet at  contact       next frame  "

// A table of contacts or approaches. Bars are as wide as the rest of a line is.
typedef struct TimeTable {
    PairTable pairs;
    const char *columns;
    size_t bar_width, frame_count;
} TimeTable;

static TimeTable begin_table(const RunResult *run, BodyTable *bodies, bool has_relations, const char *columns)
{
    size_t rest_width = impi_text_width(columns) + LEAST_BAR_WIDTH;
    return (TimeTable){.pairs = pair_table_begin(bodies, has_relations, rest_width),
                       .columns = columns,
                       .frame_count = run->history->frames.count};
}

static void fit_table(TimeTable *table)
{
    pair_table_fit(&table->pairs);
    size_t used = pair_table_width(&table->pairs) + impi_text_width(table->columns);
    size_t columns = table->pairs.bodies->style.columns;
    table->bar_width = columns > used + LEAST_BAR_WIDTH ? columns - used : LEAST_BAR_WIDTH;
}

static void put_heading(const TimeTable *table, impi_Text *output)
{
    char last[MAX_NUMBER];
    snprintf(last, sizeof last, "%zu", table->frame_count - 1);
    pair_table_begin_heading(&table->pairs, output);
    impi_text_put(output, table->columns);
    impi_text_put(output, "0");
    if (table->frame_count > 1)
        impi_text_put_right(output, last, table->bar_width - 1);
    pair_table_end_heading(&table->pairs, output);
}

static void put_bar(const TimeTable *table, uint32_t first_frame, uint32_t last_frame, impi_Text *output)
{
    impi_text_put(output, "  ");
    for (size_t column = 0; column < table->bar_width; ++column) {
        RunFrameSpan span = run_frames_of_column(column, table->bar_width, table->frame_count);
        bool is_on = span.first <= last_frame && first_frame <= span.last;
        impi_text_append(output, is_on ? "#" : ".", 1);
    }
    impi_text_put(output, "\n");
}

// ---- contacts

static TimeTable announce_contacts(const RunResult *run, BodyTable *bodies)
{
    TimeTable table = begin_table(run, bodies, true, CONTACT_COLUMNS);
    for (size_t i = 0; i < run->contacts->count; ++i) {
        const impi_Contact *contact = &run->contacts->contacts[i];
        pair_table_announce(&table.pairs, contact->body_a, relation_of(contact->relation, contact->overlaps),
                            contact->body_b);
    }
    fit_table(&table);
    return table;
}

static void put_contact(const TimeTable *table, const impi_Contact *contact, impi_Text *output)
{
    Relation relation = relation_of(contact->relation, contact->overlaps);
    pair_table_put(&table->pairs, contact->body_a, relation, contact->body_b, output);
    impi_text_put_number(output, contact->first_frame, 8);
    impi_text_put_number(output, contact->last_frame, 8);
    if (relation_has_faces(relation))
        impi_text_put_number(output, contact->most_face_pairs, 17);
    else
        impi_text_put_spaces(output, 17);
    put_bar(table, contact->first_frame, contact->last_frame, output);
}

static void put_contacts(const RunResult *run, const TimeTable *table, impi_Text *output)
{
    if (run->contacts->count)
        put_heading(table, output);
    for (size_t i = 0; i < run->contacts->count; ++i)
        put_contact(table, &run->contacts->contacts[i], output);
}

// ---- approaches: who is how near, and when

static TimeTable announce_approaches(const RunResult *run, BodyTable *bodies)
{
    TimeTable table = begin_table(run, bodies, false, APPROACH_COLUMNS);
    for (size_t i = 0; i < run->approaches->count; ++i)
        pair_table_announce(&table.pairs, run->approaches->approaches[i].body_a, RELATION_CLEARANCE,
                            run->approaches->approaches[i].body_b);
    fit_table(&table);
    return table;
}

static void put_approach(const TimeTable *table, const impi_Approach *approach, impi_Text *output)
{
    char distance[MAX_NUMBER];
    snprintf(distance, sizeof distance, "%.9g", approach->nearest.distance);
    pair_table_put(&table->pairs, approach->body_a, RELATION_CLEARANCE, approach->body_b, output);
    impi_text_put_number(output, approach->first_frame, 8);
    impi_text_put_number(output, approach->last_frame, 8);
    impi_text_put_right(output, distance, 16);
    impi_text_put_number(output, approach->nearest_frame, 10);
    put_bar(table, approach->first_frame, approach->last_frame, output);
}

static void put_approaches(const RunResult *run, const TimeTable *table, impi_Text *output)
{
    if (run->approaches->count)
        put_heading(table, output);
    for (size_t i = 0; i < run->approaches->count; ++i)
        put_approach(table, &run->approaches->approaches[i], output);
}

// ---- meetings: contacts that begin between frames

static TimeTable announce_meetings(const RunResult *run, BodyTable *bodies)
{
    TimeTable table = begin_table(run, bodies, false, MEETING_COLUMNS);
    for (size_t i = 0; run->meetings && i < run->meetings->list.count; ++i)
        pair_table_announce(&table.pairs, run->meetings->list.data[i].body_a, RELATION_TOUCH,
                            run->meetings->list.data[i].body_b);
    fit_table(&table);
    return table;
}

static void put_meeting(const RunResult *run, const TimeTable *table, const impi_Meeting *meeting,
                        impi_Text *output)
{
    char time[MAX_NUMBER];
    snprintf(time, sizeof time, "%.4f", meeting->frame + meeting->time);
    pair_table_put(&table->pairs, meeting->body_a, RELATION_TOUCH, meeting->body_b, output);
    impi_text_put_right(output, time, 12);
    impi_text_put_spaces(output, 2);
    impi_text_put_left(output, meeting->is_certain ? "certain" : "conservative", 12);
    impi_text_put_right(output, impi_meeting_is_seen(meeting, run->history) ? "touch" : "apart", 12);
    put_bar(table, meeting->frame, meeting->frame, output);
}

static void put_meetings(const RunResult *run, const TimeTable *table, impi_Text *output)
{
    if (!run->meetings || run->meetings->list.count == 0)
        return;
    put_heading(table, output);
    for (size_t i = 0; i < run->meetings->list.count; ++i)
        put_meeting(run, table, &run->meetings->list.data[i], output);
}

static void put_meeting_count(const RunResult *run, impi_Text *output)
{
    size_t unseen = 0;
    for (size_t i = 0; i < run->meetings->list.count; ++i)
        unseen += !impi_meeting_is_seen(&run->meetings->list.data[i], run->history);
    impi_text_printf(output, "Contacts that begin between frames: %zu; gone in the next frame: %zu.\n",
                     run->meetings->list.count, unseen);
}

// ---- the end

static void put_conclusion(const RunResult *run, impi_Text *output)
{
    const impi_History *history = run->history;
    impi_Peak peak = impi_history_peak(history);
    size_t meeting = 0, n = run->scene->motion.body_count;
    for (size_t i = 0; i < history->frames.count; ++i)
        meeting += impi_history_frame(history, i).pair_count > 0;
    impi_text_put(output, "\n");
    if (history->frames.count == 0) {
        impi_text_put(output, "No frames were played, so there is nothing to tell.\n");
        return;
    }
    impi_text_printf(output, "Frames: %zu; bodies meet in %zu of them.\n", history->frames.count, meeting);
    if (meeting == 0) {
        impi_text_put(output, run->meetings ? "In no frame anything touches, or is inside of anything.\n"
                                            : "Nothing touches, and nothing is inside of anything.\n");
        return;
    }
    impi_text_printf(output, "Pairs of bodies that meet: %zu of %zu.", run->contacts->body_pair_count,
                     n * (n - 1) / 2);
    if (peak.face_pairs)
        impi_text_printf(output, " Pairs of faces that touch: at most %zu, in frame %zu.", peak.face_pairs,
                         peak.frame);
    impi_text_put(output, "\n");
}

static void put_nearest(const RunResult *run, impi_Text *output)
{
    size_t frame = 0;
    const impi_NearPair *nearest = impi_history_nearest(run->history, &frame);
    if (run->history->frames.count == 0)
        return;
    if (!nearest && !run->has_clearance) {
        impi_text_put(output, "No two bodies are ever nearer than they shall be.\n");
        return;
    }
    if (!nearest) {
        impi_text_put(output, "No two bodies are ever at most ");
        impi_text_put_double(output, run->clearance);
        impi_text_put(output, " apart.\n");
        return;
    }
    impi_text_printf(output, "The least distance is %.9g, of ", nearest->distance.distance);
    body_put_name(&run->scene->motion, nearest->body_a, output);
    impi_text_put(output, " and ");
    body_put_name(&run->scene->motion, nearest->body_b, output);
    impi_text_printf(output, " in frame %zu.\n", frame);
}

static bool put_times(const RunResult *run, impi_Text *output)
{
    impi_PlayTimes times;
    const impi_History *history = run->history;
    if (impi_history_times(run->scene->context, history, &times) != IMP_STATUS_OK)
        return false;
    if (history->frames.count)
        impi_text_printf(output,
                         "Time per frame: median %.3f ms, at most %.3f ms, in frame %zu. In all: %.3f ms.\n",
                         times.median, times.most, times.slowest_frame, times.total);
    return true;
}

bool run_put_timeline(const RunResult *run, impi_Text *output)
{
    const impi_Motion *motion = &run->scene->motion;
    BodyTable bodies;
    body_table_begin(&bodies, motion, NULL, output);
    TimeTable contacts = announce_contacts(run, &bodies), approaches = announce_approaches(run, &bodies),
              meetings = announce_meetings(run, &bodies);
    body_table_put(&bodies, output);
    put_contacts(run, &contacts, output);
    put_meetings(run, &meetings, output);
    put_approaches(run, &approaches, output);
    open_containers_put(motion, run->history->open_containers.data, run->history->open_containers.count,
                        output);
    put_conclusion(run, output);
    if (run->meetings && run->history->frames.count > 0)
        put_meeting_count(run, output);
    if (run->asks_clearance)
        put_nearest(run, output);
    body_table_free(&bodies);
    return !run->with_times || put_times(run, output);
}
