/// How far are points from a mesh's surface, and which are inside? For many points, made for one call.
///
/// Points and lengths are in the mesh's local frame (shape/local_frame.h).
/// All functions expect the default floating-point mode (base/float_guard.h).
#ifndef IMPINGE_SHAPE_SURFACE_FIELD_H
#define IMPINGE_SHAPE_SURFACE_FIELD_H

#include "shape/block_tree.h"
#include "shape/local_frame.h"
#include "shape/point_location.h"

#define IMPI_FLAT_LANES 8

/// Eight faces, each laid flat in a frame of its own: the longest edge lies along x, the third corner above
/// the origin at (0, height), so that two right-angled triangles meet there.
///
///             (0, height)
///                 /|\ .
///                / | \   .
///     (-left, 0) --+----------- (right, 0)
typedef struct impi_FlatFaces {
    _Alignas(64) double origin[3][IMPI_FLAT_LANES];
    double along[3][IMPI_FLAT_LANES], across[3][IMPI_FLAT_LANES], normal[3][IMPI_FLAT_LANES];
    double left[IMPI_FLAT_LANES], right[IMPI_FLAT_LANES], height[IMPI_FLAT_LANES];
} impi_FlatFaces;

typedef struct impi_SurfaceField {
    const imp_Mesh *mesh;
    impi_LocalFrame frame;
    impi_BlockTree tree;      // over the boxes of each eight faces
    impi_FlatFaces *flat;     // of these
    uint32_t *faces;          // numbers in the mesh, by slot: eight times the place in `flat`, and the lane
    impi_PointLocator inside; // only of solids
} impi_SurfaceField;

#define IMPI_NO_SLOT UINT32_MAX

typedef struct impi_NearestPoint {
    double distance;
    imp_Vec3 point; // of the surface
    uint32_t slot;  // of its face
    double x, y;    // the point in the flat face's frame
} impi_NearestPoint;

/// How far a distance, and the place of its surface point, may be from the truth for a point p, in parts of
/// 1 + |p.x| + |p.y| + |p.z|. Derived in the source.
#define IMPI_SURFACE_FIELD_ERROR 0x1p-43

/// In the scratch arena of the context. The mesh has faces, and is closed where the inside is asked for.
/// IMP_STATUS_OUT_OF_MEMORY, IMP_STATUS_TOO_LARGE, what a watch says, or OK.
imp_Status impi_surface_field_build(imp_Context *context, const imp_Mesh *mesh, bool is_solid,
                                    impi_SurfaceField *field);

/// The nearest point of the surface; of several, any. A hint is the slot of a face that may be near, or
/// IMPI_NO_SLOT. The search ends early when something no farther than `enough` is found, which is given
/// back; below 0: never.
impi_NearestPoint impi_surface_field_nearest(const impi_SurfaceField *field, imp_Vec3 point, uint32_t hint,
                                             double enough);

/// A nearest point in the mesh's units, on the face `field->faces[nearest->slot]` but for rounding by 2^-50
/// of the mesh's largest coordinate.
imp_Vec3 impi_surface_field_point(const impi_SurfaceField *field, const impi_NearestPoint *nearest);

/// Does the surface wind around a point, given in the mesh's units? Exact; false on the surface.
static inline bool impi_surface_field_is_inside(const impi_SurfaceField *field, imp_Vec3 point)
{
    impi_Winding winding = impi_point_locator_wind(&field->inside, point, IMPI_NO_COMPONENT);
    return !winding.on_surface && winding.number != 0;
}

/// The same result from each.
impi_NearestPoint impi_surface_field_nearest_portable(const impi_SurfaceField *field, imp_Vec3 point,
                                                      uint32_t hint, double enough);
#if defined(__x86_64__)
impi_NearestPoint impi_surface_field_nearest_avx2(const impi_SurfaceField *field, imp_Vec3 point,
                                                  uint32_t hint, double enough);
impi_NearestPoint impi_surface_field_nearest_avx512(const impi_SurfaceField *field, imp_Vec3 point,
                                                    uint32_t hint, double enough);
#endif

#endif
