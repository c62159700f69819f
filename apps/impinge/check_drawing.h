/// Where bodies touch, or where they are nearest, to look at: a mesh with colours, and a picture.
#ifndef IMPINGE_APPS_CHECK_DRAWING_H
#define IMPINGE_APPS_CHECK_DRAWING_H

#include "check_distances.h"

/// Write all bodies in their places as one mesh into `mesh_path`, as a picture into `picture_path`; either
/// may be null. Touching faces stand out, others have a colour of their body. Where there are distances,
/// unless null, the faces of closest points stand out too, and in the picture these points are joined; where
/// there are contacts, it has the curves in which surfaces meet. Says what went wrong.
CommandResult check_draw(const CheckScene *scene, const CheckDistances *distances,
                         const CheckContacts *contacts, const char *mesh_path, const char *picture_path);

#endif
