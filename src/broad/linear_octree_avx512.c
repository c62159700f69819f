#define KERNEL_NAME impi_octree_kernel_avx512
#define KERNEL_TEXT "avx512"
#include "broad/linear_octree_kernel.h"
