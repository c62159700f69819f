/// Nodes and their motion as assimp gives them. Only for builds that have its headers.
#ifndef IMPINGE_IO_ASSIMP_NODES_H
#define IMPINGE_IO_ASSIMP_NODES_H

#include "io/assimp_mesh.h"
#include "io/scene.h"

typedef struct impi_AssimpNode {
    const C_STRUCT aiNode *source;
    uint32_t index; // in the scene
} impi_AssimpNode;

/// What the readers of one scene share.
typedef struct impi_AssimpReader {
    imp_Context *context;
    const char *file_name;
    const C_STRUCT aiScene *source;
    bool names_are_numbers; // of glTF nodes
    imp_Scene *scene;
    impi_AssimpNode *nodes;   // as many as the scene has, in its order
    impi_AssimpNode *by_name; // the same, sorted by name
    size_t unheld_count;
} impi_AssimpReader;

/// Fill the scene's nodes and those of the reader, which are in the scene's arena.
imp_Status impi_assimp_read_nodes(impi_AssimpReader *reader);

/// The first node of that name, or IMPI_NO_NODE.
uint32_t impi_assimp_find_node(const impi_AssimpReader *reader, const C_STRUCT aiString *name);

/// The tracks of all animations. Where several move the same, the last does.
imp_Status impi_assimp_read_tracks(impi_AssimpReader *reader);

/// An array in the scene's arena, all zero; null, with the error recorded, when out of memory.
void *impi_assimp_allocate(impi_AssimpReader *reader, size_t count, size_t size);

#endif
