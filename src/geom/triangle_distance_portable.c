#define TABLE impi_triangle_distance_portable
#include "geom/triangle_distance_kernel.h"
