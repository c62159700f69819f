#define FIND impi_support_find_portable
#include "shape/support_search_kernel.h"
