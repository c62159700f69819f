/// The spheres of a draft as balls in the local frame of a mesh, and which of their chains hold a piece of
/// it.
///
/// A chain is a sphere of the last level and its ancestors. Balls are shrunk by the slack for all roundings,
/// so that a piece which computes as held is held in real arithmetic.
/// All functions expect the default floating-point mode (base/float_guard.h).
#ifndef IMPINGE_SHAPE_SPHERE_CHAINS_H
#define IMPINGE_SHAPE_SPHERE_CHAINS_H

#include "shape/local_frame.h"
#include "shape/mesh.h"
#include "shape/sphere_draft.h"

typedef struct impi_ChainBall {
    imp_Vec3 center;
    double reach;       // the shrunk radius; negative: nothing is known to be in it
    double held_square; // points whose square distance computes as no more lie in the ball; negative as well
    double met_square;  // points whose square distance computes as more do not
    uint32_t parent, first_child, child_count;
    bool is_far; // reach is that of a ball around the whole mesh, or negative: nothing between
} impi_ChainBall;

typedef struct impi_SphereChains {
    impi_LocalFrame frame;
    impi_ChainBall *balls;
    size_t count, last_level_first; // where the spheres of the last level begin
    const imp_Vec3 *vertices;       // of the mesh
} impi_SphereChains;

/// So often a face can be bisected: more would need a larger slack.
#define IMPI_MAX_PIECE_DEPTH 60

/// In the scratch arena of the context. IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status impi_sphere_chains_make(imp_Context *context, const imp_Mesh *mesh, const impi_SphereDraft *draft,
                                   impi_SphereChains *chains);

/// The ball of a sphere changes with its radius; parent and children stay.
void impi_chain_ball_set(const impi_LocalFrame *frame, const imp_GivenSphere *sphere, impi_ChainBall *ball);

/// Let the ball hold points whose square distance from its center computes as no more than this. False when
/// the radius exceeds the largest double.
bool impi_chain_ball_grow(const impi_LocalFrame *frame, double square, imp_GivenSphere *sphere,
                          impi_ChainBall *ball);

/// A triangle, or a box. Convex, so that a ball that holds the corners holds all of it.
typedef struct impi_CoverPiece {
    imp_Vec3 min, max; // of the corners
    imp_Vec3 corners[3];
    bool is_box; // then the corners are the eight of the box
} impi_CoverPiece;

impi_CoverPiece impi_triangle_piece(imp_Vec3 a, imp_Vec3 b, imp_Vec3 c);

/// The longest side is bisected. Corners that are off the truth by no more than some length give corners that
/// are off by no more than that and what one rounding adds.
void impi_piece_bisect(const impi_CoverPiece *piece, impi_CoverPiece halves[2]);

/// The length of the longest side, or of a box's diagonal.
double impi_piece_size(const impi_CoverPiece *piece);

/// The square distance of the farthest corner.
double impi_piece_farthest_square(const impi_CoverPiece *piece, const imp_Vec3 *center);

/// Of the box around the piece.
double impi_piece_nearest_square(const impi_CoverPiece *piece, const imp_Vec3 *center);

/// Make the first one the box around both.
void impi_piece_join(impi_CoverPiece *box, const impi_CoverPiece *piece);

/// How much is tried before a piece counts as bare: looks at balls grow with these. Honest trees need some
/// ten a face and some hundred a sphere. Whatever is mended with the lower effort is then proven with the
/// higher one.
#define IMPI_MENDING_EFFORT 1
#define IMPI_PROVING_EFFORT 8

/// The spheres that may hold a part of a piece, while their ancestors all hold the whole piece and they
/// themselves do not. Halves of the piece need to look at these only, and at their descendants. Fronts of a
/// piece and of the pieces that it is a part of lie behind each other on a stack.
typedef struct impi_CoverFront {
    const impi_SphereChains *chains;
    const imp_Allocator *allocator;
    impi_Watch *watch;
    IMPI_ARRAY(uint32_t) nodes;
    const uint32_t *preferred; // spheres of the last level that are taken first
    size_t preferred_count;
    uint64_t test_count; // balls looked at so far
    bool out_of_memory;
    bool is_ended; // out of memory, or a watch said so: what narrowing gives means nothing
} impi_CoverFront;

/// Put the root on the empty stack. The front of the whole.
void impi_cover_front_begin(impi_CoverFront *front);
void impi_cover_front_free(impi_CoverFront *front);

/// From the front at [begin, end) to that of a part of its piece, which goes on top of the stack. Returns the
/// last sphere of a chain that holds all of the part, or IMP_NO_SPHERE.
uint32_t impi_cover_front_narrow(impi_CoverFront *front, size_t begin, size_t end,
                                 const impi_CoverPiece *piece);

#endif
