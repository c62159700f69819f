#include "run_history.h"

#include "base/clock.h"
#include "kit/progress.h"

#include <assert.h>
#include <stdlib.h>

#define NS_PER_MS 1e6

typedef struct Recorder {
    const RunScene *scene;
    imp_Context *context;
    RunHistory *history;
    size_t pair_capacity, face_pair_capacity, container_capacity;
    imp_World *world;
    imp_BodyId *ids;
    imp_Vec3 *vertices; // room for those of any body
    // For counting faces: the last pair of bodies that each face of a and of b took part in.
    uint64_t *marks_a, *marks_b;
} Recorder;

// `storage` with room for `needed` elements and one more, at least doubling when it grows. Null when out of
// memory, with the storage as it was.
static void *grow(void *storage, size_t *capacity, size_t element_size, size_t needed)
{
    if (needed < *capacity)
        return storage;
    size_t next = 2 * *capacity > needed ? 2 * *capacity : needed + 1;
    void *grown = next <= SIZE_MAX / element_size ? realloc(storage, next * element_size) : NULL;
    if (grown)
        *capacity = next;
    return grown;
}

static bool allocate(Recorder *recorder)
{
    const RunScene *scene = recorder->scene;
    size_t vertex_count = 0, triangle_count = 0;
    for (size_t i = 0; i < scene->body_count; ++i) {
        size_t vertices = imp_mesh_get_vertex_count(scene->bodies[i].mesh);
        size_t triangles = imp_mesh_get_triangle_count(scene->bodies[i].mesh);
        vertex_count = vertices > vertex_count ? vertices : vertex_count;
        triangle_count = triangles > triangle_count ? triangles : triangle_count;
    }
    recorder->ids = calloc(scene->body_count + 1, sizeof *recorder->ids);
    recorder->vertices = calloc(vertex_count + 1, sizeof *recorder->vertices);
    recorder->marks_a = calloc(triangle_count + 1, sizeof *recorder->marks_a);
    recorder->marks_b = calloc(triangle_count + 1, sizeof *recorder->marks_b);
    recorder->history->frames = calloc((size_t)scene->frame_count + 1, sizeof *recorder->history->frames);
    return recorder->ids && recorder->vertices && recorder->marks_a && recorder->marks_b &&
           recorder->history->frames;
}

static void release(Recorder *recorder)
{
    imp_world_destroy(recorder->world);
    free(recorder->ids);
    free(recorder->vertices);
    free(recorder->marks_a);
    free(recorder->marks_b);
}

// ---- bodies

static CommandResult refuse_body(const Recorder *recorder, uint32_t frame, size_t body)
{
    return command_fail("%s: frame %u: body %zu (%s): %s", recorder->scene->name, frame, body,
                        recorder->scene->bodies[body].name,
                        imp_context_get_error(recorder->context)->message);
}

// The bodies come to the world in the poses of the first frame, so that none is refused for a place where
// it never is.
static CommandResult add_bodies(Recorder *recorder)
{
    const RunScene *scene = recorder->scene;
    imp_WorldDef def = {.expected_body_count = (uint32_t)scene->body_count};
    if (imp_world_create(recorder->context, &def, &recorder->world) != IMP_STATUS_OK)
        return command_fail_in(recorder->context);
    for (size_t i = 0; i < scene->body_count; ++i) {
        imp_BodyDef body = {.mesh = scene->bodies[i].mesh};
        if (run_scene_place(scene, 0, i, &body.pose, NULL) != COMMAND_DONE)
            return COMMAND_FAILED;
        if (imp_world_add_body(recorder->world, &body, &recorder->ids[i]) != IMP_STATUS_OK)
            return refuse_body(recorder, 0, i);
        assert(recorder->ids[i].slot == i + 1); // see body_number
    }
    return COMMAND_DONE;
}

// Nothing is ever removed from this world, so slots are given away in the order of the scene.
static uint32_t body_number(imp_BodyId id)
{
    return id.slot - 1;
}

