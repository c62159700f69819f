#define TABLE impi_triangle_distance_avx512
#include "geom/triangle_distance_kernel.h"
