#define TABLE impi_box_distance_portable
#include "object/box_distance_kernel.h"
