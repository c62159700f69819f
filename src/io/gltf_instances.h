/// Nodes of a glTF file that share a mesh: bodies of the same shape have it once in memory.
#ifndef IMPINGE_IO_GLTF_INSTANCES_H
#define IMPINGE_IO_GLTF_INSTANCES_H

#include "base/item_table.h"
#include "io/gltf_document.h"

#include <impinge/mesh.h>

#define IMPI_STRETCH_WORDS 12

/// A mesh of the file, stretched by the nodes above it.
typedef struct impi_GltfInstance {
    uint32_t source;                      // among the meshes of the file
    uint64_t stretch[IMPI_STRETCH_WORDS]; // bit by bit
    imp_Mesh *mesh;                       // owned by the first body that has it
} impi_GltfInstance;

typedef struct impi_GltfInstances {
    impi_GltfInstance *items;
    uint32_t count;
    impi_ItemTable table;
} impi_GltfInstances;

/// Room for so many, in the file's arena. False when out of memory.
bool impi_gltf_instances_make(impi_Gltf *gltf, size_t capacity, impi_GltfInstances *instances);

/// The mesh that was made of this one with this stretch, or null.
imp_Mesh *impi_gltf_instances_find(const impi_GltfInstances *instances, uint32_t source,
                                   const imp_Transform *stretch);

/// Note that one was made. Found again, unless its hash is that of another one.
void impi_gltf_instances_add(impi_GltfInstances *instances, uint32_t source, const imp_Transform *stretch,
                             imp_Mesh *mesh);

#endif
