#define TABLE impi_box_distance_avx2
#include "object/box_distance_kernel.h"
