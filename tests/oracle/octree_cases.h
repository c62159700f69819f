/// Random meshes of many kinds, each with a grid: a third of them lie on the grid's own corners and walls, to
/// the bit or off by one.
#ifndef IMPINGE_TESTS_OCTREE_CASES_H
#define IMPINGE_TESTS_OCTREE_CASES_H

#include <impinge/octree.h>

typedef enum OctreeKind {
    OCTREE_SPHERE,
    OCTREE_BUMPY,
    OCTREE_CAVITY,
    OCTREE_TORUS,
    OCTREE_COMPONENTS, ///< several, apart or not
    OCTREE_PIERCED,    ///< by itself
    OCTREE_INSIDE_OUT,
    OCTREE_FLAT,        ///< closed, around no volume
    OCTREE_EMPTY_FACES, ///< closed, and faces without area
    OCTREE_OPEN,
    OCTREE_GRID_BOXES, ///< from here on corners are those of the grid
    OCTREE_GRID_SOLIDS,
    OCTREE_GRID_FLAT,
    OCTREE_GRID_SOUP,
    OCTREE_ONE_ULP_OFF,
    OCTREE_KIND_COUNT
} OctreeKind;

typedef enum OctreePlace { PLACE_PLAIN, PLACE_FAR, PLACE_TINY, PLACE_HUGE, OCTREE_PLACE_COUNT } OctreePlace;

extern const char *const octree_kind_names[OCTREE_KIND_COUNT];
extern const char *const octree_place_names[OCTREE_PLACE_COUNT];

typedef struct OctreeCase {
    OctreeKind kind;
    OctreePlace place;
    imp_Mesh *mesh;
    imp_OctreeGrid grid;
    bool is_closed;
    bool is_grid_around; ///< the grid is that of imp_octree_grid_around
} OctreeCase;

/// Levels go up to `most_level`.
OctreeCase octree_case_make(imp_Context *context, OctreeKind kind, uint32_t most_level);
void octree_case_free(OctreeCase *octree_case);

/// Of a size of about `scale`, anywhere within some sizes of the origin, or far off. Corners are distinct.
imp_OctreeGrid random_octree_grid(uint32_t level, OctreePlace place);

/// Voxels in blocks of any size, noise, or all alike: 0 or 1.
void random_voxels(uint32_t level, uint8_t *voxels);

#endif
