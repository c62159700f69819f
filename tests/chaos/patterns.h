/// What meshes and files are made from: shapes and scenes that are made once per process, before programs
/// run, and only read from then on.
#ifndef IMPINGE_TESTS_CHAOS_PATTERNS_H
#define IMPINGE_TESTS_CHAOS_PATTERNS_H

#include "mesh_files.h"

typedef enum Pattern {
    PATTERN_BOX,
    PATTERN_TETRAHEDRON,
    PATTERN_SPHERE,
    PATTERN_CRUMB, ///< small
    PATTERN_ROOM,  ///< large enough for most others
    PATTERN_OPEN_ROOM,
    PATTERN_TORUS,
    PATTERN_HOLLOW,
    PATTERN_TWO_BOXES,
    PATTERN_SHEET, ///< open
    PATTERN_SOUP,
    PATTERN_GRID_SOUP, ///< degenerate, coplanar and repeated triangles
    PATTERN_INSIDE_OUT,
    PATTERN_COUNT,
} Pattern;

#define CONVEX_PATTERNS (PATTERN_CRUMB + 1) ///< the first ones are convex

const imp_Mesh *pattern_mesh(Pattern pattern);

#define MAX_SELF_PAIRS 16384

/// A mesh of more faces or pairs of faces than the others, and its pairs, which are found once.
typedef struct LargePattern {
    imp_Mesh *mesh;
    imp_FacePair pairs[MAX_SELF_PAIRS];
    size_t pair_count;
} LargePattern;

/// Closed; more faces than one task takes.
const LargePattern *pattern_large(void);

/// Few faces, nearly all of which touch: more pairs than fit in the first scratch memory.
const LargePattern *pattern_tangle(void);

#define GLTF_PATTERNS 6

/// The bytes of a glTF file, its extension, and where it lies.
typedef struct GltfPattern {
    unsigned char *bytes;
    size_t size;
    const char *extension;
    char path[MAX_TEST_PATH + 256];
} GltfPattern;

const GltfPattern *pattern_gltf(unsigned number);

/// Make all of them, once. `patterns_free` is for those who look for leaks.
void patterns_make(void);
void patterns_free(void);

#endif
