#include "playback/meetings.h"

#include "base/context.h"

void impi_meetings_free(imp_Context *context, impi_Meetings *meetings)
{
    if (!context) // then there are none
        return;
    const imp_Allocator *allocator = &context->allocator;
    impi_array_free(allocator, &meetings->list, sizeof *meetings->list.data);
    impi_array_free(allocator, &meetings->face_pairs, sizeof *meetings->face_pairs.data);
}

static void note_faces(impi_Meetings *meetings, const imp_SweepReport *report, const imp_SweptBodies *pair)
{
    for (size_t i = 0; i < pair->face_pair_count; ++i) {
        const imp_SweptFaces *faces = &report->face_pairs[pair->first_face_pair + i];
        meetings->face_pairs.data[meetings->face_pairs.count++] =
            (imp_FacePair){faces->face_a, faces->face_b};
    }
}

imp_Status impi_meetings_note(imp_Context *context, impi_Meetings *meetings, uint32_t frame,
                              const imp_SweepReport *report)
{
    const imp_Allocator *allocator = &context->allocator;
    if (!impi_array_reserve(allocator, &meetings->list, sizeof *meetings->list.data,
                            meetings->list.count + report->pair_count) ||
        !impi_array_reserve(allocator, &meetings->face_pairs, sizeof *meetings->face_pairs.data,
                            meetings->face_pairs.count + report->face_pair_count))
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < report->pair_count; ++i) {
        const imp_SweptBodies *pair = &report->pairs[i];
        if (pair->touched_at_start)
            continue;
        meetings->list.data[meetings->list.count++] =
            (impi_Meeting){.body_a = pair->body_a.slot - 1,
                           .body_b = pair->body_b.slot - 1,
                           .frame = frame,
                           .time = pair->time,
                           .is_certain = pair->is_certain,
                           .path = pair->path,
                           .first_face_pair = meetings->face_pairs.count,
                           .face_pair_count = pair->face_pair_count};
        note_faces(meetings, report, pair);
    }
    return IMP_STATUS_OK;
}

bool impi_meeting_is_seen(const impi_Meeting *meeting, const impi_History *history)
{
    impi_PlayedFrame next = impi_history_frame(history, (size_t)meeting->frame + 1);
    const impi_PlayedPair *pair = impi_frame_find_pair(&next, meeting->body_a, meeting->body_b);
    return pair && (pair->relations & IMP_RELATION_TOUCH);
}
