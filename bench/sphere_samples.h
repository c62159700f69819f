/// How far spheres stick out of a mesh, by sampling: independent of what the library proves of them.
#ifndef IMPINGE_BENCH_SPHERE_SAMPLES_H
#define IMPINGE_BENCH_SPHERE_SAMPLES_H

#include <impinge/mesh.h>

typedef struct SphereSampler SphereSampler;

/// For a mesh that outlives it. Stops the program when out of memory.
SphereSampler *sphere_sampler_make(imp_Context *context, const imp_Mesh *mesh);
void sphere_sampler_free(SphereSampler *sampler);

/// The largest distance from the mesh of 2,000 points on the sphere. Points inside of a closed mesh count 0.
double sphere_sampler_protrusion(SphereSampler *sampler, imp_Vec3 center, double radius);

#endif
