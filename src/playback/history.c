#include "playback/history.h"

#include "base/context.h"
#include "playback/overlaps.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void impi_history_free(const imp_Allocator *allocator, impi_History *history)
{
    impi_array_free(allocator, &history->frames, sizeof *history->frames.data);
    impi_array_free(allocator, &history->pairs, sizeof *history->pairs.data);
    impi_array_free(allocator, &history->near_pairs, sizeof *history->near_pairs.data);
    impi_array_free(allocator, &history->face_pairs, sizeof *history->face_pairs.data);
    impi_array_free(allocator, &history->frame_containers, sizeof *history->frame_containers.data);
    impi_array_free(allocator, &history->open_containers, sizeof *history->open_containers.data);
    impi_array_free(allocator, &history->marks_a, sizeof *history->marks_a.data);
    impi_array_free(allocator, &history->marks_b, sizeof *history->marks_b.data);
}

// ---- noting

// Nothing is ever removed from the world of a playback, so slots are given away in the order of the motion.
static uint32_t body_number(imp_BodyId id)
{
    return id.slot - 1;
}

static bool reserve_marks(const imp_Allocator *allocator, impi_History *history, size_t count)
{
    if (count <= history->marks_a.count && count <= history->marks_b.count)
        return true;
    if (!impi_array_reserve(allocator, &history->marks_a, sizeof *history->marks_a.data, count) ||
        !impi_array_reserve(allocator, &history->marks_b, sizeof *history->marks_b.data, count))
        return false;
    memset(history->marks_a.data, 0, count * sizeof *history->marks_a.data);
    memset(history->marks_b.data, 0, count * sizeof *history->marks_b.data);
    history->marks_a.count = history->marks_b.count = count;
    return true;
}

static bool make_room(const imp_Allocator *allocator, impi_History *history, uint32_t frame,
                      const impi_Findings *findings)
{
    const imp_Report *report = findings->report;
    size_t found = report->open_container_count;
    return impi_array_reserve(allocator, &history->frames, sizeof *history->frames.data, (size_t)frame + 1) &&
           impi_array_reserve(allocator, &history->pairs, sizeof *history->pairs.data,
                              history->pairs.count + report->body_pair_count) &&
           impi_array_reserve(allocator, &history->near_pairs, sizeof *history->near_pairs.data,
                              history->near_pairs.count + findings->near_pair_count) &&
           impi_array_reserve(allocator, &history->face_pairs, sizeof *history->face_pairs.data,
                              history->face_pairs.count + report->face_pair_count) &&
           impi_array_reserve(allocator, &history->frame_containers, sizeof *history->frame_containers.data,
                              history->frame_containers.count + found) &&
           impi_array_reserve(allocator, &history->open_containers, sizeof *history->open_containers.data,
                              history->open_containers.count + found);
}

// The face pairs of one pair of bodies, which begin at `*next` in the report. The history's number of pairs
// is a mark that no earlier pair has set.
static void note_faces(impi_History *history, const imp_Report *report, size_t *next, impi_PlayedPair *pair)
{
    uint64_t mark = history->pairs.count;
    uint64_t *marks_a = history->marks_a.data, *marks_b = history->marks_b.data;
    for (; *next < report->face_pair_count; ++*next, ++pair->face_pair_count) {
        const imp_TouchingFaces *faces = &report->face_pairs[*next];
        if (body_number(faces->body_a) != pair->body_a || body_number(faces->body_b) != pair->body_b)
            break;
        assert(faces->face_a < history->marks_a.count && faces->face_b < history->marks_b.count);
        history->face_pairs.data[history->face_pairs.count++] = (imp_FacePair){faces->face_a, faces->face_b};
        pair->touching_faces_a += marks_a[faces->face_a] != mark;
        pair->touching_faces_b += marks_b[faces->face_b] != mark;
        marks_a[faces->face_a] = marks_b[faces->face_b] = mark;
    }
}

static int compare_containers(const impi_OpenContainer *a, const impi_OpenContainer *b)
{
    return a->inner != b->inner ? (a->inner > b->inner) - (a->inner < b->inner)
                                : (a->outer > b->outer) - (a->outer < b->outer);
}

// Most of them are there in many frames; each is told once.
static void note_container(impi_History *history, impi_OpenContainer found)
{
    impi_OpenContainer *all = history->open_containers.data;
    size_t low = 0, high = history->open_containers.count;
    history->frame_containers.data[history->frame_containers.count++] = found;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_containers(&all[middle], &found) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < history->open_containers.count && compare_containers(&all[low], &found) == 0)
        return;
    memmove(all + low + 1, all + low, (history->open_containers.count - low) * sizeof *all);
    all[low] = found;
    ++history->open_containers.count;
}

static void note_near(impi_History *history, const impi_Findings *found, impi_FrameRecord *record)
{
    record->first_near_pair = history->near_pairs.count;
    record->near_pair_count = (uint32_t)found->near_pair_count;
    for (size_t i = 0; i < found->near_pair_count; ++i)
        history->near_pairs.data[history->near_pairs.count++] = found->near_pairs[i];
}

