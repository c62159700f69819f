#define DECIDE impi_batch_decide_avx2
#include "geom/triangle_batch_kernel.h"