static CommandResult move_bodies(Recorder *recorder, uint32_t frame)
{
    const RunScene *scene = recorder->scene;
    for (size_t i = 0; i < scene->body_count; ++i) {
        imp_Pose pose;
        bool deforms = scene->bodies[i].deforms;
        if (run_scene_place(scene, frame, i, &pose, recorder->vertices) != COMMAND_DONE)
            return COMMAND_FAILED;
        if (imp_body_set_pose(recorder->world, recorder->ids[i], pose) != IMP_STATUS_OK ||
            (deforms &&
             imp_body_set_vertices(recorder->world, recorder->ids[i], &recorder->vertices->x,
                                   imp_mesh_get_vertex_count(scene->bodies[i].mesh)) != IMP_STATUS_OK))
            return refuse_body(recorder, frame, i);
    }
    return COMMAND_DONE;
}

// ---- what was found

// The face pairs of one pair of bodies, which begin at `*next` in the report. `mark` is a new one.
static void keep_faces(Recorder *recorder, const imp_Report *report, size_t *next, uint64_t mark,
                       RunPair *pair)
{
    RunHistory *history = recorder->history;
    for (; *next < report->face_pair_count; ++*next) {
        const imp_TouchingFaces *faces = &report->face_pairs[*next];
        if (body_number(faces->body_a) != pair->body_a || body_number(faces->body_b) != pair->body_b)
            break;
        history->face_pairs[history->face_pair_count++] = (imp_FacePair){faces->face_a, faces->face_b};
        pair->touching_faces_a += recorder->marks_a[faces->face_a] != mark;
        pair->touching_faces_b += recorder->marks_b[faces->face_b] != mark;
        recorder->marks_a[faces->face_a] = recorder->marks_b[faces->face_b] = mark;
    }
    pair->face_pair_count = history->face_pair_count - pair->first_face_pair;
}

static bool make_room(Recorder *recorder, const imp_Report *report)
{
    RunHistory *history = recorder->history;
    RunPair *pairs = grow(history->pairs, &recorder->pair_capacity, sizeof *pairs,
                          history->pair_count + report->body_pair_count);
    history->pairs = pairs ? pairs : history->pairs;
    imp_FacePair *faces = grow(history->face_pairs, &recorder->face_pair_capacity, sizeof *faces,
                               history->face_pair_count + report->face_pair_count);
    history->face_pairs = faces ? faces : history->face_pairs;
    RunOpenContainer *containers =
        grow(history->open_containers, &recorder->container_capacity, sizeof *containers,
             history->open_container_count + report->open_container_count);
    history->open_containers = containers ? containers : history->open_containers;
    return pairs && faces && containers;
}

static bool keep_report(Recorder *recorder, const imp_Report *report, RunFrame *frame)
{
    RunHistory *history = recorder->history;
    size_t next = 0;
    if (!make_room(recorder, report))
        return false;
    frame->first_pair = history->pair_count;
    frame->pair_count = report->body_pair_count;
    for (size_t i = 0; i < report->body_pair_count; ++i) {
        const imp_BodyPair *found = &report->body_pairs[i];
        RunPair *pair = &history->pairs[history->pair_count++];
        *pair = (RunPair){.body_a = body_number(found->body_a),
                          .body_b = body_number(found->body_b),
                          .relations = found->relations,
                          .first_face_pair = history->face_pair_count};
        keep_faces(recorder, report, &next, history->pair_count, pair);
    }
    for (size_t i = 0; i < report->open_container_count; ++i)
        history->open_containers[history->open_container_count++] = (RunOpenContainer){
            body_number(report->open_containers[i].inner), body_number(report->open_containers[i].outer)};
    return true;
}

static int compare_containers(const void *left, const void *right)
{
    const RunOpenContainer *a = left, *b = right;
    return a->inner != b->inner ? (a->inner > b->inner) - (a->inner < b->inner)
                                : (a->outer > b->outer) - (a->outer < b->outer);
}

