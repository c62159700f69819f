/// Reads scenes in motion.
#ifndef IMPINGE_IO_SCENE_LOADER_H
#define IMPINGE_IO_SCENE_LOADER_H

#include "io/scene.h"

/// As imp_scene_load, in the default floating-point mode.
imp_Status impi_scene_load(imp_Context *context, const char *path, imp_Scene **scene);

#endif
