#define KERNEL_NAME impi_octree_kernel_portable
#define KERNEL_TEXT "portable"
#include "broad/linear_octree_kernel.h"