// Most of them are there in many frames; tell them once.
static void merge_containers(RunHistory *history)
{
    RunOpenContainer *found = history->open_containers;
    size_t kept = 0;
    if (history->open_container_count == 0)
        return;
    qsort(found, history->open_container_count, sizeof *found, compare_containers);
    for (size_t i = 0; i < history->open_container_count; ++i)
        if (kept == 0 || compare_containers(&found[kept - 1], &found[i]) != 0)
            found[kept++] = found[i];
    history->open_container_count = kept;
}

static CommandResult play_frame(Recorder *recorder, uint32_t number)
{
    RunFrame *frame = &recorder->history->frames[number];
    const imp_Report *report = NULL;
    if (move_bodies(recorder, number) != COMMAND_DONE)
        return COMMAND_FAILED;
    uint64_t start = impi_clock_ns();
    if (imp_world_detect(recorder->world, NULL, &report) != IMP_STATUS_OK)
        return command_fail("%s: frame %u: %s", recorder->scene->name, number,
                            imp_context_get_error(recorder->context)->message);
    frame->milliseconds = (double)(impi_clock_ns() - start) / NS_PER_MS;
    if (!keep_report(recorder, report, frame))
        return command_fail("%s: frame %u: out of memory for what touches; --frames plays less",
                            recorder->scene->name, number);
    recorder->history->frame_count = (size_t)number + 1;
    return COMMAND_DONE;
}

static CommandResult play_frames(Recorder *recorder)
{
    uint32_t frame_count = recorder->scene->frame_count;
    CommandResult result = COMMAND_DONE;
    impi_Progress *progress = impi_progress_begin();
    for (uint32_t frame = 0; result == COMMAND_DONE && frame < frame_count; ++frame) {
        impi_progress_set(progress, "frames", frame, frame_count);
        result = play_frame(recorder, frame);
    }
    impi_progress_end(progress);
    merge_containers(recorder->history);
    return result;
}

CommandResult run_history_record(const RunScene *scene, imp_Context *context, RunHistory *history)
{
    Recorder recorder = {.scene = scene, .context = context, .history = history};
    CommandResult result = COMMAND_FAILED;
    *history = (RunHistory){0};
    if (!allocate(&recorder))
        command_fail("out of memory");
    else if (add_bodies(&recorder) == COMMAND_DONE)
        result = play_frames(&recorder);
    release(&recorder);
    return result;
}

void run_history_free(RunHistory *history)
{
    free(history->frames);
    free(history->pairs);
    free(history->face_pairs);
    free(history->open_containers);
    *history = (RunHistory){0};
}

// ---- asking

size_t run_history_face_pairs(const RunHistory *history, size_t frame)
{
    size_t count = 0;
    for (size_t i = 0; i < history->frames[frame].pair_count; ++i)
        count += history->pairs[history->frames[frame].first_pair + i].face_pair_count;
    return count;
}

RunPeak run_history_peak(const RunHistory *history)
{
    RunPeak peak = {0};
    for (size_t i = 0; i < history->frame_count; ++i) {
        size_t count = run_history_face_pairs(history, i);
        if (count > peak.face_pairs)
            peak = (RunPeak){i, count};
    }
    return peak;
}

static int compare_doubles(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

bool run_history_times(const RunHistory *history, RunTimes *times)
{
    size_t count = history->frame_count;
    *times = (RunTimes){0};
    double *sorted = calloc(count + 1, sizeof *sorted);
    if (!sorted)
        return false;
    for (size_t i = 0; i < count; ++i) {
        sorted[i] = history->frames[i].milliseconds;
        times->total += sorted[i];
        if (sorted[i] > times->most) {
            times->most = sorted[i];
            times->slowest_frame = i;
        }
    }
    qsort(sorted, count, sizeof *sorted, compare_doubles);
    times->median = count ? (sorted[(count - 1) / 2] + sorted[count / 2]) / 2 : 0;
    free(sorted);
    return true;
}

RunFrameSpan run_frames_of_column(size_t column, size_t column_count, size_t frame_count)
{
    return (RunFrameSpan){column * frame_count / column_count,
                          ((column + 1) * frame_count - 1) / column_count};
}
