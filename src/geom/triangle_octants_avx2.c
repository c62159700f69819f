#define DECIDE impi_octants_decide_avx2
#define LANES  4
#include "geom/triangle_octants_kernel.h"
