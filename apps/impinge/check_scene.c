#include "check_scene.h"

#include "kit/progress.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

CommandResult check_scene_create(CheckScene *scene, const Options *options, uint32_t thread_count)
{
    *scene =
        (CheckScene){.body_count = options->argument_count, .takes_hulls = options_has(options, "convex")};
    scene->bodies = calloc(scene->body_count + 1, sizeof *scene->bodies);
    if (!scene->bodies)
        return command_fail("out of memory");
    for (size_t i = 0; i < scene->body_count; ++i)
        scene->bodies[i].path = options->arguments[i];
    scene->context = command_create_context(thread_count);
    return scene->context ? COMMAND_DONE : COMMAND_FAILED;
}

void check_scene_free(CheckScene *scene)
{
    imp_world_destroy(scene->world);
    for (size_t i = 0; scene->bodies && i < scene->body_count; ++i) {
        imp_mesh_release(scene->bodies[i].mesh);
        imp_convex_release(scene->bodies[i].convex);
    }
    imp_context_destroy(scene->context);
    free(scene->bodies);
    free(scene->pairs);
    free(scene->face_pairs);
    free(scene->open_containers);
    *scene = (CheckScene){0};
}

// A file that is named more than once is read once.
static size_t first_use(const CheckScene *scene, size_t body)
{
    size_t first = 0;
    while (strcmp(scene->bodies[first].path, scene->bodies[body].path) != 0)
        ++first;
    return first;
}

// Put the hull of a body's mesh into its place.
static imp_Status take_hull(imp_Context *context, CheckBody *body)
{
    imp_ConvexDef def = {.points = &imp_mesh_get_vertices(body->mesh)->x,
                         .point_count = imp_mesh_get_vertex_count(body->mesh)};
    imp_Status status = imp_convex_create(context, &def, &body->convex);
    if (status != IMP_STATUS_OK)
        return status;
    imp_mesh_release(body->mesh);
    body->mesh = imp_mesh_retain(imp_convex_get_mesh(body->convex));
    return IMP_STATUS_OK;
}

// `*refused` is the body that has no hull; what can't be read is named by the error itself.
static imp_Status load_bodies(CheckScene *scene, impi_Progress *progress, size_t *refused)
{
    for (size_t i = 0; i < scene->body_count; ++i) {
        CheckBody *body = &scene->bodies[i];
        size_t first = first_use(scene, i);
        imp_Status status = IMP_STATUS_OK;
        impi_progress_set(progress, "loading", i, scene->body_count);
        if (first < i) {
            body->mesh = imp_mesh_retain(scene->bodies[first].mesh);
            body->convex = imp_convex_retain(scene->bodies[first].convex);
            continue;
        }
        status = imp_mesh_load(scene->context, body->path, &body->mesh);
        if (status == IMP_STATUS_OK && scene->takes_hulls) {
            status = take_hull(scene->context, body);
            if (status != IMP_STATUS_OK)
                *refused = i;
        }
        if (status != IMP_STATUS_OK)
            return status;
    }
    return IMP_STATUS_OK;
}

// `*refused` is the body that could not be added.
static imp_Status add_bodies(CheckScene *scene, size_t *refused)
{
    imp_WorldDef world = {.expected_body_count = (uint32_t)scene->body_count};
    imp_Status status = imp_world_create(scene->context, &world, &scene->world);
    for (size_t i = 0; i < scene->body_count && status == IMP_STATUS_OK; ++i) {
        imp_BodyId id = {0};
        const CheckBody *from = &scene->bodies[i];
        imp_BodyDef body = {
            .mesh = from->convex ? NULL : from->mesh, .convex = from->convex, .pose = from->pose};
        status = imp_world_add_body(scene->world, &body, &id);
        if (status != IMP_STATUS_OK)
            *refused = i;
        else
            assert(id.slot == i + 1); // see body_number
    }
    return status;
}

// Nothing is ever removed from this world, so slots are given away in the order of the files.
static uint32_t body_number(imp_BodyId id)
{
    return id.slot - 1;
}

// How many faces of both bodies take part in the face pairs of one body pair. `marks` has a number for each
// face of a and for each of b, none of them `mark`.
static void count_faces(CheckPair *pair, const imp_TouchingFaces *faces, uint32_t mark, uint32_t *marks_a,
                        uint32_t *marks_b)
{
    for (size_t i = 0; i < pair->face_pair_count; ++i) {
        pair->face_count_a += marks_a[faces[i].face_a] != mark;
        marks_a[faces[i].face_a] = mark;
        pair->face_count_b += marks_b[faces[i].face_b] != mark;
        marks_b[faces[i].face_b] = mark;
    }
}

static size_t most_triangles(const CheckScene *scene)
{
    size_t most = 0;
    for (size_t i = 0; i < scene->body_count; ++i) {
        size_t count = imp_mesh_get_triangle_count(scene->bodies[i].mesh);
        most = count > most ? count : most;
    }
    return most;
}

