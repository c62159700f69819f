#define TABLE impi_sphere_test_avx2
#include "object/sphere_test_kernel.h"
