/// Is a point inside of a body's closed surface, where it is? Exact, on the posed coordinates.
#ifndef IMPINGE_OBJECT_BODY_CONTAINS_H
#define IMPINGE_OBJECT_BODY_CONTAINS_H

#include "object/body.h"

/// The body's surface must have been required (object/posed_surface.h) and be closed. Blocks that the answer
/// hangs on are posed unless they are: several threads may ask only where all are. A point on the surface is
/// not inside.
bool impi_body_contains(impi_Body *body, imp_Vec3 point);

/// The shape of a deformed body as a mesh whose vertices lie in the context's scratch arena. Vertices that
/// were equal in its mesh may have parted, or met, so that its topology has to be looked at anew.
imp_Status impi_deformed_shape(imp_Context *context, const impi_Body *body, imp_Mesh *shape);

#endif