bool impi_history_note(const imp_Allocator *allocator, impi_History *history, uint32_t frame,
                       const impi_Findings *found, size_t most_triangles)
{
    const imp_Report *report = found->report;
    size_t next = 0, next_contact = 0;
    assert(!impi_history_frame(history, frame).is_played);
    if (!reserve_marks(allocator, history, most_triangles) || !make_room(allocator, history, frame, found))
        return false;
    while (history->frames.count <= frame)
        history->frames.data[history->frames.count++] = (impi_FrameRecord){0};
    impi_FrameRecord *record = &history->frames.data[frame];
    *record = (impi_FrameRecord){.is_played = true,
                                 .milliseconds = found->milliseconds,
                                 .pair_count = (uint32_t)report->body_pair_count,
                                 .first_pair = history->pairs.count,
                                 .first_face_pair = history->face_pairs.count,
                                 .face_pair_count = report->face_pair_count,
                                 .open_container_count = (uint32_t)report->open_container_count,
                                 .first_open_container = history->frame_containers.count};
    for (size_t i = 0; i < report->body_pair_count; ++i) {
        const imp_BodyPair *bodies = &report->body_pairs[i];
        impi_PlayedPair *pair = &history->pairs.data[history->pairs.count++];
        *pair = (impi_PlayedPair){.body_a = body_number(bodies->body_a),
                                  .body_b = body_number(bodies->body_b),
                                  .relations = bodies->relations,
                                  .first_face_pair = history->face_pairs.count - record->first_face_pair};
        note_faces(history, report, &next, pair);
        pair->overlaps =
            found->overlaps && (pair->relations & IMP_RELATION_TOUCH) &&
            impi_bodies_overlap(report, found->overlaps, pair->body_a, pair->body_b, &next_contact);
    }
    note_near(history, found, record);
    for (size_t i = 0; i < report->open_container_count; ++i)
        note_container(history, (impi_OpenContainer){body_number(report->open_containers[i].inner),
                                                     body_number(report->open_containers[i].outer)});
    return true;
}

// ---- asking

impi_PlayedFrame impi_history_frame(const impi_History *history, size_t frame)
{
    if (frame >= history->frames.count || !history->frames.data[frame].is_played)
        return (impi_PlayedFrame){0};
    const impi_FrameRecord *record = &history->frames.data[frame];
    impi_PlayedFrame played = {.is_played = true, .milliseconds = record->milliseconds};
    if (record->pair_count) {
        played.pairs = history->pairs.data + record->first_pair;
        played.pair_count = record->pair_count;
    }
    if (record->near_pair_count) {
        played.near_pairs = history->near_pairs.data + record->first_near_pair;
        played.near_pair_count = record->near_pair_count;
    }
    if (record->face_pair_count) {
        played.face_pairs = history->face_pairs.data + record->first_face_pair;
        played.face_pair_count = record->face_pair_count;
    }
    if (record->open_container_count) {
        played.open_containers = history->frame_containers.data + record->first_open_container;
        played.open_container_count = record->open_container_count;
    }
    return played;
}

static int compare_pairs(const void *key, const void *element)
{
    const impi_PlayedPair *wanted = key, *pair = element;
    if (wanted->body_a != pair->body_a)
        return wanted->body_a < pair->body_a ? -1 : 1;
    return (wanted->body_b > pair->body_b) - (wanted->body_b < pair->body_b);
}

const impi_PlayedPair *impi_frame_find_pair(const impi_PlayedFrame *frame, uint32_t body_a, uint32_t body_b)
{
    const impi_PlayedPair wanted = {.body_a = body_a, .body_b = body_b};
    return frame->pair_count ? bsearch(&wanted, frame->pairs, frame->pair_count, sizeof wanted, compare_pairs)
                             : NULL;
}

impi_Peak impi_history_peak(const impi_History *history)
{
    impi_Peak peak = {0};
    for (size_t i = 0; i < history->frames.count; ++i)
        if (history->frames.data[i].face_pair_count > peak.face_pairs)
            peak = (impi_Peak){i, history->frames.data[i].face_pair_count};
    return peak;
}

const impi_NearPair *impi_history_nearest(const impi_History *history, size_t *frame)
{
    const impi_NearPair *nearest = NULL;
    for (size_t f = 0; f < history->frames.count; ++f) {
        impi_PlayedFrame played = impi_history_frame(history, f);
        for (size_t i = 0; i < played.near_pair_count; ++i) {
            if (nearest && played.near_pairs[i].distance.distance >= nearest->distance.distance)
                continue;
            nearest = &played.near_pairs[i];
            *frame = f;
        }
    }
    return nearest;
}

static int compare_doubles(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

imp_Status impi_history_times(imp_Context *context, const impi_History *history, impi_PlayTimes *times)
{
    impi_PlayTimes found = {0};
    size_t count = 0, room = history->frames.count;
    double *sorted = impi_allocate_array(&context->allocator, room, sizeof *sorted);
    if (room && !sorted)
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < room; ++i) {
        const impi_FrameRecord *record = &history->frames.data[i];
        if (!record->is_played)
            continue;
        sorted[count++] = record->milliseconds;
        found.total += record->milliseconds;
        if (record->milliseconds > found.most) {
            found.most = record->milliseconds;
            found.slowest_frame = i;
        }
    }
    if (count) {
        qsort(sorted, count, sizeof *sorted, compare_doubles);
        found.median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    }
    impi_release(&context->allocator, sorted, room * sizeof *sorted);
    *times = found;
    return IMP_STATUS_OK;
}
