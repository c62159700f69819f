#define NEAREST impi_surface_field_nearest_portable
#include "shape/surface_field_kernel.h"
