#include "kit/text_table.h"
#include "relations.h"
#include "run_columns.h"
#include "run_output.h"

#include <stdio.h>

#define BAR_WIDTH  44
#define MAX_NUMBER 32

// ---- bodies

// Names come from files: whatever they hold, a line of the table is one line.
static void put_name(impi_Text *output, const char *name, size_t width)
{
    size_t own = impi_text_width(name);
    for (; *name; ++name)
        impi_text_append(output, (unsigned char)*name < 0x20 || *name == 0x7F ? "?" : name, 1);
    impi_text_put_left(output, "", own < width ? width - own : 0);
}

static void put_bodies(const RunScene *scene, impi_Text *output)
{
    size_t width = impi_text_width("name");
    for (size_t i = 0; i < scene->motion.body_count; ++i) {
        size_t own = impi_text_width(impi_motion_body(&scene->motion, i).name);
        width = own > width ? own : width;
    }
    impi_text_put(output, "body  ");
    impi_text_put_left(output, "name", width);
    impi_text_put(output, "  triangles\n");
    for (size_t i = 0; i < scene->motion.body_count; ++i) {
        impi_text_put_number(output, i, 4);
        impi_text_put(output, "  ");
        put_name(output, impi_motion_body(&scene->motion, i).name, width);
        impi_text_put_number(output, imp_mesh_get_triangle_count(impi_motion_body(&scene->motion, i).mesh),
                             11);
        impi_text_put(output, impi_motion_body(&scene->motion, i).deforms ? "  deforms\n" : "\n");
    }
}

// ---- contacts

static void put_heading(const char *columns, size_t frame_count, impi_Text *output)
{
    char last[MAX_NUMBER];
    snprintf(last, sizeof last, "%zu", frame_count - 1);
    impi_text_printf(output, "\n%s  ", columns);
    if (frame_count > 1)
        impi_text_printf(output, "0%*s\n", BAR_WIDTH - 1, last);
    else
        impi_text_put(output, "0\n");
}

static void put_bar(uint32_t first_frame, uint32_t last_frame, size_t frame_count, impi_Text *output)
{
    for (size_t column = 0; column < BAR_WIDTH; ++column) {
        RunFrameSpan span = run_frames_of_column(column, BAR_WIDTH, frame_count);
        bool is_on = span.first <= last_frame && first_frame <= span.last;
        impi_text_append(output, is_on ? "#" : ".", 1);
    }
}

static void put_contact(const impi_Contact *contact, size_t frame_count, impi_Text *output)
{
    impi_text_put_number(output, contact->body_a, 4);
    impi_text_put(output, "  ");
    impi_text_put_left(output, relation_words(contact->relation)->words, 9);
    impi_text_put_number(output, contact->body_b, 6);
    impi_text_put_number(output, contact->first_frame, 8);
    impi_text_put_number(output, contact->last_frame, 8);
    if (contact->relation == IMP_RELATION_TOUCH)
        impi_text_put_number(output, contact->most_face_pairs, 17);
    else
        impi_text_put_right(output, "", 17);
    impi_text_put(output, "  ");
    put_bar(contact->first_frame, contact->last_frame, frame_count, output);
    impi_text_put(output, "\n");
}

static void put_approach(const impi_Approach *approach, size_t frame_count, impi_Text *output)
{
    char distance[MAX_NUMBER];
    snprintf(distance, sizeof distance, "%.9g", approach->nearest.distance);
    impi_text_put_number(output, approach->body_a, 4);
    impi_text_put_number(output, approach->body_b, 4);
    impi_text_put_number(output, approach->first_frame, 8);
    impi_text_put_number(output, approach->last_frame, 8);
    impi_text_put_right(output, distance, 16);
    impi_text_put_number(output, approach->nearest_frame, 10);
    impi_text_put(output, "  ");
    put_bar(approach->first_frame, approach->last_frame, frame_count, output);
    impi_text_put(output, "\n");
}

// Who is how near, and when.
static void put_approaches(const RunResult *run, impi_Text *output)
{
    size_t frame_count = run->history->frames.count;
    if (run->approaches->count)
        put_heading("   a   b    from      to  least distance  in frame", frame_count, output);
    for (size_t i = 0; i < run->approaches->count; ++i)
        put_approach(&run->approaches->approaches[i], frame_count, output);
}

static void put_open_containers(const impi_History *history, impi_Text *output)
{
    if (history->open_containers.count)
        impi_text_put(output, "\n");
    for (size_t i = 0; i < history->open_containers.count; ++i)
        impi_text_printf(output,
                         "Body %u gets into the box of body %u, whose surface is open: it has no inside.\n",
                         history->open_containers.data[i].inner, history->open_containers.data[i].outer);
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
        impi_text_put(output, "Nothing touches, and nothing is inside of anything.\n");
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
    if (!nearest) {
        impi_text_put(output, "No two bodies are ever at most ");
        impi_text_put_double(output, run->clearance);
        impi_text_put(output, " apart.\n");
        return;
    }
    impi_text_printf(output, "The least distance is %.9g, of bodies %u and %u in frame %zu.\n",
                     nearest->distance.distance, nearest->body_a, nearest->body_b, frame);
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
    const impi_Contacts *contacts = run->contacts;
    put_bodies(run->scene, output);
    if (contacts->count)
        put_heading("   a  relation      b    from      to  most face pairs", run->history->frames.count,
                    output);
    for (size_t i = 0; i < contacts->count; ++i)
        put_contact(&contacts->contacts[i], run->history->frames.count, output);
    if (run->asks_clearance)
        put_approaches(run, output);
    put_open_containers(run->history, output);
    put_conclusion(run, output);
    if (run->asks_clearance)
        put_nearest(run, output);
    return !run->with_times || put_times(run, output);
}
