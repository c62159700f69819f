#include "shape/sphere_clusters.h"
#include "shape/mesh_topology.h"
#include "shape/sphere_draft.h"
#include <stdio.h>

imp_Status impi_spheres_fit(imp_Context *context, const imp_SphereTreeDef *def, impi_SphereDraft *draft)
{
    const imp_Mesh *mesh = def->mesh;
    impi_LocalFrame frame = impi_local_frame_make(&mesh->shape.bounds);
    impi_SpherePieces pieces;
    impi_DistanceGrid grid;
    impi_SphereClusters clusters;
    bool is_closed;
    size_t leaves = def->count;
    if (!leaves) {
        leaves = 1;
        for (uint32_t i = 0; i < def->depth; ++i)
            leaves *= def->branch;
    }
    imp_Status status = impi_mesh_is_closed(context, mesh, &is_closed);
    if (status == IMP_STATUS_OK)
        status = impi_sphere_pieces_cut(context, mesh, &frame, 80 * leaves, &pieces);
    if (status == IMP_STATUS_OK)
        status = impi_distance_grid_build(context, mesh, &frame, &pieces, is_closed, &grid);
    if (status == IMP_STATUS_OK)
        status = impi_sphere_clusters_make(context, &pieces, &grid, leaves + 1, &clusters);
    if (status == IMP_STATUS_OK)
        status = impi_sphere_clusters_divide(context, &clusters, leaves);
    if (status != IMP_STATUS_OK)
        return status;
    if (!impi_array_reserve(&context->allocator, draft, sizeof *draft->data, clusters.count + 1))
        return impi_fail_out_of_memory(context);
    imp_Vec3 rc = impi_smallest_ball_center(&pieces);
    double rr = 0;
    for (size_t i = 0; i < pieces.point_count; ++i) { imp_Vec3 w = impi_subtract(pieces.points[i], rc); rr = fmax(rr, sqrt(impi_dot(w, w))); }
    fprintf(stderr, "R local %g points %zu pieces %zu cells %zu %zu %zu\n", rr, pieces.point_count, pieces.count, grid.size[0],grid.size[1],grid.size[2]);
    draft->data[draft->count++] = (imp_GivenSphere){impi_from_local(&frame, rc), impi_length_from_local_up(&frame, rr), IMP_NO_SPHERE};
    for (size_t i = 0; i < clusters.count; ++i) {
        const impi_Ball *b = &clusters.balls[i];
        draft->data[draft->count++] = (imp_GivenSphere){
            impi_from_local(&frame, (imp_Vec3){(double)b->center[0], (double)b->center[1], (double)b->center[2]}),
            impi_length_from_local_up(&frame, (double)b->radius), 0};
    }
    return IMP_STATUS_OK;
}
