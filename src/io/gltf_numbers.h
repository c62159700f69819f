/// The numbers behind what a glTF file shows.
#ifndef IMPINGE_IO_GLTF_NUMBERS_H
#define IMPINGE_IO_GLTF_NUMBERS_H

#include "io/gltf_reader.h"

/// All bodies of a file may have so many vertices and corners together.
#define IMPI_MAX_SCENE_VERTICES ((size_t)1 << 27)

/// The last step: vertices, morph targets, weights and keys of the scene are finite, its corners and joints
/// name vertices and joints. Nodes outside of the scene and channels that do not play are not looked at.
/// Refused are also a scene without triangles (IMP_STATUS_BAD_SHAPE) and one with more than
/// IMPI_MAX_SCENE_VERTICES (IMP_STATUS_TOO_LARGE).
void impi_gltf_check_numbers(impi_GltfReader *reader);

#endif
