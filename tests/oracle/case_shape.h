/// Bodies of random cases: plain lists of vertices and faces, and the shapes made of them.
#ifndef IMPINGE_TESTS_CASE_SHAPE_H
#define IMPINGE_TESTS_CASE_SHAPE_H

#include "surface_oracle.h"

#include <impinge/convex.h>

#define CASE_MAX_VERTICES 512
#define CASE_MAX_FACES    256

typedef struct CaseBody {
    bool is_solid;    ///< the hull of its vertices; it has no faces of its own then
    bool is_deformed; ///< its mesh has other vertices; the body gets these
    imp_Pose pose;
    size_t vertex_count, face_count;
    imp_Vec3 vertices[CASE_MAX_VERTICES];
    uint32_t indices[3 * CASE_MAX_FACES];
} CaseBody;

/// What a body of a case is made of, and where its posed corners are.
typedef struct CaseShape {
    imp_Mesh *mesh; ///< of a solid: its surface, which it owns
    imp_Convex *convex;
    const CaseBody *body;
    size_t vertex_count, face_count;
    imp_Vec3 corners[CASE_MAX_VERTICES];
    imp_Triangle triangles[CASE_MAX_FACES];
} CaseShape;

/// False, and nothing to release, when the points of a solid lie in one plane.
bool case_shape_make(imp_Context *context, const CaseBody *body, CaseShape *shape);
void case_shape_release(CaseShape *shape);

OracleBody case_shape_judged(const CaseShape *shape);

#endif
