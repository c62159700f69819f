/// Reads scenes in motion.
#ifndef IMPINGE_IO_SCENE_LOADER_H
#define IMPINGE_IO_SCENE_LOADER_H

#include "io/file_load.h"
#include "io/scene.h"

/// As imp_scene_load_with, in the default floating-point mode.
imp_Status impi_scene_load(imp_Context *context, const impi_FileLoad *load, imp_Scene **scene);

#endif
