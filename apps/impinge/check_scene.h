/// The bodies of a check, each a file in its pose, and what has been found out about them.
#ifndef IMPINGE_APPS_CHECK_SCENE_H
#define IMPINGE_APPS_CHECK_SCENE_H

#include "command.h"
#include "playback/face_lines.h"
#include "playback/playback.h"
#include "playback/still_motion.h"

typedef struct CheckScene {
    imp_Context *context;
    bool takes_hulls;       // bodies are the convex hulls of the files' vertices
    impi_StillBody *bodies; // each a file, named by its path; the pose is all zero unless given
    size_t body_count;
    impi_Playback *playback;
    impi_PlayedFrame found;    // its only frame
    impi_FaceLine *face_pairs; // as many as found: sorted, as lines of a table are
} CheckScene;

/// Make bodies for files, not loaded yet, in no pose. Says what went wrong; free the scene in any case.
CommandResult check_scene_create(CheckScene *scene, const Options *options, uint32_t thread_count);

/// Load the files, put them into a world and find out; also what is near, unless `clearance` is null. Says
/// what went wrong.
CommandResult check_scene_detect(CheckScene *scene, const imp_DetectDef *def,
                                 const imp_ClearanceDef *clearance);

/// Was the body given a pose?
bool check_body_is_placed(const impi_StillBody *body);

void check_scene_free(CheckScene *scene);

#endif
