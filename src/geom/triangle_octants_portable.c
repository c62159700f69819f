#define DECIDE impi_octants_decide_portable
#define LANES  2
#include "geom/triangle_octants_kernel.h"
