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

/// Closed; more faces than one task takes.
const imp_Mesh *pattern_large(void);

/// Few faces, nearly all of which touch: more pairs than fit in the first scratch memory.
const imp_Mesh *pattern_tangle(void);
#define MAX_TANGLE_PAIRS 16384

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
