#define DECIDE impi_batch_decide_portable
#include "geom/triangle_batch_kernel.h"
