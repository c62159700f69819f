/// Many spheres of a skeleton become few: neighbours are merged, those first that stick out least then.
#ifndef IMPINGE_SHAPE_SPHERE_MERGE_H
#define IMPINGE_SHAPE_SPHERE_MERGE_H

#include "shape/skeleton.h"

/// Reused from merge to merge. Memory comes from the context's allocator.
typedef struct impi_SphereMerger impi_SphereMerger;

/// A sphere around the forming points of what was merged into it. In the local frame.
typedef struct impi_MergedSphere {
    imp_Vec3 center;
    double radius;
    uint32_t first_member, member_count; // of the list that was merged, which is put in their order
} impi_MergedSphere;

typedef IMPI_ARRAY(impi_MergedSphere) impi_MergedSpheres;

/// When to end: at so many spheres, or earlier when merging any two would stick out of the body farther than
/// that.
typedef struct impi_MergeEnd {
    size_t count;      // at least 1
    double protrusion; // in the local frame; infinity: anything
} impi_MergeEnd;

/// Of a skeleton in a field; both must outlive it. IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status impi_sphere_merger_create(imp_Context *context, const impi_SurfaceField *field,
                                     const impi_Skeleton *skeleton, impi_SphereMerger **merger);
/// Null is fine.
void impi_sphere_merger_destroy(imp_Context *context, impi_SphereMerger *merger);

/// Merge some of the skeleton's spheres, given by their numbers. Results are added to `merged`, in the order
/// of their first members; with a largest protrusion, those are left out whose forming points others have as
/// well. IMP_STATUS_OUT_OF_MEMORY, what a watch says, or OK. Each merger of two is a step
/// of the work that is watched.
imp_Status impi_sphere_merger_merge(impi_SphereMerger *merger, uint32_t *members, size_t member_count,
                                    impi_MergeEnd end, impi_MergedSpheres *merged);

#endif
