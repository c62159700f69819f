#define APART impi_sweep_apart_avx2
#include "geom/sweep_batch_kernel.h"
