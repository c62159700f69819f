/// Does a solid touch a mesh?
#ifndef IMPINGE_OBJECT_SOLID_TOUCH_H
#define IMPINGE_OBJECT_SOLID_TOUCH_H

#include "base/arena.h"
#include "object/body.h"

/// What impi_solid_touches_mesh takes from its arena.
size_t impi_solid_touch_memory(const impi_Body *solid);

/// Exactly: do a convex body and a triangle of a mesh's surface share a point? Neither body moves. `tree`
/// holds boxes of the mesh's blocks in the world; `box` is around the solid. The arena is as it was
/// afterwards. When the budget ends first, `*is_cut_short` is set. IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status impi_solid_touches_mesh(impi_Arena *arena, impi_Budget *budget, const impi_Body *solid,
                                   const imp_Box *box, const impi_Body *mesh, const impi_BlockTree *tree,
                                   bool *touches, bool *is_cut_short);

#endif
