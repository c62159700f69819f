#define APART impi_triangles_apart_portable
#include "geom/triangle_sweep_batch_kernel.h"
