#define APART impi_sweep_apart_portable
#include "geom/sweep_batch_kernel.h"
