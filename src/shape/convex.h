/// The inside of imp_Convex.
#ifndef IMPINGE_SHAPE_CONVEX_H
#define IMPINGE_SHAPE_CONVEX_H

#include "shape/shape.h"
#include "shape/support_set.h"

#include <impinge/convex.h>

/// The paper's table of support vertices by direction (Chung & Wang 1996, 2.4). Band b holds the directions
/// at b to b + 1 eighths of pi from the z axis, meridian m those whose x and y stand at m to m + 1 sixteenths
/// of a turn from the x axis towards the y axis.
#define IMPI_TABLE_BANDS     8
#define IMPI_TABLE_MERIDIANS 16

struct imp_Convex {
    impi_Shape shape;
    // At the begin of a cache line, because tests begin with it: of the distinct vertices that faces use.
    _Alignas(64) impi_SupportSet support;
    const imp_Vec3 *vertices; // of the mesh
    size_t vertex_count;      // of the mesh, if all of them are vertices of the polytope; else 0
    imp_Mesh *mesh;           // one reference
    // Vertices that are joined to vertex v by an edge: neighbours[first_neighbours[v] ..
    // first_neighbours[v+1] - 1], ascending. Vertices that no face uses, and all but the first of those with
    // equal coordinates, have none.
    uint32_t *first_neighbours; // vertex_count + 1
    uint32_t *neighbours;
    uint32_t table[IMPI_TABLE_BANDS][IMPI_TABLE_MERIDIANS]; // a support vertex in the middle of each cell
};

/// The unit vector in the middle of a cell of the table.
imp_Vec3 impi_table_direction(int band, int meridian);

/// The public functions without their checks of null arguments, in the default floating-point mode
/// (base/float_guard.h). They use the context's scratch arena.
imp_Status impi_convex_create(imp_Context *context, const imp_ConvexDef *def, imp_Convex **convex);
imp_Status impi_convex_create_from_mesh(imp_Context *context, imp_Mesh *mesh, imp_Convex **convex);

/// When the last reference goes.
void impi_convex_destroy(imp_Convex *convex);

#endif
