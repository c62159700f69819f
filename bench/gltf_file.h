/// Binary glTF files of a moving mesh, for measuring how long they take to be read.
#ifndef IMPINGE_BENCH_GLTF_FILE_H
#define IMPINGE_BENCH_GLTF_FILE_H

#include <impinge/mesh.h>

#define GLTF_NODE_COUNT   4
#define GLTF_TARGET_COUNT 3

/// One body with GLTF_TARGET_COUNT morph targets, whose weights move. False when it can't be written.
bool gltf_write_morph(const imp_Mesh *mesh, const char *path);

/// GLTF_NODE_COUNT bodies, each with data of its own, that move and turn. False when it can't be written.
bool gltf_write_nodes(const imp_Mesh *mesh, const char *path);

#endif
