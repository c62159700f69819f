/// Two polytopes' posed vertices on a common grid, and which of them lie farthest along a direction: exactly.
#ifndef IMPINGE_OBJECT_EXACT_PAIR_H
#define IMPINGE_OBJECT_EXACT_PAIR_H

#include "object/exact_simplex.h"

typedef struct impi_ExactVertices {
    imp_Vec3 *posed;
    const uint32_t *ids;
    size_t count;
    double *distances; // along the direction at hand, rounded
} impi_ExactVertices;

typedef struct impi_ExactPair {
    impi_GridSpan span; // of all posed coordinates; its lowest bit is the step of the grid
    double largest;     // size of a posed coordinate
    double scale;       // a power of two that keeps products of posed coordinates with directions in range
    impi_ExactVertices a, b;
    impi_ExactSimplex simplex;  // of differences, and the direction that is looked along
    imp_Vec3 rounded_direction; // the longest coordinate between 1/2 and 1, or an ulp more
    int direction_exponent;     // times 2 to the power of it that is the simplex's direction
} impi_ExactPair;

/// Pose both into memory of the arena, which the caller gives back. The simplex is empty, and its integers
/// are wide enough for it. IMP_STATUS_BAD_NUMBER when a posed vertex is not finite, IMP_STATUS_OUT_OF_MEMORY.
imp_Status impi_exact_pair_begin(impi_Arena *arena, const impi_Polytope *a, const impi_Polytope *b,
                                 impi_ExactPair **pair);

/// How much of the arena that takes at most, for two support sets of `lane_count` lanes together.
size_t impi_exact_pair_memory(size_t lane_count);

/// The position of a vertex by its number, or UINT32_MAX.
uint32_t impi_exact_vertices_find(const impi_ExactVertices *vertices, uint32_t id);

/// Take over differences by the numbers of their vertices; those that name no vertex are left out.
void impi_exact_pair_take_over(impi_ExactPair *pair, const imp_VertexPair *differences, unsigned count);

/// Look along the simplex's direction, after it was reduced.
void impi_exact_pair_aim(impi_ExactPair *pair);

/// Look along a direction that is given in doubles, as they are. The simplex is emptied.
void impi_exact_pair_aim_along(impi_ExactPair *pair, imp_Vec3 direction);

/// The position of the vertex that lies farthest along the direction, times `sign`, which is 1 or -1.
uint32_t impi_exact_pair_farthest(const impi_ExactPair *pair, const impi_ExactVertices *vertices, int sign);

/// Vertex b minus vertex a, by their positions.
void impi_exact_pair_difference(const impi_ExactPair *pair, uint32_t position_a, uint32_t position_b,
                                impi_ExactVector *difference);

/// How far a difference lies along the direction, times the length of the rounded direction; off as what
/// impi_integer_round gives, and where the direction was rounded by what that takes.
impi_WideNumber impi_exact_pair_along(const impi_ExactPair *pair, const impi_ExactVector *difference);

/// Add it to the simplex.
void impi_exact_pair_add(impi_ExactPair *pair, uint32_t position_a, uint32_t position_b);

#endif
