#define APART impi_triangles_apart_avx512
#include "geom/triangle_sweep_batch_kernel.h"
