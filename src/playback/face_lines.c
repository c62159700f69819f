#include "playback/face_lines.h"

#include "base/context.h"

#include <string.h>

// The pairs of one body a; they are sorted by body b, then faces.
typedef struct Group {
    const impi_PlayedPair *pairs;
    size_t pair_count, face_pair_count;
} Group;

static Group next_group(const impi_PlayedFrame *frame, size_t first_pair)
{
    Group group = {.pairs = frame->pairs + first_pair};
    while (first_pair + group.pair_count < frame->pair_count &&
           group.pairs[group.pair_count].body_a == group.pairs->body_a)
        group.face_pair_count += group.pairs[group.pair_count++].face_pair_count;
    return group;
}

// How many faces of a body a there may be in groups that are to be sorted.
static size_t count_faces(const impi_PlayedFrame *frame)
{
    size_t count = 0;
    for (size_t i = 0; i < frame->face_pair_count; ++i)
        if (frame->face_pairs[i].face_a >= count)
            count = (size_t)frame->face_pairs[i].face_a + 1;
    return count;
}

static void put_lines(const impi_PlayedFrame *frame, const Group *group, impi_FaceLine *lines)
{
    for (size_t i = 0; i < group->pair_count; ++i) {
        const impi_PlayedPair *pair = &group->pairs[i];
        const imp_FacePair *faces = frame->face_pairs + pair->first_face_pair;
        for (size_t k = 0; k < pair->face_pair_count; ++k)
            *lines++ = (impi_FaceLine){pair->body_a, faces[k].face_a, pair->body_b, faces[k].face_b};
    }
}

// A counting sort by face a is stable, so it gives the order of the columns. `starts` has a number more than
// there are faces.
static void put_sorted(const impi_PlayedFrame *frame, const Group *group, size_t face_count, size_t *starts,
                       impi_FaceLine *lines)
{
    const imp_FacePair *found = frame->face_pairs + group->pairs->first_face_pair;
    memset(starts, 0, (face_count + 1) * sizeof *starts);
    for (size_t i = 0; i < group->face_pair_count; ++i)
        ++starts[found[i].face_a + 1];
    for (size_t face = 0; face < face_count; ++face)
        starts[face + 1] += starts[face];
    for (size_t i = 0; i < group->pair_count; ++i) {
        const impi_PlayedPair *pair = &group->pairs[i];
        const imp_FacePair *faces = frame->face_pairs + pair->first_face_pair;
        for (size_t k = 0; k < pair->face_pair_count; ++k)
            lines[starts[faces[k].face_a]++] =
                (impi_FaceLine){pair->body_a, faces[k].face_a, pair->body_b, faces[k].face_b};
    }
}

imp_Status impi_face_lines_list(imp_Context *context, const impi_PlayedFrame *frame, impi_FaceLine *lines)
{
    size_t face_count = count_faces(frame);
    size_t *starts = impi_allocate_array(&context->allocator, face_count + 1, sizeof *starts);
    if (!starts)
        return impi_fail_out_of_memory(context);
    for (size_t first = 0; first < frame->pair_count;) {
        Group group = next_group(frame, first);
        if (group.face_pair_count == 0)
            ; // the frame may have no faces at all
        else if (group.pair_count == 1)
            put_lines(frame, &group, lines); // sorted already
        else
            put_sorted(frame, &group, face_count, starts, lines);
        first += group.pair_count;
        lines += group.face_pair_count;
    }
    impi_release(&context->allocator, starts, (face_count + 1) * sizeof *starts);
    return IMP_STATUS_OK;
}
