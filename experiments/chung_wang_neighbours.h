/// Which vertices of a closed surface are joined by edges.
#ifndef IMPINGE_EXPERIMENTS_CHUNG_WANG_NEIGHBOURS_H
#define IMPINGE_EXPERIMENTS_CHUNG_WANG_NEIGHBOURS_H

#include "base/context.h"

/// Neighbours of vertex v become neighbours[firsts[v] .. firsts[v + 1] - 1], ascending. Each edge of the
/// surface has two triangles, which use it in opposite directions: so there are as many neighbours as
/// corners, which are at most 2^32 - 1. `firsts` has room for vertex_count + 1 numbers, `neighbours` for 3 *
/// triangle_count. Linear; scratch comes from the context's arena. IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status chung_wang_list_neighbours(imp_Context *context, const uint32_t *indices, size_t triangle_count,
                                      size_t vertex_count, uint32_t *firsts, uint32_t *neighbours);

#endif
