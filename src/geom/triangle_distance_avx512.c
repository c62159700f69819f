#define MEASURE impi_batch_measure_avx512
#include "geom/triangle_distance_kernel.h"
