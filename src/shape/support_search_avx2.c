#define FIND impi_support_find_avx2
#include "shape/support_search_kernel.h"
