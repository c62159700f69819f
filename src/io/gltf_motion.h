/// What assimp loses of the motion in a glTF file, put back into a scene.
#ifndef IMPINGE_IO_GLTF_MOTION_H
#define IMPINGE_IO_GLTF_MOTION_H

#include "io/gltf_document.h"
#include "io/scene.h"

/// Nodes at rest get their places from the file's decimal numbers, tracks the exact times, the kind of
/// interpolation, and the tangents of cubic splines. Nodes without a number are left alone.
imp_Status impi_gltf_refine_scene(const impi_Gltf *gltf, imp_Scene *scene);

#endif
