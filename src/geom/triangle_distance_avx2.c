#define TABLE impi_triangle_distance_avx2
#include "geom/triangle_distance_kernel.h"
