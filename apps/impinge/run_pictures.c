#include "run_pictures.h"

#include "distance_drawing.h"
#include "kit/progress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_PATH  1024
#define MAX_TITLE 256

// Three quarters from the front, slightly from above; always the same, so that pictures can be compared.
static const imp_Vec3 view = {0.6, 0.5, 1.0};

static bool create_drawing(const impi_Motion *motion, const impi_History *history, impi_Drawing *drawing,
                           imp_Vec3 **vertices)
{
    impi_DrawingRoom room = {0};
    size_t most_near = 0;
    for (size_t i = 0; i < history->frames.count; ++i)
        most_near = history->frames.data[i].near_pair_count > most_near
                        ? history->frames.data[i].near_pair_count
                        : most_near;
    distance_drawing_room_add(&room, most_near);
    for (size_t i = 0; i < motion->body_count; ++i)
        impi_drawing_room_add(&room, impi_motion_body(motion, i).mesh);
    *vertices = calloc(impi_motion_most_vertices(motion) + 1, sizeof **vertices);
    return impi_drawing_create(drawing, &room) && *vertices;
}

static CommandResult fill_drawing(const RunScene *scene, const impi_History *history, uint32_t frame,
                                  imp_Vec3 *vertices, impi_Drawing *drawing)
{
    impi_PlayedFrame played = impi_history_frame(history, frame);
    impi_drawing_clear(drawing);
    for (size_t i = 0; i < scene->motion.body_count; ++i) {
        imp_Pose pose;
        if (run_scene_place(scene, frame, i, &pose, vertices) != COMMAND_DONE)
            return COMMAND_FAILED;
        impi_drawing_add(drawing, impi_motion_body(&scene->motion, i).mesh,
                         impi_motion_body(&scene->motion, i).deforms ? vertices : NULL, &pose);
    }
    for (size_t i = 0; i < played.pair_count; ++i) {
        for (size_t k = 0; k < played.pairs[i].face_pair_count; ++k) {
            const imp_FacePair *faces = &played.face_pairs[played.pairs[i].first_face_pair + k];
            impi_drawing_mark(drawing, played.pairs[i].body_a, faces->face_a);
            impi_drawing_mark(drawing, played.pairs[i].body_b, faces->face_b);
        }
    }
    for (size_t i = 0; i < played.near_pair_count; ++i)
        distance_draw(drawing, played.near_pairs[i].body_a, played.near_pairs[i].body_b,
                      &played.near_pairs[i].distance);
    return COMMAND_DONE;
}

static CommandResult save_frame(const RunScene *scene, imp_Context *context, const impi_Drawing *drawing,
                                const char *folder, uint32_t frame)
{
    char path[MAX_PATH], title[MAX_TITLE];
    if (snprintf(path, sizeof path, "%s/frame-%04u.svg", folder, frame) >= (int)sizeof path)
        return command_fail("%s: the name is too long", folder);
    snprintf(title, sizeof title, "%s, frame %u", scene->name, frame);
    impi_PictureDef picture = drawing->picture;
    picture.title = title;
    picture.view = view;
    return impi_picture_save(context, &picture, path) == IMP_STATUS_OK ? COMMAND_DONE
                                                                       : command_fail_in(context);
}

CommandResult run_pictures_save(const RunScene *scene, const impi_History *history, imp_Context *context,
                                const char *folder, const uint32_t *frames, size_t frame_count)
{
    impi_Drawing drawing;
    imp_Vec3 *vertices = NULL;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return command_fail("%s: %s", folder, strerror(errno));
    CommandResult result = create_drawing(&scene->motion, history, &drawing, &vertices)
                               ? COMMAND_DONE
                               : command_fail("out of memory");
    impi_Progress *progress = impi_progress_begin();
    for (size_t i = 0; i < frame_count && result == COMMAND_DONE; ++i) {
        impi_progress_set(progress, "pictures", i, frame_count);
        result = fill_drawing(scene, history, frames[i], vertices, &drawing);
        if (result == COMMAND_DONE)
            result = save_frame(scene, context, &drawing, folder, frames[i]);
    }
    impi_progress_end(progress);
    impi_drawing_free(&drawing);
    free(vertices);
    return result;
}
