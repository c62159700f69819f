/// What is told of pairs of bodies that are not decided yet.
#ifndef IMPINGE_OBJECT_ESTIMATES_H
#define IMPINGE_OBJECT_ESTIMATES_H

#include "base/array.h"
#include "object/sphere_descent.h"

#include <impinge/world.h>

#define IMPI_NO_ESTIMATE UINT32_MAX

typedef struct impi_Estimates {
    IMPI_ARRAY(imp_Estimate) estimates;
    IMPI_ARRAY(imp_SpherePair) sphere_pairs; // estimate by estimate
} impi_Estimates;

void impi_estimates_free(const imp_Allocator *allocator, impi_Estimates *estimates);

/// Tell what is known; `*number` is where. False when out of memory.
bool impi_estimates_add(const imp_Allocator *allocator, impi_Estimates *estimates,
                        const impi_SphereDescent *descent, uint32_t *number);

/// Of two bodies whose boxes meet: they are no farther apart than this.
double impi_farthest_apart(const imp_Box *a, const imp_Box *b);

#endif
