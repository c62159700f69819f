/// The papers' objects, modelled by code with as many triangles as the papers say.
///
/// Each is one closed surface that turns outward and does not meet itself. They stand upright along y and
/// look along z. The same bits come out on every machine. Statuses are those of scenes/shapes.h.
#ifndef IMPINGE_SCENES_OBJECTS_H
#define IMPINGE_SCENES_OBJECTS_H

#include <impinge/mesh.h>

/// A space shuttle's orbiter of 528 triangles, its wings 1.45 wide. The fuselage goes from z = -1 to the nose
/// at z = 1; engines and fin reach farther back.
imp_Status scene_shuttle(imp_Context *context, imp_Mesh **mesh);

/// A chair of 146 triangles, 1 high, its legs on y = 0 around the y axis.
imp_Status scene_chair(imp_Context *context, imp_Mesh **mesh);

/// A woman's head on a plinth, as plaster casts have it, 1 high, the plinth on y = 0 around the y axis.
/// 1816 triangles (Smith & Kitamura) or 1868 (Kitamura and others); other counts are refused.
imp_Status scene_venus(imp_Context *context, uint32_t face_count, imp_Mesh **mesh);

#endif
