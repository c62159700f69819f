#define TABLE impi_sphere_test_avx512
#include "object/sphere_test_kernel.h"
