#define APART impi_sweep_apart_avx512
#include "geom/sweep_batch_kernel.h"
