/// What builders of sphere trees give: spheres and their parents, nothing proven yet.
#ifndef IMPINGE_SHAPE_SPHERE_DRAFT_H
#define IMPINGE_SHAPE_SPHERE_DRAFT_H

#include "base/array.h"
#include "base/context.h"

#include <impinge/spheres.h>

/// Level by level, the root first, in the order of their parents; spheres above the last level may
/// lack children. Memory comes from the context's allocator.
typedef IMPI_ARRAY(imp_GivenSphere) impi_SphereDraft;

/// Of a def that is checked and has its defaults filled in: a flat set has a depth of 1. A builder covers as
/// much as it can; what is missing is mended by impi_sphere_cover_mend. Each tells the context's watch how
/// far it is. IMP_STATUS_OUT_OF_MEMORY, what a watch says, IMP_STATUS_TOO_LARGE, or OK; on failure the draft
/// may hold anything, and the caller frees it.
imp_Status impi_spheres_fit(imp_Context *context, const imp_SphereTreeDef *def, impi_SphereDraft *draft);
imp_Status impi_spheres_medial(imp_Context *context, const imp_SphereTreeDef *def, impi_SphereDraft *draft);
imp_Status impi_spheres_octree(imp_Context *context, const imp_SphereTreeDef *def, impi_SphereDraft *draft);

/// Drop spheres above the last level that have no descendants there: nothing of the surface hangs on them.
/// IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status impi_sphere_draft_prune(imp_Context *context, impi_SphereDraft *draft);

#endif
