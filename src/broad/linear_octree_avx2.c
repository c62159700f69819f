#define KERNEL_NAME impi_octree_kernel_avx2
#define KERNEL_TEXT "avx2"
#include "broad/linear_octree_kernel.h"
