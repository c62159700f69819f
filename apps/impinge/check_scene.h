/// The bodies of a check in their places, and what has been found out about them.
#ifndef IMPINGE_APPS_CHECK_SCENE_H
#define IMPINGE_APPS_CHECK_SCENE_H

#include "bodies.h"
#include "playback/face_lines.h"
#include "playback/playback.h"
#include "rule_options.h"

typedef struct CheckScene {
    imp_Context *context;
    Bodies loaded;
    const impi_StillBody *bodies; // of those
    size_t body_count;
    bool takes_hulls;             // bodies are the convex hulls of the files' vertices
    impi_PairRules *rules;        // null: none
    impi_BodyRounding *roundings; // see units_roundings
    impi_Playback *playback;
    impi_PlayedFrame found;    // its only frame
    impi_FaceLine *face_pairs; // as many as found: sorted, as lines of a table are
} CheckScene;

/// Read the files, put the bodies where they are, and read the rules about them. Says what went wrong; free
/// the scene in any case.
CommandResult check_scene_load(CheckScene *scene, const Options *options, uint32_t thread_count);

/// Put the bodies into a world and find out; `def` says what, its motion and rules are set here. Says what
/// went wrong.
CommandResult check_scene_detect(CheckScene *scene, const impi_PlaybackDef *def);

/// Take over what was found elsewhere about the bodies, and list its faces. It must stay until the scene is
/// freed. Says what went wrong.
CommandResult check_scene_take(CheckScene *scene, const impi_PlayedFrame *found);

void check_scene_free(CheckScene *scene);

#endif