static bool keep_pairs(CheckScene *scene, const imp_Report *report)
{
    size_t triangle_count = most_triangles(scene), next = 0;
    uint32_t *marks = calloc(triangle_count + 1, 2 * sizeof *marks);
    scene->pairs = calloc(report->body_pair_count + 1, sizeof *scene->pairs);
    if (!marks || !scene->pairs) {
        free(marks);
        return false;
    }
    scene->pair_count = report->body_pair_count;
    for (size_t i = 0; i < scene->pair_count; ++i) {
        const imp_BodyPair *found = &report->body_pairs[i];
        CheckPair *pair = &scene->pairs[i];
        *pair = (CheckPair){.body_a = body_number(found->body_a),
                            .body_b = body_number(found->body_b),
                            .relations = found->relations};
        // The report groups faces by body pairs, in the same order.
        const imp_TouchingFaces *faces = report->face_pairs + next;
        for (; next < report->face_pair_count; ++next, ++pair->face_pair_count)
            if (report->face_pairs[next].body_a.slot != found->body_a.slot ||
                report->face_pairs[next].body_b.slot != found->body_b.slot)
                break;
        count_faces(pair, faces, (uint32_t)i + 1, marks, marks + triangle_count);
    }
    free(marks);
    return true;
}

// The report groups the faces of one body a by body b, then by face a. A counting sort by face a is stable,
// so it gives the order of the columns. `starts` has room for one number more than a has faces.
static void place_face_pairs(const imp_TouchingFaces *found, size_t count, size_t face_count, size_t *starts,
                             CheckFaces *placed)
{
    memset(starts, 0, (face_count + 1) * sizeof *starts);
    for (size_t i = 0; i < count; ++i)
        ++starts[found[i].face_a + 1];
    for (size_t face = 0; face < face_count; ++face)
        starts[face + 1] += starts[face];
    for (size_t i = 0; i < count; ++i)
        placed[starts[found[i].face_a]++] = (CheckFaces){body_number(found[i].body_a), found[i].face_a,
                                                         body_number(found[i].body_b), found[i].face_b};
}

static bool keep_face_pairs(CheckScene *scene, const imp_Report *report)
{
    size_t *starts = calloc(most_triangles(scene) + 1, sizeof *starts);
    scene->face_pairs = calloc(report->face_pair_count + 1, sizeof *scene->face_pairs);
    if (!starts || !scene->face_pairs) {
        free(starts);
        return false;
    }
    scene->face_pair_count = report->face_pair_count;
    for (size_t begin = 0, end; begin < scene->face_pair_count; begin = end) {
        imp_BodyId a = report->face_pairs[begin].body_a;
        for (end = begin; end < scene->face_pair_count && report->face_pairs[end].body_a.slot == a.slot;)
            ++end;
        place_face_pairs(report->face_pairs + begin, end - begin,
                         imp_mesh_get_triangle_count(scene->bodies[body_number(a)].mesh), starts,
                         scene->face_pairs + begin);
    }
    free(starts);
    return true;
}

static bool keep_open_containers(CheckScene *scene, const imp_Report *report)
{
    scene->open_containers = calloc(report->open_container_count + 1, sizeof *scene->open_containers);
    if (!scene->open_containers)
        return false;
    scene->open_container_count = report->open_container_count;
    for (size_t i = 0; i < report->open_container_count; ++i)
        scene->open_containers[i] = (CheckContainer){body_number(report->open_containers[i].inner),
                                                     body_number(report->open_containers[i].outer)};
    return true;
}

// What the readers have to say, once per file.
static void pass_on_remarks(const CheckScene *scene)
{
    for (size_t i = 0; i < scene->body_count; ++i)
        if (imp_mesh_get_remark(scene->bodies[i].mesh) && first_use(scene, i) == i)
            command_remark(scene->bodies[i].path, imp_mesh_get_remark(scene->bodies[i].mesh));
}

CommandResult check_scene_detect(CheckScene *scene, const imp_DetectDef *def)
{
    const imp_Report *report = NULL;
    size_t refused = scene->body_count;
    impi_Progress *progress = impi_progress_begin();
    imp_Status status = load_bodies(scene, progress, &refused);
    impi_progress_set(progress, "comparing", 0, 0);
    if (status == IMP_STATUS_OK)
        status = add_bodies(scene, &refused);
    if (status == IMP_STATUS_OK)
        status = imp_world_detect(scene->world, def, &report);
    bool kept = status == IMP_STATUS_OK && keep_pairs(scene, report) && keep_face_pairs(scene, report) &&
                keep_open_containers(scene, report);
    impi_progress_end(progress);
    if (refused < scene->body_count)
        return command_fail("%s: %s", scene->bodies[refused].path,
                            imp_context_get_error(scene->context)->message);
    if (status != IMP_STATUS_OK)
        return command_fail_in(scene->context);
    if (!kept)
        return command_fail("out of memory");
    pass_on_remarks(scene);
    return COMMAND_DONE;
}
