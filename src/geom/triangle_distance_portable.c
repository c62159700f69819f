#define MEASURE impi_batch_measure_portable
#include "geom/triangle_distance_kernel.h"
