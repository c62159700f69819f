/// The bodies of a check, each a file in its pose, and what has been found out about them.
#ifndef IMPINGE_APPS_CHECK_SCENE_H
#define IMPINGE_APPS_CHECK_SCENE_H

#include "command.h"

typedef struct CheckBody {
    const char *path;
    imp_Pose pose; // all zero unless given
    bool has_pose;
    imp_Convex *convex; // null unless bodies are convex hulls
    imp_Mesh *mesh;     // what faces are counted in: the file's, or the hull's
} CheckBody;

/// Bodies count from 0 in the order of the files.
typedef struct CheckFaces {
    uint32_t body_a, face_a, body_b, face_b;
} CheckFaces;

typedef struct CheckPair {
    uint32_t body_a, body_b;
    uint32_t relations; // imp_Relation bits
    size_t face_pair_count;
    size_t face_count_a, face_count_b; // how many faces of each take part
} CheckPair;

typedef struct CheckContainer {
    uint32_t inner, outer;
} CheckContainer;

typedef struct CheckScene {
    imp_Context *context;
    imp_World *world;
    bool takes_hulls; // bodies are the convex hulls of the files' vertices
    CheckBody *bodies;
    size_t body_count;
    CheckPair *pairs; // sorted
    size_t pair_count;
    CheckFaces *face_pairs; // sorted, as lines of a table are: by its first column, then by the next
    size_t face_pair_count;
    CheckContainer *open_containers;
    size_t open_container_count;
} CheckScene;

/// Make bodies for files, not loaded yet, in no pose. Says what went wrong; free the scene in any case.
CommandResult check_scene_create(CheckScene *scene, const Options *options, uint32_t thread_count);

/// Load the files, put them into a world and find out. Says what went wrong.
CommandResult check_scene_detect(CheckScene *scene, const imp_DetectDef *def);

void check_scene_free(CheckScene *scene);

#endif
