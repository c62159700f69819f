#define FIND impi_support_find_avx512
#include "shape/support_search_kernel.h"
