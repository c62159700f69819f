#include "convex_record.h"

#include "bench.h"

#include <stdlib.h>
#include <string.h>

#define QUICK_STEPS 3

// What lives while a record is made.
typedef struct Recorder {
    imp_Context *context;
    ConvexRecord *record;
    bool is_jumpy;
    imp_ConvexState *states; // by pair
    bool *was_overlapping;   // by pair, in the frame before
    bool *is_overlapping;
    bool *is_colliding; // by body
} Recorder;

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    bench_check(memory != NULL, "out of memory");
    return memory;
}

static bool test_pair(Recorder *recorder, imp_IndexPair pair)
{
    ConvexRecord *record = recorder->record;
    const SceneConvexBox *box = record->box;
    imp_ConvexPair bodies = {box->bodies[pair.a].convex, box->bodies[pair.b].convex, box->poses[pair.a],
                             box->poses[pair.b]};
    imp_ConvexState *state = &recorder->states[convex_pair_slot(pair, record->body_count)];
    imp_ConvexResult result;
    bool is_valid = false;
    imp_Status status = imp_convex_test(recorder->context, state, &bodies, &result);
    bench_check(status == IMP_STATUS_OK, imp_status_name(status));
    bench_require(imp_certificate_check(recorder->context, &bodies, &result.certificate, &is_valid));
    bench_check(is_valid && result.certificate.touch == result.touch, "a certificate does not hold");
    record->quick_count += !result.touch && result.step_count <= QUICK_STEPS;
    return result.touch;
}

static void note_overlap(Recorder *recorder, ConvexFrame *frame, imp_IndexPair pair)
{
    size_t slot = convex_pair_slot(pair, recorder->record->body_count);
    recorder->is_overlapping[slot] = true;
    if (!recorder->was_overlapping[slot] || recorder->is_jumpy) {
        frame->begun[frame->begun_count++] = pair;
        recorder->states[slot] = (imp_ConvexState){0};
    }
}

static void record_frame(Recorder *recorder, ConvexFrame *frame)
{
    ConvexRecord *record = recorder->record;
    const SceneConvexBox *box = record->box;
    size_t count = record->body_count;
    frame->poses = zeroed(count, sizeof *frame->poses);
    frame->transforms = zeroed(count, sizeof *frame->transforms);
    frame->pairs = zeroed(box->pair_count, sizeof *frame->pairs);
    frame->begun = zeroed(box->pair_count, sizeof *frame->begun);
    imp_IndexPair *colliding = zeroed(box->pair_count, sizeof *colliding);
    memcpy(frame->poses, box->poses, count * sizeof *frame->poses);
    memcpy(frame->transforms, box->transforms, count * sizeof *frame->transforms);
    memset(recorder->is_colliding, 0, count);
    memset(recorder->is_overlapping, 0, count * count);
    for (size_t i = 0; i < box->pair_count; ++i) {
        imp_IndexPair pair = box->pairs[i];
        note_overlap(recorder, frame, pair);
        if (test_pair(recorder, pair)) {
            colliding[frame->colliding_count++] = pair;
            recorder->is_colliding[pair.a] = recorder->is_colliding[pair.b] = true;
        } else {
            frame->pairs[frame->separate_count++] = pair;
        }
    }
    memcpy(frame->pairs + frame->separate_count, colliding, frame->colliding_count * sizeof *colliding);
    free(colliding);
    memcpy(recorder->was_overlapping, recorder->is_overlapping, count * count);
    record->separate_count += frame->separate_count;
    record->colliding_count += frame->colliding_count;
}

static void describe_bodies(ConvexRecord *record)
{
    for (size_t i = 0; i < record->body_count; ++i) {
        const imp_Mesh *mesh = imp_convex_get_mesh(record->box->bodies[i].convex);
        record->bodies[i] = (ConvexBody){imp_mesh_get_vertices(mesh), imp_mesh_get_vertex_count(mesh),
                                         imp_mesh_get_indices(mesh), imp_mesh_get_triangle_count(mesh)};
    }
}

ConvexRecord *convex_record_make(imp_Context *context, const SceneConvexBoxDef *def, size_t frame_count,
                                 bool is_jumpy)
{
    size_t count = def->body_count;
    ConvexRecord *record = zeroed(1, sizeof *record);
    Recorder recorder = {context,
                         record,
                         is_jumpy,
                         zeroed(count * count, sizeof *recorder.states),
                         zeroed(count * count, 1),
                         zeroed(count * count, 1),
                         zeroed(count, 1)};
    record->body_count = count;
    record->bodies = zeroed(count, sizeof *record->bodies);
    record->frames = zeroed(frame_count, sizeof *record->frames);
    record->frame_count = frame_count;
    imp_Status status = scene_convex_box_create(context, def, &record->box);
    bench_check(status == IMP_STATUS_OK, imp_status_name(status));
    describe_bodies(record);
    for (size_t i = 0; i < frame_count; ++i) {
        if (is_jumpy)
            status = scene_convex_box_shuffle(context, record->box);
        else if (i > 0)
            status = scene_convex_box_step(context, record->box, recorder.is_colliding);
        bench_check(status == IMP_STATUS_OK, imp_status_name(status));
        record_frame(&recorder, &record->frames[i]);
    }
    free(recorder.states);
    free(recorder.was_overlapping);
    free(recorder.is_overlapping);
    free(recorder.is_colliding);
    return record;
}

void convex_record_free(ConvexRecord *record)
{
    for (size_t i = 0; i < record->frame_count; ++i) {
        free(record->frames[i].poses);
        free(record->frames[i].transforms);
        free(record->frames[i].pairs);
        free(record->frames[i].begun);
    }
    free(record->frames);
    free(record->bodies);
    scene_convex_box_destroy(record->box);
    free(record);
}
