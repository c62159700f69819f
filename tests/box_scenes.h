/// Random boxes of all kinds, and which of them overlap by brute force.
#ifndef IMPINGE_TESTS_BOX_SCENES_H
#define IMPINGE_TESTS_BOX_SCENES_H

#include <impinge/broad.h>

#define BOX_SCENE_MAX 2000

typedef enum BoxKind {
    BOXES_CUBES,
    BOXES_POINTS,
    BOXES_FLAT,
    BOXES_NEEDLES,
    BOXES_SIZES_1E9, // the largest is 1e9 times the smallest
    BOXES_IDENTICAL,
    BOXES_LINE,        // touching face to face
    BOXES_CORNER_GRID, // touching at corners, edges and faces
    BOXES_SIGNED_ZEROS,
    BOXES_SUBNORMAL,
    BOXES_HUGE_RANGE,
    BOXES_FAR_AWAY, // small boxes far from the origin
    BOXES_OUTLIERS,
    BOXES_CLUSTERS,
    BOXES_ONE_LARGE, // a floor under everything
    BOX_KIND_COUNT,
} BoxKind;

typedef struct BoxScene {
    BoxKind kind;
    bool is_float;
    size_t count;
    double rows[BOX_SCENE_MAX][6]; // floats when is_float
    float float_rows[BOX_SCENE_MAX][6];
} BoxScene;

typedef struct PairList {
    imp_IndexPair *pairs;
    size_t count;
} PairList;

/// `scene` may have any content. Draws from the test's random numbers.
void box_scene_make_random(BoxScene *scene, BoxKind kind, bool is_float);

/// `list` has room for all pairs of BOX_SCENE_MAX boxes.
void box_scene_brute_force(const BoxScene *scene, PairList *list);

imp_BoxArray box_scene_array(const BoxScene *scene);

#endif
