/// Spheres as meshes and pictures, to look at.
#ifndef IMPINGE_APPS_SPHERE_DRAWING_H
#define IMPINGE_APPS_SPHERE_DRAWING_H

#include "kit/picture.h"
#include "sphere_text.h"

/// The spheres of one level of the first set, as one mesh. Says what is wrong.
CommandResult sphere_mesh_save(imp_Context *context, const SphereSelection *selection, const char *path);

/// Side by side: the first set's mesh, then its levels from the root on, or only that which is selected.
/// `look` has view, up and size. Says what is wrong.
CommandResult sphere_picture_save(imp_Context *context, const SphereSelection *selection,
                                  const impi_PictureDef *look, const char *path);

#endif
