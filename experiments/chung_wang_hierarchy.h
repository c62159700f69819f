/// The hierarchical representation of a polytope (Chung & Wang 1996, section 5, after Dobkin & Kirkpatrick):
/// polytopes P1 = P, P2, ... Ph, each the hull of the vertices that are left of the one before it when a set
/// of vertices that are no neighbours of each other is taken away.
#ifndef IMPINGE_EXPERIMENTS_CHUNG_WANG_HIERARCHY_H
#define IMPINGE_EXPERIMENTS_CHUNG_WANG_HIERARCHY_H

#include "chung_wang_body.h"

typedef struct ChungWangLevel {
    uint32_t vertex_count;
    size_t triangle_count;
    // Neighbours of vertex v are neighbours[firsts[v] .. firsts[v + 1] - 1]; 3 * triangle_count of them in
    // all.
    uint32_t *firsts, *neighbours;
} ChungWangLevel;

/// Vertices are numbered so that those of each level are the first ones: 0 to its vertex_count - 1.
typedef struct ChungWangHierarchy {
    imp_Allocator allocator;
    size_t level_count, level_capacity;
    ChungWangLevel *levels; // levels[0] is the polytope with its extreme vertices
    size_t vertex_count;    // of levels[0]
    imp_Vec3 *positions;
    uint32_t *mesh_vertices; // which vertex of the polytope's mesh each is
} ChungWangHierarchy;

/// The last level is a tetrahedron, or a polytope of which the rest would be flat (as of an octahedron). Of
/// order n log n. IMP_STATUS_OUT_OF_MEMORY or OK. Expects the default floating-point mode; uses the context's
/// scratch arena.
imp_Status chung_wang_hierarchy_create(imp_Context *context, const ChungWangBody *body,
                                       ChungWangHierarchy **hierarchy);

/// Null is fine.
void chung_wang_hierarchy_destroy(ChungWangHierarchy *hierarchy);

/// A vertex of the polytope's mesh that is farthest along a direction, up to the rounding of products with
/// it: from the last level to the first, the best of a vertex and its neighbours (lemma 5). Of order log n
/// where vertices have few neighbours. `visit_count` gets how many vertices were looked at; it may be null.
uint32_t chung_wang_hierarchy_support(const ChungWangHierarchy *hierarchy, imp_Vec3 direction,
                                      uint32_t *visit_count);

#endif
