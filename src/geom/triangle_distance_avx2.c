#define MEASURE impi_batch_measure_avx2
#include "geom/triangle_distance_kernel.h"
