#define VISIT impi_block_tree_visit_avx512
#include "shape/block_tree_kernel.h"
