/// What two bodies, or two meshes, have to do with each other.
#ifndef IMPINGE_RELATION_H
#define IMPINGE_RELATION_H

#ifdef __cplusplus
extern "C" {
#endif

/// What two bodies have to do with each other. Bodies that touch are not looked at for containment.
///
/// Convex bodies are solids (the hulls of their posed vertices): two of them touch when they share a point,
/// also when one lies wholly inside the other; one touches a mesh when a face of the mesh shares a point with
/// it. Then no faces need be touching: face pairs are those of the surfaces. So nothing is ever inside of a
/// convex body without touching it; a convex body can be inside of a closed mesh.
typedef enum imp_Relation {
    IMP_RELATION_TOUCH = 1,
    IMP_RELATION_A_INSIDE_B = 2, ///< a component of a lies inside the closed surface of b
    IMP_RELATION_B_INSIDE_A = 4,
} imp_Relation;

#ifdef __cplusplus
}
#endif

#endif
