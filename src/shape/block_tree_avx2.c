#define VISIT impi_block_tree_visit_avx2
#include "shape/block_tree_kernel.h"
