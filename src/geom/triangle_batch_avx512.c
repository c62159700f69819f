#define DECIDE impi_batch_decide_avx512
#include "geom/triangle_batch_kernel.h"
