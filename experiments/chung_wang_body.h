/// A polytope as Chung & Wang's search wants it (1996, 2.3 and 2.4): which vertices are neighbours, and a
/// vertex to begin with for any direction.
#ifndef IMPINGE_EXPERIMENTS_CHUNG_WANG_BODY_H
#define IMPINGE_EXPERIMENTS_CHUNG_WANG_BODY_H

#include "shape/convex.h"

/// Band b of the table holds the directions at b to b + 1 eighths of pi from the z axis, meridian m those
/// whose x and y stand at m to m + 1 sixteenths of a turn from the x axis towards the y axis.
#define CHUNG_WANG_BANDS     8
#define CHUNG_WANG_MERIDIANS 16

typedef struct ChungWangBody {
    imp_Convex *convex; // one reference
    imp_Allocator allocator;
    // Vertices of the mesh that are joined to vertex v by an edge: neighbours[first_neighbours[v] ..
    // first_neighbours[v + 1] - 1], ascending. Vertices that no face uses, and all but the first of those
    // with equal coordinates, have none.
    uint32_t *first_neighbours; // one more than vertices
    uint32_t *neighbours;
    uint32_t table[CHUNG_WANG_BANDS][CHUNG_WANG_MERIDIANS]; // a support vertex in the middle of each cell
} ChungWangBody;

/// Expects the default floating-point mode, like all that is below. IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status chung_wang_body_create(imp_Context *context, imp_Convex *convex, ChungWangBody **body);

/// Null is fine.
void chung_wang_body_destroy(ChungWangBody *body);

/// The unit vector in the middle of a cell of the table.
imp_Vec3 chung_wang_table_direction(int band, int meridian);

/// Where local search may start when nothing is known: from the table.
uint32_t chung_wang_start(const ChungWangBody *body, imp_Vec3 direction);

/// The support vertex by local search from `start`, in the body's own frame; vertices looked at are added to
/// `visit_count`.
uint32_t chung_wang_climb(const ChungWangBody *body, uint32_t start, imp_Vec3 direction,
                          uint64_t *visit_count);

#endif
