#define TABLE impi_box_distance_avx512
#include "object/box_distance_kernel.h"
