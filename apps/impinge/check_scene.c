#include "check_scene.h"

#include "file_options.h"
#include "kit/progress.h"

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
        scene->bodies[i].name = options->arguments[i];
    scene->context = file_options_create_context(options, thread_count);
    return scene->context ? COMMAND_DONE : COMMAND_FAILED;
}

void check_scene_free(CheckScene *scene)
{
    impi_playback_close(scene->playback);
    for (size_t i = 0; scene->bodies && i < scene->body_count; ++i) {
        imp_mesh_release(scene->bodies[i].mesh);
        imp_convex_release(scene->bodies[i].convex);
    }
    imp_context_destroy(scene->context);
    free(scene->bodies);
    free(scene->face_pairs);
    *scene = (CheckScene){0};
}

// A file that is named more than once is read once.
static size_t first_use(const CheckScene *scene, size_t body)
{
    size_t first = 0;
    while (strcmp(scene->bodies[first].name, scene->bodies[body].name) != 0)
        ++first;
    return first;
}

// Put the hull of a body's mesh into its place.
static imp_Status take_hull(imp_Context *context, impi_StillBody *body)
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
        impi_StillBody *body = &scene->bodies[i];
        size_t first = first_use(scene, i);
        imp_Status status = IMP_STATUS_OK;
        impi_progress_set(progress, "loading", i, scene->body_count);
        if (first < i) {
            body->mesh = imp_mesh_retain(scene->bodies[first].mesh);
            body->convex = imp_convex_retain(scene->bodies[first].convex);
            continue;
        }
        status = imp_mesh_load(scene->context, body->name, &body->mesh);
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

static imp_Status play(CheckScene *scene, const imp_DetectDef *def, const imp_ClearanceDef *clearance)
{
    impi_PlaybackDef playback = {.motion = impi_still_motion(scene->bodies, scene->body_count),
                                 .detect = *def};
    if (clearance) {
        playback.lists_near = true;
        playback.clearance = *clearance;
    }
    imp_Status status = impi_playback_open(scene->context, &playback, &scene->playback);
    return status == IMP_STATUS_OK ? impi_playback_step(scene->playback, 0, &scene->found) : status;
}

// False when out of memory.
static bool list_face_pairs(CheckScene *scene)
{
    scene->face_pairs = calloc(scene->found.face_pair_count + 1, sizeof *scene->face_pairs);
    return scene->face_pairs &&
           impi_face_lines_list(scene->context, &scene->found, scene->face_pairs) == IMP_STATUS_OK;
}

// What the readers have to say, once per file.
static void pass_on_remarks(const CheckScene *scene)
{
    for (size_t i = 0; i < scene->body_count; ++i)
        if (imp_mesh_get_remark(scene->bodies[i].mesh) && first_use(scene, i) == i)
            command_remark(scene->bodies[i].name, imp_mesh_get_remark(scene->bodies[i].mesh));
}

CommandResult check_scene_detect(CheckScene *scene, const imp_DetectDef *def,
                                 const imp_ClearanceDef *clearance)
{
    size_t refused = scene->body_count;
    impi_Progress *progress = impi_progress_begin();
    command_show_progress(scene->context, progress);
    imp_Status status = load_bodies(scene, progress, &refused);
    impi_progress_set(progress, "comparing", 0, 0);
    if (status == IMP_STATUS_OK)
        status = play(scene, def, clearance);
    bool is_listed = status == IMP_STATUS_OK && list_face_pairs(scene);
    command_show_progress(scene->context, NULL);
    impi_progress_end(progress);
    if (refused < scene->body_count)
        return command_fail("%s: %s", scene->bodies[refused].name,
                            imp_context_get_error(scene->context)->message);
    if (status != IMP_STATUS_OK)
        return command_fail_in(scene->context);
    if (!is_listed)
        return command_fail("out of memory");
    pass_on_remarks(scene);
    return COMMAND_DONE;
}

bool check_body_is_placed(const impi_StillBody *body)
{
    const imp_Quat *r = &body->pose.rotation;
    return r->w != 0 || r->x != 0 || r->y != 0 || r->z != 0;
}
