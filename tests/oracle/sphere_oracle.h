/// The slow, independent judge of sphere trees: does every point of a mesh lie in all balls of one chain,
/// from a sphere of the last level up to the root? In whole numbers, through the public interface alone. Not
/// for use on several threads.
#ifndef IMPINGE_TESTS_SPHERE_ORACLE_H
#define IMPINGE_TESTS_SPHERE_ORACLE_H

#include <impinge/spheres.h>

typedef struct OracleSpheres {
    bool is_covered;
    uint32_t face;        ///< that is not, or IMP_NO_FACE: then it is a part of the inside
    uint64_t piece_count; ///< looked at
} OracleSpheres;

/// Prove it: faces are cut into four pieces, boxes into eight, until each lies in a chain. What takes more
/// than ORACLE_SPHERE_DEPTH such steps is not covered. Of the spheres, center, radius, parent and level
/// count.
OracleSpheres oracle_spheres_judge(const imp_Mesh *mesh, imp_SphereCover cover, const imp_Sphere *spheres,
                                   size_t count);

/// A piece that many halvings small is held for sure where the proof of the library, with its slack, is
/// right.
#define ORACLE_SPHERE_DEPTH 50

/// Does the point (w[0] a + w[1] b + w[2] c) / (w[0] + w[1] + w[2]) of a face lie in all balls of one chain?
/// Weights are from 0 to 2^20, not all 0.
bool oracle_spheres_hold(const imp_Mesh *mesh, const imp_Sphere *spheres, size_t count, uint32_t face,
                         const uint32_t weights[3]);

#endif
