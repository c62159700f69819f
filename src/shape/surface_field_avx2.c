#define NEAREST impi_surface_field_nearest_avx2
#include "shape/surface_field_kernel.h"
