#define VISIT impi_block_tree_visit_portable
#include "shape/block_tree_kernel.h"
