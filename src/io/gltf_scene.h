/// Scenes in motion from glTF files.
#ifndef IMPINGE_IO_GLTF_SCENE_H
#define IMPINGE_IO_GLTF_SCENE_H

#include "io/gltf_document.h"
#include "io/scene.h"

/// Make a scene of a checked file, which it outlives, in another unit. On failure (out of memory, or
/// IMP_STATUS_BAD_FILE when transforms make a coordinate that is not finite, or IMP_STATUS_BAD_NUMBER when
/// the unit does) there is none. Expects the default floating-point mode.
imp_Status impi_gltf_make_scene(impi_Gltf *gltf, const impi_UnitConversion *conversion, imp_Scene **scene);

#endif
