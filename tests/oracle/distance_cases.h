/// Random pairs of posed bodies of many kinds, to be asked how far apart they are: surfaces and solids, rigid
/// and deformed, most kinds with features that are parallel, coincide, or miss each other by next to nothing.
#ifndef IMPINGE_TESTS_DISTANCE_CASES_H
#define IMPINGE_TESTS_DISTANCE_CASES_H

#include "case_shape.h"

typedef enum DistanceKind {
    DISTANCE_ROUND,   ///< bumpy spheres and tori, near each other or across
    DISTANCE_SOUPS,   ///< triangles anywhere
    DISTANCE_NESTED,  ///< surfaces inside closed ones
    DISTANCE_SOLIDS,  ///< two hulls
    DISTANCE_MIXED,   ///< a hull and a surface
    DISTANCE_HELD,    ///< a surface inside a hull, or a hull inside a surface
    DISTANCE_REGULAR, // how many; from here on they are degenerate

    DISTANCE_BOXES = DISTANCE_REGULAR, ///< in exact orientations on a lattice: parallel faces and edges
    DISTANCE_LATTICE,                  ///< triangles on few lattice points
    DISTANCE_FLAT,                     ///< segments and points among the triangles
    DISTANCE_ONE_PLANE,                ///< all in one plane
    DISTANCE_COINCIDENT,               ///< vertices, edges and faces in common, or an ulp off
    DISTANCE_HAIR,                     ///< 1e-12 apart, or less
    DISTANCE_FAR,                      ///< 1e7 widths from the origin
    DISTANCE_SIZES,                    ///< 1e-6 beside 1e6
    DISTANCE_TRIANGLES,                ///< see triangle_cases.h
    DISTANCE_MAGNITUDES,               ///< exponents from 1e-300 to 1e300
    DISTANCE_SUBNORMAL,
    DISTANCE_LARGEST, ///< coordinates up to the largest double
    DISTANCE_KIND_COUNT
} DistanceKind;

extern const char *const distance_kind_names[DISTANCE_KIND_COUNT];

typedef struct DistanceCase {
    DistanceKind kind;
    bool is_extreme; ///< its exponents leave the range of extended precision's squares, or come near
    CaseBody a, b;
} DistanceCase;

/// The kind of the n-th case of a run: a third is degenerate.
DistanceKind distance_case_kind(uint64_t n);

/// Overwrites all of `pair` but vertices and faces that it does not use.
void distance_case_make(imp_Context *context, DistanceKind kind, DistanceCase *pair);

/// All numbers, in hexadecimal notation; vertices only where they are few. Silent after the first 6 calls.
void distance_case_print(const DistanceCase *pair);

#endif
